//! Frames of words, which find the sentences that state something, and its subject.

use grounds_repo::path::file_name;
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

use regex::Regex;

use super::{Predicate, dependency_kind, modifier};

/// The names and values of a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// The parts by the letter of their place in the frame.
    parts: BTreeMap<&'static str, String>,
    /// Whether it is said with "not".
    pub(crate) is_negated: bool,
    /// Whether the clause says nothing beside it.
    pub(crate) is_all: bool,
    /// The words of the clause that the frame matched.
    pub(crate) matched: String,
    /// The words of the clause after them.
    pub(crate) rest: String,
}

/// The places of a frame.
const PLACES: [&str; 4] = ["a", "b", "n", "v"];
/// Words of a sentence that does not state how things are now: a wish, a plan, a condition, a past.
const NOT_STATED: &str = r"(?i)\b(should|could|would|might|may|must|shall|let's|let us|if|unless changed by you|consider|considering|plan|plans|planned|planning|propose|proposed|suggest|suggested|want|wants|wanted|wish|hope|please|imagine|suppose|assume|assuming|perhaps|maybe|probably|likely|todo|used to|previously|formerly|earlier|before this|old version|would've|going to|will|next i|once you|you can|you could|your|for example|e\.g\.)\b";
/// Words after which a name is not the subject of the sentence.
const NOT_A_SUBJECT: &str = r"(?i)\b(that|which|who|whose|where|when|while|after|before|because|of|in|by|for|from|with|without|to|into|like|unlike|than|as|see|via|on|at|under|inside|between|calls?|uses?|using|adds?|returns?|and|or|not|no|every|each|any)\b";
/// What may precede the subject without being its kind.
const LEAD: &str = r"(?i)^(in (non-test|production|library|test) code|in this (repository|repo|project|codebase|package|crate|module)|currently|today|now|note that|also|here|internally|by itself|under the hood|as of [^,]{1,30}|(when|if|unless) (unset|not set|set|omitted|missing|absent)|by default|- |\* |\d+\. )[,:]? *";

/// A value as a sentence has it: code, a number with its unit, a text, a word.
const VALUE: &str = concat!(
    r#"(?P<v>«\d+»|'[^']*'|true|false|null|none|nil|"[^"]*"|on|off|enabled|disabled|twice|once|"#,
    r"(?:-?\d[\d_]*(?:[.,]\d+)*|zero|one|two|three|four|five|six|seven|eight|nine|ten)",
    r"(?: ?(?:bytes?|[kmg]i?b|kilobytes|megabytes|gigabytes|ms|milliseconds?|seconds?|minutes?|",
    r"hours?|days?|weeks?)\b)?)",
);

/// The frames of a predicate, ready to be matched.
pub(super) struct Frames {
    all: Vec<StatementFrame>,
}

/// One frame.
struct StatementFrame {
    words: Regex,
    /// Whether the name of the place `a` must be a path.
    is_of_path: bool,
    /// Whether the name of the place `b` must be a path.
    is_of_file: bool,
}

