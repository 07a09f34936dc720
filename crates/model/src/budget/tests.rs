use super::*;
use proptest::prelude::*;

fn estimate(prompt_tokens: u64, output_tokens_max: u64) -> Estimate {
    Estimate {
        prompt_tokens,
        word_tokens: prompt_tokens,
        output_tokens_max,
        price: None,
    }
}

fn usage(prompt_tokens: u64, output_tokens: u64) -> Option<Usage> {
    Some(Usage {
        prompt_tokens,
        output_tokens,
        cached_tokens: 0,
    })
}

fn of_tokens(cap: u64) -> Budget {
    Budget::new(Caps {
        max_tokens_total: Some(cap),
        max_requests: None,
        max_cost_nano: None,
    })
}

#[test]
fn nothing_is_reserved_past_the_cap() {
    let budget = of_tokens(100);
    let first = budget.reserve(estimate(40, 20), "m").expect("fits");
    assert_eq!(
        budget.reserve(estimate(40, 20), "m").expect_err("too much"),
        Exceeded::Tokens {
            wanted: 60,
            left: 40,
            cap: 100
        }
    );
    first.settle(usage(38, 5), 5);
    assert_eq!(budget.spent().tokens(), 43);
    budget
        .reserve(estimate(37, 20), "m")
        .expect("fits now")
        .refused();
    assert_eq!((budget.spent().tokens(), budget.spent().requests), (43, 2));
    budget
        .reserve(estimate(37, 20), "m")
        .expect("fits")
        .give_back();
    assert_eq!(budget.spent().requests, 2);
}

#[test]
fn what_is_not_said_or_not_believable_is_spent_whole() {
    for said in [None, usage(0, 0), usage(40, 0), usage(1, 20)] {
        let budget = of_tokens(100);
        budget
            .reserve(estimate(40, 20), "m")
            .expect("fits")
            .settle(said, 15);
        assert_eq!(
            (budget.spent().tokens(), budget.spent().unsaid),
            (60, 1),
            "{said:?}"
        );
    }
    let budget = of_tokens(100);
    drop(budget.reserve(estimate(40, 20), "m").expect("fits"));
    assert_eq!(
        budget.spent().tokens(),
        60,
        "a request whose end nobody knows"
    );
}

#[test]
fn a_provider_that_uses_more_ends_the_run() {
    let budget = of_tokens(100);
    budget
        .reserve(estimate(40, 20), "m")
        .expect("fits")
        .settle(usage(40, 5_000), 15);
    assert_eq!(budget.spent().overrun_tokens, 4_980);
    assert!(budget.reserve(estimate(1, 1), "m").is_err());
    budget
        .reserve(estimate(0, 0), "m")
        .expect("nothing fits")
        .settle(usage(u64::MAX, u64::MAX), 0);
    assert_eq!(budget.spent().tokens(), u64::MAX, "no overflow");
}

#[test]
fn cost_is_capped_only_where_it_is_known() {
    let budget = Budget::new(Caps {
        max_tokens_total: None,
        max_requests: None,
        max_cost_nano: Some(1_000),
    });
    assert_eq!(
        budget.reserve(estimate(1, 1), "m").expect_err("unpriced"),
        Exceeded::Unpriced {
            model: "m".to_owned()
        }
    );
    let price = Price {
        model: "m".to_owned(),
        prompt_nano: 10,
        output_nano: 20,
        as_of: "2026-11-21".to_owned(),
    };
    let priced = |prompt, output| Estimate {
        price: Some(price.clone()),
        ..estimate(prompt, output)
    };
    assert!(matches!(
        budget.reserve(priced(100, 1), "m"),
        Err(Exceeded::Cost {
            wanted_nano: 1_020,
            left_nano: 1_000,
            ..
        })
    ));
    budget
        .reserve(priced(50, 20), "m")
        .expect("fits")
        .settle(usage(50, 10), 10);
    assert_eq!(budget.spent().cost_nano, 700);
}

#[test]
fn requests_are_capped() {
    let budget = Budget::new(Caps {
        max_tokens_total: None,
        max_requests: Some(1),
        max_cost_nano: None,
    });
    budget
        .reserve(estimate(1, 1), "m")
        .expect("the first")
        .refused();
    assert_eq!(
        budget.reserve(estimate(1, 1), "m").expect_err("the second"),
        Exceeded::Requests { cap: 1 }
    );
}

proptest! {
    /// Whatever threads do, honest providers never make the sum pass the cap.
    #[test]
    fn threads_never_spend_past_the_cap(cap in 0_u64..5_000, calls in proptest::collection::vec((0_u64..300, 0_u64..300, 0_u8..5), 1..60)) {
        let budget = of_tokens(cap);
        std::thread::scope(|scope| {
            for part in calls.chunks(8) {
                let budget = &budget;
                scope.spawn(move || for (prompt, output, end) in part {
                    let Ok(reservation) = budget.reserve(estimate(*prompt, *output), "m") else { continue };
                    match end {
                        0 => reservation.give_back(),
                        1 => reservation.refused(),
                        2 => drop(reservation),
                        3 => reservation.settle(None, *output),
                        _ => reservation.settle(usage(*prompt, output / 2), output / 2),
                    }
                });
            }
        });
        prop_assert!(budget.spent().tokens() <= cap);
        let state = budget.lock();
        prop_assert_eq!((state.reserved_tokens, state.reserved_cost_nano), (0, 0));
    }
}

#[test]
fn a_part_counts_its_own_and_the_caps_of_the_whole_hold() {
    let whole = Arc::new(of_tokens(100));
    let (one, other) = (Budget::part_of(&whole), Budget::part_of(&whole));
    one.reserve(estimate(40, 20), "m")
        .expect("fits")
        .settle(usage(38, 5), 5);
    assert!(
        matches!(
            other.reserve(estimate(40, 20), "m"),
            Err(Exceeded::Tokens { left: 57, .. })
        ),
        "what the other part spent is gone"
    );
    assert_eq!(other.spent(), Spent::default());
    drop(other.reserve(estimate(30, 20), "m").expect("fits"));
    other
        .reserve(estimate(3, 2), "m")
        .expect("fits")
        .give_back();
    assert_eq!(
        (
            one.spent().tokens(),
            other.spent().tokens(),
            whole.spent().tokens()
        ),
        (43, 50, 93)
    );
    assert_eq!((other.spent().requests, whole.spent().requests), (1, 2));
    assert_eq!(whole.lock().reserved_tokens, 0);
}
