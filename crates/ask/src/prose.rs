//! An answer in sentences from an untrusted writer. Takes the finished investigation and a writer,
//! and returns the sentences that keep to the citations of the investigation. It runs after the
//! gate on a shared reference, so it cannot change an outcome, a confidence or a citation. If no
//! sentence is kept, only the plain answer remains.

use std::fmt::Debug;

use crate::answer::AnswerCitation;
use crate::investigate::Investigation;

/// Limit on the citations for a writer.
const CITATIONS_MAX: usize = 12;
/// Limit on the letters of one citation for a writer.
const EXCERPT_LETTERS_MAX: usize = 1_200;
/// Limit on the sentences that are kept.
const SENTENCES_MAX: usize = 12;
/// Limit on the letters of one sentence.
const SENTENCE_LETTERS_MAX: usize = 400;

/// Writes sentences from citations: a language model, or a script in tests.
pub trait ProseWriter: Debug {
    /// Returns sentences about the question, each with the numbers of the excerpts that support it.
    ///
    /// # Errors
    /// Returns the reason in plain words if there are no sentences.
    fn write(&self, question: &str, excerpts: &[ProseExcerpt]) -> Result<Vec<Proposed>, String>;
}

/// An excerpt that a writer may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProseExcerpt {
    /// Its number, counted from 1.
    pub number: usize,
    /// Its place.
    pub place: String,
    /// Its text: data, whatever it says.
    pub text: String,
}

/// A sentence as a writer gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// The sentence.
    pub text: String,
    /// The numbers of the excerpts that support it.
    pub excerpts: Vec<usize>,
}

/// A sentence that keeps to its citations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitedSentence {
    /// The sentence.
    pub text: String,
    /// Indices into the citations of the answer.
    pub citations: Vec<usize>,
}

/// The sentences of a writer that were kept, and what happened to the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prose {
    /// The sentences that were kept.
    pub sentences: Vec<CitedSentence>,
    /// Sentences that were dropped, since they do not keep to their citations.
    pub dropped: usize,
    /// The reason why there are no sentences, if the writer failed.
    pub error: Option<String>,
    /// Notes about the writing: what was masked, and what it used.
    pub notes: Vec<String>,
}

/// Lets a writer put an answer into sentences; returns an empty result if there is no answer.
pub fn write(writer: &dyn ProseWriter, investigation: &Investigation) -> Prose {
    let Some(answer) = &investigation.answer else {
        return Prose::default();
    };
    let excerpts: Vec<ProseExcerpt> = answer
        .citations()
        .take(CITATIONS_MAX)
        .enumerate()
        .map(excerpt)
        .collect();
    match writer.write(&investigation.question.text, &excerpts) {
        Ok(proposed) => keep(proposed, &excerpts),
        Err(error) => Prose {
            error: Some(error),
            ..Prose::default()
        },
    }
}

fn excerpt((at, citation): (usize, &AnswerCitation)) -> ProseExcerpt {
    let text = citation
        .excerpt()
        .map_or("", |excerpt| excerpt.text.as_str());
    let place = format!(
        "{}:{} {}",
        citation.path,
        citation.line_start(),
        citation.what
    );
    ProseExcerpt {
        number: at + 1,
        place,
        text: text.chars().take(EXCERPT_LETTERS_MAX).collect(),
    }
}

/// Keeps the sentences that cite existing excerpts, and whose names all occur in these excerpts.
pub fn keep(proposed: Vec<Proposed>, excerpts: &[ProseExcerpt]) -> Prose {
    let all = proposed.len();
    let kept = proposed
        .into_iter()
        .filter(|sentence| is_kept(sentence, excerpts))
        .take(SENTENCES_MAX);
    let sentences: Vec<CitedSentence> = kept.map(sentence).collect();
    Prose {
        // Sentences past the limit count as dropped too.
        dropped: all - sentences.len(),
        sentences,
        ..Prose::default()
    }
}

fn sentence(proposed: Proposed) -> CitedSentence {
    // A kept sentence only cites excerpts that exist, and their numbers begin at 1.
    let mut citations: Vec<usize> = proposed.excerpts.iter().map(|number| number - 1).collect();
    citations.sort_unstable();
    citations.dedup();
    CitedSentence {
        text: proposed
            .text
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" "),
        citations,
    }
}

fn is_kept(sentence: &Proposed, excerpts: &[ProseExcerpt]) -> bool {
    // One excerpt that does not exist drops the whole sentence, since the writer is not trusted.
    let cited: Option<Vec<&ProseExcerpt>> = sentence
        .excerpts
        .iter()
        .map(|number| excerpts.iter().find(|excerpt| excerpt.number == *number))
        .collect();
    let Some(cited) = cited.filter(|cited| !cited.is_empty()) else {
        return false;
    };
    let is_sized =
        !sentence.text.trim().is_empty() && sentence.text.chars().count() <= SENTENCE_LETTERS_MAX;
    // A name may also come from the place of an excerpt, such as the path of its file.
    let ground: String = cited
        .iter()
        .map(|excerpt| format!("{}\n{}\n", excerpt.place, excerpt.text))
        .collect();
    is_sized && !asks(&sentence.text) && names(&sentence.text).all(|name| stands_in(name, &ground))
}

/// Reports whether a sentence asks: a small model often repeats the question, which states nothing.
fn asks(text: &str) -> bool {
    text.trim_end_matches(|letter: char| letter.is_whitespace() || "\"'`)”’".contains(letter))
        .ends_with(['?', '？'])
}

/// Reports whether a text contains a name as a whole word.
fn stands_in(name: &str, ground: &str) -> bool {
    let is_part = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    };
    ground.match_indices(name).any(|(at, _)| {
        !is_part(ground[..at].chars().next_back())
            && !is_part(ground[at + name.len()..].chars().next())
    })
}

/// Returns the names in a sentence: words that are written like code, numbers, paths, and text
/// between backticks.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let quoted = text
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let is_edge = |letter: char| !letter.is_alphanumeric() && letter != '_';
    let words = text
        .split(|letter: char| letter.is_whitespace() || "`,;\"'()[]{}<>".contains(letter))
        .map(move |word| word.trim_matches(is_edge));
    quoted.chain(words.filter(|word| looks_like_code(word)))
}

fn looks_like_code(word: &str) -> bool {
    let has_hump = word
        .chars()
        .zip(word.chars().skip(1))
        .any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    let is_joined = ["_", "::", "->", "/"]
        .iter()
        .any(|mark| word.contains(mark));
    let has_inner_dot = word.split('.').filter(|part| !part.is_empty()).count() > 1;
    word.chars().any(char::is_alphanumeric)
        && (has_hump
            || is_joined
            || has_inner_dot
            || word.chars().any(|letter| letter.is_ascii_digit()))
}

#[cfg(test)]
mod tests;
