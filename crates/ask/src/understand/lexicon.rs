//! The words that questions are made of, as data: what asks, what counts, what
//! carries no content. Verbs and nouns of relations stand with their predicates.

use grounds_claims::{ALL, Predicate, names};
use rust_stemmers::{Algorithm, Stemmer};

/// Words without a content of their own: articles, pronouns, politeness, fillers, and general words for code and places.
const EMPTY: &str = "a an the this that these those it its itself they them their he she him her his i me my mine we us our you your \
 one ones own same any some all each every both anyone anybody anything someone somebody something everyone everything somewhere anywhere everywhere \
 hi hey hello please pls thanks thank thx sorry ok okay well so now just really actually exactly precisely directly simply currently \
 also too still yet already ever again right away either maybe perhaps possibly indeed quite very rather such as like if then else \
 and or but nor to of in on at by for from with into onto about over up down out off via per as than \
 there here where's code codebase repo repository project source sources tree thing things stuff place places spot spots site sites \
 line lines file files folder folders directory directories part parts bit piece section entry name names path location number \
 function functions method methods class classes struct structs enum enums trait traits interface interfaces type types constant constants const variable variables \
 field fields macro macros module modules package packages annotation annotations constructor constructors property properties decorator decorators \
 helper helpers routine routines member members parameter parameters argument arguments symbol symbols object objects exception identifier \
 tell show list give find search look see know need want like wonder wondering think thinking believe say says check confirm refute enumerate make makes made making \
 trying try understand understanding new going go goes point want lookup print display get gets got getting take takes \
 question answer yes no true false correct case fact first me kind sort i.e e.g ie eg namely mean means meaning can could would will shall should may might must \
 be been being is are was were am do does did done has have had having let lets use-case end ends up ending currently often sure quick quickly little small \
 private public internal static abstract concrete nested inner local global direct immediate builtin built-in std standard main ordinary plain \
 other others another besides whole entire complete full only even when while whether using via inside within under outside nowhere apart except excluding \
 included including straight between without dump touch before after rename refactor remove removing deleting changing delete drop yesterday today looked looking \
 what which who whom whose where when how why many much times time once twice please? somehow else sit sits lie lies occur occurs happen happens middleware component components service services layer layers appear appears seem seems incoming \
 consider considered regarding concerning together total altogether overall actual behind ones' somewhat gives given give";

/// Verbs that are asked with, and carry nothing else.
const ASKING_VERBS: &[&str] = &[
    "list",
    "show",
    "find",
    "give",
    "enumerate",
    "name",
    "tell",
    "point",
    "search",
    "locate",
    "print",
    "display",
    "go",
    "get",
    "identify",
    "fetch",
    "return",
    "make",
    "i",
    "need",
    "want",
];

/// Words that only a question that the tree cannot answer has: opinion, motive, measure, future.
const BEYOND: &[&str] = &[
    "why",
    "should",
    "shall",
    "better",
    "best",
    "worse",
    "worst",
    "faster",
    "slower",
    "recommend",
    "opinion",
    "prefer",
    "worth",
    "popular",
    "future",
    "roadmap",
    "will",
    "motivation",
];

/// Words of questions about how the program fares when it runs: no text of the code answers them.
const RUNNING: &[&str] = &[
    "slow",
    "fast",
    "good",
    "bad",
    "leak",
    "leaks",
    "race",
    "deadlock",
    "performance",
    "memory",
    "safe",
    "secure",
    "plan",
    "plans",
    "planned",
    "soon",
    "reason",
    "flicker",
    "crash",
    "crashes",
    "hang",
    "hangs",
    "bug",
    "bugs",
    "buggy",
    "laptop",
    "benchmark",
    "throughput",
    "latency",
    "efficient",
    "stable",
    "reliable",
    "mature",
    "my",
    "box",
    "machine",
    "per",
    "vulnerability",
    "vulnerable",
    "production",
    "deploy",
    "android",
    "windows",
    "ios",
    "big",
    "huge",
    "much",
    "upgrade",
    "migrate",
    "drop",
    "support",
];

/// Nouns for a kind of thing in code: a word beside one of them may be its name.
const KINDS: &[&str] = &[
    "function",
    "method",
    "class",
    "struct",
    "enum",
    "trait",
    "interface",
    "type",
    "constant",
    "const",
    "variable",
    "field",
    "macro",
    "module",
    "annotation",
    "constructor",
    "property",
    "decorator",
    "helper",
    "routine",
    "member",
    "exception",
    "parameter",
    "option",
    "union",
    "typedef",
    "alias",
    "record",
    "delegate",
    "namespace",
    "protocol",
    "object",
    "callback",
    "hook",
    "test",
    "setting",
    "attribute",
    "variant",
    "define",
    "key",
];

/// Words for tests.
const TESTS: &[&str] = &[
    "test",
    "tests",
    "spec",
    "specs",
    "testing",
    "unittests",
    "unittest",
    "testcase",
    "testcases",
    "testsuite",
];

