#!/usr/bin/env python3
"""What a review makes of comments of others that people judged: how many right ones it loses, how many wrong ones it removes.

    labelled-comments.py GROUNDS REPOSITORIES VALID.json REJECTED.json

The two lists are in the form of AACR-Bench: pull requests with the commits before and after, and comments with a path and
lines. REPOSITORIES holds one bare repository `OWNER+NAME/repo` each; pull requests whose commits are not there are left
out and counted. Each is reviewed with `--findings` and without a model. Needs git; adds commits that nothing names.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

WHO = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "x"), ("EMAIL", "x@localhost"))}


def git(repository, *words):
    done = subprocess.run(["git", "-C", repository, *words], capture_output=True, text=True, env={**os.environ, **WHO})
    return done.stdout.strip() if done.returncode == 0 else None


def change(entry, repositories):
    """The repository of a pull request, and one commit with all of it; None if a commit is not there."""
    owner, name = entry["githubPrUrl"].split("/")[3:5]
    repository = os.path.join(repositories, f"{owner}+{name}", "repo")
    if not os.path.isdir(repository):
        return None
    base = git(repository, "merge-base", entry["source_commit"], entry["target_commit"])
    tree = git(repository, "rev-parse", "--verify", "--quiet", entry["target_commit"] + "^{tree}")
    if not base or not tree:
        return None
    return repository, git(repository, "commit-tree", tree, "-p", base, "-m", "change")


def judge(grounds, repository, commit, comments):
    """What became of comments: `dropped` with the kind of reason, `kept`, or `gate`."""
    listed = [{"path": one["path"], "from_line": one["from_line"], "to_line": one["to_line"], "message": one["note"]} for one in comments]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(listed, file)
        file.flush()
        words = [grounds, "review", "--repo", repository, "--commit", commit, "--no-model", "--format", "json", "--findings", file.name]
        done = subprocess.run(words, capture_output=True, text=True)
    report = json.loads(done.stdout)
    fates = collections.Counter("dropped: " + one["kind"] for one in report["dropped"])
    for finding in report["findings"]:
        if any(producer["kind"] != "rule" for producer in finding["producers"]):
            fates["at the gate" if finding["standing"] == "blocks" else "kept, below the gate"] += 1
    told = sum(fates.values())
    fates["merged with another"] += max(0, len(listed) - told)
    return fates


def main():
    grounds, repositories, *files = sys.argv[1:]
    for label, file in zip(("valid", "rejected"), files):
        fates, requests, absent = collections.Counter(), 0, 0
        for entry in json.load(open(file, encoding="utf-8")):
            found = change(entry, repositories)
            if not found:
                absent += 1
                continue
            requests += 1
            fates += judge(grounds, *found, entry["comments"])
        total = sum(fates.values())
        print(f"{label}: {total} comments on {requests} pull requests ({absent} could not be had)")
        for fate, count in fates.most_common():
            print(f"  {fate}: {count} ({100 * count / max(total, 1):.0f} %)")


if __name__ == "__main__":
    main()
