# SPDX-License-Identifier: Apache-2.0
# Completion of accel-check for bash: its options, then a program, then whatever that takes.
_accel_check()
{
    local first=1
    while [[ $first -lt $COMP_CWORD && ${COMP_WORDS[first]} == -* ]]; do ((++first)); done
    COMPREPLY=()
    if [ "$first" -lt "$COMP_CWORD" ]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$2")
    elif [[ $2 == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W '--stop --order= --share= --limit= --like= --warp= --leaks --late --host --traps --json= --suppress= --version --help' -- "$2")
    else
        mapfile -t COMPREPLY < <(compgen -c -- "$2")
    fi
}
complete -o filenames -F _accel_check accel-check
