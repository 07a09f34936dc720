//! Decides the character set of bytes: by the mark at their start, then by what the sender said,
//! then by what the page declares, then UTF-8 if it fits, then a guess. The order is that of
//! browsers, except that valid UTF-8 is never read as anything else by a guess.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Bytes within which a page may declare its character set.
const DECLARED_WITHIN_BYTES: usize = 4096;

/// Decodes bytes to text. Invalid bytes become U+FFFD.
#[must_use]
pub fn decoded(bytes: &[u8], sender: Option<&str>, is_html: bool) -> String {
    let encoding = marked(bytes)
        .or_else(|| {
            sender.and_then(|label| {
                Encoding::for_label(label.trim_matches(['"', '\'', ' ']).as_bytes())
            })
        })
        .or_else(|| declared(bytes, is_html))
        .unwrap_or_else(|| guessed(bytes));
    let encoding = trusted(encoding, bytes);
    encoding.decode(bytes).0.into_owned()
}

fn marked(bytes: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_bom(bytes).map(|(encoding, _)| encoding)
}

/// Corrects a label that must be wrong: UTF-8 for bytes that are not UTF-8, or a single-byte
/// encoding for bytes that are certainly UTF-8.
fn trusted(encoding: &'static Encoding, bytes: &[u8]) -> &'static Encoding {
    let is_utf_8 = std::str::from_utf8(bytes).is_ok();
    let has_letters_beyond_ascii = bytes.iter().any(|byte| *byte >= 0x80);
    if encoding == UTF_8 && !is_utf_8 && replaced_share_is_high(bytes) {
        guessed(bytes)
    } else if encoding == WINDOWS_1252 && is_utf_8 && has_letters_beyond_ascii {
        UTF_8
    } else {
        encoding
    }
}

/// Reports whether so many bytes are invalid UTF-8 that the label is wrong, and not a single
/// letter.
fn replaced_share_is_high(bytes: &[u8]) -> bool {
    let broken_count = bytes
        .utf8_chunks()
        .filter(|chunk| !chunk.invalid().is_empty())
        .count();
    let beyond_ascii_count = bytes.iter().filter(|byte| **byte >= 0x80).count();
    // In UTF-8 most bytes beyond ASCII are valid; in Latin 1 nearly each of them is invalid.
    broken_count * 3 > beyond_ascii_count
}

fn declared(bytes: &[u8], is_html: bool) -> Option<&'static Encoding> {
    let head = &bytes[..DECLARED_WITHIN_BYTES.min(bytes.len())];
    let head: String = head
        .iter()
        .map(|byte| char::from(*byte).to_ascii_lowercase())
        .collect();
    let after = |mark: &str| head.find(mark).map(|start| &head[start + mark.len()..]);
    let label = if is_html { after("charset=") } else { None }.or_else(|| {
        head.starts_with("<?xml")
            .then(|| after("encoding="))
            .flatten()
    })?;
    let label: String = label
        .trim_start_matches(['"', '\'', ' '])
        .chars()
        .take_while(|letter| is_of_label(*letter))
        .collect();
    let encoding = Encoding::for_label(label.as_bytes())?;
    // A page that can be read as ASCII up to this word is not in UTF-16, whatever it declares.
    Some(if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else {
        encoding
    })
}

fn is_of_label(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | ':' | '.')
}

fn guessed(bytes: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    // Valid UTF-8 has returned above, so that the guess can only be another encoding.
    detector.guess(None, chardetng::Utf8Detection::Deny)
}
