/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes an object of the simulator from a host shared object that was compiled with cuda_words.h or hip_words.h; what
 * the forms are is told in grid.h.
 *
 *     pack IN.so OUT.ptx sm_75 7.8         PTX for a target, in a version of its language
 *     pack IN.so OUT.cubin sm_80           a cubin
 *     pack IN.so OUT.hsaco gfx90a:xnack-   HSACO; a feature that is not named is "any"
 */
#include "base64.h"
#include "machine.h"
#include "object.h"
#include "symbols.h"

#include <accel/object.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_PER_LINE = 75 };

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    long length = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    uint8_t *data = length > 0 ? malloc((size_t)length) : NULL;
    if (data == NULL || fseek(file, 0, SEEK_SET) != 0 || fread(data, 1, (size_t)length, file) != (size_t)length) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    fclose(file);
    *size = (size_t)length;
    return data;
}

/* As nvcc writes them: the two parameters by value. */
static void write_entry(FILE *out, const char *name, const accel_descriptor *descriptor)
{
    fprintf(out, "\n.visible .entry " ACCEL_ENTRY_PREFIX "%s(\n", name);
    fprintf(out, "\t.param .align %u .b8 " ACCEL_ENTRY_PREFIX "%s_param_0[%u],\n", descriptor->args_align, name,
            descriptor->args_size);
    fprintf(out, "\t.param .align 8 .b8 " ACCEL_ENTRY_PREFIX "%s_param_1[%u]\n)\n{\n\tret;\n}\n", name,
            descriptor->grid_size);
}

static void write_global(FILE *out, const gpusim_symbols *symbols, const Elf64_Sym *symbol, const char *name)
{
    const uint8_t *bytes = gpusim_symbols_bytes(symbols, symbol);
    fprintf(out, ".visible .global .align 8 .b8 %s[%llu]", name, (unsigned long long)symbol->st_size);
    for (size_t i = 0; bytes != NULL && i < symbol->st_size; ++i)
        fprintf(out, "%s%u", i == 0 ? " = {" : ", ", bytes[i]);
    fprintf(out, "%s;\n", bytes != NULL ? "}" : "");
}

static void write_ptx(FILE *out, const gpusim_symbols *symbols, const char *target, const char *version)
{
    size_t prefix = strlen(ACCEL_DESCRIPTOR_PREFIX);
    fprintf(out, "//\n// Made for the simulated driver: the machine code is a host shared object.\n//\n\n");
    fprintf(out, ".version %s\n.target %s\n.address_size 64\n\n", version, target);
    for (size_t i = 0; i < symbols->dynamic_count; ++i) {
        const Elf64_Sym *symbol = &symbols->dynamic[i];
        const char *name = symbols->dynamic_names + symbol->st_name;
        if (symbol->st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT ||
            strcmp(name, "gpusim_device") == 0)
            continue;
        write_global(out, symbols, symbol, name);
        if (strncmp(name, ACCEL_DESCRIPTOR_PREFIX, prefix) == 0)
            write_entry(out, name + prefix, gpusim_symbols_bytes(symbols, symbol));
    }
    fputc('\n', out);
    for (size_t at = 0; at < symbols->size; at += BYTES_PER_LINE) {
        char line[BYTES_PER_LINE / 3 * 4];
        size_t left = symbols->size - at;
        size_t length = gpusim_base64_encode(symbols->data + at, left < BYTES_PER_LINE ? left : BYTES_PER_LINE, line);
        fprintf(out, GPUSIM_PTX_LINE "%.*s\n", (int)length, line);
    }
}

int main(int argc, char **argv)
{
    if (argc < 4 || (strstr(argv[2], ".ptx") != NULL && argc < 5)) {
        fprintf(stderr, "usage: pack IN.so OUT.ptx|OUT.cubin|OUT.hsaco TARGET [PTX-VERSION]\n");
        return EXIT_FAILURE;
    }
    gpusim_symbols symbols;
    size_t size = 0;
    uint8_t *host = read_file(argv[1], &size);
    FILE *out = fopen(argv[2], "wb");
    bool done = out != NULL && gpusim_symbols_read(host, size, &symbols);
    if (done && argc >= 5) {
        write_ptx(out, &symbols, argv[3], argv[4]);
    } else if (done) {
        done = gpusim_machine_stamp((void *)host, argv[3]);
        if (!done)
            fprintf(stderr, "pack: target %s is unknown\n", argv[3]);
        done = done && gpusim_machine_seal(host, size) && fwrite(host, 1, size, out) == size;
    }
    done = out != NULL && fclose(out) == 0 && done;
    free(host);
    if (!done)
        fprintf(stderr, "pack: %s was not made\n", argv[2]);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
