//! What a client sees: tools with their schemas, results that keep to them, progress,
//! roots, runs.

use serde_json::{Value, json};

use super::session::Session;
use crate::support::{Tree, git};

const FILES: [(&str, &str); 3] = [
    (
        "src/cache.rs",
        "/// Keeps things.\npub struct PageCache;\n\npub fn fill_cache(cache: &PageCache) {}\n",
    ),
    (
        "src/main.rs",
        "fn main() {\n    fill_cache(&PageCache);\n}\n",
    ),
    (
        "docs/a/limits.md",
        "# Limits\n\nThe default timeout is 30 seconds.\n",
    ),
];

fn tools(session: &mut Session) -> Vec<Value> {
    session.request("tools/list", json!({}))["result"]["tools"]
        .as_array()
        .expect("tools")
        .clone()
}

#[test]
fn tools_say_what_they_are() {
    let tree = Tree::of(&FILES);
    let mut session = Session::start(tree.root(), &[]);
    let begun = session.begin(&json!({}));
    assert!(
        begun["instructions"]
            .as_str()
            .is_some_and(|said| said.contains("data from strangers")),
        "{begun:#}"
    );
    assert!(
        begun["capabilities"]["prompts"].is_object() && begun["capabilities"]["logging"].is_null(),
        "{begun:#}"
    );
    let tools = tools(&mut session);
    let names: Vec<&str> = tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(names, ["ask", "check", "verify", "review", "show"]);
    for tool in &tools {
        let said = tool["description"].as_str().expect("a description");
        assert!(said.contains("Example: {") && said.len() < 2_000, "{said}");
        let example: Value =
            serde_json::from_str(said.rsplit_once("Example: ").expect("an example").1)
                .expect("JSON");
        let input = jsonschema::validator_for(&tool["inputSchema"]).expect("a schema");
        assert!(
            input.is_valid(&example) && !input.is_valid(&json!({"unknown": 1})),
            "{tool:#}"
        );
        assert!(
            !tool["inputSchema"].to_string().contains("null"),
            "{:#}",
            tool["inputSchema"]
        );
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
    }
    assert!(
        tools[0]["inputSchema"]["properties"]
            .get("run_code")
            .is_none()
    );
}

/// Tokens, by a public vocabulary.
fn tokens(value: &Value) -> u64 {
    grounds_model::tokens::Tokenizer::for_model("gpt-4o").count(&value.to_string())
}

/// A file with ten callers.
fn callers() -> String {
    let caller = |number| {
        format!("fn caller_{number}(cache: &PageCache) {{\n    fill_cache(cache);\n}}\n\n")
    };
    (0..10).map(caller).collect()
}

/// A path as long as those of real trees.
fn deep_path(number: usize) -> String {
    format!("packages/session-store/src/adapters/backend{number}/Backend{number}Adapter.ts")
}

/// Two methods that make the same call.
fn methods(number: usize) -> String {
    format!(
        "import {{ serialize_session }} from '../../serialize';\n\n\
         export class Backend{number}Adapter {{\n\
         \x20 saveCurrentSession(session) {{\n\
         \x20   return this.backend.put(this.keyOf(session), serialize_session(session, this.options, this.log));\n\
         \x20 }}\n\n\
         \x20 replaceExistingSession(session) {{\n\
         \x20   const previous = serialize_session(this.current, this.options.format);\n\
         \x20   return this.backend.swap(previous, session);\n\
         \x20 }}\n}}\n"
    )
}

