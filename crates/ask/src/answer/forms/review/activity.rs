//! How often an area changed lately and by whom, and where it is hot: files that
//! are both large and often changed. "Lately" is counted from the newest commit,
//! never from the clock.

use std::collections::BTreeMap;

use grounds_evidence::{
    EntryId, EvidenceClass, Family, FileRole, Match, Observation, ObservationSource, Relation,
};
use grounds_repo::history::{self, Churn, Commit};

use super::{ReviewParts, whole_file};
use crate::answer::citation::{AnswerCitation, CitedPart, Resource, on_one_line};
use crate::answer::{AnswerDesk, AnswerSection, PlaceForm};

/// Number of days before the newest commit that count as recent.
const DAYS: u32 = 90;
/// Time limit for the history of an area, in milliseconds.
const HISTORY_MS_MAX: u64 = 8_000;
/// Hot spots that are cited.
const HOT_MAX: usize = 5;
/// Authors that are named.
const AUTHORS_MAX: usize = 5;

/// The history of an area.
pub(super) enum Activity {
    /// There is no history to ask.
    Unknown,
    /// It could not be read, with the reason.
    Unread(String),
    /// The recent changes.
    Churned(Churn),
    /// Nothing changed recently; the last change before, if it is known.
    Quiet(Churn, Option<Commit>),
}

pub(super) fn of_area(desk: &AnswerDesk<'_, '_>, reviewed: &ReviewParts) -> Activity {
    let checkout = desk.bench.checkout;
    let (Some(top), Some(path)) = (checkout.git_top(), checkout.from_top(&reviewed.path)) else {
        return Activity::Unknown;
    };
    match history::churn_of_days(top, &[&path], DAYS, HISTORY_MS_MAX) {
        Err(error) => Activity::Unread(error.to_string()),
        Ok(churn) if churn.commits > 0 => Activity::Churned(churn),
        Ok(churn) => Activity::Quiet(
            churn,
            history::newest_of(top, &path, HISTORY_MS_MAX)
                .ok()
                .flatten(),
        ),
    }
}

pub(super) fn sections(
    desk: &mut AnswerDesk<'_, '_>,
    reviewed: &ReviewParts,
    activity: &Activity,
) -> Vec<AnswerSection> {
    match activity {
        Activity::Unknown => Vec::new(),
        Activity::Unread(why) => vec![titled(
            format!("The history could not be read: {}.", on_one_line(why)),
            Vec::new(),
        )],
        Activity::Quiet(churn, last) => vec![quiet(desk, churn, last.as_ref())],
        Activity::Churned(churn) => {
            let mut sections = vec![recent(desk, churn)];
            sections.extend(hot_spots(desk, reviewed, churn));
            sections
        }
    }
}

fn titled(text: String, citations: Vec<AnswerCitation>) -> AnswerSection {
    AnswerSection {
        title: "Recent changes".to_owned(),
        text,
        citations,
        shown: PlaceForm::Listed,
        ..AnswerSection::default()
    }
}

fn quiet(desk: &mut AnswerDesk<'_, '_>, churn: &Churn, last: Option<&Commit>) -> AnswerSection {
    let (first, newest) = &churn.days;
    let before = match (last, churn.is_cut) {
        (Some(last), _) => format!(
            "; the last change is of {} by {}",
            history::day_of(last.committed_s),
            on_one_line(&last.author)
        ),
        (None, true) => "; older history is not in this clone, which is shallow".to_owned(),
        (None, false) => String::new(),
    };
    let text = format!(
        "No commit changed it in the {DAYS} days from {first} to {newest}, the day of the newest commit{before}."
    );
    let citations = last
        .map(|last| commit(last, &[observe(desk, std::slice::from_ref(last), 1)]))
        .into_iter()
        .collect();
    titled(text, citations)
}

