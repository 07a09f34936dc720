//! Lists what a definition calls, in the order of its text, with counts. By name only: the meaning
//! of a name at that place is not resolved.

use grounds_evidence::{ObservationSource, QuestionTarget, Relation};
use grounds_repo::labels::LabelledPlace;
use grounds_repo::outline::{self, Called};

use super::locate;
use crate::answer::citation::on_one_line;
use crate::answer::{AnswerCitation, AnswerDesk, AnswerSection, PlaceForm, places};

/// Calls that are cited for one target.
const CITED_MAX: usize = 20;
/// Maximum number of definitions of one name whose calls are listed.
const DEFINITIONS_MAX: usize = 12;

pub(super) fn of_target(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    target: &QuestionTarget,
) -> Vec<AnswerSection> {
    let mut sections = vec![locate::of_target(desk, number, target)];
    let known = places::known(desk, number);
    let definitions: Vec<&LabelledPlace> = known
        .iter()
        .filter(|place| place.relation == Relation::Defines)
        .take(DEFINITIONS_MAX)
        .collect();
    // Overloads and namesakes call different things, so each has its own section.
    let is_one = definitions.len() < 2;
    let of_each = definitions
        .into_iter()
        .filter_map(|place| of_definition(desk, target, place, is_one));
    sections.extend(of_each);
    sections
}

/// Lists what the best definition of a target calls, or returns `None` if it has no definition or
/// calls nothing.
pub(super) fn section(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    target: &QuestionTarget,
) -> Option<AnswerSection> {
    let known = places::known(desk, number);
    let place = known
        .iter()
        .find(|place| place.relation == Relation::Defines)?;
    of_definition(desk, target, place, true)
}

/// Lists what one definition calls; the title names its place if there are several definitions.
fn of_definition(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    place: &LabelledPlace,
    is_one: bool,
) -> Option<AnswerSection> {
    let called = outline::calls(
        desk.bench.checkout,
        &place.path,
        place.line,
        place.line_end,
        desk.bench.limits,
    )?;
    let citations: Vec<AnswerCitation> = called
        .iter()
        .take(CITED_MAX)
        .map(|call| cite(desk, target, place, call))
        .collect();
    let more = called.len().saturating_sub(citations.len()) as u64;
    let calls: u64 = called.iter().map(|call| call.count).sum();
    let text = format!(
        "{calls} calls of {} names, in the order of the first call:",
        called.len()
    );
    let at = if is_one {
        String::new()
    } else {
        format!(" at {}:{}", on_one_line(place.path.as_str()), place.line)
    };
    let title = format!("What it calls (`{}`{at})", on_one_line(&target.text));
    (!called.is_empty()).then_some(AnswerSection {
        title,
        text,
        citations,
        more,
        shown: PlaceForm::ByFile,
    })
}

fn cite(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    place: &LabelledPlace,
    call: &Called,
) -> AnswerCitation {
    let path = place.path.as_str().to_owned();
    let item = ObservationSource {
        path: path.clone(),
        line_start: place.line,
        line_end: place.line_end,
    };
    let line = ObservationSource {
        path,
        line_start: call.line,
        line_end: call.line,
    };
    let times = if call.count == 1 {
        String::new()
    } else {
        format!(", {} times", call.count)
    };
    let cited = places::cite(desk, target, &line, &[], 1);
    AnswerCitation {
        what: format!("calls `{}`{times}", on_one_line(&call.name)),
        evidence: places::evidence_at(desk.ledger, &target.text, &item),
        ..cited
    }
}
