//! Turns of phrase as the plain words that all readers of a clause know: "has X got a f?" asks what "does X have a f?"
//! asks, and "any other class than Y" is "any class other than Y".

mod members;
mod others;
mod related;
mod versions;

use super::lexicon::{self, Lexicon};
use super::token::{self, After, QuestionToken};
use super::tree::QuestionTree;
use crate::words::is_in;

/// Turns of phrase, and plain words of the same meaning.
const PHRASES: &[(&str, &str)] = &[
    ("one and only", "only"),
    ("no one", "nobody"),
    ("directly or indirectly", "transitively"),
    ("directly and indirectly", "transitively"),
    ("indirectly or directly", "transitively"),
    ("directly or transitively", "transitively"),
    ("directly or otherwise", "transitively"),
    ("directly or not", "transitively"),
    ("first generation only", "directly"),
    ("only the first generation", "directly"),
    ("first level only", "directly"),
    ("without breaking anything", "safely"),
    ("without breaking anyone", "safely"),
    ("without anyone noticing", "safely"),
    ("make any use of", "use"),
    ("makes any use of", "uses"),
    ("have any use for", "use"),
    ("has any use for", "uses"),
    ("on or off", "on"),
    ("who came up with", "who wrote"),
    ("who gave us", "who wrote"),
    ("who brought us", "who wrote"),
    ("who thought up", "who wrote"),
    ("who dreamt up", "who wrote"),
    ("who dreamed up", "who wrote"),
    ("who cooked up", "who wrote"),
    ("who put in", "who added"),
    ("who first put in", "who first added"),
    ("built on top of", "built on"),
    ("minimum version with", "first release with"),
    ("minimum version that has", "first release with"),
    ("minimum version which has", "first release with"),
    ("minimum version containing", "first release with"),
    ("lowest version with", "first release with"),
    ("lowest version that has", "first release with"),
    ("lowest version which has", "first release with"),
    ("lowest version containing", "first release with"),
    ("oldest version with", "first release with"),
    ("oldest version that has", "first release with"),
    ("oldest version which has", "first release with"),
    ("oldest version containing", "first release with"),
    ("earliest version with", "first release with"),
    ("earliest version that has", "first release with"),
    ("earliest version which has", "first release with"),
    ("earliest version containing", "first release with"),
    ("from what version on", "since what version"),
    ("from what version onwards", "since what version"),
    ("from which version on", "since what version"),
    ("from which version onwards", "since what version"),
    ("what lives at", "what is at"),
    ("what sits at", "what is at"),
    ("what resides at", "what is at"),
    ("what can be found at", "what is at"),
    ("what can be seen at", "what is at"),
    ("what do we have at", "what is at"),
    ("who put it in", "who added it"),
    ("who first put it in", "who first added it"),
    ("who put this in", "who added this"),
    ("do n't count", "do not count"),
    ("never mind", "ignore"),
    ("leaving aside", "ignoring"),
    ("not considering", "ignoring"),
    ("disregarding", "ignoring"),
    ("come with the library", "are in the library"),
    ("comes with the library", "is in the library"),
    ("ship with the library", "are in the library"),
    ("ships with the library", "is in the library"),
    ("bother with", "use"),
    ("bothers with", "uses"),
    ("bother to call", "call"),
    ("bothers to call", "calls"),
    ("bother calling", "call"),
    ("bothers calling", "calls"),
    ("so much as a", "any"),
    ("so much as one", "any"),
    ("even a single", "any"),
    ("even one single", "any"),
    // "Is there a single caller and no more?" asks for a number, so only these nouns mean "any".
    ("is there a single use", "is there any use"),
    ("is there a single usage", "is there any usage"),
    ("is there a single call", "is there any call"),
    ("is there a single reference", "is there any reference"),
    ("is there a single mention", "is there any mention"),
    ("is there a single test", "is there any test"),
    ("are there even", "are there"),
    ("shipped library", "library itself"),
    ("shipped package", "library itself"),
    ("shipped code", "library itself"),
    ("library proper", "library itself"),
    ("package proper", "library itself"),
    ("framework itself", "library itself"),
    ("framework 's own code", "library itself"),
    ("framework code itself", "library itself"),
    ("own framework code", "library itself"),
    ("library source itself", "library itself"),
    ("library code itself", "library itself"),
    ("own library code", "library itself"),
    ("own production code", "library itself"),
    ("calls made by", "things called by"),
    ("calls made in", "things called by"),
    ("calls made inside", "things called by"),
    ("library 's own code", "library itself"),
];

/// Turns of phrase at the beginning of a sentence, longer ones first.
const OPENINGS: &[(&str, &str)] = &[
    ("any chance that", "is it true that"),
    ("any chance", "is it true that"),
    ("is there any chance that", "is it true that"),
    ("is there a chance that", "is it true that"),
    ("could it be that", "is it true that"),
    ("can it be that", "is it true that"),
    ("is it the case that", "is it true that"),
    ("is it safe to say that", "is it true that"),
    ("is it fair to say that", "is it true that"),
    ("is it safe to assume that", "is it true that"),
    ("is it right that", "is it true that"),
    ("would you say that", "is it true that"),
    ("true or false", "is it true that"),
    ("right or wrong", "is it true that"),
    ("fact or fiction", "is it true that"),
];

/// Largest distance from "has" to "got".
const HAVER_MAX: usize = 6;
/// Largest distance from "other" to "than".
const OTHER_MAX: usize = 7;
/// First words of an alternative that only doubts whether the first half is everything.
const MERELY: &str = "only just merely simply purely";
/// Nouns for a folder or file before its path.
const PLACES: &str = "folder directory dir package module file subfolder subdirectory";

