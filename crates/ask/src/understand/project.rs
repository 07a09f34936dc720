//! Claims about the project and its history: licence, versions, environment variables,
//! what the file imports, when something came in and who wrote it.

use grounds_claims::{Argument, Claim, Predicate, Tests, names};

use super::ClauseReading;
use super::lexicon;
use super::part::{Asks, ClauseName, ReadClause};
use super::tree::QuestionTree;
use crate::settle::manifest::is_manifest;
use crate::settle::workflow::is_build_file;
use crate::words::is_in;

/// Names of languages and runtimes, with what manifests call them.
const RUNTIMES: &[(&str, &str)] = &[
    ("python", "python"),
    ("ruby", "ruby"),
    ("go", "go"),
    ("golang", "go"),
    ("node", "node"),
    ("node.js", "node"),
    ("nodejs", "node"),
    ("rust", "rust"),
    ("rustc", "rust"),
    ("php", "php"),
    ("java", "java"),
    ("jdk", "java"),
    ("kotlin", "kotlin"),
    ("typescript", "typescript"),
    ("msrv", "rust"),
    ("rust-version", "rust"),
    ("dotnet", "dotnet"),
    (".net", "dotnet"),
    ("swift", "swift"),
    ("scala", "scala"),
    ("elixir", "elixir"),
    ("npm", "npm"),
    ("cmake", "cmake"),
];

/// Reports whether a word is the name of a language or runtime.
pub(super) fn is_runtime(word: &str) -> bool {
    RUNTIMES.iter().any(|(known, _)| *known == word) || is_in("c# csharp", word)
}

/// Manifests, and the language or runtime of each.
const OF_RUNTIMES: &[(&str, &str)] = &[
    ("Cargo.toml", "rust"),
    ("go.mod", "go"),
    ("package.json", "node"),
    ("pyproject.toml", "python"),
    ("setup.cfg", "python"),
    ("setup.py", "python"),
    ("composer.json", "php"),
    ("Gemfile", "ruby"),
    ("pom.xml", "java"),
    ("build.gradle", "java"),
    ("build.gradle.kts", "java"),
    ("Package.swift", "swift"),
    ("mix.exs", "elixir"),
    ("build.sbt", "scala"),
];

/// Returns the language or runtime that a clause names, or else the one of the manifests at the top
/// of the tree. Returns `None` if these have none or several.
pub(super) fn runtime(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<&'static str> {
    let said = |at: usize| RUNTIMES.iter().find(|(word, _)| *word == part.word(at));
    if let Some((_, runtime)) = part.free().find_map(said) {
        return Some(runtime);
    }
    let is_here = |name: &str| tree.files.iter().any(|file| file.as_str() == name);
    let here = OF_RUNTIMES.iter().filter(|(name, _)| is_here(name));
    let runtimes: std::collections::BTreeSet<&str> = here.map(|(_, runtime)| *runtime).collect();
    match runtimes.len() {
        1 => runtimes.into_iter().next(),
        _ => None,
    }
}

/// Words that ask for the lowest version.
const LEAST: &str = "minimum minimal min least lowest oldest required requires require needed need needs \
    supported supports support msrv version versions run install work works gem build compile \
    accepted accepts allowed allows permitted permits declared stated specified package.json \
    earliest";

/// Returns the readings of a clause about the project as a whole.
pub(super) fn readings(part: &ReadClause, tree: &QuestionTree<'_>) -> Vec<ClauseReading> {
    let mut readings = Vec::new();
    readings.extend(dependency(part, tree));
    readings.extend(environment(part, tree));
    readings.extend(super::manifest_field::of_workflow(part, tree));
    // Only files, and what was read above, can be counted.
    if matches!(part.asks, Asks::Count | Asks::CountFiles) {
        readings.extend(files(part, tree));
        return readings;
    }
    readings.extend(super::manifest_field::reading(part, tree));
    readings.extend(license(part, tree));
    readings.extend(authors(part, tree));
    readings.extend(requires(part, tree));
    readings.extend(version(part, tree));
    readings.extend(history(part, tree));
    readings
}

/// Verbs for depending on a package.
const DEPENDS: &str = "depend depends rely relies";
/// Other words of such questions.
const OF_DEPENDENCIES: &str = "runtime direct declared declare declares third-party third party external library \
 libraries packages crates gems listed list manifest prod production dev development devdependencies require requires \
 pull pulls need needs use uses hard regular normal build";

