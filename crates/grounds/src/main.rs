//! The program `grounds`.

use std::process::ExitCode;

/// The allocator of musl takes one lock for all threads.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    grounds::commands::run(std::env::args_os())
}