/// Returns the words of a question in plain wording.
pub(super) fn plain(tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    // Fixed phrases come first, since later steps expect their plain words: `built_on` sees "built
    // on" for "built on top of".
    let tokens = versions::plain(looked_for(with_phrases(tokens)), tree);
    let tokens = related::plain(tokens, tree);
    let tokens = members::plain(others::plain(tokens, tree), tree);
    let tokens = through_others(thanked(put_in(tokens)));
    let tokens = got_from(built_on(tokens), tree);
    let tokens = of_tests(asked_of_topic(among_bases(shipped(tokens))));
    let tokens = no_tests(just_one_that(tokens));
    let tokens = without_alternative(having(tokens));
    let tokens = other_than(said_in_short(tokens));
    let tokens = one_of_several(without_manner(with_own_code(tokens)));
    let tokens = one_of_its_kind(at_path(tokens, tree), tree);
    let tokens = writing_to(checking(with_keyword(tokens)), tree);
    let tokens = any_of_folder(tokens, tree);
    of_owner(by_folder(tokens, tree), tree)
}

fn word(tokens: &[QuestionToken], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.lower.as_str())
}

fn says(tokens: &[QuestionToken], at: usize, list: &str) -> bool {
    is_in(list, word(tokens, at))
}

/// Reports whether a token is written as code.
fn is_name(tokens: &[QuestionToken], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.is_code)
}

/// Returns where the sentence of a word ends.
fn end_of(tokens: &[QuestionToken], at: usize) -> usize {
    let end = (at..tokens.len()).find(|at| tokens[*at].after == After::End);
    end.map_or(tokens.len(), |end| end + 1)
}

/// Returns where the sentence of a word begins.
fn start_of(tokens: &[QuestionToken], at: usize) -> usize {
    let end = tokens[..at]
        .iter()
        .rposition(|token| token.after == After::End);
    end.map_or(0, |end| end + 1)
}

/// Removes words. A sentence that ended with them ends with the word before them.
fn without(mut tokens: Vec<QuestionToken>, from: usize, to: usize) -> Vec<QuestionToken> {
    let (after, is_asked) = (tokens[to - 1].after, tokens[to - 1].is_asked);
    tokens.drain(from..to);
    if let Some(last) = from.checked_sub(1).and_then(|at| tokens.get_mut(at)) {
        last.after = after;
        last.is_asked |= is_asked;
    }
    tokens
}

fn with_phrases(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let openings = OPENINGS.iter().map(|phrase| (phrase, true));
    let phrases = PHRASES.iter().map(|phrase| (phrase, false));
    for ((phrase, plain), opens) in openings.chain(phrases) {
        let words: Vec<&str> = phrase.split(' ').collect();
        let stands = |tokens: &[QuestionToken], at: usize| {
            let inside = at..(at + words.len()).saturating_sub(1);
            let is_whole = inside.clone().all(|at| {
                tokens
                    .get(at)
                    .is_some_and(|token| token.after == After::Word && !token.is_code)
            });
            let mut said = words.iter().enumerate();
            let begins = !opens || at == 0 || tokens[at - 1].after != After::Word;
            begins && is_whole && said.all(|(offset, known)| word(tokens, at + offset) == *known)
        };
        // A phrase can occur more than once. No plain wording contains its own phrase, so this
        // ends.
        while let Some(at) = (0..tokens.len()).find(|at| stands(&tokens, *at)) {
            let last = tokens[at + words.len() - 1].clone();
            let mut plain: Vec<QuestionToken> = plain
                .split(' ')
                .map(|word| token::like(&QuestionToken::default(), word))
                .collect();
            if let Some(end) = plain.last_mut() {
                (end.after, end.is_asked) = (last.after, last.is_asked);
            }
            tokens.splice(at..at + words.len(), plain);
        }
    }
    tokens
}

/// Rewrites "where can I read X?" as "where is X?": the asker reads, and no code does.
fn looked_for(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let asks = |at: &usize| {
        let is_name = is_named(&tokens, at + 4) || says(&tokens, at + 4, "it this that");
        word(&tokens, *at) == "where"
            && says(&tokens, at + 1, "can could do should would may might must")
            && says(&tokens, at + 2, "i we you one people")
            && says(&tokens, at + 3, "read see view inspect study browse")
            && is_name
            && end_of(&tokens, at + 4) == at + 5
    };
    if let Some(at) = (0..tokens.len()).find(asks) {
        tokens[at + 1] = token::like(&tokens[at + 1], "is");
        tokens.drain(at + 2..at + 4);
    }
    tokens
}

/// Rewrites "implement X, directly or by way of its child interface" with "transitively", since
/// heirs of heirs count.
fn through_others(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let begins = |at: &usize| {
        says(&tokens, *at, "directly either")
            && word(&tokens, at + 1) == "or"
            && says(&tokens, at + 2, "by via through")
    };
    let Some(at) = (2..tokens.len()).find(begins) else {
        return tokens;
    };
    let end = end_of(&tokens, at);
    let is_short = end - at < 12 && !(at..end).any(|at| is_name(&tokens, at));
    if is_short
        && tokens[at..end - 1]
            .iter()
            .all(|token| token.after == After::Word)
    {
        let (after, is_asked) = (tokens[end - 1].after, tokens[end - 1].is_asked);
        let said = token::like(&tokens[at], "transitively");
        tokens.splice(
            at..end,
            [QuestionToken {
                after,
                is_asked,
                ..said
            }],
        );
    }
    tokens
}

/// Rewrites "which built-in types implement X?" to types outside of the tests.
fn shipped(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    const SHIPPED: &str = "built-in builtin bundled stock ready-made shipped off-the-shelf";
    const HEIRS: &str = "implement extend inherit deriv subclass satisfi fulfil";
    let is_one = |at: &usize| {
        says(&tokens, *at, SHIPPED)
            && says(&tokens, at - 1, "which what the any all")
            && lexicon::is_kind(&lexicon::singular(word(&tokens, at + 1)))
    };
    // "Which built-in functions call f?" may mean those of the language, so only heirs are
    // rewritten.
    let heirs = tokens.iter().any(|token| is_in(HEIRS, &token.stem));
    if let Some(at) = (1..tokens.len()).find(is_one).filter(|_| heirs) {
        tokens[at] = token::like(&tokens[at], "non-test");
    }
    tokens
}

