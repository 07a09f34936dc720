//! Quantities as values: a number with its bound and its unit is one value, which another quantity
//! equals, lies within, or excludes. "Five minutes" and "300 s" are the same value.

use super::tables::MONTHS;

/// Millionths: the fractions in which a number is counted.
const PARTS: i128 = 1_000_000;
/// Maximum number of digits of a number.
const DIGITS_MAX: usize = 18;
/// Hundredths by which two numbers must differ, so that neither is a rounding of the other.
const ROUNDING_HUNDREDTHS: i128 = 5;

/// The bound that a number expresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberBound {
    /// The number itself.
    Exact,
    /// The number or more.
    AtLeast,
    /// More than the number.
    More,
    /// The number or less.
    AtMost,
    /// Less than the number.
    Less,
    /// Near the number.
    Rough,
}

/// The measure of a number. Values of two dimensions cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dimension {
    /// A plain count.
    None,
    /// Nanoseconds.
    Time,
    /// Bits.
    Information,
    /// Micrometres.
    Length,
    /// Milligrams.
    Mass,
    /// Months, which are no fixed number of days.
    Months,
    /// Thousandths.
    Share,
    /// A currency, by its sign.
    Money(char),
}

/// A number with its bound and unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quantity {
    pub(super) bound: NumberBound,
    /// Its value in millionths of the unit of its dimension.
    pub(super) value: i128,
    pub(super) dimension: Dimension,
}

/// The relation of a sentence's quantity to that of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// Both are the same.
    Same,
    /// The sentence's quantity makes the claim's true without being the same.
    Within,
    /// Both cannot be true of one thing at a time.
    Excluded,
    /// Neither is known.
    Unclear,
}

impl Quantity {
    /// Compares the quantity of a sentence with that of a claim.
    pub(super) fn compare(claimed: Self, said: Self) -> Comparison {
        if claimed == said {
            return Comparison::Same;
        }
        if claimed.bound == NumberBound::Rough && said.bound == NumberBound::Rough {
            return rough(claimed, said);
        }
        // Days and months have different dimensions, and can exclude each other all the same.
        if let Some(comparison) = months(claimed, said) {
            return comparison;
        }
        let is_rough = claimed.bound == NumberBound::Rough || said.bound == NumberBound::Rough;
        let both_exact = claimed.bound == NumberBound::Exact && said.bound == NumberBound::Exact;
        if claimed.dimension != said.dimension
            || is_rough
            // "3.14" may be written as "3.1".
            || (both_exact && is_rounding(claimed.value, said.value))
            || is_by_other_thousand(claimed, said)
        {
            return Comparison::Unclear;
        }
        let (want, have) = (claimed.interval(), said.interval());
        match () {
            () if have.1 < want.0 || want.1 < have.0 => Comparison::Excluded,
            () if want.0 <= have.0 && have.1 <= want.1 => Comparison::Within,
            () => Comparison::Unclear,
        }
    }

    /// Returns the first and the last value that it can have; an open end is one part inside.
    const fn interval(self) -> (i128, i128) {
        match self.bound {
            NumberBound::Exact | NumberBound::Rough => (self.value, self.value),
            NumberBound::AtLeast => (self.value, i128::MAX),
            NumberBound::More => (self.value + 1, i128::MAX),
            NumberBound::AtMost => (i128::MIN, self.value),
            NumberBound::Less => (i128::MIN, self.value - 1),
        }
    }
}

/// Reports whether two sizes differ only by what a kilobyte is: "4 KB" may be 4,000 or 4,096 bytes.
fn is_by_other_thousand(claimed: Quantity, said: Quantity) -> bool {
    let (less, more) = (claimed.value.min(said.value), claimed.value.max(said.value));
    let fits = |power: u32| {
        let scaled = less.checked_mul(1024_i128.pow(power));
        scaled.is_some() && scaled == more.checked_mul(1000_i128.pow(power))
    };
    claimed.dimension == Dimension::Information && (1..=4).any(fits)
}

/// Compares months with days: a month has 28 to 31 days.
fn months(claimed: Quantity, said: Quantity) -> Option<Comparison> {
    const DAY: i128 = 86_400_000_000_000;
    let (months, time) = match (claimed.dimension, said.dimension) {
        (Dimension::Months, Dimension::Time) => (claimed, said),
        (Dimension::Time, Dimension::Months) => (said, claimed),
        (_, _) => return None,
    };
    // "At least 20 days" and "a month" can both be true.
    let is_exact = claimed.bound == NumberBound::Exact && said.bound == NumberBound::Exact;
    let is_outside = time.value < months.value.saturating_mul(28 * DAY)
        || time.value > months.value.saturating_mul(31 * DAY);
    (is_exact && is_outside).then_some(Comparison::Excluded)
}

