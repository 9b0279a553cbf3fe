/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/check.h - what the macros of kernels tell the backend cpu-check.
 *
 * Only in objects for target `check`, which accelcc compiles with ACCEL_TARGET_CHECK. In all others the macros below are
 * nothing, and so is their code.
 *
 * Such an object has each kernel twice. In the first version, ACCEL_OBSERVED_, every access is a call. The light one,
 * ACCEL_LIGHT_ (compiled with ACCEL_TARGET_CHECK_LIGHT, too), tells nothing: its code compares a byte for each 8 bytes of
 * memory before each access, as AddressSanitizer does. cpu-check runs it for the blocks outside the share of
 * ACCEL_CHECK_SHARE.
 */
#ifndef ACCEL_KERNEL_CPU_CHECK_H
#define ACCEL_KERNEL_CPU_CHECK_H

#if defined(ACCEL_TARGET_CHECK_LIGHT)
#define ACCEL_LIGHT_ 1
#elif defined(ACCEL_TARGET_CHECK)
#define ACCEL_OBSERVED_ 1
#endif

#if defined(ACCEL_OBSERVED_)

#include <accel/kernel/cpu/check_table.h>

#ifdef __cplusplus
extern "C" {
#endif
/* In the object's stub, check_object.c. */
void accel_check_block(const accel_launch_context *launch, size_t block, size_t threads, uint32_t form);
void accel_check_thread(const accel_thread_context *thread);
void accel_check_arrive(const accel_thread_context *thread);
void accel_check_pass(const accel_thread_context *thread);
int accel_check_part(int more, size_t t);
size_t accel_check_order(size_t k, size_t n);
size_t accel_check_row(size_t k, size_t n);
size_t accel_check_along(size_t n);
size_t accel_check_walk(size_t what, size_t n);
int accel_check_region(int more, size_t t, int sync);
size_t accel_check_loop(const accel_launch_context *launch, size_t n0, size_t n1, size_t n2, uint32_t kind);
int accel_check_each(int more);
void accel_check_collective(int begin);
void *accel_check_lock(const void *p, size_t size);
void accel_check_unlock(void);
void accel_check_scope(int block);
void accel_check_private(const void *values, size_t each, size_t size);
void *accel_check_my(const void *values, size_t t, size_t each);
void accel_check_copy(void *to, const void *from, size_t size); /* which may overlap */
void accel_check_set(void *to, int value, size_t size);
void accel_check_fence(int device);
void accel_check_trust(int begin);
uint64_t accel_check_warp_call(uint32_t what, uint32_t form, uint64_t mask, uint64_t value, uint64_t other,
                               uint32_t line);
#ifdef __cplusplus
}
#endif

/* gcc makes loads and stores of these builtins, of which it tells only the usual ones. So the others become calls, and the
 * names of the builtins macros: __builtin_memcpy(to, from, 40) is accel_check_copied(to, from, 40). */
#if !defined(__clang__)
static inline __attribute__((always_inline, unused)) void *accel_check_copied(void *to, const void *from, size_t size)
{
    accel_check_copy(to, from, size);
    return to;
}
static inline __attribute__((always_inline, unused)) void *accel_check_filled(void *to, int value, size_t size)
{
    accel_check_set(to, value, size);
    return to;
}
#define ACCEL_CHECK_TOLD_(size)                                                                                        \
    (__builtin_constant_p(size) && ((size) == 1 || (size) == 2 || (size) == 4 || (size) == 8))
#define __builtin_memcpy(to, from, size)                                                                               \
    (ACCEL_CHECK_TOLD_(size) ? __builtin_memcpy((to), (from), (size)) : accel_check_copied((to), (from), (size)))
#define __builtin_memmove(to, from, size)                                                                              \
    (ACCEL_CHECK_TOLD_(size) ? __builtin_memmove((to), (from), (size)) : accel_check_copied((to), (from), (size)))
#define __builtin_memset(to, value, size) accel_check_filled((to), (value), (size))
#endif

#define ACCEL_CHECK_(call) call
/* The statement that follows becomes a function, to which variables of the block are memory: accelcc compiles with
 * -fopenmp, and the stub calls that function on the same thread. */
#define ACCEL_OUTLINED_ _Pragma("omp parallel")
#define ACCEL_REGION_(more, t, sync) accel_check_region((more), (t), (sync))
#define ACCEL_REGION_ROWS_(more) ((more) || accel_check_region(0, 0, 1))
#define ACCEL_REGION_IN_ROW_(more, t) ((more) && accel_check_region(1, (t), 1))
/* for (size_t number = 0, t = order(0, n); number < n; number++, t = order(number, n)) */
#define ACCEL_TURN_FIRST_(t, n) accel_number_##t = 0, t = accel_check_order(0, (n))
#define ACCEL_TURN_AT_(t) accel_number_##t
#define ACCEL_TURN_NEXT_(t, n) accel_number_##t++, t = accel_check_order(accel_number_##t, (n))
#define ACCEL_ROW_FIRST_(t, n) accel_number_##t = 0, t = accel_check_row(0, (n))
#define ACCEL_ROW_NEXT_(t, n) accel_number_##t++, t = accel_check_row(accel_number_##t, (n))
#define ACCEL_ALONG_(t, i, n, first) t = accel_check_along((n)), i = (first) + t
#define ACCEL_EACH_(more) accel_check_each((more))
/* for (size_t turn = share, n = end - turn, far = walk(1, n), i = turn + walk(0, n); turn < end;
 *      turn++, i += far, i -= i < end ? 0 : n) */
