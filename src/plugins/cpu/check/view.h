/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Views. A launch that is given the address of a view's first element is given the elements of the view, and of their buffer
 * nothing else: unless one of its arguments points to the buffer otherwise, at its begin or at any place where no view begins.
 * An address does not tell how it was found, so only views count of which the program has asked for it (accel_buffer_ptr)
 * and that it had when it submitted the launch. Nor does an access tell from which pointer it was made: if some buffer holds
 * an address of this one, as a table of pointers does, all of it may be touched.
 *
 * Under the lock of check.c.
 */
#ifndef ACCEL_CPU_CHECK_VIEW_H
#define ACCEL_CPU_CHECK_VIEW_H

#include <accel/plugin.h>

/* Contract: accel_backend_vtable.memory_viewed. */
void check_view_use(const void *key, uint32_t use, const accel_memory_view *);
/* The time, as far as views are concerned; without the lock. */
uint64_t check_view_moment(void);
/* A launch begins that was submitted at this moment; 0: unknown. Sets check_around.views. */
void check_views_launch(const void *args, size_t size, uint64_t moment);
/* Of a launch with check_around.views: the access may be outside of what it was given. */
void check_view_pass(const char *at, size_t size, uint32_t how, const void *place);

#endif
