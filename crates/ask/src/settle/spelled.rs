//! Finds texts that code and build files have word for word: a key, a header, a message, the name
//! of an environment variable; and commands that a manifest registers.

use grounds_claims::{Claim, Tests};
use grounds_evidence::{ConfidenceLevel, FileRole};
use grounds_repo::role;

use crate::words::is_in;

use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled, counted, manifest};

/// The kind of a claim about a text of the code.
pub(crate) const TEXT: &str = "text";
/// The kind of a claim about a command that a manifest registers.
pub(crate) const COMMAND: &str = "command of a manifest";
/// The kind of a claim about a target of a build file.
pub(crate) const TARGET: &str = "target of a build file";
/// The reason why such a claim is not High.
const BECAUSE: &str = "what the lines do with the text was not looked at";
/// Limit on the bytes that are searched.
const BYTES_MAX: u64 = 64 << 20;
/// Limit on the lines of an answer; with more of them, it stays open which one is meant.
const LINES_MAX: usize = 6;
/// Words in the header of a section of a manifest that registers commands.
const SECTIONS: &[&str] = &["scripts", "bin", "entry", "console"];

/// Reports whether a claim is about a text or a command.
pub(crate) fn is_one(claim: &Claim) -> bool {
    let kind = claim.kind.as_deref().unwrap_or_default();
    [TEXT, COMMAND, TARGET].contains(&kind)
}

/// Decides where a text occurs, or where a command is registered.
pub(super) fn settle(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let text = claim.text(1).unwrap_or_default();
    match claim.kind.as_deref() {
        Some(COMMAND) => return command(text, desk),
        Some(TARGET) => return target(text, desk),
        _ => {}
    }
    let (source, tests) = search(text, claim, desk)?;
    // Tests repeat the texts of the program, and the program is meant.
    let spots = if source.is_empty() { &tests } else { &source };
    let told = match spots.len() {
        0 => {
            let why = format!("`{text}` is no text of the code");
            return Err(Unsettled::unknown(why));
        }
        count if count > LINES_MAX => {
            let why = format!("`{text}` is a text in {}", counted(count, "place"));
            return Err(Unsettled::unknown(why).with(spots));
        }
        count => format!(
            "Code has `{text}` as a text in {}:",
            counted(count, "place")
        ),
    };
    let settled = Settled::told(None, desk.section(told, spots, 1));
    Ok(settled.at(ConfidenceLevel::Medium, BECAUSE))
}

/// Returns the lines with a text: those of the program, and those of its tests.
fn search(
    text: &str,
    claim: &Claim,
    desk: &Desk<'_, '_>,
) -> Result<(Vec<SettledSpot>, Vec<SettledSpot>), Unsettled> {
    let (mut source, mut tests, mut bytes) = (Vec::new(), Vec::new(), 0);
    for file in &desk.tree.files {
        let role = role::of(file);
        let is_test = matches!(role, FileRole::Test | FileRole::Bench | FileRole::Example);
        let is_code = matches!(role, FileRole::Source | FileRole::Header | FileRole::Build);
        let is_wanted = match claim.scope.tests {
            Tests::Count => is_test || is_code,
            Tests::Inside => is_test,
            Tests::Outside => is_code,
        };
        let Some(content) = desk.tree.text(file.as_str()).filter(|_| is_wanted) else {
            continue;
        };
        bytes += content.len() as u64;
        if bytes > BYTES_MAX {
            let why = "the tree is too large to look for a text in all of its files";
            return Err(Unsettled::unknown(why));
        }
        let list = if is_test { &mut tests } else { &mut source };
        list.extend(lines(
            file.as_str(),
            &content,
            text,
            role == FileRole::Build,
        ));
    }
    Ok((source, tests))
}

/// Returns the lines of a file with a text: in quotation marks, except in build files.
fn lines<'t>(
    path: &'t str,
    content: &'t str,
    text: &'t str,
    is_build: bool,
) -> impl Iterator<Item = SettledSpot> + 't {
    let has = move |line: &str| {
        let mut found = line.match_indices(text);
        // Build files write names without quotation marks.
        found.any(|(at, _)| is_whole(line, at, text) && (is_build || is_quoted(&line[..at])))
    };
    let numbered = (1_u32..).zip(content.lines());
    numbered
        .filter(move |(_, line)| !is_comment(line) && has(line))
        .map(move |(number, _)| SettledSpot::line(path, number, "text"))
}

/// Reports whether a text is no part of a longer word.
fn is_whole(line: &str, at: usize, text: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let before = line[..at].chars().next_back();
    let after = line[at + text.len()..].chars().next();
    let joins = |edge: Option<char>, other: Option<char>| {
        edge.is_some_and(is_letter) && other.is_some_and(is_letter)
    };
    !joins(text.chars().next(), before) && !joins(text.chars().next_back(), after)
}

