//! Cuts texts and queries into words: letters and digits together; a number with its point and
//! without the commas between its thousands; in scripts without spaces each pair of letters. Both
//! are cut in the same way, so that the words of a person match those of a document.

use tantivy::tokenizer::{
    AsciiFoldingFilter, Language, LowerCaser, RemoveLongFilter, Stemmer, StopWordFilter,
    TextAnalyzer, Token, TokenStream, Tokenizer,
};

/// The name of this tokenizer in the index.
pub(super) const NAME: &str = "grounds_words";
/// Maximum number of bytes of a word; longer ones are data.
const WORD_BYTES_MAX: usize = 60;

/// Returns the tokenizer with the filters that each word passes.
pub(super) fn analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(WordCut)
        .filter(RemoveLongFilter::limit(WORD_BYTES_MAX))
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .filter(Stemmer::new(Language::English))
        .build()
}

/// Returns the same for a query, without the words that every text has: "of" and "the" would weigh
/// more than all that is left of a short claim.
pub(super) fn query_analyzer() -> TextAnalyzer {
    let Some(common) = StopWordFilter::new(Language::English) else {
        return analyzer();
    };
    TextAnalyzer::builder(WordCut)
        .filter(RemoveLongFilter::limit(WORD_BYTES_MAX))
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .filter(common)
        .filter(Stemmer::new(Language::English))
        .build()
}

/// Counts the words of a text that an index contains. The engine knows the number only for a whole
/// segment, with its deleted documents.
pub(super) fn count(text: &str) -> u64 {
    let mut count = 0;
    each_run(text, |_, run| {
        count += match pairs_count(run) {
            // A word loses its commas before its length counts.
            0 => u64::from(run.len() - run.matches(',').count() < WORD_BYTES_MAX),
            pairs_count => pairs_count,
        };
    });
    count
}

/// The tokenizer.
#[derive(Clone, Copy, Debug, Default)]
struct WordCut;

/// The words of one text.
struct Stream {
    words: std::vec::IntoIter<(usize, usize, String)>,
    token: Token,
}

impl Tokenizer for WordCut {
    type TokenStream<'t> = Stream;

    fn token_stream<'t>(&'t mut self, text: &'t str) -> Stream {
        Stream {
            words: cut(text).into_iter(),
            token: Token {
                // The first word wraps it around to 0.
                position: usize::MAX,
                ..Token::default()
            },
        }
    }
}

impl TokenStream for Stream {
    fn advance(&mut self) -> bool {
        let Some((start, end, text)) = self.words.next() else {
            return false;
        };
        let position = self.token.position.wrapping_add(1);
        self.token = Token {
            offset_from: start,
            offset_to: end,
            position,
            text,
            position_length: 1,
        };
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

/// Returns the words of a text with their places.
fn cut(text: &str) -> Vec<(usize, usize, String)> {
    let mut words = Vec::new();
    each_run(text, |from, run| push(run, from, &mut words));
    words
}

/// Calls a function for each run of letters and digits that belong together, with its place.
fn each_run(text: &str, mut call: impl FnMut(usize, &str)) {
    let mut start = None;
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    for (place, &(at, letter)) in letters.iter().enumerate() {
        match start {
            None if letter.is_alphanumeric() => start = Some(at),
            Some(from) if !continues(&letters, place) => {
                call(from, &text[from..at]);
                start = letter.is_alphanumeric().then_some(at);
            }
            None | Some(_) => {}
        }
    }
    if let Some(from) = start {
        call(from, &text[from..]);
    }
}

/// Reports whether a letter belongs to the word before it. A point or a comma does only between
/// digits, and a word never mixes kinds of script.
fn continues(letters: &[(usize, char)], place: usize) -> bool {
    let (before, letter) = (letters[place - 1].1, letters[place].1);
    let is_digit_after = letters
        .get(place + 1)
        .is_some_and(|(_, next)| next.is_ascii_digit());
    match letter {
        '.' | ',' => before.is_ascii_digit() && is_digit_after,
        letter => letter.is_alphanumeric() && is_unspaced(before) == is_unspaced(letter),
    }
}

/// Returns the number of pairs into which a run is cut; 0 if it is one word.
fn pairs_count(run: &str) -> u64 {
    match run.chars().next() {
        // A single letter has no pair, and is a word.
        Some(first) if is_unspaced(first) => run.chars().skip(1).count() as u64,
        Some(_) | None => 0,
    }
}

fn push(word: &str, from: usize, words: &mut Vec<(usize, usize, String)>) {
    if pairs_count(word) == 0 {
        return words.push((from, from + word.len(), word.replace(',', "")));
    }
    let letters: Vec<(usize, char)> = word.char_indices().collect();
    // Without spaces the ends of words are unknown: any two neighbours may be one.
    for pair in letters.windows(2) {
        let end = pair[1].0 + pair[1].1.len_utf8();
        words.push((
            from + pair[0].0,
            from + end,
            word[pair[0].0..end].to_owned(),
        ));
    }
}

/// Reports whether a letter is of a script without spaces between words.
const fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::{analyzer, count};

    #[test]
    fn as_many_words_are_counted_as_an_index_has() {
        let long = "x".repeat(59);
        let texts = [
            String::new(),
            "a 100,000 1,2 3.5. 6, work_mem caf\u{e9}".to_owned(),
            "\u{6c34}\u{6e29}\u{8a08} \u{6c34} \u{6c34}\u{6e29}abc\u{6c34}9,9".to_owned(),
            format!("{long} {long}y {long}yy 1{long} 1,1{long}, \u{e9}{long}"),
            format!("{},{} {}", "1".repeat(30), "2".repeat(29), "3,".repeat(40)),
            format!("{},{}", "1".repeat(30), "2".repeat(30)),
        ];
        for text in texts {
            let (mut analyzer, mut tokens) = (analyzer(), 0);
            let mut stream = analyzer.token_stream(&text);
            while stream.advance() {
                tokens += 1;
            }
            assert_eq!(count(&text), tokens, "{text}");
        }
    }
}
