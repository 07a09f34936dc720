//! Results of parsing, kept from one run to the next under the hash of the text.
//!
//! Takes the bytes of a file, and returns what an earlier run of the same program made of the same
//! bytes, in whatever tree: worktrees, forks and later commits share it. The caller provides the
//! storage; a damaged entry counts as missing. An abandoned parse is not kept.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::checkout::Checkout;

/// Bytes of the hash before the kept bytes.
const HASH_BYTES: usize = 32;

/// Keeps bytes under names that are hashes.
pub trait Shelves: Debug + Send + Sync {
    /// Returns the bytes that are kept under a name.
    fn find(&self, name: &[u8; 32]) -> Option<Vec<u8>>;

    /// Keeps bytes under a name. What cannot be kept is made again, so a failure harms nothing.
    fn keep(&self, name: &[u8; 32], bytes: Vec<u8>);
}

/// The kept results of parsing of one program.
#[derive(Debug)]
pub struct Parses {
    shelves: Box<dyn Shelves>,
    program: String,
}

impl Parses {
    /// Returns the results of a program: another program may say other things about the same text.
    pub fn of(program: &str, shelves: Box<dyn Shelves>) -> Self {
        Self {
            shelves,
            program: program.to_owned(),
        }
    }

    /// Returns what is kept of these parts, or else what is made now.
    pub(crate) fn once<T: Serialize + DeserializeOwned>(
        &self,
        parts: &[&[u8]],
        make: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        let parts = [&[self.program.as_bytes()], parts].concat();
        let name = name_of(&parts);
        if let Some(said) = self.find(&name) {
            return Some(said);
        }
        let said = make()?;
        self.keep(&name, &said);
        Some(said)
    }

    fn find<T: DeserializeOwned>(&self, name: &blake3::Hash) -> Option<T> {
        let kept = self.shelves.find(name.as_bytes())?;
        let (hash, said) = kept.split_at_checked(HASH_BYTES)?;
        // The hash depends on the name too, so the bytes of another entry count as damaged.
        let is_whole = hash_of(name, said).as_bytes() == hash;
        serde_json::from_slice(said).ok().filter(|_| is_whole)
    }

    fn keep(&self, name: &blake3::Hash, said: &impl Serialize) {
        if let Ok(said) = serde_json::to_vec(said) {
            let bytes = [hash_of(name, &said).as_bytes().as_slice(), &said].concat();
            self.shelves.keep(name.as_bytes(), bytes);
        }
    }
}

/// Returns a hash of bytes and of the name that they are kept under.
fn hash_of(name: &blake3::Hash, bytes: &[u8]) -> blake3::Hash {
    blake3::keyed_hash(name.as_bytes(), bytes)
}

/// Returns the name of what was made from these parts, in this order.
fn name_of(parts: &[&[u8]]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        // The length comes first, so that no two lists of parts have the same bytes.
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize()
}

/// Returns what a parse says about a text: the kept result, or else what `parse` says now. `asked`
/// is all that the answer depends on beside the text.
pub(crate) fn once<T: Serialize + DeserializeOwned>(
    checkout: &Checkout,
    asked: &[&[u8]],
    source: &[u8],
    parse: impl FnOnce() -> Option<T>,
) -> Option<T> {
    let Some(parses) = checkout.parses() else {
        return parse();
    };
    let parts: Vec<&[u8]> = [source].iter().chain(asked).copied().collect();
    parses.once(&parts, parse)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::{Arc, Mutex};

    use super::*;

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

    #[test]
    fn what_was_said_is_said_again_for_the_same_text_question_and_program() {
        let folder = tempfile::tempdir().expect("folder");
        let memory = InMemory::default();
        let of = |program: &str| {
            let parses = Parses::of(program, Box::new(memory.clone()));
            Checkout::open(folder.path())
                .expect("a folder")
                .with_parses(parses)
        };
        let asked = |program: &str, asked: &[&[u8]], text: &[u8], now: &str| {
            once(&of(program), asked, text, || Some(now.to_owned()))
        };
        let first = asked("p", &[b"a", b"bc"], b"text", "first");
        assert_eq!(first.as_deref(), Some("first"));
        let says = |program: &str, words: &[&[u8]], text: &[u8], expected: &str| {
            let said = asked(program, words, text, "now");
            assert_eq!(said.as_deref(), Some(expected), "{program} {words:?}");
        };
        says("p", &[b"a", b"bc"], b"text", "first");
        says("p", &[b"ab", b"c"], b"text", "now");
        says("p", &[b"a", b"bc"], b"other", "now");
        says("q", &[b"a", b"bc"], b"text", "now");
        // A parse that was given up is asked again.
        let none: Option<String> = once(&of("p"), &[b"late"], b"text", || None);
        assert_eq!(none, None);
        assert_eq!(
            asked("p", &[b"late"], b"text", "now").as_deref(),
            Some("now")
        );
    }

    #[test]
    fn what_is_not_what_was_kept_counts_as_missing() {
        let folder = tempfile::tempdir().expect("folder");
        let memory = InMemory::default();
        let parses = Parses::of("p", Box::new(memory.clone()));
        let checkout = Checkout::open(folder.path())
            .expect("a folder")
            .with_parses(parses);
        let ask = |text: &[u8], now: &str| once(&checkout, &[], text, || Some(now.to_owned()));
        ask(b"one", "of one");
        let kept = memory.0.lock().expect("lock").clone();
        let (name, bytes) = kept.iter().next().expect("one");
        for spoiled in [Vec::new(), b"short".to_vec(), vec![0; 64]] {
            memory.keep(name, spoiled);
            assert_eq!(ask(b"one", "again").as_deref(), Some("again"));
        }
        // What was kept of one text is not taken for another.
        ask(b"other", "of other");
        let names: Vec<[u8; 32]> = memory.0.lock().expect("lock").keys().copied().collect();
        names
            .iter()
            .for_each(|name| memory.keep(name, bytes.clone()));
        assert_eq!(ask(b"other", "of other").as_deref(), Some("of other"));
    }
}
