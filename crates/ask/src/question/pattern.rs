//! Patterns over words: `where @be * defined|declared ~`.
//!
//! A part is a word or several with `|` between them, where `@name` stands for
//! the words of a class (`classes.rs`); `word?` may be left out. `*` takes one
//! word or more, as few as fit, and captures them; `<name>` captures one word of a
//! kind; `~` takes any number of words without content; `...` takes any number of
//! whatever words, which are reported as skipped.

use super::classes;
use super::words::Word;

/// What a pattern took of the words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fit<'w> {
    /// The words in its holes.
    pub(crate) holes: Vec<&'w [Word]>,
    /// The words that it passed over.
    pub(crate) skipped: Vec<&'w [Word]>,
    /// Whether it was fitted to all words, with the part of the tree that they name.
    pub(crate) is_of_all: bool,
    /// All the words.
    pub(crate) words: &'w [Word],
}

impl<'w> Fit<'w> {
    /// One hole of all the words.
    pub(crate) fn of_hole(hole: &'w [Word], words: &'w [Word]) -> Self {
        Self {
            holes: vec![hole],
            words,
            ..Self::default()
        }
    }

    /// The words from the first hole on.
    pub(crate) fn first_hole_on(&self) -> Option<&'w [Word]> {
        let first = self.holes.first()?.first()?;
        let at = self
            .words
            .iter()
            .position(|word| std::ptr::eq(word, first))?;
        Some(&self.words[at..])
    }

    /// The word before some that were taken.
    pub(crate) fn before(&self, taken: &[Word]) -> Option<&'w Word> {
        let first = taken.first()?;
        let at = self
            .words
            .iter()
            .position(|word| std::ptr::eq(word, first))?;
        self.words.get(at.checked_sub(1)?)
    }
}

/// What the pattern took, if it fits all the words.
pub(crate) fn fit<'w>(pattern: &str, words: &'w [Word]) -> Option<Fit<'w>> {
    if !may_start(pattern, words) {
        return None;
    }
    let parts: Vec<&str> = pattern.split(' ').collect();
    let mut taken = Fit {
        words,
        ..Fit::default()
    };
    fit_parts(&parts, words, &mut taken).then_some(taken)
}

/// Whether the first part of a pattern allows the first word: most patterns end here, before anything is made for them.
fn may_start(pattern: &str, words: &[Word]) -> bool {
    let end = pattern
        .bytes()
        .position(|byte| byte == b' ')
        .unwrap_or(pattern.len());
    match &pattern[..end] {
        "*" | "..." | "~" => true,
        part if part.ends_with('?') || part.starts_with('<') => true,
        part => words.first().is_some_and(|word| is_one_of(part, word)),
    }
}

fn fit_parts<'w>(parts: &[&str], words: &'w [Word], taken: &mut Fit<'w>) -> bool {
    let Some((part, rest)) = parts.split_first() else {
        return words.is_empty();
    };
    match *part {
        "*" => fit_hole(rest, words, taken),
        "..." => fit_gap(rest, words, taken),
        "~" => (0..=words
            .iter()
            .take_while(|word| classes::is_filler(word))
            .count())
            .any(|count| fit_parts(rest, &words[count..], taken)),
        word => fit_word(word, rest, words, taken),
    }
}

fn fit_hole<'w>(rest: &[&str], words: &'w [Word], taken: &mut Fit<'w>) -> bool {
    let first = if rest.is_empty() {
        words.len().max(1)
    } else {
        1
    };
    (first..=words.len()).any(|count| {
        taken.holes.push(&words[..count]);
        let fits = fit_parts(rest, &words[count..], taken);
        if !fits {
            taken.holes.pop();
        }
        fits
    })
}

fn fit_gap<'w>(rest: &[&str], words: &'w [Word], taken: &mut Fit<'w>) -> bool {
    let first = if rest.is_empty() { words.len() } else { 0 };
    (first..=words.len()).any(|count| {
        taken.skipped.push(&words[..count]);
        let fits = fit_parts(rest, &words[count..], taken);
        if !fits {
            taken.skipped.pop();
        }
        fits
    })
}

fn fit_word<'w>(part: &str, rest: &[&str], words: &'w [Word], taken: &mut Fit<'w>) -> bool {
    let (part, optional) = part
        .strip_suffix('?')
        .map_or((part, false), |part| (part, true));
    let fits = words.split_first().is_some_and(|(first, after)| {
        let captures = part.starts_with('<');
        let is_it = if captures {
            classes::is_kind(part, first)
        } else {
            is_one_of(part, first)
        };
        if is_it && captures {
            taken.holes.push(&words[..1]);
        }
        let fits = is_it && fit_parts(rest, after, taken);
        if is_it && captures && !fits {
            taken.holes.pop();
        }
        fits
    });
    fits || (optional && fit_parts(rest, words, taken))
}

/// Whether the word is one of `a|b|@class`.
fn is_one_of(part: &str, word: &Word) -> bool {
    let is_it = |choice: &str| {
        choice
            .strip_prefix('@')
            .map_or(choice == word.lower, |class| {
                classes::of(class).contains(&word.lower.as_str())
            })
    };
    !word.quoted && part.split('|').any(is_it)
}
