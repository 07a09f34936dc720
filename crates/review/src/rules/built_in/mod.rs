//! The built-in rules: one YAML file each, with its cases beside it in `NAME-test.yml`, and one
//! line below.

/// One rule of the program, by its name: its file and the file of its cases.
macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        /// Every rule file: name and text.
        pub(super) const FILES: &[(&str, &str)] = &[$((concat!($name, ".yml"), include_str!(concat!($name, ".yml")))),*];
        /// Every file of cases: name and text.
        pub(super) const CASES: &[(&str, &str)] = &[$((concat!($name, "-test.yml"), include_str!(concat!($name, "-test.yml")))),*];
    };
}

built_in![
    "callers-not-updated",
    "changelog-not-updated",
    "check-removed",
    "code-from-values",
    "comment-not-updated",
    "condition-always-same",
    "conflict-marker",
    "copy-without-bound",
    "debug-leftover",
    "defer-before-check",
    "document-not-updated",
    "error-ignored",
    "format-from-value",
    "guessable-secret",
    "html-from-values",
    "invisible-characters",
    "lock-held-across-await",
    "memory-misused",
    "new-code-unused",
    "nothing-used",
    "password-in-code",
    "print-leftover",
    "promise-before-merge",
    "promise-dangling",
    "request-value-as-place",
    "resource-not-closed",
    "review-settings-changed",
    "secret-in-text",
    "shell-from-strings",
    "slice-off-by-one",
    "sql-from-strings",
    "strings-compared-by-identity",
    "suppression-without-reason",
    "terminator-forgotten",
    "test-deleted",
    "test-skipped",
    "test-weakened",
    "tls-check-disabled",
    "unsafe-deserialization",
    "weak-cipher",
    "weak-hash-of-password",
];
