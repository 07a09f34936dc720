//! The web as a [`Fetch`]: checks an address, asks the site's `robots.txt`, waits for a turn at the
//! host, and fetches the page within bounds. Redirects take the same way from the start. The
//! response is read into a page.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grounds_http::turns::{self, Grant, Turns, Want, Went};
use jiff::Timestamp;

use crate::guard::{Lookup, Reach, SystemLookup, WebAddress};
use crate::manners::Manners;
use crate::network::{
    Client, ExchangeBounds, NetworkAnswer, NetworkBroken, ROBOTS_AGENT, RequestParts,
};
use crate::page::{Fetch, FetchError, Page};
use crate::read::{self, Material, Medium, ReadBounds, ReadError, Reading};
use crate::robots::{Allowed, Came, ROBOTS_BYTES_MAX, RobotsCache};

/// The header `accept` of a request for a page.
const ACCEPT: &str = "text/html,application/xhtml+xml,text/plain;q=0.9,text/markdown;q=0.9,application/pdf;q=0.8,*/*;q=0.1";
/// Maximum number of redirects of a `robots.txt`; the RFC asks for at least five.
const ROBOTS_REDIRECTS_MAX: usize = 5;

/// The bounds of fetching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchBounds {
    /// The bounds of one exchange.
    pub exchange: ExchangeBounds,
    /// Maximum number of redirects that are followed.
    pub redirects_max: usize,
    /// Timeout of one page with its redirects, in milliseconds.
    pub fetch_ms_max: u64,
    /// Pause between two requests to one host, in milliseconds.
    pub host_pause_ms: u64,
    /// Maximum pause that a site may ask for, in milliseconds. A site that asks for more is not
    /// fetched.
    pub host_pause_ms_max: u64,
    /// Timeout of waiting for the turn at a host, in milliseconds.
    pub host_turn_ms_max: u64,
}

impl Default for FetchBounds {
    fn default() -> Self {
        Self {
            exchange: ExchangeBounds::default(),
            redirects_max: 5,
            fetch_ms_max: 30_000,
            host_pause_ms: 1_000,
            host_pause_ms_max: 20_000,
            host_turn_ms_max: 60_000,
        }
    }
}

/// The options of fetching.
#[derive(Clone, Debug)]
pub struct FetchOptions {
    /// The bounds.
    pub bounds: FetchBounds,
    /// The bounds of reading.
    pub reading: ReadBounds,
    /// What may be reached in addition to the public web.
    pub reach: Reach,
    /// A file of certificates that are trusted instead of the default ones; `None` for the default.
    pub certificates: Option<PathBuf>,
    /// Returns the present: later dates of pages do not count.
    pub clock: fn() -> Timestamp,
    /// Gives turns at hosts over all processes, in addition to the pace of this one; `None` if only
    /// this process counts.
    pub turns: Option<Arc<dyn Turns>>,
}

impl Default for FetchOptions {
    fn default() -> Self {
        Self {
            bounds: FetchBounds::default(),
            reading: ReadBounds::default(),
            reach: Reach::Public,
            certificates: None,
            clock: Timestamp::now,
            turns: None,
        }
    }
}

/// Fetches pages of the web.
#[derive(Debug)]
pub struct WebFetcher {
    client: Client,
    robots: RobotsCache,
    manners: Manners,
    options: FetchOptions,
}

impl WebFetcher {
    /// Creates a fetcher that resolves names by the system.
    ///
    /// # Errors
    /// If the file of certificates cannot be used.
    pub fn new(options: FetchOptions) -> io::Result<Self> {
        Self::with_lookup(options, SystemLookup::default())
    }

    /// Creates a fetcher that resolves names in another way.
    ///
    /// # Errors
    /// If the file of certificates cannot be used.
    pub fn with_lookup(options: FetchOptions, lookup: impl Lookup) -> io::Result<Self> {
        let client = Client::guarded(
            options.bounds.exchange,
            options.certificates.as_deref(),
            lookup,
            options.reach,
        )?;
        Ok(Self {
            client,
            robots: RobotsCache::default(),
            manners: Manners::default(),
            options,
        })
    }

