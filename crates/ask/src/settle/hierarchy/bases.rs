//! The bases that the text of a definition names: in its head, and in its body where the language
//! has mixins or embedded types.

use std::collections::BTreeSet;

use grounds_claims::{Claim, Quantifier, names};
use grounds_evidence::SymbolKind;
use grounds_repo::labels::LabelledPlace;

use crate::settle::{Desk, SettledSpot, counted};
use crate::understand::tree::last_part;
use crate::words::is_in;

/// Limit on the lines of one head, including those of a preprocessor.
const LINES_MAX: usize = 40;

/// The relation of a type to a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BaseRole {
    /// It extends it.
    Extended,
    /// Its head does not say whether it extends or implements it.
    Either,
    /// It implements it.
    Implemented,
    /// It has an attribute that derives it.
    Derived,
    /// It mixes it in.
    Mixed,
    /// It embeds it.
    Embedded,
}

/// One base of a type, with the place that names it.
#[derive(Clone, Debug)]
pub(super) struct Base {
    /// As it is written, without arguments.
    pub(super) name: String,
    pub(super) role: BaseRole,
    pub(super) spot: SettledSpot,
}

/// Returns the bases that a definition names.
pub(super) fn of_definition(place: &LabelledPlace, desk: &Desk<'_, '_>) -> Vec<Base> {
    let Some(text) = desk.tree.text(place.path.as_str()) else {
        return Vec::new();
    };
    let lines: Vec<&str> = text.lines().collect();
    let named = named_in_head(&after_name(place, &lines), place);
    let what = "head of the definition";
    let spot = SettledSpot::line(place.path.as_str(), place.line, what);
    let mut bases: Vec<Base> = Vec::new();
    for (number, base) in named.into_iter().enumerate() {
        let role = base
            .role
            .unwrap_or_else(|| told(&base, number, place, desk));
        bases.push(Base {
            name: base.name,
            role,
            spot: spot.clone(),
        });
    }
    bases.extend(in_body(place, &lines));
    bases
}

/// A name among the bases of a head.
struct Named {
    name: String,
    /// Whether its constructor is called.
    is_called: bool,
    /// The role that a word of the head gives; `None` without such a word.
    role: Option<BaseRole>,
}

/// Returns the role of a base that no word of the head gives.
fn told(base: &Named, number: usize, place: &LabelledPlace, desk: &Desk<'_, '_>) -> BaseRole {
    use SymbolKind as K;
    // An interface can only extend its bases, and C++ does not distinguish interfaces.
    if matches!(place.kind, Some(K::Interface | K::Trait)) || is_in("C++ C", place.language) {
        return BaseRole::Extended;
    }
    // Only a class of Swift extends another type.
    if place.language == "Swift" && matches!(place.kind, Some(K::Struct | K::Enum)) {
        return BaseRole::Implemented;
    }
    let known = desk.tree.know(&[last_part(&base.name)]).remove(0);
    let kinds: Vec<Option<K>> = known
        .definitions()
        .filter(|other| other.language == place.language)
        .map(|other| other.kind)
        .collect();
    let is_abstract = |kind: &Option<K>| matches!(kind, Some(K::Interface | K::Trait));
    let is_class = |kind: &Option<K>| matches!(kind, Some(K::Class | K::Struct | K::Object));
    match (kinds.iter().any(is_abstract), kinds.iter().any(is_class)) {
        (true, false) => return BaseRole::Implemented,
        (false, true) => return BaseRole::Extended,
        _ => {}
    }
    // The base is not in the tree: only the conventions of the language are left. C# names
    // interfaces `IName`, and only the first base can be a class.
    let mut letters = last_part(&base.name).chars();
    let is_i = letters.next() == Some('I') && letters.next().is_some_and(char::is_uppercase);
    match place.language {
        // Kotlin calls the constructor of a base class; an interface has no constructor.
        "Kotlin" if base.is_called => BaseRole::Extended,
        "Kotlin" => BaseRole::Implemented,
        "C#" if is_i || number > 0 => BaseRole::Implemented,
        "C#" => BaseRole::Extended,
        _ if number > 0 => BaseRole::Implemented,
        _ => BaseRole::Either,
    }
}

