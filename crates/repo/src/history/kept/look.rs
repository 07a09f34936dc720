//! Looks words and paths up in an index, and makes git show each commit that it names.
//!
//! Given words, returns the same as a reader of every patch, because a commit that removed a word
//! has all keys of the word. The newest commits of a word are read until one removed it, and then
//! those that removed a definition until one did.

use std::collections::btree_map::Entry as Place;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use aho_corasick::AhoCorasick;

use super::build::{GIVEN, commit_of, given};
use super::segment::CommitName;
use super::{KeptHistory, NoIndex, terms};
use crate::git::{GitError, Next, StreamEnd};
use crate::history::gone::{GonePath, GoneWord, NameStatusReader, is_path_or_end, removals};
use crate::history::patch;

/// Commits of one word that are read in the first round; each further round reads four times as
/// many.
const FIRST_COMMITS: usize = 1;
/// The same for a word with several keys: not all commits that have these keys have them together.
const FIRST_COMMITS_OF_SEVERAL: usize = 4;

/// One word or path that is searched.
struct Search<T> {
    /// The commits that may have removed it, by their place in the order.
    candidates: Vec<u32>,
    /// Those of them that may have removed its definition.
    defining: Vec<u32>,
    /// What commits removed, as git shows it.
    found: BTreeMap<u32, T>,
    /// Commits that the next round reads.
    batch: usize,
}

/// What was found for each term, and whether all commits were searched.
type TermsFound<T> = (BTreeMap<String, T>, bool);

/// Takes the head of a commit, a record of it, and the position of the commit in the order.
type OnRecord<'f, T> = &'f mut dyn FnMut(&str, &str, u32, &mut [Search<T>]);

impl<T> Search<T> {
    /// Returns the unread commits to read next.
    fn next(&mut self, read: &BTreeSet<u32>, is_last: fn(&T) -> bool) -> Vec<u32> {
        let newest = self.found.keys().next().copied();
        let last = self.found.iter().find(|(_, found)| is_last(found));
        let last = last.map(|(rank, _)| *rank);
        let unread = |ranks: &[u32], before: Option<u32>, max: usize| -> Vec<u32> {
            let ranks = ranks.iter().copied();
            ranks
                .take_while(|rank| before.is_none_or(|before| *rank < before))
                .filter(|rank| !read.contains(rank))
                .take(max)
                .collect()
        };
        let mut next = unread(&self.candidates, newest, self.batch);
        next.extend(unread(&self.defining, last, self.batch));
        self.batch = self.batch.saturating_mul(4);
        next
    }

    /// Drops what was found if a newer commit was to be read before it.
    fn give_up(&mut self, read: &BTreeSet<u32>) {
        let newest = self.found.keys().next();
        let is_before = |rank: &&u32| newest.is_none_or(|newest| *rank < newest);
        let mut before = self.candidates.iter().take_while(is_before);
        if before.any(|rank| !read.contains(rank)) {
            self.found.clear();
        }
    }
}

