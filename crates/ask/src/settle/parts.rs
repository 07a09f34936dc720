//! The members of a definition, its place, and the content of a line.

mod kinds;
mod test_lines;

use std::collections::BTreeSet;

use grounds_claims::{Claim, Quantifier, names};
use grounds_evidence::{ConfidenceLevel, Relation, SymbolKind};
use grounds_repo::labels::LabelledPlace;
use grounds_repo::path::RepoPath;
use grounds_repo::{detail, outline};

use super::subject::{ClaimSubject, belongs, definition_spot, resolve};
use super::{
    Desk, SettleResult, Settled, SettledSpot, Unsettled, absence, counted, hierarchy, imports,
    literal, signature, sites, typed_constants, verdict,
};
use crate::understand::has::OWN;
use crate::understand::token::looks_like_code;
use crate::understand::tree::last_part;
use crate::understand::{is_path, with_line};
use crate::words::is_in;

/// Decides where a name is defined, or how often.
pub(super) fn defines(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    if claim.kind.as_deref() == Some(signature::KIND) {
        return signature::settle(claim, desk);
    }
    let text = claim.text(0).unwrap_or_default();
    let is_asked = matches!(claim.quantifier, Quantifier::Any | Quantifier::None);
    let subject = match resolve(text, desk) {
        // A plain word (`Refund`) is not an exact spelling: a name that contains it may be meant.
        Err(unsettled) if is_asked && unsettled.is_absent && is_word(text) => {
            return Err(written_otherwise(text, desk).unwrap_or(unsettled));
        }
        resolved => resolved?,
    };
    if is_asked {
        return there_is(claim, &subject, desk);
    }
    let kept = defining(claim, &subject, desk)?;
    if kept.is_empty() {
        // No grammar knows the key of a configuration as a name; the line that sets it is the
        // answer.
        return set_as_key(text, &subject, desk).ok_or_else(|| undefined(text, &subject));
    }
    let spots: Vec<SettledSpot> = kept.iter().map(|place| definition_spot(place)).collect();
    let files: BTreeSet<&str> = spots.iter().map(|spot| spot.path.as_str()).collect();
    let count = match claim.quantifier {
        Quantifier::CountFiles => counted(files.len(), "file"),
        _ => counted(spots.len(), "place"),
    };
    let holds = match claim.quantifier {
        Quantifier::Exactly(_) | Quantifier::AtLeast(_) => {
            Some(claim.quantifier.holds_for(spots.len()) != claim.is_negated)
        }
        _ => None,
    };
    let told = format!("{}`{text}` is defined in {count}:", verdict(holds));
    Ok(Settled::told(holds, desk.section(told, &spots, 6)))
}

/// Returns the definitions in the scope of a claim. Those of tests count only if there are no
/// others, or if all are counted.
fn defining<'s>(
    claim: &Claim,
    subject: &'s ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<Vec<&'s LabelledPlace>, Unsettled> {
    let mut kept: Vec<&LabelledPlace> = Vec::new();
    for place in &subject.definitions {
        let defines = place.relation == Relation::Defines;
        if defines && sites::in_scope(place, claim, subject, desk)? {
            kept.push(place);
        }
    }
    if claim.quantifier == Quantifier::Some && kept.iter().any(|place| !sites::is_test(place)) {
        kept.retain(|place| !sites::is_test(place));
    }
    Ok(kept)
}

/// Returns where a name without a definition is given a value.
fn set_as_key(text: &str, subject: &ClaimSubject, desk: &Desk<'_, '_>) -> Option<Settled> {
    if subject.is_defined() {
        return None;
    }
    let spots = super::values::assigned(subject, desk)?;
    let section = desk.section(format!("`{text}` is set here:"), &spots, 2);
    let because = "it is a key, and no name that a grammar knows";
    Some(Settled::told(None, section).at(ConfidenceLevel::Medium, because))
}

/// Returns the refusal for a name that occurs and has no definition.
fn undefined(text: &str, subject: &ClaimSubject) -> Unsettled {
    let near: Vec<SettledSpot> = subject
        .known
        .places()
        .iter()
        .take(5)
        .map(sites::site)
        .collect();
    Unsettled::absent(format!("`{text}` occurs, and is not defined there"), &near)
}

/// Limit on the bytes that are searched for a word.
const WORD_BYTES_MAX: u64 = 64 << 20;
/// Places with a word that are shown.
const WORD_SPOTS_MAX: usize = 5;

/// Reports whether a name is written as words are: "Refund".
fn is_word(text: &str) -> bool {
    text.chars().all(char::is_alphabetic) && !looks_like_code(text)
}

/// Returns why a plain word that is no name here may be one all the same: it occurs in another case
/// or inside a longer word, or the limit on bytes was reached. Returns `None` if no file has it.
fn written_otherwise(word: &str, desk: &Desk<'_, '_>) -> Option<Unsettled> {
    let lower = word.to_lowercase();
    let (mut spots, mut bytes) = (Vec::new(), 0);
    for file in &desk.tree.files {
        let path = file.as_str();
        if path.to_lowercase().contains(&lower) {
            spots.push(SettledSpot::line(path, 0, "its path has the word"));
        }
        let text = desk.tree.text(path).unwrap_or_default();
        bytes += text.len() as u64;
        let mut lines = text.lines().zip(1..);
        if let Some((_, line)) = lines.find(|(line, _)| line.to_lowercase().contains(&lower)) {
            spots.push(SettledSpot::line(path, line, "the word occurs here"));
        }
        if spots.len() >= WORD_SPOTS_MAX || bytes > WORD_BYTES_MAX {
            break;
        }
    }
    if spots.is_empty() && bytes <= WORD_BYTES_MAX {
        return None;
    }
    let why = match spots.is_empty() {
        true => {
            format!("`{word}` is not a name here, and the tree is too large to look for the word")
        }
        false => format!("`{word}` is not a name here, and other forms of the word occur"),
    };
    Some(Unsettled::unknown(why).with(&spots))
}

