//! Prints what `timeframe::read` reads from texts. `read_times FILE` takes one JSON object a line
//! with `text` and `written` (seconds since 1970) and, if a person has read the text, `start` and
//! `end` (null if it has none). It also prints how many of the labelled texts are read correctly.

use std::io::{BufRead as _, BufReader, Write as _};

use grounds_verify::timeframe;
use jiff::Timestamp;
use serde_json::Value;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which file?")?;
    let (mut right, mut labelled) = (0, 0);
    let mut out = std::io::stdout().lock();
    for (number, line) in BufReader::new(std::fs::File::open(path)?)
        .lines()
        .enumerate()
    {
        let case: Value = serde_json::from_str(&line?)?;
        let written = Timestamp::from_second(case["written"].as_i64().ok_or("no `written`")?)?;
        let frame =
            timeframe::read(case["text"].as_str().unwrap_or_default(), written).unwrap_or_default();
        let shown =
            |at: Option<Timestamp>| at.map_or(Value::Null, |at| Value::String(at.to_string()));
        let read = (shown(frame.start), shown(frame.end));
        if case.get("end").is_some() {
            labelled += 1;
            right += usize::from(read == (case["start"].clone(), case["end"].clone()));
        }
        writeln!(out, "{number}\t{}\t{}", read.0, read.1)?;
    }
    writeln!(
        out,
        "{right} of {labelled} labelled texts are read as a person reads them"
    )?;
    Ok(())
}
