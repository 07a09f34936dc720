"""What the server costs: python3 crates/grounds/benches/mcp.py PROGRAM FOLDER QUESTION [COUNT]

Calls of the server and plain commands in turn, so that a busy machine slows both; the
medians of each and of the differences, the memory of the server, and 50 calls at once.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM, FOLDER, QUESTION = sys.argv[1:4]
COUNT = int(sys.argv[4]) if len(sys.argv) > 4 else 50
SURROUNDINGS = dict(os.environ, XDG_CONFIG_HOME="/nonexistent", XDG_STATE_HOME=tempfile.mkdtemp())
CALL = {"name": "ask", "arguments": {"question": QUESTION}}


class Session:
    def __init__(self):
        self.server = subprocess.Popen([PROGRAM, "mcp"], cwd=FOLDER, env=SURROUNDINGS, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count = 0

    def send(self, method, parameters):
        self.count += 1
        message = {"jsonrpc": "2.0", "id": self.count, "method": method, "params": parameters}
        self.server.stdin.write((json.dumps(message) + "\n").encode())
        self.server.stdin.flush()
        return self.count

    def read(self):
        return json.loads(self.server.stdout.readline())

    def request(self, method, parameters):
        wanted = self.send(method, parameters)
        while (message := self.read()).get("id") != wanted:
            pass
        return message

    def memory(self):
        with open(f"/proc/{self.server.pid}/status") as status:
            fields = dict(line.split(":", 1) for line in status)
        return f"{fields['VmRSS'].split()[0]} KiB resident, {fields['RssAnon'].split()[0]} of its own, {fields['VmHWM'].split()[0]} at most"


def timed(work):
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e3


def plain():
    command = [PROGRAM, "--format", "json", "ask", QUESTION]
    subprocess.run(command, cwd=FOLDER, env=SURROUNDINGS, stdout=subprocess.DEVNULL, check=False)


def main():
    session = Session()
    begin = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
    print(f"start to the first answer: {timed(lambda: session.request('initialize', begin)):.0f} ms; idle: {session.memory()}")
    pairs = [(timed(plain), timed(lambda: session.request("tools/call", CALL))) for _ in range(COUNT)]
    plain_ms, served_ms = (statistics.median(column) for column in zip(*pairs))
    more_ms = statistics.median(served - alone for alone, served in pairs)
    print(f"medians of {COUNT}: plain {plain_ms:.0f} ms, served {served_ms:.0f} ms, difference {more_ms:.0f} ms")
    print(f"ping: {statistics.median(timed(lambda: session.request('ping', {})) for _ in range(COUNT)):.1f} ms; then: {session.memory()}")

    def fifty():
        waiting = {session.send("tools/call", CALL) for _ in range(50)}
        while waiting:
            waiting.discard(session.read().get("id"))

    print(f"50 calls at once: {timed(fifty) / 1e3:.1f} s; then: {session.memory()}")
    print(f"50 plain commands, one after the other: {timed(lambda: [plain() for _ in range(50)]) / 1e3:.1f} s")
    session.server.stdin.close()
    session.server.wait()


main()
