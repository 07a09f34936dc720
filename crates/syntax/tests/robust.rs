//! Whatever bytes come in: no panic, and a label for every range. The pages of
//! cases give the text; proptest cuts, repeats and breaks it.

use std::path::Path;
use std::time::{Duration, Instant};

use grounds_syntax::{Parser, highlight, languages};
use proptest::prelude::*;

/// Calls and members that are asked for.
const CALLS_MAX: usize = 9;

/// The code blocks of all pages with the names of their files.
fn blocks() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages");
    let mut blocks = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the pages").flatten() {
        let page = std::fs::read_to_string(entry.path()).expect("a page");
        let mut parts = page.split("\n```");
        parts.next();
        blocks.extend(
            parts
                .step_by(2)
                .filter_map(|part| part.split_once('\n'))
                .map(|(name, code)| (name.to_owned(), code.to_owned())),
        );
    }
    blocks.sort();
    blocks
}

fn look_at_everything(name: &str, source: &[u8]) {
    let Some(language) = languages::of_file(name, source) else {
        return;
    };
    let parser = Parser::default();
    let parse = parser
        .parse(language, source, &|| false)
        .expect("nothing stops the parser");
    for (range, label) in parse.definitions(1_000) {
        assert!(range.end <= source.len());
        let signature = parse.signature(&range, &label);
        assert!(
            signature.start <= signature.end && signature.end <= source.len(),
            "{name}: {signature:?}"
        );
        parse.is_public(&range, &label);
        parse.is_test(range);
    }
    assert!(parse.calls_in(0..source.len() + 3, CALLS_MAX).len() <= CALLS_MAX);
    assert!(parse.members(3..source.len(), CALLS_MAX).len() <= CALLS_MAX);
    parse.members(0..usize::MAX, CALLS_MAX);
    for start in (0..source.len()).step_by(7) {
        let end = (start + 5).min(source.len());
        let label = parse.label(start..end);
        assert!(label.item.end <= source.len(), "{name}: {label:?}");
        grounds_syntax::doc_line(source, &label.item);
        grounds_syntax::doc_comment(source, &label.item);
        parse.signature(&(start..end), &label);
        parse.is_public(&(start..end), &label);
        parse.test_around(start..end);
        let calls = parse.calls_in(start..end, CALLS_MAX);
        assert!(
            calls
                .iter()
                .all(|call| start <= call.range.start && call.range.end <= end),
            "{name}: {calls:?}"
        );
    }
    highlight::tokens(language, source);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn broken_code_of_every_language_gets_labels(
        block in proptest::sample::select(blocks()),
        cut in any::<proptest::sample::Index>(),
        at in any::<proptest::sample::Index>(),
        junk in proptest::collection::vec(any::<u8>(), 0..12),
    ) {
        let mut source = block.1.into_bytes();
        source.truncate(cut.index(source.len() + 1));
        let at = at.index(source.len() + 1);
        source.splice(at..at, junk);
        look_at_everything(&block.0, &source);
    }

    #[test]
    fn bytes_that_are_no_code_get_labels(block in proptest::sample::select(blocks()), bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        look_at_everything(&block.0, &bytes);
    }
}

/// Deep nesting of calls, types and blocks: an answer in time, whatever it is.
#[test]
fn deep_nesting_is_bounded() {
    let deep =
        |open: &str, close: &str| format!("{}x{}", open.repeat(20_000), close.repeat(20_000));
    let texts = [
        ("a.rs", format!("fn f() {{ {} }}", deep("g(", ")"))),
        ("a.js", deep("it('x', () => {", "})")),
        ("a.py", format!("class A(B):\n  y = {}", deep("f(", ")"))),
        ("a.java", deep("class A { ", "}")),
        ("a.rs", deep("mod a { ", "}")),
        ("a.rb", deep("a.b(", ")")),
        ("a.cpp", deep("namespace a { ", "}")),
    ];
    for (name, text) in texts {
        let language = languages::of_name(name).expect("a language");
        let parser = Parser::default();
        let start = Instant::now();
        let parse = parser
            .parse(language, text.as_bytes(), &|| {
                start.elapsed() > Duration::from_secs(10)
            })
            .expect("a tree");
        let at = text.find('x').expect("the middle");
        let label = parse.label(at..at + 1);
        parse.calls_in(0..text.len(), 1_000);
        parse.members(0..text.len(), 1_000);
        parse.test_around(at..at + 1);
        parse.signature(&(at..at + 1), &label);
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "{name}: {:?}",
            start.elapsed()
        );
    }
}

#[test]
fn an_error_beside_a_place_changes_nothing_of_what_stands_there() {
    let language = languages::of_name("a.c").expect("C");
    let broken = "int bad(void) { if (x FOO { return 1; } }\n";
    let sound = "static int good(int a)\n{\n\treturn other(a);\n}\n";
    let text = format!("{sound}\n{broken}\nstruct pair {{ int one; }};\n");
    let parser = Parser::default();
    for name in ["good", "other", "pair", "one"] {
        let start = text.find(name).expect("a name");
        let place = start..start + name.len();
        let beside = text.find("bad").map(|at| at..at + 3).expect("a name");
        let near = parser
            .parse_around(language, text.as_bytes(), &[place.clone(), beside], &|| {
                false
            })
            .expect("a parse");
        let whole = parser
            .parse(language, text.as_bytes(), &|| false)
            .expect("a parse");
        assert_eq!(
            near.label(place.clone()).relation,
            whole.label(place).relation,
            "{name}"
        );
    }
}
