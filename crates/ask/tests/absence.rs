//! What does not exist is never answered, and what was not read is never said to be absent.

use std::path::Path;

use grounds_ask::{Decision, Investigation, QuestionBudget, investigate, understand};
use grounds_evidence::requirement::Bar;
use grounds_evidence::{ConfidenceLevel, Outcome, RefusalKind};
use grounds_repo::checkout::Checkout;
use grounds_repo::means::Means;
use grounds_repo::scope::SkipReason;
use grounds_repo::survey::Progress;

/// A tree of its own for one test.
struct Tree(tempfile::TempDir);

impl Tree {
    fn of<B: AsRef<[u8]>>(files: &[(&str, B)]) -> Self {
        let tree = Self(tempfile::tempdir().expect("a folder"));
        for (path, bytes) in files {
            let path = tree.0.path().join(path);
            let folder = path.parent().unwrap_or(Path::new("."));
            std::fs::create_dir_all(folder).expect("a folder");
            std::fs::write(path, bytes).expect("a file");
        }
        tree
    }

    fn ask(&self, question: &str) -> Investigation {
        let checkout = Checkout::open(self.0.path()).expect("it opens");
        investigate(
            understand(question).expect("a question"),
            &checkout,
            &QuestionBudget::default(),
            Bar::Default,
            &Means::default(),
            &Progress::default(),
            &|_| {},
        )
    }
}

fn cited(investigation: &Investigation) -> Vec<String> {
    let answer = investigation.answer.iter();
    answer
        .flat_map(grounds_ask::answer::Answer::citations)
        .map(|citation| match &citation.cited {
            grounds_ask::answer::CitedPart::Lines(excerpt) => {
                format!("{}:{}", citation.path, excerpt.line_start)
            }
            _ => citation.path.clone(),
        })
        .collect()
}

/// Five languages: each has a `close` in an owner, and uses of it.
const LANGUAGES: &[(&str, &str)] = &[
    (
        "a.py",
        "class Session:\n    def close(self):\n        pass\n\n\nclass Pool:\n    def drain(self):\n        pass\n\n\ns = Session()\ns.close()\n",
    ),
    (
        "b.go",
        "package b\n\ntype Socket struct{}\n\nfunc (s *Socket) Shut() error { return nil }\n\nfunc run(s *Socket) { s.Shut() }\n",
    ),
    (
        "c.rs",
        "pub struct Handle;\n\nimpl Handle {\n    pub fn finish(&self) {}\n}\n\npub fn run(h: &Handle) {\n    h.finish();\n}\n",
    ),
    (
        "d.js",
        "function Emitter() {}\nEmitter.prototype.emit = function emit(x) { return x; };\nmodule.exports = Emitter;\nnew Emitter().emit(1);\n",
    ),
    (
        "E.java",
        "class E {\n    static class Reader { String next() { return \"json\"; } }\n    void f(Reader r) { r.next(); }\n}\n",
    ),
    (
        "f.rb",
        "module Paint\n  class Brush\n    def stroke\n    end\n  end\nend\nPaint::Brush.new.stroke\n",
    ),
];

const WORDINGS: &[&str] = &[
    "where is {x} defined?",
    "where is {x}?",
    "where is {x} used?",
    "who calls {x}?",
    "who uses {x}?",
    "what does {x} return?",
    "what does {x} do?",
    "how does {x} work?",
    "explain {x}",
    "is {x} used?",
    "is {x} tested?",
    "search for {x}",
    "search for \"{x}\"",
    "find `{x}`",
    "show me {x}",
    "where is {x} implemented?",
    "what implements {x}?",
    "list all uses of {x}",
    "what depends on {x}?",
    "is {x} ever called?",
];

#[test]
fn a_member_of_an_owner_that_is_not_there_is_never_answered() {
    let tree = Tree::of(LANGUAGES);
    for name in [
        "Zorblatt.close",
        "Zorblatt.Shut",
        "Zorblatt::finish",
        "Zorblatt#emit",
        "Zorblatt->next",
        "Zorblatt.Brush.stroke",
        "zorblatt.json",
    ] {
        for wording in WORDINGS {
            let question = wording.replace("{x}", name);
            let told = tree.ask(&question);
            assert_ne!(
                told.outcome,
                Outcome::Answered,
                "{question}: {:?}",
                cited(&told)
            );
        }
    }
}

#[test]
fn a_member_of_another_owner_is_never_answered() {
    let tree = Tree::of(LANGUAGES);
    for name in [
        "Pool.close",
        "Handle.Shut",
        "Socket.finish",
        "Reader.emit",
        "Brush.next",
    ] {
        for wording in WORDINGS {
            let question = wording.replace("{x}", name);
            let told = tree.ask(&question);
            assert_ne!(
                told.outcome,
                Outcome::Answered,
                "{question}: {:?}",
                cited(&told)
            );
        }
    }
}

