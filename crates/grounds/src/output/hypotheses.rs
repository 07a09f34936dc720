//! The names that a language model proposed, and where they led, apart from what
//! the question's own words found, and named as what they are.

use std::io::{self, Write};

use grounds_ask::Investigation;
use grounds_ask::hypotheses::{Hypotheses, Tried};
use grounds_evidence::Outcome;
use grounds_repo::hypotheses::QuestionGround;
use schemars::JsonSchema;
use serde::Serialize;

use crate::safe;

/// Names that a model proposed where the question's own words gave no answer.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct HypothesesReport {
    /// What the model takes the question to want, where that is another intent than was understood. It changes nothing.
    intent: Option<&'static str>,
    /// The names that were looked for.
    names: Vec<NameReport>,
    /// Names that were not looked for: too many, known already, or no names.
    dropped: usize,
    /// The reason if the model could not be asked or its reply could not be read.
    error: Option<String>,
    /// What there is to tell of it: what was masked, what it used.
    notes: Vec<String>,
}

/// A proposed name.
#[derive(Debug, Serialize, JsonSchema)]
struct NameReport {
    name: String,
    /// Where it is defined; empty if it is not.
    places: Vec<PlaceReport>,
}

/// Where a proposed name is defined.
#[derive(Debug, Serialize, JsonSchema)]
struct PlaceReport {
    path: String,
    line_start: u32,
    line_end: u32,
    /// What the question's own words say of it: alone (nothing), near (other forms of them), met (all of them).
    ground: &'static str,
}

impl HypothesesReport {
    pub(super) fn of(hypotheses: &Hypotheses) -> Self {
        let name = |tried: &Tried| NameReport {
            name: tried.name.clone(),
            places: tried
                .places
                .iter()
                .map(|(ground, lead)| PlaceReport::of(*ground, lead))
                .collect(),
        };
        Self {
            intent: hypotheses.intent.map(grounds_evidence::Intent::as_str),
            names: hypotheses.tried.iter().map(name).collect(),
            dropped: hypotheses.dropped,
            error: hypotheses.error.clone(),
            notes: hypotheses.notes.clone(),
        }
    }
}

impl PlaceReport {
    fn of(ground: QuestionGround, lead: &grounds_ask::leads::Lead) -> Self {
        Self {
            path: lead.path.clone(),
            line_start: lead.line_start,
            line_end: lead.line_end,
            ground: ground.as_str(),
        }
    }
}

/// Writes the names with where they led, for people.
pub(super) fn pretty(investigation: &Investigation, out: &mut dyn Write) -> io::Result<()> {
    let Some(hypotheses) = &investigation.hypotheses else {
        return Ok(());
    };
    match &hypotheses.error {
        Some(error) => writeln!(out, "no names of a model: {}", safe::for_line(error))?,
        None => writeln!(
            out,
            "names that a model proposed, looked for (no evidence without the question's own words):"
        )?,
    }
    hypotheses
        .tried
        .iter()
        .try_for_each(|tried| writeln!(out, "- {}", line(tried)))?;
    // If nothing was understood, the model's reading of the question helps to ask again.
    if let Some(intent) = hypotheses
        .intent
        .filter(|_| investigation.outcome == Outcome::NotCheckable)
    {
        writeln!(
            out,
            "the model takes the question as {}; that changes nothing: ask again and name what it is about",
            intent.as_str()
        )?;
    }
    match hypotheses.dropped {
        0 => {}
        1 => writeln!(
            out,
            "1 name of the model was not looked for: past `hypotheses_max`, known already, or no name"
        )?,
        dropped => writeln!(
            out,
            "{dropped} names of the model were not looked for: past `hypotheses_max`, known already, or no names"
        )?,
    }
    hypotheses
        .notes
        .iter()
        .try_for_each(|note| writeln!(out, "model: {}", safe::for_line(note)))?;
    writeln!(out)
}

fn line(tried: &Tried) -> String {
    let name = safe::for_line(&tried.name);
    let places: Vec<String> = tried
        .places
        .iter()
        .map(|(ground, lead)| {
            let said = match ground {
                QuestionGround::Alone => "",
                QuestionGround::Near => " (other forms of the question's words say what it is)",
                QuestionGround::Met => " (the question's words say what it is)",
            };
            format!("{}:{}{said}", safe::for_line(&lead.path), lead.line_start)
        })
        .collect();
    if places.is_empty() {
        format!("{name}: not defined here")
    } else {
        format!("{name}: {}", places.join(", "))
    }
}
