//! Rounds over an engine, a web and judges of a script.

use std::sync::Mutex;

use grounds_web::{FetchError, SearchError, SearchResult};

use super::*;
use crate::history::{EvidenceHit, HitManner, JudgeName, Stance};
use crate::judges::lexical::Lexical;
use crate::judges::{JudgeError, JudgedPage, Judgement};
use crate::proof;
use crate::rules::{Policy, Undated};
use crate::spending::Caps;
use crate::{Calibration, record, wire};

/// Documents by address; an engine that gives all of them that share a word, and a web that has them.
#[derive(Default)]
struct World {
    pages: Vec<(&'static str, &'static str)>,
    broken_queries: usize,
    key_is_wrong: bool,
    refuses_pages: bool,
    is_folder: bool,
    moves_pages: bool,
    fetched: Mutex<usize>,
    asked: Mutex<Vec<String>>,
}

impl World {
    fn of(pages: &[(&'static str, &'static str)]) -> Self {
        Self {
            pages: pages.to_vec(),
            ..Self::default()
        }
    }
}

impl SearchProvider for World {
    fn name(&self) -> &'static str {
        if self.is_folder {
            grounds_web::FOLDER
        } else {
            "world"
        }
    }

    fn search(&self, query: &str, results_max: usize) -> Result<Vec<SearchResult>, SearchError> {
        let mut asked = self.asked.lock().expect("a lock");
        asked.push(query.to_owned());
        if self.key_is_wrong {
            return Err(SearchError::Key {
                provider: "world",
                why: "401".to_owned(),
            });
        }
        if asked.len() <= self.broken_queries {
            return Err(SearchError::Broke {
                provider: "world",
                why: "down".to_owned(),
            });
        }
        let shares = |text: &str| {
            query
                .split(' ')
                .any(|word| word.len() > 3 && text.contains(word))
        };
        let result = |url: &str| SearchResult {
            url: url.to_owned(),
            title: String::new(),
            snippet: String::new(),
            published: None,
        };
        Ok(self
            .pages
            .iter()
            .filter(|(_, text)| shares(text))
            .take(results_max)
            .map(|(url, _)| result(url))
            .collect())
    }
}

impl Fetch for World {
    fn fetch(&self, url: &str) -> Result<Page, FetchError> {
        *self.fetched.lock().expect("a lock") += 1;
        let known = self
            .pages
            .iter()
            .find(|(known, _)| *known == url)
            .filter(|_| !self.refuses_pages);
        let (url, text) = known.ok_or_else(|| FetchError::Refused {
            url: url.to_owned(),
            why: "robots.txt".to_owned(),
        })?;
        Ok(Page {
            asked: (*url).to_owned(),
            url: if self.moves_pages {
                format!("{url}/moved")
            } else {
                (*url).to_owned()
            },
            status: 200,
            title: None,
            text: (*text).to_owned(),
            canonical: None,
            published: None,
            modified: None,
            language: None,
            byline: None,
            publisher: None,
            content_hash: String::new(),
            is_cut: false,
        })
    }
}

/// A judge that is out of order.
#[derive(Debug)]
struct Broken;

impl Judge for Broken {
    fn name(&self) -> JudgeName {
        JudgeName::Model("broken".to_owned())
    }

    fn judge(
        &self,
        _task: &SearchTask,
        _page: &JudgedPage<'_>,
    ) -> Result<Vec<Judgement>, JudgeError> {
        Err(JudgeError {
            judge: "broken".to_owned(),
            why: "its answer is unreadable".to_owned(),
            advice: "use another".to_owned(),
            is_spent: false,
        })
    }
}

/// A judge that points outside of the page.
#[derive(Debug)]
struct Outside;

impl Judge for Outside {
    fn name(&self) -> JudgeName {
        JudgeName::Human
    }

    fn judge(
        &self,
        _task: &SearchTask,
        page: &JudgedPage<'_>,
    ) -> Result<Vec<Judgement>, JudgeError> {
        let of = |bytes| Judgement {
            stance: Stance::Support,
            manner: HitManner::Statement,
            bytes,
        };
        Ok(vec![
            of(0..page.text.len() + 10),
            of(5..5),
            of(usize::MAX - 1..usize::MAX),
        ])
    }
}

/// A judge that reads, and finds that the whole page refutes.
#[derive(Debug)]
struct Refuting;

impl Judge for Refuting {
    fn name(&self) -> JudgeName {
        JudgeName::Model("reader".to_owned())
    }

    fn judge(
        &self,
        _task: &SearchTask,
        page: &JudgedPage<'_>,
    ) -> Result<Vec<Judgement>, JudgeError> {
        Ok(vec![Judgement {
            stance: Stance::Refute,
            manner: HitManner::Statement,
            bytes: 0..page.text.len(),
        }])
    }
}

