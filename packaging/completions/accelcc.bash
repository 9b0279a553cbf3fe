# SPDX-License-Identifier: Apache-2.0
# Completion of accelcc for bash.
_accelcc()
{
    local word=$2 before=$3 line=() list
    # bash splits at '=' and ':'.
    [ "$word" != = ] || word=
    [ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}=
    COMPREPLY=()
    case $before in
    --targets | --targets=)
        list=${word%"${word##*,}"}
        mapfile -t line < <(compgen -W "default native-levels cuda hip all $("$1" --print-targets 2>/dev/null |
            awk '!/no compiler/ { print $1 }')" -- "${word##*,}")
        COMPREPLY=("${line[@]/#/$list}")
        compopt -o nospace
        return
        ;;
    --cc | --cc=)
        mapfile -t COMPREPLY < <(shopt -s extglob; compgen -c -X '!@(*gcc|*clang)*([-0-9])' -- "$word")
        return
        ;;
    --cc-for | --cc-for=)
        mapfile -t COMPREPLY < <(compgen -S = -W 'x86-64 aarch64 cuda hip' -- "$word")
        compopt -o nospace
        return
        ;;
    esac
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W '-o --targets= --embed --cc= --cc-for= --vector-math --resource-usage --no-lint --lint --no-light
            -I -D -U -O -g -std= -W -w -f -m -include -isystem -iquote -idirafter -L -l -Wl, -pthread
            -MD -MF -MT -MP --print-targets --print-files --verbose --keep --version --help' -- "$word")
        [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
    else
        mapfile -t COMPREPLY < <(shopt -s extglob; compgen -f -X '!*.@(c|cpp|cc|cxx|C)' -- "$word"; compgen -d -- "$word")
        compopt -o filenames
    fi
}
complete -F _accelcc accelcc
