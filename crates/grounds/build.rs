//! How the program is linked, and the few lines that run before the runtime of Rust does.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
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
