//! The client of a model. Every request takes the same way: secrets are masked, bytes rendered,
//! recorded exchanges looked up, budget reserved, pace kept, sent with a bounded number of
//! attempts, parsed. Many threads may share one client.

mod attempts;
mod turn;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use serde_json::Value;

use crate::budget::{Budget, Estimate, Reservation, Spent};
use crate::cancel::Cancel;
use crate::error::ModelError;
use crate::exchange;
use crate::key::ApiKey;
use crate::material;
use crate::pace::Pace;
use crate::price::{self, Price};
use crate::provider::{self, ShapeForm};
use crate::redact::{self, Masked};
use crate::reply::{Finish, ModelReply};
use crate::request::{Message, ModelRequest, Role, Schema};
use crate::settings::ModelSettings;
use crate::structured;
use crate::tokens::Tokenizer;
use crate::transport::ModelTransport;
use crate::wire::{HttpRequest, HttpResponse};

/// Maximum number of letters of the reason that a repair quotes.
const REPAIR_LETTERS_MAX: usize = 400;
/// Maximum number of withheld files that are reported by name.
const HELD_BACK_MAX: usize = 100;

/// A model that can be asked.
#[derive(Debug)]
pub struct ModelClient {
    settings: Arc<ModelSettings>,
    key: Arc<OnceLock<Result<Option<ApiKey>, ModelError>>>,
    transport: Arc<OnceLock<Result<ModelTransport, ModelError>>>,
    tokenizer: Tokenizer,
    budget: Arc<Budget>,
    pace: Arc<Pace>,
    cancel: Cancel,
    form: Arc<AtomicUsize>,
    told: Mutex<ClientNotes>,
}

/// The events that a client reports at the end of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientNotes {
    /// Secrets that were masked, by rule.
    pub masked: Masked,
    /// Files that were not sent, since they contain secrets.
    pub held_back: Vec<String>,
    /// Attempts after a first one.
    pub new_attempts: u64,
    /// Answers that were repaired.
    pub repairs: u64,
    /// Requests that a cache answered.
    pub from_cache: u64,
    /// Requests that a replay answered.
    pub from_replay: u64,
    /// Forms of answers that the provider did not accept.
    pub forms_refused: u64,
    /// The requests that a dry run would have sent.
    pub planned: Vec<RequestPlan>,
}

/// The estimated use of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestPlan {
    /// Tokens of the prompt; rather too many than too few.
    pub prompt_tokens: u64,
    /// Maximum number of tokens of the answer.
    pub output_tokens_max: u64,
    /// Maximum number of tokens that one repair of the answer uses in addition, its prompt and its
    /// answer.
    pub repair_tokens_max: u64,
    /// Whether the model's own vocabulary was used for counting.
    pub is_exact: bool,
    /// Maximum number of requests: attempts, simpler forms, a repair.
    pub requests_max: u64,
    /// Maximum cost of one request in billionths of a dollar; `None` if the price is not known.
    pub cost_nano_max: Option<u64>,
}

/// A value of the requested shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Structured {
    /// The value.
    pub value: Value,
    /// The answer that contains it.
    pub reply: ModelReply,
    /// Whether a second answer was needed.
    pub was_repaired: bool,
}

/// A value that a caller read from an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedReply<T> {
    /// The value.
    pub value: T,
    /// The answer that contains it.
    pub reply: ModelReply,
    /// Whether a second answer was needed.
    pub was_repaired: bool,
}

/// A response, and the reservation that it settles; `None` if nothing was sent.
struct SettledReply<'c> {
    response: HttpResponse,
    reservation: Option<Reservation<'c>>,
}

