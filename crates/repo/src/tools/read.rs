//! read: reads the text of the places that the search points at from disk again, and says whether
//! it contains the target. A text without the target is no evidence for it, whatever its rank.

use grounds_evidence::{
    EvidenceClass, Family, Match, Observation, ObservationSource, QuestionTarget, Relation,
    TargetKind, name,
};

use super::SOURCES_MAX;
use crate::bench::Bench;
use crate::emitters;
use crate::message::Message;
use crate::needles::{content_words_of, is_whole};
use crate::path::RepoPath;
use crate::text;
use crate::tool::{Offer, Pointed, Tool, ToolCard, ToolError, ToolRequest};

pub(super) struct ReadTool;

/// Lines above a definition that may contain its documentation.
const LINES_ABOVE: u32 = 30;

const KINDS: &[TargetKind] = &[
    TargetKind::Identifier,
    TargetKind::SymbolPath,
    TargetKind::Path,
    TargetKind::Phrase,
    TargetKind::Quoted,
    TargetKind::Message,
];

static CARD: ToolCard = ToolCard {
    name: "read",
    about: "reads the places that the search points at and checks that the target stands there",
    family: Family::Reader,
    offers: &[
        Offer {
            class: EvidenceClass::FileContent,
            kinds: KINDS,
            best: Match::ReadTarget,
            relation: Relation::Defines,
            cost: 1,
        },
        Offer {
            class: EvidenceClass::FileContent,
            kinds: KINDS,
            best: Match::ReadTarget,
            relation: Relation::Calls,
            cost: 1,
        },
        Offer {
            class: EvidenceClass::FileContent,
            kinds: KINDS,
            best: Match::ReadTarget,
            relation: Relation::Inherits,
            cost: 1,
        },
        Offer {
            class: EvidenceClass::FileContent,
            kinds: KINDS,
            best: Match::ReadTarget,
            relation: Relation::Imports,
            cost: 1,
        },
    ],
    after: Some(EvidenceClass::FileSearch),
};

impl Tool for ReadTool {
    fn card(&self) -> &'static ToolCard {
        &CARD
    }

    fn run(
        &self,
        bench: &mut Bench<'_>,
        request: ToolRequest<'_>,
    ) -> Result<Vec<Observation>, ToolError> {
        let Some(number) = request.target else {
            return Ok(Vec::new());
        };
        let target = &bench.targets()[number];
        Ok(request
            .pointed_at
            .iter()
            .flat_map(|pointed| read(bench, target, pointed))
            .collect())
    }
}

/// Reads the places of one piece of evidence: those that contain the target, and those that do not.
fn read(
    bench: &Bench<'_>,
    target: &QuestionTarget,
    pointed: &Pointed,
) -> impl Iterator<Item = Observation> {
    let exact = pointed.found.is_exact();
    let found = if exact {
        Match::ReadTarget
    } else {
        Match::ReadRanked
    };
    let sources = pointed.sources.iter().take(SOURCES_MAX).cloned();
    let (holding, lacking): (Vec<ObservationSource>, Vec<ObservationSource>) =
        sources.partition(|source| stands_there(bench, target, source, pointed.found));
    let observation = |found, sources: Vec<ObservationSource>| {
        let count = sources.len() as u64;
        let base = CARD.observation(EvidenceClass::FileContent, target);
        let relation = pointed.relation;
        (count > 0).then_some(Observation {
            found,
            relation,
            match_count: count,
            exact_match_count: count,
            sources,
            ..base
        })
    };
    [
        observation(found, holding),
        observation(Match::ReadWithoutTarget, lacking),
    ]
    .into_iter()
    .flatten()
}

