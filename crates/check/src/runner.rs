//! Tools that run scripts or targets by name: how a command names one, and where the names are
//! defined.
//!
//! Given the words of a command, returns the tool, the names, and the folder or file that an option
//! selects. To add a tool, add one line to the table.

/// A tool that runs scripts or targets by name.
#[derive(Debug)]
pub(crate) struct ScriptRunner {
    /// The words of the command before the name.
    pub(crate) command: &'static [&'static str],
    /// The files that define names for it.
    pub(crate) files: &'static [&'static str],
    /// What such a file contains if it is of this tool; empty if its name says so.
    pub(crate) mark: &'static str,
    /// Options that are followed by the folder or the workspace in which the tool looks.
    folder: &'static [&'static str],
    /// Options that are followed by the file that the tool reads.
    file: &'static [&'static str],
    /// What separates several names: a comma, a blank; `None` if there is one name.
    several: Option<char>,
    /// The only names that are not commands of the tool itself; empty if all are names.
    only: &'static [&'static str],
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

/// Programs that run the command after them.
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

const PACKAGE: &[&str] = &["package.json"];
const COMPOSER: &[&str] = &["composer.json"];
const MAKEFILES: &[&str] = &["Makefile", "GNUmakefile", "makefile"];
const JUSTFILES: &[&str] = &["justfile", "Justfile", ".justfile"];
const TASKFILES: &[&str] = &[
    "Taskfile.yml",
    "Taskfile.yaml",
    "taskfile.yml",
    "Taskfile.dist.yml",
];
const TOX: &[&str] = &["tox.ini", "tox.toml", "pyproject.toml", "setup.cfg"];
const PYPROJECT: &[&str] = &["pyproject.toml"];
const HATCH: &[&str] = &["hatch.toml", "pyproject.toml"];
const MISE: &[&str] = &["mise.toml", ".mise.toml"];
const DENO: &[&str] = &["deno.json", "deno.jsonc"];
const RAKEFILES: &[&str] = &["Rakefile", "rakefile", "Rakefile.rb"];
const WORKSPACE: &[&str] = &[
    "-w",
    "--workspace",
    "--filter",
    "-F",
    "--prefix",
    "-C",
    "--cwd",
    "--dir",
];
const NO: &[&str] = &[];
const TEST: &[&str] = &["test"];

/// The tools that are known.
const RUNNERS: &[ScriptRunner] = &[
    row(&["npm", "run"], PACKAGE, "", WORKSPACE, NO, None, NO),
    row(&["npm", "run-script"], PACKAGE, "", WORKSPACE, NO, None, NO),
    row(&["npm"], PACKAGE, "", WORKSPACE, NO, None, TEST),
    row(&["pnpm", "run"], PACKAGE, "", WORKSPACE, NO, None, NO),
    row(&["pnpm"], PACKAGE, "", WORKSPACE, NO, None, TEST),
    row(&["yarn", "run"], PACKAGE, "", WORKSPACE, NO, None, NO),
    row(&["yarn"], PACKAGE, "", WORKSPACE, NO, None, TEST),
    row(&["bun", "run"], PACKAGE, "", WORKSPACE, NO, None, NO),
    row(
        &["deno", "task"],
        DENO,
        "",
        &["--cwd"],
        &["--config", "-c"],
        None,
        NO,
    ),
    row(
        &["composer", "run"],
        COMPOSER,
        "",
        &["-d", "--working-dir"],
        NO,
        None,
        NO,
    ),
    row(
        &["composer", "run-script"],
        COMPOSER,
        "",
        &["-d", "--working-dir"],
        NO,
        None,
        NO,
    ),
    row(
        &["make"],
        MAKEFILES,
        "",
        &["-C", "--directory"],
        &["-f", "--file", "--makefile"],
        Some(' '),
        NO,
    ),
    row(
        &["gmake"],
        MAKEFILES,
        "",
        &["-C", "--directory"],
        &["-f", "--file", "--makefile"],
        Some(' '),
        NO,
    ),
    row(
        &["just"],
        JUSTFILES,
        "",
        &["-d", "--working-directory"],
        &["-f", "--justfile"],
        None,
        NO,
    ),
    row(
        &["task"],
        TASKFILES,
        "",
        &["-d", "--dir"],
        &["-t", "--taskfile"],
        Some(' '),
        NO,
    ),
    row(&["mise", "run"], MISE, "", &["-C", "--cd"], NO, None, NO),
    row(&["mise", "r"], MISE, "", &["-C", "--cd"], NO, None, NO),
    row(
        &["tox", "-e"],
        TOX,
        "tox",
        NO,
        &["-c", "--conf"],
        Some(','),
        NO,
    ),
    row(
        &["tox", "run", "-e"],
        TOX,
        "tox",
        NO,
        &["-c", "--conf"],
        Some(','),
        NO,
    ),
    row(
        &["nox", "-s"],
        &["noxfile.py"],
        "",
        NO,
        &["-f", "--noxfile"],
        Some(' '),
        NO,
    ),
    row(
        &["nox", "--session"],
        &["noxfile.py"],
        "",
        NO,
        &["-f", "--noxfile"],
        Some(' '),
        NO,
    ),
    row(
        &["nox", "--sessions"],
        &["noxfile.py"],
        "",
        NO,
        &["-f", "--noxfile"],
        Some(' '),
        NO,
    ),
    row(
        &["poe"],
        PYPROJECT,
        "[tool.poe",
        &["-C", "--root"],
        NO,
        None,
        NO,
    ),
    row(
        &["pdm", "run"],
        PYPROJECT,
        "[tool.pdm.scripts",
        &["-p", "--project"],
        NO,
        None,
        NO,
    ),
    row(&["hatch", "run"], HATCH, "scripts", NO, NO, None, NO),
    row(&["inv"], &["tasks.py"], "task", &["-r"], NO, None, NO),
    row(&["invoke"], &["tasks.py"], "task", &["-r"], NO, None, NO),
    row(
        &["rake"],
        RAKEFILES,
        "",
        NO,
        &["-f", "--rakefile"],
        Some(' '),
        NO,
    ),
    row(
        &["cargo", "make"],
        &["Makefile.toml"],
        "",
        &["--cwd"],
        &["--makefile"],
        None,
        NO,
    ),
];

