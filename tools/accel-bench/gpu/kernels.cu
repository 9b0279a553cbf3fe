/* SPDX-License-Identifier: Apache-2.0 */
/* What libaccel's kernels are measured against: the same ones as one writes them for CUDA, with the same index type. The
 * grid parameter of libaccel's kernels is missing here. */
#include "../kernels/bench_kernels.h"

extern "C" __global__ void native_axpy(const __grid_constant__ axpy_args args)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < args.n; i += threads)
        args.y[i] += args.a * args.x[i];
}

/* Aligned as ACCEL_SHARED aligns: without that, nvcc loads a's elements one by one instead of in pairs. */
extern "C" __global__ void __launch_bounds__(DGEMM_TILE *DGEMM_TILE)
    native_dgemm(const __grid_constant__ dgemm_args args)
{
    __shared__ __align__(16) double a[DGEMM_TILE][DGEMM_TILE];
    __shared__ __align__(16) double b[DGEMM_TILE][DGEMM_TILE];
    const size_t n = args.n, ty = threadIdx.y, tx = threadIdx.x;
    const size_t row = blockIdx.y * DGEMM_TILE + ty, column = blockIdx.x * DGEMM_TILE + tx;
    double s = 0;
    for (size_t k0 = 0; k0 < n; k0 += DGEMM_TILE) {
        a[ty][tx] = args.a[row * n + k0 + tx];
        b[ty][tx] = args.b[(k0 + ty) * n + column];
        __syncthreads();
        for (size_t k = 0; k < DGEMM_TILE; k++)
            s += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    args.c[row * n + column] = s;
}
