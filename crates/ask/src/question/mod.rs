//! Question → goal: what the person wants, and what it is about.
//!
//! In one table (`forms.rs`), the first form that matches the words decides the intent, and the
//! remaining words are the target. What a question says about names in the code is understood over
//! the tree, as claims.

mod about;
mod forms;
mod scope;
mod sentences;
mod shape;
mod span;
mod targets;
mod words;

pub mod message;
pub mod trace;

use grounds_evidence::Execution;
use grounds_evidence::{Goal, Intent, QuestionTarget, TargetKind, WantedRelation, name};
use grounds_repo::ci::CiQuestion;
use grounds_repo::enquiry::Enquiry;
use grounds_repo::history::{HistoryAspect, HistoryQuestion};
use grounds_repo::within::Within;

use crate::words::is_in;
use about::FormAbout;
use forms::QuestionForm;
use words::QuestionWord;

pub use forms::FormWants;
pub use message::message_fragments;
pub use targets::TARGET_BYTES_MAX;
pub(crate) use targets::target_of;
pub use trace::Trace;

/// Maximum size of a question in bytes. A longer text is an issue or a log, and not a question.
pub const QUESTION_BYTES_MAX: usize = 4_000;

/// Maximum size of a pasted error in bytes, with its stack or its log.
pub const TRACE_BYTES_MAX: usize = 256 << 10;

/// An understood question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The words as asked.
    pub text: String,
    /// The intent and the targets.
    pub goal: Goal,
    /// What is wanted of the targets.
    pub wants: FormWants,
    /// The part of the tree to search.
    pub within: Within,
    /// The part of the history that is asked for.
    pub history: HistoryQuestion,
    /// The bounds that were reached while reading the question, by name. If there are any, some of
    /// the question was left out.
    pub bounds: Vec<&'static str>,
    /// Whether the build, the tests or both are asked for.
    pub execution: Execution,
    /// The pasted error; `None` if the text is not one.
    pub trace: Option<Trace>,
    /// Words with content of their own that are in no target and in no other field. They are not
    /// searched for.
    pub left_aside: Vec<String>,
}

/// The reason why a text is not a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// The text is only white space.
    #[error("answer an empty question")]
    Empty,
    /// The text is longer than the limit.
    #[error("answer a question of {0} bytes: {QUESTION_BYTES_MAX} are the most")]
    TooLong(usize),
}

/// Understands a question.
///
/// # Errors
/// [`QuestionError`] when the text is empty or too long to be one.
pub fn understand(text: &str) -> Result<Question, QuestionError> {
    if text.trim().is_empty() {
        return Err(QuestionError::Empty);
    }
    if text.len() > QUESTION_BYTES_MAX {
        // A pasted stack may be long. Every other long text is refused.
        if let Some(trace) = trace::parse(text).filter(|_| text.len() <= TRACE_BYTES_MAX) {
            return Ok(of_trace(text, trace));
        }
        return Err(QuestionError::TooLong(text.len()));
    }
    let mut bounds = Vec::new();
    if let Some(trace) = trace::parse(text) {
        return Ok(of_trace(text, trace));
    }
    let mut sentences = sentences::split(words::split(text, &mut bounds))
        .into_iter()
        .map(words::written_out)
        .collect::<Vec<_>>();
    let words = if sentences.is_empty() {
        Vec::new()
    } else {
        sentences.remove(sentences::asking(&sentences))
    };
    let (left, within) = scope::take(&words);
    let said = QuestionWords {
        all: &words,
        left: &left,
        within,
        others: &sentences,
    };
    let Understood {
        goal,
        wants,
        within,
        history,
        execution,
        left_aside,
    } = said.understood(&mut bounds);
    // A question about an error can quote it within its own words: "I get error: no such file".
    let trace = if goal.intent == Intent::Diagnose && !goal.about_ci {
        trace::told(text)
    } else {
        None
    };
    let goal = match &trace {
        Some(trace) => Goal {
            targets: targets::of_trace(trace).into_iter().collect(),
            ..goal
        },
        // A message has values in it, so it is searched for by its literal parts and not as a
        // phrase.
        None if goal.intent == Intent::Diagnose && !goal.about_ci => Goal {
            targets: targets::as_messages(goal.targets, text),
            ..goal
        },
        None => goal,
    };
    Ok(Question {
        text: text.to_owned(),
        goal: settle(goal),
        wants,
        within,
        history,
        bounds,
        execution,
        trace,
        left_aside,
    })
}

