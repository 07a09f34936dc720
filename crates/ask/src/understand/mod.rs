//! Question → claims, with an account of every word.
//!
//! Words are first compared with the tree. Each frame that a verb or noun triggers then proposes a
//! candidate, and the candidate that accounts for every word becomes the claim. Words that no
//! candidate accounts for are reported, and the answer does not cover them.

mod access;
mod again;
pub(crate) mod apposition;
pub(crate) mod commits;
pub(crate) mod event;
mod flag;
mod gist;
pub(crate) mod has;
mod idiom;
pub(crate) mod learned;
pub(crate) mod letters;
pub(crate) mod lexicon;
mod manifest_field;
mod narrowing;
mod opening;
mod pairs;
mod parameter;
mod part;
mod parts;
mod phrase;
mod plain;
mod polarity;
mod project;
mod quantity;
mod relation;
mod remarks;
mod restriction;
pub(crate) mod scope;
mod set_aside;
mod shape;
mod single;
mod slot;
mod spoken;
pub(crate) mod token;
pub(crate) mod tree;
pub(crate) mod value;
mod whole;

use grounds_claims::{Claim, names};
use grounds_evidence::SymbolKind;
use grounds_repo::labels::LabelledPlace;

use crate::words::is_in;
use lexicon::Lexicon;
pub(crate) use lexicon::singular;
pub(crate) use lexicon::{is_relation, is_use};
use part::{ClauseName, ReadClause};
pub(crate) use part::{is_path, with_line};
pub(crate) use restriction::is_selecting;
use token::QuestionToken;
pub(crate) use tree::QuestionTree;

/// Claims that were read from a question, and what they do not cover.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Understanding {
    /// The claims, in the order of the question; empty if no frame fits.
    pub claims: Vec<Claim>,
    /// Words with content of their own that no claim uses.
    pub unread: Vec<String>,
    /// Whether the question asks for what no tree shows: an opinion, a motive, a measure, the
    /// future.
    pub is_beyond: bool,
    /// Whether the answer is yes or no.
    pub is_yes_or_no: bool,
    /// Whether the question asks how many.
    pub counts: bool,
    /// Whether the question only asks if something exists.
    pub is_existence: bool,
    /// Whether a clause asks for more of the answer to the one before it.
    pub is_joined: bool,
    /// Whether a clause that asks has no claim.
    pub has_open_clause: bool,
    /// Whether it asks for a version, a commit or a day.
    pub asks_history: bool,
    /// Whether code cannot answer the question: it asks how the program behaves at run time, or for
    /// what is beyond the tree.
    pub is_about_running: bool,
    /// Whether the words name something in code.
    pub has_names: bool,
    /// Whether a claim was read by its similarity to known wordings.
    pub is_like: bool,
    /// Verbs that ask in other questions, and here say what some code does: "where does the site
    /// look for layouts?"
    pub doings: Vec<String>,
    /// Nouns that select a part of the subject: "the text of the constraints".
    pub owned: Vec<String>,
    /// Whether such a noun belongs to a name.
    pub has_owned: bool,
    /// Whether words restrict or negate what is asked for.
    pub is_narrowed: bool,
}

/// One candidate for the meaning of a clause.
#[derive(Clone, Debug)]
struct ClauseReading {
    claim: Claim,
    /// The numbers of the tokens that the claim uses.
    used: Vec<usize>,
}

impl Understanding {
    /// Records what a clause asks for, and how many claims were read from it.
    fn note(&mut self, part: &ReadClause, claims: usize, is_more: bool) {
        let is_whether = part.asks == part::Asks::Whether;
        self.is_joined |= is_more || claims > 1;
        self.has_open_clause |= claims == 0 && !is_more;
        let is_dated = part.has("version versions release releases")
            || ["which commit", "what commit", "original author"]
                .iter()
                .any(|phrase| part.find(phrase).is_some());
        self.asks_history |= is_dated && !is_whether;
        self.is_yes_or_no |= is_whether;
        self.counts |= matches!(part.asks, part::Asks::Count | part::Asks::CountFiles);
        self.is_existence |= part.is_existence();
    }

    /// Reports whether the claims use every word of the question.
    pub(crate) fn is_complete(&self) -> bool {
        !self.claims.is_empty() && self.unread.is_empty() && !self.is_beyond
    }
}

/// Reads a question about a tree by frames.
pub(crate) fn read(text: &str, tree: &QuestionTree<'_>) -> Understanding {
    let (tokens, is_cut) = words_of(text, tree);
    let mut understanding = read_words(tokens.clone(), is_cut, tree);
    // A name that is said as words ("the audit command" for `AuditCommand`) costs searches, so it
    // is tried only if words are left over.
    if !understanding.is_complete()
        && let Some(joined) = spoken::joined(&tokens, tree)
    {
        let named = read_words(joined, is_cut, tree);
        if named.is_complete() {
            understanding = named;
        }
    }
    // The tokens keep `From` of `From<Level>` only, so the argument is looked for in the text.
    let argument = narrowing::type_argument(text, &understanding.claims);
    understanding.unread.extend(argument);
    understanding
}

/// A reading of a question without some of its words.
pub(crate) struct ReadWithout {
    pub(crate) understanding: Understanding,
    /// The words that were set aside, joined for the message.
    pub(crate) aside: String,
    /// Whether those words set a condition, so that another answer may hold without it.
    pub(crate) is_condition: bool,
    /// Whether the name that the words refer to was guessed.
    pub(crate) is_guess: bool,
}

/// Reads a question with some of its words set aside. Returns `None` if no reading is complete.
pub(crate) fn read_without(text: &str, tree: &QuestionTree<'_>) -> Option<ReadWithout> {
    let (tokens, is_cut) = words_of(text, tree);
    // A question that is too long may have lost its restriction with its last words.
    if is_cut {
        return None;
    }
    let rests = set_aside::rests(&tokens, tree);
    rests.into_iter().find_map(|rest| {
        let understanding = read_words(rest.tokens, false, tree);
        // A described value uses every word of the clause, so that setting one aside changes what
        // is described.
        let stays = |claim: &Claim| {
            stays_without(claim, rest.describes_name) && !value::is_described(claim)
        };
        let is_whole = understanding.is_complete()
            && !understanding.has_open_clause
            && understanding.claims.iter().all(stays);
        is_whole.then(|| ReadWithout {
            understanding,
            aside: rest.aside.join("”, “"),
            is_condition: rest.is_condition,
            is_guess: rest.is_guess,
        })
    })
}

/// Reads a question about the commit that renamed something. Returns the old name, and the claim
/// about the new one.
pub(crate) fn read_renamed(text: &str, tree: &QuestionTree<'_>) -> Option<(String, Understanding)> {
    let (tokens, is_cut) = words_of(text, tree);
    let (old, plain) = set_aside::renamed(&tokens, tree).filter(|_| !is_cut)?;
    let understanding = read(&plain, tree);
    let is_whole = understanding.is_complete() && understanding.claims.len() == 1;
    is_whole.then_some((old, understanding))
}