/// Compares two rough numbers, which exclude each other if one is at least twice the other.
fn rough(claimed: Quantity, said: Quantity) -> Comparison {
    let (one, other) = (claimed.value.abs(), said.value.abs());
    if claimed.dimension == said.dimension && one.min(other).saturating_mul(2) <= one.max(other) {
        Comparison::Excluded
    } else {
        Comparison::Unclear
    }
}

fn is_rounding(one: i128, other: i128) -> bool {
    let (one, other) = (one.abs(), other.abs());
    // Whole numbers are counts: one more is another value.
    let is_whole = one % PARTS == 0 && other % PARTS == 0;
    !is_whole && (one - other).abs() * 100 <= one.max(other) * ROUNDING_HUNDREDTHS
}

/// Parses a number in one piece of text: `30`, `$1,000.50`, `20GB`, `40%`, "thirty".
pub(super) fn read(piece: &str) -> Option<Quantity> {
    let exact = |value, dimension| Quantity {
        bound: NumberBound::Exact,
        value,
        dimension,
    };
    if let Some(value) = named(piece) {
        return Some(exact(value, Dimension::None));
    }
    let sign = piece
        .chars()
        .next()
        .filter(|letter| matches!(letter, '$' | '€' | '£' | '¥'));
    let bare = sign.map_or(piece, |sign| &piece[sign.len_utf8()..]);
    let end = bare
        .find(|letter: char| !(letter.is_ascii_digit() || matches!(letter, '.' | ',')))
        .unwrap_or(bare.len());
    let (digits, unit) = bare.split_at(end);
    let value = value_of(digits)?;
    match (sign, unit) {
        (Some(sign), "") => Some(exact(value, Dimension::Money(sign))),
        (None, "") => Some(exact(value, Dimension::None)),
        (None, unit) => {
            let (dimension, factor) = attached(unit)?;
            Some(exact(value.checked_mul(factor)?, dimension))
        }
        // The letters after a price are a scale, as in `$5M`, and no unit.
        (Some(_), _) => None,
    }
}

/// Returns the digits of a number as written, without a sign of currency and the letters of a unit.
pub(super) fn digits(piece: &str) -> &str {
    let is_part = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',');
    let bare = piece.trim_start_matches(['$', '€', '£', '¥']);
    match bare.starts_with(|letter: char| letter.is_ascii_digit()) {
        true => bare.split(|letter| !is_part(letter)).next().unwrap_or(bare),
        false => bare,
    }
}

/// Parses a number in digits, in millionths; groups of three may be separated by commas.
fn value_of(piece: &str) -> Option<i128> {
    let (whole, part) = piece.split_once('.').unwrap_or((piece, ""));
    let groups: Vec<&str> = whole.split(',').collect();
    let is_grouped = groups.len() == 1
        || (groups[0].len() <= 3 && groups[1..].iter().all(|group| group.len() == 3));
    let digits: String = groups.concat();
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = is_grouped
        && !digits.is_empty()
        && is_plain(&digits)
        && is_plain(part)
        && digits.len() <= DIGITS_MAX
        // Further digits would be below a millionth.
        && part.len() <= 6
        && !piece.ends_with('.');
    let fraction: i128 = is_number.then(|| format!("{part:0<6}"))?.parse().ok()?;
    Some(digits.parse::<i128>().ok()? * PARTS + fraction)
}

