//! Amounts: numbers, products of numbers, and numbers with a unit, as they are compared.
//!
//! Takes the text of a value and returns what it comes to, or `None` if that cannot be computed.
//! Never reads a name.

/// Most letters of an expression that is computed.
const LETTERS_MAX: usize = 120;
/// Most brackets inside of each other.
const DEPTH_MAX: usize = 8;

/// Returns the whole number that an expression of numbers comes to: `8 * 1024`, `1 << 20`, `0x10`.
pub(super) fn computed(text: &str) -> Option<i128> {
    if text.len() > LETTERS_MAX || !text.is_ascii() {
        return None;
    }
    let mut rest = text.trim();
    let value = shifted(&mut rest, 0)?;
    rest.trim().is_empty().then_some(value)
}

/// Reads sums with shifts between them, which bind weakest.
fn shifted(rest: &mut &str, depth: usize) -> Option<i128> {
    let mut value = sum(rest, depth)?;
    while let Some(after) = rest.trim_start().strip_prefix("<<") {
        *rest = after;
        let by = u32::try_from(sum(rest, depth)?).ok()?;
        value = value.checked_mul(1_i128.checked_shl(by).filter(|_| by < 100)?)?;
    }
    Some(value)
}

fn sum(rest: &mut &str, depth: usize) -> Option<i128> {
    let mut value = product(rest, depth)?;
    loop {
        let after = rest.trim_start();
        if let Some(after) = after.strip_prefix('+') {
            *rest = after;
            value = value.checked_add(product(rest, depth)?)?;
        } else if let Some(after) = after.strip_prefix('-') {
            *rest = after;
            value = value.checked_sub(product(rest, depth)?)?;
        } else {
            return Some(value);
        }
    }
}

fn product(rest: &mut &str, depth: usize) -> Option<i128> {
    let mut value = factor(rest, depth)?;
    loop {
        let after = rest.trim_start();
        // `2 ** 10` is a power, and `//` begins a comment or rounds.
        let is_other = after.starts_with("**") || after.starts_with("//");
        match (after.chars().next(), is_other) {
            (Some('*'), false) => {
                *rest = &after[1..];
                value = value.checked_mul(factor(rest, depth)?)?;
            }
            (Some('/'), false) => {
                *rest = &after[1..];
                let by = factor(rest, depth)?;
                let is_whole = value.checked_rem(by)? == 0;
                value = is_whole.then(|| value / by)?;
            }
            _ if after.starts_with("**") => {
                *rest = &after[2..];
                let power = u32::try_from(factor(rest, depth)?).ok()?;
                value = value.checked_pow(power)?;
            }
            _ => return Some(value),
        }
    }
}

fn factor(rest: &mut &str, depth: usize) -> Option<i128> {
    let start = rest.trim_start();
    if let Some(inner) = start.strip_prefix('(') {
        *rest = inner;
        let value = (depth < DEPTH_MAX).then(|| shifted(rest, depth + 1))??;
        *rest = rest.trim_start().strip_prefix(')')?;
        return Some(value);
    }
    if let Some(after) = start.strip_prefix('-') {
        *rest = after;
        return (depth < DEPTH_MAX)
            .then(|| factor(rest, depth + 1))??
            .checked_neg();
    }
    let end = start
        .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .unwrap_or(start.len());
    let (word, after) = start.split_at(end);
    // `3.5` is no whole number.
    if after.starts_with('.') {
        return None;
    }
    *rest = after;
    number(word)
}

/// Returns a whole number as code writes it: `1_000`, `0x1F`, `1024L`, `16u32`.
fn number(word: &str) -> Option<i128> {
    let digits = word.replace('_', "").to_ascii_lowercase();
    for (begin, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] {
        if let Some(digits) = digits.strip_prefix(begin) {
            return i128::from_str_radix(digits, radix).ok();
        }
    }
    const ENDINGS: [&str; 16] = [
        "usize", "isize", "u128", "i128", "u64", "i64", "u32", "i32", "u16", "i16", "u8", "i8",
        "ull", "ul", "l", "u",
    ];
    let bare = ENDINGS
        .iter()
        .find_map(|ending| digits.strip_suffix(ending));
    bare.unwrap_or(&digits).parse().ok()
}

