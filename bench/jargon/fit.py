#!/usr/bin/env python3
"""Fits the network that gives the words of code for a description in plain words.

    fit.py ENCODER TREES NETWORK [--steps N]

`descriptions.tsv` has, one a line: the number of its author, `description` (several wordings of one thing, with `;`
between) or `question`, the text, and the words that programmers would use for it, the most telling first. They were
written for this purpose, from general knowledge, without a look at any code or at the questions that measure it.

A sentence encoder (ENCODER: a folder with `model.safetensors` and `tokenizer.json` of all-MiniLM-L6-v2, Apache-2.0) is
fitted to them twice and labels the descriptions and sentences of the comments of TREES; NETWORK, which the program
contains, is fitted to these labels. Prints the share of the words of each twentieth description, which is set aside,
that are among the first eight. Needs torch, tokenizers, safetensors and snowballstemmer; takes five minutes of one
large GPU. The seeds are fixed, but devices differ in the last digits.
"""

import collections
import os
import random
import re
import sys

import numpy as np
import snowballstemmer
import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
# A word of code must be in so many descriptions; so many words of texts are known; sizes of the network.
SEEN_MIN, WORDS_MAX, COMPONENTS, HIDDEN = 3, 12_000, 64, 192
TEACHERS, ROUNDS, SENTENCES_MAX, LABELS = 2, 8, 300_000, 48
BEFORE = [""] * 6 + ["how does it ", "where is the code that handles ", "where does it ", "what makes sure of ",
          "how is this done: ", "where do i change ", "i want to change ", "which part does ", "code for ",
          "how do they manage ", "where can i find ", "what happens: ", "who takes care of ", "where in the code is "]
AFTER = [""] * 4 + [" here", " in this project", "?", ", where is that", ". how?", ". where?", " - where is this done", " exactly"]
CODE = (".py", ".rs", ".go", ".java", ".kt", ".ts", ".js", ".tsx", ".rb", ".php", ".c", ".h", ".cc", ".cpp", ".hpp",
        ".cs", ".swift", ".scala")
TEXT = (".md", ".rst", ".txt", ".adoc")

stem = snowballstemmer.stemmer("english").stemWord
words_of = lambda text: re.findall(r"[a-z0-9]+", text.lower())


def read_descriptions():
    entries, written = [], collections.defaultdict(collections.Counter)
    for line in open(f"{HERE}/descriptions.tsv", encoding="utf-8"):
        _, kind, text, code = line.rstrip("\n").split("\t")
        stems = []
        for word in re.findall(r"[a-z0-9+#]+", code.lower()):
            written[stem(word)][word] += 1
            if len(stem(word)) > 1 and stem(word) not in stems:
                stems.append(stem(word))
        texts = text.split(";") if kind == "description" else [text]
        entries.append(([one.strip().lower() for one in texts if one.strip()], stems, kind))
    return entries, written


def sentences(trees):
    """Sentences of plain words in the comments and documents of the trees."""
    found = set()
    mark = re.compile(r'^\s*(?:///?!?|#+|\*+|--|"""|/\*+|;+|%+)?\s*')
    is_comment = re.compile(r'(///?|#(?!\s*(include|define|if|else|endif))|\*|"""|/\*)')
    for folder, folders, files in os.walk(trees):
        folders[:] = [name for name in folders if name not in (".git", "node_modules", "vendor", "dist")]
        for name in files:
            if not name.endswith(CODE + TEXT):
                continue
            text = open(os.path.join(folder, name), encoding="utf8", errors="ignore").read(200_000)
            for line in text.split("\n"):
                if not 25 <= len(line) <= 220 or not (name.endswith(TEXT) or is_comment.match(line.strip())):
                    continue
                for part in re.split(r"(?<=[.!?])\s+", mark.sub("", line).strip('*/" ')):
                    parts = part.split()
                    plain = sum(bool(re.fullmatch(r"[a-zA-Z][a-z'-]*[.,;:!?]?", one)) for one in parts)
                    if 5 <= len(parts) <= 25 and plain >= 0.85 * len(parts) and not set(part) & set("<>{}=|\\@$"):
                        found.add(part.lower())
    found = sorted(found)
    random.shuffle(found)
    return found[:SENTENCES_MAX]


