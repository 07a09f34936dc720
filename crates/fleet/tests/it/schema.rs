//! Tables forward and back, tables of a newer program, and roles with no more rights than they
//! need.

use grounds_fleet::ledger::{Pick, Went};
use grounds_fleet::schema::{self, VERSION};
use grounds_fleet::{FaultKind, Ledger, LedgerPlace};

use crate::server::Server;
use crate::support::{claims, finished, lease, new_run, on_both, terms};

#[test]
fn tables_go_forward_and_back_and_keep_what_they_have() {
    on_both(|ground| {
        let open = || ground.place().open().expect("a database");
        let fault = Ledger::of(open()).err().expect("no tables");
        assert!(
            fault.kind == FaultKind::Older && fault.advice().contains("migrate"),
            "{fault}"
        );
        let mut ledger = ground.ledger();
        ledger.submit(&new_run("r"), &claims(3)).expect("submitted");
        assert_eq!(schema::migrate(open().as_mut(), 1).expect("back"), VERSION);
        let fault = Ledger::of(open()).err().expect("older tables");
        assert!(
            fault.kind == FaultKind::Older && fault.why.contains("version 1"),
            "{fault}"
        );
        assert_eq!(
            schema::migrate(open().as_mut(), VERSION).expect("forward"),
            1
        );
        assert_eq!(
            ground
                .ledger()
                .submit(&new_run("r"), &claims(3))
                .expect("the same")
                .known,
            3
        );
        assert_eq!(schema::migrate(open().as_mut(), 0).expect("away"), VERSION);
        assert_eq!(
            Ledger::of(open()).err().expect("no tables").kind,
            FaultKind::Older
        );
        ground.ledger();
    });
}

#[test]
fn tables_of_a_newer_program_are_left_alone() {
    on_both(|ground| {
        drop(ground.ledger());
        let mut database = ground.place().open().expect("a database");
        let newer = |session: &mut dyn grounds_fleet::database::Session| {
            session.script("UPDATE fleet_meta SET version = 99")
        };
        database
            .transaction(&mut |session| newer(session))
            .expect("changed");
        for fault in [
            Ledger::of(ground.place().open().expect("a database"))
                .err()
                .expect("newer"),
            schema::migrate(database.as_mut(), VERSION).expect_err("newer"),
            schema::migrate(database.as_mut(), 0).expect_err("newer"),
        ] {
            assert!(
                fault.kind == FaultKind::Newer && fault.why.contains("99"),
                "{fault}"
            );
        }
    });
}

#[test]
fn a_file_of_something_else_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().join("text");
    std::fs::write(
        &text,
        "a diary, and a long one, so that it is no empty file".repeat(40),
    )
    .expect("a file");
    let fault = LedgerPlace::File(text.clone())
        .open()
        .err()
        .expect("no database");
    assert_eq!(fault.kind, FaultKind::Foreign, "{fault}");
    assert!(
        std::fs::read_to_string(&text)
            .expect("it stays")
            .starts_with("a diary")
    );
}

#[test]
fn each_role_has_the_rights_it_needs_and_no_others() {
    let Some(server) = Server::start() else {
        return;
    };
    let owner = server.database("fleet");
    let mut database = LedgerPlace::of(&owner, None, None)
        .open()
        .expect("a database");
    schema::migrate(database.as_mut(), VERSION).expect("tables");
    for _ in 0..2 {
        schema::make_roles(database.as_mut()).expect("roles");
    }
    let (submitter, worker, reader) = (
        as_role(&server, "submitter"),
        as_role(&server, "worker"),
        as_role(&server, "reader"),
    );
    ledger(&submitter)
        .submit(&new_run("r"), &claims(3))
        .expect("a submitter submits");
    let mut works = ledger(&worker);
    let leased = lease(&mut works, 2);
    works
        .finish(&[finished(&leased[0].lease, "{}")])
        .expect("a worker finishes");
    works
        .begin_exchange(&leased[1].lease, "q")
        .expect("a worker asks");
    works
        .pace(&[("host", 1), ("host tokens", 1)])
        .expect("a worker keeps the pace");
    works
        .went("host", Went::Badly)
        .expect("a worker notes a failure");
    works.sweep().expect("a worker sweeps");
    let mut reads = ledger(&reader);
    assert_eq!(reads.results("r", -1).expect("a reader reads").len(), 1);
    reads.status(None).expect("a reader looks");
    ledger(&submitter)
        .cancel("r")
        .expect("a submitter calls off");
    are_refused(&submitter, &worker, &reader);
}

fn are_refused(submitter: &LedgerPlace, worker: &LedgerPlace, reader: &LedgerPlace) {
    for refused in [
        ledger(reader).cancel("r").err(),
        ledger(reader)
            .lease(&terms("1").hash(), "w", Pick::Fresh(1), 1)
            .err(),
        ledger(worker).submit(&new_run("s"), &claims(1)).err(),
        ledger(worker).prune(0).err(),
        ledger(submitter).prune(0).err(),
        schema::migrate(worker.open().expect("a connection").as_mut(), 0).err(),
    ] {
        assert_eq!(refused.expect("a refusal").kind, FaultKind::Denied);
    }
}

/// A login in a role.
fn as_role(server: &Server, role: &str) -> LedgerPlace {
    let sql = format!("CREATE ROLE {role} LOGIN PASSWORD 'secret' IN ROLE grounds_fleet_{role}");
    server.sql("fleet", &sql);
    let address = server.address_as(role, "secret", server.port, "fleet");
    LedgerPlace::of(&address, None, None)
}

fn ledger(place: &LedgerPlace) -> Ledger {
    Ledger::of(place.open().expect("a connection")).expect("a ledger")
}
