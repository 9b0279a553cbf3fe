/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers as algorithms read and write them: dense rows of values of a type. */
#ifndef ACCEL_CORE_OPERAND_H
#define ACCEL_CORE_OPERAND_H

#include <accel/algorithm.h>

#include "core/api/queue.h"
#include "core/memory/buffer.h"

/* "int32", or NULL. */
const char *accel_type_name(uint32_t type);
/* Bytes of a value; 0 for what is no type. */
size_t accel_type_size(uint32_t type);
/* ACCEL_INVALID unless it is a type. */
accel_status accel_type_check(const char *function, uint32_t type);
/* ACCEL_INVALID unless it is of enum accel_operation. */
accel_status accel_operation_check(const char *function, uint32_t operation);

/* Elements of the buffer. */
size_t accel_operand_count(const accel_buffer *);
/* May kernels of the queue use the buffer, and lie its elements without gaps? `what` is the parameter's name. */
accel_status accel_operand_check(const char *function, const char *what, const accel_queue *, const accel_buffer *);
/* May kernels of the queue use the buffer, and has it two dimensions? Its rows may have gaps between them. */
accel_status accel_operand_check_matrix(const char *function, const char *what, const accel_queue *,
                                        const accel_buffer *);
/* Do its elements have this size? */
accel_status accel_operand_check_size(const char *function, const char *what, const accel_buffer *, size_t size);
/* Are they counts: uint32_t or uint64_t? */
accel_status accel_operand_check_counts(const char *function, const char *what, const accel_buffer *);
/* Has it at least `count` elements? */
accel_status accel_operand_check_count(const char *function, const char *what, const accel_buffer *, size_t count);
/* The largest of 8, 4, 2 and 1 bytes that its elements and their address are multiples of. */
size_t accel_operand_unit(const accel_buffer *);
/* ACCEL_INVALID if the two buffers share bytes. */
accel_status accel_operand_check_apart(const char *function, const char *what, const accel_buffer *, const char *other,
                                       const accel_buffer *);

#endif
