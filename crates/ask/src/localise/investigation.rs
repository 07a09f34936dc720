//! Turns a text into an investigation of what it points at.
//!
//! A ranking is not a proof. Whatever the ranking found, the outcome is insufficient with leads,
//! and the ledger has observations at Moderate at most.

use std::path::PathBuf;
use std::time::Instant;

use grounds_evidence::requirement::{self, Bar};
use grounds_evidence::{
    EvidenceClass, Family, Gap, Goal, Intent, Ledger, Match, Observation, ObservationSource,
    Outcome, QuestionTarget, RefusalKind, Relation, TargetKind, WantedRelation, confidence, gap,
};
use grounds_repo::checkout::Checkout;
use grounds_repo::enquiry::Enquiry;
use grounds_repo::limits::Limits;
use grounds_repo::path::RepoPath;
use grounds_repo::survey::Progress;
use grounds_repo::text;

use super::clues::Clues;
use super::{FileRanking, RankedFile};
use crate::budget::QuestionBudget;
use crate::event::AskEvent;
use crate::investigate::{Investigation, ToolCall};
use crate::leads::{Lead, Leads};
use crate::question::{FormWants, Question, QuestionError, TARGET_BYTES_MAX};

/// Maximum number of bytes of the line that a lead shows.
const LINE_BYTES_MAX: usize = 120;
/// Maximum size in bytes of a file from which a lead shows a line.
const LINE_FILE_BYTES_MAX: u64 = 4 << 20;

/// The name of the producer.
pub(crate) const TOOL: &str = "localise";

/// A text as given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// The text.
    pub text: String,
    /// Whether the text is longer than what was read.
    pub is_cut: bool,
    /// The file that it was read from, with links resolved; `None` for standard input. If it is in
    /// the tree, it is no lead for itself.
    pub file: Option<PathBuf>,
}

/// Ranks a text, and returns what was found as leads.
///
/// # Errors
/// [`QuestionError::Empty`] for a text without a word.
pub fn investigate_text(
    text: &Text,
    checkout: &Checkout,
    budget: &QuestionBudget,
    progress: &Progress,
    on_event: &dyn Fn(AskEvent),
) -> Result<Investigation, QuestionError> {
    let checkout = &checkout.for_one_run();
    let start = Instant::now();
    let title = title_of(&text.text).ok_or(QuestionError::Empty)?;
    on_event(AskEvent::Step {
        tool: TOOL,
        target: title.clone(),
    });
    let clues = clues_of(text, checkout, budget);
    let ranking = super::rank_clues(checkout, &clues, &budget.limits, progress);
    let ranking = ranking.shown(
        checkout,
        &budget.limits,
        super::FILES_MAX.min(budget.leads_max),
    );
    let question = question_of(title, &clues, &ranking);
    let ledger = ledger_of(&question, &clues, &ranking, checkout, budget);
    let is_empty = question.goal.targets.is_empty();
    let requirements = if is_empty {
        Vec::new()
    } else {
        requirement::of_goal(&question.goal, Bar::Default)
    };
    Ok(Investigation {
        outcome: if is_empty {
            Outcome::NotCheckable
        } else {
            Outcome::Insufficient(RefusalKind::CannotTell)
        },
        confidence: confidence::derive(&question.goal, &requirements, &ledger),
        gap: if is_empty {
            Gap::default()
        } else {
            gap::of(&question.goal, &requirements, &ledger)
        },
        ledger,
        leads: Leads {
            places: leads_of(&ranking, budget.leads_max),
            did_you_mean: Vec::new(),
            bounds: Vec::new(),
        },
        scope: ranking.scope,
        tree: checkout.tree_state(),
        steps: vec![ToolCall {
            tool: TOOL,
            target: question.text.clone(),
            error: None,
        }],
        bounds: ranking.bounds,
        elapsed: start.elapsed(),
        is_ranking: true,
        ranked: ranking.files.into_iter().take(budget.leads_max).collect(),
        ..Investigation::blank(question)
    })
}

fn clues_of(text: &Text, checkout: &Checkout, budget: &QuestionBudget) -> Clues {
    let mut clues = super::clues::read_within(&text.text, budget.text_bytes_max);
    if text.is_cut && !clues.bounds.contains(&"text_bytes_max") {
        clues.bounds.push("text_bytes_max");
    }
    clues.own_file = text
        .file
        .as_deref()
        .and_then(|file| RepoPath::below(checkout.root(), file));
    clues
}

/// Returns the files of a ranking as leads, each with its best place.
pub fn leads_of(ranking: &FileRanking, most: usize) -> Vec<Lead> {
    ranking.files.iter().take(most).map(lead_of).collect()
}

/// Like [`leads_of`], each with the text of its first line.
pub(crate) fn leads_with_lines(
    ranking: &FileRanking,
    checkout: &Checkout,
    limits: &Limits,
    most: usize,
) -> Vec<Lead> {
    let mut leads = leads_of(&ranking.shown(checkout, limits, most), most);
    for lead in &mut leads {
        if let Some(line) = line_of(checkout, lead) {
            lead.why = format!("`{line}`: {}", lead.why);
        }
    }
    leads
}

