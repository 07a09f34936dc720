//! The names that a file of a build tool defines, by the form of the file.
//!
//! Given the path and the text of a file and a name, returns the line that defines it, and whether the
//! file may make names that it does not spell out. Runs nothing of the tree.

use grounds_repo::path::file_name;
use regex::Regex;

use crate::code::whole_words;

/// A form in which files of build tools define names.
struct TargetForm {
    /// The names of files that have it.
    files: &'static [&'static str],
    /// A text that the files contain if they have the form; empty if their names tell it.
    mark: &'static str,
    /// Returns the line, from 0, that defines a name.
    find: fn(&str, &str) -> Option<usize>,
    /// Returns whether a file may make a name that it does not spell out.
    makes: fn(&str, &str) -> bool,
}

pub(crate) const PACKAGE: &[&str] = &["package.json"];
pub(crate) const COMPOSER: &[&str] = &["composer.json"];
pub(crate) const DENO: &[&str] = &["deno.json", "deno.jsonc"];
pub(crate) const MAKEFILES: &[&str] = &["Makefile", "GNUmakefile", "makefile"];
pub(crate) const JUSTFILES: &[&str] = &["justfile", "Justfile", ".justfile"];
pub(crate) const TASKFILES: &[&str] = &[
    "Taskfile.yml",
    "Taskfile.yaml",
    "taskfile.yml",
    "Taskfile.dist.yml",
];
pub(crate) const NOX: &[&str] = &["noxfile.py"];
pub(crate) const INVOKE: &[&str] = &["tasks.py"];
pub(crate) const TOX: &[&str] = &["tox.ini", "tox.toml", "pyproject.toml", "setup.cfg"];
pub(crate) const PYPROJECT: &[&str] = &["pyproject.toml"];
pub(crate) const HATCH: &[&str] = &["hatch.toml", "pyproject.toml"];
pub(crate) const MISE: &[&str] = &["mise.toml", ".mise.toml"];
pub(crate) const CARGO_MAKE: &[&str] = &["Makefile.toml"];
pub(crate) const RAKEFILES: &[&str] = &["Rakefile", "rakefile", "Rakefile.rb"];

/// Every form.
const FORMS: &[TargetForm] = &[
    form(
        PACKAGE,
        "",
        |text, name| in_object(text, "scripts", name),
        |_, _| false,
    ),
    form(
        COMPOSER,
        "",
        |text, name| in_object(text, "scripts", name),
        |_, _| false,
    ),
    form(
        DENO,
        "",
        |text, name| in_object(text, "tasks", name),
        |_, _| false,
    ),
    form(MAKEFILES, "", in_makefile, makes_rules),
    // `import` and `mod` take in other files, and `set fallback` the justfile of a folder above.
    form(JUSTFILES, "", in_justfile, |text, _| {
        has_line(text, &["import", "mod ", "set fallback"])
    }),
    // A task of an included file is called `file:task`, unless the file is flattened.
    form(TASKFILES, "", in_taskfile, |text, name| {
        has_wildcard(text)
            || (has_line(text, &["includes:"]) && name.contains(':'))
            || text.contains("flatten")
    }),
    // Sessions may be made in a loop, or be registered under names that code puts together.
    form(NOX, "", in_python, |text, _| {
        has_line(text, &["for "])
            || [
                "nox.registry",
                "name=f",
                "globals()",
                "import nox_",
                "from nox_",
            ]
            .iter()
            .any(|mark| text.contains(mark))
    }),
    form(INVOKE, "", in_python, |text, _| {
        ["Collection", "add_task", "globals()"]
            .iter()
            .any(|mark| text.contains(mark))
    }),
    form(
        &["tox.ini", "tox.toml", "setup.cfg"],
        "",
        in_tox,
        has_factors,
    ),
    // `pyproject.toml` often has settings of other tools only, and may mention tox in a note.
    form(PYPROJECT, "tool.tox", in_tox, has_factors),
    form(
        PYPROJECT,
        "[tool.poe",
        |text, name| in_table(text, "tool.poe.tasks", name),
        |text, _| text.contains("include"),
    ),
    // `pdm run NAME` runs a program if no script has that name.
    form(
        PYPROJECT,
        "[tool.pdm.scripts",
        |text, name| in_table(text, "tool.pdm.scripts", name),
        |_, _| true,
    ),
    // `hatch run` takes any command, not only a script.
    form(HATCH, "envs.", in_hatch, |_, _| true),
    form(
        MISE,
        "",
        |text, name| in_table(text, "tasks", name),
        |text, _| text.contains("includes") || text.contains("task_config"),
    ),
    // cargo-make brings tasks of its own, which no file of the tree has.
    form(
        CARGO_MAKE,
        "",
        |text, name| in_table(text, "tasks", name),
        |_, _| true,
    ),
    // A library may bring tasks: `require 'bundler/gem_tasks'` defines `build`.
    form(RAKEFILES, "", in_rakefile, |text, _| {
        ["require", "load", "import", "Task.new", "each", "rule"]
            .iter()
            .any(|mark| text.contains(mark))
    }),
];

