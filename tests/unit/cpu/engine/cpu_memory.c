/* SPDX-License-Identifier: Apache-2.0 */
/* Where memory of CPU devices lies, and what the system is told of it. */
#include "cpu_engine.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 2 << 20, LINE = 512 };

static const size_t sizes[] = {PAGE, PAGE + 1, 3 * PAGE - 17, 40 * PAGE};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

static unsigned char *allocate(cpu_engine *engine, size_t size, size_t alignment, accel_impl_memory **memory)
{
    accel_memory_request request = {.struct_size = sizeof(request), .size = size, .alignment = alignment};
    void *ptr = NULL, *host_ptr = NULL;

    ck_assert_uint_eq(engine->plugin.device_vtable->allocate(engine->device, &request, memory, &ptr, &host_ptr),
                      ACCEL_OK);
    ck_assert_ptr_nonnull(ptr);
    ck_assert_ptr_eq(ptr, host_ptr);
    return ptr;
}

START_TEST(large_buffers_begin_at_a_huge_page)
{
    cpu_engine engine = cpu_engine_open(&cpu_executor_serial);
    accel_impl_memory *memory[4][SIZES];

    /* Several at once: one could lie well by chance. */
    for (int round = 0; round < 4; ++round)
        for (size_t i = 0; i < SIZES; ++i)
            ck_assert_uint_eq((uintptr_t)allocate(&engine, sizes[i], 256, &memory[round][i]) % PAGE, 0);
    for (int round = 0; round < 4; ++round)
        for (size_t i = 0; i < SIZES; ++i)
            engine.plugin.device_vtable->free(engine.device, memory[round][i]);
    cpu_engine_close(&engine);
}
END_TEST

START_TEST(whoever_asks_for_a_wider_alignment_gets_it)
{
    static const size_t alignments[] = {0, 1, 256, 4096, PAGE, 2 * PAGE};
    cpu_engine engine = cpu_engine_open(&cpu_executor_serial);
    accel_impl_memory *memory;

    for (size_t i = 0; i < 6; ++i) {
        for (size_t size = 1; size <= 2 * PAGE; size = 2 * size + 1) {
            uintptr_t at = (uintptr_t)allocate(&engine, size, alignments[i], &memory);
            ck_assert_uint_eq(at % CPU_BASE_ALIGNMENT, 0);
            if (alignments[i] != 0)
                ck_assert_uint_eq(at % alignments[i], 0);
            engine.plugin.device_vtable->free(engine.device, memory);
        }
    }
    cpu_engine_close(&engine);
}
END_TEST

/* The flags of the mapping at an address, as in /proc/self/smaps; empty where the system does not show them. */
static void read_flags(const unsigned char *at, char flags[LINE])
{
    char line[LINE];
    bool here = false;
    FILE *file = fopen("/proc/self/smaps", "r");

    flags[0] = '\0';
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        unsigned long begin, end;
        if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
            here = (uintptr_t)at >= begin && (uintptr_t)at < end;
        else if (here && strncmp(line, "VmFlags:", 8) == 0)
            strcpy(flags, line + 8);
    }
    if (file != NULL)
        fclose(file);
}

START_TEST(the_system_is_asked_for_huge_pages_for_all_of_a_large_buffer)
{
    cpu_engine engine = cpu_engine_open(&cpu_executor_serial);
    char flags[LINE];

    read_flags((const unsigned char *)flags, flags);
    if (access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) != 0 || flags[0] == '\0') {
        printf("skipped: this system has no transparent huge pages, or does not show what was asked for\n");
    } else {
        for (size_t i = 0; i < SIZES; ++i) {
            accel_impl_memory *memory;
            const unsigned char *at = allocate(&engine, sizes[i], 256, &memory);
            read_flags(at, flags);
            ck_assert_msg(strstr(flags, " hg") != NULL, "%zu bytes:%s", sizes[i], flags);
            read_flags(at + sizes[i] - 1, flags);
            ck_assert_msg(strstr(flags, " hg") != NULL, "the end of %zu bytes:%s", sizes[i], flags);
            engine.plugin.device_vtable->free(engine.device, memory);
        }
    }
    cpu_engine_close(&engine);
}
END_TEST

Suite *noun_suite(void)
{
    Suite *suite = suite_create("cpu_memory");

    add(suite, large_buffers_begin_at_a_huge_page);
    add(suite, whoever_asks_for_a_wider_alignment_gets_it);
    add(suite, the_system_is_asked_for_huge_pages_for_all_of_a_large_buffer);
    return suite;
}
