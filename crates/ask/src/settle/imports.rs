//! What a file imports, and who imports it.

use grounds_claims::{Claim, Quantifier};
use grounds_evidence::{ConfidenceLevel, Relation, SymbolKind};
use grounds_repo::labels::LabelledPlace;
use grounds_repo::path::RepoPath;

use super::brought::{Brought, brings, package_of};
use super::import_lines::{ends_as_path, import_lines, is_of_c, names_module};
use super::only::Only;
use super::parts::{one_file, one_file_in};
use super::subject::{ClaimSubject, resolve};
use super::{
    Desk, SettleResult, Settled, SettledSpot, Unsettled, absence, counted, go_package, hierarchy,
    only, origin, qualifier, sites,
};
use crate::understand::is_path;
use crate::understand::tree::last_part;
use crate::words::is_in;

/// The kind of a claim that lists what a file imports from a module or type.
pub(crate) const MEMBERS: &str = "members";

/// Decides what a file imports, or whether it imports a name.
pub(super) fn imports(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let (Some(text), wanted) = (claim.text(0), claim.text(1)) else {
        return of_imported(claim, desk);
    };
    // "Nativetypes imports compiler" names a file without its ending.
    let of_stem = desk.tree.file_of_stem(text);
    let text = of_stem.as_deref().unwrap_or(text);
    if !is_path(text, desk.tree) {
        return mixed_in(claim, text, desk);
    }
    let file = one_file(text, desk)?;
    let Some(source) = desk.tree.text(file.as_str()) else {
        return Err(Unsettled::unknown(format!("`{text}` could not be read")));
    };
    if let Some(settled) = listed(claim, file, &source, desk) {
        return settled;
    }
    // "What does a.py import from pkg?" must not be answered with all imports of a.py.
    leads_there(claim, file, text)?;
    let meant = wanted.filter(|wanted| is_path(wanted, desk.tree));
    let meant = meant.map(|wanted| one_file(wanted, desk)).transpose()?;
    let lines = lines_with(&source, file, meant, wanted);
    if lines.is_empty() {
        match meant {
            // A setting can map a package to a folder, and an import may end with the last part of
            // the name.
            Some(target) => not_mapped(&source, file, target, desk)?,
            None => not_in_part(wanted, file, &source)?,
        }
    }
    let holds = wanted.map(|_| lines.is_empty() == claim.is_negated);
    let sentence = told(text, wanted, lines.len());
    let cited = match lines.as_slice() {
        [] => vec![SettledSpot::line(file.as_str(), 1, "file")],
        _ => lines,
    };
    Ok(Settled::told(holds, desk.section(sentence, &cited, 1)))
}

/// Lists the lines that import from a folder or a module; `None` if the claim asks for neither.
fn listed(
    claim: &Claim,
    file: &RepoPath,
    source: &str,
    desk: &Desk<'_, '_>,
) -> Option<SettleResult> {
    if origin::is_asked(claim) {
        return Some(origin::listed(claim, file, source, desk));
    }
    if let Some(settled) = from_folder(claim, file, source, desk).transpose() {
        return Some(settled);
    }
    let is_of_members = claim.kind.as_deref() == Some(MEMBERS);
    let module = claim.text(1).filter(|_| is_of_members)?;
    Some(members(file, source, module, desk))
}

/// Returns the lines of a file that take something out of a module or type.
fn members(file: &RepoPath, source: &str, module: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let names_it =
        |line: &str| has_word(line, last_part(module)) || names_module(file, line, module);
    let lines = import_lines(file, source).into_iter();
    let lines: Vec<SettledSpot> = lines
        .filter(|line| names_it(&line.text))
        .map(|line| SettledSpot::line(file.as_str(), line.number, "import"))
        .collect();
    if lines.is_empty() {
        let why = format!("no import of `{}` names `{module}`", file.as_str());
        return Err(Unsettled::unknown(why));
    }
    let count = counted(lines.len(), "line");
    let told = format!("`{}` imports from `{module}` in {count}:", file.as_str());
    let because = "told by the name on the lines";
    Ok(Settled::told(None, desk.section(told, &lines, 1)).at(ConfidenceLevel::Medium, because))
}

