//! What a model judged before, so that the next review asks only about the rest. Takes a review,
//! and returns for each file a key of everything that its call would show, and the findings of the
//! model about it. A file with a known key has the same lines, context and findings of rules.

use std::collections::{BTreeMap, BTreeSet};

use grounds_model::ModelClient;
use serde::{Deserialize, Serialize};

use crate::answer::NameClaim;
use crate::candidate::Candidate;
use crate::finding::{Anchor, Finding, Producer, Severity};
use crate::judge::{self, JudgedCase, Judgement};
use crate::plan::{self, PlanLimits, Prepared};
use crate::prompt;
use crate::quality::{self, Basis};
use crate::veil::Veil;

/// The schema of the stored text; any other is not read.
const SCHEMA: &str = "grounds.carried/1";
/// Hexadecimal digits of a key.
const KEY_DIGITS: usize = 32;

/// Earlier judgements of a model, by the key of the file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Carried {
    schema: String,
    files: BTreeMap<String, Vec<CarriedFinding>>,
}

impl Default for Carried {
    fn default() -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            files: BTreeMap::new(),
        }
    }
}

/// A finding of a model, before it was compared with the tree and with other findings.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct CarriedFinding {
    path: String,
    anchor: Anchor,
    severity: Severity,
    title: String,
    message: String,
    quote: Option<String>,
    producers: Vec<Producer>,
    basis: Basis,
    claim: NameClaim,
    same_as: Option<String>,
    notes: Vec<String>,
}

impl Carried {
    /// Reads what [`Carried::render`] wrote.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let carried: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match carried.schema == SCHEMA {
            true => Ok(carried),
            false => Err(format!(
                "its schema is `{}`, not `{SCHEMA}`",
                carried.schema
            )),
        }
    }

    /// Returns the text to store.
    pub fn render(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The keys of files, by their place in the diff.
pub(crate) type Keys = BTreeMap<usize, String>;

/// Returns the key of every file that a model would be asked about as a whole. A file whose text is
/// held back has no key.
pub(crate) fn keys(
    case: &JudgedCase<'_>,
    prepared: &Prepared,
    client: &ModelClient,
    limits: &PlanLimits,
) -> Keys {
    let asked = prepared
        .plan
        .bundles
        .iter()
        .flat_map(|bundle| &bundle.parts);
    // A file of which a part fits into no call was not judged as a whole, and must be asked about
    // again.
    let left_out = |file: &usize| {
        let mut parts = prepared.plan.left_out.iter();
        parts.any(|(part, _)| part.file == *file)
    };
    let mut files: BTreeSet<usize> = asked.map(|part| part.file).collect();
    files.retain(|file| !left_out(file));
    let tokenizer = crate::run::tokenizer_of(client);
    let key = |file: usize| {
        // The key is of a call about this file alone, so that it does not depend on which files
        // share a call.
        let bundle = plan::alone(file, case.diff, &prepared.chain, tokenizer, limits);
        let (request, held_back) = judge::request(case, &bundle);
        let agent = &case.options.agent;
        // Everything that can change the answer is a part of the key: the prompt with its context
        // and rules, the model, and the settings of the follow-up.
        let asked = format!(
            "{} {} {} {} {}\n{request:?}",
            env!("CARGO_PKG_VERSION"),
            prompt::VERSION,
            crate::run::model_name(client),
            case.options.canary,
            agent.off().map_or(agent.max_follow_up_tokens, |_| 0),
        );
        let hash = blake3::hash(asked.as_bytes()).to_hex();
        held_back
            .is_empty()
            .then(|| (file, hash[..KEY_DIGITS].to_owned()))
    };
    files.into_iter().filter_map(key).collect()
}

/// Returns the files that were judged before.
pub(crate) fn known(carried: &Carried, keys: &Keys) -> BTreeSet<usize> {
    let is_known = |(_, key): &(&usize, &String)| carried.files.contains_key(*key);
    keys.iter()
        .filter(is_known)
        .map(|(file, _)| *file)
        .collect()
}

/// Returns the earlier findings about these files.
pub(crate) fn candidates(
    carried: &Carried,
    keys: &Keys,
    known: &BTreeSet<usize>,
) -> Vec<Candidate> {
    let kept = known
        .iter()
        .filter_map(|file| carried.files.get(keys.get(file)?));
    kept.flatten()
        .enumerate()
        .map(|(number, kept)| kept.candidate(format!("C{}", number + 1)))
        .collect()
}

/// Returns the judgements that the next review may reuse: those that were known before, and those
/// of this review, if nothing failed in it and the findings contain no secret.
pub(crate) fn keep(
    case: &JudgedCase<'_>,
    keys: &Keys,
    before: &Carried,
    judgement: Option<&Judgement>,
) -> Carried {
    let has_failed =
        |judgement: &&Judgement| !judgement.failed.is_empty() || !judgement.failures.is_empty();
    let judgement = judgement.filter(|judgement| !has_failed(judgement));
    let mut carried = Carried::default();
    for (file, key) in keys {
        let path = &case.diff.files[*file].path;
        // Keys of earlier reviews that do not occur in this one are dropped, so that the store does
        // not grow.
        let known = before.files.get(key).cloned();
        // A file without a finding is kept as well: that is what saves the next call.
        let judged = || {
            let candidates = judgement?.candidates.iter();
            let of_file = candidates.filter(|candidate| candidate.finding.path == *path);
            let kept: Vec<CarriedFinding> = of_file.map(CarriedFinding::of).collect();
            let may_leave = kept.iter().all(|kept| kept.may_leave(case.veil));
            may_leave.then_some(kept)
        };
        if let Some(kept) = known.or_else(judged) {
            carried.files.insert(key.clone(), kept);
        }
    }
    carried
}

impl CarriedFinding {
    fn of(candidate: &Candidate) -> Self {
        let finding = &candidate.finding;
        Self {
            path: finding.path.clone(),
            anchor: finding.anchor,
            severity: finding.severity,
            title: finding.title.clone(),
            message: finding.message.clone(),
            quote: finding.quote.clone(),
            producers: finding.producers.clone(),
            basis: candidate.basis,
            claim: candidate.claim.clone(),
            same_as: candidate.same_as.clone(),
            notes: candidate.notes.clone(),
        }
    }

    fn may_leave(&self, veil: &Veil) -> bool {
        let texts = [&self.title, &self.message].into_iter().chain(&self.quote);
        texts
            .chain(&self.notes)
            .all(|text| veil.over(text) == *text)
    }

    fn candidate(&self, id: String) -> Candidate {
        Candidate {
            finding: Finding {
                id,
                rule: None,
                path: self.path.clone(),
                anchor: self.anchor,
                severity: self.severity,
                title: self.title.clone(),
                message: self.message.clone(),
                quote: self.quote.clone(),
                symbol: String::new(),
                producers: self.producers.clone(),
                quality: quality::of(self.basis),
                exact: None,
            },
            basis: self.basis,
            claim: self.claim.clone(),
            same_as: self.same_as.clone(),
            notes: self.notes.clone(),
        }
    }
}