/// Reads the one list that a question asks for, with the words that say more set aside.
pub(crate) fn read_gist(text: &str, tree: &QuestionTree<'_>) -> Option<ReadWithout> {
    let (text, brackets) = remarks::without_brackets(text);
    let (tokens, is_cut) = words_of(&text, tree);
    if is_cut || is_beyond(&tokens) {
        return None;
    }
    let (tokens, own) = remarks::without_own(tokens);
    let gist = gist::of(tokens, Vec::new(), tree)?;
    // Which callees are the project's own is not decided, so "f calls what, our own methods only"
    // is answered with all of them and a note. That a caller is a test is decided: there a remark
    // on whose code is meant would be dropped wrongly.
    let lists_calls = gist.claim.text(0).is_some() && lexicon::is_use(gist.claim.predicate);
    if own.is_some() && !lists_calls {
        return None;
    }
    let asides = [gist.aside].into_iter().chain(own).chain(brackets);
    let asides: Vec<String> = asides.filter(|aside| !aside.is_empty()).collect();
    Some(ReadWithout {
        is_guess: false,
        understanding: Understanding {
            claims: vec![gist.claim],
            ..Understanding::default()
        },
        aside: asides.join("”, “"),
        is_condition: false,
    })
}

/// Reads what a question asks about a text that appears literally in code.
pub(crate) fn read_letters(text: &str, tree: &QuestionTree<'_>) -> Option<ReadWithout> {
    let (tokens, is_cut) = words_of(text, tree);
    if is_cut || is_beyond(&tokens) {
        return None;
    }
    let (claim, aside) = letters::of(tokens, tree)?;
    Some(ReadWithout {
        is_guess: false,
        understanding: Understanding {
            claims: vec![claim],
            ..Understanding::default()
        },
        aside,
        is_condition: false,
    })
}

/// Like [`read_without`], with the remark in brackets set aside that describes a name.
pub(crate) fn read_without_remark(text: &str, tree: &QuestionTree<'_>) -> Option<ReadWithout> {
    let (plain, aside) =
        apposition::with_name(text, tree).or_else(|| apposition::without_remark(text, tree))?;
    let understanding = read(&plain, tree);
    let stays = |claim: &Claim| stays_without(claim, true) && !value::is_described(claim);
    let is_whole = understanding.is_complete()
        && !understanding.has_open_clause
        && understanding.claims.iter().all(stays);
    is_whole.then_some(ReadWithout {
        is_guess: false,
        understanding,
        aside,
        is_condition: false,
    })
}

/// Like [`read_without`], for several clauses that ask: each clause sets its own words aside.
pub(crate) fn read_clauses_without(text: &str, tree: &QuestionTree<'_>) -> Option<ReadWithout> {
    let (tokens, is_cut) = words_of(text, tree);
    if is_cut {
        return None;
    }
    let mut reader = QuestionReader::new(&tokens, tree, false);
    reader.aside = Some(Vec::new());
    let asking = reader.read(tokens);
    let aside = reader.aside.unwrap_or_default();
    let understanding = reader.understanding;
    // A single clause is the case of `read_without`.
    let is_whole = asking > 1 && understanding.is_complete() && !understanding.has_open_clause;
    (is_whole && (!aside.is_empty() || reader.is_gist)).then(|| ReadWithout {
        is_guess: false,
        understanding,
        aside: aside.join("”, “"),
        is_condition: reader.is_condition,
    })
}

/// Reports whether a claim still holds if words that restrict it are set aside.
///
/// A list only becomes longer, and a fact may also hold elsewhere. A count, "only", "never" and
/// "none" would answer another question.
fn stays_without(claim: &Claim, describes_name: bool) -> bool {
    use grounds_claims::Quantifier;
    let is_plain = matches!(claim.quantifier, Quantifier::Some | Quantifier::Any);
    // The number of variants of an enum is the same, whatever noun the question has for them.
    let is_count =
        claim.quantifier == Quantifier::Count && claim.kind.as_deref() == Some("variant");
    describes_name || is_count || is_plain && !claim.is_negated
}

fn read_words(tokens: Vec<QuestionToken>, is_cut: bool, tree: &QuestionTree<'_>) -> Understanding {
    let mut reader = QuestionReader::new(&tokens, tree, false);
    reader.expect_words(&tokens);
    if is_cut {
        reader.understanding.unread.push("…".to_owned());
    }
    reader.read(tokens);
    // "CI runs on Ruby 3. Which Ruby is required?": workflows and manifests can differ, so a word
    // of CI must not be dropped with the clause that only tells.
    let mut claims = reader.understanding.claims.iter();
    if claims.any(|claim| [&names::REQUIRES, &names::VERSION].contains(&claim.predicate)) {
        let of_ci: Vec<String> = reader
            .told
            .iter()
            .filter(|word| is_of_ci(&word.to_lowercase()))
            .cloned()
            .collect();
        reader.understanding.unread.extend(of_ci);
    }
    // A clause that only tells asks nothing, so its words count as unread only if no claim was read
    // at all.
    if reader.understanding.claims.is_empty() {
        reader.understanding.unread.append(&mut reader.told);
    } else {
        reader.understanding.unread.append(&mut reader.open);
    }
    reader.understanding
}

/// Reads a question with a clause that no frame reads, but that is similar to known wordings.
/// Returns `None` if a clause is still not read.
pub(crate) fn read_alike(text: &str, tree: &QuestionTree<'_>) -> Option<Understanding> {
    let (tokens, is_cut) = words_of(text, tree);
    // "How long may a number be (MAX_NUMBER_LENGTH)?": the words before the brackets describe the
    // name, and form no wording of their own.
    if is_cut || apposition::closes(text) {
        return None;
    }
    let mut reader = QuestionReader::new(&tokens, tree, true);
    let asking = reader.read(tokens.clone());
    if reader.understanding.is_complete() {
        return reader.understanding.is_like.then_some(reader.understanding);
    }
    // The telling clause can belong to the wording: "f hands over to another function. Which?" So
    // the whole text is tried as one clause.
    if asking > 1 || reader.understanding.is_beyond {
        return None;
    }
    let mut whole = QuestionReader::new(&tokens, tree, true);
    let mut part = ReadClause::new(tokens, tree, &whole.lexicon, &[]);
    let claim = alike(&mut part, tree, &whole.lexicon)?;
    whole.understanding.claims.push(claim);
    whole.understanding.is_like = true;
    Some(whole.understanding)
}

/// Returns the claim that a clause is similar to, unless other words narrow it.
fn alike(part: &mut ReadClause, tree: &QuestionTree<'_>, lexicon: &Lexicon) -> Option<Claim> {
    // "Constructors of X" is similar to other questions about X, and no claim lists constructors.
    if part.free().any(|at| relation::is_a_constructor(part, at)) {
        return None;
    }
    let claim = learned::read(part, tree, lexicon)?;
    // "Which host does X fall back to?" asks for a value, and no calls have it.
    if claim.predicate == &names::CALLS && asks_for_value_noun(part) {
        return None;
    }
    // "Which line starts the X?" asks where something is done with it, and not where it is defined.
    if claim.predicate == &names::DEFINES && part.free().any(|at| is_done_to(part, at, lexicon)) {
        return None;
    }
    // "How many kinds of X are there?" may ask for what an enumeration lists.
    let of_kinds = ["kinds of", "types of", "sorts of"];
    let is_of_types = [&names::EXTENDS, &names::IMPLEMENTS].contains(&claim.predicate);
    if is_of_types && of_kinds.iter().any(|phrase| part.find(phrase).is_some()) {
        return None;
    }
    // The network reads by similarity and drops words, so restrictions are checked after it.
    let is_whole = restriction::open(part, &claim).is_empty()
        && polarity::open(part, &claim).is_empty()
        && narrowing::open(part, &claim, tree).is_empty();
    is_whole.then_some(claim)
}

