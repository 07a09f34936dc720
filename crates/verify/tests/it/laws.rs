//! The laws of the decision, tried on thousands of histories.

use grounds_verify::{
    DecisionRules, EvidenceHit, HitManner, HitPlace, InvalidReason, Policy, SearchHistory,
    SearchTask, Seeks, SourceTier, Stance, Verdict, VerifyDecision, decide_by_rules,
    decide_from_history,
};
use proptest::prelude::*;

use crate::histories::{Seen, history, seen, task, window};

const BOTH: [Seeks; 2] = [Seeks::Support, Seeks::Refutation];

fn last(task: &SearchTask, history: &SearchHistory) -> VerifyDecision {
    decide_from_history(task, history, 3, 3)
}

/// With a window or without, ended or not.
fn tasks() -> impl Strategy<Value = SearchTask> {
    let frames = vec![
        None,
        Some(window(0, 60)),
        Some(window(10, 40)),
        Some(window(20, 120)),
    ];
    proptest::sample::select(frames).prop_map(|timeframe| SearchTask {
        timeframe,
        ..task()
    })
}

fn swapped(hit: &EvidenceHit) -> EvidenceHit {
    let stance = match hit.stance {
        Stance::Support => Stance::Refute,
        Stance::Refute => Stance::Support,
        Stance::Neutral => Stance::Neutral,
    };
    EvidenceHit {
        stance,
        ..hit.clone()
    }
}

fn swapped_verdict(verdict: Option<Verdict>) -> Option<Verdict> {
    verdict.map(|verdict| match verdict {
        Verdict::True => Verdict::False,
        Verdict::False => Verdict::True,
        Verdict::Invalid(reason) => Verdict::Invalid(reason),
    })
}

const TIERS: [SourceTier; 4] = [
    SourceTier::Primary,
    SourceTier::Wire,
    SourceTier::Trade,
    SourceTier::Other,
];

/// One of a kind without a prior, and one of each kind with one.
const CLAIMS: [&str; 4] = [
    "The bridge of Example opened in March.",
    "Nervala cures colds.",
    "Nervala causes rashes.",
    "Nervala helps people with colds.",
];

fn rules(is_calibrated: bool) -> DecisionRules {
    let policy = if is_calibrated {
        Policy::CalibratedV2
    } else {
        Policy::SpecV1
    };
    DecisionRules {
        policy,
        ..DecisionRules::default()
    }
}

