//! What a question about continuous integration asks of the service: which commit or branch, which
//! workflow, and whether or why it failed. Reads only the words of the question.

/// Words of a question that are read.
const WORDS_MAX: usize = 200;
/// Minimum number of letters of a shortened hash.
const HASH_LETTERS_MIN: usize = 7;

/// What a question asks of a service of CI.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CiQuestion {
    /// The runs that it is about.
    pub about: RunsAbout,
    /// Whether it assumes that something failed.
    pub asks: Asks,
    /// A workflow that it names by its form: `the deploy workflow`, `deploy.yml`. `None` if it
    /// names no workflow.
    pub claimed: Option<String>,
    words: Vec<CiWord>,
    quoted: Vec<String>,
}

/// The runs that a question is about.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum RunsAbout {
    /// It does not say: those of the checked-out commit.
    #[default]
    Unsaid,
    /// Those of the checked-out commit, and of no other.
    ThisCommit,
    /// Those of another commit, as written: a hash, or `HEAD~2`.
    Commit(String),
    /// Those of the newest commit of a branch.
    Branch(String),
    /// The newest run.
    Newest,
}

/// What is asked of the runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Asks {
    /// How they ended.
    #[default]
    Whether,
    /// Why, or in what, they failed: some run did fail.
    Why,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct CiWord {
    lower: String,
    text: String,
}

/// Words that a question about CI has whichever workflow it means. A workflow with such a name must
/// be named more plainly.
const COMMON: &[&str] = &[
    "ci",
    "cd",
    "ci/cd",
    "build",
    "builds",
    "test",
    "tests",
    "testing",
    "check",
    "checks",
    "main",
    "master",
    "workflow",
    "workflows",
    "pipeline",
    "pipelines",
    "run",
    "runs",
    "job",
    "jobs",
    "step",
    "action",
    "actions",
    "github",
    "gitlab",
    "push",
    "pull",
    "request",
    "merge",
    "last",
    "latest",
    "newest",
    "recent",
    "previous",
    "current",
    "failed",
    "failing",
    "failure",
    "broken",
    "passing",
    "successful",
    "green",
    "red",
    "all",
    "any",
    "every",
    "each",
    "the",
    "a",
    "an",
    "this",
    "that",
    "my",
    "our",
    "your",
    "its",
    "these",
    "those",
    "on",
    "in",
    "of",
    "for",
    "by",
    "with",
    "from",
    "which",
    "what",
    "why",
    "how",
    "did",
    "does",
    "do",
    "is",
    "are",
    "was",
    "were",
    "has",
    "have",
    "and",
    "or",
    "not",
    "no",
    "another",
    "other",
    "first",
    "commit",
    "branch",
    "code",
    "status",
    "result",
    "results",
];
const NEWEST: &[&str] = &["last", "latest", "newest", "most", "recent"];
const RUNS: &[&str] = &[
    "run",
    "runs",
    "pipeline",
    "pipelines",
    "workflow",
    "job",
    "build",
];
const LONG_LIVED: &[&str] = &["main", "master", "develop", "trunk", "dev"];

impl CiQuestion {
    /// Reads the words of a question.
    pub fn of_text(text: &str) -> Self {
        let words: Vec<CiWord> = text
            .split_whitespace()
            .take(WORDS_MAX)
            .map(word)
            .filter(|word| !word.lower.is_empty())
            .collect();
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.lower.as_str()));
        // "Why did CI fail?", "What broke the build?"; "Which job is red?" needs the word that
        // asks.
        let asks = if has(&[
            "why", "failed", "failing", "fails", "broke", "breaks", "breaking", "cause", "caused",
            "wrong",
        ]) || (has(&["what", "which", "where"])
            && has(&["fail", "failure", "failures", "error", "errors", "red"]))
        {
            Asks::Why
        } else {
            Asks::Whether
        };
        Self {
            about: about(&words),
            asks,
            claimed: claimed(&words),
            quoted: quoted(text),
            words,
        }
    }

    /// Reports whether the question names this workflow, by its name or its file.
    pub fn names(&self, name: &str, file: Option<&str>) -> bool {
        let file = file
            .and_then(|file| file.rsplit('/').next())
            .map(str::to_lowercase);
        let of_file = |file: &String| {
            self.words.iter().any(|word| word.lower == *file) || self.quoted.contains(file)
        };
        let stem = file
            .as_deref()
            .and_then(|file| file.rsplit_once('.'))
            .map(|(stem, _)| stem.to_owned());
        file.as_ref().is_some_and(of_file)
            || self.speaks_of(name)
            || stem.is_some_and(|stem| self.speaks_of(&stem))
    }

    /// Reports whether the question contains a name. A name of common words must be marked as a
    /// name.
    fn speaks_of(&self, name: &str) -> bool {
        let name: Vec<String> = name
            .split_whitespace()
            .map(|part| word(part).lower)
            .filter(|part| !part.is_empty())
            .collect();
        // "Did the build pass?" names no workflow `build`; "the build workflow" and "the workflow
        // called build" do.
        let is_common = name.iter().all(|part| COMMON.contains(&part.as_str()));
        let is_kind = |word: Option<&CiWord>| {
            word.is_some_and(|word| ["workflow", "pipeline"].contains(&word.lower.as_str()))
        };
        let is_plain = |start: usize| {
            let called = start.checked_sub(1).map(|before| &self.words[before]);
            let named_before = called
                .is_some_and(|word| ["called", "named"].contains(&word.lower.as_str()))
                || is_kind(called);
            !is_common || named_before || is_kind(self.words.get(start + name.len()))
        };
        let stands = |start: usize| {
            self.words[start..start + name.len()]
                .iter()
                .zip(&name)
                .all(|(word, part)| word.lower == *part)
        };
        let starts = (self.words.len() + 1).saturating_sub(name.len().max(1));
        !name.is_empty()
            && (self.quoted.contains(&name.join(" "))
                || (0..starts).any(|start| stands(start) && is_plain(start)))
    }
}

