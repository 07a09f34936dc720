//! Whether a test that a change skips ran before it. A new test that waits for its fix hides
//! nothing, and neither does one that was skipped in another way: `test-skipped` notes both.

use std::ops::Range;

use super::limits::RuleLimits;
use super::side::{RulePlace, SideText};

/// The rule whose findings are asked about.
pub(super) const RULE: &str = "test-skipped";
/// Bytes above a test in which its marks are looked for, as the base had them.
const MARKS_BYTES_MAX: usize = 600;
/// What skips a test, or lets it fail, in one language or another.
const SKIPS: &[&str] = &[
    ".skip",
    "skip(",
    "skipif",
    "skiptest",
    "skipnow(",
    "skipf(",
    "skip =",
    "xfail",
    "expectedfailure",
    "@disabled",
    "@ignore",
    "[ignore",
    "ignore(",
    "xit(",
    "xdescribe(",
    "xtest(",
    "xit ",
    "xdescribe ",
    "xcontext ",
    "skip '",
    "skip \"",
    "marktest",
];
/// Calls that name a test, or skip one that they name.
const CALLS: &[&str] = &[
    "it",
    "test",
    "describe",
    "context",
    "suite",
    "specify",
    "xit",
    "xdescribe",
    "xtest",
    "xcontext",
    "xspecify",
];
/// What keeps the others from running: it matters for a new test too.
const ALONE: &[&str] = &[".only", "fit(", "fdescribe("];

/// Whether the test at a place did not run at the base: it was not there, or was skipped there.
pub(super) fn never_ran(head: &SideText, base: Option<&SideText>, place: &RulePlace) -> bool {
    let text = &head.text[place.range.clone()];
    if ALONE
        .iter()
        .any(|mark| text.starts_with(mark) || called(text).ends_with(mark))
    {
        return false;
    }
    let Some(base) = base else {
        return true;
    };
    match title(text) {
        Some(title) => {
            let mut before = base.text.match_indices(title).peekable();
            before.peek().is_none() || before.all(|(at, _)| is_skipped(line_before(&base.text, at)))
        }
        None => subject(head, place).is_some_and(|name| match of_name(base, &name) {
            Some(test) => is_skipped(&base.text[test]),
            None => !["'", "\""]
                .iter()
                .any(|quote| base.text.contains(&format!("{quote}{name}{quote}"))),
        }),
    }
}

/// What a call is called by, up to its bracket.
fn called(text: &str) -> &str {
    let end = text.find('(').map_or(text.len(), |at| at + 1);
    let name = &text[..end];
    if name.starts_with(['f', 'x']) {
        name
    } else {
        name.trim_end_matches('(')
    }
}

/// The string that names the test in a call that skips it, with its quotes; `None` if the call is of another kind.
fn title(text: &str) -> Option<&str> {
    let rest =
        text.trim_start_matches(|letter: char| letter.is_ascii_alphabetic() || letter == '.');
    let first = text.split([' ', '(', '.']).next().unwrap_or_default();
    let start = text.len()
        - rest
            .trim_start_matches(|letter: char| letter == '(' || letter.is_whitespace())
            .len();
    let quote = text[start..]
        .chars()
        .next()
        .filter(|letter| "'\"`".contains(*letter))?;
    let end = text[start + 1..].find(quote)?;
    CALLS
        .contains(&first)
        .then(|| &text[start..start + end + 2])
}

fn line_before(text: &str, at: usize) -> &str {
    &text[text[..at].rfind('\n').map_or(0, |newline| newline + 1)..at]
}

/// The name of the test that a mark is on, or that a call is in.
fn subject(side: &SideText, place: &RulePlace) -> Option<String> {
    let parsed = side.parse(&RuleLimits::default()).ok().flatten()?;
    let definitions = side.definitions(&parsed);
    let is_mark = side.text[place.range.clone()]
        .starts_with(|letter: char| "@#[".contains(letter) || letter.is_ascii_uppercase());
    let name = if is_mark {
        let mut names = definitions.iter().map(|(name, _)| name);
        names.find(|name| place.range.end <= name.start)?
    } else if let Some(test) = parsed.test_around(place.range.clone()) {
        return Some(test.name);
    } else {
        let around = definitions.iter().filter(|(_, label)| {
            label.item.start <= place.range.start && place.range.end <= label.item.end
        });
        &around.min_by_key(|(_, label)| label.item.len())?.0
    };
    Some(side.text[name.clone()].to_owned())
}

