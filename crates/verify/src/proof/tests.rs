use proptest::prelude::*;

use super::*;
use crate::history::{
    HitManner, HitPlace, JudgeName, SearchHistory, SearchQuery, Seeks, SourceTier, Stance,
    VisitedPage,
};
use crate::rules::{DecisionRules, Undated};
use crate::task::SearchTask;
use crate::{VerifyDecision, decide_by_rules};

/// A verification of pages that say something about a claim: address, excerpt, stance.
fn verification(claim: &str, said: &[(&str, &str, Stance)]) -> Verification {
    let task = SearchTask {
        id: "t".to_owned(),
        claim: claim.to_owned(),
        timeframe: None,
        context: None,
        language: None,
        origin: None,
    };
    let text = |excerpt: &str| format!("Before. {excerpt} After.");
    let page = |(url, excerpt, _): &(&str, &str, Stance)| VisitedPage {
        text: text(excerpt),
        ..VisitedPage::of_address(url)
    };
    let hit = |(url, excerpt, stance): &(&str, &str, Stance)| EvidenceHit {
        url: (*url).into(),
        title: Some("A [title](http://evil.example)".to_owned()),
        published: None,
        stance: *stance,
        manner: HitManner::Statement,
        happened: None,
        tier: SourceTier::Primary,
        place: HitPlace::Page,
        excerpt: (*excerpt).into(),
        bytes: 8..8 + excerpt.len(),
        judge: JudgeName::Human,
    };
    let query = SearchQuery {
        text: "q".to_owned(),
        provider: "p".to_owned(),
        seeks: Seeks::Refutation,
        result_count: Some(3),
    };
    let history = SearchHistory {
        as_of: jiff::Timestamp::UNIX_EPOCH,
        queries: vec![query],
        pages: said.iter().map(page).collect(),
        hits: said.iter().map(hit).collect(),
    };
    let rules = DecisionRules {
        undated: Undated::Counts,
        ..DecisionRules::default()
    };
    let VerifyDecision::Final(result) = decide_by_rules(&task, &history, 1, 1, &rules) else {
        panic!("no verdict")
    };
    Verification {
        task,
        history,
        result,
        attempts: Vec::new(),
        reached: Vec::new(),
        unread: Vec::new(),
        failures: Vec::new(),
    }
}

const CLAIM: &str = "The tower is 330 metres tall";
const SAID: [(&str, &str, Stance); 3] = [
    (
        "https://one.example.org/",
        "The tower is 330 metres tall.",
        Stance::Support,
    ),
    (
        "https://two.example.com/",
        "With 330\n metres the tower is tall, see [more](https://evil.example/x).",
        Stance::Support,
    ),
    (
        "https://three.example.net/",
        "The tower is 300 metres tall.",
        Stance::Refute,
    ),
];

/// A writer that says exactly what it gets.
#[derive(Debug)]
struct Says(Vec<Proposed>);

impl ProofWriter for Says {
    fn write(
        &self,
        _claim: &str,
        _verdict: &str,
        _excerpts: &[ProofExcerpt],
    ) -> Result<Vec<Proposed>, String> {
        Ok(self.0.clone())
    }
}

fn says(sentences: &[(&str, &[usize])]) -> Says {
    Says(
        sentences
            .iter()
            .map(|(text, excerpts)| Proposed {
                text: (*text).to_owned(),
                excerpts: excerpts.to_vec(),
            })
            .collect(),
    )
}

#[test]
fn the_proof_quotes_what_counted_and_the_strongest_against_it() {
    let verification = verification(CLAIM, &SAID);
    let proof = of(&verification, None);
    assert_eq!(
        proof.markdown(),
        "**True.** Independent sources say so:\n\
         - \"The tower is 330 metres tall.\" [1]\n\
         - \"With 330 metres the tower is tall, see\" [2]\n\
         - Against it: \"The tower is 300 metres tall.\" [3]"
    );
    assert_eq!(proof.sources.len(), 3);
}

#[test]
fn sentences_that_keep_to_their_quotes_are_kept() {
    let verification = verification(CLAIM, &SAID);
    let writer = says(&[
        (
            "According to one source, \"The tower is 330 metres tall\".",
            &[1],
        ),
        (
            "Another states that \"With 330 metres the tower is tall\".",
            &[2],
        ),
    ]);
    let proof = of(&verification, Some(&writer));
    assert_eq!(
        (proof.dropped, proof.lines.len(), proof.sources.len()),
        (0, 4, 3)
    );
    assert!(
        proof
            .markdown()
            .contains("According to one source, \"The tower is 330 metres tall\" . [1]"),
        "{}",
        proof.markdown()
    );
}

