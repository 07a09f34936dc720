//! Turns of phrase that say whether others do something too, as the plain words for it: "nothing but f calls g" is
//! "nothing except f calls g", "f is alone in calling g" is "f is the only one calling g", and "g never leaks out of
//! a.rs" is "g is never used outside of a.rs".

use super::super::lexicon;
use super::super::token::{self, After, QuestionToken};
use super::super::tree::{QuestionTree, last_part};
use super::{MERELY, end_of, is_name, says, start_of, without, word};

/// The words of a question with such turns in plain wording.
pub(super) fn plain(tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    let tokens = of_topic(is_where(alone(leaving(none_but(tokens), tree))));
    let tokens = without_namesake(without_contrast(tokens), tree);
    but_the_one_in(nothing_left(tokens))
}

/// Some plain words as tokens.
fn words(text: &str) -> Vec<QuestionToken> {
    let like = |word| token::like(&QuestionToken::default(), word);
    text.split(' ').map(like).collect()
}

/// "Nothing but f", "no function but f", "any code but f": except f.
fn none_but(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let is_none = |at: usize| {
        says(
            &tokens,
            at,
            "nothing nobody noone none anything anyone anybody",
        )
    };
    let is_noun = |at: usize| {
        !is_name(&tokens, at)
            && says(&tokens, at - 1, "no any")
            && !says(&tokens, at, "longer more")
    };
    let excepts = |at: &usize| {
        let next = at + 1 + usize::from(says(&tokens, at + 1, "the in"));
        let joined = tokens[at - 1].after == After::Word;
        word(&tokens, *at) == "but"
            && joined
            && is_name(&tokens, next)
            && (is_none(at - 1) || *at > 1 && is_noun(at - 1))
    };
    if let Some(at) = (1..tokens.len()).find(excepts) {
        tokens[at] = token::like(&tokens[at], "except");
    }
    tokens
}

/// Verbs of what is not kept in a file.
const LEAVES: &str = "leave leaves leak leaks escape escapes";

/// "It never leaves a.rs", "does it leak out of a.rs?": it is used outside of that file.
fn leaving(mut tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    let place = |verb: usize| {
        let joint = (1..=2)
            .take_while(|more| says(&tokens, verb + more, "out of outside from beyond past"));
        let from = verb + 1 + joint.count();
        let place = from + usize::from(says(&tokens, from, "the its own this that"));
        let place = place + usize::from(says(&tokens, place, "own"));
        let text = tokens.get(place).map_or("", |token| token.text.as_str());
        let is_file = says(&tokens, place, "file module") && place > from;
        let is_path = !tree.files_of(text).is_empty() || tree.has_folder(text);
        let joined = (verb..place).all(|at| tokens[at].after == After::Word);
        let ends = |token: &QuestionToken| token.after != After::Word;
        let is_last = tokens.get(place).is_some_and(ends) || place + 1 == tokens.len();
        let joined = joined && (is_last || says(&tokens, place + 1, "at or and"));
        (joined && (is_file || is_path)).then_some(from)
    };
    let verbs = (1..tokens.len()).filter(|at| says(&tokens, *at, LEAVES) && !is_name(&tokens, *at));
    if let Some((verb, from)) = verbs.filter_map(|at| Some((at, place(at)?))).next() {
        tokens.splice(verb..from, words("used outside of"));
    }
    tokens
}

/// "F is alone in calling g", "f is on its own in calling g": f is the only one calling g.
fn alone(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let length = |at: usize| match () {
        () if word(&tokens, at) == "alone" => 1,
        () if word(&tokens, at) == "on" && word(&tokens, at + 2) == "own" => 3,
        () => 0,
    };
    let found = (1..tokens.len()).find_map(|at| {
        let to = at + length(at);
        let is_doing = says(&tokens, to, "in") && word(&tokens, to + 1).ends_with("ing");
        let of_one = !lexicon::is_test(word(&tokens, at - 1));
        (to > at && is_doing && of_one).then_some((at, to))
    });
    if let Some((from, to)) = found {
        tokens.splice(from..=to, words("the only one"));
    }
    tokens
}

/// "F is where g gets called exclusively": f is the only place where g gets called.
fn is_where(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let begins = |at: &usize| {
        let joined = tokens[at - 1].after == After::Word && tokens[*at].after == After::Word;
        says(&tokens, *at, "is")
            && word(&tokens, at + 1) == "where"
            && joined
            && is_name(&tokens, at - 1)
    };
    let Some(at) = (1..tokens.len()).find(begins) else {
        return tokens;
    };
    let end = end_of(&tokens, at);
    let Some(only) = (at + 3..end).find(|at| lexicon::is_only(word(&tokens, *at))) else {
        return tokens;
    };
    tokens = without(tokens, only, only + 1);
    tokens.splice(at + 1..at + 1, words("the only place"));
    tokens
}

/// "G: f is the only place calling it": f is the only place calling g.
fn of_topic(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let is_topic = is_name(&tokens, 0) && tokens[0].after == After::Pause;
    let end = end_of(&tokens, 0);
    let is_it = |at: &usize| word(&tokens, *at) == "it";
    let mut all = (1..end).filter(is_it);
    // Only the "it" of "…, isn't it?" may follow.
    let Some(it) = all.next().filter(|_| is_topic) else {
        return tokens;
    };
    let restricts = (1..it).any(|at| lexicon::is_only(word(&tokens, at)));
    let doers = (1..end).filter(|at| is_name(&tokens, *at)).count();
    let is_object =
        !lexicon::is_auxiliary(word(&tokens, it - 1)) && tokens[it - 1].after == After::Word;
    if restricts && doers == 1 && is_object {
        let name = tokens[0].clone();
        let (after, is_asked) = (tokens[it].after, tokens[it].is_asked);
        tokens[it] = QuestionToken {
            after,
            is_asked,
            ..name
        };
        tokens.remove(0);
    }
    tokens
}

