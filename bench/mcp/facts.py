"""What a fact costs an agent: a result of `grounds mcp` beside `rg` for the same name, in tokens.

    python3 bench/mcp/facts.py GROUNDS TOKENS MIRRORS [--trees N] [--facts N] [--calls N] [--seed N] [--skip FILE] [--rows FILE]

GROUNDS is the program. TOKENS is the counter: `cargo build -p grounds-model --example tokens`. MIRRORS lists clones, one a line:
owner/name, a tab, and the folder of its git, or a work tree. Of those that --skip does not list, trees are drawn by the seed; of a folder of git they
are laid out with `git archive`, so that results name no commit. In each tree, facts are drawn by the seed among what universal-ctags knows: where a name with one definition is defined, and
who calls a function with one definition and 1 (or --calls) to 20 lines with calls, which an oracle without grounds finds (see common.py).

Three ways for each fact: a question to the server; `rg -n -w NAME`; the same, its first 100 lines. Counted are the tokens of the
vocabulary o200k in what an agent reads (of a result, its structured content; the text for clients that show no other, beside it), and whether
the fact is there: the line of the definition, or all lines with calls. A result that says ANSWERED and lacks one, or cites a line that the
oracle does not know as a call, is counted apart. It needs rg, ctags, git and the Python package pygments.
"""

import argparse
import collections
import contextlib
import json
import pathlib
import random
import re
import subprocess
import tempfile

import common

CALLS_MAX = 20
FILES_MAX = 4_000
NAME_LETTERS_MIN = 4
# What a result may cost, and how many calls are many.
DEFINITION_TOKENS = 120
CALLERS_TOKENS = 350
MANY_CALLS = 8
ABOUT_TEN_CALLS_MAX = 12


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("grounds")
    parser.add_argument("tokens")
    parser.add_argument("mirrors", type=pathlib.Path)
    parser.add_argument("--trees", type=int, default=20)
    parser.add_argument("--facts", type=int, default=5, help="facts of each kind and tree")
    parser.add_argument("--calls", type=int, default=1, help="lines with calls that a function has at least; with more than 1, definitions are not asked for")
    parser.add_argument("--seed", type=int, default=39)
    parser.add_argument("--skip", type=pathlib.Path, help="owner/name of clones that are not drawn, one a line")
    parser.add_argument("--rows", type=pathlib.Path, help="where each fact is written as a line of JSON")
    return parser.parse_args()


@contextlib.contextmanager
def tree_of(git):
    """A work tree as it is, or the tree of the newest commit in a folder of its own; `None` if that cannot be laid out."""
    if (pathlib.Path(git) / ".git").exists():
        yield git
        return
    with tempfile.TemporaryDirectory() as folder:
        yield folder if laid_out(git, folder) else None


def laid_out(git, folder):
    """The tree of the newest commit; `False` if it has too many files or cannot be read."""
    names = subprocess.run(["git", "-C", git, "ls-tree", "-r", "--name-only", "HEAD"], capture_output=True)
    if names.returncode != 0 or names.stdout.count(b"\n") > FILES_MAX:
        return False
    archive = subprocess.Popen(["git", "-C", git, "archive", "HEAD"], stdout=subprocess.PIPE)
    unpacked = subprocess.run(["tar", "x", "-C", folder], stdin=archive.stdout)
    return archive.wait() == 0 and unpacked.returncode == 0


def is_written(one, oracle):
    """Whether the name is on the line that ctags gives: it makes up names for functions that have none."""
    lines = oracle.lines_of(one.path)
    return one.line <= len(lines) and re.search(rf"(?<!\w){re.escape(one.name)}(?!\w)", lines[one.line - 1])


def drawn(oracle, tree, chance, most, calls_min):
    """Facts of a tree: (kind, name, gold places)."""
    single = [all[0] for name, all in oracle.named.items() if len(all) == 1 and len(name) >= NAME_LETTERS_MIN and name.isidentifier()]
    kinds = common.FUNCTIONS | common.TYPES
    wanted = [one for one in single if one.kind in kinds and is_written(one, oracle) and oracle.tokens_of(one.path) is not None]
    chance.shuffle(wanted)
    facts = [("definition", one.name, {(one.path, one.line)}) for one in wanted[:most] if calls_min == 1]
    callers = 0
    for one in wanted:
        if callers == most:
            break
        if one.kind not in common.FUNCTIONS or one.path.rsplit(".", 1)[-1] not in common.CALLED_BY_BRACKETS:
            continue
        files = {path for path, _ in common.rg_places(common.rg(["-n", "-w", one.name], tree))}
        code = [path for path in files if oracle.tokens_of(path) is not None]
        gold = oracle.calls(one.name, code)
        if gold and calls_min <= len(gold) <= CALLS_MAX:
            facts.append(("callers", one.name, gold))
            callers += 1
    return facts


