//! The budget of all requests. Before anything is sent it reserves the prompt and the longest
//! answer; if they do not fit, nothing is sent. The usage that the provider reports corrects the
//! reservation. If it reports none, or too little to be true, the whole reservation is spent. Many
//! threads share one budget.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grounds_http::turns::Turns;

use crate::price::{Price, dollars};
use crate::reply::Usage;

/// The caps that a user sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Tokens of all prompts and answers together; `None` without a cap.
    pub max_tokens_total: Option<u64>,
    /// Requests, new attempts included; `None` without a cap.
    pub max_requests: Option<u64>,
    /// Billionths of a dollar; `None` without a cap.
    pub max_cost_nano: Option<u64>,
}

impl Default for Caps {
    fn default() -> Self {
        Self {
            max_tokens_total: Some(200_000),
            max_requests: Some(200),
            max_cost_nano: None,
        }
    }
}

/// The maximum that one request may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Tokens of the prompt; rather too many than too few.
    pub prompt_tokens: u64,
    /// Tokens of the words alone: a server need not put the shape of an answer into the prompt.
    pub word_tokens: u64,
    /// Maximum number of tokens of the answer.
    pub output_tokens_max: u64,
    /// The price of these tokens; `None` if it is not known.
    pub price: Option<Price>,
}

impl Estimate {
    /// Returns all tokens that it may use.
    pub const fn tokens(&self) -> u64 {
        self.prompt_tokens.saturating_add(self.output_tokens_max)
    }

    fn cost_nano(&self) -> u64 {
        self.price.as_ref().map_or(0, |price| {
            price.cost_nano(self.prompt_tokens, self.output_tokens_max)
        })
    }
}

/// Why a request was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Exceeded {
    /// Too many tokens.
    #[error("it may use {wanted} tokens, and {left} of {cap} are left")]
    Tokens {
        /// What it may use.
        wanted: u64,
        /// What is left.
        left: u64,
        /// The cap.
        cap: u64,
    },
    /// Too many requests.
    #[error("all {cap} requests are used")]
    Requests {
        /// The cap.
        cap: u64,
    },
    /// Too expensive.
    #[error("it may cost {}, and {} of {} are left", dollars(*wanted_nano), dollars(*left_nano), dollars(*cap_nano))]
    Cost {
        /// What it may cost.
        wanted_nano: u64,
        /// What is left.
        left_nano: u64,
        /// The cap.
        cap_nano: u64,
    },
    /// There is a cap on cost, and the price of the model is not known.
    #[error("no price is known for `{model}`, so that its cost cannot be capped")]
    Unpriced {
        /// The model.
        model: String,
    },
}

impl Exceeded {
    /// Returns what to do next.
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::Tokens { .. } => "raise `model.max_tokens_total`, or ask for less",
            Self::Requests { .. } => "raise `model.max_requests`",
            Self::Cost { .. } => "raise `model.max_cost_usd`, or use a cheaper model",
            Self::Unpriced { .. } => {
                "add the model to `model.prices`, or leave `model.max_cost_usd` out"
            }
        }
    }
}

/// The usage so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Requests that were sent, new attempts included.
    pub requests: u64,
    /// Tokens of prompts.
    pub prompt_tokens: u64,
    /// Tokens of answers.
    pub output_tokens: u64,
    /// Billionths of a dollar.
    pub cost_nano: u64,
    /// Requests whose usage the provider did not report, or not believably: they count as reserved.
    pub unsaid: u64,
    /// Tokens of prompts as counted here, of the requests whose usage the provider reported.
    pub counted_prompt_tokens: u64,
    /// Tokens of the same prompts as the provider counted them.
    pub said_prompt_tokens: u64,
    /// Tokens that a provider used beyond what was reserved for the request.
    pub overrun_tokens: u64,
}

impl Spent {
    /// Returns all tokens.
    pub const fn tokens(&self) -> u64 {
        self.prompt_tokens.saturating_add(self.output_tokens)
    }

    /// Returns by how many percent our count of prompts was above (or below) the providers' counts;
    /// `None` if no provider reported a count.
    pub fn count_error_percent(&self) -> Option<i64> {
        let (counted, said) = (
            i64::try_from(self.counted_prompt_tokens).ok()?,
            i64::try_from(self.said_prompt_tokens).ok()?,
        );
        (said > 0).then(|| counted.saturating_sub(said).saturating_mul(100) / said)
    }
}

