//! Makes the answer of a ranking: places that are likely by the words of a question, shown as
//! likely and never as proof.
//!
//! Topics and described values end in it. The title says how often such rankings are right on
//! questions that nothing was fitted to, and the level is Medium.

use grounds_claims::{Argument, Claim, names};
use grounds_evidence::{ConfidenceLevel, Gap, Outcome};

use crate::answer::{Answer, AnswerSection};
use crate::claimed::{Understood, confidence};
use crate::investigate::Investigation;
use crate::leads::{Lead, Leads};

/// Makes a ranking the answer. A section without places changes nothing.
pub(crate) fn answer(seen: &mut Investigation, section: AnswerSection, why: String) {
    let Some(answer) = Answer::new(vec![section]) else {
        return;
    };
    seen.answer = Some(answer);
    seen.findings = Vec::new();
    seen.leads = Leads::default();
    seen.gap = Gap::default();
    seen.says = None;
    seen.outcome = Outcome::Answered;
    seen.confidence = confidence(ConfidenceLevel::Medium, &[why]);
    let argument = Argument::is(seen.question.text.clone());
    seen.understood = Some(Understood {
        claims: vec![Claim::new(&names::TOPIC, vec![argument])],
        unread: Vec::new(),
        holds: None,
    });
}

/// Puts the places of a ranking before the leads of single words that show something else.
pub(crate) fn lead(
    seen: &mut Investigation,
    mut places: Vec<Lead>,
    leads_max: usize,
    is_same: impl Fn(&Lead, &Lead) -> bool,
) {
    for other in std::mem::take(&mut seen.leads.places) {
        let is_known = places.iter().any(|place| is_same(place, &other));
        if !is_known && places.len() < leads_max {
            places.push(other);
        }
    }
    seen.leads.places = places;
}
