//! What a function body raises and returns, and whether a test names it.

use std::collections::BTreeSet;

use grounds_claims::{Claim, Quantifier, Tests, names};
use grounds_evidence::{ConfidenceLevel, Relation, SymbolKind};
use grounds_repo::detail;
use grounds_repo::labels::LabelledPlace;

use super::only::Only;
use super::subject::{ClaimSubject, definition_spot, resolve};
use super::{
    Desk, SettleResult, Settled, SettledSpot, Unsettled, absence, carried, counted, only, sites,
};
use crate::understand::tree::last_part;
use crate::words::is_in;

/// Words that come before a raised error, in all languages.
const RAISES: &[&str] = &[
    "raise", "throw", "throws", "rethrow", "panic!(", "panic(", "bail!(", "Err(", "reject(",
    "fail", "abort(",
];

/// Reports whether the name at a place of a line is raised there.
fn is_raised(line: &str, column: usize) -> bool {
    let before = line.get(..column).unwrap_or(line);
    RAISES.iter().any(|word| {
        before.rfind(word).is_some_and(|at| {
            let starts = before[..at]
                .chars()
                .next_back()
                .is_none_or(|letter| !(letter.is_alphanumeric() || letter == '_'));
            // `fail` must not match in `failure`; `Err(` ends with its own bracket.
            let ends = word.ends_with('(')
                || before[at + word.len()..]
                    .chars()
                    .next()
                    .is_none_or(|letter| !(letter.is_alphanumeric() || letter == '_'));
            starts && ends
        })
    })
}

/// Reports whether a use of an error may begin to raise it: it is made there, or a type inherits
/// it. Imports, annotations and handlers raise nothing.
fn could_be_raised(line: &str, column: usize, error: &str) -> bool {
    let after = line
        .get(column + error.len()..)
        .unwrap_or_default()
        .trim_start();
    let before = line.get(..column).unwrap_or_default();
    let mut words = before.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    let is_head = words.any(|word| is_in("class struct enum extends new", word));
    is_head
        || ["(", "{", "<", "::", ".new", "!"]
            .iter()
            .any(|made| after.starts_with(made))
}

/// Reports whether an error is raised or made at a place, and not only handled there.
pub(super) fn raises_at(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    const HANDLING: [&str; 5] = ["instanceof", "isinstance(", "class ", "catch", "rescue"];
    let line = line_of(place, desk);
    let column = place.column.saturating_sub(1) as usize;
    let is_handled = HANDLING.iter().any(|part| line.contains(part));
    is_raised(&line, column) || !is_handled && could_be_raised(&line, column, &place.name)
}

pub(super) fn line_of(place: &LabelledPlace, desk: &Desk<'_, '_>) -> String {
    let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let line = text.lines().nth(place.line.saturating_sub(1) as usize);
    line.unwrap_or_default().to_owned()
}

/// Returns the text before and after a name on its line.
pub(super) fn sides(place: &LabelledPlace, desk: &Desk<'_, '_>) -> (String, String) {
    let line = line_of(place, desk);
    let start = place.column.saturating_sub(1) as usize;
    let part = |range: Option<&str>| range.unwrap_or_default().to_owned();
    (
        part(line.get(..start)),
        part(line.get(start + place.name.len()..)),
    )
}

/// Decides who raises an error, what a body raises, or whether it raises one.
pub(super) fn throws(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    match (claim.text(0), claim.text(1)) {
        (None, Some(error)) if claim.kind.as_deref() == Some(carried::KIND) => {
            carried::settle(error, claim, desk)
        }
        (body, Some(error)) => raised(claim, body, error, desk),
        (Some(body), None) => {
            let told = format!("`{body}` raises");
            statements(body, &told, &|line| is_raised(line, line.len()), desk)
        }
        (None, None) => Err(Unsettled::unknown("the claim names nothing")),
    }
}

