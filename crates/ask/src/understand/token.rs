//! The words of a question: the kind of each by its letters, and the separator after it.

use crate::words::is_in;
use rust_stemmers::{Algorithm, Stemmer};

/// Maximum number of words of a question that are read. The rest is reported as not understood.
pub(crate) const WORDS_MAX: usize = 120;

/// The separator after a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum After {
    /// The next word.
    #[default]
    Word,
    /// A comma, a colon, a dash or a bracket.
    Pause,
    /// The end of a sentence.
    End,
}

/// One word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct QuestionToken {
    /// The word as written, without surrounding punctuation.
    pub(crate) text: String,
    /// The word in small letters.
    pub(crate) lower: String,
    /// The English stem of the word.
    pub(crate) stem: String,
    /// Whether the word is written as code: between backticks, with `()`, or with letters in an
    /// order that English does not use.
    pub(crate) is_code: bool,
    /// Whether it begins with a capital inside a sentence.
    pub(crate) is_capital: bool,
    /// Whether the word had `'s`.
    pub(crate) is_owner: bool,
    /// The separator after the word.
    pub(crate) after: After,
    /// Whether a question mark follows.
    pub(crate) is_asked: bool,
}

impl QuestionToken {
    /// Reports whether its first letter is a capital.
    pub(crate) fn is_capitalised(&self) -> bool {
        self.text.starts_with(|letter: char| letter.is_uppercase())
    }
}

/// Endings of contractions, the word that each stands for, and the words before it.
const CONTRACTED: &[(&str, &str, &str)] = &[
    (
        "n't",
        "not",
        "is are was were do does did has have had ca could wo would should",
    ),
    ("nt", "not", "is are was do does did has have ca wo"),
    ("not", "not", "can"),
    (
        "'s",
        "is",
        "what where who there it that how when why he she",
    ),
    ("s", "is", "what where who how"),
    ("'re", "are", "we they you there what where who"),
    ("'m", "am", "i"),
    ("m", "am", "i"),
    ("'ve", "have", "i we"),
    ("'ll", "will", "i"),
    ("'d", "would", "i who"),
    ("'d", "did", "where how what when"),
    ("'s", "us", "let"),
];

/// Returns the two words of a contraction, with or without its apostrophe: "isn't", "isnt".
pub(crate) fn contracted(lower: &str) -> Option<[String; 2]> {
    let lower = lower.replace('\u{2019}', "'");
    let stands = |(end, word, before): &(&str, &str, &str)| {
        let head = lower.strip_suffix(end)?;
        let is_one = is_in(before, head);
        let head = match head {
            // "Can't" and "won't" lose letters of their first word.
            "ca" => "can",
            "wo" => "will",
            head => head,
        };
        is_one.then(|| [head.to_owned(), (*word).to_owned()])
    };
    CONTRACTED.iter().find_map(stands)
}

/// Signs that people write instead of words.
const SIGNS: &[(&str, &[&str])] = &[
    ("<", &["extends"]),
    ("<:", &["extends"]),
    ("is-a", &["extends"]),
    ("isa", &["extends"]),
    ("->", &["calls"]),
    ("=>", &["calls"]),
    ("-->", &["calls"]),
    ("\u{2192}", &["calls"]),
    ("<-", &["called", "by"]),
    ("<--", &["called", "by"]),
    ("\u{2190}", &["called", "by"]),
    ("+", &["and"]),
    ("&", &["and"]),
    ("y/n", &["yes", "or", "no"]),
    ("true/false", &["true", "or", "false"]),
    ("yes/no", &["yes", "or", "no"]),
    ("test-suite", &["tests"]),
    ("test-only", &["tests", "only"]),
    ("tests-only", &["tests", "only"]),
    ("spec-only", &["tests", "only"]),
    ("specs-only", &["tests", "only"]),
    ("w/o", &["without"]),
    ("l.", &["line"]),
    ("ln", &["line"]),
    ("file+line", &["file"]),
    ("incl.", &["including"]),
    ("excl.", &["excluding"]),
];

