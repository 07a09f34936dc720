//! The model's part of a review: bundles in parallel under one budget, at most one follow-up for
//! all of them, and their results. The findings do not depend on which thread was first.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use grounds_model::budget::Spent;
use grounds_model::client::ClientNotes;
use grounds_model::{ModelClient, ModelError};

use crate::answer::{self, MayAsk, RawRequest};
use crate::bundle::{Bundle, Plan};
use crate::canary;
use crate::candidate::{self, Candidate};
use crate::diff::Diff;
use crate::event::ReviewEvent;
use crate::finding::{Finding, Producer, Severity};
use crate::follow_up::{self, Draft, Final, FollowUpReach, Provided, ReviewedSide, WantedLines};
use crate::options::PromptOptions;
use crate::prompt;
use crate::report::{
    BoundReached, BundleReport, Dropped, Failure, FollowUpRecord, FollowUpTaken, RequestFate,
    RequestRecord, WorstCase,
};
use crate::veil::Veil;

/// Tokens of the text around the second prompt, and of the answer format that a repair repeats.
const SHAPE_TOKENS: u64 = 1_000;

/// The input of the judgement by a model.
#[derive(Clone, Copy)]
pub struct JudgedCase<'c> {
    /// The change.
    pub diff: &'c Diff,
    /// The calls.
    pub plan: &'c Plan,
    /// The findings of the rules.
    pub rules: &'c [Finding],
    /// The reviewed side, from which a follow-up reads.
    pub source: &'c dyn ReviewedSide,
    /// The settings of the prompts.
    pub options: &'c PromptOptions,
    /// The secrets to mask.
    pub veil: &'c Veil,
}

/// The answers of a model, checked against the diff and against nothing else yet.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// Its findings, in the order of the bundles.
    pub candidates: Vec<Candidate>,
    /// Issues that did not become findings.
    pub dropped: Vec<Dropped>,
    /// Each call.
    pub bundles: Vec<BundleReport>,
    /// The bundles whose call failed.
    pub failed: Vec<usize>,
    /// The one follow-up.
    pub follow_up: FollowUpRecord,
    /// What failed.
    pub failures: Vec<Failure>,
    /// Bounds that were reached.
    pub bounds: Vec<BoundReached>,
    /// The tokens and requests of all calls.
    pub spent: Spent,
    /// Notes of the client about the calls.
    pub told: ClientNotes,
    /// Files whose text was not sent.
    pub held_back: Vec<String>,
}

/// The result of one first call.
struct First {
    answered: Result<Answered, ModelError>,
    prompt_tokens: u64,
    spent: Spent,
    told: ClientNotes,
    held_back: Vec<String>,
}

/// The findings of one call.
struct Answered {
    candidates: Vec<Candidate>,
    dropped: Vec<Dropped>,
    issues: usize,
    unreadable: usize,
    past_bound: usize,
    request: Option<RawRequest>,
}

/// The request for more lines that is answered.
struct Chosen {
    bundle: usize,
    wanted: WantedLines,
}

/// The result of the follow-up.
struct Second {
    bundle: usize,
    provided: Option<Provided>,
    refused: Option<String>,
    result: Option<Final>,
    spent: Spent,
    told: ClientNotes,
}