def vary(text):
    words = text.split()
    if len(words) > 4 and random.random() < 0.5:
        text = " ".join([word for word in words if random.random() > 0.12] or words)
    return random.choice(BEFORE) + text + random.choice(AFTER) if random.random() < 0.5 else text


class Layer(nn.Module):
    def __init__(self, width, heads, inner):
        super().__init__()
        self.heads, self.drop = heads, nn.Dropout(0.1)
        self.qkv, self.o = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.n1, self.n2 = nn.LayerNorm(width, eps=1e-12), nn.LayerNorm(width, eps=1e-12)
        self.f1, self.f2 = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, x, mask):
        many, length, width = x.shape
        q, k, v = self.qkv(x).view(many, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        seen = mask[:, None, None, :].bool().expand(many, self.heads, length, length)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=seen).transpose(1, 2).reshape(many, length, width)
        x = self.n1(x + self.drop(self.o(a)))
        return self.n2(x + self.drop(self.f2(F.gelu(self.f1(x)))))


class Teacher(nn.Module):
    def __init__(self, weights, classes):
        super().__init__()
        at = "embeddings."
        self.words = nn.Embedding.from_pretrained(weights[at + "word_embeddings.weight"].float(), freeze=False)
        self.places = nn.Parameter(weights[at + "position_embeddings.weight"].float())
        self.kind = nn.Parameter(weights[at + "token_type_embeddings.weight"][0].float())
        self.norm, self.layers = nn.LayerNorm(384, eps=1e-12), nn.ModuleList(Layer(384, 12, 1536) for _ in range(6))
        self.out, self.scale, self.drop = nn.Linear(384, classes), nn.Parameter(torch.tensor(12.0)), nn.Dropout(0.1)
        with torch.no_grad():
            for name in ("weight", "bias"):
                getattr(self.norm, name).copy_(weights[f"{at}LayerNorm.{name}"])
                for number, layer in enumerate(self.layers):
                    of = f"encoder.layer.{number}."
                    joined = [weights[f"{of}attention.self.{part}.{name}"] for part in ("query", "key", "value")]
                    getattr(layer.qkv, name).copy_(torch.cat(joined))
                    for own, theirs in (("o", "attention.output.dense"), ("n1", "attention.output.LayerNorm"),
                                        ("f1", "intermediate.dense"), ("f2", "output.dense"), ("n2", "output.LayerNorm")):
                        getattr(getattr(layer, own), name).copy_(weights[f"{of}{theirs}.{name}"])

    def pool(self, ids, mask):
        x = self.norm(self.words(ids) + self.places[: ids.shape[1]] + self.kind)
        for layer in self.layers:
            x = layer(x, mask)
        return F.normalize((x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True), dim=-1)

    def forward(self, ids, mask):
        return self.out(self.drop(self.pool(ids, mask) * self.scale))


class Network(nn.Module):
    def __init__(self, words, classes):
        super().__init__()
        self.e, self.w = nn.Embedding(words + 1, COMPONENTS), nn.Embedding(words + 1, 1)
        nn.init.zeros_(self.w.weight)
        nn.init.normal_(self.e.weight, std=0.3)
        self.f, self.g, self.out = nn.Linear(COMPONENTS, HIDDEN), nn.Linear(HIDDEN, HIDDEN), nn.Linear(HIDDEN, classes)
        self.drop = nn.Dropout(0.1)

    def forward(self, ids, mask):
        shares = torch.exp(self.w(ids).squeeze(-1)) * mask
        x = (self.e(ids) * shares[..., None]).sum(1) / shares.sum(1, keepdim=True).clamp_min(1e-6).sqrt()
        x = F.relu(self.f(x))
        return self.out(self.drop(x + F.relu(self.g(self.drop(x)))))


