//! The one pass against a plain search: the same occurrences on the same lines,
//! wherever the windows end.

use std::path::Path;

use grounds_evidence::{QuestionTarget, TargetKind, WantedRelation};
use grounds_repo::checkout::Checkout;
use grounds_repo::limits::Limits;
use grounds_repo::needles::Needles;
use grounds_repo::survey::{Progress, Survey, SurveyedPart, survey};
use grounds_repo::text::WINDOW_BYTES;
use proptest::prelude::*;

fn look(folder: &Path, name: &str) -> Survey {
    let checkout = Checkout::open(folder).expect("a folder");
    let targets = [QuestionTarget {
        text: name.to_owned(),
        kind: TargetKind::Identifier,
        wanted: WantedRelation::Definition,
    }];
    let limits = Limits {
        file_hits_max: 10_000,
        ..Limits::default()
    };
    survey(
        &checkout,
        &targets,
        &Needles::of_targets(&targets),
        SurveyedPart::Visible,
        &limits,
        &Progress::default(),
    )
}

/// Whole occurrences and parts of words, with their lines, found the slow way.
fn plain_search(text: &str, name: &str) -> (Vec<u32>, u64) {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let (mut lines, mut inside) = (Vec::new(), 0);
    for (at, _) in text.match_indices(name) {
        let joined = text[..at].chars().next_back().is_some_and(is_word)
            || text[at + name.len()..].chars().next().is_some_and(is_word);
        let line = text[..at].matches('\n').count() + 1;
        if joined {
            inside += 1
        } else {
            lines.push(u32::try_from(line).expect("few lines"))
        }
    }
    (lines, inside)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_occurrence_is_seen_once_with_its_line(
        words in proptest::collection::vec(prop_oneof!["qzvx", "qzvx_a", "aqzvx", "ä", "\n", " ", "(qzvx)", "b"], 0..60),
        border in 0..3_usize,
        shift in 0..40_usize,
    ) {
        let padding = (border * WINDOW_BYTES).saturating_sub(shift);
        let filler: String = std::iter::repeat_n("fill in\n", padding / 8 + 1).collect();
        let text = format!("{} {}", &filler[..padding], words.concat());
        let tree = tempfile::tempdir().expect("a folder");
        std::fs::write(tree.path().join("a.txt"), &text).expect("a file");
        let seen = look(tree.path(), "qzvx");
        let (lines, inside) = plain_search(&text, "qzvx");
        let mut got: Vec<u32> = seen.files.iter().flat_map(|file| &file.hits).filter(|hit| hit.form == grounds_repo::needles::OccurrenceForm::Asked).map(|hit| hit.line).collect();
        got.sort_unstable();
        prop_assert_eq!(got, lines);
        prop_assert_eq!(seen.counts[0].inside, inside);
    }
}
