//! What the matrix of a workflow lists: "how many Python versions does the CI run on?"

use grounds_claims::{Claim, Quantifier};
use grounds_evidence::ConfidenceLevel;
use grounds_repo::area;

use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled, counted};
use crate::understand::QuestionTree;
use crate::words::is_in;

/// The kind of a claim about the matrix of a workflow.
pub(crate) const KIND: &str = "list of a workflow";
/// The kind of a claim about one setting of a workflow, or about the version of a tool that it sets
/// up.
pub(crate) const SETTING: &str = "setting of a workflow";
/// The subject of a claim that counts the workflow files.
pub(crate) const FILES_ASKED: &str = "workflow file";
/// Folders of workflows; all are hidden.
const FOLDERS: [&str; 3] = [".github/workflows", ".circleci", ".forgejo/workflows"];
/// Files of workflows at the top.
const FILES: [&str; 3] = [".gitlab-ci.yml", ".travis.yml", "azure-pipelines.yml"];
/// Limit on the lines of one list; a longer one is not counted.
const LINES_MAX: usize = 1_000;

/// One list of a workflow.
struct WorkflowList {
    spot: SettledSpot,
    entries: Vec<String>,
}

/// Returns the files of workflows.
fn files(tree: &QuestionTree<'_>) -> Result<Vec<String>, Unsettled> {
    let mut files = Vec::new();
    // The list of the tree has no hidden files, and the folders of workflows are hidden.
    for folder in FOLDERS {
        let found = area::hidden_files(tree.checkout, folder);
        files.extend(found.ok_or_else(|| {
            Unsettled::unknown(format!("`{folder}` has more files than are listed"))
        })?);
    }
    files.extend(FILES.map(str::to_owned));
    files.retain(|path| path.ends_with(".yml") || path.ends_with(".yaml"));
    Ok(files)
}

/// Decides which entries the lists of a key have, or how many.
pub(super) fn settle(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let subject = claim.text(0).unwrap_or_default();
    if subject == FILES_ASKED {
        return all_files(desk);
    }
    let lists = distinct_lists(subject, desk)?;
    let spots: Vec<SettledSpot> = lists.iter().map(|list| list.spot.clone()).collect();
    if lists.iter().any(|list| list.entries.len() >= LINES_MAX) {
        let why = format!("a list for the {subject} has more lines than are read");
        return Err(Unsettled::unknown(why).with(&spots));
    }
    match lists.as_slice() {
        [] => Err(Unsettled::unknown(format!(
            "no workflow has a list for the {subject}"
        ))),
        [only] => {
            let told = told(subject, only);
            Ok(Settled::told(None, desk.section(told, &spots, 1)))
        }
        // Different lists have no number of entries in common.
        _ if claim.quantifier == Quantifier::Count => {
            let why = format!("workflows have several lists for the {subject}");
            Err(Unsettled::unknown(why).with(&spots))
        }
        all => {
            let told: Vec<String> = all.iter().map(|list| told(subject, list)).collect();
            let section = desk.section(told.join(" "), &spots, 1);
            let because = "workflows have several lists for it";
            Ok(Settled::told(None, section).at(ConfidenceLevel::Medium, because))
        }
    }
}

/// Decides the value of a setting, if all workflows agree.
pub(super) fn setting(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let subject = claim.text(0).unwrap_or_default();
    let mut found: Vec<(SettledSpot, String)> = Vec::new();
    for path in files(desk.tree)? {
        let text = desk.tree.text(&path).unwrap_or_default();
        found.extend(settings(&path, &text, subject));
    }
    let spots: Vec<SettledSpot> = found.iter().map(|(spot, _)| spot.clone()).collect();
    let [(_, first), others @ ..] = found.as_slice() else {
        return Err(Unsettled::unknown(format!(
            "no workflow has a setting for `{subject}`"
        )));
    };
    if others.iter().any(|(_, value)| value != first) {
        let why = format!("workflows have several settings for `{subject}`");
        return Err(Unsettled::unknown(why).with(&spots));
    }
    let told = format!("Workflows set `{subject}` to `{first}`:");
    let because = "the setting was found by its name or its action";
    Ok(Settled::told(None, desk.section(told, &spots, 1)).at(ConfidenceLevel::Medium, because))
}

/// Reports whether a file is one of `make` or of a container.
pub(crate) fn is_build_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let is_one = is_in("makefile gnumakefile justfile dockerfile", &name);
    is_one || name.ends_with(".mk") || name.ends_with(".dockerfile")
}

