//! Masks secrets in what is sent, by value. The head that shows the kind stays, and so do length
//! and lines, so that places can still be cited. A value that was found once is masked wherever it
//! occurs. Masked secrets are counted.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;
use regex::{Regex, RegexBuilder};

/// The rules as data: name, letters of the head that stay, the shape of the value.
const RULES: &str = include_str!("redact/rules.txt");
/// Maximum number of bytes of a compiled rule: a larger one takes longer to compile than a question
/// takes.
const RULE_BYTES_MAX: usize = 3 << 19;
/// Minimum number of letters of a value that is also masked where no rule finds it.
const VALUE_LETTERS_MIN: usize = 8;
/// Maximum number of different values of one text.
const VALUES_MAX: usize = 1_000;
/// Minimum entropy of a value of an assignment, in hundredths of bits a letter, so that words and
/// placeholders stay.
const ENTROPY_HUNDREDTHS_MIN: u32 = 300;

/// Maximum number of secrets of whole files that are masked in pieces of them.
const HIDDEN_MAX: usize = 20_000;
/// Minimum number of letters of a piece of a key that is removed from names.
const WORD_LETTERS_MIN: usize = 5;
/// Number of consecutive letters of a row, from which on a value was typed.
const ROW_LETTERS_MAX: usize = 7;
/// Maximum number of letters of a repeated piece.
const PIECE_LETTERS_MAX: usize = 12;
/// Minimum number of different letters of a generated value.
const DIFFERENT_LETTERS_MIN: usize = 6;
/// Minimum number of letters and digits of a private key.
const KEY_LETTERS_MIN: usize = 40;

/// The number of masked secrets, by rule.
pub type Masked = BTreeMap<&'static str, u64>;

struct SecretRule {
    name: &'static str,
    needles: Vec<&'static str>,
    head_letters: usize,
    is_guess: bool,
    shape: &'static str,
    /// Compiled at the first text that contains one of the needles. Most texts contain no needle,
    /// and compiling all rules takes longer than reading a file.
    compiled: OnceLock<Option<Regex>>,
}

impl SecretRule {
    fn shape(&self) -> Option<&Regex> {
        let compile = || {
            RegexBuilder::new(self.shape)
                .size_limit(RULE_BYTES_MAX)
                .build()
                .ok()
        };
        self.compiled.get_or_init(compile).as_ref()
    }
}

/// A secret in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// The rule that found it.
    pub rule: &'static str,
    /// Its bytes.
    pub range: Range<usize>,
}

static ALL: LazyLock<Vec<SecretRule>> = LazyLock::new(|| RULES.lines().filter_map(rule).collect());

/// Parses one line: `name | needle, needle | letters of the head | regular expression`. The last
/// group is the value.
fn rule(line: &'static str) -> Option<SecretRule> {
    // The shape is the last field, since it may contain the separator.
    let mut fields = line.splitn(4, " | ").map(str::trim);
    let (name, needles, head) = (
        fields
            .next()
            .filter(|name| !name.is_empty() && !name.starts_with('#'))?,
        fields.next()?,
        fields.next()?,
    );
    let shape = fields.next()?;
    let head_letters = head.trim_end_matches('?').parse().ok()?;
    Some(SecretRule {
        name,
        needles: needles.split(", ").collect(),
        head_letters,
        is_guess: head.ends_with('?'),
        shape,
        compiled: OnceLock::new(),
    })
}

/// A place that is masked, and how much of its head stays.
struct MaskedRange {
    start: usize,
    end: usize,
    head_letters: usize,
    rule: &'static str,
}

/// Returns the text without secrets, and adds what was masked to the counts.
pub fn mask(text: &str, masked: &mut Masked) -> String {
    let places = find(text, masked);
    if places.is_empty() {
        return text.to_owned();
    }
    let mut bytes = text.as_bytes().to_vec();
    for place in &places {
        cover(&mut bytes[place.start..place.end]);
    }
    // The place of a guess may have covered the head that shows the kind.
    for place in &places {
        let head = place.start..place.end.min(place.start + place.head_letters);
        bytes[head.clone()].copy_from_slice(&text.as_bytes()[head]);
    }
    // Places begin and end with whole letters, and a star stays a star where they overlap, so that
    // the text stays UTF-8.
    String::from_utf8(bytes).unwrap_or_default()
}

/// The secrets of whole files, which are masked in pieces of them: no rule recognises a key that
/// begins before a piece.
#[derive(Clone, Debug, Default)]
pub struct Hidden {
    values: BTreeSet<String>,
    words: BTreeSet<String>,
}

impl Hidden {
    /// Adds the secrets of a text, and returns them with their places.
    pub fn add(&mut self, text: &str) -> Vec<Secret> {
        let places = find(text, &mut Masked::new());
        let mut found = Vec::new();
        for MaskedRange {
            start,
            end,
            head_letters,
            rule,
        } in places
        {
            // The head stays readable, as in `mask`.
            let from = (start + head_letters).min(end);
            // Line by line: a piece of the file may contain only some lines of a key.
            for line in text[from..end].lines().map(str::trim) {
                self.take(line, rule.starts_with("private-key") || rule == "putty-key");
            }
            found.push(Secret {
                rule,
                range: start..end,
            });
        }
        found
    }

