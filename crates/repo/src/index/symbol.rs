//! The names in a symbol of an index: `scheme manager package version` and then
//! descriptors, each a name and a sign for its kind: ``src/`a.ts`/Store#load().``

/// Bytes of a symbol that is read; a longer one has no names.
const SYMBOL_BYTES_MAX: usize = 8 << 10;
/// Descriptors of one symbol; one with more has no names.
const DESCRIPTORS_MAX: usize = 64;

/// The meaning of a descriptor's sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Suffix {
    /// `/`: a package, namespace or module.
    Namespace,
    /// `#`: a type.
    Type,
    /// `.`: a value.
    Term,
    /// `().`: a function or method.
    Method,
    /// `!`: a macro.
    Macro,
    /// `:`: other data about its container.
    Meta,
    /// `[]`: a type parameter.
    TypeParameter,
    /// `()`: a parameter.
    Parameter,
}

/// One name of a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Descriptor {
    pub(super) name: String,
    pub(super) suffix: Suffix,
}

/// Returns the names of a symbol, outermost first; `None` for a local symbol or a text that is no
/// symbol.
pub(super) fn descriptors(symbol: &str) -> Option<Vec<Descriptor>> {
    if symbol.starts_with("local ") || symbol.len() > SYMBOL_BYTES_MAX {
        return None;
    }
    let mut rest = after_package(symbol)?;
    let mut found = Vec::new();
    while !rest.is_empty() {
        if found.len() == DESCRIPTORS_MAX {
            return None;
        }
        let (descriptor, after) = descriptor(rest)?;
        found.push(descriptor);
        rest = after;
    }
    (!found.is_empty()).then_some(found)
}

/// Returns what follows scheme, manager, package and version; a blank inside one of them is
/// doubled.
fn after_package(symbol: &str) -> Option<&str> {
    let mut rest = symbol;
    for _ in 0..4 {
        let mut from = 0;
        loop {
            let blank = from + rest.get(from..)?.find(' ')?;
            if rest[blank + 1..].starts_with(' ') {
                from = blank + 2;
            } else {
                rest = &rest[blank + 1..];
                break;
            }
        }
    }
    Some(rest)
}

fn descriptor(text: &str) -> Option<(Descriptor, &str)> {
    let bracketed = |open: char, close: char, suffix| {
        let (name, rest) = name(text.strip_prefix(open)?)?;
        Some((Descriptor { name, suffix }, rest.strip_prefix(close)?))
    };
    match text.chars().next()? {
        '[' => bracketed('[', ']', Suffix::TypeParameter),
        '(' => bracketed('(', ')', Suffix::Parameter),
        _ => {
            let (name, rest) = name(text)?;
            let (suffix, rest) = suffix(rest)?;
            Some((Descriptor { name, suffix }, rest))
        }
    }
}

fn suffix(text: &str) -> Option<(Suffix, &str)> {
    let sign = text.chars().next()?;
    let rest = &text[sign.len_utf8()..];
    let suffix = match sign {
        '/' => Suffix::Namespace,
        '#' => Suffix::Type,
        '.' => Suffix::Term,
        ':' => Suffix::Meta,
        '!' => Suffix::Macro,
        '(' => {
            // A number between the parentheses tells overloads apart: `run(+1).`.
            let (_, after) = rest.split_once(')')?;
            return Some((Suffix::Method, after.strip_prefix('.')?));
        }
        _ => return None,
    };
    Some((suffix, rest))
}

/// Reads a name: plain, or between backticks, where a backtick is doubled.
fn name(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('`') else {
        let end = text
            .find(|letter: char| !is_plain(letter))
            .unwrap_or(text.len());
        return (end > 0).then(|| (text[..end].to_owned(), &text[end..]));
    };
    let mut name = String::new();
    let mut rest = quoted;
    loop {
        let (before, after) = rest.split_once('`')?;
        name.push_str(before);
        match after.strip_prefix('`') {
            Some(after) => {
                name.push('`');
                rest = after;
            }
            None => return Some((name, after)),
        }
    }
}

fn is_plain(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '+' | '-' | '$')
}

/// Reports whether a name is written so in a text: letters, digits and underscores.
pub(super) fn is_identifier(name: &str) -> bool {
    let starts_well = name.chars().next().is_some_and(|first| !first.is_numeric());
    starts_well
        && name
            .chars()
            .all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '$'))
}
