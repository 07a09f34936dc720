//! A new function that other code cannot call and that no line of the tree calls. Reports nothing
//! about public functions, tests, functions that a framework calls by their attribute or name, or
//! names that occur in any other place.

use std::ops::Range;

use grounds_evidence::SymbolKind;
use grounds_syntax::{Label, Parse};

use super::{ChangePlace, ChangedSides, Native};
use crate::diff::LineKind;
use crate::rules::limits::RuleLimits;
use crate::rules::mentions;
use crate::rules::report::Unread;
use crate::rules::side::SideText;

/// Maximum number of comments of one side.
const COMMENTS_MAX: usize = 20_000;
/// Maximum number of findings of one file; a change that brings more is one of several.
const FINDINGS_MAX: usize = 5;
/// Number of characters of a name below which it may be meant anywhere.
const NAME_LETTERS_MIN: usize = 4;
/// Languages whose syntax shows what other code cannot call.
const LANGUAGES: &[&str] = &[
    "Python",
    "TypeScript",
    "TSX",
    "JavaScript",
    "Go",
    "Rust",
    "C",
    "C++",
    "Java",
    "Kotlin",
    "C#",
    "Swift",
    "Ruby",
    "PHP",
    "Lua",
];
/// Languages in which a parent may call what a type hides.
const OPEN_TO_PARENTS: &[&str] = &["Python", "Ruby", "C#", "JavaScript", "Lua"];
/// Names that a runtime or a framework calls.
const CALLED_BY_RUNTIME: &[&str] = &[
    "main",
    "init",
    "deinit",
    "readObject",
    "writeObject",
    "readResolve",
    "writeReplace",
    "readObjectNoData",
    "method_missing",
    "respond_to_missing?",
    "initialize",
    "initialize_copy",
    "initialize_dup",
    "inherited",
    "included",
    "extended",
    "prepended",
    "method_added",
    "constructor",
    "dispose",
    "finalize",
];
/// Words on the line of a definition that mean that something else calls it.
const CALLED_BY_MARK: &[&str] = &[
    "override",
    "virtual",
    "extern",
    "operator",
    "abstract",
    "partial",
    "@objc",
    "event",
    "interrupt",
    "EXPORT",
    "__attribute__",
];

/// See `built_in/new-code-unused.yml`.
#[derive(Debug)]
pub(super) struct NewCodeUnused;

/// A new function: its name and the bytes of the name.
struct Fresh {
    name: String,
    at: Range<usize>,
}

impl Native for NewCodeUnused {
    fn name(&self) -> &'static str {
        "new-code-unused"
    }

    fn languages(&self) -> &'static str {
        "Python, TypeScript, TSX, JavaScript, Go, Rust, C, C++, Java, Kotlin, C#, Swift, Ruby, PHP, Lua"
    }

    fn is_about_changes(&self) -> bool {
        true
    }

    fn on_change(&self, change: &ChangedSides<'_>) -> Result<Vec<ChangePlace>, Unread> {
        let (Some(head), Some(world)) = (change.head, change.world) else {
            return Ok(Vec::new());
        };
        let is_known = head
            .language
            .is_some_and(|language| LANGUAGES.contains(&language.name));
        // What a header defines is for the files that include it.
        let is_header = head.path.ends_with(".h") || head.path.ends_with(".hpp");
        if !is_known || is_header || change.lines.added.is_empty() {
            return Ok(Vec::new());
        }
        // The file itself decides most names, so the tree is searched only for those that are left.
        let fresh = fresh(head, change);
        let names: Vec<String> = fresh.iter().map(|one| one.name.clone()).collect();
        // Uses in the file itself are searched in its syntax tree, which shows comments and
        // declarations.
        let is_other = |path: &str| path != head.path;
        let used = mentions::among(world, &names, &is_other, change.mentions_bytes_max)?;
        let unused = fresh.into_iter().filter(|one| !used.contains(&one.name));
        Ok(unused
            .take(FINDINGS_MAX)
            .map(|one| place(head, one))
            .collect())
    }
}

fn place(head: &SideText, one: Fresh) -> ChangePlace {
    let line = head.line_of(one.at.start);
    ChangePlace {
        lines: Some((line, line)),
        quote: head.line(line).trim().to_owned(),
        message: format!("`{}` is new, and no line of the tree calls it", one.name),
        symbol: one.name,
        severity: None,
    }
}

