/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which memory the light version of kernels must not access: a byte for each 8 (accel/kernel/cpu/check_table.h has the
 * encoding). 16 TiB of addresses, of which pages are memory only where they differ from their neighbours: where long ranges
 * are poisoned they are the same few pages again and again. Under the lock of check.c.
 */
#ifndef ACCEL_CPU_CHECK_POISON_H
#define ACCEL_CPU_CHECK_POISON_H

#include <stdbool.h>
#include <stddef.h>

/* Reserves the addresses, once in a process. false: there is no room, as where ulimit -v limits it, or where valgrind or
 * ThreadSanitizer have it. Then nothing below does anything. */
bool check_poison_reserve(void);
/* No access from `begin` on; and again any access. Up to 7 bytes before the end of a range may stay open. */
void check_poison_add(const void *begin, size_t size);
void check_poison_remove(const void *begin, size_t size);
/* The first byte of the range that must not be accessed; NULL: none. */
const char *check_poison_find(const volatile void *p, size_t size);
/* The bytes that stand for memory from `begin` on, a multiple of 8, of which none was poisoned. They must not be read-only: what
 * long calls of check_poison_add have covered is. */
unsigned char *check_poison_bytes(const void *begin);

enum { CHECK_POISON = 0xfa, CHECK_POISON_GRAIN = 8 };

#endif
