//! What is asked together comes out as what is asked alone, and nothing takes anything from another.

use std::path::Path;

use grounds_ask::{
    Company, Investigation, JointQuestion, QuestionBudget, investigate_claims, investigate_each,
    investigate_in,
};
use grounds_evidence::Outcome;
use grounds_evidence::requirement::Bar;
use grounds_repo::checkout::Checkout;
use grounds_repo::means::Means;
use grounds_repo::survey::Progress;

const FILES: &[(&str, &str)] = &[
    (
        "src/store.py",
        "class Store:\n    def push(self, entry):\n        return checked(entry)\n\n\n\
         def checked(entry):\n    return entry\n",
    ),
    (
        "src/plan.py",
        "from store import Store\n\n\ndef plan(store):\n    return store.push(1)\n",
    ),
    (
        "tests/test_plan.py",
        "from plan import plan\n\n\ndef test_plan():\n    assert plan(None)\n",
    ),
    ("README.md", "# Shop\n\nThe `Store` keeps entries.\n"),
];

/// Questions and claims of every outcome, more than one pass has room for.
const ASKED: &[&str] = &[
    "where is Store defined?",
    "who calls checked?",
    "who calls push in the tests?",
    "where is NoSuchThing defined?",
    "is Vault defined?",
    "how does checked work?",
    "calls(_, \"plan\")",
    "none uses(_, \"Store\") outside tests",
    "member(\"src/store.py\", _)",
    "body(\"checked\", _)",
    "calls(_, \"nobody\")",
    "calls(_)",
    "hello",
    "does it build?",
    "what imports store, and is the moon made of cheese?",
];

/// How something came out: its outcome, what was decided, and the lines that are cited.
type CameOut = (Outcome, Option<grounds_ask::Decision>, Vec<String>);

fn came_out(seen: &Investigation) -> CameOut {
    let cited = seen.answer.iter();
    let cited = cited.flat_map(grounds_ask::answer::Answer::citations);
    let lines = cited.map(|citation| format!("{}:{}", citation.path, citation.line_start()));
    (seen.outcome, seen.decided(), lines.collect())
}

fn company(progress: &Progress) -> Company<'_> {
    Company {
        progress,
        on_event: &|_| {},
        proposer: None,
    }
}

/// What is asked alone; `None` if it cannot be asked at all.
fn alone(text: &str, checkout: &Checkout) -> Option<CameOut> {
    let (budget, means, progress) = (
        QuestionBudget::default(),
        Means::default(),
        Progress::default(),
    );
    let seen = match JointQuestion::read(text) {
        JointQuestion::Question(question) => investigate_in(
            *question,
            checkout,
            &budget,
            Bar::Default,
            &means,
            company(&progress),
        ),
        JointQuestion::Claim(claim) => {
            investigate_claims(vec![*claim], checkout, &budget, &means, company(&progress))
        }
        JointQuestion::Unread { .. } => return None,
    };
    Some(came_out(&seen))
}

fn together(texts: &[&str], checkout: &Checkout) -> Investigation {
    let asked = texts.iter().map(|text| JointQuestion::read(text)).collect();
    let (budget, means, progress) = (
        QuestionBudget::default(),
        Means::default(),
        Progress::default(),
    );
    let company = company(&progress);
    investigate_each(asked, checkout, &budget, Bar::Default, &means, company)
}

#[test]
fn each_comes_out_as_it_does_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in FILES {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let checkout = Checkout::open(folder.path()).expect("it opens");
    let all = together(ASKED, &checkout);
    assert_eq!(all.each.len(), ASKED.len());
    for (text, one) in ASKED.iter().zip(&all.each) {
        match alone(text, &checkout) {
            Some(expected) => assert_eq!(came_out(one), expected, "{text}"),
            None => assert_eq!(one.outcome, Outcome::NotCheckable, "{text}"),
        }
    }
    let answered = all.each.iter().filter(|one| one.answer.is_some()).count();
    assert!((6..ASKED.len()).contains(&answered), "{answered}");
    // The whole is refused for the others, and shows what is answered.
    assert!(all.outcome != Outcome::Answered && all.answer.is_none());
    assert!(all.findings.len() >= answered, "{:#?}", all.findings);
    let says = all.says.unwrap_or_default();
    assert!(
        says.contains("calls(_): `calls` takes 2 arguments"),
        "{says}"
    );
}

#[test]
fn all_that_are_answered_are_one_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.py"), FILES[0].1).expect("a file");
    let checkout = Checkout::open(folder.path()).expect("it opens");
    let all = together(
        &["where is Store defined?", "who calls checked?"],
        &checkout,
    );
    let (outcome, _, lines) = came_out(&all);
    assert_eq!(
        (outcome, lines),
        (
            Outcome::Answered,
            vec!["a.py:1".to_owned(), "a.py:3".to_owned()]
        )
    );
    let entries = all.ledger.entries().len();
    let cited = all
        .answer
        .iter()
        .flat_map(grounds_ask::answer::Answer::citations);
    for citation in cited {
        let is_known = citation.evidence.iter().all(|id| id.0 < entries);
        assert!(is_known && !citation.evidence.is_empty(), "{citation:?}");
    }
    // One alone is that one.
    assert!(
        together(&["where is Store defined?"], &checkout)
            .each
            .is_empty()
    );
}
