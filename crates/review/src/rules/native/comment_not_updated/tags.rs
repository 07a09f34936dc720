//! The parameters that the text of a comment describes, by the marks of its language: `@param x`,
//! `:param x:`, `<param name="x">`, `- Parameter x:`, and the sections of docstrings of Python.

/// A parameter that a comment describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) name: String,
    /// The line, counted from the first one of the comment.
    pub(super) line: u32,
}

/// Headings of sections in the style of Google, in lower case.
const SECTIONS: [&str; 3] = ["args:", "arguments:", "parameters:"];
/// Marks of a parameter that a type may follow.
const MARKS: [&str; 3] = ["@param", "\\param", "@tparam"];

/// Reports whether a text may have a mark of a parameter; most files have none.
pub(super) fn may_have(text: &str) -> bool {
    ["param", "Param", "Args:", "Arguments:"]
        .iter()
        .any(|mark| text.contains(mark))
}

/// Returns the parameters that a comment describes, in order.
pub(super) fn of(comment: &str, language: &str) -> Vec<Tag> {
    let mut section = Section::default();
    let mut lines = comment.lines().peekable();
    let (mut tags, mut number) = (Vec::new(), 0);
    while let Some(line) = lines.next() {
        let next = lines.peek().copied().unwrap_or_default();
        let name = match language {
            "Python" => section.name(line, next).or_else(|| field(line)),
            "C#" => element(line),
            "Swift" => swift(line),
            _ => marked(line, language),
        };
        let name = name.map(|name| Tag {
            name: name.to_owned(),
            line: number,
        });
        tags.extend(name);
        number += 1;
    }
    tags
}

/// Reads `:param x:` and `:param type x:`.
fn field(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix(":param ")?;
    let (inside, _) = rest.split_once(':')?;
    name(inside.rsplit(' ').next()?.trim_start_matches(['*', '\\']))
        .filter(|name| inside.ends_with(name))
}

/// Reads `<param name="x">`.
fn element(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("<param name=\"")?;
    name(rest).filter(|name| rest[name.len()..].starts_with('"'))
}

/// Reads `- Parameter x:`.
fn swift(line: &str) -> Option<&str> {
    let rest = line
        .trim_start_matches(['/', '*', ' ', '\t'])
        .strip_prefix("- Parameter ")?;
    name(rest).filter(|name| rest[name.len()..].starts_with(':'))
}

/// Reads `@param x`, with what each language has around the name.
fn marked<'l>(line: &'l str, language: &str) -> Option<&'l str> {
    let line = line.trim_start_matches(['/', '*', '!', '#', '-', ' ', '\t']);
    let mark = MARKS.iter().find(|mark| line.starts_with(**mark))?;
    // In Lua, `@tparam` has a type before the name. In other languages it is a type parameter.
    let is_typed = *mark == "@tparam";
    if is_typed && language != "Lua" {
        return None;
    }
    let rest = &line[mark.len()..];
    // Doxygen writes the direction of a parameter after the mark: `@param[in] x`.
    let rest = match rest.starts_with('[') {
        true => after(rest, '[', ']')?,
        false => rest,
    };
    if !rest.starts_with([' ', '\t']) {
        return None;
    }
    let rest = rest.trim_start();
    let rest = match (language, rest.chars().next()?) {
        // PHP writes the type before the name: `@param int $x`.
        ("PHP", _) => return variable(rest),
        ("Ruby", '[') => after(rest, '[', ']')?.trim_start(),
        ("JavaScript" | "TypeScript" | "TSX", '{') => {
            after(rest, '{', '}')?.trim_start().trim_start_matches('[')
        }
        // JSDoc writes an optional parameter in brackets: `@param [x]`.
        ("JavaScript" | "TypeScript" | "TSX", '[') => &rest[1..],
        ("Lua", _) if is_typed => rest.split_once(' ')?.1.trim_start(),
        _ => rest,
    };
    let rest = if language == "Ruby" {
        rest.trim_start_matches(['*', '&'])
    } else {
        rest
    };
    name(rest)
}

/// Returns the variable of PHP that follows a type.
fn variable(text: &str) -> Option<&str> {
    let at = text.find('$').filter(|at| !text[..*at].contains('('))?;
    name(&text[at..])
}

/// Returns the text after a part in brackets.
fn after(text: &str, open: char, close: char) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth = depth.checked_sub(1)?;
        }
        if depth == 0 {
            return Some(&text[at + letter.len_utf8()..]);
        }
    }
    None
}

/// Returns the name at the start of a text.
fn name(text: &str) -> Option<&str> {
    let end = text
        .find(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '$'))
        .unwrap_or(text.len());
    let begins =
        text.starts_with(|letter: char| letter.is_alphabetic() || matches!(letter, '_' | '$'));
    (begins && end > 0).then(|| &text[..end])
}

/// The section of a docstring that a line is in.
#[derive(Default)]
enum Section {
    #[default]
    Outside,
    /// The style of Google: entries are indented deeper than the heading. `entry` is their column,
    /// or `None` before the first one.
    Google {
        heading: usize,
        entry: Option<usize>,
    },
    /// The style of numpydoc: entries are in the column of the heading.
    Numpy { heading: usize },
}

impl Section {
    /// Returns the parameter that a line of a docstring describes, if the line is an entry of a
    /// section of parameters.
    fn name<'l>(&mut self, line: &'l str, next: &str) -> Option<&'l str> {
        let text = line.trim_start();
        let column = line.len() - text.len();
        if text.is_empty() {
            return None;
        }
        if SECTIONS.contains(&text.trim_end().to_ascii_lowercase().as_str()) {
            *self = Self::Google {
                heading: column,
                entry: None,
            };
            return None;
        }
        if is_rule(next) {
            // The heading of any other section, such as `Returns`, ends the parameters.
            let is_ours = text.trim_end() == "Parameters";
            *self = if is_ours {
                Self::Numpy { heading: column }
            } else {
                Self::Outside
            };
            return None;
        }
        match self {
            Self::Outside => None,
            Self::Numpy { heading } => {
                let entry = name(text).filter(|name| text[name.len()..].starts_with(" : "));
                entry.filter(|_| column == *heading)
            }
            Self::Google { heading, .. } if column <= *heading => {
                *self = Self::Outside;
                None
            }
            Self::Google { entry, .. } => {
                // A line that is indented deeper than the first entry goes on with a description,
                // even if it begins with a word and a colon.
                let is_entry = column == *entry.get_or_insert(column);
                name(text).filter(|name| is_entry && is_described(&text[name.len()..]))
            }
        }
    }
}

/// Reports whether a line underlines a heading.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() > 3 && line.chars().all(|letter| letter == '-')
}

/// Reports whether a type in parentheses and a colon, or a colon alone, follow a name.
fn is_described(rest: &str) -> bool {
    let rest = rest.trim_start_matches(' ');
    let rest = if rest.starts_with('(') {
        after(rest, '(', ')').unwrap_or_default()
    } else {
        rest
    };
    rest.starts_with(':') && !rest.starts_with("::")
}
