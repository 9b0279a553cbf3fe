#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every rule of docs/semantics.md that a CPU can show is named by a conformance test: rule Q7 by q7_...
# Usage: rules.sh CONFORMANCE SEMANTICS
set -eu
rules=$(sed -n 's/^### \([A-Z][0-9][0-9]*\)$/\1/p' "$2")
tests=$("$1" --list)
missing=0
for rule in $rules; do
    name=$(printf '%s' "$rule" | tr 'A-Z' 'a-z')
    # A test may hold several rules: e3_e5_...
    held=$(printf '%s\n' "$tests" | grep -E "^([a-z][0-9]+_)*${name}_" || true)
    if [ -n "$held" ]; then
        printf '%s\n' "$held" | sed "s/^/$rule: /"
    else
        echo "$rule: no test"
        missing=$((missing + 1))
    fi
done
[ -n "$rules" ] || { echo "no rules in $2"; exit 1; }
echo "$missing rules without a test"
[ "$missing" -eq 0 ]
