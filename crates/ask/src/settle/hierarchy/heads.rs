//! Decides which heads name a type as their base: heads that mean it, and heads that the text does
//! not decide.

use grounds_claims::Claim;
use grounds_evidence::Relation;
use grounds_repo::labels::LabelledPlace;
use grounds_repo::relations::{MemberVerdict, heads};
use grounds_repo::role;

use super::HEAD_LINES_MAX;
use crate::settle::subject::ClaimSubject;
use crate::settle::{Desk, SettledSpot, Unsettled, effects, sites};
use crate::words::is_in;

/// Words before the name of a type with bases.
const OPENERS: [&str; 9] = [
    "class",
    "struct",
    "interface",
    "trait",
    "object",
    "record",
    "enum",
    "protocol",
    "actor",
];
/// Languages in whose heads bases follow a mark or a word, without brackets around them.
const LANGUAGES: [&str; 10] = [
    "C++",
    "C",
    "C#",
    "Java",
    "Kotlin",
    "Scala",
    "Swift",
    "PHP",
    "TypeScript",
    "JavaScript",
];

/// Languages in which one type may be defined in several places.
const IN_PARTS: &str = "Ruby C# C++ C Swift";

/// Separates the heads of the meant type from others, if several types have the name. Also returns
/// what lowers the level.
pub(super) fn told_apart(
    places: Vec<LabelledPlace>,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> (Vec<LabelledPlace>, Vec<LabelledPlace>, String) {
    let types: Vec<&LabelledPlace> = subject
        .definitions
        .iter()
        .filter(|place| super::is_extended(place))
        .collect();
    let is_one = is_one(&types);
    let others = subject.namesakes.iter().any(super::is_extended);
    // `other.Store` of a library is no `Store` of the tree, even if the tree has only one.
    let is_qualified = || {
        places
            .iter()
            .any(|place| has_qualifier(place, subject, desk))
    };
    if is_one && !others && !is_qualified() {
        return (places, Vec::new(), String::new());
    }
    // Without an owner in the question, a head may mean any of several types.
    if !is_one {
        return (
            places,
            Vec::new(),
            format!("several types are called `{}`", subject.text),
        );
    }
    let read = heads(desk.tree.checkout, &subject.name, &types, &desk.tree.limits);
    // Heads of this language are not resolved, so only the level can show the doubt.
    let Some(read) = read else {
        let told = format!(
            "other types are called `{}`, and heads say no more than the name",
            subject.name
        );
        return (places, Vec::new(), told);
    };
    let (mut own, mut open) = (Vec::new(), Vec::new());
    for place in places {
        match read.of(&place) {
            MemberVerdict::ResolvedToIt => own.push(place),
            MemberVerdict::ResolvedToAnother => {}
            MemberVerdict::Open => open.push(place),
        }
    }
    let bounds = match read.bounds.is_empty() {
        true => String::new(),
        false => format!(
            "not all files were read ({} reached)",
            read.bounds.join(", ")
        ),
    };
    (own, open, bounds)
}

/// Reports whether a head qualifies the name of its base with something other than the owner in the
/// question: `class Answer(http.Response)`.
fn has_qualifier(place: &LabelledPlace, subject: &ClaimSubject, desk: &Desk<'_, '_>) -> bool {
    let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let first = place.line.saturating_sub(1) as usize;
    let head: String = text
        .lines()
        .skip(first)
        .take(HEAD_LINES_MAX)
        .map(|line| line.split('#').next().unwrap_or_default())
        .collect::<Vec<&str>>()
        .join(" ");
    let end = head.find([':', '{']).unwrap_or(head.len());
    head[..end]
        .split(|letter: char| !(letter.is_alphanumeric() || "_.".contains(letter)))
        .filter_map(|word| word.strip_suffix(subject.name.as_str()))
        .any(|before| before.ends_with('.') && subject.owner.is_none())
}

/// Reports whether several types of the tree have a name. Outside of Rust, only those that name a
/// base count.
pub(super) fn are_several(subject: &ClaimSubject, desk: &Desk<'_, '_>) -> bool {
    let mut types: Vec<&LabelledPlace> = subject.definitions.iter().collect();
    types.retain(|place| {
        let is_rust = place.language == "Rust" && super::is_extended(place);
        super::is_type(place) && (is_rust || !super::bases::of_definition(place, desk).is_empty())
    });
    !is_one(&types)
}

/// Reports whether all definitions are of one type.
fn is_one(types: &[&LabelledPlace]) -> bool {
    types.windows(2).all(|pair| {
        let in_parts = is_in(IN_PARTS, pair[0].language) && pair[0].language == pair[1].language;
        pair[0].containers == pair[1].containers && (in_parts || pair[0].path == pair[1].path)
    })
}

/// Returns heads whose text has the name among the bases, but which the grammar did not read so.
pub(super) fn unread(
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<Vec<SettledSpot>, Unsettled> {
    let mut open = Vec::new();
    // After a syntax error the name may have any relation but that of a base.
    let uses = subject.known.places().iter().filter(|place| {
        !matches!(
            place.relation,
            Relation::Inherits | Relation::Imports | Relation::Mentions(_)
        ) && (LANGUAGES.contains(&place.language) || place.language == "Rust")
            && role::is_code(place.role, &place.path)
    });
    for place in uses {
        let is_head = match place.language {
            "Rust" => is_of_macro(place, desk),
            _ => stands_in_head(place, desk),
        };
        if is_head && sites::in_scope(place, claim, subject, desk)? {
            open.push(SettledSpot::line(
                place.path.as_str(),
                place.line,
                "a head that the grammar did not read",
            ));
        }
    }
    Ok(open)
}

/// Reports whether an `impl` is in a macro (`impl<T> Extract for $name`): only its calls say for
/// which types it is.
fn is_of_macro(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let line = effects::line_of(place, desk);
    let end = place.column.saturating_sub(1) as usize + place.name.len();
    let after = line.get(end..).unwrap_or_default();
    line.trim_start().starts_with("impl") && after.contains(" for ")
}

/// Reports whether the text before a place is a head that continues with bases.
fn stands_in_head(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let at = place.line.saturating_sub(1) as usize;
    let Some(line) = lines.get(at) else {
        return false;
    };
    // In `: public Outer::Inner` only the last name is the base.
    let end = place.column.saturating_sub(1) as usize + place.name.len();
    let after = line.get(end..).unwrap_or_default();
    if ["::", ".", "\\"]
        .iter()
        .any(|joint| after.starts_with(joint))
    {
        return false;
    }
    let before = line
        .get(..place.column.saturating_sub(1) as usize)
        .unwrap_or_default();
    let mut head: String = lines[at.saturating_sub(HEAD_LINES_MAX)..at].join("\n");
    head.push('\n');
    head.push_str(before);
    // A head begins after the statement, block or directive before it.
    let from = head.rfind(['{', '}', ';', '#']).map_or(0, |at| at + 1);
    is_head(&head[from..])
}

/// Reports whether a text is the beginning of a head up to its bases, with every bracket closed:
/// `class Name … :`, `class Name extends`.
fn is_head(text: &str) -> bool {
    let text = without_comments(text);
    let words = || text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    let Some(opener) = OPENERS
        .iter()
        .filter(|opener| words().any(|word| word == **opener))
        .filter_map(|opener| Some((text.rfind(opener)?, opener)))
        .max()
    else {
        return false;
    };
    let mut depth = 0_i32;
    let mut bases = false;
    let rest = &text[opener.0 + opener.1.len()..];
    let flat: String = rest
        .replace("->", " ")
        .replace("=>", " = ")
        .replace("::", ".")
        .chars()
        .filter(|letter| {
            match letter {
                '(' | '<' | '[' => depth += 1,
                ')' | '>' | ']' => depth -= 1,
                _ => {}
            }
            depth == 0
        })
        .collect();
    for word in flat.split(|letter: char| !(letter.is_alphanumeric() || "_:=".contains(letter))) {
        bases |= word.contains(':') || matches!(word, "extends" | "implements");
        // After `=` or `where` the name is a value or a bound, and no base.
        if word.contains('=') || word == "where" {
            return false;
        }
    }
    bases
        && depth == 0
        && flat
            .trim_start()
            .starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

fn without_comments(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let lines = lines.filter(|line| !line.trim_start().starts_with(['*', '/']));
    lines.collect::<Vec<_>>().join("\n")
}
