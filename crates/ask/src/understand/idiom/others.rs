//! Turns of phrase about whether others do something too, and plain words for them: "nothing but f
//! calls g" is "nothing except f calls g", "f is alone in calling g" is "f is the only one calling
//! g", and "g never leaks out of a.rs" is "g is never used outside of a.rs".

use super::super::lexicon;
use super::super::token::{self, After, QuestionToken};
use super::super::tree::{QuestionTree, last_part};
use super::{MERELY, end_of, is_name, says, start_of, without, word};

/// Returns the words of a question with such turns in plain wording.
pub(super) fn plain(tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    let tokens = nowhere_but(another_one(without_recursion(wrapper(tokens))));
    let tokens = no_test(its_only(the_one_it_has(has_one(not_anywhere(tokens)))));
    let tokens = of_topic(is_where(alone(leaving(none_but(tokens), tree))));
    let tokens = without_namesake(without_contrast(only_for_tests(tokens)), tree);
    anything_else(
        without_definition(but_the_one_in(nothing_left(tokens))),
        tree,
    )
}

/// Words after "anything".
const ANYONE: &str = "anything anyone anybody something someone somebody";

/// Names the exception of a question that follows a remark: "I see f only in g. Does anything else
/// call it?" is "does anything other than g call f?"
fn anything_else(tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    let Some(of_else) = (1..tokens.len()).rfind(|at| says(&tokens, *at, "else elsewhere")) else {
        return tokens;
    };
    let start = start_of(&tokens, of_else);
    let Some((object, around)) = named_before(&tokens, start, tree) else {
        return tokens;
    };
    let is_anywhere = says(&tokens, of_else - 1, "anywhere somewhere");
    let (from, said) = match () {
        () if says(&tokens, of_else - 1, ANYONE) => (of_else, "other than"),
        () if word(&tokens, of_else) == "elsewhere" => (of_else, "outside of"),
        () if is_anywhere => (of_else - 1, "outside of"),
        () => return tokens,
    };
    let it = (start..tokens.len()).find(|at| word(&tokens, *at) == "it");
    let is_said = |at: usize| is_name(&tokens, at) && tokens[at].text == tokens[object].text;
    let again = (start..tokens.len()).find(|at| is_said(*at));
    let Some(meant) = it.or(again) else {
        return tokens;
    };
    let mut plain = tokens.clone();
    plain[meant] = like_name(&tokens[object], &tokens[meant]);
    let mut excepted = words(said);
    excepted.push(like_name(&tokens[around], &tokens[of_else]));
    plain.splice(from..=of_else, excepted);
    plain.drain(..start);
    plain
}

/// Returns the object and the exception of a question that begins at a place, if the words before
/// it name two things.
fn named_before(
    tokens: &[QuestionToken],
    start: usize,
    tree: &QuestionTree<'_>,
) -> Option<(usize, usize)> {
    let is_named = |at: &usize| {
        let token = &tokens[*at];
        let is_capital = token.is_capital && token.text.len() > 2;
        token.is_code || is_capital && tree.defines(&token.text)
    };
    let named: Vec<usize> = (0..start).filter(is_named).collect();
    let asks = lexicon::is_auxiliary(word(tokens, start));
    match named.as_slice() {
        [one, other] if asks => told_apart(tokens, *one, *other),
        _ => None,
    }
}

/// Returns a name with the pause of another token.
fn like_name(name: &QuestionToken, place: &QuestionToken) -> QuestionToken {
    QuestionToken {
        after: place.after,
        is_asked: place.is_asked,
        is_owner: false,
        ..name.clone()
    }
}

