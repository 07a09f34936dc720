//! Confidence: derived, not computed. Three named properties (quality, coverage,
//! agreement) and one sentence that names the weakest requirement (source
//! document 002, Part IV "Confidence Derivation").

use crate::class::{EvidenceClass, Family};
use crate::corroborate;
use crate::gap::{self, RequirementStanding};
use crate::goal::Goal;
use crate::ledger::{Ledger, LedgerEntry};
use crate::level::Quality;
use crate::observation::Match;
use crate::relation::Relation;
use crate::requirement::Requirement;

/// The certainty that the evidence gives to the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConfidenceLevel {
    /// At least one required class is at None.
    None,
    /// The weakest required class is at Weak.
    Low,
    /// All required classes are at Moderate or better.
    Medium,
    /// All required classes are at Strong or better.
    High,
    /// All required classes are at Verified.
    Complete,
}

/// How many requirements are met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequirementCoverage {
    /// Met.
    pub met: usize,
    /// Required.
    pub required: usize,
}

/// Whether independent families point at the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// No two independent families are about the same place.
    Uncorroborated,
    /// These families agree.
    Agreed(Vec<Family>),
    /// Text and index contradict each other about some places.
    Disputed {
        /// The number of such places.
        places: usize,
    },
    /// A reader found that reported places do not contain the target.
    Contradicted {
        /// The number of such places.
        places: usize,
    },
}

/// The certainty of the answer, and its reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confidence {
    /// The level.
    pub level: ConfidenceLevel,
    /// The least quality over the required classes.
    pub quality: Quality,
    /// How many requirements are met.
    pub coverage: RequirementCoverage,
    /// Whether independent families agree.
    pub agreement: Agreement,
    /// One sentence that names the weakest requirement.
    pub explanation: String,
}

/// Derives the confidence of the answer to a goal from a ledger.
pub fn derive(goal: &Goal, requirements: &[Requirement], ledger: &Ledger) -> Confidence {
    let standings = gap::standings(goal, requirements, ledger);
    let weakest = standings.iter().min_by_key(|standing| standing.have);
    let quality = weakest.map_or(Quality::None, |standing| standing.have);
    let open = open_uses(goal, ledger);
    let level = match open {
        0 => level_of(quality),
        // A use that is not attributed may be missing from the list, so the answer cannot be
        // complete.
        _ => level_of(quality).min(ConfidenceLevel::High),
    };
    let met = standings
        .iter()
        .filter(|standing| standing.have >= standing.requirement.minimum)
        .count();
    let explanation = match weakest {
        Some(weakest) if open > 0 => format!(
            "{}; of {open} more uses of the name the text does not say whose they are",
            explain(level, weakest, ledger)
        ),
        Some(weakest) => explain(level, weakest, ledger),
        None => "None: nothing is required, so no evidence was collected".to_owned(),
    };
    let coverage = RequirementCoverage {
        met,
        required: standings.len(),
    };
    Confidence {
        level,
        quality,
        coverage,
        agreement: agreement(goal, &standings, ledger),
        explanation,
    }
}

/// Returns the number of uses of the names of the goal where the text does not show whose they are.
fn open_uses(goal: &Goal, ledger: &Ledger) -> u64 {
    let of_target = |text: &str| {
        let entries = ledger.about(EvidenceClass::FileSearch, text);
        entries
            .map(|(_, entry)| &entry.observation)
            .filter(|seen| seen.found == Match::OwnerOpen)
            .map(|seen| seen.match_count)
            // Several entries may be about the same uses, so that a sum would count them twice.
            .max()
            .unwrap_or(0)
    };
    goal.targets
        .iter()
        .map(|target| of_target(&target.text))
        .sum()
}

const fn level_of(weakest: Quality) -> ConfidenceLevel {
    match weakest {
        Quality::None => ConfidenceLevel::None,
        Quality::Weak => ConfidenceLevel::Low,
        Quality::Moderate => ConfidenceLevel::Medium,
        Quality::Strong => ConfidenceLevel::High,
        Quality::Verified => ConfidenceLevel::Complete,
    }
}

fn agreement(goal: &Goal, standings: &[RequirementStanding], ledger: &Ledger) -> Agreement {
    let places: usize = goal
        .targets
        .iter()
        .map(|target| corroborate::contradictions(ledger, &target.text))
        .sum();
    // A refuted place outweighs any agreement about the others.
    if places > 0 {
        return Agreement::Contradicted { places };
    }
    let disputed: usize = goal
        .targets
        .iter()
        .map(|target| corroborate::disputes(ledger, &target.text))
        .sum();
    if disputed > 0 {
        return Agreement::Disputed { places: disputed };
    }
    let of_standing = |standing: &RequirementStanding| {
        corroborate::families_agreeing(ledger, standing.requirement.class, &standing.target)
    };
    let mut families: Vec<Family> = standings.iter().flat_map(of_standing).collect();
    // One family may agree for several targets, and is named once.
    families.sort_unstable();
    families.dedup();
    if families.len() < 2 {
        Agreement::Uncorroborated
    } else {
        Agreement::Agreed(families)
    }
}