/// Reports whether a noun of values directly follows "which" or "what".
fn asks_for_value_noun(part: &ReadClause) -> bool {
    const NOUNS: &str = "host port address number value text string message prefix suffix url uri path header status \
        limit size length timeout delay charset encoding version character label word default";
    (1..part.tokens.len()).any(|at| part.says(at - 1, "which what") && part.says(at, NOUNS))
}

/// Reports whether a word is an unknown verb with a subject before it and an object after it.
fn is_done_to(part: &ReadClause, at: usize, lexicon: &Lexicon) -> bool {
    const DOERS: &str =
        "which what who that line place spot code file function method bit part actually";
    let is_verb = part.word(at).ends_with('s')
        && !lexicon::is_empty(part.word(at))
        && lexicon.of(&part.tokens[at]).next().is_none();
    let has_object = part.is_name(at + 1) || lexicon::is_article(part.word(at + 1));
    let joined = part.tokens[at].after == token::After::Word;
    is_verb && has_object && joined && at > 0 && part.says(at - 1, DOERS) && !part.is_name(at)
}

/// Splits a text into words, and reports whether some were left out.
///
/// A question mark after a name belongs to it only if the tree has such a name: "who calls f_x? it
/// breaks".
fn words_of(text: &str, tree: &QuestionTree<'_>) -> (Vec<QuestionToken>, bool) {
    let (mut tokens, is_cut) = token::split(text);
    for token in &mut tokens {
        let Some(bare) = token.text.strip_suffix('?').map(str::to_owned) else {
            continue;
        };
        // Ruby has names that end in a mark, such as `empty?`.
        if !bare.is_empty() && tree.know(&[tree::last_part(&token.text)])[0].is_absent() {
            token.lower = bare.to_lowercase();
            token.text = bare;
            token.after = token::After::End;
        }
    }
    let tokens = remarks::without(without_project(tokens, tree), tree);
    (idiom::plain(tokens, tree), is_cut)
}

/// Drops the project before one of its folders, since that adds nothing: "in Guzzle's src".
fn without_project(tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    let is_whose = |at: usize| {
        let token = &tokens[at];
        let next = tokens.get(at + 1);
        token.is_owner
            && tree.is_project(&token.text)
            && next.is_some_and(|next| tree.has_folder(&next.text))
    };
    let kept: Vec<bool> = (0..tokens.len()).map(|at| !is_whose(at)).collect();
    let kept = tokens.iter().zip(kept).filter(|(_, kept)| *kept);
    kept.map(|(token, _)| token.clone()).collect()
}

/// Reports whether a word refers to continuous integration. What CI runs on is not what the project
/// needs.
fn is_of_ci(word: &str) -> bool {
    is_in("ci matrix workflow pipeline", word)
}

/// State of a question that is read clause by clause.
struct QuestionReader<'r, 'c> {
    tree: &'r QuestionTree<'c>,
    lexicon: Lexicon,
    /// Whether similarity is tried for a clause that no frame reads.
    is_alike: bool,
    /// Names of the clauses before, the most likely one for a pronoun last.
    context: Vec<ClauseName>,
    /// Words of clauses that only tell.
    told: Vec<String>,
    /// Question words of clauses that have no claim.
    open: Vec<String>,
    /// Words that were set aside; `None` if setting aside is not allowed.
    aside: Option<Vec<String>>,
    /// Whether some of these words set a condition.
    is_condition: bool,
    /// Whether a clause was read by its gist.
    is_gist: bool,
    understanding: Understanding,
}

impl<'r, 'c> QuestionReader<'r, 'c> {
    fn new(tokens: &[QuestionToken], tree: &'r QuestionTree<'c>, is_alike: bool) -> Self {
        let understanding = Understanding {
            is_beyond: is_beyond(tokens),
            is_about_running: tokens
                .iter()
                .any(|token| !token.is_code && lexicon::is_about_running(&token.lower)),
            has_names: tokens.iter().any(|token| token.is_code),
            ..Understanding::default()
        };
        Self {
            tree,
            lexicon: Lexicon::new(),
            is_alike,
            context: Vec::new(),
            told: Vec::new(),
            open: Vec::new(),
            aside: None,
            is_condition: false,
            is_gist: false,
            understanding,
        }
    }

    /// Announces all words that could be names, so that one pass over the tree finds them together.
    fn expect_words(&self, tokens: &[QuestionToken]) {
        let is_open = |token: &&QuestionToken| {
            let is_plain = !token.is_code && token.text.chars().all(char::is_alphanumeric);
            is_plain && !lexicon::is_empty(&token.lower) && self.lexicon.of(token).next().is_none()
        };
        let words = tokens.iter().filter(is_open);
        self.tree.expect(words.map(|token| token.text.clone()));
    }

    /// Reads all clauses, and returns how many of them ask.
    fn read(&mut self, tokens: Vec<QuestionToken>) -> usize {
        let mut asking = 0;
        for clause in parts::clauses(tokens) {
            let mut part = ReadClause::new(
                clause.tokens.clone(),
                self.tree,
                &self.lexicon,
                &self.context,
            );
            // A pronoun after a telling clause may refer to something that the clause named in
            // plain words.
            part.has_told = !self.told.is_empty();
            if clause.asks {
                part = self.ask(part, &clause.tokens);
                asking += 1;
            } else {
                let left = left_over(&part, &nothing(), self.tree, &self.lexicon);
                self.told.extend(left);
                // Only names of a telling clause are pruned: "Shelf labels are printed by f" is
                // about f.
                part.forget_adjectives();
            }
            self.remember(&part);
        }
        asking
    }

    /// Reads a clause that asks. Returns the clause in the form that was read.
    fn ask(&mut self, part: ReadClause, tokens: &[QuestionToken]) -> ReadClause {
        let has_told = part.has_told;
        let (mut part, mut claims, mut unread) = self.by_frames(part, tokens);
        let is_read = !claims.is_empty() && unread.is_empty();
        if !is_read
            && self.aside.is_some()
            && let Some((other, claim)) = self.without_some(tokens, has_told)
        {
            (part, claims, unread) = (other, vec![claim], Vec::new());
        }
        // A described value uses every word and so always looks complete. Similarity to a known
        // wording is more specific.
        let is_open =
            claims.is_empty() || !unread.is_empty() || claims.iter().any(value::is_described);
        if self.is_alike
            && is_open
            && let Some(like) = alike(&mut part, self.tree, &self.lexicon)
        {
            (claims, unread) = (vec![like], Vec::new());
            self.understanding.is_like = true;
        }
        self.note_nouns(&part);
        self.understanding.is_narrowed |=
            restriction::is_restricted(&part) || polarity::is_turned(&part);
        // "Who calls f, and how often?": the second clause has no subject, and extends the claim of
        // the first.
        let is_more = unread.is_empty() && self.says_more(&part, &claims);
        let understanding = &mut self.understanding;
        if is_more {
            claims = Vec::from_iter(more_of(understanding.claims.last(), &part));
        }
        let before = understanding.claims.last();
        let asks_who = before.is_some_and(|last| !has_more(last, &part));
        if claims.is_empty() && !is_more && (!part.names.is_empty() || asks_who) {
            self.open.extend(open_words(&part));
        }
        understanding.note(&part, claims.len(), is_more);
        understanding.claims.extend(claims);
        understanding.unread.extend(unread);
        part
    }

    /// Reports whether a clause only asks for more of the previous answer.
    fn says_more(&self, part: &ReadClause, claims: &[Claim]) -> bool {
        let mut last = self.understanding.claims.last().into_iter();
        part.names.is_empty()
            && claims.len() < 2
            && !claims.iter().any(says_other)
            && is_bare(part, &self.lexicon)
            && last.any(|last| has_more(last, part))
    }

