//! The languages without a grammar, read from `lexical_table.txt`. Returns a description of each:
//! its words, its marks and the shape of its lines. The head of that file explains its keys.

use grounds_evidence::SymbolKind;
use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use serde::de::value::Error;

use crate::language::{Language, Syntax};
use crate::lexical::Lexicon;
use crate::plain::{CallForm, DefinitionForm, Shape};

const TABLE: &str = include_str!("lexical_table.txt");

/// Reads the table. The result lives as long as the program, like the languages with a grammar.
pub(super) fn languages() -> impl Iterator<Item = &'static Language> {
    paragraphs().map(|text| &*Box::leak(Box::new(Paragraph(text).language())))
}

/// Returns the texts from the name of one language to that of the next.
fn paragraphs() -> impl Iterator<Item = &'static str> {
    TABLE.split("\n[").skip(1)
}

/// The text of the table about one language.
#[derive(Clone, Copy)]
struct Paragraph(&'static str);

impl Paragraph {
    fn language(self) -> Language {
        let (name, _) = self.0.split_once(']').expect("a name in brackets");
        Language {
            name,
            extensions: self.words("extensions"),
            file_names: self.words("file_names"),
            interpreters: self.words("interpreters"),
            syntax: Syntax::Lexical(self.shape()),
            lexicon: Lexicon {
                definers: self.definers(),
                importers: self.words("importers"),
                line_comments: self.words("line_comments"),
                name_bytes: self.bytes("name_bytes").unwrap_or_default(),
                ..Lexicon::NONE
            },
        }
    }

    fn shape(self) -> Shape {
        Shape {
            block_comments: self.block_comments(),
            quotes: self.bytes("quotes").unwrap_or(Shape::PLAIN.quotes),
            long_quotes: self.words("long_quotes"),
            strings_span_lines: self.has("strings_span_lines"),
            any_case: self.has("any_case"),
            modifiers: self.words("modifiers"),
            fillers: self.words("fillers"),
            joins: self.bytes("joins").unwrap_or_default(),
            forms: self.forms(),
            declarers: self.words("declarers"),
            not_names: self.words("not_names"),
            clauses: self.has("clauses"),
            semicolon_declares: self.has("semicolon_declares"),
            field_mark: self.value("field_mark").unwrap_or_default(),
            scopes: self.words("scopes"),
            calls: match self.value("calls") {
                Some("within") => CallForm::Within,
                Some("untold") => CallForm::Untold,
                _ => CallForm::Before,
            },
        }
    }

    /// Returns the lines below the name, as key and value.
    fn lines(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let line = |line: &'static str| match line.split_once(':') {
            Some((key, value)) => (key, value.strip_prefix(' ').unwrap_or(value)),
            None => (line, ""),
        };
        let lines = self.0.lines().skip(1);
        lines.filter(|line| !line.is_empty()).map(line)
    }

    fn value(self, wanted: &str) -> Option<&'static str> {
        let mut lines = self.lines();
        lines.find_map(|(key, value)| (key == wanted).then_some(value))
    }

    fn has(self, key: &str) -> bool {
        self.value(key).is_some()
    }

    fn bytes(self, key: &str) -> Option<&'static [u8]> {
        self.value(key).map(str::as_bytes)
    }

    fn words(self, key: &str) -> &'static [&'static str] {
        let value = self.value(key);
        let words = value.into_iter().flat_map(between_bars).map(unescaped);
        words.collect::<Vec<_>>().leak()
    }

    fn definers(self) -> &'static [(&'static str, SymbolKind)] {
        let of_kind = |(key, value): (&'static str, &'static str)| {
            let kind = kind(key);
            between_bars(value).map(move |phrase| (unescaped(phrase), kind))
        };
        let lines = self.lines();
        // A key with a capital is the name of a kind of symbol, whose definers follow.
        let kinds = lines.filter(|(key, _)| key.starts_with(|first: char| first.is_uppercase()));
        kinds.flat_map(of_kind).collect::<Vec<_>>().leak()
    }

    fn block_comments(self) -> &'static [(&'static str, &'static str)] {
        let pairs = self.value("block_comments").into_iter();
        let pair = |pair: &'static str| pair.split_once(' ').expect("two marks");
        let marks = pairs.flat_map(between_bars).map(pair);
        let marks = marks.map(|(open, close)| (unescaped(open), unescaped(close)));
        marks.collect::<Vec<_>>().leak()
    }

    fn forms(self) -> &'static [DefinitionForm] {
        let form = |(key, value): (&str, &'static str)| match key {
            "c_function" => Some(DefinitionForm::CFunction),
            "name_then" => {
                let (name, indent, phrase) = three(value);
                let indent = indent.parse().expect("an indentation");
                Some(DefinitionForm::NameThen(phrase, kind(name), indent))
            }
            "in" => {
                let (name, opener, mark) = three(value);
                Some(DefinitionForm::In(opener, mark, kind(name)))
            }
            _ => None,
        };
        self.lines().filter_map(form).collect::<Vec<_>>().leak()
    }
}

fn between_bars(value: &'static str) -> impl Iterator<Item = &'static str> {
    value.split(" | ")
}

fn three(value: &'static str) -> (&'static str, &'static str, &'static str) {
    let (first, rest) = value.split_once(' ').expect("three values");
    let (second, third) = rest.split_once(' ').expect("three values");
    (first, second, third)
}

fn kind(name: &str) -> SymbolKind {
    SymbolKind::deserialize(name.into_deserializer())
        .unwrap_or_else(|error: Error| panic!("{error}"))
}

fn unescaped(value: &'static str) -> &'static str {
    if !value.contains('\\') {
        return value;
    }
    let value = value.replace("\\n", "\n").replace("\\0", "\0");
    value.replace("\\s", " ").leak()
}

#[cfg(test)]
mod tests;
