//! `grounds fleet` as a person and a cluster see it: jobs go in, workers end them, results come
//! out, on a file and on a real server.

#[path = "../../../fleet/tests/it/server.rs"]
#[allow(
    dead_code,
    reason = "the tests of the ledger use more of the server than these"
)]
pub(crate) mod server;
#[cfg(feature = "telemetry")]
mod traces;

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::{Run, Tree, commit_all, finish, grounds, has, keeps_to, run, send};

/// A folder with documents, and a ledger in it.
pub(crate) fn ground() -> Tree {
    Tree::of(&[
        (
            "docs/handbook/limits.md",
            "# Limits\n\nThe default timeout is 30 seconds.\n",
        ),
        (
            "docs/wiki/operations.md",
            "# Operations\n\nThe default timeout is 30 seconds, as everywhere.\n",
        ),
        (
            "claims.jsonl",
            "{\"kind\": \"claim\", \"id\": \"a\", \"claim\": \"The default timeout is 30 seconds\"}\n\
             {\"kind\": \"claim\", \"id\": \"b\", \"claim\": \"The default timeout is 90 seconds\"}\n\
             {\"kind\": \"claim\", \"id\": \"c\", \"claim\": \"The office cat is grey\"}\n",
        ),
    ])
}

/// A command of a fleet, with the ledger of the folder.
pub(crate) fn fleet(tree: &Tree, words: &[&str]) -> Command {
    let mut command = grounds(tree.root());
    command
        .current_dir(tree.root())
        .env("GROUNDS_FLEET_LEDGER", tree.path("fleet.sqlite3"))
        .env_remove("SEARXNG_URL")
        .arg("fleet")
        .args(words);
    command
}

#[track_caller]
pub(crate) fn ends(command: &mut Command, code: i32) -> Run {
    let done = run(command);
    assert_eq!(done.code, Some(code), "{}", done.text());
    done
}

pub(crate) fn out(done: &Run) -> String {
    String::from_utf8(done.out.clone()).expect("UTF-8")
}

/// The results of the last run, each against the schema.
#[track_caller]
pub(crate) fn results(tree: &Tree, code: i32) -> Vec<Value> {
    let done = ends(fleet(tree, &["results"]).args(["--format", "jsonl"]), code);
    let lines: Vec<Value> = out(&done)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for line in &lines {
        keeps_to("fleet-result", line);
    }
    lines
}

#[track_caller]
pub(crate) fn status(tree: &Tree) -> Value {
    let done = ends(fleet(tree, &["status"]).args(["--format", "json"]), 0);
    let report: Value = serde_json::from_slice(&done.out).expect("JSON");
    keeps_to("fleet-status", &report);
    report
}

