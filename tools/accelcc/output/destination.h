/* SPDX-License-Identifier: Apache-2.0 */
/* Where a file of the run goes. Nothing is replaced but a regular file that is none of the run's own. */
#ifndef ACCELCC_DESTINATION_H
#define ACCELCC_DESTINATION_H

#include "../options.h"

typedef struct destination {
    const char *path;   /* to be replaced: behind all links */
    bool written_in_it; /* a device or a pipe: what is written goes into it */
} destination;

/* Of an object, or of the dependency file. false after a message: it is a directory, one of the sources or of the `others`, or
 * something that an object cannot be. */
bool destination_find(const accelcc_options *, const char *path, bool is_object, const list *others, destination *);
/* Is it one of these files? */
bool destination_is_among(const destination *, const list *files);

#endif
