//! The text form read back: `not exactly 2 calls(_, "x") in "src" outside tests`.

use crate::claim::{Argument, Claim, Quantifier, Scope, Tests};
use crate::predicate::Predicate;
use crate::predicates;

/// Maximum number of bytes of one claim.
pub const CLAIM_BYTES_MAX: usize = 4_000;

/// The reason that a text is not a claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// Past the limit.
    #[error("cannot read a claim of {0} bytes: at most {CLAIM_BYTES_MAX} are read")]
    TooLong(usize),
    /// No predicate has this name.
    #[error("unknown predicate `{0}`")]
    UnknownPredicate(String),
    /// More or fewer arguments than the predicate has.
    #[error("`{predicate}` takes {takes} arguments, and {given} are given")]
    Arity {
        /// The predicate.
        predicate: &'static str,
        /// The number that it takes.
        takes: usize,
        /// The number that is given.
        given: usize,
    },
    /// Something else was expected here.
    #[error("expected {expected} at byte {at} of the claim")]
    Expected {
        /// What.
        expected: &'static str,
        /// Where.
        at: usize,
    },
}

/// Reads a claim.
///
/// # Errors
/// [`ClaimError`] with what is wrong and where.
pub fn parse(text: &str) -> Result<Claim, ClaimError> {
    if text.len() > CLAIM_BYTES_MAX {
        return Err(ClaimError::TooLong(text.len()));
    }
    let mut reader = ClaimReader { text, at: 0 };
    // The order of the parts is fixed, as `Display` of [`Claim`] writes them:
    // `not exactly 2 calls(_, "x") as "class" in "src" outside tests`.
    let is_negated = reader.take_word("not");
    let quantifier = reader.quantifier()?;
    let predicate = reader.predicate()?;
    let arguments = reader.arguments(predicate)?;
    // Every argument is in quotation marks or is `_`, so that no name can be mistaken for the words
    // of the form.
    let kind = if reader.take_word("as") {
        Some(reader.quoted()?)
    } else {
        None
    };
    let scope = reader.scope()?;
    Ok(Claim {
        predicate,
        arguments,
        quantifier,
        is_negated,
        scope,
        kind,
    })
}

struct ClaimReader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> ClaimReader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn expected<T>(&self, expected: &'static str) -> Result<T, ClaimError> {
        Err(ClaimError::Expected {
            expected,
            at: self.at,
        })
    }

    fn peek_word(&mut self) -> &'t str {
        self.skip_blanks();
        let rest = self.rest();
        let end = rest
            .find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
            .unwrap_or(rest.len());
        &rest[..end]
    }

    fn take_word(&mut self, word: &str) -> bool {
        // Whole words are compared: `notify` does not begin with `not`.
        let found = self.peek_word() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    fn take_sign(&mut self, sign: char) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len_utf8();
        }
        found
    }

    fn quantifier(&mut self) -> Result<Quantifier, ClaimError> {
        if self.take_word("any") {
            return Ok(Quantifier::Any);
        }
        if self.take_word("none") {
            return Ok(Quantifier::None);
        }
        if self.take_word("only") {
            return Ok(Quantifier::Only);
        }
        for (word, quantifier) in [
            // The cast makes both constructors values of one type.
            ("exactly", Quantifier::Exactly as fn(u32) -> Quantifier),
            ("atleast", Quantifier::AtLeast),
        ] {
            if self.take_word(word) {
                let digits = self.peek_word();
                self.at += digits.len();
                let count = digits.parse();
                return count.map_or_else(|_| self.expected("a number"), |n| Ok(quantifier(n)));
            }
        }
        if self.take_word("count") {
            // `count files` counts the files with a match, `count` the matches.
            let of_files = self.take_word("files");
            return Ok(if of_files {
                Quantifier::CountFiles
            } else {
                Quantifier::Count
            });
        }
        Ok(Quantifier::Some)
    }

    fn predicate(&mut self) -> Result<&'static Predicate, ClaimError> {
        let word = self.peek_word();
        if word.is_empty() {
            return self.expected("a predicate");
        }
        let known = predicates::by_name(word);
        self.at += word.len();
        known.ok_or_else(|| ClaimError::UnknownPredicate(word.to_owned()))
    }

    fn arguments(&mut self, predicate: &'static Predicate) -> Result<Vec<Argument>, ClaimError> {
        if !self.take_sign('(') {
            return self.expected("`(`");
        }
        let mut arguments = Vec::new();
        if !self.take_sign(')') {
            loop {
                arguments.push(self.argument()?);
                if self.take_sign(')') {
                    break;
                }
                if !self.take_sign(',') {
                    return self.expected("`,` or `)`");
                }
            }
        }
        // The number is compared at the end, so that the error can say how many were given.
        if arguments.len() != predicate.arguments.len() {
            return Err(ClaimError::Arity {
                predicate: predicate.name,
                takes: predicate.arguments.len(),
                given: arguments.len(),
            });
        }
        Ok(arguments)
    }

    fn argument(&mut self) -> Result<Argument, ClaimError> {
        self.skip_blanks();
        if self.take_word("_") {
            return Ok(Argument::Hole);
        }
        self.quoted().map(Argument::Is)
    }

    fn quoted(&mut self) -> Result<String, ClaimError> {
        self.skip_blanks();
        if !self.take_sign('"') {
            return self.expected("`_` or a text between quotation marks");
        }
        let mut text = String::new();
        let mut letters = self.rest().char_indices();
        while let Some((offset, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.at += offset + 1;
                    return Ok(text);
                }
                '\\' => match letters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    // Any other escaped character is itself; the writer escapes only `\"` and `\\`.
                    Some((_, letter)) => text.push(letter),
                    None => break,
                },
                _ => text.push(letter),
            }
        }
        self.expected("a closing quotation mark")
    }

    fn scope(&mut self) -> Result<Scope, ClaimError> {
        // `tests` without quotation marks are the tests, `"tests"` is a folder of that name.
        let mut scope = Scope::default();
        loop {
            self.skip_blanks();
            if self.rest().is_empty() {
                return Ok(scope);
            }
            if self.take_word("in") {
                if self.take_word("tests") {
                    scope.tests = Tests::Inside;
                } else {
                    scope.inside.push(self.quoted()?);
                }
            } else if self.take_word("outside") {
                if self.take_word("tests") {
                    scope.tests = Tests::Outside;
                } else {
                    scope.outside.push(self.quoted()?);
                }
            } else {
                return self.expected("`in`, `outside` or the end");
            }
        }
    }
}
