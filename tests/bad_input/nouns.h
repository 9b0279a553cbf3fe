/* SPDX-License-Identifier: Apache-2.0 */
/* The suites of the bad-input program. */
#ifndef BAD_INPUT_NOUNS_H
#define BAD_INPUT_NOUNS_H

#include "assertions.h"

Suite *null_suite(void);
Suite *foreign_suite(void);
Suite *inside_suite(void);
Suite *bad_instance_suite(void);
Suite *bad_queue_suite(void);
Suite *bad_buffer_suite(void);
Suite *bad_copy_suite(void);
Suite *bad_module_suite(void);
Suite *bad_object_suite(void);
Suite *bad_launch_suite(void);
Suite *bad_pattern_suite(void);
Suite *memory_suite(void);

#endif
