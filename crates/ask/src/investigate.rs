//! The loop: gap → tool → ledger → gate, until the gap is closed, no tool can
//! close it, or a bound is reached. Before a refusal, one announced second pass
//! looks into hidden and ignored folders.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant, SystemTime};

use grounds_evidence::outcome::{self, Circumstances};
use grounds_evidence::requirement::{self, Bar};
use grounds_evidence::{
    Confidence, ConfidenceLevel, EvidenceClass, Gap, Intent, Lack, Ledger, Match, Observation,
    Outcome, QuestionTarget, RefusalKind, Requirement, TargetKind, WantedRelation, confidence,
    corroborate, gap,
};
use grounds_repo::bench::Bench;
use grounds_repo::checkout::Checkout;
use grounds_repo::excerpt;
use grounds_repo::git::TreeState;
use grounds_repo::history::What;
use grounds_repo::hypotheses::NAMES_MAX;
use grounds_repo::index::{Consulted, Unusable};
use grounds_repo::means::Means;
use grounds_repo::needles::Needles;
use grounds_repo::owner::Ownership;
use grounds_repo::recover;
use grounds_repo::scope::{SearchScope, SkipReason};
use grounds_repo::spelled;
use grounds_repo::survey::Progress;
use grounds_repo::tool::{Tool, ToolError, ToolRequest};
use grounds_repo::tools;
use grounds_repo::tracked;

use crate::answer::{self, Answer, AnswerDesk, AnswerSection};
use crate::area_names;
use crate::budget::QuestionBudget;
use crate::claimed::{self, Understood};
use crate::decision::{self, Decision};
use crate::event::AskEvent;
use crate::hypotheses::{self, Hypotheses, Plea, Proposer};
use crate::leads::{self, Lead, Leads};
use crate::likely_value;
use crate::localise::RankedFile;
use crate::planner::{self, PlanStep, Ran};
use crate::prose::Prose;
use crate::question::Question;
use crate::several::{self, JointQuestion};

/// One call of a tool, as it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// The tool.
    pub tool: &'static str,
    /// The target; empty for the project.
    pub target: String,
    /// What went wrong, if anything did.
    pub error: Option<ToolError>,
}

/// A question's whole investigation.
#[derive(Debug)]
pub struct Investigation {
    /// What was asked.
    pub question: Question,
    /// How it ended.
    pub outcome: Outcome,
    /// The decision of a yes-or-no question; `None` for other questions, and if it was not
    /// answered.
    pub decision: Option<Decision>,
    /// How sure the evidence makes us.
    pub confidence: Confidence,
    /// Requirements that the evidence does not meet.
    pub gap: Gap,
    /// All evidence.
    pub ledger: Ledger,
    /// The answer; `None` if the question was not answered.
    pub answer: Option<Answer>,
    /// Where to look next, if there is no answer.
    pub leads: Leads,
    /// What was covered.
    pub scope: SearchScope,
    /// The commit and whether the tree differs from it.
    pub tree: TreeState,
    /// The forms of the names that were looked for.
    pub forms: Vec<String>,
    /// The calls of tools, in order.
    pub steps: Vec<ToolCall>,
    /// Ways to recover that were tried, and what each of them closed.
    pub recovery: Vec<RecoveryAttempt>,
    /// The bounds that were reached.
    pub bounds: Vec<&'static str>,
    /// How long it took.
    pub elapsed: Duration,
    /// The result of a compiler's index, or why it could not be used; `None` if no index was asked.
    pub index: Option<Result<Rc<Consulted>, Unusable>>,
    /// Reply to talk that asks nothing about a codebase, or the sentence of a refused claim; `None`
    /// otherwise.
    pub says: Option<String>,
    /// Whether a text was ranked and no question asked: the leads are the result.
    pub is_ranking: bool,
    /// Findings that are shown with a refusal if only runs of the project are lacking. They are no
    /// answer.
    pub findings: Vec<AnswerSection>,
    /// Names that were proposed because the question's own words gave no answer, with their
    /// results; `None` if no proposer was asked.
    pub hypotheses: Option<Hypotheses>,
    /// The answer in sentences of a writer, checked after the gate; `None` if there is no writer.
    pub prose: Option<Prose>,
    /// The ranked files with their places, the likeliest first; empty if a question was asked.
    pub ranked: Vec<RankedFile>,
    /// Claims that the question was understood as; `None` if they say no more than the question
    /// itself.
    pub understood: Option<Understood>,
    /// Investigations of questions that were asked together, one each; empty for a single question.
    pub each: Vec<Self>,
}

