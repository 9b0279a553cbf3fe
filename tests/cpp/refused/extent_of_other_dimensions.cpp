/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler says: accel: an extent<N> takes N numbers, one per dimension */
#include <accel/accel.hpp>

accel::buffer<float, 2> create(const accel::device &device)
{
    return accel::buffer<float, 2>::create(device, 100);
}
