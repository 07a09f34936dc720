//! Heads of definitions in every language, and the comments that document them.

use crate::{Parser, doc_comment, languages};

/// The signature and the documentation of the definition `name`.
fn head(file: &str, code: &str, name: &str) -> (String, Option<String>) {
    let language = languages::of_name(file).expect("a language");
    let parser = Parser::default();
    let parse = parser
        .parse(language, code.as_bytes(), &|| false)
        .expect("a tree");
    let found = parse
        .members(0..code.len(), 100)
        .into_iter()
        .map(|member| member.range);
    let all = parse
        .definitions(100)
        .into_iter()
        .map(|(at, _)| at)
        .chain(found);
    let range = all
        .into_iter()
        .find(|at| &code[at.clone()] == name)
        .expect("the definition");
    let label = parse.label(range.clone());
    let text = |range: std::ops::Range<usize>| code[range].to_owned();
    (
        text(parse.signature(&range, &label)),
        doc_comment(code.as_bytes(), &label.item).map(text),
    )
}

#[test]
fn a_signature_ends_where_the_body_opens() {
    let cases = [
        (
            "a.rs",
            "#[inline]\npub fn f<T>(\n    a: T,\n) -> u8\nwhere\n    T: Copy,\n{\n    1\n}\n",
            "pub fn f<T>(\n    a: T,\n) -> u8\nwhere\n    T: Copy,",
        ),
        (
            "a.rs",
            "pub struct f<T> {\n    x: T,\n}\n",
            "pub struct f<T>",
        ),
        ("a.rs", "pub struct f(pub u8);\n", "pub struct f(pub u8)"),
        (
            "a.rs",
            "impl Tool for X {}\npub const f: &[u8] = &[1,\n 2];\n",
            "pub const f: &[u8] = &[1,",
        ),
        (
            "a.rs",
            "trait T { fn f(&self, a: u8) -> u8; }\n",
            "fn f(&self, a: u8) -> u8",
        ),
        (
            "a.py",
            "@deco(1)\nasync def f(a: int = 1,\n      b=lambda: 2) -> str:\n    pass\n",
            "async def f(a: int = 1,\n      b=lambda: 2) -> str",
        ),
        (
            "a.py",
            "class f(Base, metaclass=M):\n    x = 1\n",
            "class f(Base, metaclass=M)",
        ),
        (
            "a.js",
            "export default async function f(a, b = () => { 1 }) {\n  return 1;\n}\n",
            "export default async function f(a, b = () => { 1 })",
        ),
        (
            "a.js",
            "export const f = async (a) => {\n  return 1;\n};\n",
            "export const f = async (a)",
        ),
        (
            "a.ts",
            "export interface f<T> extends A {\n  x: T;\n}\n",
            "export interface f<T> extends A",
        ),
        (
            "a.go",
            "package p\nfunc (l *Ledger) f(a int,\n\tb int) (int, error) {\n}\n",
            "func (l *Ledger) f(a int,\n\tb int) (int, error)",
        ),
        (
            "a.java",
            "class A {\n  @Override\n  public <T> void f(int a) throws X {\n  }\n}\n",
            "public <T> void f(int a) throws X",
        ),
        (
            "a.c",
            "static inline int\nf(int a,\n  int b)\n{\n\treturn 1;\n}\n",
            "static inline int\nf(int a,\n  int b)",
        ),
        (
            "a.cpp",
            "template <class T>\nT f(T a) noexcept {\n  return a;\n}\n",
            "template <class T>\nT f(T a) noexcept",
        ),
        (
            "a.rb",
            "class A\n  def f(a, b: 1)\n    a\n  end\nend\n",
            "def f(a, b: 1)",
        ),
        ("a.rb", "def f\nend\n", "def f"),
        (
            "a.php",
            "<?php\nclass A {\n  #[Noted]\n  public static function f(int $a): ?string {\n  }\n}\n",
            "public static function f(int $a): ?string",
        ),
        (
            "a.cs",
            "class A {\n  [Fact]\n  public int f(int a) => a;\n}\n",
            "public int f(int a)",
        ),
        (
            "a.kt",
            "class A {\n  @Test fun <T> f(a: T): Int = 1\n}\n",
            "fun <T> f(a: T): Int",
        ),
        (
            "a.swift",
            "struct A {\n  @Noted public func f(a: Int) throws -> Int {\n  }\n}\n",
            "public func f(a: Int) throws -> Int",
        ),
        (
            "a.scala",
            "object A {\n  def f[T](a: T): Int = {\n    1\n  }\n}\n",
            "def f[T](a: T): Int",
        ),
        (
            "a.lua",
            "local function f(a, b)\n  return a\nend\n",
            "local function f(a, b)",
        ),
        ("a.sh", "function f() {\n  true\n}\n", "function f()"),
        (
            "a.zig",
            "pub fn f(a: u8) u8 {\n    return a;\n}\n",
            "pub fn f(a: u8) u8 {",
        ),
    ];
    for (file, code, expected) in cases {
        let (signature, _) = head(file, code, "f");
        assert_eq!(
            signature.trim_end_matches([' ', '{']),
            expected.trim_end_matches([' ', '{']),
            "{file}: {code}"
        );
    }
}

#[test]
fn a_documentation_comment_is_given_whole() {
    let cases = [
        (
            "a.rs",
            "use x;\n\n/// One.\n///\n/// Two.\n#[inline]\nfn f() {}\n",
            Some("/// One.\n///\n/// Two."),
        ),
        (
            "a.java",
            "class A {\n  /**\n   * One.\n     Two.\n   */\n  @Override\n  void f() {}\n}\n",
            Some("/**\n   * One.\n     Two.\n   */"),
        ),
        (
            "a.py",
            "def f(a,\n      b):\n    \"\"\"One.\n\n    Two.\n    \"\"\"\n    return 1\n",
            Some("\"\"\"One.\n\n    Two.\n    \"\"\""),
        ),
        (
            "a.go",
            "package p\n\n// One.\n// Two.\nfunc f() {}\n",
            Some("// One.\n// Two."),
        ),
        ("a.c", "#include <x.h>\nint f(void)\n{\n}\n", None),
        (
            "a.c",
            "int other; /* not of f */\nint f(void)\n{\n}\n",
            None,
        ),
        (
            "a.ts",
            "/** One. */\n@Component({\n  a: 1,\n})\nclass f {}\n",
            Some("/** One. */"),
        ),
        ("a.rs", "// far\n\nfn f() {}\n", None),
    ];
    for (file, code, expected) in cases {
        assert_eq!(
            head(file, code, "f").1.as_deref(),
            expected,
            "{file}: {code}"
        );
    }
}
