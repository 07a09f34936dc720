//! Removes secrets from texts: what is kept of a run outlives the terminal that showed it.
//!
//! The rules are those by which nothing secret is sent to a model. A build
//! without models has none of them, and keeps the texts as they are.

/// Returns a text with stars instead of secrets, and instead of the other forms in which a report
/// names what was searched.
#[cfg(feature = "model")]
pub(crate) fn text(text: &str) -> String {
    use grounds_model::redact::{self, Masked};
    let mut masked = redact::mask(text, &mut Masked::new());
    let values: std::collections::BTreeSet<&str> = redact::find_sure(text)
        .into_iter()
        .map(|secret| &text[secret.range])
        .collect();
    // A question with a key in it is searched for in other spellings too, and the report lists
    // these.
    for form in values
        .into_iter()
        .flat_map(grounds_evidence::name::spellings)
    {
        masked = masked.replace(&form, &"*".repeat(form.len()));
    }
    masked
}

/// Returns the text as it is.
#[cfg(not(feature = "model"))]
pub(crate) fn text(text: &str) -> String {
    text.to_owned()
}

/// Returns a JSON text with stars instead of secrets. A star within an escape would break the JSON:
/// then each string is masked by itself.
pub(crate) fn json(report: &str) -> String {
    let masked = text(report);
    if masked == report || serde_json::from_str::<serde::de::IgnoredAny>(&masked).is_ok() {
        return masked;
    }
    serde_json::from_str(report)
        .map(in_strings)
        .map_or(masked, |value| value.to_string())
}

fn in_strings(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value as V;
    match value {
        V::String(string) => V::String(text(&string)),
        V::Array(items) => V::Array(items.into_iter().map(in_strings).collect()),
        V::Object(fields) => fields
            .into_iter()
            .map(|(key, value)| (key, in_strings(value)))
            .collect(),
        V::Null | V::Bool(_) | V::Number(_) => value,
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
