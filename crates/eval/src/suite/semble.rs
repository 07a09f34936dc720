//! A JSON list of `query`, `relevant`, `category`: texts whose files are ranked. The file's name is
//! that of the repository; the revision and the folder are in `../semble.repos.json`, if that
//! exists.

use serde::Deserialize;

use super::{SuiteFormat, SuiteText, fault, read_bounded};
use crate::case::{Case, CaseTree, Expectation, Gold, Input};
use crate::error::EvalError;

/// The format.
pub(super) const FORMAT: SuiteFormat = SuiteFormat {
    name: "queries with relevant files",
    knows,
    read,
};

#[derive(Deserialize)]
struct SembleRow {
    query: String,
    relevant: Vec<Relevant>,
    #[serde(default)]
    category: String,
}

/// A path, or a path inside of an object.
#[derive(Deserialize)]
#[serde(untagged)]
enum Relevant {
    Path(String),
    Placed { path: String },
}

#[derive(Deserialize)]
struct Repository {
    name: String,
    revision: Option<String>,
    benchmark_root: Option<String>,
}

fn knows(source: &SuiteText<'_>) -> bool {
    source.text.trim_start().starts_with('[')
        && source.text.contains("\"query\"")
        && source.text.contains("\"relevant\"")
}

fn read(source: &SuiteText<'_>) -> Result<Vec<Case>, EvalError> {
    let rows: Vec<SembleRow> = serde_json::from_str(source.text)
        .map_err(|error| fault(source.name, &error.to_string()))?;
    let place = place(source)?;
    Ok(rows
        .into_iter()
        .zip(1_u64..)
        .map(|(row, number)| case(source.name, row, number, &place))
        .collect())
}

fn case(suite: &str, row: SembleRow, number: u64, place: &CaseTree) -> Case {
    let root = match place {
        CaseTree::Repository { root, .. } => format!("{root}/"),
        CaseTree::Here | CaseTree::Inline(_) => String::new(),
    };
    // The paths are those of the whole repository, and the tree is its `root`.
    let file = |relevant: Relevant| match relevant {
        Relevant::Path(path) | Relevant::Placed { path } => Gold {
            file: path.strip_prefix(&root).unwrap_or(&path).to_owned(),
            ..Gold::default()
        },
    };
    Case {
        suite: suite.to_owned(),
        id: format!("query-{number}"),
        class: row.category,
        job: "ask",
        place: place.clone(),
        input: Input::Text(row.query.clone()),
        query: Some(row.query),
        expect: Expectation {
            gold: row.relevant.into_iter().map(file).collect(),
            ..Expectation::default()
        },
        case_ms_max: None,
        line: 0,
    }
}

fn place(source: &SuiteText<'_>) -> Result<CaseTree, EvalError> {
    let list = source.path.and_then(|path| {
        let folder = path.parent()?.parent()?;
        Some(folder.join("semble.repos.json"))
    });
    let known: Vec<Repository> = match list.filter(|list| list.symlink_metadata().is_ok()) {
        // Another revision than that of the list would have other results.
        Some(list) => read_bounded(&list)
            .and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()))
            .map_err(|why| fault(source.name, &format!("`{}`: {why}", list.display())))?,
        // Without a list, the repository is taken as it is checked out.
        None => Vec::new(),
    };
    let row = known
        .into_iter()
        .find(|repository| repository.name == source.name);
    let (revision, root) = row.map_or((None, None), |row| (row.revision, row.benchmark_root));
    Ok(CaseTree::Repository {
        name: source.name.to_owned(),
        revision,
        root: root.unwrap_or_default(),
    })
}
