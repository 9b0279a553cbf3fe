/* SPDX-License-Identifier: Apache-2.0 */
#include "nouns.h"
#include "suite.h"

const suite_function suite_nouns[] = {null_suite,
                                      foreign_suite,
                                      inside_suite,
                                      bad_instance_suite,
                                      bad_queue_suite,
                                      bad_buffer_suite,
                                      bad_copy_suite,
                                      bad_module_suite,
                                      bad_object_suite,
                                      bad_launch_suite,
                                      bad_pattern_suite,
                                      memory_suite,
                                      NULL};
const suite_function suite_host_nouns[] = {NULL};
