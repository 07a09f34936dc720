//! The scorecard: as a table for people, as a table of Markdown, and as a member of the JSON beside
//! the confidence.

use std::io::{self, Write};

use grounds_evidence::scorecard::{Applies, Bonus, Scorecard, ScorecardTerm};
use schemars::JsonSchema;
use serde::Serialize;

use crate::safe;

/// The scorecard as it leaves the program. Numbers are from 0 to 1.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ScorecardReport {
    /// All categories, the weightiest first.
    terms: Vec<TermReport>,
    /// What categories that agree add.
    bonuses: Vec<BonusReport>,
    /// The weighted mean of the categories that apply.
    mean: f64,
    /// The mean with the bonuses, at most 1.
    total: f64,
    /// failed, weak, adequate or strong.
    band: &'static str,
    /// The lowest threshold that the total lies below: recovery or stop.
    below: Option<&'static str>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct TermReport {
    /// read, search, verification, discovery, git or ci.
    category: &'static str,
    /// Why it counts: required, ran, required and ran, or does not apply.
    applies: &'static str,
    /// The row of the table that was reached.
    condition: &'static str,
    score: f64,
    weight: f64,
    /// The tools of the category that returned results.
    tools: Vec<&'static str>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct BonusReport {
    categories: Vec<&'static str>,
    /// The target or the file that they agree on.
    target: String,
    added: f64,
}

impl ScorecardReport {
    pub(super) fn of(card: &Scorecard) -> Self {
        Self {
            terms: card.terms.iter().map(TermReport::of).collect(),
            bonuses: bonuses(card).map(BonusReport::of).collect(),
            mean: f64::from(card.mean_thousandths) / 1_000.0,
            total: f64::from(card.total_thousandths) / 1_000.0,
            band: card.band.as_str(),
            below: card.below.map(|threshold| threshold.as_str()),
        }
    }
}

impl TermReport {
    fn of(term: &ScorecardTerm) -> Self {
        Self {
            category: term.category.as_str(),
            applies: term.applies.as_str(),
            condition: term.condition.as_str(),
            score: f64::from(term.condition.score_hundredths()) / 100.0,
            weight: f64::from(term.category.weight_tenths()) / 10.0,
            tools: term.tools.clone(),
        }
    }
}

impl BonusReport {
    fn of(bonus: &Bonus) -> Self {
        let categories = bonus
            .categories
            .iter()
            .map(|category| category.as_str())
            .collect();
        Self {
            categories,
            target: bonus.target.clone(),
            added: f64::from(bonus.hundredths) / 100.0,
        }
    }
}

/// Writes the table for people.
pub(super) fn pretty(card: &Scorecard, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\nscorecard (a second lens, it decides nothing):")?;
    for term in &card.terms {
        let [category, score, weight, why] = cells(term);
        writeln!(out, "  {category:<12}  {score:>4} x {weight}  {why}")?;
    }
    writeln!(
        out,
        "  {:<12}  {}",
        "mean",
        thousandths(card.mean_thousandths)
    )?;
    for bonus in bonuses(card) {
        writeln!(out, "  {:<12}  {}", "bonus", safe::for_line(&added(bonus)))?;
    }
    writeln!(out, "  {:<12}  {}", "total", total(card))
}

/// Writes the table in Markdown.
pub(super) fn markdown(card: &Scorecard, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "\n### Scorecard\n\nA second lens, it decides nothing.\n"
    )?;
    writeln!(
        out,
        "| category | score | weight | why |\n|---|---|---|---|"
    )?;
    for term in &card.terms {
        writeln!(out, "| {} |", cells(term).join(" | "))?;
    }
    writeln!(out, "\n- mean {}", thousandths(card.mean_thousandths))?;
    for bonus in bonuses(card) {
        writeln!(out, "- bonus {}", safe::for_line(&added(bonus)))?;
    }
    writeln!(out, "- total {}", total(card))
}

fn bonuses(card: &Scorecard) -> impl Iterator<Item = &Bonus> {
    [&card.bonuses.same_target, &card.bonuses.search_and_read]
        .into_iter()
        .flatten()
}

/// Returns category, score, weight, and why: the row that was reached, by which tools, and why it
/// counts.
fn cells(term: &ScorecardTerm) -> [String; 4] {
    let category = term.category.as_str().to_owned();
    let weight = term.category.weight_tenths();
    let weight = format!("{}.{}", weight / 10, weight % 10);
    if term.applies == Applies::No {
        return [
            category,
            "-".to_owned(),
            weight,
            term.applies.as_str().to_owned(),
        ];
    }
    let score = term.condition.score_hundredths();
    let tools = if term.tools.is_empty() {
        String::new()
    } else {
        format!(" ({})", term.tools.join(", "))
    };
    let why = format!(
        "{}{tools}; {}",
        term.condition.as_str(),
        term.applies.as_str()
    );
    // Every score is below 100 hundredths.
    [category, format!("0.{score:02}"), weight, why]
}

fn added(bonus: &Bonus) -> String {
    let categories: Vec<&str> = bonus
        .categories
        .iter()
        .map(|category| category.as_str())
        .collect();
    format!(
        "+{} %: {} on `{}`",
        bonus.hundredths,
        categories.join(" and "),
        bonus.target
    )
}

fn total(card: &Scorecard) -> String {
    let below = card.below.map_or_else(String::new, |threshold| {
        format!(", below the threshold of {}", threshold.as_str())
    });
    format!(
        "{}, {}{below}",
        thousandths(card.total_thousandths),
        card.band.as_str()
    )
}

fn thousandths(number: u32) -> String {
    format!("{}.{:03}", number / 1_000, number % 1_000)
}