/// Reads a question for dependencies: "what are the dependencies?", "does the project depend on
/// X?", "is X a dependency?"
fn dependency(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let nouns = words(part, "dependency dependencies deps requirements");
    let verbs = words(part, DEPENDS);
    let about: Vec<usize> = [nouns.clone(), verbs.clone(), words(part, OF_DEPENDENCIES)].concat();
    let is_free = |at: &usize| {
        let is_plain = lexicon::is_empty(part.word(*at)) || lexicon::is_asking(part.word(*at));
        let is_open = !about.contains(at) && !tree.is_project(&part.tokens[*at].text);
        is_open && (part.is_name(*at) || !is_plain)
    };
    let rest: Vec<usize> = part.free().filter(is_free).collect();
    // "Does tokio depend on log?" in tokio asks for a package, even if the tree defines `log`.
    let is_of_project = || {
        let mut tokens = part.tokens.iter();
        !verbs.is_empty() && tokens.any(|token| tree.is_project(&token.text))
    };
    let package = match rest.as_slice() {
        [] => None,
        [only] if is_of_project() || !tree.defines(&part.tokens[*only].text) => Some(*only),
        _ => return None,
    };
    let is_asked = match package {
        None => !nouns.is_empty() && part.asks != Asks::Whether,
        Some(_) => part.asks == Asks::Whether && !(nouns.is_empty() && verbs.is_empty()),
    };
    // Manifests do not always say which packages only tests need.
    let is_of_tests = part.scope.tests != Tests::Count;
    if !is_asked || is_of_tests || part.asks == Asks::When {
        return None;
    }
    let argument = package.map_or(Argument::Hole, |at| {
        Argument::is(part.tokens[at].text.clone())
    });
    let mut claim = Claim::new(&names::DEPENDENCY, vec![argument]);
    claim.is_negated = part.is_negated;
    claim.kind = kind_of_dependencies(part);
    if part.asks == Asks::Count {
        claim.quantifier = grounds_claims::Quantifier::Count;
    }
    let is_project = |at: &usize| tree.is_project(&part.tokens[*at].text);
    let project = part.free().filter(is_project);
    let used = about.into_iter().chain(package).chain(project).collect();
    Some(ClauseReading { claim, used })
}

/// Returns which dependencies are meant: for builds, for development, or the others ("no dev
/// ones"). Returns `None` if all are.
fn kind_of_dependencies(part: &ReadClause) -> Option<String> {
    if (0..part.tokens.len())
        .any(|at| part.word(at) == "build" && part.says(at + 1, "dependency dependencies deps"))
    {
        return Some("build".to_owned());
    }
    let is_dev = part.has("dev development devdependencies");
    let is_run = part.is_negated || part.has("no not without runtime production prod");
    match (is_dev, is_run) {
        (true, false) => Some("dev".to_owned()),
        (_, true) => Some("runtime".to_owned()),
        (false, false) => None,
    }
}

fn words(part: &ReadClause, list: &str) -> Vec<usize> {
    part.said(list).collect()
}

/// Verbs and registries in questions for a licence.
const OF_LICENSES: &str = "nuget npm pypi gem crate maven \
    published released distributed licensed use uses used terms state states stated says \
 declared declares";

fn license(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let stems = ["licens", "licenc"];
    let used: Vec<usize> = part
        .free()
        .filter(|at| stems.iter().any(|stem| part.word(*at).starts_with(stem)))
        .collect();
    let manifests = manifests(part, tree);
    // The tree may define `License` too, so the word itself is no other name.
    let is_other = |named: &&ClauseName| !named.at.is_some_and(|at| used.contains(&at));
    let others = part.names.iter().filter(is_other).count();
    if used.is_empty() || part.asks == Asks::Whether || others > manifests.len() {
        return None;
    }
    Some(ClauseReading {
        claim: Claim::new(&names::LICENSE, Vec::new()),
        used: [used, words(part, OF_LICENSES), manifests].concat(),
    })
}

/// Returns where a clause names a manifest of the tree by its file.
pub(super) fn manifests(part: &ReadClause, tree: &QuestionTree<'_>) -> Vec<usize> {
    let is_one = |named: &&ClauseName| {
        let files = tree.files_of(&named.text);
        named.is_path && files.iter().any(|file| is_manifest(file.as_str()))
    };
    part.names
        .iter()
        .filter(is_one)
        .filter_map(|named| named.at)
        .collect()
}

