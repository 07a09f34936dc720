//! Uses of a member's name whose owner the text does not decide: listed separately, never in the
//! answer.

use grounds_evidence::{ObservationSource, QuestionTarget};

use crate::answer::citation::on_one_line;
use crate::answer::{AnswerCitation, AnswerDesk, AnswerSection, PlaceForm, places};

/// Open uses that are cited.
const CITED_MAX: usize = 20;

/// Describes the uses that are not in the answer, or returns an empty text if uses were not
/// resolved by their owner.
pub(super) fn sentence(desk: &AnswerDesk<'_, '_>, number: usize) -> String {
    let Some(uses) = desk.bench.uses_by_owner(number) else {
        return String::new();
    };
    let mut text = String::new();
    if !uses.open.is_empty() {
        text += &format!(
            " {} more that the text does not decide {} listed apart.",
            sites(uses.open.len() as u64),
            if uses.open.len() == 1 { "is" } else { "are" }
        );
    }
    if uses.others > 0 {
        text += &format!(
            " {} of the same name {} resolved to something else.",
            sites(uses.others),
            if uses.others == 1 { "is" } else { "are" }
        );
    }
    if !uses.bounds.is_empty() {
        text += &format!(
            " Not every file was read for this ({}).",
            uses.bounds.join(", ")
        );
    }
    text
}

fn sites(count: u64) -> String {
    if count == 1 {
        "1 site".to_owned()
    } else {
        format!("{count} sites")
    }
}

/// Lists the uses that the text does not decide and why, or returns `None` if every use is decided.
pub(super) fn section(
    desk: &AnswerDesk<'_, '_>,
    number: usize,
    target: &QuestionTarget,
) -> Option<AnswerSection> {
    let uses = desk.bench.uses_by_owner(number)?;
    let cite = |(place, reason): &(grounds_repo::labels::LabelledPlace, String)| {
        let source = ObservationSource {
            path: place.path.as_str().to_owned(),
            line_start: place.line,
            line_end: place.line,
        };
        let cited = places::cite(desk, target, &source, std::slice::from_ref(place), 1);
        AnswerCitation {
            what: format!("{}: {}", cited.what, on_one_line(reason)),
            ..cited
        }
    };
    let citations: Vec<AnswerCitation> = uses.open.iter().take(CITED_MAX).map(cite).collect();
    let more = (uses.open.len() - citations.len()) as u64;
    (!citations.is_empty()).then(|| AnswerSection {
        title: format!(
            "{} more that the text does not decide (`{}`)",
            sites(uses.open.len() as u64),
            on_one_line(&target.text)
        ),
        text: "A compiler's index (`--index`) would tell whose they are.".to_owned(),
        citations,
        more,
        shown: PlaceForm::ByFile,
    })
}
