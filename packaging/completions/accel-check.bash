# SPDX-License-Identifier: Apache-2.0
# Completion of accel-check for bash: its options, then a program, then whatever that takes.
_accel_check()
{
    # bash splits at '='. The program's word is the first one that is no option, and no option's value.
    local first=1 word=$2
    [ "$word" != = ] || word=
    COMPREPLY=()
    while [ "$first" -lt "$COMP_CWORD" ]; do
        case ${COMP_WORDS[first]} in
        --order | --share | --like | --warp | --limit | --json | --suppress)
            local option=${COMP_WORDS[first]}
            ((++first))
            [ "${COMP_WORDS[first]}" != = ] || [ "$first" -eq "$COMP_CWORD" ] || ((++first))
            if [ "$first" -eq "$COMP_CWORD" ]; then
                case $option in
                --order) mapfile -t COMPREPLY < <(compgen -W 'forwards backwards' -- "$word") ;;
                --warp) mapfile -t COMPREPLY < <(compgen -W '1 32 64' -- "$word") ;;
                --json | --suppress) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
                esac
                return
            fi
            ;;
        -*) ;;
        *) break ;;
        esac
        ((++first))
    done
    if [ "$first" -lt "$COMP_CWORD" ]; then
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W '--stop --order= --share= --limit= --like= --warp= --leaks --late --host --traps --json= --suppress= --version --help' -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -c -- "$word")
    fi
}
complete -o filenames -F _accel_check accel-check
