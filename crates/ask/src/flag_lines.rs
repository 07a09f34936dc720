//! Recognizes lines that declare command-line flags, by the libraries that declare them.

use crate::words::is_in;

/// Limit on the lines of one declaration.
pub(crate) const LINES_MAX: usize = 16;

/// Names of calls by which libraries of command lines declare a flag.
const DECLARING: &[&str] = &[
    "add_argument",
    "add_option",
    "addoption",
    "addargument",
    "long(",
    "arg(",
    "option(",
    "options(",
    "opts.on",
    "parser.on",
    "flags()",
    "flag(",
    "flag{",
    "flag.",
    "var(",
    "varp(",
];
/// Names of calls that read a flag: `viper.BindPFlag("debug", …)` declares none.
const READING: &[&str] = &[
    "get_",
    "matches.",
    "is_present",
    "value_of",
    "contains_id",
    "lookup(",
    "bindpflag(",
    "changed(",
];
/// Keys that give a flag its name in a declaration, before `=` or `:`.
const KEYS: &str = "name names long longname long_name flag flags";

/// The attributes by which a field makes a flag.
const ATTRIBUTES: &[&str] = &["#[arg(", "#[clap(", "#[structopt(", "#[argh(", "#[options("];

/// Limit on the bytes of a line in which a flag is searched. A program that was minified into one
/// line declares no flags, and each of its literals would be compared with its surroundings.
const LINE_BYTES_MAX: usize = 1_000;

/// Returns the flags that a text declares, without their dashes, each with the number of its line
/// from zero.
pub(crate) fn declared_in(source: &str) -> Vec<(String, usize)> {
    let shown = |line| Some(line).filter(|line: &&str| line.len() <= LINE_BYTES_MAX);
    let lines: Vec<&str> = source
        .lines()
        .map(|line| shown(line).unwrap_or_default())
        .collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let literals = literals(line).into_iter();
        let flags =
            literals.filter(|flag| is_declaration(&lines, at, flag) || is_comparison(line, flag));
        found.extend(flags.map(|flag| (flag.to_owned(), at)));
        // A usage text is often a list of strings, one for each line.
        let line = line.trim_start().trim_start_matches(['"', '\'', '`']);
        let explained = line
            .split_whitespace()
            // `-n, --no-nulls <arg>` may have the short form first.
            .take(2)
            .filter_map(|word| word.strip_prefix("--"));
        let explained = explained.map(|word| word.split(['=', '[', '<']).next().unwrap_or(word));
        let explained = explained.filter(|flag| !flag.is_empty() && is_usage(line, flag));
        found.extend(explained.map(|flag| (flag.to_owned(), at)));
        let name = name_of_field(line).unwrap_or_default();
        if !name.is_empty() && is_field(&lines, at, &format!("{name}:")) {
            found.push((name.replace('_', "-"), at));
        }
    }
    found
}

/// Returns the literals of a line that may be the name of a flag.
fn literals(line: &str) -> Vec<&str> {
    let is_part =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    // Every second part of the line is between two quotes.
    let quoted = line.split(['"', '\'', '`']).skip(1).step_by(2);
    let names = quoted.filter_map(|text| {
        let name = match text.find("--") {
            // `"--[no-]color"` of Ruby declares the flag `color` with its negation.
            Some(at) => text[at + 2..].trim_start_matches("[no-]"),
            None => text,
        };
        let end = name.find(|letter| !is_part(letter)).unwrap_or(name.len());
        let name = &name[..end];
        (name.len() > 1 && name.starts_with(|letter: char| letter.is_ascii_lowercase()))
            .then_some(name)
    });
    names.collect()
}

fn name_of_field(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let bare = line.strip_prefix("pub ").unwrap_or(line);
    let bare = bare.strip_prefix("pub(crate) ").unwrap_or(bare);
    let (name, _) = bare.split_once(": ")?;
    let is_name = name
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    (is_name && !name.is_empty()).then_some(name)
}

/// Reports whether a line has the name of a flag at the head of a literal, in a call that declares
/// flags. That is the call before it on its line, or the enclosing one if the literal begins the
/// line.
pub(crate) fn is_declaration(lines: &[&str], at: usize, flag: &str) -> bool {
    let Some((start, _)) = literal(lines[at], flag) else {
        return false;
    };
    let before = lines[at][..start].trim_end();
    let key = before.strip_suffix(['=', ':']).map(last_word);
    let key = key.map(|key| key.rsplit(['(', '.']).next().unwrap_or(key));
    // The literal in `help = "watch"` is the value of another key.
    if key.is_some_and(|key| !is_in(KEYS, key.to_lowercase().as_str())) {
        return false;
    }
    if key.is_some_and(|key| key.eq_ignore_ascii_case("long")) {
        return true;
    }
    let open = before.rfind(['(', '{', '[']);
    let called = open.map(|open| last_word(before[..open].trim_end_matches(['(', '{', '[', ' '])));
    let (first, _) = around(lines, at);
    let head = match called.filter(|name| !name.is_empty()) {
        Some(name) => format!("{name}("),
        None if first < at => lines[first].to_owned(),
        None => before.to_owned(),
    };
    let head = head.to_lowercase();
    let has_one = |words: &[&str]| words.iter().any(|word| head.contains(word));
    has_one(DECLARING) && !has_one(READING)
}

