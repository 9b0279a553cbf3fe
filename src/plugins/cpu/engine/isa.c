/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/isa.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* x86-64 psABI, "Micro-Architecture Levels". */
enum {
    SSE3 = 1 << 0,
    SSSE3 = 1 << 9,
    FMA = 1 << 12,
    CX16 = 1 << 13,
    SSE41 = 1 << 19,
    SSE42 = 1 << 20,
    MOVBE = 1 << 22,
    POPCNT = 1 << 23,
    OSXSAVE = 1 << 27,
    AVX = 1 << 28,
    F16C = 1 << 29,
    LEVEL2_LEAF1 = SSE3 | SSSE3 | CX16 | SSE41 | SSE42 | POPCNT,
    LEVEL3_LEAF1 = FMA | MOVBE | OSXSAVE | AVX | F16C,

    LAHF = 1 << 0,
    LZCNT = 1 << 5,

    BMI1 = 1 << 3,
    AVX2 = 1 << 5,
    BMI2 = 1 << 8,
    AVX512F = 1 << 16,
    AVX512DQ = 1 << 17,
    AVX512CD = 1 << 28,
    LEVEL3_LEAF7 = BMI1 | AVX2 | BMI2,

    XCR0_YMM = 0x06, /* xmm and ymm */
    XCR0_ZMM = 0xe6  /* and masks, zmm0-15 upper halves, zmm16-31 */
};
static const uint32_t level4_leaf7 = (uint32_t)AVX512F | AVX512DQ | AVX512CD | 1u << 30 /* BW */ | 1u << 31 /* VL */;

static bool has(uint32_t word, uint32_t bits)
{
    return (word & bits) == bits;
}

uint32_t cpu_isa_level_of_processor(const cpu_isa_words *words)
{
    if (!has(words->leaf1_ecx, LEVEL2_LEAF1) || !has(words->leaf80000001_ecx, LAHF))
        return 1;
    /* OSXSAVE is the system's word, not the processor's. */
    if (!has(words->leaf1_ecx, LEVEL3_LEAF1 & ~(uint32_t)OSXSAVE) || !has(words->leaf7_ebx, LEVEL3_LEAF7) ||
        !has(words->leaf80000001_ecx, LZCNT))
        return 2;
    return has(words->leaf7_ebx, level4_leaf7) ? 4 : 3;
}

uint32_t cpu_isa_level(const cpu_isa_words *words)
{
    uint32_t level = cpu_isa_level_of_processor(words);
    if (level >= 3 && (!has(words->leaf1_ecx, OSXSAVE) || !has(words->xcr0, XCR0_YMM)))
        return 2;
    if (level >= 4 && !has(words->xcr0, XCR0_ZMM))
        return 3;
    return level;
}

#if defined(__x86_64__)
static cpu_isa_words native;

/* Every processor for x86-64 has leaf 0x80000001. */
static void read_native(void)
{
    uint32_t most, eax, ebx, ecx, edx, name[3];
    __cpuid(0, most, name[0], name[2], name[1]);
    native.is_amd = memcmp(name, "AuthenticAMD", sizeof(name)) == 0;
    __cpuid(1, eax, ebx, native.leaf1_ecx, edx);
    if (most >= 7)
        __cpuid_count(7, 0, eax, native.leaf7_ebx, ecx, edx);
    __cpuid(0x80000001u, eax, ebx, native.leaf80000001_ecx, edx);
    if (has(native.leaf1_ecx, OSXSAVE))
        __asm__("xgetbv" : "=a"(native.xcr0), "=d"(edx) : "c"(0));
}

const cpu_isa_words *cpu_isa_native(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_native);
    return &native;
}

uint32_t cpu_isa_native_level(void)
{
    return cpu_isa_level(cpu_isa_native());
}

const char *cpu_isa_name(uint32_t level)
{
    static const char *const names[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
    return level >= 1 && level <= 4 ? names[level - 1] : "";
}
#else
const cpu_isa_words *cpu_isa_native(void)
{
    static const cpu_isa_words none;
    return &none;
}

uint32_t cpu_isa_native_level(void)
{
#if defined(__aarch64__)
    return 1;
#else
    return 0;
#endif
}

const char *cpu_isa_name(uint32_t level)
{
    (void)level;
#if defined(__aarch64__)
    return "aarch64";
#else
    return "";
#endif
}
#endif

/* --- targets --- */

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

#if defined(__x86_64__)
/* What a level adds, as people know it. */
static const char *const additions[] = {"x86-64", "SSE4.2", "AVX2", "AVX-512"};

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
#endif

uint32_t cpu_target_rank(uint32_t level, const cpu_isa_words *words, const char *target, const char *format,
                         char *reason, size_t reason_size)
{
    uint32_t wanted = x86_level(target);
    bool arm = strcmp(target, "aarch64") == 0;
    if (wanted == 0 && !arm) {
        snprintf(reason, reason_size, "is for another kind of device: %s is no target of this backend", target);
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
