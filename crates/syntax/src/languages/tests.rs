//! The tables name only what their grammars have.

use super::ALL;

#[test]
fn every_node_and_field_of_a_table_exists_in_its_grammar() {
    let mut unknown = Vec::new();
    for language in ALL.iter() {
        let Some(tables) = language.syntax.grammar() else {
            continue;
        };
        let grammar = (tables.load)();
        let lists = [
            tables.local_scopes,
            tables.comments,
            tables.strings,
            tables.interpolations,
            tables.imports,
        ];
        let rules = tables.rules.iter().map(|rule| (rule.node, rule.field));
        let places = rules
            .chain(tables.containers.iter().copied())
            .chain(lists.into_iter().flatten().map(|&node| (node, "")));
        for (node, field) in places {
            if grammar.id_for_node_kind(node, true) == 0 {
                unknown.push(format!("{}: node {node}", language.name));
            }
            if !field.is_empty() && grammar.field_id_for_name(field).is_none() {
                unknown.push(format!("{}: field {field}", language.name));
            }
        }
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
}

#[test]
fn no_ending_belongs_to_two_languages() {
    let mut endings: Vec<&str> = ALL
        .iter()
        .flat_map(|language| language.extensions.iter().copied())
        .collect();
    endings.sort_unstable();
    let twice: Vec<&str> = endings
        .windows(2)
        .filter(|pair| pair[0] == pair[1])
        .map(|pair| pair[0])
        .collect();
    assert!(twice.is_empty(), "{twice:?}");
}
