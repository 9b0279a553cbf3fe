/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/check_object.c - the stub in an object for target `check`.
 *
 * accelcc compiles it, without instrumentation, and links it into the object. What -fsanitize=thread makes kernels call
 * is hidden here, so that an object works in programs that ThreadSanitizer watches, too: its symbols are others.
 */
#include <accel/kernel/cpu/check_table.h>

#include <stdarg.h>

/* The C library's, behind --wrap. */
void *__real_memcpy(void *to, const void *from, size_t size);
void *__real_memmove(void *to, const void *from, size_t size);
void *__real_memset(void *to, int value, size_t size);

#define PLACE __builtin_return_address(0)
#define HIDDEN __attribute__((visibility("hidden")))

static void no_access(const volatile void *p, size_t size, uint32_t how, const void *place)
{
    (void)p, (void)size, (void)how, (void)place;
}
static void no_value(const volatile void *p, const void *place)
{
    (void)p, (void)place;
}
static void no_block(const accel_launch_context *launch, size_t block, size_t threads, uint32_t form, const void *place)
{
    (void)launch, (void)block, (void)threads, (void)form, (void)place;
}
static void no_thread(const accel_thread_context *thread, const void *place)
{
    (void)thread, (void)place;
}
static void no_pass(const accel_thread_context *thread)
{
    (void)thread;
}
static int no_part(int more, size_t t)
{
    (void)t;
    return more;
}
static int no_region(int more, size_t t, int sync)
{
    (void)t, (void)sync;
    return more;
}
static size_t no_along(size_t n)
{
    (void)n;
    return 0;
}
static size_t no_walk(size_t what, size_t n)
{
    (void)n;
    return what;
}
static void no_run(void (*region)(void *), void *data, const void *place)
{
    (void)place;
    region(data);
}
static void no_loop(const accel_launch_context *launch, size_t n0, size_t n1, size_t n2, uint32_t kind,
                    const void *place)
{
    (void)launch, (void)n0, (void)n1, (void)n2, (void)kind, (void)place;
}
static void no_collective(int begin, const void *place)
{
    (void)begin, (void)place;
}
static size_t no_order(size_t k, size_t n)
{
    (void)n;
    return k;
}
static void no_flag(int flag)
{
    (void)flag;
}
static int no_each(int more)
{
    return more;
}
static void no_bytes(const void *p, size_t size)
{
    (void)p, (void)size;
}
static void no_values(const void *values, size_t each, size_t size)
{
    (void)values, (void)each, (void)size;
}

static const void *no_outer(const void *frame, const void *place)
{
    (void)place;
    return frame;
}

static void no_trap(uint32_t what, int fatal, const void *place)
{
    (void)what, (void)fatal, (void)place;
}

/* A warp of one thread. */
static uint64_t no_warp(const accel_check_warp *operation, const void *place)
{
    (void)place;
    if (operation->what == ACCEL_CHECK_WARP_SIZE)
        return 1;
    return operation->what == ACCEL_CHECK_WARP_LANE ? 0 : operation->value;
}

static void no_poison(const void *begin, size_t size, int poisoned)
{
    (void)begin, (void)size, (void)poisoned;
}

static void no_leave(const void *frame)
{
    (void)frame;
}

__attribute__((visibility("protected"))) accel_check_object accel_checked_object = {
    .abi = ACCEL_CHECK_ABI,
    .struct_size = sizeof accel_checked_object,
    .hooks = {.abi = ACCEL_CHECK_ABI,
              .struct_size = sizeof(accel_check_hooks),
              .access = no_access,
              .read4 = no_value,
              .read8 = no_value,
              .write4 = no_value,
              .write8 = no_value,
              .update4 = no_value,
              .update8 = no_value,
              .block = no_block,
              .thread = no_thread,
              .arrive = no_thread,
              .pass = no_pass,
              .part = no_part,
              .region = no_region,
              .loop = no_loop,
              .each = no_each,
              .collective = no_collective,
              .lock = no_bytes,
              .scope = no_flag,
              .private_values = no_values,
              .fence = no_flag,
              .trust = no_flag,
              .order = no_order,
              .row = no_order,
              .along = no_along,
              .walk = no_walk,
              .run = no_run,
              .outer = no_outer,
              .trap = no_trap,
              .warp = no_warp,
              .stray = no_access,
              .poison = no_poison,
              .leave = no_leave},
};

