//! Answers several questions and claims in one run, each separately, over one list of the tree.
//!
//! The names of all are searched together before the first, so that a file with none of them is
//! read once. A line that is neither a question nor a claim is refused alone and does not affect
//! the others.

use grounds_claims::{Claim, by_name};
use grounds_evidence::confidence::ConfidenceLevel;
use grounds_evidence::{
    Confidence, EntryId, Ledger, Outcome, QuestionTarget, RefusalKind, TargetKind, WantedRelation,
};
use grounds_repo::checkout::Checkout;
use grounds_repo::limits::Limits;
use grounds_repo::needles::{Needles, TARGETS_MAX};
use grounds_repo::scope::SearchScope;
use grounds_repo::survey::{self, Progress, SurveyedPart};

use crate::answer::{Answer, AnswerSection};
use crate::claimed::Understood;
use crate::decision::Decision;
use crate::investigate::Investigation;
use crate::leads::Leads;
use crate::question::{Question, understand};

/// Limit on the leads from each question if several are refused together.
const LEADS_OF_EACH: usize = 2;

/// One of several questions or claims that are asked together.
#[derive(Clone, Debug)]
pub enum JointQuestion {
    /// A question in English.
    Question(Box<Question>),
    /// A claim in its text form.
    Claim(Box<Claim>),
    /// Neither.
    Unread {
        /// As it was given.
        text: String,
        /// What is wrong with it.
        why: String,
    },
}

impl JointQuestion {
    /// Reads a text as a claim if it has the form of one, else as a question.
    pub fn read(text: &str) -> Self {
        let why = match grounds_claims::parse(text) {
            Ok(claim) => return Self::Claim(Box::new(claim)),
            // A misspelled claim (`cals(_, "x")`) gets the error of its claim, and is never read as
            // English.
            Err(error) if has_form_of_claim(text) => error.to_string(),
            Err(_) => match understand(text) {
                Ok(question) => return Self::Question(Box::new(question)),
                Err(error) => format!("cannot {error}"),
            },
        };
        Self::Unread {
            text: text.to_owned(),
            why,
        }
    }

    /// Reports whether it asks a service of CI.
    pub fn is_about_ci(&self) -> bool {
        matches!(self, Self::Question(question) if question.goal.about_ci)
    }

    /// Returns the names that it has.
    fn names(&self) -> Vec<QuestionTarget> {
        match self {
            Self::Question(question) => question.goal.targets.clone(),
            Self::Claim(claim) => (0..claim.arguments.len())
                .filter_map(|number| claim.text(number))
                .map(name_in_code)
                .collect(),
            Self::Unread { .. } => Vec::new(),
        }
    }
}

/// Reports whether a text that is no claim was meant as one: `calls(_)`, `cals(_, "x")`; and not
/// "does main() call f?".
fn has_form_of_claim(text: &str) -> bool {
    let Some((head, arguments)) = text.split_once('(') else {
        return false;
    };
    let mut words = head.split_whitespace().rev();
    let is_called = !head.ends_with(char::is_whitespace);
    let predicate = words.next().filter(|_| is_called).unwrap_or_default();
    let is_alone = words.next().is_none();
    let has_holes = arguments.trim_start().starts_with(['_', '"']);
    by_name(predicate).is_some() || is_alone && !predicate.is_empty() && has_holes
}

fn name_in_code(text: &str) -> QuestionTarget {
    QuestionTarget {
        text: text.to_owned(),
        kind: match grounds_evidence::name::path_segments(text).len() > 1 {
            true => TargetKind::SymbolPath,
            false => TargetKind::Identifier,
        },
        wanted: WantedRelation::Uses,
    }
}

