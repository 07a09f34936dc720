#!/usr/bin/env python3
"""How many reversed fixes have a place on their very lines that some analyzer reports: a bound of what analyzers can find.

    fixes-and-places.py lay FOLDER REPOSITORY...   the changed code of each fix, in FOLDER/vuln and FOLDER/fixed
    fixes-and-places.py count FOLDER < PLACES      lines such as `vuln/NAME@COMMIT/src/a.php:12 TOOL`, of any analyzer

The fixes are those of reversed-fixes.sh. An analyzer is run over FOLDER as its users run it. `vuln` counts places on lines
that the reversed fix adds, `fixed` on lines that the fix itself adds, which is what is reported by chance. Needs git.
"""
import collections
import json
import os
import re
import subprocess
import sys

CODE = re.compile(r"\.(c|h|cc|cpp|hpp|py|js|ts|go|java|rb|php|rs|cs)$")
NOT_CODE = re.compile(r"(^|/)(tests?|spec|docs?|examples?|deps|fuzz|vendor)/|_test\.|\.test\.", re.I)
FILES_MAX, LINES_MAX = 3, 60


def git(repository, *words):
    return subprocess.run(["git", "-C", repository, *words], capture_output=True, check=True).stdout


def added(repository, before, after, path):
    """The numbers of the lines that a step adds to a file."""
    diff = git(repository, "diff", "-U0", before, after, "--", path).decode("utf-8", "replace")
    hunks = re.finditer(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", diff, re.M)
    return [int(h[1]) + k for h in hunks for k in range(int(h[2] or 1))]


def fix(repository, commit):
    """The files of a fix with the lines that each side adds; nothing where it is too large or cannot be read."""
    rows = [row.split("\t") for row in git(repository, "diff", "--numstat", f"{commit}^", commit).decode().splitlines()]
    rows = [row for row in rows if CODE.search(row[2]) and not NOT_CODE.search(row[2]) and row[0] != "-"]
    if not 1 <= len(rows) <= FILES_MAX or sum(int(row[0]) + int(row[1]) for row in rows) > LINES_MAX:
        return []
    sides = {"vuln": (commit, f"{commit}^"), "fixed": (f"{commit}^", commit)}
    return [(row[2], {side: added(repository, *step, row[2]) for side, step in sides.items()}) for row in rows]


def lay(folder, repositories):
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/fixes.jsonl", "w", encoding="utf-8") as out:
        for repository in repositories:
            words = ["log", "--no-merges", "-i", "-E", "--grep=CVE-[0-9]{4}-[0-9]+", "--format=%H"]
            for commit in git(repository, *words).decode().split():
                name = f"{os.path.basename(os.path.dirname(os.path.abspath(repository)))}@{commit[:9]}"
                try:
                    files = fix(repository, commit)
                except subprocess.CalledProcessError:
                    continue  # its parent is not in the copy
                for path, _ in files:
                    write(folder, name, repository, commit, path)
                if files:
                    half = "even" if commit[0] in "02468ace" else "odd"
                    out.write(json.dumps({"name": name, "half": half, "files": files}) + "\n")


def write(folder, name, repository, commit, path):
    for side, state in {"vuln": f"{commit}^", "fixed": commit}.items():
        try:
            text = git(repository, "show", f"{state}:{path}")
        except subprocess.CalledProcessError:
            continue  # the file is on one side alone
        target = f"{folder}/{side}/{name}/{path}"
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as file:
            file.write(text)


def count(folder):
    places = {line.split()[0].removeprefix("./") for line in sys.stdin if line.strip()}
    table = collections.defaultdict(collections.Counter)
    with open(f"{folder}/fixes.jsonl", encoding="utf-8") as fixes:
        for one in map(json.loads, fixes):
            largest = max(one["files"], key=lambda file: sum(map(len, file[1].values())))
            row = table[largest[0].rsplit(".", 1)[-1], one["half"]]
            row["fixes"] += 1
            row["no added line"] += not any(lines["vuln"] for _, lines in one["files"])
            for side in ("vuln", "fixed"):
                row[side] += any(
                    f"{side}/{one['name']}/{path}:{line}" in places
                    for path, lines in one["files"]
                    for line in lines[side]
                )
    for (kind, half), row in sorted(table.items()):
        print(kind, half, *(f"{what}: {row[what]}" for what in ("fixes", "no added line", "vuln", "fixed")))


if __name__ == "__main__":
    if sys.argv[1] == "lay":
        lay(sys.argv[2], sys.argv[3:])
    else:
        count(sys.argv[2])
