//! The turn of a request among all processes that share a key of a provider. Others learn a
//! fingerprint and never the key itself.

use std::time::{Duration, Instant};

use grounds_http::turns::{self, Grant, NoTurn, Want, Went};

use super::ModelClient;
use super::attempts::asked_pause;
use crate::error::{ModelError, TransportBroken};
use crate::key::ApiKey;
use crate::provider::gguf;
use crate::wire::HttpResponse;

/// Milliseconds of a minute.
const MINUTE_MS: u64 = 60_000;

impl ModelClient {
    /// Waits for the turn of a request of so many tokens; `None` if only this process counts.
    pub(super) fn turn(
        &self,
        key: Option<&ApiKey>,
        tokens: u64,
        deadline: Instant,
    ) -> Result<Option<Grant>, ModelError> {
        // A model in this process has no host that others use as well.
        let is_here = self.settings.provider.card().name == gguf::NAME;
        let Some(turns) = self.settings.turns.as_deref().filter(|_| !is_here) else {
            return Ok(None);
        };
        let want = self.want(key, tokens);
        let waited = turns::wait(turns, &want, deadline, &|| self.cancel.is_stopped());
        waited.map(Some).map_err(|why| match why {
            NoTurn::Stopped => ModelError::Cancelled,
            why => ModelError::NoTurn {
                host: self.settings.endpoint.base.host().to_owned(),
                why,
            },
        })
    }

    fn want(&self, key: Option<&ApiKey>, tokens: u64) -> Want {
        let (rates, base) = (&self.settings.rates, &self.settings.endpoint.base);
        // Turns know no rate a minute, only the time between two requests.
        let minute = |units: u64, rate: u64| MINUTE_MS.saturating_mul(units).div_ceil(rate.max(1));
        let known_by = key.map_or_else(|| "none".to_owned(), ApiKey::fingerprint);
        Want {
            key: format!("{} {known_by}", self.settings.turns_at()),
            apart_ms: rates
                .requests_per_minute
                .map_or(0, |rate| minute(1, rate.into())),
            tokens_apart_ms: rates
                .tokens_per_minute
                .map_or(0, |rate| minute(tokens, rate)),
            is_alone: false,
            is_local: base.is_local(),
        }
    }

    /// Reports how the request of a turn went.
    pub(super) fn went(
        &self,
        turn: Option<&Grant>,
        sent: &Result<HttpResponse, Option<TransportBroken>>,
    ) {
        let (Some(turns), Some(turn)) = (&self.settings.turns, turn) else {
            return;
        };
        let went = match sent {
            Ok(response) => match self.held(response) {
                Some(held) => Went::Held(u64::try_from(held.as_millis()).unwrap_or(u64::MAX)),
                None if is_refusal(response.status) => Went::Badly,
                None => Went::Well,
            },
            Err(Some(_)) => Went::Badly,
            // A stopped request shows nothing about the provider.
            Err(None) => return,
        };
        turns.went(turn, went, None);
    }

    /// Returns the pause for all that a provider asks for, within the maximum.
    pub(super) fn held(&self, response: &HttpResponse) -> Option<Duration> {
        let longest = Duration::from_millis(self.settings.patience.wait_ms_max);
        asked_pause(response)
            // With other statuses the header is about this request only.
            .filter(|_| matches!(response.status, 429 | 503 | 529))
            .map(|asked| asked.min(longest))
    }
}

/// Reports whether a status means that the next request will be refused as well, for the key, the
/// credit, the rate or the server.
const fn is_refusal(status: u16) -> bool {
    matches!(status, 401 | 402 | 403 | 429 | 500..=599)
}
