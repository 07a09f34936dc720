#!/usr/bin/env python3
"""What reviews, hooks and folders of documents cost beside a peer, in processor time of whole processes and all of their children.

    bench/speed/work.py review GROUNDS AST_GREP REPOSITORY BASE HEAD     beside `git diff` and `ast-grep scan` of the changed files
    bench/speed/work.py pre-commit GROUNDS AST_GREP REPOSITORY           beside `ast-grep scan` of the staged files
    bench/speed/work.py corpus GROUNDS FOLDER [COUNT]                    beside SQLite FTS5; makes COUNT documents (50,000) in FOLDER once
    bench/speed/work.py decide GROUNDS [COUNT]                           beside Python reading the same JSON; COUNT hits (1,000,000)
    --runs N          medians of N runs (3) after one that is not counted
    --hits-a-page N   of `decide`, these alone of 1, 100 and 1,000

REPOSITORY is cloned into a folder for temporary files. Of a repository's last commits without a merge that change one to three files,
COMMITS (20) are staged one after the other on their parents. ast-grep has three rules; grounds has all of its own. It judges only
the lines that are new, and looks at the tree around them; ast-grep judges the files whole, and looks at nothing else.
"""

import argparse
import itertools
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

COMMITS = 20
RULES = {"eval-used": "eval($$$A)", "log-used": "console.log($$$A)", "exec-used": "exec($$$A)"}
WORDS = 40_000
WORDS_A_DOCUMENT = (60, 260)
POOL_WORDS, PIECE_WORDS = 2_000_000, 20
CLAIM = "The heron of the river stands on one leg in winter."
# SQLite as the peer: one table of the same documents, and one question with the words of the claim.
FTS5 = """
import pathlib, sqlite3, sys
table = sqlite3.connect(sys.argv[2])
table.execute("create virtual table if not exists documents using fts5(path, text, tokenize='porter')")
if sys.argv[3] == "index":
    with table:
        for path in pathlib.Path(sys.argv[1]).rglob("*.md"):
            table.execute("insert into documents values (?, ?)", (str(path), path.read_text()))
print(len(table.execute("select path from documents where documents match ? order by rank limit 10", (sys.argv[4],)).fetchall()))
"""


def cost(command, folder=None, surroundings=None, given=os.devnull):
    """Seconds of processor time and the most memory of a process in MB, its children included."""
    with open(given, "rb") as text:
        child = subprocess.Popen(command, cwd=folder, env=surroundings, stdin=text, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(child.pid, 0)
    child.returncode = 0
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def medians(runs, *commands, **where):
    """The commands in turn, so that all see the same load."""
    rounds = [[cost(command, **where) for command in commands] for _ in range(runs + 1)][1:]
    return [tuple(statistics.median(each[place][part] for each in rounds) for part in (0, 1)) for place in range(len(commands))]


def git(folder, *words, **more):
    return subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, check=True, **more).stdout


def rules(folder):
    (folder / "rules").mkdir()
    (folder / "sgconfig.yml").write_text("ruleDirs: [rules]\n")
    for language in ("JavaScript", "TypeScript", "Python", "C", "Java"):
        for name, pattern in RULES.items():
            text = f"id: {name}-{language}\nlanguage: {language}\nseverity: warning\nmessage: {name}\nrule: {{pattern: '{pattern}'}}\n"
            (folder / "rules" / f"{name}-{language}.yml").write_text(text)
    return str(folder / "sgconfig.yml")


def cloned(repository, own):
    bed = own / "bed"
    subprocess.run(["git", "clone", "--quiet", "--shared", "--no-checkout", repository, bed], check=True)
    return bed


def review(given, own, surroundings):
    program, ast_grep, repository, base, head = given.words
    bed = cloned(repository, own)
    git(bed, "checkout", "--quiet", "--force", "--detach", head)
    files = git(bed, "diff", "--name-only", "--diff-filter=AM", "--no-renames", base, head).split("\n")[:-1]
    lines = sum(int(number) for row in git(bed, "diff", "--numstat", base, head).splitlines() for number in row.split("\t")[:2] if number != "-")
    commands = [
        [program, "review", "--base", base, "--no-model", "--quiet", "--no-store"],
        [ast_grep, "scan", "--config", rules(own), *files],
        ["git", "diff", base, head],
    ]
    costs = medians(given.runs, *commands, folder=bed, surroundings=surroundings)
    print(f"{lines} changed lines, {len(files)} files that were added or changed, of {len(git(bed, 'ls-files').splitlines())}")
    for name, (seconds, memory) in zip(("grounds review", "ast-grep scan", "git diff"), costs):
        print(f"  {name:15} {seconds:6.2f} CPU s  {memory:5.0f} MB")


