//! From arguments to an exit code. The only place that prints.

mod about;
mod ask;
mod completions;
mod config;
mod doctor;
mod eval;
mod explain;
mod helper;
#[cfg(feature = "review")]
mod hook;
mod init;
mod man;
mod pager;
mod progress;
#[cfg(feature = "review")]
mod review;
#[cfg(feature = "review")]
mod rules;
mod text;
mod verify;
mod verify_decide;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser as _;
use clap::error::ErrorKind;

use crate::cli::{Cli, Command, Global, SchemaOf};
use crate::code::Code;
use crate::error::Error;
use crate::exit::Exit;
use crate::output::AskReport;
use crate::output::doctor::DoctorReport;
use crate::output::verify::VerifyReport;
use crate::safe;

/// Runs the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return not_parsed(&error),
    };
    pager::heed(&cli.global);
    let is_review = matches!(&cli.command, Command::Review(_));
    let ended = match &cli.command {
        _ if cli.global.format.is_of_review() && !is_review => Err(Error::FormatOfReview),
        Command::Ask(arguments) => ask::run(arguments, &cli.global),
        Command::Verify(arguments) => verify::run(arguments, &cli.global),
        Command::Eval(arguments) => eval::run(arguments, &cli.global),
        Command::Schema { of } => schema(*of),
        Command::Explain(arguments) => explain::run(arguments, &cli.global),
        #[cfg(feature = "review")]
        Command::Review(arguments) => review::run(arguments, &cli.global),
        #[cfg(feature = "review")]
        Command::Rules(arguments) => rules::run(arguments, &cli.global),
        #[cfg(feature = "review")]
        Command::Hook(arguments) => hook::run(arguments, &cli.global),
        #[cfg(not(feature = "review"))]
        Command::Review(_) | Command::Rules(_) | Command::Hook(_) => Err(Error::NoReview),
        Command::Doctor(arguments) => doctor::run(arguments, &cli.global),
        Command::Init(arguments) => init::run(arguments, &cli.global),
        Command::Config(arguments) => config::run(arguments, &cli.global),
        Command::Completions(arguments) => completions::run(arguments),
        Command::Man(arguments) => man::run(arguments),
        Command::About(arguments) => about::run(arguments, &cli.global),
    };
    let exit = ended.unwrap_or_else(|error| tell(&error, &cli.global));
    exit.into()
}

/// Help and version are results; anything else is a usage error.
fn not_parsed(error: &clap::Error) -> ExitCode {
    // What stands in an argument may come from a script that passes on the text of others.
    let _ = match safe::for_terminal(&error.render().to_string()) {
        Cow::Borrowed(_) => error.print(),
        Cow::Owned(shown) => write!(anstream::stderr().lock(), "{shown}"),
    };
    let Some(code) = code_of(error.kind()) else { return Exit::Answered.into() };
    if error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = writeln!(anstream::stderr().lock(), "\n  more: grounds explain {code}");
    }
    code.exit().into()
}

/// The code of what is wrong with a command line; none where nothing is.
fn code_of(kind: ErrorKind) -> Option<Code> {
    match kind {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => None,
        ErrorKind::UnknownArgument => Some(Code::ArgumentUnknown),
        ErrorKind::InvalidSubcommand => Some(Code::CommandUnknown),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Some(Code::CommandMissing),
        ErrorKind::MissingRequiredArgument | ErrorKind::TooFewValues => Some(Code::ArgumentMissing),
        ErrorKind::ArgumentConflict => Some(Code::ArgumentConflict),
        ErrorKind::InvalidUtf8 => Some(Code::ArgumentNoText),
        // The kinds are another crate's: those that remain, and those to come, are about values.
        _ => Some(Code::ValueInvalid),
    }
}

/// An error: what was tried, on what, why it failed, what to do next, and where more is said of it.
fn tell(error: &Error, global: &Global) -> Exit {
    let mut stderr = anstream::stderr().lock();
    let code = error.code();
    if global.progress {
        let object = serde_json::json!({"type": "error", "code": code.as_str(), "message": error.to_string(), "advice": error.advice()});
        let _ = writeln!(stderr, "{}", safe::for_json(&object.to_string()));
        return error.exit();
    }
    let red = anstyle::AnsiColor::Red.on_default().bold();
    let red = if global.no_color { anstyle::Style::new() } else { red };
    let _ = writeln!(stderr, "{red}error:{red:#} {}", safe::for_terminal(&error.to_string()));
    let _ = writeln!(stderr, "  try: {}", safe::for_terminal(&error.advice()));
    let _ = writeln!(stderr, "  more: grounds explain {code}");
    error.exit()
}

fn schema(of: SchemaOf) -> Result<Exit, Error> {
    let schema = match of {
        SchemaOf::Ask => AskReport::schema(),
        SchemaOf::Verify => VerifyReport::schema(),
        SchemaOf::VerifyDecideInput => grounds_verify::wire::input_schema(),
        SchemaOf::VerifyDecide => grounds_verify::wire::output_schema(),
        SchemaOf::Doctor => DoctorReport::schema(),
        #[cfg(feature = "review")]
        SchemaOf::Review => crate::output::review::ReviewReport::schema(),
        #[cfg(feature = "review")]
        SchemaOf::Rules => schemars::schema_for!(crate::output::rules::RulesReport),
        SchemaOf::Config => crate::config::keys::schema(),
        SchemaOf::ConfigShow => crate::output::config::ConfigReport::schema(),
        SchemaOf::About => crate::output::about::AboutReport::schema(),
        SchemaOf::Explain => crate::output::explain::ExplainReport::schema(),
        SchemaOf::Eval => grounds_eval::Report::schema(),
    };
    let text = serde_json::to_string_pretty(&schema).map_err(|error| Error::Write(error.into()))?;
    print(Exit::Answered, &mut |out| writeln!(out, "{text}"))
}

/// Prints a result. A reader that has gone away is no fault of the result.
fn print(exit: Exit, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> Result<Exit, Error> {
    let written = match pager::chosen() {
        Some(pager) => {
            let mut text = Vec::new();
            write(&mut text).and_then(|()| pager::show(&text, &pager))
        }
        None => {
            let mut out = io::BufWriter::new(io::stdout().lock());
            write(&mut out).and_then(|()| out.flush())
        }
    };
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::Write(error)),
        Ok(()) | Err(_) => Ok(exit),
    }
}
