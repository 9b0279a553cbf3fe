/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/resources.h"

#include "base/arena.h"

#include <accel/object.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void resources_print(const char *target, const char *kernel, const char *registers, uint64_t shared_bytes,
                     uint64_t stack_bytes, const char *spills)
{
    printf("%s: %s: %s, %" PRIu64 " bytes of shared memory, %" PRIu64 " bytes of stack, %s\n", target, kernel,
           registers, shared_bytes, stack_bytes, spills);
}

/* The number before `text` in a line: "216 bytes stack frame". 0 if it is not there. */
static uint64_t number_before(const char *line, const char *text)
{
    const char *at = strstr(line, text);
    if (at == NULL)
        return 0;
    const char *digit = at;
    while (digit > line && digit[-1] >= '0' && digit[-1] <= '9')
        --digit;
    return strtoull(digit, NULL, 10);
}

/*
 * For each function:
 *     ptxas info    : Compiling entry function 'accel_kernel_axpy' for 'sm_90'
 *     ptxas info    : Function properties for accel_kernel_axpy
 *         0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
 *     ptxas info    : Used 16 registers, used 0 barriers, 4 bytes smem
 */
void resources_print_assembler(const char *target, const char *remark, const char *report)
{
    list lines = {0};
    const char *kernel = NULL;
    uint64_t stack = 0, stores = 0, loads = 0;
    bool mine = false;
    list_split(&lines, report, "\r\n");
    for (size_t i = 0; i < lines.count; ++i) {
        const char *line = lines.items[i], *entry = strstr(line, "Compiling entry function '" ACCEL_ENTRY_PREFIX);
        if (entry != NULL) {
            entry = strstr(entry, ACCEL_ENTRY_PREFIX) + strlen(ACCEL_ENTRY_PREFIX);
            kernel = arena_copy(entry, strcspn(entry, "'"));
        } else if (strstr(line, "Function properties for ") != NULL) {
            const char *name = strstr(line, " for ") + 5;
            mine = kernel != NULL && strcmp(name, arena_format(ACCEL_ENTRY_PREFIX "%s", kernel)) == 0;
        } else if (strstr(line, "bytes stack frame") != NULL && mine) {
            stack = number_before(line, " bytes stack frame");
            stores = number_before(line, " bytes spill stores");
            loads = number_before(line, " bytes spill loads");
        } else if (strstr(line, ": Used ") != NULL && kernel != NULL) {
            const char *spills =
                stores == 0 && loads == 0
                    ? "no spills"
                    : arena_format("spills: %" PRIu64 " bytes stored, %" PRIu64 " loaded", stores, loads);
            resources_print(arena_format("%s%s", target, remark), kernel,
                            arena_format("%" PRIu64 " registers", number_before(line, " registers")),
                            number_before(line, " bytes smem"), stack, spills);
            kernel = NULL;
        }
    }
}
