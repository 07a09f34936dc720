//! The predicates, one file each. A new one is a file and a line in each list.

use crate::predicate::Predicate;

mod authored;
mod body;
mod calls;
mod changed;
mod constructs;
mod defines;
mod dependency;
mod environment;
mod exists;
mod extends;
mod implements;
mod imports;
mod introduced;
mod license;
mod member;
mod overrides;
mod parameter;
mod removed;
mod requires;
mod returns;
mod tested;
mod throws;
mod topic;
mod uses;
mod value;
mod version;

pub use authored::AUTHORED;
pub use body::BODY;
pub use calls::CALLS;
pub use changed::CHANGED;
pub use constructs::CONSTRUCTS;
pub use defines::DEFINES;
pub use dependency::DEPENDENCY;
pub use environment::ENVIRONMENT;
pub use exists::EXISTS;
pub use extends::EXTENDS;
pub use implements::IMPLEMENTS;
pub use imports::IMPORTS;
pub use introduced::INTRODUCED;
pub use license::LICENSE;
pub use member::MEMBER;
pub use overrides::OVERRIDES;
pub use parameter::PARAMETER;
pub use removed::REMOVED;
pub use requires::REQUIRES;
pub use returns::RETURNS;
pub use tested::TESTED;
pub use throws::THROWS;
pub use topic::TOPIC;
pub use uses::USES;
pub use value::VALUE;
pub use version::VERSION;

/// All predicates.
pub static ALL: &[&Predicate] = &[
    &CALLS,
    &USES,
    &CONSTRUCTS,
    &IMPLEMENTS,
    &EXTENDS,
    &OVERRIDES,
    &IMPORTS,
    &DEFINES,
    &BODY,
    &MEMBER,
    &PARAMETER,
    &VALUE,
    &RETURNS,
    &THROWS,
    &TESTED,
    &EXISTS,
    &INTRODUCED,
    &CHANGED,
    &REMOVED,
    &AUTHORED,
    &LICENSE,
    &VERSION,
    &REQUIRES,
    &DEPENDENCY,
    &ENVIRONMENT,
    &TOPIC,
];

/// Returns the predicate with a name.
pub fn by_name(name: &str) -> Option<&'static Predicate> {
    ALL.iter().copied().find(|predicate| predicate.name == name)
}
