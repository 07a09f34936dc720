//! An answer in sentences from an untrusted writer. Takes the finished investigation and a writer,
//! and returns the sentences that keep to the citations of the investigation. It runs after the
//! gate on a shared reference, so it cannot change an outcome, a confidence or a citation. If no
//! sentence is kept, only the plain answer remains.

use std::fmt::Debug;

use crate::answer::AnswerCitation;
use crate::investigate::Investigation;

/// Citations that a writer is given.
const CITATIONS_MAX: usize = 12;
/// Letters of one citation that a writer is given.
const EXCERPT_LETTERS_MAX: usize = 1_200;
/// Sentences that are kept.
const SENTENCES_MAX: usize = 12;
/// Letters of one sentence.
const SENTENCE_LETTERS_MAX: usize = 400;

/// Who writes sentences from citations: a language model, or a script in tests.
pub trait ProseWriter: Debug {
    /// Sentences about the question, each with the numbers of the excerpts that it rests on.
    ///
    /// # Errors
    /// Returns the reason in plain words if there are no sentences.
    fn write(&self, question: &str, excerpts: &[ProseExcerpt]) -> Result<Vec<Proposed>, String>;
}

/// What a writer writes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProseExcerpt {
    /// Its number, counted from 1.
    pub number: usize,
    /// Where it stands.
    pub place: String,
    /// Its text: data, whatever it says.
    pub text: String,
}

/// A sentence as a writer gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposed {
    /// The sentence.
    pub text: String,
    /// The numbers of the excerpts that it rests on.
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

/// What became of an answer in sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prose {
    /// The sentences that were kept.
    pub sentences: Vec<CitedSentence>,
    /// Sentences that were dropped, since they do not keep to their citations.
    pub dropped: usize,
    /// The reason why there are no sentences, if the writer failed.
    pub error: Option<String>,
    /// What there is to tell of the writing: what was masked, what it used.
    pub notes: Vec<String>,
}

/// Lets a writer put an answer into sentences; nothing where there is no answer.
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

/// The sentences that cite excerpts which exist, and name nothing that does not stand there.
pub fn keep(proposed: Vec<Proposed>, excerpts: &[ProseExcerpt]) -> Prose {
    let all = proposed.len();
    let kept = proposed
        .into_iter()
        .filter(|sentence| is_kept(sentence, excerpts))
        .take(SENTENCES_MAX);
    let sentences: Vec<CitedSentence> = kept.map(sentence).collect();
    Prose {
        dropped: all - sentences.len(),
        sentences,
        ..Prose::default()
    }
}

fn sentence(proposed: Proposed) -> CitedSentence {
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
    let ground: String = cited
        .iter()
        .map(|excerpt| format!("{}\n{}\n", excerpt.place, excerpt.text))
        .collect();
    is_sized && !asks(&sentence.text) && names(&sentence.text).all(|name| stands_in(name, &ground))
}

/// Whether a sentence asks: a small model likes to say the question again, and that states nothing.
fn asks(text: &str) -> bool {
    text.trim_end_matches(|letter: char| letter.is_whitespace() || "\"'`)”’".contains(letter))
        .ends_with(['?', '？'])
}

/// Whether a text contains a name as a whole word.
fn stands_in(name: &str, ground: &str) -> bool {
    let is_part = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    };
    ground.match_indices(name).any(|(at, _)| {
        !is_part(ground[..at].chars().next_back())
            && !is_part(ground[at + name.len()..].chars().next())
    })
}

/// What a sentence claims by name: words that are written as code is, numbers, paths, and what stands between backticks.
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
