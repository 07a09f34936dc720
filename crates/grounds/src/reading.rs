//! Reads kept reports again: the fields that pages and rechecks use. Takes JSON that this program
//! or an earlier version wrote, and returns values, or what does not fit. It guesses nothing: a
//! missing field is an error, since leaving it out would look as if nothing had been found.

pub mod ask;
#[cfg(feature = "fleet")]
pub mod check;
pub mod review;
pub mod verify;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Reads a report of this schema.
///
/// # Errors
/// What does not fit.
pub fn read<T: DeserializeOwned>(text: &str, schema: &str) -> Result<T, String> {
    #[derive(Deserialize)]
    struct Named {
        schema: String,
    }
    // The name is read first: of another schema every missing field would look like a broken
    // report.
    let named: Named = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if named.schema != schema {
        return Err(format!(
            "its schema is `{}`, and this program reads `{schema}`",
            named.schema
        ));
    }
    serde_json::from_str(text).map_err(|error| error.to_string())
}