/// One way to recover, tried because the gap stayed open. A metric, never evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecoveryAttempt {
    /// Which way.
    pub way: &'static str,
    /// Places that it found.
    pub found: u64,
    /// Requirements that it closed.
    pub closed: usize,
}

/// The way that reads hidden and ignored files.
pub const HIDDEN_AND_IGNORED: &str = "hidden_and_ignored";

/// State that the loop carries from step to step.
struct InvestigationState<'a> {
    question: &'a Question,
    budget: &'a QuestionBudget,
    bar: Bar,
    ledger: Ledger,
    steps: Vec<ToolCall>,
    ran: Ran,
    bounds: Vec<&'static str>,
    deadline: Instant,
    on_event: &'a dyn Fn(AskEvent),
}

/// Observers of a run, and the proposer that may be asked for names.
#[derive(Clone, Copy)]
pub struct Company<'c> {
    /// Progress of the passes over the tree.
    pub progress: &'c Progress,
    /// Callback for each event of the run.
    pub on_event: &'c dyn Fn(AskEvent),
    /// Proposer of names, asked if the question's own words give no answer; `None` if nothing may
    /// be asked.
    pub proposer: Option<&'c dyn Proposer>,
}

/// Investigates a question in a checkout, by its own words alone.
pub fn investigate(
    question: Question,
    checkout: &Checkout,
    budget: &QuestionBudget,
    bar: Bar,
    means: &Means,
    progress: &Progress,
    on_event: &dyn Fn(AskEvent),
) -> Investigation {
    investigate_in(
        question,
        checkout,
        budget,
        bar,
        means,
        Company {
            progress,
            on_event,
            proposer: None,
        },
    )
}

/// Investigates a question in a checkout: by its claims if they account for every word, else by the
/// loop of this module.
pub fn investigate_in(
    question: Question,
    checkout: &Checkout,
    budget: &QuestionBudget,
    bar: Bar,
    means: &Means,
    company: Company<'_>,
) -> Investigation {
    let checkout = &checkout.for_one_run();
    investigate_one(question, checkout, budget, bar, means, company)
}

/// Investigates a question in the checkout of a run.
fn investigate_one(
    question: Question,
    checkout: &Checkout,
    budget: &QuestionBudget,
    bar: Bar,
    means: &Means,
    company: Company<'_>,
) -> Investigation {
    // A value is ranked last, and nobody is asked for names if that answers.
    if company.proposer.is_some() && likely_value::may_answer(&question.text) {
        let alone = Company {
            proposer: None,
            ..company
        };
        let seen = investigate_one(question.clone(), checkout, budget, bar, means, alone);
        if seen.answer.is_some() {
            return seen;
        }
    }
    let older = |question| investigate_older(question, checkout, budget, bar, means, company);
    let began = SystemTime::now();
    let mut seen = claimed::investigate(question, checkout, budget, &older);
    // The loop checks the citations of its own answers; those of claims are checked here.
    if seen.understood.is_some() {
        seen.check_citations(checkout, budget, began);
    }
    seen
}

/// Investigates several questions and claims in one run, each by itself. A refusal does not affect
/// the others.
pub fn investigate_each(
    asked: Vec<JointQuestion>,
    checkout: &Checkout,
    budget: &QuestionBudget,
    bar: Bar,
    means: &Means,
    company: Company<'_>,
) -> Investigation {
    let checkout = &checkout.for_one_run();
    several::look_ahead(&asked, checkout, &budget.limits, company.progress);
    let one = |asked| match asked {
        JointQuestion::Question(question) => {
            investigate_one(*question, checkout, budget, bar, means, company)
        }
        JointQuestion::Claim(claim) => {
            decide_claims(vec![*claim], checkout, budget, means, company)
        }
        JointQuestion::Unread { text, why } => claimed::not_read(text, &why, checkout, budget),
    };
    several::together(asked.into_iter().map(one).collect())
}

