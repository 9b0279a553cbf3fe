/* SPDX-License-Identifier: Apache-2.0 */
#include <accel/tool.h>

#include "layout.h"

void layout_of_tool(void)
{
    BEGIN(accel_tool_object);
    FIELD(accel_tool_object, struct_size);
    FIELD(accel_tool_object, kind);
    FIELD(accel_tool_object, id);
    FIELD(accel_tool_object, device);
    FIELD(accel_tool_object, parent);
    FIELD(accel_tool_object, name);
    FIELD(accel_tool_object, target);
    FIELD(accel_tool_object, bytes);
    FIELD(accel_tool_object, in_use);
    FIELD(accel_tool_object, time);
    FIELD(accel_tool_object, flags);
    FIELD(accel_tool_object, reserved);
    END(accel_tool_object);
    BEGIN(accel_tool_operation);
    FIELD(accel_tool_operation, struct_size);
    FIELD(accel_tool_operation, kind);
    FIELD(accel_tool_operation, id);
    FIELD(accel_tool_operation, queue);
    FIELD(accel_tool_operation, device);
    FIELD(accel_tool_operation, object);
    FIELD(accel_tool_operation, name);
    FIELD(accel_tool_operation, blocks);
    FIELD(accel_tool_operation, threads);
    FIELD(accel_tool_operation, bytes);
    FIELD(accel_tool_operation, direction);
    FIELD(accel_tool_operation, thread);
    FIELD(accel_tool_operation, awaited);
    FIELD(accel_tool_operation, submitted);
    FIELD(accel_tool_operation, started);
    FIELD(accel_tool_operation, ended);
    FIELD(accel_tool_operation, status);
    FIELD(accel_tool_operation, reserved);
    END(accel_tool_operation);
    BEGIN(accel_tool_region);
    FIELD(accel_tool_region, struct_size);
    FIELD(accel_tool_region, thread);
    FIELD(accel_tool_region, name);
    FIELD(accel_tool_region, time);
    FIELD(accel_tool_region, depth);
    FIELD(accel_tool_region, reserved);
    END(accel_tool_region);
    BEGIN(accel_tool_host);
    FIELD(accel_tool_host, struct_size);
    FIELD(accel_tool_host, abi);
    FIELD(accel_tool_host, error);
    FIELD(accel_tool_host, variable);
    FIELD(accel_tool_host, clock);
    END(accel_tool_host);
    BEGIN(accel_tool_callbacks);
    FIELD(accel_tool_callbacks, struct_size);
    FIELD(accel_tool_callbacks, abi);
    FIELD(accel_tool_callbacks, user);
    FIELD(accel_tool_callbacks, created);
    FIELD(accel_tool_callbacks, named);
    FIELD(accel_tool_callbacks, released);
    FIELD(accel_tool_callbacks, submitted);
    FIELD(accel_tool_callbacks, completed);
    FIELD(accel_tool_callbacks, pushed);
    FIELD(accel_tool_callbacks, popped);
    FIELD(accel_tool_callbacks, finish);
    END(accel_tool_callbacks);
}
