//! The names of a type's fields in the order of its definition. A schema and a JSON object have
//! them in alphabetical order.

use serde::Deserialize;
use serde::de::value::Error;
use serde::de::{Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;

/// Returns the fields of a type.
pub(super) fn of<T: for<'de> Deserialize<'de>>() -> &'static [&'static str] {
    let mut seen: &'static [&'static str] = &[];
    let _ = T::deserialize(FieldProbe(&mut seen));
    seen
}

/// A source that is empty, and keeps what it is asked for.
struct FieldProbe<'s>(&'s mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldProbe<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("only fields are asked for"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        *self.0 = fields;
        Err(Error::custom("only fields are asked for"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
