//! Ranks the documents that a query finds. Takes an index of one or more segments, from which
//! documents may be deleted, and returns what an index of the rest made anew would: words are
//! counted in the remaining documents, sums do not depend on the order of their parts, and of equal
//! documents the first by path comes first. It never reads the files.

use std::collections::{HashMap, HashSet};

use tantivy::collector::{Collector as _, TopDocs};
use tantivy::query::{
    Bm25StatisticsProvider, BooleanWeight, BoostQuery, EnableScoring, Occur, PhraseQuery, Query,
    ScoreCombiner, Scorer, TermQuery, Weight,
};
use tantivy::schema::{Field, IndexRecordOption, Value as _};
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{
    DocAddress, DocId, DocSet as _, Score, Searcher, SegmentReader, TERMINATED, TantivyDocument,
    Term,
};

use super::Hands;
use super::document::{self, Document};
use super::entries::{Fields, NUMBER, told};
use super::words;
use crate::search::SearchResult;

/// Maximum number of words of a query.
const QUERY_WORDS_MAX: usize = 64;
/// Maximum number of results of one query.
const RESULTS_MAX: usize = 1000;
/// Weight of a word in the title, relative to one in the text.
const TITLE_BOOST: f32 = 1.0;
/// Weight of two words that are written as one, as in `work_mem`: the name of a thing is rarely
/// written by chance.
const NAME_BOOST: f32 = 4.0;
/// Weight of two words that follow each other as in the query.
const PAIR_BOOST: f32 = 1.0;
/// Number of passages that are ranked for each wanted document, since several may be of one.
const PASSAGES_A_RESULT: usize = 8;
/// Factor by which more passages are ranked if those at the end of the list are equal.
const MORE_EQUALS: usize = 8;

/// An index for queries.
pub(super) struct Ranking {
    searcher: Searcher,
    fields: Fields,
    order: Order,
    /// The deleted documents of each segment, in ascending order.
    deleted: Vec<Vec<DocId>>,
    /// The place in the list of documents of each document's number.
    places: HashMap<u32, u32>,
    passages: u64,
    title_words: u64,
    text_words: u64,
}

/// The order of the passages in their segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// In that of their paths: the index was made in one go.
    Paths,
    /// In any.
    Any,
}

/// Orders passages in turns: the best one of each folder right below the corpus, then the second of
/// each. Within a turn the better one stays first.
fn each_hand_first(documents: &[Document], best: Vec<Passage>) -> Vec<Passage> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let turn = |passage: Passage| {
        let path = documents.get(passage.place).map_or("", |one| &one.path);
        let folder = path.split_once('/').map_or("", |(folder, _)| folder);
        let count = counts.entry(folder).or_default();
        *count += 1;
        (*count, passage)
    };
    let mut in_turn: Vec<(usize, Passage)> = best.into_iter().map(turn).collect();
    // A stable sort keeps the better passage first within a turn.
    in_turn.sort_by_key(|(turn, _)| *turn);
    in_turn.into_iter().map(|(_, passage)| passage).collect()
}

impl Ranking {
    /// Creates the ranking of these documents. Index and list must have the same number of
    /// passages.
    pub(super) fn new(
        searcher: Searcher,
        fields: Fields,
        documents: &[Document],
        order: Order,
    ) -> Result<Self, String> {
        let sum = |of: fn(&Document) -> u64| documents.iter().map(of).sum::<u64>();
        let passages = sum(|document| u64::from(document.passages));
        // With the list of another index, passages would be shown as those of other documents.
        if searcher.num_docs() != passages {
            return Err("its list of documents is not that of its index".to_owned());
        }
        let places = (0..).zip(documents);
        Ok(Self {
            deleted: searcher.segment_readers().iter().map(deleted).collect(),
            places: places
                .map(|(place, document)| (document.number, place))
                .collect(),
            passages,
            title_words: sum(|document| document.title_words),
            text_words: sum(|document| document.text_words),
            searcher,
            fields,
            order,
        })
    }

