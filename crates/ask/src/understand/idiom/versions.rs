//! Rewrites questions for the version of a package that have another word for it, or none: "which
//! release of X do we use?", "which X do we build against?"
//!
//! Takes the words of a question, and returns them with the word "version". Only a package that a
//! manifest lists is one, and nothing is rewritten that asks for the past.

use super::super::token::{self, QuestionToken};
use super::super::tree::QuestionTree;
use super::{end_of, says, word};
use crate::settle::package_version::lists;

/// Verbs and prepositions for a package that is used now.
const PRESENT: &str = "use uses used build builds built depend depends rely relies pin pins pinned need needs require \
    requires required compile compiles compiled ship ships shipped bundle bundles bundled pull pulls pulled install \
    installs installed declare declares declared in against";
/// Words of questions for the history.
const PAST: &str = "first since introduced added add when came come earliest oldest last latest newest did was were \
    before after until switched moved changed bumped upgraded dropped removed";
/// Subjects of "which X do we use?"
const USERS: &str = "we you i they it this project library repo package crate gem app";

/// Returns the words with "version".
pub(super) fn plain(mut tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Vec<QuestionToken> {
    let has = |list: &str| (0..tokens.len()).any(|at| says(&tokens, at, list));
    if !has(PRESENT) || has(PAST) || has("version versions") {
        return tokens;
    }
    if let Some(at) = release(&tokens, tree) {
        tokens[at] = token::like(&tokens[at], "version");
    } else if let Some(at) = bare(&tokens, tree) {
        let said = QuestionToken {
            after: token::After::Word,
            ..token::like(&QuestionToken::default(), "version")
        };
        tokens.insert(at + 1, said);
    }
    tokens
}

/// Returns where "release" is said of a package: "the X release", "which release of X".
fn release(tokens: &[QuestionToken], tree: &QuestionTree<'_>) -> Option<usize> {
    let at = (0..tokens.len()).find(|at| word(tokens, *at) == "release")?;
    let before = at
        .checked_sub(1)
        .filter(|at| !says(tokens, *at, "which what the a"));
    let after = || {
        let article = usize::from(word(tokens, at + 2) == "the");
        (word(tokens, at + 1) == "of").then_some(at + 2 + article)
    };
    let package = tokens.get(before.or_else(after)?)?;
    is_package(package, tree).then_some(at)
}

/// Returns where a package directly follows "which", in a question for what is used.
fn bare(tokens: &[QuestionToken], tree: &QuestionTree<'_>) -> Option<usize> {
    let asks = |at: &usize| {
        says(tokens, *at, "which what")
            && says(tokens, at + 2, "do does")
            && (says(tokens, at + 3, USERS)
                || tokens
                    .get(at + 3)
                    .is_some_and(|token| tree.is_project(&token.text)))
    };
    let at = (0..tokens.len()).find(asks)?;
    // "Which log do we use for errors?" says more than the package.
    let is_short = end_of(tokens, at) <= at + 7;
    (is_short && is_package(&tokens[at + 1], tree)).then_some(at + 1)
}

/// Reports whether a word is a package that a manifest lists, and nothing in the tree is called so.
fn is_package(token: &QuestionToken, tree: &QuestionTree<'_>) -> bool {
    token.text.len() > 1 && !tree.is_project(&token.text) && lists(&token.text, tree)
}
