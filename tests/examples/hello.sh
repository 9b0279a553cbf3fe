#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# hello.sh HELLO LISTER: every device that the lister lists is shown, and each backend computes right.
set -u
. "$(dirname "$0")/expect.sh"

devices=$("$2" --list-devices)
[ -n "$devices" ] || fail 'no devices'
shown=$("$program" | sed '/^$/,$d' | cut -d ' ' -f 1)
[ "$shown" = "$(printf '%s\n' "$devices" | cut -f 1)" ] || fail "the devices shown are $shown"
for backend in $(printf '%s\n' "$devices" | cut -f 2 | sort -u); do
    output=$(ACCEL_BACKEND=$backend "$program" 2>&1)
    found=$?
    [ $found -eq 0 ] || fail "$backend: exit status $found"
    [ "$(printf '%s\n' "$output" | tail -n 1)" = '1000 squares: verified' ] || fail "$backend: $output"
done
output=$(ACCEL_BACKEND=cpu-seriel "$program" 2>&1)
found=$?
[ $found -eq 2 ] || fail "a mistyped backend: exit status $found"
case $output in
'hello: '*cpu-serial*) ;;
*) fail "a mistyped backend: $output" ;;
esac

[ $failed -eq 0 ]