    /// Records the verbs of what code does, and the nouns that belong to something.
    fn note_nouns(&mut self, part: &ReadClause) {
        let text = |at: usize| part.tokens[at].text.clone();
        let owned = phrase::beside_names(part, self.tree, &self.lexicon);
        let others = phrase::of_others(part, self.tree, &self.lexicon);
        let doings = part.free().filter(|at| acts(part, *at, &self.lexicon));
        let understanding = &mut self.understanding;
        understanding.doings.extend(doings.map(text));
        understanding.has_owned |= !owned.is_empty();
        understanding
            .owned
            .extend(owned.into_iter().chain(others).map(text));
    }

    /// Returns a clause that is read once some of its words are set aside, and its claim.
    fn without_some(
        &mut self,
        tokens: &[QuestionToken],
        has_told: bool,
    ) -> Option<(ReadClause, Claim)> {
        let mut rests = set_aside::rests(tokens, self.tree);
        rests.extend(apposition::rest(tokens, self.tree));
        for rest in rests {
            let mut part =
                ReadClause::new(rest.tokens.clone(), self.tree, &self.lexicon, &self.context);
            part.has_told = has_told;
            let (part, claims, unread) = self.by_frames(part, &rest.tokens);
            // Two claims would share the set-aside words, and only one of them may be restricted by
            // them.
            let [claim] = claims.as_slice() else {
                continue;
            };
            let stays = stays_without(claim, rest.describes_name) && !value::is_described(claim);
            if stays && unread.is_empty() {
                self.aside.get_or_insert_default().extend(rest.aside);
                self.is_condition |= rest.is_condition;
                return Some((part, claim.clone()));
            }
        }
        self.by_gist(tokens)
    }

    /// Returns the gist of a clause whose pronoun can only mean the one name before it: "and who
    /// applies it?"
    fn by_gist(&mut self, tokens: &[QuestionToken]) -> Option<(ReadClause, Claim)> {
        let named = self.context.iter().filter(|named| !named.is_path);
        let named = named.map(|named| QuestionToken {
            text: named.text.clone(),
            lower: named.text.to_lowercase(),
            is_code: true,
            ..QuestionToken::default()
        });
        let gist = gist::of(tokens.to_vec(), named.collect(), self.tree)?;
        let asides = (!gist.aside.is_empty()).then_some(gist.aside);
        self.aside.get_or_insert_default().extend(asides);
        self.is_gist = true;
        let part = ReadClause::new(tokens.to_vec(), self.tree, &self.lexicon, &self.context);
        Some((part, gist.claim))
    }

    /// Reads a clause by frames. Returns the claims, and the words that they leave over.
    fn by_frames(
        &self,
        mut part: ReadClause,
        tokens: &[QuestionToken],
    ) -> (ReadClause, Vec<Claim>, Vec<String>) {
        let (claim, unread) = completed(&mut part, self.tree, &self.lexicon);
        let one = |claim: Option<Claim>| Vec::from_iter(claim);
        if unread.is_empty() {
            return (part, one(claim), unread);
        }
        if let Some(both) = two_at_once(&part, self.tree, &self.lexicon) {
            return (part, vec![both.0, both.1], Vec::new());
        }
        // The corrected clause is kept only if it is read without a rest: "who cals f?"
        if let Some(tokens) = without_slips(tokens, &unread, self.tree, &self.lexicon) {
            let mut other = ReadClause::new(tokens, self.tree, &self.lexicon, &self.context);
            other.has_told = part.has_told;
            let (meant, rest) = completed(&mut other, self.tree, &self.lexicon);
            if meant.is_some() && rest.is_empty() {
                return (other, one(meant), rest);
            }
        }
        (part, one(claim), unread)
    }

    /// Keeps the names of a clause for the clauses after it.
    fn remember(&mut self, part: &ReadClause) {
        let mut named: Vec<ClauseName> = part.names.iter().cloned().chain(scoped(part)).collect();
        // "It" is the subject of the sentence, which comes first, and the last entry is tried
        // first.
        named.reverse();
        named.extend(owned(part));
        for named in named {
            // A name that is repeated moves to the end, as the latest one.
            self.context.retain(|known| known.text != named.text);
            self.context.push(ClauseName { at: None, ..named });
        }
    }
}

/// Returns the question words of a clause that no claim uses, because nothing was read of the
/// clause.
fn open_words(part: &ReadClause) -> Vec<String> {
    let asks = |at: &usize| ["who", "where", "when", "whose"].contains(&part.word(*at));
    let words = part.free().filter(asks);
    words.map(|at| part.tokens[at].text.clone()).collect()
}

/// Returns an empty reading, for the words that a clause has beside any claim.
fn nothing() -> ClauseReading {
    ClauseReading {
        claim: Claim::new(&grounds_claims::names::TOPIC, Vec::new()),
        used: Vec::new(),
    }
}

/// Returns two claims of one clause that together use all its words: "where is it defined + who
/// calls it".
fn two_at_once(
    part: &ReadClause,
    tree: &QuestionTree<'_>,
    lexicon: &Lexicon,
) -> Option<(Claim, Claim)> {
    let joins = part.has("and or plus")
        || part
            .tokens
            .iter()
            .any(|token| token.after == token::After::Pause);
    // "Only" and "not" would apply to one of the two claims, and it is open to which.
    if !joins || part.is_negated || part.is_only {
        return None;
    }
    let mut readings = all_readings(part, tree, lexicon);
    // "Which of its methods run the first time" asks for no commit, though "first" alone asks when
    // something was introduced.
    readings.retain(|reading| {
        reading.claim.predicate != &names::INTRODUCED || part.find("first time").is_none()
    });
    for (number, one) in readings.iter().enumerate() {
        for other in &readings[number + 1..] {
            let (first, second) = (&one.claim, &other.claim);
            if first.predicate == second.predicate
                || is_said_of_listed(first, second)
                || is_said_of_listed(second, first)
            {
                continue;
            }
            let mut both = one.clone();
            both.used.extend(&other.used);
            if left_over(part, &both, tree, lexicon).is_empty() {
                return Some((one.claim.clone(), other.claim.clone()));
            }
        }
    }
    None
}

/// Reports whether the second verb belongs to what is listed: in "which class extends A and calls
/// f?" the listed class calls f, and A does not.
fn is_said_of_listed(list: &Claim, other: &Claim) -> bool {
    let lists = lexicon::is_relation(list.predicate) && list.text(0).is_none();
    let relates = lexicon::is_relation(other.predicate) && other.text(1).is_some();
    lists && relates && other.text(0).is_some() && other.text(0) == list.text(1)
}

/// Returns every candidate for a clause.
fn all_readings(
    part: &ReadClause,
    tree: &QuestionTree<'_>,
    lexicon: &Lexicon,
) -> Vec<ClauseReading> {
    let mut readings = Vec::from_iter(access::readings(part, tree));
    readings.extend(relation::readings(part, lexicon));
    readings.extend(relation::is_of_type(part, tree));
    readings.extend(whole::readings(part, tree, lexicon));
    readings.extend(single::readings(part, tree));
    readings.extend(project::readings(part, tree));
    readings.extend(flag::readings(part));
    readings.extend(parameter::readings(part, tree));
    readings.extend(has::readings(part, tree));
    readings.extend(value::value(part, tree, lexicon));
    // "Required ruby?" asks for a version. It does not ask who imports `ruby`.
    let is_of_runtime = |reading: &ClauseReading| reading.claim.predicate == &names::REQUIRES;
    if readings.iter().any(is_of_runtime) {
        readings.retain(|reading| reading.claim.predicate != &names::IMPORTS);
    }
    // "What is the message of X?" asks for the text that an error is raised with. An error type has
    // no value.
    let is_of_error = |reading: &ClauseReading| {
        reading.claim.kind.as_deref() == Some(crate::settle::carried::KIND)
    };
    if readings.iter().any(is_of_error) {
        readings.retain(|reading| reading.claim.predicate != &names::VALUE);
    }
    readings
}

