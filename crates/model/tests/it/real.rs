//! A real model behind its real server, where one is there:
//! `GROUNDS_TEST_MODEL_URL` is the base address of a server on this machine, and
//! `GROUNDS_TEST_MODEL` names provider and model. `docs/models.md` says how to start one.

use grounds_model::settings::Given;
use grounds_model::{ModelClient, ModelRequest, ModelSettings};
use serde_json::{Value, json};

fn client() -> Option<ModelClient> {
    let url = std::env::var("GROUNDS_TEST_MODEL_URL").ok();
    let Some(url) = url else {
        // `.ci/run` brings a small model in, so that there its absence is a failure.
        assert!(
            std::env::var_os("CI").is_none(),
            "GROUNDS_TEST_MODEL_URL names no server of a model; `.ci/model-server` starts one"
        );
        #[expect(clippy::print_stderr, reason = "a skipped test says why")]
        {
            eprintln!("skipped: GROUNDS_TEST_MODEL_URL names no server of a model");
        }
        return None;
    };
    let model = std::env::var("GROUNDS_TEST_MODEL").unwrap_or_else(|_| "openai/any".to_owned());
    let given = Given {
        model: Some(model),
        base_url: Some(url),
        ..Given::default()
    };
    Some(ModelClient::of(
        ModelSettings::of(&given, &|_| None)
            .expect("they fit")
            .expect("a model"),
    ))
}

fn shape() -> Value {
    let name = json!({"type": "string", "minLength": 1, "maxLength": 40});
    json!({"type": "object", "required": ["name", "lines"], "additionalProperties": false,
        "properties": {"name": name, "lines": {"type": "integer", "minimum": 0}}})
}

#[test]
fn a_real_model_keeps_a_shape_within_its_budget() {
    let Some(client) = client() else { return };
    let question =
        "The file `ledger.rs` has 42 lines. What is its name, and how many lines has it?";
    let request = ModelRequest::new("You read and answer.", question)
        .shaped("file", shape())
        .output_tokens_max(200);
    let structured = client.ask_for_value(&request).expect("a value");
    assert!(structured.value["lines"].is_u64(), "{}", structured.value);
    let spent = client.spent();
    assert!(
        spent.tokens() > 0 && spent.tokens() < 1_000,
        "{} tokens",
        spent.tokens()
    );
    assert!(
        spent
            .count_error_percent()
            .is_none_or(|percent| percent >= 0),
        "counted too little: {:?} %",
        spent.count_error_percent()
    );
}

#[test]
fn a_real_model_answers_in_prose() {
    let Some(client) = client() else { return };
    let request = ModelRequest::new(
        "You answer in one short sentence.",
        "What does a compiler do?",
    )
    .output_tokens_max(120);
    assert!(
        !client
            .ask(&request)
            .expect("an answer")
            .text
            .trim()
            .is_empty()
    );
}
