/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The driver table: all that the GPU engine knows of a driver. Each folder below opens one library and fills a table; the
 * engine never asks which it has, but for optional slots, whether they are there.
 *
 * A slot is the driver's function of the same parameters behind neutral types: an adaptor casts handles and calls, nothing
 * else. Numbers that the two drivers agree on are constants here and go through unchanged; what they number differently
 * is data of the table. The side-by-side test with the vendor's header proves both.
 *
 * Conventions
 *  - required: never NULL; a library that is new enough and lacks the symbol is broken. optional: NULL if the library
 *    does not have the symbol; the fallback is the engine's and stands beside the slot.
 *  - Every slot returns the driver's own result code, 0 for success, and writes outputs only on success. The engine
 *    gets the class of a code from `error_classes`.
 *  - "current" marks slots that work on the calling thread's current context; the engine has made the right one
 *    current. The others need none.
 *  - Slots may be called from any thread, several at once.
 *  - A device is what device_get gave for an ordinal. Pointers of device memory are `void *`, as kernels see them.
 */
#ifndef ACCEL_GPU_DRIVER_H
#define ACCEL_GPU_DRIVER_H

#include <accel/plugin.h>

/* The driver's result code; 0 is success. */
typedef int gpu_result;

/* A primary context. CUDA: CUcontext. HIP, which has none: the ordinal plus 1. NULL: none is current. */
typedef struct gpu_context *gpu_context;
typedef struct gpu_stream *gpu_stream;             /* NULL: the driver's default stream */
typedef struct gpu_driver_event *gpu_driver_event; /* the driver's event */
typedef struct gpu_code *gpu_code;                 /* the driver's module */
typedef struct gpu_function *gpu_function;

/* ---------------------------------------------------------------------------------------- results -- */

enum {
    GPU_CLASS_SUCCESS = 0,
    GPU_CLASS_NOT_READY, /* a query: the work is still running */
    GPU_CLASS_ALREADY,   /* what was asked for is so already (peer access) */
    GPU_CLASS_REFUSED,   /* this call failed; the device is well */
    GPU_CLASS_FAULT,     /* a kernel did something forbidden: every later call on the context fails alike */
    GPU_CLASS_LOST,      /* the device or its driver is gone for this process */
    GPU_CLASS_SHUT_DOWN  /* the driver is being unloaded at exit: success for whatever gives something back */
};

/* One row per code that has a class of its own; codes without a row are GPU_CLASS_REFUSED, ACCEL_DRIVER. */
typedef struct gpu_error_class {
    gpu_result result;
    uint32_t class;
    accel_status status; /* what the caller of libaccel gets */
} gpu_error_class;

/* ------------------------------------------------------------------------------------ device attributes -- */

/* Integers that a device tells without a context. The driver's number of each is in `attribute_numbers`. */
enum {
    GPU_ATTRIBUTE_MAX_BLOCK_THREADS = 0,
    GPU_ATTRIBUTE_MAX_UNIT_THREADS, /* resident on a multiprocessor or compute unit */
    GPU_ATTRIBUTE_MAX_THREADS_X,
    GPU_ATTRIBUTE_MAX_THREADS_Y,
    GPU_ATTRIBUTE_MAX_THREADS_Z,
    GPU_ATTRIBUTE_MAX_BLOCKS_X,
    GPU_ATTRIBUTE_MAX_BLOCKS_Y,
    GPU_ATTRIBUTE_MAX_BLOCKS_Z,
    GPU_ATTRIBUTE_MAX_SHARED,       /* bytes of a block that need no asking */
    GPU_ATTRIBUTE_MAX_SHARED_OPTIN, /* bytes of a block that function_set_attribute allows */
    GPU_ATTRIBUTE_COMPUTE_UNITS,
    GPU_ATTRIBUTE_WARP_SIZE,
    GPU_ATTRIBUTE_CLOCK_KHZ,
    GPU_ATTRIBUTE_MEMORY_CLOCK_KHZ,
    GPU_ATTRIBUTE_MEMORY_BUS_BITS,
    GPU_ATTRIBUTE_L2_BYTES,
    GPU_ATTRIBUTE_PCI_DOMAIN,
    GPU_ATTRIBUTE_PCI_BUS,
    GPU_ATTRIBUTE_PCI_DEVICE,
    GPU_ATTRIBUTE_MAX_PITCH,       /* bytes from row to row in copy_3d and fill_2d */
    GPU_ATTRIBUTE_UNIFIED_ADDRESS, /* 1: one address space for host and all devices; needed */
    GPU_ATTRIBUTE_MAPPED,          /* 1: pinned host memory can be mapped for kernels */
    GPU_ATTRIBUTE_MANAGED,
    GPU_ATTRIBUTE_CONCURRENT_MANAGED, /* 1: the host may touch managed memory while kernels run */
    GPU_ATTRIBUTE_MEMORY_POOLS,       /* 1: allocate_async works */
    GPU_ATTRIBUTE_COOPERATIVE,
    GPU_ATTRIBUTE_STREAM_PRIORITIES,
    GPU_ATTRIBUTE_COUNT
};
#define GPU_ATTRIBUTE_NONE (-1) /* in attribute_numbers: this driver has no such attribute; it counts as 0 */

