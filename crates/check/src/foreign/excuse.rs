//! Excuses: reasons why a claim that does not hold accuses nobody after all.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Foreign;
use super::is_name;
use crate::claim::{TextClaim, ThingKind};
use crate::extract::spanned;
use crate::mention::MentionContext;
use crate::near;
use crate::verdict::ClaimVerdict;

impl Foreign {
    /// Returns the reason why a claim that does not hold accuses nobody after all.
    pub fn excuse(&self, claim: &TextClaim, verdict: &ClaimVerdict) -> Option<&'static str> {
        // A misspelling is one in any list, so only names that are gone have these excuses.
        let is_gone = matches!(verdict, ClaimVerdict::Gone { .. });
        let of_gone = || self.of_gone(claim).filter(|_| is_gone);
        self.of_form(claim).or_else(of_gone)
    }

    /// Returns the reason why a name that is gone accuses nobody: the text says that it no longer
    /// exists, or that it is another project's.
    fn of_gone(&self, claim: &TextClaim) -> Option<&'static str> {
        let is_name = matches!(
            claim.kind,
            ThingKind::Symbol | ThingKind::Variable | ThingKind::Flag
        );
        match () {
            () if !is_name => None,
            () if self.listed.iter().any(|part| part.contains(&claim.start)) => {
                Some("one of a list of what is no more")
            }
            () if self.is_elsewhere(entry(&claim.around)) => {
                Some("the entry of another project in a list")
            }
            () if self.is_of_language(&claim.name) => Some("a name that the language gives"),
            () => None,
        }
    }

    /// Reports whether a name has the form of the language's own, `__post_init__`, without the
    /// project's name in it.
    fn is_of_language(&self, name: &str) -> bool {
        let words = near::words(name);
        name.starts_with("__")
            && name.ends_with("__")
            && !words.iter().any(|word| self.own.contains(word))
    }

    /// Returns the reason why the form of a claim accuses nobody.
    fn of_form(&self, claim: &TextClaim) -> Option<&'static str> {
        match claim.kind {
            _ if is_diagram(claim) => Some("a node of a diagram"),
            ThingKind::Path | ThingKind::Line => self.of_path(claim).or_else(|| of_text(claim)),
            ThingKind::Symbol => of_text(claim).or_else(|| self.of_symbol(claim)),
            _ => of_text(claim).or_else(|| self.of_other(claim)),
        }
    }

    /// Returns the reason why the form of a path accuses nobody.
    fn of_path(&self, claim: &TextClaim) -> Option<&'static str> {
        let is_fence = matches!(claim.context, MentionContext::Fence(_));
        let has = |mark: &&str| claim.around.contains(mark);
        let is_template = is_fence && has(&"{%") || ["{{%", "{{<"].iter().any(has);
        match () {
            () if self.of_settings.contains(&claim.name) => {
                Some("a file of the settings that the text shows")
            }
            () if is_template => Some("a path of the reader's template"),
            () if self.captions.contains(&claim.name) => Some("a file of the example"),
            () if self.is_drawn(claim) => Some("a path of a tree that the text draws"),
            () if is_fence && is_written_to(claim) => Some("a file that the example writes"),
            () if is_fence && is_passed_to(claim, &self.own) => {
                Some("a file of the reader, given to the program")
            }
            () => self.of_other(claim),
        }
    }

    /// Returns the reason why the form of a symbol accuses nobody.
    fn of_symbol(&self, claim: &TextClaim) -> Option<&'static str> {
        let is_fence = matches!(claim.context, MentionContext::Fence(_));
        match () {
            () if is_fence && is_part_of_path(claim) => Some("a part of a path"),
            () if is_fence && is_sigiled(claim) => Some("a variable of the example"),
            () if self.is_of_example(claim) => Some("a name of the example"),
            () if is_fence && self.passed.contains(&claim.name) => {
                Some("a name that the example gives to a macro")
            }
            () if self.optional.contains(&claim.name) => Some("a parameter that the text names"),
            () => self.of_other(claim),
        }
    }

    /// Returns the reason why a name in an example, or a variable in a usage, accuses nobody.
    fn of_other(&self, claim: &TextClaim) -> Option<&'static str> {
        let is_fence = matches!(claim.context, MentionContext::Fence(_));
        let is_variable = claim.kind == ThingKind::Variable;
        match () {
            () if is_fence && self.is_member_of_example(claim) => Some("a name of the example"),
            () if is_variable && is_argument(claim) => Some("an argument"),
            () if is_variable && is_fence && is_expanded(claim) => {
                Some("a variable of the reader's shell")
            }
            () => None,
        }
    }

    /// Reports whether a path is one of a tree of files that the text draws.
    fn is_drawn(&self, claim: &TextClaim) -> bool {
        let mut parts = claim.name.split('/').filter(|part| !part.is_empty());
        let is_deep = claim.name.contains('/');
        // The folder at the top of a drawing is written above its lines, so it is not among them.
        let first = parts.next();
        is_deep && first.is_some() && parts.all(|part| self.drawn.contains(part))
    }

    /// Reports whether a name is one of a type that the example makes.
    fn is_member_of_example(&self, claim: &TextClaim) -> bool {
        claim.owners.last().is_some_and(|owner| {
            owner.starts_with(char::is_uppercase) && self.made_here.contains(owner)
        })
    }

    /// Reports whether an example uses a small name alone without importing it, in a language that
    /// requires an import. An argument, a key and a member belong to somebody's interface.
    fn is_of_example(&self, claim: &TextClaim) -> bool {
        let MentionContext::Fence(language) = &claim.context else {
            return false;
        };
        let languages = [
            "cmake",
            "meson",
            "python",
            "py",
            "pycon",
            "js",
            "javascript",
            "ts",
            "typescript",
            "jsx",
            "tsx",
            "mjs",
        ];
        let is_small = claim.name.starts_with(char::is_lowercase) && claim.owners.is_empty();
        let is_interface = [
            format!("{}=", claim.name),
            format!("{}:", claim.name),
            format!("{}?:", claim.name),
            format!(".{}", claim.name),
            format!("@{}", claim.name),
        ]
        .iter()
        .any(|form| claim.around.contains(form));
        is_small
            && languages.contains(&language.as_str())
            && !is_interface
            && !self.brought.contains(&claim.name)
    }
}

