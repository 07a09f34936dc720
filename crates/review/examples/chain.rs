//! How much of what experts name in their comments the context chain shows.
//!
//! `cargo run --release -p grounds-review --features measure --example chain -- DATA REPOSITORIES [HALF]`
//!
//! DATA is the folder with `review/aacr_bench_valid.json` (else `GROUNDS_DATA`), REPOSITORIES one
//! with a bare repository `OWNER+NAME/repo` each. Names that comments give, that are defined at the
//! head in at most four places and that the diff does not show, are looked for in the items of the
//! calls that show the file of the comment. HALF is `fit` or `held`: repositories are dealt by the
//! hash of their names.

#![expect(
    clippy::print_stdout,
    clippy::use_debug,
    reason = "an example prints what it measures"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use grounds_evidence::{FileRole, SymbolKind};
use grounds_model::tokens::Tokenizer;
use grounds_repo::git::Next;
use grounds_repo::role;
use grounds_review::chain::{Packed, pack};
use grounds_review::diff::load;
use grounds_review::{Change, Diff, DiffLimits, DiffScope, PlanLimits, Prepared, Tree, prepare};
use grounds_syntax::{Parser, languages};

const BUDGETS: [u64; 4] = [500, 1_000, 1_500, 3_000];
/// Number of definitions past which a name is not asked for.
const DEFINITIONS_MAX: usize = 4;

struct Comment {
    path: String,
    note: String,
}

struct Case {
    name: String,
    repository: String,
    base: String,
    head: String,
    is_as_ended: bool,
    comments: Vec<Comment>,
}

/// A name that a comment on a file gives, with the places of its definitions.
struct Asked {
    path: String,
    name: String,
    places: Vec<(String, u32)>,
}

#[derive(Default, Clone)]
struct Sum {
    asked: [usize; 2],
    shown: [usize; 2],
    in_menu: usize,
    in_reach: usize,
    items: usize,
    items_named: usize,
    tokens: u64,
    calls: usize,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let data = arguments
        .first()
        .cloned()
        .or_else(|| std::env::var("GROUNDS_DATA").ok())
        .expect("the folder of the data");
    let repositories = PathBuf::from(arguments.get(1).expect("the folder of the repositories"));
    let half = arguments.get(2).map(String::as_str);
    let verbose = std::env::var_os("VERBOSE").is_some();
    let mut sums: BTreeMap<(&str, u64), Sum> = BTreeMap::new();
    let (mut times, mut as_ended) = (Vec::new(), 0);
    let (mut cases, mut names) = (BTreeMap::new(), BTreeMap::<&str, BTreeSet<String>>::new());
    for mut case in cases_of(Path::new(&data)) {
        let side = if hash(&case.repository).is_multiple_of(2) {
            "fit"
        } else {
            "held"
        };
        if half.is_some_and(|half| half != side) {
            continue;
        }
        let top = repositories.join(&case.repository).join("repo");
        let Some(change) = change_of(&top, &mut case) else {
            continue;
        };
        let started = Instant::now();
        let tokenizer = Tokenizer::for_model("gpt-4o");
        let prepared = prepare(&change, tokenizer, &PlanLimits::default()).expect("a plan");
        times.push(started.elapsed().as_millis());
        let asked = asked_of(
            &top,
            &case,
            &change.diff,
            prepared.tree.as_ref().expect("a tree"),
        );
        *cases.entry(side).or_insert(0) += 1;
        as_ended += usize::from(case.is_as_ended);
        names
            .entry(side)
            .or_default()
            .insert(case.repository.clone());
        for budget in BUDGETS {
            let sum = sums.entry((side, budget)).or_default();
            measure(
                &case,
                &change.diff,
                &prepared,
                &asked,
                budget,
                tokenizer,
                sum,
                verbose && budget == 1_000,
            );
        }
    }
    for (side, count) in &cases {
        println!(
            "{side}: {count} pull requests of {} repositories",
            names[side].len()
        );
    }
    println!("{as_ended} of them as they ended, since the reviewed commit was pushed over");
    for ((side, budget), sum) in &sums {
        tell(side, *budget, sum);
    }
    times.sort_unstable();
    println!(
        "milliseconds for reading, resolving and packing: median {}, worst {}",
        times[times.len() / 2],
        times[times.len() - 1]
    );
}

