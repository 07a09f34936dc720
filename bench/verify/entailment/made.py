"""Pairs made of sentences of documentation by rules: the sentence itself, and the sentence with one thing changed.

Labels: E entailed, N neutral, C contradicted. A word of WordNet's first sense only; what a rule cannot tell is not made.
"""

import glob
import os
import random
import re

WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
STOP = set("a an the of to in on at by for with from as is are was were be been being it its this that these those and or "
           "but not no if when then than so do does did has have had can may might must should will would you your we our "
           "they their he she his her i my all any each every some only also into out up down over under about which who "
           "what how there here more most less least very just such both either neither".split())
AUX = re.compile(r"\b(is|are|was|were|can|will|must|should|does|do|has been|have been)\b(?! not\b|n't)")
NOT = re.compile(r"\b(is|are|was|were|can|will|must|should|does|do) not\b|\bcannot\b")
NUMBER = re.compile(r"(?<![\w.#-])\d{1,6}(?:\.\d+)?(?![\w.-]*\w)")
SWAPS = [("before", "after"), ("more", "less"), ("first", "last"), ("minimum", "maximum"), ("at least", "at most"),
         ("enabled", "disabled"), ("always", "never"), ("true", "false"), ("left", "right"), ("client", "server"),
         ("increase", "decrease"), ("increases", "decreases"), ("allow", "forbid"), ("allows", "prevents"),
         ("optional", "required"), ("read", "write"), ("start", "end"), ("local", "remote"), ("all", "no"),
         ("seconds", "minutes"), ("bytes", "megabytes"), ("hours", "days"), ("above", "below"), ("include", "exclude")]
HEDGES = [("can", "must"), ("may", "must"), ("should", "must"), ("may", "always does"), ("usually", "always"),
          ("often", "always"), ("some", "all"), ("most", "all")]


def wordnet(folder):
    """Synonyms and antonyms of the first sense, by word class."""
    senses, offsets, pointers = {}, {}, {}
    for cls in ("noun", "verb", "adj"):
        for line in open(f"{folder}/data.{cls}", encoding="utf-8"):
            if line.startswith("  "):
                continue
            fields = line.split(" | ")[0].split()
            count = int(fields[3], 16)
            words = [re.sub(r"\(\w+\)$", "", w) for w in fields[4:4 + 2 * count:2]]
            at = 4 + 2 * count
            links = fields[at + 1:]
            offsets[cls, fields[0]] = words
            pointers[cls, fields[0]] = [(links[i], links[i + 1], links[i + 2], links[i + 3])
                                        for i in range(0, 4 * int(fields[at]), 4)]
        for line in open(f"{folder}/index.{cls}", encoding="utf-8"):
            if line.startswith("  "):
                continue
            fields = line.split()
            senses.setdefault(fields[0], []).append((cls, fields[-int(fields[2]):][0], int(fields[2])))
    synonyms, antonyms = {}, {}
    for word, found in senses.items():
        if "_" in word or len(found) != 1:
            continue
        cls, offset, count = found[0]
        if count <= 2:
            others = [w for w in offsets[cls, offset] if "_" not in w and w.lower() != word]
            if others:
                synonyms[word] = others
        for sign, target, _, which in pointers[cls, offset]:
            if sign == "!" and offsets[cls, offset][int(which[:2], 16) - 1].lower() == word:
                antonyms[word] = offsets[cls, target][int(which[2:], 16) - 1]
    return synonyms, antonyms


def sentences(folders):
    """Plain sentences of Markdown and reStructuredText files, without repeats, in the order of the files."""
    seen, out = set(), []
    for folder in folders:
        for path in sorted(glob.glob(f"{folder}/**/*", recursive=True)):
            low = path.lower()
            if not low.endswith((".md", ".rst", ".adoc")) or "changelog" in low or "license" in low or not os.path.isfile(path):
                continue
            text = open(path, encoding="utf-8", errors="replace").read()[:200_000]
            text = re.sub(r"```.*?```|<[^>]*>|^\s*\|.*$|^    .*$|^[.:].*$", "\n", text, flags=re.S | re.M)
            text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)|\[([^\]]*)\]\[[^\]]*\]", lambda m: m[1] or m[2] or "", text)
            text = re.sub(r"[*_`]{1,2}", "", text)
            for block in re.split(r"\n\s*\n|\n\s*[-*#+>]\s*|\n\s*\d+\.\s", text):
                for one in re.split(r"(?<=[.!?])\s+(?=[A-Z])", " ".join(block.split())):
                    words = one.split()
                    if 6 <= len(words) <= 36 and one.endswith(".") and one[0].isupper() and one not in seen and "http" not in one:
                        seen.add(one)
                        out.append((path, one))
    return out


