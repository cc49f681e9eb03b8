"""The course as a static site that runs in the browser.

This room has two sides: what builds the site, here, and in ``kernel`` what the course needs besides when it runs
in a browser.
"""
