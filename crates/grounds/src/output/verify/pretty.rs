//! The form for people: the verdict, the quotes of the sources, the evidence against it, and the
//! reason why that is enough or not.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style as Ansi};
use grounds_verify::proof::{ProofLine, ProofPiece};
use grounds_verify::{
    CitedSource, DecisionRules, HitStanding, InvalidReason, NotCheckable, Policy, Trace,
    UnreadBound, Verdict, claim,
};

use super::{ShownVerdict, leads, side, signed, weight, why_not};
use crate::safe;

const GOOD: Ansi = AnsiColor::Green.on_default().bold();
const BAD: Ansi = AnsiColor::Red.on_default().bold();
const OPEN: Ansi = AnsiColor::Yellow.on_default().bold();
const DIM: Ansi = AnsiColor::BrightBlack.on_default();

/// Leads that are shown.
const LEADS_MAX: usize = 3;
/// Letters of a lead.
const LEAD_LETTERS_MAX: usize = 240;
/// Failures that are shown.
const FAILURES_MAX: usize = 3;

pub(super) fn write(shown: &ShownVerdict<'_>, out: &mut dyn Write) -> io::Result<()> {
    let page = VerifyPage { shown };
    page.proof(out)?;
    if matches!(shown.verification.result.outcome, Verdict::Invalid(_)) {
        page.parts(out)?;
        page.leads(out)?;
    }
    page.reasons(out)?;
    if shown.verbose {
        page.evidence(out)
    } else {
        Ok(())
    }
}

struct VerifyPage<'s> {
    shown: &'s ShownVerdict<'s>,
}

impl VerifyPage<'_> {
    fn paint(&self, style: Ansi, text: &str) -> String {
        let text = safe::for_line(text);
        if self.shown.colour {
            format!("{style}{text}{style:#}")
        } else {
            text
        }
    }

    fn proof(&self, out: &mut dyn Write) -> io::Result<()> {
        let style = match self.shown.verification.result.outcome {
            Verdict::True => GOOD,
            Verdict::False => BAD,
            Verdict::Invalid(_) => OPEN,
        };
        for (number, line) in self.shown.proof.lines.iter().enumerate() {
            let text = said(line);
            if number == 0 {
                writeln!(out, "{}", self.paint(style, &text))?;
                continue;
            }
            // In Markdown the sentences after the first are items of a list.
            writeln!(
                out,
                "\n  {}",
                safe::for_line(text.strip_prefix("- ").unwrap_or(&text))
            )?;
            let cited = line.pieces.iter().filter_map(|piece| {
                if let ProofPiece::Cite(source) = piece {
                    self.shown.proof.sources.get(*source)
                } else {
                    None
                }
            });
            for source in cited {
                writeln!(out, "    {}", self.paint(DIM, &place(source)))?;
            }
        }
        writeln!(out)
    }

    /// Writes the claims that a sentence makes, each to be checked by itself.
    fn parts(&self, out: &mut dyn Write) -> io::Result<()> {
        let is_two = Verdict::Invalid(InvalidReason::NotCheckable(NotCheckable::TwoClaims))
            == self.shown.verification.result.outcome;
        let Some(parts) = claim::read(&self.shown.verification.task.claim)
            .parts
            .filter(|_| is_two)
        else {
            return Ok(());
        };
        writeln!(out, "check each by itself:")?;
        parts
            .iter()
            .try_for_each(|part| writeln!(out, "  {}", safe::for_line(part)))?;
        writeln!(out)
    }

    fn leads(&self, out: &mut dyn Write) -> io::Result<()> {
        let leads = leads(self.shown.verification);
        if leads.is_empty() {
            return Ok(());
        }
        writeln!(out, "nearest, which decides nothing:")?;
        for (hit, traced) in leads.iter().take(LEADS_MAX) {
            // A quote may go over several lines of its page.
            let text: String = hit.excerpt.split_whitespace().collect::<Vec<_>>().join(" ");
            let cut: String = text.chars().take(LEAD_LETTERS_MAX).collect();
            let dots = if cut.len() < text.len() { " …" } else { "" };
            writeln!(out, "  \"{}\"{dots}", safe::for_line(&cut))?;
            let why = if let HitStanding::NotCounted(why) = traced.standing {
                why_not(why).1
            } else {
                ""
            };
            writeln!(
                out,
                "    {}",
                self.paint(DIM, &format!("{}: {why}", hit.url))
            )?;
        }
        writeln!(out)
    }

    fn reasons(&self, out: &mut dyn Write) -> io::Result<()> {
        let (verification, rules) = (self.shown.verification, self.shown.rules);
        let (trace, history) = (&verification.result.trace, &verification.history);
        writeln!(
            out,
            "claim:      {}",
            safe::for_line(&verification.task.claim)
        )?;
        if let Some(time) = &verification.task.timeframe {
            let shown = |moment: Option<jiff::Timestamp>| {
                moment.map_or_else(|| "…".to_owned(), |moment| moment.to_string())
            };
            writeln!(
                out,
                "time:       {} to {}",
                shown(time.start),
                shown(time.end)
            )?;
        }
        // No source was asked about an opinion or a question, so there is nothing to count.
        if verification.attempts.is_empty() {
            return Ok(());
        }
        for (name, total) in [("for it:", trace.support), ("against it:", trace.refute)] {
            let families = if total.families == 1 {
                "family"
            } else {
                "families"
            };
            writeln!(
                out,
                "{name:<11} {} {families}, weight {}",
                total.families,
                weight(total.weight_milli)
            )?;
        }
        writeln!(out, "enough:     {}", enough(trace, rules))?;
        let rounds = if verification.attempts.len() == 1 {
            "1 round".to_owned()
        } else {
            format!("{} rounds", verification.attempts.len())
        };
        let failed = if trace.pages_failed > 0 {
            format!(" ({} could not be read)", trace.pages_failed)
        } else {
            String::new()
        };
        writeln!(
            out,
            "looked at:  {} queries, {} pages{failed}, in {rounds}",
            history.queries.len(),
            history.pages.len()
        )?;
        self.told(out)
    }

    /// Writes bounds that were reached, failures, and what models used.
    fn told(&self, out: &mut dyn Write) -> io::Result<()> {
        let verification = self.shown.verification;
        if !verification.reached.is_empty() {
            let names: Vec<&str> = verification
                .reached
                .iter()
                .map(|reached| reached.name())
                .collect();
            writeln!(out, "reached:    {}", names.join(", "))?;
        }
        for unread in &verification.unread {
            writeln!(out, "not read:   {}", safe::for_line(&not_read(unread)))?;
        }
        for failure in verification.failures.iter().take(FAILURES_MAX) {
            writeln!(out, "failed:     {}", safe::for_line(failure))?;
        }
        if verification.failures.len() > FAILURES_MAX {
            writeln!(
                out,
                "            and {} more",
                verification.failures.len() - FAILURES_MAX
            )?;
        }
        if self.shown.proof.dropped > 0 {
            writeln!(
                out,
                "proof:      {} sentences of the model do not keep to their sources and were dropped",
                self.shown.proof.dropped
            )?;
        }
        if let Some(error) = &self.shown.proof.error {
            writeln!(out, "proof:      {}", safe::for_line(error))?;
        }
        self.shown
            .notes
            .iter()
            .try_for_each(|note| writeln!(out, "model:      {}", safe::for_line(note)))
    }

    fn evidence(&self, out: &mut dyn Write) -> io::Result<()> {
        let verification = self.shown.verification;
        writeln!(out, "\nqueries:")?;
        for query in &verification.history.queries {
            let came = query
                .result_count
                .map_or_else(|| "failed".to_owned(), |count| format!("{count} results"));
            writeln!(
                out,
                "  {} ({}, {came})",
                safe::for_line(&query.text),
                super::seeks(query.seeks)
            )?;
        }
        writeln!(out, "evidence:")?;
        // The trace has one entry for each hit, in the same order.
        for (hit, traced) in verification
            .history
            .hits
            .iter()
            .zip(&verification.result.trace.hits)
        {
            let stands = match traced.standing {
                HitStanding::Counted => {
                    format!("counts {}", weight(u64::from(traced.weight_milli)))
                }
                HitStanding::SameFamily => "of a family that counts already".to_owned(),
                HitStanding::NotCounted(why) => format!("does not count: {}", why_not(why).1),
            };
            let speaks = traced.side.map_or("neutral", side);
            writeln!(
                out,
                "  {}:{}-{}",
                safe::for_line(&hit.url),
                hit.bytes.start,
                hit.bytes.end
            )?;
            writeln!(
                out,
                "    {speaks}, {}, by {}, {stands}",
                traced.tier.as_str(),
                safe::for_line(&hit.judge.to_string())
            )?;
        }
        Ok(())
    }
}

