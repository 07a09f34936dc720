//! Remarks that change nothing about a question: that tests count, which they do by default, or
//! that a list is wanted in the order of the source, which it has.

use super::lexicon;
use super::restriction;
use super::token::{self, After, QuestionToken};
use super::tree::QuestionTree;
use crate::words::is_in;

/// Orders in which places are listed anyway.
const ORDERS: &[&str] = &[
    "and in what order",
    "and in which order",
    "in what order",
    "in which order",
    "in that order",
    "from top to bottom",
    "top to bottom",
    "in call order",
    "in source order",
    "in their order",
];
/// Words after "tests" that say that they count.
const COUNTING: &[&str] = &[
    "count too",
    "count as well",
    "count also",
    "as well",
    "too",
    "also",
    "included",
    "welcome",
];
/// Words before "tests" that say that they count.
const INCLUDING: &str = "including incl include plus";
/// Words for what every list includes, in addition to tests.
const LISTED: &str = "private internal recursive mocks fakes stubs doubles benchmarks generated \
    nested anonymous inner unnamed nameless static";
/// Words for everything but the tests.
const PRODUCT: &str = "lib library src source sources production prod main code non-test package \
    repo repository tree codebase";
/// Words between "in" and the place.
const BESIDE: &str = "the its their our both in of any all unit own a and or";
/// Largest number of words before the verb by which somebody asks.
const ASKER_WORDS_MAX: usize = 6;
/// Nouns after a kind of place.
const NOUNS: &str = "code files sources suite file folder directory projects project";

/// Returns the words without such remarks.
pub(super) fn without(
    mut tokens: Vec<QuestionToken>,
    tree: &QuestionTree<'_>,
) -> Vec<QuestionToken> {
    drop_asker(&mut tokens);
    drop_motive(&mut tokens);
    name_own(&mut tokens, tree);
    drop_imports(&mut tokens);
    exclude_tests(&mut tokens);
    drop_orders(&mut tokens);
    drop_both(&mut tokens, tree);
    drop_counting(&mut tokens);
    drop_including(&mut tokens);
    tokens
}

/// Drops who asks, which says nothing about the question: "our infra folks want to know where …",
/// "somebody asked me which …".
fn drop_asker(tokens: &mut Vec<QuestionToken>) {
    const WHO: &str = "our my the a an one some somebody someone people folks everybody everyone";
    const ASKING: &[&str] = &[
        "want to know",
        "wants to know",
        "like to know",
        "asked me",
        "asks me",
        "asked us",
        "asks us",
        "asked",
        "asks",
        "wonders",
    ];
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let end_of = |at: usize| {
        let phrase = ASKING.iter().map(|phrase| phrase.split(' '));
        let mut fitting = phrase.filter(|words| {
            words
                .clone()
                .enumerate()
                .all(|(by, one)| word(at + by) == one)
        });
        fitting.next().map(|words| at + words.count())
    };
    let begins = is_in(WHO, word(0));
    let found = (1..ASKER_WORDS_MAX.min(tokens.len())).find_map(end_of);
    let is_plain = |end: &usize| {
        is_in("where which what who whose how when", word(*end))
            && tokens[..*end]
                .iter()
                .all(|token| !token.is_code && token.after == After::Word)
    };
    if let Some(end) = found.filter(|end| begins && is_plain(end)) {
        tokens.drain(..end);
    }
}

/// Returns the text without brackets that only describe, and their texts. Brackets that exclude
/// something or mention tests stay.
pub(super) fn without_brackets(text: &str) -> (String, Vec<String>) {
    let (mut kept, mut told, mut rest) = (String::new(), Vec::new(), text);
    while let Some(start) = rest.find(" (") {
        let Some(length) = rest[start..].find(')') else {
            break;
        };
        let inside = &rest[start + 2..start + length];
        let end = start + length + 1;
        kept.push_str(&rest[..start]);
        if describes(inside) {
            told.push(inside.to_owned());
        } else {
            // A comma keeps the brackets apart from the clause before them.
            kept.push(',');
            kept.push_str(&rest[start..end]);
        }
        rest = &rest[end..];
    }
    kept.push_str(rest);
    (kept, told)
}

