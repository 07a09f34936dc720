//! Finds names that a program puts together while it runs: `getattr(self, f"handle_{signal}")`. It
//! searches the strings of the tree for one that begins like a name and continues with a value, and
//! returns the first place.

use grounds_evidence::FileRole;
use grounds_repo::role;

use super::import_lines::language_of;
use super::subject::ClaimSubject;
use super::{Desk, SettledSpot, Unsettled};
use crate::words::is_in;

/// Least number of letters of the name with which such a string begins.
const LETTERS_MIN: usize = 4;
/// Bytes that are searched.
const BYTES_MAX: usize = 64 << 20;
/// Groups of languages in which a name can be looked up by a string. A string matters only to names
/// of its own group.
const GROUPS: [&str; 7] = [
    "Python",
    "Ruby",
    "PHP",
    "JavaScript TypeScript TSX",
    "Java Kotlin Scala Groovy",
    "C#",
    "Lua",
];

/// Returns the first string that may be put together to the name of a subject.
///
/// # Errors
/// [`Unsettled`] if the tree has more text than is searched.
pub(super) fn place_of(
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<Option<SettledSpot>, Unsettled> {
    let is_of = |group: &&&str| {
        let mut all = subject.definitions.iter();
        all.any(|place| is_in(group, place.language))
    };
    let Some(group) = GROUPS.iter().find(is_of) else {
        return Ok(None);
    };
    let name = subject.name.as_str();
    let mut bytes = 0;
    for file in &desk.tree.files {
        if !is_in(group, language_of(file)) || role::of(file) == FileRole::Vendored {
            continue;
        }
        let text = desk.tree.text(file.as_str()).unwrap_or_default();
        bytes += text.len();
        if bytes > BYTES_MAX {
            return Err(Unsettled::unknown(format!(
                "a string may be put together to `{name}`, and only the first {BYTES_MAX} bytes of \
                 {group} were searched for one"
            )));
        }
        let is_one = |line: &str| may_make(line, name, language_of(file));
        if let Some(at) = text.lines().position(is_one) {
            let line = u32::try_from(at + 1).unwrap_or(u32::MAX);
            let what = "a string that begins as the name does, and goes on with a value";
            return Ok(Some(SettledSpot::line(file.as_str(), line, what)));
        }
    }
    Ok(None)
}

/// Reports whether a string on a line begins like a name and continues with a value that may be its
/// rest.
fn may_make(line: &str, name: &str, language: &str) -> bool {
    let Some(beginning) = name.get(..LETTERS_MIN) else {
        return false;
    };
    let is_comment = ["//", "*", "/*"]
        .iter()
        .any(|mark| line.trim_start().starts_with(mark))
        || is_in("Python Ruby", language) && line.trim_start().starts_with('#');
    !is_comment
        && line.match_indices(beginning).any(|(at, _)| {
            let (before, rest) = line.split_at(at);
            let quote = before.chars().last();
            let quote = quote.filter(|letter| "\"'`".contains(*letter));
            quote.is_some_and(|quote| goes_on(rest, quote, name, language))
        })
}

/// Reports whether the text after an opening quote is the beginning of a name and then a value.
fn goes_on(text: &str, quote: char, name: &str, language: &str) -> bool {
    let same = text.chars().zip(name.chars());
    let same: usize = same
        .take_while(|(one, other)| one == other)
        .map(|(one, _)| one.len_utf8())
        .sum();
    let (rest, left) = (&text[same..], &name[same..]);
    if same < LETTERS_MIN || left.is_empty() {
        return false;
    }
    if let Some(after) = rest.strip_prefix(quote) {
        return is_joined(after.trim_start(), language);
    }
    // The texts between and after the values have to be in the rest of the name:
    // `f"visit_{kind}_now"` makes no `visit_leaf_node`, and `f"visit_{kind}_{more}"` no `visit_leaf`.
    after_value(rest).is_some_and(|after| ends_name(after, quote, left))
}

/// Reports whether the text after a value, up to the closing quote, makes the rest of a name.
fn ends_name(text: &str, quote: char, left: &str) -> bool {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let rest = text.trim_start_matches(is_of_name);
    let literal = &text[..text.len() - rest.len()];
    match after_value(rest) {
        Some(after) => left
            .find(literal)
            .is_some_and(|at| ends_name(after, quote, &left[at + literal.len()..])),
        None => rest.starts_with(quote) && left.ends_with(literal),
    }
}

/// Reports whether the text after a string joins another one to it.
fn is_joined(after: &str, language: &str) -> bool {
    match language {
        "PHP" => after.starts_with('.'),
        "Lua" => after.starts_with(".."),
        _ => {
            let is_sum = after.starts_with('+') && !after.starts_with("+=");
            is_sum || is_in("JavaScript TypeScript TSX", language) && after.starts_with(".concat(")
        }
    }
}

/// Returns the text after a value in a string: `{…}`, `#{…}`, `${…}`, `$name`, `%s`.
fn after_value(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix("%s").or(text.strip_prefix("%d")) {
        return Some(rest);
    }
    let rest = text.strip_prefix(['#', '$']).unwrap_or(text);
    if rest.starts_with('{') {
        // Braces nest in a value: `{amount:{width}}`, `${list.map((x) => { … })}`.
        let mut depth = 0_usize;
        let end = rest.char_indices().find(|(_, letter)| {
            match letter {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        return end.map(|(at, _)| &rest[at + 1..]);
    }
    let word = text.strip_prefix('$')?;
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let after = word.trim_start_matches(is_of_name);
    (after.len() < word.len()).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::may_make;

    #[test]
    fn a_value_after_a_beginning_may_make_a_name() {
        let cases = [
            ("getattr(self, f\"visit_{kind.lower()}\")()", "Python", true),
            ("getattr(self, 'visit_' + kind)", "Python", true),
            ("getattr(self, 'visit_%s' % kind)", "Python", true),
            ("f\"visit_{kind}_now\"", "Python", false),
            ("f\"visit_{kind}_{more}\"", "Python", true),
            ("f\"visit_{kind}-{more}\"", "Python", false),
            ("f\"visit_leaf_{kind}_{more}\"", "Python", false),
            ("f\"visit_{kind}{more}\"", "Python", true),
            ("f\"visit_{kind}_node\"", "Python", true),
            ("f\"visit_{kind} was late\"", "Python", false),
            ("f\"vis_{kind}\"", "Python", false),
            ("# f\"visit_{kind}\"", "Python", false),
            ("\"visit_leaf_node\"", "Python", false),
            ("\"visit_\", kind", "Python", false),
            ("send(\"visit_#{kind}\")", "Ruby", true),
            ("this[`visit_${kind}`]()", "TypeScript", true),
            ("$this->{'visit_' . $kind}()", "PHP", true),
            ("\"visit_$kind\"", "PHP", true),
        ];
        for (line, language, wanted) in cases {
            assert_eq!(
                may_make(line, "visit_leaf_node", language),
                wanted,
                "{line}"
            );
        }
    }
}