/// Reads a question for the authors of the project: "who are its authors?"
fn authors(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let mut used = words(part, "authors author maintainers maintainer");
    // "In the gemspec" names the manifest, even if the tree defines something with that name.
    let of_manifest = |at: &usize| {
        let is_in = (at - 2..*at).any(|before| part.says(before, "in"));
        is_in && !part.tokens[*at].is_code && names_manifest(part.word(*at), tree)
    };
    let of_manifest: Vec<usize> = (2..part.tokens.len()).filter(of_manifest).collect();
    let is_other = |named: &ClauseName| !named.at.is_some_and(|at| of_manifest.contains(&at));
    let fits = !used.is_empty() && !part.names.iter().any(is_other) && part.asks == Asks::Which;
    used.extend(of_manifest);
    used.extend(words(part, "given named listed"));
    fits.then(|| ClauseReading {
        claim: Claim::new(&names::AUTHORED, vec![Argument::is("."), Argument::Hole]),
        used,
    })
}

fn requires(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let at = part
        .free()
        .find(|at| RUNTIMES.iter().any(|(word, _)| *word == part.word(*at)))?;
    let least = words(
        part,
        "minimum minimal min least lowest oldest required requires require needed msrv \
            supported needs",
    );
    // A package in a folder can require another version than the project.
    let is_elsewhere = part.scope.inside.iter().any(|path| path.contains('/'));
    let manifests = manifests(part, tree);
    let is_named = part.names.len() > manifests.len();
    if least.is_empty() || part.asks == Asks::Whether || is_named || is_elsewhere {
        return None;
    }
    let (_, runtime) = RUNTIMES.iter().find(|(word, _)| *word == part.word(at))?;
    let mut used = [words(part, LEAST), manifests].concat();
    used.push(at);
    // "The gemspec" or "the pyproject": a word of a manifest's name only says where the version is.
    used.extend(
        part.free()
            .filter(|at| names_manifest(part.word(*at), tree)),
    );
    Some(ClauseReading {
        claim: Claim::new(
            &names::REQUIRES,
            vec![Argument::is(*runtime), Argument::Hole],
        ),
        used,
    })
}

/// Reports whether a word is a part of the name of a manifest at the top of the tree, or a noun for
/// one.
pub(super) fn names_manifest(word: &str, tree: &QuestionTree<'_>) -> bool {
    let is_of = |file: &&grounds_repo::path::RepoPath| {
        let name = file.file_name().to_lowercase();
        let is_top = !file.as_str().contains('/') && is_manifest(file.as_str());
        is_top && name.split('.').any(|part| part == word)
    };
    is_in(
        "manifest catalog catalogue entry toolchain engines engine",
        word,
    ) || word.len() >= 3 && tree.files.iter().any(|file| is_of(&file))
}

/// Words about versions that name no package.
const OF_VERSIONS: &str = "current latest catalog catalogue set build builds built manifest depend depends uses use \
 used required requires lock locked ship ships bundled compile compiled compiling against checkout string bump number \
 range bounds managed manages listed root top config package crate gem module library dependency asks ask names name \
 carry carries says state states declare declares declared written holds line file run runs work works \
 installed install compiles";

/// Reads a question for a version: "which okhttp version does the catalog pin?", "what is the
/// version of this project?"
fn version(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    // "In which version was f added?" asks for the history of f.
    let is_history = matches!(part.asks, Asks::Whether | Asks::When)
        || part.has("first since")
        || is_from_version(part) && !plain(part, CAME).is_empty();
    let cues = words(
        part,
        "version versions release pinned pin pins bump msrv rust-version constraint constraints range",
    );
    if cues.is_empty() || is_history || is_of_file(part, tree) {
        return None;
    }
    let rest = words_of_packages(part, cues, tree)?;
    let (target, beside) = chosen_package(part, rest, tree)?;
    // A build file pins the versions of tools, and has none of its own.
    let mut inside = part.scope.inside.iter();
    if target.is_none() && inside.any(|text| is_build_file(text)) {
        return None;
    }
    let mut claim = version_of(part, target, tree)?;
    claim.kind = (!beside.is_empty()).then(|| beside.join(" "));
    let is_file = |text: &&String| !tree.files_of(text).is_empty();
    let files = part.scope.inside.iter().filter(is_file);
    claim.scope.inside.extend(files.cloned());
    claim.scope.tests = part.scope.tests;
    let is_denial = |at: &usize| lexicon::is_negation(part.word(*at));
    let used = part.free().filter(|at| !is_denial(at)).collect();
    Some(ClauseReading { claim, used })
}

