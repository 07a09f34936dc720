//! `grounds verify` from outside: results keep to their schema, a recording plays
//! byte for byte without its sources, a batch survives kills, a failure is never a
//! verdict, and hostile pages reach no terminal.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::suite::{Case, cases, pages, tree_of};
use crate::support::{Person, Run, Tree, grounds, run};

/// Kills of one batch.
const KILLS: u64 = 20;

fn claims_of_the_suite() -> Vec<Case> {
    let all = pages()
        .into_iter()
        .flat_map(|page| cases(&std::fs::read_to_string(page).expect("a page")));
    all.filter(|case| case.is_of("verify")).collect()
}

fn docs() -> Tree {
    Tree::of(&[
        (
            "docs/one/a.md",
            "The default timeout is 30 seconds. The cache is disabled by default.\n",
        ),
        (
            "docs/two/b.md",
            "The default timeout is 30 seconds. The cache is disabled by default.\n",
        ),
        (
            "docs/three/c.txt",
            "Nothing of it stands here but words about a timeout and a cache.\n",
        ),
    ])
}

fn result(run: &Run) -> Value {
    serde_json::from_slice(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.text()))
}

#[test]
fn every_result_keeps_to_the_schema_and_its_promises() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/verify.json");
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    let mut checked = 0;
    for case in claims_of_the_suite() {
        let tree = tree_of(&case);
        let words = case
            .arguments
            .iter()
            .filter(|word| !["--format", "json", "markdown"].contains(&word.as_str()));
        let run = run(grounds(tree.root())
            .current_dir(tree.root())
            .args(words)
            .args(["--format", "json"]));
        let code = run.code.expect("the program ends by itself");
        if code == 2 {
            continue;
        }
        let result = result(&run);
        let errors: Vec<String> = validator
            .iter_errors(&result)
            .map(|error| error.to_string())
            .collect();
        assert!(
            errors.is_empty(),
            "{}: {errors:?}",
            case.arguments.join(" ")
        );
        keeps_its_promises(&result, code);
        checked += 1;
    }
    assert!(checked >= 20, "only {checked} results were checked");
}

/// What the schema cannot say: the first four keys, the code of the outcome, the lines of the proof, the sources that it cites.
fn keeps_its_promises(result: &Value, code: i32) {
    let text = serde_json::to_string(result).expect("JSON");
    let at = |key: &str| {
        text.find(&format!("\"{key}\":"))
            .unwrap_or_else(|| panic!("no {key}"))
    };
    assert!(
        result.get("outcome").is_some() && at("proof") > 0 && at("sources") > 0 && at("debug") > 0
    );
    let expected = match (result["outcome"].as_str(), result["reason"].as_str()) {
        (Some("True"), None) => 0,
        (Some("False"), None) => 6,
        (Some("Invalid"), Some("insufficient" | "not_matured" | "not_read")) => 3,
        (Some("Invalid"), Some("conflicting")) => 4,
        (Some("Invalid"), Some("not_checkable")) => 5,
        other => panic!("{other:?}"),
    };
    assert_eq!(code, expected, "{result}");
    let proof = result["proof"].as_str().expect("a proof");
    let sources = result["sources"].as_array().expect("sources");
    assert!(
        proof.lines().count() <= 7 && !proof.contains("http") && !proof.contains("]("),
        "{proof}"
    );
    for number in 1..=sources.len() {
        assert!(
            proof.contains(&format!("[{number}]")),
            "{proof} does not cite {number}"
        );
    }
    assert!(
        !proof.contains(&format!("[{}]", sources.len() + 1)),
        "{proof}"
    );
    for source in sources {
        let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let excerpt = folded(source["excerpt"].as_str().expect("an excerpt"));
        assert!(
            proof
                .split(['"', '“', '”'])
                .any(|piece| !piece.trim().is_empty() && excerpt.contains(piece)),
            "{proof} does not quote {excerpt}"
        );
    }
}