/// Decides claims that were given as claims, one after the other.
pub fn investigate_claims(
    claims: Vec<grounds_claims::Claim>,
    checkout: &Checkout,
    budget: &QuestionBudget,
    means: &Means,
    company: Company<'_>,
) -> Investigation {
    let checkout = &checkout.for_one_run();
    decide_claims(claims, checkout, budget, means, company)
}

/// Decides claims in the checkout of a run.
fn decide_claims(
    claims: Vec<grounds_claims::Claim>,
    checkout: &Checkout,
    budget: &QuestionBudget,
    means: &Means,
    company: Company<'_>,
) -> Investigation {
    let older =
        |question| investigate_older(question, checkout, budget, Bar::Default, means, company);
    let began = SystemTime::now();
    let text: Vec<String> = claims.iter().map(ToString::to_string).collect();
    let mut seen = claimed::given(
        Question::of_claims(text.join("; ")),
        claims,
        checkout,
        budget,
        &older,
    );
    seen.check_citations(checkout, budget, began);
    seen
}

/// Investigates a question in a checkout. If its own words give no answer, the proposer may be
/// asked for names once. A word with the form of a file name that matches no file (`Response.json`)
/// is also searched as a symbol before it is reported absent.
fn investigate_older(
    question: Question,
    checkout: &Checkout,
    budget: &QuestionBudget,
    bar: Bar,
    means: &Means,
    company: Company<'_>,
) -> Investigation {
    let (names, texts) = (
        question.with_files_as_names(),
        question.with_files_as_text(),
    );
    let asks_for_file = question.wants_file();
    let start = Instant::now();
    let as_asked = investigate_once(question, checkout, budget, bar, means, company);
    let is_absent = |investigation: &Investigation| {
        investigation.outcome == Outcome::Insufficient(RefusalKind::NotFound)
    };
    let says_more = |other: &Investigation| {
        // A question that could ask for a file is answered by a name only if that name was found.
        if asks_for_file {
            other.outcome == Outcome::Answered
        } else {
            !is_absent(other) || !other.leads.places.is_empty()
        }
    };
    // Each further attempt gets what is left of the time of the whole question.
    let rest = || {
        let spent_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        QuestionBudget {
            total_ms_max: budget.total_ms_max.saturating_sub(spent_ms),
            ..*budget
        }
    };
    let other = names
        .filter(|_| is_absent(&as_asked))
        .map(|names| investigate_once(names, checkout, &rest(), bar, means, company));
    if let Some(other) = other.filter(says_more) {
        return other;
    }
    let as_text = texts
        // "Where is auth.json read?" asks for the lines that write the name, even if the file
        // exists.
        .filter(|texts| is_absent(&as_asked) || texts.says_what_is_done())
        .map(|texts| investigate_once(texts, checkout, &rest(), bar, means, company));
    match as_text.filter(|other| other.outcome == Outcome::Answered) {
        Some(other) if other.question.says_what_is_done() => other,
        // The file itself was asked for and stays absent; the lines that name it are leads.
        Some(other) => as_asked.with_mentions(&other),
        None => as_asked,
    }
}

