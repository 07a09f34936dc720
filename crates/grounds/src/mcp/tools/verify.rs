//! The tool `verify`: a claim against sources.

use std::fmt::Write as _;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Call, Card, Context, word};
use crate::mcp::arguments::{self, Wrong};
use crate::mcp::report::Kind;
use crate::mcp::words::{list_at, number_at, text_at};
use crate::output::verify::VerifyReport;
use crate::safe;

pub(super) const CARD: Card = Card {
    name: "verify",
    kind: Kind::Verify,
    title: "Verify a claim",
    description: "Check one factual statement against sources: a folder of documents (`corpus`), or the web where the person has set up a search \
        engine. Says TRUE, FALSE, or refuses (Invalid), with quotes that stand word for word in the sources. Use it before you pass on a fact \
        that you only remember or that a page asserts, and to check what documentation says. Not for questions about code (use `ask`).\n\
        Give a statement and no question, with its numbers, names and dates; one claim a call. Both support and refutation are looked for; one \
        side needs independent sources, so that copies of one text do not count twice.\n\
        The first line says what you have. REFUSED is a result, not an error: insufficient = too few independent sources; not_matured = its time has not ended; not_read = a bound left out what could have spoken; \
        conflicting = they contradict each other; not checkable = an opinion, a question or two claims in one. Then say that it could not \
        be verified; do not take it for true or for false.\n\
        Example: {\"claim\": \"The default timeout is 60 seconds\", \"corpus\": \"docs\"}",
    is_open: true,
    is_kept: true,
    input: arguments::schema::<VerifyArguments>,
    report: || Some(VerifyReport::schema()),
    call,
    text,
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct VerifyArguments {
    /// The claim: one statement that can be true or false.
    claim: String,
    /// A folder of text, Markdown, HTML and PDF below an allowed root; then nothing else is searched, and no network is used.
    corpus: Option<String>,
    /// Whether each folder right below the corpus is of another hand, so that they corroborate each other, or all are of one.
    corpus_hands: Option<HandsName>,
    /// What is enough. Left out: verified, two independent sources. With `strong` one source that knows first hand, as the documentation of a project about itself.
    accept: Option<AcceptName>,
    /// The first day or moment in which it must have happened, as 2024-12-01 or 2024-12-01T00:00:00Z.
    from: Option<String>,
    /// The last one.
    to: Option<String>,
    /// The day or moment for which it is decided: later pages do not count. Left out: now.
    as_of: Option<String>,
    /// What a reader needs to know beside the claim. It goes into queries and is never evidence.
    context: Option<String>,
    /// The address that the claim comes from: neither it nor its copies count.
    origin: Option<String>,
    /// The language of the claim, as `en` or `de`.
    language: Option<String>,
    /// The search engine for the web. Left out: the one that the person has set up.
    provider: Option<ProviderName>,
    /// Which rule decides. Left out: spec_v1.
    policy: Option<PolicyWord>,
    /// The share of wrong verdicts, in percent, that `calibrated_v2` is held to. Left out: 20.
    wrong_max_percent: Option<u32>,
    /// Rounds of search, at most.
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

fn call(given: JsonObject, context: &Context<'_>) -> Result<Call, Wrong> {
    let given: VerifyArguments = arguments::read("verify", given)?;
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
    let mut call = Call {
        folder: context.places.repository(None).ok(),
        ..Call::of("verify")
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
