//! The second search before a refusal: names that are similar to the requested one, and places with
//! most of its words close together.
//!
//! Both are leads. A near miss is never evidence; it is shown separately, as "did you mean".

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::time::{Duration, Instant};

use grounds_evidence::{FileRole, QuestionTarget, TargetKind, name};

use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::listing::{self, ListedFile};
use crate::needles::{Needle, Needles, OccurrenceForm, PHRASE_WORDS_MAX, STOP_WORDS};
use crate::path::RepoPath;
use crate::role;
use crate::text::{CONTEXT_BYTES, View, Window};

/// Near names that are suggested for one target.
pub const SUGGESTIONS_MAX: usize = 5;
/// Places that are shown for one target.
pub const LEADS_MAX: usize = 8;
/// Bytes of a name that are compared; longer names are skipped.
const NAME_BYTES_MAX: usize = 128;
/// Lines within which words count as together.
const TOGETHER_LINES: u32 = 3;
/// Names that one thread keeps.
const NAMES_KEPT_MAX: usize = 10_000;
/// Names that a thread remembers as not close.
const OTHERS_KEPT_MAX: usize = 10_000;
/// Letters from which on a name may have two edits.
const TWO_EDITS_LETTERS: usize = 9;

/// How a name is close to the requested one, closest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Closeness {
    /// So many single-letter edits away.
    Edits(usize),
    /// It lacks so many of the words.
    WordsMissing(usize),
}

/// A name that exists and is close to the requested one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The name.
    pub name: String,
    /// How it is close.
    pub closeness: Closeness,
    /// How often it was seen.
    pub count: u64,
    /// A file that contains it: the first in the order of role and path.
    pub path: RepoPath,
    /// The line in that file.
    pub line: u32,
}

/// A place with several words of the target close together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Together {
    /// The file.
    pub path: RepoPath,
    /// The last line of the place.
    pub line: u32,
    /// How many of the words are together there.
    pub words: usize,
    /// How many of the words the name of the file contains.
    pub named: usize,
    /// How many words the target has.
    pub of: usize,
}

/// What the second search found for one target.
#[derive(Clone, Debug, Default)]
pub struct Near {
    /// Close names, closest first.
    pub suggestions: Vec<Suggestion>,
    /// Places, best first.
    pub together: Vec<Together>,
}

type NearNames = HashMap<String, KnownNames>;

#[derive(Clone, Debug)]
struct KnownNames {
    closeness: Closeness,
    count: u64,
    at: (FileRole, RepoPath, u32),
}

