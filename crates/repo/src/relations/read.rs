//! Reads the files of a language family, in parallel and within bounds.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use grounds_syntax::origins::LanguageFamily;
use grounds_syntax::{Parser, languages};

use super::tree::{RelationFile, RelationIndex};
use super::{RELATIONS_BYTES_MAX, RELATIONS_FILES_MAX, RELATIONS_MS_MAX};
use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::listing;
use crate::parses;
use crate::path::RepoPath;
use crate::{text, threads};

/// Returns the files of the families in which the definitions lie, and the bounds that were
/// reached.
pub(super) fn tree(
    checkout: &Checkout,
    name: &str,
    families: &BTreeSet<LanguageFamily>,
    limits: &Limits,
) -> Option<(RelationIndex, Vec<&'static str>)> {
    if families.is_empty() {
        return None;
    }
    let deadline = Instant::now() + Duration::from_millis(RELATIONS_MS_MAX.min(limits.pass_ms_max));
    let (paths, manifests) = paths(checkout, families, limits);
    let mut bounds = Vec::new();
    let within = paths.len().min(RELATIONS_FILES_MAX);
    if within < paths.len() {
        bounds.push("relations_files_max");
    }
    let reading = RelationReading {
        checkout,
        name,
        limits,
        deadline,
        bytes: AtomicU64::new(0),
        bounds: Mutex::default(),
    };
    let files = reading.all(&paths[..within]);
    bounds.extend(
        reading
            .bounds
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner),
    );
    let is_complete = bounds.is_empty();
    Some((
        RelationIndex::new(files, manifests, is_complete, deadline),
        bounds,
    ))
}

/// Files that name the modules and packages of a tree.
const MANIFESTS: [&str; 3] = ["go.mod", "Cargo.toml", "package.json"];

/// Returns the files of some families in a fixed order, and the texts of the files in
/// [`MANIFESTS`].
fn paths(
    checkout: &Checkout,
    families: &BTreeSet<LanguageFamily>,
    limits: &Limits,
) -> (Vec<RepoPath>, Vec<(String, String)>) {
    let mut paths = Vec::new();
    let mut manifests = Vec::new();
    for (path, entry) in listing::of(checkout, limits).files(checkout) {
        let name = path.file_name().to_owned();
        if MANIFESTS.contains(&name.as_str()) {
            let text = text::read_whole(&entry.path, 1 << 20).unwrap_or_default();
            let text = String::from_utf8_lossy(&text).into_owned();
            manifests.push((path.as_str().to_owned(), text));
        }
        let family = languages::of_name(&name)
            .and_then(|language| LanguageFamily::of_language(language.name));
        if family.is_some_and(|family| families.contains(&family)) {
            paths.push(path);
        }
    }
    // The bound on files must leave out the same ones in every run.
    paths.sort();
    manifests.sort();
    (paths, manifests)
}

struct RelationReading<'a> {
    checkout: &'a Checkout,
    name: &'a str,
    limits: &'a Limits,
    deadline: Instant,
    bytes: AtomicU64,
    bounds: Mutex<BTreeSet<&'static str>>,
}

impl RelationReading<'_> {
    fn all(&self, paths: &[RepoPath]) -> Vec<RelationFile> {
        let read = |parser: &mut Parser, path: &RepoPath| self.file(parser, path);
        let files = threads::each(paths, self.limits.threads, Parser::default, read);
        files.into_iter().flatten().collect()
    }

    fn file(&self, parser: &Parser, path: &RepoPath) -> Option<RelationFile> {
        if Instant::now() > self.deadline {
            self.reached("relations_ms_max");
            return None;
        }
        let file = self.checkout.root().join(path.as_path());
        let Ok(source) = text::read_whole(&file, self.limits.parse_file_bytes_max) else {
            self.reached("parse_file_bytes_max");
            return None;
        };
        let before = self.bytes.fetch_add(source.len() as u64, Ordering::Relaxed);
        if before > RELATIONS_BYTES_MAX {
            self.reached("relations_bytes_max");
            return None;
        }
        let language = languages::of_file(path.file_name(), &source)?;
        let family = LanguageFamily::of_language(language.name)?;
        let stop = || Instant::now() > self.deadline;
        // A text without the name has the same origins whatever the name is, so the kept result
        // serves any name.
        let name = memchr::memmem::find(&source, self.name.as_bytes()).map(|_| self.name);
        let asked = [
            b"origins",
            language.name.as_bytes(),
            name.unwrap_or_default().as_bytes(),
        ];
        let origins = parses::once(self.checkout, &asked, &source, || {
            let Ok(parse) = parser.parse(language, &source, &stop) else {
                self.reached("relations_ms_max");
                return None;
            };
            parse.origins(name.as_slice())
        })?;
        if origins.is_partial {
            self.reached("relations_depth_max");
        }
        let newlines = memchr::memchr_iter(b'\n', &source).collect();
        Some(RelationFile {
            path: path.as_str().to_owned(),
            family,
            origins,
            newlines,
        })
    }

    fn reached(&self, bound: &'static str) {
        self.bounds
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .insert(bound);
    }
}
