//! Builds the queries for a search engine: from the claim at first, and from what is missing
//! afterwards. At least one query of the first attempt seeks refutation, since support is cheap to
//! find. No query is sent twice.

use jiff::Timestamp;

use crate::decision::{ClaimSide, DecisionGap};
use crate::history::{SearchHistory, SearchQuery, Seeks};
use crate::judges::lexical::{Term, terms};
use crate::task::{SearchTask, Timeframe};

/// Maximum number of letters of a query.
const QUERY_LETTERS_MAX: usize = 300;
/// Maximum number of words of the context in a query.
const CONTEXT_WORDS_MAX: usize = 4;
/// Maximum number of words of a claim in a wider query.
const WIDE_WORDS_MAX: usize = 4;

/// A query that is to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Its words.
    pub text: String,
    /// What it is to find.
    pub seeks: Seeks,
}

/// Returns the queries of the first attempt, at most `queries_max` or two. One that seeks
/// refutation is always among them.
pub fn first(task: &SearchTask, queries_max: usize) -> Vec<Query> {
    let words = QueryWords::of(task);
    let all = [
        (Seeks::Either, task.claim.clone()),
        (Seeks::Refutation, words.against()),
        (Seeks::Support, words.with(&words.context)),
        (Seeks::Either, words.with(&words.when)),
    ];
    // True needs a query that sought refutation, and that is the second one.
    fresh(all, &[], queries_max.max(2))
}

/// Returns the queries of a further attempt, for what is missing.
pub fn further(
    task: &SearchTask,
    gap: &DecisionGap,
    history: &SearchHistory,
    queries_max: usize,
) -> Vec<Query> {
    let words = QueryWords::of(task);
    let when = gap
        .within
        .as_ref()
        .or(task.timeframe.as_ref())
        .map(named)
        .unwrap_or_default();
    // In the order of need, since `fresh` takes only the first ones that were not sent.
    let mut all: Vec<(Seeks, String)> = Vec::new();
    if gap.lacks_refutation_query {
        all.push((Seeks::Refutation, words.against()));
    }
    if gap.is_conflict {
        all.extend([
            (Seeks::Either, words.and("official statement")),
            (Seeks::Either, words.and("correction clarification")),
        ]);
    }
    let (seeks, kind) = match gap.side {
        ClaimSide::Support => (Seeks::Support, "confirmed announced"),
        ClaimSide::Refute => (Seeks::Refutation, "denied correction not"),
    };
    if gap.lacks_tier {
        all.push((seeks, words.and("official report")));
    }
    all.extend([
        (seeks, words.with(&when)),
        (seeks, words.and(kind)),
        (Seeks::Either, words.wide()),
        (seeks, words.names()),
    ]);
    // The last ones only fill a round in which those above were all sent before.
    all.extend([
        (Seeks::Refutation, words.and("false not")),
        (Seeks::Either, words.without_last()),
    ]);
    fresh(all, &history.queries, queries_max)
}

/// Returns the queries that were not sent yet, each once.
fn fresh(
    all: impl IntoIterator<Item = (Seeks, String)>,
    sent: &[SearchQuery],
    queries_max: usize,
) -> Vec<Query> {
    let mut queries: Vec<Query> = Vec::new();
    for (seeks, text) in all {
        let text = folded(&text);
        // Engines ignore the case of letters, so that such a query is the same one.
        let key = text.to_lowercase();
        let is_sent = sent.iter().any(|sent| sent.text.to_lowercase() == key)
            || queries.iter().any(|query| query.text.to_lowercase() == key);
        if !text.is_empty() && !is_sent && queries.len() < queries_max {
            queries.push(Query { text, seeks });
        }
    }
    queries
}

/// Puts a query on one line, without operators of search engines, and truncates it.
fn folded(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|letter| {
            if letter.is_control() || "\"()[]{}<>|*~^\\".contains(letter) {
                ' '
            } else {
                letter
            }
        })
        .collect();
    let words = plain
        .split_whitespace()
        // Before a word, engines read `-` as "without" and `+` as "with".
        .map(|word| word.trim_start_matches(['-', '+']))
        .filter(|word| !word.is_empty());
    let joined = words.collect::<Vec<_>>().join(" ");
    joined
        .chars()
        .take(QUERY_LETTERS_MAX)
        .collect::<String>()
        .trim_end_matches(['.', ',', ';', ':', '!', ' '])
        .to_owned()
}

/// The words of a claim, from which queries are made.
struct QueryWords {
    all: Vec<Term>,
    context: String,
    when: String,
}

impl QueryWords {
    fn of(task: &SearchTask) -> Self {
        let all = terms(&task.claim);
        let of_claim = |term: &Term| {
            all.iter()
                .any(|known| known.word.eq_ignore_ascii_case(&term.word))
        };
        let context: Vec<String> = terms(task.context.as_deref().unwrap_or_default())
            .into_iter()
            // The query has the words of the claim already.
            .filter(|term| !of_claim(term))
            .map(|term| term.word)
            .take(CONTEXT_WORDS_MAX)
            .collect();
        Self {
            context: context.join(" "),
            when: task.timeframe.as_ref().map(named).unwrap_or_default(),
            all,
        }
    }

    fn plain(&self) -> String {
        join(self.all.iter())
    }

    fn and(&self, more: &str) -> String {
        format!("{} {more}", self.plain())
    }

    /// Adds more words, or returns an empty text without any.
    fn with(&self, more: &str) -> String {
        if more.is_empty() {
            String::new()
        } else {
            self.and(more)
        }
    }

    /// Returns the words of a source that says the opposite: another number, the opposite word, or
    /// a denial.
    fn against(&self) -> String {
        let turned = |term: &Term| {
            term.opposite
                .map_or_else(|| term.word.clone(), str::to_owned)
        };
        let rest: Vec<String> = self
            .all
            .iter()
            // Without the number, a page with another number is found as well.
            .filter(|term| !term.is_number)
            .map(turned)
            .collect();
        let is_other = self
            .all
            .iter()
            .any(|term| term.is_number || term.opposite.is_some());
        match is_other && rest.len() >= 2 {
            true => rest.join(" "),
            false => format!("{} not false", self.plain()),
        }
    }

    /// Returns the names and numbers alone.
    fn names(&self) -> String {
        join(
            self.all
                .iter()
                .filter(|term| term.is_name || term.is_number),
        )
    }

    /// Returns the longest words, which are the most specific.
    fn wide(&self) -> String {
        let mut longest: Vec<(usize, &Term)> = self
            .all
            .iter()
            .enumerate()
            .filter(|(_, term)| !term.is_number)
            .collect();
        longest.sort_by_key(|(at, term)| (std::cmp::Reverse(term.word.len()), *at));
        longest.truncate(WIDE_WORDS_MAX);
        // In the order of the claim, so that a name of several words stays one.
        longest.sort_by_key(|(at, _)| *at);
        join(longest.into_iter().map(|(_, term)| term))
    }

    fn without_last(&self) -> String {
        join(self.all.iter().take(self.all.len().saturating_sub(1)))
    }
}

fn join<'t>(terms: impl Iterator<Item = &'t Term>) -> String {
    terms
        .map(|term| term.word.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Writes a time in words that pages contain: month and year of its end, else of its start.
fn named(time: &Timeframe) -> String {
    let moment: Option<Timestamp> = time.end.or(time.start);
    moment
        .map(|moment| moment.strftime("%B %Y").to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
