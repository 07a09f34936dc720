//! From arguments to an exit code. The only place that prints.

mod about;
mod ask;
mod check;
mod completions;
mod config;
mod doctor;
mod eval;
mod explain;
#[cfg(feature = "fleet")]
mod fleet;
mod helper;
#[cfg(feature = "store")]
mod history;
#[cfg(feature = "review")]
mod hook;
mod init;
#[cfg(feature = "store")]
mod keep;
#[cfg(feature = "store")]
mod links;
#[cfg(feature = "lsp")]
mod lsp;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod pager;
mod progress;
#[cfg(feature = "store")]
mod recheck;
#[cfg(feature = "review")]
mod review;
#[cfg(feature = "review")]
mod rules;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "store")]
mod show;
mod text;
mod verify;
mod verify_decide;

use std::borrow::Cow;
use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Instant, SystemTime};

use clap::Parser as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::{self, Cli, Command, Format, Global, SchemaOf};
use crate::code::Code;
use crate::ended::{Ended, PageLook};
use crate::error::Error;
use crate::exit::Exit;
use crate::output::AskReport;
use crate::output::doctor::DoctorReport;
use crate::output::verify::VerifyReport;
use crate::safe;
use crate::threads;

/// Runs the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match parsed(&arguments) {
        Ok(cli) => cli,
        Err(error) => return not_parsed(&error).into(),
    };
    #[cfg(feature = "mcp")]
    if cli
        .global
        .with_parent
        .is_some_and(|parent| !crate::mcp::die_with(parent))
    {
        return Exit::Failed.into();
    }
    #[cfg(all(unix, feature = "fleet"))]
    if let Some(socket) = &cli.global.turns_at {
        crate::turns::heed(socket);
    }
    // A library that cannot start a thread ends the program in the middle of a job, so this comes
    // before any work.
    if let Err(error) = threads::tried() {
        return tell(&Error::Threads(error), &cli.global).into();
    }
    pager::heed(&cli.global);
    let ended = dispatch(&cli, &CommandCall::of(&cli.global, &arguments));
    let exit = ended.unwrap_or_else(|error| tell(&error, &cli.global));
    exit.into()
}

/// Answers one of several questions to this process. What it would print goes to `out`.
#[cfg(feature = "mcp")]
pub(crate) fn answer(arguments: &[OsString], input: Vec<u8>, out: &RefCell<Vec<u8>>) -> Exit {
    let cli = match parsed(arguments) {
        Ok(cli) => cli,
        Err(error) => return not_parsed(&error),
    };
    // The server sends only questions to a worker (`ProgramCall::is_question`).
    let Command::Ask(asked) = &cli.command else {
        return Exit::Failed;
    };
    text::give(input);
    let call = CommandCall {
        out: Some(out),
        ..CommandCall::of(&cli.global, arguments)
    };
    let ended = ask::ended(asked, &cli.global).and_then(|ended| call.close(&ended));
    ended.unwrap_or_else(|error| tell(&error, &cli.global))
}

/// Parses the command line. One argument of several words, where a command would be, is a question.
fn parsed(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let error = match Cli::try_parse_from(arguments) {
        // `grounds "who calls f?"`: clap takes the question for a command that it does not know.
        Err(error) if error.kind() == ErrorKind::InvalidSubcommand => error,
        // The help of the program has its commands in groups.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
            ) =>
        {
            let grouped = cli::command().try_get_matches_from(arguments);
            return Err(grouped.err().unwrap_or(error));
        }
        parsed => return parsed,
    };
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return Err(error);
    };
    // Options may come before the question, so its place is found by its text.
    let place = arguments
        .iter()
        .position(|argument| argument == word.as_str());
    // One unknown word, as in `grounds verfy`, stays an unknown command, for which clap has a
    // suggestion.
    match place.filter(|_| word.trim().contains(char::is_whitespace)) {
        Some(place) => {
            let mut with_command = arguments.to_vec();
            with_command.insert(place, "ask".into());
            Cli::try_parse_from(with_command)
        }
        None => Err(error),
    }
}

/// Returns the number of parallel jobs: as many as there are cores if nothing is said.
pub(crate) fn job_count(said: Option<impl Into<usize>>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    said.map_or_else(cores, Into::into)
}