def cased(like, word):
    return word.capitalize() if like[0].isupper() else word


def once(text, a, b):
    return re.sub(rf"\b{a}\b", b, text, count=1)


def changed(rng, text, pool, synonyms, antonyms):
    """Every (hypothesis, label) that a rule makes of one sentence."""
    out = []
    number = NUMBER.search(text)
    if number:
        value = number[0]
        other = str(rng.choice([int(float(value)) + rng.randint(1, 9), int(float(value)) * 2 + 1, max(0, int(float(value)) - 1)]))
        if other != value:
            out.append((text[:number.start()] + other + text[number.end():], "C"))
    if NOT.search(text):
        out.append((NOT.sub(lambda m: "can" if m[0] == "cannot" else m[1], text, count=1), "C"))
    elif AUX.search(text):
        out.append((AUX.sub(lambda m: m[1] + " not", text, count=1), "C"))
    for a, b in SWAPS:
        for x, y in ((a, b), (b, a)):
            if re.search(rf"\b{x}\b", text):
                out.append((once(text, x, y), "C" if (a, b) not in (("client", "server"), ("read", "write")) else "N"))
                break
    for a, b in HEDGES:
        if re.search(rf"\b{a}\b", text):
            out.append((once(text, a, b), "N"))
            if b in ("must", "all", "always"):
                break
    words = [w for w in WORD.findall(text)[1:] if w.lower() not in STOP and len(w) > 3]
    if words:
        word = rng.choice(words)
        other = rng.choice(pool)
        if other.lower()[:4] != word.lower()[:4]:
            out.append((once(text, re.escape(word), other), "N"))
        for w in words:
            if w in synonyms:
                out.append((once(text, w, rng.choice(synonyms[w])), "E"))
                break
        for w in words:
            if w in antonyms:
                out.append((once(text, w, antonyms[w]), "C"))
                break
    if len(words) >= 4:
        a, b = rng.sample(words, 2)
        if a[0].islower() and b[0].islower() and a.lower()[:4] != b.lower()[:4]:
            swapped = re.sub(rf"\b({re.escape(a)}|{re.escape(b)})\b", lambda m: b if m[0] == a else a, text)
            out.append((swapped, "N"))
    cut = re.match(r"(.{25,}?), (?:and|but|which|so) .{20,}\.$", text)
    if cut and not re.match(r"(?i)if|when|unless|while|although|for|to |in |as ", text):
        out.append((cut[1] + ".", "E"))
        out.append((text, "E"))
    condition = re.match(r"(?:If|When|Unless|While) [^,]{8,}, (.{15,})$", text)
    if condition:
        rest = condition[1]
        out.append((rest[0].upper() + rest[1:], "N"))
    for lead in ("As documented, ", "In general, "):
        if rng.random() < 0.1 and not condition:
            out.append((lead + text[0].lower() + text[1:], "E" if lead.startswith("As") else "N"))
    return out


def made(folders, wordnet_folder, limit, seed):
    """Pairs (premise, hypothesis, label) of at most `limit` sentences."""
    rng = random.Random(seed)
    synonyms, antonyms = wordnet(wordnet_folder)
    found = sentences(folders)
    pool = [w for _, s in found for w in WORD.findall(s) if len(w) > 3 and w.lower() not in STOP and w.islower()]
    chosen = sorted(rng.sample(range(len(found)), min(limit, len(found))))
    out = []
    for at in chosen:
        path, text = found[at]
        if rng.random() < 0.35:
            out.append((text, text, "E"))
        options = changed(rng, text, pool, synonyms, antonyms)
        rng.shuffle(options)
        out += [(text, other, label) for other, label in options[:3] if other != text or label == "E"]
        near = [s for p, s in found[max(0, at - 6):at + 7] if p == path and s != text]
        if near and rng.random() < 0.6:
            out.append((rng.choice(near), text, "N"))
    return out
