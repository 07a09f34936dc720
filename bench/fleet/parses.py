#!/usr/bin/env python3
"""Says what it saves a job `ask "who calls X?"` that what parses said is kept.

    bench/fleet/parses.py PROGRAM MIRROR...

A MIRROR is a bare repository. Its HEAD is laid out as a worker does, and two questions are asked: about
the name that is called in most files, and about one that is called in the median number of files. Each is
asked without kept parses, with an empty folder of them, and with what that left, as another run asks about a
fork or a later commit. Prints seconds of processor. The three reports must be the same but for their times.
"""
import collections
import os
import re
import resource
import subprocess
import sys
import tempfile

CALL = re.compile(r"\b([A-Za-z_][A-Za-z0-9_]{4,40})\s*\(")
DEFINED = re.compile(r"\b(?:def|fn|fun|func|function|public|static|void|int|bool|string|String|self)\s+([A-Za-z_]\w{4,40})\s*\(")
SOURCE = re.compile(r"\.(rs|py|js|ts|tsx|go|java|kt|rb|php|cs|c|h|cc|cpp|hpp|swift|scala|lua)$")
TIMES = re.compile(rb'"[a-z_]*ms[a-z_]*": *[0-9.]+')


def timed(words, **more):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def laid_out(mirror, tree):
    os.mkdir(tree)
    clean = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null")
    calls = [
        ["git", "clone", "--quiet", "--bare", "--shared", mirror, ".git"],
        ["git", "-C", ".", "config", "core.bare", "false"],
        ["git", "checkout", "--quiet", "--force", "--detach", "HEAD"],
    ]
    return sum(timed(call, cwd=tree, env=clean)[0] for call in calls)


def names(tree):
    files, defined = collections.Counter(), set()
    for folder, folders, found in os.walk(tree):
        folders[:] = [name for name in folders if name != ".git"]
        for name in filter(SOURCE.search, found):
            with open(os.path.join(folder, name), errors="replace") as file:
                text = file.read(1 << 20)
            files.update(set(CALL.findall(text)))
            defined.update(DEFINED.findall(text))
    known = [name for name, count in files.most_common() if count >= 3 and name in defined]
    return [known[0], known[len(known) // 2]] if known else []


def asked(program, tree, name, cache, keep):
    words = [program, "--repo", tree, "--no-store", "--format", "json", "--no-model", "ask", "--no-run"]
    words += [] if keep else ["--no-cache"]
    words += ["--", f"who calls {name}?"]
    return timed(words, cwd=tree, env=dict(os.environ, XDG_CACHE_HOME=cache))


def main():
    program, mirrors = os.path.abspath(sys.argv[1]), sys.argv[2:]
    total = collections.Counter()
    for mirror in mirrors:
        with tempfile.TemporaryDirectory() as folder:
            tree, cache = os.path.join(folder, "tree"), os.path.join(folder, "cache")
            lay = laid_out(mirror, tree)
            for name in names(tree):
                runs = [asked(program, tree, name, cache, keep) for keep in (False, True, True)]
                reports = {TIMES.sub(b"", report) for _, report in runs}
                plain, first, again = (seconds for seconds, _ in runs)
                same = "" if len(reports) == 1 else ", AND THE REPORTS DIFFER"
                print(f"{mirror} {name}: lay out {lay:.2f} s, asked {plain:.2f} s, kept {first:.2f} s, again {again:.2f} s{same}")
                total.update(lay=lay, plain=plain, first=first, again=again, jobs=1, other=len(reports) - 1)
    job = {key: total[key] / total["jobs"] for key in total}
    print(
        f"{total['jobs']} jobs: lay out {job['lay']:.3f} s, asked {job['plain']:.3f} s, kept {job['first']:.3f} s, "
        f"again {job['again']:.3f} s; other reports: {total['other']}"
    )


main()
