/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/transfer/copier.h"
#include "plugins/gpu/engine/context.h"
#include "plugins/gpu/engine/thread.h"

#include <stdlib.h>
#include <string.h>

static const char what[] = "copy";

/* How many pieces copies to the host may have at once, so that the others have some; and one of them. */
enum { MOST_FLYING = GPU_PIECES - 2 * GPU_COPY_THREADS, MOST_OF_ONE = GPU_PIECES / 2 };

typedef struct gpu_piece {
    plugin_link link; /* of the idle ones, or of those that fly; none while a thread has it */
    unsigned char *memory;
    gpu_driver_event event;
    bool recorded;          /* the event is behind what the driver last did to the piece */
    gpu_transfer *transfer; /* its bytes fly to the host */
    gpu_copy_3d on_host;    /* and there go on so */
} gpu_piece;

struct gpu_copier {
    accel_impl_device *device; /* which outlives it */
    unsigned char *memory;     /* of all pieces */
    gpu_piece pieces[GPU_PIECES];
    pthread_t threads[GPU_COPY_THREADS];
    unsigned thread_count;

    pthread_mutex_t lock; /* guards what follows, and transfers; not held around driver calls and copies */
    pthread_cond_t changed;
    unsigned sleeping; /* threads */
    bool ending;
    plugin_list transfers; /* that have chunks left; the next to get a piece is the first */
    plugin_list idle;      /* pieces; the first has been so the longest */
    plugin_list flying;    /* pieces on their way to the host; the first is the oldest */
    unsigned to_host;      /* pieces that work for copies to the host */
    bool landed;           /* the last copy of a thread was to the host; the next is not, if there is another */
};

/* --------------------------------------------------------------------------------------------- steps -- */

static bool to_device(const gpu_transfer *transfer)
{
    return transfer->params.src_device == NULL;
}

static void find_chunk(gpu_transfer *transfer)
{
    gpu_copy_3d part;

    while (!(transfer->has_chunk = gpu_chunk_walk_next(&transfer->chunks, &transfer->chunk))) {
        if (!gpu_copy_walk_next(&transfer->parts, &part))
            return;
        transfer->chunks = gpu_chunk_walk_begin(&part, transfer->chunk_bytes);
    }
}

/* What a thread does next. */
typedef struct step {
    enum {
        NOTHING,
        SEND,  /* copies a chunk to a piece, and submits the copy to the device */
        FETCH, /* submits the copy of a chunk to a piece */
        LAND   /* waits for a piece, and copies it to its place */
    } kind;
    gpu_transfer *transfer;
    gpu_piece *piece;
    gpu_copy_3d chunk;
} step;

/* The first transfer of the direction that may have one more piece. */
static gpu_transfer *find_transfer(const gpu_copier *copier, bool sends)
{
    if (plugin_list_is_empty(&copier->idle) || (!sends && copier->to_host >= MOST_FLYING))
        return NULL;
    for (plugin_link *link = copier->transfers.first; link != NULL; link = link->next) {
        gpu_transfer *transfer = PLUGIN_OWNER(link, gpu_transfer, link);
        if (to_device(transfer) == sends && (sends || transfer->pieces < MOST_OF_ONE))
            return transfer;
    }
    return NULL;
}

/* Under the lock. The link is kept busy first; then the two directions take turns. */
static step find_step(gpu_copier *copier)
{
    gpu_transfer *fetch = find_transfer(copier, false), *send = fetch == NULL ? find_transfer(copier, true) : NULL;
    plugin_link *flying = copier->flying.first;

    if (fetch != NULL)
        return (step){.kind = FETCH, .transfer = fetch};
    if (flying != NULL && (send == NULL || !copier->landed))
        return (step){.kind = LAND, .piece = PLUGIN_OWNER(flying, gpu_piece, link)};
    return (step){.kind = send != NULL ? SEND : NOTHING, .transfer = send};
}

/* Under the lock: what the step needs is the thread's. */
static void take(gpu_copier *copier, step *s)
{
    if (s->kind == LAND) {
        plugin_list_remove(&copier->flying, &s->piece->link);
        s->transfer = s->piece->transfer;
        copier->landed = true;
        return;
    }
    gpu_transfer *transfer = s->transfer;
    s->piece = PLUGIN_OWNER(plugin_list_take(&copier->idle), gpu_piece, link);
    s->chunk = transfer->chunk;
    ++transfer->pieces;
    copier->to_host += s->kind == FETCH;
    if (s->kind == SEND)
        copier->landed = false;
    plugin_list_remove(&copier->transfers, &transfer->link);
    find_chunk(transfer);
    if (transfer->has_chunk)
        plugin_list_append(&copier->transfers, &transfer->link);
}

