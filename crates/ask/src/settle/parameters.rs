//! Decides which parameters a function or a constructor takes, and their defaults.

mod head;

use grounds_claims::{Claim, Quantifier};
use grounds_evidence::SymbolKind;
use grounds_repo::labels::LabelledPlace;
use grounds_syntax::languages;

use super::subject::resolve;
use super::{
    Desk, SettleResult, Settled, SettledSpot, Unsettled, counted, imports, sites, verdict,
};
use crate::understand::is_callable;
use crate::words::is_in;
use head::{Parameter, ParameterList};

/// Names of functions that construct a type, by language; elsewhere they have the type's own name.
const CONSTRUCTORS: &[(&str, &[&str])] = &[
    ("Python", &["__init__", "__new__"]),
    ("JavaScript", &["constructor"]),
    ("TypeScript", &["constructor"]),
    ("TSX", &["constructor"]),
    ("Ruby", &["initialize"]),
    ("PHP", &["__construct"]),
    ("Rust", &["new"]),
];

/// Names of parameters that hold options: the head does not say which keys they have.
const OPEN: &str =
    "options option opts opt config kwargs args params props settings context init arguments";

/// A definition and the parameters of its head; `None` if the head cannot be read.
struct Taking {
    place: LabelledPlace,
    list: Option<ParameterList>,
}

/// Decides whether a function takes a parameter, which ones it takes, or how many.
pub(super) fn settle(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let owner = claim.text(0).unwrap_or_default();
    let taking = of_owner(owner, desk)?;
    match claim.text(1) {
        Some(name) => takes(claim, owner, name, &taking, desk),
        None => all_of(claim, owner, &taking, desk),
    }
}

/// Returns where a parameter gets a default, with the default; empty if no definition gives one.
pub(super) fn defaults(owner: &str, name: &str, desk: &Desk<'_, '_>) -> Vec<SettledSpot> {
    let taking = of_owner(owner, desk).unwrap_or_default();
    let given = taking.iter().filter_map(|one| {
        let parameter = one.list.as_ref()?.find(name)?;
        let value = parameter.default.as_deref()?;
        // The stub of an overload (`depth=...`) shows that there is a default, but not which.
        (value != "...").then(|| spot(one, parameter, format!("default `{value}`"), desk))
    });
    given.collect()
}

/// Returns the functions that a name means: itself, or the constructors of the type.
fn of_owner(owner: &str, desk: &Desk<'_, '_>) -> Result<Vec<Taking>, Unsettled> {
    let subject = resolve(owner, desk)?;
    let mut places: Vec<LabelledPlace> = subject.definitions.clone();
    if let Some(constructed) = places.iter().find(|place| is_type(place.kind)) {
        let made = constructors(constructed.path.file_name())
            .iter()
            .filter_map(|name| resolve(&format!("{owner}.{name}"), desk).ok())
            .flat_map(|constructor| constructor.definitions);
        let made: Vec<LabelledPlace> = made.collect();
        // Java and C# name a constructor like its type, so it is among the definitions already.
        if made.is_empty() {
            places.retain(|place| place.kind == Some(SymbolKind::Constructor));
        } else {
            places = made;
        }
    }
    places.retain(|place| is_callable(place.kind));
    if places.iter().any(|place| !sites::is_test(place)) {
        places.retain(|place| !sites::is_test(place));
    }
    if places.is_empty() {
        let why = format!("no head of `{owner}` that takes parameters was found");
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    }
    Ok(places.into_iter().map(|place| read(place, desk)).collect())
}

/// Returns the names of constructors in the language of a file.
fn constructors(file_name: &str) -> &'static [&'static str] {
    let language = languages::of_name(file_name).map_or("", |language| language.name);
    let of_it = CONSTRUCTORS.iter().find(|(name, _)| *name == language);
    of_it.map_or(&[], |(_, names)| names)
}

fn read(place: LabelledPlace, desk: &Desk<'_, '_>) -> Taking {
    let path = place.path.as_str();
    let text = desk.tree.text(path).unwrap_or_default();
    let (first, last) = (place.line, place.line_end.max(place.line));
    let lines = (1_u32..).zip(text.lines());
    let of_it = lines.filter(|(number, _)| (first..=last).contains(number));
    let head = head::without_comments(of_it.map(|(_, line)| line), path);
    let list = ParameterList::read(&head, &place.name, path);
    Taking { place, list }
}

