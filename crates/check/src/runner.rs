//! Tools that run scripts or targets by name: how a command names one, and which files define the
//! names.
//!
//! Given the words of a command, returns the tool, the names, and the folder or file that an option
//! selects. To add a tool, add one line to the table.

use crate::targets::{
    CARGO_MAKE, COMPOSER, DENO, HATCH, INVOKE, JUSTFILES, MAKEFILES, MISE, NOX, PACKAGE, PYPROJECT,
    RAKEFILES, TASKFILES, TOX,
};

/// A tool that runs scripts or targets by name. A text has several words, with blanks between them.
#[derive(Debug)]
struct ScriptRunner {
    /// The words of a command before the name, with `|` between the ways to write them.
    commands: &'static str,
    /// The files that define names for it.
    files: &'static [&'static str],
    /// A text that such a file contains if it is of this tool; empty if its name tells it.
    mark: &'static str,
    /// Options that are followed by the folder or the workspace in which the tool looks.
    folder: &'static str,
    /// Options that are followed by the file that the tool reads.
    file: &'static str,
    /// The separator of several names, a comma or a blank, or `None` if only one name is possible.
    several: Option<char>,
    /// The only name that is no command of the tool itself; empty if all are names.
    only: &'static str,
}

/// A script or target that a command names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NamedScript<'t> {
    /// The words of the command before the name, as its tool writes them.
    pub(crate) command: String,
    /// The name.
    pub(crate) name: &'t str,
    /// The files that may define it: names of files, or paths if an option selects one.
    pub(crate) files: Vec<String>,
}

/// Programs that run the command which follows them.
const WRAPPERS: [&[&str]; 11] = [
    &["bundle", "exec"],
    &["poetry", "run"],
    &["uv", "run"],
    &["pipenv", "run"],
    &["pdm", "run"],
    &["hatch", "run"],
    &["pnpm", "exec"],
    &["npx"],
    &["uvx"],
    &["sudo"],
    &["time"],
];

/// Options by which package managers of JavaScript choose a workspace.
const WORKSPACE: &str = "-w --workspace --filter -F --prefix -C --cwd --dir";
const BLANK: Option<char> = Some(' ');
const COMMA: Option<char> = Some(',');

/// The tools that are known.
#[rustfmt::skip]
const RUNNERS: &[ScriptRunner] = &[
    row("npm run|npm run-script|pnpm run|yarn run|bun run", PACKAGE, "", WORKSPACE, "", None, ""),
    // Of the scripts that need no `run` only `test` is read: `npm install` and the like are
    // commands.
    row("npm|pnpm|yarn", PACKAGE, "", WORKSPACE, "", None, "test"),
    row("deno task", DENO, "", "--cwd", "--config -c", None, ""),
    row("composer run|composer run-script", COMPOSER, "", "-d --working-dir", "", None, ""),
    row("make|gmake", MAKEFILES, "", "-C --directory", "-f --file --makefile", BLANK, ""),
    row("just", JUSTFILES, "", "-d --working-directory", "-f --justfile", None, ""),
    row("task", TASKFILES, "", "-d --dir", "-t --taskfile", BLANK, ""),
    row("mise run|mise r", MISE, "", "-C --cd", "", None, ""),
    row("tox -e|tox run -e", TOX, "tox", "", "-c --conf", COMMA, ""),
    row("nox -s|nox --session|nox --sessions", NOX, "", "", "-f --noxfile", BLANK, ""),
    row("poe", PYPROJECT, "[tool.poe", "-C --root", "", None, ""),
    row("pdm run", PYPROJECT, "[tool.pdm.scripts", "-p --project", "", None, ""),
    row("hatch run", HATCH, "scripts", "", "", None, ""),
    row("inv|invoke", INVOKE, "task", "-r", "", None, ""),
    row("rake", RAKEFILES, "", "", "-f --rakefile", BLANK, ""),
    row("cargo make", CARGO_MAKE, "", "--cwd", "--makefile", None, ""),
];

const fn row(
    commands: &'static str,
    files: &'static [&'static str],
    mark: &'static str,
    folder: &'static str,
    file: &'static str,
    several: Option<char>,
    only: &'static str,
) -> ScriptRunner {
    ScriptRunner {
        commands,
        files,
        mark,
        folder,
        file,
        several,
        only,
    }
}

/// What the files of the tool of a command contain.
pub(crate) fn mark_of(command: &str) -> &'static str {
    let mut all = RUNNERS.iter();
    all.find(|runner| runner.commands.split('|').any(|own| own == command))
        .map_or("", |runner| runner.mark)
}