/* What the two drivers find out about a device in different ways. */
typedef struct gpu_description {
    char architecture[64];       /* "sm_90", "gfx90a:sramecc+:xnack-" */
    char targets[256];           /* kernel targets it runs, best first, separated by spaces */
    uint8_t uuid[16];            /* all 0 if unknown */
    size_t max_parameter_bytes;  /* of a kernel: arguments and accel_grid together */
    const char *more_parameters; /* what would make that more, "update the driver to ..."; NULL: nothing, or no need */
} gpu_description;

/* ------------------------------------------------------------------- numbers on which both drivers agree -- */

#define GPU_STREAM_NON_BLOCKING 1u /* stream_create: no implicit order with the default stream */

#define GPU_EVENT_BLOCKING_SYNC 1u /* event_create: event_synchronize sleeps */
#define GPU_EVENT_NO_TIMING 2u

#define GPU_HOST_PORTABLE 1u /* host_allocate: locked for every context */
#define GPU_HOST_MAPPED 2u   /* host_allocate: kernels reach it, see host_device_pointer */

#define GPU_MANAGED_GLOBAL 1u /* managed_allocate: for every stream of every device */

enum { /* function_attribute, function_set_attribute */
       GPU_FUNCTION_MAX_THREADS = 0,
       GPU_FUNCTION_SHARED_BYTES = 1,
       GPU_FUNCTION_LOCAL_BYTES = 3,
       GPU_FUNCTION_REGISTERS = 4,
       GPU_FUNCTION_MAX_DYNAMIC_SHARED = 8
};

/* A copy of `depth` planes of `height` rows of `width` bytes. Plane p, row r of an end begins at
 * ptr + (p * rows + r) * pitch. */
typedef struct gpu_copy_3d {
    size_t width, height, depth;
    void *dst;
    const void *src;
    size_t dst_pitch, src_pitch; /* at least width, at most GPU_ATTRIBUTE_MAX_PITCH */
    size_t dst_rows, src_rows;   /* from plane to plane, at least height */
    bool dst_host, src_host;     /* that end is memory of the host; else of a device, or managed */
} gpu_copy_3d;

/* A launch as drivers take it. How a driver passes the two parameters is its adaptor's. */
typedef struct gpu_driver_launch {
    gpu_function function;
    uint32_t blocks[3], threads[3];
    uint32_t shared_bytes; /* dynamic */
    const void *args;      /* the first parameter: the caller's argument struct */
    accel_grid grid;       /* the second */
} gpu_driver_launch;

/* Runs on a thread of the driver; calls nothing of the driver. */
typedef void (*gpu_host_function)(void *user);

/* ------------------------------------------------------------------------------------------------ table -- */

