//! `grounds ask`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grounds_ask::localise::investigate_text;
use grounds_ask::{
    Company, Investigation, JointQuestion as One, investigate_claims, investigate_each,
    investigate_in, understand,
};
use grounds_claims::{Claim, ClaimError, ClaimForm};
use grounds_evidence::Intent;
use grounds_evidence::gap;
use grounds_evidence::requirement::{self, Bar, Requirement};
use grounds_evidence::scorecard::{self, Scorecard};
use grounds_repo::checkout::Checkout;
use grounds_repo::ci::CiAccess;
use grounds_repo::means::Means;
#[cfg(feature = "store")]
use grounds_repo::parses::Parses;
use grounds_repo::survey::Progress;

use super::helper::Helper;
use super::progress::ProgressMeter;
use super::text;
#[cfg(feature = "store")]
use crate::cache_folder;
use crate::cli::{Ask, Format, Global, Verb};
use crate::config::{self, AskConfig, Config, StoreConfig};
use crate::ended::{Beside, Ended, JobKind, Need, PageLook, Report};
use crate::error::Error;
use crate::exit::Exit;
use crate::output::{self, Style};
#[cfg(feature = "store")]
use crate::parses;

/// Answers a question, and returns how it ended.
pub(super) fn ended(arguments: &Ask, global: &Global) -> Result<Ended, Error> {
    if let Some(from) = &arguments.from {
        return rank(from, arguments, global);
    }
    if let Some(file) = &arguments.each {
        return each(file, arguments, global);
    }
    if !arguments.claim.is_empty() {
        let claims = given_claims(&arguments.claim, global)?;
        return decide(claims, with_kept(arguments.no_cache, global)?, global);
    }
    // Words without quotation marks, as in `grounds ask who calls f`, are one question.
    let question = understand(&as_here(arguments.question.join(" "), global))?;
    let (checkout, whole) = with_kept(arguments.no_cache, global)?;
    let config = &whole.ask;
    let budget = config.budget();
    let bar = bar(arguments);
    let means = means(arguments, config, question.goal.about_ci)?;
    let progress = Arc::new(Progress::default());
    let meter = ProgressMeter::start(global, &progress);
    let helper = Helper::chosen(arguments, global, &whole)?;
    let on_event = |event| meter.tell(&event);
    let company = Company {
        progress: &progress,
        on_event: &on_event,
        proposer: helper.proposer(),
    };
    let mut investigation = investigate_in(question, &checkout, &budget, bar, &means, company);
    drop(meter);
    helper.write(&mut investigation);
    let requirements = requirement::of_goal(&investigation.question.goal, bar);
    let card = arguments
        .scorecard
        .then(|| scorecard::of(&investigation.ledger, &requirements));
    let beside = Beside::Needs(needs(&investigation, requirements));
    Ok(Ended {
        store: whole.store.clone(),
        beside,
        ..end(investigation, card, &checkout)
    })
}

/// Returns the quality that the person asks for.
fn bar(arguments: &Ask) -> Bar {
    let level = arguments.accept;
    level.map_or(Bar::Default, |level| Bar::At(level.into()))
}

/// Returns what may be used beside the tree.
fn means(arguments: &Ask, config: &AskConfig, about_ci: bool) -> Result<Means, Error> {
    let may_run = arguments.run
        || arguments.run_without_sandbox
        // `--no-run` is for a caller who cannot know the configuration, such as the MCP server.
        || (config.run == Some(true) && !arguments.no_run);
    Ok(Means {
        may_run,
        may_run_without_sandbox: arguments.run_without_sandbox
            || config.run_without_sandbox == Some(true),
        ci: ci_access(arguments, about_ci)?,
        scip: given_index(arguments)?,
    })
}

