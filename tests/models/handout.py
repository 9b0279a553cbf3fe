#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A model of one launch of cpu-threads on many CPUs: who gets its share when, and when the caller knows that all are done.

What costs time is lines of memory that move between cores. A line has an owner and readers. Whoever wants to write it waits
until earlier requests are served, then for the longest way to anybody who has it. A read waits for the owner if the line was
written since, and else for the nearest reader. Requests for one line are served one after the other.

The latencies are medians of messages by compare-and-exchange between two cores, as published by
https://github.com/nviennot/core-to-core-latency: AMD EPYC 7R13 23 ns within a cluster of eight cores, 107 ns between
clusters, 197 ns between sockets; Intel Xeon Platinum 8375C 51 ns, 108 ns between sockets; AWS Graviton3 46 ns.

    handout.py            prints the tables of docs/notebook/pool.md
    handout.py --signal N  what two threads take where a line comes from the other core after N ns
    handout.py --check    ends with status 1 if the model contradicts itself, or no longer says what the pool relies on
"""

import heapq
import itertools
import sys

OWN = 2        # ns: a line that the core has, an operation on it
SERVE = 6      # ns: another reader of a line that was not written since; the cache's next request
LOCKED = 8     # ns: an atomic operation on a line that the core has
POLL = 40      # ns: between two looks of a worker that polls; half of it on average
LAUNCH = 4     # lines that describe a launch
OUTSTANDING = 10  # lines that a core asks for at once, for its stores
GROUPS = 32    # CPU_GROUPS of src/plugins/cpu/threads/group.h


class Machine:
    """Sockets of clusters of cores. near, far, socket: ns within a cluster, between two of a socket, between sockets."""

    def __init__(self, cpus, sockets, cluster, near, far, socket):
        self.cpus, self.per_socket = cpus, cpus // sockets
        self.cluster, self.near, self.far, self.socket = min(cluster, self.per_socket), near, far, socket

    def way(self, a, b):
        if a == b:
            return 0
        if a // self.cluster == b // self.cluster:
            return self.near
        return self.far if a // self.per_socket == b // self.per_socket else self.socket


class Line:
    """Times are those of requests; what is returned is when they are served."""

    def __init__(self, machine, owner):
        self.machine, self.owner, self.readers, self.free = machine, owner, {owner}, 0.0

    def write(self, cpu, now):
        if self.readers == {cpu}:
            return now + OWN
        begin = max(now, self.free)
        end = begin + max(self.machine.way(cpu, other) for other in self.readers | {self.owner})
        self.owner, self.readers, self.free = cpu, {cpu}, end
        return end

    def update(self, cpu, now):
        return self.write(cpu, now) + LOCKED

    def read(self, cpu, now):
        if cpu in self.readers:
            return now + OWN
        begin = max(now, self.free)
        way = min(self.machine.way(cpu, other) for other in self.readers)
        self.free = begin + (way if len(self.readers) == 1 else SERVE)
        self.readers.add(cpu)
        return begin + way


def run(tasks):
    """Runs coroutines that yield the time at which they want to go on, in the order of these times."""
    number = itertools.count()
    queue = [(next(task), next(number), task) for task in tasks]
    heapq.heapify(queue)
    while queue:
        at, _, task = heapq.heappop(queue)
        try:
            heapq.heappush(queue, (task.send(at), next(number), task))
        except StopIteration:
            pass


def launch(machine, threads, groups, work):
    """Times (first to last share begins, caller returns) of a launch whose shares take `work` ns each. `groups`: first
    threads of groups; each has a line in which its workers claim and one in which they count what is done."""
    bounds = list(groups) + [threads]
    group_of = [g for g in range(len(groups)) for _ in range(bounds[g], bounds[g + 1])]
    words = [Line(machine, bounds[g]) for g in range(len(groups))]
    ends = [Line(machine, bounds[g]) for g in range(len(groups))]
    text = [Line(machine, 0) for _ in range(LAUNCH)]
    ranges = [Line(machine, cpu) for cpu in range(threads)]
    for cpu in range(1, threads):  # all poll, and have looked
        words[group_of[cpu]].readers.add(cpu)
    for line in text:              # of the launch before
        line.readers |= set(range(threads))
    for line in ends:
        line.readers.add(0)
    begun, published = [0.0] * threads, {}
    left = [bounds[g + 1] - bounds[g] - (g == 0) for g in range(len(groups))]
    returned = [0.0]

    def caller():
        now = yield 0.0  # stores wait in a buffer, and are seen in their order
        served = [line.write(0, now) for line in text] + [ranges[0].write(0, now)]
        for g, line in enumerate(words):
            if left[g] == 0:
                continue
            asked = served[-OUTSTANDING] if len(served) >= OUTSTANDING else now
            served.append(line.write(0, asked))
            published[g] = max(served)
        begun[0] = now
        now = yield now + work
        for g, line in enumerate(ends):
            while left[g] > 0:
                now = yield max(now + POLL / 2, line.read(0, now))
            now = line.read(0, now)
            if g + 1 < len(ends):
                ends[g + 1].read(0, now - machine.socket)  # asked for ahead
        returned[0] = now

    def worker(cpu):
        g = group_of[cpu]
        now = yield 0.0
        while g not in published or published[g] > now:
            now = yield (published[g] if g in published else now) + POLL / 2
        now = yield words[g].read(cpu, now)
        asked = max(line.read(cpu, now) for line in text)  # while the claim is under way
        now = yield words[g].update(cpu, now)
        now = yield max(now, asked)
        now = ranges[cpu].write(cpu, now)
        begun[cpu] = now
        now = yield now + work
        now = yield ends[g].update(cpu, now)
        left[g] -= 1

    run([caller()] + [worker(cpu) for cpu in range(1, threads)])
    return max(begun), returned[0]


def groups_of(machine, most):
    """First threads of groups of at most so many, of one cluster each, or of several whole ones."""
    size = max(most, -(-machine.cpus // GROUPS))
    if size > machine.cluster:
        return list(range(0, machine.cpus, size // machine.cluster * machine.cluster))
    return [c + i for c in range(0, machine.cpus, machine.cluster) for i in range(0, machine.cluster, size)]


FAMILIES = {  # machines of so many CPUs
    "EPYC 7R13, one socket": (lambda cpus: Machine(cpus, 1, 8, 23, 107, 197), (16, 64)),
    "EPYC 7R13, two sockets": (lambda cpus: Machine(cpus, 2, 8, 23, 107, 197), (128, 256)),
    "the same, threads of a group scattered": (lambda cpus: Machine(cpus, 2, 8, 107, 107, 197), (128, 256)),
    "Xeon 8375C, one socket": (lambda cpus: Machine(cpus, 1, cpus, 51, 51, 108), (16, 64)),
    "Xeon 8375C, two sockets": (lambda cpus: Machine(cpus, 2, cpus // 2, 51, 51, 108), (128, 256)),
    "Graviton3": (lambda cpus: Machine(cpus, 1, cpus, 46, 46, 46), (16, 64)),
}


def over(machine, groups, work=1000):
    """ns beyond the work: until the last share begins, and until the caller returns."""
    begin, end = launch(machine, machine.cpus, groups, work)
    return begin, end - work


def tables():
    print("| machine | threads | one word | groups of 4 | of 8 | of 16 |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, (machine_of, sizes) in FAMILIES.items():
        for cpus in sizes:
            machine = machine_of(cpus)
            ways = [over(machine, [0])] + [over(machine, groups_of(machine, most)) for most in (4, 8, 16)]
            print(f"| {name} | {cpus} | " + " | ".join(f"{begin:.0f}, {end:.0f}" for begin, end in ways) + " |")


def check():
    wrong = []
    for name, (machine_of, sizes) in FAMILIES.items():
        for cpus in sizes:
            machine = machine_of(cpus)
            one, eight = over(machine, [0])[1], over(machine, groups_of(machine, 8))[1]
            if groups_of(machine, 8)[0] != 0 or len(groups_of(machine, 8)) > GROUPS:
                wrong.append(f"{name}, {cpus}: groups begin at {groups_of(machine, 8)}")
            if eight >= one or (cpus >= 64 and 3 * eight >= one):
                wrong.append(f"{name}, {cpus}: {eight:.0f} ns in groups of 8, {one:.0f} ns in one word")
            if over(machine, groups_of(machine, 8), 5000)[1] != eight:
                wrong.append(f"{name}, {cpus}: what a launch costs depends on its work")
    for signal in (20, 200):  # a launch of two threads is some signals, and little else
        cost = over(Machine(2, 1, 2, signal, signal, signal), [0])[1]
        if not 4 * signal < cost < 12 * signal + 200:
            wrong.append(f"two threads, {signal} ns: {cost:.0f} ns")
    return wrong


def main(args):
    if args == ["--check"]:
        wrong = check()
        print("\n".join(wrong), file=sys.stderr)
        return 1 if wrong else 0
    if len(args) == 2 and args[0] == "--signal":
        way = float(args[1])
        print(f"{over(Machine(2, 1, 2, way, way, way), [0])[1]:.0f} ns")
        return 0
    if args:
        print(__doc__, file=sys.stderr)
        return 2
    tables()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
