//! Forms of questions that are not claims about code: talk, the CI service, the project's own
//! toolchain, spans of the history, orders, errors. For words that no claim uses, a form also
//! selects the kind of answer.
//!
//! There is one table, and the first row that fits decides. `understand` reads what a question says
//! about names in code.

use grounds_evidence::Intent;
use grounds_repo::needles::STOP_WORDS;

use super::about::{self, FormAbout};
use super::shape;
use super::words::QuestionWord;
use crate::words::is_in;

/// What a form wants of its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormWants {
    /// The place that introduces it, whatever kind of target it is.
    DefinitionOnly,
    /// The place that introduces a name in code, or the occurrences of a phrase or text.
    Definition,
    /// Its uses of any kind.
    Uses,
    /// Its callers.
    Callers,
    /// Its callees.
    Callees,
    /// Its subtypes and implementations.
    Implementors,
    /// The files that import it.
    Importers,
    /// Its occurrences.
    Occurrence,
    /// The question has no target.
    Nothing,
}

/// One form of question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuestionForm {
    /// The intent of the answer.
    pub(crate) intent: Intent,
    /// What is wanted of the target.
    pub(crate) wants: FormWants,
    /// What it is about, in addition to the intent.
    pub(crate) about: FormAbout,
    /// Phrases separated by `;`, one of which must come first. `a|b` is either word, and `*` is
    /// anything. If empty, the words must make a sentence.
    opens: &'static str,
    /// Words one of which must occur, or one of each group if `+` separates groups. `word$` must
    /// come last, and `<code>` is a word that is written like code.
    has: &'static str,
}

macro_rules! forms {
    ($($intent:ident $wants:ident $about:ident: $($opens:literal => $has:literal),+;)*) => {
        &[$($(QuestionForm {
            intent: Intent::$intent, wants: FormWants::$wants, about: about::$about, opens: $opens, has: $has,
        }),+),*]
    };
}

