"""The built site behind a local web server, and a proxy through which everything else would have to go."""

import threading
from contextlib import contextmanager, suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from browser.lab import CHROMIUM_FLAGS, Lab

_OPENED = "() => { const w = window.jupyterapp.shell.currentWidget; return !!(w && w.context && w.context.isReady); }"
# What Chromium itself asks for in the background, whatever page is open.
_OF_CHROMIUM = ("update.googleapis.com", "accounts.google.com", "content-autofill.googleapis.com")
START_MS = 240_000  # a cold start takes half a minute of computing, more when others compute too


class _Files(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, *arguments):
        pass

    def copyfile(self, source, outputfile):
        with suppress(ConnectionError):  # the page was closed meanwhile
            super().copyfile(source, outputfile)


@contextmanager
def served(site: Path):
    """Serve a folder on this machine alone. Gives its address."""
    with _running(partial(_Files, directory=str(site))) as port:
        yield f"http://127.0.0.1:{port}/"


@contextmanager
def proxy():
    """A proxy that lets nothing through. Gives its address, and the list of what it was asked for."""
    asked = []

    class Refuse(BaseHTTPRequestHandler):
        def refuse(self):
            if not any(host in self.path for host in _OF_CHROMIUM):
                asked.append(f"{self.command} {self.path}")
            self.send_error(502)

        do_GET = do_POST = do_HEAD = do_OPTIONS = do_PUT = do_CONNECT = refuse

        def log_message(self, *arguments):
            pass

    with _running(Refuse) as port:
        yield f"http://127.0.0.1:{port}", asked


@contextmanager
def _running(handler):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def chromium_behind(proxy_address: str, chromium: str):
    """A headless Chromium that reaches this machine's own servers, and everything else through the proxy."""
    from playwright.sync_api import sync_playwright

    through = {"server": proxy_address, "bypass": "127.0.0.1"}
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS, proxy=through)
        try:
            yield started
        finally:
            started.close()


class SiteLab(Lab):
    """The site in one page."""

    def __init__(self, page, address: str):
        self.page, self.address = page, address
        page.set_default_timeout(START_MS)
        page.goto(address)

    def choose(self, title: str) -> None:
        """Click a chapter in the list of the first page; wait for its notebook and its kernel."""
        link = self.page.get_by_role("link", name=title, exact=True)
        path = link.get_attribute("href").split("path=")[1]
        link.click()
        self._wait_for_lab(path)

    def visit(self, path: str) -> None:
        """The same by address, for any notebook."""
        self.page.goto(f"{self.address}lab/index.html?path={path}")
        self._wait_for_lab(path)

    def _wait_for_lab(self, path: str) -> None:
        self.page.wait_for_function("() => window.jupyterapp && window.jupyterapp.restored")
        self.page.evaluate("() => window.jupyterapp.restored")
        self.page.wait_for_function(_OPENED)
        self.open(path)