const fn form(
    files: &'static [&'static str],
    mark: &'static str,
    find: fn(&str, &str) -> Option<usize>,
    makes: fn(&str, &str) -> bool,
) -> TargetForm {
    TargetForm {
        files,
        mark,
        find,
        makes,
    }
}

/// The answer to whether a build file defines a name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Defined {
    /// Yes, on this line, from 0.
    On(usize),
    /// No, and it makes no names that it does not spell out.
    Nowhere,
    /// Not in its text, but it may make it.
    Perhaps,
}

/// Looks up whether a build file defines a name.
pub(crate) fn defined(path: &str, text: &str, name: &str) -> Defined {
    let file = file_name(path);
    let is_named = |form: &&TargetForm| form.files.contains(&file);
    if !FORMS.iter().any(|form| is_named(&form)) {
        // A file that an option selects, or a part of a build file, is read as a makefile.
        return match in_makefile(text, name) {
            Some(line) => Defined::On(line),
            None => Defined::Perhaps,
        };
    }
    let has_mark = |form: &&TargetForm| text.contains(form.mark);
    let forms = FORMS.iter().filter(is_named).filter(has_mark);
    let mut makes = false;
    for form in forms {
        if let Some(line) = (form.find)(text, name) {
            return Defined::On(line);
        }
        makes |= (form.makes)(text, name);
    }
    // A word in another place may be an alias, or a part of a name that is put together.
    match makes || whole_words(text, name).next().is_some() {
        true => Defined::Perhaps,
        false => Defined::Nowhere,
    }
}

/// Returns the line of the first match of an expression in which `N` is the name.
fn line_of(text: &str, expression: &str, name: &str) -> Option<usize> {
    let expression = expression.replace('N', &regex::escape(name));
    let found = Regex::new(&expression).ok()?.find(text)?;
    // A match may begin with the blank space before it.
    let blank = found.as_str().len() - found.as_str().trim_start().len();
    Some(text[..found.start() + blank].matches('\n').count())
}

fn has_line(text: &str, starts: &[&str]) -> bool {
    text.lines()
        .any(|line| starts.iter().any(|start| line.starts_with(start)))
}

