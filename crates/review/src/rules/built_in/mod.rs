//! The rules of the program: one file of YAML each, with its cases beside it in
//! `NAME-test.yml`, and one line below.

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
    "conflict-marker",
    "debug-leftover",
    "error-ignored",
    "invisible-characters",
    "lock-held-across-await",
    "print-leftover",
    "promise-dangling",
    "review-settings-changed",
    "secret-in-text",
    "shell-from-strings",
    "slice-off-by-one",
    "sql-from-strings",
    "suppression-without-reason",
    "test-deleted",
    "test-skipped",
    "tls-check-disabled",
];
