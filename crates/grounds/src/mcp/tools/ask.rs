//! The tool `ask`: a question about a codebase, or a text that is ranked.

use std::fmt::Write as _;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Call, Card, Context, word};
use crate::mcp::arguments::{self, Wrong};
use crate::mcp::report::Kind;
use crate::mcp::words::{self, LISTED_MAX, list_at, number_at, text_at};
use crate::safe;

/// An answer of so few places shows more lines of each.
const FEW: usize = 2;
/// Lines of a place where there are few.
const FEW_LINES_MAX: usize = 2;
/// Lines of a text that was asked for.
const BODY_LINES_MAX: usize = 120;
/// Leads, findings and near names that are listed.
const LEADS_MAX: usize = 8;

pub(super) const CARD: Card = Card {
    name: "ask",
    kind: Kind::Ask,
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
    text,
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct AskArguments {
    /// One question in English.
    question: Option<String>,
    /// Claims instead, each decided by itself in one pass: `calls(_, "f")` asks who, `none uses(_, "f") outside
    /// tests` whether, `member("a.rs", _)` outlines, `body("f", _)` and `body("a.rs:10", _)` show the text.
    claims: Vec<String>,
    /// An issue, log or stack trace, instead of a question.
    from_text: Option<String>,
    /// The folder. Left out: the only root.
    repo: Option<String>,
    /// The quality that the evidence must reach, instead of the usual bar.
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

fn call(given: JsonObject, context: &Context<'_>) -> Result<Call, Wrong> {
    let given: AskArguments = arguments::read("ask", given)?;
    if given.run_code && !context.settings.may_run {
        return Err(Wrong::new(
            "cannot run code of the repository: this server does not offer it",
            "leave `run_code` out, or ask the person to start the server with --allow-run",
        ));
    }
    let mut call = Call {
        folder: Some(context.places.repository(given.repo.as_deref())?),
        ..Call::of("ask")
    };
    call.flag("offline", context.settings.is_offline);
    call.flag(
        if given.run_code { "run" } else { "no-run" },
        given.from_text.is_none(),
    );
    let question = given.question.filter(|text| !text.trim().is_empty());
    match (question, given.from_text, given.claims.as_slice()) {
        (Some(question), None, []) => {
            call.option("accept", given.accept.as_ref().and_then(word));
            call.last(question);
        }
        (None, Some(text), []) => {
            call.option("from", Some("-"));
            call.input = Some(text);
        }
        (None, None, [_, ..]) => {
            call.option("claim", Some("-"));
            // One a line: a line break inside a claim is no part of its text form.
            let line = |claim: &String| claim.replace(['\n', '\r'], " ");
            call.input = Some(given.claims.iter().map(line).collect::<Vec<_>>().join("\n"));
        }
        (None, None, []) => {
            return Err(Wrong::new(
                "cannot ask: none of `question`, `claims` and `from_text` is given",
                "give a question, for example \"where is main defined?\"",
            ));
        }
        _ => {
            return Err(Wrong::new(
                "cannot ask: more than one of `question`, `claims` and `from_text` is given",
                "give one of them",
            ));
        }
    }
    Ok(call)
}

fn text(report: &Value) -> String {
    let mut text = String::new();
    understood(report, &mut text);
    answer(report, &mut text);
    if text_at(report, "/outcome") != "answered" {
        let (answered, all) = (
            answered_by_themselves(report),
            list_at(report, "/understood/text").len(),
        );
        if answered > 0 {
            let _ = writeln!(
                text,
                "{answered} of {all} claims are answered below, each by itself; the refusal is of the others"
            );
        }
        refusal(report, &mut text);
    }
    findings(report, &mut text);
    broken(report, &mut text);
    let says = text_at(report, "/says");
    if !says.is_empty() && !text.contains(says.trim_end_matches('.')) {
        let _ = writeln!(text, "{says}");
    }
    scope(report, &mut text);
    text
}

/// The claims that the question was understood as, and the words that none of them has.
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

fn answer(report: &Value, text: &mut String) {
    let citations = list_at(report, "/citations");
    let mut shown = 0;
    for section in list_at(report, "/sections") {
        titled(section, text);
        let lines_max = match () {
            () if asks_for_text(section, report) => BODY_LINES_MAX,
            () if citations.len() <= FEW => FEW_LINES_MAX,
            () => 1,
        };
        let cited = list_at(section, "/citations")
            .iter()
            .filter_map(Value::as_u64)
            .filter_map(|at| citations.get(usize::try_from(at).ok()?));
        let listed: Vec<&Value> = cited.take(LISTED_MAX.saturating_sub(shown)).collect();
        list(&listed, lines_max, text);
        let left = list_at(section, "/citations").len() - listed.len();
        more(number_at(section, "/more") + left as u64, text);
        shown += listed.len();
    }
}

/// Whether a part is the text that a claim asks for: then all of its lines are the answer.
fn asks_for_text(section: &Value, report: &Value) -> bool {
    let claims = list_at(report, "/understood/text");
    let claim = match claims {
        [claim] => claim.as_str().unwrap_or_default(),
        _ => text_at(section, "/title"),
    };
    claim.starts_with("body(")
}

fn titled(section: &Value, text: &mut String) {
    for line in [text_at(section, "/title"), text_at(section, "/text")]
        .into_iter()
        .filter(|line| !line.is_empty())
    {
        let _ = writeln!(text, "{line}");
    }
}

/// Places with their first lines; those of one file stand below its name, which costs a reader least.
fn list(places: &[&Value], lines_max: usize, text: &mut String) {
    let mut last = "";
    for place in places {
        let (path, first) = (text_at(place, "/path"), number_at(place, "/line_start"));
        if text_at(place, "/resource") == "commit" || first == 0 {
            last = "";
            let _ = writeln!(text, "{}  {}", words::place(place), what(place));
            continue;
        }
        if path != last {
            last = path;
            let _ = writeln!(text, "{}", safe::for_line(path));
        }
        let lines = text_at(place, "/text").lines().take(lines_max);
        let mut any = false;
        for (line, number) in lines.zip(first..) {
            let line = if lines_max == 1 {
                line.trim()
            } else {
                line.trim_end()
            };
            let _ = write!(text, "  {number}: {}", safe::for_line(line));
            // Where a call stands is often all that is asked.
            let about = what(place);
            if number == first && !shows(line, &about) {
                let _ = write!(text, "  [{}]", inside(&about));
            }
            text.push('\n');
            any = true;
        }
        if lines_max == BODY_LINES_MAX && place["cut"] == true {
            let last = number_at(place, "/line_end");
            let _ = writeln!(
                text,
                "  cut after line {last}: ask for `path:line` to read on"
            );
        }
        if !any {
            let _ = writeln!(text, "  {first}: {}", what(place));
        }
    }
}

/// Whether a line says by itself what a place is: nothing, or the one name that it has.
fn shows(line: &str, what: &str) -> bool {
    let name = what
        .strip_prefix('`')
        .and_then(|name| name.strip_suffix('`'));
    what.is_empty() || name.is_some_and(|name| line.contains(name))
}

/// The function that a call or use stands in: what it is, the line shows.
fn inside(what: &str) -> &str {
    let inside = what
        .split_once(" in `")
        .and_then(|(_, name)| name.strip_suffix('`'));
    inside.unwrap_or(what)
}

fn what(place: &Value) -> String {
    let what = [text_at(place, "/what"), text_at(place, "/why")];
    safe::for_line(
        what.into_iter()
            .find(|what| !what.is_empty())
            .unwrap_or_default(),
    )
}

fn more(count: u64, text: &mut String) {
    if count > 0 {
        let _ = writeln!(text, "and {count} more");
    }
}

fn refusal(report: &Value, text: &mut String) {
    let targets = list_at(report, "/goal/targets");
    let is_words = |target: &Value| text_at(target, "/kind") == "phrase";
    if text_at(report, "/refusal") == "not_found"
        && !targets.is_empty()
        && targets.iter().all(is_words)
    {
        let _ = writeln!(
            text,
            "these words stand nowhere together as a name or a phrase; what they mean may be there under another name"
        );
    }
    let _ = writeln!(text, "why: {}", text_at(report, "/confidence/explanation"));
    let leads = list_at(report, "/leads");
    // Where other claims of the call are answered, these say more than places that have their words.
    if !leads.is_empty() && answered_by_themselves(report) == 0 {
        let _ = writeln!(text, "leads, not answers:");
        let leads: Vec<&Value> = leads.iter().take(LEADS_MAX).collect();
        list(&leads, 1, text);
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

/// What could not be used is told with every answer: a tool that failed shows nothing either way.
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

/// Whether a part of a refusal is a claim that was decided: the refusal of another takes nothing from it.
fn is_decided(finding: &Value, report: &Value) -> bool {
    let title = text_at(finding, "/title");
    let claim = title.trim_end_matches(": yes").trim_end_matches(": no");
    let claims = list_at(report, "/understood/text");
    claims.len() > 1 && claims.iter().any(|one| one == claim)
}

/// How many of several claims were decided although the whole was refused.
fn answered_by_themselves(report: &Value) -> usize {
    let findings = list_at(report, "/findings").iter();
    findings
        .filter(|finding| is_decided(finding, report))
        .count()
}

fn findings(report: &Value, text: &mut String) {
    for finding in list_at(report, "/findings") {
        let _ = match is_decided(finding, report) {
            true => writeln!(text, "answered:"),
            false => writeln!(text, "finding, not an answer:"),
        };
        titled(finding, text);
        let places: Vec<&Value> = list_at(finding, "/places").iter().take(LEADS_MAX).collect();
        list(&places, 1, text);
    }
}

fn scope(report: &Value, text: &mut String) {
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
    let filter = text_at(report, "/scope/excluded/filter");
    if !filter.is_empty() {
        let files = number_at(report, "/scope/excluded/files");
        let _ = write!(text, ", {files} of them by the filter {filter}");
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
}
