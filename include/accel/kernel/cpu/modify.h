/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/modify.h - ACCEL_ATOMIC_MODIFY for host compilers.
 *
 * ACCEL_ATOMIC_MODIFY(acc, T, p, v) { ... } expands to
 *
 *     for (T v, old, *at = p, read *at into v and old; at != NULL; at = store v, NULL if done) { ... }
 *
 * Aligned objects of 4 and 8 bytes are compared and exchanged, and the body runs again with the new value if that
 * failed. A lock of the table guards the others: cmpxchg16b took 17 ns where the lock took 6 to 7.
 */
#ifndef ACCEL_KERNEL_CPU_MODIFY_H
#define ACCEL_KERNEL_CPU_MODIFY_H

#define ACCEL_ATOMIC_MODIFY(acc, T, p, v)                                                                              \
    for (T v, accel_old_##v,                                                                                           \
         *accel_at_##v = (T *)accel_cpu_modify_begin(accel_core_grid((acc).core), (p), &v, &accel_old_##v, sizeof(T)); \
         accel_at_##v != NULL; accel_at_##v = (T *)accel_cpu_modify_end(accel_core_grid((acc).core), accel_at_##v, &v, \
                                                                        &accel_old_##v, sizeof(T)))

ACCEL_INLINE_ int accel_cpu_modify_exchanges(const void *p, size_t bytes)
{
    return (bytes == 4 || bytes == 8) && ((uintptr_t)p & (bytes - 1)) == 0;
}

ACCEL_INLINE_ void *accel_cpu_modify_begin(const accel_grid *grid, void *p, void *v, void *old, size_t bytes)
{
    if (!accel_cpu_modify_exchanges(p, bytes)) {
        (void)accel_cpu_lock(grid, ACCEL_CHECK_LOCKED_(p, bytes));
        ACCEL_CHECK_COPY_(v, p, bytes);
        if (bytes == 4 || bytes == 8)
            __builtin_memcpy(old, v, bytes); /* not needed: gcc 14 at -O1 believes that it is */
        return p;
    }
    if (bytes == 4) {
        const uint32_t now = __atomic_load_n((accel_cpu_word_4 *)p, ACCEL_ORDER_LOAD_);
        __builtin_memcpy(old, &now, 4);
    } else {
        const uint64_t now = __atomic_load_n((accel_cpu_word_8 *)p, ACCEL_ORDER_LOAD_);
        __builtin_memcpy(old, &now, 8);
    }
    __builtin_memcpy(v, old, bytes);
    return p;
}

#define ACCEL_CPU_EXCHANGE_(word, exchange)                                                                            \
    word expected, desired;                                                                                            \
    __builtin_memcpy(&expected, old, sizeof(word));                                                                    \
    __builtin_memcpy(&desired, v, sizeof(word));                                                                       \
    if (exchange)                                                                                                      \
        return NULL;                                                                                                   \
    __builtin_memcpy(old, &expected, sizeof(word));                                                                    \
    __builtin_memcpy(v, &expected, sizeof(word));

ACCEL_INLINE_ void *accel_cpu_modify_end(const accel_grid *grid, void *p, void *v, void *old, size_t bytes)
{
    if (!accel_cpu_modify_exchanges(p, bytes)) {
        ACCEL_CHECK_COPY_(p, v, bytes);
        return accel_cpu_unlock(grid->locks + accel_lock_index(p, grid->lock_mask));
    }
    if (bytes == 4) {
        ACCEL_CPU_EXCHANGE_(accel_cpu_word_4, ACCEL_RAW_CAS_((accel_cpu_word_4 *)p, &expected, &desired))
    } else if (bytes == 8) {
        ACCEL_CPU_EXCHANGE_(accel_cpu_word_8, ACCEL_RAW_CAS_((accel_cpu_word_8 *)p, &expected, &desired))
    }
    return p;
}

/* for (T *at = p, v = *at; at != NULL; *at = v, at = NULL) { ... } */
#define ACCEL_ATOMIC_MODIFY_BLOCK(acc, T, p, v)                                                                        \
    for (T *accel_at_##v = ((void)(acc).core, ACCEL_CHECK_(accel_check_scope(1)), (p)), v = *accel_at_##v;             \
         accel_at_##v != NULL; *accel_at_##v = v, accel_at_##v = (T *)accel_cpu_modified())

ACCEL_INLINE_ void *accel_cpu_modified(void)
{
    ACCEL_BLOCK_ATOMICS_ARE_PLAIN_;
    ACCEL_CHECK_(accel_check_scope(0));
    return NULL;
}

#endif
