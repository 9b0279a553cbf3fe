#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The host-side headers compile alone, in every order, as C11 and C++17, with every compiler that is here, without a
# warning. Usage: headers.sh INCLUDE_DIR
set -eu
include=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Werror'
headers='accel object plugin'
count=0

compile() # COMPILER FLAGS SOURCE
{
    # shellcheck disable=SC2086 # words
    $1 $2 $warnings -I "$include" -c "$3" -o "$dir/object.o" || { cat "$3"; exit 1; }
    count=$((count + 1))
}

for suffix in c cpp; do
    case $suffix in
    c) compilers='gcc clang' flags='-std=c11 -Wstrict-prototypes -Wmissing-prototypes' ;;
    cpp) compilers='g++ clang++' flags='-std=c++17 -Wold-style-cast' ;;
    esac
    for compiler in $compilers; do
        if ! command -v "$compiler" > /dev/null; then
            echo "no $compiler here"
            continue
        fi
        for a in $headers; do
            printf '#include <accel/%s.h>\n#include <accel/%s.h>\nextern int nothing;\nint nothing;\n' $a $a > "$dir/alone.$suffix"
            compile "$compiler" "$flags" "$dir/alone.$suffix"
            for b in $headers; do
                for c in $headers; do
                    if [ $a = $b ] || [ $a = $c ] || [ $b = $c ]; then continue; fi
                    printf '#include <accel/%s.h>\n' $a $b $c > "$dir/order.$suffix"
                    printf 'extern int nothing;\nint nothing;\n' >> "$dir/order.$suffix"
                    compile "$compiler" "$flags" "$dir/order.$suffix"
                done
            done
        done
    done
done
# object.h promises to include nothing but <stddef.h> and <stdint.h>.
if grep '^ *# *include' "$include/accel/object.h" | grep -v '<std\(def\|int\).h>'; then exit 1; fi
echo "$count compilations"
[ "$count" -gt 0 ]
