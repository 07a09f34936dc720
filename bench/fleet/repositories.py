#!/usr/bin/env python3
"""Asks a fleet about many repositories, and looks for an absence that is wrong.

    bench/fleet/repositories.py GROUNDS LIST OUT [WORKERS [SEED]]

LIST has a line for each repository: its name, a tab, and the folder of its git directory. For each, three jobs are submitted: who calls a
function that is defined once and whose name stands before a parenthesis elsewhere (chosen by SEED with `ctags` and a regular expression,
which know nothing of grounds), who calls a name that nobody has, and a check of its README. One repository in 25 is spoiled: half of
its objects are gone, or it is not there at all. Workers share a ledger in a file.

What is counted: `not_found` about a name that the text shows being called (each is printed with its lines, to be read by a person),
`not_found` of a spoiled repository, and whether the name that nobody has is `not_found` over all repositories before and after the
spoiled ones were brought back. OUT gets the results as JSON lines. Needs git, ctags and rg.
"""
import collections
import json
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

GROUNDS, LIST, OUT = os.path.abspath(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
WORKERS = int(sys.argv[4]) if len(sys.argv) > 4 else 2
CHANCE = random.Random(int(sys.argv[5]) if len(sys.argv) > 5 else 1)
ABSENT = "zorblax_the_unheard_of"
SPOILED_ONE_IN = int(os.environ.get("SPOILED_ONE_IN", "25"))
NAMES_TRIED_MAX = 400
LETTERS_MIN = 5
KINDS = {"function", "method", "func", "member", "singletonMethod", "procedure", "subroutine"}
COMMENT = re.compile(r"^\s*(//|#|\*|/\*|--|;|%|'|\"|`|<!--)")

folder = pathlib.Path(tempfile.mkdtemp(prefix="fleet-"))
environment = os.environ | {f"XDG_{name}_HOME": str(folder / name) for name in ("CONFIG", "STATE", "CACHE")}


def git(directory, *words):
    return subprocess.run(["git", "--git-dir", directory, *words], capture_output=True, check=True).stdout


def tree_of(directory, commit):
    tree = folder / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir()
    archive = subprocess.Popen(["git", "--git-dir", directory, "archive", commit], stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", tree], stdin=archive.stdout, check=True)
    return tree


def called(tree):
    """A function that is defined once, with lines that look like calls of it."""
    tags = subprocess.run(["ctags", "-R", "--output-format=json", "--fields=+Kn", "-f", "-", "."], cwd=tree, capture_output=True, text=True, errors="replace")
    places = collections.defaultdict(set)
    for line in tags.stdout.splitlines():
        try:
            tag = json.loads(line)
        except json.JSONDecodeError:
            continue
        places[tag["name"]].add((tag["path"].removeprefix("./"), tag.get("line"), tag.get("kind")))
    once = [name for name, found in places.items() if len(found) == 1 and len(name) >= LETTERS_MIN and name.isidentifier() and all(kind in KINDS for _, _, kind in found)]
    once.sort()
    for name in CHANCE.sample(once, min(NAMES_TRIED_MAX, len(once))):
        path, line, _ = next(iter(places[name]))
        found = subprocess.run(["rg", "-n", "--no-heading", "--sort", "path", rf"\b{name}\(", "."], cwd=tree, capture_output=True, text=True, errors="replace")
        lines = [text.removeprefix("./") for text in found.stdout.splitlines()]
        of_same_kind = [text for text in lines if text.split(":", 1)[0].rsplit(".", 1)[-1] == path.rsplit(".", 1)[-1]]
        calls = [text for text in of_same_kind if not text.startswith(f"{path}:{line}:") and not COMMENT.match(text.split(":", 2)[2])]
        if calls:
            return name, calls
    return None


def seen():
    jobs, calls, spoiled = [], {}, []
    for number, line in enumerate(pathlib.Path(LIST).read_text().splitlines()):
        name, directory = line.split("\t")
        try:
            commit = git(directory, "rev-parse", "HEAD").decode().strip()
            tree = tree_of(directory, commit)
        except (subprocess.CalledProcessError, OSError):
            print(f"left out, git cannot lay it out: {name}")
            continue
        here = folder / "repositories" / name
        here.parent.mkdir(parents=True, exist_ok=True)
        here.symlink_to(directory)
        if number % SPOILED_ONE_IN == SPOILED_ONE_IN - 1:
            spoiled.append((name, directory))
        about = {"repository": name, "commit": commit}
        jobs.append({"kind": "ask", **about, "question": f"who calls {ABSENT}?"})
        chosen = called(tree)
        if chosen:
            calls[name] = chosen
            jobs.append({"kind": "ask", **about, "question": f"who calls {chosen[0]}?"})
        readme = sorted(path.name for path in tree.glob("[Rr][Ee][Aa][Dd][Mm][Ee]*") if path.suffix.lower() in ("", ".md", ".rst", ".txt") and path.is_file())
        if readme:
            jobs.append({"kind": "check", **about, "documents": readme[:1]})
    return jobs, calls, spoiled


def spoil(spoiled):
    """Half of them lose objects, the others are not there."""
    for number, (name, directory) in enumerate(spoiled):
        here = folder / "repositories" / name
        here.unlink()
        if number % 2:
            continue
        copy = here.with_name(here.name)
        shutil.copytree(directory, copy)
        for pack in copy.glob("objects/pack/*.pack"):
            pack.chmod(0o644)
            os.truncate(pack, pack.stat().st_size // 2)


def repair(spoiled):
    for name, directory in spoiled:
        here = folder / "repositories" / name
        shutil.rmtree(here, ignore_errors=True)
        here.symlink_to(directory)


def fleet(*words, good=(0,)):
    ledger = ["--ledger", str(folder / "fleet.sqlite3")]
    done = subprocess.run([GROUNDS, "fleet", *words, *ledger], cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode not in good:
        sys.exit(f"{words}: {done.returncode}\n{done.stderr}")
    return done.stdout


def work():
    command = [GROUNDS, "fleet", "work", "--until-empty", "--repositories", "repositories", "--jobs", "1", "--ledger", str(folder / "fleet.sqlite3")]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    running = [subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL) for _ in range(WORKERS)]
    codes = [process.wait() for process in running]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    print(f"{WORKERS} workers: {time.monotonic() - start:.0f} s wall, {processor:.0f} s processor, exit codes {codes}")


def overall():
    """How the question about the name that nobody has is answered over all repositories."""
    status = json.loads(fleet("status", "--run", "r", "--format", "json", good=range(10)))
    return [answer for answer in status["runs"][0]["answers"] if ABSENT in answer["topic"]]


def results():
    return [json.loads(line) for line in fleet("results", "--run", "r", "--format", "jsonl", good=range(10)).splitlines()]


def told(kept, calls, spoiled):
    counts, wrong = collections.Counter(), 0
    names = {name for name, _ in spoiled}
    for result in kept:
        job, verdict = result["job"], result["verdict"] or f"{result['state']}: {result['reason']}"
        is_absent = ABSENT in job.get("question", "")
        counts["check" if job["kind"] == "check" else "nobody has it" if is_absent else "called", verdict] += 1
        if job["repository"] in names and result["verdict"] in ("not_found", "holds"):
            wrong += 1
            print(f"WRONG: {job['repository']} is spoiled and says {verdict}")
        if is_absent and verdict == "answered":
            print(f"to read: {job['repository']} answers about {ABSENT}")
        if job["kind"] == "ask" and not is_absent and verdict == "not_found":
            print(f"to read: {job['repository']}: {job['question']} not_found, but")
            print("\n".join(f"    {line[:160]}" for line in calls[job["repository"]][1][:3]))
    for (kind, verdict), count in sorted(counts.items()):
        print(f"{kind:14} {verdict:32} {count:5}")
    return wrong


jobs, calls, spoiled = seen()
print(f"{len({job['repository'] for job in jobs})} repositories, {len(jobs)} jobs, {len(calls)} with a function that is called, {len(spoiled)} spoiled")
(folder / "jobs.jsonl").write_text("".join(json.dumps(job) + "\n" for job in jobs))
fleet("submit", "jobs.jsonl", "--run", "r")
spoil(spoiled)
work()
print("spoiled:", json.dumps(overall()))
wrong = told(results(), calls, spoiled)
repair(spoiled)
fleet("retry", "r", "--reason", "repository_missing")
fleet("retry", "r", "--reason", "commit_missing")
work()
print("repaired:", json.dumps(overall()))
kept = results()
told(kept, calls, [])
OUT.write_text("".join(json.dumps(result) + "\n" for result in kept))
shutil.rmtree(folder)
sys.exit(wrong > 0)
