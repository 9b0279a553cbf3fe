/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/struct_size.h"

#include "core/base/error.h"

#include <string.h>

/* No struct of this library is or will be larger; an uninitialised struct_size mostly is. */
#define LARGEST_STRUCT 4096u

static accel_status read_size(const char *function, const char *what, const void *given, uint32_t *size)
{
    memcpy(size, given, sizeof(*size));
    if (*size < sizeof(*size) || *size > LARGEST_STRUCT)
        return accel_error_set(ACCEL_INVALID, "%s: %s has struct_size %u; initialise it with its ACCEL_..._INIT",
                               function, what, *size);
    return ACCEL_OK;
}

accel_status accel_struct_import(const char *function, const char *what, void *known, size_t known_size,
                                 const void *given)
{
    uint32_t ours = (uint32_t)known_size;
    uint32_t size = 0;

    if (given != NULL) {
        accel_status status = read_size(function, what, given, &size);
        if (status != ACCEL_OK)
            return status;
    }
    for (size_t i = known_size; i < size; ++i) {
        if (((const unsigned char *)given)[i] != 0)
            return accel_error_set(
                ACCEL_INVALID,
                "%s: %s has %u bytes of which this library knows %zu, and byte %zu is not 0; the program was "
                "built for a newer libaccel: install it, or leave the newer fields 0",
                function, what, size, known_size, i);
    }
    memset(known, 0, known_size);
    if (given != NULL)
        memcpy(known, given, size < known_size ? size : known_size);
    memcpy(known, &ours, sizeof(ours));
    return ACCEL_OK;
}

accel_status accel_struct_export(const char *function, const char *what, void *out, const void *known,
                                 size_t known_size)
{
    uint32_t size;
    accel_status status = read_size(function, what, out, &size);

    if (status != ACCEL_OK)
        return status;
    memset(out, 0, size);
    memcpy(out, known, size < known_size ? size : known_size);
    memcpy(out, &size, sizeof(size));
    return ACCEL_OK;
}
