//! What a model changes: each question of a file is asked without a model and with
//! one, and what differs is counted: gates, names, sentences, tokens, seconds.
//! `cargo run --release -p grounds --features measure --example models -- REPO URL MODEL [QUESTIONS]`.

#![expect(clippy::print_stdout, reason = "printing is what this example is for")]

use std::path::Path;
use std::time::Instant;

use grounds::proposer::ModelProposer;
use grounds::writer::ModelWriter;
use grounds_ask::{Company, Investigation, QuestionBudget, investigate_in, prose, understand};
use grounds_evidence::requirement::Bar;
use grounds_model::settings::Given;
use grounds_model::{ModelClient, ModelSettings};
use grounds_repo::checkout::Checkout;
use grounds_repo::hypotheses::QuestionGround;
use grounds_repo::means::Means;
use grounds_repo::survey::Progress;

const QUESTIONS: &str = include_str!("models.questions.txt");

/// Milliseconds of one request.
const REQUEST_MS_MAX: u64 = 900_000;

/// What is counted over all questions.
#[derive(Default)]
struct Sums {
    questions: usize,
    answered: usize,
    gates_changed: usize,
    asked_for_names: usize,
    names: usize,
    defined: usize,
    met: usize,
    kept: usize,
    dropped: usize,
    errors: usize,
    ms: Vec<u128>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [repo, url, model, rest @ ..] = arguments.as_slice() else {
        return Err("give REPO URL MODEL [QUESTIONS]".into());
    };
    let questions = rest
        .first()
        .map_or_else(|| Ok(QUESTIONS.to_owned()), std::fs::read_to_string)?;
    let checkout = Checkout::open(Path::new(repo))?;
    let given = Given {
        model: Some(model.clone()),
        base_url: Some(url.clone()),
        ..Given::default()
    };
    let mut settings = ModelSettings::of(&given, &|_| None)?.ok_or("no model")?;
    // A busy machine is slow, and what is measured is what comes of it.
    (
        settings.patience.request_ms_max,
        settings.patience.total_ms_max,
    ) = (REQUEST_MS_MAX, REQUEST_MS_MAX);
    let proposer = ModelProposer(ModelClient::of(settings));
    let mut sums = Sums::default();
    println!(
        "| question | without | with | names: tried, defined, met | sentences: kept, dropped | tokens | ms |\n|---|---|---|---|---|---|---|"
    );
    for question in questions.lines().filter(|line| !line.trim().is_empty()) {
        ask(question, &checkout, &proposer, &mut sums)?;
    }
    let spent = proposer.0.spent();
    sums.ms.sort_unstable();
    let median = sums.ms.get(sums.ms.len() / 2).copied().unwrap_or_default();
    println!(
        "\n{} questions, {} answered without a model, {} gates changed",
        sums.questions, sums.answered, sums.gates_changed
    );
    println!(
        "names: asked {} times, {} tried, {} defined, {} met",
        sums.asked_for_names, sums.names, sums.defined, sums.met
    );
    println!(
        "sentences: {} kept, {} dropped; {} errors",
        sums.kept, sums.dropped, sums.errors
    );
    println!(
        "{} requests, {} + {} tokens",
        spent.requests, spent.prompt_tokens, spent.output_tokens
    );
    let over = spent.count_error_percent().map_or_else(
        || "not said by the server".to_owned(),
        |over| format!("{over} % above the server's"),
    );
    println!("count of prompts: {over}; median {median} ms a question");
    Ok(())
}

fn ask(
    text: &str,
    checkout: &Checkout,
    proposer: &ModelProposer,
    sums: &mut Sums,
) -> Result<(), Box<dyn std::error::Error>> {
    let (budget, means, progress) = (
        QuestionBudget::default(),
        Means::default(),
        Progress::default(),
    );
    let question = understand(text)?;
    let company = Company {
        progress: &progress,
        on_event: &|_| (),
        proposer: None,
    };
    let plain = investigate_in(
        question.clone(),
        checkout,
        &budget,
        Bar::Default,
        &means,
        company,
    );
    let (start, before) = (Instant::now(), proposer.0.spent().tokens());
    let mut with = investigate_in(
        question,
        checkout,
        &budget,
        Bar::Default,
        &means,
        Company {
            proposer: Some(proposer),
            ..company
        },
    );
    if with.answer.is_some() {
        with.prose = Some(prose::write(&ModelWriter(&proposer.0), &with));
    }
    let ms = start.elapsed().as_millis();
    let (names, sentences) = (names(&with, sums), sentences(&with, sums));
    let (one, other) = (gate(&plain), gate(&with));
    sums.questions += 1;
    sums.answered += usize::from(plain.answer.is_some());
    sums.gates_changed += usize::from(one != other);
    sums.ms.push(ms);
    println!(
        "| {text} | {one} | {other} | {names} | {sentences} | {} | {ms} |",
        proposer.0.spent().tokens() - before
    );
    Ok(())
}

/// What the gate gave: outcome, confidence, and the place that is cited first.
fn gate(seen: &Investigation) -> String {
    let first = seen
        .answer
        .iter()
        .flat_map(|answer| answer.citations())
        .next();
    let first = first.map_or_else(String::new, |citation| {
        format!(" {}:{}", citation.path, citation.line_start())
    });
    format!(
        "{} {}{first}",
        seen.outcome.as_str(),
        seen.confidence.level.as_str()
    )
}

fn names(seen: &Investigation, sums: &mut Sums) -> String {
    let Some(hypotheses) = &seen.hypotheses else {
        return "-".to_owned();
    };
    let tried = hypotheses.tried.len();
    let defined = hypotheses
        .tried
        .iter()
        .filter(|tried| !tried.places.is_empty())
        .count();
    let met = hypotheses
        .tried
        .iter()
        .filter(|tried| {
            tried
                .places
                .iter()
                .any(|(ground, _)| *ground == QuestionGround::Met)
        })
        .count();
    sums.asked_for_names += 1;
    sums.names += tried;
    sums.defined += defined;
    sums.met += met;
    sums.errors += usize::from(hypotheses.error.is_some());
    let list: Vec<&str> = hypotheses
        .tried
        .iter()
        .map(|tried| tried.name.as_str())
        .collect();
    let told = hypotheses.error.clone().unwrap_or_else(|| list.join(", "));
    format!("{tried}, {defined}, {met}: {}", told.replace('\n', " "))
}

fn sentences(seen: &Investigation, sums: &mut Sums) -> String {
    let Some(prose) = &seen.prose else {
        return "-".to_owned();
    };
    sums.kept += prose.sentences.len();
    sums.dropped += prose.dropped;
    sums.errors += usize::from(prose.error.is_some());
    prose
        .error
        .clone()
        .unwrap_or_else(|| format!("{}, {}", prose.sentences.len(), prose.dropped))
        .replace('\n', " ")
}
