/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/accel.h - the host API of libaccel.
 *
 * Conventions, stated once
 *
 * Ownership. Objects are reference counted. create, load, wrap, view, partition and module_global give the
 *   caller a reference, to be given back with accel_X_release. instance_host, instance_device, find_device,
 *   queue_device and module_kernel lend one: it lives as long as the object it came from, unless retained.
 *   Children keep their parents alive, so references may be released in any order. accel_X_retain adds a
 *   reference and returns its object; accel_X_release gives one back, and the last one ends the object. Both take
 *   NULL and do nothing. A release never waits for work: pending work finishes and holds what it needs.
 * Errors. Every function that can fail returns accel_status; outputs come last and are set on success only.
 *   accel_error_message() is the calling thread's text for its last failed call: it names the operation, the
 *   object, the value and the remedy. Nothing here aborts, exits, or prints unless ACCEL_LOG asks for it.
 *   Every function may answer, besides what its comment names: ACCEL_INVALID (a NULL or unusable parameter, or
 *   a call from inside a host function), ACCEL_FORKED (object made before fork, used in the child),
 *   ACCEL_DEVICE_LOST, ACCEL_DRIVER (the vendor's driver failed; the text has its number and words).
 * Threads. Every function may be called from any thread at any time, on the same objects too. Exceptions: one
 *   event is not recorded from two threads at once, and no object is used while its last reference goes.
 * Blocking. A call waits for work only if its name says wait, or if its queue was created blocking.
 * Structs. Descriptors and property structs begin with struct_size and are initialised with ACCEL_..._INIT.
 *   A NULL descriptor means the defaults. Flags and enumerations are uint32_t; unknown flags are refused.
 * Strings. UTF-8, zero-terminated. Given strings are copied; strings in property structs live as long as the
 *   object they were asked of.
 * Units. Extents and offsets are in elements, last dimension fastest; pitches and sizes in bytes.
 */
#ifndef ACCEL_ACCEL_H
#define ACCEL_ACCEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
/* What ACCEL_..._INIT is in C++, where C's designated initialisers are missing. */
template <typename T> static inline T accel_sized_init()
{
    T value = T();
    value.struct_size = static_cast<uint32_t>(sizeof(T));
    return value;
}
#define ACCEL_SIZED_INIT(T) accel_sized_init<T>()
extern "C" {
#else
#define ACCEL_SIZED_INIT(T)                                                                                            \
    {                                                                                                                  \
        .struct_size = (uint32_t)sizeof(T)                                                                             \
    }
#endif

#if defined(__GNUC__)
#define ACCEL_API __attribute__((visibility("default")))
#else
#define ACCEL_API
#endif

#define ACCEL_VERSION_MAJOR 1
#define ACCEL_VERSION_MINOR 0
#define ACCEL_VERSION_PATCH 0

#define ACCEL_MAX_DIMS 6

typedef struct accel_instance accel_instance; /* the library, opened: backends, devices, configuration */
typedef struct accel_device accel_device;     /* something that runs kernels, or the host's memory */
typedef struct accel_queue accel_queue;       /* operations in order */
typedef struct accel_event accel_event;       /* a point in a queue, or of the program */
typedef struct accel_buffer accel_buffer;     /* memory of a device, or a view of it */
typedef struct accel_module accel_module;     /* a kernel library loaded for a device */
typedef struct accel_kernel accel_kernel;     /* one kernel of a module */

/* --------------------------------------------------------------------------------- status and errors -- */

typedef uint32_t accel_status;
enum {
    ACCEL_OK = 0,
    ACCEL_NOT_READY,     /* not finished yet: ask again, or wait */
    ACCEL_INVALID,       /* a parameter is wrong: mend the call */
    ACCEL_OUT_OF_MEMORY, /* of host or device: free something, or ask for less */
    ACCEL_UNSUPPORTED,   /* this backend or device does not have it: see accel_device_info */
    ACCEL_NOT_FOUND,     /* no such backend, device, library, kernel or file: the text lists what there is */
    ACCEL_UNAVAILABLE,   /* it exists but cannot be used here: the text says why */
    ACCEL_INCOMPATIBLE,  /* a plugin or kernel object of another version or machine: rebuild it */
    ACCEL_LIMIT,         /* more than the device can do: the text names the limit */
    ACCEL_IO,            /* a file could not be read: the text has the path and the reason */
    ACCEL_FORKED,        /* made before fork: make it anew in the child */
    ACCEL_KERNEL_FAULT,  /* a kernel did something forbidden: its results are lost */
    ACCEL_DEVICE_LOST,   /* the device is gone for this process: release its objects */
    ACCEL_DRIVER,        /* the vendor's driver failed: the text has its number and words */
    ACCEL_INTERNAL       /* a defect of libaccel: please report it */
};

/* "ACCEL_OK", ...; "ACCEL_STATUS_UNKNOWN" for other numbers. Static storage. */
ACCEL_API const char *accel_status_name(accel_status);
/* The calling thread's text for its last failed call, or "". Valid until that thread's next failed call. */
ACCEL_API const char *accel_error_message(void);

/* What accel_queue_call runs, on some thread of the library or driver. `status` is the queue's: ACCEL_OK, or
 * its first failure. Inside, only retain, release, queries (info, is_idle, is_complete) and accel_event_signal are
 * allowed. */
typedef void (*accel_host_fn)(void *user, accel_status status);

/* ----------------------------------------------------------------------------------------- instance -- */

#define ACCEL_INSTANCE_ALLOW_EMPTY 1u /* succeed although no backend can be used: for diagnosis */

typedef struct accel_instance_desc {
    uint32_t struct_size;
    uint32_t flags;          /* ACCEL_INSTANCE_* */
    const char *backends;    /* as ACCEL_BACKEND: "cuda,cpu-threads"; beats the environment; NULL: environment */
    const char *devices;     /* as ACCEL_DEVICES: "0,2" or "local-rank"; likewise */
    const char *plugin_path; /* directories searched for plugins after ACCEL_PLUGIN_PATH, separated by ':' */
    const char *kernel_path; /* directories searched for kernels after ACCEL_KERNEL_PATH, separated by ':' */
} accel_instance_desc;
#define ACCEL_INSTANCE_DESC_INIT ACCEL_SIZED_INIT(accel_instance_desc)

/* Finds, checks and opens the backends and lists their devices. Starts no thread and creates no driver context.
 * Several instances may exist at once. Errors: ACCEL_NOT_FOUND (a name in the list is no backend),
 * ACCEL_UNAVAILABLE (none of the list can be used; the text has the reason for each). */
ACCEL_API accel_status accel_instance_create(const accel_instance_desc *, accel_instance **);
ACCEL_API accel_instance *accel_instance_retain(accel_instance *);
ACCEL_API void accel_instance_release(accel_instance *);

/* What became of a backend. */
enum {
    ACCEL_BACKEND_USABLE = 0,    /* its devices are listed */
    ACCEL_BACKEND_NOT_SELECTED,  /* found, not in the list, never opened */
    ACCEL_BACKEND_NOT_INSTALLED, /* no plugin of that name was found */
    ACCEL_BACKEND_INCOMPATIBLE,  /* the plugin was made for another ABI or machine */
    ACCEL_BACKEND_NO_DRIVER,     /* the vendor's driver library is absent */
    ACCEL_BACKEND_DRIVER_TOO_OLD,
    ACCEL_BACKEND_NO_DEVICE,     /* the driver is there, a device is not, or ACCEL_DEVICES left none */
    ACCEL_BACKEND_NO_PERMISSION, /* the device node may not be opened */
    ACCEL_BACKEND_BROKEN         /* the plugin or driver failed; reason has the text */
};

typedef struct accel_backend_properties {
    uint32_t struct_size;
    uint32_t state;     /* ACCEL_BACKEND_* */
    const char *name;   /* "cpu-serial" */
    const char *path;   /* of the plugin; "" if none was found */
    const char *build;  /* the plugin's words on how it was built; "" if unknown */
    const char *reason; /* why it is in this state, one candidate file per line; "" if usable */
    size_t device_count;
} accel_backend_properties;
#define ACCEL_BACKEND_PROPERTIES_INIT ACCEL_SIZED_INIT(accel_backend_properties)

/* All known backends, in order of preference: also those that cannot be used, with the reason.
 * backend_info answers ACCEL_NOT_FOUND past the end. */
ACCEL_API size_t accel_instance_backend_count(const accel_instance *);
ACCEL_API accel_status accel_instance_backend_info(const accel_instance *, size_t index, accel_backend_properties *);

/* Devices of all usable backends, in order of preference; the host is not among them. instance_device lends;
 * NULL past the end. */
ACCEL_API size_t accel_instance_device_count(const accel_instance *);
ACCEL_API accel_device *accel_instance_device(const accel_instance *, size_t index);
/* The host's memory as a device: always there, for buffers, copies and events that the program signals; has no queues
 * and runs no kernels. Lends. */
ACCEL_API accel_device *accel_instance_host(const accel_instance *);
/* "cuda:1"; "cuda" is the first device of cuda; "host"; NULL is the first device of all. Lends. Errors:
 * ACCEL_NOT_FOUND, with the nearest name or why its backend is not usable. */
ACCEL_API accel_status accel_instance_find_device(const accel_instance *, const char *name, accel_device **);

/* One row of the configuration table: every ACCEL_ variable, and those in the environment that are none. */
typedef struct accel_config_properties {
    uint32_t struct_size;
    uint32_t flags;    /* ACCEL_CONFIG_* */
    const char *name;  /* "ACCEL_BACKEND" */
    const char *value; /* in force; "" if unset */
    const char *default_value;
    const char *meaning; /* for unknown ones: the nearest name */
    const char *source;  /* "default", "environment", "program" */
} accel_config_properties;
#define ACCEL_CONFIG_PROPERTIES_INIT ACCEL_SIZED_INIT(accel_config_properties)
#define ACCEL_CONFIG_UNKNOWN 1u /* no such variable: probably mistyped */
#define ACCEL_CONFIG_IGNORED 2u /* set, but not honoured: the process is set-uid, or the program chose */
/* ACCEL_NOT_FOUND past the end. */
ACCEL_API accel_status accel_instance_config(const accel_instance *, size_t index, accel_config_properties *);

/* ------------------------------------------------------------------------------------------- device -- */

enum { ACCEL_DEVICE_HOST = 0, ACCEL_DEVICE_CPU, ACCEL_DEVICE_GPU, ACCEL_DEVICE_OTHER };

#define ACCEL_FEATURE_HOST_MEMORY 1u /* its plain buffers can be read and written by the host */
#define ACCEL_FEATURE_PINNED 2u
#define ACCEL_FEATURE_MAPPED 4u
#define ACCEL_FEATURE_MANAGED 8u
#define ACCEL_FEATURE_ASYNC_ALLOC 16u /* accel_buffer_create_async is stream-ordered */
#define ACCEL_FEATURE_PARTITION 32u
#define ACCEL_FEATURE_COOPERATIVE 64u /* takes work with ACCEL_WORK_COOPERATIVE */

/* Three-element limits are x, y, z: x is the last, fastest dimension; z holds all dimensions above two.
 * 0 or "" where a device does not know. */
typedef struct accel_device_properties {
    uint32_t struct_size;
    uint32_t kind; /* ACCEL_DEVICE_* */
    char name[64]; /* "cuda:1": backend and the driver's ordinal */
    char backend[64];
    char description[128]; /* the maker's name */
    char architecture[64]; /* "x86-64-v4", "sm_90", "gfx90a:sramecc+:xnack-" */
    char targets[256];     /* kernel targets it runs, best first, separated by spaces */
    uint32_t features;     /* ACCEL_FEATURE_* */
    uint32_t ordinal;
    uint32_t driver_version; /* as the driver counts */
    uint32_t runtime_version;
    /* Where it is. */
    uint8_t uuid[16];                        /* all 0 if none */
    int32_t pci_domain, pci_bus, pci_device; /* -1 if none */
    int32_t numa_node;                       /* nearest; -1 if unknown */
    /* What it computes with. */
    uint32_t compute_units; /* CPUs it uses, multiprocessors, compute units */
    uint32_t clock_mhz;
    uint32_t warp_size;                  /* the narrowest; a kernel asks accel_warp_size */
    uint32_t sockets, cores, numa_nodes; /* CPUs: of the machine, as far as this process may use it */
    /* Limits of a launch. */
    uint32_t max_block_threads;
    uint32_t max_unit_threads; /* resident on one compute unit */
    size_t max_threads[3];
    size_t max_blocks[3];
    size_t max_shared_bytes; /* of one block, dynamic part included */
    size_t max_args_size;    /* of a kernel: 4096, or what the driver takes */
    /* Memory. */
    uint64_t memory_bytes;
    uint64_t max_allocation;  /* bytes of one buffer */
    uint32_t base_alignment;  /* of buffers, bytes */
    uint32_t pitch_alignment; /* of rows whose pitch is chosen, bytes */
    uint32_t memory_clock_mhz;
    uint32_t memory_bus_bits;
    uint64_t cache_bytes[3]; /* levels 1 to 3: per core, per core or cluster, shared */
    uint32_t cache_line;     /* bytes */
    /* Of queues. */
    int32_t min_priority, max_priority;
    uint32_t reserved; /* 0 */
} accel_device_properties;
#define ACCEL_DEVICE_PROPERTIES_INIT ACCEL_SIZED_INIT(accel_device_properties)

enum { ACCEL_PARTITION_NUMA = 1, ACCEL_PARTITION_CACHE, ACCEL_PARTITION_CORES, ACCEL_PARTITION_EQUAL };

typedef struct accel_partition_desc {
    uint32_t struct_size;
    uint32_t by;           /* ACCEL_PARTITION_*: NUMA nodes, shared caches, the given cores, equal shares */
    uint32_t share_count;  /* EQUAL: number of shares */
    uint32_t core_count;   /* CORES: length of cores[]; makes one sub-device */
    const uint32_t *cores; /* CORES: the system's CPU numbers */
} accel_partition_desc;
#define ACCEL_PARTITION_DESC_INIT ACCEL_SIZED_INIT(accel_partition_desc)

ACCEL_API accel_device *accel_device_retain(accel_device *);
ACCEL_API void accel_device_release(accel_device *);
/* What the device is, what it has and its limits, as found when the instance was made: never blocks. */
ACCEL_API accel_status accel_device_info(const accel_device *, accel_device_properties *);
/* Memory in bytes, now. Either pointer may be NULL. */
ACCEL_API accel_status accel_device_memory(accel_device *, size_t *free_bytes, size_t *total_bytes);
/* Sub-devices, which share the parent's memory. Sets *count to how many there are and writes the first `capacity`
 * of them as references; devices may be NULL when capacity is 0. The threads of a CPU's sub-device keep to its CPUs; whoever
 * launches on a blocking queue, or waits, may take part from where it is. Errors: ACCEL_UNSUPPORTED. */
ACCEL_API accel_status accel_device_partition(accel_device *, const accel_partition_desc *, accel_device **devices,
                                              size_t capacity, size_t *count);
/* May kernels of the device use pointers to the peer's memory? */
ACCEL_API accel_status accel_device_can_access(accel_device *, accel_device *peer, bool *yes);
/* Waits for all queues that this instance has on the device, and reports the first failure among them. */
ACCEL_API accel_status accel_device_wait(accel_device *);

/* -------------------------------------------------------------------------------------------- queue -- */

#define ACCEL_QUEUE_BLOCKING 1u  /* every operation is complete when its call returns */
#define ACCEL_QUEUE_PROFILING 2u /* every event recorded here is timed, asked or not */

typedef struct accel_queue_desc {
    uint32_t struct_size;
    uint32_t flags;   /* ACCEL_QUEUE_* */
    int32_t priority; /* a hint, greater is more urgent; brought into min_priority..max_priority of the device */
} accel_queue_desc;
#define ACCEL_QUEUE_DESC_INIT ACCEL_SIZED_INIT(accel_queue_desc)

/* Operations of one queue take effect in order; different queues are independent. The first failure of an operation
 * stays with its queue: what follows is skipped until accel_queue_wait has reported it. Errors: ACCEL_UNSUPPORTED
 * (the host). */
ACCEL_API accel_status accel_queue_create(accel_device *, const accel_queue_desc *, accel_queue **);
ACCEL_API accel_queue *accel_queue_retain(accel_queue *);
ACCEL_API void accel_queue_release(accel_queue *);
/* Blocks until everything submitted before is complete; may run it meanwhile. Reports the queue's failure once and
 * clears it (except ACCEL_DEVICE_LOST). */
ACCEL_API accel_status accel_queue_wait(accel_queue *);
/* Is everything submitted before complete, or skipped after a failure? Does not wait, and reports no failure. */
ACCEL_API accel_status accel_queue_is_idle(accel_queue *, bool *);
/* What is submitted afterwards starts after the event's latest record so far, on any device. */
ACCEL_API accel_status accel_queue_wait_event(accel_queue *, accel_event *);
/* Runs the function once, in order, also after a failure. */
ACCEL_API accel_status accel_queue_call(accel_queue *, accel_host_fn, void *user);
ACCEL_API accel_device *accel_queue_device(const accel_queue *); /* lends */

/* -------------------------------------------------------------------------------------------- event -- */

#define ACCEL_EVENT_TIMING 1u

typedef struct accel_event_desc {
    uint32_t struct_size;
    uint32_t flags; /* ACCEL_EVENT_* */
} accel_event_desc;
#define ACCEL_EVENT_DESC_INIT ACCEL_SIZED_INIT(accel_event_desc)

/* An event that was never recorded counts as complete. On the host's device: a host event, see accel_event_arm. */
ACCEL_API accel_status accel_event_create(accel_device *, const accel_event_desc *, accel_event **);
ACCEL_API accel_event *accel_event_retain(accel_event *);
ACCEL_API void accel_event_release(accel_event *);
/* Complete when everything submitted to the queue before is; replaces an earlier record. The queue's device must be
 * the event's backend. */
ACCEL_API accel_status accel_event_record(accel_event *, accel_queue *);
ACCEL_API accel_status accel_event_is_complete(accel_event *, bool *);
/* Blocks until the latest record is complete; gives the failure that the record carries. */
ACCEL_API accel_status accel_event_wait(accel_event *);
/* From start to end in nanoseconds, never negative: from record to record, or from signal to signal of host events.
 * Errors: ACCEL_NOT_READY (one is not complete), ACCEL_INVALID (one is not timed or was never recorded, end came before
 * start, or the two have different clocks). */
ACCEL_API accel_status accel_event_elapsed(accel_event *start, accel_event *end, uint64_t *nanoseconds);

/* Host events order queues behind what libaccel does not run: messages, files, other runtimes. The program creates the
 * event on accel_instance_host and signals it itself; queues of every backend wait for it. An event that was never armed
 * counts as complete, and a wait refers to the latest arming so far. The last release of an armed event signals
 * ACCEL_UNAVAILABLE. After a fork an event that was armed is ACCEL_FORKED in the child. */
/* Makes the event pending, as a record does. Never blocks. Errors: ACCEL_INVALID (it is armed already and not yet
 * signalled, or it is no host event). */
ACCEL_API accel_status accel_event_arm(accel_event *event);
/* Completes the event. A failure in `status` is passed on to accel_event_wait and to the queues that wait; ACCEL_NOT_READY
 * is none. Never blocks; allowed on any thread and in host functions. Errors: ACCEL_INVALID (the event is not armed, or
 * it is no host event). */
ACCEL_API accel_status accel_event_signal(accel_event *event, accel_status status);

/* ------------------------------------------------------------------------------------------- buffer -- */

#define ACCEL_BUFFER_PINNED 1u  /* host memory, locked for the device's transfers */
#define ACCEL_BUFFER_MAPPED 2u  /* host memory that the device's kernels reach */
#define ACCEL_BUFFER_MANAGED 4u /* moves by itself between host and device */

typedef struct accel_buffer_desc {
    uint32_t struct_size;
    uint32_t flags;                /* 0 or one of ACCEL_BUFFER_* */
    size_t element_size;           /* bytes, not 0 */
    uint32_t dims;                 /* 1 to 6 */
    size_t extent[ACCEL_MAX_DIMS]; /* elements; 0 is legal */
    /* Bytes from one index to the next, per dimension: a multiple of element_size. 0: the library chooses. */
    size_t pitch[ACCEL_MAX_DIMS];
} accel_buffer_desc;
#define ACCEL_BUFFER_DESC_INIT ACCEL_SIZED_INIT(accel_buffer_desc)

typedef struct accel_buffer_properties {
    uint32_t struct_size;
    uint32_t flags;
    size_t element_size;
    uint32_t dims;
    uint32_t is_view; /* 1 for views */
    size_t extent[ACCEL_MAX_DIMS];
    size_t pitch[ACCEL_MAX_DIMS]; /* pitch[dims - 1] is element_size */
    size_t span_bytes;            /* from the first addressed byte to behind the last */
    void *host_ptr;               /* where the host finds it; NULL if it cannot */
    accel_device *device;         /* whose memory it is: the host's for ACCEL_BUFFER_PINNED. Lent */
} accel_buffer_properties;
#define ACCEL_BUFFER_PROPERTIES_INIT ACCEL_SIZED_INIT(accel_buffer_properties)

static inline accel_buffer_desc accel_buffer_3d(size_t element_size, size_t n0, size_t n1, size_t n2)
{
    accel_buffer_desc desc = ACCEL_BUFFER_DESC_INIT;
    desc.element_size = element_size;
    desc.dims = 3;
    desc.extent[0] = n0;
    desc.extent[1] = n1;
    desc.extent[2] = n2; /* fastest */
    return desc;
}
static inline accel_buffer_desc accel_buffer_2d(size_t element_size, size_t n0, size_t n1)
{
    accel_buffer_desc desc = accel_buffer_3d(element_size, n0, n1, 0);
    desc.dims = 2;
    return desc;
}
static inline accel_buffer_desc accel_buffer_1d(size_t element_size, size_t n)
{
    accel_buffer_desc desc = accel_buffer_3d(element_size, n, 0, 0);
    desc.dims = 1;
    return desc;
}

/* Memory is not initialised. One-dimensional buffers are dense; rows of others may be padded. Errors:
 * ACCEL_OUT_OF_MEMORY, ACCEL_LIMIT (sizes that overflow), ACCEL_UNSUPPORTED (a flag the device does not have). */
ACCEL_API accel_status accel_buffer_create(accel_device *, const accel_buffer_desc *, accel_buffer **);
/* As create, allocated and given back in the order of the queue. */
ACCEL_API accel_status accel_buffer_create_async(accel_queue *, const accel_buffer_desc *, accel_buffer **);
/* The caller's memory as a buffer of the device; it stays the caller's and must outlive the buffer and its work. Errors:
 * ACCEL_LIMIT (sizes that overflow, or reach beyond the address space). */
ACCEL_API accel_status accel_buffer_wrap(accel_device *, void *ptr, const accel_buffer_desc *, accel_buffer **);
/* A part of a buffer, with its dimensions and pitches; offset NULL is zero, extent NULL all that remains. */
ACCEL_API accel_status accel_buffer_view(accel_buffer *, const size_t offset[], const size_t extent[], accel_buffer **);
/* The last release is safe at any time: the memory goes back after the work that was submitted to queues of its device
 * before. Wrapped memory stays the caller's. */
ACCEL_API accel_buffer *accel_buffer_retain(accel_buffer *);
ACCEL_API void accel_buffer_release(accel_buffer *);
/* The first element's address, as kernels of the device see it; for argument structs. NULL for NULL. */
ACCEL_API void *accel_buffer_ptr(const accel_buffer *);
/* Shape, pitches, host address and device of a buffer or view: never blocks. */
ACCEL_API accel_status accel_buffer_info(const accel_buffer *, accel_buffer_properties *);

/* Copies `extent` elements (as many values as the buffers have dimensions; NULL: all, of equal extents) from the
 * origin of src to the origin of dst. The queue belongs to the device of one of them. Element sizes and dimensions
 * must agree; shared elements are an error. Both are kept alive until done. */
ACCEL_API accel_status accel_copy(accel_queue *, accel_buffer *dst, accel_buffer *src, const size_t extent[]);
/* All of a buffer from and to dense host memory, which must stay untouched until the operation is complete. */
ACCEL_API accel_status accel_write(accel_queue *, accel_buffer *dst, const void *src);
ACCEL_API accel_status accel_read(accel_queue *, void *dst, accel_buffer *src);
/* On a queue of the buffer's device: fills `extent` elements (NULL: all) at the origin. Each row repeats the pattern,
 * 1 to 4096 bytes, and is a whole number of them. The pattern is copied before the call returns. */
ACCEL_API accel_status accel_fill(accel_queue *, accel_buffer *, const void *pattern, size_t pattern_size,
                                  const size_t extent[]);

/* ---------------------------------------------------------------------------------- module and kernel -- */

typedef struct accel_bundle accel_bundle; /* accel/object.h; made by accelcc --embed */

#ifndef ACCEL_NO_ARGS_DEFINED
#define ACCEL_NO_ARGS_DEFINED
typedef struct accel_no_args { /* the argument struct of a kernel without arguments */
    uint8_t none;
} accel_no_args;
#endif

/* Loads the best object of library `name` (NAME.TARGET.FORMAT) that the device can run. Searched: ACCEL_KERNEL_PATH,
 * the instance's kernel_path, the executable's directory. Blocking: what has to be compiled (PTX) is compiled here.
 * Errors: ACCEL_NOT_FOUND (the text lists what was found where, and the target that would help), ACCEL_INCOMPATIBLE,
 * ACCEL_IO. Objects are code: header, tables' places, target and descriptors are checked, so that a truncated, foreign
 * or older file is an error, and so is one for CPUs that is not as accelcc wrote it; after strip, and in objects made
 * otherwise, a change inside the code or the loader's tables is not noticed, and may crash. */
ACCEL_API accel_status accel_module_load(accel_device *, const char *name, accel_module **);
ACCEL_API accel_status accel_module_load_file(accel_device *, const char *path,
                                              accel_module **); /* this object, no choice */
ACCEL_API accel_status accel_module_load_bundle(accel_device *, const accel_bundle *,
                                                accel_module **); /* best of a bundle */
ACCEL_API accel_module *accel_module_retain(accel_module *);
ACCEL_API void accel_module_release(accel_module *);
/* Lends. The first time for a name it blocks and puts the kernel's code on the device, which drivers that load lazily
 * would do at the first launch. Errors: ACCEL_NOT_FOUND, with the nearest names; ACCEL_LIMIT, its arguments are more than
 * the device's max_args_size. */
ACCEL_API accel_status accel_module_kernel(accel_module *, const char *name, accel_kernel **);
/* The memory of a device global or constant, as a one-dimensional buffer of bytes. */
ACCEL_API accel_status accel_module_global(accel_module *, const char *name, accel_buffer **);
ACCEL_API accel_kernel *accel_kernel_retain(accel_kernel *);
ACCEL_API void accel_kernel_release(accel_kernel *);

/* One object file the kernel path holds, as a device sees it. Strings live during the visit. */
typedef struct accel_object_properties {
    uint32_t struct_size;
    uint32_t chosen;     /* 1: accel_module_load would take it */
    const char *library; /* "blas1" */
    const char *target;  /* "x86-64-v3" */
    const char *format;  /* "so" */
    const char *path;
    const char *reason;         /* why it is chosen, or not */
    const char *const *kernels; /* names; NULL where the format does not tell */
    size_t kernel_count;
} accel_object_properties;
#define ACCEL_OBJECT_PROPERTIES_INIT ACCEL_SIZED_INIT(accel_object_properties)
/* The kernel path for people: the directories that are searched, in order, one per line; then, if there are such, a line
 * about entries that are ignored, because they are not absolute. The instance's; "" for NULL. */
ACCEL_API const char *accel_instance_kernel_path(const accel_instance *);
/* Shows every object of the library (NULL: of all) on the kernel path, best first per library. Return false from the
 * visitor to end. */
typedef bool (*accel_object_visitor)(void *user, const accel_object_properties *);
ACCEL_API accel_status accel_device_visit_objects(accel_device *, const char *library, accel_object_visitor,
                                                  void *user);

enum { ACCEL_KERNEL_FORM_BLOCK = 1, ACCEL_KERNEL_FORM_THREAD, ACCEL_KERNEL_FORM_THREAD_NOSYNC };

typedef struct accel_kernel_properties {
    uint32_t struct_size;
    uint32_t form; /* ACCEL_KERNEL_FORM_* */
    const char *name;
    const char *target; /* of the object it came from */
    const char *path;   /* of the object; "" for bundles */
    size_t args_size;   /* bytes; 0 without arguments */
    size_t args_align;
    uint32_t fixed_block[3]; /* x, y, z; all 0: any */
    uint32_t max_threads;    /* per block, for this kernel */
    uint32_t warp_size;
    uint32_t registers;      /* per thread; 0 if unknown */
    size_t local_bytes;      /* per thread */
    size_t shared_bytes;     /* static; 0 on CPUs, where ACCEL_SHARED is thread-local and takes none of the rest */
    size_t max_shared_bytes; /* dynamic that a launch may ask for */
} accel_kernel_properties;
#define ACCEL_KERNEL_PROPERTIES_INIT ACCEL_SIZED_INIT(accel_kernel_properties)
/* What the kernel's descriptor says and what it needs and may have on its device: never blocks. */
ACCEL_API accel_status accel_kernel_info(const accel_kernel *, accel_kernel_properties *);

/* ---------------------------------------------------------------------------------- work and launch -- */

/* A cooperative launch: all blocks are on the device at the same time, so that a kernel may let a block wait for what
 * another one writes. Needs ACCEL_FEATURE_COOPERATIVE, without which it is ACCEL_UNSUPPORTED; more blocks than the device
 * holds at once are ACCEL_LIMIT. */
#define ACCEL_WORK_COOPERATIVE 1u

typedef struct accel_work {
    uint32_t struct_size;
    uint32_t flags;                 /* 0 or ACCEL_WORK_COOPERATIVE */
    uint32_t dims;                  /* 1 to 6; last dimension is x; those above three fold into z */
    size_t blocks[ACCEL_MAX_DIMS];  /* per grid; a 0 makes the launch a no-op */
    size_t threads[ACCEL_MAX_DIMS]; /* per block */
    size_t elems[ACCEL_MAX_DIMS];   /* per thread; what the kernel makes of them is its own */
    size_t shared_bytes;            /* dynamic shared memory of a block */
} accel_work;
#define ACCEL_WORK_INIT ACCEL_SIZED_INIT(accel_work)

static inline accel_work accel_work_1d(size_t blocks, size_t threads, size_t elems)
{
    accel_work work = ACCEL_WORK_INIT;
    work.dims = 1;
    work.blocks[0] = blocks;
    work.threads[0] = threads;
    work.elems[0] = elems;
    return work;
}
static inline accel_work accel_work_2d(const size_t blocks[2], const size_t threads[2], const size_t elems[2])
{
    accel_work work = ACCEL_WORK_INIT;
    work.dims = 2;
    for (int d = 0; d < 2; ++d) {
        work.blocks[d] = blocks[d];
        work.threads[d] = threads[d];
        work.elems[d] = elems[d];
    }
    return work;
}
static inline accel_work accel_work_3d(const size_t blocks[3], const size_t threads[3], const size_t elems[3])
{
    accel_work work = ACCEL_WORK_INIT;
    work.dims = 3;
    for (int d = 0; d < 3; ++d) {
        work.blocks[d] = blocks[d];
        work.threads[d] = threads[d];
        work.elems[d] = elems[d];
    }
    return work;
}

#define ACCEL_DIVIDE_COOPERATIVE 1u /* for a cooperative launch: no more blocks than the device holds at once */

/* Wishes for a work division; 0 leaves a value to the library. */
typedef struct accel_divide_desc {
    uint32_t struct_size;
    uint32_t flags;                 /* 0 or ACCEL_DIVIDE_COOPERATIVE */
    size_t threads[ACCEL_MAX_DIMS]; /* per block, exactly */
    size_t max_threads;             /* per block, product of the dimensions, at most */
    size_t elems[ACCEL_MAX_DIMS];   /* per thread, exactly */
    size_t shared_bytes;            /* dynamic shared memory the block will need */
} accel_divide_desc;
#define ACCEL_DIVIDE_DESC_INIT ACCEL_SIZED_INIT(accel_divide_desc)

/* A division of `extent` that suits kernel and device: blocks x threads x elems covers the extent in every dimension,
 * and no launch refuses it. Without wishes, block kernels get as many elements per thread as suits the device's caches
 * and the number of its cores, thread kernels one. Kernel, extent, wishes and device alone decide: not what was launched
 * before. Errors: ACCEL_LIMIT (no division can satisfy the wishes), ACCEL_UNSUPPORTED (a wish that the device does not
 * have), ACCEL_KERNEL_FAULT, ACCEL_DEVICE_LOST, ACCEL_DRIVER (the device failed, or its driver does not tell how many threads
 * fill it). */
ACCEL_API accel_status accel_work_divide(accel_kernel *, uint32_t dims, const size_t extent[],
                                         const accel_divide_desc *, accel_work *);

/* Runs the kernel over the work. `args` is the kernel's argument struct, copied before the call returns; args_size
 * must be the kernel's own. What its pointers point to is the caller's until done. Errors: ACCEL_LIMIT (the text
 * names it), ACCEL_UNSUPPORTED (a flag of the work that the device does not have). */
ACCEL_API accel_status accel_launch(accel_queue *, accel_kernel *, const accel_work *, const void *args,
                                    size_t args_size);

/* accel_work_divide without wishes and accel_launch in one: runs the kernel over `extent`. The division is remembered, so
 * that only the first launch over an extent pays for it. Errors: those of the two. */
ACCEL_API accel_status accel_launch_over(accel_queue *queue, accel_kernel *kernel, uint32_t dims, const size_t extent[],
                                         const void *args, size_t args_size);

/* -------------------------------------------------------------------------------------- what is below -- */

/* The vendor's handle: context, stream, event, module, function. On CPUs: of a module what dlopen gave, of a kernel its
 * descriptor (accel/object.h); the rest is ACCEL_UNSUPPORTED. Lent. */
ACCEL_API accel_status accel_device_native(accel_device *, void **);
ACCEL_API accel_status accel_queue_native(accel_queue *, void **);
ACCEL_API accel_status accel_event_native(accel_event *, void **);
ACCEL_API accel_status accel_module_native(accel_module *, void **);
ACCEL_API accel_status accel_kernel_native(accel_kernel *, void **);
/* A queue on the caller's stream, which stays the caller's and must outlive the queue and its work. Errors:
 * ACCEL_UNSUPPORTED (CPUs). */
ACCEL_API accel_status accel_queue_wrap(accel_device *, void *native, accel_queue **);

#ifdef __cplusplus
}
#endif

#endif
