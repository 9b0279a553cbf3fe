/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/plugin.h - the plugin ABI: what a backend hands to libaccel, and what it is handed.
 *
 * A backend is a shared object `libaccel-NAME.so` that exports one constant, `accel_plugin_descriptor`. libaccel
 * reads the descriptor out of the file and checks it before it loads the plugin, opens it with RTLD_NOW | RTLD_LOCAL,
 * never unloads it, and calls `open` once per instance that selects the backend. A plugin includes this header,
 * does not link against libaccel, and calls back only through accel_host_services.
 *
 * Conventions
 *  - Every struct begins with struct_size; fields are appended, never moved. libaccel copies the smaller of its own and
 *    the plugin's size of a vtable; slots that are missing or NULL answer ACCEL_UNSUPPORTED. "required" slots may
 *    not be NULL: a plugin without one is ACCEL_BACKEND_INCOMPATIBLE.
 *  - accel_impl_* types are the plugin's own; libaccel only carries the pointers, and passes each only to the plugin
 *    that made it.
 *  - libaccel checks parameters first: NULL, devices, sizes, limits, overlap. A slot sees valid input.
 *  - A slot that fails calls host->error() for the text, returns the status, leaves its outputs alone and changes
 *    nothing else, unless it says otherwise.
 *  - Threads: every slot may be called from any thread, several at once, also for one object, except: destroy, close
 *    and free are called once, last, and after them the object is not used; record is not called for one event twice
 *    at once.
 *  - libaccel holds no lock while it calls a slot. No slot of a non-blocking queue waits for work, except `wait`.
 *  - No plugin prints, exits, aborts, changes the signal mask or the current directory, or has constructors.
 */
#ifndef ACCEL_PLUGIN_H
#define ACCEL_PLUGIN_H

#include <accel/accel.h>
#include <accel/object.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ACCEL_PLUGIN_ABI 1u
#define ACCEL_PLUGIN_SYMBOL "accel_plugin_descriptor"

typedef struct accel_impl_backend accel_impl_backend;
typedef struct accel_impl_device accel_impl_device;
typedef struct accel_impl_memory accel_impl_memory;
typedef struct accel_impl_queue accel_impl_queue;
typedef struct accel_impl_event accel_impl_event;
typedef struct accel_impl_module accel_impl_module;
typedef struct accel_impl_kernel accel_impl_kernel;

/* ------------------------------------------------------------------------------------ host services -- */

/* A counter that only grows; values are reached in order. Waits across backends go through it: one backend signals,
 * another waits or asks to be told. Reference counted; lives in libaccel. */
typedef struct accel_timeline accel_timeline;

/* Something libaccel keeps alive for an operation, to be given back with hold_release when it is done. */
typedef struct accel_hold accel_hold;

/* A request to be told; the storage is the caller's until `notify` has been called. notify runs on the signalling
 * thread, must not block, and may free the storage. */
typedef struct accel_timeline_waiter {
    struct accel_timeline_waiter *next; /* libaccel's */
    uint64_t value;                     /* libaccel's */
    void (*notify)(struct accel_timeline_waiter *, accel_status);
    void *user;
} accel_timeline_waiter;

enum { ACCEL_LOG_ERROR = 1, ACCEL_LOG_WARNING, ACCEL_LOG_INFO, ACCEL_LOG_DEBUG };

#if defined(__GNUC__)
#define ACCEL_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define ACCEL_PRINTF(format_index, first_index)
#endif

/* All functions may be called from any thread, and live as long as the process. */
typedef struct accel_host_services {
    uint32_t struct_size;
    uint32_t abi; /* ACCEL_PLUGIN_ABI of libaccel */
    /* A line of the log; does nothing unless ACCEL_LOG asks for the level. */
    void (*log)(uint32_t level, const char *format, ...) ACCEL_PRINTF(2, 3);
    /* Sets the calling thread's error text and returns `status`. */
    accel_status (*error)(accel_status status, const char *format, ...) ACCEL_PRINTF(2, 3);
    /* The calling thread's error text, to be kept with a queue's failure. */
    const char *(*error_message)(void);
    /* The value in force of an ACCEL_ variable of libaccel's table, or NULL if it is unset. Lives as long as the
     * process. */
    const char *(*config)(const char *name);
    /* Incremented in the child of a fork. Compare with the value seen when an object was made. */
    const volatile uint32_t *fork_generation;

    accel_status (*timeline_create)(accel_timeline **);
    void (*timeline_retain)(accel_timeline *);
    void (*timeline_release)(accel_timeline *);
    /* Reaches `value` (greater than all before; one signaller at a time) with the status that its waiters inherit. */
    void (*timeline_signal)(accel_timeline *, uint64_t value, accel_status);
    /* Has `value` been reached? If so *status is what it carries (status may be NULL). Value 0 always is. */
    bool (*timeline_reached)(accel_timeline *, uint64_t value, accel_status *status);
    /* Blocks until reached: spins briefly, then sleeps. Returns what the value carries. */
    accel_status (*timeline_wait)(accel_timeline *, uint64_t value);
    /* Asks to be told. Returns false, without calling notify, if the value is reached already. */
    bool (*timeline_on_signal)(accel_timeline *, uint64_t value, accel_timeline_waiter *);
    /* Gives back what an operation held; NULL is allowed. Not from a driver's callback. */
    void (*hold_release)(accel_hold *);
} accel_host_services;

