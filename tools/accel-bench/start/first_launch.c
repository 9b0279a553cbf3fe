/* SPDX-License-Identifier: Apache-2.0 */
/* A whole program with its first launch, of two blocks, on the device that libaccel chooses. */
#include <accel/accel.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "kernels/bench_kernels.h"
#include "start/told.h"

enum { BLOCKS = 2 };

static bool launch(accel_instance *instance, accel_queue **queue, accel_module **module, accel_buffer **buffer)
{
    const accel_buffer_desc counts = accel_buffer_1d(sizeof(uint64_t), BLOCKS);
    const uint64_t zero = 0;
    uint64_t found[BLOCKS];
    accel_device *device;
    accel_kernel *kernel;
    accel_work work = ACCEL_WORK_INIT;
    count_args args;
    work.dims = 1;
    work.blocks[0] = BLOCKS;
    work.threads[0] = work.elems[0] = 1;
    if (accel_instance_find_device(instance, NULL, &device) != ACCEL_OK ||
        accel_queue_create(device, NULL, queue) != ACCEL_OK ||
        accel_module_load(device, "bench-start", module) != ACCEL_OK ||
        accel_module_kernel(*module, "count", &kernel) != ACCEL_OK ||
        accel_buffer_create(device, &counts, buffer) != ACCEL_OK ||
        accel_fill(*queue, *buffer, &zero, sizeof zero, NULL) != ACCEL_OK)
        return false;
    args.count = accel_buffer_ptr(*buffer);
    return accel_launch(*queue, kernel, &work, &args, sizeof args) == ACCEL_OK &&
           accel_read(*queue, found, *buffer) == ACCEL_OK && accel_queue_wait(*queue) == ACCEL_OK && found[0] == 1 &&
           found[1] == 1;
}

int main(int argument_count, char **arguments)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_instance *instance = NULL;
    accel_queue *queue = NULL;
    accel_module *module = NULL;
    accel_buffer *buffer = NULL;
    desc.kernel_path = argument_count > 1 ? arguments[1] : NULL;
    const double start = clock_now();
    bool good = accel_instance_create(&desc, &instance) == ACCEL_OK;
    start_told told = {.create_ns = clock_now() - start};
    good = good && launch(instance, &queue, &module, &buffer);
    told.peak_kib = start_peak_kib();
    if (!good)
        fprintf(stderr, "first-launch: %s\n", accel_error_message());
    accel_buffer_release(buffer);
    accel_module_release(module);
    accel_queue_release(queue);
    accel_instance_release(instance);
    good = good && fwrite(&told, sizeof told, 1, stdout) == 1;
    return good ? 0 : 1;
}
