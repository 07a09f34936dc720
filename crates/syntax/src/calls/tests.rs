//! What an item calls, and on what.

use crate::{Parser, SyntaxCall, languages};

fn calls(file: &str, code: &str) -> Vec<String> {
    let language = languages::of_name(file).expect("a language");
    let parser = Parser::default();
    let parse = parser
        .parse(language, code.as_bytes(), &|| false)
        .expect("a tree");
    let show = |call: SyntaxCall| {
        call.receiver.map_or(call.name.clone(), |receiver| {
            format!("{receiver} · {}", call.name)
        })
    };
    parse
        .calls_in(0..code.len(), 100)
        .into_iter()
        .map(show)
        .collect()
}

#[test]
fn calls_are_listed_in_the_order_of_the_text_with_what_they_are_called_on() {
    let code = "fn f(&self) { free(by_name); self.store.put(key)\n    .last(); std::fs::read::<P>(p); check!(inner(1), a.b(2)); Vec::<T>::new(); }";
    let expected = [
        "free",
        "self.store · put",
        "self.store.put(key) · last",
        "std::fs · read",
        "check",
        "inner",
        "a · b",
        "Vec::<T> · new",
    ];
    assert_eq!(calls("a.rs", code), expected);
}

#[test]
fn every_language_says_what_a_method_is_called_on() {
    let cases = [
        (
            "a.py",
            "self.store.put(make(1))",
            vec!["self.store · put", "make"],
        ),
        (
            "a.js",
            "a?.put(1); new n.Entry()",
            vec!["a · put", "n · Entry"],
        ),
        (
            "a.go",
            "package p\nfunc f() { s.in.put(1) }",
            vec!["s.in · put"],
        ),
        (
            "a.java",
            "class A { void f() { this.s.put(1); new n.Entry(); } }",
            vec!["this.s · put", "n · Entry"],
        ),
        (
            "a.c",
            "void f(void) { s->put(1); g(); }",
            vec!["s · put", "g"],
        ),
        (
            "a.cpp",
            "void f() { s->put<T>(1); std::sort(a); }",
            vec!["s · put", "std · sort"],
        ),
        (
            "a.rb",
            "s = 1\ns.in.put 1\nEntry.new\nloud.in",
            vec![
                "s · in",
                "s.in · put",
                "Entry",
                "Entry · new",
                "loud",
                "loud · in",
            ],
        ),
        (
            "a.php",
            "<?php $s->put(1); Entry::build(); n\\go();",
            vec!["$s · put", "Entry · build", "n · go"],
        ),
        (
            "a.cs",
            "class A { void F() { s?.Put(1); new n.Entry(); } }",
            vec!["s · Put", "n · Entry"],
        ),
        (
            "a.kt",
            "fun f() { s?.put(1); Entry() }",
            vec!["s · put", "Entry"],
        ),
        (
            "a.swift",
            "func f() { s?.put(1); Entry() }",
            vec!["s · put", "Entry"],
        ),
        (
            "a.scala",
            "def f = { s.put(1); new Entry() }",
            vec!["s · put", "Entry"],
        ),
        ("a.lua", "s:put(1) t.go()", vec!["s · put", "t · go"]),
        (
            "a.sh",
            "build $(inner x) | last",
            vec!["build", "inner", "last"],
        ),
        (
            "a.zig",
            "fn f() void { std.debug.print(1); }",
            vec!["std.debug · print"],
        ),
        ("a.clj", "(defn f [x] (put-entry x))", vec!["put-entry"]),
    ];
    for (file, code, expected) in cases {
        assert_eq!(calls(file, code), expected, "{file}");
    }
}

#[test]
fn only_the_range_counts_and_only_so_many() {
    let code = "fn f() { one(); } fn g() { two(); three(); }";
    let language = languages::of_name("a.rs").expect("Rust");
    let parser = Parser::default();
    let parse = parser
        .parse(language, code.as_bytes(), &|| false)
        .expect("a tree");
    let names = |from: usize, most: usize| {
        parse
            .calls_in(from..code.len(), most)
            .into_iter()
            .map(|call| call.name)
            .collect::<Vec<String>>()
    };
    assert_eq!(names(18, 9), ["two", "three"]);
    assert_eq!(names(18, 1), ["two"]);
    assert_eq!(names(900, 9), [""; 0]);
}

#[test]
fn a_name_alone_is_a_call_of_ruby_unless_something_binds_it() {
    let code =
        "def run(kept)\n  reset\n  found = read\n  found\n  kept\n  render unless done?\nend\n";
    assert_eq!(calls("a.rb", code), ["reset", "read", "render", "done?"]);
}
