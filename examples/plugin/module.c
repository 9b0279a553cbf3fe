/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel objects: shared libraries with a descriptor per kernel. */
#include "skeleton.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

accel_status skeleton_module_load(accel_impl_device *device, const accel_image *image, accel_impl_module **module)
{
    (void)device;
    if (image->path == NULL)
        return skeleton_host->error(ACCEL_UNSUPPORTED, "skeleton: %s comes from a bundle; ship it as a file",
                                    image->library);
    accel_impl_module *made = calloc(1, sizeof *made);
    if (made == NULL)
        return skeleton_host->error(ACCEL_OUT_OF_MEMORY, "skeleton: no memory for a module");
    made->library = dlopen(image->path, RTLD_NOW | RTLD_LOCAL); /* stays loaded: launches may be pending (K9) */
    if (made->library == NULL) {
        free(made);
        return skeleton_host->error(ACCEL_INCOMPATIBLE, "skeleton: %s: %s", image->path, dlerror());
    }
    *module = made;
    return ACCEL_OK;
}

static void module_unload(accel_impl_module *module)
{
    free(module);
}

static accel_status module_global(accel_impl_module *module, const char *name, void **ptr, void **host_ptr,
                                  size_t *size)
{
    (void)module;
    (void)ptr;
    (void)host_ptr;
    (void)size;
    return skeleton_host->error(ACCEL_UNSUPPORTED, "skeleton: \"%s\": this backend has no globals", name);
}

/* The kernel is its descriptor: nothing has to be allocated, and it lives as long as the library. */
static accel_status module_kernel(accel_impl_module *module, const char *name, accel_impl_kernel **kernel,
                                  accel_kernel_properties *properties)
{
    char symbol[256];
    snprintf(symbol, sizeof symbol, ACCEL_DESCRIPTOR_PREFIX "%s", name);
    accel_descriptor *descriptor = dlsym(module->library, symbol);
    if (descriptor == NULL)
        return skeleton_host->error(ACCEL_NOT_FOUND, "skeleton: there is no kernel \"%s\"", name);
    if (descriptor->run_blocks == NULL || descriptor->args_align > 64)
        return skeleton_host->error(ACCEL_UNSUPPORTED,
                                    "skeleton: kernel \"%s\" has barriers of threads, or arguments "
                                    "aligned to more than 64 bytes",
                                    name);
    properties->form = descriptor->form;
    properties->args_size = (descriptor->flags & ACCEL_KERNEL_NO_ARGS) != 0 ? 0 : descriptor->args_size;
    properties->args_align = descriptor->args_align;
    properties->max_threads = ACCEL_MAX_BLOCK_THREADS;
    properties->max_shared_bytes = 65536;
    properties->warp_size = 1;
    for (int d = 0; d < 3; d++)
        properties->fixed_block[d] = descriptor->block[d];
    *kernel = (accel_impl_kernel *)(void *)descriptor;
    return ACCEL_OK;
}

const accel_module_vtable skeleton_module_vtable = {
    .struct_size = sizeof(accel_module_vtable),
    .unload = module_unload,
    .global = module_global,
    .kernel = module_kernel,
};
