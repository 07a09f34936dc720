//! Which findings of built-in rules are notes: those that were wrong more often than right on
//! commits that people merged. One table; a finding that matches a row is reported as info, below
//! the default gate.

use grounds_evidence::FileRole;

use crate::finding::Severity;

/// Languages in which a wrong value can reach memory.
pub(crate) const REACHES_MEMORY: [&str; 3] = ["C", "C++", "Objective-C"];

/// A row: findings that were measured to be mostly wrong, and where.
struct Note {
    rule: &'static str,
    /// A part of the message that identifies a kind of finding; empty for the whole rule.
    kind: &'static str,
    /// The role of the file.
    has_role: fn(FileRole) -> bool,
    /// The language of the file.
    has_language: fn(&str) -> bool,
}

/// The figures of each row are in `docs/review.md`.
const NOTES: &[Note] = &[
    // Outside of these languages, one of 27 findings on merged commits was right: a removed check
    // is mostly replaced by another protection.
    Note {
        rule: "check-removed",
        kind: "",
        has_role: |_| true,
        has_language: |language| !REACHES_MEMORY.contains(&language),
    },
    // A key that is made for a test or an example is published with it. A token of a service is
    // always made by the service, so it is not among these.
    Note {
        rule: "secret-in-text",
        kind: "`private-key`",
        has_role: is_for_show,
        has_language: |_| true,
    },
];

/// Rules, with the number of findings past which a change is a rewrite that does on purpose what
/// the rule is about.
const REWRITES: &[(&str, usize)] = &[("check-removed", 3)];

/// Returns how many findings of a rule one change may have at the gate; `None` if there is no
/// limit.
pub(crate) fn most_in_change(rule: &str) -> Option<usize> {
    let row = REWRITES.iter().find(|(name, _)| *name == rule);
    row.map(|(_, most)| *most)
}

const fn is_for_show(role: FileRole) -> bool {
    matches!(
        role,
        FileRole::Test | FileRole::Fixture | FileRole::Example | FileRole::Documentation
    )
}

/// Returns the severity of a finding whose rule and file are in the table; `None` if that of the
/// rule holds.
pub(crate) fn severity(
    rule: &str,
    message: &str,
    role: FileRole,
    language: &str,
) -> Option<Severity> {
    let is_note = |note: &&Note| {
        note.rule == rule
            && message.contains(note.kind)
            && (note.has_role)(role)
            && (note.has_language)(language)
    };
    NOTES.iter().find(is_note).map(|_| Severity::Info)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_mostly_wrong_is_a_note() {
        let of = |rule: &str, message: &str, role: FileRole, language: &str| {
            severity(rule, message, role, language) == Some(Severity::Info)
        };
        let key = "a secret of the kind `private-key`";
        assert!(of(
            "check-removed",
            "the check `a` is gone",
            FileRole::Source,
            "Go"
        ));
        assert!(!of(
            "check-removed",
            "the check `a` is gone",
            FileRole::Source,
            "C"
        ));
        assert!(of("secret-in-text", key, FileRole::Test, "Go"));
        assert!(!of("secret-in-text", key, FileRole::Source, "Go"));
        assert!(!of(
            "secret-in-text",
            "a secret of the kind `github`",
            FileRole::Test,
            "Go"
        ));
        assert!(!of("test-skipped", "", FileRole::Test, "Go"));
    }

    #[test]
    fn every_row_names_a_rule() {
        let files = super::super::cases::built_in_files();
        for note in NOTES {
            let file = format!("{}.yml", note.rule);
            assert!(files.iter().any(|(name, _)| *name == file), "{file}");
        }
    }
}
