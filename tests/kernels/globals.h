/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of globals.k.c. */
#ifndef TEST_KERNELS_GLOBALS_H
#define TEST_KERNELS_GLOBALS_H
#include <stddef.h>
#include <stdint.h>

#define GLOBALS_TABLE 3   /* `table` is {1.5, 2.5, 3.5} when the module is loaded */
#define GLOBALS_WEIGHTS 4 /* `weights` is 0 until the host writes it */

typedef struct {
    double *out; /* GLOBALS_TABLE + GLOBALS_WEIGHTS + 2 */
} globals_args;

#endif
