//! The languages of rules: those of `grounds-syntax` under ast-grep's names, as adapters for its
//! matcher. There is no second set of grammars.

use std::borrow::Cow;
use std::path::Path;

use ast_grep_core::Language as MatcherLanguage;
use ast_grep_core::matcher::{Pattern, PatternBuilder, PatternError};
use ast_grep_core::tree_sitter::{LanguageExt, StrDoc, TSLanguage};
use grounds_syntax::{Language, languages};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// A language that a rule can be written for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleLanguage {
    language: &'static Language,
    marker: char,
}

/// The names of a language in rules, and the character that replaces `$` in its patterns if its
/// grammar does not allow `$` in a name.
struct LanguageSpelling {
    name: &'static str,
    aliases: &'static [&'static str],
    marker: char,
}

const ROWS: &[LanguageSpelling] = &[
    LanguageSpelling {
        name: "Bash",
        aliases: &["bash", "sh"],
        marker: '$',
    },
    LanguageSpelling {
        name: "C",
        aliases: &["c"],
        marker: '\u{10000}',
    },
    LanguageSpelling {
        name: "C++",
        aliases: &["cpp", "c++", "cc", "cxx"],
        marker: '\u{10000}',
    },
    LanguageSpelling {
        name: "C#",
        aliases: &["csharp", "cs", "c#"],
        marker: 'µ',
    },
    LanguageSpelling {
        name: "Go",
        aliases: &["go", "golang"],
        marker: 'µ',
    },
    LanguageSpelling {
        name: "Java",
        aliases: &["java"],
        marker: '$',
    },
    LanguageSpelling {
        name: "JavaScript",
        aliases: &["javascript", "js", "jsx"],
        marker: '$',
    },
    LanguageSpelling {
        name: "Kotlin",
        aliases: &["kotlin", "kt"],
        marker: 'µ',
    },
    LanguageSpelling {
        name: "Lua",
        aliases: &["lua"],
        marker: '$',
    },
    LanguageSpelling {
        name: "PHP",
        aliases: &["php"],
        marker: 'µ',
    },
    LanguageSpelling {
        name: "Python",
        aliases: &["python", "py"],
        marker: 'µ',
    },
    LanguageSpelling {
        name: "Ruby",
        aliases: &["ruby", "rb"],
        marker: 'µ',
    },
    LanguageSpelling {
        name: "Rust",
        aliases: &["rust", "rs"],
        marker: 'µ',
    },
    LanguageSpelling {
        name: "Scala",
        aliases: &["scala"],
        marker: '$',
    },
    LanguageSpelling {
        name: "Swift",
        aliases: &["swift"],
        marker: 'µ',
    },
    LanguageSpelling {
        name: "TypeScript",
        aliases: &["typescript", "ts"],
        marker: '$',
    },
    LanguageSpelling {
        name: "TSX",
        aliases: &["tsx"],
        marker: '$',
    },
];

impl RuleLanguage {
    /// Returns the language that a rule names.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let lower = name.to_lowercase();
        ROWS.iter()
            .find(|row| row.aliases.contains(&lower.as_str()))
            .and_then(Self::of_row)
    }

    /// Returns the language of a file, or `None` if rules cannot be written for it.
    pub(crate) fn of(language: &'static Language) -> Option<Self> {
        ROWS.iter()
            .find(|row| row.name == language.name)
            .and_then(Self::of_row)
    }

    fn of_row(row: &'static LanguageSpelling) -> Option<Self> {
        let language = languages::ALL
            .iter()
            .find(|language| language.name == row.name)?;
        language.syntax.grammar()?;
        Some(Self {
            language,
            marker: row.marker,
        })
    }

    /// Returns the language as the syntax crate knows it.
    pub(crate) const fn syntax(self) -> &'static Language {
        self.language
    }

    /// Reports whether a file of this language is one for the rule.
    pub(crate) fn is(self, other: &Language) -> bool {
        self.language.name == other.name
    }
}

/// Returns every name that a rule may give as its language, for a message.
pub(crate) fn names() -> String {
    ROWS.iter()
        .map(|row| row.name)
        .collect::<Vec<_>>()
        .join(", ")
}

impl<'de> Deserialize<'de> for RuleLanguage {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        let name = String::deserialize(source)?;
        Self::named(&name).ok_or_else(|| {
            D::Error::custom(format!(
                "no grammar for the language `{name}`; there are {}, and Text",
                names()
            ))
        })
    }
}

impl MatcherLanguage for RuleLanguage {
    /// Replaces each `$` that opens a variable by a character that the grammar allows in names. A
    /// `$` opens one before a capital or `_`, and as three in a row.
    fn pre_process_pattern<'q>(&self, query: &'q str) -> Cow<'q, str> {
        if self.marker == '$' {
            return Cow::Borrowed(query);
        }
        let mut marked = String::with_capacity(query.len() + 8);
        let mut rest = query;
        while let Some(at) = rest.find('$') {
            let (before, from) = rest.split_at(at);
            let after = from.trim_start_matches('$');
            let dollars = from.len() - after.len();
            // `$$$` alone matches any number of nodes.
            let opens = dollars == 3
                || after.starts_with(|next: char| next.is_ascii_uppercase() || next == '_');
            marked.push_str(before);
            marked.extend(std::iter::repeat_n(
                if opens { self.marker } else { '$' },
                dollars,
            ));
            rest = after;
        }
        Cow::Owned(marked + rest)
    }

    fn expando_char(&self) -> char {
        self.marker
    }

    fn from_path<P: AsRef<Path>>(path: P) -> Option<Self> {
        Self::of(languages::of_name(path.as_ref().file_name()?.to_str()?)?)
    }

    fn kind_to_id(&self, kind: &str) -> u16 {
        self.get_ts_language().id_for_node_kind(kind, true)
    }

    fn field_to_id(&self, field: &str) -> Option<u16> {
        self.get_ts_language()
            .field_id_for_name(field)
            .map(std::num::NonZeroU16::get)
    }

    fn build_pattern(&self, builder: &PatternBuilder<'_>) -> Result<Pattern, PatternError> {
        builder.build(|source| StrDoc::try_new(source, *self))
    }
}

impl LanguageExt for RuleLanguage {
    fn get_ts_language(&self) -> TSLanguage {
        match self.language.syntax.grammar() {
            Some(grammar) => (grammar.load)(),
            // `of_row` returns no language without a grammar.
            None => (languages::ALL[0]
                .syntax
                .grammar()
                .expect("the first language has a grammar")
                .load)(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_language_with_a_grammar() {
        for row in ROWS {
            assert!(RuleLanguage::of_row(row).is_some(), "{}", row.name);
            assert!(
                row.aliases.contains(&row.name.to_lowercase().as_str())
                    || row.name.contains(['+', '#']),
                "{}",
                row.name
            );
        }
    }

    #[test]
    fn only_a_dollar_that_opens_a_variable_is_marked() {
        let python = RuleLanguage::named("py").expect("python");
        assert_eq!(
            python.pre_process_pattern("f($A, $$$, $$B, $c, \"$\")"),
            "f(µA, µµµ, µµB, $c, \"$\")"
        );
        assert_eq!(python.pre_process_pattern("$$$ARGS"), "µµµARGS");
        let java = RuleLanguage::named("Java").expect("java");
        assert_eq!(java.pre_process_pattern("f($A)"), "f($A)");
    }
}
