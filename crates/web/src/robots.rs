//! The rules of sites for programs: `robots.txt`, parsed as RFC 9309 says and kept for each origin.
//! A missing file allows all. A file that cannot be fetched because the site fails forbids all. A
//! file that is too long is read up to the bound.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use robotxt::Robots;

/// Maximum number of bytes of a file that are read; the RFC asks for at least 500 KiB.
pub(crate) const ROBOTS_BYTES_MAX: usize = 512 << 10;
/// The time for which a file is used; the RFC asks for at most 24 hours.
const KEPT_FOR: Duration = Duration::from_secs(24 * 60 * 60);
/// Maximum number of origins whose file is kept.
const ORIGINS_MAX: usize = 10_000;

/// The result of fetching the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// The file.
    File(Vec<u8>),
    /// It does not exist (a status of the 400s).
    Absent,
    /// The site failed, with the reason. The rules are unknown, so that nothing is allowed.
    Unreachable(String),
    /// It was not requested, with the reason. Nothing is allowed, and nothing is kept.
    NotAsked(String),
}

/// The permission for one address.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Allowed {
    /// It may be requested, with the pause that the site asks for; `None` if it asks for no pause.
    Yes(Option<Duration>),
    /// It may not be requested, with the reason.
    No(String),
}

/// The rules of one origin.
#[derive(Debug)]
enum OriginRules {
    File(Box<Robots>),
    All,
    None(String),
    NotAsked(String),
}

#[derive(Debug)]
struct KeptRules {
    since: Instant,
    rules: OnceLock<OriginRules>,
}

/// The rules of the origins that were requested so far.
#[derive(Debug, Default)]
pub(crate) struct RobotsCache {
    origins: Mutex<BTreeMap<String, Arc<KeptRules>>>,
}

impl RobotsCache {
    /// Returns the permission for an address. The file is requested once for each origin, by
    /// whichever thread comes first.
    pub(crate) fn allowed(
        &self,
        origin: &str,
        url: &url::Url,
        agent: &str,
        ask: impl FnOnce() -> Came,
    ) -> Allowed {
        let kept = self.kept(origin);
        // The lock of the cache is free here: requests to other origins do not wait for this file.
        match kept.rules.get_or_init(|| rules(ask(), agent)) {
            OriginRules::All => Allowed::Yes(None),
            OriginRules::None(why) => Allowed::No(format!(
                "its robots.txt cannot be had ({why}), which forbids all for now"
            )),
            OriginRules::NotAsked(why) => {
                self.forget(origin, &kept);
                Allowed::No(format!("its robots.txt was not asked for ({why})"))
            }
            OriginRules::File(robots) if robots.is_allowed(path_of(url)) => {
                Allowed::Yes(robots.crawl_delay())
            }
            OriginRules::File(_) => Allowed::No("its robots.txt forbids it".to_owned()),
        }
    }

    /// Forgets the rules of an origin, so that the file is requested again.
    fn forget(&self, origin: &str, kept: &Arc<KeptRules>) {
        let mut origins = self.origins.lock().unwrap_or_else(PoisonError::into_inner);
        if origins
            .get(origin)
            // Another thread may have requested the file again in the meantime.
            .is_some_and(|known| Arc::ptr_eq(known, kept))
        {
            origins.remove(origin);
        }
    }

    fn kept(&self, origin: &str) -> Arc<KeptRules> {
        let mut origins = self.origins.lock().unwrap_or_else(PoisonError::into_inner);
        if origins
            .get(origin)
            .is_some_and(|kept| kept.since.elapsed() > KEPT_FOR)
            || origins.len() >= ORIGINS_MAX
        {
            origins.retain(|known, kept| known != origin && kept.since.elapsed() <= KEPT_FOR / 2);
        }
        // All of them may be recent. They are asked for again, which costs a request each.
        if origins.len() >= ORIGINS_MAX {
            origins.clear();
        }
        Arc::clone(origins.entry(origin.to_owned()).or_insert_with(|| {
            Arc::new(KeptRules {
                since: Instant::now(),
                rules: OnceLock::new(),
            })
        }))
    }
}

fn rules(came: Came, agent: &str) -> OriginRules {
    match came {
        Came::File(mut bytes) => {
            bytes.truncate(ROBOTS_BYTES_MAX);
            OriginRules::File(Box::new(Robots::parse(&bytes, agent)))
        }
        Came::Absent => OriginRules::All,
        Came::Unreachable(why) => OriginRules::None(why),
        Came::NotAsked(why) => OriginRules::NotAsked(why),
    }
}

/// Returns whether a file allows an address: the parser alone, for fuzzing.
#[doc(hidden)]
pub fn allows(file: &[u8], url: &url::Url, agent: &str) -> bool {
    let came = Came::File(file.to_vec());
    RobotsCache::default().allowed("", url, agent, || came) == Allowed::Yes(None)
}

/// Returns the part of an address that rules match: the path with its query.
fn path_of(url: &url::Url) -> &str {
    &url[url::Position::BeforePath..url::Position::AfterQuery]
}

#[cfg(test)]
mod tests;
