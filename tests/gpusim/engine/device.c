/* SPDX-License-Identifier: Apache-2.0 */
#include "device.h"
#include "address.h"
#include "block.h"
#include "entry.h"
#include "front.h"
#include "report.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

sim_device sim_devices[SIM_MAX_DEVICES];

static int shared_memory = -1;

/* By the system call itself: a sanitizer would prepare shadow memory for what nobody may touch. */
static bool reserve(uintptr_t base, size_t size)
{
    long got = syscall(SYS_mmap, base, size, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0L);
    return got == (long)base;
}

sim_status sim_device_open_all(void)
{
    unsigned count = sim_settings_here.devices;
    if (!reserve(sim_front_here.base, SIM_SPAN * (count + 1))) {
        fprintf(stderr, "gpusim: the addresses from %#zx are taken\n", (size_t)sim_front_here.base);
        return SIM_OPERATING_SYSTEM;
    }
    shared_memory = sim_file_new("gpusim-shared", SIM_SPAN);
    if (shared_memory < 0)
        return SIM_OPERATING_SYSTEM;
    for (unsigned i = 0; i < count; ++i) {
        sim_device *device = &sim_devices[i];
        device->ordinal = i;
        device->base = sim_front_here.base + SIM_SPAN * (i + 1);
        device->cursor = device->base;
        device->memory = sim_file_new("gpusim-device", SIM_SPAN + SIM_GLOBALS_SPAN);
        device->primary = sim_object_new(SIM_CONTEXT, sizeof *device->primary);
        if (device->memory < 0 || device->primary == NULL)
            return SIM_OPERATING_SYSTEM;
        device->primary->object.alive = false;
        device->primary->primary = true;
        device->primary->object.context = device->primary;
        device->primary->device = device;
    }
    return SIM_OK;
}

void sim_device_forget(void)
{
    for (unsigned i = 0; i < SIM_MAX_DEVICES; ++i)
        if (sim_devices[i].process.pid != 0) {
            close(sim_devices[i].process.control);
            sim_devices[i].process.pid = 0;
        }
}

sim_device *sim_device_at(int ordinal)
{
    return ordinal >= 0 && (unsigned)ordinal < sim_settings_here.devices ? &sim_devices[ordinal] : NULL;
}

sim_status sim_device_start(sim_device *device)
{
    if (device->process.pid != 0)
        return SIM_OK;
    sim_status status = sim_process_start(&device->process, device->memory, device->base, SIM_SPAN);
    if (status != SIM_OK)
        return status;
    wire_request adopt = {.what = WIRE_ADOPT, .a = sim_front_here.base, .b = SIM_SPAN};
    wire_answer answer;
    if (sim_process_ask(&device->process, &adopt, shared_memory, &answer) && sim_blocks_protect(device, NULL, true))
        return SIM_OK;
    fprintf(stderr, "gpusim: device process: %s\n", answer.text);
    return SIM_OPERATING_SYSTEM;
}

int sim_shared_memory(void)
{
    return shared_memory;
}

sim_status sim_device_get_name(char *to, int size, int ordinal)
{
    if (sim_device_at(ordinal) == NULL)
        return SIM_INVALID_DEVICE;
    if (size <= 0)
        return SIM_INVALID_VALUE;
    snprintf(to, (size_t)size, "%s", sim_front_here.names[ordinal % 3]);
    return SIM_OK;
}

sim_status sim_device_get_uuid(char uuid[16], int ordinal)
{
    if (sim_device_at(ordinal) == NULL)
        return SIM_INVALID_DEVICE;
    memset(uuid, 0x5a, 16);
    memcpy(uuid, sim_front_here.name, 3);
    uuid[15] = (char)(ordinal + 1);
    return SIM_OK;
}

sim_status sim_device_get_memory(size_t *bytes, int ordinal)
{
    if (sim_device_at(ordinal) == NULL)
        return SIM_INVALID_DEVICE;
    *bytes = sim_settings_here.memory;
    return SIM_OK;
}

sim_status sim_device_can_access(int *yes, int ordinal, int peer)
{
    if (sim_device_at(ordinal) == NULL || sim_device_at(peer) == NULL)
        return SIM_INVALID_DEVICE;
    *yes = sim_settings_here.peer[ordinal][peer];
    return SIM_OK;
}

void sim_device_lose(sim_device *device)
{
    wire_request cancel = {.what = WIRE_CANCEL, .a = 1};
    wire_answer answer;
    device->lost = true;
    sim_process_ask(&device->process, &cancel, -1, &answer);
    pthread_cond_broadcast(&sim_engine_here.progress);
}
