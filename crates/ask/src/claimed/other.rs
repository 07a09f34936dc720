//! Whether the answer of a form is to another question than the one that was asked.

use grounds_claims::{Claim, Quantifier, Tests, names};
use grounds_evidence::{
    ConfidenceLevel, Intent, Match, Observation, ObservationSource, QuestionTarget, Relation,
    TargetKind, name,
};
use grounds_repo::history::HistoryAspect;
use grounds_repo::needles::STOP_WORDS;

use super::forms::asks_where_it_is_done;
use super::guard::{READ_AS_PLACE, says_no_more, words_of};
use crate::investigate::Investigation;
use crate::question::{FormWants, Question};
use crate::understand::{self, QuestionTree, Understanding};
use crate::words::is_in;

/// Reports whether only places with the words of the question were found. Such places do not answer
/// it surely, nor does a definition whose comment has the words. A name does that consists of just
/// these words, with its owners.
pub(super) fn is_of_words(
    seen: &Investigation,
    understanding: &Understanding,
    tree: &QuestionTree<'_>,
) -> bool {
    let goal = &seen.question.goal;
    let is_of_code = matches!(
        goal.intent,
        Intent::Locate | Intent::Navigate | Intent::Explain
    );
    let mut targets = goal.targets.iter();
    // "Search for red tape" asks for the words alone; "where is red tape cut" asks for more.
    let is_said = |word: &String| {
        goal.targets
            .iter()
            .any(|target| target.text.contains(word.as_str()))
    };
    let asks_for_words =
        seen.question.wants == FormWants::Occurrence && understanding.unread.iter().all(is_said);
    // "Where is the price of a cart implemented?" asks for what is described, and not for a place
    // where something is done with it.
    let asks_for_definition = understanding.unread.iter().any(|word| {
        is_in(
            "defined implemented declared located",
            word.to_lowercase().as_str(),
        )
    });
    // Words in a row in a document or a comment are no name.
    let is_one = |seen: &Observation| match seen.found {
        Match::ExactPhrase => asks_for_words,
        Match::ExactIdentifier | Match::SymbolDefinition => {
            let is_named = [Relation::Defines, Relation::Declares, Relation::Binds];
            asks_for_words || is_named.contains(&seen.relation)
        }
        Match::DescribedDefinition => {
            asks_for_definition && seen.match_count == 1 || is_made_of(seen, tree)
        }
        _ => false,
    };
    let mut entries = seen.ledger.entries().iter();
    let names_one = entries.any(|entry| is_one(&entry.observation));
    let is_word = |target: &QuestionTarget| {
        target.kind == TargetKind::Phrase || is_plain_word(target, &seen.question)
    };
    is_of_code
        && seen.confidence.level > ConfidenceLevel::Medium
        && !names_one
        && !goal.targets.is_empty()
        && targets.all(is_word)
}

/// Reports whether a definition that was found by its words has no other words in its name, and all
/// words of the phrase in its name and owners: `Chapter.source_path` for "the source path of a
/// chapter".
fn is_made_of(seen: &Observation, tree: &QuestionTree<'_>) -> bool {
    let is_said = |word: &String| !STOP_WORDS.contains(&word.as_str());
    let said: Vec<String> = words_in(&seen.target).into_iter().filter(is_said).collect();
    let is_one = |source: &ObservationSource| {
        let text = tree.text(&source.path).unwrap_or_default();
        let line = text
            .lines()
            .nth(source.line_start.saturating_sub(1) as usize);
        let is_end = |letter: char| !(letter.is_alphanumeric() || letter == '_');
        let fits = |name: &&str| {
            let own = words_in(name);
            !own.is_empty() && own.iter().all(|word| said.contains(word))
        };
        let names = line.unwrap_or_default().split(is_end).filter(fits);
        names
            .take(NAMES_OF_LINE_MAX)
            .any(|name| has_all(name, source, &said, tree))
    };
    seen.sources.iter().any(is_one)
}

