/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a line for each backend, its state and path; with an argument, for that one only. For tests that need a program of its own:
 * moved libraries, set-uid processes, plugins from outside. */
#include <accel/accel.h>

#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

int main(int argc, char **argv)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_backend_properties backend = ACCEL_BACKEND_PROPERTIES_INIT;
    accel_instance *instance = NULL;

    desc.flags = ACCEL_INSTANCE_ALLOW_EMPTY;
    printf("secure %lu\n", getauxval(AT_SECURE));
    if (accel_instance_create(&desc, &instance) != ACCEL_OK) {
        printf("%s\n", accel_error_message());
        return 1;
    }
    for (size_t i = 0; accel_instance_backend_info(instance, i, &backend) == ACCEL_OK; ++i) {
        if (argc < 2 || strcmp(argv[1], backend.name) == 0)
            printf("%s %s %s %s\n", backend.name, backend.state == ACCEL_BACKEND_USABLE ? "usable" : "not-usable",
                   backend.path, backend.reason);
    }
    accel_instance_release(instance);
    return 0;
}
