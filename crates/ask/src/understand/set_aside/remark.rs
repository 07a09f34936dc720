//! A remark after a question for a list: what is not meant ("but not those of g"), or what somebody
//! thinks of it ("I fear it is too slow").

use super::{Span, Words};
use crate::understand::lexicon;

/// Verbs of a remark about what the asker thinks or plans.
const THINKS: &str = "fear worry suspect think believe guess suppose hope wonder doubt want wanted need have plan am \
    would consider bet feel know find hate dislike might may will can could should intend";
/// Nouns for those that are listed, before "of" and the name that is not meant.
const LISTED: &str =
    "those that ones one calls call callers caller uses usages users references sites";
/// Largest number of words in such a remark.
const REMARK_MAX: usize = 14;

impl Words<'_, '_> {
    /// Returns the words of a remark after the question for a list.
    pub(super) fn remark(&self) -> Option<Span> {
        let first = self.word(0);
        let lists = !lexicon::is_auxiliary(first) && (0..self.tokens.len()).any(|at| self.asks(at));
        let span = self.other_not_meant().or_else(|| self.opinion())?;
        let before = (0..span.from).filter(|at| self.is_name(*at)).count();
        (lists && before == 1).then_some(span)
    }

    fn asks(&self, at: usize) -> bool {
        let is_noun = self.says(at, "callers usages uses calls references");
        lexicon::is_asking(self.word(at)) || lexicon::is_asking_verb(self.word(at)) || is_noun
    }

    /// Returns "but please not those of g".
    fn other_not_meant(&self) -> Option<Span> {
        let not = (2..self.tokens.len()).find(|at| self.word(*at) == "not")?;
        let noun = (not + 1..not + 4).find(|at| self.says(*at, LISTED))?;
        let is_plain = (not + 1..noun).all(|at| self.says(at, "the other"));
        let name = self.tokens.len() - 1;
        let of = name.checked_sub(1).filter(|of| *of == noun + 1)?;
        let light = (0..not).rev();
        let light = light.take_while(|at| self.says(*at, "but please and pls though just"));
        let from = light.last().unwrap_or(not);
        let is_apart = from > 0 && (self.pauses(from - 1) || self.says(from, "but"));
        // "Callers of f, but not those in a.rs" excludes a place, which changes the list.
        let fits = is_plain && self.says(of, "of for") && self.is_name(name) && is_apart;
        fits.then(|| self.span(from, name + 1)).flatten()
    }

    /// Returns "I fear it is too slow".
    fn opinion(&self) -> Option<Span> {
        let begins = |at: &usize| {
            let subject = at + usize::from(self.says(*at, "but and since as because"));
            let is_said = self.says(subject, "i we") && self.says(subject + 1, THINKS);
            self.pauses(at - 1) && is_said
        };
        let from = (2..self.tokens.len()).find(begins)?;
        let to = self.tokens.len();
        let is_told = |at: usize| {
            let token = &self.tokens[at];
            // "I want the tests too" and "I need only those in lib" say what is listed.
            !(self.is_name(at)
                || token.is_asked
                || lexicon::is_test(&token.lower)
                || lexicon::is_only(&token.lower)
                || lexicon::is_asking(&token.lower)
                || self.says(
                    at,
                    "in under within outside except besides list lines all both",
                ))
        };
        let fits = to - from <= REMARK_MAX && (from..to).all(is_told);
        fits.then(|| self.span(from, to)).flatten()
    }
}