fn investigate_once(
    question: Question,
    checkout: &Checkout,
    budget: &QuestionBudget,
    bar: Bar,
    means: &Means,
    company: Company<'_>,
) -> Investigation {
    let Company {
        progress,
        on_event,
        proposer,
    } = company;
    let (start, began) = (Instant::now(), SystemTime::now());
    // git reads the state of the tree while the search runs, since neither needs the other.
    let looked_at = checkout.clone();
    let tree = std::thread::spawn(move || looked_at.tree_state());
    let question = area_names::resolved(question, checkout, &budget.limits);
    let enquiry = question.enquiry();
    let targets = &enquiry.targets;
    let mut run = InvestigationState {
        question: &question,
        budget,
        bar,
        ledger: Ledger::new(targets),
        steps: Vec::new(),
        ran: Ran::new(),
        bounds: Vec::new(),
        deadline: start + Duration::from_millis(budget.total_ms_max),
        on_event,
    };
    let mut bench = Bench::new(checkout, &budget.limits, &enquiry, means, progress);
    run.close_gap(&mut bench, 0);
    let mut scope = bench.scope();
    let mut recovery = run.recover(&mut bench);
    let mut hidden = None;
    if run.wants_second_pass() {
        on_event(AskEvent::SecondPass);
        let (before, places) = (run.gap().lacks.len(), run.places_found());
        let mut second = bench.over_hidden_and_ignored();
        run.close_gap(&mut second, 1);
        scope.merge(&second.scope());
        let closed = before - run.gap().lacks.len().min(before);
        recovery.push(RecoveryAttempt {
            way: HIDDEN_AND_IGNORED,
            found: run.places_found() - places,
            closed,
        });
        hidden = Some(second);
    }
    let hypotheses = proposer.and_then(|proposer| run.test_hypotheses(proposer, &bench));
    let tree = tree.join().unwrap_or_default();
    // Files that a sparse checkout leaves out are not on disk and could contain the name.
    if tree.sparse {
        scope.skip(SkipReason::Sparse, "what the sparse checkout leaves out");
    }
    run.bounds.extend(
        bench
            .ci_findings()
            .iter()
            .flat_map(|findings| findings.bounds.iter()),
    );
    let (gap, confidence) = (run.gap(), run.confidence());
    // Before the decision: something that was asked for and not read keeps it from an absence.
    unread(&question, &bench, &mut scope);
    let mut decide = |scope: &SearchScope| {
        let circumstances = run.circumstances(&gap, scope, &mut bench);
        outcome::decide(&question.goal, &gap, &confidence, circumstances)
    };
    let mut outcome = decide(&scope);
    // These checks are only made before absence is claimed. A tracked file that is not on disk, or
    // a file with another spelling of the name, turns it into `cannot_tell`.
    if outcome == Outcome::Insufficient(RefusalKind::NotFound) {
        if !tree.sparse {
            tracked::told(checkout, &mut scope);
        }
        for path in spelled::look(checkout, targets, &budget.limits) {
            scope.skip(SkipReason::OtherForm, path.as_str());
        }
        outcome = decide(&scope);
    }
    let InvestigationState {
        mut ledger,
        steps,
        mut bounds,
        ..
    } = run;
    bounds.extend(&question.bounds);
    let desk = AnswerDesk {
        question: &question,
        ledger: &mut ledger,
        bench: &mut bench,
        hidden: hidden.as_mut(),
        budget,
    };
    let (answer, findings) = match outcome {
        Outcome::Answered => (answer::write(desk), Vec::new()),
        Outcome::Insufficient(_) if gap.lacks_nothing_of_the_text() => {
            (None, answer::findings(desk))
        }
        Outcome::Insufficient(_)
        | Outcome::Conflicting
        | Outcome::NotCheckable
        | Outcome::Failed => (None, Vec::new()),
    };
    // A passed gate without anything to cite is a fault of ours, never an answer.
    let outcome = if outcome == Outcome::Answered && answer.is_none() {
        Outcome::Failed
    } else {
        outcome
    };
    let mut leads = leads::gather(
        outcome, &question, &ledger, &mut bench, budget, &findings, on_event,
    );
    leads.after(hypotheses.as_ref().filter(|_| answer.is_none()), budget);
    bounds.extend(&leads.bounds);
    let index = bench.index_said().cloned();
    let forms = Needles::of_targets(targets)
        .all()
        .iter()
        .map(|needle| needle.text.clone())
        .collect();
    let says = answer::chat::says(&question.goal);
    let elapsed = start.elapsed();
    let ci = bench.ci_findings();
    let decision = decision::of(&question, outcome, &ledger, ci.as_deref());
    let mut investigation = Investigation {
        outcome,
        decision,
        confidence,
        gap,
        ledger,
        answer,
        leads,
        scope,
        tree,
        forms,
        steps,
        recovery,
        bounds,
        elapsed,
        question,
        index,
        says,
        is_ranking: false,
        findings,
        hypotheses,
        prose: None,
        ranked: Vec::new(),
        understood: None,
        each: Vec::new(),
    };
    on_event(AskEvent::Checking);
    // Last of all, so that a file that changed during any step above is seen.
    investigation.check_citations(checkout, budget, began);
    investigation
}

