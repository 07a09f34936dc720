"""True and mutated statements of relations, by Python's own parser, through the example `verdicts`.

    cargo build --features measure --example verdicts -p grounds-check
    python3 bench/check/relations.py target/debug/examples/verdicts TREE...

A mutant names another function, class or module of the same tree of which the parser shows that
the relation does not hold: not in the body, not among all bases, not imported. Prints for each
kind how many true ones and mutants were contradicted.
"""

import ast
import collections
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

PER_KIND_MAX = 60


def words(node):
    """Every name in a piece of code, of whatever role."""
    found = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            found.add(one.id)
        elif isinstance(one, ast.Attribute):
            found.add(one.attr)
        elif isinstance(one, ast.alias):
            found.update(one.name.split("."))
    return found


def read(tree):
    """The functions, classes and imports of the project's own modules, by name."""
    functions, classes, imports = collections.defaultdict(list), collections.defaultdict(list), {}
    for path in sorted(tree.rglob("*.py")):
        shown = path.relative_to(tree).as_posix()
        if "test" in shown or shown.startswith(("docs/", "examples/", ".")):
            continue
        try:
            module = ast.parse(path.read_text())
        except (SyntaxError, UnicodeDecodeError):
            continue
        imports[shown] = words(module)
        for node in ast.walk(module):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                functions[node.name].append((shown, node))
            elif isinstance(node, ast.ClassDef):
                classes[node.name].append((shown, node))
    return functions, classes, imports


def bases(name, classes, seen):
    """All names that a class inherits from, as far as they are here."""
    for _, node in classes.get(name, []):
        for base in node.bases + [keyword.value for keyword in node.keywords]:
            for one in words(base):
                if one not in seen:
                    seen.add(one)
                    bases(one, classes, seen)
    return seen


def statements(tree):
    functions, classes, modules = read(tree)
    once = sorted(n for n, all in functions.items() if len(all) == 1 and not n.startswith("__") and len(n) > 3)
    types = sorted(n for n, all in classes.items() if len(all) == 1 and len(n) > 3)
    found = collections.defaultdict(list)
    for name in once:
        path, node = functions[name][0]
        called = {getattr(c.func, "id", None) for c in ast.walk(node) if isinstance(c, ast.Call)}
        for callee in sorted(called & set(once) - {name}):
            others = [o for o in once if o not in words(node) and o != name]
            found["calls"].append((f"`{name}` calls `{callee}`.", f"`{name}` calls `{random.choice(others)}`."))
        paths = [p for p in modules if name not in modules[p] and Path(p).name != Path(path).name]
        if paths:
            found["defines"].append(
                (f"`{name}` is defined in `{path}`.", f"`{name}` is defined in `{random.choice(paths)}`."))
    for name in types:
        path, node = classes[name][0]
        above = bases(name, classes, set())
        for base in sorted(bases(name, {name: classes[name]}, set()) & set(types)):
            others = [o for o in types if o not in above and o != name]
            found["extends"].append((f"`{name}` extends `{base}`.", f"`{name}` extends `{random.choice(others)}`."))
        inside = [n.name for n in node.body if isinstance(n, ast.FunctionDef) and n.name in once]
        for member in inside:
            below = {t for t in types if name in bases(t, classes, set())}
            others = [o for o in types if o != name and o not in below and o not in above]
            if others:
                found["has_member"].append((f"`{member}` is a method on `{name}`.",
                                            f"`{member}` is a method on `{random.choice(others)}`."))
    for path, named in sorted(modules.items()):
        source = ast.parse((tree / path).read_text())
        for node in ast.walk(source):
            if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                last = node.module.split(".")[-1]
                names = {m for p in modules for m in [Path(p).stem] if m not in named and len(m) > 4}
                names = sorted(m for m in names if m not in (tree / path).read_text())
                if names and len(last) > 3:
                    found["imports"].append(
                        (f"`{path}` imports `{node.module}`.", f"`{path}` imports `{random.choice(names)}`."))
    return {kind: random.sample(all, min(PER_KIND_MAX, len(all))) for kind, all in found.items()}


def main():
    binary, trees = sys.argv[1], [Path(tree).resolve() for tree in sys.argv[2:]]
    total = collections.defaultdict(lambda: [0, 0, 0, 0])
    for tree in trees:
        random.seed(5)
        rows = [(kind, label, text) for kind, pairs in statements(tree).items()
                for pair in pairs for label, text in zip(("true", "false"), pair)]
        with tempfile.NamedTemporaryFile("w", suffix=".md") as file:
            file.write("".join(f"{text}\n\n" for _, _, text in rows))
            file.flush()
            out = subprocess.run([binary, tree, file.name], capture_output=True, text=True, check=True).stdout
        accused = {}
        for line in out.splitlines():
            verdict = json.loads(line)
            if verdict.get("kind") == "statement" and verdict["verdict"] == "contradicted":
                accused[(verdict["line"] - 1) // 2] = verdict["shown"]
        for number, (kind, label, text) in enumerate(rows):
            at = 0 if label == "true" else 2
            total[kind][at] += number in accused
            total[kind][at + 1] += 1
            if label == "true" and number in accused:
                print(f"WRONG {tree.name}: {text} {accused[number]}")
    for kind, (wrong, true, caught, false) in sorted(total.items()):
        print(f"{kind}: true contradicted {wrong} of {true}, mutants contradicted {caught} of {false}, "
              f"precision {caught / max(1, caught + wrong):.3f}, recall {caught / max(1, false):.3f}")


if __name__ == "__main__":
    main()
