//! A function that now takes another number of arguments, or is gone, and a call that still means
//! the old one. Counts only what the text certainly says.

mod meant;
mod own;
pub(super) mod parameters;

use std::ops::Range;

use grounds_evidence::SymbolKind;
use grounds_syntax::lists;

use super::{ChangePlace, ChangedSides, Native};
use crate::diff::LineKind;
use crate::rules::callers::CallSite;
use crate::rules::limits::RuleLimits;
use crate::rules::report::Unread;
use crate::rules::side::SideText;
use parameters::Arity;

/// Maximum number of calls that a message names.
const NAMED_MAX: usize = 3;
/// Languages in which a call with another number of arguments is an error, and whose parameters are
/// read.
const LANGUAGES: &[&str] = &[
    "Python",
    "TypeScript",
    "TSX",
    "Go",
    "Rust",
    "C",
    "Java",
    "C#",
    "Ruby",
    "PHP",
];

/// See `built_in/callers-not-updated.yml`.
#[derive(Debug)]
pub(super) struct CallersNotUpdated;

/// A function of one side.
struct Function {
    name: String,
    /// The type that it belongs to; `None` if it is free.
    owner: Option<String>,
    is_constructor: bool,
    /// Whether it is called on an object that its parameters name.
    takes_object: bool,
    /// From its name to the end of its parameters.
    at: Range<usize>,
    /// All of it.
    item: Range<usize>,
    arity: Option<Arity>,
}

impl Function {
    fn is(&self, other: &Self) -> bool {
        (&self.name, &self.owner) == (&other.name, &other.owner)
    }
}

impl Native for CallersNotUpdated {
    fn name(&self) -> &'static str {
        "callers-not-updated"
    }

    fn languages(&self) -> &'static str {
        "Python, TypeScript, TSX, Go, Rust, C, Java, C#, Ruby, PHP"
    }

    fn is_about_changes(&self) -> bool {
        true
    }

    fn on_change(&self, change: &ChangedSides<'_>) -> Result<Vec<ChangePlace>, Unread> {
        let (Some(base), Some(head), Some(_)) = (change.base, change.head, change.callers) else {
            return Ok(Vec::new());
        };
        let is_known = head
            .language
            .is_some_and(|language| LANGUAGES.contains(&language.name));
        if !is_known {
            return Ok(Vec::new());
        }
        let new = functions(head);
        // A change that only adds lines alters a function only within a head of several lines. The
        // base is not parsed for any other one.
        let is_within = |function: &Function| {
            let first = head.line_of(function.at.start);
            change.lines.added.binary_search(&first).is_err()
                && is_touched(head, &function.at, change)
        };
        if change.lines.removed.is_empty() && !new.iter().any(is_within) {
            return Ok(Vec::new());
        }
        let old = functions(base);
        let mut places = takes_others(change, (base, head), &old, &new)?;
        places.extend(is_gone(change, (base, head), &old, &new)?);
        Ok(places)
    }
}

/// Returns findings about functions that now take another number of arguments than a call passes.
fn takes_others(
    change: &ChangedSides<'_>,
    (base, head): (&SideText, &SideText),
    old: &[Function],
    new: &[Function],
) -> Result<Vec<ChangePlace>, Unread> {
    let mut places = Vec::new();
    let language = head.language.map_or("", |language| language.name);
    for function in new {
        let Some(before) = only(old, function).filter(|_| only(new, function).is_some()) else {
            continue;
        };
        let Some((was, is)) = before.arity.zip(function.arity) else {
            continue;
        };
        // The callers are asked for only now: that searches the tree, and most changes alter no
        // list of parameters.
        let is_altered = is_touched(head, &function.at, change)
            || has_line(&change.lines.removed, base, &before.at);
        if was == is || !is_altered {
            continue;
        }
        let calls = calls_of(change, &function.name)?;
        let given = |call: &CallSite| {
            let behind = meant::call_of(call, function, head, new)?;
            let inside = lists::parentheses(&call.text, behind, language)?;
            parameters::given(&call.text[inside], language)
        };
        // A call that did not fit before either means another function.
        let is_stale = |given: &usize| was.takes(*given) && !is.takes(*given);
        let stale: Vec<(&CallSite, usize)> = calls
            .iter()
            .filter_map(|call| Some((call, given(call).filter(is_stale)?)))
            .collect();
        places.extend(stale_place(head, function, is, &stale));
    }
    Ok(places)
}

/// Returns the finding about a function with the calls that pass another number of arguments;
/// `None` without such calls.
fn stale_place(
    head: &SideText,
    function: &Function,
    is: Arity,
    stale: &[(&CallSite, usize)],
) -> Option<ChangePlace> {
    let (_, given) = stale.first()?;
    let line = head.line_of(function.at.start);
    let calls: Vec<&CallSite> = stale.iter().map(|(call, _)| *call).collect();
    let verb = if calls.len() == 1 { "gives" } else { "give" };
    Some(ChangePlace {
        lines: Some((line, line)),
        quote: head.line(line).trim().to_owned(),
        message: format!(
            "`{}` takes {} arguments now, and {} {verb} {given}",
            function.name,
            is.words(),
            named(&calls)
        ),
        symbol: function.name.clone(),
        severity: None,
    })
}