impl Frames {
    /// Returns the frames of a predicate; each is made once.
    pub(super) fn of(predicate: &'static Predicate) -> &'static Self {
        // Compiling an expression costs far more than matching it, so each is compiled once.
        static MADE: OnceLock<Mutex<BTreeMap<&'static str, &'static Frames>>> = OnceLock::new();
        let mut made = MADE
            .get_or_init(Mutex::default)
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        made.entry(predicate.name).or_insert_with(|| {
            let all = predicate.frames.iter().map(|frame| StatementFrame {
                words: expression(frame),
                is_of_path: frame.contains("{path}"),
                is_of_file: frame.contains("{file}"),
            });
            Box::leak(Box::new(Self { all: all.collect() }))
        })
    }

    /// Returns the statement that a clause makes in one of the frames.
    pub(super) fn read(&self, clause: &str, names: &[String]) -> Option<Arguments> {
        self.all.iter().find_map(|frame| {
            let found = frame.words.captures(clause)?;
            let whole = found.get(0)?;
            let left = &clause[..whole.start()];
            // "The helper that calls «0» is defined in «1»" says nothing of «0».
            if !is_about_what_follows(left) {
                return None;
            }
            let mut arguments = Arguments::default();
            for place in PLACES {
                if let Some(part) = found.name(place) {
                    arguments.parts.insert(place, named(part.as_str(), names));
                }
            }
            let lacks = |place| arguments.path(place).is_none();
            if (frame.is_of_path && lacks("a")) || (frame.is_of_file && lacks("b")) {
                return None;
            }
            arguments.is_negated = found.name("not").is_some_and(|not| !not.is_empty());
            let beside = [left, &clause[whole.end()..]];
            arguments.is_all = beside
                .iter()
                .all(|words| words.trim_matches([' ', '.']).is_empty());
            whole.as_str().clone_into(&mut arguments.matched);
            clause[whole.end()..].clone_into(&mut arguments.rest);
            Some(arguments)
        })
    }
}

/// Returns a frame as an expression.
fn expression(frame: &str) -> Regex {
    let name = |place: &str| format!("(?P<{place}>«\\d+»)(?:\\(\\))?");
    // `{path}` and `{file}` match any name. Whether it is a path is asked after the match.
    let written = frame
        .replace("{path}", &name("a"))
        .replace("{a}", &name("a"))
        .replace("{file}", &name("b"))
        .replace("{b}", &name("b"))
        .replace(
            "{n}",
            r"(?P<n>v?\d[\d.]*\d|\d+|zero|one|two|three|four|five|six|seven|eight|nine|ten)",
        )
        .replace("{v}", VALUE)
        .replace("{sort}", &format!("(?:{})", dependency_kind::WORDS))
        .replace("{modifier}", &format!("(?:{})", modifier::WORDS))
        .replace(
            "{not}",
            r"(?P<not>does not |doesn't |do not |don't |never |no longer |is not |isn't |are not |not )?",
        );
    Regex::new(&format!("(?i){written}")).expect("a frame is an expression")
}

/// Returns a name of a frame, or the words that stand for it.
fn named(part: &str, names: &[String]) -> String {
    part.trim_matches(['«', '»'])
        .parse::<usize>()
        .ok()
        .filter(|_| part.starts_with('«'))
        .and_then(|number| names.get(number))
        .map_or_else(|| part.trim_matches(['"', '\'']).to_owned(), Clone::clone)
}

fn is_about_what_follows(left: &str) -> bool {
    static LEADS: OnceLock<Regex> = OnceLock::new();
    static STOPS: OnceLock<Regex> = OnceLock::new();
    let leads = LEADS.get_or_init(|| Regex::new(LEAD).expect("an expression"));
    let stops = STOPS.get_or_init(|| Regex::new(NOT_A_SUBJECT).expect("an expression"));
    let left = leads.replace(left, "");
    let left = left.trim();
    // A few words of a kind may come first, as in "The public method «0» returns".
    left.is_empty()
        || (!left.contains('«')
            && left.split_whitespace().count() <= 6
            && !left.contains([',', ':', ';'])
            && !stops.is_match(left))
}

/// Reports whether a sentence states how things are.
pub(super) fn is_plain(words: &str) -> bool {
    static WISHES: OnceLock<Regex> = OnceLock::new();
    let wishes = WISHES.get_or_init(|| Regex::new(NOT_STATED).expect("an expression"));
    // A question states nothing.
    !words.ends_with('?') && !wishes.is_match(words) && !quotes_a_name(words)
}

/// Reports whether a name stands between quotation marks: somebody else says it, or it is an
/// example.
fn quotes_a_name(words: &str) -> bool {
    let quotes = words.split(['"', '“', '”']);
    quotes.skip(1).step_by(2).any(|quoted| quoted.contains('«'))
}

/// Returns a sentence whose subject is named between commas with that name directly before its
/// verb: "The method, «0», is …".
fn without_apposition(words: &str) -> String {
    static APPOSITION: OnceLock<Regex> = OnceLock::new();
    let apposition = APPOSITION.get_or_init(|| {
        Regex::new(r"^[^«,]{1,60}, («\d+»(?:\(\))?), ((?:is|are|has|lives|sits|calls|takes) )")
            .expect("an expression")
    });
    apposition.replace(words, "$1 $2").into_owned()
}

/// Words that begin a clause which is no statement by itself.
const SUBORDINATE: [&str; 14] = [
    "when", "whenever", "while", "if", "unless", "once", "after", "before", "where", "since", "as",
    "because", "although", "until",
];

/// Splits "«0» is 3 and «1» is 5" into its clauses, each with a subject and a verb of its own.
fn of_own_subjects(words: &str) -> Vec<String> {
    static JOINED: OnceLock<Regex> = OnceLock::new();
    let joined = JOINED.get_or_init(|| {
        Regex::new(concat!(
            r"(?:,? (?:and|but|while|whereas)|[,;]) (?P<rest>«\d+»(?:\(\))? ",
            r"(?:is|has|calls|returns|raises|throws|uses|takes|defaults|equals|extends|implements)\b)",
        ))
        .expect("an expression")
    });
    static CLAUSE: OnceLock<Regex> = OnceLock::new();
    let clause = CLAUSE.get_or_init(|| {
        Regex::new(r"^[^«]{0,60}«\d+»(?:\(\))?(?: \w+)? (?:[a-z]+s|is|has) .*\w")
            .expect("an expression")
    });
    let (mut found, mut start) = (Vec::new(), 0);
    for cut in joined.captures_iter(words) {
        let (Some(whole), Some(rest)) = (cut.get(0), cut.name("rest")) else {
            continue;
        };
        // "«0» and «1» is" has one verb for both names, and "When «0» is set, «1» calls" tells when.
        let first = &words[start..whole.start()];
        let begin = first.split_whitespace().next().unwrap_or_default();
        if clause.is_match(first) && !SUBORDINATE.contains(&begin.to_ascii_lowercase().as_str()) {
            found.push(words[start..whole.start()].to_owned());
            start = rest.start();
        }
    }
    found.push(words[start..].to_owned());
    found
}

/// Returns the clauses of a sentence. A clause without a subject of its own gets that of the first.
pub(super) fn clauses(words: &str) -> Vec<String> {
    let parts = of_own_subjects(&without_apposition(words));
    parts.iter().flat_map(|part| of_one_subject(part)).collect()
}

fn of_one_subject(words: &str) -> Vec<String> {
    static PARTS: OnceLock<Regex> = OnceLock::new();
    static SUBJECT: OnceLock<Regex> = OnceLock::new();
    let parts = PARTS.get_or_init(|| {
        Regex::new(
            r"(?i),? (?:and|but) (?P<rest>(?:is |are |was )?(?:also |still |now )?(?:only |never |not )?(?:used|called|imported|referenced|declared|defined|implemented|lives|takes|returns|calls|extends|implements|inherits|delegates|has|exported|deprecated|nowhere else)\b)",
        )
        .expect("an expression")
    });
    let subject = SUBJECT.get_or_init(|| Regex::new(r"^[^«]{0,60}(«\d+»)").expect("an expression"));
    let Some(found) = parts.captures(words) else {
        return vec![words.to_owned()];
    };
    let (whole, rest) = (found.get(0), found.name("rest"));
    let (Some(whole), Some(rest)) = (whole, rest) else {
        return vec![words.to_owned()];
    };
    let first = words[..whole.start()].to_owned();
    let Some(named) = subject.captures(words).and_then(|found| found.get(1)) else {
        return vec![words.to_owned()];
    };
    let rest = &words[rest.start()..];
    // "«0» is public and used by «1»" becomes "«0» is used by «1»".
    let is = if PARTICIPLES
        .iter()
        .any(|word| starts_with_participle(rest, word))
    {
        "is "
    } else {
        ""
    };
    // The whole sentence stays among the clauses, because a frame may span both parts.
    let mut all = vec![first, words.to_owned()];
    all.extend(of_one_subject(&format!("{} {is}{rest}", named.as_str())));
    all
}

const PARTICIPLES: [&str; 8] = [
    "used",
    "called",
    "imported",
    "referenced",
    "declared",
    "defined",
    "implemented",
    "deprecated",
];

fn starts_with_participle(rest: &str, word: &str) -> bool {
    let bare = rest
        .trim_start_matches("also ")
        .trim_start_matches("still ")
        .trim_start_matches("only ")
        .trim_start_matches("never ")
        .trim_start_matches("not ");
    bare.starts_with(word)
}

impl Arguments {
    /// Gives a place what a sentence has there.
    pub(super) fn set(&mut self, place: &'static str, part: &str, names: &[String]) {
        self.parts.insert(place, named(part, names));
    }

