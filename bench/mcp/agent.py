"""Facts that a question needs against the tokens that an agent spends to see them, by a scripted agent without a model.

    python3 bench/mcp/agent.py GROUNDS TOKENS --tree NAME=FOLDER... [--greppy FILE] [--swe-qa FILE] [--probe PROGRAM] [--serena PROGRAM]
        [--budget N] [--rows FILE]

Questions come from two public sets whose trees are named with --tree, at the commits of the sets. Of greppy's tasks
(metric-space-ai/greppy, bench/agent_efficiency): who calls a function, whose facts are the known callers, each seen when a line with the call
and the head of the function around it were read, or a result named the function beside the line; and "which routine does ...", whose fact
is the line of the definition. Of SWE-QA (peng-weihan/SWE-QA-Bench): the files that the reference answer names, and where it names lines, one
of these lines.

The ways, each with the same policy of reading:

grep            `rg -n -w TERM` for the names in the question (in prose: its five longest words, in any case), 100 lines of each; then the hits
                are opened, 20 lines before and after, those with most of the terms first, tests last, until all facts were seen, nothing is
                left, or the budget is spent. Where the head of a function is not in the window, up to 120 lines above are read.
grounds         the question as it is to `ask`; as grep where it was refused. What was answered is believed, so facts that it lacks are lost.
grounds, on     the same, but grep goes on wherever a fact is lacking.
claim           for callers: `ask` with calls(_, "NAME") in place of the sentence, as an agent that knows the tool would; then as grounds.
probe           `probe search` with the same terms, 10,000 tokens at most, which is what its server returns; then as grep.
serena          for callers: find_symbol, then find_referencing_symbols of each definition; then as grep.

Counted are tokens of o200k of all that is sent and read; the list of tools, which a session pays once, is printed apart. The agent states as
callers what it saw: false is one that the oracle (common.py) contradicts: no code with that name on the line, or another function around it.
What grounds answers to SWE-QA without one of the files that the reference names is counted as beside it; it need not be false.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess

import common

WINDOW = 20
ABOVE_MAX = 120
TERMS_MAX = 5
PROBE_TOKENS_MAX = 10_000
Fact = collections.namedtuple("Fact", "lines head")
Question = collections.namedtuple("Question", "id tree text symbol facts")

STOP = set("""about above across after again against along also although always among another because been before being between both called
could does doing done during each either else ensure every from function functions further give given handle handles happen happens have having
help here into itself just like made make makes many method methods might more most much must name need needs only other over point rather
responsible same should some such take than that their them then there these they this those through under until upon used uses using
various very what when where whether which while will with within without work works would code implement implements class module purpose
relationship routine behavior mechanism specific system""".split())


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("grounds")
    parser.add_argument("tokens")
    parser.add_argument("--tree", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--greppy", type=pathlib.Path)
    parser.add_argument("--swe-qa", type=pathlib.Path)
    parser.add_argument("--probe")
    parser.add_argument("--serena")
    parser.add_argument("--budget", type=int, default=20_000)
    parser.add_argument("--rows", type=pathlib.Path)
    return parser.parse_args()


def of_greppy(path, oracles):
    for line in path.read_text().splitlines():
        row = json.loads(line)
        name = f"greppy-{row['repo']}"
        if name not in oracles:
            continue
        oracle, check, target = oracles[name], row["check"], row["target"]
        if check["kind"] == "search_symbols":
            at = [one.line for one in oracle.named[check["query"]] if one.path == target["file"]]
            facts = [Fact(frozenset((target["file"], line) for line in at), None)] if at else []
            yield "routine", Question(row["id"], name, row["q"], None, facts)
        elif check["kind"] in ("who_calls", "impact"):
            symbol = check.get("symbol") or re.search(r"`(\w+)`", row["q"])[1]
            facts = [fact_of_caller(oracle, symbol, member) for member in check["expect_members"]]
            yield "callers", Question(row["id"], name, row["q"], symbol, [fact for fact in facts if fact.lines])


def fact_of_caller(oracle, symbol, member):
    files = {path for path, _ in common.rg_places(common.rg(["-n", "-w", symbol], oracle.tree))}
    calls = oracle.calls(symbol, [path for path in files if oracle.tokens_of(path) is not None])
    inside = [(call, oracle.around(*call)) for call in calls]
    held = {call: (around.path, around.line) for call, around in inside if around and around.name == member}
    return Fact(frozenset(held), held)


def of_swe_qa(path, oracles):
    for number, line in enumerate(path.read_text().splitlines()):
        row = json.loads(line)
        if row["repo"] in oracles:
            facts = facts_of_text(row["answer"], oracles[row["repo"]].tree)
            yield "swe-qa", Question(f"{row['repo']}-{number}", row["repo"], row["question"], None, facts)


def facts_of_text(text, tree):
    """The files that a text names, each with the lines that follow its name."""
    facts = {}
    mentions = list(re.finditer(r"[\w./-]*\w\.(?:py|rst|toml|cfg|ini|txt|md|sql|yml)\b", text))
    for here, after in zip(mentions, [*mentions[1:], None]):
        file = tree / here[0].lstrip("./")
        if not file.is_file():
            continue
        name = here[0].lstrip("./")
        until = min(here.end() + 60, after.start() if after else len(text))
        found = re.match(r"[`)\s,(]*(?:at |on |,)?\s*(?:lines?|:|L)\s*(\d+)(?:\s*(?:-|–|to)\s*(\d+))?", text[here.end() : until])
        if found:
            first, last = int(found[1]), int(found[2] or found[1])
            facts[(name, first)] = Fact(frozenset((name, line) for line in range(first, min(last, first + 500) + 1)), None)
        facts.setdefault((name, 0), Fact(frozenset([(name, None)]), None))
    with_lines = {name for name, first in facts if first}
    return [fact for (name, first), fact in facts.items() if first or name not in with_lines]


def terms_of(question):
    """What an agent would search for, and whether these are names."""
    names = re.findall(r"`([\w.:]+)`", question.text) or re.findall(r"\b(\w*[a-z]\w*_\w+|_\w+|[A-Z]\w*[a-z]\w*[A-Z]\w*|\w+\.\w+\(?)", question.text)
    names = list(dict.fromkeys(re.split(r"[.:]+", name.rstrip("("))[-1] for name in names))
    if names:
        return names[:TERMS_MAX], True
    words = [word.lower() for word in re.findall(r"[A-Za-z]{4,}", question.text)]
    words = list(dict.fromkeys(word for word in words if word not in STOP))
    return sorted(words, key=lambda word: (-len(word), word))[:TERMS_MAX], False


class Agent:
    """What an agent has read, what that cost, and what it would state."""

    def __init__(self, question, oracle, tokens, budget):
        self.question, self.oracle, self.tokens, self.budget = question, oracle, tokens, budget
        self.spent, self.seen, self.named, self.stated = 0, set(), {}, set()

    def pays(self, *texts):
        self.spent += sum(self.tokens.count(text) for text in texts)

    def sees(self, places):
        self.seen |= set(places)

    def has(self, fact):
        for place in fact.lines:
            if place[1] is None:
                if any(path == place[0] for path, _ in self.seen):
                    return True
            elif place in self.seen and (fact.head is None or fact.head[place] in self.seen or self.named.get(place)):
                return True
        return False

    def lacks(self):
        return sum(not self.has(fact) for fact in self.question.facts)

    def read(self, path, first, last):
        lines = (self.oracle.tree / path).read_text("utf-8", "replace").split("\n")
        first, last = max(1, first), min(len(lines), last)
        self.pays(f"sed -n {first},{last}p {path}", "\n".join(lines[first - 1 : last]))
        self.sees((path, line) for line in range(first, last + 1))
        return lines

    def greps(self):
        """Searches and opens, until nothing is lacking or left."""
        terms, are_names = terms_of(self.question)
        hits = collections.defaultdict(set)
        for term in terms:
            words = ["-n", "-w", *([] if are_names else ["-i"]), term]
            output = "\n".join(common.rg(words, self.oracle.tree).split("\n")[: common.RG_LINES_MAX])
            self.pays(f"rg {' '.join(words)}", output)
            for place in common.rg_places(output):
                hits[place].add(term)
                self.sees([place])
            if not self.lacks() and self.question.symbol is None:
                return
        for place in sorted(hits, key=lambda place: rank(place, hits)):
            if not self.lacks() or self.spent >= self.budget:
                return
            self.opens(*place)

    def opens(self, path, line):
        around = range(line - 1, line + 2)
        if all((path, one) in self.seen for one in around if one > 0):
            return
        lines = self.read(path, line - WINDOW, line + WINDOW)
        symbol, above = self.question.symbol, line - WINDOW
        if symbol is None or not re.search(rf"\b{re.escape(symbol)}\s*\(", lines[line - 1]):
            return
        while (head := head_above(lines, line, above)) is None and above > max(1, line - ABOVE_MAX):
            self.read(path, above - 2 * WINDOW, above - 1)
            above -= 2 * WINDOW
        if head:
            self.states(path, line, head)

    def states_what_it_sees(self):
        """The callers of all calls that were read together with the head above them."""
        symbol = self.question.symbol
        for path, line in sorted(self.seen) if symbol else []:
            lines = self.oracle.lines_of(path)
            if line > len(lines) or not re.search(rf"\b{re.escape(symbol)}\s*\(", lines[line - 1]):
                continue
            first = line
            while (path, first - 1) in self.seen:
                first -= 1
            head = head_above(lines, line, first)
            if head:
                self.states(path, line, head)

    def states(self, path, line, name):
        if not is_head(self.line(path, line), self.question.symbol):
            self.stated.add((path, line, name))

    def line(self, path, line):
        lines = (self.oracle.tree / path).read_text("utf-8", "replace").split("\n")
        return lines[line - 1] if line <= len(lines) else ""

    def false(self):
        """What it stated and the oracle contradicts."""
        return [stated for stated in self.stated if not self.is_true(*stated)]

    def is_true(self, path, line, name):
        names = self.oracle.tokens_of(path) or []
        around = self.oracle.around(path, line)
        is_there = any(at == line and word == self.question.symbol for at, word, _ in names)
        return is_there and around is not None and around.name == name


HEAD = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+|async\s+|const\s+|unsafe\s+)*(?:def|fn)\s+(\w+)")


def is_head(line, symbol):
    found = HEAD.match(line)
    return found is not None and found[1] == symbol


def head_above(lines, line, first):
    """The function whose head is nearest above a line with less indentation."""
    indent = lambda text: len(text) - len(text.lstrip())
    own = indent(lines[line - 1])
    for at in range(line - 1, max(0, first - 1), -1):
        found = HEAD.match(lines[at - 1])
        if found and indent(lines[at - 1]) < own:
            return found[1]
    return None


def rank(place, hits):
    path, line = place
    near = set().union(*(hits[(path, one)] for one in range(line - WINDOW, line + WINDOW + 1) if (path, one) in hits))
    in_file = sum(1 for other, _ in hits if other == path)
    return (-len(near), bool(re.search(r"(^|/)tests?(/|_)|test_", path)), -in_file, path, line)


def asks(agent, server, given):
    """One call of `ask`; what came, and whether it was answered."""
    result = server.call("ask", given)
    report = result["structuredContent"]
    agent.pays(json.dumps(given, ensure_ascii=False), json.dumps(report, ensure_ascii=False, separators=(",", ":")))
    places = common.cited(result)
    agent.sees(places)
    answered = report["outcome"] in ("answered", "false")
    for (path, line), inside in places.items():
        name = re.split(r"[.:]+", inside)[-1]
        around = agent.oracle.around(path, line)
        agent.named[(path, line)] = around is not None and around.name == name
        if answered and agent.question.symbol and re.fullmatch(r"[\w.:]+", inside) and inside not in KINDS:
            agent.states(path, line, name)
    return answered


KINDS = {"function", "method", "struct", "class", "import", "type", "constant", "variable", "field", "documentation", "enum", "trait", "use", "reference", "call"}


def of_grounds(agent, server, given, goes_on):
    answered = asks(agent, server, given)
    lacked = agent.lacks()
    beside = answered and lacked == len(agent.question.facts)
    if lacked and (goes_on or not answered):
        agent.greps()
    return {"answered": answered, "beside": beside}


def of_probe(agent, program):
    terms, _ = terms_of(agent.question)
    words = ["search", " ".join(terms), ".", "--max-tokens", str(PROBE_TOKENS_MAX), "--allow-tests"]
    run = subprocess.run([program, *words], cwd=agent.oracle.tree, capture_output=True)
    output = run.stdout.decode("utf-8", "replace")
    agent.pays(f"probe {' '.join(words)}", output)
    path = None
    for line in output.split("\n"):
        if line.startswith("File: "):
            file = pathlib.Path(line[6:].strip())
            path = str(file.relative_to(agent.oracle.tree)) if file.is_absolute() else str(file).removeprefix("./")
        elif path and (found := re.match(r"\s*(\d+)  ?", line)):
            agent.sees([(path, int(found[1]))])
    agent.states_what_it_sees()
    if agent.lacks():
        agent.greps()
    return {}


def of_serena(agent, server):
    """The references of each definition of the name, as its server shows them."""
    given = {"name_path_pattern": agent.question.symbol}
    result = server.call("find_symbol", given)
    text = "".join(part.get("text", "") for part in result.get("content", []))
    agent.pays(json.dumps(given), text)
    try:
        found = json.loads(text)
    except ValueError:
        found = []
    for one in found if isinstance(found, list) else []:
        given = {"name_path": one["name_path"], "relative_path": one["relative_path"]}
        result = server.call("find_referencing_symbols", given)
        told = "".join(part.get("text", "") for part in result.get("content", []))
        agent.pays(json.dumps(given), told)
        serena_places(agent, told)
    if agent.lacks():
        agent.greps()
    return {}


def serena_places(agent, text):
    """Where each referencing symbol is and what it is called: {path: {kind: [{name_path, reference line}]}}, in its several forms."""
    try:
        told = json.loads(text)
    except ValueError:
        return
    def walk(value, path):
        if isinstance(value, dict):
            path = value.get("relative_path", path)
            name = value.get("name_path") or value.get("name")
            around = json.dumps(value.get("content_around_reference", ""))
            for found in re.finditer(r">\s*(\d+):", around):
                # Its lines are counted from 0.
                place = (path, int(found[1]) + 1)
                agent.sees([place])
                if isinstance(name, str) and path:
                    here, parts = agent.oracle.around(*place), name.split("/")
                    # A variable in a function is named with the function before it.
                    name = here.name if here and here.name in parts else parts[-1]
                    agent.named[place] = here is not None and here.name == name
                    agent.states(*place, name)
            for key, inner in value.items():
                walk(inner, key if "." in key and "/" in key or key.endswith((".py", ".rs")) else path)
        elif isinstance(value, list):
            for inner in value:
                walk(inner, path)
    walk(told, None)


def ways(question, servers, given):
    sentence = {"question": question.text}
    server = servers["grounds"]
    yield "grep", lambda agent: agent.greps() or {}
    yield "grounds", lambda agent: of_grounds(agent, server, sentence, False)
    yield "grounds, on", lambda agent: of_grounds(agent, server, sentence, True)
    if question.symbol:
        claim = {"claims": [f'calls(_, "{question.symbol}")']}
        yield "claim", lambda agent: of_grounds(agent, server, claim, False)
    if given.probe:
        yield "probe", lambda agent: of_probe(agent, given.probe)
    if question.symbol and "serena" in servers:
        yield "serena", lambda agent: of_serena(agent, servers["serena"])


def told(rows):
    print("\n| questions | way | number | all facts seen | facts seen | tokens where all were seen: median (quartiles) | tokens of all | callers stated | of them false |")
    print("|---|---|---|---|---|---|---|---|---|")
    order = ["grep", "grounds", "grounds, on", "claim", "probe", "serena"]
    for kind in dict.fromkeys(row["kind"] for row in rows):
        for way in order:
            of_way = [row for row in rows if row["kind"] == kind and row["way"] == way]
            if not of_way:
                continue
            seen = [row for row in of_way if row["lacks"] == 0]
            facts, lacks = sum(row["facts"] for row in of_way), sum(row["lacks"] for row in of_way)
            stated, false = sum(row["stated"] for row in of_way), sum(len(row["false"]) for row in of_way)
            told = f"{stated} | {false}" if kind == "callers" else "- | -"
            spent = [common.quartiles([row["spent"] for row in of]) for of in (seen, of_way)]
            print(f"| {kind} | {way} | {len(of_way)} | {len(seen)} | {facts - lacks} of {facts} | {spent[0]} | {spent[1]} | {told} |")
        asked = [row for row in rows if row["kind"] == kind and row["way"] == "grounds"]
        print(f"\n{kind}: grounds answered {sum(row['answered'] for row in asked)} of {len(asked)}, {sum(row['beside'] for row in asked)} of them without one of the facts\n")


def main():
    given = arguments()
    tokens = common.Tokens(given.tokens)
    folders = dict(one.split("=", 1) for one in given.tree)
    oracles = {name: common.Oracle(pathlib.Path(folder).resolve()) for name, folder in folders.items()}
    questions = []
    for path, reader in [(given.greppy, of_greppy), (given.swe_qa, of_swe_qa)]:
        questions += list(reader(path, oracles)) if path else []
    left_out = [question.id for _, question in questions if not question.facts]
    rows, servers, open_tree = [], {}, None
    for kind, question in sorted((one for one in questions if one[1].facts), key=lambda one: one[1].tree):
        oracle = oracles[question.tree]
        if open_tree != question.tree:
            for server in servers.values():
                server.end()
            servers = {"grounds": common.grounds(given.grounds, oracle.tree)}
            if given.serena and kind == "callers":
                command = [given.serena, "start-mcp-server", "--project", str(oracle.tree), "--enable-web-dashboard", "false", "--context", "ide", "--agent-interface", "tools", "--language-backend", "LSP"]
                servers["serena"] = common.Server(command, oracle.tree)
            open_tree = question.tree
            for name, server in servers.items():
                listed = json.dumps(server.request("tools/list", {})["result"], ensure_ascii=False, separators=(",", ":"))
                print(f"{question.tree}: tools/list of {name} costs {tokens.count(listed):,} tokens", flush=True)
        for way, run in ways(question, servers, given):
            agent = Agent(question, oracle, tokens, given.budget)
            extra = run(agent)
            rows.append({"kind": kind, "way": way, "id": question.id, "facts": len(question.facts), "lacks": agent.lacks(), "spent": agent.spent,
                         "stated": len(agent.stated), "false": sorted(agent.false()), **(extra or {})})
    for server in servers.values():
        server.end()
    if given.rows:
        given.rows.write_text("".join(json.dumps(row) + "\n" for row in rows))
    print(f"{len(left_out)} questions without facts in these trees are left out: {' '.join(left_out)}")
    told(sorted(rows, key=lambda row: row["kind"]))


main()
