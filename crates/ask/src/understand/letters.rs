//! Questions for a text that appears literally in code and that nothing defines: "where is the
//! counter jobs_total registered?", "the line that names the folder (.cache)", "where is the
//! command tool registered in the manifest?"

use grounds_claims::{Argument, Claim, names};

use super::gist::decides;
use super::lexicon::{self, Lexicon};
use super::part::{Asks, ReadClause};
use super::token::{self, QuestionToken};
use super::tree::QuestionTree;
use super::{is_path, parts};
use crate::settle::spelled::{COMMAND, TARGET, TEXT};
use crate::words::is_in;

/// Verbs and nouns for a text in code.
const OF_TEXTS: &str = "registered register registers registration set sets read reads named names \
    name put written emitted logged log printed produced produces sent added checked parsed \
    handled hooked hooks wired kept keep entry message template text string header key literal \
    spelled hardcoded hard-coded look looks looking label metric environment env";
/// Nouns for the place that is asked for.
const PLACES: &str = "line lines place spot file where registration";
/// Nouns for a command.
const COMMANDS: &str = "script command executable binary";
/// Verbs for registering it.
const REGISTERS: &str = "registered register declared defined set configured listed exposed";
/// Names of a manifest.
const MANIFESTS: &str = "console cli pyproject pyproject.toml package.json cargo cargo.toml \
    manifest setup.py setup.cfg build bin entry";

/// Words for build files with targets.
const BUILD_FILES: &str = "makefile make rakefile rake justfile just gnumakefile";

/// Verbs for producing a message.
const MAKING: &str = "come comes coming produced produce produces raised raise raises thrown throw throws printed \
    print prints emitted emit emits built build builds generated generate generates written logged log logs made \
    formatted assembled put shown reported output";
/// Words that ask for the place of a message.
const WHERE: &str = "where whereabouts line place spot";
/// Smallest number of words in a message.
const MESSAGE_WORDS_MIN: usize = 3;

/// Returns the message that a text quotes, if the text asks where it is produced and names nothing
/// else.
pub(crate) fn message_of(text: &str) -> Option<String> {
    let mark = text.chars().find(|letter| matches!(letter, '"' | '`'))?;
    let parts: Vec<&str> = text.split(mark).collect();
    let [before, message, after] = parts.as_slice() else {
        return None;
    };
    let is_message = message.split_whitespace().count() >= MESSAGE_WORDS_MIN;
    // The message itself may have any word, so "it" replaces it while the question is checked.
    let (tokens, is_cut) = token::split(&format!("{before} it{after}"));
    let says = |list: &str| tokens.iter().any(|token| is_in(list, &token.lower));
    let is_plain = |token: &QuestionToken| {
        let word = token.lower.as_str();
        let turns = lexicon::is_test(word) || lexicon::is_negation(word) || lexicon::is_only(word);
        !(token.is_code || turns || is_in("why how when who first before after caught", word))
    };
    let begins = tokens.first()?;
    let asks = !lexicon::is_auxiliary(&begins.lower)
        && says(WHERE)
        && says(MAKING)
        && tokens.iter().all(is_plain);
    (is_message && asks && !is_cut).then(|| (*message).to_owned())
}

/// Returns the claim about a text, and the words that say more.
pub(super) fn of(tokens: Vec<QuestionToken>, tree: &QuestionTree<'_>) -> Option<(Claim, String)> {
    let mut asking = parts::clauses(tokens)
        .into_iter()
        .filter(|clause| clause.asks);
    let (one, None) = (asking.next()?, asking.next()) else {
        return None;
    };
    let part = ReadClause::new(one.tokens, tree, &Lexicon::new(), &[]);
    let is_list = matches!(part.asks, Asks::Which | Asks::Where);
    let asks = (0..part.tokens.len()).any(|at| part.says(at, PLACES));
    if !is_list || part.is_negated || part.is_only || !asks {
        return None;
    }
    let (name, kind, at) = command(&part)
        .or_else(|| target(&part))
        .or_else(|| text(&part, tree))?;
    let mut claim = Claim::new(&names::USES, vec![Argument::Hole, Argument::is(name)]);
    claim.kind = Some(kind.to_owned());
    claim.scope.tests = part.scope.tests;
    Some((claim, aside(&part, at)?))
}

