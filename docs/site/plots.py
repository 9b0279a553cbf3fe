# SPDX-License-Identifier: Apache-2.0
"""Plots of accel-bench's results (docs/results/*.txt) as SVG, and the page that shows them.

Of each backend the last file, in the order of names, of its newest date is plotted. The same input gives the same bytes.
"""
import html
import math
import re

# Files up to this date are of the sources before they were rearranged.
BEFORE_HOUSE = "2026-11-22"
NUMBER, BRACKET = r"([\d.]+)", r"\[([\d.]+) ([\d.]+)\]"
ROW = re.compile(rf"(\S(?:\S| (?! ))*) +{NUMBER} (\S+) {BRACKET} *(?:(\S+) {NUMBER} \S+ {BRACKET} +{NUMBER} {BRACKET})?(?: .*)?")
SIZES = re.compile(r"(.*), arrays of ([\d.]+) (kB|MB)")
OURS, NATIVE, INK, FAINT = "#1c6cb5", "#c2571a", "#22282e", "#d5dbe1"
WIDTH, NAMES, LINE = 760, 250, 24


class Row:
    def __init__(self, found):
        self.name, self.unit, self.native = found[1], found[3], found[6]
        self.ours = [float(found[group]) for group in (2, 4, 5)]
        self.theirs = [float(found[group]) for group in (7, 8, 9)] if self.native else None
        self.ratio = [float(found[group]) for group in (10, 11, 12)] if self.native else None


class Results:
    def __init__(self, path):
        lines = path.read_text(encoding="utf-8").splitlines()
        self.path, self.date = path, path.name[:10]
        self.about, self.machine = lines[0].lstrip("# "), lines[1].lstrip("# ")
        self.backend = re.search(r"--backend ([\w-]+)", self.about)[1]
        self.device = next(line for line in lines if line.startswith(self.backend + ":"))
        self.rows = [Row(found) for found in map(ROW.fullmatch, lines) if found]
        counted = int(re.search(r"^(\d+) results", "\n".join(lines), re.MULTILINE)[1])
        if counted != len(self.rows):
            raise ValueError(f"{path}: {counted} results are announced, and {len(self.rows)} were read")


class Drawing:
    """Shapes in SVG; all numbers have one decimal."""

    def __init__(self, title, height):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
                      'font-family="Helvetica,Arial,sans-serif" font-size="13">', f"<title>{html.escape(title)}</title>",
                      f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>']

    def line(self, x1, y1, x2, y2, color=FAINT, width=1.0):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}" stroke-width="{width}"/>')

    def bar(self, x, y, width, height, color):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{color}"/>')

    def dot(self, x, y, color):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{color}"/>')

    def text(self, x, y, text, anchor="start", color=INK, weight="normal"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}" font-weight="{weight}">'
                          f"{html.escape(text, quote=False)}</text>")

    def curve(self, points, color):
        self.parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" fill="none" stroke="{color}" '
                          'stroke-width="2"/>')
        for x, y in points:
            self.dot(x, y, color)

    def legend(self, x, y, native):
        self.dot(x, y - 4, OURS)
        self.text(x + 10, y, "libaccel")
        self.dot(x + 80, y - 4, NATIVE)
        self.text(x + 90, y, native)

    def svg(self):
        return "\n".join(self.parts) + "\n</svg>\n"


def log_axis(low, high, begin, end):
    """A function from a value to its place, and the values 1, 2, 5 times powers of ten that fit."""
    low, high = low / 1.15, high * 1.15
    scale = (end - begin) / math.log(high / low)
    ticks = [digit * 10.0**power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1) for digit in (1, 2, 5)]
    ticks = [tick for tick in ticks if low <= tick <= high]
    if len(ticks) > 8:
        ticks = [tick for tick in ticks if f"{tick:e}"[0] == "1"]
    return (lambda value: begin + scale * math.log(value / low)), ticks


def short(value, unit=""):
    """1500 ns: 1.5 µs"""
    if unit == "ns":
        for size, name in ((1e6, "ms"), (1e3, "µs")):
            if value >= size:
                return f"{value / size:g} {name}"
    return f"{value:g} {unit}".rstrip()


def times(results, rows):
    """Times, one line each: ours beside the best native way's, with their quartiles."""
    height = 60 + LINE * len(rows) + 30
    drawing = Drawing(f"Times on {results.backend}", height)
    drawing.legend(NAMES + 10, 24, "best native way; bars: quartiles; logarithmic, less is better")
    values = [value for row in rows for value in row.ours + (row.theirs or [])]
    place, ticks = log_axis(min(values), max(values), NAMES + 10, WIDTH - 20)
    for tick in ticks:
        drawing.line(place(tick), 40, place(tick), height - 34)
        drawing.text(place(tick), height - 16, short(tick, "ns"), "middle")
    for number, row in enumerate(rows):
        y = 56 + LINE * number
        drawing.text(NAMES, y + 4, row.name, "end")
        for values, color in ((row.theirs, NATIVE), (row.ours, OURS)):
            if values:
                drawing.line(place(values[1]), y, place(values[2]), y, color, 2.0)
                drawing.dot(place(values[0]), y, color)
    return drawing.svg()