/// Decides whether a name is defined at all, as the asked kind.
fn there_is(claim: &Claim, subject: &ClaimSubject, desk: &Desk<'_, '_>) -> SettleResult {
    let text = &subject.text;
    // "Is X public?" asks for a visibility, and for no kind of definition.
    if let Some(is_public) = claim.kind.as_deref().and_then(visibility) {
        return visible(claim, subject, is_public, desk);
    }
    let kinds: Vec<&str> = claim.kind.iter().flat_map(|kind| kind.split(' ')).collect();
    let is_asked = |kind: SymbolKind| kinds.iter().any(|asked| is_just(kind, asked));
    let mut kept: Vec<SettledSpot> = Vec::new();
    for place in &subject.definitions {
        let fits = kinds.is_empty() || place.kind.is_some_and(is_asked);
        if fits && sites::in_scope(place, claim, subject, desk)? {
            kept.push(definition_spot(place));
        }
    }
    if subject.definitions.is_empty() {
        return Err(undefined(text, subject));
    }
    let wants = claim.quantifier == Quantifier::Any;
    if !kept.is_empty() {
        let place = counted(kept.len(), "place");
        let told = format!("{}`{text}` is defined in {place}:", verdict(Some(wants)));
        return Ok(Settled::told(Some(wants), desk.section(told, &kept, 6)));
    }
    elsewhere(subject, &kinds, !wants, desk)
}

/// Answers that a name is defined, but not where or not as what the claim asks for.
fn elsewhere(
    subject: &ClaimSubject,
    kinds: &[&str],
    holds: bool,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let text = &subject.text;
    // "Not as a class" is only true if every file was read and each definition has a known kind.
    absence::covered(subject, desk)?;
    if subject.definitions.iter().any(|place| place.kind.is_none()) {
        let why = format!("the kind of `{text}` is unknown");
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    }
    let is_asked = |kind: SymbolKind| kinds.iter().any(|asked| is_just(kind, asked));
    let mut kept = subject.definitions.iter().filter_map(|place| place.kind);
    let of = match kinds {
        kinds if kinds.is_empty() || kept.any(is_asked) => "elsewhere".to_owned(),
        kinds => format!("not as {}", kinds.join(" or ")),
    };
    let told = format!("{}`{text}` is defined, {of}:", verdict(Some(holds)));
    Ok(Settled::told(
        Some(holds),
        desk.section(told, &subject.spots(), 6),
    ))
}

/// Reports whether a kind is exactly the asked one, in the words of any language.
fn is_just(kind: SymbolKind, asked: &str) -> bool {
    use SymbolKind as K;
    match asked {
        "class" => matches!(kind, K::Class | K::Object),
        "struct" => kind == K::Struct,
        "enum" => kind == K::Enum,
        "trait" => kind == K::Trait,
        "interface" => matches!(kind, K::Interface | K::Trait),
        "function" | "method" => {
            matches!(kind, K::Function | K::Method | K::Constructor | K::Macro)
        }
        "constant" => matches!(kind, K::Constant | K::Variable | K::Field | K::Property),
        "macro" => kind == K::Macro,
        "module" => kind == K::Module,
        "field" | "variable" => matches!(kind, K::Field | K::Property | K::Variable | K::Constant),
        _ => true,
    }
}

/// Reports whether a word of a question includes a kind; "class" includes structs, interfaces,
/// enumerations and traits.
pub(crate) fn is_kind(kind: SymbolKind, asked: &str) -> bool {
    use SymbolKind as K;
    match asked {
        "variant" => kind == K::Variant,
        "method" => matches!(kind, K::Method | K::Constructor | K::Function),
        "function" => matches!(kind, K::Function | K::Method),
        "field" => matches!(kind, K::Field | K::Property | K::Variable),
        "constant" => kind == K::Constant,
        "variable" => kind == K::Variable,
        "macro" => kind == K::Macro,
        "interface" => kind == K::Interface,
        "struct" => kind == K::Struct,
        "enum" => kind == K::Enum,
        "trait" => kind == K::Trait,
        "class" => matches!(
            kind,
            K::Class | K::Struct | K::Interface | K::Enum | K::Trait
        ),
        _ => true,
    }
}

/// Counts the parts of a type, a literal, a file or a folder, or decides whether a type has a part.
pub(super) fn members(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    match (claim.text(0), claim.text(1)) {
        (Some(owner), Some(member)) => has(claim, owner, member, desk),
        (None, Some(member)) => having(claim, member, desk),
        (Some(owner), None) => count(claim, owner, desk),
        (None, None) => Err(Unsettled::unknown("the claim names nothing")),
    }
}

fn count(claim: &Claim, owner: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let kind = claim.kind.as_deref().unwrap_or("member");
    match kind {
        "file" | "folder" => entries(owner, kind, desk),
        "test file" => test_files(owner, desk),
        "test" => test_lines::count(owner, desk),
        // "How many .rs files" and "how many Python files" count files of a folder.
        _ if let Some(of) = kind.strip_suffix(" file") => files_of(owner, of, desk),
        _ if is_path(owner, desk.tree) => of_file(owner, kind, desk),
        _ => of_definition(owner, kind, desk),
    }
}

/// Counts the parts of one kind that a definition has.
fn of_definition(owner: &str, kind: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let (adjective, kind) = adjective_of(kind)?;
    let subject = resolve(owner, desk)?;
    // `STATE_ constant`: such constants lie beside the type, in its file, and not inside it.
    if let Some(prefix) = adjective.filter(|adjective| is_prefix(adjective)) {
        return of_prefix(prefix, kind, &subject, desk);
    }
    let definitions = with_parts(&subject, kind);
    // A type of Go and a union of literals have no members: the constants or literals are counted.
    if definitions.is_empty()
        && adjective.is_none()
        && let Some(settled) = without_parts(&subject, kind, desk)
    {
        return settled;
    }
    let place = only_definition(owner, &definitions, &subject)?;
    if let Some(settled) = typed_constants::of_own_type(place, kind, desk) {
        return Ok(settled);
    }
    if kind == "element" {
        return literal::count(place, desk);
    }
    let kind = kinds::in_language(kind, place)?;
    let known = lines_as_fields(place, field_of_macro, desk).len();
    // A macro in a structure of C may declare any number of fields, so a count would be wrong.
    has_no_macro(owner, place, known, desk)?;
    let parts = counted_parts(place, adjective, kind, desk)?;
    if parts.is_empty() {
        // Zero is never the answer: parts may be declared in a way that is not read.
        let why = format!("no {kind} of `{owner}` was seen");
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    }
    let spots: Vec<SettledSpot> = parts.iter().map(part_spot).collect();
    let which = adjective.map_or(kind.to_owned(), |adjective| format!("{adjective} {kind}"));
    let left_out = kinds::leaves_special(adjective, place);
    let told = told_count(owner, &counted(parts.len(), &which), left_out);
    Ok(Settled::told(None, desk.section(told, &spots, 1)))
}

/// Counts the definitions in the file of a type whose names begin with a prefix.
fn of_prefix(
    prefix: &str,
    kind: &str,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let types = with_parts(subject, kind);
    let place = only_definition(&subject.text, &types, subject)?;
    of_file(place.path.as_str(), &format!("{prefix} {kind}"), desk)
}