fn word(text: &str) -> CiWord {
    // `HEAD^` and `HEAD~` end in such a mark.
    let text =
        text.trim_matches(|letter: char| !letter.is_alphanumeric() && !"~^".contains(letter));
    CiWord {
        lower: text.to_lowercase(),
        text: text.to_owned(),
    }
}

/// Returns the texts between quotation marks or backticks.
fn quoted(text: &str) -> Vec<String> {
    let between = |mark: char| {
        text.split(mark)
            .skip(1)
            .step_by(2)
            .map(|inner| inner.trim().to_lowercase())
            .collect::<Vec<_>>()
    };
    ['"', '`', '\'']
        .into_iter()
        .flat_map(between)
        .filter(|inner| !inner.is_empty())
        .collect()
}

fn about(words: &[CiWord]) -> RunsAbout {
    let lower: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
    let revision = words
        .iter()
        .find(|word| is_hash(&word.lower) || is_relative(&word.text));
    let pair = |first: &[&str], second: &[&str]| {
        lower
            .windows(2)
            .any(|pair| first.contains(&pair[0]) && second.contains(&pair[1]))
    };
    // "the last run", "the latest CI pipeline": at most two words come between.
    let newest = lower.iter().enumerate().any(|(at, word)| {
        NEWEST.contains(word)
            && lower[at + 1..]
                .iter()
                .take(3)
                .any(|next| RUNS.contains(next))
    });
    match (revision, branch(words)) {
        // `HEAD` alone is the checked-out commit, `HEAD~1` is another one.
        (Some(word), _) if word.text == "HEAD" => RunsAbout::ThisCommit,
        (Some(word), _) => RunsAbout::Commit(word.text.clone()),
        (None, Some(branch)) => RunsAbout::Branch(branch),
        (None, None) if newest => RunsAbout::Newest,
        // "this commit", "my checkout".
        (None, None)
            if pair(
                &["this", "my", "current", "checked-out"],
                &["commit", "checkout"],
            ) =>
        {
            RunsAbout::ThisCommit
        }
        (None, None) => RunsAbout::Unsaid,
    }
}

/// Returns the name of the branch in "on main", "on the release branch", "on branch feature/x".
fn branch(words: &[CiWord]) -> Option<String> {
    let lower = |at: usize| words.get(at).map_or("", |word| word.lower.as_str());
    let is_name =
        |name: &str| !name.is_empty() && (LONG_LIVED.contains(&name) || !COMMON.contains(&name));
    let named = (0..words.len()).find_map(|at| match (lower(at), lower(at + 1), lower(at + 2)) {
        // "this branch failed" names no branch.
        ("branch", name, _) if is_name(name) && lower(at.wrapping_sub(1)) != "this" => Some(at + 1),
        ("on" | "of" | "for" | "in", "the", name) if lower(at + 3) == "branch" && is_name(name) => {
            Some(at + 2)
        }
        ("on" | "of" | "for" | "in", name, "branch") if is_name(name) => Some(at + 1),
        // "on Tuesday" is no branch, so without the word only the usual names are.
        ("on", name, _) if LONG_LIVED.contains(&name) => Some(at + 1),
        _ => None,
    });
    named.map(|at| words[at].text.clone())
}

fn is_hash(word: &str) -> bool {
    // Letters alone may be a word (`defaced`), digits alone a number.
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    (HASH_LETTERS_MIN..=64).contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        && digits >= 2
        && digits < word.len()
}

/// Reports whether a word is `HEAD`, `HEAD~2` or `HEAD^`.
fn is_relative(word: &str) -> bool {
    word.strip_prefix("HEAD").is_some_and(|rest| {
        rest.len() < 10
            && rest
                .bytes()
                .all(|byte| b"~^".contains(&byte) || byte.is_ascii_digit())
    })
}

/// Returns a workflow that is named by the form of the words: "deploy.yml", "the deploy workflow".
fn claimed(words: &[CiWord]) -> Option<String> {
    let is_file = |word: &&CiWord| {
        [".yml", ".yaml"]
            .iter()
            .any(|ending| word.lower.len() > ending.len() && word.lower.ends_with(ending))
    };
    let file = words.iter().find(is_file).map(|word| word.text.clone());
    let before = words
        .windows(2)
        .find(|pair| pair[1].lower == "workflow" && !COMMON.contains(&pair[0].lower.as_str()));
    file.or_else(|| before.map(|pair| pair[0].text.clone()))
}

#[cfg(test)]
mod tests;
