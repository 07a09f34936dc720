//! From what stands in JSON to the types of the rule. Times, ranges and numbers are
//! checked here, and an error says where.

use std::collections::HashMap;
use std::ops::Range;

use grounds_web::{DateSource, PageDate};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::WireError;
use super::input::{
    DecideInput, HistoryJson, HitJson, MannerJson, PageJson, PlaceJson, PolicyJson, QueryJson,
    RulesJson, SeeksJson, SpanJson, StanceJson, TaskJson, TierJson, UndatedJson,
};
use crate::history::{
    EvidenceHit, HitPlace, JudgeName, Manner, SearchHistory, SearchQuery, Seeks, SourceTier,
    Stance, VisitedPage,
};
use crate::rules::{DecisionRules, Policy, Undated};
use crate::task::{SearchTask, Timeframe};

/// What was read.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) task: SearchTask,
    pub(super) history: SearchHistory,
    pub(super) attempts: u32,
    pub(super) attempts_max: u32,
    pub(super) rules: DecisionRules,
}

pub(super) fn read(input: DecideInput) -> Result<Read, WireError> {
    Ok(Read {
        task: task(input.task)?,
        history: history(input.history)?,
        attempts: input.attempts,
        attempts_max: input.max_attempts,
        rules: rules(&input.rules)?,
    })
}

fn wrong<T>(path: impl Into<String>, why: impl Into<String>) -> Result<T, WireError> {
    Err(WireError {
        path: path.into(),
        why: why.into(),
    })
}

fn task(task: TaskJson) -> Result<SearchTask, WireError> {
    let TaskJson {
        id,
        claim,
        timeframe,
        context,
        language,
        origin,
    } = task;
    let timeframe = timeframe
        .map(|span| self::span("task.timeframe", &span))
        .transpose()?;
    Ok(SearchTask {
        id,
        claim,
        timeframe,
        context,
        language,
        origin,
    })
}

fn history(history: HistoryJson) -> Result<SearchHistory, WireError> {
    let as_of = date("history.as_of", &history.as_of)?.at;
    let queries = history.queries.into_iter().map(query).collect();
    let pages = history
        .pages
        .into_iter()
        .enumerate()
        .map(|(place, page)| self::page(place, page))
        .collect::<Result<Vec<_>, _>>()?;
    let texts: HashMap<&str, &str> = pages
        .iter()
        .map(|page: &VisitedPage| (page.url.as_str(), page.text.as_str()))
        .collect();
    let hits = history
        .hits
        .into_iter()
        .enumerate()
        .map(|(place, hit)| self::hit(place, hit, &texts))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(SearchHistory {
        as_of,
        queries,
        pages,
        hits,
    })
}

fn query(query: QueryJson) -> SearchQuery {
    let seeks = match query.seeks {
        SeeksJson::Support => Seeks::Support,
        SeeksJson::Refutation => Seeks::Refutation,
        SeeksJson::Either => Seeks::Either,
    };
    let result_count = query.failure.is_none().then_some(query.result_count);
    SearchQuery {
        text: query.text,
        provider: query.provider,
        seeks,
        result_count,
    }
}

fn page(place: usize, page: PageJson) -> Result<VisitedPage, WireError> {
    let at = |name: &str| format!("history.pages[{place}].{name}");
    Ok(VisitedPage {
        published: page
            .pub_date
            .map(|text| date(&at("pub_date"), &text))
            .transpose()?,
        modified: page
            .modified
            .map(|text| date(&at("modified"), &text))
            .transpose()?,
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
    })
}

