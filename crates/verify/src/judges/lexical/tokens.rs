//! Splits a text into tokens that can be compared one by one: words as they are written, quantities
//! with their bounds and units as one token each, and denials. Only articles are left out.

use super::quantity::{self, Dimension, NumberBound, Quantity};

/// The separator between a token and the next, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Separator {
    /// Nothing that matters.
    None,
    /// A comma.
    Comma,
    /// A bracket that opens or closes.
    Bracket,
    /// The end of a statement: a full stop, a colon, a dash.
    Break,
}

/// The kind of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A word.
    Word,
    /// A number with its bound and unit.
    Quantity(Quantity),
    /// A version, a range, a power.
    Value,
    /// A month, a year, a day of a month.
    Time,
    /// A denial.
    Denial,
}

/// One token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// The text that is compared: a word in lower case, a name of code as it is written.
    pub(super) text: String,
    pub(super) kind: TokenKind,
    /// What separates it from the next.
    pub(super) gap: Separator,
    pub(super) is_capital: bool,
    /// Whether an article was left out before it.
    pub(super) is_after_article: bool,
}

/// A piece between white space, without the punctuation around it.
struct TokenPiece<'t> {
    bare: &'t str,
    opens: bool,
    gap: Separator,
}

/// Splits a text into tokens.
pub(super) fn read(text: &str) -> Vec<Token> {
    let text = without_targets(text);
    let pieces: Vec<TokenPiece<'_>> = text.split_whitespace().map(piece).collect();
    let mut tokens: Vec<Token> = Vec::with_capacity(pieces.len());
    let mut is_after_article = false;
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        at += 1;
        // An opening bracket belongs to the piece after it, but separates it from the token before.
        if let Some(last) = tokens.last_mut().filter(|_| piece.opens) {
            last.gap = last.gap.max(Separator::Bracket);
        }
        if piece.bare.is_empty() {
            if let Some(last) = tokens.last_mut() {
                last.gap = last.gap.max(piece.gap);
            }
            continue;
        }
        let lower = piece.bare.to_lowercase();
        // "A port" and "the port" are one, but `state` asks whether there was an article.
        if is_article(&lower, pieces.get(at)) {
            is_after_article = true;
            continue;
        }
        let used = push(&mut tokens, piece, &lower, &pieces[at..]);
        if let Some(last) = tokens.last_mut() {
            last.gap = last.gap.max(pieces[at + used - 1].gap);
            last.is_after_article = is_after_article;
        }
        is_after_article = false;
        at += used;
    }
    tokens
}

/// Replaces links by their text: `[text](target)` is "text".
fn without_targets(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        plain.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain.push_str(rest);
    // A dash without spaces would join two words to one token.
    plain.replace(['—', '–'], " — ").replace('’', "'")
}

fn piece(raw: &str) -> TokenPiece<'_> {
    const OPENING: [char; 10] = ['"', '\'', '“', '”', '‘', '(', '[', '{', '*', '`'];
    const CLOSING: [char; 16] = [
        '.', ',', ';', ':', '!', '?', ')', ']', '}', '"', '\'', '“', '”', '*', '`', '…',
    ];
    let right = raw.trim_start_matches(OPENING);
    let bare = right.trim_end_matches(CLOSING);
    let (before, after) = (&raw[..raw.len() - right.len()], &right[bare.len()..]);
    let gap = match () {
        // Before brackets: after "Note):" the statement ends, although a bracket closes, too. A
        // full stop comes last, since it may be that of an abbreviation: "etc.)".
        () if bare == "—" || bare == "-" || after.contains([';', ':', '!', '?']) => {
            Separator::Break
        }
        () if after.contains([')', ']']) => Separator::Bracket,
        () if after.contains(',') => Separator::Comma,
        () if after.contains('.') => Separator::Break,
        () => Separator::None,
    };
    // `_emphasis_` in Markdown loses its underscores, the name `_private` keeps its own.
    let bare = match bare {
        "—" | "-" | "|" | "&" => "",
        bare => bare
            .strip_prefix('_')
            .and_then(|inner| inner.strip_suffix('_'))
            .unwrap_or(bare),
    };
    TokenPiece {
        bare,
        opens: before.contains(['(', '[']),
        gap,
    }
}

/// Reports whether a word is an article; the "a" of "a few" and "a lot" is no article.
fn is_article(lower: &str, next: Option<&TokenPiece<'_>>) -> bool {
    let is_amount = || {
        next.is_some_and(|next| {
            matches!(
                next.bare.to_lowercase().as_str(),
                "few" | "lot" | "little" | "bit"
            )
        })
    };
    lower == "the" || (matches!(lower, "a" | "an") && !is_amount())
}

