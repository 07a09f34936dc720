//! Search engines of this machine. Given what each query finds, they answer as the real ones do,
//! and refuse what those refuse: another path, another method, a missing or wrong key, a body that
//! is no JSON, a query that is empty or too long.

use serde_json::{Value, json};

use super::{ReceivedRequest, Reply};

/// The key that they accept.
pub const KEY: &str = "test-key-0123456789-never-shown";

/// Plays Serper, with a function from queries to results.
pub fn serper(
    find: impl Fn(&str) -> Vec<(String, String, String)> + Send + Sync + 'static,
) -> impl Fn(&ReceivedRequest) -> Reply + Send + Sync {
    move |asked| {
        if (asked.method.as_str(), asked.path.as_str()) != ("POST", "/search") {
            return json_reply(404, &json!({"message": "Not Found."}));
        }
        if asked.header("x-api-key") != Some(KEY) {
            return json_reply(403, &json!({"message": "Unauthorized.", "statusCode": 403}));
        }
        let Ok(body) = serde_json::from_slice::<Value>(&asked.body) else {
            return json_reply(400, &json!({"message": "Invalid JSON"}));
        };
        let query = body["q"].as_str().unwrap_or_default();
        let count = body["num"].as_u64().unwrap_or(10);
        if query.is_empty()
            || asked.header("content-type") != Some("application/json")
            || !(1..=100).contains(&count)
        {
            return json_reply(400, &json!({"message": "Missing query parameter"}));
        }
        let organic: Vec<Value> = find(query)
            .iter()
            .enumerate()
            .map(|(place, (link, title, snippet))| json!({"title": title, "link": link, "snippet": snippet, "position": place + 1}))
            .collect();
        json_reply(
            200,
            &json!({
                "searchParameters": {"q": query, "type": "search", "engine": "google"},
                "answerBox": {"title": "the engine's own answer", "answer": "never evidence", "link": "https://answer-box.example.com/"},
                "knowledgeGraph": {"title": "a panel", "website": "https://panel.example.com/"},
                "organic": organic,
                "credits": 1,
            }),
        )
    }
}

/// Plays Brave, with a function from queries to results.
pub fn brave(
    find: impl Fn(&str) -> Vec<(String, String, String)> + Send + Sync + 'static,
) -> impl Fn(&ReceivedRequest) -> Reply + Send + Sync {
    move |asked| {
        let Some(query) = asked
            .path
            .strip_prefix("/res/v1/web/search?")
            .map(parameters)
        else {
            return json_reply(404, &json!({"type": "ErrorResponse"}));
        };
        if asked.header("x-subscription-token") != Some(KEY) {
            let error = json!({"code": "SUBSCRIPTION_TOKEN_INVALID", "detail": "The provided subscription token is invalid.", "status": 422});
            return json_reply(422, &json!({"type": "ErrorResponse", "error": error}));
        }
        let value = |name: &str| value_of(&query, name);
        let (words, count) = (value("q"), value("count").parse::<usize>().unwrap_or(0));
        if asked.method != "GET" || !is_taken_by_brave(&words, count) {
            return json_reply(
                422,
                &json!({"type": "ErrorResponse", "error": {"code": "VALIDATION", "status": 422}}),
            );
        }
        let results: Vec<Value> = find(&words).iter().take(count).map(|(url, title, snippet)| json!({"title": title, "url": url, "description": format!("<strong>{snippet}</strong>"), "page_age": "2024-05-03T10:00:00"})).collect();
        let panel = json!({"results": [{"title": "a panel", "url": "https://panel.example.com/"}]});
        json_reply(
            200,
            &json!({"type": "search", "query": {"original": words}, "infobox": panel, "web": {"type": "search", "results": results}}),
        )
    }
}

/// Plays `SearXNG`, with a function from queries to results.
pub fn searxng(
    find: impl Fn(&str) -> Vec<(String, String, String)> + Send + Sync + 'static,
) -> impl Fn(&ReceivedRequest) -> Reply + Send + Sync {
    move |asked| {
        let Some(query) = asked.path.strip_prefix("/search?").map(parameters) else {
            return Reply::status(404);
        };
        let value = |name: &str| value_of(&query, name);
        match (value("q").as_str(), value("format").as_str()) {
            ("", _) => Reply::status(400),
            (words, "json") => {
                let results: Vec<Value> = find(words).iter().map(|(url, title, snippet)| json!({"url": url, "title": title, "content": snippet, "engine": "some", "publishedDate": null})).collect();
                let answers =
                    json!([{"answer": "never evidence", "url": "https://answer-box.example.com/"}]);
                json_reply(
                    200,
                    &json!({"query": words, "number_of_results": 0, "results": results, "answers": answers, "infoboxes": [], "unresponsive_engines": []}),
                )
            }
            _ => Reply::html("<html><body>results for people</body></html>"),
        }
    }
}

/// Reports whether a query is within the bounds that Brave documents.
fn is_taken_by_brave(words: &str, count: usize) -> bool {
    !words.is_empty()
        && words.chars().count() <= 400
        && words.split_whitespace().count() <= 50
        && (1..=20).contains(&count)
}

fn value_of(query: &[(String, String)], name: &str) -> String {
    let found = query.iter().find(|(key, _)| key == name);
    found.map_or_else(String::new, |(_, value)| value.clone())
}

fn json_reply(status: u16, body: &Value) -> Reply {
    Reply::of(status, "application/json", body.to_string())
}

fn parameters(query: &str) -> Vec<(String, String)> {
    url::form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect()
}
