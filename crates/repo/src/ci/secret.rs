//! A token: it goes into one header of a request and nowhere else.

use std::fmt;

/// Bytes of a token.
const TOKEN_BYTES_MAX: usize = 4 << 10;

/// A token that no message, log or debug output shows.
#[derive(Clone, PartialEq, Eq)]
pub struct CiToken(String);

impl CiToken {
    /// Creates a token, or returns `None` if the text cannot be one, such as a text with blanks or
    /// line breaks.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_token = !text.is_empty()
            && text.len() <= TOKEN_BYTES_MAX
            && text.bytes().all(|byte| byte.is_ascii_graphic());
        is_token.then(|| Self(text.to_owned()))
    }

    /// Returns its text, for the header.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns a text of a service without the token in it.
    pub fn strike_from(&self, text: &str) -> String {
        text.replace(&self.0, "[token]")
    }
}

impl fmt::Debug for CiToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[token]")
    }
}