/// Returns the name that a remark is about, and the one around it or before its verb: f and g of "f
/// is only in g" and of "g calls f".
fn told_apart(tokens: &[QuestionToken], one: usize, other: usize) -> Option<(usize, usize)> {
    const INSIDE: &str = "in inside within outside of from besides except by";
    let between = || one + 1..other;
    let joined = between().all(|at| tokens[at].after != After::End);
    let verbs = lexicon::Lexicon::new();
    let uses = between().any(|at| verbs.calls(&tokens[at]) || says(tokens, at, "uses"));
    let is_passive = between().any(|at| lexicon::is_be(word(tokens, at)));
    match () {
        () if !joined => None,
        () if says(tokens, other - 1, INSIDE) => Some((one, other)),
        () if uses && !is_passive => Some((other, one)),
        () => None,
    }
}

/// What is before an exception.
const OUT: &[&str] = &[
    "aside from",
    "apart from",
    "other than",
    "not counting",
    "except for",
    "besides",
    "except",
    "excluding",
    "ignoring",
    "without",
    "beyond",
    "not",
];

/// What is behind an exception.
const AFTER: &[&str] = &[
    "aside",
    "apart",
    "excluded",
    "excepted",
    "not counted",
    "not included",
    "does not count",
    "left out",
];

/// Words of a question for uses.
const USING: &str = "use uses used call calls called touch touches refer refers referenced mention mentions \
    mentioned reads read usages callers references";

/// Drops an exception for the definition: "which lines use F, its own declaration aside?" A
/// definition is no use.
fn without_definition(tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let length = |at: usize, phrases: &[&str]| {
        let stands = |phrase: &&&str| {
            let mut said = phrase.split(' ').enumerate();
            said.all(|(offset, known)| word(&tokens, at + offset) == known)
        };
        let found = phrases.iter().find(stands);
        found.map(|phrase| phrase.split(' ').count())
    };
    let found = (2..tokens.len()).find_map(|at| {
        let out = length(at, OUT);
        let first = at + out.unwrap_or(0);
        let noun = (first..tokens.len()).find(|at| !says(&tokens, *at, "its the own"))?;
        let after = length(noun + 1, AFTER).filter(|_| out.is_none());
        let end = noun + 1 + after.unwrap_or(0);
        let is_noun = noun > first && says(&tokens, noun, "declaration definition");
        let ends = end == tokens.len() || tokens[end - 1].after != After::Word;
        let is_apart = tokens[at - 1].after != After::Word || out.is_some();
        let uses = (0..at).any(|at| says(&tokens, at, USING) && !is_name(&tokens, at));
        (is_noun && ends && is_apart && uses && out.is_some() != after.is_some())
            .then_some((at, end))
    });
    match found {
        Some((from, to)) => without(tokens, from, to),
        None => tokens,
    }
}

/// Words of an exception after "nowhere" and "by nothing", longer ones first.
const EXCEPTS: &[&str] = &[
    "else but",
    "else except",
    "else than",
    "other than",
    "apart from",
    "aside from",
    "save for",
    "except for",
    "outside of",
    "but",
    "except",
    "outside",
    "besides",
    "beyond",
    "save",
];

/// Returns how many words of an exception begin at a place.
fn exception(tokens: &[QuestionToken], at: usize) -> Option<usize> {
    let stands = |phrase: &&&str| {
        let mut said = phrase.split(' ').enumerate();
        said.all(|(offset, known)| word(tokens, at + offset) == known)
    };
    let phrase = EXCEPTS.iter().find(stands)?;
    Some(phrase.split(' ').count())
}

