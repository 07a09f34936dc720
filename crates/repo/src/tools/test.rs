//! test: runs the tests of the checkout with its own toolchain, if that was allowed.

use std::rc::Rc;

use grounds_evidence::{EvidenceClass, Family, Match, Observation, Relation};

use super::build;
use crate::bench::Bench;
use crate::obstacle::Obstacle;
use crate::tool::{Offer, Tool, ToolCard, ToolError, ToolRequest};
use crate::toolchains::{BuildReport, Choice, TestReport};

pub(super) struct Test;

static CARD: ToolCard = ToolCard {
    name: "test",
    about: "runs the tests of the project in a private copy",
    family: Family::Toolchain,
    offers: &[Offer {
        class: EvidenceClass::Test,
        kinds: &[],
        best: Match::AllRelevantTestsPassed,
        relation: Relation::Unlabelled,
        cost: 60,
    }],
    after: None,
};

impl Tool for Test {
    fn card(&self) -> &'static ToolCard {
        &CARD
    }

    fn run(
        &self,
        bench: &mut Bench<'_>,
        _request: ToolRequest<'_>,
    ) -> Result<Vec<Observation>, ToolError> {
        let (checkout, limits) = (bench.checkout, bench.limits);
        let choice = bench.workshop.choice(checkout, limits)?;
        if !bench.means.may_run {
            let command = choice.toolchain.commands(checkout, &choice.folder).1;
            return Err(build::not_allowed(
                "a run of the tests",
                &command,
                &bench.enquiry.question,
            ));
        }
        if bench
            .workshop
            .build
            .as_ref()
            .is_some_and(|build| build.failure.is_some())
        {
            return Err(ToolError::refused(
                Obstacle::RunBuildFails,
                "the build fails, so no test can run",
            ));
        }
        let asked = build::asked(bench)?;
        let without_sandbox = bench.means.may_run_without_sandbox;
        let mut report =
            bench
                .workshop
                .work(checkout, limits, without_sandbox, |choice, site| {
                    choice.toolchain.test(site)
                })?;
        report.narrow(&asked);
        let observation = observation(&choice, &report);
        // Tests that cannot be built do not fail: the build fails.
        if let Some(failure) = &report.unbuilt {
            let built = BuildReport {
                command: report.command.clone(),
                failure: Some(failure.clone()),
                ..BuildReport::default()
            };
            let seen = build::observation(&choice, &built);
            bench.workshop.build = Some(Rc::new(built));
            return Ok(vec![seen]);
        }
        bench.workshop.test = Some(Rc::new(report));
        Ok(vec![observation])
    }
}

fn observation(choice: &Choice, report: &TestReport) -> Observation {
    let found = match (report.failed, report.passed, report.is_whole()) {
        (1.., ..) => Match::TestsFailed,
        (0, 0, _) => Match::NoTestRan,
        (0, _, true) => Match::AllRelevantTestsPassed,
        (0, _, false) => Match::SomeTestsPassed,
    };
    let base = CARD.observation(EvidenceClass::Test, &build::project());
    Observation {
        found,
        query: report.command.clone(),
        match_count: report.total(),
        exact_match_count: report.passed,
        sources: build::sources(choice, &report.failures),
        ..base
    }
}
