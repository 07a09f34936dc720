//! `CAPS_WITH_UNDERSCORES` claims an environment variable or a constant.

use super::{claim_of, shape};
use crate::claim::{TextClaim, ThingKind};
use crate::mention::{Mention, MentionContext};

pub(super) fn claims(mention: &Mention) -> Vec<TextClaim> {
    if mention.context == MentionContext::Link {
        return Vec::new();
    }
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let text = mention.text.as_str();
    text.split(|letter: char| !is_part(letter))
        .filter(|word| shape::is_capitals(word) && !shape::is_placeholder(word))
        .map(|word| {
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            claim_of(mention, ThingKind::Variable, word, at)
        })
        .collect()
}
