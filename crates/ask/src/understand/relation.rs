//! Claims about two names: who calls, uses, implements, extends, overrides, imports what.

mod imported;
mod types;
mod words;

use grounds_claims::{Argument, Claim, Predicate, Quantifier, Tests, names};

use self::imported::{asks_for_subject, named_before, of_files, of_import, of_origin, take_beside};
use self::types::{
    derived, direct, embedded, heirs_of_kind, is_a, is_no_relation, of_base_for, said_first,
    type_of,
};
use self::words::{
    around, counts_mentions, is_noun_here, is_participle, is_passive, is_verb_here, refers, turned,
};
use super::ClauseReading;
use super::lexicon::{self, Lexicon, Trigger};
use super::part::{Asks, ClauseName, ReadClause};
use super::token::After;
use super::tree::QuestionTree;
use crate::settle::imports;
use crate::words::is_in;

/// Returns the readings of a clause by its verbs and nouns of relations.
pub(super) fn readings(part: &ReadClause, lexicon: &Lexicon) -> Vec<ClauseReading> {
    // Where imports come from restricts them, so that no other reading covers it.
    if let Some(imported) = of_origin(part, lexicon) {
        return vec![imported];
    }
    let mut readings = of_triggers(part, lexicon);
    // These readings need no verb or noun of a relation in the clause.
    readings.extend(is_a(part));
    readings.extend(restricted(part, lexicon));
    readings.extend(impact(part));
    readings.extend(from_where(part, lexicon));
    readings.extend(by_means(part, lexicon));
    readings.retain(|reading| !takes_subject_for_object(part, &reading.claim));
    readings
}

/// Returns the readings by the words of a clause that the lexicon knows.
fn of_triggers(part: &ReadClause, lexicon: &Lexicon) -> Vec<ClauseReading> {
    let mut readings = Vec::new();
    for at in part.free() {
        // "Need the file and line of X" asks. A subject would come before the verb.
        let only_asks = at == 0 && lexicon::is_asking_verb(part.word(at));
        let is_other = is_of_others(part, at);
        if part.is_name(at) || only_asks || is_other {
            continue;
        }
        if lexicon::is_un(part.word(at)) {
            readings.extend(of_verb(
                part,
                at,
                if part.word(at) == "uncalled" {
                    &names::CALLS
                } else {
                    &names::USES
                },
            ));
        }
        for trigger in lexicon.of(&part.tokens[at]) {
            // "Methods that I have to provide" implement nothing yet. "The provided methods of X"
            // are those for which X has a body.
            let is_of_kind = part.word(at) == "provided"
                && lexicon::is_kind(&lexicon::singular(part.word(at + 1)));
            let is_demanded =
                is_of_kind || part.word(at) == "provide" && at > 0 && part.word(at - 1) == "to";
            let reading = match trigger {
                Trigger::Verb(predicate)
                    if !is_demanded
                        && lexicon::is_relation(predicate)
                        && !is_noun_here(part, at) =>
                {
                    of_verb(part, at, predicate)
                }
                Trigger::Noun(predicate, number)
                    if lexicon::is_relation(predicate)
                        && !is_verb_here(part, at, lexicon)
                        && !is_said_of_name(part, at, predicate, lexicon) =>
                {
                    of_noun(part, at, predicate, number)
                }
                Trigger::Verb(_) | Trigger::Noun(..) => None,
            };
            readings.extend(reading);
        }
    }
    readings
}

/// Reports whether a claim has as its object what the clause has as its subject: "what does X
/// finally hand over to?"
fn takes_subject_for_object(part: &ReadClause, claim: &Claim) -> bool {
    // "Which files does X get called from?", "in which places does X occur?"
    const INTRANSITIVE: &str =
        "get gets appear appears occur occurs show shows come comes pop pops turn turns end ends";
    let is_subject = |named: &ClauseName| {
        let at = named.at.filter(|at| *at > 0);
        at.is_some_and(|at| part.says(at - 1, "do does did")) && claim.text(1) == Some(&*named.text)
    };
    claim.hole() == Some(0)
        && lexicon::is_use(claim.predicate)
        && part.asks == Asks::Which
        && !part.has(INTRANSITIVE)
        && part.names.iter().any(is_subject)
}

/// Reports whether a noun only repeats the verb before it: "inherit from the base X".
fn is_said_of_name(part: &ReadClause, at: usize, predicate: &Predicate, lexicon: &Lexicon) -> bool {
    let is_verb = |other: &usize| {
        let mut triggers = lexicon.of(&part.tokens[*other]);
        *other < at
            && triggers.any(|trigger| matches!(trigger, Trigger::Verb(said) if said == predicate))
    };
    part.is_name(at + 1) && part.free().any(|other| is_verb(&other))
}

/// Reports whether a word belongs to what other readers know.
fn is_of_others(part: &ReadClause, at: usize) -> bool {
    counts_mentions(part, at)
        || is_a_constructor(part, at)
        || is_given(part, at)
        || is_of_member(part, at)
}

