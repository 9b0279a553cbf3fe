/* SPDX-License-Identifier: Apache-2.0 */
/* Zeroed memory with struct_size set is what ACCEL_..._INIT makes, for every struct that has one. */
#include <accel/pattern.h>
#include <accel/algorithm.h>

#include <stdio.h>
#include <string.h>

static int different;

/* Members that are not mentioned are 0; so is padding, in static objects. */
#define CHECK(T, INIT)                                                                                                 \
    do {                                                                                                               \
        static const T initialised = INIT;                                                                             \
        static T zeroed;                                                                                               \
        zeroed.struct_size = (uint32_t)sizeof(T);                                                                      \
        if (memcmp(&initialised, &zeroed, sizeof(T)) != 0) {                                                           \
            fprintf(stderr, #INIT " is not zeroed memory\n");                                                          \
            ++different;                                                                                               \
        }                                                                                                              \
    } while (0)

int main(void)
{
    CHECK(accel_instance_desc, ACCEL_INSTANCE_DESC_INIT);
    CHECK(accel_backend_properties, ACCEL_BACKEND_PROPERTIES_INIT);
    CHECK(accel_config_properties, ACCEL_CONFIG_PROPERTIES_INIT);
    CHECK(accel_device_properties, ACCEL_DEVICE_PROPERTIES_INIT);
    CHECK(accel_partition_desc, ACCEL_PARTITION_DESC_INIT);
    CHECK(accel_queue_desc, ACCEL_QUEUE_DESC_INIT);
    CHECK(accel_event_desc, ACCEL_EVENT_DESC_INIT);
    CHECK(accel_buffer_desc, ACCEL_BUFFER_DESC_INIT);
    CHECK(accel_buffer_properties, ACCEL_BUFFER_PROPERTIES_INIT);
    CHECK(accel_object_properties, ACCEL_OBJECT_PROPERTIES_INIT);
    CHECK(accel_kernel_properties, ACCEL_KERNEL_PROPERTIES_INIT);
    CHECK(accel_work, ACCEL_WORK_INIT);
    CHECK(accel_divide_desc, ACCEL_DIVIDE_DESC_INIT);
    CHECK(accel_range, ACCEL_RANGE_INIT);
    CHECK(accel_scratch_view, ACCEL_SCRATCH_VIEW_INIT);
    CHECK(accel_scatter_desc, ACCEL_SCATTER_DESC_INIT);
    CHECK(accel_scatter_properties, ACCEL_SCATTER_PROPERTIES_INIT);
    CHECK(accel_sort_desc, ACCEL_SORT_DESC_INIT);
    CHECK(accel_histogram_desc, ACCEL_HISTOGRAM_DESC_INIT);
    CHECK(accel_gemm_desc, ACCEL_GEMM_DESC_INIT);
    return different == 0 ? 0 : 1;
}
