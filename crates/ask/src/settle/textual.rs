//! Environment variables that the code reads, selected by their subject.

use std::collections::BTreeMap;

use grounds_claims::{Claim, Quantifier, names};
use grounds_evidence::{ConfidenceLevel, FileRole, MentionPlace as Mention, Relation, name};
use grounds_repo::labels::LabelledPlace;
use grounds_repo::role;
use rust_stemmers::{Algorithm, Stemmer};

use super::subject::ClaimSubject;
use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled, counted, sites};

/// What stands before the name of a variable where it is read.
const READS: &[&str] = &[
    "env::var(\"",
    "env::var_os(\"",
    "env!(\"",
    "option_env!(\"",
    "os.environ[\"",
    "os.environ['",
    "os.environ.get(\"",
    "os.environ.get('",
    "os.getenv(\"",
    "os.getenv('",
    "environ.get(\"",
    "environ.get('",
    "ENV[\"",
    "ENV['",
    "ENV.fetch(\"",
    "ENV.fetch('",
    "ENV.key?(\"",
    "process.env.",
    "process.env['",
    "process.env[\"",
    "os.Getenv(\"",
    "os.LookupEnv(\"",
    "System.getenv(\"",
    "getenv(\"",
    "getenv('",
    "GetEnvironmentVariable(\"",
    "$_ENV['",
    "$_SERVER['",
    "env('",
    "env(\"",
    "Env.get(\"",
    ".env(\"",
    "envvar=\"",
    "from_env(\"",
];
/// Bytes that are looked through.
const BYTES_MAX: u64 = 64 << 20;

/// Where code has the name of an environment variable, or of a key, as a string: nothing defines
/// it. `None` for other names and claims.
pub(super) fn named(
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<Option<Settled>, Unsettled> {
    let is_loud = subject.text.contains('_') && !subject.text.contains(char::is_lowercase);
    let holds = match claim.quantifier {
        Quantifier::Some => None,
        Quantifier::Any => Some(true),
        _ => return Ok(None),
    };
    if !is_loud || subject.is_defined() || claim.predicate != &names::USES || claim.is_negated {
        return Ok(None);
    }
    let in_string = |place: &&LabelledPlace| {
        place.relation == Relation::Mentions(Mention::String)
            && role::is_code(place.role, &place.path)
    };
    let mut found = Vec::new();
    for place in subject.known.places().iter().filter(in_string) {
        if sites::in_scope(place, claim, subject, desk)? {
            found.push(place.clone());
        }
    }
    if found.is_empty() {
        return Ok(None);
    }
    let word = if holds.is_some() { "Yes: code" } else { "Code" };
    let name = &subject.text;
    let told = format!(
        "{word} has `{name}` as a text in {}:",
        counted(found.len(), "place")
    );
    Ok(Some(Settled::told(
        holds,
        desk.section(told, &sites::spots(&found), 1),
    )))
}

/// The variable whose name, and the lines around where it is read, share the most with the words.
pub(super) fn environment(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let words = claim.text(1).unwrap_or_default();
    let stemmer = Stemmer::create(Algorithm::English);
    let wanted: Vec<String> = words
        .split(' ')
        .map(|word| stemmer.stem(&word.to_lowercase()).into_owned())
        .filter(|word| word.len() > 2)
        .collect();
    let mut found: BTreeMap<String, (usize, usize, Vec<SettledSpot>)> = BTreeMap::new();
    let mut bytes = 0;
    for file in &desk.tree.files {
        if !matches!(
            role::of(file),
            FileRole::Source | FileRole::Header | FileRole::Build
        ) {
            continue;
        }
        let Some(text) = desk.tree.text(file.as_str()) else {
            continue;
        };
        bytes += text.len() as u64;
        if bytes > BYTES_MAX {
            return Err(Unsettled::unknown(
                "the tree is too large to look for environment variables",
            ));
        }
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            for variable in read_in(line) {
                let of_name = shared(&name::words(&variable), &wanted, &stemmer);
                let around = lines[at.saturating_sub(4)..(at + 3).min(lines.len())].join(" ");
                let around: Vec<String> = around.split_whitespace().flat_map(name::words).collect();
                let of_lines = shared(&around, &wanted, &stemmer);
                let entry = found.entry(variable).or_insert((of_name, 0, Vec::new()));
                entry.1 = entry.1.max(of_lines);
                entry.2.push(SettledSpot::line(
                    file.as_str(),
                    u32::try_from(at + 1).unwrap_or(0),
                    "read here",
                ));
            }
        }
    }
    if words.is_empty() {
        return all_read(found, desk);
    }
    chosen(words, found, desk)
}

