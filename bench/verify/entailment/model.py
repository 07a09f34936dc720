"""all-MiniLM-L6-v2 as a cross-encoder: both sentences in one sequence, three labels from its first and its mean vector."""

import json

import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional as F

LABELS = "ENC"


class Layer(nn.Module):
    def __init__(self, size, heads, inner):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(size, 3 * size)
        self.out = nn.Linear(size, size)
        self.norm1 = nn.LayerNorm(size, eps=1e-12)
        self.up = nn.Linear(size, inner)
        self.down = nn.Linear(inner, size)
        self.norm2 = nn.LayerNorm(size, eps=1e-12)

    def forward(self, x, mask):
        batch, length, size = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        a = (q @ k.transpose(-1, -2) * (size // self.heads) ** -0.5 + mask).softmax(-1).to(v.dtype) @ v
        x = self.norm1(x + self.out(a.transpose(1, 2).reshape(batch, length, size)))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


class Judge(nn.Module):
    def __init__(self, vocabulary=30522, size=384, heads=12, inner=1536, layers=6, drop=0.1):
        super().__init__()
        self.word = nn.Embedding(vocabulary, size)
        self.place = nn.Embedding(512, size)
        self.side = nn.Embedding(2, size)
        self.norm = nn.LayerNorm(size, eps=1e-12)
        self.layers = nn.ModuleList(Layer(size, heads, inner) for _ in range(layers))
        self.head = nn.Linear(2 * size, 3)
        self.drop = drop

    def forward(self, ids, sides, mask):
        x = self.word(ids) + self.place.weight[: ids.shape[1]] + self.side(sides)
        x = self.norm(x)
        bias = torch.zeros_like(mask, dtype=x.dtype).masked_fill(~mask, -1e4)[:, None, None, :]
        for layer in self.layers:
            with torch.set_grad_enabled(torch.is_grad_enabled() and layer.up.weight.requires_grad):
                x = layer(x, bias)
        x = x.float()
        mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        return self.head(F.dropout(torch.cat([x[:, 0], mean], 1), self.drop, self.training))


def base(folder):
    """The judge with the weights of the sentence encoder in a folder, and a new head."""
    w = {k: v.float() for k, v in load_file(f"{folder}/model.fp16.safetensors").items()}
    w = {k.removeprefix("bert."): v for k, v in w.items()}
    judge = Judge()
    state = judge.state_dict()
    for name, key in (("word", "word"), ("place", "position"), ("side", "token_type")):
        state[f"{name}.weight"] = w[f"embeddings.{key}_embeddings.weight"]
    for part in ("weight", "bias"):
        state[f"norm.{part}"] = w[f"embeddings.LayerNorm.{part}"]
        for i in range(6):
            at = f"encoder.layer.{i}"
            state[f"layers.{i}.qkv.{part}"] = torch.cat([w[f"{at}.attention.self.{n}.{part}"] for n in ("query", "key", "value")])
            for ours, theirs in (("out", "attention.output.dense"), ("norm1", "attention.output.LayerNorm"),
                                 ("up", "intermediate.dense"), ("down", "output.dense"), ("norm2", "output.LayerNorm")):
                state[f"layers.{i}.{ours}.{part}"] = w[f"{at}.{theirs}.{part}"]
    judge.load_state_dict(state)
    return judge


def batch(encodings):
    """Tensors of tokenised pairs, padded to the longest."""
    longest = max(len(e.ids) for e in encodings)
    ids = torch.zeros(len(encodings), longest, dtype=torch.long)
    sides, mask = torch.zeros_like(ids), torch.zeros_like(ids, dtype=torch.bool)
    for i, e in enumerate(encodings):
        n = len(e.ids)
        ids[i, :n], sides[i, :n], mask[i, :n] = torch.tensor(e.ids), torch.tensor(e.type_ids), True
    return ids, sides, mask


def shares(judge, tokenizer, pairs, size=64):
    """Probabilities of E, N, C for each (premise, hypothesis)."""
    judge.eval()
    encodings = tokenizer.encode_batch(list(pairs))
    order = sorted(range(len(pairs)), key=lambda i: len(encodings[i].ids))
    out = torch.zeros(len(pairs), 3)
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
        for start in range(0, len(order), size):
            part = order[start:start + size]
            out[part] = judge(*batch([encodings[i] for i in part])).float().softmax(1)
    return out


def tokens(folder, length=64):
    from tokenizers import Tokenizer
    tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    tokenizer.no_padding()
    tokenizer.enable_truncation(length)
    return tokenizer


def saved(path):
    judge = Judge()
    judge.load_state_dict(torch.load(path))
    return judge