#[test]
fn the_first_four_keys_stand_in_their_order() {
    let tree = docs();
    let run = run(grounds(tree.root())
        .args([
            "verify",
            "The cache is disabled by default",
            "--format",
            "json",
            "--corpus",
        ])
        .arg(tree.path("docs")));
    let text = String::from_utf8(run.out).expect("UTF-8");
    let places: Vec<usize> = ["outcome", "proof", "sources", "debug"]
        .iter()
        .map(|key| text.find(&format!("\n  \"{key}\":")).expect(key))
        .collect();
    assert!(
        places.is_sorted() && text.starts_with("{\n  \"outcome\": \"True\""),
        "{text}"
    );
}

#[test]
fn a_recording_plays_byte_for_byte_when_its_sources_are_gone() {
    let tree = docs();
    let asked = |claim: &str, record: &str| {
        let mut command = grounds(tree.root());
        command
            .args(["verify", claim, "--format", "json", "--corpus"])
            .arg(tree.path("docs"))
            .arg("--record")
            .arg(tree.path(record));
        run(&mut command)
    };
    let first = asked("The default timeout is 30 seconds", "one");
    let other = asked("The server forgets its users", "two");
    assert_eq!(
        (first.code, other.code),
        (Some(0), Some(3)),
        "{}",
        first.text()
    );
    std::fs::remove_dir_all(tree.path("docs")).expect("the documents go");
    let replay = |record: &str| {
        run(grounds(tree.root())
            .args(["verify", "--format", "json", "--replay"])
            .arg(tree.path(record)))
    };
    assert_eq!(
        (replay("one").out, replay("one").code),
        (first.out, Some(0))
    );
    assert_eq!(
        (replay("two").out, replay("two").code),
        (other.out, Some(3))
    );
    assert!(
        tree.path("two/attempt-2.json").exists(),
        "every round is recorded"
    );
    let web = std::fs::read_dir(tree.path("one/web"))
        .expect("a recording")
        .flatten()
        .next()
        .expect("an exchange");
    std::fs::remove_file(web.path()).expect("an exchange goes");
    let broken = replay("one");
    assert!(
        broken.code == Some(1) && broken.out.is_empty(),
        "{}",
        broken.text()
    );
    replay("nowhere").is_one_error(2, "cannot use the recording");
}

#[test]
fn a_provider_that_fails_is_no_verdict() {
    let tree = Tree::new();
    let asked = |variables: &[(&str, &str)], words: &[&str]| {
        let mut command = grounds(tree.root());
        for name in ["SERPER_API_KEY", "BRAVE_API_KEY", "SEARXNG_URL"] {
            command.env_remove(name);
        }
        command
            .env("GROUNDS_TEST_LOOPBACK", "1")
            .env("XDG_CACHE_HOME", tree.path("cache"))
            .envs(variables.iter().copied());
        run(command
            .args(["verify", "The tower is 330 metres tall"])
            .args(words))
    };
    asked(&[], &[]).is_one_error(2, "no folder of documents and no search engine");
    asked(&[], &["--provider", "bing"]).is_one_error(2, "no engine is named `bing`");
    asked(&[], &["--provider", "serper"]).is_one_error(2, "cannot use the search engine");
    // Nobody listens there.
    asked(&[("SEARXNG_URL", "http://127.0.0.1:9")], &[]).is_one_error(1, "cannot search for");
}

#[test]
fn a_repository_cannot_say_where_claims_go() {
    let tree = docs().file(".grounds.yaml", "verify:\n  provider: serper\n");
    let run = run(grounds(tree.root())
        .args(["verify", "The cache is disabled by default", "--corpus"])
        .arg(tree.path("docs")));
    run.is_one_error(2, "`verify.provider` is set in a file of the checkout");
}

