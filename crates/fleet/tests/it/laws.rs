//! What holds of a ledger, whichever engine it is on.

use std::time::Duration;

use grounds_fleet::ledger::{Exchange, FailedJob, Next, Pick, Reserve, Unit};
use grounds_fleet::{FaultKind, Job, Ledger, Shard, answers, merge};

use crate::support::{Ground, bounds, claims, count, finished, lease, new_run, on_both, terms};

/// Writes a failure; returns whether it counts.
fn fails(ledger: &mut Ledger, failure: &FailedJob) -> bool {
    ledger.fail(failure, &bounds()).expect("written").counts()
}

#[test]
fn a_job_is_leased_once_and_finished_once() {
    on_both(|ground| {
        let mut ledger = ground.ledger();
        let submitted = ledger.submit(&new_run("r"), &claims(5)).expect("submitted");
        assert_eq!((submitted.new, submitted.known), (5, 0));
        let again = ledger.submit(&new_run("r"), &claims(7)).expect("submitted");
        assert_eq!((again.new, again.known), (2, 5));
        let leased = lease(&mut ledger, 4);
        assert_eq!(leased.len(), 4);
        assert_eq!(lease(&mut ledger, 9).len(), 3);
        assert!(lease(&mut ledger, 9).is_empty());
        let results: Vec<_> = leased
            .iter()
            .map(|one| finished(&one.lease, "{}"))
            .collect();
        assert_eq!(ledger.finish(&results).expect("written"), [true; 4]);
        // An answer that was lost is asked for again.
        assert_eq!(ledger.finish(&results).expect("written"), [true; 4]);
        let status = ledger.status(Some("r")).expect("a status");
        assert_eq!((count(&status, "done"), count(&status, "leased")), (4, 3));
        let kept = ledger.results("r", -1).expect("results");
        let names: Vec<&str> = kept.iter().map(|kept| kept.job.name()).collect();
        assert_eq!(names, ["c0", "c1", "c2", "c3"]);
        assert_eq!(ledger.without_result("r", -1).expect("the others").len(), 3);
    });
}

#[test]
fn a_lease_that_ran_out_finishes_nothing() {
    on_both(|ground| {
        let mut ledger = ground.ledger();
        ledger.submit(&new_run("r"), &claims(1)).expect("submitted");
        let hash = terms("1").hash();
        let take = |ledger: &mut grounds_fleet::Ledger, pick, ms| {
            ledger.lease(&hash, "w", pick, ms).expect("a lease").pop()
        };
        let first = take(&mut ledger, Pick::Fresh(1), 1).expect("a job").lease;
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(
            ledger.finish(&[finished(&first, "1")]).expect("asked"),
            [false]
        );
        assert_eq!(
            ledger
                .renew(std::slice::from_ref(&first), 1000)
                .expect("asked"),
            std::slice::from_ref(&first)
        );
        assert_eq!(
            ledger.reserve(&first, Unit::Tokens, 1).expect("asked"),
            Reserve::Lost
        );
        assert_eq!(
            ledger.begin_exchange(&first, "q").expect("asked"),
            Exchange::Lost
        );
        assert_eq!(ledger.sweep().expect("swept"), 1);
        // Whoever lost a worker is not among the fresh.
        assert_eq!(take(&mut ledger, Pick::Fresh(1), 60_000), None);
        let second = take(&mut ledger, Pick::Suspect, 60_000).expect("a job");
        assert_eq!(second.attempt, 2);
        let both = [finished(&first, "1"), finished(&second.lease, "2")];
        assert_eq!(ledger.finish(&both).expect("asked"), [false, true]);
        assert_eq!(ledger.results("r", -1).expect("results")[0].report, "2");
    });
}

#[test]
fn a_job_that_loses_every_worker_is_a_dead_letter_with_its_evidence() {
    on_both(|ground| {
        let mut ledger = ground.ledger();
        ledger.submit(&new_run("r"), &claims(1)).expect("submitted");
        for pick in [Pick::Fresh(1), Pick::Suspect, Pick::Suspect] {
            let leased = ledger
                .lease(&terms("1").hash(), "w", pick, 1)
                .expect("a lease");
            assert_eq!(leased.len(), 1);
            std::thread::sleep(Duration::from_millis(20));
            ledger.sweep().expect("swept");
        }
        let dead = ledger
            .without_result("r", -1)
            .expect("a page")
            .pop()
            .expect("one");
        assert_eq!(
            (
                dead.state.as_str(),
                dead.reason.as_str(),
                dead.attempts.len()
            ),
            ("dead", "lease_lost", 3)
        );
        assert_eq!(ledger.retry("r", Some("timeout")).expect("asked"), 0);
        assert_eq!(ledger.retry("r", Some("lease_lost")).expect("asked"), 1);
        assert_eq!(lease(&mut ledger, 1).len(), 1);
    });
}

