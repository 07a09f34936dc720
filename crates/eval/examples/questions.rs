//! Makes a suite of labelled questions over any tree, from universal-ctags:
//! `cargo run -p grounds-eval --features measure --example questions -- TREE NAME [QUESTIONS-OF-A-CLASS] > NAME.jsonl`,
//! then `grounds eval NAME.jsonl --repos FOLDER-OF-TREE`.
//!
//! Classes: names with one definition, with several, put together from two names
//! and existing nowhere, with two letters swapped, words in quotation marks that
//! stand in one line, and imported names that the tree does not define. Labels
//! are those of another program: a miss is looked at before it counts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

/// Questions of a class, where nothing else is said.
const QUESTIONS: usize = 15;
/// Bytes of a file that is looked at.
const FILE_BYTES_MAX: usize = 1 << 20;
/// Definitions of a name that has several.
const SEVERAL_MAX: usize = 6;
/// What introduces a name, in the words of ctags.
const KINDS: &[&str] = &[
    "function",
    "method",
    "class",
    "struct",
    "enum",
    "interface",
    "trait",
    "macro",
    "type",
    "typedef",
    "func",
    "singletonMethod",
];
/// Ends of names of files that are code.
const CODE: &[&str] = &[
    "rs", "py", "c", "h", "cc", "cpp", "hpp", "go", "java", "js", "ts", "tsx", "rb", "cs", "php",
    "kt", "swift", "scala", "lua", "sh",
];
/// Ways to ask where something is defined.
const WAYS: [&str; 4] = [
    "where is {} defined?",
    "Locate the definition of {}.",
    "In which file is {} implemented?",
    "where is {}?",
];

struct Tag {
    file: String,
    line: u64,
    kind: String,
}

/// A tree with its tags and its words.
struct Tree {
    name: String,
    texts: Vec<(String, String)>,
    tags: BTreeMap<String, Vec<Tag>>,
    words: BTreeSet<String>,
}

/// Makes so many questions of one class.
type Class = fn(&Tree, &mut Dice, usize) -> Vec<Value>;

/// Numbers that are the same in every run over a tree.
struct Dice(u64);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(root), Some(name)) = (arguments.first(), arguments.get(1)) else {
        return say("usage: questions TREE NAME [QUESTIONS-OF-A-CLASS]");
    };
    let count = arguments
        .get(2)
        .and_then(|count| count.parse().ok())
        .unwrap_or(QUESTIONS);
    let tree = Tree::read(Path::new(root), name);
    let mut dice = Dice(name.bytes().fold(7, |seed, byte| {
        seed.wrapping_mul(31).wrapping_add(byte.into())
    }));
    let classes: [Class; 6] = [unique, several, recombined, typos, quoted, imported];
    for class in classes {
        class(&tree, &mut dice, count)
            .iter()
            .for_each(|case| say(&case.to_string()));
    }
}

impl Tree {
    fn read(root: &Path, name: &str) -> Self {
        let listed = said(
            Command::new("git")
                .arg("-C")
                .arg(root)
                .args(["ls-files", "-z"]),
        );
        let text = |file: &str| {
            std::fs::read_to_string(root.join(file))
                .ok()
                .filter(|text| text.len() < FILE_BYTES_MAX)
        };
        let files = listed.split('\0').filter(|file| !file.is_empty());
        let texts: Vec<(String, String)> = files
            .filter_map(|file| Some((file.to_owned(), text(file)?)))
            .collect();
        let words = texts
            .iter()
            .flat_map(|(_, text)| text.split(|letter: char| !is_of_name(letter) && letter != '-'))
            .map(plain)
            .collect();
        Self {
            name: name.to_owned(),
            tags: tags(root, &texts),
            texts,
            words,
        }
    }

    /// The names whose every tag is a definition, with so many of them.
    fn defined(&self, counts: std::ops::RangeInclusive<usize>) -> Vec<&str> {
        let is_definition = |tag: &Tag| KINDS.contains(&tag.kind.as_str()) && is_code(&tag.file);
        let fits = |(name, tags): &(&String, &Vec<Tag>)| {
            counts.contains(&tags.len()) && name.len() >= 5 && tags.iter().all(is_definition)
        };
        self.tags
            .iter()
            .filter(fits)
            .filter(|(name, _)| name.chars().all(is_of_name))
            .map(|(name, _)| name.as_str())
            .collect()
    }

    fn lacks(&self, name: &str) -> bool {
        let plain = plain(name);
        !self.words.iter().any(|word| word.contains(&plain))
    }

    fn case(
        &self,
        class: &str,
        number: usize,
        question: &str,
        query: &str,
        expect: &Value,
    ) -> Value {
        json!({"id": format!("{class}-{number}"), "class": class, "repo": self.name, "question": question, "query": query, "expect": expect})
    }
}

