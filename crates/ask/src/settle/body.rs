//! What a function body contains: whether it calls a name, and what it calls.

use grounds_claims::{Claim, names};
use grounds_evidence::{ConfidenceLevel, Relation, SymbolKind};
use grounds_repo::detail;
use grounds_repo::labels::LabelledPlace;
use grounds_repo::outline;
use grounds_repo::path::RepoPath;
use grounds_repo::scope::SearchScope;

use super::import_lines::{ImportLine, import_lines, language_of};
use super::subject::{ClaimSubject, definition_spot, resolve};
use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled, counted, renamed, sites};
use crate::understand::tree::{is_use, last_part};
use crate::understand::{is_callable, is_path};
use crate::words::is_in;

/// Lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Region {
    path: RepoPath,
    first: u32,
    last: u32,
    /// The type whose methods count too, in any file; `None` for other regions.
    of_type: Option<String>,
}

/// Returns the bodies that a name or path means.
fn regions(text: &str, desk: &Desk<'_, '_>) -> Result<(Vec<Region>, Vec<SettledSpot>), Unsettled> {
    // "What does a.py call?" asks for the calls of the whole file.
    if is_path(text, desk.tree) {
        let files = desk.tree.files_of(text);
        if files.is_empty() {
            return Err(Unsettled::absent(
                format!("`{text}` is not in the tree"),
                &[],
            ));
        }
        let region = |file: &&RepoPath| Region {
            path: (*file).clone(),
            first: 1,
            last: u32::MAX,
            of_type: None,
        };
        let spots = files
            .iter()
            .map(|file| SettledSpot::line(file.as_str(), 1, "file"))
            .collect();
        return Ok((files.iter().map(region).collect(), spots));
    }
    let subject = resolve(text, desk)?;
    if !subject.is_defined() {
        return Err(Unsettled::unknown(format!(
            "`{text}` is not defined in the tree"
        )));
    }
    let mut definitions: Vec<&LabelledPlace> = subject.definitions.iter().collect();
    if definitions.iter().any(|place| !sites::is_test(place)) {
        definitions.retain(|place| !sites::is_test(place));
    }
    let mut regions: Vec<Region> = definitions.iter().map(|place| region_of(place)).collect();
    regions.extend(definitions.iter().filter_map(|place| module(place, desk)));
    Ok((
        regions,
        definitions
            .iter()
            .map(|place| definition_spot(place))
            .collect(),
    ))
}

/// Returns the file with the body of a Rust module that is declared by `mod cat;`.
fn module(place: &LabelledPlace, desk: &Desk<'_, '_>) -> Option<Region> {
    // `mod cat { … }` has its body here; `mod cat;` is one line.
    let is_outside = place.kind == Some(grounds_evidence::SymbolKind::Module)
        && place.language == "Rust"
        && place.line_end <= place.line;
    let folder = place
        .path
        .as_str()
        .rsplit_once('/')
        .map_or("", |(folder, _)| folder);
    let name = &place.name;
    let is_file = |file: &&RepoPath| {
        let below = file.as_str().strip_prefix(folder).unwrap_or_default();
        let below = below.trim_start_matches('/');
        below == format!("{name}.rs") || below == format!("{name}/mod.rs")
    };
    let mut files = desk.tree.files.iter().filter(is_file);
    let file = files.next().filter(|_| is_outside)?;
    Some(Region {
        path: file.clone(),
        first: 1,
        last: u32::MAX,
        of_type: None,
    })
}

fn region_of(place: &LabelledPlace) -> Region {
    use grounds_evidence::SymbolKind as K;
    let is_type = matches!(
        place.kind,
        Some(K::Class | K::Struct | K::Enum | K::Trait | K::Interface | K::Object)
    );
    Region {
        path: place.path.clone(),
        first: place.line,
        last: place.line_end.max(place.line),
        of_type: is_type.then(|| place.name.clone()),
    }
}

impl Region {
    fn holds(&self, place: &LabelledPlace) -> bool {
        let inside = self.path == place.path && (self.first..=self.last).contains(&place.line);
        // The methods of Rust, Go and C++ may be written outside of the lines of their type.
        let of_type = self
            .of_type
            .as_ref()
            .is_some_and(|name| place.containers.contains(name));
        inside || of_type
    }
}