impl KeptHistory<'_> {
    /// Returns the newest commit that removed each word, with what older ones say of its
    /// definition, and whether all commits were searched. `None` if a word has no key.
    pub(in crate::history) fn gone_words(
        &self,
        words: &[String],
    ) -> Result<Option<TermsFound<GoneWord>>, NoIndex> {
        let (Ok(automaton), Some(mut searches)) = (AhoCorasick::new(words), self.searches(words)?)
        else {
            return Ok(None);
        };
        let arguments = patch::log(&GIVEN, &BTreeSet::new());
        let is_whole = self.look(
            &mut searches,
            |gone| gone.was_defined,
            &arguments,
            &mut |head, record, rank, searches| {
                for (word, gone) in removals(head, record, words, &automaton) {
                    match searches[word].found.entry(rank) {
                        Place::Vacant(place) => {
                            place.insert(gone);
                        }
                        Place::Occupied(mut known) => known.get_mut().add_older(gone),
                    }
                }
            },
        )?;
        // The map begins with the newest commit, so each later value is older.
        let newest = |search: Search<GoneWord>| {
            search.found.into_values().reduce(|mut newest, older| {
                newest.add_older(older);
                newest
            })
        };
        let found = words.iter().zip(searches);
        let found = found.filter_map(|(word, search)| Some((word.clone(), newest(search)?)));
        Ok(Some((found.collect(), is_whole)))
    }

    /// Returns the newest commit that removed or renamed each path, and whether all commits were
    /// searched.
    pub(in crate::history) fn gone_paths(
        &self,
        paths: &[String],
    ) -> Result<(BTreeMap<String, GonePath>, bool), NoIndex> {
        let mut searches = Vec::new();
        for path in paths {
            let ranks = self.having(&[terms::of_asked_path(path)])?;
            searches.push(Search {
                candidates: ranks.into_keys().collect(),
                defining: Vec::new(),
                found: BTreeMap::new(),
                batch: FIRST_COMMITS,
            });
        }
        let mut reader = NameStatusReader::default();
        let arguments = patch::names(&GIVEN, &BTreeSet::new());
        let is_whole = self.look(
            &mut searches,
            |_| true,
            &arguments,
            &mut |_, record, rank, searches| {
                let Some(change) = reader.take(record) else {
                    return;
                };
                for (path, search) in paths.iter().zip(searches) {
                    if is_path_or_end(&change.path, path) {
                        search.found.entry(rank).or_insert_with(|| change.clone());
                    }
                }
            },
        )?;
        let found = paths.iter().zip(searches);
        let found = found.filter_map(|(path, search)| {
            let newest = search.found.into_values().next()?;
            Some((path.clone(), newest))
        });
        Ok((found.collect(), is_whole))
    }

    /// Returns the search of each word; `None` if one has no key.
    fn searches(&self, words: &[String]) -> Result<Option<Vec<Search<GoneWord>>>, NoIndex> {
        let mut searches = Vec::new();
        for word in words {
            let Some(asked) = terms::of_word(word) else {
                return Ok(None);
            };
            let having = self.having(&asked.keys)?;
            // Two names may share a key, so a commit that removed a definition counts only if it
            // has all keys of the word.
            let defining = self.having(&[asked.defined])?.into_iter();
            let defining =
                defining.filter(|(rank, is_defined)| *is_defined && having.contains_key(rank));
            searches.push(Search {
                defining: defining.map(|(rank, _)| rank).collect(),
                candidates: having.into_keys().collect(),
                found: BTreeMap::new(),
                batch: match asked.is_exact {
                    true => FIRST_COMMITS,
                    false => FIRST_COMMITS_OF_SEVERAL,
                },
            });
        }
        Ok(Some(searches))
    }

    /// Returns the commits of this history that have all keys, by their position in the order, and
    /// whether they removed a definition.
    fn having(&self, keys: &[u64]) -> Result<BTreeMap<u32, bool>, NoIndex> {
        let mut having: Option<BTreeMap<u32, bool>> = None;
        for key in keys {
            let mut ranks: BTreeMap<u32, bool> = BTreeMap::new();
            for part in &self.parts {
                for entry in part.segment.find(*key)? {
                    // The index may have commits of other branches, which have no rank in this
                    // history.
                    if let Some(rank) = part.ranks[entry.commit as usize] {
                        *ranks.entry(rank).or_default() |= entry.is_defined;
                    }
                }
            }
            having = Some(match having {
                Some(before) => before
                    .into_iter()
                    .filter(|(rank, _)| ranks.contains_key(rank))
                    .collect(),
                None => ranks,
            });
        }
        Ok(having.unwrap_or_default())
    }

    /// Reads commits in rounds until each search is settled. Returns whether git showed them all.
    fn look<T>(
        &self,
        searches: &mut [Search<T>],
        is_last: fn(&T) -> bool,
        arguments: &[String],
        on_record: OnRecord<'_, T>,
    ) -> Result<bool, GitError> {
        let mut read: BTreeSet<u32> = BTreeSet::new();
        loop {
            let next = searches
                .iter_mut()
                .flat_map(|search| search.next(&read, is_last));
            let next: BTreeSet<u32> = next.collect();
            if next.is_empty() {
                return Ok(self.is_whole);
            }
            let (ended, rank) = self.show(&next, arguments, &mut |head, record, rank| {
                on_record(head, record, rank, searches);
            })?;
            if ended != StreamEnd::Fully {
                // Git was stopped within this commit, so only the ones before it count as read.
                read.extend(next.range(..rank));
                searches.iter_mut().for_each(|search| search.give_up(&read));
                return Ok(false);
            }
            read.extend(next);
        }
    }

    /// Makes git show commits in their order. Returns how that ended, and at which commit.
    fn show(
        &self,
        commits: &BTreeSet<u32>,
        arguments: &[String],
        on_record: &mut dyn FnMut(&str, &str, u32),
    ) -> Result<(StreamEnd, u32), GitError> {
        let named = |rank: &u32| self.order[*rank as usize];
        let names: Vec<CommitName> = commits.iter().map(named).collect();
        let ranks: HashMap<&CommitName, u32> = names.iter().zip(commits.iter().copied()).collect();
        let (mut head, mut rank) = (String::new(), None);
        let input = given(self.repository, &names);
        let deadline = self.repository.deadline();
        let mut take = |record: &str| {
            // Further records of a commit have no head of their own, so the last head is kept for
            // them.
            if let Some(commit) = commit_of(record) {
                rank = ranks.get(&commit).copied();
                head = record.trim_start_matches(['\n', '\u{1}']).to_owned();
            }
            if let Some(rank) = rank {
                on_record(&head, record, rank);
            }
            Next::GoOn
        };
        let ended = self
            .repository
            .stream_given(arguments, input, deadline, &mut take)?;
        Ok((ended, rank.unwrap_or(0)))
    }
}
