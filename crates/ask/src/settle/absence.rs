//! Decides when an absence may be concluded, and puts a scope into words.

use grounds_claims::{Claim, Tests};
use grounds_evidence::{MentionPlace as Mention, Relation};
use grounds_repo::labels::LabelledPlace;
use grounds_repo::role;
use grounds_repo::scope::{SearchScope, SkipReason};

use super::subject::ClaimSubject;
use super::{Desk, SettledSpot, Unsettled, composed, effects};
use crate::understand::scope::OWN_FILE;

/// Confirms that every place that could say otherwise was read, that no place may be a use, and
/// that no string may be put together to the name.
///
/// # Errors
/// [`Unsettled`] with the places that stay open.
pub(super) fn concluded(subject: &ClaimSubject, desk: &Desk<'_, '_>) -> Result<(), Unsettled> {
    all_labelled(subject, desk)?;
    composed::place_of(subject, desk)?.map_or(Ok(()), |spot| {
        let why = format!(
            "{}:{} puts a name together that may be `{}`",
            spot.path, spot.line, subject.text
        );
        Err(Unsettled::unknown(why).with(&[spot]))
    })
}

/// Confirms that every place that could say otherwise was read, and that no place may be a use.
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
            // Prose and data that no grammar reads mention a name, but do not use it.
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

/// Confirms that every place that could say otherwise was read.
///
/// # Errors
/// [`Unsettled`] with the first file that was not read.
pub(super) fn covered(subject: &ClaimSubject, desk: &Desk<'_, '_>) -> Result<(), Unsettled> {
    all_read(unread_for(subject, desk), subject)
}

/// Confirms the same for claims that another repository could refute too, such as one that
/// implements an interface of this one.
///
/// # Errors
/// [`Unsettled`] with the first file that was not read.
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

/// Returns what could say otherwise and was not read, in words; `None` if all was read. It includes
/// tracked files that are not on disk, and submodules.
pub(crate) fn unread(scope: &SearchScope, desk: &Desk<'_, '_>) -> Option<String> {
    first_unread(scope, desk, SkipReason::could_matter)
}

/// Returns the same for the uses of a name. A submodule that is not checked out does not use a name
/// of this tree: it is another repository, on which this one depends.
pub(super) fn unread_for(subject: &ClaimSubject, desk: &Desk<'_, '_>) -> Option<String> {
    let is_own = subject.is_defined();
    let matters =
        |reason: SkipReason| reason.could_matter() && !(is_own && reason == SkipReason::Submodule);
    first_unread(&subject.known.scope(), desk, matters)
}

/// Returns the same for the names in a body that was read.
pub(super) fn unread_in_files(scope: &SearchScope, desk: &Desk<'_, '_>) -> Option<String> {
    let matters = |reason: SkipReason| reason.could_matter() && reason != SkipReason::Submodule;
    first_unread(scope, desk, matters)
}

fn first_unread(
    scope: &SearchScope,
    desk: &Desk<'_, '_>,
    matters: impl Fn(SkipReason) -> bool,
) -> Option<String> {
    // The scope of a search has no files that are not on disk; git's list of tracked files has.
    let mut skipped = scope.skipped.iter().chain(&desk.tree.missing().skipped);
    let (reason, skipped) = skipped.find(|(reason, _)| matters(**reason))?;
    let why = reason.as_str().replace('_', " ");
    Some(match skipped.examples.first() {
        Some(example) => format!("{why}: `{example}`"),
        None => why,
    })
}

/// Returns the first string in code that is the name and nothing more:
/// `deserialize_with = "parse_size"`.
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

/// Returns the ways in which it may be used all the same.
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
    in_words_within(claim, &[])
}

/// Returns the same for a scope within other ones: " in `store` in `src`".
pub(super) fn in_words_within(claim: &Claim, around: &[String]) -> String {
    let scope = &claim.scope;
    let shown = |text: &String| match text == OWN_FILE {
        true => text.clone(),
        false => format!("`{text}`"),
    };
    let joined =
        |texts: &[String], joint: &str| texts.iter().map(shown).collect::<Vec<_>>().join(joint);
    let mut words = String::new();
    for texts in [scope.inside.as_slice(), around] {
        if !texts.is_empty() {
            words.push_str(&format!(" in {}", joined(texts, " or ")));
        }
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