/* ------------------------------------------------------------------------------------------- hooks -- */

/* Under a name that no other library can have: calls need not ask where it is. */
extern accel_check_object accel_checked_here __attribute__((alias("accel_checked_object"), visibility("hidden")));
#define HOOKS accel_checked_here.hooks
#define ACCESS(p, size, how) HOOKS.access((p), (size), (how), PLACE)

HIDDEN void accel_check_block(const accel_launch_context *launch, size_t block, size_t threads, uint32_t form)
{
    HOOKS.block(launch, block, threads, form, PLACE);
}
HIDDEN void accel_check_thread(const accel_thread_context *thread)
{
    HOOKS.thread(thread, PLACE);
}
HIDDEN void accel_check_arrive(const accel_thread_context *thread)
{
    HOOKS.arrive(thread, PLACE);
}
HIDDEN void accel_check_pass(const accel_thread_context *thread)
{
    HOOKS.pass(thread);
}
HIDDEN int accel_check_part(int more, size_t t)
{
    return HOOKS.part(more, t);
}
HIDDEN int accel_check_region(int more, size_t t, int sync)
{
    return HOOKS.region(more, t, sync);
}
HIDDEN size_t accel_check_order(size_t k, size_t n)
{
    return HOOKS.order(k, n);
}
HIDDEN size_t accel_check_row(size_t k, size_t n)
{
    return HOOKS.row(k, n);
}
HIDDEN size_t accel_check_along(size_t n)
{
    return HOOKS.along(n);
}
HIDDEN size_t accel_check_walk(size_t what, size_t n)
{
    return HOOKS.walk(what, n);
}
HIDDEN size_t accel_check_loop(const accel_launch_context *launch, size_t n0, size_t n1, size_t n2, uint32_t kind)
{
    HOOKS.loop(launch, n0, n1, n2, kind, PLACE);
    return n0;
}
HIDDEN int accel_check_each(int more)
{
    return HOOKS.each(more);
}
HIDDEN void accel_check_collective(int begin)
{
    HOOKS.collective(begin, PLACE);
}
HIDDEN void *accel_check_lock(const void *p, size_t size)
{
    HOOKS.lock(p, size);
    return (void *)(uintptr_t)p;
}
HIDDEN void accel_check_unlock(void)
{
    HOOKS.lock(NULL, 0);
}
HIDDEN void accel_check_scope(int block)
{
    HOOKS.scope(block);
}
HIDDEN void accel_check_private(const void *values, size_t each, size_t size)
{
    HOOKS.private_values(values, each, size);
}
/* The address of a thread's private value, from a function: else compilers keep it in a register. */
HIDDEN void *accel_check_my(const void *values, size_t t, size_t each)
{
    return (char *)(uintptr_t)values + t * each;
}
HIDDEN void accel_check_copy(void *to, const void *from, size_t size)
{
    ACCESS(from, size, 0);
    ACCESS(to, size, ACCEL_CHECK_WRITE);
    __real_memmove(to, from, size);
}
HIDDEN void accel_check_set(void *to, int value, size_t size)
{
    ACCESS(to, size, ACCEL_CHECK_WRITE);
    __real_memset(to, value, size);
}
HIDDEN void accel_check_fence(int device)
{
    HOOKS.fence(device);
}
HIDDEN void accel_check_trust(int begin)
{
    HOOKS.trust(begin);
}
HIDDEN uint64_t accel_check_warp_call(uint32_t what, uint32_t form, uint64_t mask, uint64_t value, uint64_t other,
                                      uint32_t line)
{
    const accel_check_warp operation = {what, form, line, mask, value, other};
    return HOOKS.warp(&operation, PLACE);
}

/* --------------------------------------------------------------------- what -fsanitize=thread calls -- */

