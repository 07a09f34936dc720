//! Many calls at once: nothing past the cap, nothing faster than the rate.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use grounds_model::budget::{Budget, Caps};
use grounds_model::cancel::Cancel;
use grounds_model::pace::Rates;
use grounds_model::price::Price;
use grounds_model::{ModelClient, ModelError};

use crate::protocol::{request, settings};
use crate::server::{Answer, Server};

pub(crate) fn answer(usage: &str) -> Answer {
    let body = format!(
        r#"{{"choices": [{{"finish_reason": "stop", "message": {{"content": "yes"}}}}]{usage}}}"#
    );
    Answer {
        status: 200,
        body: body.into_bytes(),
        ..Answer::default()
    }
}

pub(crate) const HONEST: &str = r#", "usage": {"prompt_tokens": 40, "completion_tokens": 5}"#;

#[test]
fn parallel_calls_never_spend_past_the_cap() {
    for usage in [
        HONEST,
        "",
        r#", "usage": {"prompt_tokens": 0, "completion_tokens": 0}"#,
    ] {
        let server = Server::of("openai", vec![answer(usage)]);
        let mut settings = settings(&server, "openai");
        settings.rates.parallel_max = 16;
        let budget = Arc::new(Budget::new(Caps {
            max_tokens_total: Some(1_000),
            max_requests: None,
            max_cost_nano: None,
        }));
        let client = ModelClient::new(settings, Arc::clone(&budget), Cancel::default());
        let refused = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    for _ in 0..8 {
                        match client.ask(&request(false)) {
                            Ok(_) => {}
                            Err(ModelError::OverBudget(_)) => {
                                refused.fetch_add(1, Ordering::Relaxed);
                            }
                            Err(error) => panic!("{error}"),
                        }
                    }
                });
            }
        });
        let spent = budget.spent();
        assert!(
            spent.tokens() <= 1_000,
            "{usage}: {} tokens",
            spent.tokens()
        );
        assert_eq!(spent.requests, server.asked().len() as u64);
        assert_eq!(
            spent.requests + refused.into_inner(),
            128,
            "every call was answered or told"
        );
    }
}

#[test]
fn a_cost_that_is_capped_is_not_passed_and_a_dry_run_sends_nothing() {
    let server = Server::of("openai", vec![answer(HONEST)]);
    let mut settings = settings(&server, "openai");
    settings.prices = vec![Price::of_million("the-*", 10.0, 100.0, "2026-11-21").expect("a price")];
    settings.caps = Caps {
        max_tokens_total: None,
        max_requests: None,
        max_cost_nano: Some(25_000_000),
    };
    let client = ModelClient::of(settings.clone());
    let plan = client.plan(&request(false));
    assert!(
        plan.cost_nano_max.is_some_and(|nano| nano > 10_000_000),
        "100 tokens at 100 dollars a million are a cent"
    );
    let answered = (0..100)
        .take_while(|_| client.ask(&request(false)).is_ok())
        .count() as u64;
    assert!(
        client.spent().cost_nano <= 25_000_000 && answered > 1,
        "{answered} answers, {} nano",
        client.spent().cost_nano
    );
    assert_eq!(server.asked().len() as u64, answered);
    let dry = ModelClient::of(grounds_model::ModelSettings {
        is_dry_run: true,
        ..settings
    });
    assert_eq!(dry.ask(&request(false)), Err(ModelError::DryRun));
    assert_eq!(
        (dry.told().planned.len(), server.asked().len() as u64),
        (1, answered)
    );
}

#[test]
fn two_hundred_parallel_calls_keep_the_rate() {
    let server = Server::of("openai", vec![answer(HONEST)]);
    let mut settings = settings(&server, "openai");
    settings.rates = Rates {
        requests_per_minute: Some(6_000),
        tokens_per_minute: None,
        parallel_max: 64,
    };
    settings.caps = Caps {
        max_tokens_total: None,
        max_requests: None,
        max_cost_nano: None,
    };
    settings.patience.total_ms_max = 60_000;
    settings.patience.request_ms_max = 20_000;
    let client = ModelClient::of(settings);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..200 {
            scope.spawn(|| client.ask(&request(false)).expect("an answer"));
        }
    });
    let mut times: Vec<_> = server.asked().iter().map(|asked| asked.at).collect();
    times.sort();
    assert_eq!(times.len(), 200);
    // 100 a second, and a second's allowance at once. None arrives before it went, and none went
    // before the start: however busy the machine is, the one with this number cannot arrive
    // earlier than this.
    for (number, time) in times.iter().enumerate().skip(101) {
        let earliest = Duration::from_millis(10 * (number as u64 - 100));
        assert!(
            *time - start >= earliest,
            "the call {number} after {} ms",
            (*time - start).as_millis()
        );
    }
    assert!(
        server.at_once_max() <= 64,
        "{} calls at one time",
        server.at_once_max()
    );
}

#[test]
fn one_call_that_is_told_to_wait_holds_the_others() {
    let wait = Answer {
        status: 429,
        headers: vec![("retry-after".to_owned(), "1".to_owned())],
        body: b"{}".to_vec(),
        ..Answer::default()
    };
    let server = Server::of("openai", vec![wait, answer(HONEST)]);
    let client = ModelClient::of(settings(&server, "openai"));
    client
        .ask(&request(false))
        .expect("an answer after the wait");
    let asked = server.asked();
    assert_eq!(asked.len(), 2);
    assert!(asked[1].at - asked[0].at >= Duration::from_millis(950));
}
