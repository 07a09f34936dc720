//! A function that takes another number of arguments now, and a call that still
//! gives the old one. Counts only what the text surely says.

use std::ops::Range;

use grounds_evidence::SymbolKind;

use super::{Change, ChangePlace, Native};
use crate::rules::callers::CallSite;
use crate::rules::limits::RuleLimits;
use crate::rules::report::Unread;
use crate::rules::side::SideText;

/// Definitions of one side that are looked at.
const DEFINITIONS_MAX: usize = 20_000;
/// Calls that a message names.
const NAMED_MAX: usize = 3;
/// Languages in which a call with another number of arguments is an error, and whose parameters are
/// read.
const LANGUAGES: &[&str] = &["Python", "TypeScript", "TSX", "Go", "Rust", "C"];

/// See `built_in/callers-not-updated.yml`.
#[derive(Debug)]
pub(super) struct CallersNotUpdated;

/// How many arguments a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Arity {
    least: usize,
    most: Option<usize>,
}

impl Arity {
    fn takes(self, count: usize) -> bool {
        self.least <= count && self.most.is_none_or(|most| count <= most)
    }

    fn words(self) -> String {
        match self.most {
            Some(most) if most == self.least => self.least.to_string(),
            Some(most) => format!("{} to {most}", self.least),
            None => format!("{} or more", self.least),
        }
    }
}

/// A function of one side.
struct Function {
    name: String,
    at: Range<usize>,
    arity: Arity,
}

impl Native for CallersNotUpdated {
    fn name(&self) -> &'static str {
        "callers-not-updated"
    }

    fn languages(&self) -> &'static str {
        "Python, TypeScript, TSX, Go, Rust, C"
    }

    fn is_about_changes(&self) -> bool {
        true
    }

    fn on_change(&self, change: &Change<'_>) -> Result<Vec<ChangePlace>, Unread> {
        let (Some(base), Some(head), Some(callers)) = (change.base, change.head, change.callers)
        else {
            return Ok(Vec::new());
        };
        let is_known = head
            .language
            .is_some_and(|language| LANGUAGES.contains(&language.name));
        if !is_known || change.lines.removed.is_empty() || change.lines.added.is_empty() {
            return Ok(Vec::new());
        }
        let (old, new) = (functions(base), functions(head));
        let mut places = Vec::new();
        for function in &new {
            let line = head.line_of(function.at.start);
            let Some(before) =
                only(&old, &function.name).filter(|_| only(&new, &function.name).is_some())
            else {
                continue;
            };
            if before.arity == function.arity || !is_touched(head, &function.at, change) {
                continue;
            }
            let calls = callers.of(change.number, &function.name)?;
            let stale: Vec<(&CallSite, usize)> = calls
                .iter()
                .filter_map(|call| stale(call, function, before.arity, &head.path))
                .collect();
            if let Some((_, given)) = stale.first() {
                places.push(place(head, function, line, &stale, *given));
            }
        }
        Ok(places)
    }
}

fn place(
    head: &SideText,
    function: &Function,
    line: u32,
    stale: &[(&CallSite, usize)],
    given: usize,
) -> ChangePlace {
    let named: Vec<String> = stale
        .iter()
        .take(NAMED_MAX)
        .map(|(call, _)| format!("{}:{}", call.path, call.line))
        .collect();
    let more = if stale.len() > NAMED_MAX {
        format!(" and {} more", stale.len() - NAMED_MAX)
    } else {
        String::new()
    };
    let message = format!(
        "`{}` takes {} arguments now, and {}{more} gives {given}",
        function.name,
        function.arity.words(),
        named.join(", ")
    );
    ChangePlace {
        lines: Some((line, line)),
        quote: head.line(line).trim().to_owned(),
        message,
        symbol: function.name.clone(),
    }
}

/// The one function of a name; `None` if there are several.
fn only<'f>(functions: &'f [Function], name: &str) -> Option<&'f Function> {
    let mut same = functions.iter().filter(|function| function.name == name);
    same.next().filter(|_| same.next().is_none())
}

