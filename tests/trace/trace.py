#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ACCEL_TRACE and ACCEL_SUMMARY: what a program did is in the file, once, in order and with the right numbers.

    trace.py PROGRAM
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

BYTES, ROUNDS = 400000, 4
PROGRAM = sys.argv[1]


def run(how, fails=False, **variables):
    """The result of the program, whose own output must be right."""
    done = subprocess.run([PROGRAM, how], env={**os.environ, **variables}, capture_output=True, text=True, timeout=120)
    if not fails:
        assert done.stdout == "8\n" or how == "kill", (how, done)
        assert done.returncode == (9 if how == "kill" else 0), (how, done)
    return done


def load(path, whole=True):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return json.loads(text if whole else text[:text.rindex(",\n")] + "]")  # viewers, too, take an array without its end


def check(events, rounds=ROUNDS):
    complete = [e for e in events if e["ph"] == "X"]
    names = collections.Counter(e["name"] for e in complete)
    tracks = collections.defaultdict(list)
    for event in complete:
        tracks[event["pid"], event["tid"]].append(event)
    device = next(e for e in events if e["name"] == "process_name" and e["args"]["name"] != "host")
    queues = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert device["args"]["name"] == os.environ["ACCEL_BACKEND"] + ":0", device
    assert sorted(queues.values()) == ['left "quoted" \ufffd', "queue", "queue, blocking"], queues

    # Every operation is there, and its numbers are right.
    assert names["add"] == 2 * rounds and names["set"] == rounds, names
    assert names["copy host to device"] == names["copy device to host"] == names["copy device to device"] == rounds, names
    assert names["record"] == names["wait"] == rounds and names["host function"] == names["fill"] == 1, names
    assert names["wait for a queue"] == rounds + 1, names
    for event in complete:
        arguments = event["args"]
        if event["cat"] in ("copy", "fill"):
            assert arguments["bytes"] == BYTES, event
            assert event["dur"] == 0 or abs(arguments["GB/s"] - BYTES / event["dur"] / 1e3) < 1e-3 + 0.01 * arguments["GB/s"], event
        if event["cat"] == "kernel":
            assert arguments["blocks"] == 4 and arguments["threads"] == 1, event
        assert "status" not in arguments, event
    assert len({e["args"]["operation"] for e in complete}) == len(complete)

    # Operations of a queue do not overlap.
    for track in tracks.values():
        track.sort(key=lambda e: e["args"]["operation"])
        for before, after in zip(track, track[1:]):
            assert after["ts"] >= before["ts"] + before["dur"] - 1e-3, (before, after)

    # A wait names what it waited for, which ended before the wait did.
    records = {e["args"]["operation"]: e for e in complete if e["name"] == "record"}
    for wait in (e for e in complete if e["name"] == "wait"):
        record = records[wait["args"]["waits for operation"]]
        assert wait["args"]["of queue"] == record["tid"] != wait["tid"], wait
        if BY_CPU:  # by events, queues are set off against each other by microseconds
            assert wait["ts"] + wait["dur"] >= record["ts"] - 1e-3, (record, wait)
    assert len([e for e in events if e["ph"] == "s"]) == len([e for e in events if e["ph"] == "f"]) == rounds

    # Regions nest; memory adds up.
    depth = 0
    for event in (e for e in events if e["ph"] in "BE"):
        depth += 1 if event["ph"] == "B" else -1
        assert 0 <= depth <= 2, event
    assert depth == 0
    memory = [e["args"]["bytes"] for e in events if e["ph"] == "C"]
    assert max(memory) >= 2 * BYTES and memory[0] >= BYTES, memory
    return memory


