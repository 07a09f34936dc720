//! `grounds check`: which statements of a text about the code are false?

mod baseline;
#[cfg(feature = "store")]
mod standing;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use grounds_check::document::TEXT_BYTES_MAX;
use grounds_check::{CheckOptions, CheckRun, CheckedDocument, StandingClaims, check, fixed};
use grounds_repo::history::HistoryReading;
use grounds_repo::limits::Limits;

#[cfg(feature = "store")]
use super::links;
use super::{ask, print, text};
use crate::cache_folder;
#[cfg(feature = "store")]
use crate::cli::Format;
use crate::cli::{Check, Global};
use crate::config;
use crate::error::Error;
use crate::exit::Exit;
use crate::output::check::CheckReport;
#[cfg(feature = "store")]
use crate::output::html;

pub(super) fn run(arguments: &Check, global: &Global) -> Result<Exit, Error> {
    let checkout = ask::open(global)?;
    let config = config::read(global.config.as_deref(), checkout.root())?;
    let checkout = match arguments.no_cache {
        true => checkout,
        false => ask::with_parses(checkout, &config),
    };
    let named = arguments.files.iter().chain(&arguments.pr_body);
    let files: Vec<PathBuf> = named.cloned().collect();
    #[cfg(feature = "store")]
    let kept = arguments
        .standing
        .then(|| standing::StandingStore::open(global, checkout.root()))
        .transpose()?;
    #[cfg(feature = "store")]
    let (files, kept) = match kept {
        Some(kept) if arguments.forget => return forget(kept, &files, checkout.root()),
        Some(kept) => (kept.files(&files, checkout.root())?, Some(kept)),
        None => (files, None),
    };
    let (files, documents) = texts(files, arguments, checkout.root())?;
    #[cfg(feature = "store")]
    let stood = kept.as_ref().map(|kept| kept.standing.clone());
    #[cfg(not(feature = "store"))]
    let stood = None;
    let limits = config.ask.budget().limits;
    let options = options(arguments, &limits, stood.unwrap_or_default());
    let mut report = check(&documents, &checkout, &limits, &options)?;
    warn(&report, global);
    #[cfg(feature = "store")]
    if let Some(kept) = kept {
        kept.keep(&documents, &report, &checkout, &options)?;
    }
    // Written before what is known already is taken out: a new baseline keeps that.
    let saved = arguments.save_baseline.as_ref();
    let baseline = saved.map(|path| (path, baseline::of(&documents, &report)));
    if let Some(path) = &arguments.baseline {
        baseline::apply(path, &documents, &mut report)?;
    }
    if let Some((path, baseline)) = baseline {
        baseline::save(path, &baseline)?;
    }
    if arguments.fix {
        fix(&files, &documents, &report, global)?;
    }
    let exit = exit(&report, arguments.require_claims);
    #[cfg(feature = "store")]
    if global.format == Format::Html {
        // The page marks the whole text, so it also needs the claims that hold.
        let every = CheckReport::of(&documents, &report, true);
        let links = links::of_checkout(&checkout);
        let page = html::of_check(&documents, &every, &links);
        return print(exit, &mut |out| writeln!(out, "{page}"));
    }
    let shown = CheckReport::of(&documents, &report, arguments.all);
    print(exit, &mut |out| {
        shown.write(global.format, ask::wants_colour(global), out)
    })
}

fn options(arguments: &Check, limits: &Limits, standing: StandingClaims) -> CheckOptions {
    CheckOptions {
        reads_history: !arguments.no_history,
        history: reading(arguments, limits),
        base: arguments.base.clone(),
        reads_comments: arguments.comments,
        standing,
    }
}

/// Returns how much of the history is read. Its index is kept if it may be and there is a place for
/// it.
fn reading(arguments: &Check, limits: &Limits) -> HistoryReading {
    HistoryReading {
        folder: cache_folder::of(cache_folder::HISTORIES).filter(|_| !arguments.no_cache),
        commits_max: arguments
            .recent_history
            .then_some(limits.history_run_commits_max),
        is_index_only: false,
    }
}

/// Warns that the next run will read the patches of the history again.
fn warn(report: &CheckRun, global: &Global) {
    if let Some(why) = report.history_unkept.as_ref().filter(|_| !global.quiet) {
        let _ = writeln!(
            std::io::stderr().lock(),
            "warning: the index of the history is not kept for the next run: {}",
            crate::safe::for_line(why)
        );
    }
}

