//! One answer over many repositories, from the results of the jobs of one question. Absence is an
//! answer only if every repository answered. Jobs that failed, are still open or were cancelled are
//! counted by their reason.

use std::collections::{BTreeMap, HashMap};

use crate::ledger::QuestionGroup;

/// The answer to a question over many repositories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overall {
    /// At least one repository has it.
    Found,
    /// Every repository answered, and none has it.
    NotFound,
    /// None has it so far, and some did not answer.
    CannotTell,
}

impl Overall {
    /// Its word in results.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::NotFound => "not_found",
            Self::CannotTell => "cannot_tell",
        }
    }
}

/// The answer to one question over all its repositories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FleetAnswer {
    /// The kind of the jobs.
    pub kind: String,
    /// Their topic.
    pub topic: String,
    /// The answer.
    pub overall: Overall,
    /// Repositories that were asked.
    pub repositories: u64,
    /// Those that have it.
    pub found: u64,
    /// Those that do not have it.
    pub not_found: u64,
    /// Those that gave another result, by its word.
    pub open: BTreeMap<String, u64>,
    /// Those that gave no result, by state and reason.
    pub missing: BTreeMap<String, u64>,
}

/// Returns the verdicts of a kind for presence and for absence, or `None` for a kind without such
/// an answer.
pub fn verdicts(kind: &str) -> Option<(&'static str, &'static str)> {
    match kind {
        "ask" => Some(("answered", "not_found")),
        // A check looks for false documents, so that a contradiction is what it finds.
        "check" => Some(("contradicted", "holds")),
        _ => None,
    }
}

/// Returns whether a verdict says that something is there, or `None` if it says neither.
fn says(kind: &str, verdict: &str) -> Option<bool> {
    let (found, not_found) = verdicts(kind)?;
    match verdict {
        _ if verdict == found => Some(true),
        _ if verdict == not_found => Some(false),
        _ => None,
    }
}

/// Returns the answers, one for each question.
pub fn of(groups: &[QuestionGroup]) -> Vec<FleetAnswer> {
    let mut answers: Vec<FleetAnswer> = Vec::new();
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    for group in groups {
        let question = (group.kind.as_str(), group.topic.as_str());
        // The answers keep the order in which the questions first occur.
        let place = *places.entry(question).or_insert_with(|| {
            answers.push(empty(group));
            answers.len() - 1
        });
        add(&mut answers[place], group);
    }
    for answer in &mut answers {
        answer.overall = overall(answer);
    }
    answers
}

fn empty(group: &QuestionGroup) -> FleetAnswer {
    FleetAnswer {
        kind: group.kind.clone(),
        topic: group.topic.clone(),
        overall: Overall::CannotTell,
        repositories: 0,
        found: 0,
        not_found: 0,
        open: BTreeMap::new(),
        missing: BTreeMap::new(),
    }
}

fn add(answer: &mut FleetAnswer, group: &QuestionGroup) {
    answer.repositories += group.jobs;
    if group.state != "done" {
        let reason = match group.word.as_str() {
            "" => group.state.clone(),
            word => format!("{}: {word}", group.state),
        };
        *answer.missing.entry(reason).or_default() += group.jobs;
        return;
    }
    match says(&group.kind, &group.word) {
        Some(true) => answer.found += group.jobs,
        Some(false) => answer.not_found += group.jobs,
        None => *answer.open.entry(group.word.clone()).or_default() += group.jobs,
    }
}

fn overall(answer: &FleetAnswer) -> Overall {
    // One repository that has it is enough, whatever the others say.
    if answer.found > 0 {
        Overall::Found
    } else if answer.not_found == answer.repositories && answer.repositories > 0 {
        Overall::NotFound
    } else {
        Overall::CannotTell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(state: &str, word: &str, jobs: u64) -> QuestionGroup {
        QuestionGroup {
            kind: "ask".to_owned(),
            topic: "who calls x?".to_owned(),
            state: state.to_owned(),
            word: word.to_owned(),
            jobs,
        }
    }

    #[test]
    fn absence_needs_every_repository() {
        for (others, overall) in [
            (None, Overall::NotFound),
            (Some(group("done", "answered", 1)), Overall::Found),
            (Some(group("done", "cannot_tell", 1)), Overall::CannotTell),
            (Some(group("done", "conflicting", 1)), Overall::CannotTell),
            (
                Some(group("done", "a word of tomorrow", 1)),
                Overall::CannotTell,
            ),
            (Some(group("queued", "", 1)), Overall::CannotTell),
            (Some(group("leased", "", 1)), Overall::CannotTell),
            (Some(group("held", "budget_spent", 1)), Overall::CannotTell),
            (Some(group("dead", "timeout", 1)), Overall::CannotTell),
            (
                Some(group("cancelled", "cancelled", 1)),
                Overall::CannotTell,
            ),
        ] {
            let mut groups = vec![group("done", "not_found", 299)];
            groups.extend(others.clone());
            let answers = of(&groups);
            assert_eq!(answers.len(), 1);
            assert_eq!(answers[0].overall, overall, "{others:?}");
            let counted = answers[0].found
                + answers[0].not_found
                + answers[0].open.values().sum::<u64>()
                + answers[0].missing.values().sum::<u64>();
            assert_eq!(counted, answers[0].repositories);
        }
        assert!(of(&[]).is_empty());
    }
}