/// Counts the constants or literals of a type without parts: constants that have it as their type,
/// or the literals of its union.
fn without_parts(subject: &ClaimSubject, kind: &str, desk: &Desk<'_, '_>) -> Option<SettleResult> {
    if let Some(settled) = typed_constants::count(subject, kind, desk) {
        return Some(settled);
    }
    let counted = literal::count(only_alias(subject)?, desk);
    let because = "it is a union of literals";
    Some(counted.map(|settled| settled.at(ConfidenceLevel::Medium, because)))
}

fn told_count(owner: &str, count: &str, left_out: bool) -> String {
    let beside = match left_out {
        true => ", those with names like `__init__` left out",
        false => "",
    };
    format!("`{owner}` has {count}{beside}.")
}

/// Returns the only definition if it is an alias. A union of literals has no parts of another kind.
fn only_alias(subject: &ClaimSubject) -> Option<&LabelledPlace> {
    let own = subject.definitions.iter();
    let own: Vec<&LabelledPlace> = own.filter(|place| !sites::is_test(place)).collect();
    let [alias] = own[..] else {
        return None;
    };
    (alias.kind == Some(SymbolKind::TypeAlias)).then_some(alias)
}

/// Returns the one definition whose parts are counted.
///
/// # Errors
/// [`Unsettled`] if there are several or no definitions.
fn only_definition<'s>(
    owner: &str,
    definitions: &[&'s LabelledPlace],
    subject: &ClaimSubject,
) -> Result<&'s LabelledPlace, Unsettled> {
    if let [place] = definitions {
        return Ok(place);
    }
    let why = format!("`{owner}` has {}", counted(definitions.len(), "definition"));
    Err(Unsettled::unknown(why).with(&subject.spots()))
}

/// Returns the line of a part, with its name.
fn part_spot(part: &detail::PartOfDefinition) -> SettledSpot {
    SettledSpot::line(part.path.as_str(), part.line, format!("`{}`", part.name))
}

/// Returns the adjective of a kind of parts, and the kind.
fn adjective_of(kind: &str) -> Result<(Option<&str>, &str), Unsettled> {
    match kind.rsplit_once(' ') {
        Some((_, kind @ ("element" | "member"))) => Err(Unsettled::unknown(format!(
            "which {kind}s are meant is not known"
        ))),
        Some((adjective, kind)) => Ok((Some(adjective), kind)),
        None => Ok((None, kind)),
    }
}

/// Returns the definitions that can have parts of a kind. Those of tests count only if there are no
/// others.
fn with_parts<'s>(subject: &'s ClaimSubject, kind: &str) -> Vec<&'s LabelledPlace> {
    let mut definitions: Vec<&LabelledPlace> = subject.definitions.iter().collect();
    if definitions.iter().any(|place| !sites::is_test(place)) {
        definitions.retain(|place| !sites::is_test(place));
    }
    // A constant with a literal has elements, although its kind has no members.
    if kind != "element" {
        definitions.retain(|place| detail::has_members(place.kind));
    }
    definitions
}

/// Returns the parts of one kind that a definition has.
fn counted_parts(
    place: &LabelledPlace,
    adjective: Option<&str>,
    kind: &str,
    desk: &Desk<'_, '_>,
) -> Result<Vec<detail::PartOfDefinition>, Unsettled> {
    let Some(found) = detail::of_place(desk.tree.checkout, place, &desk.tree.limits) else {
        return Err(Unsettled::unknown(format!(
            "the file of `{}` could not be parsed",
            place.name
        )));
    };
    // The variants of an enumeration are called constants too, if it has no other constants.
    let is_constant = |part: &detail::PartOfDefinition| {
        part.kind == SymbolKind::Constant
            || typed_constants::is_constant_field(part, place.language, desk)
    };
    let has_constants = found.members.iter().any(is_constant);
    let kind = match kind {
        "constant" if !has_constants => "variant",
        kind => kind,
    };
    let members = found.members.into_iter();
    let is_one = |part: &detail::PartOfDefinition| match kind {
        "property" => kinds::is_property(part, place, desk),
        "constant" => is_constant(part),
        kind => is_kind(part.kind, kind),
    };
    let mut parts = with_those_elsewhere(members.filter(is_one).collect(), kind, place, desk);
    if kinds::leaves_special(adjective, place) {
        parts.retain(|part| !(part.name.starts_with("__") && part.name.ends_with("__")));
    }
    match adjective {
        None => Ok(parts),
        Some(adjective) => chosen(parts, adjective, desk).ok_or_else(|| {
            Unsettled::unknown(format!("what a {adjective} {kind} is, is not known"))
        }),
    }
}

/// Returns the parts of a definition with those of its kind that are written elsewhere, each once.
fn with_those_elsewhere(
    mut parts: Vec<detail::PartOfDefinition>,
    kind: &str,
    place: &LabelledPlace,
    desk: &Desk<'_, '_>,
) -> Vec<detail::PartOfDefinition> {
    if is_in("field member", kind) {
        let written = match place.language {
            "Go" => lines_as_fields(place, embedded_field, desk),
            "C" | "C++" => lines_as_fields(place, field_of_macro, desk),
            _ => Vec::new(),
        };
        parts.retain(|part| !written.iter().any(|other| other.line == part.line));
        parts.extend(written);
        parts.sort_by_key(|part| part.line);
    }
    if is_in("method member", kind) {
        parts.extend(kinds::outside(place, desk));
        parts = without_repeats(parts, place);
    }
    if kind == "property" {
        // A getter, its setter and an assignment to it are one property.
        let mut seen = BTreeSet::new();
        parts.retain(|part| seen.insert(part.name.clone()));
    }
    parts
}

/// Returns the fields of a struct that its syntax tree does not show as fields, one a line.
fn lines_as_fields(
    place: &LabelledPlace,
    name_of: fn(&str) -> Option<&str>,
    desk: &Desk<'_, '_>,
) -> Vec<detail::PartOfDefinition> {
    let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let inside: Vec<(u32, &str)> = (1_u32..)
        .zip(text.lines())
        .filter(|(number, line)| {
            let is_inside = (place.line + 1..place.line_end).contains(number);
            place.kind == Some(SymbolKind::Struct) && is_inside && !line.trim().is_empty()
        })
        .collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    // The fields of a nested struct are indented further.
    let own = inside.iter().map(|(_, line)| indent(line)).min();
    let part = |(line, text): (u32, &str)| {
        let name = name_of(text)
            .filter(|_| Some(indent(text)) == own)?
            .to_owned();
        Some(detail::PartOfDefinition {
            path: place.path.clone(),
            is_public: Some(name.starts_with(char::is_uppercase)),
            kind: SymbolKind::Field,
            head: text.trim().to_owned(),
            line_end: line,
            line,
            name,
        })
    };
    inside.into_iter().filter_map(part).collect()
}