/// Returns a sentence such as "Medium: FileSearch is only Moderate (grep saw a substring in 4
/// places)".
fn explain(level: ConfidenceLevel, weakest: &RequirementStanding, ledger: &Ledger) -> String {
    let class = weakest.requirement.class;
    let of_target = if weakest.target.is_empty() {
        String::new()
    } else {
        format!(" for `{}`", weakest.target)
    };
    // Of entries with the same rating, the first one is named.
    let best = ledger
        .about(class, &weakest.target)
        .max_by_key(|(id, entry)| (entry.rating(), std::cmp::Reverse(*id)))
        .map(|(_, entry)| entry);
    let saw = best.map_or_else(|| "nothing was collected".to_owned(), describe);
    let level_word = level.as_str();
    match weakest.have {
        Quality::Verified => {
            format!("{level_word}: every requirement is Verified; {class}{of_target}: {saw}")
        }
        have if have >= weakest.requirement.minimum => {
            format!("{level_word}: the weakest requirement, {class}{of_target}, is {have} ({saw})")
        }
        have => format!(
            "{level_word}: {class}{of_target} is only {have}, {} is needed ({saw})",
            weakest.requirement.minimum
        ),
    }
}

/// Returns in words how a relation introduces a name.
const fn introduced(relation: Relation) -> &'static str {
    match relation {
        Relation::Declares => "declared, not defined,",
        Relation::Binds => "as a local name",
        _ => "defined",
    }
}

/// Returns in words what an entry saw.
fn describe(entry: &LedgerEntry) -> String {
    let seen = &entry.observation;
    let places = |count: u64| {
        if count == 1 {
            "1 place".to_owned()
        } else {
            format!("{count} places")
        }
    };
    let tests = |count: u64| {
        if count == 1 {
            "1 test".to_owned()
        } else {
            format!("{count} tests")
        }
    };
    let what = match seen.found {
        Match::Nothing => "found nothing".to_owned(),
        Match::Substring { places: count } => {
            format!("saw it only inside other words, in {}", places(count))
        }
        Match::TokenOverlap => format!(
            "saw some of its words in {}, never together",
            places(seen.match_count)
        ),
        Match::LastNameOnly => format!(
            "saw only its last part in {}, not shown to belong to the rest",
            places(seen.match_count)
        ),
        Match::SymbolReferences { count } => format!("saw it referred to in {}", places(count)),
        Match::SymbolDefinition => format!(
            "saw it {} in {}",
            introduced(seen.relation),
            places(seen.match_count)
        ),
        Match::AllRelevantTestsPassed => {
            format!("saw {} pass, every relevant one", tests(seen.match_count))
        }
        Match::SomeTestsPassed => format!(
            "saw {} of {} pass; the others were skipped, left out, expected to fail or not counted",
            seen.exact_match_count,
            tests(seen.match_count)
        ),
        Match::NoTestRan if seen.match_count == 0 => "saw no test run".to_owned(),
        Match::NoTestRan => format!("saw none of {} run", tests(seen.match_count)),
        other => {
            let row = crate::table::ROWS
                .iter()
                // The counts inside of a match differ from those of the example, so only the kinds
                // are compared.
                .find(|row| std::mem::discriminant(&row.example) == std::mem::discriminant(&other));
            format!(
                "saw {} in {}",
                row.map_or(other.as_str(), |row| row.seen),
                places(seen.match_count)
            )
        }
    };
    format!("{} {what}", seen.tool)
}

impl ConfidenceLevel {
    /// Every level, lowest first.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Low,
        Self::Medium,
        Self::High,
        Self::Complete,
    ];

    /// Returns the word for the level.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Low => "Low",
            Self::Medium => "Medium",
            Self::High => "High",
            Self::Complete => "Complete",
        }
    }
}

impl std::fmt::Display for Agreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Uncorroborated => {
                f.write_str("no two independent families point at the same place")
            }
            Self::Agreed(families) => {
                let words: Vec<&str> = families.iter().map(|family| family.as_str()).collect();
                write!(f, "{} agree", words.join(" and "))
            }
            Self::Disputed { places: 1 } => {
                f.write_str("text and index say what cannot both be of 1 place")
            }
            Self::Disputed { places } => write!(
                f,
                "text and index say what cannot both be of {places} places"
            ),
            Self::Contradicted { places } => write!(
                f,
                "contradicted: {places} of the places reported do not contain the target"
            ),
        }
    }
}
