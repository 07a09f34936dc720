use super::*;

fn row(gone: u64, stands: u64, silenced: u64) -> RuleFigures {
    RuleFigures {
        found: gone + stands + silenced,
        gone,
        stands,
        silenced,
    }
}

#[test]
fn figures_are_read_as_they_are_written_and_tell_rules_apart() {
    let rules = [
        ("mended", row(6, 2, 0)),
        ("left", row(1, 9, 0)),
        ("silenced", row(2, 0, 8)),
        ("rare", row(0, 4, 0)),
        ("bandit/B602: \"x\"", row(0, 0, 0)),
    ];
    let rules = rules.map(|(name, row)| (name.to_owned(), row));
    let measured = Measured {
        commits: 100,
        commits_failed: 1,
        lines: 1_000,
        lines_gone: 300,
        rules: BTreeMap::from(rules),
    };
    assert_eq!(Measured::read(&measured.render()), Ok(measured.clone()));
    for (rule, worth) in [
        ("mended", Worth::Mended),
        ("left", Worth::Noisy),
        ("silenced", Worth::Noisy),
        ("rare", Worth::Quiet),
        ("bandit/B602: \"x\"", Worth::Quiet),
        ("other", Worth::Unmeasured),
    ] {
        assert_eq!(measured.worth(rule), worth, "{rule}");
    }
    let empty = Measured::default();
    assert_eq!(Measured::read(&empty.render()), Ok(empty));
    assert!(Measured::read("commits: many").is_err());
}

#[test]
fn a_line_is_gone_stands_or_is_silenced_by_its_neighbours() {
    let came = |text: &str, path: &str| MeasuredLine {
        rule: Some("r".to_owned()),
        path: path.to_owned(),
        text: text.to_owned(),
        is_silenced: false,
    };
    let lines = [
        "call(first)",
        "call(second)  # noqa: S1",
        "# nosec",
        "call(third)",
    ];
    let now = Today::from([("a.py".to_owned(), lines.map(str::to_owned).to_vec())]);
    for (text, path, wanted) in [
        ("call(first)", "a.py", Some(Fate::Stands)),
        ("call(second)", "a.py", Some(Fate::Silenced)),
        ("call(third)", "a.py", Some(Fate::Silenced)),
        ("call(fourth)", "a.py", Some(Fate::Gone)),
        ("call(first)", "b.py", None),
        ("}", "a.py", None),
    ] {
        assert_eq!(fate(&came(text, path), &now), wanted, "{text} in {path}");
    }
}
