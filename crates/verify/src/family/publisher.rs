//! Edge: the same registrable domain, after archive, AMP and cache addresses were
//! unwrapped.

use super::{Groups, Source, speaking};
use crate::trace::Tie;

pub(super) fn tie(sources: &[Source<'_>], groups: &mut Groups) {
    groups.join_by_key(Tie::Publisher, speaking(sources).map(|(place, source)| (source.voice(), place)));
}