/// Rewrites "used nowhere but in a.rs" and "called by nothing except f" with "only".
fn nowhere_but(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    const NONE: &str = "nothing nobody noone no-one none anything anybody anyone";
    let found = (1..tokens.len()).find_map(|at| {
        let joined = tokens[at - 1].after == After::Word && tokens[at].after == After::Word;
        let is_nowhere = says(&tokens, at, "nowhere");
        let is_denied =
            (start_of(&tokens, at)..at).any(|at| lexicon::is_negation(word(&tokens, at)));
        let is_by = says(&tokens, at - 1, "by from") && says(&tokens, at, NONE) && !is_denied;
        // "Called by anyone but f" asks if others call it, and denies nothing.
        let is_by = is_by && !word(&tokens, at).starts_with("any");
        let length = exception(&tokens, at + 1).filter(|_| joined && (is_nowhere || is_by))?;
        let end = at + 1 + length;
        let again = usize::from(is_by && says(&tokens, end, "by from"));
        Some((if is_by { at - 1 } else { at }, end + again, is_by))
    });
    if let Some((from, to, is_by)) = found {
        let joint = word(&tokens, from).to_owned();
        let is_in = says(&tokens, to, "in inside within under by from");
        let is_list = (to..(to + 3).min(tokens.len())).any(|at| says(&tokens, at, "and or"));
        let said = match () {
            () if is_by && is_list => format!("{joint} nobody besides"),
            () if is_by => format!("only {joint}"),
            () if is_in => "only".to_owned(),
            () => "only in".to_owned(),
        };
        tokens.splice(from..to, words(&said));
    }
    tokens
}

/// Rewrites "is f just a thin wrapper around g?" and "f is nothing more than a wrapper for g" as "f
/// calls g".
fn wrapper(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    const WRAPPERS: &str = "wrapper shim facade veneer frontend front-end";
    const BESIDE: &str = "just only merely simply really basically a an the thin mere simple tiny small little light \
        lightweight plain convenience nothing no more than but";
    const JOINTS: &str = "around over for on top of to";
    let found = (1..tokens.len()).find_map(|noun| {
        let beside = (0..noun)
            .rev()
            .take_while(|at| says(&tokens, *at, BESIDE))
            .last()?;
        let object = (noun + 1..tokens.len()).find(|at| !says(&tokens, *at, JOINTS))?;
        let (doer, is) = match () {
            () if says(&tokens, beside.checked_sub(1)?, "is") => {
                (beside.checked_sub(2)?, beside - 1)
            }
            () => (beside - 1, beside.checked_sub(2)?),
        };
        let fits = says(&tokens, noun, WRAPPERS)
            && object > noun + 1
            && says(&tokens, is, "is")
            && could_name(&tokens, doer)
            && is_name(&tokens, object)
            && (doer.min(is)..object).all(|at| tokens[at].after == After::Word);
        fits.then_some((doer, is, object))
    });
    if let Some((doer, is, object)) = found {
        let (said, verb) = match is < doer {
            true => (is, "does call"),
            false => (doer, "calls"),
        };
        let name = tokens[doer].clone();
        let mut plain = words(verb);
        plain.insert(plain.len() - 1, name);
        tokens.splice(said..object, plain);
    }
    tokens
}

/// Rewrites "f is used nowhere in lib" as "f is not used in lib".
fn not_anywhere(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let begins = |at: &usize| {
        let ends = tokens[*at].after != After::Word || at + 1 == tokens.len();
        let is_here = ends || says(&tokens, at + 1, "in inside within under");
        let is_done = says(
            &tokens,
            at - 1,
            "used called referenced invoked imported mentioned",
        );
        let joined = tokens[at - 1].after == After::Word;
        word(&tokens, *at) == "nowhere" && is_here && is_done && joined
    };
    if let Some(at) = (1..tokens.len()).find(begins) {
        tokens = without(tokens, at, at + 1);
        tokens.insert(at - 1, token::like(&QuestionToken::default(), "not"));
    }
    tokens
}

/// Reports whether a token is a name or could be one.
fn could_name(tokens: &[QuestionToken], at: usize) -> bool {
    let is_word = |token: &QuestionToken| {
        let is_plain = token
            .text
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_');
        is_plain && !lexicon::is_empty(&token.lower) && !lexicon::is_test(&token.lower)
    };
    is_name(tokens, at) || tokens.get(at).is_some_and(is_word)
}

/// Words for the number one.
const NUMBER: &str = "only just exactly precisely a one single sole but merely lone";
/// What joins the one to the number of them: "one caller, and that is g".
const JOINED: &[&str] = &[
    "and that is",
    "and that 's",
    "and that's",
    "and it is",
    "and it 's",
    "and it's",
    "and this is",
    "and that one is",
    "that is",
    "that 's",
    "that's",
    "it is",
    "it's",
    "which is",
    "who is",
    "namely",
    "being",
    "i.e",
    "i.e.",
    "viz",
    "specifically",
];

