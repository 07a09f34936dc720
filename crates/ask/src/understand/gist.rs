//! The gist of a question that lists what one name is related to, if other words are left over:
//! "every spot where we render a page through f", "inside f, which helpers get called".
//!
//! The relation and its direction are read from the words directly beside the name. The rest is set
//! aside, and the answer says so.

mod told;

use grounds_claims::{Argument, Claim, Predicate, names};
use grounds_evidence::SymbolKind;

use super::lexicon::{self, Lexicon, Trigger};
use super::part::{Asks, ClauseName, ReadClause};
use super::token::{After, QuestionToken};
use super::tree::{KnownName, QuestionTree, last_part};
use super::{is_callable, parts, restricting, token};
use crate::settle::hierarchy;
use crate::words::is_in;

/// The claim that a question asks for, and the words that say more.
pub(super) struct Gist {
    pub(super) claim: Claim,
    pub(super) aside: String,
}

/// The small letters of a name that was written after `new`, as a mark.
const NEW: &str = "new";
/// Largest number of words between a relation and its name.
const BESIDE_MAX: usize = 6;
/// Largest number of words between a name and its verb.
const DONE_MAX: usize = 4;
/// Words after which a name belongs to another part of the sentence.
const PREPOSITIONS: &str = "of in on from for at by with to as around about over under behind near \
    against across between like than into onto via per within without inside outside using through \
    and or but where when if below beneath underneath after before until since during once while \
    because";
/// Words that join the noun for a relation to its name.
const OF_NOUN: &str = "of to for on from across";
/// Words that join a verb to the means by which something is done.
const MEANS: &str = "through via with using by";
/// Nouns for places and users, all of which are listed.
const PLACES: &str = "who where spot spots place places line lines code site sites caller callers \
    file files part parts function functions method methods everything anything everyone everybody \
    everywhere they we";
/// Nouns for what a body calls.
const CALLEES: &str = "functions methods helpers routines calls things function method helper \
    routine factories everything what anything";
/// Words that choose, order or measure, or refer to another time or to people. They are never set
/// aside.
const DECIDING: &str = "mode startup shutdown boot \
    both two three four five several many multiple various numerous few \
    another else than except besides excluding ignoring ignore skipping skip omitting omit apart \
    aside without outside nor more most least fewer same different manner way ways sense extent \
    case cases situation situations instead rather often frequently rarely ago since recently \
    lately previously formerly yesterday today tomorrow year month week day days date release \
    version versions commit commits blame history team colleague colleagues maintainer maintainers \
    developer developers customer customers company author authors difference compare compared \
    docs documentation readme changelog comment comments stop stops stopped ceased anymore \
    replaced wrong problem happens happen deal issue point default defaults count number runtime \
    unless until";
/// Languages and systems, to which only a part of a list can belong.
const LANGUAGES: &str = "go golang rust python ruby java kotlin node php swift scala javascript \
    typescript dotnet linux windows macos";
/// Words for one end of an order.
const SUPERLATIVES: &str = "latest newest oldest biggest largest smallest longest shortest deepest \
    fastest slowest highest lowest busiest heaviest hottest closest nearest simplest earliest \
    greatest last";
/// Verbs of what people do to code or say about it.
const NOT_OF_USE: &str = "wrote write writes author authored added add adds introduced introduce \
    change changed changes modify modified edit edited remove removed removes delete deleted \
    rename renamed deprecate deprecated own owns maintain maintains maintained define defines \
    defined declare declares declared contain contains contained test tests tested cover covers \
    covered document documents documented describe describes described explain explains mock mocks \
    mocked stub stubs set sets assign assigns assigned hold holds name names named say says mean \
    means replace replaces fix fixes know knows want wants return returns returned become is are \
    was were has have had does do did break breaks broke like likes reviewed review";
/// Participles for having a type.
const TYPED: &str = "typed annotated marked decorated tagged declared";
/// Words for being below a type in its hierarchy.
const BELOW: &str = "below under beneath underneath";
/// Words that include the heirs of heirs.
const FURTHER: &str = "indirect indirectly transitive transitively recursively another through \
    grandchildren grand-children descendants depth level";