fn stands_there(
    bench: &Bench<'_>,
    target: &QuestionTarget,
    source: &ObservationSource,
    found: Match,
) -> bool {
    let exact = found.is_exact();
    if source.path == "." {
        return target.text == ".";
    }
    let Some(path) = RepoPath::of_shown(bench.checkout.root(), &source.path) else {
        return false;
    };
    let file = bench.checkout.root().join(path.as_path());
    // A place such as `src/a.rs:12` is checked by its line, a path by itself.
    if target.kind == TargetKind::Path && source.line_start > 0 {
        let text = text::read_whole(&file, bench.limits.file_bytes_max).unwrap_or_default();
        return lines(&text, source.line_start, source.line_start).is_some();
    }
    if target.kind == TargetKind::Path {
        return file.symlink_metadata().is_ok();
    }
    if matches!(
        found,
        Match::AliasedDefinition
            | Match::StemmedDefinition
            | Match::NamedInImplementation
            | Match::DefinedBeside
            | Match::FitsInterface
    ) {
        // The place has another name, so all that can be read again is that the place exists.
        let text = text::read_whole(&file, bench.limits.file_bytes_max).unwrap_or_default();
        return lines(&text, source.line_start, source.line_end).is_some();
    }
    if target.kind == TargetKind::Message {
        return message_stands_there(bench, target, source, found, &path);
    }
    let Ok(text) = text::read_whole(&file, bench.limits.file_bytes_max) else {
        return false;
    };
    // A phrase may be in the documentation, which is above the definition.
    let above = if target.kind == TargetKind::Phrase {
        LINES_ABOVE
    } else {
        0
    };
    lines(
        &text,
        source.line_start.saturating_sub(above),
        source.line_end,
    )
    .is_some_and(|span| {
        if exact {
            holds(span, target, &source.path)
        } else {
            holds_part(span, target)
        }
    })
}

/// Reports whether the place, read again, can still emit the message, or is still the line that a
/// trace names.
fn message_stands_there(
    bench: &Bench<'_>,
    target: &QuestionTarget,
    source: &ObservationSource,
    found: Match,
    path: &RepoPath,
) -> bool {
    if matches!(
        found,
        Match::FrameConfirmed | Match::FrameMoved | Match::FrameUnconfirmed
    ) {
        // The line of a trace need not contain the message, so only that it exists can be read
        // again.
        let file = bench.checkout.root().join(path.as_path());
        let text = text::read_whole(&file, bench.limits.file_bytes_max).unwrap_or_default();
        return lines(&text, source.line_start, source.line_end).is_some();
    }
    let emitters = emitters::of_file(
        bench.checkout,
        path,
        &Message::of(&target.text),
        bench.limits,
    );
    emitters.is_ok_and(|emitters| emitters.iter().any(|place| place.line == source.line_start))
}

/// Reports whether a span contains the target: its name in any convention, or all content words of
/// a phrase.
fn holds(span: &[u8], target: &QuestionTarget, path: &str) -> bool {
    let spellings = match target.kind {
        TargetKind::Quoted | TargetKind::Message => vec![target.text.clone()],
        TargetKind::Phrase => name::phrase_spellings(&target.text)
            .into_iter()
            .chain(name::spellings(&target.text))
            .collect(),
        TargetKind::Identifier | TargetKind::SymbolPath | TargetKind::Path | TargetKind::Commit => {
            name::spellings(target.needle())
        }
    };
    let stands = |spelling: &String| {
        memchr::memmem::find_iter(span, spelling.as_bytes())
            .any(|start| is_whole(span, start, start + spelling.len()))
    };
    let words = content_words_of(target);
    // A word of a phrase may be in the path only: `parser/errors.rs`.
    let text = || format!("{path} {}", String::from_utf8_lossy(span)).to_lowercase();
    spellings.iter().any(stands) || (words.len() > 1 && holds_all(&text(), &words))
}

/// Reports whether a span contains the letters of the target, even inside other words.
fn holds_part(span: &[u8], target: &QuestionTarget) -> bool {
    String::from_utf8_lossy(span)
        .to_lowercase()
        .contains(&target.needle().to_lowercase())
}

fn holds_all(text: &str, words: &[String]) -> bool {
    words.iter().all(|word| text.contains(word.as_str()))
}

/// Returns the bytes of some lines, counted from 1, or the whole text for line 0. `None` if the text
/// does not have them, or if the last one is above the first.
pub(crate) fn lines(text: &[u8], first: u32, last: u32) -> Option<&[u8]> {
    if last == 0 {
        return Some(text);
    }
    let mut starts =
        std::iter::once(0).chain(memchr::memchr_iter(b'\n', text).map(|newline| newline + 1));
    let start = starts.by_ref().nth(first.max(1) as usize - 1)?;
    let end = starts
        .nth(last.checked_sub(first.max(1))? as usize)
        .map_or(text.len(), |next| next - 1);
    // After the last newline there is no further line. An empty text has its first one.
    (start < text.len() || start == 0).then(|| &text[start..end])
}
