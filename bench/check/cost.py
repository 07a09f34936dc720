"""CPU of one check of 100 claims beside one `rg` with the same names over the same tree.

usage: python3 bench/check/cost.py GROUNDS TREE...

The names are taken from the tree's own documents: the symbols that `grounds check --all` decides
there. A text in which each is one claim is checked from a file outside of the tree: without the history,
with `--recent-history` where no index is kept yet, by such runs after it (each reads some more of the history),
by the first plain run, which reads all of it, and by a plain run after that one. `rg` gets the names as whole
words. Medians of five runs, after one that is not counted; of three runs where the cache folder is empty.
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
COLD_RUNS = 3


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


def once(command, tree, cache):
    """The CPU seconds of a command."""
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=tree, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def growing_seconds(command, tree):
    """The median of the CPU seconds of the runs after the first one, while the index is not complete."""
    with tempfile.TemporaryDirectory() as cache:
        return statistics.median([once(command, tree, cache) for _ in range(RUNS + 1)][1:])


def seconds(command, tree, cache):
    """The median of the CPU seconds of a command, after one run that is not counted."""
    return statistics.median([once(command, tree, cache) for _ in range(RUNS + 1)][1:])


def cold_seconds(command, tree):
    """The median of the CPU seconds of a command that finds an empty cache folder."""
    taken = []
    for _ in range(COLD_RUNS):
        with tempfile.TemporaryDirectory() as cache:
            taken.append(once(command, tree, cache))
    return statistics.median(taken)


def after_whole_seconds(check, tree, cache):
    """The median of the CPU seconds of a command after the whole history was read once."""
    once(check, tree, cache)
    return seconds(check, tree, cache)


def main():
    grounds, trees = os.path.abspath(sys.argv[1]), sys.argv[2:]
    ways = ["without history", "`--recent-history`", "the next", "first run", "next runs"]
    print("| tree | claims | `rg` |" + "".join(f" {way} | times |" for way in ways))
    print("|---|---|---|" + "---|---|" * len(ways))
    for tree in trees:
        found = names(grounds, tree)
        with tempfile.TemporaryDirectory() as folder:
            words, text = Path(folder, "words"), Path(folder, "text.md")
            cache = str(Path(folder, "cache"))
            words.write_text("\n".join(found) + "\n")
            text.write_text("\n\n".join(f"`{name}` is used here." for name in found) + "\n")
            rg = seconds(["rg", "-w", "-F", "-f", str(words), "."], tree, cache)
            check = [grounds, "check", str(text)]
            taken = [
                seconds([*check, "--no-history"], tree, cache),
                cold_seconds([*check, "--recent-history"], tree),
                growing_seconds([*check, "--recent-history"], tree),
                cold_seconds(check, tree),
                after_whole_seconds(check, tree, cache),
            ]
        row = "".join(f" {one:.3f} s | {one / rg:.1f} |" for one in taken)
        print(f"| {Path(tree).name} | {len(found)} | {rg:.3f} s |{row}", flush=True)


main()
