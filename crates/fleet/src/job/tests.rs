use super::*;

fn told(text: &str) -> (usize, Vec<String>) {
    let read = read(text.as_bytes()).expect("a readable file");
    let broken = read.broken.iter().map(ToString::to_string).collect();
    (read.jobs.len(), broken)
}

const CLAIM: &str = r#"{"kind": "claim", "id": "a", "claim": "The sky is blue"}"#;

#[test]
fn each_kind_is_read_and_written_again() {
    let commit = "0123456789abcdef0123456789abcdef01234567";
    let lines = [
        CLAIM.to_owned(),
        format!(
            r#"{{"kind": "ask", "repository": "a/b", "commit": "{commit}", "question": "who calls x?"}}"#
        ),
        r#"{"kind": "check", "repository": "a", "documents": ["README.md"]}"#.to_owned(),
        format!(
            r#"{{"kind": "review", "repository": "a", "base": "{commit}", "head": "{commit}"}}"#
        ),
        r#"{"kind": "eval", "case": "suite/one"}"#.to_owned(),
    ];
    let jobs = read(lines.join("\n").as_bytes()).expect("readable");
    assert!(jobs.broken.is_empty(), "{:?}", jobs.broken);
    let kinds: Vec<&str> = jobs.jobs.iter().map(Job::kind).collect();
    assert_eq!(kinds, ["claim", "ask", "check", "review", "eval"]);
    for job in &jobs.jobs {
        assert_eq!(Job::parse(job.line().as_bytes()).as_ref(), Ok(job));
    }
}

#[test]
fn a_name_is_no_part_of_what_is_asked() {
    let one = Job::parse(CLAIM.as_bytes()).expect("a job");
    let other = Job::parse(CLAIM.replace("\"a\"", "\"b\"").as_bytes()).expect("a job");
    let third = Job::parse(CLAIM.replace("blue", "red").as_bytes()).expect("a job");
    assert_eq!(one.content(), other.content());
    assert_ne!(one.content(), third.content());
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let long = format!(
        r#"{{"kind": "claim", "claim": "{}"}}"#,
        "x".repeat(10 << 20)
    );
    for (line, why) in [
        ("{\"kind\": \"claim\"", "EOF"),
        ("nonsense", "expected"),
        (
            r#"{"kind": "cook", "claim": "x"}"#,
            "unknown variant `cook`",
        ),
        (
            r#"{"kind": "claim", "claim": "x", "colour": 1}"#,
            "unknown field `colour`",
        ),
        (r#"{"kind": "claim", "claim": " "}"#, "`claim` is empty"),
        (r#"{"claim": "x"}"#, "kind"),
        (
            r#"{"kind": "ask", "repository": "../x", "question": "q"}"#,
            "not a path below",
        ),
        (
            r#"{"kind": "ask", "repository": "/x", "question": "q"}"#,
            "not a path below",
        ),
        (
            r#"{"kind": "ask", "repository": "-x", "question": "q"}"#,
            "not a path below",
        ),
        (
            r#"{"kind": "ask", "repository": "x", "commit": "main", "question": "q"}"#,
            "full hash",
        ),
        (
            r#"{"kind": "check", "repository": "x", "documents": []}"#,
            "`documents` is empty",
        ),
        (
            r#"{"kind": "check", "repository": "x", "documents": ["/etc/passwd"]}"#,
            "not a path below",
        ),
        (
            r#"{"kind": "claim", "id": "b", "claim": "The sky is blue"}"#,
            "same job as line 1",
        ),
        (
            r#"{"kind": "claim", "id": "a", "claim": "Grass is green"}"#,
            "was used on line 1",
        ),
        (long.as_str(), "more than 65536 bytes"),
    ] {
        let (jobs, broken) = told(&format!(
            "{CLAIM}\n\n{line}\n{}",
            CLAIM.replace("blue", "far").replace("\"a\"", "\"z\"")
        ));
        assert_eq!(jobs, 2, "{why}: {broken:?}");
        let shown: String = line.chars().take(60).collect();
        assert!(
            broken.len() == 1 && broken[0].starts_with("line 3: ") && broken[0].contains(why),
            "{shown}: {broken:?}"
        );
    }
}

proptest::proptest! {
    #[test]
    fn bytes_of_any_kind_are_read_without_a_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..400)) {
        let _ = read(bytes.as_slice());
    }
}
