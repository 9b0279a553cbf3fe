/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/queue/retire_list.h"

static accel_impl_queue *queue_of(gpu_job *job)
{
    return PLUGIN_OWNER(job, accel_impl_queue, retire.job);
}

/* What is asked: */
enum {
    EVENT,       /* is the event reached? */
    FRESH_EVENT, /* recorded now, is it reached? */
    STREAM       /* has the stream done everything? If not, the event is recorded behind it. */
};

static bool is_refusal(const accel_impl_queue *queue, gpu_result result)
{
    return gpu_error_class_of(queue->device->driver, result, NULL) == GPU_CLASS_REFUSED;
}

/* Records the event. If the driver refuses, the stream says whether it still has work; a caller's stream, which may be
 * capturing, is not asked. */
static gpu_result record(accel_impl_queue *queue)
{
    const gpu_driver *driver = queue->device->driver;
    gpu_result result = driver->event_record(queue->retire.event, queue->stream);

    queue->retire.recorded = result == 0;
    if (result == 0)
        return driver->event_query(queue->retire.event);
    return is_refusal(queue, result) && !queue->wrapped ? driver->stream_query(queue->stream) : result;
}

static gpu_result ask(accel_impl_queue *queue, int question)
{
    const gpu_driver *driver = queue->device->driver;

    if (question == EVENT)
        return driver->event_query(queue->retire.event);
    if (question == FRESH_EVENT)
        return record(queue);
    gpu_result result = driver->stream_query(queue->stream);
    return gpu_error_class_of(driver, result, NULL) == GPU_CLASS_NOT_READY ? record(queue) : result;
}

/* Under the list's `asking`. False also if the driver refuses the question: it is asked again later. A device that failed
 * has nothing left to do. */
static bool reached(accel_impl_queue *queue, int question)
{
    static const char what[] = "giving back what work needed";
    gpu_scope scope;
    accel_status status = gpu_scope_enter(&scope, queue->device, what);

    if (status != ACCEL_OK)
        return gpu_device_has_failed(queue->device) || status == ACCEL_DEVICE_LOST;
    gpu_result result = ask(queue, queue->retire.left ? EVENT : question);
    gpu_scope_leave(&scope, queue->device);
    if (result == 0)
        return true;
    if (gpu_error_class_of(queue->device->driver, result, NULL) == GPU_CLASS_NOT_READY)
        return false;
    gpu_device_failed(queue->device, what, result);
    return !is_refusal(queue, result);
}

enum { EMPTY, PENDING, DONE };

/* Of what is listed: is it done? Of an empty list the driver is not asked anything: whoever took it has waited, or will
 * wait, for the stream, and finds nothing of this thread's in it. */
static int look(accel_impl_queue *queue)
{
    gpu_retire_list *list = &queue->retire;
    int found = EMPTY;

    pthread_mutex_lock(&list->asking);
    pthread_mutex_lock(&list->lock);
    if (plugin_list_is_empty(&list->behind)) {
        plugin_list_append_all(&list->behind, &list->open);
        list->recorded = false;
    }
    list->posted = !plugin_list_is_empty(&list->behind);
    bool ask_driver = list->posted;
    pthread_mutex_unlock(&list->lock);
    if (ask_driver)
        found = reached(queue, list->recorded ? EVENT : FRESH_EVENT) ? DONE : PENDING;
    pthread_mutex_unlock(&list->asking);
    return found;
}

static bool run(gpu_job *job)
{
    accel_impl_queue *queue = queue_of(job);
    gpu_retire_list *list = &queue->retire;

    for (;;) {
        int found = look(queue);
        if (found == PENDING)
            return false;
        if (found == EMPTY) {
            accel_impl_device *device = queue->device;
            gpu_device_retain(device);
            gpu_queue_release(queue);
            gpu_retire_done(device);
            gpu_device_release(device);
            return true;
        }
        plugin_list retired = {NULL, NULL};
        pthread_mutex_lock(&list->lock);
        plugin_list_append_all(&retired, &list->behind); /* or none: somebody waited for the stream, and took them */
        pthread_mutex_unlock(&list->lock);
        gpu_retired_give_back(queue->device, &retired);
    }
}

void gpu_retire_add(accel_impl_queue *queue, gpu_retired *retired)
{
    gpu_retire_list *list = &queue->retire;

    if (retired == NULL)
        return;
    pthread_mutex_lock(&list->lock);
    plugin_list_append(&list->open, &retired->link);
    bool post = !list->posted;
    list->posted = true;
    pthread_mutex_unlock(&list->lock);
    if (!post)
        return;
    gpu_queue_retain(queue);
    list->job.run = run;
    gpu_retire_post(queue->device, &list->job);
}

plugin_list gpu_retire_take(accel_impl_queue *queue)
{
    gpu_retire_list *list = &queue->retire;
    plugin_list taken = {NULL, NULL};

    pthread_mutex_lock(&list->asking);
    pthread_mutex_lock(&list->lock);
    plugin_list_append_all(&taken, &list->behind);
    plugin_list_append_all(&taken, &list->open);
    pthread_mutex_unlock(&list->lock);
    pthread_mutex_unlock(&list->asking);
    return taken;
}

bool gpu_retire_leave(accel_impl_queue *queue)
{
    gpu_retire_list *list = &queue->retire;

    pthread_mutex_lock(&list->asking);
    gpu_result result = ask(queue, FRESH_EVENT);
    if (is_refusal(queue, result)) /* without the event nothing tells later what is done */
        result = queue->device->driver->stream_synchronize(queue->stream);
    uint32_t class = gpu_error_class_of(queue->device->driver, result, NULL);
    list->left = class == GPU_CLASS_SUCCESS || class == GPU_CLASS_NOT_READY;
    pthread_mutex_unlock(&list->asking);
    return result == 0;
}

bool gpu_retire_is_over(accel_impl_queue *queue, bool again)
{
    gpu_retire_list *list = &queue->retire;

    pthread_mutex_lock(&list->asking);
    if (!again)
        list->recorded = false; /* what was recorded is before the last operations */
    bool over = reached(queue, list->recorded ? EVENT : STREAM);
    pthread_mutex_unlock(&list->asking);
    return over;
}
