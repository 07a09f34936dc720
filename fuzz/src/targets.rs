//! One function for each parser of foreign bytes. A target may refuse any input; a panic, a timeout or a broken promise is a finding.
//! The fuzzer calls these functions with inputs that it makes, and the tests of the program with the cases that it found.

// The fuzzer sees this as a library, the tests as a module of their own.
#![allow(unreachable_pub, reason = "public for the fuzzer alone")]

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use grounds_claims::ClaimForm;
use grounds_model::provider::{self, Endpoint};
use grounds_model::request::Schema;
use grounds_model::wire::{HttpRequest, HttpResponse, KeyPlace};
use grounds_model::{address::BaseUrl, exchange, structured};
use grounds_repo::checkout::Checkout;
use grounds_repo::ci::log::{Log, Window};
use grounds_repo::index::{self, Question};
use grounds_repo::limits::Limits;
use grounds_repo::message::Message;
use grounds_repo::within::Within;
use grounds_review::answer::{self, MayAsk};
use grounds_review::baseline::{Baseline, Dismissals};
use grounds_review::{RuleSet, others};
use grounds_web::read::{Material, Medium, ReadBounds, ReadError};
use grounds_web::record::{Record, Replay};
use grounds_web::{Fetch, FetchError, Page, SearchError, SearchProvider, SearchResult};
use jiff::Timestamp;
use tempfile::TempDir;
use url::Url;

/// A parser of foreign bytes.
pub type Target = fn(&[u8]);

/// Every target under the name of its folder of cases.
pub const ALL: [(&str, Target); 16] = [
    ("ci_log", ci_log),
    ("claim", claim),
    ("config", config),
    ("date", date),
    ("diff", diff),
    ("git", git),
    ("html", html),
    ("junit", junit),
    ("model_answer", model_answer),
    ("pdf", pdf),
    ("question", question),
    ("recording", recording),
    ("robots", robots),
    ("rule", rule),
    ("sarif", sarif),
    ("scip", scip),
];

/// A checkout of two files that questions and indexes are about.
static TREE: LazyLock<(TempDir, Checkout)> = LazyLock::new(|| {
    let folder = folder();
    write(
        &folder.path().join("a.rs"),
        b"pub struct Store;\nimpl Store {\n    pub fn load(&self) {}\n}\n",
    );
    write(
        &folder.path().join("src/b.py"),
        "class Café:\n    def read(self): return load()\n".as_bytes(),
    );
    let checkout = Checkout::open(folder.path()).expect("the tree opens");
    (folder, checkout)
});

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn write(path: &Path, bytes: &[u8]) {
    let parent = path.parent().expect("a path in a folder");
    std::fs::create_dir_all(parent).expect("a folder");
    std::fs::write(path, bytes).expect("a file");
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Questions, by the patterns and as claims over a tree, and what is pasted into them.
pub fn question(bytes: &[u8]) {
    let text = text(bytes);
    if let Ok(question) = grounds_ask::understand(&text) {
        let _ = question.enquiry();
        let _ = grounds_ask::understood_of(&text, &TREE.1, &Limits::default());
    }
}

/// Claims as text and as JSON; what is read is written in a way that is read as the same.
pub fn claim(bytes: &[u8]) {
    let text = text(bytes);
    let of_text = grounds_claims::parse(&text).ok();
    let of_form = serde_json::from_str::<ClaimForm>(&text).ok();
    let of_form = of_form.and_then(|form| grounds_claims::Claim::try_from(form).ok());
    for claim in of_text.into_iter().chain(of_form) {
        let form = ClaimForm::from(&claim);
        assert_eq!(grounds_claims::Claim::try_from(form), Ok(claim));
    }
}

/// Diffs from a file.
pub fn diff(bytes: &[u8]) {
    let _ = grounds_review::diff::parse_patch(bytes, 10_000);
}

/// Indexes of compilers, held against a tree.
pub fn scip(bytes: &[u8]) {
    let (folder, limits) = (folder(), Limits::default());
    let path = folder.path().join("index.scip");
    write(&path, bytes);
    let targets = grounds_ask::understand("where are `load`, `Store` and `Café` defined?")
        .expect("a plain question")
        .goal
        .targets;
    let question = Question {
        checkout: &TREE.1,
        limits: &limits,
        within: &Within::default(),
        targets: targets
            .iter()
            .map(|target| (0, target, Vec::new()))
            .collect(),
    };
    let _ = index::consult(&path, &question);
    let _ = index::listing::all(&path, &limits);
}

/// Reports of tests.
pub fn junit(bytes: &[u8]) {
    let _ = grounds_repo::toolchains::count_junit(bytes);
}

/// Logs of CI, and their lines as messages that are looked up.
pub fn ci_log(bytes: &[u8]) {
    let Ok(log) = Log::read(&mut &*bytes, 1 << 20) else {
        return;
    };
    let window = Window {
        from: "2025-01-02T03:04:05Z".to_owned(),
        until: String::new(),
    };
    for excerpt in log.excerpts(log.failing(&window)) {
        let message = Message::of(&format!("{excerpt:?}"));
        let _ = (message.prose_letters(), message.could_come_from(1));
    }
    let _ = grounds_ask::question::trace::parse(&text(bytes));
}

/// Findings of other tools, and lists of findings that are known.
pub fn sarif(bytes: &[u8]) {
    let text = text(bytes);
    let _ = others::read("others", &text);
    let _ = Baseline::read("baseline", &text);
    let _ = Dismissals::read("dismissed", &text);
}

/// Configurations.
pub fn config(bytes: &[u8]) {
    if let Ok(config) = grounds::config::parse(&text(bytes)) {
        let _ = config.over(grounds::config::Config::default());
    }
}

/// Rules of a repository.
pub fn rule(bytes: &[u8]) {
    let _ = RuleSet::default().with_text("rule.yml", &text(bytes));
}

/// Nobody who is asked.
#[derive(Debug)]
struct Nobody;

impl Fetch for Nobody {
    fn fetch(&self, url: &str) -> Result<Page, FetchError> {
        Err(FetchError::NotRecorded {
            url: url.to_owned(),
        })
    }
}

impl SearchProvider for Nobody {
    fn name(&self) -> &'static str {
        "nobody"
    }

    fn search(&self, _: &str, _: usize) -> Result<Vec<SearchResult>, SearchError> {
        Ok(Vec::new())
    }
}