    /// Follows redirects to the final response. Every step is checked as if it were the first.
    fn follow(&self, url: &str) -> Result<(WebAddress, NetworkAnswer), FetchError> {
        let refused = |why: String| FetchError::Refused {
            url: url.to_owned(),
            why,
        };
        let mut address = WebAddress::parse(url, self.options.reach)
            .map_err(|error| refused(error.to_string()))?;
        let mut spent = Duration::ZERO;
        for _ in 0..=self.options.bounds.redirects_max {
            // Asked at each step: a redirect may lead to a site with other rules.
            let pause = self
                .pause(&address)
                .map_err(|why| refused(told(&address, url, &why)))?;
            let (answer, took) = self
                .ask(&address, pause, spent)
                .map_err(|broken| of_broken(url, &address, &broken))?;
            spent += took;
            match location(&answer) {
                None => return Ok((address, answer)),
                Some(location) => {
                    let next = address.join(location, self.options.reach);
                    address = next.map_err(|error| {
                        refused(format!(
                            "it redirects to an address that may not be asked: {error}"
                        ))
                    })?;
                }
            }
        }
        Err(refused(format!(
            "it redirects more than `redirects_max` ({}) times",
            self.options.bounds.redirects_max
        )))
    }

    /// Returns the pause before a request, or why the site's rules do not allow it.
    fn pause(&self, address: &WebAddress) -> Result<Duration, String> {
        let own = Duration::from_millis(self.options.bounds.host_pause_ms);
        let longest = Duration::from_millis(self.options.bounds.host_pause_ms_max);
        match self
            .robots
            .allowed(&address.origin(), address.url(), ROBOTS_AGENT, || {
                self.robots_of(address)
            }) {
            Allowed::No(why) => Err(why),
            // The longer of both pauses: a site can ask for more patience, not for less.
            Allowed::Yes(wanted) => match wanted.unwrap_or_default().max(own) {
                pause if pause > longest => Err(format!(
                    "its robots.txt wants pauses of {} s, longer than `host_pause_ms_max`",
                    pause.as_secs()
                )),
                pause => Ok(pause),
            },
        }
    }

    /// Makes one exchange in its turn, and returns how long it took.
    fn ask(
        &self,
        address: &WebAddress,
        pause: Duration,
        spent: Duration,
    ) -> Result<(NetworkAnswer, Duration), NetworkBroken> {
        let bounds = &self.options.bounds;
        let turn_within = Duration::from_millis(bounds.host_turn_ms_max);
        let time_up = NetworkBroken::TimeUp {
            bound: "host_turn_ms_max",
            ms: bounds.host_turn_ms_max,
        };
        let turn = self
            .manners
            .turn(address.host(), pause, turn_within)
            .ok_or(time_up)?;
        let common = self.common_turn(address, pause, turn_within)?;
        let left = Duration::from_millis(bounds.fetch_ms_max).saturating_sub(spent);
        if left.is_zero() {
            return Err(NetworkBroken::TimeUp {
                bound: "fetch_ms_max",
                ms: bounds.fetch_ms_max,
            });
        }
        // The wait for a turn does not count: it depends on other requests, and has a bound of its
        // own.
        let start = Instant::now();
        let asked = RequestParts {
            headers: vec![("accept", ACCEPT)],
            json: None,
        };
        let answer = self.client.exchange(address.as_str(), &asked, left);
        let answer = answer.map_err(|broken| match broken {
            // The exchange had less than its own time: what was left of the whole fetch.
            NetworkBroken::TimeUp { ms, .. } if left < Duration::from_millis(ms) => {
                NetworkBroken::TimeUp {
                    bound: "fetch_ms_max",
                    ms: bounds.fetch_ms_max,
                }
            }
            broken => broken,
        });
        self.end_common(common.as_ref(), pause, &answer);
        drop(turn);
        answer.map(|answer| (answer, start.elapsed()))
    }

