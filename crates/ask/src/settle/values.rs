//! The value of a constant, a default or a key.

use grounds_claims::Claim;
use grounds_evidence::{ConfidenceLevel, FileRole, Relation, SymbolKind, name};
use grounds_repo::role;
use rust_stemmers::{Algorithm, Stemmer};

use super::subject::{Subject, definition_spot, resolve};
use super::{Decision, Desk, Settled, Spot, Unsettled, counted, sites};
use crate::understand::tree::owners;

/// Places of one key that are still an answer.
const KEYS_MAX: usize = 6;
/// Bytes of files that are looked through for a default that is described in words.
const BYTES_MAX: u64 = 64 << 20;
/// Defaults that are shown.
const DEFAULTS_MAX: usize = 4;

/// Decides what a value is.
pub(super) fn settle(claim: &Claim, desk: &Desk<'_, '_>) -> Decision {
    let text = claim.text(0).unwrap_or_default();
    if text.contains(' ') {
        return of_words(text, claim, desk);
    }
    let subject = match resolve(text, desk) {
        Ok(subject) => subject,
        Err(unsettled) => return of_key_below(text, desk).ok_or(unsettled),
    };
    if subject.owner.is_some()
        && let Some(spots) = assigned(&subject, desk)
    {
        let told = format!("`{text}` is set in {}:", counted(spots.len(), "place"));
        let level = if spots.len() == 1 {
            ConfidenceLevel::High
        } else {
            ConfidenceLevel::Medium
        };
        return Ok(Settled {
            holds: None,
            sections: vec![desk.section(told, &spots, 2)],
            level,
            because: String::new(),
        });
    }
    let mut found: Vec<Spot> = Vec::new();
    for place in &subject.definitions {
        if has_value(place.kind) && sites::in_scope(place, claim, &subject, desk)? {
            found.push(definition_spot(place));
        }
    }
    if subject
        .definitions
        .iter()
        .any(|place| place.role == FileRole::Source)
    {
        let sources: Vec<Spot> = subject
            .definitions
            .iter()
            .filter(|place| has_value(place.kind) && place.role == FileRole::Source)
            .map(definition_spot)
            .collect();
        if !sources.is_empty() && claim.scope.is_everything() {
            found = sources;
        }
    }
    if !found.is_empty() {
        let told = format!(
            "The value of `{text}` stands in {}:",
            counted(found.len(), "place")
        );
        let level = if found.len() == 1 {
            ConfidenceLevel::High
        } else {
            ConfidenceLevel::Medium
        };
        let because = if found.len() == 1 {
            String::new()
        } else {
            "it is defined in several places".to_owned()
        };
        return Ok(Settled {
            holds: None,
            sections: vec![desk.section(told, &found, 16)],
            level,
            because,
        });
    }
    if let Some(spots) = assigned(&subject, desk) {
        let told = format!("`{text}` is set in {}:", counted(spots.len(), "place"));
        let level = if spots.len() == 1 {
            ConfidenceLevel::High
        } else {
            ConfidenceLevel::Medium
        };
        return Ok(Settled {
            holds: None,
            sections: vec![desk.section(told, &spots, 2)],
            level,
            because: String::new(),
        });
    }
    if subject.is_defined() && subject.definitions.len() < 3 {
        let told = format!("`{text}` is defined here:");
        let spots = subject.spots();
        return Ok(Settled {
            holds: None,
            sections: vec![desk.section(told, &spots, 30)],
            level: ConfidenceLevel::Medium,
            because: "it is no constant; its definition is shown".to_owned(),
        });
    }
    Err(Unsettled::unknown(format!("no value of `{text}` was found")).with(&subject.spots()))
}

const fn has_value(kind: Option<SymbolKind>) -> bool {
    matches!(
        kind,
        Some(
            SymbolKind::Constant
                | SymbolKind::Variable
                | SymbolKind::Field
                | SymbolKind::Property
                | SymbolKind::Parameter
                | SymbolKind::Variant
                | SymbolKind::Macro
                | SymbolKind::TypeAlias
                | SymbolKind::Target
        )
    )
}

