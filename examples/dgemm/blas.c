/* SPDX-License-Identifier: Apache-2.0 */
#include "blas.h"

#include <dlfcn.h>
#include <string.h>

/* The values of cblas.h. */
enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 };

/* POSIX lets dlsym find functions, and ISO C has no cast for that. */
static bool find(void *library, const char *name, void *function)
{
    void *const symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

bool blas_open(blas *b, const char *name)
{
    int (*threads)(void);
    char *(*core)(void);
    *b = (blas){.core = ""};
    b->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (b->library == NULL)
        return false;
    if (find(b->library, "openblas_get_num_threads", &threads))
        b->threads = threads();
    if (find(b->library, "openblas_get_corename", &core))
        b->core = core();
    return find(b->library, "cblas_dgemm", &b->dgemm);
}

void blas_multiply(const blas *b, size_t n, const double *x, const double *y, double *c)
{
    const int size = (int)n;
    b->dgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, size, size, size, 1, x, size, y, size, 0, c, size);
}

void blas_close(blas *b)
{
    if (b->library != NULL)
        dlclose(b->library);
    b->library = NULL;
}
