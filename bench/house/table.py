#!/usr/bin/env python3
"""Prints how large and how readable the Rust code of a checkout is, as one table.

    bench/house/table.py [CHECKOUT]... [--binary FILE]

How it counts:

- Only `*.rs` files that git tracks count, without `target`, `vendor`, `third_party` and generated tables passed by `--skip`.
- Test code is left out: folders `tests`, `examples`, `benches`, `fuzz`, `testdata`; files `tests.rs`, `test.rs` and
  `*_test.rs`; and each item under `#[cfg(test)]` or `#[test]`.
- A token is a word, a number, a string or character literal, a lifetime, or an operator of up to three characters.
  Comments and white space are none.
- A function reaches from `fn` to the brace that closes its body; one inside another counts for both. Functions without a
  body (in traits) do not count. Lines include the signature.
- A why-comment is a line that starts with `//`, but not with `///` or `//!`. A code line has at least one token.
- A type name is what follows `struct`, `enum`, `union`, `trait` or `type` outside of functions, traits and implementations.
  It is repeated when it is defined in three places or more.
- Width is not normalised: run `cargo fmt -- --config max_width=100` on a copy first to compare lines with other projects.
"""

import argparse
import collections
import pathlib
import re
import statistics
import subprocess

TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<line>//[^\n]*)
  | (?P<block>/\*)
  | (?P<raw>(?:b|c)?r(?P<hashes>\#*)")
  | (?P<string>(?:b|c)?"(?:[^"\\]|\\.)*")
  | (?P<char>b?'(?:[^'\\\n]|\\(?:u\{[^}]*\}|x..|.))')
  | (?P<life>'[A-Za-z_][A-Za-z_0-9]*)
  | (?P<word>(?:r\#)?[^\W\d]\w*)
  | (?P<number>\d(?:[\w]|\.(?=\d))*)
  | (?P<sign><<=|>>=|\.\.\.|\.\.=|::|->|=>|==|!=|<=|&&|\|\||\.\.|[-+*/%^&|]=|.)
    """,
    re.VERBOSE | re.DOTALL,
)
TEST_FOLDERS = {"tests", "examples", "benches", "fuzz", "testdata", "test_data"}
TYPE_WORDS = {"struct", "enum", "union", "trait", "type"}


def block_comment_end(text, start):
    """Returns where the comment that opens at `start` ends; block comments nest in Rust."""
    depth, place = 0, start
    while place < len(text):
        if text.startswith("/*", place):
            depth, place = depth + 1, place + 2
        elif text.startswith("*/", place):
            depth, place = depth - 1, place + 2
            if depth == 0:
                return place
        else:
            place += 1
    return place


def tokens_of(text):
    """Returns (tokens as (kind, text, line), why-comments as lines)."""
    tokens, comments, place, line = [], [], 0, 1
    while place < len(text):
        found = TOKEN.match(text, place)
        kind, end = found.lastgroup, found.end()
        if kind == "hashes":
            kind = "raw"
        if kind == "block":
            end = block_comment_end(text, place)
        elif kind == "raw":
            close = '"' + found.group("hashes")
            at = text.find(close, end)
            end = len(text) if at < 0 else at + len(close)
        piece = text[place:end]
        if kind == "line":
            if not re.match(r"///(?!/)|//!", piece):
                comments.append(line)
        elif kind not in ("space", "block"):
            tokens.append((kind, piece, line, line + piece.count("\n")))
        line += piece.count("\n")
        place = end
    return tokens, comments


def closing(tokens, opening):
    """Returns the index of the bracket that closes the one at `opening`."""
    depth = 0
    for index in range(opening, len(tokens)):
        kind, text = tokens[index][:2]
        if kind == "sign":
            depth += (text in "([{") - (text in ")]}")
            if depth == 0:
                return index
    return len(tokens) - 1


def item_end(tokens, start):
    """Returns the index of the last token of the item that starts at `start`: its `;` or the brace that closes it."""
    index = start
    while index < len(tokens):
        text = tokens[index][1] if tokens[index][0] == "sign" else ""
        if text == "{":
            return closing(tokens, index)
        if text in ("(", "["):
            index = closing(tokens, index)
        elif text == ";":
            return index
        index += 1
    return len(tokens) - 1


def without_tests(tokens):
    """Returns the tokens and the ranges of lines that belong to items under `#[test]` or `#[cfg(test)]`."""
    kept, cut, index = [], [], 0
    while index < len(tokens):
        attribute = [t[1] for t in tokens[index : index + 7]]
        is_test = attribute[:4] == ["#", "[", "test", "]"] or attribute == ["#", "[", "cfg", "(", "test", ")", "]"]
        if not is_test:
            kept.append(tokens[index])
            index += 1
            continue
        first, start = tokens[index][2], index
        while index + 1 < len(tokens) and tokens[index][1] == "#" and tokens[index + 1][1] == "[":
            index = closing(tokens, index + 1) + 1
        end = item_end(tokens, index)
        cut.append((first, tokens[min(end, len(tokens) - 1)][3]))
        index = max(end, start) + 1
    return kept, cut


def functions(tokens):
    """Returns (name, first line, lines, tokens) of each function that has a body."""
    found = []
    for index, (kind, text, line, _) in enumerate(tokens):
        if kind != "word" or text != "fn" or index + 1 >= len(tokens) or tokens[index + 1][0] != "word":
            continue
        end = item_end(tokens, index)
        if tokens[end][1] == "}":
            found.append((tokens[index + 1][1], line, tokens[end][3] - line + 1, end - index + 1))
    return found


def type_names(tokens):
    """Returns the names of types that are defined at the level of a module."""
    found, index = [], 0
    while index < len(tokens):
        kind, text = tokens[index][:2]
        if kind == "word" and text in ("fn", "impl"):
            index = item_end(tokens, index)
        elif kind == "word" and text in TYPE_WORDS and index + 1 < len(tokens) and tokens[index + 1][0] == "word":
            name = tokens[index + 1][1]
            if text != "union" or (index + 2 < len(tokens) and tokens[index + 2][1] in "{<"):
                found.append(name)
            if text == "trait":
                index = item_end(tokens, index)
        elif kind == "word" and text == "macro_rules":
            index = item_end(tokens, index)
        index += 1
    return found


def is_test_file(path):
    return bool(TEST_FOLDERS & set(path.parts[:-1])) or path.name in ("tests.rs", "test.rs") or path.stem.endswith("_test")


def sources(root, skip):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "*.rs"], capture_output=True, check=True).stdout
    for name in sorted(set(listed.decode().split("\0")) - {""}):
        path = pathlib.Path(name)
        left_out = {"target", "vendor", "third_party"} & set(path.parts) or any(part in name for part in skip)
        full = pathlib.Path(root) / path
        if not left_out and not is_test_file(path) and full.is_file():
            yield name, full.read_text(encoding="utf-8", errors="replace")


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0


def measure(root, skip):
    total, code_lines, why, all_functions, names = 0, 0, 0, [], collections.Counter()
    for name, text in sources(root, skip):
        tokens, comments = tokens_of(text)
        tokens, cut = without_tests(tokens)
        total += len(tokens)
        code_lines += len({line for token in tokens for line in range(token[2], token[3] + 1)})
        why += sum(not any(first <= line <= last for first, last in cut) for line in comments)
        all_functions += [(name, *function) for function in functions(tokens)]
        names.update(type_names(tokens))
    return total, code_lines, why, all_functions, names


def rows(root, skip, binary):
    total, code_lines, why, found, names = measure(root, skip)
    lines, tokens = [f[3] for f in found], [f[4] for f in found]
    repeated = [name for name, count in names.items() if count >= 3]
    middle = lambda values: int(statistics.median(values)) if values else 0
    yield "non-test tokens (thousands)", f"{total / 1000:.0f}"
    yield "functions", f"{len(found)}"
    yield "function, tokens: median / p90", f"{middle(tokens)} / {percentile(tokens, 0.9)}"
    yield "function, lines: median / p90", f"{middle(lines)} / {percentile(lines, 0.9)}"
    yield "functions over 70 lines or 400 tokens", f"{sum(f[3] > 70 or f[4] > 400 for f in found)}"
    yield "`//` comments per 100 code lines", f"{100 * why / max(1, code_lines):.1f}"
    yield "type names defined in 3 places or more", f"{len(repeated)} of {len(names)}"
    built = pathlib.Path(binary) if binary else pathlib.Path(root) / "target/release/grounds"
    if built.is_file():
        yield "release binary", f"{built.stat().st_size / 1e6:.1f} MB"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", nargs="*", default=["."])
    parser.add_argument("--binary", help="the built program, if it is not at target/release/grounds")
    parser.add_argument("--skip", action="append", default=[], help="leaves out files whose path contains this")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="lists the N longest functions and the repeated names")
    options = parser.parse_args()
    tables = [dict(rows(root, options.skip, options.binary)) for root in options.checkout]
    heads = [pathlib.Path(root).resolve().name for root in options.checkout]
    print("| | " + " | ".join(heads) + " |\n|---|" + "---|" * len(heads))
    for label in dict.fromkeys(label for table in tables for label in table):
        print(f"| {label} | " + " | ".join(table.get(label, "-") for table in tables) + " |")
    for root in options.checkout if options.worst else []:
        _, _, _, found, names = measure(root, options.skip)
        for name, function, line, lines, tokens in sorted(found, key=lambda f: -f[4])[: options.worst]:
            print(f"{name}:{line} {function}: {lines} lines, {tokens} tokens")
        print("repeated:", ", ".join(f"{name} {count}" for name, count in names.most_common() if count >= 3))


if __name__ == "__main__":
    main()