/// Returns the text after the name of a definition, without comments and lines of a preprocessor.
fn after_name(place: &LabelledPlace, lines: &[&str]) -> String {
    let start = place.line.saturating_sub(1) as usize;
    let end = place.column.saturating_sub(1) as usize + place.name.len();
    let mut text = String::new();
    for (number, line) in lines.iter().skip(start).take(LINES_MAX).enumerate() {
        let line = match number {
            0 => line.get(end..).unwrap_or_default(),
            _ => line,
        };
        // `#if` may appear between the lines of a head.
        let is_told = number > 0 && is_in("C# C++ C Swift", place.language);
        if is_told && line.trim_start().starts_with('#') {
            continue;
        }
        text.push_str(without_comment(line, place.language));
        text.push('\n');
    }
    while let Some(from) = text.find("/*") {
        let to = text[from..]
            .find("*/")
            .map_or(text.len(), |to| from + to + 2);
        text.replace_range(from..to, " ");
    }
    text
}

fn without_comment<'l>(line: &'l str, language: &str) -> &'l str {
    let mark = match is_in("Python Ruby", language) {
        true => "#",
        false => "//",
    };
    line.split(mark).next().unwrap_or_default()
}

/// Returns the names among the bases of a head, which begins after the name of the definition.
fn named_in_head(text: &str, place: &LabelledPlace) -> Vec<Named> {
    use SymbolKind as K;
    let is_value = matches!(place.kind, Some(K::Constant) | None);
    let head = flat(text, place.language);
    match place.language {
        "Go" | "Rust" | "Lua" | "Bash" => Vec::new(),
        "Python" if is_value => Vec::new(),
        "Python" => in_round_brackets(text),
        "Ruby" => of_ruby(text),
        "Kotlin" | "C#" | "Swift" | "C++" | "C" => {
            // `enum class Level : int` gives the type of its values, which is no base.
            let is_sized = place.kind == Some(K::Enum) && is_in("C# C++ C", place.language);
            match is_value || is_sized {
                true => Vec::new(),
                false => after_colon(&head),
            }
        }
        // `const Late = class extends Failure {}`
        _ if is_value && !head.trim_start_matches(['=', ' ']).starts_with("class ") => Vec::new(),
        _ => after_words(&head, place),
    }
}

/// Returns a head up to its body, with all brackets emptied and type arguments removed.
fn flat(text: &str, language: &str) -> String {
    // These languages write type arguments in other brackets or not at all, and `<` has another
    // meaning.
    let has_angles = !is_in("Python Ruby Scala PHP", language);
    let ends_alone = is_in("Kotlin Scala Swift", language);
    let (mut depth, mut head, mut before) = (0_usize, String::new(), ' ');
    for (at, letter) in text.char_indices() {
        // The `>` of `->` and `=>` closes no type argument.
        let is_angle =
            has_angles && "<>".contains(letter) && !(letter == '>' && "-=".contains(before));
        before = letter;
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '<' if is_angle => depth += 1,
            '>' if is_angle => depth = depth.saturating_sub(1),
            '{' | ';' if depth == 0 => break,
            '\n' if depth == 0 && ends_alone && !goes_on(&head, &text[at..]) => break,
            _ if depth == 0 => head.push(letter),
            _ => {}
        }
        // An empty bracket stays, since it shows that a constructor is called.
        if depth == 1 && letter == '(' {
            head.push_str("()");
        }
    }
    head
}

/// Reports whether a head continues after the end of a line.
fn goes_on(head: &str, rest: &str) -> bool {
    let rest = rest.trim_start();
    let word = rest.split(|letter: char| !letter.is_alphanumeric()).next();
    head.trim_end().ends_with([',', ':'])
        || rest.starts_with([',', ':', '(', '{'])
        || word.is_some_and(|word| is_in("extends with where by constructor", word))
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || "_.:\\$@".contains(letter)
}

/// Returns the words of a head, and whether an empty bracket follows each.
fn words(head: &str) -> impl Iterator<Item = (&str, bool)> {
    let end = |word: &str| word.as_ptr() as usize - head.as_ptr() as usize + word.len();
    head.split(|letter: char| !is_of_name(letter))
        .filter(|word| !word.is_empty() && !word.starts_with('@'))
        .map(move |word| (word, head[end(word)..].starts_with("()")))
}

fn named(word: &str, is_called: bool, role: Option<BaseRole>) -> Option<Named> {
    let name = word.trim_matches([':', '.', '\\']);
    let begins = |letter: char| letter.is_alphabetic() || letter == '_' || letter == '$';
    name.starts_with(begins).then(|| Named {
        name: name.to_owned(),
        is_called,
        role,
    })
}

