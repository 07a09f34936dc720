//! Diagnose: the deepest place of the trace inside the tree, the places that can emit the message,
//! the kind of the error if the tree defines it, and last the tests and documents that contain the
//! message. It states no cause that no place shows.

use grounds_evidence::{
    EvidenceClass, Family, FileRole, Match, Observation, ObservationSource, QuestionTarget,
    Relation, TargetKind,
};
use grounds_repo::emitters::{Emitter, Grade};
use grounds_repo::excerpt;
use grounds_repo::frames::{Holds, Traced};
use grounds_repo::labels::LabelledPlace;
use grounds_repo::tools;

use super::locate;
use crate::answer::citation::{AnswerCitation, Resource, on_one_line};
use crate::answer::{AnswerDesk, AnswerSection, PlaceForm, places};

/// Frames that are cited.
const FRAMES_MAX: usize = 16;
/// Places of one kind that are cited.
const EMITTERS_MAX: usize = 20;
/// Definitions of the kind of an error that are cited.
const KINDS_MAX: usize = 3;
/// Places that raise an error that are cited.
const RAISED_MAX: usize = 10;
/// Limit on the uses of an error's kind that are read.
const USES_MAX: usize = 400;
/// Limit on the lines of the first frame.
const FRAME_LINES: u32 = 3;
/// Words by which a line raises an error, or returns it.
const RAISING: &[&str] = &[
    "raise", "throw", "panic", "Err(", "return", "abort", "abort!", "error(", "reject", "bail",
    "fail",
];

pub(super) fn write(desk: &mut AnswerDesk<'_, '_>) -> Vec<AnswerSection> {
    let question = desk.question;
    let targets = question.goal.targets.iter().enumerate();
    targets
        .flat_map(|(number, target)| of_target(desk, number, target))
        .collect()
}

fn of_target(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    target: &QuestionTarget,
) -> Vec<AnswerSection> {
    if target.kind != TargetKind::Message {
        return vec![locate::of_target(desk, number, target)];
    }
    let emitters = emitters(desk, number, target);
    let mut sections = frames(desk, target, emitters.is_empty());
    let is_first = sections.is_empty();
    sections.extend(emitting(desk, target, &emitters, is_first));
    sections.extend(kinds(desk));
    sections.extend(quoting(desk, target, &emitters));
    sections
}

/// Returns the places that can emit the message, including hidden and ignored files. They are
/// recorded now if the planner did not need them.
fn emitters(desk: &mut AnswerDesk<'_, '_>, number: usize, target: &QuestionTarget) -> Vec<Emitter> {
    let mut found = desk.bench.emitters(number).places.clone();
    if let Some(hidden) = desk.hidden.as_deref_mut() {
        found.extend(hidden.emitters(number).places.iter().cloned());
    }
    let is_known = desk
        .ledger
        .about(EvidenceClass::FileSearch, &target.text)
        .any(|(_, entry)| entry.observation.tool == "emitters");
    if !is_known {
        tools::emitter_observations(target, &found)
            .into_iter()
            .for_each(|observation| {
                desk.observe(observation);
            });
    }
    found
}

fn frames(
    desk: &mut AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    has_no_emitter: bool,
) -> Vec<AnswerSection> {
    let traced = desk.bench.frames();
    let all = desk
        .question
        .trace
        .as_ref()
        .map_or(0, |trace| trace.frames.len());
    // A deeper frame that only names a file is less sure than one whose code was found.
    let deepest = traced
        .iter()
        .find(|traced| traced.holds <= Holds::ElsewhereInFile)
        .or_else(|| traced.first());
    let Some(deepest) = deepest else {
        return Vec::new();
    };
    // A frame that fits several files counts once.
    let own = traced
        .iter()
        .map(|traced| traced.frame)
        .collect::<std::collections::BTreeSet<usize>>()
        .len();
    let elsewhere = if has_no_emitter {
        " No literal of the tree makes the message: what it says comes from elsewhere."
    } else {
        ""
    };
    let text = format!("{}{elsewhere}", sentence(desk, deepest));
    let first = AnswerSection {
        text,
        citations: vec![cite_frame(desk, target, deepest, FRAME_LINES)],
        ..AnswerSection::default()
    };
    let rest: Vec<&Traced> = traced.iter().filter(|traced| *traced != deepest).collect();
    let citations: Vec<AnswerCitation> = rest
        .iter()
        .take(FRAMES_MAX)
        .map(|traced| cite_frame(desk, target, traced, 1))
        .collect();
    if citations.is_empty() {
        return vec![first];
    }
    let more = (rest.len() - citations.len()) as u64;
    let text = format!("{own} of {all} frames lie in this tree, the deepest first:");
    vec![
        first,
        AnswerSection {
            title: "The trace".to_owned(),
            text,
            citations,
            more,
            shown: PlaceForm::Listed,
        },
    ]
}

