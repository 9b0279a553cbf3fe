#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/environment.md from the library's own configuration table, as accel-info tells it.

    docs/environment.py ACCEL-INFO > docs/environment.md
    docs/environment.py ACCEL-INFO --check docs/environment.md    exit status 1 if the file is out of date
"""
import json
import os
import subprocess
import sys

HEAD = """# Environment variables

Made by `docs/environment.py` from what `accel-info` lists; do not edit. `accel-info --config` shows the values in force
and where they come from.

libaccel has variables of its own (`src/core/config/config.c`). Each plugin brings those that it reads
(`accel_plugin_variable` in `accel/plugin.h`); they are known if the plugin is found, even if it is not selected. A
descriptor given by the program takes precedence over the environment. `accel-info` and the log report every other
variable that begins with `ACCEL_`, with the nearest name. A set-uid process ignores variables that name files.
A value that a variable may not have makes `accel_instance_create` return `ACCEL_INVALID`.

`cpu-omp` obeys the variables of its OpenMP runtime: `OMP_NUM_THREADS` (if unset, no more threads than the control
group's quota), `OMP_DYNAMIC`, `OMP_PROC_BIND`, `OMP_PLACES`, `OMP_WAIT_POLICY`, `OMP_THREAD_LIMIT`,
`OMP_MAX_ACTIVE_LEVELS`. If `OMP_SCHEDULE` is set, it divides the blocks, with one block per iteration. Otherwise each
thread gets an equal contiguous share.

| variable | default | of | meaning |
| --- | --- | --- | --- |
"""


def page(accel_info):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("ACCEL_")}
    out = subprocess.run([accel_info, "--config", "--json"], env=clean, check=True, capture_output=True, text=True)
    rows = json.loads(out.stdout)["config"]
    return HEAD + "".join(
        f"| `{r['name']}` | {'`' + r['default'] + '`' if r['default'] else 'unset'} | {r['plugins'] or 'libaccel'} | {r['meaning']} |\n" for r in rows)


def main():
    if len(sys.argv) == 2:
        sys.stdout.write(page(sys.argv[1]))
    elif len(sys.argv) == 4 and sys.argv[2] == "--check":
        with open(sys.argv[3], encoding="utf-8") as file:
            if file.read() != page(sys.argv[1]):
                sys.exit(f"{sys.argv[3]} is out of date: write it again with docs/environment.py")
    else:
        sys.exit(__doc__)


main()
