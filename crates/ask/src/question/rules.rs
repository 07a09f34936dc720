//! The rules: how people ask, and what they want. One list; the first that fits
//! decides. A new way of asking is one line and one case in `tests.rs`.

use grounds_evidence::Intent;

use super::pattern::fit;
use super::words::Word;

/// What a rule wants of its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// Where it is introduced, whatever kind of target it is.
    DefinitionOnly,
    /// Where a name in code is introduced; where a phrase or text occurs.
    Definition,
    /// Where it is used, in whatever way.
    Uses,
    /// Who calls it.
    Callers,
    /// What it calls.
    Callees,
    /// What extends or implements it.
    Implementors,
    /// Who brings it in.
    Importers,
    /// Where it occurs.
    Occurrence,
    /// The question has no target.
    Nothing,
}

/// One way of asking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// The words.
    pub(crate) pattern: &'static str,
    /// What is wanted with the answer.
    pub(crate) intent: Intent,
    /// What is wanted of the target.
    pub(crate) wants: Wants,
}

/// The first rule that fits, and the words in its holes; all words where none does.
pub(crate) fn first_fitting(words: &[Word]) -> (Option<&'static Rule>, Vec<&[Word]>) {
    let words = without_politeness(words);
    let found = RULES.iter().find_map(|rule| fit(rule.pattern, words).map(|captured| (rule, captured)));
    found.map_or((None, vec![words]), |(rule, captured)| (Some(rule), captured))
}

/// "Can you please tell me where …" asks where.
fn without_politeness(mut words: &[Word]) -> &[Word] {
    while let Some(rest) =
        POLITE.iter().find_map(|phrase| strip(words, phrase)).or_else(|| strip_before_question(words)).filter(|rest| !rest.is_empty())
    {
        words = rest;
    }
    match words {
        [head @ .., last] if head.len() > 1 && ["please", "thanks"].contains(&last.lower.as_str()) => head,
        _ => words,
    }
}

fn strip<'w>(words: &'w [Word], phrase: &str) -> Option<&'w [Word]> {
    let parts: Vec<&str> = phrase.split(' ').collect();
    let fits = words.len() >= parts.len() && parts.iter().zip(words).all(|(part, word)| *part == word.lower && !word.quoted);
    fits.then(|| &words[parts.len()..])
}

/// "tell me where …" is the question "where …"; "tell me about …" is not.
fn strip_before_question(words: &[Word]) -> Option<&[Word]> {
    let rest = strip(words, "tell me").or_else(|| strip(words, "show me"))?;
    let asks =
        rest.first().is_some_and(|word| ["where", "how", "who", "what", "which", "why", "if", "whether"].contains(&word.lower.as_str()));
    asks.then_some(rest)
}

const POLITE: &[&str] = &[
    "please",
    "hey",
    "hi",
    "hello",
    "so",
    "ok",
    "okay",
    "and",
    "can you",
    "could you",
    "would you",
    "can i",
    "i want to know",
    "i would like to know",
    "i need to know",
    "do you know",
    "help me find",
    "help me understand",
    "help me",
    "i want to",
    "i need to",
    "let's",
    "quickly",
];

macro_rules! rules {
    ($($intent:ident $wants:ident: $($pattern:literal),+;)*) => {
        &[$($(Rule { pattern: $pattern, intent: Intent::$intent, wants: Wants::$wants }),+),*]
    };
}

