//! Fits the weights of likeness to the known sentences and prints them: `wordings SENTENCES > WEIGHTS`. With
//! `--across`, prints how well the sentences of each author are read with the weights of all others.

use std::io::Write;

fn main() -> std::io::Result<()> {
    let mut words = std::env::args().skip(1);
    let sentences = std::fs::read_to_string(words.next().unwrap_or_default())?;
    let told = match words.next().as_deref() {
        Some("--across") => grounds_ask::across(&sentences),
        _ => grounds_ask::weights(&sentences),
    };
    std::io::stdout().lock().write_all(told.as_bytes())
}
