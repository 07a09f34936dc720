//! The pages of a fleet that `grounds serve` shows: for everyone, of every state, and only to look at. A ledger
//! that is missing, newer, foreign or out of reach is a page that says so, and what is in one never becomes markup.

use std::path::{Path, PathBuf};
use std::process::Command;

use grounds_fleet::ledger::{FailedJob, Finished, Leased, NewRun, Next, Pick, Unit};
use grounds_fleet::{Job, Ledger, LedgerPlace, Shard, Terms, bounds};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::fleet::server;
use crate::pages::{Server, is_sound};
use crate::support::{Person, Tree, commit_all, git, has, run};

const HOSTILE: &str = "<script>alert(1)</script> \u{202e} ../\"'?&#";

/// Repositories, documents and jobs about them.
fn ground() -> Tree {
    let calls = "pub fn helper() {}\npub fn user() {\n    helper();\n}\n";
    let tree = Tree::of(&[
        (
            "docs/handbook/limits.md",
            "# Limits\n\nThe default timeout is 30 seconds.\n",
        ),
        (
            "docs/wiki/operations.md",
            "# Operations\n\nThe default timeout is 30 seconds, as everywhere.\n",
        ),
        ("mirrors/shop/api/src/lib.rs", calls),
        (
            "mirrors/shop/api/README.md",
            "See [the code](src/gone.rs).\n",
        ),
        ("mirrors/shop/web/src/lib.rs", "pub fn other() {}\n"),
        (
            "mirrors/shop/web/README.md",
            "See [the code](src/lib.rs).\n",
        ),
    ]);
    commit_all(&tree.path("mirrors/shop/web"));
    commit_all(&tree.path("mirrors/shop/api"));
    let (base, tree) = (
        head(&tree),
        tree.file(
            "mirrors/shop/api/src/more.py",
            "def find(db, name):\n    return db.execute(f\"SELECT * FROM a WHERE b = '{name}'\")\n",
        ),
    );
    git(&tree.path("mirrors/shop/api"), &["add", "-A"]);
    git(
        &tree.path("mirrors/shop/api"),
        &[
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "commit",
            "-qm",
            "more",
        ],
    );
    let jobs = jobs(&base, &head(&tree));
    let lines: String = jobs.iter().map(|job| format!("{job}\n")).collect();
    tree.file("jobs.jsonl", lines)
}

/// A job of each kind, and some more.
fn jobs(base: &str, api: &str) -> [Value; 8] {
    let none = "0".repeat(40);
    let ask = |repository: &str, commit: Option<&str>| {
        json!({
            "kind": "ask",
            "question": "who calls helper?",
            "repository": repository,
            "commit": commit
        })
    };
    [
        ask("shop/api", None),
        ask("shop/web", None),
        ask("shop/gone", Some(&none)),
        json!({"kind": "check", "repository": "shop/api", "documents": ["README.md"]}),
        json!({"kind": "check", "repository": "shop/web", "documents": ["README.md"]}),
        json!({"kind": "review", "repository": "shop/api", "base": base, "head": api}),
        json!({"kind": "claim", "id": "limits-1", "claim": "The default timeout is 30 seconds"}),
        json!({"kind": "claim", "claim": "The default timeout is 90 seconds", "origin": "javascript:alert(1)"}),
    ]
}

fn head(tree: &Tree) -> String {
    let said = Command::new("git")
        .arg("-C")
        .arg(tree.path("mirrors/shop/api"))
        .args(["rev-parse", "HEAD"])
        .output()
        .expect("git");
    String::from_utf8_lossy(&said.stdout).trim().to_owned()
}

/// The program over a ledger.
fn with(person: &Person, tree: &Tree, ledger: &str) -> Command {
    let mut command = person.calls(tree.root());
    command.env("GROUNDS_FLEET_LEDGER", ledger);
    command
}

/// A ledger in which every kind of job has ended, with one more run in which every state is.
fn filled(person: &Person, tree: &Tree) -> PathBuf {
    let path = tree.path("fleet.sqlite3");
    let shown = path.display().to_string();
    let fleet = |words: &[&str]| {
        let done = run(with(person, tree, &shown).arg("fleet").args(words));
        assert_eq!(done.code, Some(0), "{}", done.text());
    };
    fleet(&[
        "submit",
        "jobs.jsonl",
        "--corpus",
        "docs",
        "--run",
        "everything",
    ]);
    fleet(&[
        "work",
        "--until-empty",
        "--corpus",
        "docs",
        "--repositories",
        "mirrors",
        "--jobs",
        "2",
    ]);
    hostile(&shown);
    fleet(&[
        "submit",
        "jobs.jsonl",
        "--corpus",
        "docs/wiki",
        "--run",
        "waits",
    ]);
    path
}

