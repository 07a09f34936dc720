//! Environment variables that the code reads: all of them, or the one that words describe.

use std::collections::{BTreeMap, BTreeSet};

use grounds_claims::Claim;
use grounds_evidence::{ConfidenceLevel, FileRole, name};
use grounds_repo::role;
use rust_stemmers::{Algorithm, Stemmer};

use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled};
use crate::words::is_in;

/// Words of code that make a text in capitals beside them the name of a variable.
const READING: &str = "env envs environment getenv envvar envvars getenvironmentvariable";
/// Limit on the bytes that are searched.
const BYTES_MAX: u64 = 64 << 20;
/// Number of lines above and below a read that may say its purpose.
const ABOVE: usize = 4;
const BELOW: usize = 3;
/// Limit on the variables that are shown if several fit equally.
const OPEN_MAX: usize = 3;
/// Variables that are shown as leads.
const LEADS_MAX: usize = 6;
/// The worth of a word in the name of a variable, and on the line that reads it; near it, a word is
/// worth 1.
const IN_NAME: usize = 3;
const ON_LINE: usize = 2;
/// Number of first letters by which two words are equal: `verify` and `verifications`, `color` and
/// `coloured`.
const PREFIX: usize = 5;

/// A variable with the places that read it, and the asked words in its name and around it.
#[derive(Default)]
struct Variable {
    of_name: BTreeSet<usize>,
    on_line: BTreeSet<usize>,
    around: BTreeSet<usize>,
    spots: Vec<SettledSpot>,
}

impl Variable {
    fn worth(&self) -> usize {
        let worth = |word: &usize| match () {
            () if self.of_name.contains(word) => IN_NAME,
            () if self.on_line.contains(word) => ON_LINE,
            () => 1,
        };
        self.of_name.union(&self.around).map(worth).sum()
    }

    fn covers(&self) -> usize {
        self.of_name.union(&self.around).count()
    }

    /// Reports whether it has all words, or all but one if no other variable has as many.
    fn fits(&self, words: usize, is_alone: bool) -> bool {
        let covers = self.covers();
        let is_most = is_alone && covers + 1 >= words && (covers > 1 || self.worth() >= IN_NAME);
        !self.of_name.is_empty() && (covers == words || is_most)
    }
}

/// Reports whether a word is among stems in any spelling: `color` for "colours", `verify` for
/// "verifications".
fn is_among(word: &str, stems: &BTreeSet<String>) -> bool {
    let start = |text: &str| text.chars().take(PREFIX).collect::<String>();
    let is_long = |text: &str| text.chars().count() >= PREFIX;
    let same = |stem: &String| {
        stem == word || is_long(word) && is_long(stem) && start(stem) == start(word)
    };
    stems.iter().any(same)
}

/// Reports whether a variable has a word in its name: as a part, or inside a name without parts
/// (`SSLKEYLOGFILE`).
fn is_in_name(word: &str, variable: &str, stems: &BTreeSet<String>) -> bool {
    let is_joined = !variable.contains('_') && word.len() > 2;
    is_among(word, stems) || is_joined && variable.to_lowercase().contains(word)
}

/// Decides which variable is meant; without words, lists all that are read.
pub(super) fn settle(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let text = claim.text(1).unwrap_or_default();
    let stemmer = Stemmer::create(Algorithm::English);
    let words = words(text, &stemmer);
    let found = search(&words, &stemmer, desk)?;
    if found.is_empty() {
        let why = "no place was found that reads an environment variable";
        return Err(Unsettled::unknown(why));
    }
    if text.is_empty() {
        return Ok(all_read(&found, desk));
    }
    chosen(text, words.len(), found, desk)
}

/// Returns the stems of the describing words. Words that only say that something is set describe
/// nothing.
fn words(text: &str, stemmer: &Stemmer) -> Vec<String> {
    const SETTING: &str = "sets set controls control overrides override switch switches turn turns enable enables \
        disable disables lets let makes make tells tell move moving limit limits cap want through number option \
        options setting settings value default";
    let lower = text.to_lowercase();
    let is_one = |word: &&str| word.len() > 2 && !is_in(SETTING, word);
    let of_word = |word: &str| stemmer.stem(&word.replace("our", "or")).into_owned();
    let all: Vec<&str> = lower.split([' ', '-', '\'']).collect();
    let hard = all.iter().copied().filter(is_one).map(of_word);
    let hard: Vec<String> = hard.collect();
    match hard.is_empty() {
        true => all.into_iter().map(of_word).collect(),
        false => hard,
    }
}