#[test]
fn a_member_of_its_owner_is_found() {
    let tree = Tree::of(LANGUAGES);
    for (name, place) in [
        ("Session.close", "a.py:2"),
        ("Socket.Shut", "b.go:5"),
        ("Handle::finish", "c.rs:4"),
        ("Emitter.emit", "d.js:2"),
        ("Emitter.prototype.emit", "d.js:2"),
        ("Reader.next", "E.java:2"),
        ("Brush#stroke", "f.rb:3"),
        ("Paint::Brush", "f.rb:2"),
    ] {
        let told = tree.ask(&format!("where is {name} defined?"));
        assert_eq!(cited(&told), [place], "{name}: {:?}", told.outcome);
    }
}

#[test]
fn a_use_is_open_where_types_are_not_read() {
    let tree = Tree::of(&[
        (
            "Store.php",
            "<?php\nnamespace Shop;\nclass Store {\n  static function load() {}\n\
             \x20 function again() { self::load(); }\n}\n",
        ),
        (
            "main.php",
            "<?php\nuse Shop\\Store as S;\nclass Other { static function load() {} }\n\
             \\Shop\\Store::load();\nS::load();\n\
             Other::load();\n$store->load();\n$any->load();\n",
        ),
    ]);
    let told = tree.ask("who calls Store::load?");
    assert_eq!(told.outcome, Outcome::Answered);
    let answer = format!("{:?}", told.answer);
    assert!(answer.contains("called in 3 places"), "{answer}");
    assert!(
        answer.contains("2 sites more that the text does not decide"),
        "{answer}"
    );
    assert!(
        answer.contains("1 site of the same name is resolved to something else"),
        "{answer}"
    );
}

#[test]
fn a_near_miss_names_the_owner_that_has_the_member() {
    let told = Tree::of(LANGUAGES).ask("who calls Zorblatt.close?");
    assert_eq!(told.outcome, Outcome::Insufficient(RefusalKind::NotFound));
    let leads: Vec<&str> = told
        .leads
        .places
        .iter()
        .map(|lead| lead.why.as_str())
        .collect();
    assert!(
        leads.contains(&"`close` exists, as `Session.close`; there is no `Zorblatt` in the tree"),
        "{leads:?}"
    );
}

#[test]
fn a_dotted_name_occurs_where_the_whole_of_it_is_written() {
    let tree = Tree::of(&[
        ("a.md", "Call `http.Server` here.\nA server of HTTP.\n"),
        (
            "b.go",
            "package b\n\nvar s = http.Server{}\nvar Server = 1\n",
        ),
    ]);
    for question in ["search for http.Server", "search for \"http.Server\""] {
        let mut places = cited(&tree.ask(question));
        places.sort_unstable();
        assert_eq!(places, ["a.md:1", "b.go:3"], "{question}");
    }
}
#[test]
fn an_empty_folder_shows_no_absence() {
    let told = Tree::of::<&str>(&[]).ask("where is TargetThing defined?");
    assert_eq!(told.outcome, Outcome::Insufficient(RefusalKind::CannotTell));
    assert!(told.scope.skipped.contains_key(&SkipReason::NothingToRead));
}

#[test]
fn a_folder_with_hidden_files_alone_was_read() {
    let told = Tree::of(&[(".bashrc", "x=1\n")]).ask("where is TargetThing defined?");
    assert_eq!(told.outcome, Outcome::Insufficient(RefusalKind::NotFound));
}

#[test]
fn a_part_of_the_tree_that_is_not_there_is_told() {
    let tree = Tree::of(&[("src/a.rs", "pub struct TargetThing;\n")]);
    for place in ["Vue.js", "src/net", "lib/"] {
        let told = tree.ask(&format!("where is TargetThing defined in {place}?"));
        assert_eq!(
            told.outcome,
            Outcome::Insufficient(RefusalKind::CannotTell),
            "{place}"
        );
        let skipped = &told.scope.skipped[&SkipReason::NoSuchPath];
        assert_eq!(skipped.examples, [place.trim_matches('/')]);
    }
    let told = tree.ask("where is TargetThing defined in src/a.rs?");
    assert_eq!(told.outcome, Outcome::Answered);
    let told = tree.ask("where is OtherThing defined in src/a.rs?");
    assert_eq!(told.outcome, Outcome::Insufficient(RefusalKind::NotFound));
}

#[test]
fn letters_inside_words_are_found_but_no_word() {
    let tree = Tree::of(&[("a.rs", "fn a(matches: bool) {}\n".repeat(20))]);
    let told = tree.ask("search for \"matche\"");
    assert_eq!(
        told.outcome,
        Outcome::Insufficient(RefusalKind::FoundButNotThat)
    );
    assert_eq!(
        told.leads.places[0].why,
        "`matche` is a part of other words here, in 20 places in all"
    );
}

