/* SPDX-License-Identifier: Apache-2.0 */
/* Prints "KERNEL REGISTERS" for each kernel of an object for GPUs, as cpu-check reads it. Usage: registers FILE */
#include "object/cubin.h"
#include "object/metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char prefix[] = "accel_kernel_";

static void show_nvidia(void *user, const char *name, uint32_t registers)
{
    (void)user;
    if (strncmp(name, prefix, sizeof prefix - 1) == 0)
        printf("%s %u\n", name + sizeof prefix - 1, (unsigned)registers);
}

static void show_amd(void *user, const metadata_kernel *kernel)
{
    (void)user;
    if (kernel->name_length > sizeof prefix - 1)
        printf("%.*s %llu\n", (int)(kernel->name_length - sizeof prefix + 1), kernel->name + sizeof prefix - 1,
               (unsigned long long)kernel->vector_registers);
}

int main(int count, char *arguments[])
{
    static unsigned char data[8 << 20];
    char target[METADATA_TARGET_SIZE];
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (file == NULL)
        return fprintf(stderr, "usage: registers FILE\n"), 2;
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    return cubin_read(data, size, show_nvidia, NULL) || metadata_read(data, size, target, show_amd, NULL) ? 0 : 1;
}