impl ClientNotes {
    /// Adds the events of a part of the work.
    pub fn add(&mut self, part: &Self) {
        redact::add(&mut self.masked, &part.masked);
        for name in &part.held_back {
            if self.held_back.len() < HELD_BACK_MAX && !self.held_back.contains(name) {
                self.held_back.push(name.clone());
            }
        }
        self.new_attempts += part.new_attempts;
        self.repairs += part.repairs;
        self.from_cache += part.from_cache;
        self.from_replay += part.from_replay;
        self.forms_refused += part.forms_refused;
        self.planned.extend(part.planned.iter().cloned());
    }
}

impl ModelClient {
    /// Creates a client with a budget that other clients may share.
    pub fn new(settings: ModelSettings, budget: Arc<Budget>, cancel: Cancel) -> Self {
        let tokenizer = Tokenizer::for_model(&settings.endpoint.model);
        let pace = Arc::new(Pace::new(settings.rates));
        // Made when they are first needed: a replay needs neither key nor connection.
        let (key, transport, form, told) = (
            Arc::default(),
            Arc::default(),
            Arc::default(),
            Mutex::default(),
        );
        Self {
            settings: Arc::new(settings),
            key,
            transport,
            tokenizer,
            budget,
            pace,
            cancel,
            form,
            told,
        }
    }

    /// Creates a client of the same model for a part of the work. Key, connection, pace, budget and
    /// what was learned about the provider are shared. The part also counts its own spending and
    /// events.
    #[must_use]
    pub fn part(&self) -> Self {
        Self {
            settings: Arc::clone(&self.settings),
            key: Arc::clone(&self.key),
            transport: Arc::clone(&self.transport),
            tokenizer: self.tokenizer,
            budget: Arc::new(Budget::part_of(&self.budget)),
            pace: Arc::clone(&self.pace),
            cancel: self.cancel.clone(),
            form: Arc::clone(&self.form),
            told: Mutex::default(),
        }
    }

    /// Creates the same with a maximum of tokens for everything that it sends: a request beyond it
    /// is not sent.
    #[must_use]
    pub fn within(&self, tokens_max: u64) -> Self {
        Self {
            budget: Arc::new(Budget::within(&self.budget, tokens_max)),
            ..self.part()
        }
    }

    /// Creates a client with a budget of its own.
    pub fn of(settings: ModelSettings) -> Self {
        let budget = Arc::new(Budget::new(settings.caps).telling(settings.turns.clone()));
        Self::new(settings, budget, Cancel::default())
    }

    /// Returns the settings.
    pub fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    /// Returns the usage so far.
    pub fn spent(&self) -> Spent {
        self.budget.spent()
    }

    /// Returns the budget that counts what this client spends.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Counts the tokens of a text by the vocabulary of the model, rather too many than too few.
    pub fn count_tokens(&self, text: &str) -> u64 {
        self.tokenizer.count(text)
    }

    /// Returns the events so far.
    pub fn told(&self) -> ClientNotes {
        self.lock().clone()
    }

    /// Returns the instructions and the messages of a request as they would leave the machine.
    /// Nothing is sent.
    pub fn words(&self, request: &ModelRequest) -> String {
        let request = self.fit_to_leave(request);
        let messages = request.messages.iter().map(|message| {
            let role = match message.role {
                Role::User => "user",
                Role::Assistant => "assistant",
            };
            format!("[{role}]\n{}", message.text)
        });
        let parts = std::iter::once(format!("[system]\n{}", request.system)).chain(messages);
        parts.collect::<Vec<_>>().join("\n\n")
    }

    /// Returns what a request would use, without sending it.
    pub fn plan(&self, request: &ModelRequest) -> RequestPlan {
        let prompt_tokens = self.tokenizer.count_request(request);
        let output_tokens_max = u64::from(request.output_tokens_max);
        let (forms, repairs) = if request.schema.is_some() {
            (self.settings.provider.card().forms.len(), 1)
        } else {
            (1, 0)
        };
        // Each form, and the repair, may take all attempts.
        let requests_max =
            u64::from(self.settings.patience.attempts_max.max(1)) * (forms as u64 + repairs);
        let repair_tokens_max = request.schema.as_ref().map_or(0, |schema| {
            let words = structured::repair(&"?".repeat(REPAIR_LETTERS_MAX), schema);
            // The answer is sent again, and counted on the safe side.
            prompt_tokens + 3 * output_tokens_max + self.tokenizer.count(&words)
        });
        let cost_nano_max = self
            .price()
            .map(|price| price.cost_nano(prompt_tokens, output_tokens_max));
        RequestPlan {
            prompt_tokens,
            output_tokens_max,
            repair_tokens_max,
            is_exact: self.tokenizer.is_exact(),
            requests_max,
            cost_nano_max,
        }
    }