/// Names of languages and runtimes: written with a capital, and no names of the code.
const LANGUAGES: &[&str] = &[
    "go",
    "golang",
    "rust",
    "python",
    "ruby",
    "java",
    "kotlin",
    "node",
    "php",
    "swift",
    "scala",
    "javascript",
    "typescript",
    "c",
    "dotnet",
    "android",
    "linux",
    "windows",
    "macos",
    "http",
    "https",
    "json",
    "xml",
    "html",
    "css",
    "sql",
    "url",
    "api",
    "ci",
    "github",
    "git",
    "unicode",
    "utf-8",
];

/// Words for the whole tree.
const WHOLE: &[&str] = &[
    "repo",
    "repository",
    "project",
    "codebase",
    "code",
    "tree",
    "here",
    "base",
    "program",
    "library",
    "source",
    "sources",
    "gem",
    "crate",
    "package",
    "framework",
    "tool",
    "app",
    "application",
    "checkout",
    "workspace",
    "build",
    "this",
];

fn has(list: &[&str], word: &str) -> bool {
    list.contains(&word)
}

/// Whether a word has no content of its own.
pub(crate) fn is_empty(word: &str) -> bool {
    EMPTY.split_whitespace().any(|empty| empty == word)
}

pub(crate) fn is_asking_verb(word: &str) -> bool {
    has(ASKING_VERBS, word)
}

pub(crate) fn is_beyond(word: &str) -> bool {
    has(BEYOND, word)
}

pub(crate) fn is_about_running(word: &str) -> bool {
    has(RUNNING, word) || is_beyond(word)
}

pub(crate) fn is_kind(word: &str) -> bool {
    has(KINDS, word)
}

pub(crate) fn is_language(word: &str) -> bool {
    has(LANGUAGES, word)
}

pub(crate) fn is_test(word: &str) -> bool {
    has(TESTS, word)
}

pub(crate) fn is_whole(word: &str) -> bool {
    has(WHOLE, word)
}

pub(crate) fn is_article(word: &str) -> bool {
    has(
        &[
            "a", "an", "the", "its", "this", "that", "any", "these", "those", "all", "our", "my",
            "his", "their",
        ],
        word,
    )
}

pub(crate) fn is_auxiliary(word: &str) -> bool {
    has(
        &[
            "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could",
            "would", "will", "am", "might", "may",
        ],
        word,
    )
}

pub(crate) fn is_be(word: &str) -> bool {
    has(
        &[
            "is", "are", "was", "were", "be", "been", "being", "gets", "get", "got", "getting",
            "am",
        ],
        word,
    )
}

/// Words that ask.
pub(crate) fn is_asking(word: &str) -> bool {
    has(
        &[
            "who", "whom", "whose", "what", "which", "where", "when", "how", "why",
        ],
        word,
    )
}

/// Words whose presence says that something is not so, or that nothing is.
pub(crate) fn is_negation(word: &str) -> bool {
    has(
        &[
            "not",
            "never",
            "nobody",
            "nothing",
            "none",
            "no-one",
            "noone",
            "neither",
            "unused",
            "uncalled",
            "unreferenced",
            "dead",
        ],
        word,
    )
}

/// "Only" and its relatives.
pub(crate) fn is_only(word: &str) -> bool {
    has(&["only", "solely", "exclusively", "merely"], word)
}

/// What a verb or noun of the question triggers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trigger {
    /// The predicate, as a verb.
    Verb(&'static Predicate),
    /// The predicate, as a noun for the values of an argument.
    Noun(&'static Predicate, usize),
}

/// The stems of all verbs and nouns of the predicates.
pub(crate) struct Lexicon {
    triggers: Vec<(String, Trigger)>,
}

impl Lexicon {
    pub(crate) fn new() -> Self {
        let stemmer = Stemmer::create(Algorithm::English);
        let mut triggers = Vec::new();
        for predicate in ALL.iter().copied() {
            for verb in predicate.verbs {
                triggers.push((stemmer.stem(verb).into_owned(), Trigger::Verb(predicate)));
            }
            for (noun, number) in predicate.nouns {
                triggers.push((
                    stemmer.stem(noun).into_owned(),
                    Trigger::Noun(predicate, *number),
                ));
            }
        }
        Self { triggers }
    }

    /// What a word triggers.
    pub(crate) fn of<'l>(&'l self, stem: &'l str) -> impl Iterator<Item = Trigger> + 'l {
        self.triggers
            .iter()
            .filter(move |(known, _)| known == stem)
            .map(|(_, trigger)| *trigger)
    }

    /// Whether a word is a verb or noun of a predicate between two names.
    pub(crate) fn is_relation(&self, stem: &str) -> bool {
        self.of(stem).any(|trigger| {
            let (Trigger::Verb(predicate) | Trigger::Noun(predicate, _)) = trigger;
            RELATIONS.contains(&predicate.name)
        })
    }
}

/// The predicates between two names.
pub(crate) const RELATIONS: &[&str] = &[
    "calls",
    "uses",
    "constructs",
    "implements",
    "extends",
    "overrides",
    "imports",
];

/// Whether a claim is about two names.
pub(crate) fn is_relation(predicate: &Predicate) -> bool {
    RELATIONS.contains(&predicate.name)
}

/// The predicate of a relation whose sites are calls or uses.
pub(crate) fn is_use(predicate: &Predicate) -> bool {
    [&names::CALLS, &names::USES, &names::CONSTRUCTS].contains(&predicate)
}