/// Runs the command; one line for each.
fn dispatch(cli: &Cli, call: &CommandCall<'_>) -> Result<Exit, Error> {
    let has_findings = matches!(
        &cli.command,
        Command::Review(_) | Command::Check(_) | Command::Fleet(_)
    );
    let has_page = matches!(&cli.command, Command::Show(_) | Command::Fleet(_))
        || cfg!(feature = "store")
            && matches!(&cli.command, Command::Check(_) | Command::Recheck(_));
    match &cli.command {
        // The format is an option of all commands, so clap cannot refuse it for a single one.
        _ if cli.global.format == Format::Html && !has_page => Err(Error::FormatOfShow),
        _ if cli.global.format.is_of_findings() && !has_findings => Err(Error::FormatOfReview),
        Command::Ask(arguments) => {
            ask::ended(arguments, &cli.global).and_then(|ended| call.close(&ended))
        }
        Command::Verb(verb) => ask::of_verb(verb, &cli.global).and_then(|ended| call.close(&ended)),
        Command::Verify(arguments) => verify::run(arguments, call),
        Command::Check(arguments) => check::run(arguments, &cli.global),
        Command::Eval(arguments) => eval::run(arguments, &cli.global),
        #[cfg(feature = "mcp")]
        Command::Mcp(arguments) => mcp::run(arguments, &cli.global),
        #[cfg(not(feature = "mcp"))]
        Command::Mcp(_) => Err(Error::NoMcp),
        #[cfg(feature = "lsp")]
        Command::Lsp(arguments) => lsp::run(arguments, &cli.global),
        #[cfg(not(feature = "lsp"))]
        Command::Lsp(_) => Err(Error::NoLsp),
        #[cfg(feature = "fleet")]
        Command::Fleet(arguments) => fleet::run(&arguments.command, &cli.global),
        #[cfg(not(feature = "fleet"))]
        Command::Fleet(_) => Err(Error::NoFleet),
        Command::Schema { of } => schema(*of),
        Command::Explain(arguments) => explain::run(arguments, &cli.global),
        #[cfg(feature = "review")]
        Command::Review(arguments) => {
            review::ended(arguments, &cli.global).and_then(|ended| call.close(&ended))
        }
        #[cfg(feature = "review")]
        Command::Rules(arguments) => rules::run(arguments, &cli.global),
        #[cfg(feature = "review")]
        Command::Hook(arguments) => hook::run(arguments, &cli.global),
        #[cfg(not(feature = "review"))]
        Command::Review(_) | Command::Rules(_) | Command::Hook(_) => Err(Error::NoReview),
        #[cfg(feature = "store")]
        Command::History(arguments) => history::run(arguments, &cli.global),
        #[cfg(feature = "store")]
        Command::Show(arguments) => show::run(arguments, &cli.global),
        #[cfg(feature = "store")]
        Command::Recheck(arguments) => recheck::run(arguments, &cli.global),
        #[cfg(not(feature = "store"))]
        Command::History(_) | Command::Show(_) | Command::Recheck(_) => Err(Error::NoStore),
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => serve::run(arguments, &cli.global),
        #[cfg(not(feature = "serve"))]
        Command::Serve(_) => Err(Error::NoServe),
        Command::Doctor(arguments) => doctor::run(arguments, &cli.global),
        Command::Init(arguments) => init::run(arguments, &cli.global),
        Command::Config(arguments) => config::run(arguments, &cli.global),
        Command::Completions(arguments) => completions::run(arguments),
        Command::Man(arguments) => man::run(arguments),
        Command::About(arguments) => about::run(arguments, &cli.global),
    }
}

/// One call of the program.
#[cfg_attr(
    not(feature = "store"),
    expect(
        dead_code,
        reason = "only the store asks when a run was and with which words"
    )
)]
pub(crate) struct CommandCall<'c> {
    /// Options that every command knows.
    pub(crate) global: &'c Global,
    /// The words of the command line, without the program.
    words: Vec<String>,
    began: SystemTime,
    start: Instant,
    /// The buffer that replaces standard output; `None` for standard output.
    out: Option<&'c RefCell<Vec<u8>>>,
}

impl<'c> CommandCall<'c> {
    fn of(global: &'c Global, arguments: &[OsString]) -> Self {
        let words = arguments
            .iter()
            .skip(1)
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        Self {
            global,
            words,
            began: SystemTime::now(),
            start: Instant::now(),
            out: None,
        }
    }

    /// Prints the report of a job in the requested format, then keeps the run. Every job ends here.
    pub(crate) fn close(&self, ended: &Ended) -> Result<Exit, Error> {
        #[cfg(feature = "store")]
        let took = self.start.elapsed();
        // The time is taken before printing: a pager stays open for as long as a person reads.
        let look = PageLook {
            colour: ask::wants_colour(self.global),
            verbose: self.global.verbose,
        };
        let mut write = |out: &mut dyn Write| ended.report.write(self.global.format, look, out);
        let printed = match self.out {
            Some(out) => write(&mut *out.borrow_mut())
                .map_or_else(|error| Err(Error::Write(error)), |()| Ok(ended.exit)),
            None => print(ended.exit, &mut write),
        };
        // A run whose output could not be written is kept as well, for `grounds show`.
        #[cfg(feature = "store")]
        keep::keep(ended, self, took);
        printed
    }
}

