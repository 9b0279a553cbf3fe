/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes between the members of a struct, and behind the last one. A compiler that copies a struct reads them, too, and
 * nobody has ever written them. An access says nothing of types, so that what may be padding counts as such.
 */
#ifndef ACCEL_CPU_CHECK_PADDING_H
#define ACCEL_CPU_CHECK_PADDING_H

#include <stdbool.h>
#include <stdint.h>

/* May the bytes around `at` that were never written be padding, for a read of [begin, end)? They stand behind what was
 * written, and are fewer than the alignment of the place behind them; none is wider than 7 bytes. */
bool check_is_padding(uintptr_t begin, uintptr_t end, uintptr_t at);

#endif
