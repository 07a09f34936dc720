//! Reads the position of a line: the lines around it, and whether it is in the body of a function.

use crate::words::is_in;

/// Limit on the lines that are read above a line.
const ABOVE_MAX: usize = 600;

/// The constructs that enclose a line.
pub(super) struct Enclosing<'t> {
    /// The lines that enclose it, the nearest first, with their numbers.
    pub(super) above: Vec<(usize, &'t str)>,
    /// Whether it is in the list of parameters of a function.
    pub(super) is_parameter: bool,
    /// The head of the innermost function whose body it is in; `None` outside of functions.
    pub(super) function: Option<&'t str>,
    /// Whether it is an argument of a call whose result no declaration takes.
    pub(super) is_argument: bool,
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Reports whether a line only opens or closes what the line above began: `{`, `) -> bool {`.
fn is_thin(line: &str) -> bool {
    let trimmed = line.trim_start();
    trimmed.starts_with(['{', ')', ']', '}']) && !trimmed.contains('=') && !trimmed.contains('"')
}

/// Returns the lines that a line is indented under.
fn above<'t>(lines: &[&'t str], at: usize) -> Vec<(usize, &'t str)> {
    let (mut least, mut is_open) = (lines.get(at).map_or(0, |line| indent(line)), false);
    let mut above = Vec::new();
    let before = lines[..at.min(lines.len())].iter().enumerate().rev();
    for (number, line) in before.take(ABOVE_MAX) {
        let is_under = indent(line) < least || is_open && indent(line) == least;
        if line.trim().is_empty() || !is_under {
            continue;
        }
        (least, is_open) = (indent(line), is_thin(line));
        above.push((number, *line));
        if least == 0 && !is_open {
            break;
        }
    }
    above
}

impl<'t> Enclosing<'t> {
    pub(super) fn of(lines: &[&'t str], at: usize) -> Self {
        let above = above(lines, at);
        let mut standing = Self {
            is_parameter: false,
            function: None,
            is_argument: false,
            above: Vec::new(),
        };
        let mut has_brace = false;
        for (number, line) in &above {
            // C style may put the brace of the body on a line of its own.
            let is_function = is_function(line) || has_brace && is_head(line);
            has_brace = line.trim() == "{";
            let text = || lines[*number..at].join("\n");
            if standing.function.is_none() && is_function {
                if is_unclosed(&text()) {
                    standing.is_parameter = true;
                } else {
                    standing.function = Some(line);
                }
            }
            // `var (` of Go groups declarations, and calls nothing.
            let called = line.trim_end().strip_suffix('(');
            let is_call = !is_function && called.is_some_and(|head| !head.ends_with(' '));
            let first = line.trim_start();
            // `LIMITS = Limits(` and an attribute declare something; `run(` does something.
            let is_given = first.starts_with(['@', '#']) || line.contains('=');
            standing.is_argument |= is_call && !is_given && is_unclosed(&text());
        }
        standing.above = above;
        standing
    }
}

/// Reports whether the first parenthesis of a text stays open.
fn is_unclosed(text: &str) -> bool {
    let mut depth = 0;
    for letter in text.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return false;
        }
    }
    depth > 0
}

/// Reports whether a line is the head of a function if a brace follows: `run(struct job *job)`.
fn is_head(line: &str) -> bool {
    let head = line.trim().split('(').next().unwrap_or_default();
    let is_plain = |letter: char| letter.is_alphanumeric() || " _*&<>".contains(letter);
    line.trim_end().ends_with([')', ',']) && line.contains('(') && head.chars().all(is_plain) && {
        let first = head.split(' ').next().unwrap_or_default();
        !["if", "for", "while", "switch", "do", "else"].contains(&first)
    }
}

/// Words that begin a function.
const FUNCTIONS: [&str; 8] = [
    "def ",
    "fn ",
    "func ",
    "function ",
    "function(",
    "fun ",
    "constructor(",
    "init(",
];
/// Words that begin a type.
const TYPES: [&str; 7] = [
    "class ",
    "struct ",
    "record ",
    "enum ",
    "interface ",
    "object ",
    "impl ",
];
/// Words before parentheses that begin neither.
const CONTROLS: &str = "if for while switch match with catch foreach using lock else elsif elif unless until return \
 new await assert try when namespace";

/// Reports whether a line begins a function: by its keyword, or by parentheses before the brace of
/// its body.
pub(super) fn is_function(line: &str) -> bool {
    let trimmed = line.trim();
    let has_word = |word: &&str| {
        let at = trimmed.find(*word);
        at.is_some_and(|at| at == 0 || trimmed.as_bytes()[at - 1].is_ascii_whitespace())
    };
    if TYPES.iter().any(has_word) || trimmed.starts_with(['#', '@', '*', '/']) {
        return false;
    }
    if FUNCTIONS.iter().any(has_word) || trimmed.ends_with("=> {") {
        return true;
    }
    let mut words = trimmed.split(|letter: char| !letter.is_alphanumeric());
    let first = words.find(|word| !word.is_empty()).unwrap_or_default();
    let head = trimmed.split('(').next().unwrap_or_default();
    // `int main(void)` has its brace on the next line, and its type before the name. A call such as
    // `run(all)` has one word before its parentheses.
    let has_body = trimmed.ends_with('{')
        || trimmed.ends_with([')', '(']) && head.split_whitespace().count() >= 2;
    has_body
        && trimmed.contains('(')
        && !head.contains(['=', '.', ':', '{', '"', '\''])
        && !is_in(CONTROLS, first)
}

#[cfg(test)]
mod tests {
    use super::Enclosing;

    #[test]
    fn parameters_bodies_and_arguments_are_told_apart() {
        for (text, expected) in [
            ("class A:\n    limit = 5", "neither"),
            ("def a(\n    limit=5,\n):", "parameter"),
            ("def a(\n    b,\n):\n    limit = 5", "body"),
            ("void A()\n{\n    limit = 5;\n}", "body"),
            ("class A\n{\n    int limit = 5;\n}", "neither"),
            ("def a():\n    run(\n        limit=5,\n    )", "argument"),
            ("a = {\n  b: {\n    limit: 5,\n  },\n}", "neither"),
            ("LIMITS = Limits(\n    limit=5,\n)", "neither"),
        ] {
            let lines: Vec<&str> = text.lines().collect();
            let at = lines
                .iter()
                .position(|line| line.contains("limit"))
                .unwrap_or_default();
            let standing = Enclosing::of(&lines, at);
            let told = match () {
                () if standing.is_parameter => "parameter",
                () if standing.is_argument => "argument",
                () if standing.function.is_some() => "body",
                () => "neither",
            };
            assert_eq!(told, expected, "{text}");
        }
    }
}