/// Returns the sentence about the deepest frame in this tree.
fn sentence(desk: &AnswerDesk<'_, '_>, traced: &Traced) -> String {
    let frame = desk
        .question
        .trace
        .as_ref()
        .and_then(|trace| trace.frames.get(traced.frame));
    let function = frame
        .and_then(|frame| frame.function.as_deref())
        .map_or_else(String::new, |name| format!(" in `{}`", on_one_line(name)));
    let line = frame.and_then(|frame| frame.line).unwrap_or(traced.line);
    match traced.holds {
        Holds::AsTold => format!("The deepest frame in this tree{function}:"),
        Holds::ElsewhereInFile => format!(
            "The deepest frame in this tree{function}; the tree differs from the one that failed: it is not at line {line}, it begins here:"
        ),
        Holds::FileOnly => {
            format!(
                "The deepest frame names this file{function} at line {line}; the tree differs from the one that failed:"
            )
        }
        Holds::OneOfSeveral => format!(
            "The deepest frame{function} at line {line} fits several files of this tree, this is the first:"
        ),
    }
}

fn cite_frame(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    traced: &Traced,
    lines_max: u32,
) -> AnswerCitation {
    let frame = desk
        .question
        .trace
        .as_ref()
        .and_then(|trace| trace.frames.get(traced.frame));
    let function = frame
        .and_then(|frame| frame.function.as_deref())
        .map_or_else(String::new, |name| format!(" in `{name}`"));
    let doubt = match traced.holds {
        Holds::AsTold => "",
        Holds::ElsewhereInFile => ", on other lines than the trace says",
        Holds::FileOnly => ", not as the trace says",
        Holds::OneOfSeveral => ", one of several files that fit",
    };
    let what = format!("frame {}{function}{doubt}", traced.frame + 1);
    cite(
        desk,
        target,
        (traced.path.as_str(), traced.line, traced.line_end),
        lines_max,
        what,
        traced.language,
    )
}

fn cite(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    (path, first, last): (&str, u32, u32),
    lines_max: u32,
    what: String,
    language: &'static str,
) -> AnswerCitation {
    let source = ObservationSource {
        path: path.to_owned(),
        line_start: first,
        line_end: last,
    };
    AnswerCitation {
        resource: Resource::File,
        path: path.to_owned(),
        cited: places::cited(desk, &source, lines_max),
        evidence: places::evidence_at(desk.ledger, &target.text, &source),
        what,
        language,
    }
}

/// Lists the places that certainly emit the message or, without any, those that may.
fn emitting(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    emitters: &[Emitter],
    is_first: bool,
) -> Option<AnswerSection> {
    let sure: Vec<&Emitter> = emitters
        .iter()
        .filter(|place| place.grade < Grade::Loose)
        .collect();
    let loose = || {
        emitters
            .iter()
            .filter(|place| place.grade == Grade::Loose && !place.is_of_a_test)
            .collect::<Vec<&Emitter>>()
    };
    // A literal that could make the message among much else is only shown if nothing better was
    // found.
    let (shown, can) = if sure.is_empty() {
        (loose(), "could emit it among much else")
    } else {
        (sure, "can emit")
    };
    // After a trace, many vague places would only distract from it.
    if shown.is_empty() || (!is_first && can != "can emit" && shown.len() > EMITTERS_MAX) {
        return None;
    }
    let citations: Vec<AnswerCitation> = shown
        .iter()
        .take(EMITTERS_MAX)
        .map(|place| cite_emitter(desk, target, place))
        .collect();
    let more = (shown.len() - citations.len()) as u64;
    let places = if shown.len() == 1 {
        "1 place".to_owned()
    } else {
        format!("{} places", shown.len())
    };
    let text = if can == "can emit" {
        format!("{places} can emit `{}`:", on_one_line(&target.text))
    } else {
        format!("{places} {can}:")
    };
    let title = if is_first {
        String::new()
    } else {
        "Where the message can come from".to_owned()
    };
    Some(AnswerSection {
        title,
        text,
        citations,
        more,
        ..AnswerSection::default()
    })
}

fn cite_emitter(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    place: &Emitter,
) -> AnswerCitation {
    let kind = match place.grade {
        Grade::Literal => "the message",
        Grade::Format => "makes the message up from parts",
        Grade::Loose => "could make it among much else",
        Grade::Quoted => "quotes it",
    };
    let container = if place.containers.is_empty() {
        String::new()
    } else {
        format!(" in `{}`", place.containers.join("::"))
    };
    let what = format!("{kind}{container}");
    cite(
        desk,
        target,
        (place.path.as_str(), place.line, place.line_end),
        desk.budget.excerpt_lines_max,
        what,
        place.language,
    )
}

