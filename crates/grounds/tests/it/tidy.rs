//! Machines keep the rules of the house. Each message says where to read why.

use std::path::{Path, PathBuf};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace")
}

pub(crate) fn files_below(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            files_below(&path, ending, found);
        } else if path.extension().is_some_and(|found| found == ending) {
            found.push(path);
        }
    }
    found.sort();
}

fn sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    files_below(&root().join("crates"), "rs", &mut files);
    let shown = |path: &PathBuf| {
        path.strip_prefix(root())
            .expect("below the root")
            .display()
            .to_string()
    };
    files
        .iter()
        .map(|path| {
            (
                shown(path),
                std::fs::read_to_string(path).expect("UTF-8 source"),
            )
        })
        .collect()
}

#[test]
fn every_file_opens_with_what_it_is() {
    let without: Vec<String> = sources()
        .into_iter()
        .filter(|(path, text)| !text.starts_with("//!") && !path.ends_with("/tests.rs"))
        .map(|(path, _)| path)
        .collect();
    assert!(
        without.is_empty(),
        "these files do not open with `//!` (CONTRIBUTING.md, \"Files\"): {without:#?}"
    );
}

#[test]
fn crates_point_left_only() {
    let order = [
        "shelf", "http", "fleet", "evidence", "claims", "model", "web", "syntax", "repo", "ask",
        "verify", "check", "review", "eval", "grounds",
    ];
    for (place, name) in order.iter().enumerate() {
        let manifest = std::fs::read_to_string(root().join("crates").join(name).join("Cargo.toml"))
            .expect("a manifest");
        for later in &order[place + 1..] {
            let line = format!("\ngrounds-{later}");
            assert!(
                !manifest.contains(&line),
                "crates/{name} may not depend on crates/{later} (ARCHITECTURE.md, \"The rooms\")"
            );
        }
    }
    let known = std::fs::read_dir(root().join("crates"))
        .expect("the crates")
        .count();
    assert_eq!(
        known,
        order.len(),
        "a new crate needs its place in this list and in ARCHITECTURE.md"
    );
}

#[test]
fn no_test_file_is_forgotten() {
    for (path, _) in sources()
        .into_iter()
        .filter(|(path, _)| path.ends_with("/tests.rs"))
    {
        let folder = Path::new(&path).parent().expect("a folder");
        let owners = [
            root().join(folder).with_extension("rs"),
            root().join(folder).join("mod.rs"),
        ];
        let named = owners
            .iter()
            .filter_map(|owner| std::fs::read_to_string(owner).ok())
            .any(|text| text.contains("mod tests;"));
        assert!(named, "{path} is not named by its module, so it never runs");
    }
}

#[test]
fn every_tool_and_language_is_documented() {
    let text = |name: &str| std::fs::read_to_string(root().join(name)).expect("a page");
    let (tools, languages) = (text("docs/tools.md"), text("docs/languages.md"));
    for tool in grounds_repo::tools::ALL {
        assert!(
            tools.contains(&format!("| {} |", tool.card().name)),
            "docs/tools.md has no row for `{}`",
            tool.card().name
        );
    }
    for language in grounds_syntax::languages::ALL.iter() {
        assert!(
            languages.contains(&format!("| {} |", language.name)),
            "docs/languages.md has no row for `{}`",
            language.name
        );
    }
}

#[test]
fn names_of_tools_are_unique() {
    let mut names: Vec<&str> = grounds_repo::tools::ALL
        .iter()
        .map(|tool| tool.card().name)
        .collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
}

