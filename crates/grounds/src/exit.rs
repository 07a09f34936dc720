//! One table of exit codes for all commands.

use std::process::ExitCode;

use grounds_ask::Decision;
use grounds_evidence::Outcome;

/// The exit code of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Answered (a question of yes or no: with yes), True, nothing blocks.
    Answered = 0,
    /// A tool, a provider or a file broke.
    Failed = 1,
    /// The command line or the configuration is wrong.
    Usage = 2,
    /// Insufficient, Invalid.
    Insufficient = 3,
    /// Evidence contradicts evidence.
    Conflicting = 4,
    /// Nothing in it can be checked.
    NotCheckable = 5,
    /// False; a question of yes or no that was answered with no.
    False = 6,
    /// The review gate blocks; an evaluation differs from its snapshot.
    Blocked = 7,
}

impl Exit {
    /// Every code with its meaning, as help and documentation show it.
    pub const TABLE: [(Self, &'static str); 8] = [
        (Self::Answered, "answered, True, nothing blocks"),
        (Self::Failed, "failed: a tool, a provider or a file broke"),
        (Self::Usage, "usage or configuration error"),
        (Self::Insufficient, "insufficient, Invalid"),
        (Self::Conflicting, "conflicting"),
        (Self::NotCheckable, "not checkable"),
        (Self::False, "False, answered with no"),
        (
            Self::Blocked,
            "the review gate blocks, an evaluation differs from its snapshot",
        ),
    ];
}

impl Exit {
    /// Returns the exit code of a question. "No" is an answer, and one after which a script must
    /// not go on. That something is absent is an answer as well, though nothing can be cited for
    /// it.
    pub fn of_question(outcome: Outcome, decision: Option<Decision>) -> Self {
        match decision {
            Some(Decision::No) => Self::False,
            Some(Decision::Yes) => Self::Answered,
            None => Self::from(outcome),
        }
    }
}

impl From<Outcome> for Exit {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Answered => Self::Answered,
            Outcome::Insufficient(_) => Self::Insufficient,
            Outcome::Conflicting => Self::Conflicting,
            Outcome::NotCheckable => Self::NotCheckable,
            Outcome::Failed => Self::Failed,
        }
    }
}

impl From<grounds_verify::Verdict> for Exit {
    fn from(verdict: grounds_verify::Verdict) -> Self {
        use grounds_verify::{InvalidReason, Verdict};
        match verdict {
            Verdict::True => Self::Answered,
            Verdict::False => Self::False,
            Verdict::Invalid(
                InvalidReason::Insufficient | InvalidReason::NotMatured | InvalidReason::NotRead,
            ) => Self::Insufficient,
            Verdict::Invalid(InvalidReason::Conflicting) => Self::Conflicting,
            Verdict::Invalid(InvalidReason::NotCheckable(_)) => Self::NotCheckable,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