/// Returns `A.b` for the following clauses after "the type A has a b function" or "A overrides b".
fn owned(part: &ReadClause) -> Option<ClauseName> {
    let plain: Vec<&ClauseName> = part.symbols().collect();
    let [owner, member] = plain.as_slice() else {
        return None;
    };
    let between = owner.at? + 1..member.at?;
    let has = between
        .clone()
        .any(|at| part.says(at, "has have overrides defines with"));
    has.then(|| ClauseName {
        at: None,
        text: format!("{}.{}", owner.text, member.text),
        is_path: false,
    })
}

/// Reports whether no word asks for anything but more of the last answer: "and if so, from where?"
fn is_bare(part: &ReadClause, lexicon: &Lexicon) -> bool {
    let says_more = |at: usize| {
        let word = part.word(at);
        lexicon.is_relation(&part.tokens[at])
            || is_in(
                "it its defined declared def definition declaration located enum class type \
                struct trait interface function method",
                word,
            )
    };
    !part.free().any(says_more)
}

/// Reports whether an answer can show what a bare clause asks for. A place does not say who uses
/// it.
fn has_more(last: &Claim, part: &ReadClause) -> bool {
    let is_of_place = [&names::DEFINES, &names::VALUE, &names::MEMBER].contains(&last.predicate);
    !(is_of_place && part.has("who whom whose when"))
}

/// Reports whether a claim has a subject of its own, and does not extend the previous one: "and
/// which clap version?"
fn says_other(claim: &Claim) -> bool {
    [
        &names::VALUE,
        &names::VERSION,
        &names::REQUIRES,
        &names::LICENSE,
        &names::DEPENDENCY,
        &names::ENVIRONMENT,
        &names::MEMBER,
        &names::PARAMETER,
        &names::RETURNS,
        &names::THROWS,
    ]
    .contains(&claim.predicate)
}

/// Extends the last claim by what a bare clause asks of it, or returns `None` if the answer already
/// shows that.
fn more_of(last: Option<&Claim>, part: &ReadClause) -> Option<Claim> {
    let last = last?.clone();
    // "Who calls f? And in b.py?" repeats the claim in another scope.
    if !part.scope.is_everything() {
        return Some(Claim {
            scope: part.scope.clone(),
            ..last
        });
    }
    // A list shows where and who already, so only a number is asked in addition.
    let quantifier = match part.asks {
        part::Asks::Count => grounds_claims::Quantifier::Count,
        part::Asks::CountFiles => grounds_claims::Quantifier::CountFiles,
        _ => return None,
    };
    Some(Claim {
        quantifier,
        is_negated: false,
        ..last
    })
}

/// Returns the best candidate. If it leaves words over, plain words that the tree defines are tried
/// as names.
fn completed(
    part: &mut ReadClause,
    tree: &QuestionTree<'_>,
    lexicon: &Lexicon,
) -> (Option<Claim>, Vec<String>) {
    // `main` in "who calls main?" is a word without content elsewhere, and no frame would see it as
    // a name.
    part.with_names_in_slots(tree, lexicon);
    let (claim, left) = best(part, tree, lexicon);
    if claim.is_some() && left.is_empty() || is_beyond(&part.tokens) {
        return (claim, left);
    }
    // The attempts below change the clause, and are undone if none of them succeeds.
    let (names, taken) = (part.names.clone(), part.taken.clone());
    if part.takes_one_plain_name() {
        let other = part.completed_by_plain_name(tree, lexicon);
        if other.is_some() {
            return (other, Vec::new());
        }
    } else if let Some(other) = part.completed_by_plain_names(tree, lexicon) {
        return (Some(other), Vec::new());
    }
    (part.names, part.taken) = (names, taken);
    (claim, left)
}

/// Returns the words with typing errors corrected, or `None` if no word has one.
fn without_slips(
    tokens: &[QuestionToken],
    unread: &[String],
    tree: &QuestionTree<'_>,
    lexicon: &Lexicon,
) -> Option<Vec<QuestionToken>> {
    let meant = |token: &QuestionToken| {
        let is_open = !token.is_code
            && unread.contains(&token.text)
            && !lexicon::is_empty(&token.lower)
            && lexicon.of(token).next().is_none();
        let word = is_open.then(|| lexicon.meant(&token.lower)).flatten()?;
        // A word of the tree is no slip, however close it is to a question word: "timer" is not
        // "time".
        tree.know(&[&token.text])[0].is_absent().then_some(word)
    };
    let mut is_other = false;
    let put_right = |token: &QuestionToken| match meant(token) {
        Some(word) => {
            is_other = true;
            token::like(token, &word)
        }
        None => token.clone(),
    };
    let tokens: Vec<QuestionToken> = tokens.iter().map(put_right).collect();
    is_other.then_some(tokens)
}

/// Returns the names of the scope. A pronoun can refer to them if the clause names nothing else.
fn scoped(part: &ReadClause) -> Vec<ClauseName> {
    let named = |text: &String| ClauseName {
        at: None,
        text: text.clone(),
        is_path: text.contains('.') || text.contains('/'),
    };
    if part.names.is_empty() {
        part.scope.inside.iter().map(named).collect()
    } else {
        Vec::new()
    }
}

/// Returns the candidate that leaves the fewest words over, and those words.
fn best(
    part: &ReadClause,
    tree: &QuestionTree<'_>,
    lexicon: &Lexicon,
) -> (Option<Claim>, Vec<String>) {
    let mut readings = all_readings(part, tree, lexicon);
    readings.retain(|reading| !implements_a_function(part, reading, tree));
    let mut all: Vec<(Vec<String>, ClauseReading)> = readings
        .into_iter()
        .map(|reading| (left_over(part, &reading, tree, lexicon), reading))
        .collect();
    all.sort_by_key(|(left, reading)| {
        (
            left.len(),
            // A described value uses every word, so any other candidate that leaves as few is
            // better.
            value::is_described(&reading.claim),
            !lexicon::is_relation(reading.claim.predicate),
            std::cmp::Reverse(reading.used.len()),
        )
    });
    match all.into_iter().next() {
        Some((left, reading)) => (Some(reading.claim), left),
        None => (None, left_over(part, &nothing(), tree, lexicon)),
    }
}

/// Reports whether "where is f implemented?" asks for the definition of a function. Only types are
/// implemented by others.
fn implements_a_function(
    part: &ReadClause,
    reading: &ClauseReading,
    tree: &QuestionTree<'_>,
) -> bool {
    let claim = &reading.claim;
    let is_of_place = part.asks == part::Asks::Where
        || part.asks == part::Asks::Which && part.word(0) == "implementation";
    if claim.predicate != &grounds_claims::names::IMPLEMENTS
        || !is_of_place
        || claim.text(0).is_some()
    {
        return false;
    }
    let Some(name) = claim.text(1) else {
        return false;
    };
    let known = tree.know(&[tree::last_part(name)]);
    // A trait that shares the name keeps the relation, since the question may mean it.
    let mut kinds = known[0].definitions().map(|place| place.kind).peekable();
    kinds.peek().is_some() && kinds.all(is_callable)
}