/// Splits a text into words, and reports whether some were left out.
pub(crate) fn split(text: &str) -> (Vec<QuestionToken>, bool) {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut tokens: Vec<QuestionToken> = Vec::new();
    let pieces = pieces(&without_asides(text)).into_iter();
    let pieces: Vec<String> = pieces.map(without_owner_mark).collect();
    for (number, piece) in pieces.iter().enumerate() {
        if points_at_question(piece, pieces.get(number + 1)) {
            if let Some(last) = tokens.last_mut() {
                last.after = After::Pause;
            }
            continue;
        }
        let starts = tokens.last().is_none_or(|last| last.after == After::End);
        // A small letter next means that a mark does not end the sentence: "does is_empty? call f"
        // names `is_empty?`.
        let next_is_small = pieces
            .get(number + 1)
            .is_some_and(|next| next.starts_with(|letter: char| letter.is_lowercase()));
        take(piece, starts, next_is_small, &stemmer, &mut tokens);
        let is_asked = piece.trim_end_matches(['"', '\'', ')', '!']).ends_with('?');
        if let Some(last) = tokens.last_mut().filter(|_| is_asked) {
            last.is_asked = true;
        }
    }
    join_endings(&mut tokens);
    drop_kind(&mut tokens);
    let mut tokens = phrases(tokens, &stemmer);
    let is_cut = tokens.len() > WORDS_MAX;
    tokens.truncate(WORDS_MAX);
    (tokens, is_cut)
}

/// Reports whether an arrow leads from a name to what is asked of it, so that it is not a call: "X
/// -> its place".
fn points_at_question(piece: &str, next: Option<&String>) -> bool {
    const ASKS: &[&str] = &[
        "its", "where", "who", "what", "how", "the", "which", "whose",
    ];
    let asks = |next: &String| ASKS.contains(&next.to_lowercase().as_str());
    ["->", "-->", "=>", "\u{2192}"].contains(&piece) && next.is_some_and(asks)
}

/// Drops a last clause that asks for the kind of a relation that was already said: "f calls g, is
/// that a call?"
fn drop_kind(tokens: &mut Vec<QuestionToken>) {
    const KINDS: [(&str, &str); 6] = [
        ("call", "call"),
        ("use", "use"),
        ("usage", "use"),
        ("import", "import"),
        ("subclass", "extend"),
        ("override", "overrid"),
    ];
    /// Words of such a clause, and the least number of those before it.
    const OWN: usize = 4;
    const BEFORE_MIN: usize = 3;
    let Some(start) = tokens
        .len()
        .checked_sub(OWN)
        .filter(|start| *start >= BEFORE_MIN)
    else {
        return;
    };
    let said = |at: usize, list: &str| is_in(list, &tokens[start + at].lower);
    let is_said = |(noun, stem): &(&str, &str)| {
        said(3, noun) && tokens[..start].iter().any(|token| token.stem == *stem)
    };
    let is_asked = said(0, "is") && said(1, "that this it") && said(2, "a an");
    let is_kind = is_asked && KINDS.iter().any(is_said);
    if is_kind && tokens[start - 1].after != After::Word {
        tokens.truncate(start);
        tokens[start - 1].after = After::End;
        tokens[start - 1].is_asked = true;
    }
}

/// Joins a last sentence that asks with a preposition to the one before it: "X is a thin wrapper, I
/// guess. Around what?"
fn join_endings(tokens: &mut Vec<QuestionToken>) {
    const BELIEFS: &str = "guess think believe suppose assume gather";
    const PREPOSITIONS: &str = "around over of to by through into onto via";
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    // "On top of what?"
    let is_on_top = |at: usize| {
        let said = ["on", "top", "of"].iter().enumerate();
        said.into_iter()
            .all(|(offset, said)| word(at + offset) == *said)
    };
    let asks = |at: usize| is_in("what which whom", word(at));
    let begins = |at: &usize| {
        let before = &tokens[at - 1];
        let is_apart = match before.after {
            After::End => true,
            After::Pause => is_in("wrapper shim layer facade", &before.lower),
            After::Word => false,
        };
        let is_plain = is_in(PREPOSITIONS, word(*at)) && asks(at + 1);
        is_apart && (is_plain || is_on_top(*at) && asks(at + 3))
    };
    let Some(start) = (1..tokens.len()).find(begins) else {
        return;
    };
    // A longer last sentence is a question of its own.
    let is_last = tokens.len() - start < 5;
    // "I guess" comes between the two parts, and is dropped.
    let believes = start > 3 && word(start - 2) == "i" && is_in(BELIEFS, word(start - 1));
    let end = if believes { start - 2 } else { start };
    if is_last {
        tokens.drain(end..start);
        tokens[end - 1].after = After::Word;
    }
}

