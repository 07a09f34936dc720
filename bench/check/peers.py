"""Runs other checkers of documentation drift over the drift bank and prints what they find as Markdown.

BANK is the folder with dev_drift.jsonl and dev_foreign.jsonl. REPOS has a full clone of each repository of the bank
by its short name (httpx for encode/httpx); it is only read. PROGRAMS has one folder a peer, a virtual environment or
an npm prefix. The peers see an empty home folder; `unshare -rn` before this keeps them off the network as well.
"""
import argparse, collections, json, os, re, shutil, statistics, subprocess, tempfile, time
from pathlib import Path


def run(tree, program, *args, ok=(0, 1)):
    """The output of one command in the tree; an error when it ends badly or outlives the time of the whole run."""
    env = {**os.environ, "HOME": str(tree.parent / "home"), "NO_COLOR": "1", "COLUMNS": "10000"}
    p = subprocess.run([program, *args], cwd=tree, env=env, capture_output=True, text=True, errors="replace",
                       stdin=subprocess.DEVNULL, timeout=max(0.1, run.deadline - time.monotonic()))
    if p.returncode not in ok:
        raise ValueError(f"exit {p.returncode}: {(p.stderr or p.stdout).strip()[-200:]}")
    return p.stdout


def checkout(tree, commit, back=0):
    """Puts the tree at the commit, or so many commits before it; gives the commit that it is at."""
    git = ["git", "-C", tree]
    older = subprocess.check_output([*git, "rev-list", "--first-parent", f"-n{back + 1}", commit], text=True)[-41:-1]
    subprocess.run([*git, "checkout", "-qf", older], stderr=subprocess.DEVNULL)  # a stored clone may lack a large file
    assert subprocess.check_output([*git, "rev-parse", "HEAD"], text=True).strip() == older
    return older


# A peer gets (program, tree, commit, documents of the bank) and gives accusations: (file, line, name, quoted text).
def docrot(program, tree, commit, files):
    findings = json.loads(run(tree, program, "check", "--format", "json"))["findings"]
    return [(f["doc"], f["line"], f["target"], "") for f in findings if not f["suppressed"]]


def docs_drift(program, tree, commit, files, weak):
    out = json.loads(run(tree, program, "--repo", ".", "--format", "json", "check"))
    return [(f["claim"]["doc_path"], place["line"], f["claim"]["value"], place["raw_text"]) for f in out["findings"]
            if f["verdict"] not in ("ok", "unverifiable")
            and (weak or f["confidence"] >= out["config_used"]["min_confidence"])
            for place in f["claim"]["locations"] or [f["claim"]]]


def readme_drift(program, tree, commit, files, back):
    base, name = checkout(tree, commit, back), None
    checkout(tree, commit)
    out = run(tree, program, "--base-ref", base)
    for symbol, file, line in re.findall(r"(?m)^\s*(?:• `(.+?)` |referenced in (.+?) line (\d+):)", out):
        name = symbol or name
        if file:
            yield file, int(line), name, ""


def staledocs(program, tree, commit, files, back, command):
    """With back: all Markdown documents are declared `global` and recorded so long before. None: as `init` does it."""
    checkout(tree, commit, back or 0)
    run(tree, program, "init")
    if back is not None:
        config = tree / ".staledocs.yaml"
        config.write_text(re.sub(r"(?m)^global:.*\n(  - .*\n)*", 'global:\n  - "**/*.md"\n', config.read_text()))
        run(tree, program, "ack", "--all", ok=(0, 3))
        checkout(tree, commit)
    out = json.loads(run(tree, program, command, "--json"))
    return [(a["doc"], a["line"], a["token"], "") for a in out["anchors" if command == "check" else "review"]]


def ctxlint(program, tree, commit, files, *args):
    """Only its two checks of statements; the others are about size, style and CI secrets."""
    out = json.loads(run(tree, program, "--format", "json", *args))
    return [(f["path"], i["line"], "", i["message"]) for f in out["files"] for i in f["issues"]
            if i["check"] in ("paths", "commands")]


def ctxlint_as_agents(program, tree, commit, files):
    for file in (f for f in files if f.endswith(".md")):
        copy = Path(file).with_name("AGENTS.md")
        shutil.copyfile(tree / file, tree / copy)
        yield from ((file, *a[1:]) for a in ctxlint(program, tree, commit, [], "--depth", "9") if a[0] == str(copy))
        (tree / copy).unlink()


