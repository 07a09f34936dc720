//! The scorecard: the numbers of source document 000, as a second lens.
//!
//! Given the ledger and the requirements it gives every term of a weighted
//! score: for each category of tools the best row of the table that it reached,
//! the weights, the bonuses for categories that agree on a target, band and
//! threshold. It never decides: no module that does imports this one, and a test
//! holds that. Sums are whole numbers; a score of 0.80 is 80 hundredths.

mod conditions;
mod convergence;

use crate::class::EvidenceClass;
use crate::ledger::Ledger;
use crate::observation::{Match, Observation};
use crate::requirement::Requirement;

pub use conditions::Condition;
pub use convergence::{Bonus, Bonuses};

/// A group of tools whose results are not summed: the best of them counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// find, grep, references.
    Search,
    /// read.
    Read,
    /// Builds and tests.
    Verification,
    /// discovery.
    Discovery,
    /// The history.
    Git,
    /// Continuous integration.
    Ci,
}

/// The reason that a category is a part of the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Applies {
    /// The requirements of the goal name it.
    Required,
    /// A tool of it ran, although nothing requires it.
    Ran,
    /// The requirements name it, and a tool of it ran.
    RequiredAndRan,
    /// Neither, so it is not a part of the score.
    No,
}

/// One line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScorecardTerm {
    /// The category.
    pub category: Category,
    /// The reason that it counts.
    pub applies: Applies,
    /// The row of the table that was reached.
    pub condition: Condition,
    /// The tools of the category that returned results, by name.
    pub tools: Vec<&'static str>,
}

/// The range of a total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Band {
    /// No evidence: below 0.25.
    Failed,
    /// A single source, partial: 0.25 to 0.54.
    Weak,
    /// Search and read without convergence: 0.55 to 0.74.
    Adequate,
    /// Search, read and convergence: 0.75 and more.
    Strong,
}

/// A threshold that a total is below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Threshold {
    /// Below 0.50 another look is worth its cost.
    Recovery,
    /// Below 0.20 something is broken: the emergency stop.
    Stop,
}

/// The whole score with each of its terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scorecard {
    /// All categories, in the order of their weights.
    pub terms: Vec<ScorecardTerm>,
    /// The bonuses for categories that agree.
    pub bonuses: Bonuses,
    /// The weighted mean of the categories that apply, in thousandths.
    pub mean_thousandths: u32,
    /// The mean with the bonuses, at most 1000.
    pub total_thousandths: u32,
    /// The range of the total.
    pub band: Band,
    /// The lowest threshold that it is below, if any.
    pub below: Option<Threshold>,
}

/// A total of 1: bonuses go no further.
pub const TOTAL_THOUSANDTHS_MAX: u32 = 1_000;
/// Below this, recovery.
pub const RECOVERY_THOUSANDTHS: u32 = 500;
/// Below this, the emergency stop.
pub const STOP_THOUSANDTHS: u32 = 200;

/// Returns the score of a ledger, for a goal with these requirements.
pub fn of(ledger: &Ledger, requirements: &[Requirement]) -> Scorecard {
    let terms: Vec<ScorecardTerm> = Category::ALL
        .into_iter()
        .map(|category| term(category, ledger, requirements))
        .collect();
    let bonuses = convergence::of(ledger);
    let counted = || terms.iter().filter(|term| term.applies != Applies::No);
    let weights: u32 = counted().map(|term| term.category.weight_tenths()).sum();
    let weighted: u32 = counted()
        .map(|term| term.category.weight_tenths() * term.condition.score_hundredths())
        .sum();
    let mean_thousandths = rounded(weighted * 10, weights);
    // The bonuses are applied before rounding, so that the total is rounded only once.
    let with_bonuses = rounded(weighted * (100 + bonuses.sum_hundredths()), weights * 10);
    let total_thousandths = with_bonuses.min(TOTAL_THOUSANDTHS_MAX);
    Scorecard {
        terms,
        bonuses,
        mean_thousandths,
        total_thousandths,
        band: Band::of(total_thousandths),
        below: Threshold::of(total_thousandths),
    }
}

