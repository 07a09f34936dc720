//! Locate: where the target is, with all its places.

use grounds_evidence::{EvidenceClass, QuestionTarget, Relation};

use super::project;
use crate::answer::citation::{AnswerCitation, on_one_line};
use crate::answer::{AnswerDesk, AnswerSection, places};

pub(super) fn write(desk: &mut AnswerDesk<'_, '_>) -> Vec<AnswerSection> {
    let question = desk.question;
    question
        .goal
        .targets
        .iter()
        .enumerate()
        .map(|(number, target)| of_target(desk, number, target))
        .collect()
}

/// Shows where one target is.
pub(in crate::answer) fn of_target(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    target: &QuestionTarget,
) -> AnswerSection {
    if target.text == "." {
        return project::describe(desk);
    }
    let is_partial = desk
        .bench
        .scope()
        .skipped
        .keys()
        .any(|reason| reason.is_of_a_candidate());
    let known = places::known(desk, number);
    let citations = places::cite_target(desk, target, &known);
    describe(desk, target, citations, is_partial)
}

/// Returns one sentence and the places: how they relate to the target.
fn describe(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    citations: Vec<AnswerCitation>,
    is_partial: bool,
) -> AnswerSection {
    // The reader has to know that a name from a model led here, before any place is read.
    let mut names = places::read_through(desk.ledger, target)
        .map(|name| format!("`{}`", on_one_line(name)))
        .peekable();
    if names.peek().is_some() {
        let names = names.collect::<Vec<_>>().join(", ");
        let target = on_one_line(&target.text);
        let text = format!(
            "`{target}` was found through a name that a model proposed, {names}; its code contains \
                 the words of the question:"
        );
        return AnswerSection {
            text,
            citations,
            ..AnswerSection::default()
        };
    }
    let about = || desk.ledger.about(EvidenceClass::FileSearch, &target.text);
    // Of equally rated entries, the first one counts.
    let best = about().max_by_key(|(id, entry)| (entry.rating(), std::cmp::Reverse(*id)));
    let Some((_, best)) = best else {
        return AnswerSection {
            citations,
            ..AnswerSection::default()
        };
    };
    let verb = match best.observation.relation {
        Relation::Defines => "is defined in",
        Relation::Declares => "is declared in",
        Relation::Binds => "is a local name in",
        Relation::Calls => "is called in",
        Relation::Inherits => "is extended or implemented in",
        Relation::References => "is used in",
        Relation::Imports => "is imported in",
        Relation::NamedByFile => "is here",
        Relation::Mentions(_) | Relation::Unlabelled => "occurs in",
    };
    let count = best.observation.match_count.max(citations.len() as u64);
    let places = match (count, is_partial) {
        (1, false) => String::new(),
        (count, false) => format!(" {count} places"),
        (count, true) => format!(" at least {count} places (a bound was reached, see the scope)"),
    };
    let more = count.saturating_sub(citations.len() as u64);
    AnswerSection {
        text: format!("`{}` {verb}{places}:", on_one_line(&target.text)),
        citations,
        more,
        ..AnswerSection::default()
    }
}
