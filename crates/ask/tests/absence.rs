//! What does not exist is never answered, and what was not read is never said to be absent.

use std::path::Path;

use grounds_ask::{Budget, Investigation, investigate, understand};
use grounds_evidence::requirement::Bar;
use grounds_evidence::{Outcome, RefusalKind};
use grounds_repo::checkout::Checkout;
use grounds_repo::means::Means;
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
            &Budget::default(),
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
            grounds_ask::answer::Cited::Lines(excerpt) => {
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
        leads.contains(&"`close` exists, as `Session.close`; no `Zorblatt` stands in the tree"),
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