/// Returns the text without remarks in brackets that only explain.
fn without_asides(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(start) = rest.find(" (") {
        let Some(length) = rest[start..].find(')') else {
            break;
        };
        let inside = &rest[start + 2..start + length];
        let end = if tells(inside) {
            start + length + 1
        } else {
            start
        };
        kept.push_str(&rest[..end]);
        rest = &rest[start + length + 1..];
    }
    kept.push_str(rest);
    kept
}

/// Reports whether a remark may change what is asked.
///
/// A remark that only explains begins with a person, an example, or what is not meant.
fn tells(remark: &str) -> bool {
    const OF_PLACE: &[&str] = &[
        "test", "in ", "under", "only", "exclud", "includ", "without", "except", "outside",
        "counting", "from ", "spec", "skip", "ignor",
    ];
    const IDLE: &str = "i we e.g eg i.e see as just maybe name named called not don't asking sorry thanks btw fyi hint \
        event probably likely";
    let lower = remark.to_lowercase();
    let first = lower.split([' ', ',', ':']).next().unwrap_or_default();
    let is_idle = is_in(IDLE, first.trim_end_matches('.'));
    // "(i.e. without the tests)" begins as an explanation and restricts all the same, so places are
    // looked for first.
    OF_PLACE.iter().any(|word| lower.contains(word)) || !is_idle
}

/// Splits a text at whitespace. Text between backticks or quotation marks stays together.
fn pieces(text: &str) -> Vec<String> {
    let (mut pieces, mut piece, mut quote) = (Vec::new(), String::new(), None);
    let letters: Vec<char> = text.chars().collect();
    for (at, &letter) in letters.iter().enumerate() {
        // A mark opens a quotation only at the start of a piece and if it is closed later.
        // Otherwise one stray mark would join all words after it.
        let opens = piece.chars().all(|letter| "([{*".contains(letter));
        match quote {
            Some(open) if letter == open => quote = None,
            None if (letter == '`' || letter == '"')
                && opens
                && letters[at + 1..].contains(&letter) =>
            {
                quote = Some(letter);
            }
            Some(_) | None => {}
        }
        if letter.is_whitespace() && quote.is_none() {
            if !piece.is_empty() {
                pieces.push(std::mem::take(&mut piece));
            }
        } else {
            piece.push(letter);
        }
    }
    if !piece.is_empty() {
        pieces.push(piece);
    }
    pieces
}

/// Reports whether a word is one that people join by a slash.
fn is_alternative(word: &str) -> bool {
    let word = super::lexicon::singular(&word.to_lowercase());
    super::lexicon::is_kind(&word)
        || is_in(
            "file line author date commit hash caller struct",
            word.as_str(),
        )
}