/// Reports whether a member is inherited, and not a type: "B defines no f itself, and inherits it
/// from A".
fn is_of_member(part: &ReadClause, at: usize) -> bool {
    part.tokens[at].stem == "inherit" && part.says(at + 1, "it them")
}

/// Reports whether an argument is handed over, so that the parameters are asked for: "can I hand a
/// limit to f?"
fn is_given(part: &ReadClause, at: usize) -> bool {
    let is_asker = at > 0 && part.says(at - 1, "i we you one");
    is_asker && part.says(at, "hand pass give feed") && part.says(0, "can could may")
}

/// Largest number of content words for what somebody does with something.
const BY_MEANS_WORDS_MAX: usize = 3;

/// Reads what is done with a function as a use of it: "who is checking names with f?"
fn by_means(part: &ReadClause, lexicon: &Lexicon) -> Option<ClauseReading> {
    let [object] = part.names.as_slice() else {
        return None;
    };
    let name = object.at.filter(|_| !object.is_path)?;
    let with = (1..name).rfind(|at| part.says(*at, "with via through") && !part.taken[*at])?;
    let asks = part.said("who what").next()?;
    let relates = part.free().any(|at| lexicon.is_relation(&part.tokens[at]));
    let is_next = (with + 1..name).all(|at| lexicon::is_article(part.word(at)));
    let told: Vec<usize> = part.free().filter(|at| asks < *at && *at < with).collect();
    let content = |at: &&usize| !lexicon::is_empty(part.word(**at));
    let says = told.iter().filter(content).count();
    let is_one = says > 0 && says <= BY_MEANS_WORDS_MAX && part.asks == Asks::Which;
    if relates || !is_next || !is_one || part.is_negated || part.is_only {
        return None;
    }
    let mut reading = build(part, &names::USES, None, Some(object.clone()), with)?;
    reading.used.extend(told);
    Some(reading)
}

/// Reads "X - from where?" as a question for the uses of X.
fn from_where(part: &ReadClause, lexicon: &Lexicon) -> Option<ClauseReading> {
    let at = part.find("from where").filter(|at| !part.taken[*at])?;
    let relates = part.free().any(|at| lexicon.is_relation(&part.tokens[at]));
    let [object] = part.names.as_slice() else {
        return None;
    };
    if relates || object.is_path || object.at > Some(at) {
        return None;
    }
    build(part, &names::USES, None, Some(object.clone()), at)
}

/// Reads a scope with "only" and without a verb as a use: "X is private to a.rs", "X is there for
/// the tests alone".
fn restricted(part: &ReadClause, lexicon: &Lexicon) -> Option<ClauseReading> {
    let is_scoped = !part.scope.inside.is_empty() || part.scope.tests == Tests::Inside;
    let relates = part.free().any(|at| lexicon.is_relation(&part.tokens[at]));
    let object = one_symbol(part)?;
    if !part.is_only || !is_scoped || relates || part.asks != Asks::Whether {
        return None;
    }
    let mut claim = uses_of(part, object.text);
    claim.quantifier = Quantifier::Only;
    claim.is_negated = part.is_negated;
    let stays = part
        .free()
        .filter(|at| is_in("stay remain exist is", part.tokens[*at].stem.as_str()));
    let used = stays.chain(object.at).collect();
    Some(ClauseReading { claim, used })
}

/// Stems in such questions that add nothing.
const OF_IMPACT: &str =
    "safe stop work compil build far radius care anyth call caller site usag user";

/// Reads questions about a change as questions for the uses: "what breaks if I change X?", "is it
/// safe to remove X?", "the blast radius of X".
fn impact(part: &ReadClause) -> Option<ClauseReading> {
    let stem = |at: usize| part.tokens[at].stem.as_str();
    let has =
        |is_one: &dyn Fn(&str) -> bool| part.free().any(|at| !part.is_name(at) && is_one(stem(at)));
    let is_whether = part.asks == Asks::Whether;
    let drops = is_whether
        && part.has("safe safely can could may okay ok")
        && has(&|stem| is_in("remov delet drop rid kill", stem));
    let needs = !is_whether && part.has("need needs have must else") && has(&lexicon::is_change);
    let stops = part.has("stop stops") && part.has("working compiling building");
    if !(drops || needs || stops || has(&lexicon::is_impact)) {
        return None;
    }
    let object = one_symbol(part)?;
    if complains(part, object.at) {
        return None;
    }
    let mut claim = uses_of(part, object.text);
    claim.quantifier = match part.asks {
        // "Is it safe to remove X?" is true if nothing uses it.
        Asks::Whether if drops => Quantifier::None,
        Asks::Whether => Quantifier::Any,
        Asks::Count => Quantifier::Count,
        Asks::CountFiles => Quantifier::CountFiles,
        Asks::Where | Asks::When | Asks::Which => Quantifier::Some,
    };
    let is_told = |at: &usize| {
        let stem = stem(*at);
        let is_of = lexicon::is_change(stem) || lexicon::is_impact(stem);
        !part.is_name(*at) && (is_of || is_in(OF_IMPACT, stem))
    };
    let mut used: Vec<usize> = part.free().filter(is_told).collect();
    used.extend(object.at);
    used.extend(supposed(part));
    Some(ClauseReading { claim, used })
}

