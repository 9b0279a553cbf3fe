#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a library shows and needs. Usage: exports.sh library FILE LIST | exports.sh engine FILE [libm] | exports.sh plugin FILE
set -eu
kind=$1 file=$2
fail() { echo "$file: $*" >&2; exit 1; }

dynamic=$(LC_ALL=C readelf -dW "$file")
defined=$(LC_ALL=C nm -D --defined-only --with-symbol-versions "$file" | awk '$2 != "A" { print $3 }' | LC_ALL=C sort)
if [ "$kind" = library ]; then
    list=$(grep -v '^#' "$3" | LC_ALL=C sort)
    if [ "$defined" != "$list" ]; then
        printf '%s\n' "$defined" > exports.actual
        printf '%s\n' "$list" | diff -u - exports.actual || true
        rm -f exports.actual
        fail "its exports are not those of the list"
    fi
    if printf '%s\n' "$defined" | grep -v '^accel_[a-z_]*@@ACCEL_[0-9.]*$'; then fail "exports something else"; fi
    printf '%s\n' "$dynamic" | grep -q 'SONAME.*\[libaccel\.so\.1\]' || fail "its SONAME is not libaccel.so.1"
elif [ "$kind" = engine ]; then # its version is of this build
    if printf '%s\n' "$defined" | grep -v '^cpu_[a-z_]*@@ACCEL_CPU_[0-9a-f]*$'; then fail "exports something else"; fi
    printf '%s\n' "$dynamic" | grep -q 'SONAME.*\[libaccelcpu\.so\]' || fail "its SONAME is not libaccelcpu.so"
else
    [ "$defined" = accel_plugin_descriptor ] || fail "exports: $defined"
fi

# libc and its loader alone, and the engine for CPU plugins: no libdl, no vendor's library, and no libm but for fibers
# that are switched by ucontext.
needed=$(printf '%s\n' "$dynamic" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for name in $needed; do
    case $name in
    libc.so.* | ld-linux*.so.* | ld-musl*) ;;
    libm.so.*) [ "$kind ${3:-}" = 'engine libm' ] || fail "needs $name" ;;
    libaccelcpu.so) [ "$kind" = plugin ] || fail "needs $name" ;;
    *) fail "needs $name" ;;
    esac
done

# Nothing of it runs before it is asked (C4): no constructors but the compiler's own frame_dummy, no destructors either.
sections=$(LC_ALL=C readelf -SW "$file")
for array in .init_array .fini_array; do
    size=$(printf '%s\n' "$sections" | sed 's/^ *\[[ 0-9]*\] *//' | awk -v name="$array" '$1 == name { print $5 }')
    [ -z "$size" ] || [ "$((0x$size))" -le 8 ] || fail "$array has $((0x$size)) bytes: it has constructors or destructors"
done
if printf '%s\n' "$sections" | grep -q ' \.ctors'; then fail "it has .ctors"; fi

# Thread-local storage that cannot be loaded late, text that is written to, a stack that can be executed.
if printf '%s\n' "$dynamic" | grep -q 'STATIC_TLS'; then fail "it uses initial-exec thread-local storage"; fi
[ "$kind" = library ] || sh "$(dirname "$0")/thread_local.sh" "$file"
if printf '%s\n' "$dynamic" | grep -q 'TEXTREL'; then fail "it has text relocations"; fi
if LC_ALL=C readelf -lW "$file" | grep 'GNU_STACK' | grep -q 'RWE'; then fail "its stack is executable"; fi
if printf '%s\n' "$dynamic" | grep -Eq 'RPATH|RUNPATH'; then echo "$file: note: it has a run path"; fi
echo "$file: $(printf '%s\n' "$defined" | wc -l) symbols, needs:" $needed