/// An agent pays for the list in every session, and for each result.
#[test]
fn lists_and_results_cost_little() {
    let mut tree = Tree::of(&FILES).file("src/callers.rs", callers());
    for number in 0..5 {
        tree = tree.file(deep_path(number), methods(number));
    }
    let mut session = Session::begun(tree.root(), &[]);
    let listed = session.request("tools/list", json!({}));
    let mut cost = |tool, arguments| {
        let called = session.call(tool, arguments);
        (tokens(called.report()), format!("{:#}", called.0))
    };
    let defined = cost("ask", json!({"question": "where is PageCache defined?"}));
    let callers = cost(
        "ask",
        json!({"question": "who calls fill_cache in src/callers.rs?"}),
    );
    let text = "`PageCache`, `fill_cache` and `src/main.rs` are here.";
    let deep = cost("ask", json!({"question": "who calls serialize_session?"}));
    let checked = cost("check", json!({"text": text}));
    for (what, (tokens, shown), tokens_max) in [
        (
            "the list",
            (tokens(&listed["result"]), listed.to_string()),
            2_000,
        ),
        ("a definition", defined, 120),
        ("ten callers", callers, 350),
        ("ten callers in methods of deep files", deep, 350),
        ("a text that holds", checked, 100),
    ] {
        assert!(tokens <= tokens_max, "{what}: {tokens} tokens, {shown}");
    }
}

/// The prompts that were listed, with an argument for each that needs one.
const PROMPTS: [(&str, &str); 3] = [
    ("when", "{}"),
    ("before_change", r#"{"symbol": "PageCache::fill"}"#),
    ("check_answer", "{}"),
];

#[test]
fn prompts_are_few_and_short() {
    let tree = Tree::of(&FILES);
    let mut session = Session::begun(tree.root(), &[]);
    let listed = session.request("prompts/list", json!({}));
    let prompts = listed["result"]["prompts"].as_array().expect("prompts");
    let names: Vec<&str> = prompts
        .iter()
        .filter_map(|prompt| prompt["name"].as_str())
        .collect();
    assert_eq!(names, PROMPTS.map(|(name, _)| name));
    assert!(tokens(&listed["result"]) <= 200, "{listed:#}");
    for (name, arguments) in PROMPTS {
        let arguments: Value = serde_json::from_str(arguments).expect("JSON");
        let got = session.request("prompts/get", json!({"name": name, "arguments": arguments}));
        let message = &got["result"]["messages"][0];
        assert_eq!(message["role"], "user", "{got:#}");
        let text = message["content"]["text"].as_str().expect("a text");
        assert!(
            tokens(&json!(text)) <= 180,
            "{}: {text}",
            tokens(&json!(text))
        );
        // A prompt names only tools that there are.
        let named = ["`ask`", "`check`", "`review`", "`verify`"];
        assert!(named.iter().any(|tool| text.contains(tool)), "{text}");
    }
}

/// The call that a prompt tells an agent to make is one that works.
#[test]
fn the_prompt_before_a_change_asks_what_can_be_asked() {
    let tree = Tree::of(&FILES);
    let mut session = Session::begun(tree.root(), &[]);
    let symbol = json!({"symbol": "fill_cache"});
    let got = session.request(
        "prompts/get",
        json!({"name": "before_change", "arguments": symbol}),
    );
    let text = &got["result"]["messages"][0]["content"]["text"];
    let text = text.as_str().expect("a text");
    let (start, end) = (
        text.find('{').expect("a call"),
        text.find("}.").expect("its end"),
    );
    let call: Value = serde_json::from_str(&text[start..=end]).expect("JSON");
    let called = session.call("ask", call);
    assert!(!called.is_error(), "{:#}", called.0);
    let text = called.text();
    assert!(
        text.contains("src/main.rs\n  2 main: fill_cache(&PageCache);")
            && text.contains("\ncalls(_, \"fill_cache\")\nANSWERED"),
        "{text}"
    );
}

#[test]
fn a_wrong_prompt_is_told() {
    let tree = Tree::of(&FILES);
    let mut session = Session::begun(tree.root(), &[]);
    for (parameters, told) in [
        (json!({"name": "wen"}), "did you mean `when`?"),
        (
            json!({"name": "when", "arguments": {"x": "y"}}),
            "no argument `x`",
        ),
        (json!({"name": "before_change"}), "needs `symbol`"),
        (
            json!({"name": "before_change", "arguments": {"symbol": "a\nb"}}),
            "on one line",
        ),
        (json!({"name": 7}), "needs `name`"),
    ] {
        let answer = session.request("prompts/get", parameters.clone());
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(told), "{parameters}: {answer:#}");
    }
}