/// Reports whether a name is what complains: "what does X complain about if it is empty?" asks for
/// a message of X.
fn complains(part: &ReadClause, name: Option<usize>) -> bool {
    const AUXILIARIES: &str = "does do did will would can could might";
    name.is_some_and(|name| {
        let is_subject = (name.saturating_sub(2)..name).any(|at| part.says(at, AUXILIARIES));
        let mut after = name + 1..(name + 4).min(part.tokens.len());
        is_subject && after.any(|at| part.tokens[at].stem == "complain")
    })
}

/// Returns the only name of a clause that is not a path, or the last one before the clause.
fn one_symbol(part: &ReadClause) -> Option<ClauseName> {
    let mut named = part.symbols();
    match (named.next(), named.next()) {
        (Some(_), Some(_)) => None,
        (only, _) => only.or_else(|| part.symbol_before()).cloned(),
    }
}

/// Returns a claim for the uses of a name, within the scope of a clause.
fn uses_of(part: &ReadClause, text: String) -> Claim {
    let claim = Claim::new(&names::USES, vec![Argument::Hole, Argument::is(text)]);
    Claim {
        scope: part.scope.clone(),
        ..claim
    }
}

/// Returns the words of a condition: "if X starts to return an error". What the change would be
/// does not alter who is affected.
fn supposed(part: &ReadClause) -> Vec<usize> {
    let begins = |at: &usize| part.says(*at, "if when once should by of before");
    let Some(start) = (0..part.tokens.len()).find(begins) else {
        return Vec::new();
    };
    let end = (start..part.tokens.len())
        .find(|at| part.tokens[*at].after != After::Word)
        .unwrap_or(part.tokens.len());
    part.free()
        .filter(|at| (start..=end).contains(at) && !part.is_name(*at))
        .collect()
}

/// Reports whether a constructor is asked for as a member: "does X have a copy constructor?" That
/// does not ask if anything makes an X.
pub(super) fn is_a_constructor(part: &ReadClause, at: usize) -> bool {
    part.says(at, "constructor constructors") && part.has("have has having")
}

/// Reports whether a pronoun is the subject of the question: "does that call f?"
fn is_asked_of(part: &ReadClause, at: usize) -> bool {
    at > 0 && part.says(at - 1, "does do did will would can")
}

/// Returns the claim of a verb, with its subject and object from this clause or those before it.
fn of_verb(part: &ReadClause, at: usize, predicate: &'static Predicate) -> Option<ClauseReading> {
    let (before, after) = around(part, at);
    // "A: is b one of the things it calls?"
    let is_it = at > 0 && part.says(at - 1, "it they") && !part.taken[at - 1];
    if after.is_none()
        && let Some((subject, object)) = turned(part, at, before, is_it)
    {
        return build(part, predicate, Some(subject), object, at);
    }
    // "What does it need from it?" names neither subject nor object.
    if is_it && refers(part, at, 1) && before.is_none() && after.is_none() {
        return None;
    }
    let (before, after) = meant(part, at, predicate);
    let (subject, object) = match () {
        // "X is dead" and "the unused X" have the object before or after.
        () if lexicon::is_un(part.word(at)) => (None, before.or(after)),
        () if !is_passive(part, at, predicate) => (before, after),
        () if is_agent(part, at, predicate, before.as_ref()) => {
            return build(part, predicate, before, None, at);
        }
        // In "what happens in X: which methods get called there?" the topic is the subject.
        () if before.is_none() && after.is_none() && is_used_there(part, at, predicate) => {
            let topic = part
                .topic()
                .filter(|named| part.names.is_empty() && !named.is_path);
            return build(part, predicate, topic, None, at);
        }
        () => done_by(part, at, predicate, before, after),
    };
    if predicate == &names::IMPORTS {
        return of_import(part, at, subject, object);
    }
    let (subject, object) = told_apart(part, at, subject, object);
    build(part, predicate, subject, object, at)
}

/// Returns the names before and after a verb, with pronouns replaced by what they refer to.
fn meant(
    part: &ReadClause,
    at: usize,
    predicate: &Predicate,
) -> (Option<ClauseName>, Option<ClauseName>) {
    let (before, after) = around(part, at);
    // In "functions that X calls in its body" the pronoun is a place, and no object.
    let is_place =
        before.is_some() && part.says(at + 1, "in inside within") && part.says(at + 2, "it its");
    if refers(part, at, 1) && after.is_none() && !(is_place && lexicon::is_use(predicate)) {
        // In "X: does a.py call it?" the subject is directly before the verb, and "it" is what was
        // named before that.
        let asked = before.filter(|_| part.asks == Asks::Whether);
        let topic = asked.and_then(|subject| named_before(part, subject, at));
        let after = topic
            .or(before.cloned())
            .filter(|_| !is_passive(part, at, predicate))
            .or_else(|| part.topic());
        let before = before.cloned().filter(|_| before != after.as_ref());
        return (before, after);
    }
    let is_said = refers(part, at, -1) || after.is_none() && part.has("it");
    let pronoun = || part.topic().filter(|_| is_said);
    (before.cloned().or_else(pronoun), after.cloned())
}