/// Reports whether a name is written in brackets for what is put in: `[name text]`, `{name}`.
fn is_placeholder(claim: &TextClaim) -> bool {
    let has = |open: &str, close: &str| {
        claim
            .around
            .contains(&format!("{open}{}{close}", claim.name))
    };
    let is_put_in = has("[", " ") && claim.context == MentionContext::Span;
    // `[entryName: string]` and the parts of `{Name}_{entryName}` are filled in as well.
    claim.kind == ThingKind::Symbol
        && (is_put_in || has("[", ": ") || has("_{", "}") || has("{", "}_"))
}

/// Returns the reason why the form in which a text has a name accuses nobody.
fn of_text(claim: &TextClaim) -> Option<&'static str> {
    match () {
        () if is_placeholder(claim) => Some("a placeholder"),
        () if is_named_by_placeholder(claim) => Some("a link of a template"),
        () if is_struck_out(claim) => Some("struck out"),
        () if is_in_bots_command(claim) => Some("a part of a command to a robot"),
        () => None,
    }
}

/// Reports whether the text of a link has a part for the reader to fill in: `[Run
/// {Service}](run.php)`.
fn is_named_by_placeholder(claim: &TextClaim) -> bool {
    let before = claim.around.split(&format!("]({}", claim.name)).next();
    let called = before.and_then(|before| before.rsplit('[').next());
    let is_word = |part: &str| {
        let is_plain = |letter: char| letter.is_alphanumeric() || " _-".contains(letter);
        part.starts_with(char::is_alphabetic) && part.chars().all(is_plain)
    };
    let mut parts = called.unwrap_or_default().split('{').skip(1);
    claim.kind == ThingKind::Link
        && parts.any(|part| part.split_once('}').is_some_and(|(part, _)| is_word(part)))
}

/// Reports whether a command of an example sends what it prints to a file: `pack a/ > b.go`.
fn is_written_to(claim: &TextClaim) -> bool {
    let line = &claim.around;
    line.contains(&format!(" > {}", claim.name)) || line.contains(&format!(" >> {}", claim.name))
}

/// Reports whether a text strikes a name out: "~~`old_name()`~~".
fn is_struck_out(claim: &TextClaim) -> bool {
    let name = &claim.name;
    ["~~`", "~~"]
        .iter()
        .any(|mark| claim.around.contains(&format!("{mark}{name}")))
}

/// Reports whether a code span is a command that a comment gives to a robot: `/tag vM.m.p
/// commit_hash`.
fn is_in_bots_command(claim: &TextClaim) -> bool {
    let mut spans = spanned(&claim.around);
    claim.context == MentionContext::Span
        && claim.kind == ThingKind::Symbol
        && spans.any(|span| {
            let (first, rest) = span.split_once(' ').unwrap_or((span, ""));
            // A path such as `/usr/bin/tally` has a second slash.
            let is_command = first
                .strip_prefix('/')
                .is_some_and(|word| !word.contains('/'));
            is_command && rest.contains(&claim.name)
        })
}

