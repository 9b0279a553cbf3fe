/* SPDX-License-Identifier: Apache-2.0 */
#include "object/cubin.h"

#include "object/elf.h"

#include <string.h>

/* The section .nv.info has attributes: a byte for the form, one for what it is, and two for a small value, or for the size of
 * what follows. The numbers are those of the names EIFMT_SVAL and EIATTR_REGCOUNT, which NVIDIA's cuobjdump prints. */
enum { HEAD = 4, SIZED = 4, REGISTER_COUNT = 0x2f };

/* Of REGISTER_COUNT: of the function with this number in the symbol table. */
typedef struct register_count {
    uint32_t symbol, registers;
} register_count;

bool cubin_read(const void *data, size_t size, cubin_visitor visit, void *user)
{
    accel_elf elf;
    char reason[128];
    size_t left = 0;

    if (!accel_elf_open(data, size, &elf, reason, sizeof(reason)) || elf.machine != ACCEL_ELF_CUDA)
        return false;

    const unsigned char *at = accel_elf_section(&elf, ".nv.info", &left);

    while (at != NULL && left >= HEAD) {
        const size_t length = at[0] == SIZED ? (size_t)at[2] | (size_t)at[3] << 8 : 0;
        if (length > left - HEAD)
            return false;
        if (at[0] == SIZED && at[1] == REGISTER_COUNT && length == sizeof(register_count)) {
            register_count found;
            memcpy(&found, at + HEAD, sizeof(found));
            const char *name = accel_elf_symbol_name(&elf, found.symbol);
            if (name != NULL)
                visit(user, name, found.registers);
        }
        at += HEAD + length;
        left -= HEAD + length;
    }
    return at != NULL && left == 0;
}
