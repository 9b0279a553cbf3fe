/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of plugins for one test, and what an instance says about them. */
#ifndef STAGE_H
#define STAGE_H

#include <accel/accel.h>
#include <run.h>

/* Absolute path of the test's own, empty directory. The environment has no ACCEL_, FAKE_ or launcher's variable when a test begins, and
 * its process is its own. */
extern char stage[64];

/* Adds a test that has a stage. */
#define staged(suite, name) stage_add(suite, #name, name, 1)
#define staged_loop(suite, name, count) stage_add(suite, #name, name, count)
void stage_add(Suite *, const char *name, const TTest *, int count);

/* Makes directory stage/name; returns its path, good until the process ends. */
const char *stage_directory(const char *name);
/* Copies a variant of the fake plugin (tests/loader/meson.build) to DIRECTORY/libaccel-NAME.so; returns the path. */
const char *stage_plugin(const char *directory, const char *variant, const char *name);
/* Writes a file there instead. */
const char *stage_bytes(const char *directory, const char *name, const void *data, size_t size);
/* A variant's bytes, malloc'ed. */
unsigned char *stage_read(const char *path, size_t *size);
const char *stage_variant(const char *variant);
/* Sets ACCEL_PLUGIN_PATH to these directories; b may be NULL. */
void stage_path(const char *a, const char *b);

/* With ACCEL_INSTANCE_ALLOW_EMPTY; aborts the test if it fails. */
accel_instance *stage_instance(void);
accel_backend_properties stage_backend(const accel_instance *, const char *name);
/* The state of backend `name` in an instance that ACCEL_BACKEND=name asks for; its reason has all the words, NULL-terminated. */
void stage_expect(const char *name, uint32_t state, ...) __attribute__((sentinel));
/* accel_instance_create fails like this, its text has all the words. */
void stage_refused(const accel_instance_desc *, accel_status, ...) __attribute__((sentinel));
/* What the fake plugins traced so far. */
const char *stage_trace(void);
/* How often a text stands in another. */
size_t stage_count(const char *text, const char *part);

/* Makes accel_environment_pretend_secure answer. */
extern bool stage_secure;

#endif
