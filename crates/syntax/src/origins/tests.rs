use super::*;
use crate::parse::Parser;

fn origins(file: &str, source: &str, wanted: &str) -> Origins {
    let language = crate::languages::of_name(file).expect("a language");
    let parse = Parser::default()
        .parse(language, source.as_bytes(), &|| false)
        .expect("a parse");
    parse.origins(&[wanted]).expect("origins")
}
