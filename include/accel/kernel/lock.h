/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/lock.h - which lock of the table guards an object, for every target.
 */
#ifndef ACCEL_KERNEL_LOCK_H
#define ACCEL_KERNEL_LOCK_H

/* Neighbouring objects get different locks: multiplicative hashing of the address by the golden ratio. */
ACCEL_INLINE_ uint64_t accel_lock_index(const void *p, uint64_t lock_mask)
{
    const uint64_t address = (uint64_t)(uintptr_t)p >> 2;
    return ((address * 0x9e3779b97f4a7c15u) >> 32) & lock_mask;
}

#endif
