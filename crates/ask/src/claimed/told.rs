//! Investigations made of claims: those that answer, those that refuse, and their leads.

use std::time::Instant;

use grounds_claims::{Claim, Quantifier, names};
use grounds_evidence::confidence::{Agreement, RequirementCoverage};
use grounds_evidence::{
    Confidence, ConfidenceLevel, EvidenceClass, Family, Goal, Match, Observation,
    ObservationSource, Outcome, Quality, QuestionTarget, RefusalKind, Relation, TargetKind,
    WantedRelation,
};

use super::Understood;
use super::forms::kind_of;
use crate::answer::{Answer, AnswerSection};
use crate::budget::QuestionBudget;
use crate::investigate::{Investigation, ToolCall};
use crate::leads::{self, Lead, Leads};
use crate::localise;
use crate::question::Question;
use crate::settle::{self, Desk, Settled, Unsettled};
use crate::understand::{self, QuestionTree, Understanding};

/// The name under which a claim's decision is listed among the steps.
const STEP: &str = "claims";

/// Limit on the leads that a refusal takes from the ranking of the whole question, or from similar
/// names.
const RANKED_LEADS: usize = 5;

/// Limit on those of them that define a name of the question.
const NAMED_LEADS: usize = 2;

/// Limit on the absent names for which similar ones are searched: each costs a pass.
const CLOSE_NAMES: usize = 2;

/// Reports whether an answer shows a place.
pub(super) fn cites(seen: &Investigation) -> bool {
    let answer = seen.answer.iter();
    answer.flat_map(Answer::citations).next().is_some()
}

/// Joins the refusals of several claims.
pub(super) fn together(all: Vec<Unsettled>) -> Unsettled {
    let reasons: Vec<&str> = all
        .iter()
        .map(|one| one.reason.trim_end_matches('.'))
        .collect();
    Unsettled {
        reason: reasons.join("; "),
        is_absent: all.iter().all(|one| one.is_absent),
        leads: all.iter().flat_map(|one| one.leads.clone()).collect(),
    }
}

/// Returns the sections of a decided claim, with the claim as the title of the first.
pub(super) fn titled(claim: &Claim, settled: Settled) -> Vec<AnswerSection> {
    let holds = settled.holds;
    let decided = holds.map_or("", |holds| if holds { ": yes" } else { ": no" });
    let mut sections = settled.sections;
    if let Some(first) = sections.first_mut() {
        first.title = format!("{claim}{decided}");
    }
    sections
}

/// Returns leads: the definitions of the question's names, then places by the words of all of it.
pub(super) fn ranked(text: &str, tree: &QuestionTree<'_>, budget: &QuestionBudget) -> Leads {
    let ranking = tree.ranking(text, &budget.limits);
    let most = RANKED_LEADS.min(budget.leads_max);
    let mut places = named(text, tree);
    places.truncate(most);
    // A file with a definition of a name is a lead already.
    for lead in localise::leads_with_lines(&ranking, tree.checkout, &budget.limits, most) {
        if places.len() < most && places.iter().all(|place| place.path != lead.path) {
            places.push(lead);
        }
    }
    Leads {
        places,
        did_you_mean: Vec::new(),
        bounds: Vec::new(),
    }
}

/// Returns leads: the definitions of the claims' names, then similar names and places for those
/// that are absent. The whole tree is ranked by their words only if nothing is similar.
fn close(claims: &[Claim], desk: &Desk<'_, '_>) -> Leads {
    let text = names_of(claims);
    let is_missing = |target: &QuestionTarget| {
        matches!(target.kind, TargetKind::Identifier | TargetKind::SymbolPath)
            && !desk.tree.defines(&target.text)
    };
    let mut missing = targets(claims);
    missing.retain(is_missing);
    missing.truncate(CLOSE_NAMES);
    let mut leads = leads::close_to(&missing, desk.tree.checkout, &desk.budget.limits);
    if leads.places.is_empty() && leads.did_you_mean.is_empty() {
        return ranked(&text, desk.tree, desk.budget);
    }
    leads.places.splice(..0, named(&text, desk.tree));
    leads
        .places
        .truncate(RANKED_LEADS.min(desk.budget.leads_max));
    leads
}

