use std::sync::atomic::AtomicUsize;

use proptest::prelude::*;

use super::*;

fn claims(count: usize) -> Vec<BatchClaim> {
    let claim = |number: usize| BatchClaim {
        id: format!("c{number}"),
        claim: format!("claim {number}"),
        from: None,
        to: None,
        context: None,
        origin: None,
        language: None,
    };
    (0..count).map(claim).collect()
}

fn result(claim: &BatchClaim) -> BatchDone {
    BatchDone::Result(
        serde_json::json!({"id": claim.id, "claim": claim.claim, "outcome": "True"}).to_string(),
    )
}

#[track_caller]
fn refused(text: &str, saying: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("claims.jsonl");
    std::fs::write(&path, text).expect("written");
    let error = read(&path).expect_err("refused").to_string();
    assert!(error.contains(saying), "{error}");
}

#[test]
fn a_line_that_cannot_be_used_is_told_with_its_number() {
    refused("{\"claim\": \"a\"}\n{\"claim\": }\n", "line 2");
    refused(
        "{\"claim\": \"a\", \"form\": \"2024\"}\n",
        "unknown field `form`",
    );
    refused(
        "{\"claim\": \"a\", \"id\": \"x\"}\n\n{\"claim\": \"b\", \"id\": \"x\"}\n",
        "line 3",
    );
    refused("{\"claim\": \" \"}\n", "empty");
    refused("\n\n", "no claim");
}

#[test]
fn results_of_other_claims_are_not_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.jsonl");
    run(&claims(3), &out, 1, &|_| None, &result, &|_| ()).expect("a run");
    let mut other = claims(3);
    other[1].claim = "another".to_owned();
    let error = run(&other, &out, 1, &|_| None, &result, &|_| ())
        .expect_err("refused")
        .to_string();
    assert!(error.contains("not one of these claims"), "{error}");
}

#[test]
fn a_result_of_another_plan_is_made_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.jsonl");
    let under = |plan: &'static str| {
        let work = move |claim: &BatchClaim| {
            BatchDone::Result(
                serde_json::json!({"id": claim.id, "claim": claim.claim, "plan": plan}).to_string(),
            )
        };
        run(
            &claims(3),
            &out,
            1,
            &|_| Some(plan.to_owned()),
            &work,
            &|_| (),
        )
        .expect("a run")
    };
    assert_eq!(under("strong").done, 3);
    assert_eq!((under("strong").known, under("strong").done), (3, 0));
    let again = under("verified");
    assert_eq!((again.known, again.done), (0, 3));
    let text = std::fs::read_to_string(&out).expect("results");
    assert_eq!((text.lines().count(), text.contains("strong")), (3, false));
}

#[test]
fn failures_are_done_again_and_a_cap_stops() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.jsonl");
    let fails = |claim: &BatchClaim| {
        if claim.id == "c1" {
            BatchDone::Failed("no network".to_owned())
        } else {
            result(claim)
        }
    };
    let summary = run(&claims(4), &out, 2, &|_| None, &fails, &|_| ()).expect("a run");
    assert_eq!(
        (summary.done, summary.failed, summary.failures),
        (3, 1, vec!["c1: no network".to_owned()])
    );
    let capped = |_: &BatchClaim| BatchDone::Stop("all 3 queries of the cap are used".to_owned());
    let summary = run(&claims(4), &out, 2, &|_| None, &capped, &|_| ()).expect("a run");
    assert_eq!(
        (summary.known, summary.done, summary.stopped.is_some()),
        (3, 0, true)
    );
    let summary = run(&claims(4), &out, 2, &|_| None, &result, &|_| ()).expect("a run");
    assert_eq!((summary.known, summary.done), (3, 1));
    let lines = std::fs::read_to_string(&out).expect("results");
    let ids: Vec<String> = lines
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).expect("JSON")["id"].to_string()
        })
        .collect();
    assert_eq!(ids, ["\"c0\"", "\"c1\"", "\"c2\"", "\"c3\""]);
}

#[test]
fn a_file_that_is_no_file_of_results_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.jsonl");
    let of_another_claim = r#"{"id": "x", "claim": "y"}"#;
    let long = format!("{{\"id\": \"{}", "c".repeat(16 << 20));
    for text in ["notes of mine", of_another_claim, &long] {
        std::fs::write(&out, text).expect("written");
        let error = run(&claims(2), &out, 1, &|_| None, &result, &|_| ());
        assert!(matches!(error, Err(BatchError::Other { .. })), "{error:?}");
        assert_eq!(std::fs::read_to_string(&out).expect("the file"), text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// A kill leaves any beginning of the file, in any order of lines, torn anywhere.
    #[test]
    fn whatever_a_kill_leaves_the_results_are_the_same(count in 1_usize..24, kept in 0_usize..24, torn in 0_usize..40, jobs in 1_usize..5) {
        let folder = tempfile::tempdir().expect("a folder");
        let (whole, out) = (folder.path().join("whole.jsonl"), folder.path().join("out.jsonl"));
        let claims = claims(count);
        run(&claims, &whole, 1, &|_| None, &result, &|_| ()).expect("a run");
        let text = std::fs::read_to_string(&whole).expect("results");
        let mut lines: Vec<&str> = text.lines().collect();
        lines.rotate_left(kept % count);
        let mut left: String = lines.iter().take(kept.min(count)).map(|line| format!("{line}\n")).collect();
        left.push_str(&lines[0][..torn.min(lines[0].len())]);
        std::fs::write(&out, &left).expect("written");
        let asked = AtomicUsize::new(0);
        let counted = |claim: &BatchClaim| {
            asked.fetch_add(1, Ordering::Relaxed);
            result(claim)
        };
        let summary = run(&claims, &out, jobs, &|_| None, &counted, &|_| ()).expect("a run");
        prop_assert_eq!(std::fs::read_to_string(&out).expect("results"), text);
        prop_assert_eq!((summary.known, asked.load(Ordering::Relaxed)), (kept.min(count), count - kept.min(count)));
        prop_assert!(!folder.path().join("out.jsonl.lock").exists());
    }
}
