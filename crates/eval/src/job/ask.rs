//! `ask`: understands and investigates a question, or ranks places for a text.

use grounds_ask::answer::{AnswerCitation, Resource};
use grounds_ask::localise;
use grounds_ask::{Investigation, Question, QuestionBudget, investigate, understand};
use grounds_evidence::requirement::{self, Bar};
use grounds_evidence::scorecard;
use grounds_evidence::{ObservationSource, Outcome};
use grounds_repo::limits::Limits;
use grounds_repo::means::Means;
use grounds_repo::scope::{self, SkipReason};
use grounds_repo::survey::Progress;

use super::{CaseJob, Terms, TreeOf};
use crate::case::{Case, Input};
use crate::observed::{Card, Confidence, Entry, Lack, Observed, Skipped, Spot, Step};

/// Most entries of a ledger in a result.
const ENTRIES_MAX: usize = 60;
/// Most places of an entry in a result.
const PLACES_MAX: usize = 5;
/// Most bytes of an answer or a citation in a result.
const TEXT_BYTES_MAX: usize = 2_000;

/// `grounds ask`.
pub(super) struct Ask;

impl CaseJob for Ask {
    fn name(&self) -> &'static str {
        "ask"
    }

    fn takes(&self, input: &Input) -> bool {
        matches!(input, Input::Question(_) | Input::Text(_))
    }

    fn run(&self, case: &Case, tree: TreeOf<'_>, terms: &Terms) -> Result<Observed, String> {
        let budget = budget(terms);
        let seen = match &case.input {
            Input::Text(text) => {
                let text = localise::Text {
                    text: text.clone(),
                    ..localise::Text::default()
                };
                localise::investigate_text(
                    &text,
                    &tree()?.checkout,
                    &budget,
                    &Progress::default(),
                    &|_| (),
                )
                .map_err(|error| error.to_string())?
            }
            Input::Question(text) => {
                let question = understand(text).map_err(|error| error.to_string())?;
                // Nothing but the intent is judged, so no tree has to be made.
                if case.expect.is_of_intent_alone() {
                    return Ok(understood(&question));
                }
                let (means, progress) = (Means::default(), Progress::default());
                investigate(
                    question,
                    &tree()?.checkout,
                    &budget,
                    Bar::Default,
                    &means,
                    &progress,
                    &|_| (),
                )
            }
            Input::Claim(_) | Input::Change(_) => {
                return Err("`ask` needs `question` or `text`".to_owned());
            }
        };
        Ok(observed(&seen))
    }
}

/// Returns the default limits, with the time and the threads of a case.
fn budget(terms: &Terms) -> QuestionBudget {
    let defaults = QuestionBudget::default();
    // A case may have less time than one part of a run has by default.
    let limits = Limits {
        threads: terms.threads,
        pass_ms_max: defaults.limits.pass_ms_max.min(terms.case_ms_max),
        history_ms_max: defaults.limits.history_ms_max.min(terms.case_ms_max),
        ..defaults.limits
    };
    QuestionBudget {
        total_ms_max: defaults.total_ms_max.min(terms.case_ms_max),
        limits,
        ..defaults
    }
}

fn understood(question: &Question) -> Observed {
    let targets = question
        .goal
        .targets
        .iter()
        .map(|target| target.text.clone())
        .collect();
    Observed {
        intent: question.goal.intent.as_str().to_owned(),
        targets,
        is_intent_alone: true,
        ..Observed::default()
    }
}

