"""Settings that all tests share."""

from hypothesis import settings

# Two busy cores make single examples slow at times; a test that is slow as a whole shows in pytest's --durations.
settings.register_profile("course", deadline=None)
settings.load_profile("course")
