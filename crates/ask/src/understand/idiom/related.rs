//! Turns of phrase for how two names are related, and plain words for them: "does `except A` catch
//! B too?" is "does B extend A?", and "is A one of the B_LIST?" is "does B_LIST use A?", if that is
//! a value.

use grounds_evidence::SymbolKind;

use super::super::lexicon;
use super::super::token::{self, After, QuestionToken};
use super::super::tree::{QuestionTree, last_part};
use super::{is_name, says, word};

/// Returns the words of a question with such turns in plain wording.
pub(super) fn plain(tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    of_list(caught(tokens, tree), tree)
}

/// Keywords and verbs for catching an exception.
const CATCHERS: &str = "except rescue catch catching rescuing";
/// Words between such a word and the type that it catches.
const BEFORE_CAUGHT: &str = "a an the for only just block clause handler of any plain bare";
/// Verbs for catching a further type.
const CATCHES: &str = "catch catches cover covers swallow swallows handle handles trap traps get gets include includes \
    net nets match matches grab grabs";
/// Participles for being caught.
const CAUGHT: &str = "caught covered swallowed handled trapped matched rescued";
/// Words beside these that add nothing.
const BESIDE_CAUGHT: &str = "also too still even already a an the do does did will would can could i we you get then \
    be is as well block clause handler by with if me us any error errors exception exceptions";

/// Rewrites "does `except A` swallow B?" and "is B caught by an except A?" as "does B extend A?"
fn caught(tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    let tokens = split_catchers(tokens);
    let Some(at) = (0..tokens.len()).find(|at| says(&tokens, *at, CATCHERS)) else {
        return tokens;
    };
    let caught = (at + 1..tokens.len()).find(|at| !says(&tokens, *at, BEFORE_CAUGHT));
    let is_type = |at: &usize| {
        let text = tokens.get(*at).map_or("", |token| token.text.as_str());
        // "Catch the error" names no type, even if the tree has a function `error`.
        let is_written_so = text.starts_with(char::is_uppercase) || text.contains('.');
        is_written_so && tree.defines(last_part(text))
    };
    let Some(base) = caught.filter(is_type) else {
        return tokens;
    };
    if let Some(heir) = after_catching(&tokens, base).filter(is_type) {
        let from = asked_from(&tokens, at);
        return replaced(tokens, (from, heir + 1), heir, base);
    }
    match before_passive(&tokens, at).filter(is_type) {
        Some(heir) => {
            let is_asked = heir > 0 && says(&tokens, heir - 1, "is would will does");
            let from = heir - usize::from(is_asked);
            replaced(tokens, (from, base + 1), heir, base)
        }
        None => tokens,
    }
}

/// Reports whether a token adds nothing to what is caught.
fn is_beside(tokens: &[QuestionToken], at: usize) -> bool {
    says(tokens, at, BESIDE_CAUGHT) && !is_name(tokens, at)
}

/// Returns the place after "catches as well", if that follows the type that is caught.
fn after_catching(tokens: &[QuestionToken], base: usize) -> Option<usize> {
    let catches = |at: usize| says(tokens, at, CATCHES);
    let after = (base + 1..tokens.len()).find(|at| !is_beside(tokens, *at) && !catches(*at))?;
    (base + 1..after).any(catches).then_some(after)
}

/// Returns where "does" or "if we" before a word begins.
fn asked_from(tokens: &[QuestionToken], at: usize) -> usize {
    const ASKING: &str = "does do would will if i we can you";
    let before = (0..at).rev();
    let asking = before.take_while(|at| says(tokens, *at, ASKING));
    asking.last().unwrap_or(at)
}

/// Returns the place before "is caught by", if that ends before a word.
fn before_passive(tokens: &[QuestionToken], at: usize) -> Option<usize> {
    let beside = (0..at).rev().take_while(|at| is_beside(tokens, *at));
    let verb = beside.last().unwrap_or(at).checked_sub(1)?;
    let is_verb = says(tokens, verb, CAUGHT);
    let before = (0..verb).rev().find(|at| !is_beside(tokens, *at));
    before.filter(|_| is_verb)
}

/// Splits "`except A`", which is one quoted token, into two words.
fn split_catchers(tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let split = |token: QuestionToken| match token.text.split_once(' ') {
        Some((first, rest)) if token.is_code && super::is_in(CATCHERS, first) => {
            let name = rest.trim().trim_matches(['(', ')', ':']).to_owned();
            let catcher = token::like(&QuestionToken::default(), first);
            let lower = name.to_lowercase();
            vec![
                catcher,
                QuestionToken {
                    text: name,
                    lower,
                    ..token
                },
            ]
        }
        _ => vec![token],
    };
    tokens.into_iter().flat_map(split).collect()
}

