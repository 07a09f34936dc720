//! Questions for one field of a manifest: "which edition do we use?", "what is the base image of the Dockerfile?"

use grounds_claims::{Argument, Claim, Quantifier, Tests, names};

use super::ClauseReading;
use super::lexicon;
use super::part::{Asks, ClauseName, ReadClause};
use super::project::{is_runtime, manifests, names_manifest};
use super::tree::QuestionTree;
use crate::settle::manifest_field::{FIELDS, KIND, ManifestField};
use crate::words::is_in;

/// Verbs and nouns in questions for a field.
const BESIDE: &str = "use uses used set sets declared declares declare given gives build builds built run runs based \
    base target targets targeted current project crate package gem library manifest docker dockerfile container \
    cargo npm maven ask asks name names called compile compiles compiled specified say says stand stands config want \
    wants";

/// Words for what runs the tests of every change.
const OF_WORKFLOWS: &str = "ci workflow workflows matrix pipeline pipelines actions";
/// Other words of such questions.
const BESIDE_LISTS: &str = "test tests testing run runs tested listed lists list cover covers build builds github \
    integration continuous";
/// Verbs and nouns in questions for what a workflow sets up.
const BESIDE_SETTINGS: &str = "install installs installed set sets setting setup up use uses used pin pins pinned \
    version versions release releases get gets download downloads downloaded fix fixes fixed mean github jdk java \
    action step job file linter exactly";
/// Nouns for the vendor of a runtime.
const DISTRIBUTIONS: &str = "distribution distro vendor vendor's vendors";

/// Reads a question for what workflows list: "how many Python versions are in the CI matrix?",
/// "which operating systems does the workflow run on?"
pub(super) fn of_workflow(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    if let Some(read) = workflow_files(part, tree).or_else(|| workflow_setting(part, tree)) {
        return Some(read);
    }
    let asks = matches!(part.asks, Asks::Which | Asks::Where | Asks::Count);
    let of_ci = (0..part.tokens.len()).any(|at| is_of_ci(part, at));
    let at = (0..part.tokens.len()).find(|at| {
        let is_version = is_runtime(part.word(*at)) && part.says(at + 1, "version versions");
        let is_system = part.word(*at) == "operating" && part.says(at + 1, "system systems");
        is_version || is_system
    });
    let at = at.filter(|_| asks && of_ci)?;
    let is_said = |other: usize| {
        let word = part.word(other);
        other == at || other == at + 1 || is_in(OF_WORKFLOWS, word) || is_in(BESIDE_LISTS, word)
    };
    if has_other_words(part, tree, &is_said) {
        return None;
    }
    let subject = format!("{} {}", part.word(at), lexicon::singular(part.word(at + 1)));
    let mut claim = asks_value(&subject, crate::settle::workflow::KIND);
    if part.asks == Asks::Count {
        claim.quantifier = Quantifier::Count;
    }
    Some(whole(part, claim))
}

/// Reports whether a word means continuous integration. "GitHub" does so only beside tests or
/// builds.
fn is_of_ci(part: &ReadClause, at: usize) -> bool {
    let is_host = part.word(at) == "github" && part.has("test tests tested run runs build builds");
    part.says(at, OF_WORKFLOWS) || is_host
}

/// Reads a question for a setting of workflows: "which distribution of Java does the workflow
/// install?", "which X release is pinned for CI?"
fn workflow_setting(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let of_ci = (0..part.tokens.len()).any(|at| is_of_ci(part, at));
    // "Since which release is it run on CI?" asks for the history.
    let is_of_past = part.has("since when first last before until commit day date why who");
    let asks = matches!(part.asks, Asks::Which | Asks::Where | Asks::When);
    if !of_ci || !asks || part.is_negated || is_of_past {
        return None;
    }
    let vendor = (0..part.tokens.len()).find(|at| part.says(*at, DISTRIBUTIONS));
    let is_version = (0..part.tokens.len()).any(|at| {
        part.says(at, "version release pinned pins") && !is_runtime(part.word(at.wrapping_sub(1)))
    });
    // Names of tools and actions have a hyphen or slash ("golangci-lint"), which other words of
    // such questions lack.
    let is_tool = |at: &usize| {
        let is_written = part.word(*at).contains(['-', '/']) && !part.says(*at, OF_WORKFLOWS);
        is_written || is_named_tool(part, *at, tree)
    };
    let tool = (0..part.tokens.len()).find(is_tool).filter(|_| is_version);
    let at = vendor.or(tool)?;
    let is_said = |other: usize| {
        let word = part.word(other);
        let lists = [OF_WORKFLOWS, BESIDE_LISTS, BESIDE_SETTINGS, DISTRIBUTIONS];
        other == at || lists.iter().any(|list| is_in(list, word))
    };
    if has_other_words(part, tree, &is_said) {
        return None;
    }
    let subject = if vendor.is_some() {
        "distribution"
    } else {
        part.word(at)
    };
    let claim = asks_value(subject, crate::settle::workflow::SETTING);
    Some(whole(part, claim))
}

