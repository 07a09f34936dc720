//! Fits the weights of likeness to the known sentences and prints them: `wordings SENTENCES > WEIGHTS`.

use grounds_ask::likeness::{sentences, train};

fn main() -> std::io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let samples = sentences::samples(&std::fs::read_to_string(path)?);
    let all: Vec<&train::Sample> = samples.iter().collect();
    print!("{}", train::fit(&all, train::Fit::default()));
    Ok(())
}
