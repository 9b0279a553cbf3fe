# SPDX-License-Identifier: Apache-2.0
"""A manual page as Markdown: the macros of man(7) that the pages of docs/man use. Any other macro is an error."""
import re

FONT = {"B": "`", "I": "*", "R": ""}
ESCAPES = {"\\-": "-", "\\&": "", "\\e": "\\", "\\ ": " ", "\\(bu": "•", "\\(em": "—", "\\(aq": "'", "\\(lq": '"', "\\(rq": '"'}
WORDS = re.compile(r'"([^"]*)"|(\S+)')
ALTERNATING = re.compile(r"[BIR]{2}")


def plain(text):
    """Without the escapes of man(7)."""
    for name in re.findall(r"\\(?:\(..|.)", text):
        if name not in ESCAPES:
            raise ValueError(f"an escape that this script does not know: {name} in {text}")
    return re.sub(r"\\(?:\(..|.)", lambda found: ESCAPES[found[0]], text)


def in_font(text, font):
    """A word in a font, bold as code; emphasis must not begin or end with a space."""
    text = plain(text)
    mark, inner = FONT[font], text.strip()
    if font != "B":
        inner = re.sub(r"([*_<>`\[\]|\\])", r"\\\1", inner)
    before, after = text[:len(text) - len(text.lstrip())], text[len(text.rstrip()):]
    return before + mark + inner + mark + after if inner else text


def fonts(text, font="R"):
    """A text with \\fB, \\fI, \\fR and \\fP in it."""
    parts = re.split(r"\\f([BIRP])", text)
    pieces = [in_font(parts[0], font)]
    for name, part in zip(parts[1::2], parts[2::2]):
        pieces.append(in_font(part, "R" if name == "P" else name))
    return "".join(pieces)


def words(rest):
    return [quoted if quoted or not bare else bare for quoted, bare in WORDS.findall(rest)]


def macro_text(name, rest):
    """The text of .B, .I, .BR and their kin."""
    if name in FONT:
        return fonts(" ".join(words(rest)), name)
    return "".join(fonts(word, name[number % 2]) for number, word in enumerate(words(rest)))


class Manual:
    def __init__(self):
        self.lines, self.paragraph, self.depth, self.lists = [], [], [0], []

    def flush(self):
        if self.paragraph:
            self.lines += [" " * self.depth[-1] + " ".join(self.paragraph), ""]
            self.paragraph = []

    def text(self, text):
        self.paragraph.append(text)

    def begin(self, depth):
        self.flush()
        self.depth[-1] = depth


def markdown(source):
    """The page; its title is the command."""
    page, title, code, tag, base = Manual(), "", False, False, [0]
    for line in source.splitlines():
        name, rest = (line[1:].split(" ", 1) + [""])[:2] if line.startswith(".") else ("", line)
        if line.startswith('.\\"') or line == ".":
            continue
        if code and name not in ("EE", "fi"):
            page.lines.append(" " * page.depth[-1] + re.sub(r"\\(.)", lambda found: "-" if found[1] == "-" else found[1], line))
            continue
        if name == "":
            text = fonts(rest)
        elif name in FONT or ALTERNATING.fullmatch(name):
            text = macro_text(name, rest)
        else:
            text = None
        if text is not None:
            if tag: # a definition list: the tag, and what follows belongs to it
                page.lines += [" " * base[-1] + "- " + text, ""]
                page.depth[-1], tag = base[-1] + 2, False
            else:
                page.text(text)
            continue
        page.flush()
        if name == "TH":
            command, section = words(rest)[:2]
            title = command.lower()
            page.lines += [f"# {title}({section})", ""]
        elif name in ("SH", "SS"):
            base, page.depth = [0], [0]
            text = " ".join(words(rest))
            page.lines += [("## " if name == "SH" else "### ") + plain(text.capitalize() if name == "SH" else text), ""]
        elif name == "PP":
            page.depth[-1] = base[-1]
        elif name == "TP":
            tag = True
        elif name == "IP":
            page.depth[-1] = base[-1] + 2 if page.depth[-1] > base[-1] else base[-1]
        elif name == "RS":
            base.append(page.depth[-1])
            page.depth.append(page.depth[-1])
        elif name == "RE":
            base.pop()
            page.depth.pop()
        elif name in ("EX", "nf"):
            page.lines += [" " * page.depth[-1] + "```text"]
            code = True
        elif name in ("EE", "fi"):
            page.lines += [" " * page.depth[-1] + "```", ""]
            code = False
        elif name == "br":
            page.lines[-1:] = []
            page.lines[-1] += "\\"
        else:
            raise ValueError(f"{title}: a macro that this script does not know: {line}")
    page.flush()
    return "\n".join(page.lines).rstrip() + "\n"
