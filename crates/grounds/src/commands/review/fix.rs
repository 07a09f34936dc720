//! `grounds review --fix`: writes the fixes of rules into the working tree, if a file still has the
//! text that was judged. It never writes text of a model.

use std::io::Write as _;
use std::path::Path;

use grounds_repo::text::read_regular;
use grounds_review::Report;
use grounds_review::finding::Fix;
use grounds_review::report::{GateStanding, Reported};

/// Bytes of a file that is changed.
const FILE_BYTES_MAX: u64 = 16 << 20;

/// Writes what can be written, and returns what was done and what was not, in words.
pub(super) fn write(report: &Report, top: &Path) -> Vec<String> {
    let mut found: Vec<(&str, &Fix)> = report.findings.iter().filter_map(fix).collect();
    // `in_file` goes through a text once, from the first fix to the last.
    found.sort_by_key(|(path, fix)| (*path, fix.range.start, fix.range.end));
    if found.is_empty() {
        return vec!["no finding that blocks has a fix of its rule".to_owned()];
    }
    found
        .chunk_by(|(one, _), (other, _)| one == other)
        .map(|fixes| {
            let path = fixes[0].0;
            let fixes: Vec<&Fix> = fixes.iter().map(|(_, fix)| *fix).collect();
            match in_file(&top.join(path), top, &fixes) {
                Ok(count) if count == fixes.len() => format!("fixed in `{path}`: {count}"),
                Ok(count) => format!(
                    "fixed in `{path}`: {count} of {}; review again for those that overlap",
                    fixes.len()
                ),
                Err(why) => format!("not fixed in `{path}`: {why}"),
            }
        })
        .collect()
}

fn fix(reported: &Reported) -> Option<(&str, &Fix)> {
    let finding = &reported.finding;
    let fix = finding.exact.as_ref()?.fix.as_ref()?;
    (reported.standing == GateStanding::Blocks).then_some((finding.path.as_str(), fix))
}

/// Writes the fixes of one file, and returns how many.
fn in_file(file: &Path, top: &Path, fixes: &[&Fix]) -> Result<usize, String> {
    let said = |error: std::io::Error| error.to_string();
    // A folder that is a link leads out of the repository.
    let folder = file.parent().ok_or("it has no folder")?;
    let is_within = folder.canonicalize().map_err(said)? == folder_of(top, folder).map_err(said)?;
    if !is_within {
        return Err("its folder is reached through a link".to_owned());
    }
    let bytes = read_regular(file, FILE_BYTES_MAX).map_err(said)?;
    let is_judged = |fix: &&Fix| *blake3::hash(&bytes).as_bytes() == fix.judged;
    if !fixes.iter().all(is_judged) {
        return Err("its text is no longer the one that was judged".to_owned());
    }
    let (mut text, mut at, mut count) = (Vec::with_capacity(bytes.len()), 0, 0);
    for fix in fixes.iter().filter(|fix| fix.range.end <= bytes.len()) {
        // Two rules may repair the same line; the second fix would be written over text that no
        // longer exists.
        if fix.range.start >= at {
            text.extend_from_slice(&bytes[at..fix.range.start]);
            text.extend_from_slice(fix.text.as_bytes());
            (at, count) = (fix.range.end, count + 1);
        }
    }
    text.extend_from_slice(&bytes[at..]);
    replace(file, folder, &text).map_err(said)?;
    Ok(count)
}

/// Returns the folder below the top, with no link followed below it.
fn folder_of(top: &Path, folder: &Path) -> std::io::Result<std::path::PathBuf> {
    let below = folder.strip_prefix(top).unwrap_or(folder);
    Ok(top.canonicalize()?.join(below))
}

/// Replaces a file by a text, whole or not at all.
fn replace(file: &Path, folder: &Path, text: &[u8]) -> std::io::Result<()> {
    // A script stays executable.
    let rights = std::fs::metadata(file)?.permissions();
    let name = format!(".grounds-fix-{}", std::process::id());
    let new = folder.join(name);
    let mut out = std::fs::File::create_new(&new)?;
    let written = out
        .write_all(text)
        .and_then(|()| out.set_permissions(rights))
        .and_then(|()| std::fs::rename(&new, file));
    if written.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    written
}
