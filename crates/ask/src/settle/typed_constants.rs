//! The constants that Go declares with a type: its form of an enumeration.

use grounds_evidence::{ConfidenceLevel, SymbolKind};
use grounds_repo::detail;
use grounds_repo::labels::LabelledPlace;

use super::subject::ClaimSubject;
use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled, counted, sites};

/// Words for the constants of a type.
const KINDS: &[&str] = &["constant", "field", "variant", "member", "element"];

/// Counts the constants of a Go type; `None` if it is no such type, or if another kind of part is
/// asked for.
pub(super) fn count(
    subject: &ClaimSubject,
    kind: &str,
    desk: &Desk<'_, '_>,
) -> Option<SettleResult> {
    let own = subject
        .definitions
        .iter()
        .filter(|place| !sites::is_test(place));
    let [place] = own.collect::<Vec<_>>()[..] else {
        return None;
    };
    if !KINDS.contains(&kind) || !place.path.as_str().ends_with(".go") {
        return None;
    }
    let spots = match in_package(&place.name, folder_of(place.path.as_str()), desk) {
        Ok(spots) => spots,
        Err(why) => return Some(Err(Unsettled::unknown(why))),
    };
    if spots.is_empty() {
        return None;
    }
    let told = format!("`{}` has {}.", place.name, counted(spots.len(), "constant"));
    Some(Ok(Settled {
        holds: None,
        sections: vec![desk.section(told, &spots, 1)],
        level: ConfidenceLevel::High,
        because: String::new(),
    }))
}

/// Counts the constants of its own type in a class of Java or C#, which are its form of an
/// enumeration. Returns `None` for fewer than two of them, or if another kind of part is asked for.
pub(super) fn of_own_type(
    place: &LabelledPlace,
    kind: &str,
    desk: &Desk<'_, '_>,
) -> Option<Settled> {
    let is_one = kind == "constant"
        && matches!(place.language, "Java" | "C#")
        && place.kind == Some(SymbolKind::Class);
    let found = is_one.then(|| detail::of_place(desk.tree.checkout, place, &desk.tree.limits));
    let members = found.flatten()?.members;
    let text = desk.tree.text(place.path.as_str())?;
    let lines: Vec<&str> = text.lines().collect();
    let words_of = |part: &detail::PartOfDefinition| head_words(&lines, part.line);
    let is_constant = |part: &&detail::PartOfDefinition| is_constant(&words_of(part));
    let constants: Vec<&detail::PartOfDefinition> = members.iter().filter(is_constant).collect();
    // `public static final Level LOW = …` has its type among its words.
    let is_own = |part: &&&detail::PartOfDefinition| words_of(part).contains(&place.name);
    let own: Vec<SettledSpot> = constants
        .iter()
        .filter(is_own)
        .map(|part| SettledSpot::line(part.path.as_str(), part.line, format!("`{}`", part.name)))
        .collect();
    let others = of_others(constants.len() - own.len());
    let count = counted(own.len(), "constant");
    let told = format!("`{}` has {count} of its own type{others}.", place.name);
    let because = "the words of their lines say so";
    (own.len() > 1).then(|| {
        Settled::told(None, desk.section(told, &own, 1)).at(ConfidenceLevel::Medium, because)
    })
}

fn of_others(count: usize) -> String {
    match count {
        0 => String::new(),
        count => format!(", and {} of other types", counted(count, "constant")),
    }
}

fn is_constant(head: &[String]) -> bool {
    let says = |word: &str| head.iter().any(|one| one == word);
    // C# writes `const` or `static readonly`, and Java writes `static final`.
    says("const") || says("static") && (says("final") || says("readonly"))
}

/// Reports whether a field of Java or C# is a constant by the words of its line.
pub(super) fn is_constant_field(
    part: &detail::PartOfDefinition,
    language: &str,
    desk: &Desk<'_, '_>,
) -> bool {
    if part.kind != SymbolKind::Field || !matches!(language, "Java" | "C#") {
        return false;
    }
    let text = desk.tree.text(part.path.as_str()).unwrap_or_default();
    is_constant(&head_words(&text.lines().collect::<Vec<_>>(), part.line))
}

