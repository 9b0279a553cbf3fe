/* SPDX-License-Identifier: Apache-2.0 */
#include "modules.h"
#include "../kernel/grid.h"
#include "lane.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Addresses that are kept from the loader meanwhile. */
typedef struct taken {
    char *start;
    size_t size;
} taken;
enum { TAKEN = 512, PAGE = 4096 };

static bool take(taken *list, size_t *count, size_t size)
{
    if (*count == TAKEN)
        return false;
    void *start = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start != MAP_FAILED)
        list[(*count)++] = (taken){start, size};
    return start != MAP_FAILED;
}

static void give_back(const taken *list, size_t *count)
{
    --*count;
    munmap(list[*count].start, list[*count].size);
}

/* The next `aside` bytes, and all holes above them. */
static size_t step_aside(taken *list, size_t aside)
{
    size_t count = 0;
    if (aside == 0 || !take(list, &count, aside))
        return 0;
    for (size_t part = aside / 2; part >= PAGE; part /= 2)
        while (take(list, &count, part))
            if (list[count - 1].start < list[0].start) {
                give_back(list, &count);
                break;
            }
    return count;
}

void device_module_load(int file, uint64_t size, uint64_t aside, wire_answer *answer)
{
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    taken list[TAKEN];
    size_t count = step_aside(list, aside);
    gpusim_image *image = NULL;
    if (bytes == MAP_FAILED)
        snprintf(answer->text, sizeof answer->text, "the object cannot be mapped");
    else {
        image = gpusim_image_load(bytes, size, answer->text, sizeof answer->text);
        munmap(bytes, size);
    }
    while (count > 0)
        give_back(list, &count);
    answer->failed = image == NULL;
    answer->a = (uintptr_t)image;
    if (image != NULL) {
        uintptr_t start;
        size_t there;
        gpusim_image_place(image, &start, &there);
        answer->b = start;
        answer->c = there;
    }
}

static gpusim_image *image_of(uint64_t number)
{
    return (gpusim_image *)number; /* NOLINT(performance-no-int-to-ptr) */
}

void device_module_unload(uint64_t number)
{
    gpusim_image_unload(image_of(number));
}

void device_module_kernel(uint64_t number, const char *name, wire_answer *answer)
{
    const gpusim_kernel *kernel = gpusim_image_kernel(image_of(number), name);
    gpusim_kernel_properties properties;
    answer->failed = kernel == NULL;
    if (kernel == NULL)
        return;
    gpusim_kernel_info(kernel, &properties);
    answer->a = (uintptr_t)kernel;
    answer->kernel = (wire_kernel){.parameter_offset = {properties.parameter_offset[0], properties.parameter_offset[1]},
                                   .parameter_size = {properties.parameter_size[0], properties.parameter_size[1]},
                                   .parameter_bytes = properties.parameter_bytes,
                                   .static_shared_bytes = properties.static_shared_bytes,
                                   .max_threads = properties.max_threads,
                                   .registers = properties.registers,
                                   .local_bytes = properties.local_bytes};
}

void device_module_global(uint64_t number, const char *name, wire_answer *answer)
{
    void *address = NULL;
    size_t size = 0;
    bool found = gpusim_image_global(image_of(number), name, &address, &size);
    answer->failed = !found;
    if (!found)
        return;
    answer->a = (uintptr_t)address;
    answer->b = size;
    device_lanes_stop();
    answer->failed = !device_memory_move((uintptr_t)address, &answer->c, &answer->d, &answer->e);
    device_lanes_go_on();
    if (answer->failed)
        snprintf(answer->text, sizeof answer->text, "the pages of %s cannot be moved", name);
}
