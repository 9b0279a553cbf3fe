#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The picture of the architecture, drawn from the text drawing in docs/architecture.md.

    picture.py SOURCE_ROOT            writes docs/architecture.svg
    picture.py --check SOURCE_ROOT    fails if that file is not the one it would write

Every room of the drawing must be a directory of src, and every directory must be in the drawing.
"""
import html
import math
import pathlib
import re
import sys

TOP = re.compile(r"\+-- (.+?) -+\+")
INK, FAINT, ACCENT = "#22282e", "#5a646e", "#1c6cb5"
WIDTH, MARGIN, LINE = 760, 16, 17
COLORS = {"libaccel.so": ("#eaf2fb", "#1c6cb5"), "cpu": ("#eef7ec", "#3b8132"), "gpu": ("#fcf1e8", "#c2571a")}


def read_box(lines, top, found):
    """(title, [[room, words]]) of the box whose upper edge was found in the line."""
    first, last = found.span()
    rooms = []
    for line in lines[top + 1:]:
        body = line.ljust(last)[first + 1:last - 1]
        if set(body.strip()) == {"-"}:
            return found[1], rooms
        if not body.strip():
            continue
        if body.startswith("   "):
            joint = " " if rooms[-1][1].endswith(",") else "; "
            rooms[-1][1] += joint + body.strip()
            continue
        parts = re.split(r" {2,}", body.strip())
        while parts:
            # The longest name has one space behind it.
            name, _, words = parts.pop(0).partition(" ") if " " in parts[0] and "|" not in parts[0] else (parts.pop(0), "", "")
            rooms.append([name, words or parts.pop(0)])
    sys.exit(f"docs/architecture.md: the box {found[1]} has no end")


def read(root):
    """The boxes of the drawing, what leads into the first two rows, and the notes below."""
    text = (root / "docs/architecture.md").read_text(encoding="utf-8")
    lines = re.search(r"^```\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[1].splitlines()
    boxes = [read_box(lines, number, found) for number, line in enumerate(lines) for found in TOP.finditer(line)]
    tops = [number for number, line in enumerate(lines) if TOP.search(line)]
    above = [re.split(r" {2,}", lines[0].strip()), re.findall(r"\| +(\S.*?)(?= {2,}|$)", lines[1])]
    between = re.search(r"\| +(\S.*)", lines[tops[1] - 2])[1]
    ends = [number for number, line in enumerate(lines) if line.startswith("+--")]
    notes = [line.strip().split(": ", 1) for line in lines[ends[-1] + 1:]]
    return boxes, above, between, notes


def check_rooms(root, boxes, notes):
    named = {}
    for title, rooms in boxes:
        place = title.split(": ")[-1]
        named[place] = {name for room, _ in rooms for name in room.split(" | ")}
    for place, rooms in named.items():
        there = {path.name for path in (root / place).iterdir() if path.is_dir()}
        if rooms != there:
            sys.exit(f"docs/architecture.md and {place} do not agree about: {', '.join(sorted(rooms ^ there))}")
    for place, _ in notes:
        if not (root / place).is_dir():
            sys.exit(f"docs/architecture.md: there is no {place}")


def wrapped(text, columns):
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > columns:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


class Drawing:
    def __init__(self):
        self.parts = []

    def box(self, x, y, width, height, fill, stroke):
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}" stroke="{stroke}"/>')

    def text(self, x, y, text, weight="normal", color=INK, anchor="start"):
        self.parts.append(f'<text x="{x}" y="{y}" font-weight="{weight}" fill="{color}" text-anchor="{anchor}">'
                          f"{html.escape(text, quote=False)}</text>")

    def arrow(self, x, y1, y2, label):
        self.parts.append(f'<path d="M{x} {y1}V{y2 - 2}m-5 -7l5 7l5 -7" fill="none" stroke="{INK}" stroke-width="1.5"/>')
        self.text(x + 12, (y1 + y2) // 2 + 5, label, color=FAINT)

    def rooms(self, x, y, width, rooms, columns):
        """Rooms in columns; returns their height."""
        cell = width // columns
        per_column = math.ceil(len(rooms) / columns)
        heights = []
        for column in range(columns):
            at = y
            for room, words in rooms[column * per_column:(column + 1) * per_column]:
                indent = 92 if len(room) <= 11 else 10 + 7 * len(room)
                self.text(x + column * cell, at, room, "bold", ACCENT)
                for line in wrapped(words, (cell - indent - 12) * 10 // 65):
                    self.text(x + column * cell + indent, at, line)
                    at += LINE
                at += 5
            heights.append(at - y)
        return max(heights)


def frame(drawing, x, y, width, box, columns):
    """A box with its rooms; returns its height."""
    title, rooms = box
    fill, stroke = COLORS[title.split(": ")[0].rpartition("/")[2]]
    start = len(drawing.parts)
    drawing.text(x + 14, y + 24, title, "bold")
    height = 44 + drawing.rooms(x + 14, y + 50, width - 28, rooms, columns)
    drawing.box(x, y, width, height, fill, stroke)
    drawing.parts.insert(start, drawing.parts.pop())
    return height


def draw(root):
    boxes, above, between, notes = read(root)
    check_rooms(root, boxes, notes)
    drawing, whole, half = Drawing(), WIDTH - 2 * MARGIN, (WIDTH - 3 * MARGIN) // 2
    middle = [MARGIN + half // 8, MARGIN * 2 + half + half // 5]
    for x, text in zip((MARGIN, MARGIN * 2 + half), above[0]):
        drawing.box(x, 14, half, 36, "#f4f5f7", FAINT)
        drawing.text(x + half // 2, 37, text, anchor="middle")
    for x, label in zip(middle, above[1]):
        drawing.arrow(x, 50, 96, label)
    y = 96 + frame(drawing, MARGIN, 96, whole, boxes[0], 2)
    drawing.arrow(middle[0], y, y + 46, between)
    drawing.arrow(middle[1], y, y + 46, "")
    y += 46
    start = len(drawing.parts)
    height = max(frame(drawing, x, y, half, box, 1) for x, box in zip((MARGIN, MARGIN * 2 + half), boxes[1:]))
    # Both boxes are as high as the higher one.
    drawing.parts[start:] = [re.sub(r'(<rect [^>]*height=")\d+', rf"\g<1>{height}", part) for part in drawing.parts[start:]]
    y += height + 12
    drawing.box(MARGIN, y, whole, 20 + (LINE + 4) * len(notes), "#f4f5f7", FAINT)
    for number, (place, words) in enumerate(notes):
        drawing.text(MARGIN + 14, y + 25 + (LINE + 4) * number, place, "bold", ACCENT)
        drawing.text(MARGIN + 170, y + 25 + (LINE + 4) * number, words)
    height = y + 20 + (LINE + 4) * len(notes) + 14
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            'font-family="Helvetica,Arial,sans-serif" font-size="13">\n'
            "<!-- SPDX-License-Identifier: Apache-2.0; made by docs/site/picture.py from the drawing in docs/architecture.md -->\n"
            "<title>The architecture of libaccel</title>\n"
            f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>\n')
    return head + "\n".join(drawing.parts) + "\n</svg>\n"


def main():
    check, root = sys.argv[1] == "--check", pathlib.Path(sys.argv[-1])
    target, svg = root / "docs/architecture.svg", draw(root)
    if not check:
        target.write_text(svg, encoding="utf-8")
    elif not target.exists() or target.read_text(encoding="utf-8") != svg:
        sys.exit("docs/architecture.svg is not the picture of the drawing in docs/architecture.md: run docs/site/picture.py .")


main()