/// Searches the visible tree for what is near a target.
pub fn look(checkout: &Checkout, target: &QuestionTarget, limits: &Limits) -> Near {
    let wanted = WantedName::of(target);
    let needles = wanted.needles();
    if needles.all().is_empty() {
        return Near::default();
    }
    let deadline = Instant::now() + Duration::from_millis(limits.pass_ms_max);
    let begin = || (Finder::new(&wanted, &needles), Window::over_listed());
    let see = |(finder, window): &mut (Finder<'_>, Window), entry: &ListedFile| {
        if entry.is_file() {
            finder.look_into(checkout.root(), &entry.path, window, limits);
        }
        match Instant::now() > deadline {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let found = listing::of(checkout, limits).each(limits, begin, see);
    merge(found.into_iter().map(|(finder, _)| finder).collect())
}

/// What is searched.
struct WantedName {
    name: Option<String>,
    words: Vec<String>,
    edits_max: usize,
}

impl WantedName {
    fn of(target: &QuestionTarget) -> Self {
        let mut words = name::words(target.needle());
        words.retain(|word| !STOP_WORDS.contains(&word.as_str()) && word.chars().count() > 1);
        words.sort_unstable();
        words.dedup();
        words.truncate(PHRASE_WORDS_MAX);
        let name = matches!(target.kind, TargetKind::Identifier | TargetKind::SymbolPath)
            .then(|| target.needle().to_owned());
        let letters = name.as_ref().map_or(0, |name| name.chars().count());
        Self {
            name,
            words,
            // A few edits turn a short name into many names that have nothing to do with it.
            edits_max: if letters >= TWO_EDITS_LETTERS {
                2
            } else {
                usize::from(letters >= 4)
            },
        }
    }

    /// Returns the words, and pieces of the name of which at least one is unchanged in any name so
    /// few edits away.
    fn needles(&self) -> Needles {
        let words = self.words.iter().enumerate().flat_map(|(index, word)| {
            let form = OccurrenceForm::Word(u8::try_from(index).unwrap_or(u8::MAX));
            [word.clone(), name::capitalised(word), word.to_uppercase()]
                .into_iter()
                .map(move |text| Needle {
                    text,
                    target: 0,
                    form,
                })
        });
        let pieces = self.pieces().into_iter().map(|text| Needle {
            text,
            target: 1,
            form: OccurrenceForm::Inside,
        });
        Needles::of(words.chain(pieces).collect(), Vec::new())
    }

    fn pieces(&self) -> Vec<String> {
        let letters: Vec<char> = self.name.iter().flat_map(|name| name.chars()).collect();
        if self.edits_max == 0 {
            return Vec::new();
        }
        // Swapped neighbours can change two pieces, so there is one piece more than two for each
        // edit.
        let length = letters.len().div_ceil(2 * self.edits_max + 1).max(2);
        letters
            .chunks(length)
            .filter(|piece| piece.len() >= 2)
            .map(|piece| piece.iter().collect())
            .collect()
    }

    fn closeness(&self, candidate: &str) -> Option<Closeness> {
        let name = self.name.as_deref()?;
        if candidate == name {
            // The name itself was found nowhere as a whole word; as a part of another text it is no
            // suggestion.
            return None;
        }
        let edits = name::edit_distance(name, candidate, self.edits_max).map(Closeness::Edits);
        edits.or_else(|| self.words_missing(candidate))
    }

    /// Returns how many words a name lacks. Half of the words or more, and at least two, make it
    /// worth mentioning.
    fn words_missing(&self, candidate: &str) -> Option<Closeness> {
        let lower = candidate.to_ascii_lowercase();
        let shared = self
            .words
            .iter()
            .filter(|word| lower.contains(word.as_str()))
            .count();
        (shared >= 2
            && shared * 2 >= self.words.len()
            // A much longer name has the words by chance.
            && candidate.len() <= 3 * self.name.as_deref().map_or(0, str::len))
        .then(|| Closeness::WordsMissing(self.words.len() - shared))
    }
}

/// What one thread has found.
struct Finder<'a> {
    wanted: &'a WantedName,
    needles: &'a Needles,
    names: NearNames,
    /// Names that are not close. They are remembered because most occurrences are of a few names.
    others: HashSet<String>,
    together: Vec<(FileRole, Together)>,
}

/// Where the words of the target were last seen in a file.
struct Recent {
    last: Vec<Option<u32>>,
    best: Option<(usize, u32)>,
    at: u64,
    line: u32,
}

impl<'a> Finder<'a> {
    fn new(wanted: &'a WantedName, needles: &'a Needles) -> Self {
        Self {
            wanted,
            needles,
            names: NearNames::new(),
            others: HashSet::new(),
            together: Vec::new(),
        }
    }

    fn look_into(&mut self, root: &Path, file: &Path, window: &mut Window, limits: &Limits) {
        let Some(path) = RepoPath::below(root, file) else {
            return;
        };
        let mut recent = Recent {
            last: vec![None; self.wanted.words.len()],
            best: None,
            at: 0,
            line: 1,
        };
        // The rest of the name around an occurrence must be in the view too.
        let ahead = self.needles.bytes_max() + CONTEXT_BYTES + NAME_BYTES_MAX;
        let role = role::of(&path);
        let searched = window.slide(file, limits.file_bytes_max, ahead, &mut |view| {
            self.look(view, &mut recent, role, &path)
        });
        let named = self.named(file);
        if searched.is_ok() && (recent.best.is_some() || named > 0) {
            // If only the name of the file has the words, the lead is its first line.
            let (words, line) = recent.best.unwrap_or((0, 1));
            self.keep_together(
                role,
                Together {
                    path,
                    line,
                    words,
                    named,
                    of: self.wanted.words.len(),
                },
            );
        }
    }

    /// Counts words of the target in the name of a file.
    fn named(&self, file: &Path) -> usize {
        let path = file.file_name().map(Path::new);
        let name = path.and_then(RepoPath::relative);
        let name = name
            .map(|path| name::words(path.stem()))
            .unwrap_or_default();
        let words = self.wanted.words.iter();
        words.filter(|word| name.contains(word)).count()
    }

    fn look(&mut self, view: View<'_>, recent: &mut Recent, role: FileRole, path: &RepoPath) {
        let mut next = self.needles.find(view.text, view.from);
        while let Some(occurrence) = next.filter(|occurrence| occurrence.start < view.upto) {
            let word = match self.needles.get(occurrence.needle).form {
                OccurrenceForm::Word(index) => Some(usize::from(index)),
                OccurrenceForm::Asked
                | OccurrenceForm::Convention
                | OccurrenceForm::Phrase
                | OccurrenceForm::Inside
                | OccurrenceForm::Piece(_) => None,
            };
            recent.see(view, occurrence.start, word);
            let name = name_around(view.text, occurrence.start..occurrence.end);
            let end = name.end;
            if self.wanted.name.is_some() && name.len() <= NAME_BYTES_MAX {
                self.see_name(&view.text[name], (role, path, recent.line));
            }
            // After a piece the rest of the name is seen already; a word may be followed by another
            // in the same name.
            next = self.needles.find(
                view.text,
                if word.is_some() {
                    occurrence.start + 1
                } else {
                    end.max(occurrence.start + 1)
                },
            );
        }
        // The next view drops these bytes, so the lines in them are counted now.
        recent.pass(view);
    }

    fn see_name(&mut self, name: &[u8], (role, path, line): (FileRole, &RepoPath, u32)) {
        let Ok(name) = std::str::from_utf8(name) else {
            return;
        };
        if let Some(known) = self.names.get_mut(name) {
            known.count += 1;
            // Of several places the first is shown, whichever thread saw it.
            if (role, path, line) < (known.at.0, &known.at.1, known.at.2) {
                known.at = (role, path.clone(), line);
            }
            return;
        }
        if self.others.contains(name) {
            return;
        }
        match self.wanted.closeness(name) {
            Some(closeness) if self.names.len() < NAMES_KEPT_MAX => {
                let known = KnownNames {
                    closeness,
                    count: 1,
                    at: (role, path.clone(), line),
                };
                self.names.insert(name.to_owned(), known);
            }
            Some(_) => {}
            None if self.others.len() < OTHERS_KEPT_MAX => {
                self.others.insert(name.to_owned());
            }
            None => {}
        }
    }

    fn keep_together(&mut self, role: FileRole, place: Together) {
        // One word alone is there by chance, unless the name of the file has half of the words.
        if place.words < 2 && 2 * place.named < place.of {
            return;
        }
        self.together.push((role, place));
        self.together
            .sort_by(|one, other| together_key(one).cmp(&together_key(other)));
        self.together.truncate(LEADS_MAX);
    }
}

impl Recent {
    fn see(&mut self, view: View<'_>, offset: usize, word: Option<usize>) {
        let from = usize::try_from(self.at.saturating_sub(view.base))
            .unwrap_or(offset)
            .min(offset);
        self.line += u32::try_from(memchr::memchr_iter(b'\n', &view.text[from..offset]).count())
            .unwrap_or(0);
        self.at = view.base + offset as u64;
        let Some(word) = word else { return };
        self.last[word] = Some(self.line);
        let words = self
            .last
            .iter()
            .flatten()
            .filter(|&&line| line + TOGETHER_LINES > self.line)
            .count();
        if self.best.is_none_or(|(best, _)| words > best) {
            self.best = Some((words, self.line));
        }
    }

    fn pass(&mut self, view: View<'_>) {
        self.see(view, view.upto.min(view.text.len()), None);
    }
}

/// Returns the whole name that some bytes are a part of.
fn name_around(text: &[u8], part: Range<usize>) -> Range<usize> {
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let before = text[..part.start]
        .iter()
        .rev()
        .take(NAME_BYTES_MAX)
        .take_while(is_name)
        .count();
    let after = text[part.end..]
        .iter()
        .take(NAME_BYTES_MAX)
        .take_while(is_name)
        .count();
    part.start - before..part.end + after
}

/// Orders places by most words first, those in the file's name included.
fn together_key(
    (role, place): &(FileRole, Together),
) -> (std::cmp::Reverse<usize>, FileRole, &RepoPath) {
    (
        std::cmp::Reverse(place.words.max(1) + place.named),
        *role,
        &place.path,
    )
}

fn merge(finders: Vec<Finder<'_>>) -> Near {
    let mut names: BTreeMap<String, KnownNames> = BTreeMap::new();
    let mut together = Vec::new();
    for finder in finders {
        together.extend(finder.together);
        let mut found: Vec<(String, KnownNames)> = finder.names.into_iter().collect();
        found.sort_by(|one, other| one.0.cmp(&other.0));
        for (name, seen) in found {
            let known = names.entry(name).or_insert_with(|| KnownNames {
                count: 0,
                ..seen.clone()
            });
            known.count += seen.count;
            known.at = known.at.clone().min(seen.at);
        }
    }
    together.sort_by(|one, other| together_key(one).cmp(&together_key(other)));
    together.truncate(LEADS_MAX);
    // The map is in the order of the names and the sort is stable, so that ties come out alike in
    // every run.
    let mut suggestions: Vec<(String, KnownNames)> = names.into_iter().collect();
    suggestions.sort_by_key(|(_, known)| (known.closeness, std::cmp::Reverse(known.count)));
    suggestions.truncate(SUGGESTIONS_MAX);
    let suggestion = |(name, known): (String, KnownNames)| Suggestion {
        name,
        closeness: known.closeness,
        count: known.count,
        path: known.at.1,
        line: known.at.2,
    };
    Near {
        suggestions: suggestions.into_iter().map(suggestion).collect(),
        together: together.into_iter().map(|(_, place)| place).collect(),
    }
}
