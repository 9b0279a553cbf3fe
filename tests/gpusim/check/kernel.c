/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *object_bytes(const char *target)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/small.%s", getenv("GPUSIM_CHECK_OBJECTS"), target);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s cannot be opened", path);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *bytes = calloc(1, size + 1);
    ck_assert_uint_eq(fread(bytes, 1, size, file), size);
    fclose(file);
    return bytes;
}

cuda_module cuda_load(const char *target)
{
    cuda_module module = NULL;
    void *bytes = object_bytes(target);
    cuda_ok(cu.module_load(&module, bytes, 0, NULL, NULL));
    free(bytes);
    return module;
}

cuda_function cuda_kernel(cuda_module module, const char *name)
{
    cuda_function function = NULL;
    char symbol[100];
    snprintf(symbol, sizeof symbol, ACCEL_ENTRY_PREFIX "%s", name);
    cuda_ok(cu.module_function(&function, module, symbol));
    return function;
}

accel_grid grid_of(uint32_t blocks, uint32_t threads)
{
    accel_grid grid = {.struct_size = sizeof grid, .dims = 1};
    for (int i = 0; i < 6; ++i)
        grid.blocks[i] = grid.threads[i] = 1, grid.elems[i] = 1;
    grid.blocks[0] = blocks;
    grid.threads[0] = threads;
    return grid;
}

int cuda_run(cuda_function function, cuda_stream stream, words_args args, unsigned shared)
{
    unsigned blocks = (unsigned)(args.n / 64 + 1);
    if (blocks > 16)
        blocks = 16;
    accel_grid grid = grid_of(blocks, 64);
    void *parameters[] = {&args, &grid};
    int result = (int)cu.launch(function, blocks, 1, 1, 64, 1, 1, shared, stream, parameters, NULL);
    memset(&args, 0x77, sizeof args); /* they were copied */
    memset(&grid, 0x77, sizeof grid);
    return result;
}
