//! A broken case never ends the run, and what is known is not run again.

use super::*;
use crate::suite::{self, SuiteText};
use crate::verdict::Verdict;

const SUITE: &str = "files: {a.rs: \"pub struct Alpha;\\n\", b.rs: \"pub struct Beta;\\n\"}\ncases:\n\
    - {id: one, question: 'where is Alpha defined?', expect: {gold: [{file: a.rs, line: 1}]}}\n\
    - {id: broken, repo: nowhere, question: 'where is Alpha defined?', expect: {outcome: answered}}\n\
    - {id: bad, files: {../x: text}, question: 'where is Alpha defined?', expect: {outcome: answered}}\n\
    - {id: two, question: 'where is Gamma defined?', expect: {refusal: not_found}}\n\
    - {id: three, question: 'where is Beta defined?', expect: {gold: [{file: b.rs, line: 1}]}}\n";

fn cases() -> Vec<Arc<Case>> {
    suite::of_source(&SuiteText {
        name: "s",
        path: None,
        text: SUITE,
    })
    .expect("a suite")
    .into_iter()
    .map(Arc::new)
    .collect()
}

fn run_with(jobs: usize, journal: Option<&Journal>, known: &EarlierRun) -> Vec<CaseResult> {
    let options = EvalOptions {
        jobs,
        case_ms_max: 20_000,
        model: None,
    };
    run(
        &cases(),
        &Arc::new(Checkouts::default()),
        options,
        journal,
        known,
        &|_| (),
    )
    .expect("a run")
}

#[test]
fn a_broken_case_fails_with_its_error_and_the_others_go_on() {
    for jobs in [1, 4] {
        let results = run_with(jobs, None, &EarlierRun::default());
        let verdicts: Vec<Verdict> = results.iter().map(|result| result.verdict).collect();
        use Verdict::{Failed, Right};
        assert_eq!(
            verdicts,
            [Right, Failed, Failed, Right, Right],
            "{jobs} jobs"
        );
        assert!(
            results[1]
                .error
                .as_ref()
                .is_some_and(|error| error.contains("nowhere"))
        );
        assert!(
            results[2]
                .error
                .as_ref()
                .is_some_and(|error| error.contains("../x"))
        );
        assert_eq!(results[0].cost.cpu_ms.is_some(), jobs == 1);
    }
}

#[test]
fn results_do_not_depend_on_how_many_run_beside_each_other() {
    let kept = |jobs| crate::snapshot::of(&run_with(jobs, None, &EarlierRun::default()));
    assert_eq!(kept(1), kept(3));
}

#[test]
fn what_the_journal_knows_is_not_run_again_and_a_torn_line_is_dropped() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    let first = run_with(
        2,
        Some(&Journal::create(&path).expect("a journal")),
        &EarlierRun::default(),
    );
    assert!(
        Journal::create(&path).is_err(),
        "a journal is not written over"
    );
    let text = std::fs::read_to_string(&path).expect("the journal");
    let half = text.len() * 2 / 3;
    std::fs::write(&path, &text[..half]).expect("written");
    let whole = text[..half].matches("{\"ended\"").count()
        - usize::from(text[..half].rfind("{\"ended\"") > text[..half].rfind('\n'));
    let (journal, known) = Journal::resume(&path).expect("a journal");
    assert_eq!(
        cases()
            .iter()
            .filter(|case| known.result(case).is_some())
            .count(),
        whole
    );
    let second = run_with(2, Some(&journal), &known);
    assert_eq!(crate::snapshot::of(&first), crate::snapshot::of(&second));
    let (_, known) = Journal::resume(&path).expect("a journal");
    assert!(cases().iter().all(|case| known.result(case).is_some()));
}

#[test]
fn a_case_that_ended_the_program_again_and_again_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("journal.jsonl");
    let journal = Journal::create(&path).expect("a journal");
    for _ in 0..ATTEMPTS_MAX {
        journal.began(&cases()[0]).expect("written");
    }
    journal.began(&cases()[4]).expect("written");
    let (journal, known) = Journal::resume(&path).expect("a journal");
    let results = run_with(2, Some(&journal), &known);
    assert_eq!(
        (results[0].verdict, results[4].verdict),
        (Verdict::Failed, Verdict::Right)
    );
    assert!(
        results[0]
            .error
            .as_ref()
            .is_some_and(|error| error.contains("3 times"))
    );
}

#[test]
fn a_panic_is_an_error_with_its_words() {
    keep_panics();
    let thread = std::thread::Builder::new()
        .name(THREAD.to_owned())
        .spawn(|| {
            let caught = catch_unwind(|| -> usize { [1_usize][std::hint::black_box(3)] });
            caught.map_err(|payload| panicked(payload.as_ref()))
        });
    let said = thread
        .expect("a thread")
        .join()
        .expect("caught")
        .expect_err("a panic");
    assert!(
        said.contains("index out of bounds") && said.contains("tests.rs"),
        "{said}"
    );
}
