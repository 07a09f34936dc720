//! What was looked at so far: queries, pages, and the hits in them. Totals and
//! families are always derived from it, never stored beside it.

use std::ops::Range;

use grounds_web::PageDate;
use jiff::Timestamp;

/// Everything that the decision may look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchHistory {
    /// The moment for which the decision is made. Given from outside: the rule knows no clock.
    pub as_of: Timestamp,
    /// The queries that were sent, in order.
    pub queries: Vec<SearchQuery>,
    /// The pages that were visited, in order.
    pub pages: Vec<VisitedPage>,
    /// What was found in them.
    pub hits: Vec<EvidenceHit>,
}

/// A query that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchQuery {
    /// Its words.
    pub text: String,
    /// The engine that it was sent to.
    pub provider: String,
    /// What it was to find.
    pub seeks: Seeks,
    /// How many addresses came; none where the engine could not be asked.
    pub result_count: Option<usize>,
}

/// What a query was to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seeks {
    /// What speaks for the claim.
    Support,
    /// What speaks against it.
    Refutation,
    /// Either.
    Either,
}

/// A page that was visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitedPage {
    /// The address that answered.
    pub url: String,
    /// The status of HTTP, where the server answered.
    pub status: Option<u16>,
    /// Its title.
    pub title: Option<String>,
    /// When it says that it was published.
    pub published: Option<PageDate>,
    /// When it says that it was last changed.
    pub modified: Option<PageDate>,
    /// The address that it names as its own.
    pub canonical: Option<String>,
    /// BLAKE3 of what came.
    pub content_hash: Option<String>,
    /// The main text; empty where none was read.
    pub text: String,
    /// Why there is no text, where it could not be fetched or read.
    pub failure: Option<String>,
}

/// A place in a page that speaks about the claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceHit {
    /// The address of the page, as in [`VisitedPage::url`].
    pub url: String,
    /// The registrable domain of the publisher, after unwrapping archive, AMP and cache addresses.
    pub domain: String,
    /// The title of the page.
    pub title: Option<String>,
    /// When the page says that it was published.
    pub published: Option<PageDate>,
    /// What it says about the claim.
    pub stance: Stance,
    /// What kind of source it is.
    pub tier: SourceTier,
    /// The words, exactly as they stand in the page.
    pub excerpt: String,
    /// Where they stand in the text of the page, in bytes.
    pub bytes: Range<usize>,
    /// Who judged the stance.
    pub judge: JudgeName,
}

/// What a hit says about the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stance {
    /// It supports the claim.
    Support,
    /// It refutes the claim.
    Refute,
    /// It speaks of the matter and decides nothing.
    Neutral,
}

/// What kind of source a domain is, the weightiest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SourceTier {
    /// The one who knows first hand: an institution about itself, a register, a result.
    Primary,
    /// A news agency or a paper of record.
    Wire,
    /// A specialised publication.
    Trade,
    /// Everything else.
    Other,
}

/// Who judged a stance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JudgeName {
    /// The judge of words.
    Lexical,
    /// An entailment model, by name.
    Entailment(String),
    /// A language model, by name.
    Model(String),
    /// A person, or a label of a data set.
    Human,
}
