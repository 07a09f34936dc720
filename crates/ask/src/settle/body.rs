//! What a function body contains: whether it calls a name, and what it calls.

use grounds_claims::{Claim, names};
use grounds_evidence::{ConfidenceLevel, Relation};
use grounds_repo::labels::LabelledPlace;
use grounds_repo::outline;
use grounds_repo::path::RepoPath;

use super::subject::{definition_spot, resolve};
use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled, counted, sites};
use crate::understand::is_path;
use crate::understand::tree::{is_use, last_part};

/// Lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Region {
    path: RepoPath,
    first: u32,
    last: u32,
    /// The type whose methods count too, wherever they stand.
    of_type: Option<String>,
}

/// The bodies that a name or path means.
fn regions(text: &str, desk: &Desk<'_, '_>) -> Result<(Vec<Region>, Vec<SettledSpot>), Unsettled> {
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

/// The file of `mod cat;`, whose body stands there.
fn module(place: &LabelledPlace, desk: &Desk<'_, '_>) -> Option<Region> {
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
        let of_type = self
            .of_type
            .as_ref()
            .is_some_and(|name| place.containers.contains(name));
        inside || of_type
    }
}

/// Whether the body of the first calls, uses or constructs the second.
pub(super) fn contains(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let (one, other) = (
        claim.text(0).unwrap_or_default(),
        claim.text(1).unwrap_or_default(),
    );
    let (regions, spots) = regions(one, desk)?;
    let target = resolve(other, desk)?;
    // Only the files of the bodies are labelled; methods of a type can be in any file.
    let paths: Vec<&str> = regions.iter().map(|region| region.path.as_str()).collect();
    let (places, scope) = match regions.iter().all(|region| region.of_type.is_none()) {
        true => target.known.places_in(&paths),
        false => (target.known.places().to_vec(), target.known.scope()),
    };
    let of_body = |place: &LabelledPlace| regions.iter().any(|region| region.holds(place));
    // A local of the same name is another thing.
    let is_local = places
        .iter()
        .any(|place| place.relation == Relation::Binds && of_body(place));
    let inside: Vec<LabelledPlace> = places
        .into_iter()
        .filter(is_use)
        .filter(of_body)
        .filter(|place| !is_head(place, &regions))
        .collect();
    let called: Vec<LabelledPlace> = inside
        .iter()
        .filter(|place| place.relation == Relation::Calls || claim.predicate == &names::USES)
        .cloned()
        .collect();
    let (evidence, is_weak) = if called.is_empty() && is_local {
        (Vec::new(), true)
    } else if called.is_empty() {
        (inside, true)
    } else {
        (called, false)
    };
    let complete = super::absence::unread(&scope, desk).is_none();
    if evidence.is_empty() {
        if !complete {
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
        return Ok(Settled {
            holds: Some(claim.is_negated),
            sections: vec![desk.section(text, &spots, 12)],
            level,
            because: String::new(),
        });
    }
    let verb = if claim.predicate == &names::USES {
        "uses"
    } else {
        "calls"
    };
    if is_weak && claim.predicate != &names::USES {
        let text = format!("Yes: `{one}` names `{other}`, and does not call it there itself.");
        return Ok(Settled {
            holds: Some(!claim.is_negated),
            sections: vec![desk.section(text, &sites::spots(&evidence), 1)],
            level: ConfidenceLevel::Medium,
            because: "the name is handed on, not called".to_owned(),
        });
    }
    let text = format!(
        "Yes: `{one}` {verb} `{other}` in {}.",
        counted(evidence.len(), "place")
    );
    let (level, because) = if target.is_shared() {
        (
            ConfidenceLevel::Medium,
            format!("several things are called `{}`", target.name),
        )
    } else {
        (ConfidenceLevel::High, String::new())
    };
    Ok(Settled {
        holds: Some(!claim.is_negated),
        sections: vec![desk.section(text, &sites::spots(&evidence), 1)],
        level,
        because,
    })
}

/// The definition's own name on its first line is no use.
fn is_head(place: &LabelledPlace, regions: &[Region]) -> bool {
    place.relation != Relation::Calls
        && regions.iter().any(|region| {
            region.path == place.path && region.first == place.line && region.of_type.is_some()
        })
}

/// That a description of what is called was not held against it.
fn undecided(claim: &Claim) -> String {
    claim.kind.as_ref().map_or_else(String::new, |described| {
        format!(" Which of them is for \"{described}\" was not decided: all are shown.")
    })
}

/// What the body of the first calls, line by line.
pub(super) fn callees(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let text = claim.text(0).unwrap_or_default();
    let (mut regions, definition) = regions(text, desk)?;
    let inside: Vec<&RepoPath> = claim
        .scope
        .inside
        .iter()
        .flat_map(|path| desk.tree.files_of(path))
        .collect();
    if regions.iter().any(|region| inside.contains(&&region.path)) {
        regions.retain(|region| inside.contains(&&region.path));
    }
    let constructs = claim.predicate == &names::CONSTRUCTS;
    let mut found: Vec<SettledSpot> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut parsed = true;
    for region in &regions {
        let Some(calls) = outline::calls(
            desk.tree.checkout,
            &region.path,
            region.first,
            last_line(region, desk),
            &desk.tree.limits,
        ) else {
            parsed = false;
            continue;
        };
        for call in calls {
            let is_type = call.name.starts_with(|letter: char| letter.is_uppercase());
            let is_own = call.line == region.first && call.name == last_part(text);
            if constructs && !is_type || is_own {
                continue;
            }
            let shown = match &call.receiver {
                Some(receiver) => format!("{receiver}.{}", call.name),
                None => call.name.clone(),
            };
            found.push(SettledSpot::line(
                region.path.as_str(),
                call.line,
                format!("calls `{shown}`"),
            ));
            if !names.contains(&shown) {
                names.push(shown);
            }
        }
    }
    if !parsed {
        return Err(Unsettled::unknown(format!(
            "the file of `{text}` could not be parsed"
        )));
    }
    if names.is_empty() && constructs {
        let why =
            format!("`{text}` calls no type by its name, and values can be made in other ways");
        return Err(Unsettled::unknown(why).with(&definition));
    }
    if names.is_empty() && claim.kind.is_some() {
        // Which of its calls does something is asked: without any, the question means something else.
        return Err(Unsettled::unknown(format!(
            "`{text}` calls nothing, and so nothing that does this"
        ))
        .with(&definition));
    }
    let mut lines: Vec<SettledSpot> = Vec::new();
    for spot in found {
        match lines
            .iter_mut()
            .find(|known| known.path == spot.path && known.line == spot.line)
        {
            Some(known) => {
                known.what = format!("{}, {}", known.what, spot.what.trim_start_matches("calls "))
            }
            None => lines.push(spot),
        }
    }
    let shown: Vec<String> = names
        .iter()
        .take(40)
        .map(|name| format!("`{name}`"))
        .collect();
    let (sentence, cited) = if names.is_empty() {
        (format!("`{text}` calls nothing."), definition)
    } else {
        (
            format!(
                "`{text}` calls {}: {}.{}",
                counted(names.len(), "name"),
                shown.join(", "),
                undecided(claim)
            ),
            lines,
        )
    };
    let several = regions.len() > 1;
    let purpose = claim.kind.as_deref();
    // What is used or made need not be called.
    let is_part = claim.predicate != &names::CALLS;
    Ok(Settled {
        holds: None,
        sections: vec![desk.section(sentence, &cited, 1)],
        level: if several || purpose.is_some() || is_part {
            ConfidenceLevel::Medium
        } else {
            ConfidenceLevel::High
        },
        because: if let Some(purpose) = purpose {
            format!("all calls are listed; which of them is `{purpose}` is not decided")
        } else if several {
            format!(
                "`{text}` has {} definitions, and the calls of all are listed",
                regions.len()
            )
        } else if is_part {
            "only its calls are listed".to_owned()
        } else {
            String::new()
        },
    })
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
