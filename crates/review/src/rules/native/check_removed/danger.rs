//! Whether a removed check kept something out: what implies it, which value it checks, what its
//! branch did.

use super::condition::bare;

/// Number of lines of a branch past which it is a feature of its own and not a check.
const GUARD_LINES_MAX: usize = 12;
/// Tests of the type of a value, which a missing value never passes.
const TYPE_TESTS: [&str; 11] = [
    "instanceof",
    "isinstance(",
    "typeof",
    "is_",
    "isArray(",
    "isBuffer(",
    "is_a?",
    "kind_of?",
    "respond_to?",
    "hasattr(",
    "callable(",
];
/// Parts of words of a line that fails, reports a failure or releases something.
const FAILURES: [&str; 23] = [
    "err", "fail", "invalid", "bad", "abort", "reject", "den", "forbid", "throw", "raise", "panic",
    "log", "warn", "print", "debug", "trace", "msg", "info", "free", "release", "close", "unref",
    "exit",
];
/// The starts of names of values that are true or false.
const PREDICATES: [&str; 7] = ["is", "has", "can", "may", "allow", "valid", "should"];

/// Reports whether the lost part of a condition is implied by another part: a test for presence
/// next to a test of the type, or next to a comparison with a constant. In
/// `$v === null || !is_numeric($v)`, the second part says everything.
pub(super) fn is_implied(lost: &str, kept: &[String]) -> bool {
    // The value of `isset($a)`, `!empty($a)` or `$a !== null` is `$a`; that of `$a` is itself.
    let value = ["isset(", "is_object(", "!empty(", "!is_null("]
        .iter()
        .find_map(|test| lost.strip_prefix(test)?.strip_suffix(')'))
        .or_else(|| {
            [
                "!==null",
                "!=null",
                "===null",
                "==null",
                "!=nil",
                "==nil",
                "isnotNone",
            ]
            .iter()
            .find_map(|test| lost.strip_suffix(test))
        })
        .unwrap_or(lost);
    let is_value = value.chars().all(|letter| {
        letter.is_alphanumeric() || matches!(letter, '_' | '$' | '.' | '>' | '-' | '[' | ']' | ':')
    });
    is_value && kept.iter().any(|part| stronger(value, part))
}

/// Reports whether a part of a condition says more about a value than that it is there.
fn stronger(value: &str, part: &str) -> bool {
    let part = part.trim_start_matches('!');
    // `$a instanceof T`, `is_numeric($a)`, `isinstance(a, T)` and `typeof a === "x"` are never true
    // of a missing value.
    let is_typed = TYPE_TESTS.iter().any(|test| part.contains(test))
        && (part.starts_with(&format!("{value}instanceof"))
            || part.contains(&format!("({value})"))
            || part.contains(&format!("({value},"))
            || part.starts_with(&format!("typeof{value}=")));
    // Neither is `$a === []` or `$a === 3`.
    let is_constant = part
        .strip_prefix(value)
        .and_then(|rest| rest.strip_prefix("==="))
        .is_some_and(|right| right.starts_with(['[', '"', '\'']) || right.parse::<f64>().is_ok());
    is_typed || is_constant
}

/// Reports whether a branch refuses a value: it is short, and does not answer with what it makes of
/// the value. `if (count($n) <= 1) return array_shift($n);` is a shortcut and not a check.
pub(super) fn refuses(branch: &str, condition: &str, names: &[String]) -> bool {
    let body = branch
        .split_once(condition)
        .map_or(branch, |(_, body)| body);
    let lines = body
        .lines()
        .filter(|line| line.chars().any(char::is_alphanumeric));
    let is_answer = lines.clone().any(|line| answers(line, names));
    lines.count() <= GUARD_LINES_MAX && !is_answer
}

