/* SPDX-License-Identifier: Apache-2.0 */
/* The tables that libaccel gets in place of the engine's. They put marks beside the operations of queues, and notice which
 * objects there are. */
#ifndef ACCEL_CPU_CHECK_TABLES_H
#define ACCEL_CPU_CHECK_TABLES_H

#include <accel/plugin.h>

typedef accel_status check_misused(uint64_t number, const char *function);
typedef void check_named(const void *data, const char *name);
typedef void check_viewed(const void *view, uint32_t use, const accel_memory_view *region);

/* Exchanges those of a backend that was opened. `last_closed` is called when no backend is open any more; `misused` and
 * `named`
 * and `viewed` are the slots object_misused, memory_named and memory_viewed. All are always the same. */
void check_tables_exchange(accel_open_result *, void (*last_closed)(void), check_misused *misused, check_named *named,
                           check_viewed *viewed);

#endif
