//! Counts the tests that a file declares, by the lines with which each language begins one.

use super::super::{Desk, SettleResult, Settled, SettledSpot, Unsettled, counted};
use super::one_file;

/// Beginnings of lines that declare a test, by the endings of files.
const BEGINNINGS: &[(&[&str], &[&str])] = &[
    (
        &[".rs"],
        &[
            "#[test]",
            "#[rstest]",
            "#[test_case(",
            "#[wasm_bindgen_test]",
        ],
    ),
    (&[".py"], &["def test", "async def test"]),
    (
        &[".rb"],
        &[
            "it ",
            "it(",
            "specify ",
            "def test_",
            "test \"",
            "test '",
            "it {",
        ],
    ),
    (
        &[".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".tsx"],
        &[
            "it(",
            "test(",
            "it.only(",
            "test.only(",
            "it.skip(",
            "test.skip(",
        ],
    ),
    (&[".go"], &["func Test"]),
    (
        &[".java", ".kt"],
        &["@Test", "@ParameterizedTest", "@RepeatedTest"],
    ),
    (
        &[".cs"],
        &["[Fact", "[Theory", "[Test]", "[TestMethod", "[Test("],
    ),
    (
        &[".php"],
        &["public function test", "#[Test]", "function test"],
    ),
    (&[".exs"], &["test \""]),
    (&[".swift"], &["func test", "@Test"]),
    (
        &[".cpp", ".cc", ".cxx"],
        &["TEST(", "TEST_F(", "TEST_P(", "TEST_CASE("],
    ),
];
/// Parts of lines that make tests which no line declares: one `it.each` makes many.
const MAKING: &[&str] = &[
    "macro_rules!",
    "shared_examples",
    "it_behaves_like",
    "include_examples",
    "it.each",
    "test.each",
    "describe.each",
    "define_method",
    "test.describe",
    "forEach(",
];

/// Counts the tests that a file declares.
///
/// # Errors
/// [`Unsettled`] if the language is unknown, no line declares a test, or the file makes tests in
/// other ways.
pub(super) fn count(path: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let name = one_file(path, desk)?.as_str();
    let is_of = |endings: &&[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let known = BEGINNINGS.iter().find(|(endings, _)| is_of(endings));
    let text = desk.tree.text(name);
    let (Some((_, beginnings)), Some(text)) = (known, text) else {
        return Err(Unsettled::unknown(format!(
            "how `{path}` declares tests is not known"
        )));
    };
    counted_lines(path, name, beginnings, &text, desk)
}

/// Counts the lines of a text that begin a test.
fn counted_lines(
    path: &str,
    name: &str,
    beginnings: &[&str],
    text: &str,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_one =
        |line: &str| beginnings.iter().any(|begin| line.starts_with(begin)) || is_of_runtime(line);
    let spots: Vec<SettledSpot> = (0..lines.len())
        .filter(|at| is_one(lines[*at]))
        .map(|at| spot(name, &lines, at))
        .collect();
    let making = lines
        .iter()
        .position(|line| MAKING.iter().any(|part| line.contains(part)));
    match (spots.is_empty(), making) {
        (true, _) => Err(Unsettled::unknown(format!("no test of `{path}` was seen"))),
        // One line of these makes any number of tests, so the count would be too low.
        (false, Some(at)) => {
            let why = format!("`{path}` may make tests that no line of it declares");
            Err(Unsettled::unknown(why).with(&[spot(name, &lines, at)]))
        }
        (false, None) => {
            let told = format!("`{name}` declares {}.", counted(spots.len(), "test"));
            Ok(Settled::told(None, desk.section(told, &spots, 1)))
        }
    }
}

/// Reports whether a line is the test attribute of a runtime: `#[tokio::test]`,
/// `#[tokio::test(flavor = "multi_thread")]`.
fn is_of_runtime(line: &str) -> bool {
    let attribute = line.strip_prefix("#[").unwrap_or_default();
    let path = attribute.split(['(', ']']).next().unwrap_or_default();
    path.ends_with("::test")
}

/// Returns the line that names a test, below the attributes that make it one.
fn spot(path: &str, lines: &[&str], at: usize) -> SettledSpot {
    let is_attribute = |line: &str| line.starts_with(['#', '@', '[']) || line.is_empty();
    let named = (at..lines.len()).find(|at| !is_attribute(lines[*at]));
    let line = u32::try_from(named.unwrap_or(at) + 1).unwrap_or(u32::MAX);
    SettledSpot::line(path, line, "test")
}

#[cfg(test)]
mod tests {
    use super::is_of_runtime;

    #[test]
    fn the_attribute_of_a_runtime_declares_a_test() {
        assert!(is_of_runtime("#[tokio::test]"));
        assert!(is_of_runtime("#[tokio::test(flavor = \"multi_thread\")]"));
        assert!(!is_of_runtime("#[cfg(test)]"));
        assert!(!is_of_runtime("#[shop::tested]"));
    }
}
