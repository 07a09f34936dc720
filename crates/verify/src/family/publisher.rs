//! Edge: the same registrable domain, after archive, AMP and cache addresses were
//! unwrapped.

use super::{CountedPage, Groups, speaking};
use crate::trace::Tie;

pub(super) fn tie(sources: &[CountedPage<'_>], groups: &mut Groups) {
    // Collected first, so that the map is created with its final size.
    let voices: Vec<(&str, u32)> = speaking(sources)
        .map(|(place, source)| (source.voice(), place))
        .collect();
    groups.join_by_key(Tie::Publisher, voices.into_iter());
}