/// Returns the field of a line of Go that embeds a type, which has its name.
fn embedded_field(line: &str) -> Option<&str> {
    // A tag may follow: ``Base `json:",inline"` ``.
    let bare = line.split('`').next().unwrap_or_default();
    hierarchy::embedded(bare).map(last_part)
}

/// Refuses to deny a member if the definitions of the type may not show all of its members.
fn shows_members(
    owner: &str,
    definitions: &[LabelledPlace],
    desk: &Desk<'_, '_>,
) -> Result<(), Unsettled> {
    for place in definitions {
        if place.kind == Some(SymbolKind::TypeAlias) {
            let why = format!("`{owner}` is another name of a type, whose members were not read");
            return Err(Unsettled::unknown(why).with(&[definition_spot(place)]));
        }
        has_no_macro(owner, place, 0, desk)?;
    }
    Ok(())
}

/// Refuses a definition with lines that a macro may expand. `known` fields were read from lines
/// whose type a macro gives.
///
/// # Errors
/// [`Unsettled`] if the lines of a definition do not show all of its members.
fn has_no_macro(
    owner: &str,
    place: &LabelledPlace,
    known: usize,
    desk: &Desk<'_, '_>,
) -> Result<(), Unsettled> {
    let Some(line) = line_of_macro(place, known, desk) else {
        return Ok(());
    };
    let why = format!("a macro makes members of `{owner}`, so that its lines do not show all");
    let what = "a line for the preprocessor".to_owned();
    let spot = SettledSpot::line(place.path.as_str(), line, what);
    Err(Unsettled::unknown(why).with(&[spot]))
}

/// Returns the first directive in a type of C, which may leave members out, or the head of a type
/// of which macros may make members.
fn line_of_macro(place: &LabelledPlace, known: usize, desk: &Desk<'_, '_>) -> Option<u32> {
    if !is_in("C C++", place.language) {
        return None;
    }
    let Some(detail) = detail::of_place(desk.tree.checkout, place, &desk.tree.limits) else {
        // A file that could not be parsed shows no member, so the type counts as one with a macro.
        return Some(place.line);
    };
    let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let head = detail.head_line;
    let lines = (1_u32..)
        .zip(text.lines())
        .filter(|(number, _)| (head..=place.line_end).contains(number));
    let mut lines = lines.peekable();
    let first = lines.peek()?.0;
    let lines: Vec<&str> = lines.map(|(_, line)| line).collect();
    // `#ifdef` may leave out the members up to its `#endif`.
    if let Some(at) = lines
        .iter()
        .position(|line| line.trim_start().starts_with('#'))
    {
        return Some(first + u32::try_from(at).unwrap_or(0));
    }
    let text = lines.join("\n");
    let is_plain = match place.kind {
        Some(SymbolKind::Enum) => has_only_variants(&text),
        Some(SymbolKind::Struct | SymbolKind::Union) => !has_macro(&text, known, place.language),
        _ => true,
    };
    (!is_plain).then_some(first)
}

/// Reports whether a structure has a line that is a macro (`FIELDS`), or a macro with arguments
/// (`BIT(x);`), which may declare any fields.
fn has_macro(text: &str, known: usize, language: &str) -> bool {
    let bare = without_comments(text);
    let Some((_, inner)) = bare.split_once('{') else {
        return false;
    };
    // `LIST_ENTRY(event) next;` is a known field, if all such lines were read as fields.
    let (of_macros, others): (Vec<&str>, Vec<&str>) = inner
        .lines()
        .partition(|line| field_of_macro(line).is_some());
    let is_alone = |line: &&str| {
        let word = line.trim().trim_end_matches(';').trim_end();
        is_capital(word) && word.chars().all(is_c_letter)
    };
    !of_macros.is_empty() && of_macros.len() != known
        || others.iter().any(is_alone)
        || calls_macro(&others.join("\n"), language)
}

/// Reports whether a macro with arguments appears among the fields of a structure. In C the only
/// other brackets there are those of a pointer to a function.
fn calls_macro(inner: &str, language: &str) -> bool {
    // In C++ the word before a bracket is mostly a method, so only the form of the word tells.
    let is_macro = |word: &str| language == "C" || is_capital(word) || word.starts_with("__");
    inner.match_indices('(').any(|(at, _)| {
        let (before, rest) = (inner[..at].trim_end(), inner[at + 1..].trim_start());
        let called = before
            .rsplit(|letter| !is_c_letter(letter))
            .next()
            .unwrap_or_default();
        // `void (*run)(int)`, and `void (^run)(int)` for a block of Clang.
        let is_pointer = rest.starts_with(['*', '^']);
        // `Uint64 (CALL *name)(…)` has a calling convention before the star.
        let first = rest
            .split(|letter| !is_c_letter(letter))
            .next()
            .unwrap_or_default();
        let is_convention = is_capital(first) && rest[first.len()..].trim_start().starts_with('*');
        is_convention || !called.is_empty() && !is_pointer && is_macro(called)
    })
}

fn is_c_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Reports whether a word is written as macros are.
fn is_capital(word: &str) -> bool {
    word.len() > 1 && !word.contains(char::is_lowercase)
}

/// Reports whether the braces of an enumeration hold nothing but names, each with a value or none.
fn has_only_variants(text: &str) -> bool {
    let bare = without_comments(text);
    let inner = bare
        .split_once('{')
        .and_then(|(_, rest)| rest.rsplit_once('}'));
    let Some((inner, _)) = inner else {
        return false;
    };
    // `FIRST = MAKE(1, 2),` has a comma inside of its value.
    let mut depth = 0_usize;
    let items = inner.split(|letter: char| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    });
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    items.into_iter().all(|item| {
        let name = item.split_once('=').map_or(item, |(name, _)| name).trim();
        // A comma after the last variant leaves an empty item.
        name.chars().all(is_name) && (!name.is_empty() || item.trim().is_empty())
    })
}

/// Returns a text of C without its comments.
fn without_comments(text: &str) -> String {
    let mut bare = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        bare.push_str(&rest[..at]);
        let end = match rest[at..].starts_with("/*") {
            true => rest[at..].find("*/").map(|end| at + end + 2),
            false => rest[at..].find('\n').map(|end| at + end),
        };
        rest = end.map_or("", |end| &rest[end..]);
    }
    bare.push_str(rest);
    bare
}

