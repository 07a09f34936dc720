//! The cases that fuzzing found, and small documents of each form, through the functions that the fuzzer calls: as they are, and with
//! bytes changed, cut and doubled.

#[path = "../../../../fuzz/src/targets.rs"]
mod targets;

use std::panic::catch_unwind;
use std::path::Path;
use std::time::{Duration, Instant};

/// Milliseconds that one case may take on a busy machine.
const CASE_MS_MAX: u128 = 120_000;
/// Inputs of each target that are made from its cases, unless the variable says for how many seconds they are made.
const MADE: usize = 60;
const MADE_VARIABLE: &str = "GROUNDS_TEST_FUZZ_S";

fn cases(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/cases");
    let entries = std::fs::read_dir(folder.join(name)).expect("each target has cases");
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let read = |path| std::fs::read(path).expect("a case");
    paths.into_iter().map(read).collect()
}

fn play(name: &str, target: targets::Target, bytes: &[u8]) {
    let start = Instant::now();
    let ended = catch_unwind(|| target(bytes));
    let taken = start.elapsed().as_millis();
    if ended.is_err() || taken > CASE_MS_MAX {
        let kept = std::env::temp_dir().join(format!("grounds-fuzz-{name}"));
        std::fs::write(&kept, bytes).expect("it is kept");
        panic!("{name}: {taken} ms with {}", kept.display());
    }
}

#[test]
fn cases_of_the_fuzzer_are_read_or_refused() {
    for (name, target) in targets::ALL {
        let cases = cases(name);
        assert!(!cases.is_empty(), "{name}");
        let odd = [&b""[..], b"\0", b"\xff\xfe", &[b'{'; 5_000], &[b'<'; 5_000]];
        for bytes in cases.iter().map(Vec::as_slice).chain(odd) {
            play(name, target, bytes);
        }
    }
}

/// Numbers that look random, the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % most.max(1)
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        start..(start + self.below(24)).min(length)
    }
}

/// A case with some of its bytes changed, cut, doubled, or taken from another.
fn changed(cases: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = cases[dice.below(cases.len())].clone();
    for _ in 0..=dice.below(6) {
        let range = dice.range(bytes.len());
        let part = match dice.below(6) {
            0 => Vec::new(),
            1 => bytes[range.clone()].repeat(1 + dice.below(40)),
            2 => {
                let other = &cases[dice.below(cases.len())];
                other[dice.range(other.len())].to_vec()
            }
            3 => [
                &b"0"[..],
                b"-1",
                b"99999999999999999999",
                "\u{0}\u{202e}é𝕏".as_bytes(),
                b"\xff\xc3",
            ][dice.below(5)]
            .to_vec(),
            _ => {
                let byte = u8::try_from(dice.below(256)).unwrap_or(0);
                vec![byte; range.len().min(2)]
            }
        };
        bytes.splice(range, part);
    }
    bytes
}

#[test]
fn changed_cases_are_read_or_refused() {
    let seconds = std::env::var(MADE_VARIABLE)
        .ok()
        .and_then(|text| text.parse().ok());
    let time = seconds.map(Duration::from_secs);
    let only = std::env::var("GROUNDS_TEST_FUZZ").ok();
    for (name, target) in targets::ALL {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let (cases, start, mut made) = (cases(name), Instant::now(), 0);
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        while time.map_or(made < MADE, |time| start.elapsed() < time) {
            play(name, target, &changed(&cases, &mut dice));
            made += 1;
        }
        eprintln!("{name}: {made} inputs");
    }
}

#[test]
fn every_target_is_built_by_the_fuzzer() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/Cargo.toml");
    let manifest = std::fs::read_to_string(manifest).expect("the manifest of the fuzzer");
    for (name, _) in targets::ALL {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
}