/// The lines that give a key its value: `limit: 2`, `VERSION_NAME=1.0`, `"node": ">=22"`, `charset: str = "utf-8"`.
pub(super) fn assigned(subject: &Subject, desk: &Desk<'_, '_>) -> Option<Vec<Spot>> {
    let mut spots: Vec<Spot> = Vec::new();
    let owner = subject.owner.as_deref();
    for place in &subject.known.places {
        let is_candidate = !matches!(
            place.role,
            FileRole::Test
                | FileRole::Fixture
                | FileRole::Documentation
                | FileRole::Generated
                | FileRole::Vendored
                | FileRole::Example
                | FileRole::Backup
        ) && !matches!(
            place.relation,
            Relation::Calls
                | Relation::Imports
                | Relation::Inherits
                | Relation::Mentions(
                    grounds_evidence::Place::Doc
                        | grounds_evidence::Place::Comment
                        | grounds_evidence::Place::Prose
                )
        );
        if !is_candidate {
            continue;
        }
        let text = desk.tree.text(place.path.as_str())?;
        let lines: Vec<&str> = text.lines().collect();
        let at = place.line.saturating_sub(1) as usize;
        let Some(line) = lines.get(at) else { continue };
        let after = line
            .get(place.column.saturating_sub(1) as usize + place.name.len()..)
            .unwrap_or_default();
        let owned = owner.is_none_or(|owner| {
            ancestors(&lines, at)
                .iter()
                .any(|above| above.contains(owner))
                || place.containers.iter().any(|container| container == owner)
        });
        if owned
            && gives_value(after)
            && !spots
                .iter()
                .any(|spot| spot.path == place.path.as_str() && spot.line == place.line)
        {
            spots.push(Spot::line(place.path.as_str(), place.line, "set here"));
        }
    }
    (!spots.is_empty() && spots.len() <= KEYS_MAX).then_some(spots)
}

/// Whether what stands after a key gives it a literal.
fn gives_value(after: &str) -> bool {
    let rest = after.trim_start_matches(['"', '\'', ']']).trim_start();
    let Some(rest) = rest
        .strip_prefix(':')
        .or_else(|| rest.strip_prefix('=').filter(|rest| !rest.starts_with('=')))
    else {
        return false;
    };
    let value = rest
        .rsplit_once(" = ")
        .map_or(rest, |(_, value)| value)
        .trim_start_matches(['=', '>', ' '])
        .trim();
    is_literal(value)
}

fn is_literal(value: &str) -> bool {
    let value = value.trim_end_matches([',', ';']).trim();
    let first = value.chars().next().unwrap_or(' ');
    let computed = value.len() < 60
        && value.chars().any(|letter| letter.is_ascii_digit())
        && !value.contains('{');
    computed
        || first.is_ascii_digit()
        || "\"'`-[{".contains(first)
        || [
            "true",
            "false",
            "null",
            "None",
            "nil",
            "True",
            "False",
            "undefined",
        ]
        .contains(&value.split([',', ' ', ')']).next().unwrap_or_default())
        || first.is_ascii_uppercase() && !value.contains('(')
}

/// The lines above that a line is indented under, the nearest first.
fn ancestors<'t>(lines: &[&'t str], at: usize) -> Vec<&'t str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let section = lines[..at.min(lines.len())]
        .iter()
        .rev()
        .find(|line| line.starts_with('[') && line.trim_end().ends_with(']'));
    let mut least = lines.get(at).map_or(0, |line| indent(line));
    let mut above = Vec::new();
    for line in lines[..at.min(lines.len())].iter().rev().take(600) {
        if !line.trim().is_empty() && indent(line) < least {
            least = indent(line);
            above.push(*line);
            if least == 0 {
                break;
            }
        }
    }
    above.extend(section);
    above
}

/// `pagination.requestLimit`: a key below another one.
fn of_key_below(text: &str, desk: &Desk<'_, '_>) -> Option<Settled> {
    let owner = owners(text).last().map(|owner| (*owner).to_owned())?;
    let last = crate::understand::tree::last_part(text).to_owned();
    let known = desk.tree.know(&[last.as_str()]).remove(0);
    let subject = Subject {
        text: text.to_owned(),
        name: last,
        owner: Some(owner),
        definitions: Vec::new(),
        namesakes: Vec::new(),
        known,
    };
    let spots = assigned(&subject, desk)?;
    let told = format!("`{text}` is set in {}:", counted(spots.len(), "place"));
    Some(Settled {
        holds: None,
        sections: vec![desk.section(told, &spots, 2)],
        level: if spots.len() == 1 {
            ConfidenceLevel::High
        } else {
            ConfidenceLevel::Medium
        },
        because: String::new(),
    })
}

