//! Sentences of a description → what they state of its change.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::decide::is_surely_path;
use crate::claim::{TextClaim, ThingKind};
use crate::extract::NumberedSentence;
use crate::mention::MentionContext;
use crate::statement::Statement;

/// A statement that a sentence makes about a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeStatement {
    /// It adds tests, of a name where one is given.
    AddsTests(Option<String>),
    /// It touches nothing but one kind of files, or files below a path.
    TouchesOnly(StatedPart),
    /// It does not touch a kind of files, or files below a path.
    LeavesAlone(StatedPart),
    /// It changes nothing that is public.
    NoPublicChange,
    /// It gives something another name.
    Renames(String, String),
    /// It takes a dependency to a version.
    Bumps(String, String),
    /// It adds a name or a file.
    Adds(String),
    /// It removes a name or a file.
    Removes(String),
    /// It touches so many files.
    Files(usize),
}

/// A part of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatedPart {
    /// Documents.
    Documents,
    /// Tests.
    Tests,
    /// Files of CI.
    Ci,
    /// Manifests and lock files.
    Dependencies,
    /// Code.
    Code,
    /// Files below a path, or a file.
    Path(String),
}

/// The subject: a change is described in the third person, as an order, or as what was done.
const WHO: &str = r"^(?:- |\* )?(?:(?:i|we|this(?: (?:change|commit|pr|pull request|patch))?|it|also|and)(?:'ve)? )*(?:have |has |also |now |just )*";
/// Words of plans or conditions, which are not what the change does.
const NOT_DONE: &str = r"(?i)\b(should|could|would|might|may|must|will|todo|plan|plans|planned|later|follow[- ]up|if|unless|next|instead of|before this|previously|used to|not yet|except|other than|besides|mostly|mainly|apart from)\b|\?$";