/// Returns what a bound left unread: how many, which, and how to decide all the same.
fn not_read(unread: &UnreadBound) -> String {
    let more = if unread.count > unread.examples.len() {
        ", …"
    } else {
        ""
    };
    let examples = if unread.examples.is_empty() {
        String::new()
    } else {
        format!(" ({}{more})", unread.examples.join(", "))
    };
    format!(
        "{} at {}{examples}; raise it, or accept it with --accept-bound {}",
        unread.count, unread.bound, unread.bound
    )
}

/// Returns a line of the proof without the marks of Markdown.
fn said(line: &ProofLine) -> String {
    line.markdown().replace("**", "")
}

fn place(source: &CitedSource) -> String {
    let date = source
        .pub_date
        .as_ref()
        .map(|date| format!(", {date}"))
        .unwrap_or_default();
    match source
        .title
        .as_deref()
        .filter(|title| !title.trim().is_empty())
    {
        Some(title) => format!("{} ({title}{date})", source.url),
        None => format!(
            "{}{}",
            source.url,
            if date.is_empty() {
                String::new()
            } else {
                // Without a title there is nothing before the comma.
                format!(" ({})", &date[2..])
            }
        ),
    }
}

/// Returns what a side needs by the rule that decided.
fn enough(trace: &Trace, rules: &DecisionRules) -> String {
    let (needed, calibration) = (weight(rules.threshold_milli), &rules.calibration);
    match (trace.policy, rules.families_min) {
        // `--accept strong` asks for one family (`rules`).
        (Policy::SpecV1, 1) => {
            format!("weight {needed} from one family above the tier \"other\" (--accept strong)")
        }
        (Policy::SpecV1, least) => {
            format!(
                "weight {needed} from {least} independent families, one of them above the tier \"other\""
            )
        }
        (Policy::CalibratedV2, _) => format!(
            "log odds {} to either side, from {} independent families, one of them above the tier \
             \"other\"; they are {}, of which the prior is {} (calibrated_v2)",
            signed(trace.bar_milli.unwrap_or(0)),
            calibration.families_min,
            signed(trace.log_odds_milli.unwrap_or(0)),
            signed(trace.prior_milli.unwrap_or(0))
        ),
    }
}
