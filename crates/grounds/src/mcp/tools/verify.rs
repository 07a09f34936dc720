//! The tool `verify`: a claim against sources.

use std::fmt::Write as _;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Context, McpTool, ProgramCall, word};
use crate::mcp::arguments::{self, Wrong};
use crate::mcp::report::ToolKind;
use crate::mcp::words::{list_at, number_at, text_at};
use crate::safe;

pub(super) const CARD: McpTool = McpTool {
    name: "verify",
    kind: ToolKind::Verify,
    title: "Verify a claim",
    description: "Check one factual statement against a folder of documents (`corpus`) or the web, with quotes: TRUE, FALSE or REFUSED. Use it before \
        you pass on a fact that you only remember. Not for code. Give one statement with its numbers, names and dates. One side needs independent \
        sources; copies of one text count once. REFUSED is a result: it could not be verified, and is neither true nor false.\n\
        Example: {\"claim\": \"The default timeout is 60 seconds\", \"corpus\": \"docs\"}",
    is_open: true,
    is_kept: true,
    input: arguments::schema::<VerifyArguments>,
    call,
    said: |report| text(report).into(),
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct VerifyArguments {
    /// One statement.
    claim: String,
    /// A folder of text, Markdown, HTML and PDF; then no network is used.
    corpus: Option<String>,
    /// Whether each folder of the corpus has another author.
    corpus_hands: Option<HandsName>,
    /// What is enough: two independent sources (verified), or one that knows first hand (strong).
    accept: Option<AcceptName>,
    /// The first day on which it may have happened, as 2024-12-01.
    from: Option<String>,
    /// The last day.
    to: Option<String>,
    /// Later pages do not count.
    as_of: Option<String>,
    /// For queries only, never evidence.
    context: Option<String>,
    /// The address of the claim: it and its copies do not count.
    origin: Option<String>,
    /// As `en`.
    language: Option<String>,
    /// The search engine.
    provider: Option<ProviderName>,
    /// Which rule decides.
    policy: Option<PolicyWord>,
    /// The share of wrong verdicts that `calibrated_v2` is held to.
    wrong_max_percent: Option<u32>,
    /// Rounds of search.
    #[schemars(range(min = 1, max = 20))]
    max_attempts: Option<u32>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum ProviderName {
    Serper,
    Brave,
    Searxng,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum HandsName {
    EachFolder,
    One,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum AcceptName {
    Strong,
    Verified,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[schemars(inline)]
enum PolicyWord {
    #[serde(rename = "spec_v1")]
    SpecV1,
    #[serde(rename = "calibrated_v2")]
    CalibratedV2,
}

fn call(given: JsonObject, context: &Context<'_>) -> Result<ProgramCall, Wrong> {
    let given: VerifyArguments = arguments::read("verify", given)?;
    // A folder of documents needs no network.
    if context.settings.is_offline && given.corpus.is_none() {
        return Err(Wrong::new(
            "cannot search the web: this server was started with --offline",
            "name a folder of documents as `corpus`",
        ));
    }
    let corpus = given
        .corpus
        .as_deref()
        .map(|corpus| context.places.folder("corpus", corpus))
        .transpose()?;
    // The folder whose configuration holds; a claim about the world has none.
    let mut call = ProgramCall {
        folder: context.places.repository(None).ok(),
        ..ProgramCall::of("verify")
    };
    // By the descriptor that the call starts with: a path could lead elsewhere by then.
    call.option("corpus", corpus.as_ref().map(|_| "."));
    call.corpus = corpus;
    call.option("corpus-hands", given.corpus_hands.as_ref().and_then(word));
    call.option("accept", given.accept.as_ref().and_then(word));
    call.option("from", given.from);
    call.option("to", given.to);
    call.option("as-of", given.as_of);
    call.option("context", given.context);
    call.option("origin", given.origin);
    call.option("language", given.language);
    call.option("provider", given.provider.as_ref().and_then(word));
    call.option("policy", given.policy.as_ref().and_then(word));
    call.option(
        "wrong-max-percent",
        given.wrong_max_percent.map(|percent| percent.to_string()),
    );
    call.option(
        "max-attempts",
        given.max_attempts.map(|most| most.to_string()),
    );
    call.last(given.claim);
    Ok(call)
}

fn text(report: &Value) -> String {
    let mut text = String::new();
    let why = [
        text_at(report, "/reason"),
        text_at(report, "/not_checkable"),
    ];
    let why: Vec<&str> = why.into_iter().filter(|why| !why.is_empty()).collect();
    if !why.is_empty() {
        let _ = writeln!(text, "reason: {}", why.join(", "));
    }
    let _ = writeln!(text, "{}", text_at(report, "/proof"));
    // The proof cites its sources as `[1]`, in this order.
    for (source, number) in list_at(report, "/sources").iter().zip(1..) {
        let at = |name| safe::for_line(text_at(source, name));
        let date = text_at(source, "/pub_date");
        let _ = writeln!(
            text,
            "[{number}] {}{}",
            at("/url"),
            if date.is_empty() {
                String::new()
            } else {
                format!(" ({date})")
            }
        );
    }
    // Families and not pages: copies of one text count once.
    let side = |name: &str| number_at(report, &format!("/{name}/families"));
    let (queries, pages) = (
        number_at(report, "/debug/total_queries"),
        number_at(report, "/debug/total_pages_visited"),
    );
    let _ = writeln!(
        text,
        "independent sources for it: {}, against it: {}; {queries} queries, {pages} pages",
        side("support"),
        side("refute")
    );
    for unread in list_at(report, "/unread") {
        let _ = writeln!(
            text,
            "not read: {} at the bound {}",
            number_at(unread, "/count"),
            safe::for_line(text_at(unread, "/bound"))
        );
    }
    for failure in list_at(report, "/failures")
        .iter()
        .filter_map(Value::as_str)
    {
        let _ = writeln!(text, "failed on the way: {}", safe::for_line(failure));
    }
    text
}
