"""What a question costs beside `rg` with the same words, in one run.

    python3 bench/speed/run.py GROUNDS FOLDER... [--runs N] [--kind KIND] [--tree TREE]

cases.tsv has a question a line: the tree (a folder in one of FOLDER...), its kind, the question, and what `rg` is given.
After one uncounted run of each, `rg` and the question run in turn, N times. For every case the medians of CPU and wall
time and the median of the ratios run by run; for every kind how its cases lie. The keeping of the run is a part of it.
"""

import argparse
import collections
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).parent
Cost = collections.namedtuple("Cost", "cpu wall")


def cost(command, tree, surroundings):
    start = time.perf_counter()
    child = subprocess.Popen(command, cwd=tree, env=surroundings, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = 0
    return Cost((used.ru_utime + used.ru_stime) * 1e3, wall * 1e3)


def compared(program, tree, question, words, runs, surroundings):
    peer, asked = ["rg", *words.split(), "."], [program, "ask", "--offline", "--", question]
    pairs = [(cost(peer, tree, surroundings), cost(asked, tree, surroundings)) for _ in range(runs + 1)][1:]
    median = lambda pick: statistics.median(map(pick, pairs))
    of = lambda name: (median(lambda pair: getattr(pair[0], name)), median(lambda pair: getattr(pair[1], name)), median(lambda pair: getattr(pair[1], name) / max(getattr(pair[0], name), 0.1)))
    return of("cpu"), of("wall")


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("program", type=os.path.abspath)
    words.add_argument("folders", nargs="+", type=pathlib.Path)
    words.add_argument("--runs", type=int, default=5)
    words.add_argument("--kind")
    words.add_argument("--tree")
    given = words.parse_args()
    surroundings = dict(os.environ, XDG_CONFIG_HOME="/nonexistent", XDG_STATE_HOME=tempfile.mkdtemp())
    by_kind = collections.defaultdict(list)
    print(f"{'tree':9} {'kind':10} {'CPU ms: rg':>10} {'ask':>7} {'ratio':>6}  {'wall ms: rg':>11} {'ask':>7} {'ratio':>6}  question")
    for line in (HERE / "cases.tsv").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, kind, question, rg = line.split("\t")
        tree = next((folder / name for folder in given.folders if (folder / name).is_dir()), None)
        if tree is None or given.kind not in (None, kind) or given.tree not in (None, name):
            continue
        cpu, wall = compared(given.program, tree, question, rg, given.runs, surroundings)
        by_kind[kind].append((cpu[2], wall[2]))
        print(f"{name:9} {kind:10} {cpu[0]:10.0f} {cpu[1]:7.0f} {cpu[2]:6.2f}  {wall[0]:11.0f} {wall[1]:7.0f} {wall[2]:6.2f}  {question}", flush=True)
    for kind, ratios in by_kind.items():
        cpu, wall = zip(*ratios)
        print(f"{kind:10} n={len(ratios):2}  CPU: median {statistics.median(cpu):.2f} x, most {max(cpu):.2f} x  wall: median {statistics.median(wall):.2f} x, most {max(wall):.2f} x")


main()
