//! The notices of what is linked into the program: every crate of its
//! dependencies stands there with its licence, and no licence is one that asks for
//! more than naming it. `UPDATE_SUITE=1` writes them anew; no network is needed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::run;

/// Licences that ask for no more than their text and the names of the authors. Of a choice, one has to stand here.
const ALLOWED: &[&str] = &[
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "CC0-1.0",
    "Unlicense",
    "BSL-1.0",
    "Unicode-3.0",
    "CDLA-Permissive-2.0",
    "MPL-2.0",
];

/// Bytes of one file of a licence.
const LICENCE_BYTES_MAX: u64 = 64 << 10;

struct Linked {
    name: String,
    version: String,
    licence: String,
    authors: Vec<String>,
    folder: PathBuf,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What is linked into the program, for the systems that packages are made for: no tools of the build, nothing of the tests.
fn linked() -> Vec<Linked> {
    let metadata = |network: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command.args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--filter-platform",
            "x86_64-unknown-linux-gnu",
        ]);
        command
            .args(["--filter-platform", "x86_64-unknown-linux-musl"])
            .args(network);
        run(command.current_dir(root()))
    };
    // Libraries of the other system are not there where only this one was built for: they come as those of a build do.
    let done = Some(metadata(&["--offline"]))
        .filter(|done| done.code == Some(0))
        .unwrap_or_else(|| metadata(&[]));
    let all: Value = serde_json::from_slice(&done.out)
        .unwrap_or_else(|error| panic!("cargo metadata: {error}: {}", done.text()));
    let nodes = by_id(&all["resolve"]["nodes"]);
    let packages = by_id(&all["packages"]);
    let (mut seen, mut waiting) = (BTreeSet::new(), Vec::new());
    waiting.extend(
        packages
            .iter()
            .find(|(_, package)| package["name"] == "grounds")
            .map(|(id, _)| *id),
    );
    while let Some(id) = waiting.pop() {
        // A macro runs while the program is built, and is no part of it.
        let is_macro = list(&packages[id]["targets"]).iter().any(|target| {
            list(&target["kind"])
                .iter()
                .any(|kind| kind == "proc-macro")
        });
        if is_macro || !seen.insert(id) {
            continue;
        }
        let normal = |edge: &&Value| {
            list(&edge["dep_kinds"])
                .iter()
                .any(|kind| kind["kind"].is_null())
        };
        waiting.extend(
            list(&nodes[id]["deps"])
                .iter()
                .filter(normal)
                .filter_map(|edge| edge["pkg"].as_str()),
        );
    }
    let others = seen
        .into_iter()
        .map(|id| packages[id])
        .filter(|package| !package["source"].is_null());
    let mut linked: Vec<Linked> = others.map(of_package).chain([vectors()]).collect();
    linked.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
    linked
}

/// The vectors of words that questions are compared by: data of another project, with its licence beside it.
fn vectors() -> Linked {
    Linked {
        name: "potion-base-8M".to_owned(),
        version: "of 2024".to_owned(),
        licence: "MIT".to_owned(),
        authors: vec!["The Minish Lab".to_owned()],
        folder: root().join("crates/ask/src/understand/learned/vectors"),
    }
}

