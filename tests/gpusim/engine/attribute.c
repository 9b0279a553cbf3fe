/* SPDX-License-Identifier: Apache-2.0 */
#include "attribute.h"
#include "copy.h"
#include "device.h"
#include "limits.h"

#include <stdlib.h>
#include <string.h>

sim_status sim_attribute(int *value, const char *name, int ordinal)
{
    const sim_device *device = sim_device_at(ordinal);
    if (device == NULL)
        return SIM_INVALID_DEVICE;
    const char *architecture = sim_settings_here.architecture;
    int capability = strncmp(architecture, "sm_", 3) == 0 ? atoi(architecture + 3) : 0;
    const struct {
        const char *name;
        int value;
    } table[] = {
        {"MAX_BLOCK_THREADS", SIM_BLOCK_THREADS},
        {"MAX_UNIT_THREADS", SIM_UNIT_THREADS},
        {"MAX_THREADS_X", SIM_BLOCK_THREADS},
        {"MAX_THREADS_Y", SIM_BLOCK_THREADS},
        {"MAX_THREADS_Z", SIM_BLOCK_Z},
        {"MAX_BLOCKS_X", SIM_GRID_X},
        {"MAX_BLOCKS_Y", SIM_GRID_YZ},
        {"MAX_BLOCKS_Z", SIM_GRID_YZ},
        {"MAX_SHARED", (int)sim_front_here.max_shared},
        {"MAX_SHARED_OPTIN", (int)sim_front_here.max_shared_optin},
        {"COMPUTE_UNITS", SIM_UNITS},
        {"WARP_SIZE", (int)sim_settings_here.warp_size},
        {"CLOCK_KHZ", 1500000},
        {"MEMORY_CLOCK_KHZ", 2000000},
        {"MEMORY_BUS_BITS", 4096},
        {"L2_BYTES", 8 << 20},
        {"PCI_DOMAIN", 1},
        {"PCI_BUS", 0x20 + (int)device->ordinal},
        {"PCI_DEVICE", 2},
        {"MAX_PITCH", (int)SIM_MAX_PITCH},
        {"UNIFIED_ADDRESS", 1},
        {"MAPPED", sim_settings_here.mapped},
        {"MANAGED", sim_settings_here.managed},
        {"CONCURRENT_MANAGED", sim_settings_here.managed},
        {"MEMORY_POOLS", sim_settings_here.pools},
        {"COOPERATIVE", sim_settings_here.cooperative},
        {"STREAM_PRIORITIES", 1},
        {"CAPABILITY_MAJOR", capability / 10},
        {"CAPABILITY_MINOR", capability % 10},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
        if (strcmp(table[i].name, name) == 0) {
            *value = table[i].value;
            return SIM_OK;
        }
    return SIM_INVALID_VALUE;
}
