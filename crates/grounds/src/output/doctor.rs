//! What `grounds doctor` found, for people and as JSON.

use std::io::{self, Write};

use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;

use crate::cli::{Format, TextFormat};
use crate::safe;
use crate::terminal;

/// What was looked at: everything beside the program, or models with a round trip.
#[derive(Debug, Serialize, JsonSchema)]
pub struct DoctorReport {
    /// `grounds.doctor/1`.
    pub schema: &'static str,
    /// Whether what the jobs need at least is there; of models, whether one of them can be used.
    pub usable: bool,
    /// What was looked at; nothing of `doctor model`.
    pub checks: Vec<CheckEntry>,
    /// The models that were asked, by `doctor model` alone.
    pub models: Vec<ModelReport>,
    /// What to do next.
    pub advice: Option<String>,
}

/// One thing that was looked at.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckEntry {
    /// What it belongs to.
    pub part: &'static str,
    /// What it is.
    pub name: &'static str,
    /// How it is.
    pub state: CheckState,
    /// Whether a job cannot do without it.
    pub is_needed: bool,
    /// What was found: its version, its place, what is wrong.
    pub found: Option<String>,
    /// What cannot be had without it.
    pub costs: Option<String>,
    /// How to get it.
    pub get: Option<String>,
}

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckState {
    /// It is there.
    Ok,
    /// It is not there.
    Missing,
    /// It is a matter of choice, and was not chosen.
    NotSet,
    /// It is there and does not work.
    Broken,
    /// It is there, and older than it should be.
    Old,
    /// It cannot be told.
    Unknown,
}

impl CheckState {
    const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Missing => "missing",
            Self::NotSet => "not set",
            Self::Broken => "broken",
            Self::Old => "old",
            Self::Unknown => "unknown",
        }
    }

    const fn style(self) -> anstyle::Style {
        use anstyle::AnsiColor;
        match self {
            Self::Ok => AnsiColor::Green.on_default(),
            Self::Missing | Self::NotSet | Self::Unknown => AnsiColor::BrightBlack.on_default(),
            Self::Broken | Self::Old => AnsiColor::Yellow.on_default().bold(),
        }
    }
}

impl CheckEntry {
    /// Returns an entry of a part, of which nothing is known yet.
    pub const fn new(part: &'static str, name: &'static str) -> Self {
        Self {
            part,
            name,
            state: CheckState::Unknown,
            is_needed: false,
            found: None,
            costs: None,
            get: None,
        }
    }

    /// Marks that a job needs it.
    #[must_use]
    pub const fn needed(mut self) -> Self {
        self.is_needed = true;
        self
    }

    /// Marks that no job needs it to be otherwise.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.is_needed = false;
        self
    }

    /// Sets the state, and what was found.
    #[must_use]
    pub fn is(mut self, state: CheckState, found: String) -> Self {
        self.state = state;
        self.found = Some(found).filter(|found| !found.is_empty());
        self
    }

    /// Sets what is missing without it, and how to get it.
    #[must_use]
    pub fn lacking(mut self, costs: &str, get: &str) -> Self {
        self.costs = Some(costs.to_owned());
        self.get = Some(get.to_owned());
        self
    }

    fn print(
        &self,
        colour: bool,
        width: usize,
        columns: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (word, style) = (
            self.state.word(),
            if colour {
                self.state.style()
            } else {
                anstyle::Style::new()
            },
        );
        // The state has seven columns, and two spaces are before, between and after it and the
        // name.
        let indent = width + 13;
        let lines = [
            ("", &self.found),
            ("without it: ", &self.costs),
            ("to get it: ", &self.get),
        ];
        let lines = lines.into_iter().filter_map(|(title, text)| {
            text.as_ref()
                .map(|text| format!("{title}{}", safe::for_line(text)))
        });
        let lines: Vec<String> = lines
            .flat_map(|line| terminal::wrapped(&line, columns.saturating_sub(indent)))
            .collect();
        writeln!(
            out,
            "  {style}{word:7}{style:#}  {:width$}  {}",
            self.name,
            lines.first().map_or("", String::as_str)
        )?;
        lines
            .iter()
            .skip(1)
            .try_for_each(|line| writeln!(out, "{:indent$}{line}", ""))
    }
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
    /// How well it reviews known diffs; null if there was no round trip, or this build does not review.
    pub review: Option<ReviewScore>,
    /// Why there was none.
    pub error: Option<String>,
    /// The code of that error, for `grounds explain`.
    pub code: Option<&'static str>,
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
    /// Tokens of both prompts as the provider counts them; null if it does not say.
    pub prompt_tokens: Option<u64>,
    /// By how many percent our own count of prompts was above the provider's.
    pub count_error_percent: Option<i64>,
}

