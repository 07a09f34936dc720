//! The tool `ask`: a question about a codebase, or a text that is ranked.

use std::fmt::Write as _;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Context, McpTool, ProgramCall, word};
use crate::mcp::arguments::{self, Wrong};
use crate::mcp::report::ToolKind;
use crate::mcp::said::{self, AnswerPart, PlaceManner, ResultText};
use crate::mcp::words::{LISTED_MAX, list_at, number_at, text_at};
use crate::safe;

/// Lines of a text that was asked for.
const BODY_LINES_MAX: usize = 120;
/// Columns of each line of an outline.
const OUTLINE_COLUMNS_MAX: usize = 64;
/// Leads, findings and near names that are listed.
const LEADS_MAX: usize = 8;

pub(super) const CARD: McpTool = McpTool {
    name: "ask",
    kind: ToolKind::Ask,
    title: "Ask a codebase",
    description: "Answer a question about the code in a folder with places (path:line) that were just read, or refuse. Use it before you say where \
        something is, who uses it, how many there are, or that it does not exist: it tells definitions and calls from comments and strings. For plain \
        patterns use text search.\n\
        Use exact names: \"where is StreamReader defined?\", \"who calls Planner::next in the tests?\", \"is Tool implemented outside src/net?\", \
        \"how does total_price work?\", \"when was build_many introduced?\". `from_text` ranks files for an issue, a log or a stack trace instead.\n\
        ANSWERED: rely on the cited lines. REFUSED is a result: not found = the whole tree was read; found, but not that = see the leads; cannot \
        tell = nothing follows. Leads are hints, never an answer.\n\
        Example: {\"question\": \"who calls total_price?\"}",
    is_open: true,
    is_kept: true,
    input: arguments::schema::<AskArguments>,
    call,
    said,
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct AskArguments {
    /// One question in English.
    question: Option<String>,
    /// Several questions or claims, each answered by itself in one pass.
    questions: Vec<String>,
    /// Claims instead: `calls(_, "f")` asks who, `none uses(_, "f") outside tests` whether, `member("a.rs", _)`
    /// outlines, `body("f", _)` and `body("a.rs:10", _)` show the text.
    claims: Vec<String>,
    /// An issue, log or stack trace, instead of a question.
    from_text: Option<String>,
    /// The folder. Left out: the only root.
    repo: Option<String>,
    /// The quality that the evidence must reach, instead of the default bar.
    accept: Option<AcceptName>,
    /// Let its build and tests run in a sandbox, for "do the tests pass?".
    run_code: bool,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum AcceptName {
    Weak,
    Moderate,
    Strong,
    Verified,
}

fn call(given: JsonObject, context: &Context<'_>) -> Result<ProgramCall, Wrong> {
    let given: AskArguments = arguments::read("ask", given)?;
    // The schema of such a server does not have `run_code`, but a client may send it all the same.
    if given.run_code && !context.settings.may_run {
        return Err(Wrong::new(
            "cannot run code of the repository: this server does not offer it",
            "leave `run_code` out, or ask the person to start the server with --allow-run",
        ));
    }
    let mut call = ProgramCall {
        folder: Some(context.places.repository(given.repo.as_deref())?),
        ..ProgramCall::of("ask")
    };
    call.flag("offline", context.settings.is_offline);
    call.flag(
        // A person's configuration may allow running; for an agent only the call itself does.
        if given.run_code { "run" } else { "no-run" },
        given.from_text.is_none(),
    );
    put(given, &mut call)?;
    Ok(call)
}

/// Puts what is asked into a call: one question, a text, one claim, or several of both.
fn put(given: AskArguments, call: &mut ProgramCall) -> Result<(), Wrong> {
    let accept = given.accept.as_ref().and_then(word);
    let question = given.question.filter(|text| !text.trim().is_empty());
    let (questions, claims) = (given.questions.as_slice(), given.claims.as_slice());
    match (question, given.from_text, questions, claims) {
        (Some(question), None, [], []) => {
            call.option("accept", accept);
            call.last(question);
        }
        (None, Some(text), [], []) => {
            call.option("from", Some("-"));
            call.input = Some(text);
        }
        (None, None, [], [claim]) => {
            call.option("claim", Some("-"));
            // On standard input no claim can be taken for an option, or be too long for a command
            // line.
            call.input = Some(one_line(claim));
        }
        (None, None, several @ [_, ..], []) | (None, None, [], several @ [_, ..]) => {
            call.option("accept", accept);
            call.option("each", Some("-"));
            let lines: Vec<String> = several.iter().map(one_line).collect();
            call.input = Some(lines.join("\n"));
        }
        (None, None, [], []) => {
            return Err(Wrong::new(
                "cannot ask: none of `question`, `questions`, `claims` and `from_text` is given",
                "give a question, for example \"where is main defined?\"",
            ));
        }
        _ => {
            return Err(Wrong::new(
                "cannot ask: more than one of `question`, `questions`, `claims` and `from_text` is given",
                "give one of them",
            ));
        }
    }
    Ok(())
}

/// Replaces line breaks: in a list of one a line they are no part of a question or claim.
fn one_line(text: impl AsRef<str>) -> String {
    text.as_ref().replace(['\n', '\r'], " ")
}

fn said(report: &Value) -> ResultText {
    let mut said = ResultText {
        parts: parts(report),
        scope: scope(report),
        ..ResultText::default()
    };
    understood(report, &mut said.understood);
    let rest = &mut said.rest;
    if text_at(report, "/outcome") != "answered" {
        refusal(report, rest);
    }
    findings(report, rest);
    broken(report, rest);
    let says = text_at(report, "/says");
    // The sentence may be a part of the text already, for example as the reason of a refusal.
    let is_new = |text: &str| !text.contains(says.trim_end_matches('.'));
    let parts = said.parts.iter().all(|part| is_new(&part.text));
    if !says.is_empty() && parts && is_new(rest) {
        let _ = writeln!(rest, "{says}");
    }
    said
}

/// Returns the claims that the question was understood as, and the words that none of them has.
fn understood(report: &Value, text: &mut String) {
    for (title, pointer) in [
        ("understood", "/understood/text"),
        ("not understood", "/understood/not_understood"),
    ] {
        let words = list_at(report, pointer).iter().filter_map(Value::as_str);
        let words: Vec<&str> = words.collect();
        if !words.is_empty() {
            let _ = writeln!(text, "{title}: {}", safe::for_line(&words.join("; ")));
        }
    }
}

/// Returns the parts of an answer, with as many places as are listed.
fn parts(report: &Value) -> Vec<AnswerPart> {
    let citations = list_at(report, "/citations");
    let names = names(report);
    let mut shown = 0;
    let mut part = |section: &Value| {
        let of_many = PlaceManner::one_line(list_at(section, "/citations").len());
        let manner = match claim(section, report) {
            // Of a text that was asked for all lines are the answer.
            claim if claim.starts_with("body(") => PlaceManner {
                lines_max: BODY_LINES_MAX,
                columns_max: usize::MAX,
                ..of_many
            },
            // An outline shows many lines, of which the first columns are enough.
            claim if claim.starts_with("member(") => PlaceManner {
                columns_max: OUTLINE_COLUMNS_MAX,
                ..of_many
            },
            _ => PlaceManner {
                names: &names,
                ..of_many
            },
        };
        // The bound is for the whole answer, so the parts share it.
        let cited = list_at(section, "/citations")
            .iter()
            .filter_map(Value::as_u64)
            .filter_map(|at| citations.get(usize::try_from(at).ok()?));
        let listed: Vec<&Value> = cited.take(LISTED_MAX.saturating_sub(shown)).collect();
        let left = list_at(section, "/citations").len() - listed.len();
        shown += listed.len();
        let mut part = AnswerPart {
            spots: said::spots(&listed, manner),
            ..AnswerPart::default()
        };
        titled(section, &mut part.text);
        if let Some(why) = said::common_reason(&mut part.spots) {
            let _ = writeln!(part.text, "of each: {why}");
        }
        more(number_at(section, "/more") + left as u64, &mut part.end);
        part
    };
    list_at(report, "/sections").iter().map(&mut part).collect()
}

/// Returns the names that were asked for, without their owners.
fn names(report: &Value) -> Vec<&str> {
    let targets = list_at(report, "/goal/targets").iter();
    let last = |target| {
        let text = text_at(target, "/text");
        // A line that calls `next` of `Planner::next` has only the last part.
        text.rsplit([':', '.', '#', '/']).next().unwrap_or(text)
    };
    targets.map(last).filter(|name| !name.is_empty()).collect()
}

/// Returns the claim that a part is about. For a text all lines are the answer, for an outline each
/// line.
fn claim<'r>(section: &'r Value, report: &'r Value) -> &'r str {
    match list_at(report, "/understood/text") {
        [claim] => claim.as_str().unwrap_or_default(),
        _ => text_at(section, "/title"),
    }
}

fn titled(section: &Value, text: &mut String) {
    for line in [text_at(section, "/title"), text_at(section, "/text")]
        .into_iter()
        .filter(|line| !line.is_empty())
    {
        let _ = writeln!(text, "{line}");
    }
}

fn more(count: u64, text: &mut String) {
    if count > 0 {
        let _ = writeln!(text, "and {count} more");
    }
}

fn refusal(report: &Value, text: &mut String) {
    let targets = list_at(report, "/goal/targets");
    // "How are routes matched?" names nothing: that its words do not occur together says little
    // about the code.
    let is_words = |target: &Value| text_at(target, "/kind") == "phrase";
    if text_at(report, "/refusal") == "not_found"
        && !targets.is_empty()
        && targets.iter().all(is_words)
    {
        let _ = writeln!(
            text,
            "these words occur nowhere together as a name or a phrase; what they mean may have another name"
        );
    }
    let _ = writeln!(text, "why: {}", text_at(report, "/confidence/explanation"));
    let leads = list_at(report, "/leads");
    if !leads.is_empty() {
        let _ = writeln!(text, "leads, not answers:");
        let leads: Vec<&Value> = leads.iter().take(LEADS_MAX).collect();
        said::list(&said::spots(&leads, PlaceManner::one_line(1)), text);
    }
    for near in list_at(report, "/did_you_mean").iter().take(LEADS_MAX) {
        let at = |name| safe::for_line(text_at(near, name));
        let _ = writeln!(
            text,
            "did you mean `{}`? {}:{} ({} times)",
            at("/name"),
            at("/path"),
            number_at(near, "/line"),
            number_at(near, "/count")
        );
    }
}

/// Adds what could not be used to every answer: a failed tool shows neither presence nor absence.
fn broken(report: &Value, text: &mut String) {
    let steps = list_at(report, "/steps").iter();
    for step in steps.filter(|step| step["error"].is_string()) {
        let _ = writeln!(
            text,
            "{} could not be used: {}",
            text_at(step, "/tool"),
            safe::for_line(text_at(step, "/error"))
        );
    }
}

fn findings(report: &Value, text: &mut String) {
    for finding in list_at(report, "/findings") {
        let _ = writeln!(text, "finding, not an answer:");
        titled(finding, text);
        let places: Vec<&Value> = list_at(finding, "/places").iter().take(LEADS_MAX).collect();
        said::list(&said::spots(&places, PlaceManner::one_line(1)), text);
    }
}

fn scope(report: &Value) -> String {
    let mut text = String::new();
    let commit: String = text_at(report, "/scope/commit").chars().take(12).collect();
    // A claim that names its file needs no search of the tree.
    match number_at(report, "/scope/files_searched") {
        0 if text_at(report, "/outcome") == "answered" => {
            text.push_str("read in the file that is named");
        }
        files => {
            let _ = write!(text, "searched {files} files");
        }
    }
    if !commit.is_empty() {
        let _ = write!(text, " at {commit}");
    }
    for skipped in list_at(report, "/scope/skipped")
        .iter()
        .filter(|skipped| skipped["could_matter"] == true)
    {
        let _ = write!(
            text,
            "; not read: {} {}",
            number_at(skipped, "/count"),
            text_at(skipped, "/reason")
        );
    }
    let bounds = list_at(report, "/metrics/bounds_reached").iter();
    let bounds: Vec<&str> = bounds.filter_map(Value::as_str).collect();
    if !bounds.is_empty() {
        let _ = write!(text, "; bounds reached: {}", bounds.join(", "));
    }
    text.push('\n');
    text
}