/// Returns the field of a line whose type a macro gives: `LIST_ENTRY(event) next;`.
fn field_of_macro(line: &str) -> Option<&str> {
    let (before, name) = line.trim().strip_suffix(';')?.rsplit_once(')')?;
    let (called, _) = before.split_once('(')?;
    let is_macro =
        |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let name = name.trim();
    let fits = called.trim().chars().all(is_macro) && name.chars().all(is_name);
    (fits && !called.trim().is_empty() && !name.is_empty()).then_some(name)
}

/// Leaves out constructors with the name of the type. Lists a name once if a later definition
/// replaces the earlier one, as with stubs of overloads and setters of properties.
fn without_repeats(
    mut parts: Vec<detail::PartOfDefinition>,
    place: &LabelledPlace,
) -> Vec<detail::PartOfDefinition> {
    parts.retain(|part| part.kind != SymbolKind::Constructor || part.name != place.name);
    match place.language {
        "Python" | "TypeScript" | "TSX" => {
            let mut seen = BTreeSet::new();
            parts.retain(|part| seen.insert(part.name.clone()));
        }
        // A method that the class declares is defined outside of it once more, and an attribute
        // that is a macro is read as a method.
        "C++" => {
            let is_inside = |line: u32| (place.line..=place.line_end).contains(&line);
            let inside = parts.iter().filter(|part| is_inside(part.line));
            let own: BTreeSet<String> = inside.map(|part| part.name.clone()).collect();
            let is_macro = |name: &str| name.contains('_') && !name.chars().any(char::is_lowercase);
            parts.retain(|part| {
                (is_inside(part.line) || !own.contains(&part.name)) && !is_macro(&part.name)
            });
        }
        _ => {}
    }
    parts
}

/// Returns whether a word says that a name may be used from outside; `None` for other words.
fn visibility(word: &str) -> Option<bool> {
    match word {
        "public" | "exported" => Some(true),
        "private" | "unexported" => Some(false),
        _ => None,
    }
}

/// Decides whether a name is public by its own syntax; unknown if its definitions disagree.
fn visible(
    claim: &Claim,
    subject: &ClaimSubject,
    wants: bool,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    if !claim.scope.inside.is_empty() {
        // A file can re-export what another one defines, also under another name.
        let why = format!("from where `{}` can be used was not decided", subject.text);
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    }
    let own = subject.definitions.iter();
    let own: Vec<&LabelledPlace> = own.filter(|place| !sites::is_test(place)).collect();
    if let Some(settled) = kinds::exported(claim, &own, wants, desk)? {
        return Ok(settled);
    }
    let Some(is_public) = all_public(&own, desk) else {
        let why = format!("the syntax does not say who may use `{}`", subject.text);
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    };
    // Some languages have levels between public and private: "protected", a package.
    let is_between = !is_public && !wants && own.iter().any(|place| is_between(place, desk));
    let holds = (is_public == wants && !is_between) == (claim.quantifier == Quantifier::Any);
    let word = if holds { "Yes" } else { "No" };
    let which = match (is_public, is_between) {
        (true, _) => "public",
        (false, true) => "neither public nor private",
        (false, false) => "not public",
    };
    let spots: Vec<SettledSpot> = own.iter().map(|place| definition_spot(place)).collect();
    Ok(Settled::told(
        Some(holds),
        desk.section(format!("{word}: `{}` is {which}:", subject.text), &spots, 3),
    ))
}

/// Returns whether definitions are public by their own syntax; `None` if they disagree or one does
/// not say it.
fn all_public(own: &[&LabelledPlace], desk: &Desk<'_, '_>) -> Option<bool> {
    let of = |place: &&LabelledPlace| {
        detail::of_place(desk.tree.checkout, place, &desk.tree.limits)?.is_public
    };
    let (first, rest) = own.split_first()?;
    let first = of(first)?;
    rest.iter()
        .all(|other| of(other) == Some(first))
        .then_some(first)
}

/// Reports whether a head allows more users than its own type or file, and not everyone.
fn is_between(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let detail = detail::of_place(desk.tree.checkout, place, &desk.tree.limits);
    let head = detail.map(|detail| detail.head).unwrap_or_default();
    let says = |word: &str| imports::has_word(&head, word);
    // Java has no word for the level of a package: it is the default.
    let is_of_package = place.path.as_str().ends_with(".java") && !says("private");
    is_of_package || says("protected") || says("internal") || head.contains("pub(")
}

/// Returns the parts that an adjective means: by who may use them, else by a word of their names;
/// `None` if it is neither.
fn chosen(
    parts: Vec<detail::PartOfDefinition>,
    adjective: &str,
    desk: &Desk<'_, '_>,
) -> Option<Vec<detail::PartOfDefinition>> {
    let is_public = visibility(adjective);
    if is_public.is_some() {
        // With one part of unknown visibility, a count of public or private parts would be wrong.
        let is_told = parts.iter().all(|part| part.is_public.is_some());
        let is_one = |part: &detail::PartOfDefinition| {
            part.is_public == is_public
                && (is_public == Some(true) || !kinds::is_between(part, desk))
        };
        let kept = parts.into_iter().filter(is_one);
        return is_told.then(|| kept.collect());
    }
    let has_word = |part: &detail::PartOfDefinition| {
        let words = grounds_evidence::name::words(&part.name);
        words.iter().any(|word| word == adjective)
    };
    let kept: Vec<detail::PartOfDefinition> = parts.into_iter().filter(has_word).collect();
    (!kept.is_empty()).then_some(kept)
}

/// Returns the lines of a Rust file at which an `impl` begins.
fn impl_blocks(file: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let text = desk.tree.text(file).unwrap_or_default();
    let begins = |line: &str| {
        let head = line.trim_start().trim_start_matches("unsafe ");
        head.starts_with("impl ") || head.starts_with("impl<")
    };
    let spots: Vec<SettledSpot> = (1_u32..)
        .zip(text.lines())
        .filter(|(_, line)| begins(line))
        .map(|(number, line)| SettledSpot::line(file, number, line.trim()))
        .collect();
    if spots.is_empty() || !file.ends_with(".rs") {
        return Err(Unsettled::unknown(format!(
            "no impl block of `{file}` was seen"
        )));
    }
    Ok(Settled::told(
        None,
        desk.section(
            format!("`{file}` has {}.", counted(spots.len(), "impl block")),
            &spots,
            1,
        ),
    ))
}

