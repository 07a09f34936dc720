#!/usr/bin/env python3
"""Fix commits of public histories as labelled cases of a ranking: the words of the commit, and the files that it changed.

    bench/localise/fixes.py cases REPOSITORIES > CASES.jsonl    REPOSITORIES has clones named OWNER__NAME
    bench/localise/fixes.py measure GROUNDS CASES.jsonl REPOSITORIES    beside bm25 of SQLite FTS5 with the same words

A case is a commit without a merge whose subject says that it fixes something, that has at least 8 words and changes one to three
files of code that are no tests. Addresses, numbers of issues and trailers are no part of its words. The newest of each repository
are taken, PER_REPOSITORY of them. The peer is given files of code that are no tests, and nothing else.

`measure` also takes the labelled issues of SWE-bench, and the queries of `bench/semble cases` with its TREES for REPOSITORIES.
"""

import collections
import functools
import io
import json
import math
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tarfile
import tempfile

PER_REPOSITORY = 15
COMMITS_MAX = 6000
WORDS_MIN = 8
FIRST = (1, 3, 5, 10)
CODE = {
    "java": "Java", "kt": "Kotlin", "go": "Go", "rs": "Rust", "ts": "TypeScript", "tsx": "TypeScript", "js": "JavaScript", "rb": "Ruby",
    "py": "Python", "php": "PHP", "cs": "C#", "c": "C", "h": "C", "cc": "C++", "cpp": "C++", "hpp": "C++", "swift": "Swift", "scala": "Scala",
}
FIXES = re.compile(r"\b(fix(e[sd])?|bug|regression|crash|incorrect|wrong)\b", re.I)
TRAILER = re.compile(r"^([A-Z][\w-]+-by|Co-authored-by|Change-Id|Reviewed|Closes|Fixes|Refs?):?.*$|https?://\S+|\(?#\d+\)?|GH-\d+", re.I | re.M)
TEST = re.compile(r"(^|/)(\w*[tT]ests?|specs?|__tests__|\w+Test|testdata|fixtures)(/|$)|([_.-](test|spec)\.\w+$)|(Tests?|Spec)\.\w+$|(^|/)test_\w+\.py$")


def git(repository, *words):
    return subprocess.run(["git", "-C", repository, *words], capture_output=True, check=True).stdout


def is_code(path):
    return path.rsplit(".", 1)[-1] in CODE and not TEST.search(path)


def cases(repositories):
    for repository in sorted(pathlib.Path(repositories).iterdir()):
        log = git(repository, "log", "--no-merges", "--no-renames", f"--max-count={COMMITS_MAX}", "--diff-filter=MAD", "--name-status", "--format=%x01%H%x02%P%x02%B%x03").decode(errors="replace")
        count = 0
        for record in log.split("\x01")[1:]:
            head, _, changed = record.partition("\x03")
            commit, parent, text = head.split("\x02")
            files = [line.split("\t") for line in changed.strip().splitlines()]
            gold = [path for kind, path in files if kind == "M" and is_code(path)]
            others = [path for kind, path in files if kind != "M" and is_code(path)]
            text = TRAILER.sub(" ", text).strip()
            if not parent or others or not 1 <= len(gold) <= 3 or not FIXES.search(text.split("\n")[0]) or len(text.split()) < WORDS_MIN:
                continue
            # A clone may lack large files of its history.
            if subprocess.run(["git", "-C", repository, "archive", "--format=tar", "--output=/dev/null", parent], capture_output=True, check=False).returncode:
                continue
            language = CODE[gold[0].rsplit(".", 1)[-1]]
            print(json.dumps({"instance_id": f"{repository.name}-{commit[:10]}", "repo": repository.name.replace("__", "/"), "base_commit": parent,
                              "problem_statement": text, "gold_files": gold, "category": language}))
            count += 1
            if count == PER_REPOSITORY:
                break


def by_peer(tree, text):
    table = sqlite3.connect(":memory:")
    table.execute("create virtual table files using fts5(path, text, tokenize='porter')")
    for path in tree.rglob("*"):
        name = str(path.relative_to(tree))
        if path.is_file() and not path.is_symlink() and is_code(name):
            # Names in camel case and with underscores are words too.
            body = path.read_text(errors="replace")
            table.execute("insert into files values (?, ?)", (name, body + " " + apart(body)))
    words = sorted(set(re.findall(r"[A-Za-z]\w+", text + " " + apart(text))))
    if not words:
        return []
    query = " OR ".join(f'"{word}"' for word in words)
    return [path for (path,) in table.execute("select path from files where files match ? order by bm25(files, 2.0, 1.0) limit 10", (query,))]


def apart(text):
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", text)


def by_grounds(program, tree, text):
    command = [program, "ask", "--offline", "--no-store", "--no-cache", "--format", "json", "--from", "-"]
    report = json.loads(subprocess.run(command, cwd=tree, input=text, capture_output=True, text=True, check=False).stdout)
    return [file["path"] for file in report["ranking"]["files"]][:10]


def worth(order, gold):
    gain = sum(1 / math.log2(place + 2) for place, name in enumerate(order) if name in gold)
    best = sum(1 / math.log2(place + 2) for place in range(min(len(gold), max(FIRST))))
    return [gold <= set(order[:first]) for first in FIRST] + [gain / best]


def laid_out(case, repositories, folder):
    if "root" in case:
        return pathlib.Path(repositories) / case["repo"] / case["root"]
    repository = pathlib.Path(repositories) / case["repo"].replace("/", "__")
    archive = tarfile.open(fileobj=io.BytesIO(git(repository, "archive", "--format=tar", case["base_commit"])))
    archive.extractall(folder, filter="data")
    return pathlib.Path(folder)


def named(order, gold, root):
    """The paths of an order, each that is labelled by its label, which may be only the end of its path."""
    paths = [f"/{root}/{path}".replace("/./", "/") for path in order]
    return [next((label for label in gold if path.endswith("/" + label)), path[1:]) for path in paths]


def measure(program, path, repositories):
    found = collections.defaultdict(list)
    for case in map(json.loads, open(path)):
        if "root" not in case and not (pathlib.Path(repositories) / case["repo"].replace("/", "__")).is_dir():
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                tree, text = laid_out(case, repositories, folder), case["problem_statement"]
            except subprocess.CalledProcessError:
                print(f"left out, its commit is not there: {case['instance_id']}", file=sys.stderr)
                continue
            gold = set(case["gold_files"])
            orders = [named(order(tree, text), gold, case.get("root", "")) for order in (functools.partial(by_grounds, program), by_peer)]
            row = [worth(order, gold) for order in orders]
            category = case.get("category", "issues")
            found[category].append(row)
            print(json.dumps([case["instance_id"], category, *row]), file=sys.stderr, flush=True)
    print("language | cases | all gold in 1 | 3 | 5 | 10 | NDCG@10 | bm25: 1 | 3 | 5 | 10 | NDCG@10")
    for name, rows in [*sorted(found.items()), ("all", [row for rows in found.values() for row in rows])]:
        told = []
        for place in (0, 1):
            means = [sum(column) / len(rows) for column in zip(*(row[place] for row in rows))]
            told += [f"{100 * mean:.1f}" for mean in means[:-1]] + [f"{means[-1]:.3f}"]
        print(f"{name} | {len(rows)} | " + " | ".join(told))


if sys.argv[1:2] == ["cases"] and len(sys.argv) == 3:
    cases(sys.argv[2])
elif sys.argv[1:2] == ["measure"] and len(sys.argv) == 5:
    measure(os.path.abspath(sys.argv[2]), *sys.argv[3:])
else:
    sys.exit(__doc__)