const fn row(
    command: &'static [&'static str],
    files: &'static [&'static str],
    mark: &'static str,
    folder: &'static [&'static str],
    file: &'static [&'static str],
    several: Option<char>,
    only: &'static [&'static str],
) -> ScriptRunner {
    ScriptRunner {
        command,
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
    all.find(|runner| runner.command.join(" ") == command)
        .map_or("", |runner| runner.mark)
}

/// The scripts or targets that a command names.
pub(crate) fn named<'t>(words: &[&'t str]) -> Vec<NamedScript<'t>> {
    let starts = |wrapper: &&[&str]| words.starts_with(wrapper);
    let wrapped = WRAPPERS.into_iter().find(starts);
    let inner = wrapped.map(|wrapper| named(&words[wrapper.len()..]));
    if let Some(inner) = inner.filter(|inner| !inner.is_empty()) {
        return inner;
    }
    let mut all = RUNNERS.iter().map(|runner| runner.named(words));
    all.find(|found| !found.is_empty()).unwrap_or_default()
}

impl ScriptRunner {
    fn named<'t>(&self, words: &[&'t str]) -> Vec<NamedScript<'t>> {
        let mut rest = words.iter().copied().peekable();
        let mut files: Vec<String> = self.files.iter().map(|file| (*file).to_owned()).collect();
        for part in self.command {
            if self.next(&mut rest, part, &mut files) != Some(part) {
                return Vec::new();
            }
        }
        let mut found = Vec::new();
        while let Some(word) = self.next(&mut rest, "", &mut files) {
            let is_only = self.only.is_empty() || self.only.contains(&word);
            let names = word.split(|letter| Some(letter) == self.several);
            let names: Vec<&str> = names.collect();
            if !is_only || !names.iter().all(|name| is_name(name)) {
                break;
            }
            found.extend(names);
            if self.several != Some(' ') {
                break;
            }
        }
        let of_name = |name| NamedScript {
            command: self.command.join(" "),
            name,
            files: files.clone(),
        };
        found.into_iter().map(of_name).collect()
    }

    /// The next word that is no option, or the one that is looked for; what an option selects is kept.
    fn next<'t>(
        &self,
        words: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>,
        wanted: &str,
        files: &mut Vec<String>,
    ) -> Option<&'t str> {
        loop {
            let word = words.next()?;
            let is_assignment = !word.starts_with('-') && word.contains('=');
            if word == "--" || word.starts_with('#') {
                return None;
            }
            if word == wanted || (!word.starts_with('-') && !is_assignment) {
                return Some(word);
            }
            let (option, value) = word.split_once('=').unwrap_or((word, ""));
            let selects_folder = self.folder.contains(&option);
            if !selects_folder && !self.file.contains(&option) {
                continue;
            }
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
                // A path, as that of a file in a folder is.
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
