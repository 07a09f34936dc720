//! Sentences → statements about code → verdicts.
//!
//! A predicate is one file with the frames of words that state it and the way to decide it, and one
//! line in the list of them. A statement is contradicted only if the tree has its subject and shows
//! something else. Sentences that no frame recognises are ignored.

mod added;
mod amount;
mod calls;
mod cases;
mod ci;
mod count;
mod defines;
mod dependency;
mod dependency_kind;
mod deprecated;
mod entry;
mod exists;
mod exported;
mod extends;
mod flag_value;
mod folder;
mod frame;
mod has_member;
mod imports;
mod kind;
mod member;
mod modifier;
mod only;
mod packaged;
mod parameter;
mod partial;
mod placed;
mod reads;
mod released;
mod removed;
mod returns;
mod sets;
mod signature;
mod simple;
mod target;
mod toolchain;
mod unused;
mod uses;
mod value;
mod visibility;

use std::collections::BTreeSet;

pub(crate) use frame::Arguments;
use frame::Frames;

use crate::change::ChangeStatement;
use crate::claim::{TextClaim, ThingKind};
use crate::code::Code;
use crate::extract::NumberedSentence;
use crate::mention::MentionContext;
use crate::verdict::{ClaimVerdict, Evidence};

/// A kind of statement.
pub(crate) struct Predicate {
    /// Its name, as in `defines(src/a.rs, A)`.
    pub(crate) name: &'static str,
    /// The words that state it: `{a}` and `{b}` are names, `{n}` is a number, `{v}` a value.
    pub(crate) frames: &'static [&'static str],
    /// Words of code that are looked up beside the names themselves.
    pub(crate) words: fn(&Arguments) -> Vec<String>,
    /// Decides it, as it is said without "not".
    pub(crate) decide: fn(&Arguments, &Code<'_, '_>) -> ClaimVerdict,
}

/// Every predicate; the first whose frame fits a clause states it.
const ALL: &[&Predicate] = &[
    &packaged::PACKAGED,
    &target::TARGET,
    &removed::REMOVED,
    &removed::RENAMED,
    &added::ADDED,
    &exported::EXPORTED,
    &deprecated::DEPRECATED,
    &only::ONLY,
    &unused::UNUSED,
    &unused::UNUSED_IN,
    &defines::DEFINES,
    &has_member::HAS_MEMBER,
    &extends::EXTENDS,
    &dependency::VERSION,
    &imports::IMPORTS,
    &dependency::DEPENDENCY,
    &parameter::PARAMETER,
    &entry::ENTRY,
    &entry::LISTED,
    &value::VALUE,
    &sets::SETS,
    &value::SWITCH,
    &kind::KIND,
    &released::RELEASED,
    &signature::VARIADIC,
    &visibility::VISIBILITY,
    &reads::READS,
    &reads::READ_FROM,
    &returns::RETURNS_NOTHING,
    &returns::RETURNS,
    &uses::USES,
    &uses::SUBCLASSES,
    &count::COUNT,
    &count::VARIANTS,
    &ci::ONLY,
    &ci::WORKFLOW,
    &ci::RUNS,
    &ci::TESTS,
    &toolchain::TOOLCHAIN,
    &calls::CALLS,
    &calls::CALLED_BY,
    &exists::FLAG,
    &exists::EXISTS,
    &placed::PLACED,
    &member::OWN,
];

/// Predicates about what the type in their first place inherits.
const BY_BASES: &[&str] = &["extends", "has_member", "has_own"];

/// The predicate of statements about a change.
const CHANGE: &str = "change";

/// Predicates that something missing from the tree contradicts.
const BY_ABSENCE: &[&str] = &[
    "ci_runs",
    "ci_tests",
    "count",
    "dependency",
    "deprecated",
    "exists",
    "extends",
    "flag",
    "has_member",
    "has_own",
    "listed",
    "renamed",
    "subclasses",
    "target",
    "uses_count",
    "workflow_on",
];
/// Predicates that another value contradicts. Another place of a definition does so only in a text
/// that is not of the tree: documents say "is in" of much that is not defined there.
const BY_PRESENCE: &[&str] = &["dependency_version", "minimum", "parameter_default"];
/// Predicates that the value of a constant contradicts.
const BY_CONSTANT: &[&str] = &["default", "switched"];
/// Predicates that hold because something is missing from the tree.
const HOLDS_BY_ABSENCE: &[&str] = &["count", "only", "removed", "unused"];

/// Predicates that need more than the files that were read: the whole tree, its history or a
/// package.
const BY_MORE_THAN_FILES: &[&str] = &[
    "added",
    "count",
    "only",
    "packaged",
    "released",
    "removed",
    "renamed",
    "subclasses",
    "unused",
    "unused_in",
    "uses_count",
];

/// Predicates that a place or a time before them limits.
const LIMITED: &[&str] = &[
    "count",
    "default",
    "only",
    "removed",
    "sets",
    "switched",
    "unused",
    "unused_in",
    "uses_count",
];

