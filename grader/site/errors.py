"""What keeps the site from being built."""


class CannotBuild(Exception):
    """The site was not built. The text says what is missing or what failed, and what to do."""