/// Returns findings about functions that are gone and that a call still means.
fn is_gone(
    change: &ChangedSides<'_>,
    (base, head): (&SideText, &SideText),
    old: &[Function],
    new: &[Function],
) -> Result<Vec<ChangePlace>, Unread> {
    let mut places = Vec::new();
    let Some(callers) = change.callers else {
        return Ok(places);
    };
    for function in old {
        // Another definition of the name in the file, such as one in another type, may be what the
        // calls mean.
        let is_kept = new.iter().any(|one| one.name == function.name);
        let line = base.line_of(function.at.start);
        let is_removed = change.lines.removed.binary_search(&line).is_ok();
        if is_kept || !is_removed || is_named_anew(change, &function.name) {
            continue;
        }
        // Another file may still define the name, and the calls may mean that one.
        if !callers.is_gone(change.number, &function.name)? {
            continue;
        }
        let calls = calls_of(change, &function.name)?;
        let left: Vec<&CallSite> = calls
            .iter()
            .filter(|call| meant::still_means(call, function, (base, head), new))
            .collect();
        if left.is_empty() {
            continue;
        }
        let verb = if left.len() == 1 { "calls" } else { "call" };
        places.push(ChangePlace {
            lines: None,
            quote: base.line(line).trim().to_owned(),
            message: format!(
                "`{}` is gone, and {} still {verb} it",
                function.name,
                named(&left)
            ),
            symbol: function.name.clone(),
            severity: None,
        });
    }
    Ok(places)
}

fn calls_of(change: &ChangedSides<'_>, name: &str) -> Result<Vec<CallSite>, Unread> {
    change
        .callers
        .map_or_else(|| Ok(Vec::new()), |callers| callers.of(change.number, name))
}

/// Reports whether an added line of the change has a name: it may be defined there in another way.
fn is_named_anew(change: &ChangedSides<'_>, name: &str) -> bool {
    let lines = change.diff.files.iter().flat_map(|file| &file.hunks);
    let mut added = lines
        .flat_map(|hunk| &hunk.lines)
        .filter(|line| line.kind == LineKind::Added);
    // The finder is made once for all lines of the change, most of which are shorter than the work
    // of making it.
    let finder = memchr::memmem::Finder::new(name.as_bytes());
    let has_it = |text: &str| finder.find(text.as_bytes()).is_some();
    added.any(|line| has_it(&line.text) && meant::whole_words(&line.text, name).next().is_some())
}

/// Returns the places of some calls, for a message.
fn named(calls: &[&CallSite]) -> String {
    let named: Vec<String> = calls
        .iter()
        .take(NAMED_MAX)
        .map(|call| format!("{}:{}", call.path, call.line))
        .collect();
    let more = match calls.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", named.join(", "))
}

/// Returns the only function of a name and an owner; `None` if there are several.
fn only<'f>(functions: &'f [Function], meant: &Function) -> Option<&'f Function> {
    let mut same = functions.iter().filter(|function| function.is(meant));
    same.next().filter(|_| same.next().is_none())
}

/// Reports whether the head of a function is on an added line, from its name to the end of its
/// parameters.
fn is_touched(head: &SideText, at: &Range<usize>, change: &ChangedSides<'_>) -> bool {
    has_line(&change.lines.added, head, at)
}

/// Reports whether some bytes of a side are on one of these lines, which are in order.
fn has_line(lines: &[u32], side: &SideText, at: &Range<usize>) -> bool {
    let (first, last) = (side.line_of(at.start), side.line_of(at.end));
    lines
        .get(lines.partition_point(|line| *line < first))
        .is_some_and(|line| *line <= last)
}

/// Returns the functions and methods of a side.
fn functions(side: &SideText) -> Vec<Function> {
    let Ok(Some(parsed)) = side.parse(&RuleLimits::default()) else {
        return Vec::new();
    };
    let language = side.language.map_or("", |language| language.name);
    let read = |(name, label): &(Range<usize>, grounds_syntax::Label)| {
        let kind = label.kind?;
        let owner = match kind {
            SymbolKind::Function => None,
            SymbolKind::Method | SymbolKind::Constructor => Some(label.containers.last().cloned()?),
            _ => return None,
        };
        // A method without parentheses is needed all the same: it shows which type a call is in.
        let inside = lists::parentheses(&side.text, name.end, language);
        let end = inside.as_ref().map_or(name.end, |inside| inside.end);
        let parts = inside.and_then(|inside| lists::parts(&side.text[inside], language));
        let first = parts.as_ref().and_then(|parts| parts.first());
        Some(Function {
            name: side.text[name.clone()].to_owned(),
            owner,
            is_constructor: kind == SymbolKind::Constructor,
            takes_object: first.is_some_and(|first| parameters::is_object(first, language)),
            at: name.start..end,
            item: label.item.clone(),
            arity: parameters::arity(parts, language),
        })
    };
    side.definitions(&parsed).iter().filter_map(read).collect()
}
