//! Variables of the environment that libraries, runtimes and platforms read by themselves: that the
//! project's own code has none of them says nothing.

/// One name a line; a line that ends in `_` stands for every name that begins so.
const NAMES: &str = include_str!("platform.txt");

/// Reports whether a library or the platform may read a variable.
pub(crate) fn reads(name: &str) -> bool {
    NAMES
        .lines()
        .any(|known| known == name || (known.ends_with('_') && name.starts_with(known)))
}
