//! Decides which questions the forms of answer can serve, and turns claims into such questions.

use grounds_claims::{Argument, Claim, Quantifier, names};
use grounds_evidence::{Goal, Intent, LedgerEntry, QuestionTarget, Relation, TargetKind};
use grounds_repo::checkout::Checkout;

use super::other::is_plain_word;
use crate::budget::QuestionBudget;
use crate::investigate::Investigation;
use crate::question::{FormWants, Question, target_of};
use crate::settle::{self, Desk};
use crate::understand::tree::owners;
use crate::understand::{self, QuestionTree, Understanding};
use crate::words::is_in;

/// Reports whether a path has a wildcard: that no file has this name proves no absence.
pub(super) fn names_a_pattern(question: &Question) -> bool {
    let mut targets = question.goal.targets.iter();
    targets.any(|target| target.kind == TargetKind::Path && target.text.contains(['*', '?']))
}

/// Reports whether a question asks what a workflow lists, and not how it ended: "which Python
/// versions does the CI test?"
pub(super) fn asks_for_a_matrix(text: &str, checkout: &Checkout, budget: &QuestionBudget) -> bool {
    let lower = text.to_lowercase();
    let may_ask = lower.contains("operating system")
        || ["version", "release", "pinned", "distribution", "vendor"]
            .iter()
            .any(|word| lower.contains(word))
        || lower.contains("how many") && lower.contains("workflow");
    // The words are checked first, since understanding the question reads the tree.
    may_ask && {
        let tree = QuestionTree::new(checkout, &budget.limits);
        let understanding = understand::read(text, &tree);
        understanding
            .claims
            .iter()
            .any(settle::manifest_field::is_one)
    }
}

/// Reports whether a claim names something with its Go package: a form would miss uses in the
/// package itself, and take the definitions of other packages for those of the named one.
pub(super) fn names_a_package(understanding: &Understanding, desk: &Desk<'_, '_>) -> bool {
    let mut claims = understanding.claims.iter();
    claims.any(|claim| {
        let is_use = understand::is_use(claim.predicate);
        let used = claim.text(1).filter(|_| is_use);
        let is_asked = is_use || claim.predicate == &names::DEFINES;
        // A form distinguishes `zoo.Cage`, and not the package in `zoo.Cage.Open`.
        let is_of_type = |name: &&str| is_asked && owners(name).len() > 1;
        let asked = used.or_else(|| claim.text(0).filter(is_of_type));
        asked.is_some_and(|name| settle::go_package::is_named(name, desk))
    })
}

/// Reports whether a form would miss sites that have another name for the asked one.
pub(super) fn has_other_name(understanding: &Understanding, tree: &QuestionTree<'_>) -> bool {
    let [claim] = understanding.claims.as_slice() else {
        return false;
    };
    let name = claim
        .text(1)
        .filter(|_| understand::is_relation(claim.predicate));
    name.is_some_and(|name| settle::renamed::is_renamed(name, tree))
}

/// Does the same after a form has listed callers. The tree is read again only if some file imports
/// the name.
pub(super) fn imports_renamed(
    seen: &Investigation,
    checkout: &Checkout,
    budget: &QuestionBudget,
) -> bool {
    let [target] = seen.question.goal.targets.as_slice() else {
        return false;
    };
    let is_import = |entry: &LedgerEntry| entry.observation.relation == Relation::Imports;
    // An index resolves aliases itself.
    seen.question.goal.intent == Intent::Navigate
        && !matches!(seen.index, Some(Ok(_)))
        && seen.ledger.entries().iter().any(is_import)
        && settle::renamed::is_renamed(&target.text, &QuestionTree::new(checkout, &budget.limits))
}

/// Words that only a question has.
const ASKING: &str = "who what which where list show";

