//! What a hostile or broken environment can do: one clear error or an honest
//! refusal, never a panic, a hang, a wrong answer, or an outage told as absence.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{self, Report, Tree, commit_all, git, grounds, has, run};

const WHERE: &str = "where is TargetThing defined?";
const DEFINITION: &str = "pub struct TargetThing;\n";

// The folder.

#[test]
fn a_folder_that_is_none_is_one_error() {
    let tree = Tree::of(&[("file.rs", DEFINITION)]);
    run(grounds(&tree.path("missing")).args(["ask", WHERE])).is_one_error(2, "no such directory");
    run(grounds(&tree.path("file.rs")).args(["ask", WHERE])).is_one_error(2, "not a directory");
    run(grounds(&tree.path("file.rs/below")).args(["ask", WHERE])).is_one_error(2, "file.rs/below");
    run(grounds(Path::new("")).args(["ask", WHERE])).is_one_error(2, "error");
}

#[test]
fn a_name_of_a_folder_cannot_write_to_the_terminal() {
    let missing = run(grounds(Path::new("/nowhere/\u{1b}[31m\u{202e}x")).args(["ask", WHERE]));
    missing.is_one_error(2, "no such directory");
    missing.is_safe_for_a_terminal();
}

#[test]
fn an_empty_folder_shows_no_absence() {
    let tree = Tree::new();
    tree.ask(WHERE).cannot_tell_for("nothing_to_read");
    let shown = tree.run(&["ask", WHERE]);
    assert!(
        shown.text().contains("there is nothing to read here"),
        "{}",
        shown.text()
    );
}

#[test]
fn a_folder_without_git_is_searched_and_has_no_history() {
    let tree = Tree::of(&[("a.rs", DEFINITION)]);
    tree.ask(WHERE).is_found_at("a.rs", 1);
    tree.ask("what are the last commits?")
        .is_refused("cannot_tell");
}

#[test]
fn a_bare_repository_is_one_error() {
    if !has("git") {
        return;
    }
    let tree = Tree::new();
    git(tree.root(), &["init", "-q", "--bare", "bare.git"]);
    run(grounds(&tree.path("bare.git")).args(["ask", WHERE])).is_one_error(2, "bare repository");
}

#[test]
fn a_shallow_clone_is_searched_like_any_other() {
    if !has("git") {
        return;
    }
    let tree = Tree::of(&[("origin/a.rs", DEFINITION)]);
    commit_all(&tree.path("origin"));
    commit_all(&tree.path("origin"));
    let origin = format!("file://{}", tree.path("origin").display());
    git(
        tree.root(),
        &["clone", "-q", "--depth", "1", &origin, "clone"],
    );
    tree.ask_in("clone", WHERE).is_found_at("a.rs", 1);
    assert_eq!(tree.ask_in("clone", "what are the last commits?").code, 0);
}

#[test]
fn a_repository_without_commits_is_searched_and_has_no_history() {
    if !has("git") {
        return;
    }
    let tree = Tree::of(&[("a.rs", DEFINITION)]);
    git(tree.root(), &["init", "-q"]);
    tree.ask(WHERE).is_found_at("a.rs", 1);
    tree.ask("what are the last commits?")
        .is_refused("cannot_tell");
}

#[test]
fn a_further_work_tree_is_a_repository() {
    if !has("git") {
        return;
    }
    let tree = Tree::of(&[("main/sub/a.rs", DEFINITION)]);
    commit_all(&tree.path("main"));
    git(&tree.path("main"), &["worktree", "add", "-q", "../further"]);
    let report = tree.ask_in("further", WHERE);
    report.is_found_at("sub/a.rs", 1);
    assert!(
        report.json["scope"]["commit"].is_string(),
        "{:#}",
        report.json["scope"]
    );
    assert_eq!(tree.ask_in("further", "what are the last commits?").code, 0);
    let below = Command::new(env!("CARGO_BIN_EXE_grounds"))
        .current_dir(tree.path("further/sub"))
        .args(["--no-store", "--format", "json", "ask", WHERE])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    Report::of(&support::finish(below.expect("the program starts"))).is_found_at("sub/a.rs", 1);
}

#[test]
fn a_submodule_that_is_not_checked_out_could_hold_the_answer() {
    if !has("git") {
        return;
    }
    let tree = Tree::of(&[
        ("library/a.rs", DEFINITION),
        (
            "main/src/b.rs",
            "fn main() { load_it(); }\nfn load_it() {}\npub fn spare_one() {}\n",
        ),
    ]);
    commit_all(&tree.path("library"));
    commit_all(&tree.path("main"));
    git(
        &tree.path("main"),
        &[
            "submodule",
            "--quiet",
            "add",
            "../library",
            "src/vendor/the library",
        ],
    );
    commit_all(&tree.path("main"));
    git(tree.root(), &["clone", "-q", "main", "clone"]);
    tree.ask_in("main", WHERE)
        .is_found_at("src/vendor/the library/a.rs", 1);
    tree.ask_in("clone", WHERE)
        .cannot_tell_for("submodule_not_checked_out");
    tree.ask_in("clone/src", WHERE)
        .cannot_tell_for("submodule_not_checked_out");
    for question in [
        "does nobody call spare_one?",
        "is spare_one unused?",
        "is spare_one ever called?",
        "is load_it only called in src/b.rs?",
        "is load_it called exactly once?",
    ] {
        let (whole, part) = (
            tree.ask_in("main", question),
            tree.ask_in("clone", question),
        );
        assert_ne!(whole.json["refusal"], "cannot_tell", "{question}");
        // Another repository, on which this one depends: what it uses lowers the level.
        assert_eq!(part.json["confidence"]["level"], "Medium", "{question}");
        assert_eq!(part.code, whole.code, "{question}");
        let said = part.json.to_string();
        assert!(
            said.contains("src/vendor/the library"),
            "{question}: {said}"
        );
    }
    let counted = tree.ask_in("clone", "how many functions call load_it?");
    assert!(
        counted.json.to_string().contains("at least 1 place"),
        "{:#}",
        counted.json
    );
    let question = "where is OtherThing defined?";
    tree.ask_in("main", question).is_refused("not_found");
    tree.ask_in("clone", question)
        .cannot_tell_for("submodule_not_checked_out");
}