fn tags(root: &Path, texts: &[(String, String)]) -> BTreeMap<String, Vec<Tag>> {
    let known: BTreeSet<&str> = texts.iter().map(|(file, _)| file.as_str()).collect();
    let mut command = Command::new("ctags");
    command.current_dir(root).args([
        "--options=NONE",
        "--recurse",
        "--links=no",
        "--kinds-C=+p",
        "-x",
        "--_xformat=%N\t%F\t%n\t%K",
        ".",
    ]);
    let mut tags: BTreeMap<String, Vec<Tag>> = BTreeMap::new();
    for line in said(&mut command).lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, file, number, kind] = fields.as_slice() else {
            continue;
        };
        let (file, Ok(number)) = (file.trim_start_matches("./"), number.parse()) else {
            continue;
        };
        if known.contains(file) && *kind != "prototype" && !is_made_up(name) && !is_built(file) {
            tags.entry((*name).to_owned()).or_default().push(Tag {
                file: file.to_owned(),
                line: number,
                kind: (*kind).to_owned(),
            });
        }
    }
    tags
}

fn unique(tree: &Tree, dice: &mut Dice, count: usize) -> Vec<Value> {
    located(tree, "unique", dice.some(tree.defined(1..=1), count))
}

fn several(tree: &Tree, dice: &mut Dice, count: usize) -> Vec<Value> {
    located(
        tree,
        "several",
        dice.some(tree.defined(2..=SEVERAL_MAX), count),
    )
}

fn located(tree: &Tree, class: &str, names: Vec<&str>) -> Vec<Value> {
    let case = |(number, name): (usize, &str)| {
        let gold: Vec<Value> = tree.tags[name]
            .iter()
            .map(|tag| json!({"file": tag.file, "line": tag.line}))
            .collect();
        tree.case(
            class,
            number,
            &asked(number, name),
            name,
            &json!({"outcome": "answered", "gold": gold}),
        )
    };
    names.into_iter().enumerate().map(case).collect()
}

fn recombined(tree: &Tree, dice: &mut Dice, count: usize) -> Vec<Value> {
    let names: Vec<&str> = tree
        .defined(1..=SEVERAL_MAX)
        .into_iter()
        .filter(|name| name.contains('_') && !name.starts_with('_'))
        .collect();
    let camel: Vec<&str> = tree
        .defined(1..=SEVERAL_MAX)
        .into_iter()
        .filter(|name| hump(name).is_some())
        .collect();
    let half = count.div_ceil(2);
    let (one, other) = (dice.some(names.clone(), half), dice.some(names, half));
    let snake = one.iter().zip(&other).filter_map(|(one, other)| {
        Some(format!(
            "{}_{}",
            one.split_once('_')?.0,
            other.split_once('_')?.1
        ))
    });
    let (one, other) = (dice.some(camel.clone(), half), dice.some(camel, half));
    let humps = one.iter().zip(&other).filter_map(|(one, other)| {
        Some(format!("{}{}", &one[..hump(one)?], &other[hump(other)?..]))
    });
    refused(
        tree,
        "recombined",
        snake
            .chain(humps)
            .filter(|name| name.len() >= 8 && tree.lacks(name))
            .take(count),
    )
}

/// Where the second word of a name in camel case begins.
fn hump(name: &str) -> Option<usize> {
    let second = name
        .bytes()
        .enumerate()
        .skip(3)
        .find(|(_, byte)| byte.is_ascii_uppercase())?;
    name.is_ascii()
        .then_some(second.0)
        .filter(|_| !name.contains('_'))
}

