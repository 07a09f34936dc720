//! Parses a diff into files, hunks and lines.
//!
//! Takes the bytes of a unified diff — what git writes, with or without its raw lines before it, or
//! `diff -u` — and returns the files in their order. Text that is not part of a diff (the words of
//! a mail, a commit message) is skipped; a diff that ends too early is an error, not a shorter
//! diff. One parser serves git's output and files, so that both mean the same.

use super::quoted;
use super::{
    ChangedFile, ChangedLine, DiffError, FileChange, Hunk, LineEnding, LineKind, MODE_SUBMODULE,
};

/// The raw line of git for one file, which is before the patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Raw {
    /// Its old mode, 0 if it was absent.
    pub(super) mode_old: u32,
    /// Its new mode.
    pub(super) mode_new: u32,
    /// Its old object; `None` if it has none, or if git has not hashed it.
    pub(super) blob_old: Option<String>,
    /// Its new object.
    pub(super) blob_new: Option<String>,
    /// The letter of git for the kind of change.
    pub(super) status: u8,
    /// Its name, or the old and the new one.
    pub(super) paths: Vec<Vec<u8>>,
}

/// A diff that was read.
#[derive(Clone, Debug, Default)]
pub(super) struct Patch {
    /// The raw lines before the patch.
    pub(super) raw: Vec<Raw>,
    /// The files of the patch.
    pub(super) sections: Vec<PatchSection>,
}

/// One file of a patch, as its header lines describe it.
#[derive(Clone, Debug, Default)]
pub(super) struct PatchSection {
    path_old: Option<Vec<u8>>,
    path_new: Option<Vec<u8>>,
    mode_old: Option<u32>,
    mode_new: Option<u32>,
    blob_old: Option<String>,
    blob_new: Option<String>,
    is_added: bool,
    is_deleted: bool,
    is_renamed: bool,
    pub(super) is_binary: bool,
    pub(super) hunks: Vec<Hunk>,
    is_of_git: bool,
    has_carriage_returns: bool,
}

/// Reads a diff that came as a file.
///
/// # Errors
/// Returns [`DiffError::NotADiff`] with the first line that is not part of a diff, and
/// [`DiffError::TooMuch`] past `lines_max` lines.
pub fn parse(bytes: &[u8], lines_max: usize) -> Result<Vec<ChangedFile>, DiffError> {
    let patch = read(bytes, lines_max)?;
    if patch.sections.is_empty() && !bytes.trim_ascii().is_empty() {
        return Err(DiffError::NotADiff {
            line: 1,
            what: "no file of a diff begins anywhere in it".to_owned(),
        });
    }
    let mut files: Vec<ChangedFile> = patch
        .sections
        .into_iter()
        .map(PatchSection::into_file)
        .collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// Parses the output of git.
pub(super) fn read(bytes: &[u8], lines_max: usize) -> Result<Patch, DiffError> {
    let mut reader = PatchReader {
        rest: bytes,
        line: 0,
        lines_max,
        hunk_lines: 0,
        hunk_end: 0,
        patch: Patch::default(),
    };
    while let Some(line) = reader.next() {
        reader.take(line)?;
    }
    Ok(reader.patch)
}

struct PatchReader<'b> {
    rest: &'b [u8],
    /// The number of the line that was read last.
    line: usize,
    lines_max: usize,
    hunk_lines: usize,
    /// The number of the last line of the last hunk.
    hunk_end: usize,
    patch: Patch,
}

