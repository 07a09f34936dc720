//! The work of the chosen model for `ask`. It proposes names if the question's own words gave no
//! answer, and writes sentences if there is one. The caller checks both, and neither decides.
//! Without a model, or with it switched off, nothing is asked.

use grounds_ask::Investigation;
use grounds_ask::hypotheses::Proposer;

use crate::cli::{Ask, Global};
use crate::config::Config;
use crate::error::Error;

/// The chosen model, with what it is asked for; it has none if no model is asked.
pub(super) struct Helper {
    #[cfg(feature = "model")]
    asked: Option<chosen::HelperModel>,
}

#[cfg(feature = "model")]
mod chosen {
    use grounds_model::ModelClient;

    use crate::proposer::ModelProposer;

    /// A model, and what it is asked for.
    pub(super) struct HelperModel {
        pub(super) proposer: ModelProposer,
        pub(super) is_asked_for_names: bool,
        pub(super) is_asked_for_sentences: bool,
    }

    impl HelperModel {
        pub(super) const fn client(&self) -> &ModelClient {
            &self.proposer.0
        }
    }
}

#[cfg(feature = "model")]
impl Helper {
    /// Returns the model of the command line, the environment or the person's own configuration.
    pub(super) fn chosen(arguments: &Ask, global: &Global, config: &Config) -> Result<Self, Error> {
        let own = config.model.clone().unwrap_or_default();
        if global.no_model || arguments.offline {
            return Ok(Self { asked: None });
        }
        let Some(mut settings) = crate::model::settings(&arguments.model, &own)? else {
            return Ok(Self { asked: None });
        };
        let ms_max = own.ask_ms_max.unwrap_or(crate::model::ASK_MS_MAX);
        // A question is answered or refused without the model too, so its person waits less than
        // for a review.
        settings.patience.total_ms_max = settings.patience.total_ms_max.min(ms_max);
        settings.patience.request_ms_max = settings.patience.request_ms_max.min(ms_max);
        Ok(Self {
            asked: Some(chosen::HelperModel {
                proposer: crate::proposer::ModelProposer(grounds_model::ModelClient::of(settings)),
                is_asked_for_names: own.names != Some(false),
                // An answer is complete without sentences, so a model that is only configured does
                // not delay it.
                is_asked_for_sentences: own.sentences.unwrap_or(arguments.model.model.is_some()),
            }),
        })
    }

    /// Returns the proposer of names; `None` if no model is asked for names.
    pub(super) fn proposer(&self) -> Option<&dyn Proposer> {
        self.asked
            .as_ref()
            .filter(|asked| asked.is_asked_for_names)
            .map(|asked| &asked.proposer as &dyn Proposer)
    }

    /// Lets the model put an answer into sentences, and notes the use. The investigation is
    /// finished, and nothing else of it changes.
    pub(super) fn write(&self, investigation: &mut Investigation) {
        let Some(asked) = &self.asked else { return };
        if asked.is_asked_for_sentences && investigation.answer.is_some() {
            investigation.prose = Some(grounds_ask::prose::write(
                &crate::writer::ModelWriter(asked.client()),
                investigation,
            ));
        }
        // Names and sentences were asked for through one client, so that its use is shown once.
        let notes = crate::writer::notes(asked.client());
        match (&mut investigation.prose, &mut investigation.hypotheses) {
            (Some(prose), _) => prose.notes = notes,
            (None, Some(hypotheses)) => hypotheses.notes = notes,
            (None, None) => {}
        }
    }
}

#[cfg(not(feature = "model"))]
impl Helper {
    pub(super) fn chosen(
        arguments: &Ask,
        _global: &Global,
        _config: &Config,
    ) -> Result<Self, Error> {
        if arguments.model.model.is_some() {
            Err(Error::NotBuilt)
        } else {
            Ok(Self {})
        }
    }

    pub(super) fn proposer(&self) -> Option<&dyn Proposer> {
        None
    }

    pub(super) fn write(&self, _investigation: &mut Investigation) {}
}
