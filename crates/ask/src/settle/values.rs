//! The value of a constant, a default or a key.

use grounds_claims::{Argument, Claim, Quantifier, Tests, names};
use grounds_evidence::{ConfidenceLevel, FileRole, Relation, SymbolKind};

use grounds_repo::labels::LabelledPlace;
use grounds_repo::role;

use super::subject::{ClaimSubject, definition_spot, resolve};
use super::{
    Desk, SettleResult, Settled, SettledSpot, Unsettled, counted, declared, described, flags,
    imports, manifest_field, parameters, parts, plain, sites, workflow,
};
use crate::understand::tree::owners;
use crate::understand::value;
use crate::words::is_in;

/// Limit on the places of one key: more of them are no answer.
const KEYS_MAX: usize = 6;

/// Decides what a value is.
pub(super) fn settle(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let text = claim.text(0).unwrap_or_default();
    if claim.kind.as_deref() == Some(workflow::KIND) {
        return workflow::settle(claim, desk);
    }
    if claim.kind.as_deref() == Some(workflow::SETTING) {
        return workflow::setting(claim, desk);
    }
    if manifest_field::is_one(claim) {
        return manifest_field::settle(claim, desk);
    }
    if let Some(flag) = flags::asked(text) {
        return flags::settle(flag, claim, desk);
    }
    if text.contains(' ') {
        return described::settle(text, claim, desk);
    }
    // `FileField.depth` may be a parameter of the constructor, which no definition has as its name.
    if let Some(settled) = of_parameter(text, claim, desk).or_else(|| entries_of(text, claim, desk))
    {
        return Ok(settled);
    }
    let subject = match resolve(text, desk) {
        Ok(subject) => subject,
        Err(unsettled) => return of_key_below(text, desk).ok_or(unsettled),
    };
    let set_here = || {
        let mut spots = assigned(&subject, desk)?;
        spots.retain(|spot| is_inside(spot, claim, desk));
        (!spots.is_empty()).then(|| set_in(text, &spots, desk))
    };
    // With an owner, the line that sets it there is more exact than definitions of the bare name.
    if subject.owner.is_some()
        && let Some(settled) = set_here()
    {
        return Ok(settled);
    }
    let found = valued(claim, &subject, desk)?;
    // A variant of C without a value counts on from the one before; its line has no number.
    if found.is_empty() && is_numbered(&subject) {
        let why = format!("`{text}` has the number of its place in the enumeration");
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    }
    let mut giving = subject
        .definitions
        .iter()
        .filter(|place| has_value(place.kind) && shows_value(place, desk));
    let is_of_tests = giving.all(sites::is_test);
    if (found.len() != 1 || is_of_tests) && claim.scope.is_everything() {
        let declared = declared::defaults(&subject, desk);
        if !declared.is_empty() {
            return Ok(set_in(text, &declared, desk));
        }
    }
    // A name that only tests define may be set in sources: `{ maxBuffer: 100 }`.
    if is_of_tests
        && claim.scope.is_everything()
        && let Some(settled) = set_here()
    {
        return Ok(settled);
    }
    let (level, because) = match found.as_slice() {
        [] => {
            let why = format!("no value of `{text}` was found");
            // A constant has the value of its definition, so no other line can give it one.
            if is_constant(&subject) {
                return Err(Unsettled::unknown(why).with(&subject.spots()));
            }
            return set_here()
                .or_else(|| by_default_constant(&subject, claim, desk))
                .ok_or_else(|| Unsettled::unknown(why).with(&subject.spots()));
        }
        [_] if is_of_tests => (ConfidenceLevel::Medium, "only tests define it"),
        [only] if !is_alone(only, &subject, desk) => (
            ConfidenceLevel::Medium,
            "another place may give it a value too",
        ),
        [_] => (ConfidenceLevel::High, ""),
        _ => (ConfidenceLevel::Medium, "it is defined in several places"),
    };
    let place = counted(found.len(), "place");
    let told = format!("The value of `{text}` is given in {place}:");
    let given = given_by(&found, desk);
    let section = desk.section(told, &[found, given].concat(), 16);
    Ok(Settled::told(None, section).at(level, because))
}