/// Reports whether a line has a name as that of a folder: `../shared_inventory/`.
fn is_part_of_path(claim: &TextClaim) -> bool {
    claim.around.contains(&format!("/{}/", claim.name))
}

/// Reports whether a line of PHP has a name as that of a variable: `$name`.
fn is_sigiled(claim: &TextClaim) -> bool {
    matches!(&claim.context, MentionContext::Fence(language) if language.starts_with("php"))
        && claim.owners.is_empty()
        && claim.around.contains(&format!("${}", claim.name))
}

/// Returns the name of a file or folder on a line of a tree that is drawn: `├── src/`.
pub(super) fn drawn(line: &str) -> Option<&str> {
    let (_, name) = line.rsplit_once(['─', '└', '├'])?;
    let name = name.split_whitespace().next()?;
    Some(name.trim_end_matches('/'))
}

/// Returns the headings of a text, by their letters, below which the next lines say that the thing
/// no longer exists.
pub(super) fn retired(text: &str) -> BTreeSet<String> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut found = BTreeSet::new();
    while let Some(line) = lines.next() {
        let is_heading = line.starts_with('#') && line.trim_start_matches('#').starts_with(' ');
        // A note below the next heading is about that heading's thing.
        let mut below = lines
            .clone()
            .take(NOTE_LINES)
            .take_while(|line| !line.starts_with('#'));
        let is_told = |line: &str| {
            let lower = line.to_ascii_lowercase();
            [
                "removed in",
                "deprecated in",
                "deprecated since",
                "no longer supported",
            ]
            .iter()
            .any(|mark| lower.contains(mark))
        };
        if is_heading && below.any(is_told) {
            // By letters, because a claim has its headings without their marks.
            found.insert(letters(line));
        }
    }
    found
}

/// Returns the paragraphs that say that something no longer exists, each with the paragraph before
/// it, which names the thing.
pub(super) fn ended(text: &str) -> Vec<Range<usize>> {
    const MARKS: [&str; 3] = [
        "no longer exist",
        "no longer available",
        "no longer part of",
    ];
    let (mut before, mut found) = (0, Vec::new());
    for paragraph in paragraphs(text) {
        let lower = text[paragraph.clone()].to_ascii_lowercase();
        if MARKS.iter().any(|mark| lower.contains(mark)) {
            found.push(before..paragraph.end);
        }
        before = paragraph.start;
    }
    found
}

/// Returns the runs of lines between blank ones.
fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let (mut at, mut is_open, mut found) = (0, false, Vec::<Range<usize>>::new());
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        // By its blanks, because a line may end with a carriage return as well.
        let is_blank = line.trim().is_empty();
        match found.last_mut().filter(|_| is_open) {
            _ if is_blank => {}
            Some(last) => last.end = end,
            None => found.push(at..end),
        }
        (at, is_open) = (end, !is_blank);
    }
    found
}

/// Returns the lists whose introduction says that their things no longer exist: "We deprecated the
/// following:".
pub(super) fn listed(text: &str) -> Vec<Range<usize>> {
    const MARKS: [&str; 5] = ["deprecated", "removed", "no longer", "dropped", "renamed"];
    let (mut at, mut found) = (0, Vec::<Range<usize>>::new());
    let (mut is_told, mut is_in_list) = (false, false);
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        // An entry may continue on indented lines.
        let is_part = bare.starts_with(['-', '*', '+']) || is_in_list && line.starts_with("  ");
        let end = at + line.len();
        match found.last_mut() {
            // Blank lines may come between the introduction and the entries.
            _ if bare.is_empty() => {}
            Some(list) if is_in_list && is_part => list.end = end,
            _ if is_told && is_part => found.push(at..end),
            _ => {
                let lower = bare.to_ascii_lowercase();
                is_told = bare.ends_with(':') && MARKS.iter().any(|mark| lower.contains(mark));
            }
        }
        is_in_list = is_told && (is_part || bare.is_empty() && is_in_list);
        at = end;
    }
    found
}

/// Returns the paths on a line of settings or of a manifest: `"install": "scripts/install.js"`.
pub(super) fn paths_of_settings<'l>(
    line: &'l str,
    language: &str,
) -> impl Iterator<Item = &'l str> {
    let is_data = matches!(
        language,
        "json" | "json5" | "jsonc" | "yaml" | "yml" | "toml"
    );
    let parts = line.split(|letter: char| letter.is_whitespace() || "\"',[]{}".contains(letter));
    let paths = parts.map(|part| part.trim_start_matches("./"));
    paths.filter(move |part| is_data && part.contains('/'))
}

