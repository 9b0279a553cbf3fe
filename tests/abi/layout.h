/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layout of every public struct, one file per header, to be compared with layout.txt. A struct with bytes that no
 * listed field covers is reported: a field was added, but not listed.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <stddef.h>

void layout_begin(const char *name, size_t size);
void layout_field(const char *name, size_t offset, size_t size, size_t align);
void layout_end(size_t size);

#define BEGIN(T) layout_begin(#T, sizeof(T))
#define FIELD(T, f) layout_field(#f, offsetof(T, f), sizeof(((T *)0)->f), _Alignof(__typeof__(((T *)0)->f)))
#define END(T) layout_end(sizeof(T))

void layout_of_accel(void);
void layout_of_object(void);
void layout_of_plugin(void);
void layout_of_tool(void);

#endif
