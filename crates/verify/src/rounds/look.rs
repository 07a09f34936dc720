//! The part of a round that searches and reads: asks the engine, takes the addresses of all queries
//! in turn, fetches and judges the pages on a few threads, and notes the results in an order that
//! does not depend on the threads.

use std::collections::HashSet;

use grounds_web::{FetchError, Page, SearchError, SearchResult};
use jiff::Timestamp;

use super::{ClaimRun, Reached, VerifyError, VerifyEvent};
use crate::history::{
    EvidenceHit, HitManner, HitPlace, JudgeName, SearchQuery, SourceTier, Stance, VisitedPage,
};
use crate::judges::{Judge, JudgeError, JudgedPage, Judgement};
use crate::parallel;
use crate::queries::Query;
use crate::task::Timeframe;
use crate::{tiers, timeframe, unread};

/// Maximum number of hits of one page that are kept for each judge.
const HITS_PER_PAGE_MAX: usize = 8;

/// The judgements of a judge on a page, or why it could not judge.
type JudgeResult = (JudgeName, Result<Vec<Judgement>, JudgeError>);

/// The result of one address.
struct AddressResult {
    asked: String,
    page: Result<Page, FetchError>,
    judged: Vec<JudgeResult>,
    is_cut: bool,
}

impl ClaimRun<'_> {
    /// Asks the engine, and returns the results of each query that was answered.
    pub(super) fn search(
        &mut self,
        queries: &[Query],
    ) -> Result<Vec<Vec<SearchResult>>, VerifyError> {
        let (mut found, mut first_error) = (Vec::new(), None);
        for query in queries {
            if self.is_over() {
                self.reach(Reached::Time);
                unread::add(&mut self.unread, Reached::Time.name(), "");
                break;
            }
            // Reserved before it is sent, so that parallel claims cannot exceed the cap together.
            self.means
                .spending
                .take_query()
                .map_err(|cap| VerifyError::Spent {
                    claim: self.task.claim.clone(),
                    cap,
                })?;
            let answer = self.addresses(&query.text);
            self.note_query(query, answer.as_ref().ok().map(Vec::len));
            match answer {
                Ok(results) => {
                    // The first query of a claim is the claim itself.
                    if self.is_read_deep() && self.own.is_empty() {
                        self.own.clone_from(&results);
                    }
                    found.push(results);
                }
                // A replay that goes on without an answer would print another result than the
                // recording.
                Err(error @ SearchError::NotRecorded { .. }) => {
                    return Err(VerifyError::Replay {
                        why: error.to_string(),
                    });
                }
                Err(error) => {
                    let is_hopeless = is_hopeless(&error);
                    self.failures.push(error.to_string());
                    first_error.get_or_insert_with(|| (query.text.clone(), error.to_string()));
                    // Each further query would fail in the same way, and engines count failed ones
                    // as well.
                    if is_hopeless {
                        break;
                    }
                }
            }
        }
        match (found.is_empty(), first_error) {
            // A round whose queries all failed is no round without results.
            (true, Some((query, why))) => Err(VerifyError::Search { query, why }),
            (true, None) | (false, _) => Ok(found),
        }
    }

    /// Reports a query and adds it to the history.
    fn note_query(&mut self, query: &Query, results: Option<usize>) {
        (self.tell)(&VerifyEvent::Query { query, results });
        self.history.queries.push(SearchQuery {
            text: query.text.clone(),
            provider: self.means.provider.name().to_owned(),
            seeks: query.seeks,
            result_count: results,
        });
    }

    /// Returns the addresses for a query.
    fn addresses(&self, query: &str) -> Result<Vec<SearchResult>, SearchError> {
        let most = if self.is_read_deep() {
            self.limits.pages_max
        } else {
            self.limits.results_per_query_max
        };
        self.means.provider.search(query, most)
    }

    /// Reports whether a folder is searched for a judge that understands other words than the
    /// claim's. The page that decides may then rank far down, and reading further costs no query.
    fn is_read_deep(&self) -> bool {
        let is_reader = |judge: &&dyn Judge| judge.name() != JudgeName::Lexical;
        self.means.provider.name() == grounds_web::FOLDER && self.means.judges.iter().any(is_reader)
    }

    /// Adds the next results for the claim's own words to those of each query: the queries have
    /// additional words, which a folder of documents rarely contains.
    fn with_own(&self, found: Vec<Vec<SearchResult>>) -> Vec<Vec<SearchResult>> {
        let is_read = |result: &&SearchResult| {
            let mut pages = self.history.pages.iter();
            self.chosen.contains(&result.url) || pages.any(|page| page.url == result.url)
        };
        let next = self.own.iter().filter(|result| !is_read(result));
        // `step_by` panics at 0, but without queries `beside` is never called.
        let count = found.len();
        let beside = |(at, results)| {
            // Each query gets another part of them, so that no page is offered twice.
            let share: Vec<SearchResult> = next.clone().skip(at).step_by(count).cloned().collect();
            [share, results]
        };
        found.into_iter().enumerate().flat_map(beside).collect()
    }

    /// Fetches and judges the pages that were found.
    pub(super) fn visit(&mut self, found: Vec<Vec<SearchResult>>) -> Result<(), VerifyError> {
        let chosen = self.choose(found);
        (self.tell)(&VerifyEvent::Pages {
            count: chosen.len(),
        });
        // All pages are reserved before the first is fetched: a claim is judged whole or not at
        // all.
        for _ in &chosen {
            self.means
                .spending
                .take_page()
                .map_err(|cap| VerifyError::Spent {
                    claim: self.task.claim.clone(),
                    cap,
                })?;
        }
        let seen = parallel::map(&chosen, self.limits.parallel_max, &|url| {
            // Asked again for each page: the threads may wait long for the pages before.
            (!self.is_over()).then(|| self.look(url))
        });
        for (url, _) in chosen.iter().zip(&seen).filter(|(_, seen)| seen.is_none()) {
            self.reach(Reached::Time);
            unread::add(&mut self.unread, Reached::Time.name(), url);
        }
        seen.into_iter()
            .flatten()
            .try_for_each(|seen| self.note(seen))
    }

    /// Returns new addresses, the best of each query first, within the bounds.
    fn choose(&mut self, found: Vec<Vec<SearchResult>>) -> Vec<String> {
        let found = self.with_own(found);
        let pages = self.history.pages.iter().map(|page| page.url.clone());
        // An address that was redirected is in no page, and would be read again in each round.
        let mut known: HashSet<String> = self.chosen.iter().cloned().chain(pages).collect();
        let ranks = found.iter().map(Vec::len).max().unwrap_or(0);
        // In turn, so that the results of one query cannot use up the pages of the others.
        let in_turn =
            (0..ranks).flat_map(|rank| found.iter().filter_map(move |results| results.get(rank)));
        let mut chosen: Vec<String> = in_turn
            .map(|result| result.url.clone())
            .filter(|url| known.insert(url.clone()))
            .collect();
        if chosen.len() > self.limits.pages_per_attempt_max {
            chosen.truncate(self.limits.pages_per_attempt_max);
            self.reach(Reached::PagesPerAttempt);
        }
        // Pages that failed count as well: each of them was a request.
        let left = self
            .limits
            .pages_max
            .saturating_sub(self.history.pages.len());
        if chosen.len() > left {
            chosen.truncate(left);
            self.reach(Reached::Pages);
        }
        self.chosen.extend(chosen.iter().cloned());
        chosen
    }

    fn look(&self, url: &str) -> AddressResult {
        let page = self.means.fetch.fetch(url);
        let (judged, is_cut) = match &page {
            Ok(page) => self.judge(page),
            Err(_) => (Vec::new(), false),
        };
        AddressResult {
            asked: url.to_owned(),
            page,
            judged,
            is_cut,
        }
    }

    fn judge(&self, page: &Page) -> (Vec<JudgeResult>, bool) {
        let text = start_of(&page.text, self.limits.judged_bytes_max);
        let shown = JudgedPage {
            url: &page.url,
            title: page.title.as_deref(),
            text,
        };
        let judged = self
            .means
            .judges
            .iter()
            .map(|judge| (judge.name(), judge.judge(&self.task, &shown)))
            .collect();
        // Whether it was truncated when it was read or here, its end was not judged.
        (judged, page.is_cut || text.len() < page.text.len())
    }

    fn note(&mut self, seen: AddressResult) -> Result<(), VerifyError> {
        if seen.is_cut {
            self.reach(Reached::JudgedBytes);
            unread::add(&mut self.unread, Reached::JudgedBytes.name(), &seen.asked);
        }
        let page = match seen.page {
            Ok(page) => page,
            Err(error @ FetchError::NotRecorded { .. }) => {
                return Err(VerifyError::Replay {
                    why: error.to_string(),
                });
            }
            Err(error) => {
                self.failures.push(error.to_string());
                let status = if let FetchError::NoPage { status, .. } = &error {
                    *status
                } else {
                    None
                };
                // Kept without text, so that it counts as failed and is not fetched again.
                self.history.pages.push(VisitedPage {
                    status,
                    failure: Some(error.to_string()),
                    ..VisitedPage::of_address(&seen.asked)
                });
                return Ok(());
            }
        };
        // Two addresses may lead to the same page.
        if self
            .history
            .pages
            .iter()
            .any(|known| known.url == page.url && known.failure.is_none())
        {
            return Ok(());
        }
        self.note_judged(&page, seen.judged);
        self.history.pages.push(visited(page));
        Ok(())
    }

    fn note_judged(&mut self, page: &Page, mut judged: Vec<JudgeResult>) {
        overrule_words(&mut judged);
        for (judge, said) in judged {
            let judged = self.judged.entry(judge.clone()).or_default();
            judged.pages += 1;
            match said {
                Ok(said) => {
                    if said.len() > HITS_PER_PAGE_MAX {
                        self.reach(Reached::HitsPerPage);
                    }
                    let tier = (self.means.tier)(page);
                    // The time of an event is only asked for if the claim has a time.
                    let has_window = self.task.timeframe.is_some();
                    let as_of = self.history.as_of;
                    let hit = |judgement: Judgement| {
                        let hit = hit(page, judgement, tier, &judge)?;
                        let happened = has_window.then(|| happened(page, &hit.excerpt, as_of));
                        Some(EvidenceHit {
                            happened: happened.flatten(),
                            ..hit
                        })
                    };
                    self.history
                        .hits
                        .extend(said.into_iter().take(HITS_PER_PAGE_MAX).filter_map(hit));
                }
                Err(error) => {
                    judged.failed += 1;
                    judged.is_spent |= error.is_spent;
                    self.failures.push(format!("{error} (`{}`)", page.url));
                    judged
                        .first
                        .get_or_insert_with(|| (error.to_string(), error.advice));
                }
            }
        }
    }
}