/// Rewrites "which errors list X among their bases?" with "extend".
fn among_bases(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    const HAVING: &str = "list lists name names have has mention mentions put puts carry carries";
    const BESIDE: &str = "right directly in among as one of a their its the direct immediate";
    const BASES: &str = "base bases parent parents superclass superclasses";
    let found = (1..tokens.len().saturating_sub(2)).find_map(|at| {
        let is_one = says(&tokens, at, HAVING)
            && is_named(&tokens, at + 1)
            && tokens[at + 1].after == After::Word;
        let mut end = (at + 2..tokens.len()).find(|at| !says(&tokens, *at, BESIDE))?;
        (is_one && end > at + 2 && says(&tokens, end, BASES)).then_some(())?;
        let lists = |at: usize| says(&tokens, at, "list lists class classes clause");
        while tokens[end].after == After::Word && lists(end + 1) {
            end += 1;
        }
        let ends = tokens[end].after != After::Word || end + 1 == tokens.len();
        ends.then_some((at, end))
    });
    if let Some((at, end)) = found {
        tokens[at] = token::like(&tokens[at], "extend");
        tokens = without(tokens, at + 2, end + 1);
    }
    tokens
}

/// Reports whether a token is written as a name.
fn is_named(tokens: &[QuestionToken], at: usize) -> bool {
    tokens
        .get(at)
        .is_some_and(|token| token.is_code || token.is_capital)
}

/// Words between "who" and "thank".
const THANKING: &str = "do does did can could may might should would shall i we you one have has got to is are be gets \
    get deserves deserve takes all the most some praise fame our my";
/// Words of thanks and of blame.
const THANKS: &str = "thank thanks credit blame kudos praise thanked credited blamed";

/// Rewrites "who do we have to thank for X?" and "who gets the credit for X?" as "who wrote X?"
fn thanked(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let joins = |at: usize| tokens[at].after == After::Word && !tokens[at].is_code;
    let ends = |who: usize| {
        let light = (who + 1..tokens.len()).take_while(|at| says(&tokens, *at, THANKING));
        let thanks = who + 1 + light.count();
        let is_for = says(&tokens, thanks, THANKS) && word(&tokens, thanks + 1) == "for";
        let is_next = thanks + 2 < tokens.len() && (who..thanks + 2).all(joins);
        (is_for && is_next).then_some(thanks + 2)
    };
    let mut starts = (0..tokens.len()).filter(|at| says(&tokens, *at, "who whom"));
    let Some((who, end)) = starts.find_map(|who| Some((who, ends(who)?))) else {
        return tokens;
    };
    let wrote = ["who", "wrote"].map(|word| token::like(&QuestionToken::default(), word));
    tokens.splice(who..end, wrote);
    tokens
}

/// Rewrites "who put f in?" and "who first put the f helper in?" with "added".
fn put_in(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let begins = |at: &usize| {
        let first = usize::from(says(&tokens, at + 1, "first originally"));
        let verb = at + 1 + first;
        let end = end_of(&tokens, *at);
        let is_joined = (*at..end - 1).all(|at| tokens[at].after == After::Word);
        let named = (verb + 1..end).filter(|at| is_name(&tokens, *at)).count();
        let is_put = word(&tokens, *at) == "who" && word(&tokens, verb) == "put";
        let is_short = end > verb + 2 && end < verb + 7;
        (is_put && is_short && is_joined && named == 1 && word(&tokens, end - 1) == "in")
            .then_some((verb, end))
    };
    let found = (0..tokens.len()).find_map(|at| begins(&at));
    if let Some((verb, end)) = found {
        tokens[verb] = token::like(&tokens[verb], "added");
        tokens = without(tokens, end - 1, end);
    }
    tokens
}

/// Rewrites "what is f built on?" as "what does f use?" It does not ask what uses f.
fn built_on(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let begins = |at: &usize| {
        let end = at + 3;
        says(&tokens, *at, "is are")
            && is_name(&tokens, at + 1)
            && word(&tokens, at + 2).starts_with("built")
            && (start_of(&tokens, *at)..*at).any(|at| says(&tokens, at, "what which"))
            && (end_of(&tokens, *at) == end || says(&tokens, end, "on upon"))
    };
    let Some(at) = (1..tokens.len().saturating_sub(2)).find(begins) else {
        return tokens;
    };
    let end = at + 3 + usize::from(says(&tokens, at + 3, "on upon"));
    if end != end_of(&tokens, at) {
        return tokens;
    }
    let last = tokens[end - 1].clone();
    let uses = token::like(&last, "use");
    tokens[at] = token::like(&tokens[at], "does");
    let uses = QuestionToken {
        is_asked: last.is_asked,
        ..uses
    };
    tokens.splice(at + 2..end, [uses]);
    tokens
}

/// Largest number of words from "who gets" to the function that it comes from.
const GOT_MAX: usize = 6;

