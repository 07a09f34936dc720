//! Holds the verdicts on uses of members against a compiler's index:
//! `cargo run -p grounds-repo --features measure --example relations -- TREE INDEX N SEED [each|-] [FOLDER]`.
//!
//! Samples N methods that the index sees used, and prints the precision of what is resolved, the recall of what is
//! resolved or open, and the share that is open. With `each`, one line a method and every difference. With a FOLDER, only
//! uses in it count: an index may not see what tests import.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use grounds_evidence::Relation;
use grounds_repo::checkout::Checkout;
use grounds_repo::index::listing::{self, ListedOccurrence};
use grounds_repo::labels::LabelledPlace;
use grounds_repo::limits::Limits;
use grounds_repo::needles::OccurrenceForm;
use grounds_repo::path::RepoPath;
use grounds_repo::relations::{self, MemberVerdict};
use grounds_repo::role;
use grounds_syntax::languages;

type Spot = (String, u32);

/// A method with its places.
#[derive(Default)]
struct Method {
    owner: String,
    name: String,
    defined: Vec<Spot>,
    used: BTreeSet<Spot>,
}

#[derive(Default)]
struct Sums {
    methods: usize,
    answered: usize,
    resolved: usize,
    right: usize,
    gold: usize,
    covered: usize,
    open: usize,
    millis: u128,
}

#[expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a tool for those who measure"
)]
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (tree, index) = (PathBuf::from(&args[0]), PathBuf::from(&args[1]));
    let (count, seed): (usize, u64) = (args[2].parse().unwrap(), args[3].parse().unwrap());
    let is_each = args.get(4).is_some_and(|word| word == "each");
    let folder = args.get(5).cloned().unwrap_or_default();
    let checkout = Checkout::open(&tree).unwrap();
    let limits = Limits::default();
    let listed = listing::all(&index, &limits).unwrap();
    let mut texts = BTreeMap::new();
    let listed: Vec<ListedOccurrence> = listed
        .into_iter()
        .filter(|one| one.path.starts_with(&folder) && is_itself(checkout.root(), one, &mut texts))
        .collect();
    let indexed: BTreeSet<String> = listed.iter().map(|one| one.path.clone()).collect();
    let methods = methods(&listed, checkout.root());
    println!("{} methods with uses in the index", methods.len());
    let mut sums = Sums::default();
    for method in sample(&methods, count, seed) {
        let (lines, text) = look(&checkout, &limits, method, &indexed, &mut sums);
        if is_each {
            println!("{text}");
            lines.iter().for_each(|line| println!("    {line}"));
        }
    }
    let part = |one: usize, of: usize| 100.0 * one as f64 / of.max(1) as f64;
    println!(
        "methods {}, with a resolved use {}; resolved {} of which right {} ({:.1} %); in the index {}, resolved or open {} ({:.1} %), resolved {} ({:.1} %); open {}; {} ms a method",
        sums.methods,
        sums.answered,
        sums.resolved,
        sums.right,
        part(sums.right, sums.resolved),
        sums.gold,
        sums.covered,
        part(sums.covered, sums.gold),
        sums.right,
        part(sums.right, sums.gold),
        sums.open,
        sums.millis / sums.methods.max(1) as u128
    );
}

/// Whether no link leads to its file, and its line is no definition of another overload.
fn is_itself(
    root: &Path,
    one: &ListedOccurrence,
    texts: &mut BTreeMap<String, Option<String>>,
) -> bool {
    let text = texts.entry(one.path.clone()).or_insert_with(|| {
        let path = root.join(&one.path);
        let is_there = path.canonicalize().is_ok_and(|real| real == path);
        is_there
            .then(|| std::fs::read_to_string(&path).ok())
            .flatten()
    });
    let Some(text) = text else { return false };
    let Some((_, name)) = listing::method_of(&one.symbol).filter(|_| !one.is_definition) else {
        return true;
    };
    let line = text.lines().nth(one.line as usize - 1).unwrap_or_default();
    !line.contains(&format!("def {name}("))
}

