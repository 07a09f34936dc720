//! The means and the end of an action: "does f stop the timer with g?", if the name of the means is
//! asked about, and "does f use g to fetch it?"

use grounds_evidence::SymbolKind;

use super::{DESCRIPTION_MAX, Rest, Span, Words};
use crate::understand::lexicon;
use crate::understand::token::QuestionToken;

/// First words of a question about what something does.
const DOES: &str = "does do did will would";
/// Words before the means of any action.
const BY: &str = "through via using";
/// Verbs of taking from something: "get its token from g".
const TAKING: &str = "get gets take takes obtain fetch pull receive acquire grab retrieve source ask consult request";
/// Verbs and nouns before "with" that name no means.
const BETWEEN: &str = "have share compare replace combine confuse mix swap common relation relationship connection \
    agree conflict clash compete align match correspond interact start end begin";

impl Words<'_, '_> {
    /// Returns the rests of a statement without its means, or with a name for one of its nouns.
    pub(super) fn of_statements(&self) -> Vec<Rest> {
        let mut rests = Vec::new();
        if let Some((span, verb)) = self.means() {
            rests.push(self.replaced(&span, verb));
            if let Some(circumstance) = self.trailing().filter(|after| after.from >= span.to) {
                let both = self.without(&[&span, &circumstance]);
                rests.push(self.inserted(both, span.from, verb));
            }
        }
        rests.extend(self.type_by_noun());
        let adjective = self.adjective_of_base();
        rests.extend(adjective.map(|span| self.without(&[&span])));
        rests
    }

    /// Returns the words between the two names of "does f stop the timer with g?", and a verb of
    /// use. They say what g is used for.
    fn means(&self) -> Option<(Span, &'static str)> {
        let mut named = (0..self.tokens.len()).filter(|at| self.is_name(*at));
        let (doer, means) = (named.next()?, named.next()?);
        // "F stops it with g, doesn't it?" makes a statement.
        let is_told = doer == 0 && self.word(1).ends_with('s') && !self.pauses(0);
        let is_asked = self.says(0, DOES) && (1..4).contains(&doer);
        let is_doer = (is_told || is_asked) && named.next().is_none();
        let (joint, _) = self.joint_before(doer, means)?;
        let from = doer + 1;
        // "Does f share its timer with g?" relates both names in another way, so such verbs are
        // excluded.
        let is_plain = |at: usize| {
            let relates = self.relates_otherwise(at);
            self.is_harmless(at) && !self.pauses(at) && !relates && !self.says(at, BETWEEN)
        };
        let says_what = (from..joint).any(|at| !lexicon::is_empty(self.word(at)));
        let fits = joint - from >= 2 && joint - from < DESCRIPTION_MAX && says_what;
        let span = self.span(from, means)?;
        (is_doer && fits && (from..joint).all(is_plain))
            .then_some((span, if is_told { "uses" } else { "use" }))
    }

    /// Returns where the words before a means begin, and how many there are.
    fn joint_before(&self, doer: usize, means: usize) -> Option<(usize, usize)> {
        let mut joint = means.checked_sub(1)?;
        while joint > doer && lexicon::is_article(self.word(joint)) {
            joint -= 1;
        }
        let takes = (doer + 1..joint).any(|at| self.says(at, TAKING));
        match () {
            () if self.says(joint, BY) || self.word(joint) == "with" => Some((joint, 1)),
            // "From" marks a source only after a verb of taking. After others it is a place.
            () if self.word(joint) == "from" && takes => Some((joint, 1)),
            () if self.says(joint, "calling invoking") && self.says(joint - 1, "by via") => {
                Some((joint - 1, 2))
            }
            () => None,
        }
    }

    /// Reports whether a word says that types or files are related, or that something is raised.
    fn relates_otherwise(&self, at: usize) -> bool {
        use grounds_claims::names;
        let others = [
            &names::EXTENDS,
            &names::IMPLEMENTS,
            &names::IMPORTS,
            &names::OVERRIDES,
            &names::THROWS,
        ];
        let mut triggers = self.lexicon.of(&self.tokens[at]);
        triggers.any(|trigger| match trigger {
            lexicon::Trigger::Verb(predicate) | lexicon::Trigger::Noun(predicate, _) => {
                others.contains(&predicate)
            }
        })
    }

