#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Reports name a kernel's file whatever its name is. Usage: files.sh TOOLS_TESTS_DIR ACCEL_CHECK PROGRAM ACCELCC SOURCES
tests=$1 check=$(realpath "$2") program=$(realpath "$3") accelcc=$(realpath "$4") sources=$(realpath "$5")
. "$tests/tap.sh"
unset ACCEL_BACKEND ACCEL_CHECK_REPORT ACCEL_CHECK_JSON ACCEL_CHECK_SUPPRESS ACCEL_CHECK_STOP

kernels='#include <accel/kernel.h>
#include <accel/kernel/debug.h>
#include "planted.h"
ACCEL_KERNEL(behind, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.y[i] = args.x[i + 1];
}
ACCEL_KERNEL(asserts, planted_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        ACCEL_ASSERT(acc, i != 100);
}'

# compile DIRECTORY FILE
compile() {
    mkdir -p "$1"
    printf '%s\n' "$kernels" >"$1/$2"
    (cd "$1" && "$accelcc" -o made "$2" --targets=default,check --no-lint -I "$sources") >compiled 2>&1 ||
        fail "$(cat compiled)"
    ACCEL_KERNEL_PATH=$(realpath "$1")
    export ACCEL_KERNEL_PATH
}

names_with_spaces_are_whole() {
    compile "a directory" "of kernels.k.c"
    status 1 "$check" "$program" made behind
    says err "    at $PWD/a directory/of kernels.k.c:7"
    for file in "of?kernels.k.c:7" "a?directory/*" "outside-memory of?kernels.k.c"; do
        echo "$file" >suppressions
        status 0 "$check" --suppress=suppressions "$program" made behind
        says err "errors at 1 more place were suppressed"
    done
}

assertions_have_the_same_name_as_accesses() {
    compile source "kernels.k.c"
    status 1 "$check" "$program" made asserts
    says err "    at $PWD/source/kernels.k.c:12"
    status 1 "$check" --share=100 "$program" made asserts
    says err "    at $PWD/source/kernels.k.c:12"
}

names_that_are_not_utf_8_make_right_json() {
    command -v python3 >/dev/null || skip "no python3"
    name=$(printf 'k\351\303\251"')
    mkdir "$name" 2>/dev/null || skip "the file system takes UTF-8 only"
    compile "$name" kernels.k.c
    status 1 "$check" --json=found.json "$program" made behind
    python3 - <<'END' || fail "$(cat found.json)"
import json
file = json.loads(open("found.json", encoding="utf-8").read())["here"]["file"]
assert file.endswith('/k\ufffd\u00e9"/kernels.k.c'), file
END
}

run_tests names_with_spaces_are_whole assertions_have_the_same_name_as_accesses names_that_are_not_utf_8_make_right_json