static FRAMES: LazyLock<Vec<(SentenceForm, Regex)>> = LazyLock::new(|| {
    let name = |place: &str| format!(r"«(?P<{place}>\d+)»(?:\(\))?");
    let (a, b) = (name("a"), name("b"));
    let part = r"(?P<part>docs?|documentation|readme|tests?|test files|ci(?: (?:config|configuration|files|workflows?))?|dependencies|code|source code|production code)";
    let parts = format!(r"(?:{part}|{a})");
    let all = [
        (SentenceForm::Tests, format!(r"{WHO}(?:adds?|added|includes?|with|wrote|writes?) (?:[\w-]+ ){{0,3}}tests?(?: cases?)? (?:for|of|covering|around|to cover)(?: the)?(?: [\w-]+){{0,2}} {a}")),
        (SentenceForm::Tests, format!(r"{WHO}(?:adds?|added|includes?|with) (?:(?:new|unit|integration|regression|more|some|missing|the|a|an) )*tests?(?:[.,;]|$| for| cover)")),
        (SentenceForm::Tests, r"^(?:(?:new|unit|integration|regression|more) )?tests? (?:are |were |was |is |have been )?(?:added|included)".to_owned()),
        (SentenceForm::Only, format!(r"{WHO}only (?:touches|touch|changes?|changed|modif(?:ies|y|ied)|affects?|edits?|updates?)(?: the)? {parts}")),
        (SentenceForm::Only, format!(r"^(?:this is an? |an? )?{part}[ -]only(?: change| pr| commit)?")),
        (SentenceForm::Only, format!(r"^(?:only|just) {parts}(?: is| are| was| were)? (?:changed|touched|modified|affected|changes?)")),
        (SentenceForm::Alone, format!(r"(?:^|[,;] |and )(?:there (?:are|is) )?no changes? to(?: the)? {parts}")),
        (SentenceForm::Alone, format!(r"(?:^|[,;] |and )(?:there (?:are|is) )?no {part} (?:changes?|changed|(?:is|are|was|were) (?:changed|touched))")),
        (SentenceForm::Alone, format!(r"(?:does not|doesn't|did not|didn't) (?:touch|change|modify|affect)(?: the| any)? {parts}")),
        (SentenceForm::Public, r"(?:^|[,;] |and |makes |there (?:are|is) )no (?:changes? to the (?:public )?(?:api|interface)|public api changes?|api changes?|public interface changes?)".to_owned()),
        (SentenceForm::Public, r"(?:does not|doesn't|did not|didn't) (?:change|touch|alter|affect) (?:the |any )?(?:public )?(?:api|interface)".to_owned()),
        (SentenceForm::Public, r"^(?:the )?public (?:api|interface) (?:is|stays|remains) (?:unchanged|the same|untouched)".to_owned()),
        (SentenceForm::Renames, format!(r"{WHO}(?:renames?|renamed|moves?|moved)(?: the)?(?: [\w-]+)? {a}(?: file| function| method| class| type)? (?:to|into|as|->|→|=>) {b}")),
        (SentenceForm::Bumps, format!(r"{WHO}(?:bumps?|bumped|updates?|updated|upgrades?|upgraded|pins?|pinned)(?: the)?(?: dependency| package| crate| version of)? (?:{a}|(?P<word>[\w@/.-]+))(?: version)?(?: from «?v?[\w.«»-]+)? to (?:version )?(?P<n>«\d+»|v?\d[\w.+-]*\w|v?\d)")),
        (SentenceForm::Adds, format!(r"{WHO}(?:adds?|added|introduces?|introduced|creates?|created)(?: an?| the| new)*(?: [\w-]+){{0,2}} {a}(?:[.,;:]|$| to | in | for | which | that | so | and | option| flag| method| function| class| type| helper| file)")),
        (SentenceForm::Removes, format!(r"{WHO}(?:removes?|removed|deletes?|deleted|drops?|dropped)(?: the| all| unused| deprecated| dead| old)*(?: [\w-]+){{0,1}} {a}(?:[.,;:]|$| which | that | as | because | and | option| flag| method| function| class| type| helper| file)")),
        (SentenceForm::Files, format!(r"{WHO}(?:changes?|changed|touches|modif(?:ies|y|ied)|edits?) (?:only )?(?P<n>\d+|one|two|three|four|five) files?")),
    ];
    all.into_iter()
        .map(|(form, words)| {
            let words = Regex::new(&format!("(?i){words}")).expect("a frame is an expression");
            (form, words)
        })
        .collect()
});
static PLANS: LazyLock<Regex> = LazyLock::new(|| Regex::new(NOT_DONE).expect("an expression"));

/// The forms of sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SentenceForm {
    Tests,
    Only,
    Alone,
    Public,
    Renames,
    Bumps,
    Adds,
    Removes,
    Files,
}

/// Reads what a sentence states of the change that it describes, or returns `None` if it states
/// nothing of it.
pub(crate) fn claims(sentence: &NumberedSentence) -> Option<TextClaim> {
    if PLANS.is_match(&sentence.words) {
        return None;
    }
    // The frames of tests come before those of names: "adds tests for «0»" would fit both.
    let said = FRAMES
        .iter()
        .find_map(|(form, words)| said(*form, &words.captures(&sentence.words)?, sentence))?;
    Some(TextClaim {
        kind: ThingKind::Statement,
        name: said.written(),
        owners: Vec::new(),
        detail: None,
        start: sentence.place.start,
        end: sentence.place.end,
        context: MentionContext::Prose,
        headings: sentence.headings.clone(),
        around: sentence.words.clone(),
        linked: None,
        statement: Some(Statement::of_change(said)),
    })
}