/// Reports whether "by" follows a verb in the passive.
fn is_by(part: &ReadClause, at: usize, predicate: &Predicate) -> bool {
    predicate == &names::IMPLEMENTS && part.word(at + 1) == "for"
        || part.says(at + 1, "by from")
        || part.says(at + 2, "by from")
}

/// Reports whether the clause asks what is used in a place after the verb.
fn is_inside(part: &ReadClause, at: usize, predicate: &Predicate) -> bool {
    let asks_use = lexicon::is_use(predicate) && part.asks == Asks::Which;
    asks_use && part.says(at + 1, "in inside within")
}

/// Reports whether the clause asks what is used "there": "which methods get called there?"
fn is_used_there(part: &ReadClause, at: usize, predicate: &Predicate) -> bool {
    lexicon::is_use(predicate) && part.asks == Asks::Which && part.says(at + 1, "there")
}

/// Reports whether the name before a passive verb is the one that acts: "X: which functions are
/// called by it", "get called in there?"
fn is_agent(
    part: &ReadClause,
    at: usize,
    predicate: &Predicate,
    before: Option<&ClauseName>,
) -> bool {
    let by_it = is_by(part, at, predicate) && refers(part, at, 1) && !part.is_before_pause(at);
    let in_it = is_inside(part, at, predicate) && part.says(at + 2, "there it")
        || is_used_there(part, at, predicate);
    let opens = || is_opened(part, at, predicate, before);
    before.is_some_and(|named| by_it || (in_it || opens()) && !named.is_path)
}

/// Reports whether a name before a pause is the place: "inside X, which functions get called?"
fn is_opened(
    part: &ReadClause,
    verb: usize,
    predicate: &Predicate,
    before: Option<&ClauseName>,
) -> bool {
    let name = before.and_then(|named| named.at).unwrap_or(verb);
    let asks = (name + 1..verb).any(|at| part.says(at, "which what"));
    let by_another = is_by(part, verb, predicate);
    opens(part, before) && asks && !by_another && lexicon::is_use(predicate)
}

/// Reports whether a name opens the clause as a place: "inside X, …".
fn opens(part: &ReadClause, named: Option<&ClauseName>) -> bool {
    let name = named.and_then(|named| named.at).filter(|at| *at > 0);
    name.is_some_and(|name| {
        part.says(name - 1, "in inside within") && part.tokens[name].after == After::Pause
    })
}

/// Returns the subject and object of a verb in the passive.
fn done_by(
    part: &ReadClause,
    at: usize,
    predicate: &Predicate,
    before: Option<ClauseName>,
    after: Option<ClauseName>,
) -> (Option<ClauseName>, Option<ClauseName>) {
    let by = is_by(part, at, predicate);
    let is_owner = |named: &ClauseName| by || is_inside(part, at, predicate) && !named.is_path;
    // In "functions called by X" and "what is called inside f?" the objects are asked for, and X is
    // the subject.
    if before.is_none() && after.as_ref().is_some_and(is_owner) && !part.has("it") {
        return (after, None);
    }
    let topic = || part.topic().filter(|_| part.names.is_empty());
    let patient = before.or_else(topic).or_else(|| after.clone());
    let agent = after.filter(|after| Some(after) != patient.as_ref() && by);
    (agent, patient)
}

/// Returns subject and object. A missing one is what was named before, and a single name before the
/// verb may be the object.
fn told_apart(
    part: &ReadClause,
    at: usize,
    subject: Option<ClauseName>,
    object: Option<ClauseName>,
) -> (Option<ClauseName>, Option<ClauseName>) {
    match (subject, object) {
        (None, None) => (None, part.topic().filter(|_| part.names.is_empty())),
        // In "X, used by?" the single name is the object.
        (subject, None) if asks_for_subject(part, at) && !opens(part, subject.as_ref()) => {
            (None, subject)
        }
        sides => sides,
    }
}

/// Returns the claim of an import, for which the imported members may be listed.
fn with_members(
    part: &ReadClause,
    at: usize,
    subject: Option<ClauseName>,
    object: Option<ClauseName>,
) -> Option<ClauseReading> {
    let members = members_of(part, subject.as_ref(), object.as_ref());
    // "Which helpers of X does a.java import?" has X before the importer.
    let object = object.or_else(|| members.clone());
    let mut reading = build(part, &names::IMPORTS, subject, object, at)?;
    if members.is_some() {
        reading.claim.kind = Some(imports::MEMBERS.to_owned());
    }
    Some(reading)
}

