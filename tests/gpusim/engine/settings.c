/* SPDX-License-Identifier: Apache-2.0 */
#include "settings.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sim_settings sim_settings_here;

static const char *text_of(const char *name, const char *otherwise)
{
    char own[64];
    int length = snprintf(own, sizeof own, "%s_%s", name, sim_front_here.name);
    for (int i = length - (int)strlen(sim_front_here.name); i < length; ++i)
        own[i] = (char)(own[i] - 'a' + 'A');
    const char *value = getenv(own);
    if (value == NULL || value[0] == '\0')
        value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : otherwise;
}

static uint64_t number_of(const char *name, uint64_t otherwise)
{
    const char *value = text_of(name, NULL);
    return value != NULL ? strtoull(value, NULL, 0) : otherwise;
}

/* "all", "none", or pairs of ordinals: "01,10" lets each of two devices use the other's memory. */
static void read_peers(const char *text)
{
    bool all = strcmp(text, "all") == 0;
    for (unsigned a = 0; a < SIM_MAX_DEVICES; ++a)
        for (unsigned b = 0; b < SIM_MAX_DEVICES; ++b)
            sim_settings_here.peer[a][b] = all && a != b;
    if (all || strcmp(text, "none") == 0)
        return;
    for (; text[0] != '\0' && text[1] != '\0'; text += text[2] == ',' ? 3 : 2) {
        unsigned a = (unsigned)(text[0] - '0'), b = (unsigned)(text[1] - '0');
        if (a < SIM_MAX_DEVICES && b < SIM_MAX_DEVICES && a != b)
            sim_settings_here.peer[a][b] = true;
    }
}

/* AMD's data centre processors, gfx9, have 64 lanes; its later ones and all of NVIDIA's 32. */
static uint32_t usual_warp_size(const char *architecture)
{
    return strncmp(architecture, "gfx9", 4) == 0 ? 64 : 32;
}

uint32_t sim_settings_version(void)
{
    return (uint32_t)number_of("GPUSIM_VERSION", sim_front_here.driver_version);
}

void sim_settings_read(void)
{
    sim_settings *s = &sim_settings_here;
    s->devices = (unsigned)number_of("GPUSIM_DEVICES", 2);
    if (s->devices > SIM_MAX_DEVICES)
        s->devices = SIM_MAX_DEVICES;
    s->count = (int)number_of("GPUSIM_COUNT", s->devices);
    s->driver_version = sim_settings_version();
    s->runtime_version = (uint32_t)number_of("GPUSIM_RUNTIME_VERSION", sim_front_here.runtime_version);
    snprintf(s->architecture, sizeof s->architecture, "%s",
             text_of("GPUSIM_ARCHITECTURE", sim_front_here.architecture));
    s->warp_size = (uint32_t)number_of("GPUSIM_WARP", usual_warp_size(s->architecture));
    s->memory = number_of("GPUSIM_MEMORY", 4096) << 20;
    read_peers(text_of("GPUSIM_PEER", "all"));
    s->mapped = number_of("GPUSIM_MAPPED", 1) != 0;
    s->managed = number_of("GPUSIM_MANAGED", 1) != 0;
    s->pools = number_of("GPUSIM_POOLS", 1) != 0;
    s->cooperative = number_of("GPUSIM_COOPERATIVE", 1) != 0;
    s->seed = number_of("GPUSIM_SEED", 1);
    s->delay = (uint32_t)number_of("GPUSIM_DELAY", 200);
    s->room = number_of("GPUSIM_ROOM", 4096);
    s->link = number_of("GPUSIM_LINK", 43);
    s->blocking_copies = strcmp(text_of("GPUSIM_PAGEABLE", "later"), "blocking") == 0;
    s->init_result = (int)number_of("GPUSIM_INIT", 0);
    s->init_delay = (uint32_t)number_of("GPUSIM_INIT_DELAY", 0);
    s->ends_early = strcmp(text_of("GPUSIM_EXIT", ""), "deinitialized") == 0;
    const char *trace = text_of("GPUSIM_TRACE", NULL);
    s->trace = trace != NULL ? open(trace, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    s->log = number_of("GPUSIM_LOG", 0) != 0;
    s->exit_status = (int)number_of("GPUSIM_STATUS", 86);
}
