"""Checks sentences in the style of an agent with `grounds check` and prints the verdicts as Markdown.

`python3 bench/check/statements.py GROUNDS SENTENCES REPOS` checks, at each commit of the file of JSON lines, its
sentences as one text that is not of the tree. A row has `repo`, `commit`, `statement`, and `label`: true, false or
no_claim. REPOS has a full clone of each repository by its short name; it is only read. A sentence is contradicted where
a claim on its line is contradicted or gone. `--missed` prints each false one that is not contradicted, `--wrong` each
other one that is.
"""
import argparse, collections, json, subprocess, tempfile
from pathlib import Path

HELD, WRONG = ("holds",), ("contradicted", "gone")


def claims(program, tree, sentences):
    """The claims of a text with one sentence in each paragraph, by the line of the paragraph."""
    text = "\n\n".join(" ".join(sentence.split()) for sentence in sentences)
    command = [program, "check", "-", "--all", "--format", "json"]
    p = subprocess.run(command, cwd=tree, input=text, capture_output=True, text=True)
    if p.returncode not in (0, 3, 6):
        raise SystemExit(f"{tree}: exit {p.returncode}: {p.stderr.strip()[-300:]}")
    found = collections.defaultdict(list)
    for claim in json.loads(p.stdout)["claims"]:
        found[(claim["line"] - 1) // 2].append(claim)
    return found


def outcome(claims):
    verdicts = [claim["verdict"] for claim in claims]
    if any(verdict in WRONG for verdict in verdicts):
        return "contradicted"
    stated = [claim["verdict"] for claim in claims if claim["kind"] == "statement"]
    if "holds" in stated or (not stated and verdicts and set(verdicts) == set(HELD)):
        return "holds"
    return "not decided" if any(verdict != "no_claim" for verdict in verdicts) else "no claim"


def main(args):
    trees = collections.defaultdict(list)
    for row in map(json.loads, open(args.sentences)):
        trees[row["repo"], row["commit"]].append(row)
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number, ((repo, commit), rows) in enumerate(sorted(trees.items())):
            tree = Path(folder, str(number), Path(repo).name)
            stored = (args.repos / tree.name).resolve()
            subprocess.run(["git", "clone", "-qns", stored, tree], check=True)
            subprocess.run(["git", "-C", tree, "checkout", "-qf", commit], stderr=subprocess.DEVNULL)
            head = subprocess.check_output(["git", "-C", tree, "rev-parse", "HEAD"], text=True)
            assert head.strip() == commit, (repo, commit)
            found = claims(args.program.resolve(), tree, [row["statement"] for row in rows])
            for line, row in enumerate(rows):
                came = outcome(found[line])
                counts[row["label"], came] += 1
                is_missed = args.missed and row["label"] == "false" and came != "contradicted"
                is_wrong = args.wrong and row["label"] != "false" and came == "contradicted"
                if is_missed or is_wrong:
                    verdicts = [f"{c['kind']} {c['verdict']}: {c['message']}" for c in found[line]]
                    print(json.dumps({"repo": repo, "statement": row["statement"], "claims": verdicts}))
    outcomes = ["contradicted", "holds", "not decided", "no claim"]
    print("| label | sentences | " + " | ".join(outcomes) + " |\n|---|---|" + "---|" * len(outcomes))
    for label in sorted({label for label, _ in counts}):
        numbers = [counts[label, came] for came in outcomes]
        print(f"| {label} | {sum(numbers)} | " + " | ".join(map(str, numbers)) + " |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("program", "sentences", "repos"):
        parser.add_argument(name, type=Path)
    for name in ("--missed", "--wrong"):
        parser.add_argument(name, action="store_true")
    main(parser.parse_args())
