/* SPDX-License-Identifier: Apache-2.0 */
/* Makes an instance of the backends that the environment asks for; prints the error. */
#include <accel/accel.h>

#include <stdio.h>

int main(void)
{
    accel_instance *instance = NULL;
    accel_status status = accel_instance_create(NULL, &instance);

    accel_instance_release(instance);
    printf("%s: %s\n", accel_status_name(status), status != ACCEL_OK ? accel_error_message() : "");
    return status == ACCEL_OK ? 0 : 1;
}
