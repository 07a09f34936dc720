//! Verbs instead of a question: each builds a claim about names.

use clap::{Args, Subcommand};
use grounds_claims::{Argument, Claim, Predicate, Quantifier, Scope, Tests, names};

const EXAMPLES: &str = "\
Examples:
  grounds def EvidenceStore --in src
  grounds callers new holds --no-tests
  grounds callees holds
  grounds uses EvidenceClass --count
  grounds impls EvidenceClass
  grounds imports src/lib.rs
  grounds since EvidenceStore
  grounds body holds
  grounds at src/lib.rs:2
  grounds files lib.rs
  grounds outline src/lib.rs
  git ls-files src | grounds imports -

Exit codes:
  0  all names are answered
  1  failed: a tool or a file broke; absence was not shown
  2  usage or configuration error
  3  one is not found, or cannot be told";

/// A question of one kind about names.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Where each name is defined.
    #[command(after_long_help = EXAMPLES)]
    Def(NamedArgs),
    /// What calls each name.
    #[command(after_long_help = EXAMPLES)]
    Callers(NamedArgs),
    /// What each function or method calls.
    #[command(after_long_help = EXAMPLES)]
    Callees(NamedArgs),
    /// Where each name is used: calls, references, types.
    #[command(after_long_help = EXAMPLES)]
    Uses(NamedArgs),
    /// What implements each trait, interface or protocol.
    #[command(after_long_help = EXAMPLES)]
    Impls(NamedArgs),
    /// What each file imports.
    #[command(after_long_help = EXAMPLES)]
    Imports(NamedArgs),
    /// When each name was added: commit, day, author, first release.
    #[command(after_long_help = EXAMPLES)]
    Since(NamedArgs),
    /// The text of each definition, or the lines around `path:line`.
    #[command(after_long_help = EXAMPLES)]
    Body(NamedArgs),
    /// The line at each place, `path:line`, and what contains it.
    #[command(after_long_help = EXAMPLES)]
    At(NamedArgs),
    /// What each file or type contains.
    #[command(after_long_help = EXAMPLES)]
    Outline(NamedArgs),
    /// The files with each name or end of a path.
    #[command(after_long_help = EXAMPLES)]
    Files(NamedArgs),
}

/// Names, and the scope of the search.
#[derive(Debug, Args)]
pub struct NamedArgs {
    /// Names as in the code, such as `Planner::next`; paths if the verb is about files. `-` reads
    /// them from standard input, one per line.
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,

    /// Only places in this file, folder, type or function; may be given several times.
    #[arg(long = "in", value_name = "PLACE")]
    pub inside: Vec<String>,

    /// No places in this file, folder, type or function; may be given several times.
    #[arg(long, value_name = "PLACE")]
    pub outside: Vec<String>,

    /// No places in tests.
    #[arg(long)]
    pub no_tests: bool,

    /// The number of places, instead of the places.
    #[arg(long)]
    pub count: bool,

    /// Do not use kept parses of earlier runs, and keep none.
    #[arg(long)]
    pub no_cache: bool,
}

impl Verb {
    /// Returns the names, and the scope of the search.
    pub const fn named(&self) -> &NamedArgs {
        match self {
            Self::Def(named)
            | Self::Callers(named)
            | Self::Callees(named)
            | Self::Uses(named)
            | Self::Impls(named)
            | Self::Imports(named)
            | Self::Since(named)
            | Self::Body(named)
            | Self::At(named)
            | Self::Outline(named)
            | Self::Files(named) => named,
        }
    }

    /// Returns the claim that the verb makes about a name.
    pub fn claim(&self, name: &str) -> Claim {
        let (predicate, place) = self.predicate();
        let mut arguments = vec![Argument::Hole; predicate.arguments.len()];
        arguments[place] = Argument::is(name);
        let named = self.named();
        let mut claim = Claim::new(predicate, arguments);
        claim.scope = Scope {
            inside: named.inside.clone(),
            outside: named.outside.clone(),
            tests: if named.no_tests {
                Tests::Outside
            } else {
                Tests::Count
            },
        };
        if named.count {
            claim.quantifier = Quantifier::Count;
        }
        claim
    }

    /// Returns the predicate, and which of its arguments the name is.
    fn predicate(&self) -> (&'static Predicate, usize) {
        match self {
            Self::Def(_) => (&names::DEFINES, 0),
            Self::Callers(_) => (&names::CALLS, 1),
            Self::Callees(_) => (&names::CALLS, 0),
            Self::Uses(_) => (&names::USES, 1),
            Self::Impls(_) => (&names::IMPLEMENTS, 1),
            Self::Imports(_) => (&names::IMPORTS, 0),
            Self::Since(_) => (&names::INTRODUCED, 0),
            Self::Body(_) => (&names::BODY, 0),
            Self::At(_) | Self::Files(_) => (&names::EXISTS, 0),
            Self::Outline(_) => (&names::MEMBER, 0),
        }
    }
}
