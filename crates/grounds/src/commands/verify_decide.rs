//! `grounds verify decide`: one JSON object in, the decision with its trace out.
//! No clock, no network, no model.

use std::io;
use std::path::Path;

use grounds_verify::wire::{self, DecideOutput, WireError};

use super::print;
use crate::cli::Decide;
use crate::error::Error;
use crate::exit::Exit;
use crate::named;
use crate::safe;

/// Bytes of an input.
const INPUT_BYTES_MAX: u64 = 4 << 30;

pub(super) fn run(arguments: &Decide) -> Result<Exit, Error> {
    let name = arguments.input.as_deref().map_or_else(
        || "standard input".to_owned(),
        |path| path.display().to_string(),
    );
    let text = read(arguments.input.as_deref()).map_err(|error| WireError {
        path: name.clone(),
        why: error.to_string(),
    })?;
    let output = wire::decided(text).map_err(|error| match error.path.as_str() {
        // The whole of it.
        "." => WireError {
            path: name,
            ..error
        },
        _ => error,
    })?;
    // In the order of its keys, which a generic value would not keep.
    let shown =
        serde_json::to_string_pretty(&output).map_err(|error| Error::Write(error.into()))?;
    print(exit(&output), &mut |out| {
        writeln!(out, "{}", safe::for_json(&shown))
    })
}

/// Returns the code of a decision. A need for another round is an insufficient result; a decision
/// with neither a result nor a gap is a failure.
fn exit(output: &DecideOutput) -> Exit {
    let result = output.result.as_ref();
    match result.map(|result| (result.outcome, result.reason)) {
        Some(("True", _)) => Exit::Answered,
        Some(("False", _)) => Exit::False,
        Some((_, Some("conflicting"))) => Exit::Conflicting,
        Some((_, Some("not_checkable"))) => Exit::NotCheckable,
        Some(_) => Exit::Insufficient,
        None if output.gap.is_none() => Exit::Failed,
        None => Exit::Insufficient,
    }
}

fn read(input: Option<&Path>) -> io::Result<String> {
    match input {
        Some(path) => named::read(path, INPUT_BYTES_MAX),
        None => named::read_all(io::stdin().lock(), INPUT_BYTES_MAX),
    }
}
