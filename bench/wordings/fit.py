#!/usr/bin/env python3
"""Fits the network that reads questions by their likeness to known sentences.

    cargo run -p grounds-ask --features measure --example wordings -- WORDINGS > SAMPLES
    fit.py SAMPLES VECTORS MODEL       writes the model
    fit.py SAMPLES VECTORS --across [AUTHOR...]
                                       how each author's sentences are read by what is fitted to all others

WORDINGS, VECTORS and MODEL are `wordings.txt`, `vectors/words.bin` and `model.bin` of `crates/ask/src/understand/learned`.
Needs numpy, jax and optax. The seeds are fixed, but processors differ in the last digits.
"""

import collections
import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax

WORDS_MAX, OWN, SEEN, WIDTHS, FILTERS = 30, 32, 64, (1, 2, 3, 5), 96
MEMBERS, ROUNDS, BATCH, SCALE = 3, 14, 64, 1.0 / 96.0
# Authors who must have a word.
AUTHORS_MIN = 2


def read_vectors(path):
    head, rest = open(path, "rb").read().split(b"\n", 1)
    components, count = map(int, head.split())
    words = rest[: len(rest) - components * count].decode().split()
    rows = np.frombuffer(rest[len(rest) - components * count :], "i1").reshape(count, components)
    return dict(zip(words, rows.astype("f4") * SCALE)), components


def read_samples(path):
    lines = open(path, encoding="utf-8").read().split("\n")
    samples = []
    for line in lines[1:]:
        if line:
            author, kind, names, worth, words = line.split("\t")
            words = [tuple(word.split("\x01")) for word in words.split("\x02") if word]
            samples.append((author, (int(names), kind), float(worth), words[:WORDS_MAX]))
    return lines[0], samples


class Vocabulary:
    """The words and classes of sentences, and the kinds."""

    def __init__(self, samples):
        authors = collections.defaultdict(set)
        for author, _, _, words in samples:
            for word in words:
                authors[word[0]].add(author)
        self.words = sorted(word for word, of in authors.items() if len(of) >= AUTHORS_MIN)
        self.classes = sorted({word[2] for sample in samples for word in sample[3] if word[2]})
        self.kinds = sorted({sample[1] for sample in samples})

    def encode(self, samples, vectors, components):
        words = {word: number for number, word in enumerate(self.words, 1)}
        classes = {name: number for number, name in enumerate(self.classes, 1)}
        kinds = {kind: number for number, kind in enumerate(self.kinds)}
        shape = (len(samples), WORDS_MAX)
        rows, of, mask = np.zeros(shape, "i4"), np.zeros(shape, "i4"), np.zeros(shape, "f4")
        meant = np.zeros(shape + (components,), "f4")
        for at, (_, _, _, sentence) in enumerate(samples):
            for place, (text, _, name, _) in enumerate(sentence):
                rows[at, place], of[at, place], mask[at, place] = words.get(text, 0), classes.get(name, 0), 1
                if text in vectors:
                    meant[at, place] = vectors[text]
        labels = np.array([kinds[sample[1]] for sample in samples])
        worth = np.array([sample[2] for sample in samples], "f4")
        return rows, of, meant, mask, labels, worth


def start(key, vocabulary, components):
    keys = jax.random.split(key, 12)
    normal = lambda key, shape, scale: jax.random.normal(key, shape) * scale
    height = OWN + SEEN
    net = {
        "words": normal(keys[0], (len(vocabulary.words) + 1, OWN), 0.1),
        "classes": normal(keys[1], (len(vocabulary.classes) + 1, OWN), 0.1),
        "vectors": normal(keys[2], (components, SEEN), 0.3),
        "kinds": normal(keys[3], (len(WIDTHS) * FILTERS, len(vocabulary.kinds)), 0.05),
        "start": jnp.zeros(len(vocabulary.kinds)),
    }
    for number, width in enumerate(WIDTHS):
        scale = (1 / (width * height)) ** 0.5
        net[f"window{width}"] = normal(keys[4 + number], (width, height, FILTERS), scale)
        net[f"from{width}"] = jnp.zeros(FILTERS)
    return net


def forward(net, rows, of, meant, mask, key=None):
    own = net["words"][rows] + net["classes"][of]
    inputs = jnp.concatenate([own, meant @ net["vectors"]], -1) * mask[..., None]
    if key is not None:
        one, two = jax.random.split(key)
        inputs = inputs * jax.random.bernoulli(one, 0.92, inputs.shape[:2])[..., None]
    found = []
    for width in WIDTHS:
        before = (width - 1) // 2
        pad = [(before, width - 1 - before)]
        window = jax.lax.conv_general_dilated(
            inputs, net[f"window{width}"], (1,), pad, dimension_numbers=("NWC", "WIO", "NWC")
        )
        found.append(jnp.max(jax.nn.relu(window + net[f"from{width}"]) * mask[..., None], 1))
    found = jnp.concatenate(found, -1)
    if key is not None:
        found = found * jax.random.bernoulli(two, 0.5, found.shape) / 0.5
    return found @ net["kinds"] + net["start"]