/// Reports whether the name defined at a place has all words, in itself and in its owners.
fn has_all(
    name: &str,
    source: &ObservationSource,
    said: &[String],
    tree: &QuestionTree<'_>,
) -> bool {
    let known = tree.know(&[name]);
    known[0].definitions().any(|place| {
        let is_here = place.path.as_str() == source.path && place.line == source.line_start;
        let owners = place.containers.iter().flat_map(|owner| words_in(owner));
        let all: Vec<String> = words_in(name).into_iter().chain(owners).collect();
        is_here && said.iter().all(|word| all.contains(word))
    })
}

/// Returns the words of a name or phrase, without plurals.
fn words_in(text: &str) -> Vec<String> {
    let words = name::words(text).into_iter();
    words
        .map(|word| understand::singular(&word.to_lowercase()))
        .collect()
}

/// Limit on the names of a line that are compared with the words of a phrase.
const NAMES_OF_LINE_MAX: usize = 4;

/// Reports whether a target is a plain word of the question: in lower case, and not quoted.
pub(super) fn is_plain_word(target: &QuestionTarget, question: &Question) -> bool {
    let mut words = question.text.split_whitespace();
    let is_small = target.text.chars().all(|letter| letter.is_lowercase());
    let is_said = words.any(|word| word.trim_end_matches(['?', '.', ',', ':', '!']) == target.text);
    target.kind == TargetKind::Identifier && is_small && is_said
}

/// Reports whether a claim that was understood in part asks for something that the older way does
/// not read: a relation of two names, where it searches definitions, or a line, where it searches
/// the file.
pub(super) fn is_other_question(seen: &Investigation, claims: &[Claim]) -> bool {
    let of_definition = matches!(
        seen.question.wants,
        FormWants::Definition | FormWants::DefinitionOnly
    ) && seen.question.goal.intent == Intent::Locate;
    let is_relation = |claim: &Claim| understand::is_relation(claim.predicate) && of_definition;
    let targets = &seen.question.goal.targets;
    // "errors.ts, list of the classes in it" asks for what the file has.
    let is_of_file = targets.iter().all(|target| target.kind == TargetKind::Path);
    let asks_for_parts =
        !targets.is_empty() && is_of_file && understand::names_parts(&seen.question.text);
    let wants = seen.question.wants;
    // The forms show what has the name of a flag without its dashes.
    let is_of_code = matches!(
        seen.question.goal.intent,
        Intent::Locate | Intent::Navigate | Intent::Explain
    );
    let is_of_history = matches!(seen.question.goal.intent, Intent::Status | Intent::Review);
    // A place in today's code does not answer a question about the history, nor places with the
    // words of "what message does X fail with?" what X throws.
    let is_no_place = |claim: &Claim| {
        let is_of_past = claim.predicate.intent == Intent::Status;
        is_of_code && is_of_past || !is_of_history && claim.predicate == &names::THROWS
    };
    let is_other = |claim: &Claim| {
        is_relation(claim)
            || is_no_place(claim)
            || is_other_line(claim, targets)
            || is_of_another(claim, targets)
            || is_turned_round(claim, wants)
    };
    claims.iter().any(is_other)
        || is_of_code && targets.iter().any(has_flag)
        || claims.is_empty() && (asks_more_than_place(seen) || asks_of_another_commit(seen))
        || is_of_code && names_another(seen, claims)
        || of_definition && claims.is_empty() && asks_who(&seen.question.text)
        || (of_definition || claims.is_empty()) && asks_for_parts
        || !is_of_history && asks_for_things(&seen.question.text)
        || is_place_for_more(seen, claims)
}

/// Reports whether a question asks for no place: "X: who are the concrete ones?"
fn asks_who(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.any(|word| is_in("who whose when", word.to_lowercase().as_str()))
}

/// Reports whether places or an overview were found for a question that asks what is done, or for
/// something of a kind.
fn is_place_for_more(seen: &Investigation, claims: &[Claim]) -> bool {
    claims.is_empty() && asks_where_it_is_done(&seen.question) || is_project_for_a_name(seen)
}

