/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and fills, as accesses of memory. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_TRANSFER_H
#define ACCEL_CPU_CHECK_TRANSFER_H

#include <stddef.h>
#include <stdint.h>

/* The present operation, a copy or fill, has read or written rows of extent[dims - 1] bytes. Adds what it races with to the
 * findings. */
void check_transfer(const void *data, uint32_t dims, const size_t *extent, const size_t *pitch, uint32_t how,
                    const void *place);

#endif