/// The verdicts before and after, where what came for a side took its verdict away or gave one to the other.
fn harmed(
    task: &SearchTask,
    side: Stance,
    before: &[Seen],
    after: &[Seen],
    rules: &DecisionRules,
) -> Option<(Option<Verdict>, Option<Verdict>)> {
    let verdict =
        |seen: &[Seen]| decide_by_rules(task, &history(seen, &BOTH), 3, 3, rules).verdict();
    let (own, other) = match side {
        Stance::Support => (Verdict::True, Verdict::False),
        Stance::Refute => (Verdict::False, Verdict::True),
        Stance::Neutral => return None,
    };
    let (before, after) = (verdict(before), verdict(after));
    let is_lost = before == Some(own) && after != Some(own);
    let is_given = before != Some(other) && after == Some(other);
    (is_lost || is_given).then_some((before, after))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_hits_does_not_matter(task in tasks(), seen in proptest::collection::vec(seen(), 0..14), turn in 0..14_usize) {
        let history = history(&seen, &BOTH);
        let mut turned = history.clone();
        turned.hits.rotate_left(turn.min(seen.len()));
        turned.pages.reverse();
        let (one, other) = (last(&task, &history), last(&task, &turned));
        prop_assert_eq!(one.verdict(), other.verdict());
        prop_assert_eq!(one.trace().support, other.trace().support);
        prop_assert_eq!(one.trace().refute, other.trace().refute);
        turned.hits.reverse();
        prop_assert_eq!(one.verdict(), last(&task, &turned).verdict());
    }

    #[test]
    fn the_same_input_gives_the_same_output(task in tasks(), seen in proptest::collection::vec(seen(), 0..14), attempts in 0..4_u32) {
        let history = history(&seen, &BOTH);
        prop_assert_eq!(decide_from_history(&task, &history, attempts, 3), decide_from_history(&task, &history, attempts, 3));
    }

    #[test]
    fn repeating_a_hit_changes_nothing(task in tasks(), seen in proptest::collection::vec(seen(), 1..14), index in any::<proptest::sample::Index>()) {
        let once = history(&seen, &BOTH);
        let mut twice = once.clone();
        twice.hits.push(index.get(&once.hits).clone());
        let (one, other) = (last(&task, &once), last(&task, &twice));
        prop_assert_eq!(one.verdict(), other.verdict());
        prop_assert_eq!((one.trace().support, one.trace().refute), (other.trace().support, other.trace().refute));
    }

    #[test]
    fn independent_support_never_turns_true_into_false(
        task in tasks(),
        seen in proptest::collection::vec(seen(), 0..14),
        tier in proptest::sample::select(TIERS.to_vec()),
        published in proptest::option::of(0..60_i64),
    ) {
        let (manner, place) = (HitManner::Statement, HitPlace::Page);
        let more = Seen { publisher: 200, page: 0, published, stance: Stance::Support, tier, manner, place };
        let with = [&seen[..], &[more]].concat();
        prop_assert_eq!(harmed(&task, Stance::Support, &seen, &with, &DecisionRules::default()), None);
    }

    /// By both rules, for both sides, with a prior and without one.
    #[test]
    fn one_page_more_never_harms_its_side(
        claim in proptest::sample::select(CLAIMS.to_vec()),
        is_calibrated in any::<bool>(),
        seen in proptest::collection::vec(seen(), 0..24),
        more in seen(),
    ) {
        let task = SearchTask { claim: claim.to_owned(), ..task() };
        let more = Seen { publisher: 200, ..more };
        let with = [&seen[..], std::slice::from_ref(&more)].concat();
        prop_assert_eq!(harmed(&task, more.stance, &seen, &with, &rules(is_calibrated)), None);
    }

    /// The same for a publisher that turns out to be of a better tier.
    #[test]
    fn a_better_tier_never_harms_its_side(
        claim in proptest::sample::select(CLAIMS.to_vec()),
        is_calibrated in any::<bool>(),
        seen in proptest::collection::vec(seen(), 1..24),
        at in any::<proptest::sample::Index>(),
        tier in proptest::sample::select(TIERS.to_vec()),
    ) {
        let task = SearchTask { claim: claim.to_owned(), ..task() };
        let (publisher, stance) = (at.get(&seen).publisher, at.get(&seen).stance);
        prop_assume!(seen.iter().all(|seen| seen.publisher != publisher || seen.stance == stance));
        let raise = |seen: &Seen| {
            let tier = if seen.publisher == publisher { seen.tier.min(tier) } else { seen.tier };
            Seen { tier, ..seen.clone() }
        };
        let raised: Vec<Seen> = seen.iter().map(raise).collect();
        prop_assert_eq!(harmed(&task, stance, &seen, &raised, &rules(is_calibrated)), None);
    }

    /// Where no time runs: refuting before the end is not what supporting is.
    #[test]
    fn swapping_all_stances_swaps_the_verdict(seen in proptest::collection::vec(seen(), 0..14), ended in any::<bool>()) {
        let task = SearchTask { timeframe: ended.then(|| window(0, 60)), ..task() };
        let history = history(&seen, &BOTH);
        let other = SearchHistory { hits: history.hits.iter().map(swapped).collect(), ..history.clone() };
        prop_assert_eq!(swapped_verdict(last(&task, &history).verdict()), last(&task, &other).verdict());
    }

    #[test]
    fn with_no_attempt_left_it_never_asks_for_more(task in tasks(), seen in proptest::collection::vec(seen(), 0..14), attempts in 0..6_u32, attempts_max in 0..6_u32) {
        let decision = decide_from_history(&task, &history(&seen, &BOTH), attempts, attempts_max);
        let asks = matches!(decision, VerifyDecision::NeedMoreSearch { .. });
        prop_assert!(!(asks && attempts >= attempts_max));
        prop_assert!(!(attempts < attempts_max && matches!(decision.verdict(), Some(Verdict::Invalid(_)))), "a verdict of Invalid with attempts left");
    }

    #[test]
    fn without_a_query_that_sought_refutation_nothing_is_true(task in tasks(), seen in proptest::collection::vec(seen(), 0..14)) {
        for seeks in [&[][..], &[Seeks::Support], &[Seeks::Either]] {
            prop_assert_ne!(last(&task, &history(&seen, seeks)).verdict(), Some(Verdict::True));
        }
        let mut unanswered = history(&seen, &BOTH);
        unanswered.queries[1].result_count = None;
        prop_assert_ne!(last(&task, &unanswered).verdict(), Some(Verdict::True));
    }

    #[test]
    fn a_failure_of_ours_is_no_verdict(task in tasks(), seen in proptest::collection::vec(seen(), 0..14)) {
        let mut failed = history(&seen, &BOTH);
        for page in &mut failed.pages {
            page.text.clear();
            page.failure = Some("the server closed the connection".to_owned());
        }
        if failed.pages.is_empty() {
            failed.queries.iter_mut().for_each(|query| query.result_count = None);
        }
        let decision = last(&task, &failed);
        prop_assert!(matches!(decision, VerifyDecision::Failed { .. }), "{decision:?}");
    }

    #[test]
    fn sources_of_the_tier_other_alone_decide_nothing(task in tasks(), seen in proptest::collection::vec(seen(), 0..24)) {
        let seen: Vec<Seen> = seen.into_iter().map(|seen| Seen { tier: SourceTier::Other, ..seen }).collect();
        let verdict = last(&task, &history(&seen, &BOTH)).verdict();
        prop_assert!(matches!(verdict, Some(Verdict::Invalid(_))), "{verdict:?}");
    }

    #[test]
    fn words_that_do_not_stand_in_the_page_decide_nothing(task in tasks(), seen in proptest::collection::vec(seen(), 0..14)) {
        let mut history = history(&seen, &BOTH);
        let louder = |hit: &mut EvidenceHit| hit.excerpt = format!("{}!", hit.excerpt).into();
        history.hits.iter_mut().for_each(louder);
        prop_assert_eq!(last(&task, &history).trace().families.len(), 0);
    }

    #[test]
    fn before_the_end_nothing_is_false_that_can_still_happen(seen in proptest::collection::vec(seen(), 0..14)) {
        let task = SearchTask { timeframe: Some(window(0, 120)), ..task() };
        let seen: Vec<Seen> = seen.into_iter().filter(|seen| seen.manner != HitManner::Foreclosed).collect();
        let verdict = last(&task, &history(&seen, &BOTH)).verdict();
        prop_assert!(!matches!(verdict, Some(Verdict::False | Verdict::Invalid(InvalidReason::Insufficient))), "{verdict:?}");
    }

    #[test]
    fn a_higher_threshold_never_decides_what_a_lower_one_does_not(task in tasks(), seen in proptest::collection::vec(seen(), 0..14), more in 0..2_000_u64) {
        let history = history(&seen, &BOTH);
        let decided = |rules: &DecisionRules| matches!(decide_by_rules(&task, &history, 3, 3, rules).verdict(), Some(Verdict::True | Verdict::False));
        let rules = DecisionRules::default();
        let higher = DecisionRules { threshold_milli: rules.threshold_milli + more, ..rules.clone() };
        prop_assert!(decided(&rules) || !decided(&higher));
    }
}