    /// Returns the documents for a query by their best passages; of equal ones the first by path.
    /// If there is no room for all that have one of the best passages, the best of each hand goes
    /// before the second of any: many files of one hand say no more than one, and would hide
    /// another hand.
    pub(super) fn find(
        &self,
        documents: &[Document],
        query: &str,
        results_max: usize,
        hands: Hands,
    ) -> Result<Vec<SearchResult>, String> {
        let words = words_of(query);
        if words.is_empty() || results_max == 0 {
            return Ok(Vec::new());
        }
        let results_max = results_max.min(RESULTS_MAX);
        let best = self.best(&words, results_max * PASSAGES_A_RESULT)?;
        let mut seen = HashSet::new();
        let mut best: Vec<Passage> = best
            .into_iter()
            // The passages are sorted, so that the first one of a document is its best.
            .filter(|passage| seen.insert(passage.place))
            .collect();
        if hands == Hands::EachFolder && best.len() > results_max {
            best = each_hand_first(documents, best);
        }
        best.into_iter()
            .take(results_max)
            .filter_map(|passage| Some((documents.get(passage.place)?, passage)))
            .map(|(document, passage)| self.result(document, passage.address))
            .collect()
    }

    fn result(&self, document: &Document, address: DocAddress) -> Result<SearchResult, String> {
        let stored: TantivyDocument = self.searcher.doc(address).map_err(told)?;
        let text = |field: Field| stored.get_first(field).and_then(|value| value.as_str());
        Ok(document::as_result(
            &document.path,
            text(self.fields.name),
            text(self.fields.snippet).unwrap_or_default(),
        ))
    }

    /// Returns the best passages.
    fn best(&self, words: &[QueryWord], passages_max: usize) -> Result<Vec<Passage>, String> {
        let scoring = EnableScoring::enabled_from_statistics_provider(self, &self.searcher);
        let weights = self
            .parts(words)
            .into_iter()
            .map(|part| Ok((Occur::Should, part.weight(scoring).map_err(told)?)))
            .collect::<Result<Vec<_>, String>>()?;
        let exact = Box::new(ExactSum::default);
        let weight = BooleanWeight::with_minimum_number_should_match(weights, 1, true, exact);
        let mut best = Vec::new();
        for (segment, reader) in self.searcher.segment_readers().iter().enumerate() {
            best.extend(self.best_of(&weight, segment, reader, passages_max)?);
        }
        best.sort_by(|one, other| {
            let by_score = other.score.total_cmp(&one.score);
            // The list of documents is in the order of their paths, and so are their places.
            by_score.then_with(|| one.place.cmp(&other.place))
        });
        best.truncate(passages_max);
        Ok(best)
    }

    /// Returns the best passages of a segment, with all that equal the last one, unless the
    /// collector itself takes the first by path.
    fn best_of(
        &self,
        weight: &dyn Weight,
        segment: usize,
        reader: &SegmentReader,
        passages_max: usize,
    ) -> Result<Vec<Passage>, String> {
        let number = u32::try_from(segment).map_err(|error| error.to_string())?;
        let mut asked = passages_max;
        let found = loop {
            let top = TopDocs::with_limit(asked).order_by_score();
            let found = top.collect_segment(weight, number, reader).map_err(told)?;
            // The collector returns those of one segment in no order.
            let found = top.merge_fruits(vec![found]).map_err(told)?;
            // Complete if no passage outside of the list can equal the last one that is wanted.
            let is_whole = self.order == Order::Paths
                || found.len() < asked
                || (asked > passages_max && found[passages_max - 1].0 > found[asked - 1].0);
            if is_whole {
                break found;
            }
            asked = asked.saturating_mul(MORE_EQUALS);
        };
        let numbers = reader.fast_fields().u64(NUMBER).map_err(told)?;
        found
            .into_iter()
            .map(|(score, address)| {
                let place = numbers
                    .first(address.doc_id)
                    .and_then(|number| self.places.get(&u32::try_from(number).ok()?))
                    .ok_or_else(|| "its list of documents is not that of its index".to_owned())?;
                Ok(Passage {
                    score,
                    place: *place as usize,
                    address,
                })
            })
            .collect()
    }

