/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/gpu/cuda_clang.h - CUDA's functions for a clang without CUDA headers (clang 14 and 15 cannot read those of
 * CUDA 13). It has as much as gpu/cuda.h uses, from clang's builtins, and mathematics by the C names, from NVIDIA's
 * libdevice.
 *
 *     clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80 -S x.k.c
 *         -Xclang -target-feature -Xclang +ptx63
 *         -Xclang -mlink-builtin-bitcode -Xclang CUDA/nvvm/libdevice/libdevice.10.bc
 */
#ifndef ACCEL_KERNEL_CUDA_CLANG_H
#define ACCEL_KERNEL_CUDA_CLANG_H

#define ACCEL_CLANG_ static inline __attribute__((device, always_inline, unused))

/* ----------------------------------------------------------------------------------------- mathematics -- */

/* clang's own headers, in the order of its __clang_cuda_runtime_wrapper.h. They ask which CUDA it is only to know
 * whether it is older than 9. */
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#if !defined(CUDA_VERSION)
#define CUDA_VERSION 9000
#define ACCEL_CUDA_VERSION_IS_OURS
#endif
#include <__clang_cuda_builtin_vars.h>
#define pow accel_clang_pow /* clang_pow.h */
#include <__clang_cuda_math_forward_declares.h>
#undef pow
#include <climits>
#include <cmath>
#include <math.h>
#define pow accel_clang_pow
#include <__clang_cuda_libdevice_declares.h>
ACCEL_CLANG_ long long __float2ll_rn(float x)
{
    return __nv_float2ll_rn(x);
}
ACCEL_CLANG_ int __isfinited(double x)
{
    return __nv_isfinited(x);
}
ACCEL_CLANG_ int __signbitd(double x)
{
    return __nv_signbitd(x);
}
ACCEL_CLANG_ int __signbitf(float x)
{
    return __nv_signbitf(x);
}
ACCEL_CLANG_ int __finitef(float x)
{
    return __nv_finitef(x);
}
ACCEL_CLANG_ int __isnanf(float x)
{
    return __nv_isnanf(x);
}
ACCEL_CLANG_ int __isinff(float x)
{
    return __nv_isinff(x);
}
ACCEL_CLANG_ int __isnan(double x)
{
    return __nv_isnand(x);
}
ACCEL_CLANG_ int __isinf(double x)
{
    return __nv_isinfd(x);
}
#define tgammaf accel_clang_tgammaf
#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>
#undef pow
#undef tgammaf
#include <accel/kernel/clang_pow.h>
/* libdevice rounds to the nearest integer here, and halves to even ones. clang rounds them away from zero. */
ACCEL_CLANG_ float tgammaf(float x)
{
    return x == 0.5f ? 1.77245385f : x == -0.5f ? -3.54490770f : accel_clang_tgammaf(x);
}
#if defined(ACCEL_CUDA_VERSION_IS_OURS)
#undef CUDA_VERSION
#undef ACCEL_CUDA_VERSION_IS_OURS
#endif

/* Overloads that clang declares and does not define. */
#define ACCEL_CLANG_FLOAT_(T, name)                                                                                    \
    ACCEL_CLANG_ T name(float x)                                                                                       \
    {                                                                                                                  \
        return name##f(x);                                                                                             \
    }
#define ACCEL_CLANG_FLOAT_2_(name)                                                                                     \
    ACCEL_CLANG_ float name(float x, float y)                                                                          \
    {                                                                                                                  \
        return name##f(x, y);                                                                                          \
    }
ACCEL_CLANG_FLOAT_(float, acosh)
ACCEL_CLANG_FLOAT_(float, asinh)
ACCEL_CLANG_FLOAT_(float, atanh)
ACCEL_CLANG_FLOAT_(float, cbrt)
ACCEL_CLANG_FLOAT_(float, erf)
ACCEL_CLANG_FLOAT_(float, erfc)
ACCEL_CLANG_FLOAT_(float, exp2)
ACCEL_CLANG_FLOAT_(float, expm1)
ACCEL_CLANG_FLOAT_(float, lgamma)
ACCEL_CLANG_FLOAT_(float, log1p)
ACCEL_CLANG_FLOAT_(float, log2)
ACCEL_CLANG_FLOAT_(float, logb)
ACCEL_CLANG_FLOAT_(float, nearbyint)
ACCEL_CLANG_FLOAT_(float, rint)
ACCEL_CLANG_FLOAT_(float, round)
ACCEL_CLANG_FLOAT_(float, tgamma)
ACCEL_CLANG_FLOAT_(float, trunc)
ACCEL_CLANG_FLOAT_(int, ilogb)
ACCEL_CLANG_FLOAT_(long, lrint)
ACCEL_CLANG_FLOAT_(long, lround)
ACCEL_CLANG_FLOAT_(long long, llrint)
ACCEL_CLANG_FLOAT_(long long, llround)
ACCEL_CLANG_FLOAT_2_(copysign)
ACCEL_CLANG_FLOAT_2_(fdim)
ACCEL_CLANG_FLOAT_2_(fmax)
ACCEL_CLANG_FLOAT_2_(fmin)
ACCEL_CLANG_FLOAT_2_(hypot)
ACCEL_CLANG_FLOAT_2_(nextafter)
ACCEL_CLANG_FLOAT_2_(remainder)
ACCEL_CLANG_ float fma(float x, float y, float z)
{
    return fmaf(x, y, z);
}
ACCEL_CLANG_ float remquo(float x, float y, int *quotient)
{
    return remquof(x, y, quotient);
}
ACCEL_CLANG_ float scalbn(float x, int n)
{
    return scalbnf(x, n);
}

