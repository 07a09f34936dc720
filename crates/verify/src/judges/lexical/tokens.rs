//! A text as tokens that can be compared one by one: words as they are written, quantities with
//! their bounds and units as one token each, denials apart. Articles are left out; nothing else is.

use super::quantity::{self, Bound, Dimension, Quantity};

/// What parts a token from the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// Nothing that matters.
    None,
    /// A comma.
    Comma,
    /// A bracket that opens or closes.
    Bracket,
    /// What parts two statements.
    Break,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
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
    /// What is compared: a word in lower case, a name of code as it is written.
    pub(super) text: String,
    pub(super) kind: Kind,
    /// What parts it from the next.
    pub(super) gap: Gap,
    pub(super) is_capital: bool,
    /// Whether an article was left out before it.
    pub(super) is_after_article: bool,
}

/// A piece between white space without the marks around it.
struct Piece<'t> {
    bare: &'t str,
    opens: bool,
    gap: Gap,
}

/// The tokens of a text.
pub(super) fn read(text: &str) -> Vec<Token> {
    let text = without_targets(text);
    let pieces: Vec<Piece<'_>> = text.split_whitespace().map(piece).collect();
    let mut tokens: Vec<Token> = Vec::with_capacity(pieces.len());
    let mut is_after_article = false;
    let mut at = 0;
    while let Some(piece) = pieces.get(at) {
        at += 1;
        if let Some(last) = tokens.last_mut().filter(|_| piece.opens) {
            last.gap = last.gap.max(Gap::Bracket);
        }
        if piece.bare.is_empty() {
            if let Some(last) = tokens.last_mut() {
                last.gap = last.gap.max(piece.gap);
            }
            continue;
        }
        let lower = piece.bare.to_lowercase();
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

/// Links lose where they lead: `[text](target)` is its text.
fn without_targets(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        plain.push_str(before);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain.push_str(rest);
    plain.replace(['—', '–'], " — ").replace('’', "'")
}

fn piece(raw: &str) -> Piece<'_> {
    const OPENING: [char; 10] = ['"', '\'', '“', '”', '‘', '(', '[', '{', '*', '`'];
    const CLOSING: [char; 16] = [
        '.', ',', ';', ':', '!', '?', ')', ']', '}', '"', '\'', '“', '”', '*', '`', '…',
    ];
    let right = raw.trim_start_matches(OPENING);
    let bare = right.trim_end_matches(CLOSING);
    let (before, after) = (&raw[..raw.len() - right.len()], &right[bare.len()..]);
    let gap = match () {
        () if bare == "—" || bare == "-" || after.contains([';', ':', '!', '?']) => Gap::Break,
        () if after.contains([')', ']']) => Gap::Bracket,
        () if after.contains(',') => Gap::Comma,
        () if after.contains('.') => Gap::Break,
        () => Gap::None,
    };
    let bare = match bare {
        "—" | "-" | "|" | "&" => "",
        bare => bare
            .strip_prefix('_')
            .and_then(|inner| inner.strip_suffix('_'))
            .unwrap_or(bare),
    };
    Piece {
        bare,
        opens: before.contains(['(', '[']),
        gap,
    }
}

/// An article; "a few" and "a lot" are no articles with a noun.
fn is_article(lower: &str, next: Option<&Piece<'_>>) -> bool {
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

/// Adds the token that a piece begins, and returns how many of the next pieces it took.
fn push(tokens: &mut Vec<Token>, piece: &Piece<'_>, lower: &str, next: &[Piece<'_>]) -> usize {
    let is_capital = piece.bare.starts_with(char::is_uppercase);
    let token = |text: &str, kind| Token {
        text: text.to_owned(),
        kind,
        gap: Gap::None,
        is_capital,
        is_after_article: false,
    };
    if is_time(piece, tokens, next) {
        tokens.push(token(lower, Kind::Time));
        return 0;
    }
    if let Some(quantity) =
        quantity::read(piece.bare).filter(|_| !is_numbered(tokens, next.first()))
    {
        let (quantity, used) = measured(quantity, piece, next);
        let bound = bound_before(tokens).unwrap_or(quantity.bound);
        tokens.push(token(
            quantity::digits(lower),
            Kind::Quantity(Quantity { bound, ..quantity }),
        ));
        return used;
    }
    match lower {
        "no" if next.first().is_some_and(|next| next.bare == "longer") => {
            tokens.push(token("no longer", Kind::Denial));
            return 1;
        }
        "not" | "never" | "no" => tokens.push(token(lower, Kind::Denial)),
        "cannot" | "can't" => {
            tokens.push(token("can", Kind::Word));
            tokens.push(token("not", Kind::Denial));
        }
        "won't" => {
            tokens.push(token("will", Kind::Word));
            tokens.push(token("not", Kind::Denial));
        }
        _ => match lower.strip_suffix("n't").filter(|verb| !verb.is_empty()) {
            Some(verb) => {
                tokens.push(token(verb, Kind::Word));
                tokens.push(token("not", Kind::Denial));
            }
            None if quantity::is_value(piece.bare) => tokens.push(token(lower, Kind::Value)),
            // Names of code differ by their letters' case; words do not.
            None if piece
                .bare
                .chars()
                .all(|letter| letter.is_alphabetic() || letter == '\'') =>
            {
                tokens.push(token(lower, Kind::Word));
            }
            None => tokens.push(token(piece.bare, Kind::Word)),
        },
    }
    0
}

/// A month, a year after a word that says when, a day beside a month.
fn is_time(piece: &Piece<'_>, tokens: &[Token], next: &[Piece<'_>]) -> bool {
    const WHEN: [&str; 14] = [
        "in", "since", "until", "by", "from", "before", "after", "during", "early", "late", "mid",
        "spring", "summer", "autumn",
    ];
    let last = tokens.last();
    let is_after_time = last.is_some_and(|last| last.kind == Kind::Time);
    let is_before_month = next
        .first()
        .is_some_and(|next| piece.gap == Gap::None && quantity::is_month(next.bare));
    let is_measured = next
        .first()
        .is_some_and(|next| quantity::unit(&next.bare.to_lowercase()).is_some());
    let is_day = quantity::read(piece.bare).is_some_and(|quantity| {
        quantity.dimension == Dimension::None && quantity.value <= 31_000_000
    });
    let says_when = last.is_none_or(|last| WHEN.contains(&last.text.as_str()));
    (quantity::is_month(piece.bare) && (piece.bare != "May" || !tokens.is_empty()))
        || (quantity::is_year(piece.bare) && (is_after_time || (says_when && !is_measured)))
        || (is_day && !is_measured && (is_after_time || is_before_month))
}

