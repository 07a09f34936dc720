//! The levels: how precisely the evidence matches the question, and how much
//! of it there is. The two are never mixed.

use std::fmt;

/// How precisely evidence matches this question. No numbers: if a value is not
/// one of these five, it is not a quality (source document 002, Part I).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Quality {
    /// No evidence of this class was collected.
    #[default]
    None,
    /// Evidence exists but is imprecise or unreliable.
    Weak,
    /// Evidence is plausible but not definitive.
    Moderate,
    /// Evidence is precise and well supported.
    Strong,
    /// Evidence is independently corroborated, or authoritative for the question. A relationship:
    /// no single producer can give it.
    Verified,
}

/// The rating that the match table gives to one observation. It has no Verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Rating {
    /// The observation shows nothing about the question.
    #[default]
    None,
    /// Imprecise or unreliable.
    Weak,
    /// Plausible but not definitive.
    Moderate,
    /// Precise and well supported.
    Strong,
}

/// How much evidence there is: None 0, Low 1-10, Medium 11-50, High more than 50 matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Strength {
    /// No match.
    #[default]
    None,
    /// 1 to 10 matches.
    Low,
    /// 11 to 50 matches.
    Medium,
    /// More than 50 matches.
    High,
}

impl Quality {
    /// The levels from the lowest to the highest.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Weak,
        Self::Moderate,
        Self::Strong,
        Self::Verified,
    ];

    /// Returns the word for the level.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Weak => "Weak",
            Self::Moderate => "Moderate",
            Self::Strong => "Strong",
            Self::Verified => "Verified",
        }
    }
}

impl From<Rating> for Quality {
    fn from(rating: Rating) -> Self {
        match rating {
            Rating::None => Self::None,
            Rating::Weak => Self::Weak,
            Rating::Moderate => Self::Moderate,
            Rating::Strong => Self::Strong,
        }
    }
}

impl Rating {
    /// The ratings from the lowest to the highest.
    pub const ALL: [Self; 4] = [Self::None, Self::Weak, Self::Moderate, Self::Strong];

    /// Returns the word for the rating, which is that of the same quality.
    pub fn as_str(self) -> &'static str {
        Quality::from(self).as_str()
    }
}

impl Strength {
    /// Returns the strength of a number of matches.
    pub const fn of_count(matches: u64) -> Self {
        match matches {
            0 => Self::None,
            1..=10 => Self::Low,
            11..=50 => Self::Medium,
            _ => Self::High,
        }
    }

    /// Returns the word for the strength.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Low => "Low",
            Self::Medium => "Medium",
            Self::High => "High",
        }
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
