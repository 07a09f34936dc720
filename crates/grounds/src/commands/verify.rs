//! `grounds verify`: one claim, a batch, or the replay of a recording.

mod batch;
mod code;
mod helpers;
mod meter;
#[cfg(feature = "fleet")]
mod prepared;
mod recording;
mod sources;

use std::io::{self, Write};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use grounds_repo::checkout::Checkout;
use grounds_verify::calibration::{Calibration, WRONG_MAX_PERCENT_MIN};
use grounds_verify::rounds::{self, LookupMeans, Verification};
use grounds_verify::spending::{Caps, Spending};
use grounds_verify::{DecisionRules, SearchTask, Timeframe, Undated, proof};

use self::helpers::Helpers;
use self::meter::VerifyMeter;
#[cfg(feature = "fleet")]
pub(super) use self::prepared::{By, ClaimOutcome, Prepared};
use self::recording::Recorded;
#[cfg(feature = "store")]
pub(super) use self::sources::web_pages;
use self::sources::{SourceFaces, Sources, tier_of};
use super::CommandCall;
use crate::cli::{AcceptClaim, Format, Global, PolicyName, Verify, VerifyCommand};
use crate::config::{self, Config};
use crate::ended::{Beside, Ended, JobKind, PageLook, Report};
use crate::error::Error;
use crate::exit::Exit;
use crate::output::verify::{self as output, ShownVerdict};

pub(super) fn run(arguments: &Verify, call: &CommandCall<'_>) -> Result<Exit, Error> {
    if let Some(VerifyCommand::Decide(arguments)) = &arguments.command {
        return super::verify_decide::run(arguments);
    }
    match &arguments.batch {
        Some(claims) => batch::run(
            claims,
            arguments,
            &configuration(call.global)?.1,
            call.global,
        ),
        None => call.close(&ended(arguments, call.global)?),
    }
}

fn configuration(global: &Global) -> Result<(Checkout, Config), Error> {
    let checkout = super::ask::open(global)?;
    let config = config::read(global.config.as_deref(), checkout.root())?;
    Ok((checkout, config))
}

/// Checks one claim, and returns how it ended.
pub(super) fn ended(arguments: &Verify, global: &Global) -> Result<Ended, Error> {
    let (checkout, config) = configuration(global)?;
    let mut plan = match &arguments.model.replay {
        Some(folder) => recording::read(folder)?,
        None => planned(arguments, &config)?,
    };
    // Comes first: a claim about code costs no query, and no engine or model has to be set up for
    // it.
    let by_code = if code::is_asked(arguments, global) {
        code::checked(&mut plan, &checkout, &config)?
    } else {
        None
    };
    let (verification, proof, notes) = match by_code {
        Some((verification, proof)) => (verification, proof, Vec::new()),
        None => by_sources(&mut plan, arguments, &config, global)?,
    };
    Ok(Ended {
        exit: Exit::from(verification.result.outcome),
        kind: JobKind::Verify,
        words: plan.claim.clone(),
        verdict: output::word(verification.result.outcome),
        root: checkout.root().to_owned(),
        tree: None,
        // `recheck` may be called in another folder, where a relative path would name other
        // documents.
        documents: arguments
            .corpus
            .as_ref()
            .and_then(|folder| folder.canonicalize().ok()),
        beside: Beside::Needs(output::needs(&verification, &rules(&plan))),
        store: config.store,
        report: Box::new(Verified {
            verification,
            proof,
            rules: rules(&plan),
            notes,
        }),
    })
}

/// Checks the claim by the chosen sources. Also returns notes on the use of models.
fn by_sources(
    plan: &mut Recorded,
    arguments: &Verify,
    config: &Config,
    global: &Global,
) -> Result<(Verification, proof::Proof, Vec<String>), Error> {
    let sources = Sources::open(plan, arguments, config, None)?;
    sources.tell(global);
    let helpers = Helpers::of(plan, arguments, config, global)?;
    helpers.tell(global);
    // The steps above have put the names of the engine and of the models into the plan.
    if let Some(folder) = &arguments.model.record {
        recording::write(folder, plan)?;
    }
    let meter = VerifyMeter::start(global);
    let checked = check(
        &plan.task()?,
        plan,
        &sources.asked(),
        &helpers,
        &Spending::new(Caps::default(), 0, 0),
        &|event| meter.tell(event),
    );
    // Before an error is returned, so that its message does not follow the line of the meter.
    drop(meter);
    let (verification, proof) = checked?;
    if let Some(folder) = &arguments.model.record {
        recording::write_attempts(folder, &verification, plan, &rules(plan))?;
    }
    Ok((verification, proof, helpers.notes()))
}

