#!/usr/bin/env python3
"""Measures what traces cost: the same claims by a fleet without traces, with a collector that takes everything, and with one that is down.

    bench/fleet/traces.py GROUNDS [CLAIMS [ROUNDS]]

GROUNDS is built with the feature `telemetry`. Prints the processor time of the worker, and what the collector got.
"""
import http.server
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading

grounds = os.path.abspath(sys.argv[1])
claims = int(sys.argv[2]) if len(sys.argv) > 2 else 500
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
folder = pathlib.Path(tempfile.mkdtemp())
environment = os.environ | {f"XDG_{name}_HOME": str(folder / name) for name in ("CONFIG", "STATE", "CACHE")}
taken = {"requests": 0, "bytes": 0}


class Collector(http.server.BaseHTTPRequestHandler):
    """Takes everything and looks at nothing."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        taken["requests"] += 1
        taken["bytes"] += len(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def files():
    for hand in ("handbook", "wiki"):
        (folder / "docs" / hand).mkdir(parents=True)
        for page in range(50):
            lines = [f"The default timeout of service {page * 20 + number} is {number + 10} seconds." for number in range(20)]
            (folder / "docs" / hand / f"{page}.md").write_text("# Services\n\n" + "\n\n".join(lines) + "\n")
    with open(folder / "jobs.jsonl", "w") as jobs:
        for number in range(claims):
            claim = f"The default timeout of service {number % 1000} is {number % 20 + 10} seconds, case {number}"
            jobs.write(json.dumps({"kind": "claim", "id": f"c{number}", "claim": claim}) + "\n")


def work(name, number, extra):
    variables = environment | {"GROUNDS_FLEET_LEDGER": str(folder / f"{name}{number}.sqlite3")} | extra
    call = [grounds, "--no-store", "fleet"]
    sources = ["--corpus", "docs"]
    quiet = {"cwd": folder, "check": True, "stdout": subprocess.DEVNULL}
    subprocess.run([*call, "submit", "jobs.jsonl", *sources], env=variables, **quiet)
    taken.update(requests=0, bytes=0)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*call, "work", "--until-empty", "--jobs", "2", *sources], env=variables, **quiet)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    print(
        f"{name:8} {processor / claims * 1000:7.3f} ms of processor a claim, {taken['requests']} requests,"
        f" {taken['bytes'] / claims:.0f} bytes a claim",
        flush=True,
    )


files()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
threading.Thread(target=server.serve_forever, daemon=True).start()
for number in range(rounds):
    work("without", number, {})
    work("with", number, {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{server.server_port}"})
    work("down", number, {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"})