/// Returns the words of a question for a version that could name a package; `None` if it asks for
/// two versions.
fn words_of_packages(
    part: &ReadClause,
    cues: Vec<usize>,
    tree: &QuestionTree<'_>,
) -> Option<Vec<usize>> {
    let is_of_manifest = |at: &usize| names_manifest(part.word(*at), tree);
    let known = [
        cues,
        words(part, OF_VERSIONS),
        words(part, LEAST),
        manifests(part, tree),
        part.free().filter(is_of_manifest).collect(),
    ];
    let mut rest = packages(part, &known.concat(), tree);
    // A misspelled "version" would be searched for as a package.
    rest.retain(|at| !super::token::is_slip(part.word(*at), "version"));
    let is_project = |at: usize| tree.is_project(&part.tokens[at].text);
    let is_of_two = !rest.is_empty() && part.has("and") && part.free().any(is_project);
    (!is_of_two).then_some(rest)
}

/// Returns the package whose version is asked for, or none for the project itself, and the words
/// that select where it is listed. Returns `None` if the clause asks for something else.
fn chosen_package<'p>(
    part: &'p ReadClause,
    mut rest: Vec<usize>,
    tree: &QuestionTree<'_>,
) -> Option<(Option<String>, Vec<&'p str>)> {
    let qualifiers = qualifiers(part, &rest, tree);
    rest.retain(|at| !qualifiers.contains(at));
    // "Which zod version does the integration package install?"
    let is_own =
        |at: usize| tree.is_project(&part.tokens[at].text) && part.says(at + 1, "version versions");
    if (0..part.tokens.len()).any(is_own) && !rest.is_empty() {
        return None;
    }
    let (target, mut beside) = package_among(part, &rest, tree)?;
    let is_beside = |at: &&usize| target.is_none_or(|target| target.abs_diff(**at) > 1);
    beside.extend(qualifiers.iter().filter(is_beside));
    beside.sort_unstable();
    let beside: Vec<&str> = beside.into_iter().map(|at| part.word(at)).collect();
    // The required runtime is in no section of a manifest, so only "root" can select it.
    let is_of_runtime = part.free().any(|at| is_runtime(part.word(at)));
    let is_open = target.is_none() && !beside.is_empty() && !(is_of_runtime && beside == ["root"]);
    let target = target.map(|at| part.tokens[at].text.clone());
    (!is_open).then_some((target, beside))
}

/// Returns the package among some words, and the other words. Of several words exactly one must be
/// listed by a manifest.
fn package_among(
    part: &ReadClause,
    rest: &[usize],
    tree: &QuestionTree<'_>,
) -> Option<(Option<usize>, Vec<usize>)> {
    let is_package = |letter: char| letter.is_alphanumeric() || "-_.@/".contains(letter);
    let text = |at: usize| part.tokens[at].text.as_str();
    match rest {
        [] => Some((None, Vec::new())),
        [only] => text(*only)
            .chars()
            .all(is_package)
            .then(|| (Some(*only), Vec::new())),
        several if several.len() < 5 => {
            let is_listed = |at: &&usize| crate::settle::package_version::lists(text(**at), tree);
            let mut listed = several.iter().filter(is_listed);
            let package = *listed.next().filter(|_| listed.next().is_none())?;
            let others = several.iter().copied().filter(|at| *at != package);
            Some((Some(package), others.collect()))
        }
        _ => None,
    }
}

/// Words that select among the places where a package is listed.
const QUALIFIERS: &str = "lock locked lockfile lockfiles runtime production prod shipped ships ship dev development \
    devdependencies test tests testing direct indirect transitive peer optional root binary windows linux macos unix \
    darwin pypy cpython";

