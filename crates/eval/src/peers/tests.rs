//! What peers say is read as places.

use super::*;

fn shown(peer: &dyn Peer, said: &str) -> Vec<String> {
    peer.places(said, "Foo")
        .expect("it can be read")
        .iter()
        .map(Spot::shown)
        .collect()
}

#[test]
fn lines_tags_and_rows_are_places() {
    assert_eq!(
        shown(
            &ripgrep::Ripgrep,
            "./src/a.rs:12:struct Foo;\nnonsense\nb.rs:x:y\n"
        ),
        ["src/a.rs:12"]
    );
    assert_eq!(
        shown(&ctags::Ctags, "Foo\t./a.c\t7\nFooBar\ta.c\t9\nFoo\tb.c\n"),
        ["a.c:7"]
    );
    assert_eq!(
        shown(
            &probe::Probe,
            "{\"results\": [{\"file\": \"a.rs\", \"lines\": [3, 9]}, {}]}"
        ),
        ["a.rs:3"]
    );
    let matched = "{\"results\": [{\"file\": \"/t/a.rs\", \"lines\": [3, 9], \"matches\": [{\"start_line\": 4}]}]}";
    assert_eq!(shown(&probe::Probe, matched), ["/t/a.rs:4"]);
    let scored = "{\"results\": [{\"file\": \"a.rs\", \"lines\": [1, 2], \"score\": 1.5}, {\"file\": \"b.rs\", \"lines\": [7, 9], \"score\": 2}]}";
    assert_eq!(shown(&probe::Probe, scored), ["b.rs:7", "a.rs:1"]);
    assert!(
        ["not JSON", "{}"]
            .iter()
            .all(|said| probe::Probe.places(said, "Foo").is_err()),
        "what cannot be read shows no absence"
    );
}

#[test]
fn a_path_from_the_root_of_the_machine_is_one_in_the_tree() {
    let tree = tempfile::tempdir().expect("a folder");
    let root = tree.path().canonicalize().expect("it is there");
    assert_eq!(
        below(tree.path(), &root.join("src/a.rs").display().to_string()),
        "src/a.rs"
    );
    assert_eq!(below(tree.path(), "src/a.rs"), "src/a.rs");
    assert_eq!(below(tree.path(), "/elsewhere/a.rs"), "/elsewhere/a.rs");
}

#[test]
fn a_peer_that_is_not_known_is_told_with_those_that_are() {
    let told = of("nothing").err().expect("a fault").to_string();
    assert!(told.contains("ripgrep, ctags, probe"), "{told}");
}