/// Returns the definitions of names that a question writes as code, without names that have
/// several.
fn named(text: &str, tree: &QuestionTree<'_>) -> Vec<Lead> {
    let names = understand::names_of(text);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut leads: Vec<Lead> = Vec::new();
    for (name, known) in names.iter().zip(tree.know(&names)) {
        let definitions: Vec<_> = known.definitions().collect();
        // Of several definitions, nothing says which one is meant.
        let [place] = definitions.as_slice() else {
            continue;
        };
        if leads.len() < NAMED_LEADS && leads.iter().all(|lead| lead.path != place.path.as_str()) {
            leads.push(Lead {
                path: place.path.as_str().to_owned(),
                line_start: place.line,
                line_end: place.line,
                why: format!("`{name}` is defined here"),
            });
        }
    }
    leads
}

/// Returns an investigation that answers.
pub(super) fn answered(
    question: Question,
    understanding: Understanding,
    settled: Vec<Settled>,
    desk: &Desk<'_, '_>,
    start: Instant,
) -> Investigation {
    // Several statements have a joint decision only if all agree.
    let mut decided = settled.iter().map(|one| one.holds);
    let holds = decided.next().flatten();
    let holds = holds.filter(|holds| decided.all(|other| other == Some(*holds)));
    let level = settled
        .iter()
        .map(|one| one.level)
        .min()
        .unwrap_or(ConfidenceLevel::None);
    let because: Vec<String> = settled
        .iter()
        .map(|one| one.because.clone())
        .filter(|text| !text.is_empty())
        .collect();
    let several = settled.len() > 1 || understanding.is_joined;
    let mut sections: Vec<AnswerSection> = Vec::new();
    for (one, claim) in settled.into_iter().zip(&understanding.claims) {
        sections.extend(match several {
            true => titled(claim, one),
            false => one.sections,
        });
    }
    let mut seen = empty(question, &understanding, desk, start);
    record(&mut seen, &sections);
    seen.answer = Answer::new(sections);
    seen.outcome = if seen.answer.is_some() {
        Outcome::Answered
    } else {
        Outcome::Insufficient(RefusalKind::CannotTell)
    };
    seen.confidence = confidence(level, &because);
    seen.understood = Some(Understood {
        claims: understanding.claims,
        unread: Vec::new(),
        holds: holds.filter(|_| seen.answer.is_some()),
    });
    seen.elapsed = start.elapsed();
    seen
}

/// Returns the leads of an undecided claim, and those of its question.
fn leads_of(
    question: &Question,
    understanding: &Understanding,
    unsettled: &Unsettled,
    desk: &Desk<'_, '_>,
) -> Leads {
    // If the tree has no such name, the words around it in the question would lead to unrelated
    // places.
    let is_of_names =
        texts(&understanding.claims).all(|text| !understand::is_path(text, desk.tree));
    let mut leads = match unsettled.is_absent && is_of_names {
        true => close(&understanding.claims, desk),
        false => ranked(&question.text, desk.tree, desk.budget),
    };
    // The places that kept the claim open come first.
    leads.places.splice(0..0, unsettled.leads.iter().cloned());
    leads.places.truncate(desk.budget.leads_max);
    leads
}

/// Returns an investigation that refuses, with the reason and leads.
pub(super) fn refused(
    question: Question,
    understanding: Understanding,
    unsettled: Unsettled,
    desk: &Desk<'_, '_>,
    start: Instant,
) -> Investigation {
    let leads = leads_of(&question, &understanding, &unsettled, desk);
    let mut seen = empty(question, &understanding, desk, start);
    // An unread file may contain the name, so it is not reported as absent.
    let unread = settle::unread(&desk.tree.scope(), desk).filter(|_| unsettled.is_absent);
    seen.outcome = Outcome::Insufficient(if unsettled.is_absent && unread.is_none() {
        RefusalKind::NotFound
    } else {
        RefusalKind::CannotTell
    });
    let why = match unread {
        Some(unread) => {
            let reason = unsettled.reason.trim_end_matches('.');
            format!("{reason}, as far as was read ({unread})")
        }
        None => unsettled.reason,
    };
    seen.confidence = confidence(ConfidenceLevel::None, std::slice::from_ref(&why));
    let is_absent = seen.outcome == Outcome::Insufficient(RefusalKind::NotFound);
    let holds = of_absence(&understanding.claims).filter(|_| is_absent);
    let decided = holds.map_or("", |holds| if holds { "Yes: " } else { "No: " });
    seen.says = Some(format!("{decided}{}.", why.trim_end_matches('.')));
    seen.leads = leads;
    seen.understood = Some(Understood {
        claims: understanding.claims,
        unread: understanding.unread,
        holds,
    });
    seen.elapsed = start.elapsed();
    seen
}