/// Returns the bases after the words of a head: `extends A implements B, C`, `extends A with B`.
fn after_words(head: &str, place: &LabelledPlace) -> Vec<Named> {
    use SymbolKind as K;
    let is_abstract = matches!(place.kind, Some(K::Interface | K::Trait));
    let mut role = None;
    let mut bases = Vec::new();
    for (word, is_called) in words(head) {
        match word {
            // Scala extends a class and a trait by the same word.
            "extends" if place.language == "Scala" && !is_abstract => role = Some(None),
            "extends" => role = Some(Some(BaseRole::Extended)),
            "implements" => role = Some(Some(BaseRole::Implemented)),
            "with" if role.is_some() => role = Some(Some(BaseRole::Mixed)),
            // `permits` of Java lists heirs, and the other two list no bases.
            "permits" | "where" | "derives" => role = None,
            word => bases.extend(role.and_then(|role| named(word, is_called, role))),
        }
    }
    bases
}

/// Returns the names of the bases after the colon of a head.
pub(super) fn after_mark(head: &str, language: &str) -> Vec<String> {
    let bases = after_colon(&flat(head, language)).into_iter();
    bases.map(|base| base.name).collect()
}

/// Returns the bases after the colon of a head: `: public A, B<C>`, `: A(), B by c where T : D`.
fn after_colon(head: &str) -> Vec<Named> {
    let is_alone = |at: &usize| {
        // The `::` of `Outer::Inner : Base` begins no list of bases.
        let bytes = head.as_bytes();
        bytes.get(at + 1) != Some(&b':') && (*at == 0 || bytes[at - 1] != b':')
    };
    let mut colons = head.match_indices(':').map(|(at, _)| at);
    let Some(colon) = colons.find(is_alone) else {
        return Vec::new();
    };
    let mut bases = Vec::new();
    for item in head[colon + 1..].split(',') {
        let mut words = words(item)
            .skip_while(|(word, _)| is_in("public private protected internal virtual", word));
        let Some((word, is_called)) = words.next().filter(|(word, _)| *word != "where") else {
            break;
        };
        bases.extend(named(word, is_called, None));
        if words.any(|(word, _)| word == "where") {
            break;
        }
    }
    bases
}

/// Returns the bases in round brackets, which are arguments without a key:
/// `(core.Other, Generic[T], metaclass=Meta)`.
fn in_round_brackets(text: &str) -> Vec<Named> {
    let (mut depth, mut item, mut items) = (0_usize, String::new(), Vec::new());
    for letter in text.chars() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => break,
            _ => {}
        }
        match letter {
            // `class Box[T](Base)` has type parameters before its bases.
            '(' if depth == 1 => item.clear(),
            ')' if depth == 0 => {
                items.push(std::mem::take(&mut item));
                break;
            }
            ',' if depth == 1 => items.push(std::mem::take(&mut item)),
            _ => item.push(letter),
        }
    }
    let is_base = |item: &&String| {
        let rest = item
            .trim_start()
            .trim_start_matches(is_of_name)
            .trim_start();
        !rest.starts_with('=')
    };
    let first = |item: &String| {
        let (word, _) = words(item).next()?;
        named(word, false, Some(BaseRole::Extended))
    };
    items.iter().filter(is_base).filter_map(first).collect()
}

/// Returns the base of a Ruby class: `< Base`, `= Class.new(Base)`.
fn of_ruby(text: &str) -> Vec<Named> {
    let line = text.lines().next().unwrap_or_default().trim_start();
    let line = line.split(';').next().unwrap_or_default();
    let made = || {
        line.strip_prefix('=')?
            .trim_start()
            .strip_prefix("Class.new(")
    };
    let base = match line.strip_prefix('<') {
        // `class << self` opens the class of the object itself, and names no base.
        Some(rest) if !rest.starts_with('<') => Some(rest),
        _ => made(),
    };
    let word = base.and_then(|base| words(base.trim_start()).next());
    let base = word.and_then(|(word, _)| named(word, false, Some(BaseRole::Extended)));
    base.into_iter().collect()
}

/// How the body of a type names bases.
struct BodyBases {
    /// The words that begin such a line; empty if it holds only the name.
    openers: &'static [&'static str],
    role: BaseRole,
    /// The word for such a base.
    what: &'static str,
}

