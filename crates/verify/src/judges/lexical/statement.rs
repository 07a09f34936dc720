//! A statement in the form in which two are compared: without words that only lead in, and with
//! times and denials apart, in the order in which it is said. Nothing that has a meaning is left
//! out: a word that is left over on one side makes another statement.

use super::tokens::{self, Separator, Token, TokenKind};

/// Words that only lead in: they connect a sentence with the one before.
const LEADING: [&[&str]; 26] = [
    &["however"],
    &["also"],
    &["additionally"],
    &["furthermore"],
    &["moreover"],
    &["therefore"],
    &["thus"],
    &["hence"],
    &["consequently"],
    &["accordingly"],
    &["similarly"],
    &["likewise"],
    &["besides"],
    &["indeed"],
    &["and"],
    &["but"],
    &["so"],
    &["note", "also", "that"],
    &["note", "that"],
    &["please", "note", "that"],
    &["in", "addition"],
    &["in", "fact"],
    &["of", "course"],
    &["by", "way"],
    &["as", "result"],
    &["in", "other", "words"],
];
/// Words before a time.
const AT_TIME: [&str; 3] = ["in", "on", "during"];

/// A denial and the place of the token that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Denial {
    pub(super) place: usize,
    /// The helping verb before it, which has no place of its own ("does not support"); `None`
    /// without one.
    pub(super) helper: Option<Helper>,
}

/// A helping verb, which determines the form of the verb after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Helper {
    Do,
    Does,
    Did,
}

/// A statement in the form in which it is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) tokens: Vec<Token>,
    pub(super) denials: Vec<Denial>,
    /// The words of its time, in order, from its beginning or its end.
    pub(super) times: Vec<String>,
}

impl Statement {
    /// Reads a whole text as one statement.
    pub(super) fn of(text: &str) -> Self {
        Self::of_tokens(Self::whole(text))
    }

    /// Returns the tokens of a whole text.
    pub(super) fn whole(text: &str) -> Vec<Token> {
        led_in(tokens::read(text))
    }

    /// Returns the statements that a sentence makes: itself, itself without explanations in
    /// brackets, and its beginning if something is only added after it.
    pub(super) fn all_of(text: &str) -> Vec<Self> {
        Self::tokens_of(text)
            .into_iter()
            .map(Self::of_tokens)
            .collect()
    }

    /// Returns the same statements as tokens.
    pub(super) fn tokens_of(text: &str) -> Vec<Vec<Token>> {
        let whole = led_in(tokens::read(text));
        let bare = without_brackets(&whole);
        let mut forms = vec![whole];
        forms.extend(bare);
        let beginnings: Vec<Vec<Token>> = forms
            .iter()
            .filter_map(|form| Some(form[..=addition(form)?].to_vec()))
            .collect();
        forms.extend(beginnings);
        forms
    }

    pub(super) fn of_tokens(tokens: Vec<Token>) -> Self {
        let (tokens, times) = without_times(tokens);
        let mut statement = Self {
            times,
            ..Self::default()
        };
        for token in tokens {
            if token.kind == TokenKind::Denial {
                // Without the helping verb, "does not support" has its verb in the same place as
                // "supports".
                let helper = statement.tokens.last().and_then(helper);
                if helper.is_some() {
                    statement.tokens.pop();
                }
                statement.denials.push(Denial {
                    place: statement.tokens.len(),
                    helper,
                });
            } else {
                statement.tokens.push(token);
            }
        }
        statement
    }

    /// Reports whether its subject is a word that points at something outside of it.
    pub(super) fn points_outside(&self) -> bool {
        const POINTING: [&str; 14] = [
            "it", "its", "this", "that", "these", "those", "they", "their", "he", "she", "his",
            "her", "here", "there",
        ];
        self.tokens
            .first()
            .is_none_or(|first| POINTING.contains(&first.text.as_str()))
    }
}

fn helper(token: &Token) -> Option<Helper> {
    match token.text.as_str() {
        "do" => Some(Helper::Do),
        "does" => Some(Helper::Does),
        "did" => Some(Helper::Did),
        _ => None,
    }
}

/// Removes the number of a list item, and words that only lead in.
fn led_in(mut tokens: Vec<Token>) -> Vec<Token> {
    let is_number = |token: &Token| {
        token.gap == Separator::Break
            && matches!(token.kind, TokenKind::Quantity(_) | TokenKind::Value)
    };
    // "3. Restart the server" is the third item of a list.
    if tokens.len() > 1 && is_number(&tokens[0]) {
        tokens.remove(0);
    }
    while let Some(count) = leading(&tokens) {
        tokens.drain(..count);
    }
    tokens
}