impl<'b> PatchReader<'b> {
    /// Returns the next line, without its newline.
    fn next(&mut self) -> Option<&'b [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.line += 1;
        let end = memchr::memchr(b'\n', self.rest);
        let line = &self.rest[..end.unwrap_or(self.rest.len())];
        self.rest = end.map_or(&[], |end| &self.rest[end + 1..]);
        Some(line)
    }

    fn wrong(&self, what: &str) -> DiffError {
        DiffError::NotADiff {
            line: self.line,
            what: what.to_owned(),
        }
    }

    fn take(&mut self, whole: &'b [u8]) -> Result<(), DiffError> {
        // A diff that was saved with other line ends has a carriage return at each header too.
        // Those at lines of hunks may belong to the text.
        let line = whole.strip_suffix(b"\r").unwrap_or(whole);
        if let Some(names) = line.strip_prefix(b"diff --git ") {
            let (path_old, path_new) = names_of_header(names);
            let has_carriage_returns = whole.len() > line.len();
            self.patch.sections.push(PatchSection {
                path_old,
                path_new,
                has_carriage_returns,
                is_of_git: true,
                ..PatchSection::default()
            });
            return Ok(());
        }
        if line.starts_with(b"diff --cc ") || line.starts_with(b"diff --combined ") {
            return Err(
                self.wrong("a combined diff of a merge compares with several sides at once")
            );
        }
        // A line of `---` alone also separates the words of a mail from its diff, so the next line
        // decides.
        if line.starts_with(b"--- ") && self.rest.starts_with(b"+++ ") {
            return self.names(whole);
        }
        if line.starts_with(b"@@ -") {
            return self.hunk(line);
        }
        // A mail with a patch ends with `-- ` and the version of git, which is not a removed line.
        let is_of_hunk = self.line == self.hunk_end + 1 && line.starts_with(b"+")
            || line.starts_with(b"-") && !line.starts_with(b"--");
        if self.hunk_end > 0 && is_of_hunk && self.line == self.hunk_end + 1 {
            return Err(self.wrong("the hunk has more lines than its head says"));
        }
        if self.patch.sections.is_empty() && line.starts_with(b":") {
            self.patch.raw.extend(raw_of(line));
        }
        if let Some(section) = self
            .patch
            .sections
            .last_mut()
            .filter(|section| section.is_of_git && section.hunks.is_empty())
        {
            section.header(line);
        }
        Ok(())
    }

    /// Reads `--- old` and the line after it.
    fn names(&mut self, old: &[u8]) -> Result<(), DiffError> {
        let new = self
            .next()
            .ok_or_else(|| self.wrong("the diff ends after `---`"))?;
        let has_carriage_returns = old.ends_with(b"\r") && new.ends_with(b"\r");
        let name =
            |line: &[u8]| quoted::name(line[4..].strip_suffix(b"\r").unwrap_or(&line[4..])).0;
        let (old, new) = (name(old), name(new));
        // A diff of `diff -u` has no `diff --git` line, so these two lines begin the file.
        let begins = self
            .patch
            .sections
            .last()
            .is_none_or(|section| !section.is_of_git || !section.hunks.is_empty());
        if begins {
            self.patch.sections.push(PatchSection::default());
        }
        let Some(section) = self.patch.sections.last_mut() else {
            return Ok(());
        };
        section.has_carriage_returns |= has_carriage_returns;
        (section.is_added, section.is_deleted) = (
            section.is_added || old == b"/dev/null",
            section.is_deleted || new == b"/dev/null",
        );
        // `diff -u` writes the names as they are given. A prefix is removed only if both names have
        // one.
        let is_prefixed = section.is_of_git || [&old, &new].iter().all(|name| is_prefixed(name));
        let plain = |name: Vec<u8>| {
            if is_prefixed {
                without_prefix(&name)
            } else {
                name
            }
        };
        section.path_old = (old != b"/dev/null").then(|| plain(old));
        section.path_new = (new != b"/dev/null").then(|| plain(new));
        Ok(())
    }

    fn hunk(&mut self, header: &[u8]) -> Result<(), DiffError> {
        let counts = counts_of(header)
            .ok_or_else(|| self.wrong("this is not the head of a hunk (`@@ -1,2 +1,2 @@`)"))?;
        let has_carriage_returns = match self.patch.sections.last() {
            Some(section) => section.has_carriage_returns,
            None => return Err(self.wrong("a hunk without a file before it")),
        };
        let mut hunk = Hunk {
            old_start: counts.old_start,
            new_start: counts.new_start,
            lines: Vec::new(),
        };
        let (mut old, mut new) = (counts.old, counts.new);
        while old > 0 || new > 0 {
            let whole = self
                .next()
                .ok_or_else(|| self.wrong("the diff ends inside of a hunk"))?;
            let whole = if has_carriage_returns {
                whole.strip_suffix(b"\r").unwrap_or(whole)
            } else {
                whole
            };
            // Some programs remove blanks at the ends of lines, so an empty line is a context line
            // without text.
            let (mark, text) = whole
                .split_first()
                .map_or((b' ', whole), |(mark, text)| (*mark, text));
            let too_many = || self.wrong("the hunk has more lines than its head says");
            let kind = match mark {
                b' ' => LineKind::Context,
                b'+' => LineKind::Added,
                b'-' => LineKind::Removed,
                b'\\' => {
                    ends_file(&mut hunk);
                    continue;
                }
                _ => {
                    return Err(
                        self.wrong("a line of a hunk begins with a blank, `+`, `-` or `\\`")
                    );
                }
            };
            let old_number = (kind != LineKind::Added)
                .then(|| counts.old_start.saturating_add(counts.old - old));
            let new_number = (kind != LineKind::Removed)
                .then(|| counts.new_start.saturating_add(counts.new - new));
            old = old
                .checked_sub(u32::from(old_number.is_some()))
                .ok_or_else(too_many)?;
            new = new
                .checked_sub(u32::from(new_number.is_some()))
                .ok_or_else(too_many)?;
            hunk.lines.push(line_of(kind, old_number, new_number, text));
            self.count()?;
        }
        // `\ No newline at end of file` after the last line is not counted in the head of the hunk.
        if self.rest.starts_with(b"\\") {
            self.next();
            ends_file(&mut hunk);
        }
        if let Some(section) = self.patch.sections.last_mut() {
            section.hunks.push(hunk);
        }
        self.hunk_end = self.line;
        Ok(())
    }

    fn count(&mut self) -> Result<(), DiffError> {
        self.hunk_lines += 1;
        if self.hunk_lines > self.lines_max {
            return Err(DiffError::TooMuch {
                bound: "diff_lines_max",
                most: self.lines_max as u64,
                unit: "lines",
            });
        }
        Ok(())
    }
}

