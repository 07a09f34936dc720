//! Which part of a run a question is about: the build, the tests, or both.

use grounds_evidence::Execution;

use super::words::Word;

const BUILD_WORDS: &[&str] = &["build", "builds", "built", "building", "compile", "compiles", "compiled", "compiling", "compilation"];
const TEST_WORDS: &[&str] = &["test", "tests", "tested", "testing", "suite", "suites", "testsuite"];

/// The part that its words name; both where they name both or neither.
pub(super) fn of(words: &[Word]) -> Execution {
    let names = |list: &[&str]| words.iter().any(|word| list.contains(&word.lower.as_str()));
    match (names(BUILD_WORDS), names(TEST_WORDS)) {
        (true, false) => Execution::Build,
        (false, true) => Execution::Test,
        (true, true) | (false, false) => Execution::Both,
    }
}
