//! Fits the weights of likeness to the known sentences and prints them: `wordings SENTENCES > WEIGHTS`. With
//! `--across`, prints how well the sentences of each author are read with the weights of all others.

fn main() -> std::io::Result<()> {
    let mut words = std::env::args().skip(1);
    let sentences = std::fs::read_to_string(words.next().unwrap_or_default())?;
    match words.next().as_deref() {
        Some("--across") => print!("{}", grounds_ask::across(&sentences)),
        _ => print!("{}", grounds_ask::weights(&sentences)),
    }
    Ok(())
}
