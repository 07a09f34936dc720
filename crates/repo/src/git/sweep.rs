//! Removes private folders of runs that were killed.
//!
//! A folder has the number of its process in its name. Once in a run, old folders of processes that
//! are gone are removed. A young one is kept: its process may run where it cannot be seen, in
//! another container.

use std::path::Path;
use std::sync::Once;
use std::time::Duration;

/// The beginning of the names of private folders.
const PREFIX: &str = "grounds-git-";
/// Entries of the folder of temporary files that are read.
const ENTRIES_MAX: usize = 10_000;
/// Minimum age of a folder that is removed: no job that keeps one takes so long.
const AGE_MIN: Duration = Duration::from_secs(24 * 60 * 60);

/// Returns the beginning of the name of a folder of this process.
pub(super) fn prefix() -> String {
    format!("{PREFIX}{}-", std::process::id())
}

/// Sweeps at the first call.
pub(super) fn once() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| sweep(&std::env::temp_dir()));
}

fn sweep(folder: &Path) {
    let Ok(listed) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in listed.take(ENTRIES_MAX).flatten() {
        let name = entry.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_prefix(PREFIX)?.split_once('-'))
            .and_then(|(number, _)| number.parse::<i32>().ok());
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && number.is_some_and(|number| is_left(number, &entry)) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Reports whether nobody will return to a folder.
fn is_left(process: i32, entry: &std::fs::DirEntry) -> bool {
    let changed = entry.metadata().and_then(|kind| kind.modified()).ok();
    let is_old = changed.is_some_and(|at| at.elapsed().is_ok_and(|age| age >= AGE_MIN));
    is_old && is_gone(process)
}

#[cfg(unix)]
fn is_gone(process: i32) -> bool {
    rustix::process::Pid::from_raw(process).is_none_or(|process| {
        rustix::process::test_kill_process(process) == Err(rustix::io::Errno::SRCH)
    })
}

/// Reports whether it is another process. No safe library here finds a process by its number, so
/// the age decides.
#[cfg(windows)]
fn is_gone(process: i32) -> bool {
    u32::try_from(process) != Ok(std::process::id())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn old_folders_of_processes_that_are_gone_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut child = std::process::Command::new("true")
            .spawn()
            .expect("a process");
        let path = |name: String| folder.path().join(name);
        let gone = path(format!("{PREFIX}{}-x", child.id()));
        let young = path(format!("{PREFIX}{}-young", child.id()));
        let (own, other) = (
            path(format!("{}x", prefix())),
            path("grounds-diff-x".to_owned()),
        );
        child.wait().expect("an end");
        for made in [&gone, &young, &own, &other] {
            std::fs::create_dir_all(made.join("refs")).expect("a folder");
        }
        for old in [&gone, &own, &other] {
            let at = std::time::SystemTime::now() - AGE_MIN * 2;
            let opened = std::fs::File::open(old).expect("a folder");
            opened.set_modified(at).expect("a time");
        }
        sweep(folder.path());
        assert!(!gone.exists() && young.exists() && own.exists() && other.exists());
    }
}
