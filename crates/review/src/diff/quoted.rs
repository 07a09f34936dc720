//! Names as git writes them in a diff: plain, or quoted the way C quotes a string.

/// Returns the name at the start of `text`, and the text after it. A plain name goes on to a tab or
/// to the end.
pub(super) fn name(text: &[u8]) -> (Vec<u8>, &[u8]) {
    if let Some(found) = text.strip_prefix(b"\"").and_then(unquoted) {
        return found;
    }
    // `diff -u` writes a tab and a date after the name. A name that contains a tab itself is
    // quoted.
    let end = memchr::memchr(b'\t', text).unwrap_or(text.len());
    (text[..end].to_vec(), &text[end..])
}

/// Returns the bytes up to the closing quote, and the text after it; `None` if it is never closed.
fn unquoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let (mut name, mut rest) = (Vec::new(), text);
    loop {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        match byte {
            b'"' => return Some((name, rest)),
            b'\\' => {
                let (byte, after) = escaped(rest)?;
                name.push(byte);
                rest = after;
            }
            _ => name.push(byte),
        }
    }
}

/// Returns the byte that an escape means.
fn escaped(text: &[u8]) -> Option<(u8, &[u8])> {
    let (&mark, rest) = text.split_first()?;
    let byte = match mark {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        // Git writes bytes outside of ASCII as three octal digits, such as `\303\274` for `ü`.
        b'0'..=b'3' => {
            let digits = text.get(..3)?;
            let value = digits.iter().try_fold(0_u32, |value, digit| {
                matches!(digit, b'0'..=b'7').then(|| value * 8 + u32::from(digit - b'0'))
            });
            return Some((u8::try_from(value?).ok()?, &text[3..]));
        }
        other => other,
    };
    Some((byte, rest))
}
