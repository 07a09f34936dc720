use super::*;
use crate::reply::Usage;
use crate::request::Message;
use serde_json::json;

fn endpoint(base: &str, model: &str) -> Endpoint {
    Endpoint {
        base: BaseUrl::parse(base).expect("an address"),
        model: model.to_owned(),
        context_tokens: 4_096,
    }
}

fn request() -> ModelRequest {
    let schema = json!({"type": "object", "required": ["a"], "additionalProperties": false, "properties": {"a": {"type": "string"}}});
    let mut request = ModelRequest::new("Be brief.", "Which?")
        .shaped("answer", schema)
        .output_tokens_max(64);
    request.messages.insert(0, Message::user("Hi."));
    request.messages.insert(1, Message::assistant("Hello."));
    request.temperature_hundredths = Some(20);
    request
}

/// The bytes that are sent, as a page; `UPDATE_SUITE=1` rewrites it.
#[test]
fn what_is_sent_is_what_the_page_shows() {
    let mut page =
        "# What is sent\n\nOne request in every form, by provider. The key is not a part of it.\n"
            .to_owned();
    for (provider, base, model) in [
        ("openai", "https://api.openai.com/v1", "gpt-4o"),
        (
            "openai",
            "https://me.openai.azure.com/openai/v1?api-version=preview",
            "mine",
        ),
        ("openai", "http://127.0.0.1:8080/v1", "local"),
        ("anthropic", "https://api.anthropic.com", "claude"),
        (
            "gemini",
            "https://generativelanguage.googleapis.com/v1beta",
            "gemini-flash",
        ),
        ("ollama", "http://127.0.0.1:11434", "qwen"),
    ] {
        let provider = by_name(provider).expect("a provider");
        for form in provider.card().forms {
            let sent = provider.render(&endpoint(base, model), &request(), *form);
            let body: Value = serde_json::from_slice(&sent.body).expect("JSON");
            let head = format!(
                "\n## {} {:?}, {base}\n\nPOST {}, key in {:?}",
                provider.card().name,
                form,
                sent.url,
                sent.key_place
            );
            let headers: Vec<String> = sent
                .headers
                .iter()
                .map(|(name, value)| format!("{name}: {value}"))
                .collect();
            page.push_str(&format!(
                "{head}, {}\n\n```json\n{body:#}\n```\n",
                headers.join(", ")
            ));
        }
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/protocol/sent.md");
    if std::env::var_os("UPDATE_SUITE").is_some() {
        std::fs::write(&path, &page).expect("the page is written");
    }
    assert_eq!(
        std::fs::read_to_string(path).unwrap_or_default(),
        page,
        "UPDATE_SUITE=1 rewrites it"
    );
}

#[track_caller]
fn reads(provider: &str, answer: &Value) -> ModelReply {
    by_name(provider)
        .expect("a provider")
        .reply(answer)
        .expect("a reply")
}

#[test]
fn every_provider_says_the_same_in_its_own_words() {
    let usage = Some(Usage {
        prompt_tokens: 10,
        output_tokens: 5,
        cached_tokens: 4,
    });
    let openai = reads(
        "openai",
        &json!({"model": "m", "choices": [{"finish_reason": "stop", "message": {"content": [{"type": "text", "text": "yes"}]}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 4}}}),
    );
    let anthropic = reads(
        "anthropic",
        &json!({"model": "m", "stop_reason": "end_turn", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "yes"}],
        "usage": {"input_tokens": 5, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 1, "output_tokens": 5}}),
    );
    let gemini = reads(
        "gemini",
        &json!({"modelVersion": "m", "candidates": [{"finishReason": "STOP", "content": {"parts": [{"text": "hm", "thought": true}, {"text": "yes"}]}}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 2, "thoughtsTokenCount": 3, "cachedContentTokenCount": 4}}),
    );
    let expected = ModelReply {
        text: "yes".to_owned(),
        arguments: None,
        finish: Finish::Complete,
        usage,
        model: Some("m".to_owned()),
    };
    assert_eq!(openai, expected);
    assert_eq!(anthropic, expected);
    assert_eq!(gemini, expected);
    let ollama = reads(
        "ollama",
        &json!({"model": "m", "done": true, "done_reason": "stop", "message": {"content": "yes"}, "prompt_eval_count": 10, "eval_count": 5}),
    );
    assert_eq!(
        ollama,
        ModelReply {
            usage: usage.map(|usage| Usage {
                cached_tokens: 0,
                ..usage
            }),
            ..expected
        }
    );
}

