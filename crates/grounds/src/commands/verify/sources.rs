//! The sources for a claim: a folder of documents, a search engine and the web, or a recording.
//! Chosen by the command line, then the person's configuration, then the key that is set.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use grounds_http::turns::Turns;
use grounds_verify::unread::EXAMPLES_MAX;
use grounds_verify::{SourceTier, Tiers, UnreadBound};
use grounds_web::corpus::{Corpus, CorpusOptions, CorpusScope, Hands, IndexOrigin, SCHEME};
use grounds_web::record::{Record, Replay};
use grounds_web::{Fetch, FetchError, Page, SearchError, SearchProvider, SearchResult};
use jiff::Timestamp;

use super::recording::Recorded;
use crate::cache_folder;
use crate::cli::{CorpusHands, Global, Verify};
use crate::config::Config;
use crate::error::Error;
use crate::safe;

/// The folder of queries and pages in that of a recording.
const WEB: &str = "web";

/// The search engine and the fetcher that are asked.
pub(super) struct Sources {
    provider: Box<dyn SearchProvider>,
    fetch: Box<dyn Fetch>,
    /// A warning for the person; `None` if there is nothing to warn of.
    warning: Option<String>,
    /// The documents that a bound of the folder left out.
    unread: Vec<UnreadBound>,
    /// A hash of what the documents of the folder say; `None` for the web.
    pub(super) fingerprint: Option<String>,
}

/// The two interfaces of the sources.
#[derive(Clone, Copy)]
pub(super) struct SourceFaces<'s> {
    pub(super) provider: &'s dyn SearchProvider,
    pub(super) fetch: &'s dyn Fetch,
}

/// One folder behind both interfaces.
struct SharedFolder<T>(Arc<T>);

impl<T: SearchProvider + Send> SearchProvider for SharedFolder<T> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn search(&self, query: &str, results_max: usize) -> Result<Vec<SearchResult>, SearchError> {
        self.0.search(query, results_max)
    }
}

impl<T: Fetch + Send> Fetch for SharedFolder<T> {
    fn fetch(&self, url: &str) -> Result<Page, FetchError> {
        self.0.fetch(url)
    }
}

/// A box that can be recorded.
struct Boxed<T: ?Sized>(Box<T>);

impl SearchProvider for Boxed<dyn SearchProvider> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn search(&self, query: &str, results_max: usize) -> Result<Vec<SearchResult>, SearchError> {
        self.0.search(query, results_max)
    }
}

impl Fetch for Boxed<dyn Fetch> {
    fn fetch(&self, url: &str) -> Result<Page, FetchError> {
        self.0.fetch(url)
    }
}

impl Sources {
    /// Opens the chosen sources, and records what they return if the person asks for it. Sets the
    /// name of the engine in the plan.
    pub(super) fn open(
        plan: &mut Recorded,
        arguments: &Verify,
        config: &Config,
        turns: Option<Arc<dyn Turns>>,
    ) -> Result<Self, Error> {
        // A replay reads neither a folder nor a key, which may be missing where it is repeated.
        if let Some(folder) = &arguments.model.replay {
            return Self::replayed(plan, folder);
        }
        let sources = match &arguments.corpus {
            Some(folder) => Self::folder(folder, arguments, config, plan.as_of()?)?,
            None => Self::web(arguments, config, turns)?,
        };
        plan.provider = sources.provider.name().to_owned();
        plan.set_unread(&sources.unread);
        // Around the cache, so that a page that was kept is in the recording too.
        Ok(match &arguments.model.record {
            Some(folder) => sources.recorded(&folder.join(WEB)),
            None => sources,
        })
    }