def check_summary(text):
    # time/ms, share, calls, average/us, longest/us, MB, GB/s, what
    rows = {}
    for line in text.splitlines():
        found = re.match(r"\s+([\d.]+)\s+([\d.]+)%\s+(\d+)\s+([\d.]+)\s+([\d.]+)\s+(?:([\d.]+)\s+([\d.]+))?\s+(\S.*)$", line)
        if found:
            rows[found[8]] = found
    assert set(rows) >= {"add", "set", "(fill)", "(host function)", "(copy host to device)", "(copy device to host)",
                         "(copy device to device)"}, text
    assert rows["add"][3] == str(2 * ROUNDS) and rows["set"][3] == str(ROUNDS), text
    assert float(rows["(copy host to device)"][6]) == ROUNDS * BYTES / 1e6, text
    assert abs(sum(float(row[2]) for row in rows.values()) - 100) < 1, text
    times = [float(row[1]) for row in rows.values()]
    assert times == sorted(times, reverse=True), text
    return rows


BY_CPU = os.environ["ACCEL_BACKEND"].startswith("cpu-")
GPU = os.environ["ACCEL_BACKEND"] in ("cuda", "hip")
with tempfile.TemporaryDirectory() as directory:
    path = os.path.join(directory, "trace.json")

    done = run("end", ACCEL_TRACE=path)
    assert done.stderr == "", done.stderr
    assert check(load(path))[-1] == 0

    # The simulated driver counts what a program did not give back as an error.
    done = run("end" if GPU else "exit", ACCEL_TRACE=os.path.join(directory, "%p.json"), ACCEL_SUMMARY="1")
    check_summary(done.stderr)
    numbered = [name for name in os.listdir(directory) if re.fullmatch(r"\d+\.json", name)]
    assert len(numbered) == 1, numbered
    check(load(os.path.join(directory, numbered[0])))

    if not GPU:  # drivers do not survive a fork
        run("fork", ACCEL_TRACE=path)
        check(load(path))

    # What was written before stays readable.
    run("kill", ACCEL_TRACE=path)
    assert any(e["name"] == "add" for e in load(path, whole=False))

    done = run("end", fails=True, ACCEL_TRACE=os.path.join(directory, "none", "trace.json"))
    assert done.returncode == 3 and "ACCEL_TRACE" in done.stderr and "none/trace.json" in done.stderr \
        and "No such file" in done.stderr, done
    done = run("end", fails=True, ACCEL_TRACE="/dev/full")
    assert done.returncode == 3 and "ACCEL_TRACE" in done.stderr and "No space left" in done.stderr, done
    done = run("end", fails=True, ACCEL_SUMMARY="2")
    assert done.returncode == 3 and "ACCEL_SUMMARY" in done.stderr, done

    if GPU:  # no call is added that waits
        waits = []
        for number, tools in enumerate(({}, {"ACCEL_TRACE": path, "ACCEL_SUMMARY": "1"})):
            calls = os.path.join(directory, f"calls{number}")
            run("end", GPUSIM_TRACE=calls, **tools)
            with open(calls, encoding="utf-8") as file:
                counts = collections.Counter(line.split("(")[0].split()[0] for line in file if line.strip())
            assert any(name.endswith("EventElapsedTime") for name in counts) == bool(tools), counts
            waits.append({name: count for name, count in counts.items()
                          if "Synchronize" in name or ("Memcpy" in name and "Async" not in name)})
        assert waits[0] == waits[1] and sum(waits[0].values()) > 0, waits

    # A disk that fills up later, also where it is a limit that sends a signal, or a reader that went away: the program's
    # results stay. (The simulated driver needs files of its own.)
    if not GPU and os.path.exists("/bin/bash"):
        for command, reason, turns in (
                ("ulimit -f 2; trap '' XFSZ; exec \"$0\" end", "File too large", 1),
                ("ulimit -f 2; exec \"$0\" end", "File too large", 1),
                # The reader may be gone too late for one run.
                ("ACCEL_TRACE=/dev/fd/7 exec \"$0\" end 7> >(exec head -c 1 >/dev/null)", "Broken pipe", 20)):
            said = ""
            for _ in range(turns):
                done = subprocess.run(["/bin/bash", "-c", command, PROGRAM], env={**os.environ, "ACCEL_TRACE": path},
                                      capture_output=True, text=True, timeout=120)
                assert done.stdout == "8\n" and done.returncode == 0, (command, done)
                said += done.stderr
                if said != "":
                    break
            assert "is not complete" in said and reason in said, (command, said)
print("verified")
