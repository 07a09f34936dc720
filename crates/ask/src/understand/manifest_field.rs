//! Questions for one field of a manifest: "which edition do we use?", "what is the base image of the Dockerfile?"

use grounds_claims::{Argument, Claim, Quantifier, Tests, names};

use super::ClauseReading;
use super::lexicon;
use super::part::{Asks, ReadClause};
use super::project::{is_runtime, manifests, names_manifest};
use super::tree::QuestionTree;
use crate::settle::manifest_field::{FIELDS, KIND, ManifestField};
use crate::words::is_in;

/// What is done with a field, and what has it.
const BESIDE: &str = "use uses used set sets declared declares declare given gives build builds built run runs based base \
    target targets targeted current project crate package gem library manifest docker dockerfile container cargo npm \
    maven ask asks name names called compile compiles compiled specified say says stand stands config want wants";

/// Words for what runs the tests of every change.
const OF_WORKFLOWS: &str = "ci workflow workflows matrix pipeline pipelines actions";
/// Other words of such questions.
const BESIDE_LISTS: &str = "test tests testing run runs tested listed lists list cover covers build builds github integration continuous";

/// "How many Python versions are in the CI matrix?", "which operating systems does the workflow run on?"
pub(super) fn of_workflow(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    if let Some(files) = workflow_files(part, tree) {
        return Some(files);
    }
    let asks = matches!(part.asks, Asks::Which | Asks::Where | Asks::Count);
    let of_ci = (0..part.tokens.len()).any(|at| part.says(at, OF_WORKFLOWS));
    let at = (0..part.tokens.len()).find(|at| {
        let is_version = is_runtime(part.word(*at)) && part.says(at + 1, "version versions");
        let is_system = part.word(*at) == "operating" && part.says(at + 1, "system systems");
        is_version || is_system
    });
    let at = at.filter(|_| asks && of_ci)?;
    let is_open = |other: &usize| {
        let word = part.word(*other);
        let is_plain = lexicon::is_empty(word) || lexicon::is_asking(word);
        let is_said = *other == at || *other == at + 1;
        let is_beside = is_in(OF_WORKFLOWS, word) || is_in(BESIDE_LISTS, word);
        !(is_said || is_plain || is_beside || tree.is_project(&part.tokens[*other].text))
    };
    if part.free().any(|other| is_open(&other)) {
        return None;
    }
    let subject = format!("{} {}", part.word(at), lexicon::singular(part.word(at + 1)));
    let mut claim = Claim::new(&names::VALUE, vec![Argument::is(subject), Argument::Hole]);
    claim.kind = Some(crate::settle::workflow::KIND.to_owned());
    if part.asks == Asks::Count {
        claim.quantifier = Quantifier::Count;
    }
    let used = part
        .free()
        .filter(|at| !lexicon::is_negation(part.word(*at)));
    Some(ClauseReading {
        claim,
        used: used.collect(),
    })
}

/// "How many GitHub workflows are there?"
fn workflow_files(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let counts = matches!(part.asks, Asks::Count | Asks::CountFiles);
    let at = part
        .free()
        .find(|at| part.says(*at, "workflow workflows"))?;
    let is_open = |other: &usize| {
        let word = part.word(*other);
        let is_plain = lexicon::is_empty(word) || lexicon::is_asking(word);
        let is_beside = is_in("github actions ci .github/workflows", word);
        *other != at && !is_plain && !is_beside && !tree.is_project(&part.tokens[*other].text)
    };
    if !counts || part.free().any(|other| is_open(&other)) {
        return None;
    }
    let subject = Argument::is(crate::settle::workflow::FILES_ASKED);
    let mut claim = Claim::new(&names::VALUE, vec![subject, Argument::Hole]);
    claim.kind = Some(crate::settle::workflow::KIND.to_owned());
    claim.quantifier = Quantifier::Count;
    Some(ClauseReading {
        claim,
        used: part.free().collect(),
    })
}

/// The reading of a clause that asks for a field and has no other word with a content.
pub(super) fn reading(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    if part.asks != Asks::Which && part.asks != Asks::Where {
        return None;
    }
    // Which of several packages is meant is not read.
    let is_of_one = part.scope.tests != Tests::Count
        || part.has("main root tests test unit benchmark benchmarks docs example examples");
    let (field, said) = FIELDS.iter().find_map(|field| said(field, part))?;
    let named = manifests(part, tree);
    let is_open = |at: &usize| {
        let word = part.word(*at);
        let is_plain = lexicon::is_empty(word) || lexicon::is_asking(word) || is_in(BESIDE, word);
        let is_project = || tree.is_project(&part.tokens[*at].text);
        let is_manifest = || is_runtime(word) || names_manifest(word, tree);
        !said.contains(at) && !named.contains(at) && !is_plain && !is_project() && !is_manifest()
    };
    if is_of_one || part.free().any(|at| is_open(&at)) {
        return None;
    }
    let mut claim = Claim::new(
        &names::VALUE,
        vec![Argument::is(field.name()), Argument::Hole],
    );
    claim.kind = Some(KIND.to_owned());
    let files = part
        .names
        .iter()
        .filter(|name| name.at.is_some_and(|at| named.contains(&at)));
    claim.scope = part.scope.clone();
    claim
        .scope
        .inside
        .extend(files.map(|name| name.text.clone()));
    let used = part
        .free()
        .filter(|at| !lexicon::is_negation(part.word(*at)));
    Some(ClauseReading {
        claim,
        used: used.collect(),
    })
}

/// Where a clause says one of the phrases for a field.
fn said(
    field: &'static ManifestField,
    part: &ReadClause,
) -> Option<(&'static ManifestField, Vec<usize>)> {
    let at = |phrase: &&str| {
        let words: Vec<&str> = phrase.split(' ').collect();
        let stands = |at: &usize| {
            let mut pairs = words.iter().enumerate();
            pairs.all(|(number, word)| lexicon::singular(part.word(at + number)) == *word)
        };
        let start = part.free().find(stands)?;
        Some((start..start + words.len()).collect())
    };
    field.phrases.iter().find_map(at).map(|said| (field, said))
}