/// Predicates of one name, whose words ask for something else.
const OF_ONE: &str = "defines introduced authored changed removed version license";
/// Nouns for types.
const TYPES: &str = "class classes type types struct structs exception exceptions error errors \
    interface interfaces case cases record records enum enums trait traits component components \
    object objects subclass subclasses";

/// Verbs of who makes or keeps a thing, which is no use of it.
const MAKING: &str =
    "make makes build builds produce produces spawn spawns own owns maintain maintains";

/// Returns the gist of a question, with names from earlier clauses; `None` if no word beside its
/// one name says what is asked about it.
pub(super) fn of(
    tokens: Vec<QuestionToken>,
    context: Vec<QuestionToken>,
    tree: &QuestionTree<'_>,
) -> Option<Gist> {
    let is_first = context.is_empty();
    let whole = is_first.then(|| tokens.clone());
    of_clauses(tokens, context, tree).or_else(|| told::of(whole?, tree))
}

/// Returns the gist of the clauses that ask.
fn of_clauses(
    tokens: Vec<QuestionToken>,
    mut context: Vec<QuestionToken>,
    tree: &QuestionTree<'_>,
) -> Option<Gist> {
    let lexicon = Lexicon::new();
    let mut found: Option<Gist> = None;
    for clause in parts::clauses(tokens) {
        let tokens = clause.tokens.into_iter().map(constructed).collect();
        let tokens = with_name(tokens, &context);
        context.extend(tokens.iter().filter(|token| token.is_code).cloned());
        let part = ReadClause::new(tokens, tree, &lexicon, &[]);
        let gist = match (clause.asks, Reader::new(&part, tree, &lexicon)) {
            (false, _) => continue,
            (true, None) if part.names.is_empty() && asks_no_more(&part, &lexicon) => continue,
            (true, None) => return None,
            (true, Some(reader)) => reader.gist(),
        };
        // "I want to replace f. Show me each line that takes it." begins with a plan.
        if gist.is_none() && tells_a_plan(&part) {
            continue;
        }
        let gist = gist?;
        // Two clauses with different gists are two questions, of which only one would be answered.
        if found
            .as_ref()
            .is_some_and(|known| known.claim != gist.claim)
        {
            return None;
        }
        found = Some(gist);
    }
    found
}

/// Reports whether a clause says why something else is asked: "I want to replace f".
fn tells_a_plan(part: &ReadClause) -> bool {
    let mut tokens = part.tokens.iter();
    part.says(0, "i we") && tokens.any(|token| lexicon::is_change(&token.stem))
}

/// Replaces a quoted constructor call by the name of what is made: "every `new X(…)`".
fn constructed(token: QuestionToken) -> QuestionToken {
    let made = token.text.strip_prefix("new ");
    let name = made.and_then(|made| made.split(['(', '<', ' ']).next());
    match name.filter(|name| name.starts_with(char::is_alphabetic)) {
        Some(name) => QuestionToken {
            text: name.to_owned(),
            lower: NEW.to_owned(),
            is_code: true,
            ..token.clone()
        },
        None => token,
    }
}

/// Replaces the pronoun of a clause without names by the one name before it: "show me each line
/// that takes it".
fn with_name(mut tokens: Vec<QuestionToken>, context: &[QuestionToken]) -> Vec<QuestionToken> {
    let [name] = context else {
        return tokens;
    };
    let is_free = !tokens.iter().any(|token| token.is_code);
    let pronoun = tokens
        .iter()
        .position(|token| is_in("it them", &token.lower));
    if let Some(at) = pronoun.filter(|_| is_free) {
        let after = tokens[at].after;
        tokens[at] = QuestionToken {
            after,
            ..name.clone()
        };
    }
    tokens
}

/// Reports whether a clause has no content of its own: "I need all of the callers".
fn asks_no_more(part: &ReadClause, lexicon: &Lexicon) -> bool {
    let is_idle = |at: usize| {
        !part.tokens[at].is_code
            && (lexicon::is_empty(part.word(at)) || lexicon.is_relation(&part.tokens[at]))
    };
    let asks_more = matches!(part.asks, Asks::Whether | Asks::Count | Asks::CountFiles);
    !(part.is_negated || part.is_only || asks_more) && part.free().all(is_idle)
}

