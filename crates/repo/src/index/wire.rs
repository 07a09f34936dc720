//! The wire format of protocol buffers: fields of a message, borrowed from its bytes. Nothing is
//! allocated, whatever lengths a message claims. Whatever does not fit is malformed.

/// The value of one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldValue<'a> {
    /// A number of variable length.
    Number(u64),
    /// A text, a message or packed numbers.
    Bytes(&'a [u8]),
    /// A number of fixed length: no field that is read here has one.
    Fixed,
}

/// The bytes form no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its bytes are no message of that format")]
pub(super) struct Malformed;

/// Bytes of a number of variable length.
const NUMBER_BYTES_MAX: usize = 10;

/// The fields of a message, in order.
#[derive(Clone, Copy, Debug)]
pub(super) struct WireFields<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for WireFields<'a> {
    type Item = Result<(u64, FieldValue<'a>), Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = field(&mut self.0);
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

fn field<'a>(bytes: &mut &'a [u8]) -> Result<(u64, FieldValue<'a>), Malformed> {
    let key = number(bytes)?;
    let value = match key & 7 {
        0 => FieldValue::Number(number(bytes)?),
        1 => take(bytes, 8).map(|_| FieldValue::Fixed)?,
        2 => {
            let length = number(bytes)?;
            FieldValue::Bytes(take(bytes, length)?)
        }
        5 => take(bytes, 4).map(|_| FieldValue::Fixed)?,
        // Groups have been out of use since before the format was written.
        _ => return Err(Malformed),
    };
    if key >> 3 == 0 {
        Err(Malformed)
    } else {
        Ok((key >> 3, value))
    }
}

/// Reads a number of variable length.
pub(super) fn number(bytes: &mut &[u8]) -> Result<u64, Malformed> {
    let mut number = 0_u64;
    for (place, byte) in bytes.iter().copied().enumerate().take(NUMBER_BYTES_MAX) {
        number |= u64::from(byte & 0x7f) << (7 * place).min(63);
        if byte & 0x80 == 0 {
            *bytes = &bytes[place + 1..];
            return Ok(number);
        }
    }
    Err(Malformed)
}

fn take<'a>(bytes: &mut &'a [u8], length: u64) -> Result<&'a [u8], Malformed> {
    let length = usize::try_from(length).map_err(|_| Malformed)?;
    let (taken, rest) = bytes.split_at_checked(length).ok_or(Malformed)?;
    *bytes = rest;
    Ok(taken)
}

/// Reads up to `N` packed numbers; more are malformed.
pub(super) fn packed<const N: usize>(mut bytes: &[u8]) -> Result<([u64; N], usize), Malformed> {
    let (mut numbers, mut count) = ([0; N], 0);
    while !bytes.is_empty() {
        *numbers.get_mut(count).ok_or(Malformed)? = number(&mut bytes)?;
        count += 1;
    }
    Ok((numbers, count))
}

/// Reads a text.
pub(super) fn text(bytes: &[u8]) -> Result<&str, Malformed> {
    std::str::from_utf8(bytes).map_err(|_| Malformed)
}
