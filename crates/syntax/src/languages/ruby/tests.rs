use proptest::prelude::*;

use super::*;
use crate::label::descend;
use crate::language::BoundNames;
use crate::parse::Parser;

/// The same by a search for each name, as long as the scope is.
fn is_call_by_search(climb: &Climb<'_, '_>) -> bool {
    let (Some(scope), text) = (scope_of(climb), climb.text(climb.name())) else {
        return false;
    };
    let mut nodes = vec![scope];
    let mut seen = 0;
    while let Some(node) = nodes.pop() {
        seen += 1;
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            let is_it = child.kind() == "identifier" && climb.text(child) == text;
            if is_it && binds(node, child) {
                return false;
            }
            nodes.push(child);
        }
    }
    seen <= NODES_MAX
}

/// How many small names of a text were asked for, in one file whose scopes are kept: those at each
/// `step`th letter.
fn agrees(source: &str, step: usize) -> usize {
    let parser = Parser::default();
    let parse = parser
        .parse(&RUBY, source.as_bytes(), &|| false)
        .expect("a parse");
    let tree = parse.tree().expect("a tree");
    let (scopes, mut asked) = (BoundNames::default(), 0);
    for (at, _) in source.char_indices().step_by(step) {
        let frames = descend(tree, &(at..at + 1));
        let climb = Climb {
            frames: &frames,
            at: frames.len().saturating_sub(2),
            source: source.as_bytes(),
            scopes: &scopes,
        };
        if climb.name().kind() == "identifier" {
            asked += 1;
            assert_eq!(
                is_call_alone(&climb),
                is_call_by_search(&climb),
                "at {at} of {source}"
            );
        }
    }
    asked
}

#[test]
fn a_scope_past_the_bound_has_no_calls_alone() {
    let lines = |count: usize| format!("def f\n{}end\n", "  one\n".repeat(count));
    assert!(agrees(&lines(NODES_MAX - 20), 997) > 0);
    assert!(agrees(&lines(NODES_MAX + 20), 997) > 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_name_is_a_call_as_a_search_of_its_scope_says(
        lines in proptest::collection::vec(proptest::sample::select(vec![
            "def one(two, three: 3, *four)", "def self.two", "class Five", "module Six", "end", "end",
            "one", "two", "three", "four", "one = two", "two += 1", "three, (one, *four) = two",
            "one.two", "two.each do |three; four|", "one { |two| three }", "begin", "rescue => four",
            "for three in one", "case two", "in {one:, two: [three, *]}", "when four", "alias one two",
            "->(one) { two }", "x = one if two", "puts(one, two)", "attr_reader :one", "(", "one: two",
        ]), 0..30),
    ) {
        agrees(&lines.join("\n"), 1);
    }
}