    /// Reports whether any verb of a purpose follows both names: "does f use g to fetch it?"
    pub(super) fn is_end_of_statement(&self, at: usize) -> bool {
        let names = (0..at).filter(|at| self.is_name(*at)).count();
        let next = self.word(at + 1);
        let is_verb = self.tokens.get(at + 1).is_some_and(|token| {
            !token.is_code
                && !token.is_capital
                && !lexicon::is_article(next)
                && !lexicon::is_asking(next)
        });
        let is_plain = !self.says(at + 1, "it them that this its be") && !next.ends_with("ing");
        let is_last = !self.names(at, self.tokens.len());
        // "In f, is g called to …?" is passive, and begins with the place.
        let says = |list: &str| (0..at).any(|at| self.says(at, list));
        let is_done = says("is are was") && says("called used invoked consulted employed");
        // "F goes through g to fetch it, doesn't it?" makes a statement.
        let is_told = self.is_name(0) && self.word(1).ends_with('s') && !self.pauses(0);
        let asks = self.says(0, DOES) || is_done || is_told;
        self.word(at) == "to" && asks && names > 1 && is_verb && is_plain && is_last
    }

    /// Returns a word that says whose a base is: "is X a junit Y?"
    fn adjective_of_base(&self) -> Option<Span> {
        let mut named = (1..self.tokens.len()).filter(|at| self.is_name(*at));
        let (heir, base) = (named.next()?, named.next()?);
        let article = (heir + 1..base).rfind(|at| self.says(*at, "a an"))?;
        let is_last = base + 1 == self.tokens.len() && self.says(0, "is was") && heir == 1;
        let is_plain = |at: usize| {
            let turns = self.says(
                at,
                "direct indirect immediate former different kind sort type",
            );
            self.is_harmless(at) && !self.pauses(at) && !turns && !self.relates_otherwise(at)
        };
        let words = article + 1..base;
        let fits = is_last && (1..3).contains(&words.len()) && words.clone().all(is_plain);
        let span = self.span(words.start, words.end)?;
        fits.then_some(Span {
            describes_name: true,
            ..span
        })
    }

    /// Reports whether a word after an article could be the name of a type.
    fn is_noun_alone(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let next = self.tokens.get(at + 1);
        let ends = self.pauses(at)
            || next.is_some_and(|next| {
                self.lexicon.is_relation(next) || lexicon::is_auxiliary(&next.lower)
            });
        let is_word = token.text.len() > 3 && token.text.chars().all(char::is_lowercase);
        let is_idle = lexicon::is_empty(&token.lower)
            || lexicon::is_kind(&lexicon::singular(&token.lower))
            || lexicon::is_whole(&token.lower);
        let relates = self.lexicon.is_relation(token);
        self.says(at - 1, "the our")
            && ends
            && is_word
            && !is_idle
            && !relates
            && self.is_harmless(at)
    }

    /// Returns the question with a type in place of its noun: "does the reactor call f?", if the
    /// tree has one type `Reactor`.
    fn type_by_noun(&self) -> Option<Rest> {
        let at = (1..self.tokens.len()).find(|at| self.is_noun_alone(*at))?;
        let noun = self.word(at);
        let name = noun.get(..1)?.to_uppercase() + noun.get(1..)?;
        let known = self.tree.know(&[name.as_str()]).remove(0);
        let mut kinds = known.definitions().map(|place| place.kind);
        use SymbolKind::{Class, Interface, Struct, Trait};
        let is_type = matches!(kinds.next()?, Some(Class | Interface | Struct | Trait));
        // A second definition, or one in small letters, leaves open which one the noun refers to.
        if !is_type || kinds.next().is_some() || self.tree.defines(noun) {
            return None;
        }
        let aside = vec![format!("that the {noun} is `{name}`")];
        let mut tokens = self.tokens.to_vec();
        tokens[at] = QuestionToken {
            lower: name.to_lowercase(),
            text: name,
            is_code: true,
            ..tokens[at].clone()
        };
        Some(Rest {
            tokens,
            aside,
            describes_name: true,
            is_condition: false,
            is_guess: true,
        })
    }
}
