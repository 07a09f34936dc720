//! Tests claims about names against the content of a tree.

use std::collections::BTreeMap;

use grounds_evidence::{MentionPlace, Quality};

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

fn candidate(claim: NameClaim, title: &str) -> Candidate {
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
        exact: None,
    };
    Candidate {
        finding,
        basis: Basis::Anchored,
        claim,
        same_as: None,
        notes: Vec::new(),
    }
}

fn at(path: &str, line: u32, relation: Relation) -> NameOccurrence {
    NameOccurrence {
        path: path.to_owned(),
        line,
        relation,
        containers: Vec::new(),
        qualifier: String::new(),
        statement: String::new(),
    }
}

fn owned(owner: &str, place: NameOccurrence) -> NameOccurrence {
    NameOccurrence {
        containers: vec![owner.to_owned()],
        ..place
    }
}

fn qualified(word: &str, place: NameOccurrence) -> NameOccurrence {
    NameOccurrence {
        qualifier: word.to_owned(),
        ..place
    }
}

fn import(path: &str, line: u32, statement: &str) -> NameOccurrence {
    NameOccurrence {
        statement: statement.to_owned(),
        ..at(path, line, Relation::Imports)
    }
}

fn names_of(name: &str, places: Vec<NameOccurrence>) -> Names {
    Names {
        places: BTreeMap::from([(name.to_owned(), places)]),
        open: None,
    }
}

fn found(name: &str, places: &[(&str, u32, Relation)]) -> Names {
    let places = places
        .iter()
        .map(|(path, line, relation)| at(path, *line, *relation));
    names_of(name, places.collect())
}

/// The proof where it is dropped, else the quality.
fn fate_of(claim: NameClaim, names: &Names) -> Result<String, Quality> {
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

fn missing(name: &str) -> NameClaim {
    NameClaim::Missing(name.to_owned())
}

fn unused(name: &str) -> NameClaim {
    NameClaim::Unused(name.to_owned())
}

#[test]
fn a_name_that_is_said_to_be_missing_and_is_defined_drops_the_finding_with_the_proof() {
    let names = names_of(
        "there",
        vec![
            import("src/a.rs", 9, "use crate::b::there;"),
            at("src/a.rs", 1, Relation::Calls),
            at("src/b.rs", 3, Relation::Calls),
            at("src/b.rs", 7, Relation::Defines),
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
fn a_definition_of_another_owner_or_scope_refutes_nothing() {
    let (call, define) = (Relation::Calls, Relation::Defines);
    let method = |owner: &str| owned(owner, at("src/b.rs", 7, define));
    let fate = |title: &str, places: Vec<NameOccurrence>| {
        let finding = candidate(missing("flush_all"), title);
        let (_, dropped) = check(vec![finding], Some(&names_of("flush_all", places)), &diff());
        dropped.len()
    };
    let used = |word: &str| qualified(word, at("src/a.rs", 1, call));
    for (expected, title, places) in [
        (
            0,
            "`Cache` has no method `flush_all`",
            vec![used("cache"), method("Store")],
        ),
        (
            1,
            "`Cache` has no method `flush_all`",
            vec![used("cache"), method("Cache")],
        ),
        (
            0,
            "`Cache` has no method `flush_all`",
            vec![
                used("cache"),
                method("Cache"),
                owned("Cache", at("src/c.rs", 1, define)),
            ],
        ),
        (0, "no such method", vec![used("cache"), method("Cache")]),
        (0, "no such function", vec![used(""), method("Cache")]),
        (
            0,
            "no such function",
            vec![used(""), at("src/b.rs", 7, define)],
        ),
        (
            1,
            "no such function",
            vec![used(""), at("src/a.rs", 7, define)],
        ),
        (
            1,
            "no such function",
            vec![used("b"), at("src/b.rs", 7, define)],
        ),
        (
            0,
            "no such function",
            vec![used("c"), at("src/b.rs", 7, define)],
        ),
        (
            0,
            "no such function",
            vec![used("?"), at("src/b.rs", 7, define)],
        ),
        (0, "no such function", vec![at("src/b.rs", 7, define)]),
        (
            0,
            "no such function",
            vec![
                import("src/a.rs", 2, "from other import flush_all"),
                used(""),
                at("src/b.rs", 7, define),
            ],
        ),
        (
            1,
            "no such method",
            vec![
                owned("Cache", used("self")),
                owned("Cache", at("src/a.rs", 9, define)),
            ],
        ),
        (
            0,
            "no such method",
            vec![
                owned("Store", used("self")),
                owned("Cache", at("src/a.rs", 9, define)),
            ],
        ),
    ] {
        assert_eq!(fate(title, places.clone()), expected, "{title}: {places:?}");
    }
}

#[test]
fn a_mention_or_a_use_is_no_definition() {
    let names = found(
        "there",
        &[
            ("src/b.rs", 3, Relation::Calls),
            ("src/b.rs", 7, Relation::Mentions(MentionPlace::Comment)),
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
    let used = vec![
        at("src/a.rs", 1, Relation::Defines),
        import("src/b.rs", 1, "use super::a::it;"),
        at("src/b.rs", 2, Relation::Calls),
    ];
    assert_eq!(
        fate_of(unused("it"), &names_of("it", used)),
        Ok("src/b.rs:2".to_owned())
    );
    assert_eq!(
        fate_of(
            unused("it"),
            &found("it", &[defined, ("src/b.rs", 2, Relation::Calls)])
        ),
        Err(Quality::Moderate),
        "it may be another one that is called"
    );
    assert_eq!(
        fate_of(
            unused("it"),
            &found(
                "it",
                &[
                    defined,
                    ("src/b.rs", 2, Relation::Mentions(MentionPlace::Doc))
                ]
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
        ..found(
            "gone",
            &[
                ("src/a.rs", 1, Relation::Calls),
                ("src/a.rs", 7, Relation::Defines),
            ],
        )
    };
    assert_eq!(
        fate_of(missing("gone"), &definition),
        Ok("src/a.rs:7".to_owned()),
        "what was found was found"
    );
}

#[test]
fn plain_words_of_a_title_are_a_claim_and_others_are_not() {
    for (title, claim) in [
        ("`foo` is never used", unused("foo")),
        ("`foo` is defined nowhere", missing("foo")),
        ("Undefined function `foo()`", missing("foo")),
        ("`foo` may be undefined at run time", NameClaim::Nothing),
        ("`foo` is unused, and `bar` too", NameClaim::Nothing),
        ("foo is never used", NameClaim::Nothing),
        ("`x` is never used", NameClaim::Nothing),
        ("the result of `foo` is never checked", NameClaim::Nothing),
    ] {
        assert_eq!(
            claim_of(&candidate(NameClaim::Nothing, title)),
            claim,
            "{title}"
        );
    }
}
