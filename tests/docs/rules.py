#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every rule that sources and tests cite stands in docs/semantics.md, and every rule there is cited by a test.

    rules.py SOURCE_ROOT
"""
import pathlib
import re
import sys

RULE = r"[OQEMKBTCPASW][1-9][0-9]?"
# C11 and C17 are the language, O1 to O3 behind a dash are the compiler's.
CITED = re.compile(rf"(?<![\w.-])(?!C11\b|C17\b)({RULE})(?![\w.])")
# START_TEST(e3_e5_queues_wait_...)
NAMED = re.compile(rf"START_TEST\(((?:{RULE}_)+)", re.IGNORECASE)


def main():
    root = pathlib.Path(sys.argv[1])
    text = (root / "docs/semantics.md").read_text(encoding="utf-8")
    rules = re.findall(rf"^### ({RULE})$", text, re.MULTILINE)
    failures = [f"docs/semantics.md: {r} stands there twice" for r in sorted(set(rules)) if rules.count(r) > 1]

    tested = set()
    for room in ("src", "include", "tests", "tools", "examples"):
        for path in sorted((root / room).rglob("*")):
            if path.suffix not in (".c", ".h", ".cu", ".cpp", ".sh") or path.name == "rules.sh":
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                cited = set(CITED.findall(line))
                for prefix in NAMED.findall(line):
                    cited |= set(prefix.rstrip("_").upper().split("_"))
                failures += [f"{path.relative_to(root)}:{number}: {r} is no rule of docs/semantics.md"
                             for r in sorted(cited) if r not in rules]
                if room == "tests":
                    tested |= cited

    failures += [f"docs/semantics.md: no test cites {r}" for r in rules if r not in tested]
    print(f"{len(rules)} rules, {len(tested & set(rules))} cited by tests")
    sys.exit("\n".join(failures) if failures else 0)


main()