/// Stops keeping documents, and prints which.
#[cfg(feature = "store")]
fn forget(kept: standing::StandingStore, files: &[PathBuf], root: &Path) -> Result<Exit, Error> {
    let names = kept.forget(files, root)?;
    print(Exit::Answered, &mut |out| {
        let mut each = names.iter();
        each.try_for_each(|name| {
            writeln!(out, "`{}` is kept no longer", crate::safe::for_line(name))
        })
    })
}

/// Reads the files. A link to a file that is named too has the same text, which is read once.
fn texts(
    files: Vec<PathBuf>,
    arguments: &Check,
    root: &Path,
) -> Result<(Vec<PathBuf>, Vec<CheckedDocument>), Error> {
    let stdin_name = arguments.stdin_name.as_deref();
    let (mut once, mut documents): (Vec<PathBuf>, Vec<CheckedDocument>) = Default::default();
    let mut names = BTreeSet::new();
    let last = files.len().saturating_sub(1);
    for (number, file) in files.into_iter().enumerate() {
        let document = document(&file, stdin_name, root)?;
        // The text of a change request may be a file that is named besides.
        if arguments.pr_body.is_some() && number == last && names.remove(&document.name) {
            let at = documents
                .iter()
                .position(|known: &CheckedDocument| known.name == document.name);
            if let Some(at) = at {
                documents.remove(at);
                once.remove(at);
            }
        }
        // `README.md` and `docs/index.md` that links to it would be accused of everything twice.
        if names.insert(document.name.clone()) {
            once.push(file);
            documents.push(document);
        }
    }
    // The text of a change request is named after all files.
    if let Some(last) = documents.pop() {
        documents.push(match arguments.pr_body {
            Some(_) => last.description(),
            None => last,
        });
    }
    Ok((once, documents))
}

/// Reads a text, and names it by its path in the tree, or as it was given.
fn document(file: &Path, stdin_name: Option<&Path>, root: &Path) -> Result<CheckedDocument, Error> {
    let (text, is_cut) = text::read_any(file, TEXT_BYTES_MAX)?;
    let file = stdin_name
        .filter(|_| file.as_os_str() == "-")
        .unwrap_or(file);
    // A document has one name from every folder of the tree, since a baseline knows it by that.
    let inside = file
        .canonicalize()
        .ok()
        .and_then(|path| path.strip_prefix(root).map(Path::to_owned).ok());
    let name = inside.unwrap_or_else(|| file.to_owned());
    Ok(CheckedDocument::new(&slashed(&name), &text).cut(is_cut))
}

/// Returns a path with slashes between its parts. A backslash is a part of a name on Unix.
fn slashed(path: &Path) -> String {
    path.to_string_lossy()
        .replace(std::path::MAIN_SEPARATOR, "/")
}

/// Writes the repaired texts back, each as a whole, and reports which.
fn fix(
    files: &[PathBuf],
    documents: &[CheckedDocument],
    report: &CheckRun,
    global: &Global,
) -> Result<(), Error> {
    for (number, (file, document)) in files.iter().zip(documents).enumerate() {
        let repaired = fixed(number, document, report);
        // Of a text that was read in part only this part would be written back.
        if let Some(repaired) = repaired.filter(|_| file.as_os_str() != "-" && !document.is_cut) {
            std::fs::write(file, repaired).map_err(|error| Error::Text {
                path: file.clone(),
                reason: format!("the repair could not be written: {error}"),
            })?;
            if !global.quiet {
                let name = crate::safe::for_line(&document.name);
                let _ = writeln!(std::io::stderr().lock(), "repaired `{name}`");
            }
        }
    }
    Ok(())
}

/// Returns the exit code. Notes do not fail a run; a text without accusations succeeds only if a
/// claim was decided to hold.
fn exit(report: &CheckRun, requires_claims: bool) -> Exit {
    let counts = report.counts();
    match () {
        () if counts.accused > counts.notes => Exit::False,
        () if counts.claims == 0 && requires_claims => Exit::Insufficient,
        () if counts.claims > 0 && counts.holds == 0 => Exit::Insufficient,
        () => Exit::Answered,
    }
}
