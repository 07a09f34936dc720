//! Pages of cases in `tests/suite/`: files, a question, and what a person sees.
//! Pages of the book have cases too: there a block of files is marked
//! `text,file=PATH`, one that a reader pastes into a shell `sh,run`, one to run
//! `console,run`, and every other block is left alone.
//!
//! A paragraph begins with `## `; blocks whose info string is a path are files; a
//! `git DAY AUTHOR` block holds words for git, a line a call, run where it stands
//! among the files, as this author on this day, so that hashes are always the same; a
//! `console` block holds `$ grounds ask …`, the output and the exit code.
//! A line `…` in an output stands for any lines, and `…` within a line for any words.
//! `UPDATE_SUITE=1 cargo test` writes what the program says now into the pages.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::support::{self, Tree};

pub(crate) struct Case {
    pub(crate) heading: String,
    /// Files with their text, and what git is told between them, in the order of the page.
    pub(crate) files: Vec<(String, String)>,
    pub(crate) arguments: Vec<String>,
    command: String,
    expected: String,
}

impl Case {
    /// Whether it shows a command.
    pub(crate) fn is_of(&self, command: &str) -> bool {
        self.arguments
            .iter()
            .find(|word| !word.starts_with('-'))
            .is_some_and(|word| word == command)
    }
}

#[test]
fn every_page_shows_what_the_program_says() {
    let update = std::env::var_os("UPDATE_SUITE").is_some();
    let mut failures = String::new();
    let mut count = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a readable page");
        let mut updated = String::new();
        let mut rest = text.as_str();
        for case in cases(&text) {
            count += 1;
            let got = if lacks_git(&case) {
                case.expected.clone()
            } else {
                run(&case)
            };
            let lines = |text: &'_ str| text.lines().map(str::to_owned).collect::<Vec<_>>();
            let is_shown = fits(&lines(&case.expected), &lines(&got));
            let got = if is_shown { case.expected.clone() } else { got };
            let (before, after) = rest
                .split_once(&case.command)
                .expect("cases stand in the order of the page");
            rest = after
                .strip_prefix(case.expected.as_str())
                .expect("the output follows its command");
            write!(updated, "{before}{}{got}", case.command).expect("a string");
            if got != case.expected && !update {
                writeln!(
                    failures,
                    "{} {}\n--- expected\n{}--- got\n{got}",
                    page.display(),
                    case.heading,
                    case.expected
                )
                .expect("a string");
            }
        }
        updated.push_str(rest);
        if update && updated != text {
            std::fs::write(&page, updated).expect("the page can be written");
        }
    }
    assert!(count >= 20, "only {count} cases were found");
    assert!(failures.is_empty(), "\n{failures}");
}

/// Whether the output is what a page shows, where a line `…` stands for any lines, and within a line for any words.
fn fits(expected: &[String], got: &[String]) -> bool {
    match expected.split_first() {
        None => got.is_empty(),
        Some((line, rest)) if line == "…" => {
            (0..=got.len()).any(|skipped| fits(rest, &got[skipped..]))
        }
        Some((line, rest)) => got
            .split_first()
            .is_some_and(|(first, got)| line_fits(line, first) && fits(rest, got)),
    }
}

fn line_fits(expected: &str, got: &str) -> bool {
    let shortened = |(head, tail): (&str, &str)| {
        got.len() >= head.len() + tail.len() && got.starts_with(head) && got.ends_with(tail)
    };
    expected == got || expected.split_once('…').is_some_and(shortened)
}

/// The pages of the suite, and those of the book and the README that have cases.
pub(crate) fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let below = |folder: &str| {
        std::fs::read_dir(root.join(folder))
            .expect("the pages")
            .flatten()
            .map(|entry| entry.path())
    };
    let is_run =
        |page: &PathBuf| std::fs::read_to_string(page).is_ok_and(|text| is_of_the_book(&text));
    let mut pages: Vec<PathBuf> = below("tests/suite")
        .chain(below("../../docs").filter(is_run))
        .chain(below("../../docs/peers").filter(is_run))
        .chain([root.join("../../README.md")])
        .collect();
    pages.sort();
    pages
}

fn is_of_the_book(page: &str) -> bool {
    page.contains("\n```console,run\n")
}

/// The name of a block of lines for a shell among the files.
const PASTED: &str = "lines for sh";

/// What a block is, by its info string: what is run, a file or a call of git by its name, or nothing for us.
fn block_of(info: &str, is_of_the_book: bool) -> Option<&str> {
    match (is_of_the_book, info) {
        (true, "console,run") => Some("console"),
        (true, "sh,run") => Some(PASTED),
        (true, info) => info.split_once("file=").map(|(_, name)| name),
        (false, info) => Some(info),
    }
}

