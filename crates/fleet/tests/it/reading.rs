//! A ledger that is only read: nothing is made or changed, pages have every job once, and a look ends
//! in its time.

use std::path::Path;
use std::time::{Duration, Instant};

use grounds_fleet::bounds::PAGE_ROWS;
use grounds_fleet::database::{Database, Session};
use grounds_fleet::ledger::{ChosenJobs, Cut, FailedJob, JobRow, Next, PageFrom};
use grounds_fleet::{FaultKind, Ledger, LedgerPlace};

use crate::server::Server;
use crate::support::{Ground, bounds, claims, finished, lease, new_run, on_both};

/// Time enough for every look of these tests.
const WITHIN: Duration = Duration::from_secs(20);
const CUT: Cut = Cut {
    report_letters_max: 8,
    attempts_max: 1,
    detail_letters_max: 4,
};

/// A run with results, a dead letter and jobs that wait, of two files with the same places.
fn fill(ground: &Ground) {
    let mut ledger = ground.ledger();
    ledger.submit(&new_run("r"), &claims(7)).expect("submitted");
    // Before the others are submitted: jobs of one millisecond are leased by their places, whatever their run.
    let leased = lease(&mut ledger, 4);
    ledger
        .submit(&new_run("r"), &claims(12)[7..])
        .expect("another file");
    ledger.submit(&new_run("s"), &claims(2)).expect("submitted");
    for one in &leased[..2] {
        let report = "{\"a\": \"a long report\"}";
        ledger
            .finish(&[finished(&one.lease, report)])
            .expect("done");
    }
    for (one, next) in [(&leased[2], Next::Retry), (&leased[3], Next::Never)] {
        let failure = FailedJob {
            lease: one.lease.clone(),
            reason: "timeout".to_owned(),
            detail: "evidence".to_owned(),
            next,
        };
        ledger.fail(&failure, &bounds()).expect("failed");
    }
}

fn reading(place: &LedgerPlace) -> Ledger {
    Ledger::of(place.open_to_read(WITHIN).expect("it is there")).expect("a ledger")
}

fn places(rows: &[JobRow]) -> Vec<(i64, String)> {
    rows.iter().map(|row| (row.place, row.id.clone())).collect()
}

/// All jobs page by page, forwards and then back.
fn paged(ledger: &mut Ledger, chosen: &ChosenJobs) -> Vec<(i64, String)> {
    let (mut all, mut from) = (Vec::new(), PageFrom::Start);
    loop {
        let page = places(&ledger.rows("r", chosen, &from, 2).expect("a page"));
        let Some((place, id)) = page.last().cloned() else {
            break;
        };
        all.extend(page);
        from = PageFrom::After(place, id);
    }
    let mut back = Vec::new();
    let mut from = PageFrom::Before(i64::MAX, String::new());
    loop {
        let page = places(&ledger.rows("r", chosen, &from, 2).expect("a page"));
        let Some((place, id)) = page.first().cloned() else {
            break;
        };
        back.splice(0..0, page);
        from = PageFrom::Before(place, id);
    }
    assert_eq!(all, back);
    all
}

#[test]
fn pages_have_every_job_once() {
    on_both(|ground| {
        fill(ground);
        let mut ledger = reading(&ground.place());
        let all = paged(&mut ledger, &ChosenJobs::default());
        let mut distinct = all.clone();
        distinct.dedup();
        assert_eq!((all.len(), distinct.len()), (12, 12), "{all:?}");
        let count = |ledger: &mut Ledger, state: &str, word: &str| {
            let chosen = ChosenJobs {
                state: state.to_owned(),
                word: word.to_owned(),
                ..ChosenJobs::default()
            };
            paged(ledger, &chosen).len()
        };
        for (state, word, jobs) in [
            ("done", "", 2),
            ("", "true", 2),
            ("dead", "timeout", 1),
            ("queued", "timeout", 1),
            ("queued", "", 9),
            ("", "nothing of the kind", 0),
        ] {
            assert_eq!(count(&mut ledger, state, word), jobs, "{state} {word}");
        }
    });
}

/// The places of files that were submitted under one name are the same ones, across the ends of pages too.
#[test]
fn results_of_several_files_are_all_listed() {
    on_both(|ground| {
        let mut ledger = ground.ledger();
        let all = claims(3 * PAGE_ROWS);
        for file in all.chunks(PAGE_ROWS) {
            ledger.submit(&new_run("r"), file).expect("submitted");
        }
        let (mut listed, mut after) = (0, -1);
        loop {
            let page = ledger.without_result("r", after).expect("a page");
            let Some(last) = page.last() else { break };
            (listed, after) = (listed + page.len(), last.place);
        }
        assert_eq!(listed, all.len());
        let leased = lease(&mut ledger, all.len());
        let done: Vec<_> = leased
            .iter()
            .map(|one| finished(&one.lease, "{}"))
            .collect();
        ledger.finish(&done).expect("written");
        (listed, after) = (0, -1);
        loop {
            let page = ledger.results("r", after).expect("a page");
            let Some(last) = page.last() else { break };
            (listed, after) = (listed + page.len(), last.place);
        }
        assert_eq!(listed, all.len());
    });
}