fn take(
    piece: &str,
    starts: bool,
    next_is_small: bool,
    stemmer: &Stemmer,
    tokens: &mut Vec<QuestionToken>,
) {
    let piece = without_emphasis(&piece.replace('\u{2019}', "'"));
    let sign = piece.to_lowercase();
    let sign = sign
        .trim_end_matches(['?', '!', ',', ':', ';', ')'])
        .trim_start_matches('(');
    let known = SIGNS.iter().find(|(known, _)| *known == sign);
    // At the start "->" or "<" has nothing on its left, and relates nothing.
    if let Some((_, words)) = known.filter(|_| !tokens.is_empty()) {
        let after = match () {
            () if piece.ends_with(['?', '!']) => After::End,
            () if piece.ends_with([',', ';', ':']) => After::Pause,
            () => After::Word,
        };
        return take_words(words, after, stemmer, tokens);
    }
    // "Which trait(s)" asks for one or more.
    let piece = piece.replace("(s)", "s");
    // Go writes the method of a pointer type as `(*Command).Run`.
    let receiver = piece
        .strip_prefix("(*")
        .and_then(|rest| rest.split_once(")."));
    let piece = receiver.map_or(piece.clone(), |(owner, member)| format!("{owner}.{member}"));
    // "File/line" and "functions/methods" are two words, and not paths.
    if let Some((one, other)) = piece.split_once('/')
        && is_alternative(one)
        && is_alternative(other.trim_end_matches(|letter: char| !letter.is_alphanumeric()))
    {
        for word in [one, other] {
            take(word, starts, next_is_small, stemmer, tokens);
        }
        return;
    }
    // Some languages write a kind as "@interface Name".
    let kind = piece
        .strip_prefix('@')
        .filter(|kind| super::lexicon::is_kind(kind));
    let piece = kind.unwrap_or(&piece);
    let (core, after, is_quoted) = bare(piece, next_is_small);
    // A dash or bracket of its own separates the words around it.
    if core.is_empty() {
        if let Some(last) = tokens.last_mut().filter(|last| last.after == After::Word) {
            let ends = after == After::End;
            last.after = if ends { after } else { After::Pause };
        }
        return;
    }
    if let Some(words) = contracted(&core.to_lowercase()).filter(|_| !is_quoted) {
        return take_words(&words, after, stemmer, tokens);
    }
    let core = of_no_types(&core).unwrap_or(core);
    let (core, is_owner, called) = unadorned(&core, is_quoted);
    let lower = core.to_lowercase();
    // `test_*`, `_test` and the like refer to the tests, and to no name.
    let of_tests = lower.trim_matches(['_', '-', '*', '.']);
    if is_in("test tests spec specs", of_tests) && of_tests != lower && !is_quoted {
        tokens.push(plain(of_tests, stemmer, after));
        return;
    }
    tokens.push(QuestionToken {
        stem: stemmer.stem(&lower).into_owned(),
        lower,
        is_code: is_quoted
            || called
            || piece.starts_with('@')
            || looks_like_code(core)
            || is_flag(core),
        is_capital: core.starts_with(|letter: char| letter.is_uppercase()) && !starts,
        text: core.to_owned(),
        is_owner,
        after,
        is_asked: false,
    });
}

/// Removes the stars around a word: "*direct*", "**only**".
fn without_emphasis(piece: &str) -> String {
    let is_mark = |letter: char| !letter.is_alphanumeric() && letter != '*';
    let bare = piece.trim_matches(is_mark);
    let inside = bare.trim_matches('*');
    let is_word = !inside.is_empty() && inside.chars().all(char::is_alphanumeric);
    match bare.starts_with('*') && bare.ends_with('*') && is_word {
        true => piece.replace('*', ""),
        false => piece.to_owned(),
    }
}

/// Appends the words that one piece is written for.
fn take_words(
    words: &[impl AsRef<str>],
    after: After,
    stemmer: &Stemmer,
    tokens: &mut Vec<QuestionToken>,
) {
    tokens.extend(
        words
            .iter()
            .map(|word| plain(word.as_ref(), stemmer, After::Word)),
    );
    if let Some(last) = tokens.last_mut() {
        last.after = after;
    }
}

/// Removes type arguments, which do not select a type: `Pool<T>`, `Pool<T>.get`.
fn of_no_types(name: &str) -> Option<String> {
    let (head, rest) = name.split_once('<')?;
    let is_type = head.starts_with(|letter: char| letter.is_uppercase())
        && head.chars().all(char::is_alphanumeric);
    let member = rest.rsplit_once('>').map_or("", |(_, member)| member);
    let is_member = member.starts_with(['.', ':', '#']);
    is_type.then(|| format!("{head}{}", if is_member { member } else { "" }))
}