impl BodyBases {
    /// Returns how the body of a definition names bases; `None` if its language does not.
    fn of(place: &LabelledPlace) -> Option<Self> {
        let (openers, role, what): (&[&str], BaseRole, &str) = match place.language {
            "Ruby" => (
                &["include ", "extend ", "prepend "],
                BaseRole::Mixed,
                "mixin",
            ),
            "PHP" => (&["use "], BaseRole::Mixed, "trait"),
            "Go" if place.kind != Some(SymbolKind::Function) => {
                // No word precedes an embedded type: `sync.Mutex` on a line of its own.
                (&[], BaseRole::Embedded, "embedded type")
            }
            _ => return None,
        };
        Some(Self {
            openers,
            role,
            what,
        })
    }

    /// Returns the bases that one line of the body names.
    fn on_line(&self, line: &str) -> Vec<Named> {
        let names: Vec<&str> = match self.openers {
            [] => embedded(line).into_iter().collect(),
            openers => {
                let rest = openers.iter().find_map(|opener| line.strip_prefix(opener));
                rest.map_or(Vec::new(), |rest| rest.split([',']).collect())
            }
        };
        names
            .into_iter()
            .filter_map(|name| words(name).next())
            // `extend self` of Ruby mixes a module into itself.
            .filter(|(name, _)| *name != "self")
            .filter_map(|(name, _)| named(name, false, Some(self.role)))
            .collect()
    }
}

/// Returns the base types that the body names: Ruby's mixins, Go's embedded types, PHP's traits.
fn in_body(place: &LabelledPlace, lines: &[&str]) -> Vec<Base> {
    let Some(kind) = BodyBases::of(place) else {
        return Vec::new();
    };
    let mut bases = Vec::new();
    for (number, line) in member_lines(place, lines) {
        let number = u32::try_from(number + 1).unwrap_or(u32::MAX);
        let names = kind.on_line(line.trim()).into_iter();
        bases.extend(names.map(|base| Base {
            name: base.name,
            role: kind.role,
            spot: SettledSpot::line(place.path.as_str(), number, kind.what),
        }));
    }
    bases
}

/// Returns the lines of a body with the indentation of its first line, and their indexes in the
/// file. Lines of nested blocks are left out.
fn member_lines<'l>(place: &LabelledPlace, lines: &[&'l str]) -> Vec<(usize, &'l str)> {
    // The last line only closes the body.
    let inside = (place.line as usize..place.line_end.saturating_sub(1) as usize)
        .filter_map(|number| Some((number, *lines.get(number)?)))
        .filter(|(_, line)| !line.trim().is_empty() && line.trim() != "{");
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = inside.clone().next().map(|(_, line)| indent(line));
    inside
        .filter(|(_, line)| Some(indent(line)) == own)
        .collect()
}

/// Returns the type that a line of a Go type embeds: a name and nothing else.
pub(in crate::settle) fn embedded(line: &str) -> Option<&str> {
    let name = line
        .trim()
        .trim_start_matches('*')
        .split("//")
        .next()?
        .trim();
    let is_of_name = |letter: char| letter.is_alphanumeric() || "_.".contains(letter);
    (!name.is_empty() && name.chars().all(is_of_name)).then_some(name)
}

/// Returns the number of bases, if a claim asks for it and the roles of all of them are known.
pub(super) fn count_in_words(claim: &Claim, bases: &[Base]) -> String {
    let (role, noun) = match claim.predicate == &names::IMPLEMENTS {
        true => (BaseRole::Implemented, "interface"),
        false => (BaseRole::Extended, "base type"),
    };
    let is_open = |base: &Base| matches!(base.role, BaseRole::Either | BaseRole::Mixed);
    let of_role = bases.iter().filter(|base| base.role == role);
    let names: BTreeSet<&str> = of_role.map(|base| base.name.as_str()).collect();
    let is_told =
        claim.quantifier == Quantifier::Count && !names.is_empty() && !bases.iter().any(is_open);
    match is_told {
        true => format!(" That is {}.", counted(names.len(), noun)),
        false => String::new(),
    }
}

/// Returns the sentence about all bases of a type, by role.
pub(super) fn in_words(bases: &[Base]) -> String {
    let rows = [
        (BaseRole::Extended, "extends"),
        (BaseRole::Either, "extends or implements"),
        (BaseRole::Implemented, "implements"),
        (BaseRole::Derived, "derives"),
        (BaseRole::Mixed, "mixes in"),
        (BaseRole::Embedded, "embeds"),
    ];
    let told = rows.iter().filter_map(|(role, verb)| {
        let mut names: Vec<String> = Vec::new();
        for base in bases.iter().filter(|base| base.role == *role) {
            let name = format!("`{}`", base.name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        (!names.is_empty()).then(|| format!("{verb} {}", names.join(", ")))
    });
    told.collect::<Vec<_>>().join("; it ")
}
