//! One case, from the question to the verdict, as text.

use std::fmt::Write as _;

use crate::observed::{Observed, Spot};
use crate::result::CaseResult;

/// Most places of one list.
const PLACES_MAX: usize = 10;

/// Returns the case as text. The caller makes it safe for a terminal.
pub fn of(result: &CaseResult) -> String {
    let mut page = String::new();
    let mut line = |text: String| writeln!(page, "{text}").expect("a string takes all text");
    line(format!(
        "{} ({}, {})",
        result.name(),
        result.class,
        result.job
    ));
    line(format!("question:   {}", result.question));
    if let Some(error) = &result.error {
        line(format!("error:      {error}"));
    }
    if let Some(seen) = &result.observed {
        understood(seen, &mut line);
        if !seen.is_intent_alone {
            investigated(seen, &mut line);
        }
    }
    expected(result, &mut line);
    judged(result, &mut line);
    page
}

fn understood(seen: &Observed, line: &mut dyn FnMut(String)) {
    let targets = if seen.targets.is_empty() {
        "nothing by name".to_owned()
    } else {
        format!("`{}`", seen.targets.join("`, `"))
    };
    line(format!("goal:       {} of {targets}", seen.intent));
}

fn investigated(seen: &Observed, line: &mut dyn FnMut(String)) {
    for step in &seen.steps {
        let error = step
            .error
            .as_ref()
            .map_or_else(String::new, |error| format!(": {error}"));
        line(format!("step:       {} {}{error}", step.tool, step.target));
    }
    for entry in &seen.evidence {
        let places = entry.places.join(", ");
        line(format!(
            "evidence:   {} {} {}, {} ({}, {}, {} places): {places}",
            entry.class,
            entry.tool,
            entry.found,
            entry.relation,
            entry.quality,
            entry.strength,
            entry.match_count
        ));
    }
    // Only the first entries are kept, and a shortened list must say so.
    if seen.evidence_left_out > 0 {
        line(format!("            and {} more", seen.evidence_left_out));
    }
    for lack in &seen.gap {
        line(format!(
            "gap:        {} for `{}`: have {}, need {}",
            lack.class, lack.target, lack.have, lack.need
        ));
    }
    let second = if seen.recovery_attempts == 0 {
        ""
    } else {
        ", after a second pass"
    };
    line(format!(
        "outcome:    {}{second}",
        seen.refusal.as_ref().map_or_else(
            || seen.outcome.clone(),
            |kind| format!("{}: {kind}", seen.outcome)
        )
    ));
    line(format!("confidence: {}", seen.confidence.explanation));
    if let Some(card) = &seen.scorecard {
        line(format!(
            "scorecard:  {:.3}, {} (decides nothing)",
            f64::from(card.total_thousandths) / 1e3,
            card.band
        ));
    }
    places("cited:     ", &seen.cited, line);
    places("lead:      ", &seen.leads, line);
}

fn places(word: &str, spots: &[Spot], line: &mut dyn FnMut(String)) {
    spots
        .iter()
        .take(PLACES_MAX)
        .for_each(|spot| line(format!("{word} {}  {}", spot.shown(), spot.what)));
    if spots.len() > PLACES_MAX {
        line(format!("{word} and {} more", spots.len() - PLACES_MAX));
    }
}

fn expected(result: &CaseResult, line: &mut dyn FnMut(String)) {
    let expected = &result.expected;
    let gold: Vec<String> = expected
        .gold
        .iter()
        .map(|gold| {
            gold.line
                .map_or(gold.file.clone(), |line| format!("{}:{line}", gold.file))
        })
        .collect();
    let parts = [
        ("intent", expected.intents.join(" or ")),
        // `any` means that the ending has no label, and an empty part is left out.
        ("ending", result.expected_ending().replace("any", "")),
        ("places", gold.join(", ")),
        ("band", expected.band.clone().unwrap_or_default()),
    ];
    let parts = parts
        .iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(name, text)| format!("{name} {text}"));
    line(format!(
        "expected:   {}",
        parts.collect::<Vec<_>>().join("; ")
    ));
}

fn judged(result: &CaseResult, line: &mut dyn FnMut(String)) {
    let judged = &result.judged;
    let parts = [
        ("file", judged.right_file),
        ("line", judged.right_line),
        ("all places", judged.all_gold),
        ("intent", judged.right_intent),
        ("band", judged.right_band),
    ];
    let known = parts.iter().filter_map(|(name, part)| {
        part.map(|part| format!("{name} {}", if part { "right" } else { "wrong" }))
    });
    let known: Vec<String> = known
        .chain(
            judged
                .forbidden
                .iter()
                .map(|place| format!("must not cite {place}")),
        )
        .collect();
    let known = if known.is_empty() {
        String::new()
    } else {
        format!(" ({})", known.join(", "))
    };
    line(format!(
        "verdict:    {}{known}, {:.1} ms",
        result.verdict.shown(),
        result.cost.wall_ms
    ));
}