/// Returns the claim of an import whose source was read as a scope: "which helpers of X does a.java
/// import?"
fn taken_from(
    part: &ReadClause,
    verb: usize,
    subject: Option<&ClauseName>,
    place: Option<ClauseName>,
) -> Option<ClauseReading> {
    let (subject, place) = (subject?, place.filter(|_| part.asks == Asks::Which)?);
    let mut tokens = part.tokens.iter();
    let at = tokens.position(|token| token.text == place.text)?;
    let is_source = at > 0 && part.says(at - 1, "of from");
    let both = (Some(subject.clone()), Some(place));
    let mut taken = is_source
        .then(|| build(part, &names::IMPORTS, both.0, both.1, verb))
        .flatten()?;
    // X is the object now. As a scope it would restrict the import lines to X itself.
    taken.claim.scope.inside.clear();
    taken.claim.kind = Some(imports::MEMBERS.to_owned());
    Some(taken)
}

/// Returns the source of an import if its members are asked for: "which helpers of X does a.java
/// import?", "what does a.java import from X?"
fn members_of(
    part: &ReadClause,
    subject: Option<&ClauseName>,
    object: Option<&ClauseName>,
) -> Option<ClauseName> {
    let subject = subject.filter(|_| part.asks == Asks::Which)?;
    let others = part.names.iter().filter(|named| *named != subject);
    let last = part.tokens.len().checked_sub(1)?;
    let word = ClauseName::symbol(Some(last), &part.tokens[last].text);
    let module = match others.collect::<Vec<_>>()[..] {
        [] if part.word(last - 1) == "from" && !lexicon::is_whole(part.word(last)) => &word,
        [module] => module,
        _ => return None,
    };
    let is_meant = object.is_none_or(|object| object == module) && !module.is_path;
    let mut joint = module.at?.checked_sub(1)?;
    // "From depot's api package" names the project before the module.
    let is_project = |at: usize| part.tokens[at].is_owner && part.is_mention(part.word(at));
    while joint > 0 && (is_project(joint) || lexicon::is_article(part.word(joint))) {
        joint -= 1;
    }
    (is_meant && part.says(joint, "of from")).then(|| module.clone())
}

/// Returns the number of the argument that a noun asks for.
///
/// "Whose base is X" and "X as the base" ask for what has X as its base. "Every trait it has an
/// impl for" asks for what it implements.
fn asked_for(part: &ReadClause, at: usize, predicate: &Predicate, number: usize) -> usize {
    let (before, after) = around(part, at);
    let after_as = (at.saturating_sub(3)..at).any(|at| part.word(at) == "as");
    let is_as = after_as && before.is_some() && after.is_none() && predicate == &names::EXTENDS;
    let it_has = (at.saturating_sub(4)..at).any(|at| part.stands(at, "it has").is_some());
    match () {
        () if it_has && predicate == &names::IMPLEMENTS => 1,
        () if part.has("whose") && before.is_none() || is_as => 1 - number.min(1),
        // "The classes for which X is the base" asks for its heirs.
        () if part.find("for which").is_some() && after.is_none() => 1 - number.min(1),
        () => number,
    }
}

fn of_noun(
    part: &ReadClause,
    at: usize,
    predicate: &'static Predicate,
    number: usize,
) -> Option<ClauseReading> {
    let (before, after) = around(part, at);
    let context = || part.topic();
    let topic = said_first(part, before).cloned().or_else(context);
    if let Some(reading) =
        of_topic(part, at, predicate, number, topic).or_else(|| of_base_for(part, at, predicate))
    {
        return Some(reading);
    }
    let both = before.is_some() && after.is_some();
    if both && names_users_last(part, at, before) {
        return None;
    }
    let number = asked_for(part, at, predicate, number);
    let its = after.is_some() && (at.saturating_sub(2)..at).any(|at| part.word(at) == "its");
    let follows = |other: usize| part.tokens[other].is_owner && other + 3 >= at;
    let is_owner = its || before.and_then(|named| named.at).is_some_and(follows);
    let (value, other) = if both && part.asks == Asks::Whether && !is_owner {
        (before.cloned(), after.cloned())
    } else if is_owner {
        (
            after.cloned().filter(|_| part.asks == Asks::Whether),
            before.cloned().or_else(context),
        )
    } else {
        (None, after.or(before).cloned().or_else(context))
    };
    let other = other?;
    let (subject, object) = if number == 0 {
        (value, Some(other))
    } else {
        (Some(other), value)
    };
    build(part, predicate, subject, object, at)
}

/// Reports whether a noun is said of what was named before: "is it a subclass of X?"
fn is_it(part: &ReadClause, noun: usize) -> bool {
    let light = (0..noun).rev();
    let light =
        light.take_while(|at| part.says(*at, "a an the really also even itself still direct"));
    let it = light.last().unwrap_or(noun).checked_sub(1);
    let is_said = it.is_some_and(|it| it > 0 && part.says(it, "it") && part.says(it - 1, "is was"));
    part.asks == Asks::Whether && is_said && part.says(noun + 1, "of for")
}