#[test]
fn code_runs_only_where_the_server_was_started_so() {
    let tree = Tree::of(&FILES);
    let mut session = Session::begun(tree.root(), &[]);
    let called = session.call(
        "ask",
        json!({"question": "does it build?", "run_code": true}),
    );
    called.is(
        "usage",
        2,
        "NOT RUN: cannot run code of the repository: this server does not offer it\ntry: ",
    );
    let mut session = Session::begun(tree.root(), &["--allow-run"]);
    assert!(tools(&mut session)[0]["inputSchema"]["properties"]["run_code"].is_object());
    assert_eq!(
        session
            .call(
                "ask",
                json!({"question": "does it build?", "run_code": true})
            )
            .report()["outcome"],
        "insufficient"
    );
}

/// The person's own configuration allows runs on the command line, and the server still does not.
#[test]
fn a_configuration_that_allows_runs_does_not_make_the_server_run() {
    let tree = Tree::of(&[("Makefile", "all:\n\ttouch made\n")]);
    let own = Tree::of(&[("grounds/config.yaml", "ask:\n  run: true\n")]);
    let config = own.root().to_owned();
    let mut session = Session::start_with(tree.root(), &[], |command| {
        command.env("XDG_CONFIG_HOME", &config);
    });
    session.begin(&json!({}));
    let called = session.call("ask", json!({"question": "does it build?"}));
    assert_eq!(called.report()["outcome"], "insufficient");
    assert!(called.text().contains("--run"), "{:#}", called.report());
}

#[test]
fn every_result_keeps_to_the_schema() {
    let tree = Tree::of(&FILES);
    git(tree.root(), &["init", "-q"]);
    git(tree.root(), &["add", "-A"]);
    let mut session = Session::begun(tree.root(), &["--no-model"]);
    let schema = include_str!("../../../../../schemas/mcp.json");
    let schema: Value = serde_json::from_str(schema).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let calls = [
        (
            "ask",
            json!({"question": "where is PageCache defined?"}),
            "answered",
        ),
        (
            "ask",
            json!({"question": "who calls fill_cache?"}),
            "answered",
        ),
        (
            "ask",
            json!({"question": "where is NoSuchThing defined?"}),
            "insufficient",
        ),
        ("ask", json!({"question": "hello"}), "not_checkable"),
        (
            "ask",
            json!({"from_text": "panicked at src/main.rs:2: fill_cache broke"}),
            "insufficient",
        ),
        (
            "ask",
            json!({"claims": ["defines(\"PageCache\", _)", "any calls(_, \"fill_cache\")"]}),
            "answered",
        ),
        (
            "ask",
            json!({"questions": ["where is PageCache defined?", "who calls fill_cache?"]}),
            "answered",
        ),
        (
            "ask",
            json!({"questions": ["where is PageCache defined?", "where is NoSuchThing defined?", "calls(_)", "hello"]}),
            "mixed",
        ),
        (
            "ask",
            json!({"questions": ["where is NoSuchThing defined?", "calls(_)"]}),
            "insufficient",
        ),
        ("ask", json!({"claims": ["calls(_)"]}), "usage"),
        (
            "ask",
            json!({"claims": ["calls(_, \"x\")"], "question": "where is x?"}),
            "usage",
        ),
        ("ask", json!({}), "usage"),
        (
            "check",
            json!({"text": "`PageCache` is here, and `fill_cache` calls `PageCache`."}),
            "passes",
        ),
        (
            "check",
            json!({"text": "`PageCache` is defined in `src/main.rs`."}),
            "false",
        ),
        (
            "check",
            json!({"text": "`zorblattFrame` is fine."}),
            "insufficient",
        ),
        ("check", json!({"text": " "}), "usage"),
        (
            "verify",
            json!({"claim": "The default timeout is 30 seconds", "corpus": "docs"}),
            "insufficient",
        ),
        (
            "verify",
            json!({"claim": "Blue is nicer than green", "corpus": "docs"}),
            "not_checkable",
        ),
        (
            "verify",
            json!({"claim": "decide", "corpus": "docs"}),
            "not_checkable",
        ),
        ("review", json!({"staged": true}), "passes"),
        ("review", json!({"base": "no-such-reference"}), "usage"),
        ("show", json!({"run": "../x"}), "usage"),
    ];
    for (name, arguments, outcome) in calls {
        let called = session.call(name, arguments.clone());
        let errors: Vec<String> = schema
            .iter_errors(called.report())
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{name} {arguments}: {errors:?}");
        assert_eq!(
            called.report()["outcome"],
            outcome,
            "{name} {arguments}: {:#}",
            called.report()
        );
        assert!(
            !called.text().is_empty() && called.is_error() == (outcome == "usage"),
            "{name} {arguments}: {}",
            called.text()
        );
        // Some clients show only one of the two: each says all, and nothing twice.
        says_all(called.report(), called.text());
        assert_eq!(
            called.report()["error"].is_null(),
            outcome != "usage",
            "{name} {arguments}"
        );
    }
}

