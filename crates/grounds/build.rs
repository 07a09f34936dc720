//! How the program is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is =
        |variable: &str, value: &str| std::env::var(variable).is_ok_and(|known| known == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        // Tens of thousands of addresses are put right at each start: packed they take a hundredth of the bytes to
        // read. A linker that does not know this leaves them as they were.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}