/// Reports whether the users follow the noun: "f has two callers, g and h".
fn names_users_last(part: &ReadClause, at: usize, before: Option<&ClauseName>) -> bool {
    let first = before.and_then(|named| named.at).unwrap_or(at);
    let has = (first + 1..at).any(|at| part.says(at, "has have"));
    has && part.tokens[at].after == After::Pause
}

/// Returns the relation between what was named before and the only name of a clause.
fn of_topic(
    part: &ReadClause,
    at: usize,
    predicate: &'static Predicate,
    number: usize,
    topic: Option<ClauseName>,
) -> Option<ClauseReading> {
    let (before, after) = around(part, at);
    let topic = topic?;
    // An adjective may come after "its": "A: is b its superclass?", "its direct base?"
    let whose = match at.checked_sub(1).map(|at| part.word(at)) {
        Some("direct" | "immediate" | "own") => at.checked_sub(2),
        _ => at.checked_sub(1),
    };
    let is_its = part.asks == Asks::Whether && whose.is_some_and(|at| part.word(at) == "its");
    if let (true, Some(value), None) = (is_its, before, after) {
        let (subject, object) = match number {
            0 => (value.clone(), topic),
            _ => (topic, value.clone()),
        };
        return build(part, predicate, Some(subject), Some(object), at);
    }
    if let (true, None, Some(value)) = (is_it(part, at), before, after) {
        let (subject, object) = match number {
            0 => (topic, value.clone()),
            _ => (value.clone(), topic),
        };
        return build(part, predicate, Some(subject), Some(object), at);
    }
    // "Is there an impl of it for b?"
    let of_it = part.stands(at + 1, "of it for").is_some();
    let implementor = after.filter(|_| of_it && predicate == &names::IMPLEMENTS)?;
    build(part, predicate, Some(implementor.clone()), Some(topic), at)
}

/// Reads a type without an article as a base: "is A IDisposable?", "A is Cloneable, isn't it?"
pub(super) fn is_of_type(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let base = part.symbols().next_back()?;
    let last = base.at?;
    // "A: is it IDisposable?"
    let is_it = last > 1 && part.says(last - 1, "it") && part.says(last - 2, "is was");
    let before = part.symbols().rfind(|named| named.at < Some(last));
    let heir = before.or_else(|| part.symbol_before().filter(|_| is_it))?;
    let first = if is_it { last - 1 } else { heir.at? };
    if part.symbols().count() > 2 || part.names.iter().any(|named| named.is_path) {
        return None;
    }
    let is_light = |at: usize| part.says(at, "is was also really still actually itself already");
    let says_is =
        part.says(first.wrapping_sub(1), "is was") && first > 0 || part.says(first + 1, "is was");
    let ends = part.tokens[last].after != After::Word || last + 1 == part.tokens.len();
    let is_plain = (first + 1..last).all(is_light) && !part.is_only;
    let fits = part.asks == Asks::Whether && says_is && ends && is_plain;
    // Searches come last, since the form of the clause decides most cases.
    if !fits || !tree.is_type(&heir.text) || !tree.is_base(&base.text) {
        return None;
    }
    build(
        part,
        &names::EXTENDS,
        Some(heir.clone()),
        Some(base.clone()),
        last,
    )
}

/// Returns a claim about what was found, with the quantifier that the clause asks for.
pub(super) fn build(
    part: &ReadClause,
    predicate: &'static Predicate,
    subject: Option<ClauseName>,
    object: Option<ClauseName>,
    at: usize,
) -> Option<ClauseReading> {
    if is_no_relation(part, subject.as_ref(), object.as_ref()) {
        return None;
    }
    let through = made_through(part, object.as_ref(), at);
    let predicate = match predicate == &names::CONSTRUCTS && through.is_some() {
        true => &names::CALLS,
        false => of_files(predicate, subject.as_ref(), object.as_ref()),
    };
    let is_path = object.as_ref().is_some_and(|named| named.is_path);
    // "Who created a.rs?" is about the history of the file.
    if predicate == &names::CONSTRUCTS && is_path && subject.is_none() {
        return Some(created(part, object?, at));
    }
    let mut used = vec![at];
    used.extend(subject.iter().chain(&object).filter_map(|named| named.at));
    used.extend(handed(part, at, object.as_ref()));
    used.extend(through);
    let mut claim = between(part, predicate, subject.as_ref(), object.as_ref());
    let is_closed = claim.hole().is_none();
    let restricts = !claim.scope.inside.is_empty() || claim.scope.tests == Tests::Inside;
    quantify(part, at, subject, &mut claim, &mut used)?;
    take_beside(part, (is_closed, restricts), &claim, &mut used);
    specify(part, at, &mut claim, &mut used);
    Some(ClauseReading { claim, used })
}

/// Adds what a clause says further about its relation: which ones, of what kind, and for what
/// purpose.
fn specify(part: &ReadClause, at: usize, claim: &mut Claim, used: &mut Vec<usize>) {
    direct(part, claim, used);
    derived(part, at, claim, used);
    embedded(part, at, claim);
    heirs_of_kind(part, at, claim, used);
    if subject_alone(claim) && claim.quantifier == Quantifier::Some {
        purpose(part, at, claim, used);
        narrowed(part, claim, used);
    }
}