fn line_of(
    kind: LineKind,
    old_number: Option<u32>,
    new_number: Option<u32>,
    text: &[u8],
) -> ChangedLine {
    let (text, ending) = match text.strip_suffix(b"\r") {
        Some(text) => (text, LineEnding::CrLf),
        None => (text, LineEnding::Lf),
    };
    ChangedLine {
        kind,
        old_number,
        new_number,
        text: String::from_utf8_lossy(text).into_owned(),
        ending,
    }
}

/// Marks the line that was read last as the last one of its file: its carriage return belongs to
/// the text.
fn ends_file(hunk: &mut Hunk) {
    if let Some(last) = hunk.lines.last_mut() {
        if last.ending == LineEnding::CrLf {
            last.text.push('\r');
        }
        last.ending = LineEnding::None;
    }
}

impl PatchSection {
    /// Reads a line between `diff --git` and the first hunk.
    fn header(&mut self, line: &[u8]) {
        let after = |start: &str| line.strip_prefix(start.as_bytes());
        let mode = |text: &[u8]| {
            std::str::from_utf8(text)
                .ok()
                .and_then(|text| u32::from_str_radix(text.trim(), 8).ok())
        };
        if let Some(text) = after("old mode ") {
            self.mode_old = mode(text);
        } else if let Some(text) = after("new mode ") {
            self.mode_new = mode(text);
        } else if let Some(text) = after("deleted file mode ") {
            (self.mode_old, self.is_deleted) = (mode(text), true);
        } else if let Some(text) = after("new file mode ") {
            (self.mode_new, self.is_added) = (mode(text), true);
        } else if let Some(text) = after("rename from ").or_else(|| after("copy from ")) {
            self.path_old = Some(quoted::name(text).0);
            self.is_renamed = line.starts_with(b"rename");
            // A copy is a new file, and its source is unchanged.
            self.is_added |= !self.is_renamed;
        } else if let Some(text) = after("rename to ").or_else(|| after("copy to ")) {
            self.path_new = Some(quoted::name(text).0);
        } else if let Some(text) = after("index ") {
            self.objects(text);
        } else if line == b"GIT binary patch"
            || (line.starts_with(b"Binary files ") && line.ends_with(b" differ"))
        {
            self.is_binary = true;
        }
    }

    /// Reads the objects and the mode: `1f2e..3d4c 100644`.
    fn objects(&mut self, text: &[u8]) {
        let text = String::from_utf8_lossy(text);
        let (objects, mode) = text.split_once(' ').unwrap_or((&text, ""));
        let Some((old, new)) = objects.split_once("..") else {
            return;
        };
        (self.blob_old, self.blob_new) = (object(old), object(new));
        if let Ok(mode) = u32::from_str_radix(mode.trim(), 8) {
            // The line has a mode only if both sides have the same one.
            self.mode_old.get_or_insert(mode);
            self.mode_new.get_or_insert(mode);
        }
    }

    fn into_file(self) -> ChangedFile {
        let shown = |path: &Option<Vec<u8>>| {
            path.as_ref()
                .map(|path| String::from_utf8_lossy(path).into_owned())
        };
        let (old, new) = (shown(&self.path_old), shown(&self.path_new));
        let path = if self.is_deleted {
            old.clone().or(new)
        } else {
            new.or_else(|| old.clone())
        }
        .unwrap_or_default();
        let path_old = old.filter(|old| *old != path && !self.is_added);
        let change = self.change(path_old.is_some());
        let hunks = if change == FileChange::Submodule {
            Vec::new()
        } else {
            self.hunks
        };
        let (blob_old, blob_new) = (self.blob_old, self.blob_new);
        ChangedFile {
            path,
            path_old,
            change,
            blob_old,
            blob_new,
            mode_old: self.mode_old,
            mode_new: self.mode_new,
            hunks,
        }
    }