#[test]
fn what_a_sparse_checkout_leaves_out_could_hold_the_answer() {
    if !has("git") {
        return;
    }
    let tree = Tree::of(&[
        ("main/in/b.rs", "fn main() {}\n"),
        ("main/out/a.rs", DEFINITION),
    ]);
    commit_all(&tree.path("main"));
    git(&tree.path("main"), &["sparse-checkout", "set", "in"]);
    assert!(!tree.path("main/out/a.rs").exists());
    tree.ask_in("main", WHERE)
        .cannot_tell_for("sparse_checkout");
}

#[test]
fn a_pointer_of_large_file_storage_could_stand_for_the_answer() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";
    Tree::of(&[("a.rs", pointer)])
        .ask(WHERE)
        .cannot_tell_for("lfs_pointer");
}

// What lies in it.

#[test]
fn what_cannot_be_read_could_hold_the_answer() {
    let tree = Tree::of(&[("file/a.rs", DEFINITION), ("folder/inner/a.rs", DEFINITION)]);
    let close = |path: &str| {
        fs::set_permissions(tree.path(path), fs::Permissions::from_mode(0o000))
            .expect("permissions are set")
    };
    close("file/a.rs");
    close("folder/inner");
    if fs::read(tree.path("file/a.rs")).is_ok() {
        eprintln!("skipped: permissions do not bind whoever runs the tests");
        return;
    }
    tree.ask_in("file", WHERE).cannot_tell_for("unreadable");
    tree.ask_in("folder", WHERE).cannot_tell_for("unreadable");
    run(grounds(&tree.path("folder/inner")).args(["ask", WHERE]))
        .is_one_error(2, "ermission denied");
}

#[test]
fn bytes_that_are_no_text_do_not_hide_what_stands_beside_them() {
    let tree = Tree::new().file(
        "a.rs",
        b"// \xff\xfe\xc3\x28 \xf0\x9f\npub struct TargetThing; // \xe2\x28\xa1\n",
    );
    tree.ask(WHERE).is_found_at("a.rs", 2);
    let tree = Tree::new().file(OsStr::from_bytes(b"b\xff\xfeb.rs"), DEFINITION);
    tree.ask(WHERE).is_found_at("b\u{fffd}\u{fffd}b.rs", 1);
    let tree = Tree::new().file(OsStr::from_bytes(b"\xffdir/mod.rs"), DEFINITION);
    tree.ask(WHERE).is_found_at("\u{fffd}dir/mod.rs", 1);
}

#[test]
fn a_line_of_ten_megabytes_is_passed_over_or_told() {
    let long = "x".repeat(10 << 20);
    let after = Tree::new()
        .file("a.txt", format!("{long}\n"))
        .file("b.rs", DEFINITION)
        .ask(WHERE);
    after.is_found_at("b.rs", 1);
    let within = Tree::new()
        .file("a.rs", format!("// {long}\n{DEFINITION}"))
        .ask(WHERE);
    assert!(
        within.code == 0 || within.json["refusal"] == "cannot_tell",
        "{:#}",
        within.json
    );
    let short = Tree::new()
        .file(
            "a.rs",
            format!("const X: &str = \"{}\"; {DEFINITION}", "x".repeat(5 << 20)),
        )
        .ask(WHERE);
    short.is_found_at("a.rs", 1);
    assert!(
        short.json["citations"][0]["text"]
            .as_str()
            .is_some_and(|text| text.len() < 10_000)
    );
}

#[test]
fn a_file_that_is_too_large_is_skipped_at_once_and_told() {
    let tree = Tree::new().file("a.rs", "// text\n".repeat(16 << 10));
    let file = fs::OpenOptions::new()
        .write(true)
        .open(tree.path("a.rs"))
        .expect("it opens");
    file.set_len(4 << 30)
        .expect("the file system knows sparse files");
    let report = tree.ask(WHERE);
    report.cannot_tell_for("too_large");
    assert!(report.took < Duration::from_secs(10), "{:?}", report.took);
}

#[test]
fn binaries_do_not_matter_unless_their_name_says_code() {
    let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR TargetThing";
    Tree::new()
        .file("a.png", picture)
        .ask(WHERE)
        .is_refused("not_found");
    Tree::new()
        .file("a.c", picture)
        .ask(WHERE)
        .cannot_tell_for("binary_named_as_code");
}

#[test]
fn text_in_utf_16_is_read_where_it_says_so() {
    let encode = |text: &str, unit: fn(u16) -> [u8; 2]| {
        text.encode_utf16().flat_map(unit).collect::<Vec<u8>>()
    };
    let text = format!("\u{feff}// ä€😀\n{DEFINITION}");
    Tree::new()
        .file("a.rs", encode(&text, u16::to_le_bytes))
        .ask(WHERE)
        .is_found_at("a.rs", 2);
    Tree::new()
        .file("a.rs", encode(&text, u16::to_be_bytes))
        .ask(WHERE)
        .is_found_at("a.rs", 2);
    let long = format!("\u{feff}{}{DEFINITION}", "// ä filler\n".repeat(20_000));
    Tree::new()
        .file("a.rs", encode(&long, u16::to_le_bytes))
        .ask(WHERE)
        .is_found_at("a.rs", 20_001);
    Tree::new()
        .file("a.rs", encode(DEFINITION, u16::to_le_bytes))
        .ask(WHERE)
        .cannot_tell_for("binary_named_as_code");
    Tree::new()
        .file("a.rs", format!("\u{feff}{DEFINITION}"))
        .ask(WHERE)
        .is_found_at("a.rs", 1);
}