/* ----------------------------------------------------------------------------------------- requests -- */

/* Memory to be allocated. */
typedef struct accel_memory_request {
    uint32_t struct_size;
    uint32_t flags;   /* 0, ACCEL_BUFFER_PINNED, _MAPPED or _MANAGED */
    size_t size;      /* bytes, not 0 */
    size_t alignment; /* of the address, a power of two */
} accel_memory_request;

/* A copy, normalised: dimensions that lie densely in both regions are merged, so that most copies have one. */
typedef struct accel_copy_params {
    uint32_t struct_size;
    uint32_t dims;                 /* 1 to 6 */
    size_t extent[ACCEL_MAX_DIMS]; /* extent[dims - 1] in bytes, the others count rows, planes, ...; none is 0 */
    void *dst;
    const void *src;
    size_t dst_pitch[ACCEL_MAX_DIMS]; /* bytes from one index to the next; [dims - 1] is 1 */
    size_t src_pitch[ACCEL_MAX_DIMS];
    accel_impl_device *dst_device; /* NULL: memory the host can address */
    accel_impl_device *src_device;
    /* To be released when done, also if skipped; NULL for blocking queues. If the slot fails they stay libaccel's. */
    accel_hold *holds[2];
} accel_copy_params;

typedef struct accel_fill_params {
    uint32_t struct_size;
    uint32_t dims;
    size_t extent[ACCEL_MAX_DIMS]; /* extent[dims - 1] in bytes, a multiple of pattern_size; none is 0 */
    void *dst;
    size_t pitch[ACCEL_MAX_DIMS];
    const void *pattern; /* to be copied before the slot returns */
    size_t pattern_size; /* 1 to 4096 */
    accel_hold *hold;    /* as above */
} accel_fill_params;

/* A kernel object to be loaded. libaccel has checked that it is whole and made for the device, and what its bytes say of
 * the kernels' descriptors. */
typedef struct accel_image {
    uint32_t struct_size;
    uint32_t flags;      /* 0 */
    const char *library; /* "blas1" */
    const char *target;  /* "x86-64-v3" */
    const char *format;  /* "so" */
    const char *path;    /* the file; NULL if it came from a bundle */
    const void *data;    /* its bytes, readable during the call */
    size_t size;
    const char *const *kernels; /* names of its kernels, during the call; NULL where the format does not tell */
    size_t kernel_count;
} accel_image;

/* How a kernel likes to be launched. */
typedef struct accel_suggestion {
    uint32_t struct_size;
    uint32_t threads; /* per block: the best number if the caller has no wish */
    uint32_t blocks;  /* that fill the device once with blocks of that size */
    uint32_t chunk;   /* smallest number of elements per block worth the hand-out; 1 if it does not matter */
    /* Elements of a block whose data, in its usual weight, stays in a cache; 0 if it does not matter. */
    uint32_t cache_elems;
} accel_suggestion;

/* ------------------------------------------------------------------------------------------ vtables -- */

typedef struct accel_backend_vtable {
    uint32_t struct_size;
    uint32_t reserved;
    /* required. Called once, after every object of the backend is gone. */
    void (*close)(accel_impl_backend *);
    /* required. Devices with ordinals 0 to count-1; fixed for the backend's life. */
    uint32_t (*device_count)(accel_impl_backend *);
    /* required. Cheap: makes no driver context. Called at most once per ordinal. */
    accel_status (*device_open)(accel_impl_backend *, uint32_t ordinal, accel_impl_device **);
} accel_backend_vtable;

