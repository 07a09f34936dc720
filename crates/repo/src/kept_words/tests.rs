use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::catalogue::catalogue;
use crate::parses::Shelves;
use crate::survey::Progress;

#[derive(Clone, Debug, Default)]
struct InMemory(Arc<Mutex<BTreeMap<[u8; 32], Vec<u8>>>>);

impl Shelves for InMemory {
    fn find(&self, name: &[u8; 32]) -> Option<Vec<u8>> {
        self.0.lock().expect("lock").get(name).cloned()
    }

    fn keep(&self, name: &[u8; 32], bytes: Vec<u8>) {
        self.0.lock().expect("lock").insert(*name, bytes);
    }
}

fn vocabulary() -> Vocabulary {
    let stems = ["copi", "configur", "md5sum", "io", "regist", "http"];
    let names = ["copy", "CONFIG_FILE", "parseHTTP", "io", "registered"];
    Vocabulary::new(
        stems.map(str::to_owned).to_vec(),
        &names.map(str::to_owned),
        &[],
    )
}

fn counted(checkout: &Checkout) -> String {
    let limits = Limits::default();
    format!(
        "{:?}",
        catalogue(checkout, &vocabulary(), &limits, &Progress::default())
    )
}

/// A question with what is kept, and one without.
fn agrees(tree: &Path, memory: &InMemory) {
    let cold = Checkout::open(tree).expect("a folder");
    let kept = cold
        .clone()
        .with_parses(Parses::of("p", Box::new(memory.clone())));
    assert_eq!(counted(&kept), counted(&cold));
}

fn write(tree: &Path, file: usize, words: &[&str]) {
    let folder = tree.join(format!("d{}", file % 3));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join(format!("f{file}.rs")), words.concat()).expect("a file");
}

fn is_kept(tree: &Path, memory: &InMemory) -> bool {
    let parses = Parses::of("p", Box::new(memory.clone()));
    let checkout = Checkout::open(tree).expect("a folder");
    KeptWords::open(&parses, &Place::of(&checkout, &Limits::default())).is_some()
}

fn words() -> impl Strategy<Value = Vec<&'static str>> {
    let word = proptest::sample::select(vec![
        "copy",
        "Copies",
        "COPY_ALL",
        "configuration",
        "config",
        "CONFIG_FILE",
        "MD5sum",
        "md5sums",
        "IO",
        "io",
        "parseHTTP",
        "HTTPServer",
        "registered",
        "registry",
        "fn ",
        "class ",
        " ",
        " ",
        "\n",
        "\n",
        "_",
        "(",
        ") {",
        "= ",
        "9",
        "\u{e4}",
        "\0",
    ]);
    proptest::collection::vec(word, 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn kept_counts_are_those_of_a_tree_that_is_read(
        files in proptest::collection::vec(words(), 1..12),
        edits in proptest::collection::vec((0..14_usize, words(), any::<bool>()), 0..5),
        damage in 0..400_usize,
    ) {
        let (tree, memory) = (tempfile::tempdir().expect("a folder"), InMemory::default());
        files.iter().enumerate().for_each(|(number, words)| write(tree.path(), number, words));
        sleep(Duration::from_millis(130));
        agrees(tree.path(), &memory);
        prop_assert!(!is_kept(tree.path(), &memory));
        agrees(tree.path(), &memory);
        prop_assert!(is_kept(tree.path(), &memory));
        agrees(tree.path(), &memory);
        for (file, words, goes) in &edits {
            if *goes {
                let _ = std::fs::remove_file(tree.path().join(format!("d{}/f{file}.rs", file % 3)));
            } else {
                write(tree.path(), *file, words);
            }
            agrees(tree.path(), &memory);
        }
        for bytes in memory.0.lock().expect("lock").values_mut() {
            let at = damage % bytes.len().max(1);
            bytes[at] ^= 0x11;
        }
        agrees(tree.path(), &memory);
        agrees(tree.path(), &memory);
    }

    #[test]
    fn damaged_bytes_are_no_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let memory = InMemory::default();
        let parses = Parses::of("p", Box::new(memory.clone()));
        let tree = tempfile::tempdir().expect("a folder");
        let checkout = Checkout::open(tree.path()).expect("a folder");
        let place = Place::of(&checkout, &Limits::default());
        parses.keep_bytes(&place.head(), &bytes);
        drop(KeptWords::open(&parses, &place));
        let _ = each_posting(&bytes, 9, |file, _| assert!(file < 9));
    }
}