/// Reports whether a plain word beside "version" is a tool that a workflow pins: "X version on CI".
fn is_named_tool(part: &ReadClause, at: usize, tree: &QuestionTree<'_>) -> bool {
    let after_of = part.says(at.wrapping_sub(1), "of") && part.says(at.wrapping_sub(2), "version");
    let word = part.word(at);
    (part.says(at + 1, "version") || after_of)
        && !is_runtime(word)
        && !lexicon::is_empty(word)
        && !lexicon::is_asking(word)
        && !is_in(OF_WORKFLOWS, word)
        && crate::settle::workflow::is_pinned(word, tree)
}

/// Reads a count of workflows: "how many GitHub workflows are there?"
fn workflow_files(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let counts = matches!(part.asks, Asks::Count | Asks::CountFiles);
    let at = part
        .free()
        .find(|at| part.says(*at, "workflow workflows"))?;
    let is_said = |other: usize| {
        other == at || is_in("github actions ci .github/workflows", part.word(other))
    };
    if !counts || has_other_words(part, tree, &is_said) {
        return None;
    }
    let mut claim = asks_value(
        crate::settle::workflow::FILES_ASKED,
        crate::settle::workflow::KIND,
    );
    claim.quantifier = Quantifier::Count;
    Some(whole(part, claim))
}

/// Returns the reading of a clause that asks for a field of a manifest and has no other word with
/// content.
pub(super) fn reading(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    if part.asks != Asks::Which && part.asks != Asks::Where {
        return None;
    }
    // A word for one of several packages is not read, so the field of another one could be given.
    let is_of_one = part.scope.tests != Tests::Count
        || part.has("main root tests test unit benchmark benchmarks docs example examples");
    let (field, said) = FIELDS.iter().find_map(|field| said(field, part))?;
    let named = manifests(part, tree);
    let is_said = |at: usize| {
        let word = part.word(at);
        said.contains(&at)
            || named.contains(&at)
            || is_in(BESIDE, word)
            || is_runtime(word)
            || names_manifest(word, tree)
    };
    if is_of_one || has_other_words(part, tree, &is_said) {
        return None;
    }
    let mut claim = asks_value(field.name(), KIND);
    claim.scope = part.scope.clone();
    let is_named = |name: &&ClauseName| name.at.is_some_and(|at| named.contains(&at));
    let files = part.names.iter().filter(is_named);
    claim
        .scope
        .inside
        .extend(files.map(|name| name.text.clone()));
    Some(whole(part, claim))
}

/// Reports whether a clause has words with content that are not known.
fn has_other_words(
    part: &ReadClause,
    tree: &QuestionTree<'_>,
    is_said: &dyn Fn(usize) -> bool,
) -> bool {
    let is_open = |at: usize| {
        let word = part.word(at);
        let is_plain = lexicon::is_empty(word) || lexicon::is_asking(word);
        !is_plain && !is_said(at) && !tree.is_project(&part.tokens[at].text)
    };
    part.free().any(is_open)
}

/// Returns the claim that something has a value, of a kind.
fn asks_value(subject: &str, kind: &str) -> Claim {
    let arguments = vec![Argument::is(subject), Argument::Hole];
    let mut claim = Claim::new(&names::VALUE, arguments);
    claim.kind = Some(kind.to_owned());
    claim
}

/// Returns a reading that uses every word except denials.
fn whole(part: &ReadClause, claim: Claim) -> ClauseReading {
    let is_denial = |at: &usize| lexicon::is_negation(part.word(*at));
    let used = part.free().filter(|at| !is_denial(at)).collect();
    ClauseReading { claim, used }
}

/// Returns where a clause has one of the phrases for a field.
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