#[test]
fn failures_are_tried_again_until_they_are_dead() {
    on_both(|ground| {
        let mut ledger = ground.ledger();
        ledger.submit(&new_run("r"), &claims(1)).expect("submitted");
        let mut fail = |next| {
            let leased = lease(&mut ledger, 1).pop().expect("a job");
            let failure = FailedJob {
                lease: leased.lease,
                reason: "exit_1".to_owned(),
                detail: "it said \u{1f4a5}".to_owned(),
                next,
            };
            assert!(fails(&mut ledger, &failure));
            assert!(!fails(&mut ledger, &failure));
            let status = ledger.status(None).expect("a status");
            (
                count(&status, "queued"),
                count(&status, "dead"),
                count(&status, "held"),
            )
        };
        assert_eq!(fail(Next::Release), (1, 0, 0));
        assert_eq!(fail(Next::Retry), (1, 0, 0));
        assert_eq!(fail(Next::Retry), (1, 0, 0));
        assert_eq!(fail(Next::Retry), (0, 1, 0));
        assert_eq!(ledger.retry("r", None).expect("asked"), 1);
        let leased = lease(&mut ledger, 1).pop().expect("a job");
        let failure = FailedJob {
            lease: leased.lease,
            reason: "not_a_commit".to_owned(),
            detail: String::new(),
            next: Next::Never,
        };
        assert!(fails(&mut ledger, &failure));
        assert_eq!(count(&ledger.status(None).expect("a status"), "dead"), 1);
    });
}

#[test]
fn workers_of_other_terms_get_nothing() {
    on_both(|ground| {
        let mut ledger = ground.ledger();
        ledger.submit(&new_run("r"), &claims(2)).expect("submitted");
        let other = terms("2").hash();
        assert!(
            ledger
                .lease(&other, "w", Pick::Fresh(9), 1000)
                .expect("asked")
                .is_empty()
        );
        assert!(
            ledger
                .lease(&other, "w", Pick::Suspect, 1000)
                .expect("asked")
                .is_empty()
        );
        assert_eq!(ledger.open_jobs(&other).expect("asked"), (0, 2));
        let mut run = new_run("r");
        run.terms = terms("2");
        let fault = ledger.submit(&run, &claims(2)).expect_err("other terms");
        assert!(
            fault.kind == FaultKind::Usage && fault.why.contains("(version)"),
            "{fault}"
        );
        // Under a name of its own, the same jobs are other jobs.
        run.name = None;
        assert_eq!(ledger.submit(&run, &claims(2)).expect("submitted").new, 2);
        assert_eq!(ledger.open_jobs(&other).expect("asked"), (2, 2));
    });
}

#[test]
fn a_budget_is_reserved_before_it_is_spent_and_what_is_left_returns() {
    on_both(|ground| {
        let mut ledger = ground.ledger();
        let mut run = new_run("r");
        run.budgets = vec![
            (Unit::Tokens, Some(100)),
            (Unit::Queries, None),
            (Unit::MicroUsd, None),
        ];
        ledger.submit(&run, &claims(3)).expect("submitted");
        let leased = lease(&mut ledger, 3);
        let mut reserve = |place: usize, amount| {
            ledger
                .reserve(&leased[place].lease, Unit::Tokens, amount)
                .expect("asked")
        };
        assert_eq!(reserve(0, 60), Reserve::Taken);
        assert_eq!(reserve(1, 60), Reserve::Spent);
        assert_eq!(reserve(1, 40), Reserve::Taken);
        assert_eq!(reserve(2, 1), Reserve::Spent);
        let mut done = finished(&leased[0].lease, "{}");
        done.used = vec![(Unit::Tokens, 10)];
        ledger.finish(&[done]).expect("written");
        let used = |ledger: &mut grounds_fleet::Ledger| {
            let budgets = ledger.status(None).expect("a status").budgets;
            budgets
                .iter()
                .find(|budget| budget.unit == "tokens")
                .expect("tokens")
                .used
        };
        assert_eq!(used(&mut ledger), 50);
        // A worker that is lost returns nothing: nobody knows what it spent.
        ledger.cancel("r").expect("called off");
        assert_eq!(used(&mut ledger), 50);
    });
}