/// Returns the most that the calls may use, which is known before the first of them.
pub fn worst_case(case: &JudgedCase<'_>, client: &ModelClient) -> WorstCase {
    let may_ask = case.options.agent.may_ask();
    let plans = case
        .plan
        .bundles
        .iter()
        .map(|bundle| client.plan(&request(case, bundle).0));
    let mut worst = WorstCase {
        tokens_max: client.settings().caps.max_tokens_total,
        cost_nano: Some(0),
        ..WorstCase::default()
    };
    if case.options.canary {
        let plan = client.plan(&canary::request(case.options.answer_tokens_max));
        add(
            &mut worst,
            plan.prompt_tokens + plan.output_tokens_max + plan.repair_tokens_max,
            plan.requests_max,
            plan.cost_nano_max,
        );
    }
    let mut longest = 0;
    for plan in plans {
        longest = longest.max(plan.prompt_tokens);
        add(
            &mut worst,
            plan.prompt_tokens + plan.output_tokens_max + plan.repair_tokens_max,
            plan.requests_max,
            plan.cost_nano_max,
        );
    }
    if may_ask == MayAsk::Once && worst.calls > 0 {
        // The second prompt holds less than the longest first one, what that answered, and the
        // lines.
        let answer = u64::from(case.options.answer_tokens_max);
        let prompt = longest + answer + case.options.agent.max_follow_up_tokens;
        let tokens = prompt + answer + (prompt + 3 * answer + SHAPE_TOKENS);
        let requests = worst.requests / worst.calls;
        let cost = worst.cost_nano.map(|cost| cost / worst.calls * 2);
        add(&mut worst, tokens, requests, cost);
    }
    worst
}

fn add(worst: &mut WorstCase, tokens: u64, requests: u64, cost_nano: Option<u64>) {
    worst.calls += 1;
    worst.requests += requests;
    worst.tokens = worst.tokens.saturating_add(tokens);
    worst.cost_nano = worst
        .cost_nano
        .zip(cost_nano)
        .map(|(sum, cost)| sum.saturating_add(cost));
}

/// Returns the calls as they would be made, for a dry run.
pub fn planned(case: &JudgedCase<'_>, client: &ModelClient) -> Vec<BundleReport> {
    let report = |bundle: &Bundle| {
        let (request, _) = request(case, bundle);
        let paths = paths(case.diff, bundle).into_iter();
        BundleReport {
            id: bundle.id.clone(),
            paths: paths.map(str::to_owned).collect(),
            items: bundle.items.clone(),
            prompt_tokens: client.plan(&request).prompt_tokens,
            prompt: Some(client.words(&request)),
            was_stored: false,
            findings: 0,
            tokens: 0,
        }
    };
    case.plan.bundles.iter().map(report).collect()
}

/// Asks about every bundle, and at most once again.
pub fn judge(
    case: &JudgedCase<'_>,
    client: &ModelClient,
    tell: &(dyn Fn(ReviewEvent) + Sync),
) -> Judgement {
    let bundles = &case.plan.bundles;
    let mut firsts: Vec<Option<First>> = bundles.iter().map(|_| None).collect();
    let affordable = affordable(case, client);
    let next = AtomicUsize::new(0);
    let mut second = None;
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..case.options.parallel_max.clamp(1, bundles.len().max(1)) {
            let (sender, next, affordable) = (sender.clone(), &next, &affordable);
            scope.spawn(move || {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    if place >= bundles.len() {
                        return;
                    }
                    let first = first(case, place, affordable[place].clone(), client, tell);
                    if sender.send((place, first)).is_err() {
                        return;
                    }
                }
            });
        }
        // The loop below ends when the last sender is gone, and this thread holds one too.
        drop(sender);
        let mut running = None;
        for (place, first) in receiver {
            firsts[place] = Some(first);
            // The follow-up starts while other first calls still run, as soon as no later request
            // can take precedence over the chosen one.
            if running.is_none() && case.options.agent.off().is_none() {
                running = choose(case, &firsts).map(|(chosen, draft)| {
                    scope.spawn(move || again(case, chosen, draft, client, tell))
                });
            }
        }
        second = running.map(thread::ScopedJoinHandle::join);
    });
    let broken = matches!(second, Some(Err(_))).then(broken_follow_up);
    let mut judgement = gather(case, firsts, second.and_then(Result::ok), client, tell);
    // Every finding stays as it was, and the review has failed.
    judgement.failures.extend(broken);
    judgement
}

fn broken_follow_up() -> Failure {
    Failure {
        part: "the follow-up".to_owned(),
        what: "the thread that made it broke".to_owned(),
        advice: "run again with --no-agent, and report this".to_owned(),
        raw: None,
    }
}

