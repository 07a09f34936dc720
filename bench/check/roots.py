"""The types of Python's standard library that others inherit from, with their own members and bases.

    python3 bench/check/roots.py > crates/check/src/bases/python.txt

A line is a module, a type, its bases with their modules after `<`, and its own members after `:`. Names between double
underscores are left out: every type may have them.
"""

import ast
import enum
import importlib
import inspect
import sys
import warnings

MODULES = """
abc argparse ast asyncio builtins cmd code codecs collections collections.abc concurrent.futures configparser
contextlib ctypes datetime decimal email.message enum html.parser http.client http.cookiejar http.server importlib.abc
io json json.decoder json.encoder logging logging.handlers multiprocessing optparse pathlib pickle queue random
selectors shlex socket socketserver sqlite3 ssl string subprocess tempfile threading types typing unittest unittest.mock
urllib.error urllib.request weakref xml.sax.handler xmlrpc.client zipfile
""".split()


def of_dunder(name):
    return name.startswith("__") and name.endswith("__")


def members(kind):
    """What a type defines itself, and what its methods set."""
    own = {name for name in vars(kind) if not of_dunder(name)}
    own.update(getattr(kind, "__annotations__", {}))
    for method in vars(kind).values():
        code = getattr(method, "__code__", None)
        if code:
            own.update(name for name in code.co_names if f"self.{name} =" in source(method))
    return sorted(name for name in own if name != "_abc_impl" and "__" not in name)


def source(method):
    try:
        return inspect.getsource(method)
    except (OSError, TypeError):
        return ""


def types_of(module):
    """The public types of a module, by name; those of `typing` are other names of types."""
    found = importlib.import_module(module)
    for name in getattr(found, "__all__", None) or vars(found):
        kind = getattr(found, name)
        kind = getattr(kind, "__origin__", kind)
        if inspect.isclass(kind) and not name.startswith("_"):
            yield name, kind


def main():
    warnings.simplefilter("ignore")
    named = {}
    for module in MODULES:
        for name, kind in types_of(module):
            # Members of an enum and nodes of a tree are not inherited from.
            if enum.Enum in kind.__mro__ and module != "enum" or issubclass(kind, ast.AST):
                continue
            if name in vars(importlib.import_module(module)).get("__all__", []) or kind.__module__ == module:
                named.setdefault(kind, []).append((module, name))
    for kind in list(named):
        for base in kind.__mro__[1:]:
            named.setdefault(base, [(base.__module__, base.__name__)])
    lines = set()
    for kind, places in named.items():
        bases = [".".join(named[base][0]) for base in kind.__bases__ if base is not object]
        of = " < " + " ".join(bases) if bases else ""
        for module, name in places:
            lines.add(f"{module} {name}{of}: {' '.join(members(kind))}".rstrip())
    # What no class object is, and is inherited from all the same.
    lines.update(["typing NamedTuple < builtins.tuple:", "typing TypedDict < builtins.dict:"])
    print("\n".join(sorted(lines)))


if __name__ == "__main__":
    main()
