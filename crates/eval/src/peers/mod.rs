//! Other tools on the same cases: installed programs that are asked for the same name. They are no
//! part of what is measured. A new one is one file and one line in [`ALL`].
//!
//! A peer understands no questions: it gets the words that the case names for it, or else the
//! target that was understood. The places that it lists count as its answer.

mod ctags;
mod probe;
mod ripgrep;

use std::ffi::OsString;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Serialize;

use crate::case::Case;
use crate::checkouts::Checkouts;
use crate::error::EvalError;
use crate::metrics::{FIRST, Share, Spread, mean, percentile};
use crate::observed::{Observed, Spot};
use crate::result::CaseResult;
use crate::verdict::{self, JudgedParts, Verdict};

/// Most milliseconds of one call.
const CALL_MS_MAX: u64 = 60_000;
/// Most bytes of its output that are read.
const OUTPUT_BYTES_MAX: u64 = 64 << 20;
/// Most places of one case that are kept.
const PLACES_MAX: usize = 50;
/// Milliseconds between two looks for its end.
const LOOK_MS: u64 = 2;

/// Another tool to compare with.
pub trait Peer: Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// Returns the program.
    fn program(&self) -> &'static str;
    /// Returns the words of a call that looks for a name in the current folder.
    fn words(&self, query: &str) -> Vec<OsString>;
    /// Returns the places in its output, best first.
    ///
    /// # Errors
    /// The output cannot be read, which is no evidence of absence.
    fn places(&self, said: &str, query: &str) -> std::io::Result<Vec<Spot>>;
}

/// Every peer.
pub const ALL: &[&dyn Peer] = &[&ripgrep::Ripgrep, &ctags::Ctags, &probe::Probe];

/// What came of a peer's cases: a row of the same table.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PeerFigures {
    /// Its name.
    pub name: String,
    /// The command that reproduces a case, run in its tree.
    pub command: String,
    /// Cases that it was given.
    pub cases: usize,
    /// Cases that are right in every respect.
    pub right: Share,
    /// Answers to cases that have no answer.
    pub false_answers: Share,
    /// Nothing where there is an answer.
    pub wrongful_refusals: Share,
    /// The first file is a labelled one, of its answers with labels.
    pub right_file: Share,
    /// The first line is a labelled one, of its answers with labels.
    pub right_line: Share,
    /// A labelled file is among the first 1, 3, 5, 10.
    pub first: Vec<Share>,
    /// The mean NDCG@10.
    pub ndcg10: Option<f64>,
    /// Milliseconds by the clock.
    pub wall_ms: Spread,
    /// Calls that broke or took too long: they are failed cases, and never right refusals.
    pub broke: usize,
}

/// One case of a peer.
struct PeerCase {
    is_answered: bool,
    is_answerable: Option<bool>,
    verdict: Verdict,
    judged: JudgedParts,
    wall_ms: f64,
    broke: bool,
}

/// Returns the peer of a name, if its program starts.
///
/// # Errors
/// [`EvalError::Peer`] when it is unknown or not installed.
pub fn of(name: &str) -> Result<&'static dyn Peer, EvalError> {
    let fault = |reason: String| EvalError::Peer {
        name: name.to_owned(),
        reason,
    };
    let known = || {
        ALL.iter()
            .map(|peer| peer.name())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let peer = ALL
        .iter()
        .copied()
        .find(|peer| peer.name() == name)
        .ok_or_else(|| fault(format!("the peers are {}", known())))?;
    let there = Command::new(peer.program())
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match there {
        // Any start shows that the program is installed, whatever it thinks of `--version`.
        Ok(_) => Ok(peer),
        Err(error) => Err(fault(format!(
            "`{}` does not start: {error}",
            peer.program()
        ))),
    }
}

/// Gives a peer the same cases, one after the other. Cases without a name to look for are left out.
pub fn compare(
    peer: &dyn Peer,
    cases: &[Arc<Case>],
    results: &[CaseResult],
    checkouts: &Checkouts,
    on_case: &dyn Fn(usize),
) -> PeerFigures {
    let mut seen = Vec::new();
    for (number, (case, result)) in cases.iter().zip(results).enumerate() {
        on_case(number);
        if let (Some(query), Ok(tree)) = (query(case, result), checkouts.of(&case.place)) {
            seen.push(ask(peer, case, &query, tree.checkout.root()));
        }
    }
    figures(peer, &seen)
}

/// Reports whether a case has a label and a name to look for. A case that broke has neither.
pub fn is_for_peers(result: &CaseResult) -> bool {
    let has_name = result.observed.as_ref().is_some_and(|seen| {
        !seen.is_ranking && seen.targets.iter().any(|target| !target.trim().is_empty())
    });
    has_name && result.expected.is_answerable().is_some()
}

/// Returns the words for a peer: those of the case, or the first target that was understood.
fn query(case: &Case, result: &CaseResult) -> Option<String> {
    let understood = || {
        result
            .observed
            .as_ref()
            .and_then(|seen| seen.targets.first().cloned())
    };
    case.query
        .clone()
        .or_else(understood)
        .filter(|_| is_for_peers(result))
}

