//! The vocabulary of questions, as data: words that ask, words that count, words without content.
//! Verbs and nouns of relations are listed with their predicates.

use grounds_claims::{ALL, Predicate, names};
use rust_stemmers::{Algorithm, Stemmer};

use super::token::QuestionToken;
use crate::words::is_in;

/// Words for parts of code, in addition to the kinds.
const OF_CODE: &str = "\
    function functions method methods class classes struct structs enum enums trait traits interface \
    interfaces type types constant constants const variable variables field fields macro macros module \
    modules package packages annotation annotations constructor constructors property properties \
    decorator decorators helper helpers routine routines member members parameter parameters argument \
    arguments symbol symbols object objects exception exceptions identifier name names kind sort public \
    private internal static abstract concrete nested inner local global direct immediate builtin \
    built-in std standard main ordinary plain middleware component components service services layer layers \
    fn fun func statement statements \
    use-case actual instance instances snippet logic chain getter getters setter setters subroutine \
    subroutines predicate predicates";

/// Verbs for asking, telling, looking and thinking, which say nothing about the code.
const OF_ASKING: &str = "\
    tell show list give gives given find search look looking looked see know need want like wonder \
    report reports collect describe precise exact kindly occasion occasions location locations overview \
    side further presumably whatsoever planning suppose workspace \
    wondering curious think thinking believe say says check confirm refute enumerate make makes made \
    making trying try understand understanding figure going go goes goto jump navigate open view take \
    takes get gets got getting lookup print display consider considered regarding concerning mean means \
    meaning end ends ending happen happens sit sits lie lies hide hides hiding occur occurs appear appears seem seems \
    want point question answer yes no true false correct case fact first me trace tracing debug debugging \
    investigate investigating review reviewing read-up find-out ask asking tries help hunting audit \
    inspect examine dig study learn gather collect grab spot walk";

/// Words without content of their own, by their use. "Only", "not", "never" and "once" change a
/// question, and are in no list.
const EMPTY: &[&str] = &[
    OF_CODE,
    OF_ASKING,
    // Articles, pronouns, and words that stand for something named elsewhere.
    "a an the this that these those it its itself they them their theirs he she him her his i me my mine \
     we us our ours you your yours one ones own same any some all each every both anyone anybody anything \
     someone somebody something everyone everybody everything somewhere someplace anywhere everywhere other others \
     another whole entire complete full such",
    // Greetings, politeness, hedges.
    "hi hey hello please pls plz thanks thank thx cheers sorry ok okay well so now just really actually \
     exactly precisely directly simply currently also too still yet already ever again right away either \
     maybe perhaps possibly indeed quite very rather like if then much lot bit anymore heck hell \
     earth even often quick little small sure somehow somewhat overall btw fyi basically long-term",
    // Joints and words of place.
    "and or but nor to of in on at by for from with into onto about over up down out off via per as than \
     there here code codebase repo monorepo repository project source sources tree app program thing \
     things stuff place places spot spots site sites line lines file files folder folders directory \
     directories part parts bits piece section entry path number besides apart except excluding ignoring \
     included including straight between without inside within under outside nowhere using while whether \
     together total altogether ago tree-wide",
    // Auxiliaries and words that ask.
    "can could will would shall should may might must be been being is are was were am do does did done \
     has have had having let lets what which who whom whose where when how why many times time i.e e.g ie \
     eg namely here's where's",
    // Words that only say when or why it is asked, and those that scopes are made of.
    "thin ready-made predefined pre-defined predeclared whatever different distinct separate among amongst hence \
     when dump touch before after rename refactor remove removing deleting changing delete drop yesterday \
     today ones' please? incoming new",
];

/// Verbs that ask and say nothing else.
const ASKING_VERBS: &str = "list show find give enumerate name tell point search locate print display go get identify \
    fetch return report collect describe make i need want";

/// Words that mark a question as one that the tree cannot answer: opinion, motive, measure, future.
const BEYOND: &str = "why should shall better best worse worst faster slower recommend opinion prefer worth \
    popular future roadmap motivation";

