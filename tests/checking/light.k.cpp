// SPDX-License-Identifier: Apache-2.0
// The same kernels, compiled as C++, and what only C++ has.
#include "light.k.c"

template <class T> struct light_table {
    static T scale;
    virtual __attribute__((noinline)) T at(const T *x, size_t i) const
    {
        return x[i] * scale; /* light_method: here */
    }
    virtual ~light_table() = default;
};
template <class T> T light_table<T>::scale = 1;

template <class T> static inline __attribute__((noinline)) T light_twice(const T *x, size_t i)
{
    static const T factors[] = {2, 2};
    return x[i] * factors[i % 2]; /* light_template: here */
}

ACCEL_KERNEL(light_unwritten, light_args, args)
{
    ACCEL_SHARED(acc, float, untouched[64]);
    ACCEL_THREADS(acc, t) {
        if (!IS_WRONG(acc))
            untouched[t] = 0;
    }
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = untouched[t]; /* light_unwritten: here */
    }
}

ACCEL_KERNEL(light_template, light_args, args)
{
    ACCEL_THREADS(acc, t) {
        args.y[PLACE(acc, t)] = light_twice(args.x, IS_WRONG(acc) ? args.n : t);
    }
}

ACCEL_KERNEL(light_method, light_args, args)
{
    ACCEL_THREADS(acc, t) {
        const light_table<float> table;
        const light_table<float> *volatile any = &table;
        args.y[PLACE(acc, t)] = any->at(args.x, IS_WRONG(acc) ? args.n : t);
    }
}
