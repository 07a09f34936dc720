//! Searches documents and pages again for the words that a proof rests on.

use std::collections::BTreeMap;
use std::path::Path;

use grounds_web::corpus::{CorpusOptions, SCHEME, read_document};
use grounds_web::{Fetch, FetchError, Page};
use jiff::Timestamp;

use super::{Checked, CitationState};
use crate::reading::verify::Verified;

/// Words that the verdict rests on: those that counted, and those that the proof quotes.
struct Quoted {
    url: String,
    excerpt: String,
    /// The first byte in the text of the page; `None` if it is not known.
    start: Option<usize>,
    what: String,
}

/// Checks all of them. Each page is fetched once.
pub(super) fn look(
    report: &Verified,
    documents: Option<&Path>,
    web: Option<&dyn Fetch>,
) -> Vec<Checked> {
    let quoted = quoted(report);
    let mut pages: BTreeMap<String, Result<Page, CitationState>> = BTreeMap::new();
    let mut checked = Vec::new();
    for quoted in quoted {
        // A failure is kept too: a server that does not answer is waited for once, not for each
        // quote.
        let page = pages
            .entry(quoted.url.clone())
            .or_insert_with(|| fetched(&quoted.url, documents, web));
        let state = match page {
            Ok(page) => stands(page, &quoted),
            Err(state) => state.clone(),
        };
        checked.push(Checked {
            path: quoted.url,
            line_start: 0,
            line_end: 0,
            what: quoted.what,
            state,
            note: None,
        });
    }
    checked
}

fn quoted(report: &Verified) -> Vec<Quoted> {
    let mut quoted: Vec<Quoted> = Vec::new();
    for hit in report.evidence.iter().filter(|hit| hit.is_counted) {
        let what = format!(
            "{}: {}",
            hit.side.as_deref().unwrap_or("no side"),
            hit.excerpt
        );
        quoted.push(Quoted {
            url: hit.url.clone(),
            excerpt: hit.excerpt.clone(),
            start: Some(hit.start),
            what,
        });
    }
    // The proof may quote more of a page than the words that counted.
    for source in &report.sources {
        if !quoted
            .iter()
            .any(|known| known.url == source.url && known.excerpt == source.excerpt)
        {
            let what = format!("quoted: {}", source.excerpt);
            quoted.push(Quoted {
                url: source.url.clone(),
                excerpt: source.excerpt.clone(),
                start: None,
                what,
            });
        }
    }
    quoted
}

fn fetched(
    url: &str,
    documents: Option<&Path>,
    web: Option<&dyn Fetch>,
) -> Result<Page, CitationState> {
    let page = if url.starts_with(SCHEME) {
        let folder = documents.ok_or_else(|| {
            CitationState::NotLooked("the run does not say in which folder it stood".to_owned())
        })?;
        read_document(folder, url, &CorpusOptions::new(Timestamp::now()))
    } else {
        let web = web.ok_or_else(|| {
            CitationState::NotLooked("it is a page of the web; --web fetches it again".to_owned())
        })?;
        web.fetch(url)
    };
    page.map_err(|error| of_fetch(&error))
}

fn of_fetch(error: &FetchError) -> CitationState {
    match error {
        // Any other status may be a fault of the moment, which says nothing about the page.
        FetchError::NoPage {
            status: Some(404 | 410),
            ..
        } => CitationState::Gone,
        FetchError::NoPage { .. }
        | FetchError::Refused { .. }
        | FetchError::NotRecorded { .. }
        | FetchError::Broke { .. } => CitationState::NotLooked(error.to_string()),
    }
}

fn stands(page: &Page, quoted: &Quoted) -> CitationState {
    let at = |start: usize| {
        page.text
            .get(start..)
            .is_some_and(|rest| rest.starts_with(&quoted.excerpt))
    };
    if quoted.start.is_some_and(at) {
        return CitationState::Stands;
    }
    match page.text.find(&quoted.excerpt) {
        // Without its place nobody can say that the text has moved.
        Some(_) if quoted.start.is_none() => CitationState::Stands,
        Some(byte) => CitationState::Moved {
            path: quoted.url.clone(),
            line: line_of(&page.text, byte),
        },
        None => CitationState::Changed,
    }
}

/// Returns the line of a byte, counted from 1.
fn line_of(text: &str, byte: usize) -> u32 {
    let before = text.as_bytes()[..byte]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count();
    u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
}