PEERS = {  # row of the table: program, function, its further arguments
    "docrot": ("docrot", docrot),
    "docs-drift, what fails `check`": ("docs-drift", docs_drift, False),
    "docs-drift, weak findings too": ("docs-drift", docs_drift, True),
    "staledocs, `init` then `check`": ("staledocs", staledocs, None, "check"),
    "staledocs, all `.md` global, recorded 50 commits before": ("staledocs", staledocs, 50, "check"),
    "staledocs, the same, 500 commits before": ("staledocs", staledocs, 500, "check"),
    "staledocs, all `.md` global, `unarmed`": ("staledocs", staledocs, 0, "unarmed"),
    "readme-drift, base 50 commits before": ("readme-drift", readme_drift, 50),
    "readme-drift, base 500 commits before": ("readme-drift", readme_drift, 500),
    "ctxlint": ("ctxlint", ctxlint),
    "ctxlint, each document as `AGENTS.md`": ("ctxlint", ctxlint_as_agents)}  # each in turn, in its own folder
LABELS = ["drift", "holds", "foreign"]
HEAD = ["known drift found", "macro by repository", "lines that hold, accused", "foreign names accused", "accusations",
        "in the bank's documents", "failed or too slow"]


def accused(row, found):
    """The rule that grounds is scored by: the same line, and one of the two names holds the other."""
    old = row.get("old") or row["name"]
    return any((file, line) == (row["file"], row["line"]) and any(n and (n in old or old in n) for n in names)
               for file, line, *names in found)


def main(args):
    trees, hits, total = (collections.defaultdict(list) for _ in range(3))
    for r in (json.loads(line) for f in ("dev_drift.jsonl", "dev_foreign.jsonl") for line in open(args.bank / f)):
        if r.get("judged") != "uncertain":
            trees[r["repo"], r["parent"]].append({"label": "foreign", **r})
    done = {tuple(x["key"]): x for x in map(json.loads, open(args.save))} if os.path.exists(args.save) else {}
    programs = {p.name: p for g in ("bin", "node_modules/.bin") for p in args.programs.resolve().glob(f"*/{g}/*")}
    with tempfile.TemporaryDirectory() as tmp, open(args.save, "a") as save:
        (Path(tmp) / "home").mkdir()
        for ((repo, commit), rows), peer in ((t, p) for t in trees.items() for p in PEERS):
            x, files = done.get((peer, repo, commit)), {r["file"] for r in rows}
            if not x:
                tree, (name, function, *more) = Path(tmp) / Path(repo).name, PEERS[peer]
                if not tree.exists():
                    subprocess.run(["git", "clone", "-qns", args.repos.resolve() / tree.name, tree], check=True)
                checkout(tree, commit)
                subprocess.run(["git", "-C", tree, "clean", "-fdxq"], check=True)
                x, run.deadline = {"key": (peer, repo, commit), "found": []}, time.monotonic() + 60
                try:
                    x["found"] = sorted(set(function(programs[name], tree, commit, sorted(files), *more)))
                except (ValueError, KeyError, OSError, subprocess.SubprocessError) as e:
                    x["failed"] = repr(e)[:300]
                print(json.dumps(x), file=save, flush=True)
            total[peer].append((len(x["found"]), sum(f[0] in files for f in x["found"]), bool(x.get("failed"))))
            for r in rows:
                for key in (r["label"], *(("repo", r["repo"]), ("kind", r["kind"])) * (r["label"] == "drift")):
                    hits[peer, key].append(accused(r, x["found"]))
    kinds = sorted({k[1] for _, k in hits if k[0] == "kind"}, key=lambda k: -len(hits["docrot", ("kind", k)]))
    tables = [["peer", *HEAD]], [["peer", *kinds]]
    for peer in PEERS:
        macro = statistics.mean(statistics.mean(v) for (p, k), v in hits.items() if p == peer and k[0] == "repo")
        found, *bad = (f"{sum(v)} of {len(v)} ({sum(v) / len(v):.0%})" for v in (hits[peer, k] for k in LABELS))
        tables[0].append([peer, found, f"{macro:.0%}", *bad, *map(sum, zip(*total[peer]))])
        tables[1].append([peer, *(f"{sum(v)} of {len(v)}" for v in (hits[peer, ("kind", k)] for k in kinds))])
    for head, *body in tables:
        print("\n".join("| " + " | ".join(map(str, line)) + " |" for line in [head, ["---"] * len(head), *body]), "\n")


if __name__ == "__main__":
    ap = argparse.ArgumentParser(description=__doc__)
    for name in ("bank", "repos", "programs"):
        ap.add_argument(name, type=Path)
    ap.add_argument("--save", default=os.devnull, help="keep every run in this file; do not repeat those that it holds")
    main(ap.parse_args())
