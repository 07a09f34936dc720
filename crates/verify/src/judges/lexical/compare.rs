//! A claim beside a sentence: whether the sentence says the same, says the
//! opposite, or is only near. When in doubt it is only near: a silence costs an
//! answer, a wrong word costs trust.

use super::align::{self, Alignment, Pair};
use super::around::Around;
use super::bound::{self, Comparison};
use super::parsed::{Item, Parsed};
use super::words::{Role, Word};

/// Items that a claim needs, so that agreement with them means something.
const ITEMS_MIN: usize = 3;
/// Items from which on one plain word may be missing.
const ITEMS_FOR_ONE_MISSING: usize = 8;
/// Words before the first matched one in which a denial belongs to it.
const DENIAL_BEFORE: usize = 8;
/// Words after the last matched one in which a denial belongs to it.
const DENIAL_AFTER: usize = 3;
/// Extra words that one leading word counts as: more than any bound allows.
const LEADING_WEIGHT: usize = 100;
/// The share of a claim's words, in tenths, from which on a sentence is near.
const NEAR_TENTHS: usize = 7;

/// What a sentence says about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// It says the same, nearly word for word.
    Agrees,
    /// It says the opposite: a denial or another number in the same words.
    Contradicts,
    /// It speaks of the same, and what it says is not understood.
    Near,
    /// It speaks of something else.
    Apart,
}

/// Compares a claim with a sentence.
pub(crate) fn compare(claim: &Parsed, sentence: &Parsed, around: &Around) -> Finding {
    if claim.is_in(sentence) {
        return if sentence.is_question {
            Finding::Near
        } else {
            verbatim(claim, sentence)
        };
    }
    let alignment = align::align(claim, sentence);
    let lacking = Lacking::of(claim, &alignment, around);
    let matched = alignment.pairs.len() + lacking.said_around;
    if lacking.said_around > 0 && !speaks_for_itself(sentence, &alignment, &lacking) {
        return Finding::Near;
    }
    if matched * 10 < claim.items.len() * NEAR_TENTHS || matched < 2 {
        return Finding::Apart;
    }
    if claim.items.len() < ITEMS_MIN
        || !is_whole(claim, &lacking)
        || !says_plainly(claim, sentence, &alignment)
    {
        return Finding::Near;
    }
    weigh(claim, sentence, &alignment, &lacking)
}

/// What of a claim no word of the sentence answers to.
struct Lacking<'p> {
    /// What nothing says.
    missing: Vec<&'p Item>,
    /// How much of it is said by what stands around the sentence.
    said_around: usize,
    /// Whether the thing that the claim is about is named by the heading, and not by the sentence.
    is_headed: bool,
}

impl<'p> Lacking<'p> {
    fn of(claim: &'p Parsed, alignment: &'p Alignment, around: &Around) -> Self {
        let (said, missing): (Vec<&Item>, Vec<&Item>) = alignment
            .missing(claim)
            .partition(|item| around.says(item.word));
        Self {
            missing,
            said_around: said.len(),
            is_headed: said.iter().any(|item| around.is_subject(item.word)),
        }
    }
}

/// Words before what is said that point to something else.
const POINTING: [&str; 10] = [
    "it", "they", "this", "that", "these", "those", "he", "she", "which", "who",
];
/// Words of the claim that a sentence without its name must have itself.
const OWN_MIN: usize = 3;
/// The same below a heading that is the very name.
const OWN_BELOW_MIN: usize = 2;

/// Whether a sentence whose subject is named around it has enough words of its own, and no other subject.
fn speaks_for_itself(sentence: &Parsed, alignment: &Alignment, lacking: &Lacking<'_>) -> bool {
    let own_min = if lacking.is_headed {
        OWN_BELOW_MIN
    } else {
        OWN_MIN
    };
    let points = sentence.words[..alignment.first()]
        .iter()
        .any(|word| POINTING.contains(&word.lower.as_str()));
    alignment.pairs.len() >= own_min && !points && extras(sentence, alignment) == 0
}

/// The very words of the claim stand in the sentence; what stands around them may still turn them over.
fn verbatim(claim: &Parsed, sentence: &Parsed) -> Finding {
    if claim.words.len() == sentence.words.len() {
        return Finding::Agrees;
    }
    let alignment = align::align(claim, sentence);
    let statement = &sentence.words[..=sentence.statement_end(alignment.last())];
    let adds = |role: fn(&Role) -> bool| {
        statement.iter().filter(|word| role(&word.role)).count()
            > claim.words.iter().filter(|word| role(&word.role)).count()
    };
    let hedged =
        adds(|role| matches!(role, Role::Hedge)) || adds(|role| matches!(role, Role::Negation));
    let is_qualified = adds(|role| matches!(role, Role::Quantifier));
    match !hedged
        && !is_qualified
        && claim.items.len() >= 2
        && extras(sentence, &alignment) <= 1
        && !tail_restricts(sentence, &alignment)
    {
        true => Finding::Agrees,
        false => Finding::Near,
    }
}

/// Whether nothing of the claim is missing that could matter.
fn is_whole(claim: &Parsed, lacking: &Lacking<'_>) -> bool {
    match lacking.missing.as_slice() {
        [] => true,
        [one] => {
            claim.items.len() >= ITEMS_FOR_ONE_MISSING
                && claim.words[one.word].role == Role::Content
                && !claim.words[one.word].is_capital
        }
        _ => false,
    }
}