/* ----------------------------------------------------------------------------------- the driver's part -- */

/* Until the driver needs the piece no more. A thread that sleeps wakes late, so it asks for a while before. */
static gpu_result await(const gpu_driver *driver, gpu_piece *piece)
{
    enum { QUESTIONS = 32 };

    if (!piece->recorded)
        return 0;
    gpu_result result = driver->event_query(piece->event);
    for (int i = 1; i < QUESTIONS && gpu_error_class_of(driver, result, NULL) == GPU_CLASS_NOT_READY; ++i)
        result = driver->event_query(piece->event);
    for (int again = 0; again < 3 && result != 0; ++again) /* a driver that refuses to wait goes on copying */
        result = driver->event_synchronize(piece->event);
    piece->recorded = false;
    return result;
}

/* Without the event nothing tells when the piece is free again. */
static gpu_result submit(const gpu_driver *driver, gpu_piece *piece, const gpu_copy_3d *part, gpu_stream stream)
{
    gpu_result result = part->height == 1 && part->depth == 1 ? driver->copy(part->dst, part->src, part->width, stream)
                                                              : driver->copy_3d(part, stream);

    if (result != 0)
        return result;
    result = driver->event_record(piece->event, stream);
    piece->recorded = result == 0;
    if (result != 0)
        gpu_stream_finish(driver, stream);
    return result;
}

static gpu_result perform(const gpu_driver *driver, step *s)
{
    gpu_piece *piece = s->piece;
    gpu_result result = await(driver, piece);

    if (s->kind == LAND) {
        if (result == 0)
            gpu_copy_on_host(&piece->on_host);
        return result;
    }
    /* Another copy's failure is that one's: it will hear of it. */
    gpu_packed_chunk packed = gpu_pack_chunk(&s->chunk, piece->memory);
    if (s->kind == SEND)
        gpu_copy_on_host(&packed.on_host);
    piece->on_host = packed.on_host;
    piece->transfer = s->transfer;
    return submit(driver, piece, &packed.on_device, s->transfer->stream);
}

static accel_status perform_in_context(accel_impl_device *device, step *s)
{
    gpu_scope scope;
    accel_status status = gpu_scope_enter(&scope, device, what);

    if (status != ACCEL_OK)
        return status;
    gpu_result result = perform(device->driver, s);
    gpu_scope_leave(&scope, device);
    return result == 0 ? ACCEL_OK : gpu_device_failed(device, what, result);
}

/* Under the lock: the step is over. Returns the transfer if that is over, too. */
static gpu_transfer *put_back(gpu_copier *copier, const step *s, bool good)
{
    gpu_transfer *transfer = s->transfer;

    if (s->kind == FETCH && good) {
        plugin_list_append(&copier->flying, &s->piece->link);
        return NULL;
    }
    plugin_list_append(&copier->idle, &s->piece->link);
    copier->to_host -= s->kind != SEND;
    --transfer->pieces;
    if (!good && transfer->has_chunk) {
        plugin_list_remove(&copier->transfers, &transfer->link);
        transfer->has_chunk = false;
    }
    return transfer->has_chunk || transfer->pieces > 0 ? NULL : transfer;
}

static void *work(void *user)
{
    gpu_copier *copier = user;

    gpu_thread_kind_set(GPU_THREAD_ENGINE);
    pthread_mutex_lock(&copier->lock);
    for (;;) {
        step s = find_step(copier);
        if (s.kind == NOTHING && copier->ending)
            break;
        if (s.kind == NOTHING) {
            ++copier->sleeping;
            pthread_cond_wait(&copier->changed, &copier->lock);
            --copier->sleeping;
            continue;
        }
        take(copier, &s);
        if (copier->sleeping > 0 && find_step(copier).kind != NOTHING)
            pthread_cond_signal(&copier->changed);
        pthread_mutex_unlock(&copier->lock);
        accel_status status = perform_in_context(copier->device, &s);
        if (status != ACCEL_OK)
            s.transfer->refused(s.transfer, status);
        pthread_mutex_lock(&copier->lock);
        gpu_transfer *over = put_back(copier, &s, status == ACCEL_OK);
        if (over == NULL)
            continue;
        pthread_mutex_unlock(&copier->lock);
        over->done(over);
        pthread_mutex_lock(&copier->lock);
    }
    pthread_mutex_unlock(&copier->lock);
    return NULL;
}

/* -------------------------------------------------------------------------------------- beginning, end -- */

