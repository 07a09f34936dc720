//! Checks many claims with one set of sources, for a worker of a fleet. Takes claims one by one and
//! a source of answers to queries that cost, and returns one-line reports. It decides like
//! `--batch`, and knows no ledger.

use std::sync::Arc;

use grounds_http::turns::Turns;
use grounds_verify::batch::BatchClaim;
use grounds_verify::spending::{Caps, Spending};
use grounds_web::{FOLDER, SearchProvider};
use jiff::Timestamp;

use super::batch::of_claim;
use super::helpers::Helpers;
use super::recording::Recorded;
use super::sources::{SourceFaces, Sources};
use super::{check, is_allowed, last_moment, rules};
use crate::cli::{Global, Verify};
use crate::config::Config;
use crate::error::Error;
use crate::output::verify::{ShownVerdict, line, word};

/// Open sources, and the settings by which claims are decided.
pub(in crate::commands) struct Prepared<'p> {
    arguments: &'p Verify,
    config: &'p Config,
    global: &'p Global,
    plan: Recorded,
    sources: Sources,
    helpers: Helpers,
}

/// The means by which one claim is checked.
pub(in crate::commands) struct By<'b> {
    /// When it was submitted.
    pub(in crate::commands) submitted: Timestamp,
    /// The engine.
    pub(in crate::commands) provider: &'b dyn SearchProvider,
    /// The line that gives turns to its models.
    pub(in crate::commands) turns: Arc<dyn Turns>,
}

/// The result of a claim.
pub(in crate::commands) struct ClaimOutcome {
    /// The verdict in one word.
    pub(in crate::commands) verdict: &'static str,
    /// The report on one line.
    pub(in crate::commands) report: String,
    /// Tokens of models.
    pub(in crate::commands) tokens: u64,
    /// Billionths of a dollar.
    pub(in crate::commands) cost_nano: u64,
}

impl<'p> Prepared<'p> {
    pub(in crate::commands) fn open(
        arguments: &'p Verify,
        config: &'p Config,
        global: &'p Global,
        turns: Option<Arc<dyn Turns>>,
    ) -> Result<Self, Error> {
        is_allowed(arguments, config)?;
        let mut plan = Recorded::of(arguments, config, Timestamp::now());
        // Threads go to claims here, not to the pages of one.
        plan.set_parallel(1);
        let sources = Sources::open(&mut plan, arguments, config, turns)?;
        sources.tell(global);
        let helpers = Helpers::of(&mut plan, arguments, config, global)?;
        helpers.tell(global);
        Ok(Self {
            arguments,
            config,
            global,
            plan,
            sources,
            helpers,
        })
    }

    /// Returns the name of the engine, with the hash of its documents if it is a folder of them.
    pub(in crate::commands) fn sources(&self) -> String {
        let fingerprint = self.sources.fingerprint.as_deref().unwrap_or("web");
        format!("{} {fingerprint}", self.plan.provider)
    }

    /// Reports whether its queries cost something.
    pub(in crate::commands) fn is_paid(&self) -> bool {
        self.plan.provider != FOLDER
    }

    /// Returns the engine that is asked.
    pub(in crate::commands) fn provider(&self) -> &dyn SearchProvider {
        self.sources.asked().provider
    }

    /// Checks one claim for a moment, with the given engine.
    pub(in crate::commands) fn check(
        &self,
        claim: &BatchClaim,
        as_of: Option<&str>,
        by: &By<'_>,
    ) -> Result<ClaimOutcome, Error> {
        let mut plan = self.plan.clone();
        // A job that is tried again another day must have the same result, so the day of its
        // submission counts.
        let as_of = as_of.map(last_moment).transpose()?.unwrap_or(by.submitted);
        plan.as_of = as_of.to_string();
        let plan = of_claim(&plan, claim)?;
        let own = self.own_helpers(&plan, &by.turns)?;
        let helpers = own.as_ref().unwrap_or(&self.helpers);
        let asked = SourceFaces {
            provider: by.provider,
            ..self.sources.asked()
        };
        let spending = Spending::new(Caps::default(), 0, 0);
        let (verification, proof) =
            check(&plan.task()?, &plan, &asked, helpers, &spending, &|_| ())?;
        let shown = ShownVerdict {
            verification: &verification,
            proof: &proof,
            rules: &rules(&plan),
            notes: &[],
            colour: false,
            verbose: false,
        };
        let hash = plan.hash(self.sources.fingerprint.as_deref());
        let report =
            line(&shown, &claim.claim, Some(hash)).map_err(|error| Error::Write(error.into()))?;
        let (tokens, cost_nano) = own.as_ref().map_or((0, 0), Helpers::spent);
        Ok(ClaimOutcome {
            verdict: word(verification.result.outcome),
            report,
            tokens,
            cost_nano,
        })
    }

    /// Returns helpers for one claim, so that what its models use can be counted for it; `None`
    /// without a model: then all claims share theirs.
    fn own_helpers(
        &self,
        plan: &Recorded,
        turns: &Arc<dyn Turns>,
    ) -> Result<Option<Helpers>, Error> {
        if plan.model.is_none() {
            return Ok(None);
        }
        let own = Helpers::of(&mut plan.clone(), self.arguments, self.config, self.global)?;
        Ok(Some(own.in_turns(turns)))
    }
}
