//! Questions about a command-line flag that need no frame of code: whether it exists, and what it
//! does.

use grounds_claims::{Argument, Claim, Quantifier, names};

use super::part::{Asks, ReadClause};
use super::token::is_flag;
use super::{ClauseReading, lexicon};
use crate::words::is_in;

/// Words of a question whether a flag exists.
const EXISTING: &str = "\
    is are there does do did has have had support supports supported accept accepts take takes \
    know knows understand understands recognise recognize recognises recognizes offer offers \
    provide provides valid known available exist exists existing real such still yet a an any the \
    it its we you our with got as long flag option switch argument parameter cli command line";
/// Words of a question for what a flag does.
const EXPLAINING: &str = "\
    what does do is was are for mean means meaning explain describe purpose of the a tell me about \
    stand stands how work works and please effect it flag option switch argument parameter cli \
    command line";

/// Returns the readings of a clause that names one flag and nothing else.
pub(super) fn readings(part: &ReadClause) -> Vec<ClauseReading> {
    let [named] = part.names.as_slice() else {
        return Vec::new();
    };
    // A further word could restrict the flag to a command or a time, so every word must be known.
    let is_all_of = |words: &str| {
        part.free().all(|at| {
            let word = part.word(at);
            part.is_name(at)
                || part.is_mention(&part.tokens[at].text)
                || is_in(words, word)
                || !word.chars().any(char::is_alphanumeric)
        })
    };
    if !is_flag(&named.text) {
        return Vec::new();
    }
    let mut claim = match part.asks {
        Asks::Whether if is_all_of(EXISTING) => Claim::new(&names::DEFINES, Vec::new()),
        Asks::Which if is_all_of(EXPLAINING) && asks(part) => Claim::new(&names::BODY, Vec::new()),
        _ => return Vec::new(),
    };
    if claim.predicate == &names::DEFINES {
        claim.quantifier = match part.is_negated {
            true => Quantifier::None,
            false => Quantifier::Any,
        };
    }
    claim.arguments[0] = Argument::is(&named.text);
    claim.scope = part.scope.clone();
    let used = part.free().collect();
    vec![ClauseReading { claim, used }]
}

/// Reports whether a clause has a word that asks, and more than a name.
fn asks(part: &ReadClause) -> bool {
    part.free()
        .any(|at| lexicon::is_asking(part.word(at)) || is_in(EXPLAINING, part.word(at)))
        && part.free().any(|at| !part.is_name(at))
}
