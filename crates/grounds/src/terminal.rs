//! The abilities of the terminal, from its variables: colour, links, width. The only inputs are the
//! environment and whether standard output is a terminal.

use std::ffi::OsString;
use std::io::IsTerminal as _;

/// Default width of text, if the terminal does not report its own.
const COLUMNS: usize = 100;
/// Minimum width to which text is wrapped.
const COLUMNS_MIN: usize = 40;

/// A reader of environment variables.
pub type Variables<'v> = &'v dyn Fn(&str) -> Option<OsString>;

fn environment(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Reports whether standard output may have colour: on a terminal, unless `TERM` is `dumb` or
/// `CLICOLOR` is 0, or if `CLICOLOR_FORCE` is set and not 0; never if `NO_COLOR` is set.
pub fn has_colour() -> bool {
    colour(&environment, std::io::stdout().is_terminal())
}

/// Reports whether standard output shows links (OSC 8).
pub fn has_links() -> bool {
    links(&environment, std::io::stdout().is_terminal())
}

/// Returns the width that text may have.
pub fn columns() -> usize {
    let seen = std::io::stdout()
        .is_terminal()
        .then(terminal_size::terminal_size)
        .flatten();
    seen.map_or(COLUMNS, |(width, _)| usize::from(width.0).max(COLUMNS_MIN))
}

fn colour(variables: Variables<'_>, is_terminal: bool) -> bool {
    let forced = variables("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let able = is_terminal
        && variables("TERM").is_none_or(|term| term != "dumb")
        && variables("CLICOLOR").is_none_or(|value| value != "0");
    variables("NO_COLOR").is_none() && (forced || able)
}

/// Reports whether a terminal shows links or ignores them. Most do; the ones listed here print
/// them.
fn links(variables: Variables<'_>, is_terminal: bool) -> bool {
    if let Some(said) = variables("FORCE_HYPERLINK") {
        return said != "0";
    }
    let term = variables("TERM")
        .map(|term| term.to_string_lossy().into_owned())
        .unwrap_or_default();
    let prints_them = ["dumb", "linux", "cons25", "eterm"]
        .iter()
        .any(|name| term == *name || term.starts_with(&format!("{name}-")));
    // VTE shows links from version 0.50 on.
    let old_vte = variables("VTE_VERSION")
        .and_then(|version| version.to_str()?.parse::<u32>().ok())
        .is_some_and(|version| version < 5000);
    is_terminal && !prints_them && !old_vte
}

/// Returns the text in lines of at most `columns`, broken at blanks; a longer word keeps its own
/// line.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set<'v>(values: &'v [(&'v str, &'v str)]) -> impl Fn(&str) -> Option<OsString> + 'v {
        move |name| {
            values
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| OsString::from(value))
        }
    }

    #[test]
    fn colour_is_for_terminals_unless_a_variable_says_otherwise() {
        for (values, on_terminal, in_pipe) in [
            (&[][..], true, false),
            (&[("TERM", "dumb")], false, false),
            (&[("CLICOLOR", "0")], false, false),
            (&[("CLICOLOR_FORCE", "1")], true, true),
            (&[("CLICOLOR_FORCE", "0")], true, false),
            (&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], false, false),
        ] {
            let variables = set(values);
            assert_eq!(
                (colour(&variables, true), colour(&variables, false)),
                (on_terminal, in_pipe),
                "{values:?}"
            );
        }
    }

    #[test]
    fn links_are_for_terminals_that_do_not_print_them() {
        for (values, on_terminal, in_pipe) in [
            (&[("TERM", "xterm-256color")][..], true, false),
            (&[("TERM", "linux")], false, false),
            (&[("TERM", "eterm-color")], false, false),
            (&[("TERM", "xterm"), ("VTE_VERSION", "4205")], false, false),
            (&[("TERM", "xterm"), ("VTE_VERSION", "7600")], true, false),
            (&[("FORCE_HYPERLINK", "1")], true, true),
            (&[("FORCE_HYPERLINK", "0")], false, false),
        ] {
            let variables = set(values);
            assert_eq!(
                (links(&variables, true), links(&variables, false)),
                (on_terminal, in_pipe),
                "{values:?}"
            );
        }
    }

    #[test]
    fn text_is_wrapped_at_blanks() {
        assert_eq!(wrapped("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrapped("a longerthanall b", 5), ["a", "longerthanall", "b"]);
        assert!(wrapped(" ", 5).is_empty());
    }
}
