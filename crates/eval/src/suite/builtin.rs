//! The suites that are part of the program.

/// Names and texts, in the order in which they run.
pub const BUILT_IN: &[(&str, &str)] = &[
    (
        "false-positives",
        include_str!("../../suites/false-positives.yaml"),
    ),
    (
        "capacity-review",
        include_str!("../../suites/capacity-review.yaml"),
    ),
    ("intents", include_str!("../../suites/intents.yaml")),
    ("hostile", include_str!("../../suites/hostile.yaml")),
    (
        "review-changes",
        include_str!("../../suites/review-changes.yaml"),
    ),
    (
        "verify-claims",
        include_str!("../../suites/verify-claims.yaml"),
    ),
];