fn leading(tokens: &[Token]) -> Option<usize> {
    let begins = |words: &[&str]| {
        tokens.len() > words.len()
            && tokens.iter().zip(words).all(|(token, word)| token.text == *word)
            // "So that", "but for", "also known as" are no lead-ins.
            && !matches!(tokens[words.len()].text.as_str(), "that" | "for" | "as" | "of" | "far")
    };
    LEADING
        .iter()
        .filter(|words| begins(words))
        .map(|words| words.len())
        .max()
}

/// Splits off the times of a sentence, at its beginning or its end.
fn without_times(mut tokens: Vec<Token>) -> (Vec<Token>, Vec<String>) {
    let is_time = |token: &Token| token.kind == TokenKind::Time;
    let is_at = |token: &Token| AT_TIME.contains(&token.text.as_str());
    let first = tokens
        .iter()
        .skip(1)
        .take_while(|token| is_time(token))
        .count();
    // Without its preposition, a year may be a name or a number.
    if first > 0 && is_at(&tokens[0]) && tokens.len() > first + 1 {
        let times = tokens.drain(..=first).map(|token| token.text).collect();
        return (tokens, times);
    }
    let last = tokens
        .iter()
        .rev()
        .take_while(|token| is_time(token))
        .count();
    let at = tokens.len().saturating_sub(last + 1);
    if last > 0 && at > 0 && is_at(&tokens[at]) {
        let times = tokens.drain(at..).map(|token| token.text).collect();
        return (tokens, times);
    }
    (tokens, Vec::new())
}

/// Returns the tokens without brackets that only explain: "(for backwards compatibility)",
/// "(5min)". `None` if there are no such brackets.
fn without_brackets(tokens: &[Token]) -> Option<Vec<Token>> {
    const EXPLAINING: [&str; 5] = ["for", "see", "e.g", "i.e", "cf"];
    let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        kept.push(tokens[at].clone());
        at += 1;
        if tokens[at - 1].gap != Separator::Bracket {
            continue;
        }
        let inside = tokens[at..]
            .iter()
            // A bracket that is never closed ends with its statement.
            .position(|token| token.gap >= Separator::Bracket)
            .map(|end| &tokens[at..=at + end])
            .filter(|inside| {
                let [first, rest @ ..] = inside else {
                    return false;
                };
                let is_value = rest.is_empty() && matches!(first.kind, TokenKind::Quantity(_));
                // What denies or limits is no explanation: "(see below, not on Windows)" stays.
                (is_value || EXPLAINING.contains(&first.text.as_str())) && is_plain(inside)
            });
        if let Some(inside) = inside {
            at += inside.len();
        }
    }
    (kept.len() < tokens.len()).then_some(kept)
}

/// Returns the place of the last token before something that is only added: ", so …", ", which …",
/// "; …".
fn addition(tokens: &[Token]) -> Option<usize> {
    let adds = |at: &usize| {
        let rest = &tokens[at + 1..];
        let word = |at: usize| rest.get(at).map_or("", |token| token.text.as_str());
        match tokens[*at].gap {
            Separator::Comma | Separator::Bracket => match word(0) {
                // ", and not …" or ", so only …" would change the statement before it.
                "and" | "so" | "therefore" | "hence" | "thus" => {
                    is_plain(&rest[..rest.len().min(2)])
                }
                "which" | "since" | "because" => is_plain(rest),
                "as" => rest.len() <= 3 && !matches!(word(1), "long" | "soon" | "far" | "of"),
                _ => false,
            },
            Separator::Break | Separator::None => false,
        }
    };
    (2..tokens.len().saturating_sub(1)).find(adds)
}

/// Reports whether words neither deny nor limit nor doubt.
fn is_plain(tokens: &[Token]) -> bool {
    const LIMITING: [&str; 26] = [
        "if",
        "unless",
        "only",
        "except",
        "until",
        "when",
        "while",
        "without",
        "may",
        "might",
        "could",
        "would",
        "should",
        "but",
        "though",
        "although",
        "however",
        "whether",
        "false",
        "wrong",
        "untrue",
        "formerly",
        "previously",
        "once",
        "some",
        "sometimes",
    ];
    tokens
        .iter()
        .all(|token| token.kind != TokenKind::Denial && !LIMITING.contains(&token.text.as_str()))
}