/// Adds the token that a piece begins, and returns how many of the next pieces belong to it.
fn push(
    tokens: &mut Vec<Token>,
    piece: &TokenPiece<'_>,
    lower: &str,
    next: &[TokenPiece<'_>],
) -> usize {
    let token = |text: &str, kind| token(piece, text, kind);
    // Times are read first: "5" in "5 March" and "2024" in "in 2024" are no quantities.
    if is_time(piece, tokens, next) {
        tokens.push(token(lower, TokenKind::Time));
        return 0;
    }
    if let Some(quantity) =
        // "Step 3" is a name: its number is a value like a version, and no quantity.
        quantity::read(piece.bare).filter(|_| !is_numbered(tokens, next.first()))
    {
        let (quantity, used) = measured(quantity, piece, next);
        let bound = bound_before(tokens).unwrap_or(quantity.bound);
        tokens.push(token(
            quantity::digits(lower),
            TokenKind::Quantity(Quantity { bound, ..quantity }),
        ));
        return used;
    }
    let denied = match lower {
        // "No longer" denies, and is no "no" before a comparative.
        "no" if next.first().is_some_and(|next| next.bare == "longer") => {
            tokens.push(token("no longer", TokenKind::Denial));
            return 1;
        }
        "not" | "never" | "no" => {
            tokens.push(token(lower, TokenKind::Denial));
            return 0;
        }
        "cannot" | "can't" => Some("can"),
        "won't" => Some("will"),
        // "Doesn't" is "does not", so that both forms have the same tokens.
        _ => lower.strip_suffix("n't").filter(|verb| !verb.is_empty()),
    };
    if let Some(verb) = denied {
        tokens.extend([
            token(verb, TokenKind::Word),
            token("not", TokenKind::Denial),
        ]);
        return 0;
    }
    tokens.push(match () {
        () if quantity::is_value(piece.bare) => token(lower, TokenKind::Value),
        // Names of code differ by the case of their letters; words do not.
        () if is_plain_word(piece.bare) => token(lower, TokenKind::Word),
        () => token(piece.bare, TokenKind::Word),
    });
    0
}

/// Creates a token of a piece, with no separator after it.
fn token(piece: &TokenPiece<'_>, text: &str, kind: TokenKind) -> Token {
    Token {
        text: text.to_owned(),
        kind,
        gap: Separator::None,
        is_capital: piece.bare.starts_with(char::is_uppercase),
        is_after_article: false,
    }
}

fn is_plain_word(piece: &str) -> bool {
    piece
        .chars()
        .all(|letter| letter.is_alphabetic() || letter == '\'')
}

/// Reports whether a piece is a time: a month, a year after a word that says when, a day next to a
/// month.
fn is_time(piece: &TokenPiece<'_>, tokens: &[Token], next: &[TokenPiece<'_>]) -> bool {
    const WHEN: [&str; 14] = [
        "in", "since", "until", "by", "from", "before", "after", "during", "early", "late", "mid",
        "spring", "summer", "autumn",
    ];
    let last = tokens.last();
    let is_after_time = last.is_some_and(|last| last.kind == TokenKind::Time);
    let is_before_month = next
        .first()
        .is_some_and(|next| piece.gap == Separator::None && quantity::is_month(next.bare));
    let is_measured = next
        .first()
        .is_some_and(|next| quantity::unit(&next.bare.to_lowercase()).is_some());
    let is_day = quantity::read(piece.bare).is_some_and(|quantity| {
        quantity.dimension == Dimension::None && quantity.value <= 31_000_000
    });
    let says_when = last.is_none_or(|last| WHEN.contains(&last.text.as_str()));
    // "May" at the start of a text is usually the verb.
    (quantity::is_month(piece.bare) && (piece.bare != "May" || !tokens.is_empty()))
        || (super::numbers::is_year(piece.bare) && (is_after_time || (says_when && !is_measured)))
        || (is_day && !is_measured && (is_after_time || is_before_month))
}

/// Reports whether a number belongs to the name before it: "Step 3", "Python 3".
fn is_numbered(tokens: &[Token], next: Option<&TokenPiece<'_>>) -> bool {
    const NUMBERED: [&str; 18] = [
        "step", "chapter", "section", "figure", "table", "page", "rfc", "issue", "line",
        "appendix", "part", "phase", "example", "item", "bug", "no", "class", "option",
    ];
    const VERBS: [&str; 10] = [
        "is", "are", "was", "were", "has", "have", "can", "will", "must", "does",
    ];
    // The first word has a capital in any case: it is a name only if a verb follows the number.
    let is_subject =
        || next.is_some_and(|next| VERBS.contains(&next.bare) || next.bare.ends_with("ed"));
    tokens.last().is_some_and(|last| {
        let is_name =
            last.is_capital && last.kind == TokenKind::Word && (tokens.len() > 1 || is_subject());
        last.gap == Separator::None && (is_name || NUMBERED.contains(&last.text.as_str()))
    })
}

