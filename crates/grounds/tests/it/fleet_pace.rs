//! One pace and one cache over real workers: what a scripted model and a scripted site see of two
//! processes with several threads, and of the processes that these start.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;

use crate::fleet::{ends, fleet, ground, mirrors, results, server, status};
use crate::support::{Tree, finish, has, send};

/// How much earlier a request may come than its place in the pace: the time that the ledger's
/// answer and the start of a request take on a busy machine.
const TOLERANCE: Duration = Duration::from_millis(300);
/// Seconds that something may take to be seen.
const SEEN_S_MAX: u64 = 60;

/// A request as a server saw it.
#[derive(Clone, Debug)]
struct Visit {
    path: String,
    came: Instant,
    ended: Instant,
}

/// A server of this machine that notes its requests, and answers them by a script.
struct Scripted {
    address: String,
    visits: Arc<Mutex<Vec<Visit>>>,
}

impl Scripted {
    /// `answer` gets the number of the request and its path, and returns the head and the body.
    fn start(answer: impl Fn(usize, &str) -> (String, String) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let visits: Arc<Mutex<Vec<Visit>>> = Arc::default();
        let (noted, answer) = (Arc::clone(&visits), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (noted, answer) = (Arc::clone(&noted), Arc::clone(&answer));
                std::thread::spawn(move || serve(&stream, &noted, &*answer));
            }
        });
        Self { address, visits }
    }

    fn visits(&self) -> Vec<Visit> {
        self.visits.lock().expect("no panic").clone()
    }

    fn count(&self, path: &str) -> usize {
        let visits = self.visits();
        visits.iter().filter(|visit| visit.path == path).count()
    }
}

fn serve(
    mut stream: &TcpStream,
    noted: &Mutex<Vec<Visit>>,
    answer: &dyn Fn(usize, &str) -> (String, String),
) {
    let mut lines = BufReader::new(stream);
    let (mut line, mut path, mut length) = (String::new(), None, 0);
    while lines.read_line(&mut line).is_ok_and(|read| read > 2) {
        path = path.or_else(|| line.split(' ').nth(1).map(str::to_owned));
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
            length = value.trim().parse().unwrap_or(0);
        }
        line.clear();
    }
    let Some(path) = path else { return };
    if lines.read_exact(&mut vec![0; length]).is_err() {
        return;
    }
    let number = {
        let mut noted = noted.lock().expect("no panic");
        let came = Instant::now();
        let path = path.clone();
        noted.push(Visit {
            path,
            came,
            ended: came,
        });
        noted.len() - 1
    };
    let (head, body) = answer(number, &path);
    noted.lock().expect("no panic")[number].ended = Instant::now();
    let _ = write!(
        stream,
        "HTTP/1.1 {head}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
}

/// What a model says that knows no other names.
fn said() -> (String, String) {
    said_for(40, 8)
}

/// The same, with what the provider says was used.
fn said_for(prompt_tokens: u64, output_tokens: u64) -> (String, String) {
    let message = json!({"role": "assistant", "content": "{\"intent\": null, \"targets\": [], \"synonyms\": []}"});
    let usage = json!({"prompt_tokens": prompt_tokens, "completion_tokens": output_tokens});
    let body = json!({"choices": [{"finish_reason": "stop", "message": message}], "usage": usage});
    (
        "200 OK\r\ncontent-type: application/json".to_owned(),
        body.to_string(),
    )
}

/// Two repositories, questions about names that they do not have, and a model for them.
fn questions(model: &Scripted, more: &str) -> Tree {
    let mut jobs = String::new();
    for repository in ["a", "b"] {
        for number in 0..4 {
            let question = format!("who calls nobody_{number}?");
            let job = json!({"kind": "ask", "repository": repository, "question": question});
            jobs += &format!("{job}\n");
        }
    }
    let config = format!(
        "model:\n  use: openai/m\n  base_url: {}/v1\n  attempts_max: 1\n{more}",
        model.address
    );
    let tree = mirrors().file("jobs.jsonl", jobs);
    tree.file("config/grounds/config.yaml", config)
}

