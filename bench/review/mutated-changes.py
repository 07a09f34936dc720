#!/usr/bin/env python3
"""Real changes and tests, broken in one way: how many of them the rules about changes find.

    mutated-changes.py GROUNDS KIND COUNT REPOSITORY...

Prints each case, then the share. COUNT is the most cases of one repository. KIND is one of:

unused      a merged commit added a function that others cannot call, with a caller. Its parent gets the added lines of
            the function alone. The name is in no other line of the tree.        rule: new-code-unused
weakened    a test at HEAD loses all of its lines that assert, and nothing else.  rule: test-weakened
changelog   a merged commit wrote into its record of versions and removed a public function whose name none of its added
            lines has. It is made again without the record.                      rule: changelog-not-updated
promise     a merged commit added a line that says what is to be done before a merge. It is reviewed as it is.
                                                                                 rule: promise-before-merge
comment     a merged commit took a parameter from a function, and its line from the comment above. It is made again
            with the comment as it was.                                          rule: comment-not-updated

Cases are found by regular expressions over lines, without the parser of the rules. Needs git; adds commits that nothing
names: give it copies.
"""
import collections
import hashlib
import json
import os
import re
import subprocess
import sys

COMMITS_MAX = 3000
TESTS_MAX = 4000
WHO = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "x"), ("EMAIL", "x@localhost"))}
RULES = {"unused": "new-code-unused", "weakened": "test-weakened", "changelog": "changelog-not-updated", "promise": "promise-before-merge", "comment": "comment-not-updated"}
TEST = re.compile(r"(^|/)(tests?|specs?|__tests__|testing)/|(^|/)test_|_test\.|[._]spec\.|\.test\.|Tests?\.\w+$", re.I)
FOREIGN = re.compile(r"(^|/)(vendor|third_party|node_modules|deps|dist|generated|fixtures|examples?|docs?)/", re.I)
# A function that the syntax of its language hides from others.
HIDDEN = {
    "py": r"^(\s*)(?:async )?def (_[a-z]\w{3,})\(",
    "go": r"^()func (?:\([^)]*\) )?([a-z]\w{3,})\(",
    "rs": r"^(\s*)(?:async |unsafe |const )*fn (\w{4,})",
    "c": r"^()static [\w\s*]*?\b(\w{4,})\([^;]*$",
    "java": r"^(\s+)private (?:static |final )*[\w<>\[\], .?]+ (\w{4,})\(",
    "cs": r"^(\s+)private (?:static |async )*[\w<>\[\], .?]+ (\w{4,})\(",
    "kt": r"^(\s*)private (?:suspend |inline )*fun (\w{4,})\(",
    "php": r"^(\s+)private (?:static )?function (\w{4,})\(",
    "ts": r"^()(?:async )?function (\w{4,})\(",
    "tsx": r"^()(?:async )?function (\w{4,})\(",
    "js": r"^()(?:async )?function (\w{4,})\(",
}
# A test, and a line that asserts.
TESTS = {
    "py": (r"^(\s*)(?:async )?def test_?(\w+)\(", r"^\s*(assert\b|self\.assert\w+\(|with (pytest\.raises|self\.assertRaises))"),
    "go": (r"^()func (Test\w+)\(", r"^\s*(assert|require|is|c|qt)\.\w+\("),
    "rs": (r"^(\s*)(?:async )?fn (\w+)\(\)", r"^\s*(assert\w*|insta::\w+)!\("),
    "java": (r"^(\s+)(?:public )?void (\w+)\(\)", r"^\s*(Assert\w*\.)?assert\w*\("),
    "cs": (r"^(\s+)public (?:async )?(?:void|Task) (\w+)\(\)", r"^\s*Assert\.|^.*\.Should\(\)"),
    "kt": (r"^(\s*)fun (`[^`]+`|\w+)\(\)", r"^\s*assert\w*\("),
    "php": (r"^(\s+)public function (test\w+)\(", r"^\s*(\$this->|self::|static::)assert\w+\("),
    "ts": (r"^(\s*)(?:it|test)\((['\"`].*)", r"^\s*(await )?expect\("),
    "tsx": (r"^(\s*)(?:it|test)\((['\"`].*)", r"^\s*(await )?expect\("),
    "js": (r"^(\s*)(?:it|test)\((['\"`].*)", r"^\s*((await )?expect|assert(\.\w+)*|t\.\w+)\("),
    "rb": (r"^(\s*)(?:it|test|def test_\w+) ?(.*)", r"^\s*(assert\w*|refute\w*|expect|must_|should)\b"),
}
STILL = r"assert|expect|\b(t|b|tb)\.(Error|Fatal|Fail)|\braises?\b|\bthrow\b|\bfail\b|panic!|[vV]erify|should|must|[cC]heck"
PUBLIC = {
    "py": r"^(\s*)(?:async )?def ([a-z]\w+)\(",
    "go": r"^()func (?:\([^)]*\) )?([A-Z]\w+)\(",
    "rs": r"^(\s*)pub (?:async |unsafe |const )*fn (\w+)",
    "java": r"^(\s+)public (?:static |final )*[\w<>\[\], .?]+ (\w+)\(",
    "cs": r"^(\s+)public (?:static |async |virtual )*[\w<>\[\], .?]+ (\w+)\(",
    "php": r"^(\s+)public (?:static )?function ([a-z]\w+)\(",
    "rb": r"^(\s*)def (?:self\.)?([a-z]\w+)",
}
RECORD = re.compile(r"(^|/)(changelog|changes|history|news|release.?notes)(\.\w+)?$|(^|/)(\.?changes|\.changeset|changelog\.d|newsfragments|changelog)/", re.I)
PROMISE = r"((before|prior to) (we |it is |this is |being |the )?(merg|land|check(ing|ed)? ?in)|do ?not ?(merge|submit|land)|nocommit|(TODO|FIXME).* in this (pr|pull request|mr)\b)"

