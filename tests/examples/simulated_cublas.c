/* SPDX-License-Identifier: Apache-2.0 */
/* What examples/interop calls of cuBLAS, on the simulated driver (tests/gpusim): it needs the device's context to be current,
 * and the stream of the queue, which orders it behind kernels. The product itself is computed by the host.
 * SIMULATED_CUBLAS=refuse: it computes nothing, and says so. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_INITIALIZED = 1, ALLOC_FAILED = 3, INVALID_VALUE = 7, EXECUTION_FAILED = 13, INTERNAL_ERROR = 14 };

typedef struct handle {
    void *driver, *context, *stream;
    int (*context_get)(void **context);
    int (*copy)(uint64_t to, uint64_t from, size_t bytes, void *stream);
    int (*synchronize)(void *stream);
} handle;

#define EXPORTED __attribute__((visibility("default")))
EXPORTED int cublasCreate_v2(void **made);
EXPORTED int cublasDestroy_v2(void *of);
EXPORTED int cublasSetStream_v2(void *of, void *stream);
EXPORTED int cublasDgemm_v2(void *of, int transpose_a, int transpose_b, int m, int n, int k, const double *alpha,
                            const double *a, int a_pitch, const double *b, int b_pitch, const double *beta, double *c,
                            int c_pitch);

static void find(void *library, const char *name, void *function)
{
    void *const symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
}

static void *current(const handle *h)
{
    void *context = NULL;
    return h->context_get(&context) == 0 ? context : NULL;
}

int cublasCreate_v2(void **made)
{
    handle *const h = calloc(1, sizeof *h);
    if (h == NULL)
        return ALLOC_FAILED;
    h->driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (h->driver != NULL) {
        find(h->driver, "cuCtxGetCurrent", &h->context_get);
        find(h->driver, "cuMemcpyAsync", &h->copy);
        find(h->driver, "cuStreamSynchronize", &h->synchronize);
        h->context = current(h);
    }
    if (h->context == NULL) {
        cublasDestroy_v2(h);
        return NOT_INITIALIZED;
    }
    *made = h;
    return 0;
}

int cublasDestroy_v2(void *of)
{
    handle *const h = of;
    if (h->driver != NULL)
        dlclose(h->driver);
    free(h);
    return 0;
}

int cublasSetStream_v2(void *of, void *stream)
{
    handle *const h = of;
    h->stream = stream;
    return 0;
}

/* Bytes from the first number to behind the last one. */
static size_t span(int n, int pitch)
{
    return ((size_t)(n - 1) * (size_t)pitch + (size_t)n) * sizeof(double);
}

static uint64_t address(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

/* Square matrices by columns, as the example has them. */
static int multiply(const handle *h, int n, const double *a, int a_pitch, const double *b, int b_pitch, double *c,
                    int c_pitch, double *host[3])
{
    if (h->copy(address(host[0]), address(a), span(n, a_pitch), h->stream) != 0 ||
        h->copy(address(host[1]), address(b), span(n, b_pitch), h->stream) != 0 ||
        h->copy(address(host[2]), address(c), span(n, c_pitch), h->stream) != 0 || h->synchronize(h->stream) != 0)
        return EXECUTION_FAILED;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            double sum = 0;
            for (int l = 0; l < n; ++l)
                sum += host[0][l * a_pitch + i] * host[1][j * b_pitch + l];
            host[2][j * c_pitch + i] = sum;
        }
    if (h->copy(address(c), address(host[2]), span(n, c_pitch), h->stream) != 0 || h->synchronize(h->stream) != 0)
        return EXECUTION_FAILED;
    return 0;
}

int cublasDgemm_v2(void *of, int transpose_a, int transpose_b, int m, int n, int k, const double *alpha,
                   const double *a, int a_pitch, const double *b, int b_pitch, const double *beta, double *c,
                   int c_pitch)
{
    handle *const h = of;
    const char *const wish = getenv("SIMULATED_CUBLAS");
    if (wish != NULL && strcmp(wish, "refuse") == 0)
        return EXECUTION_FAILED;
    if (transpose_a != 0 || transpose_b != 0 || m != n || k != n || *alpha != 1 || *beta != 0)
        return INVALID_VALUE;
    if (current(h) != h->context)
        return INTERNAL_ERROR;
    double *host[3] = {malloc(span(n, a_pitch)), malloc(span(n, b_pitch)), malloc(span(n, c_pitch))};
    int status = ALLOC_FAILED;
    if (host[0] != NULL && host[1] != NULL && host[2] != NULL)
        status = multiply(h, n, a, a_pitch, b, b_pitch, c, c_pitch, host);
    for (int i = 0; i < 3; ++i)
        free(host[i]);
    return status;
}
