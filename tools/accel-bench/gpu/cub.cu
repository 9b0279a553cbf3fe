/* SPDX-License-Identifier: Apache-2.0 */
/* CUB's sum, as a shared object that accel-bench opens (cub.h): it brings CUDA's runtime, on the context that is current. Temporary
 * memory is NULL when its size is asked for. It returns 0, or the runtime's number. n fits an int, and CUB is told so: its code
 * for 64-bit indices may be slower. */
#include <cub/device/device_reduce.cuh>

extern "C" int bench_cub_sum(void *temporary, size_t *bytes, const void *from, void *to, size_t n, void *stream)
{
    return (int)cub::DeviceReduce::Sum(temporary, *bytes, static_cast<const double *>(from), static_cast<double *>(to),
                                       static_cast<int>(n), static_cast<cudaStream_t>(stream));
}