/// Records what the question asks for and was not read: a folder that does not exist, or a tree
/// without files.
fn unread(question: &Question, bench: &Bench<'_>, scope: &mut SearchScope) {
    // Nothing else is searched in the place of a folder that does not exist.
    for folder in question.within.missing(bench.checkout, bench.limits) {
        scope.skip(SkipReason::NoSuchPath, folder);
    }
    // An empty folder shows no absence: there was nothing to read.
    if bench.has_searched() && scope.files_searched == 0 && scope.skipped.is_empty() {
        scope.skip(SkipReason::NothingToRead, ".");
    }
}

impl InvestigationState<'_> {
    fn requirements(&self) -> Vec<Requirement> {
        let requirements = requirement::of_goal(&self.question.goal, self.bar);
        match self.question.goal.intent == Intent::Execute {
            true => requirement::of_execution(requirements, self.question.execution, &self.ledger),
            false => requirements,
        }
    }

    fn gap(&self) -> Gap {
        let requirements = self.requirements();
        gap::of(&self.question.goal, &requirements, &self.ledger)
    }

    fn confidence(&self) -> Confidence {
        let requirements = self.requirements();
        confidence::derive(&self.question.goal, &requirements, &self.ledger)
    }

    /// Takes steps while the gap is open and a tool can still close some of it.
    fn close_gap(&mut self, bench: &mut Bench<'_>, round: usize) {
        if is_without_target(self.question) {
            return;
        }
        let at_hand: Vec<&'static dyn Tool> = tools::ALL
            .iter()
            .copied()
            .filter(|tool| tool.is_at_hand(bench))
            .collect();
        while let Some(step) = self.next_step(&at_hand, round) {
            if !self.may_go_on() || !self.take(&step, bench, round) {
                return;
            }
        }
    }

    /// Returns the next step: another family of evidence for a requirement that is met, else the
    /// cheapest tool for a lack.
    fn next_step(&self, at_hand: &[&'static dyn Tool], round: usize) -> Option<PlanStep> {
        let goal = &self.question.goal;
        let standings = gap::standings(goal, &requirement::of_goal(goal, self.bar), &self.ledger);
        let voice = planner::next_voice(
            &standings,
            &goal.targets,
            &self.ledger,
            at_hand,
            &self.ran,
            round,
        );
        voice.or_else(|| {
            planner::next(
                &self.gap(),
                &goal.targets,
                &self.ledger,
                at_hand,
                &self.ran,
                round,
            )
        })
    }

    fn may_go_on(&mut self) -> bool {
        if self.steps.len() >= self.budget.steps_max {
            self.bounds.push("steps_max");
        }
        if Instant::now() > self.deadline {
            self.bounds.push("total_ms_max");
        }
        self.bounds.is_empty()
    }

    /// Runs one tool; returns false if it broke and the run must stop.
    fn take(&mut self, step: &PlanStep, bench: &mut Bench<'_>, round: usize) -> bool {
        let tool = step.tool.card().name;
        let target = step.target.map_or_else(String::new, |number| {
            self.question.goal.targets[number].text.clone()
        });
        (self.on_event)(AskEvent::Step {
            tool,
            target: target.clone(),
        });
        self.ran.push((tool, step.target, round));
        let request = ToolRequest {
            target: step.target,
            pointed_at: &step.pointed_at,
        };
        let start = Instant::now();
        let run = step.tool.run(bench, request);
        // A build and a run of the tests have a time limit of their own (`run_ms_max`), so their
        // time does not count towards `total_ms_max`.
        if step
            .tool
            .card()
            .offers
            .iter()
            .any(|offer| matches!(offer.class, EvidenceClass::Build | EvidenceClass::Test))
        {
            self.deadline += start.elapsed();
        }
        let error = match run {
            Ok(observations) => {
                for observation in observations {
                    self.ledger.record(observation);
                }
                None
            }
            Err(error) => Some(error),
        };
        let broke = error.as_ref().is_some_and(|error| error.is_broken);
        self.steps.push(ToolCall {
            tool,
            target,
            error,
        });
        !broke
    }

    /// Tries the ways to recover a name that was not found as it was asked for, one after the
    /// other, until the gap is closed.
    fn recover(&mut self, bench: &mut Bench<'_>) -> Vec<RecoveryAttempt> {
        let mut attempts = Vec::new();
        for &(way, look) in recover::WAYS {
            let before = self.gap().lacks.len();
            let numbers = self.lacking_names();
            if numbers.is_empty() || !self.wants_second_pass() || Instant::now() > self.deadline {
                break;
            }
            let found: Vec<Observation> = numbers
                .into_iter()
                .filter_map(|number| look(bench, number))
                .flatten()
                .collect();
            if found.is_empty() {
                continue;
            }
            let count = found
                .iter()
                .map(|observation| observation.match_count)
                .sum();
            found.into_iter().for_each(|observation| {
                self.ledger.record(observation);
            });
            // The finds may be read now: the reader runs after a search that points at something.
            self.close_gap(bench, 0);
            attempts.push(RecoveryAttempt {
                way,
                found: count,
                closed: before - self.gap().lacks.len().min(before),
            });
        }
        attempts
    }

    /// Returns the targets that name something in code, want its definition, and lack it.
    fn lacking_names(&self) -> Vec<usize> {
        let lacks = self.gap().lacks;
        let is_name = |target: &QuestionTarget| {
            matches!(target.kind, TargetKind::Identifier | TargetKind::SymbolPath)
        };
        let is_lacking = |target: &QuestionTarget| {
            lacks
                .iter()
                .any(|lack| lack.class == EvidenceClass::FileSearch && lack.target == target.text)
        };
        let targets = self.question.goal.targets.iter().enumerate();
        targets
            .filter(|(_, target)| {
                is_name(target) && target.wanted == WantedRelation::Definition && is_lacking(target)
            })
            .map(|(number, _)| number)
            .collect()
    }

    /// Asks once for other names of the lacking targets, and records how the question's own words
    /// match what those names find.
    fn test_hypotheses(
        &mut self,
        proposer: &dyn Proposer,
        bench: &Bench<'_>,
    ) -> Option<Hypotheses> {
        let question = self.question;
        let lacks = self.gap().lacks;
        let is_lacking = |target: &&QuestionTarget| {
            lacks
                .iter()
                .any(|lack| lack.class == EvidenceClass::FileSearch && lack.target == target.text)
        };
        let targets: Vec<&QuestionTarget> = question
            .goal
            .targets
            .iter()
            .filter(is_lacking)
            .filter(|target| hypotheses::may_have_another_name(target))
            .collect();
        let names_nothing = is_without_target(question) && question.goal.intent != Intent::Chat;
        // A search that broke or reached a bound does not show that the question's own words fail.
        let is_at_an_end =
            self.broke() || !self.bounds.is_empty() || Instant::now() > self.deadline;
        if is_at_an_end || self.budget.hypotheses_max == 0 || (targets.is_empty() && !names_nothing)
        {
            return None;
        }
        (self.on_event)(AskEvent::Hypotheses);
        let lacking = targets.iter().map(|target| target.text.as_str()).collect();
        let plea = Plea {
            question: &question.text,
            lacking,
            names_max: self.budget.hypotheses_max.min(NAMES_MAX),
        };
        let (hypotheses, observations) =
            hypotheses::test(proposer, &plea, question.goal.intent, &targets, bench);
        for observation in observations {
            self.ledger.record(observation);
        }
        Some(hypotheses)
    }

    /// Returns the number of places that the search has found so far.
    fn places_found(&self) -> u64 {
        let entries = self
            .ledger
            .entries()
            .iter()
            .filter(|entry| entry.observation.class == EvidenceClass::FileSearch);
        entries.map(|entry| entry.observation.match_count).sum()
    }

    /// Reports whether a second pass reads hidden and ignored files: the search lacks something,
    /// and the first pass was not cut short.
    fn wants_second_pass(&self) -> bool {
        let searched = self.steps.iter().any(|step| step.error.is_none());
        let lacks_search = self
            .gap()
            .lacks
            .iter()
            .any(|lack| lack.class == EvidenceClass::FileSearch);
        lacks_search
            && searched
            && self.bounds.is_empty()
            && !self.broke()
            && !is_without_target(self.question)
    }

    fn broke(&self) -> bool {
        self.steps
            .iter()
            .any(|step| step.error.as_ref().is_some_and(|error| error.is_broken))
    }

    fn circumstances(
        &self,
        gap: &Gap,
        scope: &SearchScope,
        bench: &mut Bench<'_>,
    ) -> Circumstances {
        let refused = self
            .steps
            .iter()
            .any(|step| step.error.as_ref().is_some_and(|error| !error.is_broken));
        let targets = self.question.goal.targets.iter().enumerate();
        let lacking: Vec<(usize, &QuestionTarget)> = targets
            .filter(|(_, target)| gap.lacks.iter().any(|lack| lack.target == target.text))
            .collect();
        Circumstances {
            broke: self.broke(),
            // A question with nine names of which eight were searched is not answered.
            left_out: !self.question.bounds.is_empty(),
            scope_complete: scope.is_complete() && self.bounds.is_empty(),
            candidates_complete: !scope
                .skipped
                .keys()
                .any(|reason| reason.is_of_a_candidate()),
            target_occurs: self.is_still_there(bench)
                || lacking
                    .iter()
                    .any(|(number, target)| self.occurs(target, *number, bench)),
            disputed: self
                .question
                .goal
                .targets
                .iter()
                .any(|target| corroborate::is_disputed(&self.ledger, &target.text)),
            // A build or test run that shows too little does not prove an absence, nor does a
            // project of an unknown kind.
            beyond_tools: refused
                || gap.lacks_only(EvidenceClass::Discovery)
                || gap
                    .lacks
                    .iter()
                    .any(|lack| is_of_a_run(lack) || planner::is_beyond(lack, tools::ALL)),
        }
    }

    /// Reports whether the question asks when something was removed that is still in the tree.
    fn is_still_there(&self, bench: &mut Bench<'_>) -> bool {
        let asked = self
            .steps
            .iter()
            .any(|step| step.tool == "git" && step.error.is_none());
        asked
            && bench.history().as_ref().as_ref().is_ok_and(|findings| {
                findings
                    .told
                    .iter()
                    .any(|told| told.what == What::StillThere)
            })
    }

    /// Reports whether the tree contains a searched text only inside longer words.
    fn stands_inside_words(&self, target: &QuestionTarget) -> bool {
        let is_inside = |found: Match| matches!(found, Match::Substring { places: 1.. });
        target.wanted == WantedRelation::Occurrence
            && matches!(target.kind, TargetKind::Identifier | TargetKind::Quoted)
            && (self.ledger.about(EvidenceClass::FileSearch, &target.text))
                .any(|(_, entry)| is_inside(entry.observation.found))
    }

    /// Reports whether the target was seen exactly, in whatever relation or place.
    fn occurs(&self, target: &QuestionTarget, number: usize, bench: &mut Bench<'_>) -> bool {
        let seen = self
            .ledger
            .about(EvidenceClass::FileSearch, &target.text)
            .any(|(_, entry)| entry.observation.found.is_exact());
        seen || !bench.places(number).others.is_empty()
            || self.stands_inside_words(target)
            || bench.ownership(number) == Ownership::OwnerOnly
    }
}

