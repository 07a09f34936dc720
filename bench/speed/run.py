"""What a question costs beside `rg` with the same words, in one run: cold, warm, and through the MCP server.

    python3 bench/speed/run.py GROUNDS FOLDER... [--runs N] [--kind KIND] [--tree TREE]

cases.tsv has a question a line: the tree (a folder in one of FOLDER...), its kind, the question, and what `rg` is given; the kind
`from` ranks for the question's words as `--from` does. After one uncounted run of each they run in turn, N times: `rg`, the question with `--no-cache`, the question, and the question to a server that stays. For
every case the medians of CPU time in milliseconds (of a call to the server, whose work is done by children, of wall time), and the
medians of the ratios run by run; for every kind how its cases lie. The keeping of the run is a part of it. What is said with
and without kept parses is compared in each case, apart from how long it took; a case in which it differs ends the run with 1.
"""

import argparse
import collections
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
Cost = collections.namedtuple("Cost", "cpu wall")
Way = collections.namedtuple("Way", "name command text")
# What may differ between two runs that say the same.
VARYING = {"elapsed_ms", "run"}


def cost(command, text, tree, surroundings):
    start = time.perf_counter()
    child = subprocess.Popen(command, cwd=tree, env=surroundings, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    child.stdin.write(text.encode())
    child.stdin.close()
    _, _, used = os.wait4(child.pid, 0)
    child.returncode = 0
    return Cost((used.ru_utime + used.ru_stime) * 1e3, (time.perf_counter() - start) * 1e3)


class Server:
    """A server of the Model Context Protocol over one tree."""

    def __init__(self, program, tree, surroundings):
        command = [program, "mcp", "--offline", "--root", "."]
        self.child = subprocess.Popen(command, cwd=tree, env=surroundings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.count = 0
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}})

    def request(self, method, parameters):
        self.count += 1
        message = {"jsonrpc": "2.0", "id": self.count, "method": method, "params": parameters}
        self.child.stdin.write((json.dumps(message) + "\n").encode())
        self.child.stdin.flush()
        while json.loads(self.child.stdout.readline()).get("id") != self.count:
            pass

    def ask(self, kind, question):
        start = time.perf_counter()
        self.request("tools/call", {"name": "ask", "arguments": {"from_text" if kind == "from" else "question": question}})
        return (time.perf_counter() - start) * 1e3

    def end(self):
        self.child.stdin.close()
        self.child.wait()


def constant(report):
    if isinstance(report, dict):
        return {key: constant(value) for key, value in report.items() if key not in VARYING}
    return [constant(value) for value in report] if isinstance(report, list) else report


def said(way, tree, surroundings):
    # With a file `-` for a text, the options come before it.
    command = [way.command[0], "--format", "json", *way.command[1:]]
    done = subprocess.run(command, cwd=tree, env=surroundings, input=way.text, capture_output=True, text=True, check=False)
    return constant(json.loads(done.stdout)), done.returncode


def ways(program, kind, question, words):
    ask = ["ask", "--offline"]
    last, text = (["--from", "-"], question) if kind == "from" else (["--", question], "")
    return [
        Way("rg", ["rg", *words.split(), "."], ""),
        Way("cold", [program, *ask, "--no-cache", *last], text),
        Way("warm", [program, *ask, *last], text),
    ]


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("program", type=os.path.abspath)
    words.add_argument("folders", nargs="+", type=pathlib.Path)
    words.add_argument("--runs", type=int, default=5)
    words.add_argument("--kind")
    words.add_argument("--tree")
    given = words.parse_args()
    own = pathlib.Path(tempfile.mkdtemp())
    surroundings = dict(os.environ, XDG_CONFIG_HOME=str(own / "config"), XDG_STATE_HOME=str(own / "state"), XDG_CACHE_HOME=str(own / "cache"))
    by_kind, differing = collections.defaultdict(list), 0
    print(f"{'tree':9} {'kind':10} {'CPU: rg':>8} {'cold':>7} {'x rg':>5} {'warm':>7} {'x rg':>5}  {'wall: warm':>10} {'MCP':>6}  question")
    for line in (HERE / "cases.tsv").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, kind, question, rg = line.split("\t")
        tree = next((folder / name for folder in given.folders if (folder / name).is_dir()), None)
        if tree is None or given.kind not in (None, kind) or given.tree not in (None, name):
            continue
        all_ways = ways(given.program, kind, question, rg)
        _, cold, warm = all_ways
        first = said(cold, tree, surroundings)
        same = all(said(warm, tree, surroundings) == first for _ in range(2))
        differing += not same
        server = Server(given.program, tree, surroundings)
        rounds = [[cost(way.command, way.text, tree, surroundings) for way in all_ways] + [server.ask(kind, question)] for _ in range(given.runs + 1)][1:]
        server.end()
        cpu = [statistics.median(each[way].cpu for each in rounds) for way in range(3)]
        times = [statistics.median(each[way].cpu / max(each[0].cpu, 0.1) for each in rounds) for way in (1, 2)]
        wall = statistics.median(each[2].wall for each in rounds)
        mcp = statistics.median(each[3] for each in rounds)
        by_kind[kind].append(times)
        told = "" if same else "  DIFFERS"
        print(f"{name:9} {kind:10} {cpu[0]:8.0f} {cpu[1]:7.0f} {times[0]:5.1f} {cpu[2]:7.0f} {times[1]:5.1f}  {wall:10.0f} {mcp:6.0f}  {question}{told}", flush=True)
    for kind, ratios in by_kind.items():
        cold, warm = zip(*ratios)
        print(f"{kind:10} n={len(ratios):2}  cold: median {statistics.median(cold):.2f} x, most {max(cold):.2f} x  warm: median {statistics.median(warm):.2f} x, most {max(warm):.2f} x")
    sys.exit(1 if differing else 0)


main()
