/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/tool.h - what a tool is handed, and what it hands to libaccel: a tracer, a profiler, a logger.
 *
 * A tool is a shared object that exports one function, `accel_tool_init`. ACCEL_TOOL names it: by an absolute path, or
 * by NAME, which stands for libacceltool-NAME.so in the directories that plugins are searched in. Several are separated
 * by ':'. accel_instance_create opens a tool with RTLD_NOW | RTLD_LOCAL and calls its accel_tool_init once per process; it
 * stays loaded. If the tool cannot be used, accel_instance_create fails and says why: nothing has run by then.
 *
 * A tool sees the objects and operations of every instance that was created while ACCEL_TOOL named it, libaccel's own
 * ones (scratch memory of patterns, queues of copies between backends) included. Without a tool nothing of this is there:
 * libaccel exchanges the tables of functions of a backend when it opens it.
 *
 * Conventions
 *  - Every struct begins with struct_size. Members are appended, never moved. Each side uses the members that both have.
 *  - Callbacks are called from any thread, several at once. They must be quick, return, and call nothing of libaccel
 *    but accel_tool_host. `completed` may run on a thread of libaccel, between two operations of a CPU queue.
 *  - What a callback is handed lives during the call. Names are an exception: they live as long as the process.
 *  - Objects and operations have numbers that are never used twice in a process. 0 is none.
 *  - Times are nanoseconds of CLOCK_MONOTONIC; where that is the processor's counter on x86-64, libaccel reads the counter
 *    and may be off by some tens of them. Those of a GPU are measured by its events, and are set off against the
 *    clock once per queue: differences within a queue are as exact as the driver's events; between queues, and between
 *    host and device, they are off by some microseconds.
 *  - A tool watches the process that loaded it. In the child of a fork no callback is called.
 */
#ifndef ACCEL_TOOL_H
#define ACCEL_TOOL_H

#include <accel/accel.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ACCEL_TOOL_ABI 1u
#define ACCEL_TOOL_SYMBOL "accel_tool_init"

/* An object that was made, named or released. Of a released one, only kind, id, device and bytes are set. */
typedef struct accel_tool_object {
    uint32_t struct_size;
    uint32_t kind; /* enum accel_object_kind */
    uint64_t id;
    uint64_t device;    /* id of its device; a device's own id */
    uint64_t parent;    /* the module of a kernel, the device that a sub-device is of; else 0 */
    const char *name;   /* a device's, a module's, a kernel's, or the program's (accel_object_name); else "" */
    const char *target; /* of a module: "x86-64-v3"; else "" */
    uint64_t bytes;     /* of a buffer */
    uint64_t in_use;    /* of a buffer: bytes that buffers of its device have now, this one in- or excluded */
    uint64_t time;      /* when it was made, named or released */
    uint32_t flags;     /* of queues and buffers: those of their descriptors; of a device: enum accel_device_kind */
    uint32_t reserved;  /* 0 */
} accel_tool_object;

enum accel_tool_operation_kind {
    ACCEL_TOOL_LAUNCH = 1,   /* object: the kernel */
    ACCEL_TOOL_COPY = 2,     /* bytes, direction */
    ACCEL_TOOL_FILL = 3,     /* bytes */
    ACCEL_TOOL_CALL = 4,     /* a host function */
    ACCEL_TOOL_RECORD = 5,   /* object: the event */
    ACCEL_TOOL_WAIT = 6,     /* a queue waits. object: the event, or 0; awaited: what was recorded */
    ACCEL_TOOL_HOST_WAIT = 7 /* a thread waits for a queue, or for an event (object, awaited) */
};

enum accel_tool_direction {
    ACCEL_TOOL_HOST_TO_HOST = 1,
    ACCEL_TOOL_HOST_TO_DEVICE = 2,
    ACCEL_TOOL_DEVICE_TO_HOST = 3,
    ACCEL_TOOL_DEVICE_TO_DEVICE = 4
};

