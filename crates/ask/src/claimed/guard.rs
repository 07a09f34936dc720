//! Checks that the answer of a form accounts for all words of the question. With words left over,
//! it is withdrawn.

use grounds_evidence::{ConfidenceLevel, Intent, Outcome, RefusalKind, TargetKind};
use grounds_repo::history::HistoryAspect;

use super::Understood;
use super::other::{is_of_plain_word, is_of_words, is_other_question};
use super::told::ranked;
use crate::budget::QuestionBudget;
use crate::investigate::Investigation;
use crate::understand::{self, QuestionTree, Understanding};
use crate::words::is_in;

/// Words that the patterns of the forms read, beside the names.
const READ_ELSEWHERE: &str = "work works working operate behave purpose role mean means meaning explain \
 describe overview summary summarize responsible responsibility implement implements implemented \
 implementation handle handles \
 handled happen happens happening relate related relationship differ difference different compare \
 versus vs between review risky risk quality test tests tested testing coverage docs document \
 documented documentation call calls called use uses used using depend depends import imports \
 imported connect connected connection reference references define defined definition declare \
 declared build builds project architecture structure structured organized organised design history \
 change changed changes commit commits exist exists available add added introduce introduced remove \
 removed wrote write written author created create string message text error comes come come emitted \
 printed locate located live lives stored kept walk through guide idea logic internals function doc \
 return returns take takes accept accepts need needs know load loads loaded loading open opens opened \
 signature api public look like kinds list occurrences occurrence mentions mention mentioned involved \
 does happen example examples default value set";

/// Words that a question for the content of a message or text uses.
const READ_AS_TEXT: &str = "string message text error literal log warning";

/// Words that a question for a place uses.
pub(super) const READ_AS_PLACE: &str = "define defined defines definition declare declared declaration \
 located locate location live lives kept stored keep store occurrence occurrences mention \
 mentions mentioned comment comments grep rg search implemented implementation implements \
 implement handle handled handles happen happens written printed emitted comes come appear signature \
 source body existing available set example examples docs documentation document load loads loaded \
 loading open opens opened read reads";

/// Words that a question for callers, uses or importers uses.
const READ_IN_LISTS: &str = "define defined defines definition located location occurrence occurrences mention \
 mentions mentioned grep rg search appear existing available";

/// Words that say that something exists.
const READ_AS_EXISTENCE: &str = "exist exists existing available define defined declare declared declaration \
 definition implement implemented implementation located called list occurrences occurrence mention mentioned";

/// Words that a question about the history uses, beside days and versions.
const READ_AS_HISTORY: &str = "since until before after first last latest newest recent recently release \
 releases released version versions tag tags day days week weeks month months year years today \
 yesterday state status news new uncommitted committed staged current branch branches";

/// Words for changes of code and their authors, which a question about the history uses.
const READ_OF_HISTORY: &str = "change changed changes commit commits committed exist exists add added introduce \
 introduced remove removed delete deleted wrote write written author authors authored create created history work \
 works happen happens happened touch touched edit edited modify modified land landed merge merged contribute \
 contributed contributor contributors log churn activity worked working blame ownership owner owners existing \
 available define defined definition function api call calls called use uses used text message string";

/// Withdraws an answer of the older way if words of the question are left over, or if the question
/// asks for more than places: for yes or no, a count, or something else.
pub(super) fn guard(
    seen: &mut Investigation,
    understanding: &Understanding,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
) {
    let guarded = matches!(
        seen.question.goal.intent,
        Intent::Locate
            | Intent::Navigate
            | Intent::Explain
            | Intent::Status
            | Intent::Review
            | Intent::Compare
    );
    let is_other = matches!(seen.question.goal.intent, Intent::Modify | Intent::Diagnose);
    // Names that a model proposed were checked against the words of the question already.
    if seen.outcome != Outcome::Answered || !(guarded || is_other) || seen.hypotheses.is_some() {
        return;
    }
    // "Why do I get `…`?" asks where a message comes from, in any words.
    let mut targets = seen.question.goal.targets.iter();
    if is_other && targets.any(|target| target.kind == TargetKind::Message) {
        return;
    }
    // Words in a row in a text are no name with a history.
    let mut targets = seen.question.goal.targets.iter();
    if seen.question.goal.intent == Intent::Status
        && understanding.claims.is_empty()
        && targets.any(|target| target.kind == TargetKind::Phrase)
    {
        seen.confidence.level = seen.confidence.level.min(ConfidenceLevel::Medium);
    }
    let unread = unread_of(seen, understanding, guarded);
    if unread.is_empty() && !understanding.is_beyond && !asks_more(seen, understanding, tree) {
        return;
    }
    withdraw(seen, or_all(unread, understanding), understanding);
    seen.leads = ranked(&seen.question.text, tree, budget);
}

