//! Reads the text of a PDF and the dates of its metadata, by a library under bounds: of pages, and
//! of the size to which each stream unpacks. A locked or broken file is reported as such. A page
//! that cannot be read is left out, and the text counts as truncated.

use lopdf::{Dictionary, Document, LoadOptions, Object};

use super::{Material, ReadBounds, ReadError, Reading, dates, days};
use crate::page::{DateSource, PageDate};

pub(super) fn read(material: &Material<'_>, bounds: &ReadBounds) -> Result<Reading, ReadError> {
    let broken = |why: &str| ReadError::Broken {
        medium: "PDF",
        why: why.to_owned(),
    };
    let options = LoadOptions {
        // A stream of a few megabytes may unpack to gigabytes.
        max_decompressed_size: Some(bounds.pdf_page_bytes_max),
        ..LoadOptions::default()
    };
    let document = Document::load_mem_with_options(material.bytes, options)
        .map_err(|_| broken("its structure is broken"))?;
    if document.is_encrypted() {
        return Err(broken("it is locked with a password"));
    }
    let (text, is_cut) = text_of(&document, bounds);
    if text.trim().is_empty() {
        return Err(ReadError::NoPage(
            "it is a PDF without text, perhaps of scanned pictures",
        ));
    }
    let about = information(&document);
    let word = |key: &[u8]| {
        about
            .and_then(|about| about.get(key).ok())
            .and_then(|value| lopdf::decode_text_string(value).ok())
    };
    let date = |key: &[u8]| word(key).and_then(|text| date_of(&text, material));
    let published = date(b"CreationDate").or_else(|| dates::of_place(material));
    Ok(Reading {
        title: word(b"Title"),
        byline: word(b"Author"),
        published,
        modified: date(b"ModDate"),
        text,
        is_cut,
        ..Reading::default()
    })
}

/// Returns the text of the pages, and whether a part of it is missing.
fn text_of(document: &Document, bounds: &ReadBounds) -> (String, bool) {
    let numbers: Vec<u32> = document.get_pages().into_keys().collect();
    let mut is_cut = numbers.len() > bounds.pdf_pages_max;
    let mut text = String::new();
    // Page by page, so that a broken one costs only its own text.
    for number in numbers.into_iter().take(bounds.pdf_pages_max) {
        match document.extract_text_with_limit(&[number], bounds.pdf_page_bytes_max) {
            Ok(page) => text.push_str(&page),
            Err(_) => is_cut = true,
        }
        text.push_str("\n\n");
        if text.len() > bounds.text_bytes_max {
            return (text, true);
        }
    }
    (text, is_cut)
}

fn information(document: &Document) -> Option<&Dictionary> {
    match document.trailer.get(b"Info").ok()? {
        Object::Reference(id) => document.get_dictionary(*id).ok(),
        Object::Dictionary(about) => Some(about),
        _ => None,
    }
}

/// Parses `D:20240503101500+02'00'`: a moment with a zone, else a day.
fn date_of(text: &str, material: &Material<'_>) -> Option<PageDate> {
    let text = text.trim().trim_start_matches("D:");
    let digits = text
        .get(..14)
        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let moment = digits.and_then(|digits| {
        let zone = text[14..].replace('\'', "");
        let zone = if zone.is_empty() {
            return None;
        // `Z` may be followed by `00'00'`.
        } else if zone.starts_with('Z') {
            "Z".to_owned()
        } else {
            zone
        };
        let (day, time) = digits.split_at(8);
        days::parse(
            &format!(
                "{}-{}-{}T{}:{}:{}{zone}",
                &day[..4],
                &day[4..6],
                &day[6..],
                &time[..2],
                &time[2..4],
                &time[4..]
            ),
            material.now,
        )
    });
    let day = || days::parse(text.get(..8)?, material.now);
    moment
        .or_else(day)
        .map(|day| day.dated(DateSource::Document))
}