/// Rewrites "who takes a lock out of f?" and "what gets its client from f?" as "who calls f?", if f
/// is a function.
fn got_from(mut tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    const GETS: &str = "takes take gets get obtains obtain fetches fetch grabs grab pulls pull acquires acquire \
        borrows borrow rents rent";
    let found = (0..tokens.len()).find_map(|at| {
        let is_asked = says(&tokens, at, "who what") && says(&tokens, at + 1, GETS);
        let is_thing = says(&tokens, at + 2, "a an its their the");
        let name = (at + 4..tokens.len().min(at + GOT_MAX + 3)).find(|at| is_name(&tokens, *at))?;
        let from = match word(&tokens, name - 1) {
            "of" if word(&tokens, name - 2) == "out" => name - 2,
            "from" => name - 1,
            _ => return None,
        };
        let is_plain = (at..name).all(|at| tokens[at].after == After::Word)
            && (at + 3..from).all(|at| is_of_thing(word(&tokens, at)));
        let fits = is_asked && is_thing && from > at + 3 && is_plain;
        // "Who gets a lock from Pool?" asks about a type, which nothing calls.
        (fits && is_function(&tokens[name].text, tree)).then_some((at + 1, name))
    });
    if let Some((verb, name)) = found {
        tokens[verb] = token::like(&tokens[verb], "calls");
        tokens.drain(verb + 1..name);
    }
    tokens
}

/// Reports whether a word can be in the name of a thing: it is no verb and denies nothing.
fn is_of_thing(word: &str) -> bool {
    !(lexicon::is_negation(word) || lexicon::is_only(word) || lexicon::is_auxiliary(word))
}

/// Reports whether all definitions of a name are functions.
fn is_function(name: &str, tree: &QuestionTree<'_>) -> bool {
    use grounds_evidence::SymbolKind::{Function, Method};
    let known = tree.know(&[super::tree::last_part(name)]).remove(0);
    let mut kinds = known.definitions().map(|place| place.kind).peekable();
    kinds.peek().is_some() && kinds.all(|kind| matches!(kind, Some(Function | Method)))
}

/// Rewrites "has X got a f?" as "does X have a f?", and "have we got" as "do we have".
fn having(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let starts: Vec<usize> = (0..tokens.len())
        .filter(|at| says(&tokens, *at, "has have"))
        .filter(|at| *at == 0 || tokens[at - 1].after != After::Word)
        .collect();
    for start in starts {
        // "Has X any f method?" has no "got".
        let is_bare = is_name(&tokens, start + 1)
            && tokens[start + 1].after == After::Word
            && says(&tokens, start + 2, "a an any")
            && word(&tokens, start) == "has";
        if is_bare {
            let have = token::like(&QuestionToken::default(), "have");
            tokens[start] = token::like(&tokens[start], "does");
            tokens.insert(start + 2, have);
            break;
        }
        let until = (start + HAVER_MAX).min(tokens.len());
        let got = (start + 2..until).find(|at| word(&tokens, *at) == "got");
        let Some(got) = got.filter(|got| {
            let opens =
                says(&tokens, got + 1, "a an any some its the one no") || is_name(&tokens, got + 1);
            opens && (start..*got).all(|at| tokens[at].after == After::Word)
        }) else {
            continue;
        };
        let does = if word(&tokens, start) == "has" {
            "does"
        } else {
            "do"
        };
        tokens[got] = token::like(&tokens[got], "have");
        tokens[start] = token::like(&tokens[start], does);
    }
    tokens
}

/// Drops an alternative that leaves the first half as it was asked: "…, or is it only the time?",
/// "…, or only g".
fn without_alternative(tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let begins = |at: &usize| {
        let is_it = says(&tokens, at + 1, "is are does do was")
            && says(&tokens, at + 2, "it that this they");
        let from = at + 1 + 2 * usize::from(is_it);
        let is_mere = says(&tokens, from, MERELY);
        word(&tokens, *at) == "or" && tokens[at - 1].after == After::Pause && is_mere
    };
    let Some(at) = (3..tokens.len()).find(begins) else {
        return tokens;
    };
    let end = end_of(&tokens, at);
    // In a list question the alternative is a second thing that is asked for.
    let asks = lexicon::is_auxiliary(word(&tokens, start_of(&tokens, at)));
    let is_last = end == tokens.len();
    match asks && is_last {
        true => without(tokens, at, end),
        false => tokens,
    }
}

/// Rewrites "does f write to the log, i.e. call g on it?" as "does f call g on it?"
fn said_in_short(tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let again = |at: &usize| says(&tokens, *at, "i.e ie i.e. namely") && !tokens[*at].is_code;
    let Some(at) = (2..tokens.len().saturating_sub(1)).find(again) else {
        return tokens;
    };
    let lexicon = Lexicon::new();
    let start = start_of(&tokens, at);
    if asks_again(&tokens, at) {
        let end = end_of(&tokens, at);
        return without(tokens, at, end);
    }
    let is_verb = !is_name(&tokens, at + 1)
        && (lexicon.is_relation(&tokens[at + 1]) || says(&tokens, at + 1, HAVING_VERBS))
        && !lexicon::is_auxiliary(word(&tokens, at + 1));
    let subject = (start + 1..at).find(|at| is_name(&tokens, *at));
    // "I.e. define it" names nothing new, so the first half is what is asked.
    let names = is_name(&tokens, at + 2) || (at + 2..tokens.len()).any(|at| is_name(&tokens, at));
    let asks = lexicon::is_auxiliary(word(&tokens, start)) && names;
    let Some(subject) = subject.filter(|subject| asks && is_verb && *subject < start + 4) else {
        return tokens;
    };
    let mut short = tokens[..start].to_vec();
    short.push(token::like(&QuestionToken::default(), "does"));
    short.extend_from_slice(&tokens[start + 1..=subject]);
    if let Some(last) = short.last_mut() {
        last.after = After::Word;
    }
    short.extend_from_slice(&tokens[at + 1..]);
    short
}

/// Reports whether the words after "i.e." ask the first half again: "i.e. does the class implement
/// it?"
fn asks_again(tokens: &[QuestionToken], at: usize) -> bool {
    let (start, end) = (start_of(tokens, at), end_of(tokens, at));
    let count = |from: usize, to: usize| {
        let named = (from..to).filter(|at| could_be_named(tokens, *at));
        named.count()
    };
    lexicon::is_auxiliary(word(tokens, at + 1))
        && lexicon::is_auxiliary(word(tokens, start))
        && count(start, at) > 1
        && count(at, end) == 0
}

