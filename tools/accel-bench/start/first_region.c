/* SPDX-License-Identifier: Apache-2.0 */
/* The same with OpenMP: a whole program with one region of two iterations. Writes a number, as the other one does. */
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    uint64_t count[2] = {0, 0};
    const double nothing = 0;
#pragma omp parallel for schedule(static)
    for (int block = 0; block < 2; ++block)
        count[block] += 1;
    return count[0] == 1 && count[1] == 1 && fwrite(&nothing, sizeof nothing, 1, stdout) == 1 ? 0 : 1;
}
