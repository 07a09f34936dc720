//! A program that may be installed: its path, and the version that it prints. Runs nothing of the
//! checkout: its folders are not searched, and the working directory of the program is the root
//! folder.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use grounds_repo::programs;

/// Milliseconds that a program has to print its version.
const ANSWER_MS_MAX: u64 = 10_000;
/// Milliseconds between two checks whether it has ended.
const LOOK_MS: u64 = 5;
/// Bytes of its output that are read.
const SAID_BYTES_MAX: u64 = 4 << 10;

/// The result of a search for a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProbedProgram {
    /// It is installed. Contains the first line that it prints about itself, or its path if it is
    /// not started.
    There(String),
    /// It is installed and does not work.
    Broken(String),
    /// It is not installed.
    Missing,
}

/// Returns the path of a program, or `None` if it is not installed.
pub(super) fn place(program: &str, checkout: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    // `PATH` may name a folder of the checkout, such as `node_modules/.bin`, whose programs are
    // foreign.
    programs::find(&path, program, &|folder| !folder.starts_with(checkout))
}

/// Searches a program and asks it for its version, if there are words for that.
pub(super) fn look(program: &str, words: &[&str], checkout: &Path) -> ProbedProgram {
    match place(program, checkout) {
        None => ProbedProgram::Missing,
        Some(place) if words.is_empty() => ProbedProgram::There(place.display().to_string()),
        Some(place) => ask(&place, words),
    }
}

fn ask(program: &Path, words: &[&str]) -> ProbedProgram {
    // Every user can write to the top of a drive on Windows, and a program looks for libraries in
    // its working directory.
    let stand = match program.parent() {
        Some(own) if cfg!(windows) => own,
        _ => Path::new("/"),
    };
    let mut command = Command::new(program);
    command
        .args(words)
        .current_dir(stand)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    // The version is parsed, so it must not come translated or in colour.
    command.env("LC_ALL", "C").env("NO_COLOR", "1");
    match command.spawn() {
        Ok(child) => heard(child),
        Err(error) => ProbedProgram::Broken(format!("it does not start: {error}")),
    }
}

fn heard(mut child: Child) -> ProbedProgram {
    let out = child.stdout.take();
    // A program that prints more than a pipe has room for would never end if nobody read it.
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = out.map(|out| out.take(SAID_BYTES_MAX).read_to_end(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    });
    let until = Instant::now() + Duration::from_millis(ANSWER_MS_MAX);
    let ended = loop {
        match child.try_wait() {
            Ok(None) if Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(LOOK_MS))
            }
            Ok(ended) => break ended,
            Err(_) => break None,
        }
    };
    let Some(status) = ended else {
        let _ = child.kill();
        let _ = child.wait();
        return ProbedProgram::Broken(format!(
            "it did not say its version within {ANSWER_MS_MAX} ms"
        ));
    };
    let said = reader.join().unwrap_or_default();
    let first = said
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default()
        .trim()
        .to_owned();
    if status.success() {
        ProbedProgram::There(first)
    } else {
        ProbedProgram::Broken(format!("it ended with {status}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_there_missing_or_broken() {
        let nowhere = Path::new("/nonexistent");
        assert!(
            matches!(look("sh", &["-c", "echo one; echo two"], nowhere), ProbedProgram::There(line) if line == "one")
        );
        assert!(matches!(
            look("sh", &["-c", "exit 3"], nowhere),
            ProbedProgram::Broken(_)
        ));
        assert_eq!(
            look("no-such-program-here", &["--version"], nowhere),
            ProbedProgram::Missing
        );
        assert_eq!(
            look("sh", &["-c", "true"], Path::new("/")),
            ProbedProgram::Missing
        );
    }
}
