//! One plain word as the name of a clause that names nothing else.
//!
//! The words are first tried as names without searching the tree. If none of them would complete
//! the clause, whatever the tree has, nothing is searched and no file is parsed for them.

use std::rc::Rc;

use grounds_claims::Claim;

use super::best;
use super::lexicon::Lexicon;
use super::part::{Asks, ClauseName, ReadClause};
use super::tree::{KnownName, QuestionTree};

/// A plain word that could be a name.
struct PlainWord {
    /// The number of its token.
    at: usize,
    /// Whether it would complete the clause, as far as that is known without the tree.
    completes: bool,
    /// Whether some line looks like a definition of it.
    seems_defined: bool,
    known: Rc<KnownName>,
}

impl ReadClause {
    /// Reports whether at most one plain word can be the name of the clause.
    ///
    /// "Number of threads used by default" has two words that may be names somewhere, and neither
    /// is meant as one.
    pub(super) fn takes_one_plain_name(&self) -> bool {
        self.names.is_empty() && self.asks != Asks::Whether && self.context.is_empty()
    }

    /// Returns the claim with the one plain word that the tree has as a name, if that completes the
    /// clause. The word becomes its name.
    pub(super) fn completed_by_plain_name(
        &mut self,
        tree: &QuestionTree<'_>,
        lexicon: &Lexicon,
    ) -> Option<Claim> {
        let words = self.plain_words(tree, lexicon)?;
        let is_name = |known: &KnownName| known.is_defined() || known.is_imported();
        let calls = self.free().any(|at| lexicon.calls(&self.tokens[at]))
            && !words.iter().any(|word| is_name(&word.known));
        let is_name = |word: &PlainWord| is_name(&word.known) || calls && word.known.is_called();
        // Labelling all definitions of a word is expensive. A word with a line that looks like a
        // definition is cheap to confirm, and a second such word ends the search.
        let (likely, others): (Vec<PlainWord>, Vec<PlainWord>) =
            words.into_iter().partition(|word| word.seems_defined);
        let mut named = likely.iter().filter(|word| is_name(word));
        let first = named.next();
        if named.next().is_some() {
            return None;
        }
        let mut others = others.iter();
        let only = match first {
            Some(only) => only,
            None => others.find(|word| is_name(word))?,
        };
        let claim = self.completed_by(only, tree, lexicon)?;
        (!others.any(is_name)).then_some(claim)
    }

    /// Returns the claim with the plain words that the tree has as names, if they complete the
    /// clause.
    ///
    /// A word of a relation is unlikely to be a name beside others: "does f call insert?", where
    /// something is called `call`.
    pub(super) fn completed_by_plain_names(
        &mut self,
        tree: &QuestionTree<'_>,
        lexicon: &Lexicon,
    ) -> Option<Claim> {
        let all = self.could_be_plain_names(tree);
        let is_plain = |at: &usize| !lexicon.is_relation(&self.tokens[*at]);
        let plain: Vec<usize> = all.iter().copied().filter(is_plain).collect();
        let (names, taken) = (self.names.clone(), self.taken.clone());
        let mut sets = vec![all, plain];
        sets.dedup();
        // The last set is tried first: without words of relations.
        while let Some(words) = sets.pop() {
            if self.with_plain_names(&words, tree, lexicon) {
                let (claim, left) = best(self, tree, lexicon);
                if claim.is_some() && left.is_empty() {
                    return claim;
                }
            }
            (self.names, self.taken) = (names.clone(), taken.clone());
        }
        None
    }

    /// Returns the claim with a plain word as the name, if that completes the clause.
    fn completed_by(
        &mut self,
        word: &PlainWord,
        tree: &QuestionTree<'_>,
        lexicon: &Lexicon,
    ) -> Option<Claim> {
        if !word.completes {
            return None;
        }
        self.names = vec![self.named(word.at)];
        self.join_members(tree);
        let (claim, left) = best(self, tree, lexicon);
        claim.filter(|_| left.is_empty())
    }

    /// Returns the words that could be the name; `None` if none of them would complete the clause.
    fn plain_words(
        &mut self,
        tree: &QuestionTree<'_>,
        lexicon: &Lexicon,
    ) -> Option<Vec<PlainWord>> {
        let places = self.could_be_plain_names(tree);
        let mut completes = |at: &usize| {
            self.names = vec![self.named(*at)];
            let (claim, left) = tree.untouched(|| best(self, tree, lexicon))?;
            Some(claim.is_some() && left.is_empty())
        };
        let completes: Vec<bool> = places
            .iter()
            // A word whose reading needed a search may complete the clause.
            .map(|at| completes(at).unwrap_or(true))
            .collect();
        self.names.clear();
        if !completes.contains(&true) {
            return None;
        }
        let texts = places.iter().map(|at| self.tokens[*at].text.as_str());
        let known = tree.know(&texts.collect::<Vec<&str>>());
        let words = places.into_iter().zip(completes).zip(known);
        let word = |((at, completes), known): ((usize, bool), Rc<KnownName>)| PlainWord {
            at,
            completes,
            seems_defined: known.seems_defined(),
            known,
        };
        Some(words.map(word).collect())
    }

    fn named(&self, at: usize) -> ClauseName {
        ClauseName::symbol(Some(at), &self.tokens[at].text)
    }
}
