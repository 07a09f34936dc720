//! Sends a request with a bounded number of attempts. Each attempt reserves its part of the budget
//! and keeps the pace. The wait between attempts is what the provider asks for, or else the
//! backoff. An attempt with an unknown end counts as spent.

use std::time::{Duration, Instant};

use super::ModelClient;
use crate::budget::{Estimate, Reservation};
use crate::cancel::LOOK_AGAIN;
use crate::error::{ModelError, TransportBroken};
use crate::pace::NotEntered;
use crate::provider::{self, gguf};
use crate::transport::ModelTransport;
use crate::wire::{HttpRequest, HttpResponse};

/// Maximum backoff in milliseconds.
const BACKOFF_MS_MAX: u64 = 30_000;

/// The end of one attempt.
enum AttemptEnd<'c> {
    Came(HttpResponse, Reservation<'c>),
    Broke(TransportBroken),
}

impl ModelClient {
    /// Returns the last response with its reservation.
    pub(super) fn send(
        &self,
        http: &HttpRequest,
        estimate: &Estimate,
    ) -> Result<(HttpResponse, Reservation<'_>), ModelError> {
        let deadline = Instant::now() + Duration::from_millis(self.settings.patience.total_ms_max);
        let attempts_max = self.settings.patience.attempts_max.max(1);
        let mut attempt = 1;
        loop {
            let ended = self.attempt(http, estimate, deadline)?;
            let pause = self
                .pause_before_new(&ended, attempt)
                .filter(|pause| attempt < attempts_max && Instant::now() + *pause < deadline);
            match (ended, pause) {
                (AttemptEnd::Came(response, reservation), None) => {
                    return Ok((response, reservation));
                }
                (AttemptEnd::Broke(broken), None) => return Err(self.broken(broken)),
                // The provider refused this attempt, and the next one reserves anew.
                (AttemptEnd::Came(_, reservation), Some(pause)) => {
                    reservation.refused();
                    self.wait(pause)?;
                }
                (AttemptEnd::Broke(_), Some(pause)) => self.wait(pause)?,
            }
            attempt += 1;
            self.lock().new_attempts += 1;
        }
    }