/// Returns where a clause says in which file, or for what purpose or system, a package is listed.
fn qualifiers(part: &ReadClause, rest: &[usize], tree: &QuestionTree<'_>) -> Vec<usize> {
    let is_purpose = |at: usize| part.says(at + 1, "dependency dependencies script");
    let is_package = |at: usize| part.says(at + 1, "package crate module");
    let is_one = |at: &usize| {
        let (at, word) = (*at, part.word(*at));
        let is_main = is_in("main library", word) && !rest.is_empty() && !part.taken[at];
        let is_own = tree.is_project(&part.tokens[at].text) && is_package(at);
        is_in(QUALIFIERS, word) && !part.is_name(at)
            || is_main
            || is_own
            || is_in("build compile", word) && is_purpose(at)
    };
    (0..part.tokens.len()).filter(is_one).collect()
}

/// Reports whether a clause names a file that is no manifest. Such a file has no version, and its
/// age is in the history.
fn is_of_file(part: &ReadClause, tree: &QuestionTree<'_>) -> bool {
    let paths = part.names.iter().filter(|named| named.is_path);
    let mut texts = paths.map(|named| &named.text).chain(&part.scope.inside);
    texts.any(|text| {
        let files = tree.files_of(text);
        let has_versions = |path: &str| is_manifest(path) || is_build_file(path);
        !files.is_empty() && !files.iter().any(|file| has_versions(file.as_str()))
    })
}

/// Returns the words of a question for a version that could name what has it: neither known words
/// of such questions nor empty ones.
fn packages(part: &ReadClause, known: &[usize], tree: &QuestionTree<'_>) -> Vec<usize> {
    let is_content = |at: &usize| {
        let word = part.word(*at);
        let is_runtime = RUNTIMES.iter().any(|(known, _)| *known == word);
        // A package can have a name that ends like an adverb.
        let is_name = part.tokens[*at].is_capital && word.ends_with("ly");
        !known.contains(at)
            && !is_runtime
            && (is_name || !lexicon::is_empty(word))
            && !lexicon::is_asking(word)
            && !tree.is_project(&part.tokens[*at].text)
    };
    let mut rest: Vec<usize> = part.free().filter(is_content).collect();
    rest.dedup_by_key(|at| part.word(*at).to_owned());
    rest
}

/// Returns a claim about the version of a package, of the runtime, or of the project itself.
fn version_of(part: &ReadClause, target: Option<String>, tree: &QuestionTree<'_>) -> Option<Claim> {
    let named = part
        .free()
        .find_map(|at| RUNTIMES.iter().find(|(word, _)| *word == part.word(at)));
    // "From which version on can I run it?" asks for the runtime of the project, without its name.
    let is_run = target.is_none() && part.has("run runs work works installed");
    let runtime = match named {
        Some((_, runtime)) => Some(*runtime),
        None if is_run => Some(runtime(part, tree)?),
        None => None,
    };
    let Some(runtime) = runtime else {
        let target = target.unwrap_or_else(|| ".".to_owned());
        return Some(Claim::new(
            &names::VERSION,
            vec![Argument::is(target), Argument::Hole],
        ));
    };
    let mut claim = Claim::new(
        &names::REQUIRES,
        vec![Argument::is(runtime), Argument::Hole],
    );
    // A word that is no place of the tree cannot be a scope.
    let is_place = |target: &String| !tree.files_of(target).is_empty() || tree.has_folder(target);
    if target.as_ref().is_some_and(|target| !is_place(target)) {
        return None;
    }
    claim.scope.inside.extend(target);
    Some(claim)
}

const VARIABLES: &str = "variable variables var vars";
/// Verbs in questions for environment variables that do not describe the variable.
const OF_VARIABLES: &str = "tells tell overrides controls sets used use says read reads supported support supports \
    honour honor respect recognised recognized exist available list understand called name";

/// Returns where a clause says that it asks for an environment variable.
pub(super) fn of_environment(part: &ReadClause) -> Option<usize> {
    part.free().find(|at| {
        let is_noun = part.says(at + 1, VARIABLES) || part.has(VARIABLES);
        part.says(*at, "environment env") && is_noun || part.says(*at, "envvar envvars")
    })
}

