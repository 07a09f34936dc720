"""CPU of one check of 100 claims beside one `rg` with the same names over the same tree.

usage: python3 bench/check/cost.py GROUNDS TREE...

The names are taken from the tree's own documents: the symbols that `grounds check --all` decides
there. A text in which each is one claim is checked from a file outside of the tree, with and without
the history. `rg` gets the names as whole words. Medians of five runs, after one that is not counted.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

CLAIMS = 100
RUNS = 5


def documents(tree):
    listed = subprocess.run(
        ["git", "-C", tree, "ls-files", "*.md", "*.rst"], capture_output=True, text=True, check=True
    )
    return listed.stdout.splitlines()


def names(grounds, tree):
    """The first names that the documents claim and that code could have."""
    command = [grounds, "check", "--all", "--no-history", "--format", "json", *documents(tree)]
    report = json.loads(subprocess.run(command, cwd=tree, capture_output=True).stdout)
    symbols = [claim["text"] for claim in report["claims"] if claim["kind"] == "symbol"]
    plain = [name for name in dict.fromkeys(symbols) if name.isidentifier()]
    return plain[:CLAIMS]


def seconds(command, tree):
    """The median of the CPU seconds of a command."""
    taken = []
    for _ in range(RUNS + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, cwd=tree, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(taken[1:])


def main():
    grounds, trees = os.path.abspath(sys.argv[1]), sys.argv[2:]
    print("| tree | claims | `rg` | `check` | without history | times | times without |")
    print("|---|---|---|---|---|---|---|")
    for tree in trees:
        found = names(grounds, tree)
        with tempfile.TemporaryDirectory() as folder:
            words, text = Path(folder, "words"), Path(folder, "text.md")
            words.write_text("\n".join(found) + "\n")
            text.write_text("\n\n".join(f"`{name}` is used here." for name in found) + "\n")
            rg = seconds(["rg", "-w", "-F", "-f", str(words), "."], tree)
            whole = seconds([grounds, "check", str(text)], tree)
            bare = seconds([grounds, "check", "--no-history", str(text)], tree)
        row = f"{rg:.3f} s | {whole:.3f} s | {bare:.3f} s | {whole / rg:.1f} | {bare / rg:.1f}"
        print(f"| {Path(tree).name} | {len(found)} | {row} |", flush=True)


main()
