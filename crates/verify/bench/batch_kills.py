#!/usr/bin/env python3
"""Kills a large batch again and again, and holds its results against those of one that was left alone.

    python3 crates/verify/bench/batch_kills.py target/release/grounds DIR [CLAIMS] [KILLS] [JOBS]

DIR is a folder of HTML or text. The claims are sentences of these documents; every second one is denied. Prints claims a
second, memory at the most, and whether a claim was lost or done twice, or any byte differs.
"""

import html
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

SENTENCE = re.compile(r"[A-Z][^.!?<>{}|\n]{20,140}\.(?=\s|$)")
TAGS = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.S)
SENTENCES_A_FILE = 24
FILE_BYTES_MAX = 1 << 20


def sentences(folder):
    """Sentences that state something, a few of each file, in the order of their names."""
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(at, name)
            if not name.endswith((".html", ".txt")) or os.path.getsize(path) > FILE_BYTES_MAX:
                continue
            text = html.unescape(TAGS.sub(" ", open(path, encoding="utf-8", errors="replace").read()))
            found = [" ".join(one.split()) for one in SENTENCE.findall(text)]
            yield from [one for one in found if re.search(r"\b(is|are)\b", one)][:SENTENCES_A_FILE]


def claims(folder, count):
    texts = sorted(set(sentences(folder)))
    random.Random(7).shuffle(texts)
    for number, text in enumerate(texts[:count]):
        denied = re.sub(r"\b(is|are)\b", r"\1 not", text, count=1)
        yield {"id": f"c{number}", "claim": denied if number % 2 else text}


def lines(path):
    return open(path, "rb").read().count(b"\n") if os.path.exists(path) else 0


def main():
    program, folder = sys.argv[1:3]
    count, kills, jobs = (int(word) for word in (sys.argv[3:] + ["10000", "20", "2"][len(sys.argv) - 3:]))
    with tempfile.TemporaryDirectory() as work:
        given = os.path.join(work, "claims.jsonl")
        with open(given, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(claim) + "\n" for claim in claims(folder, count))
        count = lines(given)

        def command(out):
            return [program, "verify", "--quiet", "--as-of", "2026-01-01", "--jobs", str(jobs), "--batch", given, "--out",
                    os.path.join(work, out), "--corpus", folder, "--accept", "strong"]

        def run(out):
            start = time.time()
            code = subprocess.run(command(out), stdout=subprocess.DEVNULL).returncode
            return code, time.time() - start

        code, took = run("whole.jsonl")
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"{count} claims, {jobs} at a time, exit code {code}: {took:.0f} s, {count / took:.0f} a second, "
              f"{used.ru_utime + used.ru_stime:.0f} s of processor time, {memory} MB at the most", flush=True)
        killed, seen, times, draws = os.path.join(work, "killed.jsonl"), 0, [], random.Random(11)
        for _ in range(kills):
            child = subprocess.Popen(command("killed.jsonl"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            enough = seen + draws.randrange(2 * count // kills)
            while lines(killed) < enough and child.poll() is None:
                time.sleep(0.01)
            time.sleep(draws.random() / 100)
            child.kill()
            child.wait()
            after = lines(killed)
            assert after >= seen, f"results were lost: {after} after {seen}"
            times.append(after)
            seen = after
        print(f"killed {kills} times, after {times} results")
        code, took = run("killed.jsonl")
        same = open(killed, "rb").read() == open(os.path.join(work, "whole.jsonl"), "rb").read()
        print(f"the last run: exit code {code}; {lines(killed)} results for {count} claims; "
              f"{'the same bytes as' if same else 'NOT THE SAME AS'} the run that was left alone")
        outcomes = [json.loads(line)["outcome"] for line in open(killed, encoding="utf-8")]
        print({name: outcomes.count(name) for name in sorted(set(outcomes))})
        sys.exit(0 if same and code == 0 and lines(killed) == count else 1)


main()