/// Returns the place of g and the range of the words that join it in "one caller, and that is g".
fn told_after(tokens: &[QuestionToken], at: usize) -> Option<usize> {
    let length = |at: usize| {
        let stands = |phrase: &&&str| {
            let mut said = phrase.split(' ').enumerate();
            said.all(|(offset, known)| word(tokens, at + offset) == known)
        };
        let found = JOINED.iter().find(stands);
        found.map(|phrase| phrase.split(' ').count())
    };
    let joined = length(at + 1);
    // Without such words only a pause sets g apart.
    let doer = at + 1 + joined.unwrap_or(0);
    let doer = doer + usize::from(word(tokens, doer) == "the");
    let is_apart = joined.is_some() || tokens.get(at)?.after == After::Pause;
    let ends = tokens.get(doer)?.after != After::Word || doer + 1 == tokens.len();
    (is_apart && ends && could_name(tokens, doer)).then_some(doer)
}

/// Rewrites "f has only one caller, g", "there is just one caller of f, namely g" and "f is called
/// from one place only, which is g" as "g is the only caller of f".
fn has_one(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let found = (1..tokens.len()).find_map(|at| {
        let by = [has_one_user, is_one_user, is_used_once, only_one_uses];
        by.iter().find_map(|read| read(&tokens, at))
    });
    if let Some(one) = found {
        let mut said = vec![tokens[one.doer].clone()];
        said[0].after = After::Word;
        said[0].is_asked = false;
        said.extend(words(&format!("is the only {} of", one.noun)));
        let mut object = tokens[one.object].clone();
        (object.after, object.is_asked) = (tokens[one.doer].after, tokens[one.doer].is_asked);
        said.push(object);
        tokens.splice(one.start..=one.doer, said);
    }
    tokens
}

/// A statement that a name has one user, and which.
struct OneUser {
    /// Where the statement begins. It ends with the user.
    start: usize,
    object: usize,
    noun: String,
    doer: usize,
}

/// Returns where the words for one of something end: "just one", "a single".
fn after_one(tokens: &[QuestionToken], at: usize) -> Option<usize> {
    let noun = (at..tokens.len()).find(|at| !says(tokens, *at, NUMBER))?;
    let is_one = (at..noun).any(|at| says(tokens, at, "one single sole lone"));
    is_one.then_some(noun)
}

/// Returns the last word of a noun with "only" after it.
fn with_only(tokens: &[QuestionToken], noun: usize) -> usize {
    let is_joined = tokens
        .get(noun)
        .is_some_and(|token| token.after == After::Word);
    noun + usize::from(is_joined && says(tokens, noun + 1, "only alone"))
}

/// Reads "f has one caller, g".
fn has_one_user(tokens: &[QuestionToken], at: usize) -> Option<OneUser> {
    let is_said = says(tokens, at, "has have") && could_name(tokens, at - 1);
    let noun = after_one(tokens, at + 1)?;
    let doer = told_after(tokens, with_only(tokens, noun))?;
    // "Does f have one caller, g?" begins with an auxiliary, which the new words replace.
    let asks = usize::from(at > 1 && says(tokens, at - 2, "does do"));
    (is_said && says(tokens, noun, USERS)).then(|| OneUser {
        start: at - 1 - asks,
        object: at - 1,
        noun: word(tokens, noun).to_owned(),
        doer,
    })
}

