//! Small webs and folders that are made to mislead, as data: `tests/attacks/web.md` and
//! `tests/attacks/folder.md`. A case is a heading, then a fence: what must come of it after `=`, and a
//! line for each page or file.

use grounds_verify::judges::lexical::Lexical;
use grounds_verify::rounds::{Limits, LookupMeans, verify};
use grounds_verify::spending::Spending;
use grounds_verify::{DecisionRules, SearchTask, SourceTier, Tiers, Undated, Verdict};
use grounds_web::corpus::{Corpus, CorpusOptions};
use grounds_web::fetcher::{FetchBounds, FetchOptions, WebFetcher};
use grounds_web::guard::Reach;
use grounds_web::provider::{self, ALL, EngineAccess, SearchBounds};
use grounds_web::testing::{self, KEY, ReceivedRequest, Reply, TestServer};
use grounds_web::{Fetch, Page, SearchProvider};
use jiff::Timestamp;

const CLAIM: &str = "The harbour tower is 330 metres tall";
const WEB: &str = include_str!("../attacks/web.md");
const WALLS: &str = include_str!("../attacks/walls.md");
const ENGINES: &str = include_str!("../attacks/engines.md");
const FOLDERS: &str = include_str!("../attacks/folder.md");

/// Three paragraphs with other words each: the same ones would make two pages one voice.
const FILLERS: [&str; 3] = [
    "The quay was rebuilt after the storm, and people come from far to see the ships. Guides tell stories about \
     captains, cooks and cats, and sell small maps of the old town to those who ask for them in the morning.",
    "Engineers had argued for years where it should stand. Schools send classes there in spring, the lift takes nine \
     minutes on busy days, and from its balcony one sees three islands, a lighthouse and the railway bridge.",
    "Our reporter climbed every step on foot last week and counted pigeons, rivets and one forgotten umbrella. Nobody \
     at the ticket office could say who had left it, nor why somebody paints a white line there each year.",
];

/// A case: its name, what must come of it, its lines.
struct Case<'p> {
    name: &'p str,
    expected: &'p str,
    lines: Vec<&'p str>,
}

fn cases(page: &str) -> Vec<Case<'_>> {
    page.split("\n## ")
        .skip(1)
        .map(|part| {
            let (name, rest) = part.split_once('\n').expect("a name");
            let (_, fence) = rest.split_once("~~~\n").expect("a fence");
            let (fence, _) = fence.split_once("\n~~~").expect("the end of a fence");
            let mut lines = fence.lines();
            let expected = lines.next().and_then(|line| line.strip_prefix("= "));
            Case {
                name,
                expected: expected.expect("what must come of it"),
                lines: lines.collect(),
            }
        })
        .collect()
}

/// Text with what stands for others: `{a}`, `{b}`, `{c}`, `{claim}`, `{on DATE}`.
fn filled(text: &str) -> String {
    let mut text = text
        .replace("\\n", "\n")
        .replace("\\u200b", "\u{200b}")
        .replace("{claim}", CLAIM);
    for (name, filler) in ["{a}", "{b}", "{c}"].iter().zip(FILLERS) {
        text = text.replace(name, &format!("<p>{filler}</p>"));
    }
    while let Some((before, after)) = text.split_once("{on ") {
        let (date, after) = after.split_once('}').expect("the end of a date");
        let meta = format!("<meta property=\"article:published_time\" content=\"{date}\">");
        text = format!("{before}{meta}{after}");
    }
    text
}

fn told(
    provider: &dyn SearchProvider,
    fetch: &dyn Fetch,
    tier: &(dyn Fn(&Page) -> SourceTier + Sync),
    undated: Undated,
) -> &'static str {
    let task = SearchTask {
        id: "t".to_owned(),
        claim: CLAIM.to_owned(),
        timeframe: None,
        context: None,
        language: None,
        origin: None,
    };
    let means = LookupMeans {
        provider,
        fetch,
        judges: &[&Lexical::default()],
        tier,
        spending: &Spending::default(),
        unread: &[],
    };
    let rules = DecisionRules {
        undated,
        ..DecisionRules::default()
    };
    let as_of: Timestamp = "2026-01-01T00:00:00Z".parse().expect("a moment");
    match verify(task, as_of, &means, &Limits::default(), &rules, &|_| ()) {
        Err(_) => "failed",
        Ok(found) => match found.result.outcome {
            Verdict::True => "True",
            Verdict::False => "False",
            Verdict::Invalid(_) => "Invalid",
        },
    }
}

fn engine(name: &str, server: &TestServer) -> Box<dyn SearchProvider + Send> {
    let engine = ALL.iter().find(|engine| engine.name == name);
    let access = EngineAccess {
        key: Some(KEY.into()),
        address: Some(server.url("")),
        bounds: SearchBounds {
            search_ms_max: 5_000,
            search_wait_ms_max: 50,
            ..SearchBounds::default()
        },
        ..EngineAccess::default()
    };
    provider::named(engine.expect("an engine"), access).expect("an engine that can be asked")
}

fn web(server: &TestServer) -> WebFetcher {
    let options = FetchOptions {
        bounds: FetchBounds {
            host_pause_ms: 0,
            ..FetchBounds::default()
        },
        reach: Reach::Loopback,
        ..FetchOptions::default()
    };
    WebFetcher::with_lookup(options, server.names()).expect("no certificates are asked for")
}