def pre_commit(given, own, surroundings):
    program, ast_grep, repository = given.words
    bed, config = cloned(repository, own), rules(own)
    costs, files_in_all = [], []
    for commit in git(bed, "log", "--no-merges", "--format=%H", "--max-count=2000").split():
        files = git(bed, "diff", "--name-only", "--no-renames", "--diff-filter=AM", f"{commit}^", commit).split("\n")[:-1]
        if not 1 <= len(files) <= 3:
            continue
        git(bed, "checkout", "--quiet", "--force", "--detach", f"{commit}^")
        patch = subprocess.run(["git", "-C", bed, "diff", "--binary", f"{commit}^", commit], capture_output=True, check=True).stdout
        subprocess.run(["git", "-C", bed, "apply", "--index", "--whitespace=nowarn"], input=patch, check=True)
        # So that git compares no file with its object again, as in a checkout that is not of this moment.
        git(bed, "status")
        hook = [program, "review", "--staged", "--no-model", "--quiet"]
        costs.append(medians(given.runs, hook, [ast_grep, "scan", "--config", config, *files], folder=bed, surroundings=surroundings))
        files_in_all.append(len(files))
        if len(costs) == COMMITS:
            break
    print(f"{len(costs)} commits of {sum(files_in_all)} files, in a tree of {len(git(bed, 'ls-files').splitlines())}")
    for place, name in enumerate(("grounds", "ast-grep")):
        seconds = sorted(each[place][0] for each in costs)
        print(f"  {name:9} median {1e3 * statistics.median(seconds):4.0f} CPU ms, ninth decile {1e3 * seconds[len(seconds) * 9 // 10]:4.0f}, most {1e3 * seconds[-1]:4.0f}")


def make(folder, count):
    chance = random.Random(23)
    letters = "bcdfghklmnprstvz"
    words = ["".join(chance.choice(letters) + chance.choice("aeiou") for _ in range(chance.randint(1, 4))) for _ in range(WORDS)]
    # Words are used as in a language: few of them often. Documents take pieces of one long text, so that a million of them are soon made.
    weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(WORDS)))
    pool = chance.choices(words, cum_weights=weights, k=POOL_WORDS)
    for number in range(count):
        place = f"{folder}/{number // 1000:04}"
        if number % 1000 == 0:
            os.makedirs(place, exist_ok=True)
        pieces = []
        for left in range(chance.randint(*WORDS_A_DOCUMENT), 0, -PIECE_WORDS):
            start = chance.randrange(POOL_WORDS - PIECE_WORDS)
            pieces += pool[start : start + min(left, PIECE_WORDS)]
        with open(f"{place}/{number % 1000:03}.md", "w", encoding="utf-8") as file:
            file.write(f"# Note {number}\n\n{' '.join(pieces)}.\n")


def corpus(given, own, surroundings):
    program, folder = given.words[0], pathlib.Path(given.words[1]).resolve()
    count = int(given.words[2]) if len(given.words) > 2 else 50_000
    if not folder.exists():
        make(folder, count)
    ask = [program, "verify", "--no-store", "--corpus", str(folder), CLAIM]
    table = [sys.executable, "-c", FTS5, str(folder), str(own / "table"), "index", "heron OR river OR winter"]
    again = [*table[:5], "ask", table[-1]]
    changed = next(folder.rglob("*.md"))
    before = changed.read_text()

    def line(name, ours, theirs=None):
        beside = f"   FTS5 {theirs[0]:7.2f} CPU s {theirs[1]:5.0f} MB" if theirs else ""
        print(f"  {name:16} {ours[0]:7.2f} CPU s {ours[1]:5.0f} MB{beside}", flush=True)

    print(f"{count} documents")
    line("the first time", cost(ask, surroundings=surroundings), cost(table))
    # What was changed just now is read again: its time would not tell another change.
    time.sleep(2.1)
    line("nothing changed", cost(ask, surroundings=surroundings), cost(again))
    # The first later run compares what was written shortly before the index by content.
    line("the same again", cost(ask, surroundings=surroundings))
    changed.write_text(before + "\nThe heron stands.\n")
    time.sleep(2.1)
    line("one file changed", cost(ask, surroundings=surroundings))
    changed.write_text(before)
    kept = sum(path.stat().st_size for path in (own / "cache").rglob("*") if path.is_file())
    print(f"  kept: {kept / 1e6:.0f} MB, FTS5 {(own / 'table').stat().st_size / 1e6:.0f} MB")


