#!/bin/sh
# grounds pre-commit hook, version 1. Written by `grounds hook install`; `grounds hook uninstall` takes it away.
# Judges what is staged by rules alone: no model, no network. A run that is skipped is said and counted.
# To skip one commit: GROUNDS_SKIP=REASON git commit …

grounds='@GROUNDS@'
here=$(dirname -- "$0")
earlier="$here/pre-commit.before-grounds"
if [ -x "$earlier" ]; then
    "$earlier" "$@" || exit $?
fi

count() {
    folder="$(git rev-parse --git-dir)/grounds"
    mkdir -p "$folder" && printf '%s\t%s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$1" >>"$folder/skipped"
    printf 'grounds: SKIPPED, nothing was judged: %s (`grounds hook status` counts it)\n' "$1" >&2
}

if [ -n "$GROUNDS_SKIP" ]; then
    count "GROUNDS_SKIP=$(printf '%s' "$GROUNDS_SKIP" | tr -c 'A-Za-z0-9 ._:/#\n-' '?' | head -c 200)"
    exit 0
fi
if [ ! -x "$grounds" ]; then
    grounds=$(command -v grounds) || {
        count "grounds is not installed where the hook was told, nor on the path"
        exit 0
    }
fi

top=$(git rev-parse --show-toplevel) || exit 1
"$grounds" review --staged --no-model --quiet --repo "$top"
code=$?
case $code in
0) exit 0 ;;
7)
    printf 'grounds: the commit is blocked. Mend it, silence a finding with `grounds-ignore: RULE -- REASON`, or skip once with GROUNDS_SKIP=REASON.\n' >&2
    exit 1
    ;;
*)
    printf 'grounds: the review failed (code %s), so nothing says that the change is clean. Mend what it says, or skip once with GROUNDS_SKIP=REASON.\n' "$code" >&2
    exit 1
    ;;
esac
