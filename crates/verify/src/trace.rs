//! The reasons of a decision: what each hit counted for, or why it did not; the families; the
//! totals of both sides. Each hit has one small record without strings, so that a million of them
//! stay small.

use crate::decision::ClaimSide;
use crate::history::SourceTier;
use crate::rules::Policy;

/// Everything that led to a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The rule that decided.
    pub policy: Policy,
    /// One entry for each hit of the history, in its order.
    pub hits: Vec<HitTrace>,
    /// The families of the hits that could count, in the order of their first hit.
    pub families: Vec<FamilyTrace>,
    /// The total of the supporting side.
    pub support: SideTotal,
    /// The total of the refuting side.
    pub refute: SideTotal,
    /// Whether a query that sought refutation was answered.
    pub has_sought_refutation: bool,
    /// Queries that could not be asked.
    pub queries_failed: usize,
    /// Pages that could not be read.
    pub pages_failed: usize,
    /// Log odds, in thousandths, that the claim is true; `None` except for `calibrated_v2`.
    pub log_odds_milli: Option<i64>,
    /// The part of them that was known before anything was read; `None` except for `calibrated_v2`.
    pub prior_milli: Option<i64>,
    /// Log odds, in thousandths, that a side needs for this kind of claim; `None` except for
    /// `calibrated_v2`.
    pub bar_milli: Option<i64>,
    /// Bounds that were reached. With one reached, no side wins.
    pub bounds: Vec<BoundReached>,
}

impl Trace {
    /// Returns the total of a side.
    pub const fn side(&self, side: ClaimSide) -> SideTotal {
        match side {
            ClaimSide::Support => self.support,
            ClaimSide::Refute => self.refute,
        }
    }
}

/// The record of one hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HitTrace {
    /// The side that it supports; `None` if it is neutral.
    pub side: Option<ClaimSide>,
    /// Its tier, after an agency has replaced the publisher.
    pub tier: SourceTier,
    /// Its family, as an index into [`Trace::families`]; `None` if it does not count.
    pub family: Option<u32>,
    /// How it was counted.
    pub standing: HitStanding,
    /// Thousandths of weight that it adds to its side: those of its family for the one hit that
    /// represents it, else 0.
    pub weight_milli: u32,
}

/// How a hit was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HitStanding {
    /// It represents its family.
    Counted,
    /// It could represent its family; another hit does.
    SameFamily,
    /// It does not count, for a reason.
    NotCounted(WhyNot),
}

/// Why a hit does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WhyNot {
    /// It decides nothing.
    Neutral,
    /// It is a statement of the search engine itself.
    AnswerBox,
    /// Its page was never fetched: only the snippet of a search engine is known.
    SnippetOnly,
    /// It says what may be.
    Forecast,
    /// It is not meant seriously.
    Satire,
    /// Its page is not among those that were visited and read.
    PageNotRead,
    /// The page does not contain its words at their place.
    NotInPage,
    /// Its page gives no date, and a time was given.
    Undated,
    /// Its page is older than the time that the claim speaks of.
    BeforeWindow,
    /// Its page is younger than the time that the claim speaks of.
    AfterWindow,
    /// Its page is younger than the moment for which the decision is made.
    AfterAsOf,
    /// Its page was changed after the time that the claim speaks of, so that its words may be
    /// younger than its date.
    ChangedAfterWindow,
    /// An older page, which is not of that time, contains its words.
    WordsAreOlder,
    /// What it speaks of did not happen in that time.
    EventOutside,
    /// It says that nothing happened, before the time had ended.
    AbsenceBeforeEnd,
    /// It refutes before the time has ended, and does not say that it can no longer happen.
    NotMatured,
    /// It is of the family that the claim comes from.
    OwnOrigin,
    /// It took words of a better source, to which it adds the opposite in words of its own.
    AgainstItsSource,
    /// Its family speaks on both sides.
    FamilyOnBothSides,
}

/// One family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FamilyTrace {
    /// The hit that represents it, as an index into the hits of the history.
    pub head: usize,
    /// The hits that belong to it and could count.
    pub hit_count: u32,
    /// The side on which it speaks.
    pub side: FamilySide,
    /// Its best tier.
    pub tier: SourceTier,
    /// Thousandths of weight that it adds.
    pub weight_milli: u32,
    /// Whether it has a known date. Without one, it adds its weight but does not count as one of
    /// the families that are needed.
    pub is_dated: bool,
    /// The ties that connect it.
    pub ties: Ties,
}

/// The side on which a family speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FamilySide {
    /// On one side.
    One(ClaimSide),
    /// On both, so that it counts on neither.
    Both,
    /// On neither, since the claim comes from it.
    Origin,
}

/// A reason why pages belong to one family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tie {
    /// The same registrable domain, after unwrapping.
    Publisher,
    /// The same owner.
    Owner,
    /// One names the other as its origin.
    Canonical,
    /// The same agency in dateline or byline.
    Agency,
    /// One text contains at least half of the other.
    Copy,
    /// A quoted sentence of 20 words or more in both.
    Quote,
    /// The same primary source is cited.
    Cited,
    /// Both are checks of the same claim.
    FactCheck,
}

impl Tie {
    /// Every tie, the plainest first.
    pub const ALL: [Self; 8] = [
        Self::Publisher,
        Self::Owner,
        Self::Canonical,
        Self::Agency,
        Self::Copy,
        Self::Quote,
        Self::Cited,
        Self::FactCheck,
    ];
}

/// A set of ties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ties(u8);

impl Ties {
    /// Adds one tie.
    pub const fn add(&mut self, tie: Tie) {
        self.0 |= 1 << tie as u8;
    }

    /// Adds all ties of another set.
    pub const fn add_all(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Reports whether it contains a tie.
    pub const fn has(self, tie: Tie) -> bool {
        self.0 & (1 << tie as u8) != 0
    }

    /// Returns its ties, the plainest first.
    pub fn iter(self) -> impl Iterator<Item = Tie> {
        Tie::ALL.into_iter().filter(move |tie| self.has(*tie))
    }
}

/// The total of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideTotal {
    /// Thousandths of weight.
    pub weight_milli: u64,
    /// Families with a date.
    pub families: u32,
    /// Whether one of these is above the tier "other".
    pub is_above_other: bool,
}

/// A bound of the decision that was reached, so that independence was not fully checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoundReached {
    /// [`crate::rules::CopyBounds::compared_words_max`].
    ComparedWords,
    /// [`crate::rules::CopyBounds::shared_shingles_max`].
    SharedShingles,
    /// [`crate::rules::CopyBounds::searched_bytes_max`].
    SearchedBytes,
}
