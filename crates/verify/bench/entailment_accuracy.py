#!/usr/bin/env python3
"""How right an entailment server is on labelled pairs, and how often it speaks, by its threshold.

    python3 crates/verify/bench/entailment_accuracy.py HEALTHVER.csv http://127.0.0.1:8077

Each piece of evidence is asked about as a whole, as premise, with the claim as hypothesis. Topics with an odd
number are the half that is reported, as in the example `judges`, which asks sentence by sentence.
"""

import csv
import json
import sys
import urllib.request

PAIRS_A_REQUEST = 16
THRESHOLDS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99)
SIDES = {"entailment": "Supports", "contradiction": "Refutes"}


def asked(url, pairs):
    """The labels of each pair."""
    body = json.dumps({"inputs": pairs, "raw_scores": False, "truncate": True}).encode()
    request = urllib.request.Request(f"{url}/predict", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)


def main():
    path, url = sys.argv[1:3]
    with open(path, newline="", encoding="utf-8") as file:
        rows = [row for row in list(csv.reader(file))[1:] if int(row[4] or 0) % 2 == 1]
    told = []
    for start in range(0, len(rows), PAIRS_A_REQUEST):
        part = rows[start:start + PAIRS_A_REQUEST]
        told += zip(part, asked(url, [[row[1], row[2]] for row in part]))
    print(f"{len(rows)} pairs\n| threshold | spoke on | right | precision |\n|---|---|---|---|")
    for threshold in THRESHOLDS:
        said = [(row[3], SIDES[label["label"]]) for row, labels in told for label in labels
                if label["label"] in SIDES and label["score"] >= threshold]
        right = sum(truth == side for truth, side in said)
        print(f"| {threshold} | {len(said)} | {right} | {right / max(1, len(said)):.2f} |")


if __name__ == "__main__":
    main()
