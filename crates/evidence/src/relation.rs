//! What one occurrence of a name *is* to that name.
//!
//! Given by the syntax of the file, never by the wording of the question. A
//! producer reports it for every hit; the match table reads it, because
//! "where is X defined?" needs a hit that defines X, however often X is used.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The relation of an occurrence to the name that it spells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Relation {
    /// The occurrence introduces the name: a function with its body, a type, a constant, a macro.
    Defines,
    /// The occurrence announces the name without its substance: a prototype, an `extern` variable.
    Declares,
    /// The occurrence introduces a local name (a local variable, a parameter) that nothing outside
    /// can mean.
    Binds,
    /// The occurrence calls what the name means: a function, a method, a macro, a constructor.
    Calls,
    /// The item around the occurrence extends or implements what the name means.
    Inherits,
    /// The occurrence uses the name in code, in another way.
    References,
    /// The occurrence imports the name from elsewhere.
    Imports,
    /// The occurrence is in text that no compiler reads as a name.
    Mentions(MentionPlace),
    /// The name of a file, not a line of it.
    NamedByFile,
    /// The occurrence has this spelling, and its relation is not known yet.
    Unlabelled,
}

/// The kind of text that a mention is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MentionPlace {
    /// A comment that documents an item.
    Doc,
    /// Any other comment.
    Comment,
    /// A string literal.
    String,
    /// Prose: a file that is documentation or plain text.
    Prose,
    /// A data file: a lock file, JSON, YAML, TOML.
    Data,
}

impl Relation {
    /// Every relation, in the order in which they are ranked and shown.
    pub const ALL: [Self; 14] = [
        Self::Defines,
        Self::Declares,
        Self::Binds,
        Self::Calls,
        Self::Inherits,
        Self::Imports,
        Self::References,
        Self::NamedByFile,
        Self::Mentions(MentionPlace::Doc),
        Self::Mentions(MentionPlace::Comment),
        Self::Mentions(MentionPlace::String),
        Self::Mentions(MentionPlace::Prose),
        Self::Mentions(MentionPlace::Data),
        Self::Unlabelled,
    ];

    /// Returns the word for the relation, as used in JSON and on the screen.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Defines => "defines",
            Self::Declares => "declares",
            Self::Binds => "binds",
            Self::Calls => "calls",
            Self::Inherits => "inherits",
            Self::References => "references",
            Self::Imports => "imports",
            Self::Mentions(MentionPlace::Doc) => "mentions_in_doc",
            Self::Mentions(MentionPlace::Comment) => "mentions_in_comment",
            Self::Mentions(MentionPlace::String) => "mentions_in_string",
            Self::Mentions(MentionPlace::Prose) => "mentions_in_prose",
            Self::Mentions(MentionPlace::Data) => "mentions_in_data",
            Self::NamedByFile => "named_by_file",
            Self::Unlabelled => "unlabelled",
        }
    }
}

impl Relation {
    /// Reports whether it introduces the name.
    #[must_use]
    pub const fn introduces(self) -> bool {
        matches!(self, Self::Defines | Self::Declares | Self::Binds)
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The kind of thing that a definition, declaration or binding introduces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SymbolKind {
    /// A free function.
    Function,
    /// A function that belongs to a type.
    Method,
    /// A constructor or initialiser.
    Constructor,
    /// A class.
    Class,
    /// A structure.
    Struct,
    /// A union.
    Union,
    /// An enumeration.
    Enum,
    /// One case of an enumeration.
    Variant,
    /// An interface or protocol.
    Interface,
    /// A trait.
    Trait,
    /// A singleton object or companion.
    Object,
    /// A name for another type.
    TypeAlias,
    /// A module or package.
    Module,
    /// A namespace.
    Namespace,
    /// A constant.
    Constant,
    /// A variable.
    Variable,
    /// A field of a type.
    Field,
    /// A property with accessors.
    Property,
    /// A macro.
    Macro,
    /// A parameter.
    Parameter,
    /// A type parameter.
    TypeParameter,
    /// An event.
    Event,
    /// A label.
    Label,
    /// A target of a build file.
    Target,
    /// A table or view of a database schema.
    Table,
}

impl SymbolKind {
    /// Returns the word for the kind, as used in JSON and on the screen.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Constructor => "constructor",
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Union => "union",
            Self::Enum => "enum",
            Self::Variant => "variant",
            Self::Interface => "interface",
            Self::Trait => "trait",
            Self::Object => "object",
            Self::TypeAlias => "type alias",
            Self::Module => "module",
            Self::Namespace => "namespace",
            Self::Constant => "constant",
            Self::Variable => "variable",
            Self::Field => "field",
            Self::Property => "property",
            Self::Macro => "macro",
            Self::Parameter => "parameter",
            Self::TypeParameter => "type parameter",
            Self::Event => "event",
            Self::Label => "label",
            Self::Target => "target",
            Self::Table => "table",
        }
    }
}

impl fmt::Display for SymbolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