    /// Asks for prose.
    ///
    /// # Errors
    /// [`ModelError`], also for an answer that was truncated.
    pub fn ask(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let request = ModelRequest {
            schema: None,
            ..self.fit_to_leave(request)
        };
        let reply = self.exchange(&request, ShapeForm::Words)?;
        match reply.finish {
            Finish::Length => Err(ModelError::Truncated {
                output_tokens_max: request.output_tokens_max,
                raw: reply.text,
            }),
            Finish::Complete | Finish::Unsaid | Finish::Declined | Finish::Filtered => Ok(reply),
        }
    }

    /// Asks for a value of the shape that the request names, with at most one repair.
    ///
    /// # Errors
    /// [`ModelError`]; [`ModelError::Unreadable`] keeps the raw answer.
    pub fn ask_for_value(&self, request: &ModelRequest) -> Result<Structured, ModelError> {
        let schema = schema_of(request)?.clone();
        let ParsedReply {
            value,
            reply,
            was_repaired,
        } = self.ask_for(request, &|reply| value_of(reply, &schema))?;
        Ok(Structured {
            value,
            reply,
            was_repaired,
        })
    }

    /// Asks for a value that the caller reads in its own way, wider or narrower than the shape of
    /// the request. If it cannot, it returns the reason in words for the model, which may repair
    /// its answer once.
    ///
    /// # Errors
    /// As [`Self::ask_for_value`].
    pub fn ask_for<T>(
        &self,
        request: &ModelRequest,
        read: &dyn Fn(&ModelReply) -> Result<T, String>,
    ) -> Result<ParsedReply<T>, ModelError> {
        let request = self.fit_to_leave(request);
        let schema = schema_of(&request)?;
        let reply = self.exchange_in_best_form(&request)?;
        let why = match read(&reply) {
            Ok(value) => {
                return Ok(ParsedReply {
                    value,
                    reply,
                    was_repaired: false,
                });
            }
            // A repair would be truncated as well, and cost a request.
            Err(_) if reply.finish == Finish::Length => {
                return Err(ModelError::Truncated {
                    output_tokens_max: request.output_tokens_max,
                    raw: raw_of(&reply),
                });
            }
            Err(why) => why,
        };
        let mut again = request.clone();
        again.messages.push(Message::assistant(raw_of(&reply)));
        again
            .messages
            .push(Message::user(structured::repair(&why, schema)));
        self.lock().repairs += 1;
        let second = match self.exchange_in_best_form(&again) {
            Ok(second) => second,
            // A stop is no failure of the repair.
            Err(ModelError::Cancelled) => return Err(ModelError::Cancelled),
            Err(error) => {
                return Err(ModelError::Unreadable {
                    why: format!("{why}; a repair was not possible: cannot {error}"),
                    raw: raw_of(&reply),
                });
            }
        };
        match read(&second) {
            Ok(value) => Ok(ParsedReply {
                value,
                reply: second,
                was_repaired: true,
            }),
            Err(why) => Err(ModelError::Unreadable {
                why: format!("{why}, after a repair too"),
                raw: raw_of(&second),
            }),
        }
    }