/// Returns a name without what is written around it, whether it owns what follows, and whether it
/// is called.
fn unadorned(core: &str, is_quoted: bool) -> (&str, bool, bool) {
    let plural = || core.strip_suffix('\'').filter(|owner| owner.ends_with('s'));
    let owner = core
        .strip_suffix("'s")
        .or_else(plural)
        .filter(|_| !is_quoted);
    let name = owner.unwrap_or(core);
    // The brackets of "print_error(...)" say that it is called.
    let call = ["(...)", "(\u{2026})", "()"]
        .iter()
        .find_map(|end| name.strip_suffix(end));
    let name = call.unwrap_or(name).trim_end_matches("()");
    (
        name.trim_start_matches(['@', '*', '&']),
        owner.is_some(),
        call.is_some(),
    )
}

fn plain(word: &str, stemmer: &Stemmer, after: After) -> QuestionToken {
    QuestionToken {
        text: word.to_owned(),
        lower: word.to_owned(),
        stem: stemmer.stem(word).into_owned(),
        after,
        ..QuestionToken::default()
    }
}

/// Phrasal verbs for which no predicate has a verb, and the verb of the same meaning.
const PHRASES: &[(&str, &str)] = &[
    ("look at", "read"),
    ("look up", "read"),
    ("peek at", "read"),
    ("show up", "appear"),
    ("turn up", "appear"),
    ("pop up", "appear"),
    ("sit below", "extend"),
    ("sit under", "extend"),
    ("hang off", "extend"),
];

/// A verb or noun of several words: their stems, and the single word of the same meaning.
struct Phrase {
    stems: Vec<String>,
    word: &'static str,
    is_verb: bool,
}

/// Returns the phrases of all predicates, longer ones first.
fn all_phrases(stemmer: &Stemmer) -> Vec<Phrase> {
    let phrase = |words: &str, word: &'static str, is_verb: bool| Phrase {
        stems: words
            .split(' ')
            .map(|word| stemmer.stem(word).into_owned())
            .collect(),
        word,
        is_verb,
    };
    let mut all: Vec<Phrase> = PHRASES
        .iter()
        .map(|(words, word)| phrase(words, word, true))
        .collect();
    all.push(phrase("file and line", "file", false));
    for predicate in grounds_claims::ALL {
        let verbs = predicate.verbs.iter().filter(|verb| verb.contains(' '));
        all.extend(verbs.map(|verb| phrase(verb, predicate.verbs[0], true)));
        for (words, number) in predicate
            .nouns
            .iter()
            .filter(|(noun, _)| noun.contains(' '))
        {
            let plain = predicate.nouns.iter().find(|(_, other)| other == number);
            all.extend(plain.map(|(noun, _)| phrase(words, noun, false)));
        }
    }
    // The first phrase that fits is taken, so a longer one must come before its beginning.
    all.sort_by_key(|phrase| std::cmp::Reverse(phrase.stems.len()));
    all
}

/// Irregular past forms, which a stemmer does not reduce, with their verbs.
const IRREGULAR: &[(&str, &str)] = &[
    ("goes", "go"),
    ("went", "go"),
    ("gone", "go"),
    ("came", "come"),
    ("built", "build"),
    ("made", "make"),
    ("led", "lead"),
    ("fell", "fall"),
    ("fallen", "fall"),
    ("took", "take"),
    ("taken", "take"),
    ("drew", "draw"),
    ("drawn", "draw"),
    ("got", "get"),
    ("sat", "sit"),
    ("threw", "throw"),
    ("thrown", "throw"),
    ("ran", "run"),
    ("blew", "blow"),
    ("brought", "bring"),
];

/// Returns the stem of a word, or the verb of an irregular form.
fn base(token: &QuestionToken) -> &str {
    let irregular = IRREGULAR.iter().find(|(form, _)| *form == token.lower);
    irregular.map_or(token.stem.as_str(), |(_, verb)| verb)
}

