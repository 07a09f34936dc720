//! The judges of pages and the writers of proofs: the lexical judge, an entailment model, a
//! language model. Chosen by the command line and the person's configuration. If one that
//! `verify.judges` names is not set up, a warning says so and the others judge.

use std::io::Write as _;

use grounds_verify::judges::Judge;
#[cfg(feature = "model")]
use grounds_verify::judges::entailment::Entailment;
use grounds_verify::judges::lexical::Lexical;
use grounds_verify::proof::{Proof, ProofWriter};

use super::recording::Recorded;
#[cfg(feature = "model")]
use crate::cli::ModelOptions;
use crate::cli::{Global, JudgeKind, Verify};
use crate::config::Config;
use crate::error::Error;

/// The folder of exchanges with models in that of a recording.
#[cfg(feature = "model")]
const MODEL: &str = "model";

/// The models that judge and write sentences, if a person chose them.
pub(super) struct Helpers {
    /// The judges that may judge; all if empty.
    chosen: Vec<JudgeKind>,
    #[cfg(feature = "model")]
    client: Option<grounds_model::ModelClient>,
    #[cfg(feature = "model")]
    entailment: Option<EntailmentPlan>,
}

#[cfg(feature = "model")]
struct EntailmentPlan {
    url: String,
    certainty_milli: u32,
    shelves: grounds_model::exchange::Shelves,
}

#[cfg(feature = "model")]
impl EntailmentPlan {
    fn judge(&self) -> Result<Entailment, String> {
        let network = network();
        let shelves = self.shelves.clone();
        Entailment::new(&self.url, &network, shelves, self.certainty_milli)
    }
}

#[cfg(feature = "model")]
impl Helpers {
    pub(super) fn of(
        plan: &mut Recorded,
        arguments: &Verify,
        config: &Config,
        global: &Global,
    ) -> Result<Self, Error> {
        use grounds_verify::judges::entailment::CERTAINTY_MILLI;
        let mut options = arguments.model.clone();
        options.replay = options.replay.map(|folder| folder.join(MODEL));
        options.record = options.record.map(|folder| folder.join(MODEL));
        // A replay needs the name of the model for the key of each exchange, and never asks it.
        if options.replay.is_some() {
            (options.model, options.model_url) = (plan.model.clone(), plan.model_url.clone());
        }
        let settings = Self::settings(plan, &options, config, global)?;
        let shelves = grounds_model::exchange::Shelves {
            replay: options.replay,
            record: options.record,
            cache: None,
        };
        let entailment = plan.entailment_url.clone().map(|url| EntailmentPlan {
            url,
            certainty_milli: plan.entailment_certainty_milli.unwrap_or(CERTAINTY_MILLI),
            shelves,
        });
        if let Some(plan) = &entailment {
            // A wrong address is an error before the first page; later it would only be a judge
            // that is missing.
            plan.judge().map_err(|reason| Error::Claim {
                reason,
                advice: "name it with --entailment-url: https, or http to this machine".to_owned(),
            })?;
        }
        Ok(Self {
            chosen: plan.judges.clone(),
            client: settings.map(grounds_model::ModelClient::of),
            entailment,
        })
    }

    /// Returns the settings of the language model that is asked, if any, and notes its name in the
    /// plan.
    fn settings(
        plan: &mut Recorded,
        options: &ModelOptions,
        config: &Config,
        global: &Global,
    ) -> Result<Option<grounds_model::ModelSettings>, Error> {
        // A recorded run without a model must not ask the configured one when it is replayed.
        if global.no_model || (options.replay.is_some() && options.model.is_none()) {
            return Ok(None);
        }
        let chosen = config.model.clone().unwrap_or_default();
        let settings = crate::model::settings(options, &chosen)?;
        if let Some(settings) = &settings {
            let (name, endpoint) = (settings.provider.card().name, &settings.endpoint);
            plan.model = Some(format!("{name}/{}", endpoint.model));
            plan.model_url = Some(endpoint.base.to_string());
        }
        Ok(settings)
    }

    /// Returns the judges of a page.
    pub(super) fn judges(&self) -> Vec<Box<dyn Judge + '_>> {
        use grounds_verify::judges::model::Model;
        let mut judges: Vec<Box<dyn Judge + '_>> = Vec::new();
        let entailment = self.entailment.as_ref();
        if let Some(plan) = entailment.filter(|_| self.may_judge(JudgeKind::Entailment)) {
            // `of` has built this judge once, so it is not missing here.
            judges.extend(
                plan.judge()
                    .ok()
                    .map(|judge| Box::new(judge) as Box<dyn Judge>),
            );
        }
        let client = self.client.as_ref();
        judges.extend(
            client
                .filter(|_| self.may_judge(JudgeKind::Model))
                .map(|client| Box::new(Model::new(client)) as Box<dyn Judge + '_>),
        );
        // Without any other judge, the words are judged all the same.
        if self.may_judge(JudgeKind::Words) || judges.is_empty() {
            judges.insert(0, Box::new(Lexical::default()));
        }
        judges
    }