def fit(vocabulary, data, names, seed, components):
    rows, of, meant, mask, labels, worth = data
    group = jnp.array([kind[0] for kind in vocabulary.kinds])

    def loss(net, batch, key):
        rows, of, meant, mask, labels, worth, names = batch
        scores = forward(net, rows, of, meant, mask, key)
        scores = jnp.where(group[None, :] == names[:, None], scores, -1e9)
        each = optax.softmax_cross_entropy_with_integer_labels(scores, labels)
        return (each * worth).mean() + 1e-5 * sum((one**2).sum() for one in jax.tree.leaves(net))

    how = optax.adamw(2e-3, weight_decay=1e-3)

    @jax.jit
    def step(net, state, batch, key):
        slope = jax.grad(loss)(net, batch, key)
        change, state = how.update(slope, state, net)
        return optax.apply_updates(net, change), state

    net = start(jax.random.PRNGKey(seed), vocabulary, components)
    state, key, random = how.init(net), jax.random.PRNGKey(seed + 100), np.random.default_rng(seed)
    whole = (rows, of, meant, mask, labels, worth, names)
    for _ in range(ROUNDS):
        order = random.permutation(len(labels))
        for at in range(0, len(order) - BATCH + 1, BATCH):
            batch = tuple(part[order[at : at + BATCH]] for part in whole)
            key, now = jax.random.split(key)
            net, state = step(net, state, batch, now)
    return {name: np.asarray(one) for name, one in net.items()}


def members(samples, vectors, components):
    vocabulary = Vocabulary(samples)
    data = vocabulary.encode(samples, vectors, components)
    names = np.array([sample[1][0] for sample in samples])
    return vocabulary, [fit(vocabulary, data, names, seed, components) for seed in range(MEMBERS)]


def shares(vocabulary, nets, samples, vectors, components):
    group = np.array([kind[0] for kind in vocabulary.kinds])
    known = [sample for sample in samples if sample[1] in set(vocabulary.kinds)]
    rows, of, meant, mask, labels, _ = vocabulary.encode(known, vectors, components)
    names = np.array([sample[1][0] for sample in known])
    total = 0
    for net in nets:
        scores = np.asarray(jax.jit(forward)(net, rows, of, meant, mask))
        scores = np.where(group[None, :] == names[:, None], scores, -1e9)
        total = total + np.asarray(jax.nn.softmax(scores, -1)) / len(nets)
    return known, labels, total


def across(samples, vectors, components, authors):
    told = []
    for author in authors or sorted({sample[0] for sample in samples}, key=int):
        others = [sample for sample in samples if sample[0] != author]
        own = [sample for sample in samples if sample[0] == author and sample[2] >= 1]
        vocabulary, nets = members(others, vectors, components)
        known, labels, share = shares(vocabulary, nets, own, vectors, components)
        best = share.argmax(1)
        for at, sample in enumerate(known):
            kind = vocabulary.kinds[best[at]]
            told.append((sample[1][1], kind[1], share[at].max()))
        print(f"author {author}: {len(own)} sentences, likeliest kind right {(best == labels).mean():.3f}", flush=True)
    claims = [one for one in told if one[0] != "other"]
    others = [one for one in told if one[0] == "other"]
    for least in (0.5, 0.6, 0.7, 0.8, 0.9):
        read = [one for one in claims if one[1] != "other" and one[2] >= least]
        wrong = [one for one in others if one[1] != "other" and one[2] >= least]
        right = sum(one[0] == one[1] for one in read)
        print(
            f"from {least}: {len(read)} of {len(claims)} read ({len(read) / len(claims):.3f}), {right / len(read):.3f} right;"
            f" {len(wrong)} of {len(others)} that are no claim read as one"
        )


def own_words(samples, kind):
    """The stems of a kind's sentences that do not describe, where others do; of two authors at the least."""
    sentences = [sample for sample in samples if sample[1] == kind]
    if not any(word[3] for sample in sentences for word in sample[3]):
        return ""
    authors = collections.defaultdict(set)
    for sample in samples:
        for word in sample[3]:
            if not word[3]:
                authors[word[1]].add(sample[0])
    stems = {word[1] for sample in sentences for word in sample[3] if not word[3] and not word[0].startswith("<")}
    return " ".join(sorted(stem for stem in stems if len(authors[stem]) >= 3))


def seen_words(samples):
    """For each kind the stems that its sentences have, and those that three authors have in sentences of any kind.

    What one author alone has may be what a sentence happens to be about.
    """
    of_kind, of_any = collections.defaultdict(set), collections.defaultdict(set)
    for author, kind, _, words in samples:
        if kind[1] != "other" and "described" not in kind[1]:
            for word in words:
                of_kind[kind].add(word[1])
                of_any[word[1]].add(author)
    common = {stem for stem, authors in of_any.items() if len(authors) >= 3}
    seen = lambda kind: common | of_kind[kind]
    return lambda kind: " ".join(sorted(stem for stem in seen(kind) if " " not in stem and stem[0] != "<"))


def write(path, digest, samples, vocabulary, nets):
    lines = [f"sentences\t{digest}"]
    seen = seen_words(samples)
    for kind in vocabulary.kinds:
        lines.append(f"kind\t{kind[0]}\t{kind[1]}\t{own_words(samples, kind)}\t{seen(kind)}")
    lines += ["words\t" + " ".join(vocabulary.words), "classes\t" + " ".join(vocabulary.classes)]
    bodies = []
    for net in nets:
        order = ["words", "classes", "vectors"]
        for width in WIDTHS:
            order += [f"window{width}", f"from{width}"]
        for name in order + ["kinds", "start"]:
            numbers = net[name].reshape(-1, net[name].shape[-1])
            scale = max(float(np.abs(numbers).max()), 1e-6) / 127
            lines.append(f"tensor\t{numbers.shape[0]} {numbers.shape[1]} {scale:.9g}")
            bodies.append(np.round(numbers / scale).astype("i1").tobytes())
    with open(path, "wb") as file:
        file.write(("\n".join(lines) + "\n\n").encode() + b"".join(bodies))


def main():
    digest, samples = read_samples(sys.argv[1])
    vectors, components = read_vectors(sys.argv[2])
    if sys.argv[3] == "--across":
        across(samples, vectors, components, sys.argv[4:])
    else:
        write(sys.argv[3], digest, samples, *members(samples, vectors, components))


main()
