#!/bin/sh
# Findings at the gate on the last commits of repositories, by rules alone: how often a review of a change that people merged speaks up.
#
#   clean-commits.sh GROUNDS COUNT REPOSITORY...
#
# Prints each finding, then the changed lines and the findings for 1,000 of them. Needs git and jq.
set -eu
grounds=$1
count=$2
shift 2
lines=0 findings=0 commits=0 failed=0
for repository; do
    for commit in $(git -C "$repository" rev-list --no-merges --max-count "$count" HEAD); do
        code=0
        report=$("$grounds" review --repo "$repository" --commit "$commit" --no-model --format json 2>/dev/null) || code=$?
        case $code in
        0 | 7) ;;
        *) failed=$((failed + 1)) ;;
        esac
        [ -n "$report" ] || continue
        commits=$((commits + 1))
        lines=$((lines + $(printf '%s' "$report" | jq .coverage.changed)))
        shown=$(printf '%s' "$report" | jq -r --arg at "${repository#"${repository%/*/*}/"} $(printf %.9s "$commit")" \
            '.findings[] | select(.standing == "blocks") | "\($at) \(.path):\(.line_start) \(.rule): \(.quote // "" | gsub("\\s+"; " "))"' | cut -c1-200)
        [ -z "$shown" ] || {
            printf '%s\n' "$shown"
            findings=$((findings + $(printf '%s\n' "$shown" | wc -l)))
        }
    done
done
printf '%s commits (%s failed), %s changed lines, %s findings at the gate: ' "$commits" "$failed" "$lines" "$findings"
awk -v findings="$findings" -v lines="$lines" 'BEGIN { printf "%.2f for 1,000 changed lines\n", lines ? 1000 * findings / lines : 0 }'
