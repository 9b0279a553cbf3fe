/* SPDX-License-Identifier: Apache-2.0 */
/* The product on a device. */
#ifndef PRODUCTS_H
#define PRODUCTS_H

#include <accel/accel.h>

/* How it is computed: libaccel's own function, and the kernels of dgemm.k.c. */
enum way { WAY_GEMM, WAY_PACKS, WAY_TILES, WAYS };

typedef struct products products;

/* Two square matrices of n dense rows, on the device. NULL: it failed, and there was a message. */
products *products_new(accel_device *device, size_t n, const double *a, const double *b);
/* Computes the product so many times and once before, when a device puts the code in its place. `seconds` is the shortest
 * time, without copies; the last result goes to c. false: it failed, and there was a message. */
bool products_run(products *, enum way, unsigned repeat, double *seconds, double *c);
/* Also of NULL. */
void products_free(products *);

double seconds_now(void);

#endif