/// Reports whether a token is written as code or with a capital.
fn could_be_named(tokens: &[QuestionToken], at: usize) -> bool {
    tokens[at].is_code || tokens[at].is_capital
}

/// Verbs for having a part or taking a parameter.
const HAVING_VERBS: &str = "have carry define declare expose hold take accept";

/// Rewrites "any other caller of f than g" as "any caller of f other than g".
fn other_than(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let Some(than) = (2..tokens.len()).find(|at| {
        word(&tokens, *at) == "than" && word(&tokens, at - 1) != "other" && !is_name(&tokens, *at)
    }) else {
        return tokens;
    };
    let first = than.saturating_sub(OTHER_MAX);
    let Some(other) = (first..than).rfind(|at| says(&tokens, *at, "other another")) else {
        return tokens;
    };
    if (other..than).any(|at| tokens[at].after != After::Word) {
        return tokens;
    }
    let moved = token::like(&QuestionToken::default(), "other");
    let is_one = word(&tokens, other) == "another";
    tokens.insert(than, moved);
    match is_one {
        true => tokens[other] = token::like(&tokens[other], "any"),
        false => drop(tokens.remove(other)),
    }
    tokens
}

/// Rewrites "in the library's own code" and "the package's own sources" as "library itself".
fn with_own_code(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let is_own = |at: &usize| {
        let of_whole = tokens[*at].is_owner && says(&tokens, *at, "library package lib project");
        of_whole
            && word(&tokens, at + 1) == "own"
            && says(&tokens, at + 2, "code source sources files modules")
    };
    let Some(at) = (0..tokens.len().saturating_sub(2)).find(is_own) else {
        return tokens;
    };
    tokens[at] = token::like(&tokens[at], "library");
    tokens[at].after = After::Word;
    let itself = token::like(&tokens[at + 2], "itself");
    let is_asked = tokens[at + 2].is_asked;
    tokens.splice(at + 1..at + 3, [QuestionToken { is_asked, ..itself }]);
    tokens
}

/// Drops the description of a folder before its path: "in the windows folder (src/win)".
fn at_path(tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    let is_path = |at: usize| {
        tokens.get(at).is_some_and(|token| {
            let text = token.text.trim_end_matches('/');
            let is_one = text.contains(['/', '.']) && token.is_code || token.after != After::Word;
            is_one && (tree.has_folder(text) || !tree.files_of(text).is_empty())
        })
    };
    let place = (2..tokens.len()).find(|at| says(&tokens, *at, PLACES) && is_path(at + 1));
    let Some(place) = place.filter(|at| !tokens[*at].is_code) else {
        return tokens;
    };
    let article = (place.saturating_sub(4)..place).rfind(|at| says(&tokens, *at, "the our"));
    let is_plain = |from: usize| {
        (from..place).all(|at| !is_name(&tokens, at) && tokens[at].after == After::Word)
    };
    match article.filter(|from| is_plain(*from) && *from > 0) {
        Some(from) => {
            let mut tokens = tokens;
            tokens.drain(from..=place);
            tokens
        }
        None => tokens,
    }
}

/// Replaces "the default one" after "a subclass of X" by `DefaultX`, if the tree has one such type.
fn one_of_its_kind(mut tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    let is_one = |at: &usize| {
        let is_plain = tokens[at - 1].text.chars().all(char::is_alphabetic);
        says(&tokens, *at, "one")
            && says(&tokens, at - 2, "the our")
            && is_plain
            && !lexicon::is_empty(word(&tokens, at - 1))
            && !lexicon::is_only(word(&tokens, at - 1))
    };
    let Some(at) = (3..tokens.len()).find(is_one) else {
        return tokens;
    };
    let is_type = |token: &&QuestionToken| token.is_capitalised() && tree.defines(&token.text);
    let named = tokens[..at].iter().rfind(is_type);
    let Some(name) = named.map(|token| token.text.clone()) else {
        return tokens;
    };
    let mut letters = word(&tokens, at - 1).chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    let capital = first.unwrap_or_default() + letters.as_str();
    let spelled = [format!("{capital}{name}"), format!("{name}{capital}")];
    let mut defined = spelled.iter().filter(|text| tree.defines(text));
    // Both `DefaultX` and `XDefault` could be meant if both exist.
    if let (Some(one), None) = (defined.next(), defined.next()) {
        let token = QuestionToken {
            text: one.clone(),
            lower: one.to_lowercase(),
            is_code: true,
            ..tokens[at].clone()
        };
        tokens.splice(at - 2..=at, [token]);
    }
    tokens
}

/// Drops a final "internally" from "does f call g internally?": a body calls inside.
fn without_manner(tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let is_last = |at: &usize| tokens[*at].after != After::Word || at + 1 == tokens.len();
    let at = (3..tokens.len()).find(|at| word(&tokens, *at) == "internally" && is_last(at));
    let Some(at) = at else {
        return tokens;
    };
    let start = start_of(&tokens, at);
    let names = (start..at).filter(|at| is_name(&tokens, *at)).count();
    match names > 1 && says(&tokens, start, "does do did") {
        true => without(tokens, at, at + 1),
        false => tokens,
    }
}

/// Plural nouns for those that do something to a name.
const SEVERAL: &str = "subclasses implementations implementors implementers callers users children heirs subtypes \
    descendants clients consumers importers";

