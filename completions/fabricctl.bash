# bash completion for fabricctl(8)                            -*- shell-script -*-

_fabricctl_rails() {
    local path
    for path in /sys/class/net/*; do
        [ -e "$path/device" ] && printf '%s\n' "${path##*/}"
    done
    for path in /sys/class/infiniband/*; do
        [ -e "$path" ] && printf '%s\n' "${path##*/}"
    done
}

_fabricctl() {
    local cur prev words cword
    _init_completion -s || return
    local kinds="module acs mtu pause dcb ecn rdma-cm arp neighbour service"
    local common="--help --format --color --quiet --verbose"
    case $prev in
        --format) mapfile -t COMPREPLY < <(compgen -W "text json" -- "$cur"); return ;;
        --color) mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$cur"); return ;;
        --rail) mapfile -t COMPREPLY < <(compgen -W "$(_fabricctl_rails)" -- "$cur"); return ;;
        --lock-wait | --wait) mapfile -t COMPREPLY < <(compgen -W "0 30s 60s 120s" -- "$cur"); return ;;
        --output | -o | --report | --metrics) _filedir; return ;;
        --root) _filedir -d; return ;;
        --only)
            local before=""
            [[ $cur == *,* ]] && before=${cur%,*},
            mapfile -t COMPREPLY < <(compgen -P "$before" -W "$kinds" -- "${cur##*,}")
            compopt -o nospace
            return
            ;;
    esac
    local verb="" inner="" word
    for word in "${words[@]:1:cword-1}"; do
        case $word in
            -*) ;;
            apply | plan | check | status | peers | profile) [ -n "$verb" ] || { verb=$word; continue; } ;;&
            validate | show | init | schema | explain) [ "$verb" = profile ] && [ -z "$inner" ] && inner=$word ;;
            export) [ "$verb" = peers ] && inner=$word ;;
        esac
    done
    case $verb/$inner in
        /) mapfile -t COMPREPLY < <(compgen -W "apply plan check status peers profile --help --version" -- "$cur"); return ;;
        profile/) mapfile -t COMPREPLY < <(compgen -W "validate show init schema explain --help" -- "$cur"); return ;;
        peers/) mapfile -t COMPREPLY < <(compgen -W "export --help" -- "$cur"); return ;;
        profile/explain)
            mapfile -t COMPREPLY < <(compgen -W "$common $(fabricctl profile explain 2>/dev/null | sed -n 's/^\([a-z][^ ]*\).*/\1/p')" -- "$cur"); return ;;
    esac
    if [[ $cur == -* ]]; then
        local more=""
        case $verb/$inner in
            apply/) more="--only --rail --root --lock-wait --explain --dry-run --detailed-exitcode --wait --boot --report --metrics" ;;
            plan/) more="--only --rail --root --lock-wait --explain" ;;
            check/) more="--only --rail --root --lock-wait --explain --probe --boot --report --metrics" ;;
            status/) more="--rail --probe-l2 --audit" ;;
            peers/export | profile/show) more="--rail" ;;
            profile/init) more="--output" ;;
        esac
        mapfile -t COMPREPLY < <(compgen -W "$common $more" -- "$cur")
        return
    fi
    case $verb/$inner in
        apply/ | plan/ | check/ | profile/validate | profile/show) _filedir '@(yaml|yml)' ;;
    esac
} && complete -F _fabricctl fabricctl