/// Every rule. Special ones stand before general ones.
pub(crate) const RULES: &[Rule] = rules! {
    Status Nothing:
        "what|which|show|get|find|see|list|give ... last|latest|newest|most|recent commit|commits ...", "last|latest|recent commit|commits",
        "show|see|list|print|get|check ... git history|log|status|diff", "git history|log|status|diff|show|blame", "show|what|view ... diff ...",
        "show|check|list|see|get|view ... changed|modified|uncommitted|staged|unstaged files|changes|edits ...", "what|which files changed|modified ...",
        "can|could ... check the? files we|i changed|modified", "check the? files we|i changed|modified", "what changed ...", "what has|have changed ...", "what did i|we change|edit ...",
        "did i|we change|edit|modify ...", "current|which|what branch ...", "what|which branch am|are ...", "what is the current branch", "is the? work|working tree|directory|copy clean|dirty",
        "who committed|wrote|authored ... last|latest commit", "commit history", "history";
    Diagnose Nothing:
        "which|what test|tests|job|jobs|step failed|fails|broke ...", "check|show|why|did|is|how ... ci|workflow|workflows|pipeline|pipelines ...", "gh run|runs ...", "why did|does ... ci|build|pipeline fail ...",
        "ci status", "ci", "list|show workflow|ci runs";
    Execute Nothing:
        "does it|this|everything|the ... build|compile", "does it|this ... compile|build ...", "build|compile the|this project|repo|repository|code|it|everything", "build|compile it|this|everything", "can ... be built|compiled",
        "do|does|did the|all|my|our|these tests|test|suite pass|succeed|work ...", "do all the? tests pass", "run|execute ... tests|test|suite", "are the? tests passing|green", "is the? build green|broken|passing", "test|build it|this|everything|project";
    Chat Nothing:
        "how are you ...", "what can you do ...", "who are you", "what are you", "thanks|thank ...", "hello|hi|hey ...", "good morning|evening|afternoon ...", "tell me a joke", "help", "what model|backend ...", "which model|backend ...";
    Compare Definition:
        "compare * and|with|to|against|vs|versus *", "what is|are|'s the? difference|differences between * and *", "difference|differences between * and *", "how does|do * differ from *", "how is|are * different from *", "* vs|versus *",
        "contrast * and|with *";
    Navigate Uses:
        "who|what calls|call|uses|use|imports|import|references|invokes|instantiates|depends|includes on? *", "who|what is|are calling|using|importing *", "where is|are|'s * used|called|referenced|imported|invoked|instantiated|mentioned ...",
        "where do|does we|it|i|one use|call|import *", "which|what files|file|functions|function|modules|module|code|tests|test|classes use|uses|call|calls|import|imports|reference|references|includes|include *",
        "find|show|list|get|give all? the? me? all? the? callers|usages|usage|uses|references|importers|calls of|to|for *", "callers|usages|usage|uses|references|importers of|to|for *", "what depends on *", "who implements *", "what implements *",
        "which|what types|classes|structs implement|implements|extend|extends *", "what are the? callers|usages|uses|references of|to *";
    Locate DefinitionOnly:
        "where is|are|'s|was|were the? definition|declaration|implementation of *", "where is|are|'s|was|were * defined|declared|implemented|introduced and|or? declared|implemented|defined? ...", "in which|what file is|are * declared|defined|implemented and|or? implemented|declared|defined?",
        "which|what file|files|module|crate|package|class defines|define|declares|declare|implements|implement the? definition? of? *", "which|what file|files|module|crate|package|class contains|contain|has|holds the? definition|declaration|implementation of *", "locate|find|show|get|give me? the? definition|declaration|implementation of|for *",
        "find|locate|show me? where * is|are defined|declared|implemented ...", "where * is|are defined|declared|implemented", "where do|does|did we|they|you|one define|declare|implement *", "find|locate|show me? the? * definition|declaration|implementation", "definition|declaration of *",
        "where can i find the? definition|declaration|implementation of *", "what defines *", "go to definition of *", "jump to *", "goto *";
    Locate Occurrence:
        "search|grep|rg|look for *", "search *", "grep *", "rg *", "ack *", "which|what file|files|code mentions|mention|talks|handles|handle|manages|manage|deals with|about? *", "find|show all? occurrences|mentions|instances of *", "occurrences of *", "find|locate the? text|string|message|error|comment|phrase *",
        "which|what line|lines|code contains|contain|has|have *", "where is|are|'s * handled|processed|configured|set|stored|created|loaded|parsed|written|read|computed|validated|initialized|initialised|registered|logged|documented|mentioned ...";
    Locate Definition:
        "where is|are|'s|was * located|found|kept|stored|placed|living", "where do|does * live|lives|reside|come from?", "where can i find *", "where is|are|'s|was *", "where do i find *", "find|locate|show|get|open|read|view|display|cat me? the? file|files|folder|directory *", "find|locate *",
        "show me *", "show *", "open|read|view|cat|display *", "list *", "which|what file|files|module|crate|package|class contains|contain|has|have|holds|hold *";
    Diagnose Occurrence:
        "why do|does|did|is|am|are ... error|errors|fail|fails|failing|crash|crashes|panic|panics|hang|hangs|break|breaks *", "why do|does|did|is|are|am * fail|failing|failed|crash|crashing|panic|break|broken|hang|hanging|slow|wrong ...", "what causes|emits|throws|raises|prints|logs|produces|triggers *",
        "debug|diagnose|troubleshoot *", "where does the? error|message|exception|warning * come from", "who emits|throws|raises|prints|logs *", "i get|got|see|saw the|this|an? error|exception|panic|message *", "error|exception|panic *";
    Execute Nothing:
        "run|build|compile|test *";
    Modify Definition:
        "rename|migrate|move|convert|change|replace|upgrade|refactor|update|port * to|into|with|by ...",
        "what would|will|must|does break|change|be ... if i|we * ...", "what would i need|have to change to *", "add|create|write|introduce a|an|the new? *", "add|create|write|introduce *", "refactor|rename|remove|delete|migrate|replace|change|modify|update|move|extract|split|inline|deprecate|rewrite|fix|implement|convert|upgrade|improve|optimize|optimise *";
    Review Definition:
        "review|audit|assess|critique the? *", "review|audit|assess *", "code review of *";
    Explain Definition:
        "how does|do|did * work|works|function|operate together?", "how does|do|did * work|works|function|operate in|within|inside|under|here ...", "how is|are|was|were * implemented|handled|built|done|made|structured|organised|organized|designed|used|computed|calculated|stored|saved|loaded|parsed|configured|validated|tested", "how does|do|did|can|is|are|should *",
        "explain the? concept|idea|purpose|role of *", "explain how * works|work", "explain *", "what is|are|'s the? purpose|role|job|meaning of *", "what does|do * do|mean|return|represent ...", "what is|are|'s *", "describe *", "tell me? about *", "tell me how * works|work", "walk me through *",
        "document *", "summarise|summarize *", "give me an? overview|summary of *", "overview of *", "why do|does|did|is|are *", "understand *", "what happens when|if *";
};