/// "Is there any code left that calls f?", "any callers left": what is left is what there is.
fn nothing_left(tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    const NOUNS: &str = "code caller callers use uses usage usages reference references place places anything anyone \
        nothing nobody one class classes function functions user users call calls test tests";
    let is_one = |at: &usize| {
        let follows = says(&tokens, at + 1, "that which who in of outside to")
            || tokens[*at].after != After::Word
            || at + 1 == tokens.len();
        let noun =
            (at.saturating_sub(3)..*at).any(|at| says(&tokens, at, NOUNS) && !is_name(&tokens, at));
        word(&tokens, *at) == "left" && follows && noun && !is_name(&tokens, *at)
    };
    match (1..tokens.len()).find(is_one) {
        Some(at) => without(tokens, at, at + 1),
        None => tokens,
    }
}

/// "Ignoring the one in f", "apart from the call in f": what is in f does not count.
fn but_the_one_in(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let begins = |at: &usize| {
        let is_plain = |at: usize| {
            tokens.get(at).is_some_and(|token| {
                !token.is_code && token.after == After::Word && !lexicon::is_test(&token.lower)
            })
        };
        let is_from =
            says(&tokens, *at, "from") && says(&tokens, at.wrapping_sub(1), "apart aside");
        (is_from
            || says(
                &tokens,
                *at,
                "ignoring besides except excluding than disregarding",
            ))
            && says(&tokens, at + 1, "the that those its")
            && (at + 1..at + 4).all(is_plain)
            && says(&tokens, at + 3, "in inside within from")
            && is_name(&tokens, at + 4)
    };
    if let Some(at) = (1..tokens.len()).find(begins) {
        tokens.drain(at + 1..at + 3);
    }
    tokens
}

/// "Does f implement A too, not merely B?": what else is so leaves the first half as it is asked.
fn without_contrast(tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let begins = |at: &usize| {
        tokens[at - 1].after == After::Pause
            && says(&tokens, *at, "not")
            && says(&tokens, at + 1, MERELY)
    };
    let Some(at) = (3..tokens.len().saturating_sub(1)).find(begins) else {
        return tokens;
    };
    let end = end_of(&tokens, at);
    let start = start_of(&tokens, at);
    let names = |from: usize, to: usize| (from..to).filter(|at| is_name(&tokens, *at)).count();
    let is_one = (at..end - 1).all(|at| tokens[at].after == After::Word) && end < at + 8;
    let asks = lexicon::is_auxiliary(word(&tokens, start)) || tokens[end - 1].is_asked;
    match asks && is_one && names(start, at) > 1 {
        true => without(tokens, at, end),
        false => tokens,
    }
}

/// "The callers of A.f (the method, not B.g)", "A.f, not B's": of a name with its owner, nothing else is listed.
fn without_namesake(tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    let found = (2..tokens.len()).find_map(|not| namesake_at(&tokens, not, tree));
    let Some((from, to)) = found else {
        return tokens;
    };
    let goes_on = to < tokens.len() && lexicon::is_auxiliary(word(&tokens, to));
    let mut tokens = without(tokens, from, to);
    if goes_on {
        tokens[from - 1].after = After::Word;
    }
    tokens
}

/// The words around a "not" that only say which name is not meant.
fn namesake_at(
    tokens: &[QuestionToken],
    not: usize,
    tree: &QuestionTree<'_>,
) -> Option<(usize, usize)> {
    let pauses = |at: usize| tokens[at].after != After::Word;
    let other = not + 1 + usize::from(says(tokens, not + 1, "the a an"));
    let name = tokens.get(other)?;
    let is_last = pauses(other) || other + 1 == tokens.len();
    let is_place = tree.has_folder(&name.text) || !tree.files_of(&name.text).is_empty();
    let is_named = (name.is_code || name.is_capital) && !is_place;
    let is_one = is_last && (not..other).all(|at| !pauses(at));
    if word(tokens, not) != "not" || !pauses(not - 1) || !is_named || !is_one {
        return None;
    }
    // "The method, not …", "our one, not …"
    let is_kind = lexicon::is_kind(word(tokens, not - 1)) || says(tokens, not - 1, "one");
    let says_kind = is_kind && not > 2 && says(tokens, not - 2, "the our my that");
    let from = if says_kind { not - 2 } else { not };
    let meant = tokens[..from].iter().rfind(|token| token.is_code)?;
    let last = last_part(&meant.text);
    let has_owner = last.len() < meant.text.len() && !meant.text.contains('/');
    let is_alike = says_kind || name.is_owner || last_part(&name.text) == last;
    let asks = asks_for_list(tokens, from);
    (has_owner && is_alike && asks).then_some((from, other + 1))
}

/// Whether the words before a place ask for a list: "f calls A.f, not B.f" says something of both.
fn asks_for_list(tokens: &[QuestionToken], until: usize) -> bool {
    let start = start_of(tokens, until);
    let first = word(tokens, start);
    let asks = |at: usize| {
        lexicon::is_asking(word(tokens, at))
            || says(tokens, at, "callers usages usage invocations references")
    };
    let lists = lexicon::is_asking_verb(first) || (start..until).any(asks);
    lists && !lexicon::is_auxiliary(first)
}
