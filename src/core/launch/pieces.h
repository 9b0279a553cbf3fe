/* SPDX-License-Identifier: Apache-2.0 */
/* How CPUs share out few elements. A reduction's tiles are too few to share them out equally, so it does that by pieces
 * (accel/object.h). Loops of as many elements do likewise: a CPU then has the same elements in both, and they stay in its cache. */
#ifndef ACCEL_CORE_PIECES_H
#define ACCEL_CORE_PIECES_H

#include <accel/object.h>
#include <stdbool.h>

#include "core/base/divide.h"

/* Tiles. Of more than these the shares hardly differ. */
enum { ACCEL_FEW_TILES = 64 };

/* The pieces of n elements, or 0 if these are too few for two tiles or too many. */
static inline size_t accel_pieces_of_few(size_t n)
{
    bool few = n > ACCEL_TILE_ELEMS && n <= (size_t)ACCEL_FEW_TILES * ACCEL_TILE_ELEMS;

    return few ? accel_divide_up(n, ACCEL_PIECE_ELEMS) : 0;
}

#endif
