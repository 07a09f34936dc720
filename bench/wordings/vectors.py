#!/usr/bin/env python3
"""Writes the vectors of words that questions are compared by.

    vectors.py POTION WORDS... > crates/ask/src/understand/learned/vectors/words.bin

POTION is a folder with `model.safetensors` and `tokenizer.json` of `potion-base-8M` (static vectors of word pieces, MIT, by the
Minish Lab). The words are the whole English words of its vocabulary and those of the text files WORDS; each is the mean of its
pieces, reduced to the 64 directions in which the pieces differ most. Needs numpy, safetensors and tokenizers.
"""

import pathlib
import re
import sys

import numpy as np
import safetensors.numpy
from tokenizers import Tokenizer

COMPONENTS, STEPS = 64, 3
WORD = re.compile(r"[a-z][a-z'-]+")


def main():
    folder = pathlib.Path(sys.argv[1])
    pieces = safetensors.numpy.load_file(folder / "model.safetensors")["embeddings"].astype("f8")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    _, _, directions = np.linalg.svd(pieces - pieces.mean(0), full_matrices=False)
    pieces = pieces @ directions[:COMPONENTS].T
    texts = [pathlib.Path(path).read_text(encoding="utf-8").lower() for path in sys.argv[2:]]
    words = {word for word in tokenizer.get_vocab() if WORD.fullmatch(word)}
    words = sorted(words.union(*(WORD.findall(text) for text in texts)))
    encoded = tokenizer.encode_batch(words, add_special_tokens=False)
    rows = np.array([pieces[one.ids].mean(0) for one in encoded])
    rows = np.clip(np.round(rows * STEPS), -127, 127).astype("i1")
    head = f"{COMPONENTS} {len(words)}\n" + "\n".join(words) + "\n"
    sys.stdout.buffer.write(head.encode() + rows.tobytes())


main()
