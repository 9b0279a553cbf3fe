/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/cub.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"

bool gpu_cub_open(const bench *b, const char *function, gpu_cub *cub)
{
    char path[sizeof b->directory + 64];
    void *library = NULL, *address = NULL;
    if (cub->driver->hip || b->report.simulated) {
        fprintf(stderr, "accel-bench: %s: no CUB beside libaccel's: %s\n", b->case_name,
                cub->driver->hip ? "it is CUDA's" : "CUDA's runtime does not know the simulated driver");
        return true;
    }
    const char *const directories[] = {b->beside, b->directory};
    for (int i = 0; i < 2 && library == NULL; ++i) {
        snprintf(path, sizeof path, "%s/native-cub.so", directories[i]);
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    if (library != NULL)
        address = dlsym(library, function);
    if (address == NULL) {
        fprintf(stderr, "accel-bench: %s: no CUB beside libaccel's: %s\n", b->case_name, dlerror());
        return true;
    }
    memcpy(&cub->call, &address, sizeof cub->call);
    if (!gpu_driver_check("CUB", cub->call(NULL, &cub->bytes, cub->from, cub->to, cub->n, cub->stream)))
        return false;
    const accel_buffer_desc desc = accel_buffer_1d(1, cub->bytes != 0 ? cub->bytes : 1);
    return bench_check(b->case_name, accel_buffer_create(b->device, &desc, &cub->temporary));
}

void gpu_cub_close(gpu_cub *cub)
{
    accel_buffer_release(cub->temporary);
    cub->temporary = NULL;
}

bool gpu_cub_sample(void *user, size_t repetitions, double *nanoseconds)
{
    gpu_cub *cub = user;
    void *temporary = accel_buffer_ptr(cub->temporary);
    int result = 0;
    const double start = clock_now();
    for (size_t r = 0; r < repetitions; ++r) {
        result |= cub->call(temporary, &cub->bytes, cub->from, cub->to, cub->n, cub->stream);
        if (cub->host != NULL)
            result |= gpu_driver_copy(cub->driver, cub->host, cub->to, cub->host_bytes, cub->stream);
        result |= cub->driver->synchronize(cub->stream);
    }
    *nanoseconds = clock_now() - start;
    return gpu_driver_check("CUB", result);
}
