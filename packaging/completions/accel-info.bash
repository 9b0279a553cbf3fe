# SPDX-License-Identifier: Apache-2.0
# Completion of accel-info for bash.
_accel_info()
{
    COMPREPLY=()
    if [ "$3" = --library ]; then
        # The libraries on the kernel path.
        mapfile -t COMPREPLY < <(compgen -W "$("$1" --objects --json 2>/dev/null |
            sed -n 's/.*"library": *"\([^"]*\)".*/\1/p' | sort -u)" -- "$2")
    else
        mapfile -t COMPREPLY < <(compgen -W '--backends --devices --topology --objects --config --library --json --version
            --help' -- "$2")
    fi
}
complete -F _accel_info accel-info
