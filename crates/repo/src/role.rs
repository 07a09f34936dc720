//! The role of a file, decided by its path alone.

use grounds_evidence::FileRole;
use grounds_syntax::languages;

use crate::path::RepoPath;

const VENDORED: &[&str] = &[
    "vendor",
    "vendored",
    "third_party",
    "third-party",
    "thirdparty",
    "node_modules",
    "external",
    "deps",
    "site-packages",
    "bower_components",
    "pods",
    "_vendor",
    "extern",
];
const GENERATED: &[&str] = &[
    "generated",
    "gen",
    "dist",
    "build",
    "target",
    "out",
    "__generated__",
    "autogen",
];
const FIXTURES: &[&str] = &[
    "fixtures",
    "fixture",
    "testdata",
    "test_data",
    "test-data",
    "snapshots",
    "__snapshots__",
    "golden",
    "corpus",
];
const TESTS: &[&str] = &[
    "test",
    "tests",
    "testing",
    "spec",
    "specs",
    "__tests__",
    "e2e",
    "selftests",
    "kunit",
];
const BENCHES: &[&str] = &["bench", "benches", "benchmark", "benchmarks", "perf"];
const EXAMPLES: &[&str] = &["example", "examples", "sample", "samples", "demo", "demos"];
const DOCUMENTATION: &[&str] = &["doc", "docs", "documentation", "man", "website"];
const PROSE: &[&str] = &[
    "md", "rst", "txt", "adoc", "org", "tex", "html", "htm", "1", "5", "8", "mdx", "rdoc", "pod",
    "texi",
];
const DATA: &[&str] = &[
    "json",
    "jsonl",
    "yaml",
    "yml",
    "toml",
    "ini",
    "cfg",
    "conf",
    "xml",
    "csv",
    "tsv",
    "lock",
    "svg",
    "po",
    "pot",
    "properties",
    "plist",
    "env",
    "log",
    "patch",
    "diff",
    "ipynb",
    "snap",
];
const BACKUPS: &[&str] = &["bak", "orig", "rej", "swp", "old", "tmp"];
const BUILD_NAMES: &[&str] = &[
    "makefile",
    "gnumakefile",
    "cmakelists.txt",
    "dockerfile",
    "justfile",
    "rakefile",
    "gemfile",
    "build.rs",
    "build.gradle",
    "build.gradle.kts",
    "setup.py",
    "noxfile.py",
    "tasks.py",
    "meson.build",
    "build.zig",
    "build",
    "build.bazel",
    "workspace",
    "jenkinsfile",
    "vagrantfile",
    "configure.ac",
    "kconfig",
    "kbuild",
];

/// Returns the role of a file. The first rule that fits decides: a vendored test is vendored.
pub fn of(path: &RepoPath) -> FileRole {
    let lower = path.as_str().to_ascii_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let lies_in = |names: &[&str]| folders.split('/').any(|folder| names.contains(&folder));
    match () {
        () if name.ends_with('~') || BACKUPS.contains(&ending) => FileRole::Backup,
        () if lies_in(VENDORED) => FileRole::Vendored,
        // `src/build` is code of the project, `build` alone is mostly made by a build.
        () if is_generated(name) || lies_in(GENERATED) && !lies_in(&["src"]) => FileRole::Generated,
        () if lies_in(FIXTURES) => FileRole::Fixture,
        // `CMakeLists.txt` has the ending of prose.
        () if (PROSE.contains(&ending) || is_prose_name(name)) && !BUILD_NAMES.contains(&name) => {
            FileRole::Documentation
        }
        () if lies_in(TESTS) || folders.split('/').any(is_test_project) => FileRole::Test,
        // `jvmTest` is known by its capital, so the path is read in its own case.
        () if path.as_str().split('/').any(is_test_set) => FileRole::Test,
        () if is_test_name(name, ending) => FileRole::Test,
        () if lies_in(BENCHES) => FileRole::Bench,
        () if lies_in(EXAMPLES) => FileRole::Example,
        () if BUILD_NAMES.contains(&name) => FileRole::Build,
        () if DATA.contains(&ending) => FileRole::Data,
        () if lies_in(DOCUMENTATION) => FileRole::Documentation,
        () if is_header(name, ending) => FileRole::Header,
        () if languages::of_name(path.file_name()).is_some() || ending.is_empty() => {
            FileRole::Source
        }
        () => FileRole::Data,
    }
}

/// Returns the role of a file by its path as shown; data if that is no path in a tree.
pub fn of_shown(path: &str) -> FileRole {
    RepoPath::relative(std::path::Path::new(path)).map_or(FileRole::Data, |path| of(&path))
}

/// Reports whether a file of this role can define a name. In prose and data a name is only
/// mentioned.
pub fn is_code(role: FileRole, path: &RepoPath) -> bool {
    let by_name = || languages::of_name(path.file_name()).is_some();
    match role {
        FileRole::Source
        | FileRole::Header
        | FileRole::Build
        | FileRole::Test
        | FileRole::Bench
        | FileRole::Example => true,
        FileRole::Fixture
        | FileRole::Generated
        | FileRole::Vendored
        | FileRole::Documentation
        | FileRole::Data
        | FileRole::Backup => by_name(),
    }
}

/// Reports whether a file declares what is implemented elsewhere: a header of C, or typings of
/// TypeScript, Python or Ruby.
fn is_header(name: &str, ending: &str) -> bool {
    let typings = [".d.ts", ".d.mts", ".d.cts"];
    matches!(
        ending,
        "h" | "hpp" | "hh" | "hxx" | "inc" | "ipp" | "pyi" | "rbi"
    ) || typings.iter().any(|mark| name.ends_with(mark))
}

fn is_generated(name: &str) -> bool {
    [
        ".min.js",
        ".pb.go",
        ".pb.rs",
        "_pb2.py",
        ".g.dart",
        ".generated.",
        "_generated.",
        ".designer.cs",
        ".d.ts.map",
        ".pb.cc",
        ".pb.h",
        "bindata.go",
    ]
    .iter()
    .any(|mark| name.contains(mark))
}

fn is_prose_name(name: &str) -> bool {
    [
        "readme",
        "changelog",
        "changes",
        "license",
        "licence",
        "copying",
        "authors",
        "contributing",
        "news",
        "todo",
        "notice",
    ]
    .contains(&name)
}

/// Reports whether a folder is that of a project of tests: `Acme.Json.Tests`, `Acme.UnitTests`.
fn is_test_project(folder: &str) -> bool {
    let last = folder.rsplit_once('.').map_or("", |(_, last)| last);
    last == "test" || last.ends_with("tests")
}

/// Reports whether a folder is that of a source set of tests in Gradle: `jvmTest`, `androidTest`.
fn is_test_set(folder: &str) -> bool {
    folder.strip_suffix("Test").is_some_and(|target| {
        target.starts_with(|letter: char| letter.is_ascii_lowercase())
            && target.chars().all(|letter| letter.is_ascii_alphanumeric())
    })
}

fn is_test_name(name: &str, ending: &str) -> bool {
    let stem = name
        .strip_suffix(ending)
        .map_or(name, |stem| stem.trim_end_matches('.'));
    let marks = [
        "_test", "_tests", ".test", ".spec", "_spec", "-test", "-spec", ".test-d", ".spec-d",
    ];
    // Perl keeps its tests in files with this ending.
    ending == "t"
        || stem.starts_with("test_")
        || stem == "tests"
        || stem == "conftest"
        || marks.iter().any(|mark| stem.ends_with(mark))
}