/// Whether the head of a function stands on an added line, from its name to the end of its
/// parameters.
fn is_touched(head: &SideText, at: &Range<usize>, change: &Change<'_>) -> bool {
    let (first, last) = (head.line_of(at.start), head.line_of(at.end));
    change
        .lines
        .added
        .iter()
        .any(|line| (first..=last).contains(line))
}

/// The functions of a side that are no methods, with the bytes from their name to the end of their
/// parameters.
fn functions(side: &SideText) -> Vec<Function> {
    let Ok(Some(parsed)) = side.parse(&RuleLimits::default()) else {
        return Vec::new();
    };
    let language = side.language.map_or("", |language| language.name);
    let definitions = parsed.parse.definitions(DEFINITIONS_MAX);
    let functions = definitions
        .into_iter()
        .filter(|(_, label)| label.kind == Some(SymbolKind::Function));
    let read = |(name, _): (Range<usize>, _)| {
        let inside = parentheses(&side.text, name.end)?;
        let arity = arity(parts(&side.text[inside.clone()]), language)?;
        Some(Function {
            name: side.text[name.clone()].to_owned(),
            at: name.start..inside.end,
            arity,
        })
    };
    functions.filter_map(read).collect()
}

/// What stands in the first parentheses behind a name; `None` if something else than generics comes
/// first.
fn parentheses(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = text.get(from..)?;
    let open = from + rest.find('(')?;
    let between = text[from..open].trim();
    let is_generic = between.starts_with('<') && between.ends_with('>')
        || between.starts_with('[') && between.ends_with(']');
    if !(between.is_empty() || is_generic) {
        return None;
    }
    let mut depth = 0_usize;
    let mut scanner = Scanner::default();
    for (at, letter) in text[open..].char_indices() {
        match (scanner.step(letter), letter) {
            (true, '(' | '[' | '{') => depth += 1,
            (true, ')' | ']' | '}') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return (letter == ')').then_some(open + 1..open + at);
                }
            }
            (true | false, _) => {}
        }
    }
    None
}

/// Tells code from strings, one letter after another.
#[derive(Default)]
struct Scanner {
    quote: Option<char>,
    is_escaped: bool,
}

impl Scanner {
    /// Whether this letter is code.
    fn step(&mut self, letter: char) -> bool {
        match self.quote {
            None if matches!(letter, '"' | '`') => {
                self.quote = Some(letter);
                false
            }
            None => true,
            Some(_) if self.is_escaped => {
                self.is_escaped = false;
                false
            }
            Some(quote) => {
                self.is_escaped = letter == '\\';
                if letter == quote {
                    self.quote = None;
                }
                false
            }
        }
    }
}

/// The parts of a list between its outermost commas; `None` if what it holds cannot be told.
fn parts(text: &str) -> Option<Vec<&str>> {
    // A single quote may open a string, a letter or a lifetime, and a comment may hold anything.
    if text.contains("//")
        || text.contains("/*")
        || text.contains('#')
        || text.contains("'")
        || text.contains("\\")
    {
        return None;
    }
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_i32);
    let mut scanner = Scanner::default();
    let mut last = ' ';
    for (at, letter) in text.char_indices() {
        if scanner.step(letter) {
            match letter {
                '(' | '[' | '{' | '<' => depth += 1,
                // The arrow of a type ends nothing.
                '>' if last == '-' || last == '=' => {}
                ')' | ']' | '}' | '>' => depth -= 1,
                ',' if depth == 0 => {
                    parts.push(text[start..at].trim());
                    start = at + 1;
                }
                _ => {}
            }
        }
        last = letter;
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    (depth == 0).then_some(parts)
}

