//! Claims about names, against what stands in a tree.

use std::collections::BTreeMap;

use grounds_evidence::{Place, Quality};

use super::*;
use crate::diff;
use crate::finding::{Finding, Producer, Severity};
use crate::quality::{self, Basis};

const PATCH: &str = "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,2 +1,2 @@\n-fn gone(x: u8) -> u8 {\n+call(gone);\n keep();\n";

fn diff() -> Diff {
    let files = diff::parse_patch(PATCH.as_bytes(), 100).expect("a patch");
    Diff {
        base: crate::Revision::Unknown,
        head: crate::Revision::Unknown,
        files,
    }
}

fn candidate(claim: Claim, title: &str) -> Candidate {
    let finding = Finding {
        id: "M1.1".to_owned(),
        rule: None,
        path: "src/a.rs".to_owned(),
        anchor: Anchor::Lines { start: 1, end: 1 },
        severity: Severity::Major,
        title: title.to_owned(),
        message: String::new(),
        quote: None,
        symbol: String::new(),
        producers: vec![Producer::Model("m".to_owned())],
        quality: quality::of(Basis::Anchored),
    };
    Candidate {
        finding,
        basis: Basis::Anchored,
        claim,
        same_as: None,
        notes: Vec::new(),
    }
}

fn found(name: &str, places: &[(&str, u32, Relation)]) -> Names {
    let places = places.iter().map(|(path, line, relation)| Occurrence {
        path: (*path).to_owned(),
        line: *line,
        relation: *relation,
    });
    Names {
        places: BTreeMap::from([(name.to_owned(), places.collect())]),
        open: None,
    }
}

/// The proof where it is dropped, else the quality.
fn fate_of(claim: Claim, names: &Names) -> Result<String, Quality> {
    let (kept, dropped) = check(vec![candidate(claim, "T")], Some(names), &diff());
    match (
        dropped.into_iter().next().map(|dropped| dropped.why),
        kept.first(),
    ) {
        (Some(DropReason::NameExists { place, .. }), _) => Ok(place),
        (_, Some(candidate)) => Err(candidate.finding.quality),
        (other, None) => panic!("{other:?}"),
    }
}

fn missing(name: &str) -> Claim {
    Claim::Missing(name.to_owned())
}

fn unused(name: &str) -> Claim {
    Claim::Unused(name.to_owned())
}

#[test]
fn a_name_that_is_said_to_be_missing_and_is_defined_drops_the_finding_with_the_proof() {
    let names = found(
        "there",
        &[
            ("src/b.rs", 3, Relation::Calls),
            ("src/b.rs", 7, Relation::Defines),
        ],
    );
    assert_eq!(
        fate_of(missing("there"), &names),
        Ok("src/b.rs:7".to_owned())
    );
    assert_eq!(
        fate_of(missing("crate::b::there()"), &names),
        Ok("src/b.rs:7".to_owned())
    );
}

#[test]
fn a_mention_or_a_use_is_no_definition() {
    let names = found(
        "there",
        &[
            ("src/b.rs", 3, Relation::Calls),
            ("src/b.rs", 7, Relation::Mentions(Place::Comment)),
            ("b", 1, Relation::Binds),
        ],
    );
    assert_eq!(
        fate_of(missing("there"), &names),
        Err(Quality::Moderate),
        "it may come from outside"
    );
}

#[test]
fn absence_raises_only_what_this_change_took_away() {
    assert_eq!(
        fate_of(
            missing("gone"),
            &found("gone", &[("src/a.rs", 1, Relation::References)])
        ),
        Err(Quality::Strong)
    );
    assert_eq!(
        fate_of(missing("HashMap"), &found("HashMap", &[])),
        Err(Quality::Moderate)
    );
}

#[test]
fn a_name_that_is_said_to_be_unused_and_is_used_drops_the_finding() {
    let defined = ("src/a.rs", 1, Relation::Defines);
    assert_eq!(
        fate_of(
            unused("it"),
            &found("it", &[defined, ("src/b.rs", 2, Relation::Calls)])
        ),
        Ok("src/b.rs:2".to_owned())
    );
    assert_eq!(
        fate_of(
            unused("it"),
            &found(
                "it",
                &[defined, ("src/b.rs", 2, Relation::Mentions(Place::Doc))]
            )
        ),
        Err(Quality::Strong)
    );
    assert_eq!(
        fate_of(
            unused("it"),
            &found("it", &[defined, ("src/b.rs", 2, Relation::Imports)])
        ),
        Err(Quality::Strong)
    );
}

#[test]
fn names_of_which_uses_do_not_tell_whose_they_are_are_left_alone() {
    let defined = ("src/a.rs", 1, Relation::Defines);
    let twice = found(
        "it",
        &[
            defined,
            ("src/c.rs", 1, Relation::Defines),
            ("src/b.rs", 2, Relation::Calls),
        ],
    );
    assert_eq!(fate_of(unused("it"), &twice), Err(Quality::Moderate));
    let local = found(
        "it",
        &[
            defined,
            ("src/c.rs", 1, Relation::Binds),
            ("src/c.rs", 2, Relation::References),
        ],
    );
    assert_eq!(fate_of(unused("it"), &local), Err(Quality::Moderate));
}

#[test]
fn a_tree_that_was_not_looked_through_shows_no_absence() {
    let open = Names {
        open: Some("`x` could not be read".to_owned()),
        ..found("gone", &[])
    };
    let (kept, _) = check(vec![candidate(missing("gone"), "T")], Some(&open), &diff());
    assert_eq!(kept[0].finding.quality, Quality::Moderate);
    assert!(
        kept[0].notes[0].contains("was not checked: `x` could not be read"),
        "{:?}",
        kept[0].notes
    );
    let (kept, _) = check(vec![candidate(missing("gone"), "T")], None, &diff());
    assert!(kept[0].notes[0].contains("there is no tree to ask"));
    let definition = Names {
        open: open.open,
        ..found("gone", &[("src/b.rs", 7, Relation::Defines)])
    };
    assert_eq!(
        fate_of(missing("gone"), &definition),
        Ok("src/b.rs:7".to_owned()),
        "what was found was found"
    );
}

#[test]
fn plain_words_of_a_title_are_a_claim_and_others_are_not() {
    for (title, claim) in [
        ("`foo` is never used", unused("foo")),
        ("`foo` is defined nowhere", missing("foo")),
        ("Undefined function `foo()`", missing("foo")),
        ("`foo` may be undefined at run time", Claim::Nothing),
        ("`foo` is unused, and `bar` too", Claim::Nothing),
        ("foo is never used", Claim::Nothing),
        ("`x` is never used", Claim::Nothing),
        ("the result of `foo` is never checked", Claim::Nothing),
    ] {
        assert_eq!(
            claim_of(&candidate(Claim::Nothing, title)),
            claim,
            "{title}"
        );
    }
}