#[test]
fn bounds_of_the_configuration_hold_and_are_told() {
    let tree = docs().file(
        ".grounds.yaml",
        "verify:\n  pages_max: 1\n  tiers:\n    'corpus:one': other\n",
    );
    let run = run(grounds(tree.root())
        .args([
            "verify",
            "The cache is disabled by default",
            "--format",
            "json",
            "--corpus",
        ])
        .arg(tree.path("docs")));
    let result = result(&run);
    assert_eq!(
        (run.code, result["debug"]["total_pages_visited"].as_u64()),
        (Some(3), Some(1)),
        "{result}"
    );
    assert!(
        result["reached"]
            .as_array()
            .is_some_and(|reached| reached.contains(&Value::from("pages_max"))),
        "{result}"
    );
}

/// Two short documents support, two longer ones refute; each bound leaves a longer one unread.
#[test]
fn what_a_bound_left_unread_withholds_the_verdict_unless_it_is_accepted() {
    let supporting = "The default timeout is 30 seconds.\n";
    let refuting = format!(
        "The default timeout is 60 seconds.\n{}",
        "More.\n".repeat(40)
    );
    let docs_with = |config: &str| {
        Tree::of(&[
            ("docs/a/a.md", supporting),
            ("docs/b/b.md", supporting),
            ("docs/c/c.md", &refuting),
            ("docs/d/d.md", &refuting),
            (".grounds.yaml", config),
        ])
    };
    let cases = [
        ("corpus_file_bytes_max", "corpus_file_bytes_max: 100", 2),
        ("corpus_files_max", "corpus_files_max: 2", 1),
        ("corpus_bytes_max", "corpus_bytes_max: 200", 2),
        ("judged_bytes_max", "judged_bytes_max: 5000000", 0),
    ];
    for (bound, setting, count) in cases {
        let tree = docs_with(&format!("verify:\n  {setting}\n"));
        let checked = |more: &[&str]| {
            let run = run(grounds(tree.root())
                .args([
                    "verify",
                    "The default timeout is 30 seconds",
                    "--format",
                    "json",
                ])
                .args(more)
                .arg("--corpus")
                .arg(tree.path("docs")));
            let result = result(&run);
            keeps_its_promises(&result, run.code.expect("a code"));
            result
        };
        let plain = checked(&[]);
        if count == 0 {
            assert_eq!(plain["reason"], "conflicting", "{plain}");
            continue;
        }
        assert_eq!(plain["reason"], "not_read", "{bound}: {plain}");
        assert_eq!(plain["unread"][0]["bound"], bound, "{plain}");
        assert_eq!(plain["unread"][0]["count"], count, "{plain}");
        assert!(
            plain["proof"]
                .as_str()
                .is_some_and(|proof| proof.contains(bound)),
            "{plain}"
        );
        let accepted = checked(&["--accept-bound", bound]);
        assert_eq!(accepted["outcome"], "True", "{accepted}");
        assert!(
            accepted["proof"]
                .as_str()
                .is_some_and(|proof| proof.contains(bound)),
            "{accepted}"
        );
    }
}

#[test]
fn hostile_documents_reach_no_terminal_and_no_proof() {
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J The default timeout is 30 seconds, see [here](javascript:alert(1)) \u{202e}<img src=x onerror=y>.\n";
    let tree = Tree::of(&[
        ("docs/one/a.md", evil),
        ("docs/two/b.txt", evil),
        ("docs/t\u{1b}[31m/c.txt", evil),
    ]);
    for format in ["pretty", "markdown", "json"] {
        let words = [
            "verify",
            "The default timeout is 30 seconds",
            "--verbose",
            "--format",
            format,
            "--corpus",
        ];
        let run = run(grounds(tree.root()).args(words).arg(tree.path("docs")));
        assert!(
            run.code.is_some_and(|code| code != 1 && code != 2),
            "{}",
            run.text()
        );
        run.is_safe_for_a_terminal();
    }
}

