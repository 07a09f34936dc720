//! What hangs together is the same as where every text is compared with every other,
//! in any order and however many share phrases.

use proptest::prelude::*;

use super::{BRIEF, CONTAINED, Copies, EDITED, WITHIN, bodies, find};
use crate::family::{CountedPage, Groups};
use crate::history::VisitedPage;
use crate::rules::CopyBounds;
use crate::trace::Tie;

/// Pages of sentences from a small stock, so that many share phrases and some are copies.
fn pages(choices: &[Vec<u8>]) -> Vec<VisitedPage> {
    let letter = |number: u8| char::from(b'a' + number % 26);
    let word = |number: u8| format!("w{}{}", letter(number / 26), letter(number));
    let sentence = |number: &u8| {
        (0..9)
            .map(|at| word(number * 7 + at))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let page = |(place, choice): (usize, &Vec<u8>)| VisitedPage {
        text: choice.iter().map(sentence).collect::<Vec<_>>().join(". "),
        ..VisitedPage::of_address(&format!("https://paper{place}.example/a"))
    };
    choices.iter().enumerate().map(page).collect()
}

/// The group of each source, by the pairs.
fn grouped(count: usize, pairs: impl IntoIterator<Item = (u32, u32)>) -> Vec<u32> {
    let mut groups = Groups::new(count);
    pairs
        .into_iter()
        .for_each(|(one, other)| groups.join(one, other, Tie::Copy));
    (0..).take(count).map(|place| groups.root(place)).collect()
}

/// Every pair that is alike, each compared with each.
fn exactly(sources: &[CountedPage<'_>], wanted: &[bool]) -> Vec<(u32, u32)> {
    let wanted: Vec<(u32, &CountedPage<'_>)> = (0..)
        .zip(sources)
        .filter(|(place, _)| wanted[*place as usize])
        .collect();
    let mut pairs = Vec::new();
    for likeness in [CONTAINED, EDITED, BRIEF, WITHIN] {
        let bodies = bodies(
            &wanted,
            likeness,
            &CopyBounds::default(),
            &mut Copies::default(),
        );
        for one in &bodies {
            let alike = bodies.iter().filter(|other| {
                one.place != other.place
                    && one.shingles.len() <= other.shingles.len()
                    && likeness.is_met(one, other)
            });
            pairs.extend(alike.map(|other| (one.place, other.place)));
        }
    }
    pairs
}

proptest! {
    #[test]
    fn what_hangs_together_is_found_whole(
        choices in prop::collection::vec(prop::collection::vec(0..24u8, 2..14), 2..14),
        left_out in prop::collection::vec(any::<bool>(), 14),
    ) {
        let pages = pages(&choices);
        let sources: Vec<CountedPage<'_>> = pages.iter().map(CountedPage::new).collect();
        let none_left_out = vec![true; 14];
        for wanted in [&none_left_out, &left_out] {
            let found = find(&sources, |place| wanted[place as usize], &CopyBounds::default());
            prop_assert!(found.bounds.is_empty());
            prop_assert_eq!(
                grouped(sources.len(), found.pairs),
                grouped(sources.len(), exactly(&sources, wanted))
            );
        }
    }
}

#[test]
fn pages_of_one_template_are_not_compared_each_with_each() {
    let choices: Vec<Vec<u8>> = (0..5_000u32)
        .map(|page| {
            let own =
                (0..3).map(|at| 10 + u8::try_from(page.pow(2) / 7u32.pow(at) % 14).unwrap_or(0));
            (0..10).chain(own).collect()
        })
        .collect();
    let mut pages = pages(&choices);
    for (place, page) in pages.iter_mut().enumerate() {
        // A name of its own makes no two the same.
        let name: String = place
            .to_string()
            .bytes()
            .map(|digit| char::from(digit + 49))
            .collect();
        page.text.push_str(&format!(". Signed {name}"));
    }
    let sources: Vec<CountedPage<'_>> = pages.iter().map(CountedPage::new).collect();
    // Ten meetings a shingle and page: each with each would be thousands.
    let bounds = CopyBounds {
        shared_shingles_max: 5_000 * 130 * 10,
        ..CopyBounds::default()
    };
    let found = find(&sources, |_| true, &bounds);
    assert!(found.bounds.is_empty());
    let groups = grouped(sources.len(), found.pairs);
    assert!(groups.iter().all(|group| *group == 0));
}