/// Answers several questions and claims, each by itself. No model proposes or writes anything.
fn each(file: &Path, arguments: &Ask, global: &Global) -> Result<Ended, Error> {
    let lines = lines(file)?.into_iter();
    let asked: Vec<One> = lines
        .map(|line| One::read(&as_here(line, global)))
        .collect();
    let (checkout, config) = with_kept(arguments.no_cache, global)?;
    let budget = config.ask.budget();
    let bar = bar(arguments);
    // Whether a service of CI may be asked is decided once for all lines: a single one about CI is
    // enough.
    let means = means(arguments, &config.ask, asked.iter().any(One::is_about_ci))?;
    let is_question = |one: &One| matches!(one, One::Question(_));
    let are_questions: Vec<bool> = asked.iter().map(is_question).collect();
    let progress = Arc::new(Progress::default());
    let meter = ProgressMeter::start(global, &progress);
    let on_event = |event| meter.tell(&event);
    let company = Company {
        progress: &progress,
        on_event: &on_event,
        proposer: None,
    };
    let investigation = investigate_each(asked, &checkout, &budget, bar, &means, company);
    // Its line is cleared before the report is printed.
    drop(meter);
    Ok(Ended {
        store: config.store,
        beside: needs_of_each(&investigation, &are_questions, bar),
        ..end(investigation, None, &checkout)
    })
}

/// Returns the requirements of each that is a question; a claim has none.
fn needs_of_each(whole: &Investigation, are_questions: &[bool], bar: Bar) -> Beside {
    let of_one = |one: &Investigation, is_question: bool| match is_question {
        true => needs(one, requirement::of_goal(&one.question.goal, bar)),
        false => Vec::new(),
    };
    match are_questions {
        // A single one is the investigation itself, and has no list of several.
        [is_question] => Beside::Needs(of_one(whole, *is_question)),
        several => {
            let asked = whole.each.iter().zip(several);
            let each = asked.map(|(one, is_question)| of_one(one, *is_question));
            Beside::Each(each.collect())
        }
    }
}

/// Decides the claims that a verb makes of its names.
pub(super) fn of_verb(verb: &Verb, global: &Global) -> Result<Ended, Error> {
    let names = given(&verb.named().names)?.into_iter();
    let claims = names.map(|name| {
        let mut claim = verb.claim(&as_here(name, global));
        let places = claim.scope.inside.iter_mut();
        for place in places.chain(&mut claim.scope.outside) {
            *place = as_here(std::mem::take(place), global);
        }
        claim
    });
    let kept = with_kept(verb.named().no_cache, global)?;
    decide(claims.collect(), kept, global)
}

/// Decides claims that were given instead of a question.
fn decide(
    claims: Vec<Claim>,
    (checkout, config): (Checkout, Config),
    global: &Global,
) -> Result<Ended, Error> {
    let budget = config.ask.budget();
    // A claim is decided from the tree and its history: no code runs, and no service of CI is
    // asked.
    let (means, progress) = (Means::default(), Arc::new(Progress::default()));
    let meter = ProgressMeter::start(global, &progress);
    let on_event = |event| meter.tell(&event);
    let company = Company {
        progress: &progress,
        on_event: &on_event,
        proposer: None,
    };
    let investigation = investigate_claims(claims, &checkout, &budget, &means, company);
    drop(meter);
    Ok(Ended {
        store: config.store,
        ..end(investigation, None, &checkout)
    })
}

/// Bytes of claims or names that are read from standard input.
const CLAIMS_BYTES_MAX: usize = 256 << 10;
/// Claims or names of one run.
const CLAIMS_MAX: usize = 1_000;

/// Returns a text with the paths in it as they are written in the checkout: on Windows a person
/// writes them with backslashes.
#[cfg(windows)]
fn as_here(text: String, global: &Global) -> String {
    match open(global) {
        Ok(checkout) => grounds_repo::path::with_slashes(&text, checkout.root()),
        // Said by who needs the checkout.
        Err(_) => text,
    }
}

/// Returns a text as it is: a backslash can be a part of a name.
#[cfg(not(windows))]
fn as_here(text: String, _: &Global) -> String {
    text
}

/// Parses the claims of the command line.
fn given_claims(given_texts: &[String], global: &Global) -> Result<Vec<Claim>, Error> {
    given(given_texts)?
        .into_iter()
        .map(|text| claim_of(&as_here(text, global)))
        .collect()
}