/// Refuses to deny an import that may lead to a file through a mapping of paths.
fn not_mapped(
    source: &str,
    file: &RepoPath,
    target: &RepoPath,
    desk: &Desk<'_, '_>,
) -> Result<(), Unsettled> {
    match may_be_mapped(source, file, target, desk) {
        true => Err(Unsettled::unknown(MAPPED)),
        false => Ok(()),
    }
}

/// Refuses a place that no import was seen to lead to.
fn leads_there(claim: &Claim, file: &RepoPath, text: &str) -> Result<(), Unsettled> {
    if folder_of(claim, file).is_none() || claim.text(1).is_some() {
        return Ok(());
    }
    let why = format!("no import of `{text}` was seen that leads there");
    Err(Unsettled::unknown(why))
}

/// Limit on the files of a folder that the imports of a file are compared with.
const FOLDER_FILES_MAX: usize = 500;

/// Returns the place that imports are asked to lead to: the name of a claim, or its scope if the
/// file is not in it.
fn folder_of<'c>(claim: &'c Claim, file: &RepoPath) -> Option<&'c str> {
    let is_other = |place: &&str| {
        let place = place.trim_matches('/');
        !format!("/{}/", file.as_str()).contains(&format!("/{place}/"))
    };
    let place = match claim.scope.inside.as_slice() {
        [place] => Some(place.as_str()).filter(is_other),
        _ => None,
    };
    claim.text(1).or(place)
}

/// Returns the folder with a name, if there is only one.
fn only_folder(wanted: &str, desk: &Desk<'_, '_>) -> Option<String> {
    let folders = desk.tree.folders_of(wanted);
    let is_one = folders.len() == 1;
    folders.into_iter().next().filter(|_| is_one)
}

/// Answers "which files does a.rb require from the codecs folder?" with the lines that import a
/// file of the only folder with that name; `None` if no line does.
fn from_folder(
    claim: &Claim,
    file: &RepoPath,
    source: &str,
    desk: &Desk<'_, '_>,
) -> Result<Option<Settled>, Unsettled> {
    // Lines that lead to a folder can affirm an import, but never deny one.
    let wanted = folder_of(claim, file).filter(|_| !claim.is_negated);
    let Some(folder) = wanted.and_then(|wanted| only_folder(wanted, desk)) else {
        return Ok(None);
    };
    let inside = format!("{}/", folder.trim_end_matches('/'));
    let is_inside = |path: &&RepoPath| path.as_str().starts_with(&inside) && *path != file;
    let files: Vec<&RepoPath> = desk.tree.files.iter().filter(is_inside).collect();
    if files.len() > FOLDER_FILES_MAX {
        return Err(Unsettled::unknown(format!(
            "`{inside}` has {} files, and imports are compared with at most {FOLDER_FILES_MAX}",
            files.len()
        )));
    }
    let is_brought = |line: &str| {
        let mut all = files.iter();
        all.any(|target| brings(line, file, target) == Brought::Yes)
    };
    let lines = import_lines(file, source).into_iter();
    let lines: Vec<SettledSpot> = lines
        .filter(|line| is_brought(&line.text))
        .map(|line| SettledSpot::line(file.as_str(), line.number, "import"))
        .collect();
    let count = counted(lines.len(), "line");
    let told = format!("`{}` imports from `{inside}` in {count}:", file.as_str());
    Ok((!lines.is_empty()).then(|| {
        Settled::told(Some(true), desk.section(told, &lines, 1)).at(
            ConfidenceLevel::High,
            "each line leads to a file of that folder",
        )
    }))
}

/// Refuses a name whose last part occurs in an import line: that neither shows nor excludes an
/// import of it.
fn not_in_part(wanted: Option<&str>, file: &RepoPath, source: &str) -> Result<(), Unsettled> {
    let is_part = |name: &str| {
        let mut all = import_lines(file, source).into_iter();
        // The path of an `#include` is compared as a whole, so a part of it leaves nothing open.
        !is_of_c(file) && all.any(|line| has_word(&line.text, last_part(name)))
    };
    match wanted.is_some_and(is_part) {
        true => Err(Unsettled::unknown(
            "an import names something that ends so, and may bring it in",
        )),
        false => Ok(()),
    }
}