/// Returns the question if a text in the form of an error asks something: "HTTPError: which classes
/// extend it?". `None` for an error.
pub(super) fn asked_of_an_error(
    question: &Question,
    checkout: &Checkout,
    budget: &QuestionBudget,
) -> Option<Question> {
    let trace = question.trace.as_ref()?;
    let text = question.text.trim();
    // "StoreError: it has no name, but needs one" is no question, although words of it could be
    // read as one.
    let mut words = text.split_whitespace();
    let asks = text.ends_with('?') || words.any(|word| is_in(ASKING, &word.to_lowercase()));
    if !asks || !trace.frames.is_empty() || text.contains('\n') {
        return None;
    }
    let tree = QuestionTree::new(checkout, &budget.limits);
    let is_complete = understand::read(&question.text, &tree).is_complete()
        || text.ends_with('?') && understand::read_without(&question.text, &tree).is_some();
    is_complete.then(|| Question {
        trace: None,
        ..question.clone()
    })
}

/// Reports whether the question is an order to change something: it asks what the change would
/// touch, which a form reads.
pub(super) fn orders_a_change(question: &Question) -> bool {
    let first = question.text.split_whitespace().next().unwrap_or_default();
    let first = first.to_lowercase();
    question.goal.intent == Intent::Modify
        && is_in("rename delete remove change replace move", first.as_str())
}

/// Reports whether a question asks where something is done with a name in code.
pub(super) fn asks_what_is_done(question: &Question, understanding: &Understanding) -> bool {
    let says_how = |claim: &Claim| {
        let is_of_value = [&names::CONSTRUCTS, &names::VALUE].contains(&claim.predicate);
        is_of_value || claim.predicate == &names::USES && claim.kind.is_some()
    };
    let lower = question.text.to_lowercase();
    let mut words = lower.split([' ', '?', '\'']);
    let mut targets = question.goal.targets.iter();
    let is_of_file = targets.any(|target| target.kind == TargetKind::Path);
    let says_doing = || words.clone().any(|word| is_in(DOING, word));
    !is_of_file
        && (understanding.claims.iter().any(says_how) || says_doing())
        && words.any(|word| word == "where")
}

/// Reports whether a question asks where something is done: "where is the name of the cookie set?"
pub(super) fn asks_where_it_is_done(question: &Question) -> bool {
    let mut targets = question.goal.targets.iter();
    let lower = question.text.to_lowercase();
    let mut words = lower.split([' ', '?', '\'']);
    let says_doing = words.clone().any(|word| is_in(DOING, word));
    let is_plain = |target: &QuestionTarget| is_plain_word(target, question);
    let of_noun = question.goal.targets.iter().any(is_plain)
        && words.clone().any(|word| is_in(DOING_TO_NOUNS, word));
    // "Where is the default set?" asks for a definition.
    let is_default = words.clone().any(|word| word == "default");
    (says_doing || of_noun)
        && !is_default
        && words.any(|word| word == "where")
        && !targets.any(|target| target.kind == TargetKind::Path)
}

/// Verbs that ask where something is done with a name: its occurrences do not answer that.
const DOING: &str =
    "set read written stored created emitted raised parsed validated logged opened loaded checked";

/// Further such verbs, with a plain word as their object: "where is the url put together?"
const DOING_TO_NOUNS: &str = "put built assembled composed constructed generated computed calculated determined \
    decided handled filled rendered sent";

/// Words that a question for a definition or for callers can have beside the name.
const OF_PLAIN: &str =
    "where is the defined declared definition declaration of who what calls callers find show me";

