//! The page: figures, plots and every case, in one file that loads nothing.
//!
//! All text is escaped. The cases are data that the page's one script shows as text, and a policy
//! of the page forbids every request.

use std::fmt::Write as _;

use serde_json::json;

use super::escape::{html, json as script_json};
use super::{EvalReport, number, percent, plots};
use crate::metrics::{Figures, Lens, Share};
use crate::result::CaseResult;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Most slow cases that are shown.
const SLOWEST_MAX: usize = 8;
/// Most cases of a page; those that are right are left out first.
const CASES_MAX: usize = 5_000;
/// The policy under which nothing is loaded, whatever a text of the page says.
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Returns the page.
pub(super) fn of(report: &EvalReport) -> String {
    let mut page = String::new();
    write!(
        page,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
         <link rel=\"icon\" href=\"data:,\"><title>grounds eval</title><style>{STYLE}</style></head><body><header><h1>grounds eval</h1>\
         <p>{} cases, version {}</p><button id=\"theme\" type=\"button\">light or dark</button></header><main>",
        report.cases.len(),
        html(&report.version)
    )
    .expect("a string takes all text");
    // The first figures are those over all cases; the others are of suites and classes.
    if let Some(all) = report.figures.first() {
        page.push_str(&tiles(all));
        page.push_str(&figures(report, all));
    }
    page.push_str(&groups(&report.figures));
    page.push_str(&peers(report));
    page.push_str(&changes(report));
    page.push_str(&cases(report));
    writeln!(page, "</main><script>{SCRIPT}</script></body></html>")
        .expect("a string takes all text");
    page
}

fn tiles(all: &Figures) -> String {
    let tile = |name: &str, share: &Share| {
        format!(
            "<div class=\"tile\"><b>{}</b><span>{}</span><small>{}/{}, {} to {}</small></div>",
            percent(share.rate),
            html(name),
            share.hits,
            share.of,
            percent(share.low),
            percent(share.high)
        )
    };
    let known = [
        tile("right", &all.right),
        tile("false answers", &all.false_answers),
        tile("wrongly refused", &all.wrongful_refusals),
        tile("right where High or better", &all.high_or_better),
        tile("right line first", &all.right_line),
        tile("sent to a second pass", &all.recovery.rate),
    ];
    format!("<section class=\"tiles\">{}</section>", known.concat())
}

fn figures(report: &EvalReport, all: &Figures) -> String {
    let mut slow: Vec<(String, f64)> = report
        .cases
        .iter()
        .map(|case| (case.name(), case.cost.wall_ms))
        .collect();
    // Equal times are ordered by name, so that the same results give the same page.
    slow.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    slow.truncate(SLOWEST_MAX);
    let box_of = |title: &str, plot: &str, note: &str| {
        format!("<figure><h2>{title}</h2>{plot}<figcaption>{note}</figcaption></figure>")
    };
    let lens_note = |lens: &Lens| {
        format!(
            "right / rightly refused / wrong. AUROC {} over all runs, {} over answers; calibration error {}; overlap {}; {} sent to recovery",
            number(lens.auroc_all, 3),
            number(lens.auroc_answered, 3),
            number(lens.calibration_error, 3),
            number(lens.overlap, 3),
            percent(lens.recovery.rate)
        )
    };
    let lenses = &report.lenses;
    let boxes = [
        box_of(
            "Reliability per level",
            &plots::reliability(&all.levels),
            "Right answers of all answers of a level, with the 95 % interval",
        ),
        box_of(
            "Derived confidence against correctness",
            &plots::lens("Derived confidence", &lenses.derived.bins),
            &lens_note(&lenses.derived),
        ),
        box_of(
            "Scorecard against correctness",
            &plots::lens("Scorecard", &lenses.scorecard.bins),
            &lens_note(&lenses.scorecard),
        ),
        box_of(
            "Outcomes",
            &plots::flows(&report.flows),
            "From how cases should end, on the left, to how they ended",
        ),
        box_of(
            "Slowest cases",
            &plots::slowest(&slow),
            "Milliseconds by the clock",
        ),
    ];
    format!("<section class=\"plots\">{}</section>", boxes.concat())
}

fn share_cell(share: &Share) -> String {
    if share.of == 0 {
        "<td>-</td>".to_owned()
    } else {
        format!(
            "<td title=\"{}\">{}/{}</td>",
            percent(share.rate),
            share.hits,
            share.of
        )
    }
}

fn groups(figures: &[Figures]) -> String {
    let row = |row: &Figures| {
        let shares = [
            &row.right,
            &row.coverage,
            &row.false_answers,
            &row.wrongful_refusals,
            &row.right_file,
            &row.right_line,
            &row.intent,
        ];
        let cells: String = shares.into_iter().map(share_cell).collect();
        let time = number(row.costs.wall_ms.median, 1);
        format!(
            "<tr><th>{}</th><td>{}</td>{cells}<td>{}</td><td>{time}</td></tr>",
            html(&row.group),
            row.cases,
            number(row.ndcg10, 3)
        )
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
        "NDCG@10",
        "median ms",
    ];
    table(
        "By suite and class",
        &head,
        &figures.iter().map(row).collect::<String>(),
    )
}

