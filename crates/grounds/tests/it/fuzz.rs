//! The cases that fuzzing found, and small documents of each form, through the functions that the fuzzer calls.

#[path = "../../../../fuzz/src/targets.rs"]
mod targets;

use std::path::Path;

/// Milliseconds that one case may take on a busy machine.
const CASE_MS_MAX: u128 = 20_000;

#[test]
fn cases_of_the_fuzzer_are_read_or_refused() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/cases");
    for (name, target) in targets::ALL {
        let folder = cases.join(name);
        let entries = std::fs::read_dir(&folder).expect("each target has cases");
        let mut count = 0;
        for entry in entries.flatten() {
            let bytes = std::fs::read(entry.path()).expect("a case");
            let start = std::time::Instant::now();
            target(&bytes);
            let taken = start.elapsed().as_millis();
            assert!(
                taken < CASE_MS_MAX,
                "{}: {taken} ms",
                entry.path().display()
            );
            count += 1;
        }
        assert!(count > 0, "{name} has no cases");
        for bytes in [&b""[..], b"\0", b"\xff\xfe", &[b'{'; 5_000], &[b'<'; 5_000]] {
            target(bytes);
        }
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
