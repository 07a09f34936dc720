use super::*;

fn run(id: &str, started_ms: i64, text: &str) -> Run {
    let head = RunHead {
        id: id.to_owned(),
        kind: JobKind::Ask,
        words: format!("where is {id} defined?"),
        options: vec!["ask".to_owned(), "--repo".to_owned()],
        started_ms,
        took_ms: 3,
        folder: "/home/me".to_owned(),
        repository: "/home/me/code_100%".to_owned(),
        commit: Some("ab".to_owned()),
        is_dirty: Some(true),
        version: "0.1.0".to_owned(),
        schema: "grounds.ask/1".to_owned(),
        exit: 3,
        verdict: "not_found".to_owned(),
        documents: None,
        bytes: 0,
    };
    let text = text.to_owned();
    Run {
        head,
        report: text.clone(),
        pretty: text.clone(),
        markdown: text,
        beside: "[]".to_owned(),
    }
}

fn store(folder: &tempfile::TempDir, bounds: StoreBounds) -> Store {
    Store::open_at(&folder.path().join("state/grounds/runs.sqlite3"), bounds).expect("a store")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Removes the journal, which contains what is not yet in the file itself and would repair it.
fn forget_journal(file: &Path) {
    for name in ["runs.sqlite3-wal", "runs.sqlite3-shm"] {
        let _ = std::fs::remove_file(file.with_file_name(name));
    }
}

fn ids(store: &Store) -> Vec<String> {
    store
        .list(&RunQuery {
            runs_max: 100,
            ..RunQuery::default()
        })
        .expect("a list")
        .into_iter()
        .map(|head| head.id)
        .collect()
}

#[test]
fn what_is_put_in_comes_back() {
    let folder = folder();
    let mut store = store(&folder, StoreBounds::default());
    let given = run("one", 5, "text \u{1b} with 'quotes'");
    store.put(&given).expect("put");
    let mut got = store.find("on").expect("found");
    got.head.bytes = 0;
    assert_eq!(got, given);
    assert!(matches!(store.put(&given), Err(StoreError::Taken(_))));
    assert_eq!(store.extent().expect("an extent").runs, 1);
}

#[test]
fn a_part_of_a_name_is_enough_where_it_is_one() {
    let folder = folder();
    let mut store = store(&folder, StoreBounds::default());
    assert!(matches!(store.last(), Err(StoreError::Empty)));
    for (id, moment) in [("ab", 1), ("abc", 2), ("b_d", 3)] {
        store.put(&run(id, moment, "t")).expect("put");
    }
    assert_eq!(store.find("ab").expect("the whole name").head.id, "ab");
    assert_eq!(store.find("abc").expect("one").head.id, "abc");
    assert!(
        matches!(store.find("a"), Err(StoreError::Ambiguous { names, .. }) if names == ["ab", "abc"])
    );
    for word in ["", "x", "%", "_", "ab%"] {
        assert!(
            matches!(store.find(word), Err(StoreError::NoSuchRun(_))),
            "{word}"
        );
    }
    assert_eq!(store.last().expect("the last").head.id, "b_d");
}

#[test]
fn the_oldest_go_first_and_are_counted() {
    let folder = folder();
    let day = 86_400_000;
    let mut small = store(
        &folder,
        StoreBounds {
            runs_max: 3,
            bytes_max: 1_000_000,
            age_days_max: 10,
        },
    );
    for moment in 1..=5 {
        small
            .put(&run(&format!("r{moment}"), moment, "t"))
            .expect("put");
    }
    assert_eq!(ids(&small), ["r5", "r4", "r3"]);
    small.put(&run("later", 11 * day, "t")).expect("put");
    assert_eq!(ids(&small), ["later"]);
    drop(small);
    let mut narrow = store(
        &folder,
        StoreBounds {
            runs_max: 100,
            bytes_max: 1_000,
            age_days_max: 10,
        },
    );
    narrow
        .put(&run("wide", 11 * day + 1, &"x".repeat(315)))
        .expect("put");
    assert_eq!(ids(&narrow), ["wide"]);
    assert!(matches!(
        narrow.put(&run("wider", 11 * day + 2, &"x".repeat(400))),
        Err(StoreError::TooLarge {
            bytes_max: 1_000,
            ..
        })
    ));
    let extent = narrow.extent().expect("an extent");
    assert_eq!(
        extent.dropped,
        [
            ("age_days_max".to_owned(), 3),
            ("bytes_max".to_owned(), 1),
            ("runs_max".to_owned(), 2)
        ]
    );
    assert!(extent.bytes <= 1_000);
}

#[test]
fn words_are_looked_for_as_they_are() {
    let folder = folder();
    let mut store = store(&folder, StoreBounds::default());
    store.put(&run("alpha", 1, "t")).expect("put");
    store.put(&run("beta", 2, "t")).expect("put");
    let found = |words: &[&str]| {
        let query = RunQuery {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            runs_max: 9,
            ..RunQuery::default()
        };
        assert_eq!(
            store.count(&query).expect("a count"),
            store.list(&query).expect("a list").len() as u64
        );
        store.list(&query).expect("a list").len()
    };
    assert_eq!(found(&["ALPHA"]), 1);
    assert_eq!(found(&["where", "code_100%"]), 2);
    assert_eq!(found(&["code1100%"]), 0);
    assert_eq!(found(&["%"]), 2);
    assert_eq!(found(&["'; DROP TABLE runs; --"]), 0);
    assert_eq!(found(&["!"]), 0);
}

#[test]
fn a_broken_store_is_set_aside_and_a_newer_one_is_left_alone() {
    let folder = folder();
    let file = folder.path().join("state/grounds/runs.sqlite3");
    store(&folder, StoreBounds::default())
        .put(&run("one", 1, "t"))
        .expect("put");
    forget_journal(&file);
    std::fs::write(
        &file,
        "no database, but long enough to be taken for one: ".repeat(40),
    )
    .expect("written");
    let again = store(&folder, StoreBounds::default());
    let aside = again.set_aside().expect("set aside").to_owned();
    assert!(
        std::fs::read_to_string(aside)
            .expect("kept")
            .starts_with("no database")
    );
    assert!(ids(&again).is_empty());
    again
        .connection
        .execute_batch("PRAGMA user_version = 99")
        .expect("set");
    drop(again);
    let newer = Store::open_at(&file, StoreBounds::default()).expect_err("refused");
    assert!(
        matches!(
            newer,
            StoreError::Newer {
                have: 99,
                know: 2,
                ..
            }
        ),
        "{newer}"
    );
    std::fs::remove_file(&file).expect("removed");
    forget_journal(&file);
    Connection::open(&file)
        .and_then(|other| other.execute_batch("CREATE TABLE others (a)"))
        .expect("another database");
    assert!(matches!(
        Store::open_at(&file, StoreBounds::default()),
        Err(StoreError::Foreign { .. })
    ));
}

#[test]
fn pages_that_are_torn_are_noticed_when_they_are_written_to() {
    let folder = folder();
    let file = folder.path().join("state/grounds/runs.sqlite3");
    let mut whole = store(&folder, StoreBounds::default());
    for moment in 0..50 {
        whole
            .put(&run(&format!("r{moment}"), moment, &"x".repeat(3_000)))
            .expect("put");
    }
    whole
        .connection
        .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
        .expect("written back");
    drop(whole);
    let mut bytes = std::fs::read(&file).expect("read");
    bytes.iter_mut().skip(4096).for_each(|byte| *byte = 0xa5);
    std::fs::write(&file, bytes).expect("torn");
    let mut torn = store(&folder, StoreBounds::default());
    torn.put(&run("new", 99, "t")).expect("kept in a new store");
    assert!(torn.set_aside().is_some());
    assert_eq!(ids(&torn), ["new"]);
}

#[cfg(unix)]
#[test]
fn it_is_for_the_person_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    let state = folder.path().join("state/grounds");
    std::fs::create_dir_all(&state).expect("made");
    std::fs::write(state.join("runs.sqlite3"), "").expect("made");
    store(&folder, StoreBounds::default())
        .put(&run("one", 1, "t"))
        .expect("put");
    let mode = |path: &Path| std::fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(&state), 0o700);
    for entry in std::fs::read_dir(&state).expect("a folder").flatten() {
        assert_eq!(mode(&entry.path()), 0o600, "{}", entry.path().display());
    }
}