#[test]
fn line_ends_of_other_systems_are_line_ends() {
    let tree = Tree::of(&[(
        "a.rs",
        "// one\r\n// two\r\npub struct TargetThing {\r\n    a: u8,\r\n}\r\n",
    )]);
    tree.ask(WHERE).is_found_at("a.rs", 3);
    let shown = tree.run(&["ask", WHERE]);
    shown.is_safe_for_a_terminal();
    assert!(!shown.text().contains("u{d}"), "{}", shown.text());
    let markdown = tree.run(&["--format", "markdown", "ask", WHERE]);
    assert!(!markdown.text().contains("u{d}"), "{}", markdown.text());
}

#[test]
fn a_lone_carriage_return_ends_no_line() {
    let tree = Tree::of(&[("a.py", "x = 1\rclass TargetThing:\r    pass\r")]);
    let report = tree.ask(WHERE);
    assert!(report.code == 0 || report.code == 3, "{:#}", report.json);
    assert_ne!(report.json["refusal"], "not_found");
    tree.run(&["ask", WHERE]).is_safe_for_a_terminal();
}

// Links, pipes and deep folders.

#[test]
fn links_are_never_followed() {
    let tree = Tree::of(&[("outside/a.rs", DEFINITION), ("in/b.rs", "fn main() {}\n")])
        .link("in/loop", ".")
        .link("in/up", "..")
        .link("in/self", "self")
        .link("in/file.rs", "../outside/a.rs")
        .link("in/folder", "../outside");
    let report = tree.ask_in("in", WHERE);
    report.is_refused("not_found");
    assert!(
        report.skipped("symbolic_link") >= 5,
        "{:#}",
        report.json["scope"]
    );
    tree.ask_in("in", "where is a.rs?").is_refused("not_found");
    assert_ne!(tree.ask_in("in", "show me folder/a.rs").code, 0);
}

#[test]
fn files_that_steer_the_search_are_no_way_out_of_the_tree() {
    let secret = "ask:\n  secret-of-another-folder: 1\n";
    let tree = Tree::of(&[("outside/secret", secret), ("in/a.rs", DEFINITION)])
        .link("in/.grounds.yaml", "../outside/secret")
        .link("in/.gitmodules", "../outside/secret")
        .link("in/README.md", "../outside/secret");
    run(grounds(&tree.path("in")).args(["ask", WHERE])).is_one_error(2, "not a regular file");
    fs::remove_file(tree.path("in/.grounds.yaml")).expect("it is removed");
    for question in [WHERE, "what is this project?", "where is README.md?"] {
        let run = run(grounds(&tree.path("in")).args(["--format", "json", "ask", question]));
        run.assert_is_sound();
        assert!(
            !run.text().contains("secret-of-another-folder"),
            "{}",
            run.text()
        );
    }
}

#[test]
fn pipes_and_sockets_never_block() {
    if !has("mkfifo") {
        return;
    }
    let tree = Tree::of(&[("a.rs", DEFINITION), ("sub/b.rs", "")]);
    let _socket = std::os::unix::net::UnixListener::bind(tree.path("socket.rs")).expect("a socket");
    let _hidden =
        std::os::unix::net::UnixListener::bind(tree.path(".socket.rs")).expect("a socket");
    for name in ["pipe.rs", "README.md", "Cargo.toml", ".gitmodules"] {
        assert!(
            Command::new("mkfifo")
                .arg(tree.path(name))
                .status()
                .expect("a pipe")
                .success()
        );
    }
    tree.ask(WHERE).is_found_at("a.rs", 1);
    let report = tree.ask("where is OtherThing defined?");
    report.is_refused("not_found");
    assert!(report.skipped("special_file") > 2);
    for question in [
        "what is this project?",
        "where is README.md?",
        "explain pipe.rs",
        "where is socket.rs?",
    ] {
        tree.ask(question);
    }
    assert!(
        Command::new("mkfifo")
            .arg(tree.path(".grounds.yaml"))
            .status()
            .expect("a pipe")
            .success()
    );
    tree.run(&["ask", WHERE])
        .is_one_error(2, "not a regular file");
}

#[test]
fn a_text_from_a_pipe_is_read_and_one_without_a_writer_is_an_error() {
    if !has("mkfifo") {
        return;
    }
    let tree = Tree::of(&[("a.rs", DEFINITION)]);
    let pipe = tree.path("text.md");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("a pipe").success());
    let done = run(grounds(tree.root()).arg("check").arg(&pipe));
    done.is_one_error(2, "nothing opened it for writing");
    assert!(done.took < Duration::from_secs(60), "{:?}", done.took);
    let writer = std::thread::spawn(move || fs::write(pipe, "`TargetThing` is in `a.rs`.\n"));
    let done = run(grounds(tree.root()).arg("check").arg(tree.path("text.md")));
    writer.join().expect("an end").expect("it was read");
    assert_eq!(done.code, Some(0), "{}", done.text());
}

#[test]
fn ignore_files_that_are_no_files_never_block() {
    if !has("mkfifo") {
        return;
    }
    for name in [".gitignore", ".ignore", "sub/.gitignore"] {
        let tree = Tree::of(&[("a.rs", DEFINITION), ("sub/b.rs", ""), (".git/HEAD", "")]);
        assert!(
            Command::new("mkfifo")
                .arg(tree.path(name))
                .status()
                .expect("a pipe")
                .success()
        );
        tree.ask(WHERE).is_found_at("a.rs", 1);
    }
    let tree = Tree::of(&[("a.rs", DEFINITION), (".git/HEAD", "")]).link(".gitignore", "/dev/zero");
    tree.ask(WHERE).is_found_at("a.rs", 1);
}

#[test]
fn devices_are_not_read() {
    let tree = Tree::of(&[("a.rs", DEFINITION)])
        .link("zero.rs", "/dev/zero")
        .link("random.rs", "/dev/random")
        .link("in.rs", "/dev/stdin");
    tree.ask(WHERE).is_found_at("a.rs", 1);
}