/// A place that pins the version of a tool.
pub(super) struct Pin {
    pub(super) spot: SettledSpot,
    pub(super) value: String,
    /// Whether it is in a workflow, and not in a file for `make` or a container.
    pub(super) is_of_ci: bool,
}

/// Returns the places in workflows and build files that pin a tool: `X_VERSION = 1.2`,
/// `go install example.com/x@v1.2`.
pub(super) fn pins(subject: &str, tree: &QuestionTree<'_>) -> Vec<Pin> {
    let build = tree
        .files
        .iter()
        .map(|file| file.as_str())
        .filter(|path| is_build_file(path));
    let own = files(tree)
        .unwrap_or_default()
        .into_iter()
        .map(|path| (path, true));
    let all = own.chain(build.map(|path| (path.to_owned(), false)));
    let mut pins = Vec::new();
    for (path, is_of_ci) in all {
        let text = tree.text(&path).unwrap_or_default().to_string();
        // A variable of `make` has another sign than a key of YAML.
        let text = match is_of_ci {
            true => text,
            false => text
                .replace(":=", ":")
                .replace("?=", ":")
                .replace(" = ", ": "),
        };
        let found = settings(&path, &text, subject).into_iter();
        let numbered =
            found.filter(|(_, value)| value.contains(|letter: char| letter.is_ascii_digit()));
        pins.extend(numbered.map(|(spot, value)| Pin {
            spot,
            value,
            is_of_ci,
        }));
    }
    pins
}

/// Reports whether a workflow pins the version of a tool.
pub(crate) fn is_pinned(subject: &str, tree: &QuestionTree<'_>) -> bool {
    pins(subject, tree).iter().any(|pin| pin.is_of_ci)
}

/// Returns the lines of a workflow that give a key a value, or a tool its version:
/// `distribution: zulu`, the `version` below `uses: owner/x-action@v3`, `x==1.2`, and the tag of an
/// action whose whole name is asked for.
fn settings(path: &str, text: &str, subject: &str) -> Vec<(SettledSpot, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let found = (0..lines.len()).filter_map(|at| setting_at(&lines, at, subject));
    let mut found: Vec<(usize, String)> = found.collect();
    // `java-version` below `uses: actions/setup-java` is found by its step and by its own line.
    found.dedup_by_key(|(at, _)| *at);
    let spot = |at: usize| SettledSpot::line(path, u32::try_from(at + 1).unwrap_or(0), "workflow");
    found
        .into_iter()
        .map(|(at, value)| (spot(at), value))
        .collect()
}

/// Returns the line with the value of a setting, and the value.
fn setting_at(lines: &[&str], at: usize, subject: &str) -> Option<(usize, String)> {
    let line = lines[at].split(" #").next().unwrap_or_default();
    if let Some(action) = line.trim_start_matches([' ', '-']).strip_prefix("uses:") {
        return version_of_action(action, lines, at, subject);
    }
    if let Some((key, value)) = pair(line)
        && (key == subject || is_version_of(&key, subject))
    {
        return Some((at, value));
    }
    let mut words = line.split([' ', '"', '\'']);
    words
        .find_map(|word| pinned(word, subject))
        .map(|tag| (at, tag.to_owned()))
}

/// Returns the tag of an action that is asked for by its whole name, or the version of the tool
/// that it sets up.
fn version_of_action(
    action: &str,
    lines: &[&str],
    at: usize,
    subject: &str,
) -> Option<(usize, String)> {
    let (name, tag) = action.trim().split_once('@')?;
    if name == subject {
        return Some((at, tag.trim_matches(['"', '\'']).to_owned()));
    }
    let bare = name.rsplit('/').next()?.trim_end_matches("-action");
    if bare.trim_start_matches("setup-") != subject {
        return None;
    }
    let step = lines[at + 1..].iter().take(LINES_MAX).enumerate();
    // A dash begins the next step of the job.
    let mut step = step.take_while(|(_, line)| !line.trim_start().starts_with('-'));
    step.find_map(|(below, line)| {
        let (key, value) = pair(line)?;
        let is_version = key == "version" || is_version_of(&key, subject);
        is_version.then_some((at + 1 + below, value))
    })
}

fn is_version_of(key: &str, subject: &str) -> bool {
    let name = key.strip_suffix("-version");
    name.is_some_and(|name| name == subject || name.ends_with(&format!("-{subject}")))
}

