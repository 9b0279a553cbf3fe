/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/plugin.h - the plugin ABI: what a backend hands to libaccel, and what it is handed.
 *
 * A backend is a shared object `libaccel-NAME.so` that exports one constant, `accel_plugin_descriptor`. libaccel
 * reads the descriptor out of the file and checks it before it loads the plugin. It opens the plugin with
 * RTLD_NOW | RTLD_LOCAL, never unloads it, and calls `open` once per instance that selects the backend. A plugin
 * includes this header, does not link against libaccel, and calls back only through accel_host_services.
 *
 * Conventions
 *  - Every struct begins with struct_size. Members are appended, never moved. libaccel copies the smaller of its own and
 *    the plugin's size of a vtable. Optional slots that are missing or NULL return ACCEL_UNSUPPORTED, unless their
 *    comment says otherwise; a plugin without a required slot is ACCEL_BACKEND_INCOMPATIBLE.
 *  - Of a struct that libaccel hands to a slot or a slot fills, both sides use the members that they have in common:
 *    those within the smaller struct_size. All members of this version are there in every later one.
 *  - accel_impl_* types are the plugin's own. libaccel only carries the pointers, and passes each to the plugin that
 *    made it.
 *  - libaccel checks parameters first: NULL, devices, sizes, limits, overlap. A slot sees valid input.
 *  - A slot that fails calls host->error() for the text and returns the status. It leaves its outputs alone and changes
 *    nothing else, unless its comment says otherwise.
 *  - Threads: every slot may be called from any thread, several at once, also for one object. Exceptions: destroy, close
 *    and free are called once, last, and the object is not used after them; record is not called twice at once for one
 *    event.
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

/* A counter that only grows, so its values are reached in order. Waits across backends use it: one backend signals,
 * another one waits or asks to be notified. Reference counted; lives in libaccel. */
typedef struct accel_timeline accel_timeline;

/* Something that libaccel keeps alive for an operation. The plugin gives it back by hold_release when that is done. */
typedef struct accel_hold accel_hold;

/* A request to be notified. The caller keeps the storage until `notify` is called. notify runs on the signalling thread,
 * must not block, and may free the storage. */
typedef struct accel_timeline_waiter {
    struct accel_timeline_waiter *next; /* libaccel's */
    uint64_t value;                     /* libaccel's */
    void (*notify)(struct accel_timeline_waiter *waiter, accel_status status);
    void *user;
} accel_timeline_waiter;

enum accel_log_level { ACCEL_LOG_ERROR = 1, ACCEL_LOG_WARNING = 2, ACCEL_LOG_INFO = 3, ACCEL_LOG_DEBUG = 4 };

#if defined(__GNUC__)
#define ACCEL_PRINTF_FORMAT(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define ACCEL_PRINTF_FORMAT(format_index, first_index)
#endif

/* All functions may be called from any thread, and live as long as the process. */
typedef struct accel_host_services {
    uint32_t struct_size;
    uint32_t abi; /* ACCEL_PLUGIN_ABI of libaccel */
    /* Writes a line of the log (enum accel_log_level); does nothing unless ACCEL_LOG asks for the level. */
    void (*log)(uint32_t level, const char *format, ...) ACCEL_PRINTF_FORMAT(2, 3);
    /* Sets the calling thread's error text and returns `status`. */
    accel_status (*error)(accel_status status, const char *format, ...) ACCEL_PRINTF_FORMAT(2, 3);
    /* The calling thread's error text, to be kept with a queue's failure. */
    const char *(*error_message)(void);
    /* The value of one of the plugin's variables: the environment's, which was checked, or the default, or NULL if it has
     * neither. Of several instances, the latest one's. Lives as long as the process. */
    const char *(*config)(const char *name);
    /* Incremented in the child of a fork. Compare it with its value when an object was made. */
    const volatile uint32_t *fork_generation;

    accel_status (*timeline_create)(accel_timeline **timeline);
    void (*timeline_retain)(accel_timeline *timeline);
    void (*timeline_release)(accel_timeline *timeline);
    /* Reaches `value`, which is greater than all before; one thread signals at a time. Waiters inherit the status:
     * ACCEL_DEVICE_LOST as ACCEL_UNAVAILABLE, because libaccel takes the former for the loss of their own device. */
    void (*timeline_signal)(accel_timeline *timeline, uint64_t value, accel_status status);
    /* Was `value` reached? If so, *status is what it carries (status may be NULL). Value 0 always was. */
    bool (*timeline_reached)(accel_timeline *timeline, uint64_t value, accel_status *status);
    /* Blocks until `value` is reached: spins briefly, then sleeps. Returns what the value carries. */
    accel_status (*timeline_wait)(accel_timeline *timeline, uint64_t value);
    /* Asks to be notified. Returns false, without calling notify, if the value was reached before. */
    bool (*timeline_on_signal)(accel_timeline *timeline, uint64_t value, accel_timeline_waiter *waiter);
    /* Gives back what an operation held. NULL is allowed. Not to be called in a driver's callback. */
    void (*hold_release)(accel_hold *hold);
} accel_host_services;