/// Recordings of pages, searches and models.
pub fn recording(bytes: &[u8]) {
    const ADDRESS: &str = "https://example.org/a";
    let folder = folder();
    let record = Record::new(Nobody, folder.path());
    let _ = (record.fetch(ADDRESS), record.search("a", 3));
    for entry in std::fs::read_dir(folder.path())
        .expect("a folder")
        .flatten()
    {
        write(&entry.path(), bytes);
    }
    let replay = Replay::new("nobody", folder.path());
    let _ = (replay.fetch(ADDRESS), replay.search("a", 3));
    let request = HttpRequest::json(ADDRESS.to_owned(), KeyPlace::Bearer, &serde_json::json!({}));
    let name = exchange::name(&request);
    write(&folder.path().join(format!("{name}.json")), bytes);
    let _ = exchange::find(folder.path(), &request);
}

/// Answers of models: what a server sends, and what the model wrote.
pub fn model_answer(bytes: &[u8]) {
    let response = HttpResponse {
        status: 200,
        headers: Vec::new(),
        body: bytes.to_vec(),
    };
    let endpoint = Endpoint {
        base: BaseUrl::parse("https://example.org").expect("an address"),
        model: "m".to_owned(),
        context_tokens: 8_192,
    };
    for provider in provider::ALL {
        if let Ok(reply) = provider::read(provider, &endpoint, &response, None) {
            let _ = answer::read(&reply, MayAsk::Once);
        }
    }
    let schema = Schema {
        name: "issues".to_owned(),
        body: answer::shape(MayAsk::Once),
    };
    let _ = structured::read(&text(bytes), &schema);
}

fn page(bytes: &[u8], medium: Medium) {
    let bounds = ReadBounds::default();
    let address = Url::parse("https://example.org/2025/01/02/a").expect("an address");
    let material = Material {
        bytes,
        medium,
        charset: None,
        address: Some(&address),
        path: Some("2025-01-02-a.md"),
        now: Timestamp::UNIX_EPOCH + Duration::from_secs(1_800_000_000),
    };
    match grounds_web::read::read(&material, &bounds) {
        Ok(reading) => assert!(reading.text.len() <= bounds.text_bytes_max),
        // A library that panics is contained; one that does not end takes a thread with it.
        Err(ReadError::Broken { why, .. }) => assert!(!why.contains("read_ms_max"), "{why}"),
        Err(_) => {}
    }
}

/// Pages of the web.
pub fn html(bytes: &[u8]) {
    page(bytes, Medium::Html);
}

/// PDF.
pub fn pdf(bytes: &[u8]) {
    page(bytes, Medium::Pdf);
}

/// Dates in claims and in the front matter of documents.
pub fn date(bytes: &[u8]) {
    let text = text(bytes);
    let now = Timestamp::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    if let Some(timeframe) = grounds_verify::timeframe::read(&text, now) {
        let ends = timeframe.start.zip(timeframe.end);
        assert!(ends.is_none_or(|(start, end)| start <= end));
    }
    page(
        format!("---\ndate: {text}\n---\nText.\n").as_bytes(),
        Medium::Markdown,
    );
}

/// What sites allow to programs.
pub fn robots(bytes: &[u8]) {
    for path in ["/", "/a/b.html?c=d", "/%7Ejoe/", "/robots.txt"] {
        let url = Url::parse("https://example.org").and_then(|url| url.join(path));
        grounds_web::robots_allow(bytes, &url.expect("an address"), "grounds");
    }
}

/// The files of `.git` that are read without git.
pub fn git(bytes: &[u8]) {
    let folder = folder();
    let own = folder.path().join(".git");
    write(&own.join("objects/info/none"), b"");
    for (name, content) in [("HEAD", "ref: refs/heads/a\n"), ("config", "[core]\n")] {
        write(&own.join(name), content.as_bytes());
    }
    let name = match bytes.first() {
        Some(b'D') => "index",
        Some(b'[') => "config",
        Some(b'#') => "packed-refs",
        Some(b'g') => "commondir",
        _ => "HEAD",
    };
    write(&own.join(name), bytes);
    if let Ok(layout) = grounds_repo::git::Layout::at(folder.path()) {
        let _ = (layout.hooks_path(), layout.index());
        let _ = grounds_repo::git::moved_submodules(folder.path());
    }
}
