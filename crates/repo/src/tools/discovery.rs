//! discovery: what kind of project it is. Two scans, one of the manifests and one of the names of
//! the files, which may agree or not.

use std::collections::BTreeMap;

use grounds_evidence::{
    EvidenceClass, Family, FileRole, Match, Observation, ObservationSource, QuestionTarget,
    Relation, TargetKind, WantedRelation,
};
use grounds_syntax::languages;

use crate::bench::Bench;
use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::listing;
use crate::path::RepoPath;
use crate::role;
use crate::tool::{Offer, Tool, ToolCard, ToolError, ToolRequest};

pub(super) struct Discovery;

/// Depth down to which manifests are searched.
const MANIFEST_DEPTH_MAX: usize = 3;
/// Manifests that are listed.
const MANIFESTS_MAX: usize = 20;

static CARD: ToolCard = ToolCard {
    name: "discovery",
    about: "tells the type of the project from its manifests and counts its files",
    family: Family::Manifest,
    offers: &[Offer {
        class: EvidenceClass::Discovery,
        kinds: &[],
        best: Match::FullMetadata,
        relation: Relation::Unlabelled,
        cost: 5,
    }],
    after: None,
};

/// A manifest's file name, the type of project that it shows, and the languages of such a project.
const MANIFESTS: &[(&str, &str, &[&str])] = &[
    ("Cargo.toml", "Cargo", &["Rust"]),
    ("go.mod", "Go module", &["Go"]),
    (
        "package.json",
        "npm package",
        &["JavaScript", "TypeScript", "TSX"],
    ),
    ("pyproject.toml", "Python project", &["Python"]),
    ("setup.py", "Python project", &["Python"]),
    ("setup.cfg", "Python project", &["Python"]),
    ("CMakeLists.txt", "CMake", &["C", "C++"]),
    ("meson.build", "Meson", &["C", "C++", "Rust"]),
    ("configure.ac", "Autotools", &["C", "C++"]),
    ("Makefile", "Make", &["C", "C++", "Bash", "Go"]),
    ("pom.xml", "Maven", &["Java", "Kotlin", "Scala"]),
    ("build.gradle", "Gradle", &["Java", "Kotlin", "Groovy"]),
    ("build.gradle.kts", "Gradle", &["Kotlin", "Java"]),
    ("build.sbt", "sbt", &["Scala"]),
    ("Gemfile", "Ruby project", &["Ruby"]),
    ("composer.json", "Composer", &["PHP"]),
    ("Package.swift", "Swift package", &["Swift"]),
    ("mix.exs", "Mix", &["Elixir"]),
    ("stack.yaml", "Stack", &["Haskell"]),
    ("build.zig", "Zig", &["Zig"]),
    ("Rakefile", "Ruby project", &["Ruby"]),
    ("pubspec.yaml", "Dart package", &["Dart"]),
    ("rebar.config", "Rebar", &["Erlang"]),
    ("dune-project", "Dune", &["OCaml"]),
    ("Project.toml", "Julia package", &["Julia"]),
    ("elm.json", "Elm package", &["Elm"]),
    ("DESCRIPTION", "R package", &["R"]),
];

/// Endings of manifests that are named after their project.
const MANIFEST_ENDINGS: &[(&str, &str, &[&str])] = &[
    (".csproj", ".NET project", &["C#"]),
    (".fsproj", ".NET project", &["F#"]),
    (".vbproj", ".NET project", &["Visual Basic"]),
    (".sln", ".NET project", &["C#"]),
    (".gemspec", "Ruby project", &["Ruby"]),
    (".cabal", "Cabal package", &["Haskell"]),
    (".xcodeproj", "Xcode project", &["Swift", "Objective-C"]),
    (".podspec", "CocoaPods", &["Swift", "Objective-C"]),
    (".rockspec", "LuaRocks", &["Lua"]),
];

