//! Shows a result that is longer than the screen in a pager, if standard output is a terminal;
//! never in a pipe, a file or with `--no-pager`. Takes the whole text; a pager that cannot be
//! started is skipped.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::cli::Global;

/// The pager where no variable names one.
const USUAL: &str = "less";
/// Default options for `less`, if the person sets none: quit if one screen is enough, keep colours,
/// leave the text on the screen.
const LESS: &str = "FRX";
/// The exit codes of a shell that did not find a program, or may not run it.
const NOT_RUN: [i32; 2] = [126, 127];

/// Whether the person wants none; set once, from the command line.
static UNWANTED: OnceLock<bool> = OnceLock::new();

/// Takes over what the command line says.
pub(super) fn heed(global: &Global) {
    let _ = UNWANTED.set(global.no_pager);
}

/// Returns the pager that would be used; `None` if standard output is not a terminal, the pager is
/// off, or the system is Windows.
pub(super) fn chosen() -> Option<String> {
    // A pager is named in words for a shell, which Windows has not.
    if cfg!(windows) || UNWANTED.get().copied().unwrap_or(false) || !io::stdout().is_terminal() {
        return None;
    }
    named(&|name| std::env::var(name).ok())
}

/// Returns the pager of the first variable that is set. An empty one means no pager.
fn named(variables: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let named = variables("GROUNDS_PAGER")
        .or_else(|| variables("PAGER"))
        .unwrap_or_else(|| USUAL.to_owned());
    let is_none =
        variables("TERM").is_some_and(|term| term == "dumb") || matches!(named.trim(), "" | "cat");
    (!is_none).then_some(named)
}

/// Shows a text: through the pager where it is longer than the screen.
pub(super) fn show(text: &[u8], pager: &str) -> io::Result<()> {
    let is_long = terminal_size::terminal_size()
        .is_some_and(|(width, height)| rows(text, usize::from(width.0)) >= usize::from(height.0));
    if is_long && is_paged(text, pager) {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    out.write_all(text).and_then(|()| out.flush())
}

/// Reports whether a pager took the text.
fn is_paged(text: &[u8], pager: &str) -> bool {
    let mut command = Command::new("sh");
    command.arg("-c").arg(pager).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", LESS);
    }
    let Ok(mut child) = command.spawn() else {
        return false;
    };
    if let Some(mut input) = child.stdin.take() {
        // A person may leave the pager before its end.
        let _ = input.write_all(text);
    }
    child
        .wait()
        .is_ok_and(|status| status.code().is_none_or(|code| !NOT_RUN.contains(&code)))
}

/// Counts the rows of a screen that a text takes; control sequences take none.
fn rows(text: &[u8], columns: usize) -> usize {
    let text = String::from_utf8_lossy(text);
    text.lines()
        .map(|line| seen(line).div_ceil(columns.max(1)).max(1))
        .sum()
}

fn seen(line: &str) -> usize {
    let (mut count, mut letters) = (0, line.chars().peekable());
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            // A colour, as in `ESC [ 1 m`: its parameters end with a letter.
            ('\u{1b}', Some('[')) => {
                letters
                    .by_ref()
                    .skip(1)
                    .find(|letter| letter.is_ascii_alphabetic());
            }
            // A link, as in `ESC ] 8 ; ; ADDRESS ESC \`, of which only the text after it takes
            // columns; BEL ends the sequence too.
            ('\u{1b}', Some(']')) => {
                letters
                    .by_ref()
                    .find(|letter| matches!(letter, '\\' | '\u{7}'));
            }
            _ => count += 1,
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_counts_and_an_empty_one_means_none() {
        let of = |values: &[(&str, &str)]| {
            let values: Vec<(String, String)> = values
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect();
            named(&move |name| {
                values
                    .iter()
                    .find(|(known, _)| known == name)
                    .map(|(_, value)| value.clone())
            })
        };
        assert_eq!(of(&[]).as_deref(), Some("less"));
        assert_eq!(of(&[("PAGER", "more")]).as_deref(), Some("more"));
        assert_eq!(
            of(&[("GROUNDS_PAGER", "most"), ("PAGER", "more")]).as_deref(),
            Some("most")
        );
        assert_eq!(of(&[("GROUNDS_PAGER", ""), ("PAGER", "more")]), None);
        assert_eq!(of(&[("PAGER", "cat")]), None);
        assert_eq!(of(&[("TERM", "dumb")]), None);
    }

    #[test]
    fn control_sequences_take_no_columns() {
        assert_eq!(seen("\u{1b}[1mab\u{1b}[0m"), 2);
        assert_eq!(seen("\u{1b}]8;;file:///a\u{1b}\\a:1\u{1b}]8;;\u{1b}\\"), 3);
        assert_eq!(rows(b"abcdef\n\nab\n", 3), 4);
    }
}
