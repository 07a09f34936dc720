//! Turns of phrase about what types have and what functions call, and plain words for them: "which
//! types come with a reset method?" is "which types have a reset method?", "who has its own version
//! of f?" is "who overrides f?", and "the calls that f makes" are "things f calls".

use super::super::lexicon;
use super::super::token::{self, After, QuestionToken};
use super::super::tree::{QuestionTree, last_part};
use super::{end_of, is_function, is_name, says, without, word};
use crate::understand::is_callable;

/// Nouns for types that are listed.
const TYPES: &str =
    "types type classes class structs struct interfaces traits enums records objects";
/// Verbs of having a member.
const HAVING: &str = "have has having carry carries offer offers bring brings define defines declare declares provide \
    provides supply supplies expose exposes implement implements own owns sport sports support supports with";
/// Nouns for a member.
const MEMBERS: &str = "method methods function functions field property";
/// Nouns for a definition of a type's own.
const VERSIONS: &str = "version versions implementation implementations variant variants definition definitions \
    take copy override form";

/// Returns the words of a question with such turns in plain wording.
pub(super) fn plain(tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    let tokens = built_on(has_own(calls_made(tokens)), tree);
    let tokens = own_version(comes_out(tokens), tree);
    called(of_member(with_member(tokens, tree), tree))
}

/// Rewrites "list the types called X" and "which structs are named X?" as "where is X defined?" and
/// "where is the struct X defined?": no type calls X there.
fn called(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    if let Some((start, noun, name)) = called_types(&tokens) {
        let noun = lexicon::singular(word(&tokens, noun));
        let (after, is_asked) = (tokens[name].after, tokens[name].is_asked);
        let mut said = words(if noun == "type" {
            "where is"
        } else {
            "where is the"
        });
        if noun != "type" {
            said.extend(words(&noun));
        }
        said.push(QuestionToken {
            after: After::Word,
            is_asked: false,
            is_code: true,
            ..tokens[name].clone()
        });
        said.push(QuestionToken {
            after,
            is_asked,
            ..token::like(&QuestionToken::default(), "defined")
        });
        tokens.splice(start..=name, said);
    }
    tokens
}

/// Returns where a mention of types by their name begins, and the places of the noun and the name.
fn called_types(tokens: &[QuestionToken]) -> Option<(usize, usize, usize)> {
    const SAID: &[&str] = &[
        "called",
        "named",
        "with the name",
        "by the name of",
        "of the name",
    ];
    (0..tokens.len()).find_map(|noun| {
        let is = noun + 1 + usize::from(says(tokens, noun + 1, "that which"));
        let is = is + usize::from(says(tokens, is, "are is"));
        let length = SAID.iter().find_map(|phrase| {
            let mut said = phrase.split(' ').enumerate();
            let stands = said.all(|(by, known)| word(tokens, is + by) == known);
            stands.then(|| phrase.split(' ').count())
        })?;
        let name = is + length;
        let start = super::start_of(tokens, noun);
        let is_light = |at: usize| {
            let word = word(tokens, at);
            lexicon::is_asking(word)
                || lexicon::is_asking_verb(word)
                || super::is_in("me all the every", word)
        };
        let fits = says(tokens, noun, TYPES)
            && is_said(tokens, name)
            && (start..noun).all(is_light)
            && joined(tokens, start, name)
            && end_of(tokens, name) == name + 1;
        fits.then_some((start, noun, name))
    })
}

fn words(text: &str) -> Vec<QuestionToken> {
    let like = |word| token::like(&QuestionToken::default(), word);
    text.split(' ').map(like).collect()
}

/// Reports whether a token may name a member: it is written as code, or has a capital.
fn is_said(tokens: &[QuestionToken], at: usize) -> bool {
    tokens
        .get(at)
        .is_some_and(|token| token.is_code || token.is_capital)
}

/// Reports whether a range has no pause.
fn joined(tokens: &[QuestionToken], from: usize, to: usize) -> bool {
    (from..to).all(|at| tokens[at].after == After::Word)
}

