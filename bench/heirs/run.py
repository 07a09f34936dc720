#!/usr/bin/env python3
"""Holds the direct heirs that `grounds ask --claim 'extends(_, "X")'` lists against those of universal-ctags.

    bench/heirs/run.py GROUNDS OUT TREE...

Of each tree and each language of which ctags gives bases, up to 25 base types (BASES_MAX in the environment): half of them those with the most
heirs, the others by chance (fixed seed). Writes each difference into OUT as JSON lines, and prints recall (heirs of
ctags that are listed, or listed apart as open) and precision (listed heirs that ctags has too) by language and level.
Heirs in
files of another language are left out of the comparison. Neither side is the truth: read the differences.
"""

import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys

LANGUAGES = {
    "C++": ".cpp .cc .cxx .h .hpp .hh .hxx",
    "C#": ".cs",
    "Java": ".java",
    "JavaScript": ".js .mjs .cjs .jsx",
    "PHP": ".php",
    "Python": ".py .pyi",
    "Ruby": ".rb .rake .ru",
    "TypeScript": ".ts .tsx .mts .cts",
}
KINDS = {"class", "interface", "struct", "trait", "enum", "record"}
BASES_MAX, HEIRS_MAX = 25, 150


def bases_of(text):
    """The last names of a list of bases, without type arguments."""
    depth, flat = 0, ""
    for letter in text:
        depth += letter in "<([{"
        if depth == 0:
            flat += letter
        depth -= letter in ">)]}"
    for base in flat.split(","):
        name = re.split(r"\.|::|\\", base.split("where")[0].strip())[-1]
        if re.fullmatch(r"[A-Za-z_]\w{2,}", name):
            yield name


def heirs_by_ctags(tree):
    command = ["ctags", "--fields=+iKnl", "--output-format=json", f"--languages={','.join(LANGUAGES)}"]
    command += ["--exclude=.?*", "--exclude=node_modules", "-R", "-f", "-", "."]
    out = subprocess.run(command, cwd=tree, capture_output=True, text=True, errors="replace").stdout
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    for line in out.splitlines():
        tag = json.loads(line)
        if tag.get("kind") in KINDS and tag.get("inherits"):
            for base in bases_of(tag["inherits"]):
                place = (tag["path"].removeprefix("./"), tag["name"], tag["line"])
                found[tag["language"]][base].add(place)
    return found


def chosen(by_base, seed):
    names = [name for name, heirs in sorted(by_base.items()) if len(heirs) <= HEIRS_MAX]
    names.sort(key=lambda name: -len(by_base[name]))
    bases = int(os.environ.get("BASES_MAX", BASES_MAX))
    most, rest = names[: bases // 2], names[bases // 2 :]
    return most + random.Random(seed).sample(rest, min(len(rest), bases - len(most)))


def asked(grounds, tree, base):
    command = [grounds, "ask", "--claim", f'extends(_, "{base}")', "--format", "json"]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, errors="replace")
    try:
        seen = json.loads(done.stdout)
    except json.JSONDecodeError:
        return "broken", [], []
    level = seen["confidence"]["level"] if seen["outcome"] == "answered" else seen["outcome"]
    listed, open_ = [], []
    for section in seen.get("sections") or []:
        into = open_ if section["title"] == "Not resolved" else listed
        cited = [seen["citations"][number] for number in section["citations"]]
        into.extend((one["path"], one["what"].strip("`"), one["line_start"], one["line_end"]) for one in cited)
    for lead in (seen.get("leads") or []) if seen["outcome"] != "answered" else []:
        open_.append((lead["path"], "", lead["line_start"], lead["line_end"]))
    return level, listed, open_


def is_same(theirs, ours):
    in_head = ours[2] - 3 <= theirs[2] <= max(ours[3], ours[2]) + 3
    return theirs[0] == ours[0] and (theirs[1] == ours[1] and in_head or ours[2] <= theirs[2] <= ours[3])


def main():
    grounds, out = str(pathlib.Path(sys.argv[1]).resolve()), open(sys.argv[2], "w")
    counts = collections.defaultdict(collections.Counter)
    for tree in map(pathlib.Path, sys.argv[3:]):
        for language, by_base in sorted(heirs_by_ctags(tree).items()):
            for base in chosen(by_base, tree.name + language):
                level, listed, open_ = asked(grounds, tree, base)
                theirs = by_base[base]
                listed = [one for one in listed if pathlib.Path(one[0]).suffix in LANGUAGES[language].split()]
                missing = [one for one in theirs if not any(is_same(one, other) for other in listed)]
                in_open = [one for one in missing if any(is_same(one, other) for other in open_)]
                more = [one for one in listed if not any(is_same(other, one) for other in theirs)]
                count = counts[language, level]
                count["bases"] += 1
                count["theirs"] += len(theirs)
                count["listed"] += len(listed)
                count["missing"] += len(missing)
                count["open"] += len(in_open)
                count["more"] += len(more)
                count["whole"] += not missing and not more
                if missing or more:
                    gone = [one for one in missing if one not in in_open]
                    told = {"tree": tree.name, "language": language, "base": base, "level": level}
                    told |= {"theirs": len(theirs), "missing": sorted(gone), "open": sorted(in_open), "more": more}
                    out.write(json.dumps(told) + "\n")
                    out.flush()
    print("| language | level | bases | same | heirs by ctags | listed | missing | of them open | recall | precision |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for (language, level), count in sorted(counts.items()):
        recall = 1 - (count["missing"] - count["open"]) / max(count["theirs"], 1)
        precision = 1 - count["more"] / max(count["listed"], 1)
        cells = [count[name] for name in ("bases", "whole", "theirs", "listed", "missing", "open")]
        print("|", " | ".join(map(str, [language, level, *cells, f"{recall:.3f}", f"{precision:.3f}"])), "|")


main()