/// The lines of citations: a folder that several files share is named once.
fn lines_of(cited: &Value) -> Vec<&str> {
    match cited {
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        Value::Object(below) => below.values().flat_map(lines_of).collect(),
        _ => Vec::new(),
    }
}

/// The data says what the text says: its words, and each line that is cited.
fn says_all(report: &Value, text: &str) {
    let mut say = |part: &'_ Value| {
        let said = part["text"].as_str().expect("a text").lines();
        for line in said.chain(lines_of(&part["citations"])) {
            assert!(text.contains(line), "{line} is not in {text}");
        }
    };
    let list = |name: &str| report[name].as_array().cloned().unwrap_or_default();
    say(report);
    list("parts").iter().for_each(&mut say);
    list("each").iter().for_each(&mut say);
    let json = report.to_string();
    for line in text.lines().filter(|line| line.starts_with("  ")) {
        let (number, _) = line.trim_start().split_once(": ").expect("a line of code");
        // A cited line is a string of its own, a lead is a line of a text.
        let counted = [format!("\"{number}: "), format!("\\n  {number}: ")];
        let said: usize = counted.iter().map(|mark| json.matches(mark).count()).sum();
        let shown = text.matches(&format!("\n  {number}: ")).count();
        assert_eq!(said, shown, "{line}: {json}");
    }
}

/// Runs are shown again to who may ask about their folders, and to nobody else.
#[cfg(feature = "store")]
#[test]
fn runs_are_shown_again_where_their_folder_may_be_asked_about() {
    let (tree, elsewhere, state) = (Tree::of(&FILES), Tree::of(&FILES), Tree::new());
    let begun = |tree: &Tree| {
        let mut session = Session::start_with(tree.root(), &[], |command| {
            command.env("XDG_STATE_HOME", state.root());
        });
        session.begin(&json!({}));
        session
    };
    let listed = |session: &mut Session| {
        session.request("resources/list", json!({}))["result"]["resources"]
            .as_array()
            .expect("a list")
            .clone()
    };
    let mut session = begun(&tree);
    assert!(listed(&mut session).is_empty());
    let asked = session.call("ask", json!({"question": "where is PageCache defined?"}));
    let run = asked.report()["run"].as_str().expect("a name").to_owned();
    assert!(asked.text().contains(&run), "{}", asked.text());
    for name in [run.as_str(), "last"] {
        let shown = session.call("show", json!({"run": name}));
        assert!(
            !shown.is_error() && shown.text().contains("src/cache.rs"),
            "{}",
            shown.text()
        );
    }
    let uris: Vec<Value> = listed(&mut session)
        .iter()
        .map(|resource| resource["uri"].clone())
        .collect();
    assert_eq!(
        uris,
        [
            json!(format!("grounds://run/{run}")),
            json!(format!("grounds://run/{run}/markdown"))
        ]
    );
    let mut read = |end: &str| {
        session.request(
            "resources/read",
            json!({"uri": format!("grounds://run/{run}{end}")}),
        )
    };
    let text = |read: &Value| {
        read["result"]["contents"][0]["text"]
            .as_str()
            .unwrap_or_else(|| panic!("{read:#}"))
            .to_owned()
    };
    let whole: Value = serde_json::from_str(&text(&read(""))).expect("JSON");
    assert_eq!(whole["schema"], "grounds.ask/1");
    assert_eq!(whole["citations"][0]["path"], "src/cache.rs");
    assert!(text(&read("/markdown")).contains("src/cache.rs"));
    assert_eq!(
        serde_json::from_str::<Value>(&text(&read("/evidence/0"))).expect("JSON"),
        whole["evidence"][0]
    );
    for end in ["/evidence/999", "/evidence/-1", "/nothing", "x"] {
        assert_eq!(read(end)["error"]["code"], -32002, "{end}");
    }
    let mut session = begun(&elsewhere);
    assert!(listed(&mut session).is_empty());
    for name in [run.as_str(), "last"] {
        session
            .call("show", json!({"run": name}))
            .is("usage", 2, "NOT RUN: cannot show");
    }
    assert_eq!(
        session.request(
            "resources/read",
            json!({"uri": format!("grounds://run/{run}")})
        )["error"]["code"],
        -32002
    );
}

