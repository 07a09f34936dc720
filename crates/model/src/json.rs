//! Parses JSON from outside strictly: a key that occurs twice, a number that is invalid, nesting
//! beyond the parser's limit and bytes that are no UTF-8 are errors.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Why bytes are no usable JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JsonFault {
    /// It is empty.
    #[error("it is empty")]
    Empty,
    /// It ends in the middle.
    #[error("it ends too early")]
    CutShort,
    /// A key occurs twice in one object.
    #[error("a key occurs twice in one object")]
    KeyTwice,
    /// It is not JSON, or nested too deeply.
    #[error("it is not JSON")]
    Syntax,
}

/// The message by which our own error is recognised after it passed through the parser.
const KEY_TWICE: &str = "key twice";

/// Parses a value.
///
/// # Errors
/// [`JsonFault`] if it cannot be used.
pub fn parse(bytes: &[u8]) -> Result<Value, JsonFault> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(JsonFault::Empty);
    }
    let strict: Result<Strict, _> = serde_json::from_slice(bytes);
    strict
        .map(|strict| strict.0)
        .map_err(|error| match error.classify() {
            serde_json::error::Category::Eof => JsonFault::CutShort,
            // The parser appends the place of the error to the message.
            serde_json::error::Category::Data if error.to_string().starts_with(KEY_TWICE) => {
                JsonFault::KeyTwice
            }
            serde_json::error::Category::Data
            | serde_json::error::Category::Syntax
            | serde_json::error::Category::Io => JsonFault::Syntax,
        })
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonReader).map(Strict)
    }
}

struct JsonReader;

impl<'de> Visitor<'de> for JsonReader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Strict(value)) = items.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, Strict(value))) = entries.next_entry::<String, Strict>()? {
            // Readers differ on which of two values counts: a check of the one would not protect a
            // reader of the other.
            if map.insert(key, value).is_some() {
                return Err(A::Error::custom(KEY_TWICE));
            }
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_apart() {
        assert_eq!(parse(b" \n"), Err(JsonFault::Empty));
        assert_eq!(parse(b"{\"a\": [1, "), Err(JsonFault::CutShort));
        assert_eq!(
            parse(b"{\"a\": {\"b\": 1, \"b\": 2}}"),
            Err(JsonFault::KeyTwice)
        );
        for text in [
            &b"<html>"[..],
            b"{\"a\": NaN}",
            b"{} {}",
            b"\"\xff\"",
            b"{'a': 1}",
        ] {
            assert_eq!(
                parse(text),
                Err(JsonFault::Syntax),
                "{}",
                String::from_utf8_lossy(text)
            );
        }
        let deep = "[".repeat(100_000);
        assert_eq!(parse(deep.as_bytes()), Err(JsonFault::Syntax));
        assert_eq!(
            parse(b"{\"a\": [1, -2, 2.5, \"x\", null, true]}").expect("JSON")["a"][3],
            "x"
        );
    }
}
