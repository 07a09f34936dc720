//! A check by a call: `validate(order)`, `ND_TCHECK(bp)`, `authorize! user`. The name of the call
//! shows that it is a check.

use super::condition;

/// Words of the names of functions that check something. `assert` is not among them: an assertion
/// is for tests, and checks nothing in a shipped build.
const CHECKS: &[&str] = &[
    "check",
    "tcheck",
    "validate",
    "verify",
    "ensure",
    "authorize",
    "authenticate",
    "sanitize",
    "bounds",
    "enforce",
    "restrict",
    "permit",
];

/// Reads a statement that calls a check: the name of the function, and its arguments.
pub(super) fn of_statement(text: &str) -> Option<(String, Vec<String>)> {
    let text = text.trim().trim_end_matches(';');
    let open = text.find(['(', ' '])?;
    let callee = text[..open].trim_end_matches(['!', '?']);
    let is_path = callee
        .chars()
        .all(|letter| letter.is_alphanumeric() || "_.:->".contains(letter));
    let name = callee.rsplit(['.', ':', '>']).next()?;
    // A Ruby call needs no brackets: `authorize! :edit, book`.
    if !is_path || !text.ends_with(')') && !text[..open].ends_with('!') || !says_check(name) {
        return None;
    }
    let given = condition::subjects(&text[open..]);
    (!given.is_empty()).then(|| (name.to_owned(), given))
}

/// Reports whether a name has a word that says that something is checked: `validateOrder`, but not
/// `checkout`.
fn says_check(name: &str) -> bool {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        if letter == '_' || letter.is_uppercase() && was_lower {
            words.push(String::new());
        }
        was_lower = letter.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphabetic()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.iter().any(|word| CHECKS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_known_by_its_name() {
        let name = |text: &str| of_statement(text).map(|(name, _)| name);
        assert_eq!(name("ND_TCHECK2(*bp, 4);").as_deref(), Some("ND_TCHECK2"));
        assert_eq!(
            name("self.validateOrder(order)").as_deref(),
            Some("validateOrder")
        );
        assert_eq!(name("authorize! :edit, book").as_deref(), Some("authorize"));
        for text in [
            "checkout(cart)",
            "x = check(y)",
            "assert(x)",
            "check()",
            "f(check)",
        ] {
            assert_eq!(name(text), None, "{text}");
        }
    }
}