    /// Reports whether a judge is set up.
    const fn is_there(&self, kind: JudgeKind) -> bool {
        match kind {
            JudgeKind::Words => true,
            JudgeKind::Entailment => self.entailment.is_some(),
            JudgeKind::Model => self.client.is_some(),
        }
    }

    pub(super) fn with_writer(
        &self,
        write: &mut dyn FnMut(Option<&dyn ProofWriter>) -> Proof,
    ) -> Proof {
        match &self.client {
            Some(client) => write(Some(&grounds_verify::proof::model::ModelWriter(client))),
            None => write(None),
        }
    }

    /// Returns the same helpers, whose model takes its turns from the given source.
    #[cfg(feature = "fleet")]
    pub(super) fn in_turns(self, turns: &std::sync::Arc<dyn grounds_http::turns::Turns>) -> Self {
        let paced = |client: &grounds_model::ModelClient| grounds_model::ModelSettings {
            turns: Some(turns.clone()),
            ..client.settings().clone()
        };
        Self {
            client: self
                .client
                .as_ref()
                .map(paced)
                .map(grounds_model::ModelClient::of),
            ..self
        }
    }

    /// Returns the tokens and billionths of a dollar that models used.
    #[cfg(feature = "fleet")]
    pub(super) fn spent(&self) -> (u64, u64) {
        let spent = self.client.as_ref().map(grounds_model::ModelClient::spent);
        spent.map_or((0, 0), |spent| (spent.tokens(), spent.cost_nano))
    }

    /// Returns notes on what models used; empty if no model was asked.
    pub(super) fn notes(&self) -> Vec<String> {
        self.client
            .as_ref()
            .map(crate::writer::notes)
            .unwrap_or_default()
    }
}

#[cfg(feature = "model")]
fn network() -> grounds_model::transport::Network {
    grounds_model::transport::Network::from_environment(&|name| std::env::var(name).ok())
}

#[cfg(not(feature = "model"))]
impl Helpers {
    pub(super) fn of(
        plan: &mut Recorded,
        arguments: &Verify,
        _config: &Config,
        _global: &Global,
    ) -> Result<Self, Error> {
        if arguments.model.model.is_some() || plan.entailment_url.is_some() {
            Err(Error::NotBuilt)
        } else {
            Ok(Self {
                chosen: plan.judges.clone(),
            })
        }
    }

    pub(super) fn judges(&self) -> Vec<Box<dyn Judge + '_>> {
        vec![Box::new(Lexical::default())]
    }

    const fn is_there(&self, kind: JudgeKind) -> bool {
        let Self { chosen: _ } = self;
        matches!(kind, JudgeKind::Words)
    }

    pub(super) fn with_writer(
        &self,
        write: &mut dyn FnMut(Option<&dyn ProofWriter>) -> Proof,
    ) -> Proof {
        write(None)
    }

    #[cfg(feature = "fleet")]
    pub(super) fn in_turns(self, _: &std::sync::Arc<dyn grounds_http::turns::Turns>) -> Self {
        self
    }

    #[cfg(feature = "fleet")]
    pub(super) const fn spent(&self) -> (u64, u64) {
        let Self { chosen: _ } = self;
        (0, 0)
    }

    pub(super) fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Helpers {
    /// Reports whether a judge may judge.
    #[cfg(feature = "model")]
    fn may_judge(&self, kind: JudgeKind) -> bool {
        self.chosen.is_empty() || self.chosen.contains(&kind)
    }

    /// Warns about judges that are named but not set up.
    pub(super) fn tell(&self, global: &Global) {
        let missing = self.chosen.iter().filter(|kind| !self.is_there(**kind));
        for kind in missing.filter(|_| !global.quiet) {
            let set_up = match kind {
                JudgeKind::Words => "nothing",
                JudgeKind::Entailment => "--entailment-url or `verify.entailment_url`",
                JudgeKind::Model => "--model or `model.use`",
            };
            let name = kind.name();
            let _ = writeln!(
                std::io::stderr().lock(),
                "warning: `verify.judges` names `{name}`, which is not set up ({set_up}); the others judge"
            );
        }
    }
}
