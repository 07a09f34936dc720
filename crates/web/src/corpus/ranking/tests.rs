use tantivy::query::{ConstScorer, EmptyScorer, ScoreCombiner};

use super::ExactSum;

fn sum<Combiner: ScoreCombiner>(parts: impl Iterator<Item = f32>) -> f32 {
    let mut combiner = Combiner::default();
    parts.for_each(|part| combiner.update(&mut ConstScorer::new(EmptyScorer, part)));
    combiner.score()
}

#[test]
fn a_sum_of_scores_is_the_same_in_every_order() {
    let parts: Vec<f32> = (1..60_u8)
        .map(|part| 7.3 / f32::from(part).powi(3))
        .collect();
    let (there, back) = (|| parts.iter().copied(), || parts.iter().rev().copied());
    assert_eq!(
        sum::<ExactSum>(there()).to_bits(),
        sum::<ExactSum>(back()).to_bits()
    );
    // What the engine's own would say.
    assert_ne!(
        there().sum::<f32>().to_bits(),
        back().sum::<f32>().to_bits()
    );
}