#[test]
fn progress_is_told_to_who_asked_for_it() {
    let tree = Tree::of(&FILES);
    let mut session = Session::begun(tree.root(), &[]);
    session.call("ask", json!({"question": "where is PageCache defined?"}));
    assert!(session.others.is_empty(), "{:#?}", session.others);
    let parameters = json!({"name": "ask", "arguments": {"question": "where is PageCache defined?"}, "_meta": {"progressToken": "t1"}});
    session.request("tools/call", parameters);
    let told: Vec<&Value> = session
        .others
        .iter()
        .filter(|message| message["method"] == "notifications/progress")
        .collect();
    assert!(
        told.len() >= 2
            && told
                .iter()
                .all(|message| message["params"]["progressToken"] == "t1"),
        "{told:#?}"
    );
    let steps: Vec<f64> = told
        .iter()
        .filter_map(|message| message["params"]["progress"].as_f64())
        .collect();
    assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
    assert!(
        told.iter().any(|message| message["params"]["message"]
            .as_str()
            .is_some_and(|said| said.contains("PageCache"))),
        "{told:#?}"
    );
}

#[test]
fn a_bound_that_is_reached_is_told() {
    let tree = Tree::of(&FILES).file("src/callers.rs", callers());
    // What is meant for the server stands in no file of the checkout.
    let own = Tree::new().file("own.yaml", "mcp:\n  text_bytes_max: 200\n");
    let config = own.path("own.yaml").display().to_string();
    let mut session = Session::begun(tree.root(), &["--config", &config]);
    let called = session.call("ask", json!({"question": "who calls fill_cache?"}));
    called.is("answered", 0, "ANSWERED");
    assert!(
        called.text().len() <= 200 && called.text().contains("mcp.text_bytes_max"),
        "{}",
        called.text()
    );
    for (bound, told) in [
        ("output_bytes_max: 10", "mcp.output_bytes_max"),
        ("call_ms_max: 1", "mcp.call_ms_max"),
    ] {
        let tree = Tree::of(&FILES);
        // What is meant for the server stands in no file of the checkout.
        let own = Tree::new().file("own.yaml", format!("mcp:\n  {bound}\n"));
        let config = own.path("own.yaml").display().to_string();
        let called = Session::begun(tree.root(), &["--config", &config])
            .call("ask", json!({"question": "where is PageCache defined?"}));
        called.is("failed", 1, "FAILED, nothing was shown either way: ");
        assert!(
            called.text().contains(told) && called.text().contains("try: "),
            "{}",
            called.text()
        );
    }
}

