# SPDX-License-Identifier: Apache-2.0
# Completion of accel-bench for bash.
_accel_bench()
{
    COMPREPLY=()
    case $3 in
    --backend) mapfile -t COMPREPLY < <(compgen -W 'cuda hip cpu-threads cpu-omp cpu-serial' -- "$2") ;;
    --case) mapfile -t COMPREPLY < <(compgen -W "$("$1" --list 2>/dev/null | awk '{ print $1 }')" -- "$2") ;;
    --html)
        mapfile -t COMPREPLY < <(compgen -f -- "$2")
        compopt -o filenames
        ;;
    --rounds) ;;
    *) mapfile -t COMPREPLY < <(compgen -W '--backend --case --rounds --quick --itself --json --html --list --version --help' -- "$2") ;;
    esac
}
complete -F _accel_bench accel-bench