#[test]
fn text_that_looks_binary_could_hold_the_answer() {
    let text = "# Notes\nTargetThing is here.\n";
    let utf_16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf_32: Vec<u8> = text
        .chars()
        .flat_map(|letter| u32::from(letter).to_be_bytes())
        .collect();
    for (name, bytes) in [
        ("a.md", format!("{text}\0").into_bytes()),
        ("a.conf", format!("\0{text}").into_bytes()),
        ("a.ipynb", format!("{text}\0").into_bytes()),
        ("notes", utf_16.clone()),
        ("a.txt", utf_16),
        ("a.txt", utf_32),
    ] {
        let tree = Tree::of(&[(name, bytes)]);
        let told = tree.ask("where is TargetThing used?");
        assert_eq!(
            told.outcome,
            Outcome::Insufficient(RefusalKind::CannotTell),
            "{name}"
        );
        let skipped = &told.scope.skipped[&SkipReason::BinaryMatch];
        assert_eq!(skipped.examples, [name]);
        let told = tree.ask("where is OtherThing used?");
        assert_eq!(
            told.outcome,
            Outcome::Insufficient(RefusalKind::NotFound),
            "{name}"
        );
    }
    let told = Tree::of(&[("a.png", "\0TargetThing")]).ask("where is TargetThing used?");
    assert_eq!(told.outcome, Outcome::Insufficient(RefusalKind::NotFound));
}

#[test]
fn a_name_in_another_form_of_its_letters_could_be_it() {
    for (file, text, name) in [
        ("a.rs", "fn cafe\u{301}() {}\n", "caf\u{e9}"),
        ("a.py", "def caf\u{e9}():\n    pass\n", "cafe\u{301}"),
        ("a.py", "def \u{fb01}le_of():\n    pass\n", "file_of"),
        (
            "A.java",
            "class A { int \\u0054argetThing; }\n",
            "TargetThing",
        ),
        ("a.js", "const T\\u{61}rgetThing = 1;\n", "TargetThing"),
    ] {
        let tree = Tree::of(&[(file, text), ("b.rs", "fn b() {}\n")]);
        let told = tree.ask(&format!("where is `{name}` defined?"));
        let found = told.outcome == Outcome::Answered;
        let told_so = told.outcome == Outcome::Insufficient(RefusalKind::CannotTell)
            && told.scope.skipped[&SkipReason::OtherForm].examples == [file];
        assert!(found || told_so, "{file} {name}: {:?}", told.outcome);
    }
    let told = Tree::of(&[("a.py", "# caf\u{e9}\nclose = 1\n")]).ask("who calls Zorblatt.close?");
    assert_eq!(told.outcome, Outcome::Insufficient(RefusalKind::NotFound));
    let told = Tree::of(&[("a.js", "const a = '\\u0054x caf\u{e9}';\n")])
        .ask("where is `TargetThing` defined?");
    assert_eq!(told.outcome, Outcome::Insufficient(RefusalKind::NotFound));
}

#[test]
fn a_place_as_answers_cite_it_is_a_question() {
    let text = "package a\n\ntype T struct{}\n\nfunc (t *T) Run() int {\n\tx := 1\n\treturn x\n}\n";
    let tree = Tree::of(&[("net/gin.go", text)]);
    for question in [
        "where is gin.go:6?",
        "what is at net/gin.go:6?",
        "show me net/gin.go:6",
        "where is gin.go#L6?",
    ] {
        let told = tree.ask(question);
        let places = cited(&told);
        let first = places.first().map(String::as_str);
        assert_eq!(
            first,
            Some("net/gin.go:6"),
            "{question}: {:?}",
            told.outcome
        );
        let mut shown = told
            .answer
            .iter()
            .flat_map(grounds_ask::answer::Answer::citations);
        assert!(
            shown.any(|citation| citation.what.contains("method `T")),
            "{question}"
        );
    }
    for question in ["where is gin.go:60?", "where is other.go:6?"] {
        assert_ne!(tree.ask(question).outcome, Outcome::Answered, "{question}");
    }
}

#[test]
fn a_file_that_the_text_names_is_found_where_it_is_named() {
    let tree = Tree::of(&[
        (
            "a.py",
            "import json\n\nKEYS = json.load(open('auth.json'))\n",
        ),
        ("docs/setup.md", "Put `auth.json` beside the program.\n"),
    ]);
    for question in ["where is auth.json read?", "where is auth.json loaded?"] {
        let mut places = cited(&tree.ask(question));
        places.sort_unstable();
        assert_eq!(places, ["a.py:3", "docs/setup.md:1"], "{question}");
    }
    let both = Tree::of(&[
        ("a.py", "KEYS = json.load(open('auth.json'))\n"),
        ("auth.json", "{}\n"),
    ]);
    assert_eq!(cited(&both.ask("where is auth.json read?")), ["a.py:1"]);
    assert_eq!(cited(&both.ask("where is auth.json?")), ["auth.json:1"]);
    let told = tree.ask("where is auth.json?");
    assert_eq!(
        told.outcome,
        Outcome::Insufficient(RefusalKind::FoundButNotThat)
    );
    let told = tree.ask("where is other.json read?");
    assert_eq!(told.outcome, Outcome::Insufficient(RefusalKind::NotFound));
}

