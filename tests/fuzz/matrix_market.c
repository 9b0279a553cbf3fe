/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Market files, as the example cg reads them. The input is the file. */
#include "target.h"

#include "matrix_market.h"

#include <stdbool.h>
#include <string.h>

static const uint8_t *content;
static size_t content_size;

/* Linked in the place of fopen: the only file there is. Where files may be large, the compiler calls fopen by another
 * name. */
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen64(const char *path, const char *mode);
static bool opened;

FILE *__wrap_fopen(const char *path, const char *mode)
{
    (void)path;
    opened = true;
    if (content_size == 0) /* of which fmemopen makes no file */
        return tmpfile();
    return fmemopen((void *)(uintptr_t)content, content_size, mode);
}

FILE *__wrap_fopen64(const char *path, const char *mode)
{
    return __wrap_fopen(path, mode);
}

static void check(const sparse_matrix *a)
{
    MUST(a->rows != 0 && a->entries >= a->rows && a->row_start[0] == 0 && a->row_start[a->rows] == a->entries);
    for (size_t row = 0; row < a->rows; ++row) {
        MUST(a->row_start[row] <= a->row_start[row + 1]);
        for (size_t i = a->row_start[row]; i < a->row_start[row + 1]; ++i) {
            MUST(a->column[i] < a->rows && (i == a->row_start[row] || a->column[i - 1] < a->column[i]));
            MUST(a->value[i] - a->value[i] == 0); /* finite */
            if (i == 0)
                MUST(matrix_market_line("file", row, a->column[i]) != 0);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    linear_system system = {0};
    char error[256] = "";

    content = data;
    content_size = size;
    opened = false;
    if (matrix_market_read("file", &system.a, error, sizeof(error)))
        check(&system.a);
    else
        MUST(strncmp(error, "file:", 5) == 0 && memchr(error, '\0', sizeof(error)) != NULL);
    MUST(opened); /* the input, not a file of that name */
    linear_system_free(&system);
    return 0;
}