fn claims(count: usize) -> String {
    let claim = |number: usize| match number % 3 {
        0 => {
            serde_json::json!({"id": format!("c{number}"), "claim": format!("The limit of part {number} is {number} requests")})
        }
        1 => {
            serde_json::json!({"id": format!("c{number}"), "claim": "The default timeout is 30 seconds"})
        }
        _ => {
            serde_json::json!({"id": format!("c{number}"), "claim": "The cache is enabled by default"})
        }
    };
    (0..count)
        .map(|number| format!("{}\n", claim(number)))
        .collect()
}

fn batch(tree: &Tree, out: &str) -> Command {
    let mut command = grounds(tree.root());
    command
        .args([
            "verify",
            "--quiet",
            "--as-of",
            "2026-01-01",
            "--jobs",
            "3",
            "--batch",
        ])
        .arg(tree.path("claims.jsonl"));
    command
        .arg("--out")
        .arg(tree.path(out))
        .arg("--corpus")
        .arg(tree.path("docs"));
    command
}

#[test]
fn a_batch_that_is_killed_again_and_again_has_the_results_of_one_that_was_not() {
    const CLAIMS: usize = 400;
    let tree = docs().file("claims.jsonl", claims(CLAIMS));
    let whole = run(&mut batch(&tree, "whole.jsonl"));
    assert_eq!(whole.code, Some(0), "{}", whole.text());
    let lines_of = |name: &str| {
        std::fs::read_to_string(tree.path(name))
            .unwrap_or_default()
            .matches('\n')
            .count()
    };
    let (mut seed, mut seen, mut torn) = (0x9e37_79b9_u64, 0, 0);
    for _ in 0..KILLS {
        let mut child = batch(&tree, "killed.jsonl")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        // After so many results more, and a moment that is anywhere in the next one: machines differ in what they do in a time.
        let enough = seen
            + usize::try_from((seed >> 33) % (2 * CLAIMS as u64 / KILLS)).expect("a small number");
        while lines_of("killed.jsonl") < enough && child.try_wait().expect("a status").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros((seed >> 20) % 3_000));
        let _ = child.kill();
        let _ = child.wait();
        let lines = lines_of("killed.jsonl");
        assert!(lines >= seen, "results were lost: {lines} after {seen}");
        torn += usize::from(lines > 0 && lines < CLAIMS);
        seen = lines;
    }
    assert!(torn > 0, "no kill came in the middle of the batch");
    let last = run(&mut batch(&tree, "killed.jsonl"));
    assert_eq!(last.code, Some(0), "{}", last.text());
    let read = |name: &str| std::fs::read_to_string(tree.path(name)).expect("results");
    assert!(
        read("killed.jsonl") == read("whole.jsonl"),
        "the results differ"
    );
    assert_eq!(read("whole.jsonl").lines().count(), CLAIMS);
    let again = run(&mut batch(&tree, "killed.jsonl"));
    assert!(
        again.code == Some(0) && read("killed.jsonl") == read("whole.jsonl"),
        "{}",
        again.text()
    );
}

#[test]
fn a_cap_of_a_batch_holds_over_several_runs() {
    let tree = docs().file("claims.jsonl", claims(30));
    let capped = |most: &str| run(batch(&tree, "out.jsonl").args(["--max-queries", most]));
    let used = || {
        let text = std::fs::read_to_string(tree.path("out.jsonl")).unwrap_or_default();
        let queries = |line: &str| {
            serde_json::from_str::<Value>(line).expect("JSON")["debug"]["total_queries"]
                .as_u64()
                .expect("a number")
        };
        (text.lines().count(), text.lines().map(queries).sum::<u64>())
    };
    for _ in 0..2 {
        let run = capped("40");
        run.is_one_error(1, "all 40 queries of the cap are used");
        let (lines, queries) = used();
        assert!(
            lines < 30 && queries <= 40,
            "{lines} lines, {queries} queries"
        );
    }
    assert_eq!(capped("100000").code, Some(0));
    assert_eq!(used().0, 30);
}