#[test]
fn a_broken_file_submits_nothing_and_names_its_lines() {
    let tree = ground();
    let long = format!(
        "{{\"kind\": \"claim\", \"claim\": \"{}\"}}",
        "x".repeat(10 << 20)
    );
    let good = std::fs::read_to_string(tree.path("claims.jsonl")).expect("claims");
    let twice = good
        .lines()
        .next()
        .expect("a line")
        .replace("\"a\"", "\"again\"");
    let text = format!("{good}{twice}\n{{\"kind\": \"cook\"}}\n{long}\n{{\"kind\"\n");
    let tree = tree.file("broken.jsonl", text);
    let done = run(&mut fleet(
        &tree,
        &["submit", "broken.jsonl", "--corpus", "docs"],
    ));
    done.is_one_error(2, "grounds explain fleet-jobs");
    let said = String::from_utf8_lossy(&done.err).into_owned();
    for words in [
        "4 of its lines",
        "line 4: it is the same job as line 1",
        "line 5: unknown variant `cook`",
        "line 6: it has more than 65536 bytes",
        "line 7: EOF",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert_eq!(status(&tree)["runs"], json!([]));
    ends(
        &mut fleet(
            &tree,
            &[
                "submit",
                "broken.jsonl",
                "--corpus",
                "docs",
                "--skip-broken",
            ],
        ),
        0,
    );
    assert_eq!(status(&tree)["runs"][0]["jobs"], json!({"queued": 3}));
    run(&mut fleet(&tree, &["submit", "claims.jsonl"]))
        .is_one_error(2, "grounds explain no-sources");
    run(&mut fleet(&tree, &["results", "--run", "none"]))
        .is_one_error(2, "grounds explain fleet-run-unknown");
    let other = Tree::of(&[(
        "fleet.sqlite3",
        &"not a database at all, and long enough to be read as one".repeat(99),
    )]);
    run(&mut fleet(&other, &["status"])).is_one_error(2, "grounds explain ledger-foreign");
}

/// A fleet decides as a batch does, and a worker of other documents gets nothing.
#[test]
fn claims_are_decided_as_in_a_batch() {
    let tree = ground();
    let submit = ["submit", "claims.jsonl", "--corpus", "docs"];
    assert!(out(&ends(&mut fleet(&tree, &submit), 0)).contains("3 jobs submitted, 0 were there"));
    assert!(out(&ends(&mut fleet(&tree, &submit), 0)).contains("0 jobs submitted, 3 were there"));
    assert_eq!(results(&tree, 3).len(), 3);
    let other = Tree::of(&[("a.md", "Something else.\n")]);
    let corpus = other.root().to_string_lossy().into_owned();
    let refused = ends(
        &mut fleet(&tree, &["work", "--until-empty", "--corpus", &corpus]),
        3,
    );
    assert!(
        out(&refused).contains("3 jobs wait for workers of another"),
        "{}",
        refused.text()
    );
    let worked = ends(
        &mut fleet(&tree, &["work", "--until-empty", "--corpus", "docs"]),
        0,
    );
    assert!(out(&worked).contains("3 results"), "{}", worked.text());
    let (lines, batched) = (results(&tree, 0), batched(&tree));
    assert_eq!(lines.len(), 3);
    for (one, other) in lines.iter().zip(&batched) {
        for key in ["id", "claim", "outcome", "reason", "sources"] {
            assert_eq!(one["report"][key], other[key], "{key}");
        }
    }
    assert_eq!(lines[0]["verdict"], "True");
    let metrics = out(&ends(&mut fleet(&tree, &["metrics"]), 0));
    assert!(
        metrics.contains("grounds_fleet_jobs{state=\"done\"} 3\n"),
        "{metrics}"
    );
}

/// Two builds may have one version.
#[test]
fn what_the_program_was_made_from_is_a_part_of_its_terms() {
    let tree = ground();
    ends(
        &mut fleet(&tree, &["submit", "claims.jsonl", "--corpus", "docs"]),
        0,
    );
    let version = status(&tree)["runs"][0]["parts"]["version"].to_string();
    let sources = version.trim_matches('"').rsplit(' ').next();
    assert!(sources.is_some_and(|hash| hash.len() == 16), "{version}");
}

/// A model that cannot be used is an error, and never none; a budget that cannot be kept is refused.
#[test]
fn a_model_is_chosen_well_or_nothing_is_submitted() {
    let tree = ground();
    let submit = |model: &str, more: &[&str]| {
        let words = [&["submit", "claims.jsonl", "--corpus", "docs"], more].concat();
        let mut command = fleet(&tree, &words);
        run(command
            .env("GROUNDS_MODEL", model)
            .env("OPENAI_API_KEY", "sk-none"))
    };
    submit("ollama/", &[]).is_one_error(2, "grounds explain model-settings");
    let open = submit("openai/gpt-5", &["--max-cost-usd", "1"]);
    open.is_one_error(2, "grounds explain fleet-jobs");
    assert!(
        open.text().contains("model.max_cost_usd"),
        "{}",
        open.text()
    );
    let runs = status(&tree)["runs"].as_array().map(Vec::len);
    assert_eq!(runs, Some(0));
}

/// The results of the same claims in a batch.
fn batched(tree: &Tree) -> Vec<Value> {
    let batch = tree.path("batch.jsonl");
    let claims = tree.path("plain.jsonl");
    let text = std::fs::read_to_string(tree.path("claims.jsonl")).expect("claims");
    std::fs::write(&claims, text.replace("\"kind\": \"claim\", ", "")).expect("a file");
    let batched = run(grounds(tree.root())
        .current_dir(tree.root())
        .args(["verify", "--corpus", "docs", "--batch"])
        .arg(&claims)
        .arg("--out")
        .arg(&batch));
    assert_eq!(batched.code, Some(0), "{}", batched.text());
    let batched = std::fs::read_to_string(&batch).expect("results");
    let batched: Vec<Value> = batched
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    batched
}

/// Two repositories: one calls `helper` and has a document that is wrong, the other does neither.
pub(crate) fn mirrors() -> Tree {
    let calls = "pub fn helper() {}\npub fn user() {\n    helper();\n}\n";
    let tree = ground()
        .file("mirrors/a/src/lib.rs", calls)
        .file("mirrors/a/README.md", "See [the code](src/gone.rs).\n")
        .file("mirrors/b/src/lib.rs", "pub fn other() {}\n")
        .file("mirrors/b/README.md", "See [the code](src/lib.rs).\n")
        .file("list.txt", "a\nb\n");
    commit_all(&tree.path("mirrors/a"));
    commit_all(&tree.path("mirrors/b"));
    // What is not committed is not what a job is about.
    tree.file("mirrors/b/src/lib.rs", calls)
}

/// Asks the repositories of the list, and returns the answers over all of them.
fn asked(tree: &Tree, run: &str, asked: &[&str]) -> Vec<Value> {
    asked_by(tree, run, asked, fleet)
}

fn asked_by(
    tree: &Tree,
    run: &str,
    asked: &[&str],
    fleet: fn(&Tree, &[&str]) -> Command,
) -> Vec<Value> {
    let mut submit = vec!["submit", "--repos", "list.txt", "--repositories", "mirrors"];
    submit.extend(["--run", run]);
    submit.extend(asked);
    ends(&mut fleet(tree, &submit), 0);
    let work = ["work", "--until-empty", "--repositories", "mirrors"];
    ends(&mut fleet(tree, &work), 0);
    let report = status(tree);
    let mut runs = report["runs"].as_array().expect("runs").iter();
    let run = runs.find(|one| one["name"] == run).expect("a run");
    run["answers"].as_array().expect("answers").clone()
}

/// Absence over many repositories needs all of them.
#[test]
fn a_question_over_repositories_is_not_found_only_if_all_answered() {
    if !has("git") {
        return;
    }
    let tree = mirrors();
    let calls = asked(&tree, "calls", &["--question", "who calls helper?"]);
    let counts = (&calls[0]["found"], &calls[0]["not_found"]);
    assert_eq!(calls[0]["overall"], "found", "{calls:?}");
    assert_eq!(counts, (&json!(1), &json!(1)), "{calls:?}");
    let question = ["--question", "who calls nobody_at_all?"];
    let nobody = asked(&tree, "nobody", &question);
    assert_eq!(nobody[0]["overall"], "not_found", "{nobody:?}");
    assert_eq!(nobody[0]["not_found"], 2, "{nobody:?}");
    // A repository that is gone is a dead letter, and the answer is no absence.
    std::fs::rename(tree.path("mirrors/b"), tree.path("mirrors/moved")).expect("moved");
    let tree = tree.file("list.txt", format!("a\nb {}\n", "0".repeat(40)));
    let gone = asked(&tree, "gone", &question);
    assert_eq!(gone[0]["overall"], "cannot_tell", "{gone:?}");
    let missing = json!({"dead: repository_missing": 1});
    assert_eq!(gone[0]["missing"], missing, "{gone:?}");
    let mut results = fleet(&tree, &["results", "--run", "gone"]);
    let log = ends(results.args(["--format", "sarif"]), 3);
    assert!(out(&log).contains("repository_missing"), "{}", log.text());
}

/// What another run found of a commit is taken where that is wanted: here the repository has gone.
#[test]
fn what_another_run_found_of_a_commit_can_be_taken() {
    if !has("git") {
        return;
    }
    let tree = mirrors();
    let question = "who calls helper?";
    let first = asked(&tree, "first", &["--question", question]);
    let again = |run: &str, question: &str| {
        let words = ["--repositories", "mirrors", "--run", run];
        let submit = [
            &["submit", "--repos", "list.txt", "--question", question],
            &words[..],
        ];
        ends(&mut fleet(&tree, &submit.concat()), 0);
        std::fs::rename(tree.path("mirrors"), tree.path("away")).expect("moved");
        std::fs::create_dir(tree.path("mirrors")).expect("a folder");
        let work = [
            "work",
            "--until-empty",
            "--reuse",
            "--repositories",
            "mirrors",
        ];
        ends(&mut fleet(&tree, &work), 0);
        std::fs::remove_dir(tree.path("mirrors")).expect("removed");
        std::fs::rename(tree.path("away"), tree.path("mirrors")).expect("moved");
        let report = status(&tree);
        let mut runs = report["runs"].as_array().expect("runs").iter();
        runs.find(|one| one["name"] == run).expect("a run")["answers"].clone()
    };
    assert_eq!(again("second", question), json!(first));
    let other = again("third", "who calls user?");
    assert_eq!(other[0]["missing"], json!({"dead: repository_missing": 2}));
}

/// What a parse said of a text is used again in a fork, and is never trusted if it was spoiled.
#[test]
fn forks_share_what_parses_said() {
    if !has("git") {
        return;
    }
    let tree = mirrors();
    let code = std::fs::read_to_string(tree.path("mirrors/a/src/lib.rs")).expect("code");
    let tree = tree
        .file("mirrors/fork/src/lib.rs", code)
        .file("mirrors/fork/NOTES.md", "A fork.\n");
    commit_all(&tree.path("mirrors/fork"));
    let calls = |tree: &Tree, run: &str| {
        let question = ["--question", "who calls helper?"];
        let answers = asked_by(tree, run, &question, of_a_person);
        answers[0]["found"].clone()
    };
    let tree = tree.file("list.txt", "a\n");
    assert_eq!(calls(&tree, "one"), json!(1));
    let kept = kept_parses(&tree);
    assert!(kept > 0);
    let tree = tree.file("list.txt", "fork\n");
    assert_eq!(calls(&tree, "fork"), json!(1));
    // Which tree its commit has is kept as well.
    assert_eq!(kept_parses(&tree), kept + 1, "the fork has the same texts");
    let file = rusqlite::Connection::open(parses(&tree)).expect("a database");
    let spoil = "UPDATE parses SET said = CAST('[]' AS BLOB)";
    assert_eq!(file.execute(spoil, []), Ok(kept + 1));
    assert_eq!(calls(&tree, "spoiled"), json!(1));
    // A bound of 0 keeps nothing.
    file.execute("DELETE FROM parses", []).expect("deleted");
    let own = tree.file(
        "config/grounds/config.yaml",
        "ask:\n  parses_bytes_max: 0\n",
    );
    assert_eq!(calls(&own, "none"), json!(1));
    assert_eq!(kept_parses(&own), 0);
}

/// A person's questions keep what parses said as well, unless they are to keep nothing.
#[test]
fn a_question_keeps_what_parses_said() {
    let code = "pub fn helper() {}\npub fn user() {\n    helper();\n}\n";
    let (tree, home) = (Tree::new().file("src/lib.rs", code), Tree::new());
    let ask = |words: &[&str]| {
        let mut command = grounds(tree.root());
        command.env("XDG_CACHE_HOME", home.path("cache")).arg("ask");
        let done = run(command.args(words).arg("who calls helper?"));
        assert_eq!(done.code, Some(0), "{}", done.text());
        done.text()
    };
    let plain = ask(&["--no-cache"]);
    assert!(!parses(&home).exists());
    assert_eq!(ask(&[]), plain);
    let kept = kept_parses(&home);
    assert!(kept > 0);
    assert_eq!(ask(&[]), plain);
    assert_eq!(kept_parses(&home), kept);
}

/// A command of a fleet of somebody with a cache and a configuration.
fn of_a_person(tree: &Tree, words: &[&str]) -> Command {
    let mut command = fleet(tree, words);
    command
        .env("XDG_CACHE_HOME", tree.path("cache"))
        .env("XDG_CONFIG_HOME", tree.path("config"));
    command
}

fn parses(tree: &Tree) -> PathBuf {
    tree.path("cache/grounds/parses/parses-1.sqlite3")
}

/// How many parses are kept.
fn kept_parses(tree: &Tree) -> usize {
    let file = rusqlite::Connection::open(parses(tree)).expect("a database");
    let count = file.query_row("SELECT count(*) FROM parses", [], |row| {
        row.get::<_, u32>(0)
    });
    count.expect("a count") as usize
}

#[test]
fn documents_that_are_wrong_are_findings_and_a_page() {
    if !has("git") {
        return;
    }
    let tree = mirrors();
    let both = ["--check", "README.md", "--question", "who calls helper?"];
    let answers = asked(&tree, "both", &both);
    assert_eq!(answers.len(), 2, "{answers:?}");
    let in_form = |form: &str| ends(fleet(&tree, &["results"]).args(["--format", form]), 0);
    let sarif: Value = serde_json::from_slice(&in_form("sarif").out).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let place = |result: &Value| {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone()
    };
    let places: Vec<Value> = results.iter().map(place).collect();
    assert_eq!(places, [json!("a/README.md")], "{sarif:#}");
    let page = out(&in_form("html"));
    assert!(page.contains("who calls helper?"), "{page}");
    assert!(page.contains("contradicted"), "{page}");
}

#[test]
fn a_worker_ends_in_good_order_at_a_signal() {
    let tree = ground();
    ends(
        &mut fleet(&tree, &["submit", "claims.jsonl", "--corpus", "docs"]),
        0,
    );
    let mut worker = fleet(&tree, &["work", "--corpus", "docs"]);
    let worker = worker
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("a worker");
    let start = std::time::Instant::now();
    while status(&tree)["runs"][0]["jobs"] != json!({"done": 3}) {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing is done");
        std::thread::sleep(Duration::from_millis(50));
    }
    send(Signal::TERM, worker.id()).expect("it is there");
    let done = finish(worker);
    assert!(
        done.code == Some(0) && out(&done).contains("3 results"),
        "{}",
        done.text()
    );
}

/// A program without traces says so where they are asked for, once, and works.
#[cfg(not(feature = "telemetry"))]
#[test]
fn a_program_without_traces_says_so() {
    let tree = ground();
    let words = |words: &[&str]| {
        let mut command = fleet(&tree, words);
        command.env(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "http://user:pa55@localhost:1",
        );
        command
    };
    let submitted = ends(
        &mut words(&["submit", "claims.jsonl", "--corpus", "docs"]),
        0,
    );
    assert!(!submitted.text().contains("OTEL"), "{}", submitted.text());
    let worked = ends(
        &mut words(&["work", "--until-empty", "--corpus", "docs"]),
        0,
    );
    let said = worked.text();
    assert_eq!(
        said.matches("`OTEL_EXPORTER_OTLP_ENDPOINT`").count(),
        1,
        "{said}"
    );
    assert!(said.contains("without the feature `telemetry`"), "{said}");
    assert!(
        out(&worked).contains("3 results") && !said.contains("pa55"),
        "{said}"
    );
}

/// A search engine that counts and knows nothing.
fn engine() -> (String, Arc<AtomicU64>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let asked = Arc::new(AtomicU64::new(0));
    let counts = Arc::clone(&asked);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let lines = BufReader::new(stream.try_clone().expect("a handle")).lines();
            if lines
                .map_while(Result::ok)
                .take_while(|line| !line.is_empty())
                .count()
                == 0
            {
                continue;
            }
            counts.fetch_add(1, Ordering::SeqCst);
            let body = "{\"results\": []}";
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\
                 content-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    (address, asked)
}

/// The budget of queries of the first run.
fn queries(tree: &Tree) -> Value {
    status(tree)["runs"][0]["budgets"][1].clone()
}

/// Queries that cost stay within the budget of all workers, and a claim that waits for money has no
/// verdict.
#[test]
fn paid_queries_keep_to_the_budget_and_are_sent_once() {
    let tree = ground();
    let (address, asked) = engine();
    let with = |words: &[&str]| {
        let mut command = fleet(&tree, words);
        command.env("SEARXNG_URL", &address);
        command
    };
    let submit = |most: &str| {
        ends(
            &mut with(&[
                "submit",
                "claims.jsonl",
                "--provider",
                "searxng",
                "--run",
                "r",
                "--max-queries",
                most,
            ]),
            0,
        )
    };
    let work = || {
        ends(
            &mut with(&[
                "work",
                "--until-empty",
                "--provider",
                "searxng",
                "--jobs",
                "1",
            ]),
            0,
        )
    };
    submit("2");
    work();
    assert_eq!(asked.load(Ordering::SeqCst), 2);
    let report = status(&tree);
    let used = json!({"unit": "queries", "most": 2, "used": 2});
    assert_eq!(queries(&tree), used);
    assert_eq!(
        report["runs"][0]["reasons"]["budget_spent"], report["runs"][0]["jobs"]["held"],
        "{report:#}"
    );
    submit("1000");
    work();
    let lines = results(&tree, 0);
    assert!(
        lines.iter().all(|line| line["verdict"] == "insufficient"),
        "{lines:?}"
    );
    let sent = asked.load(Ordering::SeqCst);
    assert_eq!(queries(&tree)["used"], sent);
    // The same claims again, in another run: every answer is known.
    ends(
        &mut with(&[
            "submit",
            "claims.jsonl",
            "--provider",
            "searxng",
            "--run",
            "again",
        ]),
        0,
    );
    work();
    assert_eq!(asked.load(Ordering::SeqCst), sent);
}

#[test]
fn shares_are_brought_together() {
    let tree = ground();
    for share in ["1/2", "2/2"] {
        let ledger = format!("share-{}.sqlite3", &share[..1]);
        ends(
            &mut fleet(
                &tree,
                &[
                    "submit",
                    "claims.jsonl",
                    "--corpus",
                    "docs",
                    "--shard",
                    share,
                    "--ledger",
                    &ledger,
                ],
            ),
            0,
        );
        ends(
            &mut fleet(
                &tree,
                &[
                    "work",
                    "--until-empty",
                    "--corpus",
                    "docs",
                    "--ledger",
                    &ledger,
                ],
            ),
            0,
        );
    }
    let missing = ends(&mut fleet(&tree, &["merge", "share-1.sqlite3"]), 3);
    assert!(
        out(&missing).contains("shares that are missing: 2"),
        "{}",
        missing.text()
    );
    ends(
        &mut fleet(&tree, &["merge", "share-1.sqlite3", "share-2.sqlite3"]),
        0,
    );
    assert_eq!(results(&tree, 0).len(), 3);
}

#[test]
fn the_same_commands_work_on_a_server() {
    let Some(server) = server::Server::start() else {
        return;
    };
    let (tree, address) = (ground(), server.database("fleet"));
    let on_server = |words: &[&str]| {
        let mut command = fleet(&tree, words);
        command.env("GROUNDS_FLEET_LEDGER", &address);
        command
    };
    let refused = run(&mut on_server(&["status"]));
    refused.is_one_error(2, "grounds explain ledger-version");
    assert!(
        !refused.text().contains(server::PASSWORD),
        "{}",
        refused.text()
    );
    ends(&mut on_server(&["migrate", "--roles"]), 0);
    ends(
        &mut on_server(&["submit", "claims.jsonl", "--corpus", "docs"]),
        0,
    );
    ends(
        &mut on_server(&["work", "--until-empty", "--corpus", "docs"]),
        0,
    );
    let done = ends(on_server(&["results"]).args(["--format", "json"]), 0);
    assert_eq!(out(&done).lines().count(), 3);
    server.kill();
    run(&mut on_server(&["status"])).is_one_error(1, "grounds explain ledger-unusable");
}

/// The files for clusters are those that the linters of CI pass; here, that they say what the
/// program can do.
#[test]
fn files_for_clusters_name_commands_that_there_are() {
    use clap::Parser as _;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/fleet");
    let mut commands = 0;
    for name in ["compose.yaml", "kubernetes.yaml"] {
        let text = std::fs::read_to_string(root.join(name)).expect("a file");
        for line in text.lines().filter(|line| line.contains("\"fleet\", ")) {
            let (_, list) = line.split_once(": [").expect("a list");
            let words: Vec<String> = serde_json::from_str(&format!("[{list}")).expect("words");
            let words = ["grounds".to_owned()].into_iter().chain(words);
            assert!(grounds::cli::Cli::try_parse_from(words).is_ok(), "{line}");
            commands += 1;
        }
    }
    assert!(commands >= 3, "{commands}");
}