/// A run of strange texts with a job in every state.
fn hostile(address: &str) {
    let mut ledger = Ledger::with_tables(
        LedgerPlace::of(address, None, None)
            .open()
            .expect("a ledger"),
    )
    .expect("tables");
    let terms = Terms::of([
        ("version", HOSTILE.to_owned()),
        ("model", "none".to_owned()),
    ]);
    let jobs: Vec<Job> = (0..160)
        .map(|number| {
            let claim = format!("{number} {HOSTILE} {}", "long ".repeat(900));
            let line = json!({"kind": "claim", "id": number.to_string(), "claim": claim});
            Job::parse(line.to_string().as_bytes()).expect("a job")
        })
        .collect();
    let new = NewRun {
        name: Some(HOSTILE.to_owned()),
        terms: terms.clone(),
        budgets: vec![(Unit::Queries, Some(20)), (Unit::MicroUsd, Some(2_500_000))],
        attempts_max: 2,
        shard: Shard { number: 1, of: 1 },
    };
    ledger.submit(&new, &jobs).expect("submitted");
    let leased = ledger
        .lease(&terms.hash(), HOSTILE, Pick::Fresh(80), 600_000)
        .expect("leases");
    for (number, one) in leased.iter().enumerate().take(76) {
        match number {
            0..30 => done(
                &mut ledger,
                one,
                if number % 2 == 0 {
                    "True"
                } else {
                    "insufficient"
                },
            ),
            30..70 => failed(&mut ledger, one, "timeout", Next::Never),
            _ => failed(&mut ledger, one, "budget_spent", Next::Hold),
        }
    }
    ledger
        .reserve(&leased[79].lease, Unit::Queries, 7)
        .expect("reserved");
}

fn done(ledger: &mut Ledger, leased: &Leased, verdict: &str) {
    let report =
        json!({"schema": "grounds.tomorrow/9", "text": HOSTILE, "link": "javascript:alert(1)"});
    let finished = Finished {
        lease: leased.lease.clone(),
        verdict: verdict.to_owned(),
        report: report.to_string(),
        took_ms: 1_234,
        used: Vec::new(),
    };
    assert_eq!(ledger.finish(&[finished]).expect("written"), [true]);
}

fn failed(ledger: &mut Ledger, leased: &Leased, reason: &str, next: Next) {
    let failure = FailedJob {
        lease: leased.lease.clone(),
        reason: reason.to_owned(),
        detail: format!("more than 600000 ms {HOSTILE}\n  at step 3"),
        next,
    };
    assert!(
        ledger
            .fail(&failure, &bounds::FleetBounds::default())
            .expect("written")
            .counts()
    );
}

/// The answer to a path below the token.
fn get(server: &Server, path: &str) -> String {
    let (host, token) = server.parts();
    server.says(&format!(
        "GET /{token}{path} HTTP/1.1\r\nHost: {host}\r\n\r\n"
    ))
}

#[track_caller]
fn shows(said: &str, status: &str, words: &[&str]) {
    assert!(said.starts_with(&format!("HTTP/1.1 {status}")), "{said}");
    for words in words {
        assert!(said.contains(words), "{words}: {said}");
    }
    for never in [
        "<script",
        "href=\"javascript",
        server::PASSWORD,
        " style=",
        "onerror",
    ] {
        assert!(!said.contains(never), "{never}: {said}");
    }
}

/// The page that a run of a fleet ends in.
fn results_are_for_everyone(browser: &mut Browser, person: &Person, tree: &Tree, ledger: &Path) {
    let words = [
        "fleet",
        "results",
        "--run",
        "everything",
        "--format",
        "html",
    ];
    let done = run(with(person, tree, &ledger.display().to_string()).args(words));
    let page = tree.path("results.html");
    std::fs::write(&page, &done.out).expect("written");
    is_sound(
        browser,
        &format!("file://{}", page.display()),
        "fleet-results",
    );
}