fn raised(claim: &Claim, body: Option<&str>, error: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let subject = resolve(error, desk)?;
    let within = body.map(|body| resolve(body, desk)).transpose()?;
    let is_only = claim.quantifier == Quantifier::Only;
    let (found, others, is_open) = raising(claim, within.as_ref(), error, &subject, desk)?;
    if is_only && body.is_none() {
        return raised_only(claim, &subject, (found, others), is_open, desk);
    }
    let spots = sites::spots(&found);
    if spots.is_empty()
        && !is_open
        && body.is_none()
        // Only if nothing but an object of the class can be thrown, its uses decide the absence.
        && is_exception(&subject)
        && let Some(settled) = never_raised(claim, &subject, &others, desk)
    {
        return Ok(settled);
    }
    let place = absence::in_words(claim);
    if spots.is_empty() {
        let told = format!("no place was seen that raises `{error}`{place}");
        return Err(Unsettled::unknown(told).with(&sites::spots(&others)));
    }
    // An unread file could raise it too, so the number is a lower bound.
    let is_covered = absence::unread(&subject.known.scope(), desk).is_none();
    let least = if is_covered { "" } else { "at least " };
    let count = counted(spots.len(), "place");
    let told = format!("`{error}` is raised in {least}{count}{place}:");
    let holds = match told_by(spots.len(), is_open || !is_covered, claim) {
        Ok(holds) => holds,
        Err(Some(why)) => return Err(Unsettled::unknown(why)),
        Err(None) => return Err(Unsettled::unknown(told).with(&spots)),
    };
    let because = "told by the words of the lines";
    Ok(told_so(
        told,
        holds,
        &spots,
        ConfidenceLevel::Medium,
        because,
        desk,
    ))
}

/// Returns what a count of places that raise an error decides. `Err` if it decides nothing, with
/// the reason unless the count itself is the reason.
fn told_by(
    count: usize,
    is_least: bool,
    claim: &Claim,
) -> Result<Option<bool>, Option<&'static str>> {
    let affirmed = Some(!claim.is_negated);
    let fits = claim.quantifier.holds_for(count);
    Ok(match claim.quantifier {
        Quantifier::Any => affirmed,
        Quantifier::None => Some(false),
        Quantifier::Some => affirmed.filter(|_| claim.text(0).is_some()),
        Quantifier::Count => None,
        // Places that raise it in other words could only add to the number.
        Quantifier::AtLeast(_) if fits => affirmed,
        Quantifier::Exactly(_) | Quantifier::AtLeast(_) if is_least => return Err(None),
        Quantifier::Exactly(_) | Quantifier::AtLeast(_) => Some(fits != claim.is_negated),
        Quantifier::Only | Quantifier::CountFiles => {
            return Err(Some("this is not decided of what is raised"));
        }
    })
}

