#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Shells complete exactly the options that --help lists, so the completions cannot go stale.
# Usage: completions.sh TOOLS_TESTS_DIR SOURCE_ROOT ACCELCC ACCEL_INFO ACCEL_CHECK [ACCEL_BENCH]
tests=$1 completions=$(realpath "$2")/packaging/completions
shift 2
mapfile -t tools < <(realpath "$@")
. "$tests/tap.sh"

# Options of --help: words of the text's left side, and those named in parentheses. Values are left out.
options_of_help() {
    "$1" --help | sed -n -e 's/^  \(-.*\)/\1/p' -e 's/.*(\(--[a-z-]*\): .*/\1/p' | sed 's/ [a-z].*//' |
        tr ' ,' '\n\n' | sed -n 's/^\(--\{0,1\}[A-Za-z][A-Za-z-]*=\{0,1\}\).*/\1/p' | sort -u
}

# complete_in_bash TOOL WORD...: what bash offers for the last word.
complete_in_bash() {
    (
        compopt() { :; }
        . "$completions/$(basename "$1").bash"
        function=$(complete -p "$(basename "$1")" | sed 's/.*-F \([^ ]*\).*/\1/')
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        "$function" "$1" "${*: -1}" "${*: -2:1}"
        [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}" | sort -u
    )
}

# Of accelcc's "-Wl,", --help has the name without the comma.
bash_offers_what_help_lists() {
    for tool in "${tools[@]}"; do
        options_of_help "$tool" >listed
        complete_in_bash "$tool" - | sed 's/,$//' | sort -u >offered
        [ "$(wc -l <listed)" -ge 3 ] || fail "$tool --help has few options: $(cat listed)"
        diff listed offered || fail "$tool: < --help has, > bash offers"
    done
}

zsh_offers_what_help_lists() {
    for tool in "${tools[@]}"; do
        options_of_help "$tool" | sed 's/=$//' | sort -u >listed
        # '(others)*--option=[text]...': the option alone.
        sed -n "s/^ *'\((.*)\)\{0,1\}\*\{0,1\}\(-[A-Za-z-]*\).*\[.*/\2/p" "$completions/_$(basename "$tool")" |
            sed 's/\(.\)-$/\1/' | sort -u >offered
        diff listed offered || fail "$tool: < --help has, > zsh offers"
        if command -v zsh >zsh.path; then
            zsh -n "$completions/_$(basename "$tool")" || fail "zsh does not read it"
        fi
    done
}

bash_completes_values() {
    accelcc=${tools[0]} info=${tools[1]}
    complete_in_bash "$accelcc" --targets = default,cu >out
    grep -qx default,cuda out || fail "targets: $(cat out)"
    touch axpy.k.c axpy.txt
    complete_in_bash "$accelcc" -o lib ax >out
    [ "$(cat out)" = axpy.k.c ] || fail "sources: $(cat out)"
    printf '#include <accel/kernel.h>\ntypedef struct { int n; } a;\nACCEL_KERNEL(k, a, args) { (void)args; }\n' >k.k.c
    "$accelcc" -o found k.k.c
    ACCEL_KERNEL_PATH=$PWD complete_in_bash "$info" --library f >out
    [ "$(cat out)" = found ] || fail "libraries: $(cat out)"
    [ ${#tools[@]} -lt 4 ] || complete_in_bash "${tools[3]}" --case stre >out
    [ ${#tools[@]} -lt 4 ] || [ "$(cat out)" = stream ] || fail "cases: $(cat out)"
}

bash_completes_programs_behind_values() {
    check=${tools[2]}
    mkdir bin
    printf '#!/bin/sh\n' >bin/accel-test-program
    chmod +x bin/accel-test-program
    touch argument.txt found.json
    PATH=$PWD/bin:$PATH
    for words in "--share 10" "--share = 10" "--order = backwards --host --warp 32"; do
        # shellcheck disable=SC2086 # words
        complete_in_bash "$check" $words accel-test >out
        [ "$(cat out)" = accel-test-program ] || fail "$words: $(cat out)"
        # shellcheck disable=SC2086 # words
        complete_in_bash "$check" $words accel-test-program argu >out
        [ "$(cat out)" = argument.txt ] || fail "$words: $(cat out)"
    done
    complete_in_bash "$check" --order = b >out
    [ "$(cat out)" = backwards ] || fail "orders: $(cat out)"
    complete_in_bash "$check" --order = >out
    [ "$(wc -l <out)" -eq 2 ] || fail "orders: $(cat out)"
    complete_in_bash "$check" --json fou >out
    [ "$(cat out)" = found.json ] || fail "files: $(cat out)"
}

run_tests bash_completes_programs_behind_values bash_offers_what_help_lists zsh_offers_what_help_lists bash_completes_values