typedef struct gpu_driver {
    const char *name;    /* "cuda", "hip": the backend */
    const char *product; /* "CUDA", "HIP": in texts */

    const gpu_error_class *error_classes;
    size_t error_class_count;
    int attribute_numbers[GPU_ATTRIBUTE_COUNT];
    /* Of streams, as the driver counts (lower is more urgent): facts that no driver tells without a context. Drivers
     * clamp what is outside. */
    int least_priority, greatest_priority;
    int driver_version, runtime_version; /* as the driver counts; 0 if unknown */

    /* Never NULL, for any code; static storage. "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access ..." */
    const char *(*error_name)(gpu_result);
    const char *(*error_text)(gpu_result);

    /* required. Comes before all that follow. */
    gpu_result (*init)(void);

    /* required */
    gpu_result (*device_count)(int *count);
    gpu_result (*device_get)(int *device, int ordinal);
    gpu_result (*device_name)(char *name, int size, int device);
    gpu_result (*device_memory)(size_t *bytes, int device);
    gpu_result (*device_attribute)(int *value, int number, int device);
    gpu_result (*device_can_access_peer)(int *yes, int device, int peer);
    gpu_result (*device_describe)(gpu_description *, int device);

    /* required. Contract of accel_device_vtable; pure. `architecture` is device_describe's. */
    uint32_t (*target_rank)(const char *architecture, const char *target, const char *format, char *reason,
                            size_t reason_size);

    /* required */
    gpu_result (*context_retain)(gpu_context *, int device);
    /* A context that ends with it is no longer current on the calling thread. */
    gpu_result (*context_release)(gpu_context, int device);
    gpu_result (*context_get_current)(gpu_context *);
    gpu_result (*context_set_current)(gpu_context);
    /* Makes the context current until the pop, which makes `previous` current again: the one that was before, even if it
     * has been destroyed since. */
    gpu_result (*context_push)(gpu_context);
    gpu_result (*context_pop)(gpu_context previous);
    /* required; current. The current context may use memory of the peer. GPU_CLASS_ALREADY is no failure. */
    gpu_result (*context_enable_peer)(gpu_context peer);

    /* required; current */
    gpu_result (*memory_info)(size_t *free_bytes, size_t *total_bytes);
    gpu_result (*memory_allocate)(void **, size_t size);
    gpu_result (*memory_free)(void *);
    gpu_result (*host_allocate)(void **, size_t size, unsigned flags);
    gpu_result (*host_free)(void *);
    gpu_result (*host_device_pointer)(void **ptr, void *host_ptr, unsigned flags);
    /* optional; current. Without: no ACCEL_FEATURE_MANAGED. Given back with memory_free. */
    gpu_result (*managed_allocate)(void **, size_t size, unsigned flags);
    /* optional, both or none; current. Without: memory_allocate, given back behind the queue's work. */
    gpu_result (*allocate_async)(void **, size_t size, gpu_stream);
    gpu_result (*free_async)(void *, gpu_stream);

    /* required; current. The direction follows from the addresses. */
    gpu_result (*copy)(void *dst, const void *src, size_t size, gpu_stream);
    /* required; current */
    gpu_result (*copy_3d)(const gpu_copy_3d *, gpu_stream);
    /* required; current (the stream's). Between devices without peer access: the driver stages. */
    gpu_result (*copy_peer)(void *dst, gpu_context dst_context, const void *src, gpu_context src_context, size_t size,
                            gpu_stream);
    /* optional; current. As copy_3d between devices without peer access. Without: copy_peer row by row. */
    gpu_result (*copy_peer_3d)(const gpu_copy_3d *, gpu_context dst_context, gpu_context src_context, gpu_stream);
    /* required; current. `count` values; ptr is aligned to the value. */
    gpu_result (*fill_8)(void *ptr, uint8_t value, size_t count, gpu_stream);
    gpu_result (*fill_16)(void *ptr, uint16_t value, size_t count, gpu_stream);
    gpu_result (*fill_32)(void *ptr, uint32_t value, size_t count, gpu_stream);
    /* optional; current. `width` values in each of `height` rows, `pitch` bytes apart. Without: the first row, copied on
     * and on by copy_3d. */
    gpu_result (*fill_2d_8)(void *ptr, size_t pitch, uint8_t value, size_t width, size_t height, gpu_stream);
    gpu_result (*fill_2d_16)(void *ptr, size_t pitch, uint16_t value, size_t width, size_t height, gpu_stream);
    gpu_result (*fill_2d_32)(void *ptr, size_t pitch, uint32_t value, size_t width, size_t height, gpu_stream);

    /* required; current */
    gpu_result (*stream_create)(gpu_stream *, unsigned flags, int priority);
    gpu_result (*stream_destroy)(gpu_stream); /* does not wait: what is pending finishes */
    gpu_result (*stream_query)(gpu_stream);
    gpu_result (*stream_synchronize)(gpu_stream);
    gpu_result (*stream_wait)(gpu_stream, gpu_driver_event, unsigned flags);
    /* required; current. In order. Where the library has no such function (HIP before 5.4), the adaptor goes through
     * the driver's stream callback. It may not be run at all once the context has failed: the engine sees to that. */
    gpu_result (*stream_call)(gpu_stream, gpu_host_function, void *user);

    /* required; current (record: the stream's) */
    gpu_result (*event_create)(gpu_driver_event *, unsigned flags);
    gpu_result (*event_destroy)(gpu_driver_event);
    gpu_result (*event_record)(gpu_driver_event, gpu_stream);
    gpu_result (*event_query)(gpu_driver_event);
    gpu_result (*event_synchronize)(gpu_driver_event);
    gpu_result (*event_elapsed)(float *milliseconds, gpu_driver_event start, gpu_driver_event end);

    /* required; current. `log` gets the driver's words on a compilation that failed, or "". Text formats end with a 0. */
    gpu_result (*code_load)(gpu_code *, const void *image, char *log, size_t log_size);
    gpu_result (*code_unload)(gpu_code);
    gpu_result (*code_function)(gpu_function *, gpu_code, const char *symbol);
    gpu_result (*code_global)(void **ptr, size_t *size, gpu_code, const char *symbol);
    /* optional. More words on an image that was refused ("it is PTX 9.0, the driver takes up to 8.4"), or "". Pure. */
    void (*explain_refusal)(gpu_result, const accel_image *, char *text, size_t text_size);
    /* optional. False, with the reason, if the driver is known to refuse an object whose target fits the device. Without:
     * the target decides. */
    bool (*accepts_image)(const accel_image *, char *reason, size_t reason_size);
    /* optional. Lanes of a warp for which the object's kernels were made, where a device can run more than one kind; 0:
     * not told. Pure. Without, and then: the device's. */
    uint32_t (*image_warp_size)(const accel_image *);
    /* optional; current. Without: asking for an attribute loads it. */
    gpu_result (*function_load)(gpu_function);
    gpu_result (*function_attribute)(int *value, int attribute, gpu_function);
    /* optional; current. Without: GPU_ATTRIBUTE_MAX_SHARED is the limit, and nothing need be set. */
    gpu_result (*function_set_attribute)(gpu_function, int attribute, int value);
    /* required; current. Threads per block that fill the device best, and the blocks that fill it once. */
    gpu_result (*occupancy_block)(int *blocks, int *threads, gpu_function, size_t shared_bytes);
    /* required; current. Blocks of that many threads that are resident on one unit. */
    gpu_result (*occupancy_blocks)(int *blocks, gpu_function, int threads, size_t shared_bytes);

    /* required; current */
    gpu_result (*launch)(const gpu_driver_launch *, gpu_stream);
    /* optional; current. All blocks resident at once. Without: no ACCEL_FEATURE_COOPERATIVE, and never called. */
    gpu_result (*launch_cooperative)(const gpu_driver_launch *, gpu_stream);
} gpu_driver;

/* ------------------------------------------------------------------------------------------------- open -- */

/* What a plugin is beside the engine: gpu/cuda/ defines `cuda_family`, gpu/hip/ `hip_family`; the build hands its name to
 * plugin.c. */
typedef struct gpu_family {
    const char *name; /* "cuda" */
    /* Opens the library once per process, initialises the driver and fills the table, which lives as long as the
     * process; later calls give the same outcome, in a forked child the failure that belongs there. Makes no context.
     * On failure the text is set through host->error and *state says what it means (ACCEL_BACKEND_NO_DRIVER, with the
     * names tried; _DRIVER_TOO_OLD; _NO_DEVICE; _NO_PERMISSION; _BROKEN). Success means at least one device. */
    accel_status (*open)(const struct gpu_family *, const accel_host_services *, const gpu_driver **, uint32_t *state);
    const struct gpu_recipe *recipe; /* open.h */
} gpu_family;

extern const gpu_family cuda_family, hip_family;

#endif