fn tell(side: &str, budget: u64, sum: &Sum) {
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let all = sum.asked[0] + sum.asked[1];
    let shown = sum.shown[0] + sum.shown[1];
    let rest = all - shown;
    println!(
        "{side} {budget:>5} tokens: all {:.1} % of {all}, other files {:.1} % of {}, same file {:.1} % of {}; precision {:.1} % of {} items; \
         rest in the menu {:.1} %, in a file of the chain {:.1} % of {rest}; {} tokens a call in {} calls",
        share(shown, all),
        share(sum.shown[1], sum.asked[1]),
        sum.asked[1],
        share(sum.shown[0], sum.asked[0]),
        sum.asked[0],
        share(sum.items_named, sum.items),
        sum.items,
        share(sum.in_menu, rest),
        share(sum.in_reach, rest),
        sum.tokens / sum.calls.max(1) as u64,
        sum.calls,
    );
}

fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    }) >> 17
}

fn cases_of(data: &Path) -> Vec<Case> {
    let text =
        std::fs::read_to_string(data.join("review/aacr_bench_valid.json")).expect("the comments");
    let entries: Vec<serde_json::Value> = serde_json::from_str(&text).expect("JSON");
    let text_of =
        |value: &serde_json::Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let comments = |entry: &serde_json::Value| {
        let comments = entry["comments"].as_array().cloned().unwrap_or_default();
        comments
            .iter()
            .map(|comment| Comment {
                path: text_of(comment, "path"),
                note: text_of(comment, "note"),
            })
            .collect()
    };
    let case = |entry: &serde_json::Value| {
        let address = text_of(entry, "githubPrUrl");
        let parts: Vec<&str> = address.split('/').collect();
        Case {
            name: format!("{}/{}#{}", parts[3], parts[4], parts[6]),
            repository: format!("{}+{}", parts[3], parts[4]),
            base: text_of(entry, "source_commit"),
            head: text_of(entry, "target_commit"),
            is_as_ended: false,
            comments: comments(entry),
        }
    };
    entries.iter().map(case).collect()
}

