//! How a decision came about: what each hit counted for, or why it did not; the
//! families; the totals of both sides. One small record a hit, without strings, so
//! that a million of them stay small.

use crate::decision::ClaimSide;
use crate::history::SourceTier;
use crate::rules::Policy;

/// Everything that led to a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The rule that decided.
    pub policy: Policy,
    /// One for each hit of the history, in its order.
    pub hits: Vec<HitTrace>,
    /// The families of the hits that could count, in the order of their addresses.
    pub families: Vec<FamilyTrace>,
    /// What speaks for the claim.
    pub support: SideTotal,
    /// What speaks against it.
    pub refute: SideTotal,
    /// Whether a query that sought refutation was answered.
    pub has_sought_refutation: bool,
    /// Queries that could not be asked.
    pub queries_failed: usize,
    /// Pages that could not be read.
    pub pages_failed: usize,
    /// Thousandths of log odds that the claim is true; only of `calibrated_v2`.
    pub log_odds_milli: Option<i64>,
    /// Thousandths of them that were known before anything was read; only of `calibrated_v2`.
    pub prior_milli: Option<i64>,
    /// Thousandths of log odds that a side needs for this kind of claim; only of `calibrated_v2`.
    pub bar_milli: Option<i64>,
    /// Bounds that were reached. With one reached, no side wins.
    pub bounds: Vec<BoundReached>,
}

impl Trace {
    /// The total of a side.
    pub const fn side(&self, side: ClaimSide) -> SideTotal {
        match side {
            ClaimSide::Support => self.support,
            ClaimSide::Refute => self.refute,
        }
    }
}

/// What came of one hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HitTrace {
    /// The side that it supports; `None` if it is neutral.
    pub side: Option<ClaimSide>,
    /// Its tier, after an agency took the place of the publisher.
    pub tier: SourceTier,
    /// Its family, as a place in [`Trace::families`], where it belongs to one.
    pub family: Option<u32>,
    /// What it was counted for.
    pub standing: HitStanding,
    /// Thousandths of weight that it brings to its side: those of its family at the one hit that stands for it, else 0.
    pub weight_milli: u32,
}

/// What a hit was counted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HitStanding {
    /// It stands for its family.
    Counted,
    /// It could stand for its family; another hit does.
    SameFamily,
    /// It does not count, and why.
    NotCounted(WhyNot),
}

/// Why a hit does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WhyNot {
    /// It decides nothing.
    Neutral,
    /// It is what a search engine says itself.
    AnswerBox,
    /// Its page was never fetched: only the piece that a search engine shows is known.
    SnippetOnly,
    /// It says what may be.
    Forecast,
    /// It is not meant seriously.
    Satire,
    /// Its page is not among those that were visited and read.
    PageNotRead,
    /// The page does not have its words at their place.
    NotInPage,
    /// Its page gives no date, and a time was given.
    Undated,
    /// Its page is older than the time that the claim speaks of.
    BeforeWindow,
    /// Its page is younger than the time that the claim speaks of.
    AfterWindow,
    /// Its page is younger than the moment for which the decision is made.
    AfterAsOf,
    /// Its page was changed after the time that the claim speaks of, so that its words may be younger than its date.
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
    /// The hit that stands for it, as a place in the history.
    pub head: usize,
    /// The hits that belong to it and could count.
    pub hit_count: u32,
    /// Where it speaks.
    pub side: FamilySide,
    /// Its best tier.
    pub tier: SourceTier,
    /// Thousandths of weight that it brings.
    pub weight_milli: u32,
    /// Whether it has a known date. Without one, it adds its weight but does not count as one of
    /// the families that are needed.
    pub is_dated: bool,
    /// What ties it together.
    pub ties: Ties,
}

/// Where a family speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FamilySide {
    /// On one side.
    One(ClaimSide),
    /// On both, so that it counts on neither.
    Both,
    /// On none, since it is where the claim comes from.
    Origin,
}

/// What ties pages into one family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tie {
    /// The same registrable domain, after unwrapping.
    Publisher,
    /// The same owner.
    Owner,
    /// One names the other as where it comes from.
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
    /// Adds one.
    pub const fn add(&mut self, tie: Tie) {
        self.0 |= 1 << tie as u8;
    }

    /// Adds all of another set.
    pub const fn add_all(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Whether it holds one.
    pub const fn has(self, tie: Tie) -> bool {
        self.0 & (1 << tie as u8) != 0
    }

    /// Those that it holds, the plainest first.
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

/// A bound of the decision that was reached, so that independence was not fully looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoundReached {
    /// [`crate::rules::CopyBounds::compared_words_max`].
    ComparedWords,
    /// [`crate::rules::CopyBounds::shared_shingles_max`].
    SharedShingles,
    /// [`crate::rules::CopyBounds::searched_bytes_max`].
    SearchedBytes,
}
