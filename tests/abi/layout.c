/* SPDX-License-Identifier: Apache-2.0 */
/* Prints layouts and constants; fails by itself if a struct has fields that are not listed (layout.h). */
#include "layout.h"

#include <accel/algorithm.h>
#include <accel/plugin.h>

#include <inttypes.h>
#include <stdio.h>

static const char *current;
static size_t covered, uncovered;

void layout_begin(const char *name, size_t size)
{
    current = name;
    covered = 0;
    printf("%s: %zu bytes\n", name, size);
}

void layout_field(const char *name, size_t offset, size_t size, size_t align)
{
    if (offset > covered && offset - covered >= align) {
        fprintf(stderr, "%s: bytes %zu to %zu have no field in the list\n", current, covered, offset);
        ++uncovered;
    }
    printf("  .%s at %zu, %zu bytes\n", name, offset, size);
    covered = offset + size;
}

/* Padding at the end would be a field of the next version that leaves the struct's size as it is. */
void layout_end(size_t size)
{
    if (size != covered) {
        fprintf(stderr, "%s: the last %zu bytes have no field in the list, or are padding\n", current, size - covered);
        ++uncovered;
    }
}

#define CONSTANT(c) printf("%s = %" PRIu64 "\n", #c, (uint64_t)(c))

static void constants(void)
{
    CONSTANT(ACCEL_OK);
    CONSTANT(ACCEL_NOT_READY);
    CONSTANT(ACCEL_INVALID);
    CONSTANT(ACCEL_OUT_OF_MEMORY);
    CONSTANT(ACCEL_UNSUPPORTED);
    CONSTANT(ACCEL_NOT_FOUND);
    CONSTANT(ACCEL_UNAVAILABLE);
    CONSTANT(ACCEL_INCOMPATIBLE);
    CONSTANT(ACCEL_LIMIT);
    CONSTANT(ACCEL_IO);
    CONSTANT(ACCEL_FORKED);
    CONSTANT(ACCEL_KERNEL_FAULT);
    CONSTANT(ACCEL_DEVICE_LOST);
    CONSTANT(ACCEL_DRIVER);
    CONSTANT(ACCEL_INTERNAL);
    CONSTANT(ACCEL_BACKEND_USABLE);
    CONSTANT(ACCEL_BACKEND_NOT_SELECTED);
    CONSTANT(ACCEL_BACKEND_NOT_INSTALLED);
    CONSTANT(ACCEL_BACKEND_INCOMPATIBLE);
    CONSTANT(ACCEL_BACKEND_NO_DRIVER);
    CONSTANT(ACCEL_BACKEND_DRIVER_TOO_OLD);
    CONSTANT(ACCEL_BACKEND_NO_DEVICE);
    CONSTANT(ACCEL_BACKEND_NO_PERMISSION);
    CONSTANT(ACCEL_BACKEND_BROKEN);
    CONSTANT(ACCEL_DEVICE_HOST);
    CONSTANT(ACCEL_DEVICE_CPU);
    CONSTANT(ACCEL_DEVICE_GPU);
    CONSTANT(ACCEL_DEVICE_OTHER);
    CONSTANT(ACCEL_PARTITION_NUMA);
    CONSTANT(ACCEL_PARTITION_CACHE);
    CONSTANT(ACCEL_PARTITION_CORES);
    CONSTANT(ACCEL_PARTITION_EQUAL);
    CONSTANT(ACCEL_KERNEL_FORM_BLOCK);
    CONSTANT(ACCEL_KERNEL_FORM_THREAD);
    CONSTANT(ACCEL_KERNEL_FORM_THREAD_NOSYNC);
    CONSTANT(ACCEL_MAX_DIMS);
    CONSTANT(ACCEL_CORE_KINDS);
    CONSTANT(ACCEL_INSTANCE_ALLOW_EMPTY);
    CONSTANT(ACCEL_CONFIG_UNKNOWN);
    CONSTANT(ACCEL_CONFIG_IGNORED);
    CONSTANT(ACCEL_FEATURE_HOST_MEMORY);
    CONSTANT(ACCEL_FEATURE_PINNED);
    CONSTANT(ACCEL_FEATURE_MAPPED);
    CONSTANT(ACCEL_FEATURE_MANAGED);
    CONSTANT(ACCEL_FEATURE_ASYNC_ALLOC);
    CONSTANT(ACCEL_FEATURE_PARTITION);
    CONSTANT(ACCEL_FEATURE_COOPERATIVE);
    CONSTANT(ACCEL_QUEUE_BLOCKING);
    CONSTANT(ACCEL_QUEUE_PROFILING);
    CONSTANT(ACCEL_EVENT_TIMING);
    CONSTANT(ACCEL_BUFFER_PINNED);
    CONSTANT(ACCEL_BUFFER_MAPPED);
    CONSTANT(ACCEL_BUFFER_MANAGED);
    CONSTANT(ACCEL_WORK_COOPERATIVE);
    CONSTANT(ACCEL_DIVIDE_COOPERATIVE);
    CONSTANT(ACCEL_TYPE_INT32);
    CONSTANT(ACCEL_TYPE_UINT32);
    CONSTANT(ACCEL_TYPE_INT64);
    CONSTANT(ACCEL_TYPE_UINT64);
    CONSTANT(ACCEL_TYPE_FLOAT);
    CONSTANT(ACCEL_TYPE_DOUBLE);
    CONSTANT(ACCEL_OPERATION_SUM);
    CONSTANT(ACCEL_OPERATION_PROD);
    CONSTANT(ACCEL_OPERATION_MIN);
    CONSTANT(ACCEL_OPERATION_MAX);
    CONSTANT(ACCEL_SORT_DESCENDING);
    CONSTANT(ACCEL_OBJECT_ABI);
    CONSTANT(ACCEL_OBJECT_MAGIC);
    CONSTANT(ACCEL_BUNDLE_MAGIC);
    CONSTANT(ACCEL_MAX_ARGS_SIZE);
    CONSTANT(ACCEL_MAX_BLOCK_THREADS);
    CONSTANT(ACCEL_SYNC_PLAIN);
    CONSTANT(ACCEL_SYNC_COUNT);
    CONSTANT(ACCEL_SYNC_AND);
    CONSTANT(ACCEL_SYNC_OR);
    CONSTANT(ACCEL_FORM_BLOCK);
    CONSTANT(ACCEL_FORM_THREAD);
    CONSTANT(ACCEL_FORM_THREAD_NOSYNC);
    CONSTANT(ACCEL_KERNEL_NO_ARGS);
    CONSTANT(ACCEL_VARIABLE_NUMBER);
    CONSTANT(ACCEL_VARIABLE_FILE);
    CONSTANT(ACCEL_LOG_ERROR);
    CONSTANT(ACCEL_LOG_WARNING);
    CONSTANT(ACCEL_LOG_INFO);
    CONSTANT(ACCEL_LOG_DEBUG);
    CONSTANT(ACCEL_PLUGIN_ABI);
}

int main(void)
{
    layout_of_accel();
    layout_of_object();
    layout_of_plugin();
    constants();
    return uncovered == 0 ? 0 : 1;
}