/// How well a model reviews known diffs, each asked about by itself.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReviewScore {
    /// Diffs that it was asked about.
    pub diffs: usize,
    /// Those with a planted defect.
    pub planted: usize,
    /// Those of them whose defect it found.
    pub found: usize,
    /// Issues at places where nothing is wrong.
    pub false_alarms: usize,
    /// Diffs whose answer could not be had or read.
    pub failed: usize,
    /// The first reason for that.
    pub failure: Option<String>,
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
    /// Returns the published schema.
    pub fn schema() -> Schema {
        schema_for!(Self)
    }

    /// Prints the report.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn print(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format.as_text() {
            TextFormat::Json => writeln!(
                out,
                "{}",
                safe::for_json(&serde_json::to_string_pretty(self)?)
            ),
            TextFormat::Pretty | TextFormat::Markdown => self.print_lines(out),
        }
    }

    /// Prints what was looked at, one part after the other.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn print_checks(
        &self,
        format: Format,
        colour: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if format == Format::Json {
            return self.print(format, out);
        }
        let width = self
            .checks
            .iter()
            .map(|check| check.name.len())
            .max()
            .unwrap_or(0);
        for checks in self.checks.chunk_by(|one, other| one.part == other.part) {
            writeln!(out, "{}", checks[0].part)?;
            checks
                .iter()
                .try_for_each(|check| check.print(colour, width, terminal::columns(), out))?;
        }
        let needs = if self.usable {
            "What the jobs need at least is there."
        } else {
            "Something that jobs need is missing."
        };
        writeln!(
            out,
            "\n{needs} Each missing tool disables only what is listed with it."
        )
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
        writeln!(
            out,
            "{} at {} ({})",
            safe::for_line(&self.model),
            safe::for_line(&self.base_url),
            safe::for_line(&self.kind)
        )?;
        // The only model is in the line above.
        if self.models.len() > 1 {
            writeln!(
                out,
                "  models:     {}",
                safe::for_line(&self.models.join(", "))
            )?;
        }
        if let Some(error) = &self.error {
            writeln!(out, "  cannot {}", safe::for_line(error))?;
        }
        if let Some(advice) = &self.advice {
            writeln!(out, "  try: {}", safe::for_line(advice))?;
        }
        if let Some(planned) = &self.planned {
            let cost = planned
                .cost_usd_max
                .as_deref()
                .unwrap_or("at an unknown price");
            writeln!(
                out,
                "  would send: {} requests (at the most {})",
                planned.requests, planned.requests_max
            )?;
            writeln!(
                out,
                "  tokens:     at the most {} + {}, {cost}",
                planned.prompt_tokens, planned.output_tokens_max
            )?;
        }
        if let Some(trip) = &self.round_trip {
            trip.print(out)?;
        }
        self.review
            .as_ref()
            .map_or(Ok(()), |score| score.print(out))
    }
}

impl ReviewScore {
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "  a review:   {} of {} planted defects found in {} known diffs, {} false alarms",
            self.found, self.planted, self.diffs, self.false_alarms
        )?;
        self.failure.as_ref().map_or(Ok(()), |why| {
            writeln!(
                out,
                "  failed:     {} of these diffs: {}",
                self.failed,
                safe::for_line(why)
            )
        })
    }
}

impl RoundTrip {
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let right = if self.value_is_right {
            "right"
        } else {
            "wrong: it can speak, but not add"
        };
        let repaired = if self.was_repaired {
            ", after a repair"
        } else {
            ""
        };
        writeln!(out, "  a value:    {} ms, {right}{repaired}", self.value_ms)?;
        writeln!(
            out,
            "  prose:      {} ms, {:.1} tokens a second",
            self.prose_ms, self.tokens_per_second
        )?;
        match (self.prompt_tokens, self.count_error_percent) {
            (Some(tokens), Some(error)) => writeln!(
                out,
                "  counting:   {tokens} tokens of prompts by its word, ours {error:+} %"
            ),
            (Some(_) | None, _) => writeln!(
                out,
                "  counting:   it does not say what it used, so that all that is reserved counts"
            ),
        }
    }
}
