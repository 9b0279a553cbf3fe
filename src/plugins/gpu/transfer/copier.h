/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The copier of a device: threads that copy between pageable memory and pieces of pinned memory, while the driver copies
 * between other pieces and the device. All queues of the device share threads and pieces. What it does to a stream, it does
 * when the stream has come to the copy, and until it is over nobody else submits there (queue/held_copy.h).
 */
#ifndef ACCEL_GPU_COPIER_H
#define ACCEL_GPU_COPIER_H

#include "plugins/gpu/engine/device.h"
#include "plugins/gpu/transfer/decomposition.h"

/* Chosen by the model of time (docs/notebook/gpu.md). A copy of a few megabytes begins and ends sooner with small chunks;
 * longer ones pay less often for the driver's calls. */
enum {
    GPU_PIECE_BYTES = 512 << 10,
    GPU_SMALL_CHUNK_BYTES = 256 << 10,
    GPU_SMALL_COPY_BYTES = 4 << 20, /* and less: in small chunks */
    GPU_PIECES = 8,
    GPU_COPY_THREADS = 2
};

/* A copy with one pageable end. The first lines are the caller's; all of it belongs to the copier until `done`. */
typedef struct gpu_transfer gpu_transfer;
struct gpu_transfer {
    accel_copy_params params;
    gpu_stream stream;
    /* On a thread of the copier: the driver refused something, and the rest is skipped. The status has its text. */
    void (*refused)(gpu_transfer *, accel_status);
    /* On a thread of the copier, once: what went to the device is in the stream, what came from it is in its place. The
     * transfer may be gone afterwards, and its queue. */
    void (*done)(gpu_transfer *);

    plugin_link link; /* while chunks are left */
    gpu_copy_walk parts;
    gpu_chunk_walk chunks;
    gpu_copy_3d chunk; /* the next */
    bool has_chunk;
    size_t chunk_bytes;
    uint32_t pieces; /* that work for it */
};

/* With the context current: starts it, unless it runs. */
accel_status gpu_copier_start(accel_impl_device *);
/* The turn of the copy has come. Does not block, calls no driver. */
void gpu_copier_post(accel_impl_device *, gpu_transfer *);
/* With the context current: no transfer is left. Waits for the threads. */
void gpu_copier_end(accel_impl_device *);
/* The same, with a context that cannot be entered. */
void gpu_copier_forget(accel_impl_device *);

#endif