/// Returns the lines of a file that import the wanted file or name, or anything.
fn lines_with(
    source: &str,
    file: &RepoPath,
    meant: Option<&RepoPath>,
    wanted: Option<&str>,
) -> Vec<SettledSpot> {
    let is_wanted = |line: &str| match (meant, wanted) {
        (Some(target), _) => matches!(brings(line, file, target), Brought::Yes | Brought::Perhaps),
        (None, Some(name)) => names_module(file, line, name),
        (None, None) => true,
    };
    import_lines(file, source)
        .into_iter()
        .filter(|line| is_wanted(&line.text) && (wanted.is_some() || !line.is_module))
        .map(|line| SettledSpot::line(file.as_str(), line.number, "import"))
        .collect()
}

/// Answers "does Client include Const?", where Ruby means a mixin and not a file.
fn mixed_in(claim: &Claim, text: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let is_mixin = |place: &LabelledPlace| {
        place.language == "Ruby"
            && matches!(place.kind, Some(SymbolKind::Class | SymbolKind::Module))
    };
    let known = desk.tree.know(&[last_part(text)]).remove(0);
    if !known.definitions().any(is_mixin) {
        return Err(Unsettled::unknown(format!(
            "`{text}` is not a file of the tree"
        )));
    }
    let kind = Some(hierarchy::DIRECT.to_owned());
    hierarchy::settle(
        &Claim {
            kind,
            ..claim.clone()
        },
        desk,
    )
}

fn of_imported(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let text = claim.text(1).unwrap_or_default();
    if let Some(path) = go_package::imported_path(text, desk) {
        let found = go_package::importers(&path, desk);
        return of_lines(text, claim, (found, Vec::new(), false), true, desk);
    }
    if is_path(text, desk.tree) {
        return importers(text, claim, desk);
    }
    if let Some(file) = module_file(text, desk) {
        return importers(&file, claim, desk);
    }
    // Import lines name modules of libraries, such as `react-redux`, that the tree does not define.
    if let Some(settled) = of_module(text, claim, desk) {
        return settled;
    }
    of_known_name(text, claim, desk)
}

/// Returns the answer about the imports of a name that is no path and no module.
fn of_known_name(text: &str, claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let subject = resolve(text, desk)?;
    let found: Vec<LabelledPlace> = subject
        .known
        .places()
        .iter()
        .filter(|place| place.relation == Relation::Imports)
        .cloned()
        .collect();
    let (found, undecided) = qualifier::divide(found, &subject, desk);
    if claim.quantifier == Quantifier::Only {
        // An import that stays open may be outside, which would disprove "only".
        if !undecided.is_empty() {
            return Err(undecided_of(&subject, &sites::spots(&undecided)));
        }
        let (inside, outside) = Only::of(claim, desk)?.divide(found, &subject, desk)?;
        let subject = (&subject, "imported");
        return only::tell(
            claim,
            subject,
            &inside,
            &outside,
            ConfidenceLevel::High,
            desk,
        );
    }
    let inside = in_scope(found, claim, &subject, desk)?;
    let open = sites::spots(&in_scope(undecided, claim, &subject, desk)?);
    if inside.is_empty() && !open.is_empty() {
        return Err(undecided_of(&subject, &open));
    }
    let settled = decided(claim, &subject, &sites::spots(&inside), desk)?;
    Ok(match open.is_empty() {
        true => settled,
        false => with_open(settled, &open, desk),
    })
}