    /// Returns the request as it may leave the machine: without files of secrets, with secrets
    /// masked and material fenced.
    fn fit_to_leave(&self, request: &ModelRequest) -> ModelRequest {
        let (mut request, held_back) = material::fold(request);
        let mut masked = Masked::new();
        // If nothing is sent, the key is not even asked for.
        let is_sent = !self.settings.is_dry_run && self.settings.shelves.replay.is_none();
        let key = is_sent.then(|| self.key().ok()).flatten().flatten();
        let mut clean = |text: &mut String| {
            // The key first: a rule masks only a part of it, and the whole would no longer be
            // found.
            let struck = key.map_or_else(|| text.clone(), |key| key.strike_from(text));
            *text = redact::mask(&struck, &mut masked);
        };
        clean(&mut request.system);
        request
            .messages
            .iter_mut()
            .for_each(|message| clean(&mut message.text));
        let mut told = self.lock();
        redact::add(&mut told.masked, &masked);
        for name in held_back {
            if told.held_back.len() < HELD_BACK_MAX && !told.held_back.contains(&name) {
                told.held_back.push(name);
            }
        }
        request
    }

    /// Asks in the best form that the provider is not known to refuse, and remembers a refusal.
    fn exchange_in_best_form(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let forms = self.settings.provider.card().forms;
        loop {
            let at = self.form.load(Ordering::Relaxed).min(forms.len() - 1);
            let form = forms[at];
            let http = self.render(request, form);
            let came = self.response(&http, request)?;
            if at + 1 < forms.len() && provider::is_form_refused(&came.response) {
                came.reservation.into_iter().for_each(Reservation::refused);
                self.lock().forms_refused += 1;
                // Parallel calls learn the same at the same time: that is one step, not two.
                let _ =
                    self.form
                        .compare_exchange(at, at + 1, Ordering::Relaxed, Ordering::Relaxed);
                continue;
            }
            return self.read(came, &http, request);
        }
    }

    fn exchange(&self, request: &ModelRequest, form: ShapeForm) -> Result<ModelReply, ModelError> {
        let http = self.render(request, form);
        let came = self.response(&http, request)?;
        self.read(came, &http, request)
    }

    fn render(&self, request: &ModelRequest, form: ShapeForm) -> HttpRequest {
        self.settings
            .provider
            .render(&self.settings.endpoint, request, form)
    }