/// Decides whether the body of the first name calls, uses or constructs the second.
pub(super) fn contains(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let one = claim.text(0).unwrap_or_default();
    let other = claim.text(1).unwrap_or_default();
    let (mut regions, mut spots) = regions(one, desk)?;
    let target = in_place(claim, &mut regions, resolve(other, desk)?, desk)?;
    keep_inside(&mut spots, &regions);
    let (mut places, scope) = places_in(&regions, &target);
    let open = under_another_name(&regions, &target, &mut places, desk);
    // A local variable of the same name is not the asked definition.
    let is_local = places.iter().any(|place| place.relation == Relation::Binds);
    let is_called = keep_uses(&mut places, claim, &regions);
    if let Some(settled) = without_foreign(claim, &target, &mut places, desk)? {
        return Ok(settled);
    }
    let is_told_apart = match those_of_owner(claim, &target, &mut places, desk)? {
        TypedSites::Denied(settled) => return Ok(settled),
        TypedSites::Kept => true,
        TypedSites::Untyped => false,
    };
    // "Does accept call itself?" is not shown by `self.listener.accept()`.
    if last_part(one) == last_part(other) && !is_told_apart {
        keep_calls_to_itself(one, &mut places, &regions, &target, desk)?;
    }
    if places.is_empty() {
        not_by_alias(other, open)?;
    }
    if places.is_empty() || is_local && !is_called {
        // A denial needs more than a missing name: no further alias, and a value that is written
        // out.
        not_renamed_again(other, &regions, &target, desk)?;
        is_written_out(one, &regions, &spots, desk)?;
        return denied(claim, &regions, is_local, &scope, &spots, desk);
    }
    Ok(affirmed(claim, &places, is_called, &target, desk))
}

