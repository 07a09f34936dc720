//! Wordings of `wordings.md` against a small tree: each is understood as its claims, or not at all.

use grounds_ask::{Investigation, QuestionBudget, investigate, plain_claim, understand};
use grounds_evidence::Outcome;
use grounds_evidence::requirement::Bar;
use grounds_repo::checkout::Checkout;
use grounds_repo::means::Means;
use grounds_repo::survey::Progress;

const POOL: &str = "import os\n\n\nclass Timeout(Exception):\n    pass\n\n\n\
class Session:\n    def close(self):\n        pass\n\n\n\
class Pool:\n    def drain(self):\n        raise Timeout(os.environ[\"POOL_WAIT\"])\n\n\n\
def open_all(pool):\n    pool.drain()\n    return Session()\n\n\n\
def drain_all(pool):\n    open_all(pool).close()\n    return open_all(pool)\n\n\n\
class PoolTimeout(Timeout):\n    pass\n";
/// Functions with names that questions use as words.
const WORDS: &str = "from pool import open_all\n\n\n\
def main():\n    show(3)\n    remove()\n\n\n\
def show(limit=10, *, deep=False):\n    return open_all(limit)\n\n\n\
def remove():\n    pass\n\n\n\
def each():\n    pass\n";
const TESTS: &str = "from pool import open_all\n\n\ndef test_open():\n    assert open_all(None)\n";
const MANIFEST: &str = "[project]\nname = \"depot\"\nlicense = \"MIT\"\n\
requires-python = \">=3.9\"\ndependencies = [\n    \"attrs>=1\",\n]\n";

fn ask(question: &str) -> Investigation {
    let tree = tempfile::tempdir().expect("a folder");
    for (path, text) in [
        ("src/pool.py", POOL),
        ("src/words.py", WORDS),
        ("tests/test_pool.py", TESTS),
        ("pyproject.toml", MANIFEST),
    ] {
        let path = tree.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let checkout = Checkout::open(tree.path()).expect("it opens");
    investigate(
        understand(question).expect("a question"),
        &checkout,
        &QuestionBudget::default(),
        Bar::Default,
        &Means::default(),
        &Progress::default(),
        &|_| {},
    )
}

#[test]
fn every_wording_is_understood_as_its_claims() {
    let page = include_str!("wordings.md");
    let mut wrong = Vec::new();
    for (question, expected) in page.lines().filter_map(|line| line.split_once(" => ")) {
        let seen = ask(question);
        let mut claims: Vec<String> = seen
            .understood
            .iter()
            .flat_map(|understood| &understood.claims)
            .map(ToString::to_string)
            .collect();
        // A plain question goes the older way, which keeps no claim.
        if seen.understood.is_none() {
            claims.extend(plain_claim(&seen.question).map(|claim| claim.to_string()));
        }
        let is_answered = seen.outcome == Outcome::Answered;
        let fits = match expected {
            "?" => !is_answered,
            _ => claims.join(" ") == expected,
        };
        if !fits {
            wrong.push(format!(
                "{question}\n  is {} ({:?}), not {expected}",
                claims.join(" "),
                seen.outcome
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