/// Decides in advance which calls fit into the budget together, in their order. Otherwise the calls
/// that are sent would depend on which thread is faster.
fn affordable(case: &JudgedCase<'_>, client: &ModelClient) -> Vec<Result<(), ModelError>> {
    let mut left = client.settings().caps.max_tokens_total;
    let mut fits = |bundle: &Bundle| {
        let plan = client.plan(&request(case, bundle).0);
        let wanted = plan.prompt_tokens + plan.output_tokens_max;
        match (left, client.settings().caps.max_tokens_total) {
            (Some(rest), Some(cap)) if wanted > rest => Err(ModelError::OverBudget(
                grounds_model::budget::Exceeded::Tokens {
                    wanted,
                    left: rest,
                    cap,
                },
            )),
            (Some(rest), _) => {
                left = Some(rest - wanted);
                Ok(())
            }
            (None, _) => Ok(()),
        }
    };
    // A replay and a dry run send nothing, so the budget does not limit them.
    let is_sending = !client.settings().is_dry_run && client.settings().shelves.replay.is_none();
    case.plan
        .bundles
        .iter()
        .map(|bundle| if is_sending { fits(bundle) } else { Ok(()) })
        .collect()
}

/// Returns the request about a bundle, and the files whose text is not sent.
pub(crate) fn request(
    case: &JudgedCase<'_>,
    bundle: &Bundle,
) -> (grounds_model::ModelRequest, Vec<String>) {
    let rules = rules_of(case, bundle);
    let (request, held_back) = prompt::first(
        bundle,
        case.diff,
        &rules,
        case.options.agent.may_ask(),
        case.options.answer_tokens_max,
    );
    (case.veil.over_request(request), held_back)
}

/// Returns the findings of rules about the files of a bundle.
fn rules_of<'c>(case: &JudgedCase<'c>, bundle: &Bundle) -> Vec<&'c Finding> {
    let paths: Vec<&str> = paths(case.diff, bundle);
    case.rules
        .iter()
        .filter(|finding| paths.contains(&finding.path.as_str()))
        .collect()
}

fn paths<'d>(diff: &'d Diff, bundle: &Bundle) -> Vec<&'d str> {
    let mut paths: Vec<&str> = bundle
        .parts
        .iter()
        .filter_map(|part| diff.files.get(part.file))
        .map(|file| file.path.as_str())
        .collect();
    paths.dedup();
    paths
}

/// Makes one first call, and checks its answer.
fn first(
    case: &JudgedCase<'_>,
    place: usize,
    affordable: Result<(), ModelError>,
    client: &ModelClient,
    tell: &(dyn Fn(ReviewEvent) + Sync),
) -> First {
    let bundle = &case.plan.bundles[place];
    let (request, held_back) = request(case, bundle);
    // A part shares the budget and counts what this call spends.
    let part = client.part();
    let prompt_tokens = part.plan(&request).prompt_tokens;
    let may_ask = case.options.agent.may_ask();
    let asked = affordable.and_then(|()| {
        tell(ReviewEvent::ModelCallStarted {
            bundle: bundle.id.clone(),
        });
        part.ask_for(&request, &|reply| answer::read(reply, may_ask))
    });
    let answered =
        asked.map(|asked| checked(case, place, asked.value, &client.settings().endpoint.model));
    let (spent, told) = (part.spent(), part.told());
    match &answered {
        Ok(answered) => tell(ReviewEvent::ModelCallComplete {
            bundle: bundle.id.clone(),
            findings: answered.issues,
            tokens: spent.tokens(),
            was_stored: told.from_cache + told.from_replay > 0,
        }),
        Err(ModelError::DryRun) => {}
        Err(error) => tell(ReviewEvent::Error {
            part: bundle.id.clone(),
            what: format!("cannot {error}"),
        }),
    }
    First {
        answered,
        prompt_tokens,
        spent,
        told,
        held_back,
    }
}