/* ---------------------------------------------------------------------------------- barriers and fences -- */

ACCEL_CLANG_ int __syncthreads_count(int predicate)
{
    return __nvvm_bar0_popc(predicate);
}
ACCEL_CLANG_ int __syncthreads_and(int predicate)
{
    return __nvvm_bar0_and(predicate);
}
ACCEL_CLANG_ int __syncthreads_or(int predicate)
{
    return __nvvm_bar0_or(predicate);
}
ACCEL_CLANG_ void __threadfence_block()
{
    __nvvm_membar_cta();
}
ACCEL_CLANG_ void __threadfence()
{
    __nvvm_membar_gl();
}
ACCEL_CLANG_ void __threadfence_system()
{
    __nvvm_membar_sys();
}

/* ----------------------------------------------------------------------------------------------- warps -- */

ACCEL_CLANG_ unsigned __activemask()
{
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
ACCEL_CLANG_ unsigned __ballot_sync(unsigned mask, int predicate)
{
    return __nvvm_vote_ballot_sync(mask, predicate);
}
ACCEL_CLANG_ int __any_sync(unsigned mask, int predicate)
{
    return __nvvm_vote_any_sync(mask, predicate);
}
ACCEL_CLANG_ int __all_sync(unsigned mask, int predicate)
{
    return __nvvm_vote_all_sync(mask, predicate);
}
ACCEL_CLANG_ unsigned __shfl_sync(unsigned mask, unsigned word, int lane)
{
    return static_cast<unsigned>(__nvvm_shfl_sync_idx_i32(mask, static_cast<int>(word), lane, 0x1f));
}

/* --------------------------------------------------------------------------------------------- atomics -- */

#define ACCEL_CLANG_ATOMIC_(name, T, builtin, word)                                                                    \
    ACCEL_CLANG_ T name(T *p, T v)                                                                                     \
    {                                                                                                                  \
        return static_cast<T>(builtin(reinterpret_cast<word *>(p), static_cast<word>(v)));                             \
    }
#define ACCEL_CLANG_BITS_(name, builtin)                                                                               \
    ACCEL_CLANG_ATOMIC_(name, unsigned int, builtin##_i, int)                                                          \
    ACCEL_CLANG_ATOMIC_(name, unsigned long long, builtin##_ll, long long)
#define ACCEL_CLANG_ORDER_(name, builtin)                                                                              \
    ACCEL_CLANG_ATOMIC_(name, int, builtin##_i, int)                                                                   \
    ACCEL_CLANG_ATOMIC_(name, unsigned int, builtin##_ui, unsigned int)                                                \
    ACCEL_CLANG_ATOMIC_(name, long long, builtin##_ll, long long)                                                      \
    ACCEL_CLANG_ATOMIC_(name, unsigned long long, builtin##_ull, unsigned long long)

ACCEL_CLANG_BITS_(atomicExch, __nvvm_atom_xchg_gen)
ACCEL_CLANG_BITS_(atomicAdd, __nvvm_atom_add_gen)
ACCEL_CLANG_BITS_(atomicAnd, __nvvm_atom_and_gen)
ACCEL_CLANG_BITS_(atomicOr, __nvvm_atom_or_gen)
ACCEL_CLANG_BITS_(atomicXor, __nvvm_atom_xor_gen)
ACCEL_CLANG_ORDER_(atomicMin, __nvvm_atom_min_gen)
ACCEL_CLANG_ORDER_(atomicMax, __nvvm_atom_max_gen)
ACCEL_CLANG_ATOMIC_(atomicAdd, float, __nvvm_atom_add_gen_f, float)
ACCEL_CLANG_ATOMIC_(atomicAdd, double, __nvvm_atom_add_gen_d, double)

ACCEL_CLANG_ unsigned int atomicCAS(unsigned int *p, unsigned int expected, unsigned int desired)
{
    return static_cast<unsigned int>(
        __nvvm_atom_cas_gen_i(reinterpret_cast<int *>(p), static_cast<int>(expected), static_cast<int>(desired)));
}
ACCEL_CLANG_ unsigned long long atomicCAS(unsigned long long *p, unsigned long long expected,
                                          unsigned long long desired)
{
    return static_cast<unsigned long long>(__nvvm_atom_cas_gen_ll(
        reinterpret_cast<long long *>(p), static_cast<long long>(expected), static_cast<long long>(desired)));
}

#endif
