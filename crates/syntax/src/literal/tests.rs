//! Literals of many languages, with what is put into them.

use super::LiteralPart;
use crate::{Parser, languages};

/// The literal around the first `needle`, with `·` for a hole.
#[track_caller]
fn check(file: &str, source: &str, needle: &str, expected: Option<&str>) {
    let language = languages::of_name(file).expect("a language");
    let parse = Parser::default()
        .parse(language, source.as_bytes(), &|| false)
        .expect("a parse");
    let at = source.find(needle).expect("the needle");
    let shown = parse.literal(at).map(|literal| {
        literal
            .parts
            .iter()
            .map(|part| {
                if let LiteralPart::Text(text) = part {
                    text.as_str()
                } else {
                    "·"
                }
            })
            .collect::<String>()
    });
    assert_eq!(shown.as_deref(), expected, "{file}: {source}");
}

#[test]
fn values_that_are_put_in_are_holes() {
    check(
        "a.py",
        "raise E(f'no {name!r} in {place}')\n",
        "no ",
        Some("no · in ·"),
    );
    check(
        "a.js",
        "throw new Error(`no ${name} here`)\n",
        "no ",
        Some("no · here"),
    );
    check(
        "a.rb",
        "raise \"no #{name} here\"\n",
        "no ",
        Some("no · here"),
    );
    check(
        "a.cs",
        "class A { string f(int x) { return $\"no {x} here\"; } }\n",
        "no ",
        Some("no · here"),
    );
    check(
        "a.kt",
        "fun f(x: Int) = error(\"no ${x} here\")\n",
        "no ",
        Some("no · here"),
    );
    check(
        "a.rs",
        "fn f() { bail!(\"no {name} here\"); }\n",
        "no ",
        Some("no {name} here"),
    );
    check(
        "a.go",
        "package a\nvar e = fmt.Errorf(\"no %q: %w\", a, b)\n",
        "no ",
        Some("no %q: %w"),
    );
}

#[test]
fn what_is_joined_is_one() {
    check(
        "a.py",
        "x = ('could not '\n     'open ' + name + ' now')\n",
        "open",
        Some("could not open · now"),
    );
    check(
        "a.c",
        "char *x = \"could \" \"not %\" PRIu64 \" open\";\n",
        "not",
        Some("could not %· open"),
    );
    check(
        "A.java",
        "class A { String f(int x) { return \"no \" + x + \" here\"; } }\n",
        "here",
        Some("no · here"),
    );
    check(
        "a.rs",
        "fn f() -> &'static str { \"could \\\n     not\" }\n",
        "could",
        Some("could not"),
    );
    check(
        "a.php",
        "<?php throw new E(\"no $name\" . ' here' . $x);\n",
        "here",
        Some("no · here·"),
    );
    check(
        "a.go",
        "package a\nvar e = \"could not \" +\n\t\"open\"\n",
        "open",
        Some("could not open"),
    );
}

#[test]
fn escapes_are_resolved() {
    check(
        "a.c",
        "char *x = \"can\\'t \\\"open\\\"\\n\";\n",
        "open",
        Some("can't \"open\"\n"),
    );
    check(
        "a.py",
        "x = r\"\"\"a raw one\"\"\"\n",
        "raw",
        Some("a raw one"),
    );
    check(
        "a.rs",
        "const A: &str = r#\"a raw one\"#;\n",
        "raw",
        Some("a raw one"),
    );
}

#[test]
fn comments_documentation_and_code_are_no_literals() {
    check(
        "a.py",
        "def f():\n    \"\"\"No such thing.\"\"\"\n",
        "No such",
        None,
    );
    check("a.rs", "// no such thing\nfn f() {}\n", "no such", None);
    check("a.rs", "fn no_such() {}\n", "no_such", None);
    check(
        "a.c",
        "#define E \"no such thing\"\n",
        "no such",
        Some("no such thing"),
    );
}

#[test]
fn what_is_hostile_does_no_harm() {
    for source in [
        "\"",
        "'",
        "\"\\",
        "f\"{",
        "\"\"\"",
        "\"a\" + ",
        "`${",
        "\"\\u{ffffffff}x\"",
    ] {
        for file in ["a.py", "a.rs", "a.js", "a.c", "a.rb"] {
            let language = languages::of_name(file).expect("a language");
            let parse = Parser::default()
                .parse(language, source.as_bytes(), &|| false)
                .expect("a parse");
            for at in 0..source.len() {
                let _ = parse.literal(at);
            }
        }
    }
}