def ratios(results, rows):
    """Ratios of rates, one line each."""
    height = 60 + LINE * len(rows) + 30
    drawing = Drawing(f"Rates on {results.backend}, beside the best native way", height)
    drawing.text(NAMES + 10, 24, "libaccel's rate / the best native way's; bars: quartiles; more is better")
    values = [value for row in rows for value in row.ratio] + [0.5, 2.0]
    place, ticks = log_axis(max(min(values), 0.01), max(values), NAMES + 10, WIDTH - 110)
    for tick in ticks:
        drawing.line(place(tick), 40, place(tick), height - 34, INK if tick == 1.0 else FAINT)
        drawing.text(place(tick), height - 16, f"{tick:g}", "middle")
    for number, row in enumerate(rows):
        y = 56 + LINE * number
        drawing.text(NAMES, y + 4, row.name, "end")
        low, high = max(row.ratio[1], 0.01), max(row.ratio[2], 0.01)
        drawing.line(place(low), y, place(high), y, OURS, 2.0)
        drawing.dot(place(max(row.ratio[0], 0.01)), y, OURS)
        drawing.text(WIDTH - 4, y + 4, short(row.ours[0], row.unit), "end", "#5a646e")
    return drawing.svg()


def curves(results, series):
    """Bandwidth over the size of the arrays, a small plot for each operation."""
    columns, cell, tall = 2, WIDTH / 2, 240
    height = 40 + tall * math.ceil(len(series) / columns)
    drawing = Drawing(f"Bandwidth over the size of the arrays on {results.backend}", height)
    drawing.legend(50, 24, "best native way; GB/s over the size of one array, both logarithmic; more is better")
    every = [(size, value) for points in series.values() for size, row in points for value in (row.ours[0], row.theirs[0])]
    for number, (name, points) in enumerate(series.items()):
        left, top = 50 + cell * (number % columns), 40 + tall * (number // columns)
        across, _ = log_axis(min(every)[0], max(every)[0], left, left + cell - 70)
        up, ticks = log_axis(min(value for _, value in every), max(value for _, value in every), top + tall - 40, top + 34)
        drawing.text(left, top + 22, name, weight="bold")
        for tick in ticks:
            drawing.line(left, up(tick), left + cell - 70, up(tick))
            drawing.text(left - 6, up(tick) + 4, f"{tick:g}", "end")
        for index, (size, _) in enumerate(points):
            if index % 2 == 0:
                drawing.text(across(size), top + tall - 20, f"{size / 1000:g} MB" if size >= 1000 else f"{size:g} kB", "middle")
        drawing.curve([(across(size), up(row.theirs[0])) for size, row in points], NATIVE)
        drawing.curve([(across(size), up(row.ours[0])) for size, row in points], OURS)
    return drawing.svg()


def plots(results):
    """[(name of the file, what it shows, svg)]"""
    series, rest = {}, []
    for row in results.rows:
        found = SIZES.fullmatch(row.name)
        if found and row.native:
            series.setdefault(found[1], []).append((float(found[2]) * (1000 if found[3] == "MB" else 1), row))
        elif row.unit != "ns" and row.native:
            rest.append(row)
    measured = [row for row in results.rows if row.unit == "ns"]
    made = []
    if measured:
        made.append(("times", "Times: launches, waits, events", times(results, measured)))
    if series:
        made.append(("bandwidth", "Bandwidth over size", curves(results, series)))
    if rest:
        made.append(("rates", "Rates, beside the best native way", ratios(results, rest)))
    return [(f"bench-{results.backend}-{name}.svg", title, svg) for name, title, svg in made]


def page(folder, pictures):
    """Writes the plots into the directory of pictures; returns the page."""
    pictures.mkdir(parents=True, exist_ok=True)
    newest = {}
    for path in sorted(folder.glob("*.txt")):
        results = Results(path)
        newest[results.backend] = results
    lines = ["# Results, plotted", "",
             "Whole runs of `accel-bench`, the newest of each backend. [accel-bench](accel-bench.md) says how a number is made,",
             "[Performance](performance.md) what the numbers mean. All runs are in [docs/results](source:docs/results).", ""]
    for backend, results in sorted(newest.items(), key=lambda pair: (pair[1].date, len(pair[1].rows)), reverse=True):
        command, _, rest = results.about.partition(";")
        lines += [f"## {backend}", "", f"- Date: {results.date}", f"- Run: `{command}`;{rest}", f"- Machine: {results.machine}",
                  f"- Device: {results.device}", f"- Numbers: [{results.path.name}](source:docs/results/{results.path.name})", ""]
        if results.date <= BEFORE_HOUSE:
            lines += ["**This is an older state.** The run was made before the sources were rearranged, and before everything that came",
                      "later. No newer run is committed.", ""]
        for name, title, svg in plots(results):
            (pictures / name).write_text(svg, encoding="utf-8")
            lines += [f"### {title}", "", f"![{title} on {backend}](pictures/{name})", ""]
    return "\n".join(lines)