fn by_id(list_of: &Value) -> BTreeMap<&str, &Value> {
    list(list_of)
        .iter()
        .filter_map(|entry| Some((entry["id"].as_str()?, entry)))
        .collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn of_package(package: &Value) -> Linked {
    let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let manifest = PathBuf::from(text("manifest_path"));
    let authors = list(&package["authors"])
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    let folder = manifest.parent().expect("a folder").to_owned();
    Linked {
        name: text("name"),
        version: text("version"),
        licence: text("license"),
        authors,
        folder,
    }
}

/// The texts that a crate brings, as it brings them.
fn texts(linked: &Linked) -> Vec<String> {
    let is_licence = |path: &PathBuf| {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().to_uppercase())
            .unwrap_or_default();
        let says_so = [
            "LICENSE",
            "LICENCE",
            "COPYING",
            "NOTICE",
            "UNLICENSE",
            "COPYRIGHT",
        ]
        .iter()
        .any(|word| name.starts_with(word));
        says_so
            && path.is_file()
            && !name.ends_with(".RS")
            && path
                .metadata()
                .is_ok_and(|kind| kind.len() <= LICENCE_BYTES_MAX)
    };
    let mut files: Vec<PathBuf> = std::fs::read_dir(&linked.folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.retain(is_licence);
    files.sort();
    let read = files.iter().filter_map(|path| std::fs::read(path).ok());
    read.map(|bytes| {
        String::from_utf8_lossy(&bytes)
            .replace('\r', "")
            .trim()
            .to_owned()
    })
    .filter(|text| !text.is_empty())
    .collect()
}

/// The page: the table, then each text once with the crates that bring it.
fn page(linked: &[Linked]) -> String {
    let mut page = "# Licences and notices\n\ngrounds is licensed under MIT or Apache-2.0, as you choose. It is made of these libraries; their texts follow, each once.\n\n| library | version | licence |\n|---|---|---|\n".to_owned();
    let (mut users, mut silent): (BTreeMap<String, Vec<&Linked>>, Vec<&Linked>) =
        (BTreeMap::new(), Vec::new());
    for linked in linked {
        writeln!(
            page,
            "| {} | {} | {} |",
            linked.name, linked.version, linked.licence
        )
        .expect("a string");
        let texts = texts(linked);
        if texts.is_empty() {
            silent.push(linked);
        }
        texts
            .into_iter()
            .for_each(|text| users.entry(text).or_default().push(linked));
    }
    let own: Vec<String> = ["LICENSE-MIT", "LICENSE-APACHE"]
        .iter()
        .map(|name| std::fs::read_to_string(root().join(name)).expect("ours"))
        .collect();
    for text in own {
        write!(page, "\n## grounds\n\n```text\n{}\n```\n", text.trim()).expect("a string");
    }
    if !silent.is_empty() {
        page.push_str("\n## Without a text of their own\n\nThese name their licence and bring no text; texts of these licences stand here with others.\n\n");
    }
    for linked in silent {
        let by = if linked.authors.is_empty() {
            String::new()
        } else {
            format!(", by {}", linked.authors.join(", "))
        };
        writeln!(
            page,
            "- {} {}: {}{by}",
            linked.name, linked.version, linked.licence
        )
        .expect("a string");
    }
    let mut texts: Vec<(Vec<&Linked>, String)> = users
        .into_iter()
        .map(|(text, users)| (users, text))
        .collect();
    texts.sort_by(|one, other| (&one.0[0].name, &one.1).cmp(&(&other.0[0].name, &other.1)));
    for (users, text) in texts {
        let names: BTreeSet<&str> = users.iter().map(|linked| linked.name.as_str()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        write!(
            page,
            "\n## {}\n\n~~~text\n{}\n~~~\n",
            names.join(", "),
            text.replace("~~~", "~ ~ ~")
        )
        .expect("a string");
    }
    page
}

/// Whether a licence as SPDX says it can be kept: every part of an `AND`, one of an `OR`.
fn is_allowed(licence: &str) -> bool {
    let licence = licence.replace('/', " OR ").replace(['(', ')'], " ");
    licence.split(" AND ").all(|part| {
        part.split(" OR ").any(|one| {
            ALLOWED.contains(
                &one.split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
                    .as_str(),
            )
        })
    })
}

#[test]
fn every_library_stands_in_the_notices_with_a_licence_that_can_be_kept() {
    let linked = linked();
    assert!(
        linked.len() > 100,
        "only {} libraries were found",
        linked.len()
    );
    let bad: Vec<String> = linked
        .iter()
        .filter(|linked| !is_allowed(&linked.licence))
        .map(|linked| format!("{}: {}", linked.name, linked.licence))
        .collect();
    assert!(
        bad.is_empty(),
        "look at these licences (docs/packaging.md): {bad:#?}"
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("THIRD-PARTY.md");
    if std::env::var_os("UPDATE_SUITE").is_some() {
        std::fs::write(&path, page(&linked)).expect("the notices can be written");
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    let missing: Vec<String> = linked
        .iter()
        .map(|linked| {
            format!(
                "| {} | {} | {} |",
                linked.name, linked.version, linked.licence
            )
        })
        .filter(|row| !published.contains(row.as_str()))
        .collect();
    assert!(
        missing.is_empty(),
        "run `UPDATE_SUITE=1 cargo test -p grounds --test it -- notices`, these are missing: {missing:#?}"
    );
    for words in [
        "Permission is hereby granted",
        "Apache License",
        "Mozilla Public License",
        "Redistribution and use in source and binary",
    ] {
        assert!(published.contains(words), "{words}");
    }
    let rows = published
        .lines()
        .filter(|line| line.starts_with("| "))
        .count()
        - 1;
    assert_eq!(
        rows,
        linked.len(),
        "crates/grounds/THIRD-PARTY.md names libraries that are not linked"
    );
}

#[test]
fn licences_of_a_choice_need_one_and_of_a_sum_all() {
    for (licence, allowed) in [
        ("MIT OR Apache-2.0", true),
        ("MIT/Apache-2.0", true),
        ("GPL-3.0 OR MIT", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("Apache-2.0 AND GPL-3.0", false),
        ("", false),
    ] {
        assert_eq!(is_allowed(licence), allowed, "{licence}");
    }
}
