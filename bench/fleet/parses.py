#!/usr/bin/env python3
"""Says what share of a job `ask "who calls X?"` is parsing, beside laying out its tree and all else.

    bench/fleet/parses.py PROGRAM-WITH-SYMBOLS PROGRAM MIRROR...

A MIRROR is a bare repository. Its HEAD is laid out as a worker does, and two questions are asked: about
the name that is called in most files, and about one that is called in the median number of files. The
program with symbols runs under `perf record`; samples in the parsers (`ts_*`, `tree_sitter_*`) are
parsing, those in the crate of syntax are the walk over what was parsed. The other program runs plainly,
for the processor time of an optimised build.
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
HERTZ = 999
SOURCE = re.compile(r"\.(rs|py|js|ts|tsx|go|java|kt|rb|php|cs|c|h|cc|cpp|hpp|swift|scala|lua)$")
PARSER = re.compile(r"^(ts_|tree_sitter_|scan|external_scanner|_?ts_)")
WALK = re.compile(r"grounds_syntax|tree_sitter::")


def seconds(words, **more):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def laid_out(mirror, tree):
    os.mkdir(tree)
    clean = dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null")
    calls = [
        ["git", "clone", "--quiet", "--bare", "--shared", mirror, ".git"],
        ["git", "-C", ".", "config", "core.bare", "false"],
        ["git", "checkout", "--quiet", "--force", "--detach", "HEAD"],
    ]
    return sum(seconds(call, cwd=tree, env=clean) for call in calls)


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


def samples(words, tree, data):
    record = ["perf", "record", "--quiet", "-F", str(HERTZ), "-o", data, "--", *words]
    subprocess.run(record, cwd=tree, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    script = ["perf", "script", "-i", data, "-F", "ip,sym"]
    lines = subprocess.run(script, capture_output=True, text=True, check=True).stdout.splitlines()
    kinds = collections.Counter()
    for line in filter(str.strip, lines):
        symbol = line.split(None, 1)[-1]
        kind = "parse" if PARSER.match(symbol) else "walk" if WALK.search(symbol) else "else"
        kinds[kind] += 1
    return {kind: kinds[kind] / HERTZ for kind in ("parse", "walk", "else")}


def main():
    symbols, program, mirrors = sys.argv[1], sys.argv[2], sys.argv[3:]
    total = collections.Counter()
    for mirror in mirrors:
        with tempfile.TemporaryDirectory() as folder:
            tree = os.path.join(folder, "tree")
            lay = laid_out(mirror, tree)
            for name in names(tree):
                words = ["--repo", tree, "--no-store", "--format", "json", "--no-model", "ask", "--no-run"]
                words += ["--", f"who calls {name}?"]
                own = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"))
                plain = seconds([program, *words], cwd=tree, env=own)
                parts = samples([symbols, *words], tree, os.path.join(folder, "perf.data"))
                share = parts["parse"] / (lay + plain)
                shown = " ".join(f"{kind} {value:.2f}" for kind, value in parts.items())
                print(f"{mirror} {name}: lay out {lay:.2f} s, asked {plain:.2f} s; with symbols {shown}; {share:.1%}")
                total.update(lay=lay, plain=plain, jobs=1, **parts)
    job = {key: total[key] / total["jobs"] for key in total}
    print(
        f"{total['jobs']} jobs: lay out {job['lay']:.2f} s, asked {job['plain']:.2f} s, of which parsing "
        f"{job['parse']:.2f} s and the walk, unoptimised, {job['walk']:.2f} s; parsing is "
        f"{job['parse'] / (job['lay'] + job['plain']):.1%} of a job and {job['parse'] / job['plain']:.1%} of an answer"
    )


main()