/// Every form.
const FORMS: &[QuestionForm] = forms! {
    Chat Nothing PLAIN:
        "hello; hi; hey; thanks; many thanks; thank you; bye; cheers; good \
         morning|afternoon|evening|night|job; how are you; who|what are you; who made|wrote you; what can \
         you; what|which model; what is|are your; what time|day; are you; you are; i am; do you; how do you \
         work; tell|sing me a|something; help$" => "";
    Diagnose Nothing CI:
        "" => "ci ci/cd cicd workflow workflows pipeline pipelines nightly actions github gitlab + pass \
         passed passing succeed fail failed fails failing red green broken broke status happened logs log \
         wrong",
        "why did|does|is|the; which|what job|jobs|test|tests|step|check|checks; are|did" => "build builds \
         nightly job jobs test tests step check checks + failed broken broke fail$ failing$ red$",
        "ci; check|show|watch|open; build|workflow|pipeline status|logs|log; gh run|workflow|pr; what \
         failed" => "ci workflow workflows pipeline build run runs pr";
    Execute Nothing TEST:
        "tests$; cargo test|nextest; go test; pytest; tox; make test|check; npm test; npm|yarn|pnpm run test; \
         run|execute|rerun|check" => "test tests suite pytest tox",
        "do|does|did|will|is|are|if|whether|verify|check" => "test tests suite testsuite specs + pass$ \
         passes$ passing$ fail$ failing$ green$ ok$ succeed pass work$ run$",
        "do|does|will" => "<code> + pass$ passes$ succeed$";
    Execute Nothing BUILD:
        "build$; make$; cargo build|check|clippy; go build|vet; make all|build; cmake; ninja; npm|yarn|pnpm \
         run build; build|compile it|this|everything|project|the|all" => "",
        "do|does|did|can|will|is|if|whether|try|check" => "build$ builds$ compile$ compiles$ compiling$",
        "is|are" => "build compilation + green$ ok$ broken$ clean$ working$ passing$";
    Execute Nothing BUILD_AND_TEST:
        "build|compile and test; run|execute everything|all; does everything|it|this" => "test work$ works$ \
         run everything",
        "run|execute" => "<code>";
    Status Nothing WORK_TREE:
        "git status|stash; git diff$; status$; diff$; what have|has; what is not|in; anything; is there \
         anything; did|have i|we" => "status diff stash committed working changed$ change edit commit modified",
        "" => "uncommitted unstaged staged untracked dirty unpushed",
        "uncommitted; unstaged; staged; untracked" => "";
    Status Nothing BRANCH:
        "what|which branch; what is the current branch; current branch; on which branch; show|list branches; \
         git branch" => "branch branches";
    Status Nothing TAGS:
        "what|which tags|releases|versions; latest|last|newest tag|release|version; list|show tags|releases; \
         what is the latest|last|newest|current" => "tag$ tags release$ releases version$ versions";
    Status Occurrence INTRODUCED:
        "when; since when; which|what release|version|commit; in which; who first|added|introduced; find the \
         commit" => "added introduced brought created appear introduce support show";
    Status Occurrence REMOVED:
        "when; which|what release|version|commit; in which; who removed|deleted" => "removed deleted dropped \
         disappear remove";
    Status Occurrence CONTRIBUTORS:
        "who" => "contributed contributes contributor contributors contribution contributions + most";
    Status Occurrence AUTHORS:
        "who; main|top; list|show" => "wrote author authors authored maintains maintainer maintainers \
         contributors owns expert ask working";
    Status Occurrence NEWEST:
        "git log|show; log|history of|for; show; list; what is|are|was; which; last|latest|newest|recent; the \
         last|latest|newest" => "commit commits log history";
    Status Occurrence LAST_CHANGED:
        "who; when; blame; git blame; last|latest; why was|were; has|have" => "changed touched modified \
         edited blame update";
    Status Occurrence CHANGES:
        "*" => "commits changelog",
        "what; which; show; list; check; summary; changes; diff; git diff; anything; how has|did; \
         did" => "changed changes since happened",
        "what did" => "do change commit fix work touch",
        "diff; git diff" => "";
    Modify Definition PLAIN:
        "rename; remove; delete; add; change; replace; move; refactor; rewrite; implement; create; update; \
         fix; extract; convert; make; document; split; migrate; upgrade; introduce; port; drop; write; swap; \
         turn; bump; wrap; adjust; inline; get rid of; how do|can|would|should i|we; what must|should i|we; \
         impact of; what would|will break; what do i need|have; how hard" => "";
    Review Occurrence PLAIN:
        "review; audit; assess; critique; code review; have a look; feedback|comments on; what is the \
         state|shape|quality of; state|quality of; todo comments; how good|clean|healthy|maintainable" => "",
        "" => "review audit feedback issues smell smells suspicious ugly ugliest quality improved improve \
         better messy untested duplicated bugs problems hotspots spots todos todo debt worst";
    Compare Definition PLAIN:
        "compare; contrast; *" => "difference differences differ differs different versus vs vs. compared \
         compare contrast distinguish distinguishes unlike",
        "is|are|do" => "same";
    Explain Definition PLAIN:
        // Before the errors below: "what happens when a handler panics?" asks about the whole of
        // it.
        "what happens|occurs" => "when if after",
        "explain; describe; summarize; summary of; walk|guide; tell me about|how; understand; overview; \
         purpose|meaning of; why do|does we; what does|do is the purpose|role|point|idea" => "",
        "what does|do" => "do$ does$ mean$",
        "how; in what way" => "work works implemented handled organized structured configured done defined \
         used built";
    Navigate Callees PLAIN:
        "callees; what does|do" => "call$ calls$ invoke$ callees";
    Navigate Callers PLAIN:
        "" => "callers caller calls called calling invokes invoked",
        "callers; all callers" => "",
        "which; what; who; does; functions" => "call invoke";
    Navigate Implementors PLAIN:
        "" => "subclasses inherits inherit extends extend implementors implementers derive derives derived \
         implements implementing implementations",
        "who; what; which" => "implement",
        "subclasses|implementations|implementors|implementers of|for; types|classes implementing|derived" => "";
    Navigate Importers PLAIN:
        "" => "imports import importing imported includes include depends depend dependents",
        "reverse dependencies of; dependents of" => "";
    Navigate Uses PLAIN:
        "" => "used usages usage references referenced uses use using",
        "usages|uses|references|users of|to|for" => "";
    Explain Definition PLAIN:
        "how" => "";
    Diagnose Occurrence PLAIN:
        "why; debug; diagnose; troubleshoot; i get; getting" => "",
        "what|who|which|where" => "emits throws raises prints logs causes triggers emitted thrown raised \
         printed logged come + <code>",
        "" => "crash crashes crashed crashing fail fails failing failed panics panicked segfault hang hangs \
         broken deadlock leak leaks error errors bug wrong flaky";
    Locate DefinitionOnly PLAIN:
        "which|what file|files|module|class contains|has|holds; where; in which|what; which|what; find; \
         locate; show; go; jump; list; definition|declaration of" => "defined declared definition declaration \
         implemented implementation introduced defines declares";
    Locate Occurrence PLAIN:
        "search for; search; grep; rg; look|looking for; occurrences|mentions of; find occurrences|mentions \
         of" => "",
        "where" => "handled handle configured set stored created parsed written read validated logged \
         documented mentioned opened loaded happen checked";
    Locate Definition PLAIN:
        "what|which file|files|module|code|class" => "contains contain holds hold has have handle handles \
         manages owns is",
        "where; find; locate; show; list; open; read; is there; are there; is|are; do|does; does it|this|we \
         support|have" => "";
    Explain Definition PLAIN:
        "what; which; meaning of" => "";
};

