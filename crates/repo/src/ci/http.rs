//! Sends GET requests to one service, one after another: its token goes to no other host, with
//! bounds of time, bytes, pages and requests, and with a separate error for everything that can go
//! wrong.

mod transport;

use std::cell::Cell;
use std::io::{self, Read};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::de::DeserializeOwned;

use super::access::{CiAccess, Service, ServiceKind};
use super::address::Address;
use super::error::CiError;
use super::log::Log;
use crate::limits::Limits;

/// Milliseconds of one request; the whole look has `ci_ms_max`.
const REQUEST_MS_MAX: u64 = 20_000;
/// Requests of one question.
const REQUESTS_MAX: u32 = 40;
/// Redirects that are followed for one request.
const REDIRECTS_MAX: usize = 3;
/// Bytes of one response in JSON, unpacked.
const JSON_BYTES_MAX: u64 = 8 << 20;
/// Bytes of a response that reports an error.
const COMPLAINT_BYTES_MAX: u64 = 8 << 10;
/// Maximum number of letters of the service's own error text that are shown.
const COMPLAINT_LETTERS_MAX: usize = 120;
/// Maximum time in milliseconds that a service may ask to wait; a longer wait is reported instead.
const WAIT_MS_MAX: u64 = 2_000;
/// Milliseconds before the one retry if the service is out of order.
const PAUSE_MS: u64 = 300;
/// Seconds from now past which the end of a limit is not shown as a time of day.
const RESET_S_MAX: u64 = 24 * 3_600;

/// Returns how to give a token for a kind of service.
const fn token_advice(kind: ServiceKind) -> &'static str {
    match kind {
        ServiceKind::GitHub => "set GITHUB_TOKEN, or log in with `gh auth login`",
        ServiceKind::GitLab => "set GITLAB_TOKEN to a token with the scope read_api",
    }
}

/// A client of one service for one question.
#[derive(Debug)]
pub(super) struct CiClient {
    service: Service,
    transport: transport::Transport,
    deadline: Instant,
    ms_max: u64,
    log_bytes_max: u64,
    requests: Cell<u32>,
}

/// A response whose body is not read yet.
pub(super) struct CiReply {
    /// The status.
    pub(super) status: u16,
    /// The headers that are used: names in lower case.
    pub(super) headers: Vec<(&'static str, String)>,
    /// The body.
    pub(super) body: Box<dyn Read>,
}

impl CiReply {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value.as_str())
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.header(name)?.trim().parse().ok()
    }
}

/// The form that a request accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AcceptedForm {
    Json,
    Text,
}

impl CiClient {
    /// Returns a client of a service.
    pub(super) fn new(
        service: Service,
        access: &CiAccess,
        limits: &Limits,
    ) -> Result<Self, CiError> {
        let transport = transport::Transport::new(access)?;
        let deadline = Instant::now() + Duration::from_millis(limits.ci_ms_max);
        let (ms_max, log_bytes_max) = (limits.ci_ms_max, limits.ci_log_bytes_max);
        Ok(Self {
            service,
            transport,
            deadline,
            ms_max,
            log_bytes_max,
            requests: Cell::new(0),
        })
    }

    /// Returns the host of the service.
    pub(super) fn host(&self) -> String {
        self.service.root.host.clone()
    }

    /// Returns one page of a list below the API, and the address of the page after it.
    pub(super) fn page<T: DeserializeOwned>(
        &self,
        path: &str,
        what: &str,
    ) -> Result<(T, Option<Address>), CiError> {
        self.page_at(&self.service.root.below(path), what)
    }

    /// Returns one page at an address that the service gave.
    pub(super) fn page_at<T: DeserializeOwned>(
        &self,
        address: &Address,
        what: &str,
    ) -> Result<(T, Option<Address>), CiError> {
        let reply = self.get(address, AcceptedForm::Json, what)?;
        let next = reply
            .header("link")
            .and_then(next_of)
            .map(|next| self.own(&next))
            .transpose()?;
        let mut bytes = Vec::new();
        reply
            .body
            // One byte more than the bound shows that the response is larger.
            .take(JSON_BYTES_MAX + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| self.broken_body(&error, what))?;
        if bytes.len() as u64 > JSON_BYTES_MAX {
            return Err(CiError::TooLarge {
                host: self.host(),
                what: what.to_owned(),
                bytes: JSON_BYTES_MAX,
            });
        }
        let value = serde_json::from_slice(&bytes).map_err(|error| self.wrong(what, &error))?;
        Ok((value, next))
    }