def beside(likeness, page):
    """What stands in a page beside the words that count: words of its own, sentences of all pages, or phrases of many."""
    if likeness == "own words":
        return " ".join(f"w{page}x{word}" for word in range(100))
    if likeness == "one template":
        return " ".join(f"The s{at} of our office is open a{at} and b{at} for p{page}x{at}." for at in range(10))
    chance = random.Random(page)
    return " ".join(f"P{chance.randrange(2000)} says that o{at} and q{page}x{at} and r{page}x{at} and t{page}x{at}." for at in range(10))


def write(path, count, hits_a_page, likeness):
    words = "The bridge was opened."
    with path.open("w") as out:
        out.write('{"task": {"claim": "The bridge was opened."}, "attempts": 1, "max_attempts": 1, "history": {"as_of": "2026-01-01T00:00:00Z", ')
        out.write('"queries": [{"text": "", "seeks": "refutation", "result_count": 1}], "pages": [')
        for page in range(-(-count // hits_a_page)):
            text = f"{words} {beside(likeness, page)}"
            shown = {"url": f"https://www.publisher{page}.example/news/{page}", "pub_date": "2025-12-31", "text": text}
            out.write(("," if page else "") + json.dumps(shown))
        out.write('], "hits": [')
        for number in range(count):
            page = number // hits_a_page
            stance = "support" if page % 3 else "refute"
            hit = {"url": f"https://www.publisher{page}.example/news/{page}", "pub_date": "2025-12-31", "stance": stance, "tier": "trade", "place": "page"}
            out.write(("," if number else "") + json.dumps(hit | {"excerpt": words, "bytes": [0, len(words)]}))
        out.write("]}}")


def decide(given, own, surroundings):
    program, count = given.words[0], int(given.words[1]) if len(given.words) > 1 else 1_000_000
    print(f"{count} hits: CPU s and MB of `verify decide`, of Python that only reads the JSON, and the bytes of that")
    for hits_a_page in given.hits_a_page or (1, 100, 1000):
        for likeness in ("own words", "one template", "shared phrases"):
            history = own / "history.json"
            write(history, count, hits_a_page, likeness)
            ours = cost([program, "verify", "decide"], surroundings=surroundings, given=history)
            theirs = cost([sys.executable, "-c", "import json, sys; json.load(sys.stdin)"], given=history)
            print(f"  {hits_a_page:4} a page, {likeness:14} {ours[0]:7.2f} s {ours[1]:6.0f} MB   {theirs[0]:6.2f} s {theirs[1]:6.0f} MB   {history.stat().st_size / 1e6:.0f} MB", flush=True)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("work", choices=["review", "pre-commit", "corpus", "decide"])
    words.add_argument("words", nargs="+")
    words.add_argument("--runs", type=int, default=3)
    words.add_argument("--hits-a-page", type=int, action="append")
    given = words.parse_args()
    # Commands run in folders of their own.
    given.words = [os.path.abspath(word) if os.path.exists(word) else word for word in given.words]
    with tempfile.TemporaryDirectory() as own:
        own = pathlib.Path(own)
        surroundings = dict(os.environ, XDG_STATE_HOME=str(own / "state"), XDG_CACHE_HOME=str(own / "cache"), XDG_CONFIG_HOME=str(own / "config"))
        {"review": review, "pre-commit": pre_commit, "corpus": corpus, "decide": decide}[given.work](given, own, surroundings)


main()