#[test]
fn folders_past_the_depth_that_is_searched_could_hold_the_answer() {
    let deep = "d/".repeat(1_000);
    let report = Tree::new()
        .file(format!("{deep}a.rs"), DEFINITION)
        .ask(WHERE);
    report.cannot_tell_for("depth_limit");
    let deep = "d/".repeat(150);
    Tree::new()
        .file(format!("{deep}a.rs"), DEFINITION)
        .ask(WHERE)
        .is_found_at(&format!("{deep}a.rs"), 1);
    let tree = Tree::of(&[
        ("x/y/a.rs", DEFINITION),
        (".grounds.yaml", "ask:\n  depth_max: 2\n"),
    ]);
    tree.ask(WHERE).cannot_tell_for("depth_limit");
    let tree = Tree::of(&[
        ("x/y/a.rs", DEFINITION),
        (".grounds.yaml", "ask:\n  depth_max: 3\n"),
    ]);
    tree.ask(WHERE).is_found_at("x/y/a.rs", 1);
}

#[test]
fn long_names_are_names() {
    let name = format!("{}.rs", "n".repeat(252));
    Tree::new()
        .file(&name, DEFINITION)
        .ask(WHERE)
        .is_found_at(&name, 1);
}

// Text that a terminal would obey.

const EVIL: &str = "\u{1b}]0;evil\u{7}\u{1b}[31m\u{202e}\u{2066}\u{200b}\u{9b}31m\u{8}\r";

#[test]
fn no_text_of_a_repository_reaches_the_terminal_as_a_command() {
    let tree = Tree::new()
        .file(
            format!("src/{EVIL}.rs"),
            format!(
                "// {EVIL}\npub struct TargetThing; // {EVIL}\nfn f() {{ TargetThing }} // {EVIL}\n"
            ),
        )
        .file(
            format!("src/{EVIL}/b.rs"),
            "fn g() { TargetThing }\npub struct TargetThings;\n",
        )
        .file(format!("Cargo.toml{EVIL}"), EVIL)
        .file(format!("{EVIL}.c"), "\0");
    let questions = [
        WHERE,
        "where is TargetThingy defined?",
        "who uses TargetThing?",
        "search for \"evil\"",
        "explain this project",
        "where is the evil thing handled?",
        "where is Nothing_Like_It defined?",
    ];
    for question in questions {
        for format in ["pretty", "markdown", "json"] {
            for words in [
                &["--format", format, "-v", "ask", question][..],
                &["--format", format, "--progress", "ask", question],
            ] {
                let run = tree.run(words);
                run.assert_is_sound();
                run.is_safe_for_a_terminal();
            }
        }
    }
}

#[test]
fn no_question_reaches_the_terminal_as_a_command() {
    let tree = Tree::of(&[("a.rs", DEFINITION)]);
    for question in [
        format!("where is {EVIL} defined?"),
        format!("where is `Foo{EVIL}` defined?"),
        EVIL.to_owned(),
        format!("in {EVIL}/x where is A"),
    ] {
        for format in ["pretty", "markdown", "json"] {
            for words in [
                &["--format", format, "-v", "ask", &question][..],
                &["--format", format, "--progress", "ask", &question],
            ] {
                let run = tree.run(words);
                run.assert_is_sound();
                run.is_safe_for_a_terminal();
            }
        }
    }
    tree.run(&["ask", WHERE, "--format", EVIL])
        .is_safe_for_a_terminal();
    tree.run(&["ask", WHERE, &format!("--{EVIL}")])
        .is_safe_for_a_terminal();
}

#[test]
fn a_line_end_in_a_name_begins_no_line_of_the_output() {
    let name = "a\nspoofed: answered\n.rs";
    let tree = Tree::new().file(name, DEFINITION);
    tree.ask(WHERE).is_found_at(name, 1);
    for format in ["pretty", "markdown"] {
        for question in [
            WHERE,
            "where is TargetThings defined?",
            "where is `Target\nspoofed: answered\nThing`?",
        ] {
            let shown = tree.run(&["--format", format, "-v", "ask", question]);
            let spoofed = String::from_utf8_lossy(&shown.out)
                .lines()
                .any(|line| line.starts_with("spoofed"));
            assert!(!spoofed, "{}", shown.text());
        }
    }
}

// The question.

#[test]
fn what_is_no_question_is_one_error() {
    let tree = Tree::of(&[("a.rs", DEFINITION)]);
    for question in ["", " ", "\t\n \u{a0}\u{3000}"] {
        tree.run(&["ask", question])
            .is_one_error(2, "empty question");
    }
    tree.run(&["ask", &"x".repeat(100_000)])
        .is_one_error(2, "100000 bytes");
    tree.run(&["ask", &"word ".repeat(5_000)])
        .is_one_error(2, "25000 bytes");
    let run = run(grounds(tree.root())
        .arg("ask")
        .arg(OsStr::from_bytes(b"where is \xff\xfe?")));
    run.assert_is_sound();
    assert_eq!(run.code, Some(2), "{}", run.text());
}

const STRANGE_QUESTIONS: &[&str] = &[
    "wo ist TargetThing definiert?",
    "TargetThing 在哪里定义?",
    "どこで定義されていますか",
    "🦀 🦀?",
    "👩‍👩‍👧 TargetThing 👩‍👩‍👧",
    "أين",
    "?!.,;:",
    "...",
    "-",
    "--",
    "\u{1}\u{0007}\u{fffd}",
    "\u{feff}where is TargetThing defined?",
    "where is \u{2400} defined?",
    "where is .* defined?",
    "where is (a+)+$ defined?",
    "where is [z-a] defined?",
    "where is \\ defined?",
    "search for \"^TargetThing$\"",
    "where is * defined?",
    "where is ${HOME} defined?",
    "where is `` defined?",
    "where is `$(touch x)` defined?",
    "where is ; rm -rf / defined?",
    "where is 'a defined?",
    "where is \u{301}\u{301} defined?",
    "where is ﬁ defined?",
    "where is İstanbul defined?",
    "where is ǅungla defined?",
    "where is ẞ_ẞ defined?",
    "where is Ω::Ω::Ω defined?",
    "where is :: defined?",
    "where is . defined?",
    "where is .. defined?",
    "where is / defined?",
    "where is // defined?",
    "where is a/ defined?",
    "where is ./ defined?",
    "in / where is /",
    "where is -> defined?",
    "where is () defined?",
    "where is <> defined?",
    "where is Foo<Bar< defined?",
    "who calls ?",
    "compare and",
    "what is",
    "find",
    "diff",
    "in",
    "last commits of -- --output=x",
    "last commits of :(top)a.rs",
    "last commits in ../..",
    "what changed in --all",
];