/// Returns the key of a line in lower case and its value; `None` if the value is on other lines, or
/// an expression (`${{ matrix.go }}`).
fn pair(line: &str) -> Option<(String, String)> {
    let (key, value) = line.trim_start_matches([' ', '-']).split_once(':')?;
    let value = plain(value);
    let is_given = !value.is_empty() && !value.contains("${{");
    is_given.then(|| (key.trim().to_lowercase().replace('_', "-"), value))
}

/// Returns the version in `example.com/x@v1.2` and `x==1.2`.
fn pinned<'w>(word: &'w str, subject: &str) -> Option<&'w str> {
    let (name, tag) = word.split_once("==").or_else(|| word.split_once('@'))?;
    let is_it = name == subject || name.ends_with(&format!("/{subject}"));
    (is_it && tag.contains(|letter: char| letter.is_ascii_digit())).then_some(tag)
}

/// Returns the lists for a subject in all workflows, each once: jobs of one workflow often have the
/// same list.
fn distinct_lists(subject: &str, desk: &Desk<'_, '_>) -> Result<Vec<WorkflowList>, Unsettled> {
    let mut found: Vec<WorkflowList> = Vec::new();
    for path in files(desk.tree)? {
        let text = desk.tree.text(&path).unwrap_or_default();
        for list in lists(&path, &text, subject) {
            if !found.iter().any(|known| known.entries == list.entries) {
                found.push(list);
            }
        }
    }
    Ok(found)
}

/// Counts the workflow files, with their names.
fn all_files(desk: &Desk<'_, '_>) -> SettleResult {
    let mut files = files(desk.tree)?;
    files.retain(|path| desk.tree.text(path).is_some());
    if files.is_empty() {
        return Err(Unsettled::unknown("no workflow was found"));
    }
    let names: Vec<&str> = files
        .iter()
        .map(|path| path.rsplit('/').next().unwrap_or(path))
        .collect();
    let told = format!(
        "There are {}: {}.",
        counted(files.len(), "workflow file"),
        names.join(", ")
    );
    let spots: Vec<SettledSpot> = files
        .iter()
        .map(|path| SettledSpot::line(path, 1, "workflow"))
        .collect();
    Ok(Settled::told(None, desk.section(told, &spots, 1)))
}

fn told(subject: &str, list: &WorkflowList) -> String {
    let count = counted(list.entries.len(), "entry");
    format!(
        "The list for the {subject} has {count}: {}.",
        list.entries.join(", ")
    )
}

/// Returns the lists of a workflow for a subject: `python-version: ["3.9", "3.10"]`.
fn lists(path: &str, text: &str, subject: &str) -> Vec<WorkflowList> {
    let lines: Vec<&str> = text.lines().collect();
    let of_line = |at: usize| {
        let (name, value) = lines[at].trim_start_matches([' ', '-']).split_once(':')?;
        let entries = match value.trim() {
            "" => below(&lines, at),
            value => inline(value, &lines[at + 1..])?,
        };
        let spot = SettledSpot::line(path, u32::try_from(at + 1).unwrap_or(0), "workflow");
        (is_of(name, subject) && !entries.is_empty()).then_some(WorkflowList { spot, entries })
    };
    let found: Vec<WorkflowList> = (0..lines.len()).filter_map(of_line).collect();
    match found.is_empty() {
        true => Vec::from_iter(included(path, &lines, subject)),
        false => found,
    }
}

/// Returns the values that entries below `include:` give to a key, each once:
/// `- {python: "3.14", os: linux}`.
fn included(path: &str, lines: &[&str], subject: &str) -> Option<WorkflowList> {
    let start = lines.iter().position(|line| line.trim() == "include:")?;
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = indent(lines[start]);
    let after = lines[start + 1..].iter().take(LINES_MAX);
    let inside = after.take_while(|line| {
        let line = **line;
        line.trim().is_empty()
            || indent(line) > own
            // YAML allows the dashes of a list to be as far left as its key.
            || indent(line) == own && line.trim().starts_with('-')
    });
    let pairs = inside.flat_map(|line| {
        let line = line.trim().trim_start_matches("- ");
        line.split(['{', '}', ','])
    });
    let values = pairs
        .filter_map(|pair| pair.split_once(':'))
        .filter(|(key, _)| is_of(key, subject));
    let mut entries: Vec<String> = Vec::new();
    for (_, value) in values {
        let value = plain(value);
        if !value.is_empty() && !value.contains("${{") && !entries.contains(&value) {
            entries.push(value);
        }
    }
    let line = u32::try_from(start + 1).unwrap_or(0);
    let spot = SettledSpot::line(path, line, "workflow");
    // A single value is a setting, and no list.
    (entries.len() > 1).then_some(WorkflowList { spot, entries })
}

