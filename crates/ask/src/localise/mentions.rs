//! Files, modules and frames that a text names, in any language: `File "a/b.py", line 3, in f`, `at
//! a.b.C.m(C.java:12)`, `src/x.rs:1:2`, `pkg.module.Class`.

/// Maximum number of mentions of one text.
pub const MENTIONS_MAX: usize = 2_000;
/// Maximum size of one mention in bytes.
const MENTION_BYTES_MAX: usize = 300;

/// A mention of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileMention {
    /// The path as written, or the segments of a dotted name.
    pub name: NamedBy,
    /// The line; `None` if none is given.
    pub line: Option<u32>,
    /// The function of a frame; `None` if the text does not name it.
    pub function: Option<String>,
    /// Whether it is a frame of a trace.
    pub is_frame: bool,
    /// Whether it is in the first line.
    pub is_in_title: bool,
}

/// The form of a mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedBy {
    /// A path with slashes or an ending: its parts.
    Path(Vec<String>),
    /// A dotted name such as `a.b.C.m`: its segments.
    Dotted(Vec<String>),
}

/// Returns the mentions of a text in its order, and whether the bound was reached.
pub fn find(text: &str) -> (Vec<FileMention>, bool) {
    let mut found: Vec<FileMention> = Vec::new();
    let first = text.lines().position(|line| !line.trim().is_empty());
    for (number, line) in text.lines().enumerate() {
        if found.len() >= MENTIONS_MAX {
            found.truncate(MENTIONS_MAX);
            return (found, true);
        }
        in_line(line.trim(), Some(number) == first, &mut found);
    }
    (found, false)
}

fn in_line(line: &str, is_in_title: bool, found: &mut Vec<FileMention>) {
    if let Some(mention) = python_frame(line).or_else(|| java_frame(line)) {
        found.push(mention);
        return;
    }
    let is_trace_line = line.starts_with("at ") || line.contains("panicked at");
    let imported = line
        .strip_prefix(">>> ")
        .unwrap_or(line)
        .strip_prefix("from ")
        .and_then(|rest| rest.split_once(" import "));
    if let Some((module, names)) = imported {
        import(module.trim(), names, is_in_title, found);
        return;
    }
    for token in line.split(|c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '(' | ')' | ',' | '"' | '\'' | '`' | '<' | '>' | '[' | ']' | ';' | '=' | '|' | '*'
            )
    }) {
        let token = token.trim_end_matches(['.', ':', '!', '?']);
        if token.len() < 3 || token.len() > MENTION_BYTES_MAX {
            continue;
        }
        if let Some(mut mention) = path(token).or_else(|| dotted(token)) {
            // "At the file a.py" is prose, so a frame needs a line number.
            mention.is_frame |= is_trace_line && mention.line.is_some();
            mention.is_in_title = is_in_title;
            found.push(mention);
        }
    }
}

/// Reads an import of Python: `from a.b import C, d` names `a.b.C` and `a.b.d`.
fn import(module: &str, names: &str, is_in_title: bool, found: &mut Vec<FileMention>) {
    let segments = segments_of(module);
    for name in names
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .take(16)
    {
        let name = name
            .split_whitespace()
            .next()
            .unwrap_or(name)
            .trim_matches(['(', ')']);
        let dotted = segments
            .iter()
            .cloned()
            .chain(Some(name.to_owned()).filter(|name| is_segment(name)))
            .collect();
        found.push(FileMention {
            name: NamedBy::Dotted(dotted),
            line: None,
            function: None,
            is_frame: false,
            is_in_title,
        });
    }
}

fn python_frame(line: &str) -> Option<FileMention> {
    let rest = line.strip_prefix("File \"")?;
    let (file, rest) = rest.split_once('"')?;
    let line = rest.strip_prefix(", line ")?;
    let number = line.bytes().take_while(u8::is_ascii_digit).count();
    let function = line[number..]
        .strip_prefix(", in ")
        .map(|name| name.trim().to_owned());
    frame(file, line[..number].parse().ok(), function)
}