# A line of a comment that describes a parameter, and a line that is of a comment.
DESCRIBES = re.compile(r"^\s*(?:\*|//+|#|--+)?\s*(?:[@\\]t?param(?:\[[^]]*\])?|:param|<param name=)\s*(?:\{[^}]*\}|\[[^]]*\](?= ))?(.*)")
COMMENT = re.compile(r"^\s*(\*|/\*|//|#|--|:\w|@\w|$)")


def git(repository, *words, data=None, index=None):
    environment = {**os.environ, **WHO, **({"GIT_INDEX_FILE": index} if index else {})}
    done = subprocess.run(["git", "-C", repository, *words], input=data, capture_output=True, env=environment)
    return done.stdout if done.returncode == 0 else None


def text(repository, revision, path):
    shown = git(repository, "cat-file", "blob", f"{revision}:{path}")
    return None if shown is None else shown.decode("utf-8", "surrogateescape")


def committed(repository, tree, parent, files):
    """A commit on `parent` with the tree of `tree`, but these files; a file of None is as at the parent."""
    index = os.path.abspath(os.path.join(repository, "mutated-index"))
    git(repository, "read-tree", tree, index=index)
    rows = []
    for path, content in files.items():
        if content is None:
            entry = git(repository, "ls-tree", parent, "--", path).decode().split()
            rows.append(f"{entry[0]} {entry[2]}\t{path}\n" if entry else f"0 {'0' * 40}\t{path}\n")
        else:
            blob = git(repository, "hash-object", "-w", "--stdin", data=content.encode("utf-8", "surrogateescape")).decode().strip()
            rows.append(f"100644 {blob}\t{path}\n")
    if git(repository, "update-index", "--add", "--index-info", data="".join(rows).encode(), index=index) is None:
        sys.exit(f"{repository}: cannot write the index {index}")
    written = git(repository, "write-tree", index=index)
    return git(repository, "commit-tree", written.decode().strip(), "-p", parent, "-m", "mutated").decode().strip()


def ending(path):
    return path.rsplit(".", 1)[-1] if "." in path else ""


def commits(repository, *words):
    listed = git(repository, "log", "--no-merges", f"--max-count={COMMITS_MAX}", "--format=%H", *words, "HEAD")
    return (listed or b"").decode().split()


