/* SPDX-License-Identifier: Apache-2.0 */
/* CUB's sum, as a shared object that accel-bench opens: it brings CUDA's runtime, on the context that is current. */
#include <cub/device/device_reduce.cuh>

/* As cub::DeviceReduce::Sum: temporary memory is NULL when its size is asked for. 0, or the runtime's number. */
extern "C" int bench_cub_sum(void *temporary, size_t *bytes, const double *x, double *sum, size_t n, void *stream)
{
    return (int)cub::DeviceReduce::Sum(temporary, *bytes, x, sum, n, static_cast<cudaStream_t>(stream));
}
