#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Parts of the site, without Sphinx and without a browser: plots follow the results, timelines are drawn, manual pages become Markdown, and the check of
links notices what is wrong.

    parts.py SOURCE_ROOT
"""
import pathlib
import shutil
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1]).resolve()
sys.dont_write_bytecode = True # the sources' directories stay as they are
sys.path.insert(0, str(ROOT / "docs/site"))
import links
import manual
import plots
import timeline


def expect(what, fact):
    if not fact:
        sys.exit(what)


def refused(call, *values):
    try:
        call(*values)
    except ValueError as error:
        return str(error)
    return ""


def check_plots(directory):
    results = directory / "results"
    shutil.copytree(ROOT / "docs/results", results)
    page = plots.page(results, directory / "first")
    expect("the same results make other plots", page == plots.page(results, directory / "second"))
    first, second = ({path.name: path.read_bytes() for path in (directory / name).iterdir()} for name in ("first", "second"))
    expect("the same results make other pictures", first == second and len(first) >= 5)
    newest = sorted(results.glob("*cpu-threads*.txt"))[-1]
    text = newest.read_text(encoding="utf-8")
    (results / "2999-12-31-cpu-threads.txt").write_text(text.replace("launch and wait, 1 block ", "launch of a later time    "),
                                                        encoding="utf-8")
    later = plots.page(results, directory / "third").split("## cpu-")
    expect("newer results are not first", later[1].startswith("threads\n") and "Date: 2999-12-31" in later[1])
    expect("newer results are called old", "older state" not in later[1])
    expect("other backends lose their plots", any("2999" not in part and ".svg" in part for part in later[2:]))
    expect("newer results are not drawn",
           "launch of a later time" in (directory / "third/bench-cpu-threads-times.svg").read_text(encoding="utf-8"))
    (results / "2999-12-31-cpu-threads.txt").write_text(text.replace(" ns [", " ns (", 1), encoding="utf-8")
    expect("a row that was not read is no error", "results are announced" in refused(plots.page, results, directory / "third"))


TRACE = """[
{"ph":"M","name":"process_name","pid":11,"tid":0,"args":{"name":"cpu-serial:0"}},
{"ph":"M","name":"thread_name","pid":11,"tid":4,"args":{"name":"left"}},
{"ph":"X","name":"early","cat":"kernel","pid":11,"tid":4,"ts":0.5,"dur":1,"args":{"operation":1}},
{"ph":"X","name":"step","cat":"kernel","pid":11,"tid":4,"ts":1000.0,"dur":500,"args":{"operation":2}},
{"ph":"X","name":"wait","cat":"host wait","pid":1,"tid":1,"ts":1000.0,"dur":1500,"args":{"operation":3}},
{"ph":"X","name":"step","cat":"kernel","pid":11,"tid":4,"ts":1750.0,"dur":900,"args":{"operation":4}},
{"ph":"X","name":"late","cat":"kernel","pid":11,"tid":4,"ts":2001.0,"dur":9,"args":{"operation":5}}"""


def check_timeline():
    drawn = timeline.Timeline(timeline.events_of(TRACE), 2, 1.0)
    svg = drawn.svg("A title")
    expect("a timeline lacks its names", all(text in svg for text in ("A title", "cpu-serial:0", "left", "thread 1", ">step<")))
    expect("a timeline shows what is outside of it", "early" not in svg and "late" not in svg)
    blue = [line for line in svg.splitlines() if line.startswith("<rect") and drawn.colors["step"] in line]
    room = timeline.WIDTH - timeline.NAMES - timeline.RIGHT
    expect("two kernels and a legend are not three bars", len(blue) == 3)
    expect("half of the time is not half of the room", f'x="{timeline.NAMES:.1f}"' in blue[0] and f'width="{room / 2:.1f}"' in blue[0])
    expect("a kernel goes on behind the end", f'width="{room / 4:.1f}"' in blue[1])
    expect("an operation that is not there is no error", "no operation 9" in refused(timeline.Timeline, timeline.events_of(TRACE), 9, 1.0))


def check_manual():
    page = manual.markdown('.TH X 1\n.SH NAME\nx \\- an *example*\n.SH OPTIONS\n.TP\n.BI \\-\\-file " NAME"\nReads\n.IR NAME .\n')
    expect(f"a manual page is wrong:\n{page}",
           page == "# x(1)\n\n## Name\n\nx - an \\*example\\*\n\n## Options\n\n- `--file` *NAME*\n\n  Reads *NAME*.\n")
    expect("an unknown macro is no error", "does not know" in refused(manual.markdown, ".TH X 1\n.ZZ\n"))
    expect("an unknown escape is no error", "does not know" in refused(manual.markdown, ".TH X 1\nx\\(zz\n"))


def check_links(site):
    good = '<html><a href="b.html#here">b</a><img src="picture.svg"><a href="https://elsewhere.invalid/">e</a></html>'
    pages = {"a.html": good, "b.html": '<h1 id="here">b</h1>', "picture.svg": "<svg/>", "style.css": "a { color: red }"}
    site.mkdir()
    for name, text in pages.items():
        (site / name).write_text(text, encoding="utf-8")
    expect("a site without a fault has one", links.check(str(site)) == (2, 1, []))
    for name, text, fault in (
            ("a.html", '<a href="c.html">c</a>', "leads nowhere"), ("a.html", '<a href="../a.html">a</a>', "leads nowhere"),
            ("a.html", '<a href="b.html#there">b</a>', "no such anchor"), ("a.html", '<img src="none.png">', "leads nowhere"),
            ("a.html", '<script src="https://elsewhere.invalid/x.js"></script>', "loads https://elsewhere.invalid"),
            ("a.html", '<link rel="stylesheet" href="//elsewhere.invalid/x.css">', "loads //elsewhere.invalid"),
            ("style.css", "@import url(https://elsewhere.invalid/x.css);", "loads https://elsewhere.invalid"),
            ("style.css", "@font-face { src: url('/fonts/x.woff') }", "loads /fonts"),
            ("x.js", "script.src = 'https://elsewhere.invalid/x.js'", "loads https://elsewhere.invalid")):
        before = pages.get(name, "")
        (site / name).write_text(text, encoding="utf-8")
        failures = links.check(str(site))[2]
        expect(f"{text}: the fault is not noticed: {failures}", len(failures) == 1 and fault in failures[0])
        (site / name).write_text(before, encoding="utf-8")


with tempfile.TemporaryDirectory() as temporary:
    check_plots(pathlib.Path(temporary).resolve())
    check_timeline()
    check_manual()
    check_links(pathlib.Path(temporary).resolve() / "site")