static void end(gpu_copier *copier, bool give_back)
{
    const gpu_driver *driver = copier->device->driver;

    pthread_mutex_lock(&copier->lock);
    copier->ending = true;
    pthread_cond_broadcast(&copier->changed);
    pthread_mutex_unlock(&copier->lock);
    for (unsigned i = 0; i < copier->thread_count; ++i)
        pthread_join(copier->threads[i], NULL);
    for (unsigned i = 0; i < GPU_PIECES && give_back; ++i) {
        if (copier->pieces[i].event != NULL)
            driver->event_destroy(copier->pieces[i].event);
    }
    if (give_back && copier->memory != NULL)
        driver->host_free(copier->memory);
    pthread_mutex_destroy(&copier->lock);
    pthread_cond_destroy(&copier->changed);
    free(copier);
}

/* Memory, events and threads; what fails leaves the rest to end(). */
static accel_status fill(gpu_copier *copier)
{
    accel_impl_device *device = copier->device;
    const gpu_driver *driver = device->driver;
    void *memory = NULL;
    gpu_result result = driver->host_allocate(&memory, (size_t)GPU_PIECES * GPU_PIECE_BYTES, GPU_HOST_PORTABLE);

    if (result != 0)
        return gpu_device_failed(device, "pinning memory to copy through", result);
    copier->memory = memory;
    for (unsigned i = 0; i < GPU_PIECES; ++i) {
        gpu_piece *piece = &copier->pieces[i];
        result = driver->event_create(&piece->event, GPU_EVENT_NO_TIMING | GPU_EVENT_BLOCKING_SYNC);
        if (result != 0)
            return gpu_device_failed(device, "making an event to copy with", result);
        piece->memory = copier->memory + (size_t)i * GPU_PIECE_BYTES;
        plugin_list_append(&copier->idle, &piece->link);
    }
    for (; copier->thread_count < GPU_COPY_THREADS; ++copier->thread_count) {
        int error = gpu_thread_create(work, copier, &copier->threads[copier->thread_count]);
        if (error != 0)
            return gpu_host()->error(ACCEL_OUT_OF_MEMORY,
                                     "\"%s\": %s: no thread can be started (%s); raise the limit of threads",
                                     device->label, what, strerror(error));
    }
    return ACCEL_OK;
}

/* Under the device's lock. */
static accel_status make(accel_impl_device *device)
{
    gpu_copier *copier = calloc(1, sizeof(*copier));

    if (copier == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "\"%s\": %s: no memory for %zu bytes", device->label, what,
                                 sizeof(*copier));
    copier->device = device;
    pthread_mutex_init(&copier->lock, NULL);
    pthread_cond_init(&copier->changed, NULL);
    accel_status status = fill(copier);
    if (status != ACCEL_OK)
        end(copier, true);
    else
        atomic_store_explicit(&device->copier, copier, memory_order_release);
    return status;
}

accel_status gpu_copier_start(accel_impl_device *device)
{
    accel_status status = ACCEL_OK;

    if (atomic_load_explicit(&device->copier, memory_order_acquire) != NULL)
        return ACCEL_OK;
    pthread_mutex_lock(&device->lock);
    if (atomic_load_explicit(&device->copier, memory_order_relaxed) == NULL)
        status = make(device);
    pthread_mutex_unlock(&device->lock);
    return status;
}

void gpu_copier_post(accel_impl_device *device, gpu_transfer *transfer)
{
    gpu_copier *copier = atomic_load_explicit(&device->copier, memory_order_acquire);

    transfer->parts = gpu_copy_walk_begin(&transfer->params, (size_t)device->attributes[GPU_ATTRIBUTE_MAX_PITCH]);
    transfer->chunks = (gpu_chunk_walk){0};
    transfer->chunk_bytes =
        gpu_copy_bytes(&transfer->params) <= GPU_SMALL_COPY_BYTES ? GPU_SMALL_CHUNK_BYTES : GPU_PIECE_BYTES;
    transfer->pieces = 0;
    find_chunk(transfer);
    pthread_mutex_lock(&copier->lock);
    plugin_list_append(&copier->transfers, &transfer->link);
    if (copier->sleeping > 0)
        pthread_cond_broadcast(&copier->changed);
    pthread_mutex_unlock(&copier->lock);
}

static void end_of(accel_impl_device *device, bool give_back)
{
    gpu_copier *copier = atomic_exchange_explicit(&device->copier, NULL, memory_order_relaxed);

    if (copier != NULL)
        end(copier, give_back);
}

void gpu_copier_end(accel_impl_device *device)
{
    end_of(device, true);
}

void gpu_copier_forget(accel_impl_device *device)
{
    end_of(device, false);
}