#[test]
fn a_judge_that_reads_overrules_the_words() {
    let text = "The default timeout is 30 seconds. So it was announced, and so it was never built.";
    let world = World::of(&[
        ("https://one.example.org/a", text),
        ("https://two.example.com/b", text),
    ]);
    let of = |judges: &[&dyn Judge]| {
        let checked = checked_by(&world, judges, &Limits::default(), &Spending::default());
        checked.expect("a verdict").history.hits
    };
    let words = Lexical::default();
    let clear =
        |hits: &[EvidenceHit], stance| hits.iter().filter(|hit| hit.stance == stance).count();
    assert_eq!(clear(&of(&[&words]), Stance::Support), 2);
    let both = of(&[&words, &Refuting]);
    assert_eq!(clear(&both, Stance::Support), 0);
    assert_eq!(clear(&both, Stance::Refute), 2);
}

const CLAIM: &str = "The default timeout is 30 seconds";

fn task(claim: &str) -> SearchTask {
    SearchTask {
        id: "t".to_owned(),
        claim: claim.to_owned(),
        timeframe: None,
        context: None,
        language: None,
        origin: None,
    }
}

fn checked_by(
    world: &World,
    judges: &[&dyn Judge],
    limits: &Limits,
    spending: &Spending,
) -> Result<Verification, VerifyError> {
    let means = LookupMeans {
        provider: world,
        fetch: world,
        judges,
        tier: &|_| SourceTier::Primary,
        spending,
        unread: &[],
    };
    let rules = DecisionRules {
        undated: Undated::Counts,
        ..DecisionRules::default()
    };
    let mut verification = verify(
        task(CLAIM),
        Timestamp::UNIX_EPOCH,
        &means,
        limits,
        &rules,
        &|_| (),
    )?;
    proof::write(&mut verification, None);
    Ok(verification)
}

fn checked(world: &World) -> Result<Verification, VerifyError> {
    checked_by(
        world,
        &[&Lexical::default()],
        &Limits::default(),
        &Spending::default(),
    )
}

#[test]
fn a_folder_is_read_deeper_for_a_judge_that_reads() {
    let names: Vec<String> = (0..60)
        .map(|number| format!("corpus:{number}.md"))
        .collect();
    let pages = names.iter().map(|name| {
        let name: &'static str = name.clone().leak();
        (name, "A timeout stands here.")
    });
    let pages: Vec<(&str, &str)> = pages.collect();
    let read = |is_folder: bool, judges: &[&dyn Judge]| {
        let world = World {
            is_folder,
            ..World::of(&pages)
        };
        let checked = checked_by(&world, judges, &Limits::default(), &Spending::default());
        checked.expect("a verdict").history.pages.len()
    };
    let (words, reader) = (Lexical::default(), Outside);
    assert_eq!(read(true, &[&words]), 10);
    assert_eq!(read(false, &[&words, &reader]), 10);
    assert_eq!(read(true, &[&words, &reader]), Limits::default().pages_max);
}

#[test]
fn two_publishers_that_say_so_are_enough() {
    let world = World::of(&[
        (
            "https://one.example.org/a",
            "It is simple. The default timeout is 30 seconds.",
        ),
        (
            "https://two.example.com/b",
            "The default timeout is 30 seconds, as everywhere.",
        ),
    ]);
    let verification = checked(&world).expect("a verdict");
    assert_eq!(verification.result.outcome, Verdict::True);
    assert_eq!(
        (
            verification.attempts.len(),
            verification.result.sources.len()
        ),
        (1, 2)
    );
    assert!(
        verification
            .history
            .queries
            .iter()
            .any(|query| query.seeks == crate::history::Seeks::Refutation)
    );
}

#[test]
fn two_publishers_that_say_the_contrary_are_enough_too() {
    let world = World::of(&[
        (
            "https://one.example.org/a",
            "The default timeout is 60 seconds.",
        ),
        (
            "https://two.example.com/b",
            "The default timeout is not 30 seconds.",
        ),
    ]);
    assert_eq!(
        checked(&world).expect("a verdict").result.outcome,
        Verdict::False
    );
}

#[test]
fn one_publisher_is_asked_about_again_and_is_too_few() {
    let world = World::of(&[(
        "https://one.example.org/a",
        "The default timeout is 30 seconds.",
    )]);
    let verification = checked(&world).expect("a verdict");
    assert_eq!(
        verification.result.outcome,
        Verdict::Invalid(InvalidReason::Insufficient)
    );
    assert_eq!(verification.reached, [Reached::Attempts]);
    assert!(
        verification.attempts[0]
            .gap
            .as_ref()
            .is_some_and(|gap| gap.lacks_families == 1)
    );
    let asked = world.asked.lock().expect("a lock");
    let mut once = asked.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), asked.len(), "no query is sent twice");
}

#[test]
fn an_address_that_is_redirected_is_read_once() {
    let world = World {
        moves_pages: true,
        ..World::of(&[("https://one.example.org/a", CLAIM)])
    };
    let verification = checked(&world).expect("a verdict");
    assert!(verification.attempts.len() > 1);
    assert_eq!(*world.fetched.lock().expect("a lock"), 1);
}

