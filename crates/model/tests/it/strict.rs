//! What the real providers would refuse in a request: a wrong path, a missing or
//! misplaced key, a field that they do not know, a turn that cannot be.

use serde_json::Value;

use crate::server::Asked;

/// Why the request is wrong, if it is.
pub(crate) fn wrong(provider: &str, asked: &Asked, key: &str) -> Option<&'static str> {
    if asked.header("content-type") != Some("application/json") {
        return Some("not JSON");
    }
    if !asked.body.is_object() {
        return Some("no object");
    }
    let bearer = asked.header("authorization") == Some(&format!("Bearer {key}"));
    let keyed =
        |name: &str| asked.header(name) == Some(key) && asked.header("authorization").is_none();
    let (path_is_right, key_is_right, fields): (bool, bool, &[&str]) = match provider {
        "openai" => (
            asked.path == "/v1/chat/completions",
            bearer,
            &[
                "model",
                "messages",
                "stream",
                "max_tokens",
                "temperature",
                "response_format",
                "tools",
                "tool_choice",
            ],
        ),
        "anthropic" => (
            asked.path == "/v1/messages",
            keyed("x-api-key"),
            &[
                "model",
                "messages",
                "max_tokens",
                "system",
                "temperature",
                "tools",
                "tool_choice",
            ],
        ),
        "gemini" => (
            asked.path == "/v1beta/models/the-model:generateContent",
            keyed("x-goog-api-key"),
            &["contents", "generationConfig", "systemInstruction"],
        ),
        _ => (
            asked.path == "/api/chat",
            asked.header("authorization").is_none(),
            &["model", "messages", "stream", "options", "format"],
        ),
    };
    if !path_is_right {
        return Some("no such path");
    }
    if !key_is_right {
        return Some("no key where it belongs");
    }
    if asked
        .body
        .as_object()
        .is_some_and(|body| body.keys().any(|name| !fields.contains(&name.as_str())))
    {
        return Some("an unknown field");
    }
    match provider {
        "anthropic" if asked.header("anthropic-version").is_none() => Some("no version"),
        "anthropic" => turns(&asked.body["messages"], &["user", "assistant"]),
        "gemini" => turns(&asked.body["contents"], &["user", "model"]),
        _ => turns(&asked.body["messages"], &["user", "assistant", "system"]),
    }
}

/// Turns must be there, alternate, and end with ours.
fn turns(turns: &Value, roles: &[&str]) -> Option<&'static str> {
    let turns: Vec<&str> = turns
        .as_array()?
        .iter()
        .filter_map(|turn| turn["role"].as_str())
        .collect();
    if turns.last() != Some(&"user") {
        return Some("the last turn is not ours");
    }
    if turns.iter().any(|role| !roles.contains(role)) {
        return Some("an unknown role");
    }
    turns
        .windows(2)
        .any(|pair| pair[0] == pair[1])
        .then_some("two turns of one")
}
