//! JUnit files: which tests ran, failed and were skipped. The files come from the repository's own
//! code. So size, depth and number are bounded, a document type is refused and no entity is looked
//! up.

use std::path::{Path, PathBuf};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::{BuiltPart, MESSAGE_BYTES_MAX, TestReport, ToolchainFailure, ToolchainSite};

/// Bytes of one report.
const REPORT_BYTES_MAX: u64 = 64 << 20;
/// Depth of elements.
const DEPTH_MAX: usize = 64;
/// Reports of one run.
const REPORTS_MAX: usize = 20_000;
/// Entries of folders that are searched for reports.
const ENTRIES_MAX: usize = 500_000;

/// One test of a report.
#[derive(Debug, Default)]
struct JunitCase {
    name: String,
    file: Option<(String, u32)>,
    failed: bool,
    skipped: bool,
    expected_failure: bool,
    said: String,
}

/// How many failures the suites of a report claim to have.
#[derive(Debug, Default)]
struct FailureClaims {
    /// What each open suite claims, and what the suites in it do.
    open: Vec<(u64, u64)>,
    /// The claims of the suites that have ended and lie in no other.
    all: u64,
}

impl FailureClaims {
    /// Ends an element. A suite counts those in it too, or leaves the counts to them.
    fn end(&mut self, name: &str) {
        let Some((own, inner)) = self.open.pop_if(|_| name == "testsuite") else {
            return;
        };
        let around = match self.open.last_mut() {
            Some((_, inner)) => inner,
            None => &mut self.all,
        };
        *around = around.saturating_add(own.max(inner));
    }
}

/// Adds the tests of one report.
///
/// # Errors
/// What is wrong with it.
pub(super) fn read(
    path: &Path,
    site: &ToolchainSite<'_>,
    report: &mut TestReport,
) -> Result<(), String> {
    let bytes = site
        .read(path, REPORT_BYTES_MAX)
        .map_err(|error| format!("it cannot be read: {error}"))?;
    let (cases, claimed) = cases(&bytes)?;
    let failed = cases.iter().filter(|case| case.failed).count() as u64;
    for case in cases {
        match () {
            () if case.failed => report.fail(failure(case, site)),
            () if case.expected_failure => report.fail_as_expected(part(case, site)),
            () if case.skipped => report.skip(part(case, site)),
            () => report.pass(part(case, site)),
        }
    }
    // A report that counts more failures than it lists contradicts itself, so it shows no pass.
    if claimed > failed {
        report.fail(ToolchainFailure::new(
            "",
            None,
            &format!("the report counts {claimed} failures and lists {failed}"),
        ));
    }
    Ok(())
}

fn part(case: JunitCase, site: &ToolchainSite<'_>) -> BuiltPart {
    BuiltPart::new(
        case.name,
        case.file
            .map_or_else(String::new, |(path, _)| site.shown(&path)),
    )
}

fn failure(case: JunitCase, site: &ToolchainSite<'_>) -> ToolchainFailure {
    let named = case
        .file
        .and_then(|(path, line)| site.repo_path(&path, &site.tree()).map(|path| (path, line)));
    let place = site
        .java_place(&case.said)
        .or_else(|| site.last_place(&case.said))
        .or(named);
    ToolchainFailure::new(case.name, place, &site.shown(&case.said))
}

/// Returns how many tests a report has: the parser alone, for fuzzing.
///
/// # Errors
/// What is wrong with the report.
#[doc(hidden)]
pub fn count(bytes: &[u8]) -> Result<usize, String> {
    cases(bytes).map(|(cases, _)| cases.len())
}

/// Returns the tests of a report, and how many failures it claims to have.
fn cases(bytes: &[u8]) -> Result<(Vec<JunitCase>, u64), String> {
    let text = String::from_utf8_lossy(bytes);
    let mut reader = Reader::from_str(&text);
    let (mut cases, mut depth, mut has_begun) = (Vec::new(), 0_usize, false);
    let mut claims = FailureClaims::default();
    let mut open: Option<JunitCase> = None;
    let end = |open: &mut Option<JunitCase>, name: &str| open.take_if(|_| name == "testcase");
    loop {
        let event = reader.read_event();
        match event.map_err(|error| format!("it is no XML: {error}"))? {
            // An empty file is at depth 0 too, and is no report.
            Event::Eof if depth == 0 && has_begun => return Ok((cases, claims.all)),
            Event::Eof => return Err(unfinished(has_begun).to_owned()),
            Event::DocType(_) => return Err("it has a document type".to_owned()),
            Event::Start(element) => {
                (depth, has_begun) = (depth + 1, true);
                begin(&element, &mut open, &mut claims);
            }
            Event::Empty(element) => {
                has_begun = true;
                begin(&element, &mut open, &mut claims);
                claims.end(element.local_name().as_ref());
                cases.extend(end(&mut open, element.local_name().as_ref()));
            }
            Event::End(element) => {
                depth = depth.saturating_sub(1);
                claims.end(element.local_name().as_ref());
                cases.extend(end(&mut open, element.local_name().as_ref()));
            }
            Event::Text(said) => add(&mut open, &said),
            Event::CData(said) => add(&mut open, &said),
            Event::GeneralRef(name) => {
                // Only the five entities of XML itself are known. Any other one adds nothing.
                let said = quick_xml::escape::resolve_xml_entity(&name);
                add(&mut open, said.unwrap_or_default());
            }
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
        if depth > DEPTH_MAX {
            return Err(format!("it is deeper than {DEPTH_MAX} elements"));
        }
    }
}

const fn unfinished(has_begun: bool) -> &'static str {
    match has_begun {
        true => "it ends in the middle",
        false => "it holds no report",
    }
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut all = element.attributes().flatten();
    let raw = all.find(|one| one.key.as_ref() == name)?.value;
    let text = quick_xml::escape::unescape(&raw).map(std::borrow::Cow::into_owned);
    Some(text.unwrap_or_else(|_| raw.to_string()))
}

