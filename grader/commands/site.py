"""The ``site`` command: the course as static files that run in the browser."""

from pathlib import Path

from grader.site.build import build_site


def build(out: Path, pyodide_package: Path | None) -> str:
    """Build the site; say what was built. Raises CannotBuild."""
    built = build_site(out, pyodide_package)
    return (
        f"wrote {out}: {built.notebooks} notebooks, {built.packages} packages, {built.size / 1e6:.0f} MB.\n"
        f"Serve it with any web server, for instance: python -m http.server --bind 127.0.0.1 --directory {out}"
    )