/// Returns the number of words of a phrase that begins here, and the place of a pronoun inside it:
/// "kicks it off".
fn fits(phrase: &Phrase, tokens: &[QuestionToken]) -> Option<(usize, Option<usize>)> {
    let (mut at, mut pronoun) = (0, None);
    for (number, stem) in phrase.stems.iter().enumerate() {
        let mut token = tokens.get(at)?;
        // A pronoun may come between the verb and its particle, but not inside a noun phrase.
        let splits = number == 1
            && phrase.is_verb
            && is_in(
                "it that this them stuff things anything",
                token.lower.as_str(),
            )
            && token.stem != *stem;
        if splits {
            pronoun = Some(at);
            at += 1;
            token = tokens.get(at)?;
        }
        let is_last = number + 1 == phrase.stems.len();
        if token.is_code || base(token) != stem || !is_last && token.after != After::Word {
            return None;
        }
        at += 1;
    }
    // "Which function am I looking at" only refers to a place, and reads nothing.
    let points = phrase.stems[0] == "look" && tokens[0].lower.ends_with("ing");
    (!points).then_some((at, pronoun))
}

/// Replaces phrases by one word each, in the form in which they were written.
fn phrases(tokens: Vec<QuestionToken>, stemmer: &Stemmer) -> Vec<QuestionToken> {
    let all = all_phrases(stemmer);
    let mut joined: Vec<QuestionToken> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        // "Jump to X" is an order to show X, and calls nothing.
        let starts = joined.last().is_none_or(|last| last.after == After::End);
        let is_order = starts && tokens[at].lower == "jump";
        let found = phrase_at(&all, &tokens[at..]).filter(|_| !is_order);
        let Some((phrase, (length, pronoun))) = found else {
            joined.push(tokens[at].clone());
            at += 1;
            continue;
        };
        let is_done = joined
            .last()
            .is_some_and(|before| super::lexicon::is_be(&before.lower));
        let last = &tokens[at + length - 1];
        // In "f is built on g" and "f is based on g" the subject uses the object, though the verb
        // is passive.
        let does = is_done && is_in("build base", phrase.stems[0].as_str());
        let word = if does {
            format!("{}s", phrase.word)
        } else if phrase.is_verb {
            inflected(phrase.word, &tokens[at].lower, is_done)
        } else {
            plural(phrase.word, last.lower.ends_with('s'))
        };
        joined.push(plain(&word, stemmer, last.after));
        // "Kicks it off" becomes "calls it": the pronoun follows the verb, and takes over the
        // separator.
        if let Some(pronoun) = pronoun {
            let verb_after = joined.last().map_or(After::Word, |verb| verb.after);
            if let Some(verb) = joined.last_mut() {
                verb.after = After::Word;
            }
            joined.push(plain(&tokens[at + pronoun].lower, stemmer, verb_after));
        }
        at += length;
    }
    joined
}

/// Reports whether words begin with the repository as a whole.
fn is_whole_tree(tokens: &[QuestionToken]) -> bool {
    let is_article = |token: &&QuestionToken| super::lexicon::is_article(&token.lower);
    let first = tokens.iter().find(|token| !is_article(token));
    first.is_some_and(|token| {
        super::lexicon::is_whole(&token.lower) || is_in("main master", &token.lower)
    })
}

/// Returns the first phrase that begins at these words, with its length and its pronoun.
fn phrase_at<'p>(
    all: &'p [Phrase],
    tokens: &[QuestionToken],
) -> Option<(&'p Phrase, (usize, Option<usize>))> {
    let found = all
        .iter()
        .find_map(|phrase| Some((phrase, fits(phrase, tokens)?)));
    // "A wrapper around X" wraps X. Only "X is a wrapper around what?" asks what X wraps.
    let is_turned = |(phrase, length): (&Phrase, usize)| {
        let asks = tokens
            .get(length)
            .is_some_and(|next| super::lexicon::is_asking(&next.lower));
        let goes_on = tokens[length - 1].after == After::Word && !asks;
        let is_of_wrapper = is_in("wrapper shim layer facad", &phrase.stems[0]);
        !phrase.is_verb && is_of_wrapper && goes_on
    };
    // "Landed in which commit" asks for the history, and calls nothing.
    found.filter(|(phrase, (length, _))| {
        let is_other = phrase.stems.len() == *length && is_turned((phrase, *length));
        // "Who brought X in?" and "when did it land in the repo?" ask for a person and a time.
        let is_past = tokens[0].lower == "brought" && phrase.word == "import"
            || tokens[0].stem == "land" && is_whole_tree(&tokens[*length..]);
        // "What is f built on?" asks for what f uses, so it is left to `idiom::built_on`.
        let is_built = tokens[0].lower == "built" && phrase.word == "use";
        let is_built = is_built && ends_at(tokens, *length);
        // "The callers sit under lib/store": files lie in a folder, and types extend a type.
        let is_file = tokens[0].stem == "sit" && is_folder_like(&tokens[*length..]);
        !(is_past || is_built || is_file || asks_when(&tokens[*length..]) || is_other)
    })
}

