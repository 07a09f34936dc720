//! One statement in several forms: "If A, B" is "B if A", "the port of the server" is "the server's
//! port", "B was closed by A" is "A closed B", and what defaults to a value has that value by
//! default. Returns the statements of a text in the form in which they are compared. Whether they
//! agree is up to `compare`.

use super::compare::{self, SentenceStance};
use super::statement::Statement;
use super::tables;
use super::tokens::{Separator, Token, TokenKind};

/// Words that open a phrase or a clause which may come before the main clause or after it.
const FRONTED: [&str; 34] = [
    "if", "when", "whenever", "unless", "until", "while", "where", "because", "since", "once",
    "after", "before", "as", "with", "without", "by", "for", "in", "on", "at", "under", "during",
    "from", "using", "to", "within", "given", "through", "via", "unlike", "despite", "although",
    "though", "across",
];
/// Maximum number of words of a possessor or an actor.
const NAME_WORDS_MAX: usize = 5;
/// Verbs that state what something is or has.
const STATING: [&str; 14] = [
    "is", "are", "was", "were", "has", "have", "must", "can", "will", "may", "should", "does",
    "defaults", "equals",
];
/// Words whose "'s" is a verb, so that they are no possessors.
const SHORTENED: [&str; 9] = [
    "it's", "that's", "let's", "there's", "here's", "what's", "who's", "he's", "she's",
];
/// Words that add nothing to "default".
const LABELS: [&str; 4] = ["value", "setting", "values", "settings"];
/// Words with two spellings, and pairs of words that mean the same.
const SAME: [(&str, &str); 18] = [
    ("begin", "start"),
    ("begins", "starts"),
    ("began", "started"),
    ("amongst", "among"),
    ("whilst", "while"),
    ("towards", "toward"),
    ("max", "maximum"),
    ("min", "minimum"),
    ("centre", "center"),
    ("centres", "centers"),
    ("licence", "license"),
    ("licences", "licenses"),
    ("catalogue", "catalog"),
    ("dialogue", "dialog"),
    ("grey", "gray"),
    ("cancelled", "canceled"),
    ("labelled", "labeled"),
    ("modelling", "modeling"),
];
/// Endings with two spellings.
const ENDINGS: [(&str, &str); 12] = [
    ("isation", "ization"),
    ("ising", "izing"),
    ("ised", "ized"),
    ("ises", "izes"),
    ("ise", "ize"),
    ("ysing", "yzing"),
    ("ysed", "yzed"),
    ("yse", "yze"),
    ("oured", "ored"),
    ("ouring", "oring"),
    ("ours", "ors"),
    ("our", "or"),
];
/// Minimum number of letters of a word whose ending is changed: shorter ones such as "rise" and
/// "four" have one spelling.
const ENDED_LETTERS_MIN: usize = 6;
/// Past participles that differ from the past tense.
const DONE: [(&str, &str); 16] = [
    ("written", "wrote"),
    ("taken", "took"),
    ("given", "gave"),
    ("begun", "began"),
    ("chosen", "chose"),
    ("broken", "broke"),
    ("drawn", "drew"),
    ("driven", "drove"),
    ("known", "knew"),
    ("seen", "saw"),
    ("shown", "showed"),
    ("stolen", "stole"),
    ("thrown", "threw"),
    ("grown", "grew"),
    ("flown", "flew"),
    ("run", "ran"),
];

/// A statement in one form.
#[derive(Clone, Debug)]
pub(super) struct Form {
    statement: Statement,
    /// Whether it states a default and had no part before its main clause.
    is_default: bool,
}

/// Returns the forms of statements that are given as tokens.
pub(super) fn of(texts: Vec<Vec<Token>>) -> Vec<Form> {
    let mut forms = Vec::new();
    for tokens in texts {
        let (tokens, is_moved) = with_front_last(tokens);
        let mut statement = Statement::of_tokens(tokens);
        statement.tokens.iter_mut().for_each(spell);
        let mut is_default = false;
        // A denial is a place among the tokens, which these forms move.
        if statement.denials.is_empty() {
            if let Some(tokens) = with_of(&statement.tokens) {
                statement.tokens = tokens;
            }
            if let Some(tokens) = default(&statement.tokens) {
                statement.tokens = tokens;
                // "In version 3 the default is 5" does not exclude another default in version 4.
                is_default = !is_moved;
            }
            let of_actor = |tokens| Form {
                statement: Statement {
                    tokens,
                    ..statement.clone()
                },
                is_default: false,
            };
            forms.extend(active(&statement.tokens).into_iter().map(of_actor));
        }
        forms.push(Form {
            statement,
            is_default,
        });
    }
    forms
}

