//! The lines for a follow-up. Takes a checked request, reads one file and returns its lines,
//! truncated at the end of a line if they pass the token limit. The model and the person both learn
//! of the truncation.

use grounds_model::redact::{self, Masked};

use super::reach::ReviewedSide;
use super::request::{Refusal, WantedLines};
use crate::tree;

/// Number of bytes for each token of the limit that are read; no vocabulary has longer tokens in
/// text that is worth reading.
const TOKEN_BYTES_MAX: u64 = 64;

/// Lines that were read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provided {
    /// The requested range.
    pub wanted: WantedLines,
    /// The last line that is shown.
    pub line_end_shown: u32,
    /// The lines, numbered, each with a mark before its text.
    pub numbered: String,
    /// The lines of the file, with secrets masked.
    pub lines: Vec<String>,
    /// Tokens of the numbered lines.
    pub tokens: u64,
}

impl Provided {
    /// Reports whether fewer lines are shown than were requested.
    pub const fn is_cut(&self) -> bool {
        self.line_end_shown < self.wanted.line_end
    }
}

/// Reads the lines of a request: one file, once.
///
/// # Errors
/// [`Refusal`] if the range is not in the file, is the whole file, or nothing of it fits.
pub fn provide(
    wanted: WantedLines,
    source: &dyn ReviewedSide,
    tokens_max: u64,
    count: &dyn Fn(&str) -> u64,
) -> Result<Provided, Refusal> {
    let bytes = source.read(&wanted.path).map_err(Refusal::Unreadable)?;
    if tree::is_binary(&bytes) {
        return Err(Refusal::NotText);
    }
    // The file is masked as a whole: a range that begins in the middle of a key does not show that
    // it is one.
    let text = redact::mask(&String::from_utf8_lossy(&bytes), &mut Masked::new());
    let all: Vec<&str> = text.lines().collect();
    let (start, end) = (wanted.line_start as usize, wanted.line_end as usize);
    if end > all.len() || start > end {
        return Err(Refusal::PastEnd { lines: all.len() });
    }
    if !wanted.is_of_menu && start == 1 && end == all.len() {
        return Err(Refusal::WholeFile);
    }
    let asked = &all[start - 1..end];
    let fits = longest_fit(asked, wanted.line_start, tokens_max, count);
    if fits == 0 {
        return Err(Refusal::LineTooLong { tokens_max });
    }
    let numbered = numbered(&asked[..fits], wanted.line_start);
    let tokens = count(&numbered);
    let line_end_shown = wanted.line_start + u32::try_from(fits - 1).unwrap_or(0);
    Ok(Provided {
        line_end_shown,
        numbered,
        tokens,
        lines: asked[..fits]
            .iter()
            .map(|line| (*line).to_owned())
            .collect(),
        wanted,
    })
}

/// Returns how many of the lines fit into the limit, counted together as they are sent.
fn longest_fit(lines: &[&str], first: u32, tokens_max: u64, count: &dyn Fn(&str) -> u64) -> usize {
    let bytes_max =
        usize::try_from(tokens_max.saturating_mul(TOKEN_BYTES_MAX)).unwrap_or(usize::MAX);
    let mut bytes = 0_usize;
    let within = |line: &&&str| {
        bytes = bytes.saturating_add(line.len());
        bytes <= bytes_max
    };
    // A numbered line has at least one token.
    let most = lines
        .iter()
        .take_while(within)
        .count()
        .min(usize::try_from(tokens_max).unwrap_or(usize::MAX));
    // The tokens of a text are not the sum of those of its lines, so the whole is counted for each
    // size that is tried.
    let (mut fits, mut past) = (0, most + 1);
    while past - fits > 1 {
        let middle = fits + (past - fits) / 2;
        if count(&numbered(&lines[..middle], first)) <= tokens_max {
            fits = middle
        } else {
            past = middle
        }
    }
    fits
}

fn numbered(lines: &[&str], first: u32) -> String {
    lines
        .iter()
        .zip(first..)
        .map(|(line, number)| format!("{number} | {line}\n"))
        .collect()
}