/// Reads "there is one caller of f, g".
fn is_one_user(tokens: &[QuestionToken], at: usize) -> Option<OneUser> {
    let is_there = |at: usize| word(tokens, at) == "there";
    let is_said = says(tokens, at, "is 's exists") && (is_there(at - 1) || is_there(at + 1));
    let noun = after_one(tokens, at + 1 + usize::from(is_there(at + 1)))?;
    let object = noun + 2;
    let is_of = says(tokens, noun, USERS) && says(tokens, noun + 1, "of to for");
    let doer = told_after(tokens, with_only(tokens, object))?;
    (is_said && is_of && could_name(tokens, object)).then(|| OneUser {
        start: at - usize::from(is_there(at - 1)),
        object,
        noun: word(tokens, noun).to_owned(),
        doer,
    })
}

/// Returns the noun for what does what a participle or a verb says.
fn user_of(word: &str) -> Option<&'static str> {
    match word {
        "called" | "invoked" | "calls" | "invokes" => Some("caller"),
        "used" | "referenced" | "uses" | "references" => Some("user"),
        "imported" | "imports" => Some("importer"),
        _ => None,
    }
}

/// Reads "f is called from one place only, g" and "f is called just once, in g".
fn is_used_once(tokens: &[QuestionToken], at: usize) -> Option<OneUser> {
    let noun = user_of(word(tokens, at))?;
    let (object, start) = match () {
        () if says(tokens, at - 1, "is") => (at.checked_sub(2)?, at - 2),
        () => (
            at - 1,
            at.checked_sub(2).filter(|at| says(tokens, *at, "is"))?,
        ),
    };
    const ONCE: &str = "only just exactly once";
    let after = at + 1 + usize::from(says(tokens, at + 1, "from in at by"));
    let last = match after_one(tokens, after) {
        Some(place) => says(tokens, place, "place spot site function method file module")
            .then(|| with_only(tokens, place))?,
        None => (at + 1..tokens.len())
            .take_while(|at| says(tokens, *at, ONCE))
            .last()?,
    };
    let is_once = last > after || (at + 1..=last).any(|at| word(tokens, at) == "once");
    // "Called only once, in g" has a word of place before g.
    let apart = tokens[last].after == After::Pause && says(tokens, last + 1, "in by from");
    let doer = match apart {
        true => told_at_end(tokens, last + 2)?,
        false => told_after(tokens, last)?,
    };
    (is_once && could_name(tokens, object)).then(|| OneUser {
        start,
        object,
        noun: noun.to_owned(),
        doer,
    })
}

/// Returns a place if it has a name that ends the clause.
fn told_at_end(tokens: &[QuestionToken], at: usize) -> Option<usize> {
    let ends = tokens.get(at)?.after != After::Word || at + 1 == tokens.len();
    (ends && is_name(tokens, at)).then_some(at)
}

/// Reads "only one function calls f, and that is g".
fn only_one_uses(tokens: &[QuestionToken], at: usize) -> Option<OneUser> {
    let noun = user_of(word(tokens, at)).filter(|_| word(tokens, at).ends_with('s'))?;
    let is_thing = says(
        tokens,
        at - 1,
        "function method place class file module thing one spot",
    );
    let first = (0..at)
        .rev()
        .take_while(|before| *before + 1 == at || says(tokens, *before, NUMBER))
        .last()?;
    let is_one = (first..at).any(|at| says(tokens, at, "one single sole lone"))
        && (first..at).any(|at| says(tokens, at, "only just exactly single sole lone"));
    let object = at + 1;
    let doer = told_after(tokens, object)?;
    (is_thing && is_one && could_name(tokens, object)).then(|| OneUser {
        start: first,
        object,
        noun: noun.to_owned(),
        doer,
    })
}

/// Rewrites "the one caller f has" and "the only user that f has" as "the only caller of f".
fn the_one_it_has(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let found = (1..tokens.len()).find_map(|at| {
        let noun = at + 1;
        let is_one = word(&tokens, at) == "one" || lexicon::is_only(word(&tokens, at));
        let name = noun + 1 + usize::from(says(&tokens, noun + 1, "that which"));
        let fits = word(&tokens, at - 1) == "the"
            && is_one
            && says(&tokens, noun, USERS)
            && could_name(&tokens, name)
            && (at..name + 1).all(|at| tokens[at].after == After::Word)
            && says(&tokens, name + 1, "has");
        fits.then_some((at, noun, name))
    });
    if let Some((at, noun, name)) = found {
        let (after, is_asked) = (tokens[name + 1].after, tokens[name + 1].is_asked);
        let mut said = words(&format!("only {} of", word(&tokens, noun)));
        let name_token = tokens[name].clone();
        said.push(QuestionToken {
            after,
            is_asked,
            ..name_token
        });
        tokens.splice(at..name + 2, said);
    }
    tokens
}