    fn change(&self, has_other_path: bool) -> FileChange {
        match () {
            () if [self.mode_old, self.mode_new].contains(&Some(MODE_SUBMODULE)) => {
                FileChange::Submodule
            }
            () if self.is_binary => FileChange::Binary,
            () if self.is_added => FileChange::Added,
            () if self.is_deleted => FileChange::Deleted,
            () if self.hunks.is_empty() && (self.is_renamed || has_other_path) => {
                FileChange::Renamed
            }
            () if self.hunks.is_empty() && self.mode_old != self.mode_new => FileChange::ModeOnly,
            () => FileChange::Modified,
        }
    }
}

/// Returns the name of an object, or `None` for the name of zeros, which means that there is no
/// object.
fn object(name: &str) -> Option<String> {
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_name && name.bytes().any(|byte| byte != b'0')).then(|| name.to_owned())
}

struct HunkCounts {
    old_start: u32,
    old: u32,
    new_start: u32,
    new: u32,
}

/// Reads the head of a hunk: `@@ -1,2 +3,4 @@`. A missing count is 1.
fn counts_of(header: &[u8]) -> Option<HunkCounts> {
    // After the second `@@` is a line of the file, which may not be UTF-8. The numbers are before
    // that.
    let text = std::str::from_utf8(&header[..header.len().min(80)])
        .or_else(|error| std::str::from_utf8(&header[..error.valid_up_to()]))
        .ok()?;
    let (old, rest) = text.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let pair = |text: &str| {
        let (start, count) = text.split_once(',').unwrap_or((text, "1"));
        Some((start.parse::<u32>().ok()?, count.parse::<u32>().ok()?))
    };
    let ((old_start, old), (new_start, new)) = (pair(old)?, pair(new)?);
    Some(HunkCounts {
        old_start,
        old,
        new_start,
        new,
    })
}

/// Reads a raw line: `:100644 100755 1f2e… 3d4c… M⇥path`.
fn raw_of(line: &[u8]) -> Option<Raw> {
    let tab = memchr::memchr(b'\t', line)?;
    let head = std::str::from_utf8(line.get(1..tab)?).ok()?;
    let words: Vec<&str> = head.split(' ').collect();
    let [mode_old, mode_new, blob_old, blob_new, status] = words[..] else {
        return None;
    };
    let mut paths = Vec::new();
    let mut rest = &line[tab..];
    while let Some(text) = rest.strip_prefix(b"\t") {
        let (path, after) = quoted::name(text);
        paths.push(path);
        rest = after;
    }
    let mode = |text: &str| u32::from_str_radix(text, 8).ok();
    Some(Raw {
        mode_old: mode(mode_old)?,
        mode_new: mode(mode_new)?,
        blob_old: object(blob_old),
        blob_new: object(blob_new),
        status: *status.as_bytes().first()?,
        paths,
    })
}

/// Returns the names of `diff --git a/x b/x` as far as they can be separated: two quoted names, or
/// the same name twice.
fn names_of_header(names: &[u8]) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
    if names.starts_with(b"\"") {
        let (old, rest) = quoted::name(names);
        let new = quoted::name(rest.trim_ascii_start()).0;
        return (Some(without_prefix(&old)), Some(without_prefix(&new)));
    }
    // A name may contain blanks, so only a name that is there twice shows where the first one ends.
    // Otherwise the lines that follow give the names.
    let middle = names.len() / 2;
    let halves = names
        .get(middle)
        .filter(|byte| **byte == b' ')
        .map(|_| (&names[..middle], &names[middle + 1..]));
    match halves.map(|(old, new)| (without_prefix(old), without_prefix(new))) {
        Some((old, new)) if old == new => (Some(old), Some(new)),
        _ => (None, None),
    }
}

fn is_prefixed(name: &[u8]) -> bool {
    name == b"/dev/null" || name.starts_with(b"a/") || name.starts_with(b"b/")
}

/// Returns a name without `a/`, `b/` or another prefix of one letter, such as `i/` and `w/`.
fn without_prefix(name: &[u8]) -> Vec<u8> {
    let is_prefixed = name.len() > 2 && name[1] == b'/' && name[0].is_ascii_lowercase();
    name[if is_prefixed { 2 } else { 0 }..].to_vec()
}
