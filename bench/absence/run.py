"""Asks about members of owners that do not exist, and about their real twins.

    python3 bench/absence/run.py GROUNDS TREE... [--seed N] [--each N] [--base OTHER] [--out FILE]

For every tree, universal-ctags gives the members with the owners that they stand in. From these come questions of
five classes, each in the wordings of questions.txt in turn:

  absent_owner    an owner that no file of the tree names, with a member that exists
  foreign_member  an owner that exists, with a member of another owner that its own file and text never give it
  absent_outer    a real owner and member in a container that does not exist
  absent_file     a file name that neither exists nor is written anywhere, with an ending that the tree is full of
  present         a real owner with its member

An answer (exit 0) to one of the first four is wrong. Of the last, those that OTHER answers must stay answered.
Prints the figures by class, and writes every question with its outcome to FILE.
"""

import os
import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
NAMES = ["Zorblatt", "Quuxifier", "Frobnicator", "Wibblesnatch", "Plughmeister"]
FILES = ["zorblatt.json", "quuxify.yaml", "frobnicate.toml", "wibble_config.json", "plugh.go", "snatch.py", "blorp.rs"]
KINDS = {"class", "struct", "interface", "trait", "enum", "implementation", "module", "namespace", "object"}
MEMBERS = {"method", "member", "func", "function", "singletonMethod", "field", "enumerator", "constant", "variant"}


def tags(tree):
    command = ["ctags", "--output-format=json", "--fields=+nKsSZ", "--exclude=.git", "-R", "-f", "-", "."]
    output = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True).stdout
    for line in output.splitlines():
        tag = json.loads(line)
        if tag.get("_type") == "tag":
            yield tag


def members(tree):
    """Pairs of owner and member, with the place."""
    found = {}
    for tag in tags(tree):
        scope = re.split(r"[.:]+", tag.get("scope", ""))[-1]
        named = re.fullmatch(r"\w+", tag["name"]) and re.fullmatch(r"[A-Za-z]\w+", scope)
        if named and tag["kind"] in MEMBERS and tag.get("scopeKind") in KINDS and "anon" not in scope.lower():
            found.setdefault((scope, tag["name"]), (tag["path"], tag["line"]))
    return found


def texts(tree):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=tree, capture_output=True, check=True).stdout
    for name in listed.decode(errors="replace").split("\0"):
        path = pathlib.Path(tree, name)
        if name and path.is_file():
            yield name, path.read_bytes().decode(errors="replace")


def foreign(owner, member, known, bodies):
    """Whether nothing that can be read gives the member to the owner."""
    written = re.compile(rf"\b{owner}\W{{1,4}}(prototype\W)?{member}\b")
    of_owner = [place[0] for (other, _), place in known.items() if other == owner]
    return not any(
        written.search(text) or (name in of_owner and re.search(rf"\b{member}\b", text)) for name, text in bodies.items()
    )


def cases(tree, seed, each):
    chance = random.Random(f"{seed} {pathlib.Path(tree).name}")
    wordings = [line for line in (HERE / "questions.txt").read_text().splitlines() if line and line[0] != "#"]
    of_files = [line[5:] for line in wordings if line.startswith("file ")]
    of_names = [line for line in wordings if not line.startswith("file ")]
    known, bodies = members(tree), dict(texts(tree))
    everything = "\n".join(bodies.values())
    pairs = sorted(known)
    owners = sorted({owner for owner, _ in pairs})
    absent = [name for name in NAMES if name not in everything]
    marks = [".", "::", "#", "->"]

    def ask(kind, number, name):
        wording = of_names[number % len(of_names)]
        return {"tree": pathlib.Path(tree).name, "class": kind, "wording": wording, "question": wording.replace("{x}", name)}

    for number in range(each):
        offset = number + seed * 7
        owner, member = chance.choice(pairs)
        mark = chance.choice(marks) if chance.random() < 0.4 else "."
        yield ask("absent_owner", offset, f"{chance.choice(absent)}{mark}{member}")
        yield ask("absent_outer", offset + 5, f"{chance.choice(absent)}{mark}{owner}{mark}{member}")
        yield ask("present", offset, f"{owner}.{member}") | {"place": known[owner, member]}
        for _ in range(50):
            other, taken = chance.choice(owners), chance.choice(pairs)[1]
            if (other, taken) not in known and foreign(other, taken, known, bodies):
                yield ask("foreign_member", offset + 11, f"{other}.{taken}")
                break
    for number in range(max(1, each // 4)):
        name = chance.choice([name for name in FILES if name not in everything])
        wording = of_files[number % len(of_files)]
        yield {"tree": pathlib.Path(tree).name, "class": "absent_file", "wording": wording, "question": wording.replace("{x}", name)}


def asked(program, tree, question):
    command = [program, "--no-store", "--format", "json", "ask", question]
    ran = subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=120)
    try:
        report = json.loads(ran.stdout)
    except json.JSONDecodeError:
        return {"exit": ran.returncode, "outcome": "broken", "said": (ran.stdout + ran.stderr)[-400:]}
    kinds = [target["kind"] for target in report["goal"]["targets"]]
    said = [section["text"] for section in report["sections"]][:2]
    cited = [[cited.get("path"), cited.get("line_start")] for cited in report["citations"]][:5]
    return {
        "exit": ran.returncode,
        "outcome": report["outcome"],
        "refusal": report.get("refusal"),
        "level": report["confidence"]["level"],
        "intent": report["goal"]["intent"],
        "kinds": kinds,
        "said": said,
        "cited": cited,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("grounds")
    parser.add_argument("trees", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=30)
    parser.add_argument("--base")
    parser.add_argument("--only", action="append")
    parser.add_argument("--out")
    options = parser.parse_args()
    options.grounds = os.path.abspath(options.grounds)
    results = []
    for tree in options.trees:
        for case in cases(tree, options.seed, options.each):
            if options.only and case["class"] not in options.only:
                continue
            case |= asked(options.grounds, tree, case["question"])
            if options.base and case["class"] == "present":
                case["base"] = asked(options.base, tree, case["question"])["outcome"]
            results.append(case)
    if options.out:
        pathlib.Path(options.out).write_text("".join(json.dumps(case) + "\n" for case in results))
    wrong = 0
    for kind in ["absent_owner", "foreign_member", "absent_outer", "absent_file"]:
        of_kind = [case for case in results if case["class"] == kind]
        answered = [case for case in of_kind if case["outcome"] == "answered"]
        wrong += len(answered)
        outcomes = collections.Counter(case.get("refusal") or case["outcome"] for case in of_kind)
        print(f"{kind}: {len(answered)} of {len(of_kind)} answered; {dict(outcomes)}")
        for case in answered[:8]:
            print(f"  {case['tree']}: {case['question']}: {case['level']} {case['said']}")
    present = [case for case in results if case["class"] == "present"]
    answered = sum(case["outcome"] == "answered" for case in present)
    print(f"present: {answered} of {len(present)} answered")
    if options.base:
        before = [case for case in present if case["base"] == "answered"]
        kept = [case for case in before if case["outcome"] == "answered"]
        print(f"present, answered before: {len(kept)} of {len(before)} still are")
        for case in before:
            if case not in kept:
                print(f"  {case['tree']}: {case['question']} {case['place']}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