/// Rewrites "one of the callers of f" and "one of the X implementations" with "a" and the singular.
fn one_of_several(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let begins = |at: &usize| {
        let noun = at + 3 + usize::from(is_name(&tokens, at + 3));
        word(&tokens, *at) == "one"
            && word(&tokens, at + 1) == "of"
            && says(&tokens, at + 2, "the many several")
            && says(&tokens, noun, SEVERAL)
    };
    let Some(at) = (1..tokens.len().saturating_sub(3)).find(begins) else {
        return tokens;
    };
    let noun = at + 3 + usize::from(is_name(&tokens, at + 3));
    let singular = match word(&tokens, noun) {
        "children" => "child".to_owned(),
        noun => lexicon::singular(noun),
    };
    let is_asked = tokens[noun].is_asked;
    let one = token::like(&tokens[noun], &singular);
    tokens[noun] = QuestionToken { is_asked, ..one };
    let article = token::like(&QuestionToken::default(), "a");
    tokens.splice(at..at + 3, [article]);
    tokens
}

/// Verbs before a keyword and its value.
const GIVES: &str = "pass give hand accept take accepts takes passed given supply specify";

/// Replaces a keyword argument by its parameter: "can I pass limit=3 to f?" is about `limit`.
fn with_keyword(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let gives = tokens.iter().any(|token| is_in(GIVES, &token.lower));
    let is_name = |text: &str| {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
            && text.chars().all(is_part)
    };
    for token in tokens.iter_mut().filter(|_| gives) {
        let keyword = token.text.split_once('=');
        // `a==b` and `a=>b` are no keyword arguments.
        let name = keyword.filter(|(name, value)| is_name(name) && !value.starts_with(['=', '>']));
        if let Some(name) = name.map(|(name, _)| name.to_owned()) {
            token.lower = name.to_lowercase();
            token.text = name;
            token.is_code = true;
        }
    }
    tokens
}

/// Rewrites "does the parser package use X?" as "does anything in parser use X?"
fn by_folder(mut tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    let begins = |at: &usize| {
        let noun = at + 3;
        says(&tokens, *at, "does do did")
            && (*at == 0 || tokens[at - 1].after != After::Word)
            && word(&tokens, at + 1) == "the"
            && says(&tokens, noun, "package folder directory module file")
            && (at + 1..=noun).all(|at| tokens[at].after == After::Word && !tokens[at].is_code)
    };
    let Some(at) = (0..tokens.len().saturating_sub(4)).find(begins) else {
        return tokens;
    };
    let text = tokens[at + 2].text.clone();
    let is_folder = tree.has_folder(&text) && !says(&tokens, at + 3, "module file");
    let file = tree
        .file_of_stem(&text)
        .filter(|_| !is_folder && says(&tokens, at + 3, "module file"));
    let itself = usize::from(word(&tokens, at + 4) == "itself");
    let words: Vec<QuestionToken> = match file {
        Some(file) => vec![QuestionToken {
            lower: file.to_lowercase(),
            text: file,
            is_code: true,
            ..QuestionToken::default()
        }],
        None if is_folder => {
            let mut words: Vec<QuestionToken> = ["anything", "in"]
                .iter()
                .map(|word| token::like(&QuestionToken::default(), word))
                .collect();
            words.push(tokens[at + 2].clone());
            words
        }
        None => return tokens,
    };
    tokens.splice(at + 1..at + 4 + itself, words);
    tokens
}

/// Rewrites "does f check g first?", "does f ask g for it?" and "does f ask for g?" with "use".
fn checking(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let is_verb = |at: usize| {
        says(
            &tokens,
            at,
            "check checks ask asks try tries validate validates",
        )
    };
    let is_adverb = |at: usize| says(&tokens, at, "ever even also actually really first always");
    let found = (2..tokens.len().saturating_sub(1)).find(|at| {
        let doer = (at.saturating_sub(3)..*at).rfind(|at| !is_adverb(*at));
        let joint = usize::from(says(&tokens, *at, "ask asks") && word(&tokens, at + 1) == "for");
        let next = at + 1 + joint + usize::from(lexicon::is_article(word(&tokens, at + 1 + joint)));
        let is_that = |doer: usize| says(&tokens, doer, "that which") && doer + 1 == *at;
        let follows = doer.is_some_and(|doer| is_name(&tokens, doer) || is_that(doer));
        is_verb(*at) && !is_name(&tokens, *at) && follows && is_name(&tokens, next)
    });
    if let Some(at) = found {
        let uses = if word(&tokens, at).ends_with('s') {
            "uses"
        } else {
            "use"
        };
        tokens[at] = token::like(&tokens[at], uses);
        if word(&tokens, at + 1) == "for" {
            tokens.remove(at + 1);
        }
        return without_wish(tokens, at);
    }
    tokens
}

/// Drops "for something" after the object of "asks".
fn without_wish(tokens: Vec<QuestionToken>, verb: usize) -> Vec<QuestionToken> {
    const THINGS: &str = "something anything it one this that them";
    let object = verb + 1 + usize::from(lexicon::is_article(word(&tokens, verb + 1)));
    let is_wish = word(&tokens, object + 1) == "for" && says(&tokens, object + 2, THINGS);
    match is_wish && tokens[object].after == After::Word {
        true => without(tokens, object + 1, object + 3),
        false => tokens,
    }
}

/// Reports whether a file names a type only to call something on it: `Log.write()`, but not `log:
/// Log`.
fn is_through_type(
    tokens: &[QuestionToken],
    doer: usize,
    name: usize,
    tree: &QuestionTree<'_>,
) -> bool {
    let text = tokens.get(name).map_or("", |token| token.text.as_str());
    if !text.starts_with(char::is_uppercase) || !tree.defines(text) {
        return false;
    }
    let is_called =
        |line: &str| line.contains(&format!("{text}.")) || line.contains(&format!("{text}::"));
    let is_named = |line: &str| line.contains(text) && !line.trim_start().starts_with("using ");
    let files = tree.files_of(&tokens[doer].text);
    let texts = files.iter().filter_map(|file| tree.text(file.as_str()));
    let mut lines = texts.flat_map(|source| source.lines().map(str::to_owned).collect::<Vec<_>>());
    let mut named = lines.by_ref().filter(|line| is_named(line)).peekable();
    named.peek().is_some() && named.all(|line| is_called(&line))
}

