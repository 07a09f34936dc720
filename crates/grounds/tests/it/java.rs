//! Maven and Gradle as they are: real builds and tests of a tiny project, from the
//! folder of artifacts that Debian's packages fill.

use std::path::{Path, PathBuf};

use crate::support::{Report, Tree, grounds, has, run};
use crate::toolchains::{look, shows};

const ARTIFACTS: &str = "/usr/share/maven-repo";
const BOTH: &str = "does it build and do the tests pass?";
const CODE: &str =
    "package p;\n\npublic class A {\n    public static int f() {\n        return 1;\n    }\n}\n";

/// The version of an artifact that is there with its archive.
fn version(artifact: &str) -> Option<String> {
    let entries = |folder: PathBuf| {
        std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
    };
    let is_archive = |path: PathBuf| path.extension().is_some_and(|ending| ending == "jar");
    let has_archive = |folder: &PathBuf| entries(folder.clone()).any(is_archive);
    let versions = entries(Path::new(ARTIFACTS).join(artifact)).filter(has_archive);
    versions
        .filter_map(|folder| Some(folder.file_name()?.to_str()?.to_owned()))
        .max()
}

/// The versions of artifacts, or nothing where one of them is missing, which fails under CI.
fn versions<const COUNT: usize>(
    program: &str,
    artifacts: [&str; COUNT],
) -> Option<[String; COUNT]> {
    let found = artifacts.map(version);
    let is_there = has(program) && found.iter().all(Option::is_some);
    assert!(
        is_there || std::env::var_os("CI").is_none(),
        "{program} is needed here, and below {ARTIFACTS} {}",
        artifacts.join(", ")
    );
    if !is_there {
        #[expect(clippy::print_stderr, reason = "a skipped test says why")]
        {
            eprintln!(
                "skipped: {program} is not there, or below {ARTIFACTS} one of {}",
                artifacts.join(", ")
            );
        }
        return None;
    }
    Some(found.map(Option::unwrap_or_default))
}

/// A test that expects something of `A.f`, on its line 10.
fn test_of(expected: u32) -> String {
    format!(
        "package p;\n\nimport static org.junit.Assert.assertEquals;\n\nimport org.junit.Test;\n\npublic class ATest {{\n    @Test\n    public void adds() {{\n        assertEquals({expected}, A.f());\n    }}\n}}\n"
    )
}

fn project(manifest: &str, text: &str, expected: u32) -> Tree {
    Tree::of(&[
        (manifest, text),
        ("src/main/java/p/A.java", CODE),
        ("src/test/java/p/ATest.java", &test_of(expected)),
    ])
}

/// Asks with a home that holds the artifacts; the tree is as it was.
#[track_caller]
fn ask(tree: &Tree) -> Report {
    let home = Tree::of(&[(".m2/note", "")]);
    std::os::unix::fs::symlink(ARTIFACTS, home.path(".m2/repository")).expect("a link");
    let before = look(tree.root());
    let mut command = grounds(tree.root());
    let report = Report::of(&run(command
        .args(["--format", "json", "ask", "--run", BOTH])
        .env("HOME", home.root())));
    assert_eq!(look(tree.root()), before, "the tree was touched");
    report
}

/// What passes, what fails in a test, and what does not compile.
fn builds_and_tests(manifest: &str, text: &str) {
    let good = ask(&project(manifest, text, 1));
    shows(
        &good,
        &["target_built", "all_relevant_tests_passed"],
        "It builds: 2 class files",
    );
    assert!(
        good.json["answer"]
            .as_str()
            .is_some_and(|answer| answer.contains("1 passed, 0 failed")),
        "{:#}",
        good.json
    );
    let failing = ask(&project(manifest, text, 2));
    shows(
        &failing,
        &["target_built", "tests_failed"],
        "0 passed, 1 failed",
    );
    // Two lines before the failing one are shown too.
    failing.is_found_at("src/test/java/p/ATest.java", 8);
    let broken = ask(&project(manifest, text, 1).file(
        "src/main/java/p/A.java",
        CODE.replace("return 1", "return nothing_here"),
    ));
    shows(&broken, &["build_failed"], "It does not build");
    broken.is_found_at("src/main/java/p/A.java", 3);
}

#[test]
fn maven() {
    let plugins = [
        "maven-compiler-plugin",
        "maven-surefire-plugin",
        "maven-resources-plugin",
    ];
    let artifacts = plugins.map(|name| format!("org/apache/maven/plugins/{name}"));
    let [compiler, surefire, resources] = artifacts.each_ref().map(String::as_str);
    let Some([compiler, surefire, resources, junit]) =
        versions("mvn", [compiler, surefire, resources, "junit/junit"])
    else {
        return;
    };
    let plugin = |(name, version): (&str, String)| {
        format!("<plugin><artifactId>{name}</artifactId><version>{version}</version></plugin>")
    };
    let plugins: String = plugins
        .into_iter()
        .zip([compiler, surefire, resources])
        .map(plugin)
        .collect();
    let pom = format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>p</groupId><artifactId>a</artifactId><version>1</version>\
         <properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target></properties>\
         <dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>{junit}</version><scope>test</scope></dependency></dependencies>\
         <build><plugins>{plugins}</plugins></build></project>\n"
    );
    builds_and_tests("pom.xml", &pom);
}

#[test]
fn gradle() {
    let Some([junit]) = versions("gradle", ["junit/junit"]) else {
        return;
    };
    let script = format!(
        "apply plugin: 'java'\nrepositories {{ maven {{ url 'file://{ARTIFACTS}' }} }}\ndependencies {{ testCompile 'junit:junit:{junit}' }}\n"
    );
    builds_and_tests("build.gradle", &script);
}
