/* SPDX-License-Identifier: Apache-2.0 */
/* The same with OpenMP: a whole program with one region of two iterations. */
#include <stdint.h>
#include <stdio.h>

#include "start/told.h"

int main(void)
{
    uint64_t count[2] = {0, 0};
#pragma omp parallel for schedule(static)
    for (int block = 0; block < 2; ++block)
        count[block] += 1;
    const start_told told = {.peak_kib = start_peak_kib()};
    return count[0] == 1 && count[1] == 1 && fwrite(&told, sizeof told, 1, stdout) == 1 ? 0 : 1;
}