/// Returns the quantity with the scale, the unit and the "or more" that follow it, and the number
/// of pieces that these are.
fn measured(
    mut quantity: Quantity,
    piece: &TokenPiece<'_>,
    next: &[TokenPiece<'_>],
) -> (Quantity, usize) {
    let mut used = 0;
    // A comma ends a quantity: in "5, million" the scale is another word.
    let mut is_open = piece.gap == Separator::None;
    let word = |is_open: bool, used: usize| {
        next.get(used)
            .filter(|next| is_open && !next.opens)
            .map(|next| (next.bare, next.gap == Separator::None))
    };
    if let Some((bare, open)) = word(is_open, used)
        && let Some(factor) = quantity::scale(&bare.to_lowercase())
    {
        quantity.value = quantity.value.saturating_mul(factor);
        (used, is_open) = (used + 1, open);
    }
    if let Some((bare, open)) = word(is_open, used)
        // `$5` and `40%` have their unit: a word after them is another thing.
        && quantity.dimension == Dimension::None
        && let Some((dimension, factor)) = quantity::unit(bare)
    {
        quantity.value = quantity.value.saturating_mul(factor);
        quantity.dimension = dimension;
        (used, is_open) = (used + 1, open);
    }
    if let (Some(("or", true)), Some((bare, _))) = (word(is_open, used), word(is_open, used + 1)) {
        let bound = match bare {
            "more" | "higher" | "later" | "above" | "greater" | "longer" => {
                Some(NumberBound::AtLeast)
            }
            "less" | "fewer" | "lower" | "earlier" | "below" => Some(NumberBound::AtMost),
            _ => None,
        };
        if let Some(bound) = bound {
            quantity.bound = bound;
            used += 2;
        }
    }
    (quantity, used)
}

/// Phrases before a number that bound it. Of two with the same end the longer one comes first.
const BOUNDS: [(&[&str], NumberBound); 33] = [
    (&["no", "fewer", "than"], NumberBound::AtLeast),
    (&["no", "less", "than"], NumberBound::AtLeast),
    (&["not", "less", "than"], NumberBound::AtLeast),
    (&["no", "more", "than"], NumberBound::AtMost),
    (&["not", "more", "than"], NumberBound::AtMost),
    (&["no", "later", "than"], NumberBound::AtMost),
    (&["minimum", "of"], NumberBound::AtLeast),
    (&["maximum", "of"], NumberBound::AtMost),
    (&["at", "least"], NumberBound::AtLeast),
    (&["at", "most"], NumberBound::AtMost),
    (&["up", "to"], NumberBound::AtMost),
    (&["more", "than"], NumberBound::More),
    (&["greater", "than"], NumberBound::More),
    (&["larger", "than"], NumberBound::More),
    (&["higher", "than"], NumberBound::More),
    (&["longer", "than"], NumberBound::More),
    (&["less", "than"], NumberBound::Less),
    (&["fewer", "than"], NumberBound::Less),
    (&["smaller", "than"], NumberBound::Less),
    (&["lower", "than"], NumberBound::Less),
    (&["shorter", "than"], NumberBound::Less),
    (&["above"], NumberBound::More),
    (&["over"], NumberBound::More),
    (&["below"], NumberBound::Less),
    (&["under"], NumberBound::Less),
    (&["about"], NumberBound::Rough),
    (&["approximately"], NumberBound::Rough),
    (&["roughly"], NumberBound::Rough),
    (&["around"], NumberBound::Rough),
    (&["nearly"], NumberBound::Rough),
    (&["almost"], NumberBound::Rough),
    (&["exactly"], NumberBound::Exact),
    (&["at"], NumberBound::Exact),
];

/// Returns the bound that the last tokens express ("at least", "more than"), and removes these
/// tokens.
fn bound_before(tokens: &mut Vec<Token>) -> Option<NumberBound> {
    let ends = |phrase: &[&str]| {
        tokens.len() >= phrase.len()
            && tokens[tokens.len() - phrase.len()..]
                .iter()
                .zip(phrase)
                .all(|(token, word)| token.text == *word && token.gap == Separator::None)
    };
    let (phrase, bound) = BOUNDS.iter().find(|(phrase, _)| ends(phrase))?;
    tokens.truncate(tokens.len() - phrase.len());
    Some(*bound)
}