/// Reads a question for an environment variable: "which environment variable overrides the number
/// of columns?"
fn environment(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let at = of_environment(part)?;
    let is_code = |named: &ClauseName| named.at.is_none_or(|at| part.tokens[at].is_code);
    if part.asks == Asks::Whether || part.names.iter().any(is_code) {
        return None;
    }
    let is_content = |other: &usize| {
        let word = part.word(*other);
        let is_noun = *other == at || part.says(*other, VARIABLES);
        let is_plain = lexicon::is_empty(word) || lexicon::is_asking(word);
        !is_noun && !is_plain && !is_in(OF_VARIABLES, word) && !tree.is_project(word)
    };
    let words = part.free().filter(is_content).map(|at| part.word(at));
    let words: Vec<&str> = words.collect();
    let argument = match words.as_slice() {
        // "I want fewer workers. Which variable is it?" describes the variable in the sentence
        // before. A list of all would be no answer.
        [] if part.has_told => return None,
        [] => Argument::Hole,
        _ => Argument::is(words.join(" ")),
    };
    let claim = Claim::new(&names::ENVIRONMENT, vec![Argument::Hole, argument]);
    let is_denial = |at: &usize| lexicon::is_negation(part.word(*at));
    let used = part.free().filter(|at| !is_denial(at)).collect();
    Some(ClauseReading { claim, used })
}

/// Stems of words for being introduced.
const CAME: &str = "add ad introduc introduct come came appear includ arriv land born creat creation ship bring \
 brought debut merg exist contribut birth split origin addition";
/// Those that say so only beside a point in time.
const CAME_IN_TIME: &str = "contain have has get got in avail make made start around use import";
const WROTE: &str = "wrote write written author work contributor person blame";
const CHANGED: &str = "chang modifi modif modific touch updat edit";
const GONE: &str =
    "remov delet drop go went gone disappear vanish kill deletion thrown threw throw";
const LAST: &str = "last latest newest recent fresh";
/// Words for points in time, and for commits and releases that mark them.
const TIMES: &str = "commit commits release releases tag tags version versions first since earliest original date \
 dates day hash year history month sha id time \
 tagged long ago old most log git revision timestamp whom gem crate package onward onwards upward upwards";

/// Reads a question for the history of a name: "when was X added?", "who wrote X?", "which release
/// first had X?", "when did X change last?"
fn history(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let named = subject(part)
        .or_else(|| called_by_stem(part, tree))
        .or_else(|| gone_by_name(part))?;
    let of = |list: &str| plain(part, list);
    // "Which release" asks for a release, even if the tree defines that name.
    let is_time = |at: usize| !part.tokens[at].is_code && part.says(at, TIMES);
    if named.at.is_some_and(is_time) || part.asks == Asks::Count || asks_for_most(part) {
        return None;
    }
    let said = EventWords {
        came: of(CAME),
        wrote: wrote(part),
        changed: of(CHANGED),
        gone: of(GONE),
        last: of(LAST),
        in_time: of(CAME_IN_TIME),
    };
    let predicate = said.predicate(part)?;
    let mut used: Vec<usize> = named.at.into_iter().collect();
    let EventWords {
        came,
        wrote,
        changed,
        gone,
        last,
        in_time,
    } = said;
    used.extend([came, wrote, changed, gone, last, in_time, of(TIMES)].concat());
    used.extend(part.free().filter(|at| lexicon::is_whole(part.word(*at))));
    // In "the sunset middleware" the noun follows the name of a file.
    let is_noun = |at: &usize| part.names.is_empty() && named.at == at.checked_sub(1);
    used.extend(part.free().filter(is_noun));
    let mut claim = Claim::new(predicate, vec![Argument::is(named.text), Argument::Hole]);
    claim.kind =
        (part.has("release tag tagged") || is_from_version(part)).then(|| "release".to_owned());
    Some(ClauseReading { claim, used })
}

/// Reports whether shares are asked for: "who contributed most to X". "Most recently" asks for the
/// last change.
fn asks_for_most(part: &ReadClause) -> bool {
    let mut said = part.free().filter(|at| part.says(*at, "most"));
    said.any(|at| !part.says(at + 1, "recent recently"))
}

/// Returns the words that ask who wrote something. "Who writes X?" asks for code that sets a value.
fn wrote(part: &ReadClause) -> Vec<usize> {
    let mut words = plain(part, WROTE);
    words.retain(|at| part.word(*at) != "writes");
    words
}

