/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for every executor that has threads: each such backend's suite adds these tests. */
#ifndef CPU_EXECUTORS_H
#define CPU_EXECUTORS_H

#include "cpu_marks.h"

/* `make` gives an executor whose launches have so many threads. */
void cpu_executors_add(Suite *, cpu_executor *(*make)(uint32_t units));

#endif
