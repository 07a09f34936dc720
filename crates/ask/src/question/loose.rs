//! What a sentence is about that fits no way of asking: by the words that give an
//! intent away. Only whole sentences are read so; a phrase without a verb is a
//! phrase to look for.

use grounds_evidence::Execution;
use grounds_evidence::Intent;
use grounds_repo::history::HistoryAspect;

use super::about::{self, About};
use super::rules::{Rule, Wants};
use super::words::Word;

/// A word that gives an intent away, and what is then asked.
struct Cue {
    words: &'static [&'static str],
    rule: Rule,
}

/// The rule that a sentence's words give away, where they make a sentence.
pub(crate) fn rule(words: &[Word]) -> Option<&'static Rule> {
    let says = |list: &[&str]| {
        words
            .iter()
            .any(|word| !word.quoted && list.contains(&word.lower.as_str()))
    };
    let makes_a_sentence = words.len() > 2 && says(SENTENCE);
    CUES.iter()
        .find(|cue| makes_a_sentence && says(cue.words))
        .map(|cue| &cue.rule)
}

/// The words after the last that gives the intent away and a preposition; else all words but those that say nothing.
pub(crate) fn subject<'w>(rule: &Rule, words: &'w [Word]) -> &'w [Word] {
    let cues = CUES
        .iter()
        .find(|cue| std::ptr::eq(&raw const cue.rule, rule))
        .map_or(&[][..], |cue| cue.words);
    let last = words
        .iter()
        .rposition(|word| cues.contains(&word.lower.as_str()))
        .unwrap_or_default();
    let joint = words[last..]
        .iter()
        .position(|word| JOINTS.contains(&word.lower.as_str()));
    joint
        .map(|at| &words[last + at + 1..])
        .filter(|rest| !rest.is_empty())
        .unwrap_or(words)
}

const JOINTS: &[&str] = &[
    "of", "in", "for", "with", "on", "to", "from", "about", "by", "at", "between", "inside", "into",
];

/// Words that a sentence has and a name for something has not.
const SENTENCE: &[&str] = &[
    "is", "are", "was", "were", "am", "be", "do", "does", "did", "has", "have", "had", "can",
    "could", "would", "should", "will", "must", "i", "we", "you", "they", "he", "she", "it",
    "what", "who", "which", "why", "how", "when", "whose", "me", "us", "my", "our", "your",
    "please", "let", "if", "there", "any",
];

const fn cue(words: &'static [&'static str], intent: Intent, wants: Wants, about: About) -> Cue {
    Cue {
        words,
        rule: Rule {
            pattern: "",
            intent,
            wants,
            about,
        },
    }
}

/// The cues, the surest first.
const CUES: &[Cue] = &[
    cue(
        &["ci", "ci/cd", "workflow", "pipeline"],
        Intent::Diagnose,
        Wants::Occurrence,
        about::CI,
    ),
    cue(
        &[
            "difference",
            "differences",
            "differ",
            "differs",
            "unlike",
            "versus",
            "vs",
            "compared",
            "compare",
            "distinguish",
        ],
        Intent::Compare,
        Wants::Definition,
        about::PLAIN,
    ),
    cue(
        &["uncommitted", "unstaged", "staged", "untracked"],
        Intent::Status,
        Wants::Nothing,
        About::History(HistoryAspect::WorkTree),
    ),
    cue(
        &[
            "author",
            "authors",
            "maintainer",
            "contributors",
            "wrote",
            "authored",
        ],
        Intent::Status,
        Wants::Occurrence,
        about::AUTHORS,
    ),
    cue(
        &["introduced", "originated"],
        Intent::Status,
        Wants::Occurrence,
        about::INTRODUCED,
    ),
    cue(
        &[
            "commit",
            "commits",
            "committed",
            "git",
            "history",
            "blame",
            "pushed",
        ],
        Intent::Status,
        Wants::Occurrence,
        about::NEWEST,
    ),
    cue(
        &["changed", "changes", "modified", "touched"],
        Intent::Status,
        Wants::Occurrence,
        about::CHANGES,
    ),
    cue(
        &[
            "callers", "caller", "calls", "calling", "invokes", "invoked",
        ],
        Intent::Navigate,
        Wants::Callers,
        about::PLAIN,
    ),
    cue(
        &[
            "subclasses",
            "subclass",
            "inherits",
            "inherit",
            "extends",
            "implementors",
            "derives",
        ],
        Intent::Navigate,
        Wants::Implementors,
        about::PLAIN,
    ),
    cue(
        &[
            "imports",
            "importing",
            "imported",
            "includes",
            "depends",
            "dependents",
        ],
        Intent::Navigate,
        Wants::Importers,
        about::PLAIN,
    ),
    cue(
        &[
            "used",
            "usages",
            "usage",
            "references",
            "referenced",
            "uses",
        ],
        Intent::Navigate,
        Wants::Uses,
        about::PLAIN,
    ),
    cue(
        &[
            "crash",
            "crashes",
            "crashed",
            "crashing",
            "fails",
            "failing",
            "failed",
            "panics",
            "panicked",
            "exception",
            "segfault",
            "hangs",
            "broken",
            "deadlock",
            "leaks",
            "error",
            "errors",
            "bug",
        ],
        Intent::Diagnose,
        Wants::Occurrence,
        about::PLAIN,
    ),
    cue(
        &[
            "review",
            "audit",
            "feedback",
            "smell",
            "smells",
            "suspicious",
            "ugly",
            "ugliest",
            "quality",
            "improved",
            "better",
            "messy",
            "untested",
            "duplicated",
        ],
        Intent::Review,
        Wants::Occurrence,
        about::PLAIN,
    ),
    cue(
        &["compile", "compiles", "builds", "compiling"],
        Intent::Execute,
        Wants::Nothing,
        About::Execution(Execution::Build),
    ),
    cue(
        &["pass", "passes", "passing"],
        Intent::Execute,
        Wants::Nothing,
        about::TEST,
    ),
    cue(
        &[
            "add",
            "rename",
            "refactor",
            "remove",
            "delete",
            "replace",
            "rewrite",
            "implement",
            "migrate",
            "break",
        ],
        Intent::Modify,
        Wants::Definition,
        about::PLAIN,
    ),
    cue(
        &[
            "understand",
            "explain",
            "explanation",
            "overview",
            "meaning",
            "means",
            "purpose",
            "works",
            "describe",
            "summary",
        ],
        Intent::Explain,
        Wants::Definition,
        about::PLAIN,
    ),
];