#[test]
fn a_job_that_waits_for_its_budget_goes_on_when_it_is_raised() {
    on_both(|ground| {
        let mut ledger = ground.ledger();
        let mut run = new_run("r");
        run.budgets = vec![(Unit::Queries, Some(1))];
        ledger.submit(&run, &claims(2)).expect("submitted");
        let leased = lease(&mut ledger, 2);
        assert_eq!(
            ledger.begin_exchange(&leased[0].lease, "a").expect("asked"),
            Exchange::Send
        );
        assert_eq!(
            ledger.begin_exchange(&leased[1].lease, "b").expect("asked"),
            Exchange::Spent
        );
        let failure = FailedJob {
            lease: leased[1].lease.clone(),
            reason: "budget_spent".to_owned(),
            detail: String::new(),
            next: Next::Hold,
        };
        assert!(fails(&mut ledger, &failure));
        assert!(lease(&mut ledger, 1).is_empty());
        assert_eq!(
            ledger.submit(&run, &claims(2)).expect("the same").released,
            0
        );
        run.budgets = vec![(Unit::Queries, Some(2))];
        assert_eq!(ledger.submit(&run, &claims(2)).expect("more").released, 1);
        let again = lease(&mut ledger, 1).pop().expect("a job");
        assert_eq!(again.attempt, 1);
        assert_eq!(
            ledger.begin_exchange(&again.lease, "b").expect("asked"),
            Exchange::Send
        );
    });
}

#[test]
fn a_paid_query_is_sent_once() {
    on_both(|ground| {
        let mut ledger = ground.ledger();
        ledger.submit(&new_run("r"), &claims(3)).expect("submitted");
        let leased = lease(&mut ledger, 2);
        let [one, two] = [&leased[0].lease, &leased[1].lease];
        assert_eq!(
            ledger.begin_exchange(one, "q").expect("asked"),
            Exchange::Send
        );
        assert_eq!(
            ledger.begin_exchange(two, "q").expect("asked"),
            Exchange::Wait
        );
        ledger
            .keep_exchange(two, "q", "not its own")
            .expect("ignored");
        ledger.keep_exchange(one, "q", "answer").expect("kept");
        let known = Exchange::Known("answer".to_owned());
        assert_eq!(ledger.begin_exchange(two, "q").expect("asked"), known);
        assert_eq!(ledger.begin_exchange(one, "q").expect("asked"), known);
        // The engine said no: it may be asked again.
        assert_eq!(
            ledger.begin_exchange(one, "r").expect("asked"),
            Exchange::Send
        );
        ledger.drop_exchange(one, "r").expect("dropped");
        assert_eq!(
            ledger.begin_exchange(two, "r").expect("asked"),
            Exchange::Send
        );
    });
}

/// A worker that is lost between sending and keeping leaves a query that nobody knows about.
#[test]
fn a_paid_query_that_nobody_knows_about_is_not_sent_again() {
    on_both(|ground| {
        let mut ledger = ground.ledger();
        ledger.submit(&new_run("r"), &claims(3)).expect("submitted");
        let leased = lease(&mut ledger, 2);
        let [one, two] = [&leased[0].lease, &leased[1].lease];
        let gone = ledger
            .lease(&terms("1").hash(), "w", Pick::Fresh(1), 300)
            .expect("a lease")
            .pop()
            .expect("a job");
        assert_eq!(
            ledger.begin_exchange(&gone.lease, "s").expect("asked"),
            Exchange::Send
        );
        assert_eq!(
            ledger.begin_exchange(one, "s").expect("asked"),
            Exchange::Wait
        );
        std::thread::sleep(Duration::from_millis(400));
        assert_eq!(
            ledger.begin_exchange(one, "s").expect("asked"),
            Exchange::Unknown
        );
        let failure = FailedJob {
            lease: one.clone(),
            reason: "query_unknown".to_owned(),
            detail: "s".to_owned(),
            next: Next::Never,
        };
        assert!(fails(&mut ledger, &failure));
        assert_eq!(
            ledger.begin_exchange(two, "s").expect("asked"),
            Exchange::Unknown
        );
        // A person says that it may be sent again.
        assert_eq!(ledger.retry("r", Some("query_unknown")).expect("asked"), 1);
        assert_eq!(
            ledger.begin_exchange(two, "s").expect("asked"),
            Exchange::Send
        );
    });
}

