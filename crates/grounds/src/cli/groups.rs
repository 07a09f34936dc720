//! The list of commands in `grounds --help`, grouped by purpose.

use std::fmt::Write as _;

use clap::{Command, CommandFactory as _};

use super::{Cli, STYLES};

/// Commands under a heading each. All others are listed last.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "Questions",
        &[
            "ask", "def", "callers", "callees", "uses", "impls", "imports", "since", "body", "at",
            "outline", "files",
        ],
    ),
    ("Claims", &["check", "verify"]),
    ("Changes", &["review", "rules", "hook"]),
    ("Many", &["fleet"]),
    ("Looking back", &["history", "show", "recheck", "serve"]),
];
const OTHERS: &str = "Set-up";

/// Columns of a line, as in the help of each command.
const COLUMNS_MAX: usize = 100;
/// Columns before what a command does.
const INDENT_COLUMNS: usize = 15;

/// What stands before the groups and after them, as clap writes templates.
const HEAD: &str = "\
{before-help}{about-with-newline}
{usage-heading} grounds [OPTIONS] <COMMAND>
       grounds [OPTIONS] \"QUESTION\"
";
const TAIL: &str = "\n{all-args}{after-help}";

/// Returns the command line, with its commands in groups.
pub fn command() -> Command {
    let command = Cli::command();
    let template = format!("{HEAD}{}{TAIL}", listed(&command));
    // The template has the commands already: the list of all arguments leaves them out.
    let names: Vec<String> = command
        .get_subcommands()
        .map(|command| command.get_name().to_owned())
        .collect();
    names
        .into_iter()
        .fold(command, |command, name| {
            command.mut_subcommand(name, |command| command.hide(true))
        })
        .help_template(template)
}

/// Returns the groups, a line for each command.
fn listed(command: &Command) -> String {
    let all: Vec<&Command> = command.get_subcommands().collect();
    let is_grouped = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    // A new command that no group names yet is still in the help, under the last heading.
    let others: Vec<&str> = all
        .iter()
        .map(|command| command.get_name())
        .filter(|name| !is_grouped(name))
        .collect();
    let mut text = String::new();
    let groups = GROUPS.iter().copied().chain([(OTHERS, others.as_slice())]);
    for (heading, names) in groups {
        let style = STYLES.get_header();
        let _ = writeln!(text, "\n{style}{heading}:{style:#}");
        for name in names {
            // A build without a feature does not have all of the commands above.
            let Some(command) = all.iter().find(|command| command.get_name() == *name) else {
                continue;
            };
            let about = command.get_about().map(ToString::to_string);
            let about = about.unwrap_or_default();
            // The other sentences are in the help of the command itself.
            let sentence = about.split(". ").next().unwrap_or_default();
            let style = STYLES.get_literal();
            let does = wrapped(sentence);
            let _ = writeln!(text, "  {style}{name:<11}{style:#}  {does}");
        }
    }
    text
}

/// Wraps a sentence beside the name of its command.
fn wrapped(sentence: &str) -> String {
    let mut text = String::new();
    let mut column = INDENT_COLUMNS;
    for word in sentence.split_whitespace() {
        if !text.is_empty() && column + 1 + word.len() > COLUMNS_MAX {
            let _ = write!(text, "\n{:INDENT_COLUMNS$}", "");
            column = INDENT_COLUMNS;
        } else if !text.is_empty() {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text
}
