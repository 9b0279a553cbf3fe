/* SPDX-License-Identifier: Apache-2.0 */
/* A library that cannot be loaded because another one is missing. */
__attribute__((visibility("default"))) int fake_needy(void);
int fake_needed(void);
int fake_needy(void)
{
    return fake_needed();
}