/// Returns a key of an object of JSON that is a value at the top.
fn in_object(text: &str, object: &str, name: &str) -> Option<usize> {
    let head = Regex::new(&format!(r#""{object}"\s*:\s*\{{"#)).ok()?;
    let start = head.find(text)?.end();
    let (mut depth, mut is_text, mut is_escaped, mut end) = (1_usize, false, false, text.len());
    for (at, letter) in text[start..].char_indices() {
        // Braces inside of strings, as in `"a": "echo ${B}"`, end no object.
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => is_text = !is_text,
            '{' if !is_text => depth += 1,
            '}' if !is_text => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            end = start + at;
            break;
        }
    }
    let lines = text[..start].matches('\n').count();
    line_of(&text[start..end], r#""N"\s*:"#, name).map(|line| lines + line)
}

/// Returns a rule of a makefile: `a b: c`, `a:: c`, not `a := c`.
fn in_makefile(text: &str, name: &str) -> Option<usize> {
    text.lines().position(|line| {
        let bare = line.split('#').next().unwrap_or_default();
        // A line of a recipe begins with a tab, and may have a colon too: `echo done: x`.
        let rule = bare.split_once(':').filter(|_| !line.starts_with('\t'));
        rule.is_some_and(|(targets, rest)| {
            !rest.trim_start_matches(':').starts_with('=')
                && !targets.contains('=')
                && targets.split_whitespace().any(|target| target == name)
        })
    })
}

/// Reports whether a makefile has rules for many targets, or includes other files.
fn makes_rules(text: &str, _: &str) -> bool {
    let is_pattern = |line: &str| {
        let target = line.split_once(':').map_or("", |(target, _)| target);
        target.contains('%') && !target.starts_with(['\t', '#'])
    };
    // `-include` and `sinclude` are `include` for files that may be missing.
    text.lines().any(|line| {
        line.trim_start()
            .trim_start_matches(['-', 's'])
            .starts_with("include ")
            || is_pattern(line)
            // `$(BINS): x` is a rule for whatever the variable lists.
            || (line.starts_with("$(") && line.contains("):"))
            || line.contains("$(eval")
            || line.starts_with("import ")
    })
}

fn in_justfile(text: &str, name: &str) -> Option<usize> {
    // Parameters and defaults may come before the colon: `@lint target='a' *args: build`. `:=` sets
    // a variable.
    line_of(
        text,
        r"(?m)^@?N(?:[ \t][^:=\n]*(?:=[^:\n]*)*)?:(?:[^=]|$)",
        name,
    )
    .or_else(|| line_of(text, r"(?m)^alias[ \t]+N[ \t]*:=", name))
}

/// Returns a key of the first level below `tasks:`.
fn in_taskfile(text: &str, name: &str) -> Option<usize> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_blank = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    // Other sections have keys of the same form, as `vars:` has.
    let lines = text.lines().enumerate();
    let mut lines = lines
        .skip_while(|(_, line)| line.trim_end() != "tasks:")
        .skip(1);
    let first = lines.find(|(_, line)| !is_blank(line))?;
    let level = indent(first.1);
    let is_key = |line: &str| {
        let rest = line.trim_start().trim_start_matches(['"', '\'']);
        let rest = rest
            .strip_prefix(name)
            .map(|rest| rest.trim_start_matches(['"', '\'']));
        indent(line) == level
            && rest.is_some_and(|rest| rest.starts_with(':') && !rest.starts_with("::"))
    };
    let below = std::iter::once(first).chain(lines);
    // A key without an indent is the next section.
    let mut below = below.take_while(|(_, line)| is_blank(line) || indent(line) >= level.max(1));
    below
        .find(|(_, line)| is_key(line))
        .map(|(number, _)| number)
}

/// Reports whether a task matches many names: `build:*:`.
fn has_wildcard(text: &str) -> bool {
    text.lines().any(|line| {
        let key = line.trim().strip_suffix(':').unwrap_or_default();
        key.contains('*') && !key.contains(' ') && !key.starts_with('#')
    })
}

/// Returns a function of Python, or a name that a decorator gives one.
fn in_python(text: &str, name: &str) -> Option<usize> {
    // `tests-3.12` and `tests(sqlite)` are runs of one session.
    let bare = name.split_once("-3.").map_or(name, |(bare, _)| bare);
    // Invoke runs the function `type_check` as `type-check`.
    let function = bare.replace('-', "_");
    line_of(text, r"(?m)^(?:async )?def N\(", &function)
        .or_else(|| line_of(text, r#"name\s*=\s*["']N["']"#, bare))
}

fn in_tox(text: &str, name: &str) -> Option<usize> {
    line_of(text, r"(?m)^\[(?:tool\.tox\.)?(?:testenv:|env\.)N\]", name)
        .or_else(|| line_of(text, r"(?m)^\s*env_?list\s*=.*\bN\b", name))
}

/// Reports whether every part of the name of an environment is a version or is in the file:
/// `py312-docs`.
fn has_factors(text: &str, name: &str) -> bool {
    let is_version = |part: &str| {
        let number = part.trim_start_matches("pypy").trim_start_matches("py");
        number
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let mut parts = name.split('-');
    parts.all(|part| is_version(part) || whole_words(text, part).next().is_some())
}

/// Finds a table of TOML, or a key of the table above it: `[tasks.a]`, `a = …` below `[tasks]`.
fn in_table(text: &str, table: &str, name: &str) -> Option<usize> {
    let own = format!(r#"(?m)^\[{}\.["']?N["']?[\].]"#, regex::escape(table));
    let head = format!("[{table}]");
    let key = || {
        let lines = text.lines().enumerate();
        let below = lines.skip_while(|(_, line)| line.trim() != head).skip(1);
        let mut below = below.take_while(|(_, line)| !line.starts_with('['));
        let is_key = |line: &str| {
            let key = line.split('=').next().unwrap_or_default().trim();
            let key = key.trim_matches(['"', '\'']);
            // `test.cmd = 'x'` defines the task `test`.
            key == name
                || key
                    .strip_prefix(name)
                    .is_some_and(|rest| rest.starts_with('.'))
        };
        below
            .find(|(_, line)| is_key(line))
            .map(|(number, _)| number)
    };
    line_of(text, &own, name).or_else(key)
}

/// Returns a script of an environment of hatch: `lint`, or `docs:build` of the environment `docs`.
fn in_hatch(text: &str, name: &str) -> Option<usize> {
    let (environment, script) = name.split_once(':').unwrap_or(("", name));
    let tables = text.lines().filter_map(|line| {
        let table = line.trim().strip_prefix('[')?.strip_suffix(".scripts]")?;
        let is_of = environment.is_empty() || table.ends_with(&format!("envs.{environment}"));
        is_of.then(|| format!("{table}.scripts"))
    });
    let tables: Vec<String> = tables.collect();
    tables
        .iter()
        .find_map(|table| in_table(text, table, script))
}

/// Returns a task of rake, whatever its namespace.
fn in_rakefile(text: &str, name: &str) -> Option<usize> {
    let last = name.rsplit(':').next().unwrap_or(name);
    line_of(
        text,
        r#"(?m)^\s*(?:task|multitask|file)[ (]+(?::N\b|["']N["']|N:)"#,
        last,
    )
}

#[cfg(test)]
mod tests {
    use super::{Defined, defined};

    /// Checks the place of each name: the number of a line, `-` for nowhere, `?` for perhaps.
    #[track_caller]
    fn check(path: &str, text: &str, expected: &str) {
        for one in expected.split_whitespace() {
            let (name, expected) = one.split_once('=').expect("a name and its place");
            let expected = match expected {
                "-" => Defined::Nowhere,
                "?" => Defined::Perhaps,
                line => Defined::On(line.parse().expect("a line")),
            };
            assert_eq!(defined(path, text, name), expected, "{path}: {name}");
        }
    }

    #[test]
    fn manifests_define_their_scripts() {
        let json = "{\"name\": \"x\",\n \"scripts\": {\n  \"lint\": \"eslint {a}\",\n  \
                    \"a:b\": \"x\"\n },\n \"deps\": {\"jest\": \"1\"}}";
        check("package.json", json, "lint=2 a:b=3 build=- jest=?");
        let poe = "[tool.poe.tasks]\nlint = 'x'\ntest.cmd = 'y'\n[tool.poe.tasks.docs]\n\
                   cmd = 'z'\n[tool.x]\nother = 1\n";
        check(
            "pyproject.toml",
            poe,
            "lint=1 test=2 docs=3 build=- other=?",
        );
        let hatch = "[tool.hatch.envs.docs.scripts]\nbuild = 'x'\n";
        check("pyproject.toml", hatch, "docs:build=1 build=1 pytest=?");
        check("pyproject.toml", "[project]\nname = 'fix'\n", "lint=-");
        check("mise.toml", "[tasks.lint]\nrun = 'x'\n", "lint=0 test=-");
    }

    #[test]
    fn makefiles_and_the_like_define_their_rules() {
        let make = "A := 1\n.PHONY: all lint\nall lint: b # docs\n\techo done: x\nb:: c\n";
        check("sub/Makefile", make, "lint=2 b=4 A=? test=- docs=?");
        check("Makefile", "x-%: y\n\ttrue\n", "test=?");
        check("Makefile", "$(warning x: $(A))\na:\n", "test=-");
        check("Makefile", "$(BINS): x\n", "test=?");
        check("Makefile", "-include a.mk\n", "test=?");
        let just = "v := '1'\n@lint target='a' *args: build\n  x\nalias l := lint\nbuild:\n";
        check("justfile", just, "lint=1 l=3 build=4 v=? test=-");
        let task = "version: '3'\nvars:\n  a: b\ntasks:\n  # all\n  lint:\n    cmds:\n      - x\n  \
                    'a:b':\n    desc: y\nother:\n  z: 1\n";
        check("Taskfile.yml", task, "lint=5 a:b=8 cmds=? z=? test=-");
        let wild = "tasks:\n  build:*:\n    cmds: [x]\n";
        check("Taskfile.yml", wild, "build:a=?");
        let globs = "tasks:\n  a:\n    sources: ['**/*.go']\n";
        check("Taskfile.yml", globs, "b=-");
    }

    #[test]
    fn files_of_test_runners_define_their_sessions() {
        let nox = "import nox\n@nox.session\ndef lint(session):\n    pass\n\
                   @nox.session(name=\"type-check\")\ndef t(s): ...\n";
        check("noxfile.py", nox, "lint=2 lint-3.12=2 type-check=4 docs=-");
        let tox =
            "[tox]\nenv_list = py3{9,10}, fix\n[testenv]\ndeps =\n  slow: x\n[testenv:docs]\n";
        check("tox.ini", tox, "docs=5 fix=1 py39-slow=? py39=? lint=-");
        let rake = "namespace :db do\n  task :seed => :x do\n  end\nend\ntask 'a'\ntask b: :a\n";
        check("Rakefile", rake, "db:seed=1 a=4 b=5 c=-");
        check("Rakefile", "require 'bundler/gem_tasks'\n", "build=?");
        check(
            "tasks.py",
            "@task\ndef type_check(c): ...\n",
            "type-check=1 x=-",
        );
    }
}
