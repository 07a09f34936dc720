#!/usr/bin/env python3
"""Tries each verb on public trees, and says what its answers and the help texts cost.

    python3 bench/verbs/run.py GROUNDS TOKENS FOLDER

GROUNDS is the program. TOKENS is the counter: `cargo build -p grounds-model --example tokens`. FOLDER has a checkout of each tree of
`bench/verbs/cases.tsv`, with its history, at the commit that the first lines of that file name. The places that a case wants were
taken from ripgrep, universal-ctags and git, or by reading; none is of grounds. Ends with 1 if a place is missing.
"""

import collections
import json
import pathlib
import statistics
import subprocess
import sys
import time

CASES = pathlib.Path(__file__).with_name("cases.tsv")


def main():
    grounds, counter, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    commits, cases = read()
    for tree, commit in commits.items():
        head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder / tree, capture_output=True, text=True, check=True).stdout
        if not head.startswith(commit):
            sys.exit(f"{tree} is at {head.strip()}, and the cases are of {commit}")
    tokens = Tokens(counter)
    helps(grounds, tokens)
    rows = collections.defaultdict(list)
    missed = 0
    for tree, verb, words, wanted in cases:
        command = [grounds, verb, *words, "--quiet", "--no-store", "--no-cache"]
        start = time.monotonic()
        said = subprocess.run(command, cwd=folder / tree, capture_output=True, text=True)
        took = time.monotonic() - start
        report = json.loads(subprocess.run([*command, "--format", "json"], cwd=folder / tree, capture_output=True, text=True).stdout)
        seen = {f"{place['path']}:{place['line_start']}" for place in report["citations"]}
        missing = [place for place in wanted if not any(is_place(place, one) for one in seen)]
        missed += bool(missing)
        further = len(seen) - (len(wanted) - len(missing))
        rows[verb].append((took, tokens.of(said.stdout), len(wanted) - len(missing), len(wanted), further, said.returncode))
        if missing or said.returncode:
            print(f"{tree}: {verb} {' '.join(words)}: exit code {said.returncode}, missing: {' '.join(missing) or 'nothing'}")
    print("\n| verb | answered | places seen, of wanted | further places | ms, median | tokens, median |\n|---|---|---|---|---|---|")
    for verb, some in rows.items():
        took, cost, got, wanted, further, codes = zip(*some)
        print(
            f"| `{verb}` | {codes.count(0)} of {len(codes)} | {sum(got)} of {sum(wanted)} | {sum(further)} "
            f"| {statistics.median(took) * 1000:.0f} | {statistics.median(cost):.0f} |"
        )
    sys.exit(missed > 0)


def read():
    """The commit of each tree, and the cases: tree, verb, words, places that have to be cited."""
    commits, cases = {}, []
    for line in CASES.read_text().splitlines():
        fields = line.split("\t")
        if line.startswith("# tree "):
            _, _, tree, commit = line.split(" ")
            commits[tree] = commit
        elif line and not line.startswith("#"):
            tree, verb, words, places = fields
            cases.append((tree, verb, words.split(" "), places.split(" ")))
    return commits, cases


def is_place(wanted, seen):
    """A place is `path:line`, or the start of a commit."""
    return seen == wanted or (":" not in wanted and seen.startswith(wanted))


def helps(grounds, tokens):
    """What the help texts cost at a width of 100 columns."""
    print("| help | lines | tokens |\n|---|---|---|")
    for words in (["-h"], ["ask", "-h"], ["ask", "--help"], ["callers", "-h"]):
        said = subprocess.run([grounds, *words], capture_output=True, text=True, check=True, env={"COLUMNS": "100"}).stdout
        print(f"| `grounds {' '.join(words)}` | {len(said.splitlines())} | {tokens.of(said)} |")
    print()


class Tokens:
    """Counts tokens of the vocabulary o200k."""

    def __init__(self, program):
        self.counter = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def of(self, text):
        self.counter.stdin.write(json.dumps(text) + "\n")
        self.counter.stdin.flush()
        return int(self.counter.stdout.readline())


if __name__ == "__main__":
    main()