/// Counts the entries of a list for "how many formats does X try by default?", if `X.formats` is a
/// list.
fn entries_of(text: &str, claim: &Claim, desk: &Desk<'_, '_>) -> Option<Settled> {
    if claim.kind.as_deref() != Some(value::COUNT) {
        return None;
    }
    let entries = Claim {
        quantifier: Quantifier::Count,
        kind: Some("element".to_owned()),
        scope: claim.scope.clone(),
        ..Claim::new(&names::MEMBER, vec![Argument::is(text)])
    };
    parts::members(&entries, desk).ok()
}

/// Returns the one constant that is named as the default of a field without a value: `DefaultDepth`
/// of `Depth`, `DEFAULT_POOL_SIZE` of `pool_size`.
fn by_default_constant(
    subject: &ClaimSubject,
    claim: &Claim,
    desk: &Desk<'_, '_>,
) -> Option<Settled> {
    let is_one = subject.is_defined() && !subject.name.to_lowercase().contains("default");
    let spelled = spelled_as_default(&subject.name);
    let known = desk.tree.know(&spelled.each_ref().map(String::as_str));
    let is_value = |place: &&LabelledPlace| {
        has_value(place.kind) && !sites::is_test(place) && shows_value(place, desk)
    };
    let mut found = known
        .iter()
        .flat_map(|known| known.definitions())
        .filter(is_value);
    let only = found.next().filter(|_| is_one && found.next().is_none())?;
    let spot = valued_spot(only, desk);
    // A field of the same name in another type may have another default.
    let is_beside = subject
        .definitions
        .iter()
        .any(|place| place.path == only.path)
        || subject.owner.is_none() && subject.definitions.len() == 1;
    if !is_beside || !is_inside(&spot, claim, desk) {
        return None;
    }
    let told = format!("`{}` is given by `{}`:", subject.text, only.name);
    let because = "that it is the default was told by its name";
    let section = desk.section(told, &[spot], 4);
    Some(Settled::told(None, section).at(ConfidenceLevel::Medium, because))
}

/// Returns the names that the default of a name may have.
fn spelled_as_default(name: &str) -> [String; 6] {
    let words = grounds_evidence::name::words(name);
    let snake = words.join("_").to_lowercase();
    let capital = |word: &String| {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        first.to_uppercase() + rest
    };
    let pascal: String = words.iter().map(capital).collect();
    let upper = snake.to_uppercase();
    [
        format!("Default{pascal}"),
        format!("default{pascal}"),
        format!("kDefault{pascal}"),
        format!("DEFAULT_{upper}"),
        format!("{upper}_DEFAULT"),
        format!("default_{snake}"),
    ]
}

/// Reports whether all definitions are variants with numbers. In other languages a match gives a
/// variant its value.
fn is_numbered(subject: &ClaimSubject) -> bool {
    let is_variant = |place: &LabelledPlace| {
        place.kind == Some(SymbolKind::Variant) && is_in("C C++ C#", place.language)
    };
    subject.is_defined() && subject.definitions.iter().all(is_variant)
}

/// Reports whether a definition is a constant: it has the value of its definition, whatever else
/// has the name.
fn is_constant(subject: &ClaimSubject) -> bool {
    let is_one = |place: &LabelledPlace| place.kind == Some(SymbolKind::Constant);
    subject.definitions.iter().any(is_one)
}

/// Reports whether no other source and no configuration file gives the name a value.
fn is_alone(only: &SettledSpot, subject: &ClaimSubject, desk: &Desk<'_, '_>) -> bool {
    let is_other = |path: &str| path != only.path;
    let mut definitions = subject.definitions.iter().filter(|place| {
        has_value(place.kind) && !sites::is_test(place) && role::is_code(place.role, &place.path)
    });
    let is_setting = |place: &&LabelledPlace| {
        place.role == FileRole::Data && may_assign(place) && is_other(place.path.as_str())
    };
    let keys: Vec<&LabelledPlace> = subject.known.places().iter().filter(is_setting).collect();
    let gives = |place: &&LabelledPlace| {
        let line = line_of(place, desk);
        let end = place.column.saturating_sub(1) as usize + place.name.len();
        gives_value(line.get(end..).unwrap_or_default())
    };
    !definitions.any(|place| is_other(place.path.as_str())) && !keys.iter().any(gives)
}