pub(crate) fn is_callable(kind: Option<SymbolKind>) -> bool {
    matches!(
        kind,
        Some(SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor)
    )
}

/// Reports whether a word that says little elsewhere changes this claim: "the direct base", "its
/// static members", or a name that ends as adverbs do.
fn narrows(claim: &Claim, token: &QuestionToken) -> bool {
    const DIRECT: &str = "direct directly immediate immediately";
    const KINDS: &str = "private protected internal static abstract concrete nested inner";
    let word = token.lower.as_str();
    let is_of_types = [&names::EXTENDS, &names::IMPLEMENTS].contains(&claim.predicate);
    let is_of_members = claim.predicate == &names::MEMBER;
    // "Who are the concrete ones?" asks for subclasses. The place of the class does not answer it.
    let is_of_place = claim.predicate == &names::DEFINES && word == "concrete";
    let is_name = token.is_capital && word.ends_with("ly");
    is_name
        || is_of_types && claim.is_statement() && is_in(DIRECT, word)
        || is_of_members && is_in(KINDS, word)
        || is_of_place
}

/// Returns the words of a clause with content of their own that a reading does not use.
fn left_over(
    part: &ReadClause,
    reading: &ClauseReading,
    tree: &QuestionTree<'_>,
    lexicon: &Lexicon,
) -> Vec<String> {
    let words = part
        .free()
        .filter(|at| is_left(part, *at, reading, tree, lexicon))
        .map(|at| part.tokens[at].text.clone());
    let unclaimed = part.unclaimed(&reading.claim).map(str::to_owned);
    let mut told: Vec<String> = words.filter(|word| !part.is_mention(word)).collect();
    let restricting = restricting(part, &reading.claim, tree, lexicon);
    told.extend(
        restricting
            .into_iter()
            .filter(|word| !told.contains(word))
            .collect::<Vec<_>>(),
    );
    // "X if you give none" asks for a default value, whatever else is known of X.
    let of_place = [&names::DEFINES, &names::EXISTS, &names::CALLS, &names::USES];
    let is_default = part.is_default && of_place.contains(&reading.claim.predicate);
    told.extend(is_default.then(|| "default".to_owned()));
    let of_names = of_names(part, reading, tree, lexicon);
    let of_names = of_names.into_iter().filter(|word| !told.contains(word));
    told.iter()
        .cloned()
        .chain(of_names.collect::<Vec<String>>())
        .chain(unclaimed)
        .chain(manner(part, reading))
        .chain(of_history(part, &reading.claim, tree))
        .chain(unresolved(part, reading))
        .chain(parts_of_object(part, &reading.claim))
        .collect()
}

/// Returns the words that restrict, negate or narrow a claim, and that it does not use.
fn restricting(
    part: &ReadClause,
    claim: &Claim,
    tree: &QuestionTree<'_>,
    lexicon: &Lexicon,
) -> Vec<String> {
    let mut words = restriction::open(part, claim);
    words.extend(polarity::open(part, claim));
    words.extend(part.open_object(claim, lexicon));
    words.extend(narrowing::open(part, claim, tree));
    words
}

/// Reports whether a word has content of its own that a reading does not use.
fn is_left(
    part: &ReadClause,
    at: usize,
    reading: &ClauseReading,
    tree: &QuestionTree<'_>,
    lexicon: &Lexicon,
) -> bool {
    let token = &part.tokens[at];
    // A claim has no condition, so words of "on Windows, who calls f?" before the question stay
    // unread.
    if at < part.lead && !part.is_name(at) && !lexicon::is_empty(&token.lower) {
        return true;
    }
    let is_of_name = is_in(OF_A_NAME, reading.claim.predicate.name);
    // Looking up where a name lies may cost a search, so it is the last of the three checks.
    let is_placed =
        || says_where(part, at, tree) || is_of_name && lies_in(&reading.claim, token, tree);
    if reading.used.contains(&at) || says_again(part, at, reading, lexicon) || is_placed() {
        return false;
    }
    let is_empty = lexicon::is_empty(&token.lower);
    let is_trigger =
        // "Find" and "make" are verbs of relations too, but in most questions they only ask.
        lexicon.is_relation(token) && !lexicon::is_asking_verb(&token.lower) && !is_empty;
    let says_something = part.is_name(at)
        || is_trigger
        || !is_empty
        || acts(part, at, lexicon)
        || turns(part, at)
        || token.is_capital && lexicon::is_kind(&token.lower)
        || narrows(&reading.claim, token);
    says_something && token.lower.chars().any(char::is_alphanumeric)
}

/// Returns the nouns that belong to a name and that the claim does not use.
fn of_names(
    part: &ReadClause,
    reading: &ClauseReading,
    tree: &QuestionTree<'_>,
    lexicon: &Lexicon,
) -> Vec<String> {
    // A value claim marks every word of its clause as used, so its kind text shows which nouns it
    // really has.
    let takes_all = reading.claim.predicate == &names::VALUE;
    let kind = reading.claim.kind.as_deref().unwrap_or_default();
    let is_kept = |at: usize| {
        let word = part.word(at);
        kind.split(' ').any(|kept| kept.to_lowercase() == word)
    };
    let is_scope = |at: usize| part.taken[at] && lexicon::is_test(part.word(at));
    let is_had = |at: &usize| {
        is_kept(*at)
            || is_scope(*at)
            || match takes_all {
                true => {
                    value::is_soft_by_itself(part.word(*at)) || value::is_described(&reading.claim)
                }
                false => reading.used.contains(at),
            }
    };
    let beside = phrase::beside_names(part, tree, lexicon);
    let left = beside.into_iter().filter(|at| !is_had(at));
    left.map(|at| part.tokens[at].text.clone()).collect()
}

/// Reports whether a word chooses among the places that are asked for: "for the first time",
/// "before b", "both".
///
/// A plan or another time of the asker chooses nothing: "before I rename it".
fn turns(part: &ReadClause, at: usize) -> bool {
    let word = part.word(at);
    if !lexicon::is_turning(word) || part.is_name(at) {
        return false;
    }
    let next = part.word(at + 1);
    let until = (at..part.tokens.len()).find(|at| part.tokens[*at].after != token::After::Word);
    let has_name = (at + 1..=until.unwrap_or(at)).any(|at| part.is_name(at));
    let is_doing = next.ends_with("ing") && !part.tokens[at + 1].is_code;
    let is_of_asker = is_in("i we you someone", next) || is_doing;
    let is_plan = is_in("before after", word) && (is_of_asker || !next.is_empty() && !has_name);
    // "Both" beside a single name says nothing: "I need both, its definition and its callers".
    let is_both_of_one = word == "both" && part.names.len() < 2;
    // "First, who calls f?" and "first of all" open the question.
    let leads = is_both_of_one
        || word == "first" && (at == 0 || next == "of" && part.word(at + 2) == "all");
    !(is_plan || leads)
}

