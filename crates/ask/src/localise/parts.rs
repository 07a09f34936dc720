//! The parts of a report: its title, its sentences, its code, its traces, and the list of versions
//! with which most reports end.

/// The number of parts.
pub const PARTS: usize = 4;

/// A part of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportPart {
    /// The first line, or all of a short text.
    Title = 0,
    /// Sentences.
    Prose = 1,
    /// Code and what is marked as code.
    Code = 2,
    /// Traces, output and lists of versions.
    Output = 3,
}

/// A piece of text of one part.
#[derive(Clone, Copy, Debug)]
pub struct PartText<'t> {
    /// Its part.
    pub part: ReportPart,
    /// The text.
    pub text: &'t str,
    /// Whether it is marked as code.
    pub is_marked: bool,
}

/// Headings before a list of the versions that a report is about.
const SURROUNDINGS: &[&str] = &[
    "versions",
    "environment",
    "system",
    "installed versions",
    "output of",
    "os / environment",
    "additional dependencies",
];

/// Splits a text line by line. Comments are left out.
pub fn split(text: &str) -> Vec<PartText<'_>> {
    let mut splitter = Splitter::default();
    text.lines().for_each(|line| splitter.line(line));
    splitter.pieces
}

#[derive(Default)]
struct Splitter<'t> {
    pieces: Vec<PartText<'t>>,
    has_title: bool,
    in_fence: bool,
    in_comment: bool,
    in_trace: bool,
    in_surroundings: bool,
}

impl<'t> Splitter<'t> {
    fn line(&mut self, line: &'t str) {
        let bare = line.trim();
        // Forges put instructions for authors into comments of their templates, which are not about
        // the issue.
        if self.in_comment || bare.starts_with("<!--") {
            self.in_comment = !bare.ends_with("-->");
            return;
        }
        if bare.starts_with("```") || bare.starts_with("~~~") {
            self.in_fence = !self.in_fence;
            self.in_trace = false;
            return;
        }
        if bare.is_empty() {
            return;
        }
        if !self.has_title {
            self.has_title = true;
            return self.marked(bare.trim_start_matches(['#', ' ']), ReportPart::Title);
        }
        self.heading(bare);
        let part = self.part_of(line, bare);
        match part {
            ReportPart::Title | ReportPart::Prose => self.marked(bare, part),
            ReportPart::Code | ReportPart::Output => self.pieces.push(PartText {
                part,
                text: bare,
                is_marked: part == ReportPart::Code,
            }),
        }
    }

    fn heading(&mut self, bare: &str) {
        let is_heading = !self.in_fence && (bare.starts_with('#') || bare.starts_with("**"));
        let words = bare.trim_matches(['#', '*', ' ', ':']).to_lowercase();
        if is_heading || bare.starts_with("<summary>") || bare.starts_with("<details>") {
            self.in_surroundings = SURROUNDINGS.iter().any(|known| words.contains(known));
        }
    }

    fn part_of(&mut self, line: &str, bare: &str) -> ReportPart {
        let opens_trace = bare.starts_with("Traceback (")
            || bare.contains("panicked at")
            || bare.starts_with("Exception in thread");
        if opens_trace {
            self.in_trace = true;
        // A trace ends with its first unindented line without a colon. The line with the message
        // has one.
        } else if self.in_trace && !line.starts_with([' ', '\t', '.']) && !bare.contains(':') {
            self.in_trace = false;
        }
        match () {
            () if self.in_surroundings || self.in_trace || is_frame(bare) => ReportPart::Output,
            () if self.in_fence
                || line.starts_with("    ")
                || line.starts_with('\t')
                || bare.starts_with(">>>") =>
            {
                ReportPart::Code
            }
            () => ReportPart::Prose,
        }
    }

    /// Adds sentences, with text between backticks marked as code.
    fn marked(&mut self, line: &'t str, part: ReportPart) {
        for (number, text) in line.split('`').enumerate() {
            if !text.is_empty() && !is_address(text) {
                self.pieces.push(PartText {
                    part,
                    text,
                    is_marked: number % 2 == 1,
                });
            }
        }
    }
}

fn is_frame(bare: &str) -> bool {
    bare.starts_with("File \"") || (bare.starts_with("at ") && bare.contains(':'))
}

fn is_address(text: &str) -> bool {
    let text = text.trim();
    (text.starts_with("http://") || text.starts_with("https://")) && !text.contains(' ')
}
