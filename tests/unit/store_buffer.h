/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads and their store buffers, played by one. A source file that is included behind this header has its atomic
 * accesses here: a store reaches memory late, as it may on hardware. A sequentially consistent load first lets the thread's
 * sequentially consistent stores, and what was stored before them, reach memory. Read-modify-write accesses reach it at once.
 *
 * A test sets a point between two accesses of the first thread, behind a load of an object, where all that the second does
 * happens. What can go wrong between these two then goes wrong every time.
 */
#ifndef STORE_BUFFER_H
#define STORE_BUFFER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct buffered_store {
    void *object;
    size_t size; /* 4 or 8 */
    uint64_t value;
    bool sequential;
} buffered_store;

static struct {
    buffered_store stores[8];
    size_t count;
} store_buffers[2];
static unsigned store_thread;               /* the one that is played */
static const volatile void *store_point;    /* behind the first thread's next load of this, the second ... */
static void (*store_second_thread)(void *); /* ... does all it has to do */
static void *store_second_user;

static inline void store_now(void *object, size_t size, uint64_t value)
{
    uint32_t narrow = (uint32_t)value;
    memcpy(object, size == sizeof(narrow) ? (const void *)&narrow : (const void *)&value, size);
}

static inline void store_drain(unsigned thread, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        store_now(store_buffers[thread].stores[i].object, store_buffers[thread].stores[i].size,
                  store_buffers[thread].stores[i].value);
    store_buffers[thread].count -= count;
    memmove(store_buffers[thread].stores, store_buffers[thread].stores + count,
            store_buffers[thread].count * sizeof(buffered_store));
}

static inline void store_drain_all(unsigned thread)
{
    store_drain(thread, store_buffers[thread].count);
}

static inline void store_drain_sequential(void)
{
    size_t count = store_buffers[store_thread].count;
    while (count > 0 && !store_buffers[store_thread].stores[count - 1].sequential)
        --count;
    store_drain(store_thread, count);
}

static inline void store_later(void *object, size_t size, uint64_t value, memory_order order)
{
    if (store_buffers[store_thread].count == sizeof(store_buffers[0].stores) / sizeof(buffered_store))
        store_drain(store_thread, 1);
    store_buffers[store_thread].stores[store_buffers[store_thread].count++] =
        (buffered_store){object, size, value, order == memory_order_seq_cst};
}

static inline void store_play_second_thread(void)
{
    store_point = NULL;
    store_thread = 1;
    store_second_thread(store_second_user);
    store_drain_all(1);
    store_thread = 0;
}

static inline uint64_t store_load(const void *object, size_t size, memory_order order)
{
    uint32_t narrow = 0;
    uint64_t value = 0;
    if (order == memory_order_seq_cst)
        store_drain_sequential();
    memcpy(size == sizeof(narrow) ? (void *)&narrow : (void *)&value, object, size);
    value = size == sizeof(narrow) ? narrow : value;
    for (size_t i = 0; i < store_buffers[store_thread].count; ++i)
        if (store_buffers[store_thread].stores[i].object == object)
            value = store_buffers[store_thread].stores[i].value;
    if (store_thread == 0 && object == store_point)
        store_play_second_thread();
    return value;
}

/* Adds to what is there, or replaces it; returns what was there. */
static inline uint64_t store_modify(void *object, size_t size, bool replaces, uint64_t operand)
{
    store_drain_all(store_thread);
    uint64_t before = store_load(object, size, memory_order_relaxed);
    store_now(object, size, replaces ? operand : before + operand);
    return before;
}

static inline bool store_compare(void *object, size_t size, void *expected, uint64_t desired)
{
    uint32_t narrow = 0;
    uint64_t wide = 0;
    memcpy(size == sizeof(narrow) ? (void *)&narrow : (void *)&wide, expected, size);
    store_drain_all(store_thread);
    uint64_t before = store_load(object, size, memory_order_relaxed);
    bool equal = before == (size == sizeof(narrow) ? narrow : wide);
    store_now(equal ? object : expected, size, equal ? desired : before);
    return equal;
}

#undef atomic_store_explicit
#undef atomic_load_explicit
#undef atomic_exchange_explicit
#undef atomic_fetch_add_explicit
#undef atomic_fetch_sub_explicit
#undef atomic_compare_exchange_weak
#undef atomic_compare_exchange_strong_explicit
#define atomic_store_explicit(object, value, order)                                                                    \
    store_later((void *)(object), sizeof(*(object)), (uint64_t)(value), order)
/* The cast is to the type of the object's value, which the comma makes of the object. */
#define atomic_load_explicit(object, order)                                                                            \
    ((__typeof__(((void)0, *(object))))store_load((const void *)(object), sizeof(*(object)), order))
#define atomic_exchange_explicit(object, value, order)                                                                 \
    store_modify((void *)(object), sizeof(*(object)), true, (uint64_t)(value))
#define atomic_fetch_add_explicit(object, value, order)                                                                \
    store_modify((void *)(object), sizeof(*(object)), false, (uint64_t)(value))
#define atomic_fetch_sub_explicit(object, value, order)                                                                \
    store_modify((void *)(object), sizeof(*(object)), false, 0 - (uint64_t)(value))
#define atomic_compare_exchange_weak(object, expected, value)                                                          \
    store_compare((void *)(object), sizeof(*(object)), expected, (uint64_t)(value))
#define atomic_compare_exchange_strong_explicit(object, expected, value, order, failed)                                \
    store_compare((void *)(object), sizeof(*(object)), expected, (uint64_t)(value))
/* These give 64 bits, whatever the object is. */
#pragma GCC diagnostic ignored "-Wconversion"

#endif
