#!/usr/bin/env python3
"""Measures what the ledger costs: the same claims by `verify --batch` in several processes, and by a fleet of as many workers on a file
and on a server of PostgreSQL that is started for it in a temporary folder.

    bench/fleet/run.py GROUNDS [CLAIMS [WORKERS]]

Prints wall and processor seconds; those of the server are counted too. Wall time says little where other programs run beside it.
"""
import glob
import json
import os
import pathlib
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time

NOBODY = 65534
grounds = os.path.abspath(sys.argv[1])
claims = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
workers = int(sys.argv[3]) if len(sys.argv) > 3 else 4
folder = pathlib.Path(tempfile.mkdtemp())
folder.chmod(0o755)
environment = os.environ | {f"XDG_{name}_HOME": str(folder / name) for name in ("CONFIG", "STATE", "CACHE")}


def corpus():
    for hand in ("handbook", "wiki"):
        (folder / "docs" / hand).mkdir(parents=True)
        for page in range(50):
            lines = [f"The default timeout of service {page * 20 + number} is {number + 10} seconds." for number in range(20)]
            (folder / "docs" / hand / f"{page}.md").write_text("# Services\n\n" + "\n\n".join(lines) + "\n")


def jobs():
    for number in range(claims):
        yield {"id": f"c{number}", "claim": f"The default timeout of service {number % 1000} is {number % 20 + 10} seconds, case {number}"}


def seconds(commands, extra=None):
    """Wall and processor seconds of commands that run at one time."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    running = [subprocess.Popen(command, cwd=folder, env=environment | (extra or {}), stdout=subprocess.DEVNULL) for command in commands]
    for process in running:
        if process.wait() != 0:
            sys.exit(f"failed: {process.args}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - start, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def told(name, wall, processor, more=0.0):
    total = processor + more
    print(f"{name:34} {wall:8.2f} s wall {total:8.2f} s processor {total / claims * 1000:7.3f} ms a claim", flush=True)


def batch():
    parts = [folder / f"part{number}.jsonl" for number in range(workers)]
    lines = [json.dumps(job) for job in jobs()]
    for number, part in enumerate(parts):
        part.write_text("\n".join(lines[number::workers]) + "\n")
    return [[grounds, "verify", "--batch", part, "--out", f"{part}.out", "--corpus", "docs", "--jobs", "1", "-q"] for part in parts]


def work():
    return [[grounds, "fleet", "work", "--until-empty", "--corpus", "docs", "--jobs", "1"]] * workers


def fleet(name, ledger, processor_of_server=lambda: 0.0):
    extra = {"GROUNDS_FLEET_LEDGER": ledger}
    (folder / "jobs.jsonl").write_text("".join(json.dumps({"kind": "claim"} | job) + "\n" for job in jobs()))
    seconds([[grounds, "fleet", "migrate"]], extra)
    before = processor_of_server()
    told(f"{name}: submit", *seconds([[grounds, "fleet", "submit", "jobs.jsonl", "--corpus", "docs"]], extra), processor_of_server() - before)
    before = processor_of_server()
    told(f"{name}: {workers} workers", *seconds(work(), extra), processor_of_server() - before)


def server():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[-2]))
    if not found:
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data = folder / "data"
    data.mkdir()
    identity = {}
    if os.getuid() == 0:
        os.chown(data, NOBODY, NOBODY)
        identity = {"user": NOBODY, "group": NOBODY}
    subprocess.run([f"{found[-1]}/initdb", "-U", "owner", "--auth=trust", "--locale=C", "-E", "UTF8", "-D", data], check=True, stdout=subprocess.DEVNULL, **identity)
    process = subprocess.Popen([f"{found[-1]}/postgres", "-D", data, "-p", str(port), "-k", data], stderr=subprocess.DEVNULL, **identity)

    def processor():
        # The server and what it waited for, and its children that still run.
        total = 0
        for stat in glob.glob("/proc/[0-9]*/stat"):
            try:
                fields = pathlib.Path(stat).read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if stat.split("/")[2] == str(process.pid):
                total += sum(map(int, fields[11:15]))
            elif fields[1] == str(process.pid):
                total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")

    address = f"postgres://owner@127.0.0.1:{port}/postgres"
    for _ in range(200):
        if subprocess.run([grounds, "fleet", "migrate", "--ledger", address], env=environment, capture_output=True).returncode == 0:
            break
        time.sleep(0.1)
    fleet("PostgreSQL", address, processor)
    process.terminate()
    process.wait()


corpus()
# The index of the documents is made once, before anything is measured.
first = folder / "first.jsonl"
first.write_text('{"id": "w", "claim": "The default timeout of service 1 is 11 seconds"}\n')
seconds([[grounds, "verify", "--batch", first, "--out", "first.out", "--corpus", "docs", "-q"]])
told(f"verify --batch: {workers} processes", *seconds(batch()))
fleet("SQLite", str(folder / "fleet.sqlite3"))
server()
shutil.rmtree(folder)
