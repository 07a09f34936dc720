#!/bin/sh
# Defects that were fixed in public, put back: how many of them a review finds by rules alone.
#
#   reversed-fixes.sh GROUNDS PARITY REPOSITORY...
#
# A fix is a commit that names one CVE and changes at most 3 files of code and 60 lines of them. It is turned around (its
# state is the base, its parent's the change) and reviewed. Found: a finding at the gate about the code of the turned fix,
# at whichever line. PARITY says which half is taken, by the first letter of the commit: `even` (what rules are fitted
# on), `odd` (what is reported), or `all`. Prints each fix, then the share. Needs git and jq; adds commits that nothing names.
#
# REVIEW_WORDS has further words for the review, such as `--analyzer cppcheck`. With AS_FIXED=1 the fix itself is reviewed and
# not turned: what is found there is the share by chance. COUNT_MAX takes the newest fixes of each repository alone.
set -eu
grounds=$1
parity=$2
shift 2
total=0 found=0
for repository; do
    taken=0
    for commit in $(git -C "$repository" log --no-merges -i -E --grep='CVE-[0-9]{4}-[0-9]+' --format=%H); do
        case $parity:$commit in
        even:[02468ace]* | odd:[13579bdf]* | all:*) ;;
        *) continue ;;
        esac
        size=$(git -C "$repository" diff --numstat "$commit^" "$commit" 2>/dev/null |
            grep -E '\.(c|h|cc|cpp|hpp|py|js|ts|go|java|rb|php|rs|cs)$' |
            grep -viE '(^|[/	])(tests?|spec|docs?|examples?|deps|fuzz|vendor)/|_test\.|\.test\.' |
            awk '{ files++; lines += $1 + $2 } END { print (files >= 1 && files <= 3 && lines <= 60) ? "yes" : "no" }')
        [ "$size" = yes ] || continue
        taken=$((taken + 1))
        [ "$taken" -le "${COUNT_MAX:-1000000}" ] || break
        turned=$(GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x@localhost GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@localhost \
            git -C "$repository" commit-tree "$commit^^{tree}" -p "$commit" -m turned)
        [ -z "${AS_FIXED:-}" ] || turned=$commit
        # shellcheck disable=SC2086 # words, not one word
        report=$("$grounds" review --repo "$repository" --commit "$turned" --no-model --format json ${REVIEW_WORDS:-} 2>/dev/null) || true
        total=$((total + 1))
        hits=$(printf '%s' "$report" | jq -r '.findings[] | select(.standing == "blocks" and .rule != "test-deleted") | "\(.rule // .producers[0].name) \(.path):\(.line_start)"' 2>/dev/null |
            grep -vE ' (tests?|spec|docs?)/' | tr '\n' ';') || true
        [ -z "$hits" ] || found=$((found + 1))
        printf '%s %.9s %s| %s\n' "$(basename "$(dirname "$repository")")" "$commit" "$hits" "$(git -C "$repository" log -1 --format=%s "$commit" | cut -c1-70)"
    done
done
awk -v found="$found" -v total="$total" 'BEGIN { printf "%d of %d reversed fixes found: %.0f %%\n", found, total, total ? 100 * found / total : 0 }'
