//! The gist of a question that lists what one name is related to, where other words are left over: "every spot
//! where we render a page through f", "inside f, which helpers get called". What is related, and in which
//! direction, is read from the words right beside the name; the rest is set aside, and the answer says so.

use grounds_claims::{Argument, Claim, Predicate, names};
use grounds_evidence::SymbolKind;

use super::lexicon::{self, Lexicon, Trigger};
use super::part::{Asks, ClauseName, ReadClause};
use super::token::{After, QuestionToken};
use super::tree::{KnownName, QuestionTree, last_part};
use super::{is_callable, parts, restricting, token};
use crate::settle::hierarchy;
use crate::words::is_in;

/// What a question asks, and the words that say more.
pub(super) struct Gist {
    pub(super) claim: Claim,
    pub(super) aside: String,
}

/// What stands for the word of a name that was written behind `new`.
const NEW: &str = "new";
/// Words between a relation and its name.
const BESIDE_MAX: usize = 6;
/// Words between a name and what is done to it.
const DONE_MAX: usize = 4;
/// Words after which a name is another part of the sentence.
const PREPOSITIONS: &str = "of in on from for at by with to as around about over under behind near \
    against across between like than into onto via per within without inside outside using through \
    and or but where when if below beneath underneath after before until since during once while \
    because";
/// What joins a noun for a relation to its name.
const OF_NOUN: &str = "of to for on from across";
/// What joins a verb to the means by which something is done.
const MEANS: &str = "through via with using by";
/// Nouns for places and for those that use: all of them are listed.
const PLACES: &str = "who where spot spots place places line lines code site sites caller callers \
    file files part parts function functions method methods everything anything everyone everybody \
    everywhere they we";
/// Nouns for what a body calls.
const CALLEES: &str = "functions methods helpers routines calls things function method helper \
    routine factories everything what anything";
/// Words that choose, order, measure or tell of another time or of people: words around them are not set aside.
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
/// Languages and systems of which some of a list can be.
const LANGUAGES: &str = "go golang rust python ruby java kotlin node php swift scala javascript \
    typescript dotnet linux windows macos";
/// Words for one end of an order.
const SUPERLATIVES: &str = "latest newest oldest biggest largest smallest longest shortest deepest \
    fastest slowest highest lowest busiest heaviest hottest closest nearest simplest earliest \
    greatest last";
/// Verbs of what is done to code, or said of it, and not by it.
const NOT_OF_USE: &str = "wrote write writes author authored added add adds introduced introduce \
    change changed changes modify modified edit edited remove removed removes delete deleted \
    rename renamed deprecate deprecated own owns maintain maintains maintained define defines \
    defined declare declares declared contain contains contained test tests tested cover covers \
    covered document documents documented describe describes described explain explains mock mocks \
    mocked stub stubs set sets assign assigns assigned hold holds name names named say says mean \
    means replace replaces fix fixes know knows want wants return returns returned become is are \
    was were has have had does do did break breaks broke like likes reviewed review";
/// Participles by which something is said to be of a type.
const TYPED: &str = "typed annotated marked decorated tagged declared";
/// What stands below a type in its hierarchy.
const BELOW: &str = "below under beneath underneath";
/// What says that heirs of heirs are meant, too.
const FURTHER: &str = "indirect indirectly transitive transitively recursively another through \
    grandchildren grand-children descendants depth level";
/// Predicates of one name: their words ask for something else.
const OF_ONE: &str = "defines introduced authored changed removed version license";
/// Nouns for types.
const TYPES: &str = "class classes type types struct structs exception exceptions error errors \
    interface interfaces case cases record records enum enums trait traits component components \
    object objects subclass subclasses";

/// Verbs of who makes or keeps something, which does not use it.
const MAKING: &str =
    "make makes build builds produce produces spawn spawns own owns maintain maintains";

