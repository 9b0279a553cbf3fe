/* SPDX-License-Identifier: Apache-2.0 */
/* What the user chose: ACCEL_BACKEND and ACCEL_DEVICES, or the program's own. */
#ifndef ACCEL_CORE_SELECTION_H
#define ACCEL_CORE_SELECTION_H

#include "core/config/config.h"
#include "core/plugins/search.h"

typedef struct accel_selection {
    const char *backends_source,
        *backends_value; /* "ACCEL_BACKEND", or the descriptor's field; and its value. Borrowed */
    size_t *order;       /* indices into search.names: the listed ones first, in their order, then the others */
    size_t listed_count; /* those that may be opened: if nothing was chosen, all but those that must be named */
    bool chosen;         /* is there a list? */
    const char *devices_source, *devices_value;
    bool narrowed; /* to ordinals, or to rank modulo the number of devices */
    bool by_rank;
    uint32_t rank;
    uint32_t *ordinals;
    size_t ordinal_count;
} accel_selection;

/* Errors: ACCEL_NOT_FOUND (a name that is no backend, no launcher's rank), ACCEL_INVALID (empty or repeated entries,
 * what is no ordinal). Clears up after itself on failure. Search and configuration have to outlive the selection. */
accel_status accel_selection_create(const accel_config *, const accel_search *, accel_selection *);
void accel_selection_destroy(accel_selection *);

#endif
