#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation site: it builds without a warning, its links lead somewhere, and a reader with a browser finds things in it.

    site.py SOURCE_ROOT [SITE]

The site is built into a directory of its own, or taken from SITE. The browser runs without a display, reads the site from a server
on loopback, searches, follows what it finds, and opens pages as wide as a desktop and as a phone. No request may go elsewhere, and
nothing may complain on the console. Ends with 77 where a tool is missing.
"""
import contextlib
import functools
import http.server
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True # the sources' directories stay as they are
import browser
import links

PHONE, DESKTOP = 390, 1280
EVERY_PICTURE = "Array.from(document.images).every(image => image.complete && image.naturalWidth > 0)"


class Server(http.server.ThreadingHTTPServer):
    """Files of the site; `missing` has what was asked for in vain."""

    def __init__(self, site):
        self.missing = missing = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, form, *values):
                pass

            def send_error(self, code, *values):
                missing.append(self.path)
                super().send_error(code, *values)

        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(site)))
        self.address = f"http://127.0.0.1:{self.server_address[1]}/"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Reader:
    def __init__(self, reader, address):
        self.browser, self.address, self.told = reader, address, 0

    def is_true(self, what, fact):
        if not fact:
            raise AssertionError(f"{self.browser.value('location.href')}: {what}")
        self.told += 1

    def finds(self, word, page, title):
        """Searches a word from the first page, as readers do, and follows the result that leads to the page."""
        self.browser.open(self.address)
        self.browser.click("input[name=q]")
        self.browser.write(word)
        self.browser.after_load(self.browser.press_enter)
        result = f'#search-results li a[href*="{page}"]'
        self.browser.until("document.querySelector('#search-results .search-summary')?.textContent.includes('found')")
        self.is_true(f"searching {word} does not find {page}", self.browser.until(f"!!document.querySelector('{result}')"))
        self.browser.after_load(lambda: self.browser.click(result))
        self.is_true(f"{page} is not the page {title}", self.browser.value("document.querySelector('h1').textContent").startswith(title))
        self.is_true(f"{word} is not on the page", word in self.browser.value("document.querySelector('article').innerText"))

    def finds_nothing(self, word):
        self.browser.open(f"{self.address}search.html?q={word}")
        self.is_true("a word that is nowhere is found",
                     self.browser.until("document.querySelector('.search-summary')?.textContent").startswith("Your search did not match"))

    def reads(self):
        at = self.browser
        self.finds("Slurm", "guide/where-it-runs.html", "Where it runs")
        self.finds("accel_queue_wait", "guide/memory-and-queues.html", "Memory and queues")
        self.finds("accel_shared_dynamic", "api-reference.html", "API reference")
        self.finds_nothing("zyxwvu")
        at.open(self.address)
        rows = at.value("Array.from(document.querySelectorAll('#backends table tr td:first-child')).map(cell => cell.innerText)")
        self.is_true(f"the first page has no table of backends: {rows}", {"cpu-serial", "cpu-threads", "cpu-omp", "cuda", "hip"} <= set(rows))
        at.after_load(lambda: at.click("article a[href*='api/'] code"))
        self.is_true("a function's name does not lead to its text", "accel_error_message" in at.value("document.body.innerText"))
        at.after_load(lambda: at.click("#projectname a"))
        self.is_true("no way leads back from the API reference", at.value("document.querySelector('h1').textContent").startswith("libaccel"))
        at.open(self.address + "api-reference.html")
        at.after_load(lambda: at.click("a[href='source/include/accel/accel.h.html']"))
        self.is_true("a header is not shown", "accel_status accel_instance_create(" in at.value("document.querySelector('pre').innerText"))
        for page, pictures in (("architecture.html", 1), ("results-plotted.html", 3)):
            at.open(self.address + page)
            self.is_true("pictures are missing", at.value("document.images.length") >= pictures and at.until(EVERY_PICTURE))
        self.is_true("a plot has no date", re.search(r"Date: 20\d\d-", at.value("document.querySelector('article').innerText")))

    def fits(self, site, width):
        """No page is wider than the screen; tables, code and pictures scroll by themselves."""
        self.browser.width(width, phone=width == PHONE)
        pages = [page for page in sorted(site.rglob("*.html")) if page.relative_to(site).parts[0] not in ("api", "source")]
        for page in pages:
            self.browser.open(self.address + str(page.relative_to(site)))
            self.is_true(f"the page is wider than {width} pixels", self.browser.value(
                f"[document.scrollingElement, document.querySelector('.content')].every(part => part.scrollWidth <= {width})"))
        return len(pages)


def read_in_browser(site):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory, Server(site) as server, \
            contextlib.closing(browser.Browser(directory)) as at:
        reader = Reader(at, server.address)
        at.width(DESKTOP)
        reader.reads()
        pages = reader.fits(site, PHONE)
        foreign = [request for request in at.requests if not request.startswith((server.address, "data:", "about:"))]
        errors, requests = at.errors[:], len(at.requests)
        # What was counted would have been seen: a request to elsewhere, and an error.
        at.value("new Image().src = 'http://elsewhere.invalid/picture.png'; console.error('seen')")
        at.until("true")
        server.shutdown()
        if "http://elsewhere.invalid/picture.png" not in at.requests or not any("seen" in error for error in at.errors):
            sys.exit("the browser tells this test neither requests nor errors")
        failures = [f"a request to elsewhere: {request}" for request in foreign] + [f"an error: {error}" for error in errors] + \
            [f"nothing is at {path}" for path in server.missing]
        print(f"{browser.program()}: {reader.told} facts, {pages} pages as narrow as a phone, {requests} requests")
        return failures


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    with contextlib.ExitStack() as stack:
        if len(sys.argv) > 2:
            site = pathlib.Path(sys.argv[2]).resolve()
        else:
            site = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory())).resolve() / "site"
            if not browser.program():
                print("skipped: there is no browser (Debian: chromium-headless-shell)")
                sys.exit(77)
            alone = ["unshare", "--map-root-user", "--net"] # no network, where the system allows that
            if not shutil.which("unshare") or subprocess.run([*alone, "true"], stderr=subprocess.DEVNULL, check=False).returncode:
                alone = []
            built = subprocess.run([*alone, source / "docs/site.sh", source, site], check=False)
            if built.returncode:
                sys.exit(built.returncode)
        pages, links_of_pages, failures = links.check(str(site))
        print(f"{pages} files with {links_of_pages} links inside the site", flush=True)
        failures += read_in_browser(site)
    failures = list(dict.fromkeys(failures))
    sys.exit("\n".join(failures[:40]) if failures else 0)


main()
