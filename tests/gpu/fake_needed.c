/* SPDX-License-Identifier: Apache-2.0 */
__attribute__((visibility("default"))) int fake_needed(void);
int fake_needed(void)
{
    return 0;
}
