/* SPDX-License-Identifier: Apache-2.0 */
/* What the program asks of the preloaded shim. Without the shim all are NULL. */
#ifndef INJECT_SHIM_H
#define INJECT_SHIM_H

/* The n-th call from now on fails, and no other; 0: none. */
__attribute__((weak)) void inject_arm(unsigned long n);
/* The calls of libaccel and its plugins that could have failed since then. */
__attribute__((weak)) unsigned long inject_calls(void);
/* "malloc at SITE": the call that failed; NULL: none has. */
__attribute__((weak)) const char *inject_failed(void);
/* The allocations and mappings that are still held. */
__attribute__((weak)) unsigned long inject_live(void);
/* Prints "live SITE" for each allocation and mapping that is still held. */
__attribute__((weak)) void inject_print_live(void);

#endif
