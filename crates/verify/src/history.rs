//! The searches so far: queries, pages, and the hits in them. Totals and families are always
//! derived from it, never stored with it.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use grounds_web::PageDate;
use jiff::Timestamp;

use crate::task::Timeframe;

/// Everything that the decision may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchHistory {
    /// The moment for which the decision is made. It is given: the rule knows no clock.
    pub as_of: Timestamp,
    /// The queries that were sent, in order.
    pub queries: Vec<SearchQuery>,
    /// The pages that were visited, in order.
    pub pages: Vec<VisitedPage>,
    /// The hits that were found in the pages.
    pub hits: Vec<EvidenceHit>,
}

impl SearchHistory {
    /// Creates an empty history.
    pub const fn empty(as_of: Timestamp) -> Self {
        Self {
            as_of,
            queries: Vec::new(),
            pages: Vec::new(),
            hits: Vec::new(),
        }
    }
}

/// A query that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchQuery {
    /// Its words.
    pub text: String,
    /// The engine that it was sent to.
    pub provider: String,
    /// The purpose of the query.
    pub seeks: Seeks,
    /// The number of addresses that were returned; `None` if the engine could not be asked.
    pub result_count: Option<usize>,
}

/// The purpose of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seeks {
    /// To find evidence for the claim.
    Support,
    /// To find evidence against it.
    Refutation,
    /// To find evidence of either side.
    Either,
}

/// A page that was visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitedPage {
    /// The address that answered.
    pub url: String,
    /// The HTTP status; `None` if no server answered.
    pub status: Option<u16>,
    /// Its title; `None` if it has no title.
    pub title: Option<String>,
    /// When it says that it was published; `None` if it does not say.
    pub published: Option<PageDate>,
    /// When it says that it was last changed; `None` if it does not say.
    pub modified: Option<PageDate>,
    /// The address that it names as its own; `None` if it names no address.
    pub canonical: Option<String>,
    /// The publisher that it names; `None` if it names no publisher. It counts only if the address
    /// has no host, as for a document of a folder.
    pub publisher: Option<String>,
    /// Who it says wrote it; `None` if it does not say.
    pub byline: Option<String>,
    /// Addresses of sources that it names for what it says, as far as they were read.
    pub cites: Vec<String>,
    /// BLAKE3 hash of the bytes that were fetched; `None` if nothing was fetched.
    pub content_hash: Option<String>,
    /// The main text; empty if no text was read.
    pub text: String,
    /// Why it could not be fetched or read; `None` if it could.
    pub failure: Option<String>,
}

impl VisitedPage {
    /// Creates a page of which only the address is known.
    pub fn of_address(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            status: None,
            title: None,
            published: None,
            modified: None,
            canonical: None,
            publisher: None,
            byline: None,
            cites: Vec::new(),
            content_hash: None,
            text: String::new(),
            failure: None,
        }
    }
}

/// A place in a page that speaks about the claim. Its publisher is derived from the address
/// ([`crate::address::publisher`]), never stored with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceHit {
    /// The address of the page, as in [`VisitedPage::url`]. Shared by the hits of a page, of which
    /// there may be many.
    pub url: Arc<str>,
    /// The title of the page; `None` if it has no title.
    pub title: Option<String>,
    /// When the page says that it was published; `None` if it does not say. The date of the visited
    /// page itself takes precedence.
    pub published: Option<PageDate>,
    /// What it says about the claim.
    pub stance: Stance,
    /// In what manner it says so.
    pub manner: HitManner,
    /// When its event happened by its own words; `None` if it does not say.
    pub happened: Option<Timeframe>,
    /// What kind of source it is.
    pub tier: SourceTier,
    /// Where the words were seen.
    pub place: HitPlace,
    /// The words, exactly as in the page.
    pub excerpt: Arc<str>,
    /// Their position in the text of the page, in bytes.
    pub bytes: Range<usize>,
    /// Who judged the stance.
    pub judge: JudgeName,
}

/// The manner in which a hit speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HitManner {
    /// It says what is, or what happened.
    #[default]
    Statement,
    /// It says that something has not happened, so far.
    Absence,
    /// It says that something can no longer happen.
    Foreclosed,
    /// It says what may or will be. Never counted.
    Forecast,
    /// It is not meant seriously. Never counted.
    Satire,
    /// It is a check of the same claim by others. All of these are one family.
    FactCheck,
}

/// Where the words of a hit were seen. Only words of a page that was fetched can count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HitPlace {
    /// In the text of the page.
    #[default]
    Page,
    /// In the snippet that a search engine shows of the page.
    Snippet,
    /// In a statement of the search engine itself: an answer box, an overview.
    AnswerBox,
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

impl SourceTier {
    /// Returns its word in JSON and on the screen.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Wire => "wire",
            Self::Trade => "trade",
            Self::Other => "other",
        }
    }
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
    /// The code of the repository that the claim is about.
    Code,
    /// A person, or a label of a data set.
    Human,
}

impl fmt::Display for JudgeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lexical => f.write_str("lexical"),
            Self::Entailment(name) => write!(f, "entailment {name}"),
            Self::Model(name) => write!(f, "model {name}"),
            Self::Code => f.write_str("code"),
            Self::Human => f.write_str("human"),
        }
    }
}