/// Returns the noun if parts of the object are asked for: in "which of X's methods does f call?" a
/// claim about X itself does not cover the methods.
fn parts_of_object(part: &ReadClause, claim: &Claim) -> Option<String> {
    let object = claim.text(1).filter(|_| lexicon::is_use(claim.predicate))?;
    let named = part.names.iter().find(|named| named.text == object)?;
    let at = named.at?;
    let is_parts = |at: usize| {
        let word = part.word(at);
        !part.is_name(at) && is_kind_of_part(word)
    };
    let follows = part.tokens[at].after == token::After::Word && is_parts(at + 1);
    let before = at
        .checked_sub(2)
        .filter(|before| part.says(before + 1, "of on") && is_parts(*before));
    let asks = part.has("which what") && part.asks != part::Asks::Whether;
    let found = if follows { Some(at + 1) } else { before };
    found
        .filter(|_| asks)
        .map(|at| part.tokens[at].text.clone())
}

/// Reports whether a word is a plural for parts of a type or file: "methods", "helpers".
fn is_kind_of_part(word: &str) -> bool {
    is_in(
        "methods functions fields properties helpers members constants",
        word,
    )
}

/// Reports whether a noun repeats what the claim already says: "get to a call of X", "dead code,
/// with no references".
fn says_again(part: &ReadClause, at: usize, reading: &ClauseReading, lexicon: &Lexicon) -> bool {
    let claim = &reading.claim;
    let is_noun = lexicon.of(&part.tokens[at]).any(|trigger| {
        matches!(trigger, lexicon::Trigger::Noun(predicate, 0) if predicate == claim.predicate)
    });
    let before = at.checked_sub(1).map_or("", |at| part.word(at));
    let is_of_object = part.says(at + 1, "of to")
        && claim.text(1).is_some_and(|name| {
            part.tokens
                .get(at + 2)
                .is_some_and(|token| token.text == name)
        });
    // "The caller of the caller of X" is not a caller of X: the noun of the claim itself is used
    // once.
    let is_noun_of = |at: &usize| {
        let triggers = lexicon.of(&part.tokens[*at]);
        triggers.into_iter().any(|trigger| {
            matches!(trigger, lexicon::Trigger::Noun(predicate, _) if predicate == claim.predicate)
        })
    };
    let is_of_object = is_of_object && !reading.used.iter().any(is_noun_of);
    let denies =
        is_in("no zero any", before) && claim.quantifier == grounds_claims::Quantifier::None;
    // The verb repeats the noun in "subclasses that derive from X".
    let is_verb = lexicon.of(&part.tokens[at]).any(|trigger| {
        matches!(trigger, lexicon::Trigger::Verb(predicate) if predicate == claim.predicate)
    });
    let is_clause = is_verb && claim.predicate == &names::EXTENDS && before == "that";
    is_noun && (is_of_object || denies)
        || is_clause
        || is_use_again(&part.tokens[at], claim, lexicon)
}

/// Reports whether a word is another verb of use beside the one of the claim: "who ends up calling
/// it".
fn is_use_again(token: &QuestionToken, claim: &Claim, lexicon: &Lexicon) -> bool {
    let is_use = |trigger: lexicon::Trigger| matches!(trigger, lexicon::Trigger::Verb(predicate) if lexicon::is_use(predicate));
    let is_of_use = lexicon::is_use(claim.predicate);
    is_of_use && token.lower.ends_with("ing") && lexicon.of(token).any(is_use)
}

/// Largest number of words between an auxiliary and its verb.
const SUBJECT_WORDS_MAX: usize = 4;

/// Reports whether a verb says what some code does, and does not ask: "where does the site look for
/// layouts?"
///
/// A verb of a relation after it means that it only says that something is done: "get called",
/// "make use".
fn acts(part: &ReadClause, at: usize, lexicon: &Lexicon) -> bool {
    const ACTS: &str = "look search find get take make give check collect gather open print display show report \
        list describe confirm looking making taking getting";
    const AUXILIARIES: &str = "do does did is are was were will would";
    const ASKERS: &str = "i we you one me us not";
    if !part.says(at, ACTS) {
        return false;
    }
    let start = at.saturating_sub(SUBJECT_WORDS_MAX + 1);
    let Some(auxiliary) = (start..at).rfind(|at| part.says(*at, AUXILIARIES)) else {
        return false;
    };
    let mut subject = (auxiliary + 1..at).map(|at| part.word(at)).peekable();
    let is_of_code = subject.peek().is_some() && subject.all(|word| !is_in(ASKERS, word));
    let next = part.tokens.get(at + 1);
    is_of_code && next.is_some_and(|next| !lexicon.is_relation(next) && next.lower != "place")
}

/// Returns the parts of a scope that the history of a name does not cover: exclusions and tests.
fn of_history(part: &ReadClause, claim: &Claim, tree: &QuestionTree<'_>) -> Vec<String> {
    const OF_HISTORY: &str = "introduced authored changed removed";
    if !is_in(OF_HISTORY, claim.predicate.name) {
        return Vec::new();
    }
    let is_scoped = part.scope.tests != grounds_claims::Tests::Count
        || (0..part.tokens.len())
            .any(|at| part.taken[at] && lexicon::is_test(part.word(at)) && !part.is_name(at));
    let tests = is_scoped.then(|| "tests".to_owned());
    let subject = claim.text(0).unwrap_or_default();
    // A name that is defined several times has one history for each, and an owner selects one of
    // them. A single definition needs no owner.
    let is_other = |place: &&String| !subject.contains(place.as_str()) && !is_path(place, tree);
    let is_shared = tree.know(&[tree::last_part(subject)])[0]
        .definitions()
        .count()
        > 1;
    let inside = part
        .scope
        .inside
        .iter()
        .filter(|_| is_shared)
        .filter(is_other);
    part.scope
        .outside
        .iter()
        .chain(inside)
        .cloned()
        .chain(tests)
        .collect()
}

/// Returns a pronoun that comes before every name of its clause, if the claim uses none of the
/// earlier names.
fn unresolved(part: &ReadClause, reading: &ClauseReading) -> Option<String> {
    let claim = &reading.claim;
    if !lexicon::is_relation(claim.predicate) {
        return None;
    }
    let first = part.names.iter().filter_map(|named| named.at).min();
    let at = part
        .free()
        .take_while(|at| first.is_none_or(|first| *at < first))
        .find(|at| match part.word(*at) {
            // "Its own file" is a scope, and refers to the name that comes after it.
            "its" => part.word(at + 1) != "own",
            "it" | "they" | "them" => !part.context.is_empty() || part.has_told,
            _ => false,
        })?;
    let texts = (0..2)
        .filter_map(|number| claim.text(number))
        .chain(claim.scope.inside.iter().map(String::as_str));
    let mut texts = texts.chain(claim.scope.outside.iter().map(String::as_str));
    let is_resolved = texts.any(|text| part.context.iter().any(|named| text.contains(&named.text)));
    (!is_resolved).then(|| part.word(at).to_owned())
}

/// Predicates about one name, which words for its place do not change.
const OF_A_NAME: &str = "defines introduced authored changed";

/// Reports whether a word is in the path or container of every definition of the name: "the xhr
/// property of requests".
fn lies_in(claim: &Claim, token: &QuestionToken, tree: &QuestionTree<'_>) -> bool {
    let Some(name) = claim
        .text(0)
        .filter(|_| !token.is_code && token.stem.len() > 3)
    else {
        return false;
    };
    // A clause is first read without a search, to see whether any name could complete it. Words of
    // place are assumed to fit then.
    if tree.is_untouched() {
        return true;
    }
    let known = tree.know(&[tree::last_part(name)]);
    let has = |text: &str| {
        let mut words = text.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| token::like(token, &word.to_lowercase()).stem == token.stem)
    };
    let lies = |place: &LabelledPlace| {
        has(place.path.as_str()) || place.containers.iter().any(|one| has(one))
    };
    if known[0].has_definition(&|place| !lies(place)) {
        return false;
    }
    let mut places = known[0].definitions().peekable();
    places.peek().is_some() && places.all(lies)
}

