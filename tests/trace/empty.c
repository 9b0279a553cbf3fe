/* SPDX-License-Identifier: Apache-2.0 */
/* Tools that do nothing with what they are told: of what is submitted or, with TOLD_COMPLETED, also of what is completed. */
#include <accel/tool.h>

static void ignore(void *user, const accel_tool_operation *operation)
{
    (void)user, (void)operation;
}

accel_status accel_tool_init(const accel_tool_host *host, accel_tool_callbacks *callbacks)
{
    (void)host;
    callbacks->abi = ACCEL_TOOL_ABI;
    callbacks->submitted = ignore;
#if defined(TOLD_COMPLETED)
    callbacks->completed = ignore;
#endif
    return ACCEL_OK;
}