/// Returns the places in the scope of a claim.
fn in_scope(
    places: Vec<LabelledPlace>,
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<Vec<LabelledPlace>, Unsettled> {
    let mut inside = Vec::new();
    for place in places {
        if sites::in_scope(&place, claim, subject, desk)? {
            inside.push(place);
        }
    }
    Ok(inside)
}

/// Adds the imports that may be of the name too to an answer, and lowers its level.
fn with_open(mut settled: Settled, open: &[SettledSpot], desk: &Desk<'_, '_>) -> Settled {
    let told = "These may be of it too: the text does not decide it.";
    let mut section = desk.section(told, open, 1);
    section.title = "Not resolved".to_owned();
    settled.sections.push(section);
    let because = format!("{} may be of it", counted(open.len(), "other import"));
    settled.at(ConfidenceLevel::Medium, because)
}

/// Returns the refusal for imports that may mean another name with the same end.
fn undecided_of(subject: &ClaimSubject, open: &[SettledSpot]) -> Unsettled {
    let why = format!("imports may mean `{}` or a namesake", subject.text);
    Unsettled::unknown(why).with(open)
}

/// Returns the one file of Ruby or of a script that a path without its ending means: `puma/detect`,
/// `utils/signals`.
fn module_file(text: &str, desk: &Desk<'_, '_>) -> Option<String> {
    const ENDINGS: &[&str] = &[".rb", ".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs"];
    let wanted: Vec<String> = ENDINGS
        .iter()
        .map(|ending| format!("{text}{ending}"))
        .collect();
    let is_one = |file: &&RepoPath| wanted.iter().any(|end| ends_as_path(file.as_str(), end));
    let mut files = desk.tree.files.iter().filter(is_one);
    // A bare word (`signals`) is a name first, and may be that of a package.
    let one = files.next().filter(|_| text.contains('/'))?;
    files.next().is_none().then(|| one.as_str().to_owned())
}

/// Lists the imports of a module that the tree does not define; `None` if no line imports it, or if
/// only a part of the tree is asked for.
fn of_module(text: &str, claim: &Claim, desk: &Desk<'_, '_>) -> Option<SettleResult> {
    let is_whole = claim.scope.is_everything() && claim.quantifier != Quantifier::Only;
    if !is_whole || desk.tree.defines(last_part(text)) {
        return None;
    }
    let mut found = Vec::new();
    let mut skipped = desk.tree.missing().skipped.keys();
    let mut is_read_whole = !skipped.any(|reason| reason.could_matter());
    for file in &desk.tree.files {
        if grounds_syntax::languages::of_name(file.file_name()).is_none() {
            continue;
        }
        let Some(source) = desk.tree.text(file.as_str()) else {
            is_read_whole = false;
            continue;
        };
        // A plain search is cheaper than reading the import lines of every file.
        if !source.contains(last_part(text)) {
            continue;
        }
        let lines = import_lines(file, &source).into_iter();
        let lines = lines.filter(|line| names_module(file, &line.text, text));
        found.extend(lines.map(|line| SettledSpot::line(file.as_str(), line.number, "import")));
    }
    if found.is_empty() {
        return None;
    }
    let told = format!("`{text}` is imported in {}:", counted(found.len(), "line"));
    Some(
        holds_of(claim, found.len())
            .map(|holds| Settled::told(holds, desk.section(told, &found, 1)))
            .map(|settled| match is_read_whole {
                true => settled,
                false => settled.at(ConfidenceLevel::Medium, "not every file was read"),
            }),
    )
}

fn decided(
    claim: &Claim,
    subject: &ClaimSubject,
    found: &[SettledSpot],
    desk: &Desk<'_, '_>,
) -> SettleResult {
    if found.is_empty() && !claim.is_statement() {
        return Err(Unsettled::unknown(format!(
            "no import of `{}` was found",
            subject.text
        )));
    }
    let text = format!(
        "`{}` is imported in {}.",
        subject.text,
        counted(found.len(), "place")
    );
    let cited = if found.is_empty() {
        subject.spots()
    } else {
        found.to_vec()
    };
    if cited.is_empty() {
        return Err(Unsettled::unknown(format!(
            "no import of `{}` was found",
            subject.text
        )));
    }
    let holds = holds_of(claim, found.len())?;
    Ok(Settled::told(holds, desk.section(text, &cited, 1)))
}

/// Refuses a scope that is no file and no folder, as it has no imports.
fn only_places(claim: &Claim, desk: &Desk<'_, '_>) -> Result<(), Unsettled> {
    let is_place =
        |text: &String| !desk.tree.files_of(text).is_empty() || desk.tree.has_folder(text);
    let mut places = claim.scope.inside.iter().chain(&claim.scope.outside);
    places
        .find(|place| !is_place(place))
        .map_or(Ok(()), |place| {
            let why = format!("`{place}` is no file and no folder, where imports would be");
            Err(Unsettled::unknown(why))
        })
}

/// Lists the import lines that lead to a file, or could.
pub(super) fn importers(text: &str, claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let file = one_file_in(text, &claim.scope.inside, desk)?;
    let lines = looked_for(file, desk);
    // Scripts and Python modules name the file that they import, so its absence can be seen. In
    // other languages a file may be used without an import.
    of_lines(text, claim, lines, Brought::is_told_by_path(file), desk)
}

/// Answers with the lines that import a file or package: those that do, those that may, and whether
/// others could. An absence is only said if imports name the path.
fn of_lines(
    text: &str,
    claim: &Claim,
    (mut sure, maybe, is_open): (Vec<SettledSpot>, Vec<SettledSpot>, bool),
    is_told_by_path: bool,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let is_sure = maybe.is_empty();
    only_places(claim, desk)?;
    if claim.quantifier == Quantifier::Only {
        return only_importers(text, claim, (&sure, &maybe, is_open), desk);
    }
    sure.extend(maybe);
    sure.retain(|spot| super::values::is_inside(spot, claim, desk));
    let holds = holds_of(claim, sure.len())?;
    if sure.is_empty() && is_open {
        return Err(Unsettled::unknown(MAPPED));
    }
    if sure.is_empty() {
        let scope = absence::in_words(claim);
        let told = format!("no import of `{text}` was seen{scope}; a file may be used without one");
        let answer = holds.filter(|_| is_told_by_path);
        return answer.map_or_else(
            || Err(Unsettled::unknown(told.clone())),
            |holds| {
                let cited = first_files(text, desk);
                Ok(seen(
                    format!("No import{scope} leads to `{text}`."),
                    Some(holds),
                    &cited,
                    &told,
                    desk,
                ))
            },
        );
    }
    let lines = counted(sure.len(), "line");
    let told = format!(
        "`{text}` is imported in {lines}{}:",
        absence::in_words(claim)
    );
    let because = match is_sure {
        true => "imports that a program puts together are not seen",
        false => "some imports name the module alone, and may mean another file",
    };
    Ok(seen(told, holds, &sure, because, desk))
}

/// Returns the first line of the file of a path, or of the first file in the folder of a path.
fn first_files(text: &str, desk: &Desk<'_, '_>) -> Vec<SettledSpot> {
    let folders = desk.tree.folders_of(text);
    let is_there = |file: &&RepoPath| {
        let mut all = folders.iter();
        let path = file.as_str();
        all.any(|folder| {
            path.strip_prefix(folder.as_str())
                .is_some_and(|rest| rest.starts_with('/'))
        })
    };
    let named = desk.tree.files_of(text).into_iter();
    let first = named.chain(desk.tree.files.iter().filter(is_there)).take(1);
    let spot = |file: &RepoPath| SettledSpot::line(file.as_str(), 1, "file");
    first.map(spot).collect()
}

/// Decides whether all lines that import a file are in the scope of a claim.
fn only_importers(
    text: &str,
    claim: &Claim,
    (sure, maybe, is_open): (&[SettledSpot], &[SettledSpot], bool),
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let is_inside = |spot: &&SettledSpot| super::values::is_inside(spot, claim, desk);
    let (inside, outside): (Vec<&SettledSpot>, Vec<&SettledSpot>) =
        sure.iter().partition(is_inside);
    let is_so = outside.is_empty();
    // To prove "only", no import may be left that could lead to the file; one elsewhere disproves
    // it.
    if is_so && (inside.is_empty() || is_open || !maybe.iter().all(|spot| is_inside(&spot))) {
        let why = format!("other imports may lead to `{text}`");
        return Err(Unsettled::unknown(why).with(maybe));
    }
    let holds = is_so != claim.is_negated;
    let shown: Vec<SettledSpot> = if is_so { inside } else { outside }
        .into_iter()
        .cloned()
        .collect();
    let told = match is_so {
        true => format!(
            "all imports of `{text}` are{}:",
            only::in_words(claim, desk)
        ),
        false => format!("`{text}` is imported elsewhere too:"),
    };
    let word = if holds { "Yes" } else { "No" };
    let because = "imports that a program puts together are not seen";
    Ok(seen(
        format!("{word}: {told}"),
        Some(holds),
        &shown,
        because,
        desk,
    ))
}

/// Returns the sentence about a file's imports, by the number of their lines.
fn told(text: &str, wanted: Option<&str>, lines: usize) -> String {
    match (wanted, lines) {
        (Some(wanted), 0) => format!("No: `{text}` does not import `{wanted}`."),
        (Some(wanted), _) => format!("Yes: `{text}` imports `{wanted}`."),
        (None, 0) => format!("`{text}` imports nothing:"),
        (None, count) => format!("`{text}` imports in {}:", counted(count, "line")),
    }
}

/// Reports whether a file imports a module with the right name from a package that may be mapped to
/// the folder of another file.
fn may_be_mapped(source: &str, file: &RepoPath, target: &RepoPath, desk: &Desk<'_, '_>) -> bool {
    import_lines(file, source).iter().any(|line| {
        brings(&line.text, file, target) == Brought::OfPackage
            && !is_declared(package_of(&line.text), desk)
    })
}

/// Returns the lines that import a file, those that may, and whether a package may be mapped to its
/// folder.
fn looked_for(file: &RepoPath, desk: &Desk<'_, '_>) -> (Vec<SettledSpot>, Vec<SettledSpot>, bool) {
    let (mut sure, mut maybe, mut is_open) = (Vec::new(), Vec::new(), false);
    for other in desk.tree.files.iter().filter(|other| *other != file) {
        if grounds_syntax::languages::of_name(other.file_name()).is_none() {
            continue;
        }
        let source = desk.tree.text(other.as_str()).unwrap_or_default();
        for line in import_lines(other, &source) {
            let spot = SettledSpot::line(other.as_str(), line.number, "import");
            match brings(&line.text, other, file) {
                Brought::Yes => sure.push(spot),
                Brought::Perhaps => maybe.push(spot),
                // A package that a manifest declares comes from elsewhere, and is not mapped to a
                // folder here.
                Brought::OfPackage => is_open |= !is_declared(package_of(&line.text), desk),
                Brought::No => {}
            }
        }
    }
    (sure, maybe, is_open)
}

/// Reason for which a file may be imported although no import leads to it.
const MAPPED: &str =
    "an import names such a module of a package that no manifest declares; it may be this file";
/// Files that declare which packages a project takes from elsewhere.
const MANIFESTS: &str = "package.json pyproject.toml setup.py setup.cfg requirements.txt Pipfile";

/// Reports whether a manifest of the tree names a package.
fn is_declared(package: &str, desk: &Desk<'_, '_>) -> bool {
    let mut manifests = desk
        .tree
        .files
        .iter()
        .filter(|file| is_in(MANIFESTS, file.file_name()));
    manifests.any(|file| {
        let text = desk.tree.text(file.as_str()).unwrap_or_default();
        text.lines().any(|line| has_word(line, package))
    })
}

/// Returns whether a claim of imports holds for a number of them; `None` if they are listed.
fn holds_of(claim: &Claim, found: usize) -> Result<Option<bool>, Unsettled> {
    match claim.quantifier {
        Quantifier::Any => Ok(Some(found > 0)),
        Quantifier::None => Ok(Some(found == 0)),
        _ if claim.is_statement() => Err(Unsettled::unknown("this is not decided of imports")),
        _ => Ok(None),
    }
}

fn seen(
    told: String,
    holds: Option<bool>,
    cited: &[SettledSpot],
    because: &str,
    desk: &Desk<'_, '_>,
) -> Settled {
    Settled::told(holds, desk.section(told, cited, 1))
        .at(ConfidenceLevel::Medium, because.to_owned())
}

/// Reports whether a line has a word that is not a part of a longer name.
pub(super) fn has_word(line: &str, word: &str) -> bool {
    line.split(|letter: char| !(letter.is_alphanumeric() || "_-".contains(letter)))
        .any(|part| part == word)
}