#[test]
fn no_question_of_whatever_letters_breaks_the_program() {
    let tree = Tree::of(&[("a.rs", DEFINITION)]);
    let long = [
        "how does a ".repeat(360),
        "compare and with ".repeat(230),
        "can you please tell me where ".repeat(130),
        "is are * ... ".repeat(300),
        "x,".repeat(1_999),
        "`a` ".repeat(999),
        "'".repeat(4_000),
        "\"".repeat(3_999),
        "(".repeat(4_000),
        "a::".repeat(1_300),
        "a.b/".repeat(999),
        "é".repeat(2_000),
        "in the tests under src/a ".repeat(150),
        format!("where is {} defined?", "Ab1_".repeat(900)),
        format!("where is {} defined?", "b".repeat(1_000)),
        format!("where is {} defined?", "ß".repeat(900)),
        format!("search for \"{}\"", "needle in hay ".repeat(250)),
    ];
    for question in long
        .iter()
        .map(String::as_str)
        .chain(STRANGE_QUESTIONS.iter().copied())
    {
        let run = run(grounds(tree.root()).args(["--format", "json", "ask", "--", question]));
        run.assert_is_sound();
        assert!(
            run.took < Duration::from_secs(10),
            "{:?} for {question}",
            run.took
        );
        if run.code != Some(2) {
            serde_json::from_slice::<serde_json::Value>(&run.out)
                .unwrap_or_else(|error| panic!("{error}: {}", run.text()));
        }
    }
    assert!(!tree.path("x").exists());
}

#[test]
fn a_name_in_another_script_is_found() {
    let tree = Tree::of(&[
        (
            "a.py",
            "class Größenmaß:\n    pass\n\ndef 计算():\n    pass\n",
        ),
        ("b.rs", DEFINITION),
    ]);
    tree.ask("where is Größenmaß defined?")
        .is_found_at("a.py", 1);
    tree.ask("where is 计算 defined?").is_found_at("a.py", 4);
}

#[test]
fn a_path_in_the_question_leads_nowhere_outside() {
    let tree = Tree::of(&[
        ("outside.txt", "secret-of-another-folder"),
        ("in/a.rs", DEFINITION),
    ]);
    let absolute = tree.path("outside.txt").display().to_string();
    let paths = [
        "../outside.txt",
        "../../../../../../etc/passwd",
        "/etc/passwd",
        "file:///etc/passwd",
        "in/../../outside.txt",
        &absolute,
    ];
    for path in paths {
        for question in [
            format!("where is {path}?"),
            format!("show me {path}"),
            format!("explain {path}"),
            format!("where is x in {path}?"),
            format!("last commits of {path}"),
        ] {
            let run = run(grounds(&tree.path("in")).args(["--format", "json", "ask", &question]));
            let report = Report::of(&run);
            assert_ne!(report.code, 0, "{question}: {}", run.text());
            assert!(
                !run.text().contains("secret-of") && !run.text().contains("root:"),
                "{}",
                run.text()
            );
        }
    }
}

// Where the search has its seams.

/// A definition whose first letter stands at this byte, and its line.
fn placed(at: usize, definition: &str) -> (String, u64) {
    let line = "// a line that fills the file up to the place where it matters\n";
    let mut text = line.repeat((at - 3) / line.len());
    let lines = text.matches('\n').count() as u64;
    let rest = at - text.len();
    if rest >= 4 {
        text.push_str(&format!("/*{}*/", "-".repeat(rest - 4)));
    } else {
        text.push_str(&" ".repeat(rest));
    }
    text.push_str(definition);
    (text, lines + 1)
}

#[test]
fn what_spans_two_windows_is_found_on_its_line() {
    const WINDOW: usize = 64 << 10;
    let (name, definition) = ("BorderCase", "pub struct BorderCase;\n");
    for window in [1, 2, 3] {
        for part in [0, 1, 2] {
            let mut tree = Tree::new();
            let mut expected = Vec::new();
            for offset in (0..90).filter(|offset| offset % 3 == part) {
                let (text, line) = placed(window * WINDOW + 30 - offset, definition);
                tree = tree.file(format!("at{offset}.rs"), text);
                expected.push((format!("at{offset}.rs"), line));
            }
            let report = tree.ask(&format!("where is {name} defined?"));
            for (path, line) in &expected {
                report.is_found_at(path, *line);
            }
        }
    }
}

#[test]
fn a_longer_word_that_spans_two_windows_is_another_word() {
    const WINDOW: usize = 64 << 10;
    let mut tree = Tree::new();
    for offset in 0..40 {
        let (text, _) = placed(
            WINDOW + 10 - offset,
            "pub struct xBorderCase; pub struct BorderCasex;\n",
        );
        tree = tree.file(format!("at{offset}.rs"), text);
    }
    let report = tree.ask("where is BorderCase defined?");
    assert!(report.code == 3, "{:#}", report.json);
}

#[test]
fn a_target_of_a_thousand_bytes_is_found_across_windows() {
    let name = "a".repeat(999) + "Z";
    let (text, line) = placed((64 << 10) - 500, &format!("pub struct {name};\n"));
    let report = Tree::new()
        .file("a.rs", text)
        .ask(&format!("where is {name} defined?"));
    assert!(
        report.code != 0 || report.json["citations"][0]["line_start"] == line,
        "{:#}",
        report.json
    );
    assert!(
        report.json["goal"]["targets"][0]["text"]
            .as_str()
            .is_some_and(|text| text.len() <= 1_000)
    );
}

