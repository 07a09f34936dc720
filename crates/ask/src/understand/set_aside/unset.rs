//! The default of an argument that is not given: "how many results does f keep if you never set
//! limit?", "f() without arguments: which number ends up as limit?"
//!
//! The words around it are set aside.

use super::super::lexicon;
use super::super::token;
use super::super::tree::last_part;
use super::{Rest, Words};

/// First words of a phrase that says that nothing is given.
const BEGINS: &str =
    "if when unless without no not never leave leaving left omit omitting skip skipping";
/// Words between these and the name, or between the name and the end.
const AROUND: &str = "\
    if when i we you one nobody someone a an the any no not never do does did is are was were \
    be it its to at for in set sets setting give gives given pass passes passed passing \
    specifies touches specify specified touch touched configure configured provide provided \
    supply supplied override overridden choose chosen explicit explicitly option parameter \
    argument field property value alone unset zero empty nil null out omitted missing";
/// Those of them that deny.
const DENIES: &str = "\
    unless without no not never leave leaving left omit omitting skip skipping unset omitted \
    missing";
/// Words before a call without arguments.
const LEADS: &str = "\
    if when i we you one create creates make makes construct build instantiate call calls use \
    uses new a an the just bare plain pass passing with";
/// Nouns for what such a call lacks.
const NOTHING: &str =
    "arguments argument args options parameters params config configuration settings anything";
/// Words that ask for the value that is used then.
const ASKS: &str = "\
    what what's which used use uses applied apply applies assumed taken takes take kicks kick \
    then default defaults value number is it the does do get gets i we you end ends ending up \
    as fallback chosen size setting be will would being a in to for";
/// Nouns that are counted, and that no default is a number of.
const THINGS: &str = "\
    functions methods classes files places callers calls tests errors exceptions parameters \
    arguments fields options times lines";
/// Words of other questions about what happens then.
const OTHERS: &str = "\
    return returns returned raise raises raised throw throws thrown happen happens fail fails \
    error exception call calls log logs print prints why where who when";

impl Words<'_, '_> {
    /// Returns a question for the default of one of two names, if it was not given.
    pub(super) fn unset(&self) -> Option<Rest> {
        let mut named = (0..self.tokens.len()).filter(|at| self.is_name(*at));
        let (first, second, None) = (named.next()?, named.next()?, named.next()) else {
            return None;
        };
        // Either name can come first: "how many results does f keep if you never set limit?", "no
        // limit given to f: …".
        let said = [(first, second), (second, first)];
        let (owner, name, from, to) = said.iter().find_map(|(owner, name)| {
            let (from, to) = self
                .not_given(*name, *owner)
                .or_else(|| self.bare(*owner, *name))?;
            Some((*owner, *name, from, to))
        })?;
        let rest = |at: &usize| !(from..to).contains(at) && *at != owner && *at != name;
        let rest: Vec<usize> = (0..self.tokens.len()).filter(rest).collect();
        if !self.asks_what_is_taken(&rest) {
            return None;
        }
        let text = format!(
            "{}.{}",
            self.tokens[owner].text,
            last_part(&self.tokens[name].text)
        );
        let aside = rest.iter().filter(|at| !lexicon::is_empty(self.word(**at)));
        let aside: Vec<&str> = aside.map(|at| self.tokens[*at].text.as_str()).collect();
        Some(Rest {
            tokens: token::split(&format!("what is the default of {text}?")).0,
            aside: vec![aside.join(" ")],
            describes_name: false,
            is_condition: false,
            is_guess: false,
        })
    }

    /// Returns the range of the words that say so: "if you never set limit", "no limit given to f",
    /// "leave limit alone".
    fn not_given(&self, name: usize, owner: usize) -> Option<(usize, usize)> {
        let is_around = |at: usize| self.says(at, AROUND) || self.says(at, BEGINS);
        let before = (0..name)
            .rev()
            .take_while(|at| is_around(*at) && !self.pauses(*at));
        let from = before.last().unwrap_or(name);
        let from = (from..=name).find(|at| self.says(*at, BEGINS))?;
        let is_more = |at: &usize| is_around(*at) || *at == owner;
        let after =
            (name + 1..self.tokens.len()).take_while(|at| is_more(at) && !self.pauses(at - 1));
        let to = after.last().map_or(name + 1, |last| last + 1);
        let denies = (from..to).any(|at| self.says(at, DENIES));
        denies.then_some((from, to))
    }

    /// Returns the range of a call without arguments, if another name is asked for: "f() with no
    /// arguments", "a bare f()".
    fn bare(&self, owner: usize, name: usize) -> Option<(usize, usize)> {
        let lead = (0..owner)
            .rev()
            .take_while(|at| self.says(*at, LEADS) && !self.pauses(*at));
        let from = lead.last().unwrap_or(owner);
        let next = owner + 1;
        let denies =
            self.says(next, "without") || self.says(next, "with") && self.word(next + 1) == "no";
        let noun = (next + 1..next + 4).find(|at| denies && self.says(*at, NOTHING));
        let is_bare = (from..owner).any(|at| self.says(at, "bare plain"));
        let to = noun.map(|noun| noun + 1).or(is_bare.then_some(next))?;
        (!(from..to).contains(&name)).then_some((from, to))
    }

    /// Reports whether the other words only ask for the default: what it is, how many, or how long.
    fn asks_what_is_taken(&self, rest: &[usize]) -> bool {
        let is_measure = |at: &&usize| {
            self.word(**at) == "how"
                && self.says(**at + 1, "many much long big large high deep far often")
        };
        let measures = rest.iter().find(is_measure);
        let is_asked = rest.iter().any(|at| self.says(*at, "what what's which"));
        let is_fine = |at: &usize| match measures {
            Some(_) => {
                let relates =
                    self.lexicon.is_relation(&self.tokens[*at]) && !self.says(*at, "use used uses");
                !(relates || self.says(*at, THINGS) || self.says(*at, OTHERS))
                    && (self.is_harmless(*at)
                        || lexicon::is_auxiliary(self.word(*at))
                        || self.says(*at, "how many much"))
            }
            None => self.says(*at, ASKS),
        };
        (measures.is_some() || is_asked) && rest.iter().all(is_fine)
    }
}