def measured(fact, server, tree, tokens):
    kind, name, gold = fact
    question = f"where is {name} defined?" if kind == "definition" else f"who calls {name}?"
    result = server.call("ask", {"question": question})
    report = result["structuredContent"]
    places = set(common.cited(result))
    whole = common.rg(["-n", "-w", name], tree)
    capped = "\n".join(whole.split("\n")[: common.RG_LINES_MAX])
    row = {"kind": kind, "name": name, "gold": sorted(gold), "outcome": report["outcome"], "exit_code": report["exit_code"]}
    row["grounds"] = tokens.count(json.dumps(report, ensure_ascii=False, separators=(",", ":")))
    row["text"] = tokens.count(result["content"][0]["text"])
    answered = report["outcome"] == "answered"
    row["grounds_has"] = answered and gold <= places
    row["others"] = sorted(places - gold) if answered else []
    row["shown"] = len(places)
    for way, output in [("rg", whole), ("rg_capped", capped)]:
        row[way] = tokens.count(output)
        row[f"{way}_has"] = gold <= set(common.rg_places(output))
    return row


def told(rows):
    print("| fact | facts | way | the fact is in it | tokens: median (quartiles) |")
    print("|---|---|---|---|---|")
    for kind in ["definition", "callers"]:
        of_kind = [row for row in rows if row["kind"] == kind]
        if not of_kind:
            continue
        for way, has in [("grounds", "grounds_has"), ("text", "grounds_has"), ("rg", "rg_has"), ("rg_capped", "rg_capped_has")]:
            there = sum(row[has] for row in of_kind)
            print(f"| {kind} | {len(of_kind)} | {way} | {there} | {common.quartiles([row[way] for row in of_kind])} |")
        answered = [row for row in of_kind if row["outcome"] == "answered"]
        missing = sum(not row["grounds_has"] for row in answered)
        others = sum(bool(row["others"]) for row in answered)
        if kind == "callers":
            many = [row for row in of_kind if row["shown"] >= MANY_CALLS]
            for title, some in [
                (f"{MANY_CALLS} to {ABOUT_TEN_CALLS_MAX}", [row for row in many if row["shown"] <= ABOUT_TEN_CALLS_MAX]),
                (f"more than {ABOUT_TEN_CALLS_MAX}", [row for row in many if row["shown"] > ABOUT_TEN_CALLS_MAX]),
            ]:
                costs = {way: sorted(row[way] for row in some) for way in ["grounds", "rg"]}
                within = {way: sum(cost <= CALLERS_TOKENS for cost in all) for way, all in costs.items()}
                print(f"\n{len(some)} answers with {title} places: {within} cost at most {CALLERS_TOKENS}; {costs['grounds']}")
        else:
            print(f"\n{sum(row['grounds'] <= DEFINITION_TOKENS for row in of_kind)} of {len(of_kind)} cost at most {DEFINITION_TOKENS}")
        print(f"\n{kind}: {len(answered)} answered, {missing} of them lack a line of the oracle's, {others} cite a line that the oracle does not have;")
        print("outcomes:", dict(collections.Counter(row["outcome"] for row in of_kind)), "\n")


def main():
    given = arguments()
    tokens = common.Tokens(given.tokens)
    skipped = set(given.skip.read_text().split()) if given.skip else set()
    lines = [line.split("\t") for line in given.mirrors.read_text().splitlines() if "\t" in line]
    clones = [(name, git) for name, git in lines if name not in skipped]
    chance = random.Random(given.seed)
    chance.shuffle(clones)
    rows, trees = [], []
    for name, git in clones:
        if len(trees) == given.trees:
            break
        with tree_of(git) as folder:
            if not folder:
                continue
            oracle = common.Oracle(folder)
            facts = drawn(oracle, folder, random.Random(f"{given.seed} {name}"), given.facts, given.calls)
            if not facts or given.calls == 1 and len(facts) < 2 * given.facts:
                continue
            trees.append(name)
            server = common.grounds(given.grounds, folder)
            of_tree = [{"tree": name, **measured(fact, server, folder, tokens)} for fact in facts]
            server.end()
        rows += of_tree
        print(f"{name}: {len(of_tree)} facts", flush=True)
    if given.rows:
        given.rows.write_text("".join(json.dumps(row) + "\n" for row in rows))
    print(f"\nseed {given.seed}, {len(trees)} trees: {', '.join(trees)}\n")
    told(rows)


main()