fn ask(peer: &dyn Peer, case: &Case, query: &str, root: &Path) -> PeerCase {
    let start = Instant::now();
    let said = call(peer.program(), &peer.words(query), root);
    let wall_ms = start.elapsed().as_secs_f64() * 1e3;
    let places = said.and_then(|said| peer.places(&said, query));
    let broke = places.is_err();
    let mut cited = places.unwrap_or_default();
    cited.truncate(PLACES_MAX);
    cited
        .iter_mut()
        .for_each(|spot| spot.path = below(root, &spot.path));
    let is_answered = !cited.is_empty();
    let outcome = if is_answered {
        "answered"
    } else {
        "insufficient"
    };
    // A peer that finds nothing gets the labelled kind of refusal, because it has no kinds.
    let shown = Observed {
        outcome: outcome.to_owned(),
        refusal: case.expect.refusal.clone(),
        cited,
        ..Observed::default()
    };
    let (verdict, judged) = verdict::judge(&case.expect, &shown);
    // Otherwise a peer that breaks would count as one that rightly finds nothing.
    let verdict = if broke { Verdict::Failed } else { verdict };
    PeerCase {
        is_answered,
        is_answerable: case.expect.is_answerable(),
        verdict,
        judged,
        wall_ms,
        broke,
    }
}

/// Runs a program to its end, or kills it at the deadline.
fn call(program: &str, words: &[OsString], root: &Path) -> std::io::Result<String> {
    let mut command = Command::new(program);
    command
        .args(words)
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    let pipe = child.stdout.take();
    // A program that fills the pipe would wait for a reader, and never end.
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.map_or(Ok(0), |pipe| {
            pipe.take(OUTPUT_BYTES_MAX).read_to_end(&mut bytes)
        })
        .map(|_| bytes)
    });
    let deadline = Instant::now() + Duration::from_millis(CALL_MS_MAX);
    while child.try_wait()?.is_none() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(LOOK_MS));
    }
    let is_late = child.try_wait()?.is_none();
    // The program may have ended by itself, so a failure to end it is no fault.
    let _ = child.kill();
    let _ = child.wait();
    if is_late {
        return Err(std::io::ErrorKind::TimedOut.into());
    }
    let bytes = reader
        .join()
        .map_err(|_| std::io::Error::other("its output could not be read"))??;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn figures(peer: &dyn Peer, seen: &[PeerCase]) -> PeerFigures {
    let labelled =
        |part: &dyn Fn(&PeerCase) -> Option<bool>| Share::of_known(seen.iter().filter_map(part));
    let if_answerable = |wanted: bool, hit: &dyn Fn(&PeerCase) -> bool| {
        labelled(&|seen| (seen.is_answerable == Some(wanted)).then(|| hit(seen)))
    };
    let in_first = |first: usize| {
        let is_within = |rank: usize| rank <= first;
        labelled(&|seen| {
            seen.judged
                .ndcg10
                .map(|_| seen.judged.rank.is_some_and(is_within))
        })
    };
    PeerFigures {
        name: peer.name().to_owned(),
        command: command_line(peer),
        cases: seen.len(),
        right: labelled(&|seen| Some(seen.verdict == Verdict::Right)),
        false_answers: if_answerable(false, &|seen| seen.is_answered),
        wrongful_refusals: if_answerable(true, &|seen| !seen.is_answered),
        // As for the program's own figures, a place is judged only if it was given as an answer.
        right_file: labelled(&|seen| seen.judged.right_file.filter(|_| seen.is_answered)),
        right_line: labelled(&|seen| seen.judged.right_line.filter(|_| seen.is_answered)),
        first: FIRST.into_iter().map(in_first).collect(),
        ndcg10: mean(seen.iter().filter_map(|seen| seen.judged.ndcg10)),
        wall_ms: spread(seen.iter().map(|seen| seen.wall_ms)),
        broke: seen.iter().filter(|seen| seen.broke).count(),
    }
}

fn spread(times: impl Iterator<Item = f64>) -> Spread {
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    let at = |part: u32| percentile(&times, part);
    Spread {
        median: at(50),
        p95: at(95),
        most: at(100),
    }
}

fn command_line(peer: &dyn Peer) -> String {
    let words = peer.words("NAME");
    words.iter().fold(peer.program().to_owned(), |line, word| {
        line + " " + &word.to_string_lossy()
    })
}

/// Returns the path in the tree of one that a peer gives from the root of the machine.
fn below(root: &Path, path: &str) -> String {
    // Peers resolve links, so a temporary folder may have another name in their output.
    let whole = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let inside = Path::new(path)
        .strip_prefix(&whole)
        .ok()
        .and_then(Path::to_str);
    inside.unwrap_or(path).to_owned()
}

/// Parses `PATH:LINE:…` as a place.
fn of_line(line: &str) -> Option<Spot> {
    let (path, rest) = line.split_once(':')?;
    let (number, text) = rest.split_once(':')?;
    let line_start = number.parse().ok()?;
    let path = path.strip_prefix("./").unwrap_or(path).to_owned();
    Some(Spot {
        path,
        line_start,
        line_end: line_start,
        what: String::new(),
        text: text.to_owned(),
    })
}

#[cfg(test)]
mod tests;
