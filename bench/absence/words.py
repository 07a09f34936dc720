"""Asks with words that a reader can drop without noticing, and prints what was answered as if they were not there.

    cargo build -p grounds-ask --features measure --example answers
    python3 bench/absence/words.py target/debug/examples/answers TREE... [--seed N] [--each N]

For every tree, universal-ctags gives functions and types. Four classes of questions are made of them:

  name       a function that is named like a word of questions ("main", "show", "total"): the answer must be about it
  adjective  a word before a noun of the question ("which private functions call f?")
  more       a condition, a time, a second name, a negation, another head ("the parameters of the callers of f")
  around     a condition before the question, a remark in brackets after it ("on macOS, who calls f?")

Printed is what is answered at High or Complete: of the class `name` if the answer does not have the name, of the
others if it is word for word the answer to the question without the words. Some of these are right all the same
("the last release"), so read them. The last line has the figures.
"""

import argparse
import collections
import json
import random
import re
import subprocess

WORDS = set("""main show list get set find open close read write run start stop add remove delete change update edit make
take give call use test total count number path entry time first last next each now before after except exists source
function method decorator type name kind order answer point check print dump load save load send query match other
build order help value default key index item rule call apply copy move touch drop keep look search view tell say
""".split())
OF_NAMES = ["who calls {n}?", "what does {n} call?", "does {n} call {m}?", "does {m} call {n}?", "is {n} called by {m}?",
            "who last changed {n} in {f}?", "when was {n} introduced in {f}?", "who wrote {n} in {f}?",
            "what does {n} return?", "how many times is {n} called?", "is {n} used in {f}?", "callers of {n} in {f}",
            "which functions call {n}?", "show me what {n} calls", "does {f} define {n}?", "when was {n} last changed?",
            "what arguments does {n} take?", "nobody calls {n}, right?", "is {n} unused?"]
ADJECTIVES = """private public static abstract nested async deprecated recursive generic exported internal protected virtual
inline const global local unused unsafe required optional documented inherited hidden broken important new old main""".split()
OF_ADJECTIVES = ["which {a} functions call {n}?", "list the {a} callers of {n}", "show all {a} calls of {n}",
                 "is {n} called by any {a} function?", "which {a} classes extend {t}?", "how many {a} subclasses does {t} have?",
                 "where is the {a} definition of {n}?", "which {a} methods does {t} have?", "which {a} files import {t}?"]
OF_MORE = [("who calls {n}?", "who calls {n} with {m}?"), ("who calls {n}?", "who calls {n} in the same file as {m}?"),
           ("who calls {n}?", "who calls {n} since the last release?"), ("who calls {n}?", "who calls {n} in comments?"),
           ("who calls {n}?", "who calls {n} as a method?"), ("who calls {n}?", "callers of what {n} calls"),
           ("who calls {n}?", "the parameters of the callers of {n}"), ("who calls {n}?", "who calls {n} but not {m}?"),
           ("who calls {n}?", "who calls {n} before {m}?"), ("who calls {n}?", "who calls {n} indirectly?"),
           ("which files import {t}?", "which files don't import {t}?"), ("who uses {t}?", "who does not use {t}?"),
           ("where is {n} defined?", "where is {n} defined as a property?"),
           ("where is {n} defined?", "where is {n} defined for Windows?"),
           ("when was {n} added?", "when was {n} made public?"), ("when was {n} added?", "when was {n} renamed?"),
           ("which classes extend {t}?", "the methods of the subclasses of {t}"),
           ("how many times is {n} called?", "the number of classes that use {n}")]

PLAIN = ["who calls {n}?", "is {n} used anywhere?", "where is {n} defined?", "how many callers does {n} have?",
         "which files use {n}?", "who wrote {n}?", "when was {n} added?", "what does {n} call?"]
