//! What providers do, well and badly, and what comes of it: no panic, no lost
//! error, nothing spent past the cap, and the key shown to nobody.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use grounds_model::budget::Caps;
use grounds_model::key::KeySource;
use grounds_model::provider::{self, Endpoint};
use grounds_model::settings::{Given, Patience};
use grounds_model::{ModelClient, ModelError, ModelRequest, ModelSettings};
use serde_json::json;

use crate::pages::{self, Case};
use crate::server::{KEY, Server};

/// Seconds that a case may take.
const CASE_S_MAX: u64 = 20;

/// Settings for a server of the test.
pub(crate) fn settings(server: &Server, provider: &'static str) -> ModelSettings {
    let path = match provider {
        "openai" => "/v1",
        "gemini" => "/v1beta",
        _ => "",
    };
    let given = Given {
        model: Some(format!("{provider}/the-model")),
        base_url: Some(server.url(path)),
        ..Given::default()
    };
    let mut settings = ModelSettings::of(&given, &|_| None)
        .expect("they fit")
        .expect("a model is named");
    if provider != "ollama" {
        settings.key = KeySource::Command(format!("echo {KEY}"));
    }
    settings.patience = Patience {
        request_ms_max: 1_500,
        total_ms_max: 8_000,
        attempts_max: 3,
        backoff_ms: 10,
        wait_ms_max: 1_500,
    };
    settings.caps = Caps {
        max_tokens_total: Some(100_000),
        max_requests: Some(20),
        max_cost_nano: None,
    };
    settings
}

/// A request for prose, or for a value of the shape `{"a": integer}`.
pub(crate) fn request(is_shaped: bool) -> ModelRequest {
    let request = ModelRequest::new("Be brief.", "What is a?").output_tokens_max(100);
    let body = json!({"type": "object", "required": ["a"], "additionalProperties": false, "properties": {"a": {"type": "integer"}}});
    if is_shaped {
        request.shaped("answer", body)
    } else {
        request
    }
}

#[test]
fn misbehaviour_has_its_own_error() {
    pages::check("misbehaviour.md", &run);
}

#[test]
fn answers_are_read_tolerantly() {
    pages::check("answers.md", &run);
}

fn run(case: &Case) -> String {
    let name = provider::by_name(case.option("provider").unwrap_or("openai"))
        .expect("a provider")
        .card()
        .name;
    let server = Server::of(name, case.answers.clone());
    let mut settings = settings(&server, name);
    let number = |option: &str| {
        case.option(option)
            .and_then(|value| value.parse::<u64>().ok())
    };
    settings.caps.max_tokens_total = number("tokens").or(settings.caps.max_tokens_total);
    let client = ModelClient::of(settings);
    let start = Instant::now();
    let came = match case.option("wants") {
        Some("prose") => client
            .ask(&request(false))
            .map(|reply| format!("prose: {}", reply.text)),
        _ => client
            .ask_for_value(&request(true))
            .map(|structured| format!("value: {}", structured.value)),
    };
    assert!(
        start.elapsed() < Duration::from_secs(CASE_S_MAX),
        "{}: {} s",
        case.title,
        start.elapsed().as_secs()
    );
    let told = tell(&came, &client, &server);
    assert!(
        !told.contains(KEY),
        "{}: the key is shown: {told}",
        case.title
    );
    told
}