    /// Returns the response from the replay, the cache or the provider.
    fn response(
        &self,
        http: &HttpRequest,
        request: &ModelRequest,
    ) -> Result<SettledReply<'_>, ModelError> {
        let shelves = &self.settings.shelves;
        if let Some(folder) = &shelves.replay {
            let response = exchange::find(folder, http)?.ok_or_else(|| unknown(folder, http))?;
            self.lock().from_replay += 1;
            return Ok(SettledReply {
                response,
                reservation: None,
            });
        }
        if let Some(response) = shelves
            .cache
            .as_deref()
            .map(|folder| exchange::find(folder, http))
            .transpose()?
            .flatten()
        {
            self.lock().from_cache += 1;
            return Ok(SettledReply {
                response,
                reservation: None,
            });
        }
        // After replay and cache: a request that they answer would not be sent.
        if self.settings.is_dry_run {
            let plan = self.plan(request);
            self.lock().planned.push(plan);
            return Err(ModelError::DryRun);
        }
        let prompt_tokens = self.tokenizer.count_request(request);
        let estimate = Estimate {
            prompt_tokens,
            // Usage is judged by the words alone, since not every server counts the shape.
            word_tokens: prompt_tokens - self.tokenizer.count_shape(request),
            output_tokens_max: u64::from(request.output_tokens_max),
            price: self.price(),
        };
        let (response, reservation) = self.send(http, &estimate)?;
        // An error is recorded as well: a replay has to fail in the same way.
        if let Some(folder) = &shelves.record {
            exchange::keep(folder, http, &response, self.key()?)?;
        }
        Ok(SettledReply {
            response,
            reservation: Some(reservation),
        })
    }

    fn read(
        &self,
        came: SettledReply<'_>,
        http: &HttpRequest,
        request: &ModelRequest,
    ) -> Result<ModelReply, ModelError> {
        let SettledReply {
            response,
            reservation,
        } = came;
        let shape = request.schema.as_ref().map(|schema| schema.name.as_str());
        let (provider, endpoint) = (self.settings.provider, &self.settings.endpoint);
        let read = provider::read(provider, endpoint, &response, shape);
        match (&read, reservation) {
            (_, None) => {}
            (Err(_), Some(reservation)) if response.status != 200 => reservation.refused(),
            (Ok(reply), Some(reservation)) => {
                let said = reply
                    .arguments
                    .as_ref()
                    .map_or(0, |arguments| self.tokenizer.count(&arguments.to_string()));
                reservation.settle(reply.usage, self.tokenizer.count(&reply.text) + said);
                if let Some(folder) = self
                    .settings
                    .shelves
                    .cache
                    .as_ref()
                    // A truncated answer would be returned from the cache for ever.
                    .filter(|_| reply.finish != Finish::Length)
                {
                    exchange::keep(folder, http, &response, self.key()?)?;
                }
            }
            // A response that cannot be parsed may still report its usage.
            (Err(_), Some(reservation)) => reservation.settle(self.usage_of(&response), 0),
        }
        read.map_err(|error| self.struck(error))
    }

    fn usage_of(&self, response: &HttpResponse) -> Option<crate::reply::Usage> {
        let answer = crate::json::parse(&response.body).ok()?;
        self.settings.provider.reply(&answer).ok()?.usage
    }

    /// Removes the key from an error, in case the provider quotes it.
    fn struck(&self, mut error: ModelError) -> ModelError {
        let Ok(Some(key)) = self.key() else {
            return error;
        };
        for text in error.quoted() {
            *text = key.strike_from(text);
        }
        error
    }

    /// Returns the price of the model; one on this machine costs nothing.
    fn price(&self) -> Option<Price> {
        let endpoint = &self.settings.endpoint;
        let free = || Price {
            model: endpoint.model.clone(),
            prompt_nano: 0,
            output_nano: 0,
            as_of: String::new(),
        };
        let known = price::find(&self.settings.prices, &endpoint.model).cloned();
        known.or_else(|| endpoint.base.is_local().then(free))
    }

    /// Returns the key, which is read when it is first needed.
    fn key(&self) -> Result<Option<&ApiKey>, ModelError> {
        let provider = self.settings.provider.card().name;
        let get = || {
            self.settings
                .key
                .get(&|name| std::env::var(name).ok())
                .map_err(|error| ModelError::Key { provider, error })
        };
        // An error is kept as well, so that a command that fails is not run for each request.
        self.key
            .get_or_init(get)
            .as_ref()
            .map(Option::as_ref)
            .map_err(Clone::clone)
    }

    fn lock(&self) -> MutexGuard<'_, ClientNotes> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unknown(folder: &Path, http: &HttpRequest) -> ModelError {
    ModelError::UnknownExchange {
        folder: folder.display().to_string(),
        name: exchange::name(http),
    }
}

fn schema_of(request: &ModelRequest) -> Result<&Schema, ModelError> {
    request
        .schema
        .as_ref()
        .ok_or_else(|| ModelError::Settings("a value needs a shape".to_owned()))
}

/// Returns the value in an answer: the arguments of its call, or the value in its text.
///
/// # Errors
/// Returns the reason if the answer has no value of this shape, in words that can be sent to the
/// model.
pub fn value_of(reply: &ModelReply, schema: &Schema) -> Result<Value, String> {
    match &reply.arguments {
        Some(arguments) => structured::fit(arguments.clone(), schema),
        None => structured::read(&reply.text, schema),
    }
}

fn raw_of(reply: &ModelReply) -> String {
    reply
        .arguments
        .as_ref()
        .map_or_else(|| reply.text.clone(), Value::to_string)
}
