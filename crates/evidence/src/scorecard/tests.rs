use proptest::prelude::*;

use super::*;
use crate::class::Family;
use crate::goal::{Goal, Intent, QuestionTarget, TargetKind, WantedRelation};
use crate::observation::ObservationSource;
use crate::relation::Relation;
use crate::requirement::{self, Bar};
use crate::table;

fn seen(
    tool: &'static str,
    class: EvidenceClass,
    found: Match,
    target: &str,
    path: &str,
) -> Observation {
    Observation {
        class,
        tool,
        family: Family::Search,
        query: target.to_owned(),
        target: target.to_owned(),
        found,
        relation: Relation::Defines,
        match_count: 1,
        exact_match_count: 1,
        phrase_match: false,
        sources: vec![ObservationSource {
            path: path.to_owned(),
            line_start: 1,
            line_end: 1,
        }],
    }
}

fn find(target: &str, path: &str) -> Observation {
    seen(
        "find",
        EvidenceClass::FileSearch,
        Match::NameExact,
        target,
        path,
    )
}

fn grep(target: &str, path: &str) -> Observation {
    seen(
        "grep",
        EvidenceClass::FileSearch,
        Match::ExactIdentifier,
        target,
        path,
    )
}

fn references(target: &str, path: &str) -> Observation {
    seen(
        "references",
        EvidenceClass::FileSearch,
        Match::SymbolDefinition,
        target,
        path,
    )
}

fn read(target: &str, path: &str) -> Observation {
    seen(
        "read",
        EvidenceClass::FileContent,
        Match::ReadTarget,
        target,
        path,
    )
}

fn of_project(tool: &'static str, class: EvidenceClass, found: Match) -> Observation {
    seen(tool, class, found, "", ".")
}

fn score(intent: Intent, observations: &[Observation]) -> Scorecard {
    let targets = vec![QuestionTarget {
        text: "Alpha".to_owned(),
        kind: TargetKind::Identifier,
        wanted: WantedRelation::Definition,
    }];
    let mut ledger = Ledger::new(&targets);
    observations.iter().for_each(|seen| {
        ledger.record(seen.clone());
    });
    of(
        &ledger,
        &requirement::of_goal(
            &Goal {
                intent,
                targets,
                about_ci: false,
            },
            Bar::Default,
        ),
    )
}

#[track_caller]
fn check(
    intent: Intent,
    observations: &[Observation],
    total_thousandths: u32,
    band: Band,
) -> Scorecard {
    let card = score(intent, observations);
    assert_eq!(
        (card.total_thousandths, card.band),
        (total_thousandths, band),
        "{card:#?}"
    );
    card
}

#[test]
fn search_and_read_that_converge_reach_the_top_of_the_strong_band() {
    let card = check(
        Intent::Locate,
        &[
            grep("Alpha", "a.rs"),
            references("Alpha", "a.rs"),
            read("Alpha", "a.rs"),
        ],
        920,
        Band::Strong,
    );
    assert_eq!(
        (
            card.mean_thousandths,
            card.bonuses.sum_hundredths(),
            card.below
        ),
        (800, 15, None)
    );
}

#[test]
fn find_and_read_without_convergence_are_adequate() {
    let card = check(
        Intent::Locate,
        &[find("Beta", "b.rs"), read("Alpha", "a.rs")],
        732,
        Band::Adequate,
    );
    assert_eq!(card.bonuses, Bonuses::default());
}

#[test]
fn a_question_about_the_history_alone_is_worth_its_history() {
    check(
        Intent::Status,
        &[of_project(
            "git",
            EvidenceClass::GitLog,
            Match::HistoryMatching,
        )],
        750,
        Band::Strong,
    );
}

#[test]
fn nothing_at_all_stops() {
    let card = check(Intent::Locate, &[], 0, Band::Failed);
    assert_eq!(card.below, Some(Threshold::Stop));
    assert!(
        card.terms
            .iter()
            .all(|term| term.condition == Condition::Nothing && term.applies != Applies::Ran)
    );
    assert_eq!(
        check(Intent::Chat, &[], 0, Band::Failed).mean_thousandths,
        0
    );
}

#[test]
fn a_tool_that_ran_in_vain_counts_as_nothing_reached() {
    let in_vain = Observation {
        match_count: 0,
        sources: Vec::new(),
        ..seen(
            "find",
            EvidenceClass::FileSearch,
            Match::Nothing,
            "Alpha",
            "",
        )
    };
    let card = check(Intent::Locate, &[in_vain], 0, Band::Failed);
    assert_eq!(
        (card.terms[1].applies, card.terms[1].tools.len()),
        (Applies::RequiredAndRan, 0)
    );
    let without_target = seen(
        "read",
        EvidenceClass::FileContent,
        Match::ReadWithoutTarget,
        "Alpha",
        "a.rs",
    );
    assert_eq!(
        score(Intent::Locate, &[without_target]).terms[0].condition,
        Condition::Nothing
    );
}

