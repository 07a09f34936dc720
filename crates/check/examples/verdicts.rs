//! Prints the verdict of every claim of documents as JSON lines: `verdicts [--cache FOLDER]
//! [--history-ms MS] TREE FILE...`.
//!
//! With a cache folder, the history is read by its kept index, which is made there.
//! For measuring; `grounds check` is for people.

#![expect(
    clippy::print_stdout,
    reason = "the output is the product of this example"
)]

use std::path::Path;

use grounds_check::{CheckOptions, CheckedDocument, ClaimVerdict, Evidence, check};
use grounds_repo::checkout::Checkout;
use grounds_repo::history::HistoryReading;
use grounds_repo::limits::Limits;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let cache = match arguments.next_if(|argument| argument == "--cache") {
        Some(_) => arguments.next(),
        None => None,
    };
    let mut limits = Limits::default();
    let is_bound = arguments.next_if(|argument| argument == "--history-ms");
    if let Some(bound) = is_bound.and_then(|_| arguments.next()) {
        limits.history_ms_max = bound.parse()?;
    }
    let tree = arguments.next().ok_or("no tree is named")?;
    let documents: Vec<CheckedDocument> = arguments
        .map(|name| {
            let text = std::fs::read(Path::new(&tree).join(&name)).unwrap_or_default();
            CheckedDocument::new(&name, &String::from_utf8_lossy(&text))
        })
        .collect();
    let checkout = Checkout::open(Path::new(&tree))?;
    let options = CheckOptions {
        history: HistoryReading {
            folder: cache.map(Into::into),
            ..HistoryReading::default()
        },
        ..CheckOptions::default()
    };
    let report = check(&documents, &checkout, &limits, &options)?;
    for checked in &report.checked {
        let (document, claim) = (&documents[checked.document], &checked.claim);
        let (closest, shown) = match &checked.verdict {
            ClaimVerdict::Contradicted {
                closest, instead, ..
            } => (closest.clone(), instead.clone()),
            ClaimVerdict::Gone {
                closest,
                evidence:
                    Evidence::Commit {
                        hash, path, text, ..
                    },
            } => (
                closest.clone(),
                format!("{} {path}: {text}", &hash[..9.min(hash.len())]),
            ),
            ClaimVerdict::Holds(Evidence::Place { path, line, .. }) => {
                (None, format!("{path}:{}", line.unwrap_or(0)))
            }
            ClaimVerdict::Unknown(reason) => (None, reason.clone()),
            ClaimVerdict::NoClaim(reason) => (None, (*reason).to_owned()),
            _ => (None, String::new()),
        };
        let row = serde_json::json!({
            "file": document.name,
            "line": document.line_of(claim.start),
            "kind": claim.kind.as_str(),
            "context": format!("{:?}", claim.context),
            "name": claim.name,
            "owners": claim.owners,
            "text": document.text.get(claim.start..claim.end),
            "verdict": checked.verdict.as_str(),
            "is_note": checked.is_note,
            "closest": closest,
            "shown": shown,
        });
        println!("{row}");
    }
    if let Some(gap) = &report.history_gap {
        println!("{}", serde_json::json!({"history_gap": gap}));
    }
    Ok(())
}
