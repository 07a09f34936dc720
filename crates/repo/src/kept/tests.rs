use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::thread::sleep;

use tempfile::TempDir;

use super::*;
use crate::checkout::Checkout;
use crate::listing::{EntryKind, ListedFile};

/// What a call sees of a tree: each path with its kind, and with its text where it is a file.
type Seen = BTreeMap<PathBuf, (EntryKind, Option<Vec<u8>>)>;

struct Tree {
    folder: TempDir,
    kept: Kept,
    limits: Limits,
}

impl Tree {
    fn of(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let tree = Self {
            folder,
            kept: Kept::new(1 << 20),
            limits: Limits::default(),
        };
        tree.write(".git/HEAD", "ref: refs/heads/main\n");
        for (path, text) in files {
            tree.write(path, text);
        }
        tree
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn checkout(&self) -> Checkout {
        Checkout::open(self.folder.path())
            .expect("a folder")
            .guarded()
    }

    /// A call that looks at everything, with what is kept.
    fn call(&self) -> Seen {
        self.kept.call.fetch_add(1, Ordering::Relaxed);
        let checkout = self.checkout();
        let list = |notes| Listing::new(&checkout, &self.limits, notes);
        let listing = self
            .kept
            .listing((checkout.root(), true), &self.limits, list);
        let text = |entry: &ListedFile| {
            let path = &entry.path;
            let kept = self.kept.known(path).or_else(|| self.kept.read(path));
            kept.map(|text| text.to_vec())
                .or_else(|| fs::read(path).ok())
        };
        seen(&listing, &text)
    }

    /// The same of a process that keeps nothing.
    fn anew(&self) -> Seen {
        let listing = Listing::new(&self.checkout(), &self.limits, None);
        seen(&listing, &|entry| fs::read(&entry.path).ok())
    }

    #[track_caller]
    fn agrees(&self, what: &str) {
        assert_eq!(self.call(), self.anew(), "{what}");
    }

    fn has_list(&self) -> bool {
        locked(&self.kept.listing).is_some()
    }

    /// Whether the text of a file is kept.
    fn keeps(&self, path: &str) -> bool {
        let root = self.checkout().root().to_owned();
        self.kept.known(&root.join(path)).is_some()
    }

    /// Calls when what was done is long enough ago to be kept.
    fn settle(&self) {
        sleep(Duration::from_millis(150));
        self.agrees("before");
        assert!(self.has_list());
    }
}

fn seen(listing: &Listing, text: &dyn Fn(&ListedFile) -> Option<Vec<u8>>) -> Seen {
    let entries = listing.entries.iter();
    let one = |entry: &ListedFile| {
        let text = entry.is_file().then(|| text(entry)).flatten();
        (entry.path.clone(), (entry.kind, text))
    };
    entries.map(one).collect()
}

const FILES: &[(&str, &str)] = &[
    ("src/a.rs", "fn total() {}\n"),
    ("src/deep/b.rs", "fn other() {}\n"),
    ("docs/a.md", "# Total\n"),
    (".gitignore", "build\n"),
    ("build/out.rs", "fn built() {}\n"),
];

/// Each change, and a name for it.
type Change = (&'static str, fn(&Tree));

/// What may happen to a tree between two calls.
const CHANGES: &[Change] = &[
    (
        "another text of the same size, with the time of before",
        |tree| {
            let path = tree.path("src/a.rs");
            let before = fs::metadata(&path)
                .expect("a file")
                .modified()
                .expect("a time");
            fs::write(&path, "fn t0tal() {}\n").expect("a file");
            let file = fs::File::options()
                .append(true)
                .open(&path)
                .expect("a file");
            file.set_modified(before).expect("a time");
        },
    ),
    ("another file in its place", |tree| {
        tree.write("src/new.rs", "fn t1tal() {}\n");
        fs::rename(tree.path("src/new.rs"), tree.path("src/a.rs")).expect("renamed");
    }),
    ("another folder in its place", |tree| {
        tree.write("other/deep/b.rs", "fn another() {}\n");
        fs::remove_dir_all(tree.path("src")).expect("removed");
        fs::rename(tree.path("other"), tree.path("src")).expect("renamed");
    }),
    ("a link to the same file", |tree| {
        fs::rename(tree.path("src/a.rs"), tree.path("aside.rs")).expect("renamed");
        symlink(tree.path("aside.rs"), tree.path("src/a.rs")).expect("a link");
    }),
    ("a link to the same folder", |tree| {
        fs::rename(tree.path("src/deep"), tree.path("aside")).expect("renamed");
        symlink(tree.path("aside"), tree.path("src/deep")).expect("a link");
    }),
    ("a pipe", |tree| {
        fs::remove_file(tree.path("src/a.rs")).expect("removed");
        let made = std::process::Command::new("mkfifo")
            .arg(tree.path("src/a.rs"))
            .status();
        assert!(made.is_ok_and(|made| made.success()));
    }),
    ("other rules, in the same file", |tree| {
        tree.write(".gitignore", "docs\n")
    }),
    ("rules in a folder", |tree| {
        tree.write("src/.gitignore", "deep\n")
    }),
    ("rules that are no part of the tree", |tree| {
        tree.write(".git/info/exclude", "*.md\n")
    }),
    ("rules of another program", |tree| {
        tree.write(".ignore", "src\n")
    }),
    ("no rules", |tree| {
        fs::remove_file(tree.path(".gitignore")).expect("removed")
    }),
    ("no repository any more", |tree| {
        fs::remove_dir_all(tree.path(".git")).expect("removed");
    }),
    ("a repository within", |tree| {
        tree.write("docs/.git/info/exclude", "a.md\n")
    }),
    ("a new file deep in it", |tree| {
        tree.write("src/deep/c.rs", "fn more() {}\n")
    }),
    ("a file less", |tree| {
        fs::remove_file(tree.path("docs/a.md")).expect("removed")
    }),
    ("an empty file", |tree| tree.write("src/a.rs", "")),
    ("a binary file", |tree| tree.write("src/a.rs", "\0\0")),
];

#[test]
fn after_every_change_a_call_sees_what_a_new_process_sees() {
    for (what, change) in CHANGES {
        let tree = Tree::of(FILES);
        tree.settle();
        assert!(tree.keeps("src/a.rs") && tree.keeps("docs/a.md"), "{what}");
        change(&tree);
        tree.agrees(what);
        sleep(Duration::from_millis(150));
        tree.agrees(&format!("{what}, later"));
        tree.agrees(&format!("{what}, once more"));
    }
}

#[test]
fn what_is_not_changed_is_not_read_again() {
    let tree = Tree::of(FILES);
    tree.settle();
    let list = locked(&tree.kept.listing)
        .as_ref()
        .map(|kept| Arc::as_ptr(&kept.listing));
    // Only the file that git writes beside the rules is changed: no list depends on it.
    tree.write(".git/index", "x");
    tree.agrees("the second call");
    let again = locked(&tree.kept.listing)
        .as_ref()
        .map(|kept| Arc::as_ptr(&kept.listing));
    assert_eq!(list, again);
    assert!(tree.keeps("src/deep/b.rs"));
}

#[test]
fn what_was_just_changed_is_not_kept() {
    let tree = Tree::of(FILES);
    tree.settle();
    for text in ["fn t1tal() {}\n", "fn t2tal() {}\n", "fn t3tal() {}\n"] {
        tree.write("src/a.rs", text);
        tree.agrees(text);
        assert!(!tree.keeps("src/a.rs") && tree.keeps("docs/a.md"), "{text}");
    }
}

#[test]
fn past_the_bound_nothing_more_is_kept_and_nothing_is_wrong() {
    let mut tree = Tree::of(FILES);
    tree.kept = Kept::new(2 * ENTRY_BYTES + 60);
    tree.settle();
    tree.agrees("the second call");
    assert!(tree.kept.is_full.load(Ordering::Relaxed));
    assert!(tree.kept.bytes.load(Ordering::Relaxed) <= tree.kept.bytes_max);
    // What is gone makes room.
    fs::remove_dir_all(tree.path("src")).expect("removed");
    fs::remove_dir_all(tree.path("docs")).expect("removed");
    tree.agrees("with fewer files");
    assert_eq!(tree.kept.bytes.load(Ordering::Relaxed), 0);
}

#[test]
fn of_another_tree_nothing_is_kept() {
    let (mut one, other) = (Tree::of(FILES), Tree::of(&FILES[..2]));
    one.settle();
    one.folder = other.folder;
    one.agrees("the other");
    sleep(Duration::from_millis(150));
    one.agrees("the other, again");
}

/// Changes in any order, each followed by two calls: the second may use what the first has kept.
#[test]
fn calls_between_changes_in_any_order_agree() {
    let mut chance: u64 = 0x2545_f491_4f6c_dd1d;
    for round in 0..4 {
        let tree = Tree::of(FILES);
        for step in 0..12 {
            chance ^= chance << 13;
            chance ^= chance >> 7;
            chance ^= chance << 17;
            let number = usize::try_from(chance % 8).expect("small");
            random_change(&tree, number, step);
            if chance & 0x100 == 0 {
                sleep(Duration::from_millis(130));
            }
            for call in 0..2 {
                tree.agrees(&format!(
                    "round {round}, step {step}, change {number}, call {call}"
                ));
            }
        }
    }
}

fn random_change(tree: &Tree, number: usize, step: usize) {
    let name = format!("src/{}.rs", step % 5);
    match number {
        0 => tree.write(&name, &format!("fn f{step}() {{}}\n")),
        1 => {
            let _ = fs::remove_file(tree.path(&name));
        }
        2 => tree.write(".gitignore", &format!("{}.rs\n", step % 5)),
        3 => tree.write(&format!("src/more{step}/a.rs"), "fn more() {}\n"),
        4 => {
            let _ = fs::rename(tree.path("src"), tree.path(&format!("moved{step}")));
        }
        5 => {
            let _ = symlink(tree.path("src/a.rs"), tree.path(&format!("link{step}")));
        }
        6 => tree.write(
            "src/.ignore",
            if step.is_multiple_of(2) {
                "*.rs\n"
            } else {
                "\n"
            },
        ),
        _ => {
            let _ = fs::rename(tree.path(&name), tree.path("src/renamed.rs"));
        }
    }
}