/// Reports whether a question has one name in code and, beside it, only words that a form reads.
/// Such a question needs no pass over the tree to be understood.
pub(super) fn asks_no_more(question: &Question) -> bool {
    let [target] = question.goal.targets.as_slice() else {
        return false;
    };
    let is_form = matches!(
        (question.goal.intent, question.wants),
        (
            Intent::Locate,
            FormWants::Definition | FormWants::DefinitionOnly
        ) | (Intent::Navigate, FormWants::Callers)
    );
    let (mut named, mut read) = (0, Vec::new());
    // "Who calls what X calls" repeats a word, and asks more than a form does.
    let is_read = |word: &str| {
        let word = word.trim_matches(['?', '.', '`', '"', '\'']);
        named += usize::from(word == target.text);
        let lower = word.to_lowercase();
        let is_new = !read.contains(&lower);
        read.push(lower.clone());
        word == target.text || is_new && is_in(OF_PLAIN, &lower)
    };
    let is_whole =
        question.text.split_whitespace().all(is_read) && !is_asked_last(question, &target.text);
    is_form
        && is_whole
        && named == 1
        && !(read.contains(&"callers".to_owned()) && read.contains(&"calls".to_owned()))
        && target.kind == TargetKind::Identifier
        && !understand::token::is_flag(&target.text)
        && question.left_aside.is_empty()
        && question.within.is_everything()
}

/// Reports whether the verb comes after the name, which asks for callees: "X calls what?", "what X
/// calls". A verb before the name asks for callers.
fn is_asked_last(question: &Question, name: &str) -> bool {
    let mut words = question.text.split_whitespace();
    let is = |word: &str, other: &str| {
        let bare = word.trim_matches(['?', '.', '`', '"', '\'']);
        bare.eq_ignore_ascii_case(other)
    };
    words
        .by_ref()
        .find(|word| is(word, name) || is(word, "calls"))
        .is_some_and(|word| is(word, name))
        && words.any(|word| is(word, "calls"))
}

/// Reports whether a claim asks who imports a name that the tree does not define: modules are often
/// named in strings, which no form reads.
pub(super) fn imports_a_module(understanding: &Understanding, tree: &QuestionTree<'_>) -> bool {
    let mut claims = understanding.claims.iter();
    claims.any(|claim| {
        let imported = claim.text(1).filter(|_| claim.predicate == &names::IMPORTS);
        imported.is_some_and(|name| !tree.defines(name))
    })
}

/// Reports whether a claim asks what something calls that is no function: its form would only show
/// where it is.
pub(super) fn asks_what_a_type_calls(
    understanding: &Understanding,
    tree: &QuestionTree<'_>,
) -> bool {
    let [claim] = understanding.claims.as_slice() else {
        return false;
    };
    let caller = claim.text(0).filter(|_| claim.predicate == &names::CALLS);
    caller.is_some_and(|caller| {
        let known = tree.know(&[understand::tree::last_part(caller)]);
        let mut definitions = known[0].definitions().peekable();
        definitions.peek().is_some()
            && !definitions.any(|place| understand::is_callable(place.kind))
    })
}

/// Returns the question of a single claim for a form; `None` if no form serves it, or if the claim
/// says more.
pub(super) fn plainly(question: &Question, understanding: &Understanding) -> Option<Question> {
    let [claim] = understanding.claims.as_slice() else {
        return None;
    };
    let is_scoped = claim.scope.is_everything() == question.within.is_everything();
    let is_placed = claim.predicate == &names::DEFINES && is_scoped
        || claim.scope.is_everything() && question.within.is_everything();
    let is_whole = claim.quantifier == Quantifier::Some && claim.kind.is_none();
    if claim.is_statement() || !is_placed || !is_whole || settle::flags::has_flag(claim) {
        return None;
    }
    let (wants, text) = form_of(claim, question.wants)?;
    // A form removes a dollar sign before a name, which in some languages belongs to the name.
    if text.contains('$') {
        return None;
    }
    // A form searches for a name, so the question has to write it and not only describe it.
    let plain = asked(claim.predicate.intent, text, wants, question);
    let is_file = plain
        .goal
        .targets
        .iter()
        .any(|target| target.kind == TargetKind::Path);
    (question.text.contains(text) && (takes_files(claim, text) || !is_file)).then_some(plain)
}