/// Reports whether words begin with a path or a plain word, which can be a folder.
fn is_folder_like(tokens: &[QuestionToken]) -> bool {
    let is_article = |token: &&QuestionToken| super::lexicon::is_article(&token.lower);
    let first = tokens.iter().find(|token| !is_article(token));
    first.is_some_and(|token| {
        let is_word = !token.is_code && token.text.starts_with(char::is_lowercase);
        is_word || token.text.contains('/')
    })
}

/// Reports whether a sentence ends after some words, or after these and "of".
fn ends_at(tokens: &[QuestionToken], length: usize) -> bool {
    let is_of = tokens.get(length).is_some_and(|next| next.lower == "of");
    let end = length + usize::from(is_of);
    end >= tokens.len() || tokens[end - 1].after == After::End
}

/// Reports whether the words begin with "which commit", "what release" or the like.
fn asks_when(rest: &[QuestionToken]) -> bool {
    let word = |at: usize| rest.get(at).map_or("", |token| token.lower.as_str());
    is_in("which what", word(0)) && is_in("commit release version tag year", word(1))
}

/// Returns a verb in the form of another one.
fn inflected(verb: &str, like: &str, is_done: bool) -> String {
    let is_past = is_in("built led made drawn brought", like);
    let base = verb.strip_suffix('e').unwrap_or(verb);
    match () {
        () if like.ends_with("ing") => format!("{base}ing"),
        () if like.ends_with("ed") || like.ends_with("en") || is_past => {
            format!("{base}ed")
        }
        // "Is put to use" is passive, although "put" has the same form in the present.
        () if is_done && is_in("put set run hit", like) => format!("{base}ed"),
        () if like.ends_with('s') => format!("{verb}s"),
        () => verb.to_owned(),
    }
}

fn plural(noun: &str, is_plural: bool) -> String {
    match noun.strip_suffix("ss") {
        Some(_) if is_plural => format!("{noun}es"),
        _ if is_plural => format!("{noun}s"),
        _ => noun.to_owned(),
    }
}

/// Returns a token for another word, with the separator of the first.
pub(super) fn like(token: &QuestionToken, word: &str) -> QuestionToken {
    plain(word, &Stemmer::create(Algorithm::English), token.after)
}

/// Returns the word without surrounding punctuation, the separator after it, and whether it was
/// quoted.
fn bare(piece: &str, next_is_small: bool) -> (String, After, bool) {
    let opened = piece.trim_start_matches(['(', '[', '{', ',', ';', '"', '\'', '<', '\u{201c}']);
    let closing = |letter: char| "([{)]},;:\"'>.?!\u{2026}\u{201d}-=".contains(letter);
    let without = opened.trim_end_matches(closing);
    let mut tail = &opened[without.len()..];
    let mut core = without.to_owned();
    if tail.starts_with("()") {
        core.push_str("()");
        tail = &tail[2..];
    }
    // Names of Ruby may end in `?` or `!`, which inside a sentence is a part of the name.
    let is_code = core.contains(['_', '#']) || core.contains("::");
    let is_marked = tail == "?" && next_is_small && is_code
        || tail.starts_with('!') && (is_code || next_is_small && !is_called_out(&core));
    if is_marked {
        core.push_str(&tail[..1]);
        tail = &tail[1..];
    }
    let ends = tail.contains(['?', '!', ';']) || tail.ends_with('.') && !tail.contains("..");
    let after = match () {
        // A dot ends a sentence only at the end of a word, and "..." is a pause.
        () if ends && !is_short(&core) => After::End,
        () if tail.is_empty() => After::Word,
        () => After::Pause,
    };
    if piece.ends_with('-') && core.is_empty() {
        return (core, After::Pause, false);
    }
    let quoted = core
        .strip_prefix('`')
        .map(|inside| inside.trim_end_matches('`').to_owned());
    match quoted {
        Some(inside) => {
            let tail = inside.split('`').next().unwrap_or_default().to_owned();
            (tail, after, true)
        }
        None => (
            core,
            after,
            piece.starts_with('"') && piece.trim_end_matches(closing).len() > 1,
        ),
    }
}