    /// Returns the parts of a query: any of the words, in the title or in the text, and each two
    /// words that follow each other.
    fn parts(&self, words: &[QueryWord]) -> Vec<Box<dyn Query>> {
        let mut parts: Vec<Box<dyn Query>> = Vec::new();
        // A word that a query repeats must not weigh twice.
        let is_first = |place: usize| {
            words[..place]
                .iter()
                .all(|known| known.text != words[place].text)
        };
        for (place, word) in words
            .iter()
            .enumerate()
            .filter(|(place, _)| is_first(*place))
        {
            parts.push(self.word(self.fields.text, &word.text));
            parts.push(Box::new(BoostQuery::new(
                self.word(self.fields.title, &word.text),
                TITLE_BOOST,
            )));
            if let Some(next) = words.get(place + 1) {
                let pair = [word, next]
                    .map(|word| Term::from_field_text(self.fields.text, &word.text))
                    .to_vec();
                let boost = if word.is_tied { NAME_BOOST } else { PAIR_BOOST };
                let pair = Box::new(PhraseQuery::new(pair));
                parts.push(Box::new(BoostQuery::new(pair, boost)));
            }
        }
        parts
    }

    fn word(&self, field: Field, word: &str) -> Box<dyn Query> {
        Box::new(TermQuery::new(
            Term::from_field_text(field, word),
            IndexRecordOption::WithFreqs,
        ))
    }
}

/// A passage that was found.
struct Passage {
    score: Score,
    /// The place of its document in the list.
    place: usize,
    address: DocAddress,
}

/// The statistics behind the weight of a word, counted in the remaining passages.
impl Bm25StatisticsProvider for Ranking {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        Ok(if field == self.fields.title {
            self.title_words
        } else {
            self.text_words
        })
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(self.passages)
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        let mut count = 0;
        let segments = self.searcher.segment_readers().iter();
        for (reader, deleted) in segments.zip(&self.deleted) {
            let inverted = reader.inverted_index(term.field())?;
            count += u64::from(inverted.doc_freq(term)?);
            if deleted.is_empty() {
                continue;
            }
            // Looks up each deleted passage, of which there are few, instead of each passage with
            // the word.
            let postings = inverted.read_postings(term, IndexRecordOption::Basic)?;
            if let Some(mut postings) = postings {
                for passage in deleted {
                    if postings.doc() < *passage {
                        postings.seek(*passage);
                    }
                    match postings.doc() {
                        TERMINATED => break,
                        found => count -= u64::from(found == *passage),
                    }
                }
            }
        }
        Ok(count)
    }
}

/// Returns the deleted passages of a segment.
fn deleted(reader: &SegmentReader) -> Vec<DocId> {
    let deleted = reader.alive_bitset().map(|alive| {
        (0..reader.max_doc())
            .filter(|passage| alive.is_deleted(*passage))
            .collect()
    });
    deleted.unwrap_or_default()
}

/// A sum that does not depend on the order of its parts. The engine adds them in an order that
/// depends on the other documents of a segment, and single precision would round each time.
#[derive(Clone, Copy, Default)]
struct ExactSum(f64);

impl ScoreCombiner for ExactSum {
    fn update<TScorer: Scorer>(&mut self, scorer: &mut TScorer) {
        self.0 += f64::from(scorer.score());
    }

    fn clear(&mut self) {
        self.0 = 0.0;
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "the engine's scores are of single precision"
    )]
    fn score(&self) -> Score {
        self.0 as Score
    }
}

/// A word of a query.
struct QueryWord {
    text: String,
    /// Whether a single mark joins it to the next: both are one name.
    is_tied: bool,
}

/// Returns the words of a query as the index has them, without the most common ones unless it has
/// no others. A query has no operators: all text of a claim is words.
fn words_of(query: &str) -> Vec<QueryWord> {
    let telling = cut(query, words::query_analyzer());
    // "To be or not to be" consists of common words only.
    if telling.is_empty() {
        return cut(query, words::analyzer());
    }
    telling
}

fn cut(query: &str, mut analyzer: TextAnalyzer) -> Vec<QueryWord> {
    let mut stream = analyzer.token_stream(query);
    let (mut words, mut end): (Vec<QueryWord>, usize) = (Vec::new(), 0);
    while words.len() < QUERY_WORDS_MAX && stream.advance() {
        let token = stream.token();
        if let Some(last) = words.last_mut() {
            // `work_mem` and `sys.path` are names; after a space or two marks another word begins.
            last.is_tied = query
                .get(end..token.offset_from)
                .is_some_and(|between| matches!(between, "_" | "." | "-" | "::" | "/"));
        }
        words.push(QueryWord {
            text: token.text.clone(),
            is_tied: false,
        });
        end = token.offset_to;
    }
    words
}

#[cfg(test)]
mod tests;
