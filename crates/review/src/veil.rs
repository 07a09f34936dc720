//! Masks the secrets of a change in prompts and reports. Takes the whole files that any text is
//! taken from, because a piece of a file may begin in the middle of a key, where its text no longer
//! shows that it is one.

use std::collections::BTreeSet;

use grounds_model::ModelRequest;
use grounds_model::redact::{self, Hidden, Masked};

use crate::bundle::Plan;
use crate::diff::Change;
use crate::finding::{Anchor, Finding, Fix};
use crate::owners::Owners;
use crate::plan::Prepared;
use crate::report::{BaselineState, DropReason, Report, RequestFate};
use crate::sides::Texts;
use crate::tree::Content;

/// Maximum number of places of masked secrets that are listed.
const PLACES_SHOWN_MAX: usize = 10;

/// The secrets of a change.
#[derive(Clone, Debug, Default)]
pub struct Veil {
    hidden: Hidden,
    /// Kinds of secrets with their places on added lines, in order.
    seen: BTreeSet<String>,
}

impl Veil {
    /// Searches the changed files as a whole, and the lines of a diff whose files are not
    /// available.
    pub fn of(change: &Change, heads: Option<&Texts>, bases: Option<&Texts>) -> Self {
        let mut veil = Self::default();
        for file in &change.diff.files {
            let text = |texts: Option<&Texts>| {
                let bytes = texts?.get(&file.path).and_then(Content::bytes)?;
                Some(String::from_utf8_lossy(bytes).into_owned())
            };
            let sides = [text(heads), text(bases)];
            if sides.iter().all(Option::is_none) {
                let lines: Vec<&str> = file
                    .hunks
                    .iter()
                    .flat_map(|hunk| &hunk.lines)
                    .map(|line| line.text.as_str())
                    .collect();
                veil.hidden.add(&lines.join("\n"));
            }
            let [head, base] = sides;
            if let Some(head) = head {
                veil.see(&file.path, &head, file);
            }
            if let Some(base) = base {
                // Removed lines are shown too, and their secrets are in the base.
                veil.hidden.add(&base);
            }
        }
        veil
    }

    /// Searches one file at the reviewed side, and records the lines of its new secrets.
    fn see(&mut self, path: &str, text: &str, file: &crate::diff::ChangedFile) {
        let added: BTreeSet<u32> = file
            .hunks
            .iter()
            .flat_map(|hunk| &hunk.lines)
            .filter(|line| line.old_number.is_none())
            .filter_map(|line| line.new_number)
            .collect();
        for secret in self.hidden.add(text) {
            let newlines = text[..secret.range.start].matches('\n').count();
            let line = u32::try_from(newlines + 1).unwrap_or(u32::MAX);
            if added.contains(&line) {
                self.seen
                    .insert(format!("{} at {path}:{line}", secret.rule));
            }
        }
    }

    /// Searches the files that context comes from as well.
    pub fn add_context(&mut self, prepared: &Prepared) {
        let Some(tree) = &prepared.tree else { return };
        let items = prepared
            .plan
            .bundles
            .iter()
            .flat_map(|bundle| &bundle.items);
        let paths: BTreeSet<&str> = items
            .map(|item| item.path.as_str())
            .filter(|path| !prepared.heads.contains_key(*path))
            .collect();
        let files: Vec<_> = paths.iter().filter_map(|path| tree.file(path)).collect();
        // A file that cannot be read now gave no context that is not masked by itself.
        let _ = tree.each(&files, &mut |_, content| {
            if let Some(bytes) = content.bytes() {
                self.hidden.add(&String::from_utf8_lossy(bytes));
            }
            grounds_repo::git::Next::GoOn
        });
    }

    /// Returns a text without secrets.
    pub fn over(&self, text: &str) -> String {
        // The known secrets are removed first, since a piece of one has no form that `mask` would
        // recognize.
        redact::mask(&self.hidden.strike(text), &mut Masked::new())
    }

    /// Returns the request without secrets.
    #[must_use]
    pub fn over_request(&self, mut request: ModelRequest) -> ModelRequest {
        for material in &mut request.material {
            material.text = self.hidden.strike(&material.text);
            material.name = self.hidden.strike(&material.name);
        }
        request
    }