#[test]
fn the_pages_of_a_fleet_are_for_everyone() {
    if !has("chromium") || !has("git") {
        return;
    }
    let (person, tree) = (Person::new(), ground());
    let ledger = filled(&person, &tree);
    let before = std::fs::read(&ledger).expect("the ledger");
    let server = Server::called(&mut with(&person, &tree, &ledger.display().to_string()));
    let mut browser = Browser::start();
    results_are_for_everyone(&mut browser, &person, &tree, &ledger);
    browser.open(&server.address, 1280, "light");
    let list = link(&mut browser, "a[href='fleet/']");
    is_sound(&mut browser, &list, "fleet");
    says(
        &mut browser,
        &[
            "3 runs",
            "Terms that wait for a worker",
            "the oldest job waits",
            "7 of 20 queries",
        ],
    );
    let run = link(&mut browser, ".runs a[href='everything']");
    is_sound(&mut browser, &run, "fleet-run");
    says(
        &mut browser,
        &[
            "who calls helper?",
            "found",
            "1 not found",
            "no answer: 1 dead: repository missing",
            "2 of 3 repositories answered",
            "1 contradicted, 1 hold",
        ],
    );
    let found = link(&mut browser, "#answers ~ ol a");
    browser.open(&found, 1280, "light");
    assert_eq!(
        browser.value("document.querySelectorAll('#jobs ~ ol > li').length"),
        1
    );
    jobs_are_pages(&mut browser, &run);
    strange_runs_are_pages(&mut browser, &list);
    assert!(
        std::fs::read(&ledger).expect("the ledger") == before,
        "it was changed"
    );
}

/// The address that a link of the page leads to.
fn link(browser: &mut Browser, selector: &str) -> String {
    let address = browser.value(&format!("document.querySelector(\"{selector}\").href"));
    address.as_str().expect("a link").to_owned()
}

#[track_caller]
fn says(browser: &mut Browser, words: &[&str]) {
    let text = browser.value("document.body.innerText").to_string();
    for words in words {
        assert!(text.contains(words), "{words}: {text}");
    }
}

/// Every job leads to its report in the form of its command.
fn jobs_are_pages(browser: &mut Browser, run: &str) {
    for (name, about, words) in [
        (
            "ask",
            "shop/api: who calls",
            &["Answered", "references saw", "src/lib.rs"][..],
        ),
        (
            "dead",
            "shop/gone",
            &["dead: repository missing", "Attempts that failed"],
        ),
        (
            "check",
            "shop/api: README",
            &["One claim does not hold", "src/gone.rs"],
        ),
        ("review", "shop/api: ", &["Findings", "src/more.py"]),
        (
            "claim",
            "90 seconds",
            &["False", "Against the claim", "javascript:alert(1)"],
        ),
    ] {
        browser.open(run, 1280, "light");
        let job = browser.value(&format!(
            "[...document.querySelectorAll('#jobs ~ ol a')].filter((link) => \
             link.textContent.includes('{about}')).at('{name}' === 'review' ? -1 : 0).href"
        ));
        is_sound(
            browser,
            job.as_str().expect("a link"),
            &format!("fleet-{name}"),
        );
        browser.value("document.querySelectorAll('details').forEach((one) => one.open = true); 0");
        says(browser, words);
        assert_eq!(link(browser, "header a:last-of-type"), run, "the way back");
    }
}

fn strange_runs_are_pages(browser: &mut Browser, list: &str) {
    browser.open(list, 1280, "light");
    let run = link(browser, ".runs a[href^='%3C']");
    is_sound(browser, &run, "fleet-strange");
    says(
        browser,
        &[
            "40 dead letters",
            "done 30",
            "leased 4",
            "queued 80",
            "held 6",
            "dead 40",
        ],
    );
    let ids = "[...document.querySelectorAll('#jobs ~ ol a')].map((link) => link.href)";
    let first = browser.value(ids);
    let mut seen = first.as_array().expect("links").clone();
    for _ in 0..3 {
        let later = link(browser, "a[rel=next]");
        browser.open(&later, 1280, "light");
        seen.extend(browser.value(ids).as_array().expect("links").clone());
    }
    assert_eq!(
        browser.value("document.querySelector('a[rel=next]')"),
        Value::Null
    );
    seen.sort_by_key(ToString::to_string);
    seen.dedup();
    assert_eq!(seen.len(), 160, "every job is on one page");
    for _ in 0..3 {
        let earlier = link(browser, "a[rel=prev]");
        browser.open(&earlier, 1280, "light");
    }
    assert_eq!(browser.value(ids), first, "the way back");
    let job = link(browser, "#jobs ~ ol a");
    is_sound(browser, &job, "fleet-strange-job");
    says(
        browser,
        &["grounds.tomorrow/9", "cannot be read", "alert(1)"],
    );
}

