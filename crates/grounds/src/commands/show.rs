//! `grounds show`: a kept run, in every format; and shared functions of the commands over the
//! store: opening it and finding the run.

use std::io::{self, Write};
use std::path::Path;

use super::{links, print};
use crate::cli::{Format, Global, Show, TextFormat, WhichRun};
use crate::config;
use crate::error::Error;
use crate::exit::Exit;
use crate::output::html;
use crate::output::store::head_lines;
use crate::safe;
use crate::store::{self, Run, Store, StoreBounds};

pub(super) fn run(arguments: &Show, global: &Global) -> Result<Exit, Error> {
    let run = find(&arguments.which, global)?;
    let text = text(&run, global.format)?;
    match &arguments.out {
        None => print(Exit::Answered, &mut |out| out.write_all(text.as_bytes())),
        Some(path) => write(path, &text, global),
    }
}

/// Returns the run that is meant.
pub(super) fn find(which: &WhichRun, global: &Global) -> Result<Run, Error> {
    let store = open(global)?;
    Ok(match &which.run {
        Some(word) => store.find(word)?,
        None => store.last()?,
    })
}

/// Opens the person's store with its bounds, and creates it if it does not exist.
pub(super) fn open(global: &Global) -> Result<Store, Error> {
    let store = Store::open(bounds(global)?)?;
    if let Some(aside) = store.set_aside() {
        let shown = safe::for_line(&aside.display().to_string());
        let _ = writeln!(
            io::stderr().lock(),
            "warning: the store of runs could not be read: it was set aside as `{shown}`, and a new one was made"
        );
    }
    Ok(store)
}

/// Returns the person's store if there is one, else the bounds that it would have: looking does not
/// create it.
pub(super) fn present(global: &Global) -> Result<Result<Store, StoreBounds>, Error> {
    match store::file()?.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Err(bounds(global)?)),
        Ok(_) | Err(_) => open(global).map(Ok),
    }
}

fn bounds(global: &Global) -> Result<StoreBounds, Error> {
    Ok(StoreBounds::of(
        &config::read_own(global.config.as_deref())?.store,
    ))
}

/// Returns a run in a format. JSON is the report as it was printed then.
fn text(run: &Run, format: Format) -> Result<String, Error> {
    let head = || head_lines(&run.head);
    if format == Format::Html {
        let links = links::of(run, links::editor().as_ref());
        return html::of_run(run, &links).map_err(|reason| Error::Kept {
            run: run.head.id.clone(),
            reason,
        });
    }
    Ok(match format.as_text() {
        // A program that reads reports must be able to read this one, so nothing is added.
        TextFormat::Json => run.report.clone(),
        TextFormat::Pretty => format!(
            "{}\n\n{}",
            head().join("\n"),
            safe::for_terminal(&run.pretty)
        ),
        TextFormat::Markdown => {
            // Indented lines are code in Markdown, so a question in the head is shown as it is.
            let head: String = head().iter().map(|line| format!("    {line}\n")).collect();
            format!("{head}\n{}", safe::for_terminal(&run.markdown))
        }
    })
}

fn write(path: &Path, text: &str, global: &Global) -> Result<Exit, Error> {
    let wrong = |source: io::Error| Error::Out {
        path: path.to_owned(),
        reason: source.to_string(),
    };
    std::fs::write(path, text).map_err(wrong)?;
    if !global.quiet {
        let _ = writeln!(
            io::stderr().lock(),
            "written: {}",
            safe::for_line(&path.display().to_string())
        );
    }
    Ok(Exit::Answered)
}
