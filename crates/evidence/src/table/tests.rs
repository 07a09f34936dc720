use super::*;

#[test]
fn every_row_says_what_the_function_gives() {
    for row in ROWS {
        assert_eq!(rate_match(row.example), row.rating, "{}", row.seen);
    }
}

/// The tables in the repository's documentation are these tables.
#[test]
fn the_documentation_shows_the_tables_of_the_code() {
    let page = include_str!("../../../../docs/evidence.md");
    for table in [
        markdown(),
        relation_markdown(),
        crate::requirement::markdown(),
    ] {
        assert!(
            page.contains(&table),
            "docs/evidence.md should contain:\n\n{table}"
        );
    }
}

#[test]
fn a_mention_is_worth_nothing_to_a_definition_however_exact() {
    for place in [
        MentionPlace::Doc,
        MentionPlace::Comment,
        MentionPlace::String,
        MentionPlace::Prose,
        MentionPlace::Data,
    ] {
        assert_eq!(
            rate_relation(Relation::Mentions(place), WantedRelation::Definition),
            Rating::None
        );
    }
}