/// Returns "how" or "when" if a relation does not use it: both ask for more than places.
fn manner(part: &ReadClause, reading: &ClauseReading) -> Option<String> {
    let asks = |at: &usize| match part.word(*at) {
        "how" => !["many", "often", "come", "much"].contains(&part.word(at + 1)),
        "when" => part.asks == part::Asks::When && *at < 2,
        _ => false,
    };
    let at = part.free().find(asks)?;
    let is_free = lexicon::is_relation(reading.claim.predicate) && !reading.used.contains(&at);
    is_free.then(|| part.word(at).to_owned())
}

/// Reports whether a word beside a name repeats what the tree says of it: "the Color shell", "the
/// Java calls of X", "the PSR-18 method x".
///
/// The word is part of its path, its owner, its language or its comment.
fn says_where(part: &ReadClause, at: usize, tree: &QuestionTree<'_>) -> bool {
    let word = part.word(at);
    if part.is_name(at) || lexicon::is_negation(word) || lexicon::is_only(word) {
        return false;
    }
    let is_language = lexicon::is_language(word);
    // The owner in "Node's EventEmitter" is the language, so nothing more is restricted.
    if is_language && part.tokens[at].is_owner {
        return true;
    }
    let first = part.names.iter().find(|named| !named.is_path);
    // A language may be said far from the name, any other word only right beside it.
    let text = match described(part, at) {
        Some(at) => part.tokens[at].text.clone(),
        None => match first.filter(|_| is_language) {
            Some(named) => named.text.clone(),
            None => return false,
        },
    };
    is_confirmed(&text, word, is_language, tree)
}

/// Returns the name that a word describes: right before the word, or after it in the same noun
/// phrase ("the basic shell's merge_tool").
fn described(part: &ReadClause, at: usize) -> Option<usize> {
    let is_named =
        |other: usize| part.is_name(other) || part.scope.inside.contains(&part.tokens[other].text);
    if let Some(before) = at.checked_sub(1).filter(|before| is_named(*before)) {
        return Some(before);
    }
    let is_inside = |at: usize| {
        !part.is_name(at)
            && part.tokens[at].after == token::After::Word
            && !lexicon::is_article(part.word(at))
    };
    let next = (at..part.tokens.len()).find(|at| !is_inside(*at))?;
    let start = (0..=at)
        .rev()
        .find(|at| lexicon::is_article(part.word(*at)))?;
    // A longer phrase is likely to have another noun that the word describes.
    let is_near = next - at < 4 && at - start < 4;
    let is_plain = (start + 1..next).all(|at| !is_verb(part, at));
    (is_named(next) && is_near && is_plain).then_some(next)
}

/// Reports whether a word ends a noun phrase, as a verb or a joint does.
fn is_verb(part: &ReadClause, at: usize) -> bool {
    lexicon::is_auxiliary(part.word(at)) || part.says(at, "to that which of for in and or")
}

/// Reports whether all places of a name are in a language, or a definition has the word in its
/// path, owners or comment.
fn is_confirmed(text: &str, word: &str, is_language: bool, tree: &QuestionTree<'_>) -> bool {
    if tree.is_untouched() {
        return true;
    }
    let known = tree.know(&[tree::last_part(text)]);
    let mut definitions = known[0].definitions().peekable();
    let is_there = definitions.peek().is_some();
    if is_language {
        return is_there
            && known[0]
                .uses()
                .chain(definitions)
                .all(|place| place.language.to_lowercase() == word);
    }
    let has = |text: &str| {
        text.to_lowercase()
            .split(|letter: char| !(letter.is_alphanumeric() || letter == '-'))
            .any(|part| part == word)
    };
    definitions.any(|place| {
        has(&place.path.as_str().replace(['_', '-'], "/"))
            || place.containers.iter().any(|container| has(container))
            || has(&comment_of(place, tree))
    })
}

/// Largest number of comment lines that are read above a definition.
const COMMENT_LINES_MAX: usize = 12;

/// Returns the comment directly above a definition.
fn comment_of(place: &grounds_repo::labels::LabelledPlace, tree: &QuestionTree<'_>) -> String {
    let text = tree.text(place.path.as_str()).unwrap_or_default();
    let lines: Vec<&str> = text
        .lines()
        .take(place.line.saturating_sub(1) as usize)
        .collect();
    let is_comment = |line: &&&str| {
        ["/", "*", "#", "\"\"\""]
            .iter()
            .any(|mark| line.trim_start().starts_with(mark))
    };
    let comment: Vec<&str> = lines
        .iter()
        .rev()
        .take(COMMENT_LINES_MAX)
        .take_while(is_comment)
        .copied()
        .collect();
    comment.join("\n")
}

/// Returns the names in a text that are written as code, without their owners.
pub(crate) fn names_of(text: &str) -> Vec<String> {
    let (tokens, _) = token::split(text);
    let is_name = |token: &&QuestionToken| token.is_code && !token.text.contains(['/', '\\']);
    let names = tokens.iter().filter(is_name);
    let names = names.map(|token| tree::last_part(&token.text).to_owned());
    let mut names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
    names.dedup();
    names.truncate(grounds_repo::needles::TARGETS_MAX);
    names
}

/// Reports whether the words have a plural for what code consists of: "its classes".
pub(crate) fn names_parts(text: &str) -> bool {
    let (tokens, _) = token::split(text);
    let is_part = |token: &QuestionToken| {
        !token.is_code
            && !lexicon::is_test(&token.lower)
            && !lexicon::is_kind(&token.lower)
            && lexicon::is_kind(&lexicon::singular(&token.lower))
    };
    tokens.iter().any(is_part)
}

/// Reports whether the words ask for an opinion, a motive, a measure or the future.
fn is_beyond(tokens: &[QuestionToken]) -> bool {
    const PEOPLE: &str = "users people customers companies teams";
    // "To understand it better" states the asker's goal, and compares nothing.
    let is_of_asker = |at: usize| {
        let before = at.checked_sub(1).map_or("", |at| tokens[at].lower.as_str());
        tokens[at].lower == "better"
            && is_in("bit it understand this", before)
            && tokens.iter().any(|token| token.stem == "understand")
    };
    // The tree does not show what people do with the program: "most of our users".
    let says_users = tokens.windows(2).any(|pair| {
        let [whose, who] = pair else { return false };
        is_in("our your most", &whose.lower) && is_in(PEOPLE, &who.lower)
    });
    // "Which call sites should I re-check?" asks what a change affects, though "should" asks for an
    // opinion elsewhere.
    let is_of_change = |at: usize| {
        let verb = tokens.get(at + 2).map_or("", |token| token.stem.as_str());
        let speaks = tokens
            .get(at + 1)
            .is_some_and(|token| is_in("i we", &token.lower));
        tokens[at].lower == "should"
            && speaks
            && (lexicon::is_impact(verb) || lexicon::is_change(verb))
    };
    says_users
        || (0..tokens.len()).any(|at| {
            let token = &tokens[at];
            let is_word = !token.is_code && lexicon::is_beyond(&token.lower);
            is_word
                && !(is_of_asker(at)
                    || is_of_change(at)
                    || token.lower == "better"
                        && at + 1 < tokens.len()
                        && tokens[at + 1].stem == "understand")
        })
}