/// Returns the words of a line before its value.
fn head_words(lines: &[&str], line: u32) -> Vec<String> {
    let line = lines.get(line.saturating_sub(1) as usize).copied();
    let head = line.unwrap_or_default().split('=').next();
    let words = head.unwrap_or_default().split_whitespace();
    words.map(str::to_owned).collect()
}

/// Returns the constants of a type in the files of its package, or the reason why they cannot be
/// counted.
fn in_package(
    wanted: &str,
    package: &str,
    desk: &Desk<'_, '_>,
) -> Result<Vec<SettledSpot>, String> {
    let files = desk.tree.files.iter().map(|file| file.as_str());
    let files = files.filter(|path| {
        path.ends_with(".go") && !path.ends_with("_test.go") && folder_of(path) == package
    });
    let mut spots = Vec::new();
    for path in files {
        let text = desk.tree.text(path);
        let text = text.ok_or_else(|| format!("`{path}` could not be read"))?;
        let found = constants_of(wanted, &text);
        let found =
            found.ok_or_else(|| format!("the constants of `{path}` go on over several lines"))?;
        spots.extend(
            found
                .into_iter()
                .map(|(name, line)| SettledSpot::line(path, line, format!("`{name}`"))),
        );
    }
    Ok(spots)
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the constants of a type in a Go file, with their lines.
///
/// In a group a bare name repeats the type and the value of the line before it. Returns `None` if a
/// comment or a value in a group continues over several lines, since then not every line declares a
/// constant.
fn constants_of(wanted: &str, text: &str) -> Option<Vec<(String, u32)>> {
    let (mut found, mut is_group, mut repeats) = (Vec::new(), false, false);
    for (line, number) in text.lines().zip(1..) {
        let line = line.split("//").next().unwrap_or_default().trim();
        let single = line.strip_prefix("const ").map(str::trim);
        let spec = match (is_group, single) {
            (false, Some("(")) => {
                (is_group, repeats) = (true, false);
                continue;
            }
            (true, _) if line == ")" => {
                is_group = false;
                continue;
            }
            (false, Some(spec)) => spec,
            (true, _) => line,
            (false, None) => continue,
        };
        // The lines below may belong to this value, and would be read as constants.
        if is_group && (line.contains("/*") || line.ends_with([',', '(', '{', '`'])) {
            return None;
        }
        let Some(spec) = Spec::read(spec) else {
            continue;
        };
        // `const ( A Kind = iota; B )`: `B` has neither a type nor a value, and repeats those of
        // `A`.
        repeats = spec.is_of(wanted).unwrap_or(is_group && repeats);
        if repeats {
            // `_` skips a number of `iota`, and is no constant.
            let names = spec.names.iter().filter(|name| **name != "_");
            found.extend(names.map(|name| ((*name).to_owned(), number)));
        }
    }
    Some(found)
}

/// One line of constants: `A, B Kind = 1, 2`.
struct Spec<'t> {
    names: Vec<&'t str>,
    kind: Option<&'t str>,
    value: Option<&'t str>,
}

impl<'t> Spec<'t> {
    /// Reports whether it declares constants of a type; `None` if it has neither a type nor a
    /// value.
    fn is_of(&self, wanted: &str) -> Option<bool> {
        match (self.kind, self.value) {
            (Some(kind), _) => Some(kind == wanted),
            (None, Some(value)) => {
                // `const A = Kind(1)` has its type in the conversion of its value.
                let rest = value.strip_prefix(wanted);
                Some(rest.is_some_and(|rest| rest.starts_with('(')))
            }
            (None, None) => None,
        }
    }

    fn read(line: &'t str) -> Option<Self> {
        let (left, value) = match line.split_once('=') {
            Some((left, value)) => (left.trim(), Some(value.trim())),
            None => (line, None),
        };
        let (mut names, mut kind) = (Vec::new(), None);
        let mut goes_on = true;
        for word in left.split_whitespace() {
            if goes_on {
                names.push(word.trim_end_matches(','));
                goes_on = word.ends_with(',');
            } else {
                kind = Some(word);
            }
        }
        let is_name = |name: &&str| {
            let mut letters = name.chars();
            letters
                .next()
                .is_some_and(|first| first.is_alphabetic() || first == '_')
                && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
        };
        (!names.is_empty() && names.iter().all(is_name)).then_some(Self { names, kind, value })
    }
}