pub(super) fn decides(part: &ReadClause, at: usize) -> bool {
    let word = part.word(at);
    !part.is_name(at)
        && (part.tokens[at].is_code
            || word.bytes().any(|byte| byte.is_ascii_digit())
            || lexicon::is_test(word)
            || lexicon::is_negation(word)
            || lexicon::is_only(word)
            || lexicon::is_about_running(word)
            || is_in("why whose how", word)
            || is_in(SUPERLATIVES, word)
            || (part.tokens[at].is_capital || !lexicon::is_empty(word)) && is_in(LANGUAGES, word)
            || is_in(DECIDING, word))
}

/// Reports whether a file does something by means of a name, and places are asked for.
fn does_by(part: &ReadClause, file: &ClauseName, named: &ClauseName) -> bool {
    let (Some(file), Some(name)) = (file.at, named.at) else {
        return false;
    };
    let is_means = name > file + 2 && part.says(name - 1, "with through via using");
    let asks = file > 0 && part.says(file - 1, "where that which");
    let is_verb = part.word(file + 1).ends_with('s') && !lexicon::is_auxiliary(part.word(file + 1));
    is_means && asks && is_verb && part.asks != Asks::Whether
}

/// The relation that was read beside a name.
struct Found {
    predicate: &'static Predicate,
    /// Whether the name is the subject, so that its objects are asked for.
    is_subject: bool,
    used: Vec<usize>,
    /// The words that only say what is done by means of the name.
    doing: std::ops::Range<usize>,
}

struct Reader<'r, 'c> {
    part: &'r ReadClause,
    tree: &'r QuestionTree<'c>,
    lexicon: &'r Lexicon,
    named: ClauseName,
    /// The number of its token.
    name: usize,
    /// The file that does something by means of the name.
    file: Option<&'r ClauseName>,
}

impl<'r, 'c> Reader<'r, 'c> {
    /// Returns a reader of a clause, if it has exactly one name and that is no path.
    fn new(part: &'r ReadClause, tree: &'r QuestionTree<'c>, lexicon: &'r Lexicon) -> Option<Self> {
        let (named, file) = match part.names.as_slice() {
            [named] => (named, None),
            // "Every spot where a.py writes the head with f" is about the uses in a file.
            [file, named] if file.is_path && does_by(part, file, named) => (named, Some(file)),
            _ => return None,
        };
        let name = named.at.filter(|_| !named.is_path)?;
        Some(Self {
            part,
            tree,
            lexicon,
            named: named.clone(),
            name,
            file,
        })
    }

    fn gist(&self) -> Option<Gist> {
        let found = Some(self).filter(|reader| reader.lists())?.found()?;
        let mut claim = self.claim(&found);
        let is_open = |at: usize| self.is_open(at, &found) || self.relates_more(at, &found);
        if self.part.free().any(is_open) || !self.is_whole(&claim, &found) {
            return None;
        }
        self.heirs_of_heirs(&mut claim);
        let aside = self.aside(&found);
        Some(Gist { claim, aside })
    }

    /// Reports whether the clause asks for a list, without a negation or a count.
    fn lists(&self) -> bool {
        let part = self.part;
        // "Usages of f when the draft ends" has a "when", and asks for no time.
        let is_fragment = part.asks == Asks::When && !part.says(0, "when since");
        let lists = matches!(part.asks, Asks::Which | Asks::Where) || is_fragment;
        // A denial or "only" may apply to the words that would be set aside.
        let is_odd = part.is_negated || part.is_only || part.is_default || part.is_unclear;
        let counts = part.exactly.is_some() || part.at_least.is_some();
        lists && !is_odd && !counts && self.ends_well() && !self.is_restricted()
    }

    /// Reports whether a word that was not read may change what is asked.
    fn is_open(&self, at: usize, found: &Found) -> bool {
        let is_read = found.used.contains(&at) || at == self.name;
        !is_read
            && !self.is_of_choice(at, found)
            && decides(self.part, at)
            && !self.is_what_is_done(at, found)
    }

