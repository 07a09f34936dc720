//! Reads plain text, and markup that can be read as plain text: reStructuredText, AsciiDoc. The
//! title is a line at the top with a rule under it or a mark before it; fields at the top may give
//! a date.

use super::charset::decoded;
use super::{Material, Reading, dates, days};
use crate::page::DateSource;

/// Number of lines at the top in which a title and fields are searched.
const TOP_LINES: usize = 40;

pub(super) fn read(material: &Material<'_>) -> Reading {
    let text = decoded(material.bytes, material.charset, false);
    let top: Vec<&str> = text.lines().take(TOP_LINES).collect();
    let field_date = |names: &[&str]| {
        let value = names.iter().find_map(|name| field(&top, name))?;
        days::parse(value, material.now).map(|day| day.dated(DateSource::Document))
    };
    let published =
        field_date(&["date", "published", "created"]).or_else(|| dates::of_place(material));
    let modified = field_date(&["updated", "modified", "last updated", "last-modified"]);
    let byline = ["author", "authors"]
        .iter()
        .find_map(|name| field(&top, name))
        .map(str::to_owned);
    Reading {
        title: title(&top),
        published,
        modified,
        byline,
        text,
        ..Reading::default()
    }
}

/// Returns the value of a field `:Name: value` or `Name: value` at the start of a line.
fn field<'t>(top: &[&'t str], name: &str) -> Option<&'t str> {
    top.iter().find_map(|line| {
        let line = line.trim_start_matches(':');
        let (found, value) = line.split_once(':')?;
        (found.trim().eq_ignore_ascii_case(name) && !value.trim().is_empty()).then(|| value.trim())
    })
}

fn title(top: &[&str]) -> Option<String> {
    let under = top.windows(2).find(|pair| {
        // reStructuredText allows a rule above the title as well, which is no title.
        !pair[0].trim().is_empty() && !is_rule(pair[0]) && is_rule_under(pair[1], pair[0])
    });
    let marked = || {
        top.iter().find_map(|line| {
            // The titles of AsciiDoc and of Org.
            line.strip_prefix("= ")
                .or_else(|| line.strip_prefix("#+TITLE:"))
        })
    };
    let first = || {
        top.iter()
            .find(|line| !line.trim().is_empty())
            .copied()
            .filter(|line| is_like_a_title(line))
    };
    under
        .map(|pair| pair[0])
        .or_else(marked)
        .or_else(first)
        .map(|line| line.trim().to_owned())
}

fn is_rule(line: &str) -> bool {
    let line = line.trim_end();
    line.len() >= 3
        && line.chars().next().is_some_and(|first| {
            "=-~^*#\"'+`".contains(first) && line.chars().all(|letter| letter == first)
        })
}

fn is_rule_under(line: &str, title: &str) -> bool {
    // Some rules are a little shorter than their title.
    is_rule(line) && line.trim_end().chars().count() + 2 >= title.trim().chars().count()
}

/// Reports whether a line is short and no sentence, no field and no comment.
fn is_like_a_title(line: &str) -> bool {
    let line = line.trim();
    line.len() <= 100
        && !line.ends_with(['.', ',', ':', ';'])
        && !line.starts_with([':', '.', '#', '/', '*', '-', '<', '{'])
        && line.contains(char::is_alphabetic)
}
