# SPDX-License-Identifier: Apache-2.0
# What the tests of examples share: sourced with the program as $1. A test ends with: [ $failed -eq 0 ]
program=$1
failed=0

# fail WORD...: what is wrong.
fail()
{
    failed=$((failed + 1))
    printf 'FAILED: %s\n' "$*"
}

# says PATTERN: a line of the output before matches this extended regular expression.
says()
{
    printf '%s\n' "$output" | grep -Eq -e "$1" || fail "no line matches \"$1\":
$output"
}

# expect STATUS PATTERN ARGUMENT...: how the program with these arguments ends, and what it says.
expect()
{
    status=$1
    pattern=$2
    shift 2
    output=$("$program" "$@" 2>&1)
    found=$?
    if [ $found -ne "$status" ] || ! printf '%s\n' "$output" | grep -Eq -e "$pattern"; then
        fail "$(basename "$program") $*: exit status $found, no line matches \"$pattern\":
$output"
    fi
}

# list_devices LISTER: `devices` are those that this program lists, at least one.
list_devices()
{
    devices=$("$1" --list-devices | cut -f 1)
    [ -n "$devices" ] || fail 'no devices'
}
