//! The report for terminals. The caller makes it safe for one.

use std::fmt::Write as _;

use super::{EvalReport, number, percent};
use crate::metrics::{Figures, Lens, Share, Spread};
use crate::peers::PeerFigures;

/// Most cases of one verdict that are listed by name.
const MISSES_MAX: usize = 20;
/// Most changes that are listed.
const CHANGES_MAX: usize = 200;

/// Returns the report as text.
pub(super) fn of(report: &EvalReport) -> String {
    let mut page = String::new();
    let Some(all) = report.figures.first() else {
        return page;
    };
    groups(&report.figures, &mut page);
    levels(all, &mut page);
    quality(all, &mut page);
    costs(all, &mut page);
    follow_ups(report, &mut page);
    lenses(report, &mut page);
    flows(report, &mut page);
    if let Some(own) = &report.beside_peers {
        peers(own, &report.peers, &mut page);
    }
    misses(report, &mut page);
    changes(report, &mut page);
    page
}

fn line(page: &mut String, text: &str) {
    writeln!(page, "{}", text.trim_end()).expect("a string takes all text");
}

/// Writes rows of cells below a head, each column as wide as its widest cell. The first column is
/// aligned to the left.
fn rows(page: &mut String, head: &[&str], rows: &[Vec<String>]) {
    // Characters are counted and not bytes, as the widths below are in characters.
    let width = |column: usize| {
        let cells = rows
            .iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count());
        cells
            .chain([head[column].chars().count()])
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let cell = |(column, text): (usize, &str)| {
        let width = widths[column];
        if column == 0 {
            format!("{text:<width$}")
        } else {
            format!("{text:>width$}")
        }
    };
    line(
        page,
        &head
            .iter()
            .copied()
            .enumerate()
            .map(cell)
            .collect::<Vec<_>>()
            .join("  "),
    );
    for row in rows {
        line(
            page,
            &row.iter()
                .map(String::as_str)
                .enumerate()
                .map(cell)
                .collect::<Vec<_>>()
                .join("  "),
        );
    }
    page.push('\n');
}

fn hits(share: &Share) -> String {
    if share.of == 0 {
        "-".to_owned()
    } else {
        format!("{}/{}", share.hits, share.of)
    }
}

fn interval(share: &Share) -> String {
    if share.of == 0 {
        "-".to_owned()
    } else {
        format!("{} .. {}", percent(share.low), percent(share.high))
    }
}

fn groups(figures: &[Figures], page: &mut String) {
    let row = |row: &Figures| {
        let cells = [
            &row.right,
            &row.coverage,
            &row.false_answers,
            &row.wrongful_refusals,
            &row.right_file,
            &row.right_line,
            &row.intent,
        ];
        [row.group.clone(), row.cases.to_string()]
            .into_iter()
            .chain(cells.map(hits))
            .collect()
    };
    let head = [
        "group",
        "cases",
        "right",
        "answered",
        "false answers",
        "wrongly refused",
        "file first",
        "line first",
        "intent",
    ];
    rows(page, &head, &figures.iter().map(row).collect::<Vec<_>>());
}

fn levels(all: &Figures, page: &mut String) {
    // Levels without an answer would be rows without a figure.
    let known = all.levels.iter().filter(|level| level.right.of > 0);
    let row = |level: &crate::metrics::Level| {
        vec![
            level.level.clone(),
            level.right.of.to_string(),
            percent(level.right.rate),
            interval(&level.right),
        ]
    };
    let high = &all.high_or_better;
    let last = vec![
        "High or better".to_owned(),
        high.of.to_string(),
        percent(high.rate),
        interval(high),
    ];
    rows(
        page,
        &["answers of confidence", "cases", "right", "95 % interval"],
        &known.map(row).chain([last]).collect::<Vec<_>>(),
    );
}

fn quality(all: &Figures, page: &mut String) {
    let share = |name: &str, share: &Share| {
        vec![
            name.to_owned(),
            hits(share),
            percent(share.rate),
            interval(share),
        ]
    };
    let mut known = vec![
        share("right", &all.right),
        share("false answers", &all.false_answers),
        share("wrongly refused", &all.wrongful_refusals),
        share("all places listed", &all.all_listed),
        share("first pass success", &all.recovery.first_pass_success),
        share("second passes", &all.recovery.rate),
        share("second passes that led to an answer", &all.recovery.success),
        share("band as labelled", &all.band),
    ];
    known.extend(
        all.first
            .iter()
            .zip(crate::metrics::FIRST)
            .map(|(first, count)| share(&format!("labelled file in the first {count}"), first)),
    );
    known.push(vec![
        "NDCG@10".to_owned(),
        String::new(),
        number(all.ndcg10, 3),
        String::new(),
    ]);
    rows(
        page,
        &["over all cases", "cases", "rate", "95 % interval"],
        &known,
    );
}

fn costs(all: &Figures, page: &mut String) {
    let costs = &all.costs;
    let mebibytes = |spread: &Spread| {
        let scaled = |bytes: Option<f64>| bytes.map(|bytes| bytes / f64::from(1 << 20));
        Spread {
            median: scaled(spread.median),
            p95: scaled(spread.p95),
            most: scaled(spread.most),
        }
    };
    let row = |name: &str, spread: &Spread, decimals: usize| {
        vec![
            name.to_owned(),
            number(spread.median, decimals),
            number(spread.p95, decimals),
            number(spread.most, decimals),
        ]
    };
    let known = [
        row("steps", &costs.steps, 0),
        row("files", &costs.files, 0),
        row("MiB read", &mebibytes(&costs.bytes), 2),
        row("wall ms", &costs.wall_ms, 1),
        row("cpu ms", &costs.cpu_ms, 1),
        row("memory MiB", &mebibytes(&costs.memory_bytes), 1),
    ];
    rows(
        page,
        &["cost of a case", "median", "95th percentile", "most"],
        &known,
    );
    // Cases that run at a time share the process, so neither can be measured for one of them.
    if costs.cpu_ms.most.is_none() && costs.wall_ms.most.is_some() {
        line(page, "cpu and memory are reported with --jobs 1 only\n");
    }
}

