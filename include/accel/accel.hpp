/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/accel.hpp - libaccel for C++17 and newer: accel.h with owners, types and exceptions. docs/guide/cpp.md shows it.
 *
 * Header only: every function here is inline and ends in the calls of accel.h that it is named after, so a program needs no
 * more of libaccel than a C program does. What accel.h says of a function holds for its namesake here.
 *
 * Objects. instance, device, queue, event, buffer<T, N>, module, kernel<Args> and scatter<T> each own one reference and can be moved but not
 *   copied. share() makes another owner. One that was moved from is empty: it converts to false, get() is NULL, and calls with
 *   it fail with ACCEL_INVALID. get() is the C object for calls of accel.h; X::adopt(c) takes over a reference, X::share(c)
 *   adds one to a borrowed object, detach() gives the reference out. A const object is a handle that stays; what it
 *   stands for may change.
 * Errors. A call that can fail throws accel::error, which has the status and libaccel's text. With std::nothrow as its last
 *   argument it returns an accel::result instead, throws nothing of its own, and works where exceptions are switched off
 *   (-fno-exceptions; -fno-rtti too). This is chosen per call, not per file: a call that stands in a header means the same in
 *   every file, and objects may be passed between files with and without exceptions. Where they are off, a call that would
 *   throw does not compile.
 * Host functions. queue::call takes any callable. An exception that leaves it ends the program (std::terminate).
 * Speed. Launches allocate nothing and cost as many instructions as in C, where the status is tested too.
 * Binary compatibility. Everything is in the inline namespace accel::v1; a layout that changes gets another.
 */
#ifndef ACCEL_ACCEL_HPP
#define ACCEL_ACCEL_HPP

#if defined(__cplusplus) && __cplusplus < 201703L
#error "accel/accel.hpp needs C++17: compile with -std=c++17 or newer"
#endif

#include <accel/accel.h>
#include <accel/cpp/buffer.hpp>
#include <accel/cpp/device.hpp>
#include <accel/cpp/error.hpp>
#include <accel/cpp/event.hpp>
#include <accel/cpp/extent.hpp>
#include <accel/cpp/handle.hpp>
#include <accel/cpp/host_function.hpp>
#include <accel/cpp/kernel.hpp>
#include <accel/cpp/queue.hpp>
#include <accel/cpp/region.hpp>
#include <accel/cpp/scatter.hpp>
#include <accel/cpp/span.hpp>

#endif