/// Returns the question that a pasted error stands for: where it comes from.
fn of_trace(text: &str, trace: Trace) -> Question {
    let bounds = if trace.is_cut {
        vec!["question_frames_max"]
    } else {
        Vec::new()
    };
    let goal = Goal {
        intent: Intent::Diagnose,
        targets: targets::of_trace(&trace).into_iter().collect(),
        about_ci: false,
    };
    let Understood {
        goal,
        wants,
        within,
        history,
        execution,
        left_aside,
    } = Understood::plain(goal, FormWants::Occurrence, Within::default());
    Question {
        text: text.to_owned(),
        goal,
        wants,
        within,
        history,
        bounds,
        execution,
        trace: Some(trace),
        left_aside,
    }
}

/// Verbs for what is done with files.
const DONE_WITH_FILES: &str = "read reads load loads loaded parse parses parsed open opens opened write writes \
    written use uses used mention mentioned reference referenced generate generated create created import imported \
    include included store stored save saved require required";

impl Question {
    /// Returns a question that was given as claims. Its words are those of the claims, and nothing
    /// is read from them.
    pub fn of_claims(text: String) -> Self {
        let goal = Goal {
            intent: Intent::Locate,
            targets: Vec::new(),
            about_ci: false,
        };
        let Understood {
            goal,
            wants,
            within,
            history,
            execution,
            left_aside,
        } = Understood::plain(goal, FormWants::Nothing, Within::default());
        Self {
            text,
            goal,
            wants,
            within,
            history,
            bounds: Vec::new(),
            execution,
            trace: None,
            left_aside,
        }
    }

    /// Returns the question with names in place of what could be a file by its ending, or was
    /// quoted outside of a search for text: "why does `Store.load` fail?" Returns `None` if nothing
    /// could be a name.
    pub fn with_files_as_names(&self) -> Option<Self> {
        let could_be_name = |target: &QuestionTarget| {
            let is_kind = match target.kind {
                TargetKind::Path => !target.text.contains('/'),
                TargetKind::Quoted => self.goal.intent != Intent::Locate,
                _ => false,
            };
            is_kind && shape::is_symbol_path(&target.text)
        };
        if !self.goal.targets.iter().any(could_be_name) {
            return None;
        }
        let mut question = self.clone();
        for target in question
            .goal
            .targets
            .iter_mut()
            .filter(|target| could_be_name(target))
        {
            target.kind = TargetKind::SymbolPath;
            target.wanted = wanted_of(self.wants, true, false);
        }
        Some(question)
    }

    /// Returns the question with its file names read as text in other files, or `None` if it names
    /// no file, or does not ask where something is or is used.
    pub fn with_files_as_text(&self) -> Option<Self> {
        let is_file = |target: &QuestionTarget| {
            target.kind == TargetKind::Path
                && shape::is_path(&target.text)
                && !target.text.ends_with('/')
        };
        let is_asked = matches!(self.goal.intent, Intent::Locate | Intent::Navigate);
        if !is_asked || !self.wants_file() || !self.goal.targets.iter().any(is_file) {
            return None;
        }
        let mut question = self.clone();
        let targets = question.goal.targets.iter_mut();
        targets
            .filter(|target| is_file(target))
            .for_each(|target| target.kind = TargetKind::Quoted);
        Some(question)
    }

    /// Reports whether the question asks what is done with a file. That happens where its name is
    /// written, so these places answer it.
    pub fn says_what_is_done(&self) -> bool {
        self.text
            .split(|letter: char| !letter.is_alphanumeric())
            .any(|word| is_in(DONE_WITH_FILES, &word.to_lowercase()))
    }

    /// Reports whether the question could ask for a file: it does not say that something is
    /// defined, called or implemented.
    pub const fn wants_file(&self) -> bool {
        match self.wants {
            FormWants::DefinitionOnly
            | FormWants::Callers
            | FormWants::Callees
            | FormWants::Implementors => false,
            FormWants::Definition
            | FormWants::Uses
            | FormWants::Importers
            | FormWants::Occurrence
            | FormWants::Nothing => true,
        }
    }

    /// Returns what the question asks of the tools.
    pub fn enquiry(&self) -> Enquiry {
        let (mut targets, within, history) = (
            self.goal.targets.clone(),
            self.within.clone(),
            self.history.clone(),
        );
        let executed = if self.goal.intent == Intent::Execute {
            targets.clone()
        } else {
            Vec::new()
        };
        targets.extend(self.trace.iter().flat_map(targets::beside));
        let frames = self
            .trace
            .as_ref()
            .map_or_else(Vec::new, |trace| trace.frames.clone());
        let (execution, ci) = (self.execution, CiQuestion::of_text(&self.text));
        Enquiry {
            targets,
            within,
            history,
            execution,
            question: self.text.clone(),
            ci,
            executed,
            frames,
        }
    }
}

