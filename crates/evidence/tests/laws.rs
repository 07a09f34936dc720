//! The laws of the evidence model, tried on thousands of ledgers.

use grounds_evidence::requirement::{self, Bar, Execution};
use grounds_evidence::{
    EvidenceClass, Family, Goal, Intent, Ledger, Match, MentionPlace, Observation,
    ObservationSource, Quality, QuestionTarget, Rating, Relation, Strength, TargetKind,
    WantedRelation, confidence, corroborate, gap, table,
};
use proptest::prelude::*;

const TARGETS: [&str; 2] = ["alpha", "beta"];

fn wanted() -> impl Strategy<Value = WantedRelation> {
    proptest::sample::select(WantedRelation::ALL.to_vec())
}

fn targets(wanted: WantedRelation) -> Vec<QuestionTarget> {
    TARGETS
        .iter()
        .map(|text| QuestionTarget {
            text: (*text).to_owned(),
            kind: TargetKind::Identifier,
            wanted,
        })
        .collect()
}

fn source() -> impl Strategy<Value = ObservationSource> {
    (0..3_u8, 0..6_u32, 0..3_u32).prop_map(|(file, start, more)| ObservationSource {
        path: format!("f{file}"),
        line_start: start,
        line_end: start + more,
    })
}

fn observation() -> impl Strategy<Value = Observation> {
    let rows: Vec<(EvidenceClass, Match)> = table::ROWS
        .iter()
        .map(|row| (row.class, row.example))
        .chain([(EvidenceClass::FileSearch, Match::Nothing)])
        .collect();
    let counts = (0..200_u64, any::<bool>());
    let who = (
        proptest::sample::select(vec!["find", "grep", "references", "read", "git", "build"]),
        proptest::sample::select(Family::ALL.to_vec()),
    );
    let what = (
        proptest::sample::select(rows),
        proptest::sample::select(Relation::ALL.to_vec()),
        proptest::sample::select(TARGETS.to_vec()),
    );
    (what, who, counts, proptest::collection::vec(source(), 0..4)).prop_map(
        |((row, relation, target), (tool, family), (count, phrase), sources)| Observation {
            class: row.0,
            tool,
            family,
            query: target.to_owned(),
            target: target.to_owned(),
            found: row.1,
            relation,
            match_count: count,
            exact_match_count: count,
            phrase_match: phrase,
            sources,
        },
    )
}

fn ledger(wanted: WantedRelation, observations: &[Observation]) -> Ledger {
    let mut ledger = Ledger::new(&targets(wanted));
    for observation in observations {
        ledger.record(observation.clone());
    }
    ledger
}

/// Every quality of a ledger: by class, for each target.
fn qualities(ledger: &Ledger) -> Vec<Quality> {
    EvidenceClass::ALL
        .into_iter()
        .flat_map(|class| TARGETS.map(|target| corroborate::quality(ledger, class, target)))
        .collect()
}