/// Returns the last word of a text with its owners: `cmd.Flags().Bool` of `x = cmd.Flags().Bool(`.
fn last_word(text: &str) -> &str {
    let is_part = |letter: char| letter.is_alphanumeric() || "_.:()".contains(letter);
    let word = text.trim_end().rsplit(|letter| !is_part(letter)).next();
    word.unwrap_or_default().trim_matches(['.', '(', ':'])
}

/// Reports whether a line compares with a flag as it is typed: `case "--all":`, `'--all': Boolean`.
pub(crate) fn is_comparison(line: &str, flag: &str) -> bool {
    literal(line, flag).is_some_and(|(start, end)| {
        let (before, after) = (line[..start].trim_end(), line[end..].trim_start());
        // Without its dashes, `case "all":` compares with any text.
        line[start..end].contains("--")
            && (before.ends_with("case") || before.ends_with("==") || after.starts_with([':', '=']))
    })
}

/// Reports whether a line of a usage text explains a flag:
/// `    -n, --no-nulls <arg>   Leave them out.`
pub(crate) fn is_usage(line: &str, flag: &str) -> bool {
    // A usage text is often a list of strings, one for each line.
    let line = line
        .trim_start()
        .trim_start_matches(['"', '\'', '`'])
        .trim_start();
    let short = line
        .split_once([',', ' '])
        .filter(|(short, _)| short.len() == 2 && short.starts_with('-'));
    let long = short.map_or(line, |(_, long)| long.trim_start());
    let rest = long
        .strip_prefix("--")
        .and_then(|long| long.strip_prefix(flag));
    rest.is_some_and(|rest| {
        rest.is_empty()
            || ["  ", " <", " [", "=", "[="]
                .iter()
                .any(|next| rest.starts_with(next))
    })
}

/// Returns where the literal is that begins with a flag, after its short form at most:
/// `"-w, --warmup <N>"`.
pub(crate) fn literal(line: &str, flag: &str) -> Option<(usize, usize)> {
    const SHORT_MAX: usize = 2;
    line.match_indices(flag).find_map(|(at, _)| {
        let start = line[..at].rfind(['"', '\'', '`'])?;
        let quote = line[start..].chars().next()?;
        let before = line[start + 1..at].trim_end_matches("[no-]");
        let letters = before
            .chars()
            .filter(|letter| letter.is_alphanumeric())
            .count();
        let is_head = letters <= SHORT_MAX
            && before
                .chars()
                .all(|letter| letter.is_alphanumeric() || "-,|/ ".contains(letter));
        let rest = &line[at + flag.len()..];
        let ends = rest.starts_with([quote, ' ', '=', '[', '<', ',', '|']);
        let end = at + flag.len() + rest.find(quote)? + 1;
        // A short form needs the dashes of the long one after it: `"a watch"` is prose.
        (is_head && ends && (letters == 0 || before.ends_with("--"))).then_some((start, end))
    })
}

/// Reports whether a line ends the attributes above a field: an empty line, or another field.
pub(crate) fn ends_field(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.ends_with(',') && line.contains(": ") && !line.contains('=')
}

/// Reports whether a line is a field that an attribute above it makes a flag: `#[arg(long)]` over
/// `dry_run: bool`.
pub(crate) fn is_field(lines: &[&str], at: usize, field: &str) -> bool {
    if name_of_field(lines[at]) != field.strip_suffix(':') {
        return false;
    }
    let above = lines[at.saturating_sub(LINES_MAX)..at].iter().rev();
    let of_field = above.take_while(|line| !ends_field(line));
    let text: String = of_field.copied().collect::<Vec<_>>().join(" ");
    let is_attribute = ATTRIBUTES.iter().any(|attribute| text.contains(attribute));
    is_attribute
        // `argh` writes `#[argh(switch)]`, and names the flag by the field.
        && ["long,", "long)", "switch"]
            .iter()
            .any(|word| text.contains(word))
}

/// Returns the lines of the innermost brackets around a line, or of those that it opens.
pub(crate) fn around(lines: &[&str], at: usize) -> (usize, usize) {
    let balance = |line: &str| {
        let count = |letters: &[char]| line.chars().filter(|one| letters.contains(one)).count();
        i64::try_from(count(&['(', '[', '{'])).unwrap_or(0)
            - i64::try_from(count(&[')', ']', '}'])).unwrap_or(0)
    };
    let mut first = at;
    let mut open = balance(lines[at]).min(0);
    // A line that opens a bracket itself is the head of its own declaration.
    if balance(lines[at]) <= 0 && open + balance(lines[at]) <= 0 {
        for above in (at.saturating_sub(LINES_MAX)..at).rev() {
            open += balance(lines[above]);
            if lines[above].trim().is_empty() {
                break;
            }
            if open > 0 {
                first = above;
                break;
            }
        }
    }
    let mut depth = 0;
    let mut last = at;
    for (below, line) in lines.iter().enumerate().skip(first).take(LINES_MAX) {
        depth += balance(line);
        last = below;
        if depth <= 0 && below >= at {
            break;
        }
    }
    (first, last)
}
