/* SPDX-License-Identifier: Apache-2.0 */
#include "cublas.h"

#include <dlfcn.h>
#include <string.h>

enum { NO_TRANSPOSE = 0 }; /* CUBLAS_OP_N */

/* POSIX lets dlsym find functions, and ISO C has no cast for that. */
static bool find(void *library, const char *name, void *function)
{
    void *const symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

bool cublas_open(cublas *b, const char *name)
{
    static const char *const usual[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"};
    *b = (cublas){0};
    if (name != NULL)
        b->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    for (size_t k = 0; name == NULL && b->library == NULL && k < sizeof usual / sizeof usual[0]; ++k)
        b->library = dlopen(usual[k], RTLD_NOW | RTLD_LOCAL);
    return b->library != NULL && find(b->library, "cublasCreate_v2", &b->create) &&
           find(b->library, "cublasDestroy_v2", &b->destroy) &&
           find(b->library, "cublasSetStream_v2", &b->set_stream) && find(b->library, "cublasDgemm_v2", &b->dgemm);
}

int cublas_use(cublas *b, void *stream)
{
    const int status = b->create(&b->handle);
    return status != 0 ? status : b->set_stream(b->handle, stream);
}

/* cuBLAS has the numbers of a column side by side: what it takes for a matrix is the transposed one. The transposed product
 * is that of the transposed factors the other way round. */
int cublas_multiply(const cublas *b, size_t n, size_t pitch, const double *x, const double *y, double *c)
{
    const double one = 1, zero = 0;
    const int size = (int)n, apart = (int)pitch;
    return b->dgemm(b->handle, NO_TRANSPOSE, NO_TRANSPOSE, size, size, size, &one, y, apart, x, apart, &zero, c, apart);
}

void cublas_close(cublas *b)
{
    if (b->handle != NULL)
        b->destroy(b->handle);
    if (b->library != NULL)
        dlclose(b->library);
    *b = (cublas){0};
}