/// Lets a judge that reads overrule the judge of words on a page where it takes a side. What the
/// words say for another side becomes neutral, so that the page does not contradict itself.
fn overrule_words(judged: &mut [JudgeResult]) {
    let is_clear = |judgement: &&Judgement| judgement.stance != Stance::Neutral;
    let better: Vec<Stance> = judged
        .iter()
        .filter(|(judge, _)| *judge != JudgeName::Lexical)
        .filter_map(|(_, said)| said.as_ref().ok())
        .flat_map(|said| said.iter().filter(is_clear))
        .map(|judgement| judgement.stance)
        .collect();
    let words = judged
        .iter_mut()
        .filter(|(judge, _)| *judge == JudgeName::Lexical)
        .filter_map(|(_, said)| said.as_mut().ok());
    for judgement in words.flatten() {
        // If the judges that read disagree, the words may agree with either.
        if !better.is_empty() && !better.contains(&judgement.stance) {
            judgement.stance = Stance::Neutral;
        }
    }
}

/// Reports whether asking again cannot help.
const fn is_hopeless(error: &SearchError) -> bool {
    match error {
        SearchError::Key { .. } | SearchError::Quota { .. } | SearchError::NotRecorded { .. } => {
            true
        }
        SearchError::TimeUp { .. }
        | SearchError::Status { .. }
        | SearchError::Unreadable { .. }
        | SearchError::Broke { .. } => false,
    }
}

