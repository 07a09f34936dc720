//! The repairs of `check --fix`, one by one or all at once.

use std::ops::Range;

use lsp_types::{CodeActionContext, CodeActionKind, Diagnostic, Range as Span};
use serde_json::{Value, json};

use super::checked::Repair;
use super::diagnostics::CHECK;
use super::documents::OpenDocument;
use super::position::TextLines;

/// The kind of the action that repairs everything.
pub(super) const FIX_ALL: &str = "source.fixAll.grounds";

/// A repair that fits the text as it is now.
struct Edit<'d> {
    bytes: Range<usize>,
    repair: Repair,
    diagnostic: &'d Diagnostic,
}

/// Returns the actions that an editor may offer at a place.
pub(super) fn at(
    document: &OpenDocument,
    context: &CodeActionContext,
    shown: &[Diagnostic],
) -> Vec<Value> {
    let wants = |kind: &str| {
        let only = context.only.as_ref();
        only.map(|kinds| kinds.iter().any(|wanted| is_within(kind, wanted)))
    };
    let lines = TextLines::of(&document.text);
    let mut actions = Vec::new();
    if wants("quickfix").unwrap_or(true) {
        let here = edits(document, &lines, &context.diagnostics, shown);
        actions.extend(here.iter().map(|edit| one(document, &lines, edit)));
    }
    // Whoever does not ask for it by name wants what helps at this place.
    if wants(FIX_ALL).unwrap_or(false) {
        let all = edits(document, &lines, shown, shown);
        if !all.is_empty() {
            actions.push(every(document, &lines, &all));
        }
    }
    actions
}

fn is_within(kind: &str, wanted: &CodeActionKind) -> bool {
    let rest = kind.strip_prefix(wanted.as_str());
    // `source.fixAll` asks for `source.fixAll.grounds` too.
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns the repairs of diagnostics whose text is still there, in order, without overlaps.
fn edits<'d>(
    document: &OpenDocument,
    lines: &TextLines<'_>,
    diagnostics: &'d [Diagnostic],
    shown: &[Diagnostic],
) -> Vec<Edit<'d>> {
    let edit = |diagnostic: &'d Diagnostic| {
        let repair = repair(diagnostic, shown)?;
        let bytes = lines.bytes(diagnostic.range)?;
        // The person may have typed since the check; a range alone would replace something else.
        let is_there = document.text.get(bytes.clone()) == Some(&repair.written);
        is_there.then_some(Edit {
            bytes,
            repair,
            diagnostic,
        })
    };
    let mut edits: Vec<Edit<'d>> = diagnostics.iter().filter_map(edit).collect();
    edits.sort_by_key(|edit| (edit.bytes.start, edit.bytes.end));
    let mut end = 0;
    // Two claims may share a text; the protocol forbids edits that overlap.
    edits.retain(|edit| {
        let is_free = edit.bytes.start >= end;
        end = if is_free { edit.bytes.end } else { end };
        is_free
    });
    edits
}

/// Returns the repair that a diagnostic carries, or that ours carries, since some editors drop the
/// data.
fn repair(diagnostic: &Diagnostic, shown: &[Diagnostic]) -> Option<Repair> {
    if diagnostic.source.as_deref() != Some(CHECK) {
        return None;
    }
    let is_same = |other: &&Diagnostic| {
        other.range == diagnostic.range && other.message == diagnostic.message
    };
    let ours = || shown.iter().find(is_same)?.data.clone();
    let data = diagnostic.data.clone().or_else(ours)?;
    serde_json::from_value(data).ok()
}

fn one(document: &OpenDocument, lines: &TextLines<'_>, edit: &Edit<'_>) -> Value {
    json!({
        "title": format!("Replace `{}` by `{}`", edit.repair.written, edit.repair.fix),
        "kind": "quickfix",
        "diagnostics": [edit.diagnostic],
        "isPreferred": true,
        "edit": change(document, lines, std::slice::from_ref(edit)),
    })
}

fn every(document: &OpenDocument, lines: &TextLines<'_>, edits: &[Edit<'_>]) -> Value {
    json!({
        "title": "Repair what `grounds check --fix` repairs",
        "kind": FIX_ALL,
        "edit": change(document, lines, edits),
    })
}

fn change(document: &OpenDocument, lines: &TextLines<'_>, edits: &[Edit<'_>]) -> Value {
    let text = |edit: &Edit<'_>| {
        let range: Span = lines.span(edit.bytes.clone());
        json!({"range": range, "newText": edit.repair.fix})
    };
    let edits: Vec<Value> = edits.iter().map(text).collect();
    json!({"changes": {document.uri.as_str(): edits}})
}
