//! Words of a text as numbers, so that texts are compared by what they say, without regard to case,
//! spacing and marks.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// Returns the words of a text, in order, each as a number. A letter of a script without spaces is
/// a word.
pub(super) fn words(text: &str) -> Vec<u64> {
    // Most texts are ASCII, and most of the time goes into looking up letters in Unicode tables.
    if text.is_ascii() {
        words_of_ascii(text)
    } else if is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        words_of(text.chars())
    } else {
        words_of(text.nfkc())
    }
}

fn words_of_ascii(text: &str) -> Vec<u64> {
    let words = text.as_bytes().split(|byte| !byte.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words
        .map(|word| {
            let lower = word.iter().map(u8::to_ascii_lowercase);
            lower.fold(SEED, |number, byte| mixed(number, u64::from(byte)))
        })
        .collect()
}

fn words_of(letters: impl Iterator<Item = char>) -> Vec<u64> {
    let mut words = Vec::new();
    let (mut word, mut is_open) = (SEED, false);
    let letters = letters.filter(|letter| !is_ignorable(*letter));
    for letter in letters.map(plain) {
        let is_alone = is_of_a_script_without_spaces(letter);
        if is_open && (is_alone || !letter.is_alphanumeric()) {
            words.push(std::mem::replace(&mut word, SEED));
            is_open = false;
        }
        if letter.is_alphanumeric() {
            // The lower case of one letter may be several: `İ` becomes `i` and a combining dot.
            for lower in letter.to_lowercase() {
                word = mixed(word, u64::from(u32::from(lower)));
            }
            is_open = true;
        }
        if is_alone {
            words.push(std::mem::replace(&mut word, SEED));
            is_open = false;
        }
    }
    if is_open {
        words.push(word);
    }
    words
}

/// Initial value of a hash: digits of pi.
const SEED: u64 = 0x243f_6a88_85a3_08d3;
/// An odd factor that mixes bits well: more digits of pi.
const FACTOR: u64 = 0x1319_8a2e_0370_7345;

/// Adds one part to a hash by both halves of a product. It need not resist attacks: texts with
/// equal hashes are tied together, which copying a text achieves as well.
const fn mixed(number: u64, part: u64) -> u64 {
    let product = (number ^ part) as u128 * FACTOR as u128;
    #[expect(clippy::cast_possible_truncation, reason = "both halves are taken")]
    let (low, high) = (product as u64, (product >> 64) as u64);
    low ^ high.rotate_left(32) ^ number.rotate_left(7)
}

/// Reports whether a character is invisible: a copy with such characters between its letters is the
/// same text.
const fn is_ignorable(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns the Latin letter that a Cyrillic or Greek one looks like, else the letter itself. In a
/// text in such a script every word changes alike, and copies stay copies.
const fn plain(letter: char) -> char {
    match letter {
        'а' | 'α' => 'a',
        'в' | 'В' | 'Β' => 'b',
        'с' | 'С' => 'c',
        'ԁ' => 'd',
        'е' | 'Е' | 'Ε' => 'e',
        'һ' | 'Н' | 'Η' => 'h',
        'і' | 'І' | 'ι' | 'Ι' => 'i',
        'ј' | 'Ј' => 'j',
        'к' | 'К' | 'κ' | 'Κ' => 'k',
        'М' | 'Μ' => 'm',
        'Ν' => 'n',
        'о' | 'О' | 'ο' | 'Ο' => 'o',
        'р' | 'Р' | 'ρ' | 'Ρ' => 'p',
        'ѕ' | 'Ѕ' => 's',
        'Т' | 'Τ' => 't',
        'ν' => 'v',
        'ԝ' => 'w',
        'х' | 'Х' | 'χ' | 'Χ' => 'x',
        'у' | 'У' | 'γ' | 'Υ' => 'y',
        'Ζ' => 'z',
        'А' | 'Α' => 'A',
        letter => letter,
    }
}

/// Reports whether a letter is Han, kana, Thai, Lao, Khmer or Burmese, which are written without
/// spaces.
const fn is_of_a_script_without_spaces(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// Combines a run of words into one number.
pub(super) fn run(words: &[u64]) -> u64 {
    words.iter().copied().fold(SEED, mixed)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn letters_that_only_look_otherwise_are_the_same_words() {
        let plain = words("The access code office is safe");
        for disguised in [
            "The \u{0430}\u{0441}cess c\u{043e}d\u{0435} office is s\u{0430}fe",
            "The ac\u{200b}cess co\u{ad}de off\u{2060}ice is safe",
            "The access code o\u{fb03}ce is safe",
            "Ｔｈｅ ａｃｃｅｓｓ ｃｏｄｅ ｏｆｆｉｃｅ ｉｓ ｓａｆｅ",
        ] {
            assert_eq!(words(disguised), plain, "{disguised}");
        }
        assert_ne!(words("The access code office is sage"), plain);
        // A mark that is no letter sends a text the other ways.
        for mark in ["—", "…", "ﬁ"] {
            let longer = words(&format!("The access code office is safe {mark}"));
            assert_eq!(longer[..plain.len()], plain[..], "{mark}");
        }
    }
}