/// The methods that are defined in files of the tree and used somewhere.
fn methods(listed: &[ListedOccurrence], root: &Path) -> Vec<Method> {
    let mut methods: BTreeMap<&str, Method> = BTreeMap::new();
    for one in listed {
        let Some((owner, name)) = listing::method_of(&one.symbol) else {
            continue;
        };
        let is_private = name.starts_with(['_', '#', '<']) || owner.is_empty();
        if is_private || one.length as usize != name.chars().count() {
            continue;
        }
        let method = methods.entry(&one.symbol).or_default();
        (method.owner, method.name) = (owner, name);
        let spot = (one.path.clone(), one.line);
        if one.is_definition {
            method.defined.push(spot);
        } else {
            method.used.insert(spot);
        }
    }
    let is_test = |path: &str| {
        path.split('/')
            .any(|part| part.starts_with("test") || part.ends_with("_test.go"))
    };
    methods
        .into_values()
        .filter(|method| {
            !method.used.is_empty()
                && !method.defined.is_empty()
                && method
                    .defined
                    .iter()
                    .all(|(path, _)| !is_test(path) && root.join(path).is_file())
        })
        .collect()
}

fn sample(methods: &[Method], count: usize, seed: u64) -> Vec<&Method> {
    let mut all: Vec<&Method> = methods.iter().collect();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut chosen = Vec::new();
    while chosen.len() < count && !all.is_empty() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        chosen.push(all.swap_remove((state % all.len() as u64) as usize));
    }
    chosen
}

fn look(
    checkout: &Checkout,
    limits: &Limits,
    method: &Method,
    indexed: &BTreeSet<String>,
    sums: &mut Sums,
) -> (Vec<String>, String) {
    let places: Vec<LabelledPlace> = method.defined.iter().filter_map(place).collect();
    let definitions: Vec<&LabelledPlace> = places.iter().collect();
    let start = std::time::Instant::now();
    let decided = relations::decide(checkout, &method.name, &definitions, limits);
    sums.millis += start.elapsed().as_millis();
    let mut by_verdict: BTreeMap<MemberVerdict, BTreeMap<Spot, String>> = BTreeMap::new();
    for ((path, line, _), decided) in decided.unwrap_or_default().sites {
        let spot = (path, line);
        if indexed.contains(&spot.0) && !method.defined.contains(&spot) {
            by_verdict
                .entry(decided.verdict)
                .or_default()
                .insert(spot, decided.reason);
        }
    }
    let of = |verdict| by_verdict.get(&verdict).cloned().unwrap_or_default();
    let (own, open, others) = (
        of(MemberVerdict::ResolvedToIt),
        of(MemberVerdict::Open),
        of(MemberVerdict::ResolvedToAnother),
    );
    let mut lines = Vec::new();
    for (spot, why) in own.iter().filter(|(spot, _)| !method.used.contains(spot)) {
        lines.push(format!("wrong   {}:{} {why}", spot.0, spot.1));
    }
    for spot in &method.used {
        match (own.contains_key(spot), open.get(spot), others.get(spot)) {
            (true, _, _) => {}
            (_, Some(why), _) => lines.push(format!("open    {}:{} {why}", spot.0, spot.1)),
            (_, None, Some(why)) => lines.push(format!("missed  {}:{} {why}", spot.0, spot.1)),
            (_, None, None) => lines.push(format!("unseen  {}:{}", spot.0, spot.1)),
        }
    }
    let right = own.keys().filter(|spot| method.used.contains(spot)).count();
    let covered = method
        .used
        .iter()
        .filter(|spot| own.contains_key(spot) || open.contains_key(spot))
        .count();
    sums.methods += 1;
    sums.answered += usize::from(!own.is_empty());
    sums.resolved += own.len();
    sums.right += right;
    sums.gold += method.used.len();
    sums.covered += covered;
    sums.open += open.len();
    let text = format!(
        "{}.{}: resolved {} ({right} right), open {}, other {}, index {}",
        method.owner,
        method.name,
        own.len(),
        open.len(),
        others.len(),
        method.used.len()
    );
    (lines, text)
}

fn place((path, line): &Spot) -> Option<LabelledPlace> {
    let path = RepoPath::relative(Path::new(path))?;
    let language = languages::of_name(path.file_name())?.name;
    Some(LabelledPlace {
        role: role::of(&path),
        relation: Relation::Defines,
        kind: None,
        form: OccurrenceForm::Asked,
        name: String::new(),
        containers: Vec::new(),
        line: *line,
        column: 1,
        line_end: *line,
        language,
        test: None,
        path,
    })
}