/// Past the bound of the text the outcome of each question is still there.
#[test]
fn a_bound_hides_no_outcome_of_several() {
    let tree = Tree::of(&FILES).file("src/callers.rs", callers());
    let own = Tree::new().file("own.yaml", "mcp:\n  text_bytes_max: 100\n");
    let config = own.path("own.yaml").display().to_string();
    let mut session = Session::begun(tree.root(), &["--config", &config]);
    let questions = [
        "who calls fill_cache?",
        "calls(_)",
        "where is Gone defined?",
    ];
    let called = session.call("ask", json!({"questions": questions}));
    called.is("mixed", 3, "MIXED: 1 of 3 are answered");
    let text = called.text();
    assert!(
        text.len() <= 400 && text.contains("mcp.text_bytes_max"),
        "{text}"
    );
    let each = called.report()["each"].as_array().expect("each");
    let outcomes: Vec<&Value> = each.iter().map(|one| &one["outcome"]).collect();
    assert_eq!(outcomes, ["answered", "not_checkable", "insufficient"]);
    let asked: Vec<&Value> = each.iter().map(|one| &one["question"]).collect();
    assert_eq!(asked, questions);
    assert!(
        each.iter().all(|one| one.get("citations").is_none()),
        "{each:#?}"
    );
}

/// How much of a machine a server uses is not for a file of the checkout to say.
#[test]
fn a_file_of_the_checkout_has_no_say_about_the_server() {
    let tree = Tree::of(&FILES).file(".grounds.yaml", "mcp:\n  calls_max: 64\n");
    let called = Session::begun(tree.root(), &[])
        .call("ask", json!({"question": "where is PageCache defined?"}));
    called.is("usage", 2, "NOT RUN: ");
    assert!(
        called
            .text()
            .contains("`mcp` is set in a file of the checkout"),
        "{}",
        called.text()
    );
}

#[test]
fn the_roots_of_a_client_are_what_may_be_asked() {
    let (tree, other) = (
        Tree::of(&FILES),
        Tree::of(&[("b.py", "class Other:\n    pass\n")]),
    );
    let mut session = Session::start(tree.root(), &[]);
    session.begin(&json!({"roots": {}}));
    let roots = |session: &mut Session, answer: Value| {
        let id = session.ask(
            "tools/call",
            json!({"name": "ask", "arguments": {"question": "where is Other defined?"}}),
        );
        let asked = session
            .message(std::time::Duration::from_secs(20))
            .expect("a question");
        assert_eq!(asked["method"], "roots/list", "{asked:#}");
        let mut reply = json!({"jsonrpc": "2.0", "id": asked["id"]});
        reply
            .as_object_mut()
            .expect("an object")
            .extend(answer.as_object().expect("an object").clone());
        session.send(&reply.to_string());
        super::session::Called(session.answer(&json!(id)))
    };
    let uri = format!("file://{}", other.root().display());
    roots(&mut session, json!({"result": {"roots": [{"uri": uri}]}})).is("answered", 0, "ANSWERED");
    roots(&mut session, json!({"result": {"roots": []}})).is(
        "insufficient",
        3,
        "REFUSED (not found)",
    );
    let refused = roots(
        &mut session,
        json!({"error": {"code": -32603, "message": "no"}}),
    );
    refused.is(
        "usage",
        2,
        "NOT RUN: cannot tell which folders may be asked about",
    );
}

/// Clients of the newest protocol are not asked while a call waits: the call comes back with a question.
#[test]
fn a_client_of_the_newest_protocol_names_its_roots_when_it_calls_again() {
    let (tree, other) = (
        Tree::of(&FILES),
        Tree::of(&[("b.py", "class Other:\n    pass\n")]),
    );
    let mut session = Session::start(tree.root(), &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"roots": {}}});
    let mut parameters =
        json!({"name": "ask", "arguments": {"question": "where is Other defined?"}, "_meta": meta});
    let asked = session.request("tools/call", parameters.clone());
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked:#}");
    assert_eq!(
        asked["result"]["inputRequests"]["roots"]["method"], "roots/list",
        "{asked:#}"
    );
    parameters["inputResponses"] =
        json!({"roots": {"roots": [{"uri": format!("file://{}", other.root().display())}]}});
    let answered = super::session::Called(session.request("tools/call", parameters));
    answered.is("answered", 0, "ANSWERED");
}
