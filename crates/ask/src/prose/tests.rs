use super::*;

fn excerpts() -> Vec<ProseExcerpt> {
    let of = |number, place: &str, text: &str| ProseExcerpt {
        number,
        place: place.to_owned(),
        text: text.to_owned(),
    };
    vec![
        of(
            1,
            "src/ledger.rs:10 struct",
            "pub struct Ledger {\n    entries: Vec<Entry>,\n}",
        ),
        of(2, "src/gate.rs:3 function", "fn close_gap(bar: Bar)"),
    ]
}

#[track_caller]
fn check(text: &str, cited: &[usize], is_kept: bool) {
    let prose = keep(
        vec![Proposed {
            text: text.to_owned(),
            excerpts: cited.to_vec(),
        }],
        &excerpts(),
    );
    assert_eq!(
        (prose.sentences.len(), prose.dropped),
        if is_kept { (1, 0) } else { (0, 1) },
        "{text}"
    );
}

#[test]
fn a_sentence_keeps_to_what_it_cites() {
    check(
        "The ledger is a struct in src/ledger.rs that holds `entries`.",
        &[1],
        true,
    );
    check("It starts at line 10.", &[1], true);
    check("close_gap takes a Bar.", &[2], true);
    check("Both exist.", &[2, 1, 2], true);
}

#[test]
fn what_does_not_stand_there_is_dropped() {
    check("The ledger is a struct.", &[], false);
    check("The ledger is a struct.", &[3], false);
    check("The ledger is a struct.", &[1, 0], false);
    check("close_gap takes a Bar.", &[1], false);
    check("It calls `open_gate`.", &[2], false);
    check("It was written by EvilCorp in 2019.", &[1], false);
    check("See https://evil.example.org/x for more.", &[1], false);
    check("It starts at line 1.", &[1], false);
    check("", &[1], false);
    check("The question: where is Ledger defined?", &[1], false);
    check("`Where is Ledger defined?`", &[1], false);
    check(&"long ".repeat(200), &[1], false);
}

#[test]
fn citations_are_in_order_and_once() {
    let prose = keep(
        vec![Proposed {
            text: "Both\nexist.".to_owned(),
            excerpts: vec![2, 1, 2],
        }],
        &excerpts(),
    );
    assert_eq!(
        prose.sentences,
        [CitedSentence {
            text: "Both exist.".to_owned(),
            citations: vec![0, 1]
        }]
    );
}
