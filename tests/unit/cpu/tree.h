/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of files such as the system shows them, for tests on machines that are not there. */
#ifndef TREE_H
#define TREE_H

extern char tree_root[64];

void tree_make(void);
void tree_remove(void);
/* Writes a file below the root, and the directories above it; the path is a format of what follows the text. */
__attribute__((format(printf, 1, 3))) void tree_put(const char *format, const char *text, ...);

#endif
