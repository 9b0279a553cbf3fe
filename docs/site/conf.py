# SPDX-License-Identifier: Apache-2.0
"""Sphinx's configuration of the site, and its links to headers, sources and the API reference. docs/site.sh uses it.

A name in backticks becomes a link: a document to its page, a file or directory of the tree to its text in the site, and a function,
type or macro of the public headers to its place in the API reference. Only the site has these links; in the Markdown the names stay
as they are.
"""
import html
import os
import pathlib
import posixpath
import re
import shutil
import sys
import xml.etree.ElementTree

from docutils import nodes

ROOT = pathlib.Path(os.environ["SITE_SOURCE"])
sys.path.insert(0, str(ROOT / "docs/site"))

project = "libaccel"
author = "the authors of libaccel"
html_title = "libaccel " + re.search(r"version: '([\d.]+)'", (ROOT / "meson.build").read_text(encoding="utf-8"))[1]
extensions = ["myst_parser"]
root_doc = "index"
highlight_language = "none"
smartquotes = False
myst_heading_anchors = 6
myst_url_schemes = ["http", "https", "source", "api"]
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
html_theme = "furo"
html_static_path = [str(ROOT / "docs/site/static")]
html_css_files = ["site.css"]
html_show_sourcelink = html_copy_source = html_show_copyright = False
html_last_updated_fmt = None
templates_path = []
ROOMS = ("src", "include", "tests", "tools", "examples", "docs", "packaging")
FILE = re.compile(rf"(?:{'|'.join(ROOMS)})/[\w./+-]+|README\.md|meson\.build|meson_options\.txt|bootstrap")
BESIDE = re.compile(r"[\w+-]+(?:\.[\w+-]+)*")
NAME = re.compile(r"((?:accel|ACCEL)_\w+)(?:\(.*\))?")


def read_tags():
    """What the API reference documents: name -> its place below api/; headers by their path."""
    places = {}
    for compound in xml.etree.ElementTree.parse(os.environ["SITE_TAGS"]).getroot():
        name, page = compound.findtext("name"), compound.findtext("filename")
        if compound.get("kind") == "file":
            path = pathlib.PurePath(compound.findtext("path") + name).as_posix()
            places["include/" + path.rpartition("/include/")[2]] = page
            for member in compound.iter("member"):
                places.setdefault(member.findtext("name"), member.findtext("anchorfile") + "#" + member.findtext("anchor"))
                for value in member.iter("enumvalue"):
                    places.setdefault(value.text, value.get("file") + "#" + value.get("anchor"))
        elif compound.get("kind") in ("struct", "union"):
            places[name] = page
    return places


class Links:
    """The links of the pages, and the files of the tree that they lead to."""

    def __init__(self, pages):
        import stage
        self.pages, self.places, self.sources, self.page_name = pages, read_tags(), set(), stage.page_name

    def of_path(self, path):
        """The place of a path of the tree in the site, or None."""
        path = path.rstrip("/")
        for document in (path, path + "/README.md"):
            if (ROOT / document).is_file() and self.page_name(document) in self.pages:
                return self.page_name(document) + ".html"
        if not (ROOT / path).exists():
            return None
        return self.of_source(path)

    def of_source(self, path):
        self.sources.add(path)
        return f"source/{path}/index.html" if (ROOT / path).is_dir() else f"source/{path}.html"

    def of_name(self, text, page):
        if FILE.fullmatch(text):
            return self.of_path(text)
        beside = posixpath.join(posixpath.dirname(page), text) # examples/hello/index and tests/fuzz/index have files of their own
        if page.startswith(("examples/", "tests/")) and BESIDE.fullmatch(text) and (ROOT / beside).is_file():
            return self.of_path(beside)
        name = NAME.fullmatch(text)
        return "api/" + self.places[name[1]] if name and name[1] in self.places else None

    def resolve(self, _app, tree, page):
        up = "../" * page.count("/")
        for reference in tree.findall(nodes.reference):
            scheme, _, rest = reference.get("refuri", "").partition(":")
            if scheme == "source":
                reference["refuri"] = up + self.of_source(rest)
            elif scheme == "api":
                reference["refuri"] = up + "api/" + self.places[rest]
        for literal in list(tree.findall(nodes.literal)):
            place = self.of_name(literal.astext(), page)
            parent = literal.parent
            while parent and not isinstance(parent, (nodes.title, nodes.reference)):
                parent = parent.parent
            if place and not parent and place != page + ".html":
                reference = nodes.reference("", "", internal=True, refuri=up + place)
                literal.replace_self(reference)
                reference += literal

    def write_sources(self, site):
        """The files that pages lead to, and for a directory all that is in it."""
        left, done = sorted(self.sources), set()
        while left:
            path = left.pop()
            if path in done:
                continue
            done.add(path)
            if (ROOT / path).is_dir():
                names = sorted(entry.name for entry in (ROOT / path).iterdir() if not entry.name.startswith((".", "__")))
                left += [f"{path}/{name}" for name in names]
                body = "".join(f'<li><a href="{name}{"/index" if (ROOT / path / name).is_dir() else ""}.html">{name}'
                               f'{"/" if (ROOT / path / name).is_dir() else ""}</a></li>\n' for name in names)
                place, body = f"source/{path}/index.html", f"<ul>\n{body}</ul>"
            else:
                place = f"source/{path}.html"
                try:
                    body = f"<pre>{html.escape((ROOT / path).read_text(encoding='utf-8'), quote=False)}</pre>"
                except UnicodeDecodeError:
                    name = (site / place).with_suffix("").name # a picture: shown beside its name
                    (site / place).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(ROOT / path, (site / place).with_suffix(""))
                    body = f'<p><img src="{name}" alt="{name}"></p>' if name.endswith((".png", ".jpg")) else f'<a href="{name}">{name}</a>'
            up = "../" * place.count("/")
            link = f'<a href="{up}api/{self.places[path]}">API reference</a> · ' if path in self.places else ""
            target = site / place
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{path}</title>\n'
                              '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
                              '<link rel="icon" href="data:,">\n'
                              f'<link rel="stylesheet" href="{up}_static/source.css"></head>\n<body>\n'
                              f'<nav><a href="{up}index.html">libaccel</a> · {link}<b>{path}</b></nav>\n{body}\n</body></html>\n',
                              encoding="utf-8")


def mend_theme(static):
    """Debian's package of the theme leaves its script unbundled and names a style by its place on Debian's web servers."""
    script, style = static / "scripts/furo.js", static / "styles/furo.css"
    first, _, rest = script.read_text(encoding="utf-8").partition("\n")
    if first == 'import Gumshoe from "./gumshoe-patched.js";':
        script.write_text((static / "scripts/gumshoe-patched.js").read_text(encoding="utf-8") + rest, encoding="utf-8")
    text = style.read_text(encoding="utf-8")
    if "url(/javascript/" in text:
        style.write_text(text.replace("url(/javascript/normalize.css/", "url("), encoding="utf-8")
        shutil.copy("/usr/share/javascript/normalize.css/normalize.css", static / "styles/normalize.css")


def setup(app):
    links = None

    def resolve(app, tree, page):
        nonlocal links
        links = links or Links(set(app.env.found_docs))
        links.resolve(app, tree, page)

    app.connect("doctree-resolved", resolve)
    def finish(app, problem):
        if not problem:
            links.write_sources(pathlib.Path(app.outdir))
            mend_theme(pathlib.Path(app.outdir) / "_static")

    app.connect("build-finished", finish)
    return {"parallel_read_safe": True}