/// Returns the places that raise an error, the other places that name it, and whether one of those
/// may raise it too.
fn raising(
    claim: &Claim,
    within: Option<&ClaimSubject>,
    error: &str,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<(Vec<LabelledPlace>, Vec<LabelledPlace>, bool), Unsettled> {
    let (mut found, mut others, mut is_open) = (Vec::new(), Vec::new(), false);
    // "Only in a.py" is decided by the places outside of a.py, so the scope limits nothing here.
    let is_only = claim.quantifier == Quantifier::Only;
    for place in subject.known.uses() {
        let inside = within.is_none_or(|body| holds(body, place));
        if !inside || !is_only && !sites::in_scope(place, claim, subject, desk)? {
            continue;
        }
        let (line, column) = (
            line_of(place, desk),
            place.column.saturating_sub(1) as usize,
        );
        if is_raised(&line, column) {
            found.push(place.clone());
        } else {
            is_open |= could_be_raised(&line, column, last_part(error));
            others.push(place.clone());
        }
    }
    Ok((found, others, is_open))
}

/// Decides whether an error is raised in some places only. `found` raises it, and `others` name it.
fn raised_only(
    claim: &Claim,
    subject: &ClaimSubject,
    (found, others): (Vec<LabelledPlace>, Vec<LabelledPlace>),
    is_open: bool,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let only = Only::of(claim, desk)?;
    let (inside, outside) = only.divide(found, subject, desk)?;
    let (_, open) = only.divide(others, subject, desk)?;
    // A use that may raise it outside of the scope would disprove "only".
    if outside.is_empty() && is_open && !open.is_empty() {
        let error = claim.text(1).unwrap_or_default();
        let why = format!("other places could raise `{error}` in words that do not tell");
        return Err(Unsettled::unknown(why).with(&sites::spots(&open)));
    }
    let level = ConfidenceLevel::Medium;
    only::tell(claim, (subject, "raised"), &inside, &outside, level, desk)
}

/// Endings of files in languages that can only throw an object of the error's class.
const THROWING: &[&str] = &[
    "py", "java", "kt", "cs", "js", "mjs", "jsx", "ts", "tsx", "php", "rb",
];

/// Reports whether all definitions of a name are classes of such languages.
fn is_exception(subject: &ClaimSubject) -> bool {
    let is_class = |place: &LabelledPlace| {
        let ending = place.path.as_str().rsplit('.').next().unwrap_or_default();
        place.kind == Some(SymbolKind::Class) && THROWING.contains(&ending)
    };
    !subject.definitions.is_empty() && subject.definitions.iter().all(is_class)
}

/// Reports whether a use of a class only imports, exports or handles it.
fn only_handles(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    const STARTS: &str = "import from export except catch rescue require include";
    let line = line_of(place, desk);
    // `} catch (Late error) {` begins with the brace of the block before.
    let line = line.trim_start_matches([' ', '\t', '}']);
    let first = line.split(|letter: char| !letter.is_alphanumeric()).next();
    place.relation == Relation::Imports
        || is_in(STARTS, first.unwrap_or_default())
        || is_raised(line, line.len())
        || ["instanceof", "isinstance("]
            .iter()
            .any(|test| line.contains(test))
}

/// Decides that nothing raises a class: no line does, no other use makes or inherits it, and every
/// file that could was read.
fn never_raised(
    claim: &Claim,
    subject: &ClaimSubject,
    others: &[LabelledPlace],
    desk: &Desk<'_, '_>,
) -> Option<Settled> {
    let holds = match claim.quantifier {
        Quantifier::Any => claim.is_negated,
        Quantifier::None => !claim.is_negated,
        _ => return None,
    };
    absence::all_labelled(subject, desk).ok()?;
    // `Error = Late` or `run(Late)` hands the class on, so that it can be raised elsewhere.
    let uses = subject.known.uses();
    if !uses.into_iter().all(|place| only_handles(place, desk)) {
        return None;
    }
    let told = format!(
        "nothing raises `{}`{}, and no other use of it makes one.",
        subject.text,
        absence::in_words(claim)
    );
    let spots = match others {
        [] => subject.spots(),
        others => sites::spots(others),
    };
    let because = "decided by the words of the lines";
    Some(told_so(
        told,
        Some(holds),
        &spots,
        ConfidenceLevel::Medium,
        because,
        desk,
    ))
}

fn told_so(
    told: String,
    holds: Option<bool>,
    spots: &[SettledSpot],
    level: ConfidenceLevel,
    because: &str,
    desk: &Desk<'_, '_>,
) -> Settled {
    let told = match holds {
        Some(true) => format!("Yes: {told}"),
        Some(false) => format!("No: {told}"),
        None => told,
    };
    Settled::told(holds, desk.section(told, spots, 1)).at(level, because.to_owned())
}

fn holds(body: &ClaimSubject, place: &LabelledPlace) -> bool {
    body.definitions.iter().any(|definition| {
        definition.path == place.path
            && (definition.line..=definition.line_end.max(definition.line)).contains(&place.line)
    })
}

/// Lists the statements of one kind in a body.
fn statements(
    body: &str,
    told: &str,
    is_one: &dyn Fn(&str) -> bool,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let subject = resolve(body, desk)?;
    let mut spots = Vec::new();
    for definition in definitions(&subject)? {
        let path = definition.path.as_str();
        let text = desk.tree.text(path).unwrap_or_default();
        let span = definition.line..=definition.line_end.max(definition.line);
        let is_here = |(number, line): &(u32, &str)| {
            span.contains(number) && is_one(line) && !is_comment(line)
        };
        let lines = (1_u32..).zip(text.lines()).filter(is_here);
        spots.extend(lines.map(|(number, _)| SettledSpot::line(path, number, "statement")));
    }
    if spots.is_empty() {
        return Err(
            Unsettled::unknown(format!("no statement was found with which {told}"))
                .with(&subject.spots()),
        );
    }
    let told = format!("{told} in {}:", counted(spots.len(), "statement"));
    let because = "what is called in it may raise and return more";
    Ok(told_so(
        told,
        None,
        &spots,
        ConfidenceLevel::Medium,
        because,
        desk,
    ))
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "#", "*", "/*"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// Limit on the definitions of one name that are shown side by side.
const DEFINITIONS_MAX: usize = 4;

/// Returns the definitions of a name, without those in tests if there are others.
pub(super) fn definitions(subject: &ClaimSubject) -> Result<Vec<&LabelledPlace>, Unsettled> {
    let mut definitions: Vec<&LabelledPlace> = subject.definitions.iter().collect();
    if definitions.iter().any(|place| !sites::is_test(place)) {
        definitions.retain(|place| !sites::is_test(place));
    }
    if (1..=DEFINITIONS_MAX).contains(&definitions.len()) {
        return Ok(definitions);
    }
    let count = counted(definitions.len(), "definition");
    let why = format!("`{}` has {count}", subject.text);
    Err(Unsettled::unknown(why).with(&subject.spots()))
}

/// Decides what a function returns, by its head and its return statements, or whether its head
/// names a type.
pub(super) fn returns(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let body = claim.text(0).unwrap_or_default();
    let subject = resolve(body, desk)?;
    let definitions = definitions(&subject)?;
    let is_type = |place: &&&LabelledPlace| {
        place
            .kind
            .is_some_and(|kind| detail::has_members(Some(kind)))
    };
    if definitions.iter().any(|place| is_type(&place)) {
        let why = format!("`{body}` is a type, which returns nothing");
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    }
    match (claim.text(1), definitions.as_slice()) {
        (None, all) => what_is_returned(claim, body, all, desk),
        (Some(wanted), [only]) => is_returned(claim, body, wanted, only, desk),
        (Some(_), all) => {
            let why = format!("`{body}` has {}", counted(all.len(), "definition"));
            Err(Unsettled::unknown(why).with(&subject.spots()))
        }
    }
}

/// Shows what each definition of a name returns.
fn what_is_returned(
    claim: &Claim,
    body: &str,
    definitions: &[&LabelledPlace],
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let mut all: Option<Settled> = None;
    for definition in definitions {
        let detail = detail::of_place(desk.tree.checkout, definition, &desk.tree.limits);
        let (head, own) = detail.map_or((String::new(), None), |detail| {
            (detail.head, detail.returns)
        });
        let one = of_body(body, definition, (&head, own), desk);
        all = Some(match all {
            None => one,
            Some(mut all) => {
                // An answer about several definitions is as sure as its least sure part.
                all.level = all.level.min(one.level);
                all.because = if all.because.is_empty() {
                    one.because
                } else {
                    all.because
                };
                all.sections.extend(one.sections);
                all
            }
        });
    }
    let mut settled = all.ok_or_else(|| Unsettled::unknown(format!("`{body}` is not defined")))?;
    if let Some(kind) = &claim.kind {
        settled.level = ConfidenceLevel::Medium;
        settled.because =
            format!("all that it returns is shown; which of it is `{kind}` is not decided");
    }
    Ok(settled)
}

/// Decides whether the head of a function names a type as its result.
fn is_returned(
    claim: &Claim,
    body: &str,
    wanted: &str,
    definition: &LabelledPlace,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let detail = detail::of_place(desk.tree.checkout, definition, &desk.tree.limits);
    let head = detail.map(|detail| detail.head).unwrap_or_default();
    let (before, after) = around_parameters(&head, definition);
    // The type may be wrapped: `-> Result<Config>` returns a `Config`.
    let named = |text: &str| {
        text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
            .any(|word| word == last_part(wanted))
    };
    if named(after) || named(before) {
        let told = format!("the head of `{body}` says that it returns `{wanted}`.");
        let spots = [definition_spot(definition)];
        let holds = Some(!claim.is_negated);
        return Ok(told_so(
            told,
            holds,
            &spots,
            ConfidenceLevel::High,
            "",
            desk,
        ));
    }
    let why = format!("the head of `{body}` does not say whether it returns `{wanted}`");
    Err(Unsettled::unknown(why).with(&[definition_spot(definition)]))
}

/// Returns the text before the name of a function if its language writes the type there, and the
/// text after its parameters. A receiver, a parameter or a raised error is not returned.
fn around_parameters<'h>(head: &'h str, definition: &LabelledPlace) -> (&'h str, &'h str) {
    let (before, rest) = head
        .split_once(definition.name.as_str())
        .unwrap_or_default();
    let mut depth = 0_i32;
    let end = rest.char_indices().find_map(|(at, letter)| {
        depth += match letter {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        (letter == ')' && depth == 0).then_some(at + 1)
    });
    let after = end.and_then(|end| rest.get(end..)).unwrap_or_default();
    // The bounds of Rust and the exceptions of Java come last in a head, and are not returned.
    let after = [" where ", " throws "].iter().fold(after, |after, mark| {
        after.split(mark).next().unwrap_or(after)
    });
    let path = definition.path.as_str();
    let is_before = [".java", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs"]
        .iter()
        .any(|ending| path.ends_with(ending));
    (if is_before { before } else { "" }, after)
}

/// Returns the head of a function and its returning lines: by the syntax tree, else all lines in
/// its span that return.
fn of_body(
    body: &str,
    definition: &LabelledPlace,
    (head, own): (&str, Option<Vec<u32>>),
    desk: &Desk<'_, '_>,
) -> Settled {
    let path = definition.path.as_str();
    let text = desk.tree.text(path).unwrap_or_default();
    let last = definition.line_end.max(definition.line);
    let is_by_syntax = own.is_some();
    let lines = own.unwrap_or_else(|| returning(&text, definition.line + 1..=last));
    let mut spots = vec![SettledSpot::line(path, definition.line, "head")];
    let others = lines.into_iter().filter(|line| *line != definition.line);
    spots.extend(others.map(|line| SettledSpot::line(path, line, "returns")));
    if spots.len() == 1 {
        // In Rust and Ruby the last expression is returned without a word, so the whole body is
        // shown.
        spots = vec![definition_spot(definition)];
    }
    let told = match head.is_empty() {
        true => format!("`{body}` returns:"),
        false => format!("`{body}` returns, by its head `{head}`:"),
    };
    let mut section = desk.section(told, &spots, 16);
    section.more = 0;
    let settled = Settled::told(None, section);
    let (from, to) = (definition.line as usize, last as usize);
    let mut inside = text.lines().take(to).skip(from);
    // Without the syntax tree, a nested function's `return` looks like one of the outer function.
    let is_open = !is_by_syntax && spots.len() > 1 && inside.any(begins_function);
    let why = match () {
        () if is_open => "functions inside of it return too",
        () if head.contains('…') => "its head is too long to be shown as a whole",
        () => return settled,
    };
    settled.at(ConfidenceLevel::Medium, why)
}

/// Returns the lines of a span that return or yield, outside of comments and documentation.
fn returning(text: &str, span: std::ops::RangeInclusive<u32>) -> Vec<u32> {
    let told_in = docstring_lines(text);
    let returns = |(number, line): &(u32, &str)| {
        let mut words = line.trim_start().split([' ', ';', '(']);
        span.contains(number)
            && !told_in.contains(number)
            && !is_comment(line.trim_start())
            && words.any(|word| ["return", "yield"].contains(&word))
    };
    let lines = (1_u32..).zip(text.lines()).filter(returns);
    lines.map(|(number, _)| number).collect()
}

/// Reports whether a line begins a function inside of another, or could: `measure(of) {`.
fn begins_function(line: &str) -> bool {
    const MARKS: [&str; 6] = ["func(", "function(", "function (", "=> {", "def ", "lambda"];
    const CONTROL: &str = "if else for foreach while do switch match catch try with using lock synchronized unless \
        until loop select guard";
    let line = line.trim();
    let letters = |letter: char| !letter.is_alphanumeric() && letter != '_';
    let first = line.split(letters).find(|word| !word.is_empty());
    let is_headed = line.ends_with('{') && line.contains(')');
    let is_head = is_headed && first.is_some_and(|word| !is_in(CONTROL, word));
    !is_comment(line) && (is_head || MARKS.iter().any(|mark| line.contains(mark)))
}

/// Returns the lines between triple quotes: a docstring may contain the word `return`.
fn docstring_lines(text: &str) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut inside = false;
    for (number, line) in (1_u32..).zip(text.lines()) {
        let marks = line.matches("\"\"\"").count() + line.matches("'''").count();
        if inside || marks > 0 {
            found.insert(number);
        }
        inside ^= marks % 2 == 1;
    }
    found
}

/// Decides whether a test names it.
pub(super) fn tested(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let mut uses = Claim::new(
        &names::USES,
        vec![grounds_claims::Argument::Hole, claim.arguments[0].clone()],
    );
    uses.scope = claim.scope.clone();
    uses.scope.tests = Tests::Inside;
    // "f is tested" is true if any test uses `f`.
    uses.quantifier = match claim.quantifier {
        Quantifier::Some if claim.is_negated => Quantifier::None,
        Quantifier::Some => Quantifier::Any,
        other => other,
    };
    let mut settled = sites::settle(&uses, desk)?;
    settled.level = settled.level.min(ConfidenceLevel::Medium);
    settled.because =
        "a test that names it may check something else, and one that does not may run it"
            .to_owned();
    Ok(settled)
}