/// Returns the answer that a body has the name in some places.
fn affirmed(
    claim: &Claim,
    places: &[LabelledPlace],
    is_called: bool,
    target: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Settled {
    let text = said_of(claim, places.len(), is_called);
    let section = desk.section(text, &sites::spots(places), 1);
    let settled = Settled::told(Some(!claim.is_negated), section);
    as_sure(settled, is_called, target)
}

/// Keeps the places in the files of some bodies.
fn keep_inside(spots: &mut Vec<SettledSpot>, regions: &[Region]) {
    let is_in = |spot: &SettledSpot, region: &Region| region.path.as_str() == spot.path;
    spots.retain(|spot| regions.iter().any(|region| is_in(spot, region)));
}

/// Refuses a denial if a place may be of the name under an alias.
fn not_by_alias(other: &str, open: Option<LabelledPlace>) -> Result<(), Unsettled> {
    open.map_or(Ok(()), |place| {
        let reason = format!("`{}` can be another name of `{other}` there", place.name);
        Err(Unsettled::unknown(reason).with(&[sites::site(&place)]))
    })
}

/// Removes the uses of a member that are written on a type of a library: `Clock.parse()` is no use
/// of `Dates.parse`. Returns the denial if there are no others.
///
/// # Errors
/// [`Unsettled`] if the type may be another name of the owner.
fn without_foreign(
    claim: &Claim,
    target: &ClaimSubject,
    places: &mut Vec<LabelledPlace>,
    desk: &Desk<'_, '_>,
) -> Result<Option<Settled>, Unsettled> {
    let Some(owner) = target.owner.as_deref().filter(|_| target.is_defined()) else {
        return Ok(None);
    };
    let (own, foreign) = sites::on_types_of_others(std::mem::take(places), target, desk);
    *places = own;
    let Some(first) = foreign.first().filter(|_| places.is_empty()) else {
        return Ok(None);
    };
    let before = sites::receiver_of(first, desk).unwrap_or_default();
    let known = desk.tree.know(&[last_part(&before)]).remove(0);
    let name = &target.name;
    // An import can give any name to a module, and a type parameter is no type of its own.
    let is_bound = known.is_imported() || first.language != "Ruby";
    if is_bound || renamed::is_renamed(owner, desk.tree) {
        let why = format!("`{name}` is called on `{before}` there, which may be `{owner}`");
        return Err(Unsettled::unknown(why).with(&[sites::site(first)]));
    }
    let (one, other) = (claim.text(0).unwrap_or_default(), &target.text);
    let told = format!("No: `{one}` uses the `{name}` of `{before}`, and not `{other}`.");
    let section = desk.section(told, &sites::spots(&foreign), 1);
    let settled = Settled::told(Some(claim.is_negated), section);
    let why = "only the text before the name says whose it is";
    Ok(Some(settled.at(ConfidenceLevel::Medium, why)))
}

/// What the types of receivers say of the uses of a member in a body.
enum TypedSites {
    /// No types are read for the member, or the body has no use of the name.
    Untyped,
    /// The uses of the member were kept, and there are some.
    Kept,
    /// All uses are of other members.
    Denied(Settled),
}

/// Keeps the uses of a member that are of its owner, by the types of what it is used on.
///
/// # Errors
/// [`Unsettled`] if only uses are left that the text does not decide.
fn those_of_owner(
    claim: &Claim,
    target: &ClaimSubject,
    places: &mut Vec<LabelledPlace>,
    desk: &Desk<'_, '_>,
) -> Result<TypedSites, Unsettled> {
    if let Some(settled) = of_other_modules(claim, target, places, desk) {
        return Ok(TypedSites::Denied(settled));
    }
    if places.is_empty() || !target.is_defined() {
        return Ok(TypedSites::Untyped);
    }
    let Some((own, open)) = sites::by_type(places, target, desk) else {
        return Ok(TypedSites::Untyped);
    };
    let all = std::mem::replace(places, own);
    if !places.is_empty() {
        return Ok(TypedSites::Kept);
    }
    let (one, name) = (claim.text(0).unwrap_or_default(), &target.name);
    let first = open.first().or(all.first());
    let before = first.and_then(|place| sites::receiver_of(place, desk));
    let on = before.map_or_else(String::new, |before| format!(" on `{before}`"));
    if let Some(place) = open.first() {
        let why =
            format!("`{name}` is used there{on}, and the text does not say of what type it is");
        return Err(Unsettled::unknown(why).with(&[sites::site(place)]));
    }
    let told = format!(
        "No: `{one}` uses another `{name}`{on}, and not `{}`.",
        target.text
    );
    let section = desk.section(told, &sites::spots(&all), 1);
    let settled = Settled::told(Some(claim.is_negated), section);
    let why = "the types of what it is used on were read from the text";
    Ok(TypedSites::Denied(settled.at(ConfidenceLevel::Medium, why)))
}

/// Denies the use of a function of a library that is only used from other modules: `json.load` is
/// no call of `yaml.load`. Returns `None` if a use may be of it.
fn of_other_modules(
    claim: &Claim,
    target: &ClaimSubject,
    places: &[LabelledPlace],
    desk: &Desk<'_, '_>,
) -> Option<Settled> {
    let owner = target.owner.as_deref().map(last_part)?;
    // Values of a type have any name, and a module is written by its own or by an alias.
    if target.is_defined() || !owner.starts_with(char::is_lowercase) {
        return None;
    }
    let module = |place: &LabelledPlace| {
        let before = sites::receiver_of(place, desk)?;
        let source = desk.tree.text(place.path.as_str()).unwrap_or_default();
        let lines = import_lines(&place.path, &source);
        let is_imported = |line: &ImportLine| imports_by_its_name(&line.text, &before);
        (before != owner && lines.iter().any(is_imported)).then_some(before)
    };
    let modules: Option<Vec<String>> = places.iter().map(module).collect();
    let module = modules?.into_iter().next()?;
    let (one, name, other) = (claim.text(0)?, &target.name, &target.text);
    let told = format!("No: `{one}` uses the `{name}` of `{module}`, and not `{other}`.");
    let section = desk.section(told, &sites::spots(places), 1);
    let settled = Settled::told(Some(claim.is_negated), section);
    let why = "the imports of its file say whose it is";
    Some(settled.at(ConfidenceLevel::Medium, why))
}

/// Reports whether a line imports a module whose own last name is a word: `"encoding/json"`, and not
/// `toml "encoding/json"` or `import toml as json`.
fn imports_by_its_name(line: &str, word: &str) -> bool {
    let path = line.trim().trim_end_matches(['"', '\'', ';', ')', ' ']);
    let before = path.strip_suffix(word);
    !line.contains(" as ") && before.is_some_and(|before| before.ends_with(['/', '.', '"', ' ']))
}

/// Receivers by which a method calls itself.
const OWN_RECEIVERS: &str = "self Self this $this cls @ static";

/// Keeps the calls of a function to itself. In `accept`, `self.listener.accept()` is a call of the
/// field's method.
///
/// # Errors
/// [`Unsettled`] if only calls on other receivers are left, or if something that it calls calls it.
fn keep_calls_to_itself(
    one: &str,
    places: &mut Vec<LabelledPlace>,
    regions: &[Region],
    target: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<(), Unsettled> {
    let owner = one.rsplit_once(['.', '#', ':']);
    let owner = owner.map(|(owner, _)| last_part(owner.trim_end_matches(':')));
    let of_others = |place: &LabelledPlace| {
        sites::receiver_of(place, desk)
            .filter(|before| !is_in(OWN_RECEIVERS, before) && Some(last_part(before)) != owner)
    };
    let other = places
        .iter()
        .find_map(|place| of_others(place).zip(Some(place.clone())));
    places.retain(|place| of_others(place).is_none());
    if let Some((before, place)) = other.filter(|_| places.is_empty()) {
        let why = format!(
            "`{}` is called there on `{before}`, which may be of another type",
            place.name
        );
        return Err(Unsettled::unknown(why).with(&[sites::site(&place)]));
    }
    // `odd` may call `even`, which calls `odd`: a recursion by way of another function.
    if places.is_empty()
        && let Some(place) = called_back(regions, target, desk)
    {
        let by = place.containers.last().map_or("", String::as_str);
        let why = format!("`{one}` names `{by}`, which calls it");
        return Err(Unsettled::unknown(why).with(&[sites::site(&place)]));
    }
    Ok(())
}

/// Returns a call of a function by something that its own body names.
fn called_back(
    regions: &[Region],
    target: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Option<LabelledPlace> {
    let body = |region: &Region| {
        let text = desk.tree.text(region.path.as_str()).unwrap_or_default();
        let length = region.last.saturating_sub(region.first) as usize + 1;
        let lines = text.lines().skip(region.first.saturating_sub(1) as usize);
        lines.take(length).collect::<Vec<_>>().join("\n")
    };
    let bodies: Vec<String> = regions.iter().map(body).collect();
    let names = |caller: &str| {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut words = bodies
            .iter()
            .flat_map(|body| body.split(|letter| !is_word(letter)));
        words.any(|word| word == caller)
    };
    let calls_back = |place: &&LabelledPlace| {
        let is_inside = regions.iter().any(|region| region.holds(place));
        let caller = place.containers.last().map(|caller| last_part(caller));
        place.relation == Relation::Calls && !is_inside && caller.is_some_and(names)
    };
    target.known.places().iter().find(calls_back).cloned()
}

/// Refuses a name of which only heads were found, which say nothing about its body.
fn has_body(
    one: &str,
    regions: &[Region],
    spots: &[SettledSpot],
    desk: &Desk<'_, '_>,
) -> Result<(), Unsettled> {
    let is_only_head = regions.iter().all(|region| is_only_head(region, desk));
    let why = || format!("only a head of `{one}` was found, and no body");
    match is_only_head {
        true => Err(Unsettled::unknown(why()).with(spots)),
        false => Ok(()),
    }
}

/// Refuses to deny the content of a value that is filled elsewhere: its definition has to be a
/// literal.
fn is_written_out(
    one: &str,
    regions: &[Region],
    spots: &[SettledSpot],
    desk: &Desk<'_, '_>,
) -> Result<(), Unsettled> {
    let given = |line: &str| {
        let given = line.split_once('=').map_or(line, |(_, given)| given);
        given.contains(['[', '{', '('])
    };
    let is_list = |region: &Region| lines_of(region, desk).iter().any(|line| given(line));
    match is_value(one, regions, desk) && !regions.iter().any(is_list) {
        true => {
            let why = format!("what `{one}` has is not written where it is defined");
            Err(Unsettled::unknown(why).with(spots))
        }
        false => Ok(()),
    }
}

/// Reports whether all definitions of a name are variables, constants or fields that are not
/// functions.
fn is_value(name: &str, regions: &[Region], desk: &Desk<'_, '_>) -> bool {
    let is_one = |place: &LabelledPlace| {
        use SymbolKind as K;
        matches!(place.kind, Some(K::Constant | K::Variable | K::Field))
    };
    let is_function = |region: &Region| {
        let lines = lines_of(region, desk);
        // `const run = () => 1` defines a constant that is a function.
        let marks = ["=>", "->", "function", "lambda", "func(", "fun("];
        lines
            .iter()
            .any(|line| marks.iter().any(|mark| line.contains(mark)))
    };
    let subject = resolve(name, desk);
    let is_of_values =
        subject.is_ok_and(|subject| subject.is_defined() && subject.definitions.iter().all(is_one));
    is_of_values && !is_path(name, desk.tree) && !regions.iter().any(is_function)
}

/// Returns the lines of some bodies.
fn lines_of(region: &Region, desk: &Desk<'_, '_>) -> Vec<String> {
    let text = desk.tree.text(region.path.as_str()).unwrap_or_default();
    let lines = (1_u32..).zip(text.lines());
    let inside = lines.filter(|(number, _)| (region.first..=region.last).contains(number));
    inside.map(|(_, line)| line.to_owned()).collect()
}

/// Reports whether a definition has no body: a prototype, or a method of an interface.
fn is_only_head(region: &Region, desk: &Desk<'_, '_>) -> bool {
    let lines = lines_of(region, desk);
    let has = |mark: &str| lines.iter().any(|line| line.contains(mark));
    // `run: (text: string) => void;` has a `=` only in the arrow of its type.
    let gives = || {
        let mut lines = lines.iter().map(|line| line.replace("=>", ""));
        lines.any(|line| line.contains('='))
    };
    match language_of(&region.path) {
        "C" | "C++" => !has("{"),
        "Java" | "C#" => region.of_type.is_none() && has(";") && !has("{") && !has("="),
        "TypeScript" => region.of_type.is_none() && has(":") && !has("{") && !gives(),
        _ => false,
    }
}

/// Returns the sentence about a name that a body has in some places.
fn said_of(claim: &Claim, places: usize, is_called: bool) -> String {
    let one = claim.text(0).unwrap_or_default();
    let other = claim.text(1).unwrap_or_default();
    let count = counted(places, "place");
    match () {
        () if !is_called => {
            format!("Yes: `{one}` names `{other}`, and does not call it there itself.")
        }
        () if claim.predicate == &names::USES => {
            format!("Yes: `{one}` uses `{other}` in {count}.")
        }
        () => format!("Yes: `{one}` calls `{other}` in {count}."),
    }
}

/// Refuses a denial if a file gives a further alias to a name that is re-exported under another
/// one.
fn not_renamed_again(
    other: &str,
    regions: &[Region],
    target: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<(), Unsettled> {
    let text = |region: &Region| desk.tree.text(region.path.as_str()).unwrap_or_default();
    let texts: Vec<String> = regions.iter().map(text).collect();
    let renames = |name: &String| {
        let third = format!("{name} as ");
        texts.iter().any(|text| text.contains(&third))
    };
    let mut others = renamed::handed_on(target, desk.tree).into_iter();
    others.find(renames).map_or(Ok(()), |name| {
        let why = format!("`{other}` is handed on as `{name}`, which the file gives a name");
        Err(Unsettled::unknown(why).with(&target.spots()))
    })
}

/// Denies that the bodies name it, at Medium if the grammar could not read all of them.
fn denied(
    claim: &Claim,
    regions: &[Region],
    is_local: bool,
    scope: &SearchScope,
    spots: &[SettledSpot],
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let one = claim.text(0).unwrap_or_default();
    has_body(one, regions, spots, desk)?;
    let settled = not_named(claim, is_local, scope, spots, desk)?;
    let why = "the grammar could not read all of its body";
    let is_value = is_value(one, regions, desk);
    Ok(match is_read_whole(one, desk) {
        true if is_value => {
            settled.at(ConfidenceLevel::Medium, "more can be put into it elsewhere")
        }
        true => settled,
        false => settled.at(ConfidenceLevel::Medium, why),
    })
}

/// Keeps the uses of a name, or only its calls if there are some. Returns whether there are calls.
fn keep_uses(places: &mut Vec<LabelledPlace>, claim: &Claim, regions: &[Region]) -> bool {
    let uses = claim.predicate == &names::USES;
    // A base in the head is used by the type.
    let is_base = |place: &LabelledPlace| uses && place.relation == Relation::Inherits;
    places.retain(|place| is_use(place) && (is_base(place) || !is_head(place, regions)));
    let is_call = |place: &LabelledPlace| uses || place.relation == Relation::Calls;
    let is_called = places.iter().any(is_call);
    if is_called {
        places.retain(is_call);
    }
    is_called
}

/// Limit on the definitions of one name that are read for a denial.
const DEFINITIONS_READ_MAX: usize = 8;

/// Reports whether the grammar read all definitions of a name. One with a syntax error may end too
/// early.
fn is_read_whole(name: &str, desk: &Desk<'_, '_>) -> bool {
    let Ok(subject) = resolve(name, desk) else {
        return false;
    };
    let is_whole = |place: &LabelledPlace| {
        let detail = detail::of_place(desk.tree.checkout, place, &desk.tree.limits);
        detail.is_none_or(|detail| detail.is_read_whole)
    };
    subject
        .definitions
        .iter()
        .take(DEFINITIONS_READ_MAX)
        .all(is_whole)
}

/// Adds the places in some bodies at which the name has an alias. Returns a place that may be of
/// it.
fn under_another_name(
    regions: &[Region],
    target: &ClaimSubject,
    places: &mut Vec<LabelledPlace>,
    desk: &Desk<'_, '_>,
) -> Option<LabelledPlace> {
    let renamed = renamed::uses(target, desk.tree);
    let holds = |place: &LabelledPlace| regions.iter().any(|region| region.holds(place));
    places.extend(renamed.own.into_iter().filter(holds));
    renamed.open.into_iter().find(holds)
}

/// Lowers the level if the name is handed on without a call, or if several definitions share it.
fn as_sure(settled: Settled, is_called: bool, target: &ClaimSubject) -> Settled {
    match is_called {
        false => settled.at(ConfidenceLevel::Medium, "the name is handed on, not called"),
        true if target.is_shared() => {
            let because = format!("several things are called `{}`", target.name);
            settled.at(ConfidenceLevel::Medium, because)
        }
        true => settled,
    }
}

/// Returns the places of a name in some bodies, and the searched scope. Only the files of the
/// bodies are labelled, unless a type is among them: its methods can be in any file.
fn places_in(regions: &[Region], target: &ClaimSubject) -> (Vec<LabelledPlace>, SearchScope) {
    let paths: Vec<&str> = regions.iter().map(|region| region.path.as_str()).collect();
    let (mut places, scope) = match regions.iter().all(|region| region.of_type.is_none()) {
        true => target.known.places_in(&paths),
        false => (target.known.places().to_vec(), target.known.scope()),
    };
    places.retain(|place| regions.iter().any(|region| region.holds(place)));
    (places, scope)
}

/// Returns the second name if the scope of a claim contains the first one, or all definitions of
/// the second: "does f call g from a.py?" asks for no other `g`. Of several definitions of the first
/// name, those in the scope are kept if none of the second is there.
fn in_place(
    claim: &Claim,
    regions: &mut Vec<Region>,
    target: ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<ClaimSubject, Unsettled> {
    let is_in = |place: &str, path: &str| {
        let files = desk.tree.files_of(place);
        let mut folders = desk.tree.folders_of(place).into_iter();
        files.iter().any(|file| file.as_str() == path)
            || folders.any(|folder| path.starts_with(&format!("{folder}/")))
    };
    if let [place] = claim.scope.inside.as_slice()
        && regions
            .iter()
            .any(|region| is_in(place, region.path.as_str()))
        && !target
            .definitions
            .iter()
            .any(|one| is_in(place, one.path.as_str()))
    {
        regions.retain(|region| is_in(place, region.path.as_str()));
    }
    let fits = |place: &String| {
        let mut defined = target.definitions.iter();
        regions
            .iter()
            .all(|region| is_in(place, region.path.as_str()))
            || defined.all(|one| is_in(place, one.path.as_str()))
    };
    match claim.scope.inside.iter().all(fits) && claim.scope.outside.is_empty() {
        true => Ok(target),
        false => Err(Unsettled::unknown(format!(
            "whether it is the `{}` of that place is not decided",
            target.text
        ))),
    }
}

/// Denies that the body of the first name contains the second, or says that it is only a local
/// there.
fn not_named(
    claim: &Claim,
    is_local: bool,
    scope: &SearchScope,
    spots: &[SettledSpot],
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let one = claim.text(0).unwrap_or_default();
    let other = claim.text(1).unwrap_or_default();
    let owner = one
        .rsplit_once(['.', '#', ':'])
        .map(|(owner, _)| last_part(owner.trim_end_matches(':')));
    // `Self { .. }` and `cls()` in a method of the type make a value without its name.
    if claim.predicate == &names::CONSTRUCTS && owner == Some(last_part(other)) {
        let why = format!("`{one}` can make a `{other}` without its name");
        return Err(Unsettled::unknown(why).with(spots));
    }
    // `std::fs::read` may be written as `fs::read` after an import.
    if other.contains("::") && !desk.tree.defines(last_part(other)) {
        let why = format!("`{other}` may be written in parts there");
        return Err(Unsettled::unknown(why).with(spots));
    }
    if super::absence::unread_in_files(scope, desk).is_some() {
        return Err(Unsettled::unknown(format!(
            "not every file with `{other}` was read"
        )));
    }
    let (text, level) = match is_local {
        true => (
            format!("No: in the body of `{one}`, `{other}` is a local of that name."),
            ConfidenceLevel::Medium,
        ),
        false => (
            format!("No: the body of `{one}` does not name `{other}`."),
            ConfidenceLevel::High,
        ),
    };
    Ok(Settled::told(Some(claim.is_negated), desk.section(text, spots, 12)).at(level, ""))
}

/// Reports whether a place is the name on the first line of a type's own definition, which is no
/// use of it.
fn is_head(place: &LabelledPlace, regions: &[Region]) -> bool {
    place.relation != Relation::Calls
        && regions.iter().any(|region| {
            region.path == place.path && region.first == place.line && region.of_type.is_some()
        })
}

/// Returns the note that a description of the calls was not checked; empty without one.
fn undecided(claim: &Claim) -> String {
    claim.kind.as_ref().map_or_else(String::new, |described| {
        format!(" Which of them is for \"{described}\" was not decided: all are shown.")
    })
}

/// Lists what the body of the first name calls, line by line.
pub(super) fn callees(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let text = claim.text(0).unwrap_or_default();
    let (mut regions, definition) = regions(text, desk)?;
    // `callees NAME --in FOLDER` chooses among definitions of one name, of which one may be in a
    // minified file.
    let is_inside = |region: &Region| is_in_scope(&region.path, claim, desk);
    if regions.iter().any(is_inside) {
        regions.retain(is_inside);
    }
    let constructs = claim.predicate == &names::CONSTRUCTS;
    let Some(calls) = calls_in(&regions, last_part(text), constructs, desk) else {
        return Err(Unsettled::unknown(format!(
            "the file of `{text}` could not be parsed"
        )));
    };
    if calls.is_empty() {
        has_body(text, &regions, &definition, desk)?;
    }
    if calls.is_empty()
        && let Some(why) = why_nothing(claim, text, desk)
    {
        return Err(Unsettled::unknown(why).with(&definition));
    }
    let (sentence, cited) = match in_words(claim, &calls) {
        Some(sentence) => (sentence, by_line(calls)),
        None => (format!("`{text}` calls nothing."), definition),
    };
    let settled = Settled::told(None, desk.section(sentence, &cited, 1));
    Ok(match doubt(claim, regions.len()) {
        Some(because) => settled.at(ConfidenceLevel::Medium, because),
        None => settled,
    })
}

/// Reports whether a file is one of those that a claim is limited to, or in one of its folders.
fn is_in_scope(path: &RepoPath, claim: &Claim, desk: &Desk<'_, '_>) -> bool {
    let lies_in = |place: &String| {
        let in_folder = |folder: &String| {
            let rest = path.as_str().strip_prefix(folder.as_str());
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let folders = desk.tree.folders_of(place);
        desk.tree.files_of(place).contains(&path) || folders.iter().any(in_folder)
    };
    claim.scope.inside.iter().any(lies_in)
}

/// Returns why a body without a visible call may do the asked thing all the same; `None` if it
/// cannot.
fn why_nothing(claim: &Claim, text: &str, desk: &Desk<'_, '_>) -> Option<String> {
    match () {
        () if claim.predicate == &names::CONSTRUCTS => Some(format!(
            "`{text}` calls no type by its name, and values can be made in other ways"
        )),
        () if !is_path(text, desk.tree) && !is_function(text, desk) => Some(format!(
            "`{text}` is no function: what its functions call is asked of each"
        )),
        // "Which of its calls writes the file?" presumes calls: without any, the question means
        // something else.
        () if claim.kind.is_some() => Some(format!(
            "`{text}` calls nothing, and so nothing that does this"
        )),
        () => None,
    }
}

fn is_function(name: &str, desk: &Desk<'_, '_>) -> bool {
    let subject = resolve(name, desk);
    let is_one = |place: &LabelledPlace| is_callable(place.kind);
    subject.is_ok_and(|subject| subject.definitions.iter().any(is_one))
}

/// Returns why a list of calls may not be the whole answer; `None` if it is.
fn doubt(claim: &Claim, definitions: usize) -> Option<String> {
    let text = claim.text(0).unwrap_or_default();
    match &claim.kind {
        Some(purpose) => Some(format!(
            "all calls are listed; which of them is `{purpose}` is not decided"
        )),
        None if definitions > 1 => Some(format!(
            "`{text}` has {definitions} definitions, and the calls of all are listed"
        )),
        // A thing can be used or made without a call.
        None if claim.predicate != &names::CALLS => Some("only its calls are listed".to_owned()),
        None => None,
    }
}

/// Returns the sentence that names what is called; `None` if nothing is.
fn in_words(claim: &Claim, calls: &[(SettledSpot, String)]) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for (_, name) in calls {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let (text, count) = (claim.text(0)?, counted(names.len(), "name"));
    names.truncate(SHOWN_MAX);
    let shown = names.join(", ");
    let undecided = undecided(claim);
    (!names.is_empty()).then(|| format!("`{text}` calls {count}: {shown}.{undecided}"))
}

/// Names of callees in one sentence.
const SHOWN_MAX: usize = 40;

/// Returns the calls in some bodies, each with its line and the callee as it is shown; `None` if a
/// file could not be parsed.
fn calls_in(
    regions: &[Region],
    own: &str,
    constructs: bool,
    desk: &Desk<'_, '_>,
) -> Option<Vec<(SettledSpot, String)>> {
    let mut found = Vec::new();
    for region in regions {
        let last = last_line(region, desk);
        let tree = desk.tree;
        let calls = outline::calls(
            tree.checkout,
            &region.path,
            region.first,
            last,
            &tree.limits,
        )?;
        for call in calls {
            // A constructor has the name of its type, which begins with a capital.
            let is_type = call.name.starts_with(|letter: char| letter.is_uppercase());
            // The head `f(x)` of a definition may be read as a call of `f`.
            let is_own = call.line == region.first && call.name == own && call.receiver.is_none();
            if constructs && !is_type || is_own {
                continue;
            }
            let shown = match &call.receiver {
                Some(receiver) => format!("`{receiver}.{}`", call.name),
                None => format!("`{}`", call.name),
            };
            let what = format!("calls {shown}");
            found.push((
                SettledSpot::line(region.path.as_str(), call.line, what),
                shown,
            ));
        }
    }
    Some(found)
}

/// Returns one place for each line, with all calls of the line.
fn by_line(calls: Vec<(SettledSpot, String)>) -> Vec<SettledSpot> {
    let mut lines: Vec<SettledSpot> = Vec::new();
    for (spot, name) in calls {
        let is_same = |known: &&mut SettledSpot| known.path == spot.path && known.line == spot.line;
        match lines.iter_mut().find(is_same) {
            Some(known) => known.what = format!("{}, {name}", known.what),
            None => lines.push(spot),
        }
    }
    lines
}

fn last_line(region: &Region, desk: &Desk<'_, '_>) -> u32 {
    if region.last < u32::MAX {
        return region.last;
    }
    let text = desk.tree.text(region.path.as_str()).unwrap_or_default();
    u32::try_from(text.lines().count())
        .unwrap_or(u32::MAX)
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::imports_by_its_name;

    #[test]
    fn a_line_imports_a_module_by_its_own_name() {
        assert!(imports_by_its_name("\t\"encoding/json\"", "json"));
        assert!(imports_by_its_name("import json", "json"));
        assert!(imports_by_its_name("from lib import json", "json"));
        assert!(!imports_by_its_name("import toml as json", "json"));
        assert!(!imports_by_its_name("\tjson \"encoding/fastjson\"", "json"));
    }
}
