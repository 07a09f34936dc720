//! The kind of defect that a finding is about, by words that tools use for it. Two tools rarely use
//! the same words for one line, but they mean the same kind.

use crate::finding::Finding;

/// Kinds of defects, each with words of which the rule or the title of a finding about it contains
/// at least one. Words such as `b602` are numbers of rules.
const KINDS: &[(&str, &[&str])] = &[
    ("sql", &["sql"]),
    (
        "shell",
        &[
            "shell",
            "command line",
            "command-injection",
            "os.system",
            "subprocess",
            "b602",
            "b605",
            "s602",
            "s605",
        ],
    ),
    (
        "secret",
        &[
            "secret",
            "hardcoded",
            "hard-coded",
            "credential",
            "api key",
            "private key",
            "b105",
            "b106",
        ],
    ),
    (
        "tls",
        &[
            "tls",
            "ssl",
            "certificate",
            "verify=false",
            "rejectunauthorized",
            "insecureskipverify",
            "b501",
            "s501",
        ],
    ),
    (
        "deserialization",
        &[
            "deserial",
            "pickle",
            "yaml.load",
            "unmarshal of untrusted",
            "b301",
            "b506",
            "s301",
        ],
    ),
    (
        "evaluation",
        &["eval", "code injection", "exec used", "b307", "s307"],
    ),
    (
        "path",
        &[
            "path traversal",
            "directory traversal",
            "zip slip",
            "zip-slip",
        ],
    ),
    (
        "html",
        &["xss", "cross-site", "innerhtml", "dangerouslysetinnerhtml"],
    ),
    (
        "weak hash",
        &[
            "md5",
            "sha1",
            "weak hash",
            "weak cryptograph",
            "b303",
            "b324",
            "s324",
        ],
    ),
    (
        "swallowed error",
        &[
            "except: pass",
            "bare except",
            "empty catch",
            "error-ignored",
            "errcheck",
            "try-except-pass",
            "b110",
            "s110",
        ],
    ),
    ("debugger", &["debugger", "breakpoint"]),
];

/// Returns the kind of a finding, or `None` unless its words name exactly one.
pub(super) fn of(finding: &Finding) -> Option<&'static str> {
    let rule = finding.rule.as_deref().unwrap_or_default();
    let text = format!("{rule} {}", finding.title).to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let mut kinds = KINDS.iter().filter(|(_, words)| says(words));
    let (kind, _) = kinds.next()?;
    kinds.next().is_none().then_some(*kind)
}
