//! Secrets in what is sent are masked by value: the head that tells the kind
//! stays, and so do length and lines, so that places can still be cited. A value
//! that was found once is masked wherever it stands. What was masked is counted.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;
use regex::{Regex, RegexBuilder};

/// The rules as data: name, letters of the head that stay, the shape of the value.
const RULES: &str = include_str!("redact/rules.txt");
/// Bytes of a compiled rule: one with more takes longer to make than a question does.
const RULE_BYTES_MAX: usize = 3 << 19;
/// Letters of the shortest value that is also masked where no rule would find it.
const VALUE_LETTERS_MIN: usize = 8;
/// Different values of one text.
const VALUES_MAX: usize = 1_000;
/// Hundredths of bits a letter that a value of an assignment must have, so that words and
/// placeholders stay.
const ENTROPY_HUNDREDTHS_MIN: u32 = 300;

/// Secrets of whole files that are struck from pieces of them.
const HIDDEN_MAX: usize = 20_000;
/// Letters of the shortest piece of a key that is left out of names.
const WORD_LETTERS_MIN: usize = 5;
/// Letters that follow each other, after which a value was typed.
const ROW_LETTERS_MAX: usize = 7;
/// Letters of a piece that is repeated.
const PIECE_LETTERS_MAX: usize = 12;
/// Different letters that a value has which was made.
const DIFFERENT_LETTERS_MIN: usize = 6;
/// Letters and digits of the shortest private key.
const KEY_LETTERS_MIN: usize = 40;

/// What was masked: rule and how often.
pub type Masked = BTreeMap<&'static str, u64>;

struct SecretRule {
    name: &'static str,
    needles: Vec<&'static str>,
    head_letters: usize,
    is_guess: bool,
    shape: &'static str,
    /// Made at the first text that holds one of the needles: most texts hold none, and making all
    /// takes longer than reading a file.
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

/// One line: `name | needle, needle | letters of the head | regular expression`; the last group is
/// the value.
fn rule(line: &'static str) -> Option<SecretRule> {
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

/// The text without secrets; what was masked is added to the counts.
pub fn mask(text: &str, masked: &mut Masked) -> String {
    let places = find(text, masked);
    if places.is_empty() {
        return text.to_owned();
    }
    let mut bytes = text.as_bytes().to_vec();
    for place in &places {
        cover(&mut bytes[place.start..place.end]);
    }
    // A guess may have covered the head that tells the kind.
    for place in &places {
        let head = place.start..place.end.min(place.start + place.head_letters);
        bytes[head.clone()].copy_from_slice(&text.as_bytes()[head]);
    }
    // Places begin and end with whole letters, and a star stays a star where they overlap: the text
    // stays UTF-8.
    String::from_utf8(bytes).unwrap_or_default()
}

/// The secrets of whole files, to be struck from pieces of them: of a key that begins before a
/// piece, no shape tells any more.
#[derive(Clone, Debug, Default)]
pub struct Hidden {
    values: BTreeSet<String>,
    words: BTreeSet<String>,
}

impl Hidden {
    /// Takes the secrets of a text; what they are and where they stand.
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
            let from = (start + head_letters).min(end);
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

    /// One line of a secret; of a key its words as well, since names are cut out of texts.
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

    /// The text with every known secret masked; lengths and lines stay.
    pub fn strike(&self, text: &str) -> String {
        let mut struck = text.to_owned();
        for value in self.values.iter().filter(|value| text.contains(*value)) {
            struck = struck.replace(value.as_str(), &"*".repeat(value.len()));
        }
        struck
    }

    /// Whether a name is a piece of a known secret.
    pub fn covers(&self, name: &str) -> bool {
        name.len() >= WORD_LETTERS_MIN
            && (self.words.contains(name) || self.values.iter().any(|value| value.contains(name)))
    }
}

/// The secrets of a text that are surely some: no rule that guesses is asked, and no word, name or
/// placeholder counts.
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
    found.dedup_by(|secret, kept| secret.range.start < kept.range.end);
    found
}

/// The needles of all rules, in their order, looked for in one pass; `None` asks every rule.
static NEEDLES: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let needles = ALL.iter().flat_map(|rule| &rule.needles);
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(needles)
        .ok()
});

/// The rules of which a text holds a needle.
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
        // All are taken, so that the next rule begins with its own.
        of_rule.filter(|is| *is).count() > 0
    })
}

/// Where secrets stand: what a rule finds, and the same value elsewhere.
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
            if values.len() < VALUES_MAX && !values.contains_key(group.as_str()) {
                values.insert(group.as_str(), (rule.head_letters, rule.name));
                *masked.entry(rule.name).or_default() += 1;
            }
        }
    }
    for (value, (head_letters, rule)) in values
        .into_iter()
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

/// Whether a value was typed and not made: a row of neighbours on the keyboard of digits or in the
/// alphabet, one piece again and again, or hardly any different letters.
fn is_made_up(value: &str) -> bool {
    let bytes: Vec<u8> = value
        .bytes()
        .filter(u8::is_ascii_alphanumeric)
        .map(|byte| byte.to_ascii_lowercase())
        .collect();
    if bytes.is_empty() {
        return true;
    }
    let follows = |pair: &[u8]| pair[1] == pair[0] + 1 || pair == b"90";
    let mut run = 1;
    let has_row = bytes.windows(2).any(|pair| {
        run = if follows(pair) { run + 1 } else { 1 };
        run >= ROW_LETTERS_MAX
    });
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

/// Whether the words of a header, `user:password` in base64, are words or a placeholder: tests are
/// full of them.
fn holds_words(rule: &str, value: &str) -> bool {
    let decoded = (rule == "authorization-header")
        .then(|| decoded(value))
        .flatten();
    decoded
        .as_deref()
        .and_then(|text| text.split_once(':'))
        .is_some_and(|(_, password)| !looks_random(password))
}

/// Whether a host follows a value, and is one of those that are kept for examples and tests (RFC 2606 and 6761).
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

/// The text of base64, where it is one.
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
    // Headers are in latin 1 as well.
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether what stands between the lines of a private key can be one.
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
        .filter(|byte| !matches!(byte, b'\n' | b'\r'))
    {
        *byte = b'*';
    }
}

/// Whether a value is no word, no name and no placeholder.
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