#[test]
fn nothing_of_a_run_stays_after_clearing() {
    let folder = folder();
    let mut store = store(&folder, StoreBounds::default());
    store.put(&run("one", 1, "remarkablewords")).expect("put");
    assert_eq!(store.clear().expect("cleared"), 1);
    assert_eq!(store.extent().expect("an extent"), Extent::default());
    drop(store);
    for entry in std::fs::read_dir(folder.path().join("state/grounds"))
        .expect("a folder")
        .flatten()
    {
        let bytes = std::fs::read(entry.path()).expect("read");
        assert!(
            !bytes.windows(15).any(|window| window == b"remarkablewords"),
            "{}",
            entry.path().display()
        );
    }
}

#[test]
fn names_are_in_the_order_of_time() {
    let names: Vec<String> = [0, 1, 31, 32, 1_000, 1_900_000_000_000]
        .into_iter()
        .map(new_name)
        .collect();
    assert!(names.is_sorted(), "{names:?}");
    assert!(
        names.iter().all(|name| checked_name(name).is_ok()),
        "{names:?}"
    );
    for wrong in ["", "A", "a b", "a/b", "é", &"a".repeat(41)] {
        assert!(checked_name(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn the_journal_stays_short_however_many_processes_come_and_go() {
    let folder = folder();
    let text = "x".repeat(20_000);
    let mut longest = 0;
    for moment in 0..40 {
        // As each process does: open, put one run, end.
        let mut store = store(&folder, StoreBounds::default());
        store
            .put(&run(&format!("r{moment}"), moment, &text))
            .expect("put");
        longest = longest.max(journal::bytes(store.file()));
    }
    assert!(longest < 2 * journal::JOURNAL_BYTES_MAX, "{longest}");
    let store = store(&folder, StoreBounds::default());
    assert_eq!(store.count(&RunQuery::default()).expect("a count"), 40);
    assert_eq!(store.find("r7").expect("found").report, text);
}

#[test]
fn a_reader_keeps_the_journal_and_no_one_waits_for_it() {
    let folder = folder();
    let text = "x".repeat(300_000);
    let mut writer = store(&folder, StoreBounds::default());
    writer.put(&run("a", 1, &text)).expect("put");
    let mut reader = store(&folder, StoreBounds::default());
    let moment = reader.connection.transaction().expect("a moment");
    let count = |moment: &Connection| {
        moment
            .query_row("SELECT count(*) FROM runs", [], |row| row.get::<_, i64>(0))
            .expect("a count")
    };
    assert_eq!(count(&moment), 1);
    let start = std::time::Instant::now();
    writer.put(&run("b", 2, &text)).expect("put");
    writer.put(&run("c", 3, &text)).expect("put");
    assert!(
        start.elapsed().as_millis() < u128::from(BUSY_MS_MAX),
        "nobody waited"
    );
    assert!(journal::bytes(writer.file()) > journal::JOURNAL_BYTES_MAX);
    assert_eq!(count(&moment), 1, "the reader sees its own moment");
    drop(moment);
    writer.put(&run("d", 4, "t")).expect("put");
    assert_eq!(journal::bytes(writer.file()), 0);
    assert_eq!(ids(&writer), ["d", "c", "b", "a"]);
}