/// The list over a ledger. Whatever became of the ledger, the runs of this machine are there.
fn list_of(ledger: &str) -> String {
    let (person, tree) = (Person::new(), Tree::new());
    let server = Server::called(&mut with(&person, &tree, ledger));
    let said = get(&server, "fleet/");
    shows(&get(&server, ""), "200", &["runs of a fleet"]);
    said
}

/// To look makes no ledger, and what cannot be shown is a page that says what to do.
#[test]
fn ledgers_that_cannot_be_shown_are_pages() {
    let tree = Tree::new();
    let (missing, text) = (at(&tree, "none.sqlite3"), at(&tree, "text.sqlite3"));
    let words = ["There is no ledger yet", "grounds fleet submit", &missing];
    shows(&list_of(&missing), "200", &words);
    assert!(!tree.path("none.sqlite3").exists());
    let diary = "a diary, and long enough to be read as a database".repeat(99);
    std::fs::write(tree.path("text.sqlite3"), diary).expect("a file");
    let words = ["cannot use the ledger", "name another file"];
    shows(&list_of(&text), "500", &words);
    let nobody = format!("postgres://me:{}@127.0.0.1:1/fleet", server::PASSWORD);
    let words = ["cannot use", "127.0.0.1:1/fleet", "start the server"];
    shows(&list_of(&nobody), "503", &words);
    let odd = format!("host=127.0.0.1 password={}", server::PASSWORD);
    let words = ["an address that is not shown", "begins with"];
    shows(&list_of(&odd), "500", &words);
}

#[test]
fn a_newer_ledger_is_left_alone() {
    let tree = Tree::new();
    let newer = at(&tree, "newer.sqlite3");
    hostile(&newer);
    let mut database = LedgerPlace::of(&newer, None, None)
        .open()
        .expect("a ledger");
    database
        .transaction(&mut |session| session.script("UPDATE fleet_meta SET version = 99"))
        .expect("changed");
    drop(database);
    let before = std::fs::read(&newer).expect("a ledger");
    let words = ["version 99", "use the newer program"];
    shows(&list_of(&newer), "500", &words);
    assert!(std::fs::read(&newer).expect("a ledger") == before);
}

fn at(tree: &Tree, name: &str) -> String {
    tree.path(name).display().to_string()
}

/// The same guards as of all pages, and nothing strange in an address is more than not found.
#[test]
fn strangers_get_nothing_of_the_fleet() {
    let (person, tree) = (Person::new(), Tree::new());
    let ledger = at(&tree, "fleet.sqlite3");
    hostile(&ledger);
    let server = Server::called(&mut with(&person, &tree, &ledger));
    let (host, token) = server.parts();
    for (request, status) in [
        (
            format!("GET /{token}fleet/ HTTP/1.1\r\nHost: evil.example.org\r\n\r\n"),
            "421",
        ),
        (
            format!("GET /x{token}fleet/ HTTP/1.1\r\nHost: {host}\r\n\r\n"),
            "404",
        ),
        (
            format!("GET /fleet/ HTTP/1.1\r\nHost: {host}\r\n\r\n"),
            "404",
        ),
        (
            format!("POST /{token}fleet/ HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n"),
            "405",
        ),
    ] {
        let said = server.says(&request);
        shows(&said, status, &[]);
        assert!(!said.contains("alert"), "{said}");
    }
}

#[test]
fn strange_addresses_are_not_found() {
    let (person, tree) = (Person::new(), Tree::new());
    let ledger = at(&tree, "fleet.sqlite3");
    hostile(&ledger);
    let server = Server::called(&mut with(&person, &tree, &ledger));
    for (path, status) in [
        ("fleet", "404"),
        ("fleet/none", "404"),
        ("fleet//", "404"),
        ("fleet/../../etc/passwd", "404"),
        ("fleet/%27%3B--/x", "404"),
        ("fleet/%3Cscript%3E/%3Cscript%3E", "404"),
        ("fleet/?skip=999999999999", "200"),
        ("fleet/?skip=-1&run=x", "200"),
    ] {
        shows(&get(&server, path), status, &[]);
    }
    let list = get(&server, "fleet/");
    let run = strange_run(&list);
    for (query, words) in [
        ("?state=%3Cscript%3E", "No job fits"),
        ("?word=%27&topic=%00", "No job fits"),
        ("?before=0.", "No job fits"),
        ("?after=x.y&before=.", "All jobs"),
        ("?after=99999999999999999999.a", "All jobs"),
    ] {
        shows(
            &get(&server, &format!("fleet/{run}{query}")),
            "200",
            &[words],
        );
    }
}

