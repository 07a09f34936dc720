//! Two numbers in the same place of two sentences, each exact or a bound: "above
//! 100", "at least 3", "30".

use super::parsed::Parsed;
use super::tables::{ABOVE, BELOW};
use super::words::Role;

/// Words before a number in which its bound is said.
const BOUND_WORDS: usize = 3;
/// Hundredths by which two numbers must differ, so that one is not a rounding of the other.
const ROUNDING_HUNDREDTHS: i128 = 5;

/// How one number stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// The sentence's number makes the claim's true.
    Fits,
    /// The sentence's number makes the claim's false.
    Differs,
    /// Neither.
    Unclear,
}

/// What a number is said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Exact,
    Above,
    Below,
    Rough,
}

/// Compares the number of a claim with the number of a sentence.
pub(crate) fn compare(claim: &Parsed, at: usize, sentence: &Parsed, there: usize) -> Comparison {
    let (Role::Number(claimed), Role::Number(said)) =
        (&claim.words[at].role, &sentence.words[there].role)
    else {
        return Comparison::Unclear;
    };
    if claimed.unit != said.unit
        || (claimed.value != said.value && !is_same_measure(claim, at, sentence, there))
    {
        return Comparison::Unclear;
    }
    let (want, have) = (claimed.value, said.value);
    match (kind(claim, at), kind(sentence, there)) {
        (one, other) if one == other && want == have => Comparison::Fits,
        (Kind::Exact, Kind::Exact) if is_rounding(want, have) => Comparison::Unclear,
        (Kind::Exact, Kind::Exact) => Comparison::Differs,
        (Kind::Above, Kind::Exact | Kind::Above) if have > want => Comparison::Fits,
        (Kind::Above, Kind::Exact) if have < want => Comparison::Differs,
        (Kind::Above, Kind::Below) if have <= want => Comparison::Differs,
        (Kind::Below, Kind::Exact | Kind::Below) if have < want => Comparison::Fits,
        (Kind::Below, Kind::Exact) if have > want => Comparison::Differs,
        (Kind::Below, Kind::Above) if have >= want => Comparison::Differs,
        (Kind::Exact, Kind::Above) if have > want => Comparison::Differs,
        (Kind::Exact, Kind::Below) if have < want => Comparison::Differs,
        (Kind::Exact | Kind::Above | Kind::Below | Kind::Rough, _) => Comparison::Unclear,
    }
}

fn is_rounding(one: i128, other: i128) -> bool {
    let (one, other) = (one.abs(), other.abs());
    let is_whole = one % 1_000_000 == 0 && other % 1_000_000 == 0 && one.max(other) <= 100_000_000;
    !is_whole && (one - other).abs() * 100 <= one.max(other) * ROUNDING_HUNDREDTHS
}

fn kind(sentence: &Parsed, at: usize) -> Kind {
    let before: Vec<&str> = sentence.words[at.saturating_sub(BOUND_WORDS)..at]
        .iter()
        .map(|word| word.lower.as_str())
        .collect();
    let has = |list: &[&str]| before.iter().any(|word| list.contains(word));
    match () {
        () if has(&[
            "about",
            "approximately",
            "roughly",
            "around",
            "some",
            "nearly",
            "almost",
            "circa",
        ]) =>
        {
            Kind::Rough
        }
        () if before.ends_with(&["up", "to"])
            || before.ends_with(&["at", "most"])
            || has(&BELOW) =>
        {
            Kind::Below
        }
        () if has(&ABOVE) => Kind::Above,
        () => Kind::Exact,
    }
}

/// Whether two numbers that differ measure the same: the word that follows each, or the sign at it, is the same.
fn is_same_measure(claim: &Parsed, at: usize, sentence: &Parsed, there: usize) -> bool {
    let after = |parsed: &Parsed, at: usize| {
        let next = parsed
            .words
            .get(at + 1)
            .filter(|_| !parsed.is_parted_after(at));
        next.map(|word| word.stem.clone())
    };
    let before = |parsed: &Parsed, at: usize| {
        parsed.words[..at]
            .iter()
            .rev()
            .find(|word| word.role == Role::Content)
            .map(|word| word.stem.clone())
    };
    let has_sign =
        matches!(&claim.words[at].role, Role::Number(quantity) if quantity.unit.is_some());
    let is_same_before = before(claim, at) == before(sentence, there);
    match (after(claim, at), after(sentence, there)) {
        (Some(one), Some(other)) if one == other => true,
        (None, None) => is_same_before,
        (_, _) => has_sign && is_same_before,
    }
}