/// Looks for the names of all at once: the list of the run notes which files have none of them.
pub(crate) fn look_ahead(
    asked: &[JointQuestion],
    checkout: &Checkout,
    limits: &Limits,
    progress: &Progress,
) {
    let mut targets: Vec<QuestionTarget> = Vec::new();
    for target in asked.iter().flat_map(JointQuestion::names) {
        // Only names are found by such a pass; paths and phrases have searches of their own.
        let is_name = matches!(target.kind, TargetKind::Identifier | TargetKind::SymbolPath);
        if is_name && targets.iter().all(|known| known.text != target.text) {
            targets.push(target);
        }
    }
    // A single name is searched by its own question, so a pass ahead would save nothing.
    if targets.len() < 2 {
        return;
    }
    for some in targets.chunks(TARGETS_MAX) {
        let needles = Needles::of_targets(some);
        survey::survey(
            checkout,
            some,
            &needles,
            SurveyedPart::Visible,
            limits,
            progress,
        );
    }
}

/// Joins several investigations: answered if each is answered, else refused with the answers as
/// findings.
pub(crate) fn together(mut each: Vec<Investigation>) -> Investigation {
    if each.len() == 1
        && let Some(only) = each.pop()
    {
        return only;
    }
    let outcome = outcome(&each);
    let is_answered = outcome == Outcome::Answered;
    let (ledger, sections) = answered(&each);
    let mut whole = Investigation {
        outcome,
        confidence: confidence(&each, is_answered),
        ledger,
        answer: Answer::new(sections.clone()).filter(|_| is_answered),
        understood: understood(&each),
        ..Investigation::blank(question(&each))
    };
    gather(&mut whole, &each);
    if !is_answered {
        whole.says = Some(reasons(&each).join("\n"));
        whole.findings = sections;
    }
    whole.each = each;
    whole
}

/// Returns all questions as one, for readers of the joint result alone.
fn question(each: &[Investigation]) -> Question {
    let texts: Vec<&str> = each.iter().map(|one| one.question.text.as_str()).collect();
    let mut question = Question::of_claims(texts.join("; "));
    question.goal.targets = all(each, |one| one.question.goal.targets.clone());
    question
}

/// Collects the steps, scope and lacks of all.
fn gather(whole: &mut Investigation, each: &[Investigation]) {
    whole.gap.lacks = all(each, |one| one.gap.lacks.clone());
    whole.leads = leads(each);
    whole.scope = scope(each);
    whole.tree = each.first().map(|one| one.tree.clone()).unwrap_or_default();
    whole.forms = all(each, |one| one.forms.clone());
    whole.steps = all(each, |one| one.steps.clone());
    whole.recovery = all(each, |one| one.recovery.clone());
    whole.bounds = all(each, |one| one.bounds.clone());
    whole.elapsed = each.iter().map(|one| one.elapsed).sum();
}

/// Returns the lists of all as one.
fn all<T>(each: &[Investigation], of: impl Fn(&Investigation) -> Vec<T>) -> Vec<T> {
    each.iter().flat_map(of).collect()
}

/// Returns the worst outcome: failed first, then conflicting, refused and not checkable.
fn outcome(each: &[Investigation]) -> Outcome {
    let rank = |outcome: &Outcome| match outcome {
        Outcome::Failed => 0,
        Outcome::Conflicting => 1,
        Outcome::Insufficient(RefusalKind::CannotTell) => 2,
        Outcome::Insufficient(RefusalKind::FoundButNotThat) => 3,
        Outcome::Insufficient(RefusalKind::NotFound) => 4,
        Outcome::NotCheckable => 5,
        Outcome::Answered => 6,
    };
    let outcomes = each.iter().map(|one| one.outcome);
    outcomes.min_by_key(rank).unwrap_or(Outcome::NotCheckable)
}

