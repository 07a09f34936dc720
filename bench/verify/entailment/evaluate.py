#!/usr/bin/env python3
"""How right a trained judge is, and how often it speaks, with its bars fitted on even cases and reported on odd ones.

    evaluate.py BASE JUDGE.pt BANK BUILD HEALTHVER.csv CLIMATE.jsonl [--scores FILE]

BANK is the bank of labelled claims, BUILD the folder with its rebuilt corpora. A claim of the bank stands beside the
sentence that decides it and beside the NEAREST other sentences of its documents (neutral); a changed sentence beside
the sentence it was made of. Guards go before the judge: what a claim has of numbers, names, denials and words of
quantity, the sentence must have too, else it is silent.
"""

import argparse
import collections
import csv
import json
import math
import pathlib
import re
import time

import torch

import model

NEAREST = 24
PRECISION = 0.95
BARS = [x / 1000 for x in (*range(400, 950, 25), *range(950, 1000, 5), 997, 998, 999)]
STOP = set("a an the of to in on at by for with from as is are was were be been it its this that and or if when which "
           "can may will you your".split())
QUANTITIES = ("all", "every", "each", "only", "always", "never", "must", "least", "most", "before", "after", "until", "unless",
              "without", "none", "any", "more", "fewer", "less", "may", "might", "first", "last")
DENIAL = re.compile(r"\b(not|no|never|none|cannot|nothing|neither|nor|without|unless)\b|n't\b", re.I)
SMALL = {w: str(i) for i, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())}
WORD = re.compile(r"[A-Za-z0-9][\w.+#/-]*[\w+#]|\w")


