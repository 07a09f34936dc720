//! The languages, one file each. A new language is one file and one line in
//! [`ALL`].

mod c;
mod c_text;
mod cpp;
mod csharp;
mod go;
mod java;
mod javascript;
mod python;
mod rust;
mod typescript;

use crate::language::Language;

/// Every language, in the order in which a file's ending is looked up.
pub static ALL: &[&Language] = &[
    &rust::RUST,
    &c::C,
    &cpp::CPP,
    &python::PYTHON,
    &go::GO,
    &java::JAVA,
    &javascript::JAVASCRIPT,
    &typescript::TYPESCRIPT,
    &typescript::TSX,
    &csharp::CSHARP,
];

/// The language of a file by its name, and by its first line where the name does not tell.
pub fn of_file(file_name: &str, first_bytes: &[u8]) -> Option<&'static Language> {
    of_name(file_name).or_else(|| of_interpreter(first_bytes))
}

/// The language that the name of a file tells.
pub fn of_name(file_name: &str) -> Option<&'static Language> {
    let ending = file_name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let by_name = ALL.iter().find(|language| language.file_names.contains(&file_name));
    let by_ending = || ALL.iter().find(|language| ending.as_deref().is_some_and(|ending| language.extensions.contains(&ending)));
    by_name.or_else(by_ending).copied()
}

fn of_interpreter(first_bytes: &[u8]) -> Option<&'static Language> {
    let line = first_bytes.strip_prefix(b"#!")?;
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len()).min(256)];
    let line = String::from_utf8_lossy(line);
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let program = words.find(|word| *word != "env" && !word.starts_with('-'))?;
    let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    ALL.iter().find(|language| language.interpreters.contains(&program)).copied()
}

#[cfg(test)]
mod tests;
