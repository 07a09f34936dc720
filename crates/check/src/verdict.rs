//! The verdict about a claim, with its evidence.

/// Why a verdict is what it is.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Evidence {
    /// A place of the tree.
    Place {
        /// The file.
        path: String,
        /// The line, 1-based, or `None` for the file as a whole.
        line: Option<u32>,
        /// What the line says, or an empty text.
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
        /// What holds instead, in words.
        instead: String,
        /// The closest thing that exists, to put in its place, or `None` if nothing is close.
        closest: Option<String>,
        /// What shows it.
        evidence: Vec<Evidence>,
    },
    /// It was here once and is no more.
    Gone {
        /// What took its place, or `None` if nothing did.
        closest: Option<String>,
        /// The commit that removed it.
        evidence: Evidence,
    },
    /// It is not here, and no commit that was read removed it. It accuses nobody: it may belong to somebody else.
    NotFound,
    /// It could not be decided, and why.
    Unknown(String),
    /// It is no claim about this tree, and why.
    #[serde(skip)]
    NoClaim(#[serde(skip)] &'static str),
}

impl ClaimVerdict {
    /// The word for the verdict.
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

    /// Whether a line of the tree is among what shows it.
    pub fn shows_a_line(&self) -> bool {
        let evidence = match self {
            Self::Contradicted { evidence, .. } => evidence.as_slice(),
            _ => &[],
        };
        let is_line = |one: &Evidence| matches!(one, Evidence::Place { line: Some(_), .. });
        evidence.iter().any(is_line)
    }

    /// Whether the text says something that does not hold.
    pub const fn accuses(&self) -> bool {
        matches!(self, Self::Contradicted { .. } | Self::Gone { .. })
    }
}
