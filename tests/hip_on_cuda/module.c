/* SPDX-License-Identifier: Apache-2.0 */
/* Modules, kernels and launches. */
#include "forward.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MACHINE_CUDA = 190 };

/* Bytes of an ELF file in memory: what its header's tables reach. libaccel has checked that it is whole. */
static size_t elf_size(const unsigned char *image)
{
    Elf64_Ehdr header;
    Elf64_Shdr section;
    Elf64_Phdr segment;
    size_t size = sizeof(header);

    memcpy(&header, image, sizeof(header));
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        memcpy(&segment, image + header.e_phoff + i * sizeof(segment), sizeof(segment));
        if (segment.p_offset + segment.p_filesz > size)
            size = segment.p_offset + segment.p_filesz;
    }
    for (unsigned i = 0; i < header.e_shnum; ++i) {
        memcpy(&section, image + header.e_shoff + i * sizeof(section), sizeof(section));
        if (section.sh_type != SHT_NOBITS && section.sh_offset + section.sh_size > size)
            size = section.sh_offset + section.sh_size;
    }
    if (header.e_phoff + header.e_phnum * sizeof(segment) > size)
        size = header.e_phoff + header.e_phnum * sizeof(segment);
    if (header.e_shoff + header.e_shnum * sizeof(section) > size)
        size = header.e_shoff + header.e_shnum * sizeof(section);
    return size;
}

/* A cubin that says it is AMD's (objects.sh) becomes one again. */
hip_result hipModuleLoadData(hip_module *module, const void *image)
{
    FORWARD_ENTER();
    if (memcmp(image, ELFMAG, SELFMAG) != 0)
        return HIP_RESULT_INVALID_IMAGE;
    size_t size = elf_size(image);
    unsigned char *cubin = malloc(size);
    if (cubin == NULL) /* a damaged header says that it is larger than memory */
        return HIP_RESULT_INVALID_IMAGE;
    union {
        const void *is;
        void *wanted;
    } bytes = {image};
    const struct iovec to = {cubin, size}, from = {bytes.wanted, size};
    ssize_t copied = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
    if (copied < 0 && (errno == EPERM || errno == ENOSYS)) { /* some containers forbid it */
        memcpy(cubin, image, size);
    } else if (copied != (ssize_t)size) { /* or reaches behind what is there */
        free(cubin);
        return HIP_RESULT_INVALID_IMAGE;
    }
    cubin[offsetof(Elf64_Ehdr, e_machine)] = MACHINE_CUDA;
    cubin[offsetof(Elf64_Ehdr, e_machine) + 1] = 0;
    cuda_result result = cuda.module_load((cuda_module *)module, cubin, 0, NULL, NULL);
    free(cubin);
    return forward_result(result);
}

hip_result hipModuleUnload(hip_module module)
{
    FORWARD_ENTER();
    return forward_result(cuda.module_unload((cuda_module)module));
}

/* HIP's kernels may use all shared memory that there is; CUDA's have to be told. */
static void allow_shared_memory(cuda_function function)
{
    int device, most = 0, own = 0;

    if (hipGetDevice(&device) == HIP_RESULT_SUCCESS &&
        cuda.device_attribute(&most, CUDA_ATTRIBUTE_MAX_SHARED_OPTIN, device) == CUDA_RESULT_SUCCESS &&
        cuda.function_attribute(&own, CUDA_FUNCTION_SHARED_BYTES, function) == CUDA_RESULT_SUCCESS)
        cuda.function_set_attribute(function, CUDA_FUNCTION_MAX_DYNAMIC_SHARED, most - own);
}

hip_result hipModuleGetFunction(hip_function *function, hip_module module, const char *name)
{
    cuda_function found = NULL;

    FORWARD_ENTER();
    cuda_result result = cuda.module_function(&found, (cuda_module)module, name);
    if (result != CUDA_RESULT_SUCCESS)
        return forward_result(result);
    allow_shared_memory(found);
    *function = (hip_function)found;
    return HIP_RESULT_SUCCESS;
}

hip_result hipModuleGetGlobal(hip_device_pointer *pointer, size_t *size, hip_module module, const char *name)
{
    cuda_device_pointer address = 0;

    FORWARD_ENTER();
    cuda_result result = cuda.module_global(&address, size, (cuda_module)module, name);
    if (result == CUDA_RESULT_SUCCESS)
        *pointer = (void *)(uintptr_t)address;
    return forward_result(result);
}

hip_result hipFuncGetAttribute(int *value, hip_function_attribute attribute, hip_function function)
{
    FORWARD_ENTER();
    return forward_result(cuda.function_attribute(value, (cuda_function_attribute)attribute, (cuda_function)function));
}

hip_result hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, hip_function function, int threads,
                                                              size_t shared_bytes)
{
    FORWARD_ENTER();
    return forward_result(cuda.occupancy_blocks(blocks, (cuda_function)function, threads, shared_bytes));
}

hip_result hipModuleOccupancyMaxPotentialBlockSize(int *grid, int *threads, hip_function function, size_t shared_bytes,
                                                   int limit)
{
    FORWARD_ENTER();
    return forward_result(cuda.occupancy_threads(grid, threads, (cuda_function)function, NULL, shared_bytes, limit));
}

hip_result hipModuleLaunchKernel(hip_function function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                 unsigned int block_x, unsigned int block_y, unsigned int block_z,
                                 unsigned int shared_bytes, hip_stream stream, void **parameters, void **extra)
{
    FORWARD_ENTER();
    return forward_result(cuda.launch((cuda_function)function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                                      shared_bytes, (cuda_stream)stream, parameters, extra));
}

hip_result hipModuleLaunchCooperativeKernel(hip_function function, unsigned int grid_x, unsigned int grid_y,
                                            unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                            unsigned int block_z, unsigned int shared_bytes, hip_stream stream,
                                            void **parameters)
{
    FORWARD_ENTER();
    return forward_result(cuda.launch_cooperative((cuda_function)function, grid_x, grid_y, grid_z, block_x, block_y,
                                                  block_z, shared_bytes, (cuda_stream)stream, parameters));
}
