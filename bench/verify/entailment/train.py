#!/usr/bin/env python3
"""Trains the judge on the pairs that data.py made.

    train.py BASE PAIRS.jsonl OUT.pt [--epochs 2] [--minutes 40] [--rate 1e-4] [--seed 1] [--start JUDGE.pt] [--without made,mismatched]
"""

import argparse
import json
import random
import time

import torch
from torch.nn import functional as F

import model

SIZE = 32
WARM = 0.06
# Of these sets an epoch takes a share only; of the others everything.
SHARES = {"made": 0.2, "mismatched": 0.5, "eb_train.tsv": 0.25, "eb_test.tsv": 0.25, "mv_train.json": 0.4}
# Embeddings and the lowest layers stay as they are.
FROZEN = ("word", "place", "side", "norm", "layers.0.", "layers.1.")
DEV_MAX = 4000
SAVED_EVERY = 200


def loss(logits, labels):
    """Cross entropy of three labels; "not entailed" (X, -1) takes what E does not have."""
    logs = F.log_softmax(logits, 1)
    full = labels >= 0
    not_entailed = torch.logsumexp(logs[:, 1:], 1)
    each = torch.where(full, logs.gather(1, labels.clamp(min=0)[:, None])[:, 0], not_entailed)
    return -each.mean()


def batches(rows, rng):
    """One epoch in batches of like length."""
    own = [r for r in rows if rng.random() < SHARES.get(r["set"], 1)]
    rng.shuffle(own)
    for start in range(0, len(own), SIZE * 32):
        part = sorted(own[start:start + SIZE * 32], key=lambda r: len(r["e"].ids))
        cut = [part[i:i + SIZE] for i in range(0, len(part), SIZE)]
        rng.shuffle(cut)
        yield from cut


def read(path, tokenizer, rng):
    """The pairs for training and those for development, tokenised."""
    rows = [json.loads(line) for line in open(path, encoding="utf-8")]
    for row, e in zip(rows, tokenizer.encode_batch([(r["p"], r["h"]) for r in rows])):
        row["e"], row["y"] = e, model.LABELS.find(row["l"])
    dev = [r for r in rows if r["dev"] and rng.random() < SHARES.get(r["set"], 1)][:DEV_MAX]
    return [r for r in rows if not r["dev"]], dev


def told(judge, tokenizer, rows):
    """Right answers by set on the development pairs."""
    got = model.shares(judge, tokenizer, [(r["p"], r["h"]) for r in rows])
    sets = {}
    for row, share in zip(rows, got):
        said = model.LABELS[int(share.argmax())]
        right = said == row["l"] or (row["l"] == "X" and said != "E")
        sets.setdefault(row["set"], []).append(right)
    return {name: f"{sum(v) / len(v):.3f} of {len(v)}" for name, v in sorted(sets.items())}


def main():
    at = argparse.ArgumentParser()
    at.add_argument("base"), at.add_argument("pairs"), at.add_argument("out")
    at.add_argument("--epochs", type=int, default=2), at.add_argument("--minutes", type=float, default=40)
    at.add_argument("--rate", type=float, default=1e-4), at.add_argument("--seed", type=int, default=1)
    at.add_argument("--start", help="go on with this judge, all its layers")
    at.add_argument("--without", default="", help="sets that are left out, with commas")
    args = at.parse_args()
    SHARES.update(dict.fromkeys(filter(None, args.without.split(",")), 0.0))
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    tokenizer = model.tokens(args.base)
    rows, dev = read(args.pairs, tokenizer, rng)
    judge = model.saved(args.start) if args.start else model.base(args.base)
    for name, parameter in judge.named_parameters():
        parameter.requires_grad = not name.startswith(FROZEN[:4] if args.start else FROZEN)
    slow = [p for n, p in judge.named_parameters() if p.requires_grad and not n.startswith("head")]
    optimizer = torch.optim.AdamW([{"params": slow}, {"params": judge.head.parameters(), "lr": 5 * args.rate}],
                                  lr=args.rate, weight_decay=0.01, fused=True)
    rates = [g["lr"] for g in optimizer.param_groups]
    total = args.epochs * (sum(SHARES.get(r["set"], 1) for r in rows)) / SIZE
    start, step, mean = time.time(), 0, 0.0
    for epoch in range(args.epochs):
        judge.train()
        for part in batches(rows, rng):
            done = max(step / total, (time.time() - start) / 60 / args.minutes)
            if done >= 1:
                break
            for group, rate in zip(optimizer.param_groups, rates):
                group["lr"] = rate * min(1.0, step / total / WARM + 0.01) * (1 - done)
            with torch.autocast("cpu", torch.bfloat16):
                logits = judge(*model.batch([r["e"] for r in part]))
            value = loss(logits.float(), torch.tensor([r["y"] for r in part]))
            optimizer.zero_grad()
            value.backward()
            torch.nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
            optimizer.step()
            step, mean = step + 1, mean * 0.98 + float(value.detach()) * 0.02
            if step % 20 == 0:
                print(f"{step} of {total:.0f}, loss {mean:.3f}, {step * SIZE / (time.time() - start):.0f} pairs a second", flush=True)
            if step % SAVED_EVERY == 0:
                torch.save(judge.state_dict(), args.out)
        torch.save(judge.state_dict(), args.out)
        print("epoch", epoch + 1, told(judge, tokenizer, dev), flush=True)
        if done >= 1:
            break


if __name__ == "__main__":
    main()