/// Returns the texts of the command line; `-` means the lines of standard input.
fn given(texts: &[String]) -> Result<Vec<String>, Error> {
    let mut all = Vec::new();
    for text in texts {
        match text.as_str() {
            "-" => all.extend(lines(Path::new("-"))?),
            _ => all.push(text.clone()),
        }
    }
    within_bounds(all, Path::new("-"))
}

/// Returns the lines of a file, or of standard input, that have something in them.
fn lines(file: &Path) -> Result<Vec<String>, Error> {
    let (text, is_cut) = text::read_any(file, CLAIMS_BYTES_MAX)?;
    // A text that ends in the middle of a name would be decided as another claim.
    if is_cut {
        let reason = format!("it has more than {CLAIMS_BYTES_MAX} bytes");
        return Err(unusable(file, reason));
    }
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty()).map(str::to_owned);
    within_bounds(lines.collect(), file)
}

/// Returns the lines, or an error if there are too many or not any.
fn within_bounds(all: Vec<String>, file: &Path) -> Result<Vec<String>, Error> {
    match all.len() {
        0 => Err(unusable(file, "it has no line".to_owned())),
        count if count > CLAIMS_MAX => {
            let most = format!("it has {count} lines, and at most {CLAIMS_MAX} are decided");
            Err(unusable(file, format!("{most} in one run")))
        }
        _ => Ok(all),
    }
}

fn unusable(file: &Path, reason: String) -> Error {
    Error::Text {
        path: file.to_owned(),
        reason,
    }
}

/// Parses a claim in its text form or as JSON.
fn claim_of(text: &str) -> Result<Claim, Error> {
    // No claim in the text form begins with a brace.
    if !text.trim_start().starts_with('{') {
        return Ok(grounds_claims::parse(text)?);
    }
    let form: ClaimForm = serde_json::from_str(text).map_err(|_| ClaimError::Expected {
        expected: "a claim as JSON: {\"predicate\": …, \"arguments\": […]}",
        at: 0,
    })?;
    Ok(Claim::try_from(form)?)
}

/// Ranks the tree by a text that was given instead of a question.
fn rank(from: &Path, arguments: &Ask, global: &Global) -> Result<Ended, Error> {
    let (checkout, config) = with_kept(arguments.no_cache, global)?;
    let budget = config.ask.budget();
    let text = text::read(from, budget.text_bytes_max)?;
    let progress = Arc::new(Progress::default());
    let meter = ProgressMeter::start(global, &progress);
    let investigation = investigate_text(&text, &checkout, &budget, &progress, &|event| {
        meter.tell(&event)
    })?;
    drop(meter);
    let requirements = requirement::of_goal(&investigation.question.goal, Bar::Default);
    let card = arguments
        .scorecard
        .then(|| scorecard::of(&investigation.ledger, &requirements));
    Ok(Ended {
        store: config.store,
        ..end(investigation, card, &checkout)
    })
}

/// Returns what the person gives for CI services: the command line and the environment, never the
/// repository.
fn ci_access(arguments: &Ask, about_ci: bool) -> Result<CiAccess, Error> {
    // An address of CI that is wrong must not fail a question that asks no service.
    if arguments.offline || !about_ci {
        return Ok(CiAccess::default());
    }
    Ok(CiAccess::from_environment(
        &|name| std::env::var(name).ok(),
        arguments.ci_url.as_deref(),
    )?)
}

/// Returns the index that is named, which must exist. Its content is checked later.
fn given_index(arguments: &Ask) -> Result<Option<PathBuf>, Error> {
    let Some(path) = &arguments.scip else {
        return Ok(None);
    };
    match std::fs::metadata(path) {
        Ok(kind) if kind.is_file() => Ok(Some(path.clone())),
        Ok(_) => Err(Error::Scip {
            path: path.clone(),
            reason: "it is not a file".to_owned(),
        }),
        Err(error) => Err(Error::Scip {
            path: path.clone(),
            reason: error.to_string(),
        }),
    }
}

/// Opens the checkout that is asked about, with its caches, and its configuration.
fn with_kept(has_no_cache: bool, global: &Global) -> Result<(Checkout, Config), Error> {
    let checkout = open(global)?;
    let config = config::read(global.config.as_deref(), checkout.root())?;
    if has_no_cache {
        return Ok((checkout, config));
    }
    Ok((with_parses(checkout, &config), config))
}