#[derive(Debug, Default)]
struct BudgetState {
    spent: Spent,
    reserved_tokens: u64,
    reserved_cost_nano: u64,
}

/// The budget of a run, or of a part of one: what a part spends also counts in the whole.
#[derive(Debug, Default)]
pub struct Budget {
    caps: Caps,
    state: Mutex<BudgetState>,
    whole: Option<Arc<Budget>>,
    told: Option<Arc<dyn Turns>>,
}

/// The part of the budget for one request. If it is dropped before it is settled, it is spent
/// whole.
#[derive(Debug)]
#[must_use]
pub struct Reservation<'b> {
    budget: &'b Budget,
    estimate: Estimate,
    is_open: bool,
    of_whole: Option<Box<Reservation<'b>>>,
}

impl Budget {
    /// Creates a budget with these caps.
    pub fn new(caps: Caps) -> Self {
        Self {
            caps,
            state: Mutex::default(),
            whole: None,
            told: None,
        }
    }

    /// Creates the same budget, which reports what each request used.
    #[must_use]
    pub fn telling(self, told: Option<Arc<dyn Turns>>) -> Self {
        Self { told, ..self }
    }

    /// Creates the budget of a part. It has no caps of its own, those of the whole apply, and its
    /// spending is counted separately.
    pub fn part_of(whole: &Arc<Self>) -> Self {
        let caps = Caps {
            max_tokens_total: None,
            max_requests: None,
            max_cost_nano: None,
        };
        Self {
            caps,
            state: Mutex::default(),
            whole: Some(Arc::clone(whole)),
            // The whole reports: each request of a part is reserved and settled there as well.
            told: None,
        }
    }

    /// Creates the budget of a part with a cap of tokens of its own, below those of the whole.
    pub fn within(whole: &Arc<Self>, tokens_max: u64) -> Self {
        let mut part = Self::part_of(whole);
        part.caps.max_tokens_total = Some(tokens_max);
        part
    }

    /// Returns the caps.
    pub const fn caps(&self) -> &Caps {
        &self.caps
    }

    /// Returns the usage so far, without requests that are still open.
    pub fn spent(&self) -> Spent {
        self.lock().spent
    }