/// Nouns for what uses something.
const USERS: &str = "user users caller callers customer client clients consumer consumers reference references use \
    usage call calls importer importers subclass child implementation implementor implementer";

/// Rewrites "is there a second caller of f?" with "more than one".
fn another_one(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let begins = |at: &usize| {
        says(&tokens, *at, "a any")
            && says(&tokens, at + 1, "second third")
            && says(&tokens, at + 2, USERS)
            && (1..=2).any(|back| {
                at.checked_sub(back)
                    .is_some_and(|at| says(&tokens, at, "there have has"))
            })
    };
    if let Some(at) = (1..tokens.len().saturating_sub(2)).find(begins) {
        let number = if word(&tokens, at + 1) == "third" {
            "two"
        } else {
            "one"
        };
        tokens.splice(at..at + 2, words(&format!("more than {number}")));
    }
    tokens
}

/// Rewrites "F - is a.rs its only user?" and "F: in lib, is a.rs the sole user?" as "is a.rs the only
/// user of F?"
fn its_only(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let is_topic = is_name(&tokens, 0) && tokens[0].after == After::Pause;
    let begins = |at: &usize| {
        let ends = tokens[at + 2].after != After::Word || at + 3 == tokens.len();
        (word(&tokens, *at) == "its" || is_topic && word(&tokens, *at) == "the")
            && lexicon::is_only(word(&tokens, at + 1))
            && says(&tokens, at + 2, USERS)
            && (ends || says(&tokens, at + 3, "in inside within under"))
    };
    let Some(at) = (2..tokens.len().saturating_sub(2)).find(begins) else {
        return tokens;
    };
    let Some(first) = one_named_before(&tokens, at) else {
        return tokens;
    };
    let (after, is_asked) = (tokens[at + 2].after, tokens[at + 2].is_asked);
    tokens[at + 2] = token::like(&QuestionToken::default(), word(&tokens, at + 2));
    tokens[at] = token::like(&tokens[at], "the");
    let of_it = [
        token::like(&QuestionToken::default(), "of"),
        QuestionToken {
            after,
            is_asked,
            is_owner: false,
            ..tokens[first].clone()
        },
    ];
    tokens.splice(at + 3..at + 3, of_it);
    // The topic at the start is repeated after "of" now, and would be left over.
    match first == 0 && tokens[0].after == After::Pause {
        true => without(tokens, 0, 1),
        false => tokens,
    }
}

/// Returns the one name before "is a.rs its only user" that is not the user.
fn one_named_before(tokens: &[QuestionToken], its: usize) -> Option<usize> {
    let doer = its - 1;
    let text = |at: usize| tokens[at].text.as_str();
    let is_other = |at: &usize| is_name(tokens, *at) && text(*at) != text(doer);
    let mut named = (0..doer).filter(is_other);
    let first = named.next()?;
    let is_asked = is_name(tokens, doer) && says(tokens, its - 2, "is was");
    (is_asked && named.all(|at| text(at) == text(first))).then_some(first)
}

