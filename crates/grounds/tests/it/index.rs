//! A compiler's index beside the text: written by hand, by real indexers, and by
//! whoever means harm.

use std::path::Path;
use std::process::{Command, Stdio};

use grounds_evidence::{QuestionTarget, TargetKind, WantedRelation};
use grounds_repo::checkout::Checkout;
use grounds_repo::index::{self, Question};
use grounds_repo::limits::Limits;
use grounds_repo::within::Within;

use crate::scip::{DEFINES, Document, USES, field, index as scip_of, symbol, varint};
use crate::support::{Report, Tree, grounds, run};

const STORE: &str = "test . . . src/Store#";

const SOURCE: &str =
    "pub struct Store {\n    size: u32,\n}\n\nfn open() -> Store {\n    Store { size: 0 }\n}\n";

const DOCUMENT: Document<'_> = Document {
    path: "src/a.rs",
    encoding: 1,
    occurrences: &[
        (STORE, [0, 11, 16], DEFINES),
        (STORE, [4, 13, 18], USES),
        (STORE, [5, 4, 9], USES),
    ],
    implements: &[],
};

/// A tree with one source file and an index at its top.
fn tree(source: &str, documents: &[Document<'_>]) -> Tree {
    Tree::new()
        .file("src/a.rs", source)
        .file("index.scip", scip_of(documents))
}

#[track_caller]
fn agreement(report: &Report) -> String {
    report.json["confidence"]["agreement"]
        .as_str()
        .expect("a text")
        .to_owned()
}

#[test]
fn an_index_at_the_top_corroborates_the_search() {
    let report = tree(SOURCE, &[DOCUMENT]).ask("where is Store defined?");
    report.is_found_at("src/a.rs", 1);
    assert_eq!(agreement(&report), "search and reader and index agree");
    assert_eq!(report.json["index"]["producer"], "by-hand 1.0");
    assert_eq!(
        report.json["citations"].as_array().map(Vec::len),
        Some(1),
        "{:#}",
        report.json
    );
}

#[test]
fn an_index_that_is_given_counts_instead_and_one_that_is_not_there_is_an_error() {
    let tree = Tree::of(&[("src/a.rs", SOURCE)]);
    let given = Tree::new().file("given.scip", scip_of(&[DOCUMENT]));
    let ask = |file: &Path| {
        run(grounds(tree.root())
            .args([
                "--format",
                "json",
                "ask",
                "where is Store defined?",
                "--scip",
            ])
            .arg(file))
    };
    let report = Report::of(&ask(&given.path("given.scip")));
    assert_eq!(agreement(&report), "search and reader and index agree");
    ask(&given.path("none.scip")).is_one_error(2, "cannot read the index");
    ask(given.root()).is_one_error(2, "it is not a file");
}

#[test]
fn what_only_the_index_knows_is_answered_and_said_so() {
    let source = "#define A_SIZED(name) struct name { int size; }\nA_SIZED(Store);\n";
    let document = Document {
        path: "src/a.c",
        encoding: 1,
        occurrences: &[(STORE, [1, 8, 13], DEFINES)],
        implements: &[],
    };
    let tree = Tree::new()
        .file("src/a.c", source)
        .file("index.scip", scip_of(&[document]));
    let report = tree.ask("where is Store defined?");
    report.is_found_at("src/a.c", 2);
    assert_eq!(
        report.json["citations"][0]["what"],
        "defined here, says the index"
    );
    assert_eq!(agreement(&report), "reader and index agree");
}

#[test]
fn a_document_that_is_older_than_its_file_is_left_out_and_told() {
    let report =
        tree(&format!("// a new line\n{SOURCE}"), &[DOCUMENT]).ask("where is Store defined?");
    report.is_found_at("src/a.rs", 2);
    assert_eq!(agreement(&report), "search and reader agree");
    assert_eq!(
        (
            &report.json["index"]["stale"]["count"],
            &report.json["index"]["stale"]["examples"][0]
        ),
        (&1.into(), &"src/a.rs".into())
    );
}

#[test]
fn a_definition_that_the_index_sees_as_a_use_of_another_symbol_is_conflicting() {
    let other = symbol("src/b/Shop#");
    let document = Document {
        occurrences: &[(&other, [0, 11, 16], USES)],
        ..DOCUMENT
    };
    let kept = Document {
        path: "src/b.rs",
        occurrences: &[(&other, [0, 11, 15], DEFINES), (&other, [1, 8, 12], USES)],
        ..DOCUMENT
    };
    let alias = [(STORE, [4, 13, 18], USES), (STORE, [5, 4, 9], USES)];
    let document = Document {
        occurrences: &[document.occurrences[0], alias[0], alias[1]],
        ..document
    };
    let tree =
        tree(SOURCE, &[document, kept]).file("src/b.rs", "pub struct Shop;\nfn b(_: Shop) {}\n");
    let report = tree.ask("where is Store defined?");
    assert_eq!(
        (report.json["outcome"].as_str(), report.code),
        (Some("conflicting"), 4),
        "{:#}",
        report.json
    );
    assert_eq!(
        agreement(&report),
        "text and index say what cannot both be of 1 place"
    );
    assert_eq!(
        report.json["index"]["targets"][0]["disputes"][0]["index"],
        "a use of `src::b::Shop`"
    );
}

#[test]
fn a_place_that_the_index_does_not_know_is_told_and_excludes_nothing() {
    let document = Document {
        occurrences: &[(STORE, [4, 13, 18], USES)],
        ..DOCUMENT
    };
    let report = tree(SOURCE, &[document]).ask("where is Store defined?");
    report.is_found_at("src/a.rs", 1);
    assert_eq!(
        report.json["index"]["targets"][0]["unknown"]["examples"][0],
        "src/a.rs:1"
    );
    let elsewhere = tree(SOURCE, &[]).ask("where is Store defined?");
    elsewhere.is_found_at("src/a.rs", 1);
    assert_eq!(
        elsewhere.json["index"]["targets"][0]["not_indexed"]["count"],
        1
    );
}

#[test]
fn an_index_that_defines_a_name_in_a_comment_is_not_believed() {
    let source = "// Ghost is not here\nfn main() {}\n";
    let ghost = symbol("Ghost#");
    let document = Document {
        occurrences: &[(&ghost, [0, 3, 8], DEFINES)],
        ..DOCUMENT
    };
    let report = tree(source, &[document]).ask("where is Ghost defined?");
    assert_eq!(report.json["outcome"], "conflicting", "{:#}", report.json);
    assert_eq!(
        report.json["index"]["targets"][0]["disputes"][0]["text"],
        "a comment"
    );
}

#[test]
fn an_index_leads_to_no_file_outside_of_the_checkout() {
    let secret = Tree::new().file("secret.rs", "struct Secret;\n");
    let outside = secret.path("secret.rs").display().to_string();
    let name = symbol("Secret#");
    let document = |path| Document {
        path,
        encoding: 1,
        occurrences: &[],
        implements: &[],
    };
    let occurrences = [(name.as_str(), [0, 7, 13], DEFINES)];
    let paths = [
        outside.as_str(),
        "../secret.rs",
        "link/secret.rs",
        "link.rs",
        "src",
        "none.rs",
        "",
        "src/\0.rs",
    ];
    let documents = paths.map(|path| Document {
        occurrences: &occurrences,
        ..document(path)
    });
    let tree = tree(SOURCE, &documents)
        .link("link", secret.root())
        .link("link.rs", secret.path("secret.rs"));
    let report = tree.ask("where is Secret defined?");
    assert_eq!(
        (
            report.code,
            &report.json["index"]["unusable_documents"]["count"]
        ),
        (3, &paths.len().into()),
        "{:#}",
        report.json
    );
    assert_eq!(report.json["citations"].as_array().map(Vec::len), Some(0));
}

#[test]
fn uses_are_those_of_the_symbol_and_not_of_the_name() {
    let source = "struct Car;\nimpl Car { fn run(&self) {} }\nstruct Dog;\nimpl Dog { fn run(&self) {} }\nfn go(a: Car, b: Dog) {\n    a.run();\n    b.run();\n}\n";
    let (car, dog) = (symbol("impl#[Car]run()."), symbol("impl#[Dog]run()."));
    let occurrences = [
        (car.as_str(), [1, 14, 17], DEFINES),
        (&dog, [3, 14, 17], DEFINES),
        (&car, [5, 6, 9], USES),
        (&dog, [6, 6, 9], USES),
    ];
    let report = tree(
        source,
        &[Document {
            occurrences: &occurrences,
            ..DOCUMENT
        }],
    )
    .ask("who calls Car::run?");
    report.is_found_at("src/a.rs", 6);
    let lines: Vec<_> = report.json["citations"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|cited| cited["line_start"].as_u64())
        .collect();
    assert_eq!(lines, [Some(6)], "{:#}", report.json);
}

#[test]
fn characters_are_counted_in_what_the_document_says() {
    let source = "/* 😀é */ pub struct Store;\n";
    for (encoding, start) in [(1, 24), (2, 21), (3, 20), (0, 21)] {
        let occurrences = [(STORE, [0, start, start + 5], DEFINES)];
        let report = tree(
            source,
            &[Document {
                encoding,
                occurrences: &occurrences,
                ..DOCUMENT
            }],
        )
        .ask("where is Store defined?");
        assert_eq!(
            agreement(&report),
            "search and reader and index agree",
            "{encoding}"
        );
    }
}

#[test]
fn a_broken_index_is_told_and_shows_nothing() {
    let whole = scip_of(&[DOCUMENT]);
    let huge = [varint(2 << 3 | 2), varint(u64::MAX)].concat();
    let bad_text = field(2, &field(1, &[0xff, 0xfe]));
    let broken = [
        &b""[..],
        b"no index at all",
        &whole[..whole.len() - 3],
        &huge,
        &bad_text,
        &[0x12, 0x01, 0x0b],
        &[0; 64],
    ];
    for bytes in broken {
        let tree = Tree::new()
            .file("src/a.rs", SOURCE)
            .file("index.scip", bytes);
        let report = tree.ask("where is Store defined?");
        report.is_found_at("src/a.rs", 1);
        assert_eq!(agreement(&report), "search and reader agree");
        assert!(report.json["index"]["unusable"].is_string(), "{bytes:?}");
        tree.ask("where is Shop defined?").is_refused("cannot_tell");
    }
}

#[test]
fn an_index_that_is_a_link_is_not_followed() {
    let given = Tree::new().file("given.scip", scip_of(&[DOCUMENT]));
    let report = Tree::of(&[("src/a.rs", SOURCE)])
        .link("index.scip", given.path("given.scip"))
        .ask("where is Store defined?");
    assert!(report.json["index"].is_null());
}

/// Steps of a fixed sequence of numbers: the same mutations in every run.
fn next(state: &mut u64) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*state >> 33).unwrap_or(0)
}