/// Reports whether a spot is in the scope of a claim: in a file or folder, by its path. Types as a
/// scope are not seen here.
pub(super) fn is_inside(spot: &SettledSpot, claim: &Claim, desk: &Desk<'_, '_>) -> bool {
    let has = |place: &String| {
        let files = desk.tree.files_of(place);
        let is_file = files.iter().any(|file| file.as_str() == spot.path);
        let mut folders = spot.path.split('/').rev().skip(1);
        is_file
            || spot.path.starts_with(&format!("{place}/"))
            || folders.any(|folder| folder == place)
    };
    let scope = &claim.scope;
    let is_of_tests = role::of_shown(&spot.path) == FileRole::Test;
    let is_of_role = match scope.tests {
        Tests::Count => true,
        Tests::Inside => is_of_tests,
        Tests::Outside => !is_of_tests,
    };
    is_of_role
        && (scope.inside.is_empty() || scope.inside.iter().any(has))
        && !scope.outside.iter().any(has)
}

/// Returns the default of a parameter of the owner: `unsign.max_age`, or `max_age` in `unsign`.
fn of_parameter(text: &str, claim: &Claim, desk: &Desk<'_, '_>) -> Option<Settled> {
    let scoped = claim
        .scope
        .inside
        .first()
        // A path is no owner of a parameter.
        .filter(|inside| !inside.contains('/'));
    let (owner, name) = text
        .rsplit_once(['.', '#', ':'])
        .or_else(|| scoped.map(|owner| (owner.as_str(), text)))?;
    let found = parameters::defaults(owner.trim_end_matches(':'), name, desk);
    if found.is_empty() {
        return None;
    }
    let is_one = found.windows(2).all(|both| both[0].what == both[1].what);
    let (level, because) = match is_one {
        true => (ConfidenceLevel::High, ""),
        false => (
            ConfidenceLevel::Medium,
            "its definitions give different ones",
        ),
    };
    let told = format!(
        "`{name}` of `{owner}` has a default in {}:",
        counted(found.len(), "place")
    );
    let given = given_by(&found[..1], desk);
    let section = desk.section(told, &[found, given].concat(), 8);
    Some(Settled::told(None, section).at(level, because))
}

/// Returns the definitions that give a value. Without a scope, those in sources are preferred to
/// all others.
fn valued(
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<Vec<SettledSpot>, Unsettled> {
    let with_value = || {
        subject
            .definitions
            .iter()
            .filter(|place| has_value(place.kind))
    };
    let mut found: Vec<SettledSpot> = Vec::new();
    for place in with_value() {
        if shows_value(place, desk) && sites::in_scope(place, claim, subject, desk)? {
            found.push(valued_spot(place, desk));
        }
    }
    let mut sources: Vec<SettledSpot> = with_value()
        .filter(|place| matches!(place.role, FileRole::Source | FileRole::Header))
        .map(|place| valued_spot(place, desk))
        .collect();
    sources.retain(|spot| found.contains(spot));
    Ok(match claim.scope.is_everything() && !sources.is_empty() {
        true => sources,
        false => found,
    })
}

/// Returns the places at which a name is given its value.
fn set_in(text: &str, spots: &[SettledSpot], desk: &Desk<'_, '_>) -> Settled {
    let told = format!("`{text}` is set in {}:", counted(spots.len(), "place"));
    let level = match spots {
        [_] => ConfidenceLevel::High,
        _ => ConfidenceLevel::Medium,
    };
    Settled::told(None, desk.section(told, spots, 2)).at(level, "")
}

/// Reports whether a definition gives a value, and not only a name and a type.
fn shows_value(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let is_declared = matches!(
        place.kind,
        Some(
            SymbolKind::Variant
                | SymbolKind::Field
                | SymbolKind::Property
                | SymbolKind::Parameter
                | SymbolKind::Variable
        )
    );
    let line = line_of(place, desk);
    // In a block of Go constants, a line may have the name alone.
    let is_bare = place.kind == Some(SymbolKind::Constant) && line.trim() == place.name;
    !is_declared && !is_bare
        || line.trim_end().ends_with('=')
        || described::gives(place.path.as_str(), &line, &place.name)
}

/// Returns a definition, with its value in plain words if the line does not say it plainly.
fn valued_spot(place: &LabelledPlace, desk: &Desk<'_, '_>) -> SettledSpot {
    let line = line_of(place, desk);
    let said = plain::set_here(&line);
    let spot = definition_spot(place);
    if said.contains(':') {
        SettledSpot { what: said, ..spot }
    } else {
        spot
    }
}

fn line_of(place: &LabelledPlace, desk: &Desk<'_, '_>) -> String {
    let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let at = (place.line as usize).saturating_sub(1);
    text.lines().nth(at).unwrap_or_default().to_owned()
}

/// Returns the constants that give the values: `sorting = DEFAULT_SORTING`.
fn given_by(found: &[SettledSpot], desk: &Desk<'_, '_>) -> Vec<SettledSpot> {
    let constant = |spot: &SettledSpot| {
        let default = spot
            .what
            .strip_prefix("default `")
            .and_then(|rest| rest.strip_suffix('`'));
        let text = desk.tree.text(&spot.path)?;
        let line = text.lines().nth((spot.line as usize).checked_sub(1)?)?;
        let set = line.rsplit_once('=').map(|(_, value)| value.trim());
        let name = default.or(set)?.trim_end_matches([';', ',']);
        let is_name = !name.is_empty()
            && name
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == '_');
        (is_name && !is_literal(&name.to_lowercase())).then(|| name.to_owned())
    };
    let mut given = Vec::new();
    for name in found.iter().filter_map(constant) {
        let known = desk.tree.know(&[name.as_str()]);
        let mut values = known[0].definitions().filter(|place| has_value(place.kind));
        // Of several definitions nothing says which one is meant.
        if let (Some(only), None) = (values.next(), values.next()) {
            given.push(definition_spot(only));
        }
    }
    given
}

