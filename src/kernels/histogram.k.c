/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histograms. A block counts its share of the values in shared memory, where the bins fit there, and adds that to the result
 * by atomics. Values outside all bins count in one more bin, which is left out.
 *
 * On CPUs values are taken in chunks: the bins of a chunk are found by vector instructions, then counted one after the
 * other. Neighbours count in different copies, so that equal ones do not wait for each other.
 */
#include <accel/algorithm.h>
#include <accel/kernel.h>
#include <accel/kernel/rounding.h>
#include <accel/kernel/pattern.h>
#include "kernels/histogram.h"

ACCEL_FN double value_at(const void *values, size_t i, uint32_t type)
{
    switch (type) {
    case ACCEL_TYPE_INT32:
        return (double)((const int32_t *)values)[i];
    case ACCEL_TYPE_UINT32:
        return (double)((const uint32_t *)values)[i];
    case ACCEL_TYPE_INT64:
        return (double)((const int64_t *)values)[i];
    case ACCEL_TYPE_UINT64:
        return (double)((const uint64_t *)values)[i];
    case ACCEL_TYPE_FLOAT:
        return (double)((const float *)values)[i];
    default:
        return ((const double *)values)[i];
    }
}

/* A NaN is outside. All of it is arithmetic of doubles, which compilers make vectors of. */
ACCEL_FN uint32_t even_bin(double x, double low, double high, double scale, uint32_t bins)
{
    const double last = (double)(bins - 1), outside = (double)bins, place = (x - low) * scale;
    const double bounded = place < last ? place : last;
    const double above = x >= low ? bounded : outside;
    return (uint32_t)(int32_t)(x < high ? above : outside);
}

ACCEL_FN uint32_t edge_bin(double x, const double *edges, uint32_t bins)
{
    uint32_t at = 0;
    for (uint32_t left = bins + 1; left > 1;) {
        const uint32_t half = left / 2;
        at += edges[at + half] <= x ? half : 0;
        left -= half;
    }
    return x >= edges[0] && x < edges[bins] ? at : bins;
}

#if defined(ACCEL_KERNEL_CPU_H)

enum { CHUNK = 256 };

#define HISTOGRAM_LOAD(T)                                                                                              \
    for (size_t k = 0; k < count; k++)                                                                                 \
        x[k] = (double)((const T *)args.values)[i + k];                                                                \
    break

ACCEL_FN void find_bins(const histogram_args args, size_t i, size_t count, uint32_t *bins)
{
    double x[CHUNK];
    switch (args.type) {
    case ACCEL_TYPE_INT32:
        HISTOGRAM_LOAD(int32_t);
    case ACCEL_TYPE_UINT32:
        HISTOGRAM_LOAD(uint32_t);
    case ACCEL_TYPE_INT64:
        HISTOGRAM_LOAD(int64_t);
    case ACCEL_TYPE_UINT64:
        HISTOGRAM_LOAD(uint64_t);
    case ACCEL_TYPE_FLOAT:
        HISTOGRAM_LOAD(float);
    default:
        HISTOGRAM_LOAD(double);
    }
    if (args.edges == NULL)
        for (size_t k = 0; k < count; k++)
            bins[k] = even_bin(x[k], args.low, args.high, args.scale, args.bins);
    else
        for (size_t k = 0; k < count; k++)
            bins[k] = edge_bin(x[k], args.edges, args.bins);
}

/* Copy k counts the k-th of as many neighbours. */
ACCEL_FN void count_chunk(uint32_t *counts, size_t stride, uint32_t copies, const uint32_t *bins, size_t count)
{
    size_t k = 0;
    if (copies == 4) {
        for (; k + 4 <= count; k += 4) {
            counts[bins[k]]++;
            counts[stride + bins[k + 1]]++;
            counts[2 * stride + bins[k + 2]]++;
            counts[3 * stride + bins[k + 3]]++;
        }
    }
    for (; k < count; k++)
        counts[bins[k]]++;
}

#endif

ACCEL_FN void add_to_result(const accel_block_handle acc, const histogram_args args, size_t bin, uint32_t count)
{
    if (args.wide != 0)
        accel_atomic_add(acc, (uint64_t *)args.counts + bin, (uint64_t)count);
    else
        accel_atomic_add(acc, (uint32_t *)args.counts + bin, count);
}

ACCEL_KERNEL_BLOCK(histogram_count, histogram_args, args, HISTOGRAM_THREADS)
{
    uint32_t *const counts = (uint32_t *)accel_shared_dynamic(acc);
    const size_t begin = accel_block_index(acc).x * args.share, stride = (size_t)args.bins + 1;
    const size_t end = begin + args.share < args.n ? begin + args.share : args.n;
    ACCEL_THREADS(acc, t) {
        for (size_t b = t; b < args.copies * stride; b += HISTOGRAM_THREADS)
            counts[b] = 0;
    }
#if defined(ACCEL_KERNEL_CPU_H)
    ACCEL_ONCE(acc) {
        uint32_t bins[CHUNK];
        for (size_t i = begin; i < end; i += CHUNK) {
            const size_t left = end - i, count = left < CHUNK ? left : (size_t)CHUNK;
            find_bins(args, i, count, bins);
            if (args.copies != 0)
                count_chunk(counts, stride, args.copies, bins, count);
            else
                for (size_t k = 0; k < count; k++)
                    if (bins[k] < args.bins)
                        add_to_result(acc, args, bins[k], 1);
        }
    }
#else
    ACCEL_THREADS(acc, t) {
        for (size_t i = begin + t; i < end; i += HISTOGRAM_THREADS) {
            const double x = value_at(args.values, i, args.type);
            const uint32_t bin = args.edges == NULL ? even_bin(x, args.low, args.high, args.scale, args.bins)
                                                    : edge_bin(x, args.edges, args.bins);
            if (args.copies != 0)
                accel_atomic_add_block(acc, &counts[bin], 1u);
            else if (bin < args.bins)
                add_to_result(acc, args, bin, 1);
        }
    }
#endif
    ACCEL_THREADS(acc, t) {
        for (size_t b = t; args.copies != 0 && b < args.bins; b += HISTOGRAM_THREADS) {
            uint32_t sum = 0;
            for (size_t c = 0; c < args.copies; c++)
                sum += counts[c * stride + b];
            if (sum != 0)
                add_to_result(acc, args, b, sum);
        }
    }
}

ACCEL_KERNEL(histogram_clear, histogram_args, args)
{
    if (args.wide != 0) {
        ACCEL_FOR_EACH(acc, b, (size_t)args.bins)
            ((uint64_t *)args.counts)[b] = 0;
    } else {
        ACCEL_FOR_EACH(acc, b, (size_t)args.bins)
            ((uint32_t *)args.counts)[b] = 0;
    }
}