/// Reports whether what is lacking is a build or a run of the tests.
const fn is_of_a_run(lack: &Lack) -> bool {
    matches!(lack.class, EvidenceClass::Build | EvidenceClass::Test)
}

/// Reports whether the question names nothing, so that there is nothing to search for.
fn is_without_target(question: &Question) -> bool {
    requirement::lacks_a_target(&question.goal)
}

impl Investigation {
    /// Returns an investigation without any result yet.
    pub(crate) fn blank(question: Question) -> Self {
        Self {
            outcome: Outcome::Insufficient(RefusalKind::CannotTell),
            decision: None,
            confidence: claimed::confidence(ConfidenceLevel::None, &[]),
            gap: Gap::default(),
            ledger: Ledger::new(&question.goal.targets),
            answer: None,
            leads: Leads::default(),
            scope: SearchScope::default(),
            tree: TreeState::default(),
            forms: Vec::new(),
            steps: Vec::new(),
            recovery: Vec::new(),
            bounds: Vec::new(),
            elapsed: Duration::ZERO,
            question,
            index: None,
            says: None,
            is_ranking: false,
            findings: Vec::new(),
            hypotheses: None,
            prose: None,
            ranked: Vec::new(),
            understood: None,
            each: Vec::new(),
        }
    }

    /// Returns the decision of a yes-or-no question; `None` if no such question was answered.
    /// `NotFound` decides whether something exists, with nothing to cite but the files that were
    /// read.
    pub fn decided(&self) -> Option<Decision> {
        let holds = self
            .understood
            .as_ref()
            .and_then(|understood| understood.holds);
        let by_claim = holds.map(|holds| if holds { Decision::Yes } else { Decision::No });
        let is_decided = [
            Outcome::Answered,
            Outcome::Insufficient(RefusalKind::NotFound),
        ]
        .contains(&self.outcome);
        self.decision.or(by_claim).filter(|_| is_decided)
    }