/// The gist of a question after some names; `None` if nothing beside its one name says what is asked of it.
pub(super) fn of(
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
        // "I want to replace f. Show me each line that takes it."
        if gist.is_none() && tells_a_plan(&part) {
            continue;
        }
        let gist = gist?;
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

/// "I want to replace f": why something else is asked.
fn tells_a_plan(part: &ReadClause) -> bool {
    let mut tokens = part.tokens.iter();
    part.says(0, "i we") && tokens.any(|token| lexicon::is_change(&token.stem))
}

/// "Every `new X(…)`": the name of what is made.
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

/// A clause that names nothing, with the one name before it for its pronoun: "show me each line that takes it".
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

/// "I need all of the callers": a clause that has nothing of its own.
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

/// What was read of the words beside a name.
struct Found {
    predicate: &'static Predicate,
    /// Whether the name does it, so that what it is done to is asked for.
    is_subject: bool,
    used: Vec<usize>,
    /// Where words only say what is done by means of the name.
    doing: std::ops::Range<usize>,
}

struct Reader<'r, 'c> {
    part: &'r ReadClause,
    tree: &'r QuestionTree<'c>,
    lexicon: &'r Lexicon,
    named: ClauseName,
    /// Its token.
    name: usize,
}

impl<'r, 'c> Reader<'r, 'c> {
    /// A reader of a clause with one name that the tree knows.
    fn new(part: &'r ReadClause, tree: &'r QuestionTree<'c>, lexicon: &'r Lexicon) -> Option<Self> {
        let [named] = part.names.as_slice() else {
            return None;
        };
        let name = named.at.filter(|_| !named.is_path)?;
        Some(Self {
            part,
            tree,
            lexicon,
            named: named.clone(),
            name,
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

    /// Whether the clause asks for a list, with nothing that turns it.
    fn lists(&self) -> bool {
        let part = self.part;
        // "Usages of f when the draft ends" asks for no time.
        let is_fragment = part.asks == Asks::When && !part.says(0, "when since");
        let lists = matches!(part.asks, Asks::Which | Asks::Where) || is_fragment;
        let is_odd = part.is_negated || part.is_only || part.is_default || part.is_unclear;
        let counts = part.exactly.is_some() || part.at_least.is_some();
        lists && !is_odd && !counts && self.ends_well() && !self.is_restricted()
    }

    /// Whether a word may change what is asked.
    fn is_open(&self, at: usize, found: &Found) -> bool {
        let is_read = found.used.contains(&at) || at == self.name;
        !is_read
            && !self.is_of_choice(at, found)
            && decides(self.part, at)
            && !self.is_what_is_done(at, found)
    }

    /// Whether no word restricts what the claim lists.
    fn is_whole(&self, claim: &Claim, found: &Found) -> bool {
        let is_said = |word: &String| {
            let used = found.used.iter().copied().chain(found.doing.clone());
            let mut used = used.map(|at| &self.part.tokens[at].text);
            used.any(|text| text == word) || *word == self.named.text
        };
        let narrowed = restricting(self.part, claim, self.tree, self.lexicon);
        narrowed.iter().all(is_said)
    }

    /// "Renders JSON through f" does not say in which language.
    fn is_what_is_done(&self, at: usize, found: &Found) -> bool {
        found.doing.contains(&at) && is_in(LANGUAGES, self.word(at))
    }

    /// "During a restart, who calls f?", "who calls f with a null": what opens the question restricts it, unless it
    /// names what is asked about, and so does what the name is used with.
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

    /// "The callers of the callers of f", "places that used to call f": another relation, or another time.
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

    /// Words that would decide elsewhere: "the first time" of calls that are all listed, "or through another
    /// one", "test cases" that extend a type.
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
        // "From its own file": which of what is called is meant.
        if found.is_subject {
            claim.scope.inside.clear();
        }
        claim
    }

    /// "Directly or through another one": the heirs of heirs are asked for, too.
    fn heirs_of_heirs(&self, claim: &mut Claim) {
        if claim.predicate == &names::EXTENDS && self.part.has(FURTHER) {
            claim.kind = Some(hierarchy::INDIRECT.to_owned());
        }
    }

    /// The words with a content of their own that say more.
    fn aside(&self, found: &Found) -> String {
        let part = self.part;
        let is_heir = found.predicate == &names::EXTENDS;
        let says = |at: &usize| {
            let is_read = found.used.contains(at) || is_heir && self.says(*at, FURTHER);
            *at != self.name && !is_read && !lexicon::is_empty(part.word(*at))
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
        is_capital && (!known.is_defined() || is_type())
    }

    /// The verb of a relation, or its noun for those that do it.
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

    /// Whether words only describe what follows them.
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

    /// Whether the name ends its phrase: "the f hook", and not "the f parser".
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
        if self.word(self.name) == NEW {
            return self.found_at(&names::CONSTRUCTS, Vec::new());
        }
        let found = self
            .called_inside()
            .or_else(|| self.versions())
            .or_else(|| self.heirs())
            .or_else(|| self.object())
            .or_else(|| self.passive())
            .or_else(|| self.means())
            .or_else(|| self.other_verb())?;
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

    /// What a function calls: "inside f, which helpers get called", "f: what does it run?", "functions that f calls".
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

    /// Whether a verb after the name says what the name does.
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

    /// "Inside f, which helpers get called?", "f: which helpers does it call?"
    fn does_in_it(&self, from: usize, at: usize) -> bool {
        let opens = (self.name.saturating_sub(3)..self.name)
            .any(|at| self.says(at, "in inside within body"));
        let be = (from..at).any(|at| lexicon::is_be(self.word(at)));
        let it = (from..at).any(|at| self.says(at, "it its"));
        let by = self.says(at + 1, "by from");
        self.asks_for_callees(from, at) && !by && (opens && be && self.is_done_to(at) || it)
    }

    /// "What does f call?", "functions that f calls", "f falls back on which helper?"
    fn does_at_once(&self, at: usize) -> bool {
        let done = (0..self.name).any(|at| self.says(at, "do does"));
        let asks_last = (at + 1..at + 3).any(|at| self.says(at, "which what"));
        let active = self.word(at).ends_with('s') || done;
        let before = self.name.checked_sub(1);
        let joined = before.is_some_and(|at| self.says(at, CALLEES) || self.says(at, "that which"));
        let asked = self.asks_for_callees(0, self.name) && (done || joined) || asks_last;
        self.describe(self.name + 1, at) && !self.is_done_to(at) && active && asked
    }

    /// "Which functions get called inside f?"
    fn done_before(&self, at: usize) -> bool {
        let asked = (0..at).any(|at| self.says(at, CALLEES) && !self.says(at, "anything"));
        let joint = at + 1;
        let is_passive = self.word(at).ends_with("ed");
        let joins = self.says(joint, "by inside within");
        asked && is_passive && joins && self.describe(joint + 1, self.name)
    }

    /// "The implementations of f for each platform": a function of which the tree has several.
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

    /// "All matchers below X", "test cases built on X".
    fn heirs(&self) -> Option<Found> {
        let before = self.name.checked_sub(1)?;
        let first = self.name.saturating_sub(BESIDE_MAX);
        let joint = (first..=before)
            .rfind(|at| !self.describe(*at, *at + 1))
            .filter(|at| self.describe(at + 1, self.name))?;
        let lists = (0..joint).any(|at| self.says(at, TYPES));
        let below = self.says(joint, BELOW) && lists;
        // "Built on" is read as a word for use.
        let built = lists
            && self.word(joint) == "used"
            && joint > 0
            && !lexicon::is_be(self.word(joint - 1));
        (self.is_type() && (below || built)).then_some(())?;
        self.found_at(&names::EXTENDS, vec![joint])
    }

    /// "The callers of f", "who relies on f".
    fn object(&self) -> Option<Found> {
        let first = self.name.saturating_sub(BESIDE_MAX + 1);
        let at = (first..self.name).rfind(|at| self.triggers(*at).next().is_some())?;
        // "Call sites of f."
        let joint = at + 1 + usize::from(self.says(at + 1, "site sites place places"));
        let has_joint = joint < self.name && is_in(PREPOSITIONS, self.word(joint));
        let start = joint + usize::from(has_joint);
        // "Derive code emits f": what stands between begins the phrase that the name ends.
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
        let verb = self.verb(at).filter(|predicate| {
            let direct = !has_joint || self.says(joint, "on") && !participle;
            of_type(predicate) || direct && !(participle && self.is_done(at))
        });
        self.found_at(noun.or(verb)?, vec![at])
    }

    fn is_done(&self, at: usize) -> bool {
        at > 0 && lexicon::is_be(self.word(at - 1))
    }

    /// "Where f gets called", "f usages".
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

    /// "F usages in the tree": what the name has, as a list. An "X client" and what "X calls" are something else.
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

    /// "Every spot where we render a page through f", "the things typed as X".
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

    /// Whether words say what is done by means of the name: neither what is done to code, nor parts of something else.
    fn says_what_is_done(&self, asked: usize, at: usize) -> bool {
        let says = (asked + 1..at).any(|at| !lexicon::is_empty(self.word(at)));
        let of_parts = (1..at).any(|at| {
            let is_kind = lexicon::is_kind(&lexicon::singular(self.word(at)));
            self.says(at - 1, "which what") && is_kind && !self.says(at, PLACES)
        });
        let is_change = |at: usize| self.says(at, NOT_OF_USE) && !self.says(at, "is are do does");
        says && !of_parts && !(asked..at).any(is_change)
    }

    /// "Who asks f?", "each line that takes it": what does anything to a function uses it.
    fn other_verb(&self) -> Option<Found> {
        let first = self.name.saturating_sub(BESIDE_MAX);
        let at = (first..self.name).find(|at| self.is_other_verb(*at))?;
        // "All the places that funnel into f".
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
