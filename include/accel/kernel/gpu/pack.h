/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/gpu/pack.h - packs of one number, and masks of one truth, on GPUs.
 */
#ifndef ACCEL_KERNEL_PACK_GPU_H
#define ACCEL_KERNEL_PACK_GPU_H

#define ACCEL_PACK_REGISTERS 64
#define ACCEL_PACK_DOUBLES 1
#define ACCEL_PACK_FLOATS 1
#define ACCEL_PACK_LANE_(v, lane) (v)
#define ACCEL_EACH_LANE_(bits, lane)

#define ACCEL_PACK_TYPE_(T, N, bits) typedef N accel_pack_##T;
ACCEL_PACKS_(ACCEL_PACK_TYPE_)

typedef struct accel_mask_32 {
    bool lane;
} accel_mask_32, accel_mask_64;

ACCEL_INLINE_ accel_mask_32 accel_mask_of(bool lane)
{
    const accel_mask_32 m = {lane};
    return m;
}
#define ACCEL_MASK_(compared) accel_mask_of(compared)

ACCEL_INLINE_ accel_mask_32 accel_mask_and_on(accel_mask_32 m, accel_mask_32 n)
{
    return accel_mask_of(m.lane && n.lane);
}
ACCEL_INLINE_ accel_mask_32 accel_mask_or_on(accel_mask_32 m, accel_mask_32 n)
{
    return accel_mask_of(m.lane || n.lane);
}
ACCEL_INLINE_ accel_mask_32 accel_mask_not_on(accel_mask_32 m)
{
    return accel_mask_of(!m.lane);
}
ACCEL_INLINE_ uint32_t accel_mask_word_on(accel_mask_32 m)
{
    return m.lane ? 1u : 0u;
}
ACCEL_INLINE_ int accel_mask_any_on(accel_mask_32 m)
{
    return m.lane;
}
ACCEL_INLINE_ int accel_mask_all_on(accel_mask_32 m)
{
    return m.lane;
}
ACCEL_INLINE_ uint32_t accel_mask_count_on(accel_mask_32 m)
{
    return m.lane ? 1u : 0u;
}
#define accel_mask_first(T, n) accel_mask_of((n) > 0)

#define accel_pack_load_as(T, p) static_cast<accel_pack_##T>(*(p))
#define accel_pack_convert(T, v) static_cast<accel_pack_##T>(v)
template <class N_, class T_> ACCEL_INLINE_ void accel_pack_store_as(N_ *p, T_ v)
{
    *p = static_cast<N_>(v);
}

#define ACCEL_PACK_INDEXED_(T, I)                                                                                      \
    ACCEL_INLINE_ T accel_pack_gather_on(const T *p, I index)                                                          \
    {                                                                                                                  \
        return p[index];                                                                                               \
    }                                                                                                                  \
    ACCEL_INLINE_ void accel_pack_scatter_on(T *p, I index, T v)                                                       \
    {                                                                                                                  \
        p[index] = v;                                                                                                  \
    }                                                                                                                  \
    ACCEL_INLINE_ T accel_pack_gather_masked_on(accel_mask_32 m, const T *p, I index, T v)                             \
    {                                                                                                                  \
        return m.lane ? p[index] : v;                                                                                  \
    }                                                                                                                  \
    ACCEL_INLINE_ void accel_pack_scatter_masked_on(accel_mask_32 m, T *p, I index, T v)                               \
    {                                                                                                                  \
        if (m.lane)                                                                                                    \
            p[index] = v;                                                                                              \
    }

