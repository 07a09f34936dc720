//! Which hits can count at all, each judged separately: where the words were seen, in what manner
//! the page says them, whether the page contains them, and whether their time fits. Relations
//! between hits are not considered here.

mod alignment;

use hashbrown::HashMap;

use crate::decision::ClaimSide;
use crate::history::{EvidenceHit, HitManner, HitPlace, SearchHistory, Stance, VisitedPage};
use crate::trace::WhyNot;

pub(crate) use alignment::{HitTimes, Moment, misaligned};

/// Visited pages by their address, each with its place in the history.
pub(crate) type Pages<'a> = HashMap<&'a str, (usize, &'a VisitedPage)>;

/// Returns the visited pages by address. Of several visits, the last one with text counts, else the
/// last one.
pub(crate) fn pages_by_address(history: &SearchHistory) -> Pages<'_> {
    let mut pages = Pages::with_capacity(history.pages.len());
    for page in history.pages.iter().enumerate() {
        let known = pages.entry(&page.1.url).or_insert(page);
        if is_read(page.1) || !is_read(known.1) {
            *known = page;
        }
    }
    pages
}

/// Reports whether a page was read and has text.
pub(crate) const fn is_read(page: &VisitedPage) -> bool {
    page.failure.is_none() && !page.text.is_empty()
}

/// Returns the page of a hit that contains its words, with its place in the history, or why the hit
/// cannot count.
pub(crate) fn page_of<'a>(
    hit: &EvidenceHit,
    pages: &Pages<'a>,
) -> Result<(usize, &'a VisitedPage), WhyNot> {
    match hit.place {
        HitPlace::AnswerBox => return Err(WhyNot::AnswerBox),
        HitPlace::Snippet => return Err(WhyNot::SnippetOnly),
        HitPlace::Page => {}
    }
    match hit.manner {
        HitManner::Forecast => return Err(WhyNot::Forecast),
        HitManner::Satire => return Err(WhyNot::Satire),
        HitManner::Statement
        | HitManner::Absence
        | HitManner::Foreclosed
        | HitManner::FactCheck => {}
    }
    let (number, page) = pages
        .get(&*hit.url)
        .copied()
        .filter(|(_, page)| is_read(page))
        .ok_or(WhyNot::PageNotRead)?;
    // The hit may be of a language model, or come with a history from outside: its words are looked
    // up again.
    let stands = page.text.as_bytes().get(hit.bytes.clone()) == Some(hit.excerpt.as_bytes());
    if stands && !hit.excerpt.trim().is_empty() {
        Ok((number, page))
    } else {
        Err(WhyNot::NotInPage)
    }
}

/// Returns the side that a hit speaks for, or `None` if it is neutral.
pub(crate) const fn side_of(hit: &EvidenceHit) -> Option<ClaimSide> {
    match hit.stance {
        Stance::Support => Some(ClaimSide::Support),
        Stance::Refute => Some(ClaimSide::Refute),
        Stance::Neutral => None,
    }
}