/// A command of a fleet with the configuration and the cache of the folder.
fn configured(tree: &Tree, words: &[&str]) -> Command {
    let mut command = fleet(tree, words);
    command
        .env("XDG_CONFIG_HOME", tree.path("config"))
        .env("XDG_CACHE_HOME", tree.path("cache"));
    command
}

fn submit(tree: &Tree, run: &str) {
    let words = ["submit", "jobs.jsonl", "--run", run];
    ends(&mut configured(tree, &words), 0);
}

/// Starts a worker of two threads.
fn worker(command: &mut Command) -> Child {
    command
        .args(["--jobs", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a worker starts")
}

const WORK: [&str; 4] = ["work", "--until-empty", "--repositories", "mirrors"];

fn work_of_two(tree: &Tree) {
    let workers = [0, 1].map(|_| worker(&mut configured(tree, &WORK)));
    for worker in workers {
        let done = finish(worker);
        assert_eq!(done.code, Some(0), "{}", done.text());
    }
}

/// No window of any length has more requests than its pace allows.
#[track_caller]
fn are_apart(visits: &[Visit], apart: Duration) {
    for (first, from) in visits.iter().enumerate() {
        for (number, to) in visits[first..].iter().enumerate() {
            let least = apart * u32::try_from(number).expect("few");
            let took = to.came.saturating_duration_since(from.came);
            assert!(
                took + TOLERANCE >= least,
                "{number} requests after {first} in {took:?}, not {least:?}"
            );
        }
    }
}

/// Each job is a process that knows nothing of the others.
#[test]
fn jobs_of_two_workers_ask_a_model_at_one_rate() {
    if !has("git") {
        return;
    }
    let model = Scripted::start(|_, _| said());
    let tree = questions(&model, "  requests_per_minute: 120\n");
    submit(&tree, "r");
    work_of_two(&tree);
    let visits = model.visits();
    assert!(visits.len() >= 8, "{visits:?}");
    are_apart(&visits, Duration::from_millis(500));
    let lines = results(&tree, 0);
    assert_eq!(lines.len(), 8, "{lines:?}");
}

#[test]
fn jobs_of_two_workers_ask_a_model_at_one_rate_on_a_server() {
    let Some(server) = server::Server::start().filter(|_| has("git")) else {
        return;
    };
    let address = server.database("fleet");
    let model = Scripted::start(|_, _| said());
    let tree = questions(&model, "  tokens_per_minute: 120000\n");
    let on_server = |words: &[&str]| {
        let mut command = configured(&tree, words);
        command.env("GROUNDS_FLEET_LEDGER", &address);
        command
    };
    ends(&mut on_server(&["migrate"]), 0);
    ends(&mut on_server(&["submit", "jobs.jsonl"]), 0);
    let workers = [0, 1].map(|_| worker(&mut on_server(&WORK)));
    for worker in workers {
        assert_eq!(finish(worker).code, Some(0));
    }
    let visits = model.visits();
    assert!(visits.len() >= 8, "{visits:?}");
    // Two tokens a millisecond, and each request reserves more than 400 for its answer alone.
    are_apart(&visits, Duration::from_millis(200));
    // No key and no address of a key is in the ledger, only what it is known by.
    let keys = server.sql("fleet", "SELECT key FROM fleet_pace ORDER BY key");
    assert!(
        keys.lines().count() == 2
            && keys
                .lines()
                .all(|key| key.starts_with("model openai http://127.0.0.1:")),
        "{keys}"
    );
}

/// A model with a price and no bound of money: what it costs is counted.
#[test]
fn what_a_model_without_a_bound_costs_is_counted() {
    if !has("git") {
        return;
    }
    let model = Scripted::start(|_, _| said_for(500, 10));
    let price = "  prices:\n  - model: m\n    prompt_usd_per_million: 1000\n    \
                 output_usd_per_million: 500\n    as_of: 2026-11-01\n";
    let tree = questions(&model, price);
    submit(&tree, "r");
    work_of_two(&tree);
    let requests = model.visits().len() as u64;
    assert!(requests >= 8, "{requests}");
    let budgets = &status(&tree)["runs"][0]["budgets"];
    let used = |unit: &str| {
        let mut budgets = budgets.as_array().into_iter().flatten();
        budgets
            .find(|one| one["unit"] == unit)
            .map(|one| one["used"].clone())
    };
    assert_eq!(used("tokens"), Some(json!(510 * requests)), "{budgets:#}");
    assert_eq!(
        used("micro_usd"),
        Some(json!(505_000 * requests)),
        "{budgets:#}"
    );
}

/// Each claim has a client of its own, in the process of its worker.
#[test]
fn claims_of_two_workers_ask_a_model_at_one_rate() {
    let model = Scripted::start(|_, _| said());
    let config = format!(
        "model: {{use: openai/m, base_url: {}/v1, requests_per_minute: 120}}\nfleet: {{prefetch: 1}}\n",
        model.address
    );
    let tree = claims(ground(), "a").file("config/grounds/config.yaml", config);
    let with_docs = |words: &[&str]| {
        let mut command = configured(&tree, words);
        command.args(["--corpus", "docs"]);
        command
    };
    ends(&mut with_docs(&["submit", "jobs.jsonl"]), 0);
    let mut workers = [0, 1].map(|_| worker(&mut with_docs(&["work"])));
    let start = Instant::now();
    while model.visits().len() < 10 {
        let is_slow = start.elapsed() > Duration::from_secs(SEEN_S_MAX);
        assert!(!is_slow, "{:#} {:?}", status(&tree), model.visits());
        std::thread::sleep(Duration::from_millis(20));
    }
    for worker in &mut workers {
        worker.kill().expect("it is there");
        worker.wait().expect("it ends");
    }
    are_apart(&model.visits(), Duration::from_millis(500));
}

#[test]
fn a_model_that_asks_one_job_to_wait_is_left_alone_by_all() {
    if !has("git") {
        return;
    }
    let model = Scripted::start(|number, _| match number {
        2 => (
            "429 Too Many Requests\r\nretry-after: 3".to_owned(),
            "{}".to_owned(),
        ),
        _ => said(),
    });
    let tree = questions(&model, "");
    submit(&tree, "r");
    work_of_two(&tree);
    let visits = model.visits();
    assert!(visits.len() >= 8, "{visits:?}");
    let asked = visits[2].ended;
    let next = visits
        .iter()
        .find(|visit| visit.came > asked + TOLERANCE)
        .expect("they go on");
    let paused = next.came.saturating_duration_since(asked);
    assert!(paused >= Duration::from_secs(3), "{paused:?}");
}

/// A job whose model is not asked since it failed for others has no result; it waits.
#[test]
fn a_model_that_fails_again_and_again_is_not_asked_and_jobs_wait() {
    if !has("git") {
        return;
    }
    let broken = || ("500 Internal Server Error".to_owned(), "{}".to_owned());
    let model = Scripted::start(move |_, _| broken());
    let tree = questions(&model, "fleet: {retry_ms: 60000}\n");
    submit(&tree, "r");
    let mut command = configured(&tree, &WORK);
    let worker = command
        .args(["--jobs", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a worker starts");
    let waiting = || status(&tree)["runs"][0]["reasons"]["model_closed"].as_u64();
    let start = Instant::now();
    while waiting().is_none() {
        assert!(
            start.elapsed() < Duration::from_secs(SEEN_S_MAX),
            "{:#}",
            status(&tree)
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent = model.visits().len();
    send(Signal::TERM, worker.id()).expect("it is there");
    let done = finish(worker);
    assert_eq!(done.code, Some(0), "{}", done.text());
    assert_eq!(sent, 5, "{}", done.text());
}

/// A site whose pages all say the same, and an engine that always finds the first three.
fn site_and_engine() -> (Arc<Scripted>, Scripted) {
    let site = Arc::new(Scripted::start(|_, path| match path {
        "/robots.txt" => ("404 Not Found".to_owned(), String::new()),
        _ => (
            "200 OK\r\ncontent-type: text/html".to_owned(),
            format!("<title>{path}</title><p>The default timeout is 30 seconds.</p>"),
        ),
    }));
    let address = site.address.clone();
    let engine = Scripted::start(move |_, _| {
        let found = |number| {
            let url = format!("{address}/page-{number}");
            json!({"url": url, "title": "A page", "content": "timeout"})
        };
        let body = json!({"results": [found(0), found(1), found(2)]});
        (
            "200 OK\r\ncontent-type: application/json".to_owned(),
            body.to_string(),
        )
    });
    (site, engine)
}

fn claims(tree: Tree, beginning: &str) -> Tree {
    let claim = |number: usize| {
        let words = format!("The default timeout {beginning} {number} is 30 seconds");
        json!({"kind": "claim", "id": format!("{beginning}{number}"), "claim": words})
    };
    let lines: String = (0..6)
        .map(|number| format!("{}\n", claim(number)))
        .collect();
    // A worker takes no more jobs than it has threads, so that the other one has some too.
    tree.file("jobs.jsonl", lines)
        .file("config/grounds/config.yaml", "fleet: {prefetch: 1}\n")
}

fn on_the_web(tree: &Tree, engine: &Scripted, cache: &str, words: &[&str]) -> Command {
    let mut command = configured(tree, words);
    command
        .args(["--provider", "searxng"])
        .env("SEARXNG_URL", &engine.address)
        .env("GROUNDS_TEST_LOOPBACK", "1")
        .env("XDG_CACHE_HOME", tree.path(cache));
    command
}

/// Workers without a common cache ask the site for the same pages, one after the other.
#[test]
fn two_workers_ask_a_site_one_at_a_time_with_its_pause() {
    let (site, engine) = site_and_engine();
    let tree = claims(ground(), "a");
    let submit = ["submit", "jobs.jsonl"];
    ends(&mut on_the_web(&tree, &engine, "one", &submit), 0);
    let work = ["work", "--until-empty"];
    let workers = ["one", "two"].map(|cache| worker(&mut on_the_web(&tree, &engine, cache, &work)));
    for worker in workers {
        let done = finish(worker);
        assert_eq!(done.code, Some(0), "{}", done.text());
    }
    let visits = site.visits();
    assert!(visits.len() >= 5, "{visits:?}");
    assert_eq!(site.count("/robots.txt"), 2, "both were there: {visits:?}");
    for pair in visits.windows(2) {
        let pause = pair[1].came.saturating_duration_since(pair[0].ended);
        assert!(pause >= Duration::from_secs(1), "{pause:?}: {visits:?}");
    }
    assert_eq!(results(&tree, 0).len(), 6);
}

/// Two that want a page at the same moment may both fetch it; whoever comes later does not.
#[test]
fn workers_with_one_cache_share_their_pages() {
    let (site, engine) = site_and_engine();
    let tree = claims(ground(), "a");
    let submit = ["submit", "jobs.jsonl"];
    ends(&mut on_the_web(&tree, &engine, "cache", &submit), 0);
    let work = ["work", "--until-empty"];
    let workers = [0, 1].map(|_| worker(&mut on_the_web(&tree, &engine, "cache", &work)));
    for worker in workers {
        assert_eq!(finish(worker).code, Some(0));
    }
    let pages = ["/page-0", "/page-1", "/page-2"];
    for page in pages {
        assert!((1..=2).contains(&site.count(page)), "{:?}", site.visits());
    }
    let fetched: usize = pages.iter().map(|page| site.count(page)).sum();
    let tree = claims(tree, "b");
    ends(&mut on_the_web(&tree, &engine, "cache", &submit), 0);
    let third = finish(worker(&mut on_the_web(&tree, &engine, "cache", &work)));
    assert_eq!(third.code, Some(0), "{}", third.text());
    let after: usize = pages.iter().map(|page| site.count(page)).sum();
    assert_eq!(after, fetched, "{:?}", site.visits());
    assert_eq!(results(&tree, 0).len(), 6);
}

/// An exchange with a model that one worker had is not sent again by another, where the folder of
/// exchanges is common to them.
#[test]
fn workers_with_one_folder_of_exchanges_ask_a_model_once() {
    if !has("git") {
        return;
    }
    let model = Scripted::start(|_, _| said());
    let folder = tempfile::tempdir().expect("a folder");
    let cache = format!("  cache: {}\n", folder.path().join("model").display());
    let tree = questions(&model, &cache);
    submit(&tree, "r");
    work_of_two(&tree);
    let sent = model.visits().len();
    assert!(sent >= 4, "{sent}");
    submit(&tree, "again");
    work_of_two(&tree);
    assert_eq!(model.visits().len(), sent);
    assert_eq!(results(&tree, 0).len(), 8);
}
