//! The names of runs: short, and in the order of time.

use std::hash::{BuildHasher as _, Hasher as _};

/// Letters of a name.
pub(super) const NAME_LETTERS_MAX: usize = 40;
/// The digits, in the order of their bytes, without letters that look like others. Sorted by name,
/// runs are in the order of time.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Digits of the moment: milliseconds until the year 3084.
const MOMENT_DIGITS: u32 = 9;
/// Random digits, for runs that begin in one millisecond.
const CHANCE_DIGITS: u32 = 4;

/// Returns a new name for a run that began at this moment.
pub fn new(started_ms: i64) -> String {
    // The hasher of the standard library is seeded anew in every process and for every instance.
    let chance = std::hash::RandomState::new().build_hasher().finish();
    let moment = u64::try_from(started_ms).unwrap_or(0);
    format!(
        "{}-{}",
        digits(moment, MOMENT_DIGITS),
        digits(chance, CHANCE_DIGITS)
    )
}

/// Checks a name that a caller gives to a run.
///
/// # Errors
/// What is wrong with it.
pub fn checked(name: &str) -> Result<String, String> {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    match (1..=NAME_LETTERS_MAX).contains(&name.len()) && name.bytes().all(fits) {
        true => Ok(name.to_owned()),
        false => Err(format!(
            "a run's name has 1 to {NAME_LETTERS_MAX} of a to z, 0 to 9 and `-`"
        )),
    }
}

fn digits(number: u64, count: u32) -> String {
    (0..count)
        .rev()
        .map(|place| char::from(DIGITS[usize::try_from((number >> (5 * place)) & 31).unwrap_or(0)]))
        .collect()
}