/// A definition of a name with the marks above it; `None` if nothing defines it.
fn of_name(side: &SideText, name: &str) -> Option<Range<usize>> {
    let parsed = side.parse(&RuleLimits::default()).ok().flatten()?;
    let mut definitions = side.definitions(&parsed).iter();
    let (_, label) = definitions.find(|(at, _)| side.text[at.clone()] == *name)?;
    let above = &side.text[..label.item.start];
    // What is above an empty line belongs to something else.
    let start = above.rfind("\n\n").map_or(0, |blank| blank + 2);
    let least = above.len().saturating_sub(MARKS_BYTES_MAX);
    Some(side.text.floor_char_boundary(start.max(least))..label.item.end)
}

fn is_skipped(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    SKIPS.iter().any(|mark| text.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, base: &str, head: &str, quote: &str, expected: bool) {
        let side = |text: &str| SideText::new(path, text.as_bytes().to_vec());
        let (base, head) = (side(base), side(head));
        let start = head.text.find(quote).expect("the quote");
        let place = RulePlace::at(&head, start..start + quote.len(), String::new());
        assert_eq!(
            never_ran(&head, Some(&base), &place),
            expected,
            "{}",
            head.text
        );
    }

    #[test]
    fn a_test_that_ran_is_told_from_a_new_one() {
        let (mark, ran) = ("@pytest.mark.xfail(reason='x')", "def test_a():\n    f()\n");
        let skipped = format!("{mark}\n{ran}");
        check("test_a.py", ran, &skipped, mark, false);
        check("test_a.py", "import a\n", &skipped, mark, true);
        let by_call = "def test_a():\n    pytest.xfail('x')\n    f()\n";
        check("test_a.py", by_call, &skipped, mark, true);
        let call = "pytest.skip('x')";
        let inside = format!("def test_a():\n    {call}\n");
        check("test_a.py", ran, &inside, call, false);
        check("test_a.py", "def test_b():\n    f()\n", &inside, call, true);
    }

    #[test]
    fn a_test_that_is_named_by_a_string() {
        let (ran, skipped) = ("it('works', () => {});", "it.skip('works', () => {})");
        check("a.test.js", ran, skipped, skipped, false);
        check("a.test.js", "f();", skipped, skipped, true);
        check(
            "a.test.js",
            "xit('works', () => {});",
            skipped,
            skipped,
            true,
        );
        let alone = "it.only('works', () => {})";
        check("a.test.js", "f();", alone, alone, false);
        check(
            "a.test.js",
            "f();",
            "fit('works', () => {})",
            "fit('works', () => {})",
            false,
        );
    }

    #[test]
    fn a_test_in_a_block() {
        let (ran, skipped) = (
            "it 'works' do\n  f\nend\n",
            "it 'works' do\n  skip 'later'\nend\n",
        );
        check("spec/a_spec.rb", ran, skipped, "skip 'later'", false);
        check("spec/a_spec.rb", "f\n", skipped, "skip 'later'", true);
        check(
            "spec/a_spec.rb",
            ran,
            "xit 'works' do\nend\n",
            "xit 'works' do\nend",
            false,
        );
        check(
            "spec/a_spec.rb",
            "f\n",
            "xit 'works' do\nend\n",
            "xit 'works' do\nend",
            true,
        );
        let (ran, call) = (
            "<?php class ATest { function testA() { f(); } }",
            "$this->markTestSkipped('later')",
        );
        let skipped = format!("<?php class ATest {{ function testA() {{ {call}; }} }}");
        check("tests/ATest.php", ran, &skipped, call, false);
        check(
            "tests/ATest.php",
            "<?php class ATest { }",
            &skipped,
            call,
            true,
        );
    }

    #[test]
    fn a_test_that_is_marked() {
        let (ran, skipped) = (
            "class A { @Test void f() {} }",
            "class A { @Test @Disabled void f() {} }",
        );
        check("src/test/ATest.java", ran, skipped, "@Disabled", false);
        check(
            "src/test/ATest.java",
            "class A { }",
            skipped,
            "@Disabled",
            true,
        );
        let (ran, skipped) = (
            "#[test]\nfn a() {}\n",
            "#[test]\n#[ignore = \"slow\"]\nfn a() {}\n",
        );
        check("tests/a.rs", ran, skipped, "#[ignore = \"slow\"]", false);
        check(
            "tests/a.rs",
            "fn b() {}\n",
            skipped,
            "#[ignore = \"slow\"]",
            true,
        );
        let skip = "Fact(Skip = \"later\")";
        let skipped = format!("class A {{ [{skip}] public void F() {{}} }}");
        check(
            "test/A.cs",
            "class A { [Fact] public void F() {} }",
            &skipped,
            skip,
            false,
        );
        check("test/A.cs", "class A { }", &skipped, skip, true);
    }
}