/// Rewrites "how often does a.cs write to Log?" and "where does b.rb hand over to Router?" with
/// "use".
fn writing_to(mut tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    const VERBS: &str =
        "write log report talk speak refer resort turn delegate print emit reach go hand";
    let asks = |tokens: &[QuestionToken]| {
        let often = |at: usize| {
            word(tokens, at) == "how" && word(tokens, at + 1) == "often"
                || word(tokens, at) == "many" && word(tokens, at + 1) == "times"
        };
        (0..tokens.len()).any(|at| often(at) || word(tokens, at) == "where")
    };
    let found = (2..tokens.len()).find_map(|at| {
        let more = usize::from(says(&tokens, at + 1, "over out"));
        let to = at + 1 + more;
        let name = to + 1 + usize::from(lexicon::is_article(word(&tokens, to + 1)));
        let is_said = says(&tokens, at, VERBS) && says(&tokens, to, "to for through via");
        let is_doer = is_name(&tokens, at - 1) && says(&tokens, at - 2, "does do did");
        // If the file also has a value of the type, what it does through that value is not found by
        // the name of the type.
        let is_through = is_said && is_doer && is_through_type(&tokens, at - 1, name, tree);
        is_through.then_some((at, to))
    });
    match found.filter(|_| asks(&tokens)) {
        Some((at, to)) => {
            tokens[at] = token::like(&tokens[at], "use");
            without(tokens, at + 1, to + 1)
        }
        None => tokens,
    }
}

/// Inserts the missing "is it" into "F - called from more than one place?"
fn asked_of_topic(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let is_topic = is_name(&tokens, 0) && tokens[0].after == After::Pause;
    let end = end_of(&tokens, 0);
    let asks = |at: usize| lexicon::is_asking(word(&tokens, at)) || is_name(&tokens, at);
    let is_asked = end == tokens.len() && tokens.last().is_some_and(|token| token.is_asked);
    let has_asking = (1..end).any(asks);
    // "F: more than two callers?" lacks "are there".
    let is_number = says(&tokens, 1, "more fewer less") && word(&tokens, 2) == "than";
    if is_topic && is_asked && is_number && !has_asking {
        let words = ["are", "there"].map(|word| token::like(&QuestionToken::default(), word));
        tokens.splice(1..1, words);
        return tokens;
    }
    if is_topic && is_asked && asks_if_done(&tokens, end, has_asking) {
        let words = ["is", "it"].map(|word| token::like(&QuestionToken::default(), word));
        tokens.splice(1..1, words);
    }
    tokens
}

/// Reports whether the words after a topic ask if something is done to it, where `has_asking` tells
/// whether one of them is a name or asks for something else.
fn asks_if_done(tokens: &[QuestionToken], end: usize, has_asking: bool) -> bool {
    const DONE: &str = "called used invoked referenced imported exercised";
    let verb = 1 + usize::from(says(tokens, 1, "only ever still really just actually"));
    // "F: used by what?" and "f: used by tests and called where?" ask with another word.
    let restricts = |at: usize| lexicon::is_only(word(tokens, at)) && !is_name(tokens, at);
    // "F: used by tests exclusively?" is whether it is.
    let is_listed = says(tokens, verb + 1, "by") && !(verb..end).any(restricts);
    let is_bare = verb + 1 < end && !has_asking && !is_listed;
    let denies = (verb..end).any(|at| lexicon::is_negation(word(tokens, at)));
    // "F: used only in a.rs?" names the place.
    let is_only = (verb - 1..verb + 2).any(|at| lexicon::is_only(word(tokens, at)))
        && says(
            tokens,
            verb + 1,
            "only solely exclusively in by from inside within",
        );
    says(tokens, verb, DONE) && (is_bare || denies || is_only)
}

/// Simplifies "a test in the tests that does it" to a test, and "anything besides f's tests" to
/// anything outside of tests.
fn of_tests(tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let is_test = |at: usize| lexicon::is_test(word(&tokens, at)) && !is_name(&tokens, at);
    let is_again = |at: &usize| {
        let place = at + 1 + usize::from(word(&tokens, at + 1) == "the");
        word(&tokens, *at) == "in" && is_test(at - 1) && is_test(place)
    };
    if let Some(at) = (1..tokens.len().saturating_sub(1)).find(is_again) {
        let place = at + 1 + usize::from(word(&tokens, at + 1) == "the");
        return without(tokens, at, place + 1);
    }
    let is_whose = |at: &usize| {
        let own = tokens[*at].is_owner && tokens[*at].is_code || says(&tokens, *at, "its their");
        let excepts = |at: usize| says(&tokens, at, "besides than from except but outside of");
        let joins = word(&tokens, at - 1) == "and" && (start_of(&tokens, *at)..at - 1).any(excepts);
        own && is_test(at + 1) && (excepts(at - 1) || joins)
    };
    match (1..tokens.len().saturating_sub(1)).find(is_whose) {
        Some(at) => without_one(tokens, at),
        None => tokens,
    }
}

fn without_one(mut tokens: Vec<QuestionToken>, at: usize) -> Vec<QuestionToken> {
    tokens.remove(at);
    tokens
}

/// Largest number of words between a member and the noun for its type.
const OWNER_MAX: usize = 4;

/// Replaces "Ready of the cluster peer" by `Peer.Ready`, if one `Ready` of the tree is a member of
/// `Peer`.
fn of_owner(mut tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    let begins = |at: &usize| {
        let is_plain = tokens[*at]
            .text
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_');
        is_plain && says(&tokens, at + 1, "of on") && says(&tokens, at + 2, "the our")
    };
    let starts = (0..tokens.len().saturating_sub(3)).filter(|at| is_name(&tokens, *at));
    let found = starts
        .filter(begins)
        .find_map(|at| Some((at, owner_after(&tokens, at, tree)?)));
    if let Some((at, (owner, to))) = found {
        let text = format!("{owner}.{}", tokens[at].text);
        let end = tokens[to].clone();
        let token = QuestionToken {
            lower: text.to_lowercase(),
            text,
            is_code: true,
            ..end
        };
        tokens.splice(at..=to, [token]);
    }
    tokens
}

