//! What a condition says, by its words: which values it checks, and which parts it has.

/// Words of a condition that are not values.
const NO_VALUES: &[&str] = &[
    "if",
    "unless",
    "not",
    "and",
    "or",
    "in",
    "is",
    "None",
    "null",
    "nil",
    "NULL",
    "nullptr",
    "true",
    "false",
    "True",
    "False",
    "self",
    "this",
    "let",
    "Some",
    "Ok",
    "Err",
    "sizeof",
    "typeof",
    "instanceof",
    "undefined",
    "isset",
    "empty",
    "defined",
    "err",
    "error",
    "ok",
    "ret",
    "rc",
    "const",
    "mut",
    "new",
    "as",
    "string",
    "int",
    "size_t",
    "unsigned",
    "char",
];
/// Words with which a branch leaves what it guards.
const LEAVES: &[&str] = &[
    "return", "throw", "raise", "continue", "break", "goto", "abort", "panic", "exit", "die",
    "fail", "bail", "Err", "halt", "reject", "error",
];
/// Words of a line that decides something.
const DECIDES: &[&str] = &[
    "if", "elif", "unless", "while", "for", "assert", "require", "match", "switch", "case", "when",
    "ensure", "check", "validate", "min", "max", "clamp", "filter", "guard",
];
/// Maximum number of characters of a condition that are shown.
const SHOWN_LETTERS_MAX: usize = 60;

/// Returns the words of a text, each with the text before and after it.
fn words(text: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_word)?;
        let end = text[start..]
            .find(|letter| !is_word(letter))
            .map_or(text.len(), |length| start + length);
        at = end;
        Some((&text[..start], &text[start..end], &text[end..]))
    })
}

/// Returns the values that a condition asks about, without fields, functions and constants.
pub(super) fn subjects(condition: &str) -> Vec<String> {
    let code = without_texts(condition);
    let mut names: Vec<String> = words(&code)
        .filter(|(before, word, behind)| {
            // In `table->count`, the value is `table`; in `is_ok(n)`, it is `n`.
            let is_field =
                before.ends_with('.') || before.ends_with("->") || before.ends_with("::");
            let is_called = behind.starts_with('(') || behind.starts_with("::");
            // A name without a small letter is a constant or a macro, as in `if (DEBUG)`.
            let is_constant = !word.chars().any(char::is_lowercase);
            let is_number = word.starts_with(|letter: char| letter.is_ascii_digit());
            !(is_field || is_called || is_constant || is_number || NO_VALUES.contains(word))
        })
        .map(|(_, word, _)| word.to_owned())
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Returns a text without the content of its quotation marks.
pub(in crate::rules::native) fn without_texts(text: &str) -> String {
    let (mut out, mut quote) = (String::with_capacity(text.len()), None);
    for letter in text.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => {}
            None if matches!(letter, '"' | '\'' | '`') => quote = Some(letter),
            None => out.push(letter),
        }
    }
    out
}

/// Returns the parts of a condition between `&&` and `||`, without white space and outer brackets.
pub(super) fn parts(condition: &str) -> Vec<String> {
    // Python and Ruby write the operators as words.
    let marked = [" and ", " or "]
        .iter()
        .fold(condition.to_owned(), |text, word| text.replace(word, "&&"));
    // How the parts are joined does not matter here, since any of them may be lost.
    let parts = marked.replace("||", "&&");
    parts
        .split("&&")
        .map(|part| balanced(&bare(part)))
        .filter(|part| !part.is_empty())
        .collect()
}

/// Returns the first call of a condition with its arguments; `None` if it calls nothing with an
/// argument.
pub(super) fn call(bare: &str) -> Option<&str> {
    let is_name = |letter: char| letter.is_alphanumeric() || "_.:>-".contains(letter);
    let mut opens = bare.match_indices('(').map(|(at, _)| at);
    // The bracket of a call follows a name, and that of `(a < b)` does not.
    let open = opens.find(|at| {
        bare[..*at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_')
    })?;
    let start = bare[..open]
        .rfind(|letter| !is_name(letter))
        .map_or(0, |at| at + 1);
    let mut depth = 0_usize;
    let end = bare[open..].char_indices().find_map(|(at, letter)| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(open + at + 1)
    })?;
    // A call without an argument asks about no value.
    (end > open + 2).then_some(&bare[start..end])
}

