//! Documents and pages that were not read, though they might have spoken: a bound left them out, or
//! cut off their end. A verdict is given only if nothing was cut, or if the user accepted the bound
//! by its name.

use crate::decision::{InvalidReason, Verdict};

/// Maximum number of places that are named for each bound.
pub const EXAMPLES_MAX: usize = 5;

/// Documents or pages that one bound kept from being read to their end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnreadBound {
    /// The name of the bound, as `--accept-bound` takes it.
    pub bound: String,
    /// The number of places, as far as they were counted.
    pub count: usize,
    /// The first of them.
    pub examples: Vec<String>,
}

/// Adds one place to the list of what a bound left unread.
pub(crate) fn add(unread: &mut Vec<UnreadBound>, bound: &str, place: &str) {
    let at = unread
        .iter()
        .position(|known| known.bound == bound)
        .unwrap_or_else(|| {
            unread.push(UnreadBound {
                bound: bound.to_owned(),
                count: 0,
                examples: Vec::new(),
            });
            unread.len() - 1
        });
    unread[at].count += 1;
    // The bound of time leaves whole queries out, which have no place to name.
    if unread[at].examples.len() < EXAMPLES_MAX && !place.is_empty() {
        unread[at].examples.push(place.to_owned());
    }
}

/// Returns the verdict, or `NotRead` if something was not read. Unread sources could reverse a True
/// or a False, and "nobody says so" is not known before all were read.
pub fn withheld(verdict: Verdict, unread: &[UnreadBound], accepted: &[String]) -> Verdict {
    let is_open = open(unread, accepted).next().is_some();
    match verdict {
        Verdict::True | Verdict::False | Verdict::Invalid(InvalidReason::Insufficient)
            if is_open =>
        {
            Verdict::Invalid(InvalidReason::NotRead)
        }
        // Sources that conflict do so whatever else is read, and a claim that cannot be checked
        // stays so.
        Verdict::True | Verdict::False | Verdict::Invalid(_) => verdict,
    }
}

/// Returns the bounds that left something unread and were not accepted.
pub fn open<'u>(
    unread: &'u [UnreadBound],
    accepted: &'u [String],
) -> impl Iterator<Item = &'u UnreadBound> {
    unread
        .iter()
        .filter(|unread| !accepted.contains(&unread.bound))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_withholds_a_verdict_unless_it_was_accepted_by_name() {
        let mut unread = Vec::new();
        add(&mut unread, "corpus_file_bytes_max", "a.txt");
        add(&mut unread, "corpus_file_bytes_max", "b.txt");
        let not_read = Verdict::Invalid(InvalidReason::NotRead);
        let conflicting = Verdict::Invalid(InvalidReason::Conflicting);
        let cases: [(Verdict, &[&str], Verdict); 6] = [
            (Verdict::True, &[], not_read),
            (Verdict::False, &[], not_read),
            (Verdict::Invalid(InvalidReason::Insufficient), &[], not_read),
            (conflicting, &[], conflicting),
            (Verdict::True, &["corpus_bytes_max"], not_read),
            (Verdict::True, &["corpus_file_bytes_max"], Verdict::True),
        ];
        for (before, accepted, after) in cases {
            let accepted: Vec<String> = accepted.iter().map(ToString::to_string).collect();
            assert_eq!(withheld(before, &unread, &accepted), after, "{accepted:?}");
            assert_eq!(withheld(before, &[], &accepted), before, "nothing was cut");
        }
        assert_eq!((unread.len(), unread[0].count), (1, 2));
    }
}