/// Reports whether a question for something of a kind got an overview of the project: "Where's the
/// App struct defined".
fn is_project_for_a_name(seen: &Investigation) -> bool {
    const KINDS: &str = "struct class interface trait enum function method macro";
    let goal = &seen.question.goal;
    let text = seen.question.text.to_lowercase();
    let says_kind = text.split([' ', '?']).any(|word| is_in(KINDS, word));
    let is_whole = goal.targets.iter().all(|target| target.text == ".");
    let is_of_code = !matches!(
        goal.intent,
        Intent::Status | Intent::Execute | Intent::Review
    );
    is_of_code && is_whole && !goal.targets.is_empty() && says_kind
}

fn has_flag(target: &QuestionTarget) -> bool {
    target.text.split(' ').any(understand::token::is_flag)
}

/// Reports whether a question asks for things of a kind, which an overview of X or f does not list:
/// "which errors does X define?", "what annotations sit on f?".
pub(super) fn asks_for_things(text: &str) -> bool {
    const VERBS: &str = "is are was were am do does did has have had can could will would shall should may might must \
        the a an happens";
    let text = text.to_lowercase();
    let mut words = text.split_whitespace();
    let asks = words.next().is_some_and(|word| is_in("which what", word));
    let noun = words.next().unwrap_or_default();
    asks && noun.bytes().all(|byte| byte.is_ascii_lowercase()) && !is_in(VERBS, noun)
}

/// Reports whether the question has a second name that is joined by other words than "and" or "or":
/// "who calls f with g?"
fn names_another(seen: &Investigation, claims: &[Claim]) -> bool {
    let [claim] = claims else {
        return false;
    };
    let mut own = [claim.text(0), claim.text(1)].into_iter().flatten();
    let mut targets = seen.question.goal.targets.iter();
    let text = seen.question.text.as_str();
    let Some(first) = own
        .next()
        .filter(|_| understand::is_relation(claim.predicate))
    else {
        return false;
    };
    targets.any(|target| {
        let other = target.text.as_str();
        let (Some(one), Some(two)) = (text.find(first), text.find(other)) else {
            return false;
        };
        let (start, end) = (one.min(two), one.max(two));
        let length = if start == one {
            first.len()
        } else {
            other.len()
        };
        let between = text.get(start + length..end).unwrap_or_default();
        let mut words = between
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty());
        one != two && words.any(|word| !is_in("and or nor both either the", word))
    })
}

/// Reports whether a question about the history asks for more than the list of the newest commits,
/// or for the meaning of a plain word.
fn asks_of_another_commit(seen: &Investigation) -> bool {
    let goal = &seen.question.goal;
    if goal.intent != Intent::Status {
        return false;
    }
    let text = seen.question.text.to_lowercase();
    let words = || {
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        words.filter(|word| !word.is_empty())
    };
    let says = |list: &'static str| words().any(|word| is_in(list, word));
    let is_whole = goal.targets.iter().all(|target| target.text == ".");
    let of_order = says("first oldest earliest initial second previous penultimate");
    let asks_what = text.contains("last commit")
        && words()
            .next()
            .is_some_and(|word| is_in("what which did", word))
        && says(
            "change changed touch touched do done does add added fix fixed remove removed contain",
        );
    // "What did f do?" asks about the code. With an author ("what did Ada do?") it asks for
    // commits.
    let asks_for_doing = text.trim_end_matches('?').trim().ends_with(" do")
        && !goal.targets.is_empty()
        && seen.question.history.author.is_none();
    // "When were functions added?" is not answered by a list of the newest commits.
    let history = &seen.question.history;
    let is_bounded = history.since.is_some() || history.until.is_some() || history.author.is_some();
    let asks_for_event = history.aspect == HistoryAspect::Newest
        && !is_bounded
        && words()
            .next()
            .is_some_and(|word| is_in("when who since", word))
        && says("added introduced removed deleted created dropped brought");
    is_whole && (of_order || asks_for_event) || asks_what || asks_for_doing
}