BEFORE = ["on macOS", "after a timeout", "for large inputs", "in verbose mode", "with caching off", "until the last release",
          "apart from the deprecated ones", "inside a transaction", "at import time", "when nothing is cached",
          "across platforms", "except in the fast path", "under Python 2", "per request", "while holding the lock",
          "if the flag is set", "over HTTP", "behind a proxy", "without threads", "other than {m}"]
REMARKS = ["the private ones", "excluding {m}", "on Windows", "after 2020", "more than once", "in the fast path",
           "transitively", "at least twice", "by default", "for the second time"]


def tags(tree):
    command = ["ctags", "--output-format=json", "--fields=+K", "--exclude=.git", "-R", "-f", "-", "."]
    out = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        tag = json.loads(line)
        if tag.get("_type") == "tag" and not re.search("test|spec|example|docs|vendor", tag["path"], re.I):
            yield tag["name"], tag.get("kind", ""), tag["path"].removeprefix("./")


def questions(tree, each, rng):
    words, names, types = {}, set(), set()
    for name, kind, path in tags(tree):
        if kind in ("function", "method", "member", "func", "singletonMethod"):
            if name in WORDS:
                words.setdefault(name, set()).add(path)
            elif re.fullmatch(r"[A-Za-z]{3,}(_[a-z]+)+|[a-z]+[A-Z]\w+", name):
                names.add(name)
        elif kind in ("class", "struct", "interface", "trait") and re.fullmatch(r"[A-Z]\w{3,}", name):
            types.add(name)
    if not names or not types:
        return
    pick = lambda some: rng.choice(sorted(some))
    for number in range(each):
        name, other, kind = pick(names), pick(names), pick(types)
        if words:
            word = pick(words)
            yield "name", OF_NAMES[number % len(OF_NAMES)].format(n=word, m=other, f=pick(words[word])), word
        one = OF_ADJECTIVES[number % len(OF_ADJECTIVES)]
        plain = one.replace("{a} ", "").format(n=name, t=kind)
        yield "adjective", one.format(a=rng.choice(ADJECTIVES), n=name, t=kind), plain
        plain, more = OF_MORE[number % len(OF_MORE)]
        yield "more", more.format(n=name, m=other, t=kind), plain.format(n=name, t=kind)
        plain = rng.choice(PLAIN).format(n=name)
        if number % 3:
            yield "around", f"{rng.choice(BEFORE).format(m=other)}, {plain}", plain
        else:
            yield "around", f"{plain[:-1]} ({rng.choice(REMARKS).format(m=other)})?", plain


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("answers")
    parser.add_argument("trees", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=40)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    rows = [(tree, *row) for tree in args.trees for row in questions(tree, args.each, rng)]
    asked = {(tree, text) for tree, _, text, _ in rows} | {(tree, other) for tree, kind, _, other in rows if kind != "name"}
    asked = sorted(asked)
    lines = "".join(f"{tree}\t{text}\n" for tree, text in asked)
    out = subprocess.run([args.answers], input=lines, capture_output=True, text=True, check=True).stdout
    told = dict(zip(asked, map(json.loads, out.splitlines()), strict=True))
    figures = collections.defaultdict(collections.Counter)
    for tree, kind, text, other in rows:
        seen = told[tree, text]
        level = (seen.get("confidence") or {}).get("level")
        is_sure = seen["code"] in (0, 6) and level in ("High", "Complete")
        figures[kind]["asked"] += 1
        figures[kind]["High or Complete"] += is_sure
        answer = str(seen.get("answer"))
        if kind == "name":
            head = answer[:300] + " ".join(seen.get("claims") or [])
            is_dropped = not re.search(rf"(?<!\w){other}(?!\w)", head)
        else:
            is_dropped = answer == str(told[tree, other].get("answer"))
        if is_sure and is_dropped:
            figures[kind]["dropped"] += 1
            print(kind, tree, text, level, answer[:80].replace("\n", " / "), sep=" | ")
    print({kind: dict(counter) for kind, counter in figures.items()})


if __name__ == "__main__":
    main()