/// Reports whether a key belongs to a subject: `python`, `python-version` and `python-versions` of
/// "python version".
fn is_of(key: &str, subject: &str) -> bool {
    let key = key
        .trim()
        .trim_matches(['"', '\''])
        .to_lowercase()
        .replace('_', "-");
    let first = subject.split(' ').next().unwrap_or_default();
    match first {
        "operating" => ["os", "runner", "platform"].contains(&key.as_str()),
        first => [
            first.to_owned(),
            format!("{first}-version"),
            format!("{first}-versions"),
        ]
        .contains(&key),
    }
}

/// Returns the entries of a list in brackets, which may continue on the lines below.
fn inline(value: &str, below: &[&str]) -> Option<Vec<String>> {
    let rest = value.strip_prefix('[')?;
    let mut text = rest.to_owned();
    for line in below.iter().take(LINES_MAX) {
        if text.contains(']') {
            break;
        }
        text.push_str(line.trim());
    }
    let (inside, _) = text.split_once(']')?;
    let entries = inside
        .split(',')
        .map(plain)
        .filter(|entry| !entry.is_empty());
    Some(entries.collect())
}

/// Returns the entries of a list below its key.
fn below(lines: &[&str], at: usize) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = indent(lines[at]);
    let after = lines[at + 1..].iter().take(LINES_MAX);
    let after = after.filter(|line| !line.trim().is_empty() && !line.trim().starts_with('#'));
    let inside = after.take_while(|line| indent(line) >= own && line.trim().starts_with('-'));
    inside
        .map(|line| plain(line.trim().trim_start_matches('-')))
        .collect()
}

/// Returns an entry without quotes and comments.
fn plain(entry: &str) -> String {
    let entry = entry.split(" #").next().unwrap_or(entry);
    entry.trim().trim_matches(['"', '\'']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{lists, settings};

    #[test]
    fn settings_are_read_by_their_key_and_their_action() {
        let text = "    steps:
      - uses: actions/setup-java@v4
        with:
          distribution: 'zulu'
          java-version: 8
      - uses: x/good-lint-action@v3
        with:
          version: v1.53
      - run: go install example.com/other-lint@v0.4
      - uses: actions/checkout@${{ matrix.tag }}
";
        for (subject, expected) in [
            ("distribution", vec!["zulu"]),
            ("good-lint", vec!["v1.53"]),
            ("other-lint", vec!["v0.4"]),
            ("actions/setup-java", vec!["v4"]),
            ("lint", vec![]),
            ("setup-java", vec![]),
        ] {
            let found = settings("a.yml", text, subject);
            let values: Vec<String> = found.into_iter().map(|(_, value)| value).collect();
            assert_eq!(values, expected, "{subject}");
        }
    }

    #[test]
    fn lists_of_versions_are_read_in_both_forms() {
        for (text, expected) in [
            (
                "  python-version: [\"3.9\", '3.10', pypy]\n",
                vec!["3.9", "3.10", "pypy"],
            ),
            (
                "  python-version:\n    - 3.9 # oldest\n    - \"3.10\"\n  os: [a]\n",
                vec!["3.9", "3.10"],
            ),
            (
                "  python:\n  - 3.9\n  - 3.10\n  node: 1\n",
                vec!["3.9", "3.10"],
            ),
            (
                "  python-version: [\n    3.9,\n    3.10,\n  ]\n",
                vec!["3.9", "3.10"],
            ),
            (
                "  include:\n    - {python: 'pypy-3.9', os: a}\n    - python: 3.10\n    - {python: '3.10'}\n",
                vec!["pypy-3.9", "3.10"],
            ),
            ("  python-version: 3.9\n", vec![]),
            ("  node-version: [20]\n", vec![]),
        ] {
            let found = lists("a.yml", text, "python version");
            let entries: Vec<String> = found.into_iter().flat_map(|list| list.entries).collect();
            assert_eq!(entries, expected, "{text}");
        }
    }
}
