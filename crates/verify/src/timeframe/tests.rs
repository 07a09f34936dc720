//! One text a line of `cases.md`, with the time that is read from it.

use jiff::Timestamp;

use super::read;

fn shown(text: &str, reference: Timestamp) -> String {
    let moment = |at: Option<Timestamp>| {
        at.map_or("…".to_owned(), |at| {
            at.strftime("%Y-%m-%dT%H:%M:%S").to_string()
        })
    };
    read(text, reference).map_or("nothing".to_owned(), |frame| {
        format!("{} – {}", moment(frame.start), moment(frame.end))
    })
}

#[test]
fn cases() {
    let page = include_str!("cases.md");
    let rows = page.lines().filter_map(|line| {
        line.strip_prefix("| ")?
            .strip_suffix(" |")?
            .split_once(" | ")
    });
    let rows: Vec<(&str, &str)> = rows.filter(|(text, _)| *text != "text").collect();
    let reference = "2025-03-12T10:00:00Z".parse().expect("a time");
    let wrong: Vec<String> = rows
        .iter()
        .filter(|(text, expected)| shown(text, reference) != *expected)
        .map(|(text, expected)| {
            format!("{text}\n  {} and not\n  {expected}", shown(text, reference))
        })
        .collect();
    assert!(
        wrong.is_empty() && rows.len() >= 30,
        "{} rows, wrong:\n{}",
        rows.len(),
        wrong.join("\n")
    );
}

proptest::proptest! {
    #[test]
    fn no_words_break_it(text in "(by|in|before|between|Q[0-9]|[0-9]{1,5}|March|May|Friday|next|week|within|,|:|/|-|PM|ET| |é){0,30}", second in -100_000_000_000_i64..200_000_000_000) {
        let _ = read(&text, Timestamp::from_second(second).expect("within range"));
    }
}
