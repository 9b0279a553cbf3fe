/* SPDX-License-Identifier: Apache-2.0 */
/* A library that cannot be loaded because another one is missing. */
__attribute__((visibility("default"))) int broken_needy(void);
int broken_needed(void);
int broken_needy(void)
{
    return broken_needed();
}