/// A default that is described: a line that gives a name a literal, where the name, what it stands under and the file hold all words.
fn of_words(text: &str, claim: &Claim, desk: &Desk<'_, '_>) -> Decision {
    let stemmer = Stemmer::create(Algorithm::English);
    let words: Vec<String> = text
        .split(' ')
        .map(|word| stemmer.stem(&word.to_lowercase()).into_owned())
        .collect();
    let mut found: Vec<(usize, Spot)> = Vec::new();
    let mut bytes = 0;
    for file in &desk.tree.files {
        let of = role::of(file);
        if !matches!(
            of,
            FileRole::Source | FileRole::Header | FileRole::Data | FileRole::Build
        ) || !in_inside(file.as_str(), claim, desk)
        {
            continue;
        }
        let Some(source) = desk.tree.text(file.as_str()) else {
            continue;
        };
        bytes += source.len() as u64;
        if bytes > BYTES_MAX {
            return Err(Unsettled::unknown(
                "the tree is too large to look for a default that is described in words",
            ));
        }
        let lower = source.to_lowercase();
        if words.iter().filter(|word| **word != "default").all(|word| {
            lower.contains(word.as_str()) || file.as_str().to_lowercase().contains(word.as_str())
        }) {
            in_file(file.as_str(), &source, &words, &stemmer, &mut found);
        }
    }
    let best = found.iter().map(|(by_name, _)| *by_name).max().unwrap_or(0);
    let is_few = found.len() <= DEFAULTS_MAX;
    let kept: Vec<Spot> = found
        .into_iter()
        .filter(|(by_name, _)| is_few || *by_name == best)
        .map(|(_, spot)| spot)
        .collect();
    if kept.is_empty() || kept.len() > DEFAULTS_MAX {
        return Err(Unsettled::unknown(format!("no single place gives `{text}`")).with(&kept));
    }
    let told = format!("`{text}` stands in {}:", counted(kept.len(), "place"));
    let is_sure = kept.len() == 1 && best >= 2;
    Ok(Settled {
        holds: None,
        sections: vec![desk.section(told, &kept, 2)],
        level: if is_sure {
            ConfidenceLevel::High
        } else {
            ConfidenceLevel::Medium
        },
        because: if is_sure {
            String::new()
        } else {
            "the name of the value is told from words".to_owned()
        },
    })
}

fn in_inside(path: &str, claim: &Claim, desk: &Desk<'_, '_>) -> bool {
    claim.scope.inside.is_empty()
        || claim.scope.inside.iter().any(|text| {
            desk.tree
                .files_of(text)
                .iter()
                .any(|file| file.as_str() == path)
                || desk
                    .tree
                    .folders_of(text)
                    .iter()
                    .any(|folder| path.starts_with(&format!("{folder}/")))
        })
}

fn in_file(
    path: &str,
    source: &str,
    words: &[String],
    stemmer: &Stemmer,
    found: &mut Vec<(usize, Spot)>,
) {
    let stems = |text: &str| -> Vec<String> {
        text.split_whitespace()
            .flat_map(name::words)
            .map(|word| stemmer.stem(&word).into_owned())
            .collect()
    };
    let lines: Vec<&str> = source.lines().collect();
    let of_path = stems(path);
    for (at, line) in lines.iter().enumerate() {
        let trimmed = line.trim();
        if trimmed.starts_with("//")
            || trimmed.starts_with('*')
            || trimmed.starts_with('#')
            || trimmed.len() > 240
        {
            continue;
        }
        let split = trimmed
            .char_indices()
            .find(|(_, letter)| *letter == '=' || *letter == ':')
            .map(|(at, _)| at);
        let Some((left, right)) = split.map(|at| (&trimmed[..at], &trimmed[at..])) else {
            continue;
        };
        if !gives_value(right) || left.contains('(') || left.is_empty() {
            continue;
        }
        let of_name = stems(left);
        let by_name = words.iter().filter(|word| of_name.contains(word)).count();
        if by_name == 0 {
            continue;
        }
        let of_above: Vec<String> = ancestors(&lines, at)
            .iter()
            .flat_map(|above| stems(above))
            .collect();
        let holds = |word: &String| {
            of_name.contains(word) || of_above.contains(word) || of_path.contains(word)
        };
        if words.iter().all(holds) {
            found.push((
                by_name,
                Spot::line(path, u32::try_from(at + 1).unwrap_or(0), "set here"),
            ));
        }
    }
}