fn said(
    form: SentenceForm,
    found: &regex::Captures<'_>,
    sentence: &NumberedSentence,
) -> Option<ChangeStatement> {
    let name = |place: &str| {
        let number: usize = found.name(place)?.as_str().parse().ok()?;
        sentence.names.get(number).cloned()
    };
    let number = || Some(number_of(found.name("n")?.as_str(), sentence));
    let part = || match found.name("part") {
        Some(word) => Some(StatedPart::of_word(word.as_str())),
        // A change touches files, so a name that is no path says nothing.
        None => name("a")
            .filter(|name| is_surely_path(name))
            .map(StatedPart::Path),
    };
    Some(match form {
        SentenceForm::Tests => ChangeStatement::AddsTests(name("a")),
        SentenceForm::Only => ChangeStatement::TouchesOnly(part()?),
        SentenceForm::Alone => ChangeStatement::LeavesAlone(part()?),
        SentenceForm::Public => ChangeStatement::NoPublicChange,
        SentenceForm::Renames => ChangeStatement::Renames(name("a")?, name("b")?),
        SentenceForm::Bumps => {
            let word = || found.name("word").map(|word| word.as_str().to_owned());
            ChangeStatement::Bumps(name("a").or_else(word)?, version(&number()?)?)
        }
        SentenceForm::Adds => ChangeStatement::Adds(name("a")?),
        SentenceForm::Removes => ChangeStatement::Removes(name("a")?),
        SentenceForm::Files => ChangeStatement::Files(count(&number()?)?),
    })
}

/// Returns a number as it is written, or the name that stands for it: `«2»`.
fn number_of(text: &str, sentence: &NumberedSentence) -> String {
    let named = text.trim_matches(['«', '»']).parse().ok();
    let named = named.filter(|_| text.starts_with('«'));
    let name = named.and_then(|number: usize| sentence.names.get(number));
    name.map_or_else(|| text.to_owned(), Clone::clone)
}

fn version(written: &str) -> Option<String> {
    let version = written.trim_start_matches('v');
    let is_version = version.starts_with(|first: char| first.is_ascii_digit());
    is_version.then(|| version.to_owned())
}

fn count(written: &str) -> Option<usize> {
    let words = ["zero", "one", "two", "three", "four", "five"];
    let by_word = words
        .iter()
        .position(|word| written.eq_ignore_ascii_case(word));
    by_word.or_else(|| written.parse().ok())
}

impl StatedPart {
    fn of_word(word: &str) -> Self {
        let lower = word.to_ascii_lowercase();
        match () {
            () if lower.starts_with("doc") || lower == "readme" => Self::Documents,
            () if lower.starts_with("test") => Self::Tests,
            () if lower.starts_with("ci") => Self::Ci,
            () if lower == "dependencies" => Self::Dependencies,
            () => Self::Code,
        }
    }

    /// Returns the word for the part.
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Documents => "documents",
            Self::Tests => "tests",
            Self::Ci => "files of CI",
            Self::Dependencies => "manifests",
            Self::Code => "code",
            Self::Path(path) => path,
        }
    }
}

impl ChangeStatement {
    /// Returns the words of code that decide it.
    pub(crate) fn words(&self) -> BTreeSet<String> {
        let names: Vec<&String> = match self {
            Self::Renames(from, to) => vec![from, to],
            Self::Removes(name) | Self::Adds(name) => vec![name],
            _ => Vec::new(),
        };
        let last = |name: &String| super::decide::last_name(name).to_owned();
        names.into_iter().map(last).collect()
    }

    /// Its form as a claim.
    pub(crate) fn written(&self) -> String {
        match self {
            Self::AddsTests(None) => "adds_tests()".to_owned(),
            Self::AddsTests(Some(name)) => format!("adds_tests({name})"),
            Self::TouchesOnly(part) => format!("touches_only({})", part.as_str()),
            Self::LeavesAlone(part) => format!("not touches({})", part.as_str()),
            Self::NoPublicChange => "not changes_public_interface()".to_owned(),
            Self::Renames(from, to) => format!("renames({from}, {to})"),
            Self::Bumps(name, version) => format!("bumps({name}, {version})"),
            Self::Adds(name) => format!("adds({name})"),
            Self::Removes(name) => format!("removes({name})"),
            Self::Files(count) => format!("touches_files({count})"),
        }
    }
}