#[test]
fn calls_of_tools_are_read_with_their_arguments() {
    let openai = reads(
        "openai",
        &json!({"choices": [{"finish_reason": "tool_calls", "message": {"content": null, "tool_calls": [{"function": {"name": "answer", "arguments": "{\"a\": 1}"}}]}}]}),
    );
    let anthropic = reads(
        "anthropic",
        &json!({"stop_reason": "tool_use", "content": [{"type": "tool_use", "name": "answer", "input": {"a": 1}}]}),
    );
    assert_eq!(
        (openai.arguments, anthropic.arguments),
        (Some(json!({"a": 1})), Some(json!({"a": 1})))
    );
}

#[test]
fn no_answer_makes_a_provider_panic() {
    for answer in [
        json!(null),
        json!([]),
        json!({}),
        json!({"choices": 3}),
        json!({"choices": [{}]}),
        json!({"content": [1, {}]}),
        json!({"candidates": [null]}),
        json!({"message": []}),
    ] {
        for provider in ALL {
            let body = answer.to_string().into_bytes();
            let response = HttpResponse {
                status: 200,
                headers: Vec::new(),
                body,
            };
            assert!(
                read(
                    provider,
                    &endpoint("http://127.0.0.1:1", "m"),
                    &response,
                    None
                )
                .is_err(),
                "{}: {answer}",
                provider.card().name
            );
        }
    }
}

/// What is read in a body that has one choice or one list of parts, where a tool `answer` was asked for.
fn outcome(provider: &str, body: &Value) -> Result<ModelReply, ModelError> {
    let response = HttpResponse {
        status: 200,
        headers: Vec::new(),
        body: body.to_string().into_bytes(),
    };
    let provider = by_name(provider).expect("a provider");
    read(
        provider,
        &endpoint("http://127.0.0.1:1", "m"),
        &response,
        Some("answer"),
    )
}

#[test]
fn an_end_that_only_looks_like_a_stop_is_a_failure() {
    let choice = |more: Value| {
        let mut choice = json!({"finish_reason": "stop", "message": {"content": "yes"}});
        let fields = choice.as_object_mut().expect("fields");
        fields.extend(more.as_object().cloned().unwrap_or_default());
        outcome("openai", &json!({"choices": [choice]}))
    };
    assert!(choice(json!({"native_finish_reason": "end_turn"})).is_ok());
    assert!(choice(json!({"native_finish_reason": "MAX_TOKENS"})).is_err());
    let filtered = |is: bool| choice(json!({"content_filter_results": {"hate": {"filtered": is}}}));
    assert!(filtered(false).is_ok());
    assert!(matches!(filtered(true), Err(ModelError::Filtered { .. })));
    let refusal =
        json!({"content": [{"type": "refusal", "refusal": "no"}, {"type": "text", "text": "yes"}]});
    assert!(matches!(
        choice(json!({"message": refusal})),
        Err(ModelError::Declined { .. })
    ));
}

#[test]
fn a_call_of_another_tool_is_no_answer() {
    let openai = |name: &str| {
        let call = json!({"function": {"name": name, "arguments": "{\"a\": 1}"}});
        outcome(
            "openai",
            &json!({"choices": [{"finish_reason": "tool_calls", "message": {"tool_calls": [call]}}]}),
        )
    };
    let anthropic = |name: &str| {
        let call = json!({"type": "tool_use", "name": name, "input": {"a": 1}});
        outcome(
            "anthropic",
            &json!({"stop_reason": "tool_use", "content": [call]}),
        )
    };
    assert!(openai("answer").is_ok() && anthropic("answer").is_ok());
    assert!(openai("give_up").is_err() && anthropic("give_up").is_err());
    let old = json!({"name": "answer", "arguments": "{\"a\": 1}"});
    let both = json!({"tool_calls": [{"function": old}], "function_call": old});
    assert!(
        outcome(
            "openai",
            &json!({"choices": [{"finish_reason": "stop", "message": both}]})
        )
        .is_err()
    );
}