fn search(
    words: &[String],
    stemmer: &Stemmer,
    desk: &Desk<'_, '_>,
) -> Result<BTreeMap<String, Variable>, Unsettled> {
    let (mut found, mut bytes) = (BTreeMap::new(), 0);
    for file in &desk.tree.files {
        let role = role::of(file);
        if !matches!(role, FileRole::Source | FileRole::Header | FileRole::Build) {
            continue;
        }
        let Some(text) = desk.tree.text(file.as_str()) else {
            continue;
        };
        bytes += text.len() as u64;
        if bytes > BYTES_MAX {
            let why = "the tree is too large to look for environment variables";
            return Err(Unsettled::unknown(why));
        }
        // Every way to read the environment has these letters, so other files are not read line by
        // line.
        if text.to_lowercase().contains("env") {
            look(file.as_str(), &text, words, stemmer, &mut found);
        }
    }
    Ok(found)
}

/// Returns the stems of the words of a text, in the American spelling.
fn stems(text: &str, stemmer: &Stemmer) -> BTreeSet<String> {
    let words = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    let american = words
        .flat_map(name::words)
        .map(|word| word.replace("our", "or"));
    american
        .map(|word| stemmer.stem(&word).into_owned())
        .collect()
}

/// Notes the variables that a file reads.
fn look(
    path: &str,
    text: &str,
    words: &[String],
    stemmer: &Stemmer,
    found: &mut BTreeMap<String, Variable>,
) {
    let lines: Vec<&str> = text.lines().collect();
    let stems = |text: &str| stems(text, stemmer);
    let numbers = |is_one: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..words.len())
            .filter(|number| is_one(&words[*number]))
            .collect()
    };
    for (at, line) in lines.iter().enumerate() {
        for variable in read_in(line) {
            let around = lines[at.saturating_sub(ABOVE)..(at + BELOW).min(lines.len())].join(" ");
            let entry = found.entry(variable.clone()).or_default();
            let (own, here) = (stems(&variable), stems(line));
            let beside = stems(&format!("{path} {around}"));
            entry
                .of_name
                .extend(numbers(&|word| is_in_name(word, &variable, &own)));
            entry.on_line.extend(numbers(&|word| is_among(word, &here)));
            entry
                .around
                .extend(numbers(&|word| is_among(word, &beside)));
            let number = u32::try_from(at + 1).unwrap_or(0);
            entry.spots.push(SettledSpot::line(
                path,
                number,
                format!("reads `{variable}`"),
            ));
        }
    }
}

/// Reports whether a line sets a variable and does not read it: `.env("A", "b")`, `env["A"] = "b"`.
fn gives(line: &str, name: &str) -> bool {
    let is_set = |quote: char| {
        let set = line.split_once(&format!("{quote}{name}{quote}] ="));
        set.is_some_and(|(_, value)| !value.starts_with('='))
    };
    line.contains(&format!(".env(\"{name}\",")) || is_set('"') || is_set('\'')
}

