//! The tool `ask`: a question about a codebase, or a text that is ranked.

use std::fmt::Write as _;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Call, Card, Context, word};
use crate::mcp::arguments::{self, Wrong};
use crate::mcp::report::Kind;
use crate::mcp::words::{list_at, number_at, place, text_at};
use crate::output::AskReport;
use crate::safe;

pub(super) const CARD: Card = Card {
    name: "ask",
    kind: Kind::Ask,
    title: "Ask a codebase",
    description: "Answer a question about the code in a folder, with exact places (path:line) that were read again from disk, or refuse. \
        Use it before you say where something is, who uses it, or that it does not exist: it parses the files, so it tells definitions from \
        uses, comments and strings, and it counts. Use plain text search instead for patterns or regular expressions.\n\
        Name things by their exact names, one matter a question: \"where is StreamReader defined?\", \"who calls Planner::next in the tests?\", \
        \"what implements Tool?\", \"search for \\\"connection reset\\\" under src/net\", \"how does total_price work?\", \"compare read_at and read_exact\", \
        \"when was build_many introduced?\", \"what would break if I rename total_price?\". For a whole issue, log or stack trace give `from_text` \
        instead: it ranks files to look at, as leads.\n\
        The first line says what you have. ANSWERED: rely on the cited lines. REFUSED is a result, not an error: not found = the whole tree was \
        read and the name is not there (tell the user, do not invent a place; of words that are no name it shows only that they do not stand \
        together); found, but not that = it occurs otherwise, see the leads; cannot tell = \
        something was not read, so nothing follows. Leads and close names are hints to look at, never an answer. Asking the same again gives the same.\n\
        Example: {\"question\": \"where is StreamReader defined?\", \"repo\": \"tokio\"}",
    is_open: true,
    is_kept: true,
    input: arguments::schema::<AskArguments>,
    report: || Some(AskReport::schema()),
    call,
    text,
};

/// Citations that are shown with their lines; the rest are listed.
const EXCERPTS_MAX: usize = 8;
/// Lines of one citation that are shown.
const EXCERPT_LINES_MAX: usize = 6;
/// Citations, leads and names that are listed.
const LISTED_MAX: usize = 40;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct AskArguments {
    /// One question in English that names what it is about. Needed unless `claims` or `from_text` is given.
    question: Option<String>,
    /// Instead of a question: claims such as `calls(_, "Context.Next")`, where `_` is asked for, or `none uses(_, "old") outside tests`. Nothing is left to understand. Predicates: calls, uses, constructs, implements, extends, overrides, imports, defines, member, value, returns, throws, tested, exists, introduced, changed, removed, authored, license, version, requires, dependency, environment.
    claims: Vec<String>,
    /// Instead of a question: an issue, a report, a log or a stack trace of any length. Ranks files, functions and lines; ranking is no proof, so the outcome is insufficient.
    from_text: Option<String>,
    /// The folder to ask about, absolute or relative to an allowed root. Left out: the only root there is.
    repo: Option<String>,
    /// The quality that all required evidence must reach, instead of the usual bar. Lower it only where a guess is good enough.
    accept: Option<AcceptName>,
    /// Add numbers beside the levels; they decide nothing.
    scorecard: bool,
    /// Let code of the repository run (its build, its tests) in a private copy without a network, for questions such as "do the tests pass?".
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
    call.flag("scorecard", given.scorecard);
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
    refusal(report, &mut text);
    let says = text_at(report, "/says");
    let _ = write!(
        text,
        "{}",
        if says.is_empty() {
            String::new()
        } else {
            format!("{says}\n")
        }
    );
    let _ = writeln!(
        text,
        "confidence: {}",
        text_at(report, "/confidence/explanation")
    );
    scope(report, &mut text);
    text
}

/// The claims that the question was understood as, and the words that none of them has.
fn understood(report: &Value, text: &mut String) {
    let joined = |list: &[Value]| {
        let words: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
        words.join("; ")
    };
    let claims = joined(list_at(report, "/understood/text"));
    let unread = joined(list_at(report, "/understood/not_understood"));
    if !claims.is_empty() {
        let _ = writeln!(text, "understood: {claims}");
    }
    if !unread.is_empty() {
        let _ = writeln!(text, "not understood: {unread}");
    }
}

