"""What the scripts of this folder share: a client of the server, a counter of tokens, `rg`, and an oracle of calls.

The oracle knows nothing of grounds: definitions and the functions that hold a line are those of universal-ctags, and a call is what
Pygments says is a name (no comment, no text) that a bracket follows, outside of the lines that define the name; in C and its kin, where a
declaration looks the same, only inside of functions. It knows no types: two functions of one name are one to it, which is why names
with one definition are drawn. Languages that call without brackets are not its own.
"""

import bisect
import collections
import functools
import json
import os
import pathlib
import re
import subprocess
import tempfile

import pygments.lexers
import pygments.token
import pygments.util

Definition = collections.namedtuple("Definition", "name path line end kind scope")

FUNCTIONS = {"function", "method", "member", "func", "f", "singletonMethod", "subroutine", "procedure", "macro"}
TYPES = {"class", "struct", "interface", "trait", "enum", "typedef", "type", "module", "object", "record", "protocol"}
RG_LINES_MAX = 100
# Endings of files whose calls have brackets.
CALLED_BY_BRACKETS = set("py rs go js mjs cjs jsx ts tsx java kt scala swift php c cc cpp cxx h hpp hxx cs".split())
DECLARING = set("c cc cpp cxx h hpp hxx cs".split())


class Tokens:
    """Tokens of o200k, counted by the example `tokens` of the crate grounds-model."""

    def __init__(self, program):
        self.child = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    @functools.lru_cache(maxsize=100_000)
    def count(self, text):
        if not text:
            return 0
        self.child.stdin.write(json.dumps(text) + "\n")
        self.child.stdin.flush()
        return int(self.child.stdout.readline())


class Server:
    """A session with `grounds mcp` over one tree, or with another server that is started by a command."""

    def __init__(self, command, tree):
        self.state = tempfile.TemporaryDirectory()
        around = {**os.environ, "XDG_STATE_HOME": self.state.name, "XDG_CONFIG_HOME": self.state.name, "XDG_CACHE_HOME": self.state.name}
        self.child = subprocess.Popen(command, cwd=tree, env=around, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.number = 0
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.request("initialize", hello)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.child.stdin.write(json.dumps(message) + "\n")
        self.child.stdin.flush()

    def request(self, method, parameters):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters})
        for line in self.child.stdout:
            message = json.loads(line)
            if message.get("id") == self.number and "method" not in message:
                return message
        raise SystemExit("the server is gone")

    def call(self, tool, arguments):
        return self.request("tools/call", {"name": tool, "arguments": arguments})["result"]

    def end(self):
        self.child.stdin.close()
        self.child.wait(timeout=30)


def grounds(program, tree):
    return Server([str(pathlib.Path(program).resolve()), "mcp", "--root", str(tree), "--offline", "--no-model"], tree)


def cited(result):
    """The lines that a result of grounds shows, cited ones and leads: (path, line) with what the line stands in, if that is said."""
    report, places = result["structuredContent"], {}
    for part in [report, *report.get("parts", []), *report.get("each", [])]:
        path, of_path = None, []
        for line in part.get("text", "").split("\n"):
            if line.startswith("  ") and path:
                of_path.append(line[2:])
            elif line:
                places |= placed(path, of_path)
                path, of_path = line, []
        places |= placed(path, of_path)
        for path, lines in files(part.get("citations", {})):
            places |= placed(path, lines)
    return places


def files(citations, folder=""):
    """The files of citations, which name a folder that several share once."""
    for name, below in citations.items():
        if isinstance(below, list):
            yield folder + name, below
        else:
            yield from files(below, folder + name)


def placed(path, lines):
    """The places of the lines of a file: `12 A::f: code`, `15: code` in the same function, `18 ::g: code` of the same type."""
    places, inside = {}, ""
    for line in lines:
        found = re.match(r"(\d+(?:,\d+)*)(?: (.+?))?: ", line)
        if not found:
            continue
        if label := found[2]:
            inside = inside.rpartition("::")[0] + label if label.startswith("::") else label
        places |= {(path, number): inside for number in numbers(found[1])}
    return places


def numbers(text):
    """The lines of `12,15`."""
    return [int(number) for number in text.split(",")]


def rg(words, tree):
    run = subprocess.run(["rg", "--sort", "path", "--color", "never", *words], cwd=tree, capture_output=True)
    return run.stdout.decode("utf-8", "replace")