/// A sentence that states something about code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    predicate: &'static str,
    arguments: Arguments,
    /// What it states of a change, or `None` if it is about the tree.
    change: Option<ChangeStatement>,
    /// Whether its sentence says more of it, such as a condition, which is not decided.
    is_partial: bool,
}

/// Returns the statements of a sentence.
pub(crate) fn claims(sentence: &NumberedSentence) -> Vec<TextClaim> {
    let mut all = Vec::new();
    let (words, has_condition) = partial::without_condition(&sentence.words);
    if frame::is_plain(words) {
        all = of_plain(words, sentence);
    }
    if has_condition {
        all.retain(|one| partial::is_conditional(one.predicate));
        all.iter_mut().for_each(|one| one.is_partial = true);
    }
    let placed = placed::read(sentence).into_iter();
    let members = member::read(sentence).into_iter();
    let of = |predicate: &'static Predicate| {
        move |arguments| Statement {
            predicate: predicate.name,
            arguments,
            change: None,
            is_partial: false,
        }
    };
    all.extend(placed.map(of(&placed::PLACED)));
    all.extend(members.map(of(&member::OWN)));
    // Several readers may find the same statement, which is decided once.
    without_parameters(&mut all);
    let mut written = BTreeSet::new();
    all.retain(|statement| written.insert(statement.written()));
    all.into_iter()
        .map(|statement| claim(statement, sentence))
        .collect()
}

/// Returns the statements of words that tell how things are.
fn of_plain(words: &str, sentence: &NumberedSentence) -> Vec<Statement> {
    let clauses = frame::clauses(words);
    let read = clauses
        .iter()
        .filter_map(|clause| of_clause(clause, sentence));
    let mut all: Vec<Statement> = read.collect();
    // Simplified clauses come second, and only with what the sentence as it is written did not
    // state.
    for plain in simple::clauses(words) {
        let read = of_clause(&plain.words, sentence).map(|mut one| {
            one.is_partial |= plain.is_limited && partial::is_conditional(one.predicate);
            one
        });
        // Without its condition, "Under load, «0» is never called" would be about every case.
        let read = read.filter(|one| !(plain.is_limited && LIMITED.contains(&one.predicate)));
        // A path is a claim of its own.
        let read = read.filter(|one| one.predicate != exists::EXISTS.name);
        let read = read.filter(|one| !all.iter().any(|known| known.says_more_than(one)));
        all.extend(read);
    }
    all
}

/// Removes the statements that give a parameter's default as that of a name: they say nothing of
/// other things with its name.
fn without_parameters(all: &mut Vec<Statement>) {
    let of_functions = all
        .iter()
        .filter(|one| one.predicate == parameter::PARAMETER.name);
    let parameters: BTreeSet<String> = of_functions
        .map(|one| one.arguments.get("b").to_owned())
        .collect();
    all.retain(|one| {
        one.predicate != value::VALUE.name || !parameters.contains(one.arguments.get("a"))
    });
}

fn of_clause(clause: &str, sentence: &NumberedSentence) -> Option<Statement> {
    ALL.iter().find_map(|predicate| {
        let mut arguments = Frames::of(predicate).read(clause, &sentence.names)?;
        arguments.is_all &= clause.trim() == sentence.words.trim();
        Some(Statement {
            predicate: predicate.name,
            is_partial: partial::is_partial(predicate.name, &arguments, &sentence.words),
            arguments,
            change: None,
        })
    })
}

fn claim(statement: Statement, sentence: &NumberedSentence) -> TextClaim {
    TextClaim {
        kind: ThingKind::Statement,
        name: statement.written(),
        owners: Vec::new(),
        detail: None,
        start: sentence.place.start,
        end: sentence.place.end,
        context: MentionContext::Prose,
        headings: sentence.headings.clone(),
        around: sentence.words.clone(),
        linked: None,
        statement: Some(statement),
    }
}

impl Statement {
    /// Returns a statement about a change.
    pub(crate) fn of_change(said: ChangeStatement) -> Self {
        Self {
            predicate: CHANGE,
            arguments: Arguments::default(),
            change: Some(said),
            is_partial: false,
        }
    }

    /// Its form as a claim: `calls(A, B)`, `not calls(A, B)`.
    pub fn written(&self) -> String {
        if let Some(said) = &self.change {
            return said.written();
        }
        let not = if self.arguments.is_negated {
            "not "
        } else {
            ""
        };
        format!("{not}{}({})", self.predicate, self.arguments.written())
    }

    /// Reports whether it states the same with one argument more.
    fn says_more_than(&self, other: &Self) -> bool {
        let written = other.written();
        let begin = written.trim_end_matches(')');
        self.written()
            .strip_prefix(begin)
            .is_some_and(|rest| rest.starts_with(", "))
    }

    /// Reports whether it holds as long as the files that showed it do not change.
    pub(crate) fn rests_on_files(&self) -> bool {
        let is_more = BY_MORE_THAN_FILES.contains(&self.predicate);
        self.change.is_none() && !self.arguments.is_negated && !is_more
    }

