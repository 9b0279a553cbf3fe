/* SPDX-License-Identifier: Apache-2.0 */
/* Which file the dynamic linker would load for a driver's name, and what that needs, without loading anything: ROCm's
 * library brings a compiler of 100 MB, which is a lot to load for the answer that there is no device. */
#ifndef ACCEL_GPU_INSTALLED_H
#define ACCEL_GPU_INSTALLED_H

#include <stdbool.h>
#include <stddef.h>

/* In LD_LIBRARY_PATH, then in the linker's cache below `root`; a name with a '/' is the file itself. False if it is found
 * in neither: the linker may still know other places. */
bool gpu_installed_find(const char *root, const char *name, char *path, size_t size);
/* Does the file name a needed library that begins so? False also for files that are no libraries for this machine. */
bool gpu_installed_needs(const char *path, const char *needed);

#endif
