//! Rewrites a sentence into the plain clauses that frames of words know.
//!
//! Nothing here knows a predicate. Words that say more about a thing without changing what is
//! stated are left out (kinds, adverbs, asides), lists become one clause for each name, and a
//! relative clause gets its subject. A clause that lost a place which limits it is marked.

use std::sync::OnceLock;

use regex::{Captures, Regex};

/// A clause that is compared with frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plain {
    /// Its words.
    pub(super) words: String,
    /// Whether a place or a time that limits it was left out.
    pub(super) is_limited: bool,
}

/// Most clauses of one sentence; the rest is ignored.
const CLAUSES_MAX: usize = 16;
/// Most names of one list.
const LIST_MAX: usize = 6;
/// A verb in the present as it follows its subject.
const VERB: &str = r"(?:is|are|has|have|does|do|[a-z]+(?:[^s\W]s|ss?es))";
/// Kinds of things that are written next to names.
const KINDS: &str = concat!(
    r"(?:helper |base |abstract |private |public |static |async |class |instance |",
    r"module |free |top-level |inner |utility |convenience )*(?:methods?|functions?|",
    r"class(?:es)?|structs?|types?|traits?|interfaces?|enums?|modules?|packages?|",
    r"attribute|property|field|constants?|variable|parameter|argument|helpers?|",
    r"macros?|decorator|fixture|hook|constructor|exception|error|middleware|handler|",
    r"object|instance|implementation|routine|callback|wrapper|builder|mixin)",
);

/// A rewriting of words, as an expression and what replaces it.
struct Rewriting {
    found: Regex,
    instead: &'static str,
}

/// Returns the plain clauses of a sentence, except for one that equals the sentence.
pub(super) fn clauses(words: &str) -> Vec<Plain> {
    // Asides go first, because they may separate a subject from its verb; sentences are turned
    // around last, as one clause with one name in each place.
    let whole = rewritten(words, asides());
    let (whole, is_limited) = without_place(&whole);
    let mut found = Vec::new();
    for part in relative(&whole) {
        for clause in coordinated(&part) {
            for clause in listed(&rewritten(&clause, inner())) {
                let clause = rewritten(&clause, turned());
                if clause != words && found.len() < CLAUSES_MAX {
                    found.push(Plain {
                        words: clause,
                        is_limited,
                    });
                }
            }
        }
    }
    found
}

fn rewritten(words: &str, rules: &[Rewriting]) -> String {
    rules.iter().fold(words.to_owned(), |words, rule| {
        rule.found.replace_all(&words, rule.instead).into_owned()
    })
}

fn compiled(rules: &[(&str, &'static str)]) -> Vec<Rewriting> {
    let rules = rules.iter().map(|(found, instead)| Rewriting {
        found: Regex::new(&found.replace("{K}", KINDS).replace("{V}", VERB))
            .expect("a rule is an expression"),
        instead,
    });
    rules.collect()
}

/// Asides: parentheses, what stands between dashes, the label before a colon.
fn asides() -> &'static [Rewriting] {
    static RULES: OnceLock<Vec<Rewriting>> = OnceLock::new();
    RULES.get_or_init(|| {
        compiled(&[
            // "The `build` helper (lines 18-19) creates a client."
            (r" ?\([^()]+\)", ""),
            (r" [—–] [^—–]{1,120} [—–] ", " "),
            // "`build`: calls `send`", as an entry of a list.
            (r"^(«\d+»)(?:\(\))?(?::| [—–-]) ((?i:{V}) )", "$1 $2"),
            // "Found it: the method `fetch` …".
            (r"^[A-Za-z][^«:,?]{0,60}: (?:(?:the|The) )?", ""),
            (concat!(
                r"^(?i:so|also|then|thus|hence|therefore|internally|currently|finally|note that|",
                r"I (?:checked|verified|confirmed|found)(?: that)?|as far as I can (?:see|tell)|",
                r"in short|in fact|specifically|importantly|it (?:turns out|looks like|seems)",
                r"(?: that)?),? ",
            ), ""),
        ])
    })
}

/// Words inside a clause that do not change what it states.
fn inner() -> &'static [Rewriting] {
    static RULES: OnceLock<Vec<Rewriting>> = OnceLock::new();
    RULES.get_or_init(|| {
        compiled(&[
            // Adverbs go first, since the rules below need a kind right before its verb.
            (concat!(
                r"\b(?:also|still|now|actually|simply|just|directly|internally|always|then|",
                r"currently|already|eventually|itself|explicitly|implicitly|effectively|really|",
                r"immediately|automatically|ultimately|first|later|subsequently|unconditionally|",
                r"under the hood) ",
            ), ""),
            (r"(«\d+»)(?:\(\))? {K} ((?:never |only |not )?{V}\b)", "$1 $2"),
            (concat!(
                r"\b(?:the|a|an|its|this|our|The|A|An|This|Our|Its) (?:[\w-]+ )",
                r"{0,2}?{K}(?: (?:called|named))? («\d+»)",
            ), "$1"),
            (r"^(?:[Tt]he|[Tt]his) («\d+»)", "$1"),
            (r" (?:the|its) («\d+»)(?:\(\))? {K}\b", " $1"),
            (r"\b(?:the file|the module|file|module) («\d+»)", "$1"),
        ])
    })
}

