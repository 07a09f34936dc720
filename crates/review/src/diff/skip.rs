//! The changed files that no model is asked about, and why: by file name, by the beginning of the
//! content, and by size. Attributes of the repository are ignored, since the author of a change
//! could use them to choose what is reviewed.

use grounds_model::material::is_secret_file;

use super::{ChangedFile, FileChange};
use crate::report::SkipReason;

/// Number of bytes at the head of a file in which a program may say that it wrote it.
const HEAD_BYTES_MAX: usize = 2_048;
/// Number of bytes of a first line that no person writes.
const LINE_BYTES_MAX: usize = 20_000;

/// The sizes up to which a model is asked about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkipLimits {
    /// Bytes of the file.
    pub file_bytes_max: usize,
    /// Changed lines of the file.
    pub file_changed_lines_max: usize,
}

impl Default for SkipLimits {
    fn default() -> Self {
        Self {
            file_bytes_max: 1 << 20,
            file_changed_lines_max: 5_000,
        }
    }
}

const LOCK_FILES: &[&str] = &[
    "bun.lock",
    "bun.lockb",
    "cabal.project.freeze",
    "Cargo.lock",
    "Cartfile.resolved",
    "composer.lock",
    "conan.lock",
    "deno.lock",
    "flake.lock",
    "Gemfile.lock",
    "go.sum",
    "go.work.sum",
    "gradle.lockfile",
    "mix.lock",
    "MODULE.bazel.lock",
    "npm-shrinkwrap.json",
    "Package.resolved",
    "package-lock.json",
    "packages.lock.json",
    "paket.lock",
    "pdm.lock",
    "Pipfile.lock",
    "pixi.lock",
    "pnpm-lock.yaml",
    "Podfile.lock",
    "poetry.lock",
    "pubspec.lock",
    "rebar.lock",
    "shard.lock",
    "stack.yaml.lock",
    "uv.lock",
    "yarn.lock",
    ".terraform.lock.hcl",
];
const GENERATED_MARKS: &[&str] = &[
    ".designer.cs",
    ".freezed.dart",
    ".g.cs",
    ".g.dart",
    ".generated.",
    ".gen.go",
    ".js.map",
    ".css.map",
    ".min.css",
    ".min.js",
    ".pb.cc",
    ".pb.go",
    ".pb.h",
    ".pb.rs",
    "_generated.",
    "_pb2.py",
    "_pb2.pyi",
    "_pb2_grpc.py",
    "_pb.d.ts",
    "_pb.js",
    "bindata.go",
];
const GENERATED_FOLDERS: &[&str] = &["__generated__", "__snapshots__", "generated", "autogen"];
const VENDORED_FOLDERS: &[&str] = &[
    "_vendor",
    "bower_components",
    "node_modules",
    "site-packages",
    "third-party",
    "third_party",
    "thirdparty",
    "vendor",
    "vendored",
];

/// Returns why no model is asked about a changed file, or `None` if one is. `text` is the file at
/// the reviewed side and `base` at the base, if they are available. A head that says that a program
/// wrote the file counts only if the base had it.
pub fn reason(
    file: &ChangedFile,
    text: Option<&[u8]>,
    base: Option<&[u8]>,
    limits: &SkipLimits,
) -> Option<SkipReason> {
    match file.change {
        FileChange::Binary => return Some(SkipReason::Binary),
        FileChange::Submodule => return Some(SkipReason::Submodule),
        FileChange::ModeOnly => return Some(SkipReason::ModeOnly),
        FileChange::Renamed => return Some(SkipReason::RenamedOnly),
        FileChange::Deleted => return Some(by_name(&file.path).unwrap_or(SkipReason::Deleted)),
        FileChange::Added | FileChange::Modified => {}
    }
    // A file of secrets is not sent, so it must not count as judged by a model.
    if is_secret_file(&file.path) {
        return Some(SkipReason::Secret);
    }
    by_name(&file.path)
        .or_else(|| {
            text.and_then(by_head)
                // Otherwise a change could add `@generated` to a file to keep the model from
                // reading it.
                .filter(|_| base.and_then(by_head).is_some())
        })
        .or_else(|| {
            let is_large = text.is_some_and(|text| text.len() > limits.file_bytes_max);
            (is_large || file.changed_lines() > limits.file_changed_lines_max)
                .then_some(SkipReason::TooLarge)
        })
}

/// Reports by its name alone whether others wrote a file or a program made it.
pub(crate) fn is_of_others(path: &str) -> bool {
    by_name(path).is_some()
}

fn by_name(path: &str) -> Option<SkipReason> {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let lower = name.to_lowercase();
    let lies_in = |names: &[&str]| {
        folders
            .split('/')
            .any(|folder| names.contains(&folder.to_lowercase().as_str()))
    };
    match () {
        () if LOCK_FILES.contains(&name) => Some(SkipReason::LockFile),
        () if lies_in(VENDORED_FOLDERS) => Some(SkipReason::Vendored),
        () if GENERATED_MARKS.iter().any(|mark| lower.contains(mark))
            || lies_in(GENERATED_FOLDERS) =>
        {
            Some(SkipReason::Generated)
        }
        () => None,
    }
}

/// Reports a file as generated if its head says so, or if its first line is longer than a person
/// writes.
fn by_head(text: &[u8]) -> Option<SkipReason> {
    let head = String::from_utf8_lossy(&text[..text.len().min(HEAD_BYTES_MAX)]).to_lowercase();
    let is_said = head
        .lines()
        .filter(|line| is_comment(line))
        .any(says_generated);
    let first_lines = text
        .get(..LINE_BYTES_MAX)
        .is_some_and(|start| memchr::memchr(b'\n', start).is_none());
    (is_said || first_lines).then_some(SkipReason::Generated)
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    [
        "//", "#", "/*", "*", "--", ";", "<!--", "\"\"\"", "%", "rem ",
    ]
    .iter()
    .any(|mark| line.starts_with(mark))
}

fn says_generated(line: &str) -> bool {
    // `autogenerated` alone can be about something else, so a word such as `file` or `by` has to be
    // on the line too.
    let is_tag = line
        .split(|character: char| {
            !(character.is_alphanumeric() || character == '@' || character == '-')
        })
        .any(|word| matches!(word, "@generated" | "auto-generated" | "autogenerated"));
    let is_told = line.contains("generated")
        && (line.contains("do not edit")
            || line.contains("do not modify")
            || line.contains("by the protocol buffer"));
    is_told
        || (is_tag
            && (line.contains("@generated")
                || line.contains("file")
                || line.contains("<auto")
                || line.contains("by ")))
}