/// Compares the forms of a claim with those of a sentence. Only two defaults can refute each other;
/// other forms can only agree.
pub(super) fn compared(claim: &[Form], said: &[Form]) -> Option<SentenceStance> {
    let mut found = None;
    for (claim, said) in claim
        .iter()
        .flat_map(|one| said.iter().map(move |other| (one, other)))
    {
        let statements = std::slice::from_ref(&said.statement);
        match compare::compare(&claim.statement, statements, false) {
            // The forms are wordings of one statement, so that one that agrees is enough.
            SentenceStance::Agrees => return Some(SentenceStance::Agrees),
            SentenceStance::Contradicts if claim.is_default && said.is_default => {
                found = Some(SentenceStance::Contradicts);
            }
            SentenceStance::Contradicts | SentenceStance::Apart => {}
        }
    }
    found
}

/// Moves the part before the main clause behind it. Returns the tokens, and whether there was such
/// a part.
fn with_front_last(mut tokens: Vec<Token>) -> (Vec<Token>, bool) {
    const MAIN_MIN: usize = 2;
    let is_fronted = tokens
        .first()
        .is_some_and(|first| FRONTED.contains(&first.text.as_str()));
    let comma = tokens.iter().position(|token| token.gap != Separator::None);
    let Some(comma) =
        comma.filter(|at| is_fronted && *at > 0 && tokens[*at].gap == Separator::Comma)
    else {
        return (tokens, false);
    };
    let mut main = tokens.split_off(comma + 1);
    if main.first().is_some_and(|first| first.text == "then") {
        main.remove(0);
    }
    if main.len() < MAIN_MIN {
        tokens.extend(main);
        return (tokens, false);
    }
    // The separator at the end stays at the end, and the comma after the front goes.
    if let (Some(end), Some(front)) = (main.last_mut(), tokens.last_mut()) {
        (end.gap, front.gap) = (Separator::None, end.gap);
    }
    main.extend(tokens);
    (main, true)
}

/// Gives a word one spelling.
fn spell(token: &mut Token) {
    if token.kind != TokenKind::Word {
        return;
    }
    let same = SAME.iter().find(|(one, _)| *one == token.text);
    if let Some((_, other)) = same {
        token.text = (*other).to_owned();
    } else if token.text.len() >= ENDED_LETTERS_MIN
        // A capital, a digit or an underscore is the sign of a name of code, which has one
        // spelling.
        && token.text.bytes().all(|byte| byte.is_ascii_lowercase())
        && let Some((stem, ending)) = ENDINGS
            .iter()
            .find_map(|(one, other)| Some((token.text.strip_suffix(one)?, other)))
    {
        token.text = format!("{stem}{ending}");
    }
}

/// Rewrites "server's port is …" as "port of server is …".
fn with_of(tokens: &[Token]) -> Option<Vec<Token>> {
    let at = tokens
        .iter()
        .take(NAME_WORDS_MAX)
        .position(|token| token.text.ends_with("'s"))?;
    let verb = (at + 2..tokens.len().min(at + 1 + NAME_WORDS_MAX))
        .find(|verb| STATING.contains(&tokens[*verb].text.as_str()))?;
    // Behind a comma or a bracket, the verb may belong to another clause than the possessor.
    let is_open = tokens[..verb]
        .iter()
        .any(|token| token.gap != Separator::None);
    if is_open || SHORTENED.contains(&tokens[at].text.as_str()) {
        return None;
    }
    let mut possessor = tokens[..=at].to_vec();
    let last = possessor.last_mut()?;
    last.text = last.text.strip_suffix("'s")?.to_owned();
    let mut formed = tokens[at + 1..verb].to_vec();
    formed.push(word("of"));
    formed.extend(possessor);
    formed.extend_from_slice(&tokens[verb..]);
    Some(formed)
}