/// Reports whether types have a method of a name, and nothing else that a question asks about is
/// called so.
fn is_member(text: &str, tree: &QuestionTree<'_>) -> bool {
    let known = tree.know(&[last_part(text)]).remove(0);
    let is_method = |kind, is_inside: bool| is_callable(kind) && is_inside;
    let mut places = known.definitions();
    let has_method = places.any(|place| is_method(place.kind, !place.containers.is_empty()));
    let is_other = |kind, is_inside: bool| {
        grounds_repo::detail::has_members(kind) || is_callable(kind) && !is_inside
    };
    let mut places = known.definitions();
    let is_shared = places.any(|place| is_other(place.kind, !place.containers.is_empty()));
    last_part(text) == text && has_method && !is_shared
}

/// Rewrites "the calls that f makes" as "things f calls", and "the calls it makes" as "things it
/// calls".
fn calls_made(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let found = (0..tokens.len()).find_map(|at| {
        let doer = at + 1 + usize::from(says(&tokens, at + 1, "that which"));
        let is_doer = is_name(&tokens, doer) || says(&tokens, doer, "it");
        let is_made = says(&tokens, doer + 1, "makes performs issues");
        let is_call = says(&tokens, at, "calls invocations") && !is_name(&tokens, at);
        (is_call && is_doer && is_made && joined(&tokens, at, doer + 1)).then_some((at, doer))
    });
    if let Some((at, doer)) = found {
        tokens[doer + 1] = QuestionToken {
            after: tokens[doer + 1].after,
            is_asked: tokens[doer + 1].is_asked,
            ..token::like(&QuestionToken::default(), "calls")
        };
        tokens.splice(at..doer, words("things"));
    }
    tokens
}

/// Rewrites "error classes built on X" as "error classes that extend X", if X is a type, and "is f
/// built on g?" as "does f use g?". "Built on" may have become "used" or "uses" by now, but "built
/// on top of" has not.
fn built_on(mut tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    if says(&tokens, 0, "is are") && is_name(&tokens, 1) {
        return function_built_on(tokens, tree);
    }
    let found = (1..tokens.len()).find_map(|used| {
        let be = usize::from(says(&tokens, used - 1, "are is"));
        let that = usize::from(says(&tokens, (used - be).checked_sub(1)?, "that which"));
        let noun = (used - be - that).checked_sub(1)?;
        let name = object_of(&tokens, used);
        let is_built =
            is_whole(&tokens, used) || word(&tokens, used) == if be > 0 { "uses" } else { "used" };
        let fits = is_built
            && says(&tokens, noun, TYPES)
            && is_said(&tokens, name)
            && joined(&tokens, noun, name);
        fits.then_some((used - be - that, name))
    });
    if let Some((from, name)) = found
        && tree.is_base(&tokens[name].text)
    {
        let asks = says(&tokens, 0, "is are do does");
        let said = if asks { "that extend" } else { "extend" };
        tokens.splice(from..name, words(said));
    }
    tokens
}

/// Reports whether "built on" is two words here.
fn is_whole(tokens: &[QuestionToken], at: usize) -> bool {
    says(tokens, at, "built based") && says(tokens, at + 1, "on upon")
}

/// Returns the name after "built on" or "used".
fn object_of(tokens: &[QuestionToken], used: usize) -> usize {
    let name = used + 1 + usize::from(is_whole(tokens, used));
    name + usize::from(lexicon::is_article(word(tokens, name)))
}