/// Rewrites "any caller of f that isn't a test" and "that isn't in a.rs" with "outside of".
fn no_test(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    const LIGHT: &str = "a an the one of part in inside from by some just only";
    let found = (1..tokens.len().saturating_sub(3)).find_map(|at| {
        let is_which = says(&tokens, at, "that which who")
            && says(&tokens, at + 1, "is are does do")
            && word(&tokens, at + 2) == "not";
        let verb = at + 3 + usize::from(says(&tokens, at + 3, "live sit reside come"));
        let place = (verb..tokens.len()).find(|at| !says(&tokens, *at, LIGHT))?;
        let start = start_of(&tokens, at);
        let of_users = (start..at).any(|at| says(&tokens, at, USERS) && !is_name(&tokens, at));
        let is_place = says(&tokens, verb, "in inside from");
        let text = &tokens[place].text;
        let is_path = is_place && is_name(&tokens, place) && text.contains(['.', '/']);
        let is_test = lexicon::is_test(word(&tokens, place)) && !is_name(&tokens, place);
        let joined = (at..place).all(|at| tokens[at].after == After::Word);
        let code = usize::from(is_test && says(&tokens, place + 1, "code"));
        let ends = tokens[place + code].after != After::Word || place + code + 1 == tokens.len();
        (is_which && of_users && joined && ends && (is_path || is_test)).then_some((at, place))
    });
    if let Some((from, place)) = found {
        tokens.splice(from..place, words("outside of"));
    }
    tokens
}

/// Drops an exception for recursion: "apart from its own recursion, is f called only by tests?" A
/// call of f by itself is never counted with "only".
fn without_recursion(tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let found = (0..tokens.len()).find_map(|at| {
        let is_out = says(
            &tokens,
            at,
            "besides excluding ignoring disregarding except without",
        );
        let joint = match () {
            () if says(&tokens, at, "apart aside") && word(&tokens, at + 1) == "from" => at + 2,
            () if is_out => at + 1 + usize::from(word(&tokens, at + 1) == "for"),
            () => return None,
        };
        let noun = (joint..tokens.len()).find(|at| !says(&tokens, *at, "its the own any"))?;
        let length = match () {
            () if says(&tokens, noun, "recursion self-call self-calls itself") => 1,
            () if word(&tokens, noun) == "recursive" && says(&tokens, noun + 1, "call calls") => 2,
            () => return None,
        };
        let start = start_of(&tokens, at);
        let restricts = |at: usize| lexicon::is_only(word(&tokens, at)) && !is_name(&tokens, at);
        let is_only = (start..end_of(&tokens, at)).any(restricts);
        is_only.then_some((at, noun + length))
    });
    match found {
        Some((0, to)) => tokens[to..].to_vec(),
        Some((from, to)) => without(tokens, from, to),
        None => tokens,
    }
}

/// Rewrites "is f purely a test thing?" and "f is just a test helper, right?" with "used only by
/// tests".
fn only_for_tests(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    const THINGS: &str = "thing helper utility matter affair aid tool fixture function method";
    let begins = |at: &usize| {
        let is_mere = says(&tokens, *at, MERELY)
            && says(&tokens, at + 1, "a")
            && lexicon::is_test(word(&tokens, at + 2));
        let ends = |at: usize| {
            tokens
                .get(at)
                .is_some_and(|token| token.after != After::Word)
        };
        is_mere && says(&tokens, at + 3, THINGS) && (ends(at + 3) || at + 4 == tokens.len())
    };
    if let Some(at) = (1..tokens.len().saturating_sub(3)).find(begins) {
        let mut said = words("used only by tests");
        if let Some(last) = said.last_mut() {
            (last.after, last.is_asked) = (tokens[at + 3].after, tokens[at + 3].is_asked);
        }
        tokens.splice(at..at + 4, said);
    }
    tokens
}

/// Returns plain words as tokens.
fn words(text: &str) -> Vec<QuestionToken> {
    let like = |word| token::like(&QuestionToken::default(), word);
    text.split(' ').map(like).collect()
}

/// Rewrites "nothing but f", "no function but f" and "any code but f" with "except".
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

/// Verbs of a name that is not kept inside a file.
const LEAVES: &str = "leave leaves leak leaks escape escapes";