/// The run of strange texts as the list names it in an address.
fn strange_run(list: &str) -> &str {
    let (_, rest) = list.split_once("<ol class=\"runs\">").expect("runs");
    let mut parts = rest.split('"');
    parts
        .find(|part| part.contains("%3Cscript"))
        .expect("a run")
}

/// A run of any size is a small page that costs little.
#[test]
fn large_runs_are_small_pages() {
    let (person, tree) = (Person::new(), Tree::new());
    let ledger = at(&tree, "fleet.sqlite3");
    let jobs: Vec<Job> = (0..100_000)
        .map(|number| {
            Job::Claim(grounds_fleet::job::ClaimJob {
                claim: format!("claim {number} {}", "x".repeat(300)),
                ..Default::default()
            })
        })
        .collect();
    let new = NewRun {
        name: Some("large".to_owned()),
        terms: Terms::of([("version", "1".to_owned())]),
        budgets: Vec::new(),
        attempts_max: 1,
        shard: Shard { number: 1, of: 1 },
    };
    let place = LedgerPlace::of(&ledger, None, None);
    let opened = Ledger::with_tables(place.open().expect("a file"));
    opened
        .expect("tables")
        .submit(&new, &jobs)
        .expect("submitted");
    let server = Server::called(&mut with(&person, &tree, &ledger));
    for path in [
        "fleet/",
        "fleet/large",
        "fleet/large?state=dead",
        "fleet/large?before=99999.",
        "fleet/large?topic=none",
    ] {
        let before = processor_ms(server.id());
        let said = get(&server, path);
        let spent = processor_ms(server.id()) - before;
        shows(&said, "200", &["100000"]);
        eprintln!("{path}: {} bytes, {spent} ms of processor", said.len());
        assert!(said.len() < 200_000, "{path}: {} bytes", said.len());
        assert!(spent < 1_000, "{path}: {spent} ms");
    }
}

/// Milliseconds of processor time that a process has used; 0 where the system does not say.
fn processor_ms(process: u32) -> u64 {
    let stat = std::fs::read_to_string(Path::new("/proc").join(process.to_string()).join("stat"));
    let stat = stat.unwrap_or_default();
    let (_, rest) = stat.rsplit_once(") ").unwrap_or_default();
    let ticks = rest.split(' ').skip(11).take(2);
    ticks
        .filter_map(|ticks| ticks.parse::<u64>().ok())
        .sum::<u64>()
        * 10
}

/// A reader of a real server is enough; a refused password and a server that is gone are pages.
#[test]
fn a_server_is_shown_to_a_reader() {
    let Some(real) = server::Server::start() else {
        return;
    };
    let (person, tree) = (Person::new(), Tree::new());
    let owner = real.database("fleet");
    let page = |address: &str| Server::called(&mut with(&person, &tree, address));
    shows(
        &get(&page(&owner), "fleet/"),
        "500",
        &["no tables of a fleet", "grounds fleet migrate"],
    );
    hostile(&owner);
    let mut database = LedgerPlace::of(&owner, None, None)
        .open()
        .expect("a database");
    grounds_fleet::schema::make_roles(database.as_mut()).expect("roles");
    real.sql(
        "fleet",
        "CREATE ROLE looks LOGIN PASSWORD 'secret' IN ROLE grounds_fleet_reader",
    );
    let rows = || {
        real.sql(
            "fleet",
            "SELECT md5(string_agg(t::text, '|' ORDER BY id)) FROM fleet_jobs t",
        )
    };
    let before = rows();
    let served = page(&real.address_as("looks", "secret", real.port, "fleet"));
    every_page_is_shown(&served);
    assert_eq!(rows(), before);
    let wrong = page(&real.address_as("looks", server::PASSWORD, real.port, "fleet"));
    shows(
        &get(&wrong, "fleet/"),
        "500",
        &[
            "password authentication failed",
            "check the name, the password",
        ],
    );
    real.kill();
    shows(&get(&served, "fleet/"), "503", &["start the server"]);
}

/// The list, its run and one of its jobs.
fn every_page_is_shown(served: &Server) {
    let list = get(served, "fleet/");
    shows(&list, "200", &["One run", "40 timeout"]);
    let run = strange_run(&list);
    let said = get(served, &format!("fleet/{run}?state=dead"));
    shows(&said, "200", &["All 40 dead letters", "at step 3"]);
    let (_, rest) = said.split_once("id=\"jobs\"").expect("jobs");
    let job = rest
        .split('"')
        .find(|part| part.starts_with(run))
        .expect("a job");
    shows(
        &get(served, &format!("fleet/{job}")),
        "200",
        &["Attempts that failed"],
    );
}
