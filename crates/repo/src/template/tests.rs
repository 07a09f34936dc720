//! Which literals a message can come from, and which not.

use grounds_syntax::literal::LiteralPart;

use super::{LiteralFit, fit};
use crate::message::Message;

/// `·` in the literal is a value that the language puts in.
#[track_caller]
fn check(literal: &str, message: &str, expected: Option<LiteralFit>) {
    let mut parts = Vec::new();
    for (number, text) in literal.split('·').enumerate() {
        parts.extend((number > 0).then_some(LiteralPart::Hole));
        parts.extend((!text.is_empty()).then(|| LiteralPart::Text(text.to_owned())));
    }
    assert_eq!(
        fit(&parts, &Message::of(message)).map(|fitted| fitted.fit),
        expected,
        "{literal} | {message}"
    );
}

#[test]
fn the_literal_itself() {
    check("no such file", "no such file", Some(LiteralFit::Literal));
    check(
        "Could not open it.\n",
        "Could not open it",
        Some(LiteralFit::Literal),
    );
    check(
        "usage: x\nno such file\nbye",
        "no such file",
        Some(LiteralFit::Literal),
    );
    check("timeout", "timeout", Some(LiteralFit::Literal));
    check("timeouts", "timeout", None);
    check("no such files", "no such file", None);
}

#[test]
fn placeholders_of_every_language() {
    for literal in [
        "failed to open %s: line %d",
        "failed to open {}: line {}",
        "failed to open {path:?}: line {0}",
        "failed to open %(path)s: line %(line)d",
        "failed to open ${path}: line ${line}",
        "failed to open #{path}: line #{line}",
        "failed to open ·: line ·",
        "failed to open %1$s: line %2$d",
        "failed to open %{path}: line %<line>d",
        "failed to open $path: line $line",
        "failed to open %q: line %+v",
        "failed to open %-5.2lf: line %zu",
    ] {
        check(
            literal,
            "failed to open a/b.txt: line 42",
            Some(LiteralFit::Format),
        );
    }
    check(
        "100%% of {{x}} used by {}",
        "100% of {x} used by root",
        Some(LiteralFit::Format),
    );
}

#[test]
fn a_link_of_a_chain() {
    check(
        "cannot load config: %w",
        "cannot load config: parse error at line 4: unexpected token",
        Some(LiteralFit::Format),
    );
    check(
        "connection reset by peer",
        "connection reset by peer: 42",
        Some(LiteralFit::Format),
    );
    check(
        "Error while reading ·",
        "app: Error while reading 'x.y'",
        Some(LiteralFit::Format),
    );
    check(
        "timeout exceeded",
        "failed to acquire distributed lock: timeout exceeded",
        Some(LiteralFit::Loose),
    );
}

#[test]
fn a_part_of_the_words_is_not_the_message() {
    check(
        "failed to parse %s",
        "failed to parse the quantum header of this packet",
        Some(LiteralFit::Loose),
    );
    check(
        "failed to parse",
        "failed to parse the quantum header of this packet",
        None,
    );
    check("failed to %s", "failed to acquire distributed lock", None);
    check("%s: %s", "cannot open: no such file", None);
    check("error: {}", "error: no such file", None);
    check("could not find · in ·", "could find a in b", None);
    check("open failed", "reopen failed again", None);
    check("expected %s, got %s", "got int, expected str", None);
}

#[test]
fn what_is_hostile_does_no_harm() {
    for literal in [
        "%", "{", "${", "%(", "%(a)", "{{", "%ä", "$ä", "{ä}", "%1$", "·", "", "\n\n", "%%%%%",
        "%t", "%5z",
    ] {
        check(
            literal,
            "ä % { ${ }",
            fit(
                &[LiteralPart::Text(literal.to_owned())],
                &Message::of("ä % { ${ }"),
            )
            .map(|fitted| fitted.fit),
        );
        let _ = fit(
            &[LiteralPart::Text(literal.repeat(2_000))],
            &Message::of(&"ä %s {} ".repeat(200)),
        );
    }
}