    /// Returns the log of a job.
    pub(super) fn log(&self, path: &str, what: &str) -> Result<Log, CiError> {
        let mut reply = self.get(&self.service.root.below(path), AcceptedForm::Text, what)?;
        Log::read(&mut reply.body, self.log_bytes_max).map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => CiError::TooLarge {
                host: self.host(),
                what: what.to_owned(),
                bytes: self.log_bytes_max,
            },
            _ => self.broken_body(&error, what),
        })
    }

    /// Checks that the next page is of the same service: nobody else gets the token, or answers for
    /// it.
    fn own(&self, next: &str) -> Result<Address, CiError> {
        let elsewhere = |to| CiError::SentElsewhere {
            host: self.host(),
            to,
        };
        let next = self
            .service
            .root
            .join(next)
            .map_err(|_| elsewhere("a next page that is no address"))?;
        if next.has_origin_of(&self.service.root) {
            Ok(next)
        } else {
            Err(elsewhere("a next page of another host"))
        }
    }

    /// Describes what is wrong with a response in words of ours, because a parser's message could
    /// quote the response.
    fn wrong(&self, what: &str, error: &serde_json::Error) -> CiError {
        let why = match error.classify() {
            serde_json::error::Category::Eof => "it ends too early",
            serde_json::error::Category::Syntax => "it is not JSON",
            serde_json::error::Category::Data => "a field is missing or of another type",
            serde_json::error::Category::Io => "it could not be read",
        };
        CiError::WrongAnswer {
            host: self.host(),
            what: what.to_owned(),
            why: why.to_owned(),
        }
    }

    fn broken_body(&self, error: &io::Error, what: &str) -> CiError {
        transport::of_body(error, &self.host(), self.ms_max, what)
    }

    /// Sends a request and handles its response: redirects, one retry, an error for every other
    /// status.
    fn get(&self, address: &Address, wants: AcceptedForm, what: &str) -> Result<CiReply, CiError> {
        let mut may_try_again = true;
        loop {
            let reply = self.follow(address, wants)?;
            let Some(pause) = pause_before_new_try(&reply)
                .filter(|pause| may_try_again && self.has_time_for(*pause))
            else {
                return if reply.status == 200 {
                    Ok(reply)
                } else {
                    Err(self.refused(reply, what))
                };
            };
            may_try_again = false;
            std::thread::sleep(pause);
        }
    }

    fn has_time_for(&self, pause: Duration) -> bool {
        Instant::now() + pause < self.deadline
    }

    /// Follows redirects: to https or along the same host. The token goes to the service's own host
    /// only.
    fn follow(&self, address: &Address, wants: AcceptedForm) -> Result<CiReply, CiError> {
        let mut address = address.clone();
        for _ in 0..=REDIRECTS_MAX {
            let reply = self.once(&address, wants)?;
            if !matches!(reply.status, 301 | 302 | 303 | 307 | 308) {
                return Ok(reply);
            }
            let elsewhere = |to| CiError::SentElsewhere {
                host: self.host(),
                to,
            };
            let location = reply
                .header("location")
                .ok_or_else(|| elsewhere("nowhere"))?;
            let next = address
                .join(location)
                .map_err(|_| elsewhere("an address that is not https"))?;
            // A service must not make this program send requests to servers of the person's own
            // machine.
            if next.is_this_machine() && !self.service.root.is_this_machine() {
                return Err(elsewhere("this machine"));
            }
            address = next;
        }
        Err(CiError::SentElsewhere {
            host: self.host(),
            to: "one address after another",
        })
    }

    fn once(&self, address: &Address, wants: AcceptedForm) -> Result<CiReply, CiError> {
        // Redirects and the retry count too, because each of them is a request.
        self.requests.set(self.requests.get() + 1);
        if self.requests.get() > REQUESTS_MAX {
            return Err(CiError::TooManyRequests {
                host: self.host(),
                requests: REQUESTS_MAX,
            });
        }
        let left = self
            .deadline
            .saturating_duration_since(Instant::now())
            .min(Duration::from_millis(REQUEST_MS_MAX));
        if left.is_zero() {
            return Err(CiError::TimeUp {
                host: address.host.clone(),
                ms: self.ms_max,
            });
        }
        self.transport
            .get(address, &self.headers(address, wants), left)
    }

    fn headers(&self, address: &Address, wants: AcceptedForm) -> Vec<(&'static str, String)> {
        let is_own = address.has_origin_of(&self.service.root);
        let accept = match (self.service.kind, wants) {
            // GitHub keeps logs in a store on another host, which takes no type of its API.
            _ if !is_own => "*/*",
            (ServiceKind::GitHub, _) => "application/vnd.github+json",
            (ServiceKind::GitLab, AcceptedForm::Json) => "application/json",
            (ServiceKind::GitLab, AcceptedForm::Text) => "text/plain",
        };
        let mut headers = vec![("accept", accept.to_owned())];
        if is_own && self.service.kind == ServiceKind::GitHub {
            headers.push(("x-github-api-version", "2022-11-28".to_owned()));
        }
        let token = self
            .service
            .token
            .as_ref()
            .filter(|_| is_own)
            .map(super::secret::CiToken::reveal);
        headers.extend(token.map(|token| match self.service.kind {
            ServiceKind::GitHub => ("authorization", format!("Bearer {token}")),
            ServiceKind::GitLab => ("private-token", token.to_owned()),
        }));
        headers
    }

    /// Returns the error that a status means.
    fn refused(&self, reply: CiReply, what: &str) -> CiError {
        let (host, what, advice) = (
            self.host(),
            what.to_owned(),
            token_advice(self.service.kind),
        );
        let has_token = self.service.token.is_some();
        match reply.status {
            // GitHub answers with 403 at a limit of requests too.
            403 | 429 if is_limit(&reply) => CiError::RateLimited {
                host,
                lifted: self.lifted(&reply),
            },
            401 if has_token => CiError::BadToken { host },
            401 => CiError::WantsToken { host, advice },
            403 if has_token => CiError::Forbidden {
                host,
                said: self.complaint(reply),
            },
            403 => CiError::ForbiddenWithoutToken {
                host,
                said: self.complaint(reply),
                advice,
            },
            // Without a token, GitHub and GitLab answer 404 for a private repository.
            404 if has_token => CiError::NotFound { host, what },
            404 => CiError::NotShown { host, what, advice },
            410 => CiError::Gone { host, what },
            status @ 500..=599 => CiError::OutOfOrder { host, status },
            status => CiError::StrangeStatus { host, what, status },
        }
    }

    /// Returns when a limit is lifted, and what would raise it.
    fn lifted(&self, reply: &CiReply) -> String {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        // GitHub writes `x-ratelimit-reset`, GitLab `ratelimit-reset`.
        let reset = reply
            .number("x-ratelimit-reset")
            .or_else(|| reply.number("ratelimit-reset"));
        let at = reply
            .number("retry-after")
            .map(|seconds| now.saturating_add(seconds))
            .or(reset);
        let when = match at {
            Some(at) if at <= now => "ask again".to_owned(),
            Some(at) if at - now <= RESET_S_MAX => {
                let clock = |unit: u64| at / unit % if unit == 3_600 { 24 } else { 60 };
                format!(
                    "ask again in {} min, at {:02}:{:02}:{:02} UTC",
                    (at - now).div_ceil(60),
                    clock(3_600),
                    clock(60),
                    clock(1)
                )
            }
            Some(_) | None => "it does not say until when".to_owned(),
        };
        let raise = if self.service.token.is_some() {
            ""
        } else {
            "; a token has a higher limit: "
        };
        let advice = if self.service.token.is_some() {
            ""
        } else {
            token_advice(self.service.kind)
        };
        format!("{when}{raise}{advice}")
    }

    /// Returns the service's own words, shortened, and without the token if they quote it.
    fn complaint(&self, reply: CiReply) -> String {
        #[derive(serde::Deserialize)]
        struct Complaint {
            message: String,
        }
        let mut bytes = Vec::new();
        let read = reply.body.take(COMPLAINT_BYTES_MAX).read_to_end(&mut bytes);
        let complaint = read
            .ok()
            .and_then(|_| serde_json::from_slice::<Complaint>(&bytes).ok());
        let message = complaint.map(|complaint| {
            self.service
                .token
                .as_ref()
                // The token is removed before the text is shortened: a part of it would not be
                // recognized.
                .map_or(complaint.message.clone(), |token| {
                    token.strike_from(&complaint.message)
                })
        });
        message.map_or_else(String::new, |message| {
            format!(
                ": {}",
                message
                    .chars()
                    .take(COMPLAINT_LETTERS_MAX)
                    .collect::<String>()
            )
        })
    }
}

