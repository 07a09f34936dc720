//! Edge: both are checks of the same claim by others. They read each other, so that
//! several of them are one voice.

use super::{CountedPage, Groups, speaking};
use crate::trace::Tie;

pub(super) fn tie(sources: &[CountedPage<'_>], groups: &mut Groups) {
    groups.join_by_key(
        Tie::FactCheck,
        speaking(sources)
            .filter(|(_, source)| source.is_fact_check)
            .map(|(place, _)| ((), place)),
    );
}