/// Rewrites "is f built on g?" as "does f use g?", if g is a function, and "does f
/// extend g?" if both are types.
fn function_built_on(
    mut tokens: Vec<QuestionToken>,
    tree: &QuestionTree<'_>,
) -> Vec<QuestionToken> {
    let name = object_of(&tokens, 2);
    let is_built = says(&tokens, 2, "used") || is_whole(&tokens, 2);
    let fits = is_built && is_name(&tokens, name) && joined(&tokens, 0, name);
    if !fits {
        return tokens;
    }
    let verb = match () {
        () if is_function(&tokens[name].text, tree) => "use",
        () if tree.is_type(&tokens[1].text) && tree.is_base(&tokens[name].text) => "extend",
        () => return tokens,
    };
    tokens.splice(2..name, words(verb));
    tokens[0] = token::like(&tokens[0], "does");
    tokens
}

/// Rewrites "which error comes out of f?" as "which error does f throw?"
fn comes_out(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    let found = (1..tokens.len().saturating_sub(3)).find_map(|at| {
        let name = at + 3;
        let fits = says(&tokens, at, "comes come flies falls bubbles escapes")
            && says(&tokens, at + 1, "out")
            && says(&tokens, at + 2, "of")
            && says(&tokens, at - 1, "error errors exception exceptions")
            && (is_name(&tokens, name) || says(&tokens, name, "it"))
            && joined(&tokens, at - 1, name);
        fits.then_some((at, name))
    });
    if let Some((at, name)) = found {
        let (after, is_asked) = (tokens[name].after, tokens[name].is_asked);
        let thrower = QuestionToken {
            after: After::Word,
            is_asked: false,
            ..tokens[name].clone()
        };
        let throw = QuestionToken {
            after,
            is_asked,
            ..token::like(&QuestionToken::default(), "throw")
        };
        let mut said = words("does");
        said.extend([thrower, throw]);
        tokens.splice(at..=name, said);
    }
    tokens
}

/// Rewrites "X brings its own f method" as "X has a f method".
fn has_own(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    const BRINGS: &str = "bring brings carry carries ship ships sport sports supply supplies offer offers provide \
        provides add adds with get gets";
    let found = (1..tokens.len().saturating_sub(4)).find_map(|verb| {
        let with = usize::from(word(&tokens, verb) == "with");
        let comes = says(&tokens, verb - 1, "come comes ship ships");
        let fits = says(&tokens, verb, BRINGS)
            && (with == 0 || comes)
            && says(&tokens, verb + 1, "its their an")
            && word(&tokens, verb + 2) == "own"
            && is_said(&tokens, verb + 3)
            && says(&tokens, verb + 4, MEMBERS)
            && verb > with
            && is_said(&tokens, verb - with - 1)
            && joined(&tokens, verb - with, verb + 4);
        fits.then_some((verb - with, verb + 3))
    });
    if let Some((verb, name)) = found {
        let has = match word(&tokens, verb).ends_with('s') {
            true => "has a",
            false => "have a",
        };
        tokens.splice(verb..name, words(has));
    }
    tokens
}

/// Rewrites "which classes have their own version of f instead of the inherited one?" as "which
/// classes override f?"
fn own_version(tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    const BESIDE: &str = "a an its their own separate custom special different";
    let found = (1..tokens.len()).find_map(|verb| {
        let noun = (verb + 1..tokens.len()).find(|at| !says(&tokens, *at, BESIDE))?;
        let name = noun + 2 + usize::from(lexicon::is_article(word(&tokens, noun + 2)));
        let is_own = (verb + 1..noun).any(|at| word(&tokens, at) == "own");
        let with = usize::from(says(&tokens, verb.wrapping_sub(1), "come comes ship ships"));
        let fits = says(&tokens, verb, HAVING)
            && is_own
            && says(&tokens, noun, VERSIONS)
            && says(&tokens, noun + 1, "of for")
            && is_said(&tokens, name)
            && joined(&tokens, verb, name);
        fits.then_some((verb - with, name))
    });
    let Some((verb, name)) = found else {
        return tokens;
    };
    let lists = lexicon::is_asking(word(&tokens, 0)) || lexicon::is_asking_verb(word(&tokens, 0));
    if !lists || !is_member(&tokens[name].text, tree) {
        return tokens;
    }
    let mut tokens = without_inherited(tokens, name + 1);
    tokens.splice(verb..name, words("override"));
    tokens
}

