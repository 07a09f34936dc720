//! What goes wrong with a ledger: full, read-only, of another mind about the time, with credentials
//! that expire. Each is a clear error, nothing is lost, and nothing is done twice.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use grounds_fleet::ledger::Finished;
use grounds_fleet::{Fault, FaultKind, Ledger, LedgerPlace};

use crate::engine::Engine;
use crate::kills::{ended_well, ends_well, submit};
use crate::process::Worker;
use crate::server::{PASSWORD, Server, ledger};
use crate::support::{Ground, claims, finished, lease, new_run};

#[test]
fn a_server_that_takes_no_writes_is_waited_for() {
    let Some(server) = Server::start() else {
        return;
    };
    let address = server.database("fleet");
    let mut writer = ledger(&address);
    writer
        .submit(&new_run("r"), &claims(40))
        .expect("submitted");
    let held = lease(&mut writer, 1).pop().expect("a job");
    server.sql(
        "postgres",
        "ALTER SYSTEM SET default_transaction_read_only = on",
    );
    server.sql("postgres", "SELECT pg_reload_conf()");
    std::thread::sleep(Duration::from_millis(200));
    let fault = writer
        .finish(&[finished(&held.lease, "{}")])
        .expect_err("no writes");
    assert!(
        fault.kind == FaultKind::ReadOnly && fault.is_passing(),
        "{fault}"
    );
    assert!(!fault.to_string().contains(PASSWORD), "{fault}");
    let engine = Engine::start();
    let mut worker = Worker::new(&address, engine.port).start();
    std::thread::sleep(Duration::from_millis(500));
    assert!(
        worker.try_wait().expect("a status").is_none(),
        "a worker waits"
    );
    // The setting is taken back from outside of the server.
    server.restart_without("default_transaction_read_only");
    let done = [finished(&held.lease, "{}")];
    // The connection of the server before is gone; a worker asks again.
    let written = writer.finish(&done).or_else(|fault| {
        assert_eq!(fault.kind, FaultKind::Unreachable, "{fault}");
        writer.finish(&done)
    });
    assert_eq!(written.expect("written"), [true]);
    ended_well(&mut worker);
    assert_eq!(writer.results("r", -1).expect("results").len(), 40);
}

/// A worker waits within a bound, and then says what is wrong.
#[test]
fn a_worker_does_not_wait_for_ever() {
    let Some(server) = Server::start() else {
        return;
    };
    let address = server.database("fleet");
    ledger(&address)
        .submit(&new_run("r"), &claims(200))
        .expect("submitted");
    let engine = Engine::start();
    let impatient = Worker {
        outage_ms_max: 300,
        ..Worker::new(&address, engine.port)
    };
    let mut worker = impatient.start();
    std::thread::sleep(Duration::from_millis(400));
    server.kill();
    let ended = worker.wait().expect("it ends");
    assert!(!ended.success());
    let mut said = String::new();
    std::io::Read::read_to_string(worker.stderr.as_mut().expect("errors"), &mut said)
        .expect("UTF-8");
    assert!(
        said.contains("Unreachable") && !said.contains(PASSWORD),
        "{said}"
    );
}

/// A ledger on a file system of one megabyte.
#[test]
fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
        .arg(folder.path())
        .output();
    if !mounted.is_ok_and(|done| done.status.success()) {
        eprintln!("skipped: no small file system can be mounted here");
        return;
    }
    let place = LedgerPlace::File(folder.path().join("fleet.sqlite3"));
    let done = std::panic::catch_unwind(|| fill(&place));
    let _ = Command::new("umount").arg(folder.path()).status();
    done.expect("nothing is lost");
}

fn fill(place: &LedgerPlace) {
    let mut ledger = Ledger::with_tables(place.open().expect("a database")).expect("tables");
    ledger
        .submit(&new_run("r"), &claims(100))
        .expect("submitted");
    let leased = lease(&mut ledger, 100);
    let report = format!("\"{}\"", "x".repeat(30_000));
    let mut written = 0;
    let fault =
        leased.iter().find_map(
            |leased| match ledger.finish(&[finished(&leased.lease, &report)]) {
                Ok(counts) => {
                    assert_eq!(counts, [true]);
                    written += 1;
                    None
                }
                Err(fault) => Some(fault),
            },
        );
    let fault = fault.expect("a full disk");
    assert!(
        fault.kind == FaultKind::Full && fault.is_passing(),
        "{fault}"
    );
    drop(ledger);
    let mut ledger = Ledger::of(place.open().expect("a database")).expect("a ledger");
    assert_eq!(ledger.results("r", -1).expect("results").len(), written);
}

