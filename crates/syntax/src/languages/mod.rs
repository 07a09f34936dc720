//! The languages: one file and one line below for each with a grammar, one paragraph in
//! `lexical_table.txt` for each without.

mod bash;
mod c;
mod c_text;
mod cpp;
mod csharp;
mod csharp_text;
mod go;
mod java;
mod javascript;
mod kotlin;
mod kotlin_text;
mod lexical_table;
mod lua;
mod php;
mod python;
mod ruby;
mod rust;
mod scala;
mod swift;
mod typescript;

use std::sync::LazyLock;

use crate::language::Language;

/// The languages with a grammar.
const WITH_GRAMMAR: &[&Language] = &[
    &bash::BASH,
    &c::C,
    &cpp::CPP,
    &csharp::CSHARP,
    &go::GO,
    &java::JAVA,
    &javascript::JAVASCRIPT,
    &kotlin::KOTLIN,
    &lua::LUA,
    &php::PHP,
    &python::PYTHON,
    &ruby::RUBY,
    &rust::RUST,
    &scala::SCALA,
    &swift::SWIFT,
    &typescript::TYPESCRIPT,
    &typescript::TSX,
];

/// Every language, in the order of the look-up of a file's ending.
pub static ALL: LazyLock<Vec<&'static Language>> = LazyLock::new(|| {
    let with_grammar = WITH_GRAMMAR.iter().copied();
    with_grammar.chain(lexical_table::languages()).collect()
});

/// Returns the language of a file by its name, or by its first line if the name does not tell.
pub fn of_file(file_name: &str, first_bytes: &[u8]) -> Option<&'static Language> {
    of_name(file_name).or_else(|| of_interpreter(first_bytes))
}

/// Returns the language that the name of a file tells.
pub fn of_name(file_name: &str) -> Option<&'static Language> {
    let ending = file_name
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase());
    let by_name = ALL
        .iter()
        .find(|language| language.file_names.contains(&file_name));
    let by_ending = || {
        ALL.iter().find(|language| {
            ending
                .as_deref()
                .is_some_and(|ending| language.extensions.contains(&ending))
        })
    };
    by_name.or_else(by_ending).copied()
}

fn of_interpreter(first_bytes: &[u8]) -> Option<&'static Language> {
    let line = first_bytes.strip_prefix(b"#!")?;
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len()).min(256)];
    let line = String::from_utf8_lossy(line);
    let mut words = line
        .split_whitespace()
        .map(|word| word.rsplit('/').next().unwrap_or(word));
    let program = words.find(|word| *word != "env" && !word.starts_with('-'))?;
    // `python3.12` is an interpreter of Python.
    let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    ALL.iter()
        .find(|language| language.interpreters.contains(&program))
        .copied()
}

#[cfg(test)]
mod tests;