    /// Reports whether no word restricts what the claim lists.
    fn is_whole(&self, claim: &Claim, found: &Found) -> bool {
        let is_said = |word: &String| {
            let used = found.used.iter().copied().chain(found.doing.clone());
            let mut used = used.map(|at| &self.part.tokens[at].text);
            used.any(|text| text == word) || *word == self.named.text
        };
        let narrowed = restricting(self.part, claim, self.tree, self.lexicon);
        narrowed.iter().all(is_said)
    }

    /// Reports whether a language only says what is done: "renders JSON through f".
    fn is_what_is_done(&self, at: usize, found: &Found) -> bool {
        found.doing.contains(&at) && is_in(LANGUAGES, self.word(at))
    }

    /// Reports whether words at the start or directly after the name restrict the question: "during
    /// a restart, who calls f?", "who calls f with a null".
    ///
    /// A start that asks itself restricts nothing.
    fn is_restricted(&self) -> bool {
        let next = self.name + 1;
        let is_used_with = self.says(next, "with without as per by at during on");
        if !self.pauses(self.name) && is_used_with && !self.part.taken[next] {
            return true;
        }
        let end = (0..self.name).find(|at| self.pauses(*at));
        let begins = self.says(0, PREPOSITIONS) && !self.says(0, "or and but where");
        let is_asked = |at: usize| lexicon::is_asking(self.word(at));
        begins && end.is_some_and(|end| !(0..=end).any(is_asked))
    }

    /// Reports whether a word adds another relation or another time: "the callers of the callers of
    /// f", "places that used to call f".
    fn relates_more(&self, at: usize, found: &Found) -> bool {
        let is_verb = || self.triggers(at).next().is_some() && !lexicon::is_empty(self.word(at));
        let is_means = found.doing.contains(&at) || self.says(at, "run runs");
        let is_kind = at == self.name + 1 && self.word(at) == "base";
        let is_other = || {
            let mut triggers = self.lexicon.of(&self.part.tokens[at]);
            let of_place = triggers.any(|trigger| {
                let (Trigger::Verb(predicate) | Trigger::Noun(predicate, _)) = trigger;
                is_in(OF_ONE, predicate.name)
            });
            of_place && !lexicon::is_empty(self.word(at))
        };
        let is_free = !found.used.contains(&at) && at != self.name && !(is_means || is_kind);
        is_free && (is_verb() || is_other())
    }

    /// Reports whether a word that decides elsewhere does not here: "the first time" of calls that
    /// are all listed, "or through another one", "test cases" that extend a type.
    fn is_of_choice(&self, at: usize, found: &Found) -> bool {
        let is_heir = found.predicate == &names::EXTENDS;
        let is_case = || {
            self.says(at, "test") && self.says(at + 1, "case cases class classes")
                || self.says(at, "case cases")
        };
        found.is_subject && self.says(at, "first") && self.says(at + 1, "time")
            || is_heir && (self.says(at, FURTHER) || is_case())
    }

    fn claim(&self, found: &Found) -> Claim {
        let name = Argument::is(self.named.text.clone());
        let arguments = match found.is_subject {
            true => vec![name, Argument::Hole],
            false => vec![Argument::Hole, name],
        };
        let mut claim = Claim::new(found.predicate, arguments);
        claim.scope = self.part.scope.clone();
        let file = self.file.map(|file| file.text.clone());
        claim.scope.inside.extend(file);
        // "What does f from a.py call?": the file selects the caller, and restricts no callee.
        if found.is_subject {
            claim.scope.inside.clear();
        }
        claim
    }

    /// Includes the heirs of heirs if the clause does: "directly or through another one".
    fn heirs_of_heirs(&self, claim: &mut Claim) {
        if claim.predicate == &names::EXTENDS && self.part.has(FURTHER) {
            claim.kind = Some(hierarchy::INDIRECT.to_owned());
        }
    }

