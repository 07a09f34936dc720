//! The metrics of a fleet, as text for Prometheus. Turns a status into lines; it asks nothing
//! itself.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::ledger::RunStatus;

/// Returns the metrics of a status.
pub fn text(status: &RunStatus) -> String {
    let mut states: BTreeMap<&str, u64> = BTreeMap::new();
    // The counts are by run and reason too, which this gauge does not show.
    for count in &status.counts {
        *states.entry(&count.state).or_default() += count.jobs;
    }
    let mut text = String::new();
    head(&mut text, "grounds_fleet_jobs", "gauge", "Jobs by state.");
    for (state, jobs) in &states {
        line(&mut text, "grounds_fleet_jobs", &[("state", state)], *jobs);
    }
    head(
        &mut text,
        "grounds_fleet_oldest_ready_ms",
        "gauge",
        "Milliseconds that the job that waits longest has been ready.",
    );
    line(
        &mut text,
        "grounds_fleet_oldest_ready_ms",
        &[],
        status.oldest_ready_ms,
    );
    head(
        &mut text,
        "grounds_fleet_workers",
        "gauge",
        "Workers that hold a job.",
    );
    line(&mut text, "grounds_fleet_workers", &[], status.workers);
    head(
        &mut text,
        "grounds_fleet_result_ms_total",
        "counter",
        "Milliseconds that all results took together.",
    );
    line(
        &mut text,
        "grounds_fleet_result_ms_total",
        &[],
        status.took_ms,
    );
    spending(&mut text, status);
    text
}

fn spending(text: &mut String, status: &RunStatus) {
    head(
        text,
        "grounds_fleet_failures_total",
        "counter",
        "Attempts that failed, by reason.",
    );
    for (reason, count) in &status.failures {
        line(
            text,
            "grounds_fleet_failures_total",
            &[("reason", reason)],
            *count,
        );
    }
    head(
        text,
        "grounds_fleet_spent",
        "gauge",
        "Spent or reserved, by run and unit.",
    );
    for budget in &status.budgets {
        let labels = [("run", budget.run.as_str()), ("unit", budget.unit.as_str())];
        line(text, "grounds_fleet_spent", &labels, budget.used);
    }
    head(
        text,
        "grounds_fleet_budget",
        "gauge",
        "What may be spent, by run and unit.",
    );
    // Without a bound there is no line, because 0 would mean that nothing may be spent.
    for (budget, most) in status
        .budgets
        .iter()
        .filter_map(|budget| Some((budget, budget.most?)))
    {
        let labels = [("run", budget.run.as_str()), ("unit", budget.unit.as_str())];
        line(text, "grounds_fleet_budget", &labels, most);
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

fn line(text: &mut String, name: &str, labels: &[(&str, &str)], value: u64) {
    let label = |(name, value): &(&str, &str)| {
        // Names can contain any letter, and these would end a label or its line.
        let value = value
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n");
        format!("{name}=\"{value}\"")
    };
    let labels: Vec<String> = labels.iter().map(label).collect();
    let labels = match labels.is_empty() {
        true => String::new(),
        false => format!("{{{}}}", labels.join(",")),
    };
    let _ = writeln!(text, "{name}{labels} {value}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::{JobCount, UsedBudget};

    #[test]
    fn names_of_people_cannot_break_the_form() {
        let status = RunStatus {
            counts: vec![JobCount {
                run: "r".to_owned(),
                state: "queued".to_owned(),
                reason: String::new(),
                jobs: 3,
            }],
            budgets: vec![UsedBudget {
                run: "a\"b\\c\nd".to_owned(),
                unit: "queries".to_owned(),
                most: None,
                used: 7,
            }],
            ..RunStatus::default()
        };
        let text = text(&status);
        assert!(
            text.contains("grounds_fleet_jobs{state=\"queued\"} 3\n"),
            "{text}"
        );
        assert!(
            text.contains(r#"{run="a\"b\\c\nd",unit="queries"} 7"#),
            "{text}"
        );
        assert!(!text.contains("grounds_fleet_budget{"), "{text}");
    }
}