    /// Reserves the maximum that a request may use.
    ///
    /// # Errors
    /// [`Exceeded`] if it does not fit; then nothing is reserved.
    pub fn reserve(&self, estimate: Estimate, model: &str) -> Result<Reservation<'_>, Exceeded> {
        let of_whole = self
            .whole
            .as_ref()
            .map(|whole| whole.reserve(estimate.clone(), model))
            .transpose()?
            .map(Box::new);
        let mut state = self.lock();
        if let Err(exceeded) = self.check(&state, &estimate, model) {
            // The whole has reserved first; it must not count a request that is never sent.
            of_whole
                .into_iter()
                .for_each(|of_whole| of_whole.give_back());
            return Err(exceeded);
        }
        // A request counts when it is reserved, so that parallel calls cannot exceed the cap
        // together.
        state.spent.requests += 1;
        state.reserved_tokens = state.reserved_tokens.saturating_add(estimate.tokens());
        state.reserved_cost_nano = state
            .reserved_cost_nano
            .saturating_add(estimate.cost_nano());
        drop(state);
        Ok(Reservation {
            budget: self,
            estimate,
            is_open: true,
            of_whole,
        })
    }

    fn check(&self, state: &BudgetState, estimate: &Estimate, model: &str) -> Result<(), Exceeded> {
        if let Some(cap) = self
            .caps
            .max_requests
            .filter(|cap| state.spent.requests >= *cap)
        {
            return Err(Exceeded::Requests { cap });
        }
        if let Some(cap) = self.caps.max_tokens_total {
            // What is reserved counts as spent, so that parallel requests cannot pass the cap
            // together.
            let left = cap
                .saturating_sub(state.spent.tokens())
                .saturating_sub(state.reserved_tokens);
            if estimate.tokens() > left {
                return Err(Exceeded::Tokens {
                    wanted: estimate.tokens(),
                    left,
                    cap,
                });
            }
        }
        if let Some(cap_nano) = self.caps.max_cost_nano {
            // Without a price the cost is 0, so that the cap would never be reached.
            if estimate.price.is_none() {
                return Err(Exceeded::Unpriced {
                    model: model.to_owned(),
                });
            }
            let left_nano = cap_nano
                .saturating_sub(state.spent.cost_nano)
                .saturating_sub(state.reserved_cost_nano);
            if estimate.cost_nano() > left_nano {
                return Err(Exceeded::Cost {
                    wanted_nano: estimate.cost_nano(),
                    left_nano,
                    cap_nano,
                });
            }
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, BudgetState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation<'_> {
    /// Returns everything, the request included: nothing was sent.
    pub fn give_back(mut self) {
        self.of_whole
            .take()
            .into_iter()
            .for_each(|of_whole| of_whole.give_back());
        let mut state = self.close();
        state.spent.requests = state.spent.requests.saturating_sub(1);
    }

    /// Counts only the request: the provider refused it before it did anything.
    pub fn refused(mut self) {
        self.of_whole
            .take()
            .into_iter()
            .for_each(|of_whole| of_whole.refused());
        self.end(|_, _| ());
    }

    /// Settles an answered request. `counted_output_tokens` is our own count of the answer.
    pub fn settle(mut self, usage: Option<Usage>, counted_output_tokens: u64) {
        self.of_whole
            .take()
            .into_iter()
            .for_each(|of_whole| of_whole.settle(usage, counted_output_tokens));
        self.end(|spent, estimate| {
            let is_believed =
                |usage: &Usage| is_believable(*usage, estimate, counted_output_tokens);
            match usage.filter(is_believed) {
                Some(usage) => spend_said(spent, estimate, usage),
                None => spend_whole(spent, estimate),
            }
        });
    }

    /// Closes a request that was sent, and reports what it used.
    fn end(&mut self, spend: impl FnOnce(&mut Spent, &Estimate)) {
        let estimate = self.estimate.clone();
        let (before, after) = {
            let mut state = self.close();
            let before = state.spent;
            spend(&mut state.spent, &estimate);
            (before, state.spent)
        };
        // After the lock is released, since the ledger behind `told` may take its time.
        if let Some(told) = &self.budget.told {
            let tokens = after.tokens().saturating_sub(before.tokens());
            told.used(tokens, after.cost_nano.saturating_sub(before.cost_nano));
        }
    }

    fn close(&mut self) -> MutexGuard<'_, BudgetState> {
        self.is_open = false;
        let mut state = self.budget.lock();
        state.reserved_tokens = state.reserved_tokens.saturating_sub(self.estimate.tokens());
        state.reserved_cost_nano = state
            .reserved_cost_nano
            .saturating_sub(self.estimate.cost_nano());
        state
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        if self.is_open {
            self.end(spend_whole);
        }
    }
}

fn spend_said(spent: &mut Spent, estimate: &Estimate, usage: Usage) {
    let used = usage.prompt_tokens.saturating_add(usage.output_tokens);
    spent.overrun_tokens = spent
        .overrun_tokens
        .saturating_add(used.saturating_sub(estimate.tokens()));
    spent.counted_prompt_tokens = spent
        .counted_prompt_tokens
        .saturating_add(estimate.prompt_tokens);
    spent.said_prompt_tokens = spent.said_prompt_tokens.saturating_add(usage.prompt_tokens);
    spend(spent, estimate, usage.prompt_tokens, usage.output_tokens);
}

fn spend_whole(spent: &mut Spent, estimate: &Estimate) {
    spent.unsaid += 1;
    spend(
        spent,
        estimate,
        estimate.prompt_tokens,
        estimate.output_tokens_max,
    );
}

fn spend(spent: &mut Spent, estimate: &Estimate, prompt_tokens: u64, output_tokens: u64) {
    spent.prompt_tokens = spent.prompt_tokens.saturating_add(prompt_tokens);
    spent.output_tokens = spent.output_tokens.saturating_add(output_tokens);
    let cost = estimate
        .price
        .as_ref()
        .map_or(0, |price| price.cost_nano(prompt_tokens, output_tokens));
    spent.cost_nano = spent.cost_nano.saturating_add(cost);
}

/// Reports whether a reported usage can be true: it must not be far below what was sent and
/// received. Our own counts are raised by half at most.
fn is_believable(usage: Usage, estimate: &Estimate, counted_output_tokens: u64) -> bool {
    usage.prompt_tokens.saturating_mul(4) >= estimate.word_tokens
        && usage.output_tokens.saturating_mul(4) >= counted_output_tokens
}

#[cfg(test)]
mod tests;