/// The words of a question.
struct QuestionWords<'w> {
    /// All of them.
    all: &'w [QuestionWord],
    /// The words without the part of the tree.
    left: &'w [QuestionWord],
    /// The part of the tree.
    within: Within,
    /// The other sentences.
    others: &'w [Vec<QuestionWord>],
}

/// The meaning of the words of a question.
struct Understood {
    goal: Goal,
    wants: FormWants,
    within: Within,
    history: HistoryQuestion,
    execution: Execution,
    left_aside: Vec<String>,
}

impl Understood {
    /// Returns a goal alone.
    fn plain(goal: Goal, wants: FormWants, within: Within) -> Self {
        let (history, execution) = (HistoryQuestion::default(), Execution::default());
        Self {
            goal,
            wants,
            within,
            history,
            execution,
            left_aside: Vec::new(),
        }
    }
}

impl QuestionWords<'_> {
    fn understood(self, bounds: &mut Vec<&'static str>) -> Understood {
        // "First commit" is no name `commit` and no newest commit, so it is read before the forms.
        if let Some(history) = span::oldest(forms::without_politeness(self.left)) {
            let goal = Goal {
                intent: Intent::Status,
                targets: Vec::new(),
                about_ci: false,
            };
            return Understood {
                history,
                ..Understood::plain(goal, FormWants::Nothing, self.within)
            };
        }
        // A word of the form can be among those for the part of the tree, so all words are tried
        // second.
        let form = forms::of(self.left).or_else(|| forms::of(self.all));
        let Some(form) = form else {
            let goal = Goal {
                intent: Intent::Locate,
                targets: targets::of(
                    &[targets::subject(self.left, None)],
                    FormWants::Definition,
                    bounds,
                ),
                about_ci: false,
            };
            return Understood::plain(goal, FormWants::Definition, self.within);
        };
        match form.about {
            FormAbout::Code => self.code(form, bounds),
            FormAbout::History(aspect) => self.history(form, aspect, bounds),
            FormAbout::Execution(execution) => self.execution(execution, bounds),
            FormAbout::Ci => self.ci(bounds),
        }
    }

    fn code(mut self, form: &QuestionForm, bounds: &mut Vec<&'static str>) -> Understood {
        let targets = if form.wants == FormWants::Nothing {
            Vec::new()
        } else {
            self.targets(form, bounds)
        };
        let left_aside = if targets.is_empty() {
            Vec::new()
        } else {
            targets::left_aside(self.left, form, &targets, self.others)
        };
        let goal = Goal {
            intent: form.intent,
            targets,
            about_ci: false,
        };
        Understood {
            left_aside,
            ..Understood::plain(goal, form.wants, std::mem::take(&mut self.within))
        }
    }

    /// Returns the targets of a question about code. "It" refers to what the other sentences name,
    /// and a part of the tree is the target itself if nothing in it is asked for.
    fn targets(
        &mut self,
        form: &QuestionForm,
        bounds: &mut Vec<&'static str>,
    ) -> Vec<QuestionTarget> {
        let subject = targets::subject(forms::without_politeness(self.left), Some(form));
        let targets = targets::of(&[subject], form.wants, bounds);
        if targets.iter().any(|target| target.text != ".") {
            return targets;
        }
        let others = self.others.iter();
        let mut named: Vec<QuestionTarget> = others
            .flat_map(|other| targets::named(other, form.wants, bounds))
            .collect();
        targets::cut(&mut named, bounds);
        if !named.is_empty() {
            return named;
        }
        let folders = targets::with_folders(Vec::new(), &self.within, bounds);
        if folders.is_empty() {
            return targets;
        }
        // The folder is the target now, and would restrict the search to itself.
        self.within = Within::default();
        folders
    }

    /// Reads a question about the history. Without since, until and author the remaining words are
    /// its subject.
    fn history(
        self,
        form: &QuestionForm,
        aspect: HistoryAspect,
        bounds: &mut Vec<&'static str>,
    ) -> Understood {
        let mut history = HistoryQuestion::default();
        let left = span::take(forms::without_politeness(self.left), &mut history);
        let mut targets = if form.wants == FormWants::Nothing {
            Vec::new()
        } else {
            targets::of(
                &[targets::subject(&left, Some(form))],
                FormWants::Occurrence,
                bounds,
            )
        };
        targets.retain(|target| target.text != ".");
        let targets = targets::with_folders(targets, &self.within, bounds);
        history.aspect = within_range(aspect, &history, !targets.is_empty());
        let goal = Goal {
            intent: Intent::Status,
            targets,
            about_ci: false,
        };
        Understood {
            history,
            ..Understood::plain(goal, FormWants::Occurrence, self.within)
        }
    }

    fn execution(self, asked: Execution, bounds: &mut Vec<&'static str>) -> Understood {
        let targets = targets::named(self.left, FormWants::Occurrence, bounds);
        let targets = targets::with_folders(targets, &self.within, bounds);
        let goal = Goal {
            intent: Intent::Execute,
            targets,
            about_ci: false,
        };
        Understood {
            execution: narrowed(asked, self.left),
            ..Understood::plain(goal, FormWants::Nothing, self.within)
        }
    }

    fn ci(self, bounds: &mut Vec<&'static str>) -> Understood {
        // The CI service knows the workflow, and the tree need not have its name.
        let workflow = targets::workflow(self.left);
        let is_of_tree = |target: &QuestionTarget| {
            workflow != Some(target.text.as_str())
                && ![".yml", ".yaml"]
                    .iter()
                    .any(|ending| target.text.ends_with(ending))
        };
        let targets = targets::named(self.left, FormWants::Occurrence, bounds)
            .into_iter()
            .filter(is_of_tree)
            .collect();
        Understood::plain(
            Goal {
                intent: Intent::Diagnose,
                targets,
                about_ci: true,
            },
            FormWants::Occurrence,
            self.within,
        )
    }
}