#[test]
fn what_is_called_off_ends() {
    on_both(|ground| {
        let mut ledger = ground.ledger();
        ledger.submit(&new_run("r"), &claims(3)).expect("submitted");
        ledger.submit(&new_run("s"), &claims(1)).expect("submitted");
        let leased = lease(&mut ledger, 1).pop().expect("a job");
        assert_eq!(ledger.cancel("r").expect("called off"), 3);
        assert_eq!(
            ledger
                .finish(&[finished(&leased.lease, "{}")])
                .expect("asked"),
            [false]
        );
        assert_eq!(
            ledger
                .renew(std::slice::from_ref(&leased.lease), 1000)
                .expect("asked")
                .len(),
            1
        );
        assert_eq!(lease(&mut ledger, 9).len(), 1);
        let groups = ledger.groups("r").expect("groups");
        assert!(
            answers::of(&groups).is_empty(),
            "claims are about no repository"
        );
    });
}

/// A result is known to other runs under its own terms alone.
#[test]
fn a_result_is_known_by_what_was_asked_and_under_which_terms() {
    on_both(|ground| {
        let mut ledger = ground.ledger();
        let jobs = claims(2);
        ledger.submit(&new_run("r"), &jobs).expect("submitted");
        let ours = terms("1").hash();
        assert_eq!(ledger.known(&jobs[0], &ours).expect("asked"), None);
        let leased = lease(&mut ledger, 1).pop().expect("a job");
        ledger
            .finish(&[finished(&leased.lease, "{}")])
            .expect("written");
        let mut known = |job: &Job, terms: &str| {
            let known = ledger.known(job, terms).expect("asked");
            known.map(|known| known.report)
        };
        assert_eq!(known(&leased.job, &ours).as_deref(), Some("{}"));
        assert_eq!(known(&leased.job, &terms("2").hash()), None);
        let other = jobs
            .iter()
            .find(|job| job.content() != leased.job.content());
        assert_eq!(known(other.expect("a job"), &ours), None);
    });
}

#[test]
fn leases_return_untouched_and_old_runs_go() {
    on_both(|ground| {
        let mut ledger = ground.ledger();
        ledger.submit(&new_run("r"), &claims(1)).expect("submitted");
        let leased = lease(&mut ledger, 1).pop().expect("a job");
        ledger
            .release(std::slice::from_ref(&leased.lease))
            .expect("returned");
        let again = lease(&mut ledger, 1).pop().expect("a job");
        assert_eq!(again.attempt, 1);
        assert_eq!(ledger.prune(0).expect("pruned").runs, 0);
        ledger
            .finish(&[finished(&again.lease, "{}")])
            .expect("written");
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(ledger.prune(1).expect("pruned").runs, 0);
        assert_eq!(ledger.prune(0).expect("pruned").runs, 1);
        assert!(ledger.status(None).expect("a status").counts.is_empty());
    });
}

/// A share of four of so many claims, whose jobs are done.
fn share(number: u32, jobs: usize) -> Ground {
    let part = Ground::file();
    let mut run = new_run("r");
    run.shard = Shard { number, of: 4 };
    let mut ledger = part.ledger();
    ledger.submit(&run, &claims(jobs)).expect("submitted");
    for leased in lease(&mut ledger, 100) {
        let done = finished(&leased.lease, "{}");
        ledger.finish(&[done]).expect("written");
    }
    part
}

/// Shares are files: machines that reach no common ledger leave them.
#[test]
fn shares_become_one_run_again() {
    on_both(|ground| {
        let parts: Vec<Ground> = (1..=3).map(|number| share(number, 50)).collect();
        drop(ground.ledger());
        let into = || ground.place().open().expect("a database");
        let open = |parts: &[Ground]| {
            parts
                .iter()
                .map(|part| part.place().open().expect("a part"))
                .collect::<Vec<_>>()
        };
        let merged = merge::merge(into().as_mut(), &mut open(&parts)).expect("merged");
        assert_eq!(
            (merged.missing.as_slice(), merged.jobs_of_file),
            ([4].as_slice(), 50)
        );
        assert!(
            merged.results == merged.jobs && (20..50).contains(&merged.results),
            "{merged:?}"
        );
        let again = merge::merge(into().as_mut(), &mut open(&parts)).expect("merged");
        assert_eq!((again.jobs, again.results), (0, 0));
        let other = share(4, 51);
        let fault = merge::merge(into().as_mut(), &mut open(&[other])).expect_err("other jobs");
        assert_eq!(fault.kind, FaultKind::Usage, "{fault}");
    });
}
