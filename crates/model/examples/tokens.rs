//! Counts tokens for scripts. Given a string of JSON on each line of standard input, prints how
//! many tokens of the vocabulary o200k it has. It sends nothing.

use std::io::{BufRead as _, Write as _, stdin, stdout};

use grounds_model::tokens::Tokenizer;

fn main() -> std::io::Result<()> {
    let tokenizer = Tokenizer::for_model("gpt-4o");
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        writeln!(out, "{}", tokenizer.count(&text))?;
        out.flush()?;
    }
    Ok(())
}