/* min and max: the other one if one is a NaN; a if they are equal, as on CPUs. */
#define ACCEL_PACK_FUNCTIONS_(name, T, bits)                                                                           \
    ACCEL_INLINE_ T accel_pack_load_on(const T *p)                                                                     \
    {                                                                                                                  \
        return *p;                                                                                                     \
    }                                                                                                                  \
    ACCEL_INLINE_ void accel_pack_store_on(T *p, T v)                                                                  \
    {                                                                                                                  \
        *p = v;                                                                                                        \
    }                                                                                                                  \
    ACCEL_INLINE_ T accel_pack_load_masked_on(accel_mask_32 m, const T *p, T v)                                        \
    {                                                                                                                  \
        return m.lane ? *p : v;                                                                                        \
    }                                                                                                                  \
    ACCEL_INLINE_ void accel_pack_store_masked_on(accel_mask_32 m, T *p, T v)                                          \
    {                                                                                                                  \
        if (m.lane)                                                                                                    \
            *p = v;                                                                                                    \
    }                                                                                                                  \
    ACCEL_PACK_INDEXED_(T, int##bits##_t)                                                                              \
    ACCEL_PACK_INDEXED_(T, uint##bits##_t)                                                                             \
    ACCEL_INLINE_ T accel_pack_all_on(T x)                                                                             \
    {                                                                                                                  \
        return x;                                                                                                      \
    }                                                                                                                  \
    ACCEL_INLINE_ T accel_pack_from_on(T x)                                                                            \
    {                                                                                                                  \
        return x;                                                                                                      \
    }                                                                                                                  \
    ACCEL_INLINE_ T accel_pack_lane_on(T v, size_t)                                                                    \
    {                                                                                                                  \
        return v;                                                                                                      \
    }                                                                                                                  \
    ACCEL_INLINE_ void accel_pack_transpose_on(T *)                                                                    \
    {                                                                                                                  \
    }                                                                                                                  \
    ACCEL_INLINE_ T accel_pack_select_on(accel_mask_32 m, T a, T b)                                                    \
    {                                                                                                                  \
        return m.lane ? a : b;                                                                                         \
    }                                                                                                                  \
    ACCEL_INLINE_ T accel_pack_min_on(T a, T b)                                                                        \
    {                                                                                                                  \
        return b < a || a != a ? b : a;                                                                                \
    }                                                                                                                  \
    ACCEL_INLINE_ T accel_pack_max_on(T a, T b)                                                                        \
    {                                                                                                                  \
        return b > a || a != a ? b : a;                                                                                \
    }                                                                                                                  \
    ACCEL_INLINE_ T accel_pack_sum_on(T v)                                                                             \
    {                                                                                                                  \
        return v;                                                                                                      \
    }                                                                                                                  \
    ACCEL_INLINE_ T accel_pack_lowest_on(T v)                                                                          \
    {                                                                                                                  \
        return v;                                                                                                      \
    }                                                                                                                  \
    ACCEL_INLINE_ T accel_pack_highest_on(T v)                                                                         \
    {                                                                                                                  \
        return v;                                                                                                      \
    }
ACCEL_PACKS_(ACCEL_PACK_FUNCTIONS_)

#define ACCEL_PACK_ABS_(name, T, bits)                                                                                 \
    ACCEL_INLINE_ T accel_pack_abs_on(T v)                                                                             \
    {                                                                                                                  \
        return v < 0 ? -v : v;                                                                                         \
    }
ACCEL_PACKS_SIGNED_(ACCEL_PACK_ABS_)
ACCEL_INLINE_ float accel_pack_abs_on(float v)
{
    return __builtin_fabsf(v);
}
ACCEL_INLINE_ double accel_pack_abs_on(double v)
{
    return __builtin_fabs(v);
}

/* Additions of sums are never fused with the multiplication before: an order alone does not fix the bits. Where
 * hosts compile this (nvcc does, beside the GPU's code) there is no such instruction. */
#define ACCEL_PACK_ADD_(a, b) accel_pack_add_on(a, b)
template <class T_> ACCEL_INLINE_ T_ accel_pack_add_on(T_ a, T_ b)
{
    return a + b;
}
#if defined(__AMDGCN__)
ACCEL_INLINE_ float accel_pack_add_on(float a, float b)
{
    __asm__("" : "+v"(a), "+v"(b));
    return a + b;
}
ACCEL_INLINE_ double accel_pack_add_on(double a, double b)
{
    __asm__("" : "+v"(a), "+v"(b));
    return a + b;
}
#elif defined(__CUDA_ARCH__)
ACCEL_INLINE_ float accel_pack_add_on(float a, float b)
{
    float sum;
    __asm__("add.rn.f32 %0, %1, %2;" : "=f"(sum) : "f"(a), "f"(b));
    return sum;
}
ACCEL_INLINE_ double accel_pack_add_on(double a, double b)
{
    double sum;
    __asm__("add.rn.f64 %0, %1, %2;" : "=d"(sum) : "d"(a), "d"(b));
    return sum;
}
#endif

#endif