def padded(rows):
    length = max(map(len, rows))
    ids, mask = torch.zeros(len(rows), length, dtype=torch.long), torch.zeros(len(rows), length)
    for number, row in enumerate(rows):
        ids[number, : len(row)], mask[number, : len(row)] = torch.tensor(row), 1
    return ids, mask


def loss_of(sums, wanted):
    return -(wanted * F.log_softmax(sums.float(), -1)).sum(-1).mean()


def recall(likely, aside, first=8):
    found = whole = 0
    for start in range(0, len(aside), 256):
        part = aside[start : start + 256]
        with torch.no_grad():
            top = likely([text for text, _ in part]).topk(first, -1).indices.tolist()
        for row, (_, wanted) in zip(top, part):
            found += len({number for number, _ in wanted} & set(row))
            whole += min(first, len(wanted))
    return found / whole


def teach(seed, weights, encode, classes, samples):
    torch.manual_seed(seed)
    random.seed(seed)
    model, batch = Teacher(weights, len(classes)).to(DEVICE), 64
    with torch.no_grad():  # The rows of words of code begin as what the encoder makes of the words.
        for start in range(0, len(classes), 512):
            model.out.weight[start : start + 512] = model.eval().pool(*encode(classes[start : start + 512])) * 0.5
        model.out.bias.zero_()
    steps, own = ROUNDS * len(samples) // batch, [model.scale, *model.out.parameters()]
    rest = [one for one in model.parameters() if all(one is not other for other in own)]
    chooser = torch.optim.AdamW([{"params": rest, "lr": 8e-5}, {"params": own, "lr": 1.5e-3}], weight_decay=0.01)
    pace = torch.optim.lr_scheduler.LambdaLR(chooser, lambda step: min((step + 1) / 200, max(0.02, 1 - step / steps)))
    model.train()
    for _ in range(ROUNDS):
        random.shuffle(samples)
        for start in range(0, len(samples) - batch + 1, batch):
            part = samples[start : start + batch]
            wanted = torch.zeros(batch, len(classes))
            for row, (_, words) in enumerate(part):
                for number, share in words:
                    wanted[row, number] = share
            with torch.autocast(DEVICE, dtype=torch.bfloat16):
                sums = model(*encode([vary(text) for text, _ in part]))
            chooser.zero_grad()
            loss_of(sums, wanted.to(DEVICE)).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            chooser.step()
            pace.step()
    return model.eval()


