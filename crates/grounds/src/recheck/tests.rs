use super::*;

fn place(state: State) -> Checked {
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
    let not_looked = || State::NotLooked("why".to_owned());
    let check = |states: Vec<State>, exit: Exit| {
        assert_eq!(
            super::exit(&states.into_iter().map(place).collect::<Vec<_>>()),
            exit
        )
    };
    check(vec![], Exit::NotCheckable);
    check(vec![State::Stands, State::Stands], Exit::Answered);
    check(vec![State::Stands, not_looked()], Exit::Failed);
    check(vec![not_looked(), State::Changed], Exit::Insufficient);
    check(vec![State::NotQuoted], Exit::NotCheckable);
    check(vec![State::NotQuoted, not_looked()], Exit::Failed);
    check(vec![State::NotQuoted, State::Gone], Exit::Insufficient);
    check(vec![State::NotQuoted, State::Stands], Exit::Answered);
    check(
        vec![
            State::Stands,
            State::Moved {
                path: "b".to_owned(),
                line: 2,
            },
        ],
        Exit::Insufficient,
    );
    check(vec![State::Gone], Exit::Insufficient);
}
