//! Words of a question that no claim covers and that can be set aside: a circumstance ("while it
//! waits"), a description of a name that the tree has once ("the comparison function for timers,
//! f"), or a noun for what is listed ("which handlers call f?").
//!
//! The rest of the question is answered, and the answer says what was not checked.

mod means;
mod remark;
mod unset;

use grounds_evidence::SymbolKind;
use grounds_repo::labels::LabelledPlace;

use super::lexicon::{self, Lexicon};
use super::token::{After, QuestionToken};
use super::tree::{QuestionTree, last_part};
use super::{restriction, token};
use crate::words::is_in;

/// First words of a clause for a time, a reason or an end.
const CIRCUMSTANCES: &str =
    "when while whenever whilst if unless until because after before once so as";
/// Those of them that order what is done relative to something else.
const ORDERING: &str = "after before until once";
/// Verbs of a purpose: "to find out …" after what is done.
const ENDS: &str = "find decide determine know tell learn check avoid ensure handle prevent build get make work see \
    compute produce render turn fill";
/// Words after which a name is no longer described by the words before them.
const PREPOSITIONS: &str = "of in on from for at by with to as around about over under behind near against across \
    between like than into onto via per within without inside outside using and or";
/// Words that join a description to the name before it.
const JOINTS: &str = "of in on from for at by";
/// Words that ask for a list, before the noun for what is listed.
const LISTING: &str = "which what each every all any";
/// Words that count, compare or exclude. What they belong to is never set aside.
const DECIDING: &str = "both two three four five several many multiple various numerous few other another else than \
    except besides excluding apart aside without outside but nor or more most least fewer same \
    docs documentation readme changelog comment comments \
    different only manner way ways order sense extent case cases situation situations condition \
    conditions circumstances";
/// Largest number of words before or after a name that can describe it.
const DESCRIPTION_MAX: usize = 9;

/// Largest number of words in a noun for what an enum lists.
const NOUN_MAX: usize = 3;
/// Nouns before "of" and the noun for what is counted.
const SORTS: &str = "kinds sorts types flavours flavors varieties classes forms species brands";
/// Words around a number that is asked for.
const AROUND_COUNT: &str =
    "how many number of what is the are there do does did can could have has for in";

/// Verbs of a name that becomes another one.
const RENAMES: &str = "turned turn turns renamed rename renames became become becomes";

/// The rest of a question, and what was set aside.
#[derive(Debug)]
pub(super) struct Rest {
    pub(super) tokens: Vec<QuestionToken>,
    pub(super) aside: Vec<String>,
    /// Whether the words that were set aside only say which name is meant.
    pub(super) describes_name: bool,
    /// Whether they set a condition, so that another answer may hold without it.
    pub(super) is_condition: bool,
    /// Whether the name of a noun was guessed, so that only shown places can be claimed.
    pub(super) is_guess: bool,
}

/// Returns the questions that remain if words are set aside, in the order in which they are tried.
pub(super) fn rests(tokens: &[QuestionToken], tree: &QuestionTree<'_>) -> Vec<Rest> {
    let words = Words {
        tokens,
        tree,
        lexicon: Lexicon::new(),
    };
    let circumstance = words.leading().or_else(|| words.trailing());
    let subject = words.leading_subject();
    let doing = words.done_with();
    let description = words.description();
    let noun = words.listed();
    let remark = words.remark();
    // The first question that is read wins, so a single span is tried before two at once.
    let sets: [&[&Option<Span>]; 6] = [
        &[&description],
        &[&circumstance],
        &[&noun],
        &[&remark],
        &[&circumstance, &description],
        &[&noun, &circumstance],
    ];
    let of_set = |spans: &[&Option<Span>]| {
        let spans: Option<Vec<&Span>> = spans.iter().map(|span| span.as_ref()).collect();
        spans.map(|spans| words.without(&spans))
    };
    let mut rests: Vec<Rest> = Vec::from_iter(words.unset());
    rests.extend(sets.iter().filter_map(|set| of_set(set)));
    if let Some([before, after]) = &subject {
        rests.push(words.without(&[before, after]));
    }
    if let Some((span, verb)) = &doing {
        rests.push(words.replaced(span, verb));
    }
    rests.extend(words.of_statements());
    if let Some(span) = words.counted() {
        rests.push(words.replaced(&span, "variants"));
    }
    rests.extend(words.enum_of_noun());
    rests
}

