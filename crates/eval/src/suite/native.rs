//! The native formats: YAML with the shared settings of its cases at the head, and JSON lines with
//! one case on each line.

use std::collections::BTreeMap;
use std::sync::Arc;

use grounds_evidence::Intent;
use serde::Deserialize;

use super::{SuiteFormat, SuiteText, fault};
use crate::case::{Case, CaseChange, CaseClaim, CaseTree, Expectation, Gold, Input};
use crate::error::EvalError;
use crate::job;
use crate::tree::{Inline, TreeEntry};

/// YAML.
pub(super) const YAML: SuiteFormat = SuiteFormat {
    name: "YAML",
    knows: |source| !source.text.trim_start().starts_with(['{', '[']),
    read: yaml,
};

/// JSON lines.
pub(super) const JSON_LINES: SuiteFormat = SuiteFormat {
    name: "JSON lines",
    knows: |source| source.text.trim_start().starts_with('{'),
    read: json_lines,
};

/// A suite: the settings that its cases share, and each may override.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawSuite {
    /// The purpose of the suite, for readers.
    #[serde(rename = "about")]
    _about: String,
    job: Option<String>,
    repo: Option<String>,
    revision: Option<String>,
    root: Option<String>,
    files: Option<BTreeMap<String, TreeEntry>>,
    git: Option<bool>,
    class: Option<String>,
    as_of: Option<String>,
    case_ms_max: Option<u64>,
    cases: Vec<serde_saphyr::Spanned<RawCase>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCase {
    id: String,
    question: Option<String>,
    text: Option<String>,
    claim: Option<String>,
    from: Option<String>,
    to: Option<String>,
    as_of: Option<String>,
    change: Option<BTreeMap<String, Option<TreeEntry>>>,
    since: Option<String>,
    query: Option<String>,
    #[serde(default)]
    expect: RawExpectation,
    job: Option<String>,
    repo: Option<String>,
    revision: Option<String>,
    root: Option<String>,
    files: Option<BTreeMap<String, TreeEntry>>,
    git: Option<bool>,
    class: Option<String>,
    case_ms_max: Option<u64>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawExpectation {
    intent: Option<OneOrMore>,
    outcome: Option<String>,
    refusal: Option<String>,
    gold: Vec<Gold>,
    must_not_cite: Vec<Gold>,
    band: Option<String>,
    verdict: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

fn yaml(source: &SuiteText<'_>) -> Result<Vec<Case>, EvalError> {
    let parsed: Result<RawSuite, _> = serde_saphyr::from_str(source.text);
    let mut suite =
        parsed.map_err(|error| fault(source.name, &error.without_snippet().to_string()))?;
    let git = suite.git == Some(true);
    let tree = suite
        .files
        .take()
        .map(|files| Arc::new(Inline { files, git }));
    let cases = std::mem::take(&mut suite.cases);
    let case = |raw: serde_saphyr::Spanned<RawCase>| {
        let line = raw.referenced.line();
        checked(source.name, raw.value, &suite, tree.as_ref(), line)
    };
    cases.into_iter().map(case).collect()
}

fn json_lines(source: &SuiteText<'_>) -> Result<Vec<Case>, EvalError> {
    let lines = source
        .text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let case = |(number, line): (usize, &str)| {
        let number = number as u64 + 1;
        let raw = serde_json::from_str(line)
            .map_err(|error| fault(source.name, &format!("line {number}: {error}")))?;
        checked(source.name, raw, &RawSuite::default(), None, number)
    };
    lines.map(case).collect()
}

fn checked(
    suite: &str,
    raw: RawCase,
    shared: &RawSuite,
    tree: Option<&Arc<Inline>>,
    line: u64,
) -> Result<Case, EvalError> {
    let wrong = |reason: &str| fault(suite, &format!("line {line}: case `{}`: {reason}", raw.id));
    let input = input(&raw, shared).map_err(wrong)?;
    if raw.id.is_empty() || raw.id.contains(char::is_control) {
        return Err(wrong("its name is empty or holds control characters"));
    }
    let expect = expectation(raw.expect.clone()).map_err(|reason| wrong(&reason))?;
    // What a case says itself comes before what its suite says of all.
    let word = raw
        .job
        .clone()
        .or_else(|| shared.job.clone())
        .unwrap_or_else(|| "ask".to_owned());
    let job = job::of(&word).ok_or_else(|| EvalError::Job {
        case: format!("{suite}/{}", raw.id),
        job: word,
        known: job::names(),
    })?;
    if !job.takes(&input) {
        return Err(fault(
            suite,
            &format!(
                "line {line}: case `{}`: `{}` is not asked in this way",
                raw.id,
                job.name()
            ),
        ));
    }
    Ok(Case {
        suite: suite.to_owned(),
        class: raw
            .class
            .clone()
            .or_else(|| shared.class.clone())
            .unwrap_or_else(|| suite.to_owned()),
        job: job.name(),
        place: place(&raw, shared, tree),
        input,
        query: raw.query,
        expect,
        case_ms_max: raw.case_ms_max.or(shared.case_ms_max),
        line,
        id: raw.id,
    })
}

/// Returns what is asked: exactly one of the ways to ask.
fn input(raw: &RawCase, shared: &RawSuite) -> Result<Input, &'static str> {
    let claim = |text: &String| {
        // Without a day, the verdict on a claim would change with the day of the run.
        let as_of = raw
            .as_of
            .clone()
            .or_else(|| shared.as_of.clone())
            .ok_or("a claim needs `as_of`, the day for which it is decided")?;
        Ok(Input::Claim(CaseClaim {
            text: text.clone(),
            from: raw.from.clone(),
            to: raw.to.clone(),
            as_of,
        }))
    };
    let ways = [
        raw.question
            .as_ref()
            .map(|question| Ok(Input::Question(question.clone()))),
        raw.text.as_ref().map(|text| Ok(Input::Text(text.clone()))),
        raw.claim.as_ref().map(claim),
        raw.change
            .as_ref()
            .map(|files| Ok(Input::Change(CaseChange::Files(files.clone())))),
        raw.since
            .as_ref()
            .map(|revision| Ok(Input::Change(CaseChange::Since(revision.clone())))),
    ];
    let mut given = ways.into_iter().flatten();
    match (given.next(), given.next()) {
        (Some(input), None) => input,
        (None | Some(_), _) => {
            Err("it needs exactly one of `question`, `text`, `claim`, `change` and `since`")
        }
    }
}

/// Returns the tree of the case, or that of the suite.
fn place(raw: &RawCase, shared: &RawSuite, tree: Option<&Arc<Inline>>) -> CaseTree {
    if let Some(files) = &raw.files {
        return CaseTree::Inline(Arc::new(Inline {
            files: files.clone(),
            git: raw.git.or(shared.git) == Some(true),
        }));
    }
    // A suite with files of its own wins over the repository that it names.
    let name = raw
        .repo
        .clone()
        .or_else(|| shared.repo.clone().filter(|_| tree.is_none()));
    match (name, tree) {
        (Some(name), _) => CaseTree::Repository {
            name,
            revision: raw.revision.clone().or_else(|| shared.revision.clone()),
            root: raw
                .root
                .clone()
                .or_else(|| shared.root.clone())
                .unwrap_or_default(),
        },
        (None, Some(tree)) => CaseTree::Inline(Arc::clone(tree)),
        (None, None) => CaseTree::Here,
    }
}

fn expectation(raw: RawExpectation) -> Result<Expectation, String> {
    let intents = match raw.intent {
        None => Vec::new(),
        Some(OneOrMore::One(intent)) => vec![intent],
        Some(OneOrMore::More(intents)) => intents,
    };
    let of_intents: Vec<&str> = Intent::ALL.iter().map(|intent| intent.as_str()).collect();
    intents
        .iter()
        .try_for_each(|intent| known("intent", Some(intent), &of_intents))?;
    known(
        "outcome",
        raw.outcome.as_ref(),
        &[
            "answered",
            "insufficient",
            "conflicting",
            "not_checkable",
            "failed",
            "not_matured",
            "not_read",
            "clean",
        ],
    )?;
    known("verdict", raw.verdict.as_ref(), &["True", "False"])?;
    known(
        "refusal",
        raw.refusal.as_ref(),
        &["not_found", "found_but_not_that", "cannot_tell"],
    )?;
    known(
        "band",
        raw.band.as_ref(),
        &["failed", "weak", "adequate", "strong"],
    )?;
    if raw.refusal.is_some()
        && raw
            .outcome
            .as_deref()
            .is_some_and(|outcome| outcome != "insufficient")
    {
        return Err("a `refusal` goes with the outcome insufficient only".to_owned());
    }
    let outcome = raw
        .outcome
        .or_else(|| raw.refusal.as_ref().map(|_| "insufficient".to_owned()));
    let outcome = outcome.or_else(|| raw.verdict.as_ref().map(|_| "answered".to_owned()));
    let RawExpectation {
        refusal,
        gold,
        must_not_cite,
        band,
        verdict,
        ..
    } = raw;
    let expect = Expectation {
        intents,
        outcome,
        refusal,
        gold,
        must_not_cite,
        band,
        verdict,
    };
    if expect == Expectation::default() {
        Err("it expects nothing".to_owned())
    } else {
        Ok(expect)
    }
}

fn known(field: &str, word: Option<&String>, words: &[&str]) -> Result<(), String> {
    match word.filter(|word| !words.contains(&word.as_str())) {
        Some(word) => Err(format!(
            "`{field}` is `{word}`, and must be one of {}",
            words.join(", ")
        )),
        None => Ok(()),
    }
}