const fn has_value(kind: Option<SymbolKind>) -> bool {
    matches!(
        kind,
        Some(
            SymbolKind::Constant
                | SymbolKind::Variable
                | SymbolKind::Field
                | SymbolKind::Property
                | SymbolKind::Parameter
                | SymbolKind::Variant
                | SymbolKind::Macro
                | SymbolKind::TypeAlias
                | SymbolKind::Target
        )
    )
}

/// Reports whether a key may have its value at a place: code or settings of the project itself, and
/// no mere use or mention.
fn may_assign(place: &LabelledPlace) -> bool {
    use grounds_evidence::MentionPlace as M;
    !matches!(
        place.role,
        FileRole::Test
            | FileRole::Fixture
            | FileRole::Documentation
            | FileRole::Generated
            | FileRole::Vendored
            | FileRole::Example
            | FileRole::Backup
    ) && !matches!(
        place.relation,
        Relation::Calls
            | Relation::Imports
            | Relation::Inherits
            // Strings and data stay: `"timeout": 5` mentions the key where it has its value.
            | Relation::Mentions(M::Doc | M::Comment | M::Prose)
    )
}

/// Reports whether a place is below an owner: by indentation, as in a file of settings, or by its
/// containers.
fn belongs_to(place: &LabelledPlace, owner: &str, lines: &[&str]) -> bool {
    let at = place.line.saturating_sub(1) as usize;
    let mut above = ancestors(lines, at).into_iter();
    above.any(|line| imports::has_word(line, owner))
        || place.containers.iter().any(|container| container == owner)
}

/// Reports whether the text around a name allows it to be a key. It must not be inside a longer
/// string, or in the guard of a Rust arm (`_ if is_flat => None`).
fn may_be_key(place: &LabelledPlace, before: &str, after: &str) -> bool {
    use grounds_evidence::MentionPlace as M;
    let is_quote = |letter: char| matches!(letter, '"' | '\'' | '`');
    let is_in_text = place.relation == Relation::Mentions(M::String)
        && !(before.ends_with(is_quote) && after.starts_with(is_quote));
    let is_guard = before.contains(" if ") && after.trim_start().starts_with("=>");
    !is_in_text && !is_guard
}