def hunks(repository, commit):
    """Of each changed file the hunks without context: (old line, removed, added)."""
    shown = git(repository, "show", "--format=", "--unified=0", "--no-renames", "--no-ext-diff", commit)
    files, path = collections.defaultdict(list), None
    for line in (shown or b"").decode("utf-8", "surrogateescape").split("\n"):
        if line.startswith("+++ "):
            path = line[6:].rstrip("\t") if line.startswith("+++ b/") else None
        elif line.startswith("@@ ") and path:
            old = int(re.match(r"@@ -(\d+)", line).group(1))
            files[path].append((old, [], []))
        elif path and files[path] and line[:1] in "+-" and line and not line.startswith("--- "):
            files[path][-1][1 if line[0] == "-" else 2].append(line[1:])
    return files


def unused(repository):
    for commit in commits(repository):
        files = hunks(repository, commit)
        added = [line for path, parts in files.items() if not TEST.search(path) for _, _, lines in parts for line in lines]
        for path, parts in files.items():
            pattern = HIDDEN.get(ending(path))
            if not pattern or TEST.search(path) or FOREIGN.search(path):
                continue
            for old, removed, lines in parts:
                heads = [match for line in lines for match in [re.match(pattern, line)] if match]
                if removed or len(heads) != 1:
                    continue
                name = heads[0].group(2)
                word = re.compile(rf"\b{re.escape(name)}\b")
                joined = "\n".join(lines)
                is_balanced = ending(path) == "py" or joined.count("{") == joined.count("}") > 0
                is_called = sum(bool(word.search(line)) for line in added) > sum(bool(word.search(line)) for line in lines)
                is_named_once = sum(bool(word.search(line)) and not line.strip().startswith(("//", "#", "*", "/*")) for line in lines) == 1
                if not (is_balanced and is_called and is_named_once) or name in ("main", "init"):
                    continue
                before = text(repository, f"{commit}^", path)
                if before is None or git(repository, "grep", "-q", "-w", "-F", name, f"{commit}^") is not None:
                    continue
                kept = before.split("\n")
                after = "\n".join(kept[:old] + lines + kept[old:])
                yield commit, f"{path} {name}", lambda: committed(repository, f"{commit}^", f"{commit}^", {path: after})


def block(lines, at, indent, is_python):
    """The last line of what begins at a line: what is indented more, and the line that closes it."""
    end = at + 1
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > len(indent)):
        end += 1
    return end - 1 if is_python else end


def statement(lines, at, last):
    """The last line of a statement: where its brackets close."""
    depth, end = 0, at
    while end <= last:
        depth += sum(lines[end].count(mark) for mark in "([{") - sum(lines[end].count(mark) for mark in ")]}")
        following = lines[end + 1].strip() if end < last else ""
        if depth <= 0 and not following.startswith("."):
            return end
        end += 1
    return None


def weakened(repository):
    listed = git(repository, "ls-tree", "-r", "--name-only", "HEAD").decode("utf-8", "replace").split("\n")
    paths = [path for path in listed if ending(path) in TESTS and not re.search(r"(^|/)(vendor|third_party|node_modules|fixtures)/", path)]
    paths = [path for path in paths if TEST.search(path) or ending(path) == "rs"]
    paths.sort(key=lambda path: hashlib.sha256(path.encode()).hexdigest())
    head = git(repository, "rev-parse", "HEAD").decode().strip()
    for path in paths[:TESTS_MAX]:
        content = text(repository, "HEAD", path)
        lines = (content or "").split("\n")
        head_of, asserts = (re.compile(part) for part in TESTS[ending(path)])
        for at, line in enumerate(lines):
            match = head_of.match(line)
            if not match or ending(path) == "rs" and "test" not in lines[at - 1] or ending(path) in ("java", "cs") and "Test" not in "".join(lines[max(0, at - 3):at]):
                continue
            last = block(lines, at, match.group(1), ending(path) == "py")
            gone, here = set(), at + 1
            while here < last + (ending(path) == "py"):
                end = statement(lines, here, last) if asserts.match(lines[here]) else None
                if asserts.match(lines[here]) and end is None:
                    gone = set()
                    break
                if end is not None:
                    gone.update(range(here, end + 1))
                here = (here if end is None else end) + 1
            # What may still fail is no test that lost all of its assertions.
            rest = [part for number, part in enumerate(lines[at + 1:last], at + 1) if number not in gone and re.search(r"\w", part)]
            if not gone or not rest or any(re.search(STILL, part) for part in rest):
                continue
            after = "\n".join(part for number, part in enumerate(lines) if number not in gone)
            yield head, f"{path}:{at + 1} {match.group(2)[:40]}", lambda: committed(repository, head, head, {path: after})
            break  # one test of a file