/// Reports whether a refusal is due to a rate limit.
fn is_limit(reply: &CiReply) -> bool {
    reply.status == 429
        || reply.number("x-ratelimit-remaining") == Some(0)
        || reply.header("retry-after").is_some()
}

/// Returns how long to wait before the one retry: as long as the service asks for, if that is
/// short, or a moment if the service is out of order. `None` if a retry is of no use.
fn pause_before_new_try(reply: &CiReply) -> Option<Duration> {
    match reply.status {
        403 | 429 => reply
            .number("retry-after")
            .map(|seconds| seconds.saturating_mul(1_000))
            .filter(|ms| *ms <= WAIT_MS_MAX)
            .map(Duration::from_millis),
        500 | 502..=504 => Some(Duration::from_millis(PAUSE_MS)),
        _ => None,
    }
}

/// Returns the address of the next page in a `Link` header.
fn next_of(link: &str) -> Option<String> {
    let is_next = |parameters: &str| {
        parameters
            .split(';')
            .any(|parameter| ["rel=\"next\"", "rel=next"].contains(&parameter.trim()))
    };
    link.split(',').find_map(|part| {
        let (address, parameters) = part.trim().strip_prefix('<')?.split_once('>')?;
        is_next(parameters).then(|| address.to_owned())
    })
}
