//! The page of a claim: the proof, what a verdict takes and what there was, as a path from each
//! side over its families to the words of the pages, and what did not count and where it was
//! searched.

use maud::{Markup, html};

use super::bar::{self, BarPart};
use super::frame::{PageSection, Tone, VerdictSentence};
use super::parts::{address, sentences, shown, standing, sums, tone, weakest_first, words};
use super::time;
use crate::ended::Need;
use crate::reading::verify::{Hit, PageView, Source, Verified};

/// Hits that do not count and are shown without opening.
const NOT_COUNTED_MAX: usize = 5;

/// Returns the verdict and the sections of a claim.
pub(super) fn of(report: &Verified, needs: &[Need]) -> (VerdictSentence, Vec<PageSection>) {
    let mut sections = vec![PageSection::of("proof", "Proof", proof(report))];
    sections.push(PageSection::of(
        "why",
        "What it takes, and what there was",
        why(report, needs),
    ));
    sections.push(PageSection::of(
        "scope",
        "What did not count, and where it looked",
        scope(report),
    ));
    sections.push(PageSection::of("spend", "What it cost", spend(report)));
    (verdict(report), sections)
}

fn verdict(report: &Verified) -> VerdictSentence {
    let (tone, word) = match (report.outcome.as_str(), report.reason.as_deref()) {
        ("True", _) => (Tone::Good, "True".to_owned()),
        ("False", _) => (Tone::Bad, "False".to_owned()),
        (_, Some("insufficient")) => (
            Tone::Open,
            "Invalid: too little independent evidence".to_owned(),
        ),
        (_, Some("conflicting")) => (
            Tone::Open,
            "Invalid: the evidence contradicts itself".to_owned(),
        ),
        (_, Some("not_matured")) => (Tone::Open, "Invalid: its time has not ended".to_owned()),
        (_, Some("not_read")) => (
            Tone::Open,
            "Invalid: a bound left something unread".to_owned(),
        ),
        (_, Some("not_checkable")) => (
            Tone::Open,
            format!(
                "Invalid: nothing in it can be checked ({})",
                words(report.not_checkable.as_deref().unwrap_or("unknown"))
            ),
        ),
        (_, _) => (Tone::Open, "Invalid".to_owned()),
    };
    let first = report.proof.lines().next().unwrap_or_default();
    // The first line of a proof begins with the verdict, which is the heading here.
    let because = first
        .rsplit_once("**")
        .map_or(first, |(_, rest)| rest)
        .trim()
        .trim_end_matches(':');
    VerdictSentence {
        tone,
        word,
        because: because.to_owned(),
    }
}

/// Shows the lines of the proof; its numbers lead to the sources.
fn proof(report: &Verified) -> Markup {
    let (bullets, plain): (Vec<&str>, Vec<&str>) = report
        .proof
        .lines()
        .skip(1)
        .partition(|line| line.starts_with("- "));
    html! {
        p { (shown(&report.proof.lines().next().unwrap_or_default().replace("**", ""))) }
        // The proof is Markdown: its sentences are items, and `[1]` in them leads to a source.
        @if !bullets.is_empty() { ul.list { @for line in bullets { li { (cited(line.trim_start_matches("- "), report.sources.len())) } } } }
        @for line in plain { p { (cited(line, report.sources.len())) } }
        @for (source, number) in report.sources.iter().zip(1..) { (quoted(source, number)) }
    }
}

/// Shows a line in which `[1]` leads to the first source.
fn cited(line: &str, sources: usize) -> Markup {
    let pieces: Vec<(&str, Option<usize>)> = split(line, sources);
    html! {
        @for (text, number) in pieces {
            (shown(text))
            @if let Some(number) = number { a href={ "#s" (number) } aria-label={ "source " (number) } { "[" (number) "]" } }
        }
    }
}

