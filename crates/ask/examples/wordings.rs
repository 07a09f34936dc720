//! Prints the known sentences as they are compared: `wordings SENTENCES > SAMPLES`. `bench/wordings/fit.py` fits the
//! model to them.

use std::io::Write;

fn main() -> std::io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let samples = grounds_ask::samples(&std::fs::read_to_string(path)?);
    std::io::stdout().lock().write_all(samples.as_bytes())
}
