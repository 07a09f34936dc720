//! Whatever bytes come in: no panic, and a label for every range. The pages of
//! cases give the text; proptest cuts, repeats and breaks it.

use std::path::Path;

use grounds_syntax::{Parser, highlight, languages};
use proptest::prelude::*;

/// The code blocks of all pages with the names of their files.
fn blocks() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages");
    let mut blocks = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the pages").flatten() {
        let page = std::fs::read_to_string(entry.path()).expect("a page");
        let mut parts = page.split("\n```");
        parts.next();
        blocks.extend(parts.step_by(2).filter_map(|part| part.split_once('\n')).map(|(name, code)| (name.to_owned(), code.to_owned())));
    }
    blocks.sort();
    blocks
}

fn look_at_everything(name: &str, source: &[u8]) {
    let Some(language) = languages::of_file(name, source) else { return };
    let parser = Parser::default();
    let parse = parser.parse(language, source, &|| false).expect("nothing stops the parser");
    for (range, _) in parse.definitions(1_000) {
        assert!(range.end <= source.len());
    }
    for start in (0..source.len()).step_by(7) {
        let end = (start + 5).min(source.len());
        let label = parse.label(start..end);
        assert!(label.item.end <= source.len(), "{name}: {label:?}");
        grounds_syntax::doc_line(source, &label.item);
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