fn split(line: &str, sources: usize) -> Vec<(&str, Option<usize>)> {
    let (mut pieces, mut rest) = (Vec::new(), line);
    while let Some((before, after)) = rest.split_once('[') {
        let number = after
            .split_once(']')
            .and_then(|(number, tail)| Some((number.parse::<usize>().ok()?, tail)));
        match number.filter(|(number, _)| (1..=sources).contains(number)) {
            Some((number, tail)) => {
                pieces.push((before, Some(number)));
                rest = tail;
            }
            // `[2024]` in a quote is no number of a source, and stays text.
            None => {
                pieces.push((&rest[..before.len() + 1], None));
                rest = after;
            }
        }
    }
    pieces.push((rest, None));
    pieces
}

fn quoted(source: &Source, number: usize) -> Markup {
    html! {
        figure id={ "s" (number) } {
            figcaption { b { "[" (number) "]" } span { (shown(&source.title)) } (address(&source.url)) @if let Some(date) = &source.pub_date { span.quiet { (shown(date)) } } }
            blockquote { (shown(&source.excerpt)) }
        }
    }
}

/// Shows the requirements, then each side with its families.
fn why(report: &Verified, needs: &[Need]) -> Markup {
    html! {
        p { "Decided by the rule " code { (shown(&report.debug.policy)) } " as of " (shown(&report.as_of)) "." (timeframe(report)) }
        (time::of_claim(report))
        ol.tree aria-label="What a verdict takes" {
            @for (side, title) in [("support", "For the claim"), ("refute", "Against the claim")] { (side_item(report, needs, side, title)) }
            @for need in weakest_first(needs).into_iter().filter(|need| need.target.is_empty()) {
                li.(tone(need.is_met).class()) { div.row { h3 { (shown(&need.class)) } (standing(need)) } }
            }
        }
    }
}

fn timeframe(report: &Verified) -> Markup {
    let moment = |moment: &Option<String>| moment.clone().unwrap_or_else(|| "any time".to_owned());
    html! { @if let Some(time) = &report.timeframe { " It must have happened from " (shown(&moment(&time.start))) " to " (shown(&moment(&time.end))) "." } }
}

fn side_item(report: &Verified, needs: &[Need], side: &str, title: &str) -> Markup {
    let own: Vec<&Need> = weakest_first(needs)
        .into_iter()
        .filter(|need| need.target == side)
        .collect();
    let counted: Vec<&Hit> = report
        .evidence
        .iter()
        .filter(|hit| hit.is_counted && hit.side.as_deref() == Some(side))
        .collect();
    // A fleet keeps no requirements of a job, and of none `all` would be true.
    let is_enough = !own.is_empty() && own.iter().all(|need| need.is_met);
    html! {
        li class=[(!own.is_empty()).then(|| tone(is_enough).class())] {
            div.row { h3 { (title) } @if !own.is_empty() { span.badge.(tone(is_enough).class()) { @if is_enough { "enough" } @else { "not enough" } } } }
            @if !own.is_empty() { ul.list { @for need in own { li.row { span { (shown(&need.class)) ":" } (standing(need)) } } } }
            @if counted.is_empty() { p.quiet { "No family of sources speaks so." } }
            @else { ol aria-label="Families of sources" { @for hit in counted { (family(report, hit)) } } }
        }
    }
}

/// Shows a family by the hit that represents it, with its words.
fn family(report: &Verified, hit: &Hit) -> Markup {
    let others = report
        .evidence
        .iter()
        .filter(|other| !other.is_counted && other.family.is_some() && other.family == hit.family)
        .count();
    html! {
        li {
            div { b { "Weight " (milli(hit.weight_milli)) } ", tier " (shown(&hit.tier)) ", judged by " (shown(&hit.judge)) @if let Some(date) = &hit.pub_date { ", of " (shown(date)) } }
            figure { figcaption { (address(&hit.url)) } blockquote { (shown(&hit.excerpt)) } }
            @if others > 0 { p.quiet.small { (others) " more hits speak with the same voice and count once." } }
        }
    }
}

fn milli(milli: u64) -> String {
    format!("{}.{}", milli / 1_000, milli % 1_000 / 100)
}