/// Returns the form that decides a claim about one name, and that name.
fn form_of(claim: &Claim, wants: FormWants) -> Option<(FormWants, &str)> {
    let of_place = match wants {
        FormWants::Definition => FormWants::Definition,
        _ => FormWants::DefinitionOnly,
    };
    let is = |predicate| claim.predicate == predicate;
    match (claim.text(0), claim.text(1)) {
        (Some(name), None) if is(&names::DEFINES) => Some((of_place, name)),
        (None, Some(name)) if is(&names::CALLS) => Some((FormWants::Callers, name)),
        (Some(name), None) if is(&names::CALLS) => Some((FormWants::Callees, name)),
        (None, Some(name)) if is(&names::USES) => Some((FormWants::Uses, name)),
        // A form does not distinguish imports of a file from mentions of it.
        (None, Some(name)) if is(&names::IMPORTS) && !name.contains(['.', '/', '@']) => {
            Some((FormWants::Importers, name))
        }
        _ => None,
    }
}

/// Returns the claim of a question that a form has read: one name, and what is wanted of it. It is
/// the inverse of `plainly`.
pub fn plain_claim(question: &Question) -> Option<Claim> {
    let [target] = question.goal.targets.as_slice() else {
        return None;
    };
    let is_name = matches!(target.kind, TargetKind::Identifier | TargetKind::SymbolPath);
    let is_whole = question.left_aside.is_empty() && question.within.is_everything();
    let (predicate, place) = match question.wants {
        _ if !is_name || !is_whole => return None,
        FormWants::Definition | FormWants::DefinitionOnly => (&names::DEFINES, 0),
        FormWants::Callers => (&names::CALLS, 1),
        FormWants::Callees => (&names::CALLS, 0),
        FormWants::Uses => (&names::USES, 1),
        FormWants::Importers => (&names::IMPORTS, 1),
        _ => return None,
    };
    let mut claim = Claim::new(predicate, Vec::new());
    claim.arguments[place] = Argument::is(&target.text);
    Some(claim)
}

/// Reports whether a form can answer for a file. A file has no calls, and few languages import a
/// file by its name.
fn takes_files(claim: &Claim, file: &str) -> bool {
    [&names::USES, &names::DEFINES].contains(&claim.predicate)
        || claim.predicate == &names::IMPORTS && is_included(file)
}

/// Reports whether a file is imported by its own name: headers, style sheets, and files that PHP,
/// the shell, make and CMake read.
fn is_included(file: &str) -> bool {
    let ending = file.rsplit('.').next().unwrap_or_default();
    is_in(
        "h hh hpp hxx inc php sh bash css scss less cmake mk",
        ending,
    )
}

/// Returns the question for what implements or extends one name.
pub(super) fn implementors(question: &Question, understanding: &Understanding) -> Option<Question> {
    let [claim] = understanding.claims.as_slice() else {
        return None;
    };
    let is_of_types = [&names::EXTENDS, &names::IMPLEMENTS].contains(&claim.predicate);
    let name = claim
        .text(1)
        .filter(|_| is_of_types && claim.text(0).is_none())?;
    let is_plain = claim.scope.is_everything() && claim.quantifier == Quantifier::Some;
    is_plain.then(|| {
        asked(
            claim.predicate.intent,
            name,
            FormWants::Implementors,
            question,
        )
    })
}

/// Returns the question for one name, with the text and bounds of another question.
pub(super) fn asked(intent: Intent, text: &str, wants: FormWants, question: &Question) -> Question {
    let goal = Goal {
        intent,
        targets: vec![target_of(text, wants)],
        about_ci: false,
    };
    Question {
        goal,
        wants,
        left_aside: Vec::new(),
        ..question.clone()
    }
}

pub(super) fn kind_of(text: &str) -> TargetKind {
    match () {
        () if text.contains('/') => TargetKind::Path,
        () if text.contains(' ') => TargetKind::Phrase,
        () if text.contains("::") || text.contains('.') || text.contains('#') => {
            TargetKind::SymbolPath
        }
        () => TargetKind::Identifier,
    }
}