/// Returns the tests, comments and documents that contain the message.
fn quoting(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    emitters: &[Emitter],
) -> Option<AnswerSection> {
    let quotes = |place: &&Emitter| place.grade == Grade::Quoted || place.is_of_a_test;
    let all: Vec<&Emitter> = emitters.iter().filter(quotes).collect();
    let what = |place: &Emitter| match place.role {
        FileRole::Test | FileRole::Fixture => "test".to_owned(),
        FileRole::Documentation => "document".to_owned(),
        _ => "comment".to_owned(),
    };
    let cited = |place: &&Emitter| {
        cite(
            desk,
            target,
            (place.path.as_str(), place.line, place.line),
            1,
            what(place),
            place.language,
        )
    };
    let citations: Vec<AnswerCitation> = all.iter().take(EMITTERS_MAX).map(cited).collect();
    let more = (all.len() - citations.len()) as u64;
    let title = "Tests and documents that have it".to_owned();
    (!all.is_empty()).then(|| AnswerSection {
        title,
        text: String::new(),
        citations,
        more,
        shown: PlaceForm::Listed,
    })
}

/// Returns where the tree defines and raises the kinds of the error.
fn kinds(desk: &mut AnswerDesk<'_, '_>) -> Vec<AnswerSection> {
    // The bench has the kinds of the error as targets behind those of the question.
    let beside = desk.question.goal.targets.len()..desk.bench.targets().len();
    beside.flat_map(|number| of_kind(desk, number)).collect()
}

fn of_kind(desk: &mut AnswerDesk<'_, '_>, number: usize) -> Vec<AnswerSection> {
    let target = &desk.bench.targets()[number];
    let known = desk.bench.places(number);
    let defined: Vec<LabelledPlace> = known
        .places
        .iter()
        .filter(|place| place.relation == Relation::Defines)
        .cloned()
        .collect();
    if defined.is_empty() {
        return Vec::new();
    }
    let name = on_one_line(&target.text);
    let everywhere = desk.bench.everywhere(number);
    let raised: Vec<LabelledPlace> = everywhere
        .places
        .iter()
        // Each use costs a read of its line.
        .take(USES_MAX)
        .filter(|place| raises(desk, place))
        .cloned()
        .collect();
    let section =
        |desk: &mut AnswerDesk<'_, '_>, title: String, all: &[LabelledPlace], most: usize| {
            desk.observe(observation(target, all));
            let citations: Vec<AnswerCitation> = all
                .iter()
                .take(most)
                .map(|place| places::cite(desk, target, &source(place), all, FRAME_LINES))
                .collect();
            let more = (all.len() - citations.len()) as u64;
            AnswerSection {
                title,
                text: String::new(),
                citations,
                more,
                shown: PlaceForm::ByFile,
            }
        };
    let mut sections = vec![section(
        desk,
        format!("`{name}` is defined"),
        &defined,
        KINDS_MAX,
    )];
    if !raised.is_empty() {
        sections.push(section(
            desk,
            format!("`{name}` is raised"),
            &raised,
            RAISED_MAX,
        ));
    }
    sections
}

/// Reports whether the line of a use raises or returns the error.
fn raises(desk: &AnswerDesk<'_, '_>, place: &LabelledPlace) -> bool {
    let is_use = matches!(place.relation, Relation::Calls | Relation::References);
    let is_code = !matches!(
        place.role,
        FileRole::Test | FileRole::Fixture | FileRole::Documentation | FileRole::Example
    );
    // Read last, since most places are no such use.
    let line = || {
        let bytes_max = desk.budget.limits.parse_file_bytes_max;
        excerpt::read(
            desk.bench.checkout,
            place.path.as_str(),
            place.line,
            place.line,
            1,
            bytes_max,
        )
        .map(|excerpt| excerpt.text)
    };
    is_use && is_code && line().is_some_and(|line| RAISING.iter().any(|word| line.contains(word)))
}

fn observation(target: &QuestionTarget, places: &[LabelledPlace]) -> Observation {
    let count = places.len() as u64;
    let relation = places
        .first()
        .map_or(Relation::Unlabelled, |place| place.relation);
    Observation {
        class: EvidenceClass::FileSearch,
        tool: "references",
        family: Family::Search,
        query: target.needle().to_owned(),
        target: target.text.clone(),
        found: if relation == Relation::Defines {
            Match::SymbolDefinition
        } else {
            Match::ExactIdentifier
        },
        relation,
        match_count: count,
        exact_match_count: count,
        phrase_match: false,
        sources: places.iter().take(tools::SOURCES_MAX).map(source).collect(),
    }
}

fn source(place: &LabelledPlace) -> ObservationSource {
    ObservationSource {
        path: place.path.as_str().to_owned(),
        line_start: place.line,
        line_end: place.line_end.max(place.line),
    }
}