/// Turns the issues of an answer into findings with ids: `M2.1` is the first of the second call.
fn checked(
    case: &JudgedCase<'_>,
    place: usize,
    answer: answer::ModelAnswer,
    model: &str,
) -> Answered {
    let bundle = &case.plan.bundles[place];
    let paths = paths(case.diff, bundle);
    // An issue without a file can only mean the file of a call that shows just one.
    let only_path = (paths.len() == 1).then(|| paths[0]);
    let id = |number: usize| format!("M{}.{number}", place + 1);
    let count = answer.issues.len();
    let mut answered = Answered {
        candidates: Vec::new(),
        dropped: Vec::new(),
        // Dropped issues count too: the model has named them.
        issues: count,
        unreadable: answer.unreadable.len(),
        past_bound: answer.past_bound,
        request: answer.request,
    };
    // A request names its issue by the place among all issues. Dropped issues are not among the
    // candidates, so the place is mapped to theirs.
    let named = answered.request.as_ref().and_then(|request| request.issue);
    let mut kept_place = None;
    for (number, issue) in answer.issues.into_iter().enumerate() {
        match candidate::of_issue(
            issue,
            id(number + 1),
            Producer::Model(model.to_owned()),
            case.diff,
            only_path,
        ) {
            Ok(candidate) => {
                if named == Some(number) {
                    kept_place = Some(answered.candidates.len());
                }
                answered.candidates.push(candidate);
            }
            Err(dropped) => answered.dropped.push(dropped),
        }
    }
    if let Some(request) = &mut answered.request {
        request.issue = kept_place;
    }
    let unreadable = answer.unreadable.into_iter().enumerate();
    answered.dropped.extend(
        unreadable.map(|(number, item)| candidate::of_unreadable(item, id(count + number + 1))),
    );
    answered
}

/// Returns the request to answer as soon as no other can take precedence: the one with the highest
/// severity, and among equals the first.
fn choose(case: &JudgedCase<'_>, firsts: &[Option<First>]) -> Option<(Chosen, Draft)> {
    let all_came = firsts.iter().all(Option::is_some);
    let mut best: Option<(Option<Severity>, Chosen, Draft)> = None;
    for (place, first) in firsts.iter().enumerate() {
        // A call that is still running may ask with the same weight, and would be earlier.
        let Some(first) = first else { break };
        let Ok(answered) = &first.answered else {
            continue;
        };
        let Some(raw) = &answered.request else {
            continue;
        };
        let bundle = &case.plan.bundles[place];
        let Ok(wanted) = follow_up::check(
            raw,
            bundle,
            &FollowUpReach::of(case.diff, bundle),
            case.source,
        ) else {
            continue;
        };
        let weight = follow_up::weight(&answered.candidates, raw.issue);
        if best.as_ref().is_none_or(|(known, ..)| weight > *known) {
            let rules = rules_of(case, bundle).into_iter().cloned().collect();
            best = Some((
                weight,
                Chosen {
                    bundle: place,
                    wanted,
                },
                Draft {
                    candidates: answered.candidates.clone(),
                    rules,
                },
            ));
        }
    }
    let (weight, chosen, draft) = best?;
    // Nothing outranks a critical finding of an earlier call, so only then the others need not be
    // awaited.
    if !all_came && weight != Some(Severity::Critical) {
        return None;
    }
    Some((chosen, draft))
}

/// Reads the wanted lines, and makes the second and last call.
fn again(
    case: &JudgedCase<'_>,
    chosen: Chosen,
    draft: Draft,
    client: &ModelClient,
    tell: &(dyn Fn(ReviewEvent) + Sync),
) -> Second {
    let part = client.part();
    let Chosen { bundle, wanted } = chosen;
    let agent = &case.options.agent;
    let provided = follow_up::provide(wanted, case.source, agent.max_follow_up_tokens, &|text| {
        part.count_tokens(text)
    });
    let mut second = Second {
        bundle,
        provided: None,
        refused: None,
        result: None,
        spent: Spent::default(),
        told: ClientNotes::default(),
    };
    match provided {
        Err(refusal) => second.refused = Some(refusal.to_string()),
        Ok(provided) => {
            tell(ReviewEvent::FollowUpRequested {
                file: provided.wanted.path.clone(),
                lines: format!(
                    "{}-{}",
                    provided.wanted.line_start, provided.wanted.line_end
                ),
                reason: provided.wanted.reason.clone(),
            });
            let result = follow_up::follow_up(
                draft,
                &provided,
                case.diff,
                &part,
                case.options.answer_tokens_max,
                case.veil,
            );
            match &result.failed {
                // Nothing was sent and no finding is lost, so this is a bound and not a failure.
                Some(ModelError::OverBudget(exceeded)) => {
                    second.refused = Some(format!("the budget does not allow it: {exceeded}"))
                }
                Some(_) | None => (second.result, second.provided) = (Some(result), Some(provided)),
            }
        }
    }
    (second.spent, second.told) = (part.spent(), part.told());
    second
}

