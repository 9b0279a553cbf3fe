# SPDX-License-Identifier: Apache-2.0
"""Links and resources of a site that is a directory of files: every link inside it leads to a page and an anchor, and no page, style
or script loads anything from elsewhere."""
import functools
import html.parser
import os
import re
import urllib.parse

LOADS = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("object", "data"), ("embed", "src")}
# What a style loads; and in scripts, what would load another one from elsewhere.
STYLE = re.compile(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""")
SCRIPT = re.compile(r"""(?:\.src\s*=\s*|importScripts\(\s*|fetch\(\s*|import\s[^;]*?)['"]((?:https?:)?//[^'"]+)""")
FOREIGN = re.compile(r"(?:[a-z]+:)?//|/")


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.anchors, self.links, self.loads = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            elif (tag, name) in LOADS:
                self.loads.append(value)
            elif tag == "a" and name == "href":
                self.links.append(value)


def check(site):
    """(number of pages, number of links, failures)"""
    failures, links = [], 0

    @functools.lru_cache(maxsize=None)
    def page(path):
        with open(path, encoding="utf-8") as stream:
            return Page(stream.read())

    def local(path, target, what):
        place, _, fragment = target.partition("#")
        place, fragment = urllib.parse.unquote(place.partition("?")[0]), urllib.parse.unquote(fragment)
        whole = os.path.normpath(os.path.join(os.path.dirname(path), place)) if place else path
        if not whole.startswith(site) or not os.path.isfile(whole):
            failures.append(f"{os.path.relpath(path, site)}: {what} {target} leads nowhere")
        elif fragment and whole.endswith(".html") and fragment not in page(whole).anchors:
            failures.append(f"{os.path.relpath(path, site)}: {what} {target} has no such anchor")

    def load(path, target):
        if target.startswith(("data:", "javascript:", "#")):
            return
        if FOREIGN.match(target):
            failures.append(f"{os.path.relpath(path, site)} loads {target}")
        else:
            local(path, target, "the resource")

    pages = []
    for folder, _, names in os.walk(site):
        for path in (os.path.join(folder, name) for name in sorted(names)):
            if path.endswith(".html"):
                pages.append(path)
            elif path.endswith((".css", ".svg", ".js")):
                with open(path, encoding="utf-8") as stream:
                    found = (SCRIPT if path.endswith(".js") else STYLE).finditer(stream.read())
                for target in found:
                    load(path, target[1] or target[2])
    for path in sorted(pages):
        for target in page(path).loads:
            load(path, target)
        for target in page(path).links:
            if not re.match(r"[a-z]+:", target):
                links += 1
                local(path, target, "the link")
    return len(pages), links, failures