/// Returns the checkout with a cache for the results of parses.
#[cfg(feature = "store")]
pub(super) fn with_parses(checkout: Checkout, config: &Config) -> Checkout {
    let bytes_max = config.ask.budget().limits.parses_bytes_max;
    let folder = cache_folder::of(cache_folder::PARSES).filter(|_| bytes_max > 0);
    // A result that cannot be kept costs time, and no answer.
    match folder.and_then(|folder| parses::Parses::open(&folder, bytes_max)) {
        Some(kept) => checkout.with_parses(Parses::of(crate::PROGRAM, Box::new(kept))),
        None => checkout,
    }
}

/// Returns the checkout as it is: without this feature no results of parses are kept.
#[cfg(not(feature = "store"))]
pub(super) const fn with_parses(checkout: Checkout, _: &Config) -> Checkout {
    checkout
}

pub(super) fn open(global: &Global) -> Result<Checkout, Error> {
    let checkout = match &global.repo {
        Some(folder) => Checkout::open(folder)?,
        None => Checkout::enclosing(&std::env::current_dir().map_err(Error::CurrentDirectory)?)?,
    };
    // A client of a server may be able to write to the folder, and to nothing that is outside of
    // it.
    Ok(match global.with_parent {
        Some(_) => checkout.guarded(),
        None => checkout,
    })
}

fn end(investigation: Investigation, card: Option<Scorecard>, checkout: &Checkout) -> Ended {
    Ended {
        exit: Exit::of_question(investigation.outcome, investigation.decided()),
        kind: JobKind::Ask,
        words: investigation.question.text.clone(),
        verdict: output::outcome(investigation.outcome),
        root: checkout.root().to_owned(),
        tree: Some(investigation.tree.clone()),
        documents: None,
        beside: Beside::Needs(Vec::new()),
        store: StoreConfig::default(),
        report: Box::new(Investigated {
            investigation,
            card,
            root: checkout.root().to_owned(),
        }),
    }
}

/// Returns the requirements as the gate saw them, with what there was for each.
fn needs(investigation: &Investigation, requirements: Vec<Requirement>) -> Vec<Need> {
    let question = &investigation.question;
    // If the build failed, no test is required: the failed build is the answer.
    let requirements = match question.goal.intent == Intent::Execute {
        true => requirement::of_execution(requirements, question.execution, &investigation.ledger),
        false => requirements,
    };
    let standings = gap::standings(&question.goal, &requirements, &investigation.ledger);
    let need = |standing: gap::RequirementStanding| Need {
        class: standing.requirement.class.as_str().to_owned(),
        target: standing.target,
        have: standing.have.as_str().to_owned(),
        need: standing.requirement.minimum.as_str().to_owned(),
        is_met: standing.have >= standing.requirement.minimum,
    };
    standings.into_iter().map(need).collect()
}

/// An investigation with what is needed to show it.
struct Investigated {
    investigation: Investigation,
    card: Option<Scorecard>,
    root: PathBuf,
}

impl Report for Investigated {
    fn write(&self, format: Format, look: PageLook, out: &mut dyn Write) -> io::Result<()> {
        let style = Style {
            colour: look.colour,
            verbose: look.verbose,
            root: &self.root,
        };
        output::print(&self.investigation, self.card.as_ref(), format, &style, out)
    }
}

/// Reports whether to use colour: if the terminal or a variable wants it, and never with `NO_COLOR`
/// or `--no-color`.
pub(super) fn wants_colour(global: &Global) -> bool {
    global.format == Format::Pretty && !global.no_color && crate::terminal::has_colour()
}

#[cfg(test)]
mod tests {
    use super::{CLAIMS_MAX, given};

    #[test]
    fn names_past_the_bound_are_an_error_and_not_dropped() {
        let names = |count: usize| vec!["f".to_owned(); count];
        assert!(given(&names(CLAIMS_MAX)).is_ok());
        let error = given(&names(CLAIMS_MAX + 1)).expect_err("too many");
        assert!(error.to_string().contains("1001 lines"), "{error}");
    }
}