/// Returns the first form that fits the words.
pub(crate) fn of(words: &[QuestionWord]) -> Option<&'static QuestionForm> {
    let words = without_politeness(words);
    FORMS.iter().find(|form| form.fits(words))
}

impl QuestionForm {
    fn fits(&self, words: &[QuestionWord]) -> bool {
        let opens = match self.opens {
            // "Failed tests" is a name for something, and asks for no diagnosis. A sentence has a
            // verb or a name in code.
            "" => words.len() > 1 && words.iter().any(makes_a_sentence),
            phrases => phrases
                .split("; ")
                .any(|phrase| phrase == "*" || opens_with(words, phrase)),
        };
        let has = |cue: &str| match (cue, cue.strip_suffix('$')) {
            ("<code>", _) => words.iter().any(is_code),
            (_, Some(last)) => words
                .iter()
                .rfind(|word| !is_filler(word))
                .is_some_and(|word| is_plainly(word, last)),
            (cue, None) => words.iter().any(|word| is_plainly(word, cue)),
        };
        let is_talk = self.intent == Intent::Chat;
        opens
            && (self.has.is_empty() || self.has.split(" + ").all(|group| group.split(' ').any(has)))
            // "Do you use parse_url?" begins like talk and asks about code.
            && !(is_talk && (words.len() > TALK_WORDS_MAX || words.iter().any(is_code)))
    }

    /// Reports whether a word belongs to the form, and so names nothing.
    pub(crate) fn says(&self, word: &QuestionWord) -> bool {
        let of = |text: &str| {
            text.split([' ', '|', ';'])
                .any(|cue| is_plainly(word, cue.trim_end_matches('$')))
        };
        of(self.opens) || of(self.has)
    }
}

/// Maximum number of words in talk. A longer text has content.
const TALK_WORDS_MAX: usize = 6;

fn is_plainly(word: &QuestionWord, text: &str) -> bool {
    !word.quoted && word.lower == text
}

/// Reports whether a word is quoted or written like a name in code.
pub(crate) fn is_code(word: &QuestionWord) -> bool {
    word.quoted || shape::is_code_like(&word.text)
}

fn opens_with(words: &[QuestionWord], phrase: &str) -> bool {
    let (phrase, is_whole) = phrase
        .strip_suffix('$')
        .map_or((phrase, false), |phrase| (phrase, true));
    strip(words, phrase).is_some_and(|rest| !is_whole || rest.iter().all(is_filler))
}