    /// Reports whether its sentence states nothing else.
    pub const fn is_whole_sentence(&self) -> bool {
        self.arguments.is_all
    }

    /// Reports whether it is about a version. A sentence seldom tells of which release, package or
    /// part.
    pub(crate) fn is_of_version(&self) -> bool {
        matches!(self.predicate, "dependency_version" | "minimum")
    }

    /// Returns the type whose bases decide it, or `None` if its bases do not matter.
    pub(crate) fn inheriting(&self) -> Option<&str> {
        let inherits = BY_BASES.contains(&self.predicate);
        let (_, name) = self.arguments.symbol("a").filter(|_| inherits)?;
        Some(name)
    }

    /// Returns the words of code that decide it.
    pub(crate) fn words(&self) -> BTreeSet<String> {
        if let Some(said) = &self.change {
            return said.words();
        }
        let more = (self.predicate().words)(&self.arguments);
        self.arguments.words().into_iter().chain(more).collect()
    }

    /// Decides it.
    pub(crate) fn decide(&self, code: &Code<'_, '_>) -> ClaimVerdict {
        if let Some(said) = &self.change {
            return match code.change {
                Some(change) => said.decide(change, code),
                None => unknown("no base is named"),
            };
        }
        let verdict = (self.predicate().decide)(&self.arguments, code);
        let was_read = !code
            .facts
            .scope
            .skipped
            .keys()
            .any(|reason| reason.could_matter());
        match verdict {
            // What was not read could hold what is said to be nowhere.
            ClaimVerdict::Contradicted { .. }
                if !was_read && BY_ABSENCE.contains(&self.predicate) =>
            {
                ClaimVerdict::Unknown("not all of the tree was read".to_owned())
            }
            ClaimVerdict::Holds(_) if !was_read && HOLDS_BY_ABSENCE.contains(&self.predicate) => {
                ClaimVerdict::Unknown("not all of the tree was read".to_owned())
            }
            // "`a` calls `b` twice" is more than that it calls it. That it does not is enough to
            // contradict.
            ClaimVerdict::Holds(_) if self.is_partial => {
                ClaimVerdict::Unknown("the rest of the sentence is not decided".to_owned())
            }
            ClaimVerdict::Holds(evidence) if self.arguments.is_negated => {
                ClaimVerdict::Contradicted {
                    instead: format!("{} holds", self.written().trim_start_matches("not ")),
                    closest: None,
                    evidence: vec![evidence],
                }
            }
            // Without a place that shows it, that something is missing proves nothing.
            ClaimVerdict::Contradicted { evidence, .. } if self.arguments.is_negated => {
                evidence.into_iter().next().map_or_else(
                    || ClaimVerdict::Unknown("nothing shows that it is not so".to_owned()),
                    ClaimVerdict::Holds,
                )
            }
            verdict => verdict,
        }
    }

    /// Reports whether another value or place in the tree is what contradicts it. A value that is
    /// assigned to a name other than a constant may be another thing than its default.
    pub(crate) fn is_by_presence(&self) -> bool {
        let name = self.arguments.symbol("a").map_or("", |(_, name)| name);
        // `LIMIT` is written once; what is assigned to `snap_count` may be a value of many.
        let is_constant = !name.contains(char::is_lowercase);
        BY_PRESENCE.contains(&self.predicate)
            || (BY_CONSTANT.contains(&self.predicate) && is_constant)
    }

    fn predicate(&self) -> &'static Predicate {
        ALL.iter()
            .find(|predicate| predicate.name == self.predicate)
            .expect("a statement is made of a predicate of the list")
    }
}

/// Returns the verdict that the tree shows something else, with up to three places.
fn contradicted(instead: String, evidence: impl IntoIterator<Item = Evidence>) -> ClaimVerdict {
    ClaimVerdict::Contradicted {
        instead,
        closest: None,
        evidence: evidence.into_iter().take(3).collect(),
    }
}

/// Returns the verdict that it could not be decided, with the reason.
fn unknown(reason: impl Into<String>) -> ClaimVerdict {
    ClaimVerdict::Unknown(reason.into())
}

/// Returns a place of a file.
pub(crate) fn at(path: &str, line: usize, text: &str) -> Evidence {
    Evidence::Place {
        path: path.to_owned(),
        line: u32::try_from(line).ok().filter(|line| *line > 0),
        text: text.trim().to_owned(),
    }
}

/// The first line of a file for which a test holds, as evidence.
fn line_where(path: &str, text: &str, test: impl Fn(&str) -> bool) -> Option<Evidence> {
    let found = text.lines().enumerate().find(|(_, line)| test(line));
    found.map(|(number, line)| at(path, number + 1, line))
}

/// Returns no words, for predicates that need only the names themselves.
fn no_words(_: &Arguments) -> Vec<String> {
    Vec::new()
}
