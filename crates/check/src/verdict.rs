//! The verdict about a claim, with its evidence.

/// A place or commit on which a verdict rests.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Evidence {
    /// A place of the tree.
    Place {
        /// The file.
        path: String,
        /// The line, 1-based, or `None` for the file as a whole.
        line: Option<u32>,
        /// The text of the line, or an empty text.
        text: String,
    },
    /// A commit.
    Commit {
        /// Its hash.
        hash: String,
        /// Its date, as `YYYY-MM-DD`.
        date: String,
        /// The file that it changed.
        path: String,
        /// The line that it removed, or an empty text.
        text: String,
    },
}

/// The verdict about a claim.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ClaimVerdict {
    /// The tree shows it.
    Holds(Evidence),
    /// The tree says otherwise.
    Contradicted {
        /// The fact that holds instead, in words.
        instead: String,
        /// The closest thing that exists, to put in its place, or `None` if nothing is close.
        closest: Option<String>,
        /// The places that show it.
        evidence: Vec<Evidence>,
    },
    /// It was here once and no longer exists.
    Gone {
        /// Its successor, or `None` if nothing took its place.
        closest: Option<String>,
        /// The commit that removed it.
        evidence: Evidence,
    },
    /// It is not here, and no commit that was read removed it. It accuses nobody: it may belong to
    /// somebody else.
    NotFound,
    /// It could not be decided, and why.
    Unknown(String),
    /// It is no claim about this tree, and why.
    #[serde(skip)]
    NoClaim(#[serde(skip)] &'static str),
}

impl ClaimVerdict {
    /// Returns the word for the verdict.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Holds(_) => "holds",
            Self::Contradicted { .. } => "contradicted",
            Self::Gone { .. } => "gone",
            Self::NotFound => "not_found",
            Self::Unknown(_) => "unknown",
            Self::NoClaim(_) => "no_claim",
        }
    }

    /// Reports whether a line of the tree is among the evidence of a contradiction.
    pub fn shows_a_line(&self) -> bool {
        let evidence = match self {
            Self::Contradicted { evidence, .. } => evidence.as_slice(),
            _ => &[],
        };
        let is_line = |one: &Evidence| matches!(one, Evidence::Place { line: Some(_), .. });
        evidence.iter().any(is_line)
    }

    /// Reports whether the text says something that does not hold.
    pub const fn accuses(&self) -> bool {
        matches!(self, Self::Contradicted { .. } | Self::Gone { .. })
    }
}
