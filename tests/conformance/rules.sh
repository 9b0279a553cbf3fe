#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every numbered rule of the semantics that a CPU can show is named by a test that holds it: rule Q7 by q7_...
# Usage: rules.sh CONFORMANCE
set -eu
rules='O1 O2 O3 O4 O5 O6 O7
Q1 Q2 Q3 Q4 Q5 Q6 Q7 Q8 Q9
E1 E2 E3 E4 E5
M1 M2 M3 M4 M5 M6 M7 M8
K1 K2 K3 K4 K5 K6 K7 K8 K9 K10
B1 B2 B3 B4
T1 T2 T3
C1 C2 C3 C4 C5'
tests=$("$1" --list)
missing=0
for rule in $rules; do
    name=$(printf '%s' "$rule" | tr 'A-Z' 'a-z')
    # A test may hold several rules: e3_e5_...
    held=$(printf '%s\n' "$tests" | grep -E "^([a-z][0-9]+_)*${name}_" || true)
    if [ -z "$held" ]; then
        echo "$rule: no test"
        missing=$((missing + 1))
    else
        printf '%s\n' "$held" | sed "s/^/$rule: /"
    fi
done
echo "$missing rules without a test"
[ "$missing" -eq 0 ]
