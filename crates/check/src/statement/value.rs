//! `X` defaults to a value; `X` is on or off by default.

use super::{Arguments, Predicate, amount, contradicted, flag_value, unknown};
use crate::code::{Code, Use, is_source, whole_words};
use crate::verdict::{ClaimVerdict, Evidence};

pub(super) const VALUE: Predicate = Predicate {
    name: "default",
    frames: &[
        r"{a} (?:defaults to|has a default (?:value )?of|falls back to|is initiali[sz]ed to|equals|is set to|has the value) {v}",
        r"{a} is {v} by default",
        r"{a} (?:is|maps to|stands for|corresponds to|resolves to)(?: (?:exit|status|code|value|number|the))* {v}(?:$|[ .,;])",
        r"(?:default (?:value )?(?:of|for)|value of) {a} is {v}",
        r"by default,? {a} is {v}",
    ],
    words: flag_value::words,
    decide: |said, code| decide(said.get("v"), said, code),
};

pub(super) const SWITCH: Predicate = Predicate {
    name: "switched",
    frames: &[
        r"{a} is (?P<v>on|off|enabled|disabled|true|false)(?: by default| unless| out of the box)",
        r"{a} (?:defaults to being|is by default) (?P<v>on|off|enabled|disabled|true|false)",
    ],
    words: flag_value::words,
    decide: |said, code| decide(said.get("v"), said, code),
};

fn decide(value: &str, said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    // `info("x.txt")` is a result, which only running the code would show.
    let is_call_with_values = said
        .get("a")
        .split_once('(')
        .is_some_and(|(_, rest)| rest.len() > 1);
    if is_call_with_values {
        return unknown("what a call gives is not computed");
    }
    if flag_value::is_flag(said.get("a")) {
        return flag_value::decide(said.get("a"), value, code);
    }
    let Some((owner, name)) = said.symbol("a") else {
        return unknown("what has the value is no name");
    };
    // The values of the named owner come first: the name may have others elsewhere.
    let of_owner = owner.map(|owner| values_of(owner, name, code));
    let found = match of_owner.filter(|found| !found.is_empty()) {
        Some(found) => found,
        // `Reply.kind` is not what another type gives its own `kind`.
        None if owner.is_some_and(|owner| has_name(owner, name, code)) => Vec::new(),
        None => values(name, code),
    };
    compared(name, value, &found)
}

/// Compares a stated value with those that code gives a name.
fn compared(name: &str, value: &str, found: &[(String, Evidence)]) -> ClaimVerdict {
    let fits = |found: &str| agrees(value, found);
    if let Some((_, place)) = found.iter().find(|(found, _)| fits(found) == Some(true)) {
        return ClaimVerdict::Holds(place.clone());
    }
    let mut distinct: Vec<&String> = found.iter().map(|(value, _)| value).collect();
    distinct.sort_unstable();
    distinct.dedup();
    match (distinct.as_slice(), found.first()) {
        ([only], Some((_, place))) if fits(only) == Some(false) => {
            contradicted(format!("`{name}` is {only}"), [place.clone()])
        }
        ([only], Some(_)) => unknown(format!("`{only}` is not compared with `{value}`")),
        ([], _) => unknown(format!("no literal value of `{name}` is read")),
        _ => unknown(format!("`{name}` has several values here")),
    }
}

/// Returns the literal values that the project's own code gives a name.
fn values(name: &str, code: &Code<'_, '_>) -> Vec<(String, Evidence)> {
    let mut found = Vec::new();
    for one in code.uses(name).unwrap_or_default() {
        if !is_source(&one.path) || matches!(one.relation, grounds_evidence::Relation::Mentions(_))
        {
            continue;
        }
        let Some(given) = given(&with_next(&one, code), name) else {
            continue;
        };
        // A text that is the name itself is a label, not a value.
        let is_label = normal(&given) == name.to_ascii_lowercase();
        if is_literal(&given) && !is_label {
            found.push((normal(&given), one.place()));
        } else if !is_label {
            found.extend(constant(&given, &one.path, code));
        }
    }
    found
}