/// Returns whether a single claim holds for an absent name if everything was read: that something
/// is defined here, or that it is not. `None` for other claims.
fn of_absence(claims: &[Claim]) -> Option<bool> {
    match claims {
        [claim] if claim.predicate == &names::DEFINES => match claim.quantifier {
            Quantifier::Any => Some(claim.is_negated),
            Quantifier::None => Some(!claim.is_negated),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn confidence(level: ConfidenceLevel, because: &[String]) -> Confidence {
    let quality = match level {
        ConfidenceLevel::None => Quality::None,
        ConfidenceLevel::Low => Quality::Weak,
        ConfidenceLevel::Medium => Quality::Moderate,
        ConfidenceLevel::High => Quality::Strong,
        ConfidenceLevel::Complete => Quality::Verified,
    };
    let why = match (because, level) {
        ([], _) => "every place with the name was read".to_owned(),
        (because, _) => because.join("; "),
    };
    Confidence {
        level,
        quality,
        coverage: RequirementCoverage {
            met: usize::from(level > ConfidenceLevel::None),
            required: 1,
        },
        agreement: Agreement::Uncorroborated,
        explanation: format!("{}: {why}", level.as_str()),
    }
}

/// Returns the texts that claims name.
fn texts(claims: &[Claim]) -> impl Iterator<Item = &str> {
    claims
        .iter()
        .flat_map(|claim| (0..claim.arguments.len()).filter_map(|number| claim.text(number)))
}

/// Returns the names of the claims as one text.
fn names_of(claims: &[Claim]) -> String {
    texts(claims).collect::<Vec<_>>().join(" ")
}

/// Returns the names of the claims as targets.
fn targets(claims: &[Claim]) -> Vec<QuestionTarget> {
    let mut targets: Vec<QuestionTarget> = Vec::new();
    for text in texts(claims) {
        let target = QuestionTarget {
            text: text.to_owned(),
            kind: kind_of(text),
            wanted: WantedRelation::Occurrence,
        };
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    targets
}

pub(super) fn empty(
    question: Question,
    understanding: &Understanding,
    desk: &Desk<'_, '_>,
    start: Instant,
) -> Investigation {
    let intent = understanding
        .claims
        .first()
        .map_or(question.goal.intent, |claim| claim.predicate.intent);
    let goal = Goal {
        intent,
        targets: targets(&understanding.claims),
        about_ci: false,
    };
    let taken = |claim: &Claim| ToolCall {
        tool: STEP,
        target: claim.to_string(),
        error: None,
    };
    Investigation {
        scope: desk.tree.scope(),
        tree: desk.tree.checkout.tree_state(),
        steps: understanding.claims.iter().map(taken).collect(),
        elapsed: start.elapsed(),
        ..Investigation::blank(Question { goal, ..question })
    }
}

/// Records the citations of the answer as evidence for the first target.
fn record(seen: &mut Investigation, sections: &[AnswerSection]) {
    let sources: Vec<ObservationSource> = sections
        .iter()
        .flat_map(|section| &section.citations)
        .filter(|citation| citation.resource == crate::answer::Resource::File)
        .map(|citation| ObservationSource {
            path: citation.path.clone(),
            line_start: citation.line_start(),
            line_end: citation.line_end(),
        })
        .collect();
    let Some(target) = seen.question.goal.targets.first() else {
        return;
    };
    let base = Observation {
        class: EvidenceClass::FileContent,
        tool: "read",
        family: Family::Reader,
        query: target.needle().to_owned(),
        target: target.text.clone(),
        found: Match::ReadTarget,
        relation: Relation::Unlabelled,
        match_count: sources.len() as u64,
        exact_match_count: sources.len() as u64,
        phrase_match: false,
        sources,
    };
    seen.ledger.record(base);
}
