#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program in a language without a preprocessor: every struct is zeroed memory with struct_size set.

    program.py LIBACCEL LAYOUT_LIST BACKEND     kernel library "version" on ACCEL_KERNEL_PATH

Only Python's standard library. The structs below are compared with the list of layouts first.
"""
import ctypes
import re
import sys
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_int32, c_size_t, c_uint8,
                    c_uint32, c_uint64, c_void_p, sizeof)

DIMS = c_size_t * 6
OK, INVALID, UNSUPPORTED, NOT_FOUND = 0, 2, 4, 5
PARTITION_EQUAL = 4
QUEUE_BLOCKING = 1


class Struct(Structure):
    """Zeroed, as ctypes makes it, and its size: that is the whole initialiser."""

    def __init__(self, **members):
        super().__init__(**members)
        self.struct_size = sizeof(self)


class accel_instance_desc(Struct):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("backends", c_char_p), ("devices", c_char_p),
                ("plugin_path", c_char_p), ("kernel_path", c_char_p)]


class accel_backend_properties(Struct):
    _fields_ = [("struct_size", c_uint32), ("state", c_uint32), ("name", c_char_p), ("path", c_char_p),
                ("build", c_char_p), ("reason", c_char_p), ("device_count", c_size_t)]


class accel_config_properties(Struct):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("name", c_char_p), ("value", c_char_p),
                ("default_value", c_char_p), ("source", c_char_p), ("meaning", c_char_p), ("plugins", c_char_p)]


class accel_device_properties(Struct):
    _fields_ = [("struct_size", c_uint32), ("kind", c_uint32), ("name", c_char * 64), ("backend", c_char * 64),
                ("description", c_char * 128), ("architecture", c_char * 64), ("targets", c_char * 256),
                ("features", c_uint32), ("ordinal", c_uint32), ("driver_version", c_uint32),
                ("runtime_version", c_uint32), ("uuid", c_uint8 * 16), ("pci_domain", c_int32), ("pci_bus", c_int32),
                ("pci_device", c_int32), ("numa_node", c_int32), ("compute_units", c_uint32), ("clock_mhz", c_uint32),
                ("warp_size", c_uint32), ("sockets", c_uint32), ("cores", c_uint32), ("numa_nodes", c_uint32),
                ("core_kinds", c_uint32 * 4), ("topology", c_char * 128), ("max_block_threads", c_uint32),
                ("max_unit_threads", c_uint32), ("max_threads", c_size_t * 3), ("max_blocks", c_size_t * 3),
                ("max_shared_bytes", c_size_t), ("max_args_size", c_size_t), ("memory_bytes", c_uint64), ("max_allocation", c_uint64), ("base_alignment", c_uint32),
                ("pitch_alignment", c_uint32), ("memory_clock_mhz", c_uint32), ("memory_bus_bits", c_uint32),
                ("cache_bytes", c_uint64 * 3), ("cache_line", c_uint32), ("min_priority", c_int32),
                ("max_priority", c_int32), ("reserved", c_uint32)]


class accel_partition_desc(Struct):
    _fields_ = [("struct_size", c_uint32), ("by", c_uint32), ("share_count", c_uint32), ("core_count", c_uint32),
                ("cores", POINTER(c_uint32))]


class accel_queue_desc(Struct):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("priority", c_int32)]


class accel_event_desc(Struct):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32)]


class accel_buffer_desc(Struct):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("element_size", c_size_t), ("dims", c_uint32),
                ("extent", DIMS), ("pitch", DIMS)]


class accel_buffer_properties(Struct):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("element_size", c_size_t), ("dims", c_uint32),
                ("is_view", c_uint32), ("extent", DIMS), ("pitch", DIMS), ("span_bytes", c_size_t),
                ("host_ptr", c_void_p), ("device", c_void_p)]


class accel_object_properties(Struct):
    _fields_ = [("struct_size", c_uint32), ("chosen", c_uint32), ("library", c_char_p), ("target", c_char_p),
                ("format", c_char_p), ("path", c_char_p), ("reason", c_char_p), ("kernels", POINTER(c_char_p)),
                ("kernel_count", c_size_t)]


class accel_kernel_properties(Struct):
    _fields_ = [("struct_size", c_uint32), ("form", c_uint32), ("name", c_char_p), ("target", c_char_p),
                ("path", c_char_p), ("args_size", c_size_t), ("args_align", c_size_t), ("fixed_block", c_uint32 * 3),
                ("max_threads", c_uint32), ("warp_size", c_uint32), ("registers", c_uint32), ("local_bytes", c_size_t),
                ("shared_bytes", c_size_t), ("max_shared_bytes", c_size_t), ("pattern", c_uint32), ("pattern_dims", c_uint32),
                ("element_size", c_size_t)]


class accel_work(Struct):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("dims", c_uint32), ("blocks", DIMS),
                ("threads", DIMS), ("elems", DIMS), ("shared_bytes", c_size_t)]


class accel_divide_desc(Struct):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("threads", DIMS), ("max_threads", c_size_t),
                ("elems", DIMS), ("elem_ns", c_size_t), ("shared_bytes", c_size_t)]


class accel_range(Struct):
    _fields_ = [("struct_size", c_uint32), ("dims", c_uint32), ("begin", DIMS), ("end", DIMS), ("tile", DIMS),
                ("order", c_uint32), ("reserved", c_uint32)]


class accel_scatter_view(Structure):
    _fields_ = [("cells", c_void_p), ("claims", c_void_p), ("count", c_uint64), ("stride", c_uint64),
                ("copies", c_uint32), ("reserved_32", c_uint32), ("reserved", c_uint64 * 3)]


class accel_scatter_desc(Struct):
    _fields_ = [("struct_size", c_uint32), ("copies", c_uint32)]


class accel_scatter_properties(Struct):
    _fields_ = [("struct_size", c_uint32), ("copies", c_uint32), ("count", c_size_t), ("element_size", c_size_t),
                ("bytes", c_size_t), ("view", accel_scatter_view)]


class accel_sort_desc(Struct):
    _fields_ = [("struct_size", c_uint32), ("type", c_uint32), ("flags", c_uint32), ("first_bit", c_uint32),
                ("bit_count", c_uint32)]


class accel_histogram_desc(Struct):
    _fields_ = [("struct_size", c_uint32), ("type", c_uint32), ("low", c_double), ("high", c_double),
                ("edges", c_void_p)]


class accel_gemm_desc(Struct):
    _fields_ = [("struct_size", c_uint32), ("type", c_uint32), ("flags", c_uint32)]


class version_args(Structure):
    _fields_ = [("a", c_double), ("n", c_size_t), ("x", c_void_p), ("y", c_void_p)]


HOST_FN = CFUNCTYPE(None, c_void_p, c_uint32)
VISITOR = CFUNCTYPE(c_bool, c_void_p, POINTER(accel_object_properties))


def check_layouts(path):
    """Every struct of accel.h that has a struct_size is here, and as the compiler lays it out."""
    with open(path, encoding="utf-8") as file:
        listed = {}
        for line in file:
            if match := re.match(r"(accel_\w+): (\d+) bytes", line):
                listed[match[1]] = members = []
                members.append(int(match[2]))
            elif match := re.match(r"  \.(\w+) at (\d+), (\d+) bytes", line):
                members.append((match[1], int(match[2]), int(match[3])))
    for struct in Struct.__subclasses__():
        ours = [sizeof(struct)]
        ours += [(n, getattr(struct, n).offset, getattr(struct, n).size) for n, _ in struct._fields_]
        wrong = [pair for pair in zip(ours, listed[struct.__name__]) if pair[0] != pair[1]]
        assert ours == listed[struct.__name__], (struct.__name__, wrong)
    public = [n for n in listed if re.search(r"_desc$|_properties$|_work$|_range$", n)]
    assert sorted(public) == sorted(s.__name__ for s in Struct.__subclasses__()), public


class Library:
    """Calls by name; a status other than those expected ends the program with the library's text."""

    def __init__(self, path):
        self.handle = ctypes.CDLL(path)
        self.text = self.handle.accel_error_message
        self.text.restype = c_char_p

    def __call__(self, name, *args, expect=(OK,)):
        function = getattr(self.handle, name)
        function.restype = c_uint32
        status = function(*args)
        assert status in expect, f"{name}: {status}: {self.text().decode()}"
        return status

    def pointer(self, name, *args):
        function = getattr(self.handle, name)
        function.restype = c_void_p
        return c_void_p(function(*args))

    def release(self, kind, thing):
        function = getattr(self.handle, f"accel_{kind}_release")
        function.restype = None
        function(thing)