    /// Returns the words with content of their own that were not read.
    fn aside(&self, found: &Found) -> String {
        let part = self.part;
        let is_heir = found.predicate == &names::EXTENDS;
        let says = |at: &usize| {
            let is_read = found.used.contains(at) || is_heir && self.says(*at, FURTHER);
            let is_name = *at == self.name || self.file.is_some_and(|file| file.at == Some(*at));
            !is_name && !is_read && !lexicon::is_empty(part.word(*at))
        };
        let words = part.free().filter(says);
        let words: Vec<&str> = words.map(|at| part.tokens[at].text.as_str()).collect();
        words.join(" ")
    }

    fn word(&self, at: usize) -> &str {
        self.part.word(at)
    }

    fn says(&self, at: usize, list: &str) -> bool {
        self.part.says(at, list)
    }

    fn pauses(&self, at: usize) -> bool {
        let token = self.part.tokens.get(at);
        token.is_none_or(|token| token.after != After::Word)
    }

    fn known(&self) -> std::rc::Rc<KnownName> {
        self.tree.know(&[last_part(&self.named.text)]).remove(0)
    }

    fn is_function(&self) -> bool {
        let known = self.known();
        let mut kinds = known.definitions().map(|place| place.kind);
        // A type with a constructor is no function, though `Pool(1)` looks like a call of one.
        kinds.any(|kind| is_callable(kind) && kind != Some(SymbolKind::Constructor))
    }

    fn is_type(&self) -> bool {
        use SymbolKind::{Constructor, Field, Function, Method, Parameter, Property, Variable};
        let known = self.known();
        let is_other = |kind: Option<SymbolKind>| {
            matches!(
                kind,
                Some(Constructor | Field | Function | Method | Parameter | Property | Variable)
            )
        };
        let is_capital = last_part(&self.named.text).starts_with(char::is_uppercase);
        let is_type = || known.definitions().any(|place| !is_other(place.kind));
        // A capital that the tree does not define is a type of a library.
        is_capital && (!known.is_defined() || is_type())
    }