/// Returns how many more brackets a line opens than it closes.
pub(super) fn depth(line: &str) -> i64 {
    let code = without_texts(line);
    let letters = code.chars().map(|letter| match letter {
        '(' | '[' => 1,
        ')' | ']' => -1,
        _ => 0,
    });
    letters.sum()
}

/// Returns the value whose presence or absence a part of a condition asks for: `!x`, `x != NULL`,
/// `x`. `None` for any other form.
pub(super) fn presence(part: &str) -> Option<&str> {
    let part = part.strip_prefix('!').unwrap_or(part);
    let behind = ["NULL", "nullptr", "null", "nil", "None"]
        .iter()
        .find_map(|nothing| {
            let rest = part.strip_suffix(nothing)?;
            // The part has no white space any more, so `is not` is one word.
            ["!==", "===", "!=", "==", "isnot", "is"]
                .iter()
                .find_map(|operator| rest.strip_suffix(operator))
        });
    let value = behind.unwrap_or(part);
    let is_value = |letter: char| letter.is_alphanumeric() || "_$.->".contains(letter);
    (!value.is_empty() && value.chars().all(is_value)).then_some(value)
}

/// Returns the value that a part of a condition asks to be small, and the least that it is if the
/// condition is false: `n<4` gives 4, `n<=0` and `n==0` give 1.
pub(super) fn least(part: &str) -> Option<(&str, u64)> {
    let at = part.find(['<', '='])?;
    let (value, rest) = part.split_at(at);
    let least = match rest.strip_prefix("<=").or_else(|| rest.strip_prefix("==")) {
        // Once `n <= 0` or `n == 0` has left, a size is at least 1.
        Some("0") => 1,
        Some(_) => return None,
        None => rest.strip_prefix('<')?.parse().ok()?,
    };
    let is_value = |letter: char| letter.is_alphanumeric() || letter == '_';
    (!value.is_empty() && value.chars().all(is_value)).then_some((value, least))
}

/// Reports whether a part asks if a value is below at least this number. For 1, a comparison with a
/// named size is enough.
pub(super) fn is_below(part: &str, value: &str, least: u64) -> bool {
    let Some(size) = part
        .strip_prefix(value)
        .and_then(|rest| rest.strip_prefix('<'))
    else {
        return false;
    };
    match size.parse::<u64>() {
        Ok(size) => size >= least,
        Err(_) => least <= 1 && size.starts_with(char::is_alphabetic),
    }
}

/// Reports whether a line changes a value.
pub(super) fn changes(line: &str, value: &str) -> bool {
    let bare = bare(line);
    let steps = ["-=", "+=", "--", "++"];
    sets(line, &[value.to_owned()])
        || steps
            .iter()
            .any(|step| bare.contains(&format!("{value}{step}")))
        // A function that gets `&n` may set it.
        || has_word(line, value) && bare.contains(&format!("&{value}"))
}

/// Returns a part without brackets that have no partner in it, as `(a<b` and `c)` of
/// `(a < b || c)`.
fn balanced(part: &str) -> String {
    let count = |letter: char| part.matches(letter).count();
    let (opened, closed) = (count('('), count(')'));
    let mut rest = part;
    for _ in closed..opened {
        rest = rest.strip_prefix('(').unwrap_or(rest);
    }
    for _ in opened..closed {
        rest = rest.strip_suffix(')').unwrap_or(rest);
    }
    rest.strip_prefix('(')
        .and_then(|inner| inner.strip_suffix(')'))
        .filter(|inner| !inner.contains(['(', ')']))
        .unwrap_or(rest)
        .to_owned()
}