/// Returns the words with content beside a text; `None` if one of them may change what is asked.
fn aside(part: &ReadClause, text: usize) -> Option<String> {
    let others = || part.free().filter(|at| *at != text);
    let is_odd = |at: usize| decides(part, at) && !part.says(at, "how");
    let said = others().filter(|at| !lexicon::is_empty(part.word(*at)));
    let aside: Vec<&str> = said.map(|at| part.tokens[at].text.as_str()).collect();
    (!others().any(is_odd)).then(|| aside.join(" "))
}

/// Returns the command that is registered: "where is the tool console script registered?", "the
/// `tool` command".
fn command(part: &ReadClause) -> Option<(String, &'static str, usize)> {
    let says = |list: &str| (0..part.tokens.len()).any(|at| part.says(at, list));
    let noun = (1..part.tokens.len()).find(|at| part.says(*at, COMMANDS))?;
    let before = noun - 1;
    let at = match part.says(before, MANIFESTS) {
        true => before.checked_sub(1)?,
        false => before,
    };
    let is_name = part.tokens[at].is_code || !lexicon::is_empty(part.word(at));
    let is_said = says(REGISTERS) && says(MANIFESTS) && is_name;
    is_said.then(|| (part.tokens[at].text.clone(), COMMAND, at))
}

/// Returns the target of a build file that is asked for: "where does the Makefile define the fmt
/// target?", "the rake task docs:all".
fn target(part: &ReadClause) -> Option<(String, &'static str, usize)> {
    let says = |list: &str| (0..part.tokens.len()).any(|at| part.says(at, list));
    let noun = (0..part.tokens.len()).find(|at| part.says(*at, "target task recipe rule"))?;
    let is_one = |at: &usize| {
        let word = part.word(*at);
        let is_plain = lexicon::is_empty(word) && !part.tokens[*at].is_code;
        !is_plain
            && !lexicon::is_article(word)
            && !lexicon::is_auxiliary(word)
            && !is_in(BUILD_FILES, word)
            && !is_in(REGISTERS, word)
            && !is_in(PLACES, word)
    };
    let joined = |at: usize| part.tokens[at].after == token::After::Word;
    let before = noun.checked_sub(1).filter(|at| joined(*at));
    let after = || Some(noun + 1).filter(|at| joined(noun) && *at < part.tokens.len());
    let at = before.filter(is_one).or_else(|| after().filter(is_one))?;
    says(BUILD_FILES).then(|| (part.tokens[at].text.clone(), TARGET, at))
}

/// Returns the one token that is written like a text in code and that the tree does not define.
fn text(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<(String, &'static str, usize)> {
    let says = (0..part.tokens.len()).any(|at| part.says(at, OF_TEXTS));
    let is_one = |at: &usize| is_text(&part.tokens[*at]) && part.word(*at) != "how";
    let mut found = (0..part.tokens.len()).filter(is_one);
    let (at, None) = (found.next()?, found.next()) else {
        return None;
    };
    let text = part.tokens[at].text.as_str();
    let text = text.split('<').next().unwrap_or(text);
    let is_known = is_path(text, tree) || tree.is_project(text) || tree.defines(text);
    (says && !is_known && text.len() > 3).then(|| (text.to_owned(), TEXT, at))
}

/// Reports whether a token is written as English never is: `jobs_total`, `.cache`, `Premain-Class`,
/// "a message".
fn is_text(token: &QuestionToken) -> bool {
    let text = token.text.as_str();
    let has_blank = text.contains(char::is_whitespace);
    let is_dotted = text.starts_with('.') && text.len() > 2;
    let mut halves = text.split('-');
    let is_header = text.contains('-')
        && text.len() > 4
        && halves.all(|half| half.starts_with(char::is_uppercase));
    has_blank || is_dotted || is_header || token.is_code || token::looks_like_code(text)
}

#[cfg(test)]
mod tests {
    use super::message_of;

    #[test]
    fn a_quoted_message_is_read_if_its_place_is_asked_for() {
        let asked = "a friend saw \"no room on the shelf\". Where do we build that?";
        assert_eq!(message_of(asked).as_deref(), Some("no room on the shelf"));
        for other in [
            "where is \"no room on the shelf\" tested?",
            "who wrote \"no room on the shelf\"?",
            "does f print \"no room on the shelf\" in one place?",
            "where do we print \"shelf\"?",
            "where does f_x print \"no room on the shelf\"?",
            "where is \"no room on the shelf\" never printed?",
        ] {
            assert_eq!(message_of(other), None, "{other}");
        }
    }
}
