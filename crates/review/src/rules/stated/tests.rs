use std::collections::BTreeMap;
use std::sync::Mutex;

use super::room::Rooms;
use super::world::{BothSides, World};
use super::{InDocuments, Stated, altered};
use crate::diff::{ChangedFile, Diff};
use crate::rules::cases::testing::change;
use crate::rules::limits::RuleLimits;
use crate::rules::report::Unread;

const OLD: &str = "TIMEOUT_SECONDS = 30\n";
const NEW: &str = "TIMEOUT_SECONDS = 60\n";

/// A repository that counts how often each file was read, and whose files changed as the last two say.
struct Counting {
    files: Vec<(&'static str, &'static str)>,
    read: Mutex<BTreeMap<String, usize>>,
}

impl Counting {
    fn of(files: &[(&'static str, &'static str)]) -> Self {
        Self {
            files: files.to_vec(),
            read: Mutex::default(),
        }
    }

    /// What a change of `src/a.py` makes false, and how often each file was read for it.
    fn told(self, old: &str, new: &str) -> (Vec<String>, BTreeMap<String, usize>) {
        let diff = change(&[("src/a.py", Some(old), Some(new))]);
        let limits = RuleLimits::default();
        let stale = InDocuments::new(&self, &diff, &limits)
            .of(0)
            .expect("an answer");
        let messages = stale.into_iter().map(|stale| stale.message).collect();
        (messages, self.read.into_inner().expect("the counts"))
    }
}

impl World for Counting {
    fn name(&self) -> String {
        "shop".to_owned()
    }

    fn paths(&self) -> Result<Vec<String>, Unread> {
        Ok(self
            .files
            .iter()
            .map(|(path, _)| (*path).to_owned())
            .collect())
    }

    fn each(
        &self,
        paths: &[&str],
        on_file: &mut dyn FnMut(usize, &[u8]) -> bool,
    ) -> Result<(), Unread> {
        for (place, path) in paths.iter().enumerate() {
            let mut read = self.read.lock().expect("the counts");
            *read.entry((*path).to_owned()).or_default() += 1;
            let (_, text) = self
                .files
                .iter()
                .find(|(one, _)| one == path)
                .expect("a file");
            if !on_file(place, text.as_bytes()) {
                break;
            }
        }
        Ok(())
    }

    fn sides(&self, _file: &ChangedFile) -> Result<BothSides, Unread> {
        Ok((Some(OLD.into()), Some(NEW.into())))
    }
}

fn names(diff: &Diff) -> Vec<String> {
    altered::of(diff).altered.words.into_iter().collect()
}

#[test]
fn a_change_that_alters_no_name_reads_nothing() {
    let world = Counting::of(&[
        ("README.md", "`total` defaults to 30."),
        ("src/b.py", "x = 1\n"),
    ]);
    let (told, read) = world.told("a = f(b)\n", "a = f(b, c)\n");
    assert!(told.is_empty() && read.is_empty(), "{told:?} {read:?}");
}

#[test]
fn documents_are_read_once_and_no_code_where_none_speaks_of_it() {
    let world = Counting::of(&[
        ("README.md", "# Shop\n\nNothing of it.\n"),
        ("docs/a.md", "# A\n"),
        ("src/b.py", "x = 1\n"),
    ]);
    let (told, read) = world.told(OLD, NEW);
    let once = [("README.md".to_owned(), 1), ("docs/a.md".to_owned(), 1)];
    assert_eq!((told.len(), read), (0, BTreeMap::from(once)));
}

#[test]
fn a_document_that_states_the_old_value_is_cited_with_its_line() {
    let world = Counting::of(&[
        ("docs/a.md", "# A\n\n`TIMEOUT_SECONDS` defaults to 30.\n"),
        ("docs/b.md", "# B\n"),
        ("src/a.py", NEW),
        ("src/b.py", "x = 1\n"),
    ]);
    let (told, read) = world.told(OLD, NEW);
    let said = "`TIMEOUT_SECONDS` is 60, and docs/a.md:3 says: `TIMEOUT_SECONDS` defaults to 30.";
    assert_eq!(told, [said]);
    // Only the document that speaks of it is needed again, where it is laid out.
    assert_eq!((read["docs/b.md"], read["src/b.py"]), (1, 1));
}

#[test]
fn names_are_altered_by_the_look_of_lines() {
    let cases: [(&str, &str, &str, &[&str]); 10] = [
        ("src/a.py", "timeout = 3\n", "timeout = 4\n", &["timeout"]),
        ("src/a.py", "timeout = 3\n", "timeout = 3  # seconds\n", &[]),
        (
            "src/a.rs",
            "const LONG: u64 = 3;\n",
            "const LONG: u64 = 4;\n",
            &["LONG"],
        ),
        (
            "src/a.h",
            "#define SIZE_MAX_OURS 3\n",
            "#define SIZE_MAX_OURS 4\n",
            &["SIZE_MAX_OURS"],
        ),
        (
            "src/a.go",
            "func Load(p string) {\n",
            "func Read(p string) {\n",
            &["Load"],
        ),
        (
            "src/a.py",
            "f(\"--dry-run\")\n",
            "f(\"--simulate\")\n",
            &["--dry-run"],
        ),
        (
            "src/a.py",
            "os.environ[\"A_TOKEN\"]\n",
            "os.environ[\"A_KEY\"]\n",
            &["A_TOKEN"],
        ),
        (
            "src/a.py",
            "total = first + second\n",
            "total = second\n",
            &[],
        ),
        ("tests/test_a.py", "timeout = 3\n", "timeout = 4\n", &[]),
        ("README.md", "timeout = 3\n", "timeout = 4\n", &[]),
    ];
    for (path, old, new, expected) in cases {
        assert_eq!(
            names(&change(&[(path, Some(old), Some(new))])),
            expected,
            "{path}: {old}"
        );
    }
}

#[test]
fn a_path_that_leads_out_of_a_room_is_not_written() {
    let mut rooms = Rooms::make("shop", 1_000).expect("rooms");
    let outside = rooms.head.parent().expect("a folder").join("out.txt");
    for path in [
        "../out.txt",
        "/tmp/grounds-out.txt",
        ".git/config",
        "a/.gitattributes",
        ".GIT/config",
    ] {
        rooms
            .put((path, Some(b"x")), (path, Some(b"x")))
            .expect("left out");
    }
    rooms
        .put(("a.md", None), ("a.md", Some(b"x")))
        .expect("written");
    let names = |folder: &std::path::Path| {
        let entries = std::fs::read_dir(folder).expect("a folder").flatten();
        entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect::<Vec<_>>()
    };
    assert!(!outside.exists() && !std::path::Path::new("/tmp/grounds-out.txt").exists());
    assert_eq!(
        (names(&rooms.head), names(&rooms.base)),
        (vec!["a.md".to_owned()], Vec::new())
    );
    let over = rooms.put(("b.md", None), ("b.md", Some(&[b'x'; 2_000])));
    assert!(
        over.expect_err("a bound")
            .reason
            .contains("(stated_bytes_max)")
    );
}