/// Words of questions about how the program behaves at run time, which code does not answer.
const RUNNING: &str = "slow fast leak leaks race deadlock performance memory safe secure plan plans planned soon \
    reason crash crashes hang hangs bug bugs buggy benchmark throughput latency efficient stable \
    reliable mature vulnerability vulnerable";

/// Nouns for a kind of thing in code: a word beside one of them may be its name.
const KINDS: &str = "function method class struct enum trait interface type constant const variable field macro \
    module annotation constructor property decorator helper routine member exception parameter \
    option union typedef alias record delegate namespace protocol object callback hook test \
    setting attribute variant define key fn fun func";

/// Words for tests.
const TESTS: &str = "test tests spec specs testing unittests unittest testcase testcases testsuite";

/// Names of languages and runtimes. They have a capital, and are not names in code.
const LANGUAGES: &str = "go golang rust python ruby java kotlin node php swift scala javascript typescript c dotnet \
    linux windows macos http https json xml html css sql url api ci github git unicode utf-8";

/// Words that refer to the whole tree.
const WHOLE: &str = "repo repository project codebase code tree here base program library source sources gem \
    crate package framework tool app application checkout workspace build this";

/// Adverbs in "-ly" that change nothing. Any other adverb changes the question.
const IDLE_ADVERBS: &str = "actually really exactly precisely simply directly currently basically literally presently \
    presumably kindly quickly roughly supposedly apparently obviously clearly honestly frankly essentially \
    specifically particularly hopefully truly usually normally generally possibly probably certainly surely \
    definitely absolutely completely totally fully physically officially locally ultimately eventually finally \
    allegedly reportedly seemingly evidently naturally typically practically effectively strictly briefly exhaustively \
    plainly formally explicitly immediately";

/// Reports whether a word has no content of its own.
pub(crate) fn is_empty(word: &str) -> bool {
    is_in(IDLE_ADVERBS, word) || EMPTY.iter().any(|list| is_in(list, word))
}

/// Reports whether an adverb changes nothing.
pub(crate) fn is_idle(word: &str) -> bool {
    is_in(IDLE_ADVERBS, word)
}

/// Nouns without content that are also used as names of functions and values.
const COUNTED: &str =
    "path entry total number things stuff section line file folder directory parts complete one";

/// Reports whether a word without content is often a name in code: `main`, `show`, `get`, `total`.
pub(crate) fn is_also_name(word: &str) -> bool {
    const NEVER: &str = "first side further point fact correct case true false yes no me kindly presumably whatsoever \
        mean means meaning end ends happen happens occur occurs appear appears seem seems think want need wonder";
    [OF_CODE, OF_ASKING, COUNTED]
        .iter()
        .any(|list| is_in(list, word))
        && !is_in(NEVER, word)
}

/// Returns the singular of a noun: `class` for `classes`, `property` for `properties`.
pub(crate) fn singular(word: &str) -> String {
    match () {
        () if word.len() > 4 && word.ends_with("ies") => format!("{}y", &word[..word.len() - 3]),
        // Only these plurals in "-es" lose two letters: "files" is "file", and "classes" is
        // "class".
        () if ["sses", "shes", "ches", "xes"]
            .iter()
            .any(|end| word.ends_with(end)) =>
        {
            word[..word.len() - 2].to_owned()
        }
        () if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") => {
            word[..word.len() - 1].to_owned()
        }
        () => word.to_owned(),
    }
}

/// Words that say nothing beside a name, but choose among places in a relation.
const TURNING: &str = "first before after both yesterday without between";

/// Reports whether a word chooses among what is asked for.
pub(crate) fn is_turning(word: &str) -> bool {
    is_in(TURNING, word)
}

pub(crate) fn is_asking_verb(word: &str) -> bool {
    is_in(ASKING_VERBS, word)
}

pub(crate) fn is_beyond(word: &str) -> bool {
    is_in(BEYOND, word)
}

pub(crate) fn is_about_running(word: &str) -> bool {
    is_in(RUNNING, word) || is_beyond(word)
}

pub(crate) fn is_kind(word: &str) -> bool {
    is_in(KINDS, word)
}

pub(crate) fn is_language(word: &str) -> bool {
    is_in(LANGUAGES, word)
}

pub(crate) fn is_test(word: &str) -> bool {
    is_in(TESTS, word)
}