/// Reports whether the history of a plain word was looked up that the question does not mark as a
/// name: "who wrote the tests?", "when was the changelog added?"
pub(super) fn is_of_plain_word(
    seen: &Investigation,
    claims: &[Claim],
    tree: &QuestionTree<'_>,
) -> bool {
    let goal = &seen.question.goal;
    let text = seen.question.text.to_lowercase();
    let is_plain = |target: &QuestionTarget| {
        let word = target.text.as_str();
        let is_word = word.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_said = text.contains(&format!("the {word}"));
        let is_noun = is_said && is_in(PLAIN_NOUNS, word);
        is_noun || is_said && is_word && !tree.defines(word)
    };
    // The first line with a word is not when the thing that the word describes came in.
    let is_event = matches!(
        seen.question.history.aspect,
        HistoryAspect::Introduced | HistoryAspect::Removed
    );
    let is_unnamed = |target: &QuestionTarget| {
        let is_word = target
            .text
            .bytes()
            .all(|byte| byte.is_ascii_alphabetic() && !byte.is_ascii_uppercase());
        target.kind == TargetKind::Phrase
            || target.kind == TargetKind::Identifier && is_word && !tree.defines(&target.text)
    };
    let mut targets = goal.targets.iter();
    goal.intent == Intent::Status
        && targets
            .any(|target| claims.is_empty() && is_plain(target) || is_event && is_unnamed(target))
}

/// Nouns in questions about a history that are seldom names.
const PLAIN_NOUNS: &str = "\
    commit commits test tests readme release releases version docs middleware main file changed oldest";

/// Reports whether a question without a claim has a word that asks for more than a definition, or
/// for other calls: "f if you don't give it", "calls inside f".
fn asks_more_than_place(seen: &Investigation) -> bool {
    const VERBS: &str = "return returns raise raises throw throws call calls use uses";
    let mut targets = seen.question.goal.targets.iter();
    let is_verb = |target: &QuestionTarget| {
        target.kind == TargetKind::Identifier && is_in(VERBS, &target.text)
    };
    // "What does f return?" is not a search for the word `return`, unless that is quoted.
    if seen.question.wants == FormWants::Occurrence && targets.any(is_verb) {
        return !seen.question.text.contains(['"', '`', '\'']);
    }
    const RELATIONS: &str = "call calls called use uses used import imports imported extend extends inherit \
        inherits implement implements override overrides raise raises throw throws return returns needs define \
        defines declare declares parameter parameters argument arguments take takes accept accepts";
    const TURNS: &str =
        "if unless than besides when while without other inside within made not never neither nor";
    let text = seen.question.text.to_lowercase().replace("n't", " not");
    let mut words = text.split(|letter: char| !letter.is_alphanumeric());
    match (seen.question.goal.intent, seen.question.wants) {
        (Intent::Locate, FormWants::Definition | FormWants::DefinitionOnly) => {
            words.any(|word| is_in(TURNS, word) || is_in(RELATIONS, word))
        }
        (_, FormWants::Callers | FormWants::Uses | FormWants::Importers | FormWants::Callees) => {
            words.any(|word| is_in(TURNS, word))
        }
        _ => false,
    }
}

/// Reports whether a question asks when one thing was added to another: when each of them came in
/// does not answer that.
pub(super) fn is_added_to(text: &str, understanding: &Understanding) -> bool {
    let is_one = |claim: &Claim| claim.predicate == &names::INTRODUCED;
    let lower = text.to_lowercase();
    let says_to = [
        "added to",
        "introduced to",
        "introduced into",
        "added into",
        "moved to",
    ];
    understanding.claims.len() == 2
        && understanding.claims.iter().all(is_one)
        && says_to.iter().any(|joint| lower.contains(joint))
        && !lower.contains(" and ")
}

