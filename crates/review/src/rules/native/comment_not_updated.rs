//! A parameter that the comment of a function describes and the function does not take, if the
//! change brought the two apart: it took the parameter away and left the comment, or wrote the
//! comment with another name. Says nothing of heads that take more than they name.

use std::collections::BTreeSet;
use std::ops::Range;

use grounds_evidence::SymbolKind;
use grounds_syntax::{Label, Parse, doc_comment, lists};

use super::{ChangePlace, ChangedSides, Native};
use crate::diff::LineKind;
use crate::rules::limits::RuleLimits;
use crate::rules::report::Unread;
use crate::rules::side::SideText;

mod tags;

use tags::Tag;

/// Languages whose comments name parameters by a mark.
const LANGUAGES: &[&str] = &[
    "Python",
    "JavaScript",
    "TypeScript",
    "TSX",
    "Java",
    "Kotlin",
    "Scala",
    "C",
    "C++",
    "C#",
    "Swift",
    "PHP",
    "Ruby",
    "Lua",
];
/// Marks of a comment that is about something else than the function below it.
const ELSEWHERE: &[&str] = &[
    "@callback",
    "@typedef",
    "@overload",
    "@function",
    "@method",
    "@!method",
    "@event",
    "@name",
    "@fn",
    "\\fn",
    "@copydoc",
    "@signal",
    "@macro",
    "@!macro",
    "@def",
    "\\def",
];

/// See `built_in/comment-not-updated.yml`.
#[derive(Debug)]
pub(super) struct CommentNotUpdated;

/// A parameter that a comment describes.
struct Described {
    name: String,
    function: String,
    /// The line that describes it.
    line: u32,
    /// The first and the last line of the head of the function.
    head: (u32, u32),
    is_taken: bool,
    /// Whether a word of the head is short for it: `w` for `width`.
    is_shortened: bool,
}

impl Native for CommentNotUpdated {
    fn name(&self) -> &'static str {
        "comment-not-updated"
    }

    fn languages(&self) -> &'static str {
        "Python, JavaScript, TypeScript, TSX, Java, Kotlin, Scala, C, C++, C#, Swift, PHP, Ruby, Lua"
    }

    fn is_about_changes(&self) -> bool {
        true
    }

    fn on_change(&self, change: &ChangedSides<'_>) -> Result<Vec<ChangePlace>, Unread> {
        let Some(head) = change.head else {
            return Ok(Vec::new());
        };
        let mut wrong = described(head);
        wrong.retain(|one| !one.is_taken);
        if wrong.is_empty() {
            return Ok(Vec::new());
        }
        let before = change.base.map(described).unwrap_or_default();
        wrong.retain(|one| is_new(one, &before, change, head));
        Ok(wrong.iter().map(|one| place(one, change, head)).collect())
    }
}

/// Reports whether the change made a comment and its function differ.
fn is_new(
    one: &Described,
    before: &[Described],
    change: &ChangedSides<'_>,
    head: &SideText,
) -> bool {
    let named = |old: &&Described| old.name == one.name;
    let Some(line) = change.lines.old_number(one.line) else {
        let mut same = before.iter().filter(named);
        let was_wrong = same.any(|old| old.function == one.function && !old.is_taken);
        // An added line of a comment is new only if it was not wrong before, and did not move here
        // as it was.
        return !one.is_shortened && !was_wrong && !moved(change, head.line(one.line));
    };
    let mut same = before.iter().filter(named);
    // A kept line of a comment is wrong now if the function took the parameter before.
    same.any(|old| old.line == line && old.is_taken)
}

fn place(one: &Described, change: &ChangedSides<'_>, head: &SideText) -> ChangePlace {
    let added = &change.lines.added;
    let is_added = added.binary_search(&one.line).is_ok();
    let in_head = added
        .iter()
        .find(|line| (one.head.0..=one.head.1).contains(line));
    // If the change left the comment as it is, the finding is on the changed line of the head.
    let line = in_head.filter(|_| !is_added).copied().unwrap_or(one.line);
    ChangePlace {
        lines: Some((line, line)),
        quote: head.line(line).trim().to_owned(),
        message: format!(
            "the comment in line {} describes `{}`, which `{}` does not take",
            one.line, one.name, one.function
        ),
        symbol: one.function.clone(),
        severity: None,
    }
}

