//! Which removed checks do harm. In C and C++ a value that is let through may be read or written
//! past its end, so all count. Elsewhere a check counts if it says who may do something, keeps an
//! index within its list, or keeps a missing value from a line that uses it; most changes that
//! alter the form of a value do so on purpose.

use super::condition;
use crate::rules::worth::REACHES_MEMORY;

/// Parts of words in checks that say who may do something, or what is let in.
const PERMISSIONS: [&str; 22] = [
    "admin",
    "permi",
    "auth",
    "allow",
    "owner",
    "role",
    "csrf",
    "forbid",
    "trust",
    "origin",
    "policy",
    "privileg",
    "login",
    "password",
    "token",
    "signature",
    "verif",
    "escap",
    "sanit",
    "valid",
    "secure",
    "whitelist",
];

/// Parts of the names of functions that test whether something may be used.
const TESTS: [&str; 4] = ["test", "check", "bound", "within"];

/// Reports whether a wrong value can reach memory in a language.
pub(super) fn reaches_memory(language: &str) -> bool {
    REACHES_MEMORY.contains(&language)
}

/// Reports whether a removed part of a condition matters for the line that still uses a value.
pub(super) fn matters(part: &str, name: &str, line: &str, language: &str) -> bool {
    reaches_memory(language)
        // `owner == nil` asks only whether there is an owner.
        || says_permission(part) && !asks_for_nothing(part)
        // `i >= len(v)` matters for `v[i]`, but not for `decode(i)`.
        || is_bound(part) && is_index(line, name)
        // `s == null` matters for `s.length()`, but not for `wrap(s)`.
        || condition::presence(part).is_some_and(|value| looks_into(line, value))
}

/// Reports whether a part keeps a value within bounds, asks whether it is there, calls a test of it
/// by name, or says who may do something. Comparing a value with a constant, or asking for its
/// kind, mostly chooses between ways that are all meant.
pub(super) fn keeps_within(part: &str) -> bool {
    let lower = part.to_lowercase();
    let is_test = lower.contains('(') && TESTS.iter().any(|word| lower.contains(word));
    let is_presence = condition::presence(part).is_some();
    is_bound(part) || is_presence || is_test || says_permission(part)
}

fn says_permission(part: &str) -> bool {
    let lower = part.to_lowercase();
    PERMISSIONS.iter().any(|word| lower.contains(word))
}

/// Reports whether a part compares a value with nothing. For a value that is called an owner, that
/// says no more than for any other.
fn asks_for_nothing(part: &str) -> bool {
    let bare = condition::bare(part);
    ["NULL", "nullptr", "null", "nil", "None", "undefined"]
        .iter()
        .any(|nothing| bare.ends_with(nothing))
}

/// Reports whether a part compares sizes.
fn is_bound(part: &str) -> bool {
    // Arrows and shifts contain the signs of a comparison, and so can a character: `c == '<'`.
    let bare = condition::bare(&condition::without_texts(part))
        .replace("->", ".")
        .replace("=>", "")
        .replace("<<", "")
        .replace(">>", "");
    bare.contains(['<', '>'])
}

/// Reports whether a name is in the brackets of an index.
fn is_index(line: &str, name: &str) -> bool {
    line.split('[').skip(1).any(|behind| {
        let inside = behind.split(']').next().unwrap_or_default();
        condition::has_word(inside, name)
    })
}

/// Reports whether a line reads a part of a value, or calls it.
fn looks_into(line: &str, value: &str) -> bool {
    line.match_indices(value).any(|(at, _)| {
        let is_whole =
            !line[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        let rest = &line[at + value.len()..];
        let is_part = rest.strip_prefix('.').or_else(|| rest.strip_prefix("->"));
        is_whole
            && (is_part.is_some_and(|rest| rest.starts_with(char::is_alphabetic))
                || rest.starts_with(['[', '(']))
    })
}

#[cfg(test)]
mod tests {
    use super::matters;

    #[test]
    fn a_check_matters_by_what_it_keeps_out() {
        assert!(matters("n<0", "n", "copy(s, n)", "C"));
        assert!(matters("!user.is_admin", "user", "unlink(user)", "Python"));
        assert!(matters("i>=len(v)", "i", "return v[i]", "Go"));
        assert!(matters("s==null", "s", "return s.length();", "Java"));
        assert!(!matters("i>=limit", "i", "decode(i)", "Rust"));
        assert!(!matters("s==null", "s", "return wrap(s);", "Java"));
        assert!(!matters(
            "owner.app==nil",
            "owner",
            "if want(owner.app) {",
            "Go"
        ));
        assert!(!matters(
            "r.startsWith('/')",
            "r",
            "return r.path",
            "JavaScript"
        ));
    }

    #[test]
    fn a_note_is_what_chooses_between_ways() {
        use super::keeps_within;
        for part in ["n<0", "i+2>length", "!ND_TTEST(up->a)", "!is_admin(u)"] {
            assert!(keeps_within(part), "{part}");
        }
        for part in [
            "!op_is_callable(f)",
            "exec(a,b)==0",
            "type!=LEXER_COMMA",
            "src[2]=='<'",
        ] {
            assert!(!keeps_within(part), "{part}");
        }
    }
}