/// Removes the final apostrophe of a plural owner, which ends no quotation: "the plugins' hook".
fn without_owner_mark(piece: String) -> String {
    let is_quoted = piece.starts_with(['\'', '"', '`', '(', '[']);
    match piece.strip_suffix('\'') {
        Some(word) if word.ends_with('s') && !is_quoted => word.to_owned(),
        _ => piece,
    }
}

/// Reports whether a word is called out before a question: "hey! who calls it?"
fn is_called_out(core: &str) -> bool {
    is_in(
        "hi hey hello help please thanks ok okay wow great hm hmm",
        core.to_lowercase().as_str(),
    )
}

/// Reports whether a word is an abbreviation whose dot does not end a sentence.
fn is_short(core: &str) -> bool {
    is_in("i.e e.g etc vs incl resp cf", core.to_lowercase().as_str())
}

/// Proper names that people write with a dot or inner capital, and that are not code.
const PROPER: &str = "node.js vue.js next.js asp.net i.e e.g github gitlab javascript typescript graphql npm \
    okhttp macos ios iphone youtube rxjava postgresql mysql json oauth websocket websockets";

/// Reports whether a word is a flag of a command line: "--dry-run".
pub(crate) fn is_flag(word: &str) -> bool {
    let name = word.strip_prefix("--").unwrap_or_default();
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    name.len() > 1
        && name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.chars().all(is_part)
}

/// Reports whether the letters of a word are in an order that only names in code have.
pub(crate) fn looks_like_code(word: &str) -> bool {
    if is_in(PROPER, word.to_lowercase().as_str()) || word.is_empty() {
        return false;
    }
    let letters: Vec<char> = word.chars().collect();
    let is_number = letters
        .iter()
        .all(|letter| letter.is_ascii_digit() || ".,-_".contains(*letter));
    if is_number {
        return false;
    }
    let humps = letters
        .windows(2)
        .any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase());
    // `CSVLocale` has capitals before a small letter. The plural of an abbreviation has too: "APIs"
    // is excepted by its "s".
    let run = letters.windows(3).any(|three| {
        three[0].is_uppercase()
            && three[1].is_uppercase()
            && three[2].is_lowercase()
            && three[2] != 's'
    });
    let dotted = letters.windows(3).any(|three| {
        three[0].is_alphanumeric()
            && three[1] == '.'
            && (three[2].is_alphabetic() || three[2] == '_')
    });
    let marked = word.contains('_')
        || word.contains("::")
        || word.contains("->")
        || word.contains('#') && letters.len() > 2;
    humps || run || dotted || marked || word.contains('/') && letters.len() > 2
}

/// Reports whether two words differ by one letter that is missing, superfluous, or swapped with the
/// next one. Long words may also have one wrong letter.
pub(super) fn is_slip(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let (short, long) = if one.len() <= other.len() {
        (&one, &other)
    } else {
        (&other, &one)
    };
    let same = short
        .iter()
        .zip(long.iter())
        .take_while(|(one, other)| one == other)
        .count();
    match long.len() - short.len() {
        1 => short[same..] == long[same + 1..],
        0 if same < short.len() => {
            let rest = (same + 2 <= short.len()).then(|| short[same + 2..] == long[same + 2..]);
            let swaps = rest == Some(true)
                && short[same] == long[same + 1]
                && short[same + 1] == long[same];
            // With one wrong letter, short words would turn into each other: "used" and "user".
            swaps || short.len() > 5 && short[same + 1..] == long[same + 1..]
        }
        _ => false,
    }
}
