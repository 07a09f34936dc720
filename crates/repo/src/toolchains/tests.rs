use super::*;

fn chosen(files: &[(&str, &str)]) -> Option<(&'static str, String)> {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(path, text).expect("a file");
    }
    let checkout = Checkout::open(folder.path()).expect("a checkout");
    choose(&checkout, &Limits::default()).map(|choice| (choice.toolchain.sheet().name, choice.why))
}

#[track_caller]
fn check(files: &[&str], expected: &str) {
    let files: Vec<(&str, &str)> = files.iter().map(|path| (*path, "x = 1\n")).collect();
    assert_eq!(
        chosen(&files).map(|(name, _)| name),
        Some(expected),
        "{files:?}"
    );
}

#[test]
fn the_toolchain_of_most_of_the_code_is_taken() {
    check(&["Cargo.toml", "src/lib.rs"], "cargo");
    check(
        &["Cargo.toml", "package.json", "src/lib.rs", "a.js", "b.js"],
        "npm",
    );
    check(&["go.mod", "Makefile", "a.go"], "go");
    check(&["Makefile", "a.c"], "make");
    check(
        &["pyproject.toml", "Makefile", "a.py", "b.c", "c.c"],
        "pytest",
    );
    check(&["CMakeLists.txt", "meson.build", "a.c"], "cmake");
    check(&["tox.ini", "a.py"], "pytest");
    check(&["pom.xml", "build.gradle", "A.java"], "maven");
    check(
        &["sub/Cargo.toml", "sub/src/lib.rs", "a.py", "setup.py"],
        "pytest",
    );
    check(&["sub/Cargo.toml", "sub/src/lib.rs"], "cargo");
}

#[test]
fn what_was_taken_is_told_with_what_was_not() {
    let (_, why) = chosen(&[("Cargo.toml", ""), ("package.json", ""), ("src/lib.rs", "")])
        .expect("a toolchain");
    assert_eq!(why, "cargo was taken for `Cargo.toml`, before npm");
    assert_eq!(chosen(&[("README.md", "")]), None);
}

#[test]
fn places_are_read_from_what_compilers_write() {
    let all = |text: &str| {
        place::all(text)
            .map(|(path, line)| format!("{path}:{line}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        all("thread 'x' panicked at src/lib.rs:7:9:"),
        ["src/lib.rs:7"]
    );
    assert_eq!(all("  File \"a/b.py\", line 3, in f"), ["a/b.py:3"]);
    assert_eq!(all("    at f (/x/y.js:12:5)"), ["/x/y.js:12"]);
    assert_eq!(all("12:30:11 all is well: 3"), Vec::<String>::new());
    let errors = |text: &str| {
        place::errors(text)
            .map(|(path, line, message)| format!("{path}:{line} {message}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        errors("a.c:3:1: warning: no\nb.c:4:2: error: yes"),
        ["b.c:4 error: yes"]
    );
    assert_eq!(
        errors("a.ts(3,1): error TS1: yes"),
        ["a.ts:3 error TS1: yes"]
    );
    assert_eq!(
        errors("../../tree/a.c:3:1: error: yes"),
        ["../../tree/a.c:3 error: yes"]
    );
    assert_eq!(errors("[ERROR] /x/A.java:[5,9] yes"), ["/x/A.java:5 yes"]);
    assert_eq!(errors("an error: no"), Vec::<String>::new());
}

#[test]
fn a_frame_of_java_names_a_package_and_no_folder() {
    let files = [
        "app/src/main/java/p/A.java",
        "app/src/test/java/p/ATest.java",
        "b/src/p/B.java",
        "c/src/p/B.java",
        "D.kt",
    ];
    let files: Vec<crate::path::RepoPath> = files
        .into_iter()
        .filter_map(|path| crate::path::RepoPath::relative(std::path::Path::new(path)))
        .collect();
    let place =
        |text: &str| java::own_frame(text, &files).map(|(path, line)| format!("{path}:{line}"));
    let trace = "java.lang.AssertionError: expected:<2>\n\tat org.junit.Assert.fail(Assert.java:89)\n\tat java.base/p.A.f(A.java:5)\n\tat p.ATest.adds(ATest.java:10)";
    assert_eq!(
        place(trace).as_deref(),
        Some("app/src/main/java/p/A.java:5")
    );
    assert_eq!(
        place("at p.ATest$Inner.lambda$0(ATest.java:7)").as_deref(),
        Some("app/src/test/java/p/ATest.java:7")
    );
    // Two files fit; another package; a file outside the project; a method of the machine itself.
    for none in [
        "at p.B.f(B.java:1)",
        "at q.A.f(A.java:1)",
        "at p.A.f(Native Method)",
        "at p.A.f(A.class:1)",
        "at f (a.js:1:2)",
    ] {
        assert_eq!(place(none), None, "{none}");
    }
    assert_eq!(place("at D.f(D.kt:3)").as_deref(), Some("D.kt:3"));
}