/// Changes some bytes, cuts some off, or repeats some.
fn mutate(bytes: &[u8], state: &mut u64) -> Vec<u8> {
    let mut mutated = bytes.to_vec();
    for _ in 0..=next(state) % 3 {
        let at = next(state) % mutated.len().max(1);
        match (next(state) % 4, mutated.is_empty()) {
            (_, true) => {}
            (0 | 1, false) => mutated[at] = next(state).to_le_bytes()[0],
            (2, false) => mutated.truncate(at),
            (_, false) => mutated.extend_from_within(at..),
        }
    }
    mutated
}

#[test]
fn no_mutation_of_an_index_breaks_the_reader() {
    let class = symbol("Shop#");
    let implements = [(class.as_str(), STORE)];
    let whole = scip_of(&[Document {
        implements: &implements,
        ..DOCUMENT
    }]);
    let tree = Tree::of(&[("src/a.rs", SOURCE)]);
    let checkout = Checkout::open(tree.root()).expect("a folder");
    let target = QuestionTarget {
        text: "Store".to_owned(),
        kind: TargetKind::Identifier,
        wanted: WantedRelation::Uses,
    };
    let (limits, within) = (Limits::default(), Within::default());
    let file = tree.path("mutated.scip");
    let (mut state, mut usable) = (7, 0);
    for _ in 0..3_000 {
        std::fs::write(&file, mutate(&whole, &mut state)).expect("a file is written");
        let question = Question {
            checkout: &checkout,
            limits: &limits,
            within: &within,
            targets: vec![(0, &target, Vec::new())],
        };
        let Ok(said) = index::consult(&file, &question) else {
            continue;
        };
        usable += 1;
        for place in &said.answers[0].places {
            let line = SOURCE
                .lines()
                .nth(place.line as usize - 1)
                .expect("a line of the file");
            assert!(
                line[place.column as usize - 1..].starts_with("Store"),
                "{place:?}"
            );
        }
    }
    assert!(usable > 100, "{usable} mutations were an index");
}

