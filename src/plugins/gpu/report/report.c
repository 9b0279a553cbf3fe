/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/report/report.h"
#include "plugins/gpu/engine/context.h"
#include "plugins/gpu/engine/object.h"

#include <stdio.h>
#include <stdlib.h>

static gpu_result zero(const accel_impl_device *device, const gpu_report *report)
{
    const gpu_driver *driver = device->driver;
    gpu_result result =
        driver->fill_32(report->memory, 0, offsetof(accel_report, lines) / sizeof(uint32_t), device->stream);

    return result == 0 ? gpu_stream_finish(driver, device->stream) : result;
}

static accel_status make(accel_impl_device *device, bool taken, gpu_report **made)
{
    static const char what[] = "making the report of assertions";
    void *memory = NULL;
    gpu_report *report = calloc(1, sizeof(*report));

    if (report == NULL)
        return gpu_host()->error(ACCEL_OUT_OF_MEMORY, "\"%s\": %s: no memory for %zu bytes", device->label, what,
                                 sizeof(*report));
    gpu_result result = device->driver->memory_allocate(&memory, sizeof(*report->memory));
    if (result != 0) {
        free(report);
        return gpu_device_failed(device, what, result);
    }
    report->memory = memory;
    report->taken = taken;
    pthread_mutex_lock(&device->lock);
    report->next = device->reports;
    device->reports = report;
    pthread_mutex_unlock(&device->lock);
    *made = report;
    return ACCEL_OK;
}

/* One with lines if it `prints`, and else one without, if there is a choice. */
static gpu_report *find_free(accel_impl_device *device, bool prints)
{
    gpu_report *other = NULL;

    pthread_mutex_lock(&device->lock);
    gpu_report *report = device->reports;
    for (; report != NULL; report = report->next) {
        if (report->taken)
            continue;
        if ((report->lines != NULL) == prints)
            break;
        other = report;
    }
    pthread_mutex_unlock(&device->lock);
    return report != NULL ? report : other;
}

static gpu_report *take_free(accel_impl_device *device, bool prints)
{
    for (gpu_report *report; (report = find_free(device, prints)) != NULL;) {
        if (!atomic_exchange(&report->taken, true))
            return report;
    }
    return NULL;
}

accel_status gpu_report_take(accel_impl_device *device, bool prints, gpu_report **taken)
{
    gpu_report *report = take_free(device, prints);

    if (report == NULL) {
        accel_status status = make(device, true, &report);
        if (status != ACCEL_OK)
            return status;
    }
    gpu_result result = zero(device, report);
    if (result != 0) {
        gpu_report_put(report);
        return gpu_device_failed(device, "clearing the report of assertions", result);
    }
    report->written = false;
    report->owner++;
    *taken = report;
    return ACCEL_OK;
}

void gpu_report_put(gpu_report *report)
{
    if (report != NULL)
        report->taken = false;
}

accel_status gpu_report_expect(accel_impl_device *device, bool prints)
{
    gpu_report *report = find_free(device, prints);
    accel_status status = report != NULL ? ACCEL_OK : make(device, false, &report);

    return status == ACCEL_OK && prints ? gpu_report_want_lines(device, report) : status;
}

accel_status gpu_report_want_lines(accel_impl_device *device, gpu_report *report)
{
    accel_status status = ACCEL_OK;

    if (atomic_load_explicit(&report->lines, memory_order_acquire) != NULL)
        return ACCEL_OK;
    pthread_mutex_lock(&device->lock);
    if (report->lines == NULL) {
        gpu_lines *lines = NULL;
        status = gpu_lines_make(device, &report->memory->lines, &lines);
        if (status == ACCEL_OK)
            atomic_store_explicit(&report->lines, lines, memory_order_release);
    }
    pthread_mutex_unlock(&device->lock);
    return status;
}

accel_status gpu_report_print(accel_impl_device *device, const gpu_report *report)
{
    gpu_lines *lines = atomic_load_explicit(&report->lines, memory_order_acquire);

    return lines != NULL ? gpu_lines_print(device, lines) : ACCEL_OK;
}

accel_status gpu_report_read(accel_impl_device *device, const gpu_report *report, accel_report *read)
{
    static const char what[] = "reading the report of assertions";
    const gpu_driver *driver = device->driver;
    gpu_scope scope;
    accel_status status = gpu_scope_enter(&scope, device, what);

    if (status != ACCEL_OK)
        return status;
    gpu_result result = driver->copy(read, report->memory, sizeof(*read), device->stream);
    if (result == 0)
        result = gpu_stream_finish(driver, device->stream);
    gpu_scope_leave(&scope, device);
    return result == 0 ? ACCEL_OK : gpu_device_failed(device, what, result);
}

/* The kernel is looked up, because kernels may have overwritten the report. One that ran stays until the device ends. */
static const char *name_of(accel_impl_device *device, uint64_t launch)
{
    const char *name = "?";

    pthread_mutex_lock(&device->object_lock);
    for (const gpu_object *object = device->objects; object != NULL; object = object->next) {
        for (const accel_impl_kernel *kernel = object->kernels; kernel != NULL; kernel = kernel->next) {
            if ((uintptr_t)kernel == launch)
                name = kernel->name;
        }
    }
    pthread_mutex_unlock(&device->object_lock);
    return name;
}

accel_status gpu_report_clear(accel_impl_device *device, const gpu_report *report, const accel_report *read)
{
    static const char what[] = "clearing the report of assertions";
    const uint32_t *thread = read->thread, *block = read->block;
    char others[64] = "";
    gpu_scope scope;
    accel_status status = gpu_scope_enter(&scope, device, what);

    if (status != ACCEL_OK)
        return status;
    gpu_result result = zero(device, report);
    gpu_scope_leave(&scope, device);
    if (result != 0)
        return gpu_device_failed(device, what, result);
    if (read->count > 1)
        snprintf(others, sizeof(others), "; so did %u more", read->count - 1);
    return gpu_host()->error(ACCEL_KERNEL_FAULT,
                             "\"%s\": kernel \"%s\": assertion failed at %.*s:%u, in thread (%u, %u, %u) of block (%u, "
                             "%u, %u): %.*s%s",
                             device->label, name_of(device, read->launch), (int)sizeof(read->file), read->file,
                             read->line, thread[0], thread[1], thread[2], block[0], block[1], block[2],
                             (int)sizeof(read->condition), read->condition, others);
}

static void end(accel_impl_device *device, bool give_back)
{
    for (gpu_report *report = device->reports, *next; report != NULL; report = next) {
        next = report->next;
        gpu_lines_end(device, report->lines, give_back);
        if (give_back)
            device->driver->memory_free(report->memory);
        free(report);
    }
    device->reports = NULL;
}

void gpu_reports_end(accel_impl_device *device)
{
    end(device, true);
}

void gpu_reports_forget(accel_impl_device *device)
{
    end(device, false);
}