/// A password that changes in the middle: a connection that is open goes on, a new one needs the
/// new password, and reads it from its file.
#[test]
fn credentials_that_expire_are_a_clear_error_and_can_be_renewed() {
    let Some(server) = Server::start() else {
        return;
    };
    let owner = server.database("fleet");
    drop(ledger(&owner));
    server.sql("fleet", "CREATE ROLE w LOGIN SUPERUSER PASSWORD 'first'");
    let secret = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(secret.path(), "first\n").expect("a file");
    let address = format!("postgres://w@127.0.0.1:{}/fleet", server.port);
    let place = LedgerPlace::of(&address, Some(secret.path().to_owned()), None);
    let mut works = Ledger::of(place.open().expect("a connection")).expect("a ledger");
    works.submit(&new_run("r"), &claims(2)).expect("submitted");
    let held = lease(&mut works, 1).pop().expect("a job");
    server.sql("fleet", "ALTER ROLE w PASSWORD 'second'");
    let end_all =
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'w'";
    server.sql("fleet", end_all);
    std::thread::sleep(Duration::from_millis(100));
    let done = [finished(&held.lease, "{}")];
    let fault = refused(&mut works, &done);
    assert!(
        fault.kind == FaultKind::Denied && !fault.is_passing(),
        "{fault}"
    );
    assert!(
        fault.advice().contains("password") && !fault.to_string().contains("first"),
        "{fault}"
    );
    std::fs::write(secret.path(), "second\n").expect("a file");
    assert_eq!(works.finish(&done).expect("written"), [true]);
    server.sql("fleet", "ALTER ROLE w VALID UNTIL '2001-01-01'");
    assert_eq!(place.open().err().expect("expired").kind, FaultKind::Denied);
}

/// What a ledger says once its broken connection is given up.
fn refused(ledger: &mut Ledger, done: &[Finished]) -> Fault {
    for _ in 0..5 {
        let fault = ledger.finish(done).expect_err("an old password");
        if fault.kind != FaultKind::Unreachable {
            return fault;
        }
    }
    panic!("the server cannot be reached");
}

/// Only the engine's clock counts: here it is an hour ahead of that of every worker.
#[test]
fn clocks_that_disagree_by_an_hour_change_nothing() {
    let Some(server) = Server::start_at("+1h").map(Arc::new) else {
        return;
    };
    let ground = Ground::of(&server);
    let ahead = server.sql(
        "postgres",
        "SELECT extract(epoch FROM clock_timestamp())::bigint",
    );
    let here = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("a time");
    let ahead: u64 = ahead.parse().expect("seconds");
    assert!(
        ahead > here.as_secs() + 3_000,
        "the server's clock is not ahead"
    );
    let engine = Engine::start();
    submit(&ground, 300);
    let worker = Worker {
        lease_ms: 60_000,
        ..Worker::new(&ground.address, engine.port)
    };
    let mut workers = [worker.start(), worker.start()];
    workers.iter_mut().for_each(ended_well);
    let status = ground.ledger().status(None).expect("a status");
    assert!(status.failures.is_empty(), "{:?}", status.failures);
    ends_well(&ground, &engine, 300);
}

/// The core knows no clock of its machine but the one that counts on from a start.
#[test]
fn no_source_reads_the_clock_of_the_machine() {
    let mut waiting = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(
                std::fs::read_dir(&path)
                    .expect("a folder")
                    .flatten()
                    .map(|entry| entry.path()),
            );
        } else {
            let text = std::fs::read_to_string(&path).expect("UTF-8");
            assert!(
                !text.contains("SystemTime") && !text.contains("Timestamp::"),
                "{}",
                path.display()
            );
        }
    }
}