/// Returns the name that became another one, and a question for the commit that introduced the new
/// name.
pub(super) fn renamed(
    tokens: &[QuestionToken],
    tree: &QuestionTree<'_>,
) -> Option<(String, String)> {
    let lexicon = Lexicon::new();
    Words {
        tokens,
        tree,
        lexicon,
    }
    .renamed()
}

/// A range of words in a question.
#[derive(Debug)]
struct Span {
    from: usize,
    to: usize,
    describes_name: bool,
}

struct Words<'w, 'c> {
    tokens: &'w [QuestionToken],
    tree: &'w QuestionTree<'c>,
    lexicon: Lexicon,
}

impl Words<'_, '_> {
    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.lower.as_str())
    }

    fn says(&self, at: usize, list: &str) -> bool {
        is_in(list, self.word(at))
    }

    fn pauses(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_none_or(|token| token.after != After::Word)
    }

    fn names(&self, from: usize, to: usize) -> bool {
        (from..to.min(self.tokens.len())).any(|at| self.is_name(at))
    }

    /// Reports whether a range names something in code. A flag only sets a condition, and is not
    /// asked about.
    fn names_code(&self, from: usize, to: usize) -> bool {
        let is_flag = |at: usize| token::is_flag(&self.tokens[at].text);
        (from..to.min(self.tokens.len())).any(|at| self.is_name(at) && !is_flag(at))
    }

    /// Reports whether a token is written as code, or is a capital that the tree defines.
    fn is_name(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            let is_word = token.text.len() > 2 && !self.tree.is_project(&token.text);
            // Any proper noun has a capital, so the tree must define the name.
            let is_capital = token.is_capital && is_word && !lexicon::is_language(&token.lower);
            token.is_code || is_capital && self.tree.defines(&token.text)
        })
    }

    /// Returns the tokens without some ranges, and the text of these.
    fn without(&self, spans: &[&Span]) -> Rest {
        let is_aside = |at: usize| spans.iter().any(|span| (span.from..span.to).contains(&at));
        let mut rest: Vec<QuestionToken> = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            if !is_aside(at) {
                rest.push(token.clone());
            } else if let Some(last) = rest.last_mut().filter(|_| token.after == After::End) {
                last.after = After::End;
                last.is_asked |= token.is_asked;
            }
        }
        let text = |span: &&Span| {
            let words = self.tokens[span.from..span.to].iter();
            words
                .map(|token| token.text.as_str())
                .collect::<Vec<_>>()
                .join(" ")
        };
        Rest {
            tokens: rest,
            aside: spans.iter().map(text).collect(),
            describes_name: spans.iter().all(|span| span.describes_name),
            is_condition: spans.iter().any(|span| self.is_condition(span)),
            is_guess: false,
        }
    }

    /// Returns a circumstance at the start: "while it waits, does f call g?"
    fn leading(&self) -> Option<Span> {
        // "As a method, does f …" describes f and sets no circumstance.
        let begins = self.says(0, CIRCUMSTANCES) && self.word(0) != "as";
        let pause = (1..self.tokens.len().saturating_sub(2)).find(|at| self.pauses(*at))?;
        let is_pause = self.tokens[pause].after == After::Pause;
        let span = self.span(0, pause + 1)?;
        let names = self.names_code(0, pause + 1);
        let is_whole = begins && is_pause && !names && self.is_circumstance(&span);
        (is_whole && self.names(pause + 1, self.tokens.len())).then_some(span)
    }

    /// Returns the words around the name that a circumstance is about: "when the parent looks after
    /// it in f, does that method call g?"
    fn leading_subject(&self) -> Option<[Span; 2]> {
        let begins = self.says(0, CIRCUMSTANCES) && !self.says(0, ORDERING);
        let pause = (1..self.tokens.len().saturating_sub(2)).find(|at| self.pauses(*at))?;
        let mut named = (0..pause + 1).filter(|at| self.is_name(*at));
        let (name, None) = (named.next()?, named.next()) else {
            return None;
        };
        // Without a word that refers back, the name only sets a condition.
        let refers = (pause + 1..self.tokens.len()).any(|at| {
            self.word(at) == "it"
                || self.says(at, "that this") && self.says(at + 1, "method function class type")
        });
        let plain = |from: usize, to: usize| {
            let is_turned = |at: usize| self.says(at, "not never only except");
            !(from..to).any(is_turned)
        };
        let fits = begins && refers && name > 0 && plain(0, pause + 1);
        let (before, after) = (self.span(0, name)?, self.span(name + 1, pause + 1)?);
        fits.then_some([before, after])
    }

    /// Returns what is done by means of the last name, and the verb for its use: "in which tests do
    /// we write a page with f?", "will it empty the list by calling f?"
    fn done_with(&self) -> Option<(Span, &'static str)> {
        let name = (0..self.tokens.len()).rev().find(|at| self.is_name(*at))?;
        let back = |count: usize| name.checked_sub(count).map_or("", |at| self.word(at));
        let (joint, verb) = match (back(2), back(1)) {
            ("by", "calling" | "invoking") => (name - 2, "call"),
            (_, "with" | "through" | "via" | "using") => (name - 1, "use"),
            _ => return None,
        };
        let doer = (1..joint).rev().find(|at| {
            let is_doer =
                self.says(*at, "we it i they you") && lexicon::is_auxiliary(self.word(at - 1));
            is_doer || self.says(*at, "that which") && *at > 1
        })?;
        let span = self.span(doer + 1, name)?;
        let is_plain = |at: usize| self.is_harmless(at) && !self.pauses(at);
        let is_short = (3..DESCRIPTION_MAX).contains(&(span.to - span.from));
        let fits = is_short && (span.from..joint).all(is_plain);
        let is_of_third = self.says(doer, "that which");
        let verb = match (is_of_third, verb) {
            (true, "call") => "calls",
            (true, _) => "uses",
            (false, verb) => verb,
        };
        fits.then_some((span, verb))
    }

    /// Returns the noun for the variants of an enum: "how many policies does the enum X have?"
    fn counted(&self) -> Option<Span> {
        let many = (0..self.tokens.len()).find(|at| self.says(*at, "many number"))?;
        let from = many + 1 + usize::from(self.says(many + 1, "of"));
        let mut named = (0..self.tokens.len()).filter(|at| self.is_name(*at));
        let (name, None) = (named.next()?, named.next()) else {
            return None;
        };
        let known = self
            .tree
            .know(&[last_part(&self.tokens[name].text)])
            .remove(0);
        let mut kinds = known.definitions().map(|place| place.kind);
        let is_enum = kinds.next() == Some(Some(SymbolKind::Enum)) && kinds.next().is_none();
        let end = if name > many { name } else { self.tokens.len() };
        let to = (from..end).find(|at| self.ends_counted(*at, from, end))?;
        let is_short = to < from + 4 && (name > many || lexicon::is_auxiliary(self.word(to)));
        self.span(from, to).filter(|_| is_enum && is_short)
    }

    /// Reports whether the noun for what is counted ends before a word: "policies", "kinds of
    /// policy".
    fn ends_counted(&self, at: usize, from: usize, end: usize) -> bool {
        let word = self.word(at);
        if word == "of" && at > from && self.says(at - 1, SORTS) && at + 1 < end {
            return false;
        }
        let is_kind = lexicon::is_kind(&lexicon::singular(word));
        let is_noun = self.is_harmless(at) && !is_kind || self.says(at, SORTS);
        !is_noun || self.says(at, "in of on the")
    }

    /// Returns a question for the variants of the one enum that a noun spells: "for how many shells
    /// can we print completions?", if the tree has one enum `Shell`.
    fn enum_of_noun(&self) -> Option<Rest> {
        let many = (0..self.tokens.len()).find(|at| self.says(*at, "many number"))?;
        let from = many + 1 + usize::from(self.says(many + 1, "of different distinct"));
        let owner = self.owner_of_counted(from)?;
        let (to, name) = (from + 1..=from + NOUN_MAX)
            .rev()
            .find_map(|to| Some((to, self.enum_called(from, to, owner)?)))?;
        let aside: Vec<&str> = (0..self.tokens.len())
            .filter(|at| !(many..to).contains(at) && !lexicon::is_empty(self.word(*at)))
            .filter(|at| Some(*at) != owner)
            .map(|at| self.tokens[at].text.as_str())
            .collect();
        let noun = (from..to).map(|at| self.tokens[at].text.as_str());
        let noun = noun.collect::<Vec<&str>>().join(" ");
        Some(Rest {
            is_guess: false,
            tokens: token::split(&format!("how many variants does {name} have?")).0,
            aside: std::iter::once(format!("{noun} as {name}"))
                .chain((!aside.is_empty()).then(|| aside.join(" ")))
                .collect(),
            describes_name: false,
            is_condition: false,
        })
    }

    /// Returns the old name and a question about the new one: "which commit turned f into g?"
    ///
    /// The tree must no longer define f.
    fn renamed(&self) -> Option<(String, String)> {
        let mut named = (0..self.tokens.len()).filter(|at| self.is_name(*at));
        let (first, second, None) = (named.next()?, named.next()?, named.next()) else {
            return None;
        };
        let is_said = |at: usize| self.says(at, RENAMES);
        let verb = (first.saturating_sub(2)..second).find(|at| is_said(*at))?;
        let is_light = |at: usize| {
            at == verb
                || self.says(
                    at,
                    "to into as a the function method class was got been has have",
                )
        };
        let is_joined = (first + 1..second).all(is_light)
            && (verb.min(first)..second).all(|at| self.tokens[at].after == After::Word)
            && (verb > first || (verb + 1..first).all(|at| lexicon::is_article(self.word(at))));
        let asked = self.asked_of_rename()?;
        let (old, new) = (&self.tokens[first].text, &self.tokens[second].text);
        // While the old name is defined, a commit with the new one proves no rename.
        let is_gone = !self.tree.defines(last_part(old)) && self.tree.defines(last_part(new));
        (is_joined && is_gone).then(|| (old.clone(), format!("{asked} {new}?")))
    }

    /// Returns the question about the commit of a rename; `None` if another commit or no history is
    /// asked for.
    fn asked_of_rename(&self) -> Option<&'static str> {
        let has = |list: &str| (0..self.tokens.len()).any(|at| self.says(at, list));
        match () {
            () if has("not never only except still last latest again back") => None,
            () if has("release version tag") => Some("which release introduced"),
            () if has("who whose author") => Some("who added"),
            () if has("commit sha hash revision") => Some("which commit introduced"),
            () if has("when") => Some("when was introduced"),
            () => None,
        }
    }

    /// Reports whether a word says nothing about what is counted.
    fn is_around_count(&self, at: usize) -> bool {
        let is_word = !(self.is_name(at) || self.lexicon.is_relation(&self.tokens[at]));
        is_word && (self.is_harmless(at) || self.says(at, AROUND_COUNT))
    }

    /// Returns the one name beside a noun for what is counted, if there is one. Returns `None` if
    /// other words say more.
    fn owner_of_counted(&self, from: usize) -> Option<Option<usize>> {
        let others = (0..self.tokens.len()).filter(|at| !(from..from + NOUN_MAX).contains(at));
        let (owners, mut others): (Vec<usize>, Vec<usize>) =
            others.partition(|at| self.is_name(*at));
        others.retain(|at| *at != from - 1);
        let is_plain = others.iter().all(|at| self.is_around_count(*at));
        (is_plain && owners.len() < 2).then(|| owners.first().copied())
    }

    /// Returns the one enum of the tree, or of a type, whose plural some words are: `TokenKind` for
    /// "token kinds".
    fn enum_called(&self, from: usize, to: usize, owner: Option<usize>) -> Option<String> {
        let words = self.tokens.get(from..to)?;
        let is_plain =
            |token: &QuestionToken| !token.is_code && token.lower.chars().all(char::is_alphabetic);
        let is_joined = |at: usize| self.tokens[at].after == After::Word;
        let last = words.last()?;
        let fits = words.iter().all(is_plain)
            && (from..to - 1).all(is_joined)
            && last.lower.ends_with('s')
            && last.lower.len() > 3;
        let capital = |word: &str| {
            let mut letters = word.chars();
            let first = letters.next().map(|first| first.to_uppercase().to_string());
            first.unwrap_or_default() + letters.as_str()
        };
        let before = words[..words.len() - 1].iter();
        let mut name: String = before.map(|token| capital(&token.lower)).collect();
        name.push_str(&capital(&lexicon::singular(&last.lower)));
        let owner = owner.map(|at| last_part(&self.tokens[at].text));
        let is_one = fits && self.is_one_enum(&name, owner);
        let name = owner.map_or_else(|| name.clone(), |owner| format!("{owner}.{name}"));
        is_one.then_some(name)
    }

    /// Reports whether one enum has a name, and no other type does, in the tree or in an owner.
    fn is_one_enum(&self, name: &str, owner: Option<&str>) -> bool {
        let is_inside = |place: &&LabelledPlace| {
            owner.is_none_or(|owner| place.containers.last().is_some_and(|one| one == owner))
        };
        let known = self.tree.know(&[name]).remove(0);
        // A variant may have the name of the enum, and is no second type.
        let kinds = known.definitions().filter(is_inside);
        let kinds = kinds.filter_map(|place| place.kind);
        let mut types = kinds.filter(|kind| grounds_repo::detail::has_members(Some(*kind)));
        types.next() == Some(SymbolKind::Enum) && types.next().is_none()
    }

    /// Returns the tokens with one word in place of a range.
    fn replaced(&self, span: &Span, word: &str) -> Rest {
        let rest = self.without(&[span]);
        self.inserted(rest, span.from, word)
    }

    /// Returns the rest with a word inserted.
    fn inserted(&self, mut rest: Rest, at: usize, word: &str) -> Rest {
        let word = token::split(word).0;
        rest.tokens.splice(at..at, word);
        rest
    }

    /// Returns a circumstance at the end: "what does f call when there is no header?", "… to find
    /// the number of children?"
    fn trailing(&self) -> Option<Span> {
        // "What does it return if …?" is about something named before, so "it" counts as the
        // subject.
        let is_subject = |at: usize| {
            self.is_name(at)
                || self.word(at) == "it" && at > 0 && lexicon::is_auxiliary(self.word(at - 1))
        };
        let named = (0..self.tokens.len()).find(|at| is_subject(*at))?;
        let begins = |at: &usize| {
            let is_end =
                self.word(*at) == "to" && self.says(at + 1, ENDS) || self.is_end_of_statement(*at);
            let is_as = self.word(*at) == "as";
            let is_role = is_as && self.says(at + 1, "a an the its their his our");
            let compares = self.says(*at, "like alongside") && self.says(at + 1, "the its other")
                || self.word(*at) == "next" && self.word(at + 1) == "to"
                || self.word(*at) == "along" && self.word(at + 1) == "with";
            self.says(*at, CIRCUMSTANCES) && !is_as || is_role || is_end || compares
        };
        let at = (named + 1..self.tokens.len()).find(begins)?;
        let tag = self.tag_after(at);
        let end = (at..self.tokens.len()).find(|at| self.tokens[*at].after == After::End);
        let end = tag.or(end).map_or(self.tokens.len(), |end| end + 1);
        let span = self.span(at, end)?;
        let is_last = tag.is_some() || span.to == self.tokens.len();
        (is_last && self.is_circumstance(&span)).then_some(span)
    }

    /// Returns the last word before "…, doesn't it?", which belongs to the statement before a
    /// circumstance.
    fn tag_after(&self, at: usize) -> Option<usize> {
        let count = self.tokens.len();
        let is_tag = |at: &usize| {
            self.pauses(*at) && *at + 5 > count && lexicon::is_auxiliary(self.word(at + 1))
        };
        (at..count).find(is_tag)
    }

    fn span(&self, from: usize, to: usize) -> Option<Span> {
        (to > from).then_some(Span {
            from,
            to,
            describes_name: false,
        })
    }

    /// Reports whether a range sets a condition. "While it waits" and "to find out" do not.
    fn is_condition(&self, span: &Span) -> bool {
        let next = self.word(span.from + 1);
        let is_during =
            self.says(span.from, "while whilst") && (next == "it" || next.ends_with("ing"));
        self.says(span.from, CIRCUMSTANCES) && !self.says(span.from, "so as") && !is_during
    }

    /// Reports whether a range is one clause about circumstances: "when HOME is empty", but not
    /// "when f calls g".
    fn is_circumstance(&self, span: &Span) -> bool {
        let words = span.from + 1..span.to;
        // "As a method" selects among the calls.
        let is_role = self.word(span.from) == "as";
        let is_plain = |at: usize| {
            let is_kind = lexicon::is_kind(&lexicon::singular(self.word(at)));
            let is_list =
                self.says(span.from, "like alongside next along") && self.says(at, "and or");
            let turns =
                self.says(at, "only except besides excluding and or tests test") && !is_list;
            !(lexicon::is_asking(self.word(at)) || is_role && is_kind || turns)
        };
        let mut inside = self.tokens[words.clone()].iter();
        let relates = inside.any(|token| self.lexicon.is_relation(token));
        let is_ordered = relates || self.says(span.from, ORDERING);
        let names = self.names_code(span.from, span.to);
        !(words.is_empty() || names && is_ordered) && words.clone().all(is_plain)
    }

    /// Returns the words that describe the only name, if the tree has one definition of it.
    fn description(&self) -> Option<Span> {
        let named = (0..self.tokens.len()).filter(|at| self.is_name(*at));
        let [name] = named.collect::<Vec<_>>()[..] else {
            return None;
        };
        let known = self
            .tree
            .know(&[last_part(&self.tokens[name].text)])
            .remove(0);
        let is_file = self.tree.files_of(&self.tokens[name].text).len() == 1;
        // With namesakes the description may select one of them.
        if known.definitions().count() != 1 && !is_file {
            return None;
        }
        // "F calls" at the end is open: it can mean what f calls, or the calls of f.
        let is_noun =
            name + 2 == self.tokens.len() && self.lexicon.is_relation(&self.tokens[name + 1]);
        if is_noun {
            return None;
        }
        self.before(name).or_else(|| self.after(name))
    }

    /// Returns a description before the name: "the comparison function for timers, f".
    fn before(&self, name: usize) -> Option<Span> {
        // "A leak in f" and "a wrapper around f" do not describe f.
        let last = name.checked_sub(1).map_or("", |at| self.word(at));
        if is_in(PREPOSITIONS, last) {
            return None;
        }
        let first = name.saturating_sub(DESCRIPTION_MAX);
        let from = (first..name)
            .rev()
            .find(|at| self.says(*at, "the a an our"))?;
        // An article further left may begin the same phrase: "the comparison function for the
        // heap".
        let outer = (first..from)
            .rev()
            .find(|at| self.says(*at, "the a an our") && (*at..from).all(|at| !self.pauses(at)));
        let fits = |from: usize| {
            let span = Span {
                from,
                to: name,
                describes_name: true,
            };
            let inside = (from..name.saturating_sub(1)).all(|at| !self.pauses(at));
            (inside && name - from > 1 && self.is_description(&span)).then_some(span)
        };
        outer.and_then(fits).or_else(|| fits(from))
    }

    /// Returns a description after the name: "f of the line buffer".
    fn after(&self, name: usize) -> Option<Span> {
        let begins = self.says(name + 1, JOINTS) && self.says(name + 2, "the a an our");
        if !begins || self.pauses(name) {
            return None;
        }
        let is_noun = |at: &usize| {
            let token = &self.tokens[*at];
            !lexicon::is_auxiliary(&token.lower) && !self.lexicon.is_relation(token)
        };
        let mut to = name + 3;
        while to < self.tokens.len() && to < name + 7 && is_noun(&to) {
            to += 1;
            if self.pauses(to - 1) {
                break;
            }
        }
        let span = Span {
            from: name + 1,
            to,
            describes_name: true,
        };
        // "In the constructor" selects among the calls.
        let is_plain = (name + 2..to).all(|at| self.is_harmless(at));
        (to > name + 3 && is_plain && self.is_description(&span)).then_some(span)
    }

    /// Reports whether words only describe, and none of them can change what is asked.
    fn is_description(&self, span: &Span) -> bool {
        let mut has_content = false;
        let is_plain = |at: usize| {
            let token = &self.tokens[at];
            // "The error for a pool that is full, f" describes with a clause, whose verb is
            // harmless.
            if lexicon::is_be(&token.lower) && at > 0 && self.says(at - 1, "that which") {
                return true;
            }
            has_content |= !lexicon::is_empty(&token.lower) || lexicon::is_also_name(&token.lower);
            let is_kind = lexicon::is_kind(&lexicon::singular(&token.lower));
            (is_kind || self.is_harmless(at)) && !self.lexicon.is_relation(token)
        };
        (span.from..span.to).all(is_plain) && has_content
    }

    /// Reports whether a verb of a relation follows a place of at most three words.
    fn relates_after(&self, at: usize) -> bool {
        let is_verb = |to: &usize| {
            let token = self.tokens.get(*to);
            token.is_some_and(|token| self.lexicon.is_relation(token))
        };
        let verb = (at + 2..at + 5).find(is_verb);
        verb.is_some_and(|verb| (at..verb).all(|at| !self.pauses(at)))
    }

    fn is_harmless(&self, at: usize) -> bool {
        let word = self.word(at);
        let is_number = word.bytes().any(|byte| byte.is_ascii_digit());
        !(self.tokens[at].is_code
            || is_number
            || lexicon::is_test(word)
            || lexicon::is_negation(word)
            || lexicon::is_only(word)
            || lexicon::is_asking(word)
            || lexicon::is_auxiliary(word)
            || lexicon::is_about_running(word)
            || restriction::is_selecting(word)
            || is_in(DECIDING, word))
    }

    /// Returns the noun for what is listed: "which handlers call f?", "which class calls f?" Of the
    /// kinds of code, only nouns for types are taken.
    fn listed(&self) -> Option<Span> {
        let asks = (0..self.tokens.len()).find(|at| self.says(*at, LISTING))?;
        let from = (asks + 1..self.tokens.len()).find(|at| !self.says(*at, "of the"))?;
        let asks_which = self.says(asks, "which what");
        let is_noun = |at: usize| {
            let word = self.word(at);
            // Of the kinds of code only types and modules are set aside. "Which constants call f?"
            // asks for fewer than the list has.
            let is_type = asks_which && restriction::is_of_types(word) && !self.is_name(at);
            (self.is_harmless(at) && !lexicon::is_empty(word) || is_type)
                && !self.lexicon.is_relation(&self.tokens[at])
                && !token::looks_like_code(&self.tokens[at].text)
        };
        let mut to = from;
        while to < self.tokens.len() && to < from + 2 && is_noun(to) {
            to += 1;
        }
        let relates = |at: usize| {
            let token = self.tokens.get(at);
            token.is_some_and(|token| self.lexicon.is_relation(token))
        };
        // "What edition does f use?" asks for one thing that f uses. "Which handlers use f?" asks
        // for users.
        let joins = self.says(to, "that which who") && relates(to + 1);
        let is_passive = self.says(to, "is are gets get")
            && self.tokens.get(to + 1).is_some_and(|token| token.is_code);
        // "Which commands would notice?" has an auxiliary before the verb.
        let is_modal = self.says(to, "would could might will");
        // "Which class in lib calls f?" has a place before the verb.
        let is_placed = self.says(to, "in inside under within") && self.relates_after(to);
        let ends = relates(to) || joins || is_passive || is_modal || is_placed;
        (to > from && ends).then_some(Span {
            from,
            to,
            describes_name: false,
        })
    }
}
