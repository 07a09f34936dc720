//! What peers say is read as places.

use super::*;

fn shown(peer: &dyn Peer, said: &str) -> Vec<String> {
    peer.places(said, "Foo").expect("it can be read").iter().map(Spot::shown).collect()
}

#[test]
fn lines_tags_and_rows_are_places() {
    assert_eq!(shown(&ripgrep::Ripgrep, "./src/a.rs:12:struct Foo;\nnonsense\nb.rs:x:y\n"), ["src/a.rs:12"]);
    assert_eq!(shown(&ctags::Ctags, "Foo\t./a.c\t7\nFooBar\ta.c\t9\nFoo\tb.c\n"), ["a.c:7"]);
    assert_eq!(shown(&probe::Probe, "{\"results\": [{\"file\": \"a.rs\", \"lines\": [3, 9]}, {}]}"), ["a.rs:3"]);
    assert!(["not JSON", "{}"].iter().all(|said| probe::Probe.places(said, "Foo").is_err()), "what cannot be read shows no absence");
}

#[test]
fn a_peer_that_is_not_known_is_told_with_those_that_are() {
    let told = of("nothing").err().expect("a fault").to_string();
    assert!(told.contains("ripgrep, ctags, probe"), "{told}");
}
