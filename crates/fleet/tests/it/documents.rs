//! The examples of docs/fleet.md: each block `sql,run` is run on both engines over the same
//! results, and gives the rows beneath it.

use grounds_fleet::Job;
use grounds_fleet::database::SqlRow;
use grounds_fleet::job::{AskJob, CheckJob, ClaimJob};
use grounds_fleet::ledger::Finished;

use crate::support::{Ground, lease, new_run, on_both};

fn ask(repository: &str, commit: u8) -> Job {
    Job::Ask(AskJob {
        repository: repository.to_owned(),
        commit: Some(commit.to_string().repeat(40)),
        question: "who calls Client.Do?".to_owned(),
        ..AskJob::default()
    })
}

fn check(repository: &str, commit: u8) -> Job {
    Job::Check(CheckJob {
        repository: repository.to_owned(),
        commit: Some(commit.to_string().repeat(40)),
        documents: vec!["README.md".to_owned()],
        ..CheckJob::default()
    })
}

fn claim() -> Job {
    Job::Claim(ClaimJob {
        claim: "The default timeout is 30 seconds".to_owned(),
        ..ClaimJob::default()
    })
}

/// Two runs, of last month and of this week, and what came out.
fn fill(ground: &Ground) {
    let mut ledger = ground.ledger();
    type Run<'r> = (&'r str, &'r [(Job, &'r str)]);
    let runs: [Run<'_>; 2] = [
        (
            "monday",
            &[
                (ask("shop/api", 1), "answered"),
                (ask("shop/web", 1), "answered"),
                (ask("shop/docs", 1), "not_found"),
                (check("shop/api", 1), "holds"),
                (check("shop/web", 1), "contradicted"),
                (claim(), "True"),
            ],
        ),
        (
            "tuesday",
            &[
                (ask("shop/api", 2), "answered"),
                (ask("shop/web", 2), "not_found"),
                (check("shop/api", 2), "contradicted"),
                (check("shop/web", 2), "contradicted"),
                (claim(), "False"),
            ],
        ),
    ];
    for (name, jobs) in runs {
        let all: Vec<Job> = jobs.iter().map(|(job, _)| job.clone()).collect();
        ledger.submit(&new_run(name), &all).expect("submitted");
        for leased in lease(&mut ledger, 100) {
            let verdict = jobs
                .iter()
                .find(|(job, _)| *job == leased.job)
                .expect("a job")
                .1;
            let finished = Finished {
                lease: leased.lease,
                verdict: verdict.to_owned(),
                report: "{}".to_owned(),
                took_ms: 1,
                used: Vec::new(),
            };
            ledger.finish(&[finished]).expect("written");
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// The blocks to run with the rows beneath them.
fn examples() -> Vec<(String, Vec<String>)> {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/fleet.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let blocks = page.split("```sql,run\n").skip(1);
    blocks
        .map(|rest| {
            let (sql, rest) = rest.split_once("```").expect("an end");
            let rows = rest
                .split("```text\n")
                .nth(1)
                .and_then(|rest| rest.split("```").next());
            let rows = rows.expect("rows").lines().map(str::to_owned).collect();
            (sql.trim().trim_end_matches(';').to_owned(), rows)
        })
        .collect()
}

fn shown(row: &SqlRow) -> String {
    let values: Vec<&str> = row
        .iter()
        .map(grounds_fleet::database::Value::text)
        .collect();
    values.join(" | ")
}

#[test]
fn the_examples_of_the_page_give_the_rows_beneath_them() {
    assert!(examples().len() >= 3, "too few examples");
    on_both(|ground| {
        fill(ground);
        for (sql, expected) in examples() {
            let mut database = ground.place().open().expect("a database");
            let mut rows = Vec::new();
            database
                .transaction(&mut |session| {
                    rows = session.query(&sql, &[])?;
                    Ok(())
                })
                .expect("an example");
            let rows: Vec<String> = rows.iter().map(shown).collect();
            assert_eq!(rows, expected, "{sql}");
        }
    });
}
