//! The predicates, one file each. A new one is a file and a line in each list.

use crate::predicate::Predicate;

mod calls;
mod uses;
mod constructs;
mod implements;
mod extends;
mod overrides;
mod imports;
mod defines;
mod member;
mod value;
mod returns;
mod throws;
mod tested;
mod exists;
mod introduced;
mod changed;
mod removed;
mod authored;
mod license;
mod version;
mod requires;
mod dependency;
mod environment;
mod topic;

pub use calls::CALLS;
pub use uses::USES;
pub use constructs::CONSTRUCTS;
pub use implements::IMPLEMENTS;
pub use extends::EXTENDS;
pub use overrides::OVERRIDES;
pub use imports::IMPORTS;
pub use defines::DEFINES;
pub use member::MEMBER;
pub use value::VALUE;
pub use returns::RETURNS;
pub use throws::THROWS;
pub use tested::TESTED;
pub use exists::EXISTS;
pub use introduced::INTRODUCED;
pub use changed::CHANGED;
pub use removed::REMOVED;
pub use authored::AUTHORED;
pub use license::LICENSE;
pub use version::VERSION;
pub use requires::REQUIRES;
pub use dependency::DEPENDENCY;
pub use environment::ENVIRONMENT;
pub use topic::TOPIC;

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
    &MEMBER,
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

/// The predicate of a name.
pub fn by_name(name: &str) -> Option<&'static Predicate> {
    ALL.iter().copied().find(|predicate| predicate.name == name)
}