/// Prints an error of the command line. Help and version are results; anything else is a usage
/// error.
fn not_parsed(error: &clap::Error) -> Exit {
    // An argument may come from a script that passes on foreign text.
    let _ = match safe::for_terminal(&error.render().to_string()) {
        Cow::Borrowed(_) => error.print(),
        Cow::Owned(shown) => write!(anstream::stderr().lock(), "{shown}"),
    };
    let Some(code) = code_of(error.kind()) else {
        return Exit::Answered;
    };
    // `grounds` alone prints the help, under which a line about an error would confuse.
    if error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = writeln!(
            anstream::stderr().lock(),
            "\n  more: grounds explain {code}"
        );
    }
    code.exit()
}

/// Returns the code of what is wrong with a command line; `None` if it is correct.
fn code_of(kind: ErrorKind) -> Option<Code> {
    match kind {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => None,
        ErrorKind::UnknownArgument => Some(Code::ArgumentUnknown),
        ErrorKind::InvalidSubcommand => Some(Code::CommandUnknown),
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Some(Code::CommandMissing)
        }
        ErrorKind::MissingRequiredArgument | ErrorKind::TooFewValues => Some(Code::ArgumentMissing),
        ErrorKind::ArgumentConflict => Some(Code::ArgumentConflict),
        ErrorKind::InvalidUtf8 => Some(Code::ArgumentNoText),
        // The kinds are another crate's: those that remain, and those to come, are about values.
        _ => Some(Code::ValueInvalid),
    }
}

/// Prints an error: what was tried, on what, why it failed, what to do next, and where it is
/// explained.
fn tell(error: &Error, global: &Global) -> Exit {
    let mut stderr = anstream::stderr().lock();
    let code = error.code();
    if global.progress {
        // Standard error is a stream of JSON lines here, so an error is an event among them.
        let object = serde_json::json!({"type": "error", "code": code.as_str(), "message": error.to_string(), "advice": error.advice()});
        let _ = writeln!(stderr, "{}", safe::for_json(&object.to_string()));
        return error.exit();
    }
    let red = anstyle::AnsiColor::Red.on_default().bold();
    let red = if global.no_color {
        anstyle::Style::new()
    } else {
        red
    };
    let _ = writeln!(
        stderr,
        "{red}error:{red:#} {}",
        safe::for_terminal(&error.to_string())
    );
    let _ = writeln!(stderr, "  try: {}", safe::for_terminal(&error.advice()));
    let _ = writeln!(stderr, "  more: grounds explain {code}");
    error.exit()
}

fn schema(of: SchemaOf) -> Result<Exit, Error> {
    let schema = match of {
        SchemaOf::Ask => AskReport::schema(),
        SchemaOf::Check => crate::output::check::CheckReport::schema(),
        SchemaOf::Verify => VerifyReport::schema(),
        SchemaOf::VerifyDecideInput => grounds_verify::wire::input_schema(),
        SchemaOf::VerifyDecide => grounds_verify::wire::output_schema(),
        #[cfg(feature = "store")]
        SchemaOf::History => crate::output::store::HistoryReport::schema(),
        #[cfg(feature = "store")]
        SchemaOf::Recheck => crate::output::store::RecheckReport::schema(),
        SchemaOf::Doctor => DoctorReport::schema(),
        #[cfg(feature = "review")]
        SchemaOf::Review => crate::output::review::ReviewReport::schema(),
        #[cfg(feature = "review")]
        SchemaOf::Rules => schemars::schema_for!(crate::output::rules::RulesReport),
        #[cfg(feature = "mcp")]
        SchemaOf::Mcp => crate::mcp::CallReport::schema(),
        #[cfg(feature = "fleet")]
        of @ (SchemaOf::FleetJob | SchemaOf::FleetResult | SchemaOf::FleetStatus) => {
            fleet::schema_of(of)
        }
        SchemaOf::Config => crate::config::keys::schema(),
        SchemaOf::ConfigShow => crate::output::config::ConfigReport::schema(),
        SchemaOf::About => crate::output::about::AboutReport::schema(),
        SchemaOf::Explain => crate::output::explain::ExplainReport::schema(),
        SchemaOf::Eval => grounds_eval::EvalReport::schema(),
    };
    let text = serde_json::to_string_pretty(&schema).map_err(|error| Error::Write(error.into()))?;
    print(Exit::Answered, &mut |out| writeln!(out, "{text}"))
}

/// Prints a result. A reader that has gone away is no fault of the result.
fn print(
    exit: Exit,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<Exit, Error> {
    let written = match pager::chosen() {
        // The pager is used only for what is longer than a screen, so all of it is written first.
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
        // `grounds ask … | head -1` closes the pipe early and has what it wanted.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::Write(error)),
        Ok(()) | Err(_) => Ok(exit),
    }
}
