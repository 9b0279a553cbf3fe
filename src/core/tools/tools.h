/* SPDX-License-Identifier: Apache-2.0 */
/* The tools of the process (accel/tool.h): which an instance has, and calls of all of them. */
#ifndef ACCEL_CORE_TOOLS_H
#define ACCEL_CORE_TOOLS_H

#include "core/config/config.h"
#include "core/plugins/search.h"
#include "core/tools/clock.h"

#include <accel/tool.h>

/* Tools that a process may have. */
#define ACCEL_TOOLS_MOST 8u

/* What is to be watched of an instance. All 0: nothing. */
typedef struct accel_tools {
    uint32_t mask;      /* bit i: the tool that was loaded as number i */
    uint32_t submitted; /* those that wish to know what is submitted, completed */
    uint32_t completed;
    bool blocking; /* every launch waits (ACCEL_LAUNCH_BLOCKING) */
} accel_tools;

/* Loads the tools that the variables name. Errors: ACCEL_NOT_FOUND, ACCEL_INCOMPATIBLE, ACCEL_INVALID, ACCEL_LIMIT, what a
 * tool's accel_tool_init returns. */
accel_status accel_tools_open(const accel_config *, const accel_search *, accel_tools *);

/* May tools be called? Not in the child of a fork, nor when the process has begun to end. */
bool accel_tools_live(void);
/* All tools that were loaded. */
uint32_t accel_tools_loaded(void);

/* Each calls the tools of the mask that have the callback; sets struct_size and, where it is 0, the time. */
void accel_tools_created(uint32_t mask, accel_tool_object *);
void accel_tools_named(uint32_t mask, accel_tool_object *);
void accel_tools_released(uint32_t mask, accel_tool_object *);
void accel_tools_submitted(uint32_t mask, const accel_tool_operation *);
void accel_tools_completed(uint32_t mask, const accel_tool_operation *);
void accel_tools_pushed(accel_tool_region *);
void accel_tools_popped(accel_tool_region *);

/* A number for an object or operation. */
uint64_t accel_tools_number(void);
/* The calling thread's. */
uint32_t accel_tools_thread(void);
/* A copy of the text that lives as long as the process; one per text. "" for NULL, and without memory. */
const char *accel_tools_text(const char *);

#endif
