//! Misspelled names: those that are one slip away from a name that the code has.

use crate::claim::{TextClaim, ThingKind};
use crate::facts::Facts;
use crate::mention::MentionContext;
use crate::verdict::ClaimVerdict;
use grounds_repo::path::file_name;

/// Returns the verdict on a name that is one slip away from one that the code has.
pub(crate) fn near_miss(claim: &TextClaim, facts: &Facts<'_>) -> Option<ClaimVerdict> {
    // A bare small name in an example is a variable of the example.
    let is_small = claim.name.starts_with(char::is_lowercase);
    let is_fence = matches!(claim.context, MentionContext::Fence(_));
    if is_fence && claim.owners.is_empty() && is_small {
        return None;
    }
    // The other number of an option is no slip by the rules below, and is wrong all the same.
    if let Some(closest) = other_number(claim, facts) {
        return Some(slip(claim, closest));
    }
    let closest = near(&claim.name, facts)?;
    // A short word has many neighbours: `GraphiQL` in running text is no slip of `GraphQL`.
    let is_long = differing(&closest, &claim.name).is_some_and(|(word, _)| word.len() > 8);
    // Running text has names of products, and an example has constants of the system.
    let is_risky = match claim.context {
        MentionContext::Prose => !is_long,
        MentionContext::Fence(_) => claim.kind == ThingKind::Variable,
        _ => false,
    };
    if is_risky {
        return None;
    }
    if is_of_another_package(claim, facts) {
        return None;
    }
    if is_form(&closest, &claim.name) {
        return None;
    }
    Some(slip(claim, closest))
}

fn slip(claim: &TextClaim, closest: String) -> ClaimVerdict {
    ClaimVerdict::Contradicted {
        instead: format!(
            "no code here has `{}`, and `{closest}` is one slip away",
            claim.name
        ),
        closest: Some(closest),
        evidence: Vec::new(),
    }
}

/// Endings of the forms of a word.
const FORMS: &[&str] = &[
    "s", "es", "d", "ed", "ing", "er", "ers", "r", "rs", "or", "ors",
];

/// Reports whether two names differ by an ending of one of their words: a plural, another tense.
fn is_form(one: &str, other: &str) -> bool {
    let is_ending = |text: &str| text.is_empty() || FORMS.contains(&text);
    differing(one, other).is_some_and(|(one, other)| {
        let bytes = one.bytes().zip(other.bytes());
        let shared = bytes.take_while(|(one, other)| one == other).count();
        let ends = |word: &str, at: usize| word.get(at..).is_some_and(is_ending);
        // `indenter` and `indented` share the first letter of their endings.
        [shared, shared.saturating_sub(1)]
            .into_iter()
            .any(|at| ends(&one, at) && ends(&other, at))
    })
}

/// Returns the singular or plural that the code has of a name that the text calls an option.
fn other_number(claim: &TextClaim, facts: &Facts<'_>) -> Option<String> {
    let name = &claim.name;
    // "The `fork_workers` configuration option" calls it an option as well.
    let bare = claim.around.replace('`', "").replace("configuration ", "");
    let is_option = ["option", "setting"]
        .iter()
        .any(|kind| bare.contains(&format!("{name} {kind}")));
    let is_shown =
        claim.context == MentionContext::Span && name.len() >= OPTION_LETTERS_MIN && is_option;
    let is_other = |other: &&String| {
        other.strip_suffix('s') == Some(name) || name.strip_suffix('s') == Some(other)
    };
    let mut others = facts.identifiers_like(name, 1).filter(|_| is_shown);
    others.find(is_other).cloned()
}

/// Shortest name of an option, in letters, that is no plain word.
const OPTION_LETTERS_MIN: usize = 8;

/// Reports whether a name is one of a package that the tree does not have: `debug.BuildInfo`,
/// `numpy.asfarray`.
fn is_of_another_package(claim: &TextClaim, facts: &Facts<'_>) -> bool {
    let is_member = claim.name.starts_with(char::is_lowercase);
    let may_be_object = is_member && claim.context != MentionContext::Span;
    claim.owners.last().is_some_and(|owner| {
        let is_here = |path: &String| {
            let name = file_name(path);
            name.split('.').next() == Some(owner)
        };
        !may_be_object
            && owner.starts_with(char::is_lowercase)
            && !facts.folders.iter().chain(&facts.files).any(is_here)
    })
}