fn typos(tree: &Tree, dice: &mut Dice, count: usize) -> Vec<Value> {
    let names: Vec<&str> = tree
        .defined(1..=1)
        .into_iter()
        .filter(|name| name.len() >= 8 && name.is_ascii())
        .collect();
    let swapped = dice.some(names, count * 3).into_iter().map(|name| {
        let mut bytes = name.as_bytes().to_vec();
        bytes.swap(3, 4);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    refused(
        tree,
        "typo",
        swapped.filter(|name| tree.lacks(name)).take(count),
    )
}

fn refused(tree: &Tree, class: &str, names: impl Iterator<Item = String>) -> Vec<Value> {
    let case = |(number, name): (usize, String)| {
        tree.case(
            class,
            number,
            &asked(number, &name),
            &name,
            &json!({"outcome": "insufficient"}),
        )
    };
    names.enumerate().map(case).collect()
}

fn quoted(tree: &Tree, dice: &mut Dice, count: usize) -> Vec<Value> {
    let lines = tree
        .texts
        .iter()
        .filter(|(file, _)| is_code(file))
        .flat_map(|(file, text)| {
            text.lines()
                .zip(1..)
                .map(move |(line, at)| (file, line, at))
        });
    let phrase = |(file, line, at): (&'_ String, &str, u64)| {
        let words: Vec<&str> = line
            .split_whitespace()
            .filter(|word| word.bytes().all(|byte| byte.is_ascii_alphabetic()))
            .collect();
        let phrase = words
            .windows(4)
            .map(|four| four.join(" "))
            .find(|phrase| phrase.len() >= 18 && line.contains(phrase.as_str()))?;
        Some((phrase, file.clone(), at))
    };
    let found: Vec<(String, String, u64)> =
        dice.some(lines.filter_map(phrase).collect(), count * 4);
    let times = |phrase: &str| {
        tree.texts
            .iter()
            .map(|(_, text)| text.to_lowercase().matches(&phrase.to_lowercase()).count())
            .sum::<usize>()
    };
    let alone = found
        .into_iter()
        .filter(|(phrase, ..)| times(phrase) == 1)
        .take(count);
    let case = |(number, (phrase, file, line)): (usize, (String, String, u64))| {
        let expect = json!({"outcome": "answered", "gold": [{"file": file, "line": line}]});
        tree.case(
            "quoted",
            number,
            &format!("search for \"{phrase}\""),
            &phrase,
            &expect,
        )
    };
    alone.enumerate().map(case).collect()
}

/// Names in lines that import, which nothing in the tree introduces and no file is named after.
fn imported(tree: &Tree, dice: &mut Dice, count: usize) -> Vec<Value> {
    let imports = |line: &str| {
        ["use ", "import ", "from ", "using "]
            .iter()
            .any(|word| line.starts_with(word))
            && !line.contains(" as ")
    };
    let lines = tree
        .texts
        .iter()
        .filter(|(file, _)| is_code(file))
        .flat_map(|(_, text)| text.lines().filter(|line| imports(line)));
    let names: BTreeSet<&str> = lines
        .flat_map(|line| line.split(|letter: char| !is_of_name(letter)))
        .collect();
    let stems: BTreeSet<String> = tree
        .texts
        .iter()
        .filter_map(|(file, _)| Path::new(file).file_stem())
        .map(|stem| plain(&stem.to_string_lossy()))
        .collect();
    let is_foreign = |name: &&str| {
        let is_type = name.len() >= 5
            && name.starts_with(|letter: char| letter.is_ascii_uppercase())
            && name.chars().any(|letter| letter.is_ascii_lowercase());
        is_type && !tree.tags.contains_key(*name) && !stems.contains(&plain(name))
    };
    // ctags misses some definitions: a word that introduces the name, anywhere, is taken for one.
    let introduces = [
        "class",
        "function",
        "type",
        "interface",
        "const",
        "struct",
        "enum",
        "trait",
        "def",
        "let",
        "var",
        "namespace",
        "module",
    ];
    let is_introduced = |name: &str| {
        tree.texts.iter().any(|(_, text)| {
            introduces
                .iter()
                .any(|word| text.contains(&format!("{word} {name}")))
        })
    };
    let names = dice.some(names.into_iter().filter(is_foreign).collect(), count * 2);
    let names = names
        .into_iter()
        .filter(|name| !is_introduced(name))
        .take(count);
    let expect = json!({"outcome": "insufficient", "refusal": "found_but_not_that"});
    let asked = |name: &str| format!("where is {name} defined?");
    names
        .enumerate()
        .map(|(number, name)| tree.case("imported", number, &asked(name), name, &expect))
        .collect()
}

fn asked(number: usize, name: &str) -> String {
    WAYS[number % WAYS.len()].replace("{}", name)
}

impl Dice {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % below.max(1)
    }

    /// Some of the things, in an order of their own.
    fn some<T>(&mut self, mut things: Vec<T>, count: usize) -> Vec<T> {
        let count = count.min(things.len());
        for at in 0..count {
            let other = at + self.next(things.len() - at);
            things.swap(at, other);
        }
        things.truncate(count);
        things
    }
}

/// Names that ctags gives to what has none.
fn is_made_up(name: &str) -> bool {
    ["__anon", "AnonymousFunction", "anonymousFunction"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// What a build wrote and someone committed.
fn is_built(file: &str) -> bool {
    file.contains(".min.") || file.split('/').any(|folder| folder == "dist")
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn is_code(file: &str) -> bool {
    CODE.iter().any(|end| file.ends_with(&format!(".{end}")))
}

/// A name without its convention.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

fn said(command: &mut Command) -> String {
    command
        .output()
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default()
}

#[expect(clippy::print_stdout, reason = "a generator prints what it made")]
fn say(line: &str) {
    println!("{line}");
}