#[test]
fn what_fails_is_no_verdict() {
    let good = (
        "https://one.example.org/a",
        "The default timeout is 30 seconds.",
    );
    let of = |change: &dyn Fn(&mut World)| {
        let mut world = World::of(&[good]);
        change(&mut world);
        checked(&world)
    };
    assert!(matches!(
        of(&|world| world.broken_queries = 99),
        Err(VerifyError::Search { .. })
    ));
    assert!(matches!(
        of(&|world| world.key_is_wrong = true),
        Err(VerifyError::Search { .. })
    ));
    assert!(matches!(
        of(&|world| world.refuses_pages = true),
        Err(VerifyError::Pages { .. })
    ));
    // One round was made, the next could not be: too little was found is not what was shown.
    let later = World {
        key_is_wrong: false,
        ..World::of(&[good])
    };
    let spending = Spending::new(
        Caps {
            queries_max: Some(4),
            pages_max: None,
        },
        0,
        0,
    );
    let capped = checked_by(
        &later,
        &[&Lexical::default()],
        &Limits::default(),
        &spending,
    );
    assert!(
        matches!(capped, Err(VerifyError::Spent { .. })),
        "{capped:?}"
    );
    let silent = World::of(&[(
        "https://one.example.org/a",
        "The timeout of default things.",
    )]);
    let broken = checked_by(
        &silent,
        &[&Broken],
        &Limits::default(),
        &Spending::default(),
    );
    assert!(
        matches!(broken, Err(VerifyError::Judge { .. })),
        "{broken:?}"
    );
    let late = Limits {
        total_ms_max: 0,
        ..Limits::default()
    };
    let late = checked_by(
        &World::of(&[good]),
        &[&Lexical::default()],
        &late,
        &Spending::default(),
    );
    assert!(late.is_err(), "{late:?}");
}

#[test]
fn a_failed_query_among_others_is_told() {
    let world = World {
        broken_queries: 1,
        ..World::of(&[
            (
                "https://one.example.org/a",
                "The default timeout is 30 seconds.",
            ),
            (
                "https://two.example.com/b",
                "The default timeout is 30 seconds.",
            ),
        ])
    };
    let verification = checked(&world).expect("a verdict");
    assert_eq!(
        (verification.result.outcome, verification.failures.len()),
        (Verdict::True, 1)
    );
}

#[test]
fn a_place_outside_of_the_page_is_no_hit() {
    let world = World::of(&[(
        "https://one.example.org/a",
        "The default timeout is 30 seconds.",
    )]);
    let verification = checked_by(
        &world,
        &[&Outside],
        &Limits::default(),
        &Spending::default(),
    )
    .expect("a verdict");
    assert!(verification.history.hits.is_empty());
}

#[test]
fn threads_change_nothing() {
    let pages: Vec<(&'static str, &'static str)> = (0..12)
        .map(|number| {
            let url: &'static str =
                Box::leak(format!("https://site{number}.example.net/x").into_boxed_str());
            (
                url,
                if number % 3 == 0 {
                    "The default timeout is 30 seconds."
                } else {
                    "A default timeout of some seconds."
                },
            )
        })
        .collect();
    let of = |parallel_max: usize| {
        let limits = Limits {
            parallel_max,
            ..Limits::default()
        };
        checked_by(
            &World::of(&pages),
            &[&Lexical::default()],
            &limits,
            &Spending::default(),
        )
        .expect("a verdict")
    };
    assert_eq!(of(1), of(7));
}

#[test]
fn a_question_costs_no_query() {
    let world = World::of(&[]);
    let means = LookupMeans {
        provider: &world,
        fetch: &world,
        judges: &[],
        tier: &|_| SourceTier::Other,
        spending: &Spending::default(),
        unread: &[],
    };
    let asked = verify(
        task("Is the default timeout 30 seconds?"),
        Timestamp::UNIX_EPOCH,
        &means,
        &Limits::default(),
        &DecisionRules::default(),
        &|_| (),
    );
    if let Ok(verification) = &asked {
        assert!(matches!(
            verification.result.outcome,
            Verdict::Invalid(InvalidReason::NotCheckable(_))
        ));
        assert!(world.asked.lock().expect("a lock").is_empty());
    }
}

#[test]
fn a_record_is_decided_as_the_run_was() {
    let world = World::of(&[
        (
            "https://one.example.org/a",
            "The default timeout is 60 seconds.",
        ),
        (
            "https://two.example.com/b",
            "The default timeout is not 30 seconds.",
        ),
    ]);
    let checked = checked(&world).expect("a verdict");
    let attempt = checked.attempts.first().expect("a round");
    let check = |percent: u32, outcome: &str| {
        let rules = DecisionRules {
            policy: Policy::CalibratedV2,
            undated: Undated::Counts,
            calibration: Calibration::keeping(percent).expect("a bar"),
            ..DecisionRules::default()
        };
        let run = decide_by_rules(&checked.task, &checked.history, 1, 1, &rules);
        let run = wire::verdict_words(run.verdict().expect("a verdict")).0;
        let input = record::decide_input(&checked, attempt, 1, 1, &rules).to_string();
        let repeated = wire::decided(input).expect("a decision").result;
        let repeated = repeated.expect("a verdict").outcome;
        assert_eq!((run, repeated), (outcome, outcome));
    };
    check(20, "False");
    check(8, "Invalid");
}
