//! How the program is linked, the few lines that run before the runtime of Rust does, and the hash
//! of the sources that it is made from.

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=GROUNDS_SOURCES={}", sources());
    println!("cargo::rerun-if-changed=src/closed_output.c");
    let is =
        |variable: &str, value: &str| std::env::var(variable).is_ok_and(|known| known == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        // Tens of thousands of addresses are put right at each start: packed they take a hundredth of the bytes to
        // read. A linker that does not know this leaves them as they were.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    // A console of Windows gives every program an output.
    if is("CARGO_CFG_TARGET_OS", "windows") {
        return;
    }
    // As an object, because nothing refers to it and a linker leaves such a part of a library out.
    let objects = cc::Build::new()
        .file("src/closed_output.c")
        .compile_intermediates();
    for object in objects {
        println!("cargo::rustc-link-arg-bins={}", object.display());
    }
}

/// The hash of all sources of the workspace. A crate that came from a registry stands alone; its
/// version says what it is.
fn sources() -> String {
    let crates = Path::new("..");
    if !crates.join("evidence/src").is_dir() {
        return "released".to_owned();
    }
    let lock = crates.join("../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let mut files = vec![lock];
    for entry in fs::read_dir(crates).into_iter().flatten().flatten() {
        let folder = entry.path().join("src");
        println!("cargo::rerun-if-changed={}", folder.display());
        add_files(&folder, &mut files);
    }
    files.sort();
    let mut hasher = blake3::Hasher::new();
    for file in files {
        let name = file.to_string_lossy().replace('\\', "/");
        for part in [
            name.as_bytes(),
            &fs::read(&file).expect("a source can be read"),
        ] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => add_files(&entry.path(), files),
            Ok(_) => files.push(entry.path()),
            Err(_) => {}
        }
    }
}
