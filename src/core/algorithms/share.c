/* SPDX-License-Identifier: Apache-2.0 */
#include "core/algorithms/share.h"
#include "core/api/device.h"
#include "core/base/divide.h"

enum {
    CPU_SHARE = 32768, /* fewer elements do not repay another thread, about */
    UNIT_BLOCKS = 8    /* blocks per compute unit of a GPU */
};

accel_shares accel_shares_of(const accel_device_properties *device, size_t n, const accel_share_wish *wish)
{
    size_t units = accel_device_units(device);
    bool is_gpu = device->kind == ACCEL_DEVICE_GPU;
    size_t most = units * (is_gpu ? UNIT_BLOCKS : wish->cpu_blocks);
    size_t blocks = accel_divide_up(n, is_gpu ? wish->tile : CPU_SHARE);
    accel_shares shares;

    if (blocks > most)
        blocks = most;
    if (blocks < wish->least_blocks)
        blocks = wish->least_blocks;
    shares.share = accel_divide_up(n, blocks);
    if (is_gpu)
        shares.share = accel_divide_up(shares.share, wish->tile) * wish->tile;
    shares.blocks = n != 0 ? accel_divide_up(n, shares.share) : 1;
    return shares;
}