/// Reports whether the change removes a line with the same words: it moved.
fn moved(change: &ChangedSides<'_>, text: &str) -> bool {
    let lines = change.diff.files.iter().flat_map(|file| &file.hunks);
    lines
        .flat_map(|hunk| &hunk.lines)
        .any(|line| line.kind == LineKind::Removed && line.text.trim() == text.trim())
}

/// Returns the parameters that comments of a side describe, for functions whose head names
/// everything that they take.
fn described(side: &SideText) -> Vec<Described> {
    let language = side.language.map_or("", |language| language.name);
    if !LANGUAGES.contains(&language) || !tags::may_have(&side.text) {
        return Vec::new();
    }
    let Ok(Some(parsed)) = side.parse(&RuleLimits::default()) else {
        return Vec::new();
    };
    let functions = side.definitions(&parsed).iter();
    functions
        .filter(|(_, label)| is_function(label))
        .flat_map(|definition| of_function(side, &parsed, definition, language))
        .collect()
}

fn of_function(
    side: &SideText,
    parsed: &Parse<'_>,
    (name, label): &(Range<usize>, Label),
    language: &str,
) -> Vec<Described> {
    let comment = doc_comment(side.text.as_bytes(), &label.item).unwrap_or_default();
    let text = side.text.get(comment.clone()).unwrap_or_default();
    let tags = tags::of(text, language);
    let signature = parsed.signature(name, label);
    let head = side.text.get(signature.clone()).unwrap_or_default();
    let item = side.text.get(label.item.clone()).unwrap_or_default();
    let is_elsewhere = ELSEWHERE.iter().any(|mark| text.contains(mark));
    if tags.is_empty() || is_elsewhere || takes_more(head, item, language) {
        return Vec::new();
    }
    let words: BTreeSet<&str> = head.split(|letter| !is_word(letter)).map(bare).collect();
    let first = side.line_of(comment.start);
    let lines = (
        side.line_of(signature.start),
        side.line_of(signature.end.saturating_sub(1)),
    );
    let one = |tag: Tag| Described {
        is_taken: words.contains(bare(&tag.name)),
        is_shortened: words.iter().any(|word| is_short_for(word, bare(&tag.name))),
        function: side.text[name.clone()].to_owned(),
        line: first + tag.line,
        head: lines,
        name: tag.name,
    };
    tags.into_iter().map(one).collect()
}

/// Reports whether a function may take more than its head names.
fn takes_more(head: &str, item: &str, language: &str) -> bool {
    let packed: String = head
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect();
    let has = |marks: &[&str]| marks.iter().any(|mark| packed.contains(mark));
    let is_open = match language {
        "Python" | "Ruby" => has(&["*"]),
        "JavaScript" | "TypeScript" | "TSX" => {
            // A parameter that is taken apart has no name of its own: `function f({ a, b })`.
            has(&["({", ",{", "([", ",["]) || item.contains("arguments")
        }
        "PHP" => item.contains("func_get_arg"),
        "C" | "C++" => has_nameless(head, language),
        _ => false,
    };
    is_open || has(&["..."]) || !(packed.contains('(') || language == "Ruby")
}

/// Reports whether a parameter of C may have a type and no name, or is in a form that is not read
/// here.
fn has_nameless(head: &str, language: &str) -> bool {
    let list = head
        .find('(')
        .and_then(|open| lists::parentheses(head, open, language));
    let parts = list.and_then(|list| lists::parts(&head[list], language));
    let is_nameless = |part: &&str| {
        let declared = part.split('=').next().unwrap_or_default().trim_end();
        *part != "void"
            && (!declared.contains([' ', '*', '&']) || declared.ends_with(['*', '&', '>']))
    };
    parts.is_none_or(|parts| parts.iter().any(is_nameless))
}

const fn is_function(label: &Label) -> bool {
    matches!(
        label.kind,
        Some(SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor)
    )
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$')
}

/// Reports whether a word is the start of a name, and at most half of it.
fn is_short_for(word: &str, name: &str) -> bool {
    !word.is_empty() && word.len() * 2 <= name.len() && name.starts_with(word)
}

/// Returns a name without the marks of a language for its use: `_unused`, `$value`.
fn bare(name: &str) -> &str {
    name.trim_matches(['_', '$'])
}
