//! An entailment model behind a server, as judge. The protocol is that of servers for text
//! classification: `POST URL/predict` with `{"inputs": [[premise, hypothesis], …]}` returns one
//! list of `{"label", "score"}` for each pair, with the labels entailment, contradiction and
//! neutral. A sentence of the page is the premise, the claim the hypothesis. The judge speaks only
//! if the model is sure.

use std::ops::Range;
use std::time::Duration;

use grounds_model::address::BaseUrl;
use grounds_model::cancel::Cancel;
use grounds_model::exchange::{self, Shelves};
use grounds_model::transport::{ModelTransport, Network};
use grounds_model::wire::{HttpRequest, HttpResponse, KeyPlace};
use serde_json::{Value, json};

use super::{Judge, JudgeError, JudgedPage, Judgement, passages};
use crate::history::{HitManner, JudgeName, Stance};
use crate::task::SearchTask;

/// Maximum number of sentences of one page about which the model is asked.
pub const SENTENCES_MAX: usize = 24;
/// Maximum number of hits of one page.
const HITS_MAX: usize = 3;
/// Default certainty, in thousandths, from which on the judge takes a side.
pub const CERTAINTY_MILLI: u32 = 900;
/// Timeout of one request, in milliseconds.
pub const REQUEST_MS_MAX: u64 = 60_000;

/// An entailment model behind a server.
#[derive(Debug)]
pub struct Entailment {
    base: BaseUrl,
    transport: ModelTransport,
    shelves: Shelves,
    certainty_milli: u32,
    request_ms_max: u64,
}

/// The scores of a pair, in thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Shares {
    entailment: u32,
    contradiction: u32,
}

impl Entailment {
    /// Creates the judge for the model behind an address: https, or http to this machine.
    ///
    /// # Errors
    /// A description of what is wrong with the address or the settings of the network.
    pub fn new(
        base: &str,
        network: &Network,
        shelves: Shelves,
        certainty_milli: u32,
    ) -> Result<Self, String> {
        let base =
            BaseUrl::parse(base).map_err(|error| format!("the address `{base}`: {error}"))?;
        let transport = ModelTransport::new(network, base.host(), base.is_local())
            .map_err(|error| error.to_string())?;
        Ok(Self {
            base,
            transport,
            shelves,
            certainty_milli,
            request_ms_max: REQUEST_MS_MAX,
        })
    }

    fn wrong(&self, why: String) -> JudgeError {
        let advice = "check `verify.entailment_url` and that the server answers `POST /predict` as docs/verify.md says".to_owned();
        JudgeError {
            judge: format!("entailment at {}", self.base.host()),
            why,
            advice,
            is_spent: false,
        }
    }

    /// Returns the response from the recording if one is replayed, else from the server.
    fn exchange(&self, request: &HttpRequest) -> Result<HttpResponse, JudgeError> {
        if let Some(folder) = &self.shelves.replay {
            let found = exchange::find(folder, request)
                .map_err(|error| self.wrong(format!("cannot {error}")))?;
            // A replay never asks the server: a request that was not recorded is an error.
            return found
                .ok_or_else(|| self.wrong("the recording does not have this request".to_owned()));
        }
        let within = Duration::from_millis(self.request_ms_max);
        let sent = self
            .transport
            .send(request, None, within, &Cancel::default());
        let response = sent.map_err(|broken| {
            self.wrong(
                broken.map_or_else(|| "it was stopped".to_owned(), |broken| broken.to_string()),
            )
        })?;
        if let Some(folder) = &self.shelves.record {
            exchange::keep(folder, request, &response, None)
                .map_err(|error| self.wrong(format!("cannot {error}")))?;
        }
        Ok(response)
    }

    fn shares(&self, claim: &str, premises: &[&str]) -> Result<Vec<Shares>, JudgeError> {
        let pairs: Vec<Value> = premises
            .iter()
            .map(|premise| json!([premise, claim]))
            .collect();
        // Without `truncate`, the server refuses a pair that is too long for its model.
        let body = json!({"inputs": pairs, "raw_scores": false, "truncate": true});
        let response = self.exchange(&HttpRequest::json(
            self.base.below("/predict"),
            KeyPlace::Bearer,
            &body,
        ))?;
        if response.status != 200 {
            return Err(self.wrong(format!("it answered with the status {}", response.status)));
        }
        let answer: Value = serde_json::from_slice(&response.body)
            .map_err(|_| self.wrong("its answer is no JSON".to_owned()))?;
        let rows = answer
            .as_array()
            // With another number of rows, nobody knows which pair a row is about.
            .filter(|rows| rows.len() == premises.len());
        let rows = rows.ok_or_else(|| {
            self.wrong(format!(
                "it was asked about {} pairs and did not answer for each",
                premises.len()
            ))
        })?;
        rows.iter()
            .map(|row| {
                of_row(row).ok_or_else(|| {
                    self.wrong(
                        "its labels are not entailment, contradiction and neutral".to_owned(),
                    )
                })
            })
            .collect()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be a share"
)]
fn of_row(row: &Value) -> Option<Shares> {
    let share = |name: &str| {
        let of_name = |label: &&Value| {
            label["label"]
                .as_str()
                .is_some_and(|label| label.eq_ignore_ascii_case(name))
        };
        let score = row.as_array()?.iter().find(of_name)?["score"].as_f64()?;
        // A score that the server has rounded may be a little more than 1.
        (0.0..=1.0001)
            .contains(&score)
            .then_some((score * 1000.0) as u32)
    };
    Some(Shares {
        entailment: share("entailment")?,
        contradiction: share("contradiction")?,
    })
}

impl Judge for Entailment {
    fn name(&self) -> JudgeName {
        JudgeName::Entailment(self.base.host().to_owned())
    }

    fn judge(
        &self,
        task: &SearchTask,
        page: &JudgedPage<'_>,
    ) -> Result<Vec<Judgement>, JudgeError> {
        let places = passages::worth_asking(&task.claim, page.text, SENTENCES_MAX);
        // A page without a word of the claim is not worth a request.
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let premises: Vec<&str> = places
            .iter()
            .map(|place| &page.text[place.clone()])
            .collect();
        let shares = self.shares(&task.claim, &premises)?;
        Ok(spoken(&places, &shares, self.certainty_milli))
    }
}

/// Returns the places about which the model is sure, the surest first.
fn spoken(places: &[Range<usize>], shares: &[Shares], certainty_milli: u32) -> Vec<Judgement> {
    let side = |share: &Shares| match (share.entailment, share.contradiction) {
        (entailment, _) if entailment >= certainty_milli => Some((Stance::Support, entailment)),
        (_, contradiction) if contradiction >= certainty_milli => {
            Some((Stance::Refute, contradiction))
        }
        (_, _) => None,
    };
    let mut sure: Vec<(u32, Judgement)> = places
        .iter()
        .zip(shares)
        .filter_map(|(bytes, share)| {
            side(share).map(|(stance, sure)| {
                (
                    sure,
                    Judgement {
                        stance,
                        // The labels do not tell a forecast from a statement.
                        manner: HitManner::Statement,
                        bytes: bytes.clone(),
                    },
                )
            })
        })
        .collect();
    sure.sort_by_key(|(sure, judgement)| (std::cmp::Reverse(*sure), judgement.bytes.start));
    sure.truncate(HITS_MAX);
    sure.into_iter().map(|(_, judgement)| judgement).collect()
}