/// Reports whether a question asks if two names are related "in tests only": sites in tests say
/// nothing about other places.
pub(super) fn only_where_tests_are(text: &str, understanding: &Understanding) -> bool {
    let is_one = |claim: &Claim| {
        let is_between = claim.is_statement() && claim.text(0).is_some() && claim.text(1).is_some();
        let is_of_type = [&names::EXTENDS, &names::IMPLEMENTS].contains(&claim.predicate);
        (is_between || is_of_type) && claim.scope.tests != Tests::Count
    };
    let lower = text.to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric());
    understanding.claims.iter().any(is_one)
        && words.any(|word| is_in("only solely exclusively just", word))
}

/// Returns the words of a question for a definition that ask for more: "each line that takes it"
/// asks for other places.
pub(super) fn more_than_definition(
    question: &Question,
    understanding: &Understanding,
) -> Vec<String> {
    const OF_PLACE: &str = "in on at of for to from by and or with as me us my our your we you i it its this that here \
        there code codebase source sources tree repo repository project program file files line \
        lines path folder directory place places spot find show tell give list look see search \
        locating locate name named called symbol exactly please pls thanks hi hello one actually \
        really just so now all any every each get got know want need looking point take jump bring \
        go navigate they put inner nested own private public protected internal static abstract";
    let [claim] = understanding.claims.as_slice() else {
        return Vec::new();
    };
    let is_definition = claim.predicate == &names::DEFINES
        && claim.text(1).is_none()
        && claim.quantifier == Quantifier::Some;
    // A second question after "and" has a reading of its own.
    let asks_two = [
        " and what",
        " and which",
        " and how",
        " and who",
        " and where",
    ]
    .iter()
    .any(|joint| question.text.to_lowercase().contains(joint));
    if !is_definition || claim.kind.is_some() || claim.is_statement() || asks_two {
        return Vec::new();
    }
    let name = claim.text(0).unwrap_or_default().to_lowercase();
    let is_word = |word: &&str| word.len() > 1 && word.chars().all(char::is_alphabetic);
    let is_more = |word: &&str| {
        let mut parts = name.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        let is_of_name =
            parts.any(|part| part == *word || words_of(part).any(|part| part == *word));
        let is_of_place = is_in(OF_PLACE, word) || is_in(READ_AS_PLACE, word);
        !is_of_name && !is_of_place && !says_no_more(word)
    };
    let lower = question.text.to_lowercase();
    lower
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .filter(is_word)
        .filter(is_more)
        .map(str::to_owned)
        .collect()
}

/// Reports whether a claim is about a line that the older way did not read.
fn is_other_line(claim: &Claim, targets: &[QuestionTarget]) -> bool {
    let place = claim.text(0).filter(|_| claim.predicate == &names::EXISTS);
    place.is_some_and(|place| {
        let (_, line) = understand::with_line(place);
        line.is_some() && !targets.iter().any(|target| target.text == place)
    })
}

/// Reports whether the targets are other names than those of the claim, so that the answer is about
/// something else.
fn is_of_another(claim: &Claim, targets: &[QuestionTarget]) -> bool {
    let mut names = (0..2).filter_map(|number| claim.text(number));
    let is_target = |name: &str| {
        let mut texts = targets.iter().map(|target| target.text.as_str());
        texts.any(|text| text.contains(name) || name.contains(text))
    };
    let is_of_name = understand::is_relation(claim.predicate) || claim.predicate == &names::DEFINES;
    is_of_name && !names.all(is_target)
}

/// Reports whether callers were listed for a question about callees, or the other way round.
fn is_turned_round(claim: &Claim, wants: FormWants) -> bool {
    let is_call = [&names::CALLS, &names::USES].contains(&claim.predicate);
    let asks_callees = claim.text(0).is_some() && claim.text(1).is_none();
    let asks_callers = claim.text(0).is_none() && claim.text(1).is_some();
    let is_turned = asks_callees && matches!(wants, FormWants::Callers | FormWants::Uses)
        || asks_callers && wants == FormWants::Callees;
    is_call && is_turned
}