fn tell(came: &Result<String, ModelError>, client: &ModelClient, server: &Server) -> String {
    let (mut told, spent, more) = (String::new(), client.spent(), client.told());
    match came {
        Ok(came) => writeln!(told, "{came}"),
        Err(error) => writeln!(told, "error: cannot {error}\nadvice: {}", error.advice()),
    }
    .expect("a string");
    if let Some(raw) = came.as_ref().err().and_then(ModelError::raw) {
        let raw: String = raw.chars().take(100).collect();
        writeln!(told, "raw: {}", raw.replace('\n', "\\n")).expect("a string");
    }
    assert_eq!(
        spent.requests,
        server.asked().len() as u64,
        "every request is counted"
    );
    write!(told, "requests: {}", spent.requests).expect("a string");
    for (name, count) in [
        ("unsaid", spent.unsaid),
        ("repairs", more.repairs),
        ("forms refused", more.forms_refused),
    ] {
        if count > 0 {
            write!(told, ", {name}: {count}").expect("a string");
        }
    }
    writeln!(
        told,
        "\ntokens: {} + {}",
        spent.prompt_tokens, spent.output_tokens
    )
    .expect("a string");
    let cap = client.settings().caps.max_tokens_total.expect("a cap");
    assert!(
        spent.tokens() <= cap + spent.overrun_tokens,
        "spent past the cap"
    );
    told
}

#[test]
fn the_key_does_not_follow_a_redirect() {
    let elsewhere = Server::of(
        "openai",
        vec![crate::server::Answer {
            status: 200,
            ..Default::default()
        }],
    );
    let headers = vec![("location".to_owned(), elsewhere.url("/v1/chat/completions"))];
    let server = Server::of(
        "openai",
        vec![crate::server::Answer {
            status: 307,
            headers,
            ..Default::default()
        }],
    );
    let error = ModelClient::of(settings(&server, "openai"))
        .ask(&request(false))
        .expect_err("it is not followed");
    assert!(matches!(
        error,
        ModelError::SentElsewhere { status: 307, .. }
    ));
    assert!(elsewhere.asked().is_empty());
}

#[test]
fn nobody_listens_and_nobody_is_known() {
    let server = Server::of("openai", vec![crate::server::Answer::default()]);
    let mut settings = settings(&server, "openai");
    let of = |url: &str| Endpoint {
        base: grounds_model::address::BaseUrl::parse(url).expect("an address"),
        ..settings.endpoint.clone()
    };
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .expect("an address")
        .port();
    let (nobody, unknown) = (
        of(&format!("http://127.0.0.1:{closed}/v1")),
        of("https://no-such-host.invalid/v1"),
    );
    settings.endpoint = nobody;
    let client = ModelClient::of(settings.clone());
    let error = client.ask(&request(false)).expect_err("nobody listens");
    assert!(error.to_string().contains("cannot be reached"), "{error}");
    assert_eq!(client.spent().tokens(), 0, "nothing reached anybody");
    settings.endpoint = unknown;
    let error = ModelClient::of(settings)
        .ask(&request(false))
        .expect_err("no such host");
    assert!(matches!(error, ModelError::Broken { .. }), "{error}");
}

#[test]
fn a_missing_key_is_told_before_anything_is_sent() {
    let server = Server::of("openai", vec![crate::server::Answer::default()]);
    let mut settings = settings(&server, "openai");
    settings.key = KeySource::Environment(vec!["GROUNDS_TEST_NO_SUCH_VARIABLE".to_owned()]);
    let error = ModelClient::of(settings)
        .ask(&request(false))
        .expect_err("no key");
    assert!(
        matches!(error, ModelError::Key { .. }) && server.asked().is_empty(),
        "{error}"
    );
}

#[test]
fn what_is_stopped_stops_at_once() {
    let server = Server::of(
        "openai",
        vec![crate::server::Answer {
            manner: "silent".to_owned(),
            ..Default::default()
        }],
    );
    let mut settings = settings(&server, "openai");
    settings.patience.request_ms_max = 60_000;
    let cancel = grounds_model::cancel::Cancel::default();
    let budget = std::sync::Arc::new(grounds_model::budget::Budget::new(settings.caps));
    let client = ModelClient::new(settings, std::sync::Arc::clone(&budget), cancel.clone());
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        cancel.stop();
    });
    let start = Instant::now();
    assert_eq!(client.ask(&request(false)), Err(ModelError::Cancelled));
    assert!(
        start.elapsed() < Duration::from_secs(3),
        "{} ms",
        start.elapsed().as_millis()
    );
    assert_eq!(
        budget.spent().unsaid,
        1,
        "what it used is not known, so all of it counts"
    );
}
