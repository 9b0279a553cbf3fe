#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A part of a timeline (ACCEL_TRACE) as a picture.

    timeline.py TRACE.json FIRST LENGTH TITLE > PICTURE.svg

FIRST: the number of the operation that it begins with. LENGTH: milliseconds. The same trace gives the same bytes.
"""
import json
import pathlib
import sys

from plots import Drawing, FAINT, INK, WIDTH

NAMES, RIGHT, TOP, LINE, BAR = 130, 20, 52, 40, 24
COLORS = ["#1c6cb5", "#c2571a", "#3f8f4e", "#8d5aa8", "#b8962e", "#5d6b77"]
WAITS = "#d5dbe1"


def events_of(text):
    """All events; a program that was killed leaves an array without its end."""
    text = text.strip()
    return json.loads(text if text.endswith("]") else text.rstrip(",") + "]")


class Timeline:
    def __init__(self, events, first, length):
        self.done = [event for event in events if event["ph"] == "X"]
        chosen = [event for event in self.done if event["args"].get("operation") == first]
        if not chosen:
            raise ValueError(f"the trace has no operation {first}")
        self.begin = chosen[0]["ts"]
        self.end = self.begin + 1000 * length
        self.done = [event for event in self.done if event["ts"] < self.end and event["ts"] + event["dur"] > self.begin]
        names = {(event["name"], event["pid"], event["tid"]): event["args"]["name"] for event in events if event["ph"] == "M"}
        self.tracks = []
        for pid, tid in sorted({(event["pid"], event["tid"]) for event in self.done}):
            process = names.get(("process_name", pid, 0), str(pid))
            self.tracks.append(((pid, tid), process, names.get(("thread_name", pid, tid), f"thread {tid}")))
        longest = {}
        for event in self.done:
            if event["cat"] != "host wait":
                longest[event["name"]] = longest.get(event["name"], 0) + event["dur"]
        self.colors = dict(zip(sorted(longest, key=lambda name: (-longest[name], name)), COLORS))

    def x(self, time):
        inside = min(max(time, self.begin), self.end)
        return NAMES + (inside - self.begin) / (self.end - self.begin) * (WIDTH - NAMES - RIGHT)

    def bar(self, drawing, event, y):
        left, right = self.x(event["ts"]), self.x(event["ts"] + event["dur"])
        waits = event["cat"] == "host wait"
        drawing.bar(left, y, max(right - left, 1), BAR, WAITS if waits else self.colors.get(event["name"], COLORS[-1]))
        if right - left > 8 * len(event["name"]):
            drawing.text((left + right) / 2, y + 17, event["name"], "middle", INK if waits else "#ffffff")

    def svg(self, title):
        bottom = TOP + LINE * len(self.tracks)
        drawing = Drawing(title, bottom + 56)
        drawing.text(0, 16, title, weight="bold")
        steps = 5
        for step in range(steps + 1):
            time = self.begin + (self.end - self.begin) * step / steps
            drawing.line(self.x(time), TOP - 8, self.x(time), bottom)
            drawing.text(self.x(time), TOP - 14, f"{(time - self.begin) / 1000:.1f} ms", "middle")
        for number, (track, process, thread) in enumerate(self.tracks):
            y = TOP + LINE * number
            drawing.text(0, y + 11, process)
            drawing.text(0, y + 25, thread, color="#5d6b77")
            for event in self.done:
                if (event["pid"], event["tid"]) == track:
                    self.bar(drawing, event, y)
        x = 0
        for name, color in self.colors.items():
            drawing.bar(x, bottom + 22, 12, 12, color)
            drawing.text(x + 17, bottom + 33, name)
            x += 40 + 8 * len(name)
        drawing.line(0, bottom, WIDTH, bottom, FAINT)
        return drawing.svg()


def main(arguments):
    trace, first, length, title = arguments
    timeline = Timeline(events_of(pathlib.Path(trace).read_text(encoding="utf-8")), int(first), float(length))
    sys.stdout.write(timeline.svg(title))


if __name__ == "__main__":
    main(sys.argv[1:])
