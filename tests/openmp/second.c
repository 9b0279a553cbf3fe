/* SPDX-License-Identifier: Apache-2.0 */
/* A library that uses OpenMP, perhaps another one than the program. */
double second_sum(int n);

__attribute__((visibility("default"))) double second_sum(int n)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; ++i)
        sum += i;
    return sum;
}