/// Whether a number that follows is the number of something, and so a part of its name: "Step 3", "Python 3".
fn is_numbered(tokens: &[Token], next: Option<&Piece<'_>>) -> bool {
    const NUMBERED: [&str; 18] = [
        "step", "chapter", "section", "figure", "table", "page", "rfc", "issue", "line",
        "appendix", "part", "phase", "example", "item", "bug", "no", "class", "option",
    ];
    const VERBS: [&str; 10] = [
        "is", "are", "was", "were", "has", "have", "can", "will", "must", "does",
    ];
    // The first word has a capital anyway: it is a name where a verb follows the number.
    let is_subject =
        || next.is_some_and(|next| VERBS.contains(&next.bare) || next.bare.ends_with("ed"));
    tokens.last().is_some_and(|last| {
        let is_name =
            last.is_capital && last.kind == Kind::Word && (tokens.len() > 1 || is_subject());
        last.gap == Gap::None && (is_name || NUMBERED.contains(&last.text.as_str()))
    })
}

/// The quantity with the scale, the unit and the "or more" that follow it, and how many pieces they are.
fn measured(mut quantity: Quantity, piece: &Piece<'_>, next: &[Piece<'_>]) -> (Quantity, usize) {
    let mut used = 0;
    let mut is_open = piece.gap == Gap::None;
    let word = |is_open: bool, used: usize| {
        next.get(used)
            .filter(|next| is_open && !next.opens)
            .map(|next| (next.bare, next.gap == Gap::None))
    };
    if let Some((bare, open)) = word(is_open, used)
        && let Some(factor) = quantity::scale(&bare.to_lowercase())
    {
        quantity.value = quantity.value.saturating_mul(factor);
        (used, is_open) = (used + 1, open);
    }
    if let Some((bare, open)) = word(is_open, used)
        && quantity.dimension == Dimension::None
        && let Some((dimension, factor)) = quantity::unit(bare)
    {
        quantity.value = quantity.value.saturating_mul(factor);
        quantity.dimension = dimension;
        (used, is_open) = (used + 1, open);
    }
    if let (Some(("or", true)), Some((bare, _))) = (word(is_open, used), word(is_open, used + 1)) {
        let bound = match bare {
            "more" | "higher" | "later" | "above" | "greater" | "longer" => Some(Bound::AtLeast),
            "less" | "fewer" | "lower" | "earlier" | "below" => Some(Bound::AtMost),
            _ => None,
        };
        if let Some(bound) = bound {
            quantity.bound = bound;
            used += 2;
        }
    }
    (quantity, used)
}

/// The bound that the last tokens say, which are taken away: "at least", "more than".
fn bound_before(tokens: &mut Vec<Token>) -> Option<Bound> {
    const PHRASES: [(&[&str], Bound); 33] = [
        (&["no", "fewer", "than"], Bound::AtLeast),
        (&["no", "less", "than"], Bound::AtLeast),
        (&["not", "less", "than"], Bound::AtLeast),
        (&["no", "more", "than"], Bound::AtMost),
        (&["not", "more", "than"], Bound::AtMost),
        (&["no", "later", "than"], Bound::AtMost),
        (&["minimum", "of"], Bound::AtLeast),
        (&["maximum", "of"], Bound::AtMost),
        (&["at", "least"], Bound::AtLeast),
        (&["at", "most"], Bound::AtMost),
        (&["up", "to"], Bound::AtMost),
        (&["more", "than"], Bound::More),
        (&["greater", "than"], Bound::More),
        (&["larger", "than"], Bound::More),
        (&["higher", "than"], Bound::More),
        (&["longer", "than"], Bound::More),
        (&["less", "than"], Bound::Less),
        (&["fewer", "than"], Bound::Less),
        (&["smaller", "than"], Bound::Less),
        (&["lower", "than"], Bound::Less),
        (&["shorter", "than"], Bound::Less),
        (&["above"], Bound::More),
        (&["over"], Bound::More),
        (&["below"], Bound::Less),
        (&["under"], Bound::Less),
        (&["about"], Bound::Rough),
        (&["approximately"], Bound::Rough),
        (&["roughly"], Bound::Rough),
        (&["around"], Bound::Rough),
        (&["nearly"], Bound::Rough),
        (&["almost"], Bound::Rough),
        (&["exactly"], Bound::Exact),
        (&["at"], Bound::Exact),
    ];
    let ends = |phrase: &[&str]| {
        tokens.len() >= phrase.len()
            && tokens[tokens.len() - phrase.len()..]
                .iter()
                .zip(phrase)
                .all(|(token, word)| token.text == *word && token.gap == Gap::None)
    };
    let (phrase, bound) = PHRASES.iter().find(|(phrase, _)| ends(phrase))?;
    tokens.truncate(tokens.len() - phrase.len());
    Some(*bound)
}