/// Whether the sentence says it without condition, doubt, question or another measure.
fn says_plainly(claim: &Parsed, sentence: &Parsed, alignment: &Alignment) -> bool {
    let same = |role: fn(&Role) -> bool| {
        let of = |words: &[Word]| {
            let mut found: Vec<String> = words
                .iter()
                .filter(|word| role(&word.role))
                .map(|word| word.lower.clone())
                .collect();
            found.sort();
            found.dedup();
            found
        };
        of(&claim.words) == of(&sentence.words[..=sentence.statement_end(alignment.last())])
    };
    !sentence.is_question
        && !sentence.is_quoted_in_doubt
        && same(|role| matches!(role, Role::Hedge))
        && same(|role| matches!(role, Role::Quantifier))
        && !sentence.is_broken_between(alignment.first(), alignment.last())
        && !tail_restricts(sentence, alignment)
}

fn weigh(
    claim: &Parsed,
    sentence: &Parsed,
    alignment: &Alignment,
    lacking: &Lacking<'_>,
) -> Finding {
    let (items, extras) = (claim.items.len(), extras(sentence, alignment));
    let (denials, opposites) = (
        denials(sentence, alignment),
        alignment
            .pairs
            .iter()
            .filter(|pair| pair.is_opposite)
            .count(),
    );
    let (denied, claimed) = ((denials + opposites) % 2 == 1, claim.negations() % 2 == 1);
    let is_clear = denials <= 1 && opposites <= 1;
    let numbers = numbers(claim, sentence, alignment);
    let has_other_times = sentence
        .times
        .iter()
        .any(|time| !claim.times.contains(time));
    match (numbers, denied == claimed) {
        (Comparison::Fits, true) if extras <= 1.max(items / 4) && is_clear => Finding::Agrees,
        (Comparison::Fits, false)
            if extras <= 1.max(items / 5)
                && is_clear
                && !has_other_times
                && lacking.missing.is_empty() =>
        {
            Finding::Contradicts
        }
        (Comparison::Differs, true)
            if extras == 0
                && denials + opposites == 0
                && !has_other_times
                && lacking.missing.is_empty() =>
        {
            Finding::Contradicts
        }
        (Comparison::Fits | Comparison::Differs | Comparison::Unclear, _) => Finding::Near,
    }
}

/// Words with content among the matched ones, or right before them, that the claim does not have.
fn extras(sentence: &Parsed, alignment: &Alignment) -> usize {
    let (first, last) = (alignment.first(), alignment.last());
    let is_extra = |at: &usize| sentence.has_content(*at) && !alignment.has(*at);
    (first..=last).filter(is_extra).count() + leading(sentence, alignment)
}

/// Words with content before the matched ones in the same statement: "the first floor of". Each may make it another thing.
fn leading(sentence: &Parsed, alignment: &Alignment) -> usize {
    let before = (0..alignment.first())
        .rev()
        .take_while(|at| !sentence.is_parted_after(*at));
    before.filter(|at| sentence.has_content(*at)).count() * LEADING_WEIGHT
}

/// Whether what follows the matched words narrows them: "in mice", "for members".
fn tail_restricts(sentence: &Parsed, alignment: &Alignment) -> bool {
    const NARROWING: [&str; 18] = [
        "in", "for", "when", "with", "among", "on", "by", "during", "under", "without", "while",
        "as", "than", "before", "but", "though", "although", "via",
    ];
    let last = alignment.last();
    let Some(next) = sentence
        .words
        .get(last + 1)
        .filter(|_| !sentence.is_parted_after(last))
    else {
        return false;
    };
    let follows =
        (last + 1..sentence.words.len()).take_while(|at| !sentence.is_parted_after(at - 1));
    let content = follows.filter(|at| sentence.has_content(*at)).count();
    content > 2 || (content > 0 && NARROWING.contains(&next.lower.as_str()))
}

/// Denials that belong to the matched words.
fn denials(sentence: &Parsed, alignment: &Alignment) -> usize {
    let (first, last) = (alignment.first(), alignment.last());
    let before = (0..first)
        .rev()
        .take(DENIAL_BEFORE)
        .take_while(|at| !sentence.is_parted_after(*at));
    let after = (last + 1..sentence.words.len())
        .take(DENIAL_AFTER)
        .take_while(|at| !sentence.is_parted_after(at - 1));
    before
        .chain(first..=last)
        .chain(after)
        .filter(|at| sentence.words[*at].role == Role::Negation)
        .count()
}

/// How the numbers of the sentence stand to those of the claim.
fn numbers(claim: &Parsed, sentence: &Parsed, alignment: &Alignment) -> Comparison {
    let pairs: Vec<&Pair> = alignment
        .pairs
        .iter()
        .filter(|pair| {
            matches!(
                claim.words[claim.items[pair.item].word].role,
                Role::Number(_)
            )
        })
        .collect();
    let claimed = claim
        .items
        .iter()
        .filter(|item| matches!(claim.words[item.word].role, Role::Number(_)))
        .count();
    let beside = (alignment.first()..=alignment.last())
        .filter(|at| matches!(sentence.words[*at].role, Role::Number(_)))
        .count();
    let compared: Vec<Comparison> = pairs
        .iter()
        .map(|pair| bound::compare(claim, claim.items[pair.item].word, sentence, pair.word))
        .collect();
    let differing = compared
        .iter()
        .filter(|comparison| **comparison == Comparison::Differs)
        .count();
    match compared.contains(&Comparison::Unclear) {
        true => Comparison::Unclear,
        false if pairs.len() < claimed => Comparison::Unclear,
        false if differing == 0 => Comparison::Fits,
        false if differing == 1 && beside == claimed => Comparison::Differs,
        false => Comparison::Unclear,
    }
}
