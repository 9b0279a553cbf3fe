/* SPDX-License-Identifier: Apache-2.0 */
/* What tools call an operation. */
#ifndef ACCEL_TOOLS_OPERATION_NAME_H
#define ACCEL_TOOLS_OPERATION_NAME_H

#include <accel/tool.h>

/* Its own name; of a copy with its direction. Lives as long as the process. */
static inline const char *tool_operation_name(const accel_tool_operation *operation)
{
    static const char *const copies[] = {"copy", "copy host to host", "copy host to device", "copy device to host",
                                         "copy device to device"};

    if (operation->kind == ACCEL_TOOL_COPY && operation->direction < sizeof(copies) / sizeof(copies[0]))
        return copies[operation->direction];
    return operation->name;
}

#endif