    pub(super) fn asked(&self) -> SourceFaces<'_> {
        SourceFaces {
            provider: self.provider.as_ref(),
            fetch: self.fetch.as_ref(),
        }
    }

    /// Prints the warning, unless the person wants no messages.
    pub(super) fn tell(&self, global: &Global) {
        if let Some(warning) = self.warning.as_ref().filter(|_| !global.quiet) {
            let _ = writeln!(
                std::io::stderr().lock(),
                "warning: {}",
                safe::for_line(warning)
            );
        }
    }

    fn folder(
        folder: &Path,
        arguments: &Verify,
        config: &Config,
        as_of: Timestamp,
    ) -> Result<Self, Error> {
        let hands = match arguments.corpus_hands {
            CorpusHands::EachFolder => Hands::EachFolder,
            CorpusHands::One => Hands::One,
        };
        let cache = if arguments.no_cache {
            None
        } else {
            cache_folder::of("indexes")
        };
        let options = CorpusOptions {
            hands,
            cache,
            bounds: config.verify.corpus_bounds(),
            // A decision as of a later moment has documents up to that moment.
            ..CorpusOptions::new(as_of.max(Timestamp::now()))
        };
        let corpus = Arc::new(Corpus::open(folder, &options)?);
        let warning = warning(corpus.origin());
        let unread = left_out(corpus.scope());
        let fingerprint = Some(corpus.fingerprint());
        Ok(Self {
            provider: Box::new(SharedFolder(corpus.clone())),
            fetch: Box::new(SharedFolder(corpus)),
            warning,
            unread,
            fingerprint,
        })
    }

    #[cfg(feature = "web")]
    fn web(
        arguments: &Verify,
        config: &Config,
        turns: Option<Arc<dyn Turns>>,
    ) -> Result<Self, Error> {
        use grounds_web::cache::{CacheBounds, Cached};
        use grounds_web::provider::{ChoiceError, SearchBounds, from_environment};
        let chosen = arguments
            .provider
            .as_deref()
            .or(config.verify.provider.as_deref());
        let engine = |error: ChoiceError| {
            // Nothing was sent yet, so that what broke is an address or a key that the person gave.
            let is_usage = matches!(
                error,
                ChoiceError::Unknown(_)
                    | ChoiceError::Engine(SearchError::Key { .. } | SearchError::Broke { .. })
            );
            Error::Engine {
                reason: error.to_string(),
                is_usage,
            }
        };
        let provider = from_environment(
            chosen,
            &|name| std::env::var(name).ok(),
            SearchBounds::default(),
        )
        .map_err(engine)?;
        let provider = provider.ok_or(Error::NoSources)?;
        let fetcher = fetcher(turns)?;
        let kept = if arguments.no_cache {
            None
        } else {
            cache_folder::of("pages")
        };
        let fetch: Box<dyn Fetch> = match kept {
            Some(folder) => Box::new(Cached::new(
                fetcher,
                folder,
                CacheBounds::default(),
                Timestamp::now,
            )),
            None => Box::new(fetcher),
        };
        Ok(Self {
            provider,
            fetch,
            warning: None,
            unread: Vec::new(),
            fingerprint: None,
        })
    }

    #[cfg(not(feature = "web"))]
    fn web(
        _arguments: &Verify,
        _config: &Config,
        _turns: Option<Arc<dyn Turns>>,
    ) -> Result<Self, Error> {
        Err(Error::NoSources)
    }

    fn recorded(self, folder: &Path) -> Self {
        let provider = Record::new(Boxed(self.provider), folder);
        Self {
            provider: Box::new(provider),
            fetch: Box::new(Record::new(Boxed(self.fetch), folder)),
            warning: self.warning,
            unread: self.unread,
            fingerprint: self.fingerprint,
        }
    }

    fn replayed(plan: &Recorded, folder: &Path) -> Result<Self, Error> {
        // The name must be a static one, and a recording may name anything.
        let names = [grounds_web::corpus::NAME, "serper", "brave", "searxng"];
        let name = names.into_iter().find(|name| *name == plan.provider);
        let name = name.ok_or_else(|| Error::Recording {
            path: folder.to_owned(),
            reason: format!("it names no engine: `{}`", plan.provider),
        })?;
        let replay = Replay::new(name, &folder.join(WEB));
        Ok(Self {
            provider: Box::new(replay.clone()),
            fetch: Box::new(replay),
            warning: None,
            unread: Vec::new(),
            fingerprint: None,
        })
    }
}

