/* SPDX-License-Identifier: Apache-2.0 */
#include "core/api/hold.h"

accel_hold *accel_hold_buffer(accel_buffer *buffer)
{
    return (accel_hold *)accel_buffer_retain(buffer);
}

void accel_hold_release(accel_hold *hold)
{
    accel_buffer_release((accel_buffer *)hold);
}
