/* SPDX-License-Identifier: Apache-2.0 */
/* What libaccel and its plugins hold: every allocation and mapping from the call that made it to the one that ends it. */
#ifndef INJECT_LEDGER_H
#define INJECT_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

/* Whose code calls: a library's name and an offset in it, which addr2line reads. */
typedef struct inject_site {
    const char *library; /* NULL: neither libaccel nor a plugin */
    uintptr_t offset;
} inject_site;

/* Looks for libraries that are new. */
void inject_sites_read(void);
inject_site inject_site_of(const void *address);

void inject_ledger_add(const void *memory, inject_site);
/* Does nothing for what is not in it. */
void inject_ledger_remove(const void *memory);
unsigned long inject_ledger_count(void);
/* Prints "live SITE" for each entry. */
void inject_ledger_print(void);

#endif
