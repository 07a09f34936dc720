//! The tests of every language, and what only looks like one.

use crate::{Parser, languages};

/// The name of the test around the word `here`.
fn around(file: &str, code: &str) -> Option<String> {
    let language = languages::of_name(file).expect("a language");
    let parser = Parser::default();
    let parse = parser
        .parse(language, code.as_bytes(), &|| false)
        .expect("a tree");
    let at = code.find("here").expect("the word");
    parse.test_around(at..at + 4).map(|test| test.name)
}

#[test]
fn every_language_says_which_test_a_place_stands_in() {
    let cases = [
        ("a.rs", "#[test]\nfn holds() { here(); }", "holds"),
        (
            "a.rs",
            "/// Doc.\n#[tokio::test(flavor = \"x\")]\n// why\nasync fn holds() { here(); }",
            "holds",
        ),
        (
            "a.rs",
            "#[cfg(test)]\nmod tests { fn helper() { here(); } }",
            "tests",
        ),
        (
            "a.py",
            "class TestLedger:\n    def test_push(self):\n        here()\n",
            "test_push",
        ),
        (
            "a.py",
            "class TestLedger:\n    def helper(self):\n        here()\n",
            "TestLedger",
        ),
        (
            "a.go",
            "package p\nfunc TestPush(t *testing.T) { t.Run(\"x\", func() { here() }) }",
            "TestPush",
        ),
        (
            "a.go",
            "package p\nfunc BenchmarkPush(b *testing.B) { here() }",
            "BenchmarkPush",
        ),
        (
            "A.java",
            "class A { @Test @Slow(1) void holds() { here(); } }",
            "holds",
        ),
        (
            "A.java",
            "class A { @org.junit.Test(expected = X.class)\n public void holds() { here(); } }",
            "holds",
        ),
        (
            "A.java",
            "class A extends TestCase { public void testPush() { here(); } }",
            "testPush",
        ),
        (
            "a.kt",
            "class A { @Test fun `holds well`() { here() } }",
            "`holds well`",
        ),
        (
            "a.cs",
            "class A { [Fact] public void Holds() { Here(); here(); } }",
            "Holds",
        ),
        (
            "a.cs",
            "class A { [Trait(\"a\", \"b\"), Xunit.Theory] public void Holds() { here(); } }",
            "Holds",
        ),
        (
            "a.js",
            "describe('ledger', function () { it(\"pushes\", async () => { here(); }); });",
            "pushes",
        ),
        (
            "a.ts",
            "test.each([1, 2])('adds %i', (x) => { here(); });",
            "adds %i",
        ),
        ("a.ts", "it.only(`does it`, () => here());", "does it"),
        ("a.cpp", "TEST(Ledger, Pushes) { here(); }", "Ledger.Pushes"),
        (
            "a.cpp",
            "TEST_CASE(\"pushes well\", \"[tag]\") { here(); }",
            "pushes well",
        ),
        (
            "a.c",
            "static void test_push(void) { here(); }",
            "test_push",
        ),
        (
            "a.rb",
            "describe Ledger do\n  it 'pushes' do\n    here\n  end\nend\n",
            "pushes",
        ),
        (
            "a.rb",
            "describe Ledger do\n  before { here }\nend\n",
            "Ledger",
        ),
        (
            "a.rb",
            "class A\n  def test_push\n    here\n  end\nend\n",
            "test_push",
        ),
        (
            "a.php",
            "<?php class A { public function testPush() { here(); } }",
            "testPush",
        ),
        (
            "a.php",
            "<?php class A { #[Test] public function holds() { here(); } }",
            "holds",
        ),
        (
            "a.php",
            "<?php class A { /** @test */ public function holds() { here(); } }",
            "holds",
        ),
        (
            "a.swift",
            "class A: XCTestCase { func testPush() { here() } }",
            "testPush",
        ),
        ("a.swift", "@Test func holds() { here() }", "holds"),
        (
            "a.scala",
            "class A extends FunSuite { test(\"pushes\") { here() } }",
            "pushes",
        ),
        (
            "a.lua",
            "describe('ledger', function() it('pushes', function() here() end) end)",
            "pushes",
        ),
        ("a.bats", "test_push() { here; }", "test_push"),
    ];
    for (file, code, name) in cases {
        assert_eq!(around(file, code).as_deref(), Some(name), "{file}: {code}");
    }
}

#[test]
fn what_only_looks_like_a_test_is_none() {
    let cases = [
        ("a.rs", "#[cfg(not(test))]\nmod real { fn f() { here(); } }"),
        ("a.rs", "#[cfg_attr(test, derive(Debug))]\nstruct here;"),
        ("a.rs", "#[test]\nfn other() {}\nfn f() { here(); }"),
        ("a.go", "package p\nfunc Testify() { here() }"),
        ("a.py", "def testing(): here()\n"),
        ("a.py", "class Testing:\n    x = here\n"),
        ("a.js", "it(here);"),
        ("a.js", "regex.test('x', here);"),
        ("A.java", "class A { @Testing void f() { here(); } }"),
        ("a.cpp", "void f() { TESTING(1); { here(); } }"),
        ("a.zig", "fn f() void { here(); }"),
    ];
    for (file, code) in cases {
        assert_eq!(around(file, code), None, "{file}: {code}");
    }
}
