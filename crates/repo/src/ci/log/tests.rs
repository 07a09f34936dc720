use super::*;

fn log(text: &str) -> Log {
    Log::read(&mut text.as_bytes(), 1 << 20).expect("it is read")
}

fn texts(log: &Log, lines: std::ops::Range<usize>) -> Vec<&str> {
    log.lines[lines]
        .iter()
        .map(|line| line.text.as_str())
        .collect()
}

#[test]
fn the_failing_step_is_cut_out_by_its_time_and_its_command() {
    let log = log("2026-11-21T12:00:01.0000000Z ##[group]Run cargo build\n\
        2026-11-21T12:00:02.0000000Z built\n\
        2026-11-21T12:00:02.5000000Z ##[group]Run cargo test\n\
        2026-11-21T12:00:02.6000000Z \u{1b}[36;1mcargo test\u{1b}[0m\n\
        2026-11-21T12:00:02.7000000Z ##[endgroup]\n\
        2026-11-21T12:00:05.0000000Z test a ... FAILED\n\
        2026-11-21T12:00:05.5000000Z ##[error]Process completed with exit code 101.\n\
        2026-11-21T12:00:05.9000000Z ##[group]Run cleanup\n\
        2026-11-21T12:00:06.0000000Z ##[error]of another step\n");
    let window = Window {
        from: "2026-11-21T12:00:02Z".to_owned(),
        until: "2026-11-21T12:00:05Z".to_owned(),
    };
    let lines = log.failing(&window);
    assert_eq!(
        texts(&log, lines.clone()),
        [
            "Run cargo test",
            "cargo test",
            "",
            "test a ... FAILED",
            "Process completed with exit code 101."
        ]
    );
    let shown = log.excerpts(lines);
    assert_eq!(
        (shown.len(), shown[0].line_start, shown[0].line_end),
        (1, 3, 7)
    );
    let all = log.failing(&Window::default());
    assert_eq!(
        all,
        2..9,
        "without times: from the command before the first error to the last error"
    );
}

#[test]
fn a_section_of_gitlab_begins_a_step() {
    let log = log("\u{1b}[0KRunning with runner\n\
        section_start:1700000000:get_sources\r\u{1b}[0K\u{1b}[0K\u{1b}[36;1mGetting source\u{1b}[0;m\n\
        section_end:1700000001:get_sources\r\u{1b}[0Ksection_start:1700000001:step_script\r\u{1b}[0K\u{1b}[0KExecuting step_script\n\
        $ make test\n\
        main.c:3:1: error: no\n\
        section_end:1700000002:step_script\r\u{1b}[0K\u{1b}[0KCleaning up\n\
        \u{1b}[31;1mERROR: Job failed: exit code 1\u{1b}[0;m\n");
    let lines = log.failing(&Window::default());
    assert_eq!(
        texts(&log, lines),
        [
            "Executing step_script",
            "$ make test",
            "main.c:3:1: error: no",
            "Cleaning up",
            "ERROR: Job failed: exit code 1"
        ]
    );
}

#[test]
fn nothing_of_a_log_could_move_a_cursor_or_set_a_title() {
    let clean = |text: &str| line(text).text;
    assert_eq!(clean("\u{1b}[31mred\u{1b}[0m"), "red");
    assert_eq!(clean("\u{1b}]0;title\u{7}text"), "text");
    assert_eq!(
        clean("\u{1b}]8;;https://evil.example\u{1b}\\link\u{1b}]8;;\u{1b}\\"),
        "link"
    );
    assert_eq!(clean("\u{1b}]0;never ended"), "");
    assert_eq!(clean("\u{9b}31mred"), "red");
    assert_eq!(clean("10%\r50%\r100%\r"), "100%");
    assert_eq!(clean("\u{1b}"), "");
    assert_eq!(clean("\u{1b}["), "");
    assert_eq!(
        clean(&"x".repeat(1_000)).len(),
        LINE_LETTERS_MAX + " […]".len()
    );
}

#[test]
fn of_a_long_log_the_end_is_kept_and_the_lines_before_are_counted() {
    let line = format!("{}\n", "x".repeat(99));
    let text = format!("{}##[error]the end\n", line.repeat(100_000));
    let log = Log::read(&mut text.as_bytes(), 1 << 30).expect("it is read");
    assert_eq!(log.dropped as usize + log.lines.len(), 100_001);
    let shown = log.excerpts(log.failing(&Window::default()));
    assert_eq!(
        (shown.last().map(|last| last.line_end), shown.len()),
        (Some(100_001), 1)
    );
    assert!(Log::read(&mut text.as_bytes(), 1_000_000).is_err());
}

#[test]
fn the_first_words_of_an_error_are_shown_where_the_end_is_far_from_them() {
    let text = format!(
        "##[group]Run make\nerror: here it began\n{}##[error]Process completed with exit code 2.\n",
        "note\n".repeat(200)
    );
    let log = log(&text);
    let shown = log.excerpts(log.failing(&Window::default()));
    assert_eq!(shown.len(), 2);
    assert_eq!(
        (shown[0].line_start, shown[0].text.lines().next()),
        (2, Some("error: here it began"))
    );
    assert_eq!(shown[1].line_end, 203);
}

proptest::proptest! {
    #[test]
    fn no_log_is_too_strange(text in "(?s)[\u{0}-\u{ff}#\\[\\]groupRun \n\r\u{1b}]{0,300}", from in "[0-9TZ:-]{0,25}") {
        let log = log(&text);
        let lines = log.failing(&Window { from, until: String::new() });
        let _ = log.excerpts(lines);
    }
}