/// Returns the variables that a line reads: texts in capitals beside a word for the environment,
/// and `process.env.NAME`.
pub(super) fn read_in(line: &str) -> Vec<String> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut words = line.split(|letter: char| !letter.is_ascii_alphanumeric());
    let is_of_environment = |word: &str| {
        let lower = word.to_lowercase();
        is_in(READING, &lower) || name::words(word).iter().any(|part| is_in(READING, part))
    };
    // `environ` alone may be the WSGI variables that a web server passes for one request.
    if !words.any(is_of_environment) && !line.contains("os.environ") {
        return Vec::new();
    }
    let quoted = line.split(['"', '\'']).skip(1).step_by(2);
    let members = line.split(".env.").skip(1);
    let members = members.map(|rest| {
        rest.split(|letter: char| !is_letter(letter))
            .next()
            .unwrap_or("")
    });
    let is_name = |text: &&str| {
        text.len() > 2
            && text.chars().all(is_letter)
            && text.starts_with(|letter: char| letter.is_ascii_uppercase() || letter == '_')
            && !text.contains(|letter: char| letter.is_ascii_lowercase())
    };
    let mut names: Vec<String> = quoted
        .chain(members)
        .filter(is_name)
        .map(str::to_owned)
        .collect();
    // `Command::env("A", "b")` sets a variable for another process.
    names.retain(|name| !gives(line, name));
    names.sort_unstable();
    names.dedup();
    names
}

/// Lists every variable that is read, each with its first place.
fn all_read(found: &BTreeMap<String, Variable>, desk: &Desk<'_, '_>) -> Settled {
    let firsts = found.values().filter_map(|variable| variable.spots.first());
    let spots: Vec<SettledSpot> = firsts.cloned().collect();
    let names: Vec<String> = found.keys().map(|name| format!("`{name}`")).collect();
    let told = format!("The code reads {}: {}.", names.len(), names.join(", "));
    Settled::told(None, desk.section(told, &spots, 1)).at(
        ConfidenceLevel::Medium,
        "a name that is put together while the program runs is not seen",
    )
}

/// Chooses the variable that shares the most words, if it lacks one at most; several if they share
/// as many.
fn chosen(
    text: &str,
    words: usize,
    found: BTreeMap<String, Variable>,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let mut ranked: Vec<(String, Variable)> = found.into_iter().collect();
    // Of equal variables, those with the name of the project are its own.
    let is_own = |part: &str| desk.tree.is_project(&part.to_lowercase());
    let rank = |(name, variable): &(String, Variable)| {
        (
            variable.covers(),
            variable.worth(),
            name.split('_').any(is_own),
        )
    };
    ranked.sort_by_key(|one| std::cmp::Reverse(rank(one)));
    let first = ranked.first().map(rank);
    let near = ranked
        .iter()
        .take_while(|one| Some(rank(one)) == first)
        .count();
    let fits = |(name, variable): &(String, Variable)| {
        let others = others(name, &is_own);
        // With a single word, a name with other telling parts may be of something else.
        variable.fits(words, near == 1) && (words > 1 || others <= variable.of_name.len())
    };
    if near > OPEN_MAX || !ranked.first().is_some_and(fits) {
        ranked.truncate(LEADS_MAX);
        let why = format!("no single environment variable is about `{text}`");
        return Err(Unsettled::unknown(why).with(&firsts(&ranked)));
    }
    ranked.truncate(near);
    Ok(told(text, &ranked, desk))
}

/// Answers with the variables that words may mean: all places of a single one, or the first place
/// of each.
fn told(text: &str, ranked: &[(String, Variable)], desk: &Desk<'_, '_>) -> Settled {
    let names: Vec<String> = ranked.iter().map(|(name, _)| format!("`{name}`")).collect();
    let spots = match ranked {
        [(_, only)] => only.spots.clone(),
        several => firsts(several),
    };
    let names = names.join(" or ");
    let told =
        format!("{names}: the environment variable that shares the most words with `{text}`:");
    let because = "the variable is identified by words only";
    Settled::told(None, desk.section(told, &spots, 2)).at(ConfidenceLevel::Medium, because)
}

/// Returns the first place of each variable.
fn firsts(ranked: &[(String, Variable)]) -> Vec<SettledSpot> {
    let firsts = ranked
        .iter()
        .filter_map(|(_, variable)| variable.spots.first());
    firsts.cloned().collect()
}

/// Counts the parts of a name that say its purpose: neither the project's name nor words that any
/// name has.
fn others(name: &str, is_own: &dyn Fn(&str) -> bool) -> usize {
    const PLAIN: &str = "no path file dir home url name";
    let parts = name.split('_').filter(|part| !is_own(part));
    parts
        .filter(|part| !is_in(PLAIN, &part.to_lowercase()))
        .count()
}
