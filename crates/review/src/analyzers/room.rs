//! The folder in which an analyzer runs: it contains only the files that the analyzer gets, without
//! a network, inside the sandbox.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use grounds_repo::limits::Limits;
use grounds_repo::process::{self, Ending, Environment, Order, Room, Sweeper, Walls};

use super::{Analyzer, AnalyzerInput, RoomFile};
use crate::diff::Change;

/// Timeout of one analyzer, in milliseconds.
const ANALYZER_MS_MAX: u64 = 120_000;
/// Maximum number of bytes of one report.
const REPORT_BYTES_MAX: usize = 64 << 20;

/// The output of a run.
pub(super) struct RoomOutput {
    pub(super) code: i32,
    pub(super) out: String,
    pub(super) complaint: String,
}

/// Reports whether a program is installed outside of the repository.
pub(super) fn is_installed(program: &str, change: &Change) -> bool {
    let top = change.top.as_deref().unwrap_or(Path::new("/"));
    // To search a program, neither a home nor a folder for temporary files is needed.
    let nowhere = Path::new("/nonexistent");
    Environment::private(nowhere, nowhere, top)
        .find(program)
        .is_some()
}

/// Runs an analyzer over its input.
///
/// # Errors
/// The reason that it did not end in a way that can be judged.
pub(super) fn run(
    analyzer: &Analyzer,
    material: &AnalyzerInput,
    change: &Change,
) -> Result<RoomOutput, String> {
    let cannot = |error: std::io::Error| format!("no private folder could be made for it: {error}");
    let private = tempfile::Builder::new()
        .prefix("grounds-run-")
        .tempdir()
        .map_err(cannot)?;
    let _sweeper = Sweeper::over(private.path());
    let room = Room::make(private.path()).map_err(cannot)?;
    let tree = room.work().join("tree");
    let (home, temporary) = (room.work().join("home"), room.work().join("tmp"));
    let top = change.top.as_deref().unwrap_or(Path::new("/"));
    let environment = Environment::private(&home, &temporary, top);
    let program = environment
        .find(&analyzer.words[0])
        .ok_or_else(|| format!("`{}` is not installed", analyzer.words[0]))?;
    let limits = Limits {
        run_output_bytes_max: REPORT_BYTES_MAX,
        ..Limits::default()
    };
    let walls = Walls::raise(&room, &environment, &[], &limits)
        .map_err(|why| format!("there is no sandbox to run it in: {why}"))?;
    for file in material.settings.iter().chain(&material.files) {
        write(&tree, file).map_err(cannot)?;
    }
    let words = words(analyzer, material, program);
    let order = Order {
        words: &words,
        folder: &tree,
        room: &room,
        environment: &environment,
        deadline: Instant::now() + Duration::from_millis(ANALYZER_MS_MAX),
    };
    let ended = process::run(&order, &walls, &limits).map_err(cannot)?;
    match ended.ending {
        Ending::Bound(bound) => Err(format!("it reached a bound: {bound}")),
        Ending::Exited(code) => Ok(RoomOutput {
            code,
            out: ended
                .out
                .whole()
                .ok_or_else(|| format!("its report has more than {REPORT_BYTES_MAX} bytes"))?,
            complaint: ended.err.text(),
        }),
    }
}

fn words(analyzer: &Analyzer, material: &AnalyzerInput, program: PathBuf) -> Vec<OsString> {
    let mut words = vec![program.into_os_string()];
    words.extend(analyzer.words.iter().skip(1).map(OsString::from));
    for (path, _) in &material.settings {
        if let Some(option) = analyzer.options.get(path) {
            words.extend([option, path].map(OsString::from));
        }
    }
    // `./` keeps a file name that begins with `-` from being read as an option.
    words.extend(
        material
            .files
            .iter()
            .map(|(path, _)| OsString::from(format!("./{path}"))),
    );
    words
}

/// Writes a file below the folder of a run. Git leaves out paths that lead out of the folder, and
/// so does this function.
fn write(tree: &Path, (path, bytes): &RoomFile) -> std::io::Result<()> {
    let path = Path::new(path);
    if !path
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        return Err(std::io::Error::other("a path leads out of the tree"));
    }
    let file = tree.join(path);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, bytes)
}
