//! The one pass against a plain search: the same occurrences on the same lines,
//! wherever the windows end.

use std::path::Path;

use grounds_evidence::{QuestionTarget, TargetKind, WantedRelation};
use grounds_repo::catalogue;
use grounds_repo::checkout::Checkout;
use grounds_repo::limits::Limits;
use grounds_repo::needles::Needles;
use grounds_repo::survey::{Progress, Survey, SurveyedPart, survey};
use grounds_repo::text::WINDOW_BYTES;
use grounds_repo::vocabulary::Vocabulary;
use grounds_repo::within::Within;
use proptest::prelude::*;

fn look(folder: &Path, name: &str) -> Survey {
    look_in(&Checkout::open(folder).expect("a folder"), name)
}

fn look_in(checkout: &Checkout, name: &str) -> Survey {
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
        checkout,
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

#[test]
fn a_pass_counts_the_words_of_a_ranking_as_the_ranking_does() {
    let tree = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &[u8]| {
        std::fs::write(tree.path().join(name), text).expect("a file");
    };
    write("short.rs", b"fn retry_request() { retry(); }\n");
    write(
        "long.md",
        "Requests are retried. "
            .repeat(WINDOW_BYTES / 20)
            .as_bytes(),
    );
    write("wide.txt", b"\xff\xfer\0e\0t\0r\0y\0");
    write("data.rs", b"retry\0");
    write("empty.rs", b"");
    let limits = Limits::default();
    let words = || {
        let stems = vec!["retri".to_owned(), "request".to_owned()];
        Vocabulary::new(stems, &["retry".to_owned()], &[])
    };
    let counted = |is_expected: bool| {
        let checkout = Checkout::open(tree.path()).expect("a folder").for_one_run();
        if is_expected {
            catalogue::expect(&checkout, words(), &limits);
            assert!(!look_in(&checkout, "retry").files.is_empty());
        }
        catalogue::catalogue(&checkout, &words(), &limits, &Progress::default())
    };
    let (ahead, later) = (counted(true), counted(false));
    assert_eq!(ahead.entries.len(), 5);
    assert_eq!(format!("{ahead:?}"), format!("{later:?}"));
}

#[test]
fn a_folder_that_a_question_names_is_missing_if_it_is_not_in_the_tree() {
    let tree = tempfile::tempdir().expect("a folder");
    std::fs::create_dir_all(tree.path().join("src/net")).expect("a folder");
    std::fs::write(tree.path().join("src/net/a.rs"), "").expect("a file");
    let checkout = Checkout::open(&tree.path().join("src")).expect("a folder");
    let folders = ["net", ".", "./net", "a.rs", "lib", "..", "../src"];
    let within = Within {
        folders: folders.map(str::to_owned).to_vec(),
        roles: Vec::new(),
    };
    let missing = within.missing(&checkout, &Limits::default());
    assert_eq!(missing, ["lib", "..", "../src"]);
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