typedef struct accel_device_vtable {
    uint32_t struct_size;
    uint32_t reserved;
    /* required. After all its objects are gone. */
    void (*close)(accel_impl_device *);
    /* required. Fills every field it knows; name and backend are libaccel's. Called once, after device_open. */
    accel_status (*info)(accel_impl_device *, accel_device_properties *);
    /* optional */
    accel_status (*native)(accel_impl_device *, void **);
    /* optional. Writes up to capacity devices and the full count; each is closed like any other, before its parent. */
    accel_status (*partition)(accel_impl_device *, const accel_partition_desc *, accel_impl_device **, size_t capacity,
                              size_t *count);

    /* optional */
    accel_status (*memory)(accel_impl_device *, size_t *free_bytes, size_t *total_bytes);
    /* optional. The peer is of the same backend. */
    accel_status (*can_access)(accel_impl_device *, accel_impl_device *peer, bool *yes);
    /* required. ptr: as kernels see it; host_ptr: as the host does, or NULL. */
    accel_status (*allocate)(accel_impl_device *, const accel_memory_request *, accel_impl_memory **, void **ptr,
                             void **host_ptr);
    /* required. Never waits: the memory goes back once the work is complete that was submitted to queues of the device
     * before; on a CPU, to queues of any CPU backend of the process. */
    void (*free)(accel_impl_device *, accel_impl_memory *);

    /* required. Priority is within the device's range. */
    accel_status (*queue_create)(accel_impl_device *, uint32_t flags, int32_t priority, accel_impl_queue **);
    /* optional */
    accel_status (*queue_wrap)(accel_impl_device *, void *native, accel_impl_queue **);
    /* required */
    accel_status (*event_create)(accel_impl_device *, uint32_t flags, accel_impl_event **);

    /* required. How well the device runs objects of this target and format: 0 not at all, more is better. Writes a
     * short reason for either ("needs AVX-512, which the system has not enabled"). Pure. */
    uint32_t (*target_rank)(accel_impl_device *, const char *target, const char *format, char *reason,
                            size_t reason_size);
    /* optional. As target_rank, which did not refuse the object, with its bytes at hand: for what its name does not tell,
     * such as the version of its language. Pure. */
    uint32_t (*image_rank)(accel_impl_device *, const accel_image *, char *reason, size_t reason_size);
    /* required. Blocking; leaves nothing to compile for later. ACCEL_INCOMPATIBLE: the object, or the descriptor of one
     * of its kernels, cannot be used. */
    accel_status (*module_load)(accel_impl_device *, const accel_image *, accel_impl_module **);
} accel_device_vtable;

/* Operations take effect in order. On a queue with ACCEL_QUEUE_BLOCKING each is complete when the slot returns. After
 * an operation failed, the later ones are skipped (holds released, host functions called with the status, events
 * recorded with it) until `wait` has reported the failure. On a blocking queue the slot returns the operation's own
 * failure, or the queue's if it was skipped. */
typedef struct accel_queue_vtable {
    uint32_t struct_size;
    uint32_t reserved;
    /* required. Never waits: pending work finishes afterwards. */
    void (*destroy)(accel_impl_queue *);
    /* required. Runs the kernel over the work, which has libaccel's struct_size and is within the limits of device and
     * kernel: 1 to 6 dimensions, the slowest first; no number is 0; folded to x, y, z as accel_work says, blocks fit
     * 32 bits each and threads the kernel's block; flags are 0, or ACCEL_WORK_COOPERATIVE where the device has
     * ACCEL_FEATURE_COOPERATIVE. `args` is the kernel's argument struct, never NULL. The slot copies of both what it
     * needs after it returned. */
    accel_status (*launch)(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work,
                           const void *args);
    /* required */
    accel_status (*copy)(accel_impl_queue *, const accel_copy_params *);
    /* required */
    accel_status (*fill)(accel_impl_queue *, const accel_fill_params *);
    /* required. Exactly once, with the queue's status, also after a failure. */
    accel_status (*call)(accel_impl_queue *, accel_host_fn, void *user);
    /* required. Replaces what the event recorded before. */
    accel_status (*record)(accel_impl_queue *, accel_impl_event *);
    /* required. An event of the same backend: its latest record at the time of the call. */
    accel_status (*wait_event)(accel_impl_queue *, accel_impl_event *);
    /* required. Occupies no thread while it waits, unless the queue is blocking. */
    accel_status (*wait_timeline)(accel_impl_queue *, accel_timeline *, uint64_t value);
    /* required. Everything submitted before; the calling thread may run it. Returns the first failure and clears it. */
    accel_status (*wait)(accel_impl_queue *);
    /* required. Gives no failure: a queue that failed is idle once its last operation was skipped. */
    accel_status (*is_idle)(accel_impl_queue *, bool *);
    /* optional: then device.allocate is used. Memory for use on this queue, freed with free_async. */
    accel_status (*allocate_async)(accel_impl_queue *, const accel_memory_request *, accel_impl_memory **, void **ptr,
                                   void **host_ptr);
    /* optional, with allocate_async. Takes the memory back after everything submitted so far; cannot fail. */
    void (*free_async)(accel_impl_queue *, accel_impl_memory *);
    /* optional. Called in the child of a fork before the queue's first use there: ACCEL_OK if the queue was idle and
     * works on. NULL: ACCEL_FORKED. */
    accel_status (*after_fork)(accel_impl_queue *);
    /* optional */
    accel_status (*native)(accel_impl_queue *, void **);
} accel_queue_vtable;

