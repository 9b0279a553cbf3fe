/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSIM_CHECK_WORDS_H
#define GPUSIM_CHECK_WORDS_H

#include <stddef.h>
#include <stdint.h>

typedef struct words_args {
    uint32_t *words;
    size_t n;
    uint32_t value;
} words_args;

#endif
