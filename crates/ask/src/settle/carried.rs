//! The message of an error: the text beside its name where it is raised, the constant that is given
//! there, or the text that its own definition has. No message that is put together elsewhere is
//! guessed.

use std::collections::BTreeSet;

use grounds_claims::Claim;
use grounds_evidence::ConfidenceLevel;
use grounds_repo::labels::LabelledPlace;

use super::subject::{ClaimSubject, resolve};
use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled, counted, effects, sites};
use crate::understand::tree::last_part;

/// The kind of a claim that asks for the message.
pub(crate) const KIND: &str = "message";
/// Limit on the messages of an answer.
const MESSAGES_MAX: usize = 4;
/// Parts of lines by which a definition gives its own message.
const OWN: &[&str] = &[
    "super(",
    "super().__init__(",
    "base(",
    "message",
    "parent::__construct(",
];

/// Decides which message an error carries.
pub(super) fn settle(error: &str, claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let subject = resolve(error, desk)?;
    let mut spots: BTreeSet<SettledSpot> = own(&subject, desk).into_iter().collect();
    let has_own = !spots.is_empty();
    for place in subject.known.uses() {
        let is_meant = !sites::is_test(place) && sites::in_scope(place, claim, &subject, desk)?;
        if is_meant && effects::raises_at(place, desk) {
            // The argument of an error with a text of its own need not be the message.
            match given_at(place, desk) {
                Err(unsettled) if !has_own => return Err(unsettled),
                given => spots.extend(given.ok().flatten()),
            }
        }
    }
    let spots: Vec<SettledSpot> = spots.into_iter().collect();
    if spots.is_empty() || spots.len() > MESSAGES_MAX {
        let count = counted(spots.len(), "place");
        let why = format!("the message of `{error}` is given in {count}");
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    }
    let told = format!(
        "The message of `{error}` is given in {}:",
        counted(spots.len(), "place")
    );
    let because = "told by the words of the lines";
    Ok(Settled::told(None, desk.section(told, &spots, 3)).at(ConfidenceLevel::Medium, because))
}

fn open(error: &str, place: &LabelledPlace) -> Unsettled {
    let why = format!("which message `{error}` carries is not written beside its name");
    Unsettled::unknown(why).with(&[sites::site(place)])
}

/// Returns the message that is given where an error is raised; `None` if it is raised without one.
///
/// # Errors
/// [`Unsettled`] if the argument is neither a text nor a constant with one definition.
fn given_at(place: &LabelledPlace, desk: &Desk<'_, '_>) -> Result<Option<SettledSpot>, Unsettled> {
    let (_, after) = effects::sides(place, desk);
    let after = after.trim().strip_prefix(".new").unwrap_or(after.trim());
    let Some(given) = after.strip_prefix(['(', ',', '{']) else {
        return Ok(None);
    };
    let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let next = text.lines().nth(place.line as usize).unwrap_or_default();
    // `raise Locked(` may have its message on the next line.
    let (given, line) = match given.trim() {
        "" => (next.trim(), place.line + 1),
        given => (given, place.line),
    };
    if given.starts_with([')', '}']) {
        return Ok(None);
    }
    if is_text(given) {
        return Ok(Some(SettledSpot::line(
            place.path.as_str(),
            line,
            "the message",
        )));
    }
    constant(given, desk)
        .map(Some)
        .ok_or_else(|| open(&place.name, place))
}

/// Reports whether an argument begins with a text: `"…"`, `f"…"`, `$"…"`, `format!("…")`.
fn is_text(given: &str) -> bool {
    const HEADS: &[&str] = &[
        "",
        "f",
        "r",
        "$",
        "@",
        "$@",
        "format!(",
        "fmt.Sprintf(",
        "message: ",
        "message=",
    ];
    HEADS.iter().any(|head| {
        given
            .strip_prefix(head)
            .is_some_and(|rest| rest.starts_with(['"', '\'', '`']))
    })
}