/// Makes a hit of a judgement, or returns `None` if the page does not contain its words.
fn hit(
    page: &Page,
    judgement: Judgement,
    tier: SourceTier,
    judge: &JudgeName,
) -> Option<EvidenceHit> {
    // Either address is enough: a copy may name the satirical page as its origin, and a satirical
    // page may name any other as its own.
    let is_satire = tiers::is_satire(page.canonical.as_deref().unwrap_or(&page.url))
        || tiers::is_satire(&page.url);
    let excerpt = page
        .text
        .get(judgement.bytes.clone())
        .filter(|excerpt| !excerpt.trim().is_empty())?
        .to_owned();
    Some(EvidenceHit {
        url: page.url.as_str().into(),
        title: page.title.clone(),
        published: page.published,
        stance: judgement.stance,
        manner: if is_satire {
            HitManner::Satire
        } else {
            judgement.manner
        },
        happened: None,
        tier,
        place: HitPlace::Page,
        excerpt: excerpt.into(),
        bytes: judgement.bytes,
        judge: judge.clone(),
    })
}

/// Returns when an event happened by the words of a page: "in 2019" by itself, "five years ago"
/// from the date of the page.
fn happened(page: &Page, words: &str, as_of: Timestamp) -> Option<Timeframe> {
    let written = page.published.map_or(as_of, |date| date.at);
    timeframe::read(words, written)
}

fn visited(page: Page) -> VisitedPage {
    VisitedPage {
        status: Some(page.status),
        title: page.title,
        published: page.published,
        modified: page.modified,
        canonical: page.canonical,
        byline: page.byline,
        publisher: page.publisher,
        content_hash: Some(page.content_hash),
        text: page.text,
        ..VisitedPage::of_address(&page.url)
    }
}

/// Returns at most `bytes_max` bytes, up to a character boundary.
fn start_of(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}