fn scope(report: &Verified) -> Markup {
    let left: Vec<&Hit> = report
        .evidence
        .iter()
        .filter(|hit| !hit.is_counted)
        .collect();
    let (first, rest) = left.split_at(left.len().min(NOT_COUNTED_MAX));
    html! {
        @if left.is_empty() { p { "Every hit counted." } }
        @else { h3 { "Hits that do not count" } ul.plain { @for hit in first { (not_counted(hit)) } } }
        @if !rest.is_empty() { details { summary { (rest.len()) " more" } ul.plain { @for hit in rest { (not_counted(hit)) } } } }
        (bar::of(&parts(report)))
        (asked(report))
        (read(report))
        (sentences(report.failures.iter().map(String::as_str)))
    }
}

fn asked(report: &Verified) -> Markup {
    html! {
        table.stack {
            caption { "What was asked" }
            thead { tr { th scope="col" { "query" } th scope="col" { "of" } th scope="col" { "to find" } th scope="col" { "addresses" } } }
            tbody { @for query in &report.queries { tr {
                th scope="row" { (shown(&query.text)) } td { (shown(&query.provider)) } td { (words(&query.seeks)) }
                td { @if let Some(results) = query.results { (results) } @else { b { "could not be asked" } } }
            } } }
        }
    }
}

fn read(report: &Verified) -> Markup {
    html! {
        table.stack {
            caption { "What was read" }
            thead { tr { th scope="col" { "page" } th scope="col" { "date" } th scope="col" { "read?" } } }
            tbody { @for page in &report.pages { tr {
                th scope="row" { (address(&page.url)) } td { (shown(page.pub_date.as_deref().unwrap_or("none"))) }
                td { @if let Some(why) = &page.failure { b { (shown(why)) } } @else { "yes" @if let Some(status) = page.status.filter(|status| *status != 200) { " (" (status) ")" } } }
            } } }
        }
    }
}

/// Returns queries and pages by whether they were answered and read.
fn parts(report: &Verified) -> Vec<BarPart> {
    let count =
        |fits: &dyn Fn(&PageView) -> bool| report.pages.iter().filter(|page| fits(page)).count();
    let unasked = report
        .queries
        .iter()
        .filter(|query| query.results.is_none());
    let part = |count: usize, name: &str, class| BarPart {
        count: count as u64,
        name: name.to_owned(),
        class,
    };
    vec![
        part(count(&|page| page.failure.is_none()), "pages read", "read"),
        part(
            count(&|page| page.failure.is_some()),
            "pages not read",
            "lost",
        ),
        part(unasked.count(), "queries that could not be asked", "lost"),
    ]
}

fn not_counted(hit: &Hit) -> Markup {
    let why = match hit.why_not.as_deref() {
        Some("same_family") => "it speaks with the same voice as one that counts".to_owned(),
        Some(why) => words(why),
        None => "no reason is kept".to_owned(),
    };
    html! {
        li { (address(&hit.url)) span.quiet { ": " (shown(hit.side.as_deref().unwrap_or("no side"))) ", " (shown(&why)) } blockquote { (shown(&hit.excerpt)) } }
    }
}

fn spend(report: &Verified) -> Markup {
    let debug = &report.debug;
    html! {
        (sums(&[
            (debug.attempts.to_string(), "rounds"),
            (debug.total_queries.to_string(), "queries"),
            (debug.total_pages_visited.to_string(), "pages"),
            ((debug.queries_failed + debug.pages_failed).to_string(), "failed"),
        ]))
        @if report.reached.is_empty() { p.quiet { "No bound was reached." } }
        @else { p { "Bounds that were reached: " @for bound in &report.reached { code { (shown(bound)) } " " } } }
        @if debug.proof_dropped > 0 { p { (debug.proof_dropped) " sentences of a model were dropped from the proof." } }
        @if let Some(error) = &debug.proof_error { p { (shown(error)) } }
    }
}
