#!/usr/bin/env python3
"""The ranking of values that words describe: fits its weights, and says how often it is right.

  bench/values/fit.py lines CASES.jsonl TREES > LINES.tsv
  cargo run --release -p grounds-ask --features measure --example values < LINES.tsv > ROWS.jsonl
  bench/values/fit.py fit CASES.jsonl ROWS.jsonl

A case is {"id", "set", "repo", "commit", "question", "file", "lines", "value"}; TREES/NAME is a checkout of each
repository. `cases.jsonl` has 400, of four authors who saw neither the program nor each other's questions. `lines` adds a
question to another repository for every second case, which has no answer there. `fit` leaves each set out in turn, fits on
the others, and prints how many answers past a share were right, then `WORTHS` and `SHARES` of
crates/ask/src/settle/described/likely/weights.rs, fitted on all. Needs numpy and scipy.
"""
import json
import os
import random
import sys

# By how much a value may be worth less than the best to be shown beside it, and how many are shown.
MARGIN, SHOWN = 1.0, 3
PULL_WORTHS, PULL_SHARES = 2e-3, 4e-3


def cases(path):
    return [json.loads(line) for line in open(path, encoding="utf-8")]


def lines(path, trees):
    random.seed(3)
    all_cases = cases(path)
    names = sorted({case["repo"].split("/")[-1] for case in all_cases})
    for number, case in enumerate(all_cases):
        name = case["repo"].split("/")[-1]
        print(case["id"], os.path.join(trees, name), case["question"], sep="\t")
        if number % 2 == 0:
            other = random.choice([one for one in names if one != name])
            print("other:" + case["id"], os.path.join(trees, other), case["question"], sep="\t")


def is_right(case, value):
    path, line = value[:2]
    return case is not None and path == case["file"] and line in case["lines"]


def read(path, rows):
    import numpy as np

    by_id = {case["id"]: case for case in cases(path)}
    for row in map(json.loads, open(rows, encoding="utf-8")):
        if row["values"]:
            case = by_id.get(row["id"])
            name = by_id[row["id"].removeprefix("other:")]["set"]
            right = np.array([float(is_right(case, value)) for value in row["values"]])
            yield name, row, np.array([value[5] for value in row["values"]]), right


def minimum(loss, size):
    import numpy as np
    from scipy.optimize import minimize

    return minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B").x


def worths_of(part):
    """The weights under which the right values are likeliest to be picked first."""
    import numpy as np

    part = [one for one in part if one[3].any()]

    def loss(weights):
        total, slope = 0.0, np.zeros_like(weights)
        for _, _, values, right in part:
            sums = values @ weights
            picked = np.exp(sums - sums.max())
            picked /= picked.sum()
            of_right = picked * right
            mass = of_right.sum() + 1e-12
            total -= np.log(mass)
            slope -= (of_right / mass - picked) @ values
        count = len(part)
        return total / count + PULL_WORTHS * weights @ weights / 2, slope / count + PULL_WORTHS * weights

    return minimum(loss, part[0][2].shape[1])


def numbers_of(row, values, worths):
    """The numbers of `share` in weights.rs, and whether a right value is shown and first."""
    import numpy as np

    sums = values @ worths
    order = np.argsort(-sums)
    masses = np.exp(sums[order] - sums[order[0]])
    masses /= masses.sum()
    first = values[order[0]]
    shown = [at for at in order[:SHOWN] if sums[order[0]] - sums[at] < MARGIN]
    numbers = [1, masses[0], masses[:3].sum(), 1 - first[7] - first[6], first[0], first[2] + first[3], first[7],
               float(row["asks"]), min(row["words"], 8) / 8, first[21], first[8], first[9], first[12] - first[13],
               row["absent"]]
    return np.array(numbers), shown


def shares_of(part, worths):
    import numpy as np

    told = [(*numbers_of(row, values, worths), right) for _, row, values, right in part]
    inputs = np.array([numbers for numbers, _, _ in told])
    rights = np.array([float(right[shown].any()) for _, shown, right in told])

    def loss(weights):
        likely = 1 / (1 + np.exp(-(inputs @ weights)))
        pull = np.concatenate([[0], weights[1:]])
        total = -(rights * np.log(likely + 1e-9) + (1 - rights) * np.log(1 - likely + 1e-9)).mean()
        return total + PULL_SHARES * pull @ pull / 2, inputs.T @ (likely - rights) / len(rights) + PULL_SHARES * pull

    return minimum(loss, inputs.shape[1])


def fit(path, rows):
    import numpy as np

    everything = list(read(path, rows))
    told = []
    for name in sorted({one[0] for one in everything}):
        others = [one for one in everything if one[0] != name]
        worths = worths_of(others)
        shares = shares_of(others, worths)
        for _, row, values, right in (one for one in everything if one[0] == name):
            numbers, shown = numbers_of(row, values, worths)
            told.append((1 / (1 + np.exp(-numbers @ shares)), right[shown].any(), row["id"].startswith("other:")))
    own = sum(not is_other for _, _, is_other in told)
    print(f"{own} questions and {len(told) - own} to another repository, each set left out in turn")
    for bound in (0.5, 0.6, 0.7, 0.8):
        answered = [one for one in told if one[0] >= bound]
        right = sum(bool(is_right) for _, is_right, is_other in answered if not is_other)
        count = sum(not is_other for _, _, is_other in answered)
        print(f"share {bound}: {right} right of {count} answered; {len(answered) - count} of the others answered")
    worths = worths_of(everything)
    print("WORTHS", ", ".join(f"{weight:.2f}" for weight in worths))
    print("SHARES", ", ".join(f"{weight:.2f}" for weight in shares_of(everything, worths)))


if __name__ == "__main__":
    {"lines": lines, "fit": fit}[sys.argv[1]](*sys.argv[2:])
