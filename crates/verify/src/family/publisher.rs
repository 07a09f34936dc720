//! Edge: the same registrable domain, after archive, AMP and cache addresses were
//! unwrapped.

use super::{Groups, Source};
use crate::trace::Tie;

pub(super) fn tie(sources: &[Source<'_>], groups: &mut Groups) {
    groups.join_by_key(Tie::Publisher, (0..).zip(sources).map(|(place, source)| (source.publisher.as_ref(), place)));
}
