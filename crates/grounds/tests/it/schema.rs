//! The published schemas are those of the code, and every result keeps to them.

use std::path::Path;

use serde_json::Value;

use crate::suite::{cases, pages, tree_of};
use crate::support::{grounds, run};

/// `UPDATE_SUITE=1 cargo test` writes the schemas anew.
#[test]
fn the_published_schemas_are_those_of_the_code() {
    for name in [
        "about",
        "ask",
        "check",
        "config",
        "config-show",
        "doctor",
        "eval",
        "explain",
        "fleet-job",
        "fleet-result",
        "fleet-status",
        "history",
        "mcp",
        "recheck",
        "review",
        "rules",
        "verify",
        "verify-decide-input",
        "verify-decide",
    ] {
        let run = run(grounds(Path::new(".")).args(["schema", name]));
        let schema = String::from_utf8(run.out).expect("UTF-8");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../schemas/{name}.json"));
        if std::env::var_os("UPDATE_SUITE").is_some() {
            std::fs::write(&path, &schema).expect("the schema can be written");
        }
        let published = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(schema, published, "schemas/{name}.json is out of date");
    }
}

#[test]
fn every_result_of_the_suite_keeps_to_the_schema() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/ask.json");
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    let mut checked = 0;
    for case in pages()
        .iter()
        .flat_map(|page| cases(&std::fs::read_to_string(page).expect("a page")))
        .filter(|case| case.is_of("ask"))
    {
        let tree = tree_of(&case);
        let mut arguments: Vec<&str> = case
            .arguments
            .iter()
            .map(String::as_str)
            .filter(|word| *word != "--format" && *word != "json" && *word != "markdown")
            .collect();
        arguments.extend(["--format", "json"]);
        let run = run(grounds(tree.root())
            .current_dir(tree.root())
            .args(&arguments));
        let code = run.code.expect("the program ends by itself");
        if code == 2 {
            continue;
        }
        let result: Value = serde_json::from_slice(&run.out)
            .unwrap_or_else(|error| panic!("{}: {error}\n{}", case.heading, run.text()));
        let errors: Vec<String> = validator
            .iter_errors(&result)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{}: {errors:?}", case.heading);
        check_promises(&case.heading, &result, code);
        checked += 1;
    }
    assert!(checked >= 20, "only {checked} results were checked");
}

/// What the schema cannot say: an answer has citations that point at evidence, a refusal has a gap, the code is that of the outcome.
fn check_promises(heading: &str, result: &Value, code: i32) {
    let outcome = result["outcome"].as_str().expect("an outcome");
    let codes = [
        ("answered", 0),
        ("failed", 1),
        ("insufficient", 3),
        ("conflicting", 4),
        ("not_checkable", 5),
    ];
    let is_no = result["decision"] == "no";
    assert_eq!(is_no, code == 6, "{heading}");
    // That nothing is there is "no" to whether it is there.
    let is_decided = outcome == "answered" || result["refusal"] == "not_found";
    assert!(
        codes.contains(&(outcome, code)) || (is_no && is_decided),
        "{heading}: {outcome} ended with {code}"
    );
    let list = |name: &str| result[name].as_array().expect("a list").clone();
    let entries = list("evidence").len() as u64;
    assert_eq!(
        outcome == "answered",
        !list("citations").is_empty(),
        "{heading}"
    );
    assert_eq!(
        outcome == "insufficient",
        !list("gap").is_empty() || (outcome == "insufficient" && !result["understood"].is_null()),
        "{heading}"
    );
    // A claim is decided from the tree itself; only the other way keeps a ledger that citations point into.
    let is_claim = !result["understood"].is_null();
    for citation in list("citations") {
        let evidence = citation["evidence"].as_array().expect("a list").clone();
        assert!(
            (is_claim || !evidence.is_empty())
                && evidence
                    .iter()
                    .all(|id| id.as_u64().is_some_and(|id| id < entries)),
            "{heading}: {citation}"
        );
    }
}
