/* SPDX-License-Identifier: Apache-2.0 */
/* What every fuzz target is: one function, called with any bytes. It ends the process if something does not hold. */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* libFuzzer's name for it. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: it does not hold that %s\n", __FILE__, __LINE__, #condition);                      \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* The input, taken byte by byte. Behind its end come zeros. */
typedef struct bytes {
    const uint8_t *at, *end;
} fuzz_input;

static inline uint8_t next_byte(fuzz_input *input)
{
    return input->at < input->end ? *input->at++ : 0;
}

static inline size_t next_below(fuzz_input *input, size_t limit)
{
    return next_byte(input) % limit;
}

#endif
