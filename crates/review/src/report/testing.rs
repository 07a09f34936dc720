//! Reports for tests.

use super::*;

/// A report of rules alone over one file `a.py` with three added lines.
pub(crate) fn report(findings: Vec<Finding>) -> Report {
    let lines = LineReport {
        hunk: 0,
        new_lines: 1..4,
        added: 3,
        removed: 0,
        state: LineState::RulesOnly,
    };
    let file = FileReport {
        path: "a.py".to_owned(),
        change: FileChange::Modified,
        skipped: None,
        lines: vec![lines],
    };
    let reported = |finding: Finding| Reported {
        fingerprint: crate::fingerprint::of(&finding),
        finding,
        baseline: BaselineState::New,
        standing: GateStanding::Blocks,
        notes: Vec::new(),
    };
    Report {
        base: Revision::Commit("1".repeat(40)),
        head: Revision::Index,
        judge: ReviewJudge::RulesOnly {
            why: "no model is chosen".to_owned(),
        },
        files: vec![file],
        findings: findings.into_iter().map(reported).collect(),
        dropped: Vec::new(),
        suppressed: Vec::new(),
        rules_judged: RuleCoverage::default(),
        rules_not_judged: Vec::new(),
        resolved: Vec::new(),
        bundles: Vec::new(),
        gap: Vec::new(),
        follow_up: FollowUpRecord::default(),
        spend: Spend::default(),
        gate: Gate::default(),
        folders: Folders::default(),
        bounds: Vec::new(),
        failures: Vec::new(),
        notes: Vec::new(),
        owners: Owners::NotAsked,
        carried: None,
    }
}