/// Combines the calls, in the order of the bundles.
fn gather(
    case: &JudgedCase<'_>,
    firsts: Vec<Option<First>>,
    second: Option<Second>,
    client: &ModelClient,
    tell: &(dyn Fn(ReviewEvent) + Sync),
) -> Judgement {
    let mut judgement = Judgement {
        spent: client.spent(),
        told: client.told(),
        ..Judgement::default()
    };
    judgement.follow_up.off = case.options.agent.off();
    judgement.follow_up.requests = requests(case, &firsts, second.as_ref());
    for request in &judgement.follow_up.requests {
        let why = match &request.fate {
            RequestFate::Taken => continue,
            RequestFate::PassedOver => "another one went before it".to_owned(),
            RequestFate::Refused { why } => why.clone(),
        };
        tell(ReviewEvent::FollowUpRefused {
            asked: request.asked.clone(),
            why,
        });
    }
    let mut last = second.and_then(|second| settle(&mut judgement, second, tell));
    for (place, first) in firsts.into_iter().enumerate() {
        let result = last
            .take_if(|(bundle, _)| *bundle == place)
            .map(|(_, result)| result);
        collect(case, &mut judgement, place, first, result);
    }
    judgement
}

/// Adds the result of one call to the judgement.
fn collect(
    case: &JudgedCase<'_>,
    judgement: &mut Judgement,
    place: usize,
    first: Option<First>,
    result: Option<Final>,
) {
    let bundle = &case.plan.bundles[place];
    let Some(first) = first else {
        // The thread of this call ended without a result, so its lines count as not judged.
        let lost = ModelError::Cancelled;
        judgement.failed.push(place);
        judgement.failures.push(failure(&bundle.id, &lost));
        return;
    };
    judgement.told.add(&first.told);
    judgement.held_back.extend(first.held_back);
    judgement.bundles.push(BundleReport {
        id: bundle.id.clone(),
        paths: paths(case.diff, bundle)
            .into_iter()
            .map(str::to_owned)
            .collect(),
        items: bundle.items.clone(),
        prompt_tokens: first.prompt_tokens,
        prompt: None,
        was_stored: first.told.from_cache + first.told.from_replay > 0,
        findings: first
            .answered
            .as_ref()
            .map_or(0, |answered| answered.issues),
        tokens: first.spent.tokens(),
    });
    match first.answered {
        Ok(answered) => {
            let (candidates, more) = result.map_or((answered.candidates, Vec::new()), |result| {
                (result.candidates, result.dropped)
            });
            judgement.candidates.extend(candidates);
            judgement
                .dropped
                .extend(answered.dropped.into_iter().chain(more));
            let past = answered.past_bound;
            let unread = answered.unreadable + past;
            if unread > 0 {
                judgement.failures.push(unread_issues(&bundle.id, unread));
            }
            if past > 0 {
                judgement.bounds.push(BoundReached {
                    name: "issues of one answer",
                    value: answer::ISSUES_MAX as u64,
                    cut: format!("{past} issues of {} were not read", bundle.id),
                });
            }
        }
        Err(error) => {
            judgement.failed.push(place);
            // A dry run asks no model, and that is not a failure.
            if error != ModelError::DryRun {
                judgement.failures.push(failure(&bundle.id, &error));
            }
        }
    }
}