/// Returns the answers of those that have one, each under its question, and their evidence in one
/// ledger.
fn answered(each: &[Investigation]) -> (Ledger, Vec<AnswerSection>) {
    let targets: Vec<QuestionTarget> = all(each, |one| one.question.goal.targets.clone());
    let (mut ledger, mut sections) = (Ledger::new(&targets), Vec::new());
    for one in each {
        let entries = one.ledger.entries().iter();
        let ids: Vec<EntryId> = entries
            .map(|entry| ledger.record(entry.observation.clone()))
            .collect();
        let answer = one.answer.iter().flat_map(Answer::sections).cloned();
        for (number, mut section) in answer.enumerate() {
            if number == 0 {
                section.title = title(one);
            }
            // The joint ledger numbers its entries anew, so citations have to follow.
            for citation in &mut section.citations {
                let known = citation.evidence.iter();
                citation.evidence = known.filter_map(|id| ids.get(id.0).copied()).collect();
            }
            sections.push(section);
        }
    }
    (ledger, sections)
}

/// Returns the question, with the decision if it asks for yes or no.
fn title(one: &Investigation) -> String {
    let decided = match one.decided() {
        Some(Decision::Yes) => ": yes",
        Some(Decision::No) => ": no",
        None => "",
    };
    format!("{}{decided}", one.question.text)
}

/// Returns the least confidence; of a refusal, with the reasons.
fn confidence(each: &[Investigation], is_answered: bool) -> Confidence {
    let least = each.iter().map(|one| &one.confidence);
    let least = least.min_by_key(|confidence| confidence.level).cloned();
    match least {
        Some(least) if is_answered => least,
        _ => crate::claimed::confidence(ConfidenceLevel::None, &reasons(each)),
    }
}

/// Returns the reason of each refusal.
fn reasons(each: &[Investigation]) -> Vec<String> {
    let refused = each.iter().filter(|one| one.outcome != Outcome::Answered);
    let reason = |one: &Investigation| {
        let explained = &one.confidence.explanation;
        let reason = explained.strip_prefix("None: ").unwrap_or(explained);
        format!("{}: {reason}", one.question.text)
    };
    refused.map(reason).collect()
}

fn leads(each: &[Investigation]) -> Leads {
    Leads {
        places: all(each, |one| {
            let places = one.leads.places.iter().take(LEADS_OF_EACH);
            places.cloned().collect()
        }),
        did_you_mean: all(each, |one| one.leads.did_you_mean.clone()),
        bounds: all(each, |one| one.leads.bounds.clone()),
    }
}

/// Returns the joint scope. All questions read the same files, so counts are not summed.
fn scope(each: &[Investigation]) -> SearchScope {
    let mut scope = SearchScope::default();
    each.iter().for_each(|one| scope.merge(&one.scope));
    let most = |of: fn(&SearchScope) -> u64| each.iter().map(|one| of(&one.scope)).max();
    scope.files_searched = most(|scope| scope.files_searched).unwrap_or(0);
    scope.bytes_searched = most(|scope| scope.bytes_searched).unwrap_or(0);
    scope
}

fn understood(each: &[Investigation]) -> Option<Understood> {
    let known = || each.iter().filter_map(|one| one.understood.as_ref());
    known().next()?;
    Some(Understood {
        claims: known().flat_map(|one| one.claims.clone()).collect(),
        unread: known().flat_map(|one| one.unread.clone()).collect(),
        holds: None,
    })
}

#[cfg(test)]
mod tests {
    use super::{JointQuestion, has_form_of_claim};

    #[test]
    fn a_claim_that_went_wrong_is_no_question() {
        for (text, is_claim) in [
            ("calls(_)", true),
            ("none uses(_)", true),
            ("cals(_, \"x\")", true),
            ("calls(", true),
            ("what does main() call?", false),
            ("main() calls what?", false),
            ("who calls f (the second one)?", false),
            ("where is main defined?", false),
        ] {
            assert_eq!(has_form_of_claim(text), is_claim, "{text}");
        }
        assert!(matches!(
            JointQuestion::read("calls(_, \"f\")"),
            JointQuestion::Claim(_)
        ));
        assert!(matches!(
            JointQuestion::read("where is f?"),
            JointQuestion::Question(_)
        ));
        assert!(matches!(
            JointQuestion::read("calls(_)"),
            JointQuestion::Unread { .. }
        ));
        assert!(matches!(
            JointQuestion::read(" "),
            JointQuestion::Unread { .. }
        ));
    }
}
