//! Markdown for a comment on a pull request. Text of the repository and of a model is escaped: no
//! mention, link or HTML in it has an effect.

use std::fmt::Write as _;

use super::{ShownScope, owners, shown, words};
use crate::finding::{Anchor, Finding, Producer};
use crate::report::{BaselineState, Ending, Report, Reported};
use crate::rules::SuppressedBy;

/// Maximum number of bytes of a comment; services refuse longer ones.
const COMMENT_BYTES_MAX: usize = 60_000;
/// Maximum number of bytes of one quote.
const QUOTE_BYTES_MAX: usize = 1_200;
/// Maximum number of bytes of one message.
const MESSAGE_BYTES_MAX: usize = 2_000;
/// The mark of our comment, by which the next run finds and replaces it.
pub const MARK: &str = "<!-- grounds-review -->";

/// Returns the report as Markdown.
pub fn render(report: &Report, which: ShownScope) -> String {
    let mut page = format!("{MARK}\n### grounds review: {}\n\n", title(report));
    // The first two lines say how the review ended and how much was judged; the others are in the
    // folded part.
    for line in words::told(report).iter().take(2) {
        let _ = writeln!(page, "{}", escaped(line));
    }
    for line in owners::owners(report) {
        let _ = writeln!(page, "\n{}", escaped(&line));
    }
    let tail = tail(report);
    let (mut left_out, room) = (
        0,
        // The folded part has at most half of the comment.
        COMMENT_BYTES_MAX.saturating_sub(page.len() + tail.len().min(COMMENT_BYTES_MAX / 2)),
    );
    let mut findings = String::new();
    for reported in shown(report, which) {
        let text = finding(reported);
        if findings.len() + text.len() > room {
            left_out += 1;
        } else {
            findings.push_str(&text);
        }
    }
    if left_out > 0 {
        let _ = writeln!(
            findings,
            "\n{} more did not fit into a comment of {COMMENT_BYTES_MAX} bytes.",
            words::counted(left_out, "finding")
        );
    }
    page + &findings + &words::cut(&tail, COMMENT_BYTES_MAX / 2)
}

fn title(report: &Report) -> &'static str {
    match report.ending() {
        Ending::Failed => "failed",
        Ending::Blocks => "the gate blocks",
        Ending::Passes => "nothing blocks",
    }
}

/// Returns one finding as Markdown.
pub(crate) fn finding(reported: &Reported) -> String {
    let Finding {
        title,
        message,
        quote,
        severity,
        quality,
        producers,
        ..
    } = &reported.finding;
    let known = match &reported.baseline {
        BaselineState::New => String::new(),
        BaselineState::Unchanged => " · known".to_owned(),
        BaselineState::Dismissed { reason } => format!(" · dismissed: {}", escaped(reason)),
    };
    let by = producers
        .iter()
        .map(|by| escaped(&producer(by)))
        .collect::<Vec<_>>()
        .join(", ");
    let mut text = format!(
        "\n**{}** {} — {}\n",
        words::severity(*severity),
        code(&place(&reported.finding)),
        escaped(title)
    );
    let _ = writeln!(
        text,
        "<sub>{} · {}{known}</sub>\n",
        by,
        words::quality(*quality)
    );
    if let Some(quote) = quote {
        let _ = writeln!(text, "{}", fenced(&words::cut(quote, QUOTE_BYTES_MAX)));
    }
    if !message.is_empty() {
        let _ = writeln!(text, "{}", escaped(&words::cut(message, MESSAGE_BYTES_MAX)));
    }
    reported.notes.iter().for_each(|note| {
        let _ = writeln!(text, "- {}", escaped(note));
    });
    text
}

/// Returns the folded part: what is open, and what is not a finding.
fn tail(report: &Report) -> String {
    let suppressed = report.suppressed.iter().map(|suppressed| {
        let reason = suppressed.reason.as_deref().unwrap_or("no reason is given");
        let by = match suppressed.by {
            SuppressedBy::Comment { is_new: true, .. } => "a comment of this change",
            SuppressedBy::Comment { is_new: false, .. } => "a comment",
            SuppressedBy::Configuration => "the configuration",
        };
        format!(
            "{} {} — by {by}: {}",
            code(&place(&suppressed.finding)),
            escaped(&suppressed.finding.title),
            escaped(reason)
        )
    });
    let gap = report.gap.iter().map(|gap| {
        format!(
            "{} ({}): {}",
            code(&gap.name),
            code(&gap.used_at),
            escaped(&gap.why)
        )
    });
    let resolved = report
        .resolved
        .iter()
        .map(|gone| format!("{} {}", code(&gone.path), escaped(&gone.title)));
    let parts: [(&str, Vec<String>); 5] = [
        (
            "Not judged",
            words::open(report)
                .iter()
                .map(|line| escaped(line))
                .collect(),
        ),
        ("Suppressed", suppressed.collect()),
        ("Resolved since the last review", resolved.collect()),
        (
            "Names that could not be shown to the model; that is not evidence that they do not exist",
            gap.collect(),
        ),
        (
            "Notes",
            report.notes.iter().map(|note| escaped(note)).collect(),
        ),
    ];
    let mut tail = String::new();
    for (head, lines) in parts.iter().filter(|(_, lines)| !lines.is_empty()) {
        let _ = writeln!(
            tail,
            "\n<details><summary>{head} ({})</summary>\n",
            lines.len()
        );
        lines.iter().for_each(|line| {
            let _ = writeln!(tail, "- {line}");
        });
        let _ = writeln!(tail, "\n</details>");
    }
    tail
}

fn place(finding: &Finding) -> String {
    match finding.anchor {
        Anchor::Lines { start, end } if start == end => format!("{}:{start}", finding.path),
        Anchor::Lines { start, end } => format!("{}:{start}-{end}", finding.path),
        Anchor::File => finding.path.clone(),
    }
}

/// Returns the name of a producer.
pub(crate) fn producer(producer: &Producer) -> String {
    match producer {
        Producer::Rule(rule) => format!("rule {rule}"),
        Producer::Model(model) => format!("model {model}"),
        Producer::FollowUp(model) => format!("follow-up of {model}"),
        Producer::Tool(tool) => format!("tool {tool}"),
    }
}

/// Returns a text on one line in which nothing is Markdown, HTML, a mention or a reference.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match letter {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            // As an entity, the character does not make a link to a person or an issue.
            '@' => shown.push_str("&#64;"),
            '#' => shown.push_str("&#35;"),
            '\n' | '\r' => shown.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '|' | '!' => shown.extend(['\\', letter]),
            // Services turn a bare `http://…` into a link.
            ':' => shown.push_str("&#58;"),
            _ => shown.push(letter),
        }
    }
    shown
}

/// Returns a text as code in a line.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    // Markdown ends code at a run of backquotes of the same length, so ours is longer than any in
    // the text.
    let ticks = "`".repeat(longest_run(&text) + 1);
    let room = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{ticks}{room}{text}{room}{ticks}")
}

/// Returns lines as a suggestion that a service offers to apply.
pub(crate) fn suggestion(lines: &str) -> String {
    let fence = "`".repeat(longest_run(lines).max(2) + 1);
    format!("\n{fence}suggestion\n{lines}\n{fence}\n")
}

/// Returns a text as a block of code that its own backquotes cannot end.
fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}\n{}\n{fence}", text.trim_end())
}

/// Returns the length of the longest run of backquotes.
fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`')
        .map(str::len)
        .max()
        .unwrap_or(0)
}
