//! Finds the one commit whose message says, in the words of a question, what it did.

use grounds_repo::git::{self, StreamBounds};

use super::Desk;
use crate::understand::event::{DescribedEvent, EventKind, stems_of};
use crate::words::is_in;

/// Stems of changes beside the asked code.
const BESIDE: &str = "revert test spec doc docs document exampl changelog typo";
/// Bytes of messages that are read.
const MESSAGES_BYTES_MAX: u64 = 8 << 20;
/// Stems of words by which a message says that something came in.
const ADDS: &str = "add ad introduc implement support new creat initi allow enabl provid first \
    feat teach taught bring \
    port expos ship includ";
/// Stems of words by which a message says that something went.
const REMOVES: &str = "remov delet drop kill rid strip purg";
/// Stems of words by which a message says that it did something else to what is there.
const ALTERS: &str = "fix remov delet drop revert renam move refactor improv updat bump chang \
    deprec clean cleanup typo \
    correct tweak test spec doc docs document exampl changelog readm upgrad simplifi replac rework follow reformat \
    prepar";

/// A commit that fits.
pub(crate) struct DescribedCommit {
    pub(crate) hash: String,
    pub(crate) subject: String,
}

/// A commit that may be the described one.
struct Candidate {
    commit: DescribedCommit,
    /// The words of its first line.
    stems: Vec<String>,
    /// Whether the first line has all words of the question.
    is_whole: bool,
}

/// Returns the commit that a question describes; `None` if no commit fits, several do, or not all
/// could be read.
pub(crate) fn find(event: &DescribedEvent, desk: &Desk<'_, '_>) -> Option<DescribedCommit> {
    let mut all: Vec<Candidate> = messages(event, desk)?
        .split('\u{1}')
        .filter_map(|record| candidate(record, event))
        .collect();
    // The first line says what the commit is about, so a match there counts more than one in the
    // body.
    if all.iter().any(|one| one.is_whole) {
        all.retain(|one| one.is_whole);
    }
    only(all)
}

/// Returns the one candidate; of several the oldest, if its first line has all words of the
/// question and no other first line has fewer words: later commits often extend what it added.
fn only(mut all: Vec<Candidate>) -> Option<DescribedCommit> {
    let oldest = all.pop()?;
    let says_least = all.iter().all(|one| one.stems.len() >= oldest.stems.len());
    (all.is_empty() || says_least && oldest.is_whole).then_some(oldest.commit)
}

/// Returns the messages of the commits with all stems, newest first; `None` if not all could be
/// read.
fn messages(event: &DescribedEvent, desk: &Desk<'_, '_>) -> Option<String> {
    let top = desk.tree.checkout.git_top()?;
    // git selects the commits with all stems, so that few messages are read here.
    let mut words: Vec<String> = [
        "log",
        "--no-merges",
        "--no-show-signature",
        "-i",
        "-F",
        "--all-match",
        "--format=%x01%H%x00%s%x00%b",
    ]
    .map(str::to_owned)
    .to_vec();
    words.extend(
        event
            .stems
            .iter()
            .map(|stem| format!("--grep={}", letters_of(stem))),
    );
    words.extend(["--end-of-options", "HEAD", "--"].map(str::to_owned));
    let bounds = StreamBounds::of(desk.tree.limits.history_ms_max, MESSAGES_BYTES_MAX);
    let output = git::call_with(top, &words, None, bounds).ok()?;
    Some(String::from_utf8_lossy(&output).into_owned())
}

/// Returns the letters that every form of a stem has: "happi" is the stem of "happy".
fn letters_of(stem: &str) -> &str {
    stem.strip_suffix('i')
        .filter(|rest| rest.len() > 2)
        .unwrap_or(stem)
}

/// Returns a commit whose message has all words, at most one of them below its first line, and
/// whose first line says that it did the asked thing.
fn candidate(record: &str, event: &DescribedEvent) -> Option<Candidate> {
    let mut fields = record.splitn(3, '\0');
    let (hash, subject, body) = (fields.next()?, fields.next()?, fields.next()?);
    let stems = stems_of(subject);
    let missing = missing(&event.stems, &stems);
    // In a long first line the words may belong to different things.
    if missing.is_empty() && !are_near(&event.stems, &stems) {
        return None;
    }
    let rest = match missing.as_slice() {
        [] => Vec::new(),
        [_] if event.stems.len() > 2 && event.kind != EventKind::Said => stems_of(body),
        _ => return None,
    };
    let fits = missing.iter().all(|stem| rest.contains(stem)) && does(&stems, event);
    fits.then(|| Candidate {
        commit: DescribedCommit {
            hash: hash.to_owned(),
            subject: subject.to_owned(),
        },
        is_whole: missing.is_empty(),
        stems,
    })
}

/// Returns the stems of a question that a text does not have, neither alone nor joined with the
/// next one: "basicauth".
fn missing(asked: &[String], stems: &[String]) -> Vec<String> {
    let is_joined = |at: usize| {
        let pair = asked.get(at).zip(asked.get(at + 1));
        pair.is_some_and(|(one, other)| stems.contains(&format!("{one}{other}")))
    };
    let is_said = |at: usize| {
        stems.contains(&asked[at]) || is_joined(at) || at.checked_sub(1).is_some_and(is_joined)
    };
    let at = (0..asked.len()).filter(|at| !is_said(*at));
    at.map(|at| asked[at].clone()).collect()
}

