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

# The words of $2 after the last comma of what is being completed, without those that
# stand before it already.
_fabricctl_list() {
    local cur=$1 before="" word left=()
    [[ $cur == *,* ]] && before=${cur%,*},
    for word in $2; do
        [[ ,$before == *,"$word",* ]] || left+=("$word")
    done
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "${left[*]}" -- "${cur##*,}")
    compopt -o nospace 2>/dev/null
}

# The directory is readable by root only.
_fabricctl_snapshots() {
    local path
    for path in /var/lib/fabricctl/snapshots/*.json; do
        [ -e "$path" ] && path=${path##*/} && printf '%s\n' "${path%.json}"
    done
    printf 'baseline\n'
}

_fabricctl() {
    local cur prev words cword
    _init_completion -s || return
    local selection="--only --rail --root --lock-wait --explain"
    local restraint="--max-disruption --forbid-disruptive --one-at-a-time"
    # One line per verb: its own options, then what stands where no option does.
    local -A options=(
        [apply]="$selection $restraint --dry-run --detailed-exitcode --wait --confirm-within --boot --report --metrics --snapshot"
        [plan]="$selection $restraint --host --out"
        [check]="$selection --host --probe --boot --report --metrics"
        [status]="--rail --host --probe-l2 --audit"
        [doctor]="--host --profile --before --interval --peers --metrics-url --metrics-token-file --metrics-ca-file --list"
        [watch]="--rail --interval --count"
        [facts]="--output --bundle --anonymise"
        [fleet check]="--expect --profile"
        [switch render]="--os"
        [switch verify]="--os --profile --host"
        [confirm]="--lock-wait"
        [history]="--since --rail --run"
        [peers export]="--rail"
        [profile validate]=""
        [profile show]="--rail"
        [profile init]="--output"
        [profile schema]=""
        [profile explain]=""
        [restore]="--only --rail --dry-run --unconfirmed --accept-gone --lock-wait --explain --report --snapshot"
        [snapshot list]=""
        [snapshot show]=""
        [snapshot diff]=""
    )
    local -A operand=(
        [apply]=run [plan]=profile [check]=profile [facts]=profile [fleet check]=facts [switch render]=profile [switch verify]=facts
        [profile validate]=profile [profile show]=profile
        [profile explain]=key [doctor]=symptom
        [restore]=snapshot [snapshot show]=snapshot [snapshot diff]=snapshot
    )
    local common="--help --format --color --quiet --verbose"
    case $prev in
        --format) mapfile -t COMPREPLY < <(compgen -W "text json" -- "$cur"); return ;;
        --color) mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$cur"); return ;;
        --rail) mapfile -t COMPREPLY < <(compgen -W "$(_fabricctl_rails)" -- "$cur"); return ;;
        --lock-wait | --wait) mapfile -t COMPREPLY < <(compgen -W "0 30s 60s 120s" -- "$cur"); return ;;
        --snapshot) mapfile -t COMPREPLY < <(compgen -W "require try none" -- "$cur"); return ;;
        --os) mapfile -t COMPREPLY < <(compgen -W "cumulus" -- "$cur"); return ;;
        --max-disruption) mapfile -t COMPREPLY < <(compgen -W "none traffic link" -- "$cur"); return ;;
        --interval) mapfile -t COMPREPLY < <(compgen -W "1s 10s 30s 60s" -- "$cur"); return ;;
        --profile) _filedir '@(yaml|yml)'; return ;;
        --output | -o | --bundle | --out | --report | --metrics | --host | --before | --peers | --expect | --metrics-token-file | --metrics-ca-file) _filedir; return ;;
        --metrics-url) mapfile -t COMPREPLY < <(compgen -W "http://localhost:9000 https://localhost:9000" -- "$cur"); return ;;
        --confirm-within) mapfile -t COMPREPLY < <(compgen -W "60s 120s 300s" -- "$cur"); return ;;
        --since) mapfile -t COMPREPLY < <(compgen -W "1h 24h 7d 30d" -- "$cur"); return ;;
        --root) _filedir -d; return ;;
        --only) _fabricctl_list "$cur" "module acs mtu pause dcb ecn rdma-cm arp neighbour service"; return ;;
    esac
    # The verb as far as it is written, and the words that may follow it.
    local verb="" word name next=(--help)
    for word in "${words[@]:1:cword-1}"; do
        for name in "${!options[@]}"; do
            [[ "$name " == "${verb:+$verb }$word "* ]] && { verb=${verb:+$verb }$word; break; }
        done
    done
    if [ -z "$verb" ] || [ -z "${options[$verb]+known}" ]; then
        for name in "${!options[@]}"; do
            [[ "$name " == "${verb:+$verb }"* ]] && { name=${name#"$verb"}; name=${name# }; next+=("${name%% *}"); }
        done
        [ -z "$verb" ] && next+=(--version)
        mapfile -t COMPREPLY < <(compgen -W "${next[*]}" -- "$cur" | sort -u)
        return
    fi
    if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$common ${options[$verb]}" -- "$cur")
        return
    fi
    case ${operand[$verb]-} in
        profile) _filedir '@(yaml|yml)' ;;
        facts) _filedir ;;
        symptom) mapfile -t COMPREPLY < <(compgen -W "$(fabricctl doctor --list 2>/dev/null | sed -n '/^$/q; s/^\([a-z][^ ]*\) .*/\1/p')" -- "$cur") ;;
        snapshot) mapfile -t COMPREPLY < <(compgen -W "$(_fabricctl_snapshots)" -- "$cur") ;;
        run) _filedir '@(yaml|yml|json)' ;;
        key) mapfile -t COMPREPLY < <(compgen -W "$(fabricctl profile explain 2>/dev/null | sed -n 's/^\([a-z][^ ]*\).*/\1/p')" -- "$cur") ;;
    esac
} && complete -F _fabricctl fabricctl