/// Returns the address of the link to another site with which an entry of a list begins.
fn entry(around: &str) -> Option<&str> {
    let item = around.trim_start().trim_start_matches(['-', '*', '+', ' ']);
    let (_, rest) = item.strip_prefix('[')?.split_once("](")?;
    let (address, _) = rest.split_once(')')?;
    // Brackets inside of the text of the link would make its end unsure.
    let is_first = item.find("](").is_some_and(|at| !item[1..at].contains('['));
    (is_first && address.starts_with("http")).then_some(address)
}

/// Reports whether the word after a name tells of the past: "`G.nodes_iter()` returned an
/// iterator".
pub(super) fn is_told_in_past(claim: &TextClaim) -> bool {
    const PAST: [&str; 7] = ["was", "were", "had", "did", "gave", "took", "existed"];
    const ARTICLES: [&str; 3] = ["a", "an", "the"];
    let mut ends = claim.around.match_indices(&claim.name);
    ends.any(|(at, name)| {
        let rest = &claim.around[at + name.len()..];
        let is_name_end = rest.starts_with(['`', '(']);
        let rest = rest.trim_start_matches(['(', ')', '`']);
        let words = rest.strip_prefix(' ').unwrap_or_default();
        let mut words = words.split_whitespace();
        let (first, second) = (words.next(), words.next());
        // "The value returned by" is about the present.
        let is_returned =
            first == Some("returned") && second.is_some_and(|word| ARTICLES.contains(&word));
        is_name_end && (is_returned || first.is_some_and(|word| PAST.contains(&word)))
    })
}

/// Lines below a heading that may be a note on its thing.
const NOTE_LINES: usize = 2;

/// Returns the letters and digits of a text, in lower case.
pub(super) fn letters(text: &str) -> String {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns the method that a line of an example declares behind its modifiers and its type: `public
/// Item[] GetItems()`.
pub(super) fn method(line: &str) -> Option<&str> {
    let (head, rest) = line.split_once('(')?;
    let mut words = head.split_whitespace();
    let first = words.next()?;
    let name = head.rsplit(|letter: char| !is_name(letter)).next()?;
    let is_modified = [
        "public",
        "private",
        "protected",
        "internal",
        "static",
        "override",
        "virtual",
    ]
    .contains(&first);
    // `Stats Measure(Method method)` at the start of a line.
    let is_typed = words.next() == Some(name)
        && words.next().is_none()
        && first == line.split(' ').next().unwrap_or_default()
        && first.starts_with(char::is_uppercase)
        && rest.trim_end().ends_with([')', '{']);
    // Without a body it may show an interface of the project.
    let is_listed = line.trim_end().ends_with(';');
    let has_body = is_of_type(head, name) && line.trim_end().ends_with(['{', '>']);
    let is_declared =
        (is_modified || is_typed || has_body) && !head.contains('=') && !name.is_empty();
    (is_declared && !is_listed).then_some(name)
}

/// Reports whether only a type precedes a name: `Map<String, dynamic> parse`, `static const char
/// *name`.
fn is_of_type(head: &str, name: &str) -> bool {
    const OTHERS: [&str; 10] = [
        "if", "else", "for", "while", "switch", "return", "new", "await", "throw", "catch",
    ];
    let kind = head[..head.len() - name.len()].trim();
    let is_part = |letter: char| is_name(letter) || " <>,?[]*&:.".contains(letter);
    let mut words = kind.split_whitespace();
    !kind.is_empty()
        && kind.chars().all(is_part)
        && !kind.ends_with(['.', ':'])
        && words.all(|word| !OTHERS.contains(&word))
}

/// Reports whether a line is one that a program prints while it works: `Writing out/a.yaml`.
pub(super) fn is_progress(claim: &TextClaim) -> bool {
    let line = claim.around.trim();
    // A place that a compiler points to, a record of a log, and a call of a trace.
    if ["--> ", "time=\"", "File \"", "File: \""]
        .iter()
        .any(|mark| line.starts_with(mark))
    {
        return true;
    }
    let Some((first, rest)) = line.split_once(' ') else {
        return false;
    };
    let does = first.ends_with("ing") || first.ends_with("ed") || first == "Wrote";
    matches!(claim.kind, ThingKind::Path | ThingKind::Line)
        && matches!(claim.context, MentionContext::Fence(_))
        && first.starts_with(char::is_uppercase)
        && does
        // With more words, the line may be a sentence about the file.
        && !rest.trim().contains(' ')
}

/// Reports whether a usage has a name in capitals as that of an argument: `[$PORT...]`.
fn is_argument(claim: &TextClaim) -> bool {
    let name = &claim.name;
    [
        format!("[{name}]"),
        format!("[${name}"),
        format!("{name}..."),
        format!("<{name}>"),
    ]
    .iter()
    .any(|form| claim.around.contains(form))
}

/// Returns the names that a call in a code span has in brackets: `f([pattern],
/// [[remote=]pattern])`.
pub(super) fn optional(span: &str) -> impl Iterator<Item = &str> {
    let arguments = span.split_once('(').map_or("", |(_, arguments)| arguments);
    let parts = arguments
        .split('[')
        .skip(1)
        .map(|part| part.trim_start_matches(','));
    parts
        .filter_map(|part| {
            part.split_once(']')
                .map(|(name, _)| name.trim_end_matches('='))
        })
        .filter(|name| !name.is_empty() && name.chars().all(is_name))
}

/// Reports whether a claim is part of a diagram that is written as text.
fn is_diagram(claim: &TextClaim) -> bool {
    let languages = [
        "mermaid", "dot", "graphviz", "plantuml", "puml", "d2", "ditaa",
    ];
    matches!(&claim.context, MentionContext::Fence(language) if languages.contains(&language.as_str()))
}

/// Returns the path that a line of an example names in a comment of its own: `// test/setup.js`.
pub(super) fn caption(line: &str) -> Option<&str> {
    let line = line.trim();
    let rest = ["//", "#", "--", "/*", "<!--", ";", "%"]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))?;
    let rest = rest.trim_end_matches("*/").trim_end_matches("-->");
    let path = rest.trim().trim_start_matches("./").trim_end_matches(':');
    let is_path = path.contains('.') && !path.contains(char::is_whitespace);
    is_path.then_some(path)
}

