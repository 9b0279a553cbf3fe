/* SPDX-License-Identifier: Apache-2.0 */
/* What the ELF tests read: linked twice, with either hash table. */
#include <stdint.h>

extern const uint32_t sample_numbers[4];
const uint32_t sample_numbers[4] = {11, 22, 33, 44};

extern uint32_t sample_zero[4]; /* no bytes in the file */
uint32_t sample_zero[4];

uint32_t sample_function(uint32_t);
uint32_t sample_elsewhere(uint32_t);
uint32_t sample_function(uint32_t value)
{
    return sample_elsewhere(value) + sample_zero[0];
}