/// Returns the plain words of a clause that are in a list, as they are or by their stems.
fn plain(part: &ReadClause, list: &str) -> Vec<usize> {
    // In "the header of a merge" the word after the article is a thing, and no event.
    let is_thing = |at: usize| at > 0 && part.says(at - 1, "a an");
    let is_plain = |at: &usize| !part.is_name(*at) && !part.tokens[*at].is_code && !is_thing(*at);
    // "Landed in" is one token.
    let stem = |at: usize| part.tokens[at].stem.split(' ').next().unwrap_or_default();
    let fits = |at: &usize| is_in(list, stem(*at)) || is_in(list, part.word(*at));
    part.free().filter(is_plain).filter(fits).collect()
}

/// The words of a clause for what happened.
struct EventWords {
    came: Vec<usize>,
    wrote: Vec<usize>,
    changed: Vec<usize>,
    gone: Vec<usize>,
    last: Vec<usize>,
    in_time: Vec<usize>,
}

impl EventWords {
    /// Returns what a clause asks about the history.
    fn predicate(&self, part: &ReadClause) -> Option<&'static Predicate> {
        // "X - written by?" asks for the author without a question word.
        let ends_by = part.tokens.last().is_some_and(|last| last.lower == "by");
        let is_author = ends_by || part.has("whose author whom person");
        let asks_who = is_author || part.has("who");
        let has_first = part.has("first release tag earliest tagged") || is_from_version(part);
        let has_time = has_first || part.has("commit hash date gem");
        let in_time = part.asks == Asks::When || has_time && !part.has("where");
        let is_work = !self.changed.is_empty() || !self.wrote.is_empty();
        let is_change = is_work || part.has("commit how");
        let has_come = !self.came.is_empty() || is_author && part.has("imported import");
        match () {
            // The last change comes first: "who wrote the last commit to X?" asks for a change, and
            // not for the author of X.
            () if !self.last.is_empty() && (is_change || part.has("author")) => {
                Some(&names::CHANGED)
            }
            // "Who implements Drop?" asks about a name, though `drop` is a verb of the history.
            () if part.has("implements implement implementing derives derive") => None,
            () if !self.gone.is_empty() && (in_time || asks_who) && !has_come => {
                Some(&names::REMOVED)
            }
            () if asks_who && (has_come || !self.wrote.is_empty()) => Some(&names::AUTHORED),
            () if in_time && (has_first || has_come || !self.in_time.is_empty()) => {
                Some(&names::INTRODUCED)
            }
            () => None,
        }
    }
}

/// Reports whether a clause asks since when: "as of what version", "since which version".
fn is_from_version(part: &ReadClause) -> bool {
    (2..part.tokens.len()).any(|at| {
        part.says(at, "version versions")
            && part.says(at - 1, "what which")
            && part.says(at - 2, "of since from in")
    })
}

