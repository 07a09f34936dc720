//! The XML of Checkstyle, which many analyzers write.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::{Other, Others, reports};

/// Reads a report; `None` if it is not XML of Checkstyle.
///
/// # Errors
/// What is wrong with a report that is.
pub(super) fn read(text: &str) -> Option<Result<Others, String>> {
    let begins = text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<');
    (begins && text.contains("<checkstyle")).then(|| findings(text))
}

fn findings(text: &str) -> Result<Others, String> {
    let mut reader = Reader::from_str(text);
    let (mut others, mut path, mut is_whole) = (Others::default(), String::new(), false);
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(tag) | Event::Empty(tag) => match tag.name().as_ref() {
                "file" => path = attribute(&tag, "name").unwrap_or_default(),
                "error" => others.findings.push(finding(&tag, &path)),
                "exception" => {
                    others.failed = Some(format!("the analyzer could not read `{path}`"));
                }
                _ => {}
            },
            Event::End(tag) => is_whole |= tag.name().as_ref() == "checkstyle",
            Event::Eof => break,
            // Declarations of entities are ignored: one could read a file or grow without limit.
            _ => {}
        }
    }
    // A report without findings can be a single element, `<checkstyle/>`, which has no end tag.
    if !is_whole && !text.trim_end().ends_with("/>") {
        others.failed = Some("it ends before its last element".to_owned());
    }
    Ok(others)
}

fn finding(tag: &BytesStart<'_>, path: &str) -> Other {
    let line = attribute(tag, "line").and_then(|line| line.parse::<u32>().ok());
    let (tool, rule) = producer(attribute(tag, "source"));
    Other {
        tool,
        is_of_analyzer: true,
        rule,
        path: path.to_owned(),
        lines: line.filter(|line| *line > 0).map(|line| (line, line)),
        severity: reports::severity(&attribute(tag, "severity").unwrap_or_default()),
        message: attribute(tag, "message").unwrap_or_default(),
        quote: None,
    }
}

/// Returns the tool and the rule of a source: `eslint.rules.no-eval`, `shellcheck.SC2086`,
/// `com.puppycrawl.tools.checkstyle.checks.Name`.
fn producer(source: Option<String>) -> (String, Option<String>) {
    let unnamed = || "checkstyle".to_owned();
    let Some(source) = source else {
        return (unnamed(), None);
    };
    let parts: Vec<&str> = source.split('.').collect();
    let is_capital = |part: &&str| part.starts_with(|letter: char| letter.is_ascii_uppercase());
    // `Generic.PHP.ForbiddenFunctions.Found`: all standards of phpcs are one program, and its rules
    // often end alike.
    if parts.len() == 4 && parts.iter().all(is_capital) {
        return ("phpcs".to_owned(), Some(source));
    }
    let tool = match parts[0] {
        "" | "com" => unnamed(),
        tool => tool.to_owned(),
    };
    (tool, parts.last().map(|&rule| rule.to_owned()))
}

/// Returns the value of an attribute, with its escapes decoded.
fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.try_get_attribute(name).ok()??;
    let raw = found.value.into_owned();
    Some(
        quick_xml::escape::unescape(&raw)
            .map_or_else(|_| raw.clone(), std::borrow::Cow::into_owned),
    )
}