/// Returns the name that a line of an example declares with a type or a rule: `id?: number;`, `sum:
/// a "+" b`.
pub(super) fn declared<'l>(line: &'l str, language: &str) -> Option<&'l str> {
    let (left, right) = line.trim().split_once(':')?;
    let name = left.trim_start_matches("readonly ").trim_end_matches('?');
    let is_field = language.starts_with("ts") || language == "typescript";
    let is_rule = matches!(language, "" | "text" | "ebnf" | "bnf" | "grammar");
    let is_declared = (is_field && right.ends_with(';'))
        || (is_rule && (right.contains('"') || right.contains(" | ")));
    (is_declared && !name.is_empty() && name.chars().all(is_name)).then_some(name)
}

/// Returns the names that a line passes to a macro in capitals: `TEST(Suite, Case)`.
pub(super) fn passed(line: &str) -> impl Iterator<Item = &str> {
    let call = line.split_once('(').filter(|(before, _)| {
        let name = before.trim_start();
        name.len() > 2
            && name
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    });
    call.into_iter()
        .flat_map(|(_, rest)| rest.split(','))
        .map(|part| part.trim_matches([' ', '(', ')', ';', '{', '}']))
        .filter(|part| !part.is_empty() && part.chars().all(is_name))
}

/// Reports whether a path follows a program of the project on a line of a shell. The reader runs
/// that program on files of their own.
fn is_passed_to(claim: &TextClaim, own: &BTreeSet<String>) -> bool {
    let line = claim
        .around
        .trim_start()
        .trim_start_matches(['$', '>', '%', ' ']);
    let mut words = line.split_whitespace();
    words
        .find(|word| !matches!(*word, "npx" | "sudo") && !word.contains('='))
        .is_some_and(|program| own.contains(program) && !program.contains(&claim.name))
}

/// Reports whether a line of an example has a variable in the form that a shell replaces by its
/// value.
fn is_expanded(claim: &TextClaim) -> bool {
    ["$", "${"]
        .iter()
        .any(|mark| claim.around.contains(&format!("{mark}{}", claim.name)))
}

#[cfg(test)]
mod tests {
    use super::ended;

    #[test]
    fn a_note_is_about_its_own_paragraph_and_the_one_before() {
        let text = "One.\n\nTwo.\nIt is here.\n\nIt no longer exists.\n\nThree.\n";
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let found = ended(&text);
            assert_eq!(found.len(), 1, "{text:?}");
            let told = &text[found[0].clone()];
            assert!(
                told.starts_with("Two.") && told.trim_end().ends_with("exists."),
                "{told:?}"
            );
        }
    }
}