def changelog(repository):
    for commit in commits(repository):
        files = hunks(repository, commit)
        records = [path for path, parts in files.items() if RECORD.search(path) and any(added for _, _, added in parts)]
        if not records:
            continue
        for path, parts in files.items():
            pattern = PUBLIC.get(ending(path))
            if not pattern or TEST.search(path) or FOREIGN.search(path):
                continue
            was = {match.group(2) for _, lines, _ in parts for line in lines for match in [re.match(pattern, line)] if match}
            added = "\n".join(line for others in files.values() for _, _, lines in others for line in lines)
            names = sorted(name for name in was if not re.search(rf"\b{re.escape(name)}\b", added))
            if names and git(repository, "rev-parse", "--verify", "--quiet", f"{commit}^"):
                yield commit, f"{path} {','.join(names[:3])}", lambda: committed(repository, commit, f"{commit}^", {record: None for record in records})
                break


def promise(repository):
    for commit in commits(repository, "-i", "-E", f"-G{PROMISE}"):
        for path, parts in hunks(repository, commit).items():
            said = [line for _, _, lines in parts for line in lines if re.search(PROMISE, line, re.I)]
            if said and git(repository, "rev-parse", "--verify", "--quiet", f"{commit}^"):
                yield commit, f"{path}: {said[0].strip()[:120]}", lambda: commit
                break


def described(line):
    """The names that a line may describe as a parameter: the first words behind its mark."""
    match = DESCRIBES.match(line)
    return set(re.findall(r"[$\w]+", match.group(1))[:3]) if match else set()


def comment(repository):
    for commit in commits(repository):
        for path, parts in hunks(repository, commit).items():
            if TEST.search(path) or FOREIGN.search(path) or ending(path) in ("md", "rst", "txt"):
                continue
            is_comment = lambda part: all(COMMENT.match(line) for line in part[1] + part[2])
            kept = [part for part in parts if is_comment(part) and any(described(line) for line in part[1])]
            code = [part for part in parts if not is_comment(part)]
            was, now = ({word for part in code for line in part[side] for word in re.findall(r"[$\w]+", line)} for side in (1, 2))
            gone = {name for part in kept for line in part[1] for name in described(line)} & (was - now)
            head = [line for part in code for line in part[1] if "(" in line and any(re.search(rf"[(,]\s*(?:[^(),]*\W)?{re.escape(name)}\s*[,):=]", line) for name in gone)]
            before = text(repository, f"{commit}^", path)
            if not head or before is None:
                continue
            lines = before.split("\n")
            for old, removed, added in sorted(code, reverse=True):
                start = old - 1 if removed else old
                lines[start:start + len(removed)] = added
            after = "\n".join(lines)
            yield commit, f"{path} {','.join(sorted(gone))[:60]}", lambda: committed(repository, commit, f"{commit}^", {path: after})
            break


def main():
    grounds, kind, count, *repositories = sys.argv[1:]
    total = found = failed = 0
    for repository in repositories:
        name = os.path.basename(os.path.dirname(os.path.abspath(repository)))
        for taken, (commit, what, made) in enumerate(globals()[kind](repository)):
            if taken >= int(count):
                break
            words = [grounds, "review", "--repo", repository, "--commit", made(), "--no-model", "--format", "json"]
            done = subprocess.run(words, capture_output=True, text=True)
            try:
                report = json.loads(done.stdout)
            except ValueError:
                failed += 1
                continue
            hit = any(finding.get("rule") == RULES[kind] for finding in report["findings"])
            total, found = total + 1, found + hit
            print("found " if hit else "missed", name, commit[:9], what.encode("utf-8", "replace").decode(), flush=True)
    print(f"{found} of {total} found: {100 * found / max(1, total):.0f} % ({failed} could not be reviewed)")


if __name__ == "__main__":
    main()