fn observed(seen: &Investigation) -> Observed {
    let refusal = match seen.outcome {
        Outcome::Insufficient(kind) => Some(kind.as_str().to_owned()),
        Outcome::Answered | Outcome::Conflicting | Outcome::NotCheckable | Outcome::Failed => None,
    };
    let entries = seen.ledger.entries();
    let citations = seen.answer.iter().flat_map(|answer| answer.citations());
    Observed {
        // The values below replace those of `understood`, which is for questions that are not
        // investigated.
        is_intent_alone: false,
        is_ranking: seen.is_ranking,
        outcome: seen.outcome.as_str().to_owned(),
        refusal,
        confidence: confidence(seen),
        answer: seen.answer.as_ref().map(|answer| cut(&answer.markdown())),
        cited: citations.map(spot).collect(),
        leads: seen.leads.places.iter().map(lead).collect(),
        gap: seen.gap.lacks.iter().map(lack).collect(),
        evidence: entries.iter().take(ENTRIES_MAX).map(entry).collect(),
        evidence_left_out: entries.len().saturating_sub(ENTRIES_MAX),
        steps: seen.steps.iter().map(step).collect(),
        recovery_attempts: seen.recovery.len(),
        recovery_closed: seen.recovery.iter().map(|attempt| attempt.closed).sum(),
        files: seen.scope.files_searched,
        bytes: seen.scope.bytes_searched,
        skipped: seen.scope.skipped.iter().map(skipped).collect(),
        bounds: seen
            .bounds
            .iter()
            .map(|bound| (*bound).to_owned())
            .collect(),
        scorecard: Some(card(seen)),
        ..understood(&seen.question)
    }
}

fn skipped((reason, some): (&SkipReason, &scope::Skipped)) -> Skipped {
    Skipped {
        reason: reason.as_str().to_owned(),
        count: some.count,
    }
}

fn confidence(seen: &Investigation) -> Confidence {
    let confidence = &seen.confidence;
    Confidence {
        level: confidence.level.as_str().to_owned(),
        quality: confidence.quality.as_str().to_owned(),
        met: confidence.coverage.met,
        required: confidence.coverage.required,
        agreement: confidence.agreement.to_string(),
        explanation: confidence.explanation.clone(),
    }
}

fn card(seen: &Investigation) -> Card {
    let card = scorecard::of(
        &seen.ledger,
        &requirement::of_goal(&seen.question.goal, Bar::Default),
    );
    Card {
        total_thousandths: card.total_thousandths,
        band: card.band.as_str().to_owned(),
        below: card.below.map(|threshold| threshold.as_str().to_owned()),
    }
}

/// Returns the name of a commit, a run or a log changes from run to run, so its kind replaces it.
fn spot(citation: &AnswerCitation) -> Spot {
    let path = match citation.resource {
        Resource::File => citation.path.clone(),
        Resource::Commit | Resource::Run | Resource::Log => citation.resource.as_str().to_owned(),
    };
    let text = citation
        .excerpt()
        .map_or_else(String::new, |excerpt| cut(&excerpt.text));
    Spot {
        path,
        line_start: citation.line_start(),
        line_end: citation.line_end(),
        what: citation.what.clone(),
        text,
    }
}

fn lead(lead: &grounds_ask::leads::Lead) -> Spot {
    Spot {
        path: lead.path.clone(),
        line_start: lead.line_start,
        line_end: lead.line_end,
        what: lead.why.clone(),
        text: String::new(),
    }
}

fn lack(lack: &grounds_evidence::Lack) -> Lack {
    let word = |word: &str| word.to_owned();
    Lack {
        class: word(lack.class.as_str()),
        target: lack.target.clone(),
        have: word(lack.have.as_str()),
        need: word(lack.need.as_str()),
    }
}

fn entry(entry: &grounds_evidence::LedgerEntry) -> Entry {
    let seen = &entry.observation;
    let place = |source: &ObservationSource| {
        // Line 0 means the resource as a whole, which has no line to show.
        if source.line_start == 0 {
            source.path.clone()
        } else {
            format!("{}:{}", source.path, source.line_start)
        }
    };
    Entry {
        class: seen.class.as_str().to_owned(),
        tool: seen.tool.to_owned(),
        target: seen.target.clone(),
        found: seen.found.as_str().to_owned(),
        relation: seen.relation.as_str().to_owned(),
        quality: entry.rating().as_str().to_owned(),
        strength: entry.strength().as_str().to_owned(),
        match_count: seen.match_count,
        places: seen.sources.iter().take(PLACES_MAX).map(place).collect(),
    }
}

fn step(step: &grounds_ask::investigate::ToolCall) -> Step {
    Step {
        tool: step.tool.to_owned(),
        target: step.target.clone(),
        error: step.error.as_ref().map(ToString::to_string),
    }
}

fn cut(text: &str) -> String {
    let mut end = text.len().min(TEXT_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}