fn goal(intent: Intent, wanted: WantedRelation) -> Goal {
    Goal {
        intent,
        targets: targets(wanted),
        about_ci: true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// An entry below Strong gives its class what it is rated, and nothing to any other: it corroborates nothing.
    #[test]
    fn a_weaker_entry_never_raises_a_level(wanted in wanted(), known in proptest::collection::vec(observation(), 0..6), more in observation()) {
        let rating = table::rate(&more, wanted);
        prop_assume!(rating < Rating::Strong);
        let before = ledger(wanted, &known);
        let mut observations = known;
        observations.push(more.clone());
        let after = ledger(wanted, &observations);
        for class in EvidenceClass::ALL {
            for target in TARGETS {
                let is_of_it = class == more.class && (target == more.target || !class.is_about_a_target());
                let own = if is_of_it { Quality::from(rating) } else { Quality::None };
                prop_assert_eq!(corroborate::quality(&after, class, target), corroborate::quality(&before, class, target).max(own));
            }
        }
    }

    /// More evidence never lowers a level.
    #[test]
    fn more_evidence_never_lowers_a_level(wanted in wanted(), known in proptest::collection::vec(observation(), 0..6), more in observation()) {
        let before = qualities(&ledger(wanted, &known));
        let mut observations = known;
        observations.push(more);
        let after = qualities(&ledger(wanted, &observations));
        prop_assert!(before.iter().zip(&after).all(|(before, after)| before <= after));
    }

    /// Writing an entry down twice changes nothing, not even the number of entries.
    #[test]
    fn repeating_an_entry_changes_nothing(wanted in wanted(), known in proptest::collection::vec(observation(), 1..6), index in any::<proptest::sample::Index>()) {
        let mut observations = known.clone();
        observations.push(index.get(&known).clone());
        let (once, twice) = (ledger(wanted, &known), ledger(wanted, &observations));
        prop_assert_eq!(once.entries().len(), twice.entries().len());
        prop_assert_eq!(qualities(&once), qualities(&twice));
    }

    /// The order in which evidence arrives does not matter.
    #[test]
    fn the_order_of_entries_does_not_matter(wanted in wanted(), known in proptest::collection::vec(observation(), 0..8)) {
        let mut reversed = known.clone();
        reversed.reverse();
        prop_assert_eq!(qualities(&ledger(wanted, &known)), qualities(&ledger(wanted, &reversed)));
    }

    /// However many producers of one family agree, search evidence stays below Verified.
    #[test]
    fn one_family_never_corroborates_itself(wanted in wanted(), known in proptest::collection::vec(observation(), 0..8), family in proptest::sample::select(Family::ALL.to_vec())) {
        let of_one: Vec<Observation> = known.into_iter().map(|seen| Observation { family, ..seen }).collect();
        let ledger = ledger(wanted, &of_one);
        for class in EvidenceClass::ALL {
            prop_assert!(TARGETS.iter().all(|target| corroborate::families_agreeing(&ledger, class, target).is_empty()));
        }
        prop_assert!(TARGETS.iter().all(|target| corroborate::quality(&ledger, EvidenceClass::FileSearch, target) < Quality::Verified));
    }

    /// Only quality closes a gap: counts of whatever size leave it as it is.
    #[test]
    fn strength_never_opens_the_gate(wanted in wanted(), known in proptest::collection::vec(observation(), 0..6), count in any::<u64>(), intent in proptest::sample::select(Intent::ALL.to_vec())) {
        let goal = goal(intent, wanted);
        let requirements = requirement::of_goal(&goal, Bar::Default);
        let louder: Vec<Observation> = known.iter().map(|seen| Observation { match_count: count, exact_match_count: count, ..seen.clone() }).collect();
        let (before, after) = (ledger(wanted, &known), ledger(wanted, &louder));
        prop_assert_eq!(gap::of(&goal, &requirements, &before), gap::of(&goal, &requirements, &after));
    }

    /// Token overlap is Weak for ever, and a mention never becomes a definition.
    #[test]
    fn token_overlap_and_mentions_never_locate(known in proptest::collection::vec(observation(), 0..8), count in any::<u64>()) {
        let useless = known.into_iter().filter(|seen| seen.class == EvidenceClass::FileSearch).map(|seen| {
            let mention = count % 2 == 0;
            let found = if mention { seen.found } else { Match::TokenOverlap };
            Observation { found, relation: Relation::Mentions(MentionPlace::Comment), match_count: count, ..seen }
        });
        let ledger = ledger(WantedRelation::Definition, &useless.collect::<Vec<_>>());
        prop_assert!(TARGETS.iter().all(|target| corroborate::quality(&ledger, EvidenceClass::FileSearch, target) == Quality::None));
    }

    /// A run that failed is no baseline, corroborates nothing and is never Verified by itself.
    #[test]
    fn a_failed_run_never_lets_a_change_begin(wanted in wanted(), known in proptest::collection::vec(observation(), 0..6), more in observation(), build in any::<bool>()) {
        let (class, found) = if build { (EvidenceClass::Build, Match::BuildFailed) } else { (EvidenceClass::Test, Match::TestsFailed) };
        let passed: Vec<Observation> = known.into_iter().filter(|seen| !seen.found.is_a_failed_run()).collect();
        let mut observations = passed.clone();
        observations.push(Observation { class, found, ..more });
        let (goal, before, after) = (goal(Intent::Modify, wanted), ledger(wanted, &passed), ledger(wanted, &observations));
        for bar in [Bar::Default, Bar::At(Quality::Strong), Bar::At(Quality::Weak)] {
            let requirements = requirement::of_goal(&goal, bar);
            prop_assert_eq!(gap::of(&goal, &requirements, &before), gap::of(&goal, &requirements, &after));
        }
        let verified = |ledger: &Ledger| EvidenceClass::ALL.map(|class| corroborate::is_verified(ledger, class, ""));
        prop_assert_eq!(verified(&before), verified(&after));
    }

    /// What a name of a model led to opens no gate, at no bar, until the question's own words meet it in the text read.
    #[test]
    fn a_hypothesis_opens_no_gate_that_own_words_do_not_meet(wanted in wanted(), known in proptest::collection::vec(observation(), 0..6), more in proptest::collection::vec(observation(), 1..4), intent in proptest::sample::select(Intent::ALL.to_vec())) {
        let own: Vec<Observation> = known.into_iter().filter(|seen| !seen.found.is_through_a_hypothesis()).collect();
        let led: Vec<Observation> =
            more.into_iter().map(|seen| Observation { class: EvidenceClass::FileSearch, found: Match::HypothesisNear, ..seen }).collect();
        prop_assert!(led.iter().all(|seen| table::rate(seen, wanted) <= Rating::Moderate));
        let both: Vec<Observation> = own.iter().chain(&led).cloned().collect();
        let (before, after) = (ledger(wanted, &own), ledger(wanted, &both));
        let requirements = requirement::of_goal(&goal(intent, wanted), Bar::Default);
        prop_assert_eq!(gap::of(&goal(intent, wanted), &requirements, &before).is_closed(), gap::of(&goal(intent, wanted), &requirements, &after).is_closed());
        // Above that bar and below it: without a text in which the words were read, the content of a file is lacking still.
        for class in EvidenceClass::ALL.into_iter().filter(|class| *class != EvidenceClass::FileSearch) {
            for target in TARGETS {
                prop_assert_eq!(corroborate::quality(&before, class, target), corroborate::quality(&after, class, target));
            }
        }
    }

    /// A hypothesis that was met is Strong at the most: it is never Verified, and makes nothing else so.
    #[test]
    fn a_hypothesis_is_never_verified(wanted in wanted(), known in proptest::collection::vec(observation(), 0..6), more in observation(), met in proptest::sample::select(vec![Match::HypothesisMet, Match::HypothesisNear, Match::ReadHypothesis])) {
        let class = if met == Match::ReadHypothesis { EvidenceClass::FileContent } else { EvidenceClass::FileSearch };
        let mut observations = known.clone();
        observations.push(Observation { class, found: met, ..more });
        let verified = |observations: &[Observation]| {
            let ledger = ledger(wanted, observations);
            EvidenceClass::ALL.map(|class| TARGETS.map(|target| corroborate::is_verified(&ledger, class, target)))
        };
        prop_assert_eq!(verified(&known), verified(&observations));
    }

    /// The level of confidence says the least that any requirement has, and names it.
    #[test]
    fn confidence_is_that_of_the_weakest_requirement(wanted in wanted(), known in proptest::collection::vec(observation(), 0..8), intent in proptest::sample::select(Intent::ALL.to_vec())) {
        let goal = goal(intent, wanted);
        let requirements = requirement::of_goal(&goal, Bar::Default);
        let ledger = ledger(wanted, &known);
        let derived = confidence::derive(&goal, &requirements, &ledger);
        let standings = gap::standings(&goal, &requirements, &ledger);
        let least = standings.iter().map(|standing| standing.have).min().unwrap_or_default();
        prop_assert_eq!(derived.quality, least);
        prop_assert!(derived.explanation.starts_with(derived.level.as_str()));
        prop_assert_eq!(derived.coverage.met == derived.coverage.required, gap::of(&goal, &requirements, &ledger).is_closed());
        if let Some(weakest) = standings.iter().min_by_key(|standing| standing.have) {
            prop_assert!(derived.explanation.contains(weakest.requirement.class.as_str()));
        }
    }
}

#[test]
fn strength_counts_and_nothing_else() {
    let steps = [
        (0, Strength::None),
        (1, Strength::Low),
        (10, Strength::Low),
        (11, Strength::Medium),
        (50, Strength::Medium),
        (51, Strength::High),
    ];
    for (count, strength) in steps {
        assert_eq!(Strength::of_count(count), strength);
    }
}

#[test]
fn search_and_reader_on_one_span_are_verified_and_search_alone_is_not() {
    let place = ObservationSource {
        path: "a.rs".to_owned(),
        line_start: 3,
        line_end: 9,
    };
    let seen = |class, tool, family, found| Observation {
        class,
        tool,
        family,
        query: "alpha".to_owned(),
        target: "alpha".to_owned(),
        found,
        relation: Relation::Defines,
        match_count: 1,
        exact_match_count: 1,
        phrase_match: false,
        sources: vec![place.clone()],
    };
    let search = seen(
        EvidenceClass::FileSearch,
        "references",
        Family::Search,
        Match::SymbolDefinition,
    );
    let find = seen(
        EvidenceClass::FileSearch,
        "find",
        Family::Search,
        Match::NameExact,
    );
    let read = seen(
        EvidenceClass::FileContent,
        "read",
        Family::Reader,
        Match::ReadTarget,
    );
    let quality = |observations: &[Observation]| {
        corroborate::quality(
            &ledger(WantedRelation::Definition, observations),
            EvidenceClass::FileSearch,
            "alpha",
        )
    };
    assert_eq!(quality(&[search.clone(), find.clone()]), Quality::Strong);
    assert_eq!(
        quality(&[search.clone(), find, read.clone()]),
        Quality::Verified
    );
    let elsewhere = Observation {
        sources: vec![ObservationSource {
            path: "b.rs".to_owned(),
            ..place.clone()
        }],
        ..read
    };
    assert_eq!(quality(&[search, elsewhere]), Quality::Strong);
}

#[test]
fn a_build_and_a_test_that_both_pass_verify_each_other() {
    let seen = |class, found| Observation {
        class,
        tool: "toolchain",
        family: Family::Toolchain,
        query: String::new(),
        target: String::new(),
        found,
        relation: Relation::Unlabelled,
        match_count: 1,
        exact_match_count: 1,
        phrase_match: false,
        sources: Vec::new(),
    };
    let built = seen(EvidenceClass::Build, Match::TargetBuilt);
    let passed = seen(EvidenceClass::Test, Match::AllRelevantTestsPassed);
    assert_eq!(
        corroborate::quality(
            &ledger(WantedRelation::Occurrence, std::slice::from_ref(&built)),
            EvidenceClass::Build,
            ""
        ),
        Quality::Strong
    );
    let both = ledger(WantedRelation::Occurrence, &[built, passed]);
    assert_eq!(
        corroborate::quality(&both, EvidenceClass::Build, ""),
        Quality::Verified
    );
    assert_eq!(
        corroborate::quality(&both, EvidenceClass::Test, ""),
        Quality::Verified
    );
}

#[test]
fn a_build_that_fails_answers_whether_it_builds_without_a_test() {
    let seen = |class, found| Observation {
        class,
        tool: "toolchain",
        family: Family::Toolchain,
        query: String::new(),
        target: String::new(),
        found,
        relation: Relation::Unlabelled,
        match_count: 1,
        exact_match_count: 1,
        phrase_match: false,
        sources: Vec::new(),
    };
    let goal = Goal {
        intent: Intent::Execute,
        targets: Vec::new(),
        about_ci: false,
    };
    let lacks = |execution, observations: &[Observation]| {
        let ledger = ledger(WantedRelation::Occurrence, observations);
        let requirements = requirement::of_execution(
            requirement::of_goal(&goal, Bar::Default),
            execution,
            &ledger,
        );
        gap::of(&goal, &requirements, &ledger)
            .lacks
            .iter()
            .map(|lack| lack.class)
            .collect::<Vec<_>>()
    };
    let (built, failed) = (
        seen(EvidenceClass::Build, Match::TargetBuilt),
        seen(EvidenceClass::Build, Match::BuildFailed),
    );
    assert_eq!(
        lacks(Execution::Both, &[]),
        [EvidenceClass::Build, EvidenceClass::Test]
    );
    assert_eq!(
        lacks(Execution::Both, std::slice::from_ref(&built)),
        [EvidenceClass::Test]
    );
    assert_eq!(lacks(Execution::Build, std::slice::from_ref(&built)), []);
    assert_eq!(lacks(Execution::Test, &[built]), [EvidenceClass::Test]);
    for execution in [Execution::Build, Execution::Test, Execution::Both] {
        assert_eq!(lacks(execution, std::slice::from_ref(&failed)), []);
    }
    let tests_failed = seen(EvidenceClass::Test, Match::TestsFailed);
    assert_eq!(lacks(Execution::Test, &[tests_failed]), []);
}

#[test]
fn a_question_about_ci_needs_no_target_and_then_only_the_service() {
    let goal = |intent, about_ci, targets: &[QuestionTarget]| Goal {
        intent,
        targets: targets.to_vec(),
        about_ci,
    };
    let classes = |goal: &Goal| {
        requirement::of_goal(goal, Bar::Default)
            .iter()
            .map(|need| need.class)
            .collect::<Vec<_>>()
    };
    let ci = goal(Intent::Diagnose, true, &[]);
    assert_eq!(classes(&ci), [EvidenceClass::CiWorkflow]);
    assert!(!requirement::lacks_a_target(&ci));
    let with_target = goal(Intent::Diagnose, true, &targets(WantedRelation::Occurrence));
    assert_eq!(
        classes(&with_target),
        [
            EvidenceClass::FileSearch,
            EvidenceClass::FileContent,
            EvidenceClass::CiWorkflow
        ]
    );
    let of_code = goal(Intent::Diagnose, false, &[]);
    assert_eq!(
        classes(&of_code),
        [EvidenceClass::FileSearch, EvidenceClass::FileContent]
    );
    for intent in Intent::ALL {
        assert!(
            intent == Intent::Diagnose
                || classes(&goal(intent, true, &[])) == classes(&goal(intent, false, &[])),
            "{intent:?}"
        );
        assert_eq!(
            requirement::lacks_a_target(&goal(intent, false, &[])),
            requirement::lacks_a_target(&goal(intent, intent != Intent::Diagnose, &[]))
        );
    }
}

#[test]
fn runs_of_ci_close_the_gap_and_only_the_log_of_the_run_is_verified() {
    let goal = Goal {
        intent: Intent::Diagnose,
        targets: Vec::new(),
        about_ci: true,
    };
    let requirements = requirement::of_goal(&goal, Bar::Default);
    let seen = |found, family| Observation {
        class: EvidenceClass::CiWorkflow,
        tool: "ci",
        family,
        query: String::new(),
        target: String::new(),
        found,
        relation: Relation::Unlabelled,
        match_count: 1,
        exact_match_count: 1,
        phrase_match: false,
        sources: vec![ObservationSource::whole("https://ci.example/run/1")],
    };
    let quality = |observation: Observation| {
        let ledger = ledger(WantedRelation::Occurrence, &[observation]);
        (
            corroborate::quality(&ledger, EvidenceClass::CiWorkflow, ""),
            gap::of(&goal, &requirements, &ledger).is_closed(),
        )
    };
    assert_eq!(
        quality(seen(Match::NoRuns, Family::Ci)),
        (Quality::Weak, false)
    );
    assert_eq!(
        quality(seen(Match::RunList, Family::Ci)),
        (Quality::Moderate, false)
    );
    assert_eq!(
        quality(seen(Match::MatchingRuns, Family::Ci)),
        (Quality::Strong, true)
    );
    assert_eq!(
        quality(seen(Match::MatchingRunLog, Family::Ci)),
        (Quality::Verified, true)
    );
    assert_eq!(
        quality(seen(Match::MatchingRunLog, Family::Search)),
        (Quality::Strong, true)
    );
}