/// Replaces a range of tokens by "does HEIR extend BASE".
fn replaced(
    mut tokens: Vec<QuestionToken>,
    (from, to): (usize, usize),
    heir: usize,
    base: usize,
) -> Vec<QuestionToken> {
    let last = tokens[to - 1].clone();
    let plain = |word| token::like(&QuestionToken::default(), word);
    let joined = |at: usize| QuestionToken {
        after: After::Word,
        is_asked: false,
        is_owner: false,
        ..tokens[at].clone()
    };
    let base = QuestionToken {
        after: last.after,
        is_asked: last.is_asked,
        ..joined(base)
    };
    let said = [plain("does"), joined(heir), plain("extend"), base];
    tokens.splice(from..to, said);
    tokens
}

/// Phrases before a list for being in it.
const IN_LIST: &[&str] = &[
    "part of",
    "one of",
    "among",
    "listed in",
    "listed among",
    "listed under",
    "included in",
    "registered in",
    "contained in",
    "in",
    "on",
    "a member of",
    "member of",
    "present in",
    "found in",
];
/// Verbs of a list for having an entry.
const LISTS: &str = "include includes contain contains list lists hold holds mention mentions";

/// Rewrites "is A one of the B_LIST?" and "does B_LIST include A?" as "does B_LIST use A?"
fn of_list(mut tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    let is_list = |at: usize| is_name(&tokens, at) && is_value(&tokens[at].text, tree);
    let verb = (2..tokens.len().saturating_sub(1)).find(|at| {
        let item = at + 1 + usize::from(lexicon::is_article(word(&tokens, at + 1)));
        says(&tokens, *at, LISTS)
            && !is_name(&tokens, *at)
            && is_list(at - 1)
            && is_name(&tokens, item)
            && says(&tokens, 0, "does do")
    });
    if let Some(verb) = verb {
        tokens[verb] = token::like(&tokens[verb], "use");
        return tokens;
    }
    match in_list(&tokens, &is_list) {
        Some(found) => asked_of_list(tokens, found),
        None => tokens,
    }
}

/// Returns the places of A, of the words after "of", and of B_LIST in "is A one of the B_LIST".
fn in_list(
    tokens: &[QuestionToken],
    is_list: &dyn Fn(usize) -> bool,
) -> Option<(usize, usize, usize)> {
    (1..tokens.len()).find_map(|item| {
        let begins = says(tokens, item - 1, "is")
            && is_name(tokens, item)
            && tokens[item].after == After::Word;
        let length = IN_LIST.iter().find_map(|phrase| {
            let mut words = phrase.split(' ').enumerate();
            words
                .all(|(offset, said)| word(tokens, item + 1 + offset) == said)
                .then(|| phrase.split(' ').count())
        });
        let from = item + 1 + length.filter(|_| begins)?;
        let from = from + usize::from(says(tokens, from, "the our its those"));
        let list = from + usize::from(tokens.get(from)?.is_owner && tokens[from].is_code);
        is_list(list).then_some((item, from, list))
    })
}

/// Replaces "is A one of the B_LIST" by "does B_LIST use A".
fn asked_of_list(
    mut tokens: Vec<QuestionToken>,
    (item, from, list): (usize, usize, usize),
) -> Vec<QuestionToken> {
    let is_noun = says(
        &tokens,
        list + 1,
        "list array set table tuple collection map",
    ) && tokens[list].after == After::Word;
    let to = list + usize::from(is_noun);
    let end = tokens[to].clone();
    let mut said = vec![token::like(&QuestionToken::default(), "does")];
    said.extend(tokens[from..=list].iter().cloned());
    if let Some(last) = said.last_mut() {
        last.after = After::Word;
    }
    said.push(token::like(&QuestionToken::default(), "use"));
    said.push(QuestionToken {
        after: end.after,
        is_asked: end.is_asked,
        ..tokens[item].clone()
    });
    tokens.splice(item - 1..=to, said);
    tokens
}

/// Reports whether all definitions of a name are values.
fn is_value(text: &str, tree: &QuestionTree<'_>) -> bool {
    use SymbolKind as K;
    let known = tree.know(&[last_part(text)]).remove(0);
    let mut kinds = known.definitions().map(|place| place.kind).peekable();
    kinds.peek().is_some()
        && kinds.all(|kind| {
            matches!(
                kind,
                Some(K::Constant | K::Variable | K::Field | K::Property)
            )
        })
}