#[test]
fn a_search_alone_lies_below_recovery() {
    let card = check(Intent::Locate, &[grep("Alpha", "a.rs")], 295, Band::Weak);
    assert_eq!(card.below, Some(Threshold::Recovery));
}

#[test]
fn bonuses_end_at_one() {
    let all = ["a.rs", "b.rs", "c.rs"];
    let mut observations: Vec<Observation> = all.iter().map(|path| read("Alpha", path)).collect();
    observations.extend([
        find("Alpha", "a.rs"),
        grep("Alpha", "a.rs"),
        references("Alpha", "a.rs"),
    ]);
    observations.push(Observation {
        target: "Alpha".to_owned(),
        ..of_project("git", EvidenceClass::GitLog, Match::HistoryMatching)
    });
    let card = check(
        Intent::Locate,
        &observations,
        TOTAL_THOUSANDTHS_MAX,
        Band::Strong,
    );
    assert_eq!(
        (card.bonuses.sum_hundredths(), card.mean_thousandths),
        (25, 875)
    );
}

#[test]
fn every_row_of_the_table_is_reached() {
    use EvidenceClass as C;
    let discovery = |found| of_project("discovery", C::Discovery, found);
    let census = |found| Observation {
        family: Family::Census,
        ..of_project("census", C::Discovery, found)
    };
    let elsewhere = |seen: Observation| Observation {
        sources: vec![ObservationSource::whole("names")],
        ..seen
    };
    let build = |found| of_project("build", C::Build, found);
    let test = |found| of_project("test", C::Test, found);
    let rows: Vec<(Category, Vec<Observation>, Condition)> = vec![
        (
            Category::Search,
            vec![find("Alpha", "a")],
            Condition::SearchOne,
        ),
        (
            Category::Search,
            vec![find("Alpha", "a"), grep("Beta", "a")],
            Condition::SearchOne,
        ),
        (
            Category::Search,
            vec![find("alpha", "a"), grep("Alpha", "b")],
            Condition::SearchTwo,
        ),
        (
            Category::Search,
            vec![
                find("Alpha", "a"),
                grep("Alpha", "a"),
                references("Alpha", "a"),
            ],
            Condition::SearchThree,
        ),
        (
            Category::Read,
            vec![read("Alpha", "a")],
            Condition::ReadAlone,
        ),
        (
            Category::Read,
            vec![read("Alpha", "a"), grep("Alpha", "a")],
            Condition::ReadConfirmed,
        ),
        (
            Category::Read,
            vec![
                read("Alpha", "a"),
                read("Alpha", "b"),
                read("Alpha", "c"),
                grep("Alpha", "a"),
            ],
            Condition::ReadBroadly,
        ),
        (
            Category::Read,
            vec![
                read("Beta", "a"),
                read("Beta", "b"),
                read("Beta", "c"),
                grep("Alpha", "a"),
            ],
            Condition::ReadConfirmed,
        ),
        (
            Category::Discovery,
            vec![discovery(Match::Nothing)],
            Condition::DiscoveryMinimal,
        ),
        (
            Category::Discovery,
            vec![discovery(Match::ScanOutput)],
            Condition::DiscoveryMinimal,
        ),
        (
            Category::Discovery,
            vec![discovery(Match::ProjectTypeKnown)],
            Condition::DiscoveryPartial,
        ),
        (
            Category::Discovery,
            vec![
                discovery(Match::FullMetadata),
                elsewhere(census(Match::FullMetadata)),
            ],
            Condition::DiscoveryGood,
        ),
        (
            Category::Discovery,
            vec![discovery(Match::FullMetadata), census(Match::FullMetadata)],
            Condition::DiscoveryFull,
        ),
        (
            Category::Verification,
            vec![build(Match::Nothing)],
            Condition::BuildFailed,
        ),
        (
            Category::Verification,
            vec![build(Match::BuildFailed)],
            Condition::BuildFailed,
        ),
        (
            Category::Verification,
            vec![test(Match::SomeTestsPassed)],
            Condition::TestsFailed,
        ),
        (
            Category::Verification,
            vec![build(Match::TargetBuilt), test(Match::TestsFailed)],
            Condition::TestsFailed,
        ),
        (
            Category::Verification,
            vec![build(Match::TargetBuilt), test(Match::NoTestRan)],
            Condition::BuildPassed,
        ),
        (
            Category::Verification,
            vec![build(Match::NothingBuilt), test(Match::SomeTestsPassed)],
            Condition::BuildPassed,
        ),
        (
            Category::Verification,
            vec![
                build(Match::TargetBuilt),
                test(Match::AllRelevantTestsPassed),
            ],
            Condition::BuildAndTestsPassed,
        ),
        (
            Category::Git,
            vec![of_project("git", C::GitLog, Match::HistoryWithoutTerms)],
            Condition::History,
        ),
        (
            Category::Ci,
            vec![of_project("ci", C::CiWorkflow, Match::NoRuns)],
            Condition::Nothing,
        ),
        (
            Category::Ci,
            vec![of_project("ci", C::CiWorkflow, Match::MatchingRuns)],
            Condition::CiComplete,
        ),
    ];
    for (category, observations, condition) in &rows {
        let card = score(Intent::Locate, observations);
        let term = card
            .terms
            .iter()
            .find(|term| term.category == *category)
            .expect("every category has its term");
        assert_eq!(term.condition, *condition, "{observations:#?}");
    }
    let unreached = Condition::ALL
        .into_iter()
        .find(|condition| !rows.iter().any(|(_, _, reached)| reached == condition));
    assert_eq!(unreached, None);
}

