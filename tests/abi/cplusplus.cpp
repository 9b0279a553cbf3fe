/* SPDX-License-Identifier: Apache-2.0 */
/* A C++17 program over the C API: initialisers, inline functions, linkage. */
#include <accel/plugin.h>

#include <cstdio>
#include <cstring>

static bool failed(accel_status status)
{
    if (status != ACCEL_OK)
        std::fprintf(stderr, "%s\n", accel_error_message());
    return status != ACCEL_OK;
}

int main()
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_device_properties properties = ACCEL_DEVICE_PROPERTIES_INIT;
    accel_buffer_properties shape = ACCEL_BUFFER_PROPERTIES_INIT;
    accel_queue_desc queue_desc = ACCEL_QUEUE_DESC_INIT;
    accel_instance *instance = nullptr;
    accel_queue *queue = nullptr;
    accel_buffer *buffer = nullptr;
    const size_t two[2] = {2, 3};
    const size_t three[3] = {2, 3, 4};
    if (desc.struct_size != sizeof desc || desc.backends != nullptr || accel_work_1d(1, 2, 3).threads[0] != 2 ||
        accel_work_2d(two, two, two).dims != 2 || accel_work_3d(three, three, three).blocks[2] != 4 ||
        accel_buffer_2d(4, 5, 6).extent[1] != 6 || accel_buffer_3d(4, 5, 6, 7).dims != 3)
        return 1;
    if (failed(accel_instance_create(&desc, &instance)))
        return 1;
    accel_device *device = accel_instance_device(instance, 0);
    accel_buffer_desc buffer_desc = accel_buffer_1d(sizeof(float), 100);
    float values[100], back[100];
    for (int i = 0; i < 100; ++i)
        values[i] = static_cast<float>(i);
    std::memset(back, 0, sizeof back);
    queue_desc.flags = ACCEL_QUEUE_BLOCKING;
    if (failed(accel_device_info(device, &properties)) || failed(accel_queue_create(device, &queue_desc, &queue)) ||
        failed(accel_buffer_create(device, &buffer_desc, &buffer)) || failed(accel_buffer_info(buffer, &shape)) ||
        failed(accel_write(queue, buffer, values)) || failed(accel_read(queue, back, buffer)))
        return 1;
    accel_buffer_release(buffer);
    accel_queue_release(queue);
    accel_instance_release(instance);
    if (std::memcmp(values, back, sizeof back) != 0 || shape.extent[0] != 100)
        return 1;
    std::printf("%s: verified from C++\n", properties.name);
    return 0;
}