/// Reports whether brackets exclude nothing, or only what no list has: "definitions, not the
/// headers".
fn describes(inside: &str) -> bool {
    const UNLISTED: &str = "headers header declarations declaration prototypes imports import \
        comments docs";
    let lower = inside.to_lowercase();
    let mut words = lower
        .split([' ', ',', ':', ';'])
        .filter(|word| !word.is_empty());
    let last = lower.rsplit(' ').next().unwrap_or_default();
    let is_unlisted = is_in(UNLISTED, last);
    words.all(|word| {
        let leaves_out = lexicon::is_negation(word)
            || is_in(
                "no without except excluding skip skipping ignore ignoring but minus besides",
                word,
            )
            || word.ends_with("n't");
        let is_code = word.contains(['`', '(']);
        // A word that restricts the list must stay in the question.
        !(lexicon::is_test(word)
            || lexicon::is_only(word)
            || leaves_out && !is_unlisted
            || is_code
            || is_in(
                "ones indirect indirectly transitive transitively direct directly",
                word,
            )
            || restriction::is_restricting(word))
    })
}

/// Removes a remark on whose functions are meant, and returns the words and the remark: "…, our own
/// methods only", "(no stdlib calls)".
pub(super) fn without_own(mut tokens: Vec<QuestionToken>) -> (Vec<QuestionToken>, Option<String>) {
    const WHOSE: &str = "our own the this project project's projects repo local internal in-house \
        methods functions helpers calls call code ones stuff stdlib std builtins builtin built-ins \
        standard library libraries third-party external framework runtime language counting out";
    const LIMITS: &str = "only just no not ignore ignoring skip skipping without excluding \
        excluded exclude leave leaving minus";
    let found = (1..tokens.len()).find_map(|from| {
        let is_start = tokens[from - 1].after != After::Word;
        let end = (from..tokens.len()).find(|at| tokens[*at].after != After::Word);
        let end = end.map_or(tokens.len(), |at| at + 1);
        let mut words = tokens[from..end].iter().map(|token| token.lower.as_str());
        // "Our own methods" alone describes something. With "only" or "no" it says what is left
        // out.
        let limits = words.clone().any(|word| is_in(LIMITS, word));
        let is_all = words.all(|word| is_in(WHOSE, word) || is_in(LIMITS, word));
        (is_start && limits && is_all && end > from + 1).then_some((from, end))
    });
    let Some((from, to)) = found else {
        return (tokens, None);
    };
    let told: Vec<&str> = tokens[from..to]
        .iter()
        .map(|token| token.text.as_str())
        .collect();
    let told = told.join(" ");
    drop(&mut tokens, from, to);
    (tokens, Some(told))
}

/// Rewrites "which classes define their own inspect" as "have an inspect method", which names the
/// method.
fn name_own(tokens: &mut Vec<QuestionToken>, tree: &QuestionTree<'_>) {
    const HAVING: &str = "define defines declare declares have has provide provides";
    let is_own = |at: &usize| {
        let pauses = tokens
            .get(at + 3)
            .is_some_and(|name| name.after != After::Word);
        let is_last = pauses || at + 4 == tokens.len();
        is_in(HAVING, word(tokens, *at))
            && is_in("their its", word(tokens, at + 1))
            && word(tokens, at + 2) == "own"
            && is_last
    };
    let Some(at) = (1..tokens.len()).find(is_own) else {
        return;
    };
    let types = tokens
        .iter()
        .any(|token| is_in("classes types structs class", &token.lower));
    if !types || !tree.defines(&tokens[at + 3].text) {
        return;
    }
    let name = QuestionToken {
        is_code: true,
        after: After::Word,
        ..tokens[at + 3].clone()
    };
    let method = token::like(&tokens[at + 3], "method");
    let method = QuestionToken {
        is_asked: tokens[at + 3].is_asked,
        ..method
    };
    let has = token::like(&tokens[at], "have");
    let article = token::like(&tokens[at + 1], "an");
    tokens.splice(at..at + 4, [has, article, name, method]);
}