    /// Removes names of the gap that are pieces of secrets, which nobody uses as names.
    pub fn leave_out(&self, plan: &mut Plan) {
        for bundle in &mut plan.bundles {
            bundle
                .unresolved
                .retain(|name| !self.hidden.covers(&name.name));
            let kept: BTreeSet<String> = bundle
                .unresolved
                .iter()
                .flat_map(|name| name.menu_ids.clone())
                .collect();
            let is_left =
                |holds: &str| holds.split(['`', ' ']).any(|word| self.hidden.covers(word));
            bundle
                .menu
                .ranges
                .retain(|range| kept.contains(&range.id) || !is_left(&range.holds));
        }
    }

    /// Returns a note about the secrets among the added lines, or `None` without secrets.
    pub fn note(&self) -> Option<String> {
        let shown: Vec<&str> = self
            .seen
            .iter()
            .take(PLACES_SHOWN_MAX)
            .map(String::as_str)
            .collect();
        let more = match self.seen.len().saturating_sub(PLACES_SHOWN_MAX) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        (!shown.is_empty()).then(|| {
            format!(
                "taken for secrets among the added lines, and masked wherever they are shown or sent: {}{more}",
                shown.join(", ")
            )
        })
    }

    /// Masks the secrets in a report. Fingerprints come from the content of the files and stay the
    /// same.
    pub fn cover(&self, report: &mut Report) {
        let over = |text: &mut String| *text = self.over(text);
        for reported in &mut report.findings {
            let finding = &mut reported.finding;
            over(&mut finding.title);
            over(&mut finding.message);
            finding.quote.iter_mut().for_each(over);
            self.cover_fix(finding);
            reported.notes.iter_mut().for_each(over);
            if let BaselineState::Dismissed { reason } = &mut reported.baseline {
                over(reason);
            }
            if finding.anchor == Anchor::File {
                over(&mut finding.symbol);
            }
        }
        for suppressed in &mut report.suppressed {
            over(&mut suppressed.finding.title);
            over(&mut suppressed.finding.message);
            suppressed.finding.quote.iter_mut().for_each(over);
            self.cover_fix(&mut suppressed.finding);
            suppressed.reason.iter_mut().for_each(over);
        }
        for dropped in &mut report.dropped {
            over(&mut dropped.title);
            over(&mut dropped.path);
            cover_reason(&mut dropped.why, &over);
        }
        report
            .resolved
            .iter_mut()
            .for_each(|gone| over(&mut gone.title));
        self.cover_rest(report);
    }

    /// Removes a fix that contains a secret. A masked fix would write the mask into the file.
    fn cover_fix(&self, finding: &mut Finding) {
        if let Some(exact) = &mut finding.exact {
            let is_open = |fix: &Fix| self.over(&fix.lines) == fix.lines;
            exact.fix = exact.fix.take().filter(is_open);
        }
    }

    fn cover_rest(&self, report: &mut Report) {
        let over = |text: &mut String| *text = self.over(text);
        for name in &mut report.gap {
            over(&mut name.name);
            over(&mut name.why);
        }
        for request in &mut report.follow_up.requests {
            over(&mut request.asked);
            over(&mut request.reason);
            if let RequestFate::Refused { why } = &mut request.fate {
                over(why);
            }
        }
        if let Some(taken) = &mut report.follow_up.taken {
            over(&mut taken.reason);
            taken.failed.iter_mut().for_each(over);
        }
        for failure in &mut report.failures {
            over(&mut failure.what);
            failure.raw.iter_mut().for_each(over);
        }
        report.notes.iter_mut().for_each(over);
        match &mut report.owners {
            Owners::Known(known) => known.unread.iter_mut().for_each(|line| over(&mut line.why)),
            Owners::Unknown { why, .. } => over(why),
            Owners::NotAsked | Owners::Absent => {}
        }
    }
}

fn cover_reason(why: &mut DropReason, over: &dyn Fn(&mut String)) {
    match why {
        DropReason::Dismissed { quote, reason, .. } => {
            over(quote);
            over(reason);
        }
        DropReason::Unreadable { why } => over(why),
        DropReason::NameExists { .. }
        | DropReason::SameAs { .. }
        | DropReason::FileNotInDiff
        | DropReason::LineNotInDiff => {}
    }
}