typedef struct accel_event_vtable {
    uint32_t struct_size;
    uint32_t reserved;
    /* required. A pending record completes without it. */
    void (*destroy)(accel_impl_event *);
    /* required. True if never recorded. */
    accel_status (*is_complete)(accel_impl_event *, bool *);
    /* required. Returns what the latest record carries. */
    accel_status (*wait)(accel_impl_event *);
    /* required. ACCEL_NOT_READY, or ACCEL_INVALID if one is not timed or not recorded, or the difference is negative. */
    accel_status (*elapsed)(accel_impl_event *start, accel_impl_event *end, uint64_t *nanoseconds);
    /* required. The latest record as a point of a timeline, for other backends: a new reference, and the value. A
     * never recorded event gives NULL and 0. */
    accel_status (*timeline)(accel_impl_event *, accel_timeline **, uint64_t *value);
    /* optional */
    accel_status (*native)(accel_impl_event *, void **);
} accel_event_vtable;

typedef struct accel_module_vtable {
    uint32_t struct_size;
    uint32_t reserved;
    /* required. Launches of its kernels may still be pending: they finish. */
    void (*unload)(accel_impl_module *);
    /* optional */
    accel_status (*native)(accel_impl_module *, void **);
    /* required */
    accel_status (*global)(accel_impl_module *, const char *name, void **ptr, void **host_ptr, size_t *size);

    /* required. Fills the kernel's properties (name, target and path are libaccel's). The kernel lives as long as its
     * module. ACCEL_NOT_FOUND, ACCEL_INCOMPATIBLE (its descriptor), ACCEL_LIMIT (its arguments). */
    accel_status (*kernel)(accel_impl_module *, const char *name, accel_impl_kernel **, accel_kernel_properties *);
    /* optional */
    accel_status (*kernel_native)(accel_impl_kernel *, void **);
    /* optional. How blocks with this much dynamic shared memory, at most the kernel's limit, are best launched. Members
     * left 0 are libaccel's choice, as all are after ACCEL_UNSUPPORTED; other failures are those of accel_work_divide. */
    accel_status (*suggest)(accel_impl_kernel *, size_t shared_bytes, accel_suggestion *);
    /* optional: then no division is made for cooperative launches. How many blocks of so many threads, with this much
     * dynamic shared memory, the device holds at once. A cooperative launch of more is refused by the queue's `launch`,
     * with ACCEL_LIMIT and this number in the text. */
    accel_status (*resident_blocks)(accel_impl_kernel *, uint32_t threads, size_t shared_bytes, uint64_t *blocks);
} accel_module_vtable;

/* --------------------------------------------------------------------------------------- descriptor -- */

typedef struct accel_open_params {
    uint32_t struct_size;
    uint32_t flags; /* 0 */
} accel_open_params;

/* Filled by open. If open fails, `state` says what the failure means (ACCEL_BACKEND_BROKEN unless set); the rest is
 * ignored. */
typedef struct accel_open_result {
    uint32_t struct_size;
    uint32_t state; /* ACCEL_BACKEND_* */
    accel_impl_backend *backend;
    const accel_backend_vtable *backend_vtable;
    const accel_device_vtable *device_vtable;
    const accel_queue_vtable *queue_vtable;
    const accel_event_vtable *event_vtable;
    const accel_module_vtable *module_vtable;
} accel_open_result;

/* The exported constant. Everything before `open` is plain data and is read from the file, without loading it. */
typedef struct accel_plugin {
    uint32_t abi;         /* ACCEL_PLUGIN_ABI */
    uint32_t struct_size; /* sizeof(accel_plugin) */
    char name[32];        /* "cpu-serial": lower case, digits and '-' */
    char build[88];       /* how it was built, for people */
    /* Called once per instance, after all checks. The host's services live as long as the process. */
    accel_status (*open)(const accel_host_services *host, const accel_open_params *params, accel_open_result *result);
} accel_plugin;

#ifdef __cplusplus
}
#endif

#endif
