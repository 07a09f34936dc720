//! The meaning of one occurrence of a name in a syntax tree.
//!
//! For the bytes of a file and its language, tells of any byte range whether it is a definition, a
//! declaration, a local binding, a reference, an import, or a mention in a comment or a string,
//! with the kind, the extent and the container of the item. Also lists all definitions of a file.
//!
//! Reads no file and knows no question.

mod calls;
mod doc;
mod exits;
pub mod highlight;
mod items;
mod label;
mod language;
pub mod languages;
mod lexical;
pub mod lists;
pub mod literal;
mod members;
pub mod origins;
mod parse;
mod plain;
mod public;
mod signature;
mod testing;

pub use calls::SyntaxCall;
pub use doc::{doc_comment, doc_line};
pub use highlight::HighlightToken;
pub use label::Label;
pub use language::{Climb, Gives, Language, PathStep, Rule, Syntax, Tidy};
pub use lexical::Lexicon;
pub use literal::Literal;
pub use members::Member;
pub use parse::{KeptParse, Parse, ParseError, Parser};
pub use plain::{CallForm, DefinitionForm, Shape};
pub use testing::Test;
