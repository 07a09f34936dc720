//! What packages the program: the Debian package, the action, the book. Given the
//! files of the repository and the program; nothing is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Parser as _;
use grounds::cli::Cli;
use serde_json::Value;

use crate::support::{Tree, has, run};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A package over a small stand-in that calls the program: a whole debug build would take a minute to pack.
#[test]
fn the_debian_package_has_all_that_belongs_to_the_program() {
    use std::os::unix::fs::PermissionsExt as _;
    if !has("dpkg-deb") {
        return;
    }
    let tree = Tree::of(&[(
        "grounds",
        &format!(
            "#!/bin/sh\nexec '{}' \"$@\"\n",
            env!("CARGO_BIN_EXE_grounds")
        ),
    )]);
    std::fs::set_permissions(tree.path("grounds"), std::fs::Permissions::from_mode(0o755))
        .expect("rights");
    let made = run(Command::new(root().join("packaging/debian"))
        .args([tree.path("grounds"), tree.path("out")]));
    assert_eq!(made.code, Some(0), "{}", made.text());
    let package = String::from_utf8(made.out)
        .expect("a path")
        .trim()
        .to_owned();
    let listed = run(Command::new("dpkg-deb").args(["-c", &package]));
    let listed = String::from_utf8(listed.out).expect("UTF-8");
    for path in [
        "./usr/bin/grounds",
        "./usr/share/man/man1/grounds.1.gz",
        "./usr/share/man/man1/grounds-ask.1.gz",
        "./usr/share/bash-completion/completions/grounds",
        "./usr/share/zsh/vendor-completions/_grounds",
        "./usr/share/fish/vendor_completions.d/grounds.fish",
        "./usr/share/doc/grounds/copyright",
        "./usr/share/doc/grounds/changelog.gz",
    ] {
        let line = listed
            .lines()
            .find(|line| line.ends_with(path))
            .unwrap_or_else(|| panic!("{path} is missing:\n{listed}"));
        assert!(line.contains("root/root"), "{line}");
    }
    let fields =
        run(Command::new("dpkg-deb").args(["-f", &package, "Package", "Version", "Depends"]));
    let fields = String::from_utf8(fields.out).expect("UTF-8");
    assert!(
        fields.contains("Package: grounds")
            && fields.contains(env!("CARGO_PKG_VERSION"))
            && fields.contains("git"),
        "{fields}"
    );
}

/// What a pull request holds must not become a command: inputs stand in variables, and what is called is a command line of ours.
#[test]
fn the_action_takes_nothing_from_outside_as_a_command() {
    let action: Value = serde_saphyr::from_str(&text("action.yml")).expect("YAML");
    let steps = action["runs"]["steps"].as_array().expect("steps");
    let mut calls = 0;
    for step in steps {
        let script = step["run"].as_str().expect("a script");
        assert!(!script.contains("${{"), "{script}");
        for line in script.lines().filter(|line| line.contains("\"$grounds\"")) {
            let words = line
                .trim()
                .trim_start_matches("\"$grounds\"")
                .split(['>', '|'])
                .next()
                .unwrap_or_default();
            let words = words.replace("\"${words[@]}\"", "--severity minor --base main");
            let words = words
                .replace("\"${drift[@]}\"", "README.md --pr-body body.md")
                .replace("\"$BASE\"", "main");
            let words = std::iter::once("grounds").chain(words.split_whitespace());
            assert!(Cli::try_parse_from(words).is_ok(), "{line}");
            calls += 1;
        }
    }
    assert_eq!(calls, 5, "{action:#}");
    let known: Vec<&String> = action["inputs"]
        .as_object()
        .expect("inputs")
        .keys()
        .collect();
    for used in text("action.yml").split("${{ inputs.").skip(1) {
        let name = used.split(' ').next().unwrap_or_default();
        assert!(known.iter().any(|known| *known == name), "{name}");
    }
}

#[test]
fn every_page_of_the_docs_is_in_the_book() {
    let summary = text("docs/SUMMARY.md");
    for (folder, before) in [("docs", ""), ("docs/peers", "peers/")] {
        for page in std::fs::read_dir(root().join(folder))
            .expect("pages")
            .flatten()
        {
            let name = page.file_name().to_string_lossy().into_owned();
            let is_page = name.ends_with(".md") && name != "SUMMARY.md";
            assert!(
                !is_page || summary.contains(&format!("]({before}{name})")),
                "docs/SUMMARY.md has no line for `{before}{name}`"
            );
        }
    }
}

#[test]
fn every_command_has_a_page_of_the_book() {
    use clap::CommandFactory as _;
    let summary = text("docs/SUMMARY.md");
    let said: Vec<&str> = summary
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .collect();
    for command in Cli::command()
        .get_subcommands()
        .map(clap::Command::get_name)
        .filter(|name| *name != "schema")
    {
        assert!(
            said.contains(&command),
            "docs/SUMMARY.md has no line for `grounds {command}`"
        );
    }
}