/// Returns the one file that a path means.
pub(super) fn one_file<'d>(path: &str, desk: &Desk<'d, '_>) -> Result<&'d RepoPath, Unsettled> {
    one_file_in(path, &[], desk)
}

/// Returns the one file that a path means; of several, the only one in the given folders.
pub(super) fn one_file_in<'d>(
    path: &str,
    inside: &[String],
    desk: &Desk<'d, '_>,
) -> Result<&'d RepoPath, Unsettled> {
    let mut files = desk.tree.files_of(path);
    if files.len() > 1 {
        let folders: Vec<String> = inside
            .iter()
            .flat_map(|place| desk.tree.folders_of(place))
            .collect();
        let is_in = |file: &RepoPath| {
            folders
                .iter()
                .any(|folder| file.as_str().starts_with(&format!("{folder}/")))
        };
        if files.iter().filter(|file| is_in(file)).count() == 1 {
            files.retain(|file| is_in(file));
        }
    }
    let reason = match files.as_slice() {
        [file] => return Ok(file),
        [] => format!("`{path}` is not in the tree"),
        _ => format!("`{path}` means {}", counted(files.len(), "file")),
    };
    Err(Unsettled {
        is_absent: files.is_empty(),
        ..Unsettled::unknown(reason)
    })
}

/// Returns the files and folders of a path, or of the end of one.
fn of_path(path: &str, desk: &Desk<'_, '_>) -> SettleResult {
    if path.contains(['*', '?']) {
        // No path is spelled like a pattern, so it would be reported as absent.
        let why = format!("`{path}` is a pattern, and is not matched: name a file or a folder");
        return Err(Unsettled::unknown(why));
    }
    let files = desk.tree.files_of(path);
    let folders = desk.tree.folders_of(path);
    let lies_in = |file: &&RepoPath| {
        let in_folder = |folder: &String| {
            file.as_str()
                .strip_prefix(folder.as_str())
                .is_some_and(|rest| rest.starts_with('/'))
        };
        folders.iter().any(in_folder)
    };
    let inside: Vec<&RepoPath> = desk.tree.files.iter().filter(lies_in).collect();
    let told = match (files.len(), folders.len()) {
        (0, 0) => {
            return Err(Unsettled::absent(
                format!("`{path}` is not in the tree"),
                &[],
            ));
        }
        (0, 1) => format!(
            "`{path}` is a folder with {}:",
            counted(inside.len(), "file")
        ),
        (0, folders) => format!(
            "`{path}` is {} with {}:",
            counted(folders, "folder"),
            counted(inside.len(), "file")
        ),
        (files, _) => format!("`{path}` is {}:", counted(files, "file")),
    };
    let shown = if files.is_empty() { &inside } else { &files };
    let spots: Vec<SettledSpot> = shown
        .iter()
        .map(|file| SettledSpot::line(file.as_str(), 1, String::new()))
        .collect();
    Ok(Settled::told(None, desk.section(told, &spots, 1)))
}

/// Returns the elements of a file that is a list by itself; `None` of another file.
fn elements(name: &str, desk: &Desk<'_, '_>) -> Option<SettleResult> {
    if name.ends_with(".json") {
        return Some(of_json(name, desk));
    }
    let lines = literal::lines_of_list(name, &text_of(name, desk))?;
    Some(Ok(of_lines(name, &lines, desk)))
}

/// Returns the definitions of one kind in a file.
fn of_file(path: &str, kind: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let file = one_file(path, desk)?;
    let name = file.as_str();
    if kind == "impl block" {
        return impl_blocks(name, desk);
    }
    if kind == "element"
        && let Some(settled) = elements(name, desk)
    {
        return settled;
    }
    let Some(all) = outline::of_file(desk.tree.checkout, file, &desk.tree.limits) else {
        return Err(Unsettled::unknown(format!("`{path}` could not be parsed")));
    };
    let (filter, kind) = kind
        .rsplit_once(' ')
        .map_or((None, kind), |(filter, kind)| (Some(filter), kind));
    let is_meant = |name: &str| filter.is_none_or(|filter| is_chosen(name, filter));
    // A file has functions beside its methods, and in some languages structs beside its classes.
    let has_classes = all.iter().any(|item| item.kind == Some(SymbolKind::Class));
    let is_one = |of: SymbolKind| match kind {
        "method" if of == SymbolKind::Function => false,
        "class" if has_classes => of == SymbolKind::Class,
        _ => is_kind(of, kind),
    };
    let spots: Vec<SettledSpot> = all
        .iter()
        .filter(|item| item.kind.is_some_and(is_one) && is_meant(&item.name))
        .map(|item| SettledSpot::line(name, item.line, format!("`{}`", item.name)))
        .collect();
    if spots.is_empty() {
        return Err(Unsettled::unknown(format!(
            "no {kind} of `{path}` was seen"
        )));
    }
    Ok(defined_in(name, kind, filter, &spots, desk))
}

/// Answers what a file defines of a kind; a filter says how the names begin.
fn defined_in(
    name: &str,
    kind: &str,
    filter: Option<&str>,
    spots: &[SettledSpot],
    desk: &Desk<'_, '_>,
) -> Settled {
    let which = filter.map_or_else(String::new, beginning);
    let told = format!("`{name}` defines {}{which}.", counted(spots.len(), kind));
    Settled::told(None, desk.section(told, spots, 1))
}

/// Reports whether a word is how names begin: `STATE_`, `Err*`.
pub(crate) fn is_prefix(word: &str) -> bool {
    let bare = word.trim_end_matches(['_', '*']);
    bare.len() < word.len() && !bare.is_empty()
}

/// Reports whether a name begins as is asked, or has the word that is asked for.
fn is_chosen(name: &str, filter: &str) -> bool {
    match is_prefix(filter) {
        true => name.starts_with(filter.trim_end_matches('*')),
        false => has_part(name, filter),
    }
}

/// Returns the words for the counted names with a prefix; empty if another word chose them.
fn beginning(filter: &str) -> String {
    match is_prefix(filter) {
        true => format!(" that begin with `{}`", filter.trim_end_matches('*')),
        false => String::new(),
    }
}

/// Reports whether a name has a word.
fn has_part(name: &str, word: &str) -> bool {
    let words = grounds_evidence::name::words(name);
    words.iter().any(|part| part == word)
}

fn text_of(name: &str, desk: &Desk<'_, '_>) -> String {
    desk.tree.text(name).unwrap_or_default().to_string()
}