/// Rewrites a statement of a default as "default of X is V".
fn default(tokens: &[Token]) -> Option<Vec<Token>> {
    let defaults_to = |at: &usize| {
        matches!(text(tokens, *at), "defaults" | "default") && text(tokens, at + 1) == "to"
    };
    // "X defaults to 5", "the workers default to 5".
    if let Some(at) = (1..tokens.len()).find(defaults_to) {
        return default_of(&tokens[..at], &tokens[at + 2..]);
    }
    let is_copula = |token: &Token| matches!(token.text.as_str(), "is" | "are");
    let verb = tokens.iter().position(is_copula)?;
    let (thing, value) = (&tokens[..verb], &tokens[verb + 1..]);
    let is_value = matches!(
        value.first().map(|value| &value.kind),
        Some(TokenKind::Quantity(_) | TokenKind::Value)
    );
    // "X is 5 by default".
    if is_value && value.len() == 3 && (text(value, 1), text(value, 2)) == ("by", "default") {
        return default_of(thing, &value[..1]);
    }
    if text(thing, 0) != "default" {
        return None;
    }
    let labels = usize::from(LABELS.contains(&text(thing, 1)));
    match text(thing, 1 + labels) {
        // "The default of X is 5", "the default value for X is 5".
        "of" | "for" => default_of(thing.get(2 + labels..)?, value),
        // "The default X is 5".
        _ if labels == 0 => default_of(&thing[1..], value),
        _ => None,
    }
}

fn default_of(thing: &[Token], value: &[Token]) -> Option<Vec<Token>> {
    let is_whole = !thing.is_empty() && !value.is_empty();
    let of = [word("default"), word("of")];
    is_whole.then(|| [&of[..], thing, &[word("is")], value].concat())
}

/// Rewrites "B was closed by A" as "A closed B", and "B can be closed by A" as "A can close B", in
/// each form that the verb may have.
fn active(tokens: &[Token]) -> Vec<Vec<Token>> {
    let is_helped = |at: &usize| {
        let helper = text(tokens, *at);
        matches!(helper, "is" | "are" | "was" | "were" | "be") && text(tokens, at + 2) == "by"
    };
    let Some(at) = (1..tokens.len()).find(is_helped) else {
        return Vec::new();
    };
    let (done, actor) = (
        text(tokens, at + 1),
        tokens.get(at + 3..).unwrap_or_default(),
    );
    // The modal verb before "be" stays: "can be closed" is "can close".
    let modal = at - usize::from(text(tokens, at) == "be");
    let modals = &tokens[modal..at];
    let is_known = modals
        .iter()
        .all(|modal| ["can", "may", "must", "will", "should"].contains(&modal.text.as_str()));
    let patient = &tokens[..modal];
    if !is_known || !is_name(actor) || !is_name(patient) {
        return Vec::new();
    }
    let verbs = match text(tokens, at) {
        "was" | "were" => vec![past_of(done)],
        "be" => bare_of(done),
        // The actor may be one or many, and spelling decides between "s" and "es": each form is
        // tried.
        _ => bare_of(done)
            .into_iter()
            .flat_map(|bare| [format!("{bare}s"), format!("{bare}es"), bare])
            .collect(),
    };
    let form = |verb: String| [actor, modals, &[word(&verb)], patient].concat();
    verbs.into_iter().map(form).collect()
}

/// Reports whether words can be an actor or the object of an action: neither a phrase nor a value.
fn is_name(words: &[Token]) -> bool {
    let is_plain =
        |token: &Token| token.kind == TokenKind::Word && !FRONTED.contains(&token.text.as_str());
    let is_open = |token: &Token| token.gap == Separator::None;
    (1..=NAME_WORDS_MAX).contains(&words.len())
        && words.iter().all(is_plain)
        && words[..words.len() - 1].iter().all(is_open)
}

fn text(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.text.as_str())
}

/// Returns the past tense of a past participle: "written" is "wrote".
fn past_of(done: &str) -> String {
    let found = DONE.iter().find(|(form, _)| *form == done);
    found.map_or(done, |(_, past)| past).to_owned()
}

/// Returns the bare forms that a past participle may have: "stored" is "store", "started" is
/// "start".
fn bare_of(done: &str) -> Vec<String> {
    let past = past_of(done);
    if let Some(bare) = tables::present_of(&past) {
        return vec![bare.to_owned()];
    }
    let Some(stem) = done.strip_suffix("ed") else {
        return Vec::new();
    };
    let mut letters = stem.chars().rev();
    let is_doubled = letters.next() == letters.next();
    let mut found = vec![stem.to_owned(), format!("{stem}e")];
    // "Stopped" is "stop".
    if is_doubled {
        found.push(stem[..stem.len() - 1].to_owned());
    }
    // "Applied" is "apply".
    if let Some(stem) = stem.strip_suffix('i') {
        found.push(format!("{stem}y"));
    }
    found
}

fn word(text: &str) -> Token {
    Token {
        text: text.to_owned(),
        kind: TokenKind::Word,
        gap: Separator::None,
        is_capital: false,
        is_after_article: false,
    }
}