fn begin(element: &BytesStart<'_>, open: &mut Option<JunitCase>, claims: &mut FailureClaims) {
    let attribute = |name: &str| attribute(element, name);
    match element.local_name().as_ref() {
        "testcase" => {
            let class = attribute("classname")
                .filter(|class| !class.is_empty())
                .map_or_else(String::new, |class| format!("{class}::"));
            // pytest counts lines from 0.
            let line = attribute("line")
                .and_then(|line| line.parse::<u32>().ok())
                .map_or(1, |line| line.saturating_add(1));
            let failed = attribute("status").is_some_and(|status| status == "fail");
            let name = class + &attribute("name").unwrap_or_default();
            *open = Some(JunitCase {
                name,
                file: attribute("file").map(|file| (file, line)),
                failed,
                ..JunitCase::default()
            });
        }
        "failure" | "error" => {
            if let Some(case) = open {
                case.failed = true;
                case.said
                    .push_str(&attribute("message").unwrap_or_default());
                case.said.push('\n');
            }
        }
        "skipped" => {
            // pytest writes a test that is marked with `xfail` and fails as a skipped one of this
            // type.
            let is_expected = attribute("type").is_some_and(|kind| kind == "pytest.xfail");
            open.iter_mut().for_each(|case| {
                (case.skipped, case.expected_failure) = (true, is_expected);
            });
        }
        // A report may claim any number. A number that is too large must stay above what is listed.
        "testsuite" => {
            let failed =
                count_of(attribute("failures")).saturating_add(count_of(attribute("errors")));
            claims.open.push((failed, 0));
        }
        _ => {}
    }
}

/// Returns a count as a report writes it. A number that does not fit is many, and not 0.
fn count_of(written: Option<String>) -> u64 {
    let written = written.unwrap_or_default();
    let is_number = !written.is_empty() && written.bytes().all(|byte| byte.is_ascii_digit());
    let unread = if is_number { u64::MAX } else { 0 };
    written.parse().unwrap_or(unread)
}

/// Adds to the text of a test. The beginning says what failed, and more than that is not kept.
fn add(open: &mut Option<JunitCase>, said: &str) {
    if let Some(case) = open
        .as_mut()
        .filter(|case| case.said.len() < MESSAGE_BYTES_MAX * 16)
    {
        case.said
            .push_str(&said[..said.floor_char_boundary(MESSAGE_BYTES_MAX * 16)]);
    }
}

/// Returns the reports below a folder that lie in a folder of this name and are called
/// `TEST-*.xml`.
pub(super) fn reports_below(folder: &Path, parent: &str) -> Vec<PathBuf> {
    let (mut found, mut entries, mut folders) = (Vec::new(), 0, vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
        {
            entries += 1;
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            // A link that a test has left could lead out of the copy.
            let is_folder = path.symlink_metadata().is_ok_and(|kind| kind.is_dir());
            let is_report = name.starts_with("TEST-")
                && name.ends_with(".xml")
                && folder.iter().any(|part| part == parent);
            match () {
                () if entries > ENTRIES_MAX || found.len() >= REPORTS_MAX => return found,
                () if is_folder => folders.push(path),
                () if is_report => found.push(path),
                () => {}
            }
        }
    }
    found.sort_unstable();
    found
}

/// Adds the results of all these reports; a report that cannot be read counts as uncounted and is
/// reported.
pub(super) fn read_all(paths: &[PathBuf], site: &ToolchainSite<'_>, report: &mut TestReport) {
    for path in paths {
        if let Err(reason) = read(path, site, report) {
            report.uncounted += 1;
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            report
                .notes
                .push(format!("the report `{name}` could not be used: {reason}"));
        }
    }
}

#[cfg(test)]
mod tests;