/// Counts the entries of a file that is a list, by their lines.
fn of_lines(file: &str, lines: &[u32], desk: &Desk<'_, '_>) -> Settled {
    let spot = |line: &u32| SettledSpot::line(file, *line, "");
    let spots: Vec<SettledSpot> = lines.iter().map(spot).collect();
    let told = format!("`{file}` lists {}.", counted(lines.len(), "entry"));
    let because = "that the entries are what is counted was not checked";
    Settled::told(None, desk.section(told, &spots, 1)).at(ConfidenceLevel::Medium, because)
}

/// Counts the entries at the top of a JSON file. Nothing checks that they are the things that the
/// question names.
fn of_json(file: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let text = desk.tree.text(file).unwrap_or_default();
    let Some(count) = literal::entries_of_json(&text) else {
        let why = format!("`{file}` is neither a list nor keys with plain values");
        return Err(Unsettled::unknown(why).with(&[SettledSpot::line(file, 1, "")]));
    };
    let told = format!("`{file}` has {} at its top.", counted(count, "entry"));
    let section = desk.section(told, &[SettledSpot::line(file, 1, "")], 6);
    let because = "that the entries are what is counted was not checked";
    Ok(Settled::told(None, section).at(ConfidenceLevel::Medium, because))
}

/// Counts the files below a folder that are tests by their names. Other files of the folder are
/// counted beside them.
fn test_files(folder: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let folder = one_folder(folder, desk)?;
    let below = format!("{folder}/");
    let inside = desk
        .tree
        .files
        .iter()
        .filter(|file| file.as_str().starts_with(&below));
    let is_one = |file: &&RepoPath| {
        // Words are compared, since `latest` has the letters of `test`.
        let words = grounds_evidence::name::words(file.stem());
        words
            .iter()
            .any(|word| matches!(word.as_str(), "test" | "tests" | "spec" | "specs"))
    };
    let (tests, others): (Vec<&RepoPath>, Vec<&RepoPath>) = inside.partition(is_one);
    if tests.is_empty() {
        let why = format!("no file of `{folder}` is a test by its name");
        return Err(Unsettled::unknown(why));
    }
    let beside = match others.len() {
        0 => String::new(),
        count => format!(", beside {}", counted(count, "other file")),
    };
    let told = format!(
        "`{folder}` holds {}{beside}.",
        counted(tests.len(), "test file")
    );
    let spot = |file: &&RepoPath| SettledSpot::line(file.as_str(), 1, "");
    let spots: Vec<SettledSpot> = tests.iter().map(spot).collect();
    let because = "their names say which files are tests";
    let settled = Settled::told(None, desk.section(told, &spots, 1));
    Ok(settled.at(ConfidenceLevel::Medium, because))
}

/// Returns the files or folders right inside a folder.
fn entries(folder: &str, kind: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let folder = one_folder(folder, desk)?;
    let names = entry_names(&folder, kind, desk)?;
    let cited = SettledSpot {
        path: folder.clone(),
        line: 0,
        line_end: 0,
        what: kind.to_owned(),
    };
    let below = format!("{folder}/");
    let files = desk.tree.files.iter();
    let all = files
        .filter(|file| file.as_str().starts_with(&below))
        .count();
    // "How many files are in src?" may mean either number, so the answer has both.
    let count = match kind == "file" && all > names.len() {
        true => format!("{}, {} of them directly", counted(all, kind), names.len()),
        false => counted(names.len(), kind),
    };
    let list = match names.is_empty() {
        true => String::new(),
        false => format!(": {}", names.join(", ")),
    };
    let told = format!("`{folder}` holds {count}{list}.");
    Ok(Settled::told(None, desk.section(told, &[cited], 1)))
}

/// Returns the files below a folder; of a hidden folder, only those directly inside.
fn files_below(folder: &str, hidden: bool, desk: &Desk<'_, '_>) -> Result<Vec<String>, Unsettled> {
    let below = format!("{folder}/");
    // The list of the tree has no hidden files, so `.github/workflows` would have 0 files.
    if hidden {
        let names = entry_names(folder, "file", desk)?;
        return Ok(names.iter().map(|name| format!("{below}{name}")).collect());
    }
    let files = desk.tree.files.iter().map(RepoPath::as_str);
    let inside = files.filter(|path| path.starts_with(&below));
    Ok(inside.map(str::to_owned).collect())
}

/// Returns the places of files, or of their folder if there are no such files.
fn of_files(folder: String, all: &[String]) -> Vec<SettledSpot> {
    let whole = SettledSpot {
        path: folder,
        line: 0,
        line_end: 0,
        what: "folder".to_owned(),
    };
    let each = all.iter().map(|path| SettledSpot::line(path, 1, "file"));
    match all.is_empty() {
        true => vec![whole],
        false => each.collect(),
    }
}

/// Counts the files below a folder that have an ending, or are of a language.
fn files_of(folder: &str, of: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let folder = one_folder(folder, desk)?;
    let below = format!("{folder}/");
    let is_one = |path: &str| match of.strip_prefix('.') {
        Some(_) => path.to_lowercase().ends_with(of),
        None => {
            let name = path.rsplit('/').next().unwrap_or(path);
            grounds_syntax::languages::of_name(name).is_some_and(|language| language.name == of)
        }
    };
    let hidden = folder.split('/').any(|part| part.starts_with('.'));
    let all = files_below(&folder, hidden, desk)?;
    let all: Vec<String> = all.into_iter().filter(|path| is_one(path)).collect();
    let directly = all.iter().filter(|path| !path[below.len()..].contains('/'));
    let inside = match directly.count() {
        _ if hidden => " directly".to_owned(),
        count if count == all.len() => String::new(),
        count => format!(", {count} of them directly"),
    };
    let told = format!(
        "`{folder}` holds {}{inside}.",
        counted(all.len(), &format!("{of} file"))
    );
    let cited = of_files(folder, &all);
    let settled = Settled::told(None, desk.section(told, &cited, 1));
    Ok(match of.starts_with('.') {
        true => settled,
        false => settled.at(ConfidenceLevel::Medium, "their endings say the language"),
    })
}

/// Returns the folder that a path means, from the root of the tree.
///
/// # Errors
/// [`Unsettled`] if the path means no folder or several.
fn one_folder(folder: &str, desk: &Desk<'_, '_>) -> Result<String, Unsettled> {
    let folders = desk.tree.folders_of(folder);
    let real = desk.tree.checkout.root().join(folder.trim_end_matches('/'));
    match folders.iter().next() {
        Some(only) if folders.len() == 1 => Ok(only.clone()),
        // The list of the tree has no file of a hidden folder, and of several folders one may have
        // exactly this path.
        _ if real.is_dir() => Ok(folder.trim_end_matches('/').to_owned()),
        _ => Err(Unsettled {
            is_absent: folders.is_empty(),
            ..Unsettled::unknown(format!(
                "`{folder}` means {}",
                counted(folders.len(), "folder")
            ))
        }),
    }
}

