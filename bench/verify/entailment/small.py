#!/usr/bin/env python3
"""The small rival, at the same time of training: decomposable attention over the encoder's frozen word vectors.

    small.py BASE PAIRS.jsonl [--minutes 10] [--seed 1]

Parikh et al. 2016: each word attends to the words of the other sentence, is compared with what it attends to, and the
sums of both sides decide. Prints the right answers by set on the development pairs, as train.py does.
"""

import argparse
import json
import random
import time

import torch
from torch import nn
from torch.nn import functional as F

import model
import train

INNER = 256


def layers(size, out):
    return nn.Sequential(nn.Dropout(0.1), nn.Linear(size, out), nn.ReLU(), nn.Dropout(0.1), nn.Linear(out, out), nn.ReLU())


class Small(nn.Module):
    def __init__(self, word):
        super().__init__()
        self.word = nn.Embedding.from_pretrained(F.normalize(word, dim=1), freeze=True)
        self.project = nn.Linear(word.shape[1], INNER)
        self.attend, self.compare = layers(INNER, INNER), layers(2 * INNER, INNER)
        self.head = nn.Sequential(layers(2 * INNER, INNER), nn.Linear(INNER, 3))

    def forward(self, ids, sides, mask):
        x = self.project(self.word(ids))
        a, b = mask & (sides == 0), mask & (sides == 1)
        e = self.attend(x)
        scores = e @ e.transpose(1, 2) / INNER ** 0.5
        across = (a[:, :, None] & b[:, None, :]) | (b[:, :, None] & a[:, None, :])
        other = scores.masked_fill(~across, -1e4).softmax(2) @ x
        v = self.compare(torch.cat([x, other], 2))
        return self.head(torch.cat([(v * a[..., None]).sum(1), (v * b[..., None]).sum(1)], 1))


def main():
    at = argparse.ArgumentParser()
    at.add_argument("base"), at.add_argument("pairs")
    at.add_argument("--minutes", type=float, default=10), at.add_argument("--seed", type=int, default=1)
    args = at.parse_args()
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    tokenizer = model.tokens(args.base)
    rows, dev = train.read(args.pairs, tokenizer, rng)
    judge = Small(model.base(args.base).word.weight.data)
    optimizer = torch.optim.AdamW([p for p in judge.parameters() if p.requires_grad], lr=1e-3, weight_decay=1e-4)
    start, done, epochs = time.time(), 0.0, 0
    while done < 1:
        judge.train()
        for part in train.batches(rows, rng):
            done = (time.time() - start) / 60 / args.minutes
            if done >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = 1e-3 * (1 - done)
            value = train.loss(judge(*model.batch([r["e"] for r in part])), torch.tensor([r["y"] for r in part]))
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
        epochs += 1
    print("epochs", epochs, train.told(judge, tokenizer, dev))


if __name__ == "__main__":
    main()
