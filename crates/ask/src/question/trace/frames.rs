//! Reads the lines of a trace that name a place.

use super::super::shape;

pub use grounds_repo::frames::Frame;

/// Maximum size in bytes of a line with a frame.
const LINE_BYTES_MAX: usize = 1_000;

/// Returns all frames in the order of the text, and whether the deepest one comes last.
pub(super) fn all(lines: &[&str]) -> (Vec<Frame>, bool) {
    let mut frames: Vec<Frame> = Vec::new();
    let mut function = None;
    for line in lines.iter().filter(|line| line.len() <= LINE_BYTES_MAX) {
        let frame = frame(line).map(|frame| Frame {
            function: frame.function.or_else(|| function.take()),
            ..frame
        });
        // Rust and Go write the function on the line before its place.
        function = if frame.is_some() {
            None
        } else {
            function_line(line)
        };
        frames.extend(frame.filter(|frame| frames.last() != Some(frame)));
    }
    (
        frames,
        lines.iter().any(|line| {
            line.trim_start()
                .starts_with("Traceback (most recent call last)")
        }),
    )
}

/// Returns the frame on one line, in any format.
fn frame(line: &str) -> Option<Frame> {
    let text = line.trim();
    let text = text.strip_prefix("E ").unwrap_or(text).trim_start();
    let indented = line.starts_with([' ', '\t']);
    python(text)
        .or_else(|| at(text))
        .or_else(|| numbered(text))
        .or_else(|| {
            text.strip_prefix("--> ")
                .and_then(|place| bare(place.trim()))
        })
        .or_else(|| ruby(text.strip_prefix("from ").unwrap_or(text)))
        .or_else(|| panicked(text))
        .or_else(|| compiler(text))
        .or_else(|| {
            // Go indents `file:line +0x1d`. A bare place at the margin may be a part of any text.
            if indented {
                text.split(" +0x").next().and_then(bare)
            } else {
                None
            }
        })
}

/// Reads `File "x.py", line 3, in f`.
fn python(text: &str) -> Option<Frame> {
    let (path, rest) = text.strip_prefix("File \"")?.split_once("\", line ")?;
    let (line, function) = rest
        .split_once(", in ")
        .map_or((rest, None), |(line, function)| (line, Some(function)));
    Some(Frame {
        path: path.to_owned(),
        line: line.trim().parse().ok(),
        function: function.and_then(named),
    })
}

/// Reads `at f (x.js:3:5)`, `at a.b.C.f(C.java:3)`, `at x.rs:3:5` or `at N.C.F() in x.cs:line 3`.
fn at(text: &str) -> Option<Frame> {
    let text = text.strip_prefix("at ")?.trim();
    if let Some((function, place)) = text
        .rsplit_once(" in ")
        .filter(|(_, place)| place.contains(":line "))
    {
        let (path, line) = place.split_once(":line ")?;
        return Some(Frame {
            path: path.to_owned(),
            line: line.trim().parse().ok(),
            function: named(function),
        });
    }
    if let Some((function, place)) = text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once('('))
    {
        let function = function
            .trim()
            .trim_start_matches("async ")
            .trim_start_matches("new ");
        return bare(place).map(|frame| Frame {
            function: named(function),
            ..frame
        });
    }
    bare(text.trim_start_matches("async "))
}

/// Reads `#1 0x4f in f (a=1) at x.c:3`, `#1 0x4f in f x.c:3:5` or `#0 x.php(3): f()`.
fn numbered(text: &str) -> Option<Frame> {
    let rest = text
        .strip_prefix('#')?
        .trim_start_matches(|letter: char| letter.is_ascii_digit())
        .trim_start();
    if let Some((place, call)) = rest.split_once("): ")
        && let Some((path, line)) = place.rsplit_once('(')
        && shape::is_path(path)
    {
        return Some(Frame {
            path: path.to_owned(),
            line: line.parse().ok(),
            function: named(call),
        });
    }
    let call = rest.split_once(" in ").map_or(rest, |(_, call)| call);
    // gdb writes "at" before the place, and a sanitizer only a blank.
    let (call, place) = call.rsplit_once(" at ").or_else(|| call.rsplit_once(' '))?;
    bare(place).map(|frame| Frame {
        function: named(call),
        ..frame
    })
}