/// Reports whether a quotation is open at the end of a text.
fn is_quoted(before: &str) -> bool {
    ['"', '\'', '`']
        .iter()
        .any(|mark| before.matches(*mark).count() % 2 == 1)
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "# ", "/*", "* ", "-- ", ";;"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// Finds where a manifest registers a command: by its key, in a section for commands.
fn command(name: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let mut spots = Vec::new();
    for (path, text) in desk.manifests() {
        let mut section = String::new();
        for (number, line) in (1_u32..).zip(text.lines()) {
            let line = line.trim();
            let key = manifest::key(line);
            // `console_scripts =` of `setup.cfg` opens a section without a bracket.
            let opens = line.starts_with('[') || line.ends_with(['{', '[', '(', '=']);
            let is_named = key == name || key == "name" && is_value(line, name);
            if is_named && SECTIONS.iter().any(|word| section.contains(word)) {
                spots.push(SettledSpot::line(&path, number, "command"));
            }
            // A line that opens a section is not in it, so this comes after the check.
            if opens {
                section = line.to_lowercase();
            }
        }
    }
    if spots.is_empty() {
        let why = format!("no manifest registers a command `{name}`");
        return Err(Unsettled::unknown(why));
    }
    let told = format!("The command `{name}` is registered here:");
    let settled = Settled::told(None, desk.section(told, &spots, 1));
    Ok(settled.at(
        ConfidenceLevel::Medium,
        "sections of manifests were read by their lines",
    ))
}

/// Finds where a build file defines a target or a task.
fn target(name: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let mut spots = Vec::new();
    for file in &desk.tree.files {
        let base = file.file_name().to_lowercase();
        let is_rake = base == "rakefile" || base.ends_with(".rake");
        let is_make = is_in("makefile gnumakefile justfile", &base) || base.ends_with(".mk");
        if !is_rake && !is_make {
            continue;
        }
        let text = desk.tree.text(file.as_str()).unwrap_or_default();
        let lines = target_lines(&text, name, is_rake);
        spots.extend(lines.map(|line| SettledSpot::line(file.as_str(), line, "target")));
    }
    if spots.is_empty() || spots.len() > LINES_MAX {
        let why = format!("`{name}` is a target in {}", counted(spots.len(), "place"));
        return Err(Unsettled::unknown(why).with(&spots));
    }
    let told = format!("The target `{name}` is defined here:");
    let settled = Settled::told(None, desk.section(told, &spots, 1));
    Ok(settled.at(
        ConfidenceLevel::Medium,
        "build files were read by their lines",
    ))
}

/// Returns the numbers of the lines that define a target: `fmt: deps`, `task :fmt do`.
fn target_lines<'t>(text: &'t str, name: &'t str, is_rake: bool) -> impl Iterator<Item = u32> + 't {
    let is_rule = move |line: &str| {
        // The recipe of a rule is indented, and `X := 1` is a variable.
        let Some((targets, rest)) = line
            .split_once(':')
            .filter(|_| !line.starts_with([' ', '\t']))
        else {
            return false;
        };
        !rest.starts_with('=') && targets.split_whitespace().any(|target| target == name)
    };
    // A task inside `namespace :docs` is `docs:all` for the caller.
    let (space, last) = name.rsplit_once(':').unwrap_or(("", name));
    let opens = format!("namespace :{space}");
    let is_inside = space.is_empty() || text.contains(&opens);
    let is_task = move |line: &str| {
        let head = line.trim_start();
        let head = head.strip_prefix("multi").unwrap_or(head);
        let Some(rest) = head.strip_prefix("task") else {
            return false;
        };
        let bare = rest.trim_start_matches([' ', '(', ':', '"', '\'']);
        let is_own = |name: &str| {
            let rest = bare.strip_prefix(name);
            rest.is_some_and(|rest| {
                !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
            })
        };
        bare.len() < rest.len() && (is_own(name) || is_inside && is_own(last))
    };
    let numbered = (1_u32..).zip(text.lines());
    let lines = numbered.filter(move |(_, line)| {
        if is_rake {
            is_task(line)
        } else {
            is_rule(line)
        }
    });
    lines.map(|(number, _)| number)
}

/// Reports whether a line has a name as its value: `name = "tool"`.
fn is_value(line: &str, name: &str) -> bool {
    let value = line.split(['=', ':']).nth(1).unwrap_or_default();
    value.trim().trim_matches(['"', '\'', ',']) == name
}

#[cfg(test)]
mod tests {
    use super::{lines, target_lines};

    #[test]
    fn a_target_is_found_where_it_is_defined() {
        let make = ".PHONY: pack\nPACK := 1\nall: pack\n\techo pack:\nlint pack: deps\n\tpack\n";
        assert_eq!(target_lines(make, "pack", false).collect::<Vec<u32>>(), [5]);
        let rake = "task :pack do\nend\nnamespace :docs do\n  task all: [:pack] do\n  end\nend\n";
        assert_eq!(target_lines(rake, "pack", true).collect::<Vec<u32>>(), [1]);
        assert_eq!(
            target_lines(rake, "docs:all", true).collect::<Vec<u32>>(),
            [4]
        );
        assert_eq!(target_lines(rake, "site:all", true).count(), 0);
    }

    #[test]
    fn a_text_stands_in_quotation_marks_and_is_whole() {
        let code = "let a = \".cache\";\n// \".cache\"\nlet b = x.cache;\nlet c = \".cached\";\n";
        let found: Vec<u32> = lines("a.rs", code, ".cache", false)
            .map(|spot| spot.line)
            .collect();
        assert_eq!(found, [1]);
    }
}
