//! Mentions of a text: pieces of it that could name something, with their surroundings.

/// The form in which a text mentions something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MentionContext {
    /// A code span.
    Span,
    /// A line of a code block, with the language that the block names.
    Fence(String),
    /// The target of a link or an image.
    Link,
    /// A word of running text.
    Prose,
}

/// A piece of a text that could name something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The piece, without marks around it.
    pub text: String,
    /// Its first byte in the text.
    pub start: usize,
    /// The byte after its last one.
    pub end: usize,
    /// The form in which the text mentions it.
    pub context: MentionContext,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
    /// The paragraph, item or code line around it.
    pub around: String,
    /// The address that it is the text of a link to, or the module that the text says it describes;
    /// `None` outside of both.
    pub linked: Option<String>,
}