pub(crate) fn is_whole(word: &str) -> bool {
    is_in(WHOLE, word)
}

pub(crate) fn is_article(word: &str) -> bool {
    is_in(
        "a an the its this that any these those all our my his their",
        word,
    )
}

pub(crate) fn is_auxiliary(word: &str) -> bool {
    is_in(
        "is are was were do does did has have had can could would will am might may",
        word,
    )
}

pub(crate) fn is_be(word: &str) -> bool {
    is_in(
        "is are was were be been being gets get got getting am",
        word,
    )
}

/// Words of frames without verbs or nouns in the lexicon, which slips of the pen are compared with.
const QUESTION_WORDS: &[&str] = &[
    "default",
    "defaults",
    "version",
    "environment",
    "variable",
    "license",
    "licence",
    "release",
    "commit",
    "minimum",
    "located",
    "variants",
    "dependencies",
    "dependency",
    "constant",
    "constructor",
    "subclasses",
    "occurrences",
    "declaration",
    "source",
    "constructors",
    "supported",
    "required",
];

/// Reports whether a word is a question word.
pub(crate) fn is_asking(word: &str) -> bool {
    is_in("who whom whose what which where when how why", word)
}

/// Reports whether a word says that something is not so, or that nothing is.
pub(crate) fn is_negation(word: &str) -> bool {
    is_in(
        "not never nobody nothing none no-one noone neither unused uncalled unreferenced \
            dead orphaned",
        word,
    )
}

/// Reports whether an adjective alone says that nothing uses a name.
pub(crate) fn is_un(word: &str) -> bool {
    is_in("unused uncalled unreferenced dead orphaned", word)
}

/// Reports whether a stem is a verb for changing code.
pub(crate) fn is_change(stem: &str) -> bool {
    is_in(
        "remov delet drop renam chang modifi refactor deprec touch edit move kill replac \
            rewrit alter adjust break tweak rid inlin split extract updat rework",
        stem,
    )
}

/// Reports whether a stem is a verb for the effect of a change on code that relies on it.
pub(crate) fn is_impact(stem: &str) -> bool {
    is_in(
        "break broken affect impact rippl suffer complain fallout blast consequ influenc \
            damag explod regress notic recheck re-check revisit retest re-test",
        stem,
    )
}

/// Reports whether a word means "only".
pub(crate) fn is_only(word: &str) -> bool {
    is_in(
        "only solely exclusively merely sole lone purely alone",
        word,
    )
}

