//! Turns JSON into the types of the rule. Numbers of the rule are checked here, with the place of
//! an error.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};

use super::WireError;
use super::input::{
    DecideInput, HistoryJson, HitJson, MannerJson, PageJson, PlaceJson, PolicyJson, QueryJson,
    RulesJson, SeeksJson, StanceJson, TaskJson, TierJson, UndatedJson,
};
use crate::history::{
    EvidenceHit, HitManner, HitPlace, JudgeName, SearchHistory, SearchQuery, Seeks, SourceTier,
    Stance, VisitedPage,
};
use crate::rules::{DecisionRules, Policy, Undated};
use crate::task::SearchTask;

/// The parsed input.
#[derive(Debug)]
pub(super) struct ReadInput {
    pub(super) task: SearchTask,
    pub(super) history: SearchHistory,
    pub(super) attempts: u32,
    pub(super) attempts_max: u32,
    pub(super) rules: DecisionRules,
}

pub(super) fn read(input: DecideInput) -> Result<ReadInput, WireError> {
    Ok(ReadInput {
        task: task(input.task),
        history: history(input.history),
        attempts: input.attempts,
        attempts_max: input.max_attempts,
        rules: rules(&input.rules)?,
    })
}

fn task(task: TaskJson) -> SearchTask {
    let TaskJson {
        id,
        claim,
        timeframe,
        context,
        language,
        origin,
    } = task;
    SearchTask {
        id,
        claim,
        timeframe: timeframe.map(|span| span.0),
        context,
        language,
        origin,
    }
}

fn history(history: HistoryJson) -> SearchHistory {
    let (pages, mut hits) = (history.pages.0, history.hits);
    // Only here: in the JSON, the hits may come before the pages.
    hits.place(&pages);
    SearchHistory {
        as_of: history.as_of.0.at,
        queries: history.queries.into_iter().map(query).collect(),
        pages,
        hits: hits.list,
    }
}

fn query(query: QueryJson) -> SearchQuery {
    let seeks = match query.seeks {
        SeeksJson::Support => Seeks::Support,
        SeeksJson::Refutation => Seeks::Refutation,
        SeeksJson::Either => Seeks::Either,
    };
    // A failed query has a count of 0 in JSON, and `None` here: it found nothing because it never
    // searched.
    let result_count = query.failure.is_none().then_some(query.result_count);
    SearchQuery {
        text: query.text,
        provider: query.provider,
        seeks,
        result_count,
    }
}

/// The pages of a history.
#[derive(Debug, Default)]
pub struct Pages(pub(super) Vec<VisitedPage>);

impl<'de> Deserialize<'de> for Pages {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut pages = Vec::new();
        let each = Each(|json: PageJson| pages.push(page(json)), PhantomData);
        deserializer.deserialize_seq(each)?;
        Ok(Self(pages))
    }
}

/// The hits of a history.
#[derive(Debug, Default)]
pub struct Hits {
    pub(super) list: Vec<EvidenceHit>,
    /// Indices of the hits without the place of their words.
    unplaced: Vec<usize>,
}

impl<'de> Deserialize<'de> for Hits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (mut hits, mut known) = (Self::default(), HashSet::new());
        let each = Each(|json: HitJson<'de>| hits.add(json, &mut known), PhantomData);
        deserializer.deserialize_seq(each)?;
        Ok(hits)
    }
}

impl Hits {
    fn add(&mut self, json: HitJson<'_>, known: &mut HashSet<Arc<str>>) {
        if json.bytes.is_none() {
            self.unplaced.push(self.list.len());
        }
        self.list.push(hit(json, known));
    }

    /// Finds the first place of each hit without one. If the page does not contain the words, the
    /// rule reports it.
    fn place(&mut self, pages: &[VisitedPage]) {
        if self.unplaced.is_empty() {
            return;
        }
        // A later visit that failed has no text.
        let texts = pages
            .iter()
            .filter(|page| !page.text.is_empty())
            .map(|page| (page.url.as_str(), page.text.as_str()));
        let texts: HashMap<&str, &str> = texts.collect();
        for place in &self.unplaced {
            let hit = &mut self.list[*place];
            let start = texts
                .get(&*hit.url)
                .and_then(|text| text.find(&*hit.excerpt));
            // An empty place never equals the words, so that the hit does not count.
            hit.bytes = start.map_or(0..0, |start| start..start + hit.excerpt.len());
        }
    }
}

/// A visitor that takes the elements of a list one by one.
struct Each<T, F>(F, PhantomData<T>);