/// Reports whether the stems of a question are close together: "support View and its heirs with
/// async handlers" is not about async views.
fn are_near(asked: &[String], stems: &[String]) -> bool {
    let at = |stem: &String| stems.iter().position(|other| other == stem);
    let places: Vec<usize> = asked.iter().filter_map(at).collect();
    let (first, last) = (places.iter().min(), places.iter().max());
    let span = last.zip(first).map_or(0, |(last, first)| last - first + 1);
    span <= 2 * asked.len() + 1
}

/// Number of stems from which on a description needs no verb.
const TELLING_STEMS: usize = 4;

/// Reports whether the first line of a message says that the commit did what the question says.
fn does(stems: &[String], event: &DescribedEvent) -> bool {
    let others: Vec<&String> = stems
        .iter()
        .filter(|stem| !event.stems.contains(stem))
        .collect();
    let says = |list: &str| others.iter().any(|stem| is_in(list, stem));
    // "When did the fix for X ship?" itself names the kind of change, so the verb of the message is
    // not needed.
    let names_it = event.stems.iter().any(|stem| is_in(ALTERS, stem));
    match event.kind {
        EventKind::Came => {
            let adds = says(ADDS) && is_object(stems, ADDS, event);
            let adds = adds || names_it || !says(ADDS) && event.stems.len() >= TELLING_STEMS;
            adds && !says(ALTERS)
        }
        EventKind::Gone => {
            let is_gone = is_object(stems, REMOVES, event) && !is_part_of_more(stems, event);
            says(REMOVES) && !says(BESIDE) && is_gone
        }
        EventKind::Said => !says("revert"),
    }
}

/// Reports whether another noun follows the asked words and is what was removed: "remove the Python
/// 2 check".
fn is_part_of_more(stems: &[String], event: &DescribedEvent) -> bool {
    const AFTER: &str =
        "support compat from in and as for to on since of version versio code with which that by";
    let last = stems.iter().rposition(|stem| event.stems.contains(stem));
    let next = last.and_then(|last| stems.get(last + 1));
    next.is_some_and(|next| !is_in(AFTER, next) && next.parse::<u32>().is_err())
}

/// Reports whether the object of the verb is the asked thing: "add descriptions to X" does not add
/// X.
fn is_object(stems: &[String], verbs: &str, event: &DescribedEvent) -> bool {
    const JOINTS: &str = "to for of in on from with about when where";
    let is_asked = |stem: &String| event.stems.contains(stem);
    let is_verb = |stem: &String| !is_asked(stem) && is_in(verbs, stem);
    let Some(verb) = stems.iter().position(is_verb) else {
        return true;
    };
    let after = &stems[verb + 1..];
    let Some(object) = after.iter().position(is_asked) else {
        return true;
    };
    let joint = after[..object].iter().rposition(|stem| is_in(JOINTS, stem));
    joint.is_none_or(|joint| {
        let before = joint.checked_sub(1).map_or(&stems[verb], |at| &after[at]);
        is_in("support compat handl abil option", before)
    })
}

#[cfg(test)]
mod tests {
    use super::{candidate, only};
    use crate::understand::event::{DescribedEvent, EventKind};

    fn event(stems: &str, kind: EventKind) -> DescribedEvent {
        let stems: Vec<String> = stems.split(' ').map(str::to_owned).collect();
        DescribedEvent {
            words: stems.clone(),
            stems,
            kind,
            asks_release: false,
            asks_author: true,
        }
    }

    #[test]
    fn a_commit_fits_whose_first_line_says_what_was_done() {
        let cases = [
            (
                "zstd decod",
                EventKind::Came,
                "Add support for zstd decoding",
                true,
            ),
            ("zstd decod", EventKind::Came, "Fix zstd decoding", false),
            (
                "zstd decod",
                EventKind::Came,
                "Add tests for zstd decoding",
                false,
            ),
            (
                "zstd decod",
                EventKind::Came,
                "Add limits to zstd decoding",
                false,
            ),
            (
                "basic auth argon2id",
                EventKind::Came,
                "basicauth: Implement argon2id",
                true,
            ),
            ("python 3", EventKind::Gone, "Drop Python 3", true),
            ("python 3", EventKind::Gone, "Add Python 3", false),
            (
                "python 3",
                EventKind::Gone,
                "Drop the Python 3 check",
                false,
            ),
            (
                "simplifi pool",
                EventKind::Said,
                "Simplify the Pool class",
                true,
            ),
            (
                "simplifi pool",
                EventKind::Said,
                "Simplify the queue",
                false,
            ),
        ];
        for (stems, kind, subject, fits) in cases {
            let found = candidate(&format!("ab\0{subject}\0pool"), &event(stems, kind));
            assert_eq!(found.is_some(), fits, "{stems}: {subject}");
        }
    }

    #[test]
    fn of_several_commits_only_a_plain_oldest_one_is_meant() {
        let asked = event("zstd decod", EventKind::Came);
        let found = |subjects: &[&str]| {
            let one = |subject: &&str| candidate(&format!("h\0{subject}\0"), &asked);
            only(subjects.iter().filter_map(one).collect()).map(|commit| commit.subject)
        };
        let plain = "Add zstd decoding";
        assert_eq!(
            found(&["Add zstd decoding of more frames", plain]).as_deref(),
            Some(plain)
        );
        assert_eq!(found(&[plain, "Add zstd decoding of more frames"]), None);
    }
}