    /// Adds one line of a secret. Of a key, its words are added as well, since names are cut out of
    /// texts.
    fn take(&mut self, line: &str, is_key: bool) {
        if line.len() < VALUE_LETTERS_MIN || self.values.len() >= HIDDEN_MAX {
            return;
        }
        self.values.insert(line.to_owned());
        let words = line
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| is_key && word.len() >= WORD_LETTERS_MIN);
        self.words.extend(words.map(str::to_owned));
    }

    /// Returns the text with every known secret masked; lengths and lines stay.
    pub fn strike(&self, text: &str) -> String {
        let mut struck = text.to_owned();
        for value in self.values.iter().filter(|value| text.contains(*value)) {
            struck = struck.replace(value.as_str(), &"*".repeat(value.len()));
        }
        struck
    }

    /// Reports whether a name is a piece of a known secret.
    pub fn covers(&self, name: &str) -> bool {
        name.len() >= WORD_LETTERS_MIN
            && (self.words.contains(name) || self.values.iter().any(|value| value.contains(name)))
    }
}

/// Returns the secrets of a text that are certain: rules that guess are left out, and no word, name
/// or placeholder counts.
pub fn find_sure(text: &str) -> Vec<Secret> {
    let asked = rules_for(text).filter(|rule| !rule.is_guess);
    let mut found: Vec<Secret> = Vec::new();
    for (rule, shape) in asked.filter_map(|rule| Some((rule, rule.shape()?))) {
        let groups = shape
            .captures_iter(text)
            .filter_map(|groups| groups.iter().flatten().last());
        let sure = groups.filter(|group| {
            !group.is_empty()
                && !is_made_up(&group.as_str()[rule.head_letters.min(group.len())..])
                && match rule.name.starts_with("private-key") {
                    true => has_key(group.as_str()),
                    false => {
                        let is_words = holds_words(rule.name, group.as_str());
                        looks_random(group.as_str())
                            && !is_words
                            && !opens_no_host(&text[group.end()..])
                    }
                }
        });
        found.extend(sure.take(VALUES_MAX).map(|group| Secret {
            rule: rule.name,
            range: group.range(),
        }));
    }
    found.sort_by_key(|secret| (secret.range.start, std::cmp::Reverse(secret.range.end)));
    // Of secrets that overlap, the first one stays, and of equal starts the longest.
    found.dedup_by(|secret, kept| secret.range.start < kept.range.end);
    found
}

/// The needles of all rules, in their order, searched in one pass; `None` applies every rule.
static NEEDLES: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let needles = ALL.iter().flat_map(|rule| &rule.needles);
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(needles)
        .ok()
});

/// Returns the rules of which a text contains a needle.
fn rules_for(text: &str) -> impl Iterator<Item = &'static SecretRule> {
    let count = ALL.iter().map(|rule| rule.needles.len()).sum();
    let mut is_held = vec![NEEDLES.is_none(); count];
    for needles in NEEDLES.iter() {
        for hit in needles.find_overlapping_iter(text) {
            is_held[hit.pattern().as_usize()] = true;
        }
    }
    let mut is_held = is_held.into_iter();
    ALL.iter().filter(move |rule| {
        let of_rule = is_held.by_ref().take(rule.needles.len());
        // All flags of a rule are taken, so that the next rule begins with its own.
        of_rule.filter(|is| *is).count() > 0
    })
}