/// Returns the scripts or targets that a command names.
pub(crate) fn named<'t>(words: &[&'t str]) -> Vec<NamedScript<'t>> {
    // `pdm run` is a wrapper and a tool: `pdm run tox -e lint` names an environment of tox, `pdm
    // run lint` a script.
    let starts = |wrapper: &&[&str]| words.starts_with(wrapper);
    let wrapped = WRAPPERS.into_iter().find(starts);
    let inner = wrapped.map(|wrapper| named(&words[wrapper.len()..]));
    if let Some(inner) = inner.filter(|inner| !inner.is_empty()) {
        return inner;
    }
    let commands = |runner: &'static ScriptRunner| {
        runner
            .commands
            .split('|')
            .map(move |command| (runner, command))
    };
    let mut all = RUNNERS
        .iter()
        .flat_map(commands)
        .map(|(runner, command)| runner.named(command, words));
    all.find(|found| !found.is_empty()).unwrap_or_default()
}

impl ScriptRunner {
    fn named<'t>(&self, command: &str, words: &[&'t str]) -> Vec<NamedScript<'t>> {
        let mut rest = words.iter().copied().peekable();
        let mut files: Vec<String> = self.files.iter().map(|file| (*file).to_owned()).collect();
        // Options may come between the words of a command: `npm --prefix web run build`.
        for part in command.split(' ') {
            if self.next(&mut rest, part, &mut files) != Some(part) {
                return Vec::new();
            }
        }
        let mut found = Vec::new();
        while let Some(word) = self.next(&mut rest, "", &mut files) {
            let is_only = self.only.is_empty() || self.only == word;
            let names = word.split(|letter| Some(letter) == self.several);
            let names: Vec<&str> = names.collect();
            if !is_only || !names.iter().all(|name| is_name(name)) {
                break;
            }
            found.extend(names);
            // After the name of a script, the words are the script's own. Only `make a b` names two
            // targets.
            if self.several != Some(' ') {
                break;
            }
        }
        let of_name = |name| NamedScript {
            command: command.to_owned(),
            name,
            files: files.clone(),
        };
        found.into_iter().map(of_name).collect()
    }

    /// Returns the next word that is no option, or the one that is wanted, and keeps what an option
    /// selects.
    fn next<'t>(
        &self,
        words: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>,
        wanted: &str,
        files: &mut Vec<String>,
    ) -> Option<&'t str> {
        loop {
            let word = words.next()?;
            // `make V=1 all` sets a variable before its target.
            let is_assignment = !word.starts_with('-') && word.contains('=');
            // What follows `--` is for the script, and what follows `#` is a comment.
            if word == "--" || word.starts_with('#') {
                return None;
            }
            if word == wanted || (!word.starts_with('-') && !is_assignment) {
                return Some(word);
            }
            let (option, value) = word.split_once('=').unwrap_or((word, ""));
            let is_of = |options: &str| options.split(' ').any(|one| one == option);
            let selects_folder = is_of(self.folder);
            if !selects_folder && !is_of(self.file) {
                continue;
            }
            // The value may be joined with `=` or be the next word.
            let value = match value {
                "" => words.next()?,
                value => value,
            };
            let value = value.trim_end_matches('/');
            *files = match selects_folder {
                true => self
                    .files
                    .iter()
                    .map(|file| format!("{value}/{file}"))
                    .collect(),
                // As a path, so that only this file is read, and not any file of its name.
                false => vec![format!("./{value}")],
            };
        }
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-:.".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::named;

    #[track_caller]
    fn check(command: &str, expected: &[(&str, &str)]) {
        let words: Vec<&str> = command.split_whitespace().collect();
        let found = named(&words);
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|one| (one.name, one.files[0].as_str()))
            .collect();
        assert_eq!(found, expected, "{command}");
    }

    #[test]
    fn a_command_names_scripts_of_its_tool() {
        check("npm run lint", &[("lint", "package.json")]);
        check("npm -w web run lint", &[("lint", "web/package.json")]);
        check("npm run lint --workspace=web", &[("lint", "package.json")]);
        check("npm test", &[("test", "package.json")]);
        check("npm install left-pad", &[]);
        check("make -C docs/ html", &[("html", "docs/Makefile")]);
        check(
            "make -j4 CC=gcc clean all",
            &[("clean", "Makefile"), ("all", "Makefile")],
        );
        check("make -f build/x.mk all", &[("all", "./build/x.mk")]);
        check(
            "nox -s lint tests",
            &[("lint", "noxfile.py"), ("tests", "noxfile.py")],
        );
        check(
            "tox run -e lint,docs",
            &[("lint", "tox.ini"), ("docs", "tox.ini")],
        );
        check("tox -c a.ini -e lint -- -k x", &[("lint", "./a.ini")]);
        check("poetry run poe check", &[("check", "pyproject.toml")]);
        check("pdm run tox -e lint", &[("lint", "tox.ini")]);
        check("pdm run lint", &[("lint", "pyproject.toml")]);
        check("bundle exec rake spec:unit", &[("spec:unit", "Rakefile")]);
        check("mise run build", &[("build", "mise.toml")]);
        check("just --list", &[]);
        check("task lint # as CI does", &[("lint", "Taskfile.yml")]);
        check("cargo build", &[]);
    }
}