/// Whether a program runs; where it does not, the test says so, and fails under CI.
fn runs(program: &str) -> bool {
    let runs = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|ended| ended.success());
    assert!(
        runs || std::env::var_os("CI").is_none(),
        "`{program}` is needed here"
    );
    if !runs {
        #[expect(clippy::print_stderr, reason = "a skipped test says why")]
        {
            eprintln!("skipped: `{program}` does not run here");
        }
    }
    runs
}

#[track_caller]
fn write_index(folder: &Path, program: &str, words: &[&str]) {
    let done = run(Command::new(program)
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null()));
    assert_eq!(done.code, Some(0), "{}", done.text());
}

#[test]
fn an_index_of_scip_typescript_verifies_and_grows_old() {
    if !runs("scip-typescript") {
        return;
    }
    let source = "export interface Store { load(key: string): number }\nexport class Memory implements Store {\n  load(key: string) { return key.length }\n}\nexport const smile = '😀'; export const memory: Store = new Memory();\n";
    let use_of_it = "import { Memory as Kept } from './a';\nexport function run() { return new Kept().load('x'); }\n";
    let tree = Tree::of(&[
        ("src/a.ts", source),
        ("src/b.ts", use_of_it),
        ("tsconfig.json", "{}"),
        ("package.json", "{\"name\": \"a\"}"),
    ]);
    write_index(tree.root(), "scip-typescript", &["index"]);
    for (question, line) in [
        ("where is Store defined?", 1),
        ("where is memory defined?", 5),
        ("who implements Store?", 2),
    ] {
        let report = tree.ask(question);
        report.is_found_at("src/a.ts", line);
        assert_eq!(
            agreement(&report),
            "search and reader and index agree",
            "{question}"
        );
        assert_eq!(report.json["index"]["stale"]["count"], 0);
    }
    let uses = tree.ask("who uses Memory?");
    assert_eq!(
        uses.json["index"]["targets"][0]["unnamed"]["examples"],
        serde_json::json!(["src/b.ts:1", "src/b.ts:2"]),
        "{:#}",
        uses.json
    );
    let older = tree
        .file("src/a.ts", format!("// new\n{source}"))
        .ask("where is Store defined?");
    older.is_found_at("src/a.ts", 2);
    assert_eq!(
        (
            agreement(&older).as_str(),
            &older.json["index"]["stale"]["count"]
        ),
        ("search and reader agree", &1.into())
    );
}