/// Reports whether a question asks for more than the form answered, or for something else.
fn asks_more(seen: &Investigation, understanding: &Understanding, tree: &QuestionTree<'_>) -> bool {
    // Places do not say yes or no, except to whether something exists.
    understanding.is_yes_or_no && !understanding.is_existence
        // One clause was understood, and the other one asks something else.
        || understanding.has_open_clause && !understanding.claims.is_empty()
        || understanding.counts
        || is_other_question(seen, &understanding.claims)
        || is_of_plain_word(seen, &understanding.claims, tree)
        || is_of_words(seen, understanding, tree)
}

/// Turns an answer into the findings of a refusal.
fn withdraw(seen: &mut Investigation, unread: Vec<String>, understanding: &Understanding) {
    seen.understood = Some(Understood {
        claims: understanding.claims.clone(),
        unread,
        holds: None,
    });
    seen.outcome = Outcome::Insufficient(RefusalKind::CannotTell);
    if let Some(answer) = seen.answer.take() {
        seen.findings = answer.sections().iter().take(3).cloned().collect();
    }
    seen.confidence.level = ConfidenceLevel::Low;
}

/// Returns the unused words. If the form read them all but no claim did, none of them was
/// understood, and all are returned.
fn or_all(unread: Vec<String>, understanding: &Understanding) -> Vec<String> {
    match unread.is_empty() && understanding.claims.is_empty() {
        true => understanding.unread.clone(),
        false => unread,
    }
}

/// Returns the words that count as left over. A planned change may be described in any words. A
/// folder without a name to search for is not answered by a form.
fn unread_of(seen: &Investigation, understanding: &Understanding, guarded: bool) -> Vec<String> {
    let targets = &seen.question.goal.targets;
    let all = |kind: TargetKind| targets.iter().all(|target| target.kind == kind);
    if !guarded && targets.is_empty() && !seen.question.within.is_everything() {
        return understanding.unread.clone();
    }
    let is_error = seen.question.goal.intent == Intent::Diagnose;
    if guarded || is_error || all(TargetKind::Phrase) || all(TargetKind::Path) {
        return unread(seen, understanding);
    }
    Vec::new()
}

/// Reports whether a word adds nothing: a function word, or a kind of code.
pub(super) fn says_no_more(word: &str) -> bool {
    use understand::lexicon::{is_article, is_asking, is_auxiliary, is_idle, is_kind, singular};
    is_article(word)
        || is_asking(word)
        || is_auxiliary(word)
        || is_idle(word)
        || is_kind(&singular(word))
}

/// Returns the names that claims are about.
pub(super) fn asked_names(understanding: &Understanding) -> Vec<String> {
    let texts = understanding
        .claims
        .iter()
        .filter_map(|claim| claim.text(0));
    texts.map(str::to_owned).collect()
}

/// Reports whether a word changes the meaning of a question.
pub(crate) fn turns(word: &str) -> bool {
    is_in("not only never times nobody else", word)
}

/// Returns the words that neither a claim nor a form has read.
fn unread(seen: &Investigation, understanding: &Understanding) -> Vec<String> {
    let texts = looked_for(seen);
    let owned = understanding.owned.iter();
    let more = owned.filter(|word| !understanding.unread.contains(word));
    let all = understanding.unread.iter().chain(more);
    all.filter(|word| !is_read(word, &texts, seen, understanding))
        .cloned()
        .collect()
}