/// Returns the lines that give a key its value: `limit: 2`, `VERSION_NAME=1.0`, `"node": ">=22"`,
/// `charset: str = "utf-8"`.
pub(super) fn assigned(subject: &ClaimSubject, desk: &Desk<'_, '_>) -> Option<Vec<SettledSpot>> {
    let mut spots: Vec<SettledSpot> = Vec::new();
    let owner = subject.owner.as_deref();
    for place in subject
        .known
        .places()
        .iter()
        .filter(|place| may_assign(place))
    {
        let path = place.path.as_str();
        let text = desk.tree.text(path)?;
        let lines: Vec<&str> = text.lines().collect();
        let at = place.line.saturating_sub(1) as usize;
        let Some(line) = lines.get(at) else { continue };
        let after = line
            .get(place.column.saturating_sub(1) as usize + place.name.len()..)
            .unwrap_or_default();
        let owned = owner.is_none_or(|owner| belongs_to(place, owner, &lines));
        let is_known = |spot: &SettledSpot| spot.path == path && spot.line == place.line;
        let before = line.get(..place.column.saturating_sub(1) as usize);
        // `LIMIT => 3` is the arm of a match on a constant. In these languages an arrow sets the
        // value of a key.
        let is_arm = after.trim_start().starts_with("=>")
            && is_constant(subject)
            && !is_in("PHP Ruby Perl Elixir", place.language);
        if owned
            && !is_arm
            && gives_value(after)
            && may_be_key(place, before.unwrap_or_default(), after)
            && !described::only_types(path, line, &place.name)
            && !spots.iter().any(is_known)
        {
            spots.push(SettledSpot::line(path, place.line, plain::set_here(line)));
        }
    }
    (!spots.is_empty() && spots.len() <= KEYS_MAX).then_some(spots)
}

/// Reports whether the text after a key gives it a literal.
pub(super) fn gives_value(after: &str) -> bool {
    let rest = after.trim_start_matches(['"', '\'', ']']).trim_start();
    let Some(rest) = rest
        .strip_prefix(':')
        .or_else(|| rest.strip_prefix('=').filter(|rest| !rest.starts_with('=')))
    else {
        return false;
    };
    // `: str = "utf-8"` has a type before the value.
    let value = rest
        .rsplit_once(" = ")
        .map_or(rest, |(_, value)| value)
        .trim_start_matches(['=', '>', ' '])
        .trim();
    is_literal(value)
}

pub(super) fn is_literal(value: &str) -> bool {
    let value = value.trim_end_matches([',', ';']).trim();
    let first = value.chars().next().unwrap_or(' ');
    // `60 * 1024` and `time.Second * 30` are values too, though not literals.
    let computed = value.len() < 60
        && value.chars().any(|letter| letter.is_ascii_digit())
        && !value.contains('{');
    computed
        || first.is_ascii_digit()
        || "\"'`-[{".contains(first)
        || is_in(
            "true false null None nil True False undefined",
            value.split([',', ' ', ')']).next().unwrap_or_default(),
        )
        // `Level.Calm` is a constant or variant; `Level(3)` is a call.
        || first.is_ascii_uppercase() && !value.contains('(')
}

/// Returns the lines above that a line is indented under, the nearest first, and after them the
/// heading of its section.
pub(super) fn ancestors<'t>(lines: &[&'t str], at: usize) -> Vec<&'t str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    // `[retry]` of TOML and INI heads the lines below it without indenting them.
    let section = lines[..at.min(lines.len())]
        .iter()
        .rev()
        .find(|line| line.starts_with('[') && line.trim_end().ends_with(']'));
    let mut least = lines.get(at).map_or(0, |line| indent(line));
    let mut above = Vec::new();
    for line in lines[..at.min(lines.len())].iter().rev().take(600) {
        if !line.trim().is_empty() && indent(line) < least {
            least = indent(line);
            above.push(*line);
            if least == 0 {
                break;
            }
        }
    }
    above.extend(section);
    above
}

/// Returns where a key below another one is set: `pagination.requestLimit`.
fn of_key_below(text: &str, desk: &Desk<'_, '_>) -> Option<Settled> {
    let owner = owners(text).last().map(|owner| (*owner).to_owned())?;
    let last = crate::understand::tree::last_part(text).to_owned();
    let known = desk.tree.know(&[last.as_str()]).remove(0);
    let subject = ClaimSubject {
        text: text.to_owned(),
        name: last,
        owner: Some(owner),
        definitions: Vec::new(),
        namesakes: Vec::new(),
        known,
    };
    let spots = assigned(&subject, desk)?;
    Some(set_in(text, &spots, desk))
}
