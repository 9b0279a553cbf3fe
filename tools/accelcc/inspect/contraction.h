/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products and sums that gcc fuses against -ffp-contract=off. Where neighbouring values are a sum and a difference of products,
 * as in the product of complex numbers, its vectoriser makes vfmaddsub and vfmsubadd of them (gcc 12), and the result would
 * depend on the processor.
 */
#ifndef ACCELCC_CONTRACTION_H
#define ACCELCC_CONTRACTION_H

#include "target.h"

/* Adds the flag that prevents it to `flags`, with a note, if the source must not be fused and its object is. The object, a file
 * of the workspace, was compiled with `flags`. Returns false after a message. */
bool contraction_find(const accelcc_job *, const char *source, const char *object, list *flags);
/* Of the object that was compiled once more with them. Returns false after a message: it is fused as before. */
bool contraction_is_gone(const accelcc_job *, const char *source, const char *object, const list *flags);

#endif