/// A copy of a page: another address, never better or older than what it copies.
#[derive(Clone, Debug)]
struct CopyOf {
    page: proptest::sample::Index,
    /// On a publisher that nothing else is of, or on one that others are of; then it is a day younger.
    is_elsewhere: bool,
    publisher: u8,
}

fn copies() -> impl Strategy<Value = Vec<CopyOf>> {
    let copy = (any::<proptest::sample::Index>(), any::<bool>(), 0..8_u8).prop_map(
        |(page, is_elsewhere, publisher)| CopyOf {
            page,
            is_elsewhere,
            publisher,
        },
    );
    proptest::collection::vec(copy, 1..4)
}

fn add_copy(history: &mut SearchHistory, copy: &CopyOf, number: usize) {
    let page = copy.page.get(&history.pages).clone();
    let host = if copy.is_elsewhere {
        format!("copy{number}")
    } else {
        format!("publisher{}", copy.publisher)
    };
    let url = format!("https://{host}.example/copy/{number}");
    let published = page.published.map(|date| grounds_web::PageDate {
        at: if copy.is_elsewhere {
            date.at
        } else {
            date.at + jiff::SignedDuration::from_hours(1)
        },
        ..date
    });
    let hits: Vec<EvidenceHit> = history
        .hits
        .iter()
        .filter(|hit| *hit.url == *page.url)
        .cloned()
        .collect();
    history.hits.extend(hits.into_iter().map(|hit| EvidenceHit {
        url: url.as_str().into(),
        published,
        ..hit
    }));
    history.pages.push(grounds_verify::VisitedPage {
        url,
        published,
        ..page
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// Undated pages on a publisher of others aside: which of two equals is the copy, nothing can tell.
    #[test]
    fn a_copy_of_any_page_changes_no_verdict(task in tasks(), seen in proptest::collection::vec(seen(), 1..14), copies in copies()) {
        let seen: Vec<Seen> = seen.into_iter().map(|seen| Seen { published: seen.published.or(Some(5)), ..seen }).collect();
        let before = history(&seen, &BOTH);
        let mut after = before.clone();
        for (number, copy) in copies.iter().enumerate() {
            add_copy(&mut after, copy, number);
        }
        let (one, other) = (last(&task, &before), last(&task, &after));
        prop_assert_eq!(one.verdict(), other.verdict());
        prop_assert_eq!((one.trace().support, one.trace().refute), (other.trace().support, other.trace().refute));
    }
}