#[test]
fn a_definition_after_many_uses_is_found() {
    let text = |uses: usize| {
        format!(
            "fn main() {{\n{}}}\npub fn target_thing() {{}}\n",
            "    target_thing();\n".repeat(uses)
        )
    };
    for uses in [65, 1_000] {
        Tree::new()
            .file("a.rs", text(uses))
            .ask("where is target_thing defined?")
            .is_found_at("a.rs", uses as u64 + 3);
    }
    let report = Tree::new()
        .file("a.rs", text(60_000))
        .ask("where is target_thing defined?");
    assert!(
        report.code == 0 || report.json["refusal"] == "cannot_tell",
        "{:#}",
        report.json
    );
}

// The program's own ends.

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let tree = Tree::new()
        .file("a.rs", DEFINITION)
        .file("b.rs", "fn f() { TargetThing }\n".repeat(2_000));
    for words in [
        &["ask", WHERE][..],
        &["--format", "json", "ask", "who uses TargetThing?"],
        &["schema", "ask"],
        &["--help"],
    ] {
        let mut child = grounds(tree.root())
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let run = support::finish(child);
        assert_eq!(
            (run.code, run.err.as_slice()),
            (Some(0), b"".as_slice()),
            "{}",
            run.text()
        );
    }
}

#[test]
fn an_output_that_takes_nothing_is_a_failure() {
    if !Path::new("/dev/full").exists() {
        eprintln!("skipped: there is no /dev/full");
        return;
    }
    let tree = Tree::of(&[("a.rs", DEFINITION)]);
    for words in [
        &["ask", WHERE][..],
        &["--format", "json", "ask", WHERE],
        &["--format", "markdown", "ask", WHERE],
        &["schema", "ask"],
    ] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .expect("it opens");
        let child = grounds(tree.root())
            .args(words)
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        support::finish(child).is_one_error(1, "cannot write");
    }
}

#[test]
fn an_output_that_is_closed_is_a_failure() {
    if !Path::new("/dev/full").exists() {
        eprintln!("skipped: there is no /dev/full");
        return;
    }
    let tree = Tree::of(&[("a.rs", DEFINITION)]);
    let program = env!("CARGO_BIN_EXE_grounds");
    for (redirects, code) in [
        (">&-", 1),
        ("<&- >&-", 1),
        (">/dev/null", 0),
        ("<>/dev/null 1>&0", 0),
    ] {
        let child = Command::new("sh")
            .args([
                "-c",
                &format!("exec \"$0\" --no-store ask \"$1\" {redirects}"),
                program,
                WHERE,
            ])
            .current_dir(tree.root())
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let run = support::finish(child);
        assert_eq!(run.code, Some(code), "{redirects}: {}", run.text());
        assert_eq!(
            run.text().contains("cannot write"),
            code == 1,
            "{redirects}: {}",
            run.text()
        );
    }
}

/// A limit of the system ends a run before it has begun, as one error: no panic, and no abort in the middle.
#[test]
fn limits_of_the_system_are_one_error() {
    let program = env!("CARGO_BIN_EXE_grounds");
    let tree = Tree::of(&[("a.rs", DEFINITION)]);
    let size = fs::metadata(program).expect("the program").len();
    let memory = format!("--as={}", size + (64 << 20));
    let as_nobody = [
        "setpriv",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        "prlimit",
        "--nproc=1",
    ];
    let cases: [(&[&str], &str); 2] = [
        (&["prlimit", &memory], "the limit of memory leaves"),
        // Root is bound by no number of processes.
        (&as_nobody, "cannot start the threads"),
    ];
    for (words, said) in cases {
        let (first, rest) = words.split_first().expect("a program");
        let started = Command::new(first)
            .args(rest)
            .args([program, "--no-store", "ask", WHERE])
            .current_dir(tree.root())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let Ok(child) = started else {
            eprintln!("skipped: {first} is not installed");
            continue;
        };
        let run = support::finish(child);
        if matches!(run.code, Some(126 | 127)) || run.text().contains("setpriv") {
            eprintln!("skipped: {}", run.text());
            continue;
        }
        run.is_one_error(1, said);
    }
}

/// Whether interrupts are ignored here, as in what a shell starts in the background.
fn is_interrupt_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 0b10 != 0)
}

#[test]
fn an_interrupt_ends_the_program_at_once() {
    use std::os::unix::process::ExitStatusExt as _;
    if is_interrupt_ignored() {
        eprintln!(
            "skipped: whoever started the tests ignores interrupts, and so do all programs that they start"
        );
        return;
    }
    let tree = Tree::new()
        .file(".grounds.yaml", "ask:\n  file_bytes_max: 1000000000000\n")
        .file("a.rs", "// text\n".repeat(16 << 10));
    let file = fs::OpenOptions::new()
        .write(true)
        .open(tree.path("a.rs"))
        .expect("it opens");
    file.set_len(400 << 30)
        .expect("the file system knows sparse files");
    let mut child = grounds(tree.root())
        .args(["ask", WHERE])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    std::thread::sleep(Duration::from_millis(500));
    assert!(
        child.try_wait().expect("a status").is_none(),
        "it should still be reading"
    );
    let sent = std::time::Instant::now();
    support::send(rustix::process::Signal::INT, child.id()).expect("the signal is sent");
    let status = child.wait().expect("it ends");
    assert!(
        status.signal() == Some(2) || status.code() == Some(130),
        "{status}"
    );
    assert!(sent.elapsed() < Duration::from_secs(2));
}

#[test]
fn files_that_change_while_they_are_read_give_no_wrong_answer() {
    let tree = Tree::new();
    let path = tree.path("a.rs");
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                let _ = fs::write(&path, format!("{}{DEFINITION}", "// text\n".repeat(1_000)));
                let _ = fs::write(&path, DEFINITION);
                let _ = fs::remove_file(&path);
            }
        });
        // A failure must end the writer too.
        let asked = std::panic::catch_unwind(|| {
            for _ in 0..20 {
                let report = tree.ask(WHERE);
                let text = report.json["citations"][0]["text"]
                    .as_str()
                    .map(str::to_owned);
                assert!(
                    text.is_none_or(|text| text == DEFINITION.trim_end()),
                    "{:#}",
                    report.json
                );
            }
        });
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        if let Err(panic) = asked {
            std::panic::resume_unwind(panic);
        }
    });
}