#[test]
fn an_index_of_scip_python_resolves_a_call_that_the_text_cannot() {
    if !runs("scip-python") {
        return;
    }
    let classes = "class Store:\n    def load(self, key):\n        return len(key)\n\n\nclass Memory(Store):\n    def load(self, key):\n        return 1\n";
    let call = "from pkg.a import Memory\n\n\ndef run():\n    return Memory().load('x')\n";
    let tree = Tree::of(&[
        ("pkg/__init__.py", ""),
        ("pkg/a.py", classes),
        ("pkg/b.py", call),
    ]);
    write_index(
        tree.root(),
        "scip-python",
        &["index", ".", "--project-name=t", "--project-version=1"],
    );
    let store = tree.ask("where is Store defined?");
    store.is_found_at("pkg/a.py", 1);
    assert_eq!(agreement(&store), "search and reader and index agree");
    let calls = tree.ask("who calls Memory.load?");
    calls.is_found_at("pkg/b.py", 5);
    let answer = calls.json["answer"].as_str().unwrap_or_default();
    assert!(
        answer.contains("is called in 1 place in 1 file") && !answer.contains("called in 0"),
        "{answer}"
    );
}

#[test]
fn an_index_of_rust_analyzer_tells_methods_of_one_name_apart() {
    if !runs("rust-analyzer") {
        return;
    }
    let source = "pub struct Car;\nimpl Car {\n    pub fn run(&self) {}\n}\npub struct Dog;\nimpl Dog {\n    pub fn run(&self) {}\n}\npub fn go(a: Car, b: Dog) {\n    a.run();\n    b.run();\n}\nmacro_rules! make { ($name:ident) => { pub struct $name; }; }\nmake!(Hidden);\n";
    let manifest =
        "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    let tree = Tree::of(&[("src/lib.rs", source), ("Cargo.toml", manifest)]);
    write_index(tree.root(), "rust-analyzer", &["scip", "."]);
    let calls = tree.ask("who calls Car::run?");
    let lines: Vec<_> = calls.json["citations"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|cited| cited["line_start"].as_u64())
        .collect();
    assert_eq!(lines, [Some(10)], "{:#}", calls.json);
    let car = tree.ask("where is Car defined?");
    assert_eq!(
        agreement(&car),
        "search and reader and index agree",
        "{:#}",
        car.json
    );
    let hidden = tree.ask("where is Hidden defined?");
    hidden.is_found_at("src/lib.rs", 14);
    assert_eq!(
        hidden.json["citations"][0]["what"],
        "defined here, says the index"
    );
}
