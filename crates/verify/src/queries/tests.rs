use super::*;

fn task(claim: &str) -> SearchTask {
    SearchTask {
        id: "t".to_owned(),
        claim: claim.to_owned(),
        timeframe: None,
        context: None,
        language: None,
        origin: None,
    }
}

fn gap(side: ClaimSide) -> DecisionGap {
    DecisionGap {
        side,
        lacks_milli: 600,
        lacks_families: 1,
        lacks_tier: false,
        lacks_refutation_query: false,
        is_conflict: false,
        within: None,
    }
}

fn history(queries: &[Query]) -> SearchHistory {
    let sent = |query: &Query| SearchQuery {
        text: query.text.clone(),
        provider: "p".to_owned(),
        seeks: query.seeks,
        result_count: Some(0),
    };
    SearchHistory {
        as_of: Timestamp::UNIX_EPOCH,
        queries: queries.iter().map(sent).collect(),
        pages: Vec::new(),
        hits: Vec::new(),
    }
}

#[track_caller]
fn refutation(claim: &str, expected: &str) {
    let found = first(&task(claim), 4);
    let texts: Vec<&str> = found
        .iter()
        .filter(|query| query.seeks == Seeks::Refutation)
        .map(|query| query.text.as_str())
        .collect();
    assert_eq!(texts, [expected]);
}

#[test]
fn the_first_attempt_seeks_refutation_too() {
    refutation(
        "The default timeout is 30 seconds.",
        "default timeout seconds",
    );
    refutation("The cache is enabled by default", "cache disabled default");
    refutation("Google sold Motorola", "Google sold Motorola not false");
}

#[test]
fn one_query_is_never_too_few_to_seek_refutation() {
    let found = first(&task("Aspirin prevents heart attacks"), 1);
    assert!(
        found.iter().any(|query| query.seeks == Seeks::Refutation),
        "{found:?}"
    );
}

#[test]
fn operators_of_engines_do_not_pass() {
    let found = first(
        &task("-site:evil.example \"The cache\" is (enabled) | *\u{1b}[2J"),
        4,
    );
    assert!(
        found
            .iter()
            .all(|query| !query.text.contains(['"', '(', '|', '*', '\u{1b}'])
                && !query.text.starts_with('-')),
        "{found:?}"
    );
}

#[test]
fn no_query_is_sent_twice_and_queries_end() {
    let task = task("Bitcoin closed above $100,000 in 2024");
    let mut sent = first(&task, 3);
    for side in [ClaimSide::Support, ClaimSide::Refute]
        .into_iter()
        .cycle()
        .take(12)
    {
        let more = further(&task, &gap(side), &history(&sent), 3);
        assert!(
            more.len() <= 3 && more.iter().all(|query| !sent.contains(query)),
            "{more:?}"
        );
        sent.extend(more);
    }
    assert!(further(&task, &gap(ClaimSide::Support), &history(&sent), 3).is_empty());
    assert!(sent.len() > 6, "{sent:?}");
}

#[test]
fn what_is_missing_is_asked_for() {
    let task = task("Acme opened a plant in Poland");
    let end = "2024-05-31T00:00:00Z".parse().ok();
    let lacking = DecisionGap {
        lacks_refutation_query: true,
        lacks_tier: true,
        within: Some(Timeframe { start: None, end }),
        ..gap(ClaimSide::Support)
    };
    let texts: Vec<String> = further(&task, &lacking, &history(&[]), 9)
        .into_iter()
        .map(|query| query.text)
        .collect();
    assert!(
        texts[0].contains("closed")
            && texts.iter().any(|text| text.contains("official"))
            && texts.iter().any(|text| text.contains("May 2024")),
        "{texts:?}"
    );
}
