/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds the library that the backend has opened, by its name, and no other. */
static void *find_library(bool hip)
{
    static const char *const cuda[] = {"libcuda.so.1", NULL};
    static const char *const amd[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", NULL};
    void *library = NULL;
    for (const char *const *name = hip ? amd : cuda; *name != NULL && library == NULL; ++name)
        library = dlopen(*name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    return library;
}

static bool find(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);
    if (address == NULL)
        fprintf(stderr, "accel-bench: the driver has no function %s\n", name);
    else
        memcpy(function, &address, sizeof address);
    return address != NULL;
}

bool gpu_driver_open(const bench *b, gpu_driver *d)
{
    const bool hip = strcmp(b->about.backend, "hip") == 0;
    *d = (gpu_driver){.hip = hip, .ordinal = (int)b->about.ordinal};
    snprintf(d->words, sizeof d->words, "%s", hip ? "hipModuleLaunchKernel" : "cuLaunchKernel");
    if (!bench_check("the native context", accel_device_native(b->device, &d->context)))
        return false;
    void *library = find_library(hip);
    if (library == NULL) {
        fprintf(stderr, "accel-bench: the driver of %s is not loaded\n", b->about.name);
        return false;
    }
    /* Their plain names: the default stream's behaviour does not matter here, and none of them has a second version. */
    return find(library, d->words, &d->launch) &&
           find(library, hip ? "hipStreamSynchronize" : "cuStreamSynchronize", &d->synchronize) &&
           find(library, hip ? "hipMemsetD8Async" : "cuMemsetD8Async", &d->fill_8) &&
           find(library, hip ? "hipMemsetD16Async" : "cuMemsetD16Async", &d->fill_16) &&
           find(library, hip ? "hipMemsetD32Async" : "cuMemsetD32Async", &d->fill_32) &&
           (hip ? find(library, "hipMemcpyAsync", &d->copy_hip) : find(library, "cuMemcpyAsync", &d->copy_cuda)) &&
           (hip ? find(library, "hipSetDevice", &d->set_device) : find(library, "cuCtxSetCurrent", &d->set_context)) &&
           (hip ? find(library, "hipModuleLoadData", &d->load_hip)
                : find(library, "cuModuleLoadDataEx", &d->load_cuda)) &&
           find(library, hip ? "hipModuleGetFunction" : "cuModuleGetFunction", &d->function) &&
           find(library, hip ? "hipModuleUnload" : "cuModuleUnload", &d->unload);
}

bool gpu_driver_check(const char *what, int result)
{
    if (result != 0)
        fprintf(stderr, "accel-bench: %s: the driver returned %d\n", what, result);
    return result == 0;
}

bool gpu_driver_enter(const gpu_driver *d)
{
    return gpu_driver_check("the context", d->hip ? d->set_device(d->ordinal) : d->set_context(d->context));
}

bool gpu_driver_leave(const gpu_driver *d)
{
    return d->set_context == NULL || gpu_driver_check("the context", d->set_context(NULL));
}

static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "re");
    long length = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *data = length > 0 ? calloc((size_t)length + 1, 1) : NULL; /* PTX ends with a zero */
    if (data != NULL && (fseek(file, 0, SEEK_SET) != 0 || fread(data, 1, (size_t)length, file) != (size_t)length)) {
        free(data);
        data = NULL;
    }
    if (file != NULL)
        fclose(file);
    *size = data != NULL ? (size_t)length : 0;
    return data;
}

void gpu_driver_load(const bench *b, const gpu_driver *d, void **module)
{
    char own[sizeof b->about.architecture + 4];
    const char *const names[] = {own, "compute_80"};
    const char *const directories[] = {b->beside, b->directory};
    int result = 0;
    *module = NULL;
    if (strncmp(b->about.architecture, "gfxsm", 5) == 0) /* sm_90, by HIP on the CUDA driver (tests/hip_on_cuda) */
        snprintf(own, sizeof own, "sm_%s", b->about.architecture + 5);
    else
        snprintf(own, sizeof own, "%s", b->about.architecture);
    for (int i = 0; i < 4 && *module == NULL; ++i) {
        char path[sizeof b->directory + 128];
        size_t size;
        snprintf(path, sizeof path, "%s/native.%s.%s", directories[i % 2], names[i / 2], i < 2 ? "cubin" : "ptx");
        void *image = read_file(path, &size);
        if (image != NULL)
            result = d->hip ? d->load_hip(module, image) : d->load_cuda(module, image, 0, NULL, NULL);
        free(image);
        if (result != 0)
            *module = NULL;
    }
    if (*module == NULL && result != 0)
        fprintf(stderr, "accel-bench: no hand-written kernels beside libaccel's: the driver refuses them (%d)\n",
                result);
    else if (*module == NULL)
        fprintf(stderr,
                "accel-bench: no hand-written kernels beside libaccel's: none were built for %s (ninja gpu-natives)\n",
                own);
}
