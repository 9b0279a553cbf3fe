/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/patterns.h"

#include "compile/includes.h"

bool patterns_in(const char *source)
{
    static const char *const headers[] = {"accel/kernel/pattern.h", "accel/kernel/collective.h", "accel/kernel/row.h"};
    return includes_any(source, headers, sizeof headers / sizeof headers[0]);
}
