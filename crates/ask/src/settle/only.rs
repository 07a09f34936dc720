//! Reads what "only" claims, and within which scope: "under lib, watch.js is the only file that
//! imports it".

use grounds_claims::{Claim, Tests};
use grounds_evidence::ConfidenceLevel;
use grounds_repo::labels::LabelledPlace;

use super::subject::ClaimSubject;
use super::{Desk, SettleResult, Settled, Unsettled, absence, counted, sites};
use crate::understand::is_path;
use crate::understand::tree::last_part;

/// A claim of "only" in two parts: the alleged places, and the scope in which nothing else may be.
pub(super) struct Only {
    alleged: Claim,
    around: Claim,
}

impl Only {
    /// Splits the scopes of a claim: a scope inside another one is alleged, and the outer one
    /// limits it.
    pub(super) fn of(claim: &Claim, desk: &Desk<'_, '_>) -> Result<Self, Unsettled> {
        let texts = &claim.scope.inside;
        let holds_another =
            |outer: &&String| texts.iter().any(|inner| is_around(outer, inner, desk));
        let (around, alleged): (Vec<&String>, Vec<&String>) = texts.iter().partition(holds_another);
        let paths = alleged.iter().filter(|text| is_path(text, desk.tree));
        // Of a file and a type, either may be the alleged place.
        if around.is_empty() && ![0, alleged.len()].contains(&paths.count()) {
            return Err(Unsettled::unknown(
                "two scopes are named, and which of them is alleged is not decided",
            ));
        }
        let within = |texts: Vec<&String>| {
            let mut claim = claim.clone();
            claim.scope.inside = texts.into_iter().cloned().collect();
            claim
        };
        let mut around = within(around);
        // "Only in tests" alleges the tests; "tests aside" leaves them out of both parts.
        if around.scope.tests == Tests::Inside {
            around.scope.tests = Tests::Count;
        }
        Ok(Self {
            alleged: within(alleged),
            around,
        })
    }

    /// Returns the claim over the alleged places, and the one over the scope in which nothing else
    /// may be.
    pub(super) const fn claims(&self) -> (&Claim, &Claim) {
        (&self.alleged, &self.around)
    }

    /// Divides places into the alleged ones, and those elsewhere that count against the claim.
    pub(super) fn divide(
        &self,
        places: Vec<LabelledPlace>,
        subject: &ClaimSubject,
        desk: &Desk<'_, '_>,
    ) -> Result<(Vec<LabelledPlace>, Vec<LabelledPlace>), Unsettled> {
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for place in places {
            if is_own(&place, subject) || !sites::in_scope(&place, &self.around, subject, desk)? {
                continue;
            }
            match sites::in_scope(&place, &self.alleged, subject, desk)? {
                true => inside.push(place),
                false => outside.push(place),
            }
        }
        Ok((inside, outside))
    }
}

/// Returns where all places are, in words: " in `store` in `src`".
pub(super) fn in_words(claim: &Claim, desk: &Desk<'_, '_>) -> String {
    match Only::of(claim, desk) {
        Ok(only) => absence::in_words_within(&only.alleged, &only.around.scope.inside),
        Err(_) => absence::in_words(claim),
    }
}

/// Reports whether a place is in the definition of the name itself, or in its members beside it. A
/// name that only calls itself is used by nobody.
pub(super) fn is_own(place: &LabelledPlace, subject: &ClaimSubject) -> bool {
    let is_tested = subject.definitions.iter().any(|one| !sites::is_test(one));
    subject.definitions.iter().any(|definition| {
        // A test with the name of the tested thing is a use of it.
        let is_other = is_tested && sites::is_test(definition);
        let lines = definition.line..=definition.line_end.max(definition.line);
        let is_member = place.containers.contains(&subject.name);
        !is_other && definition.path == place.path && (lines.contains(&place.line) || is_member)
    })
}

/// Reports whether one scope is a folder that contains all of another one.
fn is_around(outer: &str, inner: &str, desk: &Desk<'_, '_>) -> bool {
    let folders = desk.tree.folders_of(outer);
    let is_below = |path: &str| {
        folders.iter().any(|folder| {
            let rest = path.strip_prefix(folder.as_str());
            rest.is_some_and(|rest| rest.starts_with('/'))
        })
    };
    if outer == inner || folders.is_empty() {
        return false;
    }
    let inner_folders = desk.tree.folders_of(inner);
    // "Within lib, is it only in adapters?" alleges the folders of the name below `lib`, whatever
    // others there are.
    if inner_folders.iter().any(|folder| is_below(folder)) {
        let is_above = |folder: &String| {
            let of_inner = |one: &String| folder.starts_with(&format!("{one}/"));
            inner_folders.iter().any(of_inner)
        };
        return !folders.iter().any(is_above);
    }
    let mut paths: Vec<String> = inner_folders.into_iter().collect();
    let files = desk.tree.files_of(inner);
    // "Within lib, is it only a.rs?" alleges the files of the name below `lib` as well.
    if files.iter().any(|file| is_below(file.as_str())) {
        return true;
    }
    paths.extend(files.iter().map(|file| file.as_str().to_owned()));
    // A type is inside of a folder if all of its definitions are.
    if paths.is_empty() {
        let known = desk.tree.know(&[last_part(inner)]).remove(0);
        paths.extend(
            known
                .definitions()
                .map(|place| place.path.as_str().to_owned()),
        );
    }
    !paths.is_empty() && paths.iter().all(|path| is_below(path))
}

/// Answers whether all places are where the claim alleges, for imports, raised errors and the like.
pub(super) fn tell(
    claim: &Claim,
    (subject, verb): (&ClaimSubject, &str),
    inside: &[LabelledPlace],
    outside: &[LabelledPlace],
    level: ConfidenceLevel,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let name = &subject.text;
    if inside.is_empty() && outside.is_empty() {
        let why = format!("no place was seen where `{name}` is {verb}");
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    }
    let is_so = outside.is_empty();
    // To prove "only", every file has to be read; one place elsewhere disproves it.
    if is_so {
        absence::covered(subject, desk)?;
    }
    let holds = is_so != claim.is_negated;
    let word = if holds { "Yes" } else { "No" };
    let (told, shown) = match is_so {
        true => {
            let places = counted(inside.len(), "place");
            let scope = in_words(claim, desk);
            (
                format!("`{name}` is {verb} in {places}, all of them{scope}."),
                inside,
            )
        }
        false => (format!("`{name}` is {verb} elsewhere too."), outside),
    };
    Ok(Settled::told(
        Some(holds),
        desk.section(format!("{word}: {told}"), &sites::spots(shown), 1),
    )
    .at(
        level,
        match level {
            ConfidenceLevel::High => String::new(),
            _ => "decided by the words of the lines".to_owned(),
        },
    ))
}