fn answer(report: &Value, text: &mut String) {
    let citations = list_at(report, "/citations");
    let mut shown = 0;
    for section in list_at(report, "/sections") {
        titled(section, text);
        let cited = list_at(section, "/citations")
            .iter()
            .filter_map(Value::as_u64)
            .filter_map(|at| citations.get(usize::try_from(at).ok()?));
        for citation in cited {
            shown += 1;
            cite(citation, shown <= EXCERPTS_MAX, shown <= LISTED_MAX, text);
        }
        more(number_at(section, "/more"), text);
    }
    more(shown.saturating_sub(LISTED_MAX) as u64, text);
}

fn titled(section: &Value, text: &mut String) {
    for line in [text_at(section, "/title"), text_at(section, "/text")]
        .into_iter()
        .filter(|line| !line.is_empty())
    {
        let _ = writeln!(text, "{line}");
    }
}

fn cite(citation: &Value, has_excerpt: bool, is_listed: bool, text: &mut String) {
    if !is_listed {
        return;
    }
    let _ = writeln!(
        text,
        "{}  {}",
        place(citation),
        safe::for_line(text_at(citation, "/what"))
    );
    if has_excerpt {
        let first = number_at(citation, "/line_start");
        for (line, number) in text_at(citation, "/text")
            .lines()
            .take(EXCERPT_LINES_MAX)
            .zip(first..)
        {
            let _ = writeln!(text, "  {number} | {}", safe::for_line(line.trim_end()));
        }
    }
}

fn more(count: u64, text: &mut String) {
    if count > 0 {
        let _ = writeln!(text, "and {count} more");
    }
}

fn refusal(report: &Value, text: &mut String) {
    let targets = list_at(report, "/goal/targets");
    if text_at(report, "/refusal") == "not_found"
        && !targets.is_empty()
        && targets
            .iter()
            .all(|target| text_at(target, "/kind") == "phrase")
    {
        let _ = writeln!(
            text,
            "these words stand nowhere together as a name or a phrase; what they mean may be there under another name"
        );
    }
    for lack in list_at(report, "/gap") {
        let at = |name| text_at(lack, name);
        let target = Some(at("/target"))
            .filter(|target| !target.is_empty())
            .map(|target| format!(" for `{}`", safe::for_line(target)));
        let _ = writeln!(
            text,
            "missing: {}{}: have {}, need {}",
            at("/class"),
            target.unwrap_or_default(),
            at("/have"),
            at("/need")
        );
    }
    for step in list_at(report, "/steps")
        .iter()
        .filter(|step| step["error"].is_string())
    {
        let _ = writeln!(
            text,
            "{} could not be used: {}",
            text_at(step, "/tool"),
            safe::for_line(text_at(step, "/error"))
        );
    }
    for finding in list_at(report, "/findings") {
        let _ = writeln!(text, "finding, not an answer:");
        titled(finding, text);
        list_at(finding, "/places")
            .iter()
            .take(LISTED_MAX)
            .for_each(|found| cite(found, false, true, text));
    }
    if text_at(report, "/outcome") == "answered" {
        return;
    }
    let leads = list_at(report, "/leads");
    for lead in leads.iter().take(LISTED_MAX) {
        let _ = writeln!(
            text,
            "lead: {}  {}",
            place(lead),
            safe::for_line(text_at(lead, "/why"))
        );
    }
    for near in list_at(report, "/did_you_mean").iter().take(LISTED_MAX) {
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

fn scope(report: &Value, text: &mut String) {
    let commit: String = text_at(report, "/scope/commit").chars().take(12).collect();
    let at = if commit.is_empty() {
        String::new()
    } else {
        format!(" at {commit}")
    };
    let _ = write!(
        text,
        "searched: {} files{at}",
        number_at(report, "/scope/files_searched")
    );
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
    let bounds: Vec<&str> = list_at(report, "/metrics/bounds_reached")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let _ = writeln!(
        text,
        "{}",
        if bounds.is_empty() {
            String::new()
        } else {
            format!("; bounds reached: {}", bounds.join(", "))
        }
    );
}
