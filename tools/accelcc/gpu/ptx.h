/* SPDX-License-Identifier: Apache-2.0 */
/* PTX as text: several compilations as one module, and its version. */
#ifndef ACCELCC_PTX_H
#define ACCELCC_PTX_H

#include "base/list.h"

/*
 * Merges the PTX of several sources into one module, as a linker would. Names local to a source stay local (they are
 * renamed), and external declarations meet their definitions. No linker of the vendor writes PTX. Returns NULL if a
 * name is defined twice (*twice is that name) or if the text is no PTX (*twice is NULL).
 */
const char *ptx_merge(const list *texts, const char **twice);

/* Does it define a kernel? */
bool ptx_has_kernels(const char *text);
/* Returns a function that is called but defined nowhere, other than those that the driver has; NULL if there is
 * none. */
const char *ptx_missing(const char *text);

/* The words of ".version 9.0"; {0, 0} without one. */
typedef struct ptx_version {
    int major, minor;
} ptx_version;
ptx_version ptx_version_of(const char *text);
/* Its directives .version, .target and .address_size alone. */
const char *ptx_header(const char *text);
/* The same text with another version. */
const char *ptx_with_version(const char *text, ptx_version);

#endif