/// Reports whether the text of a type has a line that begins with a name.
fn has_name(owner: &str, name: &str, code: &Code<'_, '_>) -> bool {
    let types = code.definitions(owner).unwrap_or_default();
    let mut types = types.iter().filter(|one| one.is_type());
    types.any(|one| {
        let mut lines = one.text.lines();
        lines.any(|line| whole_words(line.trim_start(), name).any(|at| at.start == 0))
    })
}

/// Returns the literal values of a member in the text of a type, where a line begins with it.
fn values_of(owner: &str, name: &str, code: &Code<'_, '_>) -> Vec<(String, Evidence)> {
    let mut types = code.definitions(owner).unwrap_or_default();
    types.retain(|one| one.is_type() && is_source(&one.path));
    let mut found = Vec::new();
    for one in &types {
        for line in one
            .text
            .lines()
            .filter(|line| line.trim_start().starts_with(name))
        {
            let value = given(line, name).filter(|value| is_literal(value));
            found.extend(value.map(|value| (normal(&value), one.line_with(name))));
        }
    }
    found
}

/// Returns the line of a use, with the next line if its value is there.
fn with_next(one: &Use, code: &Code<'_, '_>) -> String {
    let begun = one.text.trim_end_matches('(').trim_end();
    let next = || {
        let text = code.facts.text(&one.path)?;
        let next = text.lines().nth(usize::try_from(one.line).ok()?)?;
        Some(format!("{begun} {}", next.trim()))
    };
    let is_begun = begun.ends_with('=') && !begun.ends_with("==");
    is_begun
        .then(next)
        .flatten()
        .unwrap_or_else(|| one.text.clone())
}

/// Returns the literal value of a constant of the same file.
fn constant(given: &str, path: &str, code: &Code<'_, '_>) -> Option<(String, Evidence)> {
    let (_, name) = super::frame::symbol(given)?;
    let uses = code.uses_in(path, name)?;
    uses.into_iter().find_map(|one| {
        let value = self::given(&one.text, name).filter(|value| is_literal(value))?;
        Some((normal(&value), one.place()))
    })
}

/// Returns the value that a line gives a name: `NAME = 3`, `name: 3`, `name := 3`, `name: u32 = 3`,
/// `name ?? 3`.
fn given(line: &str, name: &str) -> Option<String> {
    let at = whole_words(line, name).next()?;
    let rest = line[at.end..]
        .trim_start_matches(['"', '\'', '`', ']'])
        .trim_start();
    let after = match rest.split_once('=') {
        // `name => 3` in a table of PHP or Ruby gives a value too.
        Some((before, after)) if before.trim().is_empty() && after.starts_with('>') => &after[1..],
        Some((before, after))
            if !after.starts_with(['=', '>', '~'])
                && !before.ends_with(['!', '<', '>', '='])
                && before
                    .chars()
                    .all(|letter| letter.is_alphanumeric() || " :_<>[]?*&.'|".contains(letter)) =>
        {
            after
        }
        // After a colon, as in JSON or YAML; `::` parts a path.
        _ => rest
            .strip_prefix(':')
            .filter(|after| !after.starts_with(':'))?,
    };
    bare_value(after.trim())
}

/// Reports whether a stated value is the one that code has, or `None` if the two are of different
/// kinds or cannot be compared.
pub(super) fn agrees(stated: &str, found: &str) -> Option<bool> {
    let (number, unit) = amount::with_unit(stated);
    let (one, other) = (normal(number), normal(found));
    if !unit.is_empty() {
        return match (amount::with_unit(found), amount::computed(&one)) {
            ((same, of_found), _) if of_found == unit && normal(same) == one => Some(true),
            (_, Some(number)) => amount::agrees(number, &unit, amount::computed(&other)?),
            _ => None,
        };
    }
    if one == other {
        return Some(true);
    }
    // A value of another kind is another thing: "`config` is `true`" says nothing against a number.
    // `8 * UNIT` and `10s` are read as numbers begin, and what they come to is not known.
    let is_number = |text: &str| text.trim_start_matches('-').bytes().all(is_digit_or_point);
    let is_same_kind =
        kind(&one) == kind(&other) && (kind(&one) != 2 || (is_number(&one) && is_number(&other)));
    is_same_kind.then_some(false)
}

