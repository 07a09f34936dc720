use super::position::{Encoding, IndexLines, IndexSpan};
use super::symbol::{Suffix, descriptors};
use super::wire::{FieldValue, Malformed, WireFields, number, packed};

#[track_caller]
fn names(symbol: &str, expected: &[(&str, Suffix)]) {
    let found = descriptors(symbol).unwrap_or_default();
    let found: Vec<(&str, Suffix)> = found
        .iter()
        .map(|name| (name.name.as_str(), name.suffix))
        .collect();
    assert_eq!(found, expected, "{symbol}");
}

#[test]
fn symbols_of_three_indexers_have_names() {
    use Suffix as S;
    names(
        "scip-typescript npm zod 4.0.0 src/v4/`a.ts`/Store#load().(key)",
        &[
            ("src", S::Namespace),
            ("v4", S::Namespace),
            ("a.ts", S::Namespace),
            ("Store", S::Type),
            ("load", S::Method),
            ("key", S::Parameter),
        ],
    );
    names(
        "rust-analyzer cargo a 0.1 net/impl#[Store][Read]load(+1).",
        &[
            ("net", S::Namespace),
            ("impl", S::Type),
            ("Store", S::TypeParameter),
            ("Read", S::TypeParameter),
            ("load", S::Method),
        ],
    );
    names(
        "scip-python python flask 3.0 `flask.app`/__init__:",
        &[("flask.app", S::Namespace), ("__init__", S::Meta)],
    );
    names(
        "s m a  name  b . `a``b`!x.",
        &[("a`b", S::Macro), ("x", S::Term)],
    );
}

#[test]
fn what_is_no_symbol_has_no_names() {
    let long = format!("s . . . {}", "a#".repeat(10_000));
    let deep = format!("s . . . {}", "a#".repeat(65));
    for text in [
        "",
        "local 4",
        "s . . .",
        "s . . . ",
        "s . . . a",
        "s . . . `a",
        "s . . . a(",
        "s . . . [a",
        "s . . . a?",
        "s . . . #",
        &long,
        &deep,
    ] {
        assert_eq!(descriptors(text), None, "{text}");
    }
}

#[test]
fn characters_are_counted_as_the_index_says() {
    let text = "x = '😀é'; Store\nStore".as_bytes();
    let lines = IndexLines::of(text);
    let span = |line, start, end| IndexSpan {
        line_start: line,
        character_start: start,
        line_end: line,
        character_end: end,
    };
    let at = |span, encoding| {
        lines
            .ranges(span, encoding)
            .map(|range| text[range].to_vec())
            .collect::<Vec<_>>()
    };
    let store = b"Store".to_vec();
    for (start, encoding) in [
        (14, Encoding::Utf8),
        (11, Encoding::Utf16),
        (10, Encoding::Utf32),
    ] {
        assert_eq!(
            at(span(0, start, start + 5), encoding),
            std::slice::from_ref(&store),
            "{encoding:?}"
        );
        assert!(at(span(0, start, start + 5), Encoding::Unsaid).contains(&store));
    }
    assert_eq!(at(span(1, 0, 5), Encoding::Utf16), [store]);
    for outside in [
        span(1, 0, 6),
        span(2, 0, 1),
        span(0, 6, 7),
        span(1, 5, 5),
        span(1, 5, 2),
        span(u32::MAX, u32::MAX, u32::MAX),
    ] {
        assert_eq!(
            at(outside, Encoding::Utf16),
            Vec::<Vec<u8>>::new(),
            "{outside:?}"
        );
    }
}

#[test]
fn what_does_not_fit_is_malformed() {
    assert_eq!(
        WireFields(&[0x0a, 2, b'h', b'i', 0x10, 3]).collect::<Vec<_>>(),
        [
            Ok((1, FieldValue::Bytes(b"hi"))),
            Ok((2, FieldValue::Number(3)))
        ]
    );
    let too_long: &[u8] = &[0xff; 11];
    let claims: &[u8] = &[
        0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1,
    ];
    for bytes in [
        &[0x0a][..],
        &[0x0a, 5, 1],
        &[0x0b],
        &[0x0d, 1],
        &[0x02, 0],
        too_long,
        claims,
    ] {
        assert_eq!(WireFields(bytes).last(), Some(Err(Malformed)), "{bytes:?}");
    }
    assert_eq!(
        number(&mut &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1][..]),
        Ok(u64::MAX)
    );
    assert_eq!(packed::<4>(&[1, 2, 3, 4, 5]), Err(Malformed));
}