/// Returns the word before a function that makes something, since that function is called: "which
/// line makes one through f?", "who gets it via f?"
fn made_through(part: &ReadClause, object: Option<&ClauseName>, verb: usize) -> Option<usize> {
    let name = object.and_then(|object| object.at)?;
    let through = name
        .checked_sub(1)
        .filter(|at| part.says(*at, "through via with using"))?;
    let is_pronoun = |at: usize| part.says(at, "one it them some");
    let fits = through == verb + 2 && is_pronoun(verb + 1) && part.asks != Asks::Whether;
    fits.then_some(through)
}

/// Returns a relation between two names within the scope of a clause.
fn between(
    part: &ReadClause,
    predicate: &'static Predicate,
    subject: Option<&ClauseName>,
    object: Option<&ClauseName>,
) -> Claim {
    let argument = |named: Option<&ClauseName>| {
        named.map_or(Argument::Hole, |named| {
            Argument::is(type_of(named, predicate))
        })
    };
    let mut claim = Claim::new(predicate, vec![argument(subject), argument(object)]);
    claim.scope = part.scope.clone();
    // A file from an earlier sentence is the subject here, and not a place to search.
    let is_scope = |named: &ClauseName| {
        named.at.is_none() && named.is_path && claim.scope.inside == [named.text.clone()]
    };
    if subject.is_some_and(is_scope) {
        claim.scope.inside.clear();
    }
    claim
}

/// Sets the quantifier of a claim. Returns `None` if "only" restricts its object, or has nothing
/// to which it restricts the claim.
fn quantify(
    part: &ReadClause,
    at: usize,
    subject: Option<ClauseName>,
    claim: &mut Claim,
    used: &mut Vec<usize>,
) -> Option<()> {
    let is_closed = claim.hole().is_none();
    let is_un = lexicon::is_un(part.word(at));
    claim.quantifier = match part.asks {
        // "No caller except A" and "nobody but A calls it" say that A does and nobody else.
        Asks::Whether if part.is_negated && part.excepts() && subject.is_none() => {
            claim.scope.inside = std::mem::take(&mut claim.scope.outside);
            Quantifier::Only
        }
        Asks::Whether if part.is_only => {
            // "Does X only call Y?" asks what else X calls, and "only" claims list what else calls
            // Y.
            if is_closed && restricts_object(part, at, subject.as_ref()) {
                return None;
            }
            only_inside(part, at, subject.filter(|_| is_closed), claim, used)?;
            claim.is_negated = part.is_negated;
            Quantifier::Only
        }
        Asks::Whether if is_closed => {
            claim.is_negated = part.is_negated;
            Quantifier::Some
        }
        Asks::Whether => match (part.exactly, part.at_least) {
            (Some(count), _) => Quantifier::Exactly(count),
            _ if part.is_negated || is_un => Quantifier::None,
            (None, Some(count)) => Quantifier::AtLeast(count),
            (None, None) => Quantifier::Any,
        },
        _ if is_un => Quantifier::None,
        Asks::Count => Quantifier::Count,
        Asks::CountFiles => Quantifier::CountFiles,
        Asks::Where | Asks::When | Asks::Which => Quantifier::Some,
    };
    Some(())
}

/// Reports whether "only" restricts the object: "does X only call Y?", "does X call only Y?",
/// "implement every method of Y". That asks what else X does.
fn restricts_object(part: &ReadClause, verb: usize, subject: Option<&ClauseName>) -> bool {
    // "A: does it only call B?"
    let is_it = verb > 1 && part.says(verb - 2, "it they") && lexicon::is_only(part.word(verb - 1));
    let has_object = part.names.iter().any(|named| named.at > Some(verb));
    if is_it && has_object && !is_participle(part.word(verb)) {
        return true;
    }
    let Some(subject) = subject.and_then(|named| named.at).filter(|at| *at < verb) else {
        return false;
    };
    let object = part.names.iter().filter_map(|named| named.at);
    let Some(object) = object.filter(|at| *at > verb).min() else {
        return false;
    };
    let restricts = |at: usize| {
        !part.is_name(at) && (lexicon::is_only(part.word(at)) || part.says(at, "just every all"))
    };
    let is_before = subject + 2 == verb && restricts(subject + 1);
    is_before || (verb + 1..object).any(restricts)
}

/// Reports whether a clause asks what else a name does, whatever its verb: "does X only call Y?"
pub(super) fn asks_what_else(part: &ReadClause) -> bool {
    let is_active = part.says(0, "do does did");
    let restricts = |at: &usize| {
        let after_name = *at > 0 && part.is_name(at - 1) && !part.is_name(at + 1);
        let has_name = (0..*at).any(|at| part.is_name(at));
        let before_name = has_name && !part.is_name(at - 1) && part.is_name(at + 1);
        lexicon::is_only(part.word(*at)) && (after_name || before_name)
    };
    is_active && (0..part.tokens.len()).any(|at| !part.is_name(at) && restricts(&at))
}