def rg_places(output):
    """The (path, line) pairs that `rg -n` printed."""
    places = []
    for line in output.split("\n"):
        found = re.match(r"([^:]+):(\d+):", line)
        if found:
            places.append((found[1].removeprefix("./"), int(found[2])))
    return places


class Oracle:
    """Definitions and calls of a tree."""

    def __init__(self, tree):
        self.tree = pathlib.Path(tree)
        run = subprocess.run(
            ["ctags", "--output-format=json", "--fields=+neKsZ", "--extras=-F", "--languages=-Markdown,JSON,HTML,CSS,Make,ReStructuredText,Diff,Iniconf,XML,Yaml",
             "-R", "-o", "-", "."],
            cwd=tree, capture_output=True)
        self.definitions = []
        for line in run.stdout.decode("utf-8", "replace").split("\n"):
            if not line.startswith("{"):
                continue
            tag = json.loads(line)
            if tag.get("_type") == "tag" and "line" in tag:
                path = tag["path"].removeprefix("./")
                end = tag.get("end") or self.end_of(path, tag["line"])
                self.definitions.append(Definition(tag["name"], path, tag["line"], end, tag.get("kind", ""), tag.get("scope", "")))
        self.named = collections.defaultdict(list)
        self.functions_of = collections.defaultdict(list)
        for one in self.definitions:
            self.named[one.name].append(one)
            if one.kind in FUNCTIONS:
                self.functions_of[one.path].append(one)

    @functools.lru_cache(maxsize=64)
    def lines_of(self, path):
        try:
            return (self.tree / path).read_text("utf-8", "replace").split("\n")
        except OSError:
            return []

    def end_of(self, path, line):
        """Where an item ends of whose language ctags does not tell it (Rust): at the bracket that is no further in than its head."""
        lines = self.lines_of(path)
        indent = lambda text: len(text) - len(text.lstrip())
        head = indent(lines[line - 1]) if line <= len(lines) else 0
        if line > len(lines) or lines[line - 1].rstrip().endswith(("}", ";")):
            return line
        for at in range(line + 1, len(lines) + 1):
            text = lines[at - 1]
            if text.strip().startswith("}") and indent(text) <= head:
                return at
        return line

    @functools.lru_cache(maxsize=None)
    def tokens_of(self, path):
        """The names of a file that are code: (line, name, whether a bracket follows)."""
        try:
            text = (self.tree / path).read_text("utf-8", "strict")
            lexer = pygments.lexers.get_lexer_for_filename(path, stripnl=False, ensurenl=False)
        except (OSError, UnicodeDecodeError, pygments.util.ClassNotFound):
            return None
        starts = [0] + [found.end() for found in re.finditer("\n", text)]
        names, last = [], None
        for at, kind, value in lexer.get_tokens_unprocessed(text):
            if not value.strip():
                continue
            if last:
                names.append((*last, value.lstrip().startswith("(")))
                last = None
            outside = kind in pygments.token.Comment or kind in pygments.token.String
            if not outside:
                for found in re.finditer(r"[A-Za-z_$][\w$]*[!?]?", value):
                    line = bisect.bisect_right(starts, at + found.start())
                    if found.end() == len(value):
                        last = (line, found[0])
                    else:
                        names.append((line, found[0], value[found.end():].lstrip().startswith("(")))
        return names

    def calls(self, name, files):
        """The (path, line) pairs of calls of a name in these files; `None` if one of them could not be read."""
        defined = {(one.path, one.line) for one in self.named[name]}
        found = set()
        for path in files:
            ending = path.rsplit(".", 1)[-1]
            if ending not in CALLED_BY_BRACKETS:
                continue
            names = self.tokens_of(path)
            if names is None:
                return None
            of_file = {(path, line) for line, word, is_call in names if word == name and is_call}
            found |= {place for place in of_file if ending not in DECLARING or self.around(*place)}
        return found - defined

    def around(self, path, line):
        """The innermost function that holds a line; `None` outside of all."""
        holding = [one for one in self.functions_of[path] if one.line <= line <= one.end]
        return max(holding, key=lambda one: one.line, default=None)


def quartiles(values):
    """First quartile, median, third quartile, as text."""
    ordered = sorted(values)
    if not ordered:
        return "-"
    at = lambda share: ordered[min(len(ordered) - 1, int(share * (len(ordered) - 1) + 0.5))]
    return f"{at(0.5):,} ({at(0.25):,} to {at(0.75):,})"
