/* SPDX-License-Identifier: Apache-2.0 */
#include "openblas.h"

#include <dlfcn.h>
#include <string.h>

/* The values of cblas.h. */
enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 };

bool openblas_open(openblas *b, const char *name)
{
    *b = (openblas){0};
    b->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (b->library == NULL)
        return false;
    /* POSIX lets dlsym find functions, and ISO C has no cast for that. */
    void *const symbol = dlsym(b->library, "cblas_dgemm");
    memcpy(&b->dgemm, &symbol, sizeof symbol);
    return symbol != NULL;
}

void openblas_multiply(const openblas *b, size_t n, size_t pitch, const double *x, const double *y, double *c)
{
    const int size = (int)n, apart = (int)pitch;
    b->dgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, size, size, size, 1, x, apart, y, apart, 0, c, apart);
}

void openblas_close(openblas *b)
{
    if (b->library != NULL)
        dlclose(b->library);
    b->library = NULL;
}