#[test]
fn one_job_is_shown_with_what_is_kept_of_it() {
    on_both(|ground| {
        fill(ground);
        let mut ledger = reading(&ground.place());
        let rows = ledger
            .rows("r", &ChosenJobs::default(), &PageFrom::Start, 99)
            .expect("rows");
        let of = |state: &str| rows.iter().find(|row| row.state == state).expect("a row");
        let done = ledger.entry("r", &of("done").id, CUT).expect("read");
        let done = done.expect("a job");
        let report = done.report.expect("a report");
        assert_eq!(report.text, "{\"a\": \"a");
        assert_eq!((report.letters, report.worker.as_str()), (22, "w"));
        let dead = ledger.entry("r", &of("dead").id, CUT).expect("read");
        let dead = dead.expect("a job");
        assert!(dead.report.is_none() && dead.row.word == "timeout");
        assert_eq!(
            (dead.attempts.count, dead.attempts.last[0].detail.as_str()),
            (1, "evid")
        );
        assert_eq!(ledger.entry("r", "none", CUT), Ok(None));
        assert_eq!(ledger.entry("s", &of("dead").id, CUT), Ok(None));
        let status = ledger.status(None).expect("a status");
        assert_eq!(status.going["r"].failures["timeout"], 2, "{status:?}");
        assert_eq!(ledger.status(Some("s")).expect("a status").failures, []);
    });
}

/// Every way to look at a ledger.
fn look(place: &LedgerPlace) {
    let mut ledger = reading(place);
    ledger.status(None).expect("a status");
    ledger.groups("r").expect("groups");
    let rows = ledger
        .rows("r", &ChosenJobs::default(), &PageFrom::Start, 9)
        .expect("rows");
    ledger.entry("r", &rows[0].id, CUT).expect("an entry");
    ledger
        .rows_with_attempts("r", &ChosenJobs::default(), 9, CUT)
        .expect("attempts");
}

fn is_refused(database: &mut dyn Database, expected: FaultKind) {
    for sql in [
        "UPDATE fleet_jobs SET state = 'dead'",
        "CREATE TABLE more (a BIGINT)",
    ] {
        let change = |session: &mut dyn Session| session.script(sql);
        let refused = database.transaction(&mut |session| change(session));
        assert_eq!(refused.expect_err("it only reads").kind, expected, "{sql}");
    }
}

#[test]
fn to_look_at_a_file_changes_no_byte_of_it() {
    let ground = Ground::file();
    fill(&ground);
    let path = Path::new(&ground.address).to_owned();
    let before = std::fs::read(&path).expect("the file");
    look(&ground.place());
    let mut database = ground.place().open_to_read(WITHIN).expect("it is there");
    is_refused(database.as_mut(), FaultKind::ReadOnly);
    drop(database);
    assert!(std::fs::read(&path).expect("the file") == before);
    let missing = path.with_file_name("missing.sqlite3");
    let fault = LedgerPlace::File(missing.clone())
        .open_to_read(WITHIN)
        .err();
    assert_eq!(fault.expect("no file").kind, FaultKind::Usage);
    assert!(!missing.exists());
    // No tables: none are made.
    let empty = path.with_file_name("empty.sqlite3");
    std::fs::write(&empty, "").expect("a file");
    let opened = LedgerPlace::File(empty.clone()).open_to_read(WITHIN);
    let fault = Ledger::of(opened.expect("opened"))
        .err()
        .expect("no tables");
    assert_eq!(fault.kind, FaultKind::Older);
    assert_eq!(std::fs::read(&empty).expect("the file"), b"");
}

/// A reader needs no more than the role of readers, and the server refuses its writes whatever its role.
#[test]
fn to_look_at_a_server_needs_the_role_of_a_reader() {
    let Some(server) = Server::shared() else {
        return;
    };
    let ground = Ground::of(&server);
    fill(&ground);
    let mut database = ground.place().open().expect("a database");
    grounds_fleet::schema::make_roles(database.as_mut()).expect("roles");
    let name = ground.address.rsplit('/').next().expect("a name");
    server.sql(
        name,
        "CREATE ROLE looks LOGIN PASSWORD 'secret' IN ROLE grounds_fleet_reader",
    );
    let address = server.address_as("looks", "secret", server.port, name);
    look(&LedgerPlace::of(&address, None, None));
    let mut database = ground.place().open_to_read(WITHIN).expect("it is there");
    is_refused(database.as_mut(), FaultKind::ReadOnly);
}

#[test]
fn a_look_ends_in_its_time() {
    let ground = Ground::file();
    fill(&ground);
    let slow =
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n";
    let mut places = vec![(ground.place(), FaultKind::Busy)];
    let server = Server::shared();
    let on_server = server.as_ref().map(Ground::of);
    if let Some(on_server) = &on_server {
        fill(on_server);
        places.push((on_server.place(), FaultKind::Unreachable));
    }
    for (place, kind) in places {
        let start = Instant::now();
        let mut database = place
            .open_to_read(Duration::from_millis(700))
            .expect("it is there");
        let look = |session: &mut dyn Session| session.query(slow, &[]).map(drop);
        let fault = database.transaction(&mut |session| look(session));
        let fault = fault.expect_err("it takes for ever");
        assert_eq!(fault.kind, kind, "{fault}");
        assert!(start.elapsed() < Duration::from_secs(10), "{fault}");
    }
}
