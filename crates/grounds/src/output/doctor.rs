//! What `grounds doctor model` found, for people and as JSON.

use std::io::{self, Write};

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use crate::cli::Format;
use crate::safe;

/// The servers of models that were looked at, each with a round trip.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DoctorReport {
    /// `grounds.doctor/1`.
    pub schema: &'static str,
    /// Whether one of them can be used.
    pub usable: bool,
    /// What was looked at.
    pub models: Vec<ModelReport>,
    /// What to do next.
    pub advice: Option<String>,
}

/// One server with one model.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ModelReport {
    /// The interface.
    pub provider: &'static str,
    /// What the server seems to be.
    pub kind: String,
    /// Where it is.
    pub base_url: String,
    /// The model that was asked.
    pub model: String,
    /// All models that the server says it has.
    pub models: Vec<String>,
    /// The round trip, where it succeeded.
    pub round_trip: Option<RoundTrip>,
    /// Why there was none.
    pub error: Option<String>,
    /// What to do then.
    pub advice: Option<String>,
    /// What a dry run would have sent: requests, tokens of prompts, tokens of answers, billionths of a dollar.
    pub planned: Option<Planned>,
}

/// What was asked and came back.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RoundTrip {
    /// Milliseconds until a value of the shape that was asked for was read.
    pub value_ms: u64,
    /// Whether the value was right: it is the sum of two numbers.
    pub value_is_right: bool,
    /// Whether the answer had to be repaired.
    pub was_repaired: bool,
    /// Milliseconds of an answer in prose.
    pub prose_ms: u64,
    /// Tokens of that answer in a second.
    pub tokens_per_second: f64,
    /// Tokens of both prompts as the provider counts them; none where it does not say.
    pub prompt_tokens: Option<u64>,
    /// By how many percent our own count of prompts was above the provider's.
    pub count_error_percent: Option<i64>,
}

/// What would have been sent.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Planned {
    /// Requests, without new attempts.
    pub requests: u64,
    /// Requests in the worst case.
    pub requests_max: u64,
    /// Tokens of prompts, on the safe side.
    pub prompt_tokens: u64,
    /// Tokens of answers at the most.
    pub output_tokens_max: u64,
    /// What they cost at the most, if a price is known.
    pub cost_usd_max: Option<String>,
}

impl DoctorReport {
    /// The published schema.
    pub fn schema() -> Schema {
        schema_for!(Self)
    }

    /// Prints the report.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn print(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Json => writeln!(out, "{}", safe::for_json(&serde_json::to_string_pretty(self)?)),
            Format::Pretty | Format::Markdown | Format::Sarif | Format::Annotations | Format::Rdjson | Format::Html => {
                self.print_lines(out)
            }
        }
    }

    fn print_lines(&self, out: &mut dyn Write) -> io::Result<()> {
        self.models.iter().try_for_each(|model| model.print(out))?;
        match &self.advice {
            Some(advice) => writeln!(out, "{}", safe::for_terminal(advice)),
            None => Ok(()),
        }
    }
}

impl ModelReport {
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{} at {} ({})", safe::for_line(&self.model), safe::for_line(&self.base_url), safe::for_line(&self.kind))?;
        if self.models.len() > 1 {
            writeln!(out, "  models:     {}", safe::for_line(&self.models.join(", ")))?;
        }
        if let Some(error) = &self.error {
            writeln!(out, "  cannot {}", safe::for_line(error))?;
        }
        if let Some(advice) = &self.advice {
            writeln!(out, "  try: {}", safe::for_line(advice))?;
        }
        if let Some(planned) = &self.planned {
            let cost = planned.cost_usd_max.as_deref().unwrap_or("at an unknown price");
            writeln!(out, "  would send: {} requests (at the most {})", planned.requests, planned.requests_max)?;
            writeln!(out, "  tokens:     at the most {} + {}, {cost}", planned.prompt_tokens, planned.output_tokens_max)?;
        }
        self.round_trip.as_ref().map_or(Ok(()), |trip| trip.print(out))
    }
}

impl RoundTrip {
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let right = if self.value_is_right { "right" } else { "wrong: it can speak, but not add" };
        let repaired = if self.was_repaired { ", after a repair" } else { "" };
        writeln!(out, "  a value:    {} ms, {right}{repaired}", self.value_ms)?;
        writeln!(out, "  prose:      {} ms, {:.1} tokens a second", self.prose_ms, self.tokens_per_second)?;
        match (self.prompt_tokens, self.count_error_percent) {
            (Some(tokens), Some(error)) => writeln!(out, "  counting:   {tokens} tokens of prompts by its word, ours {error:+} %"),
            (Some(_) | None, _) => writeln!(out, "  counting:   it does not say what it used, so that all that is reserved counts"),
        }
    }
}