/// Returns the new functions of a file that no other line of the file names, and that nothing else
/// could call.
fn fresh(head: &SideText, change: &ChangedSides<'_>) -> Vec<Fresh> {
    let Ok(Some(parsed)) = head.parse(&RuleLimits::default()) else {
        return Vec::new();
    };
    // A tree with errors does not show what is called.
    if parsed.has_error() {
        return Vec::new();
    }
    let comments = parsed.comments(COMMENTS_MAX);
    let definitions = head.definitions(&parsed);
    let is_fresh = |(name, label): &(Range<usize>, Label)| {
        let text = &head.text[name.clone()];
        is_function(label)
            && change
                .lines
                .added
                .binary_search(&head.line_of(name.start))
                .is_ok()
            // If the syntax does not show who may call it, nothing is reported.
            && parsed.is_public(name, label) == Some(false)
            && !parsed.is_test(name.clone())
            && is_ordinary(text)
            && !is_marked(head, name, label)
            && !has_parent(head, label, definitions)
            && !is_known_before(text, change)
            && !is_used_in_file(head, (text, label), &comments, &parsed)
    };
    let fresh = definitions.iter().filter(|one| is_fresh(one));
    fresh
        .map(|(name, _)| Fresh {
            name: head.text[name.clone()].to_owned(),
            at: name.clone(),
        })
        .collect()
}

const fn is_function(label: &Label) -> bool {
    matches!(label.kind, Some(SymbolKind::Function | SymbolKind::Method))
        && !label.is_part_of_a_longer_name
}

/// Reports whether only code of the tree would call a name.
fn is_ordinary(name: &str) -> bool {
    name.chars().count() >= NAME_LETTERS_MIN
        && !name.starts_with("__")
        && !CALLED_BY_RUNTIME.contains(&name)
}

/// Reports whether a definition has a mark that something else calls it: an attribute, an
/// annotation, a word.
fn is_marked(head: &SideText, name: &Range<usize>, label: &Label) -> bool {
    let first = head.line_of(label.item.start);
    let opens = |line: &str| {
        let line = line.trim_start();
        line.starts_with('@')
            || line.starts_with('[')
            || line.starts_with("#[")
            // An attribute over several lines ends with a bracket.
            || line.ends_with(']')
    };
    let start = head
        .line_range(head.line_of(name.start))
        .start
        .min(label.item.start);
    let before = &head.text[start..name.start];
    let mut words = before.split(|mark: char| !(mark.is_alphanumeric() || "_@".contains(mark)));
    opens(head.line(first))
        || first > 1 && opens(head.line(first - 1))
        || before.contains(['[', '@'])
        || words.any(|word| CALLED_BY_MARK.contains(&word))
}

/// Reports whether the type around a definition inherits, in a language in which the parent may
/// call it.
fn has_parent(head: &SideText, label: &Label, definitions: &[(Range<usize>, Label)]) -> bool {
    let language = head.language.map_or("", |language| language.name);
    if !OPEN_TO_PARENTS.contains(&language) || label.containers.is_empty() {
        return false;
    }
    let around = definitions.iter().filter(|(_, other)| {
        other.item.start < label.item.start && label.item.end <= other.item.end
    });
    let mut heads = around.filter_map(|(name, _)| head.text[name.end..].lines().next());
    heads.any(|rest| {
        let rest = rest.trim().trim_end_matches([':', '{']).trim();
        // `class A:`, `class A():` and `class A(object):` of Python have no parent that could call
        // it.
        !rest.is_empty() && rest != "()" && rest != "(object)"
    })
}

/// Reports whether the base, or a removed line of the change, has a name: then it only moved.
fn is_known_before(name: &str, change: &ChangedSides<'_>) -> bool {
    let files = change.diff.files.iter().flat_map(|file| &file.hunks);
    let mut removed = files
        .flat_map(|hunk| &hunk.lines)
        .filter(|line| line.kind == LineKind::Removed);
    change.base.is_some_and(|base| has_word(&base.text, name))
        || removed.any(|line| has_word(&line.text, name))
}

fn has_word(text: &str, name: &str) -> bool {
    words(text, name).next().is_some()
}

/// Returns the places where a text has a name as a whole word.
fn words<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = Range<usize>> {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let ends = text.match_indices(name).map(|(at, _)| at..at + name.len());
    ends.filter(move |at| {
        !text[..at.start].ends_with(is_letter) && !text[at.end..].starts_with(is_letter)
    })
}

/// Reports whether the file has a name outside of the function itself, of comments and of
/// declarations.
fn is_used_in_file(
    head: &SideText,
    (name, label): (&str, &Label),
    comments: &[Range<usize>],
    parse: &Parse<'_>,
) -> bool {
    let is_in =
        |at: &Range<usize>, outer: &Range<usize>| outer.start <= at.start && at.end <= outer.end;
    let is_named = words(&head.text, name).any(|at| {
        !is_in(&at, &label.item)
            && !comments.iter().any(|comment| is_in(&at, comment))
            && parse.relation(at) != grounds_evidence::Relation::Declares
    });
    is_named || mentions::is_put_together(&head.text, name)
}