/// What one unit comes to in bytes; people write "64 KB" for two amounts.
const SIZES: [(&[&str], &[i128]); 7] = [
    (&["byte", "bytes"], &[1]),
    (&["kib"], &[1 << 10]),
    (&["mib"], &[1 << 20]),
    (&["gib"], &[1 << 30]),
    (&["kb", "kilobytes"], &[1 << 10, 1_000]),
    (&["mb", "megabytes"], &[1 << 20, 1_000_000]),
    (&["gb", "gigabytes"], &[1 << 30, 1_000_000_000]),
];
/// What one unit comes to in milliseconds.
const TIMES: [(&[&str], i128); 6] = [
    (&["ms", "msec", "millisecond", "milliseconds"], 1),
    (&["s", "sec", "secs", "second", "seconds"], 1_000),
    (&["m", "min", "mins", "minute", "minutes"], 60_000),
    (&["h", "hour", "hours"], 3_600_000),
    (&["d", "day", "days"], 86_400_000),
    (&["week", "weeks"], 604_800_000),
];
/// How often a unit in which code may count has a millisecond: nanoseconds, microseconds,
/// milliseconds.
const PARTS: [i128; 3] = [1_000_000, 1_000, 1];

/// Splits `8 KiB` into its number and its unit; the unit is empty if none is written.
pub(super) fn with_unit(text: &str) -> (&str, String) {
    let end = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = text[end.len()..].to_ascii_lowercase();
    let number = end.trim();
    let is_unit = SIZES
        .iter()
        .any(|(names, _)| names.contains(&unit.as_str()))
        || TIMES
            .iter()
            .any(|(names, _)| names.contains(&unit.as_str()));
    match is_unit && !number.is_empty() {
        true => (number, unit),
        false => (text, String::new()),
    }
}

/// Reports whether a stated number of a unit is what code has as a number, or `None` if the code
/// may count in another unit.
pub(super) fn agrees(number: i128, unit: &str, found: i128) -> Option<bool> {
    if let Some((_, sizes)) = SIZES.iter().find(|(names, _)| names.contains(&unit)) {
        let is_size = |size: &i128| number.checked_mul(*size) == Some(found);
        let may_be = |size: &i128| is_of_other_unit(number.saturating_mul(*size), found);
        return match sizes.iter().any(is_size) {
            true => Some(true),
            false => (!sizes.iter().any(may_be)).then_some(false),
        };
    }
    let (_, unit) = TIMES.iter().find(|(names, _)| names.contains(&unit))?;
    let time = number.checked_mul(*unit)?;
    let is_in_seconds = found.checked_mul(1_000) == Some(time);
    if is_in_seconds
        || PARTS
            .iter()
            .any(|part| time.checked_mul(*part) == Some(found))
    {
        return Some(true);
    }
    let is_in_longer = |(_, unit): &(&[&str], i128)| found.checked_mul(*unit) == Some(time);
    (!TIMES.iter().any(is_in_longer)).then_some(false)
}

/// Reports whether a number of some other unit of size comes to as many bytes.
fn is_of_other_unit(bytes: i128, found: i128) -> bool {
    let mut units = SIZES.iter().flat_map(|(_, sizes)| sizes.iter());
    units.any(|unit| found.checked_mul(*unit) == Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::{agrees, computed, with_unit};

    #[test]
    fn expressions_of_numbers_are_computed() {
        for (text, value) in [
            ("8 * 1024", Some(8192)),
            ("(2 + 1) << 4", Some(48)),
            ("1_000 / 8", Some(125)),
            ("10 / 4", None),
            ("0x10", Some(16)),
            ("4096u32", Some(4096)),
            ("2 ** 10", Some(1024)),
            ("8 * KIB", None),
            ("3.5", None),
            ("((((((((((1))))))))))", None),
            ("9 * 99999999999999999999999999999999999999", None),
        ] {
            assert_eq!(computed(text), value, "{text}");
        }
    }

    #[test]
    fn amounts_of_a_unit_are_compared_with_numbers() {
        assert_eq!(with_unit("8 KiB"), ("8", "kib".to_owned()));
        assert_eq!(with_unit("eight"), ("eight", String::new()));
        for (number, unit, found, said) in [
            (8, "kib", 8192, Some(true)),
            (8, "kb", 8000, Some(true)),
            (8, "kib", 8, None),
            (8, "kib", 9000, Some(false)),
            (2, "days", 172_800, Some(true)),
            (5, "s", 5000, Some(true)),
            (5, "minutes", 5, None),
            (5, "minutes", 200, Some(false)),
        ] {
            assert_eq!(agrees(number, unit, found), said, "{number} {unit} {found}");
        }
    }
}