fn git(top: &Path, words: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(top)
        .args(words)
        .output()
        .ok()?;
    (output.status.success() || !output.stdout.is_empty())
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the change of a pull request, or `None` if its commits are not available.
fn change_of(top: &Path, case: &mut Case) -> Option<Change> {
    let has = |commit: &str| {
        Command::new("git")
            .arg("-C")
            .arg(top)
            .args(["cat-file", "-e", &format!("{commit}^{{commit}}")])
            .output()
            .is_ok_and(|output| output.status.success())
    };
    if !has(&case.head) {
        // The reviewed commit was replaced by a later push; the pull request as it ended is nearly
        // the same.
        let number = case.name.rsplit('#').next()?;
        case.head = git(
            top,
            &[
                "rev-parse",
                "--verify",
                "--quiet",
                &format!("refs/pull/{number}/head"),
            ],
        )?
        .trim()
        .to_owned();
        case.is_as_ended = true;
    }
    if !has(&case.base) {
        return None;
    }
    let base = git(top, &["merge-base", &case.base, &case.head])?
        .trim()
        .to_owned();
    load(
        top,
        &DiffScope::Between(base, case.head.clone()),
        &DiffLimits::default(),
    )
    .ok()
}

/// Returns the names that comments give and the diff does not show.
fn asked_of(top: &Path, case: &Case, diff: &Diff, tree: &Tree) -> Vec<Asked> {
    let given: BTreeSet<(String, String)> = case
        .comments
        .iter()
        .flat_map(|comment| {
            names_in(&comment.note)
                .into_iter()
                .map(|name| (comment.path.clone(), name))
        })
        .collect();
    let wanted: BTreeSet<&str> = given.iter().map(|(_, name)| name.as_str()).collect();
    let definitions = definitions_of(top, &case.head, tree, &wanted);
    let visible: BTreeSet<(&str, u32)> = diff
        .files
        .iter()
        .flat_map(|file| {
            file.hunks
                .iter()
                .flat_map(|hunk| &hunk.lines)
                .filter_map(|line| Some((file.path.as_str(), line.new_number?)))
        })
        .collect();
    let mut asked = Vec::new();
    for (path, name) in given {
        // The same name in another language is another thing.
        let related = definitions
            .get(&name)
            .into_iter()
            .flatten()
            .filter(|(place, _)| are_related(&path, place));
        let places: Vec<(String, u32)> = related.cloned().collect();
        if places.is_empty() || places.len() > DEFINITIONS_MAX {
            continue;
        }
        if !places
            .iter()
            .any(|(path, line)| visible.contains(&(path.as_str(), *line)))
            && diff.files.iter().any(|file| file.path == path)
        {
            asked.push(Asked { path, name, places });
        }
    }
    asked
}

/// Returns the names in the sentences of a comment: words with an underscore or with a capital
/// inside. Names in the code that a comment proposes are left out.
fn names_in(note: &str) -> BTreeSet<String> {
    // Every second piece is inside of a fence.
    let sentences: String = note.split("```").step_by(2).collect::<Vec<_>>().join(" ");
    let mut names = BTreeSet::new();
    for part in sentences.split('`') {
        for word in part.split(|mark: char| !(mark.is_alphanumeric() || mark == '_')) {
            let inside = word.get(1..).unwrap_or_default();
            let is_mixed =
                inside.chars().any(char::is_uppercase) && word.chars().any(char::is_lowercase);
            let is_name = word.len() > 2
                && word.starts_with(|first: char| first.is_alphabetic() || first == '_');
            let is_of_c = word.ends_with("_t") && (word.contains("int") || word.contains("size"));
            if is_name && !is_of_c && (is_mixed || word.contains('_')) {
                names.insert(word.to_owned());
            }
        }
    }
    names
}

/// The extensions of languages that see the names of each other.
const FAMILIES: [&[&str]; 4] = [
    &[
        "js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte",
    ],
    &["c", "h", "cc", "cpp", "hpp", "cxx", "mm", "m", "inc"],
    &["java", "kt", "scala", "groovy"],
    &["cs", "razor"],
];

fn are_related(one: &str, other: &str) -> bool {
    let ending = |path: &str| {
        path.rsplit_once('.')
            .map_or(String::new(), |(_, ending)| ending.to_owned())
    };
    let (one, other) = (ending(one), ending(other));
    one == other
        || FAMILIES
            .iter()
            .any(|family| family.contains(&one.as_str()) && family.contains(&other.as_str()))
}

/// Returns the places that define these names in the tree of a commit: every definition that the
/// grammar of its language knows, except in code of others. Local names do not count.
fn definitions_of(
    top: &Path,
    head: &str,
    tree: &Tree,
    wanted: &BTreeSet<&str>,
) -> BTreeMap<String, Vec<(String, u32)>> {
    let mut found: BTreeMap<String, Vec<(String, u32)>> = BTreeMap::new();
    if wanted.is_empty() {
        return found;
    }
    let mut words = vec!["grep", "-l", "-z", "-w", "-F", "-I"];
    wanted.iter().for_each(|name| words.extend(["-e", name]));
    words.push(head);
    let listed = git(top, &words).unwrap_or_default();
    let paths = listed
        .split('\0')
        .filter_map(|line| line.split_once(':'))
        .map(|(_, path)| path)
        .filter(|path| is_code(path));
    let files: Vec<_> = paths.filter_map(|path| tree.file(path)).collect();
    let parser = Parser::default();
    // All files are read before any is parsed, since git must finish within its timeout.
    let mut texts: Vec<(usize, Vec<u8>)> = Vec::new();
    let read = tree.each(&files, &mut |index, content| {
        let text = content.bytes().filter(|text| text.len() < 2 << 20);
        texts.extend(text.map(|text| (index, text.to_vec())));
        Next::GoOn
    });
    read.expect("files");
    for (index, text) in &texts {
        let path = &files[*index].path;
        let Some(language) = languages::of_name(path.rsplit('/').next().unwrap_or(path)) else {
            continue;
        };
        let Ok(parse) = parser.parse(language, text, &|| false) else {
            continue;
        };
        for (name, label) in parse.definitions(50_000) {
            let is_local = matches!(
                label.kind,
                Some(
                    SymbolKind::Module
                        | SymbolKind::Namespace
                        | SymbolKind::Parameter
                        | SymbolKind::TypeParameter
                )
            );
            let at = name.start;
            let name = String::from_utf8_lossy(&text[name]).into_owned();
            if wanted.contains(name.as_str()) && !is_local {
                let line = 1 + text[..at].iter().filter(|byte| **byte == b'\n').count();
                found
                    .entry(name)
                    .or_default()
                    .push((path.clone(), u32::try_from(line).unwrap_or(u32::MAX)));
            }
        }
    }
    found
}

fn is_code(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let prose = [
        ".md", ".txt", ".json", ".yaml", ".yml", ".html", ".css", ".scss", ".rst", ".svg", ".xml",
        ".snap", ".po", ".lock",
    ];
    let is_foreign = matches!(
        role::of_shown(path),
        FileRole::Vendored | FileRole::Generated | FileRole::Fixture
    );
    languages::of_name(name).is_some()
        && !is_foreign
        && !prose.iter().any(|ending| name.ends_with(ending))
}

#[expect(
    clippy::too_many_arguments,
    reason = "one measurement over all that a case has"
)]
fn measure(
    case: &Case,
    diff: &Diff,
    prepared: &Prepared,
    asked: &[Asked],
    budget: u64,
    tokenizer: Tokenizer,
    sum: &mut Sum,
    verbose: bool,
) {
    let notes: BTreeSet<String> = case
        .comments
        .iter()
        .flat_map(|comment| all_words(&comment.note))
        .collect();
    let mut calls: Vec<(BTreeSet<&str>, Packed)> = Vec::new();
    for bundle in &prepared.plan.bundles {
        let files: BTreeSet<usize> = bundle.parts.iter().map(|part| part.file).collect();
        let mut numbers: BTreeSet<(&str, u32)> = BTreeSet::new();
        for part in &bundle.parts {
            let file = &diff.files[part.file];
            numbers.extend(
                file.hunks[part.hunk].lines[part.lines.clone()]
                    .iter()
                    .filter_map(|line| Some((file.path.as_str(), line.new_number?))),
            );
        }
        let packed = pack(&prepared.chain, &files, budget, tokenizer, &|path, line| {
            numbers.contains(&(path, line))
        });
        sum.tokens += packed.tokens;
        sum.calls += 1;
        sum.items += packed.items.len();
        sum.items_named += packed
            .items
            .iter()
            .filter(|item| notes.contains(&item.name))
            .count();
        calls.push((
            files
                .iter()
                .map(|file| diff.files[*file].path.as_str())
                .collect(),
            packed,
        ));
    }
    for one in asked {
        let is_other = usize::from(!one.places.iter().any(|(path, _)| *path == one.path));
        let own = || {
            calls
                .iter()
                .filter(|(paths, _)| paths.contains(one.path.as_str()))
                .map(|(_, packed)| packed)
        };
        let holds = |path: &str, start: u32, end: u32| {
            one.places
                .iter()
                .any(|(place, line)| place == path && start <= *line && *line <= end)
        };
        let is_shown = own().any(|packed| {
            packed
                .items
                .iter()
                .any(|item| holds(&item.path, item.line_start, item.line_end))
        });
        let is_in_menu = own().any(|packed| {
            packed
                .menu
                .ranges
                .iter()
                .any(|range| holds(&range.path, range.line_start, range.line_end))
        });
        let in_chain = |path: &str| {
            diff.files.iter().any(|file| file.path == path)
                || own().any(|packed| {
                    packed.items.iter().any(|item| item.path == path)
                        || packed.menu.ranges.iter().any(|range| range.path == path)
                })
        };
        sum.asked[is_other] += 1;
        sum.shown[is_other] += usize::from(is_shown);
        sum.in_menu += usize::from(!is_shown && is_in_menu);
        sum.in_reach += usize::from(!is_shown && one.places.iter().any(|(path, _)| in_chain(path)));
        if verbose && !is_shown {
            let piece = prepared
                .chain
                .files
                .values()
                .flat_map(|file| &file.pieces)
                .any(|piece| piece.name == one.name);
            let gap = prepared
                .chain
                .files
                .values()
                .flat_map(|file| &file.gaps)
                .find(|gap| gap.name == one.name)
                .map(|gap| gap.why.clone());
            let used = prepared
                .chain
                .files
                .values()
                .any(|file| file.uses.contains(&one.name));
            println!(
                "MISS {} {} {} at {:?}: piece {piece}, used {used}, menu {is_in_menu}, gap {gap:?}",
                case.name, one.path, one.name, one.places
            );
        }
    }
}

fn all_words(note: &str) -> BTreeSet<String> {
    note.split(|mark: char| !(mark.is_alphanumeric() || mark == '_'))
        .filter(|word| word.len() > 1)
        .map(str::to_owned)
        .collect()
}
