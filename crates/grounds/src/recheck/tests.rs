use super::*;

fn place(state: CitationState) -> Checked {
    Checked {
        path: "a".to_owned(),
        line_start: 1,
        line_end: 1,
        what: String::new(),
        state,
        note: None,
    }
}

#[test]
fn nothing_ends_well_because_it_was_not_looked_at() {
    let not_looked = || CitationState::NotLooked("why".to_owned());
    let check = |states: Vec<CitationState>, exit: Exit| {
        assert_eq!(
            super::exit(&states.into_iter().map(place).collect::<Vec<_>>()),
            exit
        )
    };
    check(vec![], Exit::NotCheckable);
    check(
        vec![CitationState::Stands, CitationState::Stands],
        Exit::Answered,
    );
    check(vec![CitationState::Stands, not_looked()], Exit::Failed);
    check(
        vec![not_looked(), CitationState::Changed],
        Exit::Insufficient,
    );
    check(vec![CitationState::NotQuoted], Exit::NotCheckable);
    check(vec![CitationState::NotQuoted, not_looked()], Exit::Failed);
    check(
        vec![CitationState::NotQuoted, CitationState::Gone],
        Exit::Insufficient,
    );
    check(
        vec![CitationState::NotQuoted, CitationState::Stands],
        Exit::Answered,
    );
    check(
        vec![
            CitationState::Stands,
            CitationState::Moved {
                path: "b".to_owned(),
                line: 2,
            },
        ],
        Exit::Insufficient,
    );
    check(vec![CitationState::Gone], Exit::Insufficient);
}