/// Reports whether a line of a branch makes something of a value: it returns the result of a call
/// with the value, or passes it to one.
fn answers(line: &str, names: &[String]) -> bool {
    let lower = line.to_lowercase();
    // A call that logs or reports the value refuses it, and makes nothing of it.
    let is_failure = FAILURES.iter().any(|word| lower.contains(word));
    let value = line.split_once("return ").map_or(line, |(_, value)| value);
    let is_call = value.contains('(') && value.trim_end().ends_with([')', ';', '}']);
    let has_name = names
        .iter()
        .any(|name| super::condition::has_word(value, name));
    // The head of a further branch, or a line that sets the value, is no answer.
    let is_other = super::condition::begins_branch(line) || super::condition::sets(line, names);
    !is_failure && is_call && has_name && !is_other
}

/// Reports whether a condition asks for the type of a value. Setting the value then makes another
/// form of it: `if (Array.isArray(v)) v = v.map(String)`.
pub(super) fn asks_type(condition: &str) -> bool {
    TYPE_TESTS.iter().any(|test| condition.contains(test))
}

/// Reports whether a text depends on what a condition asked. A condition that compares, or asks a
/// predicate, is about the whole value; one that asks for a field is about that field.
pub(super) fn depends(text: &str, condition: &str, name: &str) -> bool {
    let condition = bare(condition).replace("->", ".");
    let text = bare(text).replace("->", ".");
    // A condition that compares a field keeps any use of the value within bounds.
    let compares = condition.contains(['<', '>']);
    let fields: Vec<String> = condition
        .match_indices(name)
        .map(|(at, _)| member(&condition[at..]))
        .collect();
    fields.is_empty()
        || fields.iter().any(|field| match field.rsplit_once('.') {
            // `n >= 0` asks about the value itself.
            None => true,
            // `user.is_admin` says something about the user as a whole.
            Some((_, last)) if is_predicate(last) => !sets(&text, last),
            Some(_) => compares || is_read(&text, field),
        })
}

/// Returns the fields of a value, from its name on.
fn member(text: &str) -> String {
    text.chars()
        .take_while(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '$' | '.'))
        .collect()
}

/// Reports whether a name is that of a value that is true or false.
fn is_predicate(name: &str) -> bool {
    let is_word = |rest: &str| rest.starts_with(|next: char| next == '_' || next.is_uppercase());
    PREDICATES.iter().any(|word| {
        name.strip_prefix(word)
            .is_some_and(|rest| rest.is_empty() || is_word(rest))
    })
}

/// Reports whether a text sets the property that a predicate asks for, as in
/// `if (!t.isDaemon()) t.setDaemon(true)`: asking first changes nothing.
fn sets(text: &str, predicate: &str) -> bool {
    let property = predicate.trim_start_matches("is").trim_start_matches('_');
    !property.is_empty()
        && (text.contains(&format!("set{property}(")) || text.contains(&format!("set_{property}(")))
}

/// Reports whether a field is read, and not only set.
fn is_read(text: &str, field: &str) -> bool {
    text.match_indices(field).any(|(at, _)| {
        let rest = &text[at + field.len()..];
        let is_whole = !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
        // `opts.token = x` sets the field, and `opts.token == x` reads it.
        is_whole && (rest.starts_with("==") || !rest.starts_with('='))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presence_is_implied_by_a_type() {
        let kept = |part: &str| vec![part.to_owned()];
        assert!(is_implied("is_object($a[0])", &kept("$a[0]instanceof$t")));
        assert!(is_implied("$value===null", &kept("!is_numeric($value)")));
        assert!(is_implied("isset($c[$k])", &kept("$c[$k]===[]")));
        assert!(is_implied("$join", &kept("$joininstanceofEntity")));
        assert!(!is_implied("$other", &kept("$joininstanceofEntity")));
        assert!(!is_implied("i>=len(v)", &kept("i<0")));
        assert!(!is_implied("user", &kept("user!=null")));
    }

    #[test]
    fn a_field_is_not_the_whole_value() {
        assert!(!depends("t.setDaemon(true);", "(!t.isDaemon())", "t"));
        assert!(!depends("minimum = schema.minimum", "schema.not", "schema"));
        assert!(!depends(
            "opts.Token = trim(x)",
            "opts.Token == \"\"",
            "opts"
        ));
        assert!(depends("audit(user)", "not user.is_admin", "user"));
        assert!(depends("copy(s, n)", "(n >= 0)", "n"));
        assert!(depends("read(p->next)", "p->next", "p"));
    }
}