/// Returns the one type with that member that the words after the name spell, and the last of these
/// words.
fn owner_after(
    tokens: &[QuestionToken],
    at: usize,
    tree: &QuestionTree<'_>,
) -> Option<(String, usize)> {
    let from = at + 3;
    let is_noun = |to: usize| !is_name(tokens, to) && !lexicon::is_auxiliary(word(tokens, to));
    let is_one = |to: &usize| {
        tokens[at..*to]
            .iter()
            .all(|token| token.after == After::Word)
            && (from..=*to).all(is_noun)
    };
    let last = (from..tokens.len().min(from + OWNER_MAX)).rfind(is_one)?;
    let known = tree.know(&[tokens[at].text.as_str()]).remove(0);
    let owners = known
        .definitions()
        .filter_map(|place| place.containers.last().cloned());
    let owners: std::collections::BTreeSet<String> = owners.collect();
    let spells = |owner: &str, to: usize| {
        let words: Vec<&str> = (from..=to).map(|at| word(tokens, at)).collect();
        // "The cluster peer" spells `Peer` or `ClusterPeer`: words on the left may only describe
        // it.
        (0..words.len()).any(|start| words[start..].concat() == owner.to_lowercase())
    };
    let mut named = owners.iter().filter_map(|owner| {
        let to = (from..=last).find(|to| spells(owner, *to))?;
        Some((owner.clone(), to))
    });
    let only = named.next()?;
    named.next().is_none().then_some(only)
}

/// Rewrites "is it just f that calls g?" and "f is the one place that calls g" with "only".
fn just_one_that(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    if let Some(at) = merely_that(&tokens) {
        tokens[at] = token::like(&tokens[at], "only");
    }
    let joins = |at: usize| says(&tokens, at, "that who which");
    let begins = |at: &usize| {
        let is_it = says(&tokens, *at, "is was") && word(&tokens, at + 1) == "it";
        is_it && says(&tokens, at + 2, "just only") && is_name(&tokens, at + 3) && joins(at + 4)
    };
    if let Some(at) = (0..tokens.len().saturating_sub(4)).find(begins) {
        let name = tokens[at + 3].clone();
        let words = ["the", "only", "one"].map(|word| token::like(&QuestionToken::default(), word));
        tokens.splice(at + 1..at + 4, std::iter::once(name).chain(words));
        return tokens;
    }
    let is_the_one = |at: &usize| {
        let is_said =
            word(&tokens, at - 1) == "the" && (0..*at).any(|at| says(&tokens, at, "is was"));
        let noun = !is_name(&tokens, at + 1) && !lexicon::is_empty(word(&tokens, at + 1))
            || says(
                &tokens,
                at + 1,
                "place file class function method module caller user type",
            );
        word(&tokens, *at) == "one" && is_said && noun && joins(at + 2)
    };
    if let Some(at) = (1..tokens.len().saturating_sub(2)).find(is_the_one) {
        tokens[at] = token::like(&tokens[at], "only");
    }
    tokens
}

/// Returns the place of "just" in "is it just files in lib that call g?"
fn merely_that(tokens: &[QuestionToken]) -> Option<usize> {
    let verbs = Lexicon::new();
    let does = |at: usize| {
        let acts = tokens
            .get(at + 1)
            .is_some_and(|next| verbs.is_relation(next));
        says(tokens, at, "that who which") && acts
    };
    (2..tokens.len()).find(|at| {
        let is_it = says(tokens, at - 2, "is was") && word(tokens, at - 1) == "it";
        is_it && says(tokens, *at, MERELY) && (at + 2..end_of(tokens, *at)).any(does)
    })
}

/// Rewrites "is there no test for f?" as "is it true that nothing in the tests uses f?"
fn no_tests(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let begins = |at: &usize| {
        let is_there = says(&tokens, *at, "is are") && word(&tokens, at + 1) == "there";
        let name = at + 5 + usize::from(lexicon::is_article(word(&tokens, at + 5)));
        is_there
            && word(&tokens, at + 2) == "no"
            && lexicon::is_test(word(&tokens, at + 3))
            && says(&tokens, at + 4, "for of on covering exercising using")
            && is_name(&tokens, name)
    };
    if let Some(at) = (0..tokens.len().saturating_sub(5)).find(begins) {
        let words = [
            "is", "it", "true", "that", "nothing", "in", "the", "tests", "uses",
        ];
        let words = words.map(|word| token::like(&QuestionToken::default(), word));
        tokens.splice(at..at + 5, words);
    }
    tokens
}

/// Rewrites "do any of the middlewares use X?" as "does anything in the folder use X?", if one
/// folder has that name.
fn any_of_folder(mut tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    let begins = |at: &usize| {
        word(&tokens, *at) == "any"
            && word(&tokens, at + 1) == "of"
            && says(&tokens, at + 2, "the our")
            && !is_name(&tokens, at + 3)
    };
    let Some(at) = (0..tokens.len().saturating_sub(3)).find(begins) else {
        return tokens;
    };
    let noun = word(&tokens, at + 3).to_owned();
    let forms = [noun.clone(), lexicon::singular(&noun)];
    let Some(folder) = forms.iter().find(|form| tree.folders_of(form).len() == 1) else {
        return tokens;
    };
    let after = tokens[at + 3].after;
    let words = ["anything", "in", folder.as_str()];
    let mut words = words.map(|word| token::like(&QuestionToken::default(), word));
    words[2].after = after;
    words[2].is_code = true;
    tokens.splice(at..at + 4, words);
    tokens
}
