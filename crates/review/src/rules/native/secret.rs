//! A secret in added text, by the patterns that also mask requests to a model.

use grounds_evidence::FileRole;

use super::Native;
use crate::rules::side::{RulePlace, ScannedLines, SideText};

/// See `built_in/secret-in-text.yml`.
#[derive(Debug)]
pub(super) struct SecretInText;

impl Native for SecretInText {
    fn name(&self) -> &'static str {
        "secret-in-text"
    }

    fn on_side(&self, side: &SideText, lines: &ScannedLines<'_>) -> Vec<RulePlace> {
        // A key in the tests of a vendored library was published by its authors, and nobody here
        // can revoke it.
        if side.role == FileRole::Vendored && is_of_tests(&side.path) {
            return Vec::new();
        }
        let found = grounds_model::redact::find_sure(&side.text);
        let place = |secret: grounds_model::redact::Secret| {
            let message = format!("a secret of the kind `{}`", secret.rule);
            RulePlace::at(side, secret.range, message)
        };
        found
            .into_iter()
            .map(place)
            .filter(|place| lines.touch(place.line_start, place.line_end))
            .collect()
    }
}

/// Reports whether a part of a path says that it is about tests.
fn is_of_tests(path: &str) -> bool {
    path.split(['/', '_', '-', '.'])
        .any(|word| matches!(word, "test" | "tests" | "testdata" | "spec" | "fixtures"))
}