/// Moves what is named beside X into the scope, where all of X must be: "is a.py the only file in
/// which X appears?"
fn only_inside(
    part: &ReadClause,
    at: usize,
    subject: Option<ClauseName>,
    claim: &mut Claim,
    used: &mut Vec<usize>,
) -> Option<()> {
    let file = || part.names.iter().find(|named| named.is_path).cloned();
    let Some(named) = subject.or_else(file) else {
        let restricts = !claim.scope.inside.is_empty() || claim.scope.tests == Tests::Inside;
        return restricts.then_some(());
    };
    let is_before = |other: &&ClauseName| other.is_path && other.at.is_some_and(|other| other < at);
    let paths: Vec<&ClauseName> = part.names.iter().filter(is_before).collect();
    let inside = &mut claim.scope.inside;
    if paths.is_empty() {
        inside.push(named.text);
    }
    inside.extend(paths.iter().map(|other| other.text.clone()));
    used.extend(paths.iter().filter_map(|other| other.at));
    claim.arguments[0] = Argument::Hole;
    Some(())
}

/// Returns a claim about the history of a file: "who created a.rs?", "when was it created?"
fn created(part: &ReadClause, file: ClauseName, at: usize) -> ClauseReading {
    let predicate = match part.asks {
        Asks::When => &names::INTRODUCED,
        _ => &names::AUTHORED,
    };
    let arguments = vec![Argument::is(file.text), Argument::Hole];
    let first = ["originally", "initially", "first"];
    let mut used: Vec<usize> = part
        .free()
        .filter(|at| first.contains(&part.word(*at)))
        .collect();
    used.extend(file.at.into_iter().chain([at]));
    ClauseReading {
        claim: Claim::new(predicate, arguments),
        used,
    }
}

/// Returns the words between the verb and the name, for what is handed on: "hands its text straight
/// to B".
fn handed(part: &ReadClause, at: usize, object: Option<&ClauseName>) -> Vec<usize> {
    let verbs = ["hand", "pass", "forward", "deleg", "send", "feed", "give"];
    let until = object
        .and_then(|named| named.at)
        .filter(|_| verbs.contains(&part.tokens[at].stem.as_str()));
    let between = |other: &usize| {
        until.is_some_and(|until| (at..until).contains(other)) && !part.is_name(*other)
    };
    part.free().filter(between).collect()
}

/// Keeps words that narrow what is listed with the claim, since the answer lists everything: "which
/// validate helpers does it call?"
fn narrowed(part: &ReadClause, claim: &mut Claim, used: &mut Vec<usize>) {
    let asks = part.said("which what").next();
    let Some(start) = asks.filter(|_| claim.kind.is_none()) else {
        return;
    };
    let Some(end) = part
        .free()
        .find(|at| *at > start && lexicon::is_kind(&lexicon::singular(part.word(*at))))
    else {
        return;
    };
    let narrows = |at: &usize| {
        (start + 1..end).contains(at)
            && !used.contains(at)
            && (part.is_name(*at) || !lexicon::is_empty(part.word(*at)))
    };
    let words: Vec<usize> = part.free().filter(narrows).collect();
    if words.is_empty() || words.len() > 3 {
        return;
    }
    let mut told: Vec<&str> = words
        .iter()
        .map(|at| part.tokens[*at].text.as_str())
        .collect();
    if words.iter().any(|at| part.is_name(*at)) {
        told.push(part.word(end));
    }
    claim.kind = Some(told.join(" "));
    used.extend(words);
}

/// Reports whether a claim asks what a body calls or uses.
fn subject_alone(claim: &Claim) -> bool {
    lexicon::is_use(claim.predicate) && claim.text(0).is_some() && claim.text(1).is_none()
}

/// Keeps the purpose of a callee with the claim, since the answer lists all callees: "…to make the
/// title safe".
fn purpose(part: &ReadClause, at: usize, claim: &mut Claim, used: &mut Vec<usize>) {
    let start = part.free().find(|start| {
        *start > at
            && part.says(*start, "to for as into when before after")
            && part.tokens.len() > start + 1
            && !part.is_name(start + 1)
    });
    let Some(start) = start
        .filter(|start| part.word(*start) != "to" || !lexicon::is_article(part.word(start + 1)))
    else {
        return;
    };
    let rest: Vec<usize> = part
        .free()
        .filter(|at| *at >= start && !part.is_name(*at))
        .collect();
    if rest.iter().all(|at| lexicon::is_empty(part.word(*at))) {
        return;
    }
    let words: Vec<&str> = rest.iter().map(|at| part.word(*at)).collect();
    claim.kind = Some(words.join(" "));
    used.extend(rest);
}

impl ReadClause {
    /// Reports whether no comma or colon comes before a word.
    fn is_before_pause(&self, at: usize) -> bool {
        self.tokens[..at]
            .iter()
            .all(|token| token.after == After::Word)
    }
}