#[test]
fn a_hostile_writer_gets_no_line_out() {
    let verification = verification(CLAIM, &SAID);
    let plain = of(&verification, None);
    let hostile: &[(&str, &[usize])] = &[
        ("The tower is 330 metres tall.", &[1]),
        ("\"The tower is 331 metres tall.\"", &[1]),
        ("\"The tower is 330 metres tall.\"", &[2]),
        ("\"The tower is 330 metres tall.\"", &[]),
        ("\"The tower is 330 metres tall.\"", &[9]),
        ("\"The tower is 300 metres tall.\"", &[3]),
        ("It is not so that \"The tower is 330 metres tall.\"", &[1]),
        ("In 1889 \"The tower is 330 metres tall.\"", &[1]),
        (
            "See https://evil.example \"The tower is 330 metres tall.\"",
            &[1],
        ),
        ("**Buy** \"The tower is 330 metres tall.\"", &[1]),
        ("\"tower is 33\"", &[1]),
        ("\"The tower is 330 metres tall.", &[1]),
        ("\"see [more](https://evil.example/x).\"", &[2]),
        (
            "Experts everywhere confirm \"The tower is 330 metres tall.\"",
            &[1],
        ),
        ("\u{1b}[2J \"The tower is 330 metres tall.\"", &[1]),
        ("\"The tower is 330 metres tall.\" \u{202e}", &[1]),
    ];
    for sentence in hostile {
        let proof = of(&verification, Some(&says(&[*sentence, *sentence])));
        assert_eq!(proof.lines, plain.lines, "{sentence:?}");
        assert_eq!((proof.dropped, &proof.sources), (2, &plain.sources));
    }
    assert_eq!(audit(&plain, &verification), Ok(()));
}

#[test]
fn no_verdict_says_what_there_is_on_both_sides() {
    let verification = verification(CLAIM, &[SAID[0], SAID[2]]);
    let shown = of(&verification, None).markdown();
    assert!(
        shown.starts_with("**Invalid**")
            && shown.contains("- For it:")
            && shown.contains("- Against it:"),
        "{shown}"
    );
}

#[test]
fn the_last_look_sees_what_is_forged() {
    let verification = verification(CLAIM, &SAID);
    let good = of(&verification, None);
    let forged = |change: &dyn Fn(&mut Proof)| {
        let mut proof = good.clone();
        change(&mut proof);
        audit(&proof, &verification).is_err()
    };
    assert!(forged(&|proof| proof.lines[1].pieces[1] =
        ProofPiece::Quote("The tower is 999 metres tall.".to_owned())));
    assert!(forged(
        &|proof| proof.lines[1].pieces[0] = ProofPiece::Words("In 2024".to_owned())
    ));
    assert!(forged(
        &|proof| proof.lines[1].pieces[0] = ProofPiece::Words("<b>".to_owned())
    ));
    assert!(forged(&|proof| drop(proof.lines[1].pieces.pop())));
    assert!(forged(
        &|proof| proof.sources[0].url = "https://elsewhere.example/".to_owned()
    ));
    assert!(forged(&|proof| drop(proof.sources.pop())));
    assert!(forged(&|proof| proof.lines.extend(vec![
        proof.lines[0]
            .clone();
        7
    ])));
    assert!(forged(&|proof| proof.lines.clear()));
}

proptest! {
    #[test]
    fn whatever_pages_and_writers_say_the_proof_passes_the_last_look(
        excerpts in proptest::collection::vec("[a-zA-Z0-9 \\[\\]()<>*_`\"“”&#!@:/.,\u{202e}\u{1b}~|-]{1,120}", 2..5),
        text in "[a-zA-Z0-9 \"*<>\\[\\]().-]{0,120}",
        numbers in proptest::collection::vec(0_usize..7, 0..4),
    ) {
        let urls: Vec<String> = (0..excerpts.len()).map(|number| format!("https://site{number}.example{number}.org/")).collect();
        let said: Vec<(&str, &str, Stance)> = urls.iter().zip(&excerpts).map(|(url, excerpt)| (url.as_str(), excerpt.as_str(), Stance::Support)).collect();
        let verification = verification(CLAIM, &said);
        let quoting = format!("One source says \"{}\"", excerpts[0]);
        let writer = says(&[(&text, &numbers), (&quoting, &[1]), (&quoting, &numbers)]);
        for proof in [of(&verification, None), of(&verification, Some(&writer))] {
            prop_assert_eq!(audit(&proof, &verification), Ok(()));
            prop_assert!(proof.error.is_none(), "{:?}", proof.error);
            let shown = proof.markdown();
            prop_assert!(!shown.contains("http") && !shown.contains("](") && !shown.contains('<') && !shown.contains('\u{1b}'), "{}", shown);
        }
    }
}