    /// Waits for the turn at a host among all processes; `None` if only this process counts. No
    /// other process has it until its request is over, or must be.
    fn common_turn(
        &self,
        address: &WebAddress,
        pause: Duration,
        within: Duration,
    ) -> Result<Option<Grant>, NetworkBroken> {
        let Some(turns) = self.options.turns.as_deref() else {
            return Ok(None);
        };
        // A process that is killed cannot end its turn, which then ends by itself after this time.
        let longest = Duration::from_millis(self.options.bounds.fetch_ms_max) + pause;
        let want = Want {
            key: format!("host {}", address.host()),
            apart_ms: millis(longest),
            tokens_apart_ms: 0,
            is_alone: true,
            is_local: self.options.reach == Reach::Loopback,
        };
        turns::wait(turns, &want, Instant::now() + within, &|| false)
            .map(Some)
            .map_err(NetworkBroken::NoTurn)
    }

    fn end_common(
        &self,
        grant: Option<&Grant>,
        pause: Duration,
        answer: &Result<NetworkAnswer, NetworkBroken>,
    ) {
        let (Some(turns), Some(grant)) = (&self.options.turns, grant) else {
            return;
        };
        let went = match answer {
            // A host that is overloaded answers in time; for the common pace that is a failure all
            // the same.
            Ok(answer) if matches!(answer.status, 429 | 503) => Went::Badly,
            Err(broken) if broken.is_of_host() => Went::Badly,
            Ok(_) | Err(_) => Went::Well,
        };
        turns.went(grant, went, Some(millis(pause)));
    }

    /// Fetches a site's `robots.txt` through the same guard.
    fn robots_of(&self, address: &WebAddress) -> Came {
        let Ok(mut place) = address.join("/robots.txt", self.options.reach) else {
            return Came::Unreachable("it has no address".to_owned());
        };
        for _ in 0..=ROBOTS_REDIRECTS_MAX {
            // The file that may ask for a longer pause is not known yet.
            let pause = Duration::from_millis(self.options.bounds.host_pause_ms);
            let answer = match self.ask(&place, pause, Duration::ZERO) {
                Ok((answer, _)) => answer,
                Err(broken @ NetworkBroken::NoTurn(_)) => {
                    return Came::NotAsked(broken.to_string());
                }
                // A file beyond the bounds of an exchange fails, too: its first rules would count,
                // but a failed exchange returns no part of it.
                Err(broken) => return Came::Unreachable(broken.to_string()),
            };
            match (answer.status, location(&answer)) {
                (_, Some(location)) => match place.join(location, self.options.reach) {
                    Ok(next) => place = next,
                    Err(error) => {
                        return Came::Unreachable(format!(
                            "it redirects to an address that may not be asked: {error}"
                        ));
                    }
                },
                (200..=299, None) => return Came::File(answer.body),
                // Other statuses of 4xx mean that the site has no rules; 429 only asks to come back
                // later.
                (429, None) => return Came::Unreachable("it asks for fewer requests".to_owned()),
                (400..=499, None) => return Came::Absent,
                (status, None) => return Came::Unreachable(format!("status {status}")),
            }
        }
        // RFC 9309 lets a file count as unavailable after more than five redirects.
        Came::Absent
    }