    /// Turns this into the refusal of an absent file, with the places that name it as leads.
    fn with_mentions(mut self, texts: &Self) -> Self {
        let cited = texts.answer.iter().flat_map(Answer::citations);
        let named = cited.filter_map(|citation| match &citation.cited {
            answer::CitedPart::Lines(excerpt) => Some(Lead {
                path: citation.path.clone(),
                line_start: excerpt.line_start,
                line_end: excerpt.line_end,
                why: "the text names it here; no such file is in the tree".to_owned(),
            }),
            answer::CitedPart::Whole | answer::CitedPart::Lost => None,
        });
        self.leads.places.splice(0..0, named);
        self.outcome = Outcome::Insufficient(RefusalKind::FoundButNotThat);
        self
    }

    /// Reads every cited file from disk once more. A citation that no longer matches word for word
    /// ends the run as failed.
    pub(crate) fn check_citations(
        &mut self,
        checkout: &Checkout,
        budget: &QuestionBudget,
        began: SystemTime,
    ) {
        let cited = self
            .answer
            .iter()
            .flat_map(Answer::citations)
            .chain(self.findings.iter().flat_map(|section| &section.citations));
        let mut of_files: BTreeMap<&str, Vec<&answer::AnswerCitation>> = BTreeMap::new();
        for citation in cited {
            of_files.entry(&citation.path).or_default().push(citation);
        }
        let has_changed = |(path, citations): &(&str, Vec<&answer::AnswerCitation>)| {
            // The file is read once for all of its citations.
            let bytes_max = budget.limits.file_bytes_max;
            let bytes = LazyCell::new(|| excerpt::file(checkout, path, bytes_max));
            let stands = |citation: &&answer::AnswerCitation| {
                citation.still_stands(|| bytes.as_deref())
                    && !citation.was_written_since(checkout, began)
            };
            !citations.iter().all(stands)
        };
        let changed: Vec<String> = of_files
            .into_iter()
            .filter(has_changed)
            .map(|(path, _)| path.to_owned())
            .collect();
        if !changed.is_empty() {
            changed
                .iter()
                .for_each(|path| self.scope.skip(SkipReason::Changed, path));
            self.outcome = Outcome::Failed;
            self.decision = None;
            self.answer = None;
            self.findings.clear();
        }
    }

    /// Reports whether the tree changed while it was read: the reader refuted places that the
    /// search reported, or a cited file changed.
    pub fn changed_meanwhile(&self) -> bool {
        let refuted = self
            .ledger
            .entries()
            .iter()
            .any(|entry| entry.observation.found == Match::ReadWithoutTarget);
        refuted || self.scope.skipped.contains_key(&SkipReason::Changed)
    }
}