/// Divides to the nearest whole number; 0 if the divisor is 0.
const fn rounded(dividend: u32, divisor: u32) -> u32 {
    match (dividend + divisor / 2).checked_div(divisor) {
        Some(quotient) => quotient,
        None => 0,
    }
}

fn term(category: Category, ledger: &Ledger, requirements: &[Requirement]) -> ScorecardTerm {
    let required = requirements
        .iter()
        .any(|requirement| Category::of(requirement.class) == category);
    // A tool that ran without a result counts as run, and lowers the score.
    let mut of_category = ledger
        .entries()
        .iter()
        .filter(|entry| Category::of(entry.observation.class) == category);
    // A required category without any result stays in the score and lowers it.
    let applies = match (required, of_category.next().is_some()) {
        (true, true) => Applies::RequiredAndRan,
        (true, false) => Applies::Required,
        (false, true) => Applies::Ran,
        (false, false) => Applies::No,
    };
    ScorecardTerm {
        category,
        applies,
        condition: conditions::reached(category, ledger),
        tools: tools(category, ledger),
    }
}

fn tools(category: Category, ledger: &Ledger) -> Vec<&'static str> {
    let of_category = results(ledger).filter(|seen| Category::of(seen.class) == category);
    let mut tools: Vec<&'static str> = of_category.map(|seen| seen.tool).collect();
    tools.sort_unstable();
    tools.dedup();
    tools
}

/// Returns the observations with results. A read of a text without the target has no result,
/// whatever its rank.
fn results(ledger: &Ledger) -> impl Iterator<Item = &Observation> {
    let is_result = |seen: &&Observation| {
        seen.match_count > 0 && !matches!(seen.found, Match::Nothing | Match::ReadWithoutTarget)
    };
    ledger
        .entries()
        .iter()
        .map(|entry| &entry.observation)
        .filter(is_result)
}

impl Category {
    /// Every category, the weightiest first.
    pub const ALL: [Self; 6] = [
        Self::Read,
        Self::Search,
        Self::Verification,
        Self::Discovery,
        Self::Git,
        Self::Ci,
    ];

    /// Returns the category of the tools that acquire a class.
    pub const fn of(class: EvidenceClass) -> Self {
        match class {
            EvidenceClass::FileSearch => Self::Search,
            EvidenceClass::FileContent => Self::Read,
            EvidenceClass::Discovery => Self::Discovery,
            EvidenceClass::Build | EvidenceClass::Test => Self::Verification,
            EvidenceClass::GitLog => Self::Git,
            EvidenceClass::CiWorkflow => Self::Ci,
        }
    }

    /// Returns the weight of the category, in tenths.
    pub const fn weight_tenths(self) -> u32 {
        match self {
            Self::Read => 30,
            Self::Search => 25,
            Self::Verification => 15,
            Self::Discovery | Self::Git | Self::Ci => 10,
        }
    }

    /// Returns the word for the category, as used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Read => "read",
            Self::Verification => "verification",
            Self::Discovery => "discovery",
            Self::Git => "git",
            Self::Ci => "ci",
        }
    }
}

impl Applies {
    /// Returns the words for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Ran => "ran",
            Self::RequiredAndRan => "required and ran",
            Self::No => "does not apply",
        }
    }
}

impl Band {
    /// Returns the band of a total.
    pub const fn of(total_thousandths: u32) -> Self {
        match total_thousandths {
            0..250 => Self::Failed,
            250..550 => Self::Weak,
            550..750 => Self::Adequate,
            750.. => Self::Strong,
        }
    }

    /// Returns the word for the band.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Weak => "weak",
            Self::Adequate => "adequate",
            Self::Strong => "strong",
        }
    }
}

impl Threshold {
    /// Returns the lowest threshold that a total is below, if any.
    pub const fn of(total_thousandths: u32) -> Option<Self> {
        match total_thousandths {
            0..STOP_THOUSANDTHS => Some(Self::Stop),
            STOP_THOUSANDTHS..RECOVERY_THOUSANDTHS => Some(Self::Recovery),
            RECOVERY_THOUSANDTHS.. => None,
        }
    }

    /// Returns the word for the threshold.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Recovery => "recovery",
            Self::Stop => "stop",
        }
    }
}

#[cfg(test)]
mod tests;
