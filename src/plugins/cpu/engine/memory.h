/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of buffers: the process's own. */
#ifndef ACCEL_CPU_MEMORY_H
#define ACCEL_CPU_MEMORY_H

#include <accel/plugin.h>

struct accel_impl_memory {
    void *data;                     /* owned */
    struct accel_impl_memory *next; /* in a queue's list of memory that waits to be freed */
};

/* All of a list; NULL is empty. */
void cpu_memory_free_list(accel_impl_memory *);

#endif