#[test]
fn a_batch_that_cannot_be_run_says_why() {
    let tree = docs().file("claims.jsonl", "{\"claim\": \"a\"}\n{\"clam\": \"b\"}\n");
    run(&mut batch(&tree, "out.jsonl")).is_one_error(2, "line 2");
    let tree = docs().file(
        "claims.jsonl",
        "{\"claim\": \"The cache is on\", \"from\": \"soon\"}\n",
    );
    run(&mut batch(&tree, "out.jsonl")).is_one_error(2, "`soon` is not a date");
}

#[test]
fn the_judges_are_chosen_and_one_that_is_missing_is_told() {
    let tree = docs();
    let words = [
        "verify",
        "The default timeout is 30 seconds",
        "--corpus",
        "docs",
    ];
    for judges in ["[model]", "[words, model]"] {
        let person = Person::new().config(&format!("verify:\n  judges: {judges}\n"));
        let run = person.run(tree.root(), &words);
        assert_eq!(run.code, Some(0), "{}", run.text());
        let told = "`verify.judges` names `model`, which is not set up (--model or `model.use`)";
        assert!(run.text().contains(told), "{}", run.text());
    }
    let person = Person::new().config("verify:\n  judges: [words]\n");
    let run = person.run(tree.root(), &words);
    assert!(
        run.code == Some(0) && !run.text().contains("warning"),
        "{}",
        run.text()
    );
    let person = Person::new().config("verify:\n  judges: [oracle]\n");
    assert_eq!(person.run(tree.root(), &words).code, Some(2));
}

#[test]
fn a_repository_does_not_choose_who_judges() {
    let tree = docs().file(".grounds.yaml", "verify:\n  judges: [words]\n");
    let words = [
        "verify",
        "The default timeout is 30 seconds",
        "--corpus",
        "docs",
    ];
    let run = Person::new().run(tree.root(), &words);
    assert!(
        run.code == Some(2) && run.text().contains("verify.judges"),
        "{}",
        run.text()
    );
}

#[test]
fn a_claim_about_code_is_decided_by_the_repository_that_is_named() {
    let tree = Tree::of(&[
        (
            "src/orders.py",
            "LIMIT = 5\n\ndef total_price(items):\n    return sum(items)\n",
        ),
        (
            "src/receipts.py",
            "from orders import total_price\n\ndef receipt(items):\n    return total_price(items)\n",
        ),
    ]);
    let verify = |claim: &str| {
        run(grounds(tree.root())
            .args(["verify", "--format", "json", "--repo"])
            .arg(tree.root())
            .arg(claim))
    };
    for (claim, code, outcome, quote) in [
        (
            "`total_price` is defined in `src/orders.py`.",
            0,
            "True",
            "def total_price(items):",
        ),
        (
            "`total_price` is defined in `src/receipts.py`",
            6,
            "False",
            "def total_price(items):",
        ),
        (
            "`receipt` calls `total_price`",
            0,
            "True",
            "return total_price(items)",
        ),
        ("`LIMIT` is 6", 6, "False", "LIMIT = 5"),
    ] {
        let run = verify(claim);
        let result = result(&run);
        assert_eq!(
            (run.code, &result["outcome"]),
            (Some(code), &outcome.into()),
            "{claim}"
        );
        assert_eq!(result["sources"][0]["excerpt"], quote, "{claim}");
    }
    // What is said beside it, and what is no statement about this code, is not decided by it.
    for claim in [
        "`total_price` is defined in `src/orders.py` and was written by Ada",
        "`receipt` calls `total_price` twice a day",
        "`total_price` is defined in `src/receipts.py` of another project",
        "`nothing_of_it` is defined in `src/orders.py` by tomorrow",
        "The default timeout is 30 seconds",
    ] {
        assert_eq!(verify(claim).code, Some(2), "{claim}");
    }
}