fn is_digit_or_point(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'.'
}

/// Returns the text up to what ends a value outside of brackets: a comma, a semicolon, or the
/// bracket that closes what is around it.
fn up_to_end(text: &str) -> &str {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        let is_inside = depth > 0;
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if is_inside => depth -= 1,
            ')' | ']' | '}' | ';' if !is_inside => return &text[..at],
            // `1,000` has no blank after its comma.
            ',' if !is_inside
                && !text[at + 1..].starts_with(|next: char| next.is_ascii_digit()) =>
            {
                return &text[..at];
            }
            _ => {}
        }
    }
    text
}

/// Returns a value without a trailing comment, comma or bracket.
fn bare_value(bare: &str) -> Option<String> {
    // A quoted text ends at its quotation mark, whatever follows; one that ends on a later line is
    // unknown.
    let quote = bare.chars().next().filter(|first| "\"'".contains(*first));
    if let Some(text) = quote.and_then(|quote| bare[1..].split(quote).next()) {
        let is_whole = bare.len() > text.len() + 1;
        return is_whole.then(|| bare[..text.len() + 2].to_owned());
    }
    let value = bare.split(" //").next()?.split(" #").next()?;
    let value = up_to_end(value.trim()).trim_end_matches('{').trim();
    (!value.is_empty() && value.len() < 120).then(|| value.to_owned())
}

pub(super) fn is_literal(text: &str) -> bool {
    let bare = text.trim_start_matches('-');
    text.starts_with(['"', '\'', '`'])
        || bare.starts_with(|first: char| first.is_ascii_digit())
        || amount::computed(text).is_some()
        || matches!(
            text.to_ascii_lowercase().as_str(),
            "true" | "false" | "null" | "none" | "nil" | "undefined"
        )
}

/// Returns a value as values are compared: words as numbers and switches, without quotes and
/// separators.
pub(super) fn normal(value: &str) -> String {
    const WORDS: [&str; 11] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let text = value
        .trim()
        .trim_matches(['"', '\'', '`'])
        .to_ascii_lowercase();
    match text.as_str() {
        "on" | "enabled" | "yes" => return "true".to_owned(),
        "off" | "disabled" | "no" => return "false".to_owned(),
        "none" | "nil" | "undefined" => return "null".to_owned(),
        "once" => return "1".to_owned(),
        "twice" => return "2".to_owned(),
        _ => {}
    }
    if let Some(number) = WORDS.iter().position(|word| *word == text) {
        return number.to_string();
    }
    let is_number = text
        .trim_start_matches('-')
        .starts_with(|first: char| first.is_ascii_digit());
    if is_number
        && text
            .chars()
            .all(|letter| letter.is_ascii_digit() || "_,-.".contains(letter))
    {
        // `1_000` and `1,000` are one number, and so are `3.0` and `3`.
        let digits = text.replace(['_', ','], "");
        return digits
            .trim_end_matches('.')
            .trim_end_matches(".0")
            .to_owned();
    }
    // `2024-01-02` and `1/2` are no sums.
    let is_written_out = text.contains(['*', '<', '(']) || text.contains(char::is_alphabetic);
    let is_text = value.trim_start().starts_with(['"', '\'']);
    match amount::computed(&text).filter(|_| is_written_out && !is_text) {
        Some(number) => number.to_string(),
        None => text,
    }
}

/// Returns the kind of a value. Only values of one kind contradict each other.
pub(super) fn kind(value: &str) -> u8 {
    match value {
        "true" | "false" => 0,
        "null" => 1,
        _ if value
            .trim_start_matches('-')
            .starts_with(|first: char| first.is_ascii_digit()) =>
        {
            2
        }
        _ => 3,
    }
}