fn hit(place: usize, hit: HitJson, texts: &HashMap<&str, &str>) -> Result<EvidenceHit, WireError> {
    let at = |name: &str| format!("history.hits[{place}].{name}");
    let bytes = match hit.bytes {
        Some([start, end]) if start > end => {
            return wrong(at("bytes"), format!("{start} is after {end}"));
        }
        Some([start, end]) => start..end,
        None => found(&hit, texts),
    };
    Ok(EvidenceHit {
        published: hit
            .pub_date
            .map(|text| date(&at("pub_date"), &text))
            .transpose()?,
        happened: hit
            .happened
            .map(|span| self::span(&at("happened"), &span))
            .transpose()?,
        url: hit.url,
        title: hit.title,
        stance: stance(hit.stance),
        manner: manner(hit.manner),
        tier: tier(hit.tier),
        place: hit_place(hit.place),
        excerpt: hit.excerpt,
        bytes,
        judge: hit.judge.map_or(JudgeName::Human, |name| {
            if name == "lexical" {
                JudgeName::Lexical
            } else {
                JudgeName::Model(name)
            }
        }),
    })
}

/// The first place where the words stand in the page; where they do not stand, the rule will say so.
fn found(hit: &HitJson, texts: &HashMap<&str, &str>) -> Range<usize> {
    let start = texts
        .get(hit.url.as_str())
        .and_then(|text| text.find(&hit.excerpt));
    start.map_or(0..0, |start| start..start + hit.excerpt.len())
}

const fn stance(stance: StanceJson) -> Stance {
    match stance {
        StanceJson::Support => Stance::Support,
        StanceJson::Refute => Stance::Refute,
        StanceJson::Neutral => Stance::Neutral,
    }
}

const fn manner(manner: MannerJson) -> Manner {
    match manner {
        MannerJson::Statement => Manner::Statement,
        MannerJson::Absence => Manner::Absence,
        MannerJson::Foreclosed => Manner::Foreclosed,
        MannerJson::Forecast => Manner::Forecast,
        MannerJson::Satire => Manner::Satire,
        MannerJson::FactCheck => Manner::FactCheck,
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

/// A day of UTC, or a moment.
fn date(path: &str, text: &str) -> Result<PageDate, WireError> {
    let source = DateSource::Meta;
    if let Ok(day) = text
        .parse::<Date>()
        .map_err(drop)
        .and_then(|day| if text.len() == 10 { Ok(day) } else { Err(()) })
    {
        let start = day.to_zoned(TimeZone::UTC).map_err(|error| WireError {
            path: path.to_owned(),
            why: error.to_string(),
        })?;
        return Ok(PageDate {
            at: start.timestamp(),
            is_day: true,
            source,
        });
    }
    match text.parse::<Timestamp>() {
        Ok(at) => Ok(PageDate {
            at,
            is_day: false,
            source,
        }),
        Err(_) => wrong(
            path,
            format!(
                "`{text}` is neither a day (`2025-03-31`) nor a moment with its zone (`2025-03-31T23:59:00-04:00`)"
            ),
        ),
    }
}

/// The last second of a day, from its first.
const DAY_SECONDS: i64 = 86_399;

fn span(path: &str, span: &SpanJson) -> Result<Timeframe, WireError> {
    let start = span
        .start
        .as_deref()
        .map(|text| date(&format!("{path}.start"), text))
        .transpose()?
        .map(|date| date.at);
    let end = span
        .end
        .as_deref()
        .map(|text| last_moment(&format!("{path}.end"), text))
        .transpose()?;
    match (start, end) {
        (Some(start), Some(end)) if start > end => wrong(path, "its start is after its end"),
        (start, end) => Ok(Timeframe { start, end }),
    }
}

fn last_moment(path: &str, text: &str) -> Result<Timestamp, WireError> {
    let date = date(path, text)?;
    let seconds = date.at.as_second() + if date.is_day { DAY_SECONDS } else { 0 };
    if date.is_day {
        Timestamp::from_second(seconds).map_err(|error| WireError {
            path: path.to_owned(),
            why: error.to_string(),
        })
    } else {
        Ok(date.at)
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
    set(&mut rules.calibration.families_min, json.families_min);
    set(&mut rules.opposing_max_milli, json.opposing_max_milli);
    set(&mut rules.tolerance_hours, json.tolerance_hours);
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