/// Returns the places of secrets: those that a rule finds, and the same values elsewhere.
fn find(text: &str, masked: &mut Masked) -> Vec<MaskedRange> {
    let (mut places, mut values): (Vec<MaskedRange>, BTreeMap<&str, (usize, &'static str)>) =
        (Vec::new(), BTreeMap::new());
    for rule in rules_for(text) {
        let Some(shape) = rule.shape() else { continue };
        for group in shape
            .captures_iter(text)
            .filter_map(|groups| groups.iter().flatten().last())
        {
            if group.is_empty() || rule.is_guess && !looks_random(group.as_str()) {
                continue;
            }
            places.push(MaskedRange {
                start: group.start(),
                end: group.end(),
                head_letters: rule.head_letters,
                rule: rule.name,
            });
            // Past the maximum, places are still masked, but no longer searched elsewhere.
            if values.len() < VALUES_MAX && !values.contains_key(group.as_str()) {
                values.insert(group.as_str(), (rule.head_letters, rule.name));
                *masked.entry(rule.name).or_default() += 1;
            }
        }
    }
    for (value, (head_letters, rule)) in values
        .into_iter()
        // A short value, such as the password "test", is also an ordinary word of the text.
        .filter(|(value, _)| value.len() >= VALUE_LETTERS_MIN)
    {
        places.extend(text.match_indices(value).map(|(start, _)| MaskedRange {
            start,
            end: start + value.len(),
            head_letters,
            rule,
        }));
    }
    places
}

/// Reports whether a value was typed and not generated: a row of neighbours among the digits or in
/// the alphabet, a repeated piece, or hardly any different letters.
fn is_made_up(value: &str) -> bool {
    let bytes: Vec<u8> = value
        .bytes()
        .filter(u8::is_ascii_alphanumeric)
        .map(|byte| byte.to_ascii_lowercase())
        .collect();
    if bytes.is_empty() {
        return true;
    }
    // On a keyboard, `0` comes after `9`.
    let follows = |pair: &[u8]| pair[1] == pair[0] + 1 || pair == b"90";
    let mut run = 1;
    let has_row = bytes.windows(2).any(|pair| {
        run = if follows(pair) { run + 1 } else { 1 };
        run >= ROW_LETTERS_MAX
    });
    // A piece must occur three times, since two equal pieces may be chance.
    let repeats = (1..=PIECE_LETTERS_MAX.min(bytes.len() / 3)).any(|piece| {
        bytes
            .iter()
            .zip(&bytes[piece..])
            .all(|(one, next)| one == next)
    });
    let mut different = bytes.clone();
    different.sort_unstable();
    different.dedup();
    has_row
        || repeats
        || bytes.len() >= 2 * DIFFERENT_LETTERS_MIN && different.len() < DIFFERENT_LETTERS_MIN
}

/// Reports whether the value of a header, `user:password` in base64, is made of words or a
/// placeholder: tests are full of them.
fn holds_words(rule: &str, value: &str) -> bool {
    let decoded = (rule == "authorization-header")
        .then(|| decoded(value))
        .flatten();
    decoded
        .as_deref()
        .and_then(|text| text.split_once(':'))
        .is_some_and(|(_, password)| !looks_random(password))
}

/// Reports whether a host follows a value, and is one that is reserved for examples and tests (RFC
/// 2606 and 6761).
fn opens_no_host(behind: &str) -> bool {
    let Some(rest) = behind.strip_prefix('@') else {
        return false;
    };
    let end = rest.find(|letter: char| !(letter.is_alphanumeric() || "-.".contains(letter)));
    let host = rest[..end.unwrap_or(rest.len())].to_lowercase();
    let last = host.rsplit('.').next().unwrap_or_default();
    ["example", "test", "invalid", "localhost"].contains(&last)
        || ["example.com", "example.net", "example.org"]
            .iter()
            .any(|name| {
                host.strip_suffix(name)
                    .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            })
}

/// Decodes base64, or returns `None` if the value is no base64.
fn decoded(value: &str) -> Option<String> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut kept) = (Vec::new(), 0_u32, 0_u32);
    for byte in value.trim_end_matches('=').bytes() {
        let digit = LETTERS.iter().position(|letter| *letter == byte)?;
        bits = (bits << 6 | u32::try_from(digit).ok()?) & 0xFFFF;
        kept += 6;
        if kept >= 8 {
            kept -= 8;
            bytes.push(u8::try_from(bits >> kept & 0xFF).ok()?);
        }
    }
    // Headers may be in Latin 1 as well.
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reports whether the text between the lines of a private key can be one.
fn has_key(value: &str) -> bool {
    value
        .bytes()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .count()
        >= KEY_LETTERS_MIN
}

fn cover(bytes: &mut [u8]) {
    for byte in bytes
        .iter_mut()
        // Line breaks stay, so that the lines of the text keep their numbers.
        .filter(|byte| !matches!(byte, b'\n' | b'\r'))
    {
        *byte = b'*';
    }
}

/// Reports whether a value is no word, no name and no placeholder.
fn looks_random(value: &str) -> bool {
    let lower = value.to_lowercase();
    let placeholders = [
        "example",
        "changeme",
        "change_me",
        "your",
        "placeholder",
        "dummy",
        "xxxx",
        "****",
        "....",
        "password",
        "secret",
        "redacted",
    ];
    // `${TOKEN}`, `<your key>`, `env::var(…)` and `/run/secrets/token` name a secret without
    // containing it.
    let is_reference = value.starts_with(['$', '<', '{', '%', '@', '/'])
        || value.contains("${")
        || value.contains("::")
        || value.contains('(');
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_mixed =
        has_digit && has_letter || value.bytes().any(|byte| b"!#%^&*+=/?~".contains(&byte));
    is_mixed
        && !is_reference
        && !placeholders.iter().any(|word| lower.contains(word))
        && entropy_hundredths(value) >= ENTROPY_HUNDREDTHS_MIN
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a few bits a letter"
)]
fn entropy_hundredths(value: &str) -> u32 {
    let mut counts = [0_u32; 256];
    value
        .bytes()
        .for_each(|byte| counts[usize::from(byte)] += 1);
    let all = value.len() as f64;
    let bits: f64 = counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / all)
        .map(|share| -share * share.log2())
        .sum();
    (bits * 100.0) as u32
}

/// Adds counts to counts.
pub fn add(to: &mut Masked, from: &Masked) {
    for (name, count) in from {
        *to.entry(name).or_default() += count;
    }
}

#[cfg(test)]
mod tests;
