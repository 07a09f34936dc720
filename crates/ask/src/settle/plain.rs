//! Puts values into plain words: numbers without separators, and durations with their unit.

/// Units of time as standard libraries write them, and in words.
const UNITS: &[(&str, &str)] = &[
    ("time.Hour", "hours"),
    ("time.Minute", "minutes"),
    ("time.Second", "seconds"),
    ("time.Millisecond", "milliseconds"),
    ("Duration::from_secs", "seconds"),
    ("Duration::from_millis", "milliseconds"),
    ("Duration.ofMinutes", "minutes"),
    ("Duration.ofSeconds", "seconds"),
    ("Duration.ofMillis", "milliseconds"),
    ("TimeSpan.FromMinutes", "minutes"),
    ("TimeSpan.FromSeconds", "seconds"),
    ("TimeSpan.FromMilliseconds", "milliseconds"),
    ("timedelta(hours=", "hours"),
    ("timedelta(minutes=", "minutes"),
    ("timedelta(seconds=", "seconds"),
];

/// Returns the description of a line that gives a value.
pub(super) fn set_here(line: &str) -> String {
    match in_words(line) {
        Some(words) => format!("set here: {words}"),
        None => "set here".to_owned(),
    }
}

/// Returns the only number of a line that gives a value, in plain words; `None` if the line already
/// says it plainly.
fn in_words(line: &str) -> Option<String> {
    let given = line.split_once('=').or_else(|| line.split_once(':'));
    let value = given.map_or(line, |(_, value)| value);
    let value = value.split("//").next().unwrap_or(value);
    if let Some(product) = product(value) {
        return Some(product.to_string());
    }
    let mut numbers = numbers(value);
    let number = numbers.next()?;
    let unit = UNITS.iter().find(|(written, _)| value.contains(written));
    let plain: String = number.chars().filter(|letter| *letter != '_').collect();
    // Of two numbers it is not clear which one the unit belongs to.
    if numbers.next().is_some() {
        return None;
    }
    match unit {
        Some((_, unit)) => Some(format!("{plain} {unit}")),
        None => (plain != number).then_some(plain),
    }
}

/// Returns a product of whole numbers: `64 * 1024;`, `1 << 20`. Anything else is `None`.
fn product(value: &str) -> Option<u64> {
    let value = value.trim().trim_end_matches([';', ',']);
    let whole = |text: &str| text.trim().replace('_', "").parse::<u64>().ok();
    if let Some((one, by)) = value.split_once("<<") {
        return whole(one)?.checked_mul(1u64.checked_shl(u32::try_from(whole(by)?).ok()?)?);
    }
    let mut factors = value.split('*').map(whole);
    let first = factors.next()??;
    let mut others = factors.peekable();
    others.peek()?;
    others.try_fold(first, |product, factor| product.checked_mul(factor?))
}

/// Returns the decimal numbers of a text that are no part of a name.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .filter(|word| word.starts_with(|letter: char| letter.is_ascii_digit()))
        .filter(|word| {
            word.chars()
                .all(|letter| letter.is_ascii_digit() || letter == '_')
        })
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn numbers_and_times_are_said_plainly() {
        for (line, said) in [
            ("requestLimit: 10_000,", Some("10000")),
            (
                "\tdefaultBacklogTimeout = time.Second * 60",
                Some("60 seconds"),
            ),
            (
                "let wait = Duration::from_millis(250);",
                Some("250 milliseconds"),
            ),
            ("retries = 3", None),
            ("const CHUNK = 64 * 1024;", Some("65536")),
            ("const BYTES: u64 = 4 << 20;", Some("4194304")),
            ("const BYTES: u64 = 4 << 99;", None),
            ("range: 10_000, 20_000", None),
            ("area = 2 * time.Second * 3", None),
            ("name = user_1", None),
            ("limit = 0x10", None),
        ] {
            assert_eq!(in_words(line).as_deref(), said, "{line}");
        }
    }
}
