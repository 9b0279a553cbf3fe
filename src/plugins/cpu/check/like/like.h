/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of a GPU that the user names: launches that it would refuse. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_LIKE_H
#define ACCEL_CPU_CHECK_LIKE_H

#include "plugins/cpu/dispatch/launch.h"

/* By its target, as "sm_90" or "gfx90a"; NULL: none. false: it is not known. */
bool check_like_choose(const char *target);
/* The targets that are known, with commas between them. */
void check_like_list(char *text, size_t size);
/* An object was loaded: others of its library may tell what its kernels need. */
void check_like_object(const accel_image *, void *handle);
/* The launch has run its blocks: adds what it has too much of. */
void check_like_judge(const cpu_launch *);

#endif