/// Rewrites "it never leaves a.rs" and "does it leak out of a.rs?" with "used outside of".
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
        // "Does it leak memory?" has no place after the verb, and asks something else.
        (joined && (is_file || is_path)).then_some(from)
    };
    let verbs = (1..tokens.len()).filter(|at| says(&tokens, *at, LEAVES) && !is_name(&tokens, *at));
    if let Some((verb, from)) = verbs.filter_map(|at| Some((at, place(at)?))).next() {
        tokens.splice(verb..from, words("used outside of"));
    }
    tokens
}

/// Rewrites "f is alone in calling g" and "f is on its own in calling g" with "the only one", and
/// "f alone calls g" with "only f".
fn alone(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let length = |at: usize| match () {
        () if word(&tokens, at) == "alone" => 1,
        () if word(&tokens, at) == "on" && word(&tokens, at + 2) == "own" => 3,
        () => 0,
    };
    let found = (1..tokens.len()).find_map(|at| {
        let to = at + length(at);
        let is_doing = says(&tokens, to, "in") && word(&tokens, to + 1).ends_with("ing");
        // "By tests alone" is a scope, which is read later.
        let of_one = !lexicon::is_test(word(&tokens, at - 1));
        (to > at && is_doing && of_one).then_some((at, to))
    });
    if let Some((from, to)) = found {
        tokens.splice(from..=to, words("the only one"));
        return tokens;
    }
    let verbs = lexicon::Lexicon::new();
    let is_before_verb = |at: &usize| {
        let joined = tokens[at - 1].after == After::Word && tokens[*at].after == After::Word;
        let acts = tokens
            .get(at + 1)
            .is_some_and(|next| verbs.is_relation(next));
        word(&tokens, *at) == "alone" && is_name(&tokens, at - 1) && joined && acts
    };
    if let Some(at) = (1..tokens.len()).find(is_before_verb) {
        tokens[at] = token::like(&tokens[at], "only");
        tokens.swap(at - 1, at);
    }
    tokens
}

/// Rewrites "f is where g gets called exclusively" as "f is the only place where g gets called".
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

/// Replaces "it" by the topic: "G: f is the only place calling it".
fn of_topic(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let is_topic = is_name(&tokens, 0) && tokens[0].after == After::Pause;
    let end = end_of(&tokens, 0);
    let is_it = |at: &usize| word(&tokens, *at) == "it";
    let mut all = (1..end).filter(is_it);
    // The first "it" is the object. A later one belongs to a tag: "…, isn't it?"
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

/// Drops "left" where it adds nothing: "is there any code left that calls f?", "any callers left".
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

/// Shortens an exception to its place: "ignoring the one in f", "apart from the call in f".
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

/// Drops "not merely B" from "does f implement A too, not merely B?"
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
    // The first half must be a whole statement about two names.
    match asks && is_one && names(start, at) > 1 {
        true => without(tokens, at, end),
        false => tokens,
    }
}

/// Drops what only says which name is not meant: "the callers of A.f (the method, not B.g)", "A.f,
/// not B's". A name with an owner lists nothing else anyway.
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

/// Returns the range of the words around a "not" that only exclude a namesake.
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
    // In "the method, not …" and "our one, not …" the words before "not" belong to it.
    let is_kind = lexicon::is_kind(word(tokens, not - 1)) || says(tokens, not - 1, "one");
    let says_kind = is_kind && not > 2 && says(tokens, not - 2, "the our my that");
    let from = if says_kind { not - 2 } else { not };
    let meant = tokens[..from].iter().rfind(|token| token.is_code)?;
    let last = last_part(&meant.text);
    // Without an owner the namesake would be listed too, so the exclusion must not be dropped.
    let has_owner = last.len() < meant.text.len() && !meant.text.contains('/');
    let is_alike = says_kind || name.is_owner || last_part(&name.text) == last;
    let asks = asks_for_list(tokens, from);
    (has_owner && is_alike && asks).then_some((from, other + 1))
}

/// Reports whether the words before a place ask for a list. "F calls A.f, not B.f" makes a
/// statement about both.
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