    fn read(
        &self,
        asked: &str,
        address: &WebAddress,
        answer: &NetworkAnswer,
    ) -> Result<Page, FetchError> {
        let no_page = |why: String| FetchError::NoPage {
            url: asked.to_owned(),
            status: Some(answer.status),
            why,
        };
        // The body of an error is never read as a page, however much it says.
        if let Some(why) = of_status(answer) {
            return Err(no_page(why));
        }
        let medium = Medium::of_response(answer.header("content-type"), &answer.body)
            .map_err(|medium| no_page(ReadError::UnknownMedium(medium).to_string()))?;
        let charset = answer.charset();
        let material = Material {
            bytes: &answer.body,
            medium,
            charset,
            address: Some(address.url()),
            path: None,
            now: (self.options.clock)(),
        };
        let reading = read::read(&material, &self.options.reading)
            .map_err(|error| no_page(error.to_string()))?;
        if reading.text.trim().is_empty() {
            return Err(no_page("it is empty".to_owned()));
        }
        Ok(page(asked, address, answer, reading))
    }
}

impl Fetch for WebFetcher {
    fn fetch(&self, url: &str) -> Result<Page, FetchError> {
        let (address, answer) = self.follow(url)?;
        self.read(url, &address, &answer)
    }
}

fn page(asked: &str, address: &WebAddress, answer: &NetworkAnswer, reading: Reading) -> Page {
    let Reading {
        title,
        text,
        canonical,
        published,
        modified,
        language,
        byline,
        is_cut,
    } = reading;
    Page {
        asked: asked.to_owned(),
        url: address.as_str().to_owned(),
        status: answer.status,
        title,
        text,
        canonical,
        published,
        modified,
        language,
        byline,
        publisher: None,
        content_hash: blake3::hash(&answer.body).to_hex().to_string(),
        is_cut,
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Returns where a redirect leads.
fn location(answer: &NetworkAnswer) -> Option<&str> {
    if matches!(answer.status, 301 | 302 | 303 | 307 | 308) {
        answer.header("location")
    } else {
        None
    }
}

/// Returns why a status means that there is no page.
fn of_status(answer: &NetworkAnswer) -> Option<String> {
    let wait = answer
        .header("retry-after")
        // The value goes into a message, and the server can write anything in it.
        .filter(|value| value.len() <= 40)
        .map(|value| format!(" (retry after {value})"))
        .unwrap_or_default();
    match answer.status {
        204 | 205 => Some("the server has nothing to show".to_owned()),
        200..=299 => None,
        401 | 407 => Some(format!("status {}: it wants a login", answer.status)),
        402 => Some("status 402: it wants payment".to_owned()),
        403 => Some("status 403: the server refuses programs, or everyone".to_owned()),
        404 | 410 => Some(format!("status {}: not found", answer.status)),
        429 => Some(format!(
            "status 429: the server asks for fewer requests{wait}"
        )),
        451 => Some("status 451: it may not be shown here for legal reasons".to_owned()),
        status => Some(format!("status {status}{wait}")),
    }
}

/// Adds the address that a redirect led to.
fn told(address: &WebAddress, url: &str, why: &str) -> String {
    if address.as_str() == url {
        why.to_owned()
    } else {
        format!("{why} (`{}`)", address.as_str())
    }
}

/// Maps a failed exchange: what the guard or a bound refused is refused, all else is broken.
fn of_broken(url: &str, address: &WebAddress, broken: &NetworkBroken) -> FetchError {
    let why = told(address, url, &broken.to_string());
    let url = url.to_owned();
    match broken {
        NetworkBroken::NotDialled(_) | NetworkBroken::Large { .. } => {
            FetchError::Refused { url, why }
        }
        // The server did answer, only not with a page.
        NetworkBroken::Packed => FetchError::NoPage {
            url,
            status: None,
            why,
        },
        NetworkBroken::NoHost
        | NetworkBroken::TimeUp { .. }
        | NetworkBroken::Tls
        | NetworkBroken::Connection(_)
        | NetworkBroken::Malformed
        | NetworkBroken::NoTurn(_) => FetchError::Broke { url, why },
    }
}

/// A file of rules is read to its bound, so an exchange must let through at least as much.
const _: () = assert!(ROBOTS_BYTES_MAX as u64 <= 10 << 20);