#define DEFINE(result, name, ...)                                                                                      \
    HIDDEN result name(__VA_ARGS__);                                                                                   \
    HIDDEN result name(__VA_ARGS__)

#define PLAIN(prefix, size, how)                                                                                       \
    DEFINE(void, __tsan_##prefix##read##size, void *p)                                                                 \
    {                                                                                                                  \
        ACCESS(p, size, (how));                                                                                        \
    }                                                                                                                  \
    DEFINE(void, __tsan_##prefix##write##size, void *p)                                                                \
    {                                                                                                                  \
        ACCESS(p, size, ACCEL_CHECK_WRITE | (how));                                                                    \
    }
#define PLAINS(size, how)                                                                                              \
    PLAIN(, size, how)                                                                                                 \
    SELDOM_PLAINS(size, how)
#define SELDOM_PLAINS(size, how)                                                                                       \
    PLAIN(volatile_, size, how)                                                                                        \
    PLAIN(unaligned_, size, 0)                                                                                         \
    PLAIN(unaligned_volatile_, size, 0)
/* Most accesses: entries of their own, to which these are jumps. */
#define FREQUENT_PLAINS(size)                                                                                          \
    DEFINE(void, __tsan_read##size, void *p)                                                                           \
    {                                                                                                                  \
        HOOKS.read##size(p, PLACE);                                                                                    \
    }                                                                                                                  \
    DEFINE(void, __tsan_write##size, void *p)                                                                          \
    {                                                                                                                  \
        HOOKS.write##size(p, PLACE);                                                                                   \
    }                                                                                                                  \
    SELDOM_PLAINS(size, ACCEL_CHECK_ALIGNED)
/* Compilers call so also what may lie at a multiple of 8, which GPUs access in two halves. */
#define ALIGNED_16 (((uintptr_t)p & 7) != 0 ? ACCEL_CHECK_ALIGNED : 0)
PLAINS(1, 0)
PLAINS(2, ACCEL_CHECK_ALIGNED)
FREQUENT_PLAINS(4)
FREQUENT_PLAINS(8)
PLAINS(16, ALIGNED_16)

DEFINE(void, __tsan_read_range, void *p, size_t size)
{
    ACCESS(p, size, 0);
}
DEFINE(void, __tsan_write_range, void *p, size_t size)
{
    ACCESS(p, size, ACCEL_CHECK_WRITE);
}
DEFINE(void, __tsan_init, void)
{
}
DEFINE(void, __tsan_func_entry, void *place)
{
    (void)place;
}
DEFINE(void, __tsan_func_exit, void)
{
}
DEFINE(void, __tsan_vptr_update, void **p, void *value)
{
    (void)p, (void)value;
}
DEFINE(void, __tsan_vptr_read, void **p)
{
    (void)p;
}
DEFINE(void, __tsan_atomic_thread_fence, int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
DEFINE(void, __tsan_atomic_signal_fence, int order)
{
    (void)order;
}

#define ATOMIC_READ (ACCEL_CHECK_ATOMIC | ACCEL_CHECK_ALIGNED)
#define ATOMIC_WRITE (ACCEL_CHECK_WRITE | ATOMIC_READ)
#define UPDATES8(p) ACCESS((p), 1, ATOMIC_WRITE)
#define UPDATES16(p) ACCESS((p), 2, ATOMIC_WRITE)
#define UPDATES32(p) HOOKS.update4((p), PLACE)
#define UPDATES64(p) HOOKS.update8((p), PLACE)
#define FETCH(bits, T, op)                                                                                             \
    DEFINE(T, __tsan_atomic##bits##_fetch_##op, volatile T *p, T v, int order)                                         \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        UPDATES##bits(p);                                                                                              \
        return __atomic_fetch_##op(p, v, __ATOMIC_SEQ_CST);                                                            \
    }
#define EXCHANGE(bits, T, kind)                                                                                        \
    DEFINE(int, __tsan_atomic##bits##_compare_exchange_##kind, volatile T *p, T *expected, T v, int order, int other)  \
    {                                                                                                                  \
        (void)order, (void)other;                                                                                      \
        UPDATES##bits(p);                                                                                              \
        return __atomic_compare_exchange_n(p, expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                     \
    }
#define ATOMICS(bits, T)                                                                                               \
    DEFINE(T, __tsan_atomic##bits##_load, const volatile T *p, int order)                                              \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        ACCESS(p, sizeof *p, ATOMIC_READ);                                                                             \
        return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                                   \
    }                                                                                                                  \
    DEFINE(void, __tsan_atomic##bits##_store, volatile T *p, T v, int order)                                           \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        UPDATES##bits(p);                                                                                              \
        __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                                      \
    }                                                                                                                  \
    DEFINE(T, __tsan_atomic##bits##_exchange, volatile T *p, T v, int order)                                           \
    {                                                                                                                  \
        (void)order;                                                                                                   \
        UPDATES##bits(p);                                                                                              \
        return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                                            \
    }                                                                                                                  \
    FETCH(bits, T, add)                                                                                                \
    FETCH(bits, T, sub)                                                                                                \
    FETCH(bits, T, and)                                                                                                \
    FETCH(bits, T, or)                                                                                                 \
    FETCH(bits, T, xor)                                                                                                \
    EXCHANGE(bits, T, strong)                                                                                          \
    EXCHANGE(bits, T, weak)                                                                                            \
    DEFINE(T, __tsan_atomic##bits##_compare_exchange_val, volatile T *p, T expected, T v, int order, int other)        \
    {                                                                                                                  \
        (void)order, (void)other;                                                                                      \
        UPDATES##bits(p);                                                                                              \
        __atomic_compare_exchange_n(p, &expected, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                           \
        return expected;                                                                                               \
    }
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

/* -------------------------------------------------------- what the light version calls (-fsanitize=kernel-address) -- */

HIDDEN void accel_light_poison(const void *begin, size_t size, int poisoned);
HIDDEN void accel_light_poison(const void *begin, size_t size, int poisoned)
{
    HOOKS.poison(begin, size, poisoned);
}

/* clang looks at the first byte and at the last, and tells which one it was. Values of such sizes begin at even addresses. */
#if defined(__clang__)
#define BEGIN(p, size) ((char *)(p) - (((uintptr_t)(p)&1) != 0 && ((size)&1) == 0 ? (size)-1 : 0))
#else
#define BEGIN(p, size) (p)
#endif
#define STRAY(kind, how)                                                                                               \
    STRAY_OF(kind, 1, how)                                                                                             \
    STRAY_OF(kind, 2, how)                                                                                             \
    STRAY_OF(kind, 4, how)                                                                                             \
    STRAY_OF(kind, 8, how)                                                                                             \
    STRAY_OF(kind, 16, how)                                                                                            \
    DEFINE(void, __asan_report_##kind##_n_noabort, void *p, size_t size)                                               \
    {                                                                                                                  \
        HOOKS.stray(BEGIN(p, size), size, (how), PLACE);                                                               \
    }
#define STRAY_OF(kind, size, how)                                                                                      \
    DEFINE(void, __asan_report_##kind##size##_noabort, void *p)                                                        \
    {                                                                                                                  \
        HOOKS.stray(p, size, (how), PLACE);                                                                            \
    }
STRAY(load, 0)
STRAY(store, ACCEL_CHECK_WRITE)

HIDDEN void accel_light_leave(void);
HIDDEN void accel_light_leave(void)
{
    HOOKS.leave(__builtin_frame_address(0));
}

/* Before some calls that do not return, as compilers see it. */
DEFINE(void, __asan_handle_no_return, void)
{
    HOOKS.leave(__builtin_frame_address(0));
}

/* ------------------------------------------------------------------- what the other sanitizers call -- */

/* What their data begins with. */
typedef struct check_operation {
    const char *file;
    uint32_t line, column;
    const struct {
        uint16_t kind; /* 0: integer */
    } * type;
} check_operation;

DEFINE(void, __ubsan_handle_divrem_overflow, check_operation *operation, uintptr_t a, uintptr_t b)
{
    (void)a, (void)b;
    HOOKS.trap(ACCEL_CHECK_DIVISION, operation->type->kind == 0, PLACE);
}
#define OVERFLOW(name)                                                                                                 \
    DEFINE(void, __ubsan_handle_##name##_overflow, void *operation, uintptr_t a, uintptr_t b)                          \
    {                                                                                                                  \
        (void)operation, (void)a, (void)b;                                                                             \
        HOOKS.trap(ACCEL_CHECK_OVERFLOW, 0, PLACE);                                                                    \
    }
OVERFLOW(add)
OVERFLOW(sub)
OVERFLOW(mul)
DEFINE(void, __ubsan_handle_negate_overflow, void *operation, uintptr_t a)
{
    (void)operation, (void)a;
    HOOKS.trap(ACCEL_CHECK_OVERFLOW, 0, PLACE);
}
DEFINE(void, __ubsan_handle_float_cast_overflow, void *operation, uintptr_t a)
{
    (void)operation, (void)a;
    HOOKS.trap(ACCEL_CHECK_CONVERSION, 0, PLACE);
}

/* -------------------------------------------------------------------------- what ACCEL_OUTLINED_ calls -- */

/* gcc: the variables lie in `data`, or are pointed to from there. */
DEFINE(void, GOMP_parallel, void (*region)(void *), void *data, unsigned threads, unsigned flags)
{
    const void *before = HOOKS.outer(__builtin_frame_address(0), PLACE);
    (void)threads, (void)flags;
    HOOKS.run(region, data, PLACE);
    (void)HOOKS.outer(before, NULL);
}

/* clang: each variable is a parameter. A function that takes fewer than it is given leaves the rest alone, as C's calling
 * conventions of x86-64 and aarch64 have it. */
enum { OUTLINED = 256 }; /* variables of a region, at most */
typedef struct outlined {
    void (*region)(int *, int *, ...);
    int count;
    void *v[OUTLINED];
} outlined;

#define V4(k) v[(k)], v[(k) + 1], v[(k) + 2], v[(k) + 3]
#define V16(k) V4(k), V4((k) + 4), V4((k) + 8), V4((k) + 12)
#define V64(k) V16(k), V16((k) + 16), V16((k) + 32), V16((k) + 48)
static void call_outlined(void *data)
{
    const outlined *self = (const outlined *)data;
    void *const *v = self->v;
    int thread = 0, team = 0;
    if (self->count <= 16)
        self->region(&thread, &team, V16(0));
    else if (self->count <= 64)
        self->region(&thread, &team, V64(0));
    else
        self->region(&thread, &team, V64(0), V64(64), V64(128), V64(192));
}

DEFINE(void, __kmpc_fork_call, void *source, int count, void (*region)(int *, int *, ...), ...)
{
    const void *before = HOOKS.outer(__builtin_frame_address(0), PLACE);
    outlined self = {region, count, {0}};
    va_list given;
    (void)source;
    if (count > OUTLINED)
        __builtin_trap();
    va_start(given, region);
    for (int i = 0; i < count; ++i)
        self.v[i] = va_arg(given, void *);
    va_end(given);
    HOOKS.run(call_outlined, &self, PLACE);
    (void)HOOKS.outer(before, NULL);
}

/* The object is linked with --wrap for the three, this file's own calls included; later versions of clang call the second
 * form. */
#define COPY(prefix, name)                                                                                             \
    DEFINE(void *, prefix##name, void *to, const void *from, size_t size)                                              \
    {                                                                                                                  \
        ACCESS(from, size, 0);                                                                                         \
        ACCESS(to, size, ACCEL_CHECK_WRITE);                                                                           \
        return __real_##name(to, from, size);                                                                          \
    }
#define SET(prefix)                                                                                                    \
    DEFINE(void *, prefix##memset, void *to, int value, size_t size)                                                   \
    {                                                                                                                  \
        ACCESS(to, size, ACCEL_CHECK_WRITE);                                                                           \
        return __real_memset(to, value, size);                                                                         \
    }
COPY(__wrap_, memcpy)
COPY(__wrap_, memmove)
SET(__wrap_)
COPY(__tsan_, memcpy)
COPY(__tsan_, memmove)
SET(__tsan_)