/* An operation of a queue. What does not apply is 0 or "". */
typedef struct accel_tool_operation {
    uint32_t struct_size;
    uint32_t kind; /* enum accel_tool_operation_kind */
    uint64_t id;
    uint64_t queue;
    uint64_t device;
    uint64_t object;
    const char *name;    /* of the kernel, or of the operation: "copy" */
    uint64_t blocks;     /* of a launch, all dimensions multiplied */
    uint64_t threads;    /* of a block, likewise */
    uint64_t bytes;      /* that are copied or filled */
    uint32_t direction;  /* enum accel_tool_direction */
    uint32_t thread;     /* that submitted it: a number from 1 on */
    uint64_t awaited;    /* the operation that recorded what is waited for; 0: never recorded, or no event of a queue */
    uint64_t submitted;  /* time of the call */
    uint64_t started;    /* on the device; 0 in `submitted` */
    uint64_t ended;      /* likewise. Operations of one queue do not overlap */
    accel_status status; /* of `completed`: of the operation, or the queue's failure for which it was skipped */
    uint32_t reserved;   /* 0 */
} accel_tool_operation;

/* A named region of a thread. */
typedef struct accel_tool_region {
    uint32_t struct_size;
    uint32_t thread; /* a number from 1 on */
    const char *name;
    uint64_t time;  /* when it was pushed or popped */
    uint32_t depth; /* of regions around it */
    uint32_t reserved;
} accel_tool_region;

/* What a tool may call; lives as long as the process. From any thread, also in callbacks. */
typedef struct accel_tool_host {
    uint32_t struct_size;
    uint32_t abi; /* ACCEL_TOOL_ABI of libaccel */
    /* Sets the text that accel_instance_create fails with, and returns `status`. For accel_tool_init. */
    accel_status (*error)(accel_status status, const char *format, ...)
#if defined(__GNUC__)
        __attribute__((format(printf, 2, 3)))
#endif
        ;
    /* The value of an environment variable, or NULL. In a set-uid process always NULL. */
    const char *(*variable)(const char *name);
    /* Now, as all times: CLOCK_MONOTONIC in nanoseconds. */
    uint64_t (*clock)(void);
} accel_tool_host;

/* Filled by accel_tool_init. Any callback may be NULL. Without `completed` no times are measured. */
typedef struct accel_tool_callbacks {
    uint32_t struct_size; /* libaccel's; the tool leaves it */
    uint32_t abi;         /* set by the tool: ACCEL_TOOL_ABI of its header */
    void *user;           /* handed to every callback */
    void (*created)(void *user, const accel_tool_object *object);
    void (*named)(void *user, const accel_tool_object *object);
    /* The program gave it back. Operations that use it may still complete. */
    void (*released)(void *user, const accel_tool_object *object);
    /* On the calling thread, before the backend gets the operation. Not for HOST_WAIT. */
    void (*submitted)(void *user, const accel_tool_operation *operation);
    /* Once per submitted operation, in the order of its queue, when its times are known: of a CPU's queue at once; of a GPU's
     * when the program waits for the queue, or has 256 operations in it. What a GPU's queue had under way when it was
     * released, or when the process ended, is not told, nor are operations of accel_queue_wrap's queues, whose stream may be
     * capturing. */
    void (*completed)(void *user, const accel_tool_operation *operation);
    void (*pushed)(void *user, const accel_tool_region *region);
    void (*popped)(void *user, const accel_tool_region *region);
    /* Once, when the process ends by exit or by returning from main; other threads may still run. The last callback to begin. */
    void (*finish)(void *user);
} accel_tool_callbacks;

/* The tool's: fills `callbacks`, which is 0 but for struct_size. If it fails, host->error has said why. */
ACCEL_API accel_status accel_tool_init(const accel_tool_host *host, accel_tool_callbacks *callbacks);
typedef accel_status (*accel_tool_init_fn)(const accel_tool_host *host, accel_tool_callbacks *callbacks);

#ifdef __cplusplus
}
#endif

#endif