fn word(tokens: &[QuestionToken], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.lower.as_str())
}

/// Removes words. The separator after the last one moves to the word before them.
fn drop(tokens: &mut Vec<QuestionToken>, from: usize, to: usize) {
    let (after, is_asked) = match tokens.get(to - 1) {
        Some(last) => (last.after, last.is_asked),
        None => return,
    };
    tokens.drain(from..to);
    if let Some(before) = from.checked_sub(1).and_then(|at| tokens.get_mut(at)) {
        let is_pause = before.after == After::Pause && after == After::Word;
        before.after = if is_pause { After::Pause } else { after };
        before.is_asked |= is_asked;
    }
}

fn stands(tokens: &[QuestionToken], at: usize, phrase: &str) -> Option<usize> {
    let words: Vec<&str> = phrase.split(' ').collect();
    let fits = words
        .iter()
        .enumerate()
        .all(|(number, one)| word(tokens, at + number) == *one);
    let joined = (at..at + words.len() - 1).all(|at| {
        tokens
            .get(at)
            .is_some_and(|token| token.after == After::Word)
    });
    (fits && joined).then_some(at + words.len())
}

fn ends(tokens: &[QuestionToken], end: usize) -> bool {
    end >= tokens.len() || tokens[end - 1].after != After::Word
}

/// Drops why it is asked: "I want to change how paths are matched - give me every use of f".
fn drop_motive(tokens: &mut Vec<QuestionToken>) {
    const PLANS: &str = "want need am plan planning going have would try trying";
    let begins = is_in("i we", word(tokens, 0)) && is_in(PLANS, word(tokens, 1));
    let pause = tokens.iter().position(|token| token.after != After::Word);
    let Some(end) = pause.map(|at| at + 1).filter(|_| begins) else {
        return;
    };
    let orders = is_in(
        "give show list tell find who where which what",
        word(tokens, end),
    );
    // A plan that names code is kept, since "it" in the request may refer to that name.
    let names = tokens[..end].iter().any(|token| token.is_code);
    if orders && !names && tokens[end - 1].after == After::Pause {
        tokens.drain(..end);
    }
}

/// Rewrites "callers of f (not the tests)" with "excluding".
fn exclude_tests(tokens: &mut [QuestionToken]) {
    let is_end = |at: usize| ends(tokens, at + 1) && lexicon::is_test(word(tokens, at));
    let found = (2..tokens.len()).find(|at| {
        let next = at + 1 + usize::from(word(tokens, at + 1) == "the");
        word(tokens, *at) == "not" && is_end(next)
    });
    let named = found.is_some_and(|at| tokens[..at].iter().any(|token| token.is_code));
    if let Some(at) = found.filter(|_| named) {
        tokens[at] = token::like(&tokens[at], "excluding");
    }
}

/// Drops "…, imports don't matter": every list shows imports apart.
fn drop_imports(tokens: &mut Vec<QuestionToken>) {
    const IDLE: &[&str] = &[
        "no imports",
        "not imports",
        "not the imports",
        "skip imports",
        "skip the imports",
        "without imports",
        "without the imports",
        "imports do not matter",
        "imports do not count",
        "the imports do not matter",
        "import lines do not matter",
        "comments do not count",
        "comments do not matter",
        "docs do not count",
        "docs do not matter",
        "the docs do not count",
        "ignore the docs",
        "ignore docs",
        "not the docs",
    ];
    let found = (1..tokens.len()).find_map(|at| {
        let end = IDLE.iter().find_map(|phrase| stands(tokens, at, phrase))?;
        let paused = tokens[at - 1].after != After::Word;
        (paused && ends(tokens, end)).then_some((at, end))
    });
    if let Some((from, to)) = found {
        drop(tokens, from, to);
    }
}