#define ACCEL_WALK_(T, i, first)                                                                                       \
    accel_turn_##i = (first), accel_n_##i = accel_end_##i - accel_turn_##i,                                            \
    accel_far_##i = (T)accel_check_walk(1, accel_n_##i), i = accel_turn_##i + (T)accel_check_walk(0, accel_n_##i)
#define ACCEL_WALKS_(i) (accel_turn_##i < accel_end_##i)
#define ACCEL_WALK_ON_(T, i, step) accel_turn_##i++, i += accel_far_##i, i -= i < accel_end_##i ? (T)0 : accel_n_##i
#define ACCEL_EACH_1_(acc, n) accel_check_loop((acc).core.launch, (n), 1, 1, ACCEL_CHECK_EACH)
#define ACCEL_EACH_32_(acc, n) (uint32_t) accel_check_loop((acc).core.launch, (n), 1, 1, ACCEL_CHECK_EACH)
#define ACCEL_EACH_2_(acc, ni, nj) accel_check_loop((acc).core.launch, (ni), (nj), 1, ACCEL_CHECK_EACH)
#define ACCEL_EACH_3_(acc, ni, nj, nk) accel_check_loop((acc).core.launch, (ni), (nj), (nk), ACCEL_CHECK_EACH)
#define ACCEL_EACH_ROW_(acc, n) accel_check_loop((acc).core.launch, (n), 1, 1, ACCEL_CHECK_ROW)
#define ACCEL_CHECK_LOCKED_(p, size) accel_check_lock((p), (size))
#define ACCEL_CHECK_COPY_(to, from, size) accel_check_copy((to), (from), (size))

#else

#define ACCEL_CHECK_(call) ((void)0)
#define ACCEL_OUTLINED_
#define ACCEL_REGION_(more, t, sync) (more)
#define ACCEL_REGION_ROWS_(more) (more)
#define ACCEL_REGION_IN_ROW_(more, t) (more)
#define ACCEL_TURN_FIRST_(t, n) t = 0
#define ACCEL_TURN_AT_(t) t
#define ACCEL_TURN_NEXT_(t, n) t++
#define ACCEL_ROW_FIRST_(t, n) t = 0
#define ACCEL_ROW_NEXT_(t, n) t++
#define ACCEL_ALONG_(t, i, n, first) t = 0, i = first
#define ACCEL_EACH_ROW_(acc, n) (n)
#define ACCEL_CHECK_LOCKED_(p, size) (p)
#define ACCEL_CHECK_COPY_(to, from, size) __builtin_memcpy((to), (from), (size))

#endif

/* Between two arrays of shared memory: an index behind one of them is in none. */
#if defined(ACCEL_TARGET_CHECK)
#define ACCEL_CHECK_GAP_ ACCEL_CHECK_GAP_NAMED_(__COUNTER__)
#define ACCEL_CHECK_GAP_NAMED_(number) ACCEL_CHECK_GAP_OF_(number)
#define ACCEL_CHECK_GAP_OF_(number) static __thread unsigned char accel_check_gap_##number[256] __attribute__((used));
#else
#define ACCEL_CHECK_GAP_
#endif

#if !defined(ACCEL_LIGHT_)
#define ACCEL_LIGHT_LEAVE_() ((void)0)
#else

#include <accel/kernel/cpu/check_table.h>

#ifdef __cplusplus
extern "C" {
#endif
/* In the object's stub. Bytes that no access may touch, or again may. */
void accel_light_poison(const void *begin, size_t size, int poisoned);
void accel_light_leave(void); /* the thread ends here, and none of the functions that it is in returns */
void accel_check_copy(void *to, const void *from, size_t size);
#ifdef __cplusplus
}
#endif

/* Compilers would copy few bytes without a comparison. */
#undef ACCEL_CHECK_COPY_
#define ACCEL_CHECK_COPY_(to, from, size) accel_check_copy((to), (from), (size))
#define ACCEL_LIGHT_LEAVE_() accel_light_leave()

/* The end of an array of private values, behind those of the block's threads. */
typedef struct accel_light_rest {
    const void *begin;
    size_t size;
} accel_light_rest;

static inline __attribute__((always_inline, unused)) accel_light_rest
accel_light_rest_of(const void *values, size_t each, size_t threads, size_t size)
{
    const size_t used = each * threads < size ? each * threads : size;
    const accel_light_rest rest = {(const char *)values + used, size - used};
    if (rest.size != 0)
        accel_light_poison(rest.begin, rest.size, 1);
    return rest;
}
static inline __attribute__((always_inline, unused)) void accel_light_rest_end(accel_light_rest *rest)
{
    if (rest->size != 0)
        accel_light_poison(rest->begin, rest->size, 0);
}

#endif

#endif