/// Reports whether a line begins a branch.
pub(super) fn begins_branch(line: &str) -> bool {
    // The line has more than its condition: the word that begins the branch.
    of_line(line).len() < line.trim().trim_end_matches(['{', ':', ' ']).len()
}

/// Returns the condition of a line that begins a branch.
pub(super) fn of_line(line: &str) -> &str {
    // As in `} else if (n > 0) {`.
    let rest = line.trim().trim_start_matches("} ");
    let rest = ["else if", "elif", "while", "if"]
        .iter()
        .find_map(|word| rest.strip_prefix(word))
        .unwrap_or(rest);
    rest.trim().trim_end_matches(['{', ':', ' '])
}

/// Returns a text without white space.
pub(super) fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Returns a condition for a message.
pub(super) fn short(condition: &str) -> String {
    let words: Vec<&str> = condition.split_whitespace().collect();
    let text = words.join(" ");
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'))
        .unwrap_or(&text);
    match inner.char_indices().nth(SHOWN_LETTERS_MAX) {
        Some((end, _)) => format!("{}…", &inner[..end]),
        None => inner.to_owned(),
    }
}

/// Reports whether a branch leaves what comes after it.
pub(super) fn leaves(branch: &str) -> bool {
    words(branch).any(|(_, word, _)| LEAVES.contains(&word))
}

/// Reports whether a branch sets one of some names, as when it keeps a value between bounds.
pub(super) fn sets(branch: &str, names: &[String]) -> bool {
    let branch = without_texts(branch);
    names.iter().any(|name| {
        branch.match_indices(name.as_str()).any(|(at, _)| {
            let rest = branch[at + name.len()..].trim_start();
            // `probe_n = 0` does not set `n`.
            let is_whole =
                !branch[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
            is_whole && rest.starts_with('=') && !rest.starts_with("==")
        })
    })
}

/// Reports whether a line decides something.
pub(super) fn decides(line: &str) -> bool {
    words(line).any(|(_, word, _)| DECIDES.contains(&word))
        || ["?", "&&", "||", " and ", " or "]
            .iter()
            .any(|mark| line.contains(mark))
}

/// Reports whether a line contains a name as a whole word.
pub(super) fn has_word(line: &str, name: &str) -> bool {
    words(line).any(|(_, word, _)| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_read_by_its_words() {
        assert_eq!(
            subjects("(index < 0 || index >= table->count)"),
            ["index", "table"]
        );
        assert_eq!(subjects("!isAllowed(user.name, \"a b\")"), ["user"]);
        assert!(subjects("(DEBUG)").is_empty());
        assert_eq!(parts("(a < b || (c && !d(e)))"), ["a<b", "c", "!d(e)"]);
        assert_eq!(parts("a and b.c(d) or e"), ["a", "b.c(d)", "e"]);
        assert_eq!(parts(of_line("\tif (a < b) {")), ["a<b"]);
        assert_eq!(presence("!p->next"), Some("p->next"));
        assert_eq!(
            (presence("a!=NULL"), presence("aisNone")),
            (Some("a"), Some("a"))
        );
        assert_eq!((presence("a<b"), presence("f(a)")), (None, None));
        assert_eq!(
            (least("n<4"), least("n<=0")),
            (Some(("n", 4)), Some(("n", 1)))
        );
        assert_eq!(
            (least("n<m"), least("p->n<1"), least("n==2")),
            (None, None, None)
        );
        assert!(is_below("n<hs_len", "n", 1) && is_below("n<5", "n", 5));
        assert!(!is_below("n<hs_len", "n", 2) && !is_below("n<4", "n", 5));
        assert!(!sets("probe_server = 0;", &["server".to_owned()]));
        assert!(changes("n -= 5;", "n") && !changes("if (n == 5)", "n"));
        assert_eq!(call("(f(a,b)==0)"), Some("f(a,b)"));
        assert_eq!((call("(a<b)"), call("(f()==0)")), (None, None));
        assert!(leaves("if (a) return -1;") && !leaves("if (a) b = returned;"));
    }
}
