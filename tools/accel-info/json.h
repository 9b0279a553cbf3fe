/* SPDX-License-Identifier: Apache-2.0 */
/* Writes one JSON value (RFC 8259), indented. Keys are NULL inside arrays. Strings lose bytes that are not
 * UTF-8. */
#ifndef ACCEL_INFO_JSON_H
#define ACCEL_INFO_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct info_json {
    FILE *file;
    unsigned depth;
    bool first; /* the innermost object or array is still empty */
} info_json;

void json_open_object(info_json *, const char *key);
void json_close_object(info_json *);
void json_open_array(info_json *, const char *key);
void json_close_array(info_json *);
void json_string(info_json *, const char *key, const char *value);
void json_unsigned(info_json *, const char *key, uint64_t value);
void json_signed(info_json *, const char *key, int64_t value);
void json_bool(info_json *, const char *key, bool value);
void json_null(info_json *, const char *key);
/* An array of the parts of `text` between separators. */
void json_split(info_json *, const char *key, const char *text, char separator);

#endif