/// Reads `x.rb:3:in 'f'`.
fn ruby(text: &str) -> Option<Frame> {
    let (place, function) = text.split_once(":in ")?;
    let function = function
        .trim_start_matches(['\'', '`'])
        .split(['\'', ':'])
        .next()?;
    bare(place).map(|frame| Frame {
        function: named(function),
        ..frame
    })
}

/// Reads `thread 'main' panicked at src/main.rs:3:5:` or `… panicked at 'text', src/main.rs:3:5`.
fn panicked(text: &str) -> Option<Frame> {
    let (_, place) = text.split_once("panicked at ")?;
    let place = place.rsplit_once(", ").map_or(place, |(_, place)| place);
    bare(place.split_whitespace().next()?)
}

/// Reads `x.c:3:5: error: …`, `x.ts(3,5): error TS1: …` or `x.go:3:5: …`.
fn compiler(text: &str) -> Option<Frame> {
    let (place, rest) = text.split_once(": ")?;
    let is_severity = [
        "error",
        "fatal error",
        "warning",
        "note",
        "undefined reference",
    ]
    .iter()
    .any(|word| rest.trim_start().starts_with(word));
    if let Some((path, line)) = place
        .strip_suffix(')')
        .and_then(|place| place.rsplit_once('('))
    {
        let line = line.split(',').next().and_then(|line| line.parse().ok());
        return (is_severity && line.is_some() && shape::is_path(path)).then(|| Frame {
            path: path.to_owned(),
            line,
            function: None,
        });
    }
    let has_column = place.rsplit_once(':').is_some_and(|(before, _)| {
        before
            .rsplit(':')
            .next()
            .is_some_and(|line| line.parse::<u32>().is_ok())
    });
    bare(place).filter(|_| is_severity || has_column)
}

/// Reads a path with a line: `x.rs:3`, `x.rs:3:5`.
fn bare(place: &str) -> Option<Frame> {
    let place = place.trim().trim_end_matches([':', ',', ')', ';']);
    let place = place.strip_prefix("file://").unwrap_or(place);
    let (before, last) = place.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    let (path, line) = match before
        .rsplit_once(':')
        .map(|(path, line)| (path, line.parse::<u32>()))
    {
        Some((path, Ok(line))) => (path, line),
        Some((_, Err(_))) | None => (before, last),
    };
    let is_path = !path.is_empty()
        && !path.contains(char::is_whitespace)
        && shape::is_path(path.trim_start_matches("webpack://"));
    is_path.then(|| Frame {
        path: path.to_owned(),
        line: Some(line),
        function: None,
    })
}

/// Returns the function that a line names for the place on the next one: `12: a::b` of Rust,
/// `main.f(0x1)` of Go.
fn function_line(line: &str) -> Option<String> {
    let text = line.trim();
    let numbered = text.split_once(": ").filter(|(number, _)| {
        !number.is_empty() && number.chars().all(|letter| letter.is_ascii_digit())
    });
    if let Some((_, function)) = numbered {
        let function = function
            .split_once(" - ")
            .filter(|(address, _)| address.starts_with("0x"))
            .map_or(function, |(_, function)| function);
        return named(function);
    }
    let call = text
        .strip_prefix("created by ")
        .unwrap_or(text)
        .strip_suffix(')')
        .or_else(|| text.strip_prefix("created by "))?;
    let (function, _) = call.rsplit_once('(').unwrap_or((call, ""));
    (!function.contains(' ') && function.contains('.'))
        .then(|| named(function))
        .flatten()
}

/// Returns the name of a function without its arguments, or `None` if there are only marks
/// (`<module>`, `<anonymous>`).
fn named(function: &str) -> Option<String> {
    let name = function.trim();
    let end = name
        .rfind('(')
        .filter(|at| *at > 0 && name.ends_with(')'))
        .unwrap_or(name.len());
    let name = name[..end].trim();
    let is_name =
        !name.is_empty() && !name.starts_with('<') && name.chars().any(char::is_alphabetic);
    is_name.then(|| name.to_owned())
}
