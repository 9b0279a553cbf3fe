/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler says: accel: the arguments of this launch are not the kernel's argument struct: a kernel<Args> takes an Args */
#include <accel/accel.hpp>

struct scale_args {
    float *x;
};
struct shift_args {
    float *x;
};
void launch(const accel::queue &queue, const accel::kernel<scale_args> &scale, const accel_work &work,
            const shift_args &args)
{
    queue.launch(scale, work, args);
}