/// The predicate to which a verb or noun of the question leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trigger {
    /// The predicate, as a verb.
    Verb(&'static Predicate),
    /// The predicate, as a noun for the values of an argument.
    Noun(&'static Predicate, usize),
}

/// The verbs of the predicates by their stems, and the nouns as they are written.
pub(crate) struct Lexicon {
    verbs: Vec<(String, Trigger)>,
    nouns: Vec<(&'static str, Trigger)>,
}

impl Lexicon {
    pub(crate) fn new() -> Self {
        let stemmer = Stemmer::create(Algorithm::English);
        let stem = |verb: &str| stemmer.stem(verb).into_owned();
        let of_verbs = |predicate: &'static Predicate| {
            let verbs = predicate.verbs.iter().filter(|verb| !verb.contains(' '));
            // "Reference" and "referenced" have different stems.
            let forms = |verb: &&str| {
                let base = verb.strip_suffix('e').unwrap_or(verb);
                let mut stems = vec![stem(verb), stem(&format!("{base}ed"))];
                stems.dedup();
                stems
            };
            verbs
                .flat_map(forms)
                .map(move |stem| (stem, Trigger::Verb(predicate)))
        };
        let of_nouns = |predicate: &'static Predicate| {
            let nouns = predicate.nouns.iter();
            nouns.map(move |(noun, number)| (*noun, Trigger::Noun(predicate, *number)))
        };
        Self {
            verbs: ALL.iter().copied().flat_map(of_verbs).collect(),
            nouns: ALL.iter().copied().flat_map(of_nouns).collect(),
        }
    }

    /// Returns the predicates that a word triggers. A token that is written as code triggers none.
    pub(crate) fn of<'l>(&'l self, token: &QuestionToken) -> impl Iterator<Item = Trigger> + 'l {
        // "Caller" and "importer" have the stems of verbs but are nouns, and the stemmer keeps
        // "thrown" as it is.
        let stem = if is_agent(&token.lower) {
            String::new()
        } else if is_in("thrown rethrown", token.lower.as_str()) {
            token.stem.replace("thrown", "throw")
        } else {
            token.stem.clone()
        };
        let noun = singular(&token.lower);
        let is_code = token.is_code;
        let verbs = self.verbs.iter().filter(move |(known, _)| *known == stem);
        let nouns = self.nouns.iter().filter(move |(known, _)| *known == noun);
        let all = verbs.map(|(_, trigger)| *trigger);
        all.chain(nouns.map(|(_, trigger)| *trigger))
            .filter(move |_| !is_code)
    }

    /// Returns the one question word that a misspelled word is a slip of; `None` if there are
    /// several or none.
    pub(crate) fn meant(&self, word: &str) -> Option<String> {
        // A short word is one letter away from too many others.
        if word.len() < 4 || !word.chars().all(char::is_alphabetic) {
            return None;
        }
        let forms = |verb: &str| {
            let base = verb.strip_suffix('e').unwrap_or(verb);
            [
                verb.to_owned(),
                format!("{verb}s"),
                format!("{base}ed"),
                format!("{base}ing"),
            ]
        };
        let of_verbs = ALL
            .iter()
            .flat_map(|predicate| predicate.verbs)
            .flat_map(|verb| forms(verb));
        let of_nouns = ALL
            .iter()
            .flat_map(|predicate| predicate.nouns)
            .flat_map(|(noun, _)| [(*noun).to_owned(), format!("{noun}s")]);
        // Words without content are included, so that "wehre" is corrected and is not taken for
        // content.
        let others = EMPTY
            .iter()
            .flat_map(|list| list.split_whitespace())
            .chain(QUESTION_WORDS.iter().copied());
        let mut meant: Vec<String> = of_verbs
            .chain(of_nouns)
            .chain(others.filter(|known| known.len() > 3).map(str::to_owned))
            .filter(|known| super::token::is_slip(word, known))
            .collect();
        meant.sort_unstable();
        meant.dedup();
        match meant.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        }
    }

    /// Reports whether a word says that something imports or uses something.
    pub(super) fn imports(&self, token: &QuestionToken) -> bool {
        self.of(token).any(|trigger| {
            let (Trigger::Verb(predicate) | Trigger::Noun(predicate, _)) = trigger;
            [&names::IMPORTS, &names::USES].contains(&predicate)
        })
    }

    /// Reports whether a word says that something calls something.
    pub(super) fn calls(&self, token: &QuestionToken) -> bool {
        self.of(token).any(|trigger| {
            let (Trigger::Verb(predicate) | Trigger::Noun(predicate, _)) = trigger;
            predicate == &names::CALLS
        })
    }

    /// Reports whether a word is a verb or noun of a predicate between two names.
    pub(crate) fn is_relation(&self, token: &QuestionToken) -> bool {
        self.of(token).any(|trigger| {
            let (Trigger::Verb(predicate) | Trigger::Noun(predicate, _)) = trigger;
            is_in(RELATIONS, predicate.name)
        })
    }
}

/// Reports whether a word is the noun for a doer: "caller". "Trigger" and "enter" are verbs.
pub(crate) fn is_agent(word: &str) -> bool {
    let ends = ["er", "ers", "or", "ors"]
        .iter()
        .any(|ending| word.ends_with(ending));
    let verb = word.strip_suffix('s').unwrap_or(word);
    ends && !ALL.iter().any(|predicate| predicate.verbs.contains(&verb))
}

/// The predicates between two names.
pub(crate) const RELATIONS: &str =
    "calls uses constructs implements extends overrides imports throws";

/// Reports whether a claim is about two names.
pub(crate) fn is_relation(predicate: &Predicate) -> bool {
    is_in(RELATIONS, predicate.name)
}

/// Reports whether the sites of a predicate are calls or uses.
pub(crate) fn is_use(predicate: &Predicate) -> bool {
    [&names::CALLS, &names::USES, &names::CONSTRUCTS].contains(&predicate)
}
