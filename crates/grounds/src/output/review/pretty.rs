//! The form of a review for people: first the findings that block, then the open ones, the spend,
//! and the outcome. Findings below the gate are counted, and shown with `--verbose`.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style as Colour};
use grounds_model::price::dollars;
use grounds_review::report::{
    BaselineState, DropReason, Dropped, GateStanding, Reported, RequestFate,
};
use grounds_review::{Anchor, Finding, Producer, Report, Severity, forms};

use super::{Style, severity};
use crate::safe;

/// Findings that are shown in full.
const FINDINGS_MAX: usize = 200;
/// Lines of a quote that are shown.
const QUOTE_LINES_MAX: usize = 6;

/// Writes a report.
pub(super) fn write(report: &Report, style: &Style<'_>, out: &mut dyn Write) -> io::Result<()> {
    let is_shown = |reported: &&Reported| match reported.standing {
        GateStanding::Blocks | GateStanding::Known => true,
        GateStanding::BelowSeverity | GateStanding::BelowQuality => style.verbose,
    };
    let shown: Vec<&Reported> = report.findings.iter().filter(is_shown).collect();
    for reported in shown.iter().take(FINDINGS_MAX) {
        finding(reported, style, out)?;
    }
    if let Some(more) = shown
        .len()
        .checked_sub(FINDINGS_MAX)
        .filter(|more| *more > 0)
    {
        writeln!(out, "(and {more} more findings; `--format json` has all)\n")?;
    }
    if style.verbose {
        verbose(report, out)?;
    }
    follow_up(report, out)?;
    spend(report, out)?;
    plan(report, style, out)?;
    for note in &report.notes {
        writeln!(out, "note: {}", safe::for_line(note))?;
    }
    for line in forms::owners(report) {
        writeln!(out, "{}", safe::for_line(&line))?;
    }
    for line in forms::told(report) {
        writeln!(out, "{}", safe::for_line(&line))?;
    }
    Ok(())
}

fn finding(reported: &Reported, style: &Style<'_>, out: &mut dyn Write) -> io::Result<()> {
    let finding = &reported.finding;
    let colour = if style.colour {
        colour_of(finding.severity)
    } else {
        Colour::new()
    };
    let severity = severity(finding.severity);
    writeln!(
        out,
        "{colour}{severity}{colour:#} {}: {}",
        safe::for_line(&place(finding)),
        safe::for_line(&finding.title)
    )?;
    if let Some(quote) = finding
        .quote
        .as_deref()
        // A finding about a file as a whole quotes nothing that has a place in it.
        .filter(|_| finding.anchor != Anchor::File)
    {
        let quote = quote.trim_matches('\n');
        quote
            .lines()
            .take(QUOTE_LINES_MAX)
            .try_for_each(|line| writeln!(out, "    | {}", safe::for_lines(line)))?;
    }
    if finding.message != finding.title {
        finding
            .message
            .lines()
            .try_for_each(|line| writeln!(out, "    {}", safe::for_line(line)))?;
    }
    writeln!(
        out,
        "    {}, {}, by {}{}",
        finding.id,
        quality(finding),
        producers(finding),
        known(&reported.baseline)
    )?;
    reported
        .notes
        .iter()
        .try_for_each(|note| writeln!(out, "    {}", safe::for_line(note)))?;
    writeln!(out)
}

fn known(state: &BaselineState) -> String {
    match state {
        BaselineState::New => String::new(),
        BaselineState::Unchanged => "; known from the last review".to_owned(),
        BaselineState::Dismissed { reason } => format!("; dismissed: {}", safe::for_line(reason)),
    }
}

fn quality(finding: &Finding) -> String {
    finding.quality.as_str().to_lowercase()
}

fn place(finding: &Finding) -> String {
    match finding.anchor {
        Anchor::Lines { start, end } if start == end => format!("{}:{start}", finding.path),
        Anchor::Lines { start, end } => format!("{}:{start}-{end}", finding.path),
        Anchor::File => format!("{} (no line)", finding.path),
    }
}

fn producers(finding: &Finding) -> String {
    let name = |producer: &Producer| match producer {
        Producer::Rule(name) => format!("rule {name}"),
        Producer::Model(name) => name.clone(),
        Producer::FollowUp(name) => format!("{name} (follow-up)"),
        Producer::Tool(name) => format!("tool {name}"),
    };
    safe::for_line(
        &finding
            .producers
            .iter()
            .map(name)
            .collect::<Vec<_>>()
            .join(", "),
    )
}

fn colour_of(severity: Severity) -> Colour {
    match severity {
        Severity::Critical => AnsiColor::Red.on_default().bold(),
        Severity::Major => AnsiColor::Red.on_default(),
        Severity::Minor => AnsiColor::Yellow.on_default(),
        Severity::Info => AnsiColor::Cyan.on_default(),
    }
}