def distil(network, encode, texts, shares, numbers, own, steps, classes):
    """Fits the network to the labels of the teachers: one half of each batch from descriptions, one from comments."""
    chooser, batch = torch.optim.AdamW(network.parameters(), lr=3e-3, weight_decay=0.01), 512
    ids, mask = encode(texts)
    for step in range(steps):
        for group in chooser.param_groups:
            group["lr"] = 3e-3 * max(0.02, 1 - step / steps) * min(1, (step + 1) / 200)
        chosen = torch.cat([torch.randint(0, own, (batch // 2,)), torch.randint(own, len(texts), (batch // 2,))])
        wanted = torch.zeros(batch, classes, device=DEVICE).scatter_(1, numbers[chosen].to(DEVICE), shares[chosen].to(DEVICE))
        seen = mask[chosen]
        kept = (torch.rand(seen.shape) > 0.08).float() * seen
        seen = torch.where(kept.sum(1, keepdim=True) > 0, kept, seen)
        loss = loss_of(network(ids[chosen].to(DEVICE), seen.to(DEVICE)), wanted / wanted.sum(1, keepdim=True))
        chooser.zero_grad()
        loss.backward()
        chooser.step()
    return network.eval()


def write(network, words, classes, written, path):
    tensors = {name: one.detach().cpu().numpy().astype("f4") for name, one in network.state_dict().items()}
    order = sorted(range(len(words)), key=lambda at: words[at].encode())
    names = [written[one].most_common(1)[0][0] for one in classes]
    out = bytearray(f"{len(words)} {COMPONENTS} {HIDDEN} {len(classes)}\n".encode())
    out += ("\n".join([words[at] for at in order] + names) + "\n").encode()

    def matrix(rows):
        scales = np.abs(rows).max(1) / 127 + 1e-9
        whole = np.clip(np.round(rows / scales[:, None]), -127, 127).astype("i1")
        return scales.astype("<f4").tobytes() + whole.tobytes()

    out += matrix(tensors["e.weight"][1:][order]) + np.exp(tensors["w.weight"][1:, 0][order]).astype("<f4").tobytes()
    for layer in ("f", "g", "out"):
        out += matrix(tensors[f"{layer}.weight"]) + tensors[f"{layer}.bias"].astype("<f4").tobytes()
    open(path, "wb").write(out)


def main(encoder, trees, path, steps):
    torch.manual_seed(1)
    random.seed(1)
    entries, written = read_descriptions()
    seen = collections.Counter(one for _, stems, _ in entries for one in stems)
    classes = [one for one, count in seen.most_common() if count >= SEEN_MIN]
    number = {one: at for at, one in enumerate(classes)}
    aside = set(random.sample(range(len(entries)), len(entries) // 20))
    samples, apart = [], []
    for at, (texts, stems, kind) in enumerate(entries):
        shares = [(number[one], 1 / (1 + 0.12 * place)) for place, one in enumerate(stems) if one in number]
        whole = sum(share for _, share in shares)
        shares = [(one, share / whole) for one, share in shares]
        if shares:
            (apart if at in aside else samples).extend((text, shares) for text in texts)
        if shares and at not in aside and kind == "description":
            samples.append((" ".join(random.sample(texts, min(2, len(texts)))), shares))
    tokens = Tokenizer.from_file(f"{encoder}/tokenizer.json")
    tokens.no_padding()
    tokens.no_truncation()
    encode = lambda texts: [one.to(DEVICE) for one in padded([row.ids[:40] for row in tokens.encode_batch(texts)])]
    weights = load_file(f"{encoder}/model.safetensors")
    teachers = [teach(seed, weights, encode, classes, samples) for seed in range(TEACHERS)]

    def taught(texts):
        with torch.no_grad(), torch.autocast(DEVICE, dtype=torch.bfloat16):
            row = encode(texts)
            return sum(F.softmax(one(*row).float(), -1) for one in teachers) / TEACHERS

    print("teachers:", round(recall(taught, apart), 3))
    own = [vary(text) for text, _ in samples for _ in range(6)]
    texts = own + sentences(trees)
    labels = [taught(texts[start : start + 1024]).topk(LABELS, -1) for start in range(0, len(texts), 1024)]
    shares, numbers = (torch.cat([getattr(one, name).cpu() for one in labels]) for name in ("values", "indices"))
    common = collections.Counter()
    for text in texts[len(own) :]:
        common.update(words_of(text))
    for text, _ in samples:
        common.update({word: 5 for word in words_of(text)})
    words = [word for word, _ in common.most_common(WORDS_MAX)]
    at = {word: place + 1 for place, word in enumerate(words)}
    plain = lambda texts: padded([[at[word] for word in words_of(text) if word in at][:32] or [0] for text in texts])
    network = Network(len(words), len(classes)).to(DEVICE)
    distil(network, plain, texts, shares, numbers, len(own), steps, len(classes))
    print("network:", round(recall(lambda texts: network(*[one.to(DEVICE) for one in plain(texts)]), apart), 3))
    write(network, words, classes, written, path)


if len(sys.argv) not in (4, 6):
    sys.exit(__doc__)
main(*sys.argv[1:4], int(sys.argv[5]) if len(sys.argv) == 6 else 28_000)