#[test]
fn output_that_is_no_terminal_has_no_colour() {
    let tree = Tree::of(&[("a.rs", DEFINITION)]);
    for words in [
        &["ask", WHERE][..],
        &["--no-color", "ask", WHERE],
        &["-v", "ask", "where is B defined?"],
        &["ask", ""],
        &["--help"],
        &["--nothing"],
    ] {
        for value in ["", "1"] {
            let shown = run(grounds(tree.root())
                .env("NO_COLOR", value)
                .env("TERM", "xterm-256color")
                .args(words));
            assert!(!shown.text().contains('\u{1b}'), "{}", shown.text());
        }
    }
}

// git and the configuration.

#[test]
fn a_repository_cannot_make_the_program_run_anything() {
    if !has("git") {
        return;
    }
    for in_work_tree_config in [false, true] {
        let tree = Tree::of(&[
            ("repo/a.rs", DEFINITION),
            ("repo/.gitattributes", "* filter=x diff=x merge=x\n"),
        ]);
        let repo = tree.path("repo");
        commit_all(&repo);
        let marker = tree.path("marker");
        let touch = format!("touch '{}'; cat", marker.display());
        let script = tree.path("evil.sh");
        fs::write(
            &script,
            format!("#!/bin/sh\ntouch '{}'\n", marker.display()),
        )
        .expect("a script");
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755))
            .expect("permissions are set");
        let hooks = tree.path("hooks");
        fs::create_dir(&hooks).expect("a folder");
        for hook in [
            "post-index-change",
            "pre-commit",
            "fsmonitor-watchman",
            "reference-transaction",
            "post-checkout",
        ] {
            fs::copy(&script, hooks.join(hook)).expect("a hook");
            fs::copy(&script, repo.join(".git/hooks").join(hook)).expect("a hook");
        }
        let script = script.display().to_string();
        let hostile = format!(
            "[core]\n\tfsmonitor = {script}\n\thooksPath = {}\n\tsshCommand = {script}\n\tpager = {script}\n\teditor = {script}\n\
             [filter \"x\"]\n\tclean = {touch}\n\tsmudge = {touch}\n\tprocess = {script}\n\trequired = true\n\
             [diff]\n\texternal = {script}\n[diff \"x\"]\n\ttextconv = {script}\n\tcommand = {script}\n\
             [alias]\n\tstatus = !{script}\n\tlog = !{script}\n\trev-parse = !{script}\n\tconfig = !{script}\n\
             [gpg]\n\tprogram = {script}\n[log]\n\tshowSignature = true\n[credential]\n\thelper = !{script}\n[pager]\n\tlog = {script}\n\tstatus = {script}\n",
            hooks.display()
        );
        let config = fs::read_to_string(repo.join(".git/config")).expect("a configuration");
        if in_work_tree_config {
            fs::write(
                repo.join(".git/config"),
                format!("{config}[extensions]\n\tworktreeConfig = true\n"),
            )
            .expect("it is written");
            fs::write(repo.join(".git/config.worktree"), hostile).expect("it is written");
        } else {
            fs::write(repo.join(".git/included"), hostile).expect("it is written");
            fs::write(
                repo.join(".git/config"),
                format!("{config}[include]\n\tpath = included\n"),
            )
            .expect("it is written");
        }
        // The same size and another time: git has to look at the content to tell whether it changed.
        fs::write(repo.join("a.rs"), DEFINITION.replace("pub", "Pub")).expect("it is written");
        for question in [
            WHERE,
            "what are the last commits?",
            "what changed?",
            "last commits of a.rs",
            "who wrote the last commit?",
        ] {
            tree.ask_in("repo", question);
            assert!(
                !marker.exists(),
                "a program ran at `{question}`, work tree configuration: {in_work_tree_config}"
            );
        }
    }
}

#[test]
fn a_configuration_that_is_wrong_is_one_error_with_its_place() {
    let at = |text: &str| {
        Tree::of(&[("a.rs", DEFINITION), (".grounds.yaml", text)]).run(&["ask", WHERE])
    };
    for text in [
        "ask: [",
        "ask:\n  steps_max: many\n",
        "ask:\n  nothing_known: 1\n",
        "other: 1\n",
        "ask:\n\t- x\n",
        "- 1\n",
        "&a [*a, *b]\n",
        "ask:\n  threads: -1\n",
    ] {
        let run = at(text);
        run.is_one_error(2, ".grounds.yaml");
        assert!(
            run.text().contains("line ") && run.text().contains("column "),
            "{}",
            run.text()
        );
        run.is_safe_for_a_terminal();
    }
    for number in ["99999999999999999999999999", "-5", "1e99", ".nan"] {
        at(&format!("ask:\n  file_bytes_max: {number}\n")).is_one_error(2, "line 2");
    }
    for name in ["steps_max", "citations_max", "excerpt_lines_max", "threads"] {
        at(&format!("ask:\n  {name}: 0\n")).is_one_error(2, "0 is not from 1 to");
        at(&format!("ask:\n  {name}: 4000000000\n")).is_one_error(2, "at line 2, column");
    }
    at(&format!("ask:\n  steps_max: 1 # {}\n", "x".repeat(1 << 20))).is_one_error(2, "bytes");
    at(&format!("{}x", "[".repeat(100_000))).is_one_error(2, ".grounds.yaml");
    at(&format!("ask:\n  \"{EVIL}\": 1\n")).is_safe_for_a_terminal();
    let bomb = (1..30).fold("a0: &a0 [x]\n".to_owned(), |text, n| {
        format!(
            "{text}a{n}: &a{n} [*a{0},*a{0},*a{0},*a{0},*a{0},*a{0},*a{0},*a{0}]\n",
            n - 1
        )
    });
    at(&bomb).is_one_error(2, ".grounds.yaml");
    let tree = Tree::new()
        .file("a.rs", DEFINITION)
        .file(".grounds.yaml", b"ask: \xff\n");
    tree.run(&["ask", WHERE]).is_one_error(2, ".grounds.yaml");
}

