#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The code blocks of pages are compiled and run, and print what the pages say.

    blocks.py [--write] SOURCE_ROOT BUILD_DIR PAGE...

libaccel is installed into a directory of its own. Each page gets an empty directory, in which its blocks come in order:

    ```c NAME               a file of that name; any language. So is a block that begins with the comment /* NAME: ... */
    ```c NAME in FRAME      the file NAME is the file FRAME with the block in the place of its line @BLOCK@
    ```sh                   commands, which must succeed, run by bash
    ```sh fails             the last of them must fail
    ```sh elsewhere         commands for a machine that is not this one: bash reads them, and does not run them
    ```text                 what the commands before it print, both streams
    ```text drawing         a picture
    ```LANGUAGE foreign     source code for another library, for comparison
    <!-- file NAME          lines up to --> are a file, which readers do not see
    <!-- sh                 and these are commands

In a text, "..." stands for anything within a line, a line "..." for any lines, and every number before a unit of time, bandwidth or
memory for any other. The page's directory is /home/you there, and libaccel's prefix that of the build.

Commands run with ACCEL_BACKEND=cpu-threads. Those that only start programs of the page run once more with cpu-serial, which the text
then names. `cc` is the compiler of the build, with every warning an error. A file that no other block names is an error. With
--write a text that differs is replaced in the page, for its author to read.
"""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

UNIT = re.compile(r"\d+(?:\.\d+)?(?=\s?(?:ns|us|µs|ms|s|min|GB/s|MB/s|GB|GiB|MB|MiB)\b)")
NAMED = re.compile(r"/\* ([\w.-]+\.\w+):")


class Block:
    def __init__(self, line, info, hidden):
        self.line, self.hidden, self.text = line, hidden, []
        words = info.split()
        self.kind, self.words = (words[0] if words else ""), words[1:]


def blocks_of(page):
    """The blocks of a page, also those in comments."""
    blocks, block = [], None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if block is None:
            hidden = re.fullmatch(r"<!-- (file \S+|sh(?: fails)?)", line)
            if hidden or line.startswith("```"):
                block = Block(number, hidden[1] if hidden else line[3:], bool(hidden))
        elif line == ("-->" if block.hidden else "```"):
            blocks.append(block)
            block = None
        else:
            block.text.append(line)
    if block is not None:
        sys.exit(f"{page}:{block.line}: the block has no end")
    return blocks


def same_lines(expected, printed):
    """Do the printed lines match? Line by line, with the wildcards of the text."""
    if not expected:
        return not printed
    if expected[0].strip() == "...":
        return any(same_lines(expected[1:], printed[skip:]) for skip in range(len(printed) + 1))
    if not printed:
        return False
    pattern = ".*".join(map(re.escape, UNIT.sub("1", expected[0]).rstrip().split("...")))
    return re.fullmatch(pattern, UNIT.sub("1", printed[0]).rstrip()) is not None and same_lines(expected[1:], printed[1:])


class Page:
    def __init__(self, path, directory, environment, write):
        self.path, self.directory, self.environment, self.replace = path, directory, environment, write
        self.ran = self.compared = 0

    def fail(self, block, text):
        sys.exit(f"{self.path}:{block.line}: {text}")

    def write(self, name, lines):
        target = self.directory / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def file(self, block, name, frame):
        lines = block.text
        if frame:
            around = (self.directory / frame).read_text(encoding="utf-8").splitlines()
            place = next((i for i, line in enumerate(around) if line.strip() == "@BLOCK@"), None)
            if place is None:
                self.fail(block, f"{frame} has no line @BLOCK@")
            lines = around[:place] + lines + around[place + 1:]
        self.write(name, lines)

    def run(self, block, backend):
        """Runs the commands; returns the lines that they print."""
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", "\n".join(block.text)], cwd=self.directory, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                              env=self.environment | {"ACCEL_BACKEND": backend})
        self.ran += 1
        if (done.returncode != 0) != ("fails" in block.words):
            self.fail(block, f"these commands end with {done.returncode} on {backend}, and print\n{done.stdout}")
        return done.stdout.splitlines()

    def compare(self, block, expected, printed):
        self.compared += 1
        if same_lines(expected, printed):
            return
        if self.replace:
            block.text = printed
        else:
            self.fail(block, "the page says\n" + "\n".join(expected) + "\n\nand the commands print\n" + "\n".join(printed))

    def commands(self, block, text):
        backends = ["cpu-threads"]
        lines = [line for line in block.text if line and not line.startswith("#")]
        if all(line.startswith("./") for line in lines):
            backends.append("cpu-serial")
        for backend in backends:
            printed = [line.replace(backend, "cpu-threads").replace(str(self.directory), "/home/you")
                       .replace(self.environment["BLOCKS_ROOT"], "") for line in self.run(block, backend)]
            if text is not None:
                self.compare(text, text.text, printed)

    def rewrite(self, blocks):
        """Puts the texts of the blocks into the page."""
        lines = self.path.read_text(encoding="utf-8").splitlines()
        for block in reversed(blocks):
            end = block.line + next(i for i, line in enumerate(lines[block.line:]) if line in ("```", "-->"))
            lines[block.line:end] = block.text
        self.path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def check(self):
        blocks = blocks_of(self.path)
        for index, block in enumerate(blocks):
            after = blocks[index + 1] if index + 1 < len(blocks) else None
            named = NAMED.match(block.text[0]) if block.text else None
            if block.kind == "file":
                self.file(block, block.words[0], None)
            elif block.kind == "sh" and "elsewhere" in block.words:
                subprocess.run(["bash", "-n", "-c", "\n".join(block.text)], check=True)
            elif block.kind == "sh":
                self.commands(block, after if after and after.kind == "text" and not after.words else None)
            elif block.kind == "text" and not block.words:
                if index == 0 or blocks[index - 1].kind != "sh":
                    self.fail(block, "no commands stand before this text")
            elif block.words in (["drawing"], ["foreign"]):
                continue
            elif block.words or named:
                name = block.words[0] if block.words else named[1]
                others = [line for other in blocks if other is not block for line in other.text + other.words]
                if not any(name.removesuffix(".h") in line for line in others):
                    self.fail(block, f"nothing uses the file {name}")
                self.file(block, name, block.words[2] if block.words[1:2] == ["in"] else None)
            else:
                self.fail(block, "this block is neither a file, nor commands, nor what they print")
        if self.replace:
            self.rewrite(blocks)
        print(f"{self.path.name}: {len(blocks)} blocks, {self.ran} runs, {self.compared} texts compared", flush=True)


def install(build, directory):
    """Installs into the directory; returns the environment of programs that use it."""
    root = directory / "root"
    subprocess.run(["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", root], check=True,
                   stdout=subprocess.DEVNULL)

    def folder(name):
        return str(next(path for path in root.rglob(name) if path.is_file()).parent)

    tools = directory / "tools"
    tools.mkdir()
    compiler, *flags = os.environ.get("CC", "cc").split()
    compiler = shutil.which(compiler) or sys.exit(f"there is no {compiler}")
    words = " ".join([compiler, *flags, "-Wall", "-Wextra", "-Werror"])
    (tools / "cc").write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
    (tools / "cc").chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ACCEL_") and name != "CC"}
    return environment | {
        "PATH": f"{tools}:{folder('bin/accelcc')}:{os.environ['PATH']}", "PKG_CONFIG_PATH": folder("libaccel.pc"),
        "PKG_CONFIG_SYSROOT_DIR": str(root), "LD_LIBRARY_PATH": folder("libaccel.so.1"), "LC_ALL": "C.UTF-8",
        "BLOCKS_ROOT": str(root)}


def main():
    write = sys.argv[1] == "--write"
    source, build, *pages = [pathlib.Path(path).resolve() for path in sys.argv[1 + write:]]
    with contextlib.ExitStack() as stack:
        directory = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory())).resolve()
        environment = install(build, directory) | {"BLOCKS_SOURCE": str(source), "BLOCKS_BUILD": str(build)}
        for number, page in enumerate(pages):
            place = directory / str(number)
            place.mkdir()
            Page(page, place, environment, write).check()


main()
