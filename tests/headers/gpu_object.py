#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Looks at a GPU object, PTX or an AMD code object, as an engine that launches from it must be able to.

    gpu_object.py FILE KERNEL...
    gpu_object.py --each LIST         of which each line is as above

Exactly these kernels are there. Each has a descriptor that says of itself what it must, and an entry with two parameters
at their places: the arguments, of the size that the descriptor gives, and behind them, aligned to 8, the grid. Exit status
1, after a line for each fault, if anything is otherwise.
"""
import re
import struct
import sys

MAGIC, GRID, DESCRIPTOR, PATTERN = 0x4B434341, 136, 72, 88


class Fault(Exception):
    pass


def metadata(note):
    """A value of MessagePack, and where it ends."""
    def read(at):
        head, at = note[at], at + 1
        if head < 0x80:
            return head, at
        if head < 0xa0:
            return several(head & 15, at, head < 0x90)
        if head < 0xc0:
            return text(head & 31, at)
        number = {0xcc: "B", 0xcd: ">H", 0xce: ">I", 0xcf: ">Q", 0xd0: "b", 0xd1: ">h", 0xd2: ">i", 0xd3: ">q"}
        length = {0xd9: "B", 0xda: ">H", 0xdb: ">I", 0xdc: ">H", 0xdd: ">I", 0xde: ">H", 0xdf: ">I"}
        if head in (0xc0, 0xc2, 0xc3):
            return head == 0xc3, at
        kind = number.get(head) or length.get(head)
        if kind is None:
            raise Fault(f"metadata: unknown byte {head:#x}")
        value, at = struct.unpack_from(kind, note, at)[0], at + struct.calcsize(kind)
        if head in number:
            return value, at
        return text(value, at) if head <= 0xdb else several(value, at, head >= 0xde)

    def text(length, at):
        return note[at:at + length].decode(), at + length

    def several(count, at, is_map):
        if not is_map:
            values = []
            for _ in range(count):
                value, at = read(at)
                values.append(value)
            return values, at
        pairs = {}
        for _ in range(count):
            key, at = read(at)
            pairs[key], at = read(at)
        return pairs, at

    return read(0)[0]


def read_code_object(data):
    """Descriptors by kernel, and by entry the list of (offset, size) of parameters and the size of all."""
    if data[:4] != b"\x7fELF" or struct.unpack_from("<H", data, 18)[0] != 224:
        raise Fault("no ELF object for AMD GPUs")
    offset, size, count = struct.unpack_from("<Q", data, 40)[0], *struct.unpack_from("<HH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, offset + i * size) for i in range(count)]
    descriptors, entries, symbols, notes = {}, {}, set(), []
    for section in sections:
        if section[1] == 11:  # SHT_DYNSYM
            strings = sections[section[6]][4]
            for at in range(section[4], section[4] + section[5], 24):
                name, _, _, index, value, _ = struct.unpack_from("<IBBHQQ", data, at)
                name = data[strings + name:data.index(b"\0", strings + name)].decode()
                symbols.add(name)
                if name.startswith("accel_descriptor_") and index != 0:
                    place = sections[index][4] + value - sections[index][3]
                    descriptors[name[17:]] = data[place:place + PATTERN]
        at, end = section[4], section[4] + section[5]
        while section[1] == 7 and at < end:  # SHT_NOTE
            name, length, kind = struct.unpack_from("<III", data, at)
            at += 12 + (name + 3) // 4 * 4
            if kind == 32:
                notes.append(metadata(data[at:at + length]))
            at += (length + 3) // 4 * 4
    if len(notes) != 1:
        raise Fault(f"{len(notes)} notes of metadata: loaders read one")
    for kernel in notes[0]["amdhsa.kernels"]:
        if kernel[".symbol"] != kernel[".name"] + ".kd" or not {kernel[".name"], kernel[".symbol"]} <= symbols:
            raise Fault(f"no symbol {kernel['.symbol']}")
        entries[kernel[".name"]] = ([(a[".offset"], a[".size"]) for a in kernel[".args"]],
                                    kernel[".kernarg_segment_size"])
    return descriptors, entries


def read_ptx(text):
    descriptors, entries = {}, {}
    for name, size, values in re.findall(r"^\.visible \.(?:global|const) .*accel_descriptor_(\w+)\[(\d+)\] = \{(.*)\};",
                                         text, re.M):
        content = bytes(int(v) for v in values.split(","))
        descriptors[name] = content + bytes(int(size) - len(content))
    for name, parameters in re.findall(r"^\.visible \.entry (\w+)\(([^)]*)\)", text, re.M):
        places, end = [], 0
        for align, size in re.findall(r"\.param \.align (\d+) \.b8 \w+\[(\d+)\]", parameters):
            end = (end + int(align) - 1) // int(align) * int(align)
            places.append((end, int(size)))
            end += int(size)
        if len(places) != parameters.count(".param"):
            raise Fault(f"{name}: a parameter is no struct")
        entries[name] = (places, end)
    return descriptors, entries


def check(kernel, descriptor, entry):
    words = struct.unpack("<12I", descriptor[:48]) if len(descriptor) >= DESCRIPTOR else None
    length = PATTERN if words is not None and words[4] & 2 != 0 else DESCRIPTOR
    if words is None or words[:3] != (MAGIC, 1, length) or words[3] not in (1, 2, 3) or words[11] != GRID:
        raise Fault(f"{kernel}: bad descriptor {words}")
    kind, _, args_size, _ = struct.unpack("<4I", descriptor[DESCRIPTOR:PATTERN]) if length == PATTERN else (0, 0, 0, 0)
    if length == PATTERN and args_size + (64 if kind in (1, 2) else 104) > words[5]:
        raise Fault(f"{kernel}: no room for the places of a pattern")
    if any(descriptor[48:DESCRIPTOR]):
        raise Fault(f"{kernel}: the descriptor has pointers")
    size, grid = words[5], (words[5] + 7) // 8 * 8
    if entry is None:
        raise Fault(f"{kernel}: no entry")
    if entry != ([(0, size), (grid, GRID)], grid + GRID):
        raise Fault(f"{kernel}: {size} bytes of arguments, but parameters (offset, size) {entry[0]} in {entry[1]} bytes")


def sound(path, kernels):
    data = open(path, "rb").read()
    try:
        descriptors, entries = read_code_object(data) if data[:4] == b"\x7fELF" else read_ptx(data.decode())
        wanted = set(kernels)
        if set(descriptors) != wanted or set(entries) != {"accel_kernel_" + name for name in wanted}:
            raise Fault(f"kernels {sorted(descriptors)}, entries {sorted(entries)}, expected {sorted(wanted)}")
        for kernel, descriptor in descriptors.items():
            check(kernel, descriptor, entries.get("accel_kernel_" + kernel))
    except (Fault, LookupError, ValueError, struct.error) as fault:
        print(f"{path}: {fault}")
        return False
    return True


def main():
    lines = [line.split() for line in open(sys.argv[2])] if sys.argv[1] == "--each" else [sys.argv[1:]]
    return 0 if all([sound(path, kernels) for path, *kernels in lines]) else 1


sys.exit(main())