fn takes(
    claim: &Claim,
    owner: &str,
    name: &str,
    taking: &[Taking],
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let found: Vec<SettledSpot> = taking
        .iter()
        .filter_map(|one| {
            let parameter = one.list.as_ref()?.find(name)?;
            Some(spot(one, parameter, parameter.told(), desk))
        })
        .collect();
    if !found.is_empty() {
        let holds = !claim.is_negated;
        // Overloads may differ, so the answer says how many of them take it.
        let told = match found.len() == taking.len() {
            true => format!("{}`{owner}` takes `{name}`:", verdict(Some(holds))),
            false => format!(
                "{}`{owner}` takes `{name}` in {} of {}:",
                verdict(Some(holds)),
                found.len(),
                counted(taking.len(), "definition")
            ),
        };
        let section = desk.section(told, &found, 8);
        return Ok(Settled::told(Some(holds), section));
    }
    let heads = heads(taking);
    // A head with `**kwargs` or an `options` object may take more than it names.
    let is_read = taking
        .iter()
        .all(|one| one.list.as_ref().is_some_and(is_closed));
    if !is_read {
        let why = format!("the head of `{owner}` does not say whether it takes `{name}`");
        return Err(Unsettled::unknown(why).with(&heads));
    }
    let holds = claim.is_negated;
    let told = format!("{}`{owner}` takes no `{name}`:", verdict(Some(holds)));
    Ok(Settled::told(Some(holds), desk.section(told, &heads, 8)))
}

/// Reports whether a head gives all parameters: nothing collects further arguments, and no
/// parameter holds options.
fn is_closed(list: &ParameterList) -> bool {
    let opens = |one: &Parameter| one.is_rest || is_in(OPEN, &one.name.to_lowercase());
    !list.parameters.iter().any(opens)
}

fn all_of(claim: &Claim, owner: &str, taking: &[Taking], desk: &Desk<'_, '_>) -> SettleResult {
    let heads = heads(taking);
    let refused = |why: String| Err(Unsettled::unknown(why).with(&heads));
    let lists = taking.iter().map(|one| one.list.as_ref());
    let Some(lists) = lists.collect::<Option<Vec<_>>>() else {
        return refused(format!("a head of `{owner}` could not be read"));
    };
    // Overloads have no number of parameters in common, so they are only listed.
    let [list] = lists.as_slice() else {
        let count = counted(taking.len(), "definition");
        if claim.quantifier != Quantifier::Some {
            return refused(format!("`{owner}` has {count}"));
        }
        let told = format!("What `{owner}` takes, by the heads of its {count}:");
        return Ok(Settled::told(None, desk.section(told, &heads, 8)));
    };
    let number = list.parameters.len();
    let holds = match claim.quantifier {
        Quantifier::Some | Quantifier::Count => None,
        Quantifier::CountFiles | Quantifier::Only => {
            return refused("this is not decided of parameters".to_owned());
        }
        other => Some(other.holds_for(number) != claim.is_negated),
    };
    let told = format!(
        "{}`{owner}` takes {}{}",
        verdict(holds),
        counted(number, "parameter"),
        in_words(list)
    );
    Ok(Settled::told(holds, desk.section(told, &heads, 8)))
}

/// ": `depth`, `deep = false`."
fn in_words(list: &ParameterList) -> String {
    let told: Vec<String> = list.parameters.iter().map(Parameter::told).collect();
    match told.is_empty() {
        true => ".".to_owned(),
        false => format!(": {}.", told.join(", ")),
    }
}

fn heads(taking: &[Taking]) -> Vec<SettledSpot> {
    let of = |one: &Taking| SettledSpot::line(one.place.path.as_str(), one.place.line, "head");
    taking.iter().map(of).collect()
}

/// Returns the line with a parameter.
fn spot(one: &Taking, parameter: &Parameter, told: String, desk: &Desk<'_, '_>) -> SettledSpot {
    let path = one.place.path.as_str();
    let text = desk.tree.text(path).unwrap_or_default();
    let last = one.place.line_end.max(one.place.line);
    let stands = |(_, line): &(u32, &str)| imports::has_word(line, &parameter.name);
    let line = (1_u32..)
        .zip(text.lines())
        .skip_while(|(number, _)| *number < one.place.line)
        .take_while(|(number, _)| *number <= last)
        .find(stands);
    let line = line.map_or(one.place.line, |(number, _)| number);
    SettledSpot::line(path, line, told)
}

fn is_type(kind: Option<SymbolKind>) -> bool {
    use SymbolKind::{Class, Enum, Struct};
    matches!(kind, Some(Class | Struct | Enum))
}