/// Sentences that say a relation the other way round.
fn turned() -> &'static [Rewriting] {
    static RULES: OnceLock<Vec<Rewriting>> = OnceLock::new();
    RULES.get_or_init(|| {
        compiled(&[
            // "«0» is what «1» calls" states a call by «1».
            (concat!(
                r"^(«\d+»)(?:\(\))? is (?:what|the one that) («\d+»)(?:\(\))? (calls|uses|invokes|",
                r"runs|returns)\b",
            ), "$2 $3 $1"),
            (r"^(«\d+»)(?:\(\))? is (?:what|the one that) ({V}) ", "$1 $2 "),
            (r"^(?:[Ii]t is|[Ii]t's) («\d+»)(?:\(\))? that ({V}) ", "$1 $2 "),
            (concat!(
                r"^(«\d+»)(?:\(\))? has (?:exactly |only )?(?:a single|one) (?:caller|user)",
                r"[,:] («\d+»)",
            ), "the only caller of $1 is $2"),
            (concat!(
                r"^(?:[Tt]here is|[Tt]here's|[Ww]e have) (?:only |just |exactly )?(?:one|a|an)",
                r" («\d+»)(?:\(\))?,? (?:and it lives )?in («\d+»)",
            ), "$1 is defined in $2"),
            (r"^[Yy]ou(?:'ll)? (?:will )?find («\d+»)(?:\(\))? in («\d+»)", "$1 is defined in $2"),
            // Frames know this beginning as one that may precede a subject.
            (r"^[Oo]utside (?:of )?(?:the )?tests,? ", "In non-test code, "),
        ])
    })
}

/// Returns a sentence without the place or time before its subject, and whether it had one.
fn without_place(words: &str) -> (String, bool) {
    static PLACE: OnceLock<Regex> = OnceLock::new();
    let place = PLACE.get_or_init(|| {
        let places = concat!(
            r"^(?:In|Inside|Within|At|On|During|Through|Under|When|While|After|Before|Once|",
            r"Upon|For|By default|With)\b[^,]{1,80}, (?:the )?(?P<rest>(?:[a-z-]+ ){0,3}«\d+»)",
        );
        Regex::new(places).expect("an expression")
    });
    match place.captures(words).and_then(|found| found.name("rest")) {
        Some(rest) => (words[rest.start()..].to_owned(), true),
        None => (words.to_owned(), false),
    }
}

/// Splits `«0», which calls «1», is …` into two clauses.
fn relative(words: &str) -> Vec<String> {
    static RELATIVE: OnceLock<Regex> = OnceLock::new();
    let relative = RELATIVE.get_or_init(|| {
        let clause = r"(?P<subject>«\d+»)(?:\(\))?(?P<kind> [a-z]+)?,? (?:which|that) (?P<said>[^,]+)(?:,|$)";
        Regex::new(clause).expect("an expression")
    });
    let Some(found) = relative.captures(words) else {
        return vec![words.to_owned()];
    };
    let part = |name| found.name(name).map_or("", |part| part.as_str());
    let of_relative = format!("{} {}", part("subject"), part("said"));
    let rest = relative.replace(words, |found: &Captures<'_>| {
        format!(
            "{}{}",
            &found["subject"],
            if found[0].ends_with(',') { "" } else { "." }
        )
    });
    vec![rest.into_owned(), of_relative]
}

/// Splits clauses joined by "and"; the later ones get the subject of the first.
fn coordinated(words: &str) -> Vec<String> {
    static JOINED: OnceLock<Regex> = OnceLock::new();
    static SUBJECT: OnceLock<Regex> = OnceLock::new();
    let joined = JOINED.get_or_init(|| {
        let mark = r"(?:, (?:and|but|then|and then) |,? (?:and then|and|but|then) |; |, )";
        let verb = format!(r"{mark}(?P<rest>(?:then |also |never |only |it )?{VERB} )");
        Regex::new(&verb).expect("an expression")
    });
    let subject = SUBJECT
        .get_or_init(|| Regex::new(r"^[^«,]{0,60}?(«\d+»)(?:\(\))? ").expect("an expression"));
    let Some(named) = subject.captures(words).and_then(|found| found.get(1)) else {
        return vec![words.to_owned()];
    };
    let mut found = Vec::new();
    let (mut start, mut begin) = (0, String::new());
    for cut in joined.captures_iter(words) {
        let (Some(whole), Some(rest)) = (cut.get(0), cut.name("rest")) else {
            continue;
        };
        // A verb before the name belongs to words about the subject: "the helper that parses and
        // prints «0»".
        if whole.start() < named.end() {
            continue;
        }
        found.push(format!("{begin}{}", &words[start..whole.start()]));
        start = rest.start();
        begin = format!("{} ", named.as_str());
    }
    found.push(format!("{begin}{}", &words[start..]));
    found
        .into_iter()
        .map(|clause| clause.replace("» it ", "» ").replace("» then ", "» "))
        .collect()
}

/// Splits `«0», «1» and «2»` into one clause for each name.
fn listed(words: &str) -> Vec<String> {
    static LIST: OnceLock<Regex> = OnceLock::new();
    static NAME: OnceLock<Regex> = OnceLock::new();
    // A list with "or" would state something of only one of its names.
    let list = LIST.get_or_init(|| {
        Regex::new(r"(?:[Bb]oth )?«\d+»(?:\(\))?(?:, «\d+»(?:\(\))?)*,? and (?:the )?«\d+»")
            .expect("an expression")
    });
    let name = NAME.get_or_init(|| Regex::new(r"«\d+»").expect("an expression"));
    let Some(found) = list.find(words) else {
        return vec![words.to_owned()];
    };
    name.find_iter(found.as_str())
        .take(LIST_MAX)
        .map(|one| {
            let (before, after) = (&words[..found.start()], &words[found.end()..]);
            let after = after.strip_prefix(" both").unwrap_or(after);
            format!("{before}{}{after}", one.as_str())
        })
        .collect()
}
