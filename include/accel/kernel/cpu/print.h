/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/cpu/print.h - printing for host compilers: the engine formats and writes.
 */
#ifndef ACCEL_KERNEL_CPU_PRINT_H
#define ACCEL_KERNEL_CPU_PRINT_H

/* cpu-check is not to see what this reads. */
#if defined(ACCEL_OBSERVED_)
#define ACCEL_PRINT_COLD_ static __attribute__((noinline, cold, unused, no_sanitize("thread")))
#else
#define ACCEL_PRINT_COLD_ static __attribute__((noinline, cold, unused))
#endif

#if defined(__cplusplus)

ACCEL_PRINT_COLD_ void accel_print_list(const accel_launch_context *launch, const char *format, uint32_t count,
                                        const accel_print_value *values)
{
    launch->print(launch, format, values, count);
}

template <class Core, size_t Size, class... Values>
ACCEL_INLINE_ void accel_print(const Core &core, const char (&format)[Size], Values... values)
{
    static_assert(sizeof...(Values) <= ACCEL_PRINT_VALUES, "a line has too many values");
    const accel_print_value list[] = {accel_print_value_of(values)..., accel_print_int(0)};
    accel_print_list(core.launch, format, static_cast<uint32_t>(sizeof...(Values)), list);
}

#else

ACCEL_PRINT_COLD_ void accel_print(const accel_launch_context *launch, const char *format, uint32_t count,
                                   const accel_print_value *values)
{
    launch->print(launch, format, values, count);
}

#endif

#endif