/// Returns the closest identifier of the code within one edit of a name, or two of a long one.
/// Returns `None` if several are equally close.
pub(crate) fn near(name: &str, facts: &Facts<'_>) -> Option<String> {
    let letters = name.chars().count();
    // Among short names, many are one edit from each other without being slips.
    if letters < 7 {
        return None;
    }
    let edits = if letters > 11 { 2 } else { 1 };
    let mut close: Vec<(usize, &String)> = facts
        .identifiers_like(name, edits)
        .map(|other| (strsim::osa_distance(other, name), other))
        .filter(|(distance, other)| *distance <= edits && is_slip(other, name))
        .collect();
    close.sort_unstable();
    // Of two names that are equally close, neither is sure to be meant.
    match close.as_slice() {
        [(_, only)] => Some((*only).clone()),
        [(least, first), (next, _), ..] if least < next => Some((*first).clone()),
        _ => None,
    }
}

/// Reports whether two names differ by a slip in one of their words. `Jvm` and `Js`, `PropertyA`
/// and `PropertyB`, `Printer` and `Pointer` are words of their own, and so is a name that continues
/// where the other ends.
fn is_slip(one: &str, other: &str) -> bool {
    let is_capital = !one.contains(char::is_lowercase);
    let goes_on = one.starts_with(other) || other.starts_with(one);
    let Some((one, other)) = differing(one, other).filter(|_| !goes_on) else {
        return false;
    };
    // `async` and `sync` are two words, `colour` and `color` one.
    let plain = |word: &str| word.replace("our", "or").replace('z', "s");
    let is_opposite = |one: &str, other: &str| {
        let prefix = one.strip_suffix(other);
        prefix.is_some_and(|prefix| ["a", "un", "in", "im", "de", "re"].contains(&prefix))
    };
    // `SYNC` and `FSYNC` are two words.
    let is_longer_in_front = is_capital && (one.ends_with(&other) || other.ends_with(&one));
    if is_longer_in_front
        || is_opposite(&one, &other)
        || is_opposite(&other, &one)
        || plain(&one) == plain(&other)
    {
        return false;
    }
    let letters = one.chars().count().min(other.chars().count());
    let edits = strsim::osa_distance(&one, &other);
    // The edits are all other letters in place: nothing was left out, doubled or turned around.
    let is_other_letter = strsim::hamming(&one, &other).is_ok_and(|count| count == edits);
    let is_turned_around = edits == 1 && one.len() == other.len() && !is_other_letter;
    // Turned letters are a slip even in a short word, while another letter mostly makes another
    // word.
    let least = match () {
        () if is_turned_around => 3,
        () if is_other_letter => 8,
        () => 4,
    };
    let most = if letters > 8 { 2 } else { 1 };
    letters >= least && edits <= most
}

/// Returns the one word in which two names of equally many words differ, in lower case.
fn differing(one: &str, other: &str) -> Option<(String, String)> {
    let (one, other) = (words(one), words(other));
    let mut pairs = one.iter().zip(&other).filter(|(one, other)| one != other);
    let (first, second) = pairs.next()?;
    let is_alone = one.len() == other.len() && pairs.next().is_none();
    let is_number = |word: &str| word.contains(|letter: char| letter.is_ascii_digit());
    // Numbers tell names apart on purpose: `DRIVE_X86` and `DRIVE_X64`.
    (is_alone && !is_number(first) && !is_number(second)).then(|| (first.clone(), second.clone()))
}

/// Returns the words of a name, in lower case: at underscores, humps and numbers.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut before = ['_'; 2];
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        // `IOScheduler` is `io` and `scheduler`.
        let ends_capitals =
            before[0].is_uppercase() && letters.peek().is_some_and(|next| next.is_lowercase());
        let [_, last] = before;
        let is_hump = letter.is_uppercase() && (!last.is_uppercase() || ends_capitals);
        let is_turn = letter.is_ascii_digit() != last.is_ascii_digit();
        if last == '_' || is_hump || is_turn {
            all.push(String::new());
        }
        before = [last, letter];
        if letter != '_'
            && let Some(last) = all.last_mut()
        {
            last.extend(letter.to_lowercase());
        }
    }
    all.retain(|word| !word.is_empty());
    all
}