/// Returns the only definition of a constant that has a text: `LOCKED`, `Messages.Locked`.
fn constant(given: &str, desk: &Desk<'_, '_>) -> Option<SettledSpot> {
    let is_part = |letter: char| letter.is_alphanumeric() || "_.:".contains(letter);
    let end = given.find(|letter| !is_part(letter)).unwrap_or(given.len());
    let name = last_part(&given[..end]);
    // `raise Locked, TEXT if locked?` of Ruby has its condition after the arguments.
    let rest = given[end..].split(" if ").next().unwrap_or_default();
    let rest = rest.split(" unless ").next().unwrap_or_default().trim();
    let is_alone = rest.trim_end_matches([')', ';', ',', '}']).is_empty();
    let known = desk.tree.know(&[name]).remove(0);
    let mut places = known.definitions().filter(|place| !sites::is_test(place));
    let place = places
        .next()
        .filter(|_| is_alone && name.starts_with(char::is_uppercase))?;
    let line = effects::line_of(place, desk);
    let has_text = line
        .split_once('=')
        .is_some_and(|(_, value)| is_text(value.trim()));
    (places.next().is_none() && has_text)
        .then(|| SettledSpot::line(place.path.as_str(), place.line, "the message"))
}

/// Returns the lines in the definition of an error that give its own message.
fn own(subject: &ClaimSubject, desk: &Desk<'_, '_>) -> Vec<SettledSpot> {
    let mut spots = Vec::new();
    for place in subject
        .definitions
        .iter()
        .filter(|place| !sites::is_test(place))
    {
        let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let gives = |(line, text): &(u32, &str)| {
            let inside = (place.line..=place.line_end).contains(line);
            // The `thiserror` crate has the message in an attribute above the type.
            let is_above = *line + 1 == place.line && text.trim().starts_with("#[error(\"");
            let before = lines.get((*line as usize).wrapping_sub(2)).copied();
            let is_own = OWN.iter().any(|part| text.contains(part))
                || before.is_some_and(opens_own)
                || is_default(text);
            is_above || inside && is_own && text.contains(['"', '\'', '`'])
        };
        let lines = (1_u32..).zip(lines.iter().copied()).filter(gives);
        spots.extend(
            lines.map(|(line, _)| SettledSpot::line(place.path.as_str(), line, "the message")),
        );
    }
    spots
}

/// Reports whether the arguments of a call with the message begin on the next line.
fn opens_own(line: &str) -> bool {
    let line = line.trim_end();
    OWN.iter()
        .any(|part| part.ends_with('(') && line.ends_with(part))
}

/// Reports whether a line is the head of a constructor whose first parameter has a text as its
/// default.
fn is_default(line: &str) -> bool {
    const HEADS: &[&str] = &["def initialize(", "def __init__(", "constructor("];
    let Some(parameters) = HEADS.iter().find_map(|head| line.split_once(head)) else {
        return false;
    };
    let own = parameters.1.trim_start().trim_start_matches("self,");
    let first = own.split([',', ')']).next().unwrap_or_default();
    first
        .split_once('=')
        .is_some_and(|(_, value)| is_text(value.trim()))
}

#[cfg(test)]
mod tests {
    use super::{is_default, is_text};

    #[test]
    fn a_constructor_gives_its_first_parameter_a_text() {
        assert!(is_default(
            "    def initialize(text = 'no shelf', cause = nil)"
        ));
        assert!(is_default(
            "    def __init__(self, text: str = \"no shelf\"):"
        ));
        assert!(!is_default("    def initialize(shelf, text = 'no shelf')"));
        assert!(!is_default("    def describe(text = 'no shelf')"));
    }

    #[test]
    fn an_argument_begins_with_a_text() {
        for given in [
            "\"no shelf\")",
            "f\"no {name}\"",
            "$\"no {name}\");",
            "format!(\"no {name}\")",
        ] {
            assert!(is_text(given), "{given}");
        }
        for given in ["name)", "self.text(\"no shelf\")", "Text.of(name)"] {
            assert!(!is_text(given), "{given}");
        }
    }
}
