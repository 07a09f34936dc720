//! Finds texts that code and build files have word for word: a key, a header, a message, the name
//! of an environment variable; and commands that a manifest registers.

use grounds_claims::{Claim, Tests};
use grounds_evidence::{ConfidenceLevel, FileRole};
use grounds_repo::role;

use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled, counted, manifest};

/// The kind of a claim about a text of the code.
pub(crate) const TEXT: &str = "text";
/// The kind of a claim about a command that a manifest registers.
pub(crate) const COMMAND: &str = "command of a manifest";
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
    [TEXT, COMMAND].contains(&kind)
}

/// Decides where a text occurs, or where a command is registered.
pub(super) fn settle(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let text = claim.text(1).unwrap_or_default();
    if claim.kind.as_deref() == Some(COMMAND) {
        return command(text, desk);
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

/// Reports whether a line has a name as its value: `name = "tool"`.
fn is_value(line: &str, name: &str) -> bool {
    let value = line.split(['=', ':']).nth(1).unwrap_or_default();
    value.trim().trim_matches(['"', '\'', ',']) == name
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn a_text_stands_in_quotation_marks_and_is_whole() {
        let code = "let a = \".cache\";\n// \".cache\"\nlet b = x.cache;\nlet c = \".cached\";\n";
        let found: Vec<u32> = lines("a.rs", code, ".cache", false)
            .map(|spot| spot.line)
            .collect();
        assert_eq!(found, [1]);
    }
}