/// Returns the texts of the targets and folders in small letters.
fn looked_for(seen: &Investigation) -> Vec<String> {
    let targets = seen.question.goal.targets.iter();
    let texts = targets.map(|target| target.text.to_lowercase());
    let folders = seen.question.within.folders.iter();
    texts
        .chain(folders.map(|folder| folder.to_lowercase()))
        .collect()
}

/// Reports whether a form has read a word.
fn is_read(
    word: &String,
    texts: &[String],
    seen: &Investigation,
    understanding: &Understanding,
) -> bool {
    if understanding.doings.contains(word) {
        return false;
    }
    let lower = word.to_lowercase();
    if turns(&lower) {
        // "What is not committed?" is a form of its own.
        return lower == "not" && seen.question.history.aspect == HistoryAspect::WorkTree;
    }
    if is_of_history(&lower, seen) && !understanding.counts {
        return true;
    }
    if texts
        .iter()
        .any(|text| *text == lower || words_of(text).any(|word| word == lower))
    {
        return true;
    }
    // No form reads words that belong to a name, which say what part of it is meant.
    if understanding.owned.contains(word) {
        return false;
    }
    let elsewhere = match seen.question.goal.intent {
        Intent::Navigate => READ_IN_LISTS,
        Intent::Locate => READ_AS_PLACE,
        Intent::Status => READ_OF_HISTORY,
        _ => READ_ELSEWHERE,
    };
    let is_more = understanding.is_existence && !is_in(READ_AS_EXISTENCE, &lower);
    let is_text = is_of_text(seen) && is_in(READ_AS_TEXT, &lower);
    is_text || !is_more && is_in(elsewhere, &lower)
}

/// Reports whether a word of a question about the history is a time, a part of its author's name,
/// or a thing that is listed.
fn is_of_history(lower: &str, seen: &Investigation) -> bool {
    const ENDS: &str =
        "since until before after day days week weeks month months year years today yesterday";
    let asks = matches!(seen.question.goal.intent, Intent::Status | Intent::Review);
    let history = &seen.question.history;
    let author = history.author.as_deref().unwrap_or_default();
    let is_author = author.to_lowercase().contains(lower);
    let ends = [history.since.as_deref(), history.until.as_deref()];
    let is_end = |end: &str| end.to_lowercase().contains(lower);
    let has_digit = lower.contains(|letter: char| letter.is_ascii_digit());
    // "Are there uncommitted changes?" is answered by the list of them.
    let is_listed =
        history.aspect == HistoryAspect::WorkTree && matches!(lower, "change" | "changes");
    let is_span = is_in(ENDS, lower) || ends.into_iter().flatten().any(is_end);
    // Other aspects search all of the history, so a time in the question is not read there.
    let lists = matches!(
        history.aspect,
        HistoryAspect::Newest | HistoryAspect::Changes | HistoryAspect::WorkTree
    );
    asks && match lists {
        true => has_digit || is_span || is_author || is_listed || is_in(READ_AS_HISTORY, lower),
        false => {
            let is_share = matches!(
                history.aspect,
                HistoryAspect::Authors | HistoryAspect::Contributors
            );
            let is_read = is_in(READ_AS_HISTORY, lower) || is_share && lower == "most";
            !is_span && !is_another_end(lower, history.aspect) && is_read
        }
    }
}

/// Reports whether a word asks for an end of the history that an aspect does not read: "first
/// removed", "in the last year".
fn is_another_end(lower: &str, aspect: HistoryAspect) -> bool {
    match aspect {
        HistoryAspect::Removed => is_in("first last again", lower),
        HistoryAspect::Introduced => is_in("last again latest", lower),
        HistoryAspect::LastChanged => is_in("first again", lower),
        HistoryAspect::Contributors => {
            is_in("first last again latest newest recent recently", lower)
        }
        _ => false,
    }
}

/// Reports whether a target is a text and no name.
fn is_of_text(seen: &Investigation) -> bool {
    use TargetKind::{Message, Phrase, Quoted};
    let mut targets = seen.question.goal.targets.iter();
    targets.any(|target| matches!(target.kind, Message | Quoted | Phrase))
}

/// Returns the words of a target, which blanks, dots and slashes separate.
pub(super) fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || "_-?!".contains(letter)))
}