fn table(title: &str, head: &[&str], rows: &str) -> String {
    let head: String = head
        .iter()
        .map(|cell| format!("<th>{}</th>", html(cell)))
        .collect();
    format!(
        "<section><h2>{title}</h2><div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\">\
         <table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></section>"
    )
}

fn peers(report: &EvalReport) -> String {
    let Some(all) = &report.beside_peers else {
        return String::new();
    };
    let row = |name: &str,
               command: &str,
               cases: usize,
               shares: [&Share; 5],
               ndcg10: Option<f64>,
               median: Option<f64>| {
        let cells: String = shares.into_iter().map(share_cell).collect();
        let (ndcg10, median) = (number(ndcg10, 3), number(median, 1));
        format!(
            "<tr><th>{}</th><td>{cases}</td>{cells}<td>{ndcg10}</td><td>{median}</td><td><code>{}</code></td></tr>",
            html(name),
            html(command)
        )
    };
    let own = [
        &all.right,
        &all.false_answers,
        &all.wrongful_refusals,
        &all.right_file,
        &all.right_line,
    ];
    let mut rows = row(
        "grounds",
        "grounds ask QUESTION",
        all.cases,
        own,
        all.ndcg10,
        all.costs.wall_ms.median,
    );
    for peer in &report.peers {
        let shares = [
            &peer.right,
            &peer.false_answers,
            &peer.wrongful_refusals,
            &peer.right_file,
            &peer.right_line,
        ];
        rows.push_str(&row(
            &peer.name,
            &peer.command,
            peer.cases,
            shares,
            peer.ndcg10,
            peer.wall_ms.median,
        ));
    }
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
        "command",
    ];
    table("Other tools on the same cases", &head, &rows)
}

fn changes(report: &EvalReport) -> String {
    let Some(changes) = report
        .changes
        .as_ref()
        .filter(|changes| !changes.is_empty())
    else {
        return String::new();
    };
    let word = |word: &Option<String>| html(word.as_deref().unwrap_or("nothing"));
    let row = |change: &crate::snapshot::SnapshotChange| {
        let (case, field) = (html(&change.case), html(&change.field));
        format!(
            "<tr><th>{case}</th><td>{field}</td><td>{}</td><td>{}</td></tr>",
            word(&change.before),
            word(&change.now)
        )
    };
    table(
        "Changes against the snapshot",
        &["case", "what", "before", "now"],
        &changes.iter().map(row).collect::<String>(),
    )
}

/// Returns the table that the script fills, and the data for it.
fn cases(report: &EvalReport) -> String {
    let wrong_first = |case: &&CaseResult| case.verdict == crate::verdict::Verdict::Right;
    let mut kept: Vec<&CaseResult> = report.cases.iter().collect();
    let left_out = kept.len().saturating_sub(CASES_MAX);
    if left_out > 0 {
        // The sort keeps the order of the run among the cases that are right, and among the others.
        kept.sort_by_key(wrong_first);
        kept.truncate(CASES_MAX);
    }
    let data: Vec<serde_json::Value> = kept.into_iter().map(data).collect();
    // The data are in a script element, which no text of a case may end.
    let data = script_json(&serde_json::Value::Array(data).to_string());
    let note = if left_out > 0 {
        format!("<p>{left_out} cases that are right are not on this page.</p>")
    } else {
        String::new()
    };
    format!(
        "<section><h2>Cases</h2>{note}<form id=\"filters\"><label>search <input id=\"search\" type=\"search\" autocomplete=\"off\"></label>\
         <label>verdict <select id=\"verdict\"></select></label><label>suite <select id=\"suite\"></select></label>\
         <label>level <select id=\"level\"></select></label><output id=\"count\"></output></form>\
         <div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"All cases\"><table id=\"cases\"><thead><tr>\
         <th>case</th><th>question</th><th>ended</th><th>level</th><th>score</th><th>ms</th>\
         <th>verdict</th></tr></thead><tbody></tbody></table></div><button id=\"more\" type=\"button\" hidden>show more</button>\
         <noscript>The table of cases needs the script of this page.</noscript></section>\
         <script type=\"application/json\" id=\"data\">{data}</script>"
    )
}

fn data(case: &CaseResult) -> serde_json::Value {
    let seen = case.observed.as_ref();
    json!({
        "name": case.name(), "suite": case.suite, "class": case.class, "question": case.question, "ended": case.ending(),
        "level": seen.map(|seen| seen.confidence.level.clone()).filter(|level| !level.is_empty()),
        "score": seen.and_then(|seen| seen.scorecard.as_ref()).map(|card| f64::from(card.total_thousandths) / 1e3),
        "ms": case.cost.wall_ms, "verdict": case.verdict.shown(),
        "evidence": seen.map(|seen| &seen.evidence), "cited": seen.map(|seen| &seen.cited),
        "text": super::explain::of(case),
    })
}
