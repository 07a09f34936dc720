//! The terms of a run: what a worker must have in common with the submitter of the jobs. Takes
//! configuration and sources, and returns their parts.

use std::sync::Arc;

use grounds_fleet::Terms;
use grounds_http::turns::Turns;

use super::super::verify::Prepared;
use super::chosen::ChosenModel;
use crate::cli::{FleetSources, Global, ModelOptions, Verify};
use crate::config::{Config, ModelConfig};
use crate::error::Error;

/// Returns the options of `grounds verify` for these sources.
pub(super) fn verify(sources: &FleetSources) -> Verify {
    Verify {
        command: None,
        claim: Vec::new(),
        from: None,
        to: None,
        as_of: None,
        context: None,
        origin: None,
        language: None,
        corpus: sources.corpus.clone(),
        corpus_hands: sources.corpus_hands,
        corpus_tier: None,
        accept: sources.accept,
        accept_bounds: Vec::new(),
        no_cache: false,
        provider: sources.provider.clone(),
        max_attempts: None,
        policy: sources.policy,
        wrong_max_percent: None,
        entailment_url: None,
        batch: None,
        out: None,
        jobs: None,
        max_queries: None,
        max_pages: None,
        model: ModelOptions::default(),
    }
}

/// Opens the sources; `None` without any, so that no claim can be checked.
pub(super) fn prepared<'p>(
    verify: &'p Verify,
    config: &'p Config,
    global: &'p Global,
    turns: Option<Arc<dyn Turns>>,
) -> Result<Option<Prepared<'p>>, Error> {
    match Prepared::open(verify, config, global, turns) {
        Err(Error::NoSources) => Ok(None),
        opened => opened.map(Some),
    }
}

/// Returns the terms. Where the ledger is and how long a worker waits are not part of them.
pub(super) fn terms(
    sources: &FleetSources,
    prepared: Option<&Prepared<'_>>,
    chosen: Option<&ChosenModel>,
    config: &Config,
) -> Terms {
    let decides = Config {
        fleet: None,
        // The folder of kept exchanges changes no result.
        model: config.model.clone().map(|model| ModelConfig {
            cache: None,
            ..model
        }),
        mcp: None,
        lsp: None,
        store: Config::default().store,
        ..config.clone()
    };
    // A configuration can always be written.
    let text = serde_json::to_string(&decides).unwrap_or_default();
    let model = chosen.map_or("none", |chosen| &chosen.name);
    Terms::of([
        // Two builds may have one version; what they were made from tells them apart, on every system.
        ("version", crate::PROGRAM.to_owned()),
        (
            "configuration",
            blake3::hash(text.as_bytes()).to_hex()[..40].to_owned(),
        ),
        (
            "policy",
            format!("{:?} {:?}", sources.policy, sources.accept).to_lowercase(),
        ),
        (
            "hands",
            format!("{:?}", sources.corpus_hands).to_lowercase(),
        ),
        (
            "sources",
            prepared.map_or_else(|| "none".to_owned(), Prepared::sources),
        ),
        ("model", model.to_owned()),
    ])
}