/// Returns a fetcher of pages behind the guard.
#[cfg(feature = "web")]
fn fetcher(turns: Option<Arc<dyn Turns>>) -> Result<grounds_web::fetcher::WebFetcher, Error> {
    use grounds_web::fetcher::{FetchOptions, WebFetcher};
    let mut options = FetchOptions {
        turns,
        ..FetchOptions::default()
    };
    if std::env::var_os(LOOPBACK_VARIABLE).is_some_and(|value| value == "1") {
        options.reach = grounds_web::guard::Reach::Loopback;
    }
    WebFetcher::new(options).map_err(|error| Error::Engine {
        reason: error.to_string(),
        is_usage: true,
    })
}

/// Returns a fetcher of pages as they are now, without the cache.
#[cfg(all(feature = "web", feature = "store"))]
pub(in crate::commands) fn web_pages() -> Result<Box<dyn Fetch>, Error> {
    Ok(Box::new(fetcher(None)?))
}

/// Returns an error: this program was built without the web.
#[cfg(all(not(feature = "web"), feature = "store"))]
pub(in crate::commands) fn web_pages() -> Result<Box<dyn Fetch>, Error> {
    Err(Error::Engine {
        reason: "this program was built without the web".to_owned(),
        is_usage: true,
    })
}

/// Returns what bounds left out of a folder, with one entry for each bound.
fn left_out(scope: &CorpusScope) -> Vec<UnreadBound> {
    let mut unread: Vec<UnreadBound> = Vec::new();
    for skipped in &scope.skipped {
        // A binary file is left out without a bound: no other setting would read it.
        let Some(bound) = skipped.bound else { continue };
        match unread.iter_mut().find(|known| known.bound == bound) {
            Some(known) => {
                known.count += skipped.count;
                known.examples.extend(skipped.examples.iter().cloned());
                known.examples.truncate(EXAMPLES_MAX);
            }
            None => unread.push(UnreadBound {
                bound: bound.to_owned(),
                count: skipped.count,
                examples: skipped.examples.clone(),
            }),
        }
    }
    unread
}

/// Returns a warning about the index of a folder; `None` if it is as it should be.
fn warning(origin: &IndexOrigin) -> Option<String> {
    match origin {
        IndexOrigin::Memory | IndexOrigin::Kept | IndexOrigin::Made | IndexOrigin::Updated(_) => {
            None
        }
        IndexOrigin::MadeAgain(why) => Some(format!(
            "the kept index of the folder was not used and was made again: {why}"
        )),
        IndexOrigin::NotKept(why) => Some(format!(
            "the index of the folder is not kept for the next run: {why}"
        )),
    }
}

/// Set to `1`, pages of this machine may be fetched: for tests alone.
#[cfg(feature = "web")]
const LOOPBACK_VARIABLE: &str = "GROUNDS_TEST_LOOPBACK";

/// Returns the tier of a page: what the person says of its domain or folder, else the table, else
/// what a folder is said to be.
pub(super) fn tier_of(plan: &Recorded) -> Box<dyn Fn(&Page) -> SourceTier + Sync> {
    let own = || {
        plan.tiers
            .iter()
            .map(|(domain, tier)| (domain.clone(), SourceTier::from(*tier)))
    };
    // A tier of `corpus:notes` is about a folder, that of `example.org` about a site.
    let folders: Vec<(String, SourceTier)> =
        own().filter(|(name, _)| name.starts_with(SCHEME)).collect();
    let tiers = Tiers::with(own().filter(|(name, _)| !name.starts_with(SCHEME)));
    let of_folder: SourceTier = plan.corpus_tier.into();
    Box::new(move |page| {
        match page
            .publisher
            .as_deref()
            .filter(|_| page.url.starts_with(SCHEME))
        {
            // A page of the web has its site in its address.
            None => tiers.of(&page.url),
            Some(publisher) if publisher.starts_with(SCHEME) => folders
                .iter()
                .find(|(folder, _)| folder == publisher)
                .map_or(of_folder, |(_, tier)| *tier),
            // A document of the folder that names the site it comes from counts as a page of that
            // site.
            Some(publisher) => tiers.of(page
                .canonical
                .as_deref()
                .unwrap_or(&format!("https://{publisher}/"))),
        }
    })
}