/// Drops "instead of the inherited one" at the end.
fn without_inherited(tokens: Vec<QuestionToken>, from: usize) -> Vec<QuestionToken> {
    const WORDS: &str = "instead of the inherited one base default version that parent rather than inheriting it using \
        class taking";
    let end = end_of(&tokens, from.saturating_sub(1));
    let is_contrast = says(&tokens, from, "instead rather")
        && (from..end).all(|at| says(&tokens, at, WORDS) && !is_name(&tokens, at));
    match is_contrast {
        true => without(tokens, from, end),
        false => tokens,
    }
}

/// Rewrites "which types come with an f method", "types that define f" and "types with a method
/// called f" with "have a f method".
fn with_member(mut tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    const BESIDE: &str = "a an the its their own";
    let found = (1..tokens.len()).find_map(|noun| {
        let that = noun + 1 + usize::from(says(&tokens, noun + 1, "that which"));
        let verb = that + usize::from(says(&tokens, that, "come comes ship ships"));
        let mut name = (verb + 1..tokens.len()).find(|at| !says(&tokens, *at, BESIDE))?;
        if says(&tokens, name, MEMBERS) && says(&tokens, name + 1, "called named") {
            name += 2;
        }
        let is_asked = says(
            &tokens,
            noun - 1,
            "which what list all every each any name the show",
        );
        let fits = is_asked
            && says(&tokens, noun, TYPES)
            && says(&tokens, verb, HAVING)
            && is_said(&tokens, name)
            && joined(&tokens, noun, name);
        fits.then_some((noun + 1, name))
    });
    let is_listed = !lexicon::is_auxiliary(word(&tokens, 0));
    if let Some((from, name)) = found.filter(|_| is_listed)
        && is_member(&tokens[name].text, tree)
    {
        tokens = with_noun(tokens, name);
        tokens.splice(from..name, words("have a"));
    }
    tokens
}

/// Adds the noun to the name of a method, if it has none.
fn with_noun(mut tokens: Vec<QuestionToken>, name: usize) -> Vec<QuestionToken> {
    let has_noun = tokens[name].after == After::Word && says(&tokens, name + 1, MEMBERS);
    tokens[name].is_code = true;
    if !has_noun {
        let method = QuestionToken {
            after: tokens[name].after,
            is_asked: tokens[name].is_asked,
            ..token::like(&QuestionToken::default(), "method")
        };
        (tokens[name].after, tokens[name].is_asked) = (After::Word, false);
        tokens.insert(name + 1, method);
    }
    tokens
}

/// Rewrites "which f methods are there?" as "which types have a f method?", if types have a method
/// with that name and no type has it.
fn of_member(mut tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    const THERE: &[&str] = &["are there", "do we have", "exist", "are defined"];
    let at = usize::from(says(&tokens, 0, "list show")) + usize::from(says(&tokens, 1, "me all"));
    let is_one = is_said(&tokens, at + 1)
        && says(&tokens, at, "which what all")
        && says(&tokens, at + 2, "methods implementations")
        && joined(&tokens, 0, at + 2);
    let length = THERE.iter().find_map(|phrase| {
        let mut said = phrase.split(' ').enumerate();
        let stands = said.all(|(by, known)| word(&tokens, at + 3 + by) == known);
        stands.then(|| phrase.split(' ').count())
    });
    let Some(length) = length.filter(|_| is_one && is_member(&tokens[at + 1].text, tree)) else {
        return tokens;
    };
    let last = at + 2 + length;
    let mut said = words("which types have a");
    said.push(QuestionToken {
        is_code: true,
        ..tokens[at + 1].clone()
    });
    said.push(QuestionToken {
        after: tokens[last].after,
        is_asked: tokens[last].is_asked,
        ..token::like(&QuestionToken::default(), "method")
    });
    tokens.splice(0..=last, said);
    tokens
}