fn java_frame(line: &str) -> Option<FileMention> {
    let call = line.strip_prefix("at ")?;
    let (name, place) = call.split_once('(')?;
    let (file, number) = place.strip_suffix(')')?.split_once(':')?;
    if file.contains('/') || !file.contains('.') {
        return None;
    }
    let segments = segments_of(name);
    // A frame of Java gives the file without its folders, which are those of the package.
    let folders = segments.get(..segments.len().checked_sub(2)?)?.join("/");
    frame(
        &format!("{folders}/{file}"),
        number.split(':').next()?.parse().ok(),
        segments.last().cloned(),
    )
}

fn frame(file: &str, line: Option<u32>, function: Option<String>) -> Option<FileMention> {
    let parts = parts_of(file);
    let name = NamedBy::Path(parts);
    let is_short = file.len() <= MENTION_BYTES_MAX;
    is_short.then_some(FileMention {
        name,
        line,
        function: function.filter(|name| name.len() <= MENTION_BYTES_MAX),
        is_frame: true,
        is_in_title: false,
    })
}

/// Reads a token with a slash or the ending of a file, optionally followed by a line.
fn path(token: &str) -> Option<FileMention> {
    let (address, anchor) = token
        .split_once("#L")
        .map_or((token, None), |(path, line)| (path, Some(line)));
    let of_blob = address
        .split_once("/blob/")
        .and_then(|(_, rest)| rest.split_once('/'))
        .map(|(_, path)| path);
    // An address is no path, except one of a file at a forge:
    // `https://github.com/o/r/blob/main/a.py#L3`.
    if address.contains("://") && of_blob.is_none() {
        return None;
    }
    let (_, address) = address.split_once(":\\").unwrap_or(("", address));
    let mut pieces = of_blob.unwrap_or(address).split(':');
    let file = pieces.next()?;
    let line = anchor.or_else(|| pieces.next()).and_then(|line| {
        line.split(|c: char| !c.is_ascii_digit())
            .next()?
            .parse()
            .ok()
    });
    let ending = file.rsplit_once('.').map(|(_, ending)| ending);
    let has_ending = ending.is_some_and(|ending| {
        (1..=5).contains(&ending.len()) && grounds_syntax::languages::of_name(file).is_some()
    });
    let is_path = has_ending
        // "and/or" has one slash. A path without a known ending needs two.
        || (file.contains('/')
            && file.matches('/').count() >= 2
            && file.bytes().any(|byte| byte.is_ascii_alphabetic()));
    let parts = parts_of(file);
    let is_frame = false;
    (is_path && !parts.is_empty()).then_some(FileMention {
        name: NamedBy::Path(parts),
        line,
        function: None,
        is_frame,
        is_in_title: false,
    })
}

fn dotted(token: &str) -> Option<FileMention> {
    let token = token
        .split('(')
        .next()?
        .trim_start_matches(['@', '~', ':', '&', '-']);
    let token = token.rsplit_once(':').map_or(token, |(_, last)| last);
    let segments = segments_of(token);
    let is_name = segments.len() >= 2 && segments.iter().all(|segment| is_segment(segment));
    is_name.then_some(FileMention {
        name: NamedBy::Dotted(segments),
        line: None,
        function: None,
        is_frame: false,
        is_in_title: false,
    })
}

fn segments_of(name: &str) -> Vec<String> {
    name.split(['.', '#'])
        .flat_map(|segment| segment.split("::"))
        .filter(|segment| !segment.is_empty())
        .take(16)
        .map(str::to_owned)
        .collect()
}

fn is_segment(segment: &str) -> bool {
    segment
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && segment
            .as_bytes()
            .first()
            .is_some_and(|byte| !byte.is_ascii_digit())
}

/// Returns the parts of a path, without those that lead upwards or name a drive.
fn parts_of(file: &str) -> Vec<String> {
    let parts = file
        .split(['/', '\\'])
        .filter(|part| !part.is_empty() && *part != "." && *part != ".." && !part.ends_with(':'));
    parts.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
