//! Words of a text as numbers, so that texts are compared by what they say and not
//! by case, spacing or marks.

use std::hash::{DefaultHasher, Hasher};

/// The words of a text, in order, each as a number. A letter of a script without spaces is a word.
pub(super) fn words(text: &str) -> Vec<u64> {
    let mut words = Vec::new();
    let mut word = DefaultHasher::new();
    let mut is_open = false;
    for letter in text.chars() {
        let is_alone = is_of_a_script_without_spaces(letter);
        if is_open && (is_alone || !letter.is_alphanumeric()) {
            words.push(std::mem::take(&mut word).finish());
            is_open = false;
        }
        if letter.is_alphanumeric() {
            letter
                .to_lowercase()
                .for_each(|lower| word.write_u32(u32::from(lower)));
            is_open = true;
        }
        if is_alone {
            words.push(std::mem::take(&mut word).finish());
            is_open = false;
        }
    }
    if is_open {
        words.push(word.finish());
    }
    words
}

/// Han, kana, Thai, Lao, Khmer and Burmese are written without spaces.
const fn is_of_a_script_without_spaces(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// One number for a run of words.
pub(super) fn run(words: &[u64]) -> u64 {
    let mut hasher = DefaultHasher::new();
    words.iter().for_each(|word| hasher.write_u64(*word));
    hasher.finish()
}