/// Returns the one file or folder that the word before a noun names: "the sunset middleware".
fn called_by_stem(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseName> {
    const NOUNS: &str = "middleware module file adapter plugin extension format exporter formatter importer \
        parser command page helper script package folder directory handler driver backend \
        provider rule test";
    if !part.names.is_empty() {
        return None;
    }
    let before = |at: &usize| part.says(at + 1, NOUNS) && !lexicon::is_article(part.word(*at));
    let at = part.free().find(before)?;
    // "The rate-limit plugin" can be `rate_limit.py` or `_rate-limit.py`.
    let word = part.tokens[at].text.replace(['-', ' '], "_").to_lowercase();
    let is_same = |name: &str| {
        name.trim_start_matches('_')
            .replace('-', "_")
            .to_lowercase()
            == word
    };
    let files = tree.files.iter().filter(|file| {
        is_same(file.stem()) && grounds_syntax::languages::of_name(file.file_name()).is_some()
    });
    let mut paths: Vec<String> = files.map(|file| file.as_str().to_owned()).collect();
    if paths.is_empty() {
        paths.extend(tree.folders_of(&part.tokens[at].text));
    }
    match paths.as_slice() {
        [only] => Some(ClauseName::path(Some(at), only)),
        _ => None,
    }
}

/// Returns the name of something that was removed: "when was the Tab class removed?" The tree no
/// longer has it, and it is the only word with content.
fn gone_by_name(part: &ReadClause) -> Option<ClauseName> {
    if plain(part, GONE).is_empty() || !part.names.is_empty() {
        return None;
    }
    let others = [GONE, TIMES, LAST].map(|list| plain(part, list)).concat();
    let is_content = |at: &usize| {
        let word = part.word(*at);
        !others.contains(at) && !lexicon::is_empty(word) && !lexicon::is_asking(word)
    };
    let rest: Vec<usize> = part.free().filter(is_content).collect();
    let [only] = rest.as_slice() else {
        return None;
    };
    Some(ClauseName::symbol(Some(*only), &part.tokens[*only].text))
}

/// Returns the subject of a question about the history: the one name, the one place, or what was
/// named before.
fn subject(part: &ReadClause) -> Option<ClauseName> {
    let mut named = part.names.iter();
    match (named.next(), named.next()) {
        (Some(only), None) => return Some(only.clone()),
        (Some(_), Some(_)) => return None,
        (None, _) => {}
    }
    if let [only] = part.scope.inside.as_slice() {
        return Some(ClauseName::path(None, only));
    }
    if part.has("it its that") {
        return part.context.last().cloned();
    }
    None
}

/// Returns the folder at the top of the tree that "in tests" means in a count of files.
fn folder_of_tests(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<String> {
    let is_folder = |at: &usize| {
        let text = part.tokens[*at].text.trim_end_matches('/');
        let is_in = *at > 0 && part.says(at - 1, "in inside under within below");
        let is_top = || tree.folders_of(text).contains(text);
        lexicon::is_test(&text.to_lowercase()) && is_in && is_top()
    };
    let at = (0..part.tokens.len()).find(is_folder)?;
    (part.scope.tests == Tests::Inside).then(|| part.tokens[at].text.clone())
}

/// Words for being in a folder.
const OF_FOLDERS: &str = "live lives sit sits reside modules packages files folders directories contain contains \
    hold holds make makes up";

/// Returns the first place that a clause names.
fn path_said(part: &ReadClause) -> Option<String> {
    part.scope.inside.first().cloned().or_else(|| {
        let mut names = part.names.iter();
        let path = names.find(|named| named.is_path)?;
        Some(path.text.clone())
    })
}

/// Reads a count of files or folders: "how many files are there in X?", "how many modules live
/// under X?"
fn files(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let kind = part.free().find_map(|at| match part.word(at) {
        "files" | "file" => Some(("file", at)),
        "folders" | "directories" | "subfolders" | "subdirectories" => Some(("folder", at)),
        _ => None,
    })?;
    let path = path_said(part).or_else(|| folder_of_tests(part, tree))?;
    if !tree.has_folder(&path) || part.names.iter().any(|named| !named.is_path) {
        return None;
    }
    let mut claim = Claim::new(&names::MEMBER, vec![Argument::is(path)]);
    claim.quantifier = grounds_claims::Quantifier::Count;
    let of_tests = (kind.1.checked_sub(1)).filter(|at| lexicon::is_test(part.word(*at)));
    let written = written_in(part, kind.1).filter(|_| kind.0 == "file" && of_tests.is_none());
    let which = written.as_ref().map(|(_, of)| of.as_str());
    let which = which.or(of_tests.map(|_| "test"));
    claim.kind = Some(which.map_or(kind.0.to_owned(), |which| format!("{which} {}", kind.0)));
    let mut used = words(part, OF_FOLDERS);
    used.push(kind.1);
    used.extend(of_tests);
    used.extend(written.into_iter().flat_map(|(at, _)| at..kind.1));
    used.extend(part.names.iter().filter_map(|named| named.at));
    Some(ClauseReading { claim, used })
}

/// Returns the language or ending that the words before a noun for files give: "how many .rs
/// files", "Rust source files".
fn written_in(part: &ReadClause, noun: usize) -> Option<(usize, String)> {
    let before = noun.checked_sub(1)?;
    let is_source = part.says(before, "source code") && before > 0;
    let at = before - usize::from(is_source);
    // "*.rs" is written like a pattern.
    let text = part.tokens[at].text.trim_start_matches('*');
    let is_word = |ending: &str| !ending.is_empty() && ending.chars().all(char::is_alphanumeric);
    if let Some(ending) = text.strip_prefix('.').filter(|ending| is_word(ending)) {
        return Some((at, format!(".{}", ending.to_lowercase())));
    }
    let mut languages = grounds_syntax::languages::ALL.iter();
    let language = languages.find(|language| language.name.eq_ignore_ascii_case(text))?;
    // The ending of a header does not tell C from C++.
    (!is_in("C C++", language.name)).then(|| (at, language.name.to_owned()))
}