impl<'de, T: Deserialize<'de>, F: FnMut(T)> Visitor<'de> for Each<T, F> {
    type Value = ();

    fn expecting(&self, form: &mut fmt::Formatter<'_>) -> fmt::Result {
        form.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element()? {
            (self.0)(element);
        }
        Ok(())
    }
}

fn page(page: PageJson) -> VisitedPage {
    VisitedPage {
        published: page.pub_date.map(|date| date.0),
        modified: page.modified.map(|date| date.0),
        url: page.url,
        status: page.status,
        title: page.title,
        canonical: page.canonical,
        publisher: page.publisher,
        byline: page.byline,
        cites: page.cites,
        content_hash: page.content_hash,
        text: page.text,
        failure: page.failure,
    }
}

fn hit(hit: HitJson<'_>, known: &mut HashSet<Arc<str>>) -> EvidenceHit {
    EvidenceHit {
        url: shared(&hit.url, known),
        title: hit.title,
        published: hit.pub_date.map(|date| date.0),
        stance: stance(hit.stance),
        manner: manner(hit.manner),
        happened: hit.happened.map(|span| span.0),
        tier: tier(hit.tier),
        place: hit_place(hit.place),
        excerpt: shared(&hit.excerpt, known),
        bytes: hit.bytes.map_or(0..0, |place| place.0),
        // Without a name, the stance counts as the label of a person.
        judge: hit.judge.map_or(JudgeName::Human, |name| {
            if name == "lexical" {
                JudgeName::Lexical
            } else {
                JudgeName::Model(name)
            }
        }),
    }
}

/// Returns a text that is kept once, however many hits have it.
fn shared(text: &str, known: &mut HashSet<Arc<str>>) -> Arc<str> {
    known.get_or_insert_with(text, |text| text.into()).clone()
}

const fn stance(stance: StanceJson) -> Stance {
    match stance {
        StanceJson::Support => Stance::Support,
        StanceJson::Refute => Stance::Refute,
        StanceJson::Neutral => Stance::Neutral,
    }
}

const fn manner(manner: MannerJson) -> HitManner {
    match manner {
        MannerJson::Statement => HitManner::Statement,
        MannerJson::Absence => HitManner::Absence,
        MannerJson::Foreclosed => HitManner::Foreclosed,
        MannerJson::Forecast => HitManner::Forecast,
        MannerJson::Satire => HitManner::Satire,
        MannerJson::FactCheck => HitManner::FactCheck,
    }
}

const fn tier(tier: TierJson) -> SourceTier {
    match tier {
        TierJson::Primary => SourceTier::Primary,
        TierJson::Wire => SourceTier::Wire,
        TierJson::Trade => SourceTier::Trade,
        TierJson::Other => SourceTier::Other,
    }
}

const fn hit_place(place: PlaceJson) -> HitPlace {
    match place {
        PlaceJson::Page => HitPlace::Page,
        PlaceJson::Snippet => HitPlace::Snippet,
        PlaceJson::AnswerBox => HitPlace::AnswerBox,
    }
}

fn rules(json: &RulesJson) -> Result<DecisionRules, WireError> {
    let mut rules = DecisionRules::default();
    let weights = &mut rules.weights;
    set(&mut weights.primary_milli, json.primary_milli);
    set(&mut weights.wire_milli, json.wire_milli);
    set(&mut weights.trade_milli, json.trade_milli);
    set(&mut weights.other_milli, json.other_milli);
    set(&mut rules.threshold_milli, json.threshold_milli);
    set(&mut rules.families_min, json.families_min);
    // One number of the input sets both policies, of which only one decides.
    set(&mut rules.calibration.families_min, json.families_min);
    set(&mut rules.opposing_max_milli, json.opposing_max_milli);
    set(&mut rules.tolerance_hours, json.tolerance_hours);
    // The input has one bar, for claims with a prior and without.
    let bar = json.bar_milli.map(i64::from);
    set(&mut rules.calibration.bar_milli, bar);
    set(&mut rules.calibration.bar_without_prior_milli, bar);
    if let Some(policy) = json.policy {
        rules.policy = match policy {
            PolicyJson::SpecV1 => Policy::SpecV1,
            PolicyJson::CalibratedV2 => Policy::CalibratedV2,
        };
    }
    if let Some(undated) = json.undated {
        rules.undated = match undated {
            UndatedJson::WeightOnly => Undated::WeightOnly,
            UndatedJson::Counts => Undated::Counts,
        };
    }
    rules
        .check()
        .map_err(|why| WireError {
            path: "rules".to_owned(),
            why,
        })
        .map(|()| rules)
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}
