/* SPDX-License-Identifier: Apache-2.0 */
__attribute__((visibility("default"))) int broken_needed(void);
int broken_needed(void)
{
    return 0;
}