#[test]
fn absurd_bounds_are_bounds() {
    for number in ["18446744073709551615", "9223372036854775807", "4294967296"] {
        let bounds = [
            "total_ms_max",
            "leads_max",
            "file_bytes_max",
            "parse_bytes_max",
            "ignored_bytes_max",
            "pass_ms_max",
            "depth_max",
        ];
        let config: String = bounds
            .iter()
            .map(|name| format!("  {name}: {number}\n"))
            .collect();
        let tree = Tree::of(&[
            ("a.rs", DEFINITION),
            ("b.rs", ""),
            (".grounds.yaml", &format!("ask:\n{config}")),
        ]);
        tree.ask(WHERE).is_found_at("a.rs", 1);
        tree.ask("where is OtherThing defined?")
            .is_refused("not_found");
    }
    for name in [
        "total_ms_max",
        "file_bytes_max",
        "ignored_bytes_max",
        "pass_ms_max",
        "depth_max",
        "parse_bytes_max",
    ] {
        let text = "// text\n".repeat(10_000) + DEFINITION;
        let tree = Tree::of(&[
            ("x/a.rs", &text),
            (".grounds.yaml", &format!("ask:\n  {name}: 0\n")),
        ]);
        let report = tree.ask(WHERE);
        assert!(
            report.code == 0 || report.json["refusal"] == "cannot_tell",
            "{name}: {:#}",
            report.json
        );
    }
}

#[test]
fn what_is_ignored_or_hidden_is_found_in_a_second_pass_that_is_told() {
    if !has("git") {
        return;
    }
    let ignored = Tree::of(&[("a.rs", DEFINITION), (".gitignore", "*\n")]);
    git(ignored.root(), &["init", "-q"]);
    let hidden = Tree::of(&[
        (".hidden/deep/.a.rs", DEFINITION),
        ("b.rs", "fn main() {}\n"),
    ]);
    for (tree, path) in [(ignored, "a.rs"), (hidden, ".hidden/deep/.a.rs")] {
        let report = tree.ask(WHERE);
        report.is_found_at(path, 1);
        assert_eq!(report.json["metrics"]["recovery_attempts"], 1);
        let shown = tree.run(&["ask", WHERE]);
        assert!(shown.text().contains("second pass"), "{}", shown.text());
    }
}

// Source that is hard to parse.

#[test]
fn source_that_nests_without_end_is_bounded_in_time() {
    let (open, close) = ("(".repeat(100_000), ")".repeat(100_000));
    let (brace, unbrace) = ("{".repeat(100_000), "}".repeat(100_000));
    let files = [
        (
            "after.rs",
            format!("fn f() {{ {open}1{close} }}\n{DEFINITION}"),
        ),
        (
            "inside.rs",
            format!("fn f() {{ {brace} struct TargetThing; {unbrace} }}\n"),
        ),
        ("open.rs", format!("fn f() {{ {open}\n{DEFINITION}")),
        (
            "a.js",
            format!(
                "x = {}1{};\nclass TargetThing {{}}\n",
                "[".repeat(100_000),
                "]".repeat(100_000)
            ),
        ),
        (
            "a.c",
            format!(
                "int x = {open}1{close};\nstruct TargetThing {{ int a; }};\n{}",
                "#if X\n".repeat(50_000)
            ),
        ),
        (
            "a.py",
            format!("x = {open}1{close}\nclass TargetThing:\n    pass\n"),
        ),
        (
            "a.cpp",
            format!(
                "{}TargetThing{};\n",
                "A<".repeat(50_000),
                ">".repeat(50_000)
            ),
        ),
    ];
    for (name, text) in files {
        let report = Tree::new().file(name, text).ask(WHERE);
        // A parse is given up after 10 seconds, and a file is parsed for more than one thing.
        assert!(
            report.took < Duration::from_secs(60),
            "{name}: {:?}",
            report.took
        );
        assert!(
            report.code == 0 || report.json["refusal"] != "not_found",
            "{name}: {:#}",
            report.json
        );
    }
}

#[test]
fn one_huge_line_of_minified_code_is_bounded_in_time() {
    let text = "function a(b){return TargetThing(b)+b}".repeat(60_000);
    let tree = Tree::new()
        .file("a.min.js", &text)
        .file("b.js", text.clone() + ";class TargetThing{}");
    for question in [
        WHERE,
        "who calls TargetThing?",
        "where is TargetThung defined?",
    ] {
        let report = tree.ask(question);
        assert!(
            report.took < Duration::from_secs(60),
            "{question}: {:?}",
            report.took
        );
        assert!(
            report.json["refusal"] != "not_found" || question.contains("Thung"),
            "{:#}",
            report.json
        );
    }
}

/// A configuration on disk is compared with the one that counts, and waits for no writer.
#[test]
fn a_pipe_in_the_place_of_the_configuration_is_told_by_a_review() {
    if !has("git") || !has("mkfifo") {
        return;
    }
    let tree = Tree::of(&[("a.rs", DEFINITION), (".grounds.yaml", "rules: {}\n")]);
    commit_all(tree.root());
    fs::remove_file(tree.path(".grounds.yaml")).expect("it is removed");
    let made = Command::new("mkfifo")
        .arg(tree.path(".grounds.yaml"))
        .status();
    assert!(made.is_ok_and(|made| made.success()), "a pipe");
    let run = run(grounds(tree.root()).args(["review", "--no-model", "--commit", "HEAD"]));
    assert!(run.took < Duration::from_secs(30), "{:?}", run.took);
    assert!(run.code.is_some_and(|code| code < 8), "{}", run.text());
}
