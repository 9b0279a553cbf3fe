/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_fake_driver.h"

#include <stdlib.h>
#include <string.h>

_Atomic uint32_t gpu_fake_launches;
_Atomic int gpu_fake_launch_result;
_Atomic bool gpu_fake_next_faults;

static const accel_kernel_descriptor descriptor = {.magic = ACCEL_OBJECT_MAGIC,
                                                   .abi = ACCEL_OBJECT_ABI,
                                                   .struct_size = sizeof(accel_kernel_descriptor),
                                                   .form = ACCEL_FORM_BLOCK,
                                                   .args_size = 8,
                                                   .args_align = 8,
                                                   .grid_size = sizeof(accel_grid)};

static gpu_result code_load(gpu_code *made, const void *image, char *text, size_t size)
{
    (void)image;
    (void)text;
    (void)size;
    ++gpu_fake_alive;
    *made = malloc(1);
    return 0;
}

static gpu_result code_unload(gpu_code code)
{
    free(code);
    --gpu_fake_alive;
    return 0;
}

static gpu_result code_function(gpu_function *function, gpu_code code, const char *symbol)
{
    *function = (gpu_function)(void *)code;
    return strcmp(symbol, "accel_kernel_axpy") == 0 ? 0 : FAKE_REFUSED;
}

static gpu_result code_global(void **ptr, size_t *size, gpu_code code, const char *symbol)
{
    union {
        const void *is;
        void *seen;
    } place = {&descriptor};
    (void)code;
    *ptr = place.seen;
    *size = sizeof(descriptor);
    return strcmp(symbol, "accel_descriptor_axpy") == 0 ? 0 : FAKE_REFUSED;
}

uint32_t gpu_fake_warp_size;

static uint32_t image_warp_size(const accel_image *image)
{
    (void)image;
    return gpu_fake_warp_size;
}

static gpu_result function_attribute(int *value, int attribute, gpu_function function)
{
    (void)function;
    *value = attribute == GPU_FUNCTION_MAX_THREADS ? 1024 : attribute == GPU_FUNCTION_MAX_DYNAMIC_SHARED ? 48 << 10 : 0;
    return 0;
}

static gpu_result function_set_attribute(gpu_function function, int attribute, int value)
{
    (void)function;
    (void)attribute;
    gpu_fake_note("shared %d;", value);
    return 0;
}

static gpu_result occupancy_block(int *blocks, int *threads, gpu_function function, size_t shared)
{
    (void)function;
    (void)shared;
    *blocks = 4;
    *threads = 1024;
    return 0;
}

static gpu_result occupancy_blocks(int *blocks, gpu_function function, int threads, size_t shared)
{
    (void)function;
    (void)shared;
    *blocks = 2048 / threads;
    return 0;
}

static void run_launch(gpu_fake_task *t)
{
    if (atomic_exchange(&gpu_fake_next_faults, false))
        gpu_fake_faulted[t->device - 1] = true;
    else
        ++gpu_fake_launches;
}

static gpu_result launch(gpu_function function, const uint32_t blocks[3], const uint32_t threads[3], uint32_t shared,
                         gpu_stream s, void **parameters)
{
    (void)function;
    (void)shared;
    ck_assert_ptr_nonnull(parameters[0]);
    ck_assert_ptr_nonnull(((accel_grid *)parameters[1])->locks);
    gpu_fake_note("launch %u %u;", blocks[0], threads[0]);
    return gpu_fake_launch_result != 0 ? gpu_fake_launch_result : gpu_fake_give(s, (gpu_fake_task){.run = run_launch});
}

static gpu_result launch_cooperative(gpu_function function, const uint32_t blocks[3], const uint32_t threads[3],
                                     uint32_t shared, gpu_stream s, void **parameters)
{
    gpu_fake_note("cooperative ");
    if (blocks[0] * threads[0] > 2048)
        return FAKE_TOO_LARGE;
    return launch(function, blocks, threads, shared, s, parameters);
}

void gpu_fake_fill_modules(gpu_driver *driver)
{
    driver->code_load = code_load;
    driver->code_unload = code_unload;
    driver->code_function = code_function;
    driver->code_global = code_global;
    driver->function_attribute = function_attribute;
    driver->function_set_attribute = function_set_attribute;
    driver->image_warp_size = image_warp_size;
    driver->occupancy_block = occupancy_block;
    driver->occupancy_blocks = occupancy_blocks;
    driver->launch = launch;
    driver->launch_cooperative = launch_cooperative;
}
