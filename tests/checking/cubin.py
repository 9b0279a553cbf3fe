#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes an object that says how many registers kernels need on a GPU of NVIDIA's, and nothing else.

Usage: cubin.py OUTPUT KERNEL=REGISTERS...

It has what cpu-check reads of a cubin: a table of symbols and the attributes of .nv.info. So the tests need no nvcc. What nvcc's
own objects say is compared in registers.sh.
"""
import struct
import sys

MACHINE, SYMBOLS, TEXTS, ATTRIBUTES = 190, 2, 3, 0x70000000
FUNCTION = 0x12  # global
SIZED, STACK, REGISTERS = 4, 0x11, 0x2f


class Texts:
    """A table of texts, each ended by a zero."""

    def __init__(self):
        self.data = b'\0'

    def add(self, text):
        self.data += text.encode() + b'\0'
        return len(self.data) - len(text) - 1


def symbols_of(kernels, texts):
    table = bytes(24)
    for name in kernels:
        table += struct.pack('<IBBHQQ', texts.add('accel_kernel_' + name), FUNCTION, 0, 1, 0, 0)
    return table


def attributes_of(kernels):
    """Each kernel's size of the stack stands between, as in nvcc's."""
    data = b''
    for number, registers in enumerate(kernels.values(), 1):
        data += struct.pack('<BBHII', SIZED, REGISTERS, 8, number, registers)
        data += struct.pack('<BBHII', SIZED, STACK, 8, number, 0)
    return data


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    kernels = {name: int(registers) for name, registers in (pair.split('=') for pair in sys.argv[2:])}
    texts, names = Texts(), Texts()
    sections = [('.symtab', SYMBOLS, symbols_of(kernels, texts), 3, 24), ('.nv.info', ATTRIBUTES, attributes_of(kernels), 1, 0),
                ('.strtab', TEXTS, texts.data, 0, 0)]
    named = [(names.add(section[0]), *section[1:]) for section in sections]
    named.append((names.add('.shstrtab'), TEXTS, names.data, 0, 0))
    content, headers = b'', bytes(64)
    for name, kind, data, link, each in named:
        headers += struct.pack('<IIQQQQIIQQ', name, kind, 0, 0, 64 + len(content), len(data), link, 1, 8, each)
        content += data + bytes(-len(data) % 8)
    head = b'\x7fELF\x02\x01\x01' + bytes(9)
    head += struct.pack('<HHIQQQIHHHHHH', 2, MACHINE, 1, 0, 0, 64 + len(content), 0, 64, 0, 0, 64, len(named) + 1, len(named))
    with open(sys.argv[1], 'wb') as file:
        file.write(head + content + headers)


if __name__ == '__main__':
    main()
