//! A relative link claims that its target is a file or folder of the tree.

use super::claim_of;
use crate::claim::{TextClaim, ThingKind};
use crate::mention::{Mention, MentionContext};

pub(super) fn claims(mention: &Mention) -> Vec<TextClaim> {
    if mention.context != MentionContext::Link {
        return Vec::new();
    }
    let target = mention.text.split(['#', '?']).next().unwrap_or_default();
    // A scheme, a host, an alias, or a part that a template fills in.
    let is_elsewhere =
        target.contains(':') || target.starts_with("//") || target.contains(['{', '<', '$', '@']);
    if target.is_empty() || is_elsewhere {
        return Vec::new();
    }
    let mut claim = claim_of(mention, ThingKind::Link, target, 0);
    claim.name = decoded(target);
    vec![claim]
}

/// Returns a target with its percent codes decoded, or as it is if they do not decode to text.
fn decoded(target: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = target.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        // A name such as `100%.md` has a percent sign and no code.
        let code = after
            .get(..2)
            .and_then(|two| std::str::from_utf8(two).ok())
            .and_then(|two| u8::from_str_radix(two, 16).ok());
        match (first, code) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| target.to_owned())
}