/// Returns the manifest that a file is by its name.
fn manifest_of(
    name: &str,
) -> Option<&'static (&'static str, &'static str, &'static [&'static str])> {
    let by_name = MANIFESTS.iter().find(|(known, ..)| *known == name);
    by_name.or_else(|| {
        MANIFEST_ENDINGS
            .iter()
            .find(|(ending, ..)| name.ends_with(ending) && name.len() > ending.len())
    })
}

/// What is known of a project.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Project {
    /// The types that its manifests show, those of manifests nearest to the top first.
    pub types: Vec<&'static str>,
    /// The manifests.
    pub manifests: Vec<RepoPath>,
    /// Code files by language.
    pub languages: BTreeMap<&'static str, u64>,
    /// Files by role.
    pub roles: BTreeMap<FileRole, u64>,
    /// Whether the manifests are of the language that most files are written in.
    pub scans_agree: bool,
}

impl Tool for Discovery {
    fn card(&self) -> &'static ToolCard {
        &CARD
    }

    fn run(
        &self,
        bench: &mut Bench<'_>,
        _request: ToolRequest<'_>,
    ) -> Result<Vec<Observation>, ToolError> {
        let project = project(bench.checkout, bench.limits);
        let whole = QuestionTarget {
            text: String::new(),
            kind: TargetKind::Path,
            wanted: WantedRelation::Occurrence,
        };
        let base = CARD.observation(EvidenceClass::Discovery, &whole);
        let files: u64 = project.languages.values().sum();
        let manifest = Observation {
            found: manifest_match(&project),
            match_count: project.manifests.len() as u64,
            exact_match_count: project.types.len() as u64,
            sources: vec![ObservationSource::whole(".")],
            ..base.clone()
        };
        // Two families corroborate each other if they share a place, so the census names the tree
        // only if both scans agree.
        let place = if project.scans_agree {
            "."
        } else {
            "the names of the files"
        };
        let census = Observation {
            tool: "census",
            family: Family::Census,
            found: manifest_match(&project),
            match_count: files,
            exact_match_count: files,
            sources: vec![ObservationSource::whole(place)],
            ..base
        };
        Ok(vec![manifest, census])
    }
}

fn manifest_match(project: &Project) -> Match {
    let has_tests = project.roles.contains_key(&FileRole::Test);
    match (project.types.is_empty(), project.languages.is_empty()) {
        (true, true) => Match::Nothing,
        (true, false) => Match::ScanOutput,
        (false, false) if has_tests => Match::FullMetadata,
        (false, _) => Match::ProjectTypeKnown,
    }
}

/// Reads the names of all visible files.
pub fn project(checkout: &Checkout, limits: &Limits) -> Project {
    let mut project = Project::default();
    let mut found: Vec<(RepoPath, &'static str, &[&str])> = Vec::new();
    for (path, entry) in listing::of(checkout, limits).files(checkout) {
        let role = role::of(&path);
        *project.roles.entry(role).or_default() += 1;
        if let Some(language) =
            // Vendored and generated files do not show what a project is written in.
            languages::of_name(path.file_name()).filter(|_| role <= FileRole::Example)
        {
            *project.languages.entry(language.name).or_default() += 1;
        }
        let manifest = if entry.depth <= MANIFEST_DEPTH_MAX {
            manifest_of(path.file_name())
        } else {
            None
        };
        found.extend(manifest.map(|(_, kind, languages)| (path, *kind, *languages)));
    }
    // A manifest at the top says more than one in a folder.
    found.sort_by_key(|(path, ..)| (path.as_str().matches('/').count(), path.clone()));
    let most = project
        .languages
        .iter()
        .max_by_key(|(name, count)| (**count, std::cmp::Reverse(**name)))
        .map(|(name, _)| *name);
    project.scans_agree = most.is_some_and(|most| {
        found
            .iter()
            .any(|(_, _, languages)| languages.contains(&most))
    });
    for (path, kind, _) in found.into_iter().take(MANIFESTS_MAX) {
        if !project.types.contains(&kind) {
            project.types.push(kind);
        }
        project.manifests.push(path);
    }
    project
}
