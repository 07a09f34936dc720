//! Annotations of GitHub: commands on lines of the log, which the service shows at
//! the lines of the change.

use super::{ShownScope, shown, words};
use crate::finding::{Anchor, Severity};
use crate::report::{Ending, Report, Reported};

/// Maximum number of bytes of one message.
const MESSAGE_BYTES_MAX: usize = 4_000;

/// Returns the report as workflow commands, one per line; the last lines say how much was judged.
pub fn render(report: &Report, which: ShownScope) -> String {
    let findings = shown(report, which).map(annotation);
    let failed = if report.ending() == Ending::Failed {
        "error"
    } else {
        "warning"
    };
    let open = words::open(report)
        .into_iter()
        .map(|line| command(failed, &[("title", "grounds: not judged")], &line));
    let told = [words::ending(report), words::judged(report)]
        .map(|line| command("notice", &[("title", "grounds")], &line));
    findings
        .chain(open)
        .chain(told)
        .map(|line| line + "\n")
        .collect()
}

fn annotation(reported: &Reported) -> String {
    let finding = &reported.finding;
    let kind = match finding.severity {
        Severity::Critical | Severity::Major => "error",
        Severity::Minor => "warning",
        Severity::Info => "notice",
    };
    let title = format!(
        "{} ({}, {})",
        words::source(reported),
        words::severity(finding.severity),
        words::quality(finding.quality)
    );
    let (start, end) = match finding.anchor {
        Anchor::Lines { start, end } => (start.to_string(), end.to_string()),
        Anchor::File => ("1".to_owned(), "1".to_owned()),
    };
    let message = if finding.message.is_empty() {
        finding.title.clone()
    } else {
        format!("{}\n{}", finding.title, finding.message)
    };
    let properties = [
        ("file", finding.path.as_str()),
        ("line", &start),
        ("endLine", &end),
        ("title", &title),
    ];
    command(kind, &properties, &words::cut(&message, MESSAGE_BYTES_MAX))
}

/// Returns a command such as `::error file=a.rs,line=1::text`. Characters that could end a part of
/// it are escaped.
fn command(kind: &str, properties: &[(&str, &str)], message: &str) -> String {
    let properties: Vec<String> = properties
        .iter()
        .map(|(name, value)| format!("{name}={}", property(value)))
        .collect();
    format!("::{kind} {}::{}", properties.join(","), data(message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
