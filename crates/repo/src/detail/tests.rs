//! What the syntax says of definitions, over small trees.

use super::*;
use crate::bench::Bench;
use crate::enquiry::Enquiry;
use crate::means::Means;
use crate::survey::Progress;
use grounds_evidence::{QuestionTarget, Relation, TargetKind, WantedRelation};

/// The best definition of a name in a file, with its details.
fn detail(file: &str, text: &str, name: &str) -> (LabelledPlace, Option<Detail>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join(file), text).expect("a file is written");
    let checkout = Checkout::open(folder.path()).expect("a folder");
    let (limits, means, progress) = (Limits::default(), Means::default(), Progress::default());
    let targets = vec![QuestionTarget {
        text: name.to_owned(),
        kind: TargetKind::Identifier,
        wanted: WantedRelation::Definition,
    }];
    let enquiry = Enquiry {
        targets,
        ..Enquiry::default()
    };
    let mut bench = Bench::new(&checkout, &limits, &enquiry, &means, &progress);
    let places = bench.places(0);
    let place = places
        .places
        .iter()
        .find(|place| place.relation == Relation::Defines)
        .expect("a definition")
        .clone();
    let detail = of_place(&checkout, &place, &limits);
    (place, detail)
}

#[test]
fn a_head_over_several_lines_stands_on_one() {
    let text = "/// Adds.\n#[inline]\npub fn add(\n    one: u32,\n    two: u32,\n) -> u32 {\n    one + two\n}\n";
    let (place, detail) = detail("a.rs", text, "add");
    let detail = detail.expect("a detail");
    assert_eq!(
        (place.line, detail.head.as_str()),
        (3, "pub fn add(one: u32, two: u32) -> u32")
    );
    assert_eq!(
        (detail.doc, detail.doc_line.as_deref(), detail.is_public),
        (Some((1, 1)), Some("Adds."), Some(true))
    );
}

#[test]
fn a_head_may_begin_above_the_name() {
    let (place, detail) = detail(
        "a.c",
        "/* Adds. */\nstatic int\nadd(int one)\n{\n    return one;\n}\n",
        "add",
    );
    let detail = detail.expect("a detail");
    assert_eq!(
        (place.line, detail.head_line, detail.is_public),
        (3, 2, Some(false))
    );
}

#[test]
fn members_are_told_with_their_lines() {
    let (_, detail) = detail(
        "a.py",
        "class Cart:\n    def total(self):\n        return 0\n\n    def _hidden(self):\n        pass\n",
        "Cart",
    );
    let members: Vec<(String, u32, Option<bool>)> = detail
        .expect("a detail")
        .members
        .into_iter()
        .map(|part| (part.name, part.line, part.is_public))
        .collect();
    assert_eq!(
        members,
        [
            ("total".to_owned(), 2, Some(true)),
            ("_hidden".to_owned(), 5, Some(false))
        ]
    );
}

#[test]
fn a_place_that_is_gone_has_no_detail() {
    let (place, detail) = detail("a.py", "def add():\n    pass\n", "add");
    assert!(detail.is_some());
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("a.py"), "x = 1\n").expect("a file is written");
    let checkout = Checkout::open(folder.path()).expect("a folder");
    assert_eq!(of_place(&checkout, &place, &Limits::default()), None);
}