    /// Two names.
    pub(super) fn of_two(a: String, b: String) -> Self {
        Self {
            parts: BTreeMap::from([("a", a), ("b", b)]),
            ..Self::default()
        }
    }

    /// One part alone.
    pub(crate) fn of_one(text: &str) -> Self {
        Self {
            parts: BTreeMap::from([("a", text.to_owned())]),
            ..Self::default()
        }
    }

    /// Returns a part as it is written; empty if the frame has no such part.
    pub(crate) fn get(&self, place: &str) -> &str {
        self.parts.get(place).map_or("", String::as_str)
    }

    /// Returns the part as a name of code: the last name of `Owner.name()`, and the owner if it has
    /// one.
    pub(crate) fn symbol(&self, place: &str) -> Option<(Option<&str>, &str)> {
        symbol(self.get(place))
    }

    /// Returns the part as a path, with its line if it has one, or `None` if it does not look like
    /// a path.
    pub(crate) fn path(&self, place: &str) -> Option<(&str, Option<u32>)> {
        let text = self
            .get(place)
            .trim_start_matches("./")
            .trim_end_matches('/');
        let (path, line) = match text.split_once(':') {
            Some((path, line)) => {
                // `src/a.py:L18-22` and `src/a.py:18:4` both begin at line 18.
                let line = line.trim_start_matches('L').split(['-', ':']).next()?;
                (path, Some(line.parse().ok()?))
            }
            None => (text, None),
        };
        let last = file_name(path);
        let has_ending = last.rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty() && !ending.is_empty() && ending.len() < 8
        });
        // Such a path is a pattern or has parts to fill in.
        if path.contains(['*', '{', '<', '$', '…']) {
            return None;
        }
        let is_path = has_ending || path.contains('/') || is_known_file(last);
        (is_path && !path.contains([' ', '(', '`'])).then_some((path, line))
    }

    /// Returns a number, written in digits or as a word.
    pub(crate) fn number(&self, place: &str) -> Option<u64> {
        const WORDS: [&str; 11] = [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        ];
        let text = self.get(place).to_ascii_lowercase();
        let by_word = WORDS.iter().position(|word| *word == text);
        match text.as_str() {
            "once" => Some(1),
            "twice" => Some(2),
            _ => by_word
                .and_then(|number| u64::try_from(number).ok())
                .or_else(|| text.replace(['_', ','], "").parse().ok()),
        }
    }

    /// Its parts, for the written form.
    pub(crate) fn written(&self) -> String {
        let parts: Vec<&str> = self.parts.values().map(String::as_str).collect();
        parts.join(", ")
    }

    /// Returns the words of code that its names have.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut all = Vec::new();
        for place in PLACES {
            if let Some((owner, name)) = self.symbol(place) {
                all.push(name.to_owned());
                all.extend(owner.map(str::to_owned));
            }
        }
        all
    }
}

/// Returns the owner and the name of `Owner.name()`, `a::b::name` or `Owner#name`, or `None` if the
/// text is no name.
pub(crate) fn symbol(text: &str) -> Option<(Option<&str>, &str)> {
    let text = text.split_once('(').map_or(text, |(head, _)| head);
    let text = text
        .trim_start_matches(['&', '*', '$', '@'])
        .trim_end_matches(['!', '?', ';']);
    let parts: Vec<&str> = text
        .split(['.', '#', ':', '\\', '/'])
        .flat_map(|part| part.split("->"))
        .filter(|part| !part.is_empty())
        .collect();
    let is_name = |part: &&str| {
        part.chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '$')
    };
    if parts.is_empty() || !parts.iter().all(is_name) || text.contains('/') {
        return None;
    }
    let owner = parts
        .len()
        .checked_sub(2)
        .and_then(|at| parts.get(at))
        .copied();
    Some((owner, parts[parts.len() - 1]))
}

fn is_known_file(name: &str) -> bool {
    matches!(
        name,
        "Makefile" | "Dockerfile" | "Gemfile" | "Rakefile" | "LICENSE" | "justfile"
    )
}