/// Every variable that is read, each with its first place.
fn all_read(
    found: BTreeMap<String, (usize, usize, Vec<SettledSpot>)>,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let spots: Vec<SettledSpot> = found
        .iter()
        .filter_map(|(name, (_, _, spots))| {
            spots.first().map(|spot| SettledSpot {
                what: format!("reads `{name}`"),
                ..spot.clone()
            })
        })
        .collect();
    if spots.is_empty() {
        return Err(Unsettled::unknown(
            "no place was found that reads an environment variable",
        ));
    }
    let names: Vec<String> = found.keys().map(|name| format!("`{name}`")).collect();
    let told = format!("The code reads {}: {}.", names.len(), names.join(", "));
    Ok(Settled::told(None, desk.section(told, &spots, 1)).at(
        ConfidenceLevel::Medium,
        "a name that is put together while the program runs is not seen",
    ))
}

fn chosen(
    words: &str,
    found: BTreeMap<String, (usize, usize, Vec<SettledSpot>)>,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let mut ranked: Vec<(usize, usize, String, Vec<SettledSpot>)> = found
        .into_iter()
        .map(|(name, (of_name, of_lines, spots))| (of_name, of_lines, name, spots))
        .collect();
    ranked.sort_by_key(|(of_name, of_lines, name, _)| {
        (std::cmp::Reverse((*of_name, *of_lines)), name.clone())
    });
    let all: Vec<SettledSpot> = ranked
        .iter()
        .take(6)
        .filter_map(|(_, _, name, spots)| {
            spots.first().map(|spot| SettledSpot {
                what: format!("reads `{name}`"),
                ..spot.clone()
            })
        })
        .collect();
    let mut best = ranked.into_iter();
    let Some((of_name, of_lines, name, spots)) = best.next() else {
        return Err(Unsettled::unknown(
            "no place was found that reads an environment variable",
        ));
    };
    let mut spots = spots;
    let mut name = format!("`{name}`");
    let tied: Vec<_> = best
        .take_while(|(other_name, other_lines, ..)| {
            (*other_name, *other_lines) == (of_name, of_lines)
        })
        .collect();
    if let [(_, _, other, places)] = tied.as_slice() {
        name = format!("{name} or `{other}`");
        spots.extend(places.iter().cloned());
    }
    if of_name == 0 || tied.len() > 1 {
        return Err(Unsettled::unknown(format!(
            "several environment variables may be about `{words}`"
        ))
        .with(&all));
    }
    let told = format!(
        "{name} is the environment variable whose name and surroundings share the most with these words:"
    );
    Ok(Settled::told(None, desk.section(told, &spots, 2)).at(
        ConfidenceLevel::Medium,
        "the variable is identified by words only",
    ))
}

/// How many of the wanted words are among some, by stems or as a beginning.
fn shared(words: &[String], wanted: &[String], stemmer: &Stemmer) -> usize {
    let stems: Vec<String> = words
        .iter()
        .map(|word| stemmer.stem(word).into_owned())
        .collect();
    wanted.iter().filter(|word| stems.contains(word)).count()
}

/// The variables that a line reads, and constants that are named like one and hold its name.
fn read_in(line: &str) -> Vec<String> {
    let mut names = Vec::new();
    for mark in READS {
        for (at, _) in line.match_indices(mark) {
            let rest = &line[at + mark.len()..];
            let end = rest
                .find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
                .unwrap_or(rest.len());
            let is_name = end > 2
                && rest[..end]
                    .chars()
                    .all(|letter| !letter.is_ascii_lowercase());
            if is_name && !names.contains(&rest[..end].to_owned()) {
                names.push(rest[..end].to_owned());
            }
        }
    }
    names
}
