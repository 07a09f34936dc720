use super::*;

#[track_caller]
fn check(xml: &str, expected: Result<(usize, usize, usize, u64), &str>) {
    let got = cases(xml.as_bytes());
    match (got, expected) {
        (Ok((cases, claimed)), Ok((ran, failed, skipped, claims))) => {
            let count = |is: fn(&JunitCase) -> bool| cases.iter().filter(|case| is(case)).count();
            assert_eq!(
                (
                    cases.len(),
                    count(|case| case.failed),
                    count(|case| case.skipped),
                    claimed
                ),
                (ran, failed, skipped, claims),
                "{xml}"
            );
        }
        (Err(reason), Err(part)) => assert!(reason.contains(part), "{reason}"),
        (got, expected) => panic!("{got:?}, not {expected:?}"),
    }
}

#[test]
fn tests_are_counted_by_what_stands_in_them() {
    let xml = "<testsuites><testsuite failures='1'><testcase name='a'/><testcase name='b'><failure message='x'>y</failure></testcase>\
        <testcase name='c'><skipped/></testcase><testcase name='d' status='fail'/></testsuite></testsuites>";
    check(xml, Ok((4, 2, 1, 1)));
    check("<testsuites/>", Ok((0, 0, 0, 0)));
    check(
        "<testsuite failures='1' errors='1'><testsuite failures='1'/><testsuite errors='1'/></testsuite>",
        Ok((0, 0, 0, 2)),
    );
    check(
        "<testsuite><testsuite failures='1'/><testsuite errors='2'/></testsuite><testsuite failures='1'/>",
        Ok((0, 0, 0, 4)),
    );
}

#[test]
fn a_report_that_is_none_is_told() {
    check("", Err("no report"));
    check("{}\n", Err("no report"));
    check("<testsuite><testcase name='a'>", Err("ends in the middle"));
    check("<testsuite></wrong>", Err("no XML"));
    check(&"<a>".repeat(100_000), Err("deeper"));
    check(
        "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><testsuite><testcase name='&b;'/></testsuite>",
        Err("document type"),
    );
}

#[test]
fn an_entity_is_not_looked_up() {
    check(
        "<testsuite><testcase name='&nowhere;'>&nowhere;</testcase></testsuite>",
        Ok((1, 0, 0, 0)),
    );
}

#[test]
fn a_failure_keeps_what_names_it() {
    let (cases, _) = cases(
        b"<testcase classname='t' name='a&lt;b' file='t.py' line='3'><failure message='no'><![CDATA[t.py:4: bad]]></failure></testcase>",
    )
    .expect("a report");
    assert_eq!(
        (cases[0].name.as_str(), cases[0].file.clone()),
        ("t::a<b", Some(("t.py".to_owned(), 4)))
    );
    assert!(cases[0].said.contains("t.py:4: bad"));
}
