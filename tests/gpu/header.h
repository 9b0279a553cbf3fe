/* SPDX-License-Identifier: Apache-2.0 */
/* How our declarations are compared with a vendor's header, at compile time. */
#ifndef TESTS_GPU_HEADER_H
#define TESTS_GPU_HEADER_H

#include <stddef.h>

#define SAME_VALUE(ours, theirs, value)                                                                                \
    _Static_assert((long long)(ours) == (long long)(theirs), #ours " has another value than " #theirs);

/* Integers, enumerations, pointers and structs are told apart; what pointers point to is compared by name. */
#define SAME_TYPE(ours, theirs)                                                                                        \
    _Static_assert(sizeof(ours) == sizeof(theirs) && _Alignof(ours) == _Alignof(theirs) &&                             \
                       __builtin_classify_type(*(ours *)0) == __builtin_classify_type(*(theirs *)0),                   \
                   #ours " is not like " #theirs);

#define SAME_MEMBER(our_struct, our_member, their_struct, their_member)                                                \
    _Static_assert(offsetof(our_struct, our_member) == offsetof(their_struct, their_member),                           \
                   #our_struct "." #our_member " is elsewhere than " #their_struct "." #their_member);                 \
    _Static_assert(sizeof(((our_struct *)0)->our_member) == sizeof(((their_struct *)0)->their_member) &&               \
                       __builtin_classify_type(((our_struct *)0)->our_member) ==                                       \
                           __builtin_classify_type(((their_struct *)0)->their_member),                                 \
                   #our_struct "." #our_member " is another type than " #their_struct "." #their_member);

/* With our names of types defined as the vendor's, the two must be one type. */
#define SAME_SIGNATURE(exported, result, parameters)                                                                   \
    _Static_assert(__builtin_types_compatible_p(result(*) parameters, __typeof__(&exported)),                          \
                   #exported " has another signature");

#endif
