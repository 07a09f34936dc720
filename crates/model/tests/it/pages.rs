//! Pages of cases: a heading, prose, answers of the server in fences of `http`,
//! options in a fence of `ask`, and what came of it in a fence of `text`.

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::server::Answer;

/// A case of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Case {
    pub(crate) title: String,
    pub(crate) options: Vec<(String, String)>,
    pub(crate) answers: Vec<Answer>,
    pub(crate) expected: String,
    /// The page up to the expectation.
    before: String,
}

impl Case {
    pub(crate) fn option(&self, name: &str) -> Option<&str> {
        self.options
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }
}

/// Reads a page, runs its cases, and compares; `UPDATE_SUITE=1` rewrites what was expected.
pub(crate) fn check(page: &str, run: &dyn Fn(&Case) -> String) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/protocol")
        .join(page);
    let text = std::fs::read_to_string(&path).expect("the page");
    let (cases, after) = cases(&text);
    let (mut written, mut wrong) = (String::new(), String::new());
    for case in &cases {
        let came = run(case);
        write!(written, "{}```text\n{came}```\n", case.before).expect("a string");
        if came != case.expected {
            writeln!(
                wrong,
                "{page}: {}\n--- expected\n{}--- came\n{came}",
                case.title, case.expected
            )
            .expect("a string");
        }
    }
    if std::env::var_os("UPDATE_SUITE").is_some() {
        std::fs::write(&path, written + &after).expect("the page is written");
    } else {
        assert!(
            wrong.is_empty(),
            "{wrong}\nUPDATE_SUITE=1 rewrites the page; read it before you commit it"
        );
    }
}

fn cases(text: &str) -> (Vec<Case>, String) {
    let (mut cases, mut case, mut fence): (Vec<Case>, Case, Option<(String, String)>) =
        (Vec::new(), Case::default(), None);
    for line in text.lines() {
        match &mut fence {
            None if line.starts_with("```") => fence = Some((line[3..].to_owned(), String::new())),
            None => {
                if let Some(title) = line.strip_prefix("## ") {
                    case.title = title.to_owned();
                }
                case.before += &format!("{line}\n");
            }
            Some((kind, inside)) if line == "```" => {
                match kind.as_str() {
                    "http" => case.answers.push(answer(inside)),
                    "ask" => {
                        case.options = inside
                            .lines()
                            .filter_map(|line| line.split_once(": "))
                            .map(own)
                            .collect()
                    }
                    _ => {}
                }
                if kind == "text" {
                    case.expected = std::mem::take(inside);
                    cases.push(std::mem::take(&mut case));
                } else {
                    case.before += &format!("```{kind}\n{inside}```\n");
                }
                fence = None;
            }
            Some((_, inside)) => *inside += &format!("{line}\n"),
        }
    }
    (cases, case.before)
}

fn own((name, value): (&str, &str)) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// `STATUS`, headers, an empty line, the body; `manner` is not sent but followed. `\xNN` in a body
/// is a byte.
fn answer(text: &str) -> Answer {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let status = lines
        .next()
        .and_then(|line| line.trim().parse().ok())
        .unwrap_or(200);
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(own)
        .collect();
    let manner = headers
        .iter()
        .find(|(name, _)| name == "manner")
        .map(|(_, value)| value.clone())
        .unwrap_or_default();
    let headers = headers
        .into_iter()
        .filter(|(name, _)| name != "manner")
        .collect();
    Answer {
        status,
        headers,
        body: bytes(body.trim_end()),
        manner,
    }
}

fn bytes(body: &str) -> Vec<u8> {
    let mut pieces = body.split("\\x");
    let mut bytes = pieces
        .next()
        .unwrap_or_default()
        .replace("%DEEP%", &"[".repeat(50_000))
        .into_bytes();
    for piece in pieces {
        match piece
            .get(..2)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok())
        {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend_from_slice(&piece.as_bytes()[2..]);
            }
            None => bytes.extend_from_slice(piece.as_bytes()),
        }
    }
    bytes
}