def stem(word):
    word = word.lower().strip("._-/")
    for end in ("ations", "ation", "ings", "ing", "edly", "ed", "ies", "es", "s", "ly", "e"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word[:-len(end)]
    return word


def words(text):
    return {stem(w) for w in WORD.findall(text) if w.lower() not in STOP}


def numbers(text):
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    return set(re.findall(r"\d+(?:\.\d+)?", text)) | {SMALL[w.lower()] for w in WORD.findall(text) if w.lower() in SMALL}


def names(text):
    """Words with a capital inside or after the start, or with a sign of code."""
    found = WORD.findall(text)
    return {w.lower() for i, w in enumerate(found) if re.search(r"[A-Z]", w[1:]) or (i and w[0].isupper()) or re.search(r"[_/#.]", w)}


def guarded(premise, claim, side):
    """Whether nothing in the claim forbids taking a side on this sentence."""
    low = premise.lower()
    if not all(re.search(rf"(?<!\w){re.escape(n)}", low) for n in names(claim)):
        return False
    if side == "C":
        return True
    kept = {w.lower() for w in WORD.findall(low)}
    return (numbers(claim) <= numbers(premise)
            and bool(DENIAL.search(claim)) == bool(DENIAL.search(premise))
            and all(w in kept for w in QUANTITIES if w in {x.lower() for x in WORD.findall(claim)}))


def sentences(text):
    text = re.sub(r"```.*?```", "\n\n", text, flags=re.S)
    for block in re.split(r"\n\s*\n|\n\s*[-*#+>|]\s*|\n\s*\d+\.\s", text):
        for one in re.split(r"(?<=[.!?;])\s+(?=[A-Z`'\"(])", " ".join(block.split())):
            if 4 <= len(one.split()) <= 90:
                yield one


class Nearest:
    """Ranks the sentences of a corpus by the weight of the words that they share with a claim."""

    def __init__(self, folder):
        self.all = list(dict.fromkeys(s for p in sorted(pathlib.Path(folder).rglob("*")) if p.is_file()
                                      for s in sentences(p.read_text(errors="replace"))))
        self.words = [words(s) for s in self.all]
        self.by = collections.defaultdict(list)
        for i, found in enumerate(self.words):
            for w in found:
                self.by[w].append(i)

    def of(self, claim, count):
        score = collections.Counter()
        for w in words(claim):
            weight = math.log(len(self.all) / (1 + len(self.by[w])) + 1)
            for i in self.by[w]:
                score[i] += weight / (4 + len(self.words[i])) ** 0.3
        return [self.all[i] for i, _ in score.most_common(count)]


def folded(text):
    return " ".join(re.findall(r"\w+", text.lower()))


def bank(root, build):
    """Rows (group, claim id, premise, claim, gold, even): E, C, N; A where N is accepted beside C."""
    for path in sorted(root.glob("*/claims.jsonl")):
        corpus = path.parent.name
        if not (build / corpus).is_dir():
            continue
        nearest = Nearest(build / corpus)
        for number, row in enumerate(map(json.loads, open(path, encoding="utf-8"))):
            gold = {"True": "E", "False": "C", "Invalid": "N"}[row["label"]]
            key = (row["id"], number % 2 == 0, gold if row["accept"] == [row["label"]] else "A")
            if gold != "N":
                yield "bank, deciding sentence", *key[:2], row["quote"], row["claim"], key[2]
            own = folded(row["quote"] or "-") if row.get("quote") else "-"
            for other in nearest.of(row["claim"], NEAREST):
                if own not in folded(other) and folded(other) not in own:
                    yield "bank, other sentence", *key[:2], other, row["claim"], "N"
    for path in sorted((root / "mutants").glob("*.jsonl")):
        for number, row in enumerate(map(json.loads, open(path, encoding="utf-8"))):
            gold = {"True": "E", "False": "C", "Invalid": "N"}[row["label"]]
            yield "bank, changed sentence", f"{path.stem}-{row['id']}", number % 2 == 0, row["source"], row["mutant"], gold


def healthver(path):
    for row in list(csv.reader(open(path, newline="", encoding="utf-8")))[1:]:
        gold = {"Supports": "E", "Refutes": "C", "Neutral": "N"}[row[3]]
        yield "HealthVer", row[0], int(row[4] or 0) % 2 == 0, row[1], row[2], gold


def climate(path):
    for row in map(json.loads, open(path, encoding="utf-8")):
        for at, one in enumerate(row["evidences"]):
            gold = {"SUPPORTS": "E", "REFUTES": "C", "NOT_ENOUGH_INFO": "N"}[one["evidence_label"]]
            yield "Climate-FEVER", f"{row['claim_id']}-{at}", int(row["claim_id"]) % 2 == 0, one["evidence"], row["claim"], gold


def verdicts(rows, bars, guards):
    """(spoken, right) for pairs; what it says is right where the gold is that side."""
    spoken = right = 0
    for row in rows:
        side = row["side"]
        if side == "N" or row["sure"] < bars[side] or (guards and not row["ok"]):
            continue
        spoken += 1
        right += row["gold"] == side or (row["gold"] == "A" and side == "C")
    return spoken, right


def by_claim(rows, bars, guards):
    """(spoken, right) for claims: all sentences of one together; two sides are silence."""
    sides, gold = collections.defaultdict(set), {}
    for row in rows:
        gold.setdefault(row["id"], "N")
        if row["group"] == "bank, deciding sentence":
            gold[row["id"]] = row["gold"]
        side = row["side"]
        if side != "N" and row["sure"] >= bars[side] and (row["ok"] or not guards):
            sides[row["id"]].add(side)
    told = {k: v.pop() for k, v in sides.items() if len(v) == 1}
    return len(told), sum(gold[k] == v or (gold[k] == "A" and v == "C") for k, v in told.items())


def fitted(rows, guards, count):
    """The bars with the most right verdicts at the precision wanted, on the rows given."""
    best, most = {"E": 2.0, "C": 2.0}, 0
    rows = [r for r in rows if r["side"] != "N" or r["group"] == "bank, deciding sentence"]
    for e in (*BARS, 2.0):
        for c in (*BARS, 2.0):
            spoken, right = count(rows, {"E": e, "C": c}, guards)
            if right > most and right >= PRECISION * spoken:
                best, most = {"E": e, "C": c}, right
    return best


def main():
    at = argparse.ArgumentParser()
    for name in ("base", "judge", "bank", "build", "healthver", "climate"):
        at.add_argument(name, type=pathlib.Path)
    at.add_argument("--scores", type=pathlib.Path, help="write every pair with its shares")
    args = at.parse_args()
    names_ = ("group", "id", "even", "premise", "claim", "gold")
    rows = [dict(zip(names_, row)) for found in (bank(args.bank, args.build), healthver(args.healthver), climate(args.climate))
            for row in found]
    tokenizer = model.tokens(args.base, 128)
    judge = model.saved(args.judge)
    shares = model.shares(judge, tokenizer, [(r["premise"], r["claim"]) for r in rows])
    for row, share in zip(rows, shares):
        row["sure"], row["side"] = float(share.max()), model.LABELS[int(share.argmax())]
        row["share"] = [round(float(x), 4) for x in share]
        row["ok"] = guarded(row["premise"], row["claim"], row["side"])
    if args.scores:
        args.scores.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")
    report(rows)
    torch.set_num_threads(1)
    part = [(r["premise"], r["claim"]) for r in rows if r["group"].startswith("bank")][:200]
    start = time.process_time()
    model.shares(judge, tokenizer, part, 1)
    print(f"{(time.process_time() - start) / len(part) * 1000:.0f} ms of one core a pair, one at a time")


def area(rows):
    """Area under the curve: how well the share of "entailment" tells entailed pairs from others."""
    order = sorted(rows, key=lambda r: r["share"][0])
    places = [i for i, r in enumerate(order) if r["gold"] == "E"]
    count = len(places)
    return (sum(places) - count * (count - 1) / 2) / max(1, count * (len(order) - count))


def report(rows):
    claims = [r for r in rows if r["group"] in ("bank, deciding sentence", "bank, other sentence")]
    sets = {"claims of the bank, by pair": (claims, verdicts), "claims of the bank, by claim": (claims, by_claim)}
    for name in ("bank, deciding sentence", "bank, changed sentence", "HealthVer", "Climate-FEVER"):
        sets[name] = ([r for r in rows if r["group"] == name], verdicts)
    sets["all pairs"] = (rows, verdicts)
    print("| reported on odd cases | guards | bars E, C (fitted on even) | even: spoke, right | decidable | spoke | right | precision |")
    print("|---|---|---|---|---|---|---|---|")
    for name, (own, count) in sets.items():
        even, odd = [r for r in own if r["even"]], [r for r in own if not r["even"]]
        decidable = sum(r["gold"] != "N" for r in odd)
        for guards in (False, True):
            bars = fitted(even, guards, count)
            spoken, right = count(odd, bars, guards)
            print(f"| {name} | {'yes' if guards else 'no'} | {bars['E']}, {bars['C']} | {count(even, bars, guards)} | {decidable} "
                  f"| {spoken} | {right} | {right / max(1, spoken):.2f} |")
    print("| of the surest verdicts, all cases | 15 | 30 | 60 |")
    print("|---|---|---|---|")
    for name, (own, count) in sets.items():
        if count is verdicts:
            told = sorted((r for r in own if r["side"] != "N"), key=lambda r: -r["sure"])
            right = [r["gold"] == r["side"] or (r["gold"] == "A" and r["side"] == "C") for r in told]
            print(f"| {name} | {' | '.join(f'{sum(right[:n]) / max(1, len(right[:n])):.2f}' for n in (15, 30, 60))} |")
    for name, (own, count) in sets.items():
        if count is verdicts:
            known = [r for r in own if r["gold"] != "A"]
            sides = collections.Counter(r["side"] for r in own)
            print(f"{name}: area under the curve {area(known):.2f}; likeliest labels {dict(sides)} of {len(own)}")
    changed = [r for r in rows if r["group"] == "bank, changed sentence" and r["gold"] != "E"]
    for bar in (0.5, 0.9, 0.95, 0.99):
        told = [sum(r["side"] == "E" and r["sure"] >= bar and (r["ok"] or not g) for r in changed) for g in (False, True)]
        print(f"changed sentences told True at {bar}: {told[0]} of {len(changed)}, with guards {told[1]}")


if __name__ == "__main__":
    main()
