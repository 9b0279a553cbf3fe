/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of block kernels (accel/kernel.h) that no compiler checks. */
#ifndef ACCELCC_RULES_H
#define ACCELCC_RULES_H

#include "lint/kernel_text.h"

/* Each returns whether the kernel keeps the rule, and prints a message for each place where it does not. */
bool rules_nesting(const kernel_text *);
bool rules_atomics(const kernel_text *);
bool rules_collectives(const kernel_text *);
bool rules_privates(const kernel_text *);
bool rules_block_variables(const kernel_text *);
bool rules_neighbours(const kernel_text *);

/* Prints "FILE:LINE: error: kernel ...: ...", for the token at `at`; returns false. */
bool rules_broken(const kernel_text *, size_t at, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