/// The cases of a page. Files stay in place from paragraph to paragraph until a new `# ` heading.
pub(crate) fn cases(page: &str) -> Vec<Case> {
    let (mut cases, mut files, mut heading) = (Vec::new(), Vec::new(), String::new());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let info = line.trim_start_matches('`');
            let fence = &line[..line.len() - info.len()];
            let block: String = lines
                .by_ref()
                .take_while(|line| *line != fence)
                .fold(String::new(), |text, line| text + line + "\n");
            match block_of(info, is_of_the_book(page)) {
                Some("console") => cases.push(case_of(&heading, &files, &block)),
                Some(name) => files.push((name.to_owned(), block)),
                None => {}
            }
        } else if line.starts_with("## ") {
            heading = line.to_owned();
        } else if line.starts_with("# ") {
            files.clear();
        }
    }
    cases
}

fn case_of(heading: &str, files: &[(String, String)], block: &str) -> Case {
    let (line, expected) = block.split_once('\n').expect("a command line");
    let command = line
        .strip_prefix("$ grounds ")
        .expect("a console block starts with `$ grounds `");
    Case {
        heading: heading.to_owned(),
        files: files.to_vec(),
        arguments: split(command),
        command: format!("{line}\n"),
        expected: expected.to_owned(),
    }
}

/// Splits a command line at blanks outside single or double quotation marks.
pub(crate) fn split(command: &str) -> Vec<String> {
    let (mut words, mut word, mut open) = (Vec::new(), String::new(), None);
    for letter in command.chars() {
        match (open, letter) {
            (None, '\'' | '"') => open = Some(letter),
            (Some(mark), letter) if mark == letter => open = None,
            (None, ' ') => words.push(std::mem::take(&mut word)),
            _ => word.push(letter),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// The tree of a case in a folder that is not in any repository.
pub(crate) fn tree_of(case: &Case) -> Tree {
    tree_with(&case.files)
}

/// The tree of some files, and of what git is told between them.
pub(crate) fn tree_with(files: &[(String, String)]) -> Tree {
    files.iter().fold(Tree::new(), |tree, (name, text)| {
        match name
            .strip_prefix("git ")
            .and_then(|rest| rest.split_once(' '))
        {
            Some((day, author)) => {
                text.lines()
                    .for_each(|line| support::git_as(tree.root(), day, author, &split(line)));
                tree
            }
            None if name == PASTED => {
                support::shell_in(tree.root(), text);
                tree
            }
            None => tree.file(name, text),
        }
    })
}

/// Whether a case needs git, or a shell that may call it, and the machine has none.
fn lacks_git(case: &Case) -> bool {
    let needs = |program: &str, start: &str| {
        case.files.iter().any(|(name, _)| name.starts_with(start)) && !support::has(program)
    };
    needs("git", "git ") || needs("git", PASTED) || needs("sh", PASTED)
}

/// Splits the words of a call from the file of `<FILE`, which comes last.
fn redirected(words: &[String]) -> (&[String], Option<&str>) {
    match words.split_last() {
        Some((last, before)) if last.starts_with('<') => (before, Some(&last[1..])),
        _ => (words, None),
    }
}

fn run(case: &Case) -> String {
    let tree = tree_of(case);
    let (words, input) = redirected(&case.arguments);
    let mut command = support::grounds(tree.root());
    command.current_dir(tree.root()).args(words);
    if let Some(file) = input {
        command.stdin(std::fs::File::open(tree.path(file)).expect("the file of the input"));
    }
    let run = support::run(&mut command);
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&run.out),
        String::from_utf8_lossy(&run.err)
    );
    let said = said.replace(&*tree.root().to_string_lossy(), "[tree]");
    format!(
        "{}[exit {}]\n",
        without_times(&said),
        run.code.expect("the program ends by itself")
    )
}

/// Times differ from run to run, the walls around a run from machine to machine, and so do numbers of threads.
fn without_times(text: &str) -> String {
    let masked = |line: &str| {
        let cut = |part: &str, mask: &str| {
            line.split_once(part)
                .map(|(before, _)| format!("{before}{mask}"))
        };
        let time = || cut("\"elapsed_ms\": ", "\"elapsed_ms\": [time]");
        let walls = || cut("Run in a private copy", "Run in a private copy [walls]");
        time()
            .or_else(walls)
            .unwrap_or_else(|| without_thread(line.trim_end()))
    };
    text.lines()
        .map(masked)
        .fold(String::new(), |text, line| text + &line + "\n")
}

/// "thread 'adds' (4) panicked" without the number.
fn without_thread(line: &str) -> String {
    let Some((before, after)) = line.split_once(") panicked at ") else {
        return line.to_owned();
    };
    let start = before.trim_end_matches(|letter: char| letter.is_ascii_digit());
    format!("{} panicked at {after}", start.trim_end_matches([' ', '(']))
}