/// Returns the sorted names of the files or folders directly inside a folder.
///
/// # Errors
/// [`Unsettled`] if the folder cannot be listed.
fn entry_names(folder: &str, kind: &str, desk: &Desk<'_, '_>) -> Result<Vec<String>, Unsettled> {
    let unlisted = |error| Unsettled::unknown(format!("`{folder}` cannot be listed: {error}"));
    let listed = std::fs::read_dir(desk.tree.checkout.root().join(folder)).map_err(unlisted)?;
    let entries: Vec<std::fs::DirEntry> = listed.collect::<Result<_, _>>().map_err(unlisted)?;
    let mut names: Vec<String> = entries
        .into_iter()
        .filter(|entry| {
            entry.file_type().is_ok_and(|of| {
                if kind == "file" {
                    of.is_file()
                } else {
                    of.is_dir()
                }
            })
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    Ok(names)
}

/// Returns the definitions of a member that a type inherits, and all other definitions of it.
fn inherited_and_own(
    owner: &str,
    member: &str,
    desk: &Desk<'_, '_>,
) -> (Vec<LabelledPlace>, Vec<LabelledPlace>) {
    let asked = format!("{owner}.{member}");
    let found = resolve(&asked, desk);
    let found = found.map(|found| found.definitions).unwrap_or_default();
    let bases = hierarchy::all_bases(owner, desk);
    let is_inherited = |place: &LabelledPlace| {
        let is_own = belongs(place, last_part(owner));
        !is_own && bases.iter().any(|base| belongs(place, base))
    };
    found.into_iter().partition(is_inherited)
}

/// Refuses a scope that is no place: "in a map field called f" says more about `f` than where it
/// is.
fn only_places(
    claim: &Claim,
    owner: &str,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<(), Unsettled> {
    let is_place =
        |text: &String| text == owner || is_path(text, desk.tree) || desk.tree.has_folder(text);
    let mut inside = claim.scope.inside.iter();
    inside.find(|text| !is_place(text)).map_or(Ok(()), |other| {
        let why = format!("what `{other}` says of it was not looked at");
        Err(Unsettled::unknown(why).with(&subject.spots()))
    })
}

/// Decides whether a type has a part, of its own or from a base.
fn has(claim: &Claim, owner: &str, member: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let subject = resolve(owner, desk)?;
    only_places(claim, owner, &subject, desk)?;
    let (inherited, own) = inherited_and_own(owner, member, desk);
    let (holds, told, cited) = match (own.as_slice(), inherited.as_slice()) {
        ([], []) => {
            shows_members(owner, &subject.definitions, desk)?;
            let told = format!("`{owner}` has no `{member}` of its own.");
            (false, told, subject.definitions)
        }
        // To implement a method, a type needs a body of its own; inheriting one is not enough.
        ([], [first, ..]) => {
            let base = first.containers.last().map_or("a base", String::as_str);
            let is_own = claim.kind.as_deref() == Some(OWN);
            let is_had = claim.predicate != &names::IMPLEMENTS && !is_own;
            let told = match is_had {
                true => format!("`{owner}` has `{member}`, which it inherits from `{base}`."),
                false => format!("`{owner}` has no `{member}` of its own, but that of `{base}`."),
            };
            (is_had, told, inherited)
        }
        _ => (true, format!("`{owner}` has `{member}`."), own),
    };
    let spots: Vec<SettledSpot> = cited.iter().map(definition_spot).collect();
    if spots.is_empty() {
        return Err(Unsettled::unknown(format!(
            "`{owner}` is not defined in the tree"
        )));
    }
    let word = if holds { "Yes" } else { "No" };
    Ok(Settled::told(
        Some(holds != claim.is_negated),
        desk.section(format!("{word}: {told}"), &spots, 3),
    ))
}

fn having(claim: &Claim, member: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let subject = resolve(member, desk)?;
    let mut spots = Vec::new();
    for place in &subject.definitions {
        if !place.containers.is_empty() && sites::in_scope(place, claim, &subject, desk)? {
            spots.push(definition_spot(place));
        }
    }
    if spots.is_empty() {
        return Err(Unsettled::unknown(format!(
            "no type with `{member}` was found"
        )));
    }
    let told = format!("`{member}` belongs to {}.", counted(spots.len(), "type"));
    Ok(Settled::told(None, desk.section(told, &spots, 1)))
}

/// Describes the definition around the one place of `spots`. The place is widened to it, or gets
/// its head as a second one.
fn told_of(item: &outline::Outlined, file: &RepoPath, spots: &mut Vec<SettledSpot>) -> String {
    let kind = item.kind.map_or("definition", |kind| kind.as_str());
    let name = [item.containers.as_slice(), std::slice::from_ref(&item.name)]
        .concat()
        .join(".");
    let verb = if item.line == spots[0].line {
        spots[0].line_end = item.line_end;
        "begins here"
    } else {
        let head = format!("{kind} `{name}`");
        spots.push(SettledSpot::line(file.as_str(), item.line, head));
        "holds this line"
    };
    format!("The {kind} `{name}` {verb}")
}

/// Shows the content of a line of a file.
pub(super) fn exists(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let text = claim.text(0).unwrap_or_default();
    let (path, line) = with_line(text);
    let Some(line) = line else {
        return of_path(path, desk);
    };
    let file = one_file(path, desk)?;
    let source = desk.tree.text(file.as_str()).unwrap_or_default();
    let Some(stands) = source.lines().nth(line.saturating_sub(1) as usize) else {
        let why = format!("`{}` has {} lines", file.as_str(), source.lines().count());
        return Err(Unsettled::absent(why, &[]));
    };
    let outline = outline::of_file(desk.tree.checkout, file, &desk.tree.limits).unwrap_or_default();
    let around = outline
        .iter()
        .filter(|item| item.line <= line && line <= item.line_end)
        // The innermost definition begins last; of those that begin on one line, it ends first.
        .max_by_key(|item| (item.line, std::cmp::Reverse(item.line_end)));
    let mut spots = vec![SettledSpot::line(file.as_str(), line, "")];
    let stands = stands.trim();
    let told = match around {
        Some(item) => format!("{}: `{stands}`", told_of(item, file, &mut spots)),
        None if stands.is_empty() => "The line is empty.".to_owned(),
        None => format!("`{stands}`"),
    };
    Ok(Settled::told(None, desk.section(told, &spots, 12)))
}
