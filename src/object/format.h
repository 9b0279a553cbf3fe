/* SPDX-License-Identifier: Apache-2.0 */
/* How the files of kernel objects end: "scale.x86-64.so". */
#ifndef ACCEL_OBJECT_FORMAT_H
#define ACCEL_OBJECT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const char *const accel_object_formats[] = {"so", "ptx", "cubin", "hsaco"};
enum { ACCEL_OBJECT_FORMATS = sizeof(accel_object_formats) / sizeof(accel_object_formats[0]) };

static inline bool accel_object_format_known(const char *format)
{
    for (size_t i = 0; i < ACCEL_OBJECT_FORMATS; ++i) {
        if (strcmp(format, accel_object_formats[i]) == 0)
            return true;
    }
    return false;
}

#endif