/// Returns the aspect that fits a range.
///
/// "What changed" without a range asks for the work tree. "Changed files" since a release does not.
fn within_range(
    aspect: HistoryAspect,
    history: &HistoryQuestion,
    has_target: bool,
) -> HistoryAspect {
    let is_ranged = history.since.is_some() || history.until.is_some() || history.author.is_some();
    match aspect {
        HistoryAspect::WorkTree if is_ranged => HistoryAspect::Changes,
        HistoryAspect::Changes if !is_ranged && !has_target => HistoryAspect::WorkTree,
        HistoryAspect::Newest if history.author.is_some() || history.since.is_some() => {
            HistoryAspect::Changes
        }
        other => other,
    }
}

/// Returns what is to be executed: only the tests for "run X" if X is a test, and both for "does it
/// build and do the tests pass?"
fn narrowed(asked: Execution, words: &[QuestionWord]) -> Execution {
    let names = |part: &str| words.iter().any(|word| word.lower.contains(part));
    let at = |list: &[&str]| {
        words
            .iter()
            .position(|word| !word.quoted && list.contains(&word.lower.as_str()))
    };
    let builds = at(&[
        "build", "builds", "built", "compile", "compiles", "compiled",
    ]);
    let tests = at(&["test", "tests", "tested", "testsuite"]);
    // The form of tests comes first in the table, and takes a question for both.
    let joined = builds.zip(tests).is_some_and(|(one, other)| {
        let between = &words[one.min(other)..one.max(other)];
        between
            .iter()
            .any(|word| word.comma || is_in("and then & &&", word.lower.as_str()))
    });
    match asked {
        Execution::Build | Execution::Test if joined => Execution::Both,
        Execution::Both
            if !names("build") && !names("compile") && (names("test") || names("spec")) =>
        {
            Execution::Test
        }
        Execution::Build | Execution::Test | Execution::Both => asked,
    }
}

/// Returns a goal in the form that can be answered: an explanation of lines, and a comparison
/// without a target, cannot.
fn settle(goal: Goal) -> Goal {
    let is_line = |target: &QuestionTarget| {
        target.kind == TargetKind::Path && name::split_place(&target.text).is_some()
    };
    match goal.intent {
        // A question about a line shows that line with the definition around it.
        Intent::Explain if !goal.targets.is_empty() && goal.targets.iter().all(is_line) => Goal {
            intent: Intent::Locate,
            ..goal
        },
        // A comparison without names can only be explained.
        Intent::Compare if goal.targets.is_empty() => Goal {
            intent: Intent::Explain,
            ..goal
        },
        _ => goal,
    }
}

/// Returns what is wanted of a target of a kind, if a form wants its definition.
const fn wanted_of(wants: FormWants, is_named_in_code: bool, is_path: bool) -> WantedRelation {
    match (wants, is_named_in_code, is_path) {
        (_, _, true) => WantedRelation::Occurrence,
        (FormWants::Uses, ..) => WantedRelation::Uses,
        (FormWants::Callers, ..) => WantedRelation::Calls,
        (FormWants::Implementors, ..) => WantedRelation::Implementations,
        (FormWants::Importers, ..) => WantedRelation::Imports,
        (FormWants::DefinitionOnly | FormWants::Callees, ..) => WantedRelation::Definition,
        (FormWants::Definition, true, _) => WantedRelation::Definition,
        // A phrase has no definition, so its occurrences are searched for.
        (FormWants::Definition, false, _) | (FormWants::Occurrence | FormWants::Nothing, ..) => {
            WantedRelation::Occurrence
        }
    }
}

#[cfg(test)]
mod tests;