    /// Returns the predicate of the verb at a place.
    fn verb(&self, at: usize) -> Option<&'static Predicate> {
        self.triggers(at).find_map(|trigger| match trigger {
            Trigger::Verb(predicate) => Some(predicate),
            Trigger::Noun(..) => None,
        })
    }

    fn noun(&self, at: usize) -> Option<&'static Predicate> {
        self.triggers(at).find_map(|trigger| match trigger {
            Trigger::Noun(predicate, 0) => Some(predicate),
            _ => None,
        })
    }

    fn triggers(&self, at: usize) -> impl Iterator<Item = Trigger> + '_ {
        let token = self.part.tokens.get(at).filter(|_| !self.part.is_name(at));
        let all = token.into_iter().flat_map(|token| self.lexicon.of(token));
        all.filter(|trigger| {
            let (Trigger::Verb(predicate) | Trigger::Noun(predicate, _)) = trigger;
            lexicon::is_relation(predicate)
        })
    }

    /// Reports whether words only describe what follows them.
    fn describe(&self, from: usize, to: usize) -> bool {
        let is_plain = |at: usize| {
            let word = self.word(at);
            !(self.part.is_name(at)
                || self.pauses(at)
                || lexicon::is_auxiliary(word)
                || lexicon::is_asking(word)
                || is_in(PREPOSITIONS, word)
                || word == "that"
                || self.triggers(at).next().is_some())
        };
        (from..to).all(is_plain)
    }

    /// Reports whether the name ends its phrase: "the f hook", but not "the f parser".
    fn ends_well(&self) -> bool {
        let next = self.name + 1;
        let owner = self.part.tokens[self.name].is_owner;
        if self.pauses(self.name) || next >= self.part.tokens.len() {
            return !owner;
        }
        let word = self.word(next);
        let relates = self.triggers(next).next().is_some();
        let is_kind = lexicon::is_kind(&lexicon::singular(word));
        let goes_on = relates
            || is_in(PREPOSITIONS, word)
            || lexicon::is_auxiliary(word)
            || lexicon::is_asking(word)
            || lexicon::is_empty(word)
            || self.part.taken[next];
        match owner {
            true => relates,
            false => is_kind || is_in("base mixin plugin middleware component", word) || goes_on,
        }
    }

    fn found(&self) -> Option<Found> {
        // `new X` is a construction by itself, whatever words are around it.
        if self.word(self.name) == NEW {
            return self.found_at(&names::CONSTRUCTS, Vec::new());
        }
        let found = self
            // The order matters: "functions that f calls" ends with "f calls", which `passive`
            // would read as a list of the calls of f.
            .called_inside()
            .or_else(|| self.versions())
            .or_else(|| self.heirs())
            .or_else(|| self.object())
            .or_else(|| self.passive())
            .or_else(|| self.means())
            .or_else(|| self.other_verb())?;
        // "Calls of X" for a type or a value means its uses.
        let is_call = found.predicate == &names::CALLS && !found.is_subject;
        let predicate = match is_call && !self.is_function() {
            true => &names::USES,
            false => found.predicate,
        };
        Some(Found { predicate, ..found })
    }

    fn found_at(&self, predicate: &'static Predicate, used: Vec<usize>) -> Option<Found> {
        Some(Found {
            predicate,
            is_subject: false,
            used,
            doing: 0..0,
        })
    }

    /// Finds what a function calls: "inside f, which helpers get called", "f: what does it run?",
    /// "functions that f calls".
    fn called_inside(&self) -> Option<Found> {
        if !self.is_function() {
            return None;
        }
        let is_use = |at: &usize| {
            let verb = self.verb(*at);
            verb.is_some_and(lexicon::is_use) && !self.part.taken[*at]
        };
        let count = self.part.tokens.len();
        let at = (self.name + 1..count)
            .find(|at| is_use(at) && self.does_after(*at))
            .or_else(|| (0..self.name).find(|at| is_use(at) && self.done_before(*at)))?;
        Some(Found {
            predicate: &names::CALLS,
            is_subject: true,
            used: vec![at],
            doing: 0..0,
        })
    }

    /// Reports whether a verb after the name says what the name does.
    fn does_after(&self, at: usize) -> bool {
        let pause = (self.name..at).find(|at| self.pauses(*at));
        pause.map_or_else(
            || self.does_at_once(at),
            |pause| self.does_in_it(pause + 1, at),
        )
    }

    fn asks_for_callees(&self, from: usize, to: usize) -> bool {
        (from..to).any(|at| self.says(at, "which what") || self.says(at, CALLEES))
    }

    fn is_done_to(&self, at: usize) -> bool {
        self.word(at).ends_with("ed") || self.says(at, "run")
    }

    /// Reports whether a clause after a pause asks for callees: "inside f, which helpers get
    /// called?", "f: which helpers does it call?"
    fn does_in_it(&self, from: usize, at: usize) -> bool {
        let opens = (self.name.saturating_sub(3)..self.name)
            .any(|at| self.says(at, "in inside within body"));
        let be = (from..at).any(|at| lexicon::is_be(self.word(at)));
        let it = (from..at).any(|at| self.says(at, "it its"));
        let by = self.says(at + 1, "by from");
        self.asks_for_callees(from, at) && !by && (opens && be && self.is_done_to(at) || it)
    }

    /// Reports whether the name is the subject of the next verb: "what does f call?", "functions
    /// that f calls", "f falls back on which helper?"
    fn does_at_once(&self, at: usize) -> bool {
        let done = (0..self.name).any(|at| self.says(at, "do does"));
        let asks_last = (at + 1..at + 3).any(|at| self.says(at, "which what"));
        let active = self.word(at).ends_with('s') || done;
        let before = self.name.checked_sub(1);
        let joined = before.is_some_and(|at| self.says(at, CALLEES) || self.says(at, "that which"));
        let asked = self.asks_for_callees(0, self.name) && (done || joined) || asks_last;
        self.describe(self.name + 1, at) && !self.is_done_to(at) && active && asked
    }

    /// Reports whether a passive verb before the name asks for callees: "which functions get called
    /// inside f?"
    fn done_before(&self, at: usize) -> bool {
        let asked = (0..at).any(|at| self.says(at, CALLEES) && !self.says(at, "anything"));
        let joint = at + 1;
        let is_passive = self.word(at).ends_with("ed");
        let joins = self.says(joint, "by inside within");
        asked && is_passive && joins && self.describe(joint + 1, self.name)
    }

    /// Finds the definitions of a function that has several: "the implementations of f for each
    /// platform".
    fn versions(&self) -> Option<Found> {
        let says = |at: &usize| {
            self.verb(*at) == Some(&names::IMPLEMENTS)
                || self.noun(*at) == Some(&names::IMPLEMENTS)
                || self.says(*at, "versions variants definitions")
        };
        let first = self.name.saturating_sub(BESIDE_MAX);
        let before = (first..self.name).rfind(says).filter(|at| {
            let joint = usize::from(self.says(at + 1, "of for"));
            self.describe(at + 1 + joint, self.name)
        });
        let at = before.or_else(|| Some(self.name + 1).filter(says))?;
        let known = self.known();
        let is_one = self.is_function() && !self.is_type() && known.definitions().count() > 1;
        let mut found = self.found_at(&names::DEFINES, vec![at])?;
        found.is_subject = true;
        is_one.then_some(found)
    }

    /// Finds the heirs of a type: "all matchers below X", "test cases built on X".
    fn heirs(&self) -> Option<Found> {
        let before = self.name.checked_sub(1)?;
        let first = self.name.saturating_sub(BESIDE_MAX);
        let joint = (first..=before)
            .rfind(|at| !self.describe(*at, *at + 1))
            .filter(|at| self.describe(at + 1, self.name))?;
        let lists = (0..joint).any(|at| self.says(at, TYPES));
        let below = self.says(joint, BELOW) && lists;
        // "Built on" has become a verb of use by now.
        let built = lists
            && self.word(joint) == "used"
            && joint > 0
            && !lexicon::is_be(self.word(joint - 1));
        (self.is_type() && (below || built)).then_some(())?;
        self.found_at(&names::EXTENDS, vec![joint])
    }

    /// Finds a relation before its object: "the callers of f", "who relies on f".
    fn object(&self) -> Option<Found> {
        let first = self.name.saturating_sub(BESIDE_MAX + 1);
        let at = (first..self.name).rfind(|at| self.triggers(*at).next().is_some())?;
        // In "call sites of f" a noun for places follows the relation.
        let joint = at + 1 + usize::from(self.says(at + 1, "site sites place places"));
        let has_joint = joint < self.name && is_in(PREPOSITIONS, self.word(joint));
        let start = joint + usize::from(has_joint);
        // "Derive code emits f": the words after the verb must begin the phrase that the name ends,
        // or they are the subject of another verb.
        let opens = start == self.name
            || lexicon::is_article(self.word(start))
            || self.part.tokens[start].is_owner
            || start + 1 == self.name;
        let described = opens && self.describe(start, self.name);
        if !described || self.pauses(at) {
            return None;
        }
        let noun = self
            .noun(at)
            .filter(|_| has_joint && self.says(joint, OF_NOUN));
        let of_type =
            |predicate: &Predicate| predicate == &names::EXTENDS && self.says(joint, "from");
        let participle = self.word(at).ends_with("ed");
        // "Extends from X" and "relies on X" keep their preposition. After any other the name is no
        // object: "calls in f".
        let verb = self.verb(at).filter(|predicate| {
            let direct = !has_joint || self.says(joint, "on") && !participle;
            of_type(predicate) || direct && !(participle && self.is_done(at))
        });
        self.found_at(noun.or(verb)?, vec![at])
    }

    fn is_done(&self, at: usize) -> bool {
        at > 0 && lexicon::is_be(self.word(at - 1))
    }

    /// Finds a relation after its object: "where f gets called", "f usages".
    fn passive(&self) -> Option<Found> {
        let next = self.name + 1;
        if let Some(noun) = self.noun(next).filter(|_| self.is_list(next)) {
            return self.found_at(noun, vec![next]);
        }
        let last = (next + DONE_MAX).min(self.part.tokens.len());
        let at = (next..last).find(|at| self.verb(*at).is_some())?;
        let is_participle = self.word(at).ends_with("ed") && self.is_done(at);
        let by = self.says(at + 1, "by") && self.tokens_after(at) > 2;
        let plain = (next..at).all(|at| lexicon::is_empty(self.word(at)));
        let predicate = self.verb(at).filter(|_| is_participle && plain && !by)?;
        self.found_at(predicate, vec![at])
    }

    /// Reports whether a noun after the name lists what it has: "f usages in the tree". An "X
    /// client" or what "X calls" is something else.
    fn is_list(&self, at: usize) -> bool {
        const NOUNS: &str = "usages usage uses callers calls call references invocations \
            occurrences subclasses implementations impls impl implementors implementers \
            descendants users consumers callsites";
        const JOINTS: &str = "in across from under within inside outside throughout please pls and \
            site sites when";
        !self.pauses(self.name)
            && self.says(at, NOUNS)
            && (self.pauses(at) || self.says(at + 1, JOINTS))
    }

    fn tokens_after(&self, at: usize) -> usize {
        self.part.tokens.len() - at - 1
    }

    /// Finds a use by its means: "every spot where we render a page through f", "the things typed
    /// as X".
    fn means(&self) -> Option<Found> {
        let first = self.name.saturating_sub(BESIDE_MAX);
        let at = (first..self.name).rfind(|at| self.says(*at, "through via with using by as"))?;
        let typed = at > 0 && self.says(at - 1, TYPED) && self.says(at, "as with by");
        let verb = at + usize::from(self.says(at + 1, "calling invoking"));
        let is_means = self.says(at, MEANS) && (self.word(at) != "by" || verb > at);
        if !self.describe(verb + 1, self.name) || !(typed || is_means) {
            return None;
        }
        let asked = (0..at).find(|at| self.says(*at, PLACES) || typed)?;
        (typed || self.says_what_is_done(asked, at)).then_some(())?;
        let mut used = vec![at, verb];
        used.extend(typed.then(|| at - 1));
        let found = self.found_at(&names::USES, used)?;
        Some(Found {
            doing: asked + 1..at,
            ..found
        })
    }

    /// Reports whether words say what is done by means of the name. They must not be about a change
    /// of code, or about parts of something else.
    fn says_what_is_done(&self, asked: usize, at: usize) -> bool {
        let says = (asked + 1..at).any(|at| !lexicon::is_empty(self.word(at)));
        let of_parts = (1..at).any(|at| {
            let is_kind = lexicon::is_kind(&lexicon::singular(self.word(at)));
            self.says(at - 1, "which what") && is_kind && !self.says(at, PLACES)
        });
        let is_change = |at: usize| self.says(at, NOT_OF_USE) && !self.says(at, "is are do does");
        says && !of_parts && !(asked..at).any(is_change)
    }

    /// Finds a use by any other verb: "who asks f?", "each line that takes it". Whatever does
    /// anything to a function uses it.
    fn other_verb(&self) -> Option<Found> {
        let first = self.name.saturating_sub(BESIDE_MAX);
        let at = (first..self.name).find(|at| self.is_other_verb(*at))?;
        // "All the places that funnel into f": the preposition belongs to the verb.
        let joint =
            usize::from(self.says(at + 1, "into through") && !self.says(at, "look looks dig digs"));
        self.describe(at + 1 + joint, self.name).then_some(())?;
        self.found_at(&names::USES, vec![at])
    }

    fn is_other_verb(&self, at: usize) -> bool {
        let word = self.word(at);
        let before = at.checked_sub(1).map_or("", |at| self.word(at));
        let after_subject = is_in("who that lines code places spots we", before)
            || is_in("which", before) && at > 1 && self.says(at - 2, PLACES);
        let is_word = word.chars().all(char::is_alphabetic) && !self.part.tokens[at].is_code;
        let relates = self.lexicon.of(&self.part.tokens[at]).next().is_some();
        let is_plain = !(lexicon::is_auxiliary(word)
            || lexicon::is_article(word)
            || lexicon::is_asking(word)
            || is_in(PREPOSITIONS, word)
            || is_in(NOT_OF_USE, word)
            || is_in(MAKING, word)
            || word.ends_with("ly")
            || token::looks_like_code(&self.part.tokens[at].text));
        // "Who simplified X" asks for the history.
        let is_past = before == "who" && word.ends_with("ed");
        after_subject && is_word && is_plain && !relates && !is_past
    }
}