def main():
    library, layouts, backend = sys.argv[1:]
    check_layouts(layouts)
    accel = Library(library)
    version = accel("accel_version", expect=range(1 << 24))
    assert version >> 16 >= 1

    # An instance of zeroed memory is the default one: as NULL.
    instance, other = c_void_p(), c_void_p()
    accel("accel_instance_create", byref(accel_instance_desc()), byref(other))
    accel.release("instance", other)
    accel("accel_instance_create", byref(accel_instance_desc(backends=backend.encode())), byref(instance))
    properties = accel_backend_properties()
    accel("accel_instance_backend_info", instance, c_size_t(0), byref(properties))
    assert properties.name.decode() == backend and properties.state == 0
    row = accel_config_properties()
    accel("accel_instance_config", instance, c_size_t(0), byref(row))
    assert row.name == b"ACCEL_BACKEND" and row.source == b"program"

    device = c_void_p()
    accel("accel_instance_find_device", instance, None, byref(device))
    info = accel_device_properties()
    accel("accel_device_info", device, byref(info))
    assert info.backend.decode() == backend and info.max_block_threads > 0
    free, total = c_size_t(), c_size_t()
    if accel("accel_device_memory", device, byref(free), byref(total), expect=(OK, UNSUPPORTED)) == OK:
        assert 0 < free.value <= total.value

    # A partition has to be chosen; all 0 is refused with a text.
    count = c_size_t()
    accel("accel_device_partition", device, byref(accel_partition_desc()), None, c_size_t(0), byref(count),
          expect=(INVALID, UNSUPPORTED))
    accel("accel_device_partition", device, byref(accel_partition_desc(by=PARTITION_EQUAL, share_count=1)), None,
          c_size_t(0), byref(count), expect=(OK, UNSUPPORTED))

    n = 10007
    for flags in (0, QUEUE_BLOCKING):
        queue, event = c_void_p(), c_void_p()
        accel("accel_queue_create", device, byref(accel_queue_desc(flags=flags)), byref(queue))
        accel("accel_event_create", device, byref(accel_event_desc()), byref(event))

        # Buffers: made, stream-ordered, and of memory that Python has.
        desc = accel_buffer_desc(element_size=sizeof(c_double), dims=1)
        desc.extent[0] = n
        x, y, temporary = c_void_p(), c_void_p(), c_void_p()
        accel("accel_buffer_create", device, byref(accel_buffer_desc()), byref(x), expect=(INVALID,))
        accel("accel_buffer_create", device, byref(desc), byref(x))
        accel("accel_buffer_create", device, byref(desc), byref(y))
        accel("accel_buffer_create_async", queue, byref(desc), byref(temporary))
        shape = accel_buffer_properties()
        accel("accel_buffer_info", x, byref(shape))
        assert shape.extent[0] == n and shape.dims == 1 and shape.pitch[0] == sizeof(c_double) and shape.is_view == 0
        values = (c_double * n)(*range(n))
        ones = (c_double * n)(*([1.0] * n))
        result = (c_double * n)()
        wrapped, view = c_void_p(), c_void_p()
        host = accel.pointer("accel_instance_host", instance)
        accel("accel_buffer_wrap", host, values, byref(desc), byref(wrapped))
        accel("accel_copy", queue, temporary, wrapped, None)
        accel("accel_copy", queue, x, temporary, None)
        accel("accel_write", queue, y, ones)

        # A kernel of the library "version", divided by default and by a wish.
        module, kernel = c_void_p(), c_void_p()
        accel("accel_module_load", device, b"version", byref(module))
        accel("accel_module_kernel", module, b"version", byref(kernel))
        kernel_info = accel_kernel_properties()
        accel("accel_kernel_info", kernel, byref(kernel_info))
        assert kernel_info.name == b"version" and kernel_info.args_size == sizeof(version_args)
        work, wished = accel_work(), accel_work()
        extent = (c_size_t * 1)(n)
        accel("accel_work_divide", kernel, c_uint32(1), extent, byref(accel_divide_desc()), byref(work))
        accel("accel_work_divide", kernel, c_uint32(1), extent, None, byref(wished))
        assert bytes(work) == bytes(wished)
        wish = accel_divide_desc()
        wish.elems[0] = 64
        accel("accel_work_divide", kernel, c_uint32(1), extent, byref(wish), byref(wished))
        assert wished.elems[0] == 64 and wished.blocks[0] * wished.threads[0] * 64 >= n
        tiles = accel_range(dims=1)
        tiles.end[0] = n
        accel("accel_range_divide", kernel, byref(tiles), None, byref(wished))
        assert 0 < tiles.tile[0] <= n and wished.dims == 1
        args = version_args(a=2, n=n, x=accel.pointer("accel_buffer_ptr", x), y=accel.pointer("accel_buffer_ptr", y))
        accel("accel_launch", queue, kernel, byref(accel_work()), byref(args), c_size_t(sizeof(args)), expect=(INVALID,))
        accel("accel_launch", queue, kernel, byref(work), byref(args), c_size_t(sizeof(args)))

        # The same again in one call, behind an event that the program signals.
        gate, signalled = c_void_p(), c_bool(True)
        accel("accel_event_create", host, byref(accel_event_desc()), byref(gate))
        accel("accel_event_arm", gate)
        accel("accel_event_is_complete", gate, byref(signalled))
        assert not signalled.value
        if flags == 0:
            accel("accel_queue_wait_event", queue, gate)
        args.a = -4
        over = (queue, kernel, c_uint32(1), extent, byref(args), c_size_t(sizeof(args)))
        accel("accel_launch_over", *over)
        accel("accel_event_signal", gate, c_uint32(OK))
        args.a = 4
        accel("accel_launch_over", *over)
        accel.release("event", gate)

        # The rest of the queue: a host function, an event, a fill of the second half.
        called = []
        function = HOST_FN(lambda user, status: called.append(status))
        accel("accel_queue_call", queue, function, None)
        accel("accel_event_record", event, queue)
        accel("accel_event_wait", event)
        complete = c_bool()
        accel("accel_event_is_complete", event, byref(complete))
        assert complete.value and called == [OK]
        half = (c_size_t * 1)(n // 2)
        accel("accel_buffer_view", y, half, None, byref(view))
        zero = c_double(0)
        accel("accel_fill", queue, view, byref(zero), c_size_t(sizeof(zero)), None)
        accel("accel_read", queue, result, y)
        accel("accel_queue_wait", queue)
        assert list(result) == [2.0 * i + 1 if i < n // 2 else 0.0 for i in range(n)]
        for buffer in (x, y, temporary, wrapped, view):
            accel.release("buffer", buffer)
        accel.release("event", event)
        accel.release("module", module)
        accel.release("queue", queue)

    seen = []
    visitor = VISITOR(lambda user, found: seen.append(found[0].library) or True)
    accel("accel_device_visit_objects", device, b"version", visitor, None)
    assert seen and set(seen) == {b"version"}
    unsized = accel_instance_desc()
    unsized.struct_size = 0
    accel("accel_instance_create", byref(unsized), byref(other), expect=(INVALID,))
    accel.release("instance", instance)
    print(f"{info.name.decode()}: verified")


main()