    fn attempt(
        &self,
        http: &HttpRequest,
        estimate: &Estimate,
        deadline: Instant,
    ) -> Result<AttemptEnd<'_>, ModelError> {
        let (key, transport) = (self.key()?, self.transport()?);
        let reservation = self
            .budget
            .reserve(estimate.clone(), &self.settings.endpoint.model)
            .map_err(ModelError::OverBudget)?;
        let _permit = match self.pace.enter(estimate.tokens(), deadline, &self.cancel) {
            Ok(permit) => permit,
            Err(not_entered) => {
                // Nothing was sent, so that not even a request counts.
                reservation.give_back();
                return Err(match not_entered {
                    NotEntered::Stopped => ModelError::Cancelled,
                    NotEntered::TooLate => self.broken(TransportBroken::TimeUp {
                        ms: self.settings.patience.total_ms_max,
                    }),
                });
            }
        };
        let turn = match self.turn(key, estimate.tokens(), deadline) {
            Ok(turn) => turn,
            Err(error) => {
                reservation.give_back();
                return Err(error);
            }
        };
        let left = deadline.saturating_duration_since(Instant::now());
        let within = left
            .min(Duration::from_millis(self.settings.patience.request_ms_max))
            // A turn may come at the deadline, and the attempt still needs some time.
            .max(Duration::from_millis(1));
        let sent = transport.send(http, key, within, &self.cancel);
        self.went(turn.as_ref(), &sent);
        match sent {
            Ok(response) => Ok(AttemptEnd::Came(response, reservation)),
            Err(Some(broken)) => {
                // In all other cases the reservation is dropped, and so spent: the provider may
                // have answered.
                if was_never_sent(&broken) {
                    reservation.refused();
                }
                Ok(AttemptEnd::Broke(broken))
            }
            Err(None) => Err(ModelError::Cancelled),
        }
    }

    /// Returns how long to wait before a new attempt; `None` if another one makes no sense.
    fn pause_before_new(&self, ended: &AttemptEnd<'_>, attempt: u32) -> Option<Duration> {
        let patience = &self.settings.patience;
        let backoff = backoff(patience.backoff_ms, attempt);
        match ended {
            AttemptEnd::Came(response, _) if provider::may_try_again(response) => {
                // A server that does not know a form may answer 500: then a simpler form is the
                // better new attempt.
                if response.status == 500 && provider::is_form_refused(response) {
                    return None;
                }
                let asked = asked_pause(response);
                // The pause is for all calls of this client: they would be refused as well.
                if let Some(held) = self.held(response) {
                    self.pace.hold(held);
                }
                match asked {
                    Some(asked) if asked > Duration::from_millis(patience.wait_ms_max) => None,
                    // A provider may ask for 0 s, and calls that wait equally long would collide
                    // again.
                    Some(asked) => Some(asked.max(backoff / 4)),
                    None => Some(backoff),
                }
            }
            AttemptEnd::Came(..) => None,
            AttemptEnd::Broke(TransportBroken::Unreachable(_) | TransportBroken::CutShort) => {
                Some(backoff)
            }
            // A second wait as long as the first is rarely worth it, and may be charged twice.
            AttemptEnd::Broke(
                TransportBroken::TimeUp { .. }
                | TransportBroken::TooLarge { .. }
                | TransportBroken::NoSuchHost
                | TransportBroken::Tls(_)
                | TransportBroken::Proxy
                | TransportBroken::Malformed(_),
            ) => None,
        }
    }

    /// Waits until the pause is over, or until it is stopped.
    fn wait(&self, pause: Duration) -> Result<(), ModelError> {
        let until = Instant::now() + pause;
        while Instant::now() < until {
            if self.cancel.is_stopped() {
                return Err(ModelError::Cancelled);
            }
            std::thread::sleep(LOOK_AGAIN.min(until.saturating_duration_since(Instant::now())));
        }
        Ok(())
    }

    fn transport(&self) -> Result<&ModelTransport, ModelError> {
        let base = &self.settings.endpoint.base;
        if self.settings.provider.card().name == gguf::NAME {
            return self
                .transport
                .get_or_init(|| Ok(ModelTransport::in_process()))
                .as_ref()
                .map_err(Clone::clone);
        }
        let make = || {
            ModelTransport::new(&self.settings.network, base.host(), base.is_local())
                .map_err(|broken| self.broken(broken))
        };
        // Shared by all requests, so that open connections are used again.
        self.transport
            .get_or_init(make)
            .as_ref()
            .map_err(Clone::clone)
    }

    fn broken(&self, broken: TransportBroken) -> ModelError {
        ModelError::Broken {
            host: self.settings.endpoint.base.host().to_owned(),
            broken,
        }
    }
}

/// Reports whether an attempt certainly did not reach the provider.
const fn was_never_sent(broken: &TransportBroken) -> bool {
    match broken {
        TransportBroken::NoSuchHost
        | TransportBroken::Unreachable(_)
        | TransportBroken::Tls(_)
        | TransportBroken::Proxy => true,
        TransportBroken::TimeUp { .. }
        | TransportBroken::CutShort
        | TransportBroken::TooLarge { .. }
        | TransportBroken::Malformed(_) => false,
    }
}

/// Returns a wait that doubles with each attempt, of which a random part of up to half is left out,
/// so that parallel calls spread.
fn backoff(first_ms: u64, attempt: u32) -> Duration {
    let ms = first_ms
        .saturating_mul(1 << attempt.saturating_sub(1).min(16))
        .min(BACKOFF_MS_MAX);
    Duration::from_millis(ms / 2 + fastrand::u64(0..=ms / 2))
}

/// Returns the pause that the provider asks for, in seconds or milliseconds. A date is not read: it
/// would need the provider's own clock.
pub(super) fn asked_pause(response: &HttpResponse) -> Option<Duration> {
    let number = |name: &str| {
        response
            .header(name)?
            .trim()
            .parse::<f64>()
            .ok()
            .filter(|value| value.is_finite() && *value >= 0.0)
    };
    let ms = number("retry-after-ms")
        .or_else(|| number("retry-after").map(|seconds| seconds * 1_000.0))?;
    // `from_secs_f64` panics for a number that is too large.
    Some(Duration::from_secs_f64((ms / 1_000.0).min(86_400.0)))
}
