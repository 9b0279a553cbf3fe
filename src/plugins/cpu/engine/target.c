/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/target.h"

#include <stdio.h>
#include <string.h>

/* What a level adds, as people know it. */
static const char *const additions[] = {"x86-64", "SSE4.2", "AVX2", "AVX-512"};

static uint32_t x86_level(const char *target)
{
    static const char prefix[] = "x86-64";
    size_t length = sizeof(prefix) - 1;
    if (strncmp(target, prefix, length) != 0)
        return 0;
    target += length;
    if (target[0] == '\0')
        return 1;
    bool level = target[0] == '-' && target[1] == 'v' && target[2] >= '2' && target[2] <= '4' && target[3] == '\0';
    return level ? (uint32_t)(target[2] - '0') : 0;
}

static uint32_t rank_x86(uint32_t wanted, uint32_t level, const cpu_isa_words *words, char *reason, size_t reason_size)
{
    if (wanted <= level) {
        snprintf(reason, reason_size, "runs here: the CPU is %s", cpu_isa_name(level));
        return wanted;
    }
    const char *what = additions[wanted - 1];
    if (wanted <= cpu_isa_level_of_processor(words))
        snprintf(reason, reason_size, "needs %s, which the CPU has but the system has not enabled", what);
    else
        snprintf(reason, reason_size, "needs %s, which this CPU (%s) does not have", what, cpu_isa_name(level));
    return 0;
}

uint32_t cpu_target_rank(uint32_t level, const cpu_isa_words *words, const char *target, const char *format,
                         char *reason, size_t reason_size)
{
    uint32_t wanted = x86_level(target);
    bool arm = strcmp(target, "aarch64") == 0;
    if (wanted == 0 && !arm) {
        snprintf(reason, reason_size, "is for another kind of device: %s is no CPU target known here", target);
        return 0;
    }
    if (strcmp(format, "so") != 0) {
        snprintf(reason, reason_size, "CPU objects are of format so, not %s", format);
        return 0;
    }
#if defined(__x86_64__)
    if (!arm)
        return rank_x86(wanted, level, words, reason, reason_size);
#elif defined(__aarch64__)
    (void)level;
    (void)words;
    if (arm) {
        snprintf(reason, reason_size, "runs here: the CPU is aarch64");
        return 1;
    }
#endif
    snprintf(reason, reason_size, "is for %s CPUs", arm ? "aarch64" : "x86-64");
    return 0;
}
