//! Comments and doc strings of code as texts of their own, whose places map back to the file.
//!
//! Returns one text for each run of comments in a file, without the marks of the comment, so that
//! Markdown reads it as its author meant it.

use std::ops::Range;

use grounds_repo::labels::parse_is_late;
use grounds_repo::path::file_name;
use grounds_syntax::{Parser, languages};

use crate::document::CheckedDocument;
use crate::extract::{self, Extract, NumberedSentence};
use crate::mention::Mention;

/// Most comments of one file that are read.
const COMMENTS_MAX: usize = 20_000;
/// Marks that begin or continue a comment, longest first.
const MARKS: &[&str] = &[
    "///", "//!", "/**", "/*!", "//", "/*", "*/", "**", "*", "#!", "##", "#", "--", ";;", "%",
    "\"\"\"", "'''",
];

/// One run of comments: its text, and the place in the file at which each of its lines begins.
struct CommentRun {
    text: CheckedDocument,
    /// The first byte of each line in the text, and in the file.
    lines: Vec<(usize, usize)>,
}

/// Returns the mentions and sentences of the comments of a file, or `None` if it is no code.
pub(crate) fn read(document: &CheckedDocument) -> Option<Extract> {
    let (runs, is_cut) = runs(document)?;
    let mut all = Extract {
        is_cut,
        ..Extract::default()
    };
    for run in runs {
        let found = extract::of(&run.text);
        all.is_cut |= found.is_cut;
        all.mentions
            .extend(found.mentions.into_iter().map(|mention| {
                let place = run.place(mention.start..mention.end);
                Mention {
                    start: place.start,
                    end: place.end,
                    ..mention
                }
            }));
        all.sentences
            .extend(found.sentences.into_iter().map(|sentence| {
                let place = run.place(sentence.place.clone());
                NumberedSentence { place, ..sentence }
            }));
    }
    Some(all)
}

/// Returns the runs of comments of a file of code, and whether it has more than are read.
fn runs(document: &CheckedDocument) -> Option<(Vec<CommentRun>, bool)> {
    let source = document.text.as_bytes();
    let language = languages::of_file(file_name(&document.name), source)?;
    let parser = Parser::default();
    let parse = parser.parse(language, source, &parse_is_late()).ok()?;
    let mut found: Vec<CommentRun> = Vec::new();
    let mut end = 0;
    let mut comments = parse.comments(COMMENTS_MAX + 1);
    let is_cut = comments.len() > COMMENTS_MAX;
    comments.truncate(COMMENTS_MAX);
    for comment in comments {
        // Comments that overlap have no text between them, and are two runs.
        let between = document.text.get(end..comment.start).unwrap_or("x");
        // Comments on lines without a blank line between them are one text, as a paragraph may span
        // them.
        let follows =
            !found.is_empty() && between.trim().is_empty() && between.matches('\n').count() < 2;
        end = comment.end;
        match found.last_mut().filter(|_| follows) {
            Some(run) => run.add(document, comment),
            None => {
                let mut run = CommentRun {
                    text: CheckedDocument::new("comment.md", ""),
                    lines: Vec::new(),
                };
                run.add(document, comment);
                found.push(run);
            }
        }
    }
    Some((found, is_cut))
}

impl CommentRun {
    fn add(&mut self, document: &CheckedDocument, comment: Range<usize>) {
        // The document finds its lines when it is made, so it is made again with each comment.
        let mut text = std::mem::take(&mut self.text.text);
        let mut at = comment.start;
        for line in document
            .text
            .get(comment)
            .unwrap_or_default()
            .split_inclusive('\n')
        {
            let bare = without_mark(line);
            let skipped = line.len() - bare.len();
            self.lines.push((text.len(), at + skipped));
            text.push_str(
                bare.trim_end()
                    .trim_end_matches("*/")
                    .trim_end_matches("\"\"\"")
                    .trim_end_matches("'''"),
            );
            text.push('\n');
            at += line.len();
        }
        self.text = CheckedDocument::new("comment.md", &text);
    }

    /// Maps a place of the text to the file.
    fn place(&self, place: Range<usize>) -> Range<usize> {
        let start = self.byte(place.start);
        start..self.byte(place.end).max(start)
    }

    fn byte(&self, at: usize) -> usize {
        let line = self.lines.partition_point(|(first, _)| *first <= at);
        let (first, there) = self.lines[line.saturating_sub(1)];
        there + (at - first)
    }
}

/// Returns a line without the mark of its comment and one blank after it.
fn without_mark(line: &str) -> &str {
    let bare = line.trim_start_matches([' ', '\t']);
    let Some(mark) = MARKS.iter().find(|mark| bare.starts_with(**mark)) else {
        // The line of a doc string has the indent of the code.
        return bare;
    };
    let rest = &bare[mark.len()..];
    rest.strip_prefix(' ').unwrap_or(rest)
}
