//! What each language calls public.

use crate::{Parser, languages};

fn is_public(file: &str, code: &str, name: &str) -> Option<bool> {
    let language = languages::of_name(file).expect("a language");
    let parser = Parser::default();
    let parse = parser
        .parse(language, code.as_bytes(), &|| false)
        .expect("a tree");
    let is_whole = |at: &usize| !code[at + name.len()..].starts_with(char::is_alphanumeric);
    let at = code
        .match_indices(name)
        .map(|(at, _)| at)
        .find(is_whole)
        .expect("the name");
    let range = at..at + name.len();
    parse.is_public(&range, &parse.label(range.clone()))
}

#[test]
fn every_language_says_by_its_own_words_what_is_public() {
    let cases = [
        ("a.rs", "pub fn name() {}", Some(true)),
        ("a.rs", "pub(crate) fn name() {}", Some(false)),
        ("a.rs", "fn name() {}", Some(false)),
        ("a.rs", "pub trait T { fn name(&self); }", None),
        ("a.rs", "impl T for X { fn name(&self) {} }", None),
        ("a.rs", "impl X { pub async fn name(&self) {} }", Some(true)),
        ("a.rs", "pub struct S { name: u8 }", Some(false)),
        (
            "a.rs",
            "#[macro_export]\nmacro_rules! name { () => {}; }",
            Some(true),
        ),
        ("a.go", "package p\nfunc Name2() { name() }", Some(false)),
        ("a.py", "def name(): pass", Some(true)),
        ("a.py", "def _name(): pass", Some(false)),
        ("a.js", "export function name() {}", Some(true)),
        (
            "a.js",
            "export const x = 1;\nfunction name() {}",
            Some(false),
        ),
        ("a.js", "function name() {}", None),
        ("a.ts", "function name() {}\nexport { name };", Some(true)),
        ("a.ts", "class A { private name() {} }", Some(false)),
        ("a.ts", "class A { name() {} }", Some(true)),
        ("A.java", "class A { public void name() {} }", Some(true)),
        ("A.java", "public class A { void name() {} }", Some(false)),
        ("A.java", "interface A { void name(); }", Some(true)),
        ("a.cs", "class A { internal void name() {} }", Some(false)),
        ("a.kt", "class A { fun name() {} }", Some(true)),
        ("a.kt", "class A { private fun name() {} }", Some(false)),
        ("a.swift", "public struct A { func name() {} }", Some(false)),
        (
            "a.swift",
            "public struct A { public func name() {} }",
            Some(true),
        ),
        (
            "a.scala",
            "object A { private[x] def name = 1 }",
            Some(false),
        ),
        (
            "a.php",
            "<?php class A { protected function name() {} }",
            Some(false),
        ),
        ("a.php", "<?php class A { function name() {} }", Some(true)),
        ("a.c", "static int name(void) { return 1; }", Some(false)),
        ("a.c", "int name(void) { return 1; }", Some(true)),
        (
            "a.cpp",
            "class A { int name() { return 1; } };",
            Some(false),
        ),
        (
            "a.cpp",
            "class A { public: int x; int name() { return 1; } };",
            Some(true),
        ),
        (
            "a.cpp",
            "struct A { int name() { return 1; } };",
            Some(true),
        ),
        (
            "a.cpp",
            "namespace { int name() { return 1; } }",
            Some(false),
        ),
        ("a.rb", "class A\n  def name; end\nend", Some(true)),
        (
            "a.rb",
            "class A\n  private\n\n  def name; end\nend",
            Some(false),
        ),
        ("a.rb", "class A\n  private def name; end\nend", Some(false)),
        ("a.lua", "local function name() end", Some(false)),
        ("a.lua", "function M.name() end", Some(true)),
        ("a.sh", "name() { true; }", None),
        ("a.zig", "fn name() void {}", None),
    ];
    for (file, code, expected) in cases {
        let name = if code.contains("_name") {
            "_name"
        } else {
            "name"
        };
        assert_eq!(is_public(file, code, name), expected, "{file}: {code}");
    }
}