/// The verdict on pages, each `[+]ADDRESS [STATUS LOCATION] | HTML`; with `+` the engine does not give it.
fn of_web(lines: &[&str]) -> &'static str {
    let mut found = Vec::new();
    let mut pages: Vec<(String, Reply)> = Vec::new();
    for line in lines {
        let (head, html) = line.split_once(" | ").unwrap_or((line, ""));
        let mut words = head.split_whitespace();
        let address = words.next().expect("an address");
        if !address.starts_with('+') {
            found.push((address.to_owned(), "Harbour".to_owned(), CLAIM.to_owned()));
        }
        let reply = match (words.next(), words.next()) {
            (Some(status), Some(location)) => {
                let status = status.parse().expect("a status");
                Reply::status(status).with("location", location)
            }
            (Some(status), None) => Reply::status(status.parse().expect("a status")),
            (None, _) => Reply::html(format!(
                "<html lang=\"en\"><title>Harbour</title><body><article>{}</article></body></html>",
                filled(html)
            )),
        };
        let address = address.trim_start_matches('+');
        let (_, rest) = address.split_once("://").expect("a scheme");
        pages.push((rest.to_lowercase(), reply));
    }
    let server = TestServer::start(move |asked: &ReceivedRequest| {
        let path = format!("{}{}", asked.host, asked.path).to_lowercase();
        let page = pages.iter().find(|(known, _)| *known == path);
        page.map_or_else(|| Reply::status(404), |(_, reply)| reply.clone())
    });
    let asked = TestServer::start(testing::serper(move |_| found.clone()));
    let tiers = Tiers::with(
        ["example.org", "example.com", "example.net"]
            .map(|domain| (domain.to_owned(), SourceTier::Wire)),
    );
    let tier = |page: &Page| tiers.of(&page.url);
    told(
        &*engine("serper", &asked),
        &web(&server),
        &tier,
        Undated::WeightOnly,
    )
}

#[track_caller]
fn hold(page: &str, least: usize, come: impl Fn(&Case<'_>) -> &'static str) {
    let cases = cases(page);
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let come = come(case);
            (come != case.expected).then(|| format!("{}: {come}, not {}", case.name, case.expected))
        })
        .collect();
    assert!(
        cases.len() >= least,
        "only {} attacks were found",
        cases.len()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn webs_that_mislead_mislead_nobody() {
    hold(WEB, 30, |case| of_web(&case.lines));
}

/// Each line of `walls.md` stands where a page should: alone it is a failure, and nothing about the claim.
#[test]
fn what_stands_in_the_place_of_a_page_is_no_silence() {
    let walls: Vec<&str> = WALLS
        .lines()
        .filter_map(|line| line.strip_prefix("- "))
        .collect();
    let come = |wall: &&&str| of_web(&[&format!("http://one.example.org/tower | {wall}")]);
    let wrong: Vec<&&str> = walls.iter().filter(|wall| come(wall) != "failed").collect();
    assert!(walls.len() >= 30, "only {} walls were found", walls.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Each line of `engines.md`: an engine, and a body that it gives with status 200.
#[test]
fn an_answer_of_an_engine_that_is_none_is_no_silence() {
    let lines = ENGINES.lines().filter_map(|line| line.strip_prefix("- "));
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, body) in lines.filter_map(|line| line.split_once(": ")) {
        let body = body.to_owned();
        let kind = if body.starts_with('<') {
            "text/html"
        } else {
            "application/json"
        };
        let server = TestServer::start(move |_| Reply::of(200, kind, body.clone()));
        let pages = TestServer::start(|_| Reply::status(404));
        count += 1;
        let tier = |_: &Page| SourceTier::Wire;
        let come = told(
            &*engine(name, &server),
            &web(&pages),
            &tier,
            Undated::Counts,
        );
        if come != "failed" {
            wrong.push(format!("{name} {count}: {come}"));
        }
    }
    assert!(count >= 15, "only {count} answers were found");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The verdict on files, each `PATH | TEXT`; `PATH utf16 | TEXT` and `PATH latin1 | TEXT` in those letters,
/// `PATH link | TARGET` a link, `PATH fifo | ` a pipe that nobody writes to.
#[cfg(unix)]
fn of_folder(lines: &[&str]) -> &'static str {
    let folder = tempfile::tempdir().expect("a folder");
    for line in lines {
        let (head, text) = line.split_once(" |").unwrap_or((line, ""));
        let (path, kind) = head.split_once(' ').unwrap_or((head, ""));
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        write(&path, kind, &filled(text.trim_start_matches(' ')));
    }
    let now: Timestamp = "2026-01-01T00:00:00Z".parse().expect("a moment");
    match Corpus::open(folder.path(), &CorpusOptions::new(now)) {
        Err(_) => "failed",
        Ok(corpus) => told(&corpus, &corpus, &|_| SourceTier::Primary, Undated::Counts),
    }
}

#[cfg(unix)]
fn write(path: &std::path::Path, kind: &str, text: &str) {
    let bytes: Vec<u8> = match kind {
        "link" => return std::os::unix::fs::symlink(text, path).expect("a link"),
        "fifo" => {
            let made = std::process::Command::new("mkfifo").arg(path).status();
            assert!(made.is_ok_and(|status| status.success()), "no mkfifo");
            return;
        }
        "utf16" => {
            let units = [0xfeff].into_iter().chain(text.encode_utf16());
            units.flat_map(u16::to_le_bytes).collect()
        }
        "latin1" => {
            let byte = |letter| u8::try_from(u32::from(letter)).unwrap_or(b'?');
            text.chars().map(byte).collect()
        }
        _ => text.into(),
    };
    std::fs::write(path, bytes).expect("a file");
}

#[cfg(unix)]
#[test]
fn folders_that_mislead_mislead_nobody() {
    hold(FOLDERS, 20, |case| of_folder(&case.lines));
}
