//! Toolchains that are too heavy to be there for a test, and runners that write
//! what no runner should: small scripts under their names.

use std::os::unix::fs::PermissionsExt as _;

use crate::support::{Report, Tree, grounds, has, run};
use crate::toolchains::{is_in_part, matches, shows};

/// A program of a name, which stands before all others.
fn program(name: &str, script: &str) -> Tree {
    let folder = Tree::new().file(name, format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(folder.path(name), std::fs::Permissions::from_mode(0o755))
        .expect("rights");
    folder
}

fn ask(tree: &Tree, programs: &Tree, question: &str) -> Report {
    let path = format!(
        "{}:{}",
        programs.root().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut command = grounds(tree.root());
    Report::of(&run(command
        .args(["--format", "json", "ask", "--run", question])
        .env("PATH", path)))
}

#[track_caller]
fn refused(report: &Report, saying: &str) {
    report.is_refused("cannot_tell");
    assert!(
        report.json.to_string().contains(saying),
        "{saying}: {:#}",
        report.json
    );
}

const JAVA: &str = "class A {\n  int f() { return 1; }\n}\n";
const SUREFIRE: &str = "<testsuite name='ATest' tests='3' errors='0' skipped='1' failures='FAILURES'><properties><property name='a' value='b'/></properties><testcase name='good' classname='p.ATest' time='0.1'><system-out><![CDATA[BUILD FAILURE error]]></system-out></testcase><testcase name='other' classname='p.ATest'>OTHER</testcase><testcase name='later' classname='p.ATest'><skipped/></testcase></testsuite>";

/// A script that writes a report where a toolchain writes it, and ends with a code.
fn reporting(folder: &str, report: &str, code: u8) -> String {
    format!(
        "mkdir -p classes {folder}\necho x > classes/A.class\ncat > {folder}/TEST-p.ATest.xml <<'END'\n{report}\nEND\necho 'BUILD SUCCESS'\nexit {code}"
    )
}

#[test]
fn maven_and_gradle_are_read_by_their_reports() {
    let good = SUREFIRE.replace("FAILURES", "0").replace("OTHER", "");
    let frame = "<failure message='no' type='E'>java.lang.E: no\n\tat p.ATest.other(src/A.java:2)</failure>";
    let bad = SUREFIRE.replace("FAILURES", "1").replace("OTHER", frame);
    let lying = SUREFIRE.replace("FAILURES", "5").replace("OTHER", "");
    for (manifest, name, folder) in [
        ("pom.xml", "mvn", "target/surefire-reports"),
        ("build.gradle", "gradle", "build/test-results/test"),
    ] {
        let tree = Tree::of(&[(manifest, "x"), ("src/A.java", JAVA)]);
        let ask = |script: &str, question: &str| ask(&tree, &program(name, script), question);
        let both = "does it build and do the tests pass?";
        is_in_part(
            &ask(&reporting(folder, &good, 0), both),
            "2 passed, 0 failed, 1 skipped",
        );
        let later = "<testcase name='later' classname='p.ATest'><skipped/></testcase>";
        shows(
            &ask(&reporting(folder, &good.replace(later, ""), 0), both),
            &["target_built", "all_relevant_tests_passed"],
            "2 passed, 0 failed, 0 skipped",
        );
        let failed = ask(&reporting(folder, &bad, 1), "do the tests pass?");
        shows(&failed, &["tests_failed"], "1 passed, 1 failed, 1 skipped");
        // A runner that ends with 0 is not believed against its own report, nor a count against its list.
        shows(
            &ask(&reporting(folder, &bad, 0), "do the tests pass?"),
            &["tests_failed"],
            "ended with 0 although",
        );
        shows(
            &ask(&reporting(folder, &lying, 0), "do the tests pass?"),
            &["tests_failed"],
            "counts 5 failures and lists 0",
        );
        for broken in [
            "",
            "<testsuite><testcase name='a'>",
            "{}",
            "<!DOCTYPE a [<!ENTITY b 'c'>]><testsuite><testcase name='a'/></testsuite>",
        ] {
            refused(
                &ask(&reporting(folder, broken, 0), "do the tests pass?"),
                "could not be used",
            );
        }
        refused(
            &ask("echo BUILD SUCCESS", "do the tests pass?"),
            "0 passed, 0 failed",
        );
        refused(
            &ask(
                "echo '[ERROR] Plugin x could not be resolved offline'\nexit 1",
                "does it build?",
            ),
            "names no place in the code",
        );
        refused(
            &ask("echo BUILD SUCCESS", "does it build?"),
            "built in this run: 0",
        );
    }
}

#[test]
fn a_report_in_json_that_is_none_is_no_pass() {
    if !has("node") || !has("npm") {
        return;
    }
    let jest = |written: &str| {
        let script = format!(
            "#!/bin/sh\nfor word; do case $word in --outputFile=*) printf '%s' '{written}' > \"${{word#*=}}\";; esac; done\necho 'Tests: 5 passed, 5 total'\n"
        );
        let tree = Tree::of(&[
            (
                "package.json",
                "{\"scripts\": {\"test\": \"jest\"}, \"devDependencies\": {\"jest\": \"1\"}}",
            ),
            ("a.test.js", "test('a', () => {});\n"),
            ("node_modules/.bin/jest", &script),
        ]);
        let file = tree.path("node_modules/.bin/jest");
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).expect("rights");
        ask(&tree, &Tree::new(), "do the tests pass?")
    };
    let good = "{\"testResults\": [{\"name\": \"a.test.js\", \"status\": \"passed\", \"assertionResults\": [{\"status\": \"passed\", \"fullName\": \"a\"}]}]}";
    shows(&jest(good), &["all_relevant_tests_passed"], "1 passed");
    for broken in [
        "",
        "{",
        "[]",
        "null",
        "{\"testResults\": 5}",
        "{\"testResults\": [{\"assertionResults\": {}}]}",
        "{\"numPassedTests\": 5, \"success\": true}",
    ] {
        let report = jest(broken);
        report.is_refused("cannot_tell");
        assert!(
            !matches(&report).contains(&"all_relevant_tests_passed"),
            "{broken}"
        );
    }
    let unknown = good.replace("\"passed\", \"fullName\"", "\"fine\", \"fullName\"");
    shows(&jest(&unknown), &["tests_failed"], "0 passed, 1 failed");
}

#[test]
fn messages_of_a_build_that_are_none_are_no_build() {
    let tree = Tree::of(&[
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
        ("src/lib.rs", ""),
    ]);
    for said in [
        "",
        "not json",
        "{\"reason\":\"build-finished\"}",
        "{\"reason\":\"build-finished\",\"success\":true}\n[[[[",
    ] {
        let script = format!("cat <<'END'\n{said}\nEND\n");
        let report = ask(
            &tree,
            &program("cargo", &script),
            "does it build and do the tests pass?",
        );
        assert_ne!(
            report.json["outcome"], "answered",
            "{said}: {:#}",
            report.json
        );
    }
    let module = Tree::of(&[("go.mod", "module a\n"), ("a.go", "package a\n")]);
    for said in [
        "",
        "nothing",
        "{\"Action\":\"pass\"}",
        "{\"Action\":\"pass\",\"Package\":\"a\"}",
        "{\"Action\":5,\"Test\":[]}",
        "{\"Action\":\"pass\",\"Test\":\"T\"",
    ] {
        let script = format!("cat <<'END'\n{said}\nEND\n");
        let report = ask(&module, &program("go", &script), "do the tests pass?");
        assert_ne!(
            report.json["outcome"], "answered",
            "{said}: {:#}",
            report.json
        );
    }
}