/// Writes how many reviews by a model asked for the one follow-up.
fn follow_ups(report: &EvalReport, page: &mut String) {
    let asked: Vec<bool> = report
        .cases
        .iter()
        .filter_map(|case| case.observed.as_ref())
        .filter_map(|observed| observed.asked_follow_up)
        .collect();
    if !asked.is_empty() {
        let share = Share::of(asked.iter().filter(|asked| **asked).count(), asked.len());
        line(
            page,
            &format!(
                "reviews that asked for a follow-up: {} ({}, {})\n",
                hits(&share),
                percent(share.rate),
                interval(&share)
            ),
        );
    }
}

fn lenses(report: &EvalReport, page: &mut String) {
    let row = |name: &str, lens: &Lens| {
        vec![
            name.to_owned(),
            number(lens.auroc_all, 3),
            number(lens.auroc_answered, 3),
            number(lens.calibration_error, 3),
            number(lens.overlap, 3),
            percent(lens.recovery.rate),
        ]
    };
    let head = [
        "which lens separates",
        "AUROC, all runs",
        "AUROC, answered",
        "calibration error",
        "overlap",
        "sent to recovery",
    ];
    rows(
        page,
        &head,
        &[
            row("derived confidence", &report.lenses.derived),
            row("scorecard", &report.lenses.scorecard),
        ],
    );
}

fn flows(report: &EvalReport, page: &mut String) {
    let row = |flow: &crate::metrics::Flow| {
        vec![
            flow.expected.clone(),
            flow.ended.clone(),
            flow.cases.to_string(),
            flow.right.to_string(),
        ]
    };
    rows(
        page,
        &["should end", "ended", "cases", "right"],
        &report.flows.iter().map(row).collect::<Vec<_>>(),
    );
}

fn peers(all: &Figures, peers: &[PeerFigures], page: &mut String) {
    let cells = |name: &str,
                 cases: usize,
                 shares: [&Share; 5],
                 ndcg10: Option<f64>,
                 wall: &Spread|
     -> Vec<String> {
        let shares = shares.into_iter().map(hits);
        let first = [name.to_owned(), cases.to_string()];
        first
            .into_iter()
            .chain(shares)
            .chain([number(ndcg10, 3), number(wall.median, 1)])
            .collect()
    };
    let own = [
        &all.right,
        &all.false_answers,
        &all.wrongful_refusals,
        &all.right_file,
        &all.right_line,
    ];
    let mut known = vec![cells(
        "grounds",
        all.cases,
        own,
        all.ndcg10,
        &all.costs.wall_ms,
    )];
    known.extend(peers.iter().map(|peer| {
        let shares = [
            &peer.right,
            &peer.false_answers,
            &peer.wrongful_refusals,
            &peer.right_file,
            &peer.right_line,
        ];
        cells(&peer.name, peer.cases, shares, peer.ndcg10, &peer.wall_ms)
    }));
    let head = [
        "tool",
        "cases",
        "right",
        "false answers",
        "nothing found",
        "file first",
        "line first",
        "NDCG@10",
        "median ms",
    ];
    rows(page, &head, &known);
    peers
        .iter()
        .for_each(|peer| line(page, &format!("{}: {}", peer.name, peer.command)));
    page.push('\n');
}

fn misses(report: &EvalReport, page: &mut String) {
    for (verdict, cases) in report.misses() {
        line(page, &format!("{} ({}):", verdict.shown(), cases.len()));
        for case in cases.iter().take(MISSES_MAX) {
            let why = case
                .error
                .clone()
                .unwrap_or_else(|| format!("{} for {}", case.ending(), case.expected_ending()));
            line(
                page,
                &format!(
                    "  {}: {}: {}",
                    case.name(),
                    one_line(&case.question),
                    one_line(&why)
                ),
            );
        }
        if cases.len() > MISSES_MAX {
            line(page, &format!("  and {} more", cases.len() - MISSES_MAX));
        }
    }
}

fn one_line(text: &str) -> String {
    // A question can be long and have several lines, which would break the list.
    text.chars()
        .take(120)
        .collect::<String>()
        .replace('\n', "\\n")
}

fn changes(report: &EvalReport, page: &mut String) {
    let Some(changes) = &report.changes else {
        return;
    };
    line(
        page,
        &format!("\n{} changes against the snapshot", changes.len()),
    );
    for change in changes.iter().take(CHANGES_MAX) {
        let word = |word: &Option<String>| {
            word.clone().map_or_else(
                || "nothing".to_owned(),
                |word| format!("`{}`", one_line(&word)),
            )
        };
        line(
            page,
            &format!(
                "  {}: {}: {} -> {}",
                change.case,
                change.field,
                word(&change.before),
                word(&change.now)
            ),
        );
    }
    if changes.len() > CHANGES_MAX {
        line(page, &format!("  and {} more", changes.len() - CHANGES_MAX));
    }
}