/// Parses a number in words. "One" has no entry, since it is usually a pronoun.
fn named(piece: &str) -> Option<i128> {
    const SMALL: [&str; 20] = [
        "zero",
        "",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 8] = [
        "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ];
    let lower = piece.to_lowercase();
    let (tens, small) = lower.split_once('-').unwrap_or(("", &lower));
    let at = |list: &[&str], word: &str| list.iter().position(|name| *name == word);
    let of_tens = |word: &str| at(&TENS, word).map(|at| (at + 2) * 10);
    let value = match tens {
        "" => at(&SMALL, small).or_else(|| of_tens(small))?,
        // "Twenty-one" is a number all the same.
        tens if small == "one" => of_tens(tens)? + 1,
        tens => of_tens(tens)? + at(&SMALL[..10], small).filter(|at| *at > 1)?,
    };
    // An empty piece would match the empty entry of "one".
    (!lower.is_empty())
        .then_some(value)
        .and_then(|value| i128::try_from(value).ok())
        .map(|value| value * PARTS)
}

/// Returns the factor of a scale that follows a number.
pub(super) fn scale(word: &str) -> Option<i128> {
    match word {
        "hundred" => Some(100),
        "thousand" => Some(1_000),
        "million" | "mn" => Some(1_000_000),
        "billion" | "bn" => Some(1_000_000_000),
        "trillion" => Some(1_000_000_000_000),
        _ => None,
    }
}

/// Returns the measure of a unit in a word of its own, and its size in the unit of the dimension.
pub(super) fn unit(word: &str) -> Option<(Dimension, i128)> {
    let time = |nanoseconds| Some((Dimension::Time, nanoseconds));
    match word {
        "nanosecond" | "nanoseconds" => time(1),
        "microsecond" | "microseconds" => time(1_000),
        "second" | "seconds" | "secs" => time(1_000_000_000),
        "minute" | "minutes" | "mins" => time(60_000_000_000),
        "hour" | "hours" | "hrs" => time(3_600_000_000_000),
        "day" | "days" => time(86_400_000_000_000),
        "week" | "weeks" => time(604_800_000_000_000),
        "month" | "months" => Some((Dimension::Months, 1)),
        "year" | "years" => Some((Dimension::Months, 12)),
        "millisecond" | "milliseconds" => time(1_000_000),
        "bit" | "bits" => Some((Dimension::Information, 1)),
        "byte" | "bytes" => Some((Dimension::Information, 8)),
        "kilobyte" | "kilobytes" => attached("kB"),
        "megabyte" | "megabytes" => attached("MB"),
        "gigabyte" | "gigabytes" => attached("GB"),
        "terabyte" | "terabytes" => attached("TB"),
        "millimetre" | "millimetres" | "millimeter" | "millimeters" => attached("mm"),
        "centimetre" | "centimetres" | "centimeter" | "centimeters" => attached("cm"),
        "metre" | "metres" | "meter" | "meters" => Some((Dimension::Length, 1_000_000)),
        "kilometre" | "kilometres" | "kilometer" | "kilometers" => attached("km"),
        "inch" | "inches" => Some((Dimension::Length, 25_400)),
        "foot" | "feet" => Some((Dimension::Length, 304_800)),
        "mile" | "miles" => Some((Dimension::Length, 1_609_344_000)),
        "kilogram" | "kilograms" => attached("kg"),
        "gram" | "grams" => Some((Dimension::Mass, 1_000)),
        "tonne" | "tonnes" => Some((Dimension::Mass, 1_000_000_000)),
        "percent" => Some((Dimension::Share, 10)),
        "permille" => Some((Dimension::Share, 1)),
        _ => attached(word),
    }
}

/// Returns the measure of letters right after the digits. Letters with several meanings (`m`) are
/// no unit.
fn attached(letters: &str) -> Option<(Dimension, i128)> {
    let time = |nanoseconds| Some((Dimension::Time, nanoseconds));
    let bytes = |bytes: i128| Some((Dimension::Information, bytes * 8));
    match letters {
        "%" => Some((Dimension::Share, 10)),
        "‰" => Some((Dimension::Share, 1)),
        "ns" => time(1),
        "us" | "µs" => time(1_000),
        "ms" => time(1_000_000),
        "s" | "sec" => time(1_000_000_000),
        "min" => time(60_000_000_000),
        "h" | "hr" => time(3_600_000_000_000),
        "kB" | "KB" | "kb" => bytes(1_000),
        "KiB" => bytes(1 << 10),
        "MB" | "mb" => bytes(1_000_000),
        "MiB" => bytes(1 << 20),
        "GB" | "gb" => bytes(1_000_000_000),
        "GiB" => bytes(1 << 30),
        "TB" | "tb" => bytes(1_000_000_000_000),
        "TiB" => bytes(1 << 40),
        "mm" => Some((Dimension::Length, 1_000)),
        "cm" => Some((Dimension::Length, 10_000)),
        "km" => Some((Dimension::Length, 1_000_000_000)),
        "mg" => Some((Dimension::Mass, 1)),
        "kg" => Some((Dimension::Mass, 1_000_000)),
        _ => None,
    }
}

/// Reports whether a piece is a value and no plain number: a version, a range, a power, a date.
pub(super) fn is_value(piece: &str) -> bool {
    let bare = piece.strip_prefix(['v', 'V']).unwrap_or(piece);
    let starts = bare.starts_with(|letter: char| letter.is_ascii_digit());
    let is_part = |letter: char| {
        letter.is_ascii_digit() || matches!(letter, '.' | '-' | '–' | ':' | '/' | '^' | '*' | ',')
    };
    let (number, word) = bare.split_once('-').unwrap_or((bare, ""));
    let is_measure = !word.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && word.chars().all(char::is_alphabetic);
    // "Two-part", "nine-hour"; "twenty-one" is a number.
    let is_named =
        named(number).is_some() && word.chars().all(char::is_alphabetic) && named(bare).is_none();
    (is_named && !word.is_empty())
        || starts && (bare.chars().all(is_part) || is_measure || bare.starts_with("0x"))
}

/// Reports whether a word is the name of a month, with a capital as months have.
pub(super) fn is_month(piece: &str) -> bool {
    piece.starts_with(char::is_uppercase) && MONTHS.contains(&piece.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kilobyte_may_be_either() {
        let compare = |claimed: &str, said: &str| {
            let quantity = |text: &str| read(text).expect("a quantity");
            Quantity::compare(quantity(claimed), quantity(said))
        };
        assert_eq!(compare("4KB", "4KiB"), Comparison::Unclear);
        assert_eq!(compare("4MiB", "4096KB"), Comparison::Unclear);
        assert_eq!(compare("4KB", "8KB"), Comparison::Excluded);
        assert_eq!(compare("4KiB", "5KiB"), Comparison::Excluded);
    }

    #[test]
    fn numbers_are_read_with_their_units() {
        let value = |piece: &str| read(piece).map(|quantity| (quantity.value, quantity.dimension));
        let cases = [
            ("30", Some((30_000_000, Dimension::None))),
            ("1,000.5", Some((1_000_500_000, Dimension::None))),
            ("$12", Some((12_000_000, Dimension::Money('$')))),
            ("40%", Some((400_000_000, Dimension::Share))),
            ("5min", Some((300_000_000_000_000_000, Dimension::Time))),
            ("sixty-three", Some((63_000_000, Dimension::None))),
            ("twenty", Some((20_000_000, Dimension::None))),
            ("one", None),
            ("1.2.3", None),
            ("10-20", None),
            ("IPv4", None),
            ("", None),
            ("99999999999999999999999999", None),
        ];
        for (piece, expected) in cases {
            assert_eq!(value(piece), expected, "{piece}");
        }
        for piece in [
            "1.2.3",
            "v7.0.1",
            "10-20",
            "2^63",
            "64-bit",
            "2024-01-02",
            "0xff",
        ] {
            assert!(is_value(piece), "{piece}");
        }
        for piece in ["SHA-1", "utf8", "B2", "-x", "--depth"] {
            assert!(!is_value(piece), "{piece}");
        }
    }

    #[test]
    fn bounds_exclude_and_include_each_other() {
        let of = |bound, value| Quantity {
            bound,
            value: value * PARTS,
            dimension: Dimension::None,
        };
        let cases = [
            (
                of(NumberBound::Exact, 3),
                of(NumberBound::Exact, 3),
                Comparison::Same,
            ),
            (
                of(NumberBound::Exact, 3),
                of(NumberBound::Exact, 5),
                Comparison::Excluded,
            ),
            (
                of(NumberBound::More, 3),
                of(NumberBound::Exact, 5),
                Comparison::Within,
            ),
            (
                of(NumberBound::More, 5),
                of(NumberBound::Exact, 5),
                Comparison::Excluded,
            ),
            (
                of(NumberBound::AtLeast, 3),
                of(NumberBound::AtMost, 3),
                Comparison::Unclear,
            ),
            (
                of(NumberBound::AtLeast, 3),
                of(NumberBound::AtMost, 2),
                Comparison::Excluded,
            ),
            (
                of(NumberBound::AtLeast, 5),
                of(NumberBound::AtLeast, 3),
                Comparison::Unclear,
            ),
            (
                of(NumberBound::Rough, 3),
                of(NumberBound::Rough, 9),
                Comparison::Excluded,
            ),
            (
                of(NumberBound::Rough, 3),
                of(NumberBound::Exact, 9),
                Comparison::Unclear,
            ),
        ];
        for (claimed, said, expected) in cases {
            assert_eq!(
                Quantity::compare(claimed, said),
                expected,
                "{claimed:?} {said:?}"
            );
        }
    }
}