/// Returns the first line of a lead without its margin; `None` if it is empty or cannot be read.
fn line_of(checkout: &Checkout, lead: &Lead) -> Option<String> {
    let before = usize::try_from(lead.line_start).ok()?.checked_sub(1)?;
    let source = text::read_whole(&checkout.root().join(&lead.path), LINE_FILE_BYTES_MAX).ok()?;
    let source = String::from_utf8_lossy(&source);
    let line = source.lines().nth(before)?.trim();
    let end = line.floor_char_boundary(LINE_BYTES_MAX);
    (!line.is_empty()).then(|| line[..end].to_owned())
}

fn lead_of(file: &RankedFile) -> Lead {
    let best = file.spans.first();
    let named = file.spans.iter().filter(|span| !span.name.is_empty());
    let shown: Vec<String> = named
        .map(|span| {
            let lines = if best == Some(span) {
                String::new()
            } else {
                format!(" ({}-{})", span.line_start, span.line_end)
            };
            format!("`{}`{lines}", span.name)
        })
        .collect();
    let places = if shown.is_empty() {
        String::new()
    } else {
        format!("{}: ", shown.join(", "))
    };
    Lead {
        path: file.path.as_str().to_owned(),
        line_start: best.map_or(0, |span| span.line_start),
        line_end: best.map_or(0, |span| span.line_end),
        why: format!("{places}{}", file.why.join("; ")),
    }
}

/// Returns the first line with a word, truncated to the size of a target.
fn title_of(text: &str) -> Option<String> {
    let line = text
        .lines()
        .map(|line| line.trim().trim_start_matches('#').trim())
        .find(|line| line.chars().any(char::is_alphanumeric))?;
    Some(line[..line.floor_char_boundary(TARGET_BYTES_MAX)].to_owned())
}

/// Returns the text as a goal: to locate what it is about. A text without a clue has no target.
fn question_of(title: String, clues: &Clues, ranking: &FileRanking) -> Question {
    let is_about_something =
        !clues.stems.is_empty() || !clues.names.is_empty() || !clues.mentions.is_empty();
    let target = QuestionTarget {
        text: title.clone(),
        kind: TargetKind::Quoted,
        wanted: WantedRelation::Occurrence,
    };
    let goal = Goal {
        intent: Intent::Locate,
        targets: is_about_something.then_some(target).into_iter().collect(),
        about_ci: false,
    };
    let Enquiry {
        within,
        history,
        execution,
        ..
    } = Enquiry::default();
    Question {
        text: title,
        goal,
        wants: FormWants::Occurrence,
        within,
        history,
        execution,
        trace: None,
        left_aside: Vec::new(),
        bounds: ranking.bounds.clone(),
    }
}

/// Records what was seen: the ranking, and a second look at its first file.
fn ledger_of(
    question: &Question,
    clues: &Clues,
    ranking: &FileRanking,
    checkout: &Checkout,
    budget: &QuestionBudget,
) -> Ledger {
    let mut ledger = Ledger::new(&question.goal.targets);
    let (Some(target), Some(first)) = (question.goal.targets.first(), ranking.files.first()) else {
        return ledger;
    };
    let ranked = if first.is_named {
        Match::RankedByName
    } else {
        Match::RankedByWords
    };
    // Files that are named and files that only have words are of different strength, so one
    // observation has one sort.
    let alike: Vec<&RankedFile> = ranking
        .files
        .iter()
        .filter(|file| file.is_named == first.is_named)
        .collect();
    let sources = alike
        .iter()
        .take(budget.leads_max)
        .map(|file| source_of(file))
        .collect();
    let count = alike.len() as u64;
    ledger.record(observation(
        EvidenceClass::FileSearch,
        TOOL,
        Family::Search,
        target,
        ranked,
        (count, sources),
    ));
    let path = checkout.root().join(first.path.as_path());
    let read = text::read_whole(&path, budget.limits.parse_file_bytes_max).unwrap_or_default();
    // The file is read again, since a name in code or a quoted message in it is stronger than a
    // count of words.
    let holds = |name: &str| memchr::memmem::find(&read, name.as_bytes()).is_some();
    let is_held = clues
        .names
        .iter()
        .any(|name| name.is_code && holds(&name.text))
        || clues.literals.iter().any(|literal| holds(literal));
    let found = if is_held {
        Match::ReadRanked
    } else {
        Match::ReadFirst
    };
    ledger.record(observation(
        EvidenceClass::FileContent,
        "read",
        Family::Reader,
        target,
        found,
        (1, vec![source_of(first)]),
    ));
    ledger
}

fn source_of(file: &RankedFile) -> ObservationSource {
    let path = file.path.as_str().to_owned();
    file.spans.first().map_or_else(
        || ObservationSource::whole(file.path.as_str()),
        |span| ObservationSource {
            path,
            line_start: span.line_start,
            line_end: span.line_end,
        },
    )
}

fn observation(
    class: EvidenceClass,
    tool: &'static str,
    family: Family,
    target: &QuestionTarget,
    found: Match,
    (match_count, sources): (u64, Vec<ObservationSource>),
) -> Observation {
    let (query, target) = (target.text.clone(), target.text.clone());
    let relation = Relation::Unlabelled;
    Observation {
        class,
        tool,
        family,
        query,
        target,
        found,
        relation,
        match_count,
        exact_match_count: 0,
        phrase_match: false,
        sources,
    }
}
