# SPDX-License-Identifier: Apache-2.0
# Test protocol for the scripts of this directory, which source it. Each test is a function whose name says what holds;
# it runs in a fresh directory, in a subshell under `set -e`, and its output is shown when it fails.

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' INT TERM HUP

# Ends the test: it cannot be done here.
skip() {
    echo "$*" >"$work/skipped"
    exit 0
}

fail() {
    printf '%s\n' "$*"
    exit 1
}

# status EXPECTED COMMAND...: the exit status; stdout and stderr are then in the files `out` and `err`.
status() {
    expected=$1
    shift
    actual=0
    "$@" >out 2>err || actual=$?
    [ "$actual" -eq "$expected" ] || fail "status $actual instead of $expected: $* $(cat out err)"
}

# says FILE TEXT: a fixed text stands in the file.
says() {
    grep -qF -- "$2" "$1" || fail "\"$2\" is not in $1: $(cat "$1")"
}

says_not() {
    ! grep -qF -- "$2" "$1" || fail "\"$2\" is in $1: $(cat "$1")"
}

# No temporary directory or file of accelcc, or of a compiler, is left.
tidy() {
    [ -z "$(find . -name '*accelcc-*')" ] || fail "left behind: $(find . -name '*accelcc-*')"
    [ -z "$(ls -A "$TMPDIR")" ] || fail "left behind: $(find "$TMPDIR")"
}

run_tests() {
    echo "1..$#"
    number=0
    for test in "$@"; do
        number=$((number + 1))
        rm -f "$work/skipped"
        mkdir "$work/$number" "$work/$number.tmp"
        result=0
        (export TMPDIR="$work/$number.tmp" && cd "$work/$number" && set -e && "$test") >"$work/log" 2>&1 &
        wait $! || result=$?
        name=$(echo "$test" | tr _ ' ')
        if [ "$result" -ne 0 ]; then
            echo "not ok $number $name"
            sed 's/^/# /' "$work/log"
        elif [ -f "$work/skipped" ]; then
            echo "ok $number $name # SKIP $(cat "$work/skipped")"
        else
            echo "ok $number $name"
        fi
    done
}
