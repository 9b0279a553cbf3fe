/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/accel.h - the host API of libaccel.
 *
 * Conventions, stated once
 *
 * Ownership. Objects are reference counted. create, load, wrap, view, partition and module_global return a reference
 *   that the caller owns and gives back with accel_X_release. instance_host, instance_device, find_device,
 *   queue_device and module_kernel return a borrowed one: it lives as long as the object that it came from, unless it
 *   is retained. Children keep their parents alive, so references may be released in any order. accel_X_retain adds a
 *   reference and returns its object; accel_X_release gives one back, and the last one ends the object. Both accept
 *   NULL and do nothing. A release never waits for work: pending work finishes and keeps what it needs.
 * Errors. Every function that can fail returns accel_status. Outputs come last and are set on success only.
 *   accel_error_message() is the calling thread's text for its last failed call: it names the operation, the object,
 *   the value and the remedy. No function aborts, exits, or prints unless ACCEL_LOG asks for it. Besides the errors
 *   that its comment names, every function may return: ACCEL_INVALID (a NULL or unusable parameter, or a call from
 *   inside a host function), ACCEL_FORKED (an object made before fork was used in the child), ACCEL_DEVICE_LOST,
 *   ACCEL_DRIVER (the vendor's driver failed; the text has its number and words).
 * Threads. Every function may be called from any thread at any time, on the same objects too. Exceptions: two threads
 *   must not record one event at once, and nobody may use an object while its last reference is released.
 * Blocking. A call waits for work only if its name says wait, or if its queue was created blocking.
 * Structs. Descriptors and property structs begin with struct_size. ACCEL_..._INIT sets it and makes the rest 0; memory
 *   that was zeroed and given its struct_size is the same, so languages without a preprocessor need no more. A member
 *   that is 0 has its default, unless its comment asks for a value. A NULL descriptor is the same as all 0, but
 *   for a buffer, which needs its size.
 * Enumerations. Members and parameters are uint32_t; the enum named beside them lists their values, and a debugger
 *   prints it: `print (enum accel_status_code)status`. Unknown flags are refused.
 * Strings. UTF-8, zero-terminated. Given strings are copied. Strings in property structs live as long as the object
 *   that was asked for them.
 * Units. Extents and offsets are in elements, last dimension fastest; pitches and sizes are in bytes.
 */
#ifndef ACCEL_ACCEL_H
#define ACCEL_ACCEL_H

#include <accel/range.h>
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

/* The version of the library that runs: major << 16 | minor << 8 | patch. The macros are those of the header. */
ACCEL_API uint32_t accel_version(void);

#define ACCEL_MAX_DIMS 6
#define ACCEL_CORE_KINDS 4 /* in accel_device_properties */

typedef struct accel_instance accel_instance; /* the library, opened: backends, devices, configuration */
typedef struct accel_device accel_device;     /* something that runs kernels, or the host's memory */
typedef struct accel_queue accel_queue;       /* operations in order */
typedef struct accel_event accel_event;       /* a point in a queue, or of the program */
typedef struct accel_buffer accel_buffer;     /* memory of a device, or a view of it */
typedef struct accel_module accel_module;     /* a kernel library loaded for a device */
typedef struct accel_kernel accel_kernel;     /* one kernel of a module */

/* --------------------------------------------------------------------------------- status and errors -- */

typedef uint32_t accel_status;
enum accel_status_code {
    ACCEL_OK = 0,
    ACCEL_NOT_READY = 1,     /* not finished yet: ask again, or wait */
    ACCEL_INVALID = 2,       /* a parameter is wrong: fix the call */
    ACCEL_OUT_OF_MEMORY = 3, /* of host or device: free something, or ask for less */
    ACCEL_UNSUPPORTED = 4,   /* this backend or device does not have it: see accel_device_info */
    ACCEL_NOT_FOUND = 5,     /* no such backend, device, library, kernel or file: the text lists what there is */
    ACCEL_UNAVAILABLE = 6,   /* it exists but cannot be used here: the text says why */
    ACCEL_INCOMPATIBLE = 7,  /* a plugin or kernel object of another version or machine: rebuild it */
    ACCEL_LIMIT = 8,         /* more than the device can do: the text names the limit */
    ACCEL_IO = 9,            /* a file could not be read: the text has the path and the reason */
    ACCEL_FORKED = 10,       /* made before fork: make it again in the child */
    ACCEL_KERNEL_FAULT = 11, /* a kernel did something forbidden: its results are lost */
    ACCEL_DEVICE_LOST = 12,  /* the device is gone for this process: release its objects */
    ACCEL_DRIVER = 13,       /* the vendor's driver failed: the text has its number and words */
    ACCEL_INTERNAL = 14      /* a defect of libaccel: please report it */
};

/* "ACCEL_OK", ...; "ACCEL_STATUS_UNKNOWN" for other numbers. Static storage. */
ACCEL_API const char *accel_status_name(accel_status status);
/* The calling thread's text for its last failed call, or "". Valid until that thread's next failed call. */
ACCEL_API const char *accel_error_message(void);

/* A function for accel_queue_call. It runs on some thread of the library or driver, or on a caller's, within
 * accel_queue_call or a wait: so it takes no lock that a caller holds there. `status` is the queue's: ACCEL_OK, or its first
 * failure. It may call only retain, release, queries (info, is_idle, is_complete) and what its own comment allows there. */
typedef void (*accel_host_fn)(void *user, accel_status status);

/* ----------------------------------------------------------------------------------------- instance -- */

enum accel_instance_flag {
    ACCEL_INSTANCE_ALLOW_EMPTY = 1 /* succeed although no backend can be used: for diagnosis */
};

typedef struct accel_instance_desc {
    uint32_t struct_size;
    uint32_t flags;          /* enum accel_instance_flag */
    const char *backends;    /* as ACCEL_BACKEND, "cuda,cpu-threads", and instead of it; NULL: the environment's */
    const char *devices;     /* as ACCEL_DEVICES, "0,2" or "local-rank"; likewise */
    const char *plugin_path; /* directories searched for plugins after ACCEL_PLUGIN_PATH, separated by ':' */
    const char *kernel_path; /* directories searched for kernels after ACCEL_KERNEL_PATH, separated by ':' */
} accel_instance_desc;
#define ACCEL_INSTANCE_DESC_INIT ACCEL_SIZED_INIT(accel_instance_desc)

/* Finds, checks and opens the backends and lists their devices. Starts no thread and creates no driver context.
 * Several instances may exist at once. Errors: ACCEL_NOT_FOUND (a name in the list is no backend), ACCEL_INVALID (a
 * variable of the environment has a value that it may not have), ACCEL_UNAVAILABLE (none of the list can be used; the
 * text has the reason for each), ACCEL_IO (the process has too few file descriptors to find out). */
ACCEL_API accel_status accel_instance_create(const accel_instance_desc *desc, accel_instance **instance);
ACCEL_API accel_instance *accel_instance_retain(accel_instance *instance);
ACCEL_API void accel_instance_release(accel_instance *instance);

/* What became of a backend. */
enum accel_backend_state {
    ACCEL_BACKEND_USABLE = 0,         /* its devices are listed */
    ACCEL_BACKEND_NOT_SELECTED = 1,   /* found, not in the list, never opened */
    ACCEL_BACKEND_NOT_INSTALLED = 2,  /* no plugin of that name was found */
    ACCEL_BACKEND_INCOMPATIBLE = 3,   /* the plugin was made for another ABI or machine */
    ACCEL_BACKEND_NO_DRIVER = 4,      /* the vendor's driver library is absent */
    ACCEL_BACKEND_DRIVER_TOO_OLD = 5, /* the text has the version that is needed */
    ACCEL_BACKEND_NO_DEVICE = 6,      /* the driver has no device, or ACCEL_DEVICES left none */
    ACCEL_BACKEND_NO_PERMISSION = 7,  /* the device node may not be opened */
    ACCEL_BACKEND_BROKEN = 8          /* the plugin or driver failed: the reason has the text */
};

typedef struct accel_backend_properties {
    uint32_t struct_size;
    uint32_t state;     /* enum accel_backend_state */
    const char *name;   /* "cpu-serial" */
    const char *path;   /* of the plugin; "" if none was found */
    const char *build;  /* the plugin's words on how it was built; "" if unknown */
    const char *reason; /* why it is in this state, one candidate file per line; "" if usable, with all devices */
    size_t device_count;
} accel_backend_properties;
#define ACCEL_BACKEND_PROPERTIES_INIT ACCEL_SIZED_INIT(accel_backend_properties)

/* All known backends in order of preference, also those that cannot be used. backend_info returns ACCEL_NOT_FOUND past
 * the end. */
ACCEL_API size_t accel_instance_backend_count(const accel_instance *instance);
ACCEL_API accel_status accel_instance_backend_info(const accel_instance *instance, size_t index,
                                                   accel_backend_properties *properties);

/* Devices of all usable backends, in order of preference; the host is not among them. Borrowed; NULL past the end. */
ACCEL_API size_t accel_instance_device_count(const accel_instance *instance);
ACCEL_API accel_device *accel_instance_device(const accel_instance *instance, size_t index);
/* The host's memory as a device, which every instance has: for buffers, copies and host events; no queues, no kernels.
 * Borrowed. */
ACCEL_API accel_device *accel_instance_host(const accel_instance *instance);
/* By name: "cuda:1"; "cuda" is the first device of cuda; "host"; NULL is the first device of all. Borrowed. Errors:
 * ACCEL_NOT_FOUND, with the nearest name, or the reason why its backend is not usable. */
ACCEL_API accel_status accel_instance_find_device(const accel_instance *instance, const char *name,
                                                  accel_device **device);

enum accel_config_flag {
    ACCEL_CONFIG_UNKNOWN = 1, /* no such variable: probably mistyped */
    ACCEL_CONFIG_IGNORED = 2  /* set, but not used: the process is set-uid, or the program chose */
};

/* One row of the configuration: the variables of libaccel, those of the plugins that were found, and the ACCEL_
 * variables in the environment that are neither. */
typedef struct accel_config_properties {
    uint32_t struct_size;
    uint32_t flags;    /* enum accel_config_flag */
    const char *name;  /* "ACCEL_BACKEND" */
    const char *value; /* in force; "" if unset */
    const char *default_value;
    const char *source;  /* "default", "environment", "program" */
    const char *meaning; /* of unknown ones: the nearest name */
    const char *plugins; /* "cpu-omp, cpu-serial": those that bring it; "" if libaccel does */
} accel_config_properties;
#define ACCEL_CONFIG_PROPERTIES_INIT ACCEL_SIZED_INIT(accel_config_properties)
/* Errors: ACCEL_NOT_FOUND past the end. */
ACCEL_API accel_status accel_instance_config(const accel_instance *instance, size_t index,
                                             accel_config_properties *properties);

/* ------------------------------------------------------------------------------------------- device -- */

enum accel_device_kind { ACCEL_DEVICE_HOST = 0, ACCEL_DEVICE_CPU = 1, ACCEL_DEVICE_GPU = 2, ACCEL_DEVICE_OTHER = 3 };

enum accel_feature {
    ACCEL_FEATURE_HOST_MEMORY = 1,  /* the host can read and write its plain buffers */
    ACCEL_FEATURE_PINNED = 2,       /* takes buffers with ACCEL_BUFFER_PINNED */
    ACCEL_FEATURE_MAPPED = 4,       /* ... ACCEL_BUFFER_MAPPED */
    ACCEL_FEATURE_MANAGED = 8,      /* ... ACCEL_BUFFER_MANAGED */
    ACCEL_FEATURE_ASYNC_ALLOC = 16, /* accel_buffer_create_async is stream-ordered */
    ACCEL_FEATURE_PARTITION = 32,
    ACCEL_FEATURE_COOPERATIVE = 64 /* takes work with ACCEL_WORK_COOPERATIVE */
};

/* Three-element limits are x, y, z: x is the last, fastest dimension; z holds all dimensions above two.
 * What a device does not know is 0 or "". */
typedef struct accel_device_properties {
    uint32_t struct_size;
    uint32_t kind; /* enum accel_device_kind */
    char name[64]; /* "cuda:1": backend and the driver's ordinal */
    char backend[64];
    char description[128]; /* the maker's name */
    char architecture[64]; /* "x86-64-v4", "sm_90", "gfx90a:sramecc+:xnack-" */
    char targets[256];     /* kernel targets it runs, best first, separated by spaces */
    uint32_t features;     /* enum accel_feature */
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
    uint32_t warp_size;                    /* the narrowest; a kernel asks accel_warp_size */
    uint32_t sockets, cores, numa_nodes;   /* CPUs: of the machine, as far as this process may use it */
    uint32_t core_kinds[ACCEL_CORE_KINDS]; /* CPUs: how many of those cores are of each kind, the fastest first */
    char topology[128];                    /* CPUs: what found sockets, cores, caches and nodes, or why nothing did */
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

enum accel_partition_kind {
    ACCEL_PARTITION_NUMA = 1,  /* a sub-device per NUMA node */
    ACCEL_PARTITION_CACHE = 2, /* per cache that cores share */
    ACCEL_PARTITION_CORES = 3, /* one, of the given cores */
    ACCEL_PARTITION_EQUAL = 4  /* share_count of equal size; 0 is refused */
};

typedef struct accel_partition_desc {
    uint32_t struct_size;
    uint32_t by;           /* enum accel_partition_kind */
    uint32_t share_count;  /* EQUAL: number of shares */
    uint32_t core_count;   /* CORES: length of cores[] */
    const uint32_t *cores; /* CORES: the system's CPU numbers */
} accel_partition_desc;
#define ACCEL_PARTITION_DESC_INIT ACCEL_SIZED_INIT(accel_partition_desc)

ACCEL_API accel_device *accel_device_retain(accel_device *device);
ACCEL_API void accel_device_release(accel_device *device);
/* What the device is, what it has and its limits, as found when the instance was made. The first call for a CPU reads the
 * machine's topology, which takes milliseconds. */
ACCEL_API accel_status accel_device_info(const accel_device *device, accel_device_properties *properties);
/* Memory in bytes, now. Either pointer may be NULL. */
ACCEL_API accel_status accel_device_memory(accel_device *device, size_t *free_bytes, size_t *total_bytes);
/* Sub-devices, which share the parent's memory. Sets *count to their number and writes references to the first
 * `capacity` of them; devices may be NULL if capacity is 0. Threads of a CPU's sub-device stay on its CPUs, but a thread
 * that launches on a blocking queue, or waits, may take part from where it is. Errors: ACCEL_UNSUPPORTED. */
ACCEL_API accel_status accel_device_partition(accel_device *device, const accel_partition_desc *desc,
                                              accel_device **devices, size_t capacity, size_t *count);
/* May kernels of the device use pointers to the peer's memory? */
ACCEL_API accel_status accel_device_can_access(accel_device *device, accel_device *peer, bool *yes);
/* Waits for all queues that this instance has on the device, and reports the first failure among them. The failures of all of
 * them are cleared. */
ACCEL_API accel_status accel_device_wait(accel_device *device);

/* -------------------------------------------------------------------------------------------- queue -- */

enum accel_queue_flag {
    ACCEL_QUEUE_BLOCKING = 1, /* every operation is complete when its call returns */
    ACCEL_QUEUE_PROFILING = 2 /* every event recorded here is timed, with or without ACCEL_EVENT_TIMING */
};

typedef struct accel_queue_desc {
    uint32_t struct_size;
    uint32_t flags;   /* enum accel_queue_flag */
    int32_t priority; /* a hint: greater is more urgent; clamped to the device's min_priority..max_priority */
} accel_queue_desc;
#define ACCEL_QUEUE_DESC_INIT ACCEL_SIZED_INIT(accel_queue_desc)

/* Operations of one queue take effect in order; different queues are independent. The first failure of an operation
 * stays with its queue: later operations are skipped until accel_queue_wait has reported it. Errors: ACCEL_UNSUPPORTED
 * (the host). */
ACCEL_API accel_status accel_queue_create(accel_device *device, const accel_queue_desc *desc, accel_queue **queue);
ACCEL_API accel_queue *accel_queue_retain(accel_queue *queue);
ACCEL_API void accel_queue_release(accel_queue *queue);
/* Blocks until everything submitted before is complete; the calling thread may run some of it. Reports the queue's
 * failure once and clears it, except ACCEL_DEVICE_LOST. */
ACCEL_API accel_status accel_queue_wait(accel_queue *queue);
/* Is everything submitted before complete, or skipped after a failure? Does not wait, and reports no failure. */
ACCEL_API accel_status accel_queue_is_idle(accel_queue *queue, bool *yes);
/* Operations submitted afterwards start after the event's latest record so far, on any device. */
ACCEL_API accel_status accel_queue_wait_event(accel_queue *queue, accel_event *event);
/* Runs the function once, in order, also after a failure. */
ACCEL_API accel_status accel_queue_call(accel_queue *queue, accel_host_fn function, void *user);
/* Borrowed. */
ACCEL_API accel_device *accel_queue_device(const accel_queue *queue);

/* -------------------------------------------------------------------------------------------- event -- */

enum accel_event_flag { ACCEL_EVENT_TIMING = 1 };

typedef struct accel_event_desc {
    uint32_t struct_size;
    uint32_t flags; /* enum accel_event_flag */
} accel_event_desc;
#define ACCEL_EVENT_DESC_INIT ACCEL_SIZED_INIT(accel_event_desc)

/* An event that was never recorded counts as complete. On the host's device: a host event, see accel_event_arm. */
ACCEL_API accel_status accel_event_create(accel_device *device, const accel_event_desc *desc, accel_event **event);
ACCEL_API accel_event *accel_event_retain(accel_event *event);
ACCEL_API void accel_event_release(accel_event *event);
/* The event is complete when everything submitted to the queue before is. Replaces an earlier record. The queue's device
 * must be of the event's backend and instance. */
ACCEL_API accel_status accel_event_record(accel_event *event, accel_queue *queue);
ACCEL_API accel_status accel_event_is_complete(accel_event *event, bool *yes);
/* Blocks until the latest record is complete, and returns the failure that it carries. */
ACCEL_API accel_status accel_event_wait(accel_event *event);
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
/* Completes the event, with ACCEL_OK or with a failure, which is passed on to accel_event_wait and to the queues that wait.
 * Never blocks; allowed on any thread and in host functions. Errors: ACCEL_INVALID (the event is not armed, or it is no host
 * event, or the status is ACCEL_NOT_READY or none of enum accel_status: the event stays armed). */
ACCEL_API accel_status accel_event_signal(accel_event *event, accel_status status);

/* ------------------------------------------------------------------------------------------- buffer -- */

enum accel_buffer_flag {
    ACCEL_BUFFER_PINNED = 1, /* host memory, locked for the device's transfers */
    ACCEL_BUFFER_MAPPED = 2, /* host memory that the device's kernels can use */
    ACCEL_BUFFER_MANAGED = 4 /* moves by itself between host and device */
};

typedef struct accel_buffer_desc {
    uint32_t struct_size;
    uint32_t flags;                /* 0, or one of enum accel_buffer_flag */
    size_t element_size;           /* bytes, not 0 */
    uint32_t dims;                 /* 1 to 6 */
    size_t extent[ACCEL_MAX_DIMS]; /* elements; 0 is legal */
    /* Bytes from one index to the next, per dimension: a multiple of element_size. 0: the library chooses; in
     * accel_buffer_wrap rows follow one another, as in an array of C. */
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
    void *host_ptr;               /* the host's address of it; NULL if it has none */
    accel_device *device;         /* whose memory it is: the host's for ACCEL_BUFFER_PINNED. Borrowed */
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
 * ACCEL_OUT_OF_MEMORY, ACCEL_LIMIT (sizes that overflow), ACCEL_UNSUPPORTED (a flag that the device does not have). */
ACCEL_API accel_status accel_buffer_create(accel_device *device, const accel_buffer_desc *desc, accel_buffer **buffer);
/* As create, but allocated and given back in the order of the queue. */
ACCEL_API accel_status accel_buffer_create_async(accel_queue *queue, const accel_buffer_desc *desc,
                                                 accel_buffer **buffer);
/* The caller's memory as a buffer of the device. It stays the caller's and must outlive the buffer and its work. Errors:
 * ACCEL_LIMIT (sizes that overflow, or reach beyond the address space). */
ACCEL_API accel_status accel_buffer_wrap(accel_device *device, void *ptr, const accel_buffer_desc *desc,
                                         accel_buffer **buffer);
/* A part of a buffer, with its dimensions and pitches. offset NULL: zero; extent NULL: all that remains. */
ACCEL_API accel_status accel_buffer_view(accel_buffer *whole, const size_t offset[], const size_t extent[],
                                         accel_buffer **view);
ACCEL_API accel_buffer *accel_buffer_retain(accel_buffer *buffer);
/* Safe at any time: after the last release the memory goes back once the work is complete that was submitted to queues of
 * its device before. Wrapped memory stays the caller's. */
ACCEL_API void accel_buffer_release(accel_buffer *buffer);
/* The address of the first element for kernels of the device, to be put into argument structs. NULL for NULL. */
ACCEL_API void *accel_buffer_ptr(const accel_buffer *buffer);
/* Shape, pitches, host address and device of a buffer or view. Never blocks. */
ACCEL_API accel_status accel_buffer_info(const accel_buffer *buffer, accel_buffer_properties *properties);

/* Copies `extent` elements (a value per dimension; NULL: all, of equal extents) from the origin of src to the origin of
 * dst. The queue belongs to the device of one of them, which may be any two. Element sizes and dimensions must be equal. A
 * copy whose source and destination share elements is an error. Both buffers are kept alive until it is done. */
ACCEL_API accel_status accel_copy(accel_queue *queue, accel_buffer *dst, accel_buffer *src, const size_t extent[]);
/* Copy a whole buffer of the queue's device from and to dense host memory, which must stay untouched until the operation is
 * complete. Buffers of the host have no queue: the program reads and writes them itself. */
ACCEL_API accel_status accel_write(accel_queue *queue, accel_buffer *dst, const void *src);
ACCEL_API accel_status accel_read(accel_queue *queue, void *dst, accel_buffer *src);
/* Fills `extent` elements (NULL: all) at the origin, on a queue of the buffer's device. Each row repeats the pattern of
 * 1 to 4096 bytes, and is a whole number of them. The pattern is copied before the call returns. */
ACCEL_API accel_status accel_fill(accel_queue *queue, accel_buffer *buffer, const void *pattern, size_t pattern_size,
                                  const size_t extent[]);

/* ---------------------------------------------------------------------------------- module and kernel -- */

typedef struct accel_bundle accel_bundle; /* accel/object.h; made by accelcc --embed */

#ifndef ACCEL_NO_ARGS_DEFINED
#define ACCEL_NO_ARGS_DEFINED
typedef struct accel_no_args { /* the argument struct of a kernel without arguments */
    uint8_t none;
} accel_no_args;
#endif

/* Loads the best object of library `name` (NAME.TARGET.FORMAT) that the device can run. Searched are ACCEL_KERNEL_PATH,
 * the instance's kernel_path and the executable's directory. Blocking: what has to be compiled (PTX) is compiled here.
 * Errors: ACCEL_NOT_FOUND (the text lists what was found where, and the target that would help), ACCEL_INCOMPATIBLE,
 * ACCEL_IO. Objects are code. Header, tables' places, target and descriptors are checked, so a truncated, foreign or
 * older file is an error, and so is an object for CPUs that differs from what accelcc wrote. Of objects that were
 * stripped or made otherwise, a change inside the code or the loader's tables is not noticed, and may crash. */
ACCEL_API accel_status accel_module_load(accel_device *device, const char *name, accel_module **module);
/* Loads this object, without a choice. */
ACCEL_API accel_status accel_module_load_file(accel_device *device, const char *path, accel_module **module);
/* Loads the best object of the bundle. */
ACCEL_API accel_status accel_module_load_bundle(accel_device *device, const accel_bundle *bundle,
                                                accel_module **module);
ACCEL_API accel_module *accel_module_retain(accel_module *module);
ACCEL_API void accel_module_release(accel_module *module);
/* Borrowed. The first call for a name blocks and puts the kernel's code on the device, which drivers that load lazily
 * would do at the first launch. Errors: ACCEL_NOT_FOUND, with the nearest names; ACCEL_LIMIT (its arguments exceed the
 * device's max_args_size). */
ACCEL_API accel_status accel_module_kernel(accel_module *module, const char *name, accel_kernel **kernel);
/* The memory of a device global or constant, as a one-dimensional buffer of bytes. */
ACCEL_API accel_status accel_module_global(accel_module *module, const char *name, accel_buffer **buffer);
ACCEL_API accel_kernel *accel_kernel_retain(accel_kernel *kernel);
ACCEL_API void accel_kernel_release(accel_kernel *kernel);

/* One object file on the kernel path, as a device sees it. Strings live during the visit. */
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
/* The kernel path for people: the directories that are searched, in order, one per line, and a last line about entries
 * that are ignored because they are not absolute. Lives as long as the instance; "" for NULL. */
ACCEL_API const char *accel_instance_kernel_path(const accel_instance *instance);
/* Receives one object; returns false to end the visit. */
typedef bool (*accel_object_visitor)(void *user, const accel_object_properties *properties);
/* Shows every object of the library (NULL: of all) on the kernel path, best first per library. Those of libaccel's own
 * kernels, "accel-algorithms", are beside the plugins instead. */
ACCEL_API accel_status accel_device_visit_objects(accel_device *device, const char *library,
                                                  accel_object_visitor visitor, void *user);

enum accel_kernel_form {
    ACCEL_KERNEL_FORM_BLOCK = 1,
    ACCEL_KERNEL_FORM_THREAD = 2,
    ACCEL_KERNEL_FORM_THREAD_NOSYNC = 3
};

enum accel_pattern {
    ACCEL_PATTERN_REDUCE = 1,    /* accel_reduce runs it (accel/pattern.h) */
    ACCEL_PATTERN_SCATTER = 2,   /* of a scatter: accel_scatter_create takes it */
    ACCEL_PATTERN_SCAN = 3,      /* accel_scan runs it */
    ACCEL_PATTERN_SCAN_FINAL = 4 /* accel_scan does, also without a result */
};

typedef struct accel_kernel_properties {
    uint32_t struct_size;
    uint32_t form; /* enum accel_kernel_form */
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
    uint32_t pattern;        /* enum accel_pattern; 0: a kernel that accel_launch runs */
    uint32_t pattern_dims;   /* 1 to 3 for patterns, else 0 */
    size_t element_size;     /* bytes of a pattern's result, else 0 */
} accel_kernel_properties;
#define ACCEL_KERNEL_PROPERTIES_INIT ACCEL_SIZED_INIT(accel_kernel_properties)
/* What the kernel's descriptor says, and what it needs and may have on its device. Never blocks. */
ACCEL_API accel_status accel_kernel_info(const accel_kernel *kernel, accel_kernel_properties *properties);

/* ---------------------------------------------------------------------------------- work and launch -- */

enum accel_work_flag {
    /* A cooperative launch: all blocks are on the device at the same time, so a block may wait for what another one
     * writes. Errors: ACCEL_UNSUPPORTED (a device without ACCEL_FEATURE_COOPERATIVE), ACCEL_LIMIT (more blocks than the
     * device holds at once). */
    ACCEL_WORK_COOPERATIVE = 1
};

typedef struct accel_work {
    uint32_t struct_size;
    uint32_t flags;                 /* enum accel_work_flag */
    uint32_t dims;                  /* 1 to 6; last dimension is x; those above three fold into z */
    size_t blocks[ACCEL_MAX_DIMS];  /* per grid; a 0 makes the launch a no-op */
    size_t threads[ACCEL_MAX_DIMS]; /* per block, at least 1; 0 is refused */
    size_t elems[ACCEL_MAX_DIMS];   /* per thread, at least 1; their meaning is the kernel's. 0 is refused */
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

enum accel_divide_flag {
    ACCEL_DIVIDE_COOPERATIVE = 1 /* for a cooperative launch: no more blocks than the device holds at once */
};

/* Wishes for a work division; 0 leaves a value to the library. */
typedef struct accel_divide_desc {
    uint32_t struct_size;
    uint32_t flags;                 /* enum accel_divide_flag */
    size_t threads[ACCEL_MAX_DIMS]; /* per block, exactly */
    size_t max_threads;             /* per block, product of the dimensions, at most */
    size_t elems[ACCEL_MAX_DIMS];   /* per thread, exactly */
    size_t elem_ns;                 /* what an element takes on a CPU, about, in nanoseconds; GPUs ignore it */
    size_t shared_bytes;            /* dynamic shared memory the block will need */
} accel_divide_desc;
#define ACCEL_DIVIDE_DESC_INIT ACCEL_SIZED_INIT(accel_divide_desc)

/* A division of `extent` that suits kernel and device: blocks x threads x elems covers the extent in every dimension,
 * and no launch refuses it. Without wishes, block kernels get as many elements per thread as suits the device's caches
 * and the number of its cores; thread kernels get one. On CPUs there are at least as many blocks as CPUs, or as elements
 * if these are fewer. Who knows that elements are few and heavy, or differ, wishes elem_ns: blocks then take about 20 us,
 * down to one element each, and a launch of a few microseconds gets one block. The result depends on kernel, extent,
 * wishes and device alone, not on earlier launches. Errors: ACCEL_LIMIT (no division can satisfy the wishes),
 * ACCEL_UNSUPPORTED (a wish that the device does not have), ACCEL_KERNEL_FAULT, ACCEL_DEVICE_LOST, ACCEL_DRIVER (the device
 * failed, or its driver does not tell how many threads fill it). */
ACCEL_API accel_status accel_work_divide(accel_kernel *kernel, uint32_t dims, const size_t extent[],
                                         const accel_divide_desc *wish, accel_work *work);

#define ACCEL_RANGE_INIT ACCEL_SIZED_INIT(accel_range)

/* A division for a kernel that visits `range` (accel/range.h) with ACCEL_FOR_EACH_RANGE_1D to _6D. Tiles that are 0 in it
 * become what suits the device: on CPUs long in the fastest dimension and enough for all cores, on GPUs a block's threads.
 * Its order says which dimension that is; 0 becomes the device's choice.
 * The work has one dimension, the tiles; the wish elem_ns is what an element of the range takes. Pass the range as it is
 * then in the kernel's arguments. Errors: ACCEL_INVALID (dims, order, begin or end), ACCEL_LIMIT (more elements than size_t
 * counts), and those of accel_work_divide. */
ACCEL_API accel_status accel_range_divide(accel_kernel *kernel, accel_range *range, const accel_divide_desc *wish,
                                          accel_work *work);

/* Runs the kernel over the work. `args` is the kernel's argument struct; it is copied before the call returns, and
 * args_size must be the kernel's own. What its pointers point to must stay valid until the work is done. Errors:
 * ACCEL_LIMIT (the text names it), ACCEL_UNSUPPORTED (a flag of the work that the device does not have). */
ACCEL_API accel_status accel_launch(accel_queue *queue, accel_kernel *kernel, const accel_work *work, const void *args,
                                    size_t args_size);

/* accel_work_divide without wishes and accel_launch in one: runs the kernel over `extent`. The division is remembered:
 * only the first launch over an extent pays for it. Errors: those of the two. */
ACCEL_API accel_status accel_launch_over(accel_queue *queue, accel_kernel *kernel, uint32_t dims, const size_t extent[],
                                         const void *args, size_t args_size);

/* ----------------------------------------------------------------------------------- native handles -- */

/* The vendor's handle of an object: context, stream, event, module, function. Borrowed. CPUs have two: dlopen's handle
 * of a module, and the descriptor (accel/object.h) of a kernel; the others are ACCEL_UNSUPPORTED.
 *
 * What the program submits to a queue's stream comes behind what was submitted to the queue before the call that gave the
 * stream. That call waits for a large copy of memory that is not pinned, if one is under way (docs/gpu.md).
 *
 * Calls that use a GPU find the vendor's current context and leave it as it was. If the thread had none, the device's
 * primary context stays current (docs/gpu.md). */
ACCEL_API accel_status accel_device_native(accel_device *device, void **native);
ACCEL_API accel_status accel_queue_native(accel_queue *queue, void **native);
ACCEL_API accel_status accel_event_native(accel_event *event, void **native);
ACCEL_API accel_status accel_module_native(accel_module *module, void **native);
ACCEL_API accel_status accel_kernel_native(accel_kernel *kernel, void **native);
/* A queue on the caller's stream, which stays the caller's and must outlive the queue and its work. Errors:
 * ACCEL_UNSUPPORTED (CPUs). */
ACCEL_API accel_status accel_queue_wrap(accel_device *device, void *native, accel_queue **queue);

/* --------------------------------------------------------------------------------- names for tools -- */

/* Tools (accel/tool.h) and timelines show these, and the reports of cpu-check those of buffers. Otherwise the functions check
 * their parameters and return. */
enum accel_object_kind {
    ACCEL_OBJECT_DEVICE = 1,
    ACCEL_OBJECT_QUEUE = 2,
    ACCEL_OBJECT_EVENT = 3,
    ACCEL_OBJECT_BUFFER = 4,
    ACCEL_OBJECT_MODULE = 5,
    ACCEL_OBJECT_KERNEL = 6
};
/* Gives the object, whose kind it is, a name; another one replaces it. Views, wrapped memory and host events keep none.
 * Allowed in host functions. */
ACCEL_API accel_status accel_object_name(uint32_t kind, void *object, const char *name);
/* Begins a named region of the calling thread, and ends its innermost one. Regions nest. Forwarded to NVTX and roctx, if
 * their libraries are found. Never block; allowed in host functions. Errors of pop: ACCEL_INVALID (none is open). */
ACCEL_API accel_status accel_region_push(const char *name);
ACCEL_API accel_status accel_region_pop(void);

#ifdef __cplusplus
}
#endif

#endif
