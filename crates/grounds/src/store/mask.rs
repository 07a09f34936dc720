//! Texts without the secrets that stand in them: what is kept of a run outlives
//! the terminal that it was shown on.
//!
//! The rules are those by which nothing secret is sent to a model. A build
//! without models has none of them, and keeps the texts as they are.

use std::collections::BTreeSet;

use serde_json::Value;

/// A text with stars in the place of secrets.
#[cfg(feature = "model")]
pub(crate) fn text(text: &str) -> String {
    grounds_model::redact::mask(text, &mut grounds_model::redact::Masked::new())
}

/// The text as it is.
#[cfg(not(feature = "model"))]
pub(crate) fn text(text: &str) -> String {
    text.to_owned()
}

/// A JSON text with stars in the place of secrets, and of what is one in another spelling.
pub(crate) fn json(report: &str) -> String {
    let masked = text(report);
    if masked == report {
        return masked;
    }
    let Ok(value) = serde_json::from_str::<Value>(report) else {
        return masked;
    };
    let mut secrets = BTreeSet::new();
    find(&value, &mut secrets);
    in_strings(value, &secrets).to_string()
}

/// Letters and digits alone: a name in another spelling has the same ones.
fn folded(text: &str) -> String {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The strings that are secrets as a whole, folded.
fn find(value: &Value, secrets: &mut BTreeSet<String>) {
    match value {
        Value::String(string) if text(string) != *string && !string.contains(' ') => {
            secrets.insert(folded(string));
        }
        Value::Array(items) => items.iter().for_each(|item| find(item, secrets)),
        Value::Object(fields) => fields.values().for_each(|field| find(field, secrets)),
        _ => {}
    }
}

fn in_strings(value: Value, secrets: &BTreeSet<String>) -> Value {
    match value {
        Value::String(string) => {
            let masked = text(&string);
            let is_spelled_otherwise = masked == string && secrets.contains(&folded(&string));
            Value::String(if is_spelled_otherwise {
                "****".to_owned()
            } else {
                masked
            })
        }
        Value::Array(items) => items
            .into_iter()
            .map(|item| in_strings(item, secrets))
            .collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(key, value)| (key, in_strings(value, secrets)))
            .collect(),
        value => value,
    }
}

#[cfg(all(test, feature = "model"))]
mod tests {
    use super::json;

    #[test]
    fn what_is_masked_stays_json() {
        for secret in [
            "ghp_abcdefABCDEF0123456789abcdefABCDEF0123",
            "AKIAQ3EGRTZ7XKPLM2WN",
        ] {
            let report =
                serde_json::json!({"text": format!("a\n\"{secret}\"\n"), "more": [secret]});
            let kept = json(&report.to_string());
            assert!(!kept.contains(secret), "{kept}");
            let kept: serde_json::Value = serde_json::from_str(&kept).expect("JSON");
            assert!(kept["text"].is_string());
        }
    }
}