#[test]
fn nothing_is_left_for_later_without_a_word() {
    let marks = ["todo!(", "unimplemented!(", "#[ignore]"];
    let left: Vec<String> = sources()
        .into_iter()
        .filter(|(path, _)| !path.ends_with("tidy.rs"))
        .filter(|(_, text)| {
            text.lines().any(|line| {
                marks.iter().any(|mark| line.contains(mark)) && !line.trim_start().starts_with("//")
            })
        })
        .map(|(path, _)| path)
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// The numbers of the scorecard are a second lens: what decides must not be able to see them.
#[test]
fn nothing_that_decides_sees_the_scorecard() {
    let may_name_it = |path: &str| {
        path.starts_with("crates/evidence/src/scorecard")
            || path == "crates/evidence/src/lib.rs"
            || path.starts_with("crates/grounds/src/output/")
            || path.starts_with("crates/eval/")
            || [
                "crates/grounds/src/cli.rs",
                "crates/grounds/src/commands/ask.rs",
                "crates/grounds/src/mcp/tools/ask.rs",
            ]
            .contains(&path)
            || path.starts_with("crates/grounds/tests/")
    };
    let seeing: Vec<String> = sources()
        .into_iter()
        .filter(|(path, text)| !may_name_it(path) && text.contains("scorecard"))
        .map(|(path, _)| path)
        .collect();
    assert!(
        seeing.is_empty(),
        "these files see the scorecard, which only the output may (docs/scorecard.md): {seeing:#?}"
    );
}

/// The files of a repository are opened by one door (`repo::text`, `repo::beneath`, and `repo::git::door` for `.git`): a link, a pipe or
/// ten gigabytes in the place of a file end at it. Every other way to open one is named here with its reason.
#[test]
fn files_of_a_repository_are_opened_by_one_door() {
    const DOORS: &[(&str, &str)] = &[
        ("crates/repo/src/git/door.rs", "the door to `.git`"),
        (
            "crates/repo/src/beneath/",
            "the calls of each system behind the door",
        ),
        (
            "crates/repo/src/git/room.rs",
            "writes files of its own folder",
        ),
        (
            "crates/repo/src/git/sweep.rs",
            "looks after its own folders",
        ),
        (
            "crates/repo/src/history/kept/",
            "files of the person's cache folder, with checksums",
        ),
        (
            "crates/repo/src/filter/file.rs",
            "a file of the person's cache folder, with checksums",
        ),
        (
            "crates/repo/src/index/mod.rs",
            "an index that the person may name, wherever it lies; bounded, and waits for no writer",
        ),
        (
            "crates/repo/src/process/",
            "files of the sandbox and of the kernel",
        ),
        (
            "crates/repo/src/toolchains/",
            "files of the private copy, by `beneath`, and programs of the system",
        ),
        ("crates/repo/src/ci/gh.rs", "the output of a program"),
        (
            "crates/grounds/src/commands/review/post/wire.rs",
            "the answer of a service, bounded",
        ),
        (
            "crates/review/src/rules/set.rs",
            "rules that the person names, bounded",
        ),
        (
            "crates/review/src/diff/load.rs",
            "a diff that the person names, bounded",
        ),
        (
            "crates/review/src/tree/checked_out.rs",
            "bytes that count only if they hash to the name of their object",
        ),
        ("crates/grounds/src/threads.rs", "files of the kernel"),
        (
            "crates/grounds/src/commands/fleet/pace.rs",
            "the name of the machine, a file of the kernel",
        ),
        (
            "crates/grounds/src/named.rs",
            "files that the person names, bounded and never a pipe that nobody writes to",
        ),
        (
            "crates/grounds/src/store/place.rs",
            "the person's own store",
        ),
        (
            "crates/grounds/src/commands/doctor/checks.rs",
            "makes a new file, to see whether it can",
        ),
        (
            "crates/grounds/src/commands/init.rs",
            "makes a new file beside links that it refuses",
        ),
    ];
    const MARKS: &[&str] = &[
        "File::open(",
        "std::fs::read(",
        "read_to_string(",
        "File::options(",
        "OpenOptions::new(",
        "WalkBuilder::new(",
    ];
    let is_judged = |path: &str| {
        let crates = ["repo", "ask", "check", "review", "syntax", "grounds"];
        crates
            .iter()
            .any(|name| path.starts_with(&format!("crates/{name}/src/")))
            && !path.contains("test")
            && !DOORS.iter().any(|(door, _)| path.starts_with(door))
    };
    let judged = sources().into_iter().filter(|(path, _)| is_judged(path));
    let other: Vec<String> = judged
        .filter(|(path, _)| path != "crates/repo/src/survey.rs")
        .flat_map(|(path, text)| {
            let code = text
                .split("#[cfg(test)]")
                .next()
                .unwrap_or_default()
                .to_owned();
            let lines = code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            let marked: Vec<String> = lines
                .filter(|line| MARKS.iter().any(|mark| line.contains(mark)))
                .map(|line| format!("{path}: {}", line.trim()))
                .collect();
            marked
        })
        .collect();
    assert!(other.is_empty(), "{other:#?}");
}
