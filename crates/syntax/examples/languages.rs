//! Prints the languages as the rows of `docs/languages.md`:
//! `cargo run -p grounds-syntax --features measure --example languages`.

use grounds_syntax::{Syntax, languages};

#[expect(clippy::print_stdout, reason = "printing is what this example is for")]
fn main() {
    for language in languages::ALL.iter() {
        let how = match language.syntax {
            Syntax::Tree(_) | Syntax::Tidied(..) => "syntax tree",
            Syntax::Lexical(_) => "lines",
        };
        let endings = language
            .extensions
            .iter()
            .map(|ending| format!("`.{ending}`"));
        let names: Vec<String> = endings
            .chain(language.file_names.iter().map(|name| format!("`{name}`")))
            .collect();
        println!("| {} | {how} | {} |", language.name, names.join(" "));
    }
}
