"""Runs `grounds check` over the drift bank and prints what it finds by kind of drift as Markdown.

`python3 bench/check/bank.py GROUNDS BANK REPOS` checks, at each commit of the bank, the bank's documents of that
commit. BANK is the folder with dev_drift.jsonl and dev_foreign.jsonl; REPOS has a full clone of each repository of the
bank by its short name (httpx for encode/httpx); it is only read. Every check is a first run, with an empty cache
folder; `--recent-history` has it read the newest commits alone. Rows that are marked as uncertain are left out. An
accusation counts where it is on the same line and one of the two names holds the other; notes count.
`--missed` prints each known drift that was not found, and `--foreign` each accusation of what is not the tree's.
"""
import argparse, collections, json, os, statistics, subprocess, tempfile
from pathlib import Path


def accusations(program, tree, files, options):
    """What the program accuses in documents of the tree: (file, line, what the text says)."""
    command = [program, "check", "--format", "json", *options, *sorted(files)]
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "XDG_CACHE_HOME": cache}
        p = subprocess.run(command, cwd=tree, capture_output=True, text=True, errors="replace", env=env)
    if p.returncode not in (0, 3, 6):
        raise SystemExit(f"{tree}: exit {p.returncode}: {p.stderr.strip()[-300:]}")
    wrong = ("gone", "contradicted")
    return [(c["document"], c["line"], c["text"]) for c in json.loads(p.stdout)["claims"] if c["verdict"] in wrong]


def is_accused(row, found):
    old = row.get("old") or row["name"]
    return any((file, line) == (row["file"], row["line"]) and (name in old or old in name)
               for file, line, name in found)


def checkout(repos, repo, commit, folder):
    """A clone that shares the objects of the stored one, at the commit."""
    tree = folder / Path(repo).name
    if not tree.exists():
        subprocess.run(["git", "clone", "-qns", (repos / tree.name).resolve(), tree], check=True)
    git = ["git", "-C", tree]
    subprocess.run([*git, "checkout", "-qf", commit], stderr=subprocess.DEVNULL)  # a stored clone may lack large files
    assert subprocess.check_output([*git, "rev-parse", "HEAD"], text=True).strip() == commit, (repo, commit)
    subprocess.run([*git, "clean", "-fdxq"], check=True)
    return tree


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    print("\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines), end="\n\n")


def main(args):
    trees, hits = collections.defaultdict(list), collections.defaultdict(list)
    for name in ("dev_drift.jsonl", "dev_foreign.jsonl"):
        for row in map(json.loads, open(args.bank / name)):
            if row.get("judged") != "uncertain":
                trees[row["repo"], row["parent"]].append({"label": "foreign", **row})
    options = ["--recent-history"] if args.recent_history else []
    with tempfile.TemporaryDirectory() as folder:
        for (repo, commit), rows in sorted(trees.items()):
            tree = checkout(args.repos, repo, commit, Path(folder))
            found = accusations(args.program.resolve(), tree, {row["file"] for row in rows}, options)
            for row in rows:
                hit = is_accused(row, found)
                for key in ("all", row["kind"], row["repo"]):
                    hits[row["label"], key].append(hit)
                is_wanted = args.missed and row["label"] == "drift" and not hit
                if is_wanted or args.foreign and row["label"] != "drift" and hit:
                    print(json.dumps(row))
    share = lambda all: f"{sum(all)} of {len(all)} ({sum(all) / len(all):.1%})"
    repos = [hit for (label, key), hit in hits.items() if label == "drift" and "/" in key]
    macro = f"{statistics.mean(map(statistics.mean, repos)):.1%}"
    table(["known drift found", "macro by repository", "lines that hold, accused", "foreign names accused"],
          [[share(hits["drift", "all"]), macro, share(hits["holds", "all"]), share(hits["foreign", "all"])]])
    kinds = sorted((key for label, key in hits if label == "drift" and "/" not in key and key != "all"),
                   key=lambda kind: -len(hits["drift", kind]))
    table(["kind", "drift found", "lines that hold, accused"],
          [[kind, share(hits["drift", kind]), share(hits["holds", kind]) if hits["holds", kind] else "-"] for kind in kinds])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("program", "bank", "repos"):
        parser.add_argument(name, type=Path)
    for name in ("--missed", "--foreign", "--recent-history"):
        parser.add_argument(name, action="store_true")
    main(parser.parse_args())