/* ----------------------------------------------------------------------------------------- requests -- */

/* Memory to be allocated. */
typedef struct accel_memory_request {
    uint32_t struct_size;
    uint32_t flags;   /* enum accel_buffer_flag */
    size_t size;      /* bytes, not 0 */
    size_t alignment; /* of the address, a power of two */
} accel_memory_request;

/* A copy, normalised: dimensions that are dense in both regions are merged, so most copies have one. */
typedef struct accel_copy_params {
    uint32_t struct_size;
    uint32_t dims;                 /* 1 to 6 */
    size_t extent[ACCEL_MAX_DIMS]; /* extent[dims - 1] in bytes, the others count rows, planes, ...; none is 0 */
    void *dst;
    const void *src;
    size_t dst_pitch[ACCEL_MAX_DIMS]; /* bytes from one index to the next; [dims - 1] is 1 */
    size_t src_pitch[ACCEL_MAX_DIMS];
    accel_impl_device *dst_device; /* NULL: memory that the host can address */
    accel_impl_device *src_device;
    /* To be released when the copy is done or skipped. NULL on blocking queues. If the slot fails they stay libaccel's. */
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

/* A kernel object to be loaded. libaccel has checked that it is whole and made for the device, and those parts of the
 * kernels' descriptors that stand in its bytes. */
typedef struct accel_image {
    uint32_t struct_size;
    uint32_t flags;      /* 0 */
    const char *library; /* "blas1" */
    const char *target;  /* "x86-64-v3" */
    const char *format;  /* "so" */
    const char *path;    /* the file; NULL if it came from a bundle */
    const void *data;    /* its bytes, readable during the call */
    size_t size;
    const char *const *kernels; /* their names, during the call; NULL where the format does not tell */
    size_t kernel_count;
    /* The other objects of the library that libaccel found in the same search or bundle, for backends that check programs:
     * readable during the call, with struct_size to format. Files have a path, and data is NULL; what is in a bundle has data.
     * Nobody has looked into them. */
    const struct accel_image *siblings;
    size_t sibling_count;
} accel_image;

/* A part of the backend's memory, as accel_buffer_view describes it. No extent is 0. */
typedef struct accel_memory_view {
    uint32_t struct_size;
    uint32_t dims;   /* 1 to 6 */
    const void *ptr; /* the first element, as kernels see it */
    size_t element_size;
    size_t extent[ACCEL_MAX_DIMS]; /* elements */
    size_t pitch[ACCEL_MAX_DIMS];  /* bytes from one index to the next */
} accel_memory_view;

/* What a program does with a view. */
enum accel_view_use {
    ACCEL_VIEW_MADE = 1,
    ACCEL_VIEW_ADDRESSED = 2, /* it has asked for the address */
    ACCEL_VIEW_ENDED = 3,     /* released for the last time */
    ACCEL_VIEW_HOST = 4 /* no view: a buffer has memory of the host that the backend did not allocate. Told once */
};

/* How a kernel is best launched. 0 in a member: no preference. */
typedef struct accel_suggestion {
    uint32_t struct_size;
    uint32_t threads;     /* per block */
    uint32_t blocks;      /* that fill the device once, with so many threads each */
    uint32_t chunk;       /* elements of a block that are worth dispatching it, at least */
    uint32_t cache_elems; /* elements of a block whose data, of usual size, stays in a cache */
} accel_suggestion;

/* ------------------------------------------------------------------------------------------ vtables -- */

/* A slot that makes an object and succeeds gives one that is not NULL. A slot that fails says why by host->error. */
typedef struct accel_backend_vtable {
    uint32_t struct_size;
    uint32_t reserved; /* 0 in every vtable */
    /* required. Called once, after every object of the backend is gone. */
    void (*close)(accel_impl_backend *backend);
    /* required. Devices have the ordinals 0 to count - 1. The number stays the same as long as the backend lives. */
    uint32_t (*device_count)(accel_impl_backend *backend);
    /* required. Cheap: makes no driver context. Called at most once per ordinal. */
    accel_status (*device_open)(accel_impl_backend *backend, uint32_t ordinal, accel_impl_device **device);
    /* Both are optional, and both or neither are there: for backends that find errors of programs. An object of the
     * backend, of this enum accel_object_kind, or one of object_ended, has ended; slots that end it (destroy, unload, free) were called before, by
     * this thread. If the result is not 0, libaccel keeps the latest 1024 such objects readable, and calls the second with
     * that number when the program uses one in `function`, or releases it once more (function NULL), also after `close`. It
     * returns a status with a text. */
    uint64_t (*object_released)(uint32_t kind);
    accel_status (*object_misused)(uint64_t number, const char *function);
    /* optional, for backends that tell of memory. The program calls the buffer whose memory allocate or allocate_async
     * placed at `ptr` by this name, which is valid during the call; "" is none. On any thread, also in host functions. */
    void (*memory_named)(const void *ptr, const char *name);
    /* Both are optional: for backends that find errors of programs. An object of libaccel's own is there, or ends now, on
     * this thread: an event of the host (ACCEL_OBJECT_EVENT), or the instance with its devices (0). object_released is
     * called behind the second, with the same kind. */
    void (*object_made)(uint32_t kind, const void *object);
    void (*object_ended)(uint32_t kind, const void *object);
    /* optional, for backends that find errors of programs. What the program does with a view of the backend's memory (use: enum
     * accel_view_use), or that a buffer has memory of the host that the backend did not allocate. `view` tells it from others as
     * long as it lives. On any thread, also in host functions. */
    void (*memory_viewed)(const void *view, uint32_t use, const accel_memory_view *region);
} accel_backend_vtable;

typedef struct accel_device_vtable {
    uint32_t struct_size;
    uint32_t reserved;
    /* required. Called after all objects of the device are gone. */
    void (*close)(accel_impl_device *device);
    /* required. Fills every member that it knows; name and backend are libaccel's. Called once, after device_open. */
    accel_status (*info)(accel_impl_device *device, accel_device_properties *properties);
    /* optional; NULL: info fills that too. Fills what takes longer to find and what only programs want to know: numa_node,
     * sockets, cores, numa_nodes, core_kinds, topology, cache_bytes and cache_line. Called each time that the program asks for
     * the properties, with those of `info`. */
    accel_status (*topology)(accel_impl_device *device, accel_device_properties *properties);
    /* optional */
    accel_status (*native)(accel_impl_device *device, void **native);
    /* optional. Writes up to capacity devices and the full count. Each is closed like any other, before its parent. */
    accel_status (*partition)(accel_impl_device *device, const accel_partition_desc *desc, accel_impl_device **devices,
                              size_t capacity, size_t *count);

    /* optional */
    accel_status (*memory)(accel_impl_device *device, size_t *free_bytes, size_t *total_bytes);
    /* optional; NULL: no. The peer is of the same backend. */
    accel_status (*can_access)(accel_impl_device *device, accel_impl_device *peer, bool *yes);
    /* required. ptr: the address for kernels; host_ptr: the one for the host, or NULL. */
    accel_status (*allocate)(accel_impl_device *device, const accel_memory_request *request, accel_impl_memory **memory,
                             void **ptr, void **host_ptr);
    /* required. Never waits: the memory goes back once the work is complete that was submitted to queues of the device
     * before; on a CPU, to queues of any CPU backend of the process. */
    void (*free)(accel_impl_device *device, accel_impl_memory *memory);

    /* required. flags: enum accel_queue_flag. The priority is within the device's range. */
    accel_status (*queue_create)(accel_impl_device *device, uint32_t flags, int32_t priority, accel_impl_queue **queue);
    /* optional */
    accel_status (*queue_wrap)(accel_impl_device *device, void *native, accel_impl_queue **queue);
    /* required. flags: enum accel_event_flag. */
    accel_status (*event_create)(accel_impl_device *device, uint32_t flags, accel_impl_event **event);

    /* required. How well the device runs objects of this target and format: 0 not at all; more is better. Writes a short
     * reason in either case ("needs AVX-512, which the system has not enabled"). Depends on nothing else. */
    uint32_t (*target_rank)(accel_impl_device *device, const char *target, const char *format, char *reason,
                            size_t reason_size);
    /* optional; NULL: target_rank decides. As target_rank, for objects that it did not refuse, with their bytes: for what
     * the name does not tell, such as the version of the object's language. */
    uint32_t (*image_rank)(accel_impl_device *device, const accel_image *image, char *reason, size_t reason_size);
    /* required. Blocking; leaves nothing to compile for later. ACCEL_INCOMPATIBLE: the object, or the descriptor of one
     * of its kernels, cannot be used. */
    accel_status (*module_load)(accel_impl_device *device, const accel_image *image, accel_impl_module **module);
} accel_device_vtable;

#define ACCEL_MAX_WATCH_DATA 256u

/* What is called on the thread that executes an operation: right before it, and right behind it. Both are called exactly once,
 * `end` with what `begin` returned, and with the operation's status, or the queue's if it was skipped. They are quick, and call
 * no slot. Both get the operation's data, which lies at a multiple of 8 bytes. The table lives as long as the process. */
typedef struct accel_operation_watch {
    uint64_t (*begin)(const void *data);
    void (*end)(const void *data, uint64_t begun, accel_status status);
    size_t data_size; /* at most ACCEL_MAX_WATCH_DATA */
} accel_operation_watch;

/* Operations take effect in order. On a queue with ACCEL_QUEUE_BLOCKING each is complete when the slot returns. After
 * an operation failed, later ones are skipped until `wait` has reported the failure: their holds are released, host
 * functions are called with the status, and events record it. On a blocking queue the slot returns the operation's own
 * failure, or the queue's if it was skipped. */
typedef struct accel_queue_vtable {
    uint32_t struct_size;
    uint32_t reserved;
    /* required. Never waits: pending work finishes afterwards. */
    void (*destroy)(accel_impl_queue *queue);
    /* required. Runs the kernel over the work, which has libaccel's struct_size and is within the limits of device and
     * kernel: 1 to 6 dimensions, the slowest first; no number is 0; folded to x, y, z as accel_work says, blocks fit
     * 32 bits each and threads the kernel's block; flags are 0, or ACCEL_WORK_COOPERATIVE where the device has
     * ACCEL_FEATURE_COOPERATIVE. `args` is the kernel's argument struct, never NULL. The slot copies of both what it
     * needs after it returned. */
    accel_status (*launch)(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work,
                           const void *args);
    /* required */
    accel_status (*copy)(accel_impl_queue *queue, const accel_copy_params *params);
    /* required */
    accel_status (*fill)(accel_impl_queue *queue, const accel_fill_params *params);
    /* required. Called exactly once, with the queue's status, also after a failure. On a blocking queue, and on a device
     * of kind ACCEL_DEVICE_CPU, on a thread that may wait and may call slots of other devices: libaccel copies to and
     * from other backends there. */
    accel_status (*call)(accel_impl_queue *queue, accel_host_fn function, void *user);
    /* required. Replaces what the event recorded before. */
    accel_status (*record)(accel_impl_queue *queue, accel_impl_event *event);
    /* required. An event of the same backend; waits for its latest record at the time of the call. */
    accel_status (*wait_event)(accel_impl_queue *queue, accel_impl_event *event);
    /* required. Occupies no thread while it waits, unless the queue is blocking. */
    accel_status (*wait_timeline)(accel_impl_queue *queue, accel_timeline *timeline, uint64_t value);
    /* required. Waits for everything submitted before; the calling thread may run it. Returns the first failure and
     * clears it. */
    accel_status (*wait)(accel_impl_queue *queue);
    /* required. Reports no failure: a queue that failed is idle once its last operation was skipped. */
    accel_status (*is_idle)(accel_impl_queue *queue, bool *yes);
    /* optional; NULL: the device's allocate is used. Memory for use on this queue, given back by free_async. */
    accel_status (*allocate_async)(accel_impl_queue *queue, const accel_memory_request *request,
                                   accel_impl_memory **memory, void **ptr, void **host_ptr);
    /* optional; there if allocate_async is. Takes the memory back after everything submitted so far; cannot fail. */
    void (*free_async)(accel_impl_queue *queue, accel_impl_memory *memory);
    /* optional; NULL: ACCEL_FORKED. Called in the child of a fork before the queue is used there. ACCEL_OK if the queue
     * was idle and still works. */
    accel_status (*after_fork)(accel_impl_queue *queue);
    /* optional */
    accel_status (*native)(accel_impl_queue *queue, void **native);
    /* optional; NULL: libaccel has the times of launches measured by calls before and behind them. For queues without
     * ACCEL_QUEUE_BLOCKING: `launch` with somebody who watches it, and watch->data_size bytes of data, which are copied. If
     * it fails, nothing of the watch is called. */
    accel_status (*launch_watched)(accel_impl_queue *queue, accel_impl_kernel *kernel, const accel_work *work,
                                   const void *args, const accel_operation_watch *watch, const void *data);
    /* optional; NULL: libaccel begins without it. The launches and copies that the calling thread submits until end_steps
     * belong together: none of them, 32 KiB with their arguments, fails for lack of the host's memory or threads. One
     * thread at a time, and none within another. On failure nothing has begun. */
    accel_status (*begin_steps)(accel_impl_queue *queue);
    /* optional; there if begin_steps is. Never waits for what was submitted. */
    void (*end_steps)(accel_impl_queue *queue);
} accel_queue_vtable;

typedef struct accel_event_vtable {
    uint32_t struct_size;
    uint32_t reserved;
    /* required. A pending record completes without it. */
    void (*destroy)(accel_impl_event *event);
    /* required. True if the event was never recorded. */
    accel_status (*is_complete)(accel_impl_event *event, bool *yes);
    /* required. Returns what the latest record carries. */
    accel_status (*wait)(accel_impl_event *event);
    /* required. ACCEL_NOT_READY, or ACCEL_INVALID if one is not timed or not recorded, or if the difference is negative. */
    accel_status (*elapsed)(accel_impl_event *start, accel_impl_event *end, uint64_t *nanoseconds);
    /* required. The latest record as a point of a timeline, for other backends: a new reference, and the value. An event
     * that was never recorded gives NULL and 0. */
    accel_status (*timeline)(accel_impl_event *event, accel_timeline **timeline, uint64_t *value);
    /* optional */
    accel_status (*native)(accel_impl_event *event, void **native);
} accel_event_vtable;

typedef struct accel_module_vtable {
    uint32_t struct_size;
    uint32_t reserved;
    /* required. Launches of its kernels may still be pending: they finish. */
    void (*unload)(accel_impl_module *module);
    /* optional */
    accel_status (*native)(accel_impl_module *module, void **native);
    /* required */
    accel_status (*global)(accel_impl_module *module, const char *name, void **ptr, void **host_ptr, size_t *size);

    /* required. Fills the kernel's properties; name, target and path are libaccel's. The kernel lives as long as its
     * module. ACCEL_NOT_FOUND, ACCEL_INCOMPATIBLE (its descriptor), ACCEL_LIMIT (its arguments). */
    accel_status (*kernel)(accel_impl_module *module, const char *name, accel_impl_kernel **kernel,
                           accel_kernel_properties *properties);
    /* optional */
    accel_status (*kernel_native)(accel_impl_kernel *kernel, void **native);
    /* optional; NULL: libaccel chooses. How blocks with this much dynamic shared memory, at most the kernel's limit, are
     * best launched. libaccel chooses what is left 0, and everything after ACCEL_UNSUPPORTED; other failures are those of
     * accel_work_divide. */
    accel_status (*suggest)(accel_impl_kernel *kernel, size_t shared_bytes, accel_suggestion *suggestion);
    /* optional; NULL: no division is made for cooperative launches. How many blocks of so many threads, with this much
     * dynamic shared memory, the device holds at once. The queue's `launch` refuses a cooperative launch of more blocks,
     * with ACCEL_LIMIT and this number in the text. */
    accel_status (*resident_blocks)(accel_impl_kernel *kernel, uint32_t threads, size_t shared_bytes, uint64_t *blocks);
} accel_module_vtable;

/* --------------------------------------------------------------------------------------- descriptor -- */

typedef struct accel_open_params {
    uint32_t struct_size;
    uint32_t flags; /* 0 */
} accel_open_params;

/* Filled by open. ACCEL_OUT_OF_MEMORY and ACCEL_IO mean that the process lacks memory or file descriptors, and
 * ACCEL_INVALID that a variable has a value that it may not have: the creation of the instance fails with them, rather
 * than go on without the backend. If open fails otherwise, `state` is what the backend becomes (ACCEL_BACKEND_BROKEN
 * unless it is set), and the rest is ignored. */
typedef struct accel_open_result {
    uint32_t struct_size;
    uint32_t state; /* enum accel_backend_state */
    accel_impl_backend *backend;
    const accel_backend_vtable *backend_vtable;
    const accel_device_vtable *device_vtable;
    const accel_queue_vtable *queue_vtable;
    const accel_event_vtable *event_vtable;
    const accel_module_vtable *module_vtable;
} accel_open_result;

enum accel_variable_flag {
    ACCEL_VARIABLE_NUMBER = 1, /* takes a whole number from minimum to maximum; any other value is an error */
    ACCEL_VARIABLE_FILE = 2    /* names files: a set-uid process does not take it from the environment */
};

/* An environment variable of the plugin, which reads it by host->config. Several plugins may bring the same one. */
typedef struct accel_plugin_variable {
    uint32_t struct_size; /* the same in all elements of an array: the distance between them */
    uint32_t flags;       /* enum accel_variable_flag */
    uint64_t minimum, maximum;
    char name[48];          /* begins with ACCEL_; then capitals, digits and '_' */
    char default_value[48]; /* "": unset */
    char meaning[224];      /* for people, in the list of variables */
} accel_plugin_variable;

/* The exported constant. Everything before `open` is plain data and is read from the file, without loading it. So are
 * the variables: also those of a plugin that is not selected are known. They are an array without pointers, which the
 * loader would have to fill in, and stand behind the descriptor in the same symbol:
 *
 *     const struct {
 *         accel_plugin plugin;
 *         accel_plugin_variable variables[2];
 *     } accel_plugin_descriptor = {...};
 */
typedef struct accel_plugin {
    uint32_t abi;              /* ACCEL_PLUGIN_ABI; stands first in every version */
    uint32_t struct_size;      /* sizeof(accel_plugin) */
    char name[32];             /* "cpu-serial": lower case, digits and '-' */
    char build[88];            /* how it was built, for people */
    uint32_t variables_offset; /* from the symbol's first byte to an accel_plugin_variable[]; a multiple of 8 */
    uint32_t variable_count;   /* 0: none */
    /* Called once per instance, after all checks. The host's services live as long as the process. */
    accel_status (*open)(const accel_host_services *host, const accel_open_params *params, accel_open_result *result);
} accel_plugin;

#ifdef __cplusplus
}
#endif

#endif
