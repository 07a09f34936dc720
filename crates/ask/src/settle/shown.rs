//! Shows the text of a definition, or the lines around a line. Takes the name or `path:line`, and
//! cites the lines from disk, within named bounds.

use grounds_claims::{Claim, Quantifier};
use grounds_evidence::Relation;
use grounds_repo::labels::LabelledPlace;
use grounds_repo::outline::{self, Outlined};

use super::parts::one_file;
use super::subject::{definition_spot, resolve};
use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled, counted, sites};
use crate::understand::with_line;

/// Limit on the lines of one definition.
const LINES_MAX: u32 = 120;
/// Limit on the lines of a definition that is shown whole for one line in it.
const AROUND_LINES_MAX: u32 = 60;
/// Lines that are shown before and after a line, in a longer definition or outside of one.
const BESIDE_LINES: u32 = 10;
/// Definitions of one name that are shown.
const DEFINITIONS_MAX: usize = 3;

/// Shows the text that a claim asks for.
pub(super) fn settle(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let (Some(text), None) = (claim.text(0), claim.text(1)) else {
        return Err(Unsettled::unknown(
            "the text of something is asked for as `body(\"NAME\", _)`",
        ));
    };
    if claim.quantifier != Quantifier::Some || claim.is_negated {
        return Err(Unsettled::unknown(
            "a text is shown, and neither counted nor denied",
        ));
    }
    let spots = match with_line(text) {
        (path, Some(line)) => vec![around(path, line, desk)?],
        (_, None) => definitions(text, claim, desk)?,
    };
    let told = match spots.len() {
        1 => format!("The text of `{text}`:"),
        all if all > DEFINITIONS_MAX => format!(
            "`{text}` has {}; the text of the first {DEFINITIONS_MAX}:",
            counted(all, "definition")
        ),
        all => format!(
            "The text of the {} of `{text}`:",
            counted(all, "definition")
        ),
    };
    let shown = &spots[..spots.len().min(DEFINITIONS_MAX)];
    let mut section = desk.section(told, shown, LINES_MAX);
    section.more = (spots.len() - shown.len()) as u64;
    Ok(Settled::told(None, section))
}

/// Returns the definitions of a name in the scope of a claim; those in tests last.
fn definitions(
    text: &str,
    claim: &Claim,
    desk: &Desk<'_, '_>,
) -> Result<Vec<SettledSpot>, Unsettled> {
    let subject = resolve(text, desk)?;
    let mut kept: Vec<&LabelledPlace> = Vec::new();
    let defined = |place: &&LabelledPlace| place.relation == Relation::Defines;
    for place in subject.definitions.iter().filter(defined) {
        if sites::in_scope(place, claim, &subject, desk)? {
            kept.push(place);
        }
    }
    kept.sort_by_key(|place| sites::is_test(place));
    if kept.is_empty() {
        return Err(Unsettled {
            is_absent: true,
            ..Unsettled::unknown(format!("`{text}` occurs, and is not defined there"))
                .with(&subject.spots())
        });
    }
    Ok(kept.into_iter().map(definition_spot).collect())
}

/// Returns the innermost definition around a line, whole if it is short, else the lines beside it.
fn around(path: &str, line: u32, desk: &Desk<'_, '_>) -> Result<SettledSpot, Unsettled> {
    let file = one_file(path, desk)?;
    let lines = desk
        .tree
        .text(file.as_str())
        .unwrap_or_default()
        .lines()
        .count();
    let lines = u32::try_from(lines).unwrap_or(u32::MAX);
    if !(1..=lines).contains(&line) {
        return Err(Unsettled::absent(
            format!(
                "`{}` has {}",
                file.as_str(),
                counted(lines as usize, "line")
            ),
            &[],
        ));
    }
    let outline = outline::of_file(desk.tree.checkout, file, &desk.tree.limits).unwrap_or_default();
    let holding = |item: &&Outlined| item.line <= line && line <= item.line_end;
    let innermost = outline
        .iter()
        .filter(holding)
        // The innermost definition begins last; of those that begin on one line, it ends first.
        .max_by_key(|item| (item.line, std::cmp::Reverse(item.line_end)));
    let (first, last) = innermost.map_or((1, lines), |item| (item.line, item.line_end.min(lines)));
    let is_short = innermost.is_some() && last - first < AROUND_LINES_MAX;
    let what = innermost.map_or(String::new(), |item| {
        let kind = item.kind.map_or("definition", |kind| kind.as_str());
        format!("in the {kind} `{}`, lines {first} to {last}", item.name)
    });
    let (line, line_end) = match is_short {
        true => (first, last),
        false => (
            first.max(line.saturating_sub(BESIDE_LINES)),
            last.min(line.saturating_add(BESIDE_LINES)),
        ),
    };
    Ok(SettledSpot {
        path: file.as_str().to_owned(),
        line,
        line_end,
        what,
    })
}