/// "12 commits by 4 authors in the 90 days …, +120 -40 lines in 9 files. Authors: …"
fn recent(desk: &mut AnswerDesk<'_, '_>, churn: &Churn) -> AnswerSection {
    let (first, newest) = &churn.days;
    let (added, removed) = churn.lines();
    let at_least = if churn.is_cut { "at least " } else { "" };
    let of = |count: u64, word: &str| {
        if count == 1 {
            format!("1 {word}")
        } else {
            format!("{count} {word}s")
        }
    };
    let named = churn.authors.iter().take(AUTHORS_MAX);
    let authors: Vec<String> = named
        .map(|(author, commits)| format!("{} {commits}", on_one_line(author)))
        .collect();
    let more = churn.authors.len().saturating_sub(AUTHORS_MAX);
    let more_authors = if more > 0 {
        format!(", and {more} more")
    } else {
        String::new()
    };
    let text = format!(
        "{at_least}{} by {} in the {DAYS} days from {first} to {newest}, the day of the newest commit: +{added} -{removed} lines in {}. \
         Commits by author: {}{more_authors}.",
        of(churn.commits, "commit"),
        of(churn.authors.len() as u64, "author"),
        of(churn.files.len() as u64, "file"),
        authors.join(", ")
    );
    let evidence = [observe(desk, &churn.newest, churn.commits)];
    let citations: Vec<AnswerCitation> = churn
        .newest
        .iter()
        .map(|newest| commit(newest, &evidence))
        .collect();
    let more = churn.commits.saturating_sub(citations.len() as u64);
    AnswerSection {
        more,
        ..titled(text, citations)
    }
}

/// Lists source files and headers by commits times lines, or returns `None` if none changed twice.
fn hot_spots(
    desk: &AnswerDesk<'_, '_>,
    reviewed: &ReviewParts,
    churn: &Churn,
) -> Option<AnswerSection> {
    // The roles are ordered, and source and headers come first.
    let own = reviewed
        .area
        .files
        .iter()
        .filter(|file| file.role <= FileRole::Header);
    let sizes: BTreeMap<&str, u64> = own.map(|file| (file.path.as_str(), file.lines)).collect();
    let of_file = |file: &history::FileChurn| {
        // git names paths from the top of its work tree; the checkout may be a folder below it.
        let path = desk.bench.checkout.below_top(&file.path)?;
        let lines = *sizes.get(path.as_str())?;
        Some((
            file.commits * lines,
            path,
            lines,
            file.commits,
            file.authors,
        ))
    };
    let mut hot: Vec<_> = churn
        .files
        .iter()
        .filter(|file| file.commits > 1)
        .filter_map(of_file)
        .collect();
    hot.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    let cite = |(_, path, lines, commits, authors): &(u64, String, u64, u64, u64)| {
        let by = if *authors == 1 {
            "1 author".to_owned()
        } else {
            format!("{authors} authors")
        };
        whole_file(
            path,
            format!("{commits} commits by {by}, {lines} lines"),
            &reviewed.evidence,
        )
    };
    let citations: Vec<AnswerCitation> = hot.iter().take(HOT_MAX).map(cite).collect();
    let text = "Changed most for their size: commits of these days times lines.".to_owned();
    (!citations.is_empty()).then(|| AnswerSection {
        title: "Hot spots".to_owned(),
        text,
        citations,
        shown: PlaceForm::Listed,
        ..AnswerSection::default()
    })
}

fn commit(commit: &Commit, evidence: &[EntryId]) -> AnswerCitation {
    let what = format!(
        "{} — {}, {}",
        commit.subject,
        commit.author,
        history::day_of(commit.committed_s)
    );
    AnswerCitation {
        resource: Resource::Commit,
        path: commit.hash.clone(),
        cited: CitedPart::Whole,
        evidence: evidence.to_vec(),
        what,
        language: "",
    }
}

fn observe(desk: &mut AnswerDesk<'_, '_>, commits: &[Commit], count: u64) -> EntryId {
    desk.observe(Observation {
        class: EvidenceClass::GitLog,
        tool: "git",
        family: Family::History,
        query: format!("changes of the last {DAYS} days"),
        target: String::new(),
        found: Match::HistoryMatching,
        relation: Relation::Unlabelled,
        match_count: count,
        exact_match_count: count,
        phrase_match: false,
        sources: commits
            .iter()
            .map(|commit| ObservationSource::whole(commit.hash.as_str()))
            .collect(),
    })
}
