//! Reports as they were kept, read again: the fields that pages and rechecks look
//! at. What it is given: JSON that this program or an earlier one wrote. What it
//! returns: the same as values, or what does not fit. It guesses nothing: a
//! field that is not there is an error, since to leave it out would look as if
//! nothing had been found.

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
    let named: Named = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if named.schema != schema {
        return Err(format!(
            "its schema is `{}`, and this program reads `{schema}`",
            named.schema
        ));
    }
    serde_json::from_str(text).map_err(|error| error.to_string())
}
