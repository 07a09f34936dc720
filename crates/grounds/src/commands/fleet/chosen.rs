//! The model that jobs of a fleet may ask, and the amount that one job may spend on it. A choice
//! that cannot be used is an error, and never "no model".

use grounds_fleet::ledger::{Next, Reserve, Unit};
use grounds_fleet::worker::{Hand, WorkerDone};

use super::jobs::failed;
use crate::cli::Global;
use crate::config::Config;
use crate::error::Error;

/// A model that is chosen.
pub(super) struct ChosenModel {
    /// Its provider and its name.
    pub(super) name: String,
    /// The key at which turns are taken.
    pub(super) turns_at: String,
    /// The most that one job may spend; `None` means without a bound.
    most: [(Unit, Option<u64>); 2],
}

/// Returns what a job used, as a budget counts it.
pub(super) fn amounts(tokens: u64, cost_nano: u64) -> Vec<(Unit, u64)> {
    vec![
        (Unit::Tokens, tokens),
        (Unit::MicroUsd, cost_nano.div_ceil(1_000)),
    ]
}

impl ChosenModel {
    /// Returns the model that the configuration or the environment names; `None` if neither does.
    ///
    /// # Errors
    /// [`Error::Model`] when one is chosen that cannot be used.
    #[cfg(feature = "model")]
    pub(super) fn of(config: &Config, global: &Global) -> Result<Option<Self>, Error> {
        if global.no_model {
            return Ok(None);
        }
        let wanted = config.model.clone().unwrap_or_default();
        let options = crate::cli::ModelOptions::default();
        let Some(settings) = crate::model::settings(&options, &wanted)? else {
            return Ok(None);
        };
        let provider = settings.provider.card().name;
        // Rounded up, so that no less is reserved than the job may spend.
        let micro_usd = settings.caps.max_cost_nano.map(|nano| nano.div_ceil(1_000));
        Ok(Some(Self {
            name: format!("{provider}/{}", settings.endpoint.model),
            turns_at: settings.turns_at(),
            most: [
                (Unit::Tokens, settings.caps.max_tokens_total),
                (Unit::MicroUsd, micro_usd),
            ],
        }))
    }

    /// Returns `None`: this program asks no model.
    #[cfg(not(feature = "model"))]
    pub(super) const fn of(_config: &Config, _global: &Global) -> Result<Option<Self>, Error> {
        Ok(None)
    }

    /// Returns the unit of a budget that cannot be kept, since one job may spend without a bound in
    /// it.
    pub(super) fn unbounded(&self, budgets: &[(Unit, Option<u64>)]) -> Option<Unit> {
        let is_budget = |unit: Unit| {
            budgets
                .iter()
                .any(|(one, most)| *one == unit && most.is_some())
        };
        let open = self.most.iter().filter(|(_, most)| most.is_none());
        open.map(|(unit, _)| *unit).find(|unit| is_budget(*unit))
    }

    /// Reserves what one job may spend at the most.
    pub(super) fn reserve(&self, hand: &Hand<'_>) -> Result<(), Box<WorkerDone>> {
        for (unit, most) in self.most {
            // Without a bound nothing is set aside, but what comes to be used is counted all the same;
            // a run with a budget in this unit was refused.
            let amount = most.unwrap_or(0);
            match hand.reserve(unit, amount) {
                Ok(Reserve::Taken) => {}
                Ok(Reserve::Spent) => {
                    let why = format!("{amount} {} that one job may use are not left", unit.word());
                    return Err(Box::new(failed("budget_spent", &why, Next::Hold)));
                }
                Ok(Reserve::Lost) => return Err(Box::new(failed("lease_lost", "", Next::Release))),
                Err(fault) => {
                    return Err(Box::new(failed("ledger", &fault.to_string(), Next::Retry)));
                }
            }
        }
        Ok(())
    }
}