fn strip<'w>(words: &'w [QuestionWord], phrase: &str) -> Option<&'w [QuestionWord]> {
    let parts: Vec<&str> = phrase.split(' ').collect();
    let fits = words.len() >= parts.len()
        && parts
            .iter()
            .zip(words)
            .all(|(part, word)| part.split('|').any(|part| is_plainly(word, part)));
    fits.then(|| &words[parts.len()..])
}

/// Reports whether words are greetings, thanks or the like.
pub(crate) fn is_talk(words: &[QuestionWord]) -> bool {
    of(words).is_some_and(|form| form.intent == Intent::Chat)
}

/// Returns the words without a polite opening: "can you please tell me where …" asks where.
pub(crate) fn without_politeness(mut words: &[QuestionWord]) -> &[QuestionWord] {
    while let Some(rest) = POLITE
        .iter()
        .find_map(|phrase| strip(words, phrase))
        // "Show me" is an opening only before a question. "Show me parse_url" is an order.
        .or_else(|| strip(words, "tell|show me").filter(|rest| opens_with(rest, QUESTIONS)))
        // A question of such words alone keeps them: "hello" is talk.
        .filter(|rest| !rest.is_empty())
    {
        words = rest;
    }
    match words {
        [head @ .., last] if head.len() > 1 && is_in("please thanks", last.lower.as_str()) => head,
        _ => words,
    }
}

const QUESTIONS: &str = "where|how|who|what|which|why|if|whether";

const POLITE: &[&str] = &[
    "the|a|an|please|hey|hi|hello|so|ok|okay|and|safely|quickly|btw|now|also|then|well|but",
    "can|could|would you|i|we",
    "show|give me the|a|an|all",
    "i want|need|would to|like",
    "do you|we know",
    "help me find|understand",
    "help me",
    "let us",
    "quick question",
    "any idea",
];

/// Reports whether a word is one that sentences have and names for things do not.
fn makes_a_sentence(word: &QuestionWord) -> bool {
    const WORDS: &str = "is are was were am be do does did has have had can could would should will must i we \
         you \
        they he she it what who which why how when whose where me us my our your please let if there any all find \
        list show check";
    is_code(word) || WORDS.split(' ').any(|known| is_plainly(word, known))
}

/// Reports whether a word is never searched for.
pub(crate) fn is_filler(word: &QuestionWord) -> bool {
    const WORDS: &str = "find list show new here there now today exactly actually really currently again \
         please yet already so much all me \
        us them they he she one still locally too also any some every most last latest first recently once up out \
        down around about anywhere everywhere together then just if can could will would should been has have had \
        was were am my your go get got gets not but than well right internally under over using only ever \
        even basically simply usually";
    let lower = word.lower.as_str();
    !word.quoted && (STOP_WORDS.contains(&lower) || is_in(WORDS, lower))
}

/// Words that only say what kind of thing is meant: before a name, on either side of it, after it.
const KINDS: [&str; 3] = [
    "the a an this that these those my our its your their all any some every each own for of to on with about \
         is are \
     where me by in into at called named name identifier word term string text phrase code dependency keyword def fn \
     func const files functions types macros symbols traits interfaces enums fields",
    "function class struct classes method methods trait type symbol variable constant enum macro interface \
         field \
     property file module modules folder directory crate package object namespace decorator annotation attribute \
     subclass",
    "files code logic implementation definition declaration feature functionality stuff part related \
         implemented \
     computed calculated determined performed enforced decided generated produced resolved chosen managed \
     defined declared located here please exactly actually now currently again anywhere yet",
];

fn is_kind(word: &str, sides: &[&str]) -> bool {
    sides.iter().any(|words| is_in(words, word))
}

pub(crate) fn stands_before(word: &str) -> bool {
    is_kind(word, &KINDS[..2])
}

pub(crate) fn stands_after(word: &str) -> bool {
    is_kind(word, &KINDS[1..])
}

/// Reports whether a word is a kind of things and names none of them: "list all classes".
pub(crate) fn is_plural(word: &str) -> bool {
    const WORDS: &str = "functions classes structs methods traits types symbols variables constants enums \
         macros \
        interfaces fields properties files modules folders directories crates packages namespaces";
    is_in(WORDS, word)
}