/// Returns the failure for issues that could not be read: each may be of any severity, so the
/// answer without them is incomplete.
fn unread_issues(part: &str, count: usize) -> Failure {
    let issues = if count == 1 { "issue" } else { "issues" };
    Failure {
        part: part.to_owned(),
        what: format!("cannot read {count} {issues} of the answer of the model"),
        advice: "run again, or choose another model with --model".to_owned(),
        raw: None,
    }
}

/// Records the follow-up, and returns its findings for the bundle that asked.
fn settle(
    judgement: &mut Judgement,
    second: Second,
    tell: &(dyn Fn(ReviewEvent) + Sync),
) -> Option<(usize, Final)> {
    judgement.told.add(&second.told);
    let (provided, result) = (second.provided?, second.result?);
    let counts = result.counts;
    let taken = FollowUpTaken {
        path: provided.wanted.path.clone(),
        line_start: provided.wanted.line_start,
        line_end: provided.wanted.line_end,
        line_end_shown: provided.line_end_shown,
        reason: provided.wanted.reason.clone(),
        confirmed: counts.confirmed,
        removed: counts.removed,
        unverified: counts.unverified,
        revised: counts.revised,
        added: counts.added,
        dismissals_refused: counts.dismissals_refused,
        requests_ignored: counts.requests_ignored,
        extra_tokens: second.spent.tokens(),
        failed: result
            .failed
            .as_ref()
            .map(|error| format!("cannot {error}")),
    };
    if let Some(error) = &result.failed {
        judgement.failures.push(failure("the follow-up", error));
        tell(ReviewEvent::Error {
            part: "the follow-up".to_owned(),
            what: format!("cannot {error}"),
        });
    }
    if counts.unreadable > 0 {
        let unread = unread_issues("the follow-up", counts.unreadable as usize);
        judgement.failures.push(unread);
    }
    if provided.is_cut() {
        let cut = format!(
            "{}:{}-{} ends at line {}",
            taken.path, taken.line_start, taken.line_end, taken.line_end_shown
        );
        judgement.bounds.push(BoundReached {
            name: "review.agent.max_follow_up_tokens",
            value: provided.tokens,
            cut,
        });
    }
    tell(ReviewEvent::FollowUpComplete {
        issues_confirmed: counts.confirmed,
        issues_removed: counts.removed,
        issues_added: counts.added,
        extra_tokens: taken.extra_tokens,
    });
    judgement.follow_up.taken = Some(taken);
    Some((second.bundle, result))
}

/// Returns every request for more lines, and what was done with it.
fn requests(
    case: &JudgedCase<'_>,
    firsts: &[Option<First>],
    second: Option<&Second>,
) -> Vec<RequestRecord> {
    let answered = |place: usize| {
        firsts[place]
            .as_ref()
            .and_then(|first| first.answered.as_ref().ok())
    };
    let record = |(place, bundle): (usize, &Bundle)| {
        let raw = answered(place)?.request.as_ref()?;
        let taken = second.filter(|second| second.bundle == place);
        let fate = match (
            taken,
            follow_up::check(
                raw,
                bundle,
                &FollowUpReach::of(case.diff, bundle),
                case.source,
            ),
        ) {
            (
                Some(Second {
                    refused: Some(why), ..
                }),
                _,
            ) => RequestFate::Refused { why: why.clone() },
            (Some(_), _) => RequestFate::Taken,
            (None, Err(refusal)) => RequestFate::Refused {
                why: refusal.to_string(),
            },
            (None, Ok(_)) => RequestFate::PassedOver,
        };
        let asked = follow_up::shown(raw);
        Some(RequestRecord {
            bundle: bundle.id.clone(),
            asked,
            reason: raw.reason.clone().unwrap_or_default(),
            fate,
        })
    };
    case.plan
        .bundles
        .iter()
        .enumerate()
        .filter_map(record)
        .collect()
}

fn failure(part: &str, error: &ModelError) -> Failure {
    Failure {
        part: part.to_owned(),
        what: format!("cannot {error}"),
        advice: error.advice().to_owned(),
        raw: error.raw().map(str::to_owned),
    }
}