/// A checked claim with what is needed to show it.
struct Verified {
    verification: Verification,
    proof: proof::Proof,
    rules: DecisionRules,
    notes: Vec<String>,
}

impl Report for Verified {
    fn write(&self, format: Format, look: PageLook, out: &mut dyn Write) -> io::Result<()> {
        let Self {
            verification,
            proof,
            rules,
            notes,
        } = self;
        output::print(
            &ShownVerdict {
                verification,
                proof,
                rules,
                notes,
                colour: look.colour,
                verbose: look.verbose,
            },
            format,
            out,
        )
    }
}

/// Checks one claim and writes its proof.
fn check(
    task: &SearchTask,
    plan: &Recorded,
    asked: &SourceFaces<'_>,
    helpers: &Helpers,
    spending: &Spending,
    tell: &(dyn Fn(&rounds::VerifyEvent<'_>) + Sync),
) -> Result<(Verification, proof::Proof), Error> {
    let judges = helpers.judges();
    let judges: Vec<&dyn grounds_verify::judges::Judge> = judges.iter().map(Box::as_ref).collect();
    let tier = tier_of(plan);
    let means = LookupMeans {
        provider: asked.provider,
        fetch: asked.fetch,
        judges: &judges,
        tier: &*tier,
        spending,
        unread: &plan.unread(),
    };
    let mut verification = rounds::verify(
        task.clone(),
        plan.as_of()?,
        &means,
        &plan.limits(),
        &rules(plan),
        tell,
    )?;
    let proof = helpers.with_writer(&mut |writer| proof::write(&mut verification, writer));
    Ok((verification, proof))
}

fn rules(plan: &Recorded) -> DecisionRules {
    // Documents of one's own folder seldom carry dates; a page of the web without one may be from
    // any time.
    let undated = if plan.is_folder() {
        Undated::Counts
    } else {
        Undated::default()
    };
    // A recording that asks for less than any bar keeps gets the strictest one, never the usual one.
    let calibration = plan
        .wrong_max_percent
        .and_then(|most| Calibration::keeping(most.max(WRONG_MAX_PERCENT_MIN)))
        .unwrap_or_default();
    let usual = DecisionRules {
        policy: plan.policy.into(),
        undated,
        calibration,
        ..DecisionRules::default()
    };
    match plan.accept {
        AcceptClaim::Verified => usual,
        // One family of the best tier is enough: it has first-hand knowledge.
        AcceptClaim::Strong => DecisionRules {
            threshold_milli: usual.weights.primary_milli.into(),
            families_min: 1,
            ..usual
        },
    }
}

/// Returns what is to be done, from the command line over the configuration.
fn planned(arguments: &Verify, config: &Config) -> Result<Recorded, Error> {
    let claim = arguments.claim.join(" ").trim().to_owned();
    if claim.is_empty() {
        return Err(wrong(
            "it is empty",
            "state one claim, for example: grounds verify \"The default timeout is 30 seconds\" --corpus docs",
        ));
    }
    is_allowed(arguments, config)?;
    let as_of = arguments
        .as_of
        .as_deref()
        .map(last_moment)
        .transpose()?
        .unwrap_or_else(Timestamp::now);
    let given = timeframe(arguments.from.as_deref(), arguments.to.as_deref())?;
    let mut plan = Recorded::of(arguments, config, as_of);
    // Set before the time, which `said` reads from the words of the claim.
    plan.claim = claim;
    plan.context.clone_from(&arguments.context);
    plan.origin.clone_from(&arguments.origin);
    plan.language.clone_from(&arguments.language);
    plan.set_timeframe(given.or_else(|| said(&plan, as_of)));
    Ok(plan)
}

/// Checks that what the person takes for enough is allowed by the configuration and by the policy.
fn is_allowed(arguments: &Verify, config: &Config) -> Result<(), Error> {
    if config
        .verify
        .accept_min
        .is_some_and(|least| arguments.accept < least)
    {
        return Err(wrong(
            "the configuration asks for independent sources (`verify.accept_min`)",
            "leave out --accept strong, or change that key; `grounds config show` tells which file sets it",
        ));
    }
    is_one_rule(arguments)?;
    is_kept(arguments, config)
}

/// Checks that some bar keeps the share of wrong verdicts that the person asks for.
fn is_kept(arguments: &Verify, config: &Config) -> Result<(), Error> {
    if arguments.wrong_max_percent.is_some() && arguments.policy != PolicyName::CalibratedV2 {
        return Err(wrong(
            "only calibrated_v2 is held to a share of wrong verdicts",
            "add --policy calibrated_v2, or leave out --wrong-max-percent",
        ));
    }
    let asked = arguments
        .wrong_max_percent
        .or(config.verify.wrong_max_percent)
        .filter(|_| arguments.policy == PolicyName::CalibratedV2);
    match asked.filter(|percent| *percent < WRONG_MAX_PERCENT_MIN) {
        Some(percent) => Err(wrong(
            &format!("no bar of calibrated_v2 keeps wrong verdicts at {percent} %"),
            &format!("ask for {WRONG_MAX_PERCENT_MIN} % or more"),
        )),
        None => Ok(()),
    }
}

/// Refuses calibrated_v2 for one source: what was fitted on many pages says nothing about one.
fn is_one_rule(arguments: &Verify) -> Result<(), Error> {
    match (arguments.policy, arguments.accept) {
        (PolicyName::CalibratedV2, AcceptClaim::Strong) => Err(wrong(
            "one source is not enough for calibrated_v2",
            "leave out --accept strong, or --policy calibrated_v2",
        )),
        (PolicyName::SpecV1, AcceptClaim::Strong | AcceptClaim::Verified)
        | (PolicyName::CalibratedV2, AcceptClaim::Verified) => Ok(()),
    }
}

/// Returns the time that the claim itself names, or `None`.
fn said(plan: &Recorded, as_of: Timestamp) -> Option<Timeframe> {
    let read = grounds_verify::timeframe::read(&plan.claim, as_of)?;
    // Documents of a folder speak of the past ("in 2019 the limit was 5") without being of it, so
    // only a time that has not ended is taken from the words there.
    (!plan.is_folder() || read.end.is_some_and(|end| end > as_of)).then_some(read)
}

/// Returns the time between two dates; `None` if neither is given.
fn timeframe(from: Option<&str>, to: Option<&str>) -> Result<Option<Timeframe>, Error> {
    let (start, end) = (
        from.map(first_moment).transpose()?,
        to.map(last_moment).transpose()?,
    );
    if start.zip(end).is_some_and(|(start, end)| start > end) {
        return Err(wrong(
            "its time ends before it begins",
            "swap --from and --to",
        ));
    }
    Ok((start.is_some() || end.is_some()).then_some(Timeframe { start, end }))
}

fn wrong(reason: &str, advice: &str) -> Error {
    Error::Claim {
        reason: reason.to_owned(),
        advice: advice.to_owned(),
    }
}

fn first_moment(text: &str) -> Result<Timestamp, Error> {
    moment(text, |day| day.to_zoned(TimeZone::UTC))
}

/// Parses a moment; a day ends with its last second.
fn last_moment(text: &str) -> Result<Timestamp, Error> {
    moment(text, |day| {
        day.at(23, 59, 59, 0)
            .to_zoned(TimeZone::UTC)
            .or_else(|_| day.checked_add(1.day())?.to_zoned(TimeZone::UTC))
    })
}

fn moment(
    text: &str,
    of_day: impl Fn(Date) -> Result<jiff::Zoned, jiff::Error>,
) -> Result<Timestamp, Error> {
    let text = text.trim();
    let day = || {
        text.parse::<Date>()
            .and_then(&of_day)
            .map(|zoned| zoned.timestamp())
    };
    // `2024-12-31` has ten letters.
    let is_day = text.len() <= 10;
    let read = if is_day {
        day()
    } else {
        text.parse::<Timestamp>()
    };
    read.map_err(|_| {
        wrong(
            &format!("`{text}` is not a date"),
            "write a day as 2024-12-31, or a moment as 2024-12-31T23:59:00Z",
        )
    })
}
