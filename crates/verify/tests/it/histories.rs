//! Histories for the laws: a few publishers, pages and hits, drawn at random.

use grounds_verify::{
    EvidenceHit, HitManner, HitPlace, JudgeName, SearchHistory, SearchQuery, SearchTask, Seeks,
    SourceTier, Stance, Timeframe, VisitedPage,
};
use grounds_web::{DateSource, PageDate};
use jiff::Timestamp;
use proptest::prelude::*;

/// 2025-01-01, the first day that a page can be of.
pub(crate) const FIRST_SECOND: i64 = 1_735_689_600;
pub(crate) const DAY_SECONDS: i64 = 86_400;

pub(crate) fn second(second: i64) -> Timestamp {
    Timestamp::from_second(second).expect("a time within range")
}

pub(crate) fn day(number: i64) -> Timestamp {
    second(FIRST_SECOND + number * DAY_SECONDS)
}

pub(crate) fn dated(number: i64) -> PageDate {
    PageDate {
        at: day(number),
        is_day: true,
        source: DateSource::Meta,
    }
}

pub(crate) fn task() -> SearchTask {
    SearchTask {
        id: "t".to_owned(),
        claim: "The bridge of Example opened in March.".to_owned(),
        timeframe: None,
        context: None,
        language: None,
        origin: None,
    }
}

pub(crate) fn window(start: i64, end: i64) -> Timeframe {
    Timeframe {
        start: Some(day(start)),
        end: Some(day(end)),
    }
}

/// Which page, by whom, when, and what it says.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) publisher: u8,
    pub(crate) page: u8,
    pub(crate) published: Option<i64>,
    pub(crate) stance: Stance,
    pub(crate) tier: SourceTier,
    pub(crate) manner: HitManner,
    pub(crate) place: HitPlace,
}

pub(crate) fn seen() -> impl Strategy<Value = Seen> {
    let stances = vec![
        Stance::Support,
        Stance::Support,
        Stance::Refute,
        Stance::Refute,
        Stance::Neutral,
    ];
    let tiers = vec![
        SourceTier::Primary,
        SourceTier::Wire,
        SourceTier::Trade,
        SourceTier::Other,
    ];
    let manners = vec![
        HitManner::Statement,
        HitManner::Statement,
        HitManner::Statement,
        HitManner::Absence,
        HitManner::Foreclosed,
        HitManner::FactCheck,
        HitManner::Forecast,
    ];
    let places = vec![
        HitPlace::Page,
        HitPlace::Page,
        HitPlace::Page,
        HitPlace::Snippet,
        HitPlace::AnswerBox,
    ];
    let kind = (
        proptest::sample::select(stances),
        proptest::sample::select(tiers),
        proptest::sample::select(manners),
        proptest::sample::select(places),
    );
    (
        0..8_u8,
        0..3_u8,
        proptest::option::weighted(0.9, 0..60_i64),
        kind,
    )
        .prop_map(
            |(publisher, page, published, (stance, tier, manner, place))| Seen {
                publisher,
                page,
                published,
                stance,
                tier,
                manner,
                place,
            },
        )
}

impl Seen {
    pub(crate) fn url(&self) -> String {
        format!(
            "https://news.publisher{}.example/{}",
            self.publisher, self.page
        )
    }
}

/// The history of what was seen. The first hit of a page gives the page its date.
pub(crate) fn history(seen: &[Seen], seeks: &[Seeks]) -> SearchHistory {
    let mut history = SearchHistory {
        as_of: day(90),
        queries: seeks.iter().map(|seeks| query(*seeks)).collect(),
        pages: Vec::new(),
        hits: Vec::new(),
    };
    for seen in seen {
        add(
            &mut history,
            &seen.url(),
            &text(seen.publisher, seen.page),
            seen,
        );
    }
    history
}

/// A text of its own for each page: long enough to be compared, with nothing shared.
pub(crate) fn text(publisher: u8, page: u8) -> String {
    (0..90)
        .map(|word| format!("w{publisher}x{page}x{word}"))
        .collect::<Vec<_>>()
        .join(" ")
}

pub(crate) fn query(seeks: Seeks) -> SearchQuery {
    SearchQuery {
        text: "bridge".to_owned(),
        provider: "corpus".to_owned(),
        seeks,
        result_count: Some(3),
    }
}

/// Adds a hit, and its page where it is new.
pub(crate) fn add(history: &mut SearchHistory, url: &str, text: &str, seen: &Seen) {
    let published = seen.published.map(dated);
    if !history.pages.iter().any(|page| page.url == url) {
        let page = VisitedPage {
            status: Some(200),
            published,
            text: text.to_owned(),
            ..VisitedPage::of_address(url)
        };
        history.pages.push(page);
    }
    let end = text.find(' ').unwrap_or(text.len());
    history.hits.push(EvidenceHit {
        url: url.into(),
        title: None,
        published,
        stance: seen.stance,
        manner: seen.manner,
        happened: None,
        tier: seen.tier,
        place: seen.place,
        excerpt: text[..end].into(),
        bytes: 0..end,
        judge: JudgeName::Human,
    });
}