/// Drops "…, and in what order?" at the end of a question for a list.
fn drop_orders(tokens: &mut Vec<QuestionToken>) {
    let asks =
        |token: &QuestionToken| is_in("which what list show functions methods", &token.lower);
    // "Does f call g and h in that order?" asks about the order itself.
    if !tokens.iter().any(asks) || lexicon::is_auxiliary(word(tokens, 0)) {
        return;
    }
    let found = (2..tokens.len()).find_map(|at| {
        let end = ORDERS
            .iter()
            .find_map(|phrase| stands(tokens, at, phrase))?;
        ends(tokens, end).then_some((at, end))
    });
    if let Some((from, to)) = found {
        drop(tokens, from, to);
    }
}

/// Drops a place that is everywhere: "across src and tests", "in production code and in its test".
/// A list of two folders of the tree stays.
fn drop_both(tokens: &mut Vec<QuestionToken>, tree: &QuestionTree<'_>) {
    let begins = |at: &usize| is_in("in across throughout from over both", word(tokens, *at));
    let found = (1..tokens.len()).filter(begins).find_map(|from| {
        let (mut at, mut product, mut tests) = (from + 1, None, None);
        while at < tokens.len() {
            let one = word(tokens, at);
            let stop = tokens[at].is_code && !one.ends_with('/');
            match one.trim_end_matches('/') {
                _ if stop => break,
                one if lexicon::is_test(one) => tests = Some(at),
                one if is_in(PRODUCT, one) => product = Some(at),
                one if is_in(BESIDE, one) || is_in(NOUNS, one) => {}
                _ => break,
            }
            at += 1;
            if ends(tokens, at) && tests.is_some() && product.is_some() {
                break;
            }
        }
        let joined = (from..at).any(|at| is_in("and or both", word(tokens, at)));
        (joined && product.is_some()).then_some(())?;
        Some((from, at, product?, tests?))
    });
    let Some((from, to, product, tests)) = found else {
        return;
    };
    let is_folder = |at: usize| !tree.folders_of(&tokens[at].text).is_empty();
    if is_folder(product) && is_folder(tests) && word(tokens, product) != "code" {
        return;
    }
    drop(tokens, from, to);
}

/// Drops "…, unit tests count too" and "(tests as well)".
fn drop_counting(tokens: &mut Vec<QuestionToken>) {
    let is_ones =
        |at: usize| at > 1 && word(tokens, at) == "ones" && is_in(LISTED, word(tokens, at - 1));
    let is_test =
        |at: &usize| lexicon::is_test(word(tokens, *at)) && !tokens[*at].is_code || is_ones(*at);
    let found = (1..tokens.len()).filter(is_test).find_map(|at| {
        let end = COUNTING
            .iter()
            .find_map(|phrase| stands(tokens, at + 1, phrase))?;
        let is_kind = is_ones(at) || is_in("unit the integration", word(tokens, at - 1));
        let from = at - usize::from(is_kind);
        let joined =
            from > 2 && word(tokens, from - 1) == "and" && word(tokens, from - 2) == "examples";
        let from = from - 2 * usize::from(joined);
        let paused = from > 0 && tokens[from - 1].after != After::Word;
        (ends(tokens, end) && paused && tokens[at].after == After::Word).then_some((from, end))
    });
    if let Some((from, to)) = found {
        drop(tokens, from, to);
    }
}

/// Drops "…, including any in the test projects", since these count by default.
fn drop_including(tokens: &mut Vec<QuestionToken>) {
    let begins = |at: &usize| is_in(INCLUDING, word(tokens, *at));
    let found = (2..tokens.len()).filter(begins).find_map(|from| {
        let end = (from..tokens.len()).find(|at| tokens[*at].after != After::Word);
        let end = end.map_or(tokens.len(), |at| at + 1);
        let is_listed =
            |at: usize| lexicon::is_test(word(tokens, at)) || is_in(LISTED, word(tokens, at));
        let has_test = (from..end).any(is_listed);
        let is_plain = |at: usize| {
            let word = word(tokens, at);
            !(tokens[at].is_code
                || lexicon::is_negation(word)
                || lexicon::is_only(word)
                || lexicon::is_asking(word)
                || is_in("but except without", word))
        };
        (has_test && (from..end).all(is_plain)).then_some((from, end))
    });
    if let Some((from, to)) = found {
        drop(tokens, from, to);
    }
}
