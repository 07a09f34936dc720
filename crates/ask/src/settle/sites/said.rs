//! The answers about sites: lists, counts, what nobody does, and what stays open.

use std::collections::BTreeSet;

use grounds_claims::{Claim, Quantifier, Tests, names};
use grounds_evidence::{ConfidenceLevel, MentionPlace, Relation};
use grounds_repo::labels::LabelledPlace;

use super::super::only::{self, is_own};
use super::super::subject::ClaimSubject;
use super::super::{
    Desk, SettleResult, Settled, SettledSpot, Unsettled, absence, access, counted, effects, made,
};
use super::{
    HANDED_ON, Sites, first_places, in_scope, is_test, level, lies_in, noun, site, sites_of, spots,
};

fn open_section(sites: &Sites, desk: &Desk<'_, '_>) -> Option<crate::answer::AnswerSection> {
    (!sites.open.is_empty()).then(|| {
        let mut section = desk.section(
            "By name only: these may be of something else with the same name.",
            &spots(&sites.open),
            1,
        );
        section.title = "Not resolved".to_owned();
        section
    })
}

/// Returns the uses of a called function without a call: what holds it may call it.
fn handed_on_section(
    claim: &Claim,
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> Result<Option<crate::answer::AnswerSection>, Unsettled> {
    let is_call = |place: &LabelledPlace| place.relation == Relation::Calls;
    if claim.predicate != &names::CALLS || !sites.inside.iter().any(is_call) {
        return Ok(None);
    }
    // The sites of a claim about calls have no other uses left once there is a call, so they are
    // found anew.
    let uses = Claim {
        predicate: &names::USES,
        ..claim.clone()
    };
    let mut others = sites_of(&uses, subject, desk)?.inside;
    others.retain(|place| place.relation == Relation::References);
    Ok((!others.is_empty()).then(|| {
        let mut section = desk.section(HANDED_ON, &spots(&others), 1);
        section.title = "Used without a call".to_owned();
        section
    }))
}

pub(super) fn list(
    claim: &Claim,
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let found = spots(&sites.inside);
    let verb = noun(claim);
    if found.is_empty() {
        return nobody(claim, subject, sites, desk);
    }
    let (name, scope) = (&subject.text, absence::in_words(claim));
    let places = counted(found.len(), "place");
    let is_called = |place: &LabelledPlace| place.relation == Relation::Calls;
    // The implementations of a trait are uses of it, and are not announced as calls.
    let text = match claim.predicate == &names::CALLS && !sites.inside.iter().any(is_called) {
        true => format!("No call of `{name}` was found{scope}. It is used in {places}:"),
        false => format!("`{name}` is {verb} in {places}{scope}:"),
    };
    let (level, because) = level(subject, sites, desk);
    let mut sections = vec![desk.section(text, &found, 1)];
    sections.extend(handed_on_section(claim, subject, sites, desk)?);
    sections.extend(open_section(sites, desk));
    Ok(Settled {
        holds: None,
        sections,
        level,
        because,
    })
}

pub(super) fn count(
    claim: &Claim,
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let found = spots(&sites.inside);
    let (level, because) = level(subject, sites, desk);
    if found.is_empty() {
        // "0 places" is an absence, and needs the same proof as one.
        absence::concluded(subject, desk)?;
        // `Pool.open()` is no call of `Pool`, but "0 calls" would hide it.
        has_no_member_called(claim, subject, desk)?;
    } else {
        has_call(claim, subject, sites)?;
    }
    let total = count_text(claim, subject, sites, desk);
    let cited = if found.is_empty() {
        subject.spots()
    } else {
        found
    };
    let mut sections = vec![desk.section(total, &cited, 1)];
    sections.extend(open_section(sites, desk));
    Ok(Settled {
        holds: None,
        sections,
        level,
        because,
    })
}

/// Returns the number of sites, in words.
fn count_text(claim: &Claim, subject: &ClaimSubject, sites: &Sites, desk: &Desk<'_, '_>) -> String {
    let found = spots(&sites.inside);
    let exact = sites.inside.len();
    let least = if absence::unread(&subject.known.scope(), desk).is_none() {
        ""
    } else {
        "at least "
    };
    if claim.quantifier == Quantifier::CountFiles {
        let mut files: Vec<&str> = found.iter().map(|spot| spot.path.as_str()).collect();
        files.sort_unstable();
        files.dedup();
        format!(
            "`{}` is {} in {least}{}{}.",
            subject.text,
            noun(claim),
            counted(files.len(), "file"),
            absence::in_words(claim)
        )
    } else if exact != found.len() {
        // A line with two calls is one citation, so both numbers are given.
        format!(
            "`{}` is {} {least}{exact} times, on {}{}{}.",
            subject.text,
            noun(claim),
            counted(found.len(), "line"),
            around(&sites.inside, found.len()),
            absence::in_words(claim)
        )
    } else {
        format!(
            "`{}` is {} in {least}{}{}{}.",
            subject.text,
            noun(claim),
            counted(found.len(), "place"),
            around(&sites.inside, found.len()),
            absence::in_words(claim)
        )
    }
}

/// Returns in how many definitions the sites are, if that number differs: a question for callers
/// may mean either.
fn around(sites: &[LabelledPlace], places: usize) -> String {
    let holder = |place: &LabelledPlace| {
        let is_held = !place.containers.is_empty();
        is_held.then(|| (place.path.as_str().to_owned(), place.containers.clone()))
    };
    let holders: BTreeSet<_> = sites.iter().filter_map(holder).collect();
    match holders.len() {
        0 => String::new(),
        count if count == places => String::new(),
        count => format!(", in {}", counted(count, "definition")),
    }
}

fn statement(
    holds: bool,
    text: String,
    evidence: &[SettledSpot],
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> Settled {
    let (level, because) = level(subject, sites, desk);
    let word = if holds { "Yes" } else { "No" };
    let (spots, lines) = if evidence.is_empty() {
        (subject.spots(), 3)
    } else {
        (evidence.to_vec(), 1)
    };
    let mut sections = vec![desk.section(format!("{word}: {text}"), &spots, lines)];
    sections.extend(open_section(sites, desk));
    Settled {
        holds: Some(holds),
        sections,
        level,
        because,
    }
}

/// Reports whether a place is a Ruby symbol, by which a method can be called: `send(:name)`.
fn is_symbol(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let (before, _) = effects::sides(place, desk);
    let is_one = before.ends_with(':') && !before.ends_with("::");
    is_one && place.path.as_str().ends_with(".rb") && place.relation != Relation::Defines
}

/// Returns a place where a name may be used through a symbol or a string: a test may run a script
/// or a template with the name.
fn named_in_text<'s>(
    claim: &Claim,
    subject: &'s ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Option<(&'s LabelledPlace, String)> {
    let places = || subject.known.places().iter();
    let symbol = || places().find(|place| is_symbol(place, desk));
    if claim.predicate == &names::CALLS
        && let Some(place) = symbol()
    {
        return Some((place, format!("`:{}` may call it", place.name)));
    }
    let in_test = |place: &&LabelledPlace| {
        place.relation == Relation::Mentions(MentionPlace::String) && is_test(place)
    };
    let place = places()
        .find(in_test)
        .filter(|_| claim.scope.tests == Tests::Inside)?;
    let why = format!(
        "tests have `{}` in a text, and may use it by that",
        subject.text
    );
    Some((place, why))
}

/// Concludes that a name has no site in the scope, with the places of those outside of it.
///
/// # Errors
/// [`Unsettled`] if a site may be of it, or may be in a file that was not read.
fn nowhere(
    claim: &Claim,
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> Result<(String, Vec<SettledSpot>), Unsettled> {
    // A site that stays open may be the one that is denied.
    if !sites.open.is_empty() {
        return Err(Unsettled::unknown(format!(
            "no place is known to be of `{}`; some have its name",
            subject.text
        ))
        .with(&spots(&sites.open)));
    }
    absence::concluded(subject, desk)?;
    if let Some((place, why)) = named_in_text(claim, subject, desk) {
        return Err(Unsettled::unknown(why).with(&[site(place)]));
    }
    // A value can be set, read or made without its name, so the absence of the name proves nothing.
    let unseen = match () {
        () if access::is_kind(claim.kind.as_deref()) => Some(access::BECAUSE),
        () if claim.predicate == &names::CONSTRUCTS && !made::is_by_name(subject) => {
            Some(made::OTHERWISE)
        }
        () => None,
    };
    if let Some(why) = unseen {
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    }
    let verb = noun(claim);
    let elsewhere = spots(&sites.outside);
    let rest = if elsewhere.is_empty() {
        String::new()
    } else {
        format!(
            " It is {verb} elsewhere, in {}.",
            counted(elsewhere.len(), "place")
        )
    };
    let text = format!(
        "`{}` is not {verb} {}.{rest}{}",
        subject.text,
        absence::place(claim),
        absence::ways_left(subject, desk)
    );
    Ok((text, elsewhere))
}

/// Answers who does it if nobody does: that is an answer if the absence was shown.
fn nobody(
    claim: &Claim,
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    if !subject.is_defined() {
        let text = format!("`{}` is not defined in the tree", subject.text);
        return Err(Unsettled::unknown(text).with(&first_places(subject)));
    }
    let (text, elsewhere) = nowhere(claim, subject, sites, desk)?;
    let section = if elsewhere.is_empty() {
        desk.section(text, &subject.spots(), 3)
    } else {
        desk.section(text, &elsewhere, 1)
    };
    let (level, because) = level(subject, sites, desk);
    let settled = Settled::told(None, section).at(level, because);
    Ok(doubted(settled, claim, subject, desk))
}

/// Lowers the level of an absence if the thing can be done without the name: a value can be made in
/// other ways, and a string can name what the program looks up.
fn doubted(
    settled: Settled,
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Settled {
    if settled.level <= ConfidenceLevel::Medium {
        return settled;
    }
    if claim.predicate == &names::CONSTRUCTS {
        return settled.at(ConfidenceLevel::Medium, made::OTHERWISE);
    }
    match absence::whole_string(subject, desk) {
        Some(place) => settled.at(
            ConfidenceLevel::Medium,
            format!(
                "{}:{} has the name as a string",
                place.path.as_str(),
                place.line
            ),
        ),
        None => settled,
    }
}

/// Refuses to say "no calls" of a type with other uses, since something may be called on it there.
fn has_no_member_called(
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<(), Unsettled> {
    let mut used = Vec::new();
    for place in subject.known.uses() {
        if claim.predicate == &names::CALLS && in_scope(place, claim, subject, desk)? {
            used.push(place.clone());
        }
    }
    if used.is_empty() {
        return Ok(());
    }
    let why = format!(
        "no call of `{0}` itself was found; what is called on `{0}` is not counted",
        subject.text
    );
    Err(Unsettled::unknown(why).with(&spots(&used)))
}

/// Refuses to affirm a call if the name only appears without one, as in a table: a call through the
/// table is not read.
fn has_call(claim: &Claim, subject: &ClaimSubject, sites: &Sites) -> Result<(), Unsettled> {
    let is_call = |place: &LabelledPlace| place.relation == Relation::Calls;
    if claim.predicate != &names::CALLS || sites.inside.iter().any(is_call) {
        return Ok(());
    }
    let why = format!(
        "no call of `{}` was found; what holds it may call it",
        subject.text
    );
    Err(Unsettled::unknown(why).with(&spots(&sites.inside)))
}

/// Refuses a yes or no for several places if only some of them have a site: "in a.go and b.go" asks
/// for both, and "in a.go or b.go" for one of them.
fn is_in_each(
    claim: &Claim,
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> Result<(), Unsettled> {
    for text in &claim.scope.inside {
        let lies = |place: &LabelledPlace| lies_in(place, text, subject, desk);
        let mut has_site = false;
        for place in &sites.inside {
            has_site |= lies(place)?;
        }
        if !has_site {
            let why = format!("`{}` is not {} in `{text}`", subject.text, noun(claim));
            return Err(Unsettled::unknown(why).with(&spots(&sites.inside)));
        }
    }
    Ok(())
}

pub(super) fn any(
    claim: &Claim,
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let wants = claim.quantifier == Quantifier::Any;
    let verb = noun(claim);
    if !sites.inside.is_empty() {
        has_call(claim, subject, sites)?;
        is_in_each(claim, subject, sites, desk)?;
        let found = spots(&sites.inside);
        let text = format!(
            "`{}` is {verb} in {}{}.",
            subject.text,
            counted(found.len(), "place"),
            absence::in_words(claim)
        );
        return Ok(statement(wants, text, &found, subject, sites, desk));
    }
    let (text, elsewhere) = nowhere(claim, subject, sites, desk)?;
    let settled = statement(!wants, text, &elsewhere, subject, sites, desk);
    Ok(doubted(settled, claim, subject, desk))
}

pub(super) fn only(
    claim: &Claim,
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let verb = noun(claim);
    // "Only f calls g" is false if nobody calls `g`.
    if sites.inside.is_empty() && sites.outside.is_empty() {
        let mut uses = subject.known.uses();
        // Other uses may pass the function on to something that calls it.
        if uses.any(|place| !is_own(place, subject)) {
            has_call(claim, subject, sites)?;
        }
        absence::concluded(subject, desk)?;
        let text = format!("`{}` is not {verb} anywhere.", subject.text);
        let settled = statement(claim.is_negated, text, &[], subject, sites, desk);
        return Ok(doubted(settled, claim, subject, desk));
    }
    if !sites.open.is_empty() && sites.outside.is_empty() {
        return Err(
            Unsettled::unknown("other places have the name, and may be of it")
                .with(&spots(&sites.open)),
        );
    }
    // One site outside disproves "only" without reading everything; to prove it, all files are
    // needed.
    let holds = sites.outside.is_empty() && !sites.inside.is_empty();
    if holds {
        absence::covered(subject, desk)?;
    }
    let (text, evidence) = if holds {
        (
            format!(
                "`{}` is {verb} in {}, all of them{}.",
                subject.text,
                counted(sites.inside.len(), "place"),
                only::in_words(claim, desk)
            ),
            spots(&sites.inside),
        )
    } else {
        (
            format!("`{}` is {verb} elsewhere too.", subject.text),
            spots(&sites.outside),
        )
    };
    Ok(statement(
        holds != claim.is_negated,
        text,
        &evidence,
        subject,
        sites,
        desk,
    ))
}

pub(super) fn numbered(
    claim: &Claim,
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let found = spots(&sites.inside);
    // Open sites can only add to the number, so enough of the others decide "at least".
    let is_enough = claim.quantifier.holds_for(found.len())
        && matches!(claim.quantifier, Quantifier::AtLeast(_));
    if !sites.open.is_empty() && !is_enough {
        return Err(
            Unsettled::unknown("other places have the name, and may be of it")
                .with(&spots(&sites.open)),
        );
    }
    if found.is_empty() {
        absence::concluded(subject, desk)?;
    }
    // Further sites cannot change the answer if there are too many already, or enough.
    let is_past = match claim.quantifier {
        Quantifier::Exactly(number) => found.len() > number as usize,
        _ => is_enough,
    };
    if !is_past {
        absence::covered(subject, desk)?;
    }
    let text = format!(
        "`{}` is {} in {}{}.",
        subject.text,
        noun(claim),
        counted(found.len(), "place"),
        absence::in_words(claim)
    );
    let holds = claim.quantifier.holds_for(found.len());
    Ok(statement(
        holds != claim.is_negated,
        text,
        &found,
        subject,
        sites,
        desk,
    ))
}
