//! When an absence may be concluded, and how a scope reads in words.

use grounds_claims::{Claim, Tests};
use grounds_evidence::{MentionPlace as Mention, Relation};
use grounds_repo::labels::LabelledPlace;
use grounds_repo::role;
use grounds_repo::scope::{SearchScope, SkipReason};

use super::subject::ClaimSubject;
use super::{Desk, SettledSpot, Unsettled, composed, effects};
use crate::understand::scope::OWN_FILE;

/// Whether every place that could say otherwise was read, none could be a use, and no string could be put together to
/// the name.
///
/// # Errors
/// [`Unsettled`] with the places that stay open.
pub(super) fn concluded(subject: &ClaimSubject, desk: &Desk<'_, '_>) -> Result<(), Unsettled> {
    all_labelled(subject, desk)?;
    composed::place_of(subject, desk).map_or(Ok(()), |spot| {
        let why = format!(
            "{}:{} puts a name together that may be `{}`",
            spot.path, spot.line, subject.text
        );
        Err(Unsettled::unknown(why).with(&[spot]))
    })
}

/// Whether every place that could say otherwise was read, and none could be a use.
///
/// # Errors
/// [`Unsettled`] with the places that stay open.
pub(super) fn all_labelled(subject: &ClaimSubject, desk: &Desk<'_, '_>) -> Result<(), Unsettled> {
    covered(subject, desk)?;
    let open: Vec<SettledSpot> = subject
        .known
        .places()
        .iter()
        .filter(|place| {
            place.relation == Relation::Unlabelled && role::is_code(place.role, &place.path)
        })
        .map(|place| {
            SettledSpot::line(
                place.path.as_str(),
                place.line,
                "the name occurs here, in text that no grammar reads",
            )
        })
        .collect();
    if open.is_empty() {
        return Ok(());
    }
    Err(Unsettled::unknown(format!(
        "`{}` occurs in text that no grammar reads",
        subject.text
    ))
    .with(&open))
}

/// Whether every place that could say otherwise was read.
///
/// # Errors
/// [`Unsettled`] with the first of what was not.
pub(super) fn covered(subject: &ClaimSubject, desk: &Desk<'_, '_>) -> Result<(), Unsettled> {
    all_read(unread_for(subject, desk), subject)
}

/// The same where another repository could say otherwise too, as one that implements an interface of this one.
///
/// # Errors
/// [`Unsettled`] with the first of what was not.
pub(super) fn covered_wholly(subject: &ClaimSubject, desk: &Desk<'_, '_>) -> Result<(), Unsettled> {
    all_read(unread(&subject.known.scope(), desk), subject)
}

fn all_read(unread: Option<String>, subject: &ClaimSubject) -> Result<(), Unsettled> {
    unread.map_or(Ok(()), |unread| {
        Err(Unsettled::unknown(format!(
            "not every file that could use `{}` was read ({unread})",
            subject.text
        )))
    })
}

/// What of the checkout could say otherwise and was not read, with what git tracks and the submodules that
/// belong to it, in words; `None` if all was read.
pub(crate) fn unread(scope: &SearchScope, desk: &Desk<'_, '_>) -> Option<String> {
    first_unread(scope, desk, SkipReason::could_matter)
}

/// The same for the uses of a name. What the tree defines is not used by a submodule that is not checked out:
/// that is another repository, on which this one depends.
pub(super) fn unread_for(subject: &ClaimSubject, desk: &Desk<'_, '_>) -> Option<String> {
    let is_own = subject.is_defined();
    let matters =
        |reason: SkipReason| reason.could_matter() && !(is_own && reason == SkipReason::Submodule);
    first_unread(&subject.known.scope(), desk, matters)
}

/// The same for what a body that was read names.
pub(super) fn unread_in_files(scope: &SearchScope, desk: &Desk<'_, '_>) -> Option<String> {
    let matters = |reason: SkipReason| reason.could_matter() && reason != SkipReason::Submodule;
    first_unread(scope, desk, matters)
}

fn first_unread(
    scope: &SearchScope,
    desk: &Desk<'_, '_>,
    matters: impl Fn(SkipReason) -> bool,
) -> Option<String> {
    let mut skipped = scope.skipped.iter().chain(&desk.tree.missing().skipped);
    let (reason, skipped) = skipped.find(|(reason, _)| matters(**reason))?;
    let why = reason.as_str().replace('_', " ");
    Some(match skipped.examples.first() {
        Some(example) => format!("{why}: `{example}`"),
        None => why,
    })
}

/// The first string in code that is the name and nothing more: `deserialize_with = "parse_size"`.
pub(super) fn whole_string<'s>(
    subject: &'s ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Option<&'s LabelledPlace> {
    let is_whole = |place: &&LabelledPlace| {
        let (before, after) = effects::sides(place, desk);
        let is_quote = |letter: char| matches!(letter, '"' | '\'' | '`');
        place.relation == Relation::Mentions(Mention::String)
            && role::is_code(place.role, &place.path)
            && before.ends_with(is_quote)
            && after.starts_with(is_quote)
    };
    subject.known.places().iter().find(is_whole)
}

/// The ways in which it could be used all the same.
pub(super) fn ways_left(subject: &ClaimSubject, desk: &Desk<'_, '_>) -> String {
    let in_strings = subject
        .known
        .places()
        .iter()
        .filter(|place| place.relation == Relation::Mentions(Mention::String))
        .count();
    let strings = if in_strings > 0 {
        format!(" Its name occurs in {in_strings} string(s).")
    } else {
        String::new()
    };
    let missing = &desk.tree.missing().skipped;
    let modules = missing.get(&SkipReason::Submodule);
    let module = modules
        .and_then(|skipped| skipped.examples.first())
        .map_or_else(String::new, |module| {
            format!("the submodule `{module}`, which is not checked out, ")
        });
    format!(
        "{strings} Not seen from here: {module}other repositories, and names put together while the program runs."
    )
}

/// ", outside of tests", ", in `lib`".
pub(super) fn in_words(claim: &Claim) -> String {
    let scope = &claim.scope;
    let shown = |text: &String| match text == OWN_FILE {
        true => text.clone(),
        false => format!("`{text}`"),
    };
    let joined =
        |texts: &[String], joint: &str| texts.iter().map(shown).collect::<Vec<_>>().join(joint);
    let mut words = String::new();
    if !scope.inside.is_empty() {
        words.push_str(&format!(" in {}", joined(&scope.inside, " or ")));
    }
    if !scope.outside.is_empty() {
        words.push_str(&format!(" outside of {}", joined(&scope.outside, " and ")));
    }
    match scope.tests {
        Tests::Count => {}
        Tests::Outside => words.push_str(" outside of tests"),
        Tests::Inside => words.push_str(" in tests"),
    }
    words
}

/// Returns the scope after a negation, or "anywhere in the tree" for a claim without a scope.
pub(super) fn place(claim: &Claim) -> String {
    let words = in_words(claim);
    if words.is_empty() {
        "anywhere in the tree".to_owned()
    } else {
        words.trim_start().to_owned()
    }
}