#[test]
fn the_same_target_is_a_name_and_never_a_part_of_a_query() {
    let agree = |one: &str, other: &str| {
        score(Intent::Locate, &[grep(one, "a"), read(other, "b")])
            .bonuses
            .same_target
            .is_some()
    };
    assert!(agree("EvidenceStore", "evidence store") && agree("src/net/", "./src/net"));
    for (one, other) in [
        ("Store", "EvidenceStore"),
        ("where is Alpha", "Alpha"),
        ("", ""),
        (" ", ""),
        ("_strip", "strip"),
        ("src/net", "net"),
    ] {
        assert!(!agree(one, other), "`{one}` and `{other}`");
    }
    let one_file = score(Intent::Locate, &[grep("Beta", "a"), read("Alpha", "a")]);
    assert_eq!(
        (
            one_file.bonuses.sum_hundredths(),
            one_file.total_thousandths
        ),
        (5, 768)
    );
}

/// The tables in the repository's documentation are these tables.
#[test]
fn the_documentation_shows_the_table_of_the_code() {
    let page = include_str!("../../../../docs/scorecard.md");
    for condition in Condition::ALL
        .into_iter()
        .filter(|condition| *condition != Condition::Nothing)
    {
        let score = condition.score_hundredths();
        let row = format!("| {} | 0.{score:02} |", condition.as_str());
        assert!(
            page.contains(&row),
            "docs/scorecard.md should contain: {row}"
        );
    }
    for category in Category::ALL {
        let weight = category.weight_tenths();
        let row = format!(
            "| {} | {}.{} |",
            category.as_str(),
            weight / 10,
            weight % 10
        );
        assert!(
            page.contains(&row),
            "docs/scorecard.md should contain: {row}"
        );
    }
}

fn observation() -> impl Strategy<Value = Observation> {
    let rows: Vec<(EvidenceClass, Match)> = table::ROWS
        .iter()
        .map(|row| (row.class, row.example))
        .collect();
    let tools = proptest::sample::select(vec![
        "find",
        "grep",
        "references",
        "index",
        "read",
        "git",
        "build",
    ]);
    let targets = proptest::sample::select(vec!["Alpha", "alpha", "Beta", ""]);
    let paths = proptest::sample::select(vec!["a.rs", "b.rs", "c.rs", "."]);
    let families = proptest::sample::select(Family::ALL.to_vec());
    (
        proptest::sample::select(rows),
        tools,
        targets,
        paths,
        families,
        0..3_u64,
    )
        .prop_map(|(row, tool, target, path, family, count)| Observation {
            family,
            match_count: count,
            ..seen(tool, row.0, row.1, target, path)
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn order_and_repetition_change_nothing(known in proptest::collection::vec(observation(), 0..10), turn in any::<prop::sample::Index>()) {
        let once = score(Intent::Explain, &known);
        let mut turned = known.clone();
        if !turned.is_empty() {
            turned.rotate_left(turn.index(known.len()));
        }
        turned.extend(known.iter().rev().map(|seen| Observation { query: "asked again".to_owned(), ..seen.clone() }));
        prop_assert_eq!(once, score(Intent::Explain, &turned));
    }

    #[test]
    fn a_total_stays_within_its_bounds_and_in_its_band(known in proptest::collection::vec(observation(), 0..10)) {
        let card = score(Intent::Modify, &known);
        prop_assert!(card.total_thousandths <= TOTAL_THOUSANDTHS_MAX && card.mean_thousandths <= card.total_thousandths);
        prop_assert_eq!(card.band, Band::of(card.total_thousandths));
        prop_assert_eq!(card.below.is_some(), card.total_thousandths < RECOVERY_THOUSANDTHS);
    }

    #[test]
    fn an_empty_target_matches_nothing(known in proptest::collection::vec(observation(), 0..10)) {
        let nameless: Vec<Observation> = known.into_iter().map(|seen| Observation { target: String::new(), sources: Vec::new(), ..seen }).collect();
        prop_assert_eq!(score(Intent::Explain, &nameless).bonuses, Bonuses::default());
    }
}
