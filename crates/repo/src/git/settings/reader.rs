//! Reads git's configuration format, byte by byte.
//!
//! Given the bytes of a file, returns its settings, or the number of the line that git would refuse
//! too.

use super::Setting;

/// The bytes of a file, with the position of the next byte.
pub(super) struct GitSettingsReader<'b> {
    bytes: &'b [u8],
    at: usize,
    line: usize,
    section: String,
    part: Option<Vec<u8>>,
}

impl<'b> GitSettingsReader<'b> {
    pub(super) fn of(bytes: &'b [u8]) -> Self {
        Self {
            // Git skips a byte order mark too.
            bytes: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
            at: 0,
            line: 1,
            section: String::new(),
            part: None,
        }
    }

    /// Returns all settings, or the number of the first line that is not a setting.
    pub(super) fn settings(mut self) -> Result<Vec<Setting>, usize> {
        let mut settings = Vec::new();
        while let Some(byte) = self.next() {
            match byte {
                byte if byte.is_ascii_whitespace() || byte == 0x0b => {}
                b'#' | b';' => self.skip_line(),
                b'[' => self.section()?,
                byte if byte.is_ascii_alphabetic() && !self.section.is_empty() => {
                    let setting = self.setting(byte)?;
                    settings.push(setting);
                }
                _ => return Err(self.line),
            }
        }
        Ok(settings)
    }

    /// Returns the next byte; a carriage return before a newline is skipped.
    fn next(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        if byte == b'\r' && self.bytes.get(self.at) == Some(&b'\n') {
            return self.next();
        }
        self.line += usize::from(byte == b'\n');
        Some(byte)
    }

    fn skip_line(&mut self) {
        while self.next().is_some_and(|byte| byte != b'\n') {}
    }

    /// Reads the rest of a section's head: `core]`, `remote "origin"]`, `branch.main]`.
    fn section(&mut self) -> Result<(), usize> {
        (self.section, self.part) = (String::new(), None);
        loop {
            match self.next().ok_or(self.line)? {
                b']' => break,
                b' ' | b'\t' => return self.part(),
                byte if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.') => {
                    self.section.push(char::from(byte.to_ascii_lowercase()));
                }
                _ => return Err(self.line),
            }
        }
        let whole = std::mem::take(&mut self.section);
        // `[branch.main]` is the old form of `[branch "main"]`.
        let (section, part) = whole.split_once('.').unwrap_or((&whole, ""));
        self.section = section.to_owned();
        self.part = (!part.is_empty()).then(|| part.as_bytes().to_vec());
        Ok(())
    }

    /// Reads the part of a section, after a blank: `"origin"]`.
    fn part(&mut self) -> Result<(), usize> {
        let mut byte = self.next();
        while matches!(byte, Some(b' ' | b'\t')) {
            byte = self.next();
        }
        let mut part = Vec::new();
        let mut next = || self.next().filter(|byte| *byte != b'\n');
        if byte != Some(b'"') {
            return Err(self.line);
        }
        loop {
            match next() {
                Some(b'"') => break,
                // Unlike in a value, any byte may follow here and means itself: `\t` is `t`.
                Some(b'\\') => part.extend(next()),
                Some(byte) => part.push(byte),
                None => return Err(self.line),
            }
        }
        self.part = Some(part);
        match self.next() {
            Some(b']') => Ok(()),
            _ => Err(self.line),
        }
    }

    /// Reads a setting such as `url = https://…`, of which the first letter was read.
    fn setting(&mut self, first: u8) -> Result<Setting, usize> {
        let mut key = vec![first];
        let mut byte = self.next();
        while let Some(letter) = byte.filter(|byte| byte.is_ascii_alphanumeric() || *byte == b'-') {
            key.push(letter);
            byte = self.next();
        }
        while matches!(byte, Some(b' ' | b'\t')) {
            byte = self.next();
        }
        let value = match byte {
            None | Some(b'\n') => None,
            Some(b'=') => Some(self.value()?),
            // After a key without a value git accepts nothing more on the line, not even a comment.
            Some(_) => return Err(self.line),
        };
        Ok(Setting {
            section: self.section.clone(),
            part: self.part.clone(),
            key: String::from_utf8_lossy(&key).to_ascii_lowercase(),
            value,
        })
    }

    /// Reads a value up to the end of its line, and removes quotes, escapes and comments.
    fn value(&mut self) -> Result<Vec<u8>, usize> {
        let (mut value, mut length, mut is_quoted) = (Vec::new(), 0, false);
        loop {
            let Some(byte) = self.next() else {
                if is_quoted {
                    return Err(self.line);
                }
                break;
            };
            match byte {
                b'\n' if is_quoted => return Err(self.line),
                b'\n' => break,
                b'#' | b';' if !is_quoted => {
                    self.skip_line();
                    break;
                }
                b' ' | b'\t' if !is_quoted => {
                    // Blanks before and after a value are no part of it.
                    if !value.is_empty() {
                        value.push(byte);
                    }
                    continue;
                }
                b'"' => {
                    is_quoted = !is_quoted;
                }
                b'\\' => value.extend(self.escaped()?),
                byte => value.push(byte),
            }
            length = value.len();
        }
        value.truncate(length);
        Ok(value)
    }

    /// Returns the byte that an escape means; `None` if the line goes on.
    fn escaped(&mut self) -> Result<Option<u8>, usize> {
        match self.next() {
            Some(b'\n') => Ok(None),
            Some(b't') => Ok(Some(b'\t')),
            Some(b'n') => Ok(Some(b'\n')),
            Some(b'b') => Ok(Some(8)),
            Some(byte @ (b'"' | b'\\')) => Ok(Some(byte)),
            _ => Err(self.line),
        }
    }
}