#[test]
fn ignore_files_cost_no_more_than_their_bound() {
    let tree = Tree::of(&[
        ("src/a.rs", "pub struct TargetThing;\n".to_owned()),
        (".git/HEAD", String::new()),
        (".gitignore", "a*b?c[d-f]*/**/x*\n".repeat(600_000)),
        ("big/.ignore", "a*b?c[d-f]*/**/y*\n".repeat(600_000)),
        ("big/b.rs", "pub struct OtherThing;\n".to_owned()),
    ]);
    let start = std::time::Instant::now();
    let told = tree.ask("where is TargetThing defined?");
    assert_eq!(cited(&told), ["src/a.rs:1"]);
    let told = tree.ask("where is OtherThing defined?");
    assert_eq!(cited(&told), ["big/b.rs:1"]);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// Git in a folder, with nothing of the surroundings.
fn git(folder: &Path, words: &[&str]) {
    let done = std::process::Command::new("git")
        .current_dir(folder)
        .args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(words)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output();
    assert!(
        done.is_ok_and(|done| done.status.success()),
        "git {words:?}"
    );
}

fn committed(files: &[(&str, &str)]) -> Tree {
    let tree = Tree::of(files);
    git(tree.0.path(), &["init", "-q"]);
    git(tree.0.path(), &["add", "-A"]);
    git(tree.0.path(), &["commit", "-qm", "first"]);
    tree
}

#[test]
fn what_git_tracks_and_the_disk_lacks_could_hold_the_use() {
    let tree = committed(&[
        ("a.py", "def lonely():\n    return 2\n"),
        ("b.py", "from a import lonely\nlonely()\n"),
    ]);
    git(tree.0.path(), &["update-index", "--skip-worktree", "b.py"]);
    std::fs::remove_file(tree.0.path().join("b.py")).expect("it goes");
    for question in [
        "is lonely used anywhere?",
        "nobody calls lonely, right?",
        "how many callers does lonely have?",
        "who calls lonely?",
    ] {
        assert_ne!(tree.ask(question).outcome, Outcome::Answered, "{question}");
    }
}

#[test]
fn what_git_tracks_and_the_disk_lacks_could_hold_the_answer() {
    let files = [
        ("a.rs", "pub struct TargetThing;\n"),
        ("in/b.rs", "fn b() {}\n"),
    ];
    let is_told = |tree: &Tree, reason: SkipReason, path: &str| {
        let told = tree.ask("where is TargetThing defined?");
        assert_eq!(told.outcome, Outcome::Insufficient(RefusalKind::CannotTell));
        let examples = &told.scope.skipped[&reason].examples;
        let is_named = |example: &String| example == path || example.contains("sparse checkout");
        assert!(examples.iter().any(is_named), "{examples:?}");
    };
    let tree = committed(&files);
    git(tree.0.path(), &["update-index", "--skip-worktree", "a.rs"]);
    std::fs::remove_file(tree.0.path().join("a.rs")).expect("it goes");
    is_told(&tree, SkipReason::Sparse, "a.rs");
    for line in [
        "sparseCheckout = 1",
        "sparseCheckout = yes",
        "sparseCheckout",
    ] {
        let tree = committed(&files);
        let config = tree.0.path().join(".git/config");
        let text = std::fs::read_to_string(&config).expect("a file") + "[core]\n\t" + line + "\n";
        std::fs::write(config, text).expect("a file");
        std::fs::create_dir_all(tree.0.path().join(".git/info")).expect("a folder");
        std::fs::write(tree.0.path().join(".git/info/sparse-checkout"), "in/\n").expect("a file");
        git(tree.0.path(), &["read-tree", "-mu", "HEAD"]);
        is_told(&tree, SkipReason::Sparse, "a.rs");
    }
    let tree = committed(&files[1..]);
    let link = "160000,8d1c0be8d1c0be8d1c0be8d1c0be8d1c0be8d1c0,library";
    git(
        tree.0.path(),
        &["update-index", "--add", "--cacheinfo", link],
    );
    is_told(&tree, SkipReason::Submodule, "library");
    std::fs::write(
        tree.0.path().join(".gitmodules"),
        "[submodule \"l\"]\n\tPath = library\n",
    )
    .expect("a file");
    is_told(&tree, SkipReason::Submodule, "library");
}

#[test]
fn what_nobody_calls_here_could_be_called_in_a_submodule_that_is_not_here() {
    let tree = committed(&[("a.rs", "pub struct Recluse;\npub fn recluse() {}\n")]);
    let link = "160000,8d1c0be8d1c0be8d1c0be8d1c0be8d1c0be8d1c0,library";
    git(
        tree.0.path(),
        &["update-index", "--add", "--cacheinfo", link],
    );
    // The tree does not use it; whether another repository does is said to be open.
    for question in [
        "who calls recluse?",
        "is recluse used anywhere?",
        "where is recluse called?",
        "nobody calls recluse, right?",
    ] {
        let told = tree.ask(question);
        assert_eq!(told.outcome, Outcome::Answered, "{question}");
        assert_eq!(told.confidence.level, ConfidenceLevel::Medium, "{question}");
        let why = &told.confidence.explanation;
        assert!(why.contains("`library`"), "{question}: {why}");
    }
    // What is to be implemented is made for others.
    let told = tree.ask("who implements Recluse?");
    let kind = Outcome::Insufficient(RefusalKind::CannotTell);
    assert_eq!(told.outcome, kind);
    assert!(told.says.unwrap_or_default().contains("`library`"));
}

#[test]
fn whether_something_is_there_is_answered_with_no_where_all_was_read() {
    let tree = committed(&[("a.rs", "pub struct Recluse;\n")]);
    for (question, decided) in [
        ("is there a struct called HermitCrab?", Some(Decision::No)),
        ("does hermit_crab exist?", Some(Decision::No)),
        ("is there a struct called Recluse?", Some(Decision::Yes)),
        // Not whether it is there is asked, but where: nothing is decided.
        ("where is HermitCrab defined?", None),
    ] {
        assert_eq!(tree.ask(question).decided(), decided, "{question}");
    }
    git(tree.0.path(), &["rm", "-q", "--cached", "a.rs"]);
    let link = "160000,8d1c0be8d1c0be8d1c0be8d1c0be8d1c0be8d1c0,library";
    git(
        tree.0.path(),
        &["update-index", "--add", "--cacheinfo", link],
    );
    let told = tree.ask("does hermit_crab exist?");
    assert_eq!(told.decided(), None, "a submodule could have it");
}

#[test]
fn nothing_is_absent_where_git_cannot_list_what_it_tracks() {
    let tree = committed(&[("a.rs", "fn a() {}\n")]);
    std::fs::write(tree.0.path().join(".git/index"), "rubbish").expect("a file");
    let told = tree.ask("where is TargetThing defined?");
    assert_eq!(told.outcome, Outcome::Insufficient(RefusalKind::CannotTell));
    assert!(told.scope.skipped.contains_key(&SkipReason::Unlisted));
}

#[test]
fn files_that_git_takes_for_unchanged_are_told() {
    let tree = committed(&[("a.rs", "fn a() {}\n"), ("b.rs", "fn b() {}\n")]);
    git(
        tree.0.path(),
        &["update-index", "--assume-unchanged", "a.rs"],
    );
    std::fs::write(tree.0.path().join("a.rs"), "fn other() {}\n").expect("a file");
    let told = tree.ask("what is not committed?");
    let said = told
        .answer
        .map_or_else(String::new, |answer| answer.markdown());
    assert!(said.contains("assume 1 file unchanged"), "{said}");
    assert!(said.contains("`a.rs`"), "{said}");
}

#[test]
fn the_words_that_ask_after_a_name_lead_nowhere() {
    let tree = Tree::of(&[
        (
            "call.rs",
            "pub fn call_anything() {}\n\npub fn anything() {\n    call_anything();\n}\n",
        ),
        ("retry.rs", "pub fn retry_request() {}\n"),
    ]);
    let absent = tree.ask("does anything call frobnicate_request?");
    assert_eq!(
        absent.outcome,
        Outcome::Insufficient(RefusalKind::NotFound),
        "{:?}",
        absent.understood
    );
    let first = absent.leads.places.first();
    assert_eq!(
        first.map(|lead| lead.path.as_str()),
        Some("retry.rs"),
        "by the words of the name alone"
    );
}

#[test]
fn a_class_that_is_handed_on_may_be_raised_elsewhere() {
    let error = ("errors.py", "class Lost(Exception):\n    pass\n");
    let handled = "from errors import Lost\n\ntry:\n    run()\nexcept Lost:\n    pass\n";
    let handed = "from errors import Lost\n\nkind = Lost\nraise kind\n";
    for (text, is_denied) in [(handled, true), (handed, false)] {
        let told = Tree::of(&[error, ("a.py", text)]).ask("is Lost ever raised?");
        let denied = told.decided() == Some(grounds_ask::Decision::No);
        assert_eq!(denied, is_denied, "{text}: {:?}", told.outcome);
    }
}

#[test]
fn what_is_called_on_something_else_is_no_caller() {
    let tree = committed(&[
        ("gen.py", "def sleep(n):\n    return n\n"),
        (
            "use.py",
            "import time\nfrom gen import sleep\n\ndef a():\n    sleep(1)\n    time.sleep(2)\n",
        ),
        ("f.js", "function f() {}\nmodule.exports = { f };\n"),
        (
            "g.js",
            "const { f } = require(\"./f\");\nf();\nother.f();\n",
        ),
    ]);
    let told = tree.ask("who calls sleep?");
    let text = told.answer.as_ref().map(|answer| answer.markdown());
    let text = text.unwrap_or_default();
    assert!(text.contains("called in 1 place"), "{text}");
    assert!(text.contains("use.py:5"), "{text}");
    // What `require` gives is not followed: the call is no caller yet, and never dropped.
    let told = tree.ask("who calls f?");
    let open = told.leads.places.iter().any(|lead| lead.path == "g.js");
    assert!(told.outcome != Outcome::Answered && open, "{told:?}");
}

#[test]
fn the_body_of_an_exported_function_uses_what_it_names() {
    let tree = Tree::of(&[(
        "uri.js",
        "const PATTERN = /^data:/;\n\nexport default function parse(uri) {\n  return PATTERN.exec(uri);\n}\n",
    )]);
    let used = tree.ask("is PATTERN used anywhere?");
    assert_eq!(used.decided(), Some(Decision::Yes));
    assert_eq!(cited(&used), ["uri.js:4"]);
    let kept = Tree::of(&[(
        "uri.js",
        "function parse(uri) {}\n\nmodule.exports = {\n  parse,\n};\n",
    )]);
    assert_eq!(
        kept.ask("is parse used anywhere?").decided(),
        Some(Decision::No)
    );
}

#[test]
fn a_value_may_be_made_without_the_name_of_its_type() {
    let code = "pub enum Failure { Late, Lost(u8) }\npub struct Plan { at: u8 }\n\
        fn f(x: u8) -> Result<(), Failure> {\n    if x > 1 { return Err(Failure::Lost(x)); }\n    \
        match g() {\n        Failure::Late => Ok(()),\n        _ => Ok(()),\n    }\n}\n";
    let tree = Tree::of(&[("lib.rs", code)]);
    let made = tree.ask("where is Failure constructed?");
    assert_eq!(cited(&made), ["lib.rs:4"]);
    let never = tree.ask("is Plan ever constructed?");
    assert_eq!(
        never.decided(),
        None,
        "a default or a copy need not name it"
    );
    let tree = Tree::of(&[(
        "a.c",
        "struct change {\n  int at;\n};\n\nint f(void) {\n  struct change one = { 0 };\n  return one.at;\n}\n",
    )]);
    assert_eq!(cited(&tree.ask("where is change constructed?")), ["a.c:6"]);
    let made = "struct change {\n  int at;\n};\n\nint f(void) {\n  \
        struct change *one = malloc(8);\n  return one->at;\n}\n";
    let seen = Tree::of(&[("a.c", made)]).ask("is change ever constructed?");
    assert_eq!(
        seen.decided(),
        None,
        "an allocation need not name what it makes"
    );
}

#[test]
fn a_string_that_is_a_name_may_use_it() {
    let code = "fn parse_size(x: &str) -> u8 { 0 }\n\n#[serde(deserialize_with = \"parse_size\")]\nstruct Size;\n";
    let seen = Tree::of(&[("lib.rs", code)]).ask("is parse_size used anywhere?");
    assert_eq!(
        (seen.decided(), seen.confidence.level),
        (Some(Decision::No), ConfidenceLevel::Medium)
    );
}

#[test]
fn a_string_that_a_value_completes_may_use_a_name() {
    let code = "class Loop:\n    def run(self, kind):\n        getattr(self, f\"on_kind_{kind}\")()\n\n    \
        def on_kind_open(self):\n        pass\n\n    def on_close(self):\n        pass\n";
    let tree = Tree::of(&[("loop.py", code)]);
    for question in [
        "who calls on_kind_open?",
        "is Loop.on_kind_open unused?",
        "is on_kind_open called anywhere?",
        "how many times is on_kind_open called?",
    ] {
        assert_ne!(tree.ask(question).outcome, Outcome::Answered, "{question}");
    }
    let seen = tree.ask("is Loop.on_close unused?");
    assert_eq!(seen.decided(), Some(Decision::Yes));
}

#[test]
fn a_read_of_a_field_is_no_use_of_a_method_with_its_name() {
    let code = "pub struct Jar { label: u8, depth: u8 }\n\nimpl Jar {\n    pub fn label(&self) -> u8 {\n        \
        self.label\n    }\n    pub fn depth(&self) -> u8 {\n        self.depth\n    }\n    \
        pub fn sum(&self) -> u8 {\n        self.label + self.depth()\n    }\n}\n";
    let tree = Tree::of(&[("src/lib.rs", code)]);
    let seen = tree.ask("is Jar::label unused?");
    assert_ne!(seen.outcome, Outcome::Answered);
    assert_eq!(
        tree.ask("is Jar::label ever called?").decided(),
        Some(Decision::No)
    );
    assert_eq!(
        tree.ask("is Jar::depth unused?").decided(),
        Some(Decision::No)
    );
}

#[test]
fn what_sets_a_field_is_told_from_what_reads_it() {
    let code = "class Queue:\n    top_size: int = 5\n\n    def grow(self):\n        self.top_size += 1\n        \
        return self.top_size\n\n\n\
        def shrink(queue):\n    if queue.top_size == 2:\n        queue.top_size = 1\n";
    let tree = Tree::of(&[("queue.py", code)]);
    for (question, lines) in [
        (
            "where is top_size set?",
            vec!["queue.py:2", "queue.py:5", "queue.py:11"],
        ),
        (
            "what modifies top_size?",
            vec!["queue.py:2", "queue.py:5", "queue.py:11"],
        ),
        ("where is top_size read?", vec!["queue.py:6", "queue.py:10"]),
    ] {
        let seen = tree.ask(question);
        assert_eq!(cited(&seen), lines, "{question}");
        assert_eq!(seen.confidence.level, ConfidenceLevel::Medium, "{question}");
    }
    assert_ne!(
        tree.ask("where is QUEUE_HOME read?").outcome,
        Outcome::Answered
    );
}

#[test]
fn a_macro_that_implements_a_trait_leaves_its_types_open() {
    let code = "trait Part { fn go(&self); }\nstruct A;\nimpl Part for A { fn go(&self) {} }\n\
        macro_rules! parts {\n    \
        ($name:ident) => {\n        impl Part for $name { fn go(&self) {} }\n    };\n}\n\
        struct B;\nparts!(B);\n";
    let seen = Tree::of(&[("lib.rs", code)]).ask("which types implement Part?");
    assert_eq!(seen.confidence.level, ConfidenceLevel::Medium);
}

#[test]
fn what_a_function_calls_is_narrowed_to_a_folder() {
    let tree = Tree::of(&[
        ("lib/uri.js", "function parse(x) {\n  return split(x);\n}\n"),
        ("dist/uri.js", "function parse(x) {\n  return join(x);\n}\n"),
    ]);
    let seen = tree.ask("what does parse call in lib?");
    assert_eq!(cited(&seen), ["lib/uri.js:2"]);
}

/// Names that are plain words, beside a function that is called as a verb of questions is.
const LIDS: &[(&str, &str)] = &[
    (
        "src/lid.c",
        "int call(void) { return 0; }\nint newlid(void) { return 1; }\n\
         int openlid(void) { return newlid(); }\nint shutlid(void) { return newlid(); }\n\
         int turnlid(void) { return openlid(); }\n",
    ),
    (
        "test/lid.c",
        "int only(void) { return 0; }\nint checklid(void) { return turnlid(); }\n",
    ),
];

#[test]
fn that_nothing_else_uses_it_is_asked_in_many_words() {
    let tree = Tree::of(LIDS);
    for (question, decided) in [
        ("is there just one call of openlid?", Decision::Yes),
        ("does turnlid call newlid?", Decision::No),
        (
            "newlid: nobody besides openlid and shutlid uses it, true?",
            Decision::Yes,
        ),
        ("nobody besides openlid uses newlid, true?", Decision::No),
        (
            "openlid is used by nothing but turnlid, right?",
            Decision::Yes,
        ),
        (
            "newlid is called by nothing but openlid, right?",
            Decision::No,
        ),
        ("is newlid used nowhere but in src/lid.c?", Decision::Yes),
        ("is turnlid used nowhere outside src/lid.c?", Decision::No),
        ("do all callers of newlid live in src/lid.c?", Decision::Yes),
        (
            "is there a caller of newlid that isn't in src/lid.c?",
            Decision::No,
        ),
        ("any caller of turnlid that isn't a test?", Decision::No),
        ("is there a third caller of newlid?", Decision::No),
        ("turnlid is purely a test helper, right?", Decision::Yes),
        ("`newlid`: is src/lid.c its only user?", Decision::Yes),
        ("openlid has one caller, turnlid. Correct?", Decision::Yes),
        ("newlid has one caller, openlid. Correct?", Decision::No),
        ("is turnlid the one caller that openlid has?", Decision::Yes),
        ("true or false: turnlid calls openlid", Decision::Yes),
        ("is newlid used nowhere in the tests?", Decision::Yes),
    ] {
        let seen = tree.ask(question);
        assert_eq!(
            seen.decided(),
            Some(decided),
            "{question}: {:?}",
            seen.understood
        );
    }
}

#[test]
fn a_type_without_an_article_is_a_base() {
    let tree = Tree::of(&[
        (
            "src/Jar.java",
            "package shop;\npublic interface Lidded {\n  void shut();\n}\n\
             public class Jar implements Cloneable, Lidded {\n  String label() { return text(); }\n\
             \x20 String text() { return \"\"; }\n  public void shut() { label(); }\n}\n\
             class Cup {}\nenum Size { SMALL, Large }\n",
        ),
        (
            "src/test/java/JarTest.java",
            "package shop;\nclass JarTest {\n  @Test void text() { new Jar().text(); }\n}\n",
        ),
    ]);
    for (question, decided) in [
        ("Jar is Cloneable, isn't it?", Some(Decision::Yes)),
        ("is Cup Cloneable?", Some(Decision::No)),
        ("what is Jar? is it Lidded?", Some(Decision::Yes)),
        ("is Jar Large?", None),
        ("is Jar Serializable?", None),
        // What is declared only has no body that could be denied.
        ("does Lidded.shut call label?", None),
        (
            "is label among the calls made by Jar.shut?",
            Some(Decision::Yes),
        ),
        ("does shut in Jar call label?", Some(Decision::Yes)),
        (
            "is Jar.shut just a thin wrapper around label()?",
            Some(Decision::Yes),
        ),
        (
            "is Jar the only class that overrides shut?",
            Some(Decision::Yes),
        ),
        (
            "is Cup the only class that overrides shut?",
            Some(Decision::No),
        ),
        // That a type extends another says nothing of one member.
        (
            "Jar has no shut itself, it inherits it from Lidded, right?",
            None,
        ),
        (
            "is label() called in Jar.shut to print the price?",
            Some(Decision::Yes),
        ),
        // A test that is called as what it tests uses that.
        ("is text used by nothing but Jar.label?", Some(Decision::No)),
    ] {
        let seen = tree.ask(question);
        assert_eq!(seen.decided(), decided, "{question}: {:?}", seen.understood);
    }
}

#[test]
fn a_trait_of_the_standard_library_needs_no_place_in_the_tree() {
    let tree = Tree::of(&[(
        "src/lib.rs",
        "use std::fmt::{self, Display};\n#[derive(Debug)]\npub struct Lost;\n\
         impl Display for Lost {\n    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) }\n}\n",
    )]);
    for (question, decided) in [
        (
            "is std::error::Error implemented for Lost?",
            Some(Decision::No),
        ),
        ("does Lost implement fmt::Display?", Some(Decision::Yes)),
        ("does Lost implement other::Zork?", None),
    ] {
        assert_eq!(tree.ask(question).decided(), decided, "{question}");
    }
}

#[test]
fn a_function_without_self_is_called_on_its_type() {
    let tree = Tree::of(&[
        (
            "Cargo.toml",
            "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n",
        ),
        (
            "src/lib.rs",
            "pub mod kept;\npub struct Shelf;\nimpl Shelf {\n    pub fn open() -> Shelf { Shelf }\n\
             \x20   pub fn shut(&self) {}\n}\n",
        ),
        (
            "src/kept.rs",
            "use std::fs::{File, OpenOptions};\npub fn read() {\n    let file = File::open(\"a\");\n\
             \x20   let more = OpenOptions::new().open(\"b\");\n    door.shut();\n}\n\
             pub fn any<T: Opens>() { T::shut(); }\n",
        ),
        ("src/main.rs", "fn main() { shop::Shelf::open(); }\n"),
    ]);
    for (question, decided) in [
        (
            "does anything outside src/main.rs call Shelf::open?",
            Some(Decision::No),
        ),
        ("is Shelf::open called in src/kept.rs?", Some(Decision::No)),
        (
            "is Shelf::open called only in src/main.rs?",
            Some(Decision::Yes),
        ),
    ] {
        assert_eq!(tree.ask(question).decided(), decided, "{question}");
    }
}

#[test]
fn a_type_of_rust_under_another_name_is_not_one_of_a_library() {
    let tree = Tree::of(&[
        (
            "Cargo.toml",
            "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n",
        ),
        (
            "src/lib.rs",
            "mod kept;\nuse kept::Shelf as Board;\npub fn start() { Board::open(); }\n",
        ),
        (
            "src/kept.rs",
            "pub struct Shelf;\nimpl Shelf {\n    pub fn open() -> Shelf { Shelf }\n}\n\
             pub struct Door;\nimpl Door {\n    pub fn open() -> Door { Door }\n}\n",
        ),
    ]);
    for question in [
        "is Shelf::open called anywhere?",
        "does anything outside src/kept.rs call Shelf::open?",
    ] {
        let decided = tree.ask(question).decided();
        assert_ne!(decided, Some(Decision::No), "{question}");
    }
}