/// Writes what was dropped, and the gap.
fn verbose(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for Dropped {
        id,
        path,
        line,
        title,
        why,
    } in &report.dropped
    {
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        writeln!(
            out,
            "dropped {id} {}: {} ({})",
            safe::for_line(&format!("{path}{line}")),
            safe::for_line(title),
            safe::for_line(&drop_words(why))
        )?;
    }
    for name in &report.gap {
        writeln!(
            out,
            "not shown to the model: {}",
            safe::for_line(&format!(
                "`{}`, used at {}: {}",
                name.name, name.used_at, name.why
            ))
        )?;
    }
    for resolved in &report.resolved {
        writeln!(
            out,
            "resolved: {}: {}",
            safe::for_line(&resolved.path),
            safe::for_line(&resolved.title)
        )?;
    }
    Ok(())
}

/// Returns why a finding was dropped, in words.
pub(super) fn drop_words(why: &DropReason) -> String {
    match why {
        DropReason::FileNotInDiff => "its file is not in the diff".to_owned(),
        DropReason::LineNotInDiff => "its line is not in the diff".to_owned(),
        DropReason::NameExists { name, place } => format!("`{name}` is at {place}"),
        DropReason::SameAs { id } => format!("the same as {id}"),
        DropReason::Dismissed {
            quote,
            place,
            reason,
        } => format!("dismissed in the follow-up: {reason}; {place}: {quote}"),
        DropReason::Unreadable { why } => why.clone(),
    }
}

fn follow_up(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for request in &report.follow_up.requests {
        let fate = match &request.fate {
            // It follows below, with its outcome.
            RequestFate::Taken => continue,
            RequestFate::PassedOver => "passed over: another one went before it".to_owned(),
            RequestFate::Refused { why } => format!("refused: {why}"),
        };
        writeln!(
            out,
            "follow-up asked by {}: {} {}",
            request.bundle,
            safe::for_line(&request.asked),
            safe::for_line(&fate)
        )?;
    }
    let Some(taken) = &report.follow_up.taken else {
        return Ok(());
    };
    let place = format!(
        "{}:{}-{}",
        taken.path, taken.line_start, taken.line_end_shown
    );
    write!(
        out,
        "follow-up: {} (\"{}\"): ",
        safe::for_line(&place),
        safe::for_line(&taken.reason)
    )?;
    if let Some(failed) = &taken.failed {
        return writeln!(
            out,
            "{}; all findings stay; {} extra tokens",
            safe::for_line(failed),
            taken.extra_tokens
        );
    }
    let counts = [
        (taken.confirmed, "confirmed"),
        (taken.removed, "dismissed"),
        (taken.unverified, "not verified"),
        (taken.revised, "revised"),
        (taken.added, "added"),
        (taken.dismissals_refused, "dismissals refused"),
        (taken.requests_ignored, "further requests ignored"),
    ];
    let told: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let told = if told.is_empty() {
        "nothing changed".to_owned()
    } else {
        told.join(", ")
    };
    writeln!(out, "{told}; {} extra tokens", taken.extra_tokens)
}

fn spend(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let spend = &report.spend;
    // Rules alone cost nothing, and a dry run shows its plan instead (`plan`).
    if spend.requests + spend.from_cache + spend.from_replay == 0 {
        return Ok(());
    }
    let beside = [
        (spend.extra_tokens, "extra tokens of the follow-up"),
        (spend.from_cache, "calls from the cache"),
        (spend.from_replay, "calls from a replay"),
        (spend.new_attempts, "new attempts"),
        (spend.repairs, "repairs"),
        (spend.unsaid, "requests of unsaid use"),
    ];
    let beside: String = beside
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!(", {count} {what}"))
        .collect();
    let cost = spend
        .cost_nano
        .map_or_else(|| "at an unknown price".to_owned(), dollars);
    writeln!(
        out,
        "{} requests, {} + {} tokens{beside}, {cost}",
        spend.requests, spend.prompt_tokens, spend.output_tokens
    )
}

/// Writes what a dry run would send, with `--verbose` each prompt.
fn plan(report: &Report, style: &Style<'_>, out: &mut dyn Write) -> io::Result<()> {
    let worst = &report.spend.worst_case;
    // Only a dry run has planned calls and made none of them.
    if worst.calls == 0
        || report.spend.requests + report.spend.from_cache + report.spend.from_replay > 0
    {
        return Ok(());
    }
    for bundle in &report.bundles {
        let paths = bundle.paths.join(", ");
        writeln!(
            out,
            "{}: {} prompt tokens, {} pieces of context: {}",
            bundle.id,
            bundle.prompt_tokens,
            bundle.items.len(),
            safe::for_line(&paths)
        )?;
        let prompt = bundle.prompt.iter().filter(|_| style.verbose);
        for line in prompt.flat_map(|prompt| prompt.lines()) {
            writeln!(out, "    {}", safe::for_lines(line))?;
        }
    }
    let cost = worst.cost_nano.map_or_else(
        || "at an unknown price".to_owned(),
        |nano| format!("at the most {}", dollars(nano)),
    );
    let cap = worst.tokens_max.map_or_else(String::new, |cap| {
        format!("; no more than {cap} in any case")
    });
    writeln!(
        out,
        "worst case: {} calls, {} requests with all attempts, {} tokens, repairs included{cap}, {cost}",
        worst.calls, worst.requests, worst.tokens
    )
}