/// How many arguments parameters take; `None` if that cannot be told.
fn arity(parameters: Option<Vec<&str>>, language: &str) -> Option<Arity> {
    let mut arity = Arity {
        least: 0,
        most: Some(0),
    };
    for parameter in parameters? {
        let is_mark = language == "Python" && matches!(parameter, "*" | "/")
            || language == "C" && parameter == "void";
        let is_rest =
            parameter.starts_with('*') && language == "Python" || parameter.contains("...");
        let is_optional = parameter.contains('=')
            || language.starts_with('T') && parameter.split(':').next()?.trim_end().ends_with('?');
        match (is_mark, is_rest) {
            (true, _) => {}
            (false, true) => arity.most = None,
            (false, false) => {
                arity.least += usize::from(!is_optional);
                arity.most = arity.most.map(|most| most + 1);
            }
        }
    }
    Some(arity)
}

/// A call that gives as many arguments as the function took, and not as many as it takes.
fn stale<'c>(
    call: &'c CallSite,
    function: &Function,
    before: Arity,
    own: &str,
) -> Option<(&'c CallSite, usize)> {
    let at = call
        .text
        .lines()
        .next()
        .unwrap_or_default()
        .match_indices(&function.name)
        .find_map(|(at, name)| {
            let is_whole = |letter: Option<char>| {
                !letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
            };
            let (before, after) = (
                call.text[..at].chars().next_back(),
                call.text[at + name.len()..].chars().next(),
            );
            (is_whole(before) && after == Some('(') && is_of_module(&call.text[..at], own))
                .then_some(at + name.len())
        })?;
    let inside = parentheses(&call.text, at)?;
    let given = parts(&call.text[inside])?;
    let is_open = |part: &str| {
        part.starts_with('*')
            || part.starts_with("...")
            || part.ends_with("...")
            || part.contains(" for ")
    };
    let is_told = !given.iter().any(|part| is_open(part));
    let count = given.len();
    (is_told && before.takes(count) && !function.arity.takes(count)).then_some((call, count))
}

/// Whether what stands before a name is nothing that may belong to another thing: no receiver, or
/// the module of the function's file.
fn is_of_module(before: &str, own: &str) -> bool {
    let name = own
        .rsplit('/')
        .next()
        .unwrap_or(own)
        .split('.')
        .next()
        .unwrap_or_default();
    let folder = own.rsplit('/').nth(1).unwrap_or_default();
    let receiver = before
        .strip_suffix('.')
        .or_else(|| before.strip_suffix("::"));
    let word = |text: &str| {
        text.rsplit(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let is_definition = ["def ", "fn ", "func ", "function "]
        .iter()
        .any(|mark| before.ends_with(mark));
    !is_definition
        && receiver.is_none_or(|receiver| {
            [name, folder, "crate", "super"].contains(&word(receiver).as_str())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(parameters: &str, language: &str, expected: Option<(usize, Option<usize>)>) {
        let found = arity(parts(parameters), language).map(|arity| (arity.least, arity.most));
        assert_eq!(found, expected, "{parameters}");
    }

    #[test]
    fn parameters_are_counted() {
        check("a, b=1, *, c", "Python", Some((2, Some(3))));
        check("a, *rest, **named", "Python", Some((1, None)));
        check(
            "a: Map<string, number>, b?: T, c = [1, 2]",
            "TypeScript",
            Some((1, Some(3))),
        );
        check("a, b int, c ...string", "Go", Some((2, None)));
        check(
            "a: impl Fn(u8, u8) -> u8, b: [u8; 3],",
            "Rust",
            Some((2, Some(2))),
        );
        check("void", "C", Some((0, Some(0))));
        check("a, /* , */ b", "C", None);
        check("a: &'a str", "Rust", None);
    }

    #[test]
    fn a_receiver_may_belong_to_something_else() {
        assert!(
            is_of_module("x = ", "src/a.py")
                && is_of_module("x = a.", "src/a.py")
                && is_of_module("crate::a::", "src/a.rs")
        );
        assert!(!is_of_module("other.", "src/a.py") && !is_of_module("def ", "src/a.py"));
    }
}
